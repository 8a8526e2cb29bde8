//! Floats as text: the number nearest to the text, and the shortest text that is read as the same number.

use core::ffi::c_int;
use core::ptr;

use super::text;
use crate::float_format::{
    freehold_bf16_from_f64, freehold_f16_from_f64, freehold_f32_from_bf16, freehold_f32_from_f16,
};
use crate::output::Output;
use crate::sys;

/// A type of floats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Float {
    F16,
    BF16,
    F32,
    F64,
}

/// Room for the text of one number with an exponent: `-1.7976931348623157e+308`.
const CAPACITY: usize = 32;

impl Float {
    /// The type with this spelling.
    pub(super) fn from_name(name: &[u8]) -> Option<Self> {
        match name {
            b"f16" => Some(Self::F16),
            b"bf16" => Some(Self::BF16),
            b"f32" => Some(Self::F32),
            b"f64" => Some(Self::F64),
            _ => None,
        }
    }

    /// Its spelling.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::BF16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Bytes in memory.
    pub(super) fn byte_size(self) -> usize {
        match self {
            Self::F16 | Self::BF16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The bits of the float nearest to a value.
    pub(super) fn encode(self, value: f64) -> u64 {
        match self {
            Self::F16 => freehold_f16_from_f64(value).into(),
            Self::BF16 => freehold_bf16_from_f64(value).into(),
            Self::F32 => (value as f32).to_bits().into(),
            Self::F64 => value.to_bits(),
        }
    }

    /// The value of such bits.
    fn decode(self, bits: u64) -> f64 {
        match self {
            Self::F16 => freehold_f32_from_f16(bits as u16).into(),
            Self::BF16 => freehold_f32_from_bf16(bits as u16).into(),
            Self::F32 => f32::from_bits(bits as u32).into(),
            Self::F64 => f64::from_bits(bits),
        }
    }

    /// The bits of the number at the start of the bytes here.
    ///
    /// # Safety
    /// A zero byte follows somewhere, with nothing before it that would go on with the number.
    unsafe fn read(self, number: *const u8) -> u64 {
        // SAFETY: by the caller's promise; null asks for no end.
        unsafe {
            match self {
                // Rounded once.
                Self::F32 => sys::strtof(number.cast(), ptr::null_mut()).to_bits().into(),
                _ => self.encode(sys::strtod(number.cast(), ptr::null_mut())),
            }
        }
    }

    /// The bits of the float nearest to what `word` says, if it is a number in range.
    ///
    /// # Safety
    /// A zero byte follows somewhere behind the word, with nothing before it that would go on with the number.
    pub(super) unsafe fn parse(self, word: &[u8]) -> Option<u64> {
        let (is_negative, magnitude) = match word {
            [b'-', magnitude @ ..] => (true, magnitude),
            [b'+', magnitude @ ..] => (false, magnitude),
            magnitude => (false, magnitude),
        };
        let signed = |value: f64| self.encode(if is_negative { -value } else { value });
        if magnitude.eq_ignore_ascii_case(b"inf") || magnitude.eq_ignore_ascii_case(b"infinity") {
            return Some(signed(f64::INFINITY));
        }
        if magnitude.eq_ignore_ascii_case(b"nan") {
            // Smaller types have one NaN.
            return Some(match self {
                Self::F64 => signed(f64::NAN),
                _ => self.encode(f64::NAN),
            });
        }
        if !is_decimal(magnitude) {
            return None;
        }
        // SAFETY: by the caller's promise.
        let bits = unsafe { self.read(word.as_ptr()) };
        // A number past the largest one is no infinity.
        self.decode(bits).is_finite().then_some(bits)
    }

    /// Writes the shortest number that is read as the one with these bits.
    pub(super) fn write(self, out: &mut Output, bits: u64) {
        let value = self.decode(bits);
        if value.is_nan() {
            out.text("NaN");
            return;
        }
        if value.is_infinite() {
            out.text(if value < 0.0 { "-inf" } else { "inf" });
            return;
        }
        // Above a power of two, the spacing of floats is twice that below. So the number of some digits that is nearest
        // may be too far below, and the next one may not.
        let is_lopsided =
            matches!(self, Self::F32 | Self::F64) && value.to_bits() & ((1 << 52) - 1) == 0;
        let mut shortest = [0u8; CAPACITY];
        let mut precision: c_int = 0;
        let written = loop {
            let to = shortest.as_mut_ptr();
            // SAFETY: there is that much room, and 17 digits fit; a zero byte is behind them.
            let (written, mut is_same) = unsafe {
                let written =
                    sys::snprintf(to, CAPACITY, c"%.*e".as_ptr(), precision, value) as usize;
                (written, self.read(to) == bits)
            };
            if !is_same && is_lopsided && increment(&mut shortest) {
                // SAFETY: a zero byte is still behind the digits.
                is_same = unsafe { self.read(shortest.as_ptr()) == bits };
            }
            if is_same || precision == 16 {
                break written;
            }
            precision += 1;
        };
        if matches!(self, Self::F32 | Self::F64) && is_halfway(value, precision, &shortest) {
            increment(&mut shortest);
        }
        write_plainly(out, shortest.get(..written).unwrap_or(&[]));
    }
}

/// Whether the value is in the middle between the number with these digits and the next one. The C library takes the
/// even one then, and Rust the greater one.
fn is_halfway(value: f64, precision: c_int, digits: &[u8; CAPACITY]) -> bool {
    /// No double is closer to a middle than this many digits tell, unless it is there.
    const MORE: c_int = 40;
    let mut exact = [0u8; CAPACITY + MORE as usize];
    let to = exact.as_mut_ptr();
    // SAFETY: there is that much room.
    unsafe {
        sys::snprintf(
            to,
            CAPACITY + MORE as usize,
            c"%.*e".as_ptr(),
            precision + MORE,
            value,
        )
    };
    fn digits_of(number: &[u8]) -> impl Iterator<Item = &u8> {
        let mantissa = number.iter().take_while(|byte| **byte != b'e');
        mantissa.filter(|byte| byte.is_ascii_digit())
    }
    let mut all = digits_of(&exact);
    digits_of(digits).all(|digit| all.next() == Some(digit))
        && all.next() == Some(&b'5')
        && all.all(|&digit| digit == b'0')
}

/// Adds one to the last digit of `1.5e+02`. A nine would become a number with fewer digits, which was looked at.
fn increment(scientific: &mut [u8]) -> bool {
    let digits = scientific.iter_mut().take_while(|byte| **byte != b'e');
    match digits.last() {
        Some(digit @ b'0'..=b'8') => {
            *digit += 1;
            true
        }
        _ => false,
    }
}

/// Whether this is a decimal number without a sign: digits with a point anywhere, and maybe an exponent.
fn is_decimal(text: &[u8]) -> bool {
    let (mut rest, mut has_digits, mut has_point) = (text, false, false);
    while let [byte, more @ ..] = rest {
        match byte {
            b'0'..=b'9' => has_digits = true,
            b'.' if !has_point => has_point = true,
            b'e' | b'E' => break,
            _ => return false,
        }
        rest = more;
    }
    let exponent = match rest {
        [] => return has_digits,
        [_, b'+' | b'-', exponent @ ..] => exponent,
        [_, exponent @ ..] => exponent,
    };
    has_digits && !exponent.is_empty() && exponent.iter().all(u8::is_ascii_digit)
}

/// Writes `-1.5e+02` as `-150.0`: with an exponent only if it is below -4 or above 15, and otherwise with a point.
fn write_plainly(out: &mut Output, scientific: &[u8]) {
    let Some((number, exponent)) = text::split_once(scientific, b'e') else {
        return;
    };
    let number = match number {
        [b'-', number @ ..] => {
            out.byte(b'-');
            number
        }
        number => number,
    };
    let exponent = match exponent {
        [b'-', exponent @ ..] => text::number(exponent, 10).map(|n| -(n as i64)),
        exponent => text::number(exponent, 10).map(|n| n as i64),
    };
    let (exponent, first, more) = match (exponent, number) {
        (Some(exponent), [first, b'.', more @ ..]) => (exponent, *first, more),
        (Some(exponent), [first, ..]) => (exponent, *first, &[][..]),
        _ => return,
    };
    if !(-4..16).contains(&exponent) {
        out.byte(first);
        if !more.is_empty() {
            out.byte(b'.');
            out.slice(more);
        }
        out.byte(b'e');
        out.signed(exponent);
        return;
    }
    if exponent < 0 {
        out.text("0.");
        out.zeros(-exponent - 1);
        out.byte(first);
        out.slice(more);
        return;
    }
    out.byte(first);
    let n_whole = exponent as usize;
    let (whole, fraction) = more.split_at_checked(n_whole).unwrap_or((more, &[]));
    out.slice(whole);
    out.zeros((n_whole - whole.len()) as i64);
    out.byte(b'.');
    out.slice(if fraction.is_empty() { b"0" } else { fraction });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::capture::captured;
    use crate::testing::Random;
    use std::format;
    use std::string::String;
    use std::vec::Vec;

    fn written(float: Float, all: &[u64]) -> Vec<String> {
        let text = captured(|stream| {
            let mut out = Output::to(stream);
            for &bits in all {
                float.write(&mut out, bits);
                out.byte(b' ');
            }
        });
        text.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn floats_are_written_as_rust_writes_them() {
        let mut random = Random::new(41);
        // What rounds differently above and below, and what changes the layout.
        let mut doubles: Vec<u64> = (0..0x7ff).map(|exponent| exponent << 52).collect();
        let special = [
            0.0,
            -0.0,
            0.1,
            1e16,
            1e15,
            9999999999999998.0,
            1e-4,
            9.9e-5,
            123456.0,
            -2.5,
            f64::MAX,
            5e-324,
        ];
        doubles.extend(special.map(f64::to_bits));
        doubles.extend((0..300).map(|_| random.next()));
        // Few bits make ties.
        doubles.extend(
            (0..1000)
                .map(|n| f64::from(2 * n + 1) / 33_554_432.0)
                .map(f64::to_bits),
        );
        for chunk in doubles.chunks(500) {
            for (text, &bits) in written(Float::F64, chunk).iter().zip(chunk) {
                assert_eq!(*text, format!("{:?}", f64::from_bits(bits)));
            }
        }
        let mut singles: Vec<u64> = (0..0xff).map(|exponent| exponent << 23).collect();
        singles.extend(special.map(|value| u64::from((value as f32).to_bits())));
        singles.extend((0..500).map(|_| random.next() >> 32));
        singles.extend((0..1000).map(|n| u64::from(((2 * n + 1) as f32 / 4096.0).to_bits())));
        for chunk in singles.chunks(500) {
            for (text, &bits) in written(Float::F32, chunk).iter().zip(chunk) {
                assert_eq!(*text, format!("{:?}", f32::from_bits(bits as u32)));
            }
        }
    }

    /// What `freehold run` prints of a small float.
    fn few_digits(float: Float, bits: u64) -> String {
        let value = float.decode(bits);
        let found = (0..8).find_map(|digits| {
            let rounded: f64 = format!("{value:.digits$e}").parse().unwrap();
            (float.encode(rounded) == bits).then(|| format!("{rounded:?}"))
        });
        found.unwrap_or_else(|| format!("{value:?}"))
    }

    #[test]
    fn every_small_float_is_read_as_it_is_written() {
        for float in [Float::F16, Float::BF16] {
            let all: Vec<u64> = (0..1 << 16).step_by(7).collect();
            for chunk in all.chunks(500) {
                for (text, &bits) in written(float, chunk).iter().zip(chunk) {
                    let number = format!("{text}\0");
                    // SAFETY: there is a zero byte behind the number.
                    let read = unsafe { float.parse(&number.as_bytes()[..text.len()]) };
                    let is_nan = float.decode(bits).is_nan();
                    assert!(read == Some(bits) || (is_nan && text == "NaN"), "{text}");
                    assert_eq!(*text, few_digits(float, bits));
                }
            }
        }
    }

    #[test]
    fn what_is_no_number_for_rust_is_none_here() {
        for text in [
            "1",
            "-1.5",
            "+.5",
            "5.",
            "1e5",
            "1E-5",
            ".",
            "",
            "-",
            "e5",
            "1e",
            "1e+",
            "0x10",
            " 1",
            "1_0",
            "inf",
            "-Infinity",
            "NaN",
            "nan(1)",
            "infin",
            "1.2.3",
            "1f",
        ] {
            let number = format!("{text}\0");
            // SAFETY: there is a zero byte behind the number.
            let read = unsafe { Float::F64.parse(&number.as_bytes()[..text.len()]) };
            assert_eq!(read, text.parse::<f64>().ok().map(f64::to_bits), "{text}");
        }
    }
}
