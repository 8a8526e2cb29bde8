//! What `compile --workspace --stats` says: the temporary memory that functions want.

use std::io::{self, Write};

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::names::Name;
use freehold_passes::rewrite::functions::functions;
use serde_json::json;

use crate::options::Stats;

/// The workspace of a function that can be called from outside.
struct Workspace<'a> {
    function: &'a str,
    /// `None` if that depends on arguments.
    bytes: Option<i128>,
    alignment: i128,
}

fn workspaces(ir: &Ir) -> Vec<Workspace<'_>> {
    let context = ir.context();
    let of_function = |stub| {
        let function = ir.nested(stub)?;
        let root = function.root();
        let number = |name| context.attr_integer(function.attr(root, name)?);
        Some(Workspace {
            function: function
                .symbol_name(root)
                .filter(|_| !function.is_private(root))?,
            bytes: number(Name::WORKSPACE_BYTES),
            alignment: number(Name::WORKSPACE_ALIGNMENT)?,
        })
    };
    functions(ir).into_iter().filter_map(of_function).collect()
}

/// Prints the workspaces of a module.
pub(crate) fn print(ir: &Ir, stats: Stats, out: &mut dyn Write) -> io::Result<()> {
    let workspaces = workspaces(ir);
    match stats {
        Stats::Table => {
            writeln!(
                out,
                "{:<24}{:>16}{:>12}",
                "workspace of", "bytes", "alignment"
            )?;
            for workspace in workspaces {
                let bytes = match workspace.bytes {
                    Some(bytes) => bytes.to_string(),
                    None => "of run time".to_owned(),
                };
                let (function, alignment) = (workspace.function, workspace.alignment);
                writeln!(out, "{function:<24}{bytes:>16}{alignment:>12}")?;
            }
        }
        Stats::Json => {
            let list: Vec<_> = workspaces
                .iter()
                .map(|workspace| {
                    json!({
                        "function": workspace.function,
                        "bytes": workspace.bytes.map(|bytes| bytes as u64),
                        "alignment": workspace.alignment as u64,
                    })
                })
                .collect();
            writeln!(out, "{}", json!({ "workspaces": list }))?;
        }
    }
    Ok(())
}
