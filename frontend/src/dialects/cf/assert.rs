//! `cf.assert`: stops the program unless a condition holds.

use crate::ir::constraints::{I1, STRING_ATTR};
use crate::ir::data::Ir;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, ValueSpec};
use crate::op_view;

use super::patterns;

/// `cf.assert`
pub static ASSERT: OpDef = const {
    OpDef {
        name: "cf.assert",
        operands: &[ValueSpec::one("arg", &I1)],
        attributes: &[AttrSpec::required(Name::MSG, &STRING_ATTR)],
        // A write to nothing in particular: it must be kept, and in order.
        effects: Some(|_, _, out| out.add(EffectKind::Write, None, Resource::Default)),
        canonicalize: patterns::assert::PATTERNS,
        ..OpDef::BASE
    }
}
.with_format("$arg `,` $msg attr-dict");

op_view! {
    /// `cf.assert`
    Assert, ASSERT { condition: one = 0 }
}

impl Assert {
    /// The message printed when the condition does not hold.
    pub fn message(self, ir: &Ir) -> &str {
        ir.attr(self.0, Name::MSG)
            .and_then(|attr| ir.context().attr_string(attr))
            .unwrap_or_default()
    }
}
