"""Data-parallel training of an MLP: each device has a part of the batch, and gradients are summed.

    python3 examples/mpi/mlp.py mlp.mlirbc
    mpirun -n 4 freehold run mlp.mlirbc

The program trains for twenty steps and returns the loss of each.
"""

import os
import sys
from functools import partial
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

DEVICES, BATCH, FEATURES, HIDDEN, STEPS = 4, 64, 8, 32, 20
MESH = Mesh(np.array(jax.devices()[:DEVICES]), ("batch",))


def loss(weights, x, y):
    w1, b1, w2, b2 = weights
    hidden = jnp.tanh(x @ w1 + b1)
    return jnp.mean((hidden @ w2 + b2 - y) ** 2)


@partial(
    jax.shard_map,
    mesh=MESH,
    in_specs=(P(), P("batch", None), P("batch", None)),
    out_specs=(P(), P()),
    check_vma=False,
)
def step(weights, x, y):
    value, gradients = jax.value_and_grad(loss)(weights, x, y)
    gradients = jax.tree.map(lambda g: jax.lax.pmean(g, "batch"), gradients)
    weights = jax.tree.map(lambda w, g: w - 0.1 * g, weights, gradients)
    return weights, jax.lax.pmean(value, "batch")


@jax.jit
def train():
    rng = np.random.default_rng(0)
    x = jnp.asarray(rng.standard_normal((BATCH, FEATURES)), jnp.float32)
    y = jnp.sin(x.sum(axis=1, keepdims=True))
    weights = (
        jnp.asarray(0.3 * rng.standard_normal((FEATURES, HIDDEN)), jnp.float32),
        jnp.zeros((HIDDEN,), jnp.float32),
        jnp.asarray(0.3 * rng.standard_normal((HIDDEN, 1)), jnp.float32),
        jnp.zeros((1,), jnp.float32),
    )
    return jax.lax.scan(lambda w, _: step(w, x, y), weights, None, length=STEPS)[1]


if __name__ == "__main__":
    exported = jax.export.export(train)()
    Path(sys.argv[1]).write_bytes(exported.mlir_module_serialized)
    print(train())
