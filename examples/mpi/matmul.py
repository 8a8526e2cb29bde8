"""A matrix product divided among devices: rows of one factor, columns of the other, on a mesh of two by two.

    python3 examples/mpi/matmul.py matmul.mlirbc
    mpirun -n 4 freehold run matmul.mlirbc --input=64x32xf32=random --input=32x48xf32=random
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

MESH = Mesh(np.array(jax.devices()[:4]).reshape(2, 2), ("row", "column"))


@jax.jit
@partial(jax.shard_map, mesh=MESH, in_specs=(P("row", "column"), P("column", None)), out_specs=P("row", None))
def matmul(a, b):
    # Each device has a block of the first factor and the rows of the second that go with it.
    return jax.lax.psum(a @ b, "column")


if __name__ == "__main__":
    shapes = (jax.ShapeDtypeStruct((64, 32), jnp.float32), jax.ShapeDtypeStruct((32, 48), jnp.float32))
    exported = jax.export.export(matmul)(*shapes)
    Path(sys.argv[1]).write_bytes(exported.mlir_module_serialized)
