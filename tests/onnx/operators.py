"""Random ONNX graphs, one node at a time: `generate` makes one. Each operator has a function that chooses operands,
attributes and sizes for it from what its schema allows; the reference evaluator of the package onnx computes the results
of a node as it is added."""

import random
import warnings

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

FLOATS = ["float32", "float64", "float16"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
TYPES = FLOATS + SIGNED + UNSIGNED + ["bool"]
ONNX_NAMES = {"float32": "float", "float64": "double"}
# Floats are what models compute with.
WEIGHTS = [12, 2, 3, 1, 1, 4, 5, 2, 1, 1, 1, 2]
# The largest IR version of each opset matters to ONNX Runtime only.
IR_VERSION = 10


class Rejected(Exception):
    """No node can be made here."""


class Graph:
    """A graph that grows, with the value of each of its names."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.np = np.random.default_rng(seed)
        self.opset = self.rng.choice([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28])
        self.dynamic = self.rng.random() < 0.4
        self.nodes, self.values, self.inputs, self.initializers = [], {}, [], []
        # Values that are known to the bit, so that a rounding or a comparison of them is the same everywhere.
        self.exact = set()
        self.used = set()

    def schema(self, operator):
        """What the operator is in this opset."""
        try:
            found = onnx.defs.get_schema(operator, self.opset)
        except onnx.defs.SchemaError as error:
            raise Rejected from error
        if found.deprecated:
            raise Rejected
        return found

    def types(self, schema, index=0):
        """The element types that an input may have."""
        inputs = schema.inputs
        text = inputs[min(index, len(inputs) - 1)].type_str
        allowed = [text]
        for constraint in schema.type_constraints:
            if constraint.type_param_str == text:
                allowed = list(constraint.allowed_type_strs)
        found = [name for name in TYPES if f"tensor({ONNX_NAMES.get(name, name)})" in allowed]
        if not found:
            raise Rejected
        return found

    def type(self, schema, index=0, among=TYPES):
        """One of the types of an input."""
        found = [name for name in self.types(schema, index) if name in among]
        if not found:
            raise Rejected
        return self.rng.choices(found, [WEIGHTS[TYPES.index(name)] for name in found])[0]

    def shape(self, rank=None, least=0, most=4, largest=5):
        """A shape."""
        rank = self.rng.randint(least, most) if rank is None else rank
        return tuple(self.rng.choice([1, 2, 3, 3, 4, largest, largest + 2]) for _ in range(rank))

    def array(self, dtype, shape, low=-2, high=2):
        """An array of numbers that are exact in all types."""
        if dtype == "bool":
            return self.np.random(shape) < 0.5
        if dtype in UNSIGNED:
            low = max(low, 0)
        if dtype in SIGNED + UNSIGNED:
            return self.np.integers(int(np.ceil(low)), int(high) + 4, shape).astype(dtype)
        steps = self.np.integers(int(np.ceil(low * 8)), int(high * 8) + 1, shape)
        return (steps / 8).astype(dtype)

    def add_value(self, array, constant=None):
        """A new argument or initializer."""
        name = f"v{len(self.values)}"
        self.values[name] = np.asarray(array)
        self.exact.add(name)
        constant = self.rng.random() < 0.5 if constant is None else constant
        (self.initializers if constant else self.inputs).append(name)
        return name

    def fresh(self, dtype, shape, low=-2, high=2, constant=None):
        """A new argument or initializer of random numbers."""
        return self.add_value(self.array(dtype, shape, low, high), constant)

    def ints(self, numbers, dtype="int64"):
        """A list of axes or sizes, mostly a constant."""
        return self.add_value(np.array(numbers, dtype), self.rng.random() < 0.85 or None)

    def pick(self, dtypes, shape=None, least=0, most=4, exact=False, where=lambda array: True):
        """A name in scope, or a new one."""
        found = [
            name
            for name, value in self.values.items()
            if value.dtype.name in dtypes
            and (shape is None or value.shape == tuple(shape))
            and least <= value.ndim <= most
            and (not exact or name in self.exact)
            and value.size <= 4000
            and where(value)
        ]
        if found and self.rng.random() < 0.7:
            # What was made last is what nobody has used.
            unused = [name for name in found if name not in self.used]
            return self.rng.choice(unused or found)
        dtype = self.rng.choices(dtypes, [WEIGHTS[TYPES.index(name)] for name in dtypes])[0]
        for _ in range(20):
            array = self.array(dtype, self.shape(least=least, most=most) if shape is None else shape)
            if where(array):
                return self.add_value(array)
        raise Rejected

    def of(self, name):
        return self.values[name]

    def near(self, name, low, high):
        """Whether all numbers of a value lie in between."""
        value = self.of(name).astype("float64")
        return value.size == 0 or bool(np.all((value >= low) & (value <= high)))

    def node(self, operator, inputs, outputs=1, exact=False, **attributes):
        """A node, if the reference evaluator takes it. It is *exact* if it rounds nothing."""
        while inputs and inputs[-1] == "":
            inputs = inputs[:-1]
        names = [f"v{len(self.values)}_{i}" for i in range(outputs)]
        attributes = {key: value for key, value in attributes.items() if value is not None}
        made = helper.make_node(operator, inputs, names, **attributes)
        feeds = {name: self.of(name) for name in inputs if name}
        results = evaluate([made], feeds, names, self.opset)
        for result in results:
            if not isinstance(result, np.ndarray) or result.size > 20000 or result.ndim > 6:
                raise Rejected
            if result.dtype.name not in TYPES:
                raise Rejected
            if result.dtype.kind == "f":
                finite = result[np.isfinite(result)]
                limit = 1e3 if result.dtype.name == "float16" else 1e6
                if finite.size and np.abs(finite).max() > limit or finite.size < result.size:
                    raise Rejected
        self.nodes.append(made)
        self.used.update(feeds)
        for name, result in zip(names, results):
            self.values[name] = result
            integral = result.dtype.kind in "iub"
            if integral or exact and all(feed in self.exact for feed in feeds):
                self.exact.add(name)
        return names

    def model(self):
        """The model, its arguments and what it should give."""
        made = [name for node in self.nodes for name in node.output]
        leaves = [name for name in made if name not in self.used]
        others = [name for name in made if name in self.used]
        outputs = leaves[-4:] + self.rng.sample(others, min(len(others), 1))
        inputs = [name for name in self.inputs if name in self.used]
        symbols = iter(range(10**6))

        def info(name):
            value = self.of(name)
            dims = list(value.shape)
            if self.dynamic and (value.ndim != 1 or value.dtype.kind != "i"):
                dims = [f"d{next(symbols)}" if self.rng.random() < 0.7 else dim for dim in dims]
            if name not in inputs:
                dims = None if self.dynamic else list(value.shape)
            return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), dims)

        graph = helper.make_graph(
            self.nodes,
            "random",
            [info(name) for name in inputs],
            [info(name) for name in outputs],
            [numpy_helper.from_array(self.of(name), name) for name in self.initializers if name in self.used],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=IR_VERSION)
        return model, {name: self.of(name) for name in inputs}, [self.of(name) for name in outputs]


def evaluate(nodes, feeds, names, opset):
    """What the reference evaluator computes."""
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in feeds.items()
    ]
    outputs = [onnx.ValueInfoProto(name=name) for name in names]
    graph = helper.make_graph(nodes, "node", infos, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=IR_VERSION)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            # Types and shapes that do not fit are found by inference, which the evaluator does not run.
            inferred = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
            outputs = inferred.graph.output
            # The checker wants shapes of outputs, which inference does not always find.
            if all(output.type.tensor_type.HasField("shape") for output in outputs):
                onnx.checker.check_model(inferred)
            results = evaluator(nodes, model)(feeds)
    except Exception as error:
        raise Rejected from error
    types = {value.name: value.type.tensor_type.elem_type for value in inferred.graph.output}
    results = [np.asarray(result) for result in results]
    for name, result in zip(names, results):
        if types.get(name) and helper.tensor_dtype_to_np_dtype(types[name]) != result.dtype:
            raise Rejected
    return results


# Those of which the reference evaluator has not all.
NOT_IN_REFERENCE = {"GlobalLpPool", "Scatter", "Upsample"}


def evaluator(nodes, model):
    """A function that computes outputs of inputs."""
    if not any(node.op_type in NOT_IN_REFERENCE for node in nodes):
        return lambda feeds: ReferenceEvaluator(model).run(None, feeds)
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
    return lambda feeds: session.run(None, feeds)


MAKERS = {}


def maker(*operators):
    """Registers a function that adds a node of one of these operators."""

    def register(function):
        for operator in operators:
            MAKERS[operator] = function
        return function

    return register


# Operators of one value that is changed element by element, and between what numbers they are defined.
UNARY = {
    "Abs": None, "Acos": (-1, 1), "Acosh": (1, 100), "Asin": (-1, 1), "Asinh": None, "Atan": None,
    "Atanh": (-0.9, 0.9), "BitwiseNot": None, "Ceil": None, "Cos": None, "Cosh": (-5, 5), "Erf": None,
    "Exp": (-5, 5), "Floor": None, "HardSwish": None, "Identity": None, "IsInf": None, "IsNaN": None,
    "Log": (0.1, 1e6), "Mish": None, "Neg": None, "Not": None, "Reciprocal": (0.1, 1e6), "Relu": None,
    "Round": None, "Sigmoid": None, "Sign": None, "Sin": None, "Sinh": (-5, 5), "Softplus": None, "Softsign": None,
    "Sqrt": (0, 1e6), "Tan": (-1, 1), "Tanh": None,
}  # fmt: skip
# Those that give the same bits everywhere, and those that jump, so that their operands have to be exact.
EXACT = {"Abs", "Ceil", "Floor", "Identity", "Neg", "Relu", "Round", "Sign", "Not", "BitwiseNot"}
JUMPS = {"Ceil", "Floor", "Round", "Sign", "IsInf", "IsNaN"}


@maker(*UNARY)
def unary(g, operator):
    schema = g.schema(operator)
    bounds = UNARY[operator]
    # The last bit decides what an integer of it is.
    types = [name for name in g.types(schema) if operator != "Erf" or name in FLOATS]
    x = g.pick(types, exact=operator in JUMPS)
    if bounds and not g.near(x, *bounds):
        x = g.fresh(g.of(x).dtype.name, g.of(x).shape, max(bounds[0], -2) + 0.25, min(bounds[1], 3))
        if not g.near(x, *bounds):
            raise Rejected
    g.node(operator, [x], exact=operator in EXACT)


SCALED = {
    "Celu": {"alpha": (0.5, 2)}, "Elu": {"alpha": (0.5, 2)}, "Gelu": {}, "HardSigmoid": {"alpha": (0, 1), "beta": (0, 1)},
    "LeakyRelu": {"alpha": (0, 1)}, "Selu": {"alpha": (1, 2), "gamma": (1, 2)},
    "Shrink": {"lambd": (0, 1), "bias": (0, 1)}, "Swish": {"alpha": (0.5, 2)}, "ThresholdedRelu": {"alpha": (0.3, 1)},
}  # fmt: skip


@maker(*SCALED)
def scaled(g, operator):
    x = g.pick([name for name in g.types(g.schema(operator)) if name in FLOATS], exact=operator in ("Shrink",))
    attributes = {
        name: round(g.rng.uniform(*bounds), 3) for name, bounds in SCALED[operator].items() if g.rng.random() < 0.7
    }
    if operator == "Gelu" and g.rng.random() < 0.5:
        attributes["approximate"] = "tanh"
    g.node(operator, [x], **attributes)


def broadcast(g, shape):
    """A shape that broadcasts to this one."""
    dims = [1 if g.rng.random() < 0.25 else dim for dim in shape]
    return tuple(dims[g.rng.randint(0, len(dims)) :] if g.rng.random() < 0.4 else dims)


def two(g, dtypes, exact=False):
    """Two values that broadcast together."""
    a = g.pick(dtypes, exact=exact)
    b = g.pick([g.of(a).dtype.name], shape=broadcast(g, g.of(a).shape), exact=exact)
    return [a, b] if g.rng.random() < 0.5 else [b, a]


BINARY = [
    "Add", "And", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual",
    "Mul", "Or", "Sub", "Xor",
]  # fmt: skip


@maker(*BINARY)
def binary(g, operator):
    types = g.types(g.schema(operator))
    jumps = operator in ("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual")
    g.node(operator, two(g, types, exact=jumps))


@maker("Div", "Pow", "Mod", "BitShift", "PRelu")
def binary_with_limits(g, operator):
    schema = g.schema(operator)
    dtype = g.type(schema, among=[name for name in TYPES if name != "bool"])
    shape = g.shape()
    attributes = {}
    if operator == "Mod":
        if dtype in FLOATS or g.rng.random() < 0.3:
            attributes["fmod"] = 1
    if operator == "BitShift":
        attributes["direction"] = g.rng.choice(["LEFT", "RIGHT"])
        a, b = g.pick([dtype], shape=shape), g.fresh(dtype, broadcast(g, shape), 0, 3)
    elif operator == "Pow":
        a = g.fresh(dtype, shape, 0.5 if dtype in FLOATS else 0, 2)
        b = g.fresh(dtype if g.opset < 12 else g.type(schema, 1), broadcast(g, shape), 0, 2)
    else:
        # The slope broadcasts to the value, not the other way round.
        a = g.pick([dtype], exact=operator == "Mod")
        b = g.fresh(dtype, broadcast(g, g.of(a).shape), 1, 3)
        if dtype in FLOATS + SIGNED and operator != "PRelu" and g.rng.random() < 0.5:
            b = g.add_value(-g.of(b))
    g.node(operator, [a, b], **attributes)


@maker("Max", "Min", "Mean", "Sum")
def variadic(g, operator):
    names = two(g, g.types(g.schema(operator)))
    dtype, shape = g.of(names[0]).dtype.name, np.broadcast_shapes(*(g.of(name).shape for name in names))
    if g.rng.random() < 0.4:
        names.append(g.pick([dtype], shape=broadcast(g, shape)))
    if g.rng.random() < 0.1:
        names = names[:1]
    g.node(operator, names, exact=operator in ("Max", "Min"))


@maker("Where")
def where(g, operator):
    names = two(g, g.types(g.schema(operator), 1))
    shape = np.broadcast_shapes(*(g.of(name).shape for name in names))
    g.node(operator, [g.pick(["bool"], shape=broadcast(g, shape)), *names], exact=True)


@maker("Clip")
def clip(g, operator):
    schema = g.schema(operator)
    x = g.pick(g.types(schema))
    dtype = g.of(x).dtype.name
    low, high = sorted([g.rng.randint(-1, 2), g.rng.randint(-1, 3)])
    if "min" in schema.attributes:
        g.node(operator, [x], exact=True, min=float(low), max=float(high))
        return
    low = max(low, 0) if dtype in UNSIGNED else low
    ends = [g.add_value(np.array(max(end, low), dtype)) if g.rng.random() < 0.7 else "" for end in (low, high)]
    g.node(operator, [x, *ends], exact=True)


@maker("Cast", "CastLike")
def cast(g, operator):
    schema = g.schema(operator)
    x = g.pick(g.types(schema), exact=True)
    to = g.rng.choices(TYPES, WEIGHTS)[0]
    if to in UNSIGNED and not g.near(x, 0, 100):
        raise Rejected
    if operator == "Cast":
        g.node(operator, [x], exact=True, to=int(helper.np_dtype_to_tensor_dtype(np.dtype(to))))
    else:
        g.node(operator, [x, g.fresh(to, g.shape(most=2))], exact=True)


def axis_of(g, rank, past=0):
    """An axis of a value, which may count from the end."""
    if rank + past <= 0:
        raise Rejected
    axis = g.rng.randrange(rank + past)
    return axis - rank - past if g.opset >= 11 and g.rng.random() < 0.4 else axis


def with_list(g, schema, name, numbers, dtype="int64"):
    """A list as an attribute or as an input, whichever the opset has: (input or "", attributes)."""
    if numbers is None:
        return "", {}
    if name in schema.attributes:
        return "", {name: numbers}
    return g.ints(numbers, dtype), {}


REDUCTIONS = [
    "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
    "ReduceSum", "ReduceSumSquare",
]  # fmt: skip


@maker(*REDUCTIONS)
def reduction(g, operator):
    schema = g.schema(operator)
    x = g.pick([name for name in g.types(schema) if operator in ("ReduceMax", "ReduceMin") or name in FLOATS + SIGNED])
    value = g.of(x)
    if operator == "ReduceLogSum" and not g.near(x, 0.1, 1e5):
        x = g.fresh(value.dtype.name, value.shape, 1, 3)
    if operator == "ReduceProd" and value.size > 30:
        raise Rejected
    axes = sorted(g.rng.sample(range(value.ndim), g.rng.randint(0, value.ndim)))
    if g.opset >= 11 and g.rng.random() < 0.3:
        axes = [axis - value.ndim for axis in axes]
    axes = axes or None
    extra, attributes = with_list(g, schema, "axes", axes)
    if g.rng.random() < 0.7:
        attributes["keepdims"] = g.rng.randint(0, 1)
    if "noop_with_empty_axes" in schema.attributes and g.rng.random() < 0.3:
        attributes["noop_with_empty_axes"] = g.rng.randint(0, 1)
    g.node(operator, [x, extra], exact=operator in ("ReduceMax", "ReduceMin"), **attributes)


@maker("ArgMax", "ArgMin")
def arg(g, operator):
    schema = g.schema(operator)
    x = g.pick(g.types(schema), least=1, exact=True)
    attributes = {"axis": axis_of(g, g.of(x).ndim), "keepdims": g.rng.randint(0, 1)}
    if "select_last_index" in schema.attributes:
        attributes["select_last_index"] = g.rng.randint(0, 1)
    g.node(operator, [x], **attributes)


@maker("Softmax", "LogSoftmax", "Hardmax")
def softmax(g, operator):
    # Before opset 13 the rest of the axes is one axis, which the reference evaluator does not know.
    types = g.types(g.schema(operator)) if g.opset >= 13 else ["float32"]
    x = g.pick(types, least=1 if g.opset >= 13 else 2, exact=operator == "Hardmax")
    axis = axis_of(g, g.of(x).ndim) if g.opset >= 13 else g.of(x).ndim - 1
    g.node(operator, [x], axis=axis if g.opset < 13 or g.rng.random() < 0.8 else None)


@maker("CumSum", "CumProd")
def cumulative(g, operator):
    x = g.pick(g.types(g.schema(operator)), least=1)
    axis = g.add_value(np.array(axis_of(g, g.of(x).ndim), g.rng.choice(["int32", "int64"])), True)
    g.node(operator, [x, axis], exclusive=g.rng.randint(0, 1), reverse=g.rng.randint(0, 1))


@maker("TopK")
def top_k(g, operator):
    schema = g.schema(operator)
    # Long rows are looked through by blocks.
    is_long = g.rng.random() < 0.3
    shape = (g.rng.randint(64, 121),) if is_long else g.shape(least=1, most=3)
    axis = axis_of(g, len(shape))
    dtype = g.type(schema)
    # Equal elements are in an order of nobody's choice.
    array = g.np.permutation(int(np.prod(shape))).reshape(shape)
    if array.max() > 120:
        raise Rejected
    x = g.add_value(array.astype(dtype))
    attributes = {"axis": axis}
    if "largest" in schema.attributes:
        attributes["largest"] = g.rng.randint(0, 1)
    k = g.rng.randint(1, shape[axis])
    if "k" in schema.attributes:
        g.node(operator, [x], 2, exact=True, k=k, **attributes)
    else:
        g.node(operator, [x, g.ints([k])], 2, exact=True, **attributes)


@maker("Transpose")
def transpose(g, operator):
    x = g.pick(g.types(g.schema(operator)), least=1)
    perm = list(range(g.of(x).ndim))
    g.rng.shuffle(perm)
    g.node(operator, [x], exact=True, perm=perm if g.rng.random() < 0.85 else None)


@maker("Reshape")
def reshape(g, operator):
    x = g.pick(g.types(g.schema(operator)))
    value = g.of(x)
    dims, rest = [], value.size
    while rest > 1 and len(dims) < 4 and g.rng.random() < 0.8:
        divisors = [d for d in range(1, rest + 1) if rest % d == 0 and d < 30]
        dims.append(g.rng.choice(divisors))
        rest //= dims[-1]
    if rest > 1 or not dims:
        dims.append(rest)
    if g.rng.random() < 0.4:
        dims[g.rng.randrange(len(dims))] = -1
    for i, dim in enumerate(dims):
        if i < value.ndim and dim == value.shape[i] and g.rng.random() < 0.4:
            dims[i] = 0
    g.node(operator, [x, g.ints(dims)], exact=True)


@maker("Flatten")
def flatten(g, operator):
    x = g.pick(g.types(g.schema(operator)))
    g.node(operator, [x], exact=True, axis=axis_of(g, g.of(x).ndim, 1))


@maker("Squeeze", "Unsqueeze")
def squeeze(g, operator):
    schema = g.schema(operator)
    if operator == "Unsqueeze":
        x = g.pick(g.types(schema), most=3)
        rank = g.of(x).ndim
        new = g.rng.randint(1, 2)
        axes = g.rng.sample(range(rank + new), new)
        rank += new
        if g.opset < 13:
            axes.sort()
    else:
        x = g.pick(g.types(schema), where=lambda array: 1 in array.shape)
        rank = g.of(x).ndim
        axes = [i for i, dim in enumerate(g.of(x).shape) if dim == 1]
        axes = sorted(g.rng.sample(axes, g.rng.randint(1, len(axes))))
        if g.rng.random() < 0.2:
            axes = None
    if axes and g.opset >= 11 and g.rng.random() < 0.3:
        axes = [axis - rank for axis in axes]
    extra, attributes = with_list(g, schema, "axes", axes)
    g.node(operator, [x, extra], exact=True, **attributes)


@maker("Expand")
def expand(g, operator):
    x = g.pick(g.types(g.schema(operator)), most=3)
    shape = [g.rng.choice([1, dim]) if dim > 1 else g.rng.choice([1, 3, 4]) for dim in g.of(x).shape]
    shape = [g.rng.choice([1, 2]) for _ in range(g.rng.randint(0, 1))] + shape
    shape = shape[g.rng.randint(0, 1) :] if g.rng.random() < 0.2 else shape
    g.node(operator, [x, g.ints(shape)], exact=True)


@maker("Tile")
def tile(g, operator):
    x = g.pick(g.types(g.schema(operator)), least=1, most=3)
    g.node(operator, [x, g.ints([g.rng.choice([1, 2, 3]) for _ in g.of(x).shape])], exact=True)


@maker("Concat")
def concat(g, operator):
    x = g.pick(g.types(g.schema(operator)), least=1)
    value = g.of(x)
    axis = axis_of(g, value.ndim)
    names = [x]
    for _ in range(g.rng.randint(0, 2)):
        shape = list(value.shape)
        shape[axis] = g.rng.choice([1, 2, 3])
        names.append(g.pick([value.dtype.name], shape=shape))
    g.node(operator, names, exact=True, axis=axis)


@maker("Split")
def split(g, operator):
    schema = g.schema(operator)
    x = g.pick(g.types(schema), least=1, where=lambda array: max(array.shape) > 1)
    value = g.of(x)
    axis = g.rng.choice([i for i, dim in enumerate(value.shape) if dim > 1])
    dim = value.shape[axis]
    parts = g.rng.randint(2, min(dim, 4))
    attributes = {"axis": axis - value.ndim if g.opset >= 11 and g.rng.random() < 0.3 else axis}
    if g.rng.random() < 0.6 or g.opset < 18 and dim % parts:
        cuts = sorted(g.rng.sample(range(1, dim), parts - 1))
        extra, more = with_list(g, schema, "split", [b - a for a, b in zip([0, *cuts], [*cuts, dim])])
        g.node(operator, [x, extra], parts, exact=True, **attributes, **more)
    else:
        if "num_outputs" in schema.attributes:
            attributes["num_outputs"] = parts
        g.node(operator, [x], parts, exact=True, **attributes)


@maker("Slice")
def slice_(g, operator):
    schema = g.schema(operator)
    x = g.pick(g.types(schema), least=1)
    shape = g.of(x).shape
    axes = g.rng.sample(range(len(shape)), g.rng.randint(1, len(shape)))
    starts, ends, steps = [], [], []
    for axis in axes:
        dim = shape[axis]
        backwards = "starts" not in schema.attributes and g.rng.random() < 0.25
        step = 1 if "starts" in schema.attributes else g.rng.choice([1, 1, 1, 2, 3])
        start, end = sorted(g.rng.sample(range(dim + 1), 2)) if dim > 1 else (0, 1)
        if backwards:
            last = end - 1
            if end == dim and g.rng.random() < 0.5:
                # Beyond the last one, which is the first that is taken then.
                last = g.rng.choice([dim, dim + 3, 2**31 - 1])
            start, end, step = last, start - 1 if start else -(2**31), -step
        else:
            start = start - dim if start and g.rng.random() < 0.3 else start
            end = g.rng.choice([end, end - dim if end < dim else 2**31 - 1])
        starts, ends, steps = starts + [start], ends + [end], steps + [step]
    if "starts" in schema.attributes:
        g.node(operator, [x], exact=True, starts=starts, ends=ends, axes=axes)
        return
    dtype = g.rng.choice(["int32", "int64"])
    lists = [starts, ends, axes, steps]
    if any(step != 1 for step in steps) or g.rng.random() < 0.3:
        pass
    elif axes == list(range(len(axes))) and g.rng.random() < 0.4:
        lists = lists[:2]
    else:
        lists = lists[:3]
    g.node(operator, [x, *(g.ints(numbers, dtype) for numbers in lists)], exact=True)


@maker("Pad")
def pad(g, operator):
    schema = g.schema(operator)
    x = g.pick(g.types(schema), least=1, where=lambda array: min(array.shape) > 0)
    value = g.of(x)
    mode = g.rng.choice(["constant", "constant", "reflect", "edge"] + ["wrap"] * (g.opset >= 19))
    lowest = 0 if mode != "constant" or g.rng.random() < 0.6 else -1
    most = [2 if mode != "reflect" else min(dim - 1, 2) for dim in value.shape]
    axes = list(range(value.ndim))
    if g.opset >= 18 and g.rng.random() < 0.3:
        axes = g.rng.sample(axes, g.rng.randint(1, len(axes)))
    pads = [g.rng.randint(lowest if value.shape[i] > 2 else 0, most[i]) for i in axes * 2]
    attributes = {"mode": mode}
    if "pads" in schema.attributes:
        if mode == "constant" and g.rng.random() < 0.5:
            attributes["value"] = 1.5
        g.node(operator, [x], exact=True, pads=pads, **attributes)
        return
    fill = g.fresh(value.dtype.name, ()) if mode == "constant" and g.rng.random() < 0.5 else ""
    listed = g.ints(axes) if axes != list(range(value.ndim)) else ""
    g.node(operator, [x, g.ints(pads), fill, listed], exact=True, **attributes)


def positions(g, shape, dim, dtype=None):
    """Positions on an axis, some from its end."""
    low = -dim if g.opset >= 11 and g.rng.random() < 0.5 else 0
    array = g.np.integers(low, dim, shape).astype(dtype or g.rng.choice(["int32", "int64"]))
    return g.add_value(array)


def table(g):
    """A table that is kept in small integers and computed of them."""
    shape = (g.rng.randint(8, 20), g.rng.randint(3, 8), *g.shape(most=1))
    x = g.fresh("int8", shape, -20, 20, constant=True)
    (x,) = g.node("Cast", [x], exact=True, to=onnx.TensorProto.FLOAT)
    for operator in g.rng.choice([["Mul"], ["Sub", "Mul"], ["Div", "Add"]]):
        begin = g.rng.randint(0, len(shape))
        sizes = [size if g.rng.random() < 0.6 else 1 for size in shape[begin:]]
        (x,) = g.node(operator, [x, g.fresh("float32", sizes, 1, 2, constant=True)], exact=operator != "Div")
    return x


@maker("Gather", "GatherElements")
def gather(g, operator):
    is_table = operator == "Gather" and g.rng.random() < 0.2
    x = table(g) if is_table else g.pick(g.types(g.schema(operator)), least=1)
    shape = g.of(x).shape
    axis = axis_of(g, len(shape))
    if operator == "Gather":
        indices = positions(g, g.shape(most=2), shape[axis])
    else:
        dims = [g.rng.randint(1, dim) if dim else 0 for dim in shape]
        dims[axis] = g.rng.randint(1, 4)
        indices = positions(g, dims, shape[axis])
    g.node(operator, [x, indices], exact=True, axis=axis)


@maker("GatherND", "ScatterND")
def nd(g, operator):
    schema = g.schema(operator)
    x = g.pick(g.types(schema), least=1)
    value = g.of(x)
    batch = 0
    if operator == "GatherND" and g.opset >= 12 and value.ndim > 1 and g.rng.random() < 0.4:
        batch = 1
    depth = g.rng.randint(1, value.ndim - batch)
    lead = value.shape[:batch] + g.shape(least=0 if batch else 1, most=2, largest=3)
    limits = value.shape[batch : batch + depth]
    low = [-dim if g.rng.random() < 0.3 else 0 for dim in limits]
    indices = g.np.integers(low, limits, (*lead, depth)).astype("int64")
    if operator == "GatherND":
        g.node(operator, [x, g.add_value(indices)], exact=True, batch_dims=batch or None)
        return
    reductions = [None] + ["add", "mul"] * (g.opset >= 16) + ["min", "max"] * (g.opset >= 18)
    reduction = g.rng.choice(reductions) if value.dtype != bool else None
    if reduction is None:
        # Each place once: the order of writes is not defined.
        cells = int(np.prod(limits))
        if int(np.prod(lead)) > cells:
            raise Rejected
        chosen = g.np.permutation(cells)[: int(np.prod(lead))]
        indices = np.stack(np.unravel_index(chosen, limits), -1).reshape(*lead, depth).astype("int64")
    updates = g.pick([value.dtype.name], shape=lead + value.shape[depth:])
    g.node(operator, [x, g.add_value(indices), updates], exact=reduction != "add", reduction=reduction)


@maker("ScatterElements", "Scatter")
def scatter(g, operator):
    x = g.pick(g.types(g.schema(operator)), least=1)
    value = g.of(x)
    axis = axis_of(g, value.ndim)
    dims = [g.rng.randint(1, dim) if dim else 0 for dim in value.shape]
    reductions = [None] + ["add", "mul"] * (g.opset >= 16) + ["min", "max"] * (g.opset >= 18)
    reduction = g.rng.choice(reductions) if operator == "ScatterElements" and value.dtype != bool else None
    indices = np.argsort(g.np.random(value.shape), axis=axis)[tuple(slice(dim) for dim in dims)]
    if reduction:
        indices = g.np.integers(0, value.shape[axis], dims)
    if g.opset >= 11 and g.rng.random() < 0.3:
        indices = indices - value.shape[axis]
    indices = g.add_value(indices.astype(g.rng.choice(["int32", "int64"])))
    updates = g.pick([value.dtype.name], shape=dims)
    g.node(operator, [x, indices, updates], exact=reduction != "add", axis=axis, reduction=reduction)


@maker("DepthToSpace", "SpaceToDepth")
def depth(g, operator):
    schema = g.schema(operator)
    block = g.rng.choice([1, 2, 3])
    n, c, h, w = g.rng.randint(1, 2), g.rng.randint(1, 3), g.rng.randint(1, 3), g.rng.randint(1, 3)
    if operator == "DepthToSpace":
        c *= block * block
    else:
        h, w = h * block, w * block
    mode = g.rng.choice(["DCR", "CRD"]) if "mode" in schema.attributes and g.rng.random() < 0.7 else None
    x = g.pick([g.type(schema)], shape=(n, c, h, w))
    g.node(operator, [x], exact=True, blocksize=block, mode=mode)


@maker("Compress")
def compress(g, operator):
    x = g.pick(g.types(g.schema(operator)), least=1)
    axis = axis_of(g, g.of(x).ndim) if g.rng.random() < 0.6 else None
    size = g.of(x).size if axis is None else g.of(x).shape[axis]
    condition = g.fresh("bool", (g.rng.randint(1, max(size, 1)),))
    g.node(operator, [x, condition], exact=True, axis=axis)


@maker("OneHot")
def one_hot(g, operator):
    schema = g.schema(operator)
    indices = g.fresh(g.rng.choice(["int32", "int64"]), g.shape(most=3), -3, 5)
    depth = g.add_value(np.array(g.rng.randint(2, 6), "int64"), True)
    values = g.fresh(g.type(schema, 2, among=["float32", "int32", "int64"]), (2,))
    g.node(operator, [indices, depth, values], exact=True, axis=axis_of(g, g.of(indices).ndim, 1))


@maker("Trilu")
def trilu(g, operator):
    x = g.pick(g.types(g.schema(operator)), least=2)
    k = g.add_value(np.array(g.rng.randint(-4, 4), "int64")) if g.rng.random() < 0.6 else ""
    g.node(operator, [x, k], exact=True, upper=g.rng.randint(0, 1))


@maker("ReverseSequence")
def reverse(g, operator):
    x = g.pick(g.types(g.schema(operator)), least=2)
    batch = g.rng.randint(0, 1)
    shape = g.of(x).shape
    lengths = g.np.integers(1, shape[1 - batch] + 1, shape[batch]).astype("int64")
    g.node(operator, [x, g.add_value(lengths)], exact=True, batch_axis=batch, time_axis=1 - batch)


@maker("NonZero", "Unique")
def sized_by_data(g, operator):
    schema = g.schema(operator)
    x = g.pick(g.types(schema), least=1, exact=True)
    if operator == "NonZero":
        g.node(operator, [x])
    else:
        axis = axis_of(g, g.of(x).ndim) if g.rng.random() < 0.4 else None
        g.node(operator, [x], g.rng.randint(1, 4), exact=True, axis=axis, sorted=1)


@maker("Shape", "Size")
def shape_of(g, operator):
    schema = g.schema(operator)
    x = g.pick(g.types(schema))
    attributes = {}
    if "start" in schema.attributes and g.rng.random() < 0.5:
        attributes["start"] = g.rng.randint(-3, 3)
        if g.rng.random() < 0.5:
            attributes["end"] = g.rng.randint(-2, 4)
    g.node(operator, [x], **attributes)


@maker("ConstantOfShape", "EyeLike", "Range")
def made(g, operator):
    schema = g.schema(operator)
    if operator == "ConstantOfShape":
        dtype = g.rng.choices(TYPES, WEIGHTS)[0]
        value = numpy_helper.from_array(g.array(dtype, (1,))) if g.rng.random() < 0.8 else None
        g.node(operator, [g.ints([g.rng.randint(0, 4) for _ in range(g.rng.randint(1, 3))])], exact=True, value=value)
    elif operator == "EyeLike":
        dtype = int(helper.np_dtype_to_tensor_dtype(np.dtype(g.rng.choice(["float32", "int32", "float64"]))))
        x = g.pick(g.types(schema), least=2, most=2)
        g.node(operator, [x], exact=True, k=g.rng.randint(-2, 2), dtype=dtype if g.rng.random() < 0.5 else None)
    else:
        dtype = g.type(schema, among=["float32", "float64", "int16", "int32", "int64"])
        delta = g.rng.choice([1, 2, -1, -2])
        start = g.rng.randint(-3, 3)
        ends = [start, start + delta * g.rng.randint(0, 6) + g.rng.randint(0, 1), delta]
        g.node(operator, [g.add_value(np.array(end, dtype)) for end in ends], exact=True)


@maker("MatMul")
def matmul(g, operator):
    dtype = g.type(g.schema(operator))
    m, k, n = (g.rng.choice([1, 2, 3, 5, 8, 17]) for _ in range(3))
    batch = g.shape(most=2, largest=3)
    a, b = batch + (m, k), broadcast(g, batch) + (k, n)
    if g.rng.random() < 0.2:
        a, b = g.rng.choice([((k,), (*batch, k, n)), ((*batch, m, k), (k,)), ((k,), (k,))])
    if g.rng.random() < 0.2:
        a, b = broadcast(g, batch) + (m, k), batch + (k, n)
    g.node(operator, [g.pick([dtype], shape=a), g.pick([dtype], shape=b)])


@maker("Gemm")
def gemm(g, operator):
    schema = g.schema(operator)
    dtype = g.type(schema, among=FLOATS)
    m, k, n = (g.rng.choice([1, 2, 3, 5, 8]) for _ in range(3))
    trans = [g.rng.randint(0, 1), g.rng.randint(0, 1)]
    a = g.pick([dtype], shape=(k, m) if trans[0] else (m, k))
    b = g.pick([dtype], shape=(n, k) if trans[1] else (k, n))
    c = g.pick([dtype], shape=g.rng.choice([(n,), (m, n), (1, n), (m, 1), ()] if g.opset > 6 else [(m, n)]))
    inputs = [a, b, c] if g.opset < 11 or g.rng.random() < 0.7 else [a, b]
    scale = {key: g.rng.choice([0.5, 2.0, 0.0]) for key in ("alpha", "beta") if g.rng.random() < 0.4}
    g.node(operator, inputs, transA=trans[0], transB=trans[1], **scale)


@maker("Einsum")
def einsum(g, operator):
    dtype = g.type(g.schema(operator), among=FLOATS + ["int32", "int64"])
    sizes = {letter: g.rng.choice([1, 2, 3, 4]) for letter in "abcdef"}
    terms = ["".join(g.rng.choices("abcd", k=g.rng.randint(0, 3))) for _ in range(g.rng.randint(1, 3))]
    letters = sorted(set("".join(terms)))
    result = g.rng.sample(letters, g.rng.randint(0, len(letters)))
    equation = ",".join(terms) + ("->" + "".join(result) if g.rng.random() < 0.85 else "")
    g.node(operator, [g.pick([dtype], shape=[sizes[c] for c in term]) for term in terms], equation=equation)


def window(g, spatial, transposed=False, dilations=True):
    """Attributes of a window and the sizes of what it moves over."""
    # Large enough in two dimensions to be dealt with one after the other.
    least, most = (4, 6) if g.rng.random() < 0.2 else (1, 3)
    kernel = [g.rng.randint(least, most) for _ in range(spatial)]
    attributes = {}
    strides = [g.rng.randint(1, 3) for _ in range(spatial)]
    dilated = [g.rng.choice([1, 1, 2]) if dilations else 1 for _ in range(spatial)]
    if g.rng.random() < 0.6:
        attributes["strides"] = strides
    if dilations and g.rng.random() < 0.4:
        attributes["dilations"] = dilated
    extent = [(k - 1) * d + 1 for k, d in zip(kernel, attributes.get("dilations", [1] * spatial))]
    if most > 3:
        # The reference evaluator has its own opinion of margins of large windows.
        pass
    elif g.rng.random() < 0.25:
        attributes["auto_pad"] = g.rng.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
        if any(s > e for s, e in zip(attributes.get("strides", [1] * spatial), extent)):
            # The reference evaluator takes off margins that would be negative.
            attributes["auto_pad"] = "VALID"
    elif g.rng.random() < 0.6:
        attributes["pads"] = [g.rng.randint(0, max(k - 1, 0)) for k in kernel * 2]
    sizes = [e + g.rng.randint(0, 5) for e in extent]
    return kernel, sizes, attributes


@maker("Conv", "ConvTranspose", "ConvInteger")
def conv(g, operator):
    schema = g.schema(operator)
    spatial = g.rng.choice([1, 2, 2, 2, 3])
    kernel, sizes, attributes = window(g, spatial, operator == "ConvTranspose")
    if operator == "ConvTranspose" and g.rng.random() < 0.3:
        # Windows next to each other.
        attributes = {"strides": kernel}
    group, per = g.rng.choice([1, 1, 2, 3]), g.rng.randint(1, 3)
    cin, cout = group * g.rng.randint(1, 3), group * per
    n = g.rng.randint(1, 2)
    if operator == "ConvInteger":
        if g.rng.random() < 0.3:
            # As many products as the runtime library takes.
            cin, cout = (part * g.rng.randint(4, 20) for part in (cin, cout))
            sizes = [size + 4 for size in sizes]
        x = g.fresh(g.rng.choice(["uint8", "int8"]), (n, cin, *sizes), -128, 255)
        w = g.fresh(g.rng.choice(["uint8", "int8"]), (cout, cin // group, *kernel), -128, 255)
        zeros = [g.add_value(np.array(g.rng.randint(0, 127), g.of(name).dtype)) for name in (x, w)]
        g.node(operator, [x, w, *zeros[: g.rng.randint(0, 2)]], group=group, **attributes)
        return
    # The reference evaluator is wrong about some of its attributes, ONNX Runtime has floats alone.
    dtype = g.type(schema, among=FLOATS if operator == "Conv" else ["float32"])
    if operator == "Conv":
        w = (cout, cin // group, *kernel)
    else:
        w = (cin, per, *kernel)
        if g.rng.random() < 0.3 and "strides" in attributes and "auto_pad" not in attributes:
            attributes["output_padding"] = [g.rng.randint(0, s - 1) for s in attributes["strides"]]
    x = g.pick([dtype], shape=(n, cin, *sizes))
    inputs = [x, g.pick([dtype], shape=w)]
    # Of a transposed convolution the evaluator adds the bias of the first group to all of them.
    if (operator == "Conv" or group == 1) and g.rng.random() < 0.5:
        inputs.append(g.pick([dtype], shape=(cout,)))
    g.node(operator, inputs, group=group, kernel_shape=kernel if g.rng.random() < 0.7 else None, **attributes)


@maker("MaxPool", "AveragePool", "LpPool")
def pool(g, operator):
    schema = g.schema(operator)
    spatial = g.rng.choice([1, 2, 2, 3])
    kernel, sizes, attributes = window(g, spatial, dilations="dilations" in schema.attributes)
    if attributes.get("auto_pad") == "SAME_LOWER":
        # The reference evaluator differs from ONNX Runtime about odd margins.
        attributes["auto_pad"] = "SAME_UPPER"
    if operator != "MaxPool" and "auto_pad" in attributes:
        # The reference evaluator makes the margins of windows without gaps.
        attributes.pop("dilations", None)
    if "ceil_mode" in schema.attributes and g.rng.random() < 0.3:
        attributes["ceil_mode"] = 1
        if operator == "AveragePool":
            # The reference evaluator averages the wrong elements.
            attributes.pop("dilations", None)
    if operator == "AveragePool" and g.rng.random() < 0.5:
        attributes["count_include_pad"] = 1
    if operator == "LpPool" and g.rng.random() < 0.6:
        attributes["p"] = g.rng.randint(1, 3)
    dtype = g.type(schema, among=["float32", "float32", "int8", "uint8"])
    x = g.pick([dtype], shape=(g.rng.randint(1, 2), g.rng.randint(1, 3), *sizes), exact=operator == "MaxPool")
    g.node(operator, [x], exact=operator == "MaxPool", kernel_shape=kernel, **attributes)


@maker("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def global_pool(g, operator):
    # In other dimensions the reference evaluator gives other shapes.
    rank = 4 if operator == "GlobalMaxPool" else g.rng.randint(3, 5)
    x = g.pick(g.types(g.schema(operator)), least=rank, most=rank)
    g.node(operator, [x], p=g.rng.randint(1, 3) if operator == "GlobalLpPool" else None)


@maker("LRN", "MeanVarianceNormalization", "LpNormalization", "InstanceNormalization", "BatchNormalization")
def norm(g, operator):
    schema = g.schema(operator)
    if operator == "BatchNormalization" and 9 <= g.opset < 14:
        # The reference evaluator takes these versions for training.
        raise Rejected
    dtype = g.type(schema, among=FLOATS if operator not in ("LRN", "BatchNormalization") else ["float32"])
    shape = (g.rng.randint(1, 2), g.rng.randint(1, 4)) + g.shape(least=1, most=2)
    if operator in ("LRN", "MeanVarianceNormalization"):
        shape = shape[:2] + (3, 4)
    if operator == "LRN":
        # The reference evaluator takes one size for the other.
        shape = (shape[1], *shape[1:])
    x = g.pick([dtype], shape=shape, where=lambda array: array.size < 2 or array.std() > 0.1)
    convolved = [node.output[0] for node in g.nodes if node.op_type == "Conv"]
    convolved = [name for name in convolved if g.of(name).dtype.name == dtype]
    if operator == "BatchNormalization" and convolved and g.rng.random() < 0.7:
        x, shape = convolved[-1], g.of(convolved[-1]).shape
    channel = (shape[1],)
    if operator == "LRN":
        g.node(operator, [x], size=g.rng.choice([1, 3, 5]), alpha=0.1, beta=0.75, bias=g.rng.choice([1.0, 2.0]))
    elif operator == "MeanVarianceNormalization":
        g.node(operator, [x], axes=g.rng.choice([None, [0, 2, 3], [2, 3], [1, 2, 3]]))
    elif operator == "LpNormalization":
        x = g.fresh(dtype, shape, 1, 3)
        g.node(operator, [x], axis=axis_of(g, len(shape)), p=g.rng.randint(1, 2))
    elif operator == "InstanceNormalization":
        g.node(operator, [x, g.fresh(dtype, channel), g.fresh(dtype, channel)], epsilon=0.01)
    else:
        others = [g.fresh(dtype, channel) for _ in range(3)] + [g.fresh(dtype, channel, 0.5, 2)]
        g.node(operator, [x, *others], epsilon=0.01)


@maker("LayerNormalization", "RMSNormalization", "GroupNormalization")
def layer_norm(g, operator):
    schema = g.schema(operator)
    dtype = g.type(schema, among=FLOATS)
    if operator == "GroupNormalization":
        groups, per = g.rng.randint(1, 3), g.rng.randint(1, 3)
        shape = (g.rng.randint(1, 2), groups * per) + g.shape(least=1, most=2)
        # Before opset 21 a scale per group.
        channel = (groups if g.opset < 21 else groups * per,)
        x = g.pick([dtype], shape=shape)
        g.node(operator, [x, g.fresh(dtype, channel), g.fresh(dtype, channel)], num_groups=groups, epsilon=0.01)
        return
    x = g.pick([dtype], least=1)
    shape = g.of(x).shape
    axis = axis_of(g, len(shape))
    rest = shape[axis:]
    inputs = [x, g.pick([dtype], shape=rest)]
    if operator == "LayerNormalization" and g.rng.random() < 0.6:
        inputs.append(g.pick([dtype], shape=rest))
    outputs = g.rng.choice([1, 1, 3]) if operator == "LayerNormalization" else 1
    g.node(operator, inputs, outputs, axis=axis, epsilon=0.01)


@maker("Resize", "Upsample")
def resize(g, operator):
    schema = g.schema(operator)
    mode = g.rng.choice(["nearest", "linear"] + ["cubic"] * (operator == "Resize" and g.opset >= 11))
    shape = (g.rng.randint(1, 2), g.rng.randint(1, 2), g.rng.randint(2, 5), g.rng.randint(2, 5))
    x = g.pick([g.type(schema, among=["float32", "int32", "uint8"] if mode == "nearest" else ["float32"])], shape=shape)
    scales = [1.0, 1.0] + [g.rng.choice([0.5, 1.0, 1.5, 2.0, 3.0]) for _ in range(2)]
    if operator == "Upsample" or g.opset < 11:
        scales = [max(scale, 1.0) for scale in scales] if operator == "Upsample" else scales
        if "scales" in schema.attributes:
            g.node(operator, [x], mode=mode, scales=scales)
        else:
            g.node(operator, [x, g.add_value(np.array(scales, "float32"), True)], mode=mode)
        return
    coordinates = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
    attributes = {"mode": mode, "coordinate_transformation_mode": g.rng.choice(coordinates)}
    if mode == "nearest":
        attributes["nearest_mode"] = g.rng.choice(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
    if mode == "cubic" and g.rng.random() < 0.5:
        attributes["cubic_coeff_a"] = -0.5
    if mode != "nearest" and g.rng.random() < 0.3:
        attributes["exclude_outside"] = int(mode == "cubic")
    if "antialias" in schema.attributes and mode != "nearest" and g.rng.random() < 0.2:
        attributes["antialias"] = 1
    roi = "" if g.opset >= 13 else g.add_value(np.array([], "float32"), True)
    if g.rng.random() < 0.5:
        g.node(operator, [x, roi, g.add_value(np.array(scales, "float32"), True)], **attributes)
    else:
        # Where there is one element, the reference evaluator puts it at -0.5, not 0.
        least = 2 if mode == "cubic" and "pytorch" in attributes["coordinate_transformation_mode"] else 1
        sizes = [*shape[:2], g.rng.randint(least, 8), g.rng.randint(least, 8)]
        empty = "" if g.opset >= 13 else g.add_value(np.array([], "float32"), True)
        g.node(operator, [x, roi, empty, g.ints(sizes)], **attributes)


@maker("RNN", "GRU", "LSTM")
def recurrent(g, operator):
    schema = g.schema(operator)
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[operator]
    dtype = g.type(schema, among=["float32"])
    t, n, i, h = g.rng.randint(1, 4), g.rng.randint(1, 3), g.rng.randint(1, 4), g.rng.randint(1, 4)
    direction = g.rng.choice(["forward", "reverse", "bidirectional"])
    d = 2 if direction == "bidirectional" else 1
    x = g.pick([dtype], shape=(t, n, i))
    w, r = g.fresh(dtype, (d, gates * h, i), -1, 1), g.fresh(dtype, (d, gates * h, h), -1, 1)
    b = g.fresh(dtype, (d, 2 * gates * h), -1, 1) if g.rng.random() < 0.6 else ""
    initial = g.fresh(dtype, (d, n, h), -1, 1) if g.rng.random() < 0.5 else ""
    inputs = [x, w, r, b, "", initial]
    if operator == "LSTM":
        inputs.append(g.fresh(dtype, (d, n, h), -1, 1) if initial else "")
        inputs.append(g.fresh(dtype, (d, 3 * h), -1, 1) if g.rng.random() < 0.3 else "")
    attributes = {"direction": direction, "hidden_size": h}
    if operator == "GRU":
        attributes["linear_before_reset"] = g.rng.randint(0, 1)
    g.node(operator, inputs, {"LSTM": 3}.get(operator, 2), **attributes)


@maker("QuantizeLinear", "DequantizeLinear")
def quantize(g, operator):
    shape = g.shape(least=1, most=3)
    per_axis = g.opset >= 13 and g.rng.random() < 0.4
    axis = axis_of(g, len(shape)) if per_axis else None
    scales = (shape[axis],) if per_axis else ()
    scale = g.add_value((2.0 ** g.np.integers(-3, 1, scales)).astype("float32"))
    dtype = g.rng.choice(["int8", "uint8"])
    zero = g.fresh(dtype, scales, 0, 5) if operator == "QuantizeLinear" or g.rng.random() < 0.6 else ""
    if operator == "QuantizeLinear":
        # Nothing half way between two integers.
        # Some are beyond the numbers of the type.
        x = g.array("float32", shape, -9, 9) * g.rng.choice([1, 1, 8, 40])
        x = g.add_value((x + 1 / 32).astype("float32"))
    else:
        x = g.fresh(dtype, shape, -9, 20)
    g.node(operator, [x, scale, zero], exact=True, axis=axis)


@maker("MatMulInteger")
def matmul_integer(g, operator):
    # Sometimes as many products as the runtime library takes.
    most = g.rng.choice([5, 5, 80])
    m, k, n = (g.rng.randint(1, most) for _ in range(3))
    batch = (g.rng.randint(1, 3),) if g.rng.random() < 0.2 else ()
    a = g.fresh(g.rng.choice(["int8", "uint8"]), (*batch, m, k), -128, 255)
    b = g.fresh(g.rng.choice(["int8", "uint8"]), (k, n), -128, 255)
    zeros = [g.add_value(np.array(g.rng.randint(0, 127), g.of(name).dtype)) for name in (a, b)]
    g.node(operator, [a, b, *zeros[: g.rng.randint(0, 2)]])


@maker("Attention")
def attention(g, operator):
    schema = g.schema(operator)
    dtype = g.type(schema, among=["float32"])
    b, heads, kv, l, s, e, v = (g.rng.randint(1, 3) for _ in range(7))
    kv = g.rng.choice([heads, 1])
    q, k, val = (g.pick([dtype], shape=shape) for shape in ((b, heads, l, e), (b, kv, s, e), (b, kv, s, v)))
    inputs = [q, k, val]
    attributes = {"is_causal": g.rng.randint(0, 1)}
    if g.rng.random() < 0.4:
        mask = g.rng.choice([(l, s), (1, 1, l, s), (b, 1, l, s)])
        inputs.append(g.fresh(dtype, mask))
    if g.rng.random() < 0.3:
        attributes["scale"] = 0.5
    if g.rng.random() < 0.3:
        attributes["softcap"] = 2.0
    g.node(operator, inputs, **attributes)


@maker("Det", "CenterCropPad", "Dropout", "GridSample", "AffineGrid", "NegativeLogLikelihoodLoss", "Col2Im")
def others(g, operator):
    schema = g.schema(operator)
    if operator == "Det":
        n = g.rng.randint(1, 4)
        g.node(operator, [g.pick([g.type(schema, among=FLOATS[:2])], shape=(*g.shape(most=1), n, n))])
    elif operator == "CenterCropPad":
        x = g.pick(g.types(schema), least=1, most=3)
        axes = g.rng.sample(range(g.of(x).ndim), g.rng.randint(1, g.of(x).ndim))
        g.node(operator, [x, g.ints([g.rng.randint(1, 6) for _ in axes])], exact=True, axes=axes)
    elif operator == "Dropout":
        g.node(operator, [g.pick(g.types(schema))], exact=True)
    elif operator == "GridSample":
        mode = g.rng.choice(["bilinear", "nearest", "bicubic"] if g.opset < 20 else ["linear", "nearest", "cubic"])
        x = g.pick(["float32"], shape=(2, 2, 4, 5))
        # Not on a border between two pixels.
        grid = g.add_value((g.array("float32", (2, 3, 2, 2), -1, 1) * 0.93 + 0.011).astype("float32"))
        padding = g.rng.choice(["zeros", "border", "reflection"])
        g.node(operator, [x, grid], mode=mode, padding_mode=padding, align_corners=g.rng.randint(0, 1))
    elif operator == "AffineGrid":
        theta = g.fresh("float32", (2, 2, 3))
        size = g.ints([2, 3, g.rng.randint(2, 4), g.rng.randint(2, 4)])
        g.node(operator, [theta, size], align_corners=g.rng.randint(0, 1))
    elif operator == "NegativeLogLikelihoodLoss":
        n, c = g.rng.randint(1, 3), g.rng.randint(1, 4)
        rest = g.shape(most=1)
        inputs = [g.pick(["float32"], shape=(n, c, *rest)), positions(g, (n, *rest), c)]
        if np.any(g.of(inputs[1]) < 0):
            raise Rejected
        if g.rng.random() < 0.4:
            inputs.append(g.fresh("float32", (c,), 1, 2))
        g.node(operator, inputs, reduction=g.rng.choice(["none", "mean", "sum"]))
    else:
        h, w = g.rng.randint(2, 5), g.rng.randint(2, 5)
        kh, kw = g.rng.randint(1, 2), g.rng.randint(1, 2)
        columns = (h - kh + 1) * (w - kw + 1)
        x = g.pick(["float32"], shape=(1, 2 * kh * kw, columns))
        g.node(operator, [x, g.ints([h, w]), g.ints([kh, kw])])


def subgraph(g, outer, names, build):
    """A graph in a node that sees the names outside of it; `build` adds nodes to it and gives its results."""
    inner = Graph(0)
    inner.rng, inner.np, inner.opset, inner.values = g.rng, g.np, g.opset, dict(outer)
    inner.exact = set(g.exact)
    return build(inner), inner


@maker("If")
def if_(g, operator):
    g.schema(operator)
    condition = g.add_value(np.array(g.rng.random() < 0.5))
    x = g.pick(["float32", "int64"])
    shape, dtype = g.of(x).shape, g.of(x).dtype.name
    branches = []
    for branch in ("a", "b"):
        name = f"v{len(g.values)}_{branch}"
        inner = g.rng.choice(["Neg", "Abs", "Add", "Mul", "Relu" if dtype == "float32" else "Neg"])
        inputs = [x] if inner in ("Neg", "Abs", "Relu") else [x, x]
        info = helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)
        branches.append(helper.make_graph([helper.make_node(inner, inputs, [name])], f"branch_{branch}", [], [info]))
    # The value from outside is no operand of the node, but the evaluator has to know it.
    names = [f"v{len(g.values)}_0"]
    made = helper.make_node(operator, [condition], names, then_branch=branches[0], else_branch=branches[1])
    (result,) = evaluate([made], {name: g.of(name) for name in (condition, x)}, names, g.opset)
    if not np.all(np.isfinite(result)) or result.size and np.abs(result).max() > 1e5:
        raise Rejected
    g.nodes.append(made)
    g.used.update([condition, x])
    g.values[names[0]] = result


def generate(seed, limit, only):
    """A random graph: the model, its arguments, its results and its operators."""
    g = Graph(seed)
    operators = [name for name in MAKERS if not only or name in only]
    wanted = g.rng.randint(1, limit)
    for _ in range(wanted * 12):
        if len(g.nodes) >= wanted:
            break
        operator = g.rng.choice(operators)
        try:
            MAKERS[operator](g, operator)
        except (Rejected, ValueError, TypeError, IndexError, OverflowError):
            # Arguments that the rejected node would have had are not used by any.
            continue
    return (*g.model(), g) if g.nodes else None
