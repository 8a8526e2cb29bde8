"""The plugin for JAX. `.ci/python` runs this with `JAX_PLATFORMS=freehold`; otherwise there is nothing to test."""

import os

import pytest

if os.environ.get("JAX_PLATFORMS") != "freehold":
    pytest.skip("JAX_PLATFORMS is not freehold", allow_module_level=True)

import jax
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


@pytest.mark.parametrize("dtype", ["bool", "int4", "uint4", "int8", "uint8", "int32", "uint32", "bfloat16", "float16", "complex64"])
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
    u, s, vt = jnp.linalg.svd(a)
    np.testing.assert_allclose((u * s) @ vt, a, atol=1e-4)
    w, v = jnp.linalg.eig(a)
    np.testing.assert_allclose(a @ v, v * w, atol=1e-3)
    q, r = jnp.linalg.qr(a)
    np.testing.assert_allclose(q @ r, a, atol=1e-4)
    np.testing.assert_allclose(a @ jnp.linalg.solve(a, a), a, atol=1e-3)


def test_analyses():
    compiled = jax.jit(lambda a, b: jnp.sin(a @ b)).lower(jnp.ones((4, 8)), jnp.ones((8, 2))).compile()
    assert compiled.cost_analysis()["flops"] == 2 * 4 * 8 * 2
    memory = compiled.memory_analysis()
    assert memory.argument_size_in_bytes == 4 * (4 * 8 + 8 * 2)
    assert memory.output_size_in_bytes == 4 * 4 * 2
    assert "sine" in compiled.as_text()


def test_compiler_options():
    assert jax.jit(lambda x: x * x, compiler_options={"fp": "strict"})(3.0) == 9
    with pytest.raises(Exception, match="No such compile option: 'nope'"):
        jax.jit(lambda x: x * x, compiler_options={"nope": 1})(3.0)


def test_what_is_missing_is_named():
    with pytest.raises(NotImplementedError, match="Freehold: jax.debug.print"):
        jax.jit(lambda x: jax.debug.print("{}", x))(1.0)


def test_dlpack():
    x = jnp.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(np.from_dlpack(x), np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(jnp.from_dlpack(np.arange(6.0, dtype="f4")), np.arange(6.0))


def test_compiled_programs_are_bytes():
    from jax.experimental import serialize_executable

    compiled = jax.jit(lambda x: jnp.cos(x) * 3).lower(jnp.arange(4.0)).compile()
    again = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))
    np.testing.assert_array_equal(again(jnp.arange(4.0)), compiled(jnp.arange(4.0)))
