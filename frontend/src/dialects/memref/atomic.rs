//! Atomic updates: `atomic_rmw`, `generic_atomic_rmw`, `atomic_yield`.

use crate::ir::attrs::Attr;
use crate::ir::constraints::{self, ANY, INDEX};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::effects::Effects;
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::{RegionBranchInterface, RegionPoint, RegionTerminatorInterface};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, Generic22, OpDef, OpError, Traits, ValueSpec, keeps_nothing};
use crate::ir::rules;
use crate::ir::version::MlirVersion;
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::constraints::{ATOMIC_RMW_KIND, INTEGER_OR_FLOAT, MEMREF_OF_INTEGER_OR_FLOAT};
use super::patterns;
use crate::dialects::arith;
use crate::dialects::shared::assembly;

/// How an atomic update (or a reduction) combines the old value with the operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each variant is its MLIR keyword")]
pub enum AtomicRmwKind {
    Addf,
    Addi,
    Assign,
    Maximumf,
    Maxs,
    Maxu,
    Minimumf,
    Mins,
    Minu,
    Mulf,
    Muli,
    Ori,
    Andi,
    Maxnumf,
    Minnumf,
    Xori,
}

impl AtomicRmwKind {
    /// Every kind, in the order of the numbers that stand for them in attributes.
    pub const ALL: [Self; 16] = [
        Self::Addf,
        Self::Addi,
        Self::Assign,
        Self::Maximumf,
        Self::Maxs,
        Self::Maxu,
        Self::Minimumf,
        Self::Mins,
        Self::Minu,
        Self::Mulf,
        Self::Muli,
        Self::Ori,
        Self::Andi,
        Self::Maxnumf,
        Self::Minnumf,
        Self::Xori,
    ];

    /// The kind that `value` stands for in an attribute.
    pub fn from_value(value: i128) -> Option<Self> {
        Self::ALL.get(usize::try_from(value).ok()?).copied()
    }

    /// The kind of this spelling.
    pub fn from_keyword(keyword: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.keyword() == keyword)
    }

    /// Every kind, in the order of the numbers of MLIR 22.
    const ALL_22: [Self; 16] = [
        Self::Addf,
        Self::Addi,
        Self::Andi,
        Self::Assign,
        Self::Maximumf,
        Self::Maxnumf,
        Self::Maxs,
        Self::Maxu,
        Self::Minimumf,
        Self::Minnumf,
        Self::Mins,
        Self::Minu,
        Self::Mulf,
        Self::Muli,
        Self::Ori,
        Self::Xori,
    ];

    /// The attribute for a number, or numbers, of a kind as MLIR 22 has it, or the other way around: then numbers
    /// are those of MLIR 19 unless something in the newer text was read before.
    pub fn in_22(context: &Context, attr: Attr, to_22: bool) -> Attr {
        if !to_22 && context.version_read() == MlirVersion::V19 {
            return attr;
        }
        if let Some(kinds) = context.attr_array(attr) {
            let kinds: Vec<Attr> = kinds
                .iter()
                .map(|&kind| Self::in_22(context, kind, to_22))
                .collect();
            return context.array_attr(&kinds);
        }
        let (from, to) = match to_22 {
            true => (&Self::ALL, &Self::ALL_22),
            false => (&Self::ALL_22, &Self::ALL),
        };
        let number = context
            .attr_integer(attr)
            .and_then(|number| usize::try_from(number).ok());
        let kind = number.and_then(|number| from.get(number));
        match kind.and_then(|kind| to.iter().position(|other| other == kind)) {
            Some(number) => context.i64_attr(number as i64),
            None => attr,
        }
    }

    /// The operation that combines two elements; none for the kind that replaces one by the other.
    pub fn combination(self) -> Option<&'static OpDef> {
        Some(match self {
            Self::Addf => &arith::ADDF,
            Self::Addi => &arith::ADDI,
            Self::Maximumf => &arith::MAXIMUMF,
            Self::Maxs => &arith::MAXSI,
            Self::Maxu => &arith::MAXUI,
            Self::Minimumf => &arith::MINIMUMF,
            Self::Mins => &arith::MINSI,
            Self::Minu => &arith::MINUI,
            Self::Mulf => &arith::MULF,
            Self::Muli => &arith::MULI,
            Self::Ori => &arith::ORI,
            Self::Andi => &arith::ANDI,
            Self::Xori => &arith::XORI,
            Self::Maxnumf => &arith::MAXNUMF,
            Self::Minnumf => &arith::MINNUMF,
            Self::Assign => return None,
        })
    }

    /// The number that stands for this kind in an attribute.
    pub const fn value(self) -> i64 {
        self as i64
    }

    /// Its spelling.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Addf => "addf",
            Self::Addi => "addi",
            Self::Assign => "assign",
            Self::Maximumf => "maximumf",
            Self::Maxs => "maxs",
            Self::Maxu => "maxu",
            Self::Minimumf => "minimumf",
            Self::Mins => "mins",
            Self::Minu => "minu",
            Self::Mulf => "mulf",
            Self::Muli => "muli",
            Self::Ori => "ori",
            Self::Andi => "andi",
            Self::Maxnumf => "maxnumf",
            Self::Minnumf => "minnumf",
            Self::Xori => "xori",
        }
    }
}

/// The kind of an `atomic_rmw`.
pub fn atomic_rmw_kind(ir: &Ir, op: Op) -> Option<AtomicRmwKind> {
    let value = ir.context().attr_integer(ir.attr(op, Name::KIND)?)?;
    AtomicRmwKind::from_value(value)
}

fn reads_and_writes(effects: &mut Effects, memref: Value) {
    effects.read(memref);
    effects.write(memref);
}

/// `memref.atomic_rmw`: combines an element with a value; returns the old element.
pub static ATOMIC_RMW: OpDef = const {
    OpDef {
        name: "memref.atomic_rmw",
        keeps_operand: keeps_nothing,
        operands: &[
            ValueSpec::one("value", &INTEGER_OR_FLOAT),
            ValueSpec::one("memref", &MEMREF_OF_INTEGER_OR_FLOAT),
            ValueSpec::variadic("indices", &INDEX),
        ],
        results: &[ValueSpec::one("result", &INTEGER_OR_FLOAT)],
        attributes: &[AttrSpec::required(Name::KIND, &ATOMIC_RMW_KIND)],
        verify: verify_atomic_rmw,
        generic_22: Generic22 {
            attr: Some(|context, name, attr, to_22| match name == Name::KIND {
                true => AtomicRmwKind::in_22(context, attr, to_22),
                false => attr,
            }),
            ..Generic22::NOTHING
        },
        effects: Some(|ir, op, effects| reads_and_writes(effects, ir.operand(op, 1))),
        canonicalize: patterns::USES_MEMREF_SECOND,
        ..OpDef::BASE
    }
}
.with_format(
    "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` \
     type($memref) `)` `->` type($result)",
);
op_view!(
    /// View of [`ATOMIC_RMW`].
    AtomicRmw, ATOMIC_RMW { value: one = 0, memref: one = 1, indices: many = 2 }
);

fn verify_atomic_rmw(ir: &Ir, op: Op) -> Result<(), OpError> {
    use AtomicRmwKind as Kind;
    let view = AtomicRmw(op);
    let ty = ir.value_type(view.value(ir));
    let memref = assembly::memref_of(ir, view.memref(ir));
    if ir.value_type(ir.result(op, 0)) != ty {
        return Err("failed to verify that all of {value, result} have same type".into());
    }
    if memref.element != ty {
        return Err("failed to verify that value type matches element type of memref".into());
    }
    if view.indices(ir).len() != memref.rank() {
        return Err("expects the number of subscripts to be equal to memref rank".into());
    }
    let Some(kind) = atomic_rmw_kind(ir, op) else {
        return Ok(());
    };
    let is_float = constraints::is_float(ir.context(), ty);
    let expected = match kind {
        Kind::Addf | Kind::Maximumf | Kind::Minimumf | Kind::Mulf if !is_float => {
            "a floating-point type"
        }
        Kind::Addi
        | Kind::Maxs
        | Kind::Maxu
        | Kind::Mins
        | Kind::Minu
        | Kind::Muli
        | Kind::Ori
        | Kind::Andi
        | Kind::Xori
            if is_float =>
        {
            "an integer type"
        }
        // Upstream forgets these two; their lowering needs a float as well.
        Kind::Maxnumf | Kind::Minnumf if !is_float => "a floating-point type",
        _ => return Ok(()),
    };
    Err(format!("with kind '{}' expects {expected}", kind.keyword()).into())
}

/// `memref.generic_atomic_rmw`: computes the new element from the old one in a
/// region; returns the old element.
///
/// Its region-branch interface forwards nothing: the argument is what memory
/// held and the result is not what the region yields.
pub static GENERIC_ATOMIC_RMW: OpDef = const {
    OpDef {
        name: "memref.generic_atomic_rmw",
        keeps_operand: keeps_nothing,
        traits: Traits::SINGLE_BLOCK,
        operands: &[
            ValueSpec::one("memref", &MEMREF_OF_INTEGER_OR_FLOAT),
            ValueSpec::variadic("indices", &INDEX),
        ],
        results: &[ValueSpec::one("result", &INTEGER_OR_FLOAT)],
        regions: (1, 1),
        verify: verify_generic_atomic_rmw,
        effects: Some(|ir, op, effects| reads_and_writes(effects, ir.operand(op, 0))),
        region_branch: Some(&RegionBranchInterface {
            successors: |_, _, from, successors| match from {
                RegionPoint::Parent => successors.push(RegionPoint::Region(0)),
                // The exchange may fail and the region run again.
                RegionPoint::Region(_) => {
                    successors.extend([RegionPoint::Region(0), RegionPoint::Parent]);
                }
            },
            entry_operands: |_, _, _| 0..0,
            successor_inputs: |_, _, _| 0..0,
            forwarded_group: None,
            is_repetitive: |_, _, _| true,
        }),
        canonicalize: patterns::USES_MEMREF_FIRST,
        ..OpDef::BASE
    }
}
.with_format(
    "$memref `[` $indices `]` `:` type($memref) region attr-dict where $result = \
     element($memref)",
);
op_view!(
    /// View of [`GENERIC_ATOMIC_RMW`].
    GenericAtomicRmw, GENERIC_ATOMIC_RMW { memref: one = 0, indices: many = 1 }
);

fn verify_generic_atomic_rmw(ir: &Ir, op: Op) -> Result<(), OpError> {
    let ty = ir.value_type(ir.result(op, 0));
    if assembly::memref_of(ir, ir.operand(op, 0)).element != ty {
        return Err("failed to verify that result type matches element type of memref".into());
    }
    let block = ir.entry_block(ir.region(op, 0));
    let &[argument] = block.map_or(&[][..], |block| ir.block_args(block)) else {
        return Err("expected single number of entry block arguments".into());
    };
    if ir.value_type(argument) != ty {
        return Err("expected block argument of the same type result type".into());
    }
    for inner in block.into_iter().flat_map(|block| ir.ops_in(block)) {
        if !ir.is_memory_effect_free(inner) {
            return Err(OpError::bare(
                "body of 'memref.generic_atomic_rmw' should contain only operations with no \
                 side effects",
            )
            .at(ir.loc(inner)));
        }
    }
    Ok(())
}

/// `memref.atomic_yield`: the new element of a `generic_atomic_rmw`.
pub static ATOMIC_YIELD: OpDef = const {
    OpDef {
        name: "memref.atomic_yield",
        traits: Traits::TERMINATOR.and(Traits::SPECULATABLE),
        operands: &[ValueSpec::one("result", &ANY)],
        verify: verify_atomic_yield,
        region_terminator: Some(&RegionTerminatorInterface {
            operands: |_, _, _| 0..0,
        }),
        ..OpDef::PURE
    }
}
.with_format("$result attr-dict `:` type($result)");
op_view!(
    /// View of [`ATOMIC_YIELD`].
    AtomicYield, ATOMIC_YIELD { value: one = 0 }
);

fn verify_atomic_yield(ir: &Ir, op: Op) -> Result<(), OpError> {
    rules::expect_parent(ir, op, &[&GENERIC_ATOMIC_RMW])?;
    let yielded = ir.value_type(ir.operand(op, 0));
    let Some(&result) = ir
        .parent_op(op)
        .and_then(|parent| ir.results(parent).first())
    else {
        return Ok(());
    };
    let expected = ir.value_type(result);
    if yielded == expected {
        return Ok(());
    }
    Err(format!(
        "types mismatch between yield op: '{}' and its parent: '{}'",
        type_to_string(ir.context(), yielded),
        type_to_string(ir.context(), expected)
    )
    .into())
}
