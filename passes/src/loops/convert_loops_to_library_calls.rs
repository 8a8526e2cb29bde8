//! `convert-loops-to-library-calls`: loops that fill or copy memory, or add a multiple of one vector to
//! another one, become calls of the runtime library.
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
//! it, or a nest of loops over whole rows, runs through neighbouring elements one by one and does nothing but store the same number in
//! all of them, or what it loads from others, or that times a number plus what was there (the product is
//! rounded before it is added, so the results are the same). The call happens where there are at least
//! `min-bytes`, and if there are two buffers where they share no byte: a loop within one buffer may
//! read what it wrote.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{FloatKind, Type, TypeKind};
use smallvec::SmallVec;

use crate::analysis::loop_memory::{self, Access, Pairs};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::index_arithmetic::{product, sum};
use crate::rewrite::library::{Described, FUNCTIONS};
use crate::rewrite::runtime_function::{build_borrowing_call, call_runtime};

// What a call costs is the time of some 16 stores of registers, which is 512 bytes where they have 256 bits. Not
// measured at that size: the least rows of benches/results, `fill, 16 KB` and its like, are far above.
pass_options! {
    /// What the pass may be told.
    pub struct Options {
        /// keep loops that store fewer bytes
        "min-bytes" min_bytes: u64 = 512,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "convert-loops-to-library-calls",
    summary: "turn loops that fill, copy or add multiples into calls of the runtime library",
    anchor: Anchor::Module,
    run,
};

/// Of [`FUNCTIONS`].
const FILL: usize = 0;
const COPY: usize = 1;
const AXPY_F32: usize = 2;
const AXPY_F64: usize = 3;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let min_bytes = i64::try_from(context.options.min_bytes.max(1)).unwrap_or(i64::MAX);
    let n_calls = call_runtime(ir, &FUNCTIONS, &|function, callable, _| {
        let mut calls = [0; FUNCTIONS.len()];
        for op in function.collect_ops(function.root()) {
            // The body of what was converted is gone.
            if !function.is_erased(op)
                && function.is(op, &scf::FOR)
                && let Some(idiom) = Idiom::of(function, op)
                && callable[idiom.function(function)]
                && !idiom.is_known_short(function, min_bytes)
            {
                calls[idiom.function(function)] += 1;
                idiom.call(function, min_bytes);
            }
        }
        calls
    });
    context.count("library calls", n_calls);
    Ok(())
}

/// Loops with more operations are not looked at: recognized loops have fewer.
const MAX_OPS: usize = 16;

/// What a loop does to all elements of a row.
#[derive(Clone, Copy)]
enum Work {
    /// They become this value.
    Fill(Value),
    /// They become the loaded elements.
    Copy(Access),
    /// The product of the loaded elements and this value is added to them.
    Axpy(Access, Value),
}

/// A loop that fills, copies or adds multiples.
struct Idiom {
    /// The loop, or the outermost one of a nest that does it to rows that lie behind each other.
    op: Op,
    /// The loops from there inwards.
    loops: SmallVec<[Op; 4]>,
    store: Access,
    work: Work,
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
        let mut store = None;
        let mut loads: SmallVec<[Access; 2]> = SmallVec::new();
        let mut n_computed = 0;
        for (n, inner) in ir.ops_in(view.body(ir)).enumerate() {
            if n > ir.capped(MAX_OPS) {
                return None;
            }
            if let Some(access) = Access::of(ir, inner) {
                if !is_row(ir, op, access) || access.is_store && store.is_some() {
                    return None;
                }
                match access.is_store {
                    true => store = Some(access),
                    false => loads.push(access),
                }
            } else if ir.is(inner, &arith::MULF) || ir.is(inner, &arith::ADDF) {
                n_computed += 1;
            } else if !ir.is(inner, &scf::YIELD) && !loop_memory::is_number(ir, inner) {
                return None;
            }
        }
        let store: Access = store?;
        let value = store.value(ir);
        let work = match (n_computed, &loads[..]) {
            (0, []) if loop_memory::is_fixed(ir, op, value) => Work::Fill(value),
            (0, &[load]) if load.value(ir) == value => Work::Copy(load),
            (2, &[first, second]) => {
                axpy(ir, op, store, first, second).or_else(|| axpy(ir, op, store, second, first))?
            }
            _ => return None,
        };
        let mut pairs = Pairs::new();
        if let Work::Copy(load) | Work::Axpy(load, _) = work {
            if load.buffer == store.buffer {
                return None;
            }
            pairs = loop_memory::unknown_pairs(ir, op, &[load, store])?;
        }
        let size = element_bits(ir, ir.value_type(value))? / 8;
        let loops = joined_loops(ir, op, store, work);
        Some(Self {
            op: loops[0],
            loops,
            store,
            work,
            pairs,
            size,
        })
    }

    /// Which of [`FUNCTIONS`].
    fn function(&self, ir: &Ir) -> usize {
        match self.work {
            Work::Fill(_) => FILL,
            Work::Copy(_) => COPY,
            Work::Axpy(_, factor) if ir.value_type(factor) == Type::F32 => AXPY_F32,
            Work::Axpy(..) => AXPY_F64,
        }
    }

    /// How many elements there are, if that is known.
    fn n_elements(&self, ir: &Ir) -> Option<i64> {
        let counts = self.loops.iter().map(|&op| loop_memory::trip_count(ir, op));
        counts.reduce(|a, b| a?.checked_mul(b?))?
    }

    fn is_known_short(&self, ir: &Ir, min_bytes: i64) -> bool {
        (self.n_elements(ir)).is_some_and(|n| n.saturating_mul(self.size) < min_bytes)
    }

    /// Replaces the loop by a call, or lets the program choose.
    fn call(&self, ir: &mut Ir, min_bytes: i64) {
        let n_elements = self.n_elements(ir);
        let (lower, upper) = (ir.operand(self.op, 0), ir.operand(self.op, 1));
        let mut builder = Builder::before(ir, self.op);
        let mut condition = loop_memory::build_disjoint(&mut builder, &self.pairs);
        let n = match n_elements {
            Some(n) => arith::constant_index(&mut builder, n),
            None => {
                let mut n = builder.value(&arith::SUBI, &[upper, lower], Type::INDEX);
                for &inner in &self.loops[1..] {
                    let row = builder.ir.operand(inner, 1);
                    n = builder.value(&arith::MULI, &[n, row], Type::INDEX);
                }
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
        for &op in &self.loops {
            let counter = scf::For(op).induction_variable(builder.ir);
            map.values.insert(counter, builder.ir.operand(op, 0));
        }
        let innermost = self.loops[self.loops.len() - 1];
        let body = scf::For(innermost).body(builder.ir);
        let ops: Vec<Op> = builder.ir.ops_in(body).collect();
        for op in ops {
            if loop_memory::is_number(builder.ir, op) {
                let copy = builder.ir.clone_op(op, &mut map);
                builder.insert(copy);
            }
        }
        let size = arith::constant_index(builder, self.size);
        let to = self.first_address(builder, self.store, &map, size);
        let bytes =
            |builder: &mut Builder<'_>| builder.value(&arith::MULI, &[n, size], Type::INDEX);
        let mut arguments: SmallVec<[Value; 4]> = SmallVec::from_slice(&[to]);
        match self.work {
            Work::Fill(value) => {
                arguments.push(bytes(builder));
                arguments.push(build_pattern(builder, map.value(value)));
            }
            Work::Copy(load) => {
                arguments.push(self.first_address(builder, load, &map, size));
                arguments.push(bytes(builder));
            }
            Work::Axpy(load, factor) => {
                let from = self.first_address(builder, load, &map, size);
                arguments.extend([from, n, map.value(factor)]);
            }
        }
        let function = self.function(builder.ir);
        build_borrowing_call(builder, FUNCTIONS[function].name, &arguments);
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
            let index = MixedIndex::from(map.value(index)).simplified(builder.ir);
            let distance = product(builder, index, stride);
            at = sum(builder, at, distance);
        }
        let bytes = product(builder, at, size.into());
        sum(builder, described.pointer.into(), bytes).materialize(builder)
    }
}

/// The loops around `op`, outermost first, and `op` itself, that go through elements without gaps in between: all but
/// the outermost run through a whole dimension, and they do nothing else.
fn joined_loops(ir: &Ir, op: Op, store: Access, work: Work) -> SmallVec<[Op; 4]> {
    let (other, fixed) = match work {
        Work::Fill(value) => (None, value),
        Work::Copy(load) => (Some(load), load.buffer),
        Work::Axpy(load, factor) => (Some(load), factor),
    };
    let accesses: SmallVec<[Access; 2]> = [Some(store), other].into_iter().flatten().collect();
    let is_contiguous = |access: &Access| {
        let memref = ir.context().as_memref(ir.value_type(access.buffer));
        memref.is_some_and(|memref| memref.layout.is_none())
    };
    let mut loops: SmallVec<[Op; 4]> = SmallVec::from_slice(&[op]);
    while let Some(outer) = ir.parent_op(loops[0]) {
        let inner = loops[0];
        let counter = scf::For(inner).induction_variable(ir);
        let Some(dim) = store.indices(ir).len().checked_sub(loops.len()) else {
            break;
        };
        // Whether the loop inside goes through all of the dimension that its counter alone is the subscript of.
        let is_whole = |access: &Access| {
            let memref = ir.context().as_memref(ir.value_type(access.buffer));
            access.indices(ir).len() == store.indices(ir).len()
                && access.indices(ir)[dim] == counter
                && memref.map(|memref| memref.shape[dim]) == loop_memory::trip_count(ir, inner)
        };
        let moves_on = |access: &Access| {
            dim != 0 && {
                let counter = scf::For(outer).induction_variable(ir);
                access.indices(ir)[dim - 1] == counter
            }
        };
        let is_joined = ir.is(outer, &scf::FOR)
            && ir.results(outer).is_empty()
            && ir.value_type(counter) == Type::INDEX
            && arith::as_constant_index(ir, ir.operand(inner, 0)) == Some(0)
            && arith::as_constant_index(ir, ir.operand(outer, 2)) == Some(1)
            && ir.ops_in(scf::For(outer).body(ir)).count() == 2
            && loop_memory::is_fixed(ir, outer, fixed)
            && (accesses.iter()).all(|access| {
                is_contiguous(access)
                    && is_whole(access)
                    && moves_on(access)
                    && loop_memory::is_outside(ir, access.buffer, outer)
                    && (access.indices(ir)[..dim - 1].iter())
                        .all(|&row| loop_memory::is_fixed(ir, outer, row))
            });
        if !is_joined {
            break;
        }
        loops.insert(0, outer);
    }
    loops
}

/// Whether the loop `op`, which loads twice and multiplies and adds, adds a multiple of `from` to `to`.
fn axpy(ir: &Ir, op: Op, store: Access, from: Access, to: Access) -> Option<Work> {
    // Either operand may be the first one.
    let of = |op: Op, wanted: Value| match *ir.operands(op) {
        [a, b] if a == wanted => Some(b),
        [a, b] if b == wanted => Some(a),
        _ => None,
    };
    let is_in_place = to.buffer == store.buffer
        && (to.indices(ir).iter().zip(store.indices(ir)))
            .all(|(&a, &b)| loop_memory::is_same_number(ir, a, b));
    let sum = ir.defined_by(store.value(ir), &arith::ADDF)?;
    let product = of(sum, to.value(ir))?;
    let factor = of(ir.defined_by(product, &arith::MULF)?, from.value(ir))?;
    let is_inside = |value| !loop_memory::is_outside(ir, value, op);
    let is_axpy = is_in_place
        && is_inside(store.value(ir))
        && is_inside(product)
        && loop_memory::is_fixed(ir, op, factor)
        && [Type::F32, Type::F64].contains(&ir.value_type(factor));
    is_axpy.then_some(Work::Axpy(from, factor))
}

/// Whether an access goes through neighbouring elements of a row.
fn is_row(ir: &Ir, op: Op, access: Access) -> bool {
    let context = ir.context();
    let Some((last, rows)) = access.indices(ir).split_last() else {
        return false;
    };
    let memref = context.as_memref(ir.value_type(access.buffer));
    loop_memory::is_outside(ir, access.buffer, op)
        && memref.is_some_and(|memref| {
            memref.element == ir.value_type(access.value(ir))
                && context
                    .memref_strides(memref)
                    .is_some_and(|(strides, _)| strides.last() == Some(&1))
        })
        && loop_memory::counts(ir, op, scf::For(op).induction_variable(ir), *last)
        && rows.iter().all(|&row| loop_memory::is_fixed(ir, op, row))
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
