//! Edges of a graph that lie on the same cycles.
//!
//! This is the algorithm of Johnson, Pearson and Pingali ("The program structure
//! tree", 1994), in time linear in the number of edges. It looks at the graph as
//! undirected: if from every node there is a way to every other, two edges lie on
//! the same directed cycles if and only if they lie on the same undirected ones.
//!
//! In a depth-first tree, let the *brackets* of a tree edge be the other edges that
//! lead from below it to above it. Two tree edges are equivalent if they have the
//! same brackets; another edge is equivalent to a tree edge that has no bracket but
//! it. A list of brackets is named by its newest one and its length, which is
//! enough because a *capping* bracket is added wherever lists of several subtrees
//! meet that could be told apart further down only.

/// "None", of edges, nodes and classes.
pub(crate) const NONE: u32 = u32::MAX;

/// For each node of a graph some of its edges.
pub(crate) struct Incidence {
    first: Vec<u32>,
    edges: Vec<u32>,
}

impl Incidence {
    /// `pairs` are nodes and edges, in the order in which the edges shall come.
    pub(crate) fn new(n_nodes: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut first = vec![0; n_nodes + 1];
        for (node, _) in pairs.clone() {
            first[node as usize + 1] += 1;
        }
        for node in 0..n_nodes {
            first[node + 1] += first[node];
        }
        let mut edges = vec![0; first[n_nodes] as usize];
        let mut next = first.clone();
        for (node, edge) in pairs {
            let place = &mut next[node as usize];
            edges[*place as usize] = edge;
            *place += 1;
        }
        Self { first, edges }
    }

    /// The edges of `node`.
    pub(crate) fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

/// The class of each edge; those that lie on the same cycles have the same. From
/// every node there is a way to every other, and no edge leads back to its own node.
pub(crate) fn classes(n_nodes: usize, edges: &[(u32, u32)]) -> Vec<u32> {
    let ends = (0..).zip(edges);
    let incidence = Incidence::new(
        n_nodes,
        ends.flat_map(|(edge, &(from, to))| [(from, edge), (to, edge)]),
    );
    let tree = Tree::new(n_nodes, edges, &incidence);
    let mut brackets = Brackets::default();
    brackets.links.resize(edges.len(), Bracket::default());
    let mut class = vec![NONE; edges.len()];
    let mut n_classes = 0;
    let mut new_class = || {
        n_classes += 1;
        n_classes - 1
    };
    // What lies below each node: its brackets, and how far up they lead.
    let mut lists = vec![List::default(); n_nodes];
    let mut highest = vec![NONE; n_nodes];
    // Capping brackets that end at a node: the newest, and for each the next.
    let mut caps = vec![NONE; n_nodes];
    for &node in tree.order.iter().rev() {
        let mut list = List::default();
        let [mut own, mut high, mut second] = [NONE; 3];
        for &edge in incidence.of(node) {
            let other = other_end(edges, edge, node);
            if tree.parent[other as usize] == edge {
                let below = highest[other as usize];
                second = second.min(below.max(high));
                high = high.min(below);
                list = brackets.joined(list, lists[other as usize]);
            } else if tree.is_above(other, node) && tree.parent[node as usize] != edge {
                own = own.min(tree.number[other as usize]);
            }
        }
        highest[node as usize] = own.min(high);
        let mut cap = caps[node as usize];
        while cap != NONE {
            brackets.remove(&mut list, cap);
            cap = brackets.links[cap as usize].next_cap;
        }
        for &edge in incidence.of(node) {
            let other = other_end(edges, edge, node);
            if tree.parent[other as usize] == edge || tree.parent[node as usize] == edge {
                continue;
            }
            if tree.is_above(other, node) {
                brackets.push(&mut list, edge);
            } else {
                brackets.remove(&mut list, edge);
                if class[edge as usize] == NONE {
                    class[edge as usize] = new_class();
                }
            }
        }
        if second < own {
            let end = tree.order[second as usize];
            let cap = brackets.links.len() as u32;
            brackets.links.push(Bracket {
                next_cap: std::mem::replace(&mut caps[end as usize], cap),
                ..Bracket::default()
            });
            brackets.push(&mut list, cap);
        }
        lists[node as usize] = list;
        let above = tree.parent[node as usize];
        if above == NONE {
            continue;
        }
        class[above as usize] = match brackets.links.get_mut(list.newest as usize) {
            Some(newest) => {
                if newest.size != list.len {
                    newest.size = list.len;
                    newest.class = new_class();
                }
                let shared = newest.class;
                if let (1, Some(only)) = (list.len, class.get_mut(list.newest as usize)) {
                    *only = shared;
                }
                shared
            }
            None => new_class(),
        };
    }
    class
}

/// The node at the other end of `edge`.
fn other_end(edges: &[(u32, u32)], edge: u32, node: u32) -> u32 {
    let (from, to) = edges[edge as usize];
    if from == node { to } else { from }
}

/// A depth-first tree of an undirected graph, from node 0 on.
struct Tree {
    /// The nodes, parents first.
    order: Vec<u32>,
    /// The position of each node there.
    number: Vec<u32>,
    /// The edge to the parent of each node.
    parent: Vec<u32>,
}

impl Tree {
    fn new(n_nodes: usize, edges: &[(u32, u32)], incidence: &Incidence) -> Self {
        let mut this = Self {
            order: vec![0],
            number: vec![NONE; n_nodes],
            parent: vec![NONE; n_nodes],
        };
        this.number[0] = 0;
        let mut stack: Vec<(u32, &[u32])> = vec![(0, incidence.of(0))];
        while let Some((node, rest)) = stack.last_mut() {
            let Some((&edge, others)) = rest.split_first() else {
                stack.pop();
                continue;
            };
            *rest = others;
            let next = other_end(edges, edge, *node);
            if this.number[next as usize] == NONE {
                this.number[next as usize] = this.order.len() as u32;
                this.parent[next as usize] = edge;
                this.order.push(next);
                stack.push((next, incidence.of(next)));
            }
        }
        this
    }

    /// Whether one end of an edge is closer to the root than the other.
    fn is_above(&self, one: u32, other: u32) -> bool {
        self.number[one as usize] < self.number[other as usize]
    }
}

/// Brackets in a row.
#[derive(Clone, Copy)]
struct List {
    newest: u32,
    oldest: u32,
    len: u32,
}

impl Default for List {
    fn default() -> Self {
        Self {
            newest: NONE,
            oldest: NONE,
            len: 0,
        }
    }
}

/// An edge that is no tree edge, or a capping bracket.
#[derive(Clone)]
struct Bracket {
    newer: u32,
    older: u32,
    /// The length of the list when it was last asked for as the newest.
    size: u32,
    /// The class of that list.
    class: u32,
    /// The next capping bracket that ends at the same node.
    next_cap: u32,
}

impl Default for Bracket {
    fn default() -> Self {
        Self {
            newer: NONE,
            older: NONE,
            size: 0,
            class: NONE,
            next_cap: NONE,
        }
    }
}

/// All brackets; those of edges have their numbers.
#[derive(Default)]
struct Brackets {
    links: Vec<Bracket>,
}

impl Brackets {
    fn push(&mut self, list: &mut List, bracket: u32) {
        self.links[bracket as usize].older = list.newest;
        self.links[bracket as usize].newer = NONE;
        match self.links.get_mut(list.newest as usize) {
            Some(newest) => newest.newer = bracket,
            None => list.oldest = bracket,
        }
        list.newest = bracket;
        list.len += 1;
    }

    fn remove(&mut self, list: &mut List, bracket: u32) {
        let Bracket { newer, older, .. } = self.links[bracket as usize];
        match self.links.get_mut(newer as usize) {
            Some(newer) => newer.older = older,
            None => list.newest = older,
        }
        match self.links.get_mut(older as usize) {
            Some(older) => older.newer = newer,
            None => list.oldest = newer,
        }
        list.len -= 1;
    }

    fn joined(&mut self, old: List, new: List) -> List {
        if old.len == 0 || new.len == 0 {
            return if old.len == 0 { new } else { old };
        }
        self.links[old.newest as usize].newer = new.oldest;
        self.links[new.oldest as usize].older = old.newest;
        List {
            newest: new.newest,
            oldest: old.oldest,
            len: old.len + new.len,
        }
    }
}
