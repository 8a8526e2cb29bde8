//! All operators of the domain `ai.onnx`, in all versions: name, operands, results, regions, attributes.

use super::{CUSTOM, Kind, MANY, NO_VALUE, OPERATOR, Operator, YIELD};
use crate::ir::op_def::{OpDef, Traits};

macro_rules! operators {
    ($(
        $row:ident $name:ident $least:literal..$most:tt $few:literal..$many:tt $regions:literal
        {$($attribute:ident: $kind:ident),*};
    )*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`")]
            pub static $row: OpDef = OpDef {
                name: concat!("onnx.", stringify!($name)),
                regions: ($regions, $regions),
                traits: match $regions {
                    0 => Traits::SPECULATABLE,
                    _ => Traits::SINGLE_BLOCK,
                },
                ..OPERATOR
            };
        )*
        /// The operators.
        pub static OPERATORS: &[Operator] = &[$(Operator {
            def: &$row,
            operands: ($least, $most),
            results: ($few, $many),
            attributes: &[$((stringify!($attribute), Kind::$kind)),*],
        }),*];
        /// The operations of the dialect.
        pub(super) static ALL: &[&OpDef] = &[&CUSTOM, &NO_VALUE, &YIELD, $(&$row),*];
    };
}

#[rustfmt::skip]
operators! {
    ABS Abs 1..1 1..1 0 {};
    ACOS Acos 1..1 1..1 0 {};
    ACOSH Acosh 1..1 1..1 0 {};
    ADD Add 2..2 1..1 0 {axis: Int, broadcast: Int};
    AFFINE_GRID AffineGrid 2..2 1..1 0 {align_corners: Int};
    AND And 2..2 1..1 0 {axis: Int, broadcast: Int};
    ARG_MAX ArgMax 1..1 1..1 0 {axis: Int, keepdims: Int, select_last_index: Int};
    ARG_MIN ArgMin 1..1 1..1 0 {axis: Int, keepdims: Int, select_last_index: Int};
    ASIN Asin 1..1 1..1 0 {};
    ASINH Asinh 1..1 1..1 0 {};
    ATAN Atan 1..1 1..1 0 {};
    ATANH Atanh 1..1 1..1 0 {};
    ATTENTION Attention 3..7 1..4 0 {is_causal: Int, kv_num_heads: Int, left_window_size: Int, q_num_heads: Int, qk_matmul_output_mode: Int, right_window_size: Int, scale: Float, softcap: Float, softmax_precision: Int};
    AVERAGE_POOL AveragePool 1..1 1..1 0 {auto_pad: Str, ceil_mode: Int, count_include_pad: Int, dilations: Ints, kernel_shape: Ints, pads: Ints, strides: Ints};
    BATCH_NORMALIZATION BatchNormalization 5..5 1..5 0 {epsilon: Float, is_test: Int, momentum: Float, spatial: Int, training_mode: Int};
    BERNOULLI Bernoulli 1..1 1..1 0 {dtype: Type, seed: Float};
    BIT_CAST BitCast 1..1 1..1 0 {to: Type};
    BIT_SHIFT BitShift 2..2 1..1 0 {direction: Str};
    BITWISE_AND BitwiseAnd 2..2 1..1 0 {};
    BITWISE_NOT BitwiseNot 1..1 1..1 0 {};
    BITWISE_OR BitwiseOr 2..2 1..1 0 {};
    BITWISE_XOR BitwiseXor 2..2 1..1 0 {};
    BLACKMAN_WINDOW BlackmanWindow 1..1 1..1 0 {output_datatype: Type, periodic: Int};
    CAST Cast 1..1 1..1 0 {round_mode: Str, saturate: Int, to: Type};
    CAST_LIKE CastLike 2..2 1..1 0 {round_mode: Str, saturate: Int};
    CAUSAL_CONV_WITH_STATE CausalConvWithState 2..4 2..2 0 {activation: Str};
    CEIL Ceil 1..1 1..1 0 {};
    CELU Celu 1..1 1..1 0 {alpha: Float};
    CENTER_CROP_PAD CenterCropPad 2..2 1..1 0 {axes: Ints};
    CLIP Clip 1..3 1..1 0 {max: Float, min: Float};
    COL2_IM Col2Im 3..3 1..1 0 {dilations: Ints, pads: Ints, strides: Ints};
    COMPRESS Compress 2..2 1..1 0 {axis: Int};
    CONCAT Concat 1..MANY 1..1 0 {axis: Int};
    CONCAT_FROM_SEQUENCE ConcatFromSequence 1..1 1..1 0 {axis: Int, new_axis: Int};
    CONSTANT Constant 0..0 1..1 0 {sparse_value: Sparse, value: Tensor, value_float: Float, value_floats: Floats, value_int: Int, value_ints: Ints, value_string: Str, value_strings: Strs};
    CONSTANT_OF_SHAPE ConstantOfShape 1..1 1..1 0 {value: Tensor};
    CONV Conv 2..3 1..1 0 {auto_pad: Str, dilations: Ints, group: Int, kernel_shape: Ints, pads: Ints, strides: Ints};
    CONV_INTEGER ConvInteger 2..4 1..1 0 {auto_pad: Str, dilations: Ints, group: Int, kernel_shape: Ints, pads: Ints, strides: Ints};
    CONV_TRANSPOSE ConvTranspose 2..3 1..1 0 {auto_pad: Str, dilations: Ints, group: Int, kernel_shape: Ints, output_padding: Ints, output_shape: Ints, pads: Ints, strides: Ints};
    COS Cos 1..1 1..1 0 {};
    COSH Cosh 1..1 1..1 0 {};
    CUM_PROD CumProd 2..2 1..1 0 {exclusive: Int, reverse: Int};
    CUM_SUM CumSum 2..2 1..1 0 {exclusive: Int, reverse: Int};
    DFT DFT 1..3 1..1 0 {axis: Int, inverse: Int, onesided: Int};
    DEFORM_CONV DeformConv 3..5 1..1 0 {dilations: Ints, group: Int, kernel_shape: Ints, offset_group: Int, pads: Ints, strides: Ints};
    DEPTH_TO_SPACE DepthToSpace 1..1 1..1 0 {blocksize: Int, mode: Str};
    DEQUANTIZE_LINEAR DequantizeLinear 2..3 1..1 0 {axis: Int, block_size: Int, output_dtype: Type};
    DET Det 1..1 1..1 0 {};
    DIV Div 2..2 1..1 0 {axis: Int, broadcast: Int};
    DROPOUT Dropout 1..3 1..2 0 {is_test: Int, ratio: Float, seed: Int};
    DYNAMIC_QUANTIZE_LINEAR DynamicQuantizeLinear 1..1 3..3 0 {};
    EINSUM Einsum 1..MANY 1..1 0 {equation: Str};
    ELU Elu 1..1 1..1 0 {alpha: Float};
    EQUAL Equal 2..2 1..1 0 {axis: Int, broadcast: Int};
    ERF Erf 1..1 1..1 0 {};
    EXP Exp 1..1 1..1 0 {};
    EXPAND Expand 2..2 1..1 0 {};
    EYE_LIKE EyeLike 1..1 1..1 0 {dtype: Type, k: Int};
    FLATTEN Flatten 1..1 1..1 0 {axis: Int};
    FLOOR Floor 1..1 1..1 0 {};
    GRU GRU 3..6 0..2 0 {activation_alpha: Floats, activation_beta: Floats, activations: Strs, clip: Float, direction: Str, hidden_size: Int, layout: Int, linear_before_reset: Int, output_sequence: Int};
    GATHER Gather 2..2 1..1 0 {axis: Int};
    GATHER_ELEMENTS GatherElements 2..2 1..1 0 {axis: Int};
    GATHER_ND GatherND 2..2 1..1 0 {batch_dims: Int};
    GELU Gelu 1..1 1..1 0 {approximate: Str};
    GEMM Gemm 2..3 1..1 0 {alpha: Float, beta: Float, broadcast: Int, transA: Int, transB: Int};
    GLOBAL_AVERAGE_POOL GlobalAveragePool 1..1 1..1 0 {};
    GLOBAL_LP_POOL GlobalLpPool 1..1 1..1 0 {p: Any};
    GLOBAL_MAX_POOL GlobalMaxPool 1..1 1..1 0 {};
    GREATER Greater 2..2 1..1 0 {axis: Int, broadcast: Int};
    GREATER_OR_EQUAL GreaterOrEqual 2..2 1..1 0 {};
    GRID_SAMPLE GridSample 2..2 1..1 0 {align_corners: Int, mode: Str, padding_mode: Str};
    GROUP_NORMALIZATION GroupNormalization 3..3 1..1 0 {epsilon: Float, num_groups: Int, stash_type: Int};
    HAMMING_WINDOW HammingWindow 1..1 1..1 0 {output_datatype: Type, periodic: Int};
    HANN_WINDOW HannWindow 1..1 1..1 0 {output_datatype: Type, periodic: Int};
    HARD_SIGMOID HardSigmoid 1..1 1..1 0 {alpha: Float, beta: Float};
    HARD_SWISH HardSwish 1..1 1..1 0 {};
    HARDMAX Hardmax 1..1 1..1 0 {axis: Int};
    IDENTITY Identity 1..1 1..1 0 {};
    IF If 1..1 1..MANY 2 {};
    IMAGE_DECODER ImageDecoder 1..1 1..1 0 {pixel_format: Str};
    INSTANCE_NORMALIZATION InstanceNormalization 3..3 1..1 0 {epsilon: Float};
    IS_INF IsInf 1..1 1..1 0 {detect_negative: Int, detect_positive: Int};
    IS_NA_N IsNaN 1..1 1..1 0 {};
    LRN LRN 1..1 1..1 0 {alpha: Float, beta: Float, bias: Float, size: Int};
    LSTM LSTM 3..8 0..3 0 {activation_alpha: Floats, activation_beta: Floats, activations: Strs, clip: Float, direction: Str, hidden_size: Int, input_forget: Int, layout: Int, output_sequence: Int};
    LAYER_NORMALIZATION LayerNormalization 2..3 1..3 0 {axis: Int, epsilon: Float, stash_type: Int};
    LEAKY_RELU LeakyRelu 1..1 1..1 0 {alpha: Float};
    LESS Less 2..2 1..1 0 {axis: Int, broadcast: Int};
    LESS_OR_EQUAL LessOrEqual 2..2 1..1 0 {};
    LINEAR_ATTENTION LinearAttention 3..6 2..2 0 {chunk_size: Int, kv_num_heads: Int, q_num_heads: Int, scale: Float, update_rule: Str};
    LOG Log 1..1 1..1 0 {};
    LOG_SOFTMAX LogSoftmax 1..1 1..1 0 {axis: Int};
    LOOP Loop 2..MANY 1..MANY 1 {};
    LP_NORMALIZATION LpNormalization 1..1 1..1 0 {axis: Int, p: Int};
    LP_POOL LpPool 1..1 1..1 0 {auto_pad: Str, ceil_mode: Int, dilations: Ints, kernel_shape: Ints, p: Any, pads: Ints, strides: Ints};
    MAT_MUL MatMul 2..2 1..1 0 {};
    MAT_MUL_INTEGER MatMulInteger 2..4 1..1 0 {};
    MAX Max 1..MANY 1..1 0 {};
    MAX_POOL MaxPool 1..1 1..2 0 {auto_pad: Str, ceil_mode: Int, dilations: Ints, kernel_shape: Ints, pads: Ints, storage_order: Int, strides: Ints};
    MAX_ROI_POOL MaxRoiPool 2..2 1..1 0 {pooled_shape: Ints, spatial_scale: Float};
    MAX_UNPOOL MaxUnpool 2..3 1..1 0 {kernel_shape: Ints, pads: Ints, strides: Ints};
    MEAN Mean 1..MANY 1..1 0 {};
    MEAN_VARIANCE_NORMALIZATION MeanVarianceNormalization 1..1 1..1 0 {axes: Ints};
    MEL_WEIGHT_MATRIX MelWeightMatrix 5..5 1..1 0 {output_datatype: Type};
    MIN Min 1..MANY 1..1 0 {};
    MISH Mish 1..1 1..1 0 {};
    MOD Mod 2..2 1..1 0 {fmod: Int};
    MUL Mul 2..2 1..1 0 {axis: Int, broadcast: Int};
    MULTINOMIAL Multinomial 1..1 1..1 0 {dtype: Type, sample_size: Int, seed: Float};
    NEG Neg 1..1 1..1 0 {};
    NEGATIVE_LOG_LIKELIHOOD_LOSS NegativeLogLikelihoodLoss 2..3 1..1 0 {ignore_index: Int, reduction: Str};
    NON_MAX_SUPPRESSION NonMaxSuppression 2..5 1..1 0 {center_point_box: Int};
    NON_ZERO NonZero 1..1 1..1 0 {};
    NOT Not 1..1 1..1 0 {};
    ONE_HOT OneHot 3..3 1..1 0 {axis: Int};
    OPTIONAL Optional 0..1 1..1 0 {};
    OPTIONAL_GET_ELEMENT OptionalGetElement 1..1 1..1 0 {};
    OPTIONAL_HAS_ELEMENT OptionalHasElement 0..1 1..1 0 {};
    OR Or 2..2 1..1 0 {axis: Int, broadcast: Int};
    P_RELU PRelu 2..2 1..1 0 {};
    PAD Pad 1..4 1..1 0 {mode: Str, paddings: Ints, pads: Ints, value: Float};
    POW Pow 2..2 1..1 0 {axis: Int, broadcast: Int};
    Q_LINEAR_CONV QLinearConv 8..9 1..1 0 {auto_pad: Str, dilations: Ints, group: Int, kernel_shape: Ints, pads: Ints, strides: Ints};
    Q_LINEAR_MAT_MUL QLinearMatMul 8..8 1..1 0 {};
    QUANTIZE_LINEAR QuantizeLinear 2..3 1..1 0 {axis: Int, block_size: Int, output_dtype: Type, precision: Int, saturate: Int};
    RMS_NORMALIZATION RMSNormalization 2..2 1..1 0 {axis: Int, epsilon: Float, stash_type: Int};
    RNN RNN 3..6 0..2 0 {activation_alpha: Floats, activation_beta: Floats, activations: Strs, clip: Float, direction: Str, hidden_size: Int, layout: Int, output_sequence: Int};
    RANDOM_NORMAL RandomNormal 0..0 1..1 0 {dtype: Type, mean: Float, scale: Float, seed: Float, shape: Ints};
    RANDOM_NORMAL_LIKE RandomNormalLike 1..1 1..1 0 {dtype: Type, mean: Float, scale: Float, seed: Float};
    RANDOM_UNIFORM RandomUniform 0..0 1..1 0 {dtype: Type, high: Float, low: Float, seed: Float, shape: Ints};
    RANDOM_UNIFORM_LIKE RandomUniformLike 1..1 1..1 0 {dtype: Type, high: Float, low: Float, seed: Float};
    RANGE Range 3..3 1..1 0 {stash_type: Int};
    RECIPROCAL Reciprocal 1..1 1..1 0 {};
    REDUCE_L1 ReduceL1 1..2 1..1 0 {axes: Ints, keepdims: Int, noop_with_empty_axes: Int};
    REDUCE_L2 ReduceL2 1..2 1..1 0 {axes: Ints, keepdims: Int, noop_with_empty_axes: Int};
    REDUCE_LOG_SUM ReduceLogSum 1..2 1..1 0 {axes: Ints, keepdims: Int, noop_with_empty_axes: Int};
    REDUCE_LOG_SUM_EXP ReduceLogSumExp 1..2 1..1 0 {axes: Ints, keepdims: Int, noop_with_empty_axes: Int};
    REDUCE_MAX ReduceMax 1..2 1..1 0 {axes: Ints, keepdims: Int, noop_with_empty_axes: Int};
    REDUCE_MEAN ReduceMean 1..2 1..1 0 {axes: Ints, keepdims: Int, noop_with_empty_axes: Int};
    REDUCE_MIN ReduceMin 1..2 1..1 0 {axes: Ints, keepdims: Int, noop_with_empty_axes: Int};
    REDUCE_PROD ReduceProd 1..2 1..1 0 {axes: Ints, keepdims: Int, noop_with_empty_axes: Int};
    REDUCE_SUM ReduceSum 1..2 1..1 0 {axes: Ints, keepdims: Int, noop_with_empty_axes: Int};
    REDUCE_SUM_SQUARE ReduceSumSquare 1..2 1..1 0 {axes: Ints, keepdims: Int, noop_with_empty_axes: Int};
    REGEX_FULL_MATCH RegexFullMatch 1..1 1..1 0 {pattern: Str};
    RELU Relu 1..1 1..1 0 {};
    RESHAPE Reshape 1..2 1..1 0 {allowzero: Int, shape: Ints};
    RESIZE Resize 1..4 1..1 0 {antialias: Int, axes: Ints, coordinate_transformation_mode: Str, cubic_coeff_a: Float, exclude_outside: Int, extrapolation_value: Float, keep_aspect_ratio_policy: Str, mode: Str, nearest_mode: Str};
    REVERSE_SEQUENCE ReverseSequence 2..2 1..1 0 {batch_axis: Int, time_axis: Int};
    ROI_ALIGN RoiAlign 3..3 1..1 0 {coordinate_transformation_mode: Str, mode: Str, output_height: Int, output_width: Int, sampling_ratio: Int, spatial_scale: Float};
    ROTARY_EMBEDDING RotaryEmbedding 3..4 1..1 0 {interleaved: Int, num_heads: Int, rotary_embedding_dim: Int};
    ROUND Round 1..1 1..1 0 {};
    STFT STFT 2..4 1..1 0 {onesided: Int};
    SCAN Scan 1..MANY 1..MANY 1 {directions: Ints, num_scan_inputs: Int, scan_input_axes: Ints, scan_input_directions: Ints, scan_output_axes: Ints, scan_output_directions: Ints};
    SCATTER Scatter 3..3 1..1 0 {axis: Int};
    SCATTER_ELEMENTS ScatterElements 3..3 1..1 0 {axis: Int, reduction: Str};
    SCATTER_ND ScatterND 3..3 1..1 0 {reduction: Str};
    SELU Selu 1..1 1..1 0 {alpha: Float, gamma: Float};
    SEQUENCE_AT SequenceAt 2..2 1..1 0 {};
    SEQUENCE_CONSTRUCT SequenceConstruct 1..MANY 1..1 0 {};
    SEQUENCE_EMPTY SequenceEmpty 0..0 1..1 0 {dtype: Type};
    SEQUENCE_ERASE SequenceErase 1..2 1..1 0 {};
    SEQUENCE_INSERT SequenceInsert 2..3 1..1 0 {};
    SEQUENCE_LENGTH SequenceLength 1..1 1..1 0 {};
    SEQUENCE_MAP SequenceMap 1..MANY 1..MANY 1 {};
    SHAPE Shape 1..1 1..1 0 {end: Int, start: Int};
    SHRINK Shrink 1..1 1..1 0 {bias: Float, lambd: Float};
    SIGMOID Sigmoid 1..1 1..1 0 {};
    SIGN Sign 1..1 1..1 0 {};
    SIN Sin 1..1 1..1 0 {};
    SINH Sinh 1..1 1..1 0 {};
    SIZE Size 1..1 1..1 0 {};
    SLICE Slice 1..5 1..1 0 {axes: Ints, ends: Ints, starts: Ints};
    SOFTMAX Softmax 1..1 1..1 0 {axis: Int};
    SOFTMAX_CROSS_ENTROPY_LOSS SoftmaxCrossEntropyLoss 2..3 1..2 0 {ignore_index: Int, reduction: Str};
    SOFTPLUS Softplus 1..1 1..1 0 {};
    SOFTSIGN Softsign 1..1 1..1 0 {};
    SPACE_TO_DEPTH SpaceToDepth 1..1 1..1 0 {blocksize: Int, mode: Str};
    SPLIT Split 1..2 1..MANY 0 {axis: Int, num_outputs: Int, split: Ints};
    SPLIT_TO_SEQUENCE SplitToSequence 1..2 1..1 0 {axis: Int, keepdims: Int};
    SQRT Sqrt 1..1 1..1 0 {};
    SQUEEZE Squeeze 1..2 1..1 0 {axes: Ints};
    STRING_CONCAT StringConcat 2..2 1..1 0 {};
    STRING_NORMALIZER StringNormalizer 1..1 1..1 0 {case_change_action: Str, is_case_sensitive: Int, locale: Str, stopwords: Strs};
    STRING_SPLIT StringSplit 1..1 2..2 0 {delimiter: Str, maxsplit: Int};
    SUB Sub 2..2 1..1 0 {axis: Int, broadcast: Int};
    SUM Sum 1..MANY 1..1 0 {};
    SWI_GLU SwiGLU 2..2 1..1 0 {alpha: Float};
    SWISH Swish 1..1 1..1 0 {alpha: Float};
    TAN Tan 1..1 1..1 0 {};
    TANH Tanh 1..1 1..1 0 {};
    TENSOR_SCATTER TensorScatter 2..3 1..1 0 {axis: Int, mode: Str};
    TF_IDF_VECTORIZER TfIdfVectorizer 1..1 1..1 0 {max_gram_length: Int, max_skip_count: Int, min_gram_length: Int, mode: Str, ngram_counts: Ints, ngram_indexes: Ints, pool_int64s: Ints, pool_strings: Strs, weights: Floats};
    THRESHOLDED_RELU ThresholdedRelu 1..1 1..1 0 {alpha: Float};
    TILE Tile 2..3 1..1 0 {};
    TOP_K TopK 1..2 2..2 0 {axis: Int, k: Int, largest: Int, sorted: Int};
    TRANSPOSE Transpose 1..1 1..1 0 {perm: Ints};
    TRILU Trilu 1..2 1..1 0 {upper: Int};
    UNIQUE Unique 1..1 1..4 0 {axis: Int, sorted: Int};
    UNSQUEEZE Unsqueeze 1..2 1..1 0 {axes: Ints};
    UPSAMPLE Upsample 1..2 1..1 0 {height_scale: Float, mode: Str, scales: Floats, width_scale: Float};
    WHERE Where 3..3 1..1 0 {};
    XOR Xor 2..2 1..1 0 {axis: Int, broadcast: Int};
}
