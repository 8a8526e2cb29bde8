"""The largest errors of elementary functions of f64, in units in the last place.

    python3 benches/math/doubles.py target/release/freehold [FUNCTION...]

Compiles each function, runs it on random arguments and compares the results with mpmath's. Fails above two units.
Needs the packages mpmath and numpy.
"""

import pathlib
import subprocess
import sys
import tempfile

import mpmath
import numpy
from mpmath import mpf

# The function, and the ends of the interval that a fifth of its arguments come from.
FUNCTIONS = {
    "exp": (mpmath.exp, (-746, 711)),
    "exp2": (lambda x: mpf(2) ** x, (-1080, 1026)),
    "expm1": (mpmath.expm1, (-40, 711)),
    "log": (mpmath.log, (0, 4)),
    "log2": (lambda x: mpmath.log(x) / mpmath.log(2), (0, 4)),
    "log10": (lambda x: mpmath.log(x) / mpmath.log(10), (0, 4)),
    "log1p": (mpmath.log1p, (-1, 4)),
    "tanh": (mpmath.tanh, (-23, 23)),
    "erf": (mpmath.erf, (-6.2, 6.2)),
    "sin": (mpmath.sin, (-2e8, 2e8)),
    "cos": (mpmath.cos, (-2e8, 2e8)),
    "tan": (mpmath.tan, (-2e8, 2e8)),
}
COUNT = 20_000


def arguments(random, low, high):
    """Arguments from the interval, near zeros of sine and cosine, near zero, and of any exponent."""
    quarter = COUNT // 4
    return numpy.concatenate([
        random.uniform(low, high, quarter - 1000),
        numpy.round(random.uniform(0, 1e9, 1000)) * (numpy.pi / 2),
        random.uniform(-2, 2, quarter),
        random.uniform(-0.5, 0.5, quarter) * numpy.exp2(random.uniform(-60, 0, quarter)),
        random.integers(0, 2**64 - 1, quarter, dtype=numpy.uint64).view(numpy.float64),
    ])


def powers(random):
    third = COUNT // 3
    return (
        numpy.concatenate([
            random.uniform(0, 4, third),
            random.uniform(0.5, 1.5, third),
            numpy.exp2(random.uniform(-1000, 1000, third)),
        ]),
        numpy.concatenate([
            random.uniform(-100, 100, third),
            random.uniform(-1000, 1000, third),
            random.uniform(-2, 2, third),
        ]),
    )


def compute(freehold, name, folder, *operands):
    """The results of `math.name`, compiled."""
    operation = "powf" if name == "pow" else name
    names = ["%a", "%b"][: len(operands)]
    kind = "tensor<?xf64>"
    program = folder / "program.mlir"
    program.write_text(
        f"func.func @f({', '.join(f'{n}: {kind}' for n in names)}) -> {kind} {{\n"
        f"  %r = math.{operation} {', '.join(names)} : {kind}\n  return %r : {kind}\n}}\n"
    )
    flags = []
    for index, operand in enumerate(operands):
        numpy.save(folder / f"{index}.npy", operand)
        flags.append(f"--input=@{folder}/{index}.npy")
    result = folder / "result.npy"
    subprocess.run([freehold, "run", program, "--function=f", *flags, f"--output=@{result}"], check=True)
    return numpy.load(result)


def exact(name, x, y):
    """The result; None where it is a limit or not a number."""
    if not mpmath.isfinite(x) or name.startswith("log") and x <= (-1 if name == "log1p" else 0):
        return None
    # Cancellation near zero and reduction of large arguments need digits.
    mpmath.mp.prec = 200 if 1e-15 < abs(x) < 1e15 else 1400
    if name in ("exp", "exp2", "expm1") and abs(x) > 1e5 or name in ("erf", "tanh") and abs(x) > 100:
        return None
    return mpmath.power(x, mpf(y)) if name == "pow" else FUNCTIONS[name][0](mpf(x))


def error(name, x, y, result):
    wanted = exact(name, x, y)
    if wanted is None or abs(wanted) >= mpf(2) ** 1024 or wanted == 0:
        return None
    if not mpmath.isfinite(result):
        return mpmath.inf
    exponent = max(int(mpmath.floor(mpmath.log(abs(wanted), 2))), -1022)
    return float(abs(mpf(result) - wanted) / mpf(2) ** (exponent - 52))


def main():
    freehold, *names = sys.argv[1:]
    random = numpy.random.default_rng(77)
    fails = False
    print("| function | largest error | results |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, numpy.errstate(all="ignore"):
        for name in names or [*FUNCTIONS, "pow"]:
            operands = powers(random) if name == "pow" else (arguments(random, *FUNCTIONS[name][1]),)
            results = compute(freehold, name, pathlib.Path(folder), *operands)
            pairs = zip(operands[0].tolist(), operands[-1].tolist(), results.tolist())
            errors = [found for found in (error(name, *pair) for pair in pairs) if found is not None]
            print(f"| {name} | {max(errors):.2f} | {len(errors)} |", flush=True)
            fails |= max(errors) > 2
    return fails


if __name__ == "__main__":
    sys.exit(main())
