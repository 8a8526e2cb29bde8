"""Runs the test cases of the package onnx through `freehold run`, and says which came out right, which were
refused and which were wrong:

    python tests/onnx/cases.py [--freehold=COMMAND] [--kind=node,simple,...] [--filter=REGEX] [--sample=N --seed=S]
        [--folder=FOLDER] [--jobs=N] [--import-only] [--dynamic] [--list=wrong,refused] [--json=FILE] [--least-right=PERCENT]

Kinds are node (1,884 cases of onnx 1.23), simple, pytorch-operator, pytorch-converted and light (nine small CNNs).
FOLDER keeps models and arrays for the next time: making them takes as long as running them. Exits with status 1 if
anything was wrong, or less than PERCENT were right. A case is refused if freehold says why with status 1; anything
else that is not right (a crash, a time limit) is wrong. Needs the packages onnx, numpy and ml_dtypes.

`--dynamic` makes sizes of inputs ones that are known when the model runs, but how long lists of integers are.

Tolerances are those of each case, and at least two units in the last place for float16 and bfloat16 and a millionth of
the largest value, for sums that should be zero. Of numbers made at random (Bernoulli) only sizes, type and that they
are zero or one are compared; of dropout in training, that elements are zero or what they have to be.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnx
from onnx import numpy_helper

KINDS = ["node", "simple", "pytorch-operator", "pytorch-converted", "light"]
DATA = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data"
TIME_LIMIT = 120


def options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--freehold", default="freehold")
    parser.add_argument("--kind", default=",".join(KINDS))
    parser.add_argument("--filter", default="")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--import-only", action="store_true")
    parser.add_argument("--dynamic", action="store_true")
    parser.add_argument("--list", default="")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--least-right", type=float, default=0)
    return parser.parse_args()


def plain(value):
    """An array of a test case as a file holds it: types that NumPy lacks as bytes; None if it is no array."""
    if isinstance(value, onnx.TensorProto):
        value = numpy_helper.to_array(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        return None
    value = np.asarray(value)
    if value.dtype.kind in "OUS":
        return None
    name = value.dtype.name
    if name in ("int4", "uint4", "int2", "uint2"):
        bits = int(name[-1])
        return (value.astype(np.int8).view(np.uint8) & ((1 << bits) - 1)).astype(np.uint8)
    if name == "bfloat16" or name.startswith("float8") or name.startswith("float4"):
        # A view of the array as it is: a copy that is contiguous has at least one dimension.
        return value.copy().view(f"V{value.dtype.itemsize}")
    return value


def save(folder, case):
    """Writes the files of a case: what `check` needs."""
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(case["model"])
    problem = None
    for n, (inputs, outputs) in enumerate(case["data"]):
        for what, values in (("input", inputs), ("output", outputs)):
            for i, value in enumerate(values):
                array = plain(value)
                if array is None:
                    problem = problem or f"the harness has no arrays for {type_name(value)}"
                    continue
                array = np.asarray(array)
                np.save(folder / f"{n}-{what}-{i}.npy", array)
                if isinstance(value, onnx.TensorProto):
                    value = numpy_helper.to_array(value)
                (folder / f"{n}-{what}-{i}.type").write_text(str(np.asarray(value).dtype))
    about = {key: case[key] for key in ("name", "kind", "rtol", "atol", "opset")}
    about.update(problem=problem, counts=[(len(i), len(o)) for i, o in case["data"]])
    (folder / "case.json").write_text(json.dumps(about))


def type_name(value):
    """What a value is that is no array of numbers."""
    if isinstance(value, (np.ndarray, np.generic)):
        return "strings"
    return {list: "sequences", type(None): "optional values"}.get(type(value), type(value).__name__)


def opset(model):
    """The version of the operators, as text."""
    versions = {entry.domain: entry.version for entry in model.opset_import}
    if "" in versions:
        return f"{versions['']}"
    return ", ".join(f"{domain} {version}" for domain, version in versions.items())


def cases(kind):
    """All cases of a kind."""
    if kind == "node":
        from onnx.backend.test.case.node import collect_testcases

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = collect_testcases()
        for case in found:
            yield dict(
                name=case.name,
                kind=kind,
                rtol=case.rtol,
                atol=case.atol,
                opset=opset(case.model),
                model=case.model.SerializeToString(),
                data=case.data_sets,
            )
        return
    for path in sorted((DATA / kind).iterdir()):
        if kind == "light" and path.suffix == ".onnx":
            model = onnx.load(path)
            initialized = {tensor.name for tensor in model.graph.initializer}
            inputs = []
            for value in model.graph.input:
                if value.name not in initialized:
                    shape = [dim.dim_value or 1 for dim in value.type.tensor_type.shape.dim]
                    n = int(np.prod(shape))
                    inputs.append((np.arange(n).reshape(shape) / n).astype(np.float32))
            output = onnx.TensorProto.FromString(path.with_name(f"{path.stem}_output_0.pb").read_bytes())
            yield dict(
                name=path.stem,
                kind=kind,
                rtol=1e-3,
                atol=1e-5,
                opset=opset(model),
                model=path.read_bytes(),
                data=[(inputs, [output])],
            )
        if kind != "light" and (path / "model.onnx").exists():
            settings = path / "data.json"
            about = json.loads(settings.read_text()) if settings.exists() else {}
            model = onnx.load(path / "model.onnx")
            data = []
            for folder in sorted(path.glob("test_data_set_*")):
                values = [[read(file) for file in ordered(folder, what)] for what in ("input", "output")]
                data.append(values)
            yield dict(
                name=path.name,
                kind=kind,
                rtol=about.get("rtol", 1e-3),
                atol=about.get("atol", 1e-7),
                opset=opset(model),
                model=(path / "model.onnx").read_bytes(),
                data=data,
            )


def ordered(folder, what):
    """The files of inputs or outputs in their order."""
    return sorted(folder.glob(f"{what}_*.pb"), key=lambda file: int(file.stem.rsplit("_", 1)[1]))


def read(file):
    """A tensor, or nothing for what is none."""
    try:
        tensor = onnx.TensorProto.FromString(file.read_bytes())
        numpy_helper.to_array(tensor)
        return tensor
    except Exception:
        return []


def chosen(names, arguments):
    """The names that are asked for."""
    names = [name for name in names if re.search(arguments.filter, name)]
    if arguments.sample is not None and arguments.sample < len(names):
        names = sorted(random.Random(arguments.seed).sample(names, arguments.sample))
    return names


def folders(arguments, scratch):
    """The folders of all cases that are asked for, which are made if they are not there."""
    if arguments.folder is None:
        found = {case["name"]: case for kind in arguments.kind.split(",") for case in cases(kind)}
        for name in chosen(sorted(found), arguments):
            save(scratch / name, found[name])
            yield scratch / name
        return
    root, found = arguments.folder, []
    for kind in arguments.kind.split(","):
        kind_root = root / f"{onnx.__version__}-{kind}"
        if not (kind_root / "complete").exists():
            for case in cases(kind):
                folder = kind_root / case["name"]
                if not (folder / "case.json").exists():
                    save(folder, case)
            (kind_root / "complete").touch()
        found += sorted(path.parent for path in kind_root.glob("*/case.json"))
    found = {folder.name: folder for folder in found}
    yield from (found[name] for name in chosen(sorted(found), arguments))


def reason(stderr):
    """The first error, without what differs between cases."""
    errors = [line for line in stderr.splitlines() if "error:" in line]
    text = errors[0].split("error:", 1)[1].strip() if errors else stderr.strip()[-200:]
    text = re.sub(r"node '[^']*' ", "node ", text)
    return re.sub(r"'(tensor|memref|vector)<[^']*'", r"'\1'", text)[:200]


def typed(array, name):
    """An array of the type of this name, if the file has its bytes."""
    if array.dtype.kind == "V":
        import ml_dtypes

        return array.view(getattr(ml_dtypes, name))
    return array


# Cases whose results are made at random.
RANDOM = re.compile("test_bernoulli")
DROPOUT = re.compile("test_training_dropout(?!_zero)")


def dropped(folder, n, i, got):
    """What is wrong with a result of a dropout in training, if anything."""
    x = np.load(folder / f"{n}-input-0.npy")
    ratio = folder / f"{n}-input-1.npy"
    ratio = float(np.load(ratio)) if ratio.exists() else 0.5
    if got.shape != x.shape or (i == 1 and got.dtype != bool):
        return f"shape {got.shape}, type {got.dtype}"
    if i == 1:
        return None
    kept = got != 0
    return None if np.allclose(got[kept], x[kept] / (1 - ratio), rtol=1e-5) else "elements that are not what they were"


def difference(got, want, name, about):
    """What is wrong with a result, if anything."""
    if got.shape != want.shape:
        return f"shape {got.shape}, not {want.shape}"
    if got.dtype != want.dtype and not (got.dtype.kind == want.dtype.kind == "V"):
        if got.dtype.itemsize != want.dtype.itemsize or want.dtype.kind not in "Vui":
            return f"type {got.dtype}, not {want.dtype}"
        got = got.view(want.dtype)
    got, want = typed(got, name), typed(want, name)
    if RANDOM.match(about["name"]):
        return None if np.isin(got.astype("f8"), (0, 1)).all() else "numbers that are neither zero nor one"
    if want.dtype.kind in "biu" and name != "bfloat16":
        n = int((got != want).sum())
        # What is rounded to integers may be off by one where the sums before are rounded otherwise.
        return f"{n} elements differ" if n else None
    rtol, atol = about["rtol"], about["atol"]
    rtol = max(rtol, {"bfloat16": 2**-6, "float16": 2**-9}.get(name, 0))
    if want.dtype.kind != "c":
        got, want = got.astype(np.float64), want.astype(np.float64)
        finite = np.abs(want[np.isfinite(want)])
        atol = max(atol, 1e-6 * finite.max()) if finite.size else atol
    with np.errstate(all="ignore"):
        near = np.isclose(got, want, rtol=rtol, atol=atol, equal_nan=True)
    if near.all():
        return None
    at = tuple(int(i[0]) for i in np.where(~near)) if near.ndim else ()
    return f"{int((~near).sum())} of {near.size} elements differ, first {at}: {got[at]} instead of {want[at]}"


def dynamic(path):
    """A model like this one in a file beside it, for inputs of any sizes."""
    model = onnx.load(path)
    initialized = {tensor.name for tensor in model.graph.initializer}
    for kind, values in (("in", model.graph.input), ("out", model.graph.output)):
        for n, value in enumerate(values):
            shape = value.type.tensor_type.shape.dim
            # How long lists of axes and sizes are, models know.
            is_list = value.type.tensor_type.elem_type == onnx.TensorProto.INT64 and len(shape) == 1
            if value.name in initialized or is_list:
                continue
            for i, dim in enumerate(shape):
                dim.dim_param = f"{kind}{n}_{i}"
    del model.graph.value_info[:]
    path = path.with_name("dynamic.onnx")
    path.write_bytes(model.SerializeToString())
    return path


def check(folder, arguments):
    """Runs a case: right, refused or wrong, and why."""
    about = json.loads((folder / "case.json").read_text())
    model = folder / "model.onnx"
    model = str(dynamic(model) if arguments.dynamic else model)
    for n, (n_inputs, n_outputs) in enumerate(about["counts"]):
        if arguments.import_only:
            command = [*shlex.split(arguments.freehold), "import", model, "-o", "/dev/null"]
        else:
            inputs = [f"--input=@{folder}/{n}-input-{i}.npy" for i in range(n_inputs)]
            inputs = [text for text in inputs if pathlib.Path(text[9:]).exists()]
            output = tempfile.NamedTemporaryFile(suffix=".npz")
            command = [*shlex.split(arguments.freehold), "run", model, *inputs, f"--output=@{output.name}"]
            command += ["--dynamic-shapes"] * arguments.dynamic
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return about, "wrong", f"took more than {TIME_LIMIT} seconds"
        if done.returncode == 1:
            return about, "refused", reason(done.stderr)
        if done.returncode != 0:
            return about, "wrong", f"status {done.returncode}: {done.stderr.strip()[-300:]}"
        if arguments.import_only:
            return about, "right", ""
        if about["problem"]:
            return about, "refused", about["problem"]
        with np.load(output.name) as file:
            results = [file[name] for name in file.files]
        if len(results) != n_outputs:
            return about, "wrong", f"{len(results)} results, not {n_outputs}"
        for i, got in enumerate(results):
            want = np.load(folder / f"{n}-output-{i}.npy")
            name = (folder / f"{n}-output-{i}.type").read_text()
            if DROPOUT.match(about["name"]):
                wrong = dropped(folder, n, i, got)
            else:
                wrong = difference(got, want, name, about)
            if wrong:
                return about, "wrong", f"result {i}: {wrong}"
    return about, "right", ""


def main():
    """Runs all and prints tables."""
    arguments = options()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        found = list(folders(arguments, pathlib.Path(scratch)))
        outcomes = list(pool.map(lambda folder: check(folder, arguments), found))
    words = ("right", "refused", "wrong")
    groups = {"kind": collections.Counter(), "opset": collections.Counter()}
    reasons = collections.Counter()
    for about, word, why in outcomes:
        groups["kind"][about["kind"], word] += 1
        groups["opset"][about["opset"], word] += 1
        if word == "refused":
            reasons[why] += 1
        if word == "wrong" or word in arguments.list.split(","):
            print(f"{word}: {about['kind']} {about['name']}: {why}")
    for title, counts in groups.items():
        names = sorted({name for name, _ in counts}, key=lambda name: (not name.isdigit(), name.zfill(4)))
        print(f"\n{title:20}" + "".join(f"{word:>9}" for word in words))
        for name in names:
            print(f"{name:20}" + "".join(f"{counts[name, word]:9}" for word in words))
    if reasons:
        print("\nrefused because:")
        for why, n in reasons.most_common():
            print(f"{n:5}  {why}")
    total = collections.Counter(word for _, word, _ in outcomes)
    percent = 100 * total["right"] / max(len(outcomes), 1)
    print(f"\n{len(outcomes)} cases: " + ", ".join(f"{total[word]} {word}" for word in words) + f" ({percent:.1f} %)")
    if arguments.json:
        rows = [dict(name=about["name"], kind=about["kind"], word=word, why=why) for about, word, why in outcomes]
        arguments.json.write_text(json.dumps(rows, indent=1))
    return total["wrong"] > 0 or percent < arguments.least_right


if __name__ == "__main__":
    sys.exit(main())
