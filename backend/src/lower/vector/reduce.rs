//! Reductions, contractions and outer products: elements combined in row-major
//! order, starting from the accumulator.

use std::rc::Rc;

use cranelift_codegen::ir::{self as clif, InstBuilder};
use freehold_frontend::dialects::vector::{self, CombiningKind, numbers};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::FloatKind;
use smallvec::SmallVec;

use super::mask::neutral_bits;
use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::Lowered;
use crate::lower::held::Sign;
use crate::lower::held::{ActiveMask, Elements};
use crate::program::unsupported_op;
use crate::repr::{Repr, Scalar};
use crate::vector::nest::Nest;
use crate::vector::places::{coordinates, linear};

pub(super) static TABLE: LoweringTable = &[
    (&vector::CONTRACT, lower_nest),
    (&vector::MULTI_REDUCTION, lower_multi_reduction),
    (&vector::OUTER_PRODUCT, lower_nest),
    (&vector::REDUCTION, lower_reduction),
    (&vector::SCAN, lower_scan),
];

/// Products of one contraction that are written out: bounds its code to some hundred KB.
const MAX_PRODUCTS: usize = 1 << 14;

fn lower_reduction(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = CombiningKind::of(cx.ir, op);
    let source = cx.ir.operand(op, 0);
    let repr = cx.vector_repr(op, source)?;
    let scalar = repr.scalar;
    let mask = cx.mask_around(op, repr.n_elements())?;
    let elements = if mask.is_none() && repr.lanes > 1 && is_order_free(kind, scalar) {
        // Whole registers first.
        let lowered = cx.get(source)?.clone();
        let mut parts = cx.parts(&lowered).into_iter();
        let mut total = parts.next().expect("vectors have a part");
        for part in parts {
            total = cx.combine_elements(op, kind, scalar, total, part)?;
        }
        (0..repr.lanes)
            .map(|lane| cx.b.ins().extractlane(total, lane))
            .collect()
    } else {
        cx.elements(source)?
    };
    let mut total = match cx.ir.operands(op).get(1) {
        Some(&acc) => Some(cx.scalar(acc)?),
        None if mask.is_some() => match neutral_bits(kind, scalar) {
            Some(bits) => Some(cx.constant(scalar, bits)),
            None => return Err(unsupported_op(cx.ir, op, cx.diagnostics)),
        },
        None => None,
    };
    for (i, &element) in elements.iter().enumerate() {
        total = Some(match total {
            Some(total) => {
                let next = cx.combine_elements(op, kind, scalar, total, element)?;
                cx.keep_masked(mask.as_ref(), i, next, total)
            }
            None => element,
        });
    }
    let Some(total) = total else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    cx.set_result(op, total);
    Ok(())
}

/// Whether any order gives the same, and Cranelift has the operation on registers.
fn is_order_free(kind: CombiningKind, scalar: Scalar) -> bool {
    use CombiningKind::{Add, And, MaxSI, MaxUI, MaximumF, MinSI, MinUI, MinimumF, Mul, Or, Xor};
    match kind {
        MaximumF | MinimumF => true,
        Add | Mul | And | Or | Xor => matches!(scalar, Scalar::Int(_)),
        MaxSI | MaxUI | MinSI | MinUI => matches!(scalar, Scalar::Int(..=32)),
        _ => false,
    }
}

impl Lowering<'_, '_> {
    /// How the elements of a vector are held, or a scalar.
    fn scalar_of_elements(&mut self, value: Value) -> Result<Option<Scalar>, Failed> {
        Ok(match self.repr(value)? {
            Repr::Vector(repr) => Some(repr.scalar),
            Repr::Scalar(scalar) => Some(scalar),
            _ => None,
        })
    }

    /// `next` where element `i` takes part, else `before`.
    fn keep_masked(
        &mut self,
        mask: Option<&ActiveMask>,
        i: usize,
        next: clif::Value,
        before: clif::Value,
    ) -> clif::Value {
        match mask {
            Some(mask) => self.select_value(mask.bits[i], next, before),
            None => next,
        }
    }
}

fn lower_multi_reduction(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = CombiningKind::of(cx.ir, op);
    let (source, acc) = (cx.ir.operand(op, 0), cx.ir.operand(op, 1));
    let repr = cx.vector_repr(op, source)?;
    let dims = numbers(cx.ir, op, Name::REDUCTION_DIMS);
    let mask = cx.mask_around(op, repr.n_elements())?;
    let is_sum_of_pairs = kind == CombiningKind::Add
        && mask.is_none()
        && repr.scalar == Scalar::Int(32)
        && matches!(repr.shape[..], [_, 2])
        && dims == [1];
    if is_sum_of_pairs
        && let Some((_, totals)) = cx.registers(acc)?
        && let Some(sums) = cx.sums_of_pairs(source)?
    {
        let parts = totals.iter().zip(sums);
        let parts = parts.map(|(&total, sum)| cx.b.ins().iadd(total, sum));
        let parts = parts.collect();
        cx.set(cx.ir.result(op, 0), Lowered::Vector(parts));
        return Ok(());
    }
    lower_nest(cx, op)
}

/// What sums of products are made of, elements or registers of them.
#[derive(Clone, Copy)]
struct Products {
    op: Op,
    kind: CombiningKind,
    scalar: Scalar,
    /// Whether products are not rounded.
    is_fused: bool,
}

impl Products {
    fn of(cx: &Lowering<'_, '_>, op: Op, scalar: Scalar) -> Self {
        Self {
            op,
            kind: CombiningKind::of(cx.ir, op),
            scalar,
            is_fused: cx.ir.attr(op, Name::FUSED_PRODUCTS).is_some(),
        }
    }

    /// The elements of a factor, extended to what is added up.
    fn factor(self, cx: &mut Lowering<'_, '_>, index: usize) -> Result<Elements, Failed> {
        let value = cx.ir.operand(self.op, index);
        let (mut elements, from) = (cx.elements(value)?, cx.scalar_of_elements(value)?);
        for element in &mut elements {
            *element = match (from, self.scalar) {
                (from, to) if from == Some(to) => break,
                (Some(Scalar::Float(from)), Scalar::Float(to)) if from.width() < to.width() => {
                    let wide = cx.widen_float(from, *element);
                    cx.narrow_float(to, wide)
                }
                (Some(Scalar::Int(from)), Scalar::Int(to)) if from < to => {
                    cx.resize(Sign::Signed, from, to, *element)
                }
                _ => return Err(cx.unsupported_on(self.op, cx.ir.value_type(value))),
            };
        }
        Ok(elements)
    }

    /// `total` with the product of these, or just that; of one it is that itself.
    fn next(
        self,
        cx: &mut Lowering<'_, '_>,
        factors: &[clif::Value],
        total: Option<clif::Value>,
    ) -> Result<clif::Value, Failed> {
        let term = match (factors, total) {
            (&[a, b], Some(total)) if self.is_fused => return Ok(cx.b.ins().fma(a, b, total)),
            (&[a, b], _) => cx.product_of(self.op, self.scalar, a, b)?,
            _ => factors[0],
        };
        match total {
            Some(total) => cx.combine_elements(self.op, self.kind, self.scalar, total, term),
            None => Ok(term),
        }
    }
}

/// Lowers what combines elements, or products of them.
fn lower_nest(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let Some(nest) = Nest::of(cx.ir, op) else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    let result = cx.ir.result(op, 0);
    let Some(scalar) = cx.scalar_of_elements(result)? else {
        return Err(cx.unsupported_on(op, cx.ir.value_type(result)));
    };
    let products = Products::of(cx, op, scalar);
    let n = nest.n_points();
    let n = n.filter(|&n| n <= MAX_PRODUCTS || nest.factors.len() == 1);
    let Some(n) = n else {
        return Err(cx.op_error(op, "has too many products to be lowered to native code"));
    };
    let mask = cx.mask_around(op, n)?;
    if mask.is_none() && lower_nest_on_registers(cx, products, &nest)? {
        return Ok(());
    }
    let mut factors: SmallVec<[Elements; 2]> = SmallVec::new();
    for index in 0..nest.factors.len() {
        factors.push(products.factor(cx, index)?);
    }
    let mut results: Vec<Option<clif::Value>> = match nest.totals {
        Some(totals) => cx.elements(totals)?.into_iter().map(Some).collect(),
        None => vec![None; nest.sizes_along(&nest.result).iter().product()],
    };
    for i in 0..n {
        let at = coordinates(&nest.sizes, i);
        let pairs = factors.iter().zip(&nest.factors);
        let terms: Elements = pairs
            .map(|(elements, loops)| elements[nest.number(loops, &at)])
            .collect();
        let to = nest.number(&nest.result, &at);
        let next = products.next(cx, &terms, results[to])?;
        results[to] = Some(match results[to] {
            Some(before) => cx.keep_masked(mask.as_ref(), i, next, before),
            None => next,
        });
    }
    let results: Option<Elements> = results.into_iter().collect();
    match results {
        Some(results) => cx.set_elements(op, &results),
        None => Err(unsupported_op(cx.ir, op, cx.diagnostics)),
    }
}

/// Lowers what adds up products so that neighbours along the last dimension of the result are computed at once, if
/// a factor's elements for them are neighbours too, or one element. Each result takes its products in the same
/// order as alone.
fn lower_nest_on_registers(
    cx: &mut Lowering<'_, '_>,
    products: Products,
    nest: &Nest,
) -> Result<bool, Failed> {
    let (op, scalar) = (products.op, products.scalar);
    let is_on_registers = matches!(
        scalar,
        Scalar::Float(FloatKind::F32 | FloatKind::F64) | Scalar::Int(16 | 32)
    );
    let (Some(&last), Repr::Vector(repr)) = (nest.result.last(), cx.repr(cx.ir.result(op, 0))?)
    else {
        return Ok(false);
    };
    let lanes = usize::from(repr.lanes);
    let fills = |dim: usize| nest.sizes[dim].is_multiple_of(lanes);
    if !is_on_registers || products.kind != CombiningKind::Add || lanes == 1 || !fills(last) {
        return Ok(false);
    }
    // Registers of a factor, or its elements.
    let mut factors: SmallVec<[(bool, Elements); 2]> = SmallVec::new();
    for (k, map) in nest.factors.iter().enumerate() {
        let factor = cx.ir.operand(op, k);
        if cx.scalar_of_elements(factor)? != Some(scalar) {
            return Ok(false);
        }
        if !map.contains(&last) {
            factors.push((false, cx.elements(factor)?));
            continue;
        }
        let is_last = map.iter().position(|&dim| dim == last) == Some(map.len() - 1);
        match cx.registers(factor)? {
            Some((factor, parts)) if is_last && usize::from(factor.lanes) == lanes => {
                factors.push((true, parts.into_iter().collect()));
            }
            _ => return Ok(false),
        }
    }
    let mut results: Vec<Option<clif::Value>> = match nest.totals {
        Some(totals) => match cx.registers(totals)? {
            Some((_, parts)) => parts.into_iter().map(Some).collect(),
            None => return Ok(false),
        },
        None => vec![None; repr.n_parts()],
    };
    let register = repr.part_type();
    let n: usize = nest.sizes.iter().product();
    for i in 0..n {
        let at = coordinates(&nest.sizes, i);
        if !at[last].is_multiple_of(lanes) {
            continue;
        }
        let mut terms = Elements::new();
        for ((in_registers, of), loops) in factors.iter().zip(&nest.factors) {
            let number = nest.number(loops, &at);
            terms.push(match in_registers {
                true => of[number / lanes],
                false => cx.b.ins().splat(register, of[number]),
            });
        }
        let to = nest.number(&nest.result, &at) / lanes;
        results[to] = Some(products.next(cx, &terms, results[to])?);
    }
    let results: Option<Rc<[clif::Value]>> = results.into_iter().collect();
    let Some(results) = results else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    cx.set(cx.ir.result(op, 0), Lowered::Vector(results));
    Ok(true)
}

fn lower_scan(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = CombiningKind::of(cx.ir, op);
    let (source, initial) = (cx.ir.operand(op, 0), cx.ir.operand(op, 1));
    let repr = cx.vector_repr(op, source)?;
    let dim = cx.ir.attr(op, Name::REDUCTION_DIM);
    let dim = dim
        .and_then(|attr| cx.context.attr_integer(attr))
        .unwrap_or(0) as usize;
    let inclusive = vector::is_true(cx.ir, op, Name::INCLUSIVE);
    let mut elements = cx.elements(source)?;
    let mut running = cx.elements(initial)?;
    let kept: SmallVec<[usize; 4]> = (repr.shape.iter().enumerate())
        .filter_map(|(d, &size)| (d != dim).then_some(size))
        .collect();
    // In row-major order, elements along any one dimension come in order.
    for (i, element) in elements.iter_mut().enumerate() {
        let at = coordinates(&repr.shape, i);
        let own = at.iter().enumerate().filter(|&(d, _)| d != dim);
        let to = linear(&kept, own.map(|(_, &c)| c));
        let before = running[to];
        // An exclusive scan leaves the last element out of everything; an
        // inclusive one starts with the first element alone.
        if inclusive {
            running[to] = match at[dim] {
                0 => *element,
                _ => cx.combine_elements(op, kind, repr.scalar, before, *element)?,
            };
            *element = running[to];
        } else {
            if at[dim] + 1 < repr.shape[dim] {
                running[to] = cx.combine_elements(op, kind, repr.scalar, before, *element)?;
            }
            *element = before;
        }
    }
    cx.set_value_elements(cx.ir.result(op, 0), &elements)?;
    cx.set_value_elements(cx.ir.result(op, 1), &running)
}
