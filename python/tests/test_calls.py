"""Compiled functions against NumPy, and what is refused."""

import gc
import os
import random
import signal
import threading

import numpy as np
import pytest

import freehold
from freehold import _freehold

PROGRAM = """
func.func @add(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %sum = arith.addf %a, %b : tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}
func.func @matmul(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %m = tensor.dim %b, %c1 : tensor<?x?xf64>
  %e = tensor.empty(%n, %m) : tensor<?x?xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%z : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
func.func @strided_sum(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n0 = memref.dim %m, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %n1 = memref.dim %m, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %sum = scf.for %i = %c0 to %n0 step %c1 iter_args(%s = %zero) -> f32 {
    %row = scf.for %j = %c0 to %n1 step %c1 iter_args(%t = %s) -> f32 {
      %x = memref.load %m[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %next = arith.addf %t, %x : f32
      scf.yield %next : f32
    }
    scf.yield %row : f32
  }
  return %sum : f32
}
func.func @fill(%m: memref<?xi32>, %x: i32) {
  linalg.fill ins(%x : i32) outs(%m : memref<?xi32>)
  return
}
func.func @numbers(%a: i8, %b: ui8, %c: i1, %d: f16, %e: index, %f: complex<f32>)
    -> (i8, ui8, i1, f16, index, complex<f32>) {
  return %a, %b, %c, %d, %e, %f : i8, ui8, i1, f16, index, complex<f32>
}
func.func @three(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0] : tensor<4xf32>
  return %x : f32
}
func.func @shift(%from: memref<?xi32, strided<[?], offset: ?>>, %to: memref<?xi32, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %n_from = memref.dim %from, %c0 : memref<?xi32, strided<[?], offset: ?>>
  %n_to = memref.dim %to, %c0 : memref<?xi32, strided<[?], offset: ?>>
  %n = arith.minui %n_from, %n_to : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %from[%i] : memref<?xi32, strided<[?], offset: ?>>
    %y = arith.addi %x, %one : i32
    memref.store %y, %to[%i] : memref<?xi32, strided<[?], offset: ?>>
  }
  return
}
func.func @nothing() {
  return
}
func.func @ones() -> (tensor<2x2xi1>, tensor<0xi64>) {
  %a = arith.constant dense<true> : tensor<2x2xi1>
  %b = arith.constant dense<> : tensor<0xi64>
  return %a, %b : tensor<2x2xi1>, tensor<0xi64>
}
"""


@pytest.fixture(scope="module")
def module():
    return freehold.compile(PROGRAM)


def test_arrays(module):
    a = np.arange(6, dtype="f4").reshape(2, 3)
    np.testing.assert_array_equal(module.add(a, a), a + a)
    x, y = np.random.default_rng(0).random((2, 5, 5))
    np.testing.assert_allclose(module.matmul(x, y), x @ y)
    ones, none = module.ones()
    assert ones.dtype == bool and ones.all() and ones.shape == (2, 2)
    assert none.dtype == np.int64 and none.shape == (0,)
    assert module.nothing() is None


def test_results_own_their_memory():
    module = freehold.compile(PROGRAM)
    a = np.ones((100, 100), "f4")
    results = [module.add(a, a) for _ in range(100)]
    part = results[0][1:, ::2]
    del module, results
    gc.collect()
    np.testing.assert_array_equal(part, np.full((99, 50), 2, "f4"))
    part[:] = 3


def test_strides_are_respected_or_refused(module):
    a = np.arange(12, dtype="f4").reshape(3, 4)
    for view in [a, a.T, a[::-1, ::2], a[1:, 1:], np.asfortranarray(a), np.broadcast_to(a[0], (3, 4)), a[:0]]:
        assert module.strided_sum(view) == view.sum()
    with pytest.raises(TypeError, match="row-major order, not 4x3xf32 with strides"):
        module.add(a.T, a.T)
    np.testing.assert_array_equal(module.add(a[:1].T.T, a[:1]), a[:1] * 2)
    misaligned = np.frombuffer(b"\0" * 17, "f4", count=4, offset=1).reshape(2, 2)
    with pytest.raises(TypeError, match="multiple of 4"):
        module.strided_sum(misaligned)
    records = np.zeros(4, "i1,f4")["f1"]
    with pytest.raises(TypeError):
        module.strided_sum(records.reshape(2, 2))


def test_what_is_written_to(module):
    assert module.fill.writes == [True, False]
    assert module.strided_sum.writes == [False]
    a = np.zeros(4, "i4")
    module.fill(a, -7)
    assert (a == -7).all()
    a.flags.writeable = False
    with pytest.raises(TypeError, match="read-only"):
        module.fill(a, 1)
    with pytest.raises(TypeError, match="row-major order, not 4xi32 with strides"):
        module.fill(np.lib.stride_tricks.as_strided(np.zeros(1, "i4"), (4,), (0,)), 1)


def test_numbers(module):
    given = (-128, 255, True, 0.5, 2**40, 1 - 2j)
    assert module.numbers(*given) == given
    for index, wrong in [(0, 256), (1, -1), (2, 2), (3, "x"), (4, 1.5), (5, None)]:
        arguments = list(given)
        arguments[index] = wrong
        with pytest.raises(TypeError, match=f"argument #{index} of function 'numbers'"):
            module.numbers(*arguments)


def test_numbers_for_arrays_without_dimensions():
    module = freehold.compile("""
        func.func @axpy(%a: tensor<f32>, %x: tensor<4xf32>, %n: tensor<i8>) -> (tensor<4xf32>, tensor<i8>) {
          %0 = tensor.extract %a[] : tensor<f32>
          %1 = tensor.splat %0 : tensor<4xf32>
          %2 = arith.mulf %1, %x : tensor<4xf32>
          return %2, %n : tensor<4xf32>, tensor<i8>
        }
        func.func @set(%m: memref<f32>) {
          %one = arith.constant 1.0 : f32
          memref.store %one, %m[] : memref<f32>
          return
        }
    """)
    x = np.arange(4, dtype="f4")
    for a in [2, 2.0, np.float32(2), np.int64(2), np.array(2, "f4")]:
        for n in [-3, np.int8(-3)]:
            y, m = module.axpy(a, x, n)
            assert (y == 2 * x).all() and m == -3 and m.shape == ()
    for wrong in [(2, x, 128), (2, x, 1.5), ("2", x, 1), (1j, x, 1), ([2], x, 1), (None, x, 1)]:
        with pytest.raises(TypeError):
            module.axpy(*wrong)
    with pytest.raises(TypeError, match="writ"):
        module.set(2.0)


def test_truth_values_are_zero_or_one():
    strided = """func.func @count(%a: memref<?x?xi1, strided<[?, ?], offset: ?>>) -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %a, %c0 : memref<?x?xi1, strided<[?, ?], offset: ?>>
      %m = memref.dim %a, %c1 : memref<?x?xi1, strided<[?, ?], offset: ?>>
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
        %t = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> (index) {
          %x = memref.load %a[%i, %j] : memref<?x?xi1, strided<[?, ?], offset: ?>>
          %u = arith.index_castui %x : i1 to index
          %v = arith.addi %t, %u : index
          scf.yield %v : index
        }
        scf.yield %t : index
      }
      return %s : index
    }"""
    count = freehold.compile(strided).count
    for look in (
        lambda a: a,
        lambda a: a.T,
        lambda a: a[::-1, ::3],
        lambda a: a[:, 5:],
        lambda a: a[3:4],
        lambda a: a[:, :1],
        lambda a: a[:0],
    ):
        bytes_ = np.random.default_rng(0).integers(0, 2, (37, 41), dtype="u1")
        array = look(bytes_.view(bool))
        assert count(array) == int(array.sum())
        if array.size:
            # The last element alone is none.
            look(bytes_)[-1, -1] = 2
            with pytest.raises(TypeError, match="an element is no value of type i1"):
                count(array)


def test_what_does_not_fit_is_refused(module):
    a = np.zeros((2, 3), "f4")
    for arguments in [(), (a,), (a, a, a), (a, a.astype("f8")), (a, a[0]), (a, a.astype(">f4")), (a, None), (a, [1])]:
        with pytest.raises(TypeError):
            module.add(*arguments)
    with pytest.raises(AttributeError, match="no function 'missing'"):
        module.missing


def test_random_arrays(module):
    rng = random.Random(1)
    outcomes = [0, 0]
    for _ in range(2000):
        base = np.arange(64, dtype=rng.choice(["f4", "f4", "f4", "i4", "f8"]))
        shape = tuple(rng.randrange(5) for _ in range(rng.choice([2, 2, 2, 1, 3])))
        n = int(np.prod(shape))
        if n > 64:
            continue
        array = base[:n].reshape(shape)
        array = array[tuple(slice(None, None, rng.choice([1, 1, 2, -1])) for _ in shape)]
        array = array.T if rng.random() < 0.3 else array
        right = array.dtype == np.float32 and array.ndim == 2
        try:
            assert module.strided_sum(array) == array.sum()
            outcomes[0] += 1
            assert right
        except TypeError:
            outcomes[1] += 1
            assert not right
        try:
            result = module.add(array, array)
            assert right
            np.testing.assert_array_equal(result, array + array)
        except TypeError:
            contiguous = array.size == 0 or array.flags.c_contiguous
            assert not (right and contiguous)
    assert min(outcomes) > 100


def test_overlapping_arrays(module):
    rng = random.Random(2)
    for _ in range(500):
        memory = np.arange(80, dtype="i4")
        n, step = rng.randrange(20), rng.choice([1, 1, 2, -1])
        slices = []
        for _ in range(2):
            start = rng.randrange(20, 40)
            slices.append(slice(start, start + n * step, step))
        expected = memory.copy()
        source, target = (expected[each] for each in slices)
        for i in range(n):
            target[i] = source[i] + 1
        module.shift(*(memory[each] for each in slices))
        np.testing.assert_array_equal(memory, expected)


ODD = [
    None, 0, -1, 2**70, 1.5, float("nan"), 1j, "x", b"x", [], [1.0], (), {}, object, np.float32(1), np.int64(3),
    np.zeros(0), np.zeros((2, 2), "O"), np.zeros((2, 2), "U3"), np.zeros((2, 2), "M8[s]"), np.zeros((), "f4"),
    np.zeros((1,) * 20, "f4"), np.zeros((2, 2), "V4"), np.ma.masked_array(np.zeros((2, 2), "f4")),
    np.zeros((2, 2), "f4").view(np.recarray), memoryview(b"abcd"), range(3),
]  # fmt: skip


def test_odd_arguments(module):
    """Anything: a result or a TypeError, never a crash."""
    rng = random.Random(3)
    functions = [module[name] for name in module.functions]
    outcomes = [0, 0]
    for _ in range(5000):
        function = rng.choice(functions)
        count = max(0, len(function.arguments) + rng.choice([0, 0, 0, 0, 1, -1]))
        usual = [np.zeros((2, 2), "f4"), np.zeros((2, 2)), np.zeros(4, "f4"), np.zeros(4, "i4"), 1, 0.5, True]
        arguments = [rng.choice(usual if rng.random() < 0.7 else ODD) for _ in range(count)]
        try:
            function(*arguments)
            outcomes[0] += 1
        except TypeError:
            outcomes[1] += 1
    assert min(outcomes) > 50, outcomes


SIZES = """
func.func @add(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = arith.addf %a, %b : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def test_sizes_that_do_not_fit():
    """A right result, or a TypeError that names what does not fit."""
    module = freehold.compile(SIZES)
    rng = random.Random(11)
    outcomes = [0, 0]
    for _ in range(20000):
        a, b, c = (np.ones((rng.randrange(4), rng.randrange(4)), "f4") for _ in range(3))
        is_sum = rng.random() < 0.5
        fits = a.shape == b.shape if is_sum else (*a.shape, b.shape[1]) == (c.shape[0], *b.shape[:1], c.shape[1])
        try:
            result = module.add(a, b) if is_sum else module.matmul(a, b, c)
            assert fits, (a.shape, b.shape, c.shape)
            np.testing.assert_array_equal(result, a + b if is_sum else a @ b + c)
        except TypeError as error:
            assert not fits, (a.shape, b.shape, c.shape)
            assert "cannot take such arguments: dimension" in str(error)
        outcomes[fits] += 1
    assert min(outcomes) > 500, outcomes
    unchecked = freehold.compile(SIZES, no_size_checks=True)
    np.testing.assert_array_equal(unchecked.add(np.ones((2, 3), "f4"), np.ones((2, 3), "f4")), np.full((2, 3), 2))


def test_threads(module):
    failures = []

    def work(number):
        a = np.full((20, 20), number, "f4")
        for _ in range(200):
            if not (module.add(a, a) == 2 * number).all():
                failures.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_errors_have_places(tmp_path):
    path = tmp_path / "wrong.mlir"
    path.write_text("func.func @f() -> f32 {\n  return %x : f32\n}\n")
    with pytest.raises(freehold.CompileError, match="wrong.mlir:2:10: error") as raised:
        freehold.compile(path)
    report = raised.value.reports[0]
    assert (report["severity"], report["line"], report["column"]) == ("error", 2, 10)


class Exporter:
    """An array of another package: all that it has is DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_dlpack(module):
    a = np.arange(6, dtype="f4").reshape(2, 3)
    np.testing.assert_array_equal(module.add(Exporter(a), a), a + a)
    assert module.strided_sum(Exporter(a.T)) == a.sum()
    b = np.zeros(3, "i4")
    module.fill(Exporter(b), 5)
    assert (b == 5).all()
    with pytest.raises(TypeError):
        module.add(Exporter(a.T), Exporter(a.T))


def test_files(tmp_path):
    text = PROGRAM.replace("@nothing() {", "@nothing() attributes {llvm.emit_c_interface} {")
    assert freehold.object(text)[:4] == b"\x7fELF"
    assert freehold.object(text, target="aarch64-unknown-linux-gnu")[:4] == b"\x7fELF"
    assert freehold.library(text)[:7] == b"!<arch>"
    assert "_mlir_ciface_nothing" in freehold.header(text, "calls")
    assert "handed to the caller" in freehold.explain(text)


def test_bytecode(tmp_path):
    path = tmp_path / "program.mlirbc"
    flags = ["freehold", "opt", "--emit-bytecode", "-o", str(path), "-"]
    assert _freehold.run_command(flags, PROGRAM.encode())[0] == 0
    assert path.read_bytes().startswith(b"ML\xefR")
    for program in [path.read_bytes(), path, str(path)]:
        assert freehold.compile(program).nothing() is None
        name = "input.mlirbc" if isinstance(program, bytes) else str(path)
        assert freehold.explain(program) == freehold.explain(PROGRAM).replace("input.mlir", name)
    with pytest.raises(freehold.CompileError, match="input.mlirbc"):
        freehold.compile(path.read_bytes()[:-1])


def test_options():
    for wrong in [{"opt_level": 4}, {"threads": 0}, {"target_cpu": "z80"}]:
        with pytest.raises(ValueError):
            freehold.compile(PROGRAM, **wrong)
    module = freehold.compile(PROGRAM, target_cpu="generic", opt_level=0)
    assert module["add"].results == ["tensor<?x?xf32>"]


# Values of options that are no words.
VALUES = {
    "allocator": "pool",
    "deallocator": "pool",
    "entry-name": "model",
    "cache": "folder",
    "cap-analyses": 1000,
    "dim": "batch=1",
    "ignore-dialect": ["foo", "bar"],
    "irdl-file": "dialects.mlir",
    "max-stack-bytes": 4096,
    "multiversion": ["v3"],
    "part-ops": 1000,
    "shared-libs": ["liba.so", "libb.so"],
    "target": "aarch64-unknown-linux-gnu",
    "target-cpu": "x86-64-v3",
    "target-features": "-fma",
    "threads": 4,
}


# Options that are an error without another one.
TOGETHER = {"allocator": "deallocator", "deallocator": "allocator"}


@pytest.mark.parametrize("name, words", _freehold.option_words())
def test_keywords_are_flags(name, words):
    """Each option means the passes that it means on the command line; nothing is compiled."""
    letter = {"opt-level": "-O", "debug-info": "-g"}.get(name)
    taken = False
    for value in words.split(",") if words else [VALUES.get(name, True)]:
        text = ",".join(value) if isinstance(value, list) else str(value)
        flag = f"--{name}" if letter is None else letter
        if value is not True:
            flag = f"{flag}={text}" if letter is None else f"{letter}{text}"
        for command, output in [("run", "memory"), ("compile", "obj")]:
            flags = ["freehold", command, flag, "--dump-pass-pipeline", "-"]
            keywords = {name.replace("-", "_"): value}
            if other := TOGETHER.get(name):
                flags.insert(2, f"--{other}={text}")
                keywords[other] = value
            _, _, printed = _freehold.run_command(flags, b"no program")
            if "unexpected argument" in printed:
                continue
            taken = True
            passes = freehold.pipeline(output, **keywords)
            assert passes == printed.splitlines()[1], flags
    assert taken


def test_unknown_keywords():
    with pytest.raises(TypeError, match="there is no option 'fpp'"):
        freehold.compile(PROGRAM, fpp="strict")
    with pytest.raises(ValueError, match="for files and for run"):
        freehold.compile(PROGRAM, check="frees")


def test_policy_and_level_reach_the_passes():
    contract = freehold.pipeline("obj", fp="contract", target_cpu="x86-64-v3")
    assert "fuse-multiply-add{fp=contract}" in contract
    assert "vectorize-loops" not in freehold.pipeline("obj", opt_level=0)
    assert "outline-parallel-loops" in freehold.pipeline("lib", threads=2)


def test_fp():
    text = """
    func.func @dot(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<f32> {
      %zero = arith.constant dense<0.0> : tensor<f32>
      %r = linalg.dot ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%zero : tensor<f32>) -> tensor<f32>
      return %r : tensor<f32>
    }"""
    a = np.linspace(-1, 1, 1000, dtype="f4")
    exact = float(np.dot(a.astype("f8"), a.astype("f8")))
    for fp in ("strict", "contract", "fast"):
        assert abs(float(freehold.compile(text, fp=fp).dot(a, a)) - exact) < 1e-2
        assert freehold.object(text, fp=fp)
    with pytest.raises(ValueError, match="fp is one of strict, contract, fast, not loose"):
        freehold.compile(text, fp="loose")


def test_plan():
    plan = freehold.plan("id,lower,upper,size\n1,0,2,4\n2,1,3,4\n3,2,4,4\n")
    assert "<svg" in plan._repr_svg_()
    assert plan.csv.splitlines()[0].endswith("offset")
    assert str(plan) == plan.report != ""
    with pytest.raises(ValueError):
        freehold.plan("nothing")


def test_a_forked_process_compiles():
    """None of the threads that compile is in the child."""
    freehold.compile(PROGRAM)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            # Ends a child that waits for them.
            signal.alarm(30)
            a = np.ones((2, 3), np.float32)
            status = int(not np.array_equal(freehold.compile(PROGRAM).add(a, a), a + a))
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
