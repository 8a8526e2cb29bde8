//! Elements of arrays, and numbers: their types, and values as text.

use super::float::Float;
use super::text;
use crate::output::Output;

/// How an integer is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Signless,
    Signed,
    Unsigned,
}

/// The type of a number or of the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// Of 1 to 64 bits. In memory it takes the next power of two, zero-extended.
    Int(u32, Sign),
    Index,
    Float(Float),
    /// Two floats.
    Complex(Float),
}

/// What a name says.
pub(super) enum Named {
    Element(Element),
    /// A type that compiled code knows, but not this.
    Other,
    Nothing,
}

pub(super) const BOOL: Element = Element::Int(1, Sign::Signless);

/// Whether a type is one of the floats of at most eight bits.
fn is_small_float(name: &[u8]) -> bool {
    matches!(name, [b'f', b'4' | b'6' | b'8', b'E', ..])
}

impl Element {
    /// The type with this spelling, such as `f32`, `i1`, `ui8`, `index` or `complex<f64>`.
    pub(super) fn from_name(name: &[u8]) -> Named {
        if name == b"index" {
            return Named::Element(Self::Index);
        }
        if let Some(float) = Float::from_name(name) {
            return Named::Element(Self::Float(float));
        }
        if let Some(part) = name.strip_prefix(b"complex<") {
            let part = part.strip_suffix(b">").unwrap_or(part);
            return match Float::from_name(part) {
                Some(float) => Named::Element(Self::Complex(float)),
                None if is_small_float(part) => Named::Other,
                None => Named::Nothing,
            };
        }
        if is_small_float(name) {
            return Named::Other;
        }
        let (sign, width) = match name {
            [b'u', b'i', width @ ..] => (Sign::Unsigned, width),
            [b's', b'i', width @ ..] => (Sign::Signed, width),
            [b'i', width @ ..] => (Sign::Signless, width),
            _ => return Named::Nothing,
        };
        let is_number = text::starts_with_digit(width) && width.first() != Some(&b'0');
        match text::number(width, 10).filter(|_| is_number) {
            Some(width @ 1..=64) => Named::Element(Self::Int(width as u32, sign)),
            Some(65..=128) => Named::Other,
            _ => Named::Nothing,
        }
    }

    /// Writes its spelling.
    pub(super) fn write_name(self, out: &mut Output) {
        match self {
            Self::Index => out.text("index"),
            Self::Float(float) => out.text(float.name()),
            Self::Complex(part) => {
                out.text("complex<");
                out.text(part.name());
                out.byte(b'>');
            }
            Self::Int(width, sign) => {
                out.text(match sign {
                    Sign::Signless => "i",
                    Sign::Signed => "si",
                    Sign::Unsigned => "ui",
                });
                out.unsigned(width.into());
            }
        }
    }

    /// Bytes in memory.
    pub(super) fn byte_size(self) -> usize {
        match self {
            Self::Index => 8,
            Self::Float(float) => float.byte_size(),
            Self::Complex(part) => 2 * part.byte_size(),
            Self::Int(0..=8, _) => 1,
            Self::Int(9..=16, _) => 2,
            Self::Int(17..=32, _) => 4,
            Self::Int(..) => 8,
        }
    }

    /// The width of an integer or index.
    pub(super) fn integer_width(self) -> Option<u32> {
        match self {
            Self::Index => Some(64),
            Self::Int(width, _) => Some(width),
            _ => None,
        }
    }

    /// Whether integers do not fill their bytes.
    pub(super) fn has_padding(self) -> bool {
        self.integer_width()
            .is_some_and(|width| width as usize != 8 * self.byte_size())
    }

    /// Whether values of type `given` may stand where this type is declared: integers of the same width, unless
    /// both say how they are read and disagree.
    pub(super) fn accepts(self, given: Self) -> bool {
        let sign = |element| match element {
            Self::Int(_, sign) => sign,
            _ => Sign::Signless,
        };
        match (self.integer_width(), given.integer_width()) {
            (Some(a), Some(b)) => {
                let (s, t) = (sign(self), sign(given));
                a == b && (s == t || s == Sign::Signless || t == Sign::Signless)
            }
            _ => self == given,
        }
    }

    /// The bits of the value that `word` says.
    ///
    /// # Safety
    /// A zero byte follows somewhere behind the word, with a delimiter before it.
    pub(super) unsafe fn parse(self, word: &[u8]) -> Option<u128> {
        // SAFETY: by the caller's promise; the parts of a complex number end at a comma or parenthesis.
        unsafe {
            match self {
                Self::Int(width, sign) => integer(word, width, sign).map(u128::from),
                Self::Index => integer(word, 64, Sign::Signless).map(u128::from),
                Self::Float(float) => float.parse(word).map(u128::from),
                Self::Complex(part) => {
                    let parts = match word {
                        [b'(', parts @ .., b')'] => Some(text::split_once(parts, b',')?),
                        _ => None,
                    };
                    let Some((re, im)) = parts else {
                        return part.parse(word).map(u128::from);
                    };
                    let re = part.parse(text::trimmed(re))?;
                    let im = part.parse(text::trimmed(im))?;
                    Some(u128::from(re) | u128::from(im) << (8 * part.byte_size()))
                }
            }
        }
    }

    /// Writes the value with these bits.
    pub(super) fn write(self, out: &mut Output, bits: u128) {
        let low = bits as u64;
        match self {
            Self::Int(1, _) => out.text(if low & 1 != 0 { "true" } else { "false" }),
            Self::Int(_, Sign::Unsigned) => out.unsigned(low),
            Self::Int(width, _) => out.signed(sign_extended(low, width)),
            Self::Index => out.signed(low as i64),
            Self::Float(float) => float.write(out, low),
            Self::Complex(part) => {
                let width = 8 * part.byte_size() as u32;
                out.byte(b'(');
                part.write(out, low & low_bits(width));
                out.text(", ");
                part.write(out, (bits >> width) as u64);
                out.byte(b')');
            }
        }
    }
}

/// As many ones, up to 64.
fn low_bits(width: u32) -> u64 {
    u64::MAX.wrapping_shr(64 - width)
}

/// The integer whose lowest bits these are.
fn sign_extended(bits: u64, width: u32) -> i64 {
    let gap = 64 - width;
    (bits.wrapping_shl(gap) as i64).wrapping_shr(gap)
}

/// The bits of an integer as text.
fn integer(word: &[u8], width: u32, sign: Sign) -> Option<u64> {
    match word {
        b"true" if width == 1 => return Some(1),
        b"false" if width == 1 => return Some(0),
        _ => {}
    }
    let (is_negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let magnitude = match digits {
        [b'0', b'x', digits @ ..] => text::number(digits, 16)?,
        digits => text::number(digits, 10)?,
    };
    let mask = low_bits(width);
    let half = 1u64.wrapping_shl(width - 1);
    match is_negative {
        true if magnitude > half || (sign == Sign::Unsigned && magnitude != 0) => None,
        true => Some(magnitude.wrapping_neg() & mask),
        false if sign == Sign::Signed && magnitude >= half => None,
        false if magnitude > mask => None,
        false => Some(magnitude),
    }
}

/// The value that an integer of NumPy, as long as this type, has as one; the other value it stands for if there is
/// none.
pub(super) fn narrowed(bits: u64, n_bytes: usize, width: u32) -> Result<u64, i64> {
    let signed = sign_extended(bits, 8 * n_bytes as u32);
    let is_unsigned = bits & !low_bits(width) == 0;
    match is_unsigned || sign_extended(bits, width) == signed {
        true => Ok(bits & low_bits(width)),
        false => Err(signed),
    }
}

/// Numbers that look random and are the same everywhere, those of `freehold run` (SplitMix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From -1 up to 1.
    fn float(&mut self, float: Float) -> u64 {
        float.encode((self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    }

    /// Floats are from -1 to 1, integers from -8 to 7 or, if they have no sign, from 0 to 15.
    pub(super) fn element(&mut self, element: Element) -> u128 {
        match element {
            Element::Float(float) => self.float(float).into(),
            Element::Complex(part) => {
                let re = u128::from(self.float(part));
                re | u128::from(self.float(part)) << (8 * part.byte_size())
            }
            Element::Index => (self.next() % 16).into(),
            Element::Int(width, Sign::Unsigned) => ((self.next() % 16) & low_bits(width)).into(),
            Element::Int(width, _) => ((self.next() % 16).wrapping_sub(8) & low_bits(width)).into(),
        }
    }
}
