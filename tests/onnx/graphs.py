"""Runs random ONNX graphs through `freehold run` and compares the results with the reference evaluator of the package
onnx, and where the two differ with ONNX Runtime:

    python tests/onnx/graphs.py [--freehold=COMMAND] [--programs=N] [--seed=S] [--nodes=N] [--jobs=N] [--keep=FOLDER]
        [--only=OPERATOR,...] [--list=wrong,refused,unsure]

A graph has up to NODES nodes of operators of ai.onnx, in an opset from 7 to 28, with attributes, element types and
shapes at random. Its inputs are arguments of known sizes, arguments of sizes known at run time, or initializers. Each
node is tried in the reference evaluator as it is added, and left out if that rejects it. A result is right if it is
near the reference's or near ONNX Runtime's; a graph is *unsure* if those two differ and Freehold has the result of one
of them, *refused* if Freehold says why with status 1. Everything else is wrong: exits with status 1, and KEEP has the
model and its arguments. Needs the packages onnx, numpy and ml_dtypes, and
onnxruntime to tell whose results are right.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import shlex
import subprocess
import sys
import tempfile

import numpy as np
import onnx

from cases import difference, reason
from operators import MAKERS, generate


def runtime(model, feeds):
    """What ONNX Runtime computes, or nothing if it cannot or is not there."""
    try:
        import onnxruntime
    except ImportError:
        return None
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 4
    settings.intra_op_num_threads = 1
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
        return session.run(None, feeds)
    except Exception:
        return None


def differences(got, want):
    """What differs between two lists of results."""
    for i, (a, b) in enumerate(zip(got, want)):
        # Rounding adds up over a few nodes.
        rtol = {"float16": 3e-2, "float64": 1e-5}.get(b.dtype.name, 2e-3)
        largest = float(np.abs(b).max()) if b.size and b.dtype.kind == "f" else 0.0
        about = {"name": "", "rtol": rtol, "atol": {"float16": 2e-2}.get(b.dtype.name, 1e-4) * max(largest, 0.1)}
        wrong = difference(a, b, b.dtype.name, about)
        if wrong:
            return f"result {i}: {wrong}"
    return None


def check(seed, arguments):
    """One graph: (outcome, reason, operators)."""
    made = generate(seed, arguments.nodes, arguments.only)
    if made is None:
        return "none", "", []
    model, feeds, want, g = made
    operators = [node.op_type for node in g.nodes]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "model.onnx").write_bytes(model.SerializeToString())
        command = [*shlex.split(arguments.freehold), "run", str(folder / "model.onnx")]
        for name, value in feeds.items():
            np.save(folder / f"{name}.npy", value)
            command.append(f"--input={name}=@{folder}/{name}.npy")
        command.append(f"--output=@{folder}/out.npz")
        # Half of them are compiled for the sizes of what is passed, the others for any.
        command += ["--dynamic-shapes"] * (seed % 2)
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return keep(seed, arguments, model, feeds, want, "wrong", "took more than 120 seconds", operators)
        if done.returncode == 1:
            return keep(seed, arguments, model, feeds, want, "refused", reason(done.stderr), operators)
        if done.returncode != 0:
            why = f"status {done.returncode}: {done.stderr.strip()[-300:]}"
            return keep(seed, arguments, model, feeds, want, "wrong", why, operators)
        with np.load(folder / "out.npz") as file:
            got = [file[name] for name in file.files]
    wrong = differences(got, want)
    if wrong is None:
        return "right", "", operators
    other = runtime(model, feeds)
    if other is not None and differences(got, other) is None:
        return keep(seed, arguments, model, feeds, want, "unsure", f"{wrong} (ONNX Runtime agrees)", operators)
    if other is not None and differences(want, other) is not None:
        wrong += " (ONNX Runtime has a third result)"
    if other is None:
        wrong += " (ONNX Runtime refuses it)"
    return keep(seed, arguments, model, feeds, want, "wrong", wrong, operators)


def keep(seed, arguments, model, feeds, want, outcome, why, operators):
    """Writes down what is not right."""
    if arguments.keep and outcome in ("wrong", "refused", "unsure"):
        folder = arguments.keep / f"{outcome}-{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.onnx").write_bytes(model.SerializeToString())
        (folder / "model.txt").write_text(onnx.printer.to_text(model))
        for name, value in feeds.items():
            np.save(folder / f"{name}.npy", value)
        np.savez(folder / "want.npz", *want)
    return outcome, f"{why} [{', '.join(operators)}]" if outcome == "wrong" else why, operators


def main():
    """Runs all and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--freehold", default="freehold")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nodes", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--list", default="")
    arguments = parser.parse_args()
    counts, reasons, seen = collections.Counter(), collections.Counter(), collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.programs)
        for seed, (word, why, operators) in zip(seeds, pool.map(check, seeds, [arguments] * len(seeds), chunksize=4)):
            counts[word] += 1
            if word == "right":
                seen.update(operators)
            if word == "refused":
                reasons[why] += 1
            if word == "wrong" or word in arguments.list.split(","):
                print(f"{word}: seed {seed}: {why}", flush=True)
    for why, n in reasons.most_common(40):
        print(f"{n:5}  {why}")
    missing = sorted(set(MAKERS) - set(seen))
    print(f"{len(seen)} of {len(MAKERS)} operators in right graphs, not: {', '.join(missing)}")
    print(f"{sum(counts.values())} graphs: " + ", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    return counts["wrong"] > 0


if __name__ == "__main__":
    sys.exit(main())
