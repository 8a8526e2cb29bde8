"""Operations whose attributes and sizes have to fit: each has a function that chooses them. Those that follow from
their rows alone are in `rows.py`, regions of several operations in `regions.py`."""

import numpy as np

from program import (
    ANY, BITS, COMMON, COMPLEX, FLOATS, INTS, NUMPY, NUMBERS, SIGNED, SMALL_FLOATS, SMALL_INTS, TINY_FLOATS,
    UNSIGNED, Rejected, Value, literal, tensor,
)  # fmt: skip

# What is moved as it is.
MOVED = ANY + TINY_FLOATS
MAKERS = {}


def maker(*operations):
    """Registers a function that adds one of these operations."""

    def register(function):
        for operation in operations:
            MAKERS[operation] = function
        return function

    return register


def ints(numbers):
    return "array<i64" + (": " + ", ".join(map(str, numbers)) if len(numbers) else "") + ">"


def dense(numbers, shape=None):
    """A constant of i64 as an attribute."""
    numbers = np.asarray(numbers)
    shape = numbers.shape if shape is None else shape
    return f"dense<{literal(numbers.reshape(shape))}> : {tensor('i64', shape)}"


@maker("compare")
def compare(p, operation):
    x = p.pick(ANY, where=lambda value: value.exact)
    y = p.pick([x.element], shape=x.shape, where=lambda value: value.exact)
    direction = p.rng.choice(["EQ", "NE"] if x.element in COMPLEX else ["EQ", "NE", "LT", "LE", "GT", "GE"])
    floats = FLOATS + SMALL_FLOATS
    kind = (
        "FLOAT"
        if x.element in floats + COMPLEX
        else "SIGNED" if x.element[0] == "i" and x.element != "i1" else "UNSIGNED"
    )
    if x.element in FLOATS and p.rng.random() < 0.2:
        kind = "TOTALORDER"
    attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    if p.rng.random() < 0.7 or kind == "TOTALORDER":
        attributes += f", compare_type = #stablehlo<comparison_type {kind}>"
    p.emit(operation, [x, y], "i1", x.shape, attributes)


@maker("select", "clamp")
def select(p, operation):
    x = p.pick(NUMBERS)
    y = p.pick([x.element], shape=x.shape)
    if operation == "select":
        condition = p.pick(["i1"], shape=x.shape if p.rng.random() < 0.7 else ())
        p.emit(operation, [condition, x, y], x.element, x.shape, exact=True)
    else:
        ends = [p.fresh(x.element, x.shape if p.rng.random() < 0.5 else (), *ends) for ends in ((-1, 0), (1, 2))]
        p.emit(operation, [ends[0], x, ends[1]], x.element, x.shape, exact=True)


@maker("convert")
def convert(p, operation):
    to = p.rng.choice(COMMON * 2 + COMPLEX + SMALL_FLOATS + SMALL_INTS + TINY_FLOATS)

    def fits(value):
        if to in TINY_FLOATS and not np.all(np.isfinite(value.array)):
            return False
        return value.exact and (to != "f8E8M0FNU" or bool(np.all(np.real(value.array) > 0)))

    x = p.pick(ANY + SMALL_FLOATS + SMALL_INTS + TINY_FLOATS, where=fits, low=0 if to == "f8E8M0FNU" else -2)
    p.emit(operation, [x], to, x.shape, exact=True)


@maker("bitcast_convert")
def bitcast(p, operation):
    # The bits of a NaN are anyone's choice.
    known = lambda value: value.exact and not np.any(value.array != value.array)
    x = p.pick(FLOATS + INTS, where=known)
    to = p.rng.choice([name for name in INTS if BITS[name] == BITS[x.element]] * 3 + INTS)
    shape = x.shape
    if BITS[to] < BITS[x.element]:
        shape = (*shape, BITS[x.element] // BITS[to])
    elif BITS[to] > BITS[x.element]:
        ratio = BITS[to] // BITS[x.element]
        x = p.pick([x.element], shape=(*p.shape(most=2), ratio), where=known)
        shape = x.shape[:-1]
    p.emit(operation, [x], to, shape, exact=True)


@maker("reduce_precision")
def reduce_precision(p, operation):
    x = p.pick(["f32", "f64", "f16"], where=lambda value: value.exact)
    p.emit(
        operation, [x], x.element, x.shape,
        f"exponent_bits = {p.rng.randint(2, 5)} : i32, mantissa_bits = {p.rng.randint(1, 8)} : i32", exact=True,
    )  # fmt: skip


@maker("broadcast_in_dim", "dynamic_broadcast_in_dim")
def broadcast(p, operation):
    x = p.pick(MOVED, most=3)
    rank = len(x.shape) + p.rng.randint(0, 2)
    places = p.rng.sample(range(rank), len(x.shape))
    if p.rng.random() < 0.7:
        places.sort()
    shape = list(p.shape(rank))
    for place, dim in zip(places, x.shape):
        shape[place] = dim if dim != 1 or p.rng.random() < 0.5 else p.rng.choice([1, 3, 4])
    attributes = f"broadcast_dimensions = {ints(places)}"
    operands = [x]
    if operation.startswith("dynamic"):
        operands.append(constant(p, shape, p.rng.choice(["i32", "i64"])))
    p.emit(operation, operands, x.element, shape, attributes, exact=True)


def constant(p, numbers, element="i64", shape=None):
    """A constant of these integers."""
    array = np.array(numbers, NUMPY[element])
    array = array if shape is None else array.reshape(shape)
    name = p.name()
    p.lines.append(f"{name} = stablehlo.constant dense<{literal(array)}> : {tensor(element, array.shape)}")
    value = Value(name, element, array.shape, p.attribute(array, element, array.shape), array, True)
    p.used.add(name)
    p.values.append(value)
    return value


@maker("constant")
def many(p, operation):
    """A constant of more elements than are written one by one: most often truth values, which have bits or bytes."""
    elements = [name for name in ANY if name in NUMPY or name in SMALL_INTS]
    element = "i1" if p.rng.random() < 0.6 else p.rng.choice(elements)
    shape = p.rng.choice([(101,), (128,), (8, 17), (333,), (2, 3, 50)])
    is_small = element in SMALL_INTS
    array = np.asarray(p.numbers("ui8" if is_small else element, shape, -2, 5, True)) % (2 if is_small else 200)
    array = array.astype(bool) if element == "i1" else array
    name = p.name()
    line = f"{name} = stablehlo.constant dense<{literal(array)}> : {tensor(element, shape)}"
    ((attribute, found),) = p.evaluate([], [line], [(name, (element, shape))])
    p.lines.append(line)
    p.values.append(Value(name, element, shape, attribute, found, True))
    p.operations.append("stablehlo.constant")


@maker("concatenate")
def concatenate(p, operation):
    x = p.pick(MOVED, least=1)
    dim = p.rng.randrange(len(x.shape))
    operands = [x]
    for _ in range(p.rng.randint(0, 2)):
        shape = list(x.shape)
        shape[dim] = p.rng.choice([0, 1, 2, 3])
        operands.append(p.pick([x.element], shape=shape))
    shape = list(x.shape)
    shape[dim] = sum(value.shape[dim] for value in operands)
    p.emit(operation, operands, x.element, shape, f"dimension = {dim} : i64", exact=True)


@maker("reshape", "dynamic_reshape")
def reshape(p, operation):
    x = p.pick(MOVED)
    rest, dims = int(np.prod(x.shape)), []
    while rest > 1 and p.rng.random() < 0.8 and len(dims) < 4:
        dims.append(p.rng.choice([d for d in range(1, rest + 1) if rest % d == 0]))
        rest //= dims[-1]
    if rest != 1:
        dims.append(rest)
    operands = [x]
    if operation == "dynamic_reshape":
        operands.append(constant(p, dims, p.rng.choice(["i32", "i64"]), (len(dims),)))
    p.emit(operation, operands, x.element, dims, exact=True)


@maker("transpose", "reverse")
def transpose(p, operation):
    x = p.pick(MOVED)
    order = list(range(len(x.shape)))
    p.rng.shuffle(order)
    if operation == "transpose":
        p.emit(operation, [x], x.element, [x.shape[i] for i in order], f"permutation = {ints(order)}", exact=True)
    else:
        dims = sorted(order[: p.rng.randint(0, len(order))])
        p.emit(operation, [x], x.element, x.shape, f"dimensions = {ints(dims)}", exact=True)


@maker("slice", "real_dynamic_slice")
def slice_(p, operation):
    x = p.pick(MOVED)
    starts, limits, strides = [], [], []
    for dim in x.shape:
        start, limit = sorted([p.rng.randint(0, dim), p.rng.randint(0, dim)])
        starts, limits, strides = starts + [start], limits + [limit], strides + [p.rng.choice([1, 1, 2, 3])]
    shape = [max(0, -(-(limit - start) // stride)) for start, limit, stride in zip(starts, limits, strides)]
    if operation == "slice":
        attributes = f"start_indices = {ints(starts)}, limit_indices = {ints(limits)}, strides = {ints(strides)}"
        p.emit(operation, [x], x.element, shape, attributes, exact=True)
    else:
        rank = (len(x.shape),)
        lists = [constant(p, numbers, "i64", rank) for numbers in (starts, limits, strides)]
        found = x.array[tuple(map(slice, starts, limits, strides))]
        p.emit(operation, [x, *lists], x.element, shape, exact=True, computed=[found])


@maker("dynamic_slice", "dynamic_update_slice")
def dynamic_slice(p, operation):
    x = p.pick(ANY)
    sizes = [p.rng.randint(0 if dim == 0 else 1, dim) for dim in x.shape]
    kind = p.rng.choice(["i32", "i64", "ui32", "i8"])
    # Positions outside are clamped.
    places = [p.pick([kind], shape=(), low=-3, high=4) for _ in sizes]
    if operation == "dynamic_slice":
        p.emit(operation, [x, *places], x.element, sizes, f"slice_sizes = {ints(sizes)}", exact=True)
    else:
        p.emit(operation, [x, p.pick([x.element], shape=sizes), *places], x.element, x.shape, exact=True)


@maker("pad", "dynamic_pad")
def pad(p, operation):
    x = p.pick(ANY)
    low, high, inner = [], [], []
    shape = []
    for dim in x.shape:
        between_ = p.rng.choice([0, 0, 1, 2])
        spread = dim + max(dim - 1, 0) * between_
        before, after = p.rng.randint(-1, 2), p.rng.randint(-1, 2)
        if spread + before + after < 0:
            before = after = 0
        low, high, inner = low + [before], high + [after], inner + [between_]
        shape.append(spread + before + after)
    operands = [x, p.pick([x.element], shape=())]
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    attributes = ", ".join(f"{name} = {ints(numbers)}" for name, numbers in zip(names, (low, high, inner)))
    if operation == "dynamic_pad":
        operands += [constant(p, numbers, "i64", (len(shape),)) for numbers in (low, high, inner)]
        attributes = ""
    p.emit(operation, operands, x.element, shape, attributes, exact=True)


@maker("iota", "dynamic_iota")
def iota(p, operation):
    element, shape = p.rng.choice(FLOATS + INTS), p.shape(least=1)
    dim = p.rng.randrange(len(shape))
    operands = [constant(p, shape, "i64")] if operation == "dynamic_iota" else []
    p.emit(operation, operands, element, shape, f"iota_dimension = {dim} : i64", exact=True)


@maker("get_dimension_size")
def get_dimension_size(p, operation):
    x = p.pick(ANY, least=1)
    p.emit(operation, [x], "i32", (), f"dimension = {p.rng.randrange(len(x.shape))} : i64")


def body(p, element, kind=None, captured=None):
    """A region of two scalars that is associative and commutative, and whether it rounds nothing."""
    scalar = tensor(element, ())
    kinds = ["add", "maximum", "minimum", "multiply"]
    if element in INTS + SMALL_INTS + ["i1"]:
        kinds += ["and", "or", "xor"]
    if element in COMPLEX:
        kinds = ["add", "multiply"]
    kind = kind or p.rng.choice(kinds)
    n = p.local()
    result = f"{n}b" if kind == "replace" else f"{n}c"
    computed = "" if kind == "replace" else f"{n}c = stablehlo.{kind} {n}a, {n}b : {scalar} "
    text = f"{{ ^bb0({n}a: {scalar}, {n}b: {scalar}): {computed}" f'"stablehlo.return"({result}) : ({scalar}) -> () }}'
    return text, kind


def neutral(p, element, kind):
    """A start for a reduction: what changes nothing."""
    number = {"multiply": 1, "and": -1}.get(kind, 0)
    if kind in ("maximum", "minimum"):
        if element != "i1" or p.rng.random() < 0.3:
            return p.pick([element], shape=())
        # Either of the two that there are, of which one is neutral.
        number = p.rng.randint(0, 1)
    if element == "i1":
        array = np.array(number != 0)
    elif element[0] == "u" and number < 0:
        array = np.array(2 ** BITS[element] - 1)
    else:
        array = np.array(number)
    name = p.name()
    text = literal(array) if element in INTS + SMALL_INTS + ["i1"] else f"{float(array)}"
    text = f"({text}, 0.0)" if element in COMPLEX else text
    line = f"{name} = stablehlo.constant dense<{text}> : {tensor(element, ())}"
    ((attribute, found),) = p.evaluate([], [line], [(name, (element, ()))])
    value = Value(name, element, (), attribute, found, True)
    p.lines.append(line)
    p.values.append(value)
    return value


@maker("reduce")
def reduce(p, operation):
    x = p.pick(["i1"] if p.rng.random() < 0.2 else p.summed(NUMBERS))
    text, kind = body(p, x.element)
    start = neutral(p, x.element, kind)
    dims = sorted(p.rng.sample(range(len(x.shape)), p.rng.randint(0, len(x.shape))))
    shape = [dim for i, dim in enumerate(x.shape) if i not in dims]
    exact = kind in ("maximum", "minimum")
    p.emit(operation, [x, start], x.element, shape, f"dimensions = {ints(dims)}", exact=exact, region=text)


@maker("argmax")
def argmax(p, operation):
    """A reduction of two operands, as JAX writes argmax."""
    if p.rng.random() < 0.4 and not p.depth:
        # Long rows, which are searched in parts.
        n = p.rng.choice([511, 512, 600, 1024, 1563, 2048, p.rng.randint(513, 4000)])
        rows = p.rng.choice([[], [], [1], [2], [3], [17]])
        shape = [*rows, n] if p.rng.random() < 0.7 else [n, *rows]
        x = p.pick([p.rng.choice(["f32", "f32", "i32", "ui8", "i1", "f16", "i64"])], shape=shape)
        dims = [shape.index(n)]
    else:
        x = p.pick(["f32", "i32", "ui8", "i1"], least=1, where=lambda value: value.exact)
        dims = sorted(p.rng.sample(range(len(x.shape)), p.rng.randint(1, len(x.shape))))
    if x.exact:
        find_largest(p, x, dims)


def find_largest(p, x, dims):
    """Reduces along these dimensions to the largest or smallest element and its place."""
    along = dims[0] if p.rng.random() < 0.7 else p.rng.randrange(len(x.shape))
    places = p.emit("iota", [], "i32", x.shape, f"iota_dimension = {along} : i64")
    start, zero = p.pick([x.element], shape=(), where=lambda value: value.exact), p.pick(["i32"], shape=())
    s, t, n = tensor(x.element, ()), tensor("i32", ()), p.local()
    more = p.rng.choice(["GT", "GE", "LT"])
    text = (
        f"{{ ^bb0({n}a: {s}, {n}i: {t}, {n}b: {s}, {n}j: {t}): {n}m = stablehlo.compare {more}, {n}a, {n}b : ({s}, {s}) -> tensor<i1> "
        f"{n}e = stablehlo.compare EQ, {n}a, {n}b : ({s}, {s}) -> tensor<i1> "
        f"{n}l = stablehlo.compare LT, {n}i, {n}j : ({t}, {t}) -> tensor<i1> "
        f"{n}k = stablehlo.and {n}e, {n}l : tensor<i1> {n}o = stablehlo.or {n}m, {n}k : tensor<i1> "
        f"{n}x = stablehlo.select {n}o, {n}a, {n}b : tensor<i1>, {s} "
        f"{n}y = stablehlo.select {n}o, {n}i, {n}j : tensor<i1>, {t} "
        f'"stablehlo.return"({n}x, {n}y) : ({s}, {t}) -> () }}'
    )
    if more == "GE":
        # Which of two equal ones is taken would depend on the order.
        raise Rejected
    shape = tuple(dim for i, dim in enumerate(x.shape) if i not in dims)
    p.emit(
        "reduce", [x, places, start, zero], None, None, f"dimensions = {ints(dims)}", exact=True, region=text,
        results=[(x.element, shape), ("i32", shape)],
    )  # fmt: skip


def window(p, dims):
    """Attributes of a window over these sizes, and the sizes of the result."""
    sizes, strides, base, dilated, padding, shape = [], [], [], [], [], []
    # Large enough in two dimensions to be dealt with one after the other.
    largest = p.rng.choice([3, 3, 5, 6])
    for dim in dims:
        size, stride = p.rng.choice([1, 2, 2, 3, largest]), p.rng.choice([1, 1, 2])
        b, w = p.rng.choice([1, 1, 1, 2]), p.rng.choice([1, 1, 1, 2])
        low, high = p.rng.choice([0, 0, 1, 2]), p.rng.choice([0, 0, 1, 2])
        spread = (max(dim - 1, 0) * b + (dim > 0)) + low + high
        extent = (size - 1) * w + 1
        sizes, strides, base, dilated = sizes + [size], strides + [stride], base + [b], dilated + [w]
        padding.append([low, high])
        shape.append(0 if spread < extent else (spread - extent) // stride + 1)
    return sizes, strides, base, dilated, padding, shape


@maker("reduce_window")
def reduce_window(p, operation):
    x = p.pick(["i1"] if p.rng.random() < 0.15 else p.summed(NUMBERS), most=3)
    sizes, strides, base, dilated, padding, shape = window(p, x.shape)
    if x.shape and p.rng.random() < 0.3:
        # Sums of all that came before, from one of the ends.
        dim = p.rng.randrange(len(x.shape))
        before, kept = max(x.shape[dim] - 1, 0), [1] * len(x.shape)
        sizes, strides, base, dilated, shape = list(kept), kept, kept, kept, list(x.shape)
        sizes[dim] = before + 1
        padding = [[0, 0] for _ in kept]
        padding[dim] = [before, 0] if p.rng.random() < 0.5 else [0, before]
    kind = None
    if p.rng.random() < 0.15:
        # Large windows in two dimensions, with gaps or without.
        shape = (p.rng.randint(1, 2), *(p.rng.randint(12, 18) for _ in "hw"))
        # So many numbers that windows have different ends.
        x = p.fresh(p.rng.choice(["f32", "i32", "f64", "i16"]), shape, -90, 90, plain=True)
        kind, kept = p.rng.choice(["maximum", "minimum"]), [1, 1, 1]
        sizes, base, padding = [1, p.rng.randint(4, 6), p.rng.randint(4, 6)], kept, [[0, 0] for _ in kept]
        strides, dilated = ([1, p.rng.choice([1, 1, 2]), p.rng.choice([1, 1, 2])] for _ in "sd")
        shape = [(dim - (size - 1) * w - 1) // by + 1 for dim, size, w, by in zip(x.shape, sizes, dilated, strides)]
    text, kind = body(p, x.element, kind)
    attributes = (
        f"window_dimensions = {ints(sizes)}, window_strides = {ints(strides)}, base_dilations = {ints(base)}, "
        f"window_dilations = {ints(dilated)}, padding = {dense(np.array(padding).reshape(-1, 2))}"
    )
    exact = kind in ("maximum", "minimum")
    p.emit(operation, [x, neutral(p, x.element, kind)], x.element, shape, attributes, exact=exact, region=text)


@maker("select_and_scatter")
def select_and_scatter(p, operation):
    x = p.pick(["f32", "i32", "f64"], least=1, most=3, where=lambda value: value.exact)
    sizes, strides, _, _, padding, _ = window(p, x.shape)
    shape = [
        (dim + sum(pads) - size) // stride + 1 if dim + sum(pads) >= size else 0
        for dim, pads, size, stride in zip(x.shape, padding, sizes, strides)
    ]
    source = p.pick([x.element], shape=shape)
    scalar, n = tensor(x.element, ()), p.local()
    pick = (
        f"{{ ^bb0({n}a: {scalar}, {n}b: {scalar}): {n}c = stablehlo.compare GE, {n}a, {n}b : ({scalar}, {scalar}) -> tensor<i1> "
        f'"stablehlo.return"({n}c) : (tensor<i1>) -> () }}'
    )
    text, _ = body(p, x.element, "add")
    attributes = (
        f"window_dimensions = {ints(sizes)}, window_strides = {ints(strides)}, "
        f"padding = {dense(np.array(padding).reshape(-1, 2))}"
    )
    start = neutral(p, x.element, "add")
    p.emit(operation, [x, source, start], x.element, x.shape, attributes, region=f"{pick}, {text}")


@maker("dot_general")
def dot_general(p, operation):
    kinds = [COMPLEX, NUMBERS, *[FLOATS + INTS] * 4]
    element = p.rng.choice(p.summed(p.rng.choice(kinds)))
    batch = p.rng.sample("ab", p.rng.randint(0, 2))
    inner = p.rng.sample("cd", p.rng.randint(0, 2))
    left, right = p.rng.sample("ef", p.rng.randint(0, 2)), p.rng.sample("gh", p.rng.randint(0, 2))
    letters = batch + inner + left + right
    sizes = dict(zip(letters, p.sizes(len(letters), 40000, [1, 2, 3, 4, 7])))
    if element in COMPLEX and p.rng.random() < 0.5:
        # Matrices of so many rows and columns are multiplied in parts.
        batch, inner, left, right = batch[:1], ["c"], ["e"], ["g"]
        sizes = {c: p.rng.randint(1, 2) if c in batch else p.rng.randint(16, 20) for c in [*batch, "c", "e", "g"]}
    x, y = batch + inner + left, batch + inner + right
    p.rng.shuffle(x)
    p.rng.shuffle(y)
    to = element
    if p.rng.random() < 0.2:
        to = {"f16": "f32", "bf16": "f32", "i8": "i32", "ui8": "ui32"}.get(element, element)
    # Short floats that cancel out leave what was rounded, which depends on the order.
    one_sign = element in SMALL_FLOATS
    adds = lambda value: not one_sign or bool(np.all(value.array >= 0))
    low = 0 if one_sign else -2
    operands = [p.pick([element], shape=[sizes[c] for c in term], where=adds, low=low) for term in (x, y)]
    lists = [[term.index(c) for c in which] for which in (batch, inner) for term in (x, y)]
    names = (
        "lhs_batching_dimensions",
        "rhs_batching_dimensions",
        "lhs_contracting_dimensions",
        "rhs_contracting_dimensions",
    )
    numbers = ", ".join(f"{name} = [{', '.join(map(str, dims))}]" for name, dims in zip(names, lists))
    # The free dimensions come in the order that operands have them.
    shape = [sizes[c] for c in batch + [c for c in x if c in left] + [c for c in y if c in right]]
    p.emit(operation, operands, to, shape, f"dot_dimension_numbers = #stablehlo.dot<{numbers}>")


@maker("transposed_product")
def transposed_product(p, operation):
    """A large product of matrices, or of several, that are transposed before, and the result behind it."""
    element = p.rng.choice(p.summed(["f32", "f64", "i32"]))
    b, m, n, k = p.rng.randint(0, 3), p.rng.randint(16, 24), p.rng.randint(16, 24), p.rng.randint(16, 20)
    batch = [b] if b else []

    def turned(x, share):
        order = list(range(len(x.shape)))
        if p.rng.random() > share:
            return x
        p.rng.shuffle(order)
        return p.emit(
            "transpose", [x], element, [x.shape[i] for i in order], f"permutation = {ints(order)}", exact=True
        )

    def factor(sizes):
        """A tensor with these sizes in any order, and where they are."""
        places = list(range(len(sizes)))
        p.rng.shuffle(places)
        x = p.pick([element], shape=[sizes[i] for i in places])
        order = list(range(len(sizes)))
        if p.rng.random() < 0.7:
            p.rng.shuffle(order)
            shape = [x.shape[i] for i in order]
            x = p.emit("transpose", [x], element, shape, f"permutation = {ints(order)}", exact=True)
            places = [places[i] for i in order]
        return x, [places.index(i) for i in range(len(sizes))]

    x, at = factor([*batch, m, k])
    y, of = factor([*batch, k, n])
    first = len(batch)
    numbers = (
        f"lhs_batching_dimensions = {at[:first]}, rhs_batching_dimensions = {of[:first]}, "
        f"lhs_contracting_dimensions = [{at[first + 1]}], rhs_contracting_dimensions = [{of[first]}]"
    )
    attributes = f"dot_dimension_numbers = #stablehlo.dot<{numbers}>"
    product = p.emit("dot_general", [x, y], element, [*batch, m, n], attributes)
    turned(product, 0.7)


@maker("computed_parts")
def computed_parts(p, operation):
    """What is computed for each element of a tensor, perhaps a concatenation, and parts of it that are computed with;
    nothing needs the whole."""
    element = p.rng.choice(["f32", "f32", "f64", "i32", "i64"])
    rank = p.rng.randint(1, 3)
    dim, n = p.rng.randrange(rank), p.rng.randint(2, 4)
    part = [p.rng.choice([1, 2, 3, 5, 17, 40]) for _ in range(rank)]
    part[dim] = p.rng.choice([1, 1, 2, 7])
    shape = [size * n if i == dim else size for i, size in enumerate(part)]

    def emit(name, operands, sizes, attributes="", exact=False):
        # Nothing else uses it.
        value = p.emit(name, operands, element, sizes, attributes, exact=exact or element[0] == "i")
        value.last = True
        return value

    def whole():
        kind = p.rng.choice(["given", "stacked", "counted", "spread", "turned"])
        if kind == "stacked":
            # Some of two parts.
            several = 2 if n % 2 == 0 and p.rng.random() < 0.5 else 1
            piece = [size * several if i == dim else size for i, size in enumerate(part)]
            pieces = [p.pick([element], shape=piece) for _ in range(n // several)]
            return emit("concatenate", pieces, shape, f"dimension = {dim} : i64", True)
        if kind == "counted":
            return emit("iota", [], shape, f"iota_dimension = {p.rng.randrange(rank)} : i64", True)
        if kind == "spread":
            along = p.rng.randrange(rank)
            x = p.pick([element], shape=[shape[along]])
            return emit("broadcast_in_dim", [x], shape, f"broadcast_dimensions = {ints([along])}", True)
        if kind == "turned":
            order = list(range(rank))
            p.rng.shuffle(order)
            x = p.pick([element], shape=[shape[order.index(i)] for i in range(rank)])
            return emit("transpose", [x], shape, f"permutation = {ints(order)}", True)
        return p.pick([element], shape=shape)

    value = whole()
    for _ in range(p.rng.randint(0, 2)):
        value = emit(p.rng.choice(["add", "subtract", "maximum"]), [value, whole()], shape)
    found = None
    for _ in range(p.rng.randint(2, 4)):
        starts = [0] * rank
        starts[dim] = p.rng.randrange(n) * part[dim]
        limits = [start + size for start, size in zip(starts, part)]
        attributes = f"start_indices = {ints(starts)}, limit_indices = {ints(limits)}, strides = {ints([1] * rank)}"
        piece, sizes = emit("slice", [value], part, attributes, True), part
        if part[dim] == 1 and rank > 1:
            sizes = part[:dim] + part[dim + 1 :]
            piece = emit("reshape", [piece], sizes, exact=True)
        if found is None:
            found = emit("negate", [piece], sizes, exact=True)
        else:
            found = emit(p.rng.choice(["add", "subtract", "minimum"]), [found, piece], sizes)
    found.last = False


@maker("reduced_rows")
def reduced_rows(p, operation):
    """A reduction of rows that were concatenated, perhaps computed with, and that nothing else needs."""
    element = p.rng.choice(["f32", "f32", "f64", "i32", "i8", "i1"])
    rank = p.rng.randint(1, 3)
    # Of more than 16, none is read on its own.
    dim, n = p.rng.randrange(rank), p.rng.choice([2, 2, 3, 3, 4, 5, 9, 16, 17])
    part = [p.rng.choice([1, 2, 3, 5, 17, 40]) for _ in range(rank)]
    part[dim] = 2 if p.rng.random() < 0.1 else 1
    shape = [size * n if i == dim else size for i, size in enumerate(part)]

    def emit(name, operands, sizes, attributes="", exact=False):
        value = p.emit(name, operands, element, sizes, attributes, exact=exact or element[0] == "i")
        value.last = True
        return value

    rows = [p.pick([element], shape=part) for _ in range(n)]
    value = emit("concatenate", rows, shape, f"dimension = {dim} : i64", all(row.exact for row in rows))
    for _ in range(p.rng.choice([0, 0, 1, 2])):
        kind = p.rng.choice(["add", "maximum", "multiply"])
        if p.rng.random() < 0.6:
            weights = p.pick([element], shape=[shape[dim]])
            other = emit("broadcast_in_dim", [weights], shape, f"broadcast_dimensions = {ints([dim])}", weights.exact)
        else:
            other = p.pick([element], shape=shape)
        value = emit(kind, [value, other], shape)
    if element in ("f32", "i32") and value.exact and p.rng.random() < 0.3:
        find_largest(p, value, [dim])
        return
    others = [i for i in range(rank) if i != dim]
    dims = sorted([dim] + [i for i in others if p.rng.random() < 0.1])
    text, kind = body(p, element)
    start = neutral(p, element, kind)
    sizes = [size for i, size in enumerate(shape) if i not in dims]
    exact = kind in ("maximum", "minimum") and value.exact
    p.emit("reduce", [value, start], element, sizes, f"dimensions = {ints(dims)}", exact=exact, region=text)


@maker("convolution", "dynamic_conv")
def convolution(p, operation):
    spatial = p.rng.randint(0, 3)
    group, batches = p.rng.choice([(1, 1)] * 6 + [(2, 1), (2, 1), (3, 1), (1, 2)])
    features, outputs = group * p.size(3, 9), group * batches * p.size(3, 20)
    n = batches * p.rng.randint(1, 2)
    dims = [p.size(6, {1: 70, 2: 19}.get(spatial, 7)) for _ in range(spatial)]
    sizes, strides, base, dilated, padding, shape = window(p, dims)
    reversal = [p.rng.random() < 0.2 for _ in dims]
    # Some padding cuts off.
    if p.rng.random() < 0.1 and spatial and dims[0] > 3:
        padding[0][0] = -1
        spread = (dims[0] - 1) * base[0] + 1 + sum(padding[0])
        extent = (sizes[0] - 1) * dilated[0] + 1
        shape[0] = 0 if spread < extent else (spread - extent) // strides[0] + 1

    def laid_out(parts):
        order = list(range(len(parts)))
        p.rng.shuffle(order)
        return [parts[i][0] for i in order], [parts[i][1] for i in order]

    plain = list(enumerate(range(spatial)))
    x_names, x_dims = laid_out([("b", n), ("f", features)] + [(str(i), dims[i]) for i, _ in plain])
    w_names, w_dims = laid_out([("o", outputs), ("i", features // group)] + [(str(i), sizes[i]) for i, _ in plain])
    y_names, y_dims = laid_out([("b", n // batches), ("f", outputs)] + [(str(i), shape[i]) for i, _ in plain])
    element = p.rng.choice(p.summed(["f32"] * 4 + ["f64", "f16", "bf16", "i32", "i8"]))
    operands = [p.pick([element], shape=x_dims, most=5), p.pick([element], shape=w_dims, most=5)]
    attributes = (
        f"dimension_numbers = #stablehlo.conv<[{', '.join(x_names)}]x[{', '.join(w_names)}]->[{', '.join(y_names)}]>, "
        f"window_strides = {ints(strides)}, lhs_dilation = {ints(base)}, rhs_dilation = {ints(dilated)}, "
        f"feature_group_count = {group} : i64, batch_group_count = {batches} : i64"
    )
    pads = np.array(padding, int).reshape(-1, 2)
    if operation == "convolution":
        attributes += f", padding = {dense(pads)}"
    else:
        operands.append(constant(p, pads, p.rng.choice(["i32", "i64"]), pads.shape))
    if spatial:
        attributes += f", window_reversal = array<i1: {', '.join(str(flag).lower() for flag in reversal)}>"
    numbers = [str(i) for i in range(spatial)]
    x, w = operands[:2]

    def meant(name):
        """The same in the layout that all of the interpreter works for."""
        x_order, w_order = ["b", *numbers, "f"], [*numbers, "i", "o"]
        lines, names = [], []
        for value, given, order in ((x, x_names, x_order), (w, w_names, w_order)):
            moved = [given.index(letter) for letter in order]
            shape = [value.shape[i] for i in moved]
            kind = tensor(element, shape)
            names.append((f"%m{name[1:]}_{len(names)}", shape))
            lines.append(
                f'{names[-1][0]} = "stablehlo.transpose"({value.name}) {{permutation = {ints(moved)}}} : '
                f"({value.type}) -> {kind}"
            )
        (left, left_shape), (right, right_shape) = names
        flipped = [i for i, flag in enumerate(reversal) if flag]
        right_type = tensor(element, right_shape)
        lines.append(
            f'{right}r = "stablehlo.reverse"({right}) {{dimensions = {ints(flipped)}}} : ({right_type}) -> {right_type}'
        )
        order = ["b", *numbers, "f"]
        made = tensor(element, [y_dims[y_names.index(letter)] for letter in order])
        comma = ", "
        lines.append(
            f'%m{name[1:]} = "stablehlo.convolution"({left}, {right}r) {{dimension_numbers = #stablehlo.conv<'
            f"[{comma.join(x_order)}]x[{comma.join(w_order)}]->[{comma.join(order)}]>, window_strides = {ints(strides)}, "
            f"lhs_dilation = {ints(base)}, rhs_dilation = {ints(dilated)}, feature_group_count = {group} : i64, "
            f"batch_group_count = {batches} : i64, padding = {dense(pads)}}} : "
            f"({tensor(element, left_shape)}, {right_type}) -> {made}"
        )
        back = [order.index(letter) for letter in y_names]
        lines.append(
            f'{name} = "stablehlo.transpose"(%m{name[1:]}) {{permutation = {ints(back)}}} : ({made}) -> {tensor(element, y_dims)}'
        )
        return lines

    p.emit(operation, operands, element, y_dims, attributes, meant=meant)


@maker("gather", "dynamic_gather")
def gather(p, operation):
    x = p.pick(ANY, least=1, most=4, where=lambda value: 0 not in value.shape)
    rank = len(x.shape)
    roles = dict(zip(range(rank), p.rng.choices(["window", "collapsed", "batching"], [5, 4, 1], k=rank)))
    batching = [i for i in roles if roles[i] == "batching"]
    collapsed = [i for i in roles if roles[i] == "collapsed"]
    sizes = [1 if roles[i] != "window" else p.rng.randint(1, x.shape[i]) for i in range(rank)]
    mapped = [i for i in range(rank) if i not in batching]
    start_map = p.rng.sample(mapped, p.rng.randint(0, len(mapped)))
    # One window at a known place is a slice.
    is_one = not batching and p.rng.random() < 0.3
    batch_dims = [x.shape[i] for i in batching] + ([1] * p.rng.randint(0, 1) if is_one else list(p.shape(most=2)))
    order = list(range(len(batch_dims)))
    p.rng.shuffle(order)
    index_shape = [batch_dims[i] for i in order]
    start_batching = [order.index(i) for i in range(len(batching))]
    vector = p.rng.randint(0, len(index_shape))
    shape_without = list(index_shape)
    if len(start_map) == 1 and p.rng.random() < 0.3:
        vector = len(index_shape)
    else:
        index_shape.insert(vector, len(start_map))
        start_batching = [i + (i >= vector) for i in start_batching]
    kind = p.rng.choice(["i32", "i64", "ui32", "i16"])
    indices = p.fresh(kind, index_shape, -3, max([4, *x.shape]))
    offsets = [sizes[i] for i in range(rank) if roles[i] == "window"]
    total = len(shape_without) + len(offsets)
    offset_dims = sorted(p.rng.sample(range(total), len(offsets)))
    shape, rest, windows = [], iter(shape_without), iter(offsets)
    for i in range(total):
        shape.append(next(windows) if i in offset_dims else next(rest))
    text = lambda numbers: "[" + ", ".join(map(str, numbers)) + "]"
    attributes = (
        f"dimension_numbers = #stablehlo.gather<offset_dims = {text(offset_dims)}, "
        f"collapsed_slice_dims = {text(collapsed)}, operand_batching_dims = {text(batching)}, "
        f"start_indices_batching_dims = {text(start_batching)}, start_index_map = {text(start_map)}, "
        f"index_vector_dim = {vector}>, indices_are_sorted = false"
    )
    operands = [x, indices]
    computed = None
    if operation == "gather":
        if collapsed and x.element in NUMPY and not p.depth and p.rng.random() < 0.05:
            # Slices of nothing have zeros where the result does not have the dimension.
            sizes[p.rng.choice(collapsed)] = 0
            computed = [np.zeros(shape, NUMPY[x.element])]
        attributes += f", slice_sizes = {ints(sizes)}"
    else:
        operands.append(constant(p, sizes, "i64", (rank,)))
    p.emit(operation, operands, x.element, shape, attributes, exact=True, computed=computed)


@maker("scatter")
def scatter(p, operation):
    x = p.pick(FLOATS + INTS + SMALL_INTS, least=1, most=4, where=lambda value: 0 not in value.shape)
    rank = len(x.shape)
    roles = dict(zip(range(rank), p.rng.choices(["window", "inserted", "batching"], [5, 4, 1], k=rank)))
    batching = [i for i in roles if roles[i] == "batching"]
    inserted = [i for i in roles if roles[i] == "inserted"]
    windows = [p.rng.randint(1, x.shape[i]) for i in range(rank) if roles[i] == "window"]
    mapped = [i for i in range(rank) if i not in batching]
    # One window at a known place is a slice.
    is_one = not batching and p.rng.random() < 0.5
    index_map = p.rng.sample(mapped, p.rng.randint(min(2, len(mapped)) if is_one else 0, len(mapped)))
    batch_dims = [x.shape[i] for i in batching] + ([1] * p.rng.randint(0, 1) if is_one else list(p.shape(most=2)))
    order = list(range(len(batch_dims)))
    p.rng.shuffle(order)
    index_shape = [batch_dims[i] for i in order]
    scatter_batching = [order.index(i) for i in range(len(batching))]
    without = list(index_shape)
    vector = p.rng.randint(0, len(index_shape))
    index_shape.insert(vector, len(index_map))
    scatter_batching = [i + (i >= vector) for i in scatter_batching]
    isolated = p.isolated
    # What is isolated is a constant.
    p.isolated |= is_one and p.rng.random() < 0.8
    low, high = (0, 2) if is_one and p.rng.random() < 0.8 else (-2, max([3, *x.shape]))
    indices = p.fresh(p.rng.choice(["i32", "i64"]), index_shape, low, high)
    p.isolated = isolated
    total = len(without) + len(windows)
    window_dims = sorted(p.rng.sample(range(total), len(windows)))
    shape, rest, inner = [], iter(without), iter(windows)
    for i in range(total):
        shape.append(next(inner) if i in window_dims else next(rest))
    updates = p.pick([x.element], shape=shape)
    kinds = ["add", "maximum", "minimum"] + (["multiply"] if x.element in INTS else [])
    kind = p.rng.choice(kinds + (["subtract", "subtract", "replace"] if is_one else []))
    region, kind = body(p, x.element, kind)
    if p.depth or updates is x:
        # The interpreter writes over the operand, which others may read.
        x = p.emit("transpose", [x], x.element, x.shape, f"permutation = {ints(list(range(rank)))}", exact=True)
        p.values.remove(x)
    text = lambda numbers: "[" + ", ".join(map(str, numbers)) + "]"
    attributes = (
        f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {text(window_dims)}, "
        f"inserted_window_dims = {text(inserted)}, input_batching_dims = {text(batching)}, "
        f"scatter_indices_batching_dims = {text(scatter_batching)}, "
        f"scatter_dims_to_operand_dims = {text(index_map)}, index_vector_dim = {vector}>, "
        "indices_are_sorted = false, unique_indices = false"
    )
    # Windows that are partly outside change nothing in XLA. The interpreter takes those of their elements that are
    # inside; for it, they are moved outside as a whole.
    length = dict(zip((i for i in range(rank) if roles[i] == "window"), windows))
    lengths = np.array([length.get(i, 1) for i in index_map], int)
    whole = np.array([x.shape[i] for i in index_map], int)
    starts = np.moveaxis(indices.array.astype(np.int64), vector, -1)
    partly = np.any((starts < 0) | (starts + lengths > whole), -1, keepdims=True)
    partly &= np.all((starts + lengths > 0) & (starts < whole), -1, keepdims=True)
    meant = None
    if np.any(partly):
        moved = np.moveaxis(np.where(partly, -1000, starts), -1, vector)
        place = p.local()
        kinds = f"({x.type}, {indices.type}, {updates.type}) -> {x.type}"
        meant = lambda name: [
            f"{place} = stablehlo.constant dense<{literal(moved)}> : {indices.type}",
            f'{name} = "stablehlo.scatter"({x.name}, {place}, {updates.name}) ({region}) {{{attributes}}} : {kinds}',
        ]
    operands = [x, indices, updates]
    p.emit(
        operation,
        operands,
        x.element,
        x.shape,
        attributes,
        exact=kind not in ("add", "subtract"),
        region=region,
        meant=meant,
    )


@maker("fft")
def fft(p, operation):
    kind = p.rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    part = p.rng.choice(["f32", "f64"])
    shape = list(p.shape(least=1, most=3))
    if 0 in shape:
        raise Rejected
    count = p.rng.randint(1, len(shape))
    lengths = shape[-count:]
    to = list(shape)
    if kind == "RFFT":
        to[-1] = shape[-1] // 2 + 1
    if kind == "IRFFT":
        lengths = lengths[:-1] + [2 * (shape[-1] - 1) or 1]
        to[-1] = lengths[-1]
    x = p.pick([part if kind == "RFFT" else f"complex<{part}>"], shape=shape)
    attributes = f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {ints(lengths)}"
    axes = tuple(range(len(shape) - count, len(shape)))
    found = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn, "IRFFT": np.fft.irfftn}[kind](
        x.array, s=lengths, axes=axes
    )
    p.emit(operation, [x], part if kind == "IRFFT" else f"complex<{part}>", to, attributes, computed=[found])


@maker("triangular_solve", "cholesky")
def factor(p, operation):
    element, batch, n = p.rng.choice(["f32", "f64", *COMPLEX]), p.shape(most=1), p.size(4, 80)
    if 0 in batch or n * n * int(np.prod(batch, dtype=int)) > 8000:
        raise Rejected
    part = element[8:-1] if element in COMPLEX else element

    def constant(array):
        if np.iscomplexobj(array):
            return p.emit("complex", [constant(array.real), constant(array.imag)], element, array.shape, exact=True)
        name = p.name()
        p.lines.append(f"{name} = stablehlo.constant dense<{literal(array)}> : {tensor(part, array.shape)}")
        made = Value(name, part, array.shape, p.attribute(array, part, array.shape), array, True)
        p.values.append(made)
        return made

    def numbers(array):
        """The same as elements of the matrices."""
        return np.asarray(array, np.complex128 if element in COMPLEX else np.float64)

    if operation == "cholesky":
        a = p.pick([element], shape=(*batch, n, n))
        last = len(batch)
        order = list(range(last)) + [last + 1, last]
        flipped = p.emit("transpose", [a], element, a.shape, f"permutation = {ints(order)}", exact=True)
        if element in COMPLEX:
            real, imag = (p.emit(word, [flipped], part, a.shape, exact=True) for word in ("real", "imag"))
            imag = p.emit("negate", [imag], part, a.shape, exact=True)
            flipped = p.emit("complex", [real, imag], element, a.shape, exact=True)
        dims = [f"{name} = [{', '.join(map(str, numbers))}]" for name, numbers in (
            ("lhs_batching_dimensions", range(last)), ("rhs_batching_dimensions", range(last)),
            ("lhs_contracting_dimensions", [last + 1]), ("rhs_contracting_dimensions", [last]))]  # fmt: skip
        square = p.emit(
            "dot_general", [a, flipped], element, a.shape, f"dot_dimension_numbers = #stablehlo.dot<{', '.join(dims)}>"
        )
        more = constant(numbers(np.broadcast_to(np.eye(n) * max(4, n), a.shape)))
        positive = p.emit("add", [square, more], element, a.shape)
        lower = p.rng.random() < 0.5
        factor = np.linalg.cholesky(positive.array)
        factor = factor if lower else np.conj(np.swapaxes(factor, -1, -2))
        found = p.emit(operation, [positive], element, a.shape, f"lower = {str(lower).lower()}", computed=[factor])
        # The other triangle is not defined.
        mask = np.broadcast_to(np.tril(np.ones((n, n))) if lower else np.triu(np.ones((n, n))), a.shape)
        p.emit("multiply", [found, constant(numbers(mask))], element, a.shape)
        return
    left = p.rng.random() < 0.5
    m = p.size(3, 40)
    # Large on the diagonal.
    array = p.np.integers(-2, 3, (*batch, n, n)) / 4 + np.eye(n) * max(3, n)
    if element in COMPLEX:
        array = array + 1j * p.np.integers(-2, 3, array.shape) / 4
    a = constant(array)
    b = p.pick([element], shape=(*batch, n, m) if left else (*batch, m, n))
    lower, unit = p.rng.random() < 0.5, p.rng.random() < 0.3
    flip = p.rng.choice(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
    attributes = (
        f"left_side = {str(left).lower()}, lower = {str(lower).lower()}, unit_diagonal = {str(unit).lower()}, "
        f"transpose_a = #stablehlo<transpose {flip}>"
    )
    matrix = np.tril(array) if lower else np.triu(array)
    if unit:
        matrix = matrix * (1 - np.eye(n)) + np.eye(n)
    matrix = matrix if flip == "NO_TRANSPOSE" else np.swapaxes(matrix, -1, -2)
    matrix = np.conj(matrix) if flip == "ADJOINT" else matrix
    turn = lambda value: np.swapaxes(value, -1, -2)
    found = np.linalg.solve(matrix, b.array) if left else turn(np.linalg.solve(turn(matrix), turn(b.array)))
    p.emit(operation, [a, b], element, b.shape, attributes, computed=[found])


@maker("batch_norm_inference", "batch_norm_training", "batch_norm_grad")
def batch_norm(p, operation):
    x = p.pick(["f32", "f64"], least=2, where=lambda value: 0 not in value.shape)
    feature = p.rng.randrange(len(x.shape))
    shape = (x.shape[feature],)
    vectors = [p.pick([x.element], shape=shape) for _ in range(3)]
    variance = p.fresh(x.element, shape, 0.5, 2)
    attributes = f"epsilon = 0.01 : f32, feature_index = {feature} : i64"
    axes = tuple(i for i in range(len(x.shape)) if i != feature)
    along = lambda value: value.reshape([-1 if i == feature else 1 for i in range(len(x.shape))])
    data = x.array.astype(np.float64)
    epsilon = float(np.float32(0.01))
    results = [(x.element, x.shape), (x.element, shape), (x.element, shape)]
    scale = along(vectors[0].array)
    if operation == "batch_norm_inference":
        offset, mean = along(vectors[1].array), along(vectors[2].array)
        found = (data - mean) / np.sqrt(along(variance.array) + epsilon) * scale + offset
        p.emit(operation, [x, *vectors, variance], x.element, x.shape, attributes, computed=[found])
    elif operation == "batch_norm_training":
        mean, spread = data.mean(axes), data.var(axes)
        found = (data - along(mean)) / np.sqrt(along(spread) + epsilon) * scale + along(vectors[1].array)
        p.emit(operation, [x, *vectors[:2]], None, None, attributes, results=results, computed=[found, mean, spread])
    else:
        # The specification's formula, of any mean and variance.
        grad = p.pick([x.element], shape=x.shape)
        wanted, count = grad.array.astype(np.float64), data.size / shape[0]
        centred, deviation = data - along(vectors[1].array), np.sqrt(along(variance.array) + epsilon)
        slope = (wanted * centred / deviation).sum(axes)
        parts = wanted * count - along(wanted.sum(axes)) - along((wanted * centred).sum(axes)) * centred / deviation**2
        found = [scale / deviation / count * parts, slope, wanted.sum(axes)]
        operands = [x, vectors[0], vectors[1], variance, grad]
        p.emit(operation, operands, None, None, attributes, results=results, computed=found)


@maker("optimization_barrier")
def barrier(p, operation):
    x, y = p.pick(ANY), p.pick(ANY)
    p.emit(operation, [x, y], None, None, exact=True, results=[(x.element, x.shape), (y.element, y.shape)])


@maker("after_all", "create_token")
def token(p, operation):
    """A chain of tokens, which nothing shows."""
    a, b = p.name(), p.name()
    lines = [
        f'{a} = "stablehlo.create_token"() : () -> !stablehlo.token',
        f'{b} = "stablehlo.after_all"({a}, {a}) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token',
    ]
    x = p.pick(ANY)
    shown = p.name()
    lines.append(
        f'{shown}, %t{shown[1:]} = "stablehlo.optimization_barrier"({x.name}, {b}) : ({x.type}, !stablehlo.token) -> '
        f"({x.type}, !stablehlo.token)"
    )
    p.add("\n".join(lines), [x], shown, x, "after_all", "create_token", "optimization_barrier")


@maker("tuple", "get_tuple_element")
def tuple_(p, operation):
    parts = [p.pick(ANY) for _ in range(p.rng.randint(1, 3))]
    kinds = ", ".join(value.type for value in parts)
    which = p.rng.randrange(len(parts))
    a, shown = p.name(), p.name()
    text = (
        f'{a} = "stablehlo.tuple"({", ".join(value.name for value in parts)}) : ({kinds}) -> tuple<{kinds}>\n'
        f'{shown} = "stablehlo.get_tuple_element"({a}) {{index = {which} : i32}} : (tuple<{kinds}>) -> {parts[which].type}'
    )
    p.add(text, parts, shown, parts[which], "tuple", "get_tuple_element")


GROUPS = "replica_groups = dense<0> : tensor<1x1xi64>"
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
# Collectives on one device, where all give what they take.
COLLECTIVES = {
    "all_gather": "all_gather_dim = {dim} : i64, " + GROUPS, "all_reduce": GROUPS, "cross-replica-sum": GROUPS,
    "all_to_all": "split_dimension = {dim} : i64, concat_dimension = {other} : i64, split_count = 1 : i64, " + GROUPS,
    "collective_broadcast": GROUPS, "reduce_scatter": "scatter_dimension = {dim} : i64, " + GROUPS,
    "collective_permute": "source_target_pairs = dense<0> : tensor<1x2xi64>",
    "custom_call": 'call_target_name = "{target}", mhlo.sharding = "{{replicated}}"',
}  # fmt: skip
# What takes several operands, and a body for each element.
OF_SEVERAL = {"all_gather", "all_reduce", "all_to_all"}
TARGETS = ["Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"]


@maker(*COLLECTIVES)
def collective(p, operation):
    finite = lambda value: value.element != "bf16" and np.all(np.isfinite(value.array))
    x = p.pick(FLOATS + INTS + ["i1"], least=1, where=finite)
    operands = [x]
    if operation in OF_SEVERAL:
        operands += [p.pick([x.element], shape=x.shape, where=finite) for _ in range(p.rng.choice([0, 0, 1, 2]))]
    dim, other = (p.rng.randrange(len(x.shape)) for _ in "xy")
    region = body(p, x.element)[0] if operation in ("all_reduce", "reduce_scatter") else ""
    attributes = COLLECTIVES[operation].format(dim=dim, other=other, target=p.rng.choice(TARGETS))
    if operation not in ("cross-replica-sum", "custom_call") and p.rng.random() < 0.4:
        attributes += f", {CHANNEL}"
        if operation in ("all_gather", "all_reduce", "reduce_scatter") and p.rng.random() < 0.5:
            attributes += ", use_global_device_ids"
    results = [(value.element, value.shape) for value in operands]
    computed = [value.array for value in operands]
    p.emit(operation, operands, None, None, attributes, exact=True, region=region, results=results, computed=computed)


@maker("partition_id", "replica_id")
def device(p, operation):
    p.emit(operation, [], "ui32", (), exact=True, computed=[np.array(0, np.uint32)])


@maker("broadcast")
def leading(p, operation):
    x = p.pick(ANY, most=3)
    sizes = p.shape(most=2)
    p.emit(operation, [x], x.element, (*sizes, *x.shape), f"broadcast_sizes = {ints(sizes)}", exact=True)


@maker("dot")
def dot(p, operation):
    element = p.rng.choice(p.summed(FLOATS + INTS))
    inner = p.size(4, 70)
    left, right = ([p.size(4, 30) for _ in range(p.rng.randint(0, 1))] for _ in "xy")
    operands = [p.pick([element], shape=(*left, inner)), p.pick([element], shape=(inner, *right))]
    p.emit(operation, operands, element, (*left, *right))


@maker("einsum", "unary_einsum")
def einsum(p, operation):
    element = p.rng.choice(["f32", "f64", "i32"])
    if operation == "unary_einsum":
        x = p.pick([element], most=3)
        names = "abc"[: len(x.shape)]
        to = "".join(p.rng.sample(names, p.rng.randint(0, len(names))))
        found = np.einsum(f"{names}->{to}", x.array)
        sizes = dict(zip(names, x.shape))
        attributes = f'einsum_config = "{names}->{to}"'
        p.emit(operation, [x], element, [sizes[c] for c in to], attributes, computed=[found])
        return
    sizes = {letter: p.size(4, 13) for letter in "abcd"}
    x, y = (p.rng.sample("abcd", p.rng.randint(1, 3)) for _ in "xy")
    both = [c for c in x if c in y]
    to = [c for c in sizes if (c in x or c in y) and (c not in both or p.rng.random() < 0.5)]
    p.rng.shuffle(to)
    terms = ["".join(term) for term in (x, y, to)]
    operands = [p.pick([element], shape=[sizes[c] for c in term]) for term in terms[:2]]
    config = f"{terms[0]},{terms[1]}->{terms[2]}"
    found = np.einsum(config, *(value.array for value in operands))
    p.emit(operation, operands, element, [sizes[c] for c in terms[2]], f'einsum_config = "{config}"', computed=[found])


@maker("torch_index_select")
def index_select(p, operation):
    finite = lambda value: 0 not in value.shape and value.element != "bf16" and np.all(np.isfinite(value.array))
    x = p.pick(FLOATS + INTS + ["i1"], least=1, where=finite)
    dim = p.rng.randrange(len(x.shape))
    # Places beyond the ends are those at the ends.
    places = p.fresh("i32", p.shape(most=2), -2, x.shape[dim] + 1, plain=True)
    shape = (*x.shape[:dim], *places.shape, *x.shape[dim + 1 :])
    found = np.take(x.array, places.array, axis=dim, mode="clip")
    attributes = f"dim = {dim} : i64, batch_dims = 0 : i64"
    p.emit(operation, [x, places], x.element, shape, attributes, exact=True, computed=[found])


@maker("chlo.broadcast_compare")
def broadcast_compare(p, operation):
    x = p.pick(FLOATS + INTS, where=lambda value: value.exact)
    y = p.pick([x.element], shape=p.rng.choice([x.shape, ()]), where=lambda value: value.exact)
    direction = p.rng.choice(["EQ", "NE", "LT", "LE", "GT", "GE"])
    attributes = f"comparison_direction = #chlo<comparison_direction {direction}>"
    p.emit(operation, [x, y], "i1", x.shape, attributes)


@maker("chlo.constant", "chlo.constant_like")
def chlo_constant(p, operation):
    element = p.rng.choice(["f32", "i32", "f64", "i8"])
    number = f"{p.rng.randint(0, 5)}{'.0' if element[0] == 'f' else ''}"
    if operation == "chlo.constant":
        shape = p.shape(most=2)
        p.emit(operation, [], element, shape, f"value = dense<{number}> : {tensor(element, shape)}", exact=True)
    else:
        x = p.pick([element])
        p.emit(operation, [x], element, x.shape, f"value = {number} : {element}", exact=True)


def is_ordered(array):
    """Whether no element is NaN or negative zero, which the interpreter's sorts do not know as others."""
    return array.dtype.kind != "f" or bool(np.all((array == array) & ((array != 0) | ~np.signbit(array))))


@maker("chlo.top_k")
def top_k(p, operation):
    x = p.pick(FLOATS + INTS, least=1, where=lambda v: v.exact and v.shape[-1] > 0 and is_ordered(v.array))
    k = p.rng.randint(1, x.shape[-1])
    shape = (*x.shape[:-1], k)
    results, attributes = [(x.element, shape), ("i32", shape)], f"k = {k} : i64"
    if p.rng.random() < 0.4:
        # As JAX hands it to plugins.
        name = f"top_k{p.local()[2:]}"
        kinds = f"({tensor(*results[0])}, {tensor(*results[1])})"
        text = f"  func.func private @{name}(%a: {x.type}) -> {kinds} {{\n"
        text += f'    %v:2 = "chlo.top_k"(%a) {{{attributes}}} : ({x.type}) -> {kinds}\n'
        text += f"    return %v#0, %v#1 : {kinds[1:-1]}\n  }}\n"
        p.functions.append((name, text))
        operation = "composite"
        attributes = f'name = "chlo.top_k", decomposition = @{name}, composite_attributes = {{{attributes}}}, version = 1 : i32'
    p.emit(operation, [x], None, None, attributes, exact=True, results=results)
