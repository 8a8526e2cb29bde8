//! `convert-linalg-to-library-calls`: contractions become calls of the runtime library.
//!
//! Before:
//! ```mlir
//! linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
//! ```
//! After, with the addresses of the first elements, flags, and for all loops together their sizes and how
//! many elements further the result and both factors are in the next iteration:
//! ```mlir
//! %numbers = memref.get_global @freehold_loops_64_48_32_48_1_0_32_0_1_0_1_48 : memref<12xindex>
//! %all = memref.cast %numbers : memref<12xindex> to memref<?xindex>
//! call @freehold_contract_f32(%c_at, %a_at, %b_at, %flags, %all)
//! ```
//! Those that are not known are stored in an array on the stack. A `linalg.fill` of zeros right before is the flag
//! that the result holds nothing yet.
//!
//! Any structured operation on buffers of f32, f64 or i32 is taken that adds up products of elements whose subscripts
//! are sums of multiples of counters: whatever it is called, however operands are transposed, with windows as
//! convolutions have them. Factors may be of narrower elements that the operation widens: i8, i16, and for floats f16,
//! bf16 and f32 as well. From those of quantized operations it may subtract scalars, which follow sizes and strides.
//! Contractions known to have fewer than `min-products` multiplications stay, and so do those that the library would
//! have to gather element by element, unless these are a few vectors that many are multiplied by in any order.
//!
//! Results are the same as those of `convert-linalg-to-loops` bit for bit, also where the result
//! shares memory with a factor: the library adds up in the same order and looks for overlap. With
//! `fp=contract` or `fp=fast`, or `fastmath` flags on both operations of the body, products are not rounded
//! before they are added (`contract`) and may be added up in another order (`reassoc`); docs/performance.md
//! says what that may change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use freehold_frontend::dialects::memref::{self, MixedIndex};
use freehold_frontend::dialects::shared::const_fold::zero_attr;
use freehold_frontend::dialects::{arith, linalg};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type, TypeKind};

use super::convert_linalg_to_loops::loop_size;
use crate::analysis::constants::constant_value;
use crate::analysis::contraction::{Contraction, Element, LEFT, RESULT, RIGHT, Role};
use crate::manage::fp_policy::FpPolicy;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::index_arithmetic::{product, sum};
use crate::rewrite::library::{
    ANY_ORDER, CONTRACT, Described, FUSED, KIND_BITS, KINDS_SHIFT, NEW, THREADS_SHIFT, numbers_type,
};
use crate::rewrite::runtime_function::{build_borrowing_call, call_runtime};

// 4096 multiplications are matrices of 16 by 16. The library is faster than loops of its own from 8 by 8 on
// (row `SMALL`, benches/results, "Thresholds of contractions"); against generated loops, the least row is
// `matmul f32, 64`.
pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// keep contractions with fewer multiplications as loops
        "min-products" min_products: u64 = 4096,
        /// floating-point policy: strict, contract (unrounded products, in any order) or fast (the same here)
        "fp" fp: FpPolicy = FpPolicy::Strict,
        /// number of threads for large contractions
        "threads" threads: u64 = 1,
    }
}

/// A contraction has at most this many loops that the library is not told of: it keeps the order of
/// more.
const MAX_LOOPS: usize = 12;

/// What the names of constant arrays begin with; the numbers follow.
const ARRAY_NAME: &str = "freehold_loops";

/// More threads are not asked for: as many as `--threads` takes.
const MAX_THREADS: u64 = 1024;

/// For fewer rows or columns than this, contiguity decides whether the library is fast.
const MIN_ROWS: i64 = 4;

/// Elements of a dot product below which the library has no advantage.
const MIN_DOT_SIZE: i64 = 16;

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "convert-linalg-to-library-calls",
    summary: "turn contractions, such as matrix products and convolutions, into library calls",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let min_products = i64::try_from(context.options.min_products).unwrap_or(i64::MAX);
    let allowed = context.options.fp.flags_in_contractions();
    let threads = context.options.threads.min(MAX_THREADS) as i64;
    let arrays = Mutex::new(BTreeMap::new());
    let n_calls = call_runtime(ir, &CONTRACT, &|function, callable, symbols| {
        let mut define = |name: String, numbers: Vec<i64>| {
            let is_free = symbols.get(&name).is_none();
            if is_free && let Ok(mut arrays) = arrays.lock() {
                arrays.insert(name, numbers);
            }
            is_free
        };
        let mut calls = [0u64; CONTRACT.len()];
        for op in function.collect_ops(function.root()) {
            // The body of converted operations is gone.
            if !function.is_erased(op)
                && let Some(contraction) = Contraction::of(function, op, allowed)
                && let callee = function_for(contraction.elements[RESULT])
                && callable[callee]
                && is_worth_it(function, &contraction, min_products)
            {
                call(function, op, &contraction, threads, &mut define);
                calls[callee] += 1;
            }
        }
        calls
    });
    context.count("library calls", n_calls);
    if let Ok(arrays) = arrays.into_inner()
        && !arrays.is_empty()
    {
        define_arrays(ir, &arrays);
    }
    Ok(())
}

/// Defines those of the arrays that a module refers to, and so for modules inside of it.
fn define_arrays(ir: &mut Ir, arrays: &BTreeMap<String, Vec<i64>>) {
    let context = ir.context().clone();
    let mut wanted = BTreeSet::new();
    for stub in functions::functions(ir) {
        let Some(function) = ir.nested(stub) else {
            continue;
        };
        for op in function.walk(function.root()) {
            let name = (function.is(op, &memref::GET_GLOBAL))
                .then(|| function.attr(op, Name::NAME))
                .flatten();
            let name = name.and_then(|name| context.attr_flat_symbol(name));
            wanted.extend(name.and_then(|name| arrays.get_key_value(name)));
        }
    }
    let symbols = SymbolTable::of(ir);
    let loc = ir.loc(ir.root());
    for (name, numbers) in wanted {
        let Some(block) = ir.root_block().filter(|_| symbols.get(name).is_none()) else {
            continue;
        };
        let spec = OpSpec::new(&memref::GLOBAL, loc)
            .attr(Name::SYM_NAME, context.string_attr(name))
            .attr(Name::SYM_VISIBILITY, context.string_attr("private"))
            .attr(
                Name::TYPE,
                context.type_attr(array_type(&context, numbers.len())),
            )
            .attr(Name::INITIAL_VALUE, index_elements_attr(&context, numbers))
            .attr(Name::CONSTANT, Attr::UNIT);
        let global = ir.create_op(spec);
        ir.append_op(block, global);
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            define_arrays(nested, arrays);
        }
    }
}

/// Which of [`CONTRACT`] has such results.
fn function_for(element: Element) -> usize {
    match element {
        Element::F64 => 1,
        Element::I32 => 2,
        _ => 0,
    }
}

/// What the library is told of factors that are widened.
fn kinds(elements: [Element; 3]) -> i64 {
    let [result, left, right] = elements;
    if left == result && right == result {
        return 0;
    }
    let kind = |element| match element {
        Element::I8 => 1,
        Element::U8 => 2,
        Element::I16 => 3,
        Element::F16 => 4,
        Element::Bf16 => 5,
        Element::F32 => 6,
        Element::F64 | Element::I32 => 7,
    };
    (kind(left) | kind(right) << KIND_BITS) << KINDS_SHIFT
}

/// Whether the library is known to be faster than loops, as far as sizes and strides are known.
fn is_worth_it(ir: &Ir, contraction: &Contraction, min_products: i64) -> bool {
    let n_loops = contraction.loops.len();
    let roles: Option<Vec<Role>> = (0..n_loops).map(|i| contraction.role(i)).collect();
    let Some(roles) = roles.filter(|_| n_loops <= ir.capped(MAX_LOOPS)) else {
        return false;
    };
    let is_long = |i: usize| contraction.loops[i].size != 1;
    let size = |role| contraction.size(|i| roles[i] == role);
    let is_less = |(known, is_all): (i64, bool), than: i64| is_all && known < than;
    if is_less(contraction.size(|_| true), min_products) {
        return false;
    }
    // Whether a loop that is not known to run once moves along neighbours, or may do so.
    let moves = |role, operand| {
        let mut loops = (0..n_loops).filter(|&i| roles[i] == role && is_long(i));
        loops.any(|i| {
            contraction
                .stride(ir, i, operand)
                .is_none_or(|stride| stride == 1)
        })
    };
    let is_neighbour = |i: usize, operands: &[usize]| {
        is_long(i)
            && operands.iter().all(|&operand| {
                let stride = contraction.stride(ir, i, operand);
                stride.is_none_or(|stride| stride == 1)
            })
    };
    let all = [RESULT, LEFT, RIGHT];
    // Widened factors are always copied, which pays if they are used several times.
    let is_narrow = kinds(contraction.elements) != 0;
    if !is_narrow && (0..n_loops).any(|i| roles[i] == Role::Batch && is_neighbour(i, &all)) {
        return true;
    }
    // What one element of the batch takes must be worth looking at its loops.
    if is_less(
        contraction.size(|i| roles[i] != Role::Batch),
        min_products / 8,
    ) {
        return false;
    }
    let is_thin = |role| is_less(size(role), MIN_ROWS);
    match (is_thin(Role::Row), is_thin(Role::Column)) {
        (false, false) => true,
        _ if is_narrow => false,
        // A vector times a matrix, if the matrix is read along its rows.
        (true, false) if moves(Role::Column, RESULT) && moves(Role::Column, RIGHT) => true,
        (false, true) if moves(Role::Row, RESULT) && moves(Role::Row, LEFT) => true,
        (few_rows, few_columns) => {
            let any_inner = |operands: &[usize]| {
                (0..n_loops).any(|i| roles[i] == Role::Inner && is_neighbour(i, operands))
            };
            // Few vectors that are apart are copied for many others.
            let many = match few_rows {
                true => RIGHT,
                false => LEFT,
            };
            let pays_copies =
                few_rows != few_columns && !is_less(size(Role::Inner), 2 * MIN_DOT_SIZE);
            contraction.any_order
                && !is_less(size(Role::Inner), MIN_DOT_SIZE)
                && (any_inner(&[LEFT, RIGHT]) || pays_copies && any_inner(&[many]))
        }
    }
}

/// The operation that fills the result with zeros, if nothing reads it before the contraction writes all of it.
fn fill_of_zeros(ir: &Ir, op: Op, contraction: &Contraction) -> Option<Op> {
    let mut before = ir.prev_op(op)?;
    while ir.is_memory_effect_free(before) {
        before = ir.prev_op(before)?;
    }
    let result = contraction.operands[RESULT];
    if !ir.is(before, &linalg::FILL) || linalg::outputs(ir, before) != [result] {
        return None;
    }
    let &[number] = linalg::inputs(ir, before) else {
        return None;
    };
    let zero = zero_attr(ir.context(), ir.value_type(number))?;
    let is_zero = ir.value_type(number) == linalg::interface::element_type(ir, result)
        && constant_value(ir, number) == Some(zero);
    (is_zero && contraction.computes_whole_result()).then_some(before)
}

/// Replaces the operation. `define` is asked for a constant array with a name, and says whether it will be there.
fn call(
    ir: &mut Ir,
    op: Op,
    contraction: &Contraction,
    threads: i64,
    define: &mut impl FnMut(String, Vec<i64>) -> bool,
) {
    let fill = fill_of_zeros(ir, op, contraction);
    let mut builder = Builder::before(ir, op);
    let callee = &CONTRACT[function_for(contraction.elements[RESULT])];
    // What runs once moves nowhere.
    let loops: Vec<usize> = (0..contraction.loops.len())
        .filter(|&i| contraction.loops[i].size != 1)
        .collect();
    let mut numbers = Vec::with_capacity(4 * loops.len());
    for &i in &loops {
        let (operand, dim) = contraction.loops[i].bound;
        numbers.push(match contraction.loops[i].size {
            DYNAMIC => loop_size(&mut builder, operand, dim).into(),
            size => MixedIndex::Constant(size),
        });
    }
    let mut arguments = Vec::with_capacity(5);
    for operand in [RESULT, LEFT, RIGHT] {
        let buffer = contraction.operands[operand];
        let described = Described::of(&mut builder, buffer);
        let mut offset = described.offset;
        for (dim, &constant) in contraction.constants[operand].iter().enumerate() {
            if constant != 0 {
                let distance = product(&mut builder, described.strides[dim], constant.into());
                offset = sum(&mut builder, offset, distance);
            }
        }
        let bytes = product(
            &mut builder,
            offset,
            contraction.elements[operand].bytes().into(),
        );
        let address = sum(&mut builder, described.pointer.into(), bytes);
        arguments.push(address.materialize(&mut builder));
        for &i in &loops {
            numbers.push(match contraction.stride(builder.ir, i, operand) {
                Some(stride) => stride.into(),
                None => {
                    let steps = &contraction.loops[i].steps[operand];
                    stride_of(&mut builder, &described.strides, steps)
                }
            });
        }
    }
    let flag = |is_set, flag| match is_set {
        true => flag,
        false => 0,
    };
    let flags = flag(contraction.may_fuse, FUSED)
        | flag(contraction.any_order, ANY_ORDER)
        | flag(fill.is_some(), NEW)
        | kinds(contraction.elements);
    let threads = match threads {
        0 | 1 => 0,
        threads => threads << THREADS_SHIFT,
    };
    arguments.push(arith::constant_index(&mut builder, flags | threads));
    if contraction.zeros != [None; 2] {
        for zero in contraction.zeros {
            numbers.push(match zero {
                Some(zero) => builder
                    .value(&arith::INDEX_CAST, &[zero], Type::INDEX)
                    .into(),
                None => MixedIndex::Constant(0),
            });
        }
    }
    arguments.push(array(&mut builder, &numbers, define));
    build_borrowing_call(&mut builder, callee.name, &arguments);
    ir.erase_op(op);
    if let Some(fill) = fill {
        ir.erase_op(fill);
    }
}

/// How far a buffer's elements are apart whose subscripts differ by one step of a counter.
fn stride_of(
    builder: &mut Builder<'_>,
    strides: &[MixedIndex],
    steps: &[(usize, i64)],
) -> MixedIndex {
    (steps.iter()).fold(MixedIndex::Constant(0), |stride, &(dim, factor)| {
        let distance = product(builder, strides[dim], factor.into());
        sum(builder, stride, distance)
    })
}

/// An array of these.
fn array(
    builder: &mut Builder<'_>,
    numbers: &[MixedIndex],
    define: &mut impl FnMut(String, Vec<i64>) -> bool,
) -> Value {
    let context = builder.context();
    let ty = array_type(&context, numbers.len());
    let known: Option<Vec<i64>> = (numbers.iter())
        .map(|number| match number {
            MixedIndex::Constant(number) => Some(*number),
            MixedIndex::Value(_) => None,
        })
        .collect();
    let known = known.filter(|known| !known.is_empty());
    let named = known.and_then(|known| {
        let name = known.iter().fold(String::from(ARRAY_NAME), |name, number| {
            format!("{name}_{number}")
        });
        define(name.clone(), known).then_some(name)
    });
    let array = match named {
        Some(name) => memref::build::get_global(builder, &name, ty),
        None => store_numbers(builder, ty, numbers),
    };
    memref::build::cast(builder, array, numbers_type(&context))
}

/// An array of these on the stack.
fn store_numbers(builder: &mut Builder<'_>, ty: Type, numbers: &[MixedIndex]) -> Value {
    let array = memref::build::alloca(builder, ty, &[]);
    for (i, number) in numbers.iter().enumerate() {
        let number = number.materialize(builder);
        let index = arith::constant_index(builder, i as i64);
        memref::build::store(builder, number, array, &[index]);
    }
    array
}

fn array_type(context: &Context, n: usize) -> Type {
    context.memref_type(MemRefType::identity(&[n as i64], Type::INDEX))
}

/// `dense<[...]> : tensor<nxindex>`
fn index_elements_attr(context: &Context, numbers: &[i64]) -> Attr {
    let ty = context.intern_type(TypeKind::RankedTensor {
        shape: Box::new([numbers.len() as i64]),
        element: Type::INDEX,
        encoding: None,
    });
    let splat = numbers.iter().all(|number| *number == numbers[0]);
    let stored = if splat { &numbers[..1] } else { numbers };
    let bytes: Vec<u8> = stored.iter().flat_map(|n| n.to_le_bytes()).collect();
    context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat,
        bytes: bytes.into(),
    }))
}
