//! Reads ONNX models: the bytes of a `.onnx` file become operations of the `onnx` dialect, in the text that onnx-mlir
//! uses.
//!
//! [`read`] makes one function `@main` of a graph. Its arguments are the inputs of the graph that have no value in the
//! file; they and the results carry their names as `onnx.name`, and the names of their dimensions as
//! `onnx.dim_params`. What the file has values for are `onnx.Constant`s, whose bytes are those of the file. An input or
//! output that is left out is an `onnx.NoValue` or has the type `none`. A value whose type the model does not
//! say has the type `!onnx.Unknown`. Functions of the model are inlined. Opset 6 becomes opset 7.
//!
//! **Bounds.** Messages nest at most 100 deep, which `prost` sees to. Reading allocates at most 400
//! bytes for each byte of the file and 64 MiB: sparse tensors and functions that are inlined have limits of their own.

mod attributes;
mod external;
mod functions;
mod graph;
mod order;
mod proto;
mod source;
mod tensors;
mod types;
mod upgrade;

use std::sync::Arc;

use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::location::LocKind;
use prost::Message as _;

pub use external::Open;
pub use source::Source;
pub use types::{Dim, PassedSizes, Sizes};

use graph::Reader;
use source::Whole;

/// Reads a model into a module.
///
/// # Errors
/// If it is not whole, of an unknown version, or uses unknown features.
pub fn read(
    context: &Arc<Context>,
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Ir, Failed> {
    let loc = context.intern_loc(LocKind::File {
        file: source.name.into(),
        line: 0,
        column: 0,
    });
    let bytes = bytes::Bytes::from_owner(Whole(source.bytes.clone()));
    let model = match proto::Model::decode(bytes) {
        Ok(model) => model,
        Err(error) => {
            let message = format!("input is not a whole ONNX model: {error}");
            return Err(diagnostics.error(loc, message));
        }
    };
    Reader::new(context, source, &model, loc).read(diagnostics)
}
