//! Why a loop is no kernel.

use std::fmt;

use freehold_frontend::ir::entities::Op;

/// The obstacle to a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusal {
    /// The operation.
    pub(crate) op: Op,
    /// What about it.
    pub(crate) why: Reason,
}

/// Declares the reasons, each with the words that come after "no wide form of 'op'".
macro_rules! reasons {
    ($($name:ident = $words:literal,)*) => {
        /// What about an operation keeps it out of kernels.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Reason {
            $($name,)*
        }

        impl Reason {
            fn words(self) -> &'static str {
                match self {
                    $(Self::$name => $words,)*
                }
            }
        }
    };
}

reasons! {
    Operation = "",
    OnScalars = "on scalars",
    OnMasks = "on masks",
    OnHalves = "on 16-bit floats",
    NoF16c = "16-bit floats need F16C, which the processor lacks",
    NoFma = "fused multiplication needs FMA, which the processor lacks",
    NoInstruction = "the processor has no instruction for it at this width",
    Conversion = "between these types",
    MaskConversion = "from a mask to this type",
    ScalarConversion = "of a scalar",
    ConversionSizes = "between these element sizes",
    NarrowConversion = "to elements this narrow",
    Rounding = "with this rounding mode",
    Cast = "between these vector types",
    Broadcast = "from this shape",
    EmptyReduction = "of no elements",
    ComparisonType = "of this type",
    ConstantPredicate = "with a predicate that is always true or false",
    NoPredicate = "without a predicate",
    Constant = "a constant of this kind",
    UnknownShift = "by a scalar not known at compile time",
    ShiftTooFar = "by more bits than elements have",
    WideShift = "on 64-bit elements",
    UnknownDimension = "a dimension not known at compile time",
    NoDimension = "a dimension that the memref lacks",
    AccessSize = "an access of this size",
    FarAddress = "an offset of more than 31 bits",
    UnknownPosition = "a position not known at compile time",
    ScatteredType = "gathered or scattered elements of another type",
    ScatteredSize = "gathered or scattered elements of this size",
    Scattered = "scattered elements need AVX-512",
    Strided = "elements that are not contiguous",
    ManyElements = "too many elements one by one",
    RowSize = "rows of this size",
    MaskLanes = "a mask for another number of lanes",
    MaskRows = "a mask for rows of this size",
    LargeMask = "a mask of too many elements",
    LeftOut = "additions that a mask leaves out",
    MaskShape = "a mask on more than a row",
    ForeignMask = "a mask that no operation of the loop makes",
    MaskedBits = "vectors of i1 under a mask",
    LocalMemref = "a memref made in the loop",
    NoDescriptor = "a memref without a descriptor",
    MemoryElement = "memory of another element type",
    MemoryOfVectors = "memory of vectors of this type",
    View = "a view with these strides or dimensions",
    ScalarType = "a scalar of this type",
    NoRegisters = "a type that no register holds",
    ScalarBits = "the bits of a scalar",
    Allocation = "an error of the compiler: registers cannot be chosen",
    Encoding = "an error of the compiler: an instruction has no encoding",
    PartialRegister = "a vector that fills no register",
    EmptyVector = "a vector of no elements",
    BlockArgument = "a block argument of this type",
    OtherKind = "a value of another kind",
    TypeInMemory = "a value of this type in memory",
    LiveType = "a live-in or live-out of this type",
    UnknownValue = "a value defined nowhere in the loop",
    WayOut = "a branch out of the loop",
    OpenBlock = "a block without a terminator",
    Registers = "too few registers",
}

/// Ends a remark.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words() {
            "" => Ok(()),
            words => write!(f, ": {words}"),
        }
    }
}
