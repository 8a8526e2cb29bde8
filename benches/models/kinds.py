"""Programs in JAX of kinds that are hard to compile well, which `measure.py` measures
beside those of `programs.py`: name -> (function, arguments).

Each stands for a kind: cold weights, thin products, short floats, quantized weights,
loops of tensors, random numbers, transforms, reductions over few elements. Freehold
reads them as the StableHLO that JAX writes.
"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from programs import _bytes, _ids, _values as _V


def product(x, w):
    return x @ w


def attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v)


def causal_attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


def chain(x, *weights):
    for w in weights:
        x = jnp.maximum(x @ w, 0)
    return x


def pool(x, size):
    """The greatest element around each one, as heads of detectors have it."""
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, size, size), (1, 1, 1, 1), "SAME")


_CONSTANTS = [_V(256, 256, seed=i, scale=0.06) for i in range(4)]


def constant_weights(x):
    for w in _CONSTANTS:
        x = jnp.tanh(x @ (w.T * 0.5))
    return x


def lstm_cell(h, c, x, w, u, b):
    i, f, g, o = jnp.split(x @ w + h @ u + b, 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def lstm_one(xs, h, c, w, u, b):
    """One sequence: products of a row and a matrix."""

    def step(carry, x):
        h, c = lstm_cell(*carry, x, w, u, b)
        return (h, c), h

    return jax.lax.scan(step, (h, c), xs)[1]


def gru(xs, h, w, u, b):
    def step(h, x):
        gx, gh = x @ w, h @ u
        rx, zx, nx = jnp.split(gx + b, 3, axis=-1)
        rh, zh, nh = jnp.split(gh, 3, axis=-1)
        r, z = jax.nn.sigmoid(rx + rh), jax.nn.sigmoid(zx + zh)
        h = (1 - z) * jnp.tanh(nx + r * nh) + z * h
        return h, h

    return jax.lax.scan(step, h, xs)[1]


def dequantized(x, w, scale):
    return x @ (w.astype(jnp.float32) * scale)


def dequantized_table(ids, table, scale):
    return (table.astype(jnp.float32) * scale)[ids].sum(axis=1)


def sinkhorn(cost):
    n, m = cost.shape

    def step(_, state):
        f, g = state
        f = -jax.nn.logsumexp(g[None, :] - cost, axis=1) - np.log(n)
        g = -jax.nn.logsumexp(f[:, None] - cost, axis=0) - np.log(m)
        return f, g

    f, g = jax.lax.fori_loop(0, 20, step, (jnp.zeros(n), jnp.zeros(m)))
    return jnp.exp(f[:, None] + g[None, :] - cost)


def ctc(logits, labels):
    """The forward pass of connectionist temporal classification."""
    b, t, _ = logits.shape
    n = 2 * labels.shape[1] + 1
    extended = jnp.zeros((b, n), jnp.int32).at[:, 1::2].set(labels)
    skip = (extended != 0) & (extended != jnp.roll(extended, 2, axis=1))
    skip = skip.at[:, :2].set(False)
    log_probs = jax.nn.log_softmax(logits)
    scores = jnp.take_along_axis(log_probs, jnp.broadcast_to(extended[:, None, :], (b, t, n)), axis=2)
    low = -1e30
    alpha = jnp.full((b, n), low).at[:, :2].set(scores[:, 0, :2])

    def step(alpha, score):
        one = jnp.pad(alpha[:, :-1], ((0, 0), (1, 0)), constant_values=low)
        two = jnp.where(skip, jnp.pad(alpha[:, :-2], ((0, 0), (2, 0)), constant_values=low), low)
        alpha = jnp.logaddexp(jnp.logaddexp(alpha, one), two) + score
        return alpha, None

    alpha, _ = jax.lax.scan(step, alpha, scores[:, 1:].transpose(1, 0, 2))
    return -jnp.logaddexp(alpha[:, -1], alpha[:, -2])


def hmc(position, key):
    """Hamiltonian Monte Carlo on a banana."""

    def potential(q):
        return jnp.sum((q[1:] - q[:-1] ** 2) ** 2 + 0.1 * (1 - q[:-1]) ** 2)

    force = jax.grad(potential)

    def sample(q, key):
        momentum_key, accept_key = jax.random.split(key)
        p = jax.random.normal(momentum_key, q.shape)

        def leap(_, state):
            q, p = state
            p = p - 0.005 * force(q)
            q = q + 0.01 * p
            return q, p - 0.005 * force(q)

        new_q, new_p = jax.lax.fori_loop(0, 10, leap, (q, p))
        change = potential(q) + jnp.sum(p**2) / 2 - potential(new_q) - jnp.sum(new_p**2) / 2
        q = jnp.where(jnp.log(jax.random.uniform(accept_key)) < change, new_q, q)
        return q, q[:2]

    return jax.lax.scan(sample, position, jax.random.split(key, 40))[1]


def kalman(f, h, q, r, x, p, observations):
    def step(carry, z):
        x, p = carry
        x, p = f @ x, f @ p @ f.T + q
        s = h @ p @ h.T + r
        determinant = s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0]
        inverse = jnp.array([[s[1, 1], -s[0, 1]], [-s[1, 0], s[0, 0]]]) / determinant
        gain = p @ h.T @ inverse
        x = x + gain @ (z - h @ x)
        p = p - gain @ h @ p
        return (x, p), x

    return jax.lax.scan(step, (x, p), observations)[1]


def smith_waterman(a, b):
    """Anti-diagonals of a local alignment."""
    n, m = a.shape[0], b.shape[0]
    rows = jnp.arange(n)

    def step(carry, d):
        before, last, best = carry
        j = d - rows
        inside = (j >= 0) & (j < m)
        match = jnp.where(a == b[jnp.clip(j, 0, m - 1)], 2.0, -1.0)
        diagonal = jnp.concatenate([jnp.zeros(1), before[:-1]]) + match
        up = jnp.concatenate([jnp.zeros(1), last[:-1]]) - 1
        score = jnp.where(inside, jnp.maximum(jnp.maximum(diagonal, 0), jnp.maximum(up, last - 1)), 0)
        return (last, score, jnp.maximum(best, score.max())), None

    zero = jnp.zeros(n)
    (_, _, best), _ = jax.lax.scan(step, (zero, zero, jnp.float32(0)), jnp.arange(n + m - 1))
    return best


def ode(x, w1, w2):
    """Runge and Kutta's steps through a small net."""

    def slope(x):
        return jnp.tanh(x @ w1) @ w2

    def step(x, _):
        k1 = slope(x)
        k2 = slope(x + 0.05 * k1)
        k3 = slope(x + 0.05 * k2)
        k4 = slope(x + 0.1 * k3)
        x = x + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return x, x[0]

    return jax.lax.scan(step, x, None, length=100)


def k_means_loop(points, centres):
    def step(_, centres):
        distance = (points**2).sum(1)[:, None] - 2 * points @ centres.T + (centres**2).sum(1)[None, :]
        nearest = jax.nn.one_hot(jnp.argmin(distance, axis=1), centres.shape[0])
        return nearest.T @ points / jnp.maximum(nearest.sum(axis=0), 1.0)[:, None]

    return jax.lax.fori_loop(0, 10, step, centres)


def random_uniform(key):
    return jax.random.uniform(key, (50_000,))


def random_normal(key):
    return jax.random.normal(key, (200, 250))


def n_body_steps(x, v, mass):
    def step(_, state):
        x, v = state
        difference = x[None, :, :] - x[:, None, :]
        square = jnp.sum(difference**2, axis=-1) + 1e-2
        v = v + 0.01 * jnp.sum(mass[None, :, None] * difference * (square**-1.5)[:, :, None], axis=1)
        return x + 0.01 * v, v

    return jax.lax.fori_loop(0, 10, step, (x, v))


def life(board):
    def step(_, board):
        rolls = [jnp.roll(board, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        count = sum(rolls)
        return ((count == 3) | ((board == 1) & (count == 2))).astype(jnp.int32)

    return jax.lax.fori_loop(0, 10, step, board)


def sort_columns(x):
    return jnp.sort(x, axis=0)


def fft(x):
    return jnp.abs(jnp.fft.fft(x))


def special(x):
    return jax.scipy.special.gammaln(x) + jax.scipy.special.digamma(x) + jax.lax.erf(x) + jax.scipy.special.i0e(x)


def histogram_2d(x, y):
    i, j = (x * 16).astype(jnp.int32), (y * 16).astype(jnp.int32)
    return jnp.zeros((16, 16), jnp.int32).at[i, j].add(1)


def searches(sorted_values, x):
    return jnp.searchsorted(sorted_values, x)


def tree_ensemble(x, feature, threshold, leaf):
    """Complete trees of depth 6."""

    def tree(feature, threshold, leaf):
        node = jnp.zeros(x.shape[0], jnp.int32)
        for _ in range(6):
            right = jnp.take_along_axis(x, feature[node][:, None], axis=1)[:, 0] > threshold[node]
            node = 2 * node + 1 + right
        return leaf[node - 63]

    return jax.vmap(tree)(feature, threshold, leaf).sum(axis=0)


def channel_sum(image):
    return image.sum(axis=-1)


def grey(image):
    x = image.astype(jnp.float32) / 255
    return jnp.einsum("hwc,c->hw", x, jnp.array([0.299, 0.587, 0.114]))


def rotate_points(points, angle):
    """Arrays of pairs."""
    x, y = points[:, 0], points[:, 1]
    c, s = jnp.cos(angle), jnp.sin(angle)
    return jnp.stack([c * x - s * y, s * x + c * y], axis=1)


def _conv(x, w, stride=1, padding="SAME", groups=1, layout="NHWC"):
    numbers = (layout, "HWIO" if layout == "NHWC" else "OIHW", layout)
    return jax.lax.conv_general_dilated(
        x, w, (stride, stride), padding, dimension_numbers=numbers, feature_group_count=groups
    )


def conv_stride(x, w):
    return _conv(x, w, stride=2)


def conv_nchw(x, w):
    return _conv(x, w, layout="NCHW")


def conv_first(x, w):
    """Three channels of an image, stride 2."""
    return jax.nn.relu(_conv(x, w, stride=2))


def conv_transposed(x, w):
    return jax.lax.conv_transpose(x, w, (2, 2), "SAME")


def depthwise(x, w):
    return jax.nn.relu6(_conv(x, w, groups=x.shape[-1]))


def log_softmax_grad(x, labels):
    def loss(x):
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], axis=1))

    return jax.grad(loss)(x)


def row_max(x):
    return x.max(axis=1), x.min(axis=1), x.sum(axis=1)


def mlp_wide(x, w1, w2):
    return jax.nn.gelu(x @ w1) @ w2


_BF16 = ml_dtypes.bfloat16
_KEY = np.array([1, 2], np.uint32)
KINDS = {
    "attention_heads": (causal_attention, [_V(1, 256, 8, 64, seed=i) for i in range(3)]),
    "attention_bf16": (attention, [_V(1, 128, 8, 64, seed=i, dtype=_BF16) for i in range(3)]),
    "product_bf16": (product, [_V(256, 256, dtype=_BF16), _V(256, 256, seed=1, dtype=_BF16)]),
    "product_f16": (product, [_V(128, 256, dtype=np.float16), _V(256, 256, seed=1, dtype=np.float16)]),
    "product_row": (product, [_V(1, 512), _V(512, 8192)]),
    "product_batch": (product, [_V(8, 16, 256), _V(8, 256, 512)]),
    "product_thin": (product, [_V(128, 384), _V(384, 1536)]),
    "product_column": (product, [_V(2048, 512), _V(512, 1)]),
    "product_short": (product, [_V(512, 8), _V(8, 512)]),
    "chain_cold": (chain, [_V(16, 768)] + [_V(768, 768, seed=i, scale=0.05) for i in range(12)]),
    "constant_weights": (constant_weights, [_V(8, 256)]),
    "lstm_one": (
        lstm_one,
        [_V(100, 128), _V(128), _V(128, seed=1), _V(128, 512, scale=0.1), _V(128, 512, seed=1, scale=0.1), _V(512)],
    ),
    "gru": (gru, [_V(100, 4, 64), _V(4, 64), _V(64, 192, scale=0.1), _V(64, 192, seed=1, scale=0.1), _V(192)]),
    "dequantized": (dequantized, [_V(4, 512), _bytes(512, 2048), np.float32(0.01)]),
    "dequantized_table": (dequantized_table, [_ids(32, 30000, 16), _bytes(30000, 64), np.float32(0.01)]),
    "sinkhorn": (sinkhorn, [np.abs(_V(100, 120))]),
    "ctc": (ctc, [_V(4, 100, 32), _ids(4, 31, 12) + 1]),
    "hmc": (hmc, [_V(50, scale=0.1), _KEY]),
    "kalman": (
        kalman,
        [np.eye(6, dtype=np.float32) + _V(6, 6, scale=0.01), _V(2, 6), np.eye(6, dtype=np.float32) * 0.1]
        + [np.eye(2, dtype=np.float32), _V(6), np.eye(6, dtype=np.float32), _V(100, 2)],
    ),
    "smith_waterman": (smith_waterman, [_ids(200, 4), _ids(300, 4)]),
    "ode": (ode, [_V(8, 16), _V(16, 32, scale=0.3), _V(32, 16, scale=0.3)]),
    "k_means_loop": (k_means_loop, [_V(1000, 16), _V(8, 16)]),
    "random_uniform": (random_uniform, [_KEY]),
    "random_normal": (random_normal, [_KEY]),
    "n_body_steps": (n_body_steps, [_V(64, 3), _V(64, 3, seed=1, scale=0.1), np.abs(_V(64))]),
    "life": (life, [_ids(128, 2, 128)]),
    "sort_columns": (sort_columns, [_V(1000, 32)]),
    "fft": (fft, [_V(16, 1024)]),
    "special": (special, [np.abs(_V(10000)) + 0.5]),
    "histogram_2d": (histogram_2d, [np.abs(_V(20000)) % 1, np.abs(_V(20000, seed=1)) % 1]),
    "searches": (searches, [np.sort(_V(1000)), _V(10000)]),
    "tree_ensemble": (
        tree_ensemble,
        [_V(256, 16), _ids(50, 16, 63), _V(50, 63, scale=0.5), _V(50, 64)],
    ),
    "channel_sum": (channel_sum, [_V(256, 256, 3)]),
    "grey": (grey, [_bytes(256, 256, 3).view(np.uint8)]),
    "rotate_points": (rotate_points, [_V(20000, 2), np.float32(0.3)]),
    "conv_stride": (conv_stride, [_V(1, 56, 56, 64), _V(3, 3, 64, 128, scale=0.05)]),
    "conv_nchw": (conv_nchw, [_V(1, 32, 28, 28), _V(64, 32, 3, 3, scale=0.05)]),
    "conv_first": (conv_first, [_V(1, 112, 112, 3), _V(3, 3, 3, 32, scale=0.2)]),
    "conv_transposed": (conv_transposed, [_V(1, 16, 16, 64), _V(3, 3, 64, 32, scale=0.05)]),
    "depthwise_only": (depthwise, [_V(1, 56, 56, 64), _V(3, 3, 1, 64)]),
    "pool_5": (lambda x: pool(x, 5), [_V(1, 192, 13, 13)]),
    "pool_13": (lambda x: pool(x, 13), [_V(1, 192, 13, 13)]),
    "log_softmax_grad": (log_softmax_grad, [_V(128, 1000), _ids(128, 1000)]),
    "row_max": (row_max, [_V(500, 300)]),
    "mlp_wide": (mlp_wide, [_V(64, 512), _V(512, 1024, scale=0.05), _V(1024, 512, scale=0.05)]),
}
