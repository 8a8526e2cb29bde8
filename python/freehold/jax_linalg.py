"""Factorizations for `jax_plugin`, where JAX has no rules for other platforms than its own, or slow ones.

LU is a call that the compiler knows. Schur, Hessenberg and tridiagonal decompositions, and QR with pivots, call SciPy's
LAPACK, and sparse systems its solver, as callbacks do. Tridiagonal systems are programs of JAX like any other.
"""

import numpy


class _Rules(dict):
    """The rules of a platform. JAX's module of sparse solvers takes half a second to import, so its rule waits until the
    program that has imported it asks."""

    def __contains__(self, primitive):
        if primitive.name == "spsolve" and not super().__contains__(primitive):
            from jax._src.interpreters import mlir

            self[primitive] = mlir.LoweringRuleEntry(mlir.lower_fun(_spsolve, multiple_results=False), inline=True)
        return super().__contains__(primitive)


def register(mlir, platform):
    from jax._src.lax import linalg

    mlir._platform_specific_lowerings[platform] = _Rules(mlir._platform_specific_lowerings[platform])
    for primitive, rule in [
        (linalg.schur_p, _schur),
        (linalg.hessenberg_p, _hessenberg),
        (linalg.tridiagonal_p, _tridiagonal),
        (linalg.geqp3_p, _geqp3),
    ]:
        mlir.register_lowering(primitive, mlir.lower_fun(rule, multiple_results=True), platform=platform)
    # For others than its own, JAX has a program of blocks, which takes ten times as long to make and five to run.
    mlir.register_lowering(linalg.lu_p, linalg._lu_tpu_lowering_rule, platform=platform)
    rule = mlir.lower_fun(_tridiagonal_solve, multiple_results=False)
    mlir.register_lowering(linalg.tridiagonal_solve_p, rule, platform=platform)


def _on_host(each, a, shapes):
    """Calls `each` on every matrix, with NaN for those it gives nothing for. `shapes` has what follows the batch, and types."""
    import jax

    batch = a.shape[:-2]

    def call(a):
        a = numpy.asarray(a)
        nothing = [numpy.nan if numpy.issubdtype(dtype, numpy.inexact) else 0 for _, dtype in shapes]
        outcomes = [numpy.full(batch + shape, value, dtype) for (shape, dtype), value in zip(shapes, nothing)]
        for index in numpy.ndindex(batch):
            for outcome, value in zip(outcomes, each(a[index]) or ()):
                outcome[index] = value
        return outcomes

    types = [jax.ShapeDtypeStruct(batch + shape, dtype) for shape, dtype in shapes]
    return jax.pure_callback(call, types, a)


def _schur(a, *, compute_schur_vectors, sort_eig_vals, **_):
    if sort_eig_vals:
        raise NotImplementedError("Freehold: jax.lax.linalg.schur does not sort eigenvalues")
    n = a.shape[-1]

    def each(a):
        from scipy.linalg import lapack

        (gees,) = lapack.get_lapack_funcs(("gees",), (a,))
        outcome = gees(lambda *_: False, a, compute_v=int(compute_schur_vectors))
        form, vectors, failed = outcome[0], outcome[-3], outcome[-1]
        return None if failed else (form, vectors)

    n_results = 2 if compute_schur_vectors else 1
    if n == 0:
        return [a] * n_results
    return _on_host(each, a, [((n, n), a.dtype)] * n_results)


def _hessenberg(a):
    from jax import numpy as jnp

    n = a.shape[-1]
    if n == 0:
        return [a, jnp.zeros(a.shape[:-2] + (0,), a.dtype)]

    def each(a):
        from scipy.linalg import lapack

        (gehrd,) = lapack.get_lapack_funcs(("gehrd",), (a,))
        form, taus, failed = gehrd(a)
        return None if failed else (form, taus)

    return _on_host(each, a, [((n, n), a.dtype), ((n - 1,), a.dtype)])


def _tridiagonal(a, *, lower):
    from jax import numpy as jnp

    n, real = a.shape[-1], jnp.finfo(a.dtype).dtype

    def each(a):
        from scipy.linalg import lapack

        name = "hetrd" if numpy.iscomplexobj(a) else "sytrd"
        (reduce,) = lapack.get_lapack_funcs((name,), (a,))
        *outcome, failed = reduce(a, lower=int(lower))
        return None if failed else outcome

    shapes = [((n, n), a.dtype), ((n,), real), ((n - 1,), real), ((n - 1,), a.dtype)]
    return _on_host(each, a, shapes)


def _geqp3(a, jpvt, **_):
    # Nothing but JAX's own QR calls it, and that leaves all columns free.
    (m, n), k = a.shape[-2:], min(a.shape[-2:])

    def each(a):
        from scipy.linalg import lapack

        (geqp3,) = lapack.get_lapack_funcs(("geqp3",), (a,))
        factors, order, taus, _, failed = geqp3(a)
        return None if failed else (factors, order, taus)

    return _on_host(each, a, [((m, n), a.dtype), ((n,), jpvt.dtype), ((k,), a.dtype)])


def _spsolve(data, indices, indptr, b, **_):
    import jax

    def solve(*arrays):
        from scipy.sparse import csr_matrix, linalg

        *rows, b = map(numpy.asarray, arrays)
        return linalg.spsolve(csr_matrix(tuple(rows), shape=(b.size, b.size)), b).astype(b.dtype)

    return jax.pure_callback(solve, jax.ShapeDtypeStruct(b.shape, b.dtype), data, indices, indptr, b)


def _tridiagonal_solve(dl, d, du, b, *, perturb_singular=False, **_):
    import jax

    def solve(dl, d, du, b):
        return _solve(dl, d, du, b, perturb_singular)

    for _ in range(d.ndim - 1):
        solve = jax.vmap(solve)
    return solve(dl, d, du, b)


def _solve(dl, d, du, b, perturb_singular):
    """Gaussian elimination with exchanges of neighbouring rows. Without them, a zero on the diagonal is the end."""
    import jax
    from jax import numpy as jnp

    if d.size == 0:
        return b
    du = du.at[-1].set(0)

    def eliminate(row, below):
        # A row begins in its own column; after an exchange it has three elements.
        (first, second, right), (low, diagonal, high, other_right) = row, below
        is_exchanged = abs(low) > abs(first)
        choose = lambda yes, no: jnp.where(is_exchanged, yes, no)
        pivot = choose(low, first)
        factor = choose(first, low) / jnp.where(pivot == 0, 1, pivot)
        done = (pivot, choose(diagonal, second), choose(high, 0), choose(other_right, right))
        rest = (
            choose(second, diagonal) - factor * choose(diagonal, second),
            choose(0, high) - factor * choose(high, 0),
            choose(right, other_right) - factor * choose(other_right, right),
        )
        return rest, done

    last, rows = jax.lax.scan(eliminate, (d[0], du[0], b[0]), (dl[1:], d[1:], du[1:], b[1:]))
    last = (last[0], jnp.zeros_like(d[0]), jnp.zeros_like(d[0]), last[2])
    pivots, second, third, right = (jnp.concatenate([rows, one[None]]) for rows, one in zip(rows, last))
    if perturb_singular:
        largest = jnp.max(jnp.maximum(abs(pivots), jnp.maximum(abs(second), abs(third))))
        least = jnp.finfo(d.dtype).eps * jnp.where(largest == 0, 1, largest)
        replacement = jnp.where(pivots.real < 0, -least, least).astype(pivots.dtype)
        pivots = jnp.where(abs(pivots) < least, replacement, pivots)

    def substitute(found, row):
        (next, after), (pivot, second, third, right) = found, row
        value = (right - second * next - third * after) / pivot
        return (value, next), value

    zero = jnp.zeros_like(b[0])
    _, solution = jax.lax.scan(substitute, (zero, zero), (pivots, second, third, right), reverse=True)
    if perturb_singular:
        return solution
    return jnp.where(jnp.any(pivots == 0), jnp.nan, solution)
