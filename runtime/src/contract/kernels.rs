//! The innermost loops, by instruction set: parts of the result stay in registers while products are
//! added to them.
//!
//! Each element takes its products in the order of the inner dimension, whatever the tile; only
//! [`Kernels::dot`] adds up in another order, which is the same with every instruction set.

use super::dots::Dots;
use super::gaxpy::Gaxpy;

/// Inner dimension of a block, and how far rows of a packed left factor are: a panel of two registers of columns, 24 KB
/// of f32, stays in the first cache. Results are read and written once for each block. Numbers from 144 to 272 are within
/// a few hundredths of each other: benches/results, "Thresholds of contractions".
pub(super) const PITCH: usize = 192;
/// Rows of the tallest tile.
pub(super) const MAX_ROWS: usize = 14;
/// Columns of the widest tile that is not [`Kernels::wide`].
pub(super) const MAX_COLUMNS: usize = 32;
/// Elements of the widest register.
pub(super) const MAX_LANES: usize = 16;

/// What tiles are made of: numbers, or words of several small ones.
pub(super) trait Element: Copy + 'static {
    const ZERO: Self;
    /// Whether the first elements of rows and columns are added to the result as they are.
    const HAS_BIAS: bool = false;
}

/// What contractions result in.
pub(super) trait Number: Element {
    /// `self + a * b`, rounded twice.
    fn add_product(self, a: Self, b: Self) -> Self;
    fn add(self, other: Self) -> Self;
    /// What this processor does best. Products are rounded before they are added unless `fused`. Few
    /// columns do not need the widest registers; those that work on parts of registers are fastest in them.
    fn kernels(fused: bool, rows_and_columns: [usize; 2]) -> &'static Kernels<Self>;
}

/// A product that is added to a tile of the result.
#[derive(Clone, Copy)]
pub(super) struct Task<T> {
    pub(super) inner: usize,
    /// Its rows are [`PITCH`] apart, or next to each other if it is interleaved.
    pub(super) left: *const T,
    pub(super) right: *const T,
    /// Where the columns of the right factor are for each inner number.
    pub(super) steps: *const isize,
    /// Its columns are next to each other.
    pub(super) result: *mut T,
    pub(super) result_rows: *const isize,
    /// How many columns the last register of each row has.
    pub(super) last: usize,
    /// Whether the result holds nothing yet, which stands for zeros.
    pub(super) is_new: bool,
    /// Where tiles that pack copy the columns of the right factor, one row of them after the other.
    pub(super) packed: *mut T,
    /// How far behind the columns of the right factor those are that will be read next, which the cache is asked for;
    /// zero for none (`chain_cold`, benches/models).
    pub(super) ahead: usize,
}

pub(super) type Tile<T> = unsafe fn(&Task<T>);

/// Tiles with this many rows.
pub(super) struct Tiles<T> {
    pub(super) rows: usize,
    pub(super) pitched: Tile<T>,
    pub(super) interleaved: Tile<T>,
    /// For a pitched left factor and half as many columns.
    pub(super) half: Tile<T>,
}

/// Tiles for few rows and many columns, of a pitched left factor.
pub(super) struct Wide<T> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) tile: Tile<T>,
}

/// `(inner size, from, steps, to, how far apart rows are there)`: copies some elements per step.
pub(super) type PackPiece<T> = unsafe fn(usize, *const T, *const isize, *mut T, usize);

/// The same of the first elements of a register, as many as the next number says; there is room for as many as the last
/// one says, and what follows the copied ones there may be overwritten.
pub(super) type PackPart<T> = unsafe fn(usize, *const T, *const isize, *mut T, usize, usize, usize);

/// `(inner size, where runs of neighbours begin, how many columns they have together up to each end, steps, to, how far
/// apart rows are there)`: copies a register per step that is made of several runs.
pub(super) type PackRuns<T> =
    unsafe fn(usize, &[*const T; MAX_RUNS], &[usize; MAX_RUNS], *const isize, *mut T, usize);

/// How many runs of neighbours a register may be made of.
pub(super) const MAX_RUNS: usize = 4;

/// How a register of elements per step is copied, or its first ones: neighbours, and every second element.
pub(super) struct Piece<T> {
    pub(super) columns: usize,
    pub(super) neighbours: PackPiece<T>,
    pub(super) every_second: PackPiece<T>,
    pub(super) first_neighbours: PackPart<T>,
    pub(super) first_of_every_second: PackPart<T>,
    /// For two, three and four runs, where registers load parts of others.
    pub(super) runs: Option<[PackRuns<T>; MAX_RUNS - 1]>,
}

/// Elements next to each other in result and left factor: what [`Kernels::lanes`] works on.
pub(super) struct Lanes<T> {
    pub(super) n: usize,
    pub(super) inner: usize,
    /// As in [`Task`].
    pub(super) is_new: bool,
    pub(super) left: *const T,
    pub(super) left_steps: *const isize,
    pub(super) right: *const T,
    pub(super) right_steps: *const isize,
    pub(super) result: *mut T,
    /// Where the rows of the left factor and of the result are.
    pub(super) left_rows: *const isize,
    pub(super) result_rows: *const isize,
}

/// What an instruction set offers for a type.
pub(super) struct Kernels<T: 'static> {
    pub(super) columns: usize,
    /// From tall to low; the last one has one row.
    pub(super) tiles: &'static [Tiles<T>],
    /// The first of these, which copies the columns of the right factor on the way.
    pub(super) packing: Tiles<T>,
    pub(super) wide: [Wide<T>; 2],
    /// Copies parts of columns.
    pub(super) piece: Piece<T>,
    /// For four rows, and for one.
    pub(super) lanes: [unsafe fn(&Lanes<T>); 2],
    /// The same where the right factor has one element for all of them.
    pub(super) splat_lanes: [unsafe fn(&Lanes<T>); 2],
    /// Dot products.
    pub(super) dots: unsafe fn(&Dots<T>),
    /// Sums of multiples of vectors.
    pub(super) gaxpy: unsafe fn(&Gaxpy<T>),
}

/// A register of several elements, at most [`MAX_LANES`].
pub(super) trait Register<T: Element>: Copy {
    const LANES: usize;
    /// # Safety
    /// `LANES` elements are readable at `from`, and the processor has the instructions.
    unsafe fn load(from: *const T) -> Self;
    /// # Safety
    /// `LANES` elements are writable at `to`, and the processor has the instructions.
    unsafe fn store(self, to: *mut T);
    /// # Safety
    /// The processor has the instructions.
    unsafe fn splat(element: T) -> Self;
    /// `self + a * b`, rounded twice.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn add_product(self, a: Self, b: Self) -> Self;
    /// The same rounded once, if the instruction set has that.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn fused(self, a: Self, b: Self) -> Self;
    /// # Safety
    /// The processor has the instructions.
    unsafe fn add(self, other: Self) -> Self;
    /// Every second element, from the first one on.
    ///
    /// # Safety
    /// `2 * LANES - 1` elements are readable at `from`, and the processor has the instructions.
    #[inline(always)]
    unsafe fn load_even(from: *const T) -> Self {
        let mut all = [T::ZERO; MAX_LANES];
        let mut i = 0;
        // SAFETY: by the caller's promise.
        unsafe {
            while i < Self::LANES {
                let element = from.add(2 * i).read_unaligned();
                all.as_mut_ptr().add(i).write(element);
                i += 1;
            }
            Self::load(all.as_ptr())
        }
    }
    /// Every second of the first `2 * n - 1` elements, and others behind them.
    ///
    /// # Safety
    /// `2 * n - 1` elements are readable at `from`, `n` is at least one and at most `LANES`, and the processor has the
    /// instructions.
    #[inline(always)]
    unsafe fn load_first_even(from: *const T, n: usize) -> Self {
        let mut all = [T::ZERO; MAX_LANES];
        let mut i = 0;
        // SAFETY: by the caller's promise.
        unsafe {
            while i < n {
                let element = from.add(2 * i).read_unaligned();
                all.as_mut_ptr().add(i).write(element);
                i += 1;
            }
            Self::load(all.as_ptr())
        }
    }
    /// The first `n` elements, and zeros.
    ///
    /// # Safety
    /// `n` elements are readable at `from`, at most `LANES`, and the processor has the instructions.
    #[inline(always)]
    unsafe fn load_first(from: *const T, n: usize) -> Self {
        let mut all = [T::ZERO; MAX_LANES];
        let mut i = 0;
        // SAFETY: by the caller's promise.
        unsafe {
            while i < n {
                all.as_mut_ptr().add(i).write(from.add(i).read_unaligned());
                i += 1;
            }
            Self::load(all.as_ptr())
        }
    }
    /// Whether [`load_between`](Self::load_between) is one instruction.
    const LOADS_BETWEEN: bool = false;
    /// This register, with elements from `begin` to `end` from memory.
    ///
    /// # Safety
    /// `end - begin` elements are readable at `from`, `begin <= end <= LANES`, and the processor has the instructions.
    #[inline(always)]
    unsafe fn load_between(self, from: *const T, begin: usize, end: usize) -> Self {
        let mut all = [T::ZERO; MAX_LANES];
        let mut i = begin;
        // SAFETY: by the caller's promise.
        unsafe {
            self.store(all.as_mut_ptr());
            while i < end {
                let element = from.add(i - begin).read_unaligned();
                all.as_mut_ptr().add(i).write(element);
                i += 1;
            }
            Self::load(all.as_ptr())
        }
    }
    /// The sums of the elements of each of `MANY` registers, which are `apart` registers from each other: halves of these are
    /// added until one element is left.
    ///
    /// # Safety
    /// The registers are readable, `MANY` elements are writable at `to`, and the processor has the instructions.
    #[inline(always)]
    unsafe fn sums_of_lanes<const MANY: usize>(registers: *const Self, apart: usize, to: *mut T)
    where
        T: Number,
    {
        // SAFETY: by the caller's promise.
        unsafe { sums_of_lanes::<T, Self, MANY>(registers, apart, to) };
    }
    /// # Safety
    /// `n` elements are writable at `to`, at most `LANES`, and the processor has the instructions.
    #[inline(always)]
    unsafe fn store_first(self, to: *mut T, n: usize) {
        let mut all = [T::ZERO; MAX_LANES];
        let mut i = 0;
        // SAFETY: by the caller's promise.
        unsafe {
            self.store(all.as_mut_ptr());
            while i < n {
                to.add(i).write_unaligned(all.as_ptr().add(i).read());
                i += 1;
            }
        }
    }
}

/// [`Register::sums_of_lanes`], by way of memory.
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn sums_of_lanes<T: Number, R: Register<T>, const MANY: usize>(
    registers: *const R,
    apart: usize,
    to: *mut T,
) {
    let mut all = [T::ZERO; MAX_LANES];
    let all = all.as_mut_ptr();
    let mut v = 0;
    while v < MANY {
        // SAFETY: by the caller's promise.
        unsafe {
            registers.add(v * apart).read().store(all);
            let mut half = R::LANES / 2;
            while half > 0 {
                let mut i = 0;
                while i < half {
                    let sum = all.add(i).read().add(all.add(half + i).read());
                    all.add(i).write(sum);
                    i += 1;
                }
                half /= 2;
            }
            to.add(v).write(all.read());
        }
        v += 1;
    }
}

/// # Safety
/// The processor has the instructions.
#[inline(always)]
pub(super) unsafe fn add_product<T: Element, R: Register<T>, const FUSED: bool>(
    sum: R,
    a: R,
    b: R,
) -> R {
    // SAFETY: by the caller's promise.
    unsafe {
        match FUSED {
            true => sum.fused(a, b),
            false => sum.add_product(a, b),
        }
    }
}

/// Asks for the cache line of an address, which need not be one, in the second cache.
#[inline(always)]
fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: this accesses no memory as far as the program can tell.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Adds the product, and copies the columns that it reads if it `PACKS`.
///
/// # Safety
/// All elements are in memory, and there is room for copies; the processor has `R`'s instructions, and so has
/// the caller.
#[inline(always)]
pub(super) unsafe fn tile<
    T: Element,
    R: Register<T>,
    const ROWS: usize,
    const VECTORS: usize,
    const PITCHED: bool,
    const FUSED: bool,
    const PACKS: bool,
>(
    task: &Task<T>,
) {
    let (row, step) = match PITCHED {
        true => (PITCH, 1),
        false => (1, ROWS),
    };
    let Task {
        inner,
        mut left,
        right,
        mut steps,
        mut packed,
        ..
    } = *task;
    // SAFETY: by the caller's promise. Pointers into arrays count to their lengths; indexing could panic.
    unsafe {
        let mut sums = [[R::splat(T::ZERO); VECTORS]; ROWS];
        let at = |sums: &mut [[R; VECTORS]; ROWS], r: usize, v: usize| {
            sums.as_mut_ptr().cast::<R>().add(r * VECTORS + v)
        };
        let result_row = |r: usize| task.result.wrapping_offset(task.result_rows.add(r).read());
        let is_whole = PACKS || task.last == R::LANES;
        let mut r = 0;
        while r < ROWS && !task.is_new {
            let from = result_row(r);
            let mut v = 0;
            while v < VECTORS {
                let from = from.add(v * R::LANES);
                at(&mut sums, r, v).write(match v + 1 < VECTORS || is_whole {
                    true => R::load(from),
                    false => R::load_first(from, task.last),
                });
                v += 1;
            }
            r += 1;
        }
        let end = steps.add(inner);
        if T::HAS_BIAS {
            let from = right.wrapping_offset(steps.read());
            let mut r = 0;
            while r < ROWS {
                let of_row = R::splat(left.add(r * row).read());
                let mut v = 0;
                while v < VECTORS {
                    let sum = at(&mut sums, r, v);
                    let of_column = R::load(from.add(v * R::LANES));
                    sum.write(sum.read().add(of_column).add(of_row));
                    v += 1;
                }
                r += 1;
            }
            left = left.wrapping_add(step);
            steps = steps.add(1);
        }
        while steps != end {
            let from = right.wrapping_offset(steps.read());
            if task.ahead != 0 {
                let mut v = 0;
                while v < VECTORS {
                    prefetch(from.wrapping_add(task.ahead + v * R::LANES));
                    v += 1;
                }
            }
            let mut columns = [R::splat(T::ZERO); VECTORS];
            let columns = columns.as_mut_ptr();
            let mut v = 0;
            while v < VECTORS {
                let column = R::load(from.add(v * R::LANES));
                columns.add(v).write(column);
                if PACKS {
                    column.store(packed.add(v * R::LANES));
                }
                v += 1;
            }
            if PACKS {
                packed = packed.add(VECTORS * R::LANES);
            }
            let mut r = 0;
            while r < ROWS {
                let factor = R::splat(left.add(r * row).read());
                let mut v = 0;
                while v < VECTORS {
                    let sum = at(&mut sums, r, v);
                    let column = columns.add(v).read();
                    sum.write(add_product::<T, R, FUSED>(sum.read(), factor, column));
                    v += 1;
                }
                r += 1;
            }
            left = left.wrapping_add(step);
            steps = steps.add(1);
        }
        r = 0;
        while r < ROWS {
            let to = result_row(r);
            let mut v = 0;
            while v < VECTORS {
                let (sum, to) = (at(&mut sums, r, v).read(), to.add(v * R::LANES));
                match v + 1 < VECTORS || is_whole {
                    true => sum.store(to),
                    false => sum.store_first(to, task.last),
                }
                v += 1;
            }
            r += 1;
        }
    }
}

/// Copies one register per step.
///
/// # Safety
/// They are in memory, and there is room for them; the processor has `R`'s instructions, and so has the
/// caller.
#[inline(always)]
pub(super) unsafe fn pack_piece<T: Element, R: Register<T>, const EVEN: bool>(
    inner: usize,
    from: *const T,
    steps: *const isize,
    mut to: *mut T,
    width: usize,
) {
    let mut l = 0;
    while l < inner {
        // SAFETY: by the caller's promise.
        unsafe {
            let from = from.wrapping_offset(steps.add(l).read());
            let register = match EVEN {
                true => R::load_even(from),
                false => R::load(from),
            };
            register.store(to);
        }
        to = to.wrapping_add(width);
        l += 1;
    }
}

/// Copies the first `n` elements of a register per step, and where there is `room`, others behind them.
///
/// # Safety
/// As for [`pack_piece`], and as [`Register::load_first_even`] says.
#[inline(always)]
pub(super) unsafe fn pack_part<T: Element, R: Register<T>, const EVEN: bool>(
    inner: usize,
    from: *const T,
    steps: *const isize,
    mut to: *mut T,
    width: usize,
    n: usize,
    room: usize,
) {
    let mut l = 0;
    while l < inner {
        // SAFETY: by the caller's promise.
        unsafe {
            let from = from.wrapping_offset(steps.add(l).read());
            let register = match EVEN {
                true => R::load_first_even(from, n),
                false => R::load_first(from, n),
            };
            match room >= R::LANES {
                true => register.store(to),
                false => register.store_first(to, n),
            }
        }
        to = to.wrapping_add(width);
        l += 1;
    }
}

/// Copies one register per step that is made of runs of neighbours; what it has more of is zero.
///
/// # Safety
/// As for [`pack_piece`]; ends of runs are at most the elements of a register, and do not fall.
#[inline(always)]
pub(super) unsafe fn pack_runs<T: Element, R: Register<T>, const RUNS: usize>(
    inner: usize,
    from: &[*const T; MAX_RUNS],
    ends: &[usize; MAX_RUNS],
    steps: *const isize,
    mut to: *mut T,
    width: usize,
) {
    let (from, ends) = (from.as_ptr(), ends.as_ptr());
    let mut l = 0;
    while l < inner {
        // SAFETY: by the caller's promise; there are at most `MAX_RUNS`.
        unsafe {
            let step = steps.add(l).read();
            let mut register = R::load_first(from.read().wrapping_offset(step), ends.read());
            let mut run = 1;
            while run < RUNS {
                let from = from.add(run).read().wrapping_offset(step);
                let (begin, end) = (ends.add(run - 1).read(), ends.add(run).read());
                register = register.load_between(from, begin, end);
                run += 1;
            }
            register.store(to);
        }
        to = to.wrapping_add(width);
        l += 1;
    }
}

/// Some rows of elements that are next to each other in the result and the left factor. In the right one,
/// they are as well, or it has one element for all of them (`SPLAT`).
///
/// # Safety
/// All elements are in memory; the processor has `R`'s instructions, and so has the caller.
#[inline(always)]
pub(super) unsafe fn lanes<
    T: Element,
    R: Register<T>,
    const ROWS: usize,
    const SPLAT: bool,
    const FUSED: bool,
>(
    task: &Lanes<T>,
) {
    let mut first = 0;
    // SAFETY: by the caller's promise.
    unsafe {
        while task.n - first >= 2 * R::LANES {
            lanes_from::<T, R, ROWS, 2, SPLAT, FUSED>(task, first, None);
            first += 2 * R::LANES;
        }
        if task.n - first >= R::LANES {
            lanes_from::<T, R, ROWS, 1, SPLAT, FUSED>(task, first, None);
            first += R::LANES;
        }
        if task.n > first {
            lanes_from::<T, R, ROWS, 1, SPLAT, FUSED>(task, first, Some(task.n - first));
        }
    }
}

/// [`VECTORS`] registers of each row from element `first` on, or part of one.
///
/// # Safety
/// As for [`lanes`].
#[inline(always)]
unsafe fn lanes_from<
    T: Element,
    R: Register<T>,
    const ROWS: usize,
    const VECTORS: usize,
    const SPLAT: bool,
    const FUSED: bool,
>(
    task: &Lanes<T>,
    first: usize,
    part: Option<usize>,
) {
    // SAFETY: by the caller's promise; pointers into arrays count to their lengths.
    unsafe {
        let load = |from: *const T| match part {
            None => R::load(from),
            Some(n) => R::load_first(from, n),
        };
        let row_of = |rows: *const isize, r: usize| rows.add(r).read().wrapping_add(first as isize);
        let mut sums = [[R::splat(T::ZERO); VECTORS]; ROWS];
        let at = |sums: &mut [[R; VECTORS]; ROWS], r: usize, v: usize| {
            sums.as_mut_ptr().cast::<R>().add(r * VECTORS + v)
        };
        let mut r = 0;
        while r < ROWS && !task.is_new {
            let from = task.result.wrapping_offset(row_of(task.result_rows, r));
            let mut v = 0;
            while v < VECTORS {
                at(&mut sums, r, v).write(load(from.wrapping_add(v * R::LANES)));
                v += 1;
            }
            r += 1;
        }
        let mut l = 0;
        while l < task.inner {
            let right = task.right.wrapping_offset(task.right_steps.add(l).read());
            let mut factors = [R::splat(T::ZERO); VECTORS];
            let factors = factors.as_mut_ptr();
            let mut v = 0;
            while v < VECTORS {
                factors.add(v).write(match SPLAT {
                    true => R::splat(right.read_unaligned()),
                    false => load(right.wrapping_add(first + v * R::LANES)),
                });
                v += 1;
            }
            let left = task.left.wrapping_offset(task.left_steps.add(l).read());
            r = 0;
            while r < ROWS {
                let left = left.wrapping_offset(row_of(task.left_rows, r));
                v = 0;
                while v < VECTORS {
                    let left = load(left.wrapping_add(v * R::LANES));
                    let sum = at(&mut sums, r, v);
                    sum.write(add_product::<T, R, FUSED>(
                        sum.read(),
                        left,
                        factors.add(v).read(),
                    ));
                    v += 1;
                }
                r += 1;
            }
            l += 1;
        }
        r = 0;
        while r < ROWS {
            let to = task.result.wrapping_offset(row_of(task.result_rows, r));
            let mut v = 0;
            while v < VECTORS {
                let to = to.wrapping_add(v * R::LANES);
                let sum = at(&mut sums, r, v).read();
                match part {
                    None => sum.store(to),
                    Some(n) => sum.store_first(to, n),
                }
                v += 1;
            }
            r += 1;
        }
    }
}

/// Registers of this type, through these operations. The last one makes `a * b + c`.
macro_rules! register {
    ($($register:ty: $lanes:literal $element:ty, $load:ident $store:ident $splat:ident $add:ident $mul:ident
       |$sum:ident, $a:ident, $b:ident| $fused:expr
       $(, even |$low:ident, $high:ident| $even:expr)?
       $(, |$n:ident| $load_first:ident $store_first:ident $mask:expr
           $(, between $load_between:ident
           $(, four |$first:ident, $second:ident, $third:ident, $fourth:ident, $to:ident| $four:expr)?)?)?;)*) => {
        $(impl Register<$element> for $register {
            const LANES: usize = $lanes;
            // SAFETY: as [`Register::load`] says.
            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                // SAFETY: by the caller's promise.
                unsafe { $load(from) }
            }
            // SAFETY: as [`Register::store`] says.
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                // SAFETY: by the caller's promise.
                unsafe { $store(to, self) }
            }
            // SAFETY: as [`Register::splat`] says.
            #[inline(always)]
            unsafe fn splat(element: $element) -> Self {
                // SAFETY: by the caller's promise.
                unsafe { $splat(element) }
            }
            // SAFETY: as [`Register::add_product`] says.
            #[inline(always)]
            unsafe fn add_product(self, a: Self, b: Self) -> Self {
                // SAFETY: by the caller's promise.
                unsafe { $add(self, $mul(a, b)) }
            }
            // SAFETY: as [`Register::fused`] says.
            #[inline(always)]
            unsafe fn fused(self, $a: Self, $b: Self) -> Self {
                let $sum = self;
                // SAFETY: by the caller's promise.
                unsafe { $fused }
            }
            // SAFETY: as [`Register::add`] says.
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                // SAFETY: by the caller's promise.
                unsafe { $add(self, other) }
            }
            $(
                // SAFETY: as [`Register::load_even`] says.
                #[inline(always)]
                unsafe fn load_even(from: *const $element) -> Self {
                    // SAFETY: by the caller's promise: nothing behind the last of them is read.
                    unsafe {
                        let ($low, $high) = ($load(from), $load(from.add($lanes - 1)));
                        $even
                    }
                }
                // SAFETY: as [`Register::load_first_even`] says.
                #[inline(always)]
                unsafe fn load_first_even(from: *const $element, n: usize) -> Self {
                    let count = 2 * n - 1;
                    let behind = count.saturating_sub($lanes - 1);
                    // SAFETY: by the caller's promise.
                    unsafe {
                        let $low = Self::load_first(from, count.min($lanes));
                        let $high = Self::load_first(from.wrapping_add($lanes - 1), behind);
                        $even
                    }
                }
            )?
            $(
                // SAFETY: as [`Register::load_first`] says.
                #[inline(always)]
                unsafe fn load_first(from: *const $element, $n: usize) -> Self {
                    // SAFETY: by the caller's promise.
                    unsafe { $load_first($mask, from) }
                }
                // SAFETY: as [`Register::store_first`] says.
                #[inline(always)]
                unsafe fn store_first(self, to: *mut $element, $n: usize) {
                    // SAFETY: by the caller's promise.
                    unsafe { $store_first(to, $mask, self) }
                }
                $(
                    const LOADS_BETWEEN: bool = true;
                    // SAFETY: as [`Register::load_between`] says.
                    #[inline(always)]
                    unsafe fn load_between(self, from: *const $element, begin: usize, $n: usize) -> Self {
                        let before = {
                            let $n = begin;
                            $mask
                        };
                        // SAFETY: by the caller's promise: what is not selected is not accessed.
                        unsafe { $load_between(self, $mask & !before, from.wrapping_sub(begin)) }
                    }
                    $(
                        // SAFETY: as [`Register::sums_of_lanes`] says.
                        #[inline(always)]
                        unsafe fn sums_of_lanes<const MANY: usize>(
                            registers: *const Self,
                            apart: usize,
                            $to: *mut $element,
                        ) {
                            // SAFETY: by the caller's promise.
                            unsafe {
                                if MANY != 4 {
                                    return $crate::contract::kernels::sums_of_lanes::<$element, Self, MANY>(
                                        registers, apart, $to,
                                    );
                                }
                                let ($first, $second) = (registers.read(), registers.add(apart).read());
                                let $third = registers.add(2 * apart).read();
                                let $fourth = registers.add(3 * apart).read();
                                $four
                            }
                        }
                    )?
                )?
            )?
        })*
    };
}

/// [`tile`], compiled for a set of instructions.
macro_rules! tile_function {
    ($($feature:literal)?) => {
        /// # Safety
        /// As for the function of this name above, and the processor has the instructions.
        $(#[target_feature(enable = $feature)])?
        pub(super) unsafe fn tile<
            T: Element,
            R: Register<T>,
            const ROWS: usize,
            const VECTORS: usize,
            const PITCHED: bool,
            const FUSED: bool,
            const PACKS: bool,
        >(
            task: &Task<T>,
        ) {
            // SAFETY: by the caller's promise; this function has the instructions.
            unsafe {
                $crate::contract::kernels::tile::<T, R, ROWS, VECTORS, PITCHED, FUSED, PACKS>(task);
            }
        }
    };
}

/// The functions above, compiled for a set of instructions, in a module of this name.
macro_rules! instructions {
    ($name:ident $(, $feature:literal)?) => {
        mod $name {
            use $crate::contract::dots::Dots;
            use $crate::contract::gaxpy::Gaxpy;
            use $crate::contract::kernels::{Element, Lanes, MAX_RUNS, Number, Register, Task};

            $crate::contract::kernels::tile_function!($($feature)?);

            /// # Safety
            /// As for the function of this name above, and the processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn pack_piece<T: Element, R: Register<T>, const EVEN: bool>(
                inner: usize,
                from: *const T,
                steps: *const isize,
                to: *mut T,
                width: usize,
            ) {
                // SAFETY: as above.
                unsafe { $crate::contract::kernels::pack_piece::<T, R, EVEN>(inner, from, steps, to, width) };
            }

            /// # Safety
            /// As for the function of this name above, and the processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn pack_part<T: Element, R: Register<T>, const EVEN: bool>(
                inner: usize,
                from: *const T,
                steps: *const isize,
                to: *mut T,
                width: usize,
                n: usize,
                room: usize,
            ) {
                // SAFETY: as above.
                unsafe {
                    $crate::contract::kernels::pack_part::<T, R, EVEN>(inner, from, steps, to, width, n, room);
                }
            }

            /// # Safety
            /// As for the function of this name above, and the processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn pack_runs<T: Element, R: Register<T>, const RUNS: usize>(
                inner: usize,
                from: &[*const T; MAX_RUNS],
                ends: &[usize; MAX_RUNS],
                steps: *const isize,
                to: *mut T,
                width: usize,
            ) {
                // SAFETY: as above.
                unsafe {
                    $crate::contract::kernels::pack_runs::<T, R, RUNS>(inner, from, ends, steps, to, width);
                }
            }

            /// # Safety
            /// As for the function of this name above, and the processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn lanes<
                T: Element,
                R: Register<T>,
                const ROWS: usize,
                const SPLAT: bool,
                const FUSED: bool,
            >(
                task: &Lanes<T>,
            ) {
                // SAFETY: as above.
                unsafe { $crate::contract::kernels::lanes::<T, R, ROWS, SPLAT, FUSED>(task) };
            }

            /// # Safety
            /// As for the function of this name above, and the processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn dots<
                T: Number,
                R: Register<T>,
                const REGISTERS: usize,
                const FUSED: bool,
            >(
                task: &Dots<T>,
            ) {
                // SAFETY: as above.
                unsafe { $crate::contract::dots::dots::<T, R, REGISTERS, FUSED>(task) };
            }

            /// # Safety
            /// As for the function of this name above, and the processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn gaxpy<T: Number, R: Register<T>, const FUSED: bool>(
                task: &Gaxpy<T>,
            ) {
                // SAFETY: as above.
                unsafe { $crate::contract::gaxpy::gaxpy::<T, R, FUSED>(task) };
            }
        }
    };
}

/// Tiles of two registers per row.
macro_rules! tiles {
    ($set:ident $element:ty, $register:ty, $rows:literal, $fused:literal, $packs:literal) => {
        Tiles {
            rows: $rows,
            pitched: $set::tile::<$element, $register, $rows, 2, true, $fused, $packs>,
            interleaved: $set::tile::<$element, $register, $rows, 2, false, $fused, $packs>,
            half: $set::tile::<$element, $register, $rows, 1, true, $fused, false>,
        }
    };
}

/// Statics with what an instruction set offers: rows of tiles, how a register is called, how many of them
/// hold the partial sums of a dot product, and whether products are fused.
macro_rules! kernels {
    ($($name:ident: $set:ident $element:ty, $register:ty, $registers:literal, $fused:literal,
       $tallest:literal $($rows:literal)*;)*) => {
        $(static $name: Kernels<$element> = Kernels {
            columns: 2 * <$register as Register<$element>>::LANES,
            tiles: &[
                tiles!($set $element, $register, $tallest, $fused, false),
                $(tiles!($set $element, $register, $rows, $fused, false)),*
            ],
            packing: tiles!($set $element, $register, $tallest, $fused, true),
            wide: [
                Wide {
                    rows: 1,
                    columns: 8 * <$register as Register<$element>>::LANES,
                    tile: $set::tile::<$element, $register, 1, 8, true, $fused, false>,
                },
                Wide {
                    rows: 2,
                    columns: 4 * <$register as Register<$element>>::LANES,
                    tile: $set::tile::<$element, $register, 2, 4, true, $fused, false>,
                },
            ],
            piece: Piece {
                columns: <$register as Register<$element>>::LANES,
                neighbours: $set::pack_piece::<$element, $register, false>,
                every_second: $set::pack_piece::<$element, $register, true>,
                first_neighbours: $set::pack_part::<$element, $register, false>,
                first_of_every_second: $set::pack_part::<$element, $register, true>,
                runs: match <$register as Register<$element>>::LOADS_BETWEEN {
                    true => Some([
                        $set::pack_runs::<$element, $register, 2>,
                        $set::pack_runs::<$element, $register, 3>,
                        $set::pack_runs::<$element, $register, 4>,
                    ]),
                    false => None,
                },
            },
            lanes: [
                $set::lanes::<$element, $register, 4, false, $fused>,
                $set::lanes::<$element, $register, 1, false, $fused>,
            ],
            splat_lanes: [
                $set::lanes::<$element, $register, 4, true, $fused>,
                $set::lanes::<$element, $register, 1, true, $fused>,
            ],
            dots: $set::dots::<$element, $register, $registers, $fused>,
            gaxpy: $set::gaxpy::<$element, $register, $fused>,
        };)*
    };
}

pub(super) use {instructions, kernels, register, tile_function, tiles};
