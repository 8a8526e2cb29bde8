//! Nests that go through memory in any order: down columns, from corner to corner, with loops that begin or end where
//! others are, that count in larger steps, and that add something up.

use std::fmt::Write as _;

use libtest_mimic::Trial;

use super::memory::{Pair, compare};
use super::{
    ELEMENTS, FAST, Form, Nest, PLAIN, ROTATED, SIZE, Vectors, View, compile, compile_for,
    exactness, program, programs, random_bounds, threading,
};
use crate::needs::trials;
use crate::support::generator::rng::Rng;

/// Random nests that are tried.
const WALKS: u64 = 240;

/// A random nest.
struct Walk<'a> {
    nest: Nest<'a>,
    /// Counters of all loops.
    all: Vec<String>,
}

impl Walk<'_> {
    /// `%v0[%i, %j] : type` with different counters, and what is there.
    fn place(&mut self, view: usize, counters: &[String]) -> (String, &'static str) {
        let nest = &mut self.nest;
        let mut left = counters.to_vec();
        let mut subscripts = Vec::new();
        for _ in 0..nest.views[view].rank {
            let counter = match left.is_empty() || nest.rng.chance(3) {
                true => nest.rng.pick(&self.all).clone(),
                false => left.remove(nest.rng.below(left.len())),
            };
            let subscript = match nest.rng.chance(92) {
                true => counter,
                false => {
                    let shift = nest.value("arith.constant 1 : index");
                    let op = *nest.rng.pick(&["addi", "subi"]);
                    nest.value(&format!("arith.{op} {counter}, {shift} : index"))
                }
            };
            subscripts.push(subscript);
        }
        let View { element, .. } = nest.views[view];
        let ty = nest.views[view].ty();
        let subscripts = subscripts.join(", ");
        (format!("%v{view}[{subscripts}] : {ty}"), element)
    }

    /// Stores something that is made of other elements, and often of the one that was there.
    fn statement(&mut self) {
        let all = self.all.clone();
        let mut counted = all.clone();
        if counted.len() > 2 || self.nest.rng.chance(25) {
            counted.remove(self.nest.rng.below(counted.len()));
        }
        let view = self.nest.rng.below(2).min(self.nest.views.len() - 1);
        let (target, ty) = self.place(view, &counted);
        let adds_up = counted.len() < all.len() && self.nest.rng.chance(80);
        let mut value = None;
        if adds_up || self.nest.rng.chance(25) {
            value = Some(self.nest.value(&format!("memref.load {target}")));
        }
        for _ in 0..self.nest.rng.range(1, 3) {
            let n_views = self.nest.views.len();
            let other = match self.nest.rng.chance(90) {
                true => n_views - 1 - self.nest.rng.below(n_views - 1),
                false => view,
            };
            let (place, element) = self.place(other, &all);
            let loaded = self.nest.value(&format!("memref.load {place}"));
            let loaded = self.nest.convert(&loaded, element, ty);
            value = Some(match value {
                Some(value) => self.nest.combine(&value, &loaded, ty),
                None => loaded,
            });
        }
        let value = value.unwrap();
        let _ = writeln!(self.nest.text, "    memref.store {value}, {target}");
    }

    fn loops(&mut self, depth: usize) {
        let Some(counter) = self.all.get(depth).cloned() else {
            self.statement();
            if self.nest.rng.chance(15) {
                self.statement();
            }
            return;
        };
        let [mut lower, mut upper] = random_bounds(self.nest.rng);
        if depth > 0 && self.nest.rng.chance(8) {
            let other = self.all[self.nest.rng.below(depth)].clone();
            match self.nest.rng.chance(50) {
                true => lower = other,
                false => upper = other,
            }
        }
        let step = match self.nest.rng.chance(92) {
            true => "%c1",
            false => *self.nest.rng.pick(&["%c2", "%c3"]),
        };
        let text = &mut self.nest.text;
        let _ = writeln!(
            text,
            "  scf.for {counter} = {lower} to {upper} step {step} {{"
        );
        self.loops(depth + 1);
        self.nest.text += "  }\n";
    }
}

fn random_walk(rng: &mut Rng, views: &[View]) -> String {
    let mut all = vec!["%i".to_owned(), "%j".to_owned()];
    if rng.chance(60) {
        all.push("%k".to_owned());
    }
    let mut text = String::new();
    for n in 0..=SIZE {
        let _ = writeln!(text, "  %c{n} = arith.constant {n} : index");
    }
    let nest = Nest {
        rng,
        views,
        text,
        n_values: 0,
        counters: all.clone(),
        bounds: Vec::new(),
    };
    let mut walk = Walk { nest, all };
    walk.loops(0);
    walk.nest.text
}

fn walks_in_other_orders_compute_what_plain_ones_do() {
    let (n_programs, mut rng) = programs(WALKS, 5);
    let (mut n_interchanged, mut n_columns, mut n_wide) = (0, 0, 0);
    let all_vectors = Vectors::all();
    for number in 0..n_programs {
        let elements = *rng.pick(&ELEMENTS);
        let views: Vec<View> = (0..rng.range(2, 4))
            .map(|_| {
                let rank = if rng.chance(90) { 2 } else { 1 };
                let element = *rng.pick(elements);
                let mut view = View::random(&mut rng, rank, element);
                if rng.chance(80) {
                    view.form = Form::RowMajor;
                }
                view
            })
            .collect();
        let text = program(&views, &random_walk(&mut rng, &views));
        let first = exactness(number);
        let (plain, _) = compile(&text, &format!("{first}cse"), PLAIN);
        let passes = *rng.pick(&["interchange-loops", "vectorize-loops", FAST, FAST, FAST]);
        let vectors = all_vectors[number as usize % all_vectors.len()];
        let all_passes = format!("{first}{}{passes}", threading(number));
        let (fast, printed, wide) = compile_for(&text, &all_passes, ROTATED, vectors);
        n_wide += usize::from(wide != 0);
        n_columns += usize::from(printed.contains("vector.shuffle"));
        n_interchanged += usize::from(passes == "interchange-loops" && printed.contains("scf.if"));
        let pair = Pair {
            compiled: [&plain, &fast],
            text: &text,
            has_fused: !first.is_empty(),
        };
        for _ in 0..6 {
            let shift = rng.below(16);
            compare(&mut rng, &pair, &views, shift);
        }
    }
    eprintln!("{n_interchanged} interchanged, {n_columns} with columns, {n_wide} wide");
    assert!(
        n_programs < WALKS || n_interchanged > 3 && n_columns > 6,
        "{n_interchanged} {n_columns}"
    );
    assert!(
        n_programs < WALKS || all_vectors.len() == 1 || n_wide > 12,
        "{n_wide}"
    );
}

/// The tests of this module.
pub(super) fn tests() -> Vec<Trial> {
    trials![walks_in_other_orders_compute_what_plain_ones_do]
}
