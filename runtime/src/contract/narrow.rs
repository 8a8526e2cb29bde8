//! Contractions of factors whose elements are not those of the result, such as bytes that are added up in
//! `i32`: blocks of them are widened while they are copied into panels, and the same tiles multiply these.
//!
//! Tiles know words: a float, or two or four neighbours of the inner dimension whose products one
//! instruction adds up. The instruction multiplies an unsigned byte by a signed one, so signed bytes of the left
//! factor are raised by 128 and unsigned ones of the right factor lowered by it. What products are off by that and by
//! the zero points of both factors is a multiple of column sums, the bias of a panel, and one of row sums, the bias of
//! a row.

use core::ptr;

use super::integers::{self, Pair, PanelTiles, Quad};
use super::kernels::{Element, Number, PITCH, Task};
use super::nest::{Group, LEFT, RESULT, RIGHT};
use super::product::{
    COLUMN_BLOCK, MIN_RUN, Part, ROW_BLOCK, Range, Workspace, are_neighbours, is_in_runs,
    next_tiles, pack_transposed, run, runs,
};

/// What elements of a factor are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// What those of the result are.
    Same,
    I8,
    U8,
    I16,
    F16,
    Bf16,
    F32,
    F64,
}

/// Bits of flags that say what elements of a factor are.
const KIND_BITS: u32 = 3;

impl Kind {
    /// Of both factors: bits of flags from number three on.
    pub(super) fn of_flags(flags: u64) -> [Self; 2] {
        [3, 3 + KIND_BITS].map(|shift| match flags >> shift & ((1 << KIND_BITS) - 1) {
            0 => Self::Same,
            1 => Self::I8,
            2 => Self::U8,
            3 => Self::I16,
            4 => Self::F16,
            5 => Self::Bf16,
            6 => Self::F32,
            _ => Self::F64,
        })
    }

    /// How large they are.
    pub(super) fn bytes<T>(self) -> usize {
        match self {
            Self::Same => size_of::<T>(),
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::F16 | Self::Bf16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// Where a factor is.
#[derive(Clone, Copy)]
pub(super) struct Factor {
    pub(super) at: *const u8,
    pub(super) kind: Kind,
    /// The number subtracted from each element, if these are integers and those of the result are.
    pub(super) zero: i32,
    bytes: isize,
}

impl Factor {
    pub(super) fn new<T>(at: *const T, kind: Kind, zero: i32) -> Self {
        let bytes = kind.bytes::<T>() as isize;
        Self {
            at: at.cast(),
            kind,
            zero,
            bytes,
        }
    }

    /// Whether elements less their zero have 16 bits.
    pub(super) fn is_short(self) -> bool {
        match self.kind {
            Kind::I8 | Kind::U8 => self.zero.unsigned_abs() <= 255,
            _ => self.zero == 0,
        }
    }

    /// This many elements further.
    pub(super) fn moved(self, n: isize) -> Self {
        let at = self.at.wrapping_offset(n.wrapping_mul(self.bytes));
        Self { at, ..self }
    }

    /// # Safety
    /// The element is in memory.
    pub(super) unsafe fn read<T: Sum>(self) -> T {
        // SAFETY: by the caller's promise.
        unsafe {
            match self.kind {
                Kind::Same => self.at.cast::<T>().read_unaligned(),
                _ => {
                    let mut element = T::NULL;
                    widen(self, &0, 1, None, &mut element);
                    element
                }
            }
        }
    }
}

/// What elements are widened to.
pub(super) trait Lane: Copy + 'static {
    const NULL: Self;
    const IS_FLOAT: bool;
    fn of_integer(number: i16) -> Self;
    fn of_single(number: f32) -> Self;
    fn of_double(number: f64) -> Self;
    /// Less the zero of integers.
    fn less(self, zero: i32) -> Self;
}

macro_rules! lanes {
    ($($lane:ty: $null:literal $is_float:literal |$this:ident, $zero:ident| $less:expr;)*) => {
        $(impl Lane for $lane {
            const NULL: Self = $null;
            const IS_FLOAT: bool = $is_float;
            #[inline(always)]
            fn of_integer(number: i16) -> Self {
                number as Self
            }
            #[inline(always)]
            fn of_single(number: f32) -> Self {
                number as Self
            }
            #[inline(always)]
            fn of_double(number: f64) -> Self {
                number as Self
            }
            #[inline(always)]
            fn less(self, $zero: i32) -> Self {
                let $this = self;
                $less
            }
        })*
    };
}

lanes! {
    u8: 0 false |this, zero| this.wrapping_sub(zero as u8);
    i16: 0 false |this, zero| this.wrapping_sub(zero as i16);
    i32: 0 false |this, zero| this.wrapping_sub(zero);
    f32: 0.0 true |this, _zero| this;
    f64: 0.0 true |this, _zero| this;
}

/// An element as it lies in memory.
trait Source: Copy {
    fn widen<L: Lane>(self) -> L;
}

#[derive(Clone, Copy)]
struct F16(u16);
#[derive(Clone, Copy)]
struct Bf16(u16);

macro_rules! sources {
    ($($source:ty: |$this:ident| $function:ident($value:expr);)*) => {
        $(impl Source for $source {
            #[inline(always)]
            fn widen<L: Lane>(self) -> L {
                let $this = self;
                L::$function($value)
            }
        })*
    };
}

sources! {
    i8: |this| of_integer(this.into());
    u8: |this| of_integer(this.into());
    i16: |this| of_integer(this);
    F16: |this| of_single(single_of_half(this.0));
    Bf16: |this| of_single(f32::from_bits(u32::from(this.0) << 16));
    f32: |this| of_single(this);
    f64: |this| of_double(this);
}

/// Without branches, so that it runs in vectors, and without subnormal `f32`, which the processor may take as zeros.
#[inline(always)]
fn single_of_half(code: u16) -> f32 {
    const INFINITE_OR_NAN: u32 = 0x7c00 << 13;
    const LEAST_NORMAL: u32 = 0x400 << 13;
    const REBIASED: u32 = (127 - 15) << 23;
    let magnitude = u32::from(code & 0x7fff) << 13;
    let special = match magnitude >= INFINITE_OR_NAN {
        true => f32::INFINITY.to_bits(),
        false => 0,
    };
    let of_subnormal = f32::from_bits(magnitude | (LEAST_NORMAL + REBIASED))
        - f32::from_bits(LEAST_NORMAL + REBIASED);
    let number = match magnitude < LEAST_NORMAL {
        true => of_subnormal.to_bits(),
        false => magnitude.wrapping_add(REBIASED),
    };
    f32::from_bits(number | special | u32::from(code & 0x8000) << 16)
}

/// Runs `$body` with the type of elements in memory.
macro_rules! by_kind {
    ($kind:expr, $lane:ty, $source:ident => $body:expr) => {
        by_kind!($kind, $source => $body,
            Kind::I8 => i8, Kind::U8 => u8, Kind::I16 => i16;
            if <$lane>::IS_FLOAT => Kind::F16 => F16, Kind::Bf16 => Bf16, Kind::F32 => f32, Kind::F64 => f64)
    };
    ($kind:expr, $source:ident => $body:expr, $($integer:pat => $of_integer:ty),*;
     if $is_float:expr => $($float:pat => $of_float:ty),*) => {
        match $kind {
            $($integer => {
                type $source = $of_integer;
                $body
            })*
            $($float if $is_float => {
                type $source = $of_float;
                $body
            })*
            _ => {}
        }
    };
}

/// Widens `n` elements at these offsets; `runs` are where pieces of neighbours among them end, if these are
/// long.
///
/// # Safety
/// They are in memory, and there is room for them.
#[inline(always)]
unsafe fn widen<L: Lane>(
    from: Factor,
    offsets: *const isize,
    n: usize,
    runs: Option<(*const isize, usize)>,
    to: *mut L,
) {
    let zero = from.zero;
    by_kind!(from.kind, L, S => {
        let from = from.at.cast::<S>();
        let one_by_one = (core::ptr::null(), 0);
        let (ends, n_runs) = runs.unwrap_or(one_by_one);
        let (mut i, mut piece) = (0, 0);
        // SAFETY: by the caller's promise.
        unsafe {
            while piece < n_runs {
                let end = ends.add(piece).read() as usize;
                let from = from.wrapping_offset(offsets.add(i).read());
                let (to, n) = (to.add(i), end - i);
                let mut j = 0;
                while j < n {
                    to.add(j).write(from.add(j).read_unaligned().widen::<L>().less(zero));
                    j += 1;
                }
                i = end;
                piece += 1;
            }
            while i < n {
                let from = from.wrapping_offset(offsets.add(i).read());
                to.add(i).write(from.read_unaligned().widen::<L>().less(zero));
                i += 1;
            }
        }
    });
}

/// What a tile multiplies and adds up at once.
pub(super) trait Word: Element {
    type Lane: Lane;
    const LANES: usize;
    /// The first lanes of these.
    fn join(lanes: [Self::Lane; 4]) -> Self;
}

impl Word for f32 {
    type Lane = Self;
    const LANES: usize = 1;
    #[inline(always)]
    fn join([first, ..]: [Self; 4]) -> Self {
        first
    }
}

impl Word for f64 {
    type Lane = Self;
    const LANES: usize = 1;
    #[inline(always)]
    fn join([first, ..]: [Self; 4]) -> Self {
        first
    }
}

impl Word for Pair {
    type Lane = i16;
    const LANES: usize = 2;
    #[inline(always)]
    fn join([first, second, ..]: [i16; 4]) -> Self {
        Self(i32::from(first) & 0xffff | i32::from(second) << 16)
    }
}

impl Word for Quad {
    type Lane = u8;
    const LANES: usize = 4;
    #[inline(always)]
    fn join(lanes: [u8; 4]) -> Self {
        let [a, b, c, d] = lanes.map(i32::from);
        Self(a | b << 8 | c << 16 | d << 24)
    }
}

/// Columns that are copied at once.
const PIECE: usize = 16;

/// Where a column is in panels of this width, a power of two, from the first one on.
#[inline(always)]
fn place(column: usize, width: usize) -> usize {
    let within = column & width.wrapping_sub(1);
    (column - within) * PITCH + within
}

/// Copies `n` columns that are neighbours, `inner` elements each, as rows of words that are `width` apart, and into
/// further panels if there are more: rows of the matrix are then read as far as possible at once, because they may be
/// pages apart.
///
/// # Safety
/// They are in memory, and there is room for them.
#[inline(always)]
unsafe fn interleave<W: Word>(
    from: Factor,
    steps: *const isize,
    inner: usize,
    n: usize,
    to: *mut W,
    width: usize,
) {
    let zero = from.zero;
    by_kind!(from.kind, W::Lane, S => {
        let from = from.at.cast::<S>();
        let (mut l, mut to) = (0, to);
        while l < inner {
            // SAFETY: by the caller's promise; pointers into arrays count to their lengths.
            unsafe {
                let present = W::LANES.min(inner - l);
                let row = |lane: usize| from.wrapping_offset(steps.add(l + lane).read());
                let at = |j: usize| to.add(place(j, width));
                let mut j = 0;
                if W::HAS_BIAS && size_of::<S>() == 1 && present == W::LANES {
                    let rows = |j: usize| [0, 1, 2, 3].map(|lane| row(lane).add(j).cast());
                    let zero = zero as u8;
                    let at = |j: usize| at(j).cast::<Quad>();
                    while j + 16 <= n {
                        integers::join_rows::<16>(rows(j), zero, at(j));
                        j += 16;
                    }
                    if j + 8 <= n {
                        integers::join_rows::<8>(rows(j), zero, at(j));
                        j += 8;
                    }
                    if j + 4 <= n {
                        integers::join_rows::<4>(rows(j), zero, at(j));
                        j += 4;
                    }
                }
                while present == W::LANES && PIECE <= width && j + PIECE <= n {
                    let mut words = [W::ZERO; PIECE];
                    let read = |lane: usize| match lane < W::LANES {
                        true => row(lane).add(j).cast::<[S; PIECE]>().read_unaligned(),
                        false => row(0).add(j).cast::<[S; PIECE]>().read_unaligned(),
                    };
                    let rows = [read(0), read(1), read(2), read(3)];
                    let mut i = 0;
                    while i < PIECE {
                        let lane = |lane: usize| {
                            let row = rows.as_ptr().add(lane).cast::<S>();
                            row.add(i).read().widen::<W::Lane>().less(zero)
                        };
                        let word = W::join([lane(0), lane(1), lane(2), lane(3)]);
                        words.as_mut_ptr().add(i).write(word);
                        i += 1;
                    }
                    at(j).cast::<[W; PIECE]>().write_unaligned(words);
                    j += PIECE;
                }
                while j < n {
                    let lane = |lane: usize| match lane < present {
                        true => row(lane).add(j).read_unaligned().widen::<W::Lane>().less(zero),
                        false => W::Lane::NULL,
                    };
                    at(j).write(W::join([lane(0), lane(1), lane(2), lane(3)]));
                    j += 1;
                }
                to = to.wrapping_add(width);
            }
            l += W::LANES;
        }
    });
}

/// Copies this many rows of the left factor, elements of a row next to each other and rows [`PITCH`] words apart.
///
/// # Safety
/// The tables of the workspace describe them.
#[inline(always)]
unsafe fn pack_rows<W: Word>(
    left: Factor,
    workspace: &Workspace<W>,
    [rows, inner]: [usize; 2],
    zero_of_right: i32,
) {
    let (steps, ends) = (workspace.left_inner, workspace.left_runs);
    // SAFETY: by the caller's promise.
    unsafe {
        let n_runs = runs(steps, inner, |run, end| ends.add(run).write(end as isize));
        let runs = (n_runs * MIN_RUN <= inner).then_some((ends.cast_const(), n_runs));
        let mut row = 0;
        while row < rows {
            let from = left.moved(workspace.left_rows.add(row).read());
            let first = workspace.packed_left.add(row * PITCH);
            let to = first.add(first_word::<W>());
            widen_row::<W>(from, steps, inner, runs, to);
            if W::HAS_BIAS {
                let sum = match zero_of_right {
                    0 => 0,
                    _ => sum_of_bytes(to.cast(), inner),
                };
                let bias = sum.wrapping_mul(zero_of_right).wrapping_neg();
                first.cast::<i32>().write(bias);
            }
            row += 1;
        }
    }
}

/// The sum of `n` unsigned bytes.
///
/// # Safety
/// They are in memory.
#[inline(always)]
unsafe fn sum_of_bytes(bytes: *const u8, n: usize) -> i32 {
    let (mut sum, mut i) = (0i32, 0);
    while i < n {
        // SAFETY: by the caller's promise.
        sum = sum.wrapping_add(i32::from(unsafe { bytes.add(i).read() }));
        i += 1;
    }
    sum
}

/// Widens elements to whole words.
///
/// # Safety
/// As for [`widen`].
#[inline(always)]
unsafe fn widen_row<W: Word>(
    from: Factor,
    steps: *const isize,
    inner: usize,
    runs: Option<(*const isize, usize)>,
    to: *mut W,
) {
    let to = to.cast::<W::Lane>();
    // SAFETY: by the caller's promise.
    unsafe {
        widen(from, steps, inner, runs, to);
        let mut missing = inner;
        while missing < inner.next_multiple_of(W::LANES) {
            to.add(missing).write(W::Lane::NULL);
            missing += 1;
        }
    }
}

/// Copies this many columns of the right factor from one on, in a panel of `width`, or in several if all of them are
/// neighbours; missing columns are zero.
///
/// # Safety
/// The tables of the workspace describe them.
#[inline(always)]
unsafe fn pack_columns<W: Word>(
    right: Factor,
    workspace: &Workspace<W>,
    [column, n, width]: [usize; 3],
    inner: usize,
) {
    let steps = workspace.right_inner.cast_const();
    let words = inner.div_ceil(W::LANES);
    let present = n;
    // SAFETY: by the caller's promise.
    unsafe {
        let offsets = workspace.right_columns.add(column);
        let panel = workspace.packed_right.add(column * PITCH);
        let to = panel.add(first_word::<W>() * width);
        if !are_neighbours(offsets, n) && is_in_runs(steps, inner) {
            let ends = workspace.left_runs;
            let n_runs = runs(steps, inner, |run, end| ends.add(run).write(end as isize));
            let mut j = 0;
            while j < n {
                let from = right.moved(offsets.add(j).read());
                let runs = Some((ends.cast_const(), n_runs));
                widen_row::<W>(from, steps, inner, runs, workspace.spare.add(j * PITCH));
                workspace.spare_columns.add(j).write((j * PITCH) as isize);
                j += 1;
            }
            let columns = workspace.spare_columns;
            let counted = workspace.counted;
            return pack_transposed(workspace.spare, columns, n, counted, words, width, to);
        }
        let mut j = 0;
        while j < n {
            let piece = run(1, offsets.add(j), n - j);
            let from = right.moved(offsets.add(j).read());
            interleave::<W>(from, steps, inner, piece, to.add(j), width);
            j += piece;
        }
        let n = n & width.wrapping_sub(1);
        let to = to.add(place(present, width) - n);
        let mut l = 0;
        while l < words && n > 0 {
            let mut j = n;
            while j < width {
                to.add(l * width + j).write(W::ZERO);
                j += 1;
            }
            l += 1;
        }
    }
}

type PackRows<W> = unsafe fn(Factor, &Workspace<W>, [usize; 2], i32);
type PackColumns<W> = unsafe fn(Factor, &Workspace<W>, [usize; 3], usize);

/// The functions above, compiled for a set of instructions.
macro_rules! packing {
    ($name:ident $(, $feature:literal)?) => {
        mod $name {
            use super::{Factor, Word, Workspace};

            /// # Safety
            /// As for [`super::pack_rows`], and the processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn pack_rows<W: Word>(
                left: Factor,
                workspace: &Workspace<W>,
                sizes: [usize; 2],
                zero_of_right: i32,
            ) {
                // SAFETY: by the caller's promise.
                unsafe { super::pack_rows::<W>(left, workspace, sizes, zero_of_right) };
            }

            /// # Safety
            /// As for [`super::pack_columns`], and the processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn pack_columns<W: Word>(
                right: Factor,
                workspace: &Workspace<W>,
                columns: [usize; 3],
                inner: usize,
            ) {
                // SAFETY: by the caller's promise.
                unsafe { super::pack_columns::<W>(right, workspace, columns, inner) };
            }
        }
    };
}

packing!(plain);
#[cfg(target_arch = "x86_64")]
packing!(avx2, "avx2");

fn packers<W: Word>() -> (PackRows<W>, PackColumns<W>) {
    #[cfg(target_arch = "x86_64")]
    if crate::processor::level() >= crate::processor::Level::Avx2 {
        return (avx2::pack_rows, avx2::pack_columns);
    }
    (plain::pack_rows, plain::pack_columns)
}

/// The word of a row or a panel in which elements begin: behind the bias, if there is one.
const fn first_word<W: Word>() -> usize {
    W::HAS_BIAS as usize
}

/// One product, of some rows of the left factor with some columns of the right one.
#[derive(Clone, Copy)]
pub(super) struct Narrow<'a, T> {
    pub(super) result: *mut T,
    pub(super) left: Factor,
    pub(super) right: Factor,
    pub(super) rows: &'a Group,
    pub(super) columns: &'a Group,
    pub(super) inner: &'a Group,
    pub(super) fused: bool,
    /// Whether the result holds nothing yet, which stands for zeros.
    pub(super) is_new: bool,
    /// The numbers still to be subtracted from copied elements of the left and of the right factor.
    pub(super) zeros: [i32; 2],
}

/// Numbers that narrower ones are added up in.
pub(super) trait Sum: Number + Lane {
    /// Adds the product of these rows and columns.
    ///
    /// # Safety
    /// All elements are in memory, and those of the result are apart from each other and from all
    /// others. `memory` is a workspace.
    unsafe fn run_narrow(product: Narrow<'_, Self>, rows: Range, columns: Range, memory: *mut u8);
}

macro_rules! sums_of_floats {
    ($($element:ty)*) => {
        $(impl Sum for $element {
            // SAFETY: As [`Sum::run_narrow`] says.
            unsafe fn run_narrow(
                product: Narrow<'_, Self>,
                rows: Range,
                columns: Range,
                memory: *mut u8,
            ) {
                let sizes = [rows.end - rows.begin, columns.end - columns.begin];
                let kernels = <$element>::kernels(product.fused, sizes);
                // SAFETY: by the caller's promise.
                unsafe { product.run((kernels.columns, kernels.tiles), rows, columns, memory) };
            }
        })*
    };
}

sums_of_floats!(f32 f64);

impl Sum for i32 {
    // SAFETY: As [`Sum::run_narrow`] says.
    unsafe fn run_narrow(product: Narrow<'_, Self>, rows: Range, columns: Range, memory: *mut u8) {
        let n_columns = columns.end - columns.begin;
        let Narrow { left, right, .. } = product;
        let are_bytes = [left, right]
            .iter()
            .all(|factor| matches!(factor.kind, Kind::I8 | Kind::U8));
        // SAFETY: by the caller's promise; words are as large as what they add up to.
        unsafe {
            match integers::quad_tiles(n_columns) {
                Some(tiles) if are_bytes => {
                    let mut product = product.of_words::<Quad>();
                    let raised = match left.kind {
                        Kind::I8 => 128,
                        _ => 0,
                    };
                    let lowered = match right.kind {
                        Kind::U8 => 128,
                        _ => 0,
                    };
                    (product.left.zero, product.right.zero) = (-raised, lowered);
                    product.zeros = [
                        left.zero.wrapping_add(raised),
                        right.zero.wrapping_sub(lowered),
                    ];
                    product.run(tiles, rows, columns, memory);
                }
                _ => {
                    let tiles = integers::pair_tiles(n_columns);
                    let product = product.of_words::<Pair>();
                    product.run(tiles, rows, columns, memory);
                }
            }
        }
    }
}

impl<'a, T> Narrow<'a, T> {
    fn of_words<W>(self) -> Narrow<'a, W> {
        let Self {
            result,
            left,
            right,
            rows,
            columns,
            inner,
            fused,
            is_new,
            zeros,
        } = self;
        Narrow {
            result: result.cast(),
            left,
            right,
            rows,
            columns,
            inner,
            fused,
            is_new,
            zeros,
        }
    }
}

impl<W: Word> Narrow<'_, W> {
    /// # Safety
    /// As for [`Sum::run_narrow`].
    unsafe fn run(
        &self,
        (width, tiles): PanelTiles<W>,
        rows: Range,
        columns: Range,
        memory: *mut u8,
    ) {
        let workspace = Workspace::<W>::new(memory);
        let (pack_rows, pack_columns) = packers::<W>();
        let n_inner = self.inner.total();
        let most_inner = (PITCH - first_word::<W>()) * W::LANES;
        let mut l = 0;
        while l < PITCH {
            // SAFETY: the tables are larger.
            unsafe {
                workspace.packed_steps.add(l).write((l * width) as isize);
                workspace.counted.add(l).write(l as isize);
            }
            l += 1;
        }
        let mut column = columns.begin;
        while column < columns.end {
            let n_columns = COLUMN_BLOCK.min(columns.end - column);
            // SAFETY: the tables have room for a block; the rest by the caller's promise.
            unsafe {
                let (right, result) = (workspace.right_columns, workspace.result_columns);
                self.columns.offsets(RIGHT, column, n_columns, right);
                self.columns.offsets(RESULT, column, n_columns, result);
                let mut l = 0;
                while l < n_inner {
                    let inner = most_inner.min(n_inner - l);
                    self.inner.offsets(LEFT, l, inner, workspace.left_inner);
                    self.inner.offsets(RIGHT, l, inner, workspace.right_inner);
                    let words = inner.div_ceil(W::LANES) + first_word::<W>();
                    let are_neighbours = are_neighbours(right, n_columns);
                    if are_neighbours {
                        pack_columns(self.right, &workspace, [0, n_columns, width], inner);
                    }
                    let mut first = 0;
                    while first < n_columns {
                        let n = width.min(n_columns - first);
                        if !are_neighbours {
                            pack_columns(self.right, &workspace, [first, n, width], inner);
                        }
                        if W::HAS_BIAS {
                            self.add_bias(&workspace, (width, tiles), first, inner);
                        }
                        first += width;
                    }
                    let mut row = rows.begin;
                    while row < rows.end {
                        let n = ROW_BLOCK.min(rows.end - row);
                        self.rows.offsets(LEFT, row, n, workspace.left_rows);
                        self.rows.offsets(RESULT, row, n, workspace.result_rows);
                        pack_rows(self.left, &workspace, [n, inner], self.zeros[1]);
                        let is_new = self.is_new && l == 0;
                        let sizes = [n, n_columns, words];
                        self.multiply_block(&workspace, (width, tiles), sizes, is_new);
                        row += ROW_BLOCK;
                    }
                    l += most_inner;
                }
            }
            column += COLUMN_BLOCK;
        }
    }

    /// Writes the bias of the panel that begins with a column.
    ///
    /// # Safety
    /// The panel was copied, and `W` is [`Quad`].
    unsafe fn add_bias(
        &self,
        workspace: &Workspace<W>,
        (width, tiles): PanelTiles<W>,
        column: usize,
        inner: usize,
    ) {
        let words = inner.div_ceil(W::LANES) + first_word::<W>();
        let [of_left, of_right] = self.zeros;
        let of_both = of_left.wrapping_mul(of_right).wrapping_mul(inner as i32);
        // SAFETY: by the caller's promise; there is room for a row of ones.
        unsafe {
            let panel = workspace.packed_right.add(column * PITCH);
            let bias = panel.cast::<i32>();
            let mut j = 0;
            while j < width {
                bias.add(j).write(0);
                j += 1;
            }
            if of_left == 0 {
                return;
            }
            let ones = workspace.spare;
            ones.cast::<i32>().write(0);
            let mut l = 1;
            while l < words {
                ones.cast::<i32>().add(l).write(0x0101_0101);
                l += 1;
            }
            // What the tile adds up: the sum of each column, in place of the bias, which is zero so far.
            (next_tiles(tiles, 1).pitched)(&Task {
                inner: words,
                left: ones,
                right: panel,
                steps: workspace.packed_steps,
                result: panel,
                result_rows: &0,
                last: width / 2,
                is_new: false,
                packed: ptr::null_mut(),
                ahead: 0,
            });
            j = 0;
            while j < width {
                let sum = bias.add(j).read();
                let excess = sum.wrapping_mul(of_left).wrapping_sub(of_both);
                bias.add(j).write(excess.wrapping_neg());
                j += 1;
            }
        }
    }

    /// Adds the product of a packed block of rows.
    ///
    /// # Safety
    /// As for [`run`](Self::run); all is packed.
    unsafe fn multiply_block(
        &self,
        workspace: &Workspace<W>,
        (width, tiles): PanelTiles<W>,
        [rows, n_columns, words]: [usize; 3],
        is_new: bool,
    ) {
        let mut column = 0;
        while column < n_columns {
            // SAFETY: by the caller's promise.
            unsafe {
                let n = width.min(n_columns - column);
                let offsets = workspace.result_columns.add(column);
                let is_direct = are_neighbours(offsets, n);
                let half = width / 2;
                let mut task = Task {
                    inner: words,
                    left: workspace.packed_left,
                    right: workspace.packed_right.add(column * PITCH),
                    steps: workspace.packed_steps,
                    result: self.result.wrapping_offset(offsets.read()),
                    result_rows: workspace.result_rows,
                    last: match n <= half {
                        true => n,
                        false => n - half,
                    },
                    is_new,
                    packed: ptr::null_mut(),
                    ahead: 0,
                };
                let mut row = 0;
                while row < rows {
                    let tiles = next_tiles(tiles, rows - row);
                    task.left = workspace.packed_left.add(row * PITCH);
                    task.result_rows = workspace.result_rows.add(row);
                    if is_direct {
                        match n <= half {
                            true => (tiles.half)(&task),
                            false => (tiles.pitched)(&task),
                        }
                    } else {
                        let part = Part {
                            result: self.result,
                            n_rows: tiles.rows,
                            columns: offsets,
                            n_columns: n,
                            width,
                        };
                        part.compute(&task, tiles.pitched);
                    }
                    row += tiles.rows;
                }
            }
            column += width;
        }
    }
}
