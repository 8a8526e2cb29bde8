//! Generated code as text: CLIF as the lowering leaves it, or machine
//! instructions in Cranelift's notation.

use std::fmt::Write as _;

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};

use crate::compile::{self, Keep};
use crate::isa::Purpose;
use crate::options::Options;
use crate::program::isa_for;
use crate::program::{Entry, Program, Role};

/// What to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextKind {
    /// Cranelift's intermediate form, not yet optimized.
    Clif,
    /// Machine instructions.
    Assembly,
}

/// The code of every function of a module, with its name in front.
///
/// # Errors
/// If something in the module cannot be compiled; `diagnostics` says what.
pub fn compile_to_text(
    ir: &Ir,
    kind: TextKind,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<String, Failed> {
    let purpose = Purpose::Object {
        position_independent: options.position_independent,
    };
    let (isa, arch) = isa_for(options, purpose, ir.loc(ir.root()), diagnostics)?;
    let role = Role::only(Entry::None);
    let mut program = Program::new(ir, &*isa, arch, purpose, options, role, diagnostics)?;
    let keep = match kind {
        TextKind::Clif => Keep::Clif,
        TextKind::Assembly => Keep::Assembly,
    };
    let mut out = String::new();
    for function in compile::compile(&mut program, options, keep, diagnostics)? {
        let name = &program.functions[function.id].link_name;
        // Writing to a string cannot fail.
        let _ = match kind {
            TextKind::Clif => writeln!(out, "; {name}\n{}", function.text),
            TextKind::Assembly => writeln!(out, "{name}:\n{}", function.text),
        };
    }
    Ok(out)
}
