//! Ensembles of decision trees: `TreeEnsemble`, `TreeEnsembleRegressor` and `TreeEnsembleClassifier`.
//!
//! The nodes of all trees are tensors. For each row a loop over trees walks down from a root to a leaf, whose votes are
//! added to the scores.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use super::graph::Cx;
use super::ml::{class_labels, labels_at, post_transform};
use super::node::{Lowered, Node, Refused};
use super::reductions::arg_extremum;
use super::sizes::{Dim, c};
use crate::rewrite::formula::{F, repeat, repeat_while, x};
use crate::rewrite::tensors::extract;

/// What a node compares, in the order of the numbers of `TreeEnsemble`.
const MODES: [(&str, CmpIPredicate); 6] = [
    ("BRANCH_LEQ", CmpIPredicate::Sle),
    ("BRANCH_LT", CmpIPredicate::Slt),
    ("BRANCH_GTE", CmpIPredicate::Sge),
    ("BRANCH_GT", CmpIPredicate::Sgt),
    ("BRANCH_EQ", CmpIPredicate::Eq),
    ("BRANCH_NEQ", CmpIPredicate::Ne),
];

/// Where it is one of several.
const MEMBER: usize = 6;
const EQUAL: usize = 4;

/// How votes of trees are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aggregate {
    Average,
    Sum,
    Min,
    Max,
}

/// An inner node. Children are nodes, or leaves as -1 less their number.
#[derive(Clone)]
struct Inner {
    feature: i64,
    threshold: f64,
    mode: usize,
    nan_is_true: bool,
    yes: i64,
    no: i64,
}

#[derive(Default)]
struct Forest {
    nodes: Vec<Inner>,
    /// Targets and weights.
    leaves: Vec<Vec<(i64, f64)>>,
    roots: Vec<i64>,
    targets: i64,
}

impl Forest {
    /// Checks that walks end and find only existing nodes.
    fn check(&self) -> Result<(), Refused> {
        let is_there = |child: i64| match child >= 0 {
            true => (child as usize) < self.nodes.len(),
            false => ((-1 - child) as usize) < self.leaves.len(),
        };
        let children = (self.nodes.iter()).flat_map(|node| [node.yes, node.no]);
        if !children.chain(self.roots.iter().copied()).all(is_there) {
            return Err("a child or root of its trees is not there".into());
        }
        let votes = self.leaves.iter().flatten();
        if !(votes
            .clone()
            .all(|vote| (0..self.targets).contains(&vote.0)))
        {
            return Err("a leaf has a target that is not there".into());
        }
        // Nodes in an order in which children come first: 1 is open, 2 is done.
        let mut state = vec![0u8; self.nodes.len()];
        for &root in &self.roots {
            let mut stack = vec![root];
            while let Some(&at) = stack.last() {
                let Some(node) = usize::try_from(at).ok().map(|at| (at, &self.nodes[at])) else {
                    stack.pop();
                    continue;
                };
                if state[node.0] != 0 {
                    state[node.0] = 2;
                    stack.pop();
                    continue;
                }
                state[node.0] = 1;
                for child in [node.1.yes, node.1.no] {
                    match usize::try_from(child).ok().map(|child| state[child]) {
                        Some(1) => return Err("its trees have a circle".into()),
                        Some(0) => stack.push(child),
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    fn is_one_vote(&self) -> bool {
        self.targets == 1 && self.leaves.iter().all(|leaf| !leaf.is_empty())
    }
}

/// The trees as tensors.
struct Tables {
    features: Value,
    thresholds: Value,
    modes: Option<Value>,
    mode: usize,
    nan_is_true: Option<Value>,
    yes: Value,
    no: Value,
    roots: Value,
    n_roots: i64,
}

fn to_index(b: &mut Builder<'_>, number: Value) -> Value {
    b.value(&arith::INDEX_CAST, &[number], Type::INDEX)
}

impl Tables {
    fn new(cx: &mut Cx<'_>, forest: &Forest, ty: Type) -> Self {
        // Tensors of no elements are read by none, but have to be there.
        let mut list = |of: &dyn Fn(&Inner) -> i64| {
            let mut all: Vec<i64> = forest.nodes.iter().map(of).collect();
            if all.is_empty() {
                all.push(0);
            }
            cx.integers(&[all.len() as i64], &all)
        };
        let features = list(&|node| node.feature);
        let (yes, no) = (list(&|node| node.yes), list(&|node| node.no));
        let mode = forest.nodes.first().map_or(0, |node| node.mode);
        let is_uniform = forest.nodes.iter().all(|node| node.mode == mode);
        let modes = (!is_uniform).then(|| list(&|node| node.mode as i64));
        let any = forest.nodes.iter().any(|node| node.nan_is_true);
        let nan_is_true = any.then(|| list(&|node| i64::from(node.nan_is_true)));
        let mut thresholds: Vec<f64> = forest.nodes.iter().map(|node| node.threshold).collect();
        if thresholds.is_empty() {
            thresholds.push(0.0);
        }
        let n_roots = forest.roots.len() as i64;
        Self {
            features,
            thresholds: cx.numbers(&[thresholds.len() as i64], ty, &thresholds),
            modes,
            mode,
            nan_is_true,
            yes,
            no,
            roots: cx.integers(&[n_roots], &forest.roots),
            n_roots,
        }
    }

    /// The number of the leaf to which a tree leads a row.
    fn walk(
        &self,
        b: &mut Builder<'_>,
        value: Value,
        row: Value,
        columns: Dim,
        tree: Value,
    ) -> Value {
        let root = extract(b, self.roots, &[tree]);
        let root = to_index(b, root);
        let end = repeat_while(
            b,
            &[root],
            |_, carried| x(carried[0]).is(CmpIPredicate::Sge, F::from(0)),
            |b, carried| {
                let node = carried[0];
                let feature = extract(b, self.features, &[node]);
                let feature = to_index(b, feature);
                // A feature that is not there is refused if that is known; nothing else is read.
                let feature = match columns {
                    Dim::Constant(_) => feature,
                    Dim::Value(_) => x(feature).min(F::from(columns) - 1).build(b),
                };
                let number = extract(b, value, &[row, feature]);
                let threshold = extract(b, self.thresholds, &[node]);
                let mut holds = x(number).is(MODES[self.mode].1, x(threshold)).build(b);
                if let Some(modes) = self.modes {
                    let mode = extract(b, modes, &[node]);
                    for (i, &(_, predicate)) in MODES.iter().enumerate() {
                        let is_mode = to_index(b, mode);
                        let is_mode = x(is_mode).equal(i as i64);
                        let this = x(number).is(predicate, x(threshold)).build(b);
                        holds = is_mode.select(x(this), x(holds)).build(b);
                    }
                }
                if let Some(flags) = self.nan_is_true {
                    let flag = extract(b, flags, &[node]);
                    let flag = to_index(b, flag);
                    let nan = x(number).is(CmpIPredicate::Ne, x(number));
                    let nan = nan.and(x(flag).is(CmpIPredicate::Ne, F::from(0))).build(b);
                    holds = b.value(&arith::ORI, &[holds, nan], Type::I1);
                }
                let [yes, no] = [self.yes, self.no].map(|table| extract(b, table, &[node]));
                let next = x(holds).select(x(yes), x(no)).build(b);
                vec![to_index(b, next)]
            },
        )[0];
        (F::from(-1) - end).build(b)
    }
}

/// `[rows, targets]` of combined votes, and whether there was one for each.
fn votes(
    cx: &mut Cx<'_>,
    value: Value,
    forest: &Forest,
    aggregate: Aggregate,
) -> Result<[Value; 2], Refused> {
    forest.check()?;
    let ty = cx.element(value);
    let [rows, columns] = cx.dims(value)[..] else {
        return Err("its operand has not 2 dimensions".into());
    };
    if let Dim::Constant(columns) = columns
        && !(forest.nodes.iter()).all(|node| (0..columns).contains(&node.feature))
    {
        return Err("its trees read a feature that its operand has not".into());
    }
    if forest.nodes.iter().any(|node| node.feature < 0) {
        return Err("its trees read a feature that its operand has not".into());
    }
    let tables = Tables::new(cx, forest, ty);
    let targets = forest.targets;
    let dims = [rows, c(targets)];
    let init = match aggregate {
        Aggregate::Average | Aggregate::Sum => 0.0,
        Aggregate::Min => f64::INFINITY,
        Aggregate::Max => f64::NEG_INFINITY,
    };
    let combine = |old: Value, weight: Value| match aggregate {
        Aggregate::Average | Aggregate::Sum => x(old) + x(weight),
        Aggregate::Min => x(weight).less(x(old)).select(x(weight), x(old)),
        Aggregate::Max => x(weight).greater(x(old)).select(x(weight), x(old)),
    };
    let zero = cx.scalar(ty, init);
    if forest.is_one_vote() {
        // Of several votes for the only target, the first counts.
        let weights: Vec<f64> = forest.leaves.iter().map(|leaf| leaf[0].1).collect();
        let weights = cx.numbers(&[weights.len() as i64], ty, &weights);
        let scores = cx.generate(&dims, ty, &mut |b, index| {
            repeat(b, 0, tables.n_roots, &[zero], |b, tree, carried| {
                let leaf = tables.walk(b, value, index[0], columns, tree);
                let weight = extract(b, weights, &[leaf]);
                vec![combine(carried[0], weight).build(b)]
            })[0]
        });
        let one = cx.lit(Type::I1, 1.0);
        return Ok([scores, cx.broadcast_to(one, &dims)]);
    }
    let (mut starts, mut of, mut weights) = (vec![0], Vec::new(), Vec::new());
    for leaf in &forest.leaves {
        for &(target, weight) in leaf {
            of.push(target);
            weights.push(weight);
        }
        starts.push(of.len() as i64);
    }
    if of.is_empty() {
        return Err("its leaves have no votes".into());
    }
    let starts = cx.integers(&[starts.len() as i64], &starts);
    let count = of.len() as i64;
    let (of, weights) = (
        cx.integers(&[count], &of),
        cx.numbers(&[count], ty, &weights),
    );
    let scores = cx.filled(&dims, zero, ty);
    let none = cx.scalar(Type::I1, 0.0);
    let has = cx.filled(&dims, none, Type::I1);
    let yes = cx.scalar(Type::I1, 1.0);
    let (from, to) = (cx.v(c(0)), cx.v(rows));
    let n_roots = tables.n_roots;
    let results = repeat(
        &mut cx.b,
        x(from),
        x(to),
        &[scores, has],
        |b, row, carried| {
            repeat(b, 0, n_roots, carried, |b, tree, carried| {
                let leaf = tables.walk(b, value, row, columns, tree);
                let next = (x(leaf) + 1).build(b);
                let [first, end] = [leaf, next].map(|at| extract(b, starts, &[at]));
                let (first, end) = (to_index(b, first), to_index(b, end));
                repeat(b, x(first), x(end), carried, |b, vote, carried| {
                    let target = extract(b, of, &[vote]);
                    let target = to_index(b, target);
                    let weight = extract(b, weights, &[vote]);
                    let old = extract(b, carried[0], &[row, target]);
                    let new = combine(old, weight);
                    let at = || [x(row), x(target)];
                    let scores = crate::rewrite::formula::set(b, carried[0], at(), new);
                    vec![
                        scores,
                        crate::rewrite::formula::set(b, carried[1], at(), x(yes)),
                    ]
                })
            })
        },
    );
    Ok([cx.sized(results[0], &dims), cx.sized(results[1], &dims)])
}

/// Scores of regression: what trees say, with what is added to it, as f32 or what `TreeEnsemble` computes with.
fn finish(
    cx: &mut Cx<'_>,
    n: &Node,
    forest: &Forest,
    aggregate: Aggregate,
    [scores, has]: [Value; 2],
    base: &[f64],
) -> Lowered {
    let mut scores = scores;
    match aggregate {
        Aggregate::Average => {
            let count = (forest.roots.len() as f64).into();
            scores = cx.formula("x / n", &[("x", scores.into()), ("n", count)])?;
        }
        Aggregate::Min | Aggregate::Max => {
            let terms = [("h", has.into()), ("x", scores.into())];
            scores = cx.formula("select(h, x, 0)", &terms)?;
        }
        Aggregate::Sum => {}
    }
    if base.len() == forest.targets as usize {
        let ty = cx.element(scores);
        let base = cx.numbers(&[base.len() as i64], ty, base);
        scores = cx.ew(&sh::ADD, &[scores, base])?;
    }
    let is_probit =
        n.text("post_transform", "") == "PROBIT" || n.opt_int("post_transform") == Some(4);
    // One score alone is not turned into a probability.
    match forest.targets > 1 || is_probit {
        true => Ok(vec![post_transform(cx, n, scores)?]),
        false => Ok(vec![scores]),
    }
}

/// Numbers as a list of floats or a tensor of f64.
fn numbers(cx: &Cx<'_>, n: &Node, name: &str) -> Result<Vec<f64>, Refused> {
    match n.raw(&format!("{name}_as_tensor")) {
        Some(attr) => cx
            .numbers_of(attr)
            .ok_or_else(|| "a tensor has no numbers".into()),
        None => Ok(n.floats(name).unwrap_or_default()),
    }
}

/// Trees as `TreeEnsembleRegressor` and `TreeEnsembleClassifier` have them; votes have names that begin with `prefix`.
fn old_forest(cx: &Cx<'_>, n: &Node, prefix: &str, targets: i64) -> Result<Forest, Refused> {
    let list = |name: &str| n.ints(name).unwrap_or_default();
    let (trees, ids) = (list("nodes_treeids"), list("nodes_nodeids"));
    let (yes, no) = (list("nodes_truenodeids"), list("nodes_falsenodeids"));
    let features = list("nodes_featureids");
    let modes = n.texts("nodes_modes").unwrap_or_default();
    let thresholds = numbers(cx, n, "nodes_values")?;
    let tracks = list("nodes_missing_value_tracks_true");
    let count = trees.len();
    let lengths = [
        ids.len(),
        yes.len(),
        no.len(),
        features.len(),
        modes.len(),
        thresholds.len(),
    ];
    if lengths.iter().any(|&length| length != count) || count == 0 {
        return Err("the lists of its nodes differ in length".into());
    }
    let mut places: FxHashMap<(i64, i64), usize> = FxHashMap::default();
    for i in 0..count {
        if places.insert((trees[i], ids[i]), i).is_some() {
            return Err("a node of its trees is there twice".into());
        }
    }
    let mut forest = Forest {
        targets,
        ..Forest::default()
    };
    // Inner nodes and leaves are numbered apart.
    let mut numbers_of = Vec::new();
    let mut n_inner = 0;
    for mode in &modes {
        numbers_of.push(match mode.as_str() {
            "LEAF" => {
                forest.leaves.push(Vec::new());
                -(forest.leaves.len() as i64)
            }
            _ => {
                n_inner += 1;
                n_inner - 1
            }
        });
    }
    let mut is_child = vec![false; count];
    for i in (0..count).filter(|&i| modes[i] != "LEAF") {
        let mode = MODES.iter().position(|mode| mode.0 == modes[i]);
        let mode = mode.ok_or_else(|| Refused(format!("mode '{}' is not known", modes[i])))?;
        let mut child = |id: i64| {
            let place = places.get(&(trees[i], id)).copied();
            let place = place.ok_or("a child of its trees is not there")?;
            is_child[place] = true;
            Ok::<_, Refused>(numbers_of[place])
        };
        forest.nodes.push(Inner {
            feature: features[i],
            threshold: thresholds[i],
            mode,
            nan_is_true: tracks.get(i).is_some_and(|&flag| flag != 0),
            yes: child(yes[i])?,
            no: child(no[i])?,
        });
    }
    forest.roots = (0..count)
        .filter(|&i| !is_child[i])
        .map(|i| numbers_of[i])
        .collect();
    let (of_trees, of_nodes) = (
        list(&format!("{prefix}_treeids")),
        list(&format!("{prefix}_nodeids")),
    );
    let of = list(&format!("{prefix}_ids"));
    let weights = numbers(cx, n, &format!("{prefix}_weights"))?;
    if [of_trees.len(), of_nodes.len(), of.len()]
        .iter()
        .any(|&length| length != weights.len())
    {
        return Err("the lists of its votes differ in length".into());
    }
    for i in 0..weights.len() {
        let place = places
            .get(&(of_trees[i], of_nodes[i]))
            .map(|&place| numbers_of[place]);
        match place {
            Some(leaf) if leaf < 0 => forest.leaves[(-1 - leaf) as usize].push((of[i], weights[i])),
            // What inner nodes vote is never heard.
            Some(_) => {}
            None => return Err("a vote is that of a node that is not there".into()),
        }
    }
    Ok(forest)
}

fn operand(cx: &mut Cx<'_>, n: &Node) -> Result<Value, Refused> {
    let value = n.x(0)?;
    match cx.element(value) == Type::F64 {
        true => Ok(value),
        false => cx.convert(value, Type::F32),
    }
}

pub(super) fn regressor(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = operand(cx, n)?;
    let forest = old_forest(cx, n, "target", n.int("n_targets", 1))?;
    let aggregate = match n.text("aggregate_function", "SUM").as_str() {
        "AVERAGE" => Aggregate::Average,
        "SUM" => Aggregate::Sum,
        "MIN" => Aggregate::Min,
        "MAX" => Aggregate::Max,
        other => return Err(format!("aggregate_function '{other}' is not known").into()),
    };
    let base = numbers(cx, n, "base_values")?;
    let scores = votes(cx, value, &forest, aggregate)?;
    let result = finish(cx, n, &forest, aggregate, scores, &base)?[0];
    Ok(vec![cx.convert(result, Type::F32)?])
}

pub(super) fn ensemble(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let list = |name: &str| n.ints(name).unwrap_or_default();
    let tensor = |name: &str| {
        let numbers = n.raw(name).and_then(|attr| cx.numbers_of(attr));
        numbers.ok_or_else(|| Refused(format!("it has no '{name}'")))
    };
    let (yes, no) = (list("nodes_truenodeids"), list("nodes_falsenodeids"));
    let (yes_leaf, no_leaf) = (list("nodes_trueleafs"), list("nodes_falseleafs"));
    let features = list("nodes_featureids");
    let (modes, splits) = (tensor("nodes_modes")?, tensor("nodes_splits")?);
    let tracks = list("nodes_missing_value_tracks_true");
    let count = yes.len();
    let lengths = [
        no.len(),
        yes_leaf.len(),
        no_leaf.len(),
        features.len(),
        modes.len(),
        splits.len(),
    ];
    if lengths.iter().any(|&length| length != count) {
        return Err("the lists of its nodes differ in length".into());
    }
    let (of, weights) = (list("leaf_targetids"), tensor("leaf_weights")?);
    if of.len() != weights.len() {
        return Err("the lists of its leaves differ in length".into());
    }
    let mut forest = Forest {
        leaves: of
            .iter()
            .zip(&weights)
            .map(|(&of, &weight)| vec![(of, weight)])
            .collect(),
        roots: list("tree_roots"),
        targets: n.int("n_targets", 1),
        ..Forest::default()
    };
    let child = |leaf: i64, at: i64| if leaf != 0 { -1 - at } else { at };
    let mut members = match n.has("membership_values") {
        true => tensor("membership_values")?.into_iter(),
        false => Vec::new().into_iter(),
    };
    let mut sets = Vec::new();
    for i in 0..count {
        forest.nodes.push(Inner {
            feature: features[i],
            threshold: splits[i],
            mode: modes[i] as usize,
            nan_is_true: tracks.get(i).is_some_and(|&flag| flag != 0),
            yes: child(yes_leaf[i], yes[i]),
            no: child(no_leaf[i], no[i]),
        });
        if modes[i] as usize == MEMBER {
            let set: Vec<f64> = members
                .by_ref()
                .take_while(|member| !member.is_nan())
                .collect();
            sets.push((i, set));
        }
    }
    if forest.nodes.iter().any(|node| node.mode > MEMBER) {
        return Err("a mode of its nodes is not known".into());
    }
    // To be a member is to be one or the other.
    for (i, set) in sets {
        let Some((&last, first)) = set.split_last() else {
            return Err("a set of members is empty".into());
        };
        let mut no = forest.nodes[i].no;
        for &member in first {
            forest.nodes.push(Inner {
                mode: EQUAL,
                threshold: member,
                no,
                ..forest.nodes[i].clone()
            });
            no = forest.nodes.len() as i64 - 1;
        }
        let node = &mut forest.nodes[i];
        (node.mode, node.threshold, node.no) = (EQUAL, last, no);
    }
    let aggregates = [
        Aggregate::Average,
        Aggregate::Sum,
        Aggregate::Min,
        Aggregate::Max,
    ];
    let aggregate = usize::try_from(n.int("aggregate_function", 1)).ok();
    let aggregate = aggregate.and_then(|i| aggregates.get(i).copied());
    let aggregate = aggregate.ok_or("its aggregate_function is not known")?;
    let scores = votes(cx, value, &forest, aggregate)?;
    finish(cx, n, &forest, aggregate, scores, &[])
}

pub(super) fn classifier(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let labels = class_labels(n, "classlabels_int64s")?;
    let value = operand(cx, n)?;
    let forest = old_forest(cx, n, "class", labels.len() as i64)?;
    let base = numbers(cx, n, "base_values")?;
    let [scores, has] = votes(cx, value, &forest, Aggregate::Sum)?;
    let [classes, scores] = match labels.len() {
        2 => of_two(cx, n, &forest, &labels, [scores, has], &base)?,
        1 => return Err("it has one class".into()),
        _ => of_many(cx, n, &labels, [scores, has], &base)?,
    };
    Ok(vec![classes, cx.convert(scores, Type::F32)?])
}

fn of_many(
    cx: &mut Cx<'_>,
    n: &Node,
    labels: &[i64],
    [scores, has]: [Value; 2],
    base: &[f64],
) -> Result<[Value; 2], Refused> {
    if ![0, labels.len()].contains(&base.len()) {
        return Err("its base values are not as many as its classes".into());
    }
    let ty = cx.element(scores);
    let (all, known) = match base {
        // A class without any vote is not the first.
        [] => {
            let least = f64::NEG_INFINITY.into();
            let terms = [("h", has.into()), ("x", scores.into()), ("l", least)];
            (scores, cx.formula("select(h, x, l)", &terms)?)
        }
        _ => {
            let base = cx.numbers(&[base.len() as i64], ty, base);
            let sum = cx.ew(&sh::ADD, &[scores, base])?;
            (sum, sum)
        }
    };
    let places = arg_extremum(cx, known, 1, true, false)?;
    Ok([labels_at(cx, places, labels), post_transform(cx, n, all)?])
}

/// Of two classes, trees may vote for one only: its complement is the score of the other.
fn of_two(
    cx: &mut Cx<'_>,
    n: &Node,
    forest: &Forest,
    labels: &[i64],
    [scores, has]: [Value; 2],
    base: &[f64],
) -> Result<[Value; 2], Refused> {
    if base.len() > 1 {
        return Err("two base values for two classes are not lowered".into());
    }
    let votes = || forest.leaves.iter().flatten();
    let first = votes().next().map_or(0, |vote| vote.0);
    let is_binary = votes().all(|vote| vote.0 == first);
    let is_positive = votes().all(|vote| vote.1 >= 0.0);
    let column = |cx: &mut Cx<'_>, value: Value, at: i64| cx.part(value, 1, c(at), c(1));
    let mut zeroth = column(cx, scores, 0);
    if let [base] = *base {
        zeroth = cx.formula("x + b", &[("x", zeroth.into()), ("b", base.into())])?;
    }
    // What no tree votes for is zero, as onnxruntime has it.
    let terms = [("h", column(cx, has, 0).into()), ("x", zeroth.into())];
    zeroth = cx.formula("select(h, x, 0)", &terms)?;
    let (one, has_one) = (column(cx, scores, 1), column(cx, has, 1));
    let both = cx.concat(&[zeroth, one], 1)?;
    let both = post_transform(cx, n, both)?;
    // What one score alone becomes.
    let kind = n.text("post_transform", "NONE");
    let text = match (is_binary && is_positive, kind.as_str()) {
        (_, "PROBIT") => return Err("one score with post_transform 'PROBIT' is not lowered".into()),
        (_, "LOGISTIC") => ["logistic(-x)", "logistic(x)"],
        (true, _) => ["1 - x", "x"],
        (false, _) => ["-x", "x"],
    };
    let mut columns = Vec::new();
    for text in text {
        columns.push(cx.formula(text, &[("x", zeroth.into())])?);
    }
    let alone = cx.concat(&columns, 1)?;
    let result = cx.select(has_one, both, alone)?;
    let weight = cx.select(has_one, one, zeroth)?;
    let limit = if is_binary && is_positive { 0.5 } else { 0.0 };
    let over = cx.formula("x > l", &[("x", weight.into()), ("l", limit.into())])?;
    let over = cx.squeeze(over, &[1])?;
    let pair: Vec<Value> = labels
        .iter()
        .map(|&label| cx.integers(&[], &[label]))
        .collect();
    Ok([cx.select(over, pair[1], pair[0])?, result])
}
