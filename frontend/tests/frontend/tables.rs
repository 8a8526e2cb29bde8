//! Tables that are searched, and numbers of elements.

use freehold_frontend::dialects::linalg::named::{TABLE, named_op};
use freehold_frontend::dialects::vector::{coordinates, linear};

#[test]
fn named_operations_are_sorted() {
    assert!(TABLE.windows(2).all(|p| p[0].def.name < p[1].def.name));
    for entry in TABLE {
        assert!(std::ptr::eq(named_op(entry.def).unwrap(), entry));
    }
}

#[test]
fn coordinates_and_numbers_are_inverse() {
    let shape = [2, 3, 4];
    for i in 0..24 {
        assert_eq!(linear(&shape, coordinates(&shape, i)), i);
    }
    assert_eq!(&coordinates(&shape, 23)[..], &[1, 2, 3]);
    assert!(coordinates(&[], 0).is_empty());
}
