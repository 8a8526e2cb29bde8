//! The dialect's own encoding in bytecode, which others write: a code for the kind of attribute or type, and what it
//! consists of. This writes text, which they read too.

use std::sync::Arc;

use crate::ir::attrs::Attr;
use crate::ir::bytecode_interface::{BytecodeDialectInterface, DialectBytecodeReader, Result};
use crate::ir::types::{DYNAMIC, Type};
use crate::syntax::parser::{parse_attr_text, parse_type_text};
use crate::syntax::printer::{attr_to_string, type_to_string};

use super::attributes::{
    ComparisonDirection, ComparisonType, ConvolutionDimensions, DimensionOrder, FftType, Precision,
    RngAlgorithm, RngDistribution, Transpose,
};

/// The encoding of the dialect.
pub(super) static ENCODING: BytecodeDialectInterface = BytecodeDialectInterface {
    read_attribute,
    read_type,
    ..BytecodeDialectInterface::BASE
};

const CONVOLUTION: u64 = 4;
const BOUNDS: u64 = 13;
const DOT_ALGORITHM: u64 = 15;
const ACCURACY_MODE: u64 = 16;
const ACCURACY: u64 = 17;

/// What a field of a record is.
#[derive(Clone, Copy)]
enum Field {
    Number,
    Numbers,
}

use Field::{Number, Numbers};

/// The codes of records, their names and fields.
type Record = (u64, &'static str, &'static [(&'static str, Field)]);

const RECORDS: &[Record] = &[
    (1, "channel_handle", &[("handle", Number), ("type", Number)]),
    (
        5,
        "dot",
        &[
            ("lhs_batching_dimensions", Numbers),
            ("rhs_batching_dimensions", Numbers),
            ("lhs_contracting_dimensions", Numbers),
            ("rhs_contracting_dimensions", Numbers),
        ],
    ),
    (
        7,
        "gather",
        &[
            ("offset_dims", Numbers),
            ("collapsed_slice_dims", Numbers),
            ("operand_batching_dims", Numbers),
            ("start_indices_batching_dims", Numbers),
            ("start_index_map", Numbers),
            ("index_vector_dim", Number),
        ],
    ),
    (
        11,
        "scatter",
        &[
            ("update_window_dims", Numbers),
            ("inserted_window_dims", Numbers),
            ("input_batching_dims", Numbers),
            ("scatter_indices_batching_dims", Numbers),
            ("scatter_dims_to_operand_dims", Numbers),
            ("index_vector_dim", Number),
        ],
    ),
    (
        14,
        "output_operand_alias",
        &[
            ("output_tuple_indices", Numbers),
            ("operand_index", Number),
            ("operand_tuple_indices", Numbers),
        ],
    ),
];

/// The modes of `#stablehlo.result_accuracy_mode`, by their numbers.
const ACCURACY_MODES: [&str; 3] = ["DEFAULT", "HIGHEST", "TOLERANCE"];

fn numbers(reader: &mut dyn DialectBytecodeReader) -> Result<Vec<i64>> {
    let n = reader.read_count()?;
    (0..n).map(|_| reader.read_signed_var_int()).collect()
}

fn list(numbers: &[i64]) -> String {
    let words: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("[{}]", words.join(", "))
}

/// The keyword of an enumeration that has this number.
fn keyword<T: Copy>(
    reader: &mut dyn DialectBytecodeReader,
    mnemonic: &str,
    all: &[T],
    of: fn(T) -> &'static str,
) -> Result<String> {
    keyword_from(0, reader, mnemonic, all, of)
}

/// The keyword of an enumeration whose numbers begin with `first`.
fn keyword_from<T: Copy>(
    first: u64,
    reader: &mut dyn DialectBytecodeReader,
    mnemonic: &str,
    all: &[T],
    of: fn(T) -> &'static str,
) -> Result<String> {
    let number = reader.read_var_int()?;
    let at = number.checked_sub(first);
    let case = at.and_then(|at| all.get(usize::try_from(at).ok()?));
    match case {
        Some(&case) => Ok(format!("#stablehlo<{mnemonic} {}>", of(case))),
        None => Err(format!("unknown number of stablehlo's {mnemonic}: {number}").into()),
    }
}

fn read_attribute(reader: &mut dyn DialectBytecodeReader) -> Result<Attr> {
    let context = &Arc::clone(reader.context());
    let code = reader.read_var_int()?;
    if let Some((_, name, fields)) = RECORDS.iter().find(|record| record.0 == code) {
        let mut words = Vec::new();
        for (key, field) in *fields {
            let value = match field {
                Number => reader.read_signed_var_int()?.to_string(),
                Numbers => list(&numbers(reader)?),
            };
            words.push(format!("{key} = {value}"));
        }
        let text = format!("#stablehlo.{name}<{}>", words.join(", "));
        return Ok(parse_attr_text(context, &text)?);
    }
    let text = match code {
        2 => {
            use ComparisonDirection as Of;
            keyword(reader, "comparison_direction", Of::ALL, Of::keyword)?
        }
        3 => {
            use ComparisonType as Of;
            keyword(reader, "comparison_type", Of::ALL, Of::keyword)?
        }
        6 => keyword(reader, "fft_type", FftType::ALL, FftType::keyword)?,
        8 => keyword(reader, "precision", Precision::ALL, Precision::keyword)?,
        9 => {
            use RngAlgorithm as Of;
            keyword(reader, "rng_algorithm", Of::ALL, Of::keyword)?
        }
        10 => {
            use RngDistribution as Of;
            keyword_from(1, reader, "rng_distribution", Of::ALL, Of::keyword)?
        }
        12 => keyword(reader, "transpose", Transpose::ALL, Transpose::keyword)?,
        CONVOLUTION => {
            let mut order = || -> Result<DimensionOrder> {
                Ok(DimensionOrder {
                    first: reader.read_signed_var_int()?,
                    second: reader.read_signed_var_int()?,
                    spatial: numbers(reader)?,
                })
            };
            let dimensions = ConvolutionDimensions {
                input: order()?,
                kernel: order()?,
                output: order()?,
            };
            let attr = dimensions.to_attr(context);
            return attr.ok_or_else(|| "dimensions of a convolution that are none".into());
        }
        BOUNDS => {
            let words: Vec<String> = numbers(reader)?
                .iter()
                .map(|&bound| match bound {
                    DYNAMIC => "?".to_owned(),
                    bound => bound.to_string(),
                })
                .collect();
            format!("#stablehlo.bounds<{}>", words.join(", "))
        }
        DOT_ALGORITHM => {
            let mut words = Vec::new();
            for key in [
                "lhs_precision_type",
                "rhs_precision_type",
                "accumulation_type",
            ] {
                let ty = reader.read_type()?;
                words.push(format!("{key} = {}", type_to_string(context, ty)));
            }
            for key in [
                "lhs_component_count",
                "rhs_component_count",
                "num_primitive_operations",
            ] {
                words.push(format!("{key} = {}", reader.read_signed_var_int()?));
            }
            let may_be_imprecise = reader.read_byte()? != 0;
            words.push(format!("allow_imprecise_accumulation = {may_be_imprecise}"));
            format!("#stablehlo.dot_algorithm<{}>", words.join(", "))
        }
        ACCURACY_MODE => {
            let number = reader.read_var_int()?;
            let mode = usize::try_from(number)
                .ok()
                .and_then(|at| ACCURACY_MODES.get(at));
            let Some(mode) = mode else {
                let message = format!("unknown number of stablehlo's accuracy mode: {number}");
                return Err(message.into());
            };
            format!("#stablehlo.result_accuracy_mode<{mode}>")
        }
        ACCURACY => {
            let mut float = || -> Result<f64> {
                let limbs = reader.read_ap_int(64)?;
                Ok(f64::from_bits(limbs.first().copied().unwrap_or(0)))
            };
            let (absolute, relative) = (float()?, float()?);
            let ulps = reader.read_signed_var_int()?;
            let mode = reader.read_attribute()?;
            let mode = attr_to_string(context, mode);
            match absolute == 0.0 && relative == 0.0 && ulps == 0 {
                true => format!("#stablehlo.result_accuracy<mode = {mode}>"),
                false => format!(
                    "#stablehlo.result_accuracy<atol = {absolute:e}, rtol = {relative:e}, \
                     ulps = {ulps}, mode = {mode}>"
                ),
            }
        }
        code => return Err(format!("unknown stablehlo attribute code: {code}").into()),
    };
    Ok(parse_attr_text(context, &text)?)
}

fn read_type(reader: &mut dyn DialectBytecodeReader) -> Result<Type> {
    let context = &Arc::clone(reader.context());
    let text = match reader.read_var_int()? {
        0 => "!stablehlo.token".to_owned(),
        1 => {
            let n = reader.read_count()?;
            let types = (0..n).map(|_| Ok(type_to_string(context, reader.read_type()?)));
            let types = types.collect::<Result<Vec<String>>>()?;
            format!("!stablehlo.future<{}>", types.join(", "))
        }
        code => return Err(format!("unknown stablehlo type code: {code}").into()),
    };
    Ok(parse_type_text(context, &text)?)
}
