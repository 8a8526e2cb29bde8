//! Writes views: other shapes of the memory of a buffer.

use super::buffers::{Buffer, Need};
use super::emitter::Emitter;
use super::rng::Rng;
use super::shape::Writes;
use super::types::{Element, MemRefType, Strided};

impl Emitter<'_> {
    /// A view of some buffer in scope.
    pub(super) fn view(&mut self, rng: &mut Rng) {
        let readable = |e: &Self, b: &Buffer| e.bases.allow(b, Need::Read);
        if self.shape.byte_views && rng.chance(35) {
            let bytes = self.choose(rng, |e, b| {
                readable(e, b)
                    && b.ty.element == Element::I8
                    && b.ty.is_identity()
                    && b.ty.rank() == 1
                    && b.count().is_some_and(|count| count > 0)
            });
            if let Some(bytes) = bytes {
                return self.byte_view(rng, &bytes);
            }
        }
        let Some(buffer) = self.choose(rng, readable) else {
            return;
        };
        match rng.below(7) {
            0 | 1 => self.subview(rng, &buffer),
            2 => {
                let ty = MemRefType::most_dynamic(buffer.ty.element, buffer.ty.rank());
                self.cast(rng, &buffer, &ty);
            }
            3 => self.reshape(rng, &buffer),
            4 => self.reinterpret_cast(rng, &buffer),
            5 if self.shape.unranked => self.through_unranked(rng, &buffer),
            5 => self.sized(rng, &buffer),
            _ => self.base_or_transposed(rng, &buffer),
        }
    }

    /// A number as a view writes it: in place, or as a value that only the program knows.
    fn operand(&mut self, rng: &mut Rng, number: u64) -> (String, Option<u64>) {
        if self.shape.dynamic && rng.chance(25) {
            (self.index(rng, number), None)
        } else {
            (number.to_string(), Some(number))
        }
    }

    /// A part of the buffer, of lower rank at times.
    fn subview(&mut self, rng: &mut Rng, buffer: &Buffer) {
        let rank = buffer.ty.rank();
        let sizes: Vec<_> = buffer.actual.iter().flatten().copied().collect();
        // No type can say that a stride is zero.
        if rank == 0 || sizes.len() != rank || buffer.ty.has_zero_stride() {
            return;
        }
        let (mut offsets, mut offset_texts) = (Vec::new(), Vec::new());
        let (mut extents, mut extent_texts) = (Vec::new(), Vec::new());
        let (mut actual, mut steps) = (Vec::new(), Vec::new());
        for &size in &sizes {
            let extent = rng.below(size as usize + 1) as u64;
            let step = if extent > 1 && rng.chance(30) { 2 } else { 1 };
            let extent = extent.div_ceil(step);
            let used = (extent.max(1) - 1) * step + extent.min(1);
            let offset = rng.below((size - used) as usize + 1) as u64;
            let (text, known) = self.operand(rng, offset);
            offsets.push(known);
            offset_texts.push(text);
            let (text, known) = self.operand(rng, extent);
            extents.push(known);
            extent_texts.push(text);
            actual.push(Some(extent));
            steps.push(step);
        }
        // Dimensions of static size one may go.
        let dropped: Vec<_> = (0..rank)
            .filter(|&dim| rank > 1 && extents[dim] == Some(1))
            .take(rank - 1)
            .filter(|_| rng.chance(60))
            .collect();
        let ty = buffer.ty.subview(&offsets, &extents, &steps, &dropped);
        let actual = (0..rank)
            .filter(|dim| !dropped.contains(dim))
            .map(|dim| actual[dim])
            .collect();
        let name = self.name('b');
        let step_text: Vec<_> = steps.iter().map(u64::to_string).collect();
        self.line(format_args!(
            "{name} = memref.subview {}[{}] [{}] [{}] : {} to {ty}",
            buffer.name,
            offset_texts.join(", "),
            extent_texts.join(", "),
            step_text.join(", "),
            buffer.ty
        ));
        self.alias(rng, buffer, name, ty, actual);
    }

    /// Two dimensions made one, or one made two.
    fn reshape(&mut self, rng: &mut Rng, buffer: &Buffer) {
        if !buffer.ty.is_identity() {
            return self.subview(rng, buffer);
        }
        let Buffer {
            name: from,
            ty: from_ty,
            ..
        } = buffer;
        let name = self.name('b');
        match (buffer.ty.rank(), buffer.count()) {
            (2, count) => {
                let size = from_ty.dims[0].zip(from_ty.dims[1]).map(|(a, b)| a * b);
                let ty = MemRefType::identity(from_ty.element, vec![size]);
                self.line(format_args!(
                    "{name} = memref.collapse_shape {from} [[0, 1]] : {from_ty} into {ty}"
                ));
                self.alias(rng, buffer, name, ty, vec![count]);
            }
            (1, Some(count)) if from_ty.dims[0].is_some() && count > 0 => {
                let rows = (1..=count)
                    .rev()
                    .find(|&n| count % n == 0 && n * n <= count);
                let rows = rows.unwrap_or(1);
                let columns = count / rows;
                let dims = vec![Some(rows), Some(columns)];
                let ty = MemRefType::identity(from_ty.element, dims.clone());
                self.line(format_args!(
                    "{name} = memref.expand_shape {from} [[0, 1]] output_shape \
                     [{rows}, {columns}] : {from_ty} into {ty}"
                ));
                self.alias(rng, buffer, name, ty, dims);
            }
            _ => {}
        }
    }

    fn reinterpret_cast(&mut self, rng: &mut Rng, buffer: &Buffer) {
        let Some(count) = buffer.count() else {
            return;
        };
        // Relative to the aligned pointer, of which only the identity layout says what it points to.
        if !buffer.ty.is_identity() || count == 0 {
            return self.subview(rng, buffer);
        }
        let offset = rng.below(count as usize) as u64;
        let size = rng.range(1, (count - offset) as usize) as u64;
        let stride = if size > 1 && rng.chance(30) { 2 } else { 1 };
        let size = size.div_ceil(stride);
        let (offset_text, known_offset) = self.operand(rng, offset);
        let ty = MemRefType {
            element: buffer.ty.element,
            dims: vec![Some(size)],
            layout: Some(Strided {
                strides: vec![Some(stride)],
                offset: known_offset,
            }),
        };
        let name = self.name('b');
        self.line(format_args!(
            "{name} = memref.reinterpret_cast {} to offset: [{offset_text}], sizes: [{size}], \
             strides: [{stride}] : {} to {ty}",
            buffer.name, buffer.ty
        ));
        self.alias(rng, buffer, name, ty, vec![Some(size)]);
    }

    /// There and back.
    fn through_unranked(&mut self, rng: &mut Rng, buffer: &Buffer) {
        let Buffer { name: from, ty, .. } = buffer;
        let unranked = format!("memref<*x{}>", ty.element.name());
        let (middle, name) = (self.name('u'), self.name('b'));
        self.line(format_args!(
            "{middle} = memref.cast {from} : {ty} to {unranked}"
        ));
        self.line(format_args!(
            "{name} = memref.cast {middle} : {unranked} to {ty}"
        ));
        self.alias(rng, buffer, name, ty.clone(), buffer.actual.clone());
    }

    /// A cast that tells the compiler a size, or hides one.
    fn sized(&mut self, rng: &mut Rng, buffer: &Buffer) {
        if buffer.ty.rank() == 0 {
            return;
        }
        let mut ty = buffer.ty.clone();
        let dim = rng.below(ty.rank());
        ty.dims[dim] = if ty.dims[dim].is_some() {
            None
        } else {
            buffer.actual[dim]
        };
        let same_layout = ty.layout.is_some() || ty.strided() == buffer.ty.strided();
        if same_layout && ty != buffer.ty {
            self.cast(rng, buffer, &ty);
        }
    }

    /// The first element by way of the metadata, or rows exchanged with columns.
    fn base_or_transposed(&mut self, rng: &mut Rng, buffer: &Buffer) {
        let Buffer {
            name: from,
            ty: from_ty,
            actual,
            ..
        } = buffer;
        if from_ty.rank() == 2 && !from_ty.has_zero_stride() && rng.chance(50) {
            let strided = from_ty.strided();
            let flip = |list: &[Option<u64>]| list.iter().rev().copied().collect::<Vec<_>>();
            let ty = MemRefType {
                element: from_ty.element,
                dims: flip(&from_ty.dims),
                layout: Some(Strided {
                    strides: flip(&strided.strides),
                    offset: strided.offset,
                }),
            };
            let name = self.name('b');
            self.line(format_args!(
                "{name} = memref.transpose {from} (i, j) -> (j, i) : {from_ty} to {ty}"
            ));
            let actual = flip(actual);
            self.alias(rng, buffer, name, ty, actual);
        } else if buffer.has_elements()
            // A copy of a view that begins later does not hold the first element.
            && (self.shape.writes == Writes::Calls || from_ty.strided().offset == Some(0))
        {
            let base = self.name('b');
            let numbers: Vec<_> = (0..=2 * from_ty.rank()).map(|_| self.name('k')).collect();
            let ty = MemRefType::identity(from_ty.element, Vec::new());
            let index_types = vec!["index"; numbers.len()].join(", ");
            self.line(format_args!(
                "{base}, {} = memref.extract_strided_metadata {from} : {from_ty} -> {ty}, \
                 {index_types}",
                numbers.join(", ")
            ));
            self.alias(rng, buffer, base, ty, Vec::new());
        }
    }

    /// Some of the bytes as a row of integers.
    fn byte_view(&mut self, rng: &mut Rng, bytes: &Buffer) {
        let element = *rng.pick(&Element::INTEGERS);
        let count = bytes.count().unwrap_or(0) / element.bytes();
        let shift = rng.below(count as usize + 1) as u64;
        let size = rng.below((count - shift) as usize + 1) as u64;
        let at = self.index(rng, shift * element.bytes());
        let (size_text, known_size) = if self.shape.dynamic && rng.chance(30) {
            (self.index(rng, size), None)
        } else {
            (String::new(), Some(size))
        };
        let ty = MemRefType::identity(element, vec![known_size]);
        let name = self.name('b');
        self.line(format_args!(
            "{name} = memref.view {}[{at}][{size_text}] : {} to {ty}",
            bytes.name, bytes.ty
        ));
        self.alias(rng, bytes, name, ty, vec![Some(size)]);
    }
}
