"""A fifth set of programs in JAX, as `mixed.py` has them: values and gradients of losses, steps of training, and layers with
few outputs.

Each was written before anybody looked at how fast it is: name -> (function, arguments).
"""

import jax
import jax.numpy as jnp
import numpy as np

from mixed import _convolved, _integers
from programs import _ids, _values as _V


def _entropy(logits, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1).mean()


def _normalized(x, gain, bias):
    centered = x - x.mean(-1, keepdims=True)
    return centered * jax.lax.rsqrt((centered**2).mean(-1, keepdims=True) + 1e-5) * gain + bias


# Networks.


def _layers(weights, x):
    for w, b in weights[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = weights[-1]
    return x @ w + b


def train_mlp(weights, means, squares, x, labels):
    gradient = jax.grad(lambda weights: _entropy(_layers(weights, x), labels))(weights)
    means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, means, gradient)
    squares = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, squares, gradient)
    weights = jax.tree.map(lambda w, m, s: w - 1e-3 * m / (jnp.sqrt(s) + 1e-8), weights, means, squares)
    return weights, means, squares


def _heads(x, q, k, v, out, n=4):
    split = lambda w: (x @ w).reshape(*x.shape[:2], n, -1).transpose(0, 2, 1, 3)
    q, k, v = map(split, (q, k, v))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    return (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(x.shape) @ out


def _block(p, x):
    x = x + _heads(_normalized(x, p["gain"], p["bias"]), *p["heads"])
    return x + jax.nn.gelu(_normalized(x, p["gain"], p["bias"]) @ p["up"]) @ p["down"]


def attention_grad(weights, x):
    return jax.value_and_grad(lambda weights: (_heads(x, *weights) ** 2).mean())(weights)


def gpt_grad(p, tokens, following):
    def loss(p):
        x = p["embedding"][tokens] + p["positions"]
        for block in p["blocks"]:
            x = _block(block, x)
        return _entropy(x @ p["embedding"].T, following)

    return jax.value_and_grad(loss)(p)


def scanned_blocks_grad(blocks, x):
    def loss(blocks):
        step = lambda x, block: (jax.checkpoint(_block)(block, x), None)
        return (jax.lax.scan(step, x, blocks)[0] ** 2).mean()

    return jax.value_and_grad(loss)(blocks)


def lstm_grad(weights, xs):
    def loss(weights):
        def cell(state, x):
            h, c = state
            i, f, g, o = jnp.split(x @ weights[0] + h @ weights[1] + weights[2], 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zero = jnp.zeros((xs.shape[1], weights[1].shape[0]))
        return (jax.lax.scan(cell, (zero, zero), xs)[1] ** 2).mean()

    return jax.value_and_grad(loss)(weights)


def resnet_grad(weights, x):
    def normalized(x, gain, bias):
        return (x - x.mean((0, 1, 2))) * jax.lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * gain + bias

    def loss(weights):
        first, gain1, bias1, second, gain2, bias2 = weights
        h = jax.nn.relu(normalized(_convolved(x, first), gain1, bias1))
        return (jax.nn.relu(x + normalized(_convolved(h, second), gain2, bias2)) ** 2).mean()

    return jax.value_and_grad(loss)(weights)


def strided_grad(weights, x):
    def loss(weights):
        h = x
        for w in weights:
            h = jax.nn.silu(_convolved(h, w, 2))
        return (h**2).mean()

    return jax.value_and_grad(loss)(weights)


def nerf_grad(weights, points):
    def loss(weights):
        phases = points[:, None, :] * 2.0 ** jnp.arange(10)[:, None]
        code = jnp.concatenate([f(phases).reshape(len(points), -1) for f in (jnp.sin, jnp.cos)], -1)
        out = _layers(weights, code).reshape(-1, 32, 4)
        opacity = 1 - jnp.exp(-jax.nn.softplus(out[..., 3]) * 0.1)
        seen = jnp.cumprod(1 - opacity + 1e-10, -1)
        return ((opacity * seen)[..., None] * jax.nn.sigmoid(out[..., :3])).sum()

    return jax.value_and_grad(loss)(weights)


def pairs_grad(a, b):
    def loss(a, b):
        unit = lambda x: x / jnp.linalg.norm(x, axis=-1, keepdims=True)
        logits = unit(a) @ unit(b).T / 0.07
        same = jnp.arange(len(a))
        return (_entropy(logits, same) + _entropy(logits.T, same)) / 2

    return jax.value_and_grad(loss, (0, 1))(a, b)


def policy_grad(actor, critic, seen, actions, before, advantages, returns):
    def loss(actor, critic):
        logits = jax.nn.log_softmax(_layers(actor, seen))
        ratio = jnp.exp(jnp.take_along_axis(logits, actions[:, None], 1)[:, 0] - before)
        clipped = jnp.minimum(ratio * advantages, jnp.clip(ratio, 0.8, 1.2) * advantages).mean()
        error = ((_layers(critic, seen)[:, 0] - returns) ** 2).mean()
        return -clipped + 0.5 * error + 0.01 * (jnp.exp(logits) * logits).sum(-1).mean()

    return jax.value_and_grad(loss, (0, 1))(actor, critic)


def experts_grad(gate, up, down, x):
    def loss(gate, up, down):
        chances = jax.nn.softmax(x @ gate)
        best, which = jax.lax.top_k(chances, 2)
        shares = jnp.zeros_like(chances).at[jnp.arange(len(x))[:, None], which].set(best / best.sum(-1, keepdims=True))
        h = jax.nn.gelu(jnp.einsum("td,edh->teh", x, up))
        return (jnp.einsum("teh,ehd,te->td", h, down, shares) ** 2).mean()

    return jax.value_and_grad(loss, (0, 1, 2))(gate, up, down)


def words_grad(centers, contexts, center, context, others):
    def loss(centers, contexts):
        v = centers[center]
        near = jax.nn.log_sigmoid((v * contexts[context]).sum(-1))
        far = jax.nn.log_sigmoid(-jnp.einsum("bd,bnd->bn", v, contexts[others])).sum(-1)
        return -(near + far).mean()

    return jax.value_and_grad(loss, (0, 1))(centers, contexts)


def flow_grad(weights, x):
    def loss(weights):
        y, volume = x, 0.0
        for w1, w2 in weights:
            kept, moved = jnp.split(y, 2, -1)
            scale, shift = jnp.split(jnp.tanh(kept @ w1) @ w2, 2, -1)
            scale = jnp.tanh(scale)
            volume += scale.sum(-1)
            y = jnp.concatenate([moved * jnp.exp(scale) + shift, kept], -1)
        return (0.5 * (y**2).sum(-1) - volume).mean()

    return jax.value_and_grad(loss)(weights)


# Science.


def physics_grad(weights, points):
    def u(weights, x):
        for w, b in weights[:-1]:
            x = jnp.tanh(x @ w + b)
        w, b = weights[-1]
        return (x @ w + b)[0]

    def residual(weights, x):
        slope, curvature = jax.grad(u, 1)(weights, x), jax.hessian(u, 1)(weights, x)
        return slope[1] - 0.1 * curvature[0, 0] + u(weights, x) * slope[0]

    loss = lambda weights: (jax.vmap(lambda x: residual(weights, x))(points) ** 2).mean()
    return jax.value_and_grad(loss)(weights)


def likelihood_grad(x, y, logs):
    def loss(logs):
        distances = (((x[:, None] - x[None]) / jnp.exp(logs[0])) ** 2).sum(-1)
        k = jnp.exp(logs[1] - 0.5 * distances) + (jnp.exp(logs[2]) + 0.1) * jnp.eye(len(x))
        factor = jnp.linalg.cholesky(k)
        return 0.5 * y @ jax.scipy.linalg.cho_solve((factor, True), y) + jnp.log(jnp.diag(factor)).sum()

    return jax.value_and_grad(loss)(logs)


def runge_kutta_grad(w, y):
    def loss(w):
        f = lambda y: jnp.tanh(w @ y)

        def step(y, _):
            k1 = f(y)
            k2 = f(y + 0.05 * k1)
            k3 = f(y + 0.05 * k2)
            y = y + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + f(y + 0.1 * k3))
            return y, y

        return (jax.lax.scan(step, y, None, length=100)[1] ** 2).sum()

    return jax.value_and_grad(loss)(w)


def forces(weights, x):
    def energy(x):
        distances = jnp.sqrt(((x[:, None] - x[None]) ** 2).sum(-1) + jnp.eye(len(x)))
        near = jnp.where(distances < 3, 0.5 * (jnp.cos(np.pi * distances / 3) + 1), 0) * (1 - jnp.eye(len(x)))
        shells = (jnp.exp(-((distances[..., None] - jnp.linspace(0, 3, 12)) ** 2)) * near[..., None]).sum(1)
        return jnp.tanh(jnp.tanh(shells @ weights[0]) @ weights[1]).sum()

    return jax.value_and_grad(energy)(x)


def adam_steps(w, x, y):
    gradient = jax.grad(lambda w: ((jnp.tanh(x @ w) - y) ** 2).mean())

    def step(i, state):
        w, mean, square = state
        g = gradient(w)
        mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g * g
        return w - 0.01 * mean / (jnp.sqrt(square) + 1e-8), mean, square

    return jax.lax.fori_loop(0, 200, step, (w, w * 0, w * 0))[0]


def newton_steps(w, x, y):
    loss = lambda w: jnp.mean(jnp.logaddexp(0, -(2 * y - 1) * (x @ w))) + 0.01 * w @ w

    def step(w, _):
        return w - jnp.linalg.solve(jax.hessian(loss)(w), jax.grad(loss)(w)), None

    return jax.lax.scan(step, w, None, length=5)[0]


def _weights(*sizes, scale=0.1):
    return [(_V(a, b, scale=scale), _V(b, scale=0.1)) for a, b in zip(sizes, sizes[1:])]


_CLASSES = _weights(784, 256, 128, 10)
_BLOCK = {
    "gain": _V(128) + 1,
    "bias": _V(128),
    "heads": [_V(128, 128, scale=0.08, seed=seed) for seed in range(4)],
    "up": _V(128, 512, scale=0.08),
    "down": _V(512, 128, scale=0.04),
}
_GPT = {"embedding": _V(256, 128, scale=0.1), "positions": _V(64, 128, scale=0.1), "blocks": [_BLOCK, _BLOCK]}
_ZEROS = jax.tree.map(np.zeros_like, _CLASSES)
GRADIENTS = {
    "train_mlp": (train_mlp, [_CLASSES, _ZEROS, _ZEROS, _V(64, 784), _ids(64, 10)]),
    "attention_grad": (attention_grad, [_BLOCK["heads"], _V(4, 64, 128)]),
    "gpt_grad": (gpt_grad, [_GPT, _integers(0, 256, 4, 64), _integers(1, 256, 4, 64)]),
    "scanned_blocks_grad": (scanned_blocks_grad, [jax.tree.map(lambda *x: np.stack(x), *[_BLOCK] * 4), _V(2, 64, 128)]),
    "lstm_grad": (lstm_grad, [(_V(32, 256, scale=0.1), _V(64, 256, scale=0.1), _V(256)), _V(20, 16, 32)]),
    "resnet_grad": (
        resnet_grad,
        [
            (_V(3, 3, 32, 32, scale=0.06), _V(32), _V(32), _V(3, 3, 32, 32, scale=0.06), _V(32), _V(32)),
            _V(8, 16, 16, 32),
        ],
    ),
    "strided_grad": (
        strided_grad,
        [[_V(3, 3, *shape, scale=0.1) for shape in ((3, 16), (16, 32), (32, 64))], _V(8, 32, 32, 3)],
    ),
    "nerf_grad": (nerf_grad, [_weights(60, 128, 128, 4), _V(512, 3)]),
    "pairs_grad": (pairs_grad, [_V(128, 64), _V(128, 64, seed=1)]),
    "policy_grad": (
        policy_grad,
        [_weights(8, 64, 4), _weights(8, 64, 1), _V(256, 8), _ids(256, 4), *(_V(256, seed=seed) for seed in range(3))],
    ),
    "experts_grad": (
        experts_grad,
        [_V(64, 8, scale=0.2), _V(8, 64, 128, scale=0.1), _V(8, 128, 64, scale=0.1), _V(128, 64)],
    ),
    "words_grad": (
        words_grad,
        [
            _V(1000, 32, scale=0.1),
            _V(1000, 32, scale=0.1, seed=1),
            *(_integers(seed, 1000, *shape) for seed, shape in enumerate([(256,), (256,), (256, 5)])),
        ],
    ),
    "flow_grad": (flow_grad, [[(_V(8, 32, scale=0.3), _V(32, 16, scale=0.1))] * 4, _V(256, 16)]),
    "physics_grad": (physics_grad, [_weights(2, 32, 32, 1, scale=0.3), _V(256, 2)]),
    "likelihood_grad": (likelihood_grad, [_V(100, 3), _V(100), _V(3)]),
    "runge_kutta_grad": (runge_kutta_grad, [_V(4, 4, scale=0.3), _V(4)]),
    "forces": (forces, [(_V(12, 64, scale=0.2), _V(64, 64, scale=0.1)), _V(50, 3)]),
    "adam_steps": (adam_steps, [_V(32, scale=0.1), _V(500, 32), _V(500)]),
    "newton_steps": (newton_steps, [_V(64, scale=0.1), _V(200, 64), (_V(200) > 0).astype(np.float32)]),
    "two_outputs": (lambda x, w: x @ w, [_V(500, 256), _V(256, 2)]),
    "ten_classes": (lambda x, w, b: jax.nn.softmax(x @ w + b), [_V(500, 256), _V(256, 10, scale=0.1), _V(10)]),
    "sixteen_outputs": (lambda x, w: jnp.tanh(x @ w), [_V(500, 256), _V(256, 16, scale=0.1)]),
    "logits_of_rows": (lambda x, w: jax.nn.sigmoid(x @ w), [_V(2000, 32), _V(32)]),
}
