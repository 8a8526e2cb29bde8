"""Operations that follow from their rows: the page of all operations, which is generated from the rows, says which elements
operands, attributes and results have. An operation of a row is tried; the interpreter says whether it is one."""

import pathlib
import re

import numpy as np

from program import ANY, COMPLEX, FLOATS, INTS, SIGNED, SMALL_FLOATS, SMALL_INTS, Rejected

PAGE = pathlib.Path(__file__).parents[2] / "docs/reference/operations.md"
# Phrases of constraints, and the elements that they mean.
PHRASES = {
    "4/6/8/16/32/64-bit float": FLOATS + SMALL_FLOATS, "32/64-bit float": ["f32", "f64"], "bool": ["i1"],
    "2/4/8/16/32/64-bit integer": INTS + SMALL_INTS, "2/4/8/16/32/64-bit signless integer": SIGNED + ["i4", "i2"],
    "32-bit signless integer": ["i32"], "32-bit unsigned integer": ["ui32"],
    "complex type with 32/64-bit float elements": COMPLEX, "any type": ANY + SMALL_FLOATS + SMALL_INTS,
}  # fmt: skip
DIRECTIONS = [f"#stablehlo<comparison_direction {name}>" for name in ("EQ", "NE", "LT", "LE", "GT", "GE")]
MODES = ["DEFAULT", "HIGHEST"]
# What attributes of rows may be, by their names.
CHOICES = {
    "result_accuracy": [f"#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<{name}>>" for name in MODES],
}  # fmt: skip
# Rows that no program has, and why.
NOT_MADE = {
    "stablehlo.collective_reduce": "jaxlib does not have it yet",
    "stablehlo.async_done": "runs on one device",
    "stablehlo.async_start": "runs on one device",
    "stablehlo.infeed": "needs a host",
    "stablehlo.outfeed": "needs a host",
    "stablehlo.recv": "needs a second device",
    "stablehlo.send": "needs a second device",
    "stablehlo.set_dimension_size": "the interpreter has no bounded sizes",
    "stablehlo.return": "ends regions",
    "chlo._asin_acos_kernel": "a part of others",
}
# Where functions are finite and well conditioned. Arguments outside are tried where they are exact.
DOMAINS = {
    "log": (0.25, 1e4), "log_plus_one": (-0.5, 1e4), "rsqrt": (0.25, 1e4), "sqrt": (0, 1e4), "tan": (-1, 1),
    "cosine": (-5, 5), "sine": (-5, 5),
    "acos": (-0.75, 0.75), "acosh": (1.25, 1e3), "asin": (-0.75, 0.75), "atanh": (-0.75, 0.75), "digamma": (1, 10),
    "erf_inv": (-0.75, 0.75), "lgamma": (3, 20), "polygamma": (1, 4), "zeta": (2, 5), "power": (0.25, 3),
    "broadcast_polygamma": (1, 4), "broadcast_zeta": (2, 5), "broadcast_power": (0.25, 3),
    "divide": (0.25, 1e4), "broadcast_divide": (0.25, 1e4),
}  # fmt: skip
# Operations of floats that are rounded in one way only, or not at all.
EXACT = {
    "abs", "add", "ceil", "clamp", "compare", "divide", "floor", "is_finite", "is_inf", "is_neg_inf",
    "is_pos_inf", "maximum", "minimum", "multiply", "negate", "next_after", "remainder", "round_nearest_afz",
    "round_nearest_even", "select", "sign", "sqrt", "subtract", "complex", "real", "imag", "square",
}  # fmt: skip
# Small changes of the operands may be large ones of the result.
JUMPS = {"ceil", "floor", "round_nearest_afz", "round_nearest_even", "sign", "remainder", "next_after", "atan2", "not",
         "compare", "is_inf", "mulhi", "is_neg_inf", "is_pos_inf"}  # fmt: skip

# Complex functions that jump where one of the parts changes its sign, or where real parts are the same.
CUTS = {"acos", "acosh", "asin", "asinh", "atan", "atanh", "log", "log_plus_one", "power", "rsqrt", "sqrt",
        "maximum", "minimum"}  # fmt: skip
# Beyond their domain they are what a formula gives that nobody has to follow.
FORMULAS = {"bessel_i1e", "digamma", "erf_inv", "lgamma", "polygamma", "zeta"}
FLOATS_ONLY = {"next_after", "polygamma", "zeta", "atan2"}


class Row:
    """What the page says of an operation."""

    def __init__(self, line):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        self.name = cells[0].strip("`")
        self.operands, self.attributes, self.results = (parts(cell) for cell in cells[2:5])
        self.regions = len(cells) > 5 and cells[5] != ""

    @property
    def short(self):
        return self.name.removeprefix("stablehlo.")


def parts(cell):
    """(name, what marks its count, elements, description) of each."""
    found = []
    for part in cell.split("<br>"):
        match = re.match(r"`([^`]*)`([*?]?): (.*)", part)
        if match:
            found.append((match[1], match[2], elements(match[3]), match[3]))
    return found


def elements(text):
    """The elements that a constraint takes."""
    match = re.match(r"(?:ranked |0D )?tensor of (.*) values$", text)
    if not match:
        return []
    return [name for phrase in match[1].split(" or ") for name in PHRASES.get(phrase, [])]


def read():
    """All rows of the two dialects."""
    found = [Row(line) for line in PAGE.read_text().splitlines() if re.match(r"\| `(stablehlo|chlo)\.", line)]
    return {row.name: row for row in found}


ROWS = read()


def is_plain(row):
    """Whether the row says all: some tensors, one result, no region, and attributes that are optional."""
    return (
        row.name not in NOT_MADE
        and not row.regions
        and 0 < len(row.operands) <= 3
        and all(names and not mark for _, mark, names, _ in row.operands + row.results)
        and len(row.results) == 1
        and all(mark == "?" for _, mark, _, _ in row.attributes)
    )


def between(value, bounds):
    return value.array.size == 0 or bool(np.all((value.array >= bounds[0]) & (value.array <= bounds[1])))


def attributes(p, row):
    """Some of the optional attributes."""
    chosen = [(name, p.rng.choice(CHOICES[name])) for name, *_ in row.attributes if name in CHOICES]
    return ", ".join(f"{name} = {text}" for name, text in chosen if p.rng.random() < 0.2)


def result(p, row, operand):
    """The element of the result: that of the operand if it may be, or a part or a pair of it."""
    allowed = row.results[0][2]
    if row.short in ("complex", "chlo.broadcast_complex"):
        return f"complex<{operand}>"
    if operand in COMPLEX and (row.short in ("real", "imag", "abs") or operand not in allowed):
        return operand[8:-1]
    return operand if operand in allowed else p.rng.choice(allowed)


def make(p, name):
    """Adds an operation of a row."""
    row = ROWS[name]
    base = row.short.removeprefix("chlo.")
    plain = base.removeprefix("broadcast_")
    bounds = DOMAINS.get(base)
    # Some operands are of any value if nothing was rounded in them.
    wild = p.rng.random() < 0.25 and plain not in FORMULAS
    low, high = (bounds[0], min(bounds[1], 5)) if bounds else (-2, 2)

    def fits(value):
        if (plain in JUMPS or (plain in CUTS and value.element in COMPLEX)) and not value.exact:
            return False
        if plain in ("floor", "ceil", "round_nearest_afz", "round_nearest_even") and value.element == "f8E3M4":
            # The interpreter gives NaN.
            return False
        if plain in ("cbrt", "power") and value.element in COMPLEX:
            # Powers of zero and of infinities, too.
            return bool(np.all((value.array != 0) & np.isfinite(value.array)))
        if wild or bounds is None or value.element in COMPLEX + INTS + SMALL_INTS + ["i1"]:
            return value.exact or not wild
        return between(value, bounds)

    allowed = row.operands[0][2]
    if plain in FLOATS_ONLY:
        # What broadcasts says less of its elements than what it becomes.
        allowed = [name for name in allowed if name in FLOATS]
    if plain == "complex":
        allowed = ["f32", "f64"]
    first = p.pick(allowed, where=fits, low=low, high=high)
    operands = [first]
    for _, _, names, _ in row.operands[1:]:
        element = first.element if first.element in names else p.rng.choice(names)
        operands.append(p.pick([element], shape=first.shape, where=fits, low=low, high=high))
    is_integer = first.element in INTS + SMALL_INTS
    if plain in ("divide", "remainder") and is_integer:
        # What the interpreter stops the process for.
        y = operands[1].array
        if np.any(y == 0) or np.any(y == -1):
            operands[1] = p.fresh(first.element, first.shape, 1, 5 if first.element in INTS else 1, plain=True)
            if np.any(operands[1].array == 0):
                raise Rejected
    if plain == "remainder" and first.element in COMPLEX:
        raise Rejected
    if plain == "power" and is_integer:
        operands = [p.fresh(first.element, first.shape, 0, 3, plain=True) for _ in "xy"]
        if first.element == "ui8" and p.rng.random() < 0.5:
            # Exponents of which the greatest have the bit that is a sign elsewhere.
            operands[1] = p.fresh(first.element, first.shape, 0, 255, plain=True)
    chosen = attributes(p, row)
    if row.name.startswith("chlo.broadcast_") and len(operands) == 2 and p.rng.random() < 0.6:
        which, shape = p.rng.randint(0, 1), ()
        if p.rng.random() < 0.6:
            # Dimensions of one element, or less dimensions: the last ones, or those of a list.
            kept = sorted(p.rng.sample(range(len(first.shape)), p.rng.randint(0, len(first.shape))))
            if p.rng.random() < 0.5:
                kept = list(range(len(first.shape)))[len(first.shape) - len(kept) :]
            elif len(kept) < len(first.shape):
                chosen = f"broadcast_dimensions = array<i64{': ' if kept else ''}{', '.join(map(str, kept))}>"
            shape = tuple(first.shape[i] if p.rng.random() < 0.7 else 1 for i in kept)
        operands[which] = p.pick([operands[which].element], shape=shape, where=fits, low=low, high=high)
    exact = plain in EXACT and first.element not in COMPLEX or plain in ("complex", "real", "imag", "negate")
    # Of halves, the interpreter rounds functions once; sums and products are those of the type.
    element = result(p, row, first.element)
    p.emit(name, operands, element, first.shape, chosen, exact=exact, wild=wild)
