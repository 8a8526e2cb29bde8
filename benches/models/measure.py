"""Compares Freehold with XLA and IREE on the programs in `programs.py`, `kinds.py`,
`fields.py`, `further.py`, `mixed.py`, `gradients.py` and `large.py`, with ONNX Runtime on
the models in `onnx_models.py`, and with PyTorch on those in `torch_models.py`.

    python measure.py [--freehold PATH] [--flags="-O3"] [--calls N] [--skip-iree] [--memory] [NAME ...]

Those in `large.py` are measured only if they are named, with --skip-iree: IREE did not
finish in five minutes. For each program: the largest error relative to the largest
value of what the first peer returns, the least time of a call of each in turns, on one
thread, and the times to compile. Those are of the command, from reading to a static
library, and, if the package `freehold` is installed (see python/), of compiling in this
process to code that can be called, which is what XLA is timed at: the least of three,
from what JAX hands to a device, and the very first is not counted. Ratios above 1 mean
that Freehold is faster. With --memory: the error, what one call allocates, how often
and how much at its peak, results included, and XLA's peak, which is its temporary
memory and results; nothing is timed, IREE and a C compiler are not needed, and a leak
is a failure. Needs a C compiler to link with and the packages jax,
iree-base-compiler[onnx], iree-base-runtime, onnx and onnxruntime, or torch and
iree-turbine; what lacks a package is SKIPPED. Exits with status 1 if a program fails or
differs by more than 1e-4.
"""

import argparse
import ctypes
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
# The flags leave loops over elements on as many threads as there are processors; `NPROC` is what bounds those.
os.environ.setdefault("NPROC", "1")
os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
)

try:
    import jax  # noqa: E402
    import numpy as np  # noqa: E402

    from convert import ENTRY, PROGRAMS, convert  # noqa: E402
    from large import LARGE  # noqa: E402
except ImportError as missing:
    print(f"programs of JAX: SKIPPED: {missing}")
    PROGRAMS = LARGE = {}
try:
    import numpy as np  # noqa: E402
    import onnx  # noqa: E402
    import onnxruntime  # noqa: E402

    import onnx_models  # noqa: E402

    MODELS = onnx_models.MODELS
except ImportError as missing:
    print(f"models of ONNX: SKIPPED: {missing}")
    MODELS = {}

try:
    import numpy as np  # noqa: E402
    import torch  # noqa: E402

    import torch_models  # noqa: E402

    torch.set_num_threads(1)
    TORCH_MODELS = torch_models.MODELS
except ImportError as missing:
    print(f"models of PyTorch: SKIPPED: {missing}")
    TORCH_MODELS = {}

try:
    import freehold  # noqa: E402
except ImportError as missing:
    print(f"compiling in this process: SKIPPED: {missing}")
    freehold = None

TOLERANCE = 1e-4
# Each compiler compiles this many times in this process; the least time counts.
COMPILATIONS = 3
BIN = pathlib.Path(sys.executable).parent
IREE_FLAGS = [
    "--iree-input-type=stablehlo",
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
    "--iree-opt-level=O3",
]


def descriptor(rank):
    """The struct that a memref of `rank` dimensions is passed as."""
    fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type(f"Descriptor{rank}", (ctypes.Structure,), {"_fields_": fields})


def describe(array):
    """A descriptor of a row-major array."""
    struct = descriptor(array.ndim)()
    struct.allocated = struct.aligned = array.ctypes.data
    if array.ndim:
        struct.sizes[:] = array.shape
        struct.strides[:] = [stride // array.itemsize for stride in array.strides]
    return struct


def aligned(array):
    """A copy where cache lines begin, as the peers copy arrays to their devices; NumPy's begin 16 bytes behind."""
    memory = np.empty(array.nbytes + 64, np.uint8)
    start = -memory.ctypes.data % 64
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def compile_in_process(program, flags):
    """The least time it takes to compile a program to code of this process, as `flags` say to the command;
    not a number without the package."""
    if freehold is None:
        return math.nan
    parser = argparse.ArgumentParser()
    parser.add_argument("-O", dest="opt_level", type=int, default=2)
    parser.add_argument("--target-cpu", default="native")
    parser.add_argument("--fp", default="strict")
    parser.add_argument("--flush-denormals", action="store_true")
    options = vars(parser.parse_args(flags))
    return min(timed(lambda: freehold.compile(program, **options))[0] for _ in range(COMPILATIONS))


def timed(action):
    """How long an action takes, and what it returns."""
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def bytecode(lowered):
    """The program as JAX hands it to a device."""
    file = io.BytesIO()
    lowered.compiler_ir().operation.write_bytecode(file)
    return file.getvalue()


class Freehold:
    """A program compiled by Freehold, linked and loaded."""

    def __init__(self, mlir, results, freehold, flags, folder, name="main", program=None):
        folder = pathlib.Path(folder)
        text = mlir.read_text()
        signature = rf"(func\.func public @{name}\(.*) \{{$"
        text = re.sub(signature, r"\1 attributes {llvm.emit_c_interface} {", text, flags=re.M)
        source, library, shared = (folder / name for name in ("p.mlir", "p.a", "p.so"))
        source.write_text(text)
        command = [freehold, "compile", *flags, "--emit=lib", source, "-o", library]
        start = time.perf_counter()
        subprocess.run(command, check=True)
        self.compile_time = time.perf_counter() - start
        self.time_in_process = compile_in_process(program or text, flags)
        link = ["cc", "-shared", "-Wl,-Bsymbolic", "-Wl,--whole-archive", library]
        link += ["-Wl,--no-whole-archive", "-lm", "-lpthread", "-ldl", "-o", shared]
        subprocess.run(link, check=True)
        self.library = ctypes.CDLL(str(shared))
        self.function = self.library[f"_mlir_ciface_{name}"]
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [ctypes.c_void_p]
        self.kinds = [(result.shape, result.dtype) for result in results]
        fields = [(f"r{i}", descriptor(len(shape))) for i, (shape, _) in enumerate(self.kinds)]
        self.results = type("Results", (ctypes.Structure,), {"_fields_": fields})()

    def bind(self, arguments):
        """What calls the program with copies of `arguments` and frees what it returns."""
        arguments = [aligned(argument) for argument in arguments]
        pointers = [ctypes.byref(self.results)]
        pointers += [ctypes.byref(describe(argument)) for argument in arguments]

        def call(_arguments=arguments):
            self.function(*pointers)

        return call

    def release(self):
        for i in range(len(self.kinds)):
            self.free(getattr(self.results, f"r{i}").allocated)

    def values(self):
        values = []
        for i, (shape, dtype) in enumerate(self.kinds):
            count = math.prod(shape)
            address = getattr(self.results, f"r{i}").aligned
            bytes_ = ctypes.string_at(address, count * dtype.itemsize)
            values.append(np.frombuffer(bytes_, dtype).reshape(shape))
        return values


class Iree:
    """A program compiled by IREE."""

    def __init__(self, stablehlo, folder):
        import iree.runtime as rt

        source, module = (pathlib.Path(folder) / name for name in ("p.stablehlo.mlir", "p.vmfb"))
        source.write_text(stablehlo)
        start = time.perf_counter()
        subprocess.run([BIN / "iree-compile", *IREE_FLAGS, source, "-o", module], check=True, stderr=subprocess.DEVNULL)
        self.compile_time = time.perf_counter() - start
        config = rt.Config("local-sync")
        context = rt.SystemContext(config=config)
        loaded = rt.VmModule.mmap(context.instance, str(module))
        context.add_vm_module(loaded)
        self.runtime = rt
        self.device = config.device
        self.function = context.modules[loaded.name]["main"]

    def bind(self, arguments):
        arguments = [self.runtime.asdevicearray(self.device, argument) for argument in arguments]
        return lambda: self.function(*arguments)


def error(ours, expected):
    """The largest difference relative to the largest value."""
    if ours.dtype.kind in "iub":
        return float(np.count_nonzero(ours != expected)) and math.inf
    # Infinities are equal or not.
    numbers = np.isfinite(expected)
    if not np.array_equal(ours[~numbers], expected[~numbers], equal_nan=True):
        return math.inf
    ours, expected = ours[numbers], expected[numbers]
    scale = np.max(np.abs(expected), initial=0).astype(np.float64) or 1.0
    if expected.dtype.itemsize == 2:
        # A unit in the last place of `bf16` is a hundredth.
        scale *= 100
    exact = np.complex128 if ours.dtype.kind == "c" else np.float64
    return float(np.max(np.abs(ours.astype(exact) - expected), initial=0) / scale)


def least(calls, n):
    """The least time of each of `calls`, in turns."""
    times = [math.inf] * len(calls)
    for _ in range(n):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            call()
            times[i] = min(times[i], time.perf_counter() - start)
    return times


def run_counted(mlir, name, arguments, expected, options, folder):
    """The error of one call by `freehold run`, and its statistics."""
    inputs, outputs = (pathlib.Path(folder) / name for name in ("in.npz", "out.npz"))
    np.savez(inputs, *arguments)
    command = [options.freehold, "run", *options.flags.split(), mlir, f"--function={name}"]
    command += ["--stats=json", f"--output=@{outputs}"]
    if arguments:
        command.append(f"--input=@{inputs}")
    done = subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True)
    statistics = json.loads(done.stderr.splitlines()[-1])
    with np.load(outputs) as arrays:
        # What NumPy has no type for comes as plain bytes.
        values = [
            array.view(value.dtype).reshape(value.shape)
            for array, value in zip(arrays.values(), expected, strict=True)
        ]
    return max(error(a, b) for a, b in zip(values, expected)), statistics


def memory(name, options, folder):
    function, arguments = PROGRAMS[name]
    xla = jax.jit(function).lower(*arguments).compile()
    expected = [np.asarray(value) for value in jax.tree.leaves(xla(*arguments))]
    arguments = [np.asarray(argument) for argument in jax.tree.leaves(arguments)]
    mlir = convert(name, folder)
    worst, statistics = run_counted(mlir, ENTRY, arguments, expected, options, folder)
    analysis = xla.memory_analysis()
    return worst, statistics, analysis.temp_size_in_bytes + analysis.output_size_in_bytes


def memory_of_model(name, options, folder):
    model, mlir = onnx_models.convert(name, folder)
    arguments = onnx_models.arguments(onnx.load(model))
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    inputs = dict(zip((each.name for each in session.get_inputs()), arguments))
    expected = session.run(None, inputs)
    worst, statistics = run_counted(mlir, name, arguments, expected, options, folder)
    return worst, statistics, None


def memory_of_torch_model(name, options, folder):
    mlir = torch_models.convert(name, folder)
    module, x = torch_models.make(name)
    with torch.no_grad():
        expected = [module(x).numpy()]
    worst, statistics = run_counted(mlir, name, [x.numpy()], expected, options, folder)
    return worst, statistics, None


def measure(name, options, folder):
    function, arguments = PROGRAMS[name]
    arguments = jax.tree.map(np.asarray, arguments)
    xla_compile_time = math.inf
    for _ in range(COMPILATIONS):
        # It remembers what it compiled.
        jax.clear_caches()
        lowered = jax.jit(function).lower(*arguments)
        seconds, xla = timed(lowered.compile)
        xla_compile_time = min(xla_compile_time, seconds)
    on_device = [jax.device_put(argument) for argument in arguments]
    leaves = jax.tree.leaves(arguments)
    expected = [np.asarray(value) for value in jax.tree.leaves(xla(*on_device))]

    mlir = convert(name, folder)
    flags = options.flags.split()
    ours = Freehold(mlir, expected, options.freehold, flags, folder, ENTRY, bytecode(lowered))
    call = ours.bind(leaves)
    call()
    worst = max(error(a, b) for a, b in zip(ours.values(), expected))
    ours.release()

    def call_and_release():
        call()
        ours.release()

    calls = [call_and_release, lambda: jax.block_until_ready(xla(*on_device))]
    compile_times = [ours.compile_time, xla_compile_time]
    if not options.skip_iree:
        try:
            iree = Iree(lowered.as_text(), folder)
            calls.append(iree.bind(leaves))
            compile_times.append(iree.compile_time)
        except subprocess.CalledProcessError:
            # It refuses some programs.
            compile_times.append(math.nan)
    times = least(calls, options.calls)
    times += [math.nan] * (len(compile_times) - len(times))
    return worst, times, compile_times, ours.time_in_process


def measure_model(name, options, folder):
    model, mlir = onnx_models.convert(name, folder)
    arguments = onnx_models.arguments(onnx.load(model))
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    new_session = lambda: onnxruntime.InferenceSession(model, settings, providers=["CPUExecutionProvider"])  # noqa: E731
    session_time, session = min((timed(new_session) for _ in range(COMPILATIONS)), key=lambda each: each[0])
    inputs = dict(zip((each.name for each in session.get_inputs()), arguments))
    expected = session.run(None, inputs)

    peer = lambda: session.run(None, inputs)  # noqa: E731
    return measure_wrapped(name, mlir, arguments, expected, (peer, session_time), options, folder)


def measure_torch_model(name, options, folder):
    mlir = torch_models.convert(name, folder)
    module, x = torch_models.make(name)
    with torch.no_grad():
        expected = [module(x).numpy()]
        # PyTorch compiles nothing before it runs.
        peer = (lambda: module(x), math.nan)
        return measure_wrapped(name, mlir, [x.numpy()], expected, peer, options, folder)


def measure_wrapped(name, mlir, arguments, expected, peer, options, folder):
    """Measures a model in the wrappers of IREE's importers, against a call that took some time to make."""
    call_peer, peer_time = peer
    imported = pathlib.Path(folder) / "imported.mlir"
    subprocess.run([options.freehold, "import", mlir, "-o", imported], check=True)
    flags = options.flags.split()
    ours = Freehold(imported, expected, options.freehold, flags, folder, name)
    call = ours.bind(arguments)
    call()
    worst = max(error(a, b) for a, b in zip(ours.values(), expected))
    ours.release()

    def call_and_release():
        call()
        ours.release()

    times = least([call_and_release, call_peer], options.calls)
    return worst, times, [ours.compile_time, peer_time], ours.time_in_process


def geometric_mean(values):
    """That of the numbers among values."""
    values = [value for value in values if not math.isnan(value)]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def ratio(value, digits):
    """With a dash where a peer refuses the program."""
    return f"{'-':>8}" if math.isnan(value) else f"{value:7.{digits}f}x"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--freehold", default="freehold")
    parser.add_argument("--flags", default="-O3")
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--skip-iree", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    known = [*PROGRAMS, *MODELS, *TORCH_MODELS]
    names = options.names or [name for name in known if name not in LARGE]
    failed = [name for name in names if name not in known]
    for name in failed:
        print(f"{name:20} FAILED: there is no such program, or its packages are missing")
    programs = [name for name in names if name in PROGRAMS]
    models = [name for name in names if name in MODELS]
    torch_names = [name for name in names if name in TORCH_MODELS]
    if options.memory:
        failed += compare_memory([*programs, *models, *torch_names], options)
    else:
        peers = ["XLA"] if options.skip_iree else ["XLA", "IREE"]
        failed += compare(programs, measure, peers, options)
        failed += compare(models, measure_model, ["ONNX"], options)
        failed += compare(torch_names, measure_torch_model, ["Torch"], options)
    for name in failed:
        print(f"{name}: failed or differs", file=sys.stderr)
    sys.exit(bool(failed))


def compare_memory(names, options):
    """Prints a table of errors and memory; returns what failed."""
    print(f"{'program':20} {'error':>8} {'allocations':>12} {'peak bytes':>12} {'XLA':>12} {'ratio':>6}")
    ratios = []
    failed = []
    for name in names:
        count = memory_of_torch_model if name in TORCH_MODELS else memory_of_model
        count = memory if name in PROGRAMS else count
        try:
            with tempfile.TemporaryDirectory() as folder:
                worst, statistics, xla = count(name, options, folder)
        except (subprocess.CalledProcessError, OSError, ValueError) as problem:
            print(f"{name:20} FAILED: {problem}: {getattr(problem, 'stderr', None) or ''}")
            failed.append(name)
            continue
        peak = statistics["peak_bytes"]
        line = f"{name:20} {worst:8.1e} {statistics['allocs']:12} {peak:12}"
        if xla:
            ratios.append(max(peak, 1) / xla)
            line += f" {xla:12} {ratios[-1]:6.2f}"
        leaked = statistics["live_bytes_at_exit"]
        if leaked:
            line += f"  LEAKED {leaked} bytes"
        if leaked or not worst <= TOLERANCE:
            failed.append(name)
        print(line, flush=True)
    if ratios:
        print(f"geometric mean of ratios{geometric_mean(ratios):51.2f}")
    return failed


def compare(names, measure, peers, options):
    """Prints a table of what `measure` finds out; returns what failed."""
    if not names:
        return []
    head = "".join(f" vs {peer:>5}" for peer in peers)
    in_process = "" if freehold is None else f"  {'in process':>10} vs {peers[0]:>5}"
    print(f"{'program':20} {'error':>8} {'time':>10}{head}  {'compiling':>9}{head}{in_process}")
    if names[0] in PROGRAMS:
        # What the first compilation of a process has to make once.
        jax.jit(lambda x: x + 1).lower(np.ones(1)).compile()
    compile_in_process("func.func @empty() { return }", [])
    ratios = [[] for _ in peers]
    compile_ratios = [[] for _ in peers]
    ratios_in_process = []
    failed = []
    for name in names:
        try:
            with tempfile.TemporaryDirectory() as folder:
                worst, times, compile_times, time_in_process = measure(name, options, folder)
        except (subprocess.CalledProcessError, OSError) as problem:
            print(f"{name:20} FAILED: {problem}")
            failed.append(name)
            continue
        if not worst <= TOLERANCE:
            failed.append(name)
        line = f"{name:20} {worst:8.1e} {times[0] * 1e6:7.1f} us"
        for i in range(len(peers)):
            ratios[i].append(times[i + 1] / times[0])
            line += f" {ratio(ratios[i][-1], 2)}"
        line += f"  {compile_times[0] * 1e3:6.0f} ms"
        for i in range(len(peers)):
            compile_ratios[i].append(compile_times[i + 1] / compile_times[0])
            line += f" {ratio(compile_ratios[i][-1], 1)}"
        if freehold is not None:
            ratios_in_process.append(compile_times[1] / time_in_process)
            line += f"  {time_in_process * 1e3:7.1f} ms {ratios_in_process[-1]:7.1f}x"
        print(line, flush=True)
    if ratios[0]:
        line = "geometric mean" + " " * 26
        line += "".join(f" {geometric_mean(values):7.2f}x" for values in ratios) + " " * 11
        line += "".join(f" {geometric_mean(values):7.1f}x" for values in compile_ratios)
        if ratios_in_process:
            line += " " * 13 + f"{geometric_mean(ratios_in_process):7.1f}x"
        print(line)
    return failed


if __name__ == "__main__":
    main()
