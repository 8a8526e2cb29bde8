//! Reads one program: text, bytecode or a model, verified, in the present version of its dialects.

use std::sync::Arc;

use freehold_frontend::bytecode::parse_program;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::source_text::SourceText;
use freehold_frontend::verify::verify;
use freehold_onnx::Sizes;
use freehold_passes::stablehlo::{platform, vhlo};

use crate::operations;

/// Parses and verifies one source into a module. `None` if it is invalid; the
/// reasons are in `diagnostics`.
pub(crate) fn parse(
    context: &Arc<Context>,
    name: &str,
    text: impl Into<SourceText>,
    first_line: u32,
    diagnostics: &mut Diagnostics,
) -> Option<Ir> {
    let sizes = Sizes::default();
    parse_sized(context, name, text.into(), first_line, &sizes, diagnostics)
}

/// [`parse`], with sizes that a model does not say.
pub(crate) fn parse_sized(
    context: &Arc<Context>,
    name: &str,
    text: SourceText,
    first_line: u32,
    sizes: &Sizes,
    diagnostics: &mut Diagnostics,
) -> Option<Ir> {
    let model = text.model().cloned();
    if model.is_none() && !sizes.dims.is_empty() {
        diagnostics.error(
            Loc::UNKNOWN,
            "--dim is for ONNX models, whose dimensions may have names",
        );
        return None;
    }
    let Ok(source) = context.add_source(name, text, first_line) else {
        diagnostics.error(
            Loc::UNKNOWN,
            "all inputs together are larger than two gigabytes",
        );
        return None;
    };
    let ir = match &model {
        None => parse_program(context, &source, diagnostics),
        Some(model) => {
            let source = freehold_onnx::Source {
                name,
                bytes: &model.bytes,
                folder: model.folder.clone(),
                open: model.open,
                sizes,
            };
            freehold_onnx::read(context, &source, diagnostics)
        }
    };
    let ir = ir.ok()?;
    if diagnostics.has_errors() {
        return None;
    }
    if verify(&ir, diagnostics).is_err() {
        operations::show(&ir, diagnostics);
        return None;
    }
    Some(ir)
}

/// [`parse`], with StableHLO in the place of VHLO, in which programs are stored.
pub(crate) fn parse_present(
    context: &Arc<Context>,
    name: &str,
    text: SourceText,
    sizes: &Sizes,
    diagnostics: &mut Diagnostics,
) -> Option<Ir> {
    let platforms = text.platforms().to_vec();
    let mut ir = parse_sized(context, name, text, 1, sizes, diagnostics)?;
    if vhlo::make_stablehlo(&mut ir, diagnostics).ok()? {
        platform::choose(&mut ir, &platforms);
        verify(&ir, diagnostics).ok()?;
    }
    Some(ir)
}
