//! tensor.

use freehold_frontend::dialects::memref::types::rank_reduction_mask;
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::DYNAMIC;

use super::memref::{check_slice, groups, sizes};
use crate::machine::{Frame, Machine, Res, as_scalar, undefined, unsupported, wrong_access};
use crate::table::Rows;
use crate::value::{Array, Scalar, Value, flat, for_each, n_elements, signed};

pub(crate) const ROWS: Rows = &[
    (&tensor::CAST, cast),
    (&tensor::BITCAST, |_, f, op| {
        let value = f.operand(op, 0).clone();
        f.set(op, 0, value);
        Ok(())
    }),
    (&tensor::EMPTY, |m, f, op| {
        let shape = shape_of(m, f, op)?;
        let undefined = m.poison(f.loc, "the contents of an empty tensor");
        let elements = vec![undefined; n_elements(&shape)];
        f.set(op, 0, Value::array(shape, elements));
        Ok(())
    }),
    (&tensor::FROM_ELEMENTS, |m, f, op| {
        let shape = m
            .context
            .shape(f.result_type(op, 0))
            .unwrap_or_default()
            .to_vec();
        let mut elements = Vec::new();
        for &id in f.ir.operands(op) {
            elements.push(as_scalar(f.see(id))?);
        }
        f.set(op, 0, Value::array(shape, elements));
        Ok(())
    }),
    (&tensor::SPLAT, |m, f, op| {
        let number = f.scalar(op, 0)?;
        let dynamic = m.indices(&f.group(op, 1))?;
        let shape = m
            .context
            .shape(f.result_type(op, 0))
            .unwrap_or_default()
            .to_vec();
        let shape = checked(sizes(&shape, &dynamic))?;
        let elements = vec![number; n_elements(&shape)];
        f.set(op, 0, Value::array(shape, elements));
        Ok(())
    }),
    (&tensor::GENERATE, generate),
    (&tensor::EXTRACT, |m, f, op| {
        let array = f.array(op, 0)?;
        let at = m.indices(&f.group(op, 1))?;
        let place = place(&array, &at)?;
        f.set(op, 0, Value::Scalar(array.elements[place]));
        Ok(())
    }),
    (&tensor::INSERT, |m, f, op| {
        let mut array = (*f.array(op, 1)?).clone();
        let at = m.indices(&f.group(op, 2))?;
        let place = place(&array, &at)?;
        array.elements[place] = f.scalar(op, 0)?;
        f.set(op, 0, Value::array(array.shape, array.elements));
        Ok(())
    }),
    (&tensor::DIM, |m, f, op| {
        let array = f.array(op, 0)?;
        let dim = m.index(f, op, 1)?;
        match usize::try_from(dim)
            .ok()
            .and_then(|dim| array.shape.get(dim))
        {
            Some(&size) => {
                f.set(op, 0, Value::index(size));
                Ok(())
            }
            None => undefined(format!(
                "dimension {dim} of a tensor of rank {}",
                array.shape.len()
            )),
        }
    }),
    (&tensor::RANK, |_, f, op| {
        let rank = f.array(op, 0)?.shape.len();
        f.set(op, 0, Value::index(rank as i64));
        Ok(())
    }),
    (&tensor::EXTRACT_SLICE, extract_slice),
    (&tensor::INSERT_SLICE, insert_slice),
    (&tensor::RESHAPE, reshape),
    (&tensor::EXPAND_SHAPE, |m, f, op| {
        let array = f.array(op, 0)?;
        let shape = m.mixed(f, op, 1, Name::STATIC_OUTPUT_SHAPE)?;
        for (dim, group) in groups(m, f, op).into_iter().enumerate() {
            let n: i64 = group.iter().map(|&dim| shape[dim]).product();
            if n != array.shape[dim] {
                return undefined(format!(
                    "dimension {dim} of size {} is expanded to {n} elements",
                    array.shape[dim]
                ));
            }
        }
        reshaped(m, f, op, &array, shape)
    }),
    (&tensor::COLLAPSE_SHAPE, |m, f, op| {
        let array = f.array(op, 0)?;
        let groups = groups(m, f, op).into_iter();
        let shape = groups.map(|group| group.iter().map(|&dim| array.shape[dim]).product());
        let shape = shape.collect();
        reshaped(m, f, op, &array, shape)
    }),
    (&tensor::PAD, pad),
    (&tensor::CONCAT, concat),
    (&tensor::GATHER, gather),
    (&tensor::SCATTER, scatter),
    (&tensor::PACK, pack),
    (&tensor::UNPACK, unpack),
];

/// Sizes that may not be negative.
fn checked(shape: Vec<i64>) -> Res<Vec<i64>> {
    match shape.iter().find(|&&size| size < 0) {
        Some(size) => undefined(format!("a tensor of negative size {size}")),
        None => Ok(shape),
    }
}

/// The sizes of the result, of which missing ones are the operands.
fn shape_of(m: &Machine<'_>, f: &Frame<'_>, op: Op) -> Res<Vec<i64>> {
    let dynamic = m.indices(&f.group(op, 0))?;
    let shape = m.context.shape(f.result_type(op, 0)).unwrap_or_default();
    checked(sizes(shape, &dynamic))
}

/// The place of an element, which has to be there.
fn place(array: &Array, at: &[i64]) -> Res<usize> {
    for (dim, (&index, &size)) in at.iter().zip(&array.shape).enumerate() {
        if index < 0 || index >= size {
            return wrong_access(format!(
                "access out of bounds: index {index} in dimension {dim} of size {size}"
            ));
        }
    }
    Ok(flat(&array.shape, at))
}

/// Whether sizes are those of the type of the result.
fn fits(m: &Machine<'_>, f: &Frame<'_>, op: Op, shape: &[i64]) -> Res {
    let Some(declared) = m.context.shape(f.result_type(op, 0)) else {
        return Ok(());
    };
    let same = |(&a, &b): (&i64, &i64)| a == DYNAMIC || a == b;
    if declared.len() == shape.len() && declared.iter().zip(shape).all(same) {
        return Ok(());
    }
    let text = |size: &i64| match *size {
        DYNAMIC => "?".to_owned(),
        size => size.to_string(),
    };
    let declared: Vec<String> = declared.iter().map(text).collect();
    undefined(format!(
        "a tensor of sizes {shape:?} where the type has [{}]",
        declared.join(", ")
    ))
}

fn cast(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let array = f.array(op, 0)?;
    fits(m, f, op, &array.shape)?;
    f.set(op, 0, Value::Array(array));
    Ok(())
}

fn reshaped(m: &Machine<'_>, f: &mut Frame<'_>, op: Op, array: &Array, shape: Vec<i64>) -> Res {
    let shape = checked(shape)?;
    if n_elements(&shape) != array.elements.len() {
        return undefined(format!(
            "{} elements are reshaped to sizes {shape:?}",
            array.elements.len()
        ));
    }
    fits(m, f, op, &shape)?;
    f.set(op, 0, crate::constant::reshaped(array, shape));
    Ok(())
}

fn reshape(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (array, sizes) = (f.array(op, 0)?, f.array(op, 1)?);
    let width = m.kind(f.operand_type(op, 1))?.width();
    let mut shape = Vec::new();
    for &size in &sizes.elements {
        shape.push(signed(m.defined(size, "a size")?, width) as i64);
    }
    reshaped(m, f, op, &array, shape)
}

fn generate<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let shape = shape_of(m, f, op)?;
    let region = f.ir.region(op, 0);
    let mut elements = Vec::new();
    for_each(&shape, |at| {
        let arguments: Vec<Value> = at.iter().map(|&index| Value::index(index)).collect();
        let exit = m.region(f, region, &arguments)?;
        elements.push(as_scalar(
            &exit.values.first().cloned().unwrap_or_default(),
        )?);
        Ok(())
    })?;
    f.set(op, 0, Value::array(shape, elements));
    Ok(())
}

/// The places of a slice in a tensor of these sizes, in the order of the elements of the slice; `group` is the
/// first of the three groups of operands that say where it is.
pub(crate) fn slice_places(
    m: &Machine<'_>,
    f: &Frame<'_>,
    op: Op,
    group: usize,
    shape: &[i64],
) -> Res<Vec<Vec<i64>>> {
    let offsets = m.mixed(f, op, group, Name::STATIC_OFFSETS)?;
    let sizes = m.mixed(f, op, group + 1, Name::STATIC_SIZES)?;
    let strides = m.mixed(f, op, group + 2, Name::STATIC_STRIDES)?;
    check_slice(shape, &offsets, &sizes, &strides)?;
    let mut places = Vec::new();
    for_each(&sizes, |at| {
        places.push(
            (0..at.len())
                .map(|dim| offsets[dim] + at[dim] * strides[dim])
                .collect(),
        );
        Ok(())
    })
    .map(|()| places)
}

fn extract_slice(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let array = f.array(op, 0)?;
    let places = slice_places(m, f, op, 1, &array.shape)?;
    let sizes = m.mixed(f, op, 2, Name::STATIC_SIZES)?;
    let elements: Vec<Scalar> = places
        .iter()
        .map(|at| array.elements[flat(&array.shape, at)])
        .collect();
    let statics = f.ints(op, Name::STATIC_SIZES);
    let declared = m.context.shape(f.result_type(op, 0)).unwrap_or_default();
    let dropped = rank_reduction_mask(&statics, declared).unwrap_or_default();
    let kept = sizes.iter().zip(dropped).filter(|&(_, dropped)| !dropped);
    let shape: Vec<i64> = kept.map(|(&size, _)| size).collect();
    fits(m, f, op, &shape)?;
    f.set(op, 0, Value::array(shape, elements));
    Ok(())
}

fn insert_slice(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (source, mut array) = (f.array(op, 0)?, (*f.array(op, 1)?).clone());
    let places = slice_places(m, f, op, 2, &array.shape)?;
    if places.len() != source.elements.len() {
        return undefined(format!(
            "a slice of {} elements for a tensor of sizes {:?}",
            places.len(),
            source.shape
        ));
    }
    for (at, &element) in places.iter().zip(&source.elements) {
        let place = flat(&array.shape, at);
        array.elements[place] = element;
    }
    f.set(op, 0, Value::array(array.shape, array.elements));
    Ok(())
}

fn pad<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let array = f.array(op, 0)?;
    let low = m.mixed(f, op, 1, Name::STATIC_LOW)?;
    let high = m.mixed(f, op, 2, Name::STATIC_HIGH)?;
    if low.iter().chain(&high).any(|&n| n < 0) {
        return undefined(format!("negative padding: {low:?} and {high:?}"));
    }
    let shape: Vec<i64> = (0..low.len())
        .map(|dim| low[dim] + array.shape[dim] + high[dim])
        .collect();
    fits(m, f, op, &shape)?;
    let region = f.ir.region(op, 0);
    let mut elements = Vec::new();
    for_each(&shape, |at| {
        let inner: Vec<i64> = at.iter().zip(&low).map(|(at, low)| at - low).collect();
        let is_inside = inner
            .iter()
            .zip(&array.shape)
            .all(|(&at, &size)| (0..size).contains(&at));
        elements.push(match is_inside {
            true => array.elements[flat(&array.shape, &inner)],
            false => {
                let arguments: Vec<Value> = at.iter().map(|&index| Value::index(index)).collect();
                let exit = m.region(f, region, &arguments)?;
                as_scalar(&exit.values.first().cloned().unwrap_or_default())?
            }
        });
        Ok(())
    })?;
    f.set(op, 0, Value::array(shape, elements));
    Ok(())
}

fn concat(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let dim = f.int_attr(op, Name::DIM).unwrap_or(0) as usize;
    let mut arrays = Vec::new();
    for index in 0..f.ir.operands(op).len() {
        arrays.push(f.array(op, index)?);
    }
    let Some(first) = arrays.first() else {
        return unsupported("a concatenation of nothing");
    };
    let mut shape = first.shape.clone();
    shape[dim] = arrays.iter().map(|array| array.shape[dim]).sum();
    for array in &arrays {
        let differs = |d: usize| d != dim && array.shape[d] != shape[d];
        if (0..shape.len()).any(differs) {
            return undefined(format!(
                "tensors of sizes {:?} and {:?} are concatenated in dimension {dim}",
                first.shape, array.shape
            ));
        }
    }
    fits(m, f, op, &shape)?;
    let mut elements = Vec::new();
    for_each(&shape, |at| {
        let mut at = at.to_vec();
        for array in &arrays {
            if at[dim] < array.shape[dim] {
                elements.push(array.elements[flat(&array.shape, &at)]);
                break;
            }
            at[dim] -= array.shape[dim];
        }
        Ok(())
    })
    .ok();
    f.set(op, 0, Value::array(shape, elements));
    Ok(())
}

/// Where the slices of a gather or a scatter begin, and their sizes.
fn slices(
    m: &Machine<'_>,
    indices: &Array,
    width: u32,
    source: &[i64],
    dims: &[i64],
) -> Res<(Vec<Vec<i64>>, Vec<i64>)> {
    let mut size = source.to_vec();
    for &dim in dims {
        size[dim as usize] = 1;
    }
    let mut starts = Vec::new();
    for group in indices.elements.chunks(dims.len().max(1)) {
        let mut start = vec![0; source.len()];
        for (&dim, &index) in dims.iter().zip(group) {
            let index = signed(m.defined(index, "an index")?, width) as i64;
            let n = source[dim as usize];
            if index < 0 || index >= n {
                return wrong_access(format!(
                    "access out of bounds: index {index} in dimension {dim} of size {n}"
                ));
            }
            start[dim as usize] = index;
        }
        starts.push(start);
    }
    Ok((starts, size))
}

fn gather(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (array, indices) = (f.array(op, 0)?, f.array(op, 1)?);
    let width = m.kind(f.operand_type(op, 1))?.width();
    let dims = f.ints(op, Name::GATHER_DIMS);
    let (starts, size) = slices(m, &indices, width, &array.shape, &dims)?;
    let mut elements = Vec::new();
    for start in starts {
        for_each(&size, |at| {
            let at: Vec<i64> = at
                .iter()
                .zip(&start)
                .map(|(at, start)| at + start)
                .collect();
            elements.push(array.elements[flat(&array.shape, &at)]);
            Ok(())
        })
        .ok();
    }
    let full = [&indices.shape[..indices.shape.len() - 1], &size[..]].concat();
    let declared = m.context.shape(f.result_type(op, 0)).unwrap_or_default();
    // Gathered dimensions may be left out.
    let shape = if declared.len() == full.len() {
        full
    } else {
        let kept = (0..size.len()).filter(|&dim| !dims.contains(&(dim as i64)));
        let kept: Vec<i64> = kept.map(|dim| size[dim]).collect();
        [&indices.shape[..indices.shape.len() - 1], &kept[..]].concat()
    };
    fits(m, f, op, &shape)?;
    f.set(op, 0, Value::array(shape, elements));
    Ok(())
}

fn scatter(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (source, mut array, indices) =
        (f.array(op, 0)?, (*f.array(op, 1)?).clone(), f.array(op, 2)?);
    let width = m.kind(f.operand_type(op, 2))?.width();
    let dims = f.ints(op, Name::SCATTER_DIMS);
    let (starts, size) = slices(m, &indices, width, &array.shape, &dims)?;
    let mut elements = source.elements.iter();
    for start in starts {
        for_each(&size, |at| {
            let at: Vec<i64> = at
                .iter()
                .zip(&start)
                .map(|(at, start)| at + start)
                .collect();
            let place = flat(&array.shape, &at);
            if let Some(&element) = elements.next() {
                array.elements[place] = element;
            }
            Ok(())
        })
        .ok();
    }
    f.set(op, 0, Value::array(array.shape, array.elements));
    Ok(())
}

/// How a packed tensor lies: for each of its places, the place in the one that is not packed.
struct Packing {
    inner: Vec<usize>,
    tiles: Vec<i64>,
    outer: Vec<usize>,
}

impl Packing {
    fn of(m: &Machine<'_>, f: &Frame<'_>, op: Op, group: usize, rank: usize) -> Res<Self> {
        let inner = f.ints(op, Name::INNER_DIMS_POS);
        let outer = f.ints(op, Name::OUTER_DIMS_PERM);
        let outer = match outer.is_empty() {
            true => (0..rank).collect(),
            false => outer.iter().map(|&dim| dim as usize).collect(),
        };
        Ok(Self {
            inner: inner.iter().map(|&dim| dim as usize).collect(),
            tiles: m.mixed(f, op, group, Name::STATIC_INNER_TILES)?,
            outer,
        })
    }

    /// The place that a packed place stands for.
    fn plain(&self, packed: &[i64]) -> Vec<i64> {
        let rank = self.outer.len();
        let mut at = vec![0; rank];
        for (dim, &source) in self.outer.iter().enumerate() {
            at[source] = packed[dim];
        }
        for (tile, &dim) in self.inner.iter().enumerate() {
            at[dim] = at[dim] * self.tiles[tile] + packed[rank + tile];
        }
        at
    }
}

fn pack(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (source, dest) = (f.array(op, 0)?, f.array(op, 1)?);
    let padding = f.group(op, 2).first().map(as_scalar).transpose()?;
    let packing = Packing::of(m, f, op, 3, source.shape.len())?;
    let mut elements = Vec::new();
    for_each(&dest.shape, |packed| {
        let at = packing.plain(packed);
        let is_inside = at.iter().zip(&source.shape).all(|(&at, &size)| at < size);
        elements.push(match (is_inside, padding) {
            (true, _) => source.elements[flat(&source.shape, &at)],
            (false, Some(padding)) => padding,
            (false, None) => return undefined("tiles that are not full and no padding"),
        });
        Ok(())
    })?;
    f.set(op, 0, Value::array(dest.shape.clone(), elements));
    Ok(())
}

fn unpack(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (source, dest) = (f.array(op, 0)?, f.array(op, 1)?);
    let packing = Packing::of(m, f, op, 2, dest.shape.len())?;
    let mut elements = dest.elements.clone();
    for_each(&source.shape, |packed| {
        let at = packing.plain(packed);
        if at.iter().zip(&dest.shape).all(|(&at, &size)| at < size) {
            elements[flat(&dest.shape, &at)] = source.elements[flat(&source.shape, packed)];
        }
        Ok(())
    })
    .ok();
    f.set(op, 0, Value::array(dest.shape.clone(), elements));
    Ok(())
}
