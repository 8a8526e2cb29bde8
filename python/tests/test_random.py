"""Random programs of front ends against the reference interpreters of these."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def compare(script, n, *more):
    """Runs *n* programs of a generator, which exits with status 1 if one is wrong."""
    flags = [f"--freehold={sys.executable} -m freehold", f"--programs={n}", "--seed=1", *more]
    done = subprocess.run([sys.executable, ROOT / script, *flags], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stablehlo_programs_give_what_jaxlib_computes_and_are_written_as_it_reads_them():
    pytest.importorskip("jaxlib", reason="SKIPPED: the package jaxlib is not installed")
    compare("tests/stablehlo/programs.py", 40, "--written")


def test_jaxlib_reads_operations_that_have_more_attributes_in_later_versions():
    pytest.importorskip("jaxlib", reason="SKIPPED: the package jaxlib is not installed")
    compare("tests/stablehlo/programs.py", 12, "--written", "--only=chlo.top_k,collective_broadcast,dynamic_slice")


def test_programs_that_mix_stablehlo_with_linalg_give_the_same():
    pytest.importorskip("jaxlib", reason="SKIPPED: the package jaxlib is not installed")
    compare("tests/stablehlo/programs.py", 40, "--mixed", "--operations=12")


def test_onnx_graphs_give_what_the_reference_evaluator_computes():
    pytest.importorskip("onnx", reason="SKIPPED: the package onnx is not installed")
    pytest.importorskip("ml_dtypes", reason="SKIPPED: the package ml_dtypes is not installed")
    compare("tests/onnx/graphs.py", 16)


def test_onnx_operators_give_what_onnx_runtime_computes():
    pytest.importorskip("onnxruntime", reason="SKIPPED: the package onnxruntime is not installed")
    compare("tests/onnx/single.py", 24)
