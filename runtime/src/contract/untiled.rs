//! Contractions without tiles: by dot products, and along elements that are neighbours in result and left factor.

use super::dots::DOTS;
use super::kernels::{Lanes, Number, PITCH};
use super::nest::{LEFT, RESULT, RIGHT};
use super::product::{COLUMN_BLOCK, Product, ROW_BLOCK, Range, Workspace};

impl<T: Number> Product<'_, T> {
    /// Adds the product by dot products: the inner loop is one over neighbours in both factors.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    pub(super) unsafe fn run_dots(&self, rows: Range, columns: Range, memory: *mut u8) {
        let workspace = Workspace::<T>::new(memory);
        let inner = self.inner.total();
        // The few vectors of one factor stay in cache while those of the other pass by.
        let by_rows = rows.end - rows.begin > columns.end - columns.begin;
        let (many, few) = match by_rows {
            true => (
                (&self.rows, LEFT, self.left, rows),
                (&self.columns, RIGHT, self.right, columns),
            ),
            false => (
                (&self.columns, RIGHT, self.right, columns),
                (&self.rows, LEFT, self.left, rows),
            ),
        };
        let (group, operand, from, range) = many;
        let (few_group, few_operand, few_from, few_range) = few;
        let mut first = range.begin;
        while first < range.end {
            let n = COLUMN_BLOCK.min(range.end - first);
            // SAFETY: the tables have room for a block; the rest by the caller's promise.
            unsafe {
                let (vectors, results) = (workspace.right_columns, workspace.result_columns);
                group.offsets(operand, first, n, vectors);
                group.offsets(RESULT, first, n, results);
                let mut j = 0;
                while j < n {
                    let (kernel, at_once) = match n - j >= DOTS {
                        true => (self.kernels.dots[0], DOTS),
                        false => (self.kernels.dots[1], 1),
                    };
                    let (mut starts, mut sums) = ([from; DOTS], [T::ZERO; DOTS]);
                    let (starts, sums) = (starts.as_mut_ptr(), sums.as_mut_ptr());
                    let mut v = 0;
                    while v < at_once {
                        starts
                            .add(v)
                            .write(from.wrapping_offset(vectors.add(j + v).read()));
                        v += 1;
                    }
                    let mut number = few_range.begin;
                    while number < few_range.end {
                        let one = few_from.wrapping_offset(few_group.offset(few_operand, number));
                        let to = self
                            .result
                            .wrapping_offset(few_group.offset(RESULT, number));
                        kernel(inner, one, starts, sums);
                        v = 0;
                        while v < at_once {
                            let to = to.wrapping_offset(results.add(j + v).read());
                            let before = match self.is_new {
                                true => T::ZERO,
                                false => to.read_unaligned(),
                            };
                            to.write_unaligned(before.add(sums.add(v).read()));
                            v += 1;
                        }
                        number += 1;
                    }
                    j += at_once;
                }
            }
            first += COLUMN_BLOCK;
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
