"""The programs in JAX that `measure.py` measures: name -> (function, arguments).

Each is a few lines of what people write; arguments are made from fixed seeds.
"""

import jax
import jax.numpy as jnp
import numpy as np


def _values(*shape, seed=0, scale=1.0, dtype=np.float32):
    rng = np.random.default_rng(seed + sum(shape))
    return (rng.standard_normal(shape) * scale).astype(dtype)


def mlp(x, w1, b1, w2, b2):
    hidden = jax.nn.gelu(x @ w1 + b1)
    return hidden @ w2 + b2


def softmax(x):
    return jax.nn.softmax(x, axis=-1)


def _norm(x, gain, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * gain + bias


def attention(q, k, v):
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / np.sqrt(q.shape[-1]).astype(np.float32)
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, axis=-1), v)


def transformer_block(x, wq, wk, wv, wo, w1, w2, gain, bias):
    n, d = x.shape
    heads = 4

    def split(y):
        return y.reshape(n, heads, d // heads).transpose(1, 0, 2)

    y = _norm(x, gain, bias)
    a = attention(split(y @ wq), split(y @ wk), split(y @ wv))
    x = x + a.transpose(1, 0, 2).reshape(n, d) @ wo
    return x + jax.nn.gelu(_norm(x, gain, bias) @ w1) @ w2


def _conv(x, w, stride=1):
    return jax.lax.conv_general_dilated(
        x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def residual_block(x, w1, w2):
    y = jax.nn.relu(_conv(x, w1))
    return jax.nn.relu(x + _conv(y, w2))


def depthwise(x, depth, point):
    y = jax.lax.conv_general_dilated(
        x,
        depth,
        (1, 1),
        "SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=x.shape[-1],
    )
    return jax.nn.relu6(_conv(y, point))


def pooling(x):
    y = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return jnp.mean(y, axis=(1, 2))


def conv1d(x, w):
    return jax.lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))


def lstm(xs, h, c, w, u, b):
    def step(carry, x):
        h, c = carry
        i, f, g, o = jnp.split(x @ w + h @ u + b, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return jax.lax.scan(step, (h, c), xs)[1]


def black_scholes(spot, strike, time):
    rate, volatility = 0.03, 0.2
    root = volatility * jnp.sqrt(time)
    d1 = (jnp.log(spot / strike) + (rate + volatility**2 / 2) * time) / root
    cdf = jax.scipy.stats.norm.cdf
    discount = strike * jnp.exp(-rate * time)
    call = spot * cdf(d1) - discount * cdf(d1 - root)
    return call, call - spot + discount


def n_body(x, mass):
    difference = x[None, :, :] - x[:, None, :]
    square = jnp.sum(difference**2, axis=-1) + 1e-3
    return jnp.sum(mass[None, :, None] * difference * (square**-1.5)[:, :, None], axis=1)


def k_means(points, centres):
    distance = jnp.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=-1)
    nearest = jax.nn.one_hot(jnp.argmin(distance, axis=1), centres.shape[0])
    return nearest.T @ points / jnp.maximum(nearest.sum(axis=0), 1.0)[:, None]


def heat(x):
    def step(_, x):
        inner = x[1:-1, 1:-1]
        flow = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] - 4 * inner
        return x.at[1:-1, 1:-1].set(inner + 0.1 * flow)

    return jax.lax.fori_loop(0, 20, step, x)


def gradient(w1, w2, x, y):
    def loss(w1, w2):
        return jnp.mean((jnp.tanh(x @ w1) @ w2 - y) ** 2)

    return jax.grad(loss, argnums=(0, 1))(w1, w2)


def logistic_steps(w, x, y):
    def loss(w):
        z = x @ w
        return jnp.mean(jnp.logaddexp(0.0, z) - y * z)

    return jax.lax.fori_loop(0, 10, lambda _, w: w - 0.1 * jax.grad(loss)(w), w)


def embedding(table, ids):
    return jnp.tanh(table[ids]).sum(axis=1)


def power_iteration(a, x):
    def step(_, x):
        y = a @ x
        return y / jnp.linalg.norm(y)

    return jax.lax.fori_loop(0, 30, step, x)


def mandelbrot(re, im):
    def step(state):
        z_re, z_im, count, i = state
        inside = z_re * z_re + z_im * z_im < 4.0
        new_re = z_re * z_re - z_im * z_im + re
        new_im = 2 * z_re * z_im + im
        return (
            jnp.where(inside, new_re, z_re),
            jnp.where(inside, new_im, z_im),
            count + inside.astype(jnp.int32),
            i + 1,
        )

    zero = jnp.zeros_like(re)
    state = (zero, zero, jnp.zeros(re.shape, jnp.int32), 0)
    return jax.lax.while_loop(lambda s: s[3] < 30, step, state)[2]


def quantized(x, w):
    return jax.lax.dot(x, w, preferred_element_type=jnp.int32)


def ranking(x):
    return jax.lax.top_k(x, 8)


def sorting(x):
    return jnp.sort(x, axis=-1), jnp.argsort(x, axis=-1)


def prefix_sums(x):
    return jnp.cumsum(x, axis=-1)


def histogram(ids, weights):
    return jnp.zeros(64, jnp.float32).at[ids].add(weights)


def spectrum(x):
    return jnp.abs(jnp.fft.rfft(x))


def _ids(n, below, *rest):
    return np.random.default_rng(n).integers(0, below, (n, *rest)).astype(np.int32)


def _bytes(*shape):
    return np.random.default_rng(shape[0]).integers(-128, 128, shape).astype(np.int8)


_V = _values
PROGRAMS = {
    "mlp": (mlp, [_V(64, 512), _V(512, 1024, scale=0.05), _V(1024), _V(1024, 64, scale=0.05), _V(64)]),
    "softmax": (softmax, [_V(256, 1024)]),
    "layer_norm": (_norm, [_V(64, 512), _V(512), _V(512, seed=1)]),
    "attention": (attention, [_V(8, 256, 64), _V(8, 256, 64, seed=1), _V(8, 256, 64, seed=2)]),
    "transformer_block": (
        transformer_block,
        [_V(128, 128)]
        + [_V(128, 128, seed=i, scale=0.1) for i in range(1, 5)]
        + [_V(128, 512, scale=0.1), _V(512, 128, scale=0.1), _V(128), _V(128, seed=1)],
    ),
    "residual_block": (
        residual_block,
        [_V(1, 28, 28, 64), _V(3, 3, 64, 64, scale=0.05), _V(3, 3, 64, 64, seed=1, scale=0.05)],
    ),
    "depthwise": (depthwise, [_V(1, 56, 56, 32), _V(3, 3, 1, 32), _V(1, 1, 32, 64, scale=0.2)]),
    "pooling": (pooling, [_V(1, 64, 64, 32)]),
    "conv1d": (conv1d, [_V(1, 512, 32), _V(5, 32, 64, scale=0.1)]),
    "lstm": (
        lstm,
        [_V(50, 8, 64), _V(8, 64), _V(8, 64, seed=1), _V(64, 256, scale=0.1), _V(64, 256, seed=1, scale=0.1), _V(256)],
    ),
    "black_scholes": (
        black_scholes,
        [np.abs(_V(10000)) * 10 + 90, np.abs(_V(10000, seed=1)) * 10 + 90, np.abs(_V(10000, seed=2)) + 0.1],
    ),
    "n_body": (n_body, [_V(64, 3), np.abs(_V(64))]),
    "k_means": (k_means, [_V(500, 8), _V(10, 8)]),
    "heat": (heat, [_V(128, 128)]),
    "gradient": (gradient, [_V(64, 128, scale=0.1), _V(128, 10, scale=0.1), _V(32, 64), _V(32, 10)]),
    "logistic_steps": (logistic_steps, [_V(32, scale=0.1), _V(256, 32), (_V(256) > 0).astype(np.float32)]),
    "embedding": (embedding, [_V(1000, 64), _ids(32, 1000, 16)]),
    "power_iteration": (power_iteration, [_V(256, 256), _V(256)]),
    "mandelbrot": (
        mandelbrot,
        [np.linspace(-2, 1, 4096, dtype=np.float32), np.linspace(-1, 1, 4096, dtype=np.float32)],
    ),
    "quantized": (quantized, [_bytes(64, 256), _bytes(256, 64)]),
    "ranking": (ranking, [_V(16, 1000)]),
    "sorting": (sorting, [_V(16, 257)]),
    "prefix_sums": (prefix_sums, [_V(64, 1000)]),
    "histogram": (histogram, [_ids(5000, 64), _V(5000)]),
    "spectrum": (spectrum, [_V(8, 256)]),
}
