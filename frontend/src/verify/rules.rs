//! The rules of a row beyond its specs: traits, interfaces, symbols, and the
//! functions the row brings along.

use rustc_hash::FxHashMap;

use crate::dialects::llvm;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Region, Value};
use crate::ir::interfaces::RegionPoint;
use crate::ir::op_def::{OpError, Traits};
use crate::ir::symbols::SymbolTable;
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::syntax::declared;
use crate::syntax::printer::type_to_string;

/// Checks `op`, whose specs hold, as do those of the operations right around
/// and right inside of it.
pub(super) fn check(ir: &Ir, op: Op, symbols: &SymbolTable) -> Result<(), OpError> {
    let def = ir.def(op);
    for dialect in ir.context().dialects() {
        if let Some(verify_op_attributes) = dialect.verify_op_attributes {
            verify_op_attributes(ir, op)?;
        }
    }
    if def.traits.contains(Traits::SAME_OPERANDS_AND_RESULT_TYPE) {
        check_same_type(ir, op)?;
    }
    if def.traits.contains(Traits::FUNCTION) {
        check_declaration(ir, op)?;
    }
    (def.verify)(ir, op)?;
    check_branch(ir, op).map_err(|error| of_declaration(ir, op, error))?;
    let is_last = || {
        ir.block_of(op)
            .is_some_and(|block| ir.last_op(block) == Some(op))
    };
    if def.traits.contains(Traits::TERMINATOR) && !is_last() {
        return Err("must be the last operation in the parent block".into());
    }
    if def.traits.contains(Traits::ELEMENTWISE) {
        check_elementwise(ir, op)?;
    }
    check_implicit_terminators(ir, op)?;
    check_region_branch(ir, op).map_err(|error| of_declaration(ir, op, error))?;
    match def.verify_symbols {
        Some(verify_symbols) => verify_symbols(ir, op, symbols),
        None => Ok(()),
    }
}

/// What a file says of control flow is wrong where it stands.
fn of_declaration(ir: &Ir, op: Op, error: OpError) -> OpError {
    match ir.def(op).declared {
        Some(_) => declared::at_declaration(ir, op, error.message),
        None => error,
    }
}

/// Whether two types differ in nothing but sizes that are not known in one.
fn is_compatible(context: &Context, a: Type, b: Type) -> bool {
    if a == b {
        return true;
    }
    if context.element_type_or_self(a) != context.element_type_or_self(b) {
        return false;
    }
    let is_tensor = |ty| {
        matches!(
            context.type_kind(ty),
            TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
        )
    };
    is_tensor(a) && is_tensor(b) && have_compatible_shapes(context, a, b)
}

fn have_compatible_shapes(context: &Context, a: Type, b: Type) -> bool {
    match (context.shape(a), context.shape(b)) {
        (Some(a), Some(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC)
        }
        // Unranked shapes fit all.
        _ => true,
    }
}

fn check_same_type(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some((&first, rest)) = ir.results(op).split_first() else {
        return Ok(());
    };
    let ty = ir.value_type(first);
    let mut others = rest.iter().chain(ir.operands(op));
    if others.all(|&value| is_compatible(ir.context(), ir.value_type(value), ty)) {
        return Ok(());
    }
    Err("requires the same type for all operands and results".into())
}

fn check_elementwise(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let mappable = |values: &[Value]| -> Vec<Type> {
        let types = values.iter().map(|&value| ir.value_type(value));
        types
            .filter(|&ty| {
                matches!(
                    context.type_kind(ty),
                    TypeKind::Vector { .. }
                        | TypeKind::RankedTensor { .. }
                        | TypeKind::UnrankedTensor(_)
                )
            })
            .collect()
    };
    let (operands, results) = (mappable(ir.operands(op)), mappable(ir.results(op)));
    let message = match (operands.first(), results.first()) {
        (None, None) => return Ok(()),
        (None, Some(_)) => {
            "if a result is non-scalar, then at least one operand must be non-scalar"
        }
        (Some(_), None) => {
            "if an operand is non-scalar, then there must be at least one non-scalar result"
        }
        (Some(_), Some(_)) if results.len() != ir.results(op).len() => {
            "if an operand is non-scalar, then all results must be non-scalar"
        }
        (Some(&first), Some(_)) => {
            let same = |&ty: &Type| {
                std::mem::discriminant(context.type_kind(ty))
                    == std::mem::discriminant(context.type_kind(first))
                    && have_compatible_shapes(context, ty, first)
            };
            if operands.iter().chain(&results).all(same) {
                return Ok(());
            }
            "all non-scalar operands/results must have the same shape and base type"
        }
    };
    Err(message.into())
}

fn check_declaration(ir: &Ir, op: Op) -> Result<(), OpError> {
    let has_body = ir
        .regions(op)
        .first()
        .is_some_and(|&region| ir.entry_block(region).is_some());
    let visibility = ir
        .attr(op, crate::ir::names::Name::SYM_VISIBILITY)
        .and_then(|attr| ir.context().attr_string(attr));
    // Declarations of LLVM say by their linkage who defines what.
    let has_linkage = ir.is(op, &llvm::FUNC);
    if !has_body && !has_linkage && matches!(visibility, None | Some("public")) {
        return Err("symbol declaration cannot have public visibility".into());
    }
    Ok(())
}

/// Checks what a terminator hands to its successors.
fn check_branch(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some(branch) = ir.def(op).branch else {
        return Ok(());
    };
    let ranges = (branch.all_successor_operands)(ir, op);
    for (index, (range, &successor)) in ranges.into_iter().zip(ir.successors(op)).enumerate() {
        let operands = &ir.operands(op)[range];
        let arguments = ir.block_args(successor);
        if operands.len() != arguments.len() {
            return Err(OpError::bare(format!(
                "branch has {} operands for successor #{index}, but target block has {}",
                operands.len(),
                arguments.len()
            )));
        }
        let mismatch = operands
            .iter()
            .zip(arguments)
            .position(|(&operand, &argument)| ir.value_type(operand) != ir.value_type(argument));
        if let Some(argument) = mismatch {
            return Err(OpError::bare(format!(
                "type mismatch for bb argument #{argument} of successor #{index}"
            )));
        }
    }
    Ok(())
}

/// Checks that regions end with the terminator that the text may leave out.
fn check_implicit_terminators(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some(terminator) = ir.def(op).implicit_terminator else {
        return Ok(());
    };
    let mut ends = ir
        .regions(op)
        .iter()
        .filter_map(|&region| ir.last_op(ir.single_block(region)?));
    // Terminators that complain themselves of where they are come first.
    let is_wrong = |&last: &Op| !ir.is(last, terminator) && (ir.def(last).verify)(ir, last).is_ok();
    let Some(other) = ends.find(is_wrong) else {
        return Ok(());
    };
    Err(OpError::from(format!(
        "expects regions to end with '{}', found '{}'",
        terminator.name,
        ir.op_name(other)
    ))
    .note(
        ir.loc(op),
        format!(
            "in custom textual format, the absence of terminator implies '{}'",
            terminator.name
        ),
    ))
}

/// Checks what a region operation hands to its regions, and they to each
/// other and out.
fn check_region_branch(ir: &Ir, op: Op) -> Result<(), OpError> {
    if ir.def(op).region_branch.is_none() {
        return Ok(());
    }
    for to in ir.region_successors(op, RegionPoint::Parent) {
        let operands = ir.region_entry_operands(op, to);
        check_edge(ir, op, RegionPoint::Parent, to, operands)?;
    }
    for (index, &region) in ir.regions(op).iter().enumerate() {
        let terminators = region_terminators(ir, region);
        let Some((&first, rest)) = terminators.split_first() else {
            continue;
        };
        let from = RegionPoint::Region(index);
        for to in ir.region_successors(op, from) {
            let operands = ir.region_terminator_operands(first, to);
            for &other in rest {
                let others = ir.region_terminator_operands(other, to);
                if !types(ir, operands).eq(types(ir, others)) {
                    return Err(format!(
                        " along control flow edge {} operands mismatch between return-like terminators",
                        edge_name(from, to)
                    )
                    .into());
                }
            }
            check_edge(ir, op, from, to, operands)?;
        }
    }
    Ok(())
}

/// The terminators in `region` that hand control back to its owner.
fn region_terminators(ir: &Ir, region: Region) -> Vec<Op> {
    ir.blocks_in(region)
        .filter_map(|block| ir.last_op(block))
        .filter(|&last| ir.def(last).region_terminator.is_some())
        .collect()
}

fn types<'a>(ir: &'a Ir, values: &'a [Value]) -> impl Iterator<Item = Type> + 'a {
    values.iter().map(|&value| ir.value_type(value))
}

fn edge_name(from: RegionPoint, to: RegionPoint) -> String {
    let from = match from {
        RegionPoint::Parent => "parent operands".to_owned(),
        RegionPoint::Region(index) => format!("Region #{index}"),
    };
    let to = match to {
        RegionPoint::Parent => "parent results".to_owned(),
        RegionPoint::Region(index) => format!("Region #{index}"),
    };
    format!("from {from} to {to}")
}

fn check_edge(
    ir: &Ir,
    op: Op,
    from: RegionPoint,
    to: RegionPoint,
    operands: &[Value],
) -> Result<(), OpError> {
    // The space at the beginning is upstream's.
    let inputs = ir.region_successor_inputs(op, to);
    if operands.len() != inputs.len() {
        return Err(format!(
            " region control flow edge {}: source has {} operands, but target successor needs {}",
            edge_name(from, to),
            operands.len(),
            inputs.len()
        )
        .into());
    }
    let mut pairs = types(ir, operands).zip(types(ir, inputs)).enumerate();
    match pairs.find(|(_, (source, input))| source != input) {
        None => Ok(()),
        Some((i, (source, input))) => Err(format!(
            " along control flow edge {}: source type #{i} '{}' should match input type #{i} '{}'",
            edge_name(from, to),
            type_to_string(ir.context(), source),
            type_to_string(ir.context(), input)
        )
        .into()),
    }
}

/// Operations in the table of `ir` whose name was defined before, with their
/// place in a walk of `ir`, each with the first operation of that name.
pub(super) fn redefinitions(ir: &Ir) -> Vec<(u32, Op, Op)> {
    let mut first_of_name: FxHashMap<&str, Op> = FxHashMap::default();
    let mut found = Vec::new();
    let body = ir.root_block();
    for (order, op) in ir.walk(ir.root()).enumerate() {
        if ir.block_of(op) != body || body.is_none() {
            continue;
        }
        let Some(name) = ir.symbol_name(op) else {
            continue;
        };
        match first_of_name.get(name) {
            Some(&first) => found.push((order as u32, op, first)),
            None => {
                first_of_name.insert(name, op);
            }
        }
    }
    found
}
