//! The definition of an operation: its values, attributes and regions, and the row made of it.

use super::constraints::read_constraints;
use super::{Reader, into_static, leak, named};
use crate::dialects::irdl;
use crate::dialects::irdl::assembly::variadicity_of;
use crate::ir::constraints::ANY;
use crate::ir::declared::{ConstraintId, Declared, RegionRule};
use crate::ir::diag::Failed;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{Count, OpDef, Traits, ValueSpec};

/// A definition as it was read.
#[derive(PartialEq, Debug)]
pub(super) struct Operation {
    pub(super) name: String,
    pub(super) traits: Traits,
    pub(super) operands: Vec<(String, Count)>,
    pub(super) results: Vec<(String, Count)>,
    pub(super) declared: Declared,
}

impl Operation {
    /// Its row.
    pub(super) fn into_row(self) -> OpDef {
        let specs = |values: Vec<(String, Count)>| -> &'static [ValueSpec] {
            let specs: Vec<ValueSpec> = values
                .into_iter()
                .map(|(name, count)| ValueSpec {
                    name: leak(&name),
                    count,
                    constraint: &ANY,
                })
                .collect();
            Box::leak(specs.into())
        };
        let declared = into_static(self.declared);
        let n_several = |values: &[(String, Count)]| {
            let several = values.iter().filter(|(_, count)| *count != Count::One);
            several.count()
        };
        let mut traits = self.traits;
        if n_several(&self.results) > 1 {
            traits = traits.and(Traits::RESULT_SEGMENTS);
        }
        let n_regions = declared.regions.len();
        let n_successors = declared.branches.len();
        OpDef {
            name: leak(&self.name),
            traits,
            operands: specs(self.operands),
            results: specs(self.results),
            regions: (n_regions, n_regions),
            successors: (n_successors, n_successors),
            ..OpDef::BASE
        }
        .with_declared(declared)
    }

    /// The operand group of this name.
    pub(super) fn operand(&self, name: &str) -> Option<usize> {
        self.operands.iter().position(|(known, _)| known == name)
    }

    /// The result group of this name.
    pub(super) fn result(&self, name: &str) -> Option<usize> {
        self.results.iter().position(|(known, _)| known == name)
    }

    /// The region of this name.
    pub(super) fn region(&self, name: &str) -> Option<usize> {
        let mut regions = self.declared.regions.iter();
        regions.position(|rule| rule.name == name)
    }
}

impl Reader<'_> {
    pub(super) fn operation(&mut self, namespace: &str, op: Op) -> Result<Operation, Failed> {
        let ir = self.ir;
        let inside = self.inside(op);
        let (constraints, ids) = read_constraints(self, &inside)?;
        let mut operation = Operation {
            name: format!("{namespace}.{}", ir.symbol_name(op).unwrap_or_default()),
            traits: Traits::NONE,
            operands: Vec::new(),
            results: Vec::new(),
            declared: Declared {
                index: self.table.locs.len(),
                constraints,
                operands: Vec::new(),
                results: Vec::new(),
                attributes: Vec::new(),
                regions: Vec::new(),
                effects: None,
                keeps: None,
                same: Vec::new(),
                view: None,
                completion: None,
                ownership: Vec::new(),
                destination: Vec::new(),
                control: None,
                yields: None,
                branches: Vec::new(),
                call: None,
                copy: None,
                function: None,
            },
        };
        self.table.locs.push(ir.loc(op));
        for (what, row) in [
            ("irdl.operands", &irdl::OPERANDS),
            ("irdl.results", &irdl::RESULTS),
            ("irdl.attributes", &irdl::ATTRIBUTES),
            ("irdl.regions", &irdl::REGIONS),
        ] {
            if inside.iter().filter(|&&inner| ir.is(inner, row)).count() > 1 {
                return Err(self.diagnostics.error(
                    ir.loc(op),
                    format!(
                        "failed to verify AtMostOneChildOf trait: the operation contains at least \
                         two operations of type {what}"
                    ),
                ));
            }
        }
        for &inner in &inside {
            let names = || named(ir, inner).into_iter();
            let constraints = || -> Vec<ConstraintId> {
                let values = ir.operands(inner).iter();
                values.filter_map(|value| ids.get(value).copied()).collect()
            };
            let counts = || {
                let words = variadicity_of(ir, inner).unwrap_or_default().into_iter();
                words.map(|word| [Count::One, Count::Optional, Count::Variadic][word])
            };
            let declared = &mut operation.declared;
            if ir.is(inner, &irdl::OPERANDS) {
                operation.operands = names().zip(counts()).collect();
                declared.operands = constraints();
            } else if ir.is(inner, &irdl::RESULTS) {
                operation.results = names().zip(counts()).collect();
                declared.results = constraints();
            } else if ir.is(inner, &irdl::ATTRIBUTES) {
                let names = names().map(|name| leak(&name));
                declared.attributes = names.zip(constraints()).collect();
            } else if ir.is(inner, &irdl::REGIONS) {
                for (name, &value) in names().zip(ir.operands(inner)) {
                    let Some(rule) = ir.defined_by(value, &irdl::REGION) else {
                        continue;
                    };
                    let size = ir.attr(rule, Name::NUMBER_OF_BLOCKS);
                    let size = size.and_then(|size| ir.context().attr_integer(size));
                    let arguments = ir.has_attr(rule, Name::CONSTRAINED_ARGUMENTS).then(|| {
                        let values = ir.operands(rule).iter();
                        values.filter_map(|value| ids.get(value).copied()).collect()
                    });
                    declared.regions.push(RegionRule {
                        name,
                        arguments,
                        n_blocks: size.and_then(|size| usize::try_from(size).ok()),
                    });
                }
            } else if ir.is(inner, &irdl::PARAMETERS) {
                return Err(self.error(inner, "stands in an operation, which has no parameters"));
            }
        }
        let twice = operation
            .operands
            .iter()
            .find(|(name, _)| operation.result(name).is_some());
        if let Some((name, _)) = twice {
            return Err(self.diagnostics.error(
                ir.loc(op),
                format!(
                    "'irdl.operation' op contains a value named '{name}' for both its operands \
                     and results"
                ),
            ));
        }
        self.meaning(op, &mut operation)?;
        Ok(operation)
    }
}
