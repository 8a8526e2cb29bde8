"""Measures what the constants of the heuristics in `runtime/src/contract` are worth.

    python3 thresholds.py [NAME ...]

For each constant: a contraction at its edge, computed by the runtime library as it
is and by one with another value, in turns, on one thread unless the row says
otherwise; the least time of each. Needs rustc and cc, and no packages.
"""

import ctypes
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile
import time

RUNTIME = pathlib.Path(__file__).resolve().parents[2] / "runtime" / "src"
RUSTC = """--edition 2024 --crate-type lib --crate-name freehold_runtime --emit obj -Copt-level=3
    -Cpanic=abort -Cforce-unwind-tables=no -Crelocation-model=pic -Ccodegen-units=1 --cap-lints allow"""
FUSED, ANY_ORDER, THREADS = 1, 2, 9


def product(m, n, k, transposed=False, flags=FUSED, threads=0):
    """Loops of `c[m, n] += a[m, k] * b[k, n]`: sizes, then strides of c, a and b."""
    b = (0, k, 1) if transposed else (0, 1, n)
    return [m, n, k], [(n, 1, 0), (k, 0, 1), b], flags | threads << THREADS


def cold(contraction):
    """The same with another right factor in each call, of as many as no cache holds."""
    sizes, strides, flags = contraction
    return sizes, strides, flags, 1 << 28


def windows(channels, filters, width, size=3, stride=1, flags=FUSED):
    """A convolution of `width` x `width` results, NCHW."""
    w = (width - 1) * stride + size
    sizes = [filters, width, width, channels, size, size]
    result = (width * width, width, 1, 0, 0, 0)
    kernel = (channels * size * size, 0, 0, size * size, size, 1)
    image = (0, stride * w, stride, w * w, w, 1)
    return sizes, [result, kernel, image], flags


# Constant, file, another value, what is computed.
ROWS = [
    ("SMALL", "mod.rs", "4096", "f32 8x8 times 8x8", product(8, 8, 8)),
    ("SMALL", "mod.rs", "0", "f32 4x4 times 4x4", product(4, 4, 4)),
    ("MIN_PARALLEL_WORK", "mod.rs", "1 << 40", "f32 128x128x128, 2 threads", product(128, 128, 128, threads=2)),
    ("MIN_PARALLEL_WORK", "mod.rs", "1 << 10", "f32 64x64x64, 2 threads", product(64, 64, 64, threads=2)),
    ("MAX_DOT_ROWS", "mod.rs", "0", "f32 4x256 times transposed 256x256", product(4, 256, 256, True, flags=FUSED | ANY_ORDER)),
    ("MAX_DOT_ROWS", "mod.rs", "0", "f32 500x256 times 256x10", product(500, 10, 256, flags=FUSED | ANY_ORDER)),
    ("MAX_DOT_ROWS", "mod.rs", "0", "f32 6x256 times 256x4", product(6, 4, 256, flags=FUSED | ANY_ORDER)),
    ("MAX_DOT_ROWS", "mod.rs", "16", "f32 16x256 times transposed 256x256", product(16, 256, 256, True, flags=FUSED | ANY_ORDER)),
    ("MAX_SPLAT_ROWS", "mod.rs", "0", "f32 conv 14x14, 16 to 2 channels", windows(16, 2, 14)),
    ("MAX_SPLAT_ROWS", "mod.rs", "16", "f32 conv 14x14, 16 to 4 channels", windows(16, 4, 14)),
    ("MAX_SPLAT_ROWS", "mod.rs", "0", "f32 conv 56x56, 16 to 2 channels", windows(16, 2, 56)),
    ("MIN_SPLAT_LANES", "mod.rs", "4", "f32 conv 4x4, 64 to 2 channels", windows(64, 2, 4)),
    ("MIN_DOT_INNER", "mod.rs", "1000", "f32 1x16 times transposed 500x16", product(1, 500, 16, True, flags=FUSED | ANY_ORDER)),
    ("MIN_DOT_INNER", "mod.rs", "1000", "f32 1x32 times transposed 64x32", product(1, 64, 32, True, flags=FUSED | ANY_ORDER)),
    ("MIN_DOT_INNER", "mod.rs", "1000", "f32 2x64 times transposed 64x64", product(2, 64, 64, True, flags=FUSED | ANY_ORDER)),
    ("MIN_DOT_INNER", "mod.rs", "1", "f32 4x8 times transposed 64x8", product(4, 64, 8, True, flags=FUSED | ANY_ORDER)),
    ("MAX_GAXPY_SUMS", "mod.rs", "0", "f32 1x500 times 500x32", product(1, 32, 500, flags=FUSED | ANY_ORDER)),
    ("MAX_GAXPY_SUMS", "mod.rs", "0", "f32 4x500 times 500x5", product(4, 5, 500, flags=FUSED | ANY_ORDER)),
    ("MAX_GAXPY_SUMS", "mod.rs", "0", "f32 1x500 times 500x128", product(1, 128, 500, flags=FUSED | ANY_ORDER)),
    ("MAX_GAXPY_SUMS", "mod.rs", "0", "f32 8x500 times 500x16", product(8, 16, 500, flags=FUSED | ANY_ORDER)),
    ("MAX_GAXPY_SUMS", "mod.rs", "1024", "f32 8x500 times 500x32", product(8, 32, 500, flags=FUSED | ANY_ORDER)),
    ("MAX_GAXPY_SUMS", "mod.rs", "1024", "f32 1x500 times 500x512", product(1, 512, 500, flags=FUSED | ANY_ORDER)),
    ("MIN_GAXPY_INNER", "mod.rs", "1000", "f32 1x8 times 8x64", product(1, 64, 8, flags=FUSED | ANY_ORDER)),
    ("MIN_WIDE_ROWS", "floats.rs", "1000", "f32 500x64 times 64x16", product(500, 16, 64)),
    ("MIN_WIDE_ROWS", "floats.rs", "1", "f32 4x256 times 256x16", product(4, 16, 256)),
    ("ROW_BLOCK", "product.rs", "4 * MAX_ROWS", "f32 512x512x512", product(512, 512, 512)),
    ("COLUMN_BLOCK", "product.rs", "128", "f32 512x512x512", product(512, 512, 512)),
    ("UNPACKED_ROW_TILES", "product.rs", "0", "f32 16x512 times 512x512", product(16, 512, 512)),
    ("UNPACKED_ROW_TILES", "product.rs", "100", "f32 128x512 times 512x512", product(128, 512, 512)),
    ("MAX_UNPACKED_BYTES", "product.rs", "0", "f32 256x64 times 64x64", product(256, 64, 64)),
    ("MAX_UNPACKED_BYTES", "product.rs", "1 << 30", "f32 256x256 times 256x256", product(256, 256, 256)),
    ("STREAMS", "product.rs", "192", "f32 16x1024 times 1024x8192, cold", cold(product(16, 8192, 1024))),
    ("STREAMS", "product.rs", "48", "f32 16x1024 times 1024x8192, cold", cold(product(16, 8192, 1024))),
    ("STREAMS", "product.rs", "192", "f32 28x768 times 768x3072, cold", cold(product(28, 3072, 768))),
    ("MIN_STREAMING_ROWS", "product.rs", "4", "f32 4x1024 times 1024x4096, cold", cold(product(4, 4096, 1024))),
    ("MIN_STREAMING_ROWS", "product.rs", "16", "f32 8x2048 times 2048x2048, cold", cold(product(8, 2048, 2048))),
    ("STREAMS_OF_FEW_ROWS", "product.rs", "192", "f32 1x512 times 512x8192, cold", cold(product(1, 8192, 512))),
    ("STREAMS_OF_FEW_ROWS", "product.rs", "24", "f32 1x512 times 512x8192, cold", cold(product(1, 8192, 512))),
    ("STREAMS_OF_FEW_ROWS", "product.rs", "192", "f32 2x1024 times 1024x4096, cold", cold(product(2, 4096, 1024))),
    ("STREAMS_OF_FEW_ROWS", "product.rs", "192", "f32 1x2048 times 2048x256, cold", cold(product(1, 256, 2048))),
    ("TILES_AHEAD", "product.rs", "1", "f32 6x2048 times 2048x1000, cold", cold(product(6, 1000, 2048))),
    ("TILES_AHEAD", "product.rs", "8", "f32 8x2048 times 2048x2048, cold", cold(product(8, 2048, 2048))),
    ("MAX_RESTING_BYTES", "product.rs", "1 << 16", "f32 16x256 times 256x512", product(16, 512, 256)),
    ("MAX_RESTING_BYTES", "product.rs", "1 << 30", "f32 16x512 times 512x1024", product(16, 1024, 512)),
    ("MIN_RUN", "product.rs", "1", "f32 conv 28x28, 64 to 64 channels", windows(64, 64, 28)),
    ("PITCH", "kernels.rs", "144", "f32 512x512x512", product(512, 512, 512)),
    ("PITCH", "kernels.rs", "272", "f32 512x512x512", product(512, 512, 512)),
    ("PITCH", "kernels.rs", "144", "f32 128x384 times 384x1536", product(128, 1536, 384)),
    ("PITCH", "kernels.rs", "272", "f32 128x384 times 384x1536", product(128, 1536, 384)),
    ("PITCH", "kernels.rs", "144", "f32 conv 56x56, 64 to 64 channels", windows(64, 64, 56)),
    ("PITCH", "kernels.rs", "272", "f32 conv 56x56, 64 to 64 channels", windows(64, 64, 56)),
]


def build(folder, name, change=None):
    """The runtime as a library, with one constant changed."""
    source = pathlib.Path(folder) / name
    subprocess.run(["cp", "-r", RUNTIME, source], check=True)
    if change:
        constant, file, value = change
        path = source / "contract" / file
        text, n = re.subn(rf"(const {constant}: \w+ = )[^;]*;", rf"\g<1>{value};", path.read_text())
        assert n == 1, constant
        path.write_text(text)
    object_, library = source / "runtime.o", source / "runtime.so"
    subprocess.run(["rustc", *RUSTC.split(), source / "lib.rs", "-o", object_], check=True)
    link = ["cc", "-shared", object_, "-lm", "-lpthread", "-ldl", "-o", library]
    subprocess.run(link, check=True)
    return ctypes.CDLL(str(library))


def bind(libraries, sizes, strides, flags, in_turns=0):
    """What computes a contraction once by each library, all of them on the same arrays: what the pages of others do in
    the caches is more than what there is to measure. Right factors of `in_turns` bytes take turns."""
    extent = [sum(s * (n - 1) for n, s in zip(sizes, row)) + 64 for row in strides]
    arrays = [(ctypes.c_float * n)(*([1.0] * n)) for n in extent]
    while 4 * extent[2] * (len(arrays) - 2) < in_turns:
        arrays.append(type(arrays[2]).from_buffer_copy(arrays[2]))
    numbers = [*sizes, *(s for row in strides for s in row)]
    numbers = (ctypes.c_int64 * len(numbers))(*numbers)
    addresses = [ctypes.cast(array, ctypes.c_void_p) for array in arrays]
    numbers_at = ctypes.cast(numbers, ctypes.c_void_p)

    def bind_one(library):
        function = library.freehold_contract_f32
        function.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_uint64] + [ctypes.c_void_p] * 2 + [ctypes.c_int64] * 3
        function.restype = None

        turns = itertools.cycle(addresses[2:])

        def call(keep=(arrays, numbers)):
            function(*addresses[:2], next(turns), flags, numbers_at, numbers_at, 0, len(numbers), 1)

        return call

    return [bind_one(library) for library in libraries]


def least(calls, seconds=1.5):
    times = [1e9] * len(calls)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for i, call in enumerate(calls):
            for _ in range(20):
                start = time.perf_counter()
                call()
                times[i] = min(times[i], time.perf_counter() - start)
    return times


def main():
    names = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        usual = build(folder, "usual")
        empty = least(bind([usual], [0, 1, 1], [(1, 1, 0), (1, 0, 1), (0, 1, 1)], 0), 0.2)[0]
        print("| constant | row | as it is | other value | time | ratio |\n|---|---|---|---|---|---|")
        for i, (constant, file, value, row, contraction) in enumerate(ROWS):
            if names and constant not in names:
                continue
            other = build(folder, f"other{i}", (constant, file, value))
            a, b = least(bind((usual, other), *contraction))
            # What a call from Python takes is no part of it.
            a, b = (max(t - empty, 1e-9) * 1e6 for t in (a, b))
            print(f"| `{constant}` | {row} | {a:.2f} us | {value} | {b:.2f} us | {b / a:.2f}x |", flush=True)


if __name__ == "__main__":
    main()
