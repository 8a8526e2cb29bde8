//! Types of generated programs. Sizes, strides and offsets are known even where a type leaves them open, so that
//! subscripts are within bounds by construction.

use freehold::frontend::ir::context::Context;
use freehold::frontend::ir::types::{DYNAMIC, FloatKind, Type, TypeKind};

/// A number of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Elem {
    Int(u32),
    Index,
    Float(FloatKind),
    Complex(FloatKind),
}

impl Elem {
    pub(super) fn text(self) -> String {
        match self {
            Self::Int(width) => format!("i{width}"),
            Self::Index => "index".to_owned(),
            Self::Float(kind) => kind.keyword().to_owned(),
            Self::Complex(kind) => format!("complex<{}>", kind.keyword()),
        }
    }

    pub(super) fn is_int(self) -> bool {
        matches!(self, Self::Int(_))
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// Bits of the number; 64 for an index.
    pub(super) fn width(self) -> u32 {
        match self {
            Self::Int(width) => width,
            Self::Index => 64,
            Self::Float(kind) | Self::Complex(kind) => kind.width(),
        }
    }

    fn intern(self, context: &Context) -> Type {
        let float = |kind| context.intern_type(TypeKind::Float(kind));
        match self {
            Self::Int(width) => context.integer_type(width),
            Self::Index => context.intern_type(TypeKind::Index),
            Self::Float(kind) => float(kind),
            Self::Complex(kind) => context.intern_type(TypeKind::Complex(float(kind))),
        }
    }
}

/// A number that a type says, or leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Dim {
    pub(super) size: i64,
    pub(super) is_open: bool,
}

impl Dim {
    pub(super) const fn fixed(size: i64) -> Self {
        Self {
            size,
            is_open: false,
        }
    }

    pub(super) const fn open(size: i64) -> Self {
        Self {
            size,
            is_open: true,
        }
    }

    pub(super) fn text(self) -> String {
        match self.is_open {
            true => "?".to_owned(),
            false => self.size.to_string(),
        }
    }

    /// The product, open if one of both is.
    pub(super) fn times(self, other: Self) -> Self {
        Self {
            size: self.size * other.size,
            is_open: self.is_open || other.is_open,
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            size: self.size + other.size,
            is_open: self.is_open || other.is_open,
        }
    }
}

/// Strides and offset of a memref that is not the identity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    pub(super) strides: Vec<Dim>,
    pub(super) offset: Dim,
}

/// The type of a memref.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mem {
    pub(super) dims: Vec<Dim>,
    pub(super) elem: Elem,
    pub(super) layout: Option<Layout>,
}

impl Mem {
    pub(super) fn new(dims: Vec<Dim>, elem: Elem) -> Self {
        Self {
            dims,
            elem,
            layout: None,
        }
    }

    /// Strides and offset, of the identity too.
    pub(super) fn strided(&self) -> Layout {
        if let Some(layout) = &self.layout {
            return layout.clone();
        }
        let mut strides = vec![Dim::fixed(1); self.dims.len()];
        for at in (1..self.dims.len()).rev() {
            strides[at - 1] = strides[at].times(self.dims[at]);
        }
        Layout {
            strides,
            offset: Dim::fixed(0),
        }
    }

    pub(super) fn n(&self) -> i64 {
        self.dims.iter().map(|dim| dim.size).product()
    }

    pub(super) fn rank(&self) -> usize {
        self.dims.len()
    }
}

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    Scalar(Elem),
    Vector(Vec<i64>, Elem),
    Tensor(Vec<Dim>, Elem),
    MemRef(Mem),
}

impl Ty {
    pub(super) const INDEX: Self = Self::Scalar(Elem::Index);
    pub(super) const BOOL: Self = Self::Scalar(Elem::Int(1));

    pub(super) fn elem(&self) -> Elem {
        match self {
            Self::Scalar(elem) | Self::Vector(_, elem) | Self::Tensor(_, elem) => *elem,
            Self::MemRef(mem) => mem.elem,
        }
    }

    /// The type with other numbers in it.
    pub(super) fn with_elem(&self, elem: Elem) -> Self {
        match self {
            Self::Scalar(_) => Self::Scalar(elem),
            Self::Vector(shape, _) => Self::Vector(shape.clone(), elem),
            Self::Tensor(dims, _) => Self::Tensor(dims.clone(), elem),
            Self::MemRef(mem) => Self::MemRef(Mem {
                elem,
                ..mem.clone()
            }),
        }
    }

    pub(super) fn as_mem(&self) -> Option<&Mem> {
        match self {
            Self::MemRef(mem) => Some(mem),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> String {
        let sizes = |dims: &[Dim]| -> String {
            dims.iter().map(|dim| format!("{}x", dim.text())).collect()
        };
        match self {
            Self::Scalar(elem) => elem.text(),
            Self::Vector(shape, elem) => {
                let shape: String = shape.iter().map(|size| format!("{size}x")).collect();
                format!("vector<{shape}{}>", elem.text())
            }
            Self::Tensor(dims, elem) => format!("tensor<{}{}>", sizes(dims), elem.text()),
            Self::MemRef(mem) => {
                let layout = mem.layout.as_ref().map_or(String::new(), |layout| {
                    let strides: Vec<String> =
                        layout.strides.iter().map(|stride| stride.text()).collect();
                    let offset = match layout.offset {
                        Dim {
                            size: 0,
                            is_open: false,
                        } => String::new(),
                        offset => format!(", offset: {}", offset.text()),
                    };
                    format!(", strided<[{}]{offset}>", strides.join(", "))
                });
                format!("memref<{}{}{layout}>", sizes(&mem.dims), mem.elem.text())
            }
        }
    }

    /// The type in a context; not for memrefs with layouts.
    pub(super) fn intern(&self, context: &Context) -> Type {
        let element = self.elem().intern(context);
        let open = |dims: &[Dim]| -> Box<[i64]> {
            let size = |dim: &Dim| if dim.is_open { DYNAMIC } else { dim.size };
            dims.iter().map(size).collect()
        };
        context.intern_type(match self {
            Self::Scalar(_) => return element,
            Self::Vector(shape, _) => TypeKind::Vector {
                shape: shape.clone().into(),
                scalable: vec![false; shape.len()].into(),
                element,
            },
            Self::Tensor(dims, _) => TypeKind::RankedTensor {
                shape: open(dims),
                element,
                encoding: None,
            },
            Self::MemRef(mem) => {
                return context.memref_type(freehold::frontend::ir::types::MemRefType {
                    shape: open(&mem.dims),
                    element,
                    layout: None,
                    space: None,
                });
            }
        })
    }
}
