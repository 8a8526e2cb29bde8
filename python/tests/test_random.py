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


def test_onnx_graphs_give_what_the_reference_evaluator_computes():
    pytest.importorskip("onnx", reason="SKIPPED: the package onnx is not installed")
    pytest.importorskip("ml_dtypes", reason="SKIPPED: the package ml_dtypes is not installed")
    flags = [f"--freehold={sys.executable} -m freehold", "--programs=16", "--seed=1"]
    command = [sys.executable, ROOT / "tests/onnx/graphs.py", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_onnx_operators_give_what_onnx_runtime_computes():
    pytest.importorskip("onnxruntime", reason="SKIPPED: the package onnxruntime is not installed")
    flags = [f"--freehold={sys.executable} -m freehold", "--programs=24", "--seed=1"]
    command = [sys.executable, ROOT / "tests/onnx/single.py", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
