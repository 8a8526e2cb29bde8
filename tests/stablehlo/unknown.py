"""Sizes of a program that are known only at run time: of arguments, and of what follows from them."""

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


def open_sizes(p):
    """Takes some sizes of arguments out of their types."""
    by_name = {value.name: value for value in p.values}
    for value in p.values:
        if value.name in p.arguments:
            value.unknown = {dim for dim in range(len(value.shape)) if p.rng.random() < 0.6}
    lines = []
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
