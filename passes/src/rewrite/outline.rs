//! Outlining: the live-ins of operations, and a private function that does the same.

use std::sync::Arc;

use freehold_frontend::dialects::func;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashSet;

/// Marks functions that run parts of parallel loops, from their first argument to their second one: see
/// `outline-parallel-loops`. The code generator knows it.
pub(crate) const PARALLEL_ATTR: &str = "freehold.parallel";

/// Marks functions that run the body of an async region: see `outline-async-bodies`. The code generator knows it.
pub(crate) const ASYNC_ATTR: &str = "freehold.async";

/// The live-ins of an operation, nested ones included.
pub(crate) struct Captures {
    /// Values, in the order of first uses.
    pub(crate) values: Vec<Value>,
    /// Constants, in the order of first uses.
    pub(crate) constants: Vec<Op>,
}

impl Captures {
    /// Those of `op`, where `first` come before all other values.
    pub(crate) fn of(ir: &Ir, op: Op, first: &[Value]) -> Self {
        let mut captures = Self {
            values: first.to_vec(),
            constants: Vec::new(),
        };
        let mut known: FxHashSet<Value> = first.iter().copied().collect();
        for inner in ir.walk(op) {
            for &operand in ir.operands(inner) {
                if known.insert(operand) {
                    match constant(ir, operand) {
                        Some(constant) => captures.constants.push(constant),
                        None => captures.values.push(operand),
                    }
                }
            }
            known.extend(ir.results(inner));
            for &region in ir.regions(inner) {
                let blocks = ir.blocks_in(region);
                known.extend(blocks.flat_map(|block| ir.block_args(block)));
            }
        }
        captures
    }
}

/// The operation that makes `value`, if it is a constant.
pub(crate) fn constant(ir: &Ir, value: Value) -> Option<Op> {
    let op = ir.defining_op(value)?;
    ir.has_trait(op, Traits::CONSTANT_LIKE).then_some(op)
}

/// A private function that does what `op` does and returns its results. It takes the values of `captures`, and has
/// copies of the constants.
pub(crate) fn function(ir: &Ir, op: Op, name: &str, captures: &Captures) -> Ir {
    let context = Arc::clone(ir.context());
    let types = |values: &[Value]| -> Vec<Type> {
        (values.iter()).map(|&value| ir.value_type(value)).collect()
    };
    let (inputs, results) = (types(&captures.values), types(ir.results(op)));
    let loc = ir.loc(op);
    let mut function = func::function(&context, loc, name, &inputs, &results);
    let root = function.root();
    function.set_attr(root, Name::SYM_VISIBILITY, context.string_attr("private"));
    let region = function.region(root, 0);
    let entry = function.append_block(region, &inputs);
    let mut map = IrMap::default();
    let parameters = function.block_args(entry).iter();
    map.values.extend(
        captures
            .values
            .iter()
            .zip(parameters)
            .map(|(&a, &b)| (a, b)),
    );
    for &constant in &captures.constants {
        let copy = function.import_op(ir, constant, &mut map);
        function.append_op(entry, copy);
    }
    let copy = function.import_op(ir, op, &mut map);
    function.append_op(entry, copy);
    let results = function.results(copy).to_vec();
    let mut builder = Builder::at_end(&mut function, entry);
    builder.set_loc(loc);
    func::build_return(&mut builder, &results);
    function
}

/// Replaces `op` by a call of a function that [`function`] made of it, or of one like it.
pub(crate) fn replace_by_call(ir: &mut Ir, op: Op, name: &str, captures: &Captures) {
    let results: Vec<Type> = (ir.results(op).iter())
        .map(|&result| ir.value_type(result))
        .collect();
    let call = func::build_call(
        &mut Builder::before(ir, op),
        name,
        &results,
        &captures.values,
    );
    for i in 0..results.len() {
        let (old, new) = (ir.result(op, i), ir.result(call, i));
        ir.replace_all_uses(old, new);
    }
    ir.erase_op(op);
}

/// Gives out names for functions made of parts of others.
pub(crate) struct Names<'a> {
    symbols: &'a SymbolTable,
    /// What follows the name of the function that they are parts of.
    ending: &'static str,
    next: u64,
}

impl<'a> Names<'a> {
    pub(crate) fn new(symbols: &'a SymbolTable, ending: &'static str) -> Self {
        Self {
            symbols,
            ending,
            next: 0,
        }
    }

    /// A name for a part of the function `base` that nothing has. Names of parts of different functions stay
    /// different.
    pub(crate) fn name(&mut self, base: &str) -> String {
        loop {
            let name = format!("{base}_{}_{}", self.ending, self.next);
            self.next += 1;
            if self.symbols.get(&name).is_none() {
                return name;
            }
        }
    }
}
