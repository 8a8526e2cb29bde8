//! `legalize-elements`: complex numbers become pairs of floats, in memory and in arithmetic, and truth values in memory
//! bytes.
//!
//! Before:
//! ```mlir
//! %z = memref.load %a[%i] : memref<?xcomplex<f32>>
//! %sum = complex.add %z, %w : complex<f32>
//! memref.store %sum, %b[%i] : memref<?xcomplex<f32>>
//! ```
//! After:
//! ```mlir
//! %parts = memref.bitcast %a : memref<?xcomplex<f32>> to memref<?x2xf32>
//! %z_re = memref.load %parts[%i, %c0] : memref<?x2xf32>
//! %z_im = memref.load %parts[%i, %c1] : memref<?x2xf32>
//! %sum_re = arith.addf %z_re, %w_re : f32
//! %sum_im = arith.addf %z_im, %w_im : f32
//! memref.store ...
//! ```
//! Loops can then run in vectors, and products be contracted. Numbers of `f32` and `f64` are decomposed: code generation
//! computes with them the same way, bit for bit. What stays whole (calls, functions) gets `complex.create` and `complex.re`.
//! Division has a branch for infinities and zeros, which becomes selects: only in loops that may run in vectors then (with
//! `fp=contract` and `fp=fast`, a division by a real number is one of both parts, anywhere). In such loops
//! truth values are loaded as bytes, whose lowest bit counts, they are compared by `xor` and chosen as integers, and with
//! `fp=contract` and `fp=fast` absolute values, roots, powers of e and, of `f32`, logarithms, other powers, tangents and signs
//! are computed from the parts, within a few units in the last place. Conversions that registers have only from or to `f32`, as of bytes to `bf16`, go
//! through it, exactly.

use std::sync::Arc;

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::shared::const_fold::zero_attr;
use freehold_frontend::dialects::{arith, complex, memref, scf};
use freehold_frontend::ir::attrs::{Attr, Dict};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{FloatKind, Type};
use rustc_hash::FxHashMap;

use crate::analysis::{loop_memory, truths};
use crate::manage::fp_policy::FpPolicy;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::complex_parts::{
    Parts, absolute, divide, exponential, exponential_less_one, hyperbolic_tangent, logarithm,
    power, sign, square_root, tangent,
};
use crate::rewrite::scalars::Emit;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// floating-point policy: strict (functions stay whole), contract or fast
        "fp" fp: FpPolicy = FpPolicy::Strict,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "legalize-elements",
    summary: "make complex numbers pairs of floats, truth values in memory bytes, and short numbers f32 on their way",
    anchor: Anchor::Function,
    run,
};

/// The most functions of complex numbers in the body of a loop: with the arithmetic of more, it is too large for vectors, and
/// takes long to compile (8 ms for each `complex.tanh`).
const MAX_FUNCTIONS: usize = 32;

/// What nothing of stays whole in loops.
static DECOMPOSED: &[&OpDef] = &[
    &arith::SELECT,
    &complex::ADD,
    &complex::CONJ,
    &complex::CONSTANT,
    &complex::CREATE,
    &complex::DIV,
    &complex::IM,
    &complex::MUL,
    &complex::NEG,
    &complex::RE,
    &complex::SUB,
    &memref::LOAD,
    &memref::STORE,
];

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut pass = Legalization {
        has_functions: context.options.fp != FpPolicy::Strict,
        ..Legalization::default()
    };
    let mut decomposed = Vec::new();
    for op in ir.collect_ops(ir.root()) {
        if pass.decompose(ir, op).is_some() {
            decomposed.push(op);
        }
    }
    context.count("operations legalized", decomposed.len() as u64);
    // Uses come behind what they use.
    for op in decomposed.into_iter().rev() {
        pass.remove(ir, op);
    }
    Ok(())
}

#[derive(Default)]
struct Legalization {
    parts: FxHashMap<Value, Parts>,
    /// Buffers as what vectors have elements of.
    views: FxHashMap<Value, Value>,
    /// Whether blocks may run in vectors.
    may_be_vectors: FxHashMap<Block, bool>,
    /// Whether the loops around the loops of these blocks go along rows.
    are_rows: FxHashMap<Block, bool>,
    /// The subscripts of parts.
    part_numbers: Option<Parts>,
    /// Whether functions are computed from parts.
    has_functions: bool,
}

impl Legalization {
    /// Puts the same on parts before `op`, if there is such.
    fn decompose(&mut self, ir: &mut Ir, op: Op) -> Option<()> {
        let is = |row: &'static OpDef| ir.is(op, row);
        if is(&memref::LOAD) || is(&memref::STORE) {
            return self.access(ir, op);
        }
        if is(&complex::RE) || is(&complex::IM) {
            return self.parts.contains_key(&ir.operand(op, 0)).then_some(());
        }
        if is(&complex::ABS) {
            return self.absolute(ir, op);
        }
        if is(&arith::CMPI) || is(&arith::SELECT) && ir.value_type(ir.operand(op, 1)) == Type::I1 {
            return self.truth(ir, op);
        }
        if [&arith::SITOFP, &arith::UITOFP, &arith::EXTF]
            .into_iter()
            .any(is)
        {
            return self.through_f32(ir, op);
        }
        let &result = ir.results(op).first()?;
        let part = part_type(ir, result)?;
        if self.has_functions
            && let Some(function) = function_of(ir, op)
        {
            if !self.may_be_vectors(ir, op) {
                return None;
            }
            let [x, y] = self.operands(ir, op, [0, ir.operands(op).len() - 1]);
            let mut b = Builder::before(ir, op);
            let mut e = Emit::new(&mut b);
            let parts = match function {
                Function::Unary(function) => function(&mut e, x),
                Function::Binary(function) => function(&mut e, x, y),
            };
            self.parts.insert(result, parts);
            return Some(());
        }
        let operand = |index| ir.operand(op, index);
        let parts = if is(&complex::CREATE) {
            [operand(0), operand(1)]
        } else if is(&complex::CONSTANT) {
            let parts = complex::constant_parts(ir, op)?;
            let mut b = Builder::before(ir, op);
            parts.map(|part| arith::constant_attr(&mut b, part))
        } else if is(&arith::SELECT) {
            let condition = operand(0);
            let [then, otherwise] = self.operands(ir, op, [1, 2]);
            let mut b = Builder::before(ir, op);
            [0, 1].map(|i| b.value(&arith::SELECT, &[condition, then[i], otherwise[i]], part))
        } else {
            self.arithmetic(ir, op, part)?
        };
        self.parts.insert(result, parts);
        Some(())
    }

    /// A comparison of truth values or a choice between them, as what there are instructions for.
    fn truth(&mut self, ir: &mut Ir, op: Op) -> Option<()> {
        let operands = ir.operands(op).to_vec();
        if ir.value_type(operands[1]) != Type::I1 || !self.may_be_vectors(ir, op) {
            return None;
        }
        let predicate = ir.is(op, &arith::CMPI).then(|| CmpIPredicate::of(ir, op));
        let integer = truths::integer_for(ir, operands[1]);
        let mut b = Builder::before(ir, op);
        let mut e = Emit::new(&mut b);
        let [x, y] = [operands[0], operands[1]];
        let value = match predicate {
            Some(Some(predicate)) => compare_truths(&mut e, predicate, [x, y]),
            Some(None) => return None,
            // Not by `and` and `or`: what is not chosen may be poison.
            None => {
                let [a, b] = [1, 2].map(|i| e.to(&arith::EXTUI, operands[i], integer));
                let chosen = e.select(operands[0], a, b);
                let zero = e.int(integer, 0);
                e.cmpi(CmpIPredicate::Ne, chosen, zero)
            }
        };
        let result = ir.result(op, 0);
        ir.replace_all_uses(result, value);
        Some(())
    }

    /// Conversions that vectors have only from or to `f32`: of integers of up to 32 bits to floats of 16, and of these to `f64`.
    fn through_f32(&mut self, ir: &mut Ir, op: Op) -> Option<()> {
        let [source, result] = [ir.operand(op, 0), ir.result(op, 0)];
        let context = ir.context();
        let [from, to] = [source, result].map(|value| ir.value_type(value));
        let width = |ty| context.float_kind(ty).map(FloatKind::width);
        let last = match ir.is(op, &arith::EXTF) {
            true => (width(from) == Some(16) && width(to) == Some(64)).then_some(&arith::EXTF),
            false => {
                let is_short = context.integer_width(from).is_some_and(|width| width <= 32);
                (is_short && width(to) == Some(16)).then_some(&arith::TRUNCF)
            }
        }?;
        let is_long = context.integer_width(from) == Some(32);
        // Of 32 bits, those that `f32` rounds are infinities as `f16`.
        let rounds_twice = is_long && context.float_kind(to) == Some(FloatKind::BF16);
        if !self.may_be_vectors(ir, op) {
            return None;
        }
        let first = ir.def(op);
        let mut b = Builder::before(ir, op);
        let mut e = Emit::new(&mut b);
        let source = match rounds_twice {
            true => rounded_to_odd(&mut e, source, std::ptr::eq(first, &arith::SITOFP)),
            false => source,
        };
        let middle = e.to(first, source, Type::F32);
        let converted = e.to(last, middle, to);
        ir.replace_all_uses(result, converted);
        Some(())
    }

    fn absolute(&mut self, ir: &mut Ir, op: Op) -> Option<()> {
        part_type(ir, ir.operand(op, 0)).filter(|_| self.has_functions)?;
        if !self.may_be_vectors(ir, op) {
            return None;
        }
        let [parts] = self.operands(ir, op, [0]);
        let size = absolute(&mut Emit::new(&mut Builder::before(ir, op)), parts);
        let result = ir.result(op, 0);
        ir.replace_all_uses(result, size);
        Some(())
    }

    fn arithmetic(&mut self, ir: &mut Ir, op: Op, part: Type) -> Option<Parts> {
        let flags = ir.attr(op, Name::FASTMATH);
        let n_operands = ir.operands(op).len();
        let is = |row: &'static OpDef| ir.is(op, row);
        let (adds, subtracts, multiplies) =
            (is(&complex::ADD), is(&complex::SUB), is(&complex::MUL));
        let (negates, conjugates) = (is(&complex::NEG), is(&complex::CONJ));
        let by_real =
            is(&complex::DIV) && self.has_functions && self.is_real(ir, ir.operand(op, 1));
        let divides = is(&complex::DIV) && (by_real || self.may_be_vectors(ir, op));
        if !(adds || subtracts || multiplies || divides || negates || conjugates) {
            return None;
        }
        let [x, y] = self.operands(ir, op, [0, n_operands - 1]);
        let mut b = Builder::before(ir, op);
        if divides && !by_real {
            return Some(divide(&mut Emit::new(&mut b), x, y));
        }
        let mut compute = |row, operands: &[Value]| with_flags(&mut b, row, operands, part, flags);
        Some(if divides {
            x.map(|part| compute(&arith::DIVF, &[part, y[0]]))
        } else if adds {
            [0, 1].map(|i| compute(&arith::ADDF, &[x[i], y[i]]))
        } else if subtracts {
            [0, 1].map(|i| compute(&arith::SUBF, &[x[i], y[i]]))
        } else if negates {
            x.map(|part| compute(&arith::NEGF, &[part]))
        } else if conjugates {
            [x[0], compute(&arith::NEGF, &[x[1]])]
        } else {
            let [rr, ii, ri, ir] =
                [(0, 0), (1, 1), (0, 1), (1, 0)].map(|(i, j)| compute(&arith::MULF, &[x[i], y[j]]));
            [
                compute(&arith::SUBF, &[rr, ii]),
                compute(&arith::ADDF, &[ri, ir]),
            ]
        })
    }

    /// Whether the imaginary part of a number is known to be zero.
    fn is_real(&self, ir: &Ir, number: Value) -> bool {
        self.parts.get(&number).is_some_and(|parts| {
            let zero = zero_attr(ir.context(), ir.value_type(parts[1]));
            zero.is_some() && arith::as_constant_attr(ir, parts[1]) == zero
        })
    }

    /// Whether an operation is in an innermost loop that computes with numbers only.
    fn may_be_vectors(&mut self, ir: &Ir, op: Op) -> bool {
        let Some(block) = ir.block_of(op) else {
            return false;
        };
        *self.may_be_vectors.entry(block).or_insert_with(|| {
            let is_function = |op| {
                self.has_functions && (ir.is(op, &complex::ABS) || function_of(ir, op).is_some())
            };
            let is_decomposed =
                |op| DECOMPOSED.iter().any(|&row| ir.is(op, row)) || is_function(op);
            let is_complex = |op| {
                let mut values = ir.operands(op).iter().chain(ir.results(op));
                values.any(|&value| part_type(ir, value).is_some())
            };
            ir.parent_op(op)
                .is_some_and(|parent| ir.is(parent, &scf::FOR))
                && ir.ops_in(block).filter(|&op| is_function(op)).count()
                    <= ir.capped(MAX_FUNCTIONS)
                && ir.ops_in(block).all(|op| {
                    let is_simple = ir.regions(op).is_empty() && ir.is_memory_effect_free(op);
                    is_decomposed(op) || (is_simple || ir.is(op, &scf::YIELD)) && !is_complex(op)
                })
        })
    }

    /// Whether the place of an access moves with the loop around it, or with the loop around that, which then goes along
    /// rows. At one place, a loop combines truth values, which `promote-loop-accesses` takes care of.
    fn moves_along_rows(&mut self, ir: &Ir, op: Op) -> bool {
        let (Some(block), Some(inner)) = (ir.block_of(op), ir.parent_op(op)) else {
            return false;
        };
        let moves_with = |loop_op: Op| {
            let mut place = place(ir, op).iter();
            place.any(|&v| !loop_memory::is_outside(ir, v, loop_op))
        };
        if moves_with(inner) {
            return true;
        }
        let is_loop = |op: Op| ir.is(op, &scf::FOR);
        let outer = ir.parent_op(inner);
        let outer = outer.filter(|&outer| is_loop(inner) && is_loop(outer) && moves_with(outer));
        outer.is_some_and(|outer| {
            let are_rows = self.are_rows.entry(block);
            *are_rows.or_insert_with(|| are_rows_of(ir, block, [outer, inner]))
        })
    }

    /// A load or a store. What says more about an access is about whole elements.
    fn access(&mut self, ir: &mut Ir, op: Op) -> Option<()> {
        let is_store = ir.is(op, &memref::STORE);
        let value = if is_store {
            ir.operand(op, 0)
        } else {
            ir.result(op, 0)
        };
        let is_truth = ir.value_type(value) == Type::I1
            && self.moves_along_rows(ir, op)
            && self.may_be_vectors(ir, op);
        let part = part_type(ir, value);
        if part.is_none() && !is_truth {
            return None;
        }
        let has_attrs = ir.attrs(op) != Dict::EMPTY;
        let operands = ir.operands(op)[usize::from(is_store)..].to_vec();
        let view = (!has_attrs).then(|| self.view(ir, operands[0]))??;
        let Some(part) = part else {
            byte_access(ir, op, view);
            return Some(());
        };
        let stored = is_store.then(|| self.operands(ir, op, [0])[0]);
        let numbers = self.part_numbers(ir)?;
        let mut b = Builder::before(ir, op);
        let mut places = numbers.map(|index| {
            let mut place = operands.clone();
            place[0] = view;
            place.push(index);
            place
        });
        match stored {
            Some(parts) => {
                for (place, part) in places.iter_mut().zip(parts) {
                    place.insert(0, part);
                    b.op(&memref::STORE, place, &[]);
                }
            }
            None => {
                let parts = places.map(|place| b.value(&memref::LOAD, &place, part));
                self.parts.insert(value, parts);
            }
        }
        Some(())
    }

    /// The subscripts of both parts, outside of all loops, so that what these access at one place is seen to be at one.
    fn part_numbers(&mut self, ir: &mut Ir) -> Option<Parts> {
        let entry = ir.root_block()?;
        Some(*self.part_numbers.get_or_insert_with(|| {
            let mut b = Builder::at_start(ir, entry);
            [0, 1].map(|index| arith::constant_index(&mut b, index))
        }))
    }

    /// A buffer as one of what vectors have elements of.
    fn view(&mut self, ir: &mut Ir, buffer: Value) -> Option<Value> {
        if let Some(&view) = self.views.get(&buffer) {
            return Some(view);
        }
        let context = Arc::clone(ir.context());
        let memref = context.as_memref(ir.value_type(buffer))?;
        let ty = context.memref_type(memref::types::bitcast(&context, memref)?);
        let view = behind(ir, buffer).value(&memref::BITCAST, &[buffer], ty);
        self.views.insert(buffer, view);
        Some(view)
    }

    /// The parts of some operands.
    fn operands<const N: usize>(&mut self, ir: &mut Ir, op: Op, indices: [usize; N]) -> [Parts; N] {
        indices.map(|index| {
            let operand = ir.operand(op, index);
            *self.parts.entry(operand).or_insert_with(|| {
                let part = part_type(ir, operand).expect("operands are complex as results are");
                let mut b = behind(ir, operand);
                [&complex::RE, &complex::IM].map(|row| b.value(row, &[operand], part))
            })
        })
    }

    /// Removes an operation that is there on parts too. Some users may still want a whole number.
    fn remove(&self, ir: &mut Ir, op: Op) {
        if ir.is(op, &complex::RE) || ir.is(op, &complex::IM) {
            let parts = self.parts[&ir.operand(op, 0)];
            let part = parts[usize::from(ir.is(op, &complex::IM))];
            ir.replace_op(op, &[part]);
            return;
        }
        if let Some(&result) = ir.results(op).first()
            && !ir.has_no_uses(result)
        {
            if ir.is(op, &complex::CREATE) || ir.is(op, &complex::CONSTANT) {
                return;
            }
            let ty = ir.value_type(result);
            let mut b = Builder::before(ir, op);
            let whole = b.value(&complex::CREATE, &self.parts[&result], ty);
            ir.replace_op(op, &[whole]);
            return;
        }
        ir.erase_op(op);
    }
}

/// Whether the loop `outer` goes along rows in all that it moves of the accesses in `block`, the body of the loop `inner`.
fn are_rows_of(ir: &Ir, block: Block, [outer, inner]: [Op; 2]) -> bool {
    let counters = [outer, inner].map(|op| scf::For(op).induction_variable(ir));
    let is_known = |v: Value| v == counters[1] || loop_memory::is_outside(ir, v, outer);
    let is_row = |access: Op| match place(ir, access)[1..].split_last() {
        Some((&last, others)) => {
            (last == counters[0] || is_known(last)) && others.iter().all(|&v| is_known(v))
        }
        None => true,
    };
    let mut ops = ir.ops_in(block);
    ops.all(|op| !(ir.is(op, &memref::LOAD) || ir.is(op, &memref::STORE)) || is_row(op))
}

/// The buffer of an access and its subscripts.
fn place(ir: &Ir, op: Op) -> &[Value] {
    &ir.operands(op)[usize::from(ir.is(op, &memref::STORE))..]
}

/// A load or a store of a truth value, with bytes instead.
fn byte_access(ir: &mut Ir, op: Op, bytes: Value) {
    let is_store = ir.is(op, &memref::STORE);
    let mut operands = ir.operands(op).to_vec();
    operands[usize::from(is_store)] = bytes;
    let byte = ir.context().integer_type(8);
    let mut b = Builder::before(ir, op);
    if is_store {
        operands[0] = b.value(&arith::EXTUI, &operands[..1], byte);
        b.op(&memref::STORE, &operands, &[]);
        return;
    }
    let loaded = b.value(&memref::LOAD, &operands, byte);
    let mut e = Emit::new(&mut b);
    let [one, zero] = [1, 0].map(|n| e.int(byte, n));
    let bit = e.and(loaded, one);
    let is_set = e.cmpi(CmpIPredicate::Ne, bit, zero);
    let result = ir.result(op, 0);
    ir.replace_all_uses(result, is_set);
}

/// An integer of 32 bits, of which `f32` holds all, and which is rounded to floats of 16 bits as it is: of large numbers, the
/// lowest 8 bits become one above them that says whether any was set ("round to odd").
fn rounded_to_odd(e: &mut Emit<'_, '_>, number: Value, is_signed: bool) -> Value {
    let int = |e: &mut Emit<'_, '_>, value| e.int(Type::I32, value);
    let (low, high) = (int(e, 0xff), int(e, !0xff));
    let lowest = e.binary(&arith::ANDI, number, low);
    let carried = e.binary(&arith::ADDI, lowest, low);
    let odd = e.binary(&arith::ORI, number, carried);
    let odd = e.binary(&arith::ANDI, odd, high);
    // Up to 24 bits are exact.
    let limit = 1 << 24;
    let (shifted, limit) = match is_signed {
        true => {
            let half = int(e, limit);
            let shifted = e.binary(&arith::ADDI, number, half);
            (shifted, int(e, 2 * limit))
        }
        false => (number, int(e, limit)),
    };
    let is_exact = e.cmpi(CmpIPredicate::Ult, shifted, limit);
    e.select(is_exact, number, odd)
}

/// How truth values compare: as numbers with a sign, the true one is the smaller one.
fn compare_truths(e: &mut Emit<'_, '_>, predicate: CmpIPredicate, [x, y]: [Value; 2]) -> Value {
    let (only, [a, b]) = match predicate {
        CmpIPredicate::Ne => return e.binary(&arith::XORI, x, y),
        CmpIPredicate::Eq => {
            let differs = e.binary(&arith::XORI, x, y);
            return e.not(differs);
        }
        CmpIPredicate::Ugt | CmpIPredicate::Slt => (true, [x, y]),
        CmpIPredicate::Ult | CmpIPredicate::Sgt => (true, [y, x]),
        CmpIPredicate::Uge | CmpIPredicate::Sle => (false, [x, y]),
        CmpIPredicate::Ule | CmpIPredicate::Sge => (false, [y, x]),
    };
    let other = e.not(b);
    match only {
        true => e.and(a, other),
        false => e.or(a, other),
    }
}

/// What computes a function of a complex number from its parts.
fn function_of(ir: &Ir, op: Op) -> Option<Function> {
    let is = |row: &'static OpDef| ir.is(op, row);
    let is_single = part_type(ir, *ir.results(op).first()?)? == Type::F32;
    match () {
        () if is(&complex::EXP) => Some(Function::Unary(exponential)),
        () if is(&complex::LOG) && is_single => Some(Function::Unary(logarithm)),
        () if is(&complex::SQRT) => Some(Function::Unary(square_root)),
        () if is(&complex::EXPM1) && is_single => Some(Function::Unary(exponential_less_one)),
        () if is(&complex::SIGN) && is_single => Some(Function::Unary(sign)),
        () if is(&complex::TAN) && is_single => Some(Function::Unary(tangent)),
        () if is(&complex::TANH) && is_single => Some(Function::Unary(hyperbolic_tangent)),
        () if is(&complex::POW) && is_single => Some(Function::Binary(power)),
        () => None,
    }
}

/// What computes parts from those of the operands.
enum Function {
    Unary(fn(&mut Emit<'_, '_>, Parts) -> Parts),
    Binary(fn(&mut Emit<'_, '_>, Parts, Parts) -> Parts),
}

/// Builds where a value begins to be there.
fn behind(ir: &mut Ir, value: Value) -> Builder<'_> {
    match ir.value_def(value) {
        ValueDef::Result(op, _) => Builder::after(ir, op),
        ValueDef::Argument(block, _) => Builder::at_start(ir, block),
    }
}

fn with_flags(
    b: &mut Builder<'_>,
    row: &'static OpDef,
    operands: &[Value],
    ty: Type,
    flags: Option<Attr>,
) -> Value {
    match flags {
        Some(flags) => b.value_with_attr(row, operands, ty, Name::FASTMATH, flags),
        None => b.value(row, operands, ty),
    }
}

/// The type of the parts, if a value is a complex number that is decomposed.
fn part_type(ir: &Ir, value: Value) -> Option<Type> {
    let context = ir.context();
    let part = complex::element_of(context, ir.value_type(value))?;
    let kind = context.float_kind(part);
    matches!(kind, Some(FloatKind::F32 | FloatKind::F64)).then_some(part)
}
