//! Versions of the dialect. Those that differ in what there is end in zero.

use std::fmt;

/// A version: `1.9.0`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
}

impl Version {
    /// The oldest one that programs may be in.
    pub const MINIMUM: Self = Self::of((0, 9));
    /// The newest one that is known here.
    pub const CURRENT: Self = Self::of((1, 20));

    /// A version by its first two numbers.
    pub const fn of((major, minor): (u32, u32)) -> Self {
        Self { major, minor }
    }

    /// Reads `1.9.0`. The last number makes no difference.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.').map(|number| {
            let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| number.parse().ok()).flatten()
        });
        let (major, minor, _patch): (u32, u32, u32) =
            (numbers.next()??, numbers.next()??, numbers.next()??);
        numbers.next().is_none().then_some(Self::of((major, minor)))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.0", self.major, self.minor)
    }
}
