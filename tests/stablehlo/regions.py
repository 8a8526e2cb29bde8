"""Operations with regions of several operations, calls and composites: an operation inside is computed as one outside, of
the values that the region has the first time; then the interpreter runs the whole."""

from operations import is_ordered
from program import ANY, FLOATS, INTS, SMALL_FLOATS, SMALL_INTS, Rejected, Value, tensor

DEEPEST = 2


def grow(p, least=1, most=4):
    """Adds a few operations."""
    if p.depth > DEEPEST:
        raise Rejected
    wanted = p.rng.randint(least, most)
    for _ in range(wanted * 4):
        if wanted == 0:
            break
        wanted -= p.try_one()


def end(p, values, word="stablehlo.return"):
    """The end of a region."""
    kinds = ", ".join(value.type for value in values)
    return f'"{word}"({", ".join(value.name for value in values)}) : ({kinds}) -> ()'


def head(values):
    """The arguments of a block."""
    return f"^bb0({', '.join(f'{value.name}: {value.type}' for value in values)}):"


def copies(p, values):
    """Arguments of a block that stand for *values*."""
    return [Value(p.name(), v.element, v.shape, v.attribute, v.array, v.exact) for v in values]


def one_of_type(p, like, inner):
    """A value of this type that a region may end with, one made inside if there is one."""
    fits = [
        value for value in p.values if value.element == like.element and value.shape == like.shape and not value.last
    ]
    inside = [value for value in fits if value.name in inner]
    return p.rng.choice(inside if inside and p.rng.random() < 0.8 else fits)


def several(p):
    """How many values come out of a region: a few, or many."""
    return p.rng.randint(1, 3) if p.rng.random() < 0.8 else p.rng.randint(4, 14)


def branch(p, operation):
    """Two or more regions that give values of the same types."""
    kinds = [p.pick(ANY) for _ in range(several(p))]
    count = 2 if operation == "if" else p.rng.randint(1, 4)
    regions, exact, captured = [], True, []
    for _ in range(count):
        with p.scope() as inner:
            grow(p)
            names = {name for line in inner.lines for name in inner.defined(line)}
            ends = [one_of_type(p, kind, names) for kind in kinds]
        regions.append("{ " + "\n".join([*inner.lines, end(p, ends)]) + " }")
        exact = exact and all(value.exact for value in ends)
        captured += inner.captured(ends)
    if operation == "if":
        index = p.pick(["i1"], shape=(), where=lambda value: value.exact)
    else:
        # Numbers without a branch take the last one.
        index = p.pick(["i32"], shape=(), where=lambda value: value.exact)
    results = [(kind.element, kind.shape) for kind in kinds]
    p.emit(operation, [index], None, None, exact=exact, region=", ".join(regions), captured=captured, results=results)


def slice_product(p):
    """What adds the first operations of an iteration of a recurrent net: the product of weights and of a slice that the
    counter chooses. Also a value of its type."""
    element = p.rng.choice(p.summed(FLOATS + INTS))
    shape = [p.rng.randint(1, 4) for _ in range(p.rng.randint(2, 3))]
    dim, inner = p.rng.sample(range(len(shape)), 2)
    source = p.pick([element], shape=shape)
    weights = p.pick([element], shape=[shape[inner], p.rng.choice([1, 3, 8])])
    zero = p.integer(0)
    rest = shape[:dim] + shape[dim + 1 :]
    inner -= inner > dim
    kept = rest[:inner] + rest[inner + 1 :] + list(weights.shape[1:])

    def add(counter):
        sizes = ", ".join("1" if i == dim else str(size) for i, size in enumerate(shape))
        places = [counter if i == dim else zero for i in range(len(shape))]
        slice_ = [1 if i == dim else size for i, size in enumerate(shape)]
        p.emit("dynamic_slice", [source, *places], element, slice_, f"slice_sizes = array<i64: {sizes}>", exact=True)
        p.emit("reshape", [p.values[-1]], element, rest, exact=True)
        numbers = f"lhs_contracting_dimensions = [{inner}], rhs_contracting_dimensions = [0]"
        numbers = f"dot_dimension_numbers = #stablehlo.dot<{numbers}>"
        p.emit("dot_general", [p.values[-1], weights], element, kept, numbers)

    return add, p.pick([element], shape=kept)


def kept_rows(p):
    """What adds operations whose rows are used by the next one and kept for each iteration, as for a gradient; gives what
    the tensors become that keep them. Also these tensors."""
    element = p.rng.choice(FLOATS + INTS)
    row = [*p.rng.choice([(), (1,), (2,)]), p.rng.choice([15, 16, 17, 32])]
    base = p.fresh(element, row, plain=True)
    tensors = [p.fresh(element, [p.rng.choice([4, 5]), *row], plain=True) for _ in range(p.rng.randint(1, 3))]
    for tensor_ in tensors:
        # A sum of rounded numbers may come into it.
        tensor_.exact = False
    zero = p.integer(0)

    def add(counter, tensors):
        p.emit("convert", [counter], element, (), exact=True)
        last = p.emit("broadcast_in_dim", [p.values[-1]], element, row, "broadcast_dimensions = array<i64>", exact=True)
        rows = []
        for _ in range(len(tensors) + p.rng.randint(0, 2)):
            word = p.rng.choice(["add", "subtract", "maximum", "minimum"])
            last = p.emit(word, [last, p.rng.choice([base, *rows])], element, row)
            if element in FLOATS and p.rng.random() < 0.7:
                # What takes long is not computed twice.
                last = p.emit(p.rng.choice(["tanh", "logistic", "sine"]), [last], element, row)
            rows.append(last)
        kept = []
        for tensor_ in tensors:
            # Another row may come to the same place.
            for place in [counter, *p.rng.choice([(), (), (counter,), (zero,)])]:
                part = p.emit("reshape", [p.rng.choice(rows)], element, [1, *row])
                places = [place, *[zero] * len(row)]
                tensor_ = p.emit("dynamic_update_slice", [tensor_, part, *places], element, tensor_.shape)
                if p.rng.random() < 0.5:
                    rows.insert(0, p.emit("add", [rows[0], p.rng.choice(rows)], element, row))
            kept.append(tensor_)
        if p.rng.random() < 0.5:
            # What the last one was made of is read behind all places.
            places = [zero] * (1 + len(row))
            part = p.emit("reshape", [rows[0]], element, [1, *row])
            kept[0] = p.emit("dynamic_update_slice", [kept[0], part, *places], element, kept[0].shape)
        return kept

    return add, tensors


def loop(p, operation):
    """A loop that runs up to four times, or until one of its values says so."""
    carried = [p.pick(ANY + SMALL_FLOATS + SMALL_INTS) for _ in range(several(p))]
    begin = None
    if p.rng.random() < 0.3:
        begin, like = slice_product(p)
        carried.append(like)
    keep, tensors = kept_rows(p) if p.rng.random() < 0.3 else (None, [])
    carried += tensors
    start = p.integer(0)
    limit = p.integer(p.rng.randint(0, 4))
    one = p.integer(1)
    count, *outer = copies(p, [start, *carried])
    flag = p.name()
    condition = (
        f'{{ {head([count, *outer])} {flag} = "stablehlo.compare"({count.name}, {limit.name}) '
        "{comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>"
    )
    stops = [value for value in outer if value.element == "i1" and value.shape == () and value.exact]
    if stops and p.rng.random() < 0.5:
        both = p.name()
        condition += f'\n{both} = "stablehlo.or"({flag}, {stops[0].name}) : (tensor<i1>, tensor<i1>) -> tensor<i1>'
        condition += f'\n%x{flag[1:]} = "stablehlo.and"({flag}, {both}) : (tensor<i1>, tensor<i1>) -> tensor<i1>'
        flag = f"%x{flag[1:]}"
    condition += f'\n"stablehlo.return"({flag}) : (tensor<i1>) -> () }}'
    values = copies(p, [start, *carried])
    with p.scope(values) as inner:
        if begin:
            begin(values[0])
        end_of_plain = len(values) - len(tensors)
        kept = keep(values[0], values[end_of_plain:]) if keep else []
        grow(p)
        names = {name for line in inner.lines for name in inner.defined(line)}
        plain = values[1:end_of_plain]
        ends = [one_of_type(p, value, names | {value.name for value in values[1:]}) for value in plain] + kept
        for value, last in zip(values[1:], ends):
            if value.exact and not last.exact:
                raise Rejected
        line = f'{p.name()} = "stablehlo.add"({values[0].name}, {one.name}) : (tensor<i32>, tensor<i32>) -> tensor<i32>'
        following = Value(line.split(" ")[0], "i32", (), None, None, True)
    text = "\n".join([f"{{ {head(values)}", *inner.lines, line, end(p, [following, *ends])]) + " }"
    p.emit(
        operation, [start, *carried], None, None, exact=all(value.exact for value in ends),
        region=f"{condition}, {text}", captured=[limit, one, *inner.captured(ends)],
        results=[("i32", ()), *((value.element, value.shape) for value in carried)],
    )  # fmt: skip


def scalars(p, kinds):
    """A function of scalars of these elements that gives one of the first: its arguments, lines and the last value."""
    samples = [p.fresh(kind, (), plain=True) for kind in kinds]
    values = copies(p, samples)
    with p.scope(values, isolated=True) as inner:
        grow(p, 1, 3)
        names = {name for line in inner.lines for name in inner.defined(line)} | {value.name for value in values}
        last = one_of_type(p, values[0], names)
    return values, inner.lines, last


def map_(p, operation):
    x = p.pick(FLOATS + INTS, where=lambda value: value.exact)
    operands = [x] + [p.pick(FLOATS + INTS, shape=x.shape, where=lambda v: v.exact) for _ in range(p.rng.randint(0, 2))]
    values, lines, last = scalars(p, [value.element for value in operands])
    text = "\n".join([f"{{ {head(values)}", *lines, end(p, [last])]) + " }"
    dims = ", ".join(map(str, range(len(x.shape))))
    attributes = f"dimensions = array<i64{': ' if dims else ''}{dims}>"
    p.emit(operation, operands, x.element, x.shape, attributes, exact=last.exact, region=text)


def sort(p, operation):
    """A stable sort by a function of the elements."""
    x = p.pick(FLOATS + INTS + SMALL_INTS, least=1, where=lambda value: value.exact)
    operands = [x] + [p.pick(ANY + SMALL_INTS, shape=x.shape) for _ in range(p.rng.randint(0, 2))]
    values, lines, last = scalars(p, [x.element])
    if not last.exact:
        raise Rejected
    if any(f"stablehlo.{name}" in line for line in lines for name in ("sqrt", "divide", "remainder")):
        # It may give NaN for other elements than the one that was tried, which have no order.
        raise Rejected
    rest = [(f"%r{p.name()[1:]}", f"%r{p.name()[1:]}", tensor(value.element, ())) for value in operands[1:]]
    places = ", ".join(f"{a}: {kind}, {b}: {kind}" for a, b, kind in rest)

    def primed(text):
        return p.numbered.sub(lambda match: "%p" + match[0][1:], text)

    scalar = tensor(x.element, ())
    kind = ""
    if x.element in FLOATS:
        if not is_ordered(x.array):
            raise Rejected
        # What the lines give may be a negative zero, which is another number in the total order only.
        kind = f", compare_type = #stablehlo<comparison_type {'FLOAT' if lines else 'TOTALORDER'}>"
    direction = p.rng.choice(["LT", "GT"])
    flag = p.name()
    text = "\n".join(
        [
            f"{{ ^bb0({values[0].name}: {scalar}, {primed(values[0].name)}: {scalar}{', ' if places else ''}{places}):",
            *lines,
            *(primed(line) for line in lines),
            f'{flag} = "stablehlo.compare"({last.name}, {primed(last.name)}) {{comparison_direction = '
            f"#stablehlo<comparison_direction {direction}>{kind}}} : ({scalar}, {scalar}) -> tensor<i1>",
            f'"stablehlo.return"({flag}) : (tensor<i1>) -> () }}',
        ]
    )
    attributes = f"dimension = {p.rng.randrange(len(x.shape))} : i64, is_stable = true"
    results = [(value.element, value.shape) for value in operands]
    p.emit(operation, operands, None, None, attributes, exact=True, region=text, results=results)


def function(p, values, operation):
    """Adds a function of *values*; its name and what it gives."""
    places = copies(p, values)
    with p.scope(places, isolated=True, scalar=False) as inner:
        grow(p, 1, 4)
        names = {name for line in inner.lines for name in inner.defined(line)} | {value.name for value in places}
        ends = [value for value in p.values if value.name in names and not value.last][-p.rng.randint(1, 2) :]
    name = f"f{p.name()[1:]}"
    arguments = ", ".join(f"{value.name}: {value.type}" for value in places)
    kinds = ", ".join(value.type for value in ends)
    body = "\n".join([*inner.lines, end(p, ends, "func.return")])
    p.functions.append((name, f"func.func private @{name}({arguments}) -> ({kinds}) {{\n{body}\n}}"))
    return name, ends


def call(p, operation):
    operands = [p.pick(ANY) for _ in range(p.rng.randint(1, 3))]
    name, ends = function(p, operands, operation)
    if operation == "func.call":
        attributes = f"callee = @{name}"
    else:
        meaning = p.rng.choice(["{a = 1 : i64}", "{}", '{b = "x", c = [1, 2.0 : f32], d = dense<1> : tensor<2xi8>}'])
        word = p.rng.choice(["own.op", "chlo.top_k", "chlo.erf", "jax.f"])
        attributes = f'name = "{word}", decomposition = @{name}, composite_attributes = {meaning}, version = 2 : i32'
    results = [(value.element, value.shape) for value in ends]
    p.emit(operation, operands, None, None, attributes, exact=all(v.exact for v in ends), results=results)


MAKERS = {
    "if": branch, "case": branch, "while": loop, "map": map_, "sort": sort, "func.call": call, "composite": call,
}  # fmt: skip
