//! The memory of a program as its pipeline plans it: arenas, the buffers in them with their places in the source, and
//! separate allocations. `plan` and `compare --html` show it.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::location::FileLineColumn;
use freehold_frontend::syntax::printer::type_to_string;
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::manage::pass::Pass;
use freehold_passes::manage::pipeline::Pipeline;
use freehold_passes::merge_alloc::merge_alloc;
use freehold_passes::merge_alloc::mutate::{ARENA_ATTR, BUFFER_ATTR};
use serde_json::{Value, json};

use crate::cli::io::Io;
use crate::cli::plot::arena::{Arena as Picture, Slot};
use crate::cli::plot::html_table;
use crate::cli::session;
use crate::job::{Job, Source};

/// An allocation.
pub(crate) struct Allocation {
    function: String,
    at: Option<FileLineColumn>,
    /// Its type as it was allocated.
    ty: String,
    /// None if it depends on sizes of run time.
    bytes: Option<u64>,
}

/// A buffer in an arena.
struct Buffer {
    at: Option<FileLineColumn>,
    ty: String,
    offset: u64,
    bytes: u64,
    /// First and last ticks.
    live: Vec<(i64, i64)>,
}

/// One allocation for several buffers. Numbers are multiples of a size of run time if its own is not known.
pub(crate) struct Arena {
    allocation: Allocation,
    lower_bound: u64,
    buffers: Vec<Buffer>,
}

/// All memory that functions allocate themselves.
#[derive(Default)]
pub(crate) struct Memory {
    arenas: Vec<Arena>,
    others: Vec<Allocation>,
}

/// Runs the passes of a job, and looks at the program when its allocations are merged. `None` if something is wrong
/// with it, which is reported.
pub(crate) fn planned(job: Job, file: &OsStr, io: &mut Io) -> io::Result<Option<Memory>> {
    let input = match session::load_program(file, io) {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(None);
        }
    };
    let memory = Mutex::new(Memory::default());
    let source = Source::new(input.name, input.text);
    let mut passes = |ir: &mut Ir, pipeline: &Pipeline, verify_each, diagnostics: &mut _| {
        let after = |ir: &Ir, pass: &'static dyn Pass| {
            if pass.name() == merge_alloc::PASS.name {
                let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
                memory.add(ir);
            }
        };
        let run = RunOptions {
            verify_each,
            after_pass: Some(&after),
            ..RunOptions::default()
        };
        manager::run(ir, pipeline, run, diagnostics).is_ok()
    };
    let outcome = job.annotating().lower(source, &mut passes);
    session::report(&outcome.diagnostics, &outcome.context, io)?;
    let mut memory = memory.into_inner().unwrap_or_else(PoisonError::into_inner);
    memory.sort();
    Ok(outcome.lowered.map(|_| memory))
}

impl Memory {
    /// Adds the allocations of a function.
    fn add(&mut self, ir: &Ir) {
        let [arena, buffer] = [ARENA_ATTR, BUFFER_ATTR].map(|name| ir.context().intern_name(name));
        for op in ir.collect_ops(ir.root()) {
            if !ir.is(op, &memref::ALLOC) {
                continue;
            }
            let allocation = Allocation::of(ir, op);
            let lower_bound = ir.attr(op, arena);
            let lower_bound = lower_bound.and_then(|attr| ir.context().attr_integer(attr));
            let Some(lower_bound) = lower_bound else {
                self.others.push(allocation);
                continue;
            };
            let users = |op: Op| {
                ir.results(op)
                    .iter()
                    .flat_map(|&v| ir.uses(v))
                    .map(|u| u.op)
            };
            // Layouts are put on views.
            let views = users(op).flat_map(|view| std::iter::once(view).chain(users(view)));
            let buffers = views.filter_map(|view| {
                let plan = ir.attr(view, buffer)?;
                Buffer::of(ir, view, &ir.context().attr_i64_array(plan)?)
            });
            let mut buffers: Vec<Buffer> = buffers.collect();
            buffers.sort_by_key(|buffer| (buffer.live.first().copied(), buffer.offset));
            self.arenas.push(Arena {
                allocation,
                lower_bound: lower_bound as u64,
                buffers,
            });
        }
    }

    /// Functions come in any order.
    fn sort(&mut self) {
        let key = |allocation: &Allocation| {
            let at = allocation.at.as_ref();
            let at = at.map(|at| (Arc::clone(&at.file), at.line, at.column));
            (allocation.function.clone(), at, allocation.ty.clone())
        };
        self.others.sort_by_key(key);
        self.arenas.sort_by_key(|arena| key(&arena.allocation));
    }

    /// One row per arena and per other allocation, after a head.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let head = ["function", "at", "type", "bytes", "buffers", "lower bound"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for arena in &self.arenas {
            let mut row = arena.allocation.row();
            let times = if arena.is_scaled() { " times" } else { "" };
            row.push(arena.buffers.len().to_string());
            row.push(format!("{}{times}", arena.lower_bound));
            rows.push(row);
        }
        for other in &self.others {
            let mut row = other.row();
            row.extend(["-", "-"].map(str::to_owned));
            rows.push(row);
        }
        rows
    }

    /// All that is known, as JSON.
    pub(crate) fn json(&self) -> Value {
        let place = |at: &Option<FileLineColumn>| {
            let at = at.as_ref();
            at.map(|at| json!({"file": *at.file, "line": at.line, "column": at.column}))
        };
        let allocation = |allocation: &Allocation| {
            json!({
                "function": allocation.function,
                "source": place(&allocation.at),
                "type": allocation.ty,
                "bytes": allocation.bytes,
            })
        };
        let buffer = |buffer: &Buffer| {
            json!({
                "source": place(&buffer.at),
                "type": buffer.ty,
                "offset": buffer.offset,
                "bytes": buffer.bytes,
                "live": buffer.live,
            })
        };
        let arena = |arena: &Arena| {
            let mut object = allocation(&arena.allocation);
            object["lower_bound"] = arena.lower_bound.into();
            object["buffers"] = arena.buffers.iter().map(buffer).collect();
            object
        };
        json!({
            "arenas": self.arenas.iter().map(arena).collect::<Vec<_>>(),
            "allocations": self.others.iter().map(allocation).collect::<Vec<_>>(),
        })
    }

    /// A picture of the largest arena, an SVG document.
    pub(crate) fn largest_picture(&self) -> Option<String> {
        let arenas = self.arenas.iter();
        arenas.max_by_key(|arena| arena.size()).map(Arena::draw)
    }

    /// The table and all arenas, for a page of HTML.
    pub(crate) fn html(&self) -> String {
        let mut out = html_table(&self.rows());
        for arena in &self.arenas {
            out += &format!("<div class=\"arena\">\n{}</div>\n", arena.draw());
        }
        out
    }
}

impl Allocation {
    fn of(ir: &Ir, op: Op) -> Self {
        let context = ir.context();
        let ty = ir.value_type(ir.result(op, 0));
        let bytes = context.as_memref(ty).and_then(|memref| {
            let size = context.element_byte_size(memref.element)?;
            u64::try_from(memref.n_elements()?).ok()?.checked_mul(size)
        });
        Self {
            function: ir.symbol_name(ir.root()).unwrap_or_default().to_owned(),
            at: context.resolve_loc(ir.loc(op)),
            ty: type_to_string(context, ty),
            bytes,
        }
    }

    fn row(&self) -> Vec<String> {
        let bytes = self.bytes.map(|bytes| bytes.to_string());
        vec![
            self.function.clone(),
            line(&self.at),
            self.ty.clone(),
            bytes.unwrap_or_else(|| "of run time".to_owned()),
        ]
    }
}

impl Buffer {
    /// What the numbers that a view has say.
    fn of(ir: &Ir, view: Op, numbers: &[i64]) -> Option<Self> {
        let number = |&number: &i64| u64::try_from(number).ok();
        let (place, live) = numbers.split_at_checked(2)?;
        let live = live.chunks_exact(2);
        Some(Self {
            at: ir.context().resolve_loc(ir.loc(view)),
            ty: type_to_string(ir.context(), ir.value_type(ir.result(view, 0))),
            offset: number(&place[0])?,
            bytes: number(&place[1])?,
            live: live.map(|span| (span[0], span[1])).collect(),
        })
    }
}

impl Arena {
    /// Whether numbers are to be multiplied by sizes of run time.
    fn is_scaled(&self) -> bool {
        self.allocation.bytes.is_none()
    }

    /// Bytes.
    fn size(&self) -> u64 {
        let ends = self
            .buffers
            .iter()
            .map(|buffer| buffer.offset + buffer.bytes);
        self.allocation.bytes.or(ends.max()).unwrap_or(0)
    }

    fn draw(&self) -> String {
        let peak = self.size();
        let slots = self.buffers.iter().map(|buffer| {
            let at = line(&buffer.at);
            Slot {
                name: at.clone(),
                what: format!("{at}: {}", buffer.ty),
                offset: buffer.offset,
                bytes: buffer.bytes,
                // Both ticks are part of it.
                live: buffer
                    .live
                    .iter()
                    .map(|&(first, last)| (first, last + 1))
                    .collect(),
            }
        });
        let times = if self.is_scaled() {
            " times a size of run time"
        } else {
            ""
        };
        let function = &self.allocation.function;
        let picture = Picture {
            title: format!(
                "@{function}: {peak} bytes{times}, lower bound {}: {} buffers",
                self.lower_bound,
                self.buffers.len()
            ),
            peak,
            lower_bound: self.lower_bound,
            slots: slots.collect(),
        };
        picture.draw()
    }
}

/// The line of the source that something comes from.
fn line(at: &Option<FileLineColumn>) -> String {
    let name = |at: &FileLineColumn| {
        let file = at.file.rsplit('/').next().unwrap_or_default();
        format!("{file}:{}", at.line)
    };
    at.as_ref().map_or_else(|| "unknown".to_owned(), name)
}
