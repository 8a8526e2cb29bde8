"""Quantized tensors: integers that stand for floats. The interpreter has none of them; what it runs instead are the floats,
rounded to what the integers can be after each operation, as the specification has it."""

import numpy as np

from operations import body, ints, window, dense
from program import Rejected, tensor

STORED = {"i8": (-128, 127), "u8": (0, 255), "i4": (-8, 7), "u4": (0, 15), "i16": (-32768, 32767), "u16": (0, 65535)}
UNARY = ["abs", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "logistic", "negate", "sign", "sine", "tanh",
         "cbrt", "sqrt"]  # fmt: skip
BINARY = ["add", "subtract", "multiply", "maximum", "minimum", "atan2"]


class Kind:
    """Scales and zeros of quantized elements, for all of a tensor or for each position of a dimension."""

    def __init__(self, p, shape=(), axis=None):
        self.stored, self.expressed = p.rng.choice(["i8"] * 4 + list(STORED)), "f32"
        self.low, self.high = STORED[self.stored]
        self.axis = axis
        count = 1 if axis is None else shape[axis]
        # Powers of two, so that nothing but the rounding is rounded.
        self.scales = [2.0 ** -p.rng.randint(0, 3) for _ in range(count)]
        self.zeros = [p.rng.choice([0, 0, p.rng.randint(max(self.low, -9), min(self.high, 9))]) for _ in range(count)]
        self.limits = ""
        if p.rng.random() < 0.2 and self.stored == "i8":
            self.low, self.limits = -127, "<-127:127>"
            self.zeros = [max(zero, -127) for zero in self.zeros]

    @property
    def text(self):
        pairs = [f"{scale}{f':{zero}' if zero else ''}" for scale, zero in zip(self.scales, self.zeros)]
        if self.axis is None:
            return f"!quant.uniform<{self.stored}{self.limits}:{self.expressed}, {pairs[0]}>"
        return f"!quant.uniform<{self.stored}{self.limits}:{self.expressed}:{self.axis}, {{{', '.join(pairs)}}}>"


class Lines:
    """The quantized operations, and what they mean."""

    def __init__(self, p):
        self.p, self.lines, self.meant, self.count = p, [], [], 0

    def constant(self, numbers, kind, shape):
        """Numbers of all or of each position, as large as the tensor."""
        name = f"{self.p.local()}c"
        array = np.array(numbers, float)
        if kind.axis is not None and len(numbers) > 1:
            array = np.broadcast_to(array.reshape([-1 if i == kind.axis else 1 for i in range(len(shape))]), shape)
        else:
            array = np.full(shape, array[0])
        attribute = self.p.attribute(array, "f32", shape)
        self.meant.append(f"{name} = stablehlo.constant {attribute}")
        return name

    def mean(self, operation, names, shape):
        name = f"{self.p.local()}m"
        kind = tensor("f32", shape)
        kinds = ", ".join([kind] * len(names))
        self.meant.append(f'{name} = "stablehlo.{operation}"({", ".join(names)}) : ({kinds}) -> {kind}')
        return name

    def rounded(self, name, kind, shape):
        """What a float of this name is once it was quantized."""
        scale, zero = (self.constant(numbers, kind, shape) for numbers in (kind.scales, kind.zeros))
        low, high = (self.constant([number], kind, shape) for number in (kind.low, kind.high))
        name = self.mean("divide", [name, scale], shape)
        name = self.mean("add", [self.mean("round_nearest_even", [name], shape), zero], shape)
        name = self.mean("clamp", [low, name, high], shape)
        return self.mean("multiply", [self.mean("subtract", [name, zero], shape), scale], shape)

    def quantize(self, value, kind):
        """(quantized, meant) names."""
        name = f"{self.p.local()}q"
        to = tensor(kind.text, value.shape)
        self.lines.append(f'{name} = "stablehlo.uniform_quantize"({value.name}) : ({value.type}) -> {to}')
        return name, self.rounded(value.name, kind, value.shape)

    def op(self, operation, operands, kinds, shapes, to, shape, attributes="", region="", meant_region=""):
        """An operation of (quantized, meant) names."""
        name, floats = f"{self.p.local()}o", f"{self.p.local()}f"
        more = f" {{{attributes}}}" if attributes else ""
        types = ", ".join(tensor(kind.text, dims) for kind, dims in zip(kinds, shapes))
        self.lines.append(
            f'{name} = "stablehlo.{operation}"({", ".join(pair[0] for pair in operands)}){region}{more} : ({types}) -> '
            f"{tensor(to.text, shape)}"
        )
        types = ", ".join(tensor("f32", dims) for dims in shapes)
        self.meant.append(
            f'{floats} = "stablehlo.{operation}"({", ".join(pair[1] for pair in operands)}){meant_region}{more} : ({types}) '
            f"-> {tensor('f32', shape)}"
        )
        return name, self.rounded(floats, to, shape)

    def end(self, pair, kind, shape, inputs, operation):
        """Back to floats."""
        name = self.p.name()
        made = tensor("f32", shape)
        self.lines.append(
            f'{name} = "stablehlo.uniform_dequantize"({pair[0]}) : ({tensor(kind.text, shape)}) -> {made}'
        )
        self.meant.append(f'{name} = "stablehlo.reshape"({pair[1]}) : ({made}) -> {made}')
        value = self.p.stand(operation, self.lines, [(name, ("f32", tuple(shape)))], inputs, True, meant=self.meant)
        if not np.all(np.isfinite(value.array)):
            # No integer stands for what is no number.
            raise Rejected
        return value


def floats(p, shape=None, least=0, most=4):
    """Exact floats to quantize."""
    near = lambda v: (
        v.exact and bool(np.all(np.isfinite(v.array))) and (v.array.size == 0 or np.abs(v.array).max() < 1e3)
    )
    return p.pick(["f32"], shape=shape, least=least, most=most, where=near)


def axis_of(p, shape):
    """A dimension whose positions have scales of their own, or none."""
    return p.rng.randrange(len(shape)) if shape and 0 not in shape and p.rng.random() < 0.25 else None


def elementwise(p, lines):
    x = floats(p)
    operation = p.rng.choice(UNARY + BINARY * 3 + ["clamp", "select", "compare"])
    own = axis_of(p, x.shape)
    kind = Kind(p, x.shape, own if operation in ("add", "subtract", "multiply") else None)
    values = [x] + [floats(p, x.shape) for _ in range({"clamp": 2, "select": 1}.get(operation, operation in BINARY))]
    shapes = [x.shape] * len(values)
    # Each of its own kind, or all of one.
    one = p.rng.random() < 0.5 or operation in ("select", "clamp") or kind.axis is not None
    kinds = [kind if one else Kind(p, x.shape) for _ in values]
    if operation == "compare":
        raise Rejected
    pairs = [lines.quantize(value, of) for value, of in zip(values, kinds)]
    to = kind if operation in ("select", "clamp") or p.rng.random() < 0.5 or kind.axis is not None else Kind(p, x.shape)
    if operation == "select":
        flags = p.pick(["i1"], shape=x.shape)
        name, meant = f"{p.local()}o", f"{p.local()}f"
        for into, of, text, element in ((lines.lines, 0, name, to.text), (lines.meant, 1, meant, "f32")):
            kind = tensor(element, x.shape)
            into.append(
                f'{text} = "stablehlo.select"({flags.name}, {pairs[0][of]}, {pairs[1][of]}) : ({flags.type}, {kind}, {kind}) '
                f"-> {kind}"
            )
        return lines.end((name, meant), to, x.shape, [flags, *values], "uniform_quantize")
    pair = lines.op(operation, pairs, kinds, shapes, to, x.shape)
    return lines.end(pair, to, x.shape, values, "uniform_quantize")


def moves(p, lines):
    """Operations that change no element."""
    x = floats(p, least=1)
    rank = len(x.shape)
    operation = p.rng.choice(["transpose", "reverse", "reshape", "slice", "broadcast_in_dim", "concatenate", "pad"])
    kind = Kind(p)
    values, shape, attributes = [x], list(x.shape), ""
    order = p.rng.sample(range(rank), rank)
    if operation == "transpose":
        kind = Kind(p, x.shape, axis_of(p, x.shape))
        shape, attributes = [x.shape[i] for i in order], f"permutation = {ints(order)}"
    elif operation == "reverse":
        attributes = f"dimensions = {ints(sorted(order[: rank // 2]))}"
    elif operation == "reshape":
        shape = [int(np.prod(x.shape))]
    elif operation == "slice":
        shape = [max(dim - 1, 0) for dim in x.shape]
        attributes = f"start_indices = {ints([0] * rank)}, limit_indices = {ints(shape)}, strides = {ints([1] * rank)}"
    elif operation == "broadcast_in_dim":
        shape = [p.rng.randint(1, 3), *x.shape]
        attributes = f"broadcast_dimensions = {ints(range(1, rank + 1))}"
    elif operation == "concatenate":
        values.append(floats(p, x.shape))
        shape[0] *= 2
        attributes = "dimension = 0 : i64"
    else:
        values.append(floats(p, ()))
        shape = [dim + 1 for dim in shape]
        attributes = ", ".join(
            f"{name} = {ints([number] * rank)}"
            for name, number in (("edge_padding_low", 1), ("edge_padding_high", 0), ("interior_padding", 0))
        )
    pairs = [lines.quantize(value, kind) for value in values]
    to = kind
    if operation == "transpose" and kind.axis is not None:
        to = Kind(p)
        to.stored, to.low, to.high, to.limits = kind.stored, kind.low, kind.high, kind.limits
        to.scales, to.zeros, to.axis = kind.scales, kind.zeros, order.index(kind.axis)
    pair = lines.op(operation, pairs, [kind] * len(values), [value.shape for value in values], to, shape, attributes)
    return lines.end(pair, to, shape, values, "uniform_quantize")


def product(p, lines):
    """Products, whose sums are exact."""
    m, k, n = (p.rng.randint(1, 4) for _ in "mkn")
    values = [floats(p, (m, k)), floats(p, (k, n))]
    kinds = [Kind(p), Kind(p, (k, n), 1 if p.rng.random() < 0.3 else None)]
    kinds[1].stored, (kinds[1].low, kinds[1].high) = kinds[0].stored, STORED[kinds[0].stored]
    kinds[1].limits = ""
    kinds[1].zeros = [0 for _ in kinds[1].zeros]
    to = Kind(p, (m, n), 1 if kinds[1].axis is not None else None)
    pairs = [lines.quantize(value, kind) for value, kind in zip(values, kinds)]
    numbers = (
        "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    )
    shapes = [(m, k), (k, n)]
    pair = lines.op("dot_general", pairs, kinds, shapes, to, (m, n), numbers)
    return lines.end(pair, to, (m, n), values, "uniform_quantize")


def requantize(p, lines):
    """From one kind to another."""
    x = floats(p)
    kinds = [Kind(p, x.shape, axis_of(p, x.shape)) for _ in "xy"]
    name, meant = lines.quantize(x, kinds[0])
    again = f"{p.local()}r"
    kind = [tensor(of.text, x.shape) for of in kinds]
    lines.lines.append(f'{again} = "stablehlo.uniform_quantize"({name}) : ({kind[0]}) -> {kind[1]}')
    pair = again, lines.rounded(meant, kinds[1], x.shape)
    return lines.end(pair, kinds[1], x.shape, [x], "uniform_quantize")


def reduction(p, lines):
    """Reductions and windows, whose body is of quantized elements: each step is rounded."""
    x = floats(p, least=1, most=3)
    if x.array.size > 500:
        raise Rejected
    kind = Kind(p)
    which = p.rng.choice(["maximum", "minimum", "add"])
    operation = p.rng.choice(["reduce", "reduce_window"])
    start = floats(p, ())
    pairs = [lines.quantize(x, kind), lines.quantize(start, kind)]
    regions = []
    for element in (kind.text, "f32"):
        n, scalar = p.local(), tensor(element, ())
        inner = Lines(p)
        inner.meant.append(f"{n}c = stablehlo.{which} {n}a, {n}b : {scalar}")
        end = f"{n}c" if element != "f32" else inner.rounded(f"{n}c", kind, ())
        text = "\n".join(inner.meant if element == "f32" else inner.meant[:1])
        regions.append(
            f' ({{ ^bb0({n}a: {scalar}, {n}b: {scalar}): {text}\n"stablehlo.return"({end}) : ({scalar}) -> () }})'
        )
    if operation == "reduce":
        dims = sorted(p.rng.sample(range(len(x.shape)), p.rng.randint(1, len(x.shape))))
        shape = [dim for i, dim in enumerate(x.shape) if i not in dims]
        attributes = f"dimensions = {ints(dims)}"
        if which == "add":
            # Sums that saturate depend on the order.
            which = "add"
            kind.low, kind.high = STORED[kind.stored]
    else:
        sizes, strides, base, dilated, padding, shape = window(p, x.shape)
        attributes = (
            f"window_dimensions = {ints(sizes)}, window_strides = {ints(strides)}, base_dilations = {ints(base)}, "
            f"window_dilations = {ints(dilated)}, padding = {dense(np.array(padding).reshape(-1, 2))}"
        )
    if which == "add" and (np.abs(x.array).sum() + abs(float(start.array))) / min(kind.scales) + 9 > min(
        kind.high, 127
    ):
        raise Rejected
    if which == "add" and kind.low == 0 or which == "add" and kind.zeros != [0]:
        raise Rejected
    pair = lines.op(operation, pairs, [kind] * 2, [x.shape, ()], kind, shape, attributes, *regions)
    return lines.end(pair, kind, shape, [x, start], "uniform_quantize")


def make(p, operation):
    """One of these."""
    if p.depth:
        raise Rejected
    p.rng.choice([elementwise, elementwise, moves, product, requantize, reduction])(p, Lines(p))


MAKERS = {"uniform_quantize": make, "uniform_dequantize": make}
