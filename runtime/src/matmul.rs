//! Products of matrices, added to what the result holds: `freehold_matmul_f32` and
//! `freehold_matmul_f64`.
//!
//! The result is bit for bit that of the three nested loops it replaces, rows outside, the
//! inner dimension inside: each element starts from what it holds and takes the products in
//! order, each rounded before it is added. Speed comes from elsewhere: tiles of the result
//! stay in registers, several columns are computed by one instruction, and both factors are
//! copied into the order in which they are read, in blocks that fit the caches, unless they are so small
//! that copies would take longer than they save.
//!
//! That is only the same if the result shares no bytes with a factor or with itself; where it
//! might, the nested loops run as they are.

use core::ops::{Add, Mul};
use core::ptr;

use crate::scratch;

// The blocks are cut for 32 KB of first and 512 KB of second cache and gave the rows `matmul f32` and
// `matmul f64` of benches/README.md.

/// Rows of a tile: with [`MAX_COLUMNS`], the accumulators of `f32` take half of the sixteen registers of 256
/// bits.
const ROWS: usize = 4;
/// Columns of the widest tile.
const MAX_COLUMNS: usize = 16;
/// Inner dimension of a block: a column panel of it, 16 KB of `f32`, fits the first cache.
const INNER_BLOCK: usize = 256;
/// Rows of a block of the left factor, which is 128 KB of `f32` in the second cache.
const ROW_BLOCK: usize = 128;
/// Bytes for both copies, what [`scratch`] keeps.
const SCRATCH_BYTES: usize = 1 << 20;
/// Fewer multiplications than this are not worth tiles: products of 8x8 matrices are the smallest with
/// whole ones.
const SMALL: u64 = 512;
/// Factors of at most so many bytes are read where they are, if tiles can: half of the first cache. The row
/// `matmul f32, 64` is the largest.
const MAX_UNPACKED_BYTES: usize = 1 << 14;

/// A matrix in memory: where its first element is, and how far its neighbours are, in elements.
#[derive(Clone, Copy)]
struct Matrix<T> {
    first: *mut T,
    row_stride: isize,
    column_stride: isize,
}

impl<T: Copy> Matrix<T> {
    /// Where an element is.
    #[inline(always)]
    fn at(self, row: usize, column: usize) -> *mut T {
        let distance = (row as isize)
            .wrapping_mul(self.row_stride)
            .wrapping_add((column as isize).wrapping_mul(self.column_stride));
        self.first.wrapping_offset(distance)
    }

    /// The part that begins there.
    fn from(self, row: usize, column: usize) -> Self {
        Self {
            first: self.at(row, column),
            ..self
        }
    }

    /// The first address of its elements and the one after their last, of so many rows and columns,
    /// neither of them zero.
    fn extent(self, rows: usize, columns: usize) -> (i128, i128) {
        let (mut low, mut high) = (0i128, 0i128);
        let mut widen = |stride: isize, n: usize| {
            let distance = stride as i128 * (n as i128 - 1);
            low += distance.min(0);
            high += distance.max(0);
        };
        widen(self.row_stride, rows);
        widen(self.column_stride, columns);
        let (first, size) = (self.first.addr() as i128, size_of::<T>() as i128);
        (first + low * size, first + (high + 1) * size)
    }

    /// Whether all elements are known to be at different places: rows or columns do not interleave.
    fn is_injective(self, rows: usize, columns: usize) -> bool {
        let (row, column) = (
            self.row_stride.unsigned_abs() as u128,
            self.column_stride.unsigned_abs() as u128,
        );
        let (rows, columns) = (rows as u128, columns as u128);
        (column != 0 || columns == 1)
            && (row != 0 || rows == 1)
            && (rows == 1
                || columns == 1
                || row > column * (columns - 1)
                || column > row * (rows - 1))
    }
}

/// What is multiplied.
trait Element: Copy + Add<Output = Self> + Mul<Output = Self> {
    const ZERO: Self;
    /// The best way to compute a tile on this processor.
    fn tiles() -> Tiles<Self>;
}

/// How tiles are computed.
struct Tiles<T> {
    columns: usize,
    compute: Tile<T>,
}

/// `(inner size, rows of the left factor, columns of the right factor, result, its row stride)`:
/// adds the product to a tile.
type Tile<T> = unsafe fn(usize, Panels<T>, Panels<T>, *mut T, isize);

/// A factor as tiles read it: panels of [`ROWS`] rows, or of the columns of a tile.
#[derive(Clone, Copy)]
struct Panels<T> {
    /// The first element of a panel.
    first: *const T,
    /// How far the next panel is, in elements.
    next: isize,
    /// How far neighbours in a panel are. Columns must be next to each other.
    stride: isize,
    /// How far they are along the inner dimension.
    step: isize,
}

impl<T> Panels<T> {
    /// The panels behind the first one.
    fn rest(self) -> Self {
        Self {
            first: self.first.wrapping_offset(self.next),
            ..self
        }
    }

    /// Panels of packed elements.
    fn packed(first: *const T, width: usize, inner: usize) -> Self {
        Self {
            first,
            next: (width * inner) as isize,
            stride: 1,
            step: width as isize,
        }
    }
}

/// A register of several elements.
trait Register<T>: Copy {
    const LANES: usize;
    unsafe fn load(from: *const T) -> Self;
    unsafe fn store(self, to: *mut T);
    unsafe fn splat(element: T) -> Self;
    /// `self + a * b`, rounded twice, as separate operations do.
    unsafe fn add_product(self, a: Self, b: Self) -> Self;
}

/// A tile of two registers per row.
///
/// # Safety
/// `left` has [`ROWS`] elements per step, `right` those of two registers; `c` is a tile of as many rows
/// and columns. The processor has `R`'s instructions, and so has the caller.
#[inline(always)]
unsafe fn tile<T: Element, R: Register<T>>(
    inner: usize,
    left: Panels<T>,
    right: Panels<T>,
    c: *mut T,
    stride: isize,
) {
    let rows = left.stride;
    let (mut a, mut b) = (left.first, right.first);
    // SAFETY: by the caller's promise.
    unsafe {
        let row = |row: usize| c.offset(stride * row as isize);
        let load = |r: usize| [R::load(row(r)), R::load(row(r).add(R::LANES))];
        let mut sums = [load(0), load(1), load(2), load(3)];
        let mut remaining = inner;
        while remaining != 0 {
            let columns = [R::load(b), R::load(b.add(R::LANES))];
            let step = |sums: &mut [R; 2], r: isize| {
                let factor = R::splat(a.offset(rows * r).read());
                sums[0] = sums[0].add_product(factor, columns[0]);
                sums[1] = sums[1].add_product(factor, columns[1]);
            };
            step(&mut sums[0], 0);
            step(&mut sums[1], 1);
            step(&mut sums[2], 2);
            step(&mut sums[3], 3);
            // Behind the last step there may be nothing.
            a = a.wrapping_offset(left.step);
            b = b.wrapping_offset(right.step);
            remaining -= 1;
        }
        let store = |sums: [R; 2], r: usize| {
            sums[0].store(row(r));
            sums[1].store(row(r).add(R::LANES));
        };
        store(sums[0], 0);
        store(sums[1], 1);
        store(sums[2], 2);
        store(sums[3], 3);
    }
}

/// Registers of this type, through these operations.
macro_rules! register {
    ($($register:ty: $lanes:literal $element:ty, $load:ident $store:ident $splat:ident $add:ident $mul:ident;)*) => {
        $(impl Register<$element> for $register {
            const LANES: usize = $lanes;
            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                // SAFETY: by the caller's promise.
                unsafe { $load(from) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                // SAFETY: by the caller's promise.
                unsafe { $store(to, self) }
            }
            #[inline(always)]
            unsafe fn splat(element: $element) -> Self {
                // SAFETY: by the caller's promise.
                unsafe { $splat(element) }
            }
            #[inline(always)]
            unsafe fn add_product(self, a: Self, b: Self) -> Self {
                // SAFETY: by the caller's promise.
                unsafe { $add(self, $mul(a, b)) }
            }
        })*
    };
}

/// Functions that compute tiles with a set of instructions.
macro_rules! tiles {
    ($($(#[$feature:meta])? $name:ident: $element:ty, $register:ty;)*) => {
        $(
            $(#[$feature])?
            unsafe fn $name(
                inner: usize,
                left: Panels<$element>,
                right: Panels<$element>,
                c: *mut $element,
                stride: isize,
            ) {
                // SAFETY: by the caller's promise; this function has the instructions.
                unsafe { tile::<$element, $register>(inner, left, right, c, stride) }
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
mod machine {
    //! 256-bit registers where the processor and the system have them, else 128-bit ones.

    use core::arch::x86_64::*;

    use super::{Element, Panels, Register, Tiles, tile};
    use crate::processor::has_avx;

    register! {
        __m128: 4 f32, _mm_loadu_ps _mm_storeu_ps _mm_set1_ps _mm_add_ps _mm_mul_ps;
        __m128d: 2 f64, _mm_loadu_pd _mm_storeu_pd _mm_set1_pd _mm_add_pd _mm_mul_pd;
        __m256: 8 f32,
            _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps _mm256_add_ps _mm256_mul_ps;
        __m256d: 4 f64,
            _mm256_loadu_pd _mm256_storeu_pd _mm256_set1_pd _mm256_add_pd _mm256_mul_pd;
    }

    tiles! {
        tile_f32: f32, __m128;
        tile_f64: f64, __m128d;
        #[target_feature(enable = "avx")] tile_f32_avx: f32, __m256;
        #[target_feature(enable = "avx")] tile_f64_avx: f64, __m256d;
    }

    impl Element for f32 {
        const ZERO: Self = 0.0;
        fn tiles() -> Tiles<Self> {
            match has_avx() {
                true => Tiles {
                    columns: 16,
                    compute: tile_f32_avx,
                },
                false => Tiles {
                    columns: 8,
                    compute: tile_f32,
                },
            }
        }
    }

    impl Element for f64 {
        const ZERO: Self = 0.0;
        fn tiles() -> Tiles<Self> {
            match has_avx() {
                true => Tiles {
                    columns: 8,
                    compute: tile_f64_avx,
                },
                false => Tiles {
                    columns: 4,
                    compute: tile_f64,
                },
            }
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    //! 128-bit registers, which every such processor has.

    use core::arch::aarch64::*;

    use super::{Element, Panels, Register, Tiles, tile};

    register! {
        float32x4_t: 4 f32, vld1q_f32 vst1q_f32 vdupq_n_f32 vaddq_f32 vmulq_f32;
        float64x2_t: 2 f64, vld1q_f64 vst1q_f64 vdupq_n_f64 vaddq_f64 vmulq_f64;
    }

    tiles! {
        tile_f32: f32, float32x4_t;
        tile_f64: f64, float64x2_t;
    }

    impl Element for f32 {
        const ZERO: Self = 0.0;
        fn tiles() -> Tiles<Self> {
            Tiles {
                columns: 8,
                compute: tile_f32,
            }
        }
    }

    impl Element for f64 {
        const ZERO: Self = 0.0;
        fn tiles() -> Tiles<Self> {
            Tiles {
                columns: 4,
                compute: tile_f64,
            }
        }
    }
}

/// The nested loops.
///
/// # Safety
/// All elements of the matrices, `m` by `k` times `k` by `n`, are in memory.
unsafe fn multiply_in_order<T: Element>(
    c: Matrix<T>,
    a: Matrix<T>,
    b: Matrix<T>,
    [m, n, k]: [usize; 3],
) {
    let mut i = 0;
    while i < m {
        let mut j = 0;
        while j < n {
            let mut l = 0;
            while l < k {
                let at = c.at(i, j);
                // SAFETY: within the matrices.
                unsafe { at.write(at.read() + a.at(i, l).read() * b.at(l, j).read()) };
                l += 1;
            }
            j += 1;
        }
        i += 1;
    }
}

/// Copies `rows` by `inner` elements, in panels of [`ROWS`] rows, column after column. Rows that are
/// not there become zeros.
///
/// # Safety
/// The elements are in memory and `to` has room for whole panels.
unsafe fn pack_rows<T: Element>(from: Matrix<T>, rows: usize, inner: usize, mut to: *mut T) {
    let mut first = 0;
    while first < rows {
        let mut l = 0;
        while l < inner {
            let mut r = 0;
            while r < ROWS {
                // SAFETY: by the caller's promise.
                unsafe {
                    to.write(match first + r < rows {
                        true => from.at(first + r, l).read(),
                        false => T::ZERO,
                    });
                    to = to.add(1);
                }
                r += 1;
            }
            l += 1;
        }
        first += ROWS;
    }
}

/// Copies `inner` by `columns` elements, in panels of `width` columns, row after row. Columns that
/// are not there become zeros.
///
/// # Safety
/// The elements are in memory and `to` has room for whole panels.
unsafe fn pack_columns<T: Element>(
    from: Matrix<T>,
    inner: usize,
    columns: usize,
    width: usize,
    mut to: *mut T,
) {
    let mut first = 0;
    while first < columns {
        let is_whole = columns - first >= width && from.column_stride == 1;
        let mut l = 0;
        while l < inner {
            if is_whole {
                // SAFETY: by the caller's promise; the copy is new memory.
                unsafe {
                    ptr::copy_nonoverlapping(from.at(l, first), to, width);
                    to = to.add(width);
                }
                l += 1;
                continue;
            }
            let mut j = 0;
            while j < width {
                // SAFETY: by the caller's promise.
                unsafe {
                    to.write(match first + j < columns {
                        true => from.at(l, first + j).read(),
                        false => T::ZERO,
                    });
                    to = to.add(1);
                }
                j += 1;
            }
            l += 1;
        }
        first += width;
    }
}

/// Adds a product of panels to a part of the result that may be smaller than a tile, or have
/// its columns apart.
///
/// # Safety
/// As for [`tile`], but only `rows` by `columns` elements of `c` need exist.
unsafe fn partial_tile<T: Element>(
    tiles: &Tiles<T>,
    inner: usize,
    left: Panels<T>,
    right: Panels<T>,
    c: Matrix<T>,
    [rows, columns]: [usize; 2],
) {
    let mut whole = [T::ZERO; ROWS * MAX_COLUMNS];
    let whole = whole.as_mut_ptr();
    let each = |action: &dyn Fn(*mut T, *mut T)| {
        let mut r = 0;
        while r < rows {
            let mut j = 0;
            while j < columns {
                action(whole.wrapping_add(r * tiles.columns + j), c.at(r, j));
                j += 1;
            }
            r += 1;
        }
    };
    // SAFETY: by the caller's promise; the copy is as large as the largest tile.
    unsafe {
        each(&|copy, element| copy.write(element.read()));
        (tiles.compute)(inner, left, right, whole, tiles.columns as isize);
        each(&|copy, element| element.write(copy.read()));
    }
}

/// The left factor as it is, if it is small and has whole panels only.
fn unpacked_rows<T: Element>(a: Matrix<T>, rows: usize, inner: usize) -> Option<Panels<T>> {
    let is_small = rows * inner * size_of::<T>() <= MAX_UNPACKED_BYTES;
    (is_small && rows.is_multiple_of(ROWS)).then(|| Panels {
        first: a.first,
        next: a.row_stride.wrapping_mul(ROWS as isize),
        stride: a.row_stride,
        step: a.column_stride,
    })
}

/// The right factor as it is, if it is small, has whole panels only, and columns are neighbours.
fn unpacked_columns<T: Element>(
    b: Matrix<T>,
    inner: usize,
    columns: usize,
    width: usize,
) -> Option<Panels<T>> {
    let is_small = columns * inner * size_of::<T>() <= MAX_UNPACKED_BYTES;
    (is_small && columns.is_multiple_of(width) && b.column_stride == 1).then_some(Panels {
        first: b.first,
        next: width as isize,
        stride: 1,
        step: b.row_stride,
    })
}

/// The product by tiles.
///
/// # Safety
/// All elements of the matrices are in memory, and those of `c` are apart from each other and from
/// all others. `packed` has [`SCRATCH_BYTES`] bytes.
unsafe fn multiply_by_tiles<T: Element>(
    c: Matrix<T>,
    a: Matrix<T>,
    b: Matrix<T>,
    [m, n, k]: [usize; 3],
    packed: *mut T,
) {
    let tiles = T::tiles();
    let packed_rows = packed;
    let packed_columns = packed.wrapping_add(ROW_BLOCK * INNER_BLOCK);
    // A multiple of the columns of every tile.
    let column_block =
        (SCRATCH_BYTES / size_of::<T>() / INNER_BLOCK - ROW_BLOCK) & !(MAX_COLUMNS - 1);
    let mut column = 0;
    while column < n {
        let columns = column_block.min(n - column);
        let mut l = 0;
        while l < k {
            let inner = INNER_BLOCK.min(k - l);
            let from = b.from(l, column);
            let right = unpacked_columns(from, inner, columns, tiles.columns);
            let right = right.unwrap_or_else(|| {
                // SAFETY: the block is within the factor, and the copy large enough for it.
                unsafe { pack_columns(from, inner, columns, tiles.columns, packed_columns) };
                Panels::packed(packed_columns, tiles.columns, inner)
            });
            let mut row = 0;
            while row < m {
                let rows = ROW_BLOCK.min(m - row);
                let from = a.from(row, l);
                let left = unpacked_rows(from, rows, inner).unwrap_or_else(|| {
                    // SAFETY: as above.
                    unsafe { pack_rows(from, rows, inner, packed_rows) };
                    Panels::packed(packed_rows, ROWS, inner)
                });
                let block = c.from(row, column);
                // SAFETY: as above.
                unsafe { multiply_block(&tiles, block, left, right, [rows, columns, inner]) };
                row += ROW_BLOCK;
            }
            l += INNER_BLOCK;
        }
        column += column_block;
    }
}

/// Adds the product of blocks of the factors to a block of the result.
///
/// # Safety
/// As for [`multiply_by_tiles`].
unsafe fn multiply_block<T: Element>(
    tiles: &Tiles<T>,
    c: Matrix<T>,
    all_left: Panels<T>,
    mut right: Panels<T>,
    [rows, columns, inner]: [usize; 3],
) {
    let mut j = 0;
    while j < columns {
        let panel_columns = tiles.columns.min(columns - j);
        let mut left = all_left;
        let mut i = 0;
        while i < rows {
            let panel_rows = ROWS.min(rows - i);
            let c = c.from(i, j);
            let is_whole =
                panel_rows == ROWS && panel_columns == tiles.columns && c.column_stride == 1;
            // SAFETY: by the caller's promise.
            unsafe {
                match is_whole {
                    true => (tiles.compute)(inner, left, right, c.first, c.row_stride),
                    false => {
                        partial_tile(tiles, inner, left, right, c, [panel_rows, panel_columns])
                    }
                }
            }
            left = left.rest();
            i += ROWS;
        }
        right = right.rest();
        j += tiles.columns;
    }
}

/// # Safety
/// All elements of the matrices, `m` by `k` times `k` by `n`, are in memory.
unsafe fn multiply<T: Element>(c: Matrix<T>, a: Matrix<T>, b: Matrix<T>, sizes: [i64; 3]) {
    let [m, n, k] = sizes;
    if m <= 0 || n <= 0 || k <= 0 {
        return;
    }
    let [rows, columns, inner] = [m as usize, n as usize, k as usize];
    let work = (m as u64).saturating_mul(n as u64).saturating_mul(k as u64);
    let result = c.extent(rows, columns);
    let is_apart = |(low, high): (i128, i128)| high <= result.0 || result.1 <= low;
    let packed = match work >= SMALL
        && c.is_injective(rows, columns)
        && is_apart(a.extent(rows, inner))
        && is_apart(b.extent(inner, columns))
    {
        true => scratch::take(SCRATCH_BYTES),
        false => ptr::null_mut(),
    };
    // SAFETY: by the caller's promise and by what was found above.
    unsafe {
        if packed.is_null() {
            multiply_in_order(c, a, b, [rows, columns, inner]);
        } else {
            multiply_by_tiles(c, a, b, [rows, columns, inner], packed.cast());
            scratch::give_back(packed, SCRATCH_BYTES);
        }
    }
}

macro_rules! exports {
    ($($name:ident: $element:ty;)*) => {
        $(
            /// Adds the product of two matrices to a third one: for each the address of the first
            /// element and the strides of rows and columns in elements, the result first; then the
            /// numbers of rows and columns of the result, and of columns of the left factor.
            ///
            /// # Safety
            /// All elements are in memory.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                c: *mut $element,
                c_row_stride: isize,
                c_column_stride: isize,
                a: *mut $element,
                a_row_stride: isize,
                a_column_stride: isize,
                b: *mut $element,
                b_row_stride: isize,
                b_column_stride: isize,
                rows: i64,
                columns: i64,
                inner: i64,
            ) {
                let matrix = |first, row_stride, column_stride| Matrix {
                    first,
                    row_stride,
                    column_stride,
                };
                let c = matrix(c, c_row_stride, c_column_stride);
                let a = matrix(a, a_row_stride, a_column_stride);
                let b = matrix(b, b_row_stride, b_column_stride);
                // SAFETY: by the caller's promise.
                unsafe { multiply(c, a, b, [rows, columns, inner]) };
            }
        )*
    };
}

exports! {
    freehold_matmul_f32: f32;
    freehold_matmul_f64: f64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn numbers(n: usize, seed: u64) -> Vec<f32> {
        let mut state = seed;
        (0..n)
            .map(|_| {
                state = crate::sys::mix(state.wrapping_add(0x9e37_79b9_7f4a_7c15));
                (state >> 40) as f32 / (1 << 23) as f32 - 1.0
            })
            .collect()
    }

    /// Both ways on the same memory, at these offsets with these strides.
    fn check(sizes: [usize; 3], offsets: [usize; 3], strides: [[isize; 2]; 3], seed: u64) {
        let reach = strides
            .iter()
            .map(|[row, column]| (row.unsigned_abs() + column.unsigned_abs()) * 300)
            .max();
        let mut memory = numbers(3 * reach.unwrap_or(0) + 3000, seed);
        let mut expected = memory.clone();
        let run = |memory: &mut [f32], in_order: bool| {
            let at = |i: usize| Matrix {
                first: memory.as_ptr().wrapping_add(offsets[i]).cast_mut(),
                row_stride: strides[i][0],
                column_stride: strides[i][1],
            };
            // SAFETY: the memory is large enough for these sizes and strides.
            unsafe {
                match in_order {
                    true => multiply_in_order(at(0), at(1), at(2), sizes),
                    false => multiply(at(0), at(1), at(2), sizes.map(|size| size as i64)),
                }
            }
        };
        run(&mut memory, false);
        run(&mut expected, true);
        let bits = |memory: &[f32]| memory.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert!(
            bits(&memory) == bits(&expected),
            "{sizes:?} {offsets:?} {strides:?}"
        );
    }

    #[test]
    fn tiles_compute_what_loops_do() {
        for (seed, sizes) in [
            [1, 1, 1],
            [4, 16, 8],
            [5, 17, 9],
            [3, 200, 7],
            [130, 33, 260],
            [64, 64, 64],
            [8, 32, 100],
            [12, 16, 300],
            [68, 16, 70],
            [7, 800, 3],
        ]
        .into_iter()
        .enumerate()
        {
            let [m, n, k] = sizes.map(|size| size as isize);
            let (c, a) = (m * n + 5, m * k + 5);
            let offsets = [0, c as usize, (c + a) as usize];
            check(sizes, offsets, [[n, 1], [k, 1], [n, 1]], seed as u64);
            check(sizes, offsets, [[1, m], [1, m], [1, k]], seed as u64);
            check(sizes, offsets, [[n, 1], [k, 1], [0, 0]], seed as u64);
        }
    }

    #[test]
    fn results_that_overlap_are_computed_in_order() {
        for (seed, distance) in (0..40).enumerate() {
            let strides = [[20, 1], [20, 1], [20, 1]];
            check([10, 20, 20], [0, distance, 900], strides, seed as u64);
            check([10, 20, 20], [distance, 900, 0], strides, seed as u64);
            // Rows of the result that share elements.
            check(
                [10, 20, 20],
                [0, 900, 1800],
                [[3, 1], [20, 1], [20, 1]],
                seed as u64,
            );
            check(
                [10, 20, 20],
                [0, 900, 1800],
                [[0, 1], [20, 1], [20, 1]],
                seed as u64,
            );
        }
        // Backwards.
        check(
            [10, 20, 20],
            [399, 900, 1800],
            [[-20, -1], [20, 1], [20, 1]],
            7,
        );
        check(
            [10, 20, 20],
            [399, 200, 1800],
            [[-20, -1], [20, 1], [20, 1]],
            8,
        );
    }
}
