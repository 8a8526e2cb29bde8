"""Compares models in ONNX files with ONNX Runtime, which runs them on the same inputs:

    python tests/onnx/models.py [--freehold=COMMAND] [--threads=N] [--dim=NAME=SIZE ...] [--static] MODEL ...

Prints for each model the largest difference from what ONNX Runtime computes, with its optimizations or without,
relative to the largest value of an output above one, how long a call takes with
both, and how long it takes from the file to the first outputs. Dimensions without a size get one by their name: 1 for
those that come first, else what `--dim` or the table below says. `--static` compiles for these sizes. Exits with status 1
if an output differs by more than 1e-4. Needs the packages onnx, onnxruntime and numpy.

Models that packages of PyPI carry, after `pip download --no-deps` and `unzip`: silero-vad, magika, rapidocr,
rapidocr-onnxruntime, ddddocr, nudenet, basic-pitch, chython-rxnmap.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
import onnxruntime

# Sizes by input and dimension, of models that take only some.
SIZES = {"sequence": 512, "sequence_length": 8, "image_width": 128, "seq_len": 64, "height": 320, "width": 320}
BY_RANK = {4: [1, 3, 320, 320], 3: [1, 64, 64], 2: [1, 512], 1: [1]}
BY_NAME = {"rec": {2: 48, 3: 320}, "cls": {2: 48, 3: 192}}
TYPES = {1: "f4", 2: "u1", 3: "i1", 6: "i4", 7: "i8", 9: "?", 10: "f2", 11: "f8"}
SCALARS = {"sr": 16000}
# Inputs that are indices of short tables: from 1 to below this.
INDICES = {"atoms": 121, "neighbors": 17, "distances": 13, "roles": 4}


def shape(value, path, dims):
    """The sizes of an input."""
    known = value.type.tensor_type.shape.dim
    default = BY_RANK.get(len(known), [1] * len(known))
    of_file = next((sizes for part, sizes in BY_NAME.items() if part in path.stem), {})
    sizes = []
    for i, dim in enumerate(known):
        if dim.HasField("dim_value") and dim.dim_value > 0:
            sizes.append(dim.dim_value)
        elif dim.dim_param in dims:
            sizes.append(dims[dim.dim_param])
        elif i in of_file:
            sizes.append(of_file[i])
        else:
            sizes.append(SIZES.get(dim.dim_param, default[i] if i > 0 and value.name != "state" else 1))
    return sizes


def arguments(path, dims):
    """Inputs of a model, by name."""
    model = onnx.load(path, load_external_data=False)
    initialized = {tensor.name for tensor in model.graph.initializer}
    random = np.random.default_rng(0)
    found = {}
    for value in model.graph.input:
        if value.name in initialized:
            continue
        dtype = np.dtype(TYPES[value.type.tensor_type.elem_type])
        sizes = shape(value, path, dims)
        if value.name in SCALARS:
            found[value.name] = np.full(sizes, SCALARS[value.name], dtype)
        elif dtype.kind == "f":
            found[value.name] = random.random(sizes).astype(dtype)
        elif value.name in INDICES:
            found[value.name] = random.integers(1, INDICES[value.name], sizes).astype(dtype)
        else:
            found[value.name] = random.integers(0, 200, sizes).astype(dtype)
    return model, found


def difference(got, want):
    """The largest difference of an output, relative to its largest value if that is above one."""
    if got.shape != want.shape:
        return np.inf
    if not want.size:
        return 0.0
    got, want = got.astype("f8"), want.astype("f8")
    return float(np.nan_to_num(np.abs(got - want), nan=np.inf).max() / max(np.abs(want).max(), 1))


def compare(path, options):
    """One line of the table; whether the model is right."""
    dims = {name: int(size) for name, size in (text.rsplit("=", 1) for text in options.dim)}
    model, inputs = arguments(path, dims)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    settings.log_severity_level = 3
    plain = onnxruntime.SessionOptions()
    plain.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    plain = onnxruntime.InferenceSession(str(path), plain, providers=["CPUExecutionProvider"]).run(None, inputs)
    start = time.perf_counter()
    session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    wanted = session.run(None, inputs)
    first_theirs = time.perf_counter() - start
    times = []
    for _ in range(10):
        start = time.perf_counter()
        session.run(None, inputs)
        times.append(time.perf_counter() - start)
    theirs = sorted(times)[5]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        command = [*shlex.split(options.freehold), "run", str(path), f"--threads={options.threads}"]
        for i, (name, array) in enumerate(inputs.items()):
            np.save(folder / f"{i}.npy", array)
            command.append(f"--input=@{folder / f'{i}.npy'}")
        if options.static:
            for name, array in inputs.items():
                if array.ndim:
                    command.append(f"--dim={name}={'x'.join(map(str, array.shape))}")
        command.append(f"--output=@{folder}/y.npz")
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True)
        first_ours = time.perf_counter() - start
        if done.returncode != 0:
            error = next((line for line in done.stderr.splitlines() if "error:" in line), done.stderr[-300:])
            return f"{path.name:40} status {done.returncode}: {error}", False
        with np.load(folder / "y.npz") as file:
            results = [file[name] for name in file.files]
        timed = subprocess.run([*command, "--time"], capture_output=True, text=True)
        found = re.search(r"median ([\d.]+)(ns|µs|ms|s)", timed.stderr)
        ours = float(found[1]) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[found[2]] if found else np.nan
    # It differs from itself: its optimizations change the order of sums.
    distances = [max(map(difference, results, outputs), default=0.0) for outputs in (wanted, plain)]
    worst = min(distances)
    is_right = len(results) == len(wanted) and worst <= 1e-4
    return (
        f"{path.name:40} {worst:9.1e} {ours * 1e3:10.3f} {theirs * 1e3:10.3f} {theirs / ours:6.2f}"
        f" {first_ours:8.3f} {first_theirs:8.3f}",
        is_right,
    )


def main():
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--freehold", default="freehold")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--dim", action="append", default=[])
    parser.add_argument("--static", action="store_true")
    options = parser.parse_args()
    print(f"{'model':40} {'error':>9} {'ms':>10} {'ORT ms':>10} {'times':>6} {'first s':>8} {'ORT s':>8}")
    n_right = 0
    for path in options.models:
        line, is_right = compare(path, options)
        n_right += is_right
        print(line, flush=True)
    print(f"{n_right} of {len(options.models)} models right")
    return n_right < len(options.models)


if __name__ == "__main__":
    sys.exit(main())
