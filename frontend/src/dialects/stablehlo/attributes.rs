//! The attributes of the dialect: enumerations, and records of dimension
//! numbers. An attribute holds its text, which is made canonical when it is
//! read (`canonical_body`); the types here are what the text says.

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::diag::Failed;
use crate::ir::op_def::{AttrConstraint, AttrText, CustomAttrText};

/// `#stablehlo.body`
pub fn dialect_attr(context: &Context, body: &str) -> Attr {
    context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("stablehlo"),
        body: body.into(),
        ty: None,
    })
}

/// The text of an attribute of the dialect.
pub fn body_of(context: &Context, attr: Attr) -> Option<&str> {
    let AttrKind::Dialect { dialect, body, .. } = context.attr_kind(attr) else {
        return None;
    };
    (context.name(*dialect) == "stablehlo").then_some(body)
}

macro_rules! enumerations {
    ($($(#[$meta:meta])* $name:ident $mnemonic:literal $constraint:ident {
        $($(#[$case_meta:meta])* $case:ident = $keyword:literal,)*
    })*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
            pub enum $name {
                $($(#[$case_meta])* #[doc = concat!("`", $keyword, "`")] $case,)*
            }

            impl $name {
                /// All of them, in the order of their numbers.
                pub const ALL: &[Self] = &[$(Self::$case,)*];

                /// The keyword in the text format.
                pub const fn keyword(self) -> &'static str {
                    match self {
                        $(Self::$case => $keyword,)*
                    }
                }

                /// The attribute.
                pub fn to_attr(self, context: &Context) -> Attr {
                    dialect_attr(context, &format!(concat!($mnemonic, " {}"), self.keyword()))
                }

                /// What an attribute says.
                pub fn from_attr(context: &Context, attr: Attr) -> Option<Self> {
                    let keyword = body_of(context, attr)?.strip_prefix($mnemonic)?;
                    let keyword = keyword.strip_prefix(' ')?;
                    Self::ALL.iter().copied().find(|case| case.keyword() == keyword)
                }

                fn parse(p: &mut dyn OpAsmParser<'_>) -> Result<Option<Attr>, Failed> {
                    let loc = p.loc();
                    let Some(keyword) = p.parse_opt_any_keyword() else {
                        return Ok(None);
                    };
                    match Self::ALL.iter().find(|case| case.keyword() == keyword) {
                        Some(case) => Ok(Some(case.to_attr(p.context()))),
                        None => {
                            let cases: Vec<&str> =
                                Self::ALL.iter().map(|case| case.keyword()).collect();
                            let message = format!("expected one of: {}", cases.join(", "));
                            Err(p.error(loc, message))
                        }
                    }
                }

                fn print(p: &mut dyn OpAsmPrinter, context: &Context, attr: Attr) {
                    if let Some(case) = Self::from_attr(context, attr) {
                        p.text(case.keyword());
                    }
                }
            }

            pub(super) static $constraint: AttrConstraint = AttrConstraint {
                description: concat!($mnemonic, " attribute"),
                accepts: |context, attr| $name::from_attr(context, attr).is_some(),
                text: AttrText::Custom(&CustomAttrText {
                    parse: $name::parse,
                    print: $name::print,
                }),
            };
        )*

        /// The body of an enumeration in its canonical form: `mnemonic KEYWORD`.
        fn canonical_enumeration(mnemonic: &str, keyword: &str) -> Option<String> {
            let is_known = match mnemonic {
                $($mnemonic => $name::ALL.iter().any(|case| case.keyword() == keyword),)*
                _ => return None,
            };
            is_known.then(|| format!("{mnemonic} {keyword}"))
        }
    };
}

enumerations! {
    /// How precise products are on accelerators that have a choice.
    Precision "precision" PRECISION {
        Default = "DEFAULT",
        High = "HIGH",
        Highest = "HIGHEST",
    }
    /// Which transform `fft` is.
    FftType "fft_type" FFT_TYPE {
        Forward = "FFT",
        Inverse = "IFFT",
        /// From reals.
        Real = "RFFT",
        /// To reals.
        InverseReal = "IRFFT",
    }
    /// What `compare` asks.
    ComparisonDirection "comparison_direction" COMPARISON_DIRECTION {
        Eq = "EQ",
        Ne = "NE",
        Ge = "GE",
        Gt = "GT",
        Le = "LE",
        Lt = "LT",
    }
    /// How `compare` reads its operands.
    ComparisonType "comparison_type" COMPARISON_TYPE {
        NoType = "NOTYPE",
        Float = "FLOAT",
        /// -NaN, -infinity, ..., -0, 0, ..., infinity, NaN.
        TotalOrder = "TOTALORDER",
        Signed = "SIGNED",
        Unsigned = "UNSIGNED",
    }
    /// What happens to the matrix of a `triangular_solve` first.
    Transpose "transpose" TRANSPOSE {
        Invalid = "TRANSPOSE_INVALID",
        No = "NO_TRANSPOSE",
        Yes = "TRANSPOSE",
        Adjoint = "ADJOINT",
    }
    /// The distribution of random numbers.
    RngDistribution "rng_distribution" RNG_DISTRIBUTION {
        Uniform = "UNIFORM",
        Normal = "NORMAL",
    }
    /// How random bits are made.
    RngAlgorithm "rng_algorithm" RNG_ALGORITHM {
        Default = "DEFAULT",
        ThreeFry = "THREE_FRY",
        Philox = "PHILOX",
    }
}

/// A field of a record.
trait Field: Sized + Default {
    fn read(reader: &mut Reader<'_>) -> Option<Self>;
    fn write(&self, text: &mut String);
    fn is_default(&self) -> bool;
}

impl Field for i64 {
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.integer()
    }

    fn write(&self, text: &mut String) {
        text.push_str(&self.to_string());
    }

    fn is_default(&self) -> bool {
        *self == 0
    }
}

impl Field for Vec<i64> {
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut numbers = Vec::new();
        reader.expect("[")?;
        if reader.take("]") {
            return Some(numbers);
        }
        loop {
            numbers.push(reader.integer()?);
            if reader.take("]") {
                return Some(numbers);
            }
            reader.expect(",")?;
        }
    }

    fn write(&self, text: &mut String) {
        let numbers: Vec<String> = self.iter().map(i64::to_string).collect();
        text.push_str(&format!("[{}]", numbers.join(", ")));
    }

    fn is_default(&self) -> bool {
        self.is_empty()
    }
}

/// Reads the text of an attribute.
struct Reader<'a>(&'a str);

impl<'a> Reader<'a> {
    fn take(&mut self, token: &str) -> bool {
        self.0 = self.0.trim_start();
        match self.0.strip_prefix(token) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        self.take(token).then_some(())
    }

    fn word(&mut self) -> &'a str {
        self.0 = self.0.trim_start();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let n = self.0.find(|c| !is_part(c)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(n);
        self.0 = rest;
        word
    }

    fn integer(&mut self) -> Option<i64> {
        let is_negative = self.take("-");
        let n: i64 = self.word().parse().ok()?;
        Some(if is_negative { -n } else { n })
    }

    fn is_at_end(&self) -> bool {
        self.0.trim().is_empty()
    }
}

macro_rules! records {
    ($($(#[$meta:meta])* $name:ident $mnemonic:literal $constraint:ident elides $elides:literal {
        $($(#[$field_meta:meta])* $text:literal $field:ident: $ty:ty,)*
    })*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
            pub struct $name {
                $($(#[$field_meta])* pub $field: $ty,)*
            }

            impl $name {
                /// The attribute.
                pub fn to_attr(&self, context: &Context) -> Attr {
                    dialect_attr(context, &self.body())
                }

                /// What an attribute says.
                pub fn from_attr(context: &Context, attr: Attr) -> Option<Self> {
                    Self::read(body_of(context, attr)?)
                }

                fn body(&self) -> String {
                    let mut body = String::new();
                    $(
                        if !$elides || !self.$field.is_default() {
                            body.push_str(if body.is_empty() { "" } else { ", " });
                            body.push_str(concat!($text, " = "));
                            self.$field.write(&mut body);
                        }
                    )*
                    format!(concat!($mnemonic, "<{}>"), body)
                }

                fn read(body: &str) -> Option<Self> {
                    let mut reader = Reader(body.strip_prefix($mnemonic)?);
                    let mut record = Self::default();
                    reader.expect("<")?;
                    let mut seen: Vec<&str> = Vec::new();
                    while !reader.take(">") {
                        let key = reader.word();
                        if seen.contains(&key) {
                            return None;
                        }
                        seen.push(key);
                        reader.expect("=")?;
                        match key {
                            $($text => record.$field = Field::read(&mut reader)?,)*
                            _ => return None,
                        }
                        if !reader.take(",") {
                            reader.expect(">")?;
                            break;
                        }
                    }
                    reader.is_at_end().then_some(record)
                }
            }

            pub(super) static $constraint: AttrConstraint = AttrConstraint::new(
                concat!("`#stablehlo.", $mnemonic, "` attribute"),
                |context, attr| $name::from_attr(context, attr).is_some(),
            );
        )*

        /// The body of a record in its canonical form.
        fn canonical_record(body: &str) -> Option<String> {
            let mnemonic = Reader(body).word();
            match mnemonic {
                $($mnemonic => $name::read(body).map(|record| record.body()),)*
                _ => None,
            }
        }
    };
}

records! {
    /// The dimensions of `gather`.
    GatherDimensions "gather" GATHER_DIMENSIONS elides true {
        /// Dimensions of the result that count positions in a slice.
        "offset_dims" offset_dims: Vec<i64>,
        /// Dimensions of the operand that slices lose.
        "collapsed_slice_dims" collapsed_slice_dims: Vec<i64>,
        /// Dimensions of the operand that batches count.
        "operand_batching_dims" operand_batching_dims: Vec<i64>,
        /// The same in the indices.
        "start_indices_batching_dims" start_indices_batching_dims: Vec<i64>,
        /// The dimension of the operand that each part of an index is of.
        "start_index_map" start_index_map: Vec<i64>,
        /// The dimension of the indices along which the parts of an index lie.
        "index_vector_dim" index_vector_dim: i64,
    }
    /// The dimensions of `scatter`.
    ScatterDimensions "scatter" SCATTER_DIMENSIONS elides true {
        /// Dimensions of the updates that count positions in a window.
        "update_window_dims" update_window_dims: Vec<i64>,
        /// Dimensions of the input that windows lack.
        "inserted_window_dims" inserted_window_dims: Vec<i64>,
        /// Dimensions of the input that batches count.
        "input_batching_dims" input_batching_dims: Vec<i64>,
        /// The same in the indices.
        "scatter_indices_batching_dims" scatter_indices_batching_dims: Vec<i64>,
        /// The dimension of the input that each part of an index is of.
        "scatter_dims_to_operand_dims" scatter_dims_to_operand_dims: Vec<i64>,
        /// The dimension of the indices along which the parts of an index lie.
        "index_vector_dim" index_vector_dim: i64,
    }
    /// The dimensions of `dot_general`.
    DotDimensions "dot" DOT_DIMENSIONS elides true {
        /// Batches in the first factor.
        "lhs_batching_dimensions" lhs_batching_dimensions: Vec<i64>,
        /// Batches in the second factor.
        "rhs_batching_dimensions" rhs_batching_dimensions: Vec<i64>,
        /// Sums in the first factor.
        "lhs_contracting_dimensions" lhs_contracting_dimensions: Vec<i64>,
        /// Sums in the second factor.
        "rhs_contracting_dimensions" rhs_contracting_dimensions: Vec<i64>,
    }
    /// A channel between devices.
    ChannelHandle "channel_handle" CHANNEL_HANDLE elides false {
        /// Its number.
        "handle" handle: i64,
        /// What it connects.
        "type" kind: i64,
    }
    /// A result of a custom call that lies in the memory of an operand.
    OutputOperandAlias "output_operand_alias" OUTPUT_OPERAND_ALIAS elides false {
        /// The way into the tuple that is the result.
        "output_tuple_indices" output_tuple_indices: Vec<i64>,
        /// The operand.
        "operand_index" operand_index: i64,
        /// The way into the tuple that is the operand.
        "operand_tuple_indices" operand_tuple_indices: Vec<i64>,
    }
}

/// Where batch, feature and spatial dimensions of a tensor of a convolution stand.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DimensionOrder {
    /// The batch, or the features of the input in a kernel.
    pub first: i64,
    /// The features, or those of the output in a kernel.
    pub second: i64,
    /// The spatial dimensions, in order.
    pub spatial: Vec<i64>,
}

impl DimensionOrder {
    /// `[b, 0, 1, f]`; `None` if a dimension stands outside of the list, or two at one place.
    fn body(&self, names: (char, char)) -> Option<String> {
        let mut words = vec![None; self.spatial.len() + 2];
        let mut put = |at: i64, word: String| {
            let slot = words.get_mut(usize::try_from(at).ok()?)?;
            slot.is_none().then(|| *slot = Some(word))
        };
        put(self.first, names.0.to_string())?;
        put(self.second, names.1.to_string())?;
        for (i, &at) in self.spatial.iter().enumerate() {
            put(at, i.to_string())?;
        }
        let words: Option<Vec<String>> = words.into_iter().collect();
        Some(format!("[{}]", words?.join(", ")))
    }

    /// From the words of the list.
    fn from_words(words: &[String], names: (char, char)) -> Option<Self> {
        let position = |word: &str| {
            let at = words.iter().position(|other| other == word)?;
            Some(at as i64)
        };
        let n_spatial = words.len().checked_sub(2)?;
        let order = Self {
            first: position(&names.0.to_string())?,
            second: position(&names.1.to_string())?,
            spatial: (0..n_spatial)
                .map(|i| position(&i.to_string()))
                .collect::<Option<_>>()?,
        };
        Some(order)
    }
}

/// The dimensions of `convolution`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ConvolutionDimensions {
    /// Batch and features of the input.
    pub input: DimensionOrder,
    /// Features of input and output in the kernel.
    pub kernel: DimensionOrder,
    /// Batch and features of the output.
    pub output: DimensionOrder,
}

const OF_IMAGE: (char, char) = ('b', 'f');
const OF_KERNEL: (char, char) = ('i', 'o');

impl ConvolutionDimensions {
    /// The attribute.
    pub fn to_attr(&self, context: &Context) -> Option<Attr> {
        Some(dialect_attr(context, &format!("conv<{}>", self.text()?)))
    }

    /// What an attribute says.
    pub fn from_attr(context: &Context, attr: Attr) -> Option<Self> {
        Self::read(body_of(context, attr)?)
    }

    /// `[b, 0, f]x[0, i, o]->[b, 0, f]`
    pub(super) fn text(&self) -> Option<String> {
        let input = self.input.body(OF_IMAGE)?;
        let kernel = self.kernel.body(OF_KERNEL)?;
        let output = self.output.body(OF_IMAGE)?;
        Some(format!("{input}x{kernel}->{output}"))
    }

    /// From the words of the three lists.
    pub(super) fn from_words(lists: &[Vec<String>; 3]) -> Option<Self> {
        Some(Self {
            input: DimensionOrder::from_words(&lists[0], OF_IMAGE)?,
            kernel: DimensionOrder::from_words(&lists[1], OF_KERNEL)?,
            output: DimensionOrder::from_words(&lists[2], OF_IMAGE)?,
        })
    }

    fn read(body: &str) -> Option<Self> {
        let mut reader = Reader(body.strip_prefix("conv")?);
        reader.expect("<")?;
        if reader.take("raw") {
            return Self::read_raw(reader);
        }
        let mut lists: [Vec<String>; 3] = Default::default();
        for (i, list) in lists.iter_mut().enumerate() {
            match i {
                0 => {}
                1 => reader.expect("x")?,
                _ => reader.expect("->")?,
            }
            reader.expect("[")?;
            while !reader.take("]") {
                list.push(reader.word().to_owned());
                if !reader.take(",") {
                    reader.expect("]")?;
                    break;
                }
            }
        }
        reader.expect(">")?;
        reader.is_at_end().then_some(())?;
        Self::from_words(&lists)
    }

    /// `input_batch_dimension = 0, input_spatial_dimensions = [1, 2], ...>`, in any order. What is not there is 0, or none.
    fn read_raw(mut reader: Reader<'_>) -> Option<Self> {
        let mut dimensions = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        while !reader.take(">") {
            let name = reader.word();
            reader.expect("=")?;
            (!seen.contains(&name)).then(|| seen.push(name))?;
            let (number, list) = match name {
                "input_batch_dimension" => (Some(&mut dimensions.input.first), None),
                "input_feature_dimension" => (Some(&mut dimensions.input.second), None),
                "input_spatial_dimensions" => (None, Some(&mut dimensions.input.spatial)),
                "kernel_input_feature_dimension" => (Some(&mut dimensions.kernel.first), None),
                "kernel_output_feature_dimension" => (Some(&mut dimensions.kernel.second), None),
                "kernel_spatial_dimensions" => (None, Some(&mut dimensions.kernel.spatial)),
                "output_batch_dimension" => (Some(&mut dimensions.output.first), None),
                "output_feature_dimension" => (Some(&mut dimensions.output.second), None),
                "output_spatial_dimensions" => (None, Some(&mut dimensions.output.spatial)),
                _ => return None,
            };
            if let Some(number) = number {
                *number = reader.integer()?;
            }
            if let Some(list) = list {
                reader.expect("[")?;
                while !reader.take("]") {
                    list.push(reader.integer()?);
                    if !reader.take(",") {
                        reader.expect("]")?;
                        break;
                    }
                }
            }
            if !reader.take(",") {
                reader.expect(">")?;
                break;
            }
        }
        reader.is_at_end().then_some(dimensions)
    }
}

pub(super) static CONVOLUTION_DIMENSIONS: AttrConstraint =
    AttrConstraint::new("`#stablehlo.conv` attribute", |context, attr| {
        ConvolutionDimensions::from_attr(context, attr).is_some()
    });

/// The bounds of dimensions in the encoding of a tensor type, `#stablehlo.bounds<?, 4>`: for each
/// dimension the size that it never exceeds, or [`DYNAMIC`](crate::ir::types::DYNAMIC).
pub fn bounds(context: &Context, encoding: Attr) -> Option<Vec<i64>> {
    let body = body_of(context, encoding)?;
    let list = body.strip_prefix("bounds<")?.strip_suffix('>')?;
    list.split(',')
        .map(|bound| match bound.trim() {
            "?" => Some(crate::ir::types::DYNAMIC),
            number => number.parse().ok(),
        })
        .collect()
}

/// Whether an attribute asks for a stated accuracy of a function.
pub(super) fn is_result_accuracy(context: &Context, attr: Attr) -> bool {
    body_of(context, attr).is_some_and(|body| body.starts_with("result_accuracy<"))
}

/// The accuracy of functions that nothing is said about.
pub(super) fn default_accuracy(context: &Context) -> Attr {
    dialect_attr(
        context,
        "result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>",
    )
}

/// What follows the dot in an attribute of the dialect, in the one way that it is stored; `None` if it
/// is no attribute of the dialect.
pub fn canonical_body(_: &Context, body: &str) -> Option<String> {
    let mut reader = Reader(body);
    let mnemonic = reader.word();
    match mnemonic {
        "conv" => {
            let dimensions = ConvolutionDimensions::read(body)?;
            Some(format!("conv<{}>", dimensions.text()?))
        }
        // They are kept as they are: nothing here depends on them.
        "result_accuracy"
        | "result_accuracy_mode"
        | "dot_algorithm"
        | "bounds"
        | "type_extensions"
        | "mesh"
        | "mesh_axis"
        | "axis_ref"
        | "sub_axis_info"
        | "replica_group_mesh_axes" => Some(body.trim().to_owned()),
        _ => {
            if let Some(text) = canonical_record(body) {
                return Some(text);
            }
            // `mnemonic KEYWORD`, or `mnemonic<KEYWORD>`.
            let in_brackets = reader.take("<");
            let keyword = reader.word();
            if in_brackets {
                reader.expect(">")?;
            }
            reader.is_at_end().then_some(())?;
            canonical_enumeration(mnemonic, keyword)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_bodies() {
        let context = Context::with_dialects(&[]);
        for (text, expected) in [
            (
                "gather< offset_dims=[1,2] , index_vector_dim =1>",
                Some("gather<offset_dims = [1, 2], index_vector_dim = 1>"),
            ),
            ("gather<offset_dims = [1], offset_dims = [2]>", None),
            ("dot<>", Some("dot<>")),
            (
                "channel_handle<handle = 0, type = 1>",
                Some("channel_handle<handle = 0, type = 1>"),
            ),
            (
                "conv<[b,0,f]x[0,i,o]->[f,0,b]>",
                Some("conv<[b, 0, f]x[0, i, o]->[f, 0, b]>"),
            ),
            ("conv<[b,1,f]x[0,i,o]->[b,0,f]>", None),
            (
                "conv<raw input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_output_feature_dimension = 2, \
                 kernel_input_feature_dimension = 1, kernel_spatial_dimensions = [0], output_batch_dimension = 2, \
                 output_spatial_dimensions = [1]>",
                Some("conv<[b, 0, f]x[0, i, o]->[f, 0, b]>"),
            ),
            // Two dimensions in one place.
            ("conv<raw input_batch_dimension = 0>", None),
            ("precision HIGH", Some("precision HIGH")),
            ("precision<HIGH>", Some("precision HIGH")),
            ("precision LOW", None),
            ("what", None),
        ] {
            assert_eq!(
                canonical_body(&context, text).as_deref(),
                expected,
                "{text}"
            );
        }
    }
}
