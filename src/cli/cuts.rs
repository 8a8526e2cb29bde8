//! What `reduce` tries: ways to make a program smaller, each at many places.
//!
//! A cut need not leave a valid program; the verifier says so afterwards.

use std::collections::BTreeSet;

use freehold_frontend::dialects::shared::const_fold::{splat_attr, zero_attr};
use freehold_frontend::dialects::{arith, cf, func, memref, tensor};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};

/// A way to make a program smaller.
pub(crate) struct Cut {
    /// How many places there are for it.
    pub(crate) places: fn(&Ir) -> usize,
    /// Cuts at these places, as far as that is possible.
    pub(crate) make: fn(&mut Ir, &[usize]),
    /// Whether the program is simpler afterwards even if its text is not shorter.
    pub(crate) is_simpler: bool,
}

/// All of them, coarse ones first.
pub(crate) const CUTS: &[Cut] = &[
    Cut {
        places: |ir| symbols(ir).len(),
        make: remove_symbols,
        is_simpler: false,
    },
    Cut {
        places: |ir| all_ops(ir).len(),
        make: |ir, places| remove_ops(ir, places, Replacement::Operand),
        is_simpler: false,
    },
    Cut {
        places: |ir| all_ops(ir).len(),
        make: |ir, places| remove_ops(ir, places, Replacement::Zero),
        is_simpler: false,
    },
    Cut {
        places: |ir| all_ops(ir).len(),
        make: unwrap_regions,
        is_simpler: false,
    },
    Cut {
        places: |ir| all_ops(ir).len(),
        make: straighten_branches,
        is_simpler: true,
    },
    Cut {
        places: |ir| functions(ir).map(|(_, function)| function.n_blocks()).sum(),
        make: |ir, _| remove_dead(ir),
        is_simpler: false,
    },
    Cut {
        places: |ir| {
            functions(ir)
                .map(|(_, function)| n_arguments(function))
                .sum()
        },
        make: remove_arguments,
        is_simpler: false,
    },
    Cut {
        places: |ir| functions(ir).map(|(_, function)| n_results(function)).sum(),
        make: remove_results,
        is_simpler: false,
    },
    Cut {
        places: |ir| all_ops(ir).len(),
        make: remove_attributes,
        is_simpler: false,
    },
    Cut {
        places: |ir| functions(ir).count(),
        make: remove_function_attributes,
        is_simpler: false,
    },
    Cut {
        places: |ir| all_ops(ir).len(),
        make: join_blocks,
        is_simpler: false,
    },
    Cut {
        places: |ir| all_ops(ir).len(),
        make: simplify_constants,
        is_simpler: true,
    },
    Cut {
        places: |ir| all_ops(ir).len(),
        make: forward_operands,
        is_simpler: true,
    },
];

/// Operations of the module.
fn symbols(ir: &Ir) -> Vec<Op> {
    ir.root_block()
        .map_or(Vec::new(), |block| ir.ops_in(block).collect())
}

/// Functions with bodies, and where they are.
fn functions(ir: &Ir) -> impl Iterator<Item = (Op, &Ir)> {
    let all = symbols(ir).into_iter();
    all.filter_map(move |op| Some((op, ir.nested(op)?)))
        .filter(|(_, nested)| nested.root_block().is_some())
}

/// All operations inside of functions: the function and the operation.
fn all_ops(ir: &Ir) -> Vec<(Op, Op)> {
    let mut ops = Vec::new();
    for (stub, function) in functions(ir) {
        let inner = function
            .walk(function.root())
            .filter(|&op| op != function.root());
        ops.extend(inner.map(|op| (stub, op)));
    }
    ops
}

/// Calls `each` with the operations at these places, last ones first.
fn at_places(ir: &mut Ir, places: &[usize], mut each: impl FnMut(&mut Ir, Op)) {
    let ops = all_ops(ir);
    let chosen: Vec<(Op, Op)> = places
        .iter()
        .filter_map(|&place| ops.get(place).copied())
        .collect();
    for (stub, op) in chosen.into_iter().rev() {
        if let Some(function) = ir.nested_mut(stub)
            && !function.is_erased(op)
        {
            each(function, op);
        }
    }
}

fn remove_symbols(ir: &mut Ir, places: &[usize]) {
    let all = symbols(ir);
    for &place in places.iter().rev() {
        if let Some(&op) = all.get(place) {
            ir.erase_op(op);
        }
    }
}

/// What takes the place of a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replacement {
    /// An operand of the same type.
    Operand,
    /// Zero, or new memory.
    Zero,
}

fn remove_ops(ir: &mut Ir, places: &[usize], replacement: Replacement) {
    at_places(ir, places, |function, op| {
        if !function.has_trait(op, Traits::TERMINATOR) {
            remove(function, op, replacement);
        }
    });
}

/// Removes an operation if there is something for its results.
fn remove(ir: &mut Ir, op: Op, replacement: Replacement) {
    let results = ir.results(op).to_vec();
    let mut values = Vec::new();
    for &result in &results {
        if ir.has_no_uses(result) {
            values.push(result);
            continue;
        }
        let ty = ir.value_type(result);
        let value = match replacement {
            Replacement::Operand => {
                let mut operands = ir.operands(op).iter().copied();
                operands.find(|&operand| ir.value_type(operand) == ty)
            }
            Replacement::Zero if is_plain(ir, op) => None,
            Replacement::Zero => zero_before(ir, op, ty),
        };
        match value {
            Some(value) => values.push(value),
            None => return,
        }
    }
    for (&result, value) in results.iter().zip(values) {
        if result != value {
            ir.replace_all_uses(result, value);
        }
    }
    ir.erase_op(op);
}

/// Whether an operation is already what others are replaced with.
fn is_plain(ir: &Ir, op: Op) -> bool {
    ir.is(op, &arith::CONSTANT) || ir.is(op, &memref::ALLOC) || ir.is(op, &tensor::EMPTY)
}

/// A simple value of a type, made before `op`.
fn zero_before(ir: &mut Ir, op: Op, ty: Type) -> Option<Value> {
    let context = std::sync::Arc::clone(ir.context());
    let loc = ir.loc(op);
    let spec = match context.type_kind(ty) {
        TypeKind::MemRef(memref) if memref.has_static_shape() && memref.layout.is_none() => {
            OpSpec::new(&memref::ALLOC, loc)
                .attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&[0, 0]))
        }
        _ => OpSpec::new(&arith::CONSTANT, loc).attr(Name::VALUE, zero_attr(&context, ty)?),
    };
    let new = ir.create_op(spec.results(&[ty]));
    ir.insert_op_before(op, new);
    Some(ir.result(new, 0))
}

/// Puts the contents of a region in the place of its operation: one iteration, one branch.
fn unwrap_regions(ir: &mut Ir, places: &[usize]) {
    at_places(ir, places, unwrap);
}

fn unwrap(ir: &mut Ir, op: Op) {
    let regions = ir.regions(op).to_vec();
    for region in regions {
        let Some(block) = ir.entry_block(region) else {
            continue;
        };
        if ir.next_block(block).is_some() {
            continue;
        }
        let Some(terminator) = ir.terminator(block) else {
            continue;
        };
        let yielded = ir.operands(terminator).to_vec();
        let results = ir.results(op).to_vec();
        let types = |ir: &Ir, values: &[Value]| -> Vec<Type> {
            values.iter().map(|&value| ir.value_type(value)).collect()
        };
        if types(ir, &yielded) != types(ir, &results) {
            continue;
        }
        // Arguments become operands of the same type, or zero.
        let arguments = ir.block_args(block).to_vec();
        let operands = ir.operands(op).to_vec();
        let mut values = Vec::new();
        let mut next = operands.len();
        for &argument in arguments.iter().rev() {
            let ty = ir.value_type(argument);
            let found = operands[..next]
                .iter()
                .rposition(|&operand| ir.value_type(operand) == ty);
            let value = match found {
                Some(at) => {
                    next = at;
                    Some(operands[at])
                }
                None => zero_before(ir, op, ty),
            };
            match value {
                Some(value) => values.push(value),
                None => return,
            }
        }
        values.reverse();
        for (&argument, value) in arguments.iter().zip(values) {
            ir.replace_all_uses(argument, value);
        }
        let yielded = ir.operands(terminator).to_vec();
        ir.erase_op(terminator);
        ir.move_block_contents_before(block, op);
        ir.replace_op(op, &yielded);
        return;
    }
}

/// Conditional branches take their first or second way.
fn straighten_branches(ir: &mut Ir, places: &[usize]) {
    let way = places.first().map_or(0, |place| place % 2);
    at_places(ir, places, |function, op| {
        let Some(branch) = cf::CondBr::cast(function, op) else {
            return;
        };
        let (dest, operands) = match way {
            0 => (
                branch.true_dest(function),
                branch.true_operands(function).to_vec(),
            ),
            _ => (
                branch.false_dest(function),
                branch.false_operands(function).to_vec(),
            ),
        };
        let spec = OpSpec::new(&cf::BR, function.loc(op))
            .operands(&operands)
            .successors(&[dest]);
        let new = function.create_op(spec);
        function.insert_op_before(op, new);
        function.erase_op(op);
    });
    remove_dead(ir);
}

/// Removes blocks that nothing goes to, and values that nothing uses.
fn remove_dead(ir: &mut Ir) {
    let stubs: Vec<Op> = functions(ir).map(|(stub, _)| stub).collect();
    for stub in stubs {
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        let regions: Vec<_> = function
            .walk(function.root())
            .flat_map(|op| function.regions(op).to_vec())
            .collect();
        // Inner ones first: a block takes its regions with it.
        for region in regions.into_iter().rev() {
            let blocks: Vec<Block> = function.blocks_in(region).collect();
            let Some(&entry) = blocks.first() else {
                continue;
            };
            let mut reached = BTreeSet::from([entry]);
            let mut work = vec![entry];
            while let Some(block) = work.pop() {
                for &next in function.block_successors(block) {
                    if reached.insert(next) {
                        work.push(next);
                    }
                }
            }
            let dead: Vec<Block> = blocks
                .into_iter()
                .filter(|block| !reached.contains(block))
                .collect();
            if !dead.is_empty() {
                function.erase_blocks(&dead);
            }
        }
        loop {
            let dead: Vec<Op> = function
                .walk(function.root())
                .filter(|&op| op != function.root() && is_dead(function, op))
                .collect();
            if dead.is_empty() {
                break;
            }
            for op in dead.into_iter().rev() {
                if !function.is_erased(op) && function.is_unused(op) {
                    function.erase_op(op);
                }
            }
        }
    }
}

/// Whether an operation only makes values that nothing uses.
fn is_dead(ir: &Ir, op: Op) -> bool {
    ir.has_trait(op, Traits::SPECULATABLE)
        && !ir.has_trait(op, Traits::TERMINATOR)
        && ir.is_unused(op)
}

fn n_arguments(function: &Ir) -> usize {
    function
        .root_block()
        .map_or(0, |block| function.block_args(block).len())
}

fn n_results(function: &Ir) -> usize {
    signature(function).map_or(0, |(_, results)| results.len())
}

fn signature(function: &Ir) -> Option<(Vec<Type>, Vec<Type>)> {
    let ty = function.function_type(function.root())?;
    match function.context().type_kind(ty) {
        TypeKind::Function { inputs, results } => Some((inputs.to_vec(), results.to_vec())),
        _ => None,
    }
}

/// The function and the index in it of place number `place`.
fn place_in(ir: &Ir, place: usize, size: fn(&Ir) -> usize) -> Option<(Op, usize)> {
    let mut rest = place;
    for (stub, function) in functions(ir) {
        if rest < size(function) {
            return Some((stub, rest));
        }
        rest -= size(function);
    }
    None
}

fn set_signature(function: &mut Ir, inputs: &[Type], results: &[Type]) {
    let context = std::sync::Arc::clone(function.context());
    let ty = context.type_attr(context.function_type(inputs, results));
    let root = function.root();
    function.set_attr(root, Name::FUNCTION_TYPE, ty);
    // They belong to arguments and results that may be gone.
    function.remove_attr(root, Name::ARG_ATTRS);
    function.remove_attr(root, Name::RES_ATTRS);
}

/// The calls of a function: who calls, and where.
fn calls_of(ir: &Ir, stub: Op) -> Vec<(Op, Op)> {
    let name = ir.symbol_name(stub).unwrap_or_default();
    let calls = all_ops(ir).into_iter().filter(|&(caller, op)| {
        let Some(function) = ir.nested(caller) else {
            return false;
        };
        let callee = function.attr(op, Name::CALLEE);
        function.is(op, &func::CALL)
            && callee.and_then(|callee| function.context().attr_flat_symbol(callee)) == Some(name)
    });
    calls.collect()
}

fn remove_arguments(ir: &mut Ir, places: &[usize]) {
    for &place in places.iter().rev() {
        let Some((stub, index)) = place_in(ir, place, n_arguments) else {
            continue;
        };
        let calls = calls_of(ir, stub);
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        let (Some(block), Some((mut inputs, results))) =
            (function.root_block(), signature(function))
        else {
            continue;
        };
        let argument = function.block_args(block)[index];
        if !function.has_no_uses(argument) {
            let ty = function.value_type(argument);
            let zero = function
                .first_op(block)
                .and_then(|op| zero_before(function, op, ty));
            let Some(zero) = zero else { continue };
            function.replace_all_uses(argument, zero);
        }
        function.remove_block_arg(block, index);
        inputs.remove(index);
        set_signature(function, &inputs, &results);
        for (caller, call) in calls {
            if let Some(function) = ir.nested_mut(caller) {
                function.remove_operand(call, index);
            }
        }
    }
}

fn remove_results(ir: &mut Ir, places: &[usize]) {
    for &place in places.iter().rev() {
        let Some((stub, index)) = place_in(ir, place, n_results) else {
            continue;
        };
        let calls = calls_of(ir, stub);
        let is_used = |&(caller, call): &(Op, Op)| {
            let function = ir.nested(caller);
            function.is_some_and(|function| !function.has_no_uses(function.result(call, index)))
        };
        if calls.iter().any(is_used) {
            continue;
        }
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        let Some((inputs, mut results)) = signature(function) else {
            continue;
        };
        let returns: Vec<Op> = function
            .walk(function.root())
            .filter(|&op| function.is(op, &func::RETURN))
            .collect();
        for op in returns {
            function.remove_operand(op, index);
        }
        results.remove(index);
        set_signature(function, &inputs, &results);
        for (caller, call) in calls {
            if let Some(function) = ir.nested_mut(caller) {
                function.remove_result(call, index);
            }
        }
    }
}

/// Removes attributes that operations can do without.
fn remove_attributes(ir: &mut Ir, places: &[usize]) {
    at_places(ir, places, |function, op| {
        let context = std::sync::Arc::clone(function.context());
        let row = function.def(op);
        let names: Vec<Name> = context
            .dict(function.attrs(op))
            .iter()
            .map(|&(name, _)| name)
            .collect();
        for name in names {
            let is_needed = name == Name::OPERAND_SEGMENT_SIZES
                || name == Name::RESULT_SEGMENT_SIZES
                || row
                    .attributes
                    .iter()
                    .any(|spec| spec.name == name && spec.required);
            if !is_needed {
                function.remove_attr(op, name);
            }
        }
    });
}

/// Removes what functions say of themselves besides name and type.
fn remove_function_attributes(ir: &mut Ir, places: &[usize]) {
    let stubs: Vec<Op> = functions(ir).map(|(stub, _)| stub).collect();
    for &place in places {
        let Some(function) = stubs.get(place).and_then(|&stub| ir.nested_mut(stub)) else {
            continue;
        };
        let context = std::sync::Arc::clone(function.context());
        let root = function.root();
        let kept = [Name::SYM_NAME, Name::SYM_VISIBILITY, Name::FUNCTION_TYPE];
        let attrs = context.dict(function.attrs(root)).iter();
        let names: Vec<Name> = attrs.map(|&(name, _)| name).collect();
        for name in names.into_iter().filter(|name| !kept.contains(name)) {
            function.remove_attr(root, name);
        }
    }
}

/// A block that only one branch goes to becomes the end of the block before it.
fn join_blocks(ir: &mut Ir, places: &[usize]) {
    at_places(ir, places, |function, op| {
        if !function.is(op, &cf::BR) {
            return;
        }
        let (dest, Some(block)) = (function.successors(op)[0], function.block_of(op)) else {
            return;
        };
        let Some(region) = function.region_of(block) else {
            return;
        };
        let comes_from = |other: Block| {
            let next = function.block_successors(other).iter();
            next.filter(|&&next| next == dest).count()
        };
        let n: usize = function.blocks_in(region).map(comes_from).sum();
        if n != 1 || function.entry_block(region) == Some(dest) || dest == block {
            return;
        }
        let values = function.operands(op).to_vec();
        let arguments = function.block_args(dest).to_vec();
        for (argument, value) in arguments.into_iter().zip(values) {
            function.replace_all_uses(argument, value);
        }
        function.erase_op(op);
        function.move_block_contents_to_end(dest, block);
        function.erase_block(dest);
    });
}

/// Constants become zero, or one.
fn simplify_constants(ir: &mut Ir, places: &[usize]) {
    let bits = places.first().map_or(0, |place| place % 2);
    at_places(ir, places, |function, op| {
        if !function.is(op, &arith::CONSTANT) {
            return;
        }
        let context: std::sync::Arc<Context> = std::sync::Arc::clone(function.context());
        let ty = function.value_type(function.result(op, 0));
        let is_float = context
            .float_kind(context.element_type_or_self(ty))
            .is_some();
        let simple = match (bits, is_float) {
            (0, _) | (_, true) => zero_attr(&context, ty),
            _ => splat_attr(&context, ty, 1),
        };
        let old = function.attr(op, Name::VALUE);
        let is_simple = old.is_some_and(|old| match context.attr_kind(old) {
            AttrKind::Integer { value, .. } => (0..2).contains(value),
            AttrKind::Float { bits, .. } => *bits == 0,
            AttrKind::DenseElements(dense) => {
                dense.splat && dense.bytes.iter().all(|&byte| byte == 0)
            }
            _ => false,
        });
        if let (Some(simple), false) = (simple, is_simple) {
            function.set_attr(op, Name::VALUE, simple);
        }
    });
}

/// Operands become earlier values of their type: those that the value was made of.
fn forward_operands(ir: &mut Ir, places: &[usize]) {
    at_places(ir, places, |function, op| {
        for index in 0..function.operands(op).len() {
            let operand = function.operand(op, index);
            let Some(maker) = function.defining_op(operand) else {
                continue;
            };
            let ty = function.value_type(operand);
            let mut sources = function.operands(maker).iter().copied();
            if let Some(source) = sources.find(|&source| function.value_type(source) == ty) {
                function.set_operand(op, index, source);
            }
        }
    });
}

/// A change of a text, if it applies.
pub(crate) type TextChange = Box<dyn Fn(&str) -> Option<String>>;

/// Changes that make a number smaller wherever it stands.
pub(crate) fn shrink_numbers(text: &str) -> Vec<TextChange> {
    let mut numbers = BTreeSet::new();
    for (start, end) in digits(text) {
        if let Ok(number) = text[start..end].parse::<u64>()
            && number > 1
        {
            numbers.insert(number);
        }
    }
    let mut changes: Vec<TextChange> = Vec::new();
    for &number in numbers.iter().rev() {
        let mut smaller = vec![1, 2, number / 2, number - 1];
        smaller.retain(|&value| value < number && value > 0);
        smaller.dedup();
        for value in smaller {
            changes.push(Box::new(move |text: &str| {
                replace_number(text, number, value)
            }));
        }
    }
    changes
}

/// Where numbers stand by themselves: not in names or floats.
fn digits(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        let before = if start == 0 { b' ' } else { bytes[start - 1] };
        // `x` comes before a size of a type: `4x8xf32`.
        let is_size = before == b'x'
            && start >= 2
            && (bytes[start - 2].is_ascii_digit() || bytes[start - 2] == b'?');
        let begins = is_size || !(before.is_ascii_alphanumeric() || b"_.%#@$^".contains(&before));
        let is_float = bytes.get(at) == Some(&b'.');
        if begins && !is_float {
            found.push((start, at));
        }
    }
    found
}

fn replace_number(text: &str, number: u64, value: u64) -> Option<String> {
    let old = number.to_string();
    let mut out = String::new();
    let mut last = 0;
    let mut changed = false;
    for (start, end) in digits(text) {
        if text[start..end] == *old {
            out.push_str(&text[last..start]);
            out.push_str(&value.to_string());
            last = end;
            changed = true;
        }
    }
    out.push_str(&text[last..]);
    changed.then_some(out)
}
