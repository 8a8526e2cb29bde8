"""Compiles MLIR to native code, without LLVM, and calls it on arrays.

>>> import numpy, freehold
>>> module = freehold.compile('''
...     func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
...       %y = arith.addf %x, %x : tensor<?xf32>
...       return %y : tensor<?xf32>
...     }''')
>>> module.twice(numpy.array([1, 2], "f4"))
array([2., 4.], dtype=float32)
"""

import os
import tempfile

from ._freehold import CompileError, Function, Module, __version__
from . import _freehold

__all__ = [
    "CompileError",
    "Function",
    "Module",
    "Plan",
    "compile",
    "explain",
    "header",
    "jit",
    "library",
    "object",
    "pipeline",
    "plan",
]


def _load(program):
    """The bytes of a program, and what messages call it."""
    if isinstance(program, (bytes, bytearray, memoryview)):
        return bytes(program), "input.mlirbc"
    is_text = isinstance(program, str) and ("\n" in program or "func" in program and not os.path.exists(program))
    if is_text:
        return program.encode(), "input.mlir"
    path = os.fspath(program)
    with open(path, "rb") as file:
        return file.read(), path


def _run(program, output, header_name, options):
    source, name = _load(program)
    return _freehold.run_job(source, name, output, header_name, options)


def compile(program, **options):
    """Compiles a program, text, MLIR bytecode or the path of a file, into this process.

    Keywords are the flags of `freehold run`, with `_` between words: `fp="contract"`, `opt_level=3`, `threads="auto"`,
    `target_cpu`, `dealloc`, `merge_alloc`, `cache` and so on. `freehold run --help` describes them.
    """
    return _run(program, "memory", "", options)


def object(program, **options):
    """The bytes of an object file, which needs nothing but the C library. Keywords are the flags of `freehold compile`."""
    return _run(program, "obj", "", options)


def library(program, **options):
    """The bytes of a static library with the runtime in it. Keywords are the flags of `freehold compile`."""
    return _run(program, "lib", "", options)


def header(program, name="program", **options):
    """The C header of a program; `name` is part of its include guard."""
    return _run(program, "header", name, options).decode()


def pipeline(output="memory", **options):
    """The passes that run for an output ("memory", "obj", "lib", ...), as text that `freehold opt --pass-pipeline` takes."""
    return _freehold.pipeline(output, options)


class Text(str):
    """Text that notebooks show line by line."""

    def _repr_pretty_(self, printer, cycle):
        printer.text(str(self))


class Plan:
    """Where buffers go in memory; notebooks draw it. `report` says it in words, `csv` has the offsets."""

    def __init__(self, report, csv, svg):
        self.report, self.csv, self.svg = Text(report), csv, svg

    def __str__(self):
        return self.report

    def _repr_svg_(self):
        return self.svg


def plan(buffers, *, planner=None, capacity=None):
    """Chooses offsets for buffers, the text of a CSV file as `freehold plan` takes it."""
    with tempfile.TemporaryDirectory() as folder:
        drawing, offsets = (os.path.join(folder, name) for name in ("plan.svg", "plan.csv"))
        flags = ["-", "--svg", drawing, "-o", offsets]
        flags += ["--planner", planner] if planner else []
        flags += ["--capacity", str(capacity)] if capacity is not None else []
        _, output, errors = _freehold.run_command(["freehold", "plan", *flags], buffers.encode())
        if not os.path.exists(drawing):
            raise ValueError(errors.rstrip())
        with open(drawing, encoding="utf-8") as svg, open(offsets, encoding="utf-8") as csv:
            return Plan(output, csv.read(), svg.read())


def explain(program):
    """Says in words where every buffer is freed, and why."""
    source, _ = _load(program)
    status, output, errors = _freehold.run_command(["freehold", "explain", "-"], source)
    if status != 0:
        raise CompileError(errors.rstrip())
    return Text(output)


def jit(function, **options):
    """A function of JAX, or a program in StableHLO as text, as a compiled function.

    A function of JAX is compiled when it is called with arguments of other shapes or types than before; it
    takes and returns arrays, not trees of them.
    """
    if isinstance(function, str):
        return compile(function, **options).main

    import jax

    compiled = {}

    def call(*arguments):
        import numpy

        arrays = [numpy.asarray(argument) for argument in arguments]
        key = tuple((array.shape, array.dtype.str) for array in arrays)
        if key not in compiled:
            # Not for JAX's own CPU, whose programs call LAPACK as jaxlib has it.
            traced = jax.jit(function).trace(*arrays)
            text = traced.lower(lowering_platforms=("freehold",)).as_text()
            compiled[key] = compile(text, **options).main
        return compiled[key](*arrays)

    return call
