//! `one-shot-bufferize`: tensors become buffers, and operations on tensors
//! become operations on memory.
//!
//! Before:
//! ```mlir
//! func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
//!   %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```
//! After (with `bufferize-function-boundaries`):
//! ```mlir
//! func.func @f(%t: memref<4xf32, strided<[?], offset: ?>>, %x: f32, %i: index) -> memref<4xf32> {
//!   %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
//!   memref.copy %t, %0 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
//!   memref.store %x, %0[%i] : memref<4xf32>
//!   return %0 : memref<4xf32>
//! }
//! ```
//!
//! What functions return is a new buffer, row-major, that the caller owns;
//! what they take is only read unless it is `bufferization.writable`. Bodiless
//! functions are taken to write what they take unless `bufferization.access`
//! says `"read"` or `"none"`; then they get a copy if anyone looks at it
//! later. Loops and branches carry row-major buffers. Where a buffer in another
//! layout is wanted, it is copied, unless a cast is enough. Unranked buffers may
//! have any layout wherever they are.
//!
//! Unknown operations (`allow-unknown-ops`, `dialect-filter`) keep their tensors. What they were given may live on in their
//! results, so nothing is written to it afterwards; upstream writes.
//!
//! Unlike upstream, `to_tensor` without `restrict` is accepted: it copies. So are arithmetic on whole tensors, as
//! `convert-elementwise-to-linalg` makes it, and `pack` and `unpack`, as `decompose-tensor-ops` takes them apart.

use freehold_frontend::dialects::{arith, memref};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type, TypeKind};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::in_place::{Decisions, decide, is_tensor, is_tensor_type, mentions_tensor};
use super::move_reads::move_reads;
use super::reuse_inputs::reuse_inputs;
use super::rewrite::{Rewriter, in_dominance_order};
use super::spaces::{DefaultSpace, Space, Spaces};
use super::{annotate, convert_elementwise_to_linalg, create_deallocs};
use crate::manage::options::{option_words, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::packing;
use crate::rewrite::signature::Signature;
use crate::rewrite::unreachable_blocks::erase_unreachable_blocks;

/// The dialects of which this pass knows every operation on tensors that is not an error.
const KNOWN_DIALECTS: [&str; 9] = [
    "arith",
    "bufferization",
    "cf",
    "func",
    "iree_linalg_ext",
    "linalg",
    "scf",
    "tensor",
    "vector",
];

option_words! {
    /// Which layouts the arguments of functions may have.
    pub enum BoundaryLayout {
        /// Any.
        InferLayoutMap = "infer-layout-map",
        /// They are row-major.
        IdentityLayoutMap = "identity-layout-map",
        /// Any, and results may have any, too.
        FullyDynamicLayoutMap = "fully-dynamic-layout-map",
    }
}

option_words! {
    /// Which layouts the buffers of unknown operations have.
    pub enum UnknownLayout {
        /// Any.
        FullyDynamicLayoutMap = "fully-dynamic-layout-map",
        /// They are row-major.
        IdentityLayoutMap = "identity-layout-map",
    }
}

option_words! {
    /// In which order upstream decides.
    pub enum Heuristic {
        /// From the end.
        BottomUp = "bottom-up",
        /// From the end of each region.
        BottomUpFromTerminators = "bottom-up-from-terminators",
        /// In an order that `analysis-fuzzer-seed` gives.
        Fuzzer = "fuzzer",
        /// From the beginning.
        TopDown = "top-down",
    }
}

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// accepted; loops may always carry new buffers
        "allow-return-allocs-from-loops" allow_return_allocs_from_loops: bool = true,
        /// keep operations on tensors that this pass does not know, between to_tensor and to_memref
        "allow-unknown-ops" allow_unknown_ops: bool = false,
        /// accepted; decisions do not depend on an order
        "analysis-fuzzer-seed" analysis_fuzzer_seed: u32 = 0,
        /// accepted; decisions do not depend on an order
        "analysis-heuristic" analysis_heuristic: Heuristic = Heuristic::BottomUp,
        /// alignment of new buffers in bytes, 0 for none
        "buffer-alignment" buffer_alignment: u32 = 64,
        /// bufferize arguments and results of functions as well
        "bufferize-function-boundaries" bufferize_function_boundaries: bool = false,
        /// accepted; iterations of parallel loops never write what others read
        "check-parallel-regions" check_parallel_regions: bool = true,
        /// write to no buffer that is there already
        "copy-before-write" copy_before_write: bool = false,
        /// free new buffers at the end of their block, if no other block and no caller may know them
        "create-deallocs" create_deallocs: bool = false,
        /// bufferize operations of these dialects only; keep others as unknown ones
        "dialect-filter" dialect_filter: Vec<String> = Vec::new(),
        /// with `test-analysis-only`: also say which tensors may be in one buffer
        "dump-alias-sets" dump_alias_sets: bool = false,
        /// whether arguments of functions may have any layout or are row-major
        "function-boundary-type-conversion" function_boundary_type_conversion: BoundaryLayout =
            BoundaryLayout::InferLayoutMap,
        /// move operations that read a tensor before those that could otherwise overwrite it
        "move-reads" move_reads: bool = false,
        /// an error where nothing says in which memory space a buffer is; otherwise it is in the default one
        "must-infer-memory-space" must_infer_memory_space: bool = false,
        /// write to no buffer that is there already in these functions
        "no-analysis-func-filter" no_analysis_func_filter: Vec<String> = Vec::new(),
        /// with `test-analysis-only`: also say which reads and writes are in the way of each other
        "print-conflicts" print_conflicts: bool = false,
        /// let structured operations overwrite inputs without later uses
        "reuse-inputs" reuse_inputs: bool = false,
        /// only say, in attributes, which operands are written in place
        "test-analysis-only" test_analysis_only: bool = false,
        /// whether buffers of unknown operations may have any layout or are row-major
        "unknown-type-conversion" unknown_type_conversion: UnknownLayout =
            UnknownLayout::FullyDynamicLayoutMap,
        /// the encodings of tensor types are memory spaces of their buffers
        "use-encoding-for-memory-space" use_encoding_for_memory_space: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "one-shot-bufferize",
    summary: "bufferize tensors, in place where that cannot be observed",
    anchor: Anchor::Module,
    run,
};

/// The module around a function, and the options.
pub(super) struct Environment {
    /// Whether functions take and return buffers.
    pub(super) function_boundaries: bool,
    /// Whether buffers that functions take have any strides.
    any_layout: bool,
    /// Whether buffers that functions return have any strides.
    pub(super) any_result_layout: bool,
    /// Whether buffers of unknown operations have any strides.
    any_unknown_layout: bool,
    /// Whether unknown operations stay.
    allows_unknown: bool,
    /// The only dialects whose operations are rewritten, if not all are.
    filter: Vec<String>,
    /// Alignment of new buffers and of constants, in bytes, if they have one.
    pub(super) alignment: Option<i64>,
    /// Functions in which every write gets a copy.
    without_analysis: Vec<String>,
    /// The same for all functions.
    copies_always: bool,
    /// Whether decisions say what was in the way.
    pub(super) prints_conflicts: bool,
    /// Whether sets of tensors in one buffer are written down.
    pub(super) dumps_alias_sets: bool,
    /// Whether buffers that stay in their block are freed.
    creates_deallocs: bool,
    /// Whether operations that read go before those that could overwrite what they read.
    moves_reads: bool,
    /// Whether structured operations overwrite inputs without later uses.
    reuse_inputs: bool,
    /// The memory space of a buffer of which nothing says where it is.
    pub(super) spaces: DefaultSpace,
    /// By function: which arguments it writes to.
    written: FxHashMap<String, Vec<bool>>,
    /// The globals that hold constants.
    globals: IndexMap<Attr, String, FxBuildHasher>,
}

impl Environment {
    /// Whether the operations of this dialect may be rewritten.
    pub(super) fn concerns(&self, dialect: &str) -> bool {
        dialect == "func"
            || self.filter.is_empty()
            || self.filter.iter().any(|known| known == dialect)
    }

    /// Whether `op` stays an operation on tensors.
    pub(super) fn is_unknown(&self, ir: &Ir, op: Op) -> bool {
        if !self.allows_unknown || op == ir.root() {
            return false;
        }
        let name = ir.op_name(op);
        let dialect = name.split('.').next().unwrap_or(name);
        if KNOWN_DIALECTS.contains(&dialect) && self.concerns(dialect) {
            return false;
        }
        let touches = |values: &[Value]| values.iter().any(|&value| is_tensor(ir, value));
        let in_region = |&region| {
            ir.blocks_in(region)
                .any(|block| touches(ir.block_args(block)))
        };
        touches(ir.operands(op)) || touches(ir.results(op)) || ir.regions(op).iter().any(in_region)
    }

    /// The row-major type of the buffer of a tensor of type `ty` of which nothing says in which memory space it is; `None` if
    /// that is an error.
    fn default_type(&self, context: &Context, ty: Type) -> Option<Type> {
        row_major(context, ty, self.spaces.of(context, ty)?)
    }

    /// The same with any strides, if `is_any_layout`.
    fn boundary_type(&self, context: &Context, ty: Type, is_any_layout: bool) -> Option<Type> {
        let identity = self.default_type(context, ty)?;
        match context.as_memref(identity) {
            Some(memref) if is_any_layout => Some(any_layout(context, memref)),
            _ => Some(identity),
        }
    }

    /// The type of the buffer that a function returns for a result of type `ty`.
    pub(super) fn result_type(&self, context: &Context, ty: Type) -> Option<Type> {
        self.boundary_type(context, ty, self.any_result_layout)
    }

    /// The type of the buffer of a result of an unknown operation, of type `ty`.
    pub(super) fn unknown_type(&self, context: &Context, ty: Type) -> Option<Type> {
        self.boundary_type(context, ty, self.any_unknown_layout)
    }

    /// The type of the buffer that a function takes for an argument of type `ty`.
    pub(super) fn argument_type(&self, context: &Context, ty: Type) -> Option<Type> {
        self.boundary_type(context, ty, self.any_layout)
    }

    /// Which arguments the function called `name` writes to.
    pub(super) fn written(&self, name: &str) -> &[bool] {
        self.written.get(name).map_or(&[], |written| written)
    }

    /// The global that holds the constant `value`.
    pub(super) fn global(&self, value: Attr) -> Option<&str> {
        self.globals.get(&value).map(String::as_str)
    }
}

/// The row-major buffer type of a tensor, or of the tensor in a buffer, in a memory space.
pub(super) fn row_major(context: &Context, ty: Type, space: Space) -> Option<Type> {
    let ranked = |shape, element| {
        let memref = MemRefType::identity(shape, element);
        Some(context.memref_type(MemRefType { space, ..memref }))
    };
    match context.type_kind(ty) {
        TypeKind::RankedTensor { shape, element, .. } => ranked(shape, *element),
        TypeKind::MemRef(memref) => ranked(&memref.shape, memref.element),
        TypeKind::UnrankedTensor(element) | TypeKind::UnrankedMemRef { element, .. } => {
            Some(context.intern_type(TypeKind::UnrankedMemRef {
                element: *element,
                space,
            }))
        }
        _ => None,
    }
}

/// A type like `memref` with strides and offset that are not known.
pub(super) fn any_layout(context: &Context, memref: &MemRefType) -> Type {
    let strides = vec![DYNAMIC; memref.rank()];
    context.memref_type(memref::types::strided_memref(
        context,
        &memref.shape,
        memref.element,
        DYNAMIC,
        &strides,
        memref.space,
    ))
}

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    if let Some(message) = contradiction(context.options) {
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    }
    run_on_module(ir, context.options, &mut context.diagnostics)
}

/// The error in the options.
fn contradiction(options: &Options) -> Option<String> {
    let alignment = options.buffer_alignment;
    if alignment != 0 && !alignment.is_power_of_two() {
        return Some(format!(
            "buffer-alignment is {alignment}, which is no power of 2"
        ));
    }
    let message = if options.must_infer_memory_space && options.use_encoding_for_memory_space {
        "only one of 'must-infer-memory-space' and 'use-encoding-for-memory-space' are allowed in one-shot-bufferize"
    } else if options.print_conflicts && !options.test_analysis_only {
        "Invalid option: 'print-conflicts' requires 'test-analysis-only'"
    } else if options.dump_alias_sets && !options.test_analysis_only {
        "Invalid option: 'dump-alias-sets' requires 'test-analysis-only'"
    } else if options.copy_before_write && options.test_analysis_only {
        "Invalid option: 'copy-before-write' cannot be used with 'test-analysis-only'"
    } else if !options.no_analysis_func_filter.is_empty() && !options.bufferize_function_boundaries
    {
        "Invalid option: 'no-analysis-func-filter' requires 'bufferize-function-boundaries'"
    } else {
        return None;
    };
    Some(message.to_owned())
}

fn run_on_module(
    ir: &mut Ir,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            run_on_module(nested, options, diagnostics)?;
        }
    }
    let mut environment = Environment {
        function_boundaries: options.bufferize_function_boundaries,
        any_layout: options.function_boundary_type_conversion != BoundaryLayout::IdentityLayoutMap,
        any_result_layout: options.function_boundary_type_conversion
            == BoundaryLayout::FullyDynamicLayoutMap,
        any_unknown_layout: options.unknown_type_conversion == UnknownLayout::FullyDynamicLayoutMap,
        allows_unknown: options.allow_unknown_ops || !options.dialect_filter.is_empty(),
        filter: options.dialect_filter.clone(),
        alignment: (options.buffer_alignment > 0).then(|| i64::from(options.buffer_alignment)),
        without_analysis: options.no_analysis_func_filter.clone(),
        copies_always: options.copy_before_write,
        prints_conflicts: options.print_conflicts,
        dumps_alias_sets: options.dump_alias_sets,
        creates_deallocs: options.create_deallocs,
        moves_reads: options.move_reads,
        reuse_inputs: options.reuse_inputs,
        spaces: match (
            options.must_infer_memory_space,
            options.use_encoding_for_memory_space,
        ) {
            (true, _) => DefaultSpace::Unknown,
            (false, true) => DefaultSpace::Encoding,
            (false, false) => DefaultSpace::Zero,
        },
        written: FxHashMap::default(),
        globals: IndexMap::default(),
    };
    if options.bufferize_function_boundaries {
        check_spaces(ir, &environment, diagnostics)?;
        let written = functions(ir).filter_map(|function| {
            let name = function.symbol_name(function.root())?;
            Some((name.to_owned(), written_arguments(function)?))
        });
        environment.written = written.collect();
    }
    if environment.concerns("arith") {
        name_constants(ir, &mut environment);
    }
    let environment = &environment;
    if options.test_analysis_only {
        let mut counters = annotate::Counters::default();
        for stub in functions::functions(ir) {
            let function = ir.nested_mut(stub);
            let Some(function) = function.filter(|function| mentions_tensors(function)) else {
                continue;
            };
            let decisions = analyze(function, environment);
            annotate::annotate(function, environment, &decisions, &mut counters);
        }
        return Ok(());
    }
    let outcomes = functions::map_functions(ir, |function| {
        let mut diagnostics = Diagnostics::new();
        let outcome = bufferize_function(function, environment, &mut diagnostics);
        (outcome, diagnostics)
    });
    let mut result = Ok(());
    for (outcome, reports) in outcomes {
        diagnostics.append(reports);
        result = result.and(outcome);
    }
    if options.bufferize_function_boundaries {
        result = result.and(change_signatures(ir, environment, diagnostics));
    }
    result?;
    add_globals(ir, environment);
    Ok(())
}

fn functions(ir: &Ir) -> impl Iterator<Item = &Ir> {
    let stubs = functions::functions(ir);
    stubs.into_iter().filter_map(|stub| ir.nested(stub))
}

/// Reports the first function that takes or returns a tensor without a memory space.
fn check_spaces(
    ir: &Ir,
    environment: &Environment,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let context = ir.context();
    let is_open = |&(ty, _): &(Type, _)| {
        is_tensor_type(context, ty) && environment.spaces.of(context, ty).is_none()
    };
    for function in functions(ir) {
        let Some(signature) = Signature::of(function, function.root()) else {
            continue;
        };
        if signature
            .inputs
            .iter()
            .chain(&signature.results)
            .any(is_open)
        {
            let message = "could not infer memory space";
            return Err(diagnostics.error(function.loc(function.root()), message));
        }
    }
    Ok(())
}

/// Which arguments the function may write to, as its attributes say.
fn written_arguments(function: &Ir) -> Option<Vec<bool>> {
    let context = function.context();
    let signature = Signature::of(function, function.root())?;
    let has_body = function.root_block().is_some();
    let writable = Name::BUFFERIZATION_WRITABLE;
    let access = context.intern_name("bufferization.access");
    let written = |&(_, attrs): &(Type, _)| {
        if has_body {
            return context.dict_get(attrs, writable) == Some(Attr::TRUE);
        }
        let access = context.dict_get(attrs, access);
        let access = access.and_then(|attr| context.attr_string(attr));
        !matches!(access, Some("read" | "none"))
    };
    Some(signature.inputs.iter().map(written).collect())
}

/// Finds the constants of tensor type and names their globals.
fn name_constants(ir: &Ir, environment: &mut Environment) {
    let symbols = SymbolTable::of(ir);
    let context = ir.context();
    let mut taken: FxHashMap<String, ()> = FxHashMap::default();
    let is_taken = |name: &str, taken: &FxHashMap<String, ()>| {
        taken.contains_key(name) || symbols.get(name).is_some()
    };
    for function in functions(ir) {
        for op in function.walk(function.root()) {
            if !function.is(op, &arith::CONSTANT) || !is_tensor(function, function.result(op, 0)) {
                continue;
            }
            let Some(value) = function.attr(op, Name::VALUE) else {
                continue;
            };
            if environment.globals.contains_key(&value) {
                continue;
            }
            let ty = function.value_type(function.result(op, 0));
            let shape = context.shape(ty).unwrap_or(&[]);
            let mut base = "__constant_".to_owned();
            for size in shape {
                base.push_str(&format!("{size}x"));
            }
            let element = context.element_type_or_self(ty);
            base.push_str(&freehold_frontend::syntax::printer::type_to_string(
                context, element,
            ));
            // What does not belong into a name: complex<f32>.
            base.retain(|c| c.is_ascii_alphanumeric() || c == '_');
            let mut name = base.clone();
            let mut n = 0;
            while is_taken(&name, &taken) {
                name = format!("{base}_{n}");
                n += 1;
            }
            taken.insert(name.clone(), ());
            environment.globals.insert(value, name);
        }
    }
}

/// Puts the globals at the beginning of the module.
fn add_globals(ir: &mut Ir, environment: &Environment) {
    let context = ir.context().clone();
    let Some(block) = ir.root_block() else {
        return;
    };
    let loc = ir.loc(ir.root());
    for (&value, name) in environment.globals.iter().rev() {
        let ty = context.attr_carried_type(value);
        let Some(ty) = ty.and_then(|ty| environment.default_type(&context, ty)) else {
            continue;
        };
        let value = without_encoding(&context, value);
        let mut spec = OpSpec::new(&memref::GLOBAL, loc)
            .attr(Name::SYM_NAME, context.string_attr(name))
            .attr(Name::SYM_VISIBILITY, context.string_attr("private"))
            .attr(Name::TYPE, context.type_attr(ty))
            .attr(Name::INITIAL_VALUE, value)
            .attr(Name::CONSTANT, Attr::UNIT);
        if let Some(alignment) = environment.alignment {
            spec.set_attr(Name::ALIGNMENT, context.i64_attr(alignment));
        }
        let global = ir.create_op(spec);
        ir.prepend_op(block, global);
    }
}

/// Elements of a tensor without encoding, as those of globals are.
fn without_encoding(context: &Context, value: Attr) -> Attr {
    let AttrKind::DenseElements(elements) = context.attr_kind(value) else {
        return value;
    };
    let TypeKind::RankedTensor {
        shape,
        element,
        encoding: Some(_),
    } = context.type_kind(elements.ty)
    else {
        return value;
    };
    let ty = TypeKind::RankedTensor {
        shape: shape.clone(),
        element: *element,
        encoding: None,
    };
    context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty: context.intern_type(ty),
        ..elements.clone()
    }))
}

fn bufferize_function(
    ir: &mut Ir,
    environment: &Environment,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    if !mentions_tensors(ir) {
        return Ok(());
    }
    let decisions = analyze(ir, environment);
    let order = in_dominance_order(ir);
    let keeps = |op| environment.is_unknown(ir, op);
    let spaces = Spaces::infer(ir, environment.spaces, &order, keeps)
        .map_err(|missing| diagnostics.error(ir.loc(missing.op), missing.message))?;
    let rewriter = Rewriter::new(ir, environment, &decisions, &spaces);
    let allocations = rewriter.run(&order, diagnostics)?;
    if environment.creates_deallocs {
        create_deallocs::free_local_buffers(ir, &allocations);
    }
    Ok(())
}

/// Decides which operands are used in place.
fn analyze(ir: &mut Ir, environment: &Environment) -> Decisions {
    erase_unreachable_blocks(ir);
    if environment.concerns("arith") && environment.concerns("linalg") {
        convert_elementwise_to_linalg::convert_all(ir);
    }
    if environment.concerns("tensor") && environment.concerns("linalg") {
        packing::decompose_all(ir);
    }
    let name = ir.symbol_name(ir.root()).unwrap_or_default();
    let analyzes = !environment.copies_always
        && !environment
            .without_analysis
            .iter()
            .any(|function| function == name);
    let writable = environment.written(name).to_vec();
    if environment.moves_reads && analyzes {
        move_reads(ir, environment, &writable);
    }
    if environment.reuse_inputs && analyzes {
        reuse_inputs(ir, environment, &writable);
    }
    let mut decisions = decide(ir, environment, &writable);
    if !analyzes {
        decisions.take_nothing();
    }
    decisions
}

/// Whether any value of the function has to do with tensors.
fn mentions_tensors(ir: &Ir) -> bool {
    let in_values = |values: &[Value]| {
        values
            .iter()
            .any(|&v| mentions_tensor(ir.context(), ir.value_type(v)))
    };
    ir.walk(ir.root()).any(|op| {
        let in_region = |&region| ir.blocks_in(region).any(|b| in_values(ir.block_args(b)));
        in_values(ir.operands(op))
            || in_values(ir.results(op))
            || ir.regions(op).iter().any(in_region)
    })
}

/// Gives all functions, with bodies or without, the types of their buffers.
fn change_signatures(
    ir: &mut Ir,
    environment: &Environment,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let context = ir.context().clone();
    for stub in functions::functions(ir) {
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        let root = function.root();
        let Some(mut signature) = Signature::of(function, root) else {
            continue;
        };
        let is_tensor_type = |ty| is_tensor_type(&context, ty);
        let types = signature.inputs.iter().chain(&signature.results);
        if !types.into_iter().any(|&(ty, _)| is_tensor_type(ty)) {
            continue;
        }
        if function.root_block().is_none()
            && signature.results.iter().any(|&(ty, _)| is_tensor_type(ty))
        {
            let message = "cannot bufferize bodiless function that returns a tensor";
            return Err(diagnostics.error(function.loc(root), message));
        }
        for (ty, attrs) in &mut signature.inputs {
            if is_tensor_type(*ty)
                && let Some(buffer) = environment.argument_type(&context, *ty)
            {
                *ty = buffer;
                let kept = context
                    .dict(*attrs)
                    .iter()
                    .copied()
                    .filter(|&(name, _)| !context.name(name).starts_with("bufferization."));
                *attrs = context.intern_dict(kept.collect());
            }
        }
        for (ty, _) in &mut signature.results {
            if is_tensor_type(*ty)
                && let Some(buffer) = environment.result_type(&context, *ty)
            {
                *ty = buffer;
            }
        }
        signature.store(function, root);
    }
    Ok(())
}
