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
import re
import tempfile

from ._freehold import CompileError, Function, Module, __version__
from . import _freehold

__all__ = [
    "CompileError",
    "Function",
    "Model",
    "Module",
    "Plan",
    "compile",
    "explain",
    "header",
    "jit",
    "library",
    "object",
    "onnx",
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
    # Models may have data in files beside them.
    folder = os.path.dirname(name) if os.path.isfile(name) else None
    return _freehold.run_job(source, name, output, header_name, options, platforms, folder)


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


class Value:
    """An input or output of an ONNX model: its name, its type as onnxruntime writes it, and its sizes, where one that
    is known when the model runs is a name or None."""

    def __init__(self, label, text):
        name, dims = label or ("", "")
        match = re.fullmatch(r"(?:tensor|memref)<((?:(?:\d+|\?)x)*)([^,>]+(?:<\w+>)?).*>", text)
        sizes, element = match.groups() if match else ("", text)
        names = dict(part.split(":", 1) for part in dims.split(",") if ":" in part)
        sizes = sizes.split("x")[:-1]
        self.name = name
        self.shape = [names.get(str(i)) if size == "?" else int(size) for i, size in enumerate(sizes)]
        self.type = f"tensor({_ONNX_TYPES.get(element, element)})"

    def __repr__(self):
        return f"<freehold.Value {self.name}: {self.type} {self.shape}>"


_ONNX_TYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float", "f64": "double", "i1": "bool"}
_ONNX_TYPES |= {f"i{n}": f"int{n}" for n in (8, 16, 32, 64)} | {f"ui{n}": f"uint{n}" for n in (8, 16, 32, 64)}


class Model:
    """A compiled ONNX model, which runs as a session of onnxruntime does."""

    def __init__(self, function):
        self._function = function
        self._inputs = [Value(*both) for both in zip(function.argument_names, function.arguments)]
        self._outputs = [Value(*both) for both in zip(function.result_names, function.results)]

    def get_inputs(self):
        """The inputs, with name, shape and type."""
        return self._inputs

    def get_outputs(self):
        """The outputs, with name, shape and type."""
        return self._outputs

    def run(self, outputs, inputs):
        """The outputs of these names, or all for None, of inputs by their names."""
        import numpy

        unknown = [name for name in inputs if name not in [value.name for value in self._inputs]]
        missing = [value.name for value in self._inputs if value.name not in inputs]
        if unknown or missing:
            what = f"there is no input {unknown[0]!r}" if unknown else f"input {missing[0]!r} is missing"
            raise ValueError(f"{what}: the inputs are {', '.join(value.name for value in self._inputs)}")
        results = self._function(*(numpy.asarray(inputs[value.name]) for value in self._inputs))
        results = list(results) if isinstance(results, tuple) else [] if results is None else [results]
        if outputs is None:
            return results
        names = [value.name for value in self._outputs]
        for name in outputs:
            if name not in names:
                raise ValueError(f"there is no output {name!r}: the outputs are {', '.join(names)}")
        return [results[names.index(name)] for name in outputs]

    def __repr__(self):
        return f"<freehold.Model: {self._inputs} -> {self._outputs}>"


def onnx(model, **options):
    """Compiles an ONNX model: the path of a file, or its bytes.

    >>> session = freehold.onnx("model.onnx")  # doctest: +SKIP
    >>> (y,) = session.run(None, {"x": x})  # doctest: +SKIP

    Keywords are those of `compile`; `dim={"batch": 1}` gives sizes to dimensions that the model names.
    """
    dim = options.get("dim")
    if isinstance(dim, dict):
        options["dim"] = [f"{name}={size}" for name, size in dim.items()]
    return Model(compile(model, **options).main)


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
        key = tuple((array.shape, array.dtype, kind) for array, kind in zip(arrays, weak))
        if key not in compiled:
            traced = jax.jit(function, keep_unused=True).trace(
                *[array if kind is None else argument for array, argument, kind in zip(arrays, arguments, weak)]
            )
            try:
                lowered = traced.lower(lowering_platforms=("freehold",))
            except NotImplementedError:
                # For its own CPU, JAX has calls of LAPACK where it has nothing for others: eigenvalues, singular values.
                lowered = traced.lower(lowering_platforms=("cpu",))
            compiled[key] = _converting(compile(lowered.as_text(), **options).main)
        return compiled[key](*arrays)

    return call


# Types that JAX lowers to others unless it is told to use 64 bits, as programs call both.
_NARROWED = {"float64": ("f32", "float32"), "complex128": ("complex<f32>", "complex64")}
_NARROWED |= {"int64": ("i32", "int32"), "uint64": ("ui32", "uint32")}


def _converting(function):
    """A function that takes numbers and arrays of 64 bits where the program, as JAX lowered it, has 32."""
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
