"""Writes the models of `tests/suite/models/inputs/`: programs of `programs.py` and models of
`onnx_models.py` in small sizes, with arguments and what JAX and ONNX Runtime compute of them.

    python small.py FOLDER [NAME ...]

A file begins with comments `// input: ` and `// result: ` in the notation of `freehold run
--input`. Needs the packages of `convert.py` and `onnx_models.py`, and onnxruntime.
"""

import os
import pathlib
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402

import convert  # noqa: E402
import onnx_models  # noqa: E402
from programs import PROGRAMS, _ids, _values as _V  # noqa: E402

ARGUMENTS = {
    "residual_block": [_V(1, 5, 5, 4), _V(3, 3, 4, 4, scale=0.2), _V(3, 3, 4, 4, seed=1, scale=0.2)],
    "pooling": [_V(1, 6, 6, 5)],
    "lstm": [_V(5, 2, 3), _V(2, 3), _V(2, 3, seed=1)]
    + [_V(3, 12, scale=0.4), _V(3, 12, seed=1, scale=0.4), _V(12)],
    "heat": [_V(9, 11)],
    "embedding": [_V(13, 6), _ids(4, 13, 5)],
    "ranking": [_V(3, 41)],
    "sorting": [_V(3, 21)],
    "prefix_sums": [_V(3, 33)],
    "histogram": [_ids(50, 64), _V(50)],
    "spectrum": [_V(2, 16)],
}
MODELS = {
    "conv_net": lambda: onnx_models.conv_net(8, 2),
    "encoder_layer": lambda: onnx_models.encoder_layer(3, 4, 2),
    "classifier": lambda: onnx_models.classifier(2, (5, 7, 3)),
}
TYPES = {"float32": "f32", "int32": "i32", "int64": "i64", "int8": "i8", "bool": "i1"}


def literal(array):
    """An array as `--input` reads it, to nine digits, which tell all floats of 32 bits apart."""
    array = np.asarray(array)
    elements = ",".join(f"{element:.9g}" for element in array.ravel().tolist())
    shape = "".join(f"{size}x" for size in array.shape)
    return f"{shape}{TYPES[array.dtype.name]}={elements}"


def program(name, folder):
    """The text of a program of JAX, its arguments and what it computes."""
    function, _ = PROGRAMS[name]
    arguments = ARGUMENTS[name]
    results = jax.tree.leaves(jax.jit(function)(*arguments))
    return convert.convert(name, folder, arguments), arguments, results


def model(name, folder):
    """The same of a model of ONNX."""
    file, mlir = onnx_models.convert(name, folder, MODELS[name])
    arguments = onnx_models.arguments(onnx.load(file))
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    names = (each.name for each in session.get_inputs())
    return mlir, arguments, session.run(None, dict(zip(names, arguments)))


def write(name, target):
    with tempfile.TemporaryDirectory() as folder:
        make, origin = (program, "JAX") if name in ARGUMENTS else (model, "ONNX")
        mlir, arguments, results = make(name, folder)
        lines = [f"// Made by benches/models/small.py of {origin}'s {name}."]
        lines += [f"// input: {literal(argument)}" for argument in arguments]
        lines += [f"// result: {literal(result)}" for result in results]
        lines += [line.rstrip() for line in mlir.read_text().splitlines()]
        (target / f"{name}.mlir").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for each in sys.argv[2:] or [*ARGUMENTS, *MODELS]:
        print(each)
        write(each, target)
