//! The order of nodes: each after those whose results it uses, else as in the file.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::proto::{Graph, Node};

/// The indices of nodes in an order in which they can be computed, given which of them makes each value.
///
/// # Errors
/// The nodes of a circle.
pub(crate) fn order(
    nodes: &[Node],
    makers: &FxHashMap<&str, usize>,
) -> Result<Vec<usize>, Vec<usize>> {
    let mut needs: Vec<Vec<usize>> = Vec::with_capacity(nodes.len());
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        let mut names: Vec<&str> = node.input.iter().map(String::as_str).collect();
        for graph in graphs(node) {
            free_names(graph, &mut Vec::new(), &mut names);
        }
        let mut makers: Vec<usize> = (names.iter())
            .filter_map(|name| makers.get(name).copied())
            .collect();
        makers.sort_unstable();
        makers.dedup();
        for &maker in &makers {
            users[maker].push(i);
        }
        needs.push(makers);
    }
    let mut n_missing: Vec<usize> = needs.iter().map(Vec::len).collect();
    let ready = (0..nodes.len()).filter(|&i| n_missing[i] == 0);
    let mut ready: BinaryHeap<Reverse<usize>> = ready.map(Reverse).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(Reverse(i)) = ready.pop() {
        order.push(i);
        for &user in &users[i] {
            n_missing[user] -= 1;
            if n_missing[user] == 0 {
                ready.push(Reverse(user));
            }
        }
    }
    match n_missing.iter().position(|&n| n > 0) {
        None => Ok(order),
        Some(start) => Err(circle(start, &needs, &n_missing)),
    }
}

/// Follows nodes that wait for others until one comes twice.
fn circle(start: usize, needs: &[Vec<usize>], n_missing: &[usize]) -> Vec<usize> {
    let mut path = vec![start];
    let mut at = FxHashMap::from_iter([(start, 0)]);
    let mut last = start;
    while let Some(&next) = needs[last].iter().find(|&&need| n_missing[need] > 0) {
        if let Some(&first) = at.get(&next) {
            return path.split_off(first);
        }
        at.insert(next, path.len());
        path.push(next);
        last = next;
    }
    path
}

/// The graphs that a node has as attributes.
fn graphs(node: &Node) -> impl Iterator<Item = &Graph> {
    (node.attribute.iter())
        .flat_map(|attribute| attribute.g.as_deref().into_iter().chain(&attribute.graphs))
}

/// Appends the names that a graph uses and does not define.
fn free_names<'a>(graph: &'a Graph, bound: &mut Vec<FxHashSet<&'a str>>, out: &mut Vec<&'a str>) {
    let inputs = graph.input.iter().map(|input| input.name.as_str());
    let initializers = graph.initializer.iter().map(|tensor| tensor.name.as_str());
    let sparse = graph.sparse_initializer.iter().filter_map(|sparse| {
        let values = sparse.values.as_ref()?;
        Some(values.name.as_str())
    });
    let made = graph.node.iter().flat_map(|node| &node.output);
    let made = made.map(String::as_str);
    bound.push((inputs.chain(initializers).chain(sparse).chain(made)).collect());
    let used = graph.node.iter().flat_map(|node| &node.input);
    let returned = graph.output.iter().map(|output| &output.name);
    for name in used.chain(returned) {
        if !bound.iter().any(|names| names.contains(name.as_str())) {
            out.push(name);
        }
    }
    for inner in graph.node.iter().flat_map(graphs) {
        free_names(inner, bound, out);
    }
    bound.pop();
}
