//! What the checker knows of the functions of a module when one of them calls
//! another.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::interfaces::Callee as CalleeName;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};
use rustc_hash::FxHashMap;

use super::interpret;
use super::program::HelperKind;
use super::results::Results;

/// A function.
pub(super) struct Callee {
    /// Whether it returns, after all other results, an `i1` per memref that
    /// says whether the caller owns it.
    pub(super) dynamic_ownership: bool,
    /// How it decides, if it is a helper of `bufferization.dealloc`.
    helper: Option<HelperKind>,
    /// What its results may be; `None` if they may be anything.
    pub(super) results: Option<Results>,
}

impl Callee {
    /// Whether results `i` and `j` may be one buffer that is new to the caller.
    pub(super) fn may_be_same(&self, i: usize, j: usize) -> bool {
        self.results
            .as_ref()
            .is_none_or(|results| results.may_be_same(i, j))
    }

    /// Whether `result`, if it does not belong to the caller, may be `argument`.
    pub(super) fn may_be_argument(&self, result: usize, argument: usize) -> bool {
        self.results
            .as_ref()
            .is_none_or(|results| results.may_be_argument(result, argument))
    }
}

/// The functions of a module by name.
#[derive(Default)]
pub(super) struct Callees {
    by_name: FxHashMap<String, Callee>,
    /// Whether there is no module to look at: then nothing is known of any
    /// function but its name.
    unknown: bool,
}

impl Callees {
    /// What there is to know without a module.
    pub(super) fn unknown() -> Self {
        Self {
            by_name: FxHashMap::default(),
            unknown: true,
        }
    }

    /// The functions of `module`. Those say at run time what they hand over that
    /// have an attribute which says so; where none has, and with
    /// `dynamic_ownership`, private functions whose results allow it.
    pub(super) fn of(module: &Ir, dynamic_ownership: bool) -> Self {
        let mut callees = Self::default();
        let Some(block) = module.root_block() else {
            return callees;
        };
        let functions: Vec<&Ir> = module
            .ops_in(block)
            .filter_map(|op| module.nested(op))
            .filter(|nested| nested.has_trait(nested.root(), Traits::FUNCTION))
            .collect();
        let is_marked = |ir: &Ir| ir.has_attr(ir.root(), Name::DYNAMIC_OWNERSHIP);
        let are_marked = functions.iter().any(|ir| is_marked(ir));
        for &ir in &functions {
            let Some(name) = ir.symbol_name(ir.root()) else {
                continue;
            };
            let has_body = ir.root_block().is_some();
            let is_dynamic = match are_marked {
                true => is_marked(ir),
                false => dynamic_ownership && ir.is_private(ir.root()),
            };
            let helper = if !is_helper_like(ir, name) {
                None
            } else if has_body {
                interpret::helper_kind(ir)
            } else {
                Some(HelperKind::AnyEntry)
            };
            let callee = Callee {
                dynamic_ownership: is_dynamic && has_body && returns_flags(ir),
                helper,
                results: None,
            };
            callees.by_name.entry(name.to_owned()).or_insert(callee);
        }
        super::results::find(&functions, &mut callees);
        callees
    }

    /// The name of the callee of `op`, if it calls something by name.
    pub(super) fn name(ir: &Ir, op: Op) -> Option<&str> {
        match (ir.def(op).call?.callee)(ir, op) {
            CalleeName::Symbol(symbol) => ir.context().attr_flat_symbol(symbol),
            CalleeName::Value(_) => None,
        }
    }

    /// The function that `op` calls, if it is known.
    pub(super) fn of_call(&self, ir: &Ir, op: Op) -> Option<&Callee> {
        self.get(Self::name(ir, op)?)
    }

    /// The function called `name`.
    pub(super) fn get(&self, name: &str) -> Option<&Callee> {
        self.by_name.get(name)
    }

    /// [`Callees::get`], to add to it.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Callee> {
        self.by_name.get_mut(name)
    }

    /// How the function called `name` decides, if it is a helper.
    pub(super) fn helper(&self, name: &str) -> Option<HelperKind> {
        if self.unknown {
            return has_helper_name(name).then_some(HelperKind::AnyEntry);
        }
        self.get(name)?.helper
    }
}

/// Whether the results of a function end with an `i1` per memref.
fn returns_flags(ir: &Ir) -> bool {
    let context = ir.context();
    let results: &[Type] = match ir.function_type(ir.root()).map(|ty| context.type_kind(ty)) {
        Some(TypeKind::Function { results, .. }) => results,
        _ => &[],
    };
    let n_memrefs = results.iter().filter(|&&ty| context.is_memref(ty)).count();
    let n_flags = results
        .iter()
        .rev()
        .take_while(|&&ty| ty == Type::I1)
        .count();
    n_memrefs > 0 && n_flags >= n_memrefs
}

/// Whether a function may be a helper by its name: `dealloc_helper`, with a
/// number behind if there was another one, or the runtime's.
fn has_helper_name(name: &str) -> bool {
    let name = name.strip_prefix("freehold_").unwrap_or(name);
    name.strip_prefix("dealloc_helper")
        .is_some_and(|rest| rest.chars().all(|c| c == '_' || c.is_ascii_digit()))
}

/// Whether a function takes what a helper takes: addresses of entries and of
/// retained buffers, conditions, and arrays for both answers.
fn is_helper_like(ir: &Ir, name: &str) -> bool {
    let context = ir.context();
    let Some(TypeKind::Function { inputs, results }) = ir
        .attr(ir.root(), Name::FUNCTION_TYPE)
        .and_then(|attr| context.attr_type(attr))
        .map(|ty| context.type_kind(ty))
    else {
        return false;
    };
    let elements = [Type::INDEX, Type::INDEX, Type::I1, Type::I1, Type::I1];
    let is_array = |(&ty, element): (&Type, Type)| {
        context
            .as_memref(ty)
            .is_some_and(|memref| memref.rank() == 1 && memref.element == element)
    };
    ir.is(ir.root(), &func::FUNC)
        && has_helper_name(name)
        && results.is_empty()
        && inputs.len() == elements.len()
        && inputs.iter().zip(elements).all(is_array)
}
