//! Calls of functions that free buffers themselves, and return what may not be theirs.
//!
//! ```mlir
//! func.func private @f(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
//!   %a = memref.alloc() : memref<4xf32>
//!   scf.if %c { memref.dealloc %a : memref<4xf32> }
//!   %s = arith.select %c, %m, %a : memref<4xf32>
//!   return %s : memref<4xf32>
//! }
//! %r = call @f(%m, %c)      // error: it is unknown whether %r is %m
//! ```
//!
//! The frees are left to the program, so `@f` returns `%s` as it is: a copy would leak where its callers know what
//! they get. Callers that free the result themselves do know; others would have it freed as theirs, and `%m` twice.
//!
//! Buffers connected by merges and by what branches and regions hand on are one family; the program manages a family if
//! one of them is freed, or compared by address as lowered deallocs do. A result that certainly becomes its
//! caller's result is the question of the next caller.

use freehold_frontend::dialects::{bufferization, deallocation};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::interfaces::Callee;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::analysis::flow::{EdgeKind, Origin, ValueFlow, is_return};
use crate::analysis::frees::{always_frees, uses_owners};
use crate::analysis::symbol_uses::names_besides_calls;
use crate::analysis::union_find::UnionFind;
use crate::rewrite::functions;
use crate::rewrite::signature::{callee, callees_first, calls_by_callee};

/// Why a result may not be a buffer of the caller's own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// It may be an argument, or another buffer that the function did not allocate.
    Borrowed,
    /// It may be the buffer of another result.
    Twice,
}

/// What a strategy does about such functions.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// Whether callers would free each of two results that are one buffer.
    pub(crate) twice: bool,
    /// Whether callers that free results are left to do that, whatever else is known of the buffers; otherwise only
    /// those are that free them for sure, or whose results deallocs concern, lowered or not.
    pub(crate) frees_are_left: bool,
}

/// Reports the calls in the module `ir` whose results have an unknown owner. Returns the functions whose
/// results are left to their callers.
///
/// # Errors
///
/// If there is such a call.
pub(crate) fn check(
    ir: &Ir,
    rules: Rules,
    diagnostics: &mut Diagnostics,
) -> Result<FxHashSet<String>, Failed> {
    let may_doubt = |function: &Ir| returns_buffers(function) && has_managed(function);
    if !functions::nested(ir).any(may_doubt) {
        return Ok(FxHashSet::default());
    }
    let functions: IndexMap<Op, Function<'_>, FxBuildHasher> = callees_first(ir)
        .into_iter()
        .filter_map(|stub| Some((stub, Function::new(ir.nested(stub)?))))
        .collect();
    let named = names_besides_calls(ir);
    let calls = calls_by_callee(ir);
    let mut known = Known::default();
    // Who was looked at before a callee was in doubt is looked at again: there are calls in a circle.
    let mut seen: FxHashSet<Op> = FxHashSet::default();
    let mut pending: Vec<Op> = functions.keys().rev().copied().collect();
    while let Some(stub) = pending.pop() {
        let Some((name, function)) = ir.symbol_name(stub).zip(functions.get(&stub)) else {
            continue;
        };
        if known.named.contains_key(name) {
            continue;
        }
        let Some(doubt) = function.doubt(&known, rules.twice) else {
            seen.insert(stub);
            continue;
        };
        known.named.insert(name.to_owned(), doubt);
        let callers = calls.get(name).into_iter().flatten();
        pending.extend(
            callers
                .map(|call| call.0)
                .filter(|caller| seen.remove(caller)),
        );
        if named.contains(name) && known.any.is_none() {
            known.any = Some(doubt);
            pending.extend(functions.keys().filter(|&caller| seen.remove(caller)));
        }
    }
    let mut result = Ok(());
    for function in functions.values() {
        result = result.and(function.report(&known, rules, diagnostics));
    }
    result.map(|()| known.named.into_keys().collect())
}

/// The functions of the module `ir` whose results a caller manages itself, as it gets them: they must not return owners.
pub(crate) fn called_by_managing(ir: &Ir) -> Vec<String> {
    functions::nested(ir)
        .filter(|function| has_managed(function))
        .flat_map(|function| {
            let function = Function::new(function);
            let ir = function.ir;
            let managed = ir.walk(ir.root()).filter(|&op| {
                let mut bases = function.results(op);
                ir.def(op).call.is_some() && bases.any(|base| function.managed(base).is_some())
            });
            let names = managed.filter_map(|op| callee(ir, op).map(str::to_owned));
            names.collect::<Vec<String>>()
        })
        .collect()
}

/// The calls of the function `ir` that get or return buffers that it manages itself, or may: it takes what they return to
/// be other buffers.
pub(crate) fn calls_with_managed(ir: &Ir) -> FxHashSet<Op> {
    let frees_any = frees_unknown(ir);
    if !frees_any && !has_managed(ir) {
        return FxHashSet::default();
    }
    let function = Function::new(ir);
    let calls = ir.walk(ir.root()).filter(|&op| ir.def(op).call.is_some());
    let is_concerned = |&op: &Op| {
        let mut values = ir.operands(op).iter().chain(ir.results(op));
        values.any(|&value| {
            let base = function.flow.base(value);
            base.is_some_and(|base| function.managed(base).is_some())
        })
    };
    calls.filter(|op| frees_any || is_concerned(op)).collect()
}

/// Whether an operation of the function frees what it does not name.
fn frees_unknown(ir: &Ir) -> bool {
    ir.walk(ir.root()).any(|op| {
        let effects = ir.own_effects(op).unwrap_or_default();
        let mut frees = effects.iter().filter(|e| e.kind == EffectKind::Free);
        frees.any(|effect| effect.value.is_none())
    })
}

/// The functions of the module `ir` that return what they manage themselves: flags of their own would say that two
/// results are owned that may be one buffer, as their callers find out.
pub(crate) fn returning_managed(ir: &Ir) -> impl Iterator<Item = String> {
    let functions = functions::nested(ir).filter(|function| has_managed(function));
    let functions = functions.filter(|function| {
        let function = Function::new(function);
        let mut returned = function.returned();
        returned.any(|(_, _, base)| function.managed(base).is_some())
    });
    functions.filter_map(|function| function.symbol_name(function.root()).map(str::to_owned))
}

fn returns_buffers(ir: &Ir) -> bool {
    let mut returns = ir.walk(ir.root()).filter(|&op| is_return(ir, op));
    returns.any(|op| ir.operands(op).iter().any(|&value| ir.is_memref(value)))
}

/// Whether the program frees or compares a buffer of the function.
fn has_managed(ir: &Ir) -> bool {
    ir.walk(ir.root()).any(|op| !managed_by(ir, op).is_empty())
}

/// The buffers that `op` frees, or compares as a lowered dealloc does.
fn managed_by(ir: &Ir, op: Op) -> Vec<Value> {
    if ir.has_attr(op, Name::ALLOCATED) {
        return vec![ir.operand(op, 0)];
    }
    let effects = ir.own_effects(op).unwrap_or_default();
    let frees = effects.iter().filter(|e| e.kind == EffectKind::Free);
    frees.filter_map(|effect| effect.value).collect()
}

/// The functions in doubt so far, each with what it frees itself.
#[derive(Default)]
struct Known {
    named: FxHashMap<String, (Doubt, Loc)>,
    /// One that may be called by address.
    any: Option<(Doubt, Loc)>,
}

impl Known {
    fn of(&self, ir: &Ir, call: Op) -> Option<(Doubt, Loc)> {
        if is_indirect(ir, call) {
            return self.any;
        }
        callee(ir, call).and_then(|name| self.named.get(name).copied())
    }

    fn of_result(&self, ir: &Ir, value: Value) -> Option<(Doubt, Loc)> {
        match ir.value_def(value) {
            ValueDef::Result(op, _) if ir.def(op).call.is_some() => self.of(ir, op),
            _ => None,
        }
    }
}

/// A function with its families.
struct Function<'a> {
    ir: &'a Ir,
    flow: ValueFlow,
    /// The family of each base.
    family: FxHashMap<Value, usize>,
    /// What frees or compares a buffer of a family, of those with such.
    managed: FxHashMap<usize, Loc>,
    /// Those of them that deallocs concern, lowered or not. A pipeline made these, and copies what it does not own where
    /// that is returned.
    compared: FxHashSet<usize>,
    /// Whether owners of the deallocation dialect tell who owns which buffer.
    has_owners: bool,
}

impl<'a> Function<'a> {
    fn new(ir: &'a Ir) -> Self {
        let flow = ValueFlow::new(ir);
        let bases = flow.bases();
        let numbers = bases.iter().enumerate();
        let numbers: FxHashMap<Value, usize> =
            numbers.map(|(index, &base)| (base, index)).collect();
        let mut sets = UnionFind::new(bases.len());
        for id in flow.flow_ids() {
            let source = flow.flow_base(id);
            for target in &flow.flow(id).targets {
                sets.join(numbers[&source], numbers[target]);
            }
        }
        for &base in bases {
            for merge in flow.merges(base) {
                sets.join(numbers[&base], numbers[merge]);
            }
        }
        let family: FxHashMap<Value, usize> = bases
            .iter()
            .map(|base| (*base, sets.root(numbers[base])))
            .collect();
        let mut managed = FxHashMap::default();
        let mut compared = FxHashSet::default();
        for op in ir.walk(ir.root()) {
            for value in managed_by(ir, op) {
                if let Some(base) = flow.base(value) {
                    managed.entry(family[&base]).or_insert_with(|| ir.loc(op));
                    if ir.has_attr(op, Name::ALLOCATED) || ir.is(op, &bufferization::DEALLOC) {
                        compared.insert(family[&base]);
                    }
                }
            }
        }
        Self {
            ir,
            flow,
            family,
            managed,
            compared,
            has_owners: uses_owners(ir),
        }
    }

    /// What the program does itself about the family of `base`.
    fn managed(&self, base: Value) -> Option<Loc> {
        self.managed.get(&self.family[&base]).copied()
    }

    /// Whether deallocs concern the family of `base`.
    fn is_compared(&self, base: Value) -> bool {
        self.compared.contains(&self.family[&base])
    }

    /// Whether the program frees `base` whenever there is one: nothing is left to add.
    fn is_freed_for_sure(&self, base: Value) -> bool {
        let ir = self.ir;
        let members = self.flow.members(base).iter();
        let mut users =
            members.flat_map(|&member| ir.uses(member).iter().map(move |u| (u.op, member)));
        users.any(|(op, member)| {
            ir.block_of(op) == ir.value_block(base)
                && managed_by(ir, op).contains(&member)
                && always_frees(ir, op)
        })
    }

    /// The returned buffers: the operation, the index and the base of each.
    fn returned(&self) -> impl Iterator<Item = (Op, usize, Value)> {
        self.flow.flow_ids().filter_map(|id| {
            let one = self.flow.flow(id);
            let is_returned = one.edge.kind == EdgeKind::Return;
            is_returned.then(|| (one.edge.source, one.operand_index, self.flow.flow_base(id)))
        })
    }

    /// The buffers that `op` results in.
    fn results(&self, op: Op) -> impl Iterator<Item = Value> {
        let results = self.ir.results(op).iter();
        results.filter_map(|&value| self.flow.base(value))
    }

    /// Whether a result may be no buffer of the caller's own.
    fn doubt(&self, known: &Known, twice: bool) -> Option<(Doubt, Loc)> {
        // Flags and owners say what is whose.
        if self.ir.has_attr(self.ir.root(), Name::DYNAMIC_OWNERSHIP) {
            return None;
        }
        let mut origins: FxHashMap<(Op, Value), usize> = FxHashMap::default();
        for (op, index, base) in self.returned() {
            // Functions with owners stay as they are, whatever becomes of this buffer.
            let by_owners = || self.has_owners.then(|| self.ir.loc(op));
            let Some(loc) = self.managed(base).or_else(by_owners) else {
                let doubt = known.of_result(self.ir, base);
                if doubt.is_some() && self.is_handed_on(base) {
                    return doubt;
                }
                continue;
            };
            if self.has_owners && returns_owners(self.ir, op) {
                continue;
            }
            let sources = self.sources(base);
            let is_borrowed = sources.iter().any(|&source| {
                self.flow.origin(source) == Origin::External
                    || known.of_result(self.ir, source).is_some()
            });
            if is_borrowed && !self.is_compared(base) && !self.has_owners {
                return Some((Doubt::Borrowed, loc));
            }
            for source in sources.into_iter().filter(|_| twice) {
                // All that a call in doubt returns may be one buffer.
                let source = match self.ir.value_def(source) {
                    ValueDef::Result(call, _) if known.of_result(self.ir, source).is_some() => {
                        self.ir.result(call, 0)
                    }
                    _ => source,
                };
                if *origins.entry((op, source)).or_insert(index) != index {
                    return Some((Doubt::Twice, loc));
                }
            }
        }
        None
    }

    /// Whether the result `base` of a call is returned whenever there is one.
    fn is_handed_on(&self, base: Value) -> bool {
        let ir = self.ir;
        let block = ir.value_block(base);
        self.returned()
            .any(|(op, _, returned)| returned == base && ir.block_of(op) == block)
    }

    /// What `base` may be of all that the function allocates or is given.
    fn sources(&self, base: Value) -> Vec<Value> {
        let flow = &self.flow;
        let mut seen: FxHashSet<Value> = [base].into_iter().collect();
        let mut pending = vec![base];
        let mut sources = Vec::new();
        while let Some(base) = pending.pop() {
            let flows = flow.flows_in(base).iter();
            let flows = flows.map(|&id| flow.flow_base(id));
            let mut found: Vec<Value> = flows.collect();
            found.extend_from_slice(flow.merge_sources(base));
            if found.is_empty() {
                sources.push(base);
            }
            pending.extend(found.into_iter().filter(|&value| seen.insert(value)));
        }
        sources
    }

    /// Reports the calls whose results are in doubt, and neither managed here nor returned.
    fn report(
        &self,
        known: &Known,
        rules: Rules,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Failed> {
        let ir = self.ir;
        if self.has_owners {
            return Ok(());
        }
        let is_managed = |base| match rules.frees_are_left {
            true => self.managed(base).is_some(),
            false => self.is_compared(base) || self.is_freed_for_sure(base),
        };
        let mut result = Ok(());
        for call in ir.walk(ir.root()) {
            if ir.def(call).call.is_none() {
                continue;
            }
            let Some((doubt, loc)) = known.of(ir, call) else {
                continue;
            };
            // Who is called by address is not known where the results are looked at.
            let is_known =
                |base| self.is_handed_on(base) || is_managed(base) && !is_indirect(ir, call);
            if self.results(call).all(is_known) {
                continue;
            }
            let what = match doubt {
                Doubt::Borrowed => "a buffer that the callee does not own",
                Doubt::Twice => "one buffer twice",
            };
            let message = format!(
                "'{}' op may return {what}: functions that free buffers themselves need callers that do",
                ir.op_name(call)
            );
            result = Err(diagnostics.error(ir.loc(call), message));
            diagnostics.note(loc, "the callee frees here");
        }
        result
    }
}

/// Whether the function that `call` calls is a value.
pub(crate) fn is_indirect(ir: &Ir, call: Op) -> bool {
    let interface = ir.def(call).call;
    interface.is_some_and(|interface| matches!((interface.callee)(ir, call), Callee::Value(_)))
}

/// Whether owners go to the caller with returned buffers.
fn returns_owners(ir: &Ir, op: Op) -> bool {
    let context = ir.context();
    let mut values = ir.operands(op).iter();
    values.any(|&value| deallocation::is_ownership(context, ir.value_type(value)))
}
