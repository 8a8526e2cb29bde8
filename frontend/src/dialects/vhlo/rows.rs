//! The operations: one row for each version of each, with the operation of StableHLO or func that it stands for, the
//! versions of the dialect that have it, and its attributes. All attributes are there always.

use super::version::Version;
use crate::dialects::func;
use crate::dialects::stablehlo::{
    communication, elementwise, indexing, products, random, reductions, regions, shapes,
};
use crate::ir::constraints::{ANY, ANY_ATTR};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, Traits, ValueSpec};

use super::function::FUNC_V1;

/// A version of an operation.
#[derive(Debug)]
pub struct Row {
    /// The operation.
    pub def: &'static OpDef,
    /// What it stands for.
    pub of: &'static OpDef,
    /// The first version of the dialect that has it.
    pub since: Version,
    /// The last one; none if it is the present one.
    pub until: Option<Version>,
}

impl Row {
    /// Whether a version of the dialect has it.
    pub fn is_in(&self, version: Version) -> bool {
        self.since <= version && self.until.is_none_or(|until| version <= until)
    }
}

const VERSIONED: OpDef = OpDef {
    operands: &[ValueSpec::variadic("operands", &ANY)],
    results: &[ValueSpec::variadic("results", &ANY)],
    regions: (0, usize::MAX),
    ..OpDef::BASE
};

const fn terminator(def: OpDef) -> OpDef {
    OpDef {
        traits: Traits::TERMINATOR.and(Traits::RETURN_LIKE),
        ..def
    }
}

macro_rules! rows {
    (@until) => { None };
    (@until $until:expr) => { Some(Version::of($until)) };
    (@make $def:expr) => { $def };
    (@make $def:expr, $make:ident) => { $make($def) };
    ($($row:ident $name:literal = $of:path, $since:tt..$(($($until:tt)*))? [$($attr:ident)*] $($make:ident)?;)*) => {
        $(
            static $row: OpDef = rows!(@make OpDef {
                name: $name,
                attributes: &[$(AttrSpec::required(Name::$attr, &ANY_ATTR)),*],
                ..VERSIONED
            } $(, $make)?);
        )*
        pub(super) static OPS: &[&OpDef] = &[&FUNC_V1, $(&$row),*];
        /// All of them.
        pub static ROWS: &[Row] = &[
            Row { def: &FUNC_V1, of: &func::FUNC, since: Version::MINIMUM, until: None },
            $(Row {
                def: &$row,
                of: &$of,
                since: Version::of($since),
                until: rows!(@until $(($($until)*))?),
            }),*
        ];
    };
}

rows! {
    ABS_V1 "vhlo.abs_v1" = elementwise::ABS, (0, 9).. [];
    ADD_V1 "vhlo.add_v1" = elementwise::ADD, (0, 9).. [];
    AFTER_ALL_V1 "vhlo.after_all_v1" = communication::AFTER_ALL, (0, 9).. [];
    ALL_GATHER_V1 "vhlo.all_gather_v1" = communication::ALL_GATHER, (0, 9)..(1, 4) [
        ALL_GATHER_DIM REPLICA_GROUPS CHANNEL_ID USE_GLOBAL_DEVICE_IDS
    ];
    ALL_GATHER_V2 "vhlo.all_gather_v2" = communication::ALL_GATHER, (1, 5).. [
        ALL_GATHER_DIM REPLICA_GROUPS CHANNEL_ID USE_GLOBAL_DEVICE_IDS
    ];
    ALL_REDUCE_V1 "vhlo.all_reduce_v1" = communication::ALL_REDUCE, (0, 9)..(1, 4) [
        REPLICA_GROUPS CHANNEL_ID USE_GLOBAL_DEVICE_IDS
    ];
    ALL_REDUCE_V2 "vhlo.all_reduce_v2" = communication::ALL_REDUCE, (1, 5).. [
        REPLICA_GROUPS CHANNEL_ID USE_GLOBAL_DEVICE_IDS
    ];
    ALL_TO_ALL_V1 "vhlo.all_to_all_v1" = communication::ALL_TO_ALL, (0, 9)..(1, 4) [
        SPLIT_DIMENSION CONCAT_DIMENSION SPLIT_COUNT REPLICA_GROUPS CHANNEL_ID
    ];
    ALL_TO_ALL_V2 "vhlo.all_to_all_v2" = communication::ALL_TO_ALL, (1, 5).. [
        SPLIT_DIMENSION CONCAT_DIMENSION SPLIT_COUNT REPLICA_GROUPS CHANNEL_ID
    ];
    AND_V1 "vhlo.and_v1" = elementwise::AND, (0, 9).. [];
    ASYNC_START_V1 "vhlo.async_start_v1" = communication::ASYNC_START, (1, 15).. [];
    ASYNC_DONE_V1 "vhlo.async_done_v1" = communication::ASYNC_DONE, (1, 15).. [];
    ATAN2_V1 "vhlo.atan2_v1" = elementwise::ATAN2, (0, 9).. [];
    BATCH_NORM_GRAD_V1 "vhlo.batch_norm_grad_v1" = products::BATCH_NORM_GRAD, (0, 9).. [
        EPSILON FEATURE_INDEX
    ];
    BATCH_NORM_INFERENCE_V1 "vhlo.batch_norm_inference_v1" = products::BATCH_NORM_INFERENCE, (0, 9).. [
        EPSILON FEATURE_INDEX
    ];
    BATCH_NORM_TRAINING_V1 "vhlo.batch_norm_training_v1" = products::BATCH_NORM_TRAINING, (0, 9).. [
        EPSILON FEATURE_INDEX
    ];
    BITCAST_CONVERT_V1 "vhlo.bitcast_convert_v1" = shapes::BITCAST_CONVERT, (0, 9).. [];
    BROADCAST_IN_DIM_V1 "vhlo.broadcast_in_dim_v1" = shapes::BROADCAST_IN_DIM, (0, 9).. [
        BROADCAST_DIMENSIONS
    ];
    BROADCAST_V1 "vhlo.broadcast_v1" = shapes::BROADCAST, (0, 9).. [BROADCAST_SIZES];
    CALL_V1 "vhlo.call_v1" = func::CALL, (0, 9).. [CALLEE];
    CASE_V1 "vhlo.case_v1" = regions::CASE, (0, 9).. [];
    CBRT_V1 "vhlo.cbrt_v1" = elementwise::CBRT, (0, 9)..(1, 9) [];
    CBRT_V2 "vhlo.cbrt_v2" = elementwise::CBRT, (1, 10).. [RESULT_ACCURACY];
    CEIL_V1 "vhlo.ceil_v1" = elementwise::CEIL, (0, 9).. [];
    CHOLESKY_V1 "vhlo.cholesky_v1" = products::CHOLESKY, (0, 9).. [LOWER];
    CLAMP_V1 "vhlo.clamp_v1" = elementwise::CLAMP, (0, 9).. [];
    COUNT_LEADING_ZEROS_V1 "vhlo.count_leading_zeros_v1" = elementwise::COUNT_LEADING_ZEROS, (0, 9).. [];
    COLLECTIVE_BROADCAST_V1 "vhlo.collective_broadcast_v1" = communication::COLLECTIVE_BROADCAST, (0, 16)..(1, 19) [
        REPLICA_GROUPS CHANNEL_ID
    ];
    COLLECTIVE_BROADCAST_V2 "vhlo.collective_broadcast_v2" = communication::COLLECTIVE_BROADCAST, (1, 20).. [
        REPLICA_GROUPS CHANNEL_ID HAS_DYNAMIC_ROOT
    ];
    COLLECTIVE_REDUCE_V1 "vhlo.collective_reduce_v1" = communication::COLLECTIVE_REDUCE, (1, 19).. [
        REPLICA_GROUPS CHANNEL_ID USE_GLOBAL_DEVICE_IDS HAS_DYNAMIC_ROOT
    ];
    COLLECTIVE_PERMUTE_V1 "vhlo.collective_permute_v1" = communication::COLLECTIVE_PERMUTE, (0, 9).. [
        SOURCE_TARGET_PAIRS CHANNEL_ID
    ];
    COMPARE_V1 "vhlo.compare_v1" = elementwise::COMPARE, (0, 9).. [COMPARISON_DIRECTION COMPARE_TYPE];
    COMPLEX_V1 "vhlo.complex_v1" = elementwise::COMPLEX, (0, 9).. [];
    COMPOSITE_V1 "vhlo.composite_v1" = regions::COMPOSITE, (0, 19)..(1, 13) [
        NAME COMPOSITE_ATTRIBUTES DECOMPOSITION VERSION
    ];
    COMPOSITE_V2 "vhlo.composite_v2" = regions::COMPOSITE, (1, 14).. [
        NAME COMPOSITE_ATTRIBUTES DECOMPOSITION VERSION
    ];
    CONCATENATE_V1 "vhlo.concatenate_v1" = shapes::CONCATENATE, (0, 9).. [DIMENSION];
    CONSTANT_V1 "vhlo.constant_v1" = elementwise::CONSTANT, (0, 9).. [VALUE];
    CONVERT_V1 "vhlo.convert_v1" = elementwise::CONVERT, (0, 9).. [];
    CONVOLUTION_V1 "vhlo.convolution_v1" = products::CONVOLUTION, (0, 9).. [
        WINDOW_STRIDES PADDING LHS_DILATION RHS_DILATION WINDOW_REVERSAL INPUT_BATCH_DIMENSION
        INPUT_FEATURE_DIMENSION INPUT_SPATIAL_DIMENSIONS KERNEL_INPUT_FEATURE_DIMENSION
        KERNEL_OUTPUT_FEATURE_DIMENSION KERNEL_SPATIAL_DIMENSIONS OUTPUT_BATCH_DIMENSION
        OUTPUT_FEATURE_DIMENSION OUTPUT_SPATIAL_DIMENSIONS FEATURE_GROUP_COUNT BATCH_GROUP_COUNT
        PRECISION_CONFIG
    ];
    COSINE_V1 "vhlo.cosine_v1" = elementwise::COSINE, (0, 9)..(1, 9) [];
    COSINE_V2 "vhlo.cosine_v2" = elementwise::COSINE, (1, 10).. [RESULT_ACCURACY];
    CREATE_TOKEN_V1 "vhlo.create_token_v1" = communication::CREATE_TOKEN, (0, 9).. [];
    CROSS_REPLICA_SUM_V1 "vhlo.cross-replica-sum_v1" = communication::CROSS_REPLICA_SUM, (0, 9).. [
        REPLICA_GROUPS
    ];
    CUSTOM_CALL_V1 "vhlo.custom_call_v1" = regions::CUSTOM_CALL, (0, 9)..(1, 17) [
        CALL_TARGET_NAME HAS_SIDE_EFFECT BACKEND_CONFIG API_VERSION CALLED_COMPUTATIONS OPERAND_LAYOUTS
        RESULT_LAYOUTS OUTPUT_OPERAND_ALIASES
    ];
    CUSTOM_CALL_V2 "vhlo.custom_call_v2" = regions::CUSTOM_CALL, (1, 18).. [
        CALL_TARGET_NAME HAS_SIDE_EFFECT BACKEND_CONFIG API_VERSION CALLED_COMPUTATIONS OPERAND_LAYOUTS
        RESULT_LAYOUTS OUTPUT_OPERAND_ALIASES RESULT_TILINGS
    ];
    DIVIDE_V1 "vhlo.divide_v1" = elementwise::DIVIDE, (0, 9).. [];
    DOT_GENERAL_V1 "vhlo.dot_general_v1" = products::DOT_GENERAL, (0, 9)..(1, 5) [
        LHS_BATCHING_DIMENSIONS RHS_BATCHING_DIMENSIONS LHS_CONTRACTING_DIMENSIONS
        RHS_CONTRACTING_DIMENSIONS PRECISION_CONFIG
    ];
    DOT_GENERAL_V2 "vhlo.dot_general_v2" = products::DOT_GENERAL, (1, 6).. [
        LHS_BATCHING_DIMENSIONS RHS_BATCHING_DIMENSIONS LHS_CONTRACTING_DIMENSIONS
        RHS_CONTRACTING_DIMENSIONS PRECISION_CONFIG LHS_PRECISION_TYPE RHS_PRECISION_TYPE ACCUMULATION_TYPE
        LHS_COMPONENT_COUNT RHS_COMPONENT_COUNT NUM_PRIMITIVE_OPERATIONS ALLOW_IMPRECISE_ACCUMULATION
    ];
    DOT_V1 "vhlo.dot_v1" = products::DOT, (0, 9).. [PRECISION_CONFIG];
    DYNAMIC_BROADCAST_IN_DIM_V1 "vhlo.dynamic_broadcast_in_dim_v1" = shapes::DYNAMIC_BROADCAST_IN_DIM, (0, 9).. [
        BROADCAST_DIMENSIONS KNOWN_EXPANDING_DIMENSIONS KNOWN_NONEXPANDING_DIMENSIONS
    ];
    DYNAMIC_CONV_V1 "vhlo.dynamic_conv_v1" = products::DYNAMIC_CONV, (0, 9)..(0, 19) [
        WINDOW_STRIDES PADDING LHS_DILATION RHS_DILATION WINDOW_REVERSAL INPUT_BATCH_DIMENSION
        INPUT_FEATURE_DIMENSION INPUT_SPATIAL_DIMENSIONS KERNEL_INPUT_FEATURE_DIMENSION
        KERNEL_OUTPUT_FEATURE_DIMENSION KERNEL_SPATIAL_DIMENSIONS OUTPUT_BATCH_DIMENSION
        OUTPUT_FEATURE_DIMENSION OUTPUT_SPATIAL_DIMENSIONS FEATURE_GROUP_COUNT BATCH_GROUP_COUNT
        PRECISION_CONFIG
    ];
    DYNAMIC_CONV_V2 "vhlo.dynamic_conv_v2" = products::DYNAMIC_CONV, (0, 20).. [
        WINDOW_STRIDES LHS_DILATION RHS_DILATION WINDOW_REVERSAL INPUT_BATCH_DIMENSION
        INPUT_FEATURE_DIMENSION INPUT_SPATIAL_DIMENSIONS KERNEL_INPUT_FEATURE_DIMENSION
        KERNEL_OUTPUT_FEATURE_DIMENSION KERNEL_SPATIAL_DIMENSIONS OUTPUT_BATCH_DIMENSION
        OUTPUT_FEATURE_DIMENSION OUTPUT_SPATIAL_DIMENSIONS FEATURE_GROUP_COUNT BATCH_GROUP_COUNT
        PRECISION_CONFIG
    ];
    DYNAMIC_GATHER_V1 "vhlo.dynamic_gather_v1" = indexing::DYNAMIC_GATHER, (0, 9)..(1, 0) [
        OFFSET_DIMS COLLAPSED_SLICE_DIMS START_INDEX_MAP INDEX_VECTOR_DIM INDICES_ARE_SORTED
    ];
    DYNAMIC_GATHER_V2 "vhlo.dynamic_gather_v2" = indexing::DYNAMIC_GATHER, (1, 1).. [
        OFFSET_DIMS COLLAPSED_SLICE_DIMS OPERAND_BATCHING_DIMS START_INDICES_BATCHING_DIMS START_INDEX_MAP
        INDEX_VECTOR_DIM INDICES_ARE_SORTED
    ];
    DYNAMIC_IOTA_V1 "vhlo.dynamic_iota_v1" = shapes::DYNAMIC_IOTA, (0, 9).. [IOTA_DIMENSION];
    DYNAMIC_PAD_V1 "vhlo.dynamic_pad_v1" = shapes::DYNAMIC_PAD, (0, 9).. [];
    DYNAMIC_RESHAPE_V1 "vhlo.dynamic_reshape_v1" = shapes::DYNAMIC_RESHAPE, (0, 9).. [];
    DYNAMIC_SLICE_V1 "vhlo.dynamic_slice_v1" = shapes::DYNAMIC_SLICE, (0, 9).. [SLICE_SIZES];
    DYNAMIC_UPDATE_SLICE_V1 "vhlo.dynamic_update_slice_v1" = shapes::DYNAMIC_UPDATE_SLICE, (0, 9).. [];
    EINSUM_V1 "vhlo.einsum_v1" = products::EINSUM, (0, 9).. [EINSUM_CONFIG];
    EXPONENTIAL_MINUS_ONE_V1 "vhlo.exponential_minus_one_v1" = elementwise::EXPONENTIAL_MINUS_ONE, (0, 9)..(1, 9) [
    ];
    EXPONENTIAL_MINUS_ONE_V2 "vhlo.exponential_minus_one_v2" = elementwise::EXPONENTIAL_MINUS_ONE, (1, 10).. [
        RESULT_ACCURACY
    ];
    EXPONENTIAL_V1 "vhlo.exponential_v1" = elementwise::EXPONENTIAL, (0, 9)..(1, 8) [];
    EXPONENTIAL_V2 "vhlo.exponential_v2" = elementwise::EXPONENTIAL, (1, 9).. [RESULT_ACCURACY];
    FFT_V1 "vhlo.fft_v1" = products::FFT, (0, 9).. [FFT_TYPE FFT_LENGTH];
    FLOOR_V1 "vhlo.floor_v1" = elementwise::FLOOR, (0, 9).. [];
    GATHER_V1 "vhlo.gather_v1" = indexing::GATHER, (0, 9)..(1, 0) [
        OFFSET_DIMS COLLAPSED_SLICE_DIMS START_INDEX_MAP INDEX_VECTOR_DIM SLICE_SIZES INDICES_ARE_SORTED
    ];
    GATHER_V2 "vhlo.gather_v2" = indexing::GATHER, (1, 1).. [
        OFFSET_DIMS COLLAPSED_SLICE_DIMS OPERAND_BATCHING_DIMS START_INDICES_BATCHING_DIMS START_INDEX_MAP
        INDEX_VECTOR_DIM SLICE_SIZES INDICES_ARE_SORTED
    ];
    GET_DIMENSION_SIZE_V1 "vhlo.get_dimension_size_v1" = shapes::GET_DIMENSION_SIZE, (0, 9).. [DIMENSION];
    GET_TUPLE_ELEMENT_V1 "vhlo.get_tuple_element_v1" = regions::GET_TUPLE_ELEMENT, (0, 9).. [INDEX];
    IF_V1 "vhlo.if_v1" = regions::IF, (0, 9).. [];
    IMAG_V1 "vhlo.imag_v1" = elementwise::IMAG, (0, 9).. [];
    INFEED_V1 "vhlo.infeed_v1" = communication::INFEED, (0, 9).. [INFEED_CONFIG LAYOUT];
    IOTA_V1 "vhlo.iota_v1" = shapes::IOTA, (0, 9).. [IOTA_DIMENSION];
    IS_FINITE_V1 "vhlo.is_finite_v1" = elementwise::IS_FINITE, (0, 9).. [];
    LOG_PLUS_ONE_V1 "vhlo.log_plus_one_v1" = elementwise::LOG_PLUS_ONE, (0, 9)..(1, 9) [];
    LOG_PLUS_ONE_V2 "vhlo.log_plus_one_v2" = elementwise::LOG_PLUS_ONE, (1, 10).. [RESULT_ACCURACY];
    LOGISTIC_V1 "vhlo.logistic_v1" = elementwise::LOGISTIC, (0, 9)..(1, 9) [];
    LOGISTIC_V2 "vhlo.logistic_v2" = elementwise::LOGISTIC, (1, 10).. [RESULT_ACCURACY];
    LOG_V1 "vhlo.log_v1" = elementwise::LOG, (0, 9)..(1, 9) [];
    LOG_V2 "vhlo.log_v2" = elementwise::LOG, (1, 10).. [RESULT_ACCURACY];
    MAP_V1 "vhlo.map_v1" = reductions::MAP, (0, 9).. [DIMENSIONS];
    MAXIMUM_V1 "vhlo.maximum_v1" = elementwise::MAXIMUM, (0, 9).. [];
    MINIMUM_V1 "vhlo.minimum_v1" = elementwise::MINIMUM, (0, 9).. [];
    MULTIPLY_V1 "vhlo.multiply_v1" = elementwise::MULTIPLY, (0, 9).. [];
    NEGATE_V1 "vhlo.negate_v1" = elementwise::NEGATE, (0, 9).. [];
    NOT_V1 "vhlo.not_v1" = elementwise::NOT, (0, 9).. [];
    OPTIMIZATION_BARRIER_V1 "vhlo.optimization_barrier_v1" = regions::OPTIMIZATION_BARRIER, (0, 9).. [];
    OR_V1 "vhlo.or_v1" = elementwise::OR, (0, 9).. [];
    OUTFEED_V1 "vhlo.outfeed_v1" = communication::OUTFEED, (0, 9).. [OUTFEED_CONFIG];
    PAD_V1 "vhlo.pad_v1" = shapes::PAD, (0, 9).. [EDGE_PADDING_LOW EDGE_PADDING_HIGH INTERIOR_PADDING];
    PARTITION_ID_V1 "vhlo.partition_id_v1" = communication::PARTITION_ID, (0, 9).. [];
    POPCNT_V1 "vhlo.popcnt_v1" = elementwise::POPCNT, (0, 9).. [];
    POWER_V1 "vhlo.power_v1" = elementwise::POWER, (0, 9).. [];
    REAL_DYNAMIC_SLICE_V1 "vhlo.real_dynamic_slice_v1" = shapes::REAL_DYNAMIC_SLICE, (0, 9).. [];
    REAL_V1 "vhlo.real_v1" = elementwise::REAL, (0, 9).. [];
    RECV_V1 "vhlo.recv_v1" = communication::RECV, (0, 9)..(1, 11) [CHANNEL_ID CHANNEL_TYPE IS_HOST_TRANSFER];
    RECV_V2 "vhlo.recv_v2" = communication::RECV, (1, 12).. [
        CHANNEL_ID CHANNEL_TYPE IS_HOST_TRANSFER SOURCE_TARGET_PAIRS
    ];
    REDUCE_V1 "vhlo.reduce_v1" = reductions::REDUCE, (0, 9).. [DIMENSIONS];
    REDUCE_PRECISION_V1 "vhlo.reduce_precision_v1" = elementwise::REDUCE_PRECISION, (0, 9).. [
        EXPONENT_BITS MANTISSA_BITS
    ];
    REDUCE_SCATTER_V1 "vhlo.reduce_scatter_v1" = communication::REDUCE_SCATTER, (0, 9).. [
        SCATTER_DIMENSION REPLICA_GROUPS CHANNEL_ID USE_GLOBAL_DEVICE_IDS
    ];
    REDUCE_WINDOW_V1 "vhlo.reduce_window_v1" = reductions::REDUCE_WINDOW, (0, 9).. [
        WINDOW_DIMENSIONS WINDOW_STRIDES BASE_DILATIONS WINDOW_DILATIONS PADDING
    ];
    REMAINDER_V1 "vhlo.remainder_v1" = elementwise::REMAINDER, (0, 9).. [];
    REPLICA_ID_V1 "vhlo.replica_id_v1" = communication::REPLICA_ID, (0, 9).. [];
    RESHAPE_V1 "vhlo.reshape_v1" = shapes::RESHAPE, (0, 9).. [];
    RETURN_V1 "vhlo.return_v1" = regions::RETURN, (0, 9).. [] terminator;
    REVERSE_V1 "vhlo.reverse_v1" = shapes::REVERSE, (0, 9).. [DIMENSIONS];
    RNG_BIT_GENERATOR_V1 "vhlo.rng_bit_generator_v1" = random::RNG_BIT_GENERATOR, (0, 9).. [RNG_ALGORITHM];
    RNG_V1 "vhlo.rng_v1" = random::RNG, (0, 9).. [RNG_DISTRIBUTION];
    ROUND_NEAREST_EVEN_V1 "vhlo.round_nearest_even_v1" = elementwise::ROUND_NEAREST_EVEN, (0, 9).. [];
    ROUND_NEAREST_AFZ_V1 "vhlo.round_nearest_afz_v1" = elementwise::ROUND_NEAREST_AFZ, (0, 9).. [];
    RSQRT_V1 "vhlo.rsqrt_v1" = elementwise::RSQRT, (0, 9)..(1, 9) [];
    RSQRT_V2 "vhlo.rsqrt_v2" = elementwise::RSQRT, (1, 10).. [RESULT_ACCURACY];
    SCATTER_V1 "vhlo.scatter_v1" = indexing::SCATTER, (0, 9)..(1, 0) [
        UPDATE_WINDOW_DIMS INSERTED_WINDOW_DIMS SCATTER_DIMS_TO_OPERAND_DIMS INDEX_VECTOR_DIM
        INDICES_ARE_SORTED UNIQUE_INDICES
    ];
    SCATTER_V2 "vhlo.scatter_v2" = indexing::SCATTER, (1, 1).. [
        UPDATE_WINDOW_DIMS INSERTED_WINDOW_DIMS INPUT_BATCHING_DIMS SCATTER_INDICES_BATCHING_DIMS
        SCATTER_DIMS_TO_OPERAND_DIMS INDEX_VECTOR_DIM INDICES_ARE_SORTED UNIQUE_INDICES
    ];
    SELECT_AND_SCATTER_V1 "vhlo.select_and_scatter_v1" = indexing::SELECT_AND_SCATTER, (0, 9).. [
        WINDOW_DIMENSIONS WINDOW_STRIDES PADDING
    ];
    SELECT_V1 "vhlo.select_v1" = elementwise::SELECT, (0, 9).. [];
    SEND_V1 "vhlo.send_v1" = communication::SEND, (0, 9)..(1, 11) [CHANNEL_ID CHANNEL_TYPE IS_HOST_TRANSFER];
    SEND_V2 "vhlo.send_v2" = communication::SEND, (1, 12).. [
        CHANNEL_ID CHANNEL_TYPE IS_HOST_TRANSFER SOURCE_TARGET_PAIRS
    ];
    SET_DIMENSION_SIZE_V1 "vhlo.set_dimension_size_v1" = shapes::SET_DIMENSION_SIZE, (0, 9).. [DIMENSION];
    SHIFT_LEFT_V1 "vhlo.shift_left_v1" = elementwise::SHIFT_LEFT, (0, 9).. [];
    SHIFT_RIGHT_ARITHMETIC_V1 "vhlo.shift_right_arithmetic_v1" = elementwise::SHIFT_RIGHT_ARITHMETIC, (0, 9).. [
    ];
    SHIFT_RIGHT_LOGICAL_V1 "vhlo.shift_right_logical_v1" = elementwise::SHIFT_RIGHT_LOGICAL, (0, 9).. [];
    SIGN_V1 "vhlo.sign_v1" = elementwise::SIGN, (0, 9).. [];
    SINE_V1 "vhlo.sine_v1" = elementwise::SINE, (0, 9)..(1, 9) [];
    SINE_V2 "vhlo.sine_v2" = elementwise::SINE, (1, 10).. [RESULT_ACCURACY];
    SLICE_V1 "vhlo.slice_v1" = shapes::SLICE, (0, 9).. [START_INDICES LIMIT_INDICES STRIDES];
    SORT_V1 "vhlo.sort_v1" = reductions::SORT, (0, 9).. [DIMENSION IS_STABLE];
    SQRT_V1 "vhlo.sqrt_v1" = elementwise::SQRT, (0, 9)..(1, 9) [];
    SQRT_V2 "vhlo.sqrt_v2" = elementwise::SQRT, (1, 10).. [RESULT_ACCURACY];
    SUBTRACT_V1 "vhlo.subtract_v1" = elementwise::SUBTRACT, (0, 9).. [];
    TAN_V1 "vhlo.tan_v1" = elementwise::TAN, (1, 4)..(1, 9) [];
    TAN_V2 "vhlo.tan_v2" = elementwise::TAN, (1, 10).. [RESULT_ACCURACY];
    TANH_V1 "vhlo.tanh_v1" = elementwise::TANH, (0, 9)..(1, 9) [];
    TANH_V2 "vhlo.tanh_v2" = elementwise::TANH, (1, 10).. [RESULT_ACCURACY];
    TORCH_INDEX_SELECT_V1 "vhlo.torch_index_select_v1" = indexing::TORCH_INDEX_SELECT, (0, 9).. [
        DIM BATCH_DIMS
    ];
    TRANSPOSE_V1 "vhlo.transpose_v1" = shapes::TRANSPOSE, (0, 9).. [PERMUTATION];
    TRIANGULAR_SOLVE_V1 "vhlo.triangular_solve_v1" = products::TRIANGULAR_SOLVE, (0, 9).. [
        LEFT_SIDE LOWER UNIT_DIAGONAL TRANSPOSE_A
    ];
    TUPLE_V1 "vhlo.tuple_v1" = regions::TUPLE, (0, 9).. [];
    UNARY_EINSUM_V1 "vhlo.unary_einsum_v1" = products::UNARY_EINSUM, (0, 9).. [EINSUM_CONFIG];
    UNIFORM_DEQUANTIZE_V1 "vhlo.uniform_dequantize_v1" = elementwise::UNIFORM_DEQUANTIZE, (0, 9).. [];
    UNIFORM_QUANTIZE_V1 "vhlo.uniform_quantize_v1" = elementwise::UNIFORM_QUANTIZE, (0, 9).. [];
    WHILE_V1 "vhlo.while_v1" = regions::WHILE, (0, 9).. [];
    XOR_V1 "vhlo.xor_v1" = elementwise::XOR, (0, 9).. [];
}
