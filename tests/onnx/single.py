"""Runs random models of one operator through `freehold run`, and compares the results with those of ONNX Runtime: of the
domains com.microsoft and ai.onnx.ml, and of ONNX what the reference evaluator lacks or does otherwise than PyTorch:

    python tests/onnx/single.py [--freehold=COMMAND] [--programs=N] [--seed=S] [--jobs=N] [--keep=FOLDER]
        [--only=OPERATOR,...] [--list=wrong,refused]

Each operator has a function in `MAKERS` that chooses operands, optional ones among them, attributes and sizes. Operands
are arguments of known sizes, arguments of sizes known at run time, or initializers. Models that ONNX Runtime rejects are
left out. Floats are compared by a thousandth of the largest value, results that are quantized may be off by one; with
--fp=strict, -O0 and -O2 must give the same bits. A model is *refused* if Freehold says why with status 1; everything else
that is not right is wrong: exits with status 1, and KEEP has the model and its arguments. Needs the packages onnx,
onnxruntime and numpy.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from cases import reason

MS, ML = "com.microsoft", "ai.onnx.ml"
OPSETS = {"": 20, MS: 1, ML: 3}


class Case:
    """One operator: its operands, attributes and results."""

    def __init__(self, seed):
        self.rng, self.np = random.Random(seed), np.random.default_rng(seed)
        self.inputs, self.attributes, self.outputs = [], {}, 1
        self.constants, self.fixed = set(), set()
        self.opsets = dict(OPSETS)
        self.near = 1e-3

    def chance(self, p=0.5):
        return self.rng.random() < p

    def size(self, most=6):
        return self.rng.randint(1, most)

    def shape(self, least=1, most=4):
        return tuple(self.size(5) for _ in range(self.rng.randint(least, most)))

    def floats(self, *shape, scale=1.0, dtype="f4"):
        return (self.np.standard_normal(shape) * scale).astype(dtype)

    def bytes_(self, *shape, signed=False):
        low, high = (-128, 128) if signed else (0, 256)
        return self.np.integers(low, high, shape).astype("i1" if signed else "u1")

    def scale(self, *shape):
        return self.np.uniform(0.01, 0.2, shape).astype("f4")

    def zero(self, *shape, signed=False):
        low, high = (-20, 20) if signed else (100, 150)
        return self.np.integers(low, high, shape).astype("i1" if signed else "u1")

    def add(self, *values, constant=False):
        """Operands, None for those that are absent."""
        for value in values:
            if constant and value is not None:
                self.constants.add(len(self.inputs))
            self.inputs.append(None if value is None else np.asarray(value))

    def maybe(self, value, p=0.5):
        return value if self.chance(p) else None


MAKERS = {}


def maker(domain, *operators):
    """Registers a function that fills in a case of one of these operators."""

    def register(function):
        for operator in operators:
            MAKERS[operator] = (domain, function)
        return function

    return register


@maker(MS, "BiasGelu", "FastGelu", "Gelu", "QuickGelu")
def gelu(c, operator):
    shape = c.shape()
    c.add(c.floats(*shape, scale=2))
    if operator == "BiasGelu":
        c.add(c.floats(shape[-1]))
    if operator == "FastGelu":
        c.add(c.maybe(c.floats(shape[-1])))
    if operator == "QuickGelu" and c.chance():
        c.attributes["alpha"] = c.rng.uniform(0.5, 2)


@maker(MS, "FusedMatMul", "TransposeMatMul")
def fused_matmul(c, operator):
    batch = c.shape(0, 2)
    m, k, n = c.size(), c.size(), c.size()
    flags = {name: int(c.chance(0.4)) for name in ("transA", "transB")}
    a, b = (m, k), (k, n)
    if flags["transA"]:
        a = a[::-1]
    if flags["transB"]:
        b = b[::-1]
    c.add(c.floats(*batch, *a), c.floats(*(batch if c.chance() else ()), *b))
    c.attributes = {**flags, "alpha": c.rng.choice([1.0, 0.5, 2.0])}
    if operator == "FusedMatMul" and c.chance(0.2) and batch:
        c.attributes[c.rng.choice(["transBatchA", "transBatchB"])] = 1


ACTIVATIONS = ["Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid", "Elu", "Softplus", "Softsign", "ThresholdedRelu"]


@maker(MS, "FusedGemm")
def fused_gemm(c, operator):
    m, k, n = c.size(), c.size(), c.size()
    ta, tb = int(c.chance(0.3)), int(c.chance(0.3))
    c.add(c.floats(*((k, m) if ta else (m, k))), c.floats(*((n, k) if tb else (k, n))))
    c.add(c.maybe(c.floats(*c.rng.choice([(n,), (m, n), (1, n), (m, 1)]))))
    c.attributes = {"transA": ta, "transB": tb, "alpha": c.rng.choice([1.0, 0.5]), "beta": c.rng.choice([1.0, 2.0])}
    c.attributes["activation"] = c.rng.choice(ACTIVATIONS[:5])
    c.attributes["activation_alpha"] = c.rng.uniform(0.1, 0.4)
    c.attributes["activation_beta"] = c.rng.uniform(0.1, 0.4)


@maker(MS, "FusedConv")
def fused_conv(c, operator):
    n, channels, out, group = c.size(2), c.size(3), c.size(4), c.rng.choice([1, 1, 2])
    size, kernel = (c.size(6) + 3, c.size(6) + 3), (c.size(3), c.size(3))
    c.add(c.floats(n, channels * group, *size))
    c.add(c.floats(out * group, channels, *kernel), c.maybe(c.floats(out * group)), constant=c.chance())
    c.attributes = {"kernel_shape": kernel, "group": group, "strides": (c.size(2), c.size(2))}
    c.attributes["pads"] = [c.rng.randint(0, k - 1) for k in (*kernel, *kernel)]
    kind = c.rng.choice([None, "Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip", "HardSigmoid"])
    if kind:
        c.attributes["activation"] = kind
    params = {"LeakyRelu": [0.3], "Clip": [-0.5, 0.7], "HardSigmoid": [0.3, 0.4]}.get(kind)
    if params:
        c.attributes["activation_params"] = params


@maker(MS, "SkipLayerNormalization")
def skip_layer_norm(c, operator):
    b, s, h = c.size(3), c.size(), c.size() + 1
    c.add(c.floats(b, s, h), c.floats(*c.rng.choice([(b, s, h), (1, s, h), (s, h)])), c.floats(h))
    c.add(c.maybe(c.floats(h)), c.maybe(c.floats(h)))
    if c.chance(0.8):
        c.attributes["epsilon"] = c.rng.choice([1e-5, 1e-3])
    c.outputs = c.rng.choice([[0], [0, 3]])


@maker(MS, "SkipSimplifiedLayerNormalization")
def skip_rms_norm(c, operator):
    b, s, h = c.size(3), c.size(), c.size() + 1
    c.add(c.floats(b, s, h), c.floats(b, s, h), c.floats(h), c.maybe(c.floats(h)))
    if c.chance(0.8):
        c.attributes["epsilon"] = c.rng.choice([1e-5, 1e-3])
    c.outputs = c.rng.choice([[0], [0, 3]])


@maker("", "SimplifiedLayerNormalization")
def rms_norm(c, operator):
    shape = c.shape(2, 3)
    c.add(c.floats(*shape), c.floats(shape[-1]))
    c.attributes = {"axis": -1, "epsilon": c.rng.choice([1e-5, 1e-3])}


@maker(MS, "EmbedLayerNormalization")
def embed(c, operator):
    b, s, h, words = c.size(3), c.size(), c.size() + 1, c.size() + 3
    has_segments = c.chance()
    c.add(c.np.integers(0, words, (b, s)).astype("i4"))
    c.add(c.np.integers(0, 2, (b, s)).astype("i4") if has_segments else None)
    c.add(c.floats(words, h), c.floats(s + 2, h), c.floats(2, h) if has_segments else None, constant=c.chance())
    c.add(c.floats(h), c.floats(h), c.maybe(c.np.integers(0, 2, (b, s)).astype("i4")))
    c.add(c.maybe(c.np.integers(0, s, (b, s)).astype("i4"), 0.3))
    c.outputs = c.rng.choice([[0, 1], [0, 1, 2]])
    if c.chance(0.8):
        c.attributes["epsilon"] = c.rng.choice([1e-12, 1e-5])


@maker("", "GridSample")
def grid_sample(c, operator):
    n, rank = c.size(2), 2 if c.chance(0.8) else 3
    sizes, to = [c.size() + 1 for _ in range(rank)], [c.size(4) for _ in range(rank)]
    # Outside of the image as well.
    c.add(c.floats(n, c.size(2), *sizes), c.np.uniform(-2, 2, (n, *to, rank)).astype("f4"))
    modes = ["linear", "nearest"] + (["cubic"] if rank == 2 else [])
    c.attributes["mode"] = c.rng.choice(modes)
    c.attributes["padding_mode"] = c.rng.choice(["zeros", "border", "reflection"])
    c.attributes["align_corners"] = int(c.chance())


@maker("", "LSTM", "GRU", "RNN")
def recurrent(c, operator):
    t, b, i, h = c.size(), c.size(3), c.size(4), c.size(4)
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[operator]
    direction = c.rng.choice(["forward", "reverse", "bidirectional"])
    d = 2 if direction == "bidirectional" else 1
    c.add(c.floats(t, b, i), c.floats(d, gates * h, i), c.floats(d, gates * h, h), c.maybe(c.floats(d, 2 * gates * h)))
    c.add(c.maybe(c.np.integers(1, t + 1, b).astype("i4")), c.maybe(c.floats(d, b, h)))
    if operator == "LSTM":
        c.add(c.maybe(c.floats(d, b, h)), c.maybe(c.floats(d, 3 * h)))
    c.attributes = {"hidden_size": h, "direction": direction}
    if operator == "GRU":
        c.attributes["linear_before_reset"] = int(c.chance())
    if c.chance(0.3):
        c.attributes["clip"] = c.rng.uniform(0.3, 2)
    if c.chance(0.4):
        number = {"LSTM": 3, "GRU": 2, "RNN": 1}[operator]
        kinds = ["Relu", "Tanh", "Sigmoid", "Softsign", "Softplus", "Affine", "LeakyRelu", "ScaledTanh", "HardSigmoid", "Elu"]
        c.attributes["activations"] = [c.rng.choice(kinds) for _ in range(number * d)]
        c.attributes["activation_alpha"] = [c.rng.uniform(0.2, 1) for _ in range(number * d)]
        c.attributes["activation_beta"] = [c.rng.uniform(0.1, 0.5) for _ in range(number * d)]
    c.outputs = c.rng.choice([[0], [1], [0, 1]] + ([[0, 1, 2], [2]] if operator == "LSTM" else []))


@maker("", "AveragePool", "MaxPool", "LpPool")
def pool(c, operator):
    rank = c.rng.choice([1, 2, 2, 3])
    kernel = [c.size(3) for _ in range(rank)]
    dilations = [c.size(2) for _ in range(rank)]
    sizes = [c.size(6) + 5 for _ in range(rank)]
    c.add(c.floats(c.size(2), c.size(3), *sizes))
    c.attributes = {"kernel_shape": kernel, "strides": [c.size(3) for _ in range(rank)], "dilations": dilations}
    if c.chance(0.3):
        c.attributes["auto_pad"] = c.rng.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
        # ONNX Runtime pads as if there were none.
        c.attributes["dilations"] = [1] * rank
    else:
        c.attributes["pads"] = [c.rng.randint(0, k - 1) for k in kernel + kernel]
        c.attributes["ceil_mode"] = int(c.chance(0.4))
    if operator == "AveragePool":
        c.attributes["count_include_pad"] = int(c.chance())
    if operator == "MaxPool":
        c.outputs = c.rng.choice([[0], [0, 1]])
        c.attributes["storage_order"] = int(c.chance(0.3))
    if operator == "LpPool":
        c.attributes["p"] = c.rng.randint(1, 3)


@maker("", "ConvTranspose", "Conv")
def convolution(c, operator):
    rank, group = c.rng.choice([1, 2, 2, 3]), c.rng.choice([1, 1, 2, 3])
    kernel = [c.size(3) for _ in range(rank)]
    strides = [c.size(3) for _ in range(rank)]
    a, b = c.size(3), c.size(3)
    channels = (a * group, b) if operator == "ConvTranspose" else (b * group, a)
    c.add(c.floats(c.size(2), a * group, *(c.size(6) + 5 for _ in range(rank))), c.floats(*channels, *kernel))
    c.add(c.maybe(c.floats(b * group)))
    c.attributes = {"kernel_shape": kernel, "strides": strides, "group": group, "dilations": [c.size(2) for _ in range(rank)]}
    if c.chance(0.3):
        c.attributes["auto_pad"] = c.rng.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
    else:
        c.attributes["pads"] = [c.rng.randint(0, k - 1) for k in kernel + kernel]
    # ONNX Runtime has other sizes where it pads by itself and kernels are shorter than strides.
    if operator == "ConvTranspose" and "auto_pad" in c.attributes:
        c.attributes["strides"] = [min(s, k) for s, k in zip(strides, kernel)]
    elif operator == "ConvTranspose" and c.chance(0.4):
        c.attributes["output_padding"] = [c.rng.randint(0, s - 1) for s in strides]


@maker(MS, "RotaryEmbedding")
def rotary(c, operator):
    b, s, heads, half = c.size(2), c.size(), c.size(3), c.size(3)
    head = 2 * half
    is_flat = c.chance()
    c.add(c.floats(b, s, heads * head) if is_flat else c.floats(b, heads, s, head))
    longest = s + 4
    start = c.rng.randint(0, 3)
    c.add(np.int64([start]) if c.chance() else c.np.integers(0, longest, (b, s)).astype("i8"))
    c.add(c.floats(longest, half), c.floats(longest, half))
    c.attributes["interleaved"] = int(c.chance())
    if is_flat and c.chance():
        c.attributes["num_heads"] = heads


def padding_mask(c, b, s, total):
    """A mask of integers of one of its forms."""
    kind = c.rng.choice([(b, total), (b, s, total)])
    mask = c.np.integers(0, 2, kind).astype("i4")
    mask[..., 0] = 1
    return mask


@maker(MS, "Attention")
def attention(c, operator):
    b, s, heads, head, width = c.size(2), c.size(5), c.size(3), c.size(4), c.size(5)
    hidden = heads * head
    hidden_v = heads * c.size(3) if c.chance(0.3) else hidden
    c.add(c.floats(b, s, width), c.floats(width, 2 * hidden + hidden_v), c.floats(2 * hidden + hidden_v))
    c.add(padding_mask(c, b, s, s) if c.chance(0.4) else None, None)
    c.add(c.maybe(c.floats(c.rng.choice([1, b]), c.rng.choice([1, heads]), s, s), 0.3))
    c.attributes = {"num_heads": heads, "unidirectional": int(c.chance(0.4))}
    if hidden_v != hidden:
        c.attributes["qkv_hidden_sizes"] = [hidden, hidden, hidden_v]
    if c.chance(0.3):
        c.attributes["scale"] = 0.4


@maker(MS, "MultiHeadAttention")
def multi_head(c, operator):
    b, s, heads, head = c.size(2), c.size(5), c.size(3), c.size(4)
    columns = c.size(5) if c.chance() else s
    hidden, hidden_v = heads * head, heads * (c.size(3) if c.chance(0.3) else head)
    past = c.size(3) if c.chance(0.3) and hidden == hidden_v and columns == s else 0
    c.add(c.floats(b, s, hidden), c.floats(b, columns, hidden), c.floats(b, columns, hidden_v))
    c.add(c.maybe(c.floats(2 * hidden + hidden_v), 0.4))
    total = columns + past
    c.add(padding_mask(c, b, s, total) if c.chance(0.3) else None)
    c.add(c.maybe(c.floats(c.rng.choice([1, b]), c.rng.choice([1, heads]), s, total), 0.3))
    if past:
        c.add(c.floats(b, heads, past, head), c.floats(b, heads, past, head))
        c.outputs = [0, 1, 2]
    c.attributes = {"num_heads": heads}
    # Of other lengths, ONNX Runtime shows all to the last row.
    if c.chance(0.3) and columns == s:
        c.attributes["unidirectional"] = 1
    if c.chance(0.3):
        c.attributes["scale"] = 0.4


@maker(MS, "GroupQueryAttention")
def group_query(c, operator):
    s, kv, per, head = c.size(5), c.size(3), c.size(3), 16 * c.size(2)
    heads, past = kv * per, c.rng.choice([0, 0, 3, 4])
    if past:
        s = 1
    is_packed = c.chance(0.3)
    if is_packed:
        c.add(c.floats(1, s, (heads + 2 * kv) * head), None, None)
    else:
        c.add(c.floats(1, s, heads * head), c.floats(1, s, kv * head), c.floats(1, s, kv * head))
    c.add(c.floats(1, kv, past, head), c.floats(1, kv, past, head))
    c.add(np.int32([past + s - 1]), np.int32(past + s))
    c.attributes = {"num_heads": heads, "kv_num_heads": kv}
    if c.chance():
        c.add(c.floats(past + s + 3, head // 2), c.floats(past + s + 3, head // 2))
        c.attributes.update(do_rotary=1, rotary_interleaved=int(c.chance()))
    if c.chance(0.3):
        c.attributes["local_window_size"] = c.rng.randint(1, 4)
    if c.chance(0.3):
        c.attributes["scale"] = 0.3
    c.outputs = [0, 1, 2]
    c.fixed.add(3)


@maker(MS, "MatMulNBits")
def matmul_n_bits(c, operator):
    bits, block = c.rng.choice([4, 4, 8]), c.rng.choice([16, 32])
    k, n = c.rng.choice([16, 20, 32, 48, 70]), c.size(8)
    blocks = -(-k // block)
    c.add(c.floats(*c.shape(1, 2), k))
    c.add(c.bytes_(n, blocks, block * bits // 8), c.scale(n * blocks), constant=True)
    zeros = c.bytes_(n * -(-blocks * bits // 8))
    c.add(c.maybe(zeros), None, c.maybe(c.floats(n), 0.3), constant=True)
    c.attributes = {"K": k, "N": n, "bits": bits, "block_size": block}


@maker(MS, "DynamicQuantizeMatMul", "MatMulIntegerToFloat")
def integer_product(c, operator):
    m, k, n = c.size(), c.size(), c.size()
    signed = c.chance()
    batch = c.shape(0, 1)
    scale, zero = c.rng.choice([((), ()), ((1,), (1,)), ((n,), (n,))])
    if operator == "DynamicQuantizeMatMul":
        c.add(c.floats(*batch, m, k), c.bytes_(k, n, signed=signed))
        c.add(c.scale(*scale), c.maybe(c.zero(*zero, signed=signed)), c.maybe(c.floats(n)))
        return
    other = c.chance(0.3)
    c.add(c.bytes_(*batch, m, k, signed=other), c.bytes_(k, n, signed=signed), c.scale(), c.scale(*scale))
    c.add(c.maybe(c.zero(signed=other)), c.maybe(c.zero(*zero, signed=signed)), c.maybe(c.floats(n)))


def quantized(c, *shape, signed=False):
    c.add(c.bytes_(*shape, signed=signed), c.scale(), c.zero(signed=signed))


@maker(MS, "QLinearAdd", "QLinearMul")
def q_linear_binary(c, operator):
    shape, signed = c.shape(), c.chance(0.4)
    other = tuple(1 if c.chance(0.2) else n for n in shape)[c.rng.choice([0, 0, 1]) :]
    quantized(c, *shape, signed=signed)
    quantized(c, *other, signed=signed)
    c.add(c.scale(), c.zero(signed=signed))


@maker(MS, "QLinearLeakyRelu", "QLinearSigmoid", "QLinearSoftmax")
def q_linear_unary(c, operator):
    signed = c.chance(0.4)
    shape = c.shape(1, 3)
    quantized(c, *shape, signed=signed)
    c.add(c.scale() if operator == "QLinearLeakyRelu" else np.float32(1 / 256))
    c.add(c.zero(signed=signed) if operator != "QLinearSoftmax" else np.array(0, "i1" if signed else "u1"))
    c.constants.update([1, 2, 3, 4])
    if operator == "QLinearLeakyRelu":
        c.attributes["alpha"] = 0.1
    if operator == "QLinearSoftmax":
        c.attributes = {"axis": c.rng.randrange(-len(shape), len(shape)), "opset": c.rng.choice([12, 13])}


@maker(MS, "QLinearConcat")
def q_linear_concat(c, operator):
    shape, signed = c.shape(1, 3), c.chance(0.4)
    at = c.rng.randrange(len(shape))
    c.add(c.scale(), c.zero(signed=signed))
    for _ in range(c.size(3)):
        quantized(c, *(c.size() if i == at else n for i, n in enumerate(shape)), signed=signed)
    c.attributes["axis"] = at
    c.constants.update(i for i in range(len(c.inputs)) if i < 2 or (i - 2) % 3)


@maker(MS, "QLinearGlobalAveragePool", "QLinearAveragePool")
def q_linear_pool(c, operator):
    signed = c.chance(0.4)
    n, channels, size = c.size(2), c.size(3), [c.size(4) + 2 for _ in range(c.rng.randint(1, 2) if "Global" not in operator else 2)]
    last = c.chance(0.2)
    quantized(c, n, *((*size, channels) if last else (channels, *size)), signed=signed)
    c.add(c.scale(), c.zero(signed=signed))
    c.attributes["channels_last"] = int(last)
    if operator == "QLinearAveragePool":
        kernel = [c.size(3) for _ in size]
        pads = [c.rng.randint(0, k - 1) for k in kernel * 2]
        c.attributes.update(kernel_shape=kernel, pads=pads, strides=[c.size(2) for _ in size])
        c.attributes.update(count_include_pad=int(c.chance()), ceil_mode=int(c.chance(0.3)))
        c.constants.update([1, 2, 3, 4])


@maker(MS, "QLinearWhere")
def q_linear_where(c, operator):
    shape, signed = c.shape(1, 3), c.chance(0.4)
    c.add(c.np.random(shape) < 0.5)
    quantized(c, *shape, signed=signed)
    quantized(c, *shape, signed=signed)
    c.add(c.scale(), c.zero(signed=signed))
    c.constants.update([2, 3, 5, 6, 7, 8])


@maker(MS, "QGemm")
def q_gemm(c, operator):
    m, k, n = c.size(), c.size(), c.size()
    ta, tb, signed = int(c.chance(0.3)), int(c.chance(0.3)), c.chance(0.4)
    per = c.rng.choice([(), (n,)])
    c.add(c.bytes_(*((k, m) if ta else (m, k))), c.scale(), c.zero())
    c.add(c.bytes_(*((n, k) if tb else (k, n)), signed=signed), c.scale(*per), c.zero(*per, signed=signed))
    c.add(c.maybe(c.np.integers(-500, 500, c.rng.choice([(n,), (m, n)])).astype("i4")))
    if c.chance():
        c.add(np.float32(c.rng.uniform(1, 3)), c.zero())
    c.attributes = {"transA": ta, "transB": tb, "alpha": c.rng.choice([1.0, 0.5])}


@maker(MS, "QuantizeLinear", "DequantizeLinear")
def linear(c, operator):
    shape, signed = c.shape(1, 3), c.chance(0.4)
    at = c.rng.randrange(len(shape))
    per = c.rng.choice([(), (shape[at],)])
    if operator == "QuantizeLinear":
        c.add(c.floats(*shape, scale=5), c.scale(*per), c.zero(*per, signed=signed))
    else:
        c.add(c.bytes_(*shape, signed=signed), c.scale(*per), c.zero(*per, signed=signed))
    if per:
        c.attributes["axis"] = at


@maker(MS, "DynamicQuantizeLSTM")
def quantized_lstm(c, operator):
    s, b, width, hidden = c.size(4), 1, c.size(5) + 1, c.size(5) + 1
    direction = c.rng.choice(["forward", "reverse", "bidirectional"])
    n, signed = 2 if direction == "bidirectional" else 1, c.chance()
    per = c.rng.choice([(n,), (n, 4 * hidden)])
    c.add(c.floats(s, b, width))
    c.add(c.bytes_(n, width, 4 * hidden, signed=signed), c.bytes_(n, hidden, 4 * hidden, signed=signed), constant=True)
    c.add(c.maybe(c.floats(n, 8 * hidden)), None)
    state = c.chance()
    c.add(*(c.floats(n, b, hidden) if state else None for _ in range(2)))
    c.add(c.maybe(c.floats(n, 3 * hidden), 0.3))
    for _ in range(2):
        c.add(c.scale(*per) * 0.1, c.zero(*per, signed=signed), constant=True)
    c.attributes = {"hidden_size": hidden, "direction": direction}
    c.outputs = [0, 1, 2]
    c.near = 2e-2


@maker(MS, "CDist")
def cdist(c, operator):
    width = c.size()
    c.add(c.floats(c.size(), width), c.floats(c.size(), width))
    c.attributes["metric"] = c.rng.choice(["sqeuclidean", "euclidean"])
    # What is computed by a product of matrices loses digits.
    c.near = 3e-3


@maker(MS, "Trilu")
def trilu(c, operator):
    c.add(c.floats(*c.shape(2, 3)), c.maybe(np.int64(c.rng.randint(-2, 3))))
    c.attributes["upper"] = int(c.chance())


@maker(ML, "ArrayFeatureExtractor")
def array_feature_extractor(c, operator):
    shape = c.shape(1, 2)
    c.add(c.floats(*shape), c.np.integers(0, shape[-1], (c.size(),)).astype("i8"))


@maker(ML, "Binarizer", "Normalizer")
def binarizer(c, operator):
    c.add(c.floats(c.size(), c.size()))
    if operator == "Binarizer":
        c.attributes["threshold"] = c.rng.choice([0.0, 0.3])
    else:
        c.attributes["norm"] = c.rng.choice(["MAX", "L1", "L2"])


@maker(ML, "Scaler")
def scaler(c, operator):
    n, f = c.size(), c.size()
    k = c.rng.choice([1, f])
    value = c.floats(n, f, scale=3)
    c.add(value if c.chance(0.7) else value.astype(c.rng.choice(["i8", "i4", "f8"])))
    c.attributes = {"offset": c.floats(k).tolist(), "scale": c.floats(k).tolist()}


@maker(ML, "FeatureVectorizer")
def feature_vectorizer(c, operator):
    n = c.size()
    sizes = [c.size() for _ in range(c.size(3))]
    dtype = c.rng.choice(["f4", "i8"])
    c.add(*(c.floats(n, size, scale=3).astype(dtype) for size in sizes))
    c.attributes["inputdimensions"] = sizes


@maker(ML, "Imputer")
def imputer(c, operator):
    n, f = c.size(), c.size()
    k = c.rng.choice([1, f])
    if c.chance(0.6):
        value = c.floats(n, f)
        missing = c.rng.choice([float("nan"), 0.0, 1.5])
        value[c.np.random((n, f)) < 0.4] = missing
        c.attributes = {"imputed_value_floats": c.floats(k).tolist(), "replaced_value_float": missing}
    else:
        value = c.np.integers(-2, 3, (n, f))
        c.attributes = {"imputed_value_int64s": [5] * k, "replaced_value_int64": -1}
    c.add(value)


@maker(ML, "LabelEncoder")
def label_encoder(c, operator):
    keys, values = c.rng.choice(["floats", "int64s"]), c.rng.choice(["floats", "int64s"])
    n = c.size(8)
    numbers = c.rng.sample(range(-6, 12), n)
    c.attributes[f"keys_{keys}"] = [float(x) if keys == "floats" else x for x in numbers]
    made = [c.rng.randint(-50, 50) for _ in range(n)]
    c.attributes[f"values_{values}"] = [float(x) if values == "floats" else x for x in made]
    c.attributes["default_float" if values == "floats" else "default_int64"] = c.rng.choice([7, -3]) * (1.0 if values == "floats" else 1)
    c.add(c.np.integers(-6, 12, c.shape(1, 2)).astype("f4" if keys == "floats" else "i8"))


@maker(ML, "OneHotEncoder")
def one_hot(c, operator):
    c.add(c.np.integers(-1, 5, c.shape(1, 2)).astype(c.rng.choice(["i8", "f4", "i4"])))
    c.attributes = {"cats_int64s": c.rng.sample(range(6), c.size(5)), "zeros": 1}


TRANSFORMS = ["NONE", "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"]


@maker(ML, "LinearRegressor")
def linear_regressor(c, operator):
    n, f, t = c.size(), c.size(), c.size(3)
    c.add(c.floats(n, f))
    c.attributes = {"coefficients": c.floats(f * t).tolist(), "targets": t}
    if c.chance(0.7):
        c.attributes["intercepts"] = c.floats(t).tolist()
    if t > 1:
        c.attributes["post_transform"] = c.rng.choice(TRANSFORMS[:5])


@maker(ML, "LinearClassifier")
def linear_classifier(c, operator):
    n, f, t = c.size(), c.size(), c.size(4)
    labels = max(t, 2)
    c.add(c.floats(n, f))
    c.attributes = {"coefficients": c.floats(f * t).tolist(), "intercepts": c.floats(t).tolist()}
    c.attributes["classlabels_ints"] = c.rng.sample(range(20), labels)
    c.attributes["post_transform"] = c.rng.choice(TRANSFORMS[:5])
    c.outputs = [0, 1]


@maker(ML, "SVMRegressor")
def svm_regressor(c, operator):
    n, f, vectors = c.size(), c.size(), c.size(8)
    c.add(c.floats(n, f))
    c.attributes["kernel_type"] = c.rng.choice(["LINEAR", "POLY", "RBF", "SIGMOID"])
    c.attributes["kernel_params"] = [c.rng.uniform(0.1, 1), c.rng.uniform(0, 1), float(c.rng.randint(1, 3))]
    if c.chance(0.2):
        c.attributes.update(coefficients=c.floats(f).tolist(), n_supports=0)
    else:
        c.attributes.update(coefficients=c.floats(vectors).tolist(), n_supports=vectors)
        c.attributes["support_vectors"] = c.floats(vectors * f).tolist()
    c.attributes.update(rho=[c.rng.uniform(-1, 1)], one_class=int(c.chance(0.3)))


def tree(c, features, leaf):
    """The nodes of a random tree: lists by name; `leaf` is called with the number of each leaf."""
    nodes = []

    def grow(depth):
        at = len(nodes)
        nodes.append(None)
        if depth == 0 or c.chance(0.2):
            leaf(at)
            nodes[at] = (at, 0, 0.0, "LEAF", 0, 0, 0)
            return at
        mode = c.rng.choice(["BRANCH_LEQ"] * 4 + c.modes)
        value = c.rng.randint(-8, 8) / 4
        yes = grow(depth - 1)
        no = grow(depth - 1)
        nodes[at] = (at, c.rng.randrange(features), value, mode, yes, no, int(c.chance(0.3)))
        return at

    grow(c.rng.randint(0, 4))
    return nodes


def forest(c, prefix, targets, one_vote, choose):
    """Attributes of random trees and their votes."""
    features = c.size(4)
    rows = c.np.integers(-10, 10, (c.size(), features)) / 4
    kind = c.rng.choice(["f4"] * 4 + ["f8", "i8"])
    c.add(rows.astype(kind))
    if kind[0] == "f" and c.chance(0.3):
        c.inputs[0][c.np.random(c.inputs[0].shape) < 0.2] = np.nan
    c.modes = c.rng.choice([[], ["BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]])
    names = ["nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids", "missing_value_tracks_true"]
    lists = collections.defaultdict(list)
    for number in range(c.size(4)):

        def leaf(at):
            voted = [choose()] if one_vote else c.rng.sample(range(targets), c.rng.randint(1, targets))
            for target in voted:
                lists[f"{prefix}_treeids"].append(number)
                lists[f"{prefix}_nodeids"].append(at)
                lists[f"{prefix}_ids"].append(target)
                lists[f"{prefix}_weights"].append(c.rng.randint(1, 8) / 8 * c.sign())

        for node in tree(c, features, leaf):
            lists["nodes_treeids"].append(number)
            for name, number_of in zip(names, node):
                lists[f"nodes_{name}"].append(number_of)
    lists["nodes_hitrates"] = [1.0] * len(lists["nodes_treeids"])
    if c.chance():
        del lists["nodes_missing_value_tracks_true"]
    c.attributes.update(lists)


@maker(ML, "TreeEnsembleRegressor")
def tree_regressor(c, operator):
    targets = c.rng.choice([1, 1, 2, 3])
    c.sign = lambda: c.rng.choice([1, -1])
    forest(c, "target", targets, targets == 1 or c.chance(0.3), lambda: c.rng.randrange(targets))
    c.attributes["n_targets"] = targets
    c.attributes["aggregate_function"] = c.rng.choice(["SUM", "SUM", "AVERAGE", "MIN", "MAX"])
    c.attributes["post_transform"] = c.rng.choice(TRANSFORMS[:5])
    # To a target that no tree votes for, ONNX Runtime adds none.
    if c.chance(0.3) and targets == 1:
        c.attributes["base_values"] = c.floats(targets).tolist()


@maker(ML, "TreeEnsembleClassifier")
def tree_classifier(c, operator):
    classes = c.rng.choice([2, 2, 3, 4])
    positive, only = c.chance(), c.rng.choice([None, 0, 1])
    c.sign = lambda: 1 if positive else c.rng.choice([1, -1])
    if classes == 2 and only is not None:
        forest(c, "class", 2, True, lambda: only)
    else:
        forest(c, "class", classes, c.chance(0.3), lambda: c.rng.randrange(classes))
    # Of two classes ONNX Runtime may give 0 and 1, whatever they are called.
    labels = list(range(2)) if classes == 2 else c.rng.sample(range(20), classes)
    c.attributes["classlabels_int64s"] = labels
    c.attributes["post_transform"] = c.rng.choice(TRANSFORMS[:5])
    if c.chance(0.3):
        c.attributes["base_values"] = c.floats(classes if classes > 2 else 1).tolist()
    c.outputs = [0, 1]


@maker(ML, "TreeEnsemble")
def tree_ensemble(c, operator):
    c.opsets[ML] = 5
    targets, features = c.size(3), c.size(4)
    dtype = c.rng.choice(["f4", "f4", "f8"])
    c.add((c.np.integers(-10, 10, (c.size(), features)) / 4).astype(dtype))
    nodes, leaves, roots, members = [], [], [], []

    def leaf():
        leaves.append((c.rng.randrange(targets), c.rng.randint(-8, 8) / 8))
        return len(leaves) - 1

    def grow(depth):
        at = len(nodes)
        nodes.append(None)
        mode = c.rng.choice([0, 0, 0, 1, 2, 3, 4, 5, 6])
        children = []
        for _ in range(2):
            is_leaf = depth == 0 or c.chance(0.4)
            children.append((int(is_leaf), leaf() if is_leaf else grow(depth - 1)))
        nodes[at] = [c.rng.randrange(features), c.rng.randint(-8, 8) / 4, mode, *children[0], *children[1], int(c.chance(0.3))]
        return at

    for _ in range(c.size(3)):
        roots.append(grow(c.rng.randint(0, 3)))
    for node in nodes:
        if node[2] == 6:
            members += [*(c.rng.randint(-8, 8) / 4 for _ in range(c.size(3))), float("nan")]
    array = lambda numbers, kind=dtype: numpy_helper.from_array(np.array(numbers, kind))
    names = ["nodes_featureids", None, None, "nodes_trueleafs", "nodes_truenodeids", "nodes_falseleafs", "nodes_falsenodeids"]
    c.attributes = {name: [node[i] for node in nodes] for i, name in enumerate(names) if name}
    c.attributes.update(
        nodes_splits=array([node[1] for node in nodes]),
        nodes_modes=array([node[2] for node in nodes], "u1"),
        leaf_targetids=[leaf[0] for leaf in leaves],
        leaf_weights=array([leaf[1] for leaf in leaves]),
        tree_roots=roots,
        n_targets=targets,
        aggregate_function=c.rng.choice([1, 1, 0, 2, 3]),
        # ONNX Runtime has 1 and 2 the other way round.
        post_transform=c.rng.choice([0, 0, 3]),
    )
    if members:
        c.attributes["membership_values"] = array(members)


def model_of(c, domain, operator):
    """The model and its arguments."""
    is_dynamic, all_constant = c.chance(0.4), c.chance(0.2)
    names, infos, feeds, initializers = [], [], {}, []
    for i, value in enumerate(c.inputs):
        if value is None:
            names.append("")
            continue
        name = f"x{i}"
        names.append(name)
        if i and (i in c.constants or all_constant or c.chance(0.2)):
            initializers.append(numpy_helper.from_array(value, name))
            continue
        dims = list(value.shape)
        if is_dynamic and i not in c.fixed:
            dims = [f"d{i}_{j}" if c.chance(0.7) else dim for j, dim in enumerate(dims)]
        infos.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), dims))
        feeds[name] = value
    while names and not names[-1]:
        names.pop()
    wanted = list(range(c.outputs)) if isinstance(c.outputs, int) else c.outputs
    outputs = [f"y{i}" if i in wanted else "" for i in range(max(wanted) + 1)]
    node = helper.make_node(operator, names, outputs, domain=domain, **c.attributes)
    graph = helper.make_graph([node], "single", infos, [onnx.ValueInfoProto(name=f"y{i}") for i in wanted], initializers)
    opsets = [helper.make_opsetid(name, version) for name, version in c.opsets.items()]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10), feeds


def generate(seed, only):
    """A random model with its arguments and results; nothing if ONNX Runtime rejects it."""
    c = Case(seed)
    operator = c.rng.choice([name for name in sorted(MAKERS) if not only or name in only])
    domain, make = MAKERS[operator]
    make(c, operator)
    model, feeds = model_of(c, domain, operator)
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 4
    settings.intra_op_num_threads = 1
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
        want = session.run(None, feeds)
    except Exception as error:
        return operator, model, feeds, str(error), c
    for output, value in zip(model.graph.output, want):
        output.CopyFrom(helper.make_tensor_value_info(output.name, helper.np_dtype_to_tensor_dtype(value.dtype), None))
        output.type.tensor_type.ClearField("shape")
    return operator, model, feeds, want, c


def difference(got, want, near):
    """What differs, if anything."""
    if len(got) != len(want):
        return f"{len(got)} results, not {len(want)}"
    for i, (a, b) in enumerate(zip(got, want)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {i}: {a.dtype}{a.shape}, not {b.dtype}{b.shape}"
        if b.dtype.kind in "iu" and b.dtype.itemsize == 1:
            is_near = np.abs(a.astype(int) - b.astype(int)) <= 1
        elif b.dtype.kind in "iub":
            is_near = a == b
        else:
            finite = np.abs(b[np.isfinite(b)])
            is_near = np.isclose(a, b, rtol=near, atol=near * max(finite.max(initial=0), 0.01), equal_nan=True)
        if not is_near.all():
            at = np.unravel_index(int(np.argmin(is_near)), b.shape)
            return f"result {i}: {int((~is_near).sum())} of {b.size} differ, first {at}: {a[at]} instead of {b[at]}"
    return None


def has_same_bits(one, other):
    """Whether two results are the same but for NaNs."""
    return np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")


def check(seed, arguments):
    """One model: (outcome, reason, operator)."""
    operator, model, feeds, want, c = generate(seed, arguments.only)
    if isinstance(want, str):
        return "none", want[:300], operator
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "model.onnx").write_bytes(model.SerializeToString())
        command = [*shlex.split(arguments.freehold), "run", str(folder / "model.onnx")]
        for name, value in feeds.items():
            np.save(folder / f"{name}.npy", value)
            command.append(f"--input={name}=@{folder}/{name}.npy")
        command.append(f"--output=@{folder}/out.npz")
        outcome, why, results = "right", "", []
        try:
            for flags in ("", "-O2 --fp=strict --dynamic-shapes", "-O0 --fp=strict"):
                done = subprocess.run([*command, *flags.split()], capture_output=True, text=True, timeout=120)
                if done.returncode == 1:
                    outcome, why = "refused", f"{operator}: {reason(done.stderr)}"
                    break
                if done.returncode != 0:
                    outcome, why = "wrong", f"{flags}: status {done.returncode}: {done.stderr.strip()[-300:]}"
                    break
                with np.load(folder / "out.npz") as file:
                    results.append([file[name] for name in file.files])
                wrong = difference(results[-1], want, c.near)
                if wrong:
                    outcome, why = "wrong", f"{flags} {wrong}".strip()
                    break
            if outcome == "right" and not all(has_same_bits(*pair) for pair in zip(*results[1:])):
                outcome, why = "wrong", "-O0 and -O2 have other bits under strict"
        except subprocess.TimeoutExpired:
            outcome, why = "wrong", "took more than 120 seconds"
    if arguments.keep and outcome in ("wrong", "refused"):
        folder = arguments.keep / f"{outcome}-{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.onnx").write_bytes(model.SerializeToString())
        (folder / "model.txt").write_text(onnx.printer.to_text(model))
        for name, value in feeds.items():
            np.save(folder / f"{name}.npy", value)
        np.savez(folder / "want.npz", *want)
    return outcome, why, operator


def main():
    """Runs all and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--freehold", default="freehold")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--list", default="")
    arguments = parser.parse_args()
    counts, reasons, table = collections.Counter(), collections.Counter(), collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.programs)
        for seed, (word, why, operator) in zip(seeds, pool.map(check, seeds, [arguments] * len(seeds), chunksize=4)):
            counts[word] += 1
            table[operator, word] += 1
            if word == "refused":
                reasons[why] += 1
            if word == "wrong" or word in arguments.list.split(","):
                print(f"{word}: seed {seed}: {operator}: {why}", flush=True)
    for why, n in reasons.most_common(40):
        print(f"{n:5}  {why}")
    words = ("right", "refused", "wrong", "none")
    print(f"{'operator':34}" + "".join(f"{word:>9}" for word in words))
    for operator in sorted({operator for operator, _ in table}):
        print(f"{operator:34}" + "".join(f"{table[operator, word]:9}" for word in words))
    print(f"{sum(counts.values())} models: " + ", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    return counts["wrong"] > 0


if __name__ == "__main__":
    sys.exit(main())
