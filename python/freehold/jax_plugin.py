"""Freehold as a device of JAX, for programs that ask for it: `JAX_PLATFORMS=freehold python program.py`.

JAX finds this module by its entry point, and calls `initialize` when it looks for devices. Unless the platform is asked
for, nothing happens then.
"""

import ctypes
import itertools
import logging
import math
import traceback

import numpy

from . import _freehold, jax_linalg

PLATFORM = "freehold"

# The versions of JAX whose internals are known here, without the last part.
OLDEST, NEWEST = (0, 10), (0, 10)


def initialize():
    """Registers the plugin, if `JAX_PLATFORMS` or `jax.config` names it."""
    import jax

    platforms = jax.config.jax_platforms or ""
    if PLATFORM in platforms.split(","):
        try:
            register()
        except UnknownVersion as error:
            # An exception would be shown with the path it took through JAX.
            logging.getLogger("freehold").error("%s", error)


class UnknownVersion(RuntimeError):
    """This version of JAX is older or newer than those known here."""


def register():
    """Registers the plugin, whatever JAX is told to use."""
    import jax
    from jax._src import xla_bridge

    version = tuple(int(part) for part in jax.__version__.split(".")[:2])
    if not OLDEST <= version <= NEWEST:
        known = " to ".join(".".join(map(str, end)) for end in sorted({OLDEST, NEWEST}))
        raise UnknownVersion(f"this version of Freehold works with JAX {known}, not with {jax.__version__}")
    if PLATFORM in xla_bridge._backend_factories:
        return
    # Below the processor that JAX brings along: what is not asked for is not the default.
    xla_bridge.register_plugin(PLATFORM, priority=-100, library_path=_freehold.__file__)
    xla_bridge.register_backend_initialization_hook(_stand_in)
    extend()


def _stand_in(client):
    """Lets this device be the processor where JAX's own is left out: the arguments of callbacks are put there."""
    from jax._src import xla_bridge

    if client.platform == PLATFORM:
        xla_bridge._backends = _Backends(xla_bridge._backends)


class _Backends(dict):
    """The clients of JAX by platform."""

    def get(self, platform, default=None):
        return super().get(platform, super().get(PLATFORM, default) if platform == "cpu" else default)


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
    _register_callbacks(mlir)
    jax_linalg.register(mlir, PLATFORM)
    _extend_dlpack()


def _register_factorizations(mlir):
    from jax._src import core
    from jax._src.export import _export
    from jax._src.lax import linalg

    # What is exported with them can be kept.
    _export._CUSTOM_CALL_TARGETS_GUARANTEED_STABLE.update(["Eigh", "Svd", "Eig"])

    def call(context, target, operand, config=""):
        """A custom call that gives the outputs of the operation."""
        dtype = context.avals_in[0].dtype
        if dtype.name not in ("float32", "float64", "complex64", "complex128"):
            raise NotImplementedError(f"Unsupported dtype {dtype}")
        types = [mlir.aval_to_ir_type(context.module_context, aval) for aval in context.avals_out]
        shapes = None
        if not all(core.is_constant_shape(aval.shape) for aval in context.avals_out):
            # Of functions that are exported for more than one size.
            shapes = [mlir.eval_dynamic_shape_as_tensor(context, aval.shape) for aval in context.avals_out]
        return mlir.custom_call(
            target, result_types=types, operands=[operand], backend_config=config, api_version=1, result_shapes=shapes
        ).results

    def is_empty(context):
        return 0 in context.avals_in[0].shape

    def is_whole(subset, *sizes):
        return subset is None or tuple(subset) == (0, min(sizes))

    def eigh(context, operand, *, lower, subset_by_index=None, **_):
        if not is_whole(subset_by_index, context.avals_in[0].shape[-1]):
            raise NotImplementedError("Freehold: eigh computes all eigenvalues, not a subset")
        if is_empty(context):
            return [mlir.full_like_aval(context, 0, aval) for aval in context.avals_out]
        return call(context, "Eigh", operand, config="1" if lower else "0")

    def svd(context, operand, *, subset_by_index=None, compute_uv=True, full_matrices=False, **_):
        if not is_whole(subset_by_index, *context.avals_in[0].shape[-2:]):
            raise NotImplementedError("Freehold: svd computes all singular values, not a subset")
        if 0 in context.avals_in[0].shape[:-2]:
            return [mlir.full_like_aval(context, 0, aval) for aval in context.avals_out]
        if is_empty(context):
            # JAX's own rule, which is one for matrices without rows or columns.
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


# Functions that programs call, by the numbers that stand in them, and the function that calls these.
_callbacks = {}
_trampoline = None


class _Callback:
    """A function that programs call, as long as one of them has this."""

    numbers = itertools.count()

    def __init__(self, function, operands, results):
        self.number = next(self.numbers)
        _callbacks[self.number] = (function, operands, results)

    def __del__(self):
        _callbacks.pop(self.number, None)


def _register_callbacks(mlir):
    """Lets programs call Python: the plugin calls `_call`, which knows functions by number."""
    global _trampoline
    from jax._src import callback, checkify, debugging
    from jax._src.sharding_impls import SdyArray, SdyArrayList

    library = ctypes.CDLL(_freehold.__file__)
    pointers = ctypes.POINTER(ctypes.c_void_p)

    @ctypes.CFUNCTYPE(None, ctypes.c_int64, pointers, ctypes.c_int32)
    def call(number, addresses, has_failed):
        try:
            _call(number, addresses, has_failed)
        except BaseException:
            message = "error in a callback: " + traceback.format_exc()
            library.freehold_fail(message.encode(errors="replace").replace(b"\0", b"?"))

    _trampoline = call
    library.freehold_set_callback.argtypes = [ctypes.c_void_p]
    library.freehold_fail.argtypes = [ctypes.c_char_p]
    library.freehold_set_callback(ctypes.cast(call, ctypes.c_void_p))

    emit = callback.emit_python_callback

    # With the names of arguments that JAX uses.
    def emit_python_callback(ctx, callback, token, operands, operand_avals, result_avals, **options):
        if tuple(ctx.module_context.platforms) != (PLATFORM,):
            return emit(ctx, callback, token, operands, operand_avals, result_avals, **options)
        kept = _Callback(callback, list(operand_avals), list(result_avals))
        ctx.module_context.add_keepalive(kept)
        types = [mlir.aval_to_ir_type(ctx.module_context, aval) for aval in result_avals]
        tokens = [token] if token else []
        call = mlir.custom_call(
            "freehold.host",
            result_types=[*(token.type for token in tokens), *types],
            operands=[*tokens, *operands],
            backend_config=str(kept.number),
            has_side_effect=options["has_side_effect"],
            api_version=1,
        )
        sharding = options.get("sharding")
        if sharding is not None:
            if tokens and result_avals and isinstance(sharding, SdyArrayList):
                devices = sharding.shardings[0].logical_device_ids
                of_token = SdyArray(mesh_shape=(), dim_shardings=(), logical_device_ids=devices)
                sharding = SdyArrayList((of_token, *sharding.shardings))
            mlir.set_sharding(ctx.module_context, call, sharding)
        outcome = call.results
        return outcome[len(tokens) :], (outcome[0] if tokens else None), kept

    callback.emit_python_callback = emit_python_callback
    for primitive, rule in [
        (debugging.debug_callback_p, debugging.debug_callback_lowering),
        (debugging.debug_print_p, debugging.debug_print_lowering_rule),
        (checkify.check_p, checkify.check_lowering_rule),
    ]:
        mlir.register_lowering(primitive, rule, platform=PLATFORM)


def _call(number, addresses, has_failed):
    """Calls a function with arrays at addresses, of types that are known, and writes what it returns behind them."""
    function, operands, results = _callbacks[number]
    places = [_memory(addresses[len(operands) + i], aval) for i, aval in enumerate(results)]
    for place in places:
        place[...] = numpy.zeros((), place.dtype)
    if has_failed:
        return
    outcomes = function(*(_array(addresses[i], aval) for i, aval in enumerate(operands)))
    if len(outcomes) != len(places):
        raise RuntimeError(f"a callback returned {len(outcomes)} values instead of {len(places)}")
    for i, (place, outcome) in enumerate(zip(places, outcomes)):
        outcome = numpy.asarray(outcome)
        if outcome.shape != place.shape:
            raise RuntimeError(
                f"Incorrect output shape for return value #{i}: Expected: {place.shape}, Actual: {outcome.shape}"
            )
        if outcome.dtype != place.dtype:
            outcome = _with_dtype_of_jax(i, outcome, place.dtype)
        place[...] = outcome
        if _bits(place.dtype) < 8:
            place.view("u1")[...] &= (1 << _bits(place.dtype)) - 1


def _with_dtype_of_jax(i, outcome, dtype):
    """What JAX makes of numbers of Python and of 64 bits, if it is that."""
    from jax._src import dtypes

    outcome = numpy.asarray(dtypes.canonicalize_value(outcome))
    if outcome.dtype != dtype:
        raise RuntimeError(f"Incorrect output dtype for return value #{i}: Expected: {dtype}, Actual: {outcome.dtype}")
    return outcome


def _bits(dtype):
    """Bits of an element."""
    name = dtype.name
    return int(name[-1]) if name in ("int2", "int4", "uint2", "uint4") else 8 * dtype.itemsize


def _memory(address, aval):
    """The array at an address, where it is."""
    dtype = numpy.dtype(aval.dtype)
    size = math.prod(aval.shape) * dtype.itemsize
    if size == 0:
        return numpy.empty(aval.shape, dtype)
    return numpy.frombuffer((ctypes.c_char * size).from_address(address), dtype).reshape(aval.shape)


def _array(address, aval):
    """A copy of the array at an address."""
    array = _memory(address, aval).copy()
    if _bits(array.dtype) < 8 and array.dtype.name.startswith("int"):
        unused = 8 - _bits(array.dtype)
        array = (array.view("i1") << unused >> unused).view(array.dtype)
    return array


def _extend_dlpack():
    """Arrays are memory of this process, which others may look at as they look at arrays of NumPy."""
    from jax._src import array, dlpack, xla_bridge

    def is_here(value):
        return isinstance(value, array.ArrayImpl) and value.platform() == PLATFORM

    device_of, to, come = array.ArrayImpl.__dlpack_device__, dlpack.to_dlpack, dlpack.from_dlpack

    def dlpack_device(self):
        return (dlpack.DLDeviceType.kDLCPU, 0) if is_here(self) else device_of(self)

    def to_dlpack(x, stream=None, src_device=None, dl_device=None, max_version=None, copy=None):
        if not is_here(x):
            return to(x, stream, src_device, dl_device, max_version, copy)
        return numpy.asarray(x).__dlpack__(
            stream=stream, max_version=max_version or (1, 0), dl_device=dl_device, copy=copy
        )

    def from_dlpack(external_array, device=None, copy=None):
        import jax

        if xla_bridge.default_backend() != PLATFORM or getattr(device, "platform", PLATFORM) != PLATFORM:
            return come(external_array, device, copy)
        return jax.device_put(numpy.from_dlpack(external_array), device, may_alias=not copy)

    array.ArrayImpl.__dlpack_device__ = dlpack_device
    dlpack.to_dlpack, dlpack.from_dlpack = to_dlpack, from_dlpack
    import jax.dlpack

    jax.dlpack.from_dlpack = from_dlpack
