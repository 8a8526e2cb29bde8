//! Interned identifiers: attribute names, keywords and the names of
//! unregistered operations. Names that the compiler itself mentions are
//! interned first, in a fixed order, so they are constants.

/// An interned identifier. Its text is [`Context::name`](super::context::Context::name).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(pub(super) u32);

macro_rules! well_known_names {
    ($($ident:ident = $text:literal,)*) => {
        #[expect(
            non_camel_case_types,
            clippy::upper_case_acronyms,
            reason = "variants number the constants below"
        )]
        enum Index { $($ident,)* }
        impl Name {
            $(
                #[doc = concat!("`", $text, "`")]
                pub const $ident: Name = Name(Index::$ident as u32);
            )*
        }
        /// The text of every name constant, in the order of their ids.
        pub(super) const WELL_KNOWN: &[&str] = &[$($text,)*];
    };
}

// Keep sorted by constant; the number of a name is its line.
well_known_names! {
    EMPTY = "",
    ALIGNMENT = "alignment",
    ARG_ATTRS = "arg_attrs",
    BROADCAST_DIMS = "broadcast_dims",
    CALLEE = "callee",
    CASE_OPERAND_SEGMENTS = "case_operand_segments",
    CASE_VALUES = "case_values",
    CASES = "cases",
    CAST = "cast",
    COLUMNS = "columns",
    CONSTANT = "constant",
    DIM = "dim",
    DIMENSIONS = "dimensions",
    DIMENSION_MAP = "dimension_map",
    DOC = "doc",
    DYNAMIC_OWNERSHIP = "freehold.dynamic_ownership",
    KEEPS_NOTHING = "freehold.keeps_nothing",
    EMIT_C_INTERFACE = "llvm.emit_c_interface",
    FASTMATH = "fastmath",
    FLAGS = "flags",
    FUNCTION_TYPE = "function_type",
    GATHER_DIMS = "gather_dims",
    GLOBAL = "global",
    INDEXING_MAPS = "indexing_maps",
    INITIAL_VALUE = "initial_value",
    IN_BOUNDS = "in_bounds",
    INNER_DIMS_POS = "inner_dims_pos",
    IS_DATA_CACHE = "isDataCache",
    IS_IMMUTABLE = "is_immutable",
    IS_MUTABLE = "is_mutable",
    IS_WRITE = "isWrite",
    ITERATOR_TYPES = "iterator_types",
    KIND = "kind",
    LHS_COLUMNS = "lhs_columns",
    LHS_ROWS = "lhs_rows",
    LIBRARY_CALL = "library_call",
    LOCALITY_HINT = "localityHint",
    LOWER_BOUND_MAP = "lowerBoundMap",
    MANUAL_DEALLOCATION = "bufferization.manual_deallocation",
    ALLOCATED = "freehold.allocated",
    MAP = "map",
    MAPPING = "mapping",
    CONDITION = "condition",
    DILATIONS = "dilations",
    DIMENSION = "dimension",
    DST_MAP = "dst_map",
    FUN = "fun",
    LOWER_BOUNDS_GROUPS = "lowerBoundsGroups",
    LOWER_BOUNDS_MAP = "lowerBoundsMap",
    INCLUSIVE = "inclusive",
    INDEX = "index",
    MASK = "mask",
    MASK_DIM_SIZES = "mask_dim_sizes",
    MEMOIZED_INDEXING_MAPS = "linalg.memoized_indexing_maps",
    MSG = "msg",
    MEMORY_SPACE = "memory_space",
    NAME = "name",
    NOFOLD = "nofold",
    NONTEMPORAL = "nontemporal",
    OFFSETS = "offsets",
    OPERAND_SEGMENT_SIZES = "operandSegmentSizes",
    OUTER_DIMS_PERM = "outer_dims_perm",
    OVERFLOW_FLAGS = "overflowFlags",
    PERMUTATION = "permutation",
    PERMUTATION_MAP = "permutation_map",
    POS = "pos",
    PRED = "pred",
    PREDICATE = "predicate",
    PUNCTUATION = "punctuation",
    READ_ONLY = "read_only",
    REASSOCIATION = "reassociation",
    REDUCTION_DIM = "reduction_dim",
    REDUCTION_DIMS = "reduction_dims",
    REDUCTIONS = "reductions",
    RESTRICT = "restrict",
    RES_ATTRS = "res_attrs",
    RESULT_SEGMENT_SIZES = "resultSegmentSizes",
    RHS_COLUMNS = "rhs_columns",
    ROUNDINGMODE = "roundingmode",
    ROWS = "rows",
    SCATTER_DIMS = "scatter_dims",
    SOURCE_ENCODING = "source_encoding",
    SIZES = "sizes",
    SRC_MAP = "src_map",
    STATIC_LOWER_BOUND = "staticLowerBound",
    STATIC_HIGH = "static_high",
    STATIC_INNER_TILES = "static_inner_tiles",
    STATIC_LOW = "static_low",
    STATIC_OFFSETS = "static_offsets",
    STATIC_OUTPUT_SHAPE = "static_output_shape",
    STATIC_POSITION = "static_position",
    STATIC_SIZES = "static_sizes",
    STATIC_STEP = "staticStep",
    STATIC_STRIDES = "static_strides",
    STATIC_UPPER_BOUND = "staticUpperBound",
    STEP = "step",
    STEPS = "steps",
    STRIDES = "strides",
    STRING_LITERAL = "stringLiteral",
    SYM_NAME = "sym_name",
    SYM_VISIBILITY = "sym_visibility",
    TARGET_ENCODING = "target_encoding",
    TAG_MAP = "tag_map",
    TYPE = "type",
    UNIQUE = "unique",
    UNIQUE_INDICES = "unique_indices",
    UPPER_BOUNDS_GROUPS = "upperBoundsGroups",
    UPPER_BOUNDS_MAP = "upperBoundsMap",
    UPPER_BOUND_MAP = "upperBoundMap",
    VALUE = "value",
    WARP_SIZE = "warp_size",
    WRITABLE = "writable",
}
