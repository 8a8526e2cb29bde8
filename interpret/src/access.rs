//! Loads and stores: values of any type as bytes of the memory.

use std::rc::Rc;

use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};

use crate::machine::{Machine, Res, undefined, unsupported, wrong_access};
use crate::memory::{Access, Origin, State};
use crate::value::{Array, Kind, MemRef, Scalar, Value, mask, n_elements, row_major};

impl Machine<'_> {
    /// Bytes of one element of type `ty` in memory.
    pub(crate) fn element_size(&self, ty: Type) -> Res<u64> {
        if let Some(size) = self.context.element_byte_size(ty) {
            return Ok(size);
        }
        match self.kind(ty) {
            Ok(kind) => Ok(kind.byte_size() as u64),
            Err(fault) => Err(fault),
        }
    }

    /// How an element of type `ty` is aligned in memory: numbers to their size up to 16 bytes, vectors to that of a row
    /// up to 64, to which allocations are.
    fn alignment(&self, ty: Type) -> Res<u64> {
        let size = self.element_size(ty)?;
        let (size, most) = match self.context.type_kind(ty) {
            TypeKind::Vector { shape, .. } => {
                let n_rows = n_elements(&shape[..shape.len().saturating_sub(1)]).max(1);
                (size / n_rows as u64, 64)
            }
            TypeKind::Complex(_) => (size / 2, 16),
            TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } => (8, 8),
            _ => (size, 16),
        };
        Ok(size.max(1).next_power_of_two().min(most))
    }

    /// An element of type `ty` may only lie where its type says.
    pub(crate) fn check_alignment(&self, ty: Type, address: u64) -> Res {
        let alignment = self.alignment(ty)?;
        match address % alignment {
            0 => Ok(()),
            _ => undefined(format!(
                "memory is not aligned to {alignment} bytes, but to {}",
                1u64 << address.trailing_zeros()
            )),
        }
    }

    /// The element that lies at `address`.
    pub(crate) fn load(&mut self, ty: Type, address: u64, loc: Loc) -> Res<Value> {
        self.check_alignment(ty, address)?;
        self.load_anywhere(ty, address, loc)
    }

    /// What lies at `address`, however that is aligned.
    pub(crate) fn load_anywhere(&mut self, ty: Type, address: u64, loc: Loc) -> Res<Value> {
        let size = self.element_size(ty)?;
        let (number, at) = self.memory.access(address, size, Access::Read, loc)?;
        self.read(ty, number, at)
    }

    /// What lies in allocation `number` from byte `at` on.
    pub(crate) fn read(&mut self, ty: Type, number: usize, at: usize) -> Res<Value> {
        match self.context.type_kind(ty) {
            TypeKind::Vector { shape, element, .. } => {
                let shape = shape.to_vec();
                let elements = self.read_vector(ty, &shape, *element, number, at)?;
                Ok(Value::array(shape, elements))
            }
            TypeKind::MemRef(memref) => {
                let rank = memref.rank();
                let mut words = Vec::new();
                for index in 0..3 + 2 * rank {
                    let word = self.number(Kind::Int(64), number, at + 8 * index);
                    words.push(self.defined(word, "a part of a memref in memory")? as i64);
                }
                Ok(Value::MemRef(Rc::new(MemRef {
                    allocated: words[0] as u64,
                    aligned: words[1] as u64,
                    offset: words[2],
                    sizes: words[3..3 + rank].to_vec(),
                    strides: words[3 + rank..].to_vec(),
                })))
            }
            TypeKind::UnrankedMemRef { .. } => {
                let rank = self.number(Kind::Int(64), number, at);
                let rank = self.defined(rank, "a rank in memory")? as usize;
                let pointer = self.number(Kind::Int(64), number, at + 8);
                let pointer = self.defined(pointer, "a descriptor in memory")? as u64;
                let (number, at) = self.memory.check(pointer, 24 + 16 * rank as u64)?;
                let memref = freehold_frontend::ir::types::MemRefType::identity(
                    &vec![DYNAMIC; rank],
                    Type::I8,
                );
                let ty = self.context.memref_type(memref);
                self.read(ty, number, at)
            }
            _ => {
                let kind = self.kind(ty)?;
                Ok(Value::Scalar(self.number(kind, number, at)))
            }
        }
    }

    /// The state of some bytes: the worst.
    fn state(&self, number: usize, at: usize, size: usize) -> State {
        let mut worst = State::Defined;
        for &state in &self.memory.allocations[number].states[at..at + size] {
            match state {
                State::Poison => return State::Poison,
                State::Uninit => worst = State::Uninit,
                State::Defined => {}
            }
        }
        worst
    }

    fn number(&self, kind: Kind, number: usize, at: usize) -> Scalar {
        let size = kind.byte_size();
        match self.state(number, at, size) {
            State::Defined => {
                let bytes = &self.memory.allocations[number].bytes[at..at + size];
                Scalar::Bits(kind.from_bytes(bytes))
            }
            State::Uninit => Scalar::Uninit(number as u32),
            State::Poison => Scalar::Poison(0),
        }
    }

    /// Bits of an element of a vector, and bytes of a row of its last dimension.
    fn vector_layout(&self, ty: Type, shape: &[i64], element: Type) -> Res<(usize, usize)> {
        let bits = match self.kind(element)? {
            Kind::Int(width) => width as usize,
            kind => kind.byte_size() * 8,
        };
        let size = self.element_size(ty)? as usize;
        let rows = n_elements(&shape[..shape.len().saturating_sub(1)]).max(1);
        Ok((bits, size / rows))
    }

    fn read_vector(
        &mut self,
        ty: Type,
        shape: &[i64],
        element: Type,
        number: usize,
        at: usize,
    ) -> Res<Vec<Scalar>> {
        let kind = self.kind(element)?;
        if shape.is_empty() {
            return Ok(vec![self.number(kind, number, at)]);
        }
        let (bits, row) = self.vector_layout(ty, shape, element)?;
        let last = shape[shape.len() - 1] as usize;
        let mut elements = Vec::new();
        for index in 0..n_elements(shape) {
            let from = (index % last) * bits;
            let start = at + (index / last) * row;
            let (first, end) = (start + from / 8, start + (from + bits).div_ceil(8));
            elements.push(match self.state(number, first, end - first) {
                State::Uninit => Scalar::Uninit(number as u32),
                State::Poison => Scalar::Poison(0),
                State::Defined => {
                    let bytes = &self.memory.allocations[number].bytes[first..end];
                    if bits % 8 == 0 && bits / 8 == kind.byte_size() {
                        Scalar::Bits(kind.from_bytes(bytes))
                    } else {
                        let mut all = 0u128;
                        for bit in 0..bits {
                            let place = from % 8 + bit;
                            all |= u128::from(bytes[place / 8] >> (place % 8) & 1) << bit;
                        }
                        Scalar::Bits(all)
                    }
                }
            });
        }
        Ok(elements)
    }

    /// Puts an element at `address`.
    pub(crate) fn store(&mut self, ty: Type, address: u64, value: &Value, loc: Loc) -> Res {
        self.check_alignment(ty, address)?;
        self.store_anywhere(ty, address, value, loc)
    }

    /// Puts a value at `address`, however that is aligned.
    pub(crate) fn store_anywhere(
        &mut self,
        ty: Type,
        address: u64,
        value: &Value,
        loc: Loc,
    ) -> Res {
        let size = self.element_size(ty)?;
        let (number, at) = self.memory.access(address, size, Access::Write, loc)?;
        self.write(ty, number, at, value)
    }

    /// Puts a value into allocation `number` from byte `at` on.
    pub(crate) fn write(&mut self, ty: Type, number: usize, at: usize, value: &Value) -> Res {
        match (self.context.type_kind(ty), value) {
            (TypeKind::Vector { shape, element, .. }, Value::Array(array)) => {
                let (shape, element) = (shape.to_vec(), *element);
                self.write_vector(ty, &shape, element, number, at, array)
            }
            (TypeKind::MemRef(_), Value::MemRef(memref)) => {
                self.write_descriptor(memref, number, at);
                Ok(())
            }
            (TypeKind::UnrankedMemRef { .. }, Value::MemRef(memref)) => {
                let size = 24 + 16 * memref.sizes.len() as u64;
                let address = self.allocate(size, 8, Origin::Global, Loc::UNKNOWN)?;
                let (descriptor, start) = self.memory.check(address, size)?;
                self.write_descriptor(memref, descriptor, start);
                let rank = Scalar::Bits(memref.sizes.len() as u128);
                self.put_number(Kind::Int(64), number, at, rank);
                self.put_number(Kind::Int(64), number, at + 8, Scalar::Bits(address.into()));
                Ok(())
            }
            (_, Value::Scalar(scalar)) => {
                let kind = self.kind(ty)?;
                self.put_number(kind, number, at, *scalar);
                Ok(())
            }
            _ => unsupported("values of this kind in memory are not interpreted"),
        }
    }

    fn write_descriptor(&mut self, memref: &MemRef, number: usize, at: usize) {
        let words = [memref.allocated, memref.aligned, memref.offset as u64]
            .into_iter()
            .chain(memref.sizes.iter().map(|&size| size as u64))
            .chain(memref.strides.iter().map(|&stride| stride as u64));
        for (index, word) in words.enumerate() {
            self.put_number(
                Kind::Int(64),
                number,
                at + 8 * index,
                Scalar::Bits(word.into()),
            );
        }
    }

    fn put_number(&mut self, kind: Kind, number: usize, at: usize, scalar: Scalar) {
        let size = kind.byte_size();
        let allocation = &mut self.memory.allocations[number];
        let state = match scalar {
            Scalar::Bits(bits) => {
                allocation.bytes[at..at + size].copy_from_slice(&kind.to_bytes(bits));
                State::Defined
            }
            Scalar::Poison(_) => State::Poison,
            Scalar::Uninit(_) => State::Uninit,
        };
        allocation.states[at..at + size].fill(state);
    }

    fn write_vector(
        &mut self,
        ty: Type,
        shape: &[i64],
        element: Type,
        number: usize,
        at: usize,
        array: &Array,
    ) -> Res {
        let kind = self.kind(element)?;
        if shape.is_empty() {
            self.put_number(kind, number, at, array.elements[0]);
            return Ok(());
        }
        let (bits, row) = self.vector_layout(ty, shape, element)?;
        let last = shape[shape.len() - 1] as usize;
        if bits % 8 == 0 && bits / 8 == kind.byte_size() {
            for (index, &scalar) in array.elements.iter().enumerate() {
                let place = at + (index / last) * row + (index % last) * (bits / 8);
                self.put_number(kind, number, place, scalar);
            }
            return Ok(());
        }
        // Bits next to each other; a row with an undefined element is undefined.
        for (index, elements) in array.elements.chunks(last).enumerate() {
            let start = at + index * row;
            let allocation = &mut self.memory.allocations[number];
            let mut state = State::Defined;
            allocation.bytes[start..start + row].fill(0);
            for (place, &scalar) in elements.iter().enumerate() {
                match scalar {
                    Scalar::Bits(value) => {
                        for bit in 0..bits {
                            let to = place * bits + bit;
                            allocation.bytes[start + to / 8] |=
                                ((value & mask(bits as u32)) >> bit & 1) as u8 * (1 << (to % 8));
                        }
                    }
                    Scalar::Poison(_) => state = State::Poison,
                    Scalar::Uninit(_) => state = State::Uninit,
                }
            }
            let used = (elements.len() * bits).div_ceil(8);
            allocation.states[start..start + used].fill(state);
        }
        Ok(())
    }

    /// The address of an element of a memref, which has to be one.
    pub(crate) fn element_address(&self, memref: &MemRef, at: &[i64], size: u64) -> Res<u64> {
        for (dim, (&index, &n)) in at.iter().zip(&memref.sizes).enumerate() {
            if index < 0 || index >= n {
                return wrong_access(format!(
                    "access out of bounds: index {index} in dimension {dim} of size {n}"
                ));
            }
        }
        Ok(address_of(memref, at, size))
    }

    /// All elements of a memref, row-major.
    pub(crate) fn load_all(&mut self, memref: &MemRef, ty: Type, loc: Loc) -> Res<Vec<Value>> {
        let size = self.element_size(ty)?;
        let mut values = Vec::new();
        crate::value::for_each(&memref.sizes, |at| {
            values.push(self.load(ty, address_of(memref, at, size), loc)?);
            Ok(())
        })
        .map(|()| values)
    }

    /// Writes all elements of a memref, row-major.
    pub(crate) fn store_all(
        &mut self,
        memref: &MemRef,
        ty: Type,
        values: &[Value],
        loc: Loc,
    ) -> Res {
        let size = self.element_size(ty)?;
        let mut values = values.iter();
        crate::value::for_each(&memref.sizes, |at| match values.next() {
            Some(value) => self.store(ty, address_of(memref, at, size), value, loc),
            None => Ok(()),
        })
    }

    /// A new allocation for a memref of these sizes and strides.
    pub(crate) fn allocate_memref(
        &mut self,
        sizes: Vec<i64>,
        layout: Option<(Vec<i64>, i64)>,
        element: Type,
        (alignment, origin): (u64, Origin),
        loc: Loc,
    ) -> Res<MemRef> {
        if let Some(size) = sizes.iter().find(|&&size| size < 0) {
            return undefined(format!("allocation with a negative size: {size}"));
        }
        let (strides, offset) = layout.unwrap_or_else(|| (row_major(&sizes), 0));
        let size = self.element_size(element)?;
        let mut reach = i128::from(offset);
        for (&n, &stride) in sizes.iter().zip(&strides) {
            reach += i128::from(n - 1) * i128::from(stride);
        }
        let n = if sizes.contains(&0) { 0 } else { reach + 1 };
        let bytes = u64::try_from(n.max(0) * i128::from(size)).unwrap_or(u64::MAX);
        let natural = size.next_power_of_two().clamp(16, 64);
        let address = self.allocate(bytes, alignment.max(natural), origin, loc)?;
        Ok(MemRef {
            allocated: address,
            aligned: address,
            offset,
            sizes,
            strides,
        })
    }

    /// Whether a memref is one of type `ty`: sizes, strides and offset that the type has must be those of the memref.
    pub(crate) fn check_type(&self, memref: &MemRef, ty: Type) -> Res {
        let Some(declared) = self.context.as_memref(ty) else {
            return Ok(());
        };
        if declared.rank() != memref.sizes.len() {
            return undefined(format!(
                "a memref of rank {} becomes one of rank {}",
                memref.sizes.len(),
                declared.rank()
            ));
        }
        for (dim, (&n, &size)) in declared.shape.iter().zip(&memref.sizes).enumerate() {
            if n != DYNAMIC && n != size {
                return undefined(format!(
                    "size {size} of dimension {dim} is to be {n} by the type"
                ));
            }
        }
        if let Some((strides, offset)) = self.context.memref_strides(declared) {
            if offset != DYNAMIC && offset != memref.offset {
                return undefined(format!(
                    "offset {} is to be {offset} by the type",
                    memref.offset
                ));
            }
            if memref.sizes.contains(&0) {
                return Ok(());
            }
            for (dim, (&declared, &stride)) in strides.iter().zip(&memref.strides).enumerate() {
                if declared != DYNAMIC && declared != stride && memref.sizes[dim] > 1 {
                    return undefined(format!(
                        "stride {stride} of dimension {dim} is to be {declared} by the type"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The address of an element, whether or not there is one.
pub(crate) fn address_of(memref: &MemRef, at: &[i64], size: u64) -> u64 {
    let mut linear = memref.offset;
    for (&index, &stride) in at.iter().zip(&memref.strides) {
        linear = linear.wrapping_add(index.wrapping_mul(stride));
    }
    memref
        .aligned
        .wrapping_add((linear as u64).wrapping_mul(size))
}
