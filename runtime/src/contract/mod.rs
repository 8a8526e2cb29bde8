//! Contractions, added to what the result holds: `freehold_contract_f32`, `freehold_contract_f64` and
//! `freehold_contract_i32`.
//!
//! A contraction is any nest of loops around `result[..] += left[..] * right[..]` with subscripts that are
//! sums of multiples of counters: products of matrices and vectors however they are transposed, batches of
//! them, and convolutions, whose windows are nothing but two loops that move along the same dimension. All
//! that is known of a loop here is how far apart elements are in its next iteration (`nest`); by what it
//! moves along, it is one over rows (of the left factor), columns (of the right one), both (a batch) or an
//! inner one that is summed over. `product` copies blocks of both factors into panels, `kernels` are the
//! innermost loops.
//!
//! Each element of the result starts from what it holds and takes its products in the order of the loops,
//! rounded before they are added ([`FUSED`]: only after), so without flags the result is bit for bit that of
//! the loops. With [`ANY_ORDER`], vectors that are neighbours in both factors (`dots`), and rows of a small
//! result (`gaxpy`), are computed by parts whose sums are added at the end. Which elements are computed together never matters: neither does where
//! buffers are, nor, among processors that have fused products, which one it is.
//!
//! Several threads compute different elements of the result, each as one thread would.
//!
//! All that is only true if the result shares no bytes with a factor or with itself; where it might, the
//! loops run as they are, and products are rounded.

mod dots;
mod floats;
mod gaxpy;
mod integers;
mod kernels;
mod narrow;
mod nest;
mod product;
mod untiled;

use core::ffi::c_void;
use core::{mem, ptr};

use kernels::{Kernels, MAX_ROWS};
use narrow::{Factor, Kind, Narrow, Sum};
use nest::{Dim, Group, LEFT, MAX_DIMS, RESULT, RIGHT};
use product::{Product, Range};

use crate::output::out_of_memory;
use crate::parallel::freehold_parallel;

/// Products are added without being rounded, where the processor can do that.
pub const FUSED: u64 = 1;
/// Products may be added up in any order.
pub const ANY_ORDER: u64 = 2;
/// The result holds nothing yet, which stands for zeros.
pub const NEW: u64 = 4;

/// Above these flags, what elements of both factors are if they are others than those of the result (`narrow`),
/// and on how many threads it may be computed.
pub const THREADS_SHIFT: u32 = 9;

// Each of these has rows in benches/results, "Thresholds of contractions", where it is compared with
// another value at its edge.

/// Fewer multiplications than this are computed by one thread: they take some 15 us, waking another one up
/// to ten.
const MIN_PARALLEL_WORK: usize = 1 << 20;
/// Fewer multiplications than this are not worth tiles: products of 8x8 matrices are the smallest with
/// whole ones.
const SMALL: usize = 512;
/// Up to this many rows or columns are multiplied by dot products, as classes of a last layer are. For ten columns
/// that takes 0.7 of the time of tiles, but 1.1 where arrays begin within a cache line, or with 256-bit registers.
const MAX_DOT_ROWS: usize = 10;
/// So few rows read columns where they are, if these are not all neighbours.
const MAX_SPLAT_ROWS: usize = 2;
/// Fewer neighbours than this are better gathered.
const MIN_SPLAT_LANES: usize = 8;
/// Dot products of fewer elements cost more at their ends than they save.
const MIN_DOT_INNER: usize = 16;
/// Up to this many elements of the result are sums of multiples of vectors, row by row: tiles have so few sums at once
/// that these wait for each other.
const MAX_GAXPY_SUMS: usize = 128;
/// Sums of fewer vectors are hardly worth a call.
const MIN_GAXPY_INNER: usize = 8;
/// The few vectors are copied if they have at most as many elements, for which a workspace has room.
const MAX_COPIED: usize = product::ROW_BLOCK * kernels::PITCH;

/// The nested loops, as they were written.
struct Loops<T> {
    result: *mut T,
    factors: [Factor; 2],
    n: usize,
    sizes: *const i64,
    strides: *const isize,
}

impl<T: Sum> Loops<T> {
    fn dim(&self, i: usize) -> Dim {
        // SAFETY: there are sizes, and strides for three operands, of `n` loops.
        unsafe {
            let stride = |operand: usize| self.strides.add(operand * self.n + i).read();
            Dim {
                size: self.sizes.add(i).read().max(0) as usize,
                strides: [stride(RESULT), stride(LEFT), stride(RIGHT)],
            }
        }
    }

    /// Runs the loops from number `i` inwards.
    ///
    /// # Safety
    /// All elements are in memory.
    unsafe fn run_in_order(&self, i: usize, result: *mut T, left: Factor, right: Factor) {
        if i == self.n {
            // SAFETY: by the caller's promise.
            unsafe {
                let (a, b) = (left.read(), right.read());
                result.write_unaligned(result.read_unaligned().add_product(a, b));
            }
            return;
        }
        let dim = self.dim(i);
        let (mut result, mut left, mut right, mut left_over) = (result, left, right, dim.size);
        while left_over > 0 {
            // SAFETY: by the caller's promise.
            unsafe { self.run_in_order(i + 1, result, left, right) };
            result = result.wrapping_offset(dim.stride(RESULT));
            left = left.moved(dim.stride(LEFT));
            right = right.moved(dim.stride(RIGHT));
            left_over -= 1;
        }
    }

    /// Writes zeros to the result, from loop number `i` inwards.
    ///
    /// # Safety
    /// All elements are in memory.
    unsafe fn clear(&self, i: usize, result: *mut T) {
        if i == self.n {
            // SAFETY: by the caller's promise.
            unsafe { result.write_unaligned(T::ZERO) };
            return;
        }
        let dim = self.dim(i);
        let (mut result, mut left_over) = (result, dim.size);
        if dim.stride(RESULT) == 0 {
            // Also where nothing is added up.
            left_over = 1;
        }
        while left_over > 0 {
            // SAFETY: by the caller's promise.
            unsafe { self.clear(i + 1, result) };
            result = result.wrapping_offset(dim.stride(RESULT));
            left_over -= 1;
        }
    }

    /// # Safety
    /// All elements are in memory.
    unsafe fn run(&self, flags: u64) {
        let mut work = 1usize;
        let mut i = 0;
        while i < self.n {
            work = work.saturating_mul(self.dim(i).size);
            i += 1;
        }
        // SAFETY: by the caller's promise.
        unsafe {
            let is_short = self.factors.iter().all(|factor| factor.is_short());
            let done =
                work >= SMALL && self.n <= MAX_DIMS && is_short && self.run_fast(flags, work);
            if !done {
                if flags & NEW != 0 {
                    self.clear(0, self.result);
                }
                if work > 0 {
                    let [left, right] = self.factors;
                    self.run_in_order(0, self.result, left, right);
                }
            }
        }
    }

    /// The same by tiles, if the order in which elements of the result are computed does not matter.
    ///
    /// # Safety
    /// All elements are in memory, and no loop is empty.
    unsafe fn run_fast(&self, flags: u64, work: usize) -> bool {
        let mut groups = Groups::of(self);
        if !self.is_apart(&groups) {
            return false;
        }
        let plan = Plan::new(self.result, self.factors, &mut groups, flags);
        let threads = (flags >> THREADS_SHIFT) as i64;
        if threads > 1 && work >= MIN_PARALLEL_WORK {
            // SAFETY: by the caller's promise and by the checks above.
            unsafe { plan.run_in_parallel(threads) };
            return true;
        }
        let memory = product::take_workspace();
        if memory.is_null() {
            return false;
        }
        // SAFETY: as above; the memory was taken for this.
        unsafe {
            plan.run(plan.everything(), memory);
            product::give_back_workspace(memory);
        }
        true
    }

    /// Whether elements of the result are apart from each other and from those of the factors.
    fn is_apart(&self, groups: &Groups) -> bool {
        let mut all = Group::new();
        let mut i = 0;
        while i < self.n {
            all.push(self.dim(i));
            i += 1;
        }
        let extent = |operand: usize, first: usize, size: usize| {
            let (low, high) = all.extent(operand);
            let (first, size) = (first as i128, size as i128);
            (first + low * size, first + (high + 1) * size)
        };
        let result = extent(RESULT, self.result.addr(), size_of::<T>());
        let is_apart = |operand: usize, factor: Factor| {
            let (low, high) = extent(operand, factor.at.addr(), factor.kind.bytes::<T>());
            high <= result.0 || result.1 <= low
        };
        let [left, right] = self.factors;
        groups.is_injective() && is_apart(LEFT, left) && is_apart(RIGHT, right)
    }
}

/// How a contraction is computed by tiles.
struct Plan<'a, T: 'static> {
    result: *mut T,
    /// Left and right; these may have changed places.
    factors: [Factor; 2],
    groups: &'a Groups,
    /// How many elements are neighbours in result and left factor, if it goes by these.
    lanes: Option<usize>,
    /// Whether the right factor has one element for all of them.
    is_splat: bool,
    /// Of which factor there are a few vectors, if it goes by dot products.
    few: Option<Few>,
    /// Whether a few rows are sums of multiples of vectors.
    is_gaxpy: bool,
    /// Whether factors are widened.
    is_narrow: bool,
    fused: bool,
    is_new: bool,
    kernels: &'static Kernels<T>,
    batches: usize,
    rows: usize,
    columns: usize,
}

/// The factor whose vectors are few, if a contraction goes by dot products.
#[derive(Clone, Copy)]
enum Few {
    Rows,
    Columns,
}

/// A part of a contraction: of its batch, rows and columns.
#[derive(Clone, Copy)]
struct Share {
    batches: Range,
    rows: Range,
    columns: Range,
}

impl<'a, T: Sum> Plan<'a, T> {
    fn new(
        result: *mut T,
        [mut left, mut right]: [Factor; 2],
        groups: &'a mut Groups,
        flags: u64,
    ) -> Self {
        let is_narrow = left.kind != Kind::Same;
        let mut lanes = match is_narrow {
            true => None,
            false => groups.take_lanes(),
        };
        let swaps = match lanes {
            // Rows share loads of the right factor.
            Some(_) => groups.rows.total() < groups.columns.total(),
            None => groups.columns_are_left(),
        };
        if swaps {
            groups.swap_factors();
            (left, right) = (right, left);
        }
        let is_splat = lanes.is_none() && !is_narrow;
        if is_splat {
            lanes = groups.take_splat_lanes();
            if lanes.is_some() {
                groups.swap_factors();
                (left, right) = (right, left);
            }
        }
        if lanes.is_some() {
            groups.batch.append(&groups.columns);
            groups.columns = Group::new();
        }
        groups.rows.sort(LEFT);
        groups.columns.sort(RESULT);
        let (rows, columns) = (groups.rows.total(), groups.columns.total());
        let any_order = flags & ANY_ORDER != 0 && !is_narrow && lanes.is_none();
        let few = match any_order {
            true => groups.few(rows, columns),
            false => None,
        };
        let is_gaxpy = any_order && few.is_none() && groups.is_gaxpy(rows, columns);
        let fused = flags & FUSED != 0;
        Self {
            result,
            factors: [left, right],
            lanes,
            is_splat,
            few,
            is_gaxpy,
            is_narrow,
            fused,
            is_new: flags & NEW != 0,
            kernels: T::kernels(
                fused,
                match lanes.is_some() || few.is_some() || is_gaxpy {
                    true => [rows, usize::MAX],
                    false => [rows, columns],
                },
            ),
            batches: groups.batch.total(),
            rows,
            columns,
            groups,
        }
    }

    fn everything(&self) -> Share {
        let all = |end| Range { begin: 0, end };
        Share {
            batches: all(self.batches),
            rows: all(self.rows),
            columns: all(self.columns),
        }
    }

    /// Computes a part.
    ///
    /// # Safety
    /// All elements are in memory, and those of the result apart from each other and from all others.
    /// `memory` is a workspace.
    unsafe fn run(&self, share: Share, memory: *mut u8) {
        let [left, right] = self.factors;
        let Groups {
            batch: batch_group,
            rows,
            columns,
            inner,
        } = self.groups;
        let mut batch = share.batches.begin;
        while batch < share.batches.end {
            let result = (self.result).wrapping_offset(batch_group.offset(RESULT, batch));
            let left = left.moved(batch_group.offset(LEFT, batch));
            let right = right.moved(batch_group.offset(RIGHT, batch));
            batch += 1;
            if self.is_narrow {
                let product = Narrow {
                    result,
                    left,
                    right,
                    rows,
                    columns,
                    inner,
                    fused: self.fused,
                    is_new: self.is_new,
                    zeros: [0, 0],
                };
                // SAFETY: by the caller's promise.
                unsafe { T::run_narrow(product, share.rows, share.columns, memory) };
                continue;
            }
            let product = Product {
                result,
                left: left.at.cast(),
                right: right.at.cast(),
                rows,
                columns,
                inner,
                kernels: self.kernels,
                is_new: self.is_new,
            };
            // SAFETY: by the caller's promise.
            unsafe {
                match (self.lanes, self.few) {
                    (Some(n), _) => product.run_lanes(n, self.is_splat, share.rows, memory),
                    (None, Some(few)) => product.run_dots(few, share.rows, share.columns, memory),
                    (None, None) if self.is_gaxpy => product.run_gaxpy(share.rows, share.columns),
                    (None, None) => product.run(share.rows, share.columns, memory),
                }
            }
        }
    }

    /// Computes all of it on up to this many threads. Each element is computed as it would be on
    /// one.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    unsafe fn run_in_parallel(&self, threads: i64) {
        // Rows and columns are cut between tiles.
        const UNIT: usize = 2 * MAX_ROWS;
        let wanted = threads as usize;
        let (axis, unit, total) = match () {
            () if self.batches >= wanted => (Axis::Batches, 1, self.batches),
            () if self.rows >= self.columns => (Axis::Rows, UNIT, self.rows),
            () => (Axis::Columns, 2 * self.kernels.columns, self.columns),
        };
        let split = Split {
            plan: self,
            axis,
            unit,
        };
        let units = total
            .saturating_add(unit - 1)
            .checked_div(unit)
            .unwrap_or(1);
        // SAFETY: parts may be computed by any thread, at once: their elements of the result are apart.
        unsafe {
            let context = ptr::from_ref(&split).cast();
            freehold_parallel(run_units::<T>, context, 0, units as i64, threads);
        }
    }
}

#[derive(Clone, Copy)]
enum Axis {
    Batches,
    Rows,
    Columns,
}

/// What threads share.
struct Split<'a, T: 'static> {
    plan: &'a Plan<'a, T>,
    axis: Axis,
    unit: usize,
}

/// Computes units from one to another.
///
/// # Safety
/// `context` is a [`Split`]; the rest as for [`Plan::run`].
unsafe extern "C" fn run_units<T: Sum>(context: *const c_void, begin: i64, end: i64) {
    // SAFETY: by the caller's promise.
    let split = unsafe { &*context.cast::<Split<'_, T>>() };
    let mut share = split.plan.everything();
    let range = match split.axis {
        Axis::Batches => &mut share.batches,
        Axis::Rows => &mut share.rows,
        Axis::Columns => &mut share.columns,
    };
    let last = range.end;
    let at = |number: i64| (number as usize).saturating_mul(split.unit).min(last);
    *range = Range {
        begin: at(begin),
        end: at(end),
    };
    let memory = product::take_workspace();
    if memory.is_null() {
        out_of_memory(product::WORKSPACE_BYTES as u64, ptr::null());
    }
    // SAFETY: by the caller's promise; the memory was taken for this.
    unsafe {
        split.plan.run(share, memory);
        product::give_back_workspace(memory);
    }
}

/// The loops by what they move along.
struct Groups {
    batch: Group,
    rows: Group,
    columns: Group,
    /// In the order in which they were written.
    inner: Group,
}

impl Groups {
    fn of<T: Sum>(loops: &Loops<T>) -> Self {
        let mut groups = Self {
            batch: Group::new(),
            rows: Group::new(),
            columns: Group::new(),
            inner: Group::new(),
        };
        let mut i = 0;
        while i < loops.n {
            let dim = loops.dim(i);
            i += 1;
            if dim.size == 1 {
                continue;
            }
            let group = match dim.strides {
                [0, _, _] => &mut groups.inner,
                [_, _, 0] => &mut groups.rows,
                [_, 0, _] => &mut groups.columns,
                _ => &mut groups.batch,
            };
            group.push(dim);
        }
        groups
    }

    /// Whether all elements of the result are known to be at different places: no loop comes back to
    /// what those with smaller strides have passed.
    fn is_injective(&self) -> bool {
        let mut all = Group::new();
        for group in [&self.batch, &self.rows, &self.columns] {
            let mut i = 0;
            while i < group.len() {
                // Whether loops continue each other in the factors does not matter here.
                let Dim { size, strides } = group.dim(i);
                let [result, _, _] = strides;
                all.push(Dim {
                    size,
                    strides: [result, 0, 0],
                });
                i += 1;
            }
        }
        all.sort(RESULT);
        let (mut reach, mut i) = (0u128, all.len());
        while i > 0 {
            i -= 1;
            let dim = all.dim(i);
            let stride = dim.stride(RESULT).unsigned_abs() as u128;
            if stride <= reach {
                return false;
            }
            reach += stride * (dim.size as u128 - 1);
        }
        true
    }

    /// Whether neighbours of the result are in a row of the left factor: with columns that are neighbours, tiles need
    /// not be copied.
    fn columns_are_left(&self) -> bool {
        let nearest = |group: &Group| {
            let (mut nearest, mut i) = (usize::MAX, 0);
            while i < group.len() {
                nearest = nearest.min(group.dim(i).stride(RESULT).unsigned_abs());
                i += 1;
            }
            nearest
        };
        nearest(&self.rows) < nearest(&self.columns)
    }

    fn swap_factors(&mut self) {
        for group in [
            &mut self.batch,
            &mut self.rows,
            &mut self.columns,
            &mut self.inner,
        ] {
            group.swap_factors();
        }
        mem::swap(&mut self.rows, &mut self.columns);
    }

    /// Takes the loop of the batch out that moves along neighbours in all operands, and returns how often
    /// it runs.
    fn take_lanes(&mut self) -> Option<usize> {
        let mut i = 0;
        while i < self.batch.len() {
            let Dim { size, strides } = self.batch.dim(i);
            if strides == [1, 1, 1] {
                self.batch.remove(i);
                return Some(size);
            }
            i += 1;
        }
        None
    }

    /// Takes a loop over columns out that moves along neighbours in result and right factor, if there are
    /// other ones around it and hardly any rows: tiles are wider than what such a loop has next to each
    /// other, and copies would be read once.
    fn take_splat_lanes(&mut self) -> Option<usize> {
        if self.rows.total() > MAX_SPLAT_ROWS {
            return None;
        }
        // The order of columns is this one anyway.
        self.columns.sort(RESULT);
        let last = self.columns.len().checked_sub(1)?;
        let Dim { size, strides } = self.columns.dim(last);
        if last == 0 || strides != [1, 0, 1] || size < MIN_SPLAT_LANES {
            return None;
        }
        self.columns.remove(last);
        Some(size)
    }

    /// Whether these are dot products of many vectors of neighbours and a few others, and of which factor there are a few.
    fn few(&self, rows: usize, columns: usize) -> Option<Few> {
        if self.inner.len() != 1 {
            return None;
        }
        let Dim { size, strides } = self.inner.dim(0);
        let [_, left, right] = strides;
        let (few, n_few, few_step, many_step) = match rows <= columns {
            true => (Few::Rows, rows, left, right),
            false => (Few::Columns, columns, right, left),
        };
        // Those that are not neighbours are copied.
        let has_room = few_step == 1 || n_few.saturating_mul(size) <= MAX_COPIED;
        let is_long = size >= MIN_DOT_INNER * n_few.min(2).max(n_few.div_ceil(4));
        (many_step == 1 && n_few <= MAX_DOT_ROWS && is_long && has_room).then_some(few)
    }

    /// Whether a few rows are sums of multiples of vectors of neighbours.
    fn is_gaxpy(&self, rows: usize, columns: usize) -> bool {
        if self.inner.len() != 1 || self.columns.len() != 1 {
            return false;
        }
        let column = self.columns.dim(0);
        column.stride(RESULT) == 1
            && column.stride(RIGHT) == 1
            && rows.saturating_mul(columns) <= MAX_GAXPY_SUMS
            && self.inner.dim(0).size >= MIN_GAXPY_INNER
    }
}

macro_rules! exports {
    ($($name:ident: $element:ty;)*) => {
        $(
            /// Adds to each element of the result what nested loops give it: addresses of the first
            /// elements, flags ([`FUSED`], [`ANY_ORDER`], [`NEW`], and above them the number of threads), and a `memref<?xindex>` of the sizes of the loops
            /// from outside in, then how many elements further the result is in the next iteration of
            /// each, and the same for both factors. If elements of the factors are widened integers, two more
            /// numbers may follow, which are subtracted from those of the left and of the right one.
            ///
            /// # Safety
            /// All elements and numbers are in memory; the numbers are neighbours.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                result: *mut $element,
                left: *const $element,
                right: *const $element,
                flags: u64,
                _allocated: *const i64,
                numbers: *const i64,
                offset: i64,
                n_numbers: i64,
                _stride: i64,
            ) {
                let n = (n_numbers.max(0) / 4) as usize;
                let sizes = numbers.wrapping_offset(offset as isize);
                let [of_left, of_right] = Kind::of_flags(flags);
                let zero = |factor: usize| match n_numbers % 4 {
                    // SAFETY: by the caller's promise.
                    2 => unsafe { sizes.add(4 * n + factor).read() as i32 },
                    _ => 0,
                };
                let loops = Loops {
                    result,
                    factors: [
                        Factor::new(left, of_left, zero(0)),
                        Factor::new(right, of_right, zero(1)),
                    ],
                    n,
                    sizes,
                    strides: sizes.wrapping_add(n).cast(),
                };
                // SAFETY: by the caller's promise.
                unsafe { loops.run(flags) };
            }
        )*
    };
}

exports! {
    freehold_contract_f32: f32;
    freehold_contract_f64: f64;
    freehold_contract_i32: i32;
}

#[cfg(test)]
mod tests;
