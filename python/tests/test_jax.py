"""The plugin for JAX. `.ci/python` runs this with `JAX_PLATFORMS=freehold`; otherwise there is nothing to test."""

import functools
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

if os.environ.get("JAX_PLATFORMS") != "freehold":
    pytest.skip("JAX_PLATFORMS is not freehold", allow_module_level=True)

import jax
import jax.export
import jax.numpy as jnp
import numpy as np


def test_devices():
    (device,) = jax.devices()
    assert (device.platform, device.device_kind) == ("freehold", "cpu")
    assert device.memory_stats()["bytes_in_use"] >= 0


def test_a_training_step_is_that_of_numpy():
    def loss(w, x, y):
        return jnp.mean((jnp.tanh(x @ w) - y) ** 2)

    rng = np.random.default_rng(0)
    w, x, y = (rng.standard_normal(shape).astype("f4") for shape in [(8, 3), (16, 8), (16, 3)])
    value, gradient = jax.jit(jax.value_and_grad(loss))(w, x, y)
    t = np.tanh(x @ w)
    np.testing.assert_allclose(value, np.mean((t - y) ** 2), rtol=1e-5)
    np.testing.assert_allclose(gradient, x.T @ (2 / t.size * (t - y) * (1 - t**2)), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    "dtype", ["bool", "int4", "uint4", "int8", "uint8", "int32", "uint32", "bfloat16", "float16", "complex64"]
)
def test_arrays_go_there_and_back(dtype):
    # More than one order in memory.
    array = jnp.arange(6).astype(dtype).reshape(2, 3)
    np.testing.assert_array_equal(np.asarray(jax.device_put(np.asarray(array).T)).T, np.asarray(array))
    np.testing.assert_array_equal(np.asarray(array.T).T, np.asarray(array))


def test_negative_numbers_of_four_bits():
    np.testing.assert_array_equal((jnp.arange(-8, 7, dtype="int4") + jnp.int4(1)).astype("int32"), np.arange(-7, 8))


def test_donated_arrays_are_gone():
    x = jnp.arange(1000.0)
    step = jax.jit(lambda x: x + 1, donate_argnums=0)
    y = step(x)
    assert x.is_deleted()
    np.testing.assert_array_equal(y, np.arange(1000.0) + 1)
    with pytest.raises(RuntimeError, match="deleted"):
        np.asarray(x)


def test_donated_memory_holds_results():
    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(weights, momentum, gradient):
        momentum = 0.5 * momentum + gradient
        return weights - 0.25 * momentum, momentum

    weights, momentum = jnp.arange(1000.0), jnp.ones(1000)
    gradient = jnp.full(1000, 2.0)
    expected = [np.asarray(weights).copy(), np.asarray(momentum).copy()]
    memory = set()
    for n in range(4):
        weights, momentum = step(weights, momentum, gradient)
        expected[1] = 0.5 * expected[1] + 2
        expected[0] = expected[0] - 0.25 * expected[1]
        if n > 0:
            memory.add(frozenset(array.unsafe_buffer_pointer() for array in (weights, momentum)))
    np.testing.assert_array_equal(weights, expected[0])
    np.testing.assert_array_equal(momentum, expected[1])
    assert len(memory) == 1, "each step is where the last one was"
    np.testing.assert_array_equal(gradient, np.full(1000, 2.0))
    analysis = step.lower(weights, momentum, gradient).compile().memory_analysis()
    assert analysis.alias_size_in_bytes == 8000


def test_donation_leaves_what_others_see():
    x = jnp.arange(1000.0)
    view = np.asarray(x)
    y = jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    np.testing.assert_array_equal(view, np.arange(1000.0))
    np.testing.assert_array_equal(y, np.arange(1000.0) + 1)


def test_an_array_is_donated_once():
    x = jnp.arange(4.0)
    with pytest.raises(Exception, match="donate the same buffer twice"):
        jax.jit(lambda x, y: (x + 1, y + 2), donate_argnums=(0, 1))(x, x)


def test_control_flow_and_random_numbers():
    sums, _ = jax.lax.scan(lambda total, x: (total + x, None), 0.0, jnp.arange(10.0))
    assert sums == 45
    assert jax.lax.while_loop(lambda n: n < 100, lambda n: n * 2, 1) == 128
    # Counter-based, so every platform has the same bits.
    assert jax.random.bits(jax.random.key(0), (2,)).tolist() == [4070199207, 4202968722]
    assert abs(jax.random.normal(jax.random.key(1), (4000,)).mean()) < 0.1


def test_factorizations():
    a = np.random.default_rng(0).standard_normal((5, 5)).astype("f4")
    symmetric = a + a.T
    w, v = jnp.linalg.eigh(symmetric)
    np.testing.assert_allclose(symmetric @ v, v * w, atol=1e-4)
    # Small matrices are decomposed in f64.
    exact = np.linalg.eigvalsh(symmetric.astype("f8"))
    np.testing.assert_array_max_ulp(np.asarray(w), exact.astype("f4"), maxulp=1)
    u, s, vt = jnp.linalg.svd(a)
    np.testing.assert_allclose((u * s) @ vt, a, atol=1e-4)
    w, v = jnp.linalg.eig(a)
    np.testing.assert_allclose(a @ v, v * w, atol=1e-3)
    q, r = jnp.linalg.qr(a)
    np.testing.assert_allclose(q @ r, a, atol=1e-4)
    np.testing.assert_allclose(a @ jnp.linalg.solve(a, a), a, atol=1e-3)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_eigenvalues_of_what_is_not_finite_are_nan(number):
    a = np.random.default_rng(0).standard_normal((3, 4, 4)).astype("f4")
    a[1, 2, 1] = number
    for result in jnp.linalg.eig(a):
        assert np.isnan(result).any(1).reshape(3, -1).any(1).tolist() == [False, True, False]
        assert np.isnan(result[1]).all()


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_factorizations_by_scipy(dtype):
    rng = np.random.default_rng(0)
    a = (rng.standard_normal((2, 5, 5)) + (1j * rng.standard_normal((2, 5, 5)) if dtype == "complex64" else 0)).astype(
        dtype
    )
    adjoint = lambda m: np.conj(np.swapaxes(m, -1, -2))
    form, vectors = jax.jit(jax.lax.linalg.schur)(a)
    np.testing.assert_allclose(vectors @ form @ adjoint(vectors), a, atol=1e-4)
    np.testing.assert_allclose(np.tril(form, -2), 0, atol=1e-4)
    form, vectors = jax.scipy.linalg.hessenberg(a[0], calc_q=True)
    np.testing.assert_allclose(vectors @ form @ adjoint(vectors), a[0], atol=1e-4)
    np.testing.assert_allclose(np.tril(form, -2), 0, atol=1e-4)
    hermitian = a + adjoint(a)
    _, d, e, _ = jax.lax.linalg.tridiagonal(jnp.asarray(hermitian))
    for i in range(2):
        reduced = np.diag(d[i]) + np.diag(e[i], 1) + np.diag(e[i], -1)
        np.testing.assert_allclose(np.linalg.eigvalsh(reduced), np.linalg.eigvalsh(hermitian[i]), atol=1e-4)
    q, r, order = jax.scipy.linalg.qr(a[0], pivoting=True)
    np.testing.assert_allclose(q @ r, a[0][:, order], atol=1e-4)
    assert (np.diff(abs(np.diag(r))) <= 1e-4).all()
    # What has no decomposition is NaN, and the rest of the batch is not.
    a[1, 0, 0] = np.nan
    assert np.isnan(jax.lax.linalg.schur(a)[0]).all((1, 2)).tolist() == [False, True]


@pytest.mark.parametrize("shape", [(5, 5), (4, 7), (7, 4), (3, 1, 1), (2, 40, 40)])
@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_lu(shape, dtype):
    a = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    if dtype == "complex64":
        a = a + 1j * a[..., ::-1]
    factors, pivots, order = map(np.asarray, jax.jit(jax.lax.linalg.lu)(a))
    m, n = shape[-2:]
    k = min(m, n)
    lower = np.tril(factors, -1)[..., :k] + np.eye(m, k)
    permuted = np.take_along_axis(a, order[..., None], -2)
    np.testing.assert_allclose(lower @ np.triu(factors)[..., :k, :], permuted, atol=1e-4)
    assert (abs(lower) <= 1.5).all() and pivots.shape == shape[:-2] + (k,)
    assert "LuDecomposition" in jax.jit(jax.lax.linalg.lu).lower(a).as_text()


@pytest.mark.parametrize("n", [1, 2, 3, 20])
def test_tridiagonal_systems_with_zeros_on_the_diagonal(n):
    rng = np.random.default_rng(n)
    dl, d, du = rng.standard_normal((3, 2, n)).astype("f4")
    if n > 1:
        d[:, ::3] = 0
    b = rng.standard_normal((2, n, 3)).astype("f4")
    x = np.asarray(jax.lax.linalg.tridiagonal_solve(dl, d, du, b))
    for i in range(2):
        matrix = np.diag(d[i]) + np.diag(dl[i, 1:], -1) + np.diag(du[i, :-1], 1)
        np.testing.assert_allclose(matrix @ x[i], b[i], atol=1e-4 * np.abs(x[i]).max())
    singular = np.zeros((3, n), "f4"), np.ones((n, 1), "f4")
    assert np.isnan(jax.lax.linalg.tridiagonal_solve(*singular[0], singular[1])).all()
    assert np.isfinite(jax.lax.linalg.tridiagonal_solve(*singular[0], singular[1], perturb_singular=True)).all()


def test_exported_factorizations_of_any_size():
    def f(a):
        symmetric = a + jnp.swapaxes(a, 1, 2)
        return *jnp.linalg.eigh(symmetric), jnp.linalg.svd(a, compute_uv=False), jnp.linalg.eigvals(a)

    pytest.importorskip("flatbuffers")
    shape = jax.export.symbolic_shape("b, n, n")
    exported = jax.export.export(jax.jit(f))(jax.ShapeDtypeStruct(shape, "f4"))
    exported = jax.export.deserialize(exported.serialize())
    for n in (3, 5):
        a = np.random.default_rng(n).standard_normal((2, n, n)).astype("f4")
        for actual, expected in zip(exported.call(a), f(a)):
            np.testing.assert_allclose(actual, expected, atol=1e-5)
    # Which of two sizes is the smaller one is not known.
    vectors = jax.jit(lambda a: jnp.linalg.svd(a, full_matrices=True))
    exported = jax.export.export(vectors)(jax.ShapeDtypeStruct(jax.export.symbolic_shape("m, n"), "f4"))
    a = a[0, :4, :3]
    u, s, vt = exported.call(a)
    np.testing.assert_allclose((u[:, :3] * s) @ vt, a, atol=1e-4)


def test_long_sums_are_as_accurate_as_those_of_xla():
    x = np.random.default_rng(0).uniform(0, 1, 2_000_003).astype(np.float32)
    wide = x.astype(np.float64)
    columns, of_columns = x[:-3].reshape(-1, 5), wide[:-3].reshape(-1, 5)
    exponentials = np.exp(of_columns)
    for function, array, want in [
        (jnp.sum, x, wide.sum()),
        (jnp.var, x, wide.var()),
        (lambda x: x @ x, x, wide @ wide),
        (lambda x: x.sum(0), columns, of_columns.sum(0)),
        (lambda x: x.T @ x, columns, of_columns.T @ of_columns),
        (lambda x: jax.nn.softmax(x, 0), columns, exponentials / exponentials.sum(0)),
    ]:
        np.testing.assert_allclose(jax.jit(function)(array), want, rtol=2e-6)


@pytest.mark.parametrize("shape", [(0, 3, 3), (2, 0, 3), (0, 4, 2)])
def test_singular_values_of_empty_arrays(shape):
    got, want = (linalg.svd(np.zeros(shape, np.float32)) for linalg in (jnp.linalg, np.linalg))
    assert [part.shape for part in got] == [part.shape for part in want]


def test_values_that_nobody_needs_are_dropped():
    from jax._src.lax import lax

    def f(x):
        lax.dce_sink(jnp.sin(x), prevent_mlir_dce=True)
        return x + 1

    assert jax.jit(f)(2.0) == 3


def test_analyses():
    compiled = jax.jit(lambda a, b: jnp.sin(a @ b)).lower(jnp.ones((4, 8)), jnp.ones((8, 2))).compile()
    assert compiled.cost_analysis()["flops"] == 2 * 4 * 8 * 2
    memory = compiled.memory_analysis()
    assert memory.argument_size_in_bytes == 4 * (4 * 8 + 8 * 2)
    assert memory.output_size_in_bytes == 4 * 4 * 2
    assert "sine" in compiled.as_text()


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 3, 4)])
def test_arrays_are_in_rows(shape):
    rows = tuple(range(len(shape)))
    turned = jax.jit(lambda x: x.T)
    compiled = turned.lower(jax.ShapeDtypeStruct(shape, "f4")).compile()
    assert compiled.output_formats.layout.major_to_minor == rows
    assert turned(jnp.ones(shape)).format.layout.major_to_minor == rows


def test_compiler_options():
    assert jax.jit(lambda x: x * x, compiler_options={"fp": "strict"})(3.0) == 9
    with pytest.raises(Exception, match="No such compile option: 'nope'"):
        jax.jit(lambda x: x * x, compiler_options={"nope": 1})(3.0)


@pytest.mark.parametrize("version", ["0.4.30", "0.99.0"])
def test_other_versions_of_jax_are_named_in_a_line(version, monkeypatch, caplog):
    from freehold import jax_plugin

    monkeypatch.setattr(jax, "__version__", version)
    jax_plugin.initialize()
    assert caplog.messages == [f"this version of Freehold works with JAX 0.10, not with {version}"]


def test_sparse_systems():
    from jax.experimental.sparse import linalg

    # Rows of 4 on the diagonal, 1 and -1 beside it.
    n = 6
    a = 4 * np.eye(n, dtype="f4") + np.eye(n, k=1, dtype="f4") - np.eye(n, k=-1, dtype="f4")
    rows, columns = np.nonzero(a)
    starts = np.searchsorted(rows, np.arange(n + 1)).astype("i4")
    solve = lambda data, b: linalg.spsolve(data, columns.astype("i4"), starts, b)
    b = np.arange(n, dtype="f4")
    x = jax.jit(solve)(a[rows, columns], b)
    np.testing.assert_allclose(a @ x, b, atol=1e-5)
    gradient = jax.grad(lambda b: solve(a[rows, columns], b)[0])(b)
    np.testing.assert_allclose(gradient, np.linalg.inv(a)[0], atol=1e-5)


def test_what_is_missing_is_named():
    with pytest.raises(NotImplementedError, match="Freehold: jax.lax.linalg.schur does not sort"):
        jax.jit(lambda a: jax.lax.linalg.schur(a, sort_eig_vals=True))(jnp.eye(3))


def test_programs_print(capfd):
    @jax.jit
    def f(x):
        jax.debug.print("x is {}", x, ordered=True)
        return jax.lax.fori_loop(0, 3, lambda i, y: (jax.debug.print("{} {}", i, y, ordered=True), y + i)[1], x)

    assert f(2.0) == 5
    jax.effects_barrier()
    assert capfd.readouterr().out.split() == "x is 2.0 0 2.0 1 2.0 2 3.0".split()


def test_programs_call_python():
    def sort(x, n):
        assert isinstance(n, (int, np.integer, jax.Array)) and x.dtype == np.float32
        return np.sort(np.asarray(x))[::-1].copy(), np.asarray(x).sum(dtype="f4")

    @jax.jit
    def f(x):
        shapes = jax.ShapeDtypeStruct(x.shape, x.dtype), jax.ShapeDtypeStruct((), x.dtype)
        ordered, total = jax.pure_callback(sort, shapes, x * 2, 3)
        return ordered + 1, total

    x = np.random.default_rng(0).standard_normal(17).astype("f4")
    ordered, total = f(x)
    np.testing.assert_array_equal(ordered, np.sort(2 * x)[::-1] + 1)
    np.testing.assert_allclose(total, (2 * x).sum(), rtol=1e-5)
    # In loops, whose number of steps Python decides.
    seen = []
    more = lambda n: jax.experimental.io_callback(
        lambda n: (seen.append(int(n)), np.bool_(n < 5))[1], jax.ShapeDtypeStruct((), bool), n, ordered=True
    )
    assert jax.jit(lambda: jax.lax.while_loop(more, lambda n: n + 1, 0))() == 5
    assert seen == [0, 1, 2, 3, 4, 5]


FIRST = """
import jax, numpy as np

jax.debug.callback(lambda x: print("called with", x), np.float32(3))
# JAX's own processor is left out, and this device stands in for it.
assert jax.devices("cpu") == jax.devices()
"""


def test_a_callback_may_come_first():
    run = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "called with 3.0\n"), run.stderr


@pytest.mark.parametrize("dtype", ["bool", "int4", "uint4", "int8", "bfloat16", "complex64"])
def test_callbacks_get_and_return_elements_of(dtype):
    x = jnp.arange(-3, 3).astype(dtype).reshape(2, 3)
    same = jax.jit(
        lambda x: jax.pure_callback(lambda x: np.asarray(x).T.copy(), jax.ShapeDtypeStruct((3, 2), dtype), x).T
    )(x)
    np.testing.assert_array_equal(np.asarray(same), np.asarray(x))


def test_errors_in_callbacks_are_errors():
    def fail(x):
        raise ValueError("no such luck")

    f = jax.jit(lambda x: jax.pure_callback(fail, jax.ShapeDtypeStruct((), "f4"), x) + 1)
    with pytest.raises(Exception, match="no such luck"):
        f(1.0).block_until_ready()
    # The program that comes next is not affected.
    assert jax.jit(lambda x: x + 1)(1.0) == 2


@jax.jit
def long(x):
    """Takes some milliseconds, so that calls after the first one do not wait for it."""
    return jax.lax.fori_loop(0, 200, lambda i, y: jnp.sin(y) + y, x)


def test_calls_of_long_programs_do_not_wait():
    x = jnp.linspace(0, 1, 100_000, dtype="f4")
    expected = np.asarray(long(x))
    results = [long(x) for _ in range(4)]
    assert not results[-1].is_ready()
    # A short program of a result that is not there yet does not wait either, and what is donated is gone at once.
    shorter = jax.jit(lambda y: y + 1, donate_argnums=0)(results.pop())
    assert not shorter.is_ready()
    np.testing.assert_array_equal(shorter, expected + 1)
    assert shorter.is_ready()
    for result in results:
        np.testing.assert_array_equal(result, expected)
    # Callbacks get what they were promised.
    total = jax.pure_callback(lambda y: np.asarray(y).sum(), jax.ShapeDtypeStruct((), "f4"), long(x))
    assert total == expected.sum()


def test_arrays_of_numpy_may_change_after_a_call():
    x = np.linspace(0, 1, 100_000, dtype="f4")
    expected = np.asarray(long(x))
    for _ in range(4):
        given = x.copy()
        result = long(given)
        given[...] = 7
        np.testing.assert_array_equal(result, expected)


def test_threads_call_long_programs():
    step = jax.jit(lambda weights, x: (weights - 0.1 * long(x), weights.sum()), donate_argnums=0)

    def train(seed):
        rng, weights, sums = np.random.default_rng(seed), jnp.full(20_000, seed, "f4"), []
        for _ in range(20):
            x = rng.standard_normal(20_000, "f4")
            weights, total = step(weights, x)
            x[...] = 7
            sums.append(total)
        return [float(total) for total in sums], np.asarray(weights)

    expected = [train(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for (sums, weights), (sums_of_one, weights_of_one) in zip(pool.map(train, range(4)), expected):
            assert sums == sums_of_one
            np.testing.assert_array_equal(weights, weights_of_one)


FORK = """
import os, signal, warnings
import numpy as np
from test_jax import long

warnings.simplefilter("ignore")
x = np.ones(100_000, "f4")
expected = np.asarray(long(x))
np.asarray(long(x))
child = os.fork()
if child == 0:
    signal.alarm(60)
    os._exit(0 if np.array_equal(long(x), expected) else 1)
assert os.waitpid(child, 0)[1] == 0
"""


def test_children_of_fork_call_long_programs():
    run = subprocess.run([sys.executable, "-c", FORK], cwd=Path(__file__).parent, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


DEVICES = """
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = jax.devices()
assert len(devices) == 4
mesh = Mesh(np.array(devices).reshape(2, 2), ("x", "y"))
a = np.random.default_rng(0).standard_normal((8, 12)).astype("f4")


def each(f, *specs):
    return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("x", "y"), out_specs=specs[0] if len(specs) == 1 else specs, check_vma=False))(a)


lax = jax.lax
np.testing.assert_allclose(each(lambda t: lax.psum(t, "x"), P(None, "y")), a[:4] + a[4:], rtol=1e-6)
np.testing.assert_array_equal(each(lambda t: lax.pmax(t, ("x", "y")), P()), a.reshape(2, 4, 2, 6).max((0, 2)))
np.testing.assert_array_equal(each(lambda t: lax.all_gather(t, "y", axis=1, tiled=True), P("x")), a)
np.testing.assert_array_equal(each(lambda t: lax.ppermute(t, "x", [(0, 1), (1, 0)]), P("x", "y")), np.roll(a, 4, 0))
np.testing.assert_array_equal(each(lambda t: lax.ppermute(t, "x", [(0, 1)]), P("x", "y"))[:4], 0)
np.testing.assert_allclose(each(lambda t: lax.psum_scatter(t, "y", tiled=True), P(("x", "y"))), a[:, :6] + a[:, 6:], rtol=1e-6)
rows = each(lambda t: lax.all_to_all(t, "y", 0, 1, tiled=True), P(("x", "y")))
np.testing.assert_array_equal(rows, a)
own = each(lambda t: (lax.axis_index("x") * 10 + lax.axis_index("y")).reshape(1, 1), P("x", "y"))
np.testing.assert_array_equal(own, [[0, 1], [10, 11]])

# Over one of two axes, and over the other one inside of that, on devices in another order.
turned = Mesh(np.array(devices)[[3, 0, 2, 1]].reshape(2, 2), ("x", "y"))


def partly(t):
    square = jax.shard_map(lambda s: lax.psum(s, "y") * s, in_specs=P(None, "y"), out_specs=P(None, "y"), axis_names={"y"})
    t = lax.with_sharding_constraint(t, P("y"))
    return lax.psum(square(t)[:, ::-1] * (1 + lax.axis_index("x")), "x")


a_x = a.reshape(2, 4, 2, 6)
square = (a_x.sum(2, keepdims=True) * a_x).reshape(2, 4, 12)[:, :, ::-1]
with jax.set_mesh(jax.sharding.Mesh(turned.devices, ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)):
    outcome = jax.jit(jax.shard_map(partly, in_specs=P("x"), out_specs=P(), axis_names={"x"}))(a)
np.testing.assert_allclose(outcome, square[0] + 2 * square[1], atol=1e-5)
# What devices have of a result is what they computed.
kept = each(lambda t: t * 2, P("x", "y"))
assert kept.addressable_shards[0].data.shape == (4, 6)

# Programs over parts, without a word about devices.
part = jax.device_put(a, NamedSharding(mesh, P("x", "y")))
assert jax.device_put(part, devices[3]).devices() == {devices[3]}
twice = jax.jit(lambda t: 2 * t)(part)
np.testing.assert_array_equal(twice, 2 * a)
assert twice.sharding.is_equivalent_to(part.sharding, 2)
np.testing.assert_allclose(jax.jit(lambda t: jnp.tanh(t) @ t.T)(part), np.tanh(a) @ a.T, atol=1e-5)

# As many steps as there are data, and one callback per device.
seen = []
loop = lambda t: lax.fori_loop(0, 3, lambda i, s: s + lax.psum(s, "x"), t)
np.testing.assert_allclose(each(loop, P("x", "y"))[:4], a[:4] + 13 * (a[:4] + a[4:]), rtol=1e-5)
each(lambda t: (jax.debug.callback(lambda s: seen.append(s.shape), t), t)[1], P("x", "y"))
jax.effects_barrier()
assert seen == [(4, 6)] * 4, seen
seen.clear()
total = jax.jit(lambda t: jax.pure_callback(lambda t: (seen.append(t.shape), np.asarray(t).sum(dtype="f4"))[1], jax.ShapeDtypeStruct((), "f4"), t) + t)(part)
np.testing.assert_allclose(total, a + a.sum(), atol=1e-5)
assert seen == [(8, 12)], seen
np.testing.assert_allclose(jax.pmap(lambda t: lax.psum(t, "i"), axis_name="i")(a[:4]), np.tile(a[:4].sum(0), (4, 1)), rtol=1e-5)
"""


@pytest.mark.parametrize(
    "variable", [("FREEHOLD_DEVICES", "4"), ("XLA_FLAGS", "--xla_force_host_platform_device_count=4")]
)
def test_several_devices(variable):
    environment = {**os.environ, **dict([variable])}
    run = subprocess.run([sys.executable, "-c", DEVICES], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_dlpack():
    x = jnp.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(np.from_dlpack(x), np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(jnp.from_dlpack(np.arange(6.0, dtype="f4")), np.arange(6.0))


def test_compiled_programs_are_bytes():
    from jax.experimental import serialize_executable

    compiled = jax.jit(lambda x: jnp.cos(x) * 3).lower(jnp.arange(4.0)).compile()
    again = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))
    np.testing.assert_array_equal(again(jnp.arange(4.0)), compiled(jnp.arange(4.0)))


def test_programs_are_compiled_ahead_of_time():
    from jax.experimental import serialize_executable, topologies

    # Four devices that are not there.
    topology = topologies.get_topology_desc(platform="freehold", devices=4)
    assert [device.id for device in topology.devices] == [0, 1, 2, 3] and len(jax.devices()) == 1
    assert topology.devices[0].client.platform_version == jax.devices()[0].client.platform_version

    def compile(n):
        mesh = topologies.make_mesh(topologies.TopologyDescription(topology.devices[:n]), (n,), ("x",))
        sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
        shape = jax.ShapeDtypeStruct((8, 3), "f4", sharding=sharding)
        return jax.jit(lambda x: jnp.sin(x).sum(0)).lower(shape).compile()

    for_four = compile(4)
    assert for_four.memory_analysis().argument_size_in_bytes == 2 * 3 * 4
    with pytest.raises(Exception, match="there is no device 1: FREEHOLD_DEVICES is 1"):
        serialize_executable.deserialize_and_load(*serialize_executable.serialize(for_four))
    again = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compile(1)))
    x = np.linspace(0, 1, 24, dtype="f4").reshape(8, 3)
    np.testing.assert_allclose(again(x), np.sin(x).sum(0), rtol=1e-6)
    with pytest.raises(Exception, match="there is no topology 'v5e'"):
        topologies.get_topology_desc("v5e", "freehold")
    with pytest.raises(Exception, match="FREEHOLD_DEVICES is a number from 1 to 256"):
        topologies.get_topology_desc(platform="freehold", devices=0)


def test_arrays_are_in_memories_of_several_kinds():
    (device,) = jax.devices()
    kinds = ["device", "pinned_host", "unpinned_host"]
    assert [memory.kind for memory in device.addressable_memories()] == kinds
    assert device.default_memory().kind == "device"
    x = jnp.arange(4.0)
    for kind in kinds:
        there = jax.sharding.SingleDeviceSharding(device, memory_kind=kind)
        moved = jax.device_put(x, there)
        assert moved.sharding.memory_kind == kind
        np.testing.assert_array_equal(jax.device_put(moved, jax.sharding.SingleDeviceSharding(device)), x)
        result = jax.jit(lambda x: 2 * x, out_shardings=there)(moved)
        assert result.sharding.memory_kind == kind
        np.testing.assert_array_equal(result, 2 * x)
    host = jax.jit(lambda x: jax.device_put(x + 1, jax.memory.Space.Host))(x)
    assert host.sharding.memory_kind == "pinned_host"
    np.testing.assert_array_equal(jax.device_put(host, jax.memory.Space.Device), x + 1)


PROGRAM = """
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.sqrt %x : tensor<3xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<3xf32>, tensor<f32>
}
"""


def test_a_program_in_c(tmp_path):
    library = os.environ.get("FREEHOLD_PJRT")
    compiler = shutil.which("cc")
    if not library or not compiler:
        pytest.skip("FREEHOLD_PJRT is not set, or there is no C compiler")
    source = Path(__file__).parents[2] / "examples" / "pjrt.c"
    subprocess.run([compiler, "-Wall", "-Werror", source, "-o", tmp_path / "pjrt", "-ldl"], check=True)
    (tmp_path / "program.mlir").write_text(PROGRAM)
    run = subprocess.run(
        [tmp_path / "pjrt", library, tmp_path / "program.mlir", "1", "4", "9"], capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (0, "1 2 3\n6\n"), run.stderr
    # What does not fit is an error with a message.
    run = subprocess.run([tmp_path / "pjrt", library, tmp_path / "program.mlir", "1"], capture_output=True, text=True)
    assert run.returncode == 1 and "f32[3], not f32[1]" in run.stderr
