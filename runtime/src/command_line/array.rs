//! Arrays: read from text, compared with the types of arguments, and printed.

use core::ptr;

use super::element::{Element, Named, Random, narrowed};
use super::{Report, text};
use crate::output::Output;
use crate::sys;

/// How many numbers at each end of a dimension are shown of arrays that are not shown in full.
const EDGE: usize = 3;

/// What elements are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
    Element(Element),
    /// Raw bytes without a meaning to NumPy, which is how it stores types that it does not have.
    Raw(usize),
}

impl Stored {
    pub(super) fn byte_size(self) -> usize {
        match self {
            Self::Element(element) => element.byte_size(),
            Self::Raw(size) => size,
        }
    }
}

/// An array, row-major. A number is one without dimensions.
#[derive(Clone, Copy)]
pub(super) struct Array<'m> {
    pub(super) stored: Stored,
    pub(super) sizes: &'m [usize],
    /// There is memory for all elements.
    pub(super) data: *mut u8,
}

/// Room for `count` values, all zero, that is never given back: the process ends when the function has returned.
pub(super) fn room<'m, T>(count: usize, report: Report<'_>) -> &'m mut [T] {
    let bytes = count.saturating_mul(size_of::<T>());
    let pages = sys::map_zeroed(bytes.max(1)).cast::<T>();
    if pages.is_null() {
        report.fail(|out| {
            out.unsigned(bytes as u64);
            out.text(" bytes are more than there is memory for");
        });
    }
    // SAFETY: the pages are zero, which is a value of every type this is used for, and have no other users.
    unsafe { core::slice::from_raw_parts_mut(pages, count) }
}

impl<'m> Array<'m> {
    /// All zero.
    pub(super) fn zeroed(stored: Stored, sizes: &'m [usize], report: Report<'_>) -> Self {
        let mut bytes = Some(stored.byte_size());
        for &size in sizes {
            bytes = bytes.and_then(|bytes| bytes.checked_mul(size));
        }
        let Some(bytes) = bytes.filter(|&bytes| isize::try_from(bytes).is_ok()) else {
            report.fail(|out| out.text("sizes are more than memory can hold"))
        };
        Self {
            stored,
            sizes,
            data: room::<u8>(bytes, report).as_mut_ptr(),
        }
    }

    pub(super) fn n_elements(&self) -> usize {
        self.sizes.iter().fold(1, |n, &size| n.wrapping_mul(size))
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.n_elements().wrapping_mul(self.stored.byte_size())
    }

    /// The bits of the element of this number.
    ///
    /// # Safety
    /// There are more elements than that.
    pub(super) unsafe fn get(&self, index: usize) -> u128 {
        let size = self.stored.byte_size();
        let mut bits = [0u8; 16];
        // SAFETY: by the caller's promise; no element has more than sixteen bytes.
        unsafe { ptr::copy_nonoverlapping(self.data.add(index * size), bits.as_mut_ptr(), size) };
        u128::from_le_bytes(bits)
    }

    /// Sets the bits of the element of this number.
    ///
    /// # Safety
    /// There are more elements than that.
    pub(super) unsafe fn set(&self, index: usize, bits: u128) {
        let size = self.stored.byte_size();
        // SAFETY: as above.
        unsafe {
            let bits = bits.to_le_bytes();
            ptr::copy_nonoverlapping(bits.as_ptr(), self.data.add(index * size), size);
        }
    }

    /// What `2x3xf32=1,2,3,4,5,6` says; a number is `f32=1`.
    ///
    /// # Safety
    /// A zero byte is behind the text.
    pub(super) unsafe fn literal(literal: &[u8], report: Report<'_>) -> Self {
        let Some((shape, values)) = text::split_once(literal, b'=') else {
            report.fail(|out| {
                out.text(
                    "expected TYPE=VALUES as in 2x3xf32=1,2,3,4,5,6, TYPE=random, or @FILE.npy",
                );
            })
        };
        let (sizes, element) = parse_shape(shape, report);
        let array = Self::zeroed(Stored::Element(element), sizes, report);
        let n = array.n_elements();
        // SAFETY: every index below is less than `n`; by the caller's promise a zero byte is behind every word.
        unsafe {
            if let Some(seed) = text::trimmed(values).strip_prefix(b"random") {
                let mut numbers = Random(parse_seed(seed, values, report));
                for index in 0..n {
                    array.set(index, numbers.element(element));
                }
                return array;
            }
            let mut words = Words {
                rest: values,
                sizes,
                n_words: 0,
                has_brackets: false,
            };
            let mut first = 0;
            while let Some(word) = words.next(shape, report) {
                let Some(bits) = element.parse(word) else {
                    report.fail(|out| {
                        quoted(out, word);
                        out.text(" is no value of type ");
                        element.write_name(out);
                    })
                };
                let index = words.n_words - 1;
                if index == 0 {
                    first = bits;
                }
                if index < n {
                    array.set(index, bits);
                }
            }
            let n_words = words.n_words;
            match n_words {
                // One number stands for all.
                1 if n == 1 || !words.has_brackets => {
                    (0..n).for_each(|index| array.set(index, first))
                }
                _ if n_words == n => {}
                _ => report.fail(|out| {
                    out.slice(shape);
                    out.text(" has ");
                    out.unsigned(n as u64);
                    out.text(" elements, not ");
                    out.unsigned(n_words as u64);
                }),
            }
        }
        array
    }

    /// Takes elements for those of type `declared`: those that NumPy has no type for, or integers that do not fill
    /// their bytes. Others stay as they are.
    pub(super) fn read_as(&mut self, declared: Element, report: Report<'_>) {
        match self.stored {
            Stored::Raw(size) => {
                let is_native = match declared {
                    Element::Float(float) => float != super::float::Float::BF16,
                    Element::Int(..) => false,
                    Element::Index | Element::Complex(_) => true,
                };
                if size == declared.byte_size() && !is_native && !declared.has_padding() {
                    self.stored = Stored::Element(declared);
                }
            }
            Stored::Element(given) => {
                let size = given.byte_size();
                let is_integer = given.integer_width().is_some();
                let Some(width @ 2..) = declared.integer_width() else {
                    return;
                };
                if !is_integer || !declared.has_padding() || size != declared.byte_size() {
                    return;
                }
                for index in 0..self.n_elements() {
                    // SAFETY: there are that many.
                    unsafe {
                        match narrowed(self.get(index) as u64, size, width) {
                            Ok(bits) => self.set(index, bits.into()),
                            Err(value) => report.fail(|out| {
                                out.signed(value);
                                out.text(" is no value of type ");
                                declared.write_name(out);
                            }),
                        }
                    }
                }
                self.stored = Stored::Element(declared);
            }
        }
    }

    /// Whether it has the sizes and elements of a declared shape, `2x?xf32`.
    pub(super) fn fits(&self, shape: &[u8]) -> bool {
        let (mut rest, mut sizes) = (shape, self.sizes);
        while text::starts_with_digit(rest) || rest.first() == Some(&b'?') {
            let (Some((size, more)), [given, others @ ..]) = (text::split_once(rest, b'x'), sizes)
            else {
                return false;
            };
            if size != b"?" && text::size(size) != Some(*given) {
                return false;
            }
            (rest, sizes) = (more, others);
        }
        match (self.stored, Element::from_name(rest)) {
            (Stored::Element(given), Named::Element(declared)) => {
                sizes.is_empty() && declared.accepts(given)
            }
            _ => false,
        }
    }

    /// Writes sizes and elements.
    pub(super) fn write_shape(&self, out: &mut Output) {
        for &size in self.sizes {
            out.unsigned(size as u64);
            out.byte(b'x');
        }
        match self.stored {
            Stored::Element(element) => element.write_name(out),
            Stored::Raw(size) => {
                out.byte(b'(');
                out.unsigned(size as u64);
                out.text(" bytes)");
            }
        }
    }

    /// Writes its shape and its elements; of more than `max_elements`, those at the edges.
    ///
    /// # Safety
    /// All elements are there.
    pub(super) unsafe fn write(&self, out: &mut Output, max_elements: usize) {
        self.write_shape(out);
        let n = self.n_elements();
        out.text(if self.sizes.len() <= 1 || n == 0 {
            " = "
        } else {
            "\n"
        });
        if n == 0 {
            out.text("[]");
        } else {
            // SAFETY: by the caller's promise.
            unsafe { self.write_elements(out, self.sizes, 0, n > max_elements) };
        }
    }

    /// Writes the part that begins with element `at` and that the dimensions `sizes` run through.
    ///
    /// # Safety
    /// All elements are there.
    unsafe fn write_elements(&self, out: &mut Output, sizes: &[usize], at: usize, is_cut: bool) {
        let [size, inner @ ..] = sizes else {
            // SAFETY: by the caller's promise.
            let bits = unsafe { self.get(at) };
            match self.stored {
                Stored::Element(element) => element.write(out, bits),
                Stored::Raw(_) => out.address(bits as usize),
            }
            return;
        };
        let n_inner = inner.iter().fold(1, |n: usize, &size| n.wrapping_mul(size));
        out.byte(b'[');
        let mut index = 0;
        while index < *size {
            if index > 0 && inner.is_empty() {
                out.text(", ");
            } else if index > 0 {
                // Blocks are apart by as many empty lines as dimensions are inside of them, less one.
                out.byte(b',');
                inner.iter().for_each(|_| out.byte(b'\n'));
                out.spaces((self.sizes.len() - inner.len()) as i64);
            }
            if is_cut && index == EDGE && *size > 2 * EDGE {
                out.text("...");
                index = *size - EDGE;
                continue;
            }
            // SAFETY: by the caller's promise.
            unsafe { self.write_elements(out, inner, at + index * n_inner, is_cut) };
            index += 1;
        }
        out.byte(b']');
    }
}

/// Writes text between quotation marks.
pub(super) fn quoted(out: &mut Output, text: &[u8]) {
    out.byte(b'\'');
    out.slice(text);
    out.byte(b'\'');
}

/// Sizes and element type of `2x3xf32`.
fn parse_shape<'m>(shape: &[u8], report: Report<'_>) -> (&'m [usize], Element) {
    let sizes = room::<usize>(shape.len() / 2 + 1, report);
    let (mut rest, mut rank) = (text::trimmed(shape), 0);
    while text::starts_with_digit(rest) {
        let Some((size, more)) = text::split_once(rest, b'x') else {
            report.fail(|out| {
                quoted(out, shape);
                out.text(" has no element type");
            })
        };
        match (text::size(size), sizes.get_mut(rank)) {
            (Some(size), Some(place)) => *place = size,
            _ => report.fail(|out| {
                quoted(out, size);
                out.text(" is no size");
            }),
        }
        rank += 1;
        rest = more;
    }
    let element = match Element::from_name(rest) {
        Named::Element(element) => element,
        Named::Other => report.fail(|out| {
            out.text("elements of type ");
            out.slice(rest);
            out.text(" are read by 'freehold run' only");
        }),
        Named::Nothing => report.fail(|out| {
            quoted(out, rest);
            out.text(" is no element type");
        }),
    };
    (sizes.get(..rank).unwrap_or(&[]), element)
}

/// The number behind `random`.
fn parse_seed(seed: &[u8], values: &[u8], report: Report<'_>) -> u64 {
    match seed {
        [] => 0,
        [b':', seed @ ..] => text::number(seed, 10).unwrap_or_else(|| {
            report.fail(|out| {
                quoted(out, seed);
                out.text(" is no seed");
            })
        }),
        _ => report.fail(|out| {
            out.text("expected random or random:SEED, not ");
            quoted(out, values);
        }),
    }
}

/// The numbers of `1, 2, 3` or `[[1, 2], [3, 4]]`; complex ones are `(1, 2)`. Brackets may be left out altogether.
struct Words<'t> {
    rest: &'t [u8],
    sizes: &'t [usize],
    n_words: usize,
    has_brackets: bool,
}

impl<'t> Words<'t> {
    fn next(&mut self, shape: &[u8], report: Report<'_>) -> Option<&'t [u8]> {
        let (mut n_closed, mut n_opened, mut n_commas) = (0, 0, 0);
        let mut is_nested = true;
        while let [byte, rest @ ..] = self.rest
            && is_between(byte)
        {
            match byte {
                b',' => n_commas += 1,
                b'[' => n_opened += 1,
                b']' => {
                    is_nested &= n_opened == 0;
                    n_closed += 1;
                }
                _ => {}
            }
            self.rest = rest;
        }
        let n = self
            .sizes
            .iter()
            .fold(1usize, |n, &size| n.wrapping_mul(size));
        let (is_first, is_end) = (self.n_words == 0, self.rest.is_empty());
        self.has_brackets |= is_first && n_opened > 0;
        if n_commas > usize::from(!is_first && !is_end) {
            report.fail(|out| out.text("a value is missing at a comma"));
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
            report.fail(|out| {
                out.text("the brackets are not those of ");
                out.slice(shape);
            });
        }
        if is_end {
            return None;
        }
        let end = match self.rest.first() {
            Some(b'(') => match self.rest.iter().position(|&byte| byte == b')') {
                Some(end) => end + 1,
                None => report.fail(|out| out.text("expected ')'")),
            },
            _ => (self.rest.iter().position(is_between)).unwrap_or(self.rest.len()),
        };
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        self.n_words += 1;
        Some(word)
    }
}

fn is_between(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b'[' | b']')
}

/// How many lists end before the element of this number, and begin with it.
fn n_brackets(sizes: &[usize], index: usize) -> usize {
    let (mut n, mut inner) = (0, 1usize);
    for &size in sizes.iter().rev() {
        inner = inner.wrapping_mul(size);
        if index.checked_rem(inner) == Some(0) {
            n += 1;
        }
    }
    n
}
