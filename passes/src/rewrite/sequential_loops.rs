//! Nests of `scf.for`, and parallel loops turned into them: iterations run one after the other,
//! reductions become loop-carried values.

use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::interfaces::Bound;

/// The innermost of a nest of new loops.
pub(crate) struct Nest {
    /// Before which the body goes.
    pub(crate) anchor: Op,
    /// Induction variables, outermost first.
    pub(crate) variables: Vec<Value>,
    /// What the innermost loop carries.
    pub(crate) carried: Vec<Value>,
    /// All loops, outermost first.
    loops: Vec<Op>,
}

/// Makes one loop per triple of bounds before `op`, carrying `inits`.
pub(crate) fn build_nest(ir: &mut Ir, op: Op, bounds: &[[Value; 3]], inits: &[Value]) -> Nest {
    let loc = ir.loc(op);
    let mut nest = Nest {
        anchor: op,
        variables: Vec::new(),
        carried: inits.to_vec(),
        loops: Vec::new(),
    };
    for &[lower, upper, step] in bounds {
        let mut builder = Builder::before(ir, nest.anchor);
        builder.set_loc(loc);
        let new = scf::build_for(&mut builder, lower, upper, step, &nest.carried);
        let view = scf::For(new);
        nest.variables.push(view.induction_variable(ir));
        nest.carried = view.iter_args(ir).to_vec();
        let body = view.body(ir);
        nest.anchor = match ir.last_op(body) {
            Some(terminator) => terminator,
            None => {
                let mut builder = Builder::at_end(ir, body);
                builder.set_loc(loc);
                scf::build_yield(&mut builder, &nest.carried)
            }
        };
        nest.loops.push(new);
    }
    nest
}

/// Lower bound, upper bound and step of every dimension of an `scf.parallel`.
pub(crate) fn parallel_bounds(ir: &Ir, op: Op) -> Vec<[Value; 3]> {
    let view = scf::Parallel(op);
    let lists = [view.lower_bounds(ir), view.upper_bounds(ir), view.steps(ir)];
    (0..view.steps(ir).len())
        .map(|i| lists.map(|list| list[i]))
        .collect()
}

/// The same of an `scf.forall`, with constants made before it.
pub(crate) fn forall_bounds(ir: &mut Ir, op: Op) -> Vec<[Value; 3]> {
    let view = scf::Forall(op);
    let lists = [
        scf::BoundKind::Lower,
        scf::BoundKind::Upper,
        scf::BoundKind::Step,
    ]
    .map(|kind| view.mixed(ir, kind));
    let mut builder = Builder::before(ir, op);
    (0..lists[0].len())
        .map(|i| {
            [0, 1, 2].map(|list: usize| match lists[list][i] {
                Bound::Value(value) => value,
                Bound::Constant(number) => arith::constant_index(&mut builder, number),
            })
        })
        .collect()
}

/// Turns the `scf.parallel` `op` into loops that carry its reductions.
pub(crate) fn lower_parallel(ir: &mut Ir, op: Op) {
    let view = scf::Parallel(op);
    let bounds = parallel_bounds(ir, op);
    let inits: Vec<Value> = view.init_vals(ir).to_vec();
    let nest = build_nest(ir, op, &bounds, &inits);
    let body = view.body(ir);
    let reduce = view.reduce_op(ir);
    nest.move_in(ir, body, reduce);
    let operands: Vec<Value> = ir.operands(reduce).to_vec();
    let mut carried_on = Vec::new();
    for (index, (&operand, &accumulator)) in operands.iter().zip(&nest.carried).enumerate() {
        let region = ir.region(reduce, index);
        let block = ir.entry_block(region).expect("reductions have a body");
        let result = ir
            .last_op(block)
            .expect("the body ends in scf.reduce.return");
        let arguments: Vec<Value> = ir.block_args(block).to_vec();
        ir.replace_all_uses(arguments[0], accumulator);
        ir.replace_all_uses(arguments[1], operand);
        carried_on.push(ir.operand(result, 0));
        ir.erase_op(result);
        ir.move_block_contents_before(block, nest.anchor);
    }
    ir.erase_op(reduce);
    let results = nest.finish(ir, carried_on);
    ir.replace_op(op, &results);
}

pub(crate) fn lower_forall(ir: &mut Ir, op: Op) {
    let bounds = forall_bounds(ir, op);
    let nest = build_nest(ir, op, &bounds, &[]);
    let body = scf::Forall(op).body(ir);
    let terminator = ir.last_op(body).expect("the body has a terminator");
    nest.move_in(ir, body, terminator);
    ir.erase_op(op);
}

impl Nest {
    /// The loop around all others; there is at least one.
    pub(crate) fn outermost(&self) -> Op {
        self.loops[0]
    }

    /// Moves the operations of `body` but its terminator into the innermost
    /// loop; its arguments are the induction variables.
    pub(crate) fn move_in(&self, ir: &mut Ir, body: Block, terminator: Op) {
        for (index, &variable) in self.variables.iter().enumerate() {
            let argument = ir.block_args(body)[index];
            ir.replace_all_uses(argument, variable);
        }
        while let Some(op) = ir.first_op(body)
            && op != terminator
        {
            ir.move_op_before(op, self.anchor);
        }
    }

    /// Carries `values` on in the innermost loop and out through all of them;
    /// returns the results of the outermost.
    pub(crate) fn finish(&self, ir: &mut Ir, values: Vec<Value>) -> Vec<Value> {
        let mut results = values;
        for &new in self.loops.iter().rev() {
            let terminator = scf::For(new).yield_op(ir);
            ir.set_operands(terminator, &results);
            results = ir.results(new).to_vec();
        }
        results
    }
}
