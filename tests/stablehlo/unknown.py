"""Sizes of a program that are known only at run time: of arguments, and of what follows from them, computed with tensors
as JAX does."""

import re

from program import Rejected
from rows import ROWS, is_plain

LINE = re.compile(
    r'((?:%\w+(?:, )?)+) = "(?:stablehlo\.)?([\w.]+)"\(([^)]*)\)(.*) : \((.*?)\) -> \((.*?)\)$', re.DOTALL
)
# Operations that take and give such sizes without saying them.
MOVES = {
    "all_gather", "all_reduce", "all_to_all", "batch_norm_grad", "batch_norm_inference", "batch_norm_training",
    "bitcast_convert", "broadcast", "chlo.broadcast_compare", "chlo.broadcast_select", "chlo.ragged_dot", "chlo.top_k",
    "cholesky", "clamp", "collective_broadcast", "collective_permute", "compare", "concatenate", "convolution",
    "cross-replica-sum", "dot", "dot_general", "dynamic_conv", "dynamic_slice", "dynamic_update_slice", "einsum", "fft",
    "gather", "get_dimension_size", "map", "optimization_barrier", "pad", "reduce", "reduce_precision", "reduce_scatter",
    "reduce_window", "reverse", "scatter", "select", "select_and_scatter", "sort", "torch_index_select", "transpose",
    "triangular_solve", "unary_einsum",
}  # fmt: skip
ELEMENTWISE = {row.short for row in ROWS.values() if is_plain(row)}
# Whose results have sizes of their own.
SIZED = {"dynamic_slice", "get_dimension_size"}
LIST = re.compile(r"(\w+) = array<i64:? ?([-\d, ]*)>")


class Sizes:
    """Tensors of sizes, of which arguments have some."""

    def __init__(self, p):
        arguments = [value for value in p.values if value.name in p.arguments]
        self.p, self.lines = p, []
        self.known = [(value, dim) for value in arguments for dim in range(len(value.shape))]

    def say(self, operation, operands, kinds, result, attributes=""):
        name = self.p.name()
        attributes = f" {{{attributes}}}" if attributes else ""
        kinds = ", ".join(kinds)
        self.lines.append(
            f'{name} = "stablehlo.{operation}"({", ".join(operands)}){attributes} : ({kinds}) -> ({result})'
        )
        return name

    def constant(self, numbers, kind):
        return self.say("constant", [], [], kind, f"value = dense<{numbers}> : {kind}")

    def measured(self, value, dim):
        return self.say("get_dimension_size", [value.name], [value.type], "tensor<i32>", f"dimension = {dim} : i64")

    def one(self, size):
        """A tensor of one size."""
        if not self.known or self.p.rng.random() < 0.25:
            return self.constant([size], "tensor<1xi32>")
        value, dim = self.p.rng.choice(self.known)
        same = [known for known in self.known if known[0].shape[known[1]] == size]
        if same and self.p.rng.random() < 0.7:
            value, dim = self.p.rng.choice(same)
        name, kinds = self.measured(value, dim), ["tensor<i32>"] * 2
        more = size - value.shape[dim]
        if more or self.p.rng.random() < 0.2:
            name = self.say("add", [name, self.constant(more, "tensor<i32>")], kinds, kinds[0])
        return self.say("reshape", [name], kinds[:1], "tensor<1xi32>")

    def all(self, sizes):
        """A tensor of these sizes."""
        kind = f"tensor<{len(sizes)}xi32>"
        parts = [self.one(size) for size in sizes]
        name = self.say("concatenate", parts, ["tensor<1xi32>"] * len(sizes), kind, "dimension = 0 : i64")
        if self.p.rng.random() < 0.3:
            name = self.say("maximum", [name, self.constant([0] * len(sizes), kind)], [kind] * 2, kind)
        return name

    def asserted(self):
        """Says of two sizes that they are the same, as they are; of one sometimes that it is itself."""
        value, dim = self.p.rng.choice(self.known)
        same = [known for known in self.known if known[0].shape[known[1]] == value.shape[dim]]
        other = self.p.rng.choice(same)
        names = [self.measured(value, dim), self.measured(*other)]
        how = "comparison_direction = #stablehlo<comparison_direction EQ>"
        is_same = self.say("compare", names, ["tensor<i32>"] * 2, "tensor<i1>", how)
        attributes = 'api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true'
        self.lines.append(
            f'"stablehlo.custom_call"({is_same}) {{{attributes}, error_message = "sizes differ"}} : (tensor<i1>) -> ()'
        )


def sized(sizes, operation, operand, result, rest):
    """The operation that is told the sizes of its result, as a line."""
    lists = {name: [int(n) for n in numbers.split(", ") if n] for name, numbers in LIST.findall(rest)}
    rank = len(operand.shape if operation == "slice" else result.shape)
    if rank == 0:
        raise Rejected
    kind = f"tensor<{rank}xi32>"
    if operation == "slice":
        starts, strides = (sizes.constant(lists[name], kind) for name in ("start_indices", "strides"))
        names, operation, attributes = [starts, sizes.all(lists["limit_indices"]), strides], "real_dynamic_slice", ""
    elif operation == "reshape":
        names, operation, attributes = [sizes.all(result.shape)], "dynamic_reshape", ""
    else:
        dims = ", ".join(map(str, lists["broadcast_dimensions"]))
        dims = f"array<i64: {dims}>" if dims else "array<i64>"
        names, operation = [sizes.all(result.shape)], "dynamic_broadcast_in_dim"
        attributes = f" {{broadcast_dimensions = {dims}}}"
    kinds = ", ".join([operand.type, *[kind] * len(names)])
    operands = ", ".join([operand.name, *names])
    sizes.p.operations.append(f"stablehlo.{operation}")
    return f'{result.name} = "stablehlo.{operation}"({operands}){attributes} : ({kinds}) -> ({result.type})'


def open_sizes(p):
    """Takes some sizes of arguments out of their types."""
    by_name = {value.name: value for value in p.values}
    for value in p.values:
        if value.name in p.arguments:
            value.unknown = {dim for dim in range(len(value.shape)) if p.rng.random() < 0.6}
    sizes = Sizes(p)
    while sizes.known and p.rng.random() < 0.5:
        sizes.asserted()
    lines = sizes.lines
    for line in p.lines:
        match = LINE.match(line)
        operands = [by_name.get(name) for name in match[3].split(", ")] if match and match[3] else []
        if not any(value is not None and value.unknown for value in operands):
            inside = p.numbered.findall(line)
            if any(by_name[name].unknown for name in inside if name in by_name):
                raise Rejected
            lines.append(line)
            continue
        results, operation, names, rest = match[1], match[2], match[3], match[4]
        inside = [name for name in p.numbered.findall(rest) if name in by_name]
        if operation in ("broadcast_in_dim", "reshape", "slice") and None not in operands and results in by_name:
            made = by_name[results]
            made.unknown = {dim for dim in range(len(made.shape)) if p.rng.random() < 0.8}
            line = sized(sizes, operation, operands[0], made, rest)
            lines.append(line)
            continue
        if None in operands or operation not in MOVES | ELEMENTWISE or any(by_name[name].unknown for name in inside):
            raise Rejected
        made = [by_name.get(name) for name in results.split(", ")]
        if None in made:
            # Written with others that the interpreter does not see.
            raise Rejected
        for value in made:
            if operation not in SIZED:
                value.unknown = {dim for dim in range(len(value.shape)) if p.rng.random() < 0.8}
        prefix = "" if "." in operation else "stablehlo."
        kinds = ", ".join(value.type for value in operands), ", ".join(value.type for value in made)
        lines.append(f'{results} = "{prefix}{operation}"({names}){rest} : ({kinds[0]}) -> ({kinds[1]})')
    p.lines = lines
