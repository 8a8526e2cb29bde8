"""The same bits whoever calls: Python, C, and the command line; and functions of JAX."""

import ctypes
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import freehold
from freehold import _freehold

MODELS = pathlib.Path(__file__).parents[2] / "tests/suite/models/inputs"
TYPES = {"f32": np.float32, "i32": np.int32}


def array(text):
    """An array in the notation of `freehold run --input`."""
    ty, elements = text.split("=")
    *sizes, element = ty.split("x")
    values = np.array([float(word) for word in elements.split(",")])
    return values.astype(TYPES[element]).reshape([int(size) for size in sizes])


class Descriptor:
    """What `_mlir_ciface_` functions take and return of arrays of so many dimensions."""

    def __init__(self, rank):
        fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)]
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
        self.struct = type("Descriptor", (ctypes.Structure,), {"_fields_": fields})

    def of(self, array):
        strides = [stride // array.itemsize for stride in array.strides]
        data = array.ctypes.data
        return self.struct(data, data, 0, tuple(array.shape), tuple(strides))


def from_c(text, folder, arguments, results):
    """Links the library with a C compiler, and calls it as C does."""
    text = re.sub(r"(func\.func public @main\(.*) \{$", r"\1 attributes {llvm.emit_c_interface} {", text, flags=re.M)
    (folder / "model.a").write_bytes(freehold.library(text, target_cpu="native"))
    link = ["cc", "-shared", "-Wl,-Bsymbolic", "-Wl,--whole-archive", folder / "model.a", "-Wl,--no-whole-archive"]
    subprocess.run([*link, "-lm", "-lpthread", "-o", folder / "model.so"], check=True)
    library = ctypes.CDLL(str(folder / "model.so"))
    kinds = [Descriptor(result.ndim).struct for result in results]
    returned = type("Results", (ctypes.Structure,), {"_fields_": [(f"r{i}", kind) for i, kind in enumerate(kinds)]})()
    given = [Descriptor(argument.ndim).of(argument) for argument in arguments]
    library._mlir_ciface_main(ctypes.byref(returned), *map(ctypes.byref, given))
    found = []
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    for i, result in enumerate(results):
        memref = getattr(returned, f"r{i}")
        data = ctypes.string_at(memref.aligned + memref.offset * result.itemsize, result.nbytes)
        found.append(np.frombuffer(data, result.dtype).reshape(result.shape))
        free(memref.allocated)
    return found


def from_command_line(path, name, folder, arguments):
    np.savez(folder / "in.npz", *arguments)
    flags = [f"--function={name}", f"--input=@{folder / 'in.npz'}", f"--output=@{folder / 'out.npz'}"]
    status, _, errors = _freehold.run_command(["freehold", "run", str(path), *flags], b"")
    assert status == 0, errors
    with np.load(folder / "out.npz") as arrays:
        return list(arrays.values())


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.mlir")), ids=lambda path: path.stem)
def test_models(path, tmp_path):
    text = path.read_text()
    arguments = [array(line[10:]) for line in text.splitlines() if line.startswith("// input: ")]
    expected = [array(line[11:]) for line in text.splitlines() if line.startswith("// result: ")]
    name = "main" if "func.func public @main(" in text else path.stem
    results = getattr(freehold.compile(path), name)(*arguments)
    results = list(results) if isinstance(results, tuple) else [results]
    for result, wanted in zip(results, expected, strict=True):
        assert result.dtype == wanted.dtype
        np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-5 * max(1, np.abs(wanted).max()))
    others = [from_command_line(path, name, tmp_path, arguments)]
    if name == "main" and shutil.which("cc"):
        others.append(from_c(text, tmp_path, arguments, results))
    for other in others:
        for a, b in zip(results, other, strict=True):
            assert (a.shape, a.tobytes()) == (b.shape, b.tobytes())


def test_functions_of_jax():
    jax = pytest.importorskip("jax")
    def f(x, y):
        return jax.numpy.tanh(x @ y).sum(axis=0)

    compiled = freehold.jit(f)
    for n in (3, 5):
        x, y = np.random.default_rng(n).random((2, n, n), "f4")
        np.testing.assert_allclose(compiled(x, y), np.tanh(x @ y).sum(axis=0), rtol=1e-5)


CHECKED = """
func.func @element(%m: memref<4xf32>, %i: index) -> f32 attributes {llvm.emit_c_interface} {
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
"""

CALLER = """
import ctypes, sys
import numpy as np
from test_models import Descriptor
library = ctypes.CDLL(sys.argv[1])
library._mlir_ciface_element.restype = ctypes.c_float
library._mlir_ciface_element.argtypes = [ctypes.c_void_p, ctypes.c_int64]
data = np.arange(12, dtype=np.float32)[4:8]
descriptor = Descriptor(1).of(data)
print(library._mlir_ciface_element(ctypes.byref(descriptor), int(sys.argv[2])))
"""


def test_checked_accesses(tmp_path):
    """A library that checks accesses knows the memory that callers pass."""
    (tmp_path / "element.a").write_bytes(freehold.library(CHECKED, check="accesses"))
    link = ["cc", "-shared", "-Wl,-Bsymbolic", "-Wl,--whole-archive", tmp_path / "element.a", "-Wl,--no-whole-archive"]
    subprocess.run([*link, "-lm", "-lpthread", "-o", tmp_path / "element.so"], check=True)
    for index, error in [(3, None), (4, "at offset 16 of a buffer of 16 bytes"), (-1, "at offset -4 of a buffer")]:
        call = [sys.executable, "-c", CALLER, tmp_path / "element.so", str(index)]
        called = subprocess.run(call, cwd=pathlib.Path(__file__).parent, capture_output=True, text=True)
        assert called.stdout.strip() == f"{4.0 + index}", called
        if error is None:
            assert "error" not in called.stderr, called
        else:
            assert f"out of bounds read of 4 bytes {error}" in called.stderr, called


def test_exported_functions_run_at_any_size():
    jax = pytest.importorskip("jax")
    from jax import export

    def f(x, unused, y):
        return jax.numpy.sum(x, axis=0) + y.shape[0], x * 2

    n, m = export.symbolic_shape("n, m")
    shapes = [jax.ShapeDtypeStruct(shape, "float32") for shape in [(n, m), (3,), (2 * n,)]]
    for platforms in [("cpu",), ("cuda", "cpu")]:
        exported = export.export(jax.jit(f), platforms=platforms)(*shapes)
        compiled = freehold.jit(exported)
        for rows in [1, 3]:
            x = np.arange(4 * rows, dtype="f4").reshape(rows, 4)
            arguments = [x, np.zeros(3, "f4"), np.ones(2 * rows, "f4")]
            for found, expected in zip(compiled(*arguments), f(*arguments)):
                np.testing.assert_array_equal(found, expected)
        try:
            serialized = exported.serialize()
        except ImportError:
            continue
        found = freehold.compile(bytes(serialized)).main(*arguments)
        np.testing.assert_array_equal(found[1], arguments[0] * 2)
