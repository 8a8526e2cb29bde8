//! Structure of explicit conflict graphs: connected parts, and cliques to take bounds from.
//!
//! Any clique gives a lower bound on the peak, so finding the heaviest one (which is NP-hard) is not
//! needed for correctness. Vertices are visited in maximum cardinality search order (Tarjan and
//! Yannakakis, SIAM J. Comput. 1984); each gives a clique of itself and earlier neighbours. If the
//! graph is chordal, as the interference graph of values in SSA form is, these are all maximal
//! cliques. Otherwise neighbours are taken greedily, heavy ones first.

use super::instance::{Buffer, ConflictGraph};
use super::problem::{Lists, Structure};

/// Connected components of the graph over the given ascending vertices, each ascending.
pub(super) fn components(
    graph: &ConflictGraph,
    buffers: &[Buffer],
    vertices: &[u32],
) -> Vec<Vec<u32>> {
    let mut seen = vec![false; buffers.len()];
    let mut parts = Vec::new();
    for &root in vertices {
        if seen[root as usize] {
            continue;
        }
        seen[root as usize] = true;
        let mut part = vec![root];
        let mut next = 0;
        while let Some(&b) = part.get(next) {
            next += 1;
            for &other in graph.neighbours(b as usize) {
                if buffers[other as usize].size > 0 && !seen[other as usize] {
                    seen[other as usize] = true;
                    part.push(other);
                }
            }
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

/// Neighbours and cliques of one component, renumbered by position in `part`.
pub(super) fn structure(graph: &ConflictGraph, buffers: &[Buffer], part: &[u32]) -> Structure {
    let mut neighbours = Lists::new();
    for &b in part {
        let renumbered = |other: &u32| part.binary_search(other).ok().map(|i| i as u32);
        neighbours.push(graph.neighbours(b as usize).iter().filter_map(renumbered));
    }
    let weights: Vec<u64> = part.iter().map(|&b| buffers[b as usize].size).collect();
    let cliques = cliques(&neighbours, &weights);
    Structure::Graph {
        neighbours,
        cliques,
    }
}

/// A set of cliques such that each vertex is in one, none contained in another.
fn cliques(neighbours: &Lists, weights: &[u64]) -> Lists {
    let n = neighbours.len();
    let order = maximum_cardinality_order(neighbours);
    let mut position = vec![0; n];
    for (i, &v) in order.iter().enumerate() {
        position[v as usize] = i;
    }
    let mut candidates: Vec<Vec<u32>> = Vec::with_capacity(n);
    for (i, &v) in order.iter().enumerate() {
        let earlier = neighbours.get(v as usize).iter().copied();
        let mut earlier: Vec<u32> = earlier.filter(|&w| position[w as usize] < i).collect();
        earlier.sort_by_key(|&w| std::cmp::Reverse(weights[w as usize]));
        let mut clique = vec![v];
        while !earlier.is_empty() {
            let heaviest = earlier.remove(0);
            clique.push(heaviest);
            let adjacent = neighbours.get(heaviest as usize);
            earlier.retain(|w| adjacent.binary_search(w).is_ok());
        }
        clique.sort_unstable();
        candidates.push(clique);
    }
    candidates.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    let mut accepted = Lists::new();
    let mut of_vertex: Vec<Vec<u32>> = vec![Vec::new(); n];
    for clique in candidates {
        let rarest = clique.iter().min_by_key(|&&v| of_vertex[v as usize].len());
        let holders = rarest.map_or(&[][..], |&v| &of_vertex[v as usize]);
        let contained = |holder: &u32| {
            let holder = accepted.get(*holder as usize);
            clique.iter().all(|v| holder.binary_search(v).is_ok())
        };
        if !holders.iter().any(contained) {
            let number = accepted.len() as u32;
            clique
                .iter()
                .for_each(|&v| of_vertex[v as usize].push(number));
            accepted.push(clique);
        }
    }
    accepted
}

/// Vertices ordered so that each has as many earlier neighbours as possible; ties by number.
fn maximum_cardinality_order(neighbours: &Lists) -> Vec<u32> {
    let n = neighbours.len();
    let mut count = vec![0usize; n];
    let mut done = vec![false; n];
    // Vertices by number of visited neighbours; entries go stale when a count grows.
    let mut buckets: Vec<Vec<u32>> = vec![(0..n as u32).rev().collect()];
    let mut order = Vec::with_capacity(n);
    let mut top = 0;
    while order.len() < n {
        let Some(v) = buckets[top].pop() else {
            top -= 1;
            continue;
        };
        if done[v as usize] || count[v as usize] != top {
            continue;
        }
        done[v as usize] = true;
        order.push(v);
        for &w in neighbours.get(v as usize) {
            if !done[w as usize] {
                count[w as usize] += 1;
                let bucket = count[w as usize];
                if bucket == buckets.len() {
                    buckets.push(Vec::new());
                }
                buckets[bucket].push(w);
                top = top.max(bucket);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(n: u32, edges: &[(u32, u32)]) -> Lists {
        let graph = ConflictGraph::new(n as usize, edges.iter().copied()).unwrap();
        let mut lists = Lists::new();
        (0..n as usize).for_each(|v| lists.push(graph.neighbours(v).iter().copied()));
        lists
    }

    #[test]
    fn chordal_graph_gives_all_maximal_cliques() {
        // Two triangles that share an edge, and a tail.
        let graph = lists(5, &[(0, 1), (1, 2), (0, 2), (1, 3), (2, 3), (3, 4)]);
        let cliques = cliques(&graph, &[1; 5]);
        assert_eq!(
            cliques.iter().collect::<Vec<_>>(),
            [&[0, 1, 2][..], &[1, 2, 3], &[3, 4]]
        );
    }

    #[test]
    fn cycle_has_edges_for_cliques() {
        let graph = lists(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
        let cliques = cliques(&graph, &[1, 5, 1, 7]);
        assert!(cliques.iter().all(|clique| clique.len() == 2));
        assert!((0..4).all(|v| cliques.iter().any(|clique| clique.contains(&v))));
    }

    #[test]
    fn components_skip_buffers_that_occupy_nothing() {
        let graph = ConflictGraph::new(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
        let mut buffers = vec![Buffer::new(0, 9, 4); 4];
        buffers[1].size = 0;
        let parts = components(&graph, &buffers, &[0, 2, 3]);
        assert_eq!(parts, [vec![0], vec![2, 3]]);
    }
}
