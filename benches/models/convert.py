"""Makes linalg on tensors of the programs in `programs.py`, and StableHLO of those in `kinds.py`: one file each.

    python convert.py FOLDER [NAME ...]

Needs the packages jax and, for `programs.py`, iree-base-compiler.
"""

import pathlib
import subprocess
import sys

import jax

from kinds import KINDS
from programs import PROGRAMS

STABLEHLO_TO_LINALG = ["iree-opt", "--iree-stablehlo-input-transformation-pipeline", "--canonicalize"]


def convert(name, folder, arguments=None):
    """Writes FOLDER/NAME.mlir, for arguments like these, and returns its path."""
    function, usual = {**PROGRAMS, **KINDS}[name]
    arguments = usual if arguments is None else arguments
    stablehlo = jax.jit(function, keep_unused=True).lower(*arguments).as_text()
    path = pathlib.Path(folder) / f"{name}.mlir"
    if name in KINDS:
        # Libraries rename what C's `main` would clash with.
        path.write_text(stablehlo.replace("@main", "@program"))
        return path
    tool = pathlib.Path(sys.executable).parent / STABLEHLO_TO_LINALG[0]
    command = [tool, *STABLEHLO_TO_LINALG[1:], "-", "-o", path]
    subprocess.run(command, input=stablehlo, text=True, check=True)
    return path


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for program in sys.argv[2:] or [*PROGRAMS, *KINDS]:
        print(convert(program, target))
