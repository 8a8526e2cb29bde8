"""What PennyLane Catalyst makes of examples before its bufferization, and by its own bufferization and deallocation.

    python3 -m venv /tmp/catalyst && /tmp/catalyst/bin/pip install pennylane-catalyst
    cd $(mktemp -d) && /tmp/catalyst/bin/python benches/foreign/catalyst/examples.py

writes `programs/` and `theirs/`. `RESULT:` lines are what Catalyst computed, as `freehold run` prints it.
"""

import re
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pennylane as qml
from catalyst import cond, for_loop, measure, qjit, while_loop

HERE = Path(__file__).parent
CATALYST = str(Path(sys.executable).parent / "catalyst")
device = qml.device("lightning.qubit", wires=2)


@qml.qnode(device)
def probs(x):
    qml.RX(x, wires=0)
    qml.CNOT(wires=[0, 1])
    return qml.probs()


@qml.qnode(device)
def expval(x):
    qml.RX(x[0], wires=0)
    qml.RY(x[1], wires=1)
    qml.CNOT(wires=[0, 1])
    return qml.expval(qml.PauliZ(0))


@qml.qnode(device)
def loop(n, x):
    @for_loop(0, n, 1)
    def body(i, t):
        qml.RX(t * i, wires=0)
        return t * 0.5

    body(x)
    return qml.probs()


@qml.qnode(device)
def branch(x):
    @cond(x > 0.5)
    def either():
        qml.RX(x, wires=0)
        return x * 2

    @either.otherwise
    def other():
        qml.RY(x, wires=1)
        return x * 3

    r = either()
    qml.RZ(r, wires=0)
    return qml.probs(), r


@qml.qnode(device)
def measured(x):
    qml.RX(x, wires=0)

    @cond(measure(0))
    def flip():
        qml.PauliX(wires=1)

    flip()
    return qml.probs()


@qml.qnode(device)
def state(x):
    qml.Hadamard(wires=0)
    qml.CRX(x, wires=[0, 1])
    return qml.state()


def classical(x):
    @while_loop(lambda s, i: i < 5)
    def body(s, i):
        return jnp.sin(s) + x, i + 1

    s, _ = body(x, 0)
    return s.sum(), s


def swap(x, n):
    @for_loop(0, n, 1)
    def body(i, a, b):
        return b, a * 2

    return body(x, x + 1)


def pick(x, y, c):
    @cond(c)
    def either():
        return x

    @either.otherwise
    def other():
        return y @ y.T @ x

    return either()


def workflow(x):
    @for_loop(0, 3, 1)
    def body(i, s):
        return s + probs(x * (i + 1))

    return body(jnp.zeros(4))


def both(x):
    return probs(x), expval(jnp.stack([x, x * 2]))


EXAMPLES = [
    (probs, 0.3),
    (expval, jnp.array([0.3, 0.7])),
    (loop, 4, 0.9),
    (branch, 0.7),
    (measured, np.pi),
    (state, 0.4),
    (classical, jnp.arange(4.0)),
    (swap, jnp.arange(3.0), 3),
    (pick, jnp.arange(3.0), jnp.ones((3, 3)), True),
    (workflow, 0.3),
    (both, 0.5),
]


def text_of(value):
    """As `freehold run` prints it, and as MLIR reads it."""
    if isinstance(value, list):
        return "[" + ", ".join(map(text_of, value)) + "]"
    if isinstance(value, complex):
        return f"({text_of(value.real)}, {text_of(value.imag)})"
    return str(value).lower()


def generic(text):
    """In generic form, without paths of this machine."""
    words = [CATALYST, "--tool=opt", "--pass-pipeline=builtin.module(cse)", "--mlir-print-op-generic", "-"]
    text = subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout
    text = re.sub(r'lib = "[^"]*"', 'lib = "lightning"', text)
    return re.sub(r'kwargs = "[^"]*"', 'kwargs = "{}"', text)


def without_llvm(text):
    """Catalyst asks whether a result is a constant, by an address of the LLVM dialect."""
    text = re.sub(
        r"(%\S+) = builtin\.unrealized_conversion_cast (%\S+) : (memref<[^\n]*>) to !llvm\.struct<[^\n]*\n"
        r"\s*(%\S+) = llvm\.extractvalue \1\[0\][^\n]*\n\s*%(\S+) = llvm\.ptrtoint \4 : !llvm.ptr to i64",
        r"%at\5 = memref.extract_aligned_pointer_as_index \2 : \3 -> index\n%\5 = arith.index_cast %at\5 : index to i64",
        text,
    )
    text = re.sub(r"llvm\.mlir\.constant\((\d+) : index\) : i64", r"arith.constant \1 : i64", text)
    return re.sub(r'llvm\.icmp "eq" (%\S+), (%\S+) : i64', r"arith.cmpi eq, \1, \2 : i64", text)


def with_main(text, name, arguments, results, kind):
    """Adds a function that calls the one of this name with these arguments."""

    def type_of(array):
        elements = {"float64": "f64", "int64": "i64", "bool": "i1", "complex128": "complex<f64>"}
        return f"{kind}<{''.join(f'{n}x' for n in array.shape)}{elements[str(array.dtype)]}>"

    inputs, outputs = [[type_of(array) for array in arrays] for arrays in (arguments, results)]
    outside, body = "", ""
    for i, (array, ty) in enumerate(zip(arguments, inputs)):
        value = f"dense<{text_of(array.tolist())}>"
        if kind == "tensor":
            body += f"    %a{i} = arith.constant {value} : {ty}\n"
        else:
            outside += f'  memref.global "private" constant @a{i} : {ty} = {value}\n'
            body += f"    %a{i} = memref.get_global @a{i} : {ty}\n"
    names = ", ".join(f"%a{i}" for i in range(len(inputs)))
    returned = ", ".join(f"%r#{i}" for i in range(len(outputs)))
    inputs, outputs, n = ", ".join(inputs), ", ".join(outputs), len(outputs)
    main = (
        f"{outside}  func.func @main() -> ({outputs}) {{\n{body}    func.call @setup() : () -> ()\n"
        f"    %r:{n} = func.call @jit_{name}({names}) : ({inputs}) -> ({outputs})\n"
        f"    func.call @teardown() : () -> ()\n    return {returned} : {outputs}\n  }}\n"
    )
    end = text.rindex("})")
    lines = "".join(
        f"// RESULT: result #{i}: {type_of(array)[len(kind) + 1 : -1]} = {text_of(array.tolist())}\n"
        for i, array in enumerate(results)
    )
    return lines + text[:end] + main + text[end:]


def main():
    for function, *arguments in EXAMPLES:
        name = function.__name__
        compiled = qjit(function, keep_intermediate=True)
        results = [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(compiled(*arguments))]
        arguments = [np.asarray(argument) for argument in arguments]
        before = Path(name, "3_AfterGradientLoweringStage.mlir").read_text()
        after = Path(name, "4_AfterBufferizationStage.mlir").read_text()
        for folder, text, kind in [("programs", before, "tensor"), ("theirs", without_llvm(after), "memref")]:
            (HERE / folder).mkdir(exist_ok=True)
            text = with_main(generic(text), name, arguments, results, kind)
            (HERE / folder / f"{name}.mlir").write_text(text)


main()
