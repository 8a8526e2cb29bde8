"""How far elementary functions of f64 are from what is exact, in units in the last place.

    cargo test --release -p freehold-frontend samples -- --ignored --nocapture | python3 benches/math/doubles.py

Reads lines of a name, two arguments and a result, as patterns of bits. Needs the package mpmath.
"""

import collections
import struct
import sys

import mpmath
from mpmath import mpf

FUNCTIONS = {
    "exp": mpmath.exp,
    "exp2": lambda x: mpf(2) ** x,
    "expm1": mpmath.expm1,
    "log": mpmath.log,
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "log10": mpmath.log10,
    "log1p": mpmath.log1p,
    "tanh": mpmath.tanh,
    "erf": mpmath.erf,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
}


def number(pattern):
    return struct.unpack("<d", struct.pack("<Q", int(pattern, 16)))[0]


def exact(name, x, y):
    """The result; None where it is no number."""
    if not mpmath.isfinite(x) or name.startswith("log") and x <= (-1 if name == "log1p" else 0):
        return None
    # What nearly cancels is small by as much as the argument, and as large are whole circles.
    mpmath.mp.prec = 200 if 1e-15 < abs(x) < 1e15 else 1400
    # Beyond, results are limits.
    if name in ("exp", "exp2", "expm1") and abs(x) > 1e5 or name in ("erf", "tanh") and abs(x) > 100:
        return None
    return mpmath.power(x, mpf(y)) if name == "pow" else FUNCTIONS[name](mpf(x))


def main():
    worst = collections.defaultdict(lambda: (0, None))
    count = collections.Counter()
    for line in sys.stdin:
        words = line.split()
        if len(words) != 4 or words[0] not in [*FUNCTIONS, "pow"]:
            continue
        name, (x, y, result) = words[0], map(number, words[1:])
        wanted = exact(name, x, y)
        if wanted is None or abs(wanted) >= mpf(2) ** 1024 or wanted == 0:
            continue
        exponent = max(int(mpmath.floor(mpmath.log(abs(wanted), 2))), -1022)
        distance = mpmath.inf
        if mpmath.isfinite(result):
            distance = abs(mpf(result) - wanted) / mpf(2) ** (exponent - 52)
        count[name] += 1
        worst[name] = max(worst[name], (float(distance), (x, y)))
    for name, (distance, at) in worst.items():
        print(f"{name}: at most {distance:.3f} units in {count[name]} results, at {at}")
    return any(distance > 2 for distance, _ in worst.values())


if __name__ == "__main__":
    sys.exit(main())
