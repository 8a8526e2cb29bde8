//! The text of all operations has one shape: what the operation does, `ins`,
//! `outs`, maybe a body, types of results.

use std::ops::Range;

use smallvec::SmallVec;

use super::{ARG_COMPARE, FFT, GATHER, REVERSE, SCAN, SCATTER, groups};
use crate::dialects::shared::assembly::{i64_array, set_segments};
use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{Count, OpDef, ValueSpec};
use crate::ir::types::Type;

/// Whether attributes stand in parentheses behind their names, or behind `=`.
fn in_parentheses(name: Name) -> bool {
    name != Name::DIMENSION_MAP
}

/// The attributes in front of the operands, in order.
fn leading(def: &OpDef) -> &'static [(Name, &'static str)] {
    const DIMENSION: (Name, &str) = (Name::DIMENSION, "dimension");
    const MAP: (Name, &str) = (Name::DIMENSION_MAP, "dimension_map");
    if std::ptr::eq(def, &SCAN) {
        &[DIMENSION, (Name::INCLUSIVE, "inclusive")]
    } else if std::ptr::eq(def, &SCATTER) {
        &[MAP, (Name::UNIQUE_INDICES, "unique_indices")]
    } else if std::ptr::eq(def, &GATHER) {
        &[MAP]
    } else if std::ptr::eq(def, &REVERSE) {
        &[(Name::DIMENSIONS, "dimensions")]
    } else if std::ptr::eq(def, &FFT) {
        &[]
    } else {
        &[DIMENSION]
    }
}

/// What stands in front of the types of results.
fn result_token(def: &OpDef) -> &'static str {
    match std::ptr::eq(def, &FFT) || std::ptr::eq(def, &REVERSE) {
        true => ":",
        false => "->",
    }
}

/// `{attrs} dimension(1) ins(%a : type) outs(%b : type) { ... } -> types`
pub(super) fn parse(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let def = spec.def;
    p.parse_opt_attr_dict(spec)?;
    for &(name, keyword) in leading(def) {
        p.parse_keyword(keyword)?;
        if in_parentheses(name) {
            p.parse_token("(")?;
            let ty = (name != Name::DIMENSIONS).then_some(Type::I64);
            let attr = p.parse_attr(ty)?;
            p.parse_token(")")?;
            spec.set_attr(name, attr);
        } else {
            p.parse_token("=")?;
            let numbers = p.parse_integer_list()?;
            spec.set_attr(name, p.context().i64_array_attr(&numbers));
        }
    }
    let (inputs, outputs) = groups(def).expect("all rows with this form have inputs and outputs");
    let mut sizes = parse_operands(p, spec, "ins", &def.operands[inputs])?;
    sizes.extend(parse_operands(p, spec, "outs", &def.operands[outputs])?);
    if std::ptr::eq(def, &ARG_COMPARE) {
        sizes.push(usize::from(p.parse_opt_keyword("index_base")));
        if sizes.last() == Some(&1) {
            p.parse_token("(")?;
            let base = p.parse_operand()?;
            let ty = p.parse_colon_type()?;
            p.parse_token(")")?;
            p.resolve(&base, ty, spec)?;
        }
    }
    if def.has_operand_segments() {
        set_segments(p.context(), spec, &sizes);
    }
    if def.regions.0 > 0 {
        p.parse_region(&[], spec)?;
    }
    if p.parse_opt_token(result_token(def)) {
        spec.results.extend(p.parse_type_list()?);
    }
    Ok(())
}

/// `keyword(%a, %b : type, type)`, and the sizes of `groups`.
fn parse_operands(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    keyword: &'static str,
    groups: &[ValueSpec],
) -> Result<SmallVec<[usize; 5]>, Failed> {
    let least = groups.iter().filter(|g| g.count == Count::One).count();
    let most = match groups.iter().any(|g| g.count == Count::Variadic) {
        true => usize::MAX,
        false => groups.len(),
    };
    let mut n_operands = 0;
    let loc = p.loc();
    if least == 0 && !p.peek_keyword(keyword) {
        // Nothing there.
    } else {
        p.parse_keyword(keyword)?;
        p.parse_token("(")?;
        let operands = p.parse_operand_list(Delimiter::None)?;
        let types = p.parse_colon_type_list()?;
        p.parse_token(")")?;
        p.resolve_each(&operands, &types, loc, spec)?;
        n_operands = operands.len();
    }
    if n_operands < least || n_operands > most {
        let expected = match least == most {
            true => least.to_string(),
            false => format!("{least} to {most}"),
        };
        let message = format!("expected {expected} operands in '{keyword}', but got {n_operands}");
        return Err(p.error(loc, message));
    }
    let mut rest = n_operands - least;
    let sizes = groups.iter().map(|group| match group.count {
        Count::One => 1,
        Count::Optional if rest > 0 => {
            rest -= 1;
            1
        }
        Count::Optional => 0,
        Count::Variadic => std::mem::take(&mut rest),
    });
    Ok(sizes.collect())
}

/// Prints what [`parse`] reads.
pub(super) fn print(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let def = ir.def(op);
    let mut hidden: SmallVec<[Name; 3]> = leading(def).iter().map(|&(name, _)| name).collect();
    hidden.push(Name::OPERAND_SEGMENT_SIZES);
    p.opt_attr_dict(ir, op, &hidden);
    for &(name, keyword) in leading(def) {
        p.text(" ");
        p.text(keyword);
        if in_parentheses(name) {
            p.text("(");
            match ir.attr(op, name) {
                // With its type, as no other place has it.
                Some(attr) if name == Name::DIMENSIONS => p.attr(attr),
                Some(attr) => p.attr_without_type(attr),
                None => p.text("true"),
            }
            p.text(")");
        } else {
            p.text(" = ");
            p.integer_list(&i64_array(ir, op, name));
        }
    }
    if let Some((inputs, outputs)) = groups(def) {
        print_operands(p, ir, op, "ins", inputs);
        print_operands(p, ir, op, "outs", outputs);
    }
    if std::ptr::eq(def, &ARG_COMPARE)
        && let Some(&base) = ir.operand_group(op, 4).first()
    {
        print_values(p, ir, "index_base", &[base]);
    }
    if let Some(&region) = ir.regions(op).first() {
        p.text(" ");
        p.region(ir, region, true, true);
    }
    if !ir.results(op).is_empty() {
        p.text(" ");
        p.text(result_token(def));
        p.text(" ");
        p.types_of(ir, ir.results(op));
    }
}

fn print_operands(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, keyword: &str, groups: Range<usize>) {
    let operands = &ir.operands(op)[super::group_operands(ir, op, groups)];
    if !operands.is_empty() {
        print_values(p, ir, keyword, operands);
    }
}

/// ` keyword(%a, %b : type, type)`
fn print_values(p: &mut dyn OpAsmPrinter, ir: &Ir, keyword: &str, values: &[Value]) {
    p.text(" ");
    p.text(keyword);
    p.text("(");
    p.values(values);
    p.text(" : ");
    p.types_of(ir, values);
    p.text(")");
}
