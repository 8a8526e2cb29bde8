//! affine.

use freehold_frontend::dialects::affine;
use freehold_frontend::dialects::memref::AtomicRmwKind;
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::memref::{combine, load, store};
use super::scf::iterations;
use crate::elementwise;
use crate::float;
use crate::machine::{Frame, Machine, Res, ints_of, undefined, unsupported};
use crate::table::Rows;
use crate::value::{Kind, Scalar, Value, mask, n_elements};

pub(crate) const ROWS: Rows = &[
    (&affine::APPLY, |m, f, op| {
        one(m, f, op, |results| results.first().copied())
    }),
    (&affine::MAX, |m, f, op| {
        one(m, f, op, |results| results.iter().copied().max())
    }),
    (&affine::MIN, |m, f, op| {
        one(m, f, op, |results| results.iter().copied().min())
    }),
    (&affine::FOR, for_loop),
    (&affine::IF, if_op),
    (&affine::LOAD, |m, f, op| {
        let at = subscripts(m, f, op, 1)?;
        let value = load(m, f, op, 0, &at)?;
        f.set(op, 0, value);
        Ok(())
    }),
    (&affine::STORE, |m, f, op| {
        let at = subscripts(m, f, op, 2)?;
        let value = f.operand(op, 0).clone();
        store(m, f, op, 1, &at, &value)
    }),
    (&affine::VECTOR_LOAD, |m, f, op| {
        let at = subscripts(m, f, op, 1)?;
        let value = super::vector::load_at(m, f, op, 0, &at)?;
        f.set(op, 0, value);
        Ok(())
    }),
    (&affine::VECTOR_STORE, |m, f, op| {
        let at = subscripts(m, f, op, 2)?;
        let value = f.array(op, 0)?;
        super::vector::store_at(m, f, op, 1, &at, &value)
    }),
    (&affine::PREFETCH, |_, _, _| Ok(())),
    (&affine::PARALLEL, parallel),
    (&affine::DELINEARIZE_INDEX, delinearize),
    (&affine::LINEARIZE_INDEX, linearize),
];

/// The results of a map for its operands, dimensions first.
fn evaluate(map: &AffineMap, operands: &[i64]) -> Res<Vec<i64>> {
    let n_dims = (map.n_dims as usize).min(operands.len());
    let (dims, symbols) = operands.split_at(n_dims);
    match map.evaluate(dims, symbols) {
        Some(results) => Ok(results),
        None => undefined(format!(
            "'{map}' divides by a number that is not positive, or overflows, for {operands:?}"
        )),
    }
}

fn map_of(f: &Frame<'_>, op: Op, name: Name) -> Res<AffineMap> {
    let attr = f.attr(op, name);
    match attr.and_then(|attr| f.ir.context().attr_affine_map(attr)) {
        Some(map) => Ok((**map).clone()),
        None => unsupported("a map is expected"),
    }
}

fn subscripts(m: &Machine<'_>, f: &Frame<'_>, op: Op, first: usize) -> Res<Vec<i64>> {
    let operands: Vec<Value> = f.ir.operands(op)[first..]
        .iter()
        .map(|&id| f.get(id))
        .collect();
    let operands = m.indices(&operands)?;
    evaluate(&map_of(f, op, Name::MAP)?, &operands)
}

fn one(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, pick: fn(&[i64]) -> Option<i64>) -> Res {
    let results = subscripts(m, f, op, 0)?;
    match pick(&results) {
        Some(result) => {
            f.set(op, 0, Value::index(result));
            Ok(())
        }
        None => unsupported("a map without results"),
    }
}

fn for_loop<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let lower = evaluate(
        &map_of(f, op, Name::LOWER_BOUND_MAP)?,
        &m.indices(&f.group(op, 0))?,
    )?;
    let upper = evaluate(
        &map_of(f, op, Name::UPPER_BOUND_MAP)?,
        &m.indices(&f.group(op, 1))?,
    )?;
    let step = f.int_attr(op, Name::STEP).unwrap_or(1) as i64;
    let (Some(lower), Some(upper)) = (lower.into_iter().max(), upper.into_iter().min()) else {
        return unsupported("a loop without bounds");
    };
    let mut carried = f.group(op, 2);
    let mut counter = lower;
    while counter < upper {
        m.check_stack()?;
        let mut arguments = vec![Value::index(counter)];
        arguments.append(&mut carried);
        carried = m.region(f, f.ir.region(op, 0), &arguments)?.values;
        let Some(next) = counter.checked_add(step) else {
            break;
        };
        counter = next;
    }
    f.set_all(op, carried);
    Ok(())
}

fn if_op<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let attr = f.attr(op, Name::CONDITION);
    let Some(set) = attr.and_then(|attr| m.context.attr_integer_set(attr)) else {
        return unsupported("a set is expected");
    };
    let operands: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
    let operands = m.indices(&operands)?;
    let (dims, symbols) = operands.split_at((set.n_dims as usize).min(operands.len()));
    let mut holds = true;
    for (expr, is_equality) in &set.constraints {
        let Some(value) = expr.evaluate(dims, symbols) else {
            return undefined("a condition divides by a number that is not positive");
        };
        holds &= if *is_equality { value == 0 } else { value >= 0 };
    }
    let region = f.ir.region(op, usize::from(!holds));
    let exit = m.region(f, region, &[])?;
    f.set_all(op, exit.values);
    Ok(())
}

/// The number that changes nothing.
fn identity(kind: AtomicRmwKind, ty: Kind) -> Option<u128> {
    use AtomicRmwKind as K;
    let width = ty.width();
    let float = |value: f64| match ty {
        Kind::Float(kind) => Some(float::encode(kind, value)),
        _ => None,
    };
    Some(match kind {
        K::Addf => float(0.0)?,
        K::Mulf => float(1.0)?,
        K::Addi | K::Ori | K::Xori | K::Maxu => 0,
        K::Muli => 1,
        K::Andi | K::Minu => mask(width),
        K::Maxs => 1 << (width - 1),
        K::Mins => mask(width) >> 1,
        K::Maximumf | K::Maxnumf => float(f64::NEG_INFINITY)?,
        K::Minimumf | K::Minnumf => float(f64::INFINITY)?,
        K::Assign => return None,
    })
}

fn parallel<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let operands: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
    let operands = m.indices(&operands)?;
    let (lower_map, upper_map) = (
        map_of(f, op, Name::LOWER_BOUNDS_MAP)?,
        map_of(f, op, Name::UPPER_BOUNDS_MAP)?,
    );
    let n_lower = (lower_map.n_dims + lower_map.n_symbols) as usize;
    let (lower_operands, upper_operands) = operands.split_at(n_lower.min(operands.len()));
    let lower = evaluate(&lower_map, lower_operands)?;
    let upper = evaluate(&upper_map, upper_operands)?;
    let groups = |name| -> Vec<usize> {
        let attr = f.attr(op, name);
        let sizes = attr.map_or(Vec::new(), |attr| ints_of(f.ir.context(), attr));
        sizes.into_iter().map(|size| size as usize).collect()
    };
    let split = |values: &[i64], groups: &[usize]| -> Vec<Vec<i64>> {
        let mut rest = values;
        groups
            .iter()
            .map(|&n| {
                let (group, others) = rest.split_at(n.min(rest.len()));
                rest = others;
                group.to_vec()
            })
            .collect()
    };
    let lower = split(&lower, &groups(Name::LOWER_BOUNDS_GROUPS));
    let upper = split(&upper, &groups(Name::UPPER_BOUNDS_GROUPS));
    let steps = f.ints(op, Name::STEPS);
    let bounds: Vec<_> = (0..steps.len())
        .map(|dim| {
            let lower = lower[dim].iter().copied().max().unwrap_or(0);
            let upper = upper[dim].iter().copied().min().unwrap_or(0);
            (lower, upper, steps[dim])
        })
        .collect();
    let Some(view) = affine::Parallel::cast(f.ir, op) else {
        return unsupported("a loop is expected");
    };
    let reductions = view.reductions(f.ir);
    let mut results = Vec::new();
    for (index, &kind) in reductions.iter().enumerate() {
        results.push(start(m, f.result_type(op, index), kind)?);
    }
    let region = f.ir.region(op, 0);
    iterations(m, f, &bounds, |m, f, counters| {
        let arguments: Vec<Value> = counters.iter().map(|&at| Value::index(at)).collect();
        let exit = m.region(f, region, &arguments)?;
        for (index, value) in exit.values.into_iter().enumerate() {
            let ty = f.result_type(op, index);
            let number = m.kind(ty)?;
            let (kind, pair) = (reductions[index], [results[index].clone(), value]);
            results[index] = elementwise::apply(m, f, &pair, |m, f, pair| {
                elementwise::plain(m, f, pair, &|n| {
                    combine(kind, number, n[0], n[1]).ok_or_else(|| {
                        elementwise::Trouble::Unsupported("this reduction".to_owned())
                    })
                })
            })?;
        }
        Ok(())
    })?;
    f.set_all(op, results);
    Ok(())
}

fn start(m: &Machine<'_>, ty: Type, kind: AtomicRmwKind) -> Res<Value> {
    let number = m.kind(ty)?;
    let Some(bits) = identity(kind, number) else {
        return unsupported("this reduction is not interpreted");
    };
    Ok(match m.context.shape(ty) {
        Some(shape) => Value::array(shape.to_vec(), vec![Scalar::Bits(bits); n_elements(shape)]),
        None => Value::bits(bits),
    })
}

/// The basis of an index: the numbers of the attribute, and operands of group `group`.
fn basis(m: &Machine<'_>, f: &Frame<'_>, op: Op, group: usize) -> Res<Vec<i64>> {
    let dynamic = m.indices(&f.group(op, group))?;
    let statics = f.ints(op, Name::STATIC_BASIS);
    if statics.is_empty() {
        return Ok(dynamic);
    }
    let mut dynamic = dynamic.into_iter();
    Ok(statics
        .into_iter()
        .map(|n| {
            if n == DYNAMIC {
                dynamic.next().unwrap_or(0)
            } else {
                n
            }
        })
        .collect())
}

fn delinearize(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let mut rest = m.index(f, op, 0)?;
    let basis = basis(m, f, op, 1)?;
    let n = f.ir.results(op).len();
    if let Some(size) = basis.iter().find(|&&size| size <= 0) {
        return undefined(format!("a basis with {size}"));
    }
    // The first size is not needed, and need not be there.
    let inner = &basis[basis.len() - (n - 1).min(basis.len())..];
    let mut results = vec![0; n];
    for (index, &size) in inner.iter().enumerate().rev() {
        results[index + n - inner.len()] = rest.rem_euclid(size);
        rest = rest.div_euclid(size);
    }
    results[0] = rest;
    f.set_all(op, results.into_iter().map(Value::index).collect());
    Ok(())
}

fn linearize(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let indices = m.indices(&f.group(op, 0))?;
    let basis = basis(m, f, op, 1)?;
    let is_disjoint = f
        .attr(op, Name::DISJOINT)
        .is_some_and(|attr| attr != freehold_frontend::ir::attrs::Attr::FALSE);
    let skip = indices.len() - basis.len().min(indices.len());
    let mut linear = 0i64;
    for (dim, &index) in indices.iter().enumerate() {
        if dim >= skip {
            let size = basis[dim - skip];
            if is_disjoint && !(0..size).contains(&index) {
                let poison = m.poison(f.loc, format!("index {index} of a basis of {size}"));
                f.set(op, 0, Value::Scalar(poison));
                return Ok(());
            }
            if dim > 0 {
                linear = linear.wrapping_mul(size);
            }
        }
        linear = linear.wrapping_add(index);
    }
    f.set(op, 0, Value::index(linear));
    Ok(())
}
