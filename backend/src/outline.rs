//! Compiles apart from functions: loops on wide vectors (kernels), and parts of very large functions.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use rayon::prelude::*;

use crate::isa::{OptLevel, Purpose};
use crate::options::Options;
use crate::program::{Body, FunctionId, Program};
use crate::references::{CompiledFunction, LineEntry, References, Unwind};
use crate::split;
use crate::wide::level::Level;
use crate::wide::regions::{self, Kernel};
use crate::wide::{ALIGNMENT, Assembled, Refusal};

/// Adds functions for pieces compiled apart; gives the code of those that have it already, the kernels. `text` is
/// whether their instructions are wanted as text.
pub(crate) fn outline(
    program: &mut Program<'_>,
    options: &Options,
    text: bool,
    diagnostics: &mut Diagnostics,
) -> Vec<CompiledFunction> {
    let bodies: Vec<(FunctionId, &Ir)> = (program.functions.iter())
        .filter_map(|(id, function)| match function.body {
            Body::Definition(ir) => Some((id, ir)),
            _ => None,
        })
        .collect();
    let kernels = add_kernels(program, &bodies, options, text, diagnostics);
    for (id, ir) in bodies {
        let kernels = program.functions[id].kernels.iter().map(|(_, part)| part);
        let parts = split::parts(ir, options.part_ops, kernels);
        for (number, part) in parts.into_iter().enumerate() {
            let part_id = program.add_apart(id, &number.to_string(), Body::Part(id, number));
            program.functions[id].parts.push((part_id, part));
        }
    }
    kernels
}

fn add_kernels<'a>(
    program: &mut Program<'a>,
    bodies: &[(FunctionId, &'a Ir)],
    options: &Options,
    text: bool,
    diagnostics: &mut Diagnostics,
) -> Vec<CompiledFunction> {
    let level = options.wide_level(program.purpose == Purpose::Jit);
    // Where accesses are checked, each calls the runtime.
    let is_wanted = options.opt_level != OptLevel::None && !program.check_accesses;
    let Some(level) = level.filter(|_| is_wanted) else {
        return Vec::new();
    };
    let found: Vec<_> = bodies
        .par_iter()
        .map(|&(id, ir)| (id, ir, regions::kernels(ir, level)))
        .collect();
    let mut compiled = Vec::new();
    for (id, ir, (kernels, refusals)) in found {
        if options.remarks {
            remark(ir, level, &kernels, &refusals, diagnostics);
        }
        for (number, Kernel { part, code }) in kernels.into_iter().enumerate() {
            let kernel = program.add_apart(id, &format!("wide{number}"), Body::Kernel(id));
            program.functions[id].kernels.push((kernel, part));
            compiled.push(kernel_function(kernel, code, program.has_debug_info, text));
        }
    }
    compiled
}

/// Says which loops became kernels, and why others did not.
fn remark(
    ir: &Ir,
    level: Level,
    kernels: &[Kernel],
    refusals: &[Refusal],
    diagnostics: &mut Diagnostics,
) {
    for kernel in kernels {
        let header = kernel.part.blocks[0];
        let loc = ir
            .first_op(header)
            .map_or(ir.loc(ir.root()), |op| ir.loc(op));
        let mut ways_on = (kernel.part.blocks.iter()).flat_map(|&block| ir.block_successors(block));
        let what = match ways_on.any(|&to| to == header) {
            true => "this loop runs",
            false => "this code runs",
        };
        let message = format!("{what} in vectors of {} bits", kernel.code.bits);
        diagnostics.remark(loc, message);
    }
    for refusal in refusals {
        let (name, why) = (ir.op_name(refusal.op), refusal.why);
        let message = format!("no {}-bit form of '{name}'{why}", level.bits());
        diagnostics.remark(ir.loc(refusal.op), message);
    }
}

fn kernel_function(
    id: FunctionId,
    kernel: Assembled,
    has_debug_info: bool,
    text: bool,
) -> CompiledFunction {
    let text = match text {
        true => kernel.text(),
        false => String::new(),
    };
    let lines = kernel.lines.iter().filter(|_| has_debug_info);
    CompiledFunction {
        id,
        alignment: ALIGNMENT as u64,
        relocs: Vec::new(),
        unwind: Some(Unwind::Kernel {
            length: kernel.code.len() as u32,
            instructions: kernel.frame,
        }),
        lines: lines
            .map(|&(start, loc)| LineEntry { start, loc })
            .collect(),
        code: kernel.code,
        references: References::default(),
        text,
    }
}
