//! Tokens, and operations that several devices take part in.

use crate::ir::attrs::Attr;
use crate::ir::constraints::{ARRAY_ATTR, BOOL_ATTR, STRING_ATTR, UNIT_ATTR};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, Traits, ValueSpec};

use super::assembly::SAME_TYPE;
use super::attributes::CHANNEL_HANDLE;
use super::constraints::{
    FUTURE, I64_ELEMENTS, NON_NEGATIVE_I64, POSITIVE_I64, REPLICA_GROUPS, TENSOR, TENSOR_OR_TOKEN,
    TOKEN, UI32_TENSOR,
};
use super::regions::RETURN;
use super::verify;

const GROUPS: AttrSpec = AttrSpec::required(Name::REPLICA_GROUPS, &REPLICA_GROUPS);
const CHANNEL: AttrSpec = AttrSpec::optional(Name::CHANNEL_HANDLE, &CHANNEL_HANDLE);
const GLOBAL_IDS: AttrSpec = AttrSpec::optional(Name::USE_GLOBAL_DEVICE_IDS, &UNIT_ATTR);
const DYNAMIC_ROOT: AttrSpec = AttrSpec::optional(Name::HAS_DYNAMIC_ROOT, &UNIT_ATTR);
const HOST_TRANSFER: AttrSpec =
    AttrSpec::defaulted(Name::IS_HOST_TRANSFER, &BOOL_ATTR, |_| Attr::FALSE);
const PAIRS: AttrSpec = AttrSpec::optional(Name::SOURCE_TARGET_PAIRS, &I64_ELEMENTS);
const OPERANDS: &[ValueSpec] = &[ValueSpec::variadic("operands", &TENSOR)];
const RESULTS: &[ValueSpec] = &[ValueSpec::variadic("results", &TENSOR)];
const ONE: &[ValueSpec] = &[ValueSpec::one("operand", &TENSOR)];
const RESULT: &[ValueSpec] = &[ValueSpec::one("result", &TENSOR)];
const TOKEN_RESULT: &[ValueSpec] = &[ValueSpec::one("result", &TOKEN)];

const WITH_BODY: OpDef = OpDef {
    traits: Traits::SINGLE_BLOCK,
    operands: OPERANDS,
    results: RESULTS,
    regions: (1, 1),
    implicit_terminator: Some(&RETURN),
    ..OpDef::BASE
};

/// A token that nothing is waited for by.
pub static CREATE_TOKEN: OpDef = const {
    OpDef {
        name: "stablehlo.create_token",
        results: TOKEN_RESULT,
        ..OpDef::PURE
    }
}
.with_format("attr-dict `:` type(results)");

/// A token for several.
pub static AFTER_ALL: OpDef = const {
    OpDef {
        name: "stablehlo.after_all",
        operands: &[ValueSpec::variadic("inputs", &TOKEN)],
        results: TOKEN_RESULT,
        ..OpDef::PURE
    }
}
.with_custom_format("operands attr-dict `:` custom<SameType>", &[&SAME_TYPE]);

/// The number of the replica that runs this.
pub static REPLICA_ID: OpDef = const {
    OpDef {
        name: "stablehlo.replica_id",
        results: &[ValueSpec::one("result", &UI32_TENSOR)],
        ..OpDef::PURE
    }
}
.with_format("attr-dict `:` type(results)");

/// The number of the partition that runs this.
pub static PARTITION_ID: OpDef = const {
    OpDef {
        name: "stablehlo.partition_id",
        results: &[ValueSpec::one("result", &UI32_TENSOR)],
        ..OpDef::PURE
    }
}
.with_format("attr-dict `:` type(results)");

/// Reads what the host hands over.
pub static INFEED: OpDef = OpDef {
    name: "stablehlo.infeed",
    operands: &[ValueSpec::one("token", &TOKEN)],
    results: &[ValueSpec::variadic("results", &TENSOR_OR_TOKEN)],
    attributes: &[
        AttrSpec::defaulted(Name::INFEED_CONFIG, &STRING_ATTR, |context| {
            context.string_attr("")
        }),
        AttrSpec::optional(Name::LAYOUT, &ARRAY_ATTR),
    ],
    ..OpDef::BASE
};

/// Hands to the host.
pub static OUTFEED: OpDef = OpDef {
    name: "stablehlo.outfeed",
    operands: &[
        ValueSpec::variadic("inputs", &TENSOR),
        ValueSpec::one("token", &TOKEN),
    ],
    results: TOKEN_RESULT,
    attributes: &[AttrSpec::defaulted(
        Name::OUTFEED_CONFIG,
        &STRING_ATTR,
        |context| context.string_attr(""),
    )],
    ..OpDef::BASE
};

/// Sends on a channel.
pub static SEND: OpDef = OpDef {
    name: "stablehlo.send",
    operands: &[
        ValueSpec::variadic("inputs", &TENSOR),
        ValueSpec::one("token", &TOKEN),
    ],
    results: TOKEN_RESULT,
    attributes: &[
        AttrSpec::required(Name::CHANNEL_HANDLE, &CHANNEL_HANDLE),
        HOST_TRANSFER,
        PAIRS,
    ],
    ..OpDef::BASE
};

/// Receives on a channel.
pub static RECV: OpDef = OpDef {
    name: "stablehlo.recv",
    operands: &[ValueSpec::one("token", &TOKEN)],
    results: &[ValueSpec::variadic("results", &TENSOR_OR_TOKEN)],
    attributes: &[
        AttrSpec::required(Name::CHANNEL_HANDLE, &CHANNEL_HANDLE),
        HOST_TRANSFER,
        PAIRS,
    ],
    ..OpDef::BASE
};

/// All parts one behind the other, on every device.
pub static ALL_GATHER: OpDef = OpDef {
    name: "stablehlo.all_gather",
    operands: OPERANDS,
    results: RESULTS,
    attributes: &[
        AttrSpec::required(Name::ALL_GATHER_DIM, &NON_NEGATIVE_I64),
        GROUPS,
        CHANNEL,
        GLOBAL_IDS,
    ],
    ..OpDef::BASE
};

/// Combined over devices, on every one.
pub static ALL_REDUCE: OpDef = OpDef {
    name: "stablehlo.all_reduce",
    attributes: &[GROUPS, CHANNEL, GLOBAL_IDS],
    ..WITH_BODY
};

/// Combined over devices, a part on each.
pub static REDUCE_SCATTER: OpDef = OpDef {
    name: "stablehlo.reduce_scatter",
    operands: ONE,
    results: RESULT,
    attributes: &[
        AttrSpec::required(Name::SCATTER_DIMENSION, &NON_NEGATIVE_I64),
        GROUPS,
        CHANNEL,
        GLOBAL_IDS,
    ],
    ..WITH_BODY
};

/// Part `i` of each device to device `i`.
pub static ALL_TO_ALL: OpDef = OpDef {
    name: "stablehlo.all_to_all",
    operands: OPERANDS,
    results: RESULTS,
    attributes: &[
        AttrSpec::required(Name::SPLIT_DIMENSION, &NON_NEGATIVE_I64),
        AttrSpec::required(Name::CONCAT_DIMENSION, &NON_NEGATIVE_I64),
        AttrSpec::required(Name::SPLIT_COUNT, &POSITIVE_I64),
        GROUPS,
        CHANNEL,
    ],
    ..OpDef::BASE
};

/// From one device to all.
pub static COLLECTIVE_BROADCAST: OpDef = OpDef {
    name: "stablehlo.collective_broadcast",
    operands: OPERANDS,
    results: RESULTS,
    attributes: &[GROUPS, CHANNEL, DYNAMIC_ROOT],
    ..OpDef::BASE
};

/// Combined over devices, on one of them.
pub static COLLECTIVE_REDUCE: OpDef = OpDef {
    name: "stablehlo.collective_reduce",
    attributes: &[GROUPS, CHANNEL, GLOBAL_IDS, DYNAMIC_ROOT],
    ..WITH_BODY
};

/// From devices to others, by a list of pairs.
pub static COLLECTIVE_PERMUTE: OpDef = OpDef {
    name: "stablehlo.collective_permute",
    operands: ONE,
    results: RESULT,
    attributes: &[
        AttrSpec::required(Name::SOURCE_TARGET_PAIRS, &I64_ELEMENTS),
        CHANNEL,
    ],
    verify: verify::compatible_types,
    ..OpDef::BASE
};

/// Sum over replicas.
pub static CROSS_REPLICA_SUM: OpDef = OpDef {
    name: "stablehlo.cross-replica-sum",
    operands: ONE,
    results: RESULT,
    attributes: &[AttrSpec::required(Name::REPLICA_GROUPS, &I64_ELEMENTS)],
    verify: verify::compatible_types,
    ..OpDef::BASE
};

/// Begins a collective operation that goes on by itself.
pub static ASYNC_START: OpDef = OpDef {
    name: "stablehlo.async_start",
    traits: Traits::SINGLE_BLOCK.and(Traits::ISOLATED_FROM_ABOVE),
    results: &[ValueSpec::one("result", &FUTURE)],
    ..WITH_BODY
};

/// Waits for it.
pub static ASYNC_DONE: OpDef = OpDef {
    name: "stablehlo.async_done",
    operands: &[ValueSpec::one("operand", &FUTURE)],
    results: RESULT,
    ..OpDef::BASE
};
