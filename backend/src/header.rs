//! C headers: what a C or C++ program needs to call the functions of a module, to
//! define those it declares, and to read its globals.
//!
//! A function is declared in two ways. Its own symbol takes memrefs as expanded
//! descriptors; it is left out where C returns structs otherwise than MLIR's
//! convention does (see [`crate::abi`]). With `llvm.emit_c_interface` there is
//! `_mlir_ciface_f` as well, which takes pointers to descriptors and which C can
//! always call, and `f_checked`, which checks them first (`checked`).

mod checked;
mod names;

use std::fmt::Write as _;

use cranelift_codegen::ir::types;
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{FloatKind, Signedness, Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::abi::{C_INTERFACE_PREFIX, FunctionAbi, c_interface_returns_struct};
use crate::declaration::{Declaration, Label};
use crate::external::runtime_defines;
use crate::isa::Purpose;
use crate::options::{AllocMode, Options};
use crate::program::isa_for;
use crate::program::{Body, Entry, Function, Linkage, MemRefs, Program, Role};
use crate::repr::{Repr, Scalar};
use names::{c_string, comment, identifier};

/// Words that cannot be names in C or C++.
const KEYWORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char \
    class compl concept const const_cast consteval constexpr constinit continue co_await co_return \
    co_yield decltype default delete do double dynamic_cast else enum explicit export extern false \
    float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr \
    operator or or_eq private protected public register reinterpret_cast requires restrict return \
    short signed sizeof static static_assert static_cast struct switch template this thread_local \
    throw true try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t \
    while xor xor_eq";

/// What headers declare where loops run on several threads.
const THREADS: &str = "\
/* Parallel loops run on at most this many threads, the calling one among them; 0: as many as compiled for. */
void freehold_set_threads(int64_t threads);

#ifndef FREEHOLD_POOL_DEFINED
#define FREEHOLD_POOL_DEFINED
/* Calls body(context, i, j) for parts that make up the range from begin to end, on at most that many threads,
   and returns when all are done. It may be called by several threads at once, and inside of what it runs. */
typedef void (*freehold_body)(const void *context, int64_t begin, int64_t end);
typedef void (*freehold_pool)(void *host, freehold_body body, const void *context, int64_t begin,
                              int64_t end, int64_t threads);
#endif
/* Parallel loops run on this pool, to which host is handed, from now on; NULL: on threads of their own. Not to
   be called while one runs. */
void freehold_set_pool(freehold_pool pool, void *host);
";

/// Writes the C header of a module. `name` becomes part of its include guard.
///
/// # Errors
/// If symbols of the module cannot be compiled; `diagnostics` says what.
pub fn compile_to_header(
    ir: &Ir,
    options: &Options,
    name: &str,
    declarations: &[(String, Declaration)],
    diagnostics: &mut Diagnostics,
) -> Result<String, Failed> {
    let purpose = Purpose::Object {
        position_independent: options.position_independent,
    };
    let (isa, arch) = isa_for(options, purpose, ir.loc(ir.root()), diagnostics)?;
    let role = Role::only(Entry::None);
    let program = Program::new(ir, &*isa, arch, purpose, options, role, diagnostics)?;
    let mut header = Header {
        program: &program,
        context: program.context,
        descriptors: IndexMap::default(),
        names: FxHashSet::default(),
        text: String::new(),
        checked: String::new(),
        declarations,
        labels: Labels::default(),
    };
    header.declare_all();
    Ok(header.assemble(name, &options.target.to_string()))
}

/// What C calls the type of a value that is passed or returned as one.
enum CValue {
    /// A scalar type.
    Scalar(&'static str),
    /// The name of a struct or complex type.
    Struct(String),
}

impl CValue {
    fn name(&self) -> &str {
        match self {
            Self::Scalar(name) => name,
            Self::Struct(name) => name,
        }
    }
}

struct Header<'p> {
    program: &'p Program<'p>,
    context: &'p Context,
    /// Descriptor structs by name, in the order of first use.
    descriptors: IndexMap<String, String, FxBuildHasher>,
    /// Names of C that are taken.
    names: FxHashSet<String>,
    /// Declarations.
    text: String,
    /// Checked entries.
    checked: String,
    /// What functions were before passes changed them.
    declarations: &'p [(String, Declaration)],
    /// Names in the function that is being written.
    labels: Labels,
}

/// What C calls the arguments and results of a function.
#[derive(Default)]
struct Labels {
    arguments: Vec<String>,
    results: Vec<String>,
}

impl Labels {
    /// The names that the program has for them, as far as C can have them, for a function with this many arguments;
    /// memory for results comes after those that the program has.
    fn new(declaration: Option<&Declaration>, n_arguments: usize, n_results: usize) -> Self {
        let (mut arguments, mut results) = (Vec::new(), &[][..]);
        if let Some(of) = declaration {
            arguments.clone_from(&of.argument_labels);
            if of.arguments.len() == n_arguments {
                results = &of.result_labels;
            } else if of.arguments.len() + of.results.len() == n_arguments {
                arguments.resize(of.arguments.len(), Label::default());
                arguments.extend_from_slice(&of.result_labels);
            }
        }
        Self {
            arguments: c_names("a", n_arguments, &arguments),
            results: c_names("r", n_results, results),
        }
    }
}

/// Names in C, of which no two are equal; those without a label are numbered.
fn c_names(prefix: &str, n: usize, labels: &[Label]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for i in 0..n {
        let label = labels.get(i).map_or("", |label| &label.name);
        let name = identifier(label);
        let is_numbered = name.ends_with(|c: char| c.is_ascii_digit());
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_taken = KEYWORDS.split_whitespace().any(|word| word == name)
            || ["result", "message", "length"].contains(&&*name)
            || is_numbered && ["a", "r", "d", "found", "sizes", "strides"].contains(&stem)
            || name.starts_with('_')
            || names.contains(&name);
        names.push(match is_taken {
            true => format!("{prefix}{i}"),
            false => name,
        });
    }
    names
}

/// Appends a line; writing to a string cannot fail.
macro_rules! line {
    ($text:expr, $($args:tt)*) => {{ let _ = writeln!($text, $($args)*); }};
}

impl Header<'_> {
    fn declare_all(&mut self) {
        let program = self.program;
        for global in program.globals.values() {
            if global.linkage != Linkage::Local {
                self.global(global.op, global.link_name, global.linkage);
            }
        }
        let functions = || program.functions.values();
        for function in functions().filter(|function| function.linkage == Linkage::Export) {
            self.function(function);
        }
        let imports: Vec<_> = functions()
            .filter(|function| matches!(function.body, Body::Import))
            .filter(|function| !runtime_defines(&function.link_name))
            .collect();
        if !imports.is_empty() {
            line!(self.text, "\n/* To be defined by the program. */");
        }
        for function in imports {
            self.function(function);
        }
    }

    fn assemble(self, name: &str, target: &str) -> String {
        let guard = format!("FREEHOLD_{}_H", identifier(name).to_ascii_uppercase());
        let mut text = String::new();
        line!(text, "/* Made by freehold for {target}. */");
        line!(text, "#ifndef {guard}\n#define {guard}\n");
        line!(text, "#include <stdbool.h>\n#include <stdint.h>\n");
        if !self.checked.is_empty() {
            text += checked::PRELUDE;
            if !self.program.has_allocator() {
                text += checked::FREE;
            }
        }
        line!(text, "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n");
        for (name, members) in &self.descriptors {
            let guard = name.to_ascii_uppercase();
            line!(text, "#ifndef {guard}_DEFINED\n#define {guard}_DEFINED");
            line!(text, "typedef struct {{\n{members}}} {name};\n#endif\n");
        }
        if self.program.has_allocator() {
            let free = self.program.symbol_of("free");
            line!(text, "/* Frees the allocated pointers of results. */");
            if !self.names.contains(free) {
                line!(text, "void {free}(void *);");
            }
        }
        match self.program.mode {
            AllocMode::Plain => {}
            AllocMode::Counting => {
                line!(text, "/* Prints what was allocated and freed so far. */");
                line!(text, "void freehold_stats_report(bool json);");
            }
            AllocMode::Checking => {
                line!(
                    text,
                    "/* Prints leaks and other errors; 0 if there are none. */"
                );
                line!(text, "int32_t freehold_check_report(void);");
                line!(text, "void freehold_stats_report(bool json);");
            }
        }
        if self.program.threads > 1 {
            text += THREADS;
        }
        text += &self.text;
        text += &self.checked;
        line!(text, "\n#ifdef __cplusplus\n}}\n#endif\n\n#endif");
        text
    }

    /// A name of C for the symbol `link_name`, and what ties the two together
    /// where they differ.
    fn c_name(&mut self, link_name: &str) -> (String, String) {
        let mut name = identifier(link_name);
        let is_keyword = KEYWORDS.split_whitespace().any(|word| word == name);
        while (is_keyword && name == link_name) || self.names.contains(&name) {
            name.push('_');
        }
        self.names.insert(name.clone());
        let label = if name == link_name {
            String::new()
        } else {
            format!(" __asm__({})", c_string(link_name))
        };
        (name, label)
    }

    fn global(
        &mut self,
        op: freehold_frontend::ir::entities::Op,
        link_name: &str,
        linkage: Linkage,
    ) {
        let (ir, context) = (self.program.module, self.context);
        let view = memref::Global(op);
        let memref = view.memref_type(ir).and_then(|ty| context.as_memref(ty));
        let Some(memref) = memref else {
            return;
        };
        let element = self.element(memref.element);
        let ty = type_to_string(context, view.memref_type(ir).unwrap_or(Type::NONE));
        let (name, label) = self.c_name(link_name);
        let constant = if view.is_constant(ir) { "const " } else { "" };
        let defined = match linkage {
            Linkage::Import => ", to be defined by the program",
            _ => "",
        };
        line!(self.text, "\n/* {}{defined} */", comment(&ty));
        match element {
            Some(element) => {
                let sizes: String = memref.shape.iter().map(|n| format!("[{n}]")).collect();
                line!(
                    self.text,
                    "extern {constant}{element} {name}{sizes}{label};"
                );
            }
            None => line!(self.text, "extern {constant}char {name}[]{label};"),
        }
    }

    fn function(&mut self, function: &Function<'_>) {
        let (inputs, results) = (function.inputs, function.results);
        let ty = {
            let list = |types: &[Type]| {
                let types: Vec<_> = (types.iter())
                    .map(|&ty| type_to_string(self.context, ty))
                    .collect();
                types.join(", ")
            };
            format!("({}) -> ({})", list(inputs), list(results))
        };
        if function.link_name == "main" {
            // C has a type of its own for it, and the program that includes this has its own.
            line!(
                self.text,
                "\n/* {}{}: for executables */",
                function.link_name,
                comment(&ty)
            );
            return;
        }
        let (name, label) = self.c_name(&function.link_name);
        line!(self.text, "\n/* {}{} */", function.link_name, comment(&ty));
        if let Body::Definition(ir) = function.body {
            self.donated_arguments(ir);
            self.workspace(ir, &name);
        }
        let is_c_interface = function.memrefs == MemRefs::CInterface;
        let symbol = (function.link_name)
            .strip_prefix(C_INTERFACE_PREFIX)
            .unwrap_or(&function.link_name);
        let known = self.declarations.iter().find(|(name, _)| name == symbol);
        let declaration = known.map(|(_, declaration)| declaration);
        self.labels = Labels::new(declaration, inputs.len(), results.len());
        let mut params = Vec::new();
        let mut needs_f16 = false;
        let returned = if is_c_interface && c_interface_returns_struct(self.context, results) {
            self.results_struct(&name, results).map(|result| {
                params.push(format!("{} *result", result.name()));
                "void".to_owned()
            })
        } else {
            self.returned(&name, results, &function.abi)
        };
        let mut callable = returned.is_some();
        for (i, &input) in inputs.iter().enumerate() {
            let name = self.labels.arguments[i].clone();
            let pointee = match function.memrefs {
                _ if !self.context.is_memref(input) => None,
                MemRefs::Expanded => None,
                MemRefs::CInterface => self.descriptor(input),
                MemRefs::Bare => {
                    let element = self.context.element_type_or_self(input);
                    Some(self.element(element).unwrap_or("void").to_owned())
                }
            };
            callable &= match pointee {
                Some(pointee) => {
                    params.push(format!("{pointee} *{name}"));
                    true
                }
                None => self.expanded(input, &name, &mut params),
            };
        }
        for &ty in inputs.iter().chain(results) {
            needs_f16 |= ty == Type::F16;
        }
        let Some(returned) = returned.filter(|_| callable) else {
            line!(
                self.text,
                "/* C cannot call this symbol: its results or scalars travel in other registers. */"
            );
            return;
        };
        let params = match params.is_empty() {
            true => "void".to_owned(),
            false => params.join(", "),
        };
        if needs_f16 {
            line!(self.text, "#ifdef __FLT16_MAX__");
        }
        line!(self.text, "{returned} {name}({params}){label};");
        if needs_f16 {
            line!(self.text, "#endif");
        }
        if is_c_interface && function.linkage == Linkage::Export {
            self.checked_entry(function, &name);
        }
    }

    /// Which results are in memory that the caller passes.
    fn donated_arguments(&mut self, ir: &Ir) {
        let attrs = ir.attr(ir.root(), Name::ARG_ATTRS);
        let attrs = attrs.and_then(|attrs| self.context.attr_array(attrs));
        for (argument, &attrs) in attrs.unwrap_or_default().iter().enumerate() {
            let AttrKind::Dictionary(attrs) = *self.context.attr_kind(attrs) else {
                continue;
            };
            let result = self.context.dict_get(attrs, Name::RESULT_IN_ARGUMENT);
            if let Some(result) = result.and_then(|attr| self.context.attr_integer(attr)) {
                line!(
                    self.text,
                    "/* Result {result} is in the memory of argument {argument}, and not to be freed. */"
                );
            }
        }
    }

    /// What the function called `name` wants of its workspace, if it has one.
    fn workspace(&mut self, ir: &Ir, name: &str) {
        let number = |attr| {
            let attr = ir.attr(ir.root(), attr)?;
            self.context.attr_integer(attr)
        };
        let rows = [
            ("BYTES", number(Name::WORKSPACE_BYTES)),
            ("ALIGNMENT", number(Name::WORKSPACE_ALIGNMENT)),
        ];
        for (what, number) in rows {
            if let Some(number) = number {
                let (name, _) =
                    self.c_name(&format!("{}_WORKSPACE_{what}", name.to_ascii_uppercase()));
                line!(self.text, "#define {name} {number}");
            }
        }
    }

    /// The C type that `f` with these results returns, if C agrees with MLIR's
    /// convention on where they are.
    fn returned(&mut self, name: &str, results: &[Type], abi: &FunctionAbi) -> Option<String> {
        match results {
            [] => return Some("void".to_owned()),
            [result] => {
                if let Repr::Scalar(scalar) = Repr::of(self.context, *result)? {
                    return self.scalar(*result, scalar).map(str::to_owned);
                }
            }
            _ => {}
        }
        // In memory on both sides, or in two registers of one kind.
        let in_memory = abi.indirect && abi.results_size > 16;
        let in_two_registers = match abi.results.as_slice() {
            [a, b] => a.ty == b.ty && matches!(a.ty, types::I64 | types::F64),
            _ => false,
        };
        if !in_memory && !in_two_registers {
            return None;
        }
        let result = self.results_struct(name, results)?;
        Some(result.name().to_owned())
    }

    /// The type of all results together: a struct unless there is just one.
    fn results_struct(&mut self, name: &str, results: &[Type]) -> Option<CValue> {
        if let [result] = results {
            return self.value(*result);
        }
        let mut members = String::new();
        for (i, &result) in results.iter().enumerate() {
            let value = self.value(result)?;
            line!(members, "  {} {};", value.name(), self.labels.results[i]);
        }
        let struct_name = format!("{name}_results");
        line!(self.text, "typedef struct {{\n{members}}} {struct_name};");
        Some(CValue::Struct(struct_name))
    }

    /// The type of a result.
    fn value(&mut self, ty: Type) -> Option<CValue> {
        match Repr::of(self.context, ty)? {
            Repr::Scalar(scalar) => self.scalar(ty, scalar).map(CValue::Scalar),
            Repr::Complex(_) => self.element(ty).map(CValue::Scalar),
            Repr::Vector(_) | Repr::Aggregate(_) => None,
            Repr::MemRef(_) | Repr::UnrankedMemRef => self.descriptor(ty).map(CValue::Struct),
        }
    }

    /// Appends the parameters that an argument of type `ty` is passed in.
    fn expanded(&mut self, ty: Type, name: &str, params: &mut Vec<String>) -> bool {
        match Repr::of(self.context, ty) {
            None | Some(Repr::Vector(_) | Repr::Aggregate(_)) => return false,
            Some(Repr::Scalar(scalar)) => match self.scalar(ty, scalar) {
                Some(scalar) => params.push(format!("{scalar} {name}")),
                None => return false,
            },
            Some(Repr::Complex(part)) => match self.scalar(Type::NONE, part) {
                Some(part) => {
                    params.push(format!("{part} {name}_re"));
                    params.push(format!("{part} {name}_im"));
                }
                None => return false,
            },
            Some(Repr::UnrankedMemRef) => {
                params.push(format!("int64_t {name}_rank"));
                params.push(format!("void *{name}_descriptor"));
            }
            Some(Repr::MemRef(layout)) => {
                let element = self.element(layout.element).unwrap_or("void");
                params.push(format!("{element} *{name}_allocated"));
                params.push(format!("{element} *{name}_aligned"));
                params.push(format!("int64_t {name}_offset"));
                for field in ["size", "stride"] {
                    params.extend((0..layout.rank()).map(|i| format!("int64_t {name}_{field}{i}")));
                }
            }
        }
        true
    }

    /// The name of the struct that describes memrefs of this type.
    fn descriptor(&mut self, ty: Type) -> Option<String> {
        let (element, rank) = match self.context.type_kind(ty) {
            TypeKind::MemRef(memref) => (memref.element, Some(memref.rank())),
            TypeKind::UnrankedMemRef { element, .. } => (*element, None),
            _ => return None,
        };
        let c_element = self.element(element);
        let element_name = match c_element {
            Some(_) => identifier(&type_to_string(self.context, element)),
            None => "any".to_owned(),
        };
        let element_name = element_name.trim_end_matches('_');
        let c_element = c_element.unwrap_or("void");
        let mut members = String::new();
        let name = match rank {
            None => {
                line!(members, "  int64_t rank;\n  void *descriptor;");
                "freehold_unranked_memref".to_owned()
            }
            Some(rank) => {
                line!(
                    members,
                    "  {c_element} *allocated;\n  {c_element} *aligned;"
                );
                line!(members, "  int64_t offset;");
                if rank > 0 {
                    line!(
                        members,
                        "  int64_t sizes[{rank}];\n  int64_t strides[{rank}];"
                    );
                }
                format!("freehold_memref_{element_name}_{rank}d")
            }
        };
        self.descriptors.entry(name.clone()).or_insert(members);
        Some(name)
    }

    /// The C type of a scalar that is passed or returned; `bf16` has none that
    /// all compilers know.
    fn scalar(&self, ty: Type, scalar: Scalar) -> Option<&'static str> {
        match scalar {
            Scalar::Float(FloatKind::F16) => Some("_Float16"),
            Scalar::Float(FloatKind::BF16) => None,
            _ => Some(self.in_memory(ty, scalar)),
        }
    }

    /// The C type of a scalar in memory.
    fn in_memory(&self, ty: Type, scalar: Scalar) -> &'static str {
        let is_unsigned = matches!(
            self.context.type_kind(ty),
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            }
        );
        match (scalar, is_unsigned) {
            (Scalar::Function, _) => "void *",
            (Scalar::Int(1), _) => "bool",
            (Scalar::Float(FloatKind::F32), _) => "float",
            (Scalar::Float(FloatKind::F64), _) => "double",
            (Scalar::Float(kind), _) if kind.width() == 8 => "uint8_t",
            (Scalar::Float(_), _) => "uint16_t",
            (Scalar::Int(0..=8), false) => "int8_t",
            (Scalar::Int(0..=8), true) => "uint8_t",
            (Scalar::Int(9..=16), false) => "int16_t",
            (Scalar::Int(9..=16), true) => "uint16_t",
            (Scalar::Int(17..=32), false) => "int32_t",
            (Scalar::Int(17..=32), true) => "uint32_t",
            (Scalar::Int(33..=64), false) => "int64_t",
            (Scalar::Int(33..=64), true) => "uint64_t",
            (Scalar::Int(_), false) => "__int128",
            (Scalar::Int(_), true) => "unsigned __int128",
        }
    }

    /// The C type of an element of a memref, if C has one.
    fn element(&self, ty: Type) -> Option<&'static str> {
        match Repr::of(self.context, ty)? {
            Repr::Scalar(scalar) => Some(self.in_memory(ty, scalar)),
            Repr::Complex(Scalar::Float(FloatKind::F32)) => Some("float _Complex"),
            Repr::Complex(Scalar::Float(FloatKind::F64)) => Some("double _Complex"),
            _ => None,
        }
    }
}
