//! Orders of functions.

use freehold_passes::analysis::call_order::callees_first;

fn order(callees: &[&[usize]]) -> (Vec<usize>, bool) {
    callees_first(callees.len(), |at| callees[at].to_vec())
}

#[test]
fn callees_precede_callers() {
    assert_eq!(order(&[&[2, 1], &[2], &[]]), (vec![2, 1, 0], false));
    assert_eq!(order(&[&[], &[0, 0], &[1]]), (vec![0, 1, 2], false));
}

#[test]
fn recursion_is_told() {
    assert_eq!(order(&[&[1], &[0], &[1]]), (vec![1, 0, 2], true));
    assert_eq!(order(&[&[0]]), (vec![0], true));
}
