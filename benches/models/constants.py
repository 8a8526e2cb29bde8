"""Writes a program whose file is nearly all constants, as models are.

    python constants.py FILE MEGABYTES [dense|resource] [N]

FILE gets about that many megabytes of text: N constants (8 unless it says otherwise), spelled in
hexadecimal digits, as attributes or as resources, of which `@main` returns the sum of the first elements.
Needs nothing but Python.
"""

import random
import sys


def blob(rng, n_floats):
    """Random floats between 1 and 2, a megabyte at a time: the exponent is fixed."""
    for start in range(0, n_floats, 1 << 18):
        n = min(1 << 18, n_floats - start)
        words = bytearray(rng.randbytes(4 * n))
        words[3::4] = b"\x3f" * n
        words[2::4] = bytes(byte | 0x80 for byte in words[2::4])
        yield words.hex().upper()


def write(out, megabytes, kind, n):
    n_floats = megabytes * 1_000_000 // (8 * n)
    ty = f"tensor<{n_floats}xf32>"
    rng = random.Random(0)
    out.write("func.func @main() -> f32 {\n  %zero = arith.constant 0 : index\n")
    out.write("  %s0 = arith.constant 0.0 : f32\n")
    for i in range(n):
        if kind == "dense":
            out.write(f'  %w{i} = arith.constant dense<"0x')
            out.writelines(blob(rng, n_floats))
            out.write(f'"> : {ty}\n')
        else:
            out.write(f"  %w{i} = arith.constant dense_resource<w{i}> : {ty}\n")
        out.write(f"  %x{i} = tensor.extract %w{i}[%zero] : {ty}\n")
        out.write(f"  %s{i + 1} = arith.addf %s{i}, %x{i} : f32\n")
    out.write(f"  return %s{n} : f32\n}}\n")
    if kind == "resource":
        out.write("{-#\n  dialect_resources: {\n    builtin: {\n")
        for i in range(n):
            out.write(f'      w{i}: "0x04000000')
            out.writelines(blob(rng, n_floats))
            out.write('"' + (",\n" if i + 1 < n else "\n"))
        out.write("    }\n  }\n#-}\n")


if __name__ == "__main__":
    kinds = sys.argv[3:] or ["dense"]
    with open(sys.argv[1], "w") as file:
        write(file, int(sys.argv[2]), kinds[0], int(kinds[1]) if len(kinds) > 1 else 8)
