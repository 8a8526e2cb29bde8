//! Orders of functions in which callees come before their callers.

/// The numbers below `n_functions`, each after its `callees` except in a recursion, and whether there is any recursion.
pub fn callees_first(
    n_functions: usize,
    mut callees: impl FnMut(usize) -> Vec<usize>,
) -> (Vec<usize>, bool) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; n_functions];
    let mut order = Vec::with_capacity(n_functions);
    let mut is_recursive = false;
    for first in 0..n_functions {
        // Functions on the way down, with the callees that are still to be visited.
        let mut stack: Vec<(usize, std::vec::IntoIter<usize>)> = Vec::new();
        let mut next = Some(first);
        loop {
            match next.map(|next| (next, states[next])) {
                Some((next, State::New)) => {
                    states[next] = State::Open;
                    stack.push((next, callees(next).into_iter()));
                }
                Some((_, State::Open)) => is_recursive = true,
                Some((_, State::Done)) | None => {}
            }
            let Some((at, rest)) = stack.last_mut() else {
                break;
            };
            next = rest.next();
            if next.is_none() {
                states[*at] = State::Done;
                order.push(*at);
                stack.pop();
            }
        }
    }
    (order, is_recursive)
}
