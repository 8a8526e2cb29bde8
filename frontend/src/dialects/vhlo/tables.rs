//! The types and attributes of VHLO: for each its mnemonic, what it stands for, its code in bytecode, and the version
//! of the dialect that it came with.

use super::version::Version;

/// A type without parameters.
pub(super) struct PlainType {
    pub(super) mnemonic: &'static str,
    /// The text of the type that it stands for.
    pub(super) of: &'static str,
    pub(super) code: u64,
    pub(super) since: Version,
}

macro_rules! plain_types {
    ($($mnemonic:literal = $of:literal $code:literal $since:expr;)*) => {
        pub(super) static PLAIN_TYPES: &[PlainType] = &[$(PlainType {
            mnemonic: $mnemonic,
            of: $of,
            code: $code,
            since: Version::of($since),
        }),*];
    };
}

// Signless integers are signed ones.
plain_types! {
    "bool_v1" = "i1" 0 (0, 9);
    "bf16_v1" = "bf16" 2 (0, 9);
    "f16_v1" = "f16" 3 (0, 9);
    "f32_v1" = "f32" 4 (0, 9);
    "f64_v1" = "f64" 5 (0, 9);
    "f8E4M3FN_v1" = "f8E4M3FN" 6 (0, 9);
    "f8E5M2_v1" = "f8E5M2" 7 (0, 9);
    "index_v1" = "index" 9 (0, 9);
    "i4_v1" = "i4" 10 (0, 9);
    "i8_v1" = "i8" 11 (0, 9);
    "i16_v1" = "i16" 12 (0, 9);
    "i32_v1" = "i32" 13 (0, 9);
    "i64_v1" = "i64" 14 (0, 9);
    "ui4_v1" = "ui4" 15 (0, 9);
    "ui8_v1" = "ui8" 16 (0, 9);
    "ui16_v1" = "ui16" 17 (0, 9);
    "ui32_v1" = "ui32" 18 (0, 9);
    "ui64_v1" = "ui64" 19 (0, 9);
    "token_v1" = "!stablehlo.token" 22 (0, 9);
    "witness_v1" = "!shape.witness" 26 (0, 9);
    "f8E4M3FNUZ_v1" = "f8E4M3FNUZ" 27 (0, 10);
    "f8E5M2FNUZ_v1" = "f8E5M2FNUZ" 28 (0, 10);
    "f8E4M3B11FNUZ_v1" = "f8E4M3B11FNUZ" 29 (0, 11);
    "i2_v1" = "i2" 31 (1, 2);
    "ui2_v1" = "ui2" 32 (1, 2);
    "none_v1" = "none" 33 (1, 6);
    "tf31_v1" = "tf32" 34 (1, 6);
    "f8E4M3_v1" = "f8E4M3" 35 (1, 7);
    "f8E3M4_v1" = "f8E3M4" 36 (1, 7);
    "f4E2M1FN_v1" = "f4E2M1FN" 37 (1, 8);
    "f6E2M3FN_v1" = "f6E2M3FN" 38 (1, 8);
    "f6E3M2FN_v1" = "f6E3M2FN" 39 (1, 8);
    "f8E8M0FNU_v1" = "f8E8M0FNU" 40 (1, 8);
}

/// Codes of the other types.
pub(super) mod type_codes {
    pub(crate) const COMPLEX: u64 = 1;
    pub(crate) const FUNCTION: u64 = 8;
    pub(crate) const TENSOR: u64 = 20;
    pub(crate) const ENCODED_TENSOR: u64 = 21;
    pub(crate) const TUPLE: u64 = 23;
    pub(crate) const QUANTIZED: u64 = 24;
    pub(crate) const UNRANKED_TENSOR: u64 = 25;
    pub(crate) const QUANTIZED_PER_AXIS: u64 = 30;
    pub(crate) const BUFFER: u64 = 41;
    pub(crate) const FUTURE: u64 = 42;
}

/// Codes of attributes that are neither enumerations nor records.
pub(super) mod attr_codes {
    pub(crate) const ARRAY: u64 = 1;
    pub(crate) const BOOLEAN: u64 = 2;
    pub(crate) const DICTIONARY: u64 = 6;
    pub(crate) const FLOAT: u64 = 8;
    pub(crate) const INTEGER: u64 = 9;
    pub(crate) const STRING: u64 = 14;
    pub(crate) const TENSOR: u64 = 15;
    pub(crate) const TYPE: u64 = 17;
}

/// An enumeration.
pub(super) struct Enumeration {
    pub(super) mnemonic: &'static str,
    /// The mnemonic in StableHLO.
    pub(super) of: &'static str,
    pub(super) code: u64,
    pub(super) since: Version,
    /// The number of the first word.
    pub(super) first: u64,
    pub(super) words: &'static [&'static str],
}

macro_rules! enumerations {
    ($($mnemonic:literal = $of:literal $code:literal $since:expr, $first:literal [$($word:literal)*];)*) => {
        pub(super) static ENUMERATIONS: &[Enumeration] = &[$(Enumeration {
            mnemonic: $mnemonic,
            of: $of,
            code: $code,
            since: Version::of($since),
            first: $first,
            words: &[$($word),*],
        }),*];
    };
}

enumerations! {
    "comparison_direction_v1" = "comparison_direction" 3 (0, 9), 0 ["EQ" "NE" "GE" "GT" "LE" "LT"];
    "comparison_type_v1" = "comparison_type" 4 (0, 9), 0
        ["NOTYPE" "FLOAT" "TOTALORDER" "SIGNED" "UNSIGNED"];
    "api_version_v1" = "custom_call_api_version" 5 (0, 9), 0 [
        "API_VERSION_UNSPECIFIED" "API_VERSION_ORIGINAL" "API_VERSION_STATUS_RETURNING"
        "API_VERSION_STATUS_RETURNING_UNIFIED" "API_VERSION_TYPED_FFI"
    ];
    "fft_type_v1" = "fft_type" 7 (0, 9), 0 ["FFT" "IFFT" "RFFT" "IRFFT"];
    "precision_v1" = "precision" 11 (0, 9), 0 ["DEFAULT" "HIGH" "HIGHEST"];
    "rng_algorithm_v1" = "rng_algorithm" 12 (0, 9), 0 ["DEFAULT" "THREE_FRY" "PHILOX"];
    "rng_distribution_v1" = "rng_distribution" 13 (0, 9), 1 ["UNIFORM" "NORMAL"];
    "transpose_v1" = "transpose" 16 (0, 9), 0
        ["TRANSPOSE_INVALID" "NO_TRANSPOSE" "TRANSPOSE" "ADJOINT"];
    "result_accuracy_mode_v1" = "result_accuracy_mode" 19 (1, 9), 0
        ["DEFAULT" "HIGHEST" "TOLERANCE"];
}

/// What a field of a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FieldKind {
    Integer,
    /// Sizes, `?` among them.
    Integers,
    Float,
    Attr,
    /// An attribute, or none.
    OptionalAttr,
    /// `(1)2`, `#vhlo.sub_axis_info_v1<pre_size = 1, size = 2>` here; or none.
    SubAxis,
}

/// An attribute with named fields.
pub(super) struct Record {
    pub(super) mnemonic: &'static str,
    /// The mnemonic in StableHLO.
    pub(super) of: &'static str,
    pub(super) code: u64,
    pub(super) since: Version,
    pub(super) fields: &'static [(&'static str, FieldKind)],
}

macro_rules! records {
    ($($mnemonic:literal = $of:literal $code:literal $since:expr, {$($field:literal: $kind:ident),*};)*) => {
        pub(super) static RECORDS: &[Record] = &[$(Record {
            mnemonic: $mnemonic,
            of: $of,
            code: $code,
            since: Version::of($since),
            fields: &[$(($field, FieldKind::$kind)),*],
        }),*];
    };
}

records! {
    "output_operand_alias_v1" = "output_operand_alias" 10 (0, 9),
        {"outputTupleIndices": Integers, "operandIndex": Integer, "operandTupleIndices": Integers};
    "type_extensions_v1" = "type_extensions" 18 (0, 9), {"bounds": Integers};
    "result_accuracy_v1" = "result_accuracy" 20 (1, 9),
        {"atol": Float, "rtol": Float, "ulps": Integer, "mode": Attr};
    "sub_axis_info_v1" = "sub_axis_info" 21 (1, 16), {"pre_size": Integer, "size": Integer};
    "axis_ref_v1" = "axis_ref" 22 (1, 16), {"name": Attr, "sub_axis_info": SubAxis};
    "replica_group_mesh_axes_v1" = "replica_group_mesh_axes" 23 (1, 16), {"mesh": Attr, "axes": Attr};
    "mesh_axis_v1" = "mesh_axis" 24 (1, 16), {"name": Attr, "size": Integer};
    "mesh_v1" = "mesh" 25 (1, 16), {"axes": Attr, "device_ids": OptionalAttr};
}
