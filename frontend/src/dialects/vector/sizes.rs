//! Elements of vectors by number and by coordinates, in row-major order.

use smallvec::SmallVec;

use super::shape_of;
use crate::ir::data::Ir;
use crate::ir::entities::Value;

/// Sizes of a vector, or coordinates of an element, one per dimension.
pub type Coordinates = SmallVec<[usize; 4]>;

/// The coordinates of element `i` of a vector of these sizes.
pub fn coordinates(sizes: &[usize], mut i: usize) -> Coordinates {
    let mut at = Coordinates::from_elem(0, sizes.len());
    for (coordinate, &size) in at.iter_mut().zip(sizes).rev() {
        *coordinate = i % size;
        i /= size;
    }
    at
}

/// The number of the element at these coordinates.
pub fn linear(sizes: &[usize], at: impl IntoIterator<Item = usize>) -> usize {
    (sizes.iter().zip(at)).fold(0, |i, (&size, c)| i * size + c)
}

/// The sizes of a vector; none of other values.
pub fn sizes_of(ir: &Ir, value: Value) -> Coordinates {
    let shape = shape_of(ir.context(), ir.value_type(value));
    shape.iter().map(|&size| size as usize).collect()
}
