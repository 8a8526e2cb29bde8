//! The loops that a loop becomes: how many lanes each has, and what does the iterations that are left over.

use freehold_frontend::dialects::scf;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use smallvec::SmallVec;

use super::{Plan, SMALLEST_REGISTER};
use crate::rewrite::elementary_functions::waits_for_vectors;

/// Iterations that may be left over without a second loop with vectors: a register of bytes has as many.
/// Not measured on its own; `blend of bytes, 1024x1024` has more (benches/results).
const MAX_LEFT_OVER: i64 = 16;

/// A body of more operations is written once per iteration: it has enough operations that need not wait for each other,
/// and each copy takes its time to compile. `random_normal` (benches/results/models.md) has more and gains 10 %,
/// `implied_volatility` has fewer and would lose a quarter.
const MAX_COPIED_BODY: usize = 160;

/// A body with this many loads and more operations than [`MIN_REPEATED_BODY`] is written once per iteration too, such as a
/// step of a Fourier transform: `autocorrelation` (benches/models) compiles in 0.93 of the time, and `box_overlaps` runs in
/// 0.87 of it.
const MANY_LOADS: usize = 8;

/// One vector replaces at least this many vectors and single iterations that are left over: some iterations run twice for
/// it. With two, `k_means` (benches/models) took 1.15 times as long.
const MIN_LEFT_OVER: i64 = 3;

/// A loop with a body of more operations ends with whole vectors if an iteration may run twice: each vector that is left
/// over would be a copy of the body. `haversine` (benches/models) compiles in 5.0 instead of 7.8 ms and runs as fast.
const MIN_REPEATED_BODY: usize = 40;

/// Of the iterations of such a loop, at most one in this number runs again, where several vectors are one iteration of the
/// new loop.
const MAX_REPEATED: i64 = 8;

/// A loop in registers wider than Cranelift's is a kernel that is called, with its live-ins in memory. Below this number
/// of bytes of its largest elements, the call costs more than it saves. A loop over `f32` took 9.5 ns at 128 bits and
/// 11.7 ns at 256 bits for 24 iterations.
const MIN_CALLED_BYTES: i64 = 512;

/// What a loop with vectors does in an iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// Elements of a vector.
    pub(crate) lanes: i64,
    /// How many vectors one after the other.
    pub(crate) copies: i64,
    /// With fewer iterations it does not run.
    pub(crate) min_trip_count: i64,
}

/// Whether a loop has more than `most` operations, or such as become many.
pub(super) fn has_large_body(ir: &Ir, op: Op, most: usize) -> bool {
    let mut ops = ir.walk(op).enumerate();
    ops.any(|(n, op)| n > most || waits_for_vectors(ir, op))
}

impl Plan {
    /// The forms of the new loops, the one for most iterations first.
    pub(crate) fn forms(&self, ir: &Ir) -> SmallVec<[Form; 4]> {
        // A branch may be all that is between two loops.
        let around = std::iter::successors(ir.parent_op(self.op), |&op| ir.parent_op(op));
        let mut around = around.skip_while(|&op| ir.is(op, &scf::IF));
        let is_inside = around.next().is_some_and(|op| ir.is(op, &scf::FOR));
        let mut forms = self.forms_in(ir, self.register());
        let is_called = self.register() > SMALLEST_REGISTER && !is_inside && !self.has_loops;
        if is_called && self.smallest == SMALLEST_REGISTER && self.trip_count(ir).is_none() {
            forms.truncate(1);
            forms[0].min_trip_count = MIN_CALLED_BYTES / self.sizes.1;
            forms.extend(self.forms_in(ir, SMALLEST_REGISTER));
        }
        forms
    }

    /// The same in registers of at most `register` bytes.
    fn forms_in(&self, ir: &Ir, register: i64) -> SmallVec<[Form; 4]> {
        let register = register.min((self.most_rows * self.sizes.0).max(SMALLEST_REGISTER));
        let one = |register: i64| Form {
            lanes: self.lanes_of(register),
            copies: 1,
            min_trip_count: 0,
        };
        let narrow = one(register);
        // Several registers, so that one operation need not wait for another one. Many arrays
        // would need more than there are, and so would squares.
        let is_crowded = self.n_loads > 3 || !self.columns.is_empty() || self.reductions.len() > 2;
        let registers = match () {
            () if has_large_body(ir, self.op, MAX_COPIED_BODY) => 1,
            () if self.n_loads >= MANY_LOADS && has_large_body(ir, self.op, MIN_REPEATED_BODY) => 1,
            () if is_crowded => 2,
            () => 4,
        };
        let registers = registers.min((self.most_rows * self.sizes.1 / register).max(1));
        let is_wide = self.has_long_loops || !self.reductions.is_empty();
        let wide = if is_wide && !self.has_picked {
            Form {
                lanes: (registers * register / self.sizes.1).max(narrow.lanes),
                ..narrow
            }
        } else if is_wide || self.has_loops {
            narrow
        } else {
            Form {
                copies: (registers * self.sizes.0 / self.sizes.1).max(1),
                ..narrow
            }
        };
        let mut forms = SmallVec::from_slice(&[wide]);
        // What is left over is worth a second loop where iterations are long, or their number is known, or much may be
        // left over, or nothing is left over then. All is left over if there are too few iterations for the first loop.
        let n_wide = wide.lanes * wide.copies;
        let is_much = n_wide > MAX_LEFT_OVER || self.max_trip_count.is_some_and(|n| n < n_wide);
        let is_worth = self.has_loops
            || is_much
            || self.trip_count(ir).is_some()
            || self.may_end_with_whole_vectors(narrow);
        if wide != narrow && is_worth {
            forms.push(narrow);
        }
        // So it is with what one large register leaves over: at most one register of half the size, and then
        // of a quarter.
        let mut register = register / 2;
        while register >= self.smallest {
            forms.push(one(register));
            register /= 2;
        }
        forms
    }

    /// The lanes of one vector for the last `n` iterations of the loop, some of which may run once more, if otherwise
    /// several vectors and single iterations would be left over.
    pub(crate) fn last_lanes(&self, ir: &Ir, forms: &[Form], n: i64) -> Option<i64> {
        let all = self.trip_count(ir).filter(|_| self.is_repeatable)?;
        let lanes = || (forms.iter().filter(|form| form.copies == 1)).map(|form| form.lanes);
        let (n_vectors, single) = lanes().fold((0, n), |(steps, left), lanes| {
            (steps + left / lanes, left % lanes)
        });
        let is_worth = n_vectors + single >= MIN_LEFT_OVER;
        let enough = lanes().filter(|lanes| (n..=all).contains(lanes));
        is_worth.then(|| enough.min())?
    }

    /// Whether a loop of this form does the last `n` iterations, in whole vectors: the last of these begins early enough,
    /// and some iterations run once more.
    pub(crate) fn ends_with_whole_vectors(&self, ir: &Ir, form: Form, n: i64) -> bool {
        let step = form.lanes * form.copies;
        let again = (step - n % step) % step;
        let is_long = self.trip_count(ir).is_some_and(|all| all >= step);
        self.is_repeatable
            && !self.has_loops
            && is_long
            && again != 0
            && (form.copies == 1 || again * MAX_REPEATED <= n)
            && has_large_body(ir, self.op, MIN_REPEATED_BODY)
    }

    /// Whether a loop of this form can do all iterations that are left of an unknown number, in whole vectors: if there are
    /// as many as a vector has lanes, the last one begins early enough.
    pub(crate) fn may_end_with_whole_vectors(&self, form: Form) -> bool {
        self.is_repeatable && !self.has_loops && form.copies == 1 && form.min_trip_count == 0
    }
}
