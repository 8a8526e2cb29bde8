"""Further programs in JAX, as `fields.py` has them: gradients, decoding, graphs, simulation, integers and bytes.

Each was written before anybody looked at how fast it is: name -> (function, arguments).
"""

import jax
import jax.numpy as jnp
import numpy as np

from programs import _bytes, _ids, _values as _V

# Networks and their gradients.


def vae_grad(x, key, *weights):
    def loss(weights):
        w1, b1, w2, b2, w3, b3, w4, b4 = weights
        hidden = jax.nn.relu(x @ w1 + b1) @ w2 + b2
        mean, logarithm = hidden[:, :16], hidden[:, 16:]
        latent = mean + jnp.exp(0.5 * logarithm) * jax.random.normal(key, mean.shape)
        result = jax.nn.sigmoid(jax.nn.relu(latent @ w3 + b3) @ w4 + b4)
        divergence = jnp.mean(1 + logarithm - mean**2 - jnp.exp(logarithm))
        return jnp.mean((result - x) ** 2) - 0.5 * divergence

    return jax.grad(loss)(weights)


def conv_norm_grad(x, w, gain, bias, target):
    def loss(w, gain, bias):
        numbers = ("NHWC", "HWIO", "NHWC")
        y = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers)
        mean, variance = y.mean((0, 1, 2)), y.var((0, 1, 2))
        y = jax.nn.relu((y - mean) * jax.lax.rsqrt(variance + 1e-5) * gain + bias)
        return jnp.mean((y - target) ** 2)

    return jax.value_and_grad(loss, (0, 1, 2))(w, gain, bias)


def graph_grad(x, source, target, w1, w2):
    def loss(w1, w2):
        hidden = x
        for w in (w1, w2):
            hidden = jax.nn.relu(jax.ops.segment_sum((hidden @ w)[source], target, x.shape[0]))
        return jnp.mean(hidden**2)

    return jax.grad(loss, (0, 1))(w1, w2)


def experts(x, gate, w1, w2):
    weights, chosen = jax.lax.top_k(x @ gate, 2)
    rows = jnp.arange(x.shape[0])[:, None]
    gates = jnp.zeros((x.shape[0], w1.shape[0])).at[rows, chosen].set(jax.nn.softmax(weights))
    hidden = jax.nn.gelu(jnp.einsum("td,edh->teh", x, w1))
    return jnp.einsum("teh,ehd,te->td", hidden, w2, gates)


def decode_step(x, wqkv, wo, keys, values, position):
    heads = (x @ wqkv).reshape(3, 8, 32)
    angles = position / 10000 ** (jnp.arange(16) / 16)

    def rotate(t):
        a, b = t[:, :16], t[:, 16:]
        cos, sin = jnp.cos(angles), jnp.sin(angles)
        return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)

    query, key, value = rotate(heads[0]), rotate(heads[1]), heads[2]
    keys = jax.lax.dynamic_update_slice(keys, key[:, None], (0, position, 0))
    values = jax.lax.dynamic_update_slice(values, value[:, None], (0, position, 0))
    scores = jnp.einsum("hd,htd->ht", query, keys) / 5.6
    scores = jnp.where(jnp.arange(keys.shape[1]) <= position, scores, -1e9)
    result = jnp.einsum("ht,htd->hd", jax.nn.softmax(scores), values).reshape(1, -1) @ wo
    return result, keys, values


# Simulation.


def lorenz(x):
    def rate(s):
        x, y, z = s[:, 0], s[:, 1], s[:, 2]
        return jnp.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z], 1)

    def step(_, s):
        k1 = rate(s)
        k2 = rate(s + 0.005 * k1)
        k3 = rate(s + 0.005 * k2)
        k4 = rate(s + 0.01 * k3)
        return s + 0.01 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    return jax.lax.fori_loop(0, 50, step, x)


def ray_march(origin, direction):
    direction = direction / jnp.linalg.norm(direction, axis=1, keepdims=True)

    def distance(p):
        spheres = jnp.linalg.norm(jnp.mod(p, 2) - 1, axis=1) - 0.4
        return jnp.minimum(spheres, p[:, 1] + 2)

    def step(_, t):
        return t + distance(origin + t[:, None] * direction)

    return jax.lax.fori_loop(0, 30, step, jnp.zeros(origin.shape[0]))


def cloth(x, first, second):
    def step(_, state):
        x, v = state
        offset = x[second] - x[first]
        length = jnp.linalg.norm(offset, axis=1, keepdims=True) + 1e-6
        force = (length - 0.1) / length * offset
        pull = jnp.zeros_like(x).at[first].add(force).at[second].add(-force)
        v = 0.99 * v + 0.001 * (pull + jnp.array([0, -9.8, 0]))
        return x + 0.001 * v, v

    return jax.lax.fori_loop(0, 5, step, (x, jnp.zeros_like(x)))


def page_rank(source, target, rank):
    degree = jnp.zeros(rank.shape[0]).at[source].add(1.0)

    def step(_, rank):
        share = rank[source] / jnp.maximum(degree[source], 1)
        return 0.15 / rank.shape[0] + 0.85 * jnp.zeros_like(rank).at[target].add(share)

    return jax.lax.fori_loop(0, 20, step, rank / rank.sum())


def gaussian_process(x, y, points):
    def kernel(a, b):
        squares = jnp.sum(a**2, 1)[:, None] + jnp.sum(b**2, 1) - 2 * a @ b.T
        return jnp.exp(-0.5 * squares / 50)

    factor = jnp.linalg.cholesky(kernel(x, x) + 0.1 * jnp.eye(x.shape[0]))
    mean = kernel(points, x) @ jax.scipy.linalg.cho_solve((factor, True), y)
    rest = jax.scipy.linalg.solve_triangular(factor, kernel(x, points), lower=True)
    return mean, 1 - jnp.sum(rest**2, 0)


# Integers and bytes.


def collatz(n):
    def step(state):
        n, steps = state
        live = n != 1
        return jnp.where(live, jnp.where(n % 2 == 0, n // 2, 3 * n + 1), n), steps + live

    start = (n, jnp.zeros(n.shape, jnp.int32))
    return jax.lax.while_loop(lambda state: jnp.any(state[0] != 1), step, start)[1]


def divisors(a, b):
    def step(state):
        a, b = state
        return jnp.where(b != 0, b, a), jnp.where(b != 0, a % jnp.maximum(b, 1), 0)

    return jax.lax.while_loop(lambda state: jnp.any(state[1] != 0), step, (a, b))[0]


def nearest_bits(a, b):
    return jnp.argmin(jax.lax.population_count(a[:, None] ^ b), 1)


def complex_product(a, b):
    return a @ b


def haversine(a, b):
    d = a[:, None] - b
    sines = jnp.sin(d / 2) ** 2
    h = sines[..., 0] + jnp.cos(a[:, None, 0]) * jnp.cos(b[:, 0]) * sines[..., 1]
    return 2 * jnp.arcsin(jnp.sqrt(h))


def find_string(text, part):
    n = text.size - part.size
    rows = jnp.stack([text[i : i + n] for i in range(part.size)])
    return jnp.argmax(jnp.all(rows == part[:, None], 0))


def argmax_of_row(logits):
    return jnp.argmax(logits)


def monte_carlo_pi(key):
    points = jax.random.uniform(key, (20000, 2))
    return 4 * jnp.mean(jnp.sum(points * points, 1) < 1)


def bitonic_sort(x):
    n = x.shape[0]
    i = jnp.arange(n)
    block = 2
    while block <= n:
        distance = block // 2
        while distance:
            other = x.reshape(-1, 2, distance)[:, ::-1].reshape(n)
            is_less = ((i & block) == 0) == ((i & distance) == 0)
            x = jnp.where(is_less, jnp.minimum(x, other), jnp.maximum(x, other))
            distance //= 2
        block *= 2
    return x


def bootstrap(x, key):
    chosen = jax.random.randint(key, (100, x.shape[0]), 0, x.shape[0])
    return jnp.percentile(x[chosen].mean(1), jnp.array([2.5, 97.5]))


def blend_images(a, b):
    return ((a.astype(jnp.uint16) * 3 + b) // 4).astype(jnp.uint8)


def stack_channels(a, b, c):
    return jnp.stack([a + b, b * c, a - c], -1)


# Selections, updates of parts, and states that loops carry.


def rotary(x):
    angles = jnp.arange(128)[:, None] / 10000 ** (jnp.arange(32) / 32)
    a, b = x[..., :32], x[..., 32:]
    turned = a * jnp.cos(angles) - b * jnp.sin(angles), a * jnp.sin(angles) + b * jnp.cos(angles)
    return jnp.concatenate(turned, -1)


def viterbi(emissions, transitions):
    def step(scores, emission):
        candidates = scores[:, None] + transitions
        return candidates.max(0) + emission, candidates.argmax(0)

    scores, back = jax.lax.scan(step, emissions[0], emissions[1:])
    return jax.lax.scan(lambda state, row: (row[state], row[state]), scores.argmax(), back, reverse=True)[1]


def gumbel_topk(logits, uniform):
    return jax.lax.top_k(logits - jnp.log(-jnp.log(uniform * 0.999 + 5e-4)), 20)


def log_sum_exp(x):
    return jax.scipy.special.logsumexp(x, axis=1)


def yee(ez, hx, hy):
    def step(i, fields):
        ez, hx, hy = fields
        hx = hx.at[:, :-1].add(-0.5 * (ez[:, 1:] - ez[:, :-1]))
        hy = hy.at[:-1].add(0.5 * (ez[1:] - ez[:-1]))
        ez = ez.at[1:, 1:].add(0.5 * (hy[1:, 1:] - hy[:-1, 1:] - hx[1:, 1:] + hx[1:, :-1]))
        return ez, hx, hy

    return jax.lax.fori_loop(0, 20, step, (ez, hx, hy))


def coordinate_descent(x, y):
    squares = (x * x).sum(0)

    def one(j, state):
        weights, residuals = state
        column = x[:, j]
        rho = column @ residuals + squares[j] * weights[j]
        new = jnp.sign(rho) * jnp.maximum(jnp.abs(rho) - 5.0, 0) / squares[j]
        return weights.at[j].set(new), residuals + column * (weights[j] - new)

    sweep = lambda i, state: jax.lax.fori_loop(0, x.shape[1], one, state)
    return jax.lax.fori_loop(0, 10, sweep, (jnp.zeros(x.shape[1]), y))[0]


def gillespie(key):
    changes = jnp.array([[1.0, 0.0], [-1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]])

    def step(state, _):
        key, x, time = state
        key, a, b = jax.random.split(key, 3)
        rates = jnp.stack([10.0, 0.1 * x[0], 0.01 * x[0] * x[1], 0.1 * x[1]])
        time = time + jax.random.exponential(a) / rates.sum()
        event = jax.random.categorical(b, jnp.log(rates + 1e-9))
        return (key, jnp.maximum(x + changes[event], 0.0), time), x

    return jax.lax.scan(step, (key, jnp.array([5.0, 5.0]), 0.0), None, length=400)[1]


def metropolis(x, key):
    density = lambda w: -jax.nn.softplus(-(x @ w)).sum() - 0.5 * (w * w).sum()

    def step(state, key):
        w, old = state
        a, b = jax.random.split(key)
        proposal = w + 0.2 * jax.random.normal(a, w.shape)
        new = density(proposal)
        taken = jnp.log(jax.random.uniform(b)) < new - old
        return (jnp.where(taken, proposal, w), jnp.where(taken, new, old)), w

    start = jnp.zeros(x.shape[1])
    return jax.lax.scan(step, (start, density(start)), jax.random.split(key, 500))[1].mean(0)


def gamma_draws(key):
    return jax.random.gamma(key, 2.5, (2000,)).mean()


def gradient_magnitude(x):
    rows, columns = jnp.gradient(x)
    return jnp.sqrt(rows * rows + columns * columns)


def box_overlaps(boxes, others):
    low = jnp.maximum(boxes[:, None, :2], others[None, :, :2])
    high = jnp.minimum(boxes[:, None, 2:], others[None, :, 2:])
    sides = jnp.clip(high - low, 0)
    both = sides[..., 0] * sides[..., 1]
    area = lambda b: (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    overlap = both / (area(boxes)[:, None] + area(others)[None] - both)
    return overlap.argmax(1), overlap.max(1)


def message_passing(x, source, target, w):
    for _ in range(2):
        messages = jax.nn.relu(jnp.concatenate([x[source], x[target]], 1) @ w)
        x = x + jnp.zeros_like(x).at[target].add(messages)
    return x


def pack_bits(x):
    return jnp.packbits(x > 127, axis=1), jnp.unpackbits(x[:64], axis=1)


def bellman_ford(source, target, weights):
    start = jnp.full(300, jnp.inf).at[0].set(0.0)
    return jax.lax.fori_loop(0, 40, lambda i, d: d.at[target].min(d[source] + weights), start)


def hash_embedding(keys, table):
    hashes = (keys * jnp.uint32(2654435761)) >> 7
    rows = table[(hashes % 1000).astype(jnp.int32)]
    return (rows * jnp.where(hashes & 1, 1.0, -1.0)[..., None]).sum(1)


def window_attention(queries, keys, values):
    queries, keys, values = (x.reshape(4, 8, 64, 32) for x in (queries, keys, values))
    keys, values = (jnp.concatenate([jnp.roll(x, 1, 1), x], 2) for x in (keys, values))
    scores = jnp.einsum("hbqd,hbkd->hbqk", queries, keys) / 5.6
    i, j = jnp.arange(64)[:, None] + 64, jnp.arange(128)[None]
    scores = jax.nn.softmax(jnp.where((j <= i) & (j > i - 64), scores, -1e9))
    return jnp.einsum("hbqk,hbkd->hbqd", scores, values)


_KEY = np.array([3, 7], np.uint32)
_WEIGHTS = [(64, 128), (128,), (128, 32), (32,), (16, 128), (128,), (128, 64), (64,)]
_IMAGE = _bytes(300, 200, 3).view(np.uint8)
_BOX = np.array([-3, -3, 3, 3], np.float32)
FURTHER = {
    "vae_grad": (vae_grad, [_V(128, 64), _KEY, *(_V(*shape, scale=0.1) for shape in _WEIGHTS)]),
    "conv_norm_grad": (
        conv_norm_grad,
        [_V(8, 16, 16, 16), _V(3, 3, 16, 32, scale=0.1), _V(32), _V(32), _V(8, 16, 16, 32)],
    ),
    "graph_grad": (
        graph_grad,
        [_V(500, 32), _ids(3000, 500), _ids(3000, 500)[::-1].copy(), _V(32, 32, scale=0.2), _V(32, 32, scale=0.2)],
    ),
    "experts": (
        experts,
        [_V(64, 128), _V(128, 8, scale=0.1), _V(8, 128, 128, scale=0.1), _V(8, 128, 128, scale=0.1)],
    ),
    "decode_step": (
        decode_step,
        [_V(1, 256), _V(256, 768, scale=0.05), _V(256, 256, scale=0.05), _V(8, 128, 32), _V(8, 128, 32), np.int32(57)],
    ),
    "lorenz": (lorenz, [_V(1000, 3)]),
    "ray_march": (ray_march, [_V(1024, 3), _V(1024, 3, seed=1)]),
    "cloth": (cloth, [_V(900, 3), _ids(3000, 900), _ids(3000, 900)[::-1].copy()]),
    "page_rank": (page_rank, [_ids(4000, 500), _ids(4000, 500)[::-1].copy(), np.abs(_V(500))]),
    "gaussian_process": (gaussian_process, [_V(100, 100), _V(100), _V(20, 100, seed=1)]),
    "collatz": (collatz, [(_ids(5000, 100000) + 1).astype(np.uint32)]),
    "divisors": (divisors, [_ids(20000, 1 << 20), _ids(20000, 1 << 20)[::-1].copy()]),
    "nearest_bits": (nearest_bits, [_ids(256, 2**30).astype(np.uint32), _ids(1000, 2**30).astype(np.uint32)]),
    "bitonic_sort": (bitonic_sort, [_ids(4096, 2**30)]),
    "bootstrap": (bootstrap, [_V(2000), _KEY]),
    "complex_product": (
        complex_product,
        [_V(64, 64) + 1j * _V(64, 64, seed=1), _V(64, 64, seed=2) + 1j * _V(64, 64, seed=3)],
    ),
    "haversine": (haversine, [_V(200, 2), _V(300, 2, seed=1)]),
    "find_string": (find_string, [(_ids(20000, 256)).astype(np.uint8), (_ids(8, 256)).astype(np.uint8)]),
    "argmax_of_row": (argmax_of_row, [_V(50257)]),
    "monte_carlo_pi": (monte_carlo_pi, [_KEY]),
    "blend_images": (blend_images, [_IMAGE, _IMAGE[::-1].copy()]),
    "stack_channels": (stack_channels, [_V(20000), _V(20000, seed=1), _V(20000, seed=2)]),
    "rotary": (rotary, [_V(8, 128, 64)]),
    "viterbi": (viterbi, [_V(100, 32), _V(32, 32)]),
    "gumbel_topk": (gumbel_topk, [_V(64, 1000), np.abs(np.tanh(_V(64, 1000, seed=1)))]),
    "log_sum_exp": (log_sum_exp, [_V(500, 300)]),
    "yee": (yee, [_V(128, 128), _V(128, 128, seed=1), _V(128, 128, seed=2)]),
    "coordinate_descent": (coordinate_descent, [_V(200, 50), _V(200)]),
    "gillespie": (gillespie, [_KEY]),
    "metropolis": (metropolis, [_V(100, 3), _KEY]),
    "gamma_draws": (gamma_draws, [_KEY]),
    "gradient_magnitude": (gradient_magnitude, [_V(256, 256)]),
    "box_overlaps": (box_overlaps, [_V(1000, 4) + _BOX, _V(50, 4, seed=1) + _BOX]),
    "message_passing": (
        message_passing,
        [_V(200, 32), _ids(2000, 200), _ids(2000, 200)[::-1].copy(), _V(64, 32, scale=0.1)],
    ),
    "pack_bits": (pack_bits, [_bytes(512, 128).view(np.uint8)]),
    "bellman_ford": (bellman_ford, [_ids(2000, 300), _ids(2000, 300)[::-1].copy(), np.abs(_V(2000))]),
    "hash_embedding": (hash_embedding, [_ids(512, 2**30, 20).astype(np.uint32), _V(1000, 32)]),
    "window_attention": (window_attention, [_V(4, 512, 32), _V(4, 512, 32, seed=1), _V(4, 512, 32, seed=2)]),
}
