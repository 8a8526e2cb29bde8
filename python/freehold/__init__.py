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

import json
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
    if _is_exported(program):
        return bytes(program.mlir_module_serialized), program.fun_name + ".mlirbc"
    if isinstance(program, (bytes, bytearray, memoryview)):
        return bytes(program), "input.mlirbc"
    # The name of a file that is missing is no program.
    is_text = isinstance(program, str) and any(c in program for c in "\n({") and not os.path.exists(program)
    if is_text:
        return program.encode(), "input.mlir"
    path = os.fspath(program)
    with open(path, "rb") as file:
        return file.read(), path


def _run(program, output, header_name, options):
    source, name = _load(program)
    platforms = list(program.platforms) if _is_exported(program) else []
    return _freehold.run_job(source, name, output, header_name, options, platforms)


def _is_exported(program):
    """Whether a program is what `jax.export` returns."""
    return hasattr(program, "mlir_module_serialized")


def compile(program, **options):
    """Compiles a program into this process: text, MLIR bytecode, what `jax.export` returns or serializes, or the path
    of a file.

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
    source, name = _load(program)
    status, output, errors = _freehold.run_command(["freehold", "--error-format=json", "explain", "-"], source)
    if status != 0:
        raise _compile_error(errors, name)
    reports = [_named(json.loads(line), name) for line in output.splitlines()]
    return Text("".join(f"{line}\n" for report in reports for line in _lines(report)))


def _named(report, name):
    """A report of a command that read a program from its standard input."""
    for part in [report, *report["notes"]]:
        if part["file"] == "<stdin>":
            part["file"] = name
    return report


def _lines(report):
    """A report and its notes as the command line prints them."""
    for part in [report, *report["notes"]]:
        at = "" if part["file"] is None else part["file"] + ":"
        at += "" if part["line"] is None else f"{part['line']}:{part['column']}:"
        yield f"{at} {part['severity']}: {part['message']}".lstrip()


def _compile_error(errors, name):
    """The exception for what a command printed as JSON, or said otherwise."""
    try:
        reports = [_named(json.loads(line), name) for line in errors.splitlines()]
    except ValueError:
        return CompileError(errors.rstrip())
    error = CompileError("\n".join(line for report in reports for line in _lines(report)))
    error.reports = reports
    return error


def jit(function, **options):
    """A function of JAX, one that `jax.export` exported, or a program in StableHLO as text, as a compiled function.

    A function of JAX is compiled when it is called with arguments of other shapes or types than before; it
    takes and returns arrays, not trees of them.
    """
    if isinstance(function, str):
        return _converting(compile(function, **options).main)
    if _is_exported(function):
        main = compile(function, **options).main

        def call_exported(*arguments):
            import numpy

            # The program lacks arguments that the function does not use.
            return main(*(numpy.asarray(arguments[i]) for i in function.module_kept_var_idx))

        return call_exported

    import jax

    compiled = {}

    def call(*arguments):
        import numpy

        arrays = [numpy.asarray(argument) for argument in arguments]
        # Numbers of Python take the type of what they meet.
        weak = [type(argument) if type(argument) in (bool, int, float, complex) else None for argument in arguments]
        key = tuple((array.shape, array.dtype.str, kind) for array, kind in zip(arrays, weak))
        if key not in compiled:
            # Not for JAX's own CPU, whose programs call LAPACK as jaxlib has it.
            traced = jax.jit(function, keep_unused=True).trace(
                *[array if kind is None else argument for array, argument, kind in zip(arrays, arguments, weak)]
            )
            text = traced.lower(lowering_platforms=("freehold",)).as_text()
            compiled[key] = _converting(compile(text, **options).main)
        return compiled[key](*arrays)

    return call


# Types that JAX lowers to others unless it is told to use 64 bits, as programs call both.
_NARROWED = {"float64": ("f32", "float32"), "complex128": ("complex<f32>", "complex64")}
_NARROWED |= {"int64": ("i32", "int32"), "uint64": ("ui32", "uint32")}


def _converting(function):
    """A function that takes numbers and arrays of 64 bits where the program, as JAX lowered it, has 32."""
    import re

    import numpy

    shape = re.compile(r"(?:(?:tensor|memref)<)?(?:(?:[0-9]+|\?)x)*(complex<f[0-9]+>|[0-9a-zA-Z]+)")
    types = [(ty, shape.match(ty).group(1)) for ty in function.arguments]

    def call(*arguments):
        passed = []
        for argument, (ty, element) in zip(arguments, types):
            if "<" not in ty:
                passed.append(argument)
                continue
            array = numpy.asarray(argument)
            narrow, dtype = _NARROWED.get(array.dtype.name, (None, None))
            passed.append(array.astype(dtype) if element == narrow else array)
        return function(*passed, *arguments[len(types) :])

    return call
