//! Calls: passing and receiving values by the calling convention.

use cranelift_codegen::ir::{self as clif, Inst, InstBuilder, MemFlagsData, StackSlot, types};
use freehold_frontend::ir::types::Type;
use smallvec::SmallVec;

use super::function::Lowering;
use super::held::Lowered;
use crate::abi::{FunctionAbi, abi_type, part_types};
use crate::external::External;
use crate::repr::{Repr, Scalar};

/// The callee.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// A known function.
    Direct(clif::FuncRef),
    /// The address of a function.
    Indirect(clif::Value),
}

impl Lowering<'_, '_> {
    /// Calls a function of the C library or the runtime.
    pub(crate) fn call_external(
        &mut self,
        external: &'static External,
        args: &[clif::Value],
    ) -> Inst {
        let reference = self.external_ref(external);
        self.b.ins().call(reference, args)
    }

    /// [`Self::call_external`] with one result, which is returned.
    pub(crate) fn call_external1(
        &mut self,
        external: &'static External,
        args: &[clif::Value],
    ) -> clif::Value {
        let call = self.call_external(external, args);
        self.b.inst_results(call)[0]
    }

    /// Converts a scalar as it is held to the type it has at calls.
    fn scalar_to_abi(&mut self, scalar: Scalar, value: clif::Value) -> clif::Value {
        if abi_type(scalar) == scalar.clif() {
            return value;
        }
        let flags = MemFlagsData::new();
        self.b.ins().bitcast(abi_type(scalar), flags, value)
    }

    /// The inverse of [`Self::scalar_to_abi`]. Bits above an odd width are
    /// whatever the other side left there.
    fn scalar_from_abi(&mut self, scalar: Scalar, value: clif::Value) -> clif::Value {
        let value = if abi_type(scalar) == scalar.clif() {
            value
        } else {
            let flags = MemFlagsData::new();
            self.b.ins().bitcast(scalar.clif(), flags, value)
        };
        self.wrap(scalar, value)
    }

    /// Appends the parameters that pass `value`.
    pub(crate) fn push_arguments(
        &mut self,
        value: &Lowered,
        repr: &Repr,
        args: &mut Vec<clif::Value>,
    ) {
        match (repr, value) {
            (Repr::Scalar(scalar) | Repr::Complex(scalar), _) => {
                for part in self.parts(value) {
                    args.push(self.scalar_to_abi(*scalar, part));
                }
            }
            (Repr::Aggregate(aggregate), Lowered::Aggregate(members)) => {
                for (member, repr) in members.iter().zip(&aggregate.members) {
                    self.push_arguments(member, repr, args);
                }
            }
            _ => args.extend(self.parts(value)),
        }
    }

    /// The values of these types that arrived in `params`, the inverse of
    /// [`Self::push_arguments`]. All types are supported.
    pub(crate) fn received(&mut self, tys: &[Type], params: &[clif::Value]) -> Vec<Lowered> {
        let mut rest = params;
        tys.iter()
            .map(|&ty| {
                let Some(repr) = self.repr_of_type(ty) else {
                    return Lowered::Missing;
                };
                let n = part_types(self.context, ty).len();
                let (own, others) = rest.split_at(n);
                rest = others;
                self.received_as(&repr, &mut own.iter().copied())
            })
            .collect()
    }

    /// The value held as `repr` whose parts are next.
    fn received_as(
        &mut self,
        repr: &Repr,
        parts: &mut dyn Iterator<Item = clif::Value>,
    ) -> Lowered {
        let parts: SmallVec<[clif::Value; 8]> = match repr {
            Repr::Scalar(scalar) => (parts.take(1))
                .map(|part| self.scalar_from_abi(*scalar, part))
                .collect(),
            Repr::Complex(scalar) => (parts.take(2))
                .map(|part| self.scalar_from_abi(*scalar, part))
                .collect(),
            Repr::Aggregate(aggregate) => {
                let members = aggregate.members.iter();
                let members = members.map(|member| self.received_as(member, parts));
                return Lowered::Aggregate(members.collect());
            }
            Repr::Vector(vector) => parts.take(vector.n_parts()).collect(),
            Repr::MemRef(layout) => parts.take(3 + 2 * layout.rank()).collect(),
            Repr::UnrankedMemRef => parts.take(2).collect(),
        };
        self.with_parts(repr, &parts)
    }

    /// Splits 128-bit values into halves, as the struct of results holds them.
    fn result_parts(&mut self, values: &[clif::Value]) -> Vec<clif::Value> {
        let mut parts = Vec::with_capacity(values.len());
        for &value in values {
            if self.b.func.dfg.value_type(value) == types::I128 {
                let (low, high) = self.b.ins().isplit(value);
                parts.extend([low, high]);
            } else {
                parts.push(value);
            }
        }
        parts
    }

    /// Joins the halves that [`Self::result_parts`] made, for results of these types.
    fn join_result_parts(&mut self, tys: &[Type], parts: &[clif::Value]) -> Vec<clif::Value> {
        let mut halves = parts.iter().copied();
        let mut next = || halves.next().expect("every result has its parts");
        let mut joined = Vec::with_capacity(parts.len());
        for part in tys.iter().flat_map(|&ty| part_types(self.context, ty)) {
            let low = next();
            joined.push(if part == types::I128 {
                let high = next();
                self.b.ins().iconcat(low, high)
            } else {
                low
            });
        }
        joined
    }

    /// Calls a function with parameters made by [`Self::push_arguments`] and
    /// returns its results.
    pub(crate) fn call_function(
        &mut self,
        target: Target,
        abi: &FunctionAbi,
        results: &[Type],
        mut args: Vec<clif::Value>,
    ) -> Vec<Lowered> {
        let slot = abi.indirect.then(|| self.results_slot(abi.results_size));
        if let Some(slot) = slot {
            let pointer = self.b.ins().stack_addr(types::I64, slot, 0);
            args.insert(0, pointer);
        }
        let call = match target {
            Target::Direct(function) => self.b.ins().call(function, &args),
            Target::Indirect(address) => {
                let signature = self.b.import_signature(abi.signature.clone());
                self.b.ins().call_indirect(signature, address, &args)
            }
        };
        let parts: Vec<clif::Value> = match slot {
            None => self.b.inst_results(call).to_vec(),
            Some(slot) => abi
                .results
                .iter()
                .map(|part| {
                    let offset = part.offset as i32;
                    self.b.ins().stack_load(types::I64, part.ty, slot, offset)
                })
                .collect(),
        };
        let parts = self.join_result_parts(results, &parts);
        self.received(results, &parts)
    }

    /// A slot for a struct of results. It is free again once they are loaded.
    fn results_slot(&mut self, size: u32) -> StackSlot {
        if let Some(&slot) = self.results_slots.get(&size) {
            return slot;
        }
        let slot = self.stack_slot(size);
        self.results_slots.insert(size, slot);
        slot
    }

    /// Returns these values from the function being lowered.
    pub(crate) fn return_values(&mut self, values: &[(Lowered, Repr)]) {
        let mut args = Vec::new();
        for (value, repr) in values {
            self.push_arguments(value, repr, &mut args);
        }
        let parts = self.result_parts(&args);
        match self.result_pointer {
            Some(pointer) => {
                let flags = MemFlagsData::trusted();
                for (&part, result) in parts.iter().zip(&self.abi.results) {
                    self.b
                        .ins()
                        .store(flags, part, pointer, result.offset as i32);
                }
                self.close_frame();
                self.b.ins().return_(&[]);
            }
            None => {
                self.close_frame();
                self.b.ins().return_(&parts);
            }
        }
    }
}
