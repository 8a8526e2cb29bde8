//! `--input`: arrays as text, from files of NumPy, and made up.

use freehold_backend::jit::ElementType;
use freehold_frontend::dialects::shared::const_fold::float;
use freehold_frontend::ir::types::{FloatKind, Signedness};

use super::{Array, Stored, npy};

/// The arrays that one `--input` stands for: one, or all of an `.npz`.
pub(crate) fn arrays(text: &str) -> Result<Vec<Array>, String> {
    let read = match text.strip_prefix('@') {
        Some(path) => npy::read(path),
        None => literal(text).map(|array| vec![array]),
    };
    read.map_err(|error| format!("input '{}': {error}", shortened(text)))
}

/// The sizes of these arrays.
pub(crate) fn sizes(text: &str) -> Result<Vec<Vec<usize>>, String> {
    match text.strip_prefix('@') {
        Some(path) => npy::sizes(path),
        None => {
            let shape = text.split_once('=').map_or(text, |(shape, _)| shape);
            parse_shape(shape).map(|(sizes, _)| vec![sizes])
        }
    }
}

/// The first 60 characters of values, or the whole name of a file.
fn shortened(text: &str) -> String {
    let is_file = text.starts_with('@');
    match text.char_indices().nth(60) {
        Some((end, _)) if !is_file => format!("{}...", &text[..end]),
        _ => text.to_owned(),
    }
}

/// `2x3xf32=1,2,3,4,5,6`; a number is `f32=1`.
fn literal(text: &str) -> Result<Array, String> {
    let Some((shape, values)) = text.split_once('=') else {
        let forms = "TYPE=VALUES as in 2x3xf32=1,2,3,4,5,6, TYPE=random, or @FILE.npy";
        return Err(format!("expected {forms}"));
    };
    let (sizes, element) = parse_shape(shape)?;
    let mut array = Array::zeroed(Stored::Element(element), &sizes)?;
    let n: usize = sizes.iter().product();
    let size = element.byte_size();
    let mut elements = array.elements.bytes_mut().chunks_exact_mut(size);
    if let Some(seed) = values.trim().strip_prefix("random") {
        let seed = match seed.strip_prefix(':') {
            Some(seed) => seed.parse().map_err(|_| format!("'{seed}' is no seed"))?,
            None if seed.is_empty() => 0,
            None => return Err(format!("expected random or random:SEED, not '{values}'")),
        };
        let mut numbers = Random(seed);
        for bytes in elements {
            bytes.copy_from_slice(&numbers.element(element).to_le_bytes()[..size]);
        }
        return Ok(array);
    }
    let mut words = Words {
        rest: values,
        shape,
        sizes: &sizes,
        n_words: 0,
        has_brackets: false,
    };
    let mut written = Vec::new();
    while let Some(word) = words.next()? {
        written.push(parse_element(word, element)?);
    }
    match written[..] {
        // One number stands for all.
        [one] if n == 1 || !words.has_brackets => {
            elements.for_each(|bytes| bytes.copy_from_slice(&one.to_le_bytes()[..size]));
        }
        _ if written.len() == n => {
            for bits in written {
                if let Some(bytes) = elements.next() {
                    bytes.copy_from_slice(&bits.to_le_bytes()[..size]);
                }
            }
        }
        _ => return Err(format!("{shape} has {n} elements, not {}", written.len())),
    }
    Ok(array)
}

/// Sizes and element type of `2x3xf32`.
fn parse_shape(text: &str) -> Result<(Vec<usize>, ElementType), String> {
    let mut sizes = Vec::new();
    let mut rest = text.trim();
    while rest.starts_with(|c: char| c.is_ascii_digit()) {
        let Some((size, more)) = rest.split_once('x') else {
            return Err(format!("'{text}' has no element type"));
        };
        let size = size.parse().map_err(|_| format!("'{size}' is no size"))?;
        sizes.push(size);
        rest = more;
    }
    let element =
        ElementType::from_name(rest).ok_or_else(|| format!("'{rest}' is no element type"))?;
    Ok((sizes, element))
}

/// The numbers of `1, 2, 3` or `[[1, 2], [3, 4]]`; complex ones are `(1, 2)`. Brackets may be left out altogether.
struct Words<'t> {
    rest: &'t str,
    shape: &'t str,
    sizes: &'t [usize],
    n_words: usize,
    has_brackets: bool,
}

impl<'t> Words<'t> {
    fn next(&mut self) -> Result<Option<&'t str>, String> {
        let (mut n_closed, mut n_opened, mut n_commas) = (0, 0, 0);
        let mut is_nested = true;
        while let Some(first) = self.rest.chars().next().filter(|&c| is_between(c)) {
            match first {
                ',' => n_commas += 1,
                '[' => n_opened += 1,
                ']' => {
                    is_nested &= n_opened == 0;
                    n_closed += 1;
                }
                _ => {}
            }
            self.rest = &self.rest[first.len_utf8()..];
        }
        let n: usize = self.sizes.iter().product();
        let (is_first, is_end) = (self.n_words == 0, self.rest.is_empty());
        self.has_brackets |= is_first && n_opened > 0;
        if n_commas > usize::from(!is_first && !is_end) {
            return Err("a value is missing at a comma".to_owned());
        }
        // Of the wrong number of values, that is said.
        let is_counted = match is_end {
            true => self.n_words == n,
            false => self.n_words < n,
        };
        if n == 0 {
            is_nested = n_opened == n_closed;
        } else if is_counted {
            let wanted = match self.has_brackets {
                true => n_brackets(self.sizes, self.n_words),
                false => 0,
            };
            is_nested &= n_closed == if is_first { 0 } else { wanted };
            is_nested &= n_opened == if is_end { 0 } else { wanted };
        }
        if !is_nested {
            return Err(format!("the brackets are not those of {}", self.shape));
        }
        if is_end {
            return Ok(None);
        }
        let end = match self.rest.strip_prefix('(') {
            Some(inner) => inner.find(')').ok_or("expected ')'")? + 2,
            None => self.rest.find(is_between).unwrap_or(self.rest.len()),
        };
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.n_words += 1;
        Ok(Some(word))
    }
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '[' | ']')
}

/// How many lists end before the element of this number, and begin with it.
fn n_brackets(sizes: &[usize], index: usize) -> usize {
    let mut inner = 1;
    let begins = sizes.iter().rev().filter(|&&size| {
        inner *= size;
        index.is_multiple_of(inner)
    });
    begins.count()
}

/// The bits of an element that is written like this.
fn parse_element(word: &str, element: ElementType) -> Result<u128, String> {
    let wrong = || format!("'{word}' is no value of type {element}");
    match element {
        // Rounded once.
        ElementType::Float(FloatKind::F32) => match word.parse::<f32>() {
            Ok(value) if value.is_finite() => Ok(value.to_bits().into()),
            _ => encoded(word, FloatKind::F32).ok_or_else(wrong),
        },
        ElementType::Float(kind) => encoded(word, kind).ok_or_else(wrong),
        ElementType::Complex(kind) => {
            let parts = word
                .strip_prefix('(')
                .and_then(|inner| inner.strip_suffix(')'));
            let (re, im) = match parts {
                Some(parts) => parts.split_once(',').ok_or_else(wrong)?,
                None => (word, "0"),
            };
            let part = |text: &str| encoded(text.trim(), kind);
            let (re, im) = part(re).zip(part(im)).ok_or_else(wrong)?;
            Ok(re | im << kind.width())
        }
        ElementType::Int { .. } | ElementType::Index => {
            let width = element.integer_width().unwrap_or(64);
            let mask = u128::MAX >> (128 - width);
            match word {
                "true" if width == 1 => return Ok(1),
                "false" if width == 1 => return Ok(0),
                _ => {}
            }
            let (is_negative, digits) = match word.strip_prefix('-') {
                Some(digits) => (true, digits),
                None => (false, word),
            };
            let magnitude = match digits.strip_prefix("0x") {
                Some(digits) => u128::from_str_radix(digits, 16),
                None => digits.parse::<u128>(),
            };
            let magnitude = magnitude.map_err(|_| wrong())?;
            let is_unsigned = matches!(
                element,
                ElementType::Int {
                    signedness: Signedness::Unsigned,
                    ..
                }
            );
            let is_signed = matches!(
                element,
                ElementType::Int {
                    signedness: Signedness::Signed,
                    ..
                }
            );
            let fits = match is_negative {
                true => magnitude <= 1 << (width - 1) && (!is_unsigned || magnitude == 0),
                false => magnitude <= if is_signed { mask >> 1 } else { mask },
            };
            match fits {
                true if is_negative => Ok(magnitude.wrapping_neg() & mask),
                true => Ok(magnitude),
                false => Err(wrong()),
            }
        }
    }
}

/// The bits of the float that is nearest. A number past the largest one is none, and no infinity.
fn encoded(text: &str, kind: FloatKind) -> Option<u128> {
    let (bits, _) = float::encode(kind, text.parse().ok()?)?;
    let is_number = text.bytes().any(|byte| byte.is_ascii_digit());
    let is_finite = float::decode(kind, bits).is_none_or(f64::is_finite);
    (!is_number || is_finite).then_some(bits)
}

/// Numbers that look random and are the same everywhere (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// From -1 up to 1.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Floats are from -1 to 1, integers from -8 to 7 or, if they have no sign, from 0 to 15.
    fn element(&mut self, element: ElementType) -> u128 {
        let mut float = |kind| float::encode(kind, self.fraction()).map_or(0, |(bits, _)| bits);
        match element {
            ElementType::Float(kind) => float(kind),
            ElementType::Complex(kind) => {
                let re = float(kind);
                re | float(kind) << kind.width()
            }
            ElementType::Index
            | ElementType::Int {
                signedness: Signedness::Unsigned,
                ..
            } => u128::from(self.next() % 16) & mask(element),
            ElementType::Int { .. } => ((self.next() % 16) as i128 - 8) as u128 & mask(element),
        }
    }
}

fn mask(element: ElementType) -> u128 {
    u128::MAX >> (128 - element.integer_width().unwrap_or(128))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::values::print;

    fn shown(text: &str) -> String {
        let mut arrays = arrays(text).unwrap();
        let array = arrays.pop().unwrap();
        print::array(&array, 1000)
    }

    #[test]
    fn values_of_every_type_are_read_and_printed() {
        for (text, expected) in [
            ("f32=1.5", "f32 = 1.5"),
            ("3xf64=1e300,-inf,nan", "3xf64 = [1e300, -inf, NaN]"),
            (
                "2x2xi8=[[1, -128], [255, 0x7f]]",
                "2x2xi8\n[[1, -128],\n [-1, 127]]",
            ),
            ("2xui8=255 0", "2xui8 = [255, 0]"),
            ("3xi1=true,0,1", "3xi1 = [true, false, true]"),
            ("2xi7=-1,63", "2xi7 = [-1, 63]"),
            ("index=7", "index = 7"),
            (
                "i128=-170141183460469231731687303715884105728",
                "i128 = -170141183460469231731687303715884105728",
            ),
            ("2xf16=0.1,65504", "2xf16 = [0.1, 65500.0]"),
            ("bf16=3.140625", "bf16 = 3.14"),
            ("2xf8E4M3FN=1,-448", "2xf8E4M3FN = [1.0, -450.0]"),
            (
                "2xcomplex<f32>=(1,-2),3",
                "2xcomplex<f32> = [(1.0, -2.0), (3.0, 0.0)]",
            ),
            ("0x4xf32=", "0x4xf32 = []"),
            ("0x4xf32=[]", "0x4xf32 = []"),
            ("3xi32=7", "3xi32 = [7, 7, 7]"),
            ("1x1xi32=[[7]]", "1x1xi32\n[[7]]"),
            ("3xf32= [ 1 2, 3 ] ", "3xf32 = [1.0, 2.0, 3.0]"),
            ("2xf32=-inf,3.4e38", "2xf32 = [-inf, 3.4e38]"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn wrong_inputs_are_errors() {
        for (text, expected) in [
            (
                "1,2",
                "input '1,2': expected TYPE=VALUES as in 2x3xf32=1,2,3,4,5,6, TYPE=random, or @FILE.npy",
            ),
            ("2x3=1", "input '2x3=1': '2x3' has no element type"),
            ("2xf31=1", "input '2xf31=1': 'f31' is no element type"),
            (
                "2xf32=1,2,3",
                "input '2xf32=1,2,3': 2xf32 has 2 elements, not 3",
            ),
            ("i8=256", "input 'i8=256': '256' is no value of type i8"),
            ("ui8=-1", "input 'ui8=-1': '-1' is no value of type ui8"),
            ("si8=128", "input 'si8=128': '128' is no value of type si8"),
            (
                "f32=1e39",
                "input 'f32=1e39': '1e39' is no value of type f32",
            ),
            (
                "f32=-1e39",
                "input 'f32=-1e39': '-1e39' is no value of type f32",
            ),
            (
                "f64=1e309",
                "input 'f64=1e309': '1e309' is no value of type f64",
            ),
            (
                "f16=65520",
                "input 'f16=65520': '65520' is no value of type f16",
            ),
            (
                "complex<f32>=(1e39,0)",
                "input 'complex<f32>=(1e39,0)': '(1e39,0)' is no value of type complex<f32>",
            ),
            (
                "2xf32=1,,2",
                "input '2xf32=1,,2': a value is missing at a comma",
            ),
            (
                "2xf32=1,2,",
                "input '2xf32=1,2,': a value is missing at a comma",
            ),
            (
                "2x3xf32=[[0.5]]",
                "input '2x3xf32=[[0.5]]': 2x3xf32 has 6 elements, not 1",
            ),
            ("f32=one", "input 'f32=one': 'one' is no value of type f32"),
            ("4xf32=random:x", "input '4xf32=random:x': 'x' is no seed"),
            (
                "99999999999x99999999999xf32=0",
                "input '99999999999x99999999999xf32=0': sizes are more than memory can hold",
            ),
        ] {
            assert_eq!(arrays(text).unwrap_err(), expected);
        }
        for values in [
            "1,2],[3,4",
            "[1,2,3,4]",
            "[[1,2,3,4]]",
            "[[1,2],[3,4]",
            "[1,2],[3,4]",
            "[[1],[2],[3],[4]]",
            "[[1,2,3],[4]]",
            "[[[1,2],[3,4]]]",
            "[[1,2],[3,4]]]",
            "][1,2,3,4",
            "1,2,3,4]",
        ] {
            let text = format!("2x2xf32={values}");
            let expected = format!("input '{text}': the brackets are not those of 2x2xf32");
            assert_eq!(arrays(&text).unwrap_err(), expected);
        }
        assert!(
            arrays("@/nowhere/a.npy")
                .unwrap_err()
                .contains("No such file")
        );
    }
}
