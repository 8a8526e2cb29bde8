//! Cholesky, triangular solves, and the custom calls of linear algebra.
//!
//! All of them go through batches one matrix at a time. Large matrices are worked on in blocks of [`BLOCK`] columns: a
//! panel by loops, which keep it transposed so that they go along memory, and the rest by contractions.

mod eig;
mod eigh;
mod lu;
mod qr;
mod svd;
mod sweeps;

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::linalg;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::stablehlo::attributes::Transpose;
use freehold_frontend::dialects::stablehlo::products as rows;
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::build::{Generic, element, map, projection, shape, sizes};
use super::formula::{
    F, as_size, at, cast_shape, is_complex, mapped, nest, new, number_of, part, put, repeat_by,
    set, size, take, update, x,
};
use super::products::converted;
use super::requirements;
use super::stablehlo_legalize_to_linalg::{Lower, Row, Unsupported};

pub(super) const ROWS: &[Row] = &[
    (&rows::CHOLESKY, cholesky),
    (&rows::TRIANGULAR_SOLVE, triangular_solve),
];

/// Targets of custom calls: those that JAX emits for a platform without LAPACK.
pub(super) const CUSTOM_CALLS: &[(&str, Lower)] = &[
    ("Eig", eig::lower),
    ("Eigh", eigh::lower),
    ("LuDecomposition", lu::lower),
    (
        "ProductOfElementaryHouseholderReflectors",
        qr::lower_product,
    ),
    ("Qr", qr::lower),
    ("Svd", svd::lower),
];

/// Columns of a panel.
const BLOCK: i64 = 32;

/// Whether all operands and results have at least two dimensions less `vectors` and floats that are computed with.
fn expect_numbers(ir: &Ir, op: Op) -> Result<(), Unsupported> {
    let context = ir.context();
    for &value in ir.operands(op).iter().chain(ir.results(op)) {
        let ty = part(context, element(ir, value));
        let width = context.float_kind(ty).map(|kind| kind.width());
        if !matches!(width, Some(32 | 64))
            && !matches!(context.type_kind(ty), TypeKind::Integer { .. })
        {
            return Err("elements are neither f32 nor f64, nor complex numbers of these".into());
        }
    }
    Ok(())
}

fn expect_counts(ir: &Ir, op: Op, operands: usize, results: &[usize]) -> Result<(), Unsupported> {
    if ir.operands(op).len() != operands || !results.contains(&ir.results(op).len()) {
        return Err("the numbers of operands and results are others".into());
    }
    expect_numbers(ir, op)?;
    match shape(ir, ir.operand(op, 0)).len() {
        0 | 1 => Err("the operand is no matrix".into()),
        _ => Ok(()),
    }
}

fn is_true(ir: &Ir, op: Op, name: Name) -> bool {
    ir.attr(op, name) == Some(Attr::TRUE)
}

/// The words of `backend_config`, which are separated by commas.
fn config(ir: &Ir, op: Op) -> Vec<String> {
    let attr = ir.attr(op, Name::BACKEND_CONFIG);
    let text = attr
        .and_then(|attr| ir.context().attr_string(attr))
        .unwrap_or_default();
    text.split(',').map(|word| word.trim().to_owned()).collect()
}

/// Computes results from operands, matrix by matrix: `body` gets those of one element of the batch, and gives one value
/// per result. Result `i` has the last dimensions `cores[i]`, as far as its type does not know them.
fn for_each_matrix(
    b: &mut Builder<'_>,
    op: Op,
    cores: &dyn Fn(&mut Builder<'_>) -> Vec<Vec<MixedIndex>>,
    body: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let operands = b.ir.operands(op).to_vec();
    let types: Vec<Type> =
        b.ir.results(op)
            .iter()
            .map(|&result| b.ir.value_type(result))
            .collect();
    let n_batch = shape(b.ir, operands[0]).len() - 2;
    if n_batch == 0 {
        let values = body(b, &operands);
        let casts = values.into_iter().zip(&types);
        return casts.map(|(value, &ty)| cast_shape(b, value, ty)).collect();
    }
    let batch: Vec<MixedIndex> = (0..n_batch).map(|dim| size(b, operands[0], dim)).collect();
    let cores = cores(b);
    let mut init = Vec::new();
    let mut sizes = Vec::new();
    for (&ty, core) in types.iter().zip(&cores) {
        let context = b.context();
        let known = context.shape(ty).unwrap_or_default().to_vec();
        let all: Vec<MixedIndex> = (batch.iter().chain(core).zip(known))
            .map(|(&size, known)| match known {
                freehold_frontend::ir::types::DYNAMIC => match size {
                    MixedIndex::Constant(_) => MixedIndex::Value(size.materialize(b)),
                    size => size,
                },
                known => known.into(),
            })
            .collect();
        init.push(new(b, &all, context.element_type_or_self(ty)));
        sizes.push(all);
    }
    nest(b, &batch, &init, &mut |b, indices, carried| {
        let offsets = |rank: usize| -> Vec<MixedIndex> {
            let zeros = std::iter::repeat_n(MixedIndex::Constant(0), rank);
            indices.iter().map(|&i| i.into()).chain(zeros).collect()
        };
        let ones = vec![MixedIndex::Constant(1); n_batch];
        let mut matrices = Vec::new();
        for &operand in &operands {
            let rank = shape(b.ir, operand).len();
            let core: Vec<MixedIndex> = (n_batch..rank).map(|dim| size(b, operand, dim)).collect();
            let sizes = [&ones[..], &core].concat();
            matrices.push(take(b, operand, &offsets(rank - n_batch), &sizes, n_batch));
        }
        let values = body(b, &matrices);
        let mut results = Vec::new();
        for ((&value, &out), sizes) in values.iter().zip(carried).zip(&sizes) {
            let core = &sizes[n_batch..];
            // What is known about the size of one is what is known about the whole.
            let known: Vec<i64> = core.iter().map(|size| size.static_value()).collect();
            let ty = super::build::tensor_type(&b.context(), &known, element(b.ir, value));
            let value = cast_shape(b, value, ty);
            results.push(put(
                b,
                value,
                out,
                &offsets(core.len()),
                &[&ones[..], core].concat(),
            ));
        }
        results
    })
}

fn d(dim: u32) -> AffineExpr {
    AffineExpr::Dim(dim)
}

fn identity() -> AffineMap {
    AffineMap::identity(2)
}

fn transposed() -> AffineMap {
    map(2, vec![d(1), d(0)])
}

/// A tensor of zeros.
fn zeros(b: &mut Builder<'_>, sizes: &[MixedIndex], element: Type) -> Value {
    let zero = number_of(b, element, 0.0);
    let out = new(b, sizes, element);
    let op = linalg::build_named(b, &linalg::FILL, &[zero], &[out]);
    let op = op.expect("elements are filled with elements of their type");
    b.ir.result(op, 0)
}

/// `out` plus the products of two matrices over the loop that is not parallel. Complex numbers are four products of
/// floats, which have kernels.
fn multiply_add(
    b: &mut Builder<'_>,
    left: (Value, AffineMap),
    right: (Value, AffineMap),
    out: (Value, AffineMap),
    parallel: &[bool],
) -> Value {
    if !is_complex(&b.context(), element(b.ir, out.0)) {
        let generic = Generic {
            inputs: vec![left, right],
            outputs: vec![out],
            parallel,
        };
        return generic.build(b, &mut |b, e| vec![(x(e[2]) + x(e[0]) * e[1]).build(b)])[0];
    }
    let (re, im) = (F::re as fn(F) -> F, F::im as fn(F) -> F);
    let [left_re, left_im] = [re, im].map(|part| part_of(b, left.0, part));
    let [right_re, right_im] = [re, im].map(|part| part_of(b, right.0, part));
    let [sum_re, sum_im] = [re, im].map(|part| part_of(b, out.0, part));
    let minus_right_im = part_of(b, right.0, |e| -e.im());
    let mut add = |sum: Value, factors: [(Value, Value); 2]| {
        factors.into_iter().fold(sum, |sum, (a, c)| {
            let (left, right) = ((a, left.1.clone()), (c, right.1.clone()));
            multiply_add(b, left, right, (sum, out.1.clone()), parallel)
        })
    };
    let sum_re = add(sum_re, [(left_re, right_re), (left_im, minus_right_im)]);
    let sum_im = add(sum_im, [(left_re, right_im), (left_im, right_re)]);
    let generic = Generic {
        inputs: vec![(sum_re, identity()), (sum_im, identity())],
        outputs: vec![(out.0, identity())],
        parallel: &[true, true],
    };
    generic.build(b, &mut |b, e| {
        vec![F::Complex(x(e[0]).into(), x(e[1]).into()).build(b)]
    })[0]
}

/// A float of each element of a matrix of complex numbers.
fn part_of(b: &mut Builder<'_>, matrix: Value, read: impl Fn(F) -> F) -> Value {
    let ty = part(&b.context(), element(b.ir, matrix));
    let sizes = [size(b, matrix, 0), size(b, matrix, 1)];
    let out = new(b, &sizes, ty);
    let generic = Generic {
        inputs: vec![(matrix, identity())],
        outputs: vec![(out, identity())],
        parallel: &[true, true],
    };
    generic.build(b, &mut |b, e| vec![read(x(e[0])).build(b)])[0]
}

/// `out + left * right`, of matrices.
fn plus_product(b: &mut Builder<'_>, out: Value, left: Value, right: Value) -> Value {
    let projected = |dims: &[usize]| projection(3, dims);
    multiply_add(
        b,
        (left, projected(&[0, 2])),
        (right, projected(&[2, 1])),
        (out, projected(&[0, 1])),
        &[true, true, false],
    )
}

/// `out + left^T * right`, of matrices.
fn plus_transposed_product(b: &mut Builder<'_>, out: Value, left: Value, right: Value) -> Value {
    let projected = |dims: &[usize]| projection(3, dims);
    multiply_add(
        b,
        (left, projected(&[2, 0])),
        (right, projected(&[2, 1])),
        (out, projected(&[0, 1])),
        &[true, true, false],
    )
}

/// `out + left * right^T`, of matrices.
fn plus_product_transposed(b: &mut Builder<'_>, out: Value, left: Value, right: Value) -> Value {
    let projected = |dims: &[usize]| projection(3, dims);
    multiply_add(
        b,
        (left, projected(&[0, 2])),
        (right, projected(&[1, 2])),
        (out, projected(&[0, 1])),
        &[true, true, false],
    )
}

/// `out`, each element of which is computed from it and its indices.
fn with_indices(
    b: &mut Builder<'_>,
    out: Value,
    body: impl Fn(&mut Builder<'_>, F, F, Value) -> F,
) -> Value {
    let generic = Generic {
        inputs: Vec::new(),
        outputs: vec![(out, identity())],
        parallel: &[true, true],
    };
    generic.build(b, &mut |b, arguments| {
        let (row, column) = (linalg_index(b, 0), linalg_index(b, 1));
        let ty = b.ir.value_type(arguments[0]);
        vec![body(b, x(row), x(column), arguments[0]).build_as(b, ty)]
    })[0]
}

fn linalg_index(b: &mut Builder<'_>, dim: i64) -> Value {
    let attr = b.context().i64_attr(dim);
    b.value_with_attr(&linalg::INDEX, &[], Type::INDEX, Name::DIM, attr)
}

/// The identity matrix.
fn unit_matrix(b: &mut Builder<'_>, rows: MixedIndex, columns: MixedIndex, element: Type) -> Value {
    let out = new(b, &[rows, columns], element);
    with_indices(b, out, |b, row, column, _| {
        let (one, zero) = (number_of(b, element, 1.0), number_of(b, element, 0.0));
        row.equal(column).select(one, zero)
    })
}

/// How many of `n` things are in the block that begins at `from`, and a number for it if all blocks are alike.
fn block_size(b: &mut Builder<'_>, n: MixedIndex, from: Value) -> MixedIndex {
    match n {
        MixedIndex::Constant(n) if n < BLOCK => n.into(),
        MixedIndex::Constant(n) if n % BLOCK == 0 => BLOCK.into(),
        _ => as_size(b, (F::from(n) - from).min(BLOCK)),
    }
}

/// A matrix as a solver reads it.
#[derive(Clone, Copy)]
struct Operator {
    matrix: Value,
    is_transposed: bool,
    is_conjugated: bool,
}

impl Operator {
    /// A part of it, or of its negative, written down.
    fn part(
        self,
        b: &mut Builder<'_>,
        rows: (MixedIndex, MixedIndex),
        columns: (MixedIndex, MixedIndex),
        is_negated: bool,
    ) -> Value {
        let (first, second, read) = match self.is_transposed {
            false => (rows, columns, identity()),
            true => (columns, rows, transposed()),
        };
        let source = take(
            b,
            self.matrix,
            &[first.0, second.0],
            &[first.1, second.1],
            0,
        );
        mapped(b, source, read, &[rows.1, columns.1], |element| {
            let element = if self.is_conjugated {
                element.conj()
            } else {
                element
            };
            if is_negated { -element } else { element }
        })
    }
}

/// Solves `a * x = rhs` for a square triangle on the rows of `rhs`: from the first to the last if it is lower, else
/// backwards.
fn substitute(
    b: &mut Builder<'_>,
    a: Value,
    rhs: Value,
    is_lower: bool,
    has_unit_diagonal: bool,
) -> Value {
    let (n, columns) = (size(b, rhs, 0), size(b, rhs, 1));
    update(b, 0, n, rhs, |b, step, rhs| {
        let row = match is_lower {
            true => step,
            false => (F::from(n) - 1 - step).build(b),
        };
        let (from, to) = match is_lower {
            true => (F::from(0), x(row)),
            false => (x(row) + 1, n.into()),
        };
        let rhs = update(b, from, to, rhs, |b, k, rhs| {
            let factor = at(a, [x(row), x(k)]).build(b);
            update(b, 0, columns, rhs, |b, j, rhs| {
                let value = at(rhs, [x(row), x(j)]) - x(factor) * at(rhs, [x(k), x(j)]);
                set(b, rhs, [x(row), x(j)], value)
            })
        });
        if has_unit_diagonal {
            return rhs;
        }
        let pivot = at(a, [x(row), x(row)]).build(b);
        update(b, 0, columns, rhs, |b, j, rhs| {
            let value = at(rhs, [x(row), x(j)]) / pivot;
            set(b, rhs, [x(row), x(j)], value)
        })
    })
}

/// Solves `a * x = rhs`, where `a` as it is read is lower or upper triangular.
fn solve(
    b: &mut Builder<'_>,
    a: Operator,
    rhs: Value,
    is_lower: bool,
    has_unit_diagonal: bool,
) -> Value {
    let (n, columns) = (size(b, rhs, 0), size(b, rhs, 1));
    let zero = MixedIndex::Constant(0);
    if matches!(n, MixedIndex::Constant(n) if n <= BLOCK) {
        let triangle = a.part(b, (zero, n), (zero, n), false);
        let rhs = mapped(b, rhs, identity(), &[n, columns], |e| e);
        return substitute(b, triangle, rhs, is_lower, has_unit_diagonal);
    }
    repeat_by(b, 0, n, BLOCK, &[rhs], |b, step, carried| {
        let rhs = carried[0];
        let rows = block_size(b, n, step);
        // What was solved is in front of the block, or behind it.
        let (from, solved_from, n_solved): (MixedIndex, MixedIndex, MixedIndex) = match is_lower {
            true => (step.into(), zero, step.into()),
            false => {
                let from = (F::from(n) - step - F::from(rows)).build(b);
                let end = (F::from(n) - step).build(b);
                (from.into(), end.into(), step.into())
            }
        };
        let block = take(b, rhs, &[from, zero], &[rows, columns], 0);
        let solved = take(b, rhs, &[solved_from, zero], &[n_solved, columns], 0);
        let left = a.part(b, (from, rows), (solved_from, n_solved), true);
        let block = plus_product(b, block, left, solved);
        let triangle = a.part(b, (from, rows), (from, rows), false);
        let block = substitute(b, triangle, block, is_lower, has_unit_diagonal);
        vec![put(b, block, rhs, &[from, zero], &[rows, columns])]
    })[0]
}

/// The results of an operation on floats of 16 bits or less, which `lower` computes in `f32`; `None` if its operands are
/// others.
fn in_f32(b: &mut Builder<'_>, op: Op, lower: Lower) -> Option<Result<Vec<Value>, Unsupported>> {
    let context = b.context();
    let [result] = *b.ir.results(op) else {
        return None;
    };
    let narrow = element(b.ir, result);
    context
        .float_kind(narrow)
        .filter(|kind| kind.width() <= 16)?;
    let operands: Vec<Value> = b.ir.operands(op).to_vec();
    let operands = operands
        .into_iter()
        .map(|operand| converted(b, operand, Type::F32));
    let operands: Vec<Value> = operands.collect();
    let wide = context.with_element_type(b.ir.value_type(result), Type::F32);
    let mut spec = b.spec(b.ir.def(op)).operands(&operands).results(&[wide]);
    for &(name, attr) in context.dict(b.ir.attrs(op)) {
        spec = spec.attr(name, attr);
    }
    let op = b.create(spec);
    let lowered = lower(b, op);
    b.ir.erase_op(op);
    Some(lowered.map(|values| {
        let values = values.into_iter().map(|value| converted(b, value, narrow));
        values.collect()
    }))
}

fn triangular_solve(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    if let Some(lowered) = in_f32(b, op, triangular_solve) {
        return lowered;
    }
    expect_numbers(b.ir, op)?;
    let transpose = b.ir.attr(op, Name::TRANSPOSE_A);
    let transpose = transpose.and_then(|attr| Transpose::from_attr(b.ir.context(), attr));
    let is_left = is_true(b.ir, op, Name::LEFT_SIDE);
    let is_lower = is_true(b.ir, op, Name::LOWER);
    let has_unit_diagonal = is_true(b.ir, op, Name::UNIT_DIAGONAL);
    // `x * a = b` is `a^T * x^T = b^T`.
    let is_transposed = matches!(transpose, Some(Transpose::Yes | Transpose::Adjoint)) == is_left;
    let is_conjugated = transpose == Some(Transpose::Adjoint);
    let (matrix, rhs) = (b.ir.operand(op, 0), b.ir.operand(op, 1));
    let last = shape(b.ir, rhs).len() - 2;
    let (of_matrix, of_rhs) = (sizes(b, matrix), sizes(b, rhs));
    let solved = of_rhs[if is_left { last } else { last + 1 }];
    let others = of_rhs[..last].iter().chain([&solved; 2]);
    for (&size, &other) in of_matrix.iter().zip(others) {
        requirements::equal(
            b,
            size,
            other,
            "the operands of a triangular solve do not go together",
        );
    }
    let cores = |b: &mut Builder<'_>| vec![vec![size(b, rhs, last), size(b, rhs, last + 1)]];
    Ok(for_each_matrix(b, op, &cores, &mut |b, matrices| {
        let a = Operator {
            matrix: matrices[0],
            is_transposed,
            is_conjugated,
        };
        let mut rhs = matrices[1];
        let sizes = [size(b, rhs, 0), size(b, rhs, 1)];
        let back = [sizes[1], sizes[0]];
        if !is_left {
            rhs = mapped(b, rhs, transposed(), &back, |e| e);
        }
        let mut solution = solve(b, a, rhs, is_lower != is_transposed, has_unit_diagonal);
        if !is_left {
            solution = mapped(b, solution, transposed(), &sizes, |e| e);
        }
        vec![solution]
    }))
}

fn cholesky(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    if let Some(lowered) = in_f32(b, op, cholesky) {
        return lowered;
    }
    expect_numbers(b.ir, op)?;
    let is_lower = is_true(b.ir, op, Name::LOWER);
    let operand = b.ir.operand(op, 0);
    let last = shape(b.ir, operand).len() - 2;
    let cores =
        |b: &mut Builder<'_>| vec![vec![size(b, operand, last), size(b, operand, last + 1)]];
    Ok(for_each_matrix(b, op, &cores, &mut |b, matrices| {
        vec![cholesky_of(b, matrices[0], is_lower)]
    }))
}

/// The lower factor, or the adjoint of that of the adjoint. All of it is NaN if a pivot is not positive.
fn cholesky_of(b: &mut Builder<'_>, matrix: Value, is_lower: bool) -> Value {
    let n = size(b, matrix, 0);
    let zero = MixedIndex::Constant(0);
    let ty = element(b.ir, matrix);
    let real = part(&b.context(), ty);
    let work = match is_lower {
        true => mapped(b, matrix, identity(), &[n, n], |e| e),
        false => mapped(b, matrix, transposed(), &[n, n], F::conj),
    };
    let work = repeat_by(b, 0, n, BLOCK, &[work], |b, k, carried| {
        let work = carried[0];
        let columns = block_size(b, n, k);
        let rows = as_size(b, F::from(n) - k);
        let k: MixedIndex = k.into();
        // The panel, transposed, less what the columns in front of it are worth.
        let panel = take(b, work, &[k, k], &[rows, columns], 0);
        let panel = mapped(b, panel, transposed(), &[columns, rows], |e| e);
        let above = take(b, work, &[k, zero], &[columns, k], 0);
        let above = mapped(b, above, identity(), &[columns, k], |e| -e.conj());
        let before = take(b, work, &[k, zero], &[rows, k], 0);
        let panel = plus_product_transposed(b, panel, above, before);
        let panel = update(b, 0, columns, panel, |b, c, panel| {
            let panel = update(b, 0, c, panel, |b, d, panel| {
                let factor = at(panel, [x(d), x(c)]).conj().build(b);
                update(b, c, rows, panel, |b, r, panel| {
                    let value = at(panel, [x(c), x(r)]) - x(factor) * at(panel, [x(d), x(r)]);
                    set(b, panel, [x(c), x(r)], value)
                })
            });
            let pivot = at(panel, [x(c), x(c)]).re().build(b);
            let nan = number_of(b, real, f64::NAN);
            let root = x(pivot).greater(0.0).select(x(pivot).sqrt(), nan);
            let root = root.build(b);
            let panel = update(b, x(c) + 1, rows, panel, |b, r, panel| {
                let number = at(panel, [x(c), x(r)]).build(b);
                let value = match real == ty {
                    true => x(number) / root,
                    false => {
                        let (re, im) = (x(number).re() / root, x(number).im() / root);
                        F::Complex(re.into(), im.into())
                    }
                };
                set(b, panel, [x(c), x(r)], value)
            });
            set(b, panel, [x(c), x(c)], x(root).real_as(ty))
        });
        let panel = mapped(b, panel, transposed(), &[rows, columns], |e| e);
        vec![put(b, panel, work, &[k, k], &[rows, columns])]
    })[0];
    // What is not positive definite makes all later pivots NaN.
    if n == MixedIndex::Constant(0) {
        return work;
    }
    let last = (F::from(n) - 1).max(0).build(b);
    let last = at(work, [x(last), x(last)]).re().build(b);
    let is_definite = x(last).equal(last).build(b);
    let out = new(b, &[n, n], ty);
    let read = if is_lower { identity() } else { transposed() };
    let generic = Generic {
        inputs: vec![(work, read)],
        outputs: vec![(out, identity())],
        parallel: &[true, true],
    };
    generic.build(b, &mut |b, arguments| {
        let (row, column) = (linalg_index(b, 0), linalg_index(b, 1));
        let (from, to) = if is_lower {
            (column, row)
        } else {
            (row, column)
        };
        let (nan, zero) = (number_of(b, real, f64::NAN), number_of(b, ty, 0.0));
        let value = if is_lower {
            x(arguments[0])
        } else {
            x(arguments[0]).conj()
        };
        let value = x(is_definite).select(value, x(nan).real_as(ty));
        let value = x(from).is(CmpIPredicate::Sle, to).select(value, zero);
        vec![value.build(b)]
    })[0]
}
