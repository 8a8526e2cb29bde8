"""ONNX models: sessions, and a sample of the test cases of the package onnx."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import freehold

ROOT = pathlib.Path(__file__).parents[2]
CLASSIFIER = ROOT / "examples/classifier.onnx"


def test_sessions_run_by_name():
    session = freehold.onnx(CLASSIFIER)
    (x,), (probabilities,) = session.get_inputs(), session.get_outputs()
    assert (x.name, x.shape, x.type) == ("x", ["batch", 4], "tensor(float)")
    assert (probabilities.name, probabilities.type) == ("probabilities", "tensor(float)")
    (y,) = session.run(None, {"x": np.float32([[5.1, 3.5, 1.4, 0.2], [1, 1, 1, 1]])})
    # What ONNX Runtime computes of the first row.
    np.testing.assert_allclose(y[0], [0.05564918, 0.841794, 0.10255674], rtol=1e-5)
    assert y.shape == (2, 3)
    (same,) = session.run(["probabilities"], {"x": np.float32([[5.1, 3.5, 1.4, 0.2]])})
    np.testing.assert_array_equal(same[0], y[0])


def test_wrong_names_are_errors():
    session = freehold.onnx(CLASSIFIER.read_bytes(), dim={"batch": 1})
    assert session.get_inputs()[0].shape == [1, 4]
    with pytest.raises(ValueError, match="input 'x' is missing"):
        session.run(None, {})
    with pytest.raises(ValueError, match="there is no input 'z'"):
        session.run(None, {"z": np.zeros((1, 4), "f4")})
    with pytest.raises(ValueError, match="there is no output 'z'"):
        session.run(["z"], {"x": np.zeros((1, 4), "f4")})
    with pytest.raises(freehold.CompileError, match="no dimension or input 'rows'"):
        freehold.onnx(CLASSIFIER, dim={"rows": 1})


def test_cases_of_the_package_come_out_right():
    pytest.importorskip("onnx", reason="SKIPPED: the package onnx is not installed")
    pytest.importorskip("ml_dtypes", reason="SKIPPED: the package ml_dtypes is not installed")
    flags = [f"--freehold={sys.executable} -m freehold", "--kind=node", "--sample=100"]
    command = [sys.executable, ROOT / "tests/onnx/cases.py", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
