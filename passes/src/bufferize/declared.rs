//! Operations that a file declares: their tensors become buffers as `freehold.destination`, effects and aliases say.
//!
//! A result with a destination goes: its buffer is that of the destination, which the operation writes. An optional
//! destination that is not there is a new buffer. Other results become buffers that the operation allocates, or that are
//! one of its operands.

use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::declared::{Declared, Place};
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{Count, Traits};
use freehold_frontend::ir::types::DYNAMIC;

use super::in_place::is_tensor;
use super::rewrite::{NotBufferized, Rewriter};

/// The declaration of `op`, if it is neither control flow nor a function and says what it does to memory.
pub(super) fn declaration(ir: &Ir, op: Op) -> Option<&'static Declared> {
    let def = ir.def(op);
    let is_plain = def.region_branch.is_none()
        && def.branch.is_none()
        && def.region_terminator.is_none()
        && def.call.is_none();
    def.declared.filter(|_| is_plain)
}

fn is_written(declared: &Declared, group: usize) -> bool {
    let mut destinations = declared.destination.iter();
    let mut effects = declared.effects.iter().flatten();
    destinations.any(|&(_, operand)| operand == group)
        || effects.any(|e| e.0 == Place::Operand(group) && e.1 != EffectKind::Read)
}

fn is_kept(declared: &Declared, group: usize) -> bool {
    match &declared.keeps {
        Some(keeps) => keeps.iter().any(|&(_, operand)| operand == group),
        // Nothing says that no operand is kept.
        None => !declared.results.is_empty() && declared.destination.is_empty(),
    }
}

/// The tensors among the operands that the operation wants for itself, and whether it may have the buffer that is there.
/// One that a result stands for is a new buffer in any case: it is unknown how long it is read.
pub(super) fn consumed(ir: &Ir, op: Op, declared: &Declared) -> Vec<(usize, bool)> {
    let groups = 0..declared.operands.len();
    groups
        .flat_map(|group| {
            let may_take = !is_kept(declared, group);
            let is_wanted = !may_take || is_written(declared, group);
            let range = ir.operand_group_range(op, group).filter(move |_| is_wanted);
            range.map(move |index| (index, may_take))
        })
        .filter(|&(index, _)| is_tensor(ir, ir.operand(op, index)))
        .collect()
}

/// The operand that the result `index` of `op` is written to, if it is there.
pub(super) fn destination_of(ir: &Ir, op: Op, declared: &Declared, index: usize) -> Option<Value> {
    declared.destination.iter().find_map(|&(result, operand)| {
        let range = ir.result_group_range(op, result);
        let at = range.contains(&index).then(|| index - range.start)?;
        ir.operand_group(op, operand).get(at).copied()
    })
}

/// The lines missing in the declaration of `op` for its tensors to become buffers.
pub(super) fn advice(ir: &Ir, op: Op) -> Option<String> {
    let declared = ir.def(op).declared?;
    if declared.effects.is_none() && declared.destination.is_empty() {
        return Some("its declaration has no 'freehold.effects'".to_owned());
    }
    let name = ir
        .def(op)
        .results
        .iter()
        .enumerate()
        .find_map(|(group, spec)| {
            let is_known = declared
                .destination
                .iter()
                .any(|&(result, _)| result == group);
            let mut results = ir.result_group(op, group).iter();
            let is_open = !is_known && !has_buffer(declared, group);
            (is_open && results.any(|&value| is_tensor(ir, value))).then_some(spec.name)
        })?;
    Some(format!(
        "its declaration does not say where '{name}' is: \
         'freehold.destination = {{{name} = \"OPERAND\"}}' writes it to an operand, \
         'freehold.effects = {{{name} = \"allocate\"}}' makes a buffer"
    ))
}

/// Whether it is known whose memory the buffer of a result without destination is.
fn has_buffer(declared: &Declared, group: usize) -> bool {
    let mut effects = declared.effects.iter().flatten();
    let mut keeps = declared.keeps.iter().flatten();
    effects.any(|e| e.0 == Place::Result(group) && e.1 == EffectKind::Allocate)
        || keeps.any(|&(result, _)| result == group)
}

impl Rewriter<'_> {
    /// Makes buffers of the tensors of `op`.
    pub(super) fn rewrite_declared(
        &mut self,
        op: Op,
        declared: &'static Declared,
    ) -> Result<(), NotBufferized> {
        if declared.effects.is_none() && declared.destination.is_empty() {
            return Err(NotBufferized);
        }
        let consumed: Vec<usize> = self.consumed_by(op);
        for index in 0..self.ir.operands(op).len() {
            let operand = self.ir.operand(op, index);
            if !self.was_tensor(operand) {
                continue;
            }
            let buffer = match consumed.contains(&index) {
                true => self.handed_on(op, index)?,
                false => {
                    let (buffer, ty) = (self.buffer(operand)?, self.row_major(operand)?);
                    self.lent(op, buffer, ty)?
                }
            };
            self.ir.set_operand(op, index, buffer);
        }
        let mut dropped = Vec::new();
        for group in 0..declared.results.len() {
            let range = self.ir.result_group_range(op, group);
            let destination = declared
                .destination
                .iter()
                .find(|(result, _)| *result == group);
            for (at, index) in range.enumerate() {
                let result = self.ir.result(op, index);
                if !is_tensor(self.ir, result) {
                    continue;
                }
                let ty = self.row_major(result)?;
                let Some(&(_, operand)) = destination else {
                    if !has_buffer(declared, group) {
                        return Err(NotBufferized);
                    }
                    self.becomes_buffer(result, ty);
                    continue;
                };
                let buffer = match self.ir.operand_group(op, operand).get(at) {
                    Some(&buffer) => buffer,
                    None => self.new_destination(op, operand, ty)?,
                };
                if self.ir.value_type(buffer) != ty {
                    return Err(NotBufferized);
                }
                self.holds(result, buffer);
                dropped.push(index);
            }
        }
        self.drop_results(op, dropped);
        Ok(())
    }

    /// A new buffer for operand group `group`, which is optional and not there.
    fn new_destination(
        &mut self,
        op: Op,
        group: usize,
        ty: freehold_frontend::ir::types::Type,
    ) -> Result<Value, NotBufferized> {
        let is_static = self
            .context
            .shape(ty)
            .is_some_and(|shape| !shape.contains(&DYNAMIC));
        if !is_static || self.ir.def(op).operands[group].count == Count::One {
            return Err(NotBufferized);
        }
        let buffer = self.alloc(op, ty, &[]);
        self.ir.append_to_operand_group(op, group, &[buffer]);
        Ok(buffer)
    }
}

/// Takes results away from `op`, in ascending order, whose groups become as much smaller.
pub(super) fn remove_results(ir: &mut Ir, op: Op, results: &[usize]) {
    let has_segments = ir.has_trait(op, Traits::RESULT_SEGMENTS);
    let sizes: Vec<i32> = (0..ir.def(op).results.len())
        .map(|group| {
            let range = ir.result_group_range(op, group);
            range.filter(|index| !results.contains(index)).count() as i32
        })
        .collect();
    for &index in results.iter().rev() {
        ir.remove_result(op, index);
    }
    if has_segments {
        let sizes: Attr = ir.context().i32_array_attr(&sizes);
        ir.set_attr(op, Name::RESULT_SEGMENT_SIZES, sizes);
    }
}
