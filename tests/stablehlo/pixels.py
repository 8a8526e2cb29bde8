"""Tensors of short rows, as the channels of pixels, stereo sound or points in space: taken apart, converted, computed with,
put together again, and picked at distances."""

import numpy as np

from operations import body, dense, ints, neutral

MAKERS = {}
ELEMENTS = ["ui8"] * 5 + ["i8", "i1", "i16", "ui16", "i32", "f16", "f32", "f32", "f64"]


def steps(p, x, starts, strides):
    """What the slice of a tensor is that begins at these places and goes to the end."""
    shape = [-(-(size - start) // stride) for size, start, stride in zip(x.shape, starts, strides)]
    attributes = f"start_indices = {ints(starts)}, limit_indices = {ints(x.shape)}, strides = {ints(strides)}"
    return p.emit("slice", [x], x.element, shape, attributes, exact=True)


def channel(p, x, index):
    """One element of each row, as a tensor without rows."""
    shape = [*x.shape[:-1], 1]
    starts, limits = [0] * (len(shape) - 1) + [index], [*x.shape[:-1], index + 1]
    attributes = f"start_indices = {ints(starts)}, limit_indices = {ints(limits)}, strides = {ints([1] * len(shape))}"
    part = p.emit("slice", [x], x.element, shape, attributes, exact=True)
    return p.emit("reshape", [part], x.element, shape[:-1], exact=True)


def mixed(p, x):
    """New rows of channels that are computed of those there are."""
    count, n = p.rng.choice([2, 3, 3, 4, 5, 6, 7, 8]), x.shape[-1]
    element = x.element if p.rng.random() < 0.5 else p.rng.choice(ELEMENTS)
    parts = []
    for _ in range(count):
        part = channel(p, x, p.rng.randrange(n))
        if element != part.element:
            part = p.emit("convert", [part], element, part.shape, exact=True)
        if p.rng.random() < 0.6:
            other = channel(p, x, p.rng.randrange(n))
            if element != other.element:
                other = p.emit("convert", [other], element, other.shape, exact=True)
            kinds = (
                ["maximum", "minimum"]
                if element[0] == "f" or element == "i1"
                else ["add", "subtract", "xor", "maximum"]
            )
            part = p.emit(p.rng.choice(kinds), [part, other], element, part.shape, exact=True)
        parts.append(p.emit("reshape", [part], element, [*part.shape, 1], exact=True))
    shape = [*x.shape[:-1], count]
    p.emit("concatenate", parts, element, shape, f"dimension = {len(shape) - 1} : i64", exact=True)


def pixels(p, operation):
    if p.depth:
        # Of many, few are seen.
        return
    n = p.rng.choice([2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8, 9])
    rows = p.rng.choice([(70,), (129,), (64,), (3, 67), (16, 16), (2, 33)])
    x = p.pick([p.rng.choice(ELEMENTS)], shape=(*rows, n), where=lambda value: value.exact)
    if not x.exact:
        return
    rank = len(x.shape)
    kind = p.rng.choice(
        ["mixed", "mixed", "reversed", "first", "reduced", "distant", "windows", "weighted", "compared"]
    )
    if kind == "mixed":
        mixed(p, x)
    elif kind == "reversed":
        dims = sorted(p.rng.sample(range(rank), p.rng.randint(1, rank)))
        p.emit("reverse", [x], x.element, x.shape, f"dimensions = {ints(dims)}", exact=True)
    elif kind == "first":
        order = [rank - 1, *range(rank - 1)]
        turned = p.emit(
            "transpose", [x], x.element, [x.shape[i] for i in order], f"permutation = {ints(order)}", exact=True
        )
        to = p.rng.choice(ELEMENTS)
        if to != turned.element:
            p.emit("convert", [turned], to, turned.shape, exact=True)
    elif kind == "reduced":
        text, way = body(p, x.element, p.rng.choice(["maximum", "minimum"]) if x.element[0] == "f" else None)
        start = neutral(p, x.element, way)
        dims = f"dimensions = {ints([rank - 1])}"
        p.emit("reduce", [x, start], x.element, x.shape[:-1], dims, exact=True, region=text)
    elif kind == "distant":
        strides = [p.rng.choice([1, 2, 2, 3, 4, 5, 8]) if size > 8 else 1 for size in x.shape]
        # A row of its own, so that the distance is that of elements.
        flat = p.emit("reshape", [x], x.element, [int(np.prod(x.shape))], exact=True) if p.rng.random() < 0.5 else x
        if flat is not x:
            strides = [p.rng.choice([2, 2, 3, 4, 5, 8])]
        starts = [p.rng.randrange(stride) for stride in strides]
        picked = steps(p, flat, starts, strides)
        if p.rng.random() < 0.5:
            p.emit("maximum", [picked, picked], picked.element, picked.shape, exact=True)
    elif kind == "windows":
        sizes, one = [1] * (rank - 1) + [2], [1] * rank
        strides = [1] * (rank - 1) + [2]
        flat = p.emit("reshape", [x], x.element, [*x.shape[:-2], x.shape[-2] * n], exact=True)
        sizes, strides, one = sizes[1:], strides[1:], one[1:]
        shape = [*flat.shape[:-1], (flat.shape[-1] - 2) // 2 + 1]
        text, way = body(p, x.element, p.rng.choice(["maximum", "minimum"]))
        attributes = (
            f"window_dimensions = {ints(sizes)}, window_strides = {ints(strides)}, base_dilations = {ints(one)}, "
            f"window_dilations = {ints(one)}, padding = {dense(np.zeros((len(one), 2), int))}"
        )
        p.emit(
            "reduce_window", [flat, neutral(p, x.element, way)], x.element, shape, attributes, exact=True, region=text
        )
    elif kind == "compared":
        # Comparisons, most often of truth values, and choices between them.
        x = p.pick(["i1"], shape=x.shape) if p.rng.random() < 0.6 else x
        y = p.pick([x.element], shape=x.shape, where=lambda value: value.exact)
        way = p.rng.choice(["EQ", "NE", "GE", "GT", "LE", "LT"])
        kinds = {"i": "SIGNED", "u": "UNSIGNED", "f": "FLOAT"}
        sort = "UNSIGNED" if x.element == "i1" else kinds[x.element[0]]
        attributes = (
            f"comparison_direction = #stablehlo<comparison_direction {way}>, "
            f"compare_type = #stablehlo<comparison_type {sort}>"
        )
        found = p.emit("compare", [x, y], "i1", x.shape, attributes, exact=True)
        if p.rng.random() < 0.5:
            p.emit("select", [found, x, y], x.element, x.shape, exact=True)
    else:
        # With one number for each channel, or for each row.
        along = p.rng.choice([[rank - 1], list(range(rank - 1))])
        weights = p.pick([x.element], shape=[x.shape[i] for i in along], where=lambda value: value.exact)
        spread = p.emit(
            "broadcast_in_dim", [weights], x.element, x.shape, f"broadcast_dimensions = {ints(along)}", exact=True
        )
        way = p.rng.choice(
            ["maximum", "minimum"] if x.element[0] == "f" or x.element == "i1" else ["add", "and", "multiply"]
        )
        p.emit(way, [x, spread], x.element, x.shape, exact=True)


MAKERS["pixels"] = pixels
