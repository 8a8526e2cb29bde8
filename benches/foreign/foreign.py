"""Programs of other people's dialects, declared in files of IRDL: who takes them, what they compute, what they leak.

    python3 benches/foreign/foreign.py FREEHOLD [--catalyst=SITE-PACKAGES]

A program is bufferized, freed and proved by `freehold opt`. Operations with regions get the names of their equals in
scf; then `freehold run` executes it, with C functions for the rest. `RESULT:` lines say what it has to print. The peer
is mlir-opt-22 with its own deallocation. Where PennyLane Catalyst is installed, its programs are executed by its own
runtime, and there is a row for what its own pipeline makes of them (`catalyst/theirs`).
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
BUFFERIZE = "--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map"
DIALECTS = [
    ("Catalyst", "catalyst", "quantum.irdl", {}),
    ("Polygeist", "polygeist", "polygeist.irdl", {}),
    ("Flang", "flang", "fir.irdl", {"fir.do_loop": "scf.for", "fir.result": "scf.yield"}),
    ("Torch-MLIR, IREE", "torch", "torch.irdl", {}),
]


def call(*words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True)


def compile_runtime(folder, library, catalyst):
    words = ["cc", "-O1", "-shared", "-fPIC", "-o", library, folder / "runtime.c"]
    if folder.name == "catalyst":
        lib = Path(catalyst) / "catalyst/lib"
        words += [f"-L{lib}", "-lrt_capi", f"-Wl,-rpath,{lib}"]
    subprocess.run(words, check=True)


class Row:
    def __init__(self):
        self.programs = self.upstream = self.ours = self.proved = self.ran = self.wrong = self.leaked = 0
        self.allocations = self.peak = 0

    def run(self, freehold, declarations, library, text, expected):
        """Executes a program whose frees are there."""
        flags = ["-O0", "--dealloc=none", "--merge-alloc=never", "--stats=json"]
        files = [f"--irdl-file={declarations}", f"--shared-libs={library}"]
        ran = call(freehold, "run", *flags, *files, "-", text=text)
        self.ran += 1
        if ran.returncode != 0 or ran.stdout.splitlines() != expected:
            self.wrong += 1
            print(ran.stdout, ran.stderr, file=sys.stderr)
            return
        statistics = json.loads(next(line for line in ran.stderr.splitlines() if line.startswith("{")))
        counted = re.search(r"foreign allocations: (\d+)", ran.stderr)
        foreign = int(counted[1]) if counted else 0
        self.leaked += statistics["live_allocs_at_exit"] + foreign - statistics["foreign_frees"]
        self.allocations += statistics["allocs"] + foreign
        self.peak += statistics["peak_bytes"]

    def cells(self, name, *left_out):
        names = ("programs", "upstream", "ours", "proved", "ran", "wrong", "leaked", "allocations", "peak")
        cells = ("" if name in left_out else str(getattr(self, name)) for name in names)
        return " | ".join((f"| {name}", *cells)) + " |"


def expected_of(text):
    return re.findall(r"// RESULT: (.*)", text)


def main():
    freehold = sys.argv[1]
    catalyst = next((word.split("=", 1)[1] for word in sys.argv[2:] if word.startswith("--catalyst=")), None)
    if catalyst:
        device = Path(catalyst) / "pennylane_lightning/liblightning_qubit_catalyst.so"
        os.environ["CATALYST_DEVICE"] = str(device)
    print("| dialect | programs | accepted by upstream | by us | proved | run | wrong | leaked | allocations | peak bytes |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as scratch:
        for name, folder, declarations, renames in DIALECTS:
            folder = HERE / folder
            declarations = folder / declarations
            runs = folder.name != "catalyst" or catalyst
            library = Path(scratch) / f"{folder.name}.so"
            if runs:
                compile_runtime(folder, library, catalyst)
            row = Row()
            for path in sorted((folder / "programs").glob("*.mlir")):
                text = path.read_text()
                row.programs += 1
                steps = [f"--irdl-file={declarations}", BUFFERIZE]
                # Upstream has no properties of declared operations: attributes stand in braces.
                plain = call(freehold, "opt", steps[0], "--mlir-version=22", "--mlir-print-op-generic", path).stdout
                peer = call("mlir-opt-22", *steps, "--ownership-based-buffer-deallocation", "-", text=plain)
                row.upstream += peer.returncode == 0
                steps += ["--buffer-deallocation-pipeline", "--mlir-print-op-generic"]
                row.proved += call(freehold, "opt", *steps, "--verify-ownership=strict", path).returncode == 0
                freed = call(freehold, "opt", *steps, "--verify-ownership", path)
                if freed.returncode != 0:
                    print(path, freed.stderr, file=sys.stderr)
                    continue
                row.ours += 1
                output = freed.stdout
                for old, new in renames.items():
                    output = output.replace(f'"{old}"(', f'"{new}"(')
                if runs:
                    row.run(freehold, declarations, library, output, expected_of(text))
            print(row.cells(name))
            theirs = Row()
            for path in sorted((folder / "theirs").glob("*.mlir")) if runs else []:
                text = path.read_text()
                theirs.programs += 1
                theirs.run(freehold, declarations, library, text, expected_of(text))
            if theirs.programs:
                print(theirs.cells(f"{name}, by its own pipeline", "upstream", "ours", "proved"))


main()
