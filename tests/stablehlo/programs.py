"""Runs random StableHLO programs through `freehold run` and compares the results with the reference interpreter that the
package jaxlib has:

    python tests/stablehlo/programs.py [--freehold=COMMAND] [--programs=N] [--seed=S] [--operations=N] [--jobs=N]
        [--flags=-O0] [--keep=FOLDER] [--only=OPERATION,...] [--list=refused]

A program has up to N operations on tensors with attributes, element types and shapes at random; arguments are arrays or
constants. The interpreter runs each operation as it is added; what it refuses is left out. Integers, and floats that
nothing was rounded in, must be equal to the bit, other floats near. Refused is what Freehold says why with status 1;
everything else is wrong: exits with status 1, and KEEP has the program and its arguments. Needs jax and numpy.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import pickle
import re
import shlex
import subprocess
import sys
import tempfile
import traceback

import numpy as np

from operations import MAKERS, NUMPY, generate


def reason(stderr):
    """The first error, without what differs between programs."""
    errors = [line for line in stderr.splitlines() if "error:" in line]
    text = errors[0].split("error:", 1)[1].strip() if errors else stderr.strip()[-200:]
    return re.sub(r"tensor<[^>]*>+", "tensor<>", text)[:180]


def difference(got, want, exact, element):
    """What is wrong with a result, if anything."""
    if got.shape != want.shape:
        return f"shape {got.shape}, not {want.shape}"
    if exact or want.dtype.kind in "biu":
        same = (got == want) | ((got != got) & (want != want))
        return (
            None
            if np.all(same)
            else f"{int((~same).sum())} of {same.size} elements differ: {got} instead of {want}"[:400]
        )
    got, want = got.astype(np.float64), want.astype(np.float64)
    rtol = {"f16": 2e-2, "bf16": 6e-2, "f64": 1e-9, "complex<f64>": 1e-9}.get(element, 1e-4)
    atol = rtol * max(float(np.abs(want).max()) if want.size else 0, 0.1)
    near = np.isclose(got, want, rtol=rtol, atol=atol)
    return (
        None
        if near.all()
        else f"{int((~near).sum())} of {near.size} elements are not near: {got} instead of {want}"[:400]
    )


def generated(seed, arguments):
    """A program, from a process of its own: some operations make the interpreter stop the process."""
    incoming, outgoing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(incoming)
            p = generate(seed, arguments.operations, arguments.only)
            text, used, want = p.text() if p.operations else ("", [], [])
            used = [(value.element, value.array) for value in used]
            with os.fdopen(outgoing, "wb") as pipe:
                pickle.dump((text, used, want, p.operations), pipe)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(outgoing)
    with os.fdopen(incoming, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else ("", [], [], [])


def check(seed, arguments):
    """One program: (outcome, reason, operations)."""
    text, used, want, operations = generated(seed, arguments)
    if not text:
        return "none", "", []
    outcome, why = "right", ""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "p.mlir").write_text(text)
        inputs = []
        for i, (element, array) in enumerate(used):
            np.save(folder / f"{i}.npy", array.astype(NUMPY[element]))
            inputs.append(f"--input=@{folder}/{i}.npy")
        for flags in arguments.flags.split(";"):
            command = [*shlex.split(arguments.freehold), "run", f"{folder}/p.mlir", *flags.split(), *inputs]
            try:
                done = subprocess.run(
                    [*command, f"--output=@{folder}/out.npz"], capture_output=True, text=True, timeout=120
                )
            except subprocess.TimeoutExpired:
                outcome, why = "wrong", "took more than 120 seconds"
                break
            if done.returncode == 1:
                outcome, why = "refused", reason(done.stderr)
                break
            if done.returncode != 0:
                outcome, why = "wrong", f"{flags}: status {done.returncode}: {done.stderr.strip()[-300:]}"
                break
            with np.load(folder / "out.npz") as file:
                got = [file[name] for name in file.files]
            found = [difference(a, *b) for a, b in zip(got, want)]
            bad = next((f"{flags}: result {i}: {text}" for i, text in enumerate(found) if text), None)
            if bad or len(got) != len(want):
                outcome, why = "wrong", bad or "the number of results"
                break
        if arguments.keep and outcome != "right":
            target = arguments.keep / f"{outcome}-{seed}"
            target.mkdir(parents=True, exist_ok=True)
            (target / "p.mlir").write_text(text)
            for i, (element, array) in enumerate(used):
                np.save(target / f"{i}.npy", array.astype(NUMPY[element]))
            np.savez(target / "want.npz", *(array for array, _, _ in want))
    return outcome, why, operations


def main():
    """Runs all and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--freehold", default="freehold")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--operations", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--flags", default="-O0;-O2")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--list", default="")
    arguments = parser.parse_args()
    counts, reasons, seen = collections.Counter(), collections.Counter(), collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.programs)
        for seed, (word, why, operations) in zip(seeds, pool.map(check, seeds, [arguments] * len(seeds), chunksize=4)):
            counts[word] += 1
            if word == "right":
                seen.update(operations)
            if word == "refused":
                reasons[why] += 1
            if word == "wrong" or word in arguments.list.split(","):
                print(f"{word}: seed {seed}: {why} [{', '.join(operations)}]", flush=True)
    for why, n in reasons.most_common(40):
        print(f"{n:5}  {why}")
    missing = sorted(set(MAKERS) - set(seen) - {"argmax"})
    print(f"{len(seen)} operations in right programs, not: {', '.join(missing)}")
    print(f"{sum(counts.values())} programs: " + ", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    return counts["wrong"] > 0


if __name__ == "__main__":
    sys.exit(main())
