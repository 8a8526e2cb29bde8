//! Contractions without tiles: by dot products, by sums of multiples of vectors, and along elements that are neighbours in
//! result and left factor.

use super::Few;
use super::dots::Dots;
use super::gaxpy::Gaxpy;
use super::kernels::{Lanes, Number, PITCH};
use super::nest::{LEFT, RESULT, RIGHT};
use super::product::{COLUMN_BLOCK, Product, ROW_BLOCK, Range, Workspace};

impl<T: Number> Product<'_, T> {
    /// Adds the product by dot products: the inner loop is one over neighbours in the factor of many vectors, and the few of
    /// the other one are copied where they are no neighbours.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    pub(super) unsafe fn run_dots(&self, few: Few, rows: Range, columns: Range, memory: *mut u8) {
        let workspace = Workspace::<T>::new(memory);
        let of_rows = (&self.rows, LEFT, self.left, rows);
        let of_columns = (&self.columns, RIGHT, self.right, columns);
        // The few vectors of one factor stay in cache while those of the other pass by.
        let (few, many) = match few {
            Few::Rows => (of_rows, of_columns),
            Few::Columns => (of_columns, of_rows),
        };
        let (group, operand, many, range) = many;
        let (few_group, few_operand, mut few, few_range) = few;
        let n_few = few_range.end - few_range.begin;
        let inner = self.inner.dim(0);
        let (size, step) = (inner.size, inner.stride(few_operand));
        // SAFETY: there are at most `MAX_DOT_ROWS` of them; copies have room for `MAX_COPIED` elements.
        unsafe {
            few_group.offsets(few_operand, few_range.begin, n_few, workspace.left_rows);
            few_group.offsets(RESULT, few_range.begin, n_few, workspace.result_rows);
            if step != 1 {
                let mut v = 0;
                while v < n_few {
                    let from = few.wrapping_offset(workspace.left_rows.add(v).read());
                    let mut i = 0;
                    while i < size {
                        let element = from.wrapping_offset(step.wrapping_mul(i as isize));
                        let to = workspace.packed_left.add(v * size + i);
                        to.write(element.read_unaligned());
                        i += 1;
                    }
                    workspace.left_rows.add(v).write((v * size) as isize);
                    v += 1;
                }
                few = workspace.packed_left;
            }
        }
        let mut first = range.begin;
        while first < range.end {
            let n_many = COLUMN_BLOCK.min(range.end - first);
            // SAFETY: the tables have room for a block; the rest by the caller's promise.
            unsafe {
                group.offsets(operand, first, n_many, workspace.right_columns);
                group.offsets(RESULT, first, n_many, workspace.result_columns);
                (self.kernels.dots)(&Dots {
                    inner: size,
                    is_new: self.is_new,
                    many,
                    many_steps: workspace.right_columns,
                    n_many,
                    few,
                    few_steps: workspace.left_rows,
                    n_few,
                    result: self.result,
                    result_of_many: workspace.result_columns,
                    result_of_few: workspace.result_rows,
                });
            }
            first += COLUMN_BLOCK;
        }
    }

    /// Adds the product row by row, each a sum of multiples of rows of the right factor, whose columns are neighbours there and
    /// in the result.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    pub(super) unsafe fn run_gaxpy(&self, rows: Range, columns: Range) {
        let inner = self.inner.dim(0);
        let mut row = rows.begin;
        while row < rows.end {
            let from = self.left.wrapping_offset(self.rows.offset(LEFT, row));
            let to = self.result.wrapping_offset(self.rows.offset(RESULT, row));
            // SAFETY: by the caller's promise.
            unsafe {
                (self.kernels.gaxpy)(&Gaxpy {
                    inner: inner.size,
                    is_new: self.is_new,
                    factors: from,
                    factor_step: inner.stride(LEFT),
                    vectors: self.right.wrapping_add(columns.begin),
                    vector_step: inner.stride(RIGHT),
                    n: columns.end - columns.begin,
                    result: to.wrapping_add(columns.begin),
                });
            }
            row += 1;
        }
    }

    /// The same for elements that are neighbours in the result and the left factor, `n` of them at each row.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    pub(super) unsafe fn run_lanes(&self, n: usize, is_splat: bool, rows: Range, memory: *mut u8) {
        let workspace = Workspace::<T>::new(memory);
        let n_inner = self.inner.total();
        let [four, one] = match is_splat {
            true => self.kernels.splat_lanes,
            false => self.kernels.lanes,
        };
        let mut row = rows.begin;
        while row < rows.end {
            let n_rows = ROW_BLOCK.min(rows.end - row);
            // SAFETY: the tables have room for a block; the rest by the caller's promise.
            unsafe {
                self.rows.offsets(LEFT, row, n_rows, workspace.left_rows);
                self.rows
                    .offsets(RESULT, row, n_rows, workspace.result_rows);
                let mut l = 0;
                while l < n_inner {
                    let inner = PITCH.min(n_inner - l);
                    self.inner.offsets(LEFT, l, inner, workspace.left_inner);
                    self.inner.offsets(RIGHT, l, inner, workspace.right_inner);
                    let mut r = 0;
                    while r < n_rows {
                        let task = Lanes {
                            n,
                            inner,
                            is_new: self.is_new && l == 0,
                            left: self.left,
                            left_steps: workspace.left_inner,
                            right: self.right,
                            right_steps: workspace.right_inner,
                            result: self.result,
                            left_rows: workspace.left_rows.add(r),
                            result_rows: workspace.result_rows.add(r),
                        };
                        let (kernel, height) = match n_rows - r >= 4 {
                            true => (four, 4),
                            false => (one, 1),
                        };
                        kernel(&task);
                        r += height;
                    }
                    l += PITCH;
                }
            }
            row += ROW_BLOCK;
        }
    }
}
