//! Contractions by tiles: blocks of both factors are copied into the order in which tiles read them, unless
//! they are read so rarely that copies would take longer than they save. Columns that are neighbours in the
//! right factor are copied by the first tile that multiplies them.
//!
//! Copying goes by tables of offsets, so nothing here knows how many loops there are: windows of a
//! convolution are gathered into the same panels as rows of a matrix.

use core::ptr;

use super::kernels::{
    Element, Kernels, MAX_COLUMNS, MAX_ROWS, MAX_RUNS, Number, PITCH, Task, Tile, Tiles,
};
use super::nest::{Group, LEFT, RESULT, RIGHT};
use crate::scratch;

// These choices were measured: benches/results/thresholds.md has rows for each.

/// Rows of a block of the left factor: 168 KB of f32 in the second cache.
pub(super) const ROW_BLOCK: usize = 16 * MAX_ROWS;
/// Columns of a block of the right factor: 384 KB of f32, 768 KB of f64.
pub(super) const COLUMN_BLOCK: usize = 512;
/// A right factor is read where it is if its columns are neighbours and so few tiles of rows read it.
const UNPACKED_ROW_TILES: usize = 2;
/// It is also read where it is if a block of it has at most this many bytes: half of the first
/// cache.
const MAX_UNPACKED_BYTES: usize = 1 << 14;
/// A larger right factor that is read where it is, by at least [`MIN_STREAMING_ROWS`], is multiplied by this many of its
/// rows at a time: the processor fetches that many streams ahead.
const STREAMS: usize = 96;
/// Fewer rows take so few steps that reading and writing results would show.
const MIN_STREAMING_ROWS: usize = 8;
/// How many tiles ahead the cache is asked for a right factor that is read where it is.
const TILES_AHEAD: usize = 2;
/// How many of its rows one or two rows of the left factor are multiplied by at a time, along all columns.
const STREAMS_OF_FEW_ROWS: usize = 8;
/// A right factor of more bytes is not expected in the second cache.
const MAX_RESTING_BYTES: usize = 1 << 20;
/// Results of at most this many bytes stay in the second cache while all columns are multiplied by one copy of the left
/// factor after the other.
const MAX_SHARED_BYTES: usize = 1 << 20;
/// Runs of at most this many contiguous elements are gathered one by one.
pub(super) const MIN_RUN: usize = 8;
/// Copies of more elements than this are a call (`conv_first`, benches/models: runs of nine).
const MAX_INLINE_COPY: usize = 64;

/// One product, of some rows of the left factor with some columns of the right one.
pub(super) struct Product<'a, T: 'static> {
    pub(super) result: *mut T,
    pub(super) left: *const T,
    pub(super) right: *const T,
    pub(super) rows: &'a Group,
    pub(super) columns: &'a Group,
    pub(super) inner: &'a Group,
    pub(super) kernels: &'static Kernels<T>,
    /// Whether the result holds nothing yet, which stands for zeros.
    pub(super) is_new: bool,
}

/// Rows of the left factor times columns of the right one, for part of the inner numbers.
#[derive(Clone, Copy)]
struct Block<T: 'static> {
    rows: usize,
    columns: usize,
    inner: usize,
    /// Whether these are the first rows that these columns are multiplied by.
    is_first: bool,
    /// What copies columns that are neighbours; without it, they are read where they are.
    packing: Option<&'static Tiles<T>>,
    /// Whether inner numbers are mostly neighbours in the right factor.
    has_runs: bool,
    /// As in [`Product`], for this part of the inner numbers.
    is_new: bool,
}

/// From where to where.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) begin: usize,
    pub(super) end: usize,
}

/// Tables of offsets and copies of a block, in one piece of scratch memory.
pub(super) struct Workspace<T> {
    pub(super) left_rows: *mut isize,
    pub(super) result_rows: *mut isize,
    pub(super) left_inner: *mut isize,
    /// Where pieces of neighbours among these end.
    pub(super) left_runs: *mut isize,
    pub(super) right_inner: *mut isize,
    pub(super) right_columns: *mut isize,
    pub(super) result_columns: *mut isize,
    /// Steps of packed columns.
    pub(super) packed_steps: *mut isize,
    pub(super) packed_left: *mut T,
    pub(super) packed_right: *mut T,
    /// Room for one more panel of columns, and where these begin.
    pub(super) spare: *mut T,
    pub(super) spare_columns: *mut isize,
    /// Numbers from zero on.
    pub(super) counted: *mut isize,
}

/// As many entries as a block has rows or columns, or inner numbers of up to four elements to a word.
const TABLE: usize = 4 * PITCH;
const N_TABLES: usize = 10;
/// What a workspace takes for elements of eight bytes.
pub(super) const WORKSPACE_BYTES: usize =
    8 * (TABLE * N_TABLES + (ROW_BLOCK + COLUMN_BLOCK + MAX_COLUMNS) * PITCH);

impl<T> Workspace<T> {
    pub(super) fn new(memory: *mut u8) -> Self {
        let table = |i: usize| memory.cast::<isize>().wrapping_add(i * TABLE);
        let packed_left = table(N_TABLES).cast::<T>();
        let packed_right = packed_left.wrapping_add(ROW_BLOCK * PITCH);
        Self {
            left_rows: table(0),
            result_rows: table(1),
            left_inner: table(2),
            left_runs: table(3),
            right_inner: table(4),
            right_columns: table(5),
            result_columns: table(6),
            packed_steps: table(7),
            spare_columns: table(8),
            counted: table(9),
            packed_left,
            packed_right,
            spare: packed_right.wrapping_add(COLUMN_BLOCK * PITCH),
        }
    }
}

/// Whether `count` offsets are those of neighbours.
///
/// # Safety
/// `count` offsets are readable.
pub(super) unsafe fn are_neighbours(offsets: *const isize, count: usize) -> bool {
    // SAFETY: by the caller's promise.
    count == 0 || unsafe { run(1, offsets, count) } == count
}

/// How many of `count` offsets, one at least, are this far from each other.
///
/// # Safety
/// `count` offsets are readable.
pub(super) unsafe fn run(distance: isize, offsets: *const isize, count: usize) -> usize {
    let mut i = 1;
    while i < count {
        // SAFETY: by the caller's promise.
        unsafe {
            if offsets.add(i).read() != offsets.add(i - 1).read().wrapping_add(distance) {
                break;
            }
        }
        i += 1;
    }
    i
}

/// The number of pieces of neighbours among `count` offsets; `end` is told where each of them ends.
///
/// # Safety
/// `count` offsets are readable.
pub(super) unsafe fn runs(
    offsets: *const isize,
    count: usize,
    mut end: impl FnMut(usize, usize),
) -> usize {
    let (mut runs, mut i) = (0, 1);
    while i <= count {
        // SAFETY: by the caller's promise.
        let goes_on = i < count
            && unsafe { offsets.add(i).read() == offsets.add(i - 1).read().wrapping_add(1) };
        if !goes_on {
            end(runs, i);
            runs += 1;
        }
        i += 1;
    }
    runs
}

/// Whether elements are mostly neighbours.
///
/// # Safety
/// `count` offsets are readable.
pub(super) unsafe fn is_in_runs(offsets: *const isize, count: usize) -> bool {
    // SAFETY: by the caller's promise.
    let n_runs = unsafe { runs(offsets, count, |_, _| {}) };
    n_runs * MIN_RUN <= count
}

/// The tallest of the tiles that have at most this many rows; but two that are equally tall rather than the tallest and
/// one that is so low that its sums wait for each other.
pub(super) fn next_tiles<T>(tiles: &'static [Tiles<T>], rows: usize) -> &'static Tiles<T> {
    if let [tallest, half, ..] = tiles
        && rows == 2 * half.rows
        && rows > tallest.rows
    {
        return half;
    }
    let fits = tiles.iter().find(|tiles| tiles.rows <= rows);
    // SAFETY: there is one, and the last one has one row.
    fits.unwrap_or_else(|| unsafe { tiles.get_unchecked(tiles.len() - 1) })
}

/// How a panel of the left factor lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Panel {
    Pitched,
    Interleaved,
}

impl<T: Number> Product<'_, T> {
    /// Adds the product of these rows and columns.
    ///
    /// # Safety
    /// All elements are in memory, and those of the result are apart from each other and from all
    /// others. `memory` has [`WORKSPACE_BYTES`].
    pub(super) unsafe fn run(&self, rows: Range, mut columns: Range, memory: *mut u8) {
        let workspace = Workspace::<T>::new(memory);
        let n_inner = self.inner.total();
        let width = self.kernels.columns;
        let right_bytes = (columns.end - columns.begin)
            .saturating_mul(n_inner)
            .saturating_mul(size_of::<T>());
        let rests = right_bytes <= MAX_RESTING_BYTES;
        if !rests {
            // SAFETY: by the caller's promise.
            columns.begin = unsafe { self.stream(&workspace, rows, columns) };
        }
        let mut l = 0;
        while l < PITCH.min(n_inner) {
            // SAFETY: the table is larger.
            unsafe { workspace.packed_steps.add(l).write((l * width) as isize) };
            l += 1;
        }
        // Columns that are multiplied by one copy of the left factor.
        let n_rows = rows.end - rows.begin;
        let all = columns.end - columns.begin;
        let bytes = n_rows.saturating_mul(all).saturating_mul(size_of::<T>());
        let shares = n_rows <= ROW_BLOCK && (n_inner <= PITCH || bytes <= MAX_SHARED_BYTES);
        let share = if shares { all } else { COLUMN_BLOCK };
        let streams = !rests
            && n_rows >= MIN_STREAMING_ROWS
            && n_rows <= UNPACKED_ROW_TILES * self.kernels.packing.rows;
        let depth = if streams { STREAMS } else { PITCH };
        let mut first = columns.begin;
        while first < columns.end {
            let end = columns.end.min(first + share);
            let mut l = 0;
            while l < n_inner {
                let inner = depth.min(n_inner - l);
                let is_new = self.is_new && l == 0;
                let mut copied = None;
                let mut column = first;
                // SAFETY: the tables have room for a block; the rest by the caller's promise.
                unsafe {
                    self.inner.offsets(LEFT, l, inner, workspace.left_inner);
                    self.inner.offsets(RIGHT, l, inner, workspace.right_inner);
                    while column < end {
                        let n_columns = COLUMN_BLOCK.min(end - column);
                        if shares || l == 0 {
                            let (right, result) =
                                (workspace.right_columns, workspace.result_columns);
                            self.columns.offsets(RIGHT, column, n_columns, right);
                            self.columns.offsets(RESULT, column, n_columns, result);
                        }
                        let sizes = [n_columns, inner];
                        self.multiply_panel(&workspace, rows, sizes, is_new, &mut copied);
                        column += COLUMN_BLOCK;
                    }
                }
                l += depth;
            }
            first = end;
        }
    }

    /// Adds the product of one or two rows with columns that are neighbours in right factor and result, in the order in
    /// which the right factor lies in memory; the first of the columns that are left.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    unsafe fn stream(&self, workspace: &Workspace<T>, rows: Range, columns: Range) -> usize {
        let n_rows = rows.end - rows.begin;
        let mut all = self.kernels.wide.iter();
        let is_line = |operand| self.columns.len() == 1 && self.columns.dim(0).stride(operand) == 1;
        let Some(wide) = all.find(|wide| wide.rows == n_rows && is_line(RIGHT) && is_line(RESULT))
        else {
            return columns.begin;
        };
        let n_columns = columns.end - columns.begin;
        let end = columns.end - n_columns.checked_rem(wide.columns).unwrap_or(n_columns);
        let n_inner = self.inner.total();
        let mut l = 0;
        // SAFETY: by the caller's promise; the tables have room.
        unsafe {
            (self.rows).offsets(LEFT, rows.begin, n_rows, workspace.left_rows);
            (self.rows).offsets(RESULT, rows.begin, n_rows, workspace.result_rows);
            while l < n_inner && columns.begin < end {
                let inner = STREAMS_OF_FEW_ROWS.min(n_inner - l);
                self.inner.offsets(LEFT, l, inner, workspace.left_inner);
                self.inner.offsets(RIGHT, l, inner, workspace.right_inner);
                self.pack_rows(workspace, n_rows, inner);
                // From the end of these rows, what is ahead begins where the next ones do.
                let first = workspace.right_inner.read();
                let next = self.inner.offset(RIGHT, (l + inner).min(n_inner - 1));
                let ahead = TILES_AHEAD * wide.columns;
                let wrapped = next.wrapping_sub(first) as usize;
                let mut column = columns.begin;
                while column < end {
                    (wide.tile)(&Task {
                        inner,
                        left: workspace.packed_left,
                        right: self.right.wrapping_add(column),
                        steps: workspace.right_inner,
                        result: self.result.wrapping_add(column),
                        result_rows: workspace.result_rows,
                        last: self.kernels.columns / 2,
                        is_new: self.is_new && l == 0,
                        packed: ptr::null_mut(),
                        ahead: match column + ahead < end {
                            true => ahead,
                            false => wrapped
                                .wrapping_add(ahead)
                                .wrapping_sub(end - columns.begin),
                        },
                    });
                    column += wide.columns;
                }
                l += STREAMS_OF_FEW_ROWS;
            }
        }
        end
    }

    /// Adds the product with a block of the right factor. If all rows are one block, these are copied unless they were
    /// `copied` for other columns.
    ///
    /// # Safety
    /// As for [`run`](Self::run); the tables describe the block.
    unsafe fn multiply_panel(
        &self,
        workspace: &Workspace<T>,
        rows: Range,
        [columns, inner]: [usize; 2],
        is_new: bool,
        copied: &mut Option<Panel>,
    ) {
        let is_small = columns * inner * size_of::<T>() <= MAX_UNPACKED_BYTES;
        let n_rows = rows.end - rows.begin;
        let packing = &self.kernels.packing;
        let packs = !is_small && n_rows > UNPACKED_ROW_TILES * packing.rows;
        // SAFETY: by the caller's promise.
        let has_runs = unsafe { is_in_runs(workspace.right_inner, inner) };
        let mut row = rows.begin;
        while row < rows.end {
            let block = Block {
                rows: ROW_BLOCK.min(rows.end - row),
                columns,
                inner,
                is_first: row == rows.begin,
                packing: packs.then_some(packing),
                has_runs,
                is_new,
            };
            // SAFETY: by the caller's promise.
            unsafe {
                let panel = match *copied {
                    Some(panel) if n_rows <= ROW_BLOCK => panel,
                    _ => {
                        (self.rows).offsets(LEFT, row, block.rows, workspace.left_rows);
                        (self.rows).offsets(RESULT, row, block.rows, workspace.result_rows);
                        self.pack_rows(workspace, block.rows, inner)
                    }
                };
                *copied = Some(panel);
                self.multiply_block(workspace, block, panel);
            }
            row += ROW_BLOCK;
        }
    }

    /// Copies a block of the left factor: rows of [`PITCH`] elements where elements of a row are
    /// neighbours, and otherwise, if elements of a column are, in panels of a tile.
    ///
    /// # Safety
    /// As for [`multiply_panel`](Self::multiply_panel).
    unsafe fn pack_rows(&self, workspace: &Workspace<T>, rows: usize, inner: usize) -> Panel {
        let steps = workspace.left_inner;
        // SAFETY: by the caller's promise.
        unsafe {
            let ends = workspace.left_runs;
            let n_runs = runs(steps, inner, |run, end| ends.add(run).write(end as isize));
            let has_runs = n_runs * MIN_RUN <= inner;
            if !has_runs && is_in_runs(workspace.left_rows, rows) {
                let mut row = 0;
                while row < rows {
                    let height = next_tiles(self.kernels.tiles, rows - row).rows;
                    self.pack_interleaved(workspace, row, height, inner);
                    row += height;
                }
                return Panel::Interleaved;
            }
            let mut row = 0;
            while row < rows {
                let from = self
                    .left
                    .wrapping_offset(workspace.left_rows.add(row).read());
                let to = workspace.packed_left.add(row * PITCH);
                match has_runs {
                    true => copy_runs(from, steps, ends, n_runs, to),
                    false => gather(from, steps, inner, to),
                }
                row += 1;
            }
        }
        Panel::Pitched
    }

    /// Copies a panel of `height` rows, column after column.
    ///
    /// # Safety
    /// As for [`pack_rows`](Self::pack_rows).
    unsafe fn pack_interleaved(
        &self,
        workspace: &Workspace<T>,
        row: usize,
        height: usize,
        inner: usize,
    ) {
        // SAFETY: by the caller's promise.
        unsafe {
            let offsets = workspace.left_rows.add(row);
            let is_run = are_neighbours(offsets, height);
            let mut to = workspace.packed_left.add(row * PITCH);
            let first = self.left.wrapping_offset(offsets.read());
            let steps = workspace.left_inner;
            match (is_run, height) {
                (true, 4) => return interleave::<T, 4>(first, steps, inner, to),
                (true, 8) => return interleave::<T, 8>(first, steps, inner, to),
                _ => {}
            }
            let mut l = 0;
            while l < inner {
                let step = steps.add(l).read();
                match is_run {
                    true => copy(first.wrapping_offset(step), height, to),
                    false => gather(self.left.wrapping_offset(step), offsets, height, to),
                }
                to = to.add(height);
                l += 1;
            }
        }
    }

    /// Copies the panel of `n` columns of the right factor from one on. Columns that are not there are zero.
    ///
    /// # Safety
    /// As for [`multiply_panel`](Self::multiply_panel).
    unsafe fn pack_columns(
        &self,
        workspace: &Workspace<T>,
        column: usize,
        n: usize,
        block: Block<T>,
    ) {
        let (width, inner) = (self.kernels.columns, block.inner);
        let steps = workspace.right_inner;
        // SAFETY: by the caller's promise.
        unsafe {
            let offsets = workspace.right_columns.add(column);
            let mut to = workspace.packed_right.add(column * PITCH);
            if block.has_runs && !are_neighbours(offsets, n) {
                return pack_transposed(self.right, offsets, n, steps, inner, width, to);
            }
            self.pack_pieces(offsets, n, steps, inner, to);
            let mut l = 0;
            while l < inner && n < width {
                clear(to.add(n), width - n);
                to = to.add(width);
                l += 1;
            }
        }
    }

    /// Copies `n` columns that come in pieces of neighbours, or of every second element.
    ///
    /// # Safety
    /// As for [`multiply_panel`](Self::multiply_panel).
    unsafe fn pack_pieces(
        &self,
        offsets: *const isize,
        n: usize,
        steps: *const isize,
        inner: usize,
        to: *mut T,
    ) {
        let width = self.kernels.columns;
        let piece = &self.kernels.piece;
        let mut column = 0;
        while column < n {
            // SAFETY: by the caller's promise.
            unsafe {
                let (offsets, to) = (offsets.add(column), to.add(column));
                let from = self.right.wrapping_offset(offsets.read());
                let most = piece.columns.min(n - column);
                let [neighbours, seconds] = [1, 2].map(|distance| run(distance, offsets, most));
                let room = width - column;
                if neighbours < most
                    && seconds < most
                    && room >= piece.columns
                    && self.pack_runs(offsets, most, steps, inner, to)
                {
                    column += most;
                    continue;
                }
                // The columns that follow write over what is behind these.
                let (part, copied) = match neighbours >= seconds {
                    true => (piece.first_neighbours, neighbours),
                    false => (piece.first_of_every_second, seconds),
                };
                match () {
                    () if neighbours == piece.columns => {
                        (piece.neighbours)(inner, from, steps, to, width);
                    }
                    () if seconds == piece.columns => {
                        (piece.every_second)(inner, from, steps, to, width);
                    }
                    () => part(inner, from, steps, to, width, copied, room),
                }
                column += copied;
            }
        }
    }

    /// Copies `n` columns that are a few runs of neighbours, at most a register; whether they are.
    ///
    /// # Safety
    /// As for [`multiply_panel`](Self::multiply_panel); there is room for a register in each row.
    unsafe fn pack_runs(
        &self,
        offsets: *const isize,
        n: usize,
        steps: *const isize,
        inner: usize,
        to: *mut T,
    ) -> bool {
        let Some(by_runs) = &self.kernels.piece.runs else {
            return false;
        };
        let (mut from, mut ends) = ([self.right; MAX_RUNS], [n; MAX_RUNS]);
        let (mut runs, mut end) = (0, 0);
        while end < n {
            if runs == MAX_RUNS {
                return false;
            }
            // SAFETY: by the caller's promise; there are fewer runs than places for them.
            unsafe {
                let offsets = offsets.add(end);
                let begin = self.right.wrapping_offset(offsets.read());
                end += run(1, offsets, n - end);
                from.as_mut_ptr().add(runs).write(begin);
                ends.as_mut_ptr().add(runs).write(end);
            }
            runs += 1;
        }
        let Some(pack) = runs.checked_sub(2).and_then(|i| by_runs.get(i)) else {
            return false;
        };
        // SAFETY: by the caller's promise.
        unsafe { pack(inner, &from, &ends, steps, to, self.kernels.columns) };
        true
    }

    /// Whether an operand's `count` columns at these offsets are neighbours.
    ///
    /// # Safety
    /// There are this many offsets.
    unsafe fn are_neighbours(&self, operand: usize, offsets: *const isize, count: usize) -> bool {
        let are_all = self.columns.len() == 1 && self.columns.dim(0).stride(operand) == 1;
        // SAFETY: by the caller's promise.
        are_all || unsafe { are_neighbours(offsets, count) }
    }

    /// Adds the product of a packed block of rows.
    ///
    /// # Safety
    /// As for [`multiply_panel`](Self::multiply_panel); columns that do not stay are packed unless these are
    /// the first rows.
    unsafe fn multiply_block(&self, workspace: &Workspace<T>, block: Block<T>, panel: Panel) {
        let width = self.kernels.columns;
        let mut column = 0;
        // SAFETY: by the caller's promise.
        unsafe {
            while column < block.columns {
                if panel == Panel::Pitched && block.packing.is_none() {
                    let wide = self.multiply_wide(workspace, column, block);
                    if wide != 0 {
                        column += wide;
                        continue;
                    }
                }
                let n = width.min(block.columns - column);
                let result_offsets = workspace.result_columns.add(column);
                let right_offsets = workspace.right_columns.add(column);
                let is_direct = self.are_neighbours(RESULT, result_offsets, n);
                let half = width / 2;
                let is_half = is_direct && n <= half && panel == Panel::Pitched;
                let packed = workspace.packed_right.add(column * PITCH);
                let mut task = Task {
                    inner: block.inner,
                    left: workspace.packed_left,
                    right: packed,
                    steps: workspace.packed_steps,
                    result: self.result.wrapping_offset(result_offsets.read()),
                    result_rows: workspace.result_rows,
                    last: match (is_direct, n <= half) {
                        (false, _) => half,
                        (true, true) => n,
                        (true, false) => n - half,
                    },
                    is_new: block.is_new,
                    packed,
                    ahead: 0,
                };
                let mut packing = None;
                if block.packing.is_none() || block.is_first {
                    // A tile of half as many columns reads no more than these.
                    let is_whole = n == width || is_half && n == half && block.packing.is_none();
                    if is_whole && self.are_neighbours(RIGHT, right_offsets, n) {
                        task.right = self.right.wrapping_offset(right_offsets.read());
                        task.steps = workspace.right_inner;
                        task.ahead = TILES_AHEAD * width;
                        packing = block.packing;
                    } else {
                        self.pack_columns(workspace, column, n, block);
                    }
                }
                let mut row = 0;
                while row < block.rows {
                    let plain = || next_tiles(self.kernels.tiles, block.rows - row);
                    let tiles = packing.unwrap_or_else(plain);
                    let tile = match panel {
                        Panel::Pitched if is_half => tiles.half,
                        Panel::Pitched => tiles.pitched,
                        Panel::Interleaved => tiles.interleaved,
                    };
                    task.left = workspace.packed_left.add(row * PITCH);
                    task.result_rows = workspace.result_rows.add(row);
                    if is_direct && (is_half || n > half) {
                        tile(&task);
                    } else {
                        let part = Part {
                            result: self.result,
                            n_rows: tiles.rows,
                            columns: result_offsets,
                            n_columns: n,
                            width,
                        };
                        part.compute(&task, tile);
                    }
                    // The next columns are on their way.
                    task.ahead = 0;
                    if packing.take().is_some() {
                        task.right = packed;
                        task.steps = workspace.packed_steps;
                    }
                    row += tiles.rows;
                }
                column += width;
            }
        }
    }

    /// Adds the product of one or two rows with many columns from one on, if they are neighbours in both
    /// factor and result; the number of columns, or zero.
    ///
    /// # Safety
    /// As for [`multiply_block`](Self::multiply_block).
    unsafe fn multiply_wide(
        &self,
        workspace: &Workspace<T>,
        column: usize,
        block: Block<T>,
    ) -> usize {
        let mut all = self.kernels.wide.iter();
        let Some(wide) = all.find(|wide| wide.rows == block.rows) else {
            return 0;
        };
        let n = wide.columns;
        // SAFETY: by the caller's promise.
        unsafe {
            let result = workspace.result_columns.wrapping_add(column);
            let right = workspace.right_columns.wrapping_add(column);
            if block.columns - column < n || !are_neighbours(result, n) || !are_neighbours(right, n)
            {
                return 0;
            }
            (wide.tile)(&Task {
                inner: block.inner,
                left: workspace.packed_left,
                right: self.right.wrapping_offset(right.read()),
                steps: workspace.right_inner,
                result: self.result.wrapping_offset(result.read()),
                result_rows: workspace.result_rows,
                last: self.kernels.columns / 2,
                is_new: block.is_new,
                packed: ptr::null_mut(),
                ahead: 0,
            });
        }
        n
    }
}

/// A part of the result that is smaller than a tile, or whose columns are no neighbours.
pub(super) struct Part<T> {
    pub(super) result: *mut T,
    pub(super) n_rows: usize,
    pub(super) columns: *const isize,
    pub(super) n_columns: usize,
    pub(super) width: usize,
}

impl<T: Element> Part<T> {
    /// Lets `tile` do a task for these rows on a copy.
    ///
    /// # Safety
    /// The elements are in memory; the rest is as for the tile.
    pub(super) unsafe fn compute(&self, task: &Task<T>, tile: Tile<T>) {
        let mut whole = [T::ZERO; MAX_ROWS * MAX_COLUMNS];
        let mut rows = [0isize; MAX_ROWS];
        let (whole, rows) = (whole.as_mut_ptr(), rows.as_mut_ptr());
        let result_row = |r: usize| {
            // SAFETY: by the caller's promise.
            let offset = unsafe { task.result_rows.add(r).read() };
            self.result.wrapping_offset(offset)
        };
        // SAFETY: by the caller's promise; the copy is as large as the largest tile.
        unsafe {
            let mut r = 0;
            while r < self.n_rows {
                rows.add(r).write((r * self.width) as isize);
                if !task.is_new {
                    let to = whole.add(r * self.width);
                    gather(result_row(r), self.columns, self.n_columns, to);
                }
                r += 1;
            }
            tile(&Task {
                result: whole,
                result_rows: rows,
                last: self.width / 2,
                ..*task
            });
            r = 0;
            while r < self.n_rows {
                let to = result_row(r);
                let mut j = 0;
                while j < self.n_columns {
                    let element = whole.add(r * self.width + j).read();
                    to.wrapping_offset(self.columns.add(j).read())
                        .write_unaligned(element);
                    j += 1;
                }
                r += 1;
            }
        }
    }
}

/// Copies `n` neighbours.
///
/// # Safety
/// `n` elements are readable at `from` and writable at `to`, without overlap.
unsafe fn copy<T: Element>(from: *const T, n: usize, to: *mut T) {
    // SAFETY: by the caller's promise; copies are made in new memory.
    unsafe {
        match n {
            0 => {}
            1 => copy_pieces::<T, 1>(from, n, to),
            2 | 3 => copy_pieces::<T, 2>(from, n, to),
            4..8 => copy_pieces::<T, 4>(from, n, to),
            8..=MAX_INLINE_COPY => copy_pieces::<T, 8>(from, n, to),
            _ => ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast(), n * size_of::<T>()),
        }
    }
}

/// Copies `n` neighbours by pieces.
///
/// # Safety
/// As for [`copy`]; there is one piece at least.
unsafe fn copy_pieces<T: Element, const PIECE: usize>(from: *const T, n: usize, to: *mut T) {
    // SAFETY: by the caller's promise.
    unsafe {
        let piece = |i: usize| {
            let piece = from.add(i).cast::<[T; PIECE]>().read_unaligned();
            to.add(i).cast::<[T; PIECE]>().write_unaligned(piece);
        };
        let mut i = 0;
        while i + PIECE <= n {
            piece(i);
            i += PIECE;
        }
        // The last ones, some of them again.
        piece(n - PIECE);
    }
}

/// Copies `N` neighbours at each of `n` offsets, one behind the other.
///
/// # Safety
/// `n` offsets and the elements there are readable, and as many elements writable at `to`.
unsafe fn interleave<T: Element, const N: usize>(
    from: *const T,
    offsets: *const isize,
    n: usize,
    to: *mut T,
) {
    let mut i = 0;
    while i < n {
        // SAFETY: by the caller's promise.
        unsafe {
            let piece = from.wrapping_offset(offsets.add(i).read());
            let piece = piece.cast::<[T; N]>().read_unaligned();
            to.add(i * N).cast::<[T; N]>().write_unaligned(piece);
        }
        i += 1;
    }
}

/// Copies the elements at `n` offsets.
///
/// # Safety
/// `n` offsets and the elements there are readable, and `n` elements writable at `to`.
unsafe fn gather<T: Element>(from: *const T, offsets: *const isize, n: usize, to: *mut T) {
    let mut i = 0;
    while i < n {
        // SAFETY: by the caller's promise.
        unsafe {
            let element = from.wrapping_offset(offsets.add(i).read()).read_unaligned();
            to.add(i).write(element);
        }
        i += 1;
    }
}

/// Copies the elements at offsets that are those of neighbours until each of these ends.
///
/// # Safety
/// `n` ends, the offsets up to the last of them and the elements there are readable, and as many elements writable at `to`.
unsafe fn copy_runs<T: Element>(
    from: *const T,
    offsets: *const isize,
    ends: *const isize,
    n: usize,
    to: *mut T,
) {
    let (mut run, mut begin) = (0, 0);
    while run < n {
        // SAFETY: by the caller's promise.
        unsafe {
            let end = ends.add(run).read() as usize;
            let from = from.wrapping_offset(offsets.add(begin).read());
            copy(from, end - begin, to.add(begin));
            begin = end;
        }
        run += 1;
    }
}

/// Writes zeros, a few mostly: a call for each would show (`mixture`, benches/models).
///
/// # Safety
/// `n` elements are writable at `to`.
unsafe fn clear<T: Element>(to: *mut T, n: usize) {
    const PIECE: usize = 4;
    // SAFETY: by the caller's promise.
    unsafe {
        let piece = |i: usize| {
            to.add(i)
                .cast::<[T; PIECE]>()
                .write_unaligned([T::ZERO; PIECE])
        };
        if n >= PIECE {
            let mut i = 0;
            while i + PIECE <= n {
                piece(i);
                i += PIECE;
            }
            // The last ones, some of them again.
            piece(n - PIECE);
            return;
        }
        if n & 2 != 0 {
            to.cast::<[T; 2]>().write_unaligned([T::ZERO; 2]);
        }
        if n & 1 != 0 {
            to.add(n - 1).write_unaligned(T::ZERO);
        }
    }
}

/// Copies `n` columns whose elements are mostly neighbours, row after row of `width`.
///
/// # Safety
/// `n` columns, `inner` steps and the elements there are readable, and `inner` rows of `width` elements writable at `to`.
pub(super) unsafe fn pack_transposed<T: Element>(
    from: *const T,
    columns: *const isize,
    n: usize,
    steps: *const isize,
    inner: usize,
    width: usize,
    to: *mut T,
) {
    // SAFETY: by the caller's promise.
    unsafe {
        let mut l = 0;
        while l < inner {
            // Squares of four times four: reads and writes are then whole pieces of cache lines.
            let height = match l + 4 <= inner && are_neighbours(steps.add(l), 4) {
                true => 4,
                false => 1,
            };
            let from = from.wrapping_offset(steps.add(l).read());
            let to = to.add(l * width);
            let mut j = 0;
            while height == 4 && j + 4 <= n {
                let column = |i: usize| from.wrapping_offset(columns.add(j + i).read());
                let read = |i: usize| column(i).cast::<[T; 4]>().read_unaligned();
                let square = [read(0), read(1), read(2), read(3)];
                let [
                    [a0, a1, a2, a3],
                    [b0, b1, b2, b3],
                    [c0, c1, c2, c3],
                    [d0, d1, d2, d3],
                ] = square;
                let write = |i: usize, row: [T; 4]| {
                    to.add(i * width + j).cast::<[T; 4]>().write_unaligned(row);
                };
                write(0, [a0, b0, c0, d0]);
                write(1, [a1, b1, c1, d1]);
                write(2, [a2, b2, c2, d2]);
                write(3, [a3, b3, c3, d3]);
                j += 4;
            }
            while j < n {
                let column = from.wrapping_offset(columns.add(j).read());
                let mut i = 0;
                while i < height {
                    let element = column.wrapping_add(i).read_unaligned();
                    to.add(i * width + j).write(element);
                    i += 1;
                }
                j += 1;
            }
            let mut i = 0;
            while i < height {
                clear(to.add(i * width + n), width - n);
                i += 1;
            }
            l += height;
        }
    }
}

/// Memory for a workspace; null if there is none.
pub(super) fn take_workspace() -> *mut u8 {
    scratch::take(WORKSPACE_BYTES)
}

/// # Safety
/// It was taken by [`take_workspace`] and is not used any more.
pub(super) unsafe fn give_back_workspace(memory: *mut u8) {
    // SAFETY: by the caller's promise.
    unsafe { scratch::give_back(memory, WORKSPACE_BYTES) };
}
