"""Runs random StableHLO programs through `freehold run` and compares the results with the reference interpreter that the
package jaxlib has:

    python tests/stablehlo/programs.py [--freehold=COMMAND] [--programs=N] [--seed=S] [--operations=N] [--jobs=N]
        [--flags="-O0;-O2"] [--long=SHARE] [--unknown=SHARE] [--keep=FOLDER] [--only=OPERATION,...] [--list=refused]
        [--written] [--mixed]

A program has up to N operations on tensors with attributes, element types and shapes at random: in shares of all programs
long shapes, and sizes that are known only at run time. Arguments are arrays or constants. The interpreter runs each
operation as it is added; what it refuses is left out. Integers, and floats that nothing was rounded in, must be equal to
the bit, other floats near; flags without '--fp' must all give the same bits but for NaNs. Refused is what Freehold says
why with status 1; everything else is wrong: exits with status 1, and KEEP has the program and its arguments. With
--written, jaxlib reads each program as `freehold opt` writes it, too. With --mixed, most operations that have a form in
linalg and tensor are written so. Needs jax and numpy.
"""

import argparse
import collections
import concurrent.futures
import io
import os
import pathlib
import pickle
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings

import numpy as np

from generator import MAKERS, generate, missing
from mixed import OFTEN, mixed
from program import NUMPY, SMALL_FLOATS
from written import fault


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
        same = ((got == want) & (np.signbit(got) == np.signbit(want) if want.dtype.kind == "f" else True)) | (
            (got != got) & (want != want)
        )
        return (
            None
            if np.all(same)
            else f"{int((~same).sum())} of {same.size} elements differ: {got} instead of {want}"[:400]
        )
    got, want = got.astype(np.float64), want.astype(np.float64)
    rtol = {"f16": 2e-2, "bf16": 6e-2, "f64": 1e-9, "complex<f64>": 1e-9}.get(
        element, 0.3 if element in SMALL_FLOATS else 1e-4
    )
    finite = np.abs(want[np.isfinite(want)])
    atol = rtol * max(float(finite.max()) if finite.size else 0, 0.1)
    with np.errstate(all="ignore"):
        near = np.isclose(got, want, rtol=rtol, atol=atol, equal_nan=True)
    return (
        None
        if near.all()
        else f"{int((~near).sum())} of {near.size} elements are not near: {got} instead of {want}"[:400]
    )


def has_same_bits(one, other):
    """Whether two results are the same but for the bits of NaNs."""
    same = one == other
    if one.dtype.kind == "f":
        same = (same & (np.signbit(one) == np.signbit(other))) | ((one != one) & (other != other))
    if one.dtype.kind == "c":
        return has_same_bits(one.real, other.real) and has_same_bits(one.imag, other.imag)
    return bool(np.all(same))


def spelled(p, text, seed):
    """The program in one of the forms in which it may come."""
    form = seed % 5
    # jaxlib's Python side has no quantized types.
    if not text or form == 0 or "!quant." in text:
        return text.encode()
    parsed = p.ir.Module.parse(text)
    if form == 1:
        return str(parsed).encode()
    if form == 2 or "chlo." in text:
        stream = io.BytesIO()
        parsed.operation.write_bytecode(stream)
        return stream.getvalue()
    version = random.Random(seed).choice(["1.0.0", "1.5.0", p.stablehlo.get_current_version()])
    try:
        return p.stablehlo.serialize_portable_artifact(parsed, version)
    except Exception:
        # This version has no such operation or type.
        return text.encode()


def generated(seed, arguments):
    """A program, from a process of its own: some operations make the interpreter stop the process."""
    # Once, and not in each of these processes.
    import jax._src.interpreters.mlir  # noqa: F401

    incoming, outgoing = os.pipe()
    with warnings.catch_warnings():
        # JAX fears for its threads. There are none yet.
        warnings.simplefilter("ignore", RuntimeWarning)
        child = os.fork()
    if child == 0:
        try:
            os.close(incoming)
            often = OFTEN if arguments.mixed else ()
            p = generate(seed, arguments.operations, arguments.only, arguments.long, arguments.unknown, often)
            text, used, want = p.text() if p.operations else ("", [], [])
            used = [(value.element, value.array) for value in used]
            why = fault(p, text, arguments.freehold) if text and arguments.written else None
            if text and arguments.mixed:
                text = mixed(random.Random(seed), text).encode()
            else:
                text = spelled(p, text, seed)
            with os.fdopen(outgoing, "wb") as pipe:
                pickle.dump((text, used, want, p.operations, why), pipe)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(outgoing)
    with os.fdopen(incoming, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else (b"", [], [], [], None)


def check(seed, arguments):
    """One program: (outcome, reason, operations)."""
    text, used, want, operations, why = generated(seed, arguments)
    if not text:
        return "none", "", []
    outcome = "wrong" if why else "right"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "p.mlir").write_bytes(text)
        inputs = []
        for i, (element, array) in enumerate(used):
            np.save(folder / f"{i}.npy", array.astype(NUMPY[element]))
            inputs.append(f"--input=@{folder}/{i}.npy")
        strict = {}
        for flags in arguments.flags.split(";") if not why else []:
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
            if not bad and "--fp" not in flags:
                for i, result in enumerate(got):
                    if not has_same_bits(strict.setdefault(i, result), result):
                        bad = f"{flags}: result {i} has other bits than with the flags before"
            if bad or len(got) != len(want):
                outcome, why = "wrong", bad or "the number of results"
                break
        if arguments.keep and outcome != "right":
            target = arguments.keep / f"{outcome}-{seed}"
            target.mkdir(parents=True, exist_ok=True)
            (target / "p.mlir").write_bytes(text)
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
    parser.add_argument("--flags", default="-O0;-O2;-O3 --fp=contract")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--long", type=float, default=0.25)
    parser.add_argument("--unknown", type=float, default=0.25)
    parser.add_argument("--list", default="")
    parser.add_argument("--written", action="store_true")
    parser.add_argument("--mixed", action="store_true")
    arguments = parser.parse_args()
    if missing():
        sys.exit(f"rows that no program has: {', '.join(missing())}")
    counts, reasons, seen = collections.Counter(), collections.Counter(), collections.Counter()
    seeds = range(arguments.seed, arguments.seed + arguments.programs)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        outcomes = zip(seeds, pool.map(check, seeds, [arguments] * len(seeds), chunksize=4))
        try:
            for seed, (word, why, operations) in outcomes:
                counts[word] += 1
                if word == "right":
                    seen.update(operations)
                if word == "refused":
                    reasons[why] += 1
                if word == "wrong" or word in arguments.list.split(","):
                    print(f"{word}: seed {seed}: {why} [{', '.join(operations)}]", flush=True)
        except KeyboardInterrupt:
            # What was tried until then.
            pool.shutdown(wait=False, cancel_futures=True)
    for why, n in reasons.most_common(40):
        print(f"{n:5}  {why}")
    made = {name if "." in name else f"stablehlo.{name}" for name, _ in MAKERS}
    print(f"{len(seen)} operations in right programs, not: {', '.join(sorted(made - set(seen)))}")
    print(f"{sum(counts.values())} programs: " + ", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    return counts["wrong"] > 0


if __name__ == "__main__":
    sys.exit(main())
