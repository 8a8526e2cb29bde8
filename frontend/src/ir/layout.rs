//! Memref layouts: strides and offset, and element sizes in memory.

use super::affine::{AffineExpr, AffineMap, AffineOp};
use super::attrs::AttrKind;
use super::context::Context;
use super::types::{DYNAMIC, MemRefType, Type, TypeKind};

impl Context {
    /// Strides and offset in elements ([`DYNAMIC`] where unknown), if the
    /// layout is a strided one.
    pub fn memref_strides(&self, memref: &MemRefType) -> Option<(Vec<i64>, i64)> {
        let Some(layout) = memref.layout else {
            return Some((identity_strides(&memref.shape), 0));
        };
        match self.attr_kind(layout) {
            AttrKind::StridedLayout { offset, strides } => Some((strides.to_vec(), *offset)),
            AttrKind::AffineMap(map) => affine_strides(map, &memref.shape),
            _ => None,
        }
    }

    /// Bytes one element of type `ty` takes in a memref or a global: the size
    /// of its LLVM type rounded up to its alignment. `None` for types that
    /// have no memory form.
    pub fn element_byte_size(&self, ty: Type) -> Option<u64> {
        match self.type_kind(ty) {
            TypeKind::Index => Some(8),
            TypeKind::Integer { width, .. } => Some(integer_byte_size(*width)),
            TypeKind::Float(kind) => Some(integer_byte_size(kind.width())),
            TypeKind::Complex(part) => self.element_byte_size(*part)?.checked_mul(2),
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                if scalable.contains(&true) {
                    return None;
                }
                // Elements of vectors are packed by bits; each row is padded
                // to a power of two, as LLVM does.
                let bits = match self.type_kind(*element) {
                    TypeKind::Integer { width, .. } => u64::from(*width),
                    _ => self.element_byte_size(*element)?.checked_mul(8)?,
                };
                let (last, outer) = shape.split_last()?;
                let row = bits.checked_mul(u64::try_from(*last).ok()?)?;
                let row_bytes = row.div_ceil(8).checked_next_power_of_two()?;
                outer.iter().try_fold(row_bytes, |bytes, &size| {
                    bytes.checked_mul(u64::try_from(size).ok()?)
                })
            }
            // A descriptor: two pointers, offset, sizes and strides.
            TypeKind::MemRef(memref) => Some(24 + 16 * memref.rank() as u64),
            TypeKind::UnrankedMemRef { .. } => Some(16),
            _ => None,
        }
    }
}

/// Bytes of an integer of this width in memory: a power of two up to eight,
/// then a multiple of 16.
fn integer_byte_size(width: u32) -> u64 {
    let bytes = u64::from(width.div_ceil(8)).max(1);
    if bytes <= 8 {
        bytes.next_power_of_two()
    } else {
        bytes.next_multiple_of(16)
    }
}

/// Row-major strides of a shape.
pub fn identity_strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    let mut running = 1i64;
    for (stride, &size) in strides.iter_mut().zip(shape).rev() {
        *stride = running;
        running = match size {
            DYNAMIC => DYNAMIC,
            _ if running == DYNAMIC => DYNAMIC,
            _ => running.checked_mul(size).unwrap_or(DYNAMIC),
        };
    }
    strides
}

/// Strides and offset of a single-result affine layout, or of a permutation
/// of the row-major layout.
fn affine_strides(map: &AffineMap, shape: &[i64]) -> Option<(Vec<i64>, i64)> {
    if map.is_identity() {
        return Some((identity_strides(shape), 0));
    }
    let mut strides = vec![0i64; map.n_dims as usize];
    let mut offset = 0i64;
    match &map.results[..] {
        [expr] => add_terms(expr, 1, &mut strides, &mut offset)?,
        results => {
            // Several results index a row-major array of the mapped shape,
            // which is known only for permutations.
            if !map.is_permutation() {
                return None;
            }
            let mapped: Vec<i64> = results
                .iter()
                .map(|e| match e {
                    AffineExpr::Dim(d) => shape.get(*d as usize).copied().unwrap_or(DYNAMIC),
                    _ => DYNAMIC,
                })
                .collect();
            for (expr, stride) in results.iter().zip(identity_strides(&mapped)) {
                add_terms(expr, stride, &mut strides, &mut offset)?;
            }
        }
    }
    Some((strides, offset))
}

/// Adds `factor * expr` to strides and offset; symbols make them unknown.
fn add_terms(expr: &AffineExpr, factor: i64, strides: &mut [i64], offset: &mut i64) -> Option<()> {
    let add = |slot: &mut i64, value: i64| {
        *slot = if *slot == DYNAMIC || value == DYNAMIC {
            DYNAMIC
        } else {
            slot.checked_add(value).unwrap_or(DYNAMIC)
        };
    };
    match expr {
        AffineExpr::Dim(d) => add(strides.get_mut(*d as usize)?, factor),
        AffineExpr::Symbol(_) => add(offset, DYNAMIC),
        AffineExpr::Constant(c) => {
            let value = if factor == DYNAMIC {
                DYNAMIC
            } else {
                c.checked_mul(factor)?
            };
            add(offset, value);
        }
        AffineExpr::Binary(AffineOp::Add, sides) => {
            add_terms(&sides.0, factor, strides, offset)?;
            add_terms(&sides.1, factor, strides, offset)?;
        }
        AffineExpr::Binary(AffineOp::Mul, sides) => match &sides.1 {
            AffineExpr::Constant(c) => {
                let factor = if factor == DYNAMIC {
                    DYNAMIC
                } else {
                    factor.checked_mul(*c)?
                };
                add_terms(&sides.0, factor, strides, offset)?;
            }
            rhs if rhs.is_symbolic_or_constant() => {
                add_terms(&sides.0, DYNAMIC, strides, offset)?;
            }
            _ => return None,
        },
        AffineExpr::Binary(..) if expr.is_symbolic_or_constant() => add(offset, DYNAMIC),
        AffineExpr::Binary(..) => return None,
    }
    Some(())
}
