"""The PyTorch modules that `measure.py` measures: name -> module and inputs, with weights of a fixed seed, and
their conversion to linalg on tensors.

    python torch_models.py FOLDER [NAME ...]

writes FOLDER/NAME.mlir, which `freehold import` makes plain functions of. Needs the packages torch,
iree-turbine and iree-base-compiler.
"""

import pathlib
import subprocess
import sys

import iree.turbine.aot as aot
import torch
from torch import nn

TORCH_TO_LINALG = "builtin.module(torch-to-iree)"


def perceptron():
    """Three linear layers and a softmax, for a batch of 16."""
    layers = [nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64), nn.Tanh(), nn.Linear(64, 10), nn.Softmax(-1)]
    return nn.Sequential(*layers), torch.randn(16, 64)


def conv_net():
    """Convolutions with normalization and pooling, and a linear layer."""
    layers = [
        nn.Conv2d(3, 16, 3, stride=2, padding=1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1, groups=4),
        nn.SiLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(32, 10),
    ]
    return nn.Sequential(*layers), torch.randn(1, 3, 64, 64)


class Attention(nn.Module):
    """Attention of four heads behind a normalization, added to its input."""

    def __init__(self, width, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.norm = nn.LayerNorm(width)
        self.projections = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def forward(self, x):
        n_batches, n, width = x.shape
        parts = self.projections(self.norm(x)).reshape(n_batches, n, 3, self.n_heads, -1)
        q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
        scores = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, -1)
        return x + self.output((scores @ v).transpose(1, 2).reshape(n_batches, n, width))


def attention():
    return Attention(128, 4), torch.randn(1, 64, 128)


MODELS = {"torch_perceptron": perceptron, "torch_conv_net": conv_net, "torch_attention": attention}


def make(name):
    """A module for inference and its input."""
    torch.manual_seed(0)
    module, x = MODELS[name]()
    return module.eval(), x


def convert(name, folder):
    """Writes FOLDER/NAME.mlir and returns its path."""
    folder = pathlib.Path(folder)
    torch_mlir, linalg = (folder / f"{name}{end}" for end in (".torch.mlir", ".mlir"))
    module, x = make(name)
    aot.export(module, x, function_name=name).save_mlir(torch_mlir)
    tool = pathlib.Path(sys.executable).parent / "iree-opt"
    subprocess.run([tool, f"--pass-pipeline={TORCH_TO_LINALG}", torch_mlir, "-o", linalg], check=True)
    return linalg


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for each in sys.argv[2:] or MODELS:
        print(convert(each, target))
