//! The memref types of generated programs, with the layouts that views of them have.

use std::fmt;

/// An element type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Element {
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
    Index,
}

impl Element {
    pub(crate) const ALL: [Self; 7] = [
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::F32,
        Self::F64,
        Self::Index,
    ];

    /// Those that any bytes may be read as. (Converting any float to an integer is undefined.)
    pub(crate) const INTEGERS: [Self; 4] = [Self::I8, Self::I16, Self::I32, Self::I64];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Index => "index",
        }
    }

    pub(crate) fn bytes(self) -> u64 {
        match self {
            Self::I8 => 1,
            Self::I16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 | Self::Index => 8,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// Strides and offset; `None` is dynamic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Strided {
    pub(crate) strides: Vec<Option<u64>>,
    pub(crate) offset: Option<u64>,
}

/// A ranked memref type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MemRefType {
    pub(crate) element: Element,
    /// `None` is dynamic.
    pub(crate) dims: Vec<Option<u64>>,
    /// `None` is the identity: row-major without gaps.
    pub(crate) layout: Option<Strided>,
}

impl MemRefType {
    pub(crate) fn identity(element: Element, dims: Vec<Option<u64>>) -> Self {
        Self {
            element,
            dims,
            layout: None,
        }
    }

    /// The type that every memref of this element type and rank can be cast to.
    pub(crate) fn most_dynamic(element: Element, rank: usize) -> Self {
        Self {
            element,
            dims: vec![None; rank],
            layout: Some(Strided {
                strides: vec![None; rank],
                offset: None,
            }),
        }
    }

    pub(crate) fn rank(&self) -> usize {
        self.dims.len()
    }

    pub(crate) fn is_identity(&self) -> bool {
        self.layout.is_none()
    }

    pub(crate) fn is_most_dynamic(&self) -> bool {
        *self == Self::most_dynamic(self.element, self.rank())
    }

    /// The same type without the layout.
    pub(crate) fn without_layout(&self) -> Self {
        Self::identity(self.element, self.dims.clone())
    }

    /// The layout in numbers, of the identity as well.
    pub(crate) fn strided(&self) -> Strided {
        if let Some(strided) = &self.layout {
            return strided.clone();
        }
        let mut strides = vec![None; self.rank()];
        let mut next = Some(1);
        for (stride, dim) in strides.iter_mut().zip(&self.dims).rev() {
            *stride = next;
            next = next.zip(*dim).map(|(next, dim)| next * dim);
        }
        Strided {
            strides,
            offset: Some(0),
        }
    }

    /// Rows without elements follow each other without distance.
    pub(crate) fn has_zero_stride(&self) -> bool {
        self.strided().strides.contains(&Some(0))
    }

    /// Whether `memref.cast` may turn a value of this type, whose dimensions at run time are
    /// `actual` where they are known, into `target`.
    pub(crate) fn casts_to(&self, target: &Self, actual: &[Option<u64>]) -> bool {
        let fits = |from: Option<u64>, to: Option<u64>| to.is_none() || from == to;
        let (from, to) = (self.strided(), target.strided());
        self.element == target.element
            && self.rank() == target.rank()
            // A dynamic dimension that becomes static must be known to be right.
            && actual.iter().zip(&target.dims).all(|(&from, &to)| fits(from, to))
            && from.strides.iter().zip(&to.strides).all(|(&from, &to)| fits(from, to))
            && fits(from.offset, to.offset)
    }

    /// The type of `memref.subview` of this type. Dimensions in `dropped` are left out of the
    /// result.
    pub(crate) fn subview(
        &self,
        offsets: &[Option<u64>],
        sizes: &[Option<u64>],
        steps: &[u64],
        dropped: &[usize],
    ) -> Self {
        let from = self.strided();
        let mut offset = from.offset;
        let mut dims = Vec::new();
        let mut strides = Vec::new();
        for dim in 0..self.rank() {
            let shift = product(offsets[dim], from.strides[dim]);
            offset = offset.zip(shift).map(|(offset, shift)| offset + shift);
            if !dropped.contains(&dim) {
                dims.push(sizes[dim]);
                strides.push(from.strides[dim].map(|stride| stride * steps[dim]));
            }
        }
        Self {
            element: self.element,
            dims,
            layout: Some(Strided { strides, offset }),
        }
    }
}

/// The product of two numbers that may be dynamic, as type inference sees it.
fn product(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(0), _) | (_, Some(0)) => Some(0),
        _ => a.zip(b).map(|(a, b)| a * b),
    }
}

/// A number in a type, `?` when dynamic.
fn number(value: Option<u64>) -> String {
    value.map_or_else(|| "?".into(), |value| value.to_string())
}

impl fmt::Display for MemRefType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("memref<")?;
        for &dim in &self.dims {
            write!(f, "{}x", number(dim))?;
        }
        f.write_str(self.element.name())?;
        if let Some(Strided { strides, offset }) = &self.layout {
            let strides: Vec<_> = strides.iter().copied().map(number).collect();
            write!(f, ", strided<[{}]", strides.join(", "))?;
            if *offset != Some(0) {
                write!(f, ", offset: {}", number(*offset))?;
            }
            f.write_str(">")?;
        }
        f.write_str(">")
    }
}
