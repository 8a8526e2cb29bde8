//! Checks of the specs of a row: number of operands, results, regions and successors, their types,
//! and attributes.

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::op_def::{Count, OpDef, OpError, Traits, ValueSpec};
use crate::syntax::declared;
use crate::syntax::printer::{PrintOptions, attr_to_string, print_op, type_to_string};

/// Checks `op` against its row, in the order in which upstream does.
pub(super) fn check(ir: &Ir, op: Op) -> Result<(), OpError> {
    let def = ir.def(op);
    let is_last = ir
        .block_of(op)
        .is_some_and(|block| ir.last_op(block) == Some(op));
    if !is_last && !ir.successors(op).is_empty() {
        return Err(OpError::bare(
            "operation with block successors must terminate its parent block",
        ));
    }
    if def.is_unregistered() {
        return check_unregistered(ir, op);
    }
    if let Some(rules) = def.declared {
        check_structural_traits(ir, op)?;
        return declared::check(ir, op, rules);
    }
    check_regions(def, ir.regions(op).len())?;
    check_result_count(def, ir.results(op).len())?;
    check_successors(def, ir.successors(op).len())?;
    check_operand_count(def, ir.operands(op).len())?;
    if def.has_operand_segments() {
        let sizes = segment_sizes(ir, op, Name::OPERAND_SEGMENT_SIZES, def.operands.len())?;
        check_segments(def.operands, sizes, ir.operands(op).len(), "operand")?;
    }
    if def.traits.contains(Traits::RESULT_SEGMENTS) {
        let sizes = segment_sizes(ir, op, Name::RESULT_SEGMENT_SIZES, def.results.len())?;
        check_segments(def.results, sizes, ir.results(op).len(), "result")?;
    }
    check_structural_traits(ir, op)?;
    check_attributes(ir, op)?;
    let operand_groups = (0..def.operands.len()).map(|group| ir.operand_group(op, group));
    check_values(ir, def.operands, operand_groups, "operand")?;
    check_values(ir, def.results, result_groups(ir, op), "result")
}

fn check_unregistered(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let name = ir.op_name(op);
    let namespace = name.split('.').next().unwrap_or_default();
    let is_closed = context
        .dialect(namespace)
        .is_some_and(|dialect| !dialect.is_open);
    if is_closed {
        return Err(OpError::bare(format!(
            "unregistered operation '{name}' found in dialect ('{namespace}') that does not allow unknown operations"
        )));
    }
    if !context.allows_unregistered_dialects() {
        let lines = declared::lines_for(name, ir.operands(op).len(), ir.results(op).len());
        let error = OpError::from(
            "created with unregistered dialect. If this is intended, 'freehold opt -allow-unregistered-dialect' keeps it",
        );
        return Err(error.note(
            ir.loc(op),
            format!("a file for --irdl-file declares it: {lines}"),
        ));
    }
    Ok(())
}

fn check_regions(def: &OpDef, n_regions: usize) -> Result<(), OpError> {
    let (least, most) = def.regions;
    if (least..=most).contains(&n_regions) {
        return Ok(());
    }
    Err(match (least, most) {
        (0, 0) => "requires zero regions".into(),
        (1, 1) => "requires one region".into(),
        _ if n_regions < least && least != most => {
            format!("expected {least} or more regions").into()
        }
        _ => format!("expected {most} regions").into(),
    })
}

fn check_successors(def: &OpDef, n_successors: usize) -> Result<(), OpError> {
    let (least, most) = def.successors;
    if (least..=most).contains(&n_successors) {
        return Ok(());
    }
    Err(match (least, most) {
        (1, 1) => format!("requires 1 successor but found {n_successors}"),
        _ if n_successors < least && least != most => {
            format!("requires at least {least} successors but found {n_successors}")
        }
        _ => format!("requires {most} successors but found {n_successors}"),
    }
    .into())
}

/// How many values `specs` ask for at least, and whether there may be more.
fn bounds(specs: &[ValueSpec]) -> (usize, bool) {
    let n_single = specs.iter().filter(|s| s.count == Count::One).count();
    (n_single, n_single < specs.len())
}

fn check_result_count(def: &OpDef, n_results: usize) -> Result<(), OpError> {
    match bounds(def.results) {
        (least, true) if n_results < least => {
            Err(format!("expected {least} or more results").into())
        }
        (_, true) => Ok(()),
        (expected, false) if n_results == expected => Ok(()),
        (0, false) => Err("requires zero results".into()),
        (1, false) => Err("requires one result".into()),
        (expected, false) => Err(format!("expected {expected} results").into()),
    }
}

fn check_operand_count(def: &OpDef, n_operands: usize) -> Result<(), OpError> {
    match bounds(def.operands) {
        (least, true) if n_operands < least => {
            // With segments, a group of one may seem to be missing only
            // because the segments say so.
            Err(format!("expected {least} or more operands, but found {n_operands}").into())
        }
        (least, true) if def.traits.contains(Traits::SAME_VARIADIC_OPERAND_SIZE) => {
            let n_groups = def.operands.len() - least;
            if (n_operands - least).is_multiple_of(n_groups) {
                return Ok(());
            }
            Err(format!(
                "expected {n_groups} operand groups of the same size, but found {} operands in them",
                n_operands - least
            )
            .into())
        }
        (_, true) => Ok(()),
        (expected, false) if n_operands == expected => Ok(()),
        (0, false) => Err("requires zero operands".into()),
        (1, false) => Err("requires a single operand".into()),
        (expected, false) => {
            Err(format!("expected {expected} operands, but found {n_operands}").into())
        }
    }
}

/// The stored sizes of the groups; all zero if they are missing.
fn segment_sizes(
    ir: &Ir,
    op: Op,
    name: Name,
    n_groups: usize,
) -> Result<impl Iterator<Item = i32> + Clone, OpError> {
    let context = ir.context();
    let sizes = ir
        .attr(op, name)
        .and_then(|attr| context.attr_i32_array(attr));
    let n_missing = if sizes.is_none() { n_groups } else { 0 };
    let n_sizes = sizes.as_ref().map_or(n_groups, ExactSizeIterator::len);
    let sizes = sizes
        .into_iter()
        .flatten()
        .chain(std::iter::repeat_n(0, n_missing));
    let name = context.name(name);
    if n_sizes != n_groups {
        let what = if name.starts_with("operand") {
            "operand"
        } else {
            "result"
        };
        return Err(format!(
            "'{name}' attribute for specifying {what} segments must have {n_groups} elements, but got {n_sizes}"
        )
        .into());
    }
    if sizes.clone().any(|size| size < 0) {
        return Err(format!("'{name}' attribute cannot have negative elements").into());
    }
    Ok(sizes)
}

fn check_segments(
    specs: &[ValueSpec],
    sizes: impl Iterator<Item = i32> + Clone,
    n_values: usize,
    what: &str,
) -> Result<(), OpError> {
    let total: i64 = sizes.clone().map(i64::from).sum();
    if total != n_values as i64 {
        return Err(format!(
            "{what} count ({n_values}) does not match with the total size ({total}) specified in attribute '{what}SegmentSizes'"
        )
        .into());
    }
    let mut start = 0;
    for (spec, size) in specs.iter().zip(sizes) {
        let expected = match spec.count {
            Count::One if size != 1 => "1 element",
            Count::Optional if size > 1 => "0 or 1 element",
            _ => "",
        };
        if !expected.is_empty() {
            return Err(format!(
                "{what} group starting at #{start} requires {expected}, but found {size}"
            )
            .into());
        }
        start += size;
    }
    Ok(())
}

fn check_structural_traits(ir: &Ir, op: Op) -> Result<(), OpError> {
    let traits = ir.def(op).traits;
    let single_block = traits.contains(Traits::SINGLE_BLOCK);
    for (i, &region) in ir.regions(op).iter().enumerate() {
        let Some(entry) = ir.entry_block(region) else {
            continue;
        };
        if ir.next_block(entry).is_some() {
            if single_block {
                return Err(format!("expects region #{i} to have 0 or 1 blocks").into());
            }
            if traits.contains(Traits::GRAPH_REGION) {
                return Err(format!("expects graph region #{i} to have 0 or 1 blocks").into());
            }
        }
        if single_block && !traits.contains(Traits::NO_TERMINATOR) && ir.first_op(entry).is_none() {
            return Err("expects a non-empty block".into());
        }
    }
    Ok(())
}

fn check_attributes(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let attrs = ir.attrs(op);
    for spec in ir.def(op).attributes {
        let name = context.name(spec.name);
        match context.dict_get(attrs, spec.name) {
            None if spec.required => return Err(format!("requires attribute '{name}'").into()),
            Some(attr) if !(spec.constraint.accepts)(context, attr) => {
                return Err(format!(
                    "attribute '{name}' failed to satisfy constraint: {}",
                    spec.constraint.description
                )
                .into());
            }
            _ => {}
        }
    }
    // In the words of another dialect, visibility may be empty.
    let is_plain = |attr: &Attr| !matches!(context.attr_kind(*attr), AttrKind::Spelled { .. });
    if ir.has_trait(op, Traits::SYMBOL)
        && let Some(visibility) = context
            .dict_get(attrs, Name::SYM_VISIBILITY)
            .filter(is_plain)
    {
        match context.attr_string(visibility) {
            None => {
                return Err(format!(
                    "requires visibility attribute 'sym_visibility' to be a string attribute, but got {}",
                    attr_to_string(context, visibility)
                )
                .into());
            }
            Some("public" | "private" | "nested") => {}
            Some(other) => {
                return Err(format!(
                    r#"visibility expected to be one of ["public", "private", "nested"], but got "{other}""#
                )
                .into());
            }
        }
    }
    Ok(())
}

/// The results of `op` by group; the counts are checked.
fn result_groups(ir: &Ir, op: Op) -> impl Iterator<Item = &[Value]> {
    let def = ir.def(op);
    let mut segments = def
        .traits
        .contains(Traits::RESULT_SEGMENTS)
        .then(|| ir.attr(op, Name::RESULT_SEGMENT_SIZES))
        .flatten()
        .and_then(|attr| ir.context().attr_i32_array(attr));
    // Without segments, groups that are not a single value share the rest.
    let (n_single, _) = bounds(def.results);
    let n_groups = (def.results.len() - n_single).max(1);
    let share = ir.results(op).len().saturating_sub(n_single) / n_groups;
    let mut results = ir.results(op);
    def.results.iter().map(move |spec| {
        let size = match &mut segments {
            Some(sizes) => sizes.next().map_or(0, |size| size.max(0) as usize),
            None if spec.count == Count::One => 1,
            None => share,
        };
        let (group, rest) = results.split_at(size.min(results.len()));
        results = rest;
        group
    })
}

fn check_values<'a>(
    ir: &Ir,
    specs: &[ValueSpec],
    groups: impl Iterator<Item = &'a [Value]>,
    what: &str,
) -> Result<(), OpError> {
    let context = ir.context();
    let mut index = 0;
    for (spec, group) in specs.iter().zip(groups) {
        if spec.count == Count::Optional && group.len() > 1 {
            return Err(format!(
                "{what} group starting at #{index} requires 0 or 1 element, but found {}",
                group.len()
            )
            .into());
        }
        for &value in group {
            let ty = ir.value_type(value);
            if !(spec.constraint.accepts)(context, ty) {
                let variadic = match spec.count {
                    Count::Variadic => "variadic of ",
                    Count::One | Count::Optional => "",
                };
                return Err(format!(
                    "{what} #{index} must be {variadic}{}, but got '{}'",
                    spec.constraint.description,
                    type_to_string(context, ty)
                )
                .into());
            }
            index += 1;
        }
    }
    Ok(())
}

/// Whether `block`, in a region of `op`, has to end with a terminator.
fn needs_terminator(ir: &Ir, op: Op, block: Block) -> bool {
    let region = ir.region_of(block);
    let alone = region.is_some_and(|region| ir.single_block(region) == Some(block));
    // IRDL has no words for terminators: where nothing is said there may be none.
    let def = ir.def(op);
    let may_lack = def.traits.contains(Traits::NO_TERMINATOR)
        || def.is_unregistered()
        || def.declared.is_some() && def.region_branch.is_none();
    !alone || !may_lack
}

/// Checks that `block`, in a region of `op`, is not empty where it may not be, and branches to blocks of its own region. The
/// error comes with its place and whole text.
pub(super) fn check_block(ir: &Ir, op: Op, block: Block) -> Result<(), (Loc, String)> {
    let Some(last) = ir.last_op(block) else {
        if needs_terminator(ir, op, block) {
            let message = "empty block: expect at least a terminator";
            return Err((ir.loc(op), message.to_owned()));
        }
        return Ok(());
    };
    let region = ir.region_of(block);
    if ir
        .successors(last)
        .iter()
        .any(|&successor| ir.region_of(successor) != region)
    {
        let name = ir.op_name(last);
        let message = format!("'{name}' op branching to block of a different region");
        return Err((ir.loc(last), message));
    }
    Ok(())
}

/// The last operation of `block`, in a region of `op`, if there should be a terminator in its place.
pub(super) fn no_terminator(ir: &Ir, op: Op, block: Block) -> Option<Op> {
    let last = ir.last_op(block)?;
    (needs_terminator(ir, op, block) && ir.terminator(block).is_none()).then_some(last)
}

/// The message for such an operation.
pub(super) fn no_terminator_error(ir: &Ir, last: Op) -> String {
    let options = PrintOptions {
        generic: true,
        skip_regions: true,
        local_scope: true,
        ..PrintOptions::default()
    };
    let text = print_op(ir, last, options);
    format!("block with no terminator, has {text}")
}
