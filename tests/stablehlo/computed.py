"""Operations that the interpreter lacks: NumPy or XLA computes what they give, or the program itself shows that results
have the properties that they must have."""

import numpy as np

from operations import ints, is_ordered
from program import ANY, COMPLEX, FLOATS, INTS, NUMPY, Rejected, Value, literal, tensor

MAKERS = {}


def maker(*operations):
    """Registers a function that adds one of these operations."""

    def register(function):
        MAKERS.update(dict.fromkeys(operations, function))
        return function

    return register


def given(p, array, element):
    """An array as a new argument or as a constant."""
    name = p.name()
    array = np.asarray(array).astype(NUMPY[element])
    if p.rng.random() < 0.3 or p.isolated:
        p.lines.append(f"{name} = stablehlo.constant dense<{literal(array)}> : {tensor(element, array.shape)}")
    else:
        p.arguments.append(name)
    value = Value(name, element, array.shape, p.attribute(array, element, array.shape), array, True)
    p.values.append(value)
    p.used.add(name)
    return value


@maker("rng_bit_generator")
def rng_bit_generator(p, operation):
    """The bits that XLA gives."""
    if p.depth:
        raise Rejected
    import jax

    algorithm = p.rng.choice(["THREE_FRY", "PHILOX", "DEFAULT"])
    # JAX has no states of three numbers.
    count = 2
    state = p.np.integers(0, 2**64, count, dtype=np.uint64)
    if p.rng.random() < 0.5:
        # Where the counter overflows.
        state[p.rng.randrange(count)] = np.uint64(2**64 - 1 - p.rng.randrange(40))
    element = p.rng.choice(["ui8", "ui16", "ui32", "ui32", "ui64", "ui64"])
    shape = p.shape(least=0, most=3)
    which = {"THREE_FRY": "RNG_THREE_FRY", "PHILOX": "RNG_PHILOX", "DEFAULT": "RNG_DEFAULT"}[algorithm]
    with jax.enable_x64(True):
        algorithm_of = getattr(jax.lax.RandomAlgorithm, which)
        key = jax.numpy.asarray(state)
        found = jax.lax.rng_bit_generator(key, shape, NUMPY[element], algorithm_of)
        found = [np.asarray(part) for part in found]
    attributes = f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>"
    results = [("ui64", (count,)), (element, shape)]
    if shape and p.rng.random() < 0.4:
        of_run_time_sizes(p, operation, given(p, state, "ui64"), attributes, results, found)
        return
    p.emit(operation, [given(p, state, "ui64")], None, None, attributes, exact=True, results=results, computed=found)


def of_run_time_sizes(p, operation, state, attributes, results, found):
    """JAX's call for sizes that only the run knows, which become known again."""
    (kind, counts), (element, shape) = results
    open_shape = [dim if p.rng.random() < 0.3 else "?" for dim in shape]
    sizes = given(p, np.array(shape, np.int32), "i32")
    names = [p.name() for _ in "xyz"]
    made = tensor(element, open_shape)
    lines = [
        f"{names[0]}, {names[1]} = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator({state.name}, {sizes.name}) "
        f"{{api_version = 2 : i32, {attributes}}} : ({state.type}, {sizes.type}) -> ({tensor(kind, counts)}, {made})",
        f'{names[2]} = "stablehlo.dynamic_reshape"({names[1]}, {sizes.name}) : ({made}, {sizes.type}) -> '
        f"{tensor(element, shape)}",
    ]
    results = [(names[0], results[0]), (names[2], results[1])]
    p.stand(operation, lines, results, [state, sizes], exact=True, computed=found)


@maker("rng")
def rng(p, operation):
    """Numbers of a distribution: whether all are in their range, and those of a range of one number."""
    if p.depth:
        raise Rejected
    shape = p.shape(least=0, most=3)
    sizes = given(p, np.array(shape, np.int64), "i64")
    normal = p.rng.random() < 0.4
    element = p.rng.choice(FLOATS if normal else FLOATS[:3] + INTS)
    kind = tensor(element, ())
    names = [p.name() for _ in range(5)]
    low, high = sorted(p.rng.sample(range(0 if element[0] == "u" else -5, 6), 2))
    text = [str(number) if element in INTS else f"{number}.0" for number in (low, high)]
    narrow = p.rng.random() < 0.3
    if normal:
        text[1] = "0.0"
    elif narrow and element in INTS:
        text[1] = str(low + 1)
    word = "NORMAL" if normal else "UNIFORM"
    to = tensor(element, shape)
    lines = [
        f"{names[0]} = stablehlo.constant dense<{text[0]}> : {kind}",
        f"{names[1]} = stablehlo.constant dense<{text[1]}> : {kind}",
        f'{names[2]} = "stablehlo.rng"({names[0]}, {names[1]}, {sizes.name}) {{rng_distribution = '
        f"#stablehlo<rng_distribution {word}>}} : ({kind}, {kind}, {sizes.type}) -> {to}",
    ]
    if normal or (narrow and element in INTS):
        if element == "bf16":
            raise Rejected
        found = np.full(shape, low, NUMPY[element])
        p.stand(operation, lines, [(names[2], (element, shape))], [sizes], exact=True, computed=[found])
        return
    # From the lower end on, and below the upper one.
    inside = tensor("i1", shape)
    for i, end, word in ((3, names[0], "GE"), (4, names[1], "LT")):
        wide = p.name()
        lines += [
            f'{wide} = "stablehlo.broadcast_in_dim"({end}) {{broadcast_dimensions = array<i64>}} : ({kind}) -> {to}',
            f'{names[i]} = "stablehlo.compare"({names[2]}, {wide}) {{comparison_direction = '
            f"#stablehlo<comparison_direction {word}>}} : ({to}, {to}) -> {inside}",
        ]
    both = p.name()
    lines.append(f'{both} = "stablehlo.and"({names[3]}, {names[4]}) : ({inside}, {inside}) -> {inside}')
    p.stand(operation, lines, [(both, ("i1", shape))], [sizes], exact=True, computed=[np.ones(shape, bool)])


@maker("chlo.ragged_dot")
def ragged_dot(p, operation):
    """Products of groups of rows: of rows, of the inner dimension, or of batches."""
    element = p.rng.choice(p.summed(["f32", "f32", "f64", "i32", "i8", "f16"]))
    batch = list(p.sizes(p.rng.randint(0, 2), 6, [1, 2, 3]))
    m, k, n = p.size(6, 30), p.size(5, 30), p.size(4, 20)
    groups = p.rng.randint(1, 4)
    mode = p.rng.choice(["rows", "inner", "batch"])
    if mode == "batch" and not batch:
        raise Rejected
    which = p.rng.randrange(len(batch)) if mode == "batch" else 0
    total = {"rows": m, "inner": k, "batch": batch[which] if batch else 0}[mode]
    # The sizes of groups come with batches before them, or one for all.
    before = batch[:which] if mode == "batch" else batch
    lists = before if p.rng.random() < 0.5 else []
    counts = np.zeros((*lists, groups), int)
    for place in np.ndindex(*lists):
        cuts = sorted(p.rng.randint(0, total) for _ in range(groups))
        counts[place] = np.diff([0, *cuts])
    letters = "ab"[: len(batch)]
    x_dims, y_dims = list(zip(letters, batch)) + [("m", m), ("k", k)], list(zip(letters, batch)) + [("k", k), ("n", n)]
    if mode == "rows":
        y_dims.append(("g", groups))
    # The ragged dimension comes behind the batches.
    p.rng.shuffle(y_dims)
    lhs = p.pick([element], shape=[size for _, size in x_dims])
    rhs = p.pick([element], shape=[size for _, size in y_dims], most=6)
    x_names, y_names = "".join(name for name, _ in x_dims), "".join(name for name, _ in y_dims)
    shape = [*batch, m, n] if mode != "inner" else [groups, *batch, m, n]
    found = np.zeros(shape, np.float64 if element[0] == "f" else np.int64)
    x, y = (value.array.astype(found.dtype) for value in (lhs, rhs))
    bounds = np.broadcast_to(np.cumsum(counts, -1), (*before, groups))
    for g in range(groups):
        for place in np.ndindex(*before):
            start, end = (bounds[place][g - 1] if g else 0), bounds[place][g]
            cut = x.copy()
            keep = np.zeros(cut.shape, bool)
            at = (*place, slice(start, end)) if mode != "inner" else (*place, slice(None), slice(start, end))
            keep[at] = True
            cut = np.where(keep, cut, 0)
            right = np.take(y, g, y_names.index("g")) if mode == "rows" else y
            names = y_names.replace("g", "")
            product = np.einsum(f"{x_names},{names}->{letters}mn", cut, right)
            if mode == "inner":
                found[g] += product
            else:
                found += product
    of = lambda names, wanted: "[" + ", ".join(str(names.index(letter)) for letter in wanted) + "]"
    ragged = {"rows": "m", "inner": "k", "batch": letters[which : which + 1]}[mode]
    attributes = (
        f"ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = {of(x_names, letters)}, "
        f"rhs_batching_dimensions = {of(y_names, letters)}, lhs_contracting_dimensions = {of(x_names, 'k')}, "
        f"rhs_contracting_dimensions = {of(y_names, 'k')}, lhs_ragged_dimensions = {of(x_names, ragged)}, "
        f"rhs_group_dimensions = {of(y_names, 'g') if mode == 'rows' else '[]'}>"
    )
    sizes = given(p, counts, p.rng.choice(["i32", "i64", "ui32"]))
    if element[0] == "i":
        found = found.astype(NUMPY[element])
    p.emit(operation, [lhs, rhs, sizes], element, shape, attributes, computed=[found])


@maker("chlo.broadcast_select")
def broadcast_select(p, operation):
    """Dimensions of one, or none, become those of the others."""
    shape = p.shape(least=0, most=3)
    element = p.rng.choice([name for name in ANY if name not in COMPLEX and name in NUMPY])

    def part():
        cut = [dim if p.rng.random() < 0.8 else 1 for dim in shape]
        return tuple(cut[p.rng.randint(0, len(cut)) :] if p.rng.random() < 0.3 else cut)

    condition = p.pick(["i1"], shape=p.rng.choice([part(), ()]), where=lambda v: v.exact)
    x, y = p.pick([element], shape=part()), p.pick([element], shape=part())
    to = np.broadcast_shapes(condition.shape, x.shape, y.shape)
    found = np.where(condition.array, x.array, y.array)
    p.emit(operation, [condition, x, y], element, to, exact=True, computed=[np.broadcast_to(found, to)])


def matrix(p, square=False, hermitian=False):
    """A new matrix, or a batch of some, of floats or complex numbers."""
    part = p.rng.choice(["f32", "f64"])
    batch = list(p.sizes(p.rng.randint(0, 2), 6, [1, 2, 3]))
    # Blocks have 32 columns.
    long = 80 if p.rng.random() < 0.2 and not batch else 36
    m = p.size(5, long)
    n = m if square or hermitian else p.size(5, long)
    pair = [p.np.integers(-8, 9, (*batch, m, n)) / 4 for _ in "xy"]
    kind = p.rng.choice(["full", "full", "low", "zero", "diagonal"])
    if kind == "low":
        pair = [x[..., :1] * np.ones(n) for x in pair]
    elif kind == "zero":
        pair = [x * 0 for x in pair]
    elif kind == "diagonal":
        pair = [x * np.eye(m, n) for x in pair]
    if p.rng.random() < 0.6:
        array = pair[0]
        array = array + np.swapaxes(array, -1, -2) if hermitian else array
        return given(p, array, part), part, part
    array = pair[0] + 1j * pair[1]
    array = array + np.conj(np.swapaxes(array, -1, -2)) if hermitian else array
    parts = [given(p, np.real(array), part), given(p, np.imag(array), part)]
    element = f"complex<{part}>"
    return p.emit("complex", parts, element, array.shape, exact=True), element, part


class Chain:
    """Lines of a few operations on matrices."""

    def __init__(self, p):
        self.p, self.lines = p, []

    def op(self, operation, operands, element, shape, attributes=""):
        """An operation of (name, element, shape) operands; the same of its result."""
        name = self.p.name()
        kinds = ", ".join(tensor(kind, dims) for _, kind, dims in operands)
        names = ", ".join(operand[0] for operand in operands)
        more = f" {{{attributes}}}" if attributes else ""
        self.lines.append(f'{name} = "stablehlo.{operation}"({names}){more} : ({kinds}) -> {tensor(element, shape)}')
        return name, element, tuple(shape)

    def call(self, target, operands, results, config=""):
        names = [self.p.name() for _ in results]
        kinds = ", ".join(tensor(kind, dims) for _, kind, dims in operands)
        made = ", ".join(tensor(kind, dims) for kind, dims in results)
        self.lines.append(
            f'{", ".join(names)} = "stablehlo.custom_call"({", ".join(operand[0] for operand in operands)}) '
            f'{{call_target_name = "{target}", backend_config = "{config}"}} : ({kinds}) -> ({made})'
        )
        return [(name, kind, tuple(dims)) for name, (kind, dims) in zip(names, results)]

    def dot(self, x, y):
        """Products of matrices."""
        batch = list(range(len(x[2]) - 2))
        text = lambda numbers: "[" + ", ".join(map(str, numbers)) + "]"
        numbers = (
            f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {text(batch)}, rhs_batching_dimensions = "
            f"{text(batch)}, lhs_contracting_dimensions = [{len(batch) + 1}], rhs_contracting_dimensions = [{len(batch)}]>"
        )
        return self.op("dot_general", [x, y], x[1], (*x[2][:-1], y[2][-1]), numbers)

    def cut(self, x, rows, columns):
        """The first rows and columns."""
        limits = [*x[2][:-2], rows, columns]
        zeros, ones = [0] * len(limits), [1] * len(limits)
        attributes = f"start_indices = {ints(zeros)}, limit_indices = {ints(limits)}, strides = {ints(ones)}"
        return self.op("slice", [x], x[1], limits, attributes)

    def where(self, x, predicate, other=0):
        """Elements of a matrix whose row and column compare so, and *other* ones elsewhere."""
        rank = len(x[2])
        rows, columns = (self.op("iota", [], "i32", x[2], f"iota_dimension = {rank - i} : i64") for i in (2, 1))
        word = f"comparison_direction = #stablehlo<comparison_direction {predicate}>"
        flags = self.op("compare", [rows, columns], "i1", x[2], word)
        name = self.p.name()
        text = f"({other}.0, 0.0)" if x[1] in COMPLEX else f"{other}.0"
        self.lines.append(f"{name} = stablehlo.constant dense<{text}> : {tensor(x[1], x[2])}")
        return self.op("select", [flags, x, (name, x[1], x[2])], x[1], x[2])

    def adjoint(self, x):
        order = list(range(len(x[2])))
        order[-1], order[-2] = order[-2], order[-1]
        shape = [x[2][i] for i in order]
        turned = self.op("transpose", [x], x[1], shape, f"permutation = {ints(order)}")
        if x[1] not in COMPLEX:
            return turned
        part = x[1][8:-1]
        real, imag = (self.op(word, [turned], part, shape) for word in ("real", "imag"))
        return self.op("complex", [real, self.op("negate", [imag], part, shape)], x[1], shape)

    def scaled(self, x, values):
        """Columns times real numbers."""
        rank = len(x[2])
        dims = [*range(rank - 2), rank - 1]
        if x[1] in COMPLEX:
            zero = self.op("subtract", [values, values], values[1], values[2])
            values = self.op("complex", [values, zero], x[1], values[2])
        wide = self.op("broadcast_in_dim", [values], x[1], x[2], f"broadcast_dimensions = {ints(dims)}")
        return self.op("multiply", [x, wide], x[1], x[2])


def shown(p, operation, a, chain, product, array):
    """The operation is right if a product is this array."""
    p.stand(operation, chain.lines, [(product[0], product[1:])], [a], computed=[array])


@maker("ApproxTopK")
def approx_top_k(p, target):
    """All of the greatest or least elements, along any dimension, and where they are."""
    if p.depth:
        raise Rejected
    element = p.rng.choice(["f32", "f64", "i32", "f16", "ui8"])
    x = p.pick([element], least=1, where=lambda v: 0 not in v.shape and v.exact and is_ordered(v.array))
    dim = p.rng.randrange(len(x.shape))
    whole = bool(p.rng.random() < 0.8)
    k = p.rng.randint(1, x.shape[dim])
    shape = (*x.shape[:dim], k, *x.shape[dim + 1 :])
    word = p.rng.choice(["GT", "LT"])
    sign = -1 if word == "GT" else 1
    order = np.argsort(sign * x.array.astype(np.float64), dim, kind="stable").take(range(k), dim)
    places, limits, values, indices = (p.name() for _ in "abcd")
    kind, scalar, flag = tensor(element, shape), tensor(element, ()), "tensor<i1>"
    function = f"before{p.local()[2:]}"
    p.functions.append((function, f"""  func.func @{function}(%a: {scalar}, %b: {scalar}, %i: tensor<i32>, %j: tensor<i32>) -> {flag} {{
    %0 = stablehlo.compare {word}, %a, %b : ({scalar}, {scalar}) -> {flag}
    {p.rng.choice(["", "stablehlo."])}return %0 : {flag}
  }}
"""))
    start = p.fresh(element, (), 0, 0, plain=True)
    config = (
        f"mhlo.backend_config = {{aggregate_to_topk = {str(whole).lower()}, is_fallback = true, recall_target = 0.9 : f32, "
        f"reduction_dim = {dim} : i64, reduction_input_size_override = -1 : i64, top_k = {k} : i64}}"
    )
    lines = [
        f'{places} = "stablehlo.iota"() {{iota_dimension = {dim} : i64}} : () -> {tensor("i32", x.shape)}',
        f"{limits} = stablehlo.constant dense<-1> : tensor<i32>",
        f"{values}, {indices} = stablehlo.custom_call @ApproxTopK({x.name}, {places}, {start.name}, {limits}) "
        f"{{called_computations = [@{function}], {config}}} : ({x.type}, {tensor('i32', x.shape)}, {scalar}, tensor<i32>) -> "
        f"({kind}, {tensor('i32', shape)})",
    ]
    found = [np.take_along_axis(x.array, order, dim), order.astype(np.int32)]
    results = [(values, (element, shape)), (indices, ("i32", shape))]
    p.stand(target, lines, results, [x, start], exact=True, computed=found)


@maker("Qr", "LuDecomposition", "Eigh", "Eig", "Svd", "TopK")
def factorization(p, target):
    """Custom calls whose factors have the matrix as a product."""
    if p.depth:
        raise Rejected
    chain = Chain(p)
    if target == "TopK":
        element = p.rng.choice(["f32", "i32", "f64"])
        x = p.pick([element], least=1, where=lambda v: 0 not in v.shape and v.exact and is_ordered(v.array))
        k = p.rng.randint(1, x.shape[-1])
        shape = (*x.shape[:-1], k)
        order = np.argsort(-x.array.astype(np.float64), -1, kind="stable")[..., :k]
        values, places = chain.call(target, [(x.name, x.element, x.shape)], [(element, shape), ("i32", shape)])
        found = [np.take_along_axis(x.array, order, -1), order.astype(np.int32)]
        results = [(values[0], (element, shape)), (places[0], ("i32", shape))]
        p.stand(target, chain.lines, results, [x], exact=True, computed=found)
        return
    value, element, part = matrix(p, square=target == "Eig", hermitian=target == "Eigh")
    a = (value.name, element, value.shape)
    *batch, m, n = value.shape
    k = min(m, n)
    if target == "Qr":
        packed, taus = chain.call(target, [a], [(element, a[2]), (element, (*batch, k))])
        if m < n or p.rng.random() < 0.5:
            left = chain.cut(packed, m, k)
            (q,) = chain.call("ProductOfElementaryHouseholderReflectors", [left, taus], [(element, left[2])])
            r = chain.where(chain.cut(packed, k, n), "LE")
        else:
            # As many columns as rows.
            zero = p.name()
            text = "(0.0, 0.0)" if element in COMPLEX else "0.0"
            chain.lines.append(f"{zero} = stablehlo.constant dense<{text}> : {tensor(element, (*batch, m, m - n))}")
            both = [packed, (zero, element, (*batch, m, m - n))]
            wide = chain.op("concatenate", both, element, (*batch, m, m), f"dimension = {len(batch) + 1} : i64")
            (q,) = chain.call("ProductOfElementaryHouseholderReflectors", [wide, taus], [(element, wide[2])])
            r = chain.where(packed, "LE")
        if p.rng.random() < 0.4:
            shown(
                p,
                target,
                value,
                chain,
                chain.dot(chain.adjoint(q), q),
                np.broadcast_to(np.eye(q[2][-1]), (*batch, *[q[2][-1]] * 2)),
            )
        else:
            shown(p, target, value, chain, chain.dot(q, r), value.array)
    elif target == "LuDecomposition":
        results = [(element, a[2]), ("i32", (*batch, k)), ("i32", (*batch, m))]
        packed, pivots, order = chain.call(target, [a], results)
        lower = chain.where(chain.where(chain.cut(packed, m, k), "GT"), "NE", 1)
        product = chain.dot(lower, chain.where(chain.cut(packed, k, n), "LE"))
        # Rows back where they were: the permutation as a matrix.
        places = chain.op(
            "broadcast_in_dim",
            [order],
            "i32",
            (*batch, m, m),
            f"broadcast_dimensions = {ints([*range(len(batch)), len(batch)])}",
        )
        numbers = chain.op("iota", [], "i32", (*batch, m, m), f"iota_dimension = {len(batch) + 1} : i64")
        flags = chain.op(
            "compare",
            [places, numbers],
            "i1",
            (*batch, m, m),
            "comparison_direction = #stablehlo<comparison_direction EQ>",
        )
        turned = chain.adjoint(chain.op("convert", [flags], element, (*batch, m, m)))
        shown(p, target, value, chain, chain.dot(turned, product), value.array)
    elif target == "Eigh":
        lower = p.rng.choice("01")
        vectors, values = chain.call(target, [a], [(element, a[2]), (part, a[2][:-1])], lower)
        if p.rng.random() < 0.3:
            shown(p, target, value, chain, chain.dot(chain.adjoint(vectors), vectors), np.broadcast_to(np.eye(m), a[2]))
        else:
            shown(
                p, target, value, chain, chain.dot(chain.scaled(vectors, values), chain.adjoint(vectors)), value.array
            )
    elif target == "Eig":
        # The matrix times vectors less vectors times values is nothing, which is added to the matrix.
        whole = f"complex<{part}>"
        wide = a if element == whole else chain.op("convert", [a], whole, a[2])
        values, vectors = chain.call(target, [a], [(whole, a[2][:-1]), (whole, a[2])], "right")
        dims = [*range(len(batch)), len(batch) + 1]
        spread = chain.op("broadcast_in_dim", [values], whole, a[2], f"broadcast_dimensions = {ints(dims)}")
        scaled = chain.op("multiply", [vectors, spread], whole, a[2])
        nothing = chain.op("subtract", [chain.dot(wide, vectors), scaled], whole, a[2])
        shown(p, target, value, chain, chain.op("add", [wide, nothing], whole, a[2]), value.array.astype(np.complex128))
    else:
        full = p.rng.random() < 0.3
        if p.rng.random() < 0.2:
            (values,) = chain.call(target, [a], [(part, (*batch, k))])
            shown(p, target, value, chain, values, np.linalg.svd(value.array, compute_uv=False))
            return
        columns, rows = (m, n) if full else (k, k)
        results = [(part, (*batch, k)), (element, (*batch, m, columns)), (element, (*batch, rows, n))]
        values, left, right = chain.call(target, [a], results)
        product = chain.dot(chain.scaled(chain.cut(left, m, k), values), chain.cut(right, k, n))
        shown(p, target, value, chain, product, value.array)
