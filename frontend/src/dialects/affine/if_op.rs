//! `affine.if` and `affine.yield`.

use std::sync::Arc;

use super::compose::canonical_set;
use super::validity::verify_dims_and_symbols;
use super::{FOR, PARALLEL, parse_dims_and_symbols, print_dims_and_symbols};
use crate::ir::affine::IntegerSet;
use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::AttrKind;
use crate::ir::builder::Builder;
use crate::ir::constraints::ANY;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::{RegionBranchInterface, RegionPoint, RegionTerminatorInterface};
use crate::ir::names::Name;
use crate::ir::op_def::{Generic22, OpDef, OpError, Pattern, Traits, ValueSpec};
use crate::ir::rewriter::Rewriter;
use crate::ir::rules::{all_inputs, all_operands_to, no_entry_operands};
use crate::ir::types::Type;
use crate::op_view;

/// `affine.if`: one of two regions, as an integer set holds for the operands.
pub static IF: OpDef = OpDef {
    name: "affine.if",
    traits: Traits::RECURSIVE_EFFECTS.and(Traits::SINGLE_BLOCK),
    operands: &[ValueSpec::variadic("", &ANY)],
    results: &[ValueSpec::variadic("results", &ANY)],
    regions: (2, 2),
    generic_22: Generic22 {
        inherent: &[(Name::CONDITION, Name::CONDITION)],
        ..Generic22::NOTHING
    },
    parse: Some(parse),
    print: Some(print),
    verify,
    canonicalize: &[
        Pattern {
            name: "affine-if-condition",
            apply: canonicalize_condition,
        },
        Pattern {
            name: "affine-if-dead-else",
            apply: drop_dead_else,
        },
        Pattern {
            name: "affine-if-constant",
            apply: inline_constant,
        },
    ],
    region_branch: Some(&RegionBranchInterface {
        successors: |ir, op, from, out| match from {
            RegionPoint::Parent => {
                let has_else = ir.entry_block(ir.region(op, 1)).is_some();
                out.push(RegionPoint::Region(0));
                out.push(if has_else {
                    RegionPoint::Region(1)
                } else {
                    RegionPoint::Parent
                });
            }
            RegionPoint::Region(_) => out.push(RegionPoint::Parent),
        },
        entry_operands: no_entry_operands,
        successor_inputs: all_inputs,
        forwarded_group: None,
        is_repetitive: |_, _, _| false,
    }),
    implicit_terminator: Some(&YIELD),
    ..OpDef::BASE
};

op_view! {
    /// `affine.if`
    If, IF { operands: many = 0 }
}

impl If {
    /// The condition.
    pub fn condition(self, ir: &Ir) -> Option<&Arc<IntegerSet>> {
        ir.context()
            .attr_integer_set(ir.attr(self.0, Name::CONDITION)?)
    }

    /// The block that runs if the condition holds.
    pub fn then_block(self, ir: &Ir) -> Block {
        ir.entry_block(ir.region(self.0, 0))
            .expect("a verified if has a then block")
    }

    /// The block that runs if the condition does not hold.
    pub fn else_block(self, ir: &Ir) -> Option<Block> {
        ir.entry_block(ir.region(self.0, 1))
    }
}

/// Inserts an `affine.if` without results, with two branches that are empty and terminated.
pub fn build_if(builder: &mut Builder<'_>, condition: IntegerSet, operands: &[Value]) -> Op {
    let context = builder.context();
    let spec = builder
        .spec(&IF)
        .operands(operands)
        .attr(
            Name::CONDITION,
            context.intern_attr(AttrKind::IntegerSet(Arc::new(condition))),
        )
        .regions(2);
    let op = builder.create(spec);
    let loc = builder.loc();
    for index in 0..2 {
        let region = builder.ir.region(op, index);
        let block = builder.ir.append_block(region, &[]);
        let mut inner = Builder::at_end(builder.ir, block);
        inner.set_loc(loc);
        inner.op(&YIELD, &[], &[]);
    }
    op
}

/// `affine.yield`: ends the body of an affine operation.
pub static YIELD: OpDef = const {
    OpDef {
        name: "affine.yield",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("operands", &ANY)],
        verify: verify_yield,
        region_terminator: Some(&RegionTerminatorInterface {
            operands: all_operands_to,
        }),
        ..OpDef::PURE
    }
}
.with_format("attr-dict ($operands^ `:` type($operands))?");

fn verify_yield(ir: &Ir, op: Op) -> Result<(), OpError> {
    let parent = ir
        .parent_op(op)
        .filter(|&parent| [&FOR, &IF, &PARALLEL].iter().any(|def| ir.is(parent, def)));
    let Some(parent) = parent else {
        return Err("only terminates affine.if/for/parallel regions".into());
    };
    let (results, operands) = (ir.results(parent), ir.operands(op));
    if results.len() != operands.len() {
        return Err(
            "parent of yield must have same number of results as the yield operands".into(),
        );
    }
    let ty = |value: &Value| ir.value_type(*value);
    if !results.iter().map(ty).eq(operands.iter().map(ty)) {
        return Err("types mismatch between yield op and its parent".into());
    }
    Ok(())
}

/// `affine_set<...>(%dims)[%symbols] -> types { ... } else { ... } {attrs}`
fn parse(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let set = p.parse_integer_set_attr()?;
    let n_dims = parse_dims_and_symbols(p, spec)?;
    if set.n_dims as usize != n_dims {
        let message = "dim operand count and integer set dim count must match";
        return Err(p.error(p.name_loc(), message));
    }
    if n_dims + set.n_symbols as usize != spec.operands.len() {
        let message = "symbol operand count and integer set symbol count must match";
        return Err(p.error(p.name_loc(), message));
    }
    let attr = p.context().intern_attr(AttrKind::IntegerSet(Arc::new(set)));
    spec.set_attr(Name::CONDITION, attr);
    spec.results.extend(p.parse_opt_arrow_type_list()?);
    p.parse_region(&[], spec)?;
    if p.parse_opt_keyword("else") {
        p.parse_region(&[], spec)?;
    } else {
        p.add_empty_region(spec);
    }
    p.parse_opt_attr_dict(spec)
}

fn print(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    if let Some(attr) = ir.attr(op, Name::CONDITION) {
        p.attr(attr);
    }
    let n_dims = If(op).condition(ir).map_or(0, |set| set.n_dims as usize);
    print_dims_and_symbols(p, ir.operands(op), n_dims);
    let types: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    p.opt_arrow_types(&types);
    p.text(" ");
    let has_results = !types.is_empty();
    p.region(ir, ir.region(op, 0), false, has_results);
    if If(op).else_block(ir).is_some() {
        p.text(" else ");
        p.region(ir, ir.region(op, 1), false, has_results);
    }
    p.opt_attr_dict(ir, op, &[Name::CONDITION]);
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some(set) = If(op).condition(ir) else {
        return Err("requires an integer set attribute named 'condition'".into());
    };
    let operands = ir.operands(op);
    if operands.len() != (set.n_dims + set.n_symbols) as usize {
        return Err(
            "operand count and condition integer set dimension and symbol count must match".into(),
        );
    }
    verify_dims_and_symbols(ir, operands, set.n_dims)?;
    let regions = [0, 1].map(|index| ir.entry_block(ir.region(op, index)));
    if regions[0].is_none() {
        return Err(
            "region #0 ('thenRegion') failed to verify constraint: region with 1 blocks".into(),
        );
    }
    if regions
        .iter()
        .flatten()
        .any(|&block| !ir.block_args(block).is_empty())
    {
        return Err("region should have no arguments".into());
    }
    // Upstream finds out when it looks for the block that is not there.
    if !ir.results(op).is_empty() && regions[1].is_none() {
        return Err("an operation with results must have an else region".into());
    }
    Ok(())
}

/// Composes what defines the operands into the condition.
fn canonicalize_condition(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(old) = If(op).condition(rw.ir) else {
        return false;
    };
    let (set, operands) = canonical_set(rw.ir, old, rw.ir.operands(op));
    if set == **old && operands == rw.ir.operands(op) {
        return false;
    }
    let attr = rw
        .ir
        .context()
        .intern_attr(AttrKind::IntegerSet(Arc::new(set)));
    rw.set_operands(op, &operands);
    rw.set_attr(op, Name::CONDITION, attr);
    true
}

/// An else block that only yields nothing is left out.
fn drop_dead_else(rw: &mut Rewriter<'_>, op: Op) -> bool {
    if !rw.ir.results(op).is_empty() {
        return false;
    }
    let Some(block) = If(op).else_block(rw.ir) else {
        return false;
    };
    let only_yields = rw
        .ir
        .first_op(block)
        .is_none_or(|first| rw.ir.is(first, &YIELD));
    if !only_yields {
        return false;
    }
    rw.ir.erase_block(block);
    rw.modified(op);
    true
}

/// Whether the condition always or never holds, if that is plain.
fn constant_condition(set: &IntegerSet) -> Option<bool> {
    let mut holds = true;
    for (expr, is_equality) in &set.constraints {
        match expr.as_constant() {
            Some(value) if *is_equality && value != 0 => return Some(false),
            Some(value) if !is_equality && value < 0 => return Some(false),
            Some(_) => {}
            None => holds = false,
        }
    }
    holds.then_some(true)
}

/// Replaces an if whose condition is constant by the region it chooses.
fn inline_constant(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let condition = If(op)
        .condition(rw.ir)
        .and_then(|set| constant_condition(set));
    let block = match condition {
        None => return false,
        Some(true) => Some(If(op).then_block(rw.ir)),
        Some(false) => If(op).else_block(rw.ir),
    };
    let Some(block) = block else {
        rw.erase_op(op);
        return true;
    };
    let Some(yield_op) = rw.ir.last_op(block).filter(|&last| rw.ir.is(last, &YIELD)) else {
        return false;
    };
    let values = rw.ir.operands(yield_op).to_vec();
    rw.erase_op(yield_op);
    let moved: Vec<Op> = rw.ir.ops_in(block).collect();
    rw.ir.move_block_contents_before(block, op);
    for moved in moved {
        rw.modified(moved);
    }
    rw.replace_op(op, &values);
    true
}
