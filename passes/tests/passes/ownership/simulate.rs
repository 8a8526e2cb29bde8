//! Runs a function on one path and says what goes wrong with each buffer.
//!
//! This is what the checker is compared with. It follows the structure of the
//! IR as written, keeps every buffer ever made, and takes what nobody can know
//! (what a called function answers, how often a loop runs) from a tape of
//! bits. All tapes together are all paths, as long as loops run at most
//! [`MAX_ITERATIONS`] times.

use std::collections::BTreeSet;

use freehold_frontend::dialects::{arith, bufferization, cf, func, memref, scf};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

/// Iterations of one run of a `scf` loop.
const MAX_ITERATIONS: usize = 4;
/// Operations one run may take; more is a loop that does not end.
const MAX_STEPS: usize = 400;

/// What is wrong, in the words of the checker, and at which operation.
pub(super) type Problems = BTreeSet<(Op, &'static str)>;

/// What went wrong on any path of the function `ir`, and whether there were so
/// many paths that some were left out.
pub(super) fn all_problems(ir: &Ir, max_paths: usize) -> (Problems, bool) {
    let mut problems = Problems::new();
    let mut tape: Vec<bool> = Vec::new();
    for _ in 0..max_paths {
        let mut machine = Machine::new(ir, std::mem::take(&mut tape));
        machine.run();
        problems.append(&mut machine.problems);
        tape = machine.tape;
        tape.truncate(machine.position);
        // The next tape: the last bit that is not set.
        while tape.pop_if(|bit| *bit).is_some() {}
        match tape.last_mut() {
            Some(last) => *last = true,
            None => return (problems, false),
        }
    }
    (problems, true)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Data {
    Bool(bool),
    /// The number of a buffer.
    Buffer(usize),
    Unknown,
}

struct Buffer {
    /// `None`: foreign.
    op: Option<Op>,
    /// How many buffers there had been when it was freed, if it was.
    freed: Option<usize>,
    /// Something is wrong with it already.
    done: bool,
}

struct Machine<'a> {
    ir: &'a Ir,
    tape: Vec<bool>,
    position: usize,
    data: FxHashMap<Value, Data>,
    buffers: Vec<Buffer>,
    problems: Problems,
    n_steps: usize,
}

/// How a block ends.
enum End {
    Yield(Vec<Data>),
    Condition(bool, Vec<Data>),
    Stop,
}

impl<'a> Machine<'a> {
    fn new(ir: &'a Ir, tape: Vec<bool>) -> Self {
        Self {
            ir,
            tape,
            position: 0,
            data: FxHashMap::default(),
            buffers: Vec::new(),
            problems: Problems::new(),
            n_steps: 0,
        }
    }

    fn choose(&mut self) -> bool {
        if self.position == self.tape.len() {
            self.tape.push(false);
        }
        self.position += 1;
        self.tape[self.position - 1]
    }

    fn new_buffer(&mut self, op: Option<Op>) -> Data {
        self.buffers.push(Buffer {
            op,
            freed: None,
            done: false,
        });
        Data::Buffer(self.buffers.len() - 1)
    }

    fn run(&mut self) {
        let block = self.ir.root_block().expect("a function with a body");
        for &argument in self.ir.block_args(block) {
            let data = self.unknown(argument);
            self.data.insert(argument, data);
        }
        let _ = self.run_block(block);
    }

    /// A value that nothing is known of.
    fn unknown(&mut self, value: Value) -> Data {
        if self.ir.is_memref(value) {
            self.new_buffer(None)
        } else if self.ir.value_type(value) == Type::I1 {
            Data::Bool(self.choose())
        } else {
            Data::Unknown
        }
    }

    fn get(&self, value: Value) -> Data {
        self.data[&value]
    }

    fn get_all(&self, values: &[Value]) -> Vec<Data> {
        values.iter().map(|&value| self.get(value)).collect()
    }

    fn truth(&self, value: Value) -> bool {
        self.get(value) == Data::Bool(true)
    }

    fn buffer(&self, value: Value) -> usize {
        match self.get(value) {
            Data::Buffer(buffer) => buffer,
            _ => panic!("not a buffer"),
        }
    }

    fn assign(&mut self, targets: &[Value], data: &[Data]) {
        assert_eq!(targets.len(), data.len());
        self.data
            .extend(targets.iter().copied().zip(data.iter().copied()));
    }

    fn problem(&mut self, buffer: usize, problem: &'static str) {
        let buffer = &mut self.buffers[buffer];
        if let Some(op) = buffer.op
            && !std::mem::replace(&mut buffer.done, true)
        {
            self.problems.insert((op, problem));
        }
    }

    fn free(&mut self, op: Op, buffer: usize) {
        if self.buffers[buffer].op.is_none() {
            self.problems.insert((op, "foreign"));
        } else if self.buffers[buffer].freed.is_some() {
            self.problem(buffer, "twice");
        } else {
            self.buffers[buffer].freed = Some(self.buffers.len());
        }
    }

    fn run_block(&mut self, mut block: Block) -> End {
        let ir = self.ir;
        'blocks: loop {
            for op in ir.ops_in(block) {
                self.n_steps += 1;
                if self.n_steps > MAX_STEPS {
                    return End::Stop;
                }
                let is = |def| ir.is(op, def);
                if is(&scf::YIELD) {
                    return End::Yield(self.get_all(ir.operands(op)));
                }
                if is(&scf::CONDITION) {
                    let operands = ir.operands(op);
                    return End::Condition(self.truth(operands[0]), self.get_all(&operands[1..]));
                }
                if is(&func::RETURN) {
                    self.run_return(op);
                    return End::Stop;
                }
                if is(&cf::BR) || is(&cf::COND_BR) {
                    let index = usize::from(is(&cf::COND_BR) && !self.truth(ir.operand(op, 0)));
                    let data = self.get_all(ir.successor_operands(op, index));
                    block = ir.successors(op)[index];
                    self.assign(ir.block_args(block), &data);
                    continue 'blocks;
                }
                let Some(results) = self.run_op(op) else {
                    return End::Stop;
                };
                self.assign(ir.results(op), &results);
            }
            panic!("a block without terminator");
        }
    }

    fn run_return(&mut self, op: Op) {
        for data in self.get_all(self.ir.operands(op)) {
            let Data::Buffer(buffer) = data else { continue };
            if self.buffers[buffer].op.is_none() {
                self.problems.insert((op, "foreign"));
            } else if self.buffers[buffer].freed.is_some() {
                self.problem(buffer, "returned");
            }
            self.buffers[buffer].done = true;
        }
        for buffer in 0..self.buffers.len() {
            if self.buffers[buffer].freed.is_none() {
                self.problem(buffer, "leak");
            }
        }
    }

    /// The results of an operation; `None` if the program does not go on.
    fn run_op(&mut self, op: Op) -> Option<Vec<Data>> {
        let ir = self.ir;
        let operands = ir.operands(op);
        let is = |def| ir.is(op, def);
        if is(&scf::IF) {
            let branch = scf::If(op);
            let block = if self.truth(operands[0]) {
                Some(branch.then_block(ir))
            } else {
                branch.else_block(ir)
            };
            return match block.map(|block| self.run_block(block)) {
                None => Some(Vec::new()),
                Some(End::Yield(data)) => Some(data),
                Some(_) => None,
            };
        }
        if is(&scf::FOR) {
            let mut carried = self.get_all(scf::For(op).init_args(ir));
            let mut n_iterations = 0;
            while n_iterations < MAX_ITERATIONS && self.choose() {
                n_iterations += 1;
                let body = scf::For(op).body(ir);
                carried.insert(0, Data::Unknown);
                self.assign(ir.block_args(body), &carried);
                let End::Yield(data) = self.run_block(body) else {
                    return None;
                };
                carried = data;
            }
            return Some(carried);
        }
        if is(&scf::WHILE) {
            let view = scf::While(op);
            let mut carried = self.get_all(operands);
            loop {
                self.assign(ir.block_args(view.before_block(ir)), &carried);
                let before = self.run_block(view.before_block(ir));
                let End::Condition(goes_on, data) = before else {
                    return None;
                };
                if !goes_on {
                    return Some(data);
                }
                self.assign(ir.block_args(view.after_block(ir)), &data);
                let after = self.run_block(view.after_block(ir));
                let End::Yield(data) = after else { return None };
                carried = data;
            }
        }
        if is(&bufferization::DEALLOC) {
            return Some(self.run_dealloc(op));
        }
        if is(&func::CALL) {
            for &operand in operands {
                if let Data::Buffer(buffer) = self.get(operand) {
                    self.use_buffer(buffer);
                }
            }
            let mut results = Vec::new();
            for &result in ir.results(op) {
                results.push(if ir.is_memref(result) {
                    self.new_buffer(Some(op))
                } else {
                    self.unknown(result)
                });
            }
            return Some(results);
        }
        let effects = ir.own_effects(op).expect("an operation with known effects");
        for effect in effects.iter() {
            let Some(value) = effect.value else { continue };
            match effect.kind {
                EffectKind::Free => self.free(op, self.buffer(value)),
                EffectKind::Read | EffectKind::Write if operands.contains(&value) => {
                    self.use_buffer(self.buffer(value));
                }
                _ => {}
            }
        }
        let data = self.get_all(operands);
        Some(vec![match data[..] {
            _ if is(&memref::ALLOC) || is(&bufferization::CLONE) => self.new_buffer(Some(op)),
            _ if is(&memref::ALLOCA) || is(&memref::GET_GLOBAL) => self.new_buffer(None),
            _ if is(&arith::CONSTANT) && ir.value_type(ir.result(op, 0)) == Type::I1 => {
                let value = ir.context().attr_integer(ir.attr(op, Name::VALUE)?)?;
                Data::Bool(value != 0)
            }
            [Data::Bool(a), Data::Bool(b)] if is(&arith::ANDI) => Data::Bool(a && b),
            [Data::Bool(a), Data::Bool(b)] if is(&arith::ORI) => Data::Bool(a || b),
            [Data::Bool(a), Data::Bool(b)] if is(&arith::XORI) => Data::Bool(a != b),
            [Data::Bool(c), a, b] if is(&arith::SELECT) => {
                if c {
                    a
                } else {
                    b
                }
            }
            [Data::Buffer(a), Data::Buffer(b)] if is(&arith::CMPI) => {
                let equal = arith::CmpIPredicate::of(ir, op) == Some(arith::CmpIPredicate::Eq);
                let may_be_same = self.may_reuse(a, b) || self.may_reuse(b, a);
                let same = a == b || (may_be_same && self.choose());
                if same && a != b {
                    // Of the others the checker takes them to be elsewhere.
                    for buffer in &mut self.buffers {
                        buffer.done |= buffer.freed.is_none();
                    }
                }
                Data::Bool(same == equal)
            }
            [source, ..] if ir.def(op).view_source.is_some() => source,
            [source] if is(&memref::EXTRACT_ALIGNED_POINTER_AS_INDEX) => source,
            _ => match ir.results(op) {
                [] => return Some(Vec::new()),
                &[result] => self.unknown(result),
                _ => panic!("{} is not simulated", ir.op_name(op)),
            },
        }])
    }

    /// Whether `later` may have the address of `earlier`: it was allocated after
    /// that was freed.
    fn may_reuse(&self, later: usize, earlier: usize) -> bool {
        self.buffers[later].op.is_some()
            && self.buffers[earlier]
                .freed
                .is_some_and(|n_buffers| later >= n_buffers)
    }

    fn use_buffer(&mut self, buffer: usize) {
        if self.buffers[buffer].freed.is_some() {
            self.problem(buffer, "used");
        }
    }

    fn run_dealloc(&mut self, op: Op) -> Vec<Data> {
        let ir = self.ir;
        let dealloc = bufferization::Dealloc(op);
        let retained: Vec<usize> = dealloc
            .retained(ir)
            .iter()
            .map(|&value| self.buffer(value))
            .collect();
        let mut owned = vec![false; retained.len()];
        let mut freed = Vec::new();
        for (&value, &condition) in dealloc.memrefs(ir).iter().zip(dealloc.conditions(ir)) {
            let buffer = self.buffer(value);
            if !self.truth(condition) {
                continue;
            }
            for (owned, &retained) in owned.iter_mut().zip(&retained) {
                *owned |= retained == buffer;
            }
            if !retained.contains(&buffer) && !freed.contains(&buffer) {
                freed.push(buffer);
            }
        }
        for buffer in freed {
            self.free(op, buffer);
        }
        owned.into_iter().map(Data::Bool).collect()
    }
}
