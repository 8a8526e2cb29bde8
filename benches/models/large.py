"""A fifth set of programs in JAX: what libraries are called for elsewhere, in sizes where that pays.

Factorizations give the matrix back where their vectors are known up to a sign: name -> (function, arguments).
"""

import jax
import jax.numpy as jnp
import numpy as np

from programs import _ids, _values as _V

_MILLION = 1 << 20
_SQUARE = _V(512, 512)
_SYMMETRIC = _SQUARE + _SQUARE.T
_POSITIVE = _SQUARE @ _SQUARE.T + 512 * np.eye(512, dtype=np.float32)


def scatter_million(x, places, values):
    return x.at[places].add(values)


def fft_million(x):
    return jnp.abs(jnp.fft.fft(x))


def lu_512(x):
    return jax.scipy.linalg.lu_factor(x)[0]


def qr_512(x):
    q, r = jnp.linalg.qr(x)
    return q @ r


def eigh_512(x):
    values, vectors = jnp.linalg.eigh(x)
    return values, (vectors * values) @ vectors.T


def svd_512(x):
    u, s, v = jnp.linalg.svd(x)
    return s, (u * s) @ v


LARGE = {
    "sort_million": (jnp.sort, (_V(_MILLION),)),
    "scatter_million": (scatter_million, (_V(_MILLION), _ids(_MILLION, _MILLION), _V(_MILLION))),
    "fft_million": (fft_million, (_V(_MILLION),)),
    "cholesky_512": (jnp.linalg.cholesky, (_POSITIVE,)),
    "lu_512": (lu_512, (_SQUARE,)),
    "qr_512": (qr_512, (_SQUARE,)),
    "eigh_512": (eigh_512, (_SYMMETRIC,)),
    "svd_512": (svd_512, (_SQUARE,)),
}
