"""Whether jaxlib reads what Freehold writes of a program, and reads the same: text, bytecode, and artifacts of several
versions."""

import io
import os
import re
import shlex
import subprocess
import tempfile

# As attributes or left out, which means the same.
DEFAULT = re.compile(
    r"(result_accuracy = #stablehlo\.result_accuracy<mode = #stablehlo\.result_accuracy_mode<DEFAULT>>"
    r"|composite_attributes = \{\}|lower = false)(, )?"
)


def plain(module):
    """A module as text in which nothing is left out."""
    text = module.operation.get_asm(print_generic_op_form=True, large_elements_limit=None)
    return DEFAULT.sub("", text).replace("<{}> ", "").replace(", }>", "}>")


def forms(p, text):
    """Flags of `freehold opt`, how jaxlib reads what they write, and what it is to read."""
    read, stablehlo = p.ir.Module.parse, p.stablehlo
    want = plain(read(text))
    yield [], read, want
    yield ["--mlir-print-op-generic"], read, want
    yield ["--emit-bytecode"], read, want
    # Of CHLO there are no artifacts.
    for version in ("1.0.0", "1.5.0", stablehlo.get_current_version()) if "chlo." not in want else ():
        try:
            artifact = stablehlo.serialize_portable_artifact(read(text), version)
        except Exception:
            # This version has no such operation or type.
            continue
        read_artifact = lambda data: stablehlo.deserialize_portable_artifact(p.ir.Context.current, data)  # noqa: E731
        flags = ["--stablehlo-legalize-to-vhlo", f"--vhlo-to-version=target={version}", "--emit-bytecode"]
        yield flags, read_artifact, plain(read_artifact(artifact))


def as_bytecode(module):
    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    return stream.getvalue()


def fault(p, text, freehold):
    """What is wrong with what Freehold writes of a program, if anything. From its text, and from bytecode of jaxlib."""
    if "!quant." in text:
        # jaxlib's Python side has no quantized types.
        return None
    try:
        p.ir.Module.parse(text)
    except Exception:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for name, data in [("p.mlir", text.encode()), ("p.mlirbc", as_bytecode(p.ir.Module.parse(text)))]:
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(data)
            for flags, read, want in quietly(lambda: list(forms(p, text))):
                done = subprocess.run([*shlex.split(freehold), "opt", path, *flags], capture_output=True)
                how = f"opt {name} {' '.join(flags)}"
                if done.returncode:
                    return f"{how}: status {done.returncode}: {done.stderr.decode()[-300:]}"
                try:
                    got = plain(read(done.stdout))
                except Exception as error:
                    return f"{how}: jaxlib cannot read it: {str(error)[:300]}"
                pairs = zip(want.splitlines(), got.splitlines())
                differing = next((pair for pair in pairs if pair[0] != pair[1]), None)
                if differing:
                    return f"{how}: jaxlib reads {differing[1].strip()[:150]} instead of {differing[0].strip()[:150]}"
    return None


def quietly(what):
    """What a function gives, without what the libraries say of versions that lack something."""
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        return what()
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)
