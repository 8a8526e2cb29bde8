"""A fourth set of programs in JAX, as `further.py` has them: parts of networks, control, geometry, graphs, bytes.

Each was written before anybody looked at how fast it is: name -> (function, arguments).
"""

import jax
import jax.numpy as jnp
import numpy as np

from programs import _bytes, _ids, _values as _V

_CHANNELS_LAST = ("NHWC", "HWIO", "NHWC")

# Networks.


def _convolved(x, w, stride=1):
    return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=_CHANNELS_LAST)


def unet_block(x, first, down, inner, last):
    high = jax.nn.silu(_convolved(x, first))
    low = jax.nn.silu(_convolved(jax.nn.silu(_convolved(high, down, 2)), inner))
    wider = jax.image.resize(low, (*high.shape[:3], low.shape[3]), "nearest")
    return _convolved(jnp.concatenate([high, wider], -1), last)


def digits_grad(x, w1, w2, w3, labels):
    def pooled(h):
        return jax.lax.reduce_window(h, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def loss(weights):
        h = pooled(jax.nn.relu(_convolved(x, weights[0])))
        h = pooled(jax.nn.relu(_convolved(h, weights[1])))
        logits = jax.nn.log_softmax(h.reshape(h.shape[0], -1) @ weights[2])
        return -jnp.mean(jnp.take_along_axis(logits, labels[:, None], 1))

    return jax.grad(loss)((w1, w2, w3))


def group_norm(x, gain, bias):
    groups = x.reshape(*x.shape[:-1], 8, -1)
    mean = groups.mean((1, 2, 4), keepdims=True)
    variance = groups.var((1, 2, 4), keepdims=True)
    return ((groups - mean) / jnp.sqrt(variance + 1e-5)).reshape(x.shape) * gain + bias


def gated_mlp(x, gain, w1, w2, w3):
    h = x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * gain
    return x + (jax.nn.silu(h @ w1) * (h @ w2)) @ w3


def grouped_attention(queries, keys, values):
    queries = queries.reshape(queries.shape[0], 2, 4, 32)
    scores = jnp.einsum("tgrd,sgd->grts", queries, keys) / 5.6
    at = jnp.arange(queries.shape[0])
    scores = jnp.where(at[:, None] >= at[None], scores, -jnp.inf)
    return jnp.einsum("grts,sgd->tgrd", jax.nn.softmax(scores), values).reshape(queries.shape[0], -1)


def linear_attention(queries, keys, values):
    def step(state, x):
        memory, total = state
        query, key, value = x
        memory = memory + jnp.einsum("hd,he->hde", key, value)
        total = total + key
        result = jnp.einsum("hd,hde->he", query, memory)
        return (memory, total), result / (jnp.sum(query * total, -1, keepdims=True) + 1e-6)

    _, heads, size = queries.shape
    start = jnp.zeros((heads, size, values.shape[2])), jnp.zeros((heads, size))
    return jax.lax.scan(step, start, (jax.nn.elu(queries) + 1, jax.nn.elu(keys) + 1, values))[1]


def selective_scan(x, delta, a, b, c):
    def step(state, now):
        x, delta, b, c = now
        state = jnp.exp(delta[:, None] * a) * state + delta[:, None] * b[None] * x[:, None]
        return state, state @ c

    return jax.lax.scan(step, jnp.zeros_like(a), (x, delta, b, c))[1]


def residuals_of_physics(points, w1, b1, w2, b2, w3):
    def network(x):
        return (jnp.tanh(jnp.tanh(x @ w1 + b1) @ w2 + b2) @ w3)[0]

    def residual(x):
        second = jax.hessian(network)(x)
        return (second[0, 0] + second[1, 1] - jnp.sin(x[0])) ** 2

    return jnp.mean(jax.vmap(residual)(points))


# Control.


def advantages(rewards, values, done):
    def step(sum_, x):
        reward, value, next_value, done = x
        delta = reward + 0.99 * next_value * (1 - done) - value
        sum_ = delta + 0.99 * 0.95 * (1 - done) * sum_
        return sum_, sum_

    rows = rewards, values[:-1], values[1:], done
    return jax.lax.scan(step, jnp.zeros(rewards.shape[1]), rows, reverse=True)[1]


def cart_poles(state, key):
    def step(state, key):
        x, speed, angle, turn = state.T
        force = jnp.where(jax.random.bernoulli(key, 0.5, x.shape), 10.0, -10.0)
        cos, sin = jnp.cos(angle), jnp.sin(angle)
        push = (force + 0.05 * turn * turn * sin) / 1.1
        turning = (9.8 * sin - cos * push) / (0.5 * (4 / 3 - 0.1 * cos * cos / 1.1))
        speeding = push - 0.05 * turning * cos / 1.1
        columns = x + 0.02 * speed, speed + 0.02 * speeding, angle + 0.02 * turn, turn + 0.02 * turning
        state = jnp.stack(columns, 1)
        fell = (jnp.abs(state[:, 0]) > 2.4) | (jnp.abs(state[:, 2]) > 0.2)
        return jnp.where(fell[:, None], 0.05, state), fell

    return jax.lax.scan(step, state, jax.random.split(key, 50))


# Equations.


def conjugate_gradients(b):
    def laplace(x):
        p = jnp.pad(x, 1)
        return 4 * x - p[:-2, 1:-1] - p[2:, 1:-1] - p[1:-1, :-2] - p[1:-1, 2:]

    def step(_, state):
        x, residual, direction, square = state
        image = laplace(direction)
        length = square / jnp.vdot(direction, image)
        residual = residual - length * image
        now = jnp.vdot(residual, residual)
        return x + length * direction, residual, residual + now / square * direction, now

    return jax.lax.fori_loop(0, 40, step, (jnp.zeros_like(b), b, b, jnp.vdot(b, b)))[0]


def tridiagonal(lower, diagonal, upper, right):
    def forward(state, row):
        factor, value = state
        a, b, c, d = row
        pivot = b - a * factor
        state = c / pivot, (d - a * value) / pivot
        return state, state

    def backward(x, row):
        x = row[1] - row[0] * x
        return x, x

    zero = jnp.zeros_like(right[0])
    _, rows = jax.lax.scan(forward, (zero, zero), (lower, diagonal, upper, right))
    return jax.lax.scan(backward, zero, rows, reverse=True)[1]


def stiffness(points, triangles, weights):
    corners = points[triangles]
    edges = jnp.stack([corners[:, (i + 2) % 3] - corners[:, (i + 1) % 3] for i in range(3)], 1)
    area = 0.5 * (edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0])
    local = jnp.einsum("eid,ejd->eij", edges, edges) * (weights / (4 * jnp.abs(area) + 0.1))[:, None, None]
    whole = jnp.zeros((points.shape[0], points.shape[0]))
    return whole.at[triangles[:, :, None], triangles[:, None, :]].add(local)


def mixture(x, means):
    def step(_, state):
        means, squares, weights = state
        scores = -0.5 * jnp.sum((x[:, None] - means) ** 2 / squares + jnp.log(squares), -1) + jnp.log(weights)
        parts = jax.nn.softmax(scores, 1)
        n = parts.sum(0) + 1e-6
        means = (parts.T @ x) / n[:, None]
        squares = jnp.einsum("nk,nkd->kd", parts, (x[:, None] - means) ** 2) / n[:, None] + 1e-3
        return means, squares, n / x.shape[0]

    n = means.shape[0]
    return jax.lax.fori_loop(0, 10, step, (means, jnp.ones_like(means), jnp.full(n, 1 / n)))


# Graphs and sequences.


def breadth_first(adjacent):
    def step(state):
        distance, front, n = state
        front = (front.astype(jnp.float32) @ adjacent > 0) & (distance < 0)
        return jnp.where(front, n + 1, distance), front, n + 1

    start = jnp.full(adjacent.shape[0], -1, jnp.int32).at[0].set(0)
    return jax.lax.while_loop(lambda state: jnp.any(state[1]), step, (start, start == 0, 0))[0]


def all_distances(d):
    return jax.lax.fori_loop(0, d.shape[0], lambda k, d: jnp.minimum(d, d[:, k][:, None] + d[k][None]), d)


def knapsack(weights, values):
    def step(best, item):
        weight, value = item
        at = jnp.arange(best.shape[0])
        with_it = jnp.where(at >= weight, best[jnp.maximum(at - weight, 0)] + value, 0)
        return jnp.maximum(best, with_it), None

    return jax.lax.scan(step, jnp.zeros(1001, jnp.int32), (weights, values))[0]


def run_length(x):
    starts = jnp.concatenate([jnp.ones(1, bool), x[1:] != x[:-1]])
    run = jnp.cumsum(starts) - 1
    return jnp.zeros_like(x).at[run].set(x), jnp.zeros(x.shape[0], jnp.int32).at[run].add(1)


def beam_search(scores):
    def step(best, row):
        all_ = best[:, None] + row
        best, at = jax.lax.top_k(all_.reshape(-1), 8)
        return best, (at // row.shape[-1], at % row.shape[-1])

    return jax.lax.scan(step, jnp.zeros(8), scores)


def warped_distance(a, b):
    def row(previous, costs):
        def cell(left, x):
            best = jnp.minimum(x[0], left + x[1])
            return best, best

        best = jnp.minimum(previous[1:], previous[:-1]) + costs
        result = jax.lax.scan(cell, jnp.inf, (best, costs))[1]
        return jnp.concatenate([jnp.array([jnp.inf]), result]), None

    start = jnp.full(b.shape[0] + 1, jnp.inf).at[0].set(0)
    return jax.lax.scan(row, start, jnp.abs(a[:, None] - b))[0][-1]


# Bytes.


def hash_rounds(words):
    def rotated(x, n):
        return (x >> n) | (x << (32 - n))

    def step(state, constants):
        a, b, c, d, e, f, g, h = state
        first = (
            h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + constants[0] + constants[1]
        )
        second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
        return (first + second, a, b, c, d + first, e, f, g), None

    schedule = [words[:, i] for i in range(16)]
    for i in range(16, 64):
        x, y = schedule[i - 15], schedule[i - 2]
        low = rotated(x, 7) ^ rotated(x, 18) ^ (x >> 3)
        high = rotated(y, 17) ^ rotated(y, 19) ^ (y >> 10)
        schedule.append(schedule[i - 16] + low + schedule[i - 7] + high)
    constants = jnp.asarray((np.abs(np.sin(np.arange(1, 65))) * 2**32).astype(np.uint32))
    start = tuple(jnp.full(words.shape[0], n, jnp.uint32) for n in range(1, 9))
    return jnp.stack(jax.lax.scan(step, start, (constants, jnp.stack(schedule)))[0], 1)


def checksum(rows):
    def step(sum_, byte):
        sum_ = sum_ ^ byte.astype(jnp.uint32)
        for _ in range(8):
            sum_ = jnp.where(sum_ & 1, (sum_ >> 1) ^ jnp.uint32(0xEDB88320), sum_ >> 1)
        return sum_, None

    return ~jax.lax.scan(step, jnp.full(rows.shape[0], 0xFFFFFFFF, jnp.uint32), rows.T)[0]


def base64(x):
    triples = x.reshape(-1, 3).astype(jnp.uint32)
    words = (triples[:, 0] << 16) | (triples[:, 1] << 8) | triples[:, 2]
    digits = jnp.stack([(words >> shift) & 63 for shift in (18, 12, 6, 0)], 1).reshape(-1)
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return jnp.asarray(np.frombuffer(letters, np.uint8))[digits]


# Images and geometry.


def bilateral(x):
    padded = jnp.pad(x, 2, mode="edge")
    total = weights = 0
    for i in range(5):
        for j in range(5):
            moved = padded[i : i + x.shape[0], j : j + x.shape[1]]
            weight = jnp.exp(-((i - 2) ** 2 + (j - 2) ** 2) / 8 - (moved - x) ** 2 * 4)
            total, weights = total + weight * moved, weights + weight
    return total / weights


def label_regions(mask):
    outside = mask.size

    def step(state):
        padded = jnp.pad(state[0], 1, constant_values=outside)
        rows = jnp.minimum(padded[:-2, 1:-1], padded[2:, 1:-1])
        columns = jnp.minimum(padded[1:-1, :-2], padded[1:-1, 2:])
        labels = jnp.where(mask, jnp.minimum(state[0], jnp.minimum(rows, columns)), outside)
        return labels, jnp.any(labels != state[0])

    labels = jnp.where(mask, jnp.arange(mask.size).reshape(mask.shape), outside)
    return jax.lax.while_loop(lambda state: state[1], step, (labels, True))[0]


def triangle_hits(origins, directions, triangles):
    first, second = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    normals = jnp.cross(directions[:, None], second[None])
    determinant = jnp.sum(first * normals, -1)
    inverse = 1 / jnp.where(jnp.abs(determinant) < 1e-6, 1e-6, determinant)
    offsets = origins[:, None] - triangles[None, :, 0]
    across = jnp.cross(offsets, first[None])
    u = jnp.sum(offsets * normals, -1) * inverse
    v = jnp.sum(directions[:, None] * across, -1) * inverse
    distance = jnp.sum(second * across, -1) * inverse
    hits = (u >= 0) & (v >= 0) & (u + v <= 1) & (distance > 0)
    distance = jnp.where(hits, distance, jnp.inf)
    return jnp.min(distance, 1), jnp.argmin(distance, 1)


def fluid_forces(x):
    offsets = x[:, None] - x[None]
    squares = jnp.sum(offsets * offsets, -1)
    weights = jnp.where(squares < 0.25, (0.25 - squares) ** 3, 0)
    pressure = weights.sum(1) - 1
    return jnp.sum((pressure[:, None] + pressure[None])[..., None] * offsets * weights[..., None], 1)


def denoised(x):
    details = []
    for _ in range(4):
        sums, differences = (x[:, ::2] + x[:, 1::2]) * 0.7071, (x[:, ::2] - x[:, 1::2]) * 0.7071
        details.append(jnp.sign(differences) * jnp.maximum(jnp.abs(differences) - 0.5, 0))
        x = sums
    for detail in reversed(details):
        x = jnp.stack([(x + detail) * 0.7071, (x - detail) * 0.7071], -1).reshape(x.shape[0], -1)
    return x


def _integers(seed, end, *shape):
    return np.random.default_rng(seed).integers(0, end, shape).astype(np.int32)


_KEY = np.array([3, 7], np.uint32)
MIXED = {
    "unet_block": (
        unet_block,
        [
            _V(1, 64, 64, 16),
            *(_V(3, 3, *shape, scale=0.1) for shape in ((16, 32), (32, 32), (32, 32), (64, 16))),
        ],
    ),
    "digits_grad": (
        digits_grad,
        [
            _V(16, 28, 28, 1),
            _V(3, 3, 1, 16, scale=0.3),
            _V(3, 3, 16, 32, scale=0.1),
            _V(1568, 10, scale=0.05),
            _ids(16, 10),
        ],
    ),
    "group_norm": (group_norm, [_V(4, 32, 32, 64), _V(64), _V(64)]),
    "gated_mlp": (
        gated_mlp,
        [_V(64, 256), _V(256), *(_V(*shape, scale=0.1) for shape in ((256, 512), (256, 512), (512, 256)))],
    ),
    "grouped_attention": (grouped_attention, [_V(128, 256), _V(128, 2, 32), _V(128, 2, 32, seed=1)]),
    "linear_attention": (linear_attention, [_V(128, 4, 32), _V(128, 4, 32, seed=1), _V(128, 4, 32, seed=2)]),
    "selective_scan": (
        selective_scan,
        [_V(128, 64), np.abs(_V(128, 64)), -np.abs(_V(64, 16)), _V(128, 16), _V(128, 16, seed=1)],
    ),
    "residuals_of_physics": (
        residuals_of_physics,
        [_V(64, 2), _V(2, 32), _V(32), _V(32, 32, scale=0.2), _V(32), _V(32, 1)],
    ),
    "advantages": (advantages, [_V(128, 64), _V(129, 64), (_V(128, 64) > 1.5).astype(np.float32)]),
    "cart_poles": (cart_poles, [_V(256, 4, scale=0.05), _KEY]),
    "conjugate_gradients": (conjugate_gradients, [_V(64, 64)]),
    "tridiagonal": (tridiagonal, [_V(200, 64), _V(200, 64) + 5, _V(200, 64, seed=1), _V(200, 64, seed=2)]),
    "stiffness": (stiffness, [_V(200, 2), _integers(0, 200, 400, 3), np.abs(_V(400))]),
    "mixture": (mixture, [_V(500, 8), _V(6, 8)]),
    "breadth_first": (breadth_first, [(_integers(0, 100, 256, 256) < 2).astype(np.float32)]),
    "all_distances": (all_distances, [np.abs(_V(100, 100))]),
    "knapsack": (knapsack, [_ids(60, 100) + 1, _ids(60, 500)]),
    "run_length": (run_length, [_ids(10000, 3)]),
    "beam_search": (beam_search, [_V(30, 8, 200)]),
    "warped_distance": (warped_distance, [_V(150), _V(150, seed=1)]),
    "hash_rounds": (hash_rounds, [_ids(256, 2**30, 16).astype(np.uint32)]),
    "checksum": (checksum, [_bytes(256, 200).view(np.uint8)]),
    "base64": (base64, [_ids(30000, 256).astype(np.uint8)]),
    "bilateral": (bilateral, [_V(128, 128)]),
    "label_regions": (label_regions, [_V(64, 64) > -0.3]),
    "triangle_hits": (triangle_hits, [_V(512, 3), _V(512, 3, seed=1), _V(64, 3, 3)]),
    "fluid_forces": (fluid_forces, [_V(300, 3)]),
    "denoised": (denoised, [_V(64, 1024)]),
}
