//! A program in this process with all that is known about it, and bytes that load it again without a compiler run.

use std::fmt;
use std::sync::Arc;

use freehold_backend::jit::Jit;
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::source_text::SourceText;
use freehold_frontend::ir::types::Type;
use freehold_frontend::syntax::printer::{PrintOptions, print};

use freehold_passes::ownership::donated_arguments;
use freehold_passes::rewrite::functions;

use crate::cache::Entry;
use crate::error::Error;
use crate::job::{Job, Product, Source, run_passes};

/// A compiled program.
pub struct Compiled {
    jit: Jit,
    context: Arc<Context>,
    /// The program after all passes.
    ir: Ir,
    entry: Entry,
    /// What it was compiled of: only who keeps it needs a key.
    job: Job,
    name: String,
    text: SourceText,
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled").finish_non_exhaustive()
    }
}

impl Compiled {
    /// Does a job whose output is code in memory. `kept` is what [`Self::to_bytes`] gave for the same program, options,
    /// processor and compiler; anything else is ignored.
    pub(crate) fn new(job: &Job, source: Source, kept: Option<&[u8]>) -> Result<Self, Error> {
        let (name, text) = (source.name.clone(), source.text.clone());
        let entry = kept.and_then(|kept| Entry::from_bytes(kept, &job.key(&name, &text)));
        let (outcome, code) = job.compile_or_load(source, entry, &mut run_passes);
        match (outcome.product, outcome.lowered) {
            (Some(Product::Code(jit)), Some(lowered)) => Ok(Self {
                jit: *jit,
                context: outcome.context,
                entry: Entry {
                    declarations: lowered.declarations,
                    text: String::new(),
                    code: code.unwrap_or_default(),
                },
                ir: lowered.ir,
                job: job.clone(),
                name,
                text,
            }),
            _ => Err(Error::new(&outcome.diagnostics, &outcome.context)),
        }
    }

    /// The code.
    pub fn jit(&self) -> &Jit {
        &self.jit
    }

    /// The program after all passes.
    pub fn text(&self) -> String {
        print(&self.ir, PrintOptions::default())
    }

    /// Program and code, to load it again.
    pub fn to_bytes(&self) -> Vec<u8> {
        let entry = Entry {
            text: self.text(),
            ..self.entry.clone()
        };
        entry.to_bytes(&self.job.key(&self.name, &self.text))
    }

    /// Bytes of the buffers that the program allocates and frees itself, as far as their sizes are known: arenas and
    /// what is not in one. Results are not among them.
    pub fn temporary_bytes(&self) -> u64 {
        let mut total = 0u64;
        let module = &self.ir;
        let stubs = module
            .root_block()
            .into_iter()
            .flat_map(|block| module.ops_in(block));
        for function in stubs.filter_map(|stub| module.nested(stub)) {
            for op in function.collect_ops(function.root()) {
                let is_stack = function.is(op, &memref::ALLOCA);
                if !is_stack && !function.is(op, &memref::ALLOC) {
                    continue;
                }
                let buffer = function.result(op, 0);
                let is_freed =
                    (function.uses(buffer).iter()).any(|u| function.is(u.op, &memref::DEALLOC));
                if is_stack || is_freed {
                    total = total.saturating_add(self.byte_size(function.value_type(buffer)));
                }
            }
        }
        total
    }

    /// Bytes of the results of `name` that are in the memory of arguments which callers donate.
    pub fn donated_bytes(&self, name: &str) -> u64 {
        let module = &self.ir;
        let mut functions = functions::nested(module);
        let function =
            functions.find(|function| function.symbol_name(function.root()) == Some(name));
        let arguments = function.and_then(|function| {
            let arguments = function.block_args(function.root_block()?).iter();
            let donated = donated_arguments::returned_arguments(function);
            let is_result = |argument| donated.iter().any(|&(_, returned)| returned == argument);
            let bytes = arguments
                .enumerate()
                .map(|(index, &argument)| match is_result(index) {
                    true => self.byte_size(function.value_type(argument)),
                    false => 0,
                });
            Some(bytes.sum())
        });
        arguments.unwrap_or(0)
    }

    fn byte_size(&self, ty: Type) -> u64 {
        let bytes = self.context.as_memref(ty).and_then(|memref| {
            let size = self.context.element_byte_size(memref.element)?;
            u64::try_from(memref.n_elements()?).ok()?.checked_mul(size)
        });
        bytes.unwrap_or(0)
    }
}
