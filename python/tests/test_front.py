"""What a newcomer meets: missing files, explanations of errors, the command, types for editors."""

import importlib.metadata
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import freehold

COMMAND = [sys.executable, "-m", "freehold"]

ENDLESS = """
func.func @spin(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seed = arith.constant 6364136223846793005 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %seed) -> i64 {
    %y = arith.muli %x, %x : i64
    %z = arith.addi %y, %seed : i64
    scf.yield %z : i64
  }
  return %r : i64
}
"""


@pytest.mark.parametrize("name", ["func.mlir", "missing", "folder/func_of_mine"])
def test_missing_files_say_so(name):
    with pytest.raises(FileNotFoundError, match=name):
        freehold.compile(name)


def test_programs_on_one_line_are_programs():
    module = freehold.compile("func.func @one() -> i32 { %c = arith.constant 1 : i32 return %c : i32 }")
    assert module.one() == 1


def test_explain_has_reports(tmp_path):
    path = tmp_path / "wrong.mlir"
    path.write_text("func.func @f() {\n  return %x : i32\n}\n")
    with pytest.raises(freehold.CompileError) as raised:
        freehold.explain(path)
    (report,) = raised.value.reports
    assert (report["file"], report["line"], report["severity"]) == (str(path), 2, "error")
    assert str(raised.value).startswith(f"{path}:2:")
    program = """func.func private @use(memref<4xf32>)
func.func @f() {
  %m = memref.alloc() : memref<4xf32>
  call @use(%m) : (memref<4xf32>) -> ()
  return
}"""
    assert "input.mlir:3:8: remark: buffer allocated here" in freehold.explain(program)


def test_threads_may_be_auto():
    program = "func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}"
    assert freehold.compile(program, threads="auto").f(np.ones(3, "f4")).sum() == 3


def test_functions_of_jax_take_numbers_and_64_bits():
    jax = pytest.importorskip("jax")
    f = freehold.jit(lambda x, y: x * y + 1)
    x = np.arange(3, dtype="f8")
    for arguments in [(x, 2.0), (x, np.float64(2)), (2.0, 3), (np.array(2.0), x), (np.arange(3), 2)]:
        expected = np.asarray(jax.jit(lambda x, y: x * y + 1)(*arguments))
        found = np.asarray(f(*arguments))
        assert found.dtype == expected.dtype and np.array_equal(found, expected), arguments
    unused = freehold.jit(lambda x, y: x + 1)
    assert unused(np.ones(2, "f4"), np.ones(2, "f4")).sum() == 4


def test_functions_of_jax_take_small_floats():
    jax = pytest.importorskip("jax")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.concatenate([np.linspace(-9, 9, 77), 2.0 ** np.arange(-140, 128, 7)]).astype("f4")
    widen = freehold.jit(lambda y: y.astype("f4"))
    # One function of all: arrays of these types have one spelling in NumPy.
    for name in ["float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e8m0fnu", "float8_e4m3fn", "float8_e5m2"]:
        expected = x.astype(getattr(ml_dtypes, name))
        found = freehold.jit(lambda x: x.astype(getattr(jax.numpy, name)))(x)
        assert found.dtype == expected.dtype and found.tobytes() == expected.tobytes(), name
        assert np.array_equal(widen(found), expected.astype("f4"), equal_nan=True), name


def test_functions_of_jax_have_eigenvalues_and_singular_values():
    jax = pytest.importorskip("jax")
    x = np.random.default_rng(1).normal(size=(5, 5)).astype("f4")
    x = x + x.T
    for function in [jax.numpy.linalg.eigvalsh, lambda x: jax.numpy.linalg.svd(x, compute_uv=False)]:
        expected = np.asarray(jax.jit(function)(x))
        assert np.allclose(freehold.jit(function)(x), expected, atol=1e-4)
    vectors, numbers = freehold.jit(lambda x: jax.numpy.linalg.eigh(x)[::-1])(x)
    assert np.allclose(vectors * numbers @ vectors.T, x, atol=1e-4)
    with pytest.raises(freehold.CompileError, match="lapack_sgees_ffi"):
        freehold.jit(jax.lax.linalg.schur)(x)


def test_text_of_jax_takes_64_bits():
    text = """
      func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
        return %x, %n : tensor<2xf32>, tensor<i32>
      }"""
    x, n = freehold.jit(text)(np.array([1.0, 2.0]), 7)
    assert x.dtype == np.float32 and int(n) == 7


def test_programs_for_the_cpu_of_jax_run():
    jax = pytest.importorskip("jax", reason="SKIPPED: the package jax is not installed")
    a = np.random.default_rng(0).standard_normal((3, 5, 4)).astype(np.float32)
    square = a.swapaxes(1, 2) @ a + 4 * np.eye(4, dtype=np.float32)

    def again(a, square):
        q, r = jax.numpy.linalg.qr(a)
        u, s, v = jax.numpy.linalg.svd(a, full_matrices=False)
        numbers, vectors = jax.numpy.linalg.eigh(square)
        factor = jax.numpy.linalg.cholesky(square)
        inverse = jax.numpy.linalg.solve(square, factor)
        return (
            q @ r - a,
            (u * s[:, None, :]) @ v - a,
            (vectors * numbers[:, None, :]) @ vectors.swapaxes(1, 2) - square,
            factor @ factor.swapaxes(1, 2) - square,
            square @ inverse - factor,
        )

    text = jax.jit(again).lower(a, square).as_text()
    assert "lapack_" in text
    for difference in freehold.compile(text).main(a, square):
        assert np.abs(difference).max() < 1e-4


def test_symbolic_shapes_have_windows():
    jax = pytest.importorskip("jax", reason="SKIPPED: the package jax is not installed")
    lax = jax.lax

    def f(x, w):
        layout = ("NHWC", "HWIO", "NHWC")
        image = lax.conv_general_dilated(x, w, (2, 1), "SAME", dimension_numbers=layout)
        pool = lax.reduce_window(image, -np.inf, lax.max, (1, 2, 3, 1), (1, 1, 2, 1), "SAME")
        sums = jax.numpy.cumsum(image, axis=1)
        return image, pool, sums, lax.cummax(image, axis=2, reverse=True), lax.scan(lambda c, y: (c + y, c), sums[0], sums)

    batch, height, width = jax.export.symbolic_shape("b,h,w")
    sizes = (batch, height, width, 3)
    arguments = [jax.ShapeDtypeStruct(shape, "float32") for shape in (sizes, (3, 2, 3, 4))]
    exported = jax.export.export(jax.jit(f), platforms=["cpu"])(*arguments)
    program = freehold.compile(exported.mlir_module_serialized)
    random = np.random.default_rng(0)
    w = random.standard_normal((3, 2, 3, 4)).astype(np.float32)
    for shape in ((2, 7, 9, 3), (1, 1, 1, 3), (3, 4, 17, 3)):
        x = random.standard_normal(shape).astype(np.float32)
        wanted = jax.tree.leaves(jax.jit(f)(x, w))
        for got, want in zip(program.main(x, w), wanted, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)


def test_interrupts_are_seen_after_a_call():
    spin = freehold.compile(ENDLESS).spin
    # What runs in the background may ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            end = time.monotonic() + 60
            while time.monotonic() < end:
                spin(100_000_000)
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_command_runs(tmp_path):
    path = tmp_path / "sum.mlir"
    path.write_text("func.func @main() -> i32 {\n  %c = arith.constant 7 : i32\n  return %c : i32\n}\n")
    run = subprocess.run([*COMMAND, "run", path], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "result #0: i32 = 7\n"), run
    compared = subprocess.run([*COMMAND, "compare", path, "--runs=1"], capture_output=True, text=True)
    assert compared.returncode == 0 and compared.stdout.count(" equal ") == 10, compared
    wrong = subprocess.run([*COMMAND, "run", tmp_path / "none.mlir"], capture_output=True, text=True)
    assert wrong.returncode == 1 and "No such file" in wrong.stderr


def test_the_wheel_describes_itself():
    metadata = importlib.metadata.metadata("freehold")
    assert metadata["License-Expression"] == "Apache-2.0 WITH LLVM-exception"
    assert "func.func @twice" in metadata.get_payload()
    (script,) = [entry for entry in importlib.metadata.entry_points(group="console_scripts") if entry.name == "freehold"]
    assert script.value == "freehold.__main__:main"
    files = importlib.metadata.files("freehold")
    assert any(file.name == "LICENSE" for file in files)


def test_stubs_are_right():
    pytest.importorskip("mypy")
    allow = pathlib.Path(__file__).with_name("stubtest.txt")
    command = [sys.executable, "-m", "mypy.stubtest", "freehold", "--allowlist", allow, "--ignore-unused-allowlist"]
    command += ["--mypy-config-file", allow.with_name("stubtest.ini")]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
