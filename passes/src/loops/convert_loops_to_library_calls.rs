//! `convert-loops-to-library-calls`: loops that fill or copy memory become calls of the runtime library.
//!
//! Before:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   %x = memref.load %a[%i] : memref<?xf32>
//!   memref.store %x, %b[%i] : memref<?xf32>
//! }
//! ```
//! After, with the addresses of the first elements:
//! ```mlir
//! scf.if %is_long_and_disjoint {
//!   func.call @freehold_copy_bytes(%b_at, %a_at, %bytes) : (index, index, index) -> ()
//! } else {
//!   ... the loop ...
//! }
//! ```
//!
//! The library uses the widest registers of the processor that runs the program, which the code
//! generator does not, and what the C library does to memory that fits no cache. A loop is taken if
//! it runs through neighbouring elements one by one and does nothing but store the same number in
//! all of them, or what it loads from others. The call happens where there are at least `min-bytes`,
//! and for a copy where both buffers share no byte: a loop that copies within one buffer may read
//! what it wrote.

use freehold_frontend::diag::Failed;
use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, func, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{FloatKind, Type, TypeKind};

use super::memory::{self, Access, Pairs};
use crate::lowering::convert_linalg_to_library_calls::Described;
use crate::pass::{Anchor, OptionDef, OptionKind, PassContext, PassDef};
use crate::runtime_function::{RuntimeFunction, call_runtime};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-loops-to-library-calls",
    summary: "turn loops that fill or copy memory into calls of the runtime library",
    anchor: Anchor::Module,
    options: &[OptionDef {
        name: "min-bytes",
        kind: OptionKind::Integer,
        default: "256",
        help: "leave loops alone that store fewer bytes",
    }],
    run,
};

/// Of [`FUNCTIONS`].
const FILL: usize = 0;
const COPY: usize = 1;

static FUNCTIONS: [RuntimeFunction; 2] = [
    RuntimeFunction {
        name: "freehold_fill_bytes",
        signature: fill_signature,
        c_interface: false,
    },
    RuntimeFunction {
        name: "freehold_copy_bytes",
        signature: copy_signature,
        c_interface: false,
    },
];

/// Address, number of bytes, and the eight bytes that repeat.
fn fill_signature(_: &Context) -> (Vec<Type>, Vec<Type>) {
    (vec![Type::INDEX, Type::INDEX, Type::I64], Vec::new())
}

/// Target, source, number of bytes.
fn copy_signature(_: &Context) -> (Vec<Type>, Vec<Type>) {
    (vec![Type::INDEX; 3], Vec::new())
}

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let min_bytes = context.integer("min-bytes").max(1);
    let n_calls = call_runtime(ir, &FUNCTIONS, &|function, callable| {
        let mut calls = [0; 2];
        for op in function.collect_ops(function.root()) {
            // The body of what was converted is gone.
            if !function.is_erased(op)
                && function.is(op, &scf::FOR)
                && let Some(idiom) = Idiom::of(function, op)
                && callable[idiom.function()]
                && !idiom.is_known_short(function, min_bytes)
            {
                idiom.call(function, min_bytes);
                calls[idiom.function()] += 1;
            }
        }
        calls
    });
    context.count("library calls", n_calls);
    Ok(())
}

/// Loops with more operations are not looked at.
const MAX_OPS: usize = 16;

/// A loop that fills or copies.
struct Idiom {
    op: Op,
    store: Access,
    /// Where the numbers come from, if they are not all the same.
    load: Option<Access>,
    /// What must not overlap.
    pairs: Pairs,
    /// Bytes of an element.
    size: i64,
}

impl Idiom {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        let view = scf::For(op);
        let is_simple = ir.results(op).is_empty()
            && arith::as_constant_index(ir, ir.operand(op, 2)) == Some(1)
            && ir.value_type(view.induction_variable(ir)) == Type::INDEX;
        if !is_simple {
            return None;
        }
        let (mut store, mut load) = (None, None);
        for (n, inner) in ir.ops_in(view.body(ir)).enumerate() {
            if n > MAX_OPS {
                return None;
            }
            if let Some(access) = Access::of(ir, inner) {
                let place = if access.is_store {
                    &mut store
                } else {
                    &mut load
                };
                if !is_row(ir, op, access) || place.replace(access).is_some() {
                    return None;
                }
            } else if !ir.is(inner, &scf::YIELD) && !is_number(ir, inner) {
                return None;
            }
        }
        let store: Access = store?;
        let value = store.value(ir);
        let mut pairs = Pairs::new();
        match load {
            None if !is_fixed(ir, op, value) => return None,
            None => {}
            Some(load) => {
                if load.value(ir) != value || !ir.has_one_use(value) || load.buffer == store.buffer
                {
                    return None;
                }
                pairs = memory::unknown_pairs(ir, op, &[load, store])?;
            }
        }
        let size = element_bits(ir, ir.value_type(value))? / 8;
        Some(Self {
            op,
            store,
            load,
            pairs,
            size,
        })
    }

    /// Which of [`FUNCTIONS`].
    fn function(&self) -> usize {
        if self.load.is_some() { COPY } else { FILL }
    }

    /// How often the loop runs, if that is known.
    fn trip_count(&self, ir: &Ir) -> Option<i64> {
        let bound = |i| arith::as_constant_index(ir, ir.operand(self.op, i));
        bound(1)?.checked_sub(bound(0)?)
    }

    fn is_known_short(&self, ir: &Ir, min_bytes: i64) -> bool {
        (self.trip_count(ir)).is_some_and(|n| n.saturating_mul(self.size) < min_bytes)
    }

    /// Replaces the loop by a call, or lets the program choose.
    fn call(&self, ir: &mut Ir, min_bytes: i64) {
        let trip_count = self.trip_count(ir);
        let (lower, upper) = (ir.operand(self.op, 0), ir.operand(self.op, 1));
        let mut builder = Builder::before(ir, self.op);
        let mut condition = memory::build_disjoint(&mut builder, &self.pairs);
        let n = match trip_count {
            Some(n) => arith::constant_index(&mut builder, n),
            None => {
                let n = builder.value(&arith::SUBI, &[upper, lower], Type::INDEX);
                let least = min_bytes.div_euclid(self.size).max(1);
                let least = arith::constant_index(&mut builder, least);
                let is_long = arith::compare(&mut builder, CmpIPredicate::Sge, n, least);
                // The difference of numbers far apart may be any number.
                let runs = arith::compare(&mut builder, CmpIPredicate::Slt, lower, upper);
                for more in [is_long, runs] {
                    condition = Some(match condition {
                        Some(all) => builder.value(&arith::ANDI, &[all, more], Type::I1),
                        None => more,
                    });
                }
                n
            }
        };
        let Some(condition) = condition else {
            self.build_call(&mut builder, n);
            ir.erase_op(self.op);
            return;
        };
        let branches = scf::build_if(&mut builder, condition, &[], true);
        let branches = scf::If(branches);
        let end = ir.last_op(branches.then_block(ir));
        let end = end.expect("a branch without results has its terminator");
        self.build_call(&mut Builder::before(ir, end), n);
        let block = branches.else_block(ir);
        ir.detach_op(self.op);
        ir.prepend_op(block.expect("it was asked for"), self.op);
    }

    fn build_call(&self, builder: &mut Builder<'_>, n: Value) {
        let loc = builder.ir.loc(self.op);
        builder.set_loc(loc);
        // What the first iteration computes.
        let mut map = IrMap::default();
        let counter = scf::For(self.op).induction_variable(builder.ir);
        map.values.insert(counter, builder.ir.operand(self.op, 0));
        let body = scf::For(self.op).body(builder.ir);
        let ops: Vec<Op> = builder.ir.ops_in(body).collect();
        for op in ops {
            if is_number(builder.ir, op) {
                let copy = builder.ir.clone_op(op, &mut map);
                builder.insert(copy);
            }
        }
        let size = arith::constant_index(builder, self.size);
        let bytes = builder.value(&arith::MULI, &[n, size], Type::INDEX);
        let to = self.first_address(builder, self.store, &map, size);
        let arguments = match self.load {
            Some(load) => [to, self.first_address(builder, load, &map, size), bytes],
            None => {
                let value = map.value(self.store.value(builder.ir));
                [to, bytes, build_pattern(builder, value)]
            }
        };
        func::build_call(builder, FUNCTIONS[self.function()].name, &[], &arguments);
    }

    /// The address of the first element that is accessed.
    fn first_address(
        &self,
        builder: &mut Builder<'_>,
        access: Access,
        map: &IrMap,
        size: Value,
    ) -> Value {
        let described = Described::of(builder, access.buffer);
        let indices: Vec<Value> = access.indices(builder.ir).to_vec();
        let mut at = described.offset;
        for (index, stride) in indices.into_iter().zip(described.strides) {
            let operands = [map.value(index), stride];
            let distance = builder.value(&arith::MULI, &operands, Type::INDEX);
            at = builder.value(&arith::ADDI, &[at, distance], Type::INDEX);
        }
        let bytes = builder.value(&arith::MULI, &[at, size], Type::INDEX);
        builder.value(&arith::ADDI, &[described.pointer, bytes], Type::INDEX)
    }
}

/// Whether `op` computes an index, or is a constant.
fn is_number(ir: &Ir, op: Op) -> bool {
    let is_index = || ir.value_type(ir.result(op, 0)) == Type::INDEX;
    let arithmetic = [&arith::ADDI, &arith::SUBI, &arith::MULI];
    ir.is(op, &arith::CONSTANT) || arithmetic.iter().any(|def| ir.is(op, def)) && is_index()
}

/// Whether `value` is the same in all iterations of the loop `op`, of whose operations it is known that
/// they are accesses and numbers.
fn is_fixed(ir: &Ir, op: Op, value: Value) -> bool {
    memory::is_outside(ir, value, op)
        || ir.defining_op(value).is_some_and(|number| {
            is_number(ir, number)
                && (ir.operands(number).iter()).all(|&operand| is_fixed(ir, op, operand))
        })
}

/// Whether `value` is the counter of the loop `op` plus what is fixed.
fn counts(ir: &Ir, op: Op, value: Value) -> bool {
    if value == scf::For(op).induction_variable(ir) {
        return true;
    }
    let Some(sum) = ir.defining_op(value) else {
        return false;
    };
    let &[a, b] = ir.operands(sum) else {
        return false;
    };
    let is_inside = !memory::is_outside(ir, value, op);
    let is_shifted = |a, b| counts(ir, op, a) && is_fixed(ir, op, b);
    is_inside
        && (ir.is(sum, &arith::ADDI) && (is_shifted(a, b) || is_shifted(b, a))
            || ir.is(sum, &arith::SUBI) && is_shifted(a, b))
}

/// Whether an access goes through neighbouring elements of a row.
fn is_row(ir: &Ir, op: Op, access: Access) -> bool {
    let context = ir.context();
    let Some((last, rows)) = access.indices(ir).split_last() else {
        return false;
    };
    let memref = context.as_memref(ir.value_type(access.buffer));
    memory::is_outside(ir, access.buffer, op)
        && memref.is_some_and(|memref| {
            memref.element == ir.value_type(access.value(ir))
                && context
                    .memref_strides(memref)
                    .is_some_and(|(strides, _)| strides.last() == Some(&1))
        })
        && counts(ir, op, *last)
        && rows.iter().all(|&row| is_fixed(ir, op, row))
}

/// The bits of a type of elements that fill their bytes and can be taken for an integer.
fn element_bits(ir: &Ir, ty: Type) -> Option<i64> {
    let context = ir.context();
    match context.type_kind(ty) {
        TypeKind::Index | TypeKind::Float(FloatKind::F64) => Some(64),
        TypeKind::Float(FloatKind::F32) => Some(32),
        TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => Some(16),
        _ => [8u32, 16, 32, 64]
            .into_iter()
            .find(|&width| ty == context.integer_type(width))
            .map(i64::from),
    }
}

/// Eight bytes that repeat `value`.
fn build_pattern(builder: &mut Builder<'_>, value: Value) -> Value {
    let ty = builder.ir.value_type(value);
    let bits = element_bits(builder.ir, ty).expect("only such elements are filled in");
    let integer = builder.context().integer_type(bits as u32);
    let value = match ty {
        Type::INDEX => return builder.value(&arith::INDEX_CAST, &[value], Type::I64),
        _ if ty == integer => value,
        _ => builder.value(&arith::BITCAST, &[value], integer),
    };
    // As often as it fits.
    let factor = match bits {
        8 => 0x0101_0101_0101_0101,
        16 => 0x0001_0001_0001_0001,
        32 => 0x0000_0001_0000_0001,
        _ => return value,
    };
    let wide = builder.value(&arith::EXTUI, &[value], Type::I64);
    let factor = arith::constant_int(builder, Type::I64, factor);
    builder.value(&arith::MULI, &[wide, factor], Type::I64)
}
