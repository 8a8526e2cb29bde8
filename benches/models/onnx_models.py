"""The ONNX models that `measure.py` measures: name -> model, with weights of a
fixed seed, and their conversion to linalg on tensors.

    python onnx_models.py FOLDER [NAME ...]

writes FOLDER/NAME.onnx and FOLDER/NAME.mlir, which `freehold import` makes
plain functions of. Needs the packages onnx and iree-base-compiler[onnx].
"""

import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
TORCH_TO_LINALG = "builtin.module(torch-onnx-to-torch-backend-pipeline,torch-to-iree)"


class Graph:
    """A model being made: nodes in order, and their weights."""

    def __init__(self, name, shape):
        self.name = name
        self.rng = np.random.default_rng(len(name))
        self.nodes = []
        self.weights = []
        self.shape = shape

    def weight(self, *shape, scale=None, positive=False):
        """A new weight; as large as keeps activations near one unless `scale` says otherwise."""
        values = self.rng.standard_normal(shape)
        values = np.abs(values) + 0.5 if positive else values
        if scale is None and not positive:
            scale = 1 / np.sqrt(np.prod(shape[1:]) if len(shape) == 4 else shape[0])
        return self.constant((values * (scale or 1)).astype(np.float32))

    def constant(self, values):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def op(self, kind, *inputs, **attributes):
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def linear(self, x, n_in, n_out):
        product = self.op("MatMul", x, self.weight(n_in, n_out))
        return self.op("Add", product, self.weight(n_out, scale=0.1))

    def batch_norm(self, x, n):
        """Scale, bias, mean and variance of each channel."""
        parameters = [
            self.weight(n, positive=True),
            self.weight(n, scale=0.1),
            self.weight(n, scale=0.1),
            self.weight(n, positive=True),
        ]
        return self.op("BatchNormalization", x, *parameters)

    def layer_norm(self, x, n):
        gain, bias = self.weight(n, positive=True), self.weight(n, scale=0.1)
        return self.op("LayerNormalization", x, gain, bias, axis=-1)

    def model(self, output, shape):
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes,
            self.name,
            [value("x", TensorProto.FLOAT, self.shape)],
            [value(output, TensorProto.FLOAT, shape)],
            self.weights,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        model.ir_version = 8
        onnx.checker.check_model(model)
        return model


def conv_net(size=64, channels=16):
    """Strides, padding, pooling and batch normalization, and a linear layer at the end."""
    g = Graph("conv_net", [1, 3, size, size])
    x = g.op("Conv", "x", g.weight(channels, 3, 3, 3), strides=[2, 2], pads=[1, 1, 1, 1])
    x = g.op("Relu", g.batch_norm(x, channels))
    x = g.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    y = g.op("Conv", x, g.weight(channels, channels, 3, 3), pads=[1, 1, 1, 1])
    x = g.op("Relu", g.op("Add", x, g.batch_norm(y, channels)))
    x = g.op("Conv", x, g.weight(2 * channels, channels, 3, 3), strides=[2, 2], pads=[1, 1, 1, 1])
    x = g.op("Relu", g.batch_norm(x, 2 * channels))
    x = g.op("Flatten", g.op("GlobalAveragePool", x))
    return g.model(g.op("Gemm", x, g.weight(2 * channels, 10), g.weight(10, scale=0.1)), [1, 10])


def encoder_layer(n=64, width=128, heads=4):
    """Attention and a feed-forward network, each behind a normalization."""
    g = Graph("encoder_layer", [1, n, width])
    split = g.constant(np.array([1, n, heads, width // heads], np.int64))
    joined = g.constant(np.array([1, n, width], np.int64))
    scale = g.constant(np.float32(1 / np.sqrt(width // heads)))

    y = g.layer_norm("x", width)
    q, k, v = (g.op("Reshape", g.linear(y, width, width), split) for _ in range(3))
    q, v = (g.op("Transpose", z, perm=[0, 2, 1, 3]) for z in (q, v))
    k = g.op("Transpose", k, perm=[0, 2, 3, 1])
    scores = g.op("Softmax", g.op("Mul", g.op("MatMul", q, k), scale), axis=-1)
    y = g.op("Transpose", g.op("MatMul", scores, v), perm=[0, 2, 1, 3])
    x = g.op("Add", "x", g.linear(g.op("Reshape", y, joined), width, width))

    y = g.linear(g.layer_norm(x, width), width, 4 * width)
    root = g.constant(np.float32(np.sqrt(0.5)))
    one, half = g.constant(np.float32(1)), g.constant(np.float32(0.5))
    gate = g.op("Add", g.op("Erf", g.op("Mul", y, root)), one)
    y = g.op("Mul", g.op("Mul", y, gate), half)
    return g.model(g.op("Add", x, g.linear(y, 4 * width, width)), [1, n, width])


def classifier(batch=32, widths=(256, 512, 128)):
    """Linear layers of these widths to ten classes, and a softmax."""
    g = Graph("classifier", [batch, widths[0]])
    x = "x"
    for n_in, n_out in zip(widths, widths[1:]):
        x = g.op("Relu", g.op("Gemm", x, g.weight(n_in, n_out), g.weight(n_out, scale=0.1)))
    x = g.op("Gemm", x, g.weight(widths[-1], 10), g.weight(10, scale=0.1))
    return g.model(g.op("Softmax", x, axis=-1), [batch, 10])


MODELS = {"conv_net": conv_net, "encoder_layer": encoder_layer, "classifier": classifier}


def convert(name, folder, make=None):
    """Writes FOLDER/NAME.onnx, of what `make` makes, and FOLDER/NAME.mlir and returns their paths."""
    folder = pathlib.Path(folder)
    model, torch, linalg = (folder / f"{name}{end}" for end in (".onnx", ".torch.mlir", ".mlir"))
    onnx.save((make or MODELS[name])(), model)
    tools = pathlib.Path(sys.executable).parent
    run = [tools / "iree-import-onnx", model, "--opset-version", str(OPSET), "-o", torch]
    subprocess.run(run, check=True)
    run = [tools / "iree-opt", f"--pass-pipeline={TORCH_TO_LINALG}", torch, "-o", linalg]
    subprocess.run(run, check=True)
    return model, linalg


def arguments(model):
    """Inputs for a model, of a fixed seed."""
    rng = np.random.default_rng(0)
    shapes = (
        [d.dim_value for d in value.type.tensor_type.shape.dim] for value in model.graph.input
    )
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for each in sys.argv[2:] or MODELS:
        print(*convert(each, target))
