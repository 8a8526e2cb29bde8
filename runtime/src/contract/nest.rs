//! The loops of a contraction, in groups by what they subscribe, and where their elements are.

use core::mem::MaybeUninit;

/// More loops than any operation has whose loops are worth a call.
pub(super) const MAX_DIMS: usize = 12;

/// Which of the three operands.
pub(super) const RESULT: usize = 0;
pub(super) const LEFT: usize = 1;
pub(super) const RIGHT: usize = 2;

/// A loop: how often it runs, and how many elements further each operand is in its next iteration.
#[derive(Clone, Copy)]
pub(super) struct Dim {
    pub(super) size: usize,
    pub(super) strides: [isize; 3],
}

impl Dim {
    pub(super) fn stride(&self, operand: usize) -> isize {
        // SAFETY: operands are named by the constants above. Indexing could panic.
        unsafe { *self.strides.get_unchecked(operand) }
    }
}

/// Loops around each other, outermost first; none of them is empty. Copies of this take as long as a small product.
pub(super) struct Group {
    /// The first `n` are there.
    dims: [MaybeUninit<Dim>; MAX_DIMS],
    n: usize,
}

impl Group {
    pub(super) const fn new() -> Self {
        Self {
            dims: [MaybeUninit::uninit(); MAX_DIMS],
            n: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.n
    }

    pub(super) fn dim(&self, i: usize) -> Dim {
        debug_assert!(i < self.n);
        // SAFETY: callers count to the length, and that many are there.
        unsafe { self.dims.get_unchecked(i).assume_init() }
    }

    fn set(&mut self, i: usize, dim: Dim) {
        debug_assert!(i < MAX_DIMS);
        // SAFETY: there are never more than `MAX_DIMS`.
        unsafe { *self.dims.get_unchecked_mut(i) = MaybeUninit::new(dim) };
    }

    /// Adds a loop inside of the others. Where it continues the innermost one, both become one.
    pub(super) fn push(&mut self, dim: Dim) {
        if self.n > 0 {
            let outer = self.dim(self.n - 1);
            let continues = |operand| {
                let distance = dim.stride(operand).wrapping_mul(dim.size as isize);
                outer.stride(operand) == distance
            };
            if continues(RESULT) && continues(LEFT) && continues(RIGHT) {
                let size = outer.size.wrapping_mul(dim.size);
                return self.set(self.n - 1, Dim { size, ..dim });
            }
        }
        self.set(self.n, dim);
        self.n += 1;
    }

    /// Adds loops inside of these.
    pub(super) fn append(&mut self, others: &Self) {
        let mut i = 0;
        while i < others.n {
            self.push(others.dim(i));
            i += 1;
        }
    }

    /// How often the innermost body runs.
    pub(super) fn total(&self) -> usize {
        let (mut total, mut i) = (1usize, 0);
        while i < self.n {
            total = total.saturating_mul(self.dim(i).size);
            i += 1;
        }
        total
    }

    /// Orders the loops from far strides of an operand to near ones: of a group whose order does not matter.
    pub(super) fn sort(&mut self, operand: usize) {
        let mut i = 1;
        while i < self.n {
            let dim = self.dim(i);
            let mut at = i;
            while at > 0
                && self.dim(at - 1).stride(operand).unsigned_abs()
                    < dim.stride(operand).unsigned_abs()
            {
                self.set(at, self.dim(at - 1));
                at -= 1;
            }
            self.set(at, dim);
            i += 1;
        }
        // Those that now continue each other become one.
        let n = self.n;
        self.n = 0;
        i = 0;
        while i < n {
            // SAFETY: this many were there, and what was pushed did not pass them.
            let dim = unsafe { self.dims.get_unchecked(i).assume_init() };
            self.push(dim);
            i += 1;
        }
    }

    /// Takes one of the loops out.
    pub(super) fn remove(&mut self, which: usize) {
        let mut i = which + 1;
        while i < self.n {
            self.set(i - 1, self.dim(i));
            i += 1;
        }
        self.n -= 1;
    }

    /// Has the factors change places.
    pub(super) fn swap_factors(&mut self) {
        let mut i = 0;
        while i < self.n {
            let Dim { size, strides } = self.dim(i);
            let [result, left, right] = strides;
            let strides = [result, right, left];
            self.set(i, Dim { size, strides });
            i += 1;
        }
    }

    /// Where an operand's elements are for `count` iterations from number `first` on, in elements.
    ///
    /// # Safety
    /// There are this many iterations, and room for as many offsets.
    pub(super) unsafe fn offsets(
        &self,
        operand: usize,
        first: usize,
        count: usize,
        to: *mut isize,
    ) {
        let mut counters = [0usize; MAX_DIMS];
        let counters = counters.as_mut_ptr();
        let mut rest = first;
        let mut i = self.n;
        let mut base = 0isize;
        while i > 0 {
            i -= 1;
            let dim = self.dim(i);
            let counter = rest.checked_rem(dim.size).unwrap_or(0);
            rest = rest.checked_div(dim.size).unwrap_or(0);
            // SAFETY: there are as many counters as loops.
            unsafe { counters.add(i).write(counter) };
            base = base.wrapping_add(dim.stride(operand).wrapping_mul(counter as isize));
        }
        let mut done = 0;
        while done < count {
            let Some(last) = self.n.checked_sub(1) else {
                // SAFETY: by the caller's promise.
                unsafe { to.add(done).write(0) };
                done += 1;
                continue;
            };
            let inner = self.dim(last);
            let step = inner.stride(operand);
            // SAFETY: as above.
            unsafe {
                let mut counter = counters.add(last).read();
                while counter < inner.size && done < count {
                    to.add(done).write(base);
                    base = base.wrapping_add(step);
                    counter += 1;
                    done += 1;
                }
                counters.add(last).write(counter);
                // What ran out begins again, and the loop around it goes on.
                let mut level = last;
                while level > 0 && counters.add(level).read() == self.dim(level).size {
                    let (dim, outer) = (self.dim(level), self.dim(level - 1));
                    let back = dim.stride(operand).wrapping_mul(dim.size as isize);
                    base = base.wrapping_sub(back).wrapping_add(outer.stride(operand));
                    counters.add(level).write(0);
                    let next = counters.add(level - 1);
                    next.write(next.read() + 1);
                    level -= 1;
                }
            }
        }
    }

    /// Where an operand's element is for one iteration.
    pub(super) fn offset(&self, operand: usize, number: usize) -> isize {
        let mut offset = 0;
        // SAFETY: callers count to the total; there is room for one.
        unsafe { self.offsets(operand, number, 1, &mut offset) };
        offset
    }

    /// The least and the greatest distance from an operand's first element.
    pub(super) fn extent(&self, operand: usize) -> (i128, i128) {
        let (mut low, mut high, mut i) = (0i128, 0i128, 0);
        while i < self.n {
            let dim = self.dim(i);
            let distance = dim.stride(operand) as i128 * (dim.size as i128 - 1);
            low += distance.min(0);
            high += distance.max(0);
            i += 1;
        }
        (low, high)
    }
}
