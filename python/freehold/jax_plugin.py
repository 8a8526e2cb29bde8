"""Freehold as a device of JAX, for programs that ask for it: `JAX_PLATFORMS=freehold python program.py`.

JAX finds this module by its entry point, and calls `initialize` when it looks for devices. Unless the platform is asked
for, nothing happens then.
"""

from . import _freehold

PLATFORM = "freehold"

# The versions of JAX whose internals are known here, without the last part.
OLDEST, NEWEST = (0, 10), (0, 10)


def initialize():
    """Registers the plugin, if `JAX_PLATFORMS` or `jax.config` names it."""
    import jax

    platforms = jax.config.jax_platforms or ""
    if PLATFORM in platforms.split(","):
        register()


def register():
    """Registers the plugin, whatever JAX is told to use."""
    import jax
    from jax._src import xla_bridge

    version = tuple(int(part) for part in jax.__version__.split(".")[:2])
    if not OLDEST <= version <= NEWEST:
        known = " to ".join(".".join(map(str, end)) for end in sorted({OLDEST, NEWEST}))
        raise RuntimeError(f"this version of Freehold works with JAX {known}, not with {jax.__version__}")
    if PLATFORM in xla_bridge._backend_factories:
        return
    # Below the processor that JAX brings along: what is not asked for is not the default.
    xla_bridge.register_plugin(PLATFORM, priority=-100, library_path=_freehold.__file__)
    extend()


_is_extended = False


def extend():
    """What JAX needs to know besides the plugin: rules for operations that it has none for, and that arguments may be
    donated."""
    global _is_extended
    if _is_extended:
        return
    _is_extended = True
    from jax._src.interpreters import mlir

    mlir._platforms_with_donation.append(PLATFORM)
    _register_factorizations(mlir)
    _refuse_callbacks(mlir)
    _extend_dlpack()


def _register_factorizations(mlir):
    from jax._src.lax import linalg

    def call(context, target, operand, config=""):
        """A custom call that gives the outputs of the operation."""
        dtype = context.avals_in[0].dtype
        if dtype.name not in ("float32", "float64", "complex64", "complex128"):
            raise NotImplementedError(f"Unsupported dtype {dtype}")
        types = [mlir.aval_to_ir_type(context.module_context, aval) for aval in context.avals_out]
        return mlir.custom_call(
            target, result_types=types, operands=[operand], backend_config=config, api_version=1
        ).results

    def is_empty(context):
        return 0 in context.avals_in[0].shape

    def is_whole(subset, n):
        return subset is None or tuple(subset) == (0, n)

    def eigh(context, operand, *, lower, subset_by_index=None, **_):
        if not is_whole(subset_by_index, context.avals_in[0].shape[-1]):
            raise NotImplementedError("Freehold: eigh computes all eigenvalues, not a subset")
        if is_empty(context):
            return [mlir.full_like_aval(context, 0, aval) for aval in context.avals_out]
        return call(context, "Eigh", operand, config="1" if lower else "0")

    def svd(context, operand, *, subset_by_index=None, compute_uv=True, full_matrices=False, **_):
        if not is_whole(subset_by_index, min(context.avals_in[0].shape[-2:])):
            raise NotImplementedError("Freehold: svd computes all singular values, not a subset")
        if is_empty(context):
            lower = mlir.lower_fun(linalg._empty_svd, multiple_results=True)
            return lower(context, operand, full_matrices=full_matrices, compute_uv=compute_uv)
        return call(context, "Svd", operand)

    def eig(context, operand, *, compute_left_eigenvectors, compute_right_eigenvectors, **_):
        if is_empty(context):
            return [mlir.full_like_aval(context, 0, aval) for aval in context.avals_out]
        sides = {"left": compute_left_eigenvectors, "right": compute_right_eigenvectors}
        return call(context, "Eig", operand, config=",".join(side for side in sides if sides[side]))

    for primitive, rule in [(linalg.eigh_p, eigh), (linalg.svd_p, svd), (linalg.eig_p, eig)]:
        mlir.register_lowering(primitive, rule, platform=PLATFORM)


def _refuse_callbacks(mlir):
    """Says what is missing in words of Freehold."""
    from jax._src import callback, debugging
    from jax._src.lax import linalg

    def refuse(primitive, name):
        def rule(*_, **__):
            raise NotImplementedError(f"Freehold: {name} is not supported")

        mlir.register_lowering(primitive, rule, platform=PLATFORM)

    for primitive, name in [
        (callback.pure_callback_p, "jax.pure_callback"),
        (callback.io_callback_p, "jax.experimental.io_callback"),
        (debugging.debug_callback_p, "jax.debug.callback"),
        (debugging.debug_print_p, "jax.debug.print"),
        (linalg.schur_p, "jax.lax.linalg.schur"),
        (linalg.hessenberg_p, "jax.lax.linalg.hessenberg"),
        (linalg.tridiagonal_p, "jax.lax.linalg.tridiagonal"),
    ]:
        refuse(primitive, name)


def _extend_dlpack():
    """Arrays are memory of this process, which others may look at as they look at arrays of NumPy."""
    import numpy
    from jax._src import array, dlpack, xla_bridge

    def is_here(value):
        return isinstance(value, array.ArrayImpl) and value.platform() == PLATFORM

    device_of, to, come = array.ArrayImpl.__dlpack_device__, dlpack.to_dlpack, dlpack.from_dlpack

    def dlpack_device(self):
        return (dlpack.DLDeviceType.kDLCPU, 0) if is_here(self) else device_of(self)

    def to_dlpack(x, stream=None, src_device=None, dl_device=None, max_version=None, copy=None):
        if not is_here(x):
            return to(x, stream, src_device, dl_device, max_version, copy)
        return numpy.asarray(x).__dlpack__(stream=stream, max_version=max_version or (1, 0), dl_device=dl_device, copy=copy)

    def from_dlpack(external_array, device=None, copy=None):
        import jax

        if xla_bridge.default_backend() != PLATFORM or getattr(device, "platform", PLATFORM) != PLATFORM:
            return come(external_array, device, copy)
        return jax.device_put(numpy.from_dlpack(external_array), device, may_alias=not copy)

    array.ArrayImpl.__dlpack_device__ = dlpack_device
    dlpack.to_dlpack, dlpack.from_dlpack = to_dlpack, from_dlpack
    import jax.dlpack

    jax.dlpack.from_dlpack = from_dlpack
