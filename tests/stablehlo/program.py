"""A StableHLO program that grows by an operation at a time. The interpreter of the package jaxlib, or NumPy where that
lacks an operation, computes the results of each as it is added."""

import contextlib
import random
import re

import numpy as np

NUMPY = {
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8, "ui16": np.uint16,
    "ui32": np.uint32, "ui64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
}  # fmt: skip
SMALL_FLOATS = ["f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ"]
# What the interpreter makes of infinities and NaN here, and of zero as a power of two, is not what XLA does.
TINY_FLOATS = ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E8M0FNU"]
SMALL_INTS = ["i4", "ui4", "i2", "ui2"]
# Types that NumPy lacks, and what shows all of their values.
SHOWN = {"bf16": "f32", "i4": "i8", "ui4": "ui8", "i2": "i8", "ui2": "ui8"}
SHOWN.update(dict.fromkeys(SMALL_FLOATS + TINY_FLOATS, "f32"))
FLOATS = ["f16", "f32", "f64", "bf16"]
SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["ui8", "ui16", "ui32", "ui64"]
INTS = SIGNED + UNSIGNED
COMPLEX = ["complex<f32>", "complex<f64>"]
BITS = {"i1": 1, "bf16": 16, "i4": 4, "ui4": 4, "i2": 2, "ui2": 2, "complex<f32>": 64, "complex<f64>": 128}
BITS.update({name: 8 * np.dtype(kind).itemsize for name, kind in NUMPY.items() if name != "i1"})
NUMBERS = FLOATS + INTS + SMALL_FLOATS + SMALL_INTS
ANY = NUMBERS + ["i1"] + COMPLEX
# Sizes of dimensions: most programs have short ones, of which the interpreter computes many; long ones fill vectors, and
# leave some elements over.
SHORT = [1, 2, 3, 3, 4, 5]
LONG = [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 130, 257]
MOST_ELEMENTS = 3000
COMMON = ["f32"] * 6 + ["i32"] * 4 + ["f64", "f16", "bf16", "i1", "i8", "i16", "i64"] + UNSIGNED + ["complex<f32>"]


class Rejected(Exception):
    """No operation can be made here."""


def fits(shape):
    """Leaves out what the interpreter would take long for."""
    if int(np.prod(shape, dtype=int)) > 8 * MOST_ELEMENTS:
        raise Rejected


def interpreter():
    """The context of jaxlib's MLIR and its interpreter."""
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    context = mlir.make_ir_context()
    context.__enter__()
    ir.Location.unknown().__enter__()
    with contextlib.suppress(Exception):
        stablehlo.register_stablehlo_passes()
    return ir, stablehlo


# What the interpreter lacks becomes what it has.
PASSES = (
    "builtin.module(func.func(chlo-legalize-to-stablehlo,stablehlo-legalize-deprecated-ops,"
    "stablehlo-canonicalize-dynamism))"
)
LEGALIZED = re.compile(
    r"chlo\.|stablehlo\.(broadcast|dot|einsum|unary_einsum|torch_index_select|cross-replica-sum|dynamic_conv)\""
)


def tensor(element, shape, unknown=()):
    """A type as text, in which the sizes of some dimensions are left out."""
    sizes = ("?" if i in unknown else dim for i, dim in enumerate(shape))
    return "tensor<" + "".join(f"{size}x" for size in sizes) + element + ">"


class Value:
    """A name with its type, what it is, and whether nothing was rounded in it."""

    def __init__(self, name, element, shape, attribute, array, exact):
        self.name, self.element, self.shape, self.attribute = name, element, tuple(shape), attribute
        self.array, self.exact = array, exact
        # Whether no operation takes it: it has infinities that others would make differ.
        self.last = False
        # Dimensions whose sizes the type does not have.
        self.unknown = set()

    @property
    def type(self):
        return tensor(self.element, self.shape, self.unknown)


class Program:
    """A program that grows."""

    def __init__(self, seed, long=0):
        self.rng, self.np = random.Random(seed), np.random.default_rng(seed)
        self.long = self.rng.random() < long
        self.ir, self.stablehlo = interpreter()
        self.lines, self.values, self.arguments, self.names = [], [], [], 0
        self.used, self.operations = set(), []
        # Functions beside the main one, how deep regions stand, and whether only scalars are wanted.
        self.functions, self.depth, self.scalar = [], 0, False
        self.isolated = False
        self.numbered = re.compile(r"%\d+")
        self.makers = []

    def try_one(self):
        """Adds one of the operations at random; whether it could."""
        wanted = [(n, m) for n, m in self.makers if not self.scalar or m.__module__ == "rows" or n in ("if", "case")]
        name, make = self.rng.choice(wanted)
        before = len(self.lines), len(self.values), len(self.functions), len(self.operations), len(self.arguments)
        try:
            make(self, name)
            return True
        except (Rejected, ValueError, IndexError, KeyError, OverflowError):
            del self.lines[before[0] :], self.values[before[1] :], self.functions[before[2] :]
            del self.operations[before[3] :], self.arguments[before[4] :]
            return False

    @contextlib.contextmanager
    def scope(self, values=(), isolated=False, scalar=True):
        """Operations that are added inside stand in a region of these arguments; gives what it became."""
        outside, visible = self.lines, self.values
        kept = self.isolated, self.scalar
        inner = Inner(self, visible)
        self.lines = inner.lines
        self.values = ([] if isolated else list(visible)) + list(values)
        self.depth += 1
        self.isolated = isolated or self.isolated
        self.scalar = self.scalar or (isolated and scalar)
        before = len(self.arguments)
        try:
            yield inner
        finally:
            self.depth -= 1
            self.isolated, self.scalar = kept
            new = set(self.arguments[before:])
            self.lines = outside
            self.values = visible + [value for value in self.values if value.name in new]
            inner.values = self.values

    def integer(self, number):
        """A constant of i32."""
        name = self.name()
        self.lines.append(f"{name} = stablehlo.constant dense<{number}> : tensor<i32>")
        value = Value(name, "i32", (), self.attribute(np.array(number, np.int32), "i32", ()), np.array(number), True)
        self.values.append(value)
        return value

    def name(self):
        self.names += 1
        return f"%{self.names}"

    def local(self):
        """The beginning of names inside of a region."""
        self.names += 1
        return f"%r{self.names}"

    def shape(self, rank=None, least=0, most=4):
        if self.scalar and rank is None and least == 0:
            return ()
        rank = self.rng.randint(least, most) if rank is None else rank
        shape = self.sizes(rank)
        return tuple(0 if self.rng.random() < 0.005 else size for size in shape)

    def sizes(self, count, most=MOST_ELEMENTS, short=SHORT):
        """Sizes of dimensions whose product is at most *most*, in any order."""
        if not self.long:
            return [self.rng.choice(short) for _ in range(count)]
        sizes = []
        for _ in range(count):
            left = most // int(np.prod(sizes, dtype=int))
            sizes.append(self.rng.choice([size for size in LONG if size <= left]))
        self.rng.shuffle(sizes)
        return sizes

    def size(self, most, long):
        """A number from 1 to *most*, or to *long* in programs with long dimensions."""
        return self.rng.randint(1, long if self.long else most)

    def summed(self, elements):
        """Types of which many may be added: in long sums of short floats the interpreter rounds each one."""
        return [name for name in elements if not self.long or BITS[name] >= 32 or name in INTS]

    def numbers(self, element, shape, low=-2, high=2, plain=False):
        """Numbers that all types have."""
        if element == "i1":
            return self.np.random(shape) < 0.5
        if element in INTS:
            if self.rng.random() < 0.1 and (low, high) == (-2, 2) and not plain:
                # Anything at all, the ends of the type among it.
                info = np.iinfo(NUMPY[element])
                array = self.np.integers(info.min, info.max, shape, dtype=NUMPY[element], endpoint=True)
                return np.where(self.np.random(shape) < 0.2, self.np.choice([info.min, info.max, 0]), array)
            low = max(low, 0) if element in UNSIGNED else low
            return self.np.integers(int(np.ceil(low)), int(high) + 4, shape).astype(NUMPY[element])
        steps = self.np.integers(int(np.ceil(low * 4)), int(high * 4) + 1, shape)
        return (steps / 4).astype(np.float64)

    def special(self, element, array):
        """Floats with some numbers among them that are none, or no usual ones."""
        info = np.finfo(NUMPY[element])
        odd = [np.nan, np.inf, -np.inf, -0.0, 0.0, info.smallest_subnormal, -info.tiny, info.max, info.eps, -0.5, 1e9]
        with np.errstate(all="ignore"):
            odd = np.array(odd).astype(NUMPY[element])
        return np.where(self.np.random(array.shape) < 0.3, self.np.choice(odd, array.shape), array)

    def fresh(self, element, shape, low=-2, high=2, plain=False):
        """A new argument, or a constant. *plain* has no numbers outside of these bounds."""
        fits(shape)
        if element in COMPLEX:
            part = element[8:-1]
            return self.emit(
                "complex",
                [self.fresh(part, shape, low, high, plain), self.fresh(part, shape, low, high, plain)],
                element,
                shape,
                exact=True,
            )
        if element in TINY_FLOATS:
            # One of these has positive numbers only.
            low, high, plain = 0.5, 2, True
        if element in SHOWN:
            return self.emit(
                "convert",
                [self.fresh(SHOWN[element], shape, max(low, -2), min(high, 2), plain)],
                element,
                shape,
                exact=True,
            )
        with np.errstate(all="ignore"):
            array = np.asarray(self.numbers(element, shape, low, high, plain)).astype(NUMPY[element])
        if element in FLOATS and not plain and self.rng.random() < 0.06:
            array = np.asarray(self.special(element, array)).astype(NUMPY[element])
        name = self.name()
        attribute = self.attribute(array, element, shape)
        if self.rng.random() < 0.3 or self.isolated:
            text = literal(array)
            self.lines.append(f"{name} = stablehlo.constant dense<{text}> : {tensor(element, shape)}")
        else:
            self.arguments.append(name)
        value = Value(name, element, shape, attribute, array, True)
        self.values.append(value)
        return value

    def attribute(self, array, element, shape):
        """What the interpreter takes."""
        return self.ir.Attribute.parse(f"dense<{literal(array)}> : {tensor(element, shape)}")

    def pick(self, elements, shape=None, least=0, most=4, where=lambda value: True, low=-2, high=2):
        """A value in scope, or a new one."""
        found = [
            value
            for value in self.values
            if value.element in elements
            and not value.last
            and (shape is None or value.shape == tuple(shape))
            and least <= len(value.shape) <= most
            and where(value)
        ]
        if found and self.rng.random() < 0.75:
            unused = [value for value in found if value.name not in self.used]
            return self.rng.choice(unused or found)
        common = [name for name in COMMON if name in elements] or list(elements)
        if self.rng.random() < 0.1:
            common = list(elements)
        if not common:
            raise Rejected
        for _ in range(10):
            value = self.fresh(
                self.rng.choice(common), self.shape(least=least, most=most) if shape is None else shape, low, high
            )
            if where(value):
                return value
        raise Rejected

    def emit(
        self,
        operation,
        operands,
        element,
        shape,
        attributes="",
        exact=False,
        region="",
        captured=(),
        results=None,
        computed=None,
        wild=False,
        meant=None,
    ):
        """Adds an operation if the interpreter runs it; the value or values that it gives. What the interpreter does
        not have is *computed* otherwise. Results of *wild* operands that are rounded are used no further. Where the
        interpreter stops the process, lines that are *meant* by the operation are computed in its place."""
        results = results or [(element, tuple(shape))]
        for _, dims in results:
            fits(dims)
        names = [self.name() for _ in results]
        types = ", ".join(tensor(*result) for result in results)
        dialect = "" if "." in operation else "stablehlo."
        line = (
            f'{", ".join(names)} = "{dialect}{operation}"({", ".join(value.name for value in operands)})'
            + (f" ({region})" if region else "")
            + (f" {{{attributes}}}" if attributes else "")
            + f" : ({', '.join(value.type for value in operands)}) -> ({types})"
        )
        found = list(zip(names, results))
        meant = meant and meant(names[0])
        made = self.stand(operation, [line], found, [*operands, *captured], exact, computed, meant, wild)
        # Programs say the same twice.
        if len(names) == 1 and computed is None and meant is None and self.rng.random() < 0.05:
            twin = self.name()
            again = [line.replace(names[0], twin, 1)]
            self.stand(operation, again, [(twin, results[0])], [*operands, *captured], exact, wild=wild)
        return made

    def stand(self, operation, lines, results, inputs, exact=False, computed=None, meant=None, wild=False):
        """Adds lines that stand for an operation; the value or values that they give, which are *results*, pairs of a
        name and a type. The interpreter runs what is *meant* instead, if that is given."""
        inputs = list(dict.fromkeys(inputs))
        if (computed is not None or meant is not None) and self.depth:
            # The interpreter has to run the region.
            raise Rejected
        if computed is None:
            found = self.evaluate(inputs, meant or lines, results)
        else:
            found = [self.computed(array, *result) for array, (_, result) in zip(computed, results)]
        exact = exact and all(value.exact for value in inputs)
        made = []
        for (name, (kind, dims)), (attribute, array) in zip(results, found):
            is_exact = exact or kind in INTS + SMALL_INTS + ["i1"]
            if kind in FLOATS + SMALL_FLOATS + COMPLEX and array.size:
                parts = np.concatenate([np.ravel(np.real(array)), np.ravel(np.imag(array))])
                if not exact and (not np.all(np.isfinite(parts)) or np.abs(parts).max() > {"f16": 1e3}.get(kind, 1e5)):
                    if not wild:
                        raise Rejected
            made.append(Value(name, kind, dims, attribute, array, is_exact))
            made[-1].last = wild and not is_exact
        self.lines += lines
        self.used.update(value.name for value in inputs)
        self.values += made
        self.operations.append(operation if "." in operation else f"stablehlo.{operation}")
        return made[0] if len(made) == 1 else made

    def add(self, text, inputs, name, like, *operations):
        """Adds operations that give *like* once more under this name. The interpreter need not know them."""
        if self.depth:
            raise Rejected
        attribute, array = like.attribute, like.array
        self.lines.append(text)
        self.used.update(value.name for value in inputs)
        self.values.append(Value(name, like.element, like.shape, attribute, array, like.exact))
        self.operations += [f"stablehlo.{operation}" for operation in operations]

    def computed(self, array, element, shape):
        """A result that the interpreter did not compute: what it takes, and an array."""
        array = np.asarray(array).reshape(shape)
        if element in SHOWN or not np.all(np.isfinite(array)):
            raise Rejected
        if element in COMPLEX:
            return [self.attribute(part, element[8:-1], shape) for part in (array.real, array.imag)], array
        return self.attribute(array, element, shape), array.astype(NUMPY[element])

    def evaluate(self, inputs, lines, results):
        """The results: what the interpreter has, and an array of it."""
        # Its Python side has no complex numbers: parts go in and out.
        body, shown, outs, arguments, attributes = [], [], [], [], []
        for value in inputs:
            if value.element in COMPLEX:
                part = tensor(value.element[8:-1], value.shape)
                arguments += [(f"%a{value.name[1:]}", part), (f"%b{value.name[1:]}", part)]
                attributes += value.attribute
                body.append(f"{value.name} = stablehlo.complex %a{value.name[1:]}, %b{value.name[1:]} : {value.type}")
            else:
                arguments.append((value.name, value.type))
                attributes.append(value.attribute)
        body += lines
        for name, (element, shape) in results:
            if element in COMPLEX:
                part = tensor(element[8:-1], shape)
                for which in ("real", "imag"):
                    body.append(f"%{which}{name[1:]} = stablehlo.{which} {name} : ({tensor(element, shape)}) -> {part}")
                    outs.append((f"%{which}{name[1:]}", part))
                continue
            outs.append((name, tensor(element, shape)))
            if element in SHOWN:
                seen = tensor(SHOWN[element], shape)
                body.append(f"%s{name[1:]} = stablehlo.convert {name} : ({tensor(element, shape)}) -> {seen}")
                outs.append((f"%s{name[1:]}", seen))
        text = module(arguments, body, outs, self.functions)
        try:
            parsed = self.ir.Module.parse(text)
            if LEGALIZED.search(text):
                from jaxlib.mlir.passmanager import PassManager

                PassManager.parse(PASSES).run(parsed.operation)
            found = iter(self.stablehlo.eval_module(parsed, attributes))
        except Exception as error:
            raise Rejected from error
        for _, (element, shape) in results:
            attribute = next(found)
            if element in COMPLEX:
                attribute = [attribute, next(found)]
                real, imag = (array_of(self.ir, part, shape) for part in attribute)
                array = np.empty(shape, np.complex64 if "f32" in element else np.complex128)
                array.real, array.imag = real, imag
            else:
                array = array_of(self.ir, next(found) if element in SHOWN else attribute, shape)
            shown.append((attribute, array))
        return shown

    def text(self):
        """The program, its arguments and its results with whether they are exact."""
        made = [value for value in self.values if value.name in {name for line in self.lines for name in defined(line)}]
        leaves = [value for value in made if value.name not in self.used and "constant" not in value.name]
        outputs = leaves[-5:] or made[-1:]
        lines, outs, want = list(self.lines), [], []
        for value in outputs:
            if value.element in SHOWN:
                shown = tensor(SHOWN[value.element], value.shape, value.unknown)
                lines.append(f"%s{value.name[1:]} = stablehlo.convert {value.name} : ({value.type}) -> {shown}")
                outs.append((f"%s{value.name[1:]}", shown))
                want.append((value.array, value.exact, value.element))
            elif value.element in COMPLEX:
                part = tensor(value.element[8:-1], value.shape, value.unknown)
                for which, array in (("real", value.array.real), ("imag", value.array.imag)):
                    lines.append(
                        f"%{which}{value.name[1:]} = stablehlo.{which} {value.name} : ({value.type}) -> {part}"
                    )
                    outs.append((f"%{which}{value.name[1:]}", part))
                    want.append((array, value.exact, value.element))
            else:
                outs.append((value.name, value.type))
                want.append((value.array, value.exact, value.element))
        used = [value for value in self.values if value.name in self.arguments]
        return module([(value.name, value.type) for value in used], lines, outs, self.functions), used, want


class Inner:
    """What a region became."""

    def __init__(self, program, outside):
        self.lines, self.program, self.outside, self.values = [], program, outside, outside

    @staticmethod
    def defined(line):
        return defined(line)

    def captured(self, ends):
        """Values from outside that it names."""
        named = set(self.program.numbered.findall("\n".join(self.lines))) | {value.name for value in ends}
        return [value for value in self.values if value.name in named]


def module(arguments, lines, results, functions=()):
    """A module of one function, and those that it calls."""
    head = ", ".join(f"{name}: {kind}" for name, kind in arguments)
    kinds = ", ".join(kind for _, kind in results)
    body = "\n".join("    " + line for line in lines)
    names = ", ".join(name for name, _ in results)
    called, pending = [], body
    # Only those that are called, from wherever.
    for name, text in reversed(functions):
        if re.search(rf"@{name}\b", pending):
            called.append(text)
            pending += text
    end = f"    return {names} : {kinds}" if names else "    return"
    main = f"  func.func @main({head}) -> ({kinds}) {{\n{body}\n{end}\n  }}\n"
    return "module {\n" + main + "\n".join(called) + "}\n"


def defined(line):
    return re.findall(r"%\d+", line.split(" = ")[0])


def literal(array):
    """An array as MLIR writes it."""
    array = np.asarray(array)
    if array.size == 0:
        return ""
    if array.ndim:
        return "[" + ", ".join(literal(part) for part in array) + "]"
    if array.dtype.kind == "c":
        return f"({float(array.real):.17e}, {float(array.imag):.17e})"
    if array.dtype == bool:
        return "true" if array else "false"
    if array.dtype.kind == "f" and not np.isfinite(array):
        return f"0x{int(array.view(f'u{array.dtype.itemsize}')):0{2 * array.dtype.itemsize}X}"
    return f"{float(array):.17e}" if array.dtype.kind == "f" else str(int(array))


def array_of(ir, attribute, shape):
    """The numbers of an attribute."""
    if int(np.prod(shape)) == 0:
        return np.zeros(shape)
    kind = ir.DenseFPElementsAttr if "FP" in type(attribute).__name__ else ir.DenseIntElementsAttr
    return np.array(kind(attribute)).reshape(shape)
