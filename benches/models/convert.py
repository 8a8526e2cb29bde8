"""Writes the StableHLO of the programs in `programs.py` and in the files with other sets of them: one file each.

    python convert.py FOLDER [NAME ...]

Needs the package jax.
"""

import pathlib
import sys

import jax

from fields import FIELDS
from further import FURTHER
from gradients import GRADIENTS
from kinds import KINDS
from large import LARGE
from mixed import MIXED
from programs import PROGRAMS

PROGRAMS = {**PROGRAMS, **KINDS, **FIELDS, **FURTHER, **MIXED, **GRADIENTS, **LARGE}

# What the function of a program is called in its file: C has a `main` of its own.
ENTRY = "program"


def convert(name, folder, arguments=None):
    """Writes FOLDER/NAME.mlir, for arguments like these, and returns its path."""
    function, usual = PROGRAMS[name]
    arguments = usual if arguments is None else arguments
    stablehlo = jax.jit(function, keep_unused=True).lower(*arguments).as_text()
    path = pathlib.Path(folder) / f"{name}.mlir"
    path.write_text(stablehlo.replace("@main", f"@{ENTRY}"))
    return path


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for program in sys.argv[2:] or PROGRAMS:
        print(convert(program, target))
