//! Loads, stores and transfers.
//!
//! Where an element may be left out (a mask, an index beyond the edge), it is
//! accessed all the same, but at the address of a scratch slot in the frame: that
//! takes a select instead of a branch for each element.

use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::vector::{self, Coordinates, coordinates};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::syntax::printer::type_to_string;
use smallvec::SmallVec;

use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::Elements;
use crate::lower::held::Parts;
use crate::lower::held::Sign;
use crate::lower::held::{Descriptor, Index, Lowered};
use crate::lower::memory::Address;
use crate::program::unsupported_op;
use crate::repr::{Layout, Repr, Scalar, VectorRepr};
use crate::vector::access::Access;

pub(super) static TABLE: LoweringTable = &[
    (&vector::COMPRESS_STORE, lower_compress_store),
    (&vector::EXPAND_LOAD, lower_expand_load),
    (&vector::GATHER, lower_gather),
    (&vector::LOAD, lower_load),
    (&vector::MASKED_LOAD, lower_load),
    (&vector::MASKED_STORE, lower_store),
    (&vector::SCATTER, lower_scatter),
    (&vector::STORE, lower_store),
    (&vector::TRANSFER_READ, lower_load),
    (&vector::TRANSFER_WRITE, lower_store),
    (&vector::TYPE_CAST, lower_type_cast),
];

/// A box of memory.
struct Region {
    /// Where it begins.
    base: Address,
    /// Bytes between neighbours along each dimension of the vector.
    strides: SmallVec<[Index; 4]>,
    /// The shape of the vector.
    shape: SmallVec<[usize; 4]>,
    /// What memory holds.
    scalar: Scalar,
    /// Whether each element is transferred, if that is not all of them.
    mask: Option<Elements>,
}

impl Region {
    fn n_elements(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether rows of memory are rows of the vector, and nothing is left out.
    fn is_plain(&self, element_size: i64) -> bool {
        self.mask.is_none() && self.strides.last() == Some(&Index::Const(element_size))
    }
}

/// How the first operation that extends the elements of a vector does so.
fn widening_sign(ir: &Ir, value: Value) -> Option<Sign> {
    ir.uses(value).iter().find_map(|u| {
        if ir.is(u.op, &arith::EXTSI) || ir.is(u.op, &arith::SITOFP) {
            Some(Sign::Signed)
        } else if ir.is(u.op, &arith::EXTUI) || ir.is(u.op, &arith::UITOFP) {
            Some(Sign::Unsigned)
        } else {
            None
        }
    })
}

/// Vectors need not be aligned.
fn unaligned(address: Address) -> MemFlagsData {
    let flags = MemFlagsData::new().with_notrap();
    flags.with_alias_region(address.region)
}

impl<'a> Lowering<'a, '_> {
    /// The box at `indices` of the memref `source` whose dimensions run along `dims`.
    fn region(
        &mut self,
        op: Op,
        source: Value,
        indices: &[Value],
        shape: &[usize],
        dims: &[usize],
    ) -> Result<Region, Failed> {
        let (layout, descriptor) = self.scalar_memory(op, source)?;
        let Repr::Scalar(scalar) = self.element_repr(op, source, &layout)? else {
            return Err(self.unsupported_on(op, self.ir.value_type(source)));
        };
        let indices = self.subscripts(indices)?;
        let mut base = self.element_address(&descriptor, &indices, layout.element_size);
        base.region = self.alias_region(source);
        let size = Index::Const(layout.element_size as i64);
        let strides = dims
            .iter()
            .map(|&dim| self.mul(descriptor.strides[dim], size))
            .collect();
        Ok(Region {
            base,
            strides,
            shape: shape.into(),
            scalar,
            mask: None,
        })
    }

    fn scalar_memory(
        &mut self,
        op: Op,
        source: Value,
    ) -> Result<(std::rc::Rc<Layout>, std::rc::Rc<Descriptor>), Failed> {
        if self.context.as_memref(self.ir.value_type(source)).is_none() {
            return Err(unsupported_op(self.ir, op, self.diagnostics));
        }
        Ok((self.layout(source)?, self.memref(source)?))
    }

    fn element_repr(&mut self, op: Op, source: Value, layout: &Layout) -> Result<Repr, Failed> {
        match self.repr_of_type(layout.element) {
            Some(repr) => Ok(repr),
            None => Err(self.unsupported_on(op, self.ir.value_type(source))),
        }
    }

    /// The address of the element at these coordinates of the vector.
    fn region_address(&mut self, region: &Region, at: &Coordinates) -> Address {
        let mut offset = Index::Const(0);
        for (&c, &stride) in at.iter().zip(&region.strides) {
            let term = self.mul(stride, Index::Const(c as i64));
            offset = self.add(offset, term);
        }
        self.address_plus_index(region.base, offset)
    }

    fn address_plus_index(&mut self, base: Address, offset: Index) -> Address {
        match offset {
            Index::Const(bytes) => match u32::try_from(bytes) {
                Ok(bytes) => self.address_plus(base, bytes),
                Err(_) => {
                    let base_value = self.address_value(base);
                    let sum = self.b.ins().iadd_imm_s(base_value, bytes);
                    Address {
                        base: sum,
                        offset: 0,
                        ..base
                    }
                }
            },
            Index::Value(value) => Address {
                base: self.b.ins().iadd(base.base, value),
                ..base
            },
        }
    }

    /// `address` if `condition`, else that of scratch memory.
    pub(in crate::lower) fn address_if(
        &mut self,
        condition: Option<clif::Value>,
        address: Address,
    ) -> Address {
        let Some(condition) = condition else {
            return address;
        };
        let slot = match self.vector.scratch_slot {
            Some(slot) => slot,
            None => {
                let slot = self.stack_slot(16);
                self.vector.scratch_slot = Some(slot);
                slot
            }
        };
        let scratch = self.b.ins().stack_addr(types::I64, slot, 0);
        let address = self.address_value(address);
        let base = self.b.ins().select(condition, address, scratch);
        Address::new(base, 0)
    }

    /// Loads an element, or takes `other` where `condition` is false.
    pub(in crate::lower) fn load_if(
        &mut self,
        scalar: Scalar,
        condition: Option<clif::Value>,
        address: Address,
        other: Option<clif::Value>,
    ) -> clif::Value {
        let address = self.address_if(condition, address);
        let loaded = self.load_scalar(scalar, address);
        match (condition, other) {
            (Some(condition), Some(other)) => self.select_value(condition, loaded, other),
            _ => loaded,
        }
    }

    /// Sets the result of `op` to the elements of a box, `other` where they are left out.
    fn load_region(
        &mut self,
        op: Op,
        region: &Region,
        other: &[clif::Value],
    ) -> Result<(), Failed> {
        let result = self.ir.result(op, 0);
        if let Repr::Vector(repr) = self.repr(result)?
            && self.has_plain_rows(region, repr.lanes)
        {
            let lanes = usize::from(repr.lanes);
            let parts = (0..repr.n_elements())
                .step_by(lanes)
                .map(|i| {
                    let at = coordinates(&region.shape, i);
                    let address = self.region_address(region, &at);
                    let ty = repr.part_type();
                    self.b
                        .ins()
                        .load(ty, unaligned(address), address.base, address.offset)
                })
                .collect();
            self.set(result, Lowered::Vector(parts));
            self.load_wide(region, result, &repr);
            return Ok(());
        }
        let mut elements = Elements::with_capacity(region.n_elements());
        for i in 0..region.n_elements() {
            let at = coordinates(&region.shape, i);
            let address = self.region_address(region, &at);
            let condition = region.mask.as_ref().map(|mask| mask[i]);
            let other = other.get(i).or(other.first()).copied();
            elements.push(self.load_if(region.scalar, condition, address, other));
        }
        self.set_elements(op, &elements)
    }

    /// Loads the elements of `result` once more, as integers of twice as many bits, if something
    /// extends them: instructions do both at once. Cranelift drops the loads that nothing needs.
    fn load_wide(&mut self, region: &Region, result: Value, repr: &VectorRepr) {
        let Some(sign) = widening_sign(self.ir, result) else {
            return;
        };
        let mut parts = Parts::new();
        for i in (0..repr.n_elements()).step_by(usize::from(repr.lanes / 2)) {
            let at = coordinates(&region.shape, i);
            let address = self.region_address(region, &at);
            let (flags, base, offset) = (unaligned(address), address.base, address.offset);
            let ins = self.b.ins();
            parts.push(match (repr.scalar, sign) {
                (Scalar::Int(8), Sign::Signed) => ins.sload8x8(flags, base, offset),
                (Scalar::Int(8), Sign::Unsigned) => ins.uload8x8(flags, base, offset),
                (Scalar::Int(16), Sign::Signed) => ins.sload16x4(flags, base, offset),
                (Scalar::Int(16), Sign::Unsigned) => ins.uload16x4(flags, base, offset),
                _ => return,
            });
        }
        self.vector.wide_loads.insert(result, (sign, parts));
    }

    /// Stores the elements of `value` to a box, save those that are left out.
    fn store_region(&mut self, region: &Region, value: Value) -> Result<(), Failed> {
        if let Repr::Vector(repr) = self.repr(value)?
            && self.has_plain_rows(region, repr.lanes)
        {
            let lowered = self.get(value)?.clone();
            for (i, part) in self.parts(&lowered).into_iter().enumerate() {
                let at = coordinates(&region.shape, i * usize::from(repr.lanes));
                let address = self.region_address(region, &at);
                let (base, offset) = (address.base, address.offset);
                let flags = unaligned(address);
                self.b.ins().store(flags, part, base, offset);
            }
            return Ok(());
        }
        for (i, &element) in self.elements(value)?.iter().enumerate() {
            let at = coordinates(&region.shape, i);
            let address = self.region_address(region, &at);
            let condition = region.mask.as_ref().map(|mask| mask[i]);
            let address = self.address_if(condition, address);
            self.store_part(element, address);
        }
        Ok(())
    }

    /// Whether registers of this many lanes can be moved at once.
    fn has_plain_rows(&self, region: &Region, lanes: u8) -> bool {
        let row = region.shape.last().copied().unwrap_or(1);
        lanes > 1
            && row % usize::from(lanes) == 0
            && region.is_plain(i64::from(region.scalar.byte_size()))
    }

    /// The box that an operation loads or stores.
    fn accessed(&mut self, op: Op) -> Result<(Access<'a>, Region), Failed> {
        let Some(access) = Access::of(self.ir, op) else {
            return Err(unsupported_op(self.ir, op, self.diagnostics));
        };
        let (memref, dims) = (access.memref, &access.dims);
        let mut region = self.region(op, memref, access.indices, &access.sizes, dims)?;
        if let Some(mask) = access.mask {
            region.mask = Some(self.elements(mask)?);
        }
        Ok((access, region))
    }
}

fn lower_load(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (access, region) = cx.accessed(op)?;
    let other = match access.other {
        Some(other) => cx.elements(other)?,
        None => Elements::new(),
    };
    cx.load_region(op, &region, &other)
}

fn lower_store(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (access, region) = cx.accessed(op)?;
    cx.store_region(&region, access.value)
}

/// Base, indices and vector operands of a masked access with this many of them.
fn masked_operands<'a>(
    cx: &Lowering<'a, '_>,
    op: Op,
    n_vectors: usize,
) -> (Value, &'a [Value], &'a [Value]) {
    let ir = cx.ir;
    let (address, vectors) = ir.operands(op).split_at(ir.operands(op).len() - n_vectors);
    (address[0], &address[1..], vectors)
}

/// For gathers and scatters: where each element is, and whether it is accessed.
fn scattered(
    cx: &mut Lowering<'_, '_>,
    op: Op,
) -> Result<(Scalar, Vec<(Address, clif::Value)>), Failed> {
    let (base, indices, vectors) = masked_operands(cx, op, 3);
    let region = cx.region(op, base, indices, &[], &[])?;
    let descriptor = cx.memref(base)?;
    let size = Index::Const(i64::from(region.scalar.byte_size()));
    let stride = descriptor.strides.last().copied();
    let stride = cx.mul(stride.unwrap_or(Index::Const(1)), size);
    let distances = cx.vector_repr(op, vectors[0])?.scalar;
    let width = match distances {
        Scalar::Int(width) => width,
        _ => return Err(unsupported_op(cx.ir, op, cx.diagnostics)),
    };
    let mask = cx.elements(vectors[1])?;
    let distances = cx.elements(vectors[0])?;
    let mut places = Vec::with_capacity(mask.len());
    for (&distance, &bit) in distances.iter().zip(&mask) {
        let wide = cx.resize(Sign::Signed, width, 64, distance);
        let bytes = cx.mul(Index::Value(wide), stride);
        places.push((cx.address_plus_index(region.base, bytes), bit));
    }
    Ok((region.scalar, places))
}

fn lower_gather(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (_, _, vectors) = masked_operands(cx, op, 3);
    let (scalar, places) = scattered(cx, op)?;
    let others = cx.elements(vectors[2])?;
    let elements: Elements = places
        .into_iter()
        .zip(others)
        .map(|((address, bit), other)| cx.load_if(scalar, Some(bit), address, Some(other)))
        .collect();
    cx.set_elements(op, &elements)
}

fn lower_scatter(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (_, _, vectors) = masked_operands(cx, op, 3);
    let (_, places) = scattered(cx, op)?;
    for ((address, bit), element) in places.into_iter().zip(cx.elements(vectors[2])?) {
        let address = cx.address_if(Some(bit), address);
        cx.store_part(element, address);
    }
    Ok(())
}

/// Calls `access` with the address of each element and its bit of the mask; addresses move on only
/// where that is set.
fn compressed(
    cx: &mut Lowering<'_, '_>,
    op: Op,
    mut access: impl FnMut(&mut Lowering<'_, '_>, Scalar, Address, clif::Value, usize),
) -> Result<(), Failed> {
    let (base, indices, vectors) = masked_operands(cx, op, 2);
    let region = cx.region(op, base, indices, &[], &[])?;
    let mut at = cx.address_value(region.base);
    for (i, bit) in cx.elements(vectors[0])?.into_iter().enumerate() {
        let address = Address::new(at, 0);
        access(cx, region.scalar, address, bit, i);
        let step = cx.b.ins().uextend(types::I64, bit);
        let size = i64::from(region.scalar.byte_size());
        let step = cx.mul(Index::Value(step), Index::Const(size));
        let step = cx.index_value(step);
        at = cx.b.ins().iadd(at, step);
    }
    Ok(())
}

fn lower_expand_load(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (_, _, vectors) = masked_operands(cx, op, 2);
    let others = cx.elements(vectors[1])?;
    let mut elements = Elements::new();
    compressed(cx, op, |cx, scalar, address, bit, i| {
        elements.push(cx.load_if(scalar, Some(bit), address, Some(others[i])));
    })?;
    cx.set_elements(op, &elements)
}

fn lower_compress_store(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (_, _, vectors) = masked_operands(cx, op, 2);
    let elements = cx.elements(vectors[1])?;
    compressed(cx, op, |cx, _, address, bit, i| {
        let address = cx.address_if(Some(bit), address);
        cx.store_part(elements[i], address);
    })
}

fn lower_type_cast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let source = cx.memref(cx.ir.operand(op, 0))?;
    let (from, layout) = (
        cx.layout(cx.ir.operand(op, 0))?,
        cx.layout(cx.ir.result(op, 0))?,
    );
    if bit_strides(cx.context, &from) != bit_strides(cx.context, &layout) {
        let ty = |value| type_to_string(cx.context, cx.ir.value_type(value));
        let (from, to) = (ty(cx.ir.operand(op, 0)), ty(cx.ir.result(op, 0)));
        let message = format!(
            "cannot be lowered to native code: elements of '{from}' and of '{to}' lie at different places in memory"
        );
        return Err(cx.op_error(op, &message));
    }
    let sizes: SmallVec<[Index; 4]> = (layout.sizes.iter().enumerate())
        .map(|(dim, &size)| Index::from_static(size).unwrap_or_else(|| source.sizes[dim]))
        .collect();
    let strides = cx.identity_strides(&sizes);
    let mut descriptor = Descriptor::identity(source.aligned, sizes, strides);
    descriptor.allocated = source.allocated;
    cx.set(cx.ir.result(op, 0), Lowered::memref(descriptor));
    Ok(())
}

/// How many bits are between neighbours along each dimension of a row-major memref and of the vectors that it has,
/// where there are any.
fn bit_strides(context: &Context, layout: &Layout) -> SmallVec<[u64; 4]> {
    let mut strides = SmallVec::new();
    let mut add = |size: u64, stride: u64| {
        if size != 1 {
            strides.push(stride);
        }
    };
    if let Some(Repr::Vector(vector)) = Repr::of(context, layout.element) {
        let mut stride = u64::from(vector.scalar.width());
        for (dim, &size) in vector.shape.iter().enumerate().rev() {
            add(size as u64, stride);
            stride = match dim + 1 == vector.shape.len() {
                true => 8 * vector.row_bytes() as u64,
                false => stride * size as u64,
            };
        }
    }
    let mut stride = 8 * layout.element_size;
    for &size in layout.sizes.iter().rev() {
        add(size as u64, stride);
        stride = stride.saturating_mul(size as u64);
    }
    strides
}
