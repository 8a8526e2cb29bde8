"""Random programs of front ends against the reference interpreters of these."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def test_stablehlo_programs_give_what_jaxlib_computes():
    pytest.importorskip("jaxlib", reason="SKIPPED: the package jaxlib is not installed")
    flags = [f"--freehold={sys.executable} -m freehold", "--programs=40", "--seed=1"]
    command = [sys.executable, ROOT / "tests/stablehlo/programs.py", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
