//! Builds modules in Rust and runs them: in this process, as a program of this
//! machine, and as an AArch64 program in an emulator.

#![allow(dead_code, reason = "each test file uses some of the helpers")]
#![expect(clippy::unwrap_used, reason = "test code")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use freehold_backend::isa::Target;
use freehold_backend::jit::{Jit, compile_to_jit};
use freehold_backend::link::{LinkOptions, link_executable, runtime_object};
use freehold_backend::object::compile_to_executable_object;
use freehold_backend::{OptLevel, Options};
use freehold_frontend::diag::Diagnostics;
use freehold_frontend::dialects::{arith, builtin, cf, func};
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{MemRefType, Type, TypeKind};

/// A module under construction.
pub(crate) struct Module {
    pub(crate) context: Arc<Context>,
    pub(crate) ir: Ir,
}

impl Module {
    pub(crate) fn new() -> Self {
        let context = Arc::new(Context::new());
        let ir = builtin::module(&context, Loc::UNKNOWN);
        Self { context, ir }
    }

    fn body(&self) -> Block {
        self.ir.root_block().unwrap()
    }

    /// Adds a function; `build` writes its body, given the arguments.
    pub(crate) fn function(
        &mut self,
        name: &str,
        inputs: &[Type],
        results: &[Type],
        build: impl FnOnce(&mut Builder<'_>, &[Value]),
    ) {
        let mut function = func::function(&self.context, Loc::UNKNOWN, name, inputs, results);
        let region = function.region(function.root(), 0);
        let block = function.append_block(region, inputs);
        let arguments = function.block_args(block).to_vec();
        build(&mut Builder::at_end(&mut function, block), &arguments);
        self.add(function);
    }

    /// Declares a function.
    pub(crate) fn declare(&mut self, name: &str, inputs: &[Type], results: &[Type]) -> Op {
        let function = func::function(&self.context, Loc::UNKNOWN, name, inputs, results);
        self.add(function)
    }

    /// Adds an arena.
    pub(crate) fn add(&mut self, nested: Ir) -> Op {
        let op = self.ir.create_nested(nested);
        let body = self.body();
        self.ir.append_op(body, op);
        op
    }

    /// Adds an operation to the module itself.
    pub(crate) fn add_op(&mut self, spec: OpSpec) -> Op {
        let op = self.ir.create_op(spec);
        let body = self.body();
        self.ir.append_op(body, op);
        op
    }

    /// Adds a constant global of integers, given as their bits.
    pub(crate) fn constant(&mut self, name: &str, width: u32, values: &[u128]) -> Type {
        let element = self.context.integer_type(width);
        let size = self.context.element_byte_size(element).unwrap() as usize;
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes()[..size].to_vec())
            .collect();
        self.global(name, element, values.len() as i64, bytes, true)
    }

    /// Adds a global of these bytes.
    pub(crate) fn global(
        &mut self,
        name: &str,
        element: Type,
        n: i64,
        bytes: Vec<u8>,
        constant: bool,
    ) -> Type {
        let context = &self.context;
        let memref = context.memref_type(MemRefType::identity(&[n], element));
        let tensor = context.intern_type(TypeKind::RankedTensor {
            shape: Box::new([n]),
            element,
            encoding: None,
        });
        let value = context.intern_attr(AttrKind::DenseElements(DenseElements {
            ty: tensor,
            splat: false,
            bytes: bytes.into(),
        }));
        let mut spec = OpSpec::new(&freehold_frontend::dialects::memref::GLOBAL, Loc::UNKNOWN)
            .attr(Name::SYM_NAME, context.string_attr(name))
            .attr(Name::SYM_VISIBILITY, context.string_attr("private"))
            .attr(Name::TYPE, context.type_attr(memref))
            .attr(Name::INITIAL_VALUE, value);
        if constant {
            spec = spec.attr(Name::CONSTANT, freehold_frontend::ir::attrs::Attr::UNIT);
        }
        self.add_op(spec);
        memref
    }

    /// Compiles for this process; panics with the diagnostics if that fails.
    pub(crate) fn jit(&self, options: &Options) -> Jit {
        let mut diagnostics = Diagnostics::new();
        compile_to_jit(&self.ir, options, &mut diagnostics)
            .unwrap_or_else(|_| panic!("{}", diagnostics.render_plain(&self.context)))
    }

    /// What compiling for this process reports.
    pub(crate) fn jit_errors(&self) -> String {
        let mut diagnostics = Diagnostics::new();
        let result = compile_to_jit(&self.ir, &Options::host(), &mut diagnostics);
        assert!(result.is_err(), "compiles without an error");
        diagnostics.render_plain(&self.context)
    }

    /// Links an executable that runs `@main`.
    pub(crate) fn executable(&self, options: &Options, name: &str) -> PathBuf {
        let mut diagnostics = Diagnostics::new();
        let object = compile_to_executable_object(&self.ir, options, "main", &mut diagnostics)
            .unwrap_or_else(|_| panic!("{}", diagnostics.render_plain(&self.context)));
        let arch = options.target.triple().architecture;
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{arch}"));
        let link = LinkOptions {
            static_executable: !options.target.is_host(),
            ..LinkOptions::default()
        };
        link_executable(&object, &path, &options.target, &link).unwrap();
        path
    }

    /// The exit status of `@main` as a program of this machine.
    pub(crate) fn run_native(&self, name: &str) -> i32 {
        let path = self.executable(&Options::host(), name);
        Command::new(path).status().unwrap().code().unwrap()
    }

    /// The exit status of `@main` as an AArch64 program, if there are the tools to run it.
    pub(crate) fn run_aarch64(&self, name: &str) -> Option<i32> {
        let options = Options::new(aarch64());
        let emulator = aarch64_emulator()?;
        let path = self.executable(&options, name);
        let status = Command::new(emulator).arg(path).status().unwrap();
        Some(status.code().unwrap())
    }
}

pub(crate) fn aarch64() -> Target {
    "aarch64-unknown-linux-gnu".parse().unwrap()
}

/// The emulator, if AArch64 programs can be linked and run here.
pub(crate) fn aarch64_emulator() -> Option<&'static str> {
    let works = |tool: &str| {
        let output = Command::new(tool).arg("--version").output();
        output.is_ok_and(|output| output.status.success())
    };
    let reason = if !works("aarch64-linux-gnu-gcc") {
        "aarch64-linux-gnu-gcc does not run"
    } else if !works("qemu-aarch64") {
        "qemu-aarch64 does not run"
    } else if runtime_object(&aarch64()).is_none() {
        "the runtime was not built for AArch64"
    } else {
        return Some("qemu-aarch64");
    };
    eprintln!("SKIPPED: {reason}");
    None
}

/// Options for the host at each level worth testing.
pub(crate) fn host_options() -> [Options; 2] {
    [OptLevel::None, OptLevel::Default].map(|opt_level| Options {
        opt_level,
        ..Options::host()
    })
}

/// An unranked memref type.
pub(crate) fn unranked(context: &Context, element: Type) -> Type {
    context.intern_type(TypeKind::UnrankedMemRef {
        element,
        space: None,
    })
}

/// `for i in 0..n` with one carried value; `body` returns its next value.
pub(crate) fn for_loop(
    b: &mut Builder<'_>,
    n: i64,
    init: Value,
    body: impl FnOnce(&mut Builder<'_>, Value, Value) -> Value,
) -> Value {
    let zero = arith::constant_index(b, 0);
    let one = arith::constant_index(b, 1);
    let end = arith::constant_index(b, n);
    let ty = b.ir.value_type(init);
    let here = match b.insert_point() {
        freehold_frontend::ir::builder::InsertPoint::End(block) => block,
        freehold_frontend::ir::builder::InsertPoint::Before(_) => panic!("builds at the end"),
    };
    let header = b.ir.insert_block_after(here, &[Type::INDEX, ty]);
    let inside = b.ir.insert_block_after(header, &[]);
    let after = b.ir.insert_block_after(inside, &[]);
    let [i, carried] = [0, 1].map(|k| b.ir.block_args(header)[k]);
    cf::build_br(b, header, &[zero, init]);
    b.set_to_end(header);
    let predicate = arith::CmpIPredicate::Slt.to_attr(&b.context());
    let more = b.value_with_attr(
        &arith::CMPI,
        &[i, end],
        Type::I1,
        Name::PREDICATE,
        predicate,
    );
    cf::build_cond_br(b, more, (inside, &[]), (after, &[]));
    b.set_to_end(inside);
    let next = body(b, i, carried);
    let next_i = b.value(&arith::ADDI, &[i, one], Type::INDEX);
    cf::build_br(b, header, &[next_i, next]);
    b.set_to_end(after);
    carried
}
