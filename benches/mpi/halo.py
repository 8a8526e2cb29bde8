"""A 2-D stencil with halo exchange, overlapped with computation and blocking, against the same in C with mpicc -O3.

    python3 benches/mpi/halo.py FREEHOLD [--delay=MICROSECONDS] [--mpi=openmpi] [--rows=N] [--columns=N] [--steps=N] [--runs=N]

With a delay, two processes run in network namespaces whose interfaces hold frames back (delay.c; as root). Times are
seconds of the slower process, the best of all runs, which take turns.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
options = {"delay": "0", "mpi": "openmpi", "rows": "512", "columns": "2048", "steps": "200", "runs": "5"}
options |= dict(word[2:].split("=", 1) for word in sys.argv[2:])
FREEHOLD = os.path.abspath(sys.argv[1])
ROWS, COLUMNS, STEPS, RUNS = (int(options[name]) for name in ("rows", "columns", "steps", "runs"))
DELAY = int(options["delay"])
OWN = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def program(is_blocking):
    """The program in MLIR: main returns the seconds, and prints the sum when it is asked for that."""
    whole = f"memref<{ROWS + 2}x{COLUMNS}xf64>"
    row = f"memref<{COLUMNS}xf64, strided<[1], offset: {{}}>>"
    view = lambda i: (
        f"memref.subview %x[{i}, 0] [1, {COLUMNS}] [1, 1] : {whole} to {row.format(i * COLUMNS)}",
        row.format(i * COLUMNS),
    )
    rows = {name: view(i) for name, i in {"top": 0, "first": 1, "last": ROWS, "bottom": ROWS + 1}.items()}
    waits = "\n".join(f"mpi.wait(%r{i}) : !mpi.request" for i in range(4))
    step = lambda a, b: f"func.call @step(%x, %y, %{a}, %{b}) : ({whole}, {whole}, index, index) -> ()"
    work = (
        [waits, step("c1", "rows1")]
        if is_blocking
        else [step("c2", "rows"), waits, step("c1", "c2"), step("rows", "rows1")]
    )
    return f"""
func.func private @MPI_Wtime() -> f64
func.func private @step(%a: {whole}, %b: {whole}, %first: index, %end: index) {{
  %c1 = arith.constant 1 : index
  %c = arith.constant {COLUMNS - 1} : index
  %k = arith.constant 2.5e-01 : f64
  scf.for %i = %first to %end step %c1 {{
    %above = arith.subi %i, %c1 : index
    %below = arith.addi %i, %c1 : index
    scf.for %j = %c1 to %c step %c1 {{
      %left = arith.subi %j, %c1 : index
      %right = arith.addi %j, %c1 : index
      %n = memref.load %a[%above, %j] : {whole}
      %s = memref.load %a[%below, %j] : {whole}
      %w = memref.load %a[%i, %left] : {whole}
      %e = memref.load %a[%i, %right] : {whole}
      %0 = arith.addf %n, %s : f64
      %1 = arith.addf %w, %e : f64
      %2 = arith.addf %0, %1 : f64
      %3 = arith.mulf %2, %k : f64
      memref.store %3, %b[%i, %j] : {whole}
    }}
  }}
  return
}}
func.func @main() -> (f64, f64) {{
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %size = mpi.comm_size(%comm) : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant {ROWS} : index
  %rows1 = arith.constant {ROWS + 1} : index
  %rows2 = arith.constant {ROWS + 2} : index
  %columns = arith.constant {COLUMNS} : index
  %steps = arith.constant {STEPS} : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f64
  %a = memref.alloc() : {whole}
  %b = memref.alloc() : {whole}
  %number = arith.index_cast %rank : i32 to index
  %before = arith.muli %number, %rows : index
  scf.for %i = %c0 to %rows2 step %c1 {{
    %r = arith.addi %before, %i : index
    %int = arith.index_cast %r : index to i64
    %heat = arith.sitofp %int : i64 to f64
    scf.for %j = %c0 to %columns step %c1 {{
      memref.store %heat, %a[%i, %j] : {whole}
      memref.store %heat, %b[%i, %j] : {whole}
    }}
  }}
  %up = arith.addi %rank, %size : i32
  %up1 = arith.subi %up, %one : i32
  %above = arith.remsi %up1, %size : i32
  %down = arith.addi %rank, %one : i32
  %below = arith.remsi %down, %size : i32
  mpi.barrier(%comm)
  %start = func.call @MPI_Wtime() : () -> f64
  %end:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%x = %a, %y = %b) -> ({whole}, {whole}) {{
    %top = {rows["top"][0]}
    %first = {rows["first"][0]}
    %last = {rows["last"][0]}
    %bottom = {rows["bottom"][0]}
    %r0 = mpi.irecv(%top, %one, %above, %comm) : {rows["top"][1]}, i32, i32 -> !mpi.request
    %r1 = mpi.irecv(%bottom, %two, %below, %comm) : {rows["bottom"][1]}, i32, i32 -> !mpi.request
    %r2 = mpi.isend(%first, %two, %above, %comm) : {rows["first"][1]}, i32, i32 -> !mpi.request
    %r3 = mpi.isend(%last, %one, %below, %comm) : {rows["last"][1]}, i32, i32 -> !mpi.request
    {chr(10).join(work)}
    scf.yield %y, %x : {whole}, {whole}
  }}
  %stop = func.call @MPI_Wtime() : () -> f64
  %time = arith.subf %stop, %start : f64
  %sum = scf.for %i = %c1 to %rows1 step %c1 iter_args(%outer = %zero) -> f64 {{
    %inner = scf.for %j = %c0 to %columns step %c1 iter_args(%s = %outer) -> f64 {{
      %v = memref.load %end#0[%i, %j] : {whole}
      %s2 = arith.addf %s, %v : f64
      scf.yield %s2 : f64
    }}
    scf.yield %inner : f64
  }}
  %own = memref.alloc() : memref<1xf64>
  %slowest = memref.alloc() : memref<1xf64>
  memref.store %time, %own[%c0] : memref<1xf64>
  mpi.allreduce(%own, %slowest, MPI_MAX, %comm) : memref<1xf64>, memref<1xf64>
  %seconds = memref.load %slowest[%c0] : memref<1xf64>
  memref.store %sum, %own[%c0] : memref<1xf64>
  mpi.allreduce(%own, %slowest, MPI_SUM, %comm) : memref<1xf64>, memref<1xf64>
  %heat = memref.load %slowest[%c0] : memref<1xf64>
  mpi.finalize
  return %seconds, %heat : f64, f64
}}
"""


def command(agent):
    if options["mpi"] == "mpich":
        assert agent is None, "only Open MPI runs in namespaces here"
        return ["mpirun.mpich", "-n", "2"]
    if agent is None:
        return ["mpirun.openmpi", "--quiet", "--mca", "btl", "self,vader,tcp", "-n", "2"]
    net = "10.92.0.0/24"
    words = f"--quiet --host 10.92.0.1,10.92.0.2 --mca plm_rsh_agent {agent} --mca oob_tcp_if_include {net} "
    words += f"--mca btl self,tcp --mca btl_tcp_if_include {net} --mca mpi_yield_when_idle 1 "
    # Messages go out at once, not when somebody waits.
    words += "--mca btl_tcp_sndbuf 1048576 --mca btl_tcp_rcvbuf 1048576 -n 2"
    return ["mpirun.openmpi", *words.split()]


def namespaces(folder):
    """Namespaces on a switch that delays; returns what starts commands in them, and the switch."""
    subprocess.run(["cc", "-O2", "-o", folder / "delay", HERE / "delay.c"], check=True)
    ip = lambda words: subprocess.run(["ip", *words.split()], check=True)
    names = ["fhdelay1", "fhdelay2", "fhdelay9"]
    for name in names:
        subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)
        ip(f"netns add {name}")
    # It has to run in time while two processes wait in loops.
    switch = subprocess.Popen(["chrt", "-f", "10", folder / "delay", *names, str(DELAY)], stdout=subprocess.PIPE)
    switch.stdout.readline()
    for at, name in enumerate(names):
        ip(f"-n {name} link set eth0 address 02:00:00:00:00:{at + 1:02x}")
        ip(f"-n {name} addr add 10.92.0.{name[-1]}/24 dev eth0")
        # A message is one frame: the switch is no wire.
        ip(f"-n {name} link set eth0 mtu 65000 up")
        ip(f"-n {name} link set lo up")
    agent = folder / "agent"
    agent.write_text(
        '#!/bin/sh\nhost=$1; shift\nn=${host##*.}\nexec ip netns exec fhdelay$n unshare -u sh -c "hostname node$n; $*"\n'
    )
    agent.chmod(0o755)
    return agent, switch, names


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = {}
        sizes = [f"-DROWS={ROWS}", f"-DCOLUMNS={COLUMNS}", f"-DSTEPS={STEPS}"]
        for kind, flags in {"overlapped": [], "blocking": ["-DBLOCKING"]}.items():
            source = folder / f"{kind}.mlir"
            source.write_text(program(kind == "blocking"))
            target = folder / f"{kind}.exe"
            arguments = ["compile", "--emit=exe", f"--mpi={options['mpi']}", "-o", target, source]
            subprocess.run([FREEHOLD, *arguments], check=True)
            kinds["Freehold", kind] = [target, "--function=main"]
            for compiler, more in {"C": [], "C, -march=native": ["-march=native"]}.items():
                target = folder / f"{kind}{len(more)}.c.exe"
                subprocess.run(
                    [f"mpicc.{options['mpi']}", "-O3", *more, *sizes, *flags, "-o", target, HERE / "halo.c"], check=True
                )
                kinds[compiler, kind] = [target]
        agent, switch, names = namespaces(folder) if DELAY else (None, None, [])
        before = ["ip", "netns", "exec", names[-1]] if names else []
        times = {key: [] for key in kinds}
        sums = set()
        try:
            for _ in range(RUNS):
                for key, executable in kinds.items():
                    output = subprocess.run(
                        [*before, *command(agent), *executable], capture_output=True, text=True, env=OWN, check=True
                    )
                    # Each process of Freehold's prints both results on lines of their own.
                    first = re.search(r"#0: f64 = (\S+)", output.stdout)
                    last = re.search(r"#1: f64 = (\S+)", output.stdout)
                    numbers = [first[1], last[1]] if first else output.stdout.split()
                    times[key].append(float(numbers[0]))
                    sums.add(float(numbers[1]))
        finally:
            if switch:
                switch.kill()
                for name in names:
                    subprocess.run(["ip", "netns", "del", name])
        assert max(sums) - min(sums) <= 1e-12 * abs(max(sums)), sums
        for key, seconds in times.items():
            print(f"{key[0]:18} {key[1]:11} {min(seconds):.4f} s, median {statistics.median(seconds):.4f}")
        best = {key: min(seconds) for key, seconds in times.items()}
        print(f"overlapped against blocking: {best['Freehold', 'blocking'] / best['Freehold', 'overlapped']:.2f}")
        for compiler in ("C", "C, -march=native"):
            print(f"against {compiler}, overlapped: {best[compiler, 'overlapped'] / best['Freehold', 'overlapped']:.2f}")


main()
