//! `llvm`: what `raise-llvm` leaves of it: pointers, and structs and arrays as values.
//!
//! A value that is a struct or an array is its members ([`Lowered::Aggregate`]); it is in memory only
//! where the program stores it, and there it lies as LLVM would have it.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, TrapCode, types};
use freehold_frontend::dialects::llvm::types::{self as llvm_types, LlvmType};
use freehold_frontend::dialects::llvm::{self, GepIndex};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::calls::Target;
use super::function::{Lowering, LoweringTable};
use super::held::{Elements, Index, Lowered, Sign};
use super::memory::Address;
use crate::external;
use crate::repr::{Repr, Scalar, container, low_bits};

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&llvm::BITREVERSE, |cx, op| reverse(cx, op, false)),
    (&llvm::BSWAP, |cx, op| reverse(cx, op, true)),
    (&llvm::CALL, lower_call),
    (&llvm::CMPXCHG, lower_cmpxchg),
    (&llvm::CONSTANT, lower_constant),
    (&llvm::DEBUG_TRAP, lower_trap),
    (&llvm::EXTRACT_VALUE, lower_extract_value),
    (&llvm::FENCE, |cx, _| {
        cx.b.ins().fence();
        Ok(())
    }),
    (&llvm::GATHER, lower_gather),
    (&llvm::GEP, lower_gep),
    (&llvm::INSERT_VALUE, lower_insert_value),
    (&llvm::INT_TO_PTR, lower_pointer_cast),
    (&llvm::LOAD, lower_load),
    (&llvm::MEMCPY, |cx, op| {
        lower_move(cx, op, &external::MEMCPY)
    }),
    (&llvm::MEMMOVE, |cx, op| {
        lower_move(cx, op, &external::MEMMOVE)
    }),
    (&llvm::MEMSET, lower_memset),
    (&llvm::POISON, lower_zero),
    (&llvm::PTR_TO_INT, lower_pointer_cast),
    (&llvm::SCATTER, lower_scatter),
    (&llvm::STACK_SAVE, lower_zero),
    (&llvm::STORE, lower_store),
    (&llvm::TRAP, lower_trap),
    (&llvm::UNDEF, lower_zero),
    (&llvm::ZERO, lower_zero),
];

/// Pointers of this dialect may point anywhere in an object.
fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Lowering<'_, '_> {
    fn load_llvm(&mut self, repr: &Repr, address: Address) -> Lowered {
        match repr {
            Repr::Scalar(scalar) => {
                let ins = self.b.ins();
                let value = ins.load(scalar.clif(), flags(), address.base, address.offset);
                Lowered::Scalar(self.wrap(*scalar, value))
            }
            Repr::Vector(vector) if vector.is_packed() => {
                let elements = self.load_packed(vector, address, flags());
                self.with_elements(repr, &elements)
            }
            Repr::Vector(vector) => {
                let ty = vector.part_type();
                let parts = (0..vector.n_parts() as u32).map(|i| {
                    let at = self.address_plus(address, ty.bytes() * i);
                    self.b.ins().load(ty, flags(), at.base, at.offset)
                });
                Lowered::Vector(parts.collect())
            }
            Repr::Aggregate(aggregate) => {
                let members = aggregate.members.iter().zip(&aggregate.offsets);
                let members = members.map(|(member, &offset)| {
                    let at = self.address_plus(address, offset);
                    self.load_llvm(member, at)
                });
                Lowered::Aggregate(members.collect())
            }
            _ => self.load(repr, address),
        }
    }

    fn store_llvm(&mut self, repr: &Repr, value: &Lowered, address: Address) {
        match (repr, value) {
            (Repr::Aggregate(aggregate), Lowered::Aggregate(members)) => {
                let places = aggregate.members.iter().zip(&aggregate.offsets);
                for (member, (repr, &offset)) in members.iter().zip(places) {
                    let at = self.address_plus(address, offset);
                    self.store_llvm(repr, member, at);
                }
            }
            (Repr::Vector(vector), _) if vector.is_packed() => {
                let elements = self.parts(value);
                self.store_packed(vector, &elements, address, flags());
            }
            _ => {
                let mut offset = 0;
                for part in self.parts(value) {
                    let at = self.address_plus(address, offset);
                    self.b.ins().store(flags(), part, at.base, at.offset);
                    offset += self.b.func.dfg.value_type(part).bytes();
                }
            }
        }
    }

    /// The integer `value` with 64 bits.
    fn wide(&mut self, sign: Sign, value: Value) -> Result<Index, Failed> {
        let scalar = self.scalar_type(value)?;
        let Scalar::Int(width) = scalar else {
            return Err(self.unsupported_value(value));
        };
        if let Lowered::Constant(_, bits) = *self.get(value)? {
            let gap = 128 - width;
            let bits = match sign {
                Sign::Signed => ((bits << gap) as i128 >> gap) as u128,
                Sign::Unsigned => bits,
            };
            return Ok(Index::Const(bits as i64));
        }
        let value = self.scalar(value)?;
        Ok(Index::Value(self.resize(sign, width, 64, value)))
    }

    fn attr_type(&self, op: Op, name: Name) -> Option<Type> {
        self.context.attr_type(self.ir.attr(op, name)?)
    }
}

fn lower_load(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let repr = cx.repr(result)?;
    let address = cx.operand(op, 0)?;
    if is_atomic(cx, op) {
        let Repr::Scalar(scalar) = repr else {
            return Err(cx.unsupported_on(op, cx.ir.value_type(result)));
        };
        let bits = container(scalar.byte_size() * 8);
        let loaded = cx.b.ins().atomic_load(bits, flags(), address);
        let loaded = cx.bitcast(scalar.clif(), loaded);
        let loaded = cx.wrap(scalar, loaded);
        cx.set_result(op, loaded);
        return Ok(());
    }
    let loaded = cx.load_llvm(&repr, Address::new(address, 0));
    cx.set(result, loaded);
    Ok(())
}

fn is_atomic(cx: &Lowering<'_, '_>, op: Op) -> bool {
    let ordering = cx.ir.attr(op, Name::ORDERING);
    ordering
        .and_then(|attr| cx.context.attr_integer(attr))
        .unwrap_or(0)
        != 0
}

fn lower_store(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let value = cx.ir.operand(op, 0);
    let repr = cx.repr(value)?;
    let address = cx.operand(op, 1)?;
    if is_atomic(cx, op) {
        let Repr::Scalar(scalar) = repr else {
            return Err(cx.unsupported_on(op, cx.ir.value_type(value)));
        };
        let bits = container(scalar.byte_size() * 8);
        let value = cx.scalar(value)?;
        let value = cx.bitcast(bits, value);
        cx.b.ins().atomic_store(flags(), value, address);
        return Ok(());
    }
    let lowered = cx.get(value)?.clone();
    cx.store_llvm(&repr, &lowered, Address::new(address, 0));
    Ok(())
}

fn lower_cmpxchg(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let expected = cx.ir.operand(op, 1);
    let scalar = cx.scalar_type(expected)?;
    if scalar.is_odd_width() || scalar.byte_size() > 8 {
        return Err(cx.unsupported_on(op, cx.ir.value_type(expected)));
    }
    let bits = container(scalar.byte_size() * 8);
    let [address, expected, new] = [cx.operand(op, 0)?, cx.operand(op, 1)?, cx.operand(op, 2)?];
    let [expected, new] = [expected, new].map(|value| cx.bitcast(bits, value));
    let found = cx.b.ins().atomic_cas(flags(), address, expected, new);
    let is_equal = cx.b.ins().icmp(IntCC::Equal, found, expected);
    let found = cx.bitcast(scalar.clif(), found);
    let members = [found, is_equal].map(Lowered::Scalar);
    cx.set(cx.ir.result(op, 0), Lowered::Aggregate(members.into()));
    Ok(())
}

fn lower_zero(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let repr = cx.repr(cx.ir.result(op, 0))?;
    let zero = cx.zero_value(&repr);
    cx.set(cx.ir.result(op, 0), zero);
    Ok(())
}

fn lower_trap(cx: &mut Lowering<'_, '_>, _: Op) -> Result<(), Failed> {
    let always = cx.b.ins().iconst(types::I8, 1);
    cx.b.ins().trapnz(always, TrapCode::unwrap_user(2));
    Ok(())
}

/// From and to pointers.
fn lower_pointer_cast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (operand, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
    match (cx.repr(operand)?, cx.repr(result)?) {
        (Repr::Scalar(Scalar::Int(from)), Repr::Scalar(Scalar::Int(to))) => {
            let value = cx.scalar(operand)?;
            let value = cx.resize(Sign::Unsigned, from, to, value);
            cx.set_result(op, value);
        }
        (Repr::Vector(from), Repr::Vector(to)) if from == to => {
            let value = cx.get(operand)?.clone();
            cx.set(result, value);
        }
        _ => return Err(cx.unsupported_on(op, cx.ir.value_type(result))),
    }
    Ok(())
}

fn lower_extract_value(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let mut value = cx.get(cx.ir.operand(op, 0))?.clone();
    for index in llvm::position(cx.ir, op) {
        let member = match &value {
            Lowered::Aggregate(members) => members.get(index as usize).cloned(),
            _ => None,
        };
        let Some(member) = member else {
            return Err(cx.unsupported_on(op, cx.ir.value_type(cx.ir.operand(op, 0))));
        };
        value = member;
    }
    cx.set(cx.ir.result(op, 0), value);
    Ok(())
}

/// `container` with the member at `position` replaced.
fn inserted(container: &Lowered, position: &[i64], value: Lowered) -> Option<Lowered> {
    let Some((&first, rest)) = position.split_first() else {
        return Some(value);
    };
    let Lowered::Aggregate(members) = container else {
        return None;
    };
    let mut members = members.to_vec();
    let member = members.get_mut(usize::try_from(first).ok()?)?;
    *member = inserted(member, rest, value)?;
    Some(Lowered::Aggregate(members.into()))
}

fn lower_insert_value(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let container = cx.get(cx.ir.operand(op, 0))?.clone();
    let value = cx.get(cx.ir.operand(op, 1))?.clone();
    match inserted(&container, &llvm::position(cx.ir, op), value) {
        Some(value) => cx.set(cx.ir.result(op, 0), value),
        None => return Err(cx.unsupported_on(op, cx.ir.value_type(cx.ir.operand(op, 0)))),
    }
    Ok(())
}

/// The bits of all numbers that an attribute stands for, in order.
fn numbers(cx: &Lowering<'_, '_>, attr: Attr, out: &mut Vec<u128>) -> Option<()> {
    let context = cx.context;
    match context.attr_kind(attr) {
        AttrKind::Integer { value, .. } => out.push(*value as u128),
        AttrKind::Float { bits, .. } => out.push(*bits),
        AttrKind::String(text) => out.extend(text.iter().map(|&byte| u128::from(byte))),
        AttrKind::Array(members) => {
            for &member in members {
                numbers(cx, member, out)?;
            }
        }
        AttrKind::DenseElements(dense) => {
            let element = context.element_type_or_self(dense.ty);
            let size = usize::try_from(context.element_byte_size(element)?).ok()?;
            let n = context.shape(dense.ty)?.iter().product::<i64>();
            let element = |i: usize| {
                let mut bytes = [0; 16];
                bytes
                    .get_mut(..size)?
                    .copy_from_slice(dense.bytes.get(i * size..(i + 1) * size)?);
                Some(u128::from_le_bytes(bytes))
            };
            for i in 0..usize::try_from(n).ok()? {
                out.push(element(if dense.splat { 0 } else { i })?);
            }
        }
        _ => return None,
    }
    Some(())
}

impl Lowering<'_, '_> {
    /// The value held as `repr` that is made of numbers.
    fn of_numbers(
        &mut self,
        repr: &Repr,
        numbers: &mut impl Iterator<Item = u128>,
    ) -> Option<Lowered> {
        let bits = |scalar: Scalar, bits: u128| match scalar {
            Scalar::Int(width) => bits & low_bits(width),
            _ => bits,
        };
        Some(match repr {
            Repr::Scalar(scalar) => Lowered::Constant(*scalar, bits(*scalar, numbers.next()?)),
            Repr::Vector(vector) => {
                let elements: Option<Elements> = (0..vector.n_elements())
                    .map(|_| {
                        let bits = bits(vector.scalar, numbers.next()?);
                        Some(self.constant(vector.scalar, bits))
                    })
                    .collect();
                self.with_elements(repr, &elements?)
            }
            Repr::Aggregate(aggregate) => {
                let members: Option<Vec<Lowered>> = (aggregate.members.iter())
                    .map(|member| self.of_numbers(member, numbers))
                    .collect();
                Lowered::Aggregate(members?.into())
            }
            _ => return None,
        })
    }
}

fn lower_constant(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let repr = cx.repr(result)?;
    let mut all = Vec::new();
    let attr = cx.ir.attr(op, Name::VALUE);
    let known = attr.and_then(|attr| numbers(cx, attr, &mut all));
    let mut rest = all.into_iter();
    let value = known.and_then(|()| cx.of_numbers(&repr, &mut rest));
    match value.filter(|_| rest.next().is_none()) {
        Some(value) => cx.set(result, value),
        None => return Err(cx.unsupported_on(op, cx.ir.value_type(result))),
    }
    Ok(())
}

/// Addresses in parts: one, or one for each element of a vector.
fn addresses(cx: &mut Lowering<'_, '_>, value: Value) -> Result<Vec<Index>, Failed> {
    match cx.repr(value)? {
        Repr::Scalar(_) => Ok(vec![cx.wide(Sign::Signed, value)?]),
        Repr::Vector(vector) => {
            let Scalar::Int(width) = vector.scalar else {
                return Err(cx.unsupported_value(value));
            };
            let elements = cx.elements(value)?.into_iter();
            let wide = elements.map(|e| Index::Value(cx.resize(Sign::Signed, width, 64, e)));
            Ok(wide.collect())
        }
        _ => Err(cx.unsupported_value(value)),
    }
}

fn lower_gep(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let context = cx.context;
    let unsized_type = |cx: &mut Lowering<'_, '_>, ty| Err(cx.unsupported_on(op, ty));
    let Some(mut ty) = cx.attr_type(op, Name::ELEM_TYPE) else {
        return Err(cx.op_error(op, "has no type of elements"));
    };
    let mut sums = addresses(cx, cx.ir.operand(op, 0))?;
    for (i, index) in llvm::gep_indices(cx.ir, op).into_iter().enumerate() {
        let mut offset = None;
        if i > 0 {
            ty = match (llvm_types::of(context, ty), index) {
                (
                    Some(LlvmType::Struct {
                        packed, members, ..
                    }),
                    GepIndex::Constant(index),
                ) => {
                    let members = members.unwrap_or_default();
                    let offsets = llvm_types::struct_layout(context, &members, packed);
                    let at = offsets.and_then(|(offsets, _)| offsets.get(index as usize).copied());
                    let Some(at) = at else {
                        return unsized_type(cx, ty);
                    };
                    offset = Some(at);
                    members[index as usize]
                }
                (Some(LlvmType::Array(_, element) | LlvmType::Vector(_, element)), _) => element,
                _ => match context.type_kind(ty) {
                    TypeKind::Vector { element, .. } => *element,
                    _ => return unsized_type(cx, ty),
                },
            };
        }
        let terms = match (offset, index) {
            (Some(offset), _) => vec![Index::Const(offset as i64)],
            (None, index) => {
                let Some(layout) = llvm_types::layout(context, ty) else {
                    return unsized_type(cx, ty);
                };
                let indices = match index {
                    GepIndex::Constant(index) => vec![Index::Const(index.into())],
                    GepIndex::Value(value) => addresses(cx, value)?,
                };
                let size = Index::Const(layout.size as i64);
                indices
                    .into_iter()
                    .map(|index| cx.mul(index, size))
                    .collect()
            }
        };
        // A pointer goes with each of several indices, an index with each of several pointers.
        let n = sums.len().max(terms.len());
        let at = |list: &[Index], i: usize| list[i.min(list.len() - 1)];
        sums = (0..n)
            .map(|i| cx.add(at(&sums, i), at(&terms, i)))
            .collect();
    }
    let sums: Elements = sums.into_iter().map(|sum| cx.index_value(sum)).collect();
    cx.set_elements(op, &sums)
}

/// A call with any number of arguments; others are calls of `func`.
fn lower_call(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let call = llvm::Call(op);
    let arguments = call.arguments(cx.ir);
    let target = match call.callee_name(cx.ir) {
        Some(name) => match cx.program.function(name) {
            Some(id) => cx.function_address(cx.program.variadic(id)),
            None => return Err(cx.op_error(op, &format!("refers to unknown function '{name}'"))),
        },
        None => return Err(cx.op_error(op, "with any number of arguments must name its callee")),
    };
    let types = |values: &[Value]| -> Vec<Type> {
        values
            .iter()
            .map(|&value| cx.ir.value_type(value))
            .collect()
    };
    let (inputs, results) = (types(arguments), types(cx.ir.results(op)));
    let abi = match cx.program.abi_of(&inputs, &results) {
        Ok(abi) => abi,
        Err(ty) => return Err(cx.unsupported_on(op, ty)),
    };
    let mut args = Vec::new();
    for &argument in arguments {
        let repr = cx.repr(argument)?;
        let value = cx.get(argument)?.clone();
        cx.push_arguments(&value, &repr, &mut args);
    }
    let lowered = cx.call_function(Target::Indirect(target), &abi, &results, args);
    for (&result, lowered) in cx.ir.results(op).iter().zip(lowered) {
        cx.set(result, lowered);
    }
    Ok(())
}

fn lower_move(
    cx: &mut Lowering<'_, '_>,
    op: Op,
    function: &'static external::External,
) -> Result<(), Failed> {
    let (to, from) = (cx.operand(op, 0)?, cx.operand(op, 1)?);
    let size = cx.wide(Sign::Unsigned, cx.ir.operand(op, 2))?;
    let size = cx.index_value(size);
    cx.call_external(function, &[to, from, size]);
    Ok(())
}

fn lower_memset(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (to, byte) = (cx.operand(op, 0)?, cx.operand(op, 1)?);
    let byte = cx.b.ins().uextend(types::I32, byte);
    let size = cx.wide(Sign::Unsigned, cx.ir.operand(op, 2))?;
    let size = cx.index_value(size);
    cx.call_external(&external::MEMSET, &[to, byte, size]);
    Ok(())
}

/// Bytes or bits in reverse order.
fn reverse(cx: &mut Lowering<'_, '_>, op: Op, bytes: bool) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let (repr, mut elements) = (cx.repr(result)?, cx.elements(cx.ir.operand(op, 0))?);
    let scalar = match &repr {
        Repr::Scalar(scalar) => *scalar,
        Repr::Vector(vector) => vector.scalar,
        _ => return Err(cx.unsupported_on(op, cx.ir.value_type(result))),
    };
    let Scalar::Int(width) = scalar else {
        return Err(cx.unsupported_on(op, cx.ir.value_type(result)));
    };
    let gap = container(width).bits() - width;
    for element in &mut elements {
        let reversed = match bytes {
            true if width == 8 => *element,
            true => cx.b.ins().bswap(*element),
            false => cx.b.ins().bitrev(*element),
        };
        *element = cx.b.ins().ushr_imm_u(reversed, i64::from(gap));
    }
    cx.set_elements(op, &elements)
}

fn lower_gather(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let Repr::Vector(vector) = cx.repr(result)? else {
        return Err(cx.unsupported_on(op, cx.ir.value_type(result)));
    };
    let addresses = cx.elements(cx.ir.operand(op, 0))?;
    let mask = cx.elements(cx.ir.operand(op, 1))?;
    let others: Vec<clif::Value> = match cx.ir.operands(op).get(2) {
        Some(&others) => cx.elements(others)?.to_vec(),
        None => vec![cx.constant(vector.scalar, 0); vector.n_elements()],
    };
    let places = addresses.into_iter().zip(mask).zip(others);
    let elements: Elements = places
        .map(|((address, bit), other)| {
            let address = Address::new(address, 0);
            cx.load_if(vector.scalar, Some(bit), address, Some(other))
        })
        .collect();
    cx.set_elements(op, &elements)
}

fn lower_scatter(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let values = cx.elements(cx.ir.operand(op, 0))?;
    let addresses = cx.elements(cx.ir.operand(op, 1))?;
    let mask = cx.elements(cx.ir.operand(op, 2))?;
    for ((value, address), bit) in values.into_iter().zip(addresses).zip(mask) {
        let at = cx.address_if(Some(bit), Address::new(address, 0));
        cx.b.ins().store(flags(), value, at.base, at.offset);
    }
    Ok(())
}
