//! `affine.linearize_index` and `affine.delinearize_index`: subscripts of an array and the place of an element,
//! each made of the other. Sizes are values or, in MLIR 22, numbers.

use crate::dialects::shared::assembly::{i64_array, set_segments};
use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::Attr;
use crate::ir::constraints::{I64_DENSE_ARRAY_ATTR, INDEX, UNIT_ATTR};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, Generic22, OpDef, OpError, ValueSpec};
use crate::ir::types::{DYNAMIC, Type};
use crate::ir::version::MlirVersion;
use crate::syntax::format::{parse_mixed_list_in, print_mixed};

const STATIC_BASIS: AttrSpec = AttrSpec::optional(Name::STATIC_BASIS, &I64_DENSE_ARRAY_ATTR);

/// `affine.linearize_index`: the place of subscripts in an array of these sizes, of which the outermost does
/// not matter and may be missing.
pub static LINEARIZE_INDEX: OpDef = OpDef {
    name: "affine.linearize_index",
    operands: &[
        ValueSpec::variadic("multi_index", &INDEX),
        ValueSpec::variadic("dynamic_basis", &INDEX),
    ],
    results: &[ValueSpec::one("linear_index", &INDEX)],
    attributes: &[
        STATIC_BASIS,
        AttrSpec::defaulted(Name::DISJOINT, &UNIT_ATTR, |_| Attr::FALSE),
    ],
    parse: Some(parse_linearize),
    print: Some(print_linearize),
    verify: verify_linearize,
    generic_22: Generic22 {
        // `true` is another way to write `unit`.
        attr: Some(|_, _, attr, to_22| match attr {
            Attr::TRUE if !to_22 => Attr::UNIT,
            other => other,
        }),
        ..Generic22::NOTHING
    },
    ..OpDef::PURE
};

/// `affine.delinearize_index`: an index taken apart along a basis of sizes, of which the outermost may be
/// missing.
pub static DELINEARIZE_INDEX: OpDef = OpDef {
    name: "affine.delinearize_index",
    operands: &[
        ValueSpec::one("linear_index", &INDEX),
        ValueSpec::variadic("dynamic_basis", &INDEX),
    ],
    results: &[ValueSpec::variadic("multi_index", &INDEX)],
    attributes: &[STATIC_BASIS],
    parse: Some(parse_delinearize),
    print: Some(print_delinearize),
    verify: verify_delinearize,
    generic_22: Generic22 {
        added: Some(all_dynamic),
        ..Generic22::NOTHING
    },
    ..OpDef::PURE
};

/// One size of a basis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Known at run time.
    Value(Value),
    /// A number.
    Constant(i64),
}

/// The sizes that `op`, one of the two, has, outermost first.
pub fn basis(ir: &Ir, op: Op) -> Vec<Size> {
    let mut values = dynamic_basis(ir, op).iter().copied();
    let statics = statics(ir, op);
    let size = |&number: &i64| match number {
        DYNAMIC => values.next().map(Size::Value),
        number => Some(Size::Constant(number)),
    };
    statics.iter().filter_map(size).collect()
}

/// The subscripts that a `affine.linearize_index` has.
pub fn subscripts(ir: &Ir, op: Op) -> &[Value] {
    ir.operand_group(op, 0)
}

fn dynamic_basis(ir: &Ir, op: Op) -> &[Value] {
    ir.operand_group(op, 1)
}

/// The numbers of the basis, [`DYNAMIC`] for values. MLIR 19 has values only, and does not say so.
fn statics(ir: &Ir, op: Op) -> Vec<i64> {
    match ir.attr(op, Name::STATIC_BASIS) {
        Some(_) => i64_array(ir, op, Name::STATIC_BASIS),
        None => vec![DYNAMIC; dynamic_basis(ir, op).len()],
    }
}

/// MLIR 22 says that all sizes are values.
fn all_dynamic(ir: &Ir, op: Op) -> Option<(Name, Attr)> {
    let is_said = ir.has_attr(op, Name::STATIC_BASIS);
    let attr = || ir.context().i64_array_attr(&statics(ir, op));
    (!is_said).then(|| (Name::STATIC_BASIS, attr()))
}

/// `%i into (2, %n, 4) : index, index, index`
fn parse_delinearize(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let index = p.parse_operand()?;
    p.parse_keyword("into")?;
    let basis = parse_mixed_list_in(p, Delimiter::Paren)?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    spec.results.extend(p.parse_type_list()?);
    p.resolve(&index, Type::INDEX, spec)?;
    p.resolve_all(&basis.operands, Type::INDEX, spec)?;
    // MLIR 19 has one value per result, and no attribute.
    let n_results = spec.results.len();
    if n_results != basis.statics.len() || basis.statics.iter().any(|&size| size != DYNAMIC) {
        p.context().note_version(MlirVersion::V22);
        let attr = p.context().i64_array_attr(&basis.statics);
        spec.set_attr(Name::STATIC_BASIS, attr);
    }
    Ok(())
}

fn print_delinearize(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.value(ir.operand(op, 0));
    p.text(" into ");
    print_mixed(p, ["(", ")"], dynamic_basis(ir, op), &statics(ir, op));
    p.opt_attr_dict(ir, op, &[Name::STATIC_BASIS]);
    p.text(" : ");
    p.types_of(ir, ir.results(op));
}

/// `disjoint [%i, %j] by (4, %n) : index`
fn parse_linearize(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    p.context().note_version(MlirVersion::V22);
    if p.parse_opt_keyword("disjoint") {
        spec.set_attr(Name::DISJOINT, Attr::UNIT);
    }
    let subscripts = p.parse_operand_list(Delimiter::Square)?;
    p.parse_keyword("by")?;
    let basis = parse_mixed_list_in(p, Delimiter::Paren)?;
    p.parse_opt_attr_dict(spec)?;
    spec.results.push(p.parse_colon_type()?);
    p.resolve_all(&subscripts, Type::INDEX, spec)?;
    p.resolve_all(&basis.operands, Type::INDEX, spec)?;
    let attr = p.context().i64_array_attr(&basis.statics);
    spec.set_attr(Name::STATIC_BASIS, attr);
    set_segments(p.context(), spec, &[subscripts.len(), basis.operands.len()]);
    Ok(())
}

fn print_linearize(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    if ir.has_attr(op, Name::DISJOINT) {
        p.text("disjoint ");
    }
    p.text("[");
    p.values(subscripts(ir, op));
    p.text("] by ");
    print_mixed(p, ["(", ")"], dynamic_basis(ir, op), &statics(ir, op));
    let elided = [
        Name::STATIC_BASIS,
        Name::DISJOINT,
        Name::OPERAND_SEGMENT_SIZES,
    ];
    p.opt_attr_dict(ir, op, &elided);
    p.text(" : index");
}

fn verify_delinearize(ir: &Ir, op: Op) -> Result<(), OpError> {
    let n_basis = verify_basis(ir, op)?;
    let n_results = ir.results(op).len();
    let is_19 = !ir.has_attr(op, Name::STATIC_BASIS);
    if is_19 && n_basis == 0 {
        return Err("basis should not be empty".into());
    }
    if n_results == n_basis {
        return Ok(());
    }
    if is_19 {
        return Err("should return an index for each basis element".into());
    }
    // The outermost size may be missing.
    if n_results != n_basis + 1 {
        return Err(
            "should return an index for each basis element and up to one extra index".into(),
        );
    }
    Ok(())
}

fn verify_linearize(ir: &Ir, op: Op) -> Result<(), OpError> {
    let n_basis = verify_basis(ir, op)?;
    let n = subscripts(ir, op).len();
    if n != n_basis && n != n_basis + 1 || n == 0 {
        return Err(
            "should be passed a basis element for each index except possibly the first".into(),
        );
    }
    Ok(())
}

/// The number of sizes, if there are as many values as the numbers say, and no size is negative.
fn verify_basis(ir: &Ir, op: Op) -> Result<usize, OpError> {
    let statics = statics(ir, op);
    let n_dynamic = statics.iter().filter(|&&size| size == DYNAMIC).count();
    if n_dynamic != dynamic_basis(ir, op).len() {
        return Err(
            "mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic \
             basis entry) -- this can only happen due to an incorrect fold/rewrite"
                .into(),
        );
    }
    if statics.iter().any(|&size| size != DYNAMIC && size <= 0) {
        return Err("no basis element may be statically non-positive".into());
    }
    Ok(statics.len())
}
