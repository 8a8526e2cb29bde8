//! What types the views of a memref have, and which types may be cast to
//! which. All functions are pure; `None` means that there is no such type.
//!
//! Sizes, strides and offsets are numbers with [`DYNAMIC`] for "known at run
//! time only". Arithmetic on them is saturating: unknown stays unknown, but
//! nothing times zero is zero.

use std::cmp::Ordering;

use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::layout::identity_strides;
use crate::ir::types::{DYNAMIC, MemRefType, Type, TypeKind};

/// `a + b`, where either may be [`DYNAMIC`].
pub fn saturating_add(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC {
        return DYNAMIC;
    }
    a.checked_add(b).unwrap_or(DYNAMIC)
}

/// `a * b`, where either may be [`DYNAMIC`]; zero times anything is zero.
pub fn saturating_mul(a: i64, b: i64) -> i64 {
    if a == 0 || b == 0 {
        return 0;
    }
    if a == DYNAMIC || b == DYNAMIC {
        return DYNAMIC;
    }
    a.checked_mul(b).unwrap_or(DYNAMIC)
}

/// Whether two sizes, strides or offsets can be one number at run time.
pub fn is_compatible(a: i64, b: i64) -> bool {
    a == b || a == DYNAMIC || b == DYNAMIC
}

/// A strided layout attribute.
pub fn strided_layout(context: &Context, offset: i64, strides: &[i64]) -> Attr {
    context.intern_attr(AttrKind::StridedLayout {
        offset,
        strides: strides.into(),
    })
}

/// A memref type with a strided layout attribute, even where that is the
/// identity: upstream keeps the two apart.
pub fn strided_memref(
    context: &Context,
    shape: &[i64],
    element: Type,
    offset: i64,
    strides: &[i64],
    space: Option<Attr>,
) -> MemRefType {
    MemRefType {
        shape: shape.into(),
        element,
        layout: Some(strided_layout(context, offset, strides)),
        space,
    }
}

/// Whether the layout maps every index to itself, as the absent layout and
/// `strided<[1]>` do. Row-major strides of several dimensions do not: they
/// linearize.
pub fn has_identity_layout(context: &Context, memref: &MemRefType) -> bool {
    match memref.layout.map(|layout| context.attr_kind(layout)) {
        None => true,
        Some(AttrKind::StridedLayout { offset, strides }) => *offset == 0 && **strides == [1],
        Some(AttrKind::AffineMap(map)) => map.is_identity(),
        Some(_) => false,
    }
}

/// Whether elements are known to lie row-major without gaps and the first at offset 0, however the layout is spelled. A
/// stride that the type does not give may be larger than the row is long.
pub fn is_contiguous(context: &Context, memref: &MemRefType) -> bool {
    let has_strides = |(strides, offset): (Vec<i64>, i64)| {
        offset == 0 && !strides.contains(&DYNAMIC) && strides == identity_strides(&memref.shape)
    };
    has_identity_layout(context, memref) || context.memref_strides(memref).is_some_and(has_strides)
}

/// Number of symbols of the layout, each of which an allocation gives a value.
pub fn n_layout_symbols(context: &Context, memref: &MemRefType) -> usize {
    match memref.layout.map(|layout| context.attr_kind(layout)) {
        Some(AttrKind::StridedLayout { offset, strides }) => {
            strides.iter().filter(|&&s| s == DYNAMIC).count() + usize::from(*offset == DYNAMIC)
        }
        Some(AttrKind::AffineMap(map)) => map.n_symbols as usize,
        _ => 0,
    }
}

/// The type of a subview with these offsets, sizes and strides (one each per
/// dimension of `source`), without rank reduction.
pub fn infer_subview_type(
    context: &Context,
    source: &MemRefType,
    offsets: &[i64],
    sizes: &[i64],
    strides: &[i64],
) -> Option<MemRefType> {
    let rank = source.rank();
    if [offsets.len(), sizes.len(), strides.len()] != [rank; 3] {
        return None;
    }
    let (source_strides, source_offset) = context.memref_strides(source)?;
    let offset = offsets
        .iter()
        .zip(&source_strides)
        .fold(source_offset, |sum, (&offset, &stride)| {
            saturating_add(sum, saturating_mul(offset, stride))
        });
    let strides: Vec<i64> = source_strides
        .iter()
        .zip(strides)
        .map(|(&a, &b)| saturating_mul(a, b))
        .collect();
    Some(strided_memref(
        context,
        sizes,
        source.element,
        offset,
        &strides,
        source.space,
    ))
}

/// Which dimensions of `full` (all of size 1) are left out in `reduced`, when
/// the others are equal in order; the earliest possible ones.
pub fn rank_reduction_mask(full: &[i64], reduced: &[i64]) -> Option<Vec<bool>> {
    let mut mask = vec![false; full.len()];
    let mut next = 0;
    for (dim, &size) in full.iter().enumerate() {
        if next < reduced.len() && size == reduced[next] {
            next += 1;
        } else if size == 1 {
            mask[dim] = true;
        } else {
            return None;
        }
    }
    (next == reduced.len()).then_some(mask)
}

/// Which items of `full` to drop, all of them droppable, so that `kept` is left; the earliest possible ones.
fn subsequence_mask<T: PartialEq>(
    full: &[T],
    kept: &[T],
    is_droppable: impl Fn(&T) -> bool,
) -> Option<Vec<bool>> {
    let to_drop = full.len().checked_sub(kept.len())?;
    // Whether the rest of `full` after `dim` items, `n` of them dropped, can become the rest of `kept`.
    let mut fits = vec![vec![false; to_drop + 1]; full.len() + 1];
    fits[full.len()][to_drop] = true;
    for (dim, item) in full.iter().enumerate().rev() {
        for n in 0..=to_drop.min(dim) {
            let is_kept = kept.get(dim - n) == Some(item) && fits[dim + 1][n];
            let is_dropped = n < to_drop && is_droppable(item) && fits[dim + 1][n + 1];
            fits[dim][n] = is_kept || is_dropped;
        }
    }
    if !fits[0][0] {
        return None;
    }
    let mut n = 0;
    let choose = |(dim, item): (usize, &T)| {
        let drops = n < to_drop && is_droppable(item) && fits[dim + 1][n + 1];
        n += usize::from(drops);
        drops
    };
    Some(full.iter().enumerate().map(choose).collect())
}

/// Which dimensions a rank-reducing subview of type `reduced` drops from
/// `full`, its type without reduction. Unlike [`rank_reduction_mask`] this
/// looks at strides too: of several dimensions of size 1 those whose strides
/// are gone. `None` if `reduced` is no reduction of `full`.
pub fn dropped_dims(
    context: &Context,
    full: &MemRefType,
    reduced: &MemRefType,
) -> Option<Vec<bool>> {
    let mut mask = vec![false; full.rank()];
    if full.rank() == reduced.rank() {
        return Some(mask);
    }
    let to_drop = full.rank().checked_sub(reduced.rank())?;
    let units: Vec<usize> = (0..full.rank())
        .filter(|&dim| full.shape[dim] == 1)
        .collect();
    if units.len() == to_drop {
        for dim in units {
            mask[dim] = true;
        }
        return Some(mask);
    }
    let (full_strides, _) = context.memref_strides(full)?;
    let (reduced_strides, _) = context.memref_strides(reduced)?;
    // Sizes and strides in order, if they agree. Strides alone do not tell dynamic ones apart.
    let full_dims: Vec<_> = full.shape.iter().zip(&full_strides).collect();
    let kept: Vec<_> = reduced.shape.iter().zip(&reduced_strides).collect();
    if let Some(mask) = subsequence_mask(&full_dims, &kept, |&(&size, _)| size == 1) {
        return Some(mask);
    }
    let count = |strides: &[i64], stride| strides.iter().filter(|&&s| s == stride).count();
    let mut remaining = full_strides.clone();
    for &dim in &units {
        let stride = full_strides[dim];
        match count(&remaining, stride).cmp(&count(&reduced_strides, stride)) {
            Ordering::Greater => {
                let at = remaining.iter().position(|&s| s == stride)?;
                remaining.swap_remove(at);
                mask[dim] = true;
            }
            Ordering::Equal => {}
            Ordering::Less => return None,
        }
    }
    (remaining.len() == reduced.rank()).then_some(mask)
}

/// The type of a subview with these offsets, sizes and strides whose result
/// has shape `reduced_shape`, leaving dimensions of size 1 out.
pub fn infer_rank_reduced_subview_type(
    context: &Context,
    reduced_shape: &[i64],
    source: &MemRefType,
    offsets: &[i64],
    sizes: &[i64],
    strides: &[i64],
) -> Option<MemRefType> {
    let full = infer_subview_type(context, source, offsets, sizes, strides)?;
    if &*full.shape == reduced_shape {
        return Some(full);
    }
    let mask = rank_reduction_mask(&full.shape, reduced_shape)?;
    let (full_strides, offset) = context.memref_strides(&full)?;
    let strides: Vec<i64> = full_strides
        .iter()
        .zip(&mask)
        .filter(|&(_, &dropped)| !dropped)
        .map(|(&stride, _)| stride)
        .collect();
    Some(strided_memref(
        context,
        reduced_shape,
        full.element,
        offset,
        &strides,
        full.space,
    ))
}

/// The type of a transposed view: result dimension `i` is dimension
/// `permutation[i]` of the source.
pub fn infer_transpose_type(
    context: &Context,
    source: &MemRefType,
    permutation: &AffineMap,
) -> Option<MemRefType> {
    let (strides, offset) = context.memref_strides(source)?;
    let mut new_shape = Vec::with_capacity(source.rank());
    let mut new_strides = Vec::with_capacity(source.rank());
    for expr in &permutation.results {
        let AffineExpr::Dim(dim) = expr else {
            return None;
        };
        new_shape.push(*source.shape.get(*dim as usize)?);
        new_strides.push(*strides.get(*dim as usize)?);
    }
    Some(strided_memref(
        context,
        &new_shape,
        source.element,
        offset,
        &new_strides,
        source.space,
    ))
}

/// The type of `source` with its dimensions split into `groups` of the given
/// shape. `None` if a layout cannot be split so.
pub fn infer_expanded_type(
    context: &Context,
    source: &MemRefType,
    shape: &[i64],
    groups: &[Vec<i64>],
) -> Option<MemRefType> {
    let mut result = MemRefType {
        shape: shape.into(),
        ..source.clone()
    };
    if has_identity_layout(context, source) {
        result.layout = None;
        return Some(result);
    }
    let (source_strides, offset) = context.memref_strides(source)?;
    // A scalar has no groups, and its dimensions of size 1 any strides.
    let mut strides = vec![1; shape.len()];
    for (group, &source_stride) in groups.iter().zip(&source_strides) {
        let mut stride = source_stride;
        for &dim in group.iter().rev() {
            let dim = usize::try_from(dim).ok()?;
            *strides.get_mut(dim)? = stride;
            stride = saturating_mul(stride, *shape.get(dim)?);
        }
    }
    result.layout = Some(strided_layout(context, offset, &strides));
    Some(result)
}

/// Why dimensions cannot be collapsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotContiguous;

/// The shape of `source` with every group of dimensions made one.
pub fn collapsed_shape(shape: &[i64], groups: &[Vec<i64>]) -> Vec<i64> {
    groups
        .iter()
        .map(|group| {
            group.iter().fold(1, |size, &dim| {
                let dim_size = usize::try_from(dim)
                    .ok()
                    .and_then(|dim| shape.get(dim))
                    .copied()
                    .unwrap_or(DYNAMIC);
                // Unlike strides, an unknown size makes the product unknown
                // even beside a zero.
                if size == DYNAMIC || dim_size == DYNAMIC {
                    DYNAMIC
                } else {
                    saturating_mul(size, dim_size)
                }
            })
        })
        .collect()
}

/// The type of `source` with every group of dimensions made one. With
/// `strict`, dimensions whose strides are unknown count as not contiguous, and
/// outer ones of size 1 with others than they would have, as MLIR 19 has it.
///
/// # Errors
/// If the dimensions of a group are known not to be contiguous.
pub fn infer_collapsed_type(
    context: &Context,
    source: &MemRefType,
    groups: &[Vec<i64>],
    strict: bool,
) -> Result<MemRefType, NotContiguous> {
    let shape = collapsed_shape(&source.shape, groups);
    let mut result = MemRefType {
        shape: shape.into(),
        ..source.clone()
    };
    if has_identity_layout(context, source) {
        result.layout = None;
        return Ok(result);
    }
    let (strides, offset) = context.memref_strides(source).ok_or(NotContiguous)?;
    let mut result_strides = Vec::with_capacity(groups.len());
    for group in groups {
        let dims: Vec<usize> = group
            .iter()
            .filter_map(|&dim| usize::try_from(dim).ok())
            .filter(|&dim| dim < source.rank())
            .collect();
        // The stride of the group is that of its innermost dimension, but
        // strides of dimensions of size 1 mean nothing.
        let mut kept = &dims[..];
        while let [rest @ .., last] = kept
            && !rest.is_empty()
            && source.shape[*last] == 1
        {
            kept = rest;
        }
        let Some(&last) = kept.last() else {
            return Err(NotContiguous);
        };
        let mut stride = if source.shape[last] == DYNAMIC && kept.len() > 1 {
            // It may turn out to have size 1.
            DYNAMIC
        } else {
            strides[last]
        };
        result_strides.push(stride);
        for pair in dims.windows(2).rev() {
            let (outer, inner) = (pair[0], pair[1]);
            stride = saturating_mul(stride, source.shape[inner]);
            let unknown = stride == DYNAMIC || strides[outer] == DYNAMIC;
            if unknown && strict {
                return Err(NotContiguous);
            }
            if !unknown && stride != strides[outer] && (strict || source.shape[outer] != 1) {
                return Err(NotContiguous);
            }
        }
    }
    result.layout = Some(strided_layout(context, offset, &result_strides));
    Ok(result)
}

/// Whether `memref.cast` may turn `from` into `to`: the same elements in the
/// same memory, described more or less precisely.
pub fn cast_compatible(context: &Context, from: Type, to: Type) -> bool {
    match (context.type_kind(from), context.type_kind(to)) {
        (TypeKind::MemRef(from), TypeKind::MemRef(to)) => {
            from.element == to.element
                && from.space == to.space
                && from.rank() == to.rank()
                && from
                    .shape
                    .iter()
                    .zip(&*to.shape)
                    .all(|(&a, &b)| is_compatible(a, b))
                && (from.layout == to.layout || strides_compatible(context, from, to))
        }
        (TypeKind::MemRef(ranked), TypeKind::UnrankedMemRef { element, space })
        | (TypeKind::UnrankedMemRef { element, space }, TypeKind::MemRef(ranked)) => {
            ranked.element == *element && ranked.space == *space
        }
        _ => false,
    }
}

fn strides_compatible(context: &Context, from: &MemRefType, to: &MemRefType) -> bool {
    let (Some((a, a_offset)), Some((b, b_offset))) =
        (context.memref_strides(from), context.memref_strides(to))
    else {
        return false;
    };
    a.len() == b.len()
        && is_compatible(a_offset, b_offset)
        && a.iter().zip(&b).all(|(&a, &b)| is_compatible(a, b))
}

/// Whether `memref.memory_space_cast` may turn `from` into `to`: types that
/// differ in the memory space at most.
pub fn memory_space_cast_compatible(context: &Context, from: Type, to: Type) -> bool {
    match (context.type_kind(from), context.type_kind(to)) {
        (TypeKind::MemRef(from), TypeKind::MemRef(to)) => {
            from.element == to.element && from.layout == to.layout && from.shape == to.shape
        }
        (
            TypeKind::UnrankedMemRef { element: from, .. },
            TypeKind::UnrankedMemRef { element: to, .. },
        ) => from == to,
        _ => false,
    }
}

/// Whether a cast from `from` to `to` only forgets sizes, strides and offset, so that users of the
/// result may use the source.
pub fn cast_only_forgets(context: &Context, from: Type, to: Type) -> bool {
    let (Some(from), Some(to)) = (context.as_memref(from), context.as_memref(to)) else {
        return false;
    };
    let (Some((from_strides, from_offset)), Some((to_strides, to_offset))) =
        (context.memref_strides(from), context.memref_strides(to))
    else {
        return false;
    };
    let forgets = |from: i64, to: i64| from == to || to == DYNAMIC;
    from.element == to.element
        && from.rank() == to.rank()
        && from
            .shape
            .iter()
            .zip(&*to.shape)
            .all(|(&a, &b)| forgets(a, b))
        && forgets(from_offset, to_offset)
        && from_strides
            .iter()
            .zip(&to_strides)
            .all(|(&a, &b)| forgets(a, b))
        // The strides of rows of unknown length are those of no other layout.
        && (is_contiguous(context, from) || !has_identity_layout(context, to))
}

/// The types of the results of `memref.extract_strided_metadata` on `source`.
pub fn strided_metadata_types(context: &Context, source: &MemRefType) -> Vec<Type> {
    let base = context.memref_type(MemRefType {
        shape: Box::new([]),
        element: source.element,
        layout: None,
        space: source.space,
    });
    let mut types = vec![base, Type::INDEX];
    types.resize(2 + 2 * source.rank(), Type::INDEX);
    types
}

/// The type of elements as the numbers that they are in memory: of complex numbers as rows of two floats, of truth values as
/// bytes. `None` if the elements are others, or the layout is not strided.
pub fn bitcast(context: &Context, memref: &MemRefType) -> Option<MemRefType> {
    let (element, n) = match *context.type_kind(memref.element) {
        TypeKind::Complex(part) => (part, 2),
        _ if memref.element == Type::I1 => (context.integer_type(8), 1),
        _ => return None,
    };
    let more = |own: &[i64], number| {
        own.iter()
            .copied()
            .chain((n != 1).then_some(number))
            .collect()
    };
    let shape: Vec<i64> = more(&memref.shape, n);
    let layout = match memref.layout {
        None => None,
        Some(layout) => {
            let AttrKind::StridedLayout { offset, strides } = context.attr_kind(layout) else {
                return None;
            };
            let scaled = strides.iter().map(|&stride| saturating_mul(stride, n));
            let strides: Vec<i64> = more(&scaled.collect::<Vec<i64>>(), 1);
            Some(strided_layout(
                context,
                saturating_mul(*offset, n),
                &strides,
            ))
        }
    };
    Some(MemRefType {
        shape: shape.into(),
        element,
        layout,
        space: memref.space,
    })
}

/// Whether `memref.bitcast` casts the first type to the second one.
pub fn bitcast_compatible(context: &Context, from: Type, to: Type) -> bool {
    let expected = context
        .as_memref(from)
        .and_then(|memref| bitcast(context, memref));
    expected.is_some_and(|expected| context.memref_type(expected) == to)
}

#[cfg(test)]
mod tests {
    use super::*;

    const Q: i64 = DYNAMIC;

    fn plain(shape: &[i64]) -> MemRefType {
        MemRefType::identity(shape, Type::F32)
    }

    fn strided(context: &Context, shape: &[i64], offset: i64, strides: &[i64]) -> MemRefType {
        strided_memref(context, shape, Type::F32, offset, strides, None)
    }

    fn with_map(context: &Context, shape: &[i64], map: AffineMap) -> MemRefType {
        MemRefType {
            layout: Some(context.affine_map_attr(map)),
            ..plain(shape)
        }
    }

    #[test]
    fn saturates() {
        assert_eq!(saturating_add(Q, 1), Q);
        assert_eq!(saturating_add(i64::MAX, 1), Q);
        assert_eq!(saturating_mul(Q, 0), 0);
        assert_eq!(saturating_mul(Q, 2), Q);
        assert_eq!(saturating_mul(3, 2), 6);
    }

    #[test]
    fn infers_subviews() {
        let cx = Context::with_dialects(&[]);
        let source = plain(&[8, Q, 4]);
        let ty = infer_subview_type(&cx, &source, &[1, 0, 2], &[2, Q, 4], &[1, 3, 1]);
        // The outermost stride is unknown, and with it the offset.
        assert_eq!(ty, Some(strided(&cx, &[2, Q, 4], Q, &[Q, 12, 1])));
        let ty = infer_subview_type(&cx, &source, &[0, 1, 2], &[2, Q, 4], &[1, 1, 1]);
        assert_eq!(ty, Some(strided(&cx, &[2, Q, 4], 6, &[Q, 4, 1])));
        let source = strided(&cx, &[4, 4], 3, &[8, 2]);
        let ty = infer_subview_type(&cx, &source, &[1, 1], &[2, 2], &[2, 0]);
        assert_eq!(ty, Some(strided(&cx, &[2, 2], 13, &[16, 0])));
        assert_eq!(infer_subview_type(&cx, &source, &[0], &[1], &[1]), None);
    }

    #[test]
    fn reduces_ranks() {
        let cx = Context::with_dialects(&[]);
        let reduce = |shape: &[i64], sizes: &[i64]| {
            infer_rank_reduced_subview_type(
                &cx,
                shape,
                &plain(&[4, 8, 2]),
                &[1, 0, 0],
                sizes,
                &[1; 3],
            )
        };
        let ty = strided(&cx, &[8, 2], 16, &[2, 1]);
        assert_eq!(reduce(&[8, 2], &[1, 8, 2]), Some(ty));
        // The first of equal dimensions is kept.
        let ty = strided(&cx, &[1, 2], 16, &[16, 1]);
        assert_eq!(reduce(&[1, 2], &[1, 1, 2]), Some(ty));
        assert_eq!(reduce(&[3, 2], &[1, 8, 2]), None);
        assert_eq!(
            rank_reduction_mask(&[1, Q, 1], &[Q]),
            Some(vec![true, false, true])
        );
        assert_eq!(rank_reduction_mask(&[2, Q], &[Q]), None);
    }

    #[test]
    fn finds_dropped_dims_by_stride() {
        let cx = Context::with_dialects(&[]);
        let full = strided(&cx, &[1, 1, 4], 0, &[64, 16, 1]);
        let dropped = |strides: &[i64]| {
            let reduced = strided(&cx, &[1, 4], 0, strides);
            dropped_dims(&cx, &full, &reduced)
        };
        assert_eq!(dropped(&[16, 1]), Some(vec![true, false, false]));
        assert_eq!(dropped(&[64, 1]), Some(vec![false, true, false]));
        assert_eq!(dropped(&[32, 1]), None);
        let all = strided(&cx, &[4], 0, &[1]);
        assert_eq!(
            dropped_dims(&cx, &full, &all),
            Some(vec![true, true, false])
        );
        // Where strides are not known, sizes tell.
        let full = strided(&cx, &[1, Q, 1], Q, &[Q, Q, Q]);
        let reduced = strided(&cx, &[1, Q], Q, &[Q, Q]);
        assert_eq!(
            dropped_dims(&cx, &full, &reduced),
            Some(vec![false, false, true])
        );
    }

    #[test]
    fn infers_reshapes() {
        let cx = Context::with_dialects(&[]);
        let groups = [vec![0, 1], vec![2]];
        let expand =
            |source: &MemRefType, shape: &[i64]| infer_expanded_type(&cx, source, shape, &groups);
        assert_eq!(expand(&plain(&[Q, 4]), &[Q, 2, 4]), Some(plain(&[Q, 2, 4])));
        let source = strided(&cx, &[8, 4], 1, &[10, 2]);
        let ty = strided(&cx, &[4, 2, 4], 1, &[20, 10, 2]);
        assert_eq!(expand(&source, &[4, 2, 4]), Some(ty.clone()));
        let collapse = |source: &MemRefType| infer_collapsed_type(&cx, source, &groups, false);
        assert_eq!(collapse(&ty), Ok(source));
        assert_eq!(collapse(&plain(&[Q, 2, 4])), Ok(plain(&[Q, 4])));
        let gaps = strided(&cx, &[4, 2, 4], 0, &[16, 4, 1]);
        assert_eq!(collapse(&gaps), Err(NotContiguous));
        // The stride of a dimension of size 1 means nothing.
        let thin = strided(&cx, &[4, 1, 4], 0, &[16, 7, 1]);
        assert_eq!(collapse(&thin), Ok(strided(&cx, &[4, 4], 0, &[16, 1])));
        let thin_outside = strided(&cx, &[1, 2, 4], 0, &[7, 4, 1]);
        let strict = |source| infer_collapsed_type(&cx, source, &groups, true);
        assert_eq!(
            collapse(&thin_outside),
            Ok(strided(&cx, &[2, 4], 0, &[4, 1]))
        );
        assert_eq!(strict(&thin_outside), Err(NotContiguous));
        let unknown = strided(&cx, &[4, 2, 4], Q, &[Q, Q, 1]);
        let ty = strided(&cx, &[8, 4], Q, &[Q, 1]);
        assert_eq!(collapse(&unknown), Ok(ty));
        assert_eq!(strict(&unknown), Err(NotContiguous));
    }

    #[test]
    fn infers_transposes() {
        let cx = Context::with_dialects(&[]);
        let map = AffineMap::permutation(&[2, 0, 1]);
        let ty = infer_transpose_type(&cx, &plain(&[2, Q, 4]), &map);
        assert_eq!(ty, Some(strided(&cx, &[4, 2, Q], 0, &[1, Q, 4])));
    }

    #[test]
    fn knows_identity_layouts() {
        let cx = Context::with_dialects(&[]);
        assert!(has_identity_layout(&cx, &plain(&[2, 3])));
        assert!(has_identity_layout(&cx, &strided(&cx, &[3], 0, &[1])));
        // Linearized, not the identity, though the same memory.
        let spelled = strided(&cx, &[2, 3], 0, &[3, 1]);
        assert!(!has_identity_layout(&cx, &spelled));
        assert!(is_contiguous(&cx, &spelled));
        assert!(!is_contiguous(&cx, &strided(&cx, &[2, 3], 1, &[3, 1])));
        assert!(is_contiguous(&cx, &plain(&[2, Q])));
        assert!(!is_contiguous(&cx, &strided(&cx, &[2, Q], 0, &[Q, 1])));
        assert!(is_contiguous(&cx, &strided(&cx, &[Q, 3], 0, &[3, 1])));
        let modulo = AffineMap {
            n_dims: 1,
            n_symbols: 0,
            results: vec![AffineExpr::Dim(0).modulo(AffineExpr::Constant(2))],
        };
        assert!(!is_contiguous(&cx, &with_map(&cx, &[4], modulo)));
        assert_eq!(n_layout_symbols(&cx, &strided(&cx, &[3], Q, &[Q])), 2);
    }

    #[test]
    fn compares_casts() {
        let cx = Context::with_dialects(&[]);
        let can = |a: &MemRefType, b: &MemRefType| {
            cast_compatible(&cx, cx.memref_type(a.clone()), cx.memref_type(b.clone()))
        };
        let forgets = |a: &MemRefType, b: &MemRefType| {
            cast_only_forgets(&cx, cx.memref_type(a.clone()), cx.memref_type(b.clone()))
        };
        let exact = plain(&[4, 4]);
        let vague = strided(&cx, &[Q, 4], Q, &[Q, 1]);
        assert!(can(&exact, &vague) && forgets(&exact, &vague));
        assert!(can(&vague, &exact) && !forgets(&vague, &exact));
        assert!(!can(&exact, &plain(&[4, 5])));
        let row_major = plain(&[4, Q]);
        let sliced = strided(&cx, &[4, Q], 0, &[Q, 1]);
        assert!(forgets(&row_major, &sliced) && forgets(&exact, &row_major));
        assert!(can(&sliced, &row_major) && !forgets(&sliced, &row_major));
        assert!(!can(&exact, &plain(&[16])));
        let wide = strided(&cx, &[4, 4], 0, &[8, 1]);
        let behind = strided(&cx, &[4, 4], 2, &[4, 1]);
        assert!(!can(&exact, &wide) && !forgets(&exact, &wide));
        assert!(!can(&behind, &exact) && !forgets(&behind, &exact));
        let far = MemRefType {
            space: Some(cx.i64_attr(1)),
            ..exact.clone()
        };
        assert!(!can(&exact, &far));
        let types = [&exact, &far].map(|m| cx.memref_type(m.clone()));
        assert!(memory_space_cast_compatible(&cx, types[0], types[1]));
        let unranked = cx.intern_type(TypeKind::UnrankedMemRef {
            element: Type::F32,
            space: None,
        });
        assert!(cast_compatible(&cx, types[0], unranked));
        assert!(cast_compatible(&cx, unranked, types[0]));
        assert!(!cast_compatible(&cx, types[1], unranked));
        assert!(!cast_compatible(&cx, unranked, unranked));
    }
}
