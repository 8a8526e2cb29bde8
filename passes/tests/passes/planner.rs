//! All planners against the checker, `optimal` against trying everything, and quality on shapes
//! that matter.

use freehold_passes::check::memory_plan::{
    PlacedBuffer, Violation, check_gaps, check_intervals, check_pairs,
};
use freehold_passes::planner::{
    Buffer, ConflictGraph, Conflicts, Instance, NAMES, Options, Plan, PlanError, Proof, generate,
    planner,
};

fn placed(instance: &Instance, plan: &Plan) -> Vec<PlacedBuffer> {
    let place = |(b, &offset): (&Buffer, &u64)| PlacedBuffer {
        lower: b.lower,
        upper: b.upper,
        size: b.size,
        alignment: b.alignment,
        offset,
    };
    let buffers = instance.buffers().iter();
    buffers.zip(&plan.offsets).map(place).collect()
}

fn violations(instance: &Instance, plan: &Plan) -> Vec<Violation> {
    let mut placed = placed(instance, plan);
    match instance.conflicts() {
        Conflicts::Intervals => check_intervals(&placed, plan.peak),
        Conflicts::Graph(graph) => {
            // Gaps may be all there is of a buffer, which the pairs do not tell.
            for (b, placed) in placed.iter_mut().enumerate() {
                if instance.resident(b).is_empty() && !instance.occupies(b) {
                    placed.size = 0;
                }
            }
            let neighbours = |a: usize| graph.neighbours(a).iter().map(move |&b| (a, b as usize));
            check_pairs(&placed, (0..placed.len()).flat_map(neighbours), plan.peak)
        }
    }
}

/// Plans, and checks the plan and what it says about itself.
fn plan(name: &str, node_budget: u64, instance: &Instance) -> Plan {
    let planner = planner(
        name,
        &Options {
            node_budget,
            ..Options::default()
        },
    )
    .unwrap();
    let plan = planner.plan(instance).unwrap();
    assert_eq!(violations(instance, &plan), [], "{name}: {instance:?}");
    assert!(plan.lower_bound <= plan.peak, "{name}: {instance:?}");
    assert_eq!(
        plan.proved(),
        plan.peak == plan.lower_bound,
        "{name}: {instance:?}"
    );
    plan
}

/// The least peak. In some best plan every buffer is as low as the ones below it allow, so it
/// suffices to place buffers in all orders at the lowest offset that is free.
fn best_peak(instance: &Instance) -> u64 {
    fn place(instance: &Instance, placed: &mut Vec<(usize, u64)>, peak: u64, best: &mut u64) {
        if peak >= *best {
            return;
        }
        let buffers = instance.buffers();
        let n_occupying = (0..buffers.len()).filter(|&b| instance.occupies(b)).count();
        if placed.len() == n_occupying {
            *best = peak;
            return;
        }
        for b in (0..buffers.len()).filter(|&b| instance.occupies(b)) {
            if placed.iter().any(|&(other, _)| other == b) {
                continue;
            }
            // On top of a neighbour, or at the bottom.
            let tops = placed
                .iter()
                .filter(|(other, _)| instance.conflict(b, *other));
            let tops = tops.map(|&(other, offset)| offset + buffers[other].size);
            let mut offsets: Vec<u64> = tops
                .chain([0])
                .map(|top| top.next_multiple_of(buffers[b].alignment))
                .collect();
            offsets.sort_unstable();
            let is_free = |offset: u64| {
                placed.iter().all(|&(other, at)| {
                    !instance.conflict(b, other)
                        || at + buffers[other].size <= offset
                        || offset + buffers[b].size <= at
                })
            };
            let offset = offsets.into_iter().find(|&offset| is_free(offset)).unwrap();
            placed.push((b, offset));
            place(instance, placed, peak.max(offset + buffers[b].size), best);
            placed.pop();
        }
    }
    let mut best = u64::MAX;
    place(instance, &mut Vec::new(), 0, &mut best);
    best
}

#[test]
fn optimal_agrees_with_trying_everything() {
    let mut n_exhausted = 0;
    for seed in 0..1500 {
        let instance = Instance::new(generate::small(seed, 7)).unwrap();
        let best = best_peak(&instance);
        let optimal = plan("optimal", 100_000, &instance);
        assert!(optimal.proved(), "seed {seed}");
        assert_eq!(optimal.peak, best, "seed {seed}: {instance:?}");
        n_exhausted += usize::from(optimal.proof == Proof::Exhaustion);
        for name in NAMES {
            assert!(plan(name, 0, &instance).peak >= best, "seed {seed}");
        }
    }
    assert!(n_exhausted > 0, "no instance needed a search to the end");
}

#[test]
fn a_capacity_is_met_or_proved_too_small() {
    let (mut n_met, mut n_missed) = (0, 0);
    for seed in 0..1000 {
        let instance = Instance::new(generate::small(seed, 7)).unwrap();
        let best = best_peak(&instance);
        let capacity = (best + seed % 3).saturating_sub(1);
        let instance = instance.with_capacity(Some(capacity));
        let plan = plan("optimal", 100_000, &instance);
        assert_eq!(plan.peak <= capacity, best <= capacity, "seed {seed}");
        assert_eq!(plan.lower_bound > capacity, best > capacity, "seed {seed}");
        let greedy = planner("greedy", &Options::default()).unwrap();
        let missed = greedy.plan(&instance).unwrap().peak > capacity;
        n_met += usize::from(missed && best <= capacity);
        n_missed += usize::from(missed && best > capacity);
    }
    assert!(n_met > 0 && n_missed > 0, "{n_met} {n_missed}");
}

#[test]
fn gaps_are_used_and_respected() {
    let mut n_lower = 0;
    for seed in 0..800 {
        let buffers = generate::small(seed, 6);
        let mut random = generate::Random::new(!seed);
        let gaps: Vec<Vec<(i64, i64)>> = (buffers.iter())
            .map(|buffer| {
                let mut time = || buffer.lower + random.below(buffer.width() + 1) as i64;
                let mut gap = || {
                    let (a, b) = (time(), time());
                    (a.min(b), a.max(b))
                };
                vec![gap(), gap()]
            })
            .collect();
        let without = Instance::new(buffers).unwrap();
        let instance = without.clone().with_gaps(&gaps).unwrap();
        let best = best_peak(&instance);
        for name in NAMES {
            let plan = plan(name, 100_000, &instance);
            let placed = placed(&instance, &plan);
            assert_eq!(check_gaps(&placed, &gaps, plan.peak), [], "seed {seed}");
            assert!(plan.peak >= best, "seed {seed}");
            assert!(name != "optimal" || plan.peak == best, "seed {seed}");
        }
        n_lower += usize::from(best < best_peak(&without));
    }
    assert!(n_lower > 0, "no gap saves memory");
}

#[test]
fn optimal_agrees_with_trying_everything_on_graphs() {
    for seed in 0..800 {
        let buffers = generate::small(seed, 6);
        let mut random = generate::Random::new(!seed);
        let density = 1 + random.below(4);
        let n = buffers.len() as u32;
        let pairs = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
        let edges: Vec<_> = pairs.filter(|_| random.below(4) < density).collect();
        let graph = ConflictGraph::new(buffers.len(), edges).unwrap();
        let instance = Instance::new(buffers).unwrap().with_graph(graph).unwrap();
        let optimal = plan("optimal", 100_000, &instance);
        assert!(optimal.proved(), "seed {seed}");
        assert_eq!(
            optimal.peak,
            best_peak(&instance),
            "seed {seed}: {instance:?}"
        );
        plan("greedy", 0, &instance);
        for name in ["cost-model", "size-first"] {
            match planner(name, &Options::default()).unwrap().plan(&instance) {
                Ok(plan) => assert_eq!(violations(&instance, &plan), []),
                Err(error) => assert!(matches!(error, PlanError::NotLinear { .. })),
            }
        }
    }
}

#[test]
fn a_larger_budget_is_never_worse_and_runs_are_repeatable() {
    let instance = Instance::new(generate::packed(3, 90, 2)).unwrap();
    let mut peak = u64::MAX;
    for budget in [0, 1, 100, 2000, 8000] {
        let first = plan("optimal", budget, &instance);
        assert_eq!(first, plan("optimal", budget, &instance));
        assert!(first.peak <= peak, "budget {budget}");
        assert!(
            first.nodes <= budget + 4 * 128,
            "{} of {budget} nodes",
            first.nodes
        );
        peak = first.peak;
    }
}

#[test]
fn packed_rectangles_are_put_back_together() {
    for seed in 0..4 {
        let instance = Instance::new(generate::packed(seed, 60, 0)).unwrap();
        let optimal = plan("optimal", 200_000, &instance);
        assert_eq!(
            (optimal.peak, optimal.proof),
            (1 << 20, Proof::Bound),
            "seed {seed}"
        );
        assert!(plan("greedy", 0, &instance).peak > optimal.peak);
    }
}

#[test]
fn many_simultaneous_buffers_are_stacked() {
    let instance = Instance::new(generate::simultaneous(1, 20_000)).unwrap();
    let plan = plan("optimal", 0, &instance);
    assert_eq!(plan.proof, Proof::Bound);
}

#[test]
fn many_brief_buffers_are_repaired() {
    let instance = Instance::new(generate::brief(1, 3000)).unwrap();
    let [before, after] = [0, 4000].map(|nodes| plan("optimal", nodes, &instance));
    assert!(
        after.nodes <= 4000 && after.peak < before.peak,
        "{before:?} {after:?}"
    );
    let gap = after.peak - after.lower_bound;
    assert!(
        gap * 100 <= after.lower_bound * 5,
        "{} {}",
        after.peak,
        after.lower_bound
    );
}

/// A capacity with room to spare, which the greedy rules miss.
#[test]
fn capacities_with_room_are_met() {
    for seed in 0..4 {
        let buffers = generate::packed(seed, 300, 10);
        let bound = plan("greedy", 0, &Instance::new(buffers.clone()).unwrap()).lower_bound;
        let capacity = bound + bound / 10;
        let instance = Instance::new(buffers)
            .unwrap()
            .with_capacity(Some(capacity));
        assert!(plan("greedy", 0, &instance).peak > capacity);
        let plan = plan("optimal", 100_000, &instance);
        assert!(plan.peak <= capacity, "{seed}: {} > {capacity}", plan.peak);
    }
}

#[test]
fn long_chains_are_planned_near_the_bound() {
    for n in [100, 1000, 5000] {
        let instance = Instance::new(generate::chain(n as u64, n)).unwrap();
        let optimal = plan("optimal", 2000, &instance);
        assert!(
            optimal.peak * 100 <= optimal.lower_bound * 101,
            "{n} buffers"
        );
        plan("cost-model", 0, &instance);
        plan("size-first", 0, &instance);
    }
}

#[test]
fn a_capacity_that_can_be_met_is_met() {
    let buffers = generate::packed(5, 60, 10);
    let instance = Instance::new(buffers).unwrap().with_capacity(Some(1 << 20));
    assert!(plan("optimal", 100_000, &instance).fits(&instance));
}

#[test]
fn extreme_numbers_do_not_overflow() {
    let huge = (1 << 62) - 1;
    let buffers = vec![
        Buffer::new(i64::MIN, i64::MAX, huge),
        Buffer::new(i64::MIN, 0, huge),
        Buffer::new(i64::MAX, i64::MAX, 1),
    ];
    let instance = Instance::new(buffers).unwrap();
    for name in NAMES {
        assert_eq!(plan(name, 100, &instance).peak, 2 * huge);
    }
    let empty = Instance::new(Vec::new()).unwrap();
    for name in NAMES {
        assert_eq!(plan(name, 100, &empty).peak, 0);
    }
}
