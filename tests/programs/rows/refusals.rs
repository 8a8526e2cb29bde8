//! Programs that the interpreter runs and that are not compiled: each kind is listed with the reason, and a new kind is
//! a finding. Those of file tests are only counted: their functions free buffers as they like, and call what nothing
//! defines.

/// A part of the message, and why it is right to refuse.
const KINDS: &[(&str, &str)] = &[
    (
        "'bufferization.dealloc' op memref free side-effect on MemRef value not supported!",
        "the strategy hlo knows owners instead",
    ),
    (
        "'async.execute' op hands on a buffer, which would have no owner",
        "the strategies refuse it, and say which option makes a program without it",
    ),
    (
        "buffer escapes: a memref stored in memory cannot be tracked",
        "the program has to free all buffers itself then",
    ),
    (
        "writes through one of two names of a buffer that has to be copied",
        "the strategy would lose the write",
    ),
    (
        "the function is too large to tell whether a write is lost by it",
        "the same, with a limit to analyses",
    ),
    (
        "'memref.atomic_rmw' op cannot be lowered to native code on type 'i128'",
        "no processor has it without a lock",
    ),
    (
        "'memref.generic_atomic_rmw' op cannot be lowered to native code on type 'i128'",
        "the same",
    ),
    (
        "operation 'bufferization.clone' that was explicitly marked illegal",
        "no allocation has negative strides",
    ),
    (
        "cannot be lowered to native code with this rounding mode",
        "processors round conversions as a register says, which is to nearest",
    ),
    (
        "'vector.type_cast' op cannot be lowered to native code: elements of",
        "vectors of four bits are packed, and memory has a byte for each",
    ),
];

/// Whether a program that is refused with this message is rightly so.
pub(super) fn is_known(message: &str) -> bool {
    KINDS.iter().any(|(part, _)| message.contains(part))
}
