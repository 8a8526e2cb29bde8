"""Programs that mix dialects: some operations of a StableHLO program become what they mean in linalg and tensor."""

import re

from program import FLOATS, tensor

LINE = re.compile(r'    (%\w+) = "stablehlo\.(\w+)"\(([^)]*)\)(?: \{(.*)\})? : \((.*)\) -> \((tensor<[^>]*>)\)$')
TYPE = re.compile(r"tensor<((?:[\d?]+x)*)(i1|i8|i16|i32|i64|f16|bf16|f32|f64)>")
# Of floats, of integers and of truth values.
BODIES = {
    "add": ("addf", "addi", "ori"),
    "subtract": ("subf", "subi", None),
    "multiply": ("mulf", "muli", "andi"),
    "maximum": ("maximumf", "maxsi", "ori"),
    "minimum": ("minimumf", "minsi", "andi"),
    "divide": ("divf", None, None),
    "negate": ("negf", None, None),
    "and": (None, "andi", "andi"),
    "or": (None, "ori", "ori"),
    "xor": (None, "xori", "xori"),
}
# What has a form here, and what looks into the operations before it.
OFTEN = [
    *BODIES, "argmax", "broadcast_in_dim", "compare", "computed_rows", "concatenate", "dot_general", "gather", "iota", "pad",
    "pixels", "reduce", "reduce_window", "scatter", "select", "slice", "sort", "transpose", "transposed_product",
]  # fmt: skip
PREDICATES = {
    "EQ": ("oeq", "eq"), "NE": ("une", "ne"), "LT": ("olt", "slt"), "LE": ("ole", "sle"), "GT": ("ogt", "sgt"),
    "GE": ("oge", "sge"),
}  # fmt: skip


class Mixer:
    """Rewrites lines of a program."""

    def __init__(self, rng):
        self.rng, self.names, self.live = rng, 0, {}

    def name(self):
        self.names += 1
        return f"%m{self.names}"

    def map(self, loops, results):
        """A map whose results are these loops, or constants."""
        return f"affine_map<({', '.join(f'd{i}' for i in range(loops))}) -> ({', '.join(results)})>"

    def generic(self, lines, result, inputs, subscripts, out, body, reduction=0, filled=None):
        """A `linalg.generic` over the dimensions of *out* and *reduction* more, in any order. *inputs* are names and
        types, *subscripts* the loop or constant of each of their dimensions, *body* a function of the arguments' names
        that gives lines and the name of the element."""
        shape, element = out
        loops = len(shape) + reduction
        order = list(range(loops))
        self.rng.shuffle(order)
        moved = [[f"d{order[at]}" if isinstance(at, int) else at for at in places] for places in subscripts]
        maps = [self.map(loops, places) for places in moved + [[f"d{order[i]}" for i in range(len(shape))]]]
        kinds = ["parallel"] * loops
        for i in range(len(shape), loops):
            kinds[order[i]] = "reduction"
        start = filled or self.shaped(lines, shape, element, inputs, subscripts)
        arguments = [f"{self.name()}: {kind[1]}" for _, kind in inputs] + [f"{self.name()}: {element}"]
        inner, last = body([argument.split(":")[0] for argument in arguments], order)
        ins = (
            f" ins({', '.join(name for name, _ in inputs)} : {', '.join(tensor(e, s) for _, (s, e) in inputs)})"
            if inputs
            else ""
        )
        kind = tensor(element, shape)
        lines.append(
            f"    {result} = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = "
            f"[{', '.join(chr(34) + k + chr(34) for k in kinds)}]}}{ins} outs({start} : {kind}) {{"
        )
        lines.append(f"    ^bb0({', '.join(arguments)}):")
        lines += ["      " + line for line in inner]
        lines += [f"      linalg.yield {last} : {element}", f"    }} -> {kind}"]

    def shaped(self, lines, shape, element, inputs, subscripts):
        """A tensor that is there for its shape: an empty one, or any of this type."""
        kind = tensor(element, shape)
        if "?" not in shape and self.live.get(kind) and self.rng.random() < 0.3:
            return self.rng.choice(self.live[kind])
        name, sizes = self.name(), []
        for dim, size in enumerate(shape):
            if size != "?":
                continue
            source, at = next(
                (source, places.index(dim)) for (source, _), places in zip(inputs, subscripts) if dim in places
            )
            index, size = self.name(), self.name()
            lines.append(f"    {index} = arith.constant {at} : index")
            lines.append(f"    {size} = tensor.dim {source}, {index} : {self.types[source]}")
            sizes.append(size)
        lines.append(f"    {name} = tensor.empty({', '.join(sizes)}) : {kind}")
        return name

    def rewritten(self, line):
        """The lines that mean the same, or none."""
        match = LINE.match(line)
        if not match:
            return None
        result, operation, names, attributes, operands, made = match.groups()
        names = names.split(", ") if names else []
        kinds = [TYPE.fullmatch(kind) for kind in re.findall(r"tensor<[^>]*>+", operands)]
        out = TYPE.fullmatch(made)
        if not out or None in kinds or len(kinds) != len(names):
            return None
        parsed = [shape_of(kind) for kind in kinds]
        out, inputs = shape_of(out), list(zip(names, parsed))
        self.types = {name: tensor(element, shape) for name, (shape, element) in inputs}
        lines = []
        handler = getattr(self, f"as_{operation}", self.elementwise)
        if not handler(lines, result, operation, inputs, out, attributes or ""):
            return None
        return lines

    def elementwise(self, lines, result, operation, inputs, out, attributes):
        if operation not in BODIES or attributes:
            return False
        shape, element = out
        kind = 0 if element in FLOATS else 2 if element == "i1" else 1
        named = BODIES[operation][kind]
        if named is None:
            return False
        last = self.name()

        def body(arguments, _):
            return [f"{last} = arith.{named} {', '.join(arguments[:-1])} : {element}"], last

        self.pointwise(lines, result, inputs, out, body)
        return True

    def pointwise(self, lines, result, inputs, out, body):
        """All operands have the result's shape."""
        whole = [list(range(len(out[0])))] * len(inputs)
        self.generic(lines, result, inputs, whole, out, body)

    def as_compare(self, lines, result, _, inputs, out, attributes):
        found = re.search(r"comparison_direction (\w+)>", attributes)
        element = inputs[0][1][1]
        if not found or "TOTALORDER" in attributes or element == "i1":
            return False
        which = PREDICATES[found[1]][element not in FLOATS]
        named, last = ("cmpf" if element in FLOATS else "cmpi"), self.name()
        self.pointwise(
            lines,
            result,
            inputs,
            out,
            lambda a, _: ([f"{last} = arith.{named} {which}, {a[0]}, {a[1]} : {element}"], last),
        )
        return True

    def as_select(self, lines, result, _, inputs, out, attributes):
        rank, last = len(out[0]), self.name()
        where = list(range(rank)) if len(inputs[0][1][0]) == rank else []
        self.generic(
            lines,
            result,
            inputs,
            [where, list(range(rank)), list(range(rank))],
            out,
            lambda a, _: ([f"{last} = arith.select {', '.join(a[:3])} : {out[1]}"], last),
        )
        return True

    def as_iota(self, lines, result, _, inputs, out, attributes):
        found = re.search(r"iota_dimension = (\d+)", attributes)
        shape, element = out
        if not found or element == "i1" or "?" in shape:
            return False
        index, number, last = self.name(), self.name(), self.name()

        def body(_, order):
            made = [f"{index} = linalg.index {order[int(found[1])]} : index"]
            if element not in FLOATS:
                return [*made, f"{last} = arith.index_cast {index} : index to {element}"], last
            made.append(f"{number} = arith.index_cast {index} : index to i64")
            return [*made, f"{last} = arith.sitofp {number} : i64 to {element}"], last

        self.generic(lines, result, [], [], out, body)
        return True

    def as_transpose(self, lines, result, _, inputs, out, attributes):
        order = numbers(attributes, "permutation")
        if self.rng.random() < 0.3 and "?" not in out[0]:
            start = self.shaped(lines, *out, [], [])
            kinds = f"ins({inputs[0][0]} : {self.types[inputs[0][0]]}) outs({start} : {tensor(out[1], out[0])})"
            lines.append(f"    {result} = linalg.transpose {kinds} permutation = [{', '.join(map(str, order))}]")
            return True
        subscripts = [order.index(dim) for dim in range(len(order))]
        self.generic(lines, result, inputs, [subscripts], out, lambda a, _: ([], a[0]))
        return True

    def as_broadcast_in_dim(self, lines, result, _, inputs, out, attributes):
        dims = numbers(attributes, "broadcast_dimensions")
        shape = inputs[0][1][0]
        if "?" in out[0]:
            return False
        subscripts = ["0" if size == 1 and out[0][dim] != 1 else dim for size, dim in zip(shape, dims)]
        self.generic(lines, result, inputs, [subscripts], out, lambda a, _: ([], a[0]))
        return True

    def as_slice(self, lines, result, _, inputs, out, attributes):
        starts, steps = numbers(attributes, "start_indices"), numbers(attributes, "strides")
        if "?" in out[0]:
            return False
        parts = "".join(f"[{', '.join(map(str, part))}] " for part in (starts, out[0], steps))
        kinds = f"{self.types[inputs[0][0]]} to {tensor(out[1], out[0])}"
        lines.append(f"    {result} = tensor.extract_slice {inputs[0][0]}{parts}: {kinds}")
        return True

    def as_concatenate(self, lines, result, _, inputs, out, attributes):
        found = re.search(r"dimension = (\d+)", attributes)
        kinds = ", ".join(self.types[name] for name, _ in inputs)
        names = ", ".join(name for name, _ in inputs)
        if "?" in out[0]:
            return False
        lines.append(f"    {result} = tensor.concat dim({found[1]}) {names} : ({kinds}) -> {tensor(out[1], out[0])}")
        return True

    def as_pad(self, lines, result, _, inputs, out, attributes):
        low, high = numbers(attributes, "edge_padding_low"), numbers(attributes, "edge_padding_high")
        if any(numbers(attributes, "interior_padding")) or min(low + high, default=0) < 0 or "?" in out[0]:
            return False
        value = self.name()
        lines.append(f"    {value} = tensor.extract {inputs[1][0]}[] : {self.types[inputs[1][0]]}")
        arguments = ", ".join(f"{self.name()}: index" for _ in out[0])
        sides = " ".join(f"{side}[{', '.join(map(str, at))}]" for side, at in (("low", low), ("high", high)))
        lines.append(f"    {result} = tensor.pad {inputs[0][0]} {sides} {{")
        lines += [f"    ^bb0({arguments}):"] if out[0] else []
        kinds = f"{self.types[inputs[0][0]]} to {tensor(out[1], out[0])}"
        lines += [f"      tensor.yield {value} : {out[1]}", f"    }} : {kinds}"]
        return True

    def as_dot_general(self, lines, result, _, inputs, out, attributes):
        (left, right), (shape, element) = inputs, out
        places = [numbers(attributes, f"{side}_{kind}") for side in ("lhs", "rhs") for kind in DOTS]
        same = left[1][1] == right[1][1] == element and element in ("f32", "f64", "i32", "i64")
        if not same or "?" in shape or "?" in left[1][0]:
            return False
        batches, at = len(places[0]), len(places[0])
        subscripts = []
        for side, (_, (sizes, _)) in enumerate(inputs):
            batching, contracting = places[2 * side : 2 * side + 2]
            loops = []
            for dim in range(len(sizes)):
                if dim in batching:
                    loops.append(batching.index(dim))
                elif dim in contracting:
                    loops.append(len(shape) + contracting.index(dim))
                else:
                    loops.append(at)
                    at += 1
            subscripts.append(loops)
        assert batches <= len(shape) and at == len(shape)
        zero, filled, product, last = self.name(), self.name(), self.name(), self.name()
        start = self.shaped(lines, shape, element, [], [])
        kind, number = tensor(element, shape), "0.0" if element in FLOATS else "0"
        lines.append(f"    {zero} = arith.constant {number} : {element}")
        lines.append(f"    {filled} = linalg.fill ins({zero} : {element}) outs({start} : {kind}) -> {kind}")
        form = "f" if element in FLOATS else "i"

        def body(a, _):
            return [
                f"{product} = arith.mul{form} {a[0]}, {a[1]} : {element}",
                f"{last} = arith.add{form} {a[2]}, {product} : {element}",
            ], last

        self.generic(lines, result, inputs, subscripts, out, body, len(places[1]), filled)
        return True


DOTS = "batching_dimensions", "contracting_dimensions"


def numbers(attributes, name):
    """The numbers of an attribute that is an array of them."""
    found = re.search(rf"{name} = (?:array<i64(?:: )?|\[)([-\d, ]*)[>\]]", attributes)
    return [int(number) for number in found[1].split(",") if number.strip()] if found else []


def shape_of(kind):
    sizes = [size if size == "?" else int(size) for size in kind[1].split("x")[:-1]]
    return sizes, kind[2]


def mixed(rng, text):
    """A program of which some operations are linalg's and tensor's."""
    mixer, lines = Mixer(rng), []
    for line in text.splitlines():
        made = mixer.rewritten(line) if rng.random() < 0.6 else None
        lines += made or [line]
        if line.startswith("  func.func"):
            mixer.live = {}
        defined = re.match(r"    (%\w+) = .* (tensor<[^>?]*>)\)?$", line)
        if defined:
            mixer.live.setdefault(defined[2], []).append(defined[1])
    return "\n".join(lines) + "\n"
