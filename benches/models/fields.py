"""Programs in JAX from fields that compilers are not tuned for, which `measure.py` measures beside those of `programs.py`
and `kinds.py`: name -> (function, arguments).

Signals, finance, graphics, biology, control, physics, tables and text, in sizes that are
usual there. Each was written before anybody looked at how fast it is.
"""

import jax
import jax.numpy as jnp
import numpy as np

from programs import _bytes, _ids, _values as _V

# Signals.


def fir(x, taps):
    return jnp.convolve(x, taps, mode="same")


def biquad(x, b, a):
    def step(state, sample):
        x1, x2, y1, y2 = state
        y = b[0] * sample + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2
        return (sample, x1, y, y1), y

    zero = jnp.zeros_like(x[:, 0])
    return jax.lax.scan(step, (zero,) * 4, x.T)[1].T


def stft(x):
    frames = jnp.stack([x[i * 128 : i * 128 + 256] for i in range(60)])
    window = 0.5 - 0.5 * jnp.cos(2 * jnp.pi * jnp.arange(256) / 256)
    return jnp.log1p(jnp.abs(jnp.fft.rfft(frames * window)))


def mel_features(power, filters):
    mel = jnp.log(power @ filters + 1e-6)
    n = mel.shape[-1]
    basis = jnp.cos(jnp.pi / n * (jnp.arange(n) + 0.5)[:, None] * jnp.arange(13))
    return mel @ basis


def autocorrelation(x):
    f = jnp.fft.rfft(x, 2 * x.shape[-1])
    return jnp.fft.irfft(jnp.abs(f) ** 2)[..., : x.shape[-1]]


def median_filter(x):
    padded = jnp.pad(x, 3, mode="edge")
    windows = jnp.stack([padded[i : i + x.shape[0]] for i in range(7)])
    return jnp.median(windows, axis=0)


def haar(x):
    details = []
    for _ in range(6):
        even, odd = x[..., 0::2], x[..., 1::2]
        details.append((even - odd) * np.float32(0.70710678))
        x = (even + odd) * np.float32(0.70710678)
    return jnp.concatenate([x, *details[::-1]], axis=-1)


def companding(x):
    y = jnp.sign(x) * jnp.log1p(255 * jnp.abs(x)) / jnp.log(256.0)
    return jnp.round((y + 1) * 127.5).astype(jnp.uint8)


# Finance.


def monte_carlo_asian(key, spot, vol):
    normal = jax.random.normal(key, (64, 2000))
    steps = -0.5 * vol**2 / 64 + vol / 8 * normal
    path = spot * jnp.exp(jnp.cumsum(steps, axis=0))
    return jnp.mean(jnp.maximum(path.mean(axis=0) - spot, 0))


def binomial_option(spot, strike):
    n, up = 200, np.float32(1.02)
    prices = spot[:, None] * up ** (2 * jnp.arange(n + 1) - n)
    value = jnp.maximum(strike[:, None] - prices, 0)

    def step(i, value):
        hold = np.float32(0.9995) * (np.float32(0.5) * value[:, 1:] + np.float32(0.5) * value[:, :-1])
        return jnp.pad(hold, ((0, 0), (0, 1)))

    return jax.lax.fori_loop(0, n, step, value)[:, 0]


def implied_volatility(price, spot, strike, time):
    def value(vol):
        d1 = (jnp.log(spot / strike) + 0.5 * vol**2 * time) / (vol * jnp.sqrt(time))
        d2 = d1 - vol * jnp.sqrt(time)
        cdf = lambda x: 0.5 * (1 + jax.lax.erf(x * np.float32(0.70710678)))
        vega = spot * jnp.sqrt(time) * jnp.exp(-0.5 * d1**2) * np.float32(0.39894228)
        return spot * cdf(d1) - strike * cdf(d2), vega

    def step(_, vol):
        found, vega = value(vol)
        return jnp.clip(vol - (found - price) / (vega + 1e-6), 0.01, 3.0)

    return jax.lax.fori_loop(0, 8, step, jnp.full_like(price, 0.3))


def portfolio(returns):
    centred = returns - returns.mean(axis=0)
    cov = centred.T @ centred / (returns.shape[0] - 1) + 0.01 * jnp.eye(returns.shape[1])
    w = jnp.linalg.solve(cov, jnp.ones(returns.shape[1]))
    return w / w.sum()


def ewma(prices):
    returns = jnp.diff(jnp.log(prices), axis=0)

    def step(var, r):
        var = np.float32(0.94) * var + np.float32(0.06) * r * r
        return var, jnp.sqrt(var)

    return jax.lax.scan(step, returns[0] ** 2, returns)[1]


def drawdown(prices):
    peak = jax.lax.cummax(prices, axis=0)
    return (prices / peak - 1).min(axis=0)


# Graphics.


def bilinear_resize(image):
    return jax.image.resize(image, (150, 200, 3), "bilinear")


def ray_spheres(origins, directions, centres, radii):
    to = centres[None] - origins[:, None]
    along = jnp.einsum("rsk,rk->rs", to, directions)
    inside = radii**2 - (jnp.sum(to * to, axis=-1) - along**2)
    hit = jnp.where(inside > 0, along - jnp.sqrt(jnp.maximum(inside, 0)), jnp.inf)
    hit = jnp.where(hit > 1e-3, hit, jnp.inf)
    return hit.min(axis=1), hit.argmin(axis=1)


def gamma_correct(image):
    linear = image.astype(jnp.float32) / 255
    linear = jnp.where(linear <= 0.04045, linear / 12.92, ((linear + 0.055) / 1.055) ** 2.4)
    grey = linear @ jnp.array([0.2126, 0.7152, 0.0722])
    return jnp.where(grey <= 0.0031308, grey * 12.92, 1.055 * grey ** (1 / 2.4) - 0.055)


def sobel(image):
    p = jnp.pad(image, 1)
    gx = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
    gy = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
    return jnp.hypot(gx, gy), jnp.arctan2(gy, gx)


def skinning(vertices, weights, bones, matrices):
    posed = jnp.einsum("vbij,vj->vbi", matrices[bones], jnp.pad(vertices, ((0, 0), (0, 1)), constant_values=1))
    return jnp.einsum("vb,vbi->vi", weights, posed)[:, :3]


def warp(image, flow):
    h, w = image.shape
    y = jnp.clip(jnp.arange(h)[:, None] + flow[0], 0, h - 1)
    x = jnp.clip(jnp.arange(w)[None] + flow[1], 0, w - 1)
    return jax.scipy.ndimage.map_coordinates(image, [y, x], order=1)


def rgb_to_hsv(image):
    r, g, b = image[..., 0], image[..., 1], image[..., 2]
    high, low = jnp.maximum(jnp.maximum(r, g), b), jnp.minimum(jnp.minimum(r, g), b)
    span = high - low
    safe = jnp.where(span == 0, 1, span)
    hue = jnp.where(high == r, (g - b) / safe % 6, jnp.where(high == g, (b - r) / safe + 2, (r - g) / safe + 4))
    return jnp.stack([jnp.where(span == 0, 0, hue / 6), jnp.where(high == 0, 0, span / high), high], axis=-1)


# Biology.


def hidden_markov(transition, emission, observations):
    def step(alpha, o):
        alpha = jax.nn.logsumexp(alpha[:, None] + transition, axis=0) + emission[:, o]
        return alpha, None

    first = emission[:, observations[0]]
    return jax.nn.logsumexp(jax.lax.scan(step, first, observations[1:])[0])


def k_mer_counts(sequence):
    codes = sum(sequence[i : sequence.shape[0] - 5 + i] * 4**i for i in range(6))
    return jnp.zeros(4**6, jnp.int32).at[codes].add(1)


def lotka_volterra(x, rates):
    def slope(x):
        a, b = x[:, 0], x[:, 1]
        return jnp.stack([rates[0] * a - rates[1] * a * b, rates[2] * a * b - rates[3] * b], axis=1)

    def step(x, _):
        k1 = slope(x)
        k2 = slope(x + 0.005 * k1)
        k3 = slope(x + 0.005 * k2)
        k4 = slope(x + 0.01 * k3)
        x = x + np.float32(0.01 / 6) * (k1 + 2 * k2 + 2 * k3 + k4)
        return x, x[:, 0].mean()

    return jax.lax.scan(step, x, None, length=300)


def hodgkin_huxley(v, current):
    def step(state, _):
        v, m, h, n = state
        am = 0.1 * (v + 40) / (1 - jnp.exp(-(v + 40) / 10))
        bm = 4 * jnp.exp(-(v + 65) / 18)
        ah = 0.07 * jnp.exp(-(v + 65) / 20)
        bh = 1 / (1 + jnp.exp(-(v + 35) / 10))
        an = 0.01 * (v + 55) / (1 - jnp.exp(-(v + 55) / 10))
        bn = 0.125 * jnp.exp(-(v + 65) / 80)
        m = m + 0.01 * (am * (1 - m) - bm * m)
        h = h + 0.01 * (ah * (1 - h) - bh * h)
        n = n + 0.01 * (an * (1 - n) - bn * n)
        leak = 120 * m**3 * h * (v - 50) + 36 * n**4 * (v + 77) + 0.3 * (v + 54.4)
        return (v + 0.01 * (current - leak), m, h, n), None

    half = jnp.full_like(v, 0.5)
    return jax.lax.scan(step, (v, half * 0.1, half, half * 0.6), None, length=100)[0]


def contact_map(atoms):
    d2 = jnp.sum((atoms[:, None] - atoms[None]) ** 2, axis=-1)
    return jnp.sum(d2 < 0.5, axis=1), jnp.where(d2 < 0.5, d2, 0).sum()


# Control.


def riccati(a, b, q, r):
    def step(_, p):
        bp = b.T @ p
        gain = jnp.linalg.solve(r + bp @ b, bp @ a)
        return q + a.T @ p @ (a - b @ gain)

    return jax.lax.fori_loop(0, 30, step, q)


def pid(setpoints):
    def step(state, target):
        position, speed, total = state
        error = target - position
        total = jnp.clip(total + error * 0.01, -1, 1)
        force = 20 * error + 5 * total - 4 * speed
        speed = speed + 0.01 * force
        return (position + 0.01 * speed, speed, total), position

    zero = jnp.zeros_like(setpoints[0])
    return jax.lax.scan(step, (zero, zero, zero), setpoints)[1]


def particle_filter(key, particles, observations):
    def step(carry, observed):
        key, particles = carry
        key, a, b = jax.random.split(key, 3)
        particles = particles + 0.1 * jax.random.normal(a, particles.shape)
        logits = -0.5 * ((particles - observed) / 0.2) ** 2
        total = jnp.cumsum(jax.nn.softmax(logits))
        at = (jnp.arange(particles.shape[0]) + jax.random.uniform(b)) / particles.shape[0]
        chosen = jnp.clip(jnp.searchsorted(total, at), 0, particles.shape[0] - 1)
        return (key, particles[chosen]), particles.mean()

    return jax.lax.scan(step, (key, particles), observations)[1]


def quaternions(q, v):
    w, u = q[:, :1], q[:, 1:]
    t = 2 * jnp.cross(u, v)
    return v + w * t + jnp.cross(u, t)


# Physics.


def wave(u, before):
    def step(carry, _):
        u, before = carry
        laplace = (
            jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) - 4 * u
        )
        return (2 * u - before + 0.1 * laplace, u), None

    return jax.lax.scan(step, (u, before), None, length=20)[0]


def ising(key, spins):
    y, x = jnp.mgrid[0 : spins.shape[0], 0 : spins.shape[1]]

    def sweep(spins, key):
        for parity in range(2):
            near = sum(jnp.roll(spins, s, axis) for s in (1, -1) for axis in (0, 1))
            draw = jax.random.uniform(jax.random.fold_in(key, parity), spins.shape)
            flip = (draw < jnp.exp(-0.8 * spins * near)) & ((y + x) % 2 == parity)
            spins = jnp.where(flip, -spins, spins)
        return spins, spins.mean()

    return jax.lax.scan(sweep, spins, jax.random.split(key, 5))


def lennard_jones(x):
    def energy(x):
        d = x[:, None] - x[None]
        r2 = jnp.sum(d * d, axis=-1) + jnp.eye(x.shape[0])
        inv = 1 / (r2 + 0.1) ** 3
        return jnp.sum(jnp.triu(4 * (inv * inv - inv), 1))

    return jax.value_and_grad(energy)(x)


def poisson_fft(rho):
    n = rho.shape[0]
    k = 2 * jnp.pi * jnp.fft.fftfreq(n)
    k2 = k[:, None] ** 2 + k[None, :] ** 2
    phi = jnp.fft.fft2(rho) / jnp.where(k2 == 0, 1, k2)
    return jnp.fft.ifft2(phi).real


def lattice_boltzmann(f):
    cx = jnp.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
    cy = jnp.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    w = jnp.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    rho = f.sum(axis=0)
    ux = jnp.tensordot(cx.astype(f.dtype), f, 1) / rho
    uy = jnp.tensordot(cy.astype(f.dtype), f, 1) / rho
    cu = cx[:, None, None] * ux + cy[:, None, None] * uy
    equal = w[:, None, None] * rho * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * (ux**2 + uy**2))
    f = f - (f - equal) * 0.6
    return jnp.stack([jnp.roll(f[i], (int(a), int(b)), (0, 1)) for i, (a, b) in enumerate(zip([0, 1, 0, -1, 0, 1, -1, -1, 1], [0, 0, 1, 0, -1, 1, 1, -1, -1]))])


# Tables.


def group_means(ids, values):
    total = jax.ops.segment_sum(values, ids, 100)
    count = jax.ops.segment_sum(jnp.ones_like(ids, jnp.float32), ids, 100)
    return total / jnp.maximum(count, 1)[:, None]


def quantiles(x):
    return jnp.quantile(x, jnp.array([0.05, 0.25, 0.5, 0.75, 0.95]), axis=0)


def factorization_machine(x, w, v):
    linear = x @ w
    pairs = 0.5 * jnp.sum((x @ v) ** 2 - (x**2) @ (v**2), axis=1)
    return jax.nn.sigmoid(linear + pairs)


def standardize(x):
    mean = jnp.nanmean(x, axis=0)
    std = jnp.nanstd(x, axis=0)
    return jnp.where(jnp.isnan(x), 0, (x - mean) / (std + 1e-6))


def deep_cross(x, w, b):
    y = x
    for i in range(3):
        y = x * (y @ w[i] + b[i]) + y
    return y


def nearest_neighbours(points, queries):
    d = jnp.sum(queries**2, 1)[:, None] - 2 * queries @ points.T + jnp.sum(points**2, 1)
    return jax.lax.top_k(-d, 5)


# Text.


def edit_distance(a, b):
    def row(previous, symbol):
        substitution = previous[:-1] + (b != symbol)
        best = jnp.minimum(substitution, previous[1:] + 1)
        first = previous[0] + 1
        j = jnp.arange(b.shape[0] + 1)
        current = jax.lax.cummin(jnp.concatenate([first[None], best]) - j) + j
        return current, None

    return jax.lax.scan(row, jnp.arange(b.shape[0] + 1), a)[0][-1]


def bag_of_words(ids, table):
    vectors = table[ids]
    return vectors.mean(axis=1) / (jnp.linalg.norm(vectors.mean(axis=1), axis=-1, keepdims=True) + 1e-6)


def tf_idf(counts):
    tf = counts / jnp.maximum(counts.sum(axis=1, keepdims=True), 1)
    idf = jnp.log((1 + counts.shape[0]) / (1 + (counts > 0).sum(axis=0))) + 1
    scores = tf * idf
    return scores / jnp.maximum(jnp.linalg.norm(scores, axis=1, keepdims=True), 1e-6)


def rolling_hash(text):
    def step(h, c):
        h = (h * jnp.uint32(16777619)) ^ c
        return h, h

    return jax.lax.scan(step, jnp.full(text.shape[1:], 2166136261, jnp.uint32), text)[0]


_KEY = np.array([1, 2], np.uint32)
_POSITIVE = np.abs(_V(20000)) * 20 + 80
FIELDS = {
    "fir": (fir, [_V(16000), _V(65)]),
    "biquad": (biquad, [_V(32, 2000), _V(3), np.array([-0.5, 0.2], np.float32)]),
    "stft": (stft, [_V(8192)]),
    "mel_features": (mel_features, [np.abs(_V(100, 257)), np.abs(_V(257, 40))]),
    "autocorrelation": (autocorrelation, [_V(8, 1000)]),
    "median_filter": (median_filter, [_V(10000)]),
    "haar": (haar, [_V(64, 1024)]),
    "companding": (companding, [np.tanh(_V(16000))]),
    "monte_carlo_asian": (monte_carlo_asian, [_KEY, np.float32(100), np.float32(0.2)]),
    "binomial_option": (binomial_option, [_POSITIVE[:16], _POSITIVE[16:32]]),
    "implied_volatility": (
        implied_volatility,
        [np.abs(_V(5000)) * 5 + 8, _POSITIVE[:5000], _POSITIVE[5000:10000], np.abs(_V(5000, seed=1)) + 0.5],
    ),
    "portfolio": (portfolio, [_V(500, 50)]),
    "ewma": (ewma, [_POSITIVE.reshape(1000, 20)]),
    "drawdown": (drawdown, [_POSITIVE.reshape(1000, 20)]),
    "bilinear_resize": (bilinear_resize, [_V(120, 160, 3)]),
    "ray_spheres": (ray_spheres, [_V(4096, 3), _V(4096, 3, seed=1), _V(20, 3, seed=2), np.abs(_V(20))]),
    "gamma_correct": (gamma_correct, [_bytes(128, 128, 3).view(np.uint8)]),
    "sobel": (sobel, [_V(256, 256)]),
    "skinning": (skinning, [_V(5000, 3), np.abs(_V(5000, 4)), _ids(5000, 30, 4), _V(30, 4, 4)]),
    "warp": (warp, [_V(128, 128), _V(2, 128, 128, scale=3.0)]),
    "rgb_to_hsv": (rgb_to_hsv, [np.abs(_V(128, 128, 3)) % 1]),
    "hidden_markov": (hidden_markov, [_V(16, 16), _V(16, 8), _ids(200, 8)]),
    "k_mer_counts": (k_mer_counts, [_ids(50000, 4)]),
    "lotka_volterra": (lotka_volterra, [np.abs(_V(100, 2)) + 0.5, np.array([1.1, 0.4, 0.1, 0.4], np.float32)]),
    "hodgkin_huxley": (hodgkin_huxley, [_V(1000, scale=5.0) - 65, np.abs(_V(1000)) * 10]),
    "contact_map": (contact_map, [_V(400, 3)]),
    "riccati": (riccati, [_V(8, 8, scale=0.3), _V(8, 2), np.eye(8, dtype=np.float32), np.eye(2, dtype=np.float32)]),
    "pid": (pid, [_V(1000, 64)]),
    # With other keys the last bit of a sum may decide which particle is chosen, and nobody's results agree.
    "particle_filter": (particle_filter, [np.array([1, 21], np.uint32), _V(500), _V(20)]),
    "quaternions": (quaternions, [_V(10000, 4), _V(10000, 3)]),
    "wave": (wave, [_V(128, 128), _V(128, 128)]),
    "ising": (ising, [_KEY, np.sign(_V(64, 64))]),
    "lennard_jones": (lennard_jones, [_V(150, 3)]),
    "poisson_fft": (poisson_fft, [_V(128, 128)]),
    "lattice_boltzmann": (lattice_boltzmann, [np.abs(_V(9, 64, 64)) + 1]),
    "group_means": (group_means, [_ids(20000, 100), _V(20000, 8)]),
    "quantiles": (quantiles, [_V(1000, 16)]),
    "factorization_machine": (factorization_machine, [_V(256, 200), _V(200), _V(200, 16)]),
    "standardize": (standardize, [np.where(_V(2000, 20) > 1.5, np.nan, _V(2000, 20)).astype(np.float32)]),
    "deep_cross": (deep_cross, [_V(256, 100), _V(3, 100, 100, scale=0.1), _V(3, 100)]),
    "nearest_neighbours": (nearest_neighbours, [_V(1000, 16), _V(100, 16, seed=1)]),
    "edit_distance": (edit_distance, [_ids(150, 26), _ids(200, 26)]),
    "bag_of_words": (bag_of_words, [_ids(64, 5000, 50), _V(5000, 64)]),
    "tf_idf": (tf_idf, [np.maximum(_V(200, 1000), 0).round()]),
    "rolling_hash": (rolling_hash, [_ids(100, 256, 256).astype(np.uint32)]),
}
