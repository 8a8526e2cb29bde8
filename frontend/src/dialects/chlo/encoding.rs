//! The dialect's own encoding in bytecode, which others write: the enumerations of `broadcast_compare`. This writes
//! text, which they read too.

use std::sync::Arc;

use crate::dialects::stablehlo::attributes::{ComparisonDirection, ComparisonType};
use crate::ir::attrs::Attr;
use crate::ir::bytecode_interface::{BytecodeDialectInterface, DialectBytecodeReader, Result};
use crate::syntax::parser::parse_attr_text;

/// The encoding of the dialect.
pub(super) static ENCODING: BytecodeDialectInterface = BytecodeDialectInterface {
    read_attribute,
    ..BytecodeDialectInterface::BASE
};

fn read_attribute(reader: &mut dyn DialectBytecodeReader) -> Result<Attr> {
    let context = &Arc::clone(reader.context());
    let code = reader.read_var_int()?;
    let number = reader.read_var_int()?;
    let at = usize::try_from(number).unwrap_or(usize::MAX);
    let text = match code {
        0 => ComparisonDirection::ALL
            .get(at)
            .map(|case| format!("#chlo<comparison_direction {}>", case.keyword())),
        1 => ComparisonType::ALL
            .get(at)
            .map(|case| format!("#chlo<comparison_type {}>", case.keyword())),
        code => return Err(format!("unknown chlo attribute code: {code}").into()),
    };
    let text = text.ok_or_else(|| format!("unknown number of chlo's comparison: {number}"))?;
    Ok(parse_attr_text(context, &text)?)
}
