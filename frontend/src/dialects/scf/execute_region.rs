//! `scf.execute_region`: runs its region once; the region may have blocks.

use crate::ir::builder::Builder;
use crate::ir::constraints::ANY;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::interfaces::{RegionBranchInterface, RegionPoint};
use crate::ir::op_def::{OpDef, OpError, ValueSpec};
use crate::ir::rules::{all_inputs, no_entry_operands};
use crate::ir::types::Type;
use crate::op_view;

use super::patterns;

/// `scf.execute_region`
pub static EXECUTE_REGION: OpDef = const {
    OpDef {
        name: "scf.execute_region",
        results: &[ValueSpec::variadic("results", &ANY)],
        regions: (1, 1),
        verify,
        canonicalize: patterns::execute_region::PATTERNS,
        region_branch: Some(&RegionBranchInterface {
            successors: |_, _, from, out| {
                out.push(match from {
                    RegionPoint::Parent => RegionPoint::Region(0),
                    RegionPoint::Region(_) => RegionPoint::Parent,
                });
            },
            entry_operands: no_entry_operands,
            successor_inputs: all_inputs,
            forwarded_group: None,
            is_repetitive: |_, _, _| false,
        }),
        ..OpDef::BASE
    }
}
.with_format("arrow-types region attr-dict");

op_view! {
    /// `scf.execute_region`
    ExecuteRegion, EXECUTE_REGION {}
}

/// Inserts a `scf.execute_region` with an empty, not yet terminated block.
pub fn build_execute_region(builder: &mut Builder<'_>, results: &[Type]) -> Op {
    let spec = builder.spec(&EXECUTE_REGION).results(results).regions(1);
    let op = builder.create(spec);
    let region = builder.ir.region(op, 0);
    builder.ir.append_block(region, &[]);
    op
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some(entry) = ir.entry_block(ir.region(op, 0)) else {
        return Err("region needs to have at least one block".into());
    };
    if !ir.block_args(entry).is_empty() {
        return Err("region cannot have any arguments".into());
    }
    Ok(())
}
