//! From a program as a caller passes it to code.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use freehold::frontend::ir::attrs::AttrKind;
use freehold::frontend::ir::context::Context;
use freehold::frontend::ir::data::Ir;
use freehold::frontend::ir::entities::Op;
use freehold::frontend::ir::names::Name;
use freehold::frontend::ir::types::{Type, TypeKind};
use freehold::passes::stablehlo::{
    platform, stablehlo_call_host, stablehlo_collectives_on_host, stablehlo_partition,
};
use freehold::threads::compilers;
use freehold::{Job, Module, OptionError, Options};

use crate::abi::{self, ClientCompile, Compile, ExecutableDeserializeAndLoad, Handle};
use crate::client::{Kind, Machine};
use crate::cost::Costs;
use crate::element::Element;
use crate::executable::{
    self, Argument, Array, ENTRY, Executable, Loaded, Output, Program, Shared,
};
use crate::host;
use crate::proto::{self, Field};
use crate::status::{Code, Status};

/// What a message `CompileOptionsProto` says.
#[derive(Default)]
struct CompileOptions {
    replicas: u64,
    partitions: u64,
    /// The devices of the first replica of each computation.
    devices: Vec<u64>,
    /// Options of the compiler by name.
    overrides: Vec<(String, String)>,
}

impl CompileOptions {
    /// Replicas, and partitions of each.
    fn counts(&self) -> [usize; 2] {
        [self.replicas, self.partitions].map(|n| n.max(1) as usize)
    }

    fn read(bytes: &[u8]) -> Result<Self, Status> {
        let mut options = Self::default();
        for (number, field) in proto::fields(bytes)? {
            match number {
                3 => options.read_build(field.bytes())?,
                7 => options.overrides.push(read_override(field.bytes())?),
                _ => {}
            }
        }
        Ok(options)
    }

    /// `ExecutableBuildOptionsProto`.
    fn read_build(&mut self, bytes: &[u8]) -> Result<(), Status> {
        for (number, field) in proto::fields(bytes)? {
            match number {
                4 => self.replicas = field.number(),
                5 => self.partitions = field.number(),
                9 => self.read_assignment(field.bytes())?,
                _ => {}
            }
        }
        Ok(())
    }

    /// `DeviceAssignmentProto`.
    fn read_assignment(&mut self, bytes: &[u8]) -> Result<(), Status> {
        for (number, field) in proto::fields(bytes)? {
            if number != 3 {
                continue;
            }
            for (number, field) in proto::fields(field.bytes())? {
                if number == 1 {
                    proto::numbers(field, &mut self.devices);
                }
            }
        }
        Ok(())
    }
}

/// An entry of `env_option_overrides`.
fn read_override(bytes: &[u8]) -> Result<(String, String), Status> {
    let (mut name, mut value) = (String::new(), String::new());
    for (number, field) in proto::fields(bytes)? {
        match number {
            1 => name = field.text(),
            2 => {
                for (kind, field) in proto::fields(field.bytes())? {
                    value = match (kind, field) {
                        (1, _) => field.text(),
                        (2, _) => (field.number() != 0).to_string(),
                        (3, _) => (field.number() as i64).to_string(),
                        (_, Field::Double(number)) => number.to_string(),
                        _ => String::new(),
                    };
                }
            }
            _ => {}
        }
    }
    Ok((name, value))
}

/// What names of options of other compilers begin with.
const FOREIGN_OPTIONS: &str = "xla_";

/// The options of a job: those of the client, changed by those of the program.
fn job_options(machine: &Machine, options: &CompileOptions) -> Result<Options, Status> {
    let mut job = machine.settings.options.clone();
    let own = options
        .overrides
        .iter()
        .filter(|(name, _)| !name.starts_with(FOREIGN_OPTIONS));
    for (name, value) in own {
        let set = job.set_named(name, value);
        set.map_err(|error| match error {
            OptionError::Unknown(name) => {
                Status::invalid(format!("No such compile option: '{name}'"))
            }
            OptionError::Invalid { .. } => Status::invalid(error.to_string()),
        })?;
    }
    Ok(job)
}

pub(crate) fn compile(args: &mut ClientCompile) -> Result<(), Status> {
    let machine = &args.client.expect("client")?.machine;
    // SAFETY: the interface promises a program.
    let code = unsafe { code(args.program)? };
    args.executable = load(machine, code, args.compile_options.get(), None)?;
    Ok(())
}

/// Compiles a program for devices that may not be there.
pub(crate) fn compile_ahead(args: &mut Compile) -> Result<(), Status> {
    let machine = &args.topology.expect("topology")?.machine;
    // SAFETY: the interface promises a program.
    let code = unsafe { code(args.program)? };
    let options = args.compile_options.get();
    let said = CompileOptions::read(options)?;
    let n: usize = said.counts().iter().product();
    if n > machine.handles().len() {
        let there = machine.handles().len();
        let message = format!("the program is for {n} devices, and the topology has {there}");
        return Err(Status::invalid(message));
    }
    args.executable = Handle::new(compiled(machine, &said, code, options, None)?);
    Ok(())
}

/// The bytes of a program.
///
/// # Safety
/// It must be one, or null.
unsafe fn code<'a>(program: *const abi::Program) -> Result<&'a [u8], Status> {
    // SAFETY: by the caller's promise.
    let program = unsafe { program.as_ref() };
    let program = program.ok_or_else(|| Status::invalid("there is no program"))?;
    let format = program.format.text();
    if format != "mlir" {
        return Err(Status::unimplemented(format!(
            "programs of format '{format}' are not supported"
        )));
    }
    // SAFETY: the interface promises this number of bytes.
    Ok(unsafe { std::slice::from_raw_parts(program.code, program.code_size) })
}

pub(crate) fn deserialize(args: &mut ExecutableDeserializeAndLoad) -> Result<(), Status> {
    let machine = &args.client.expect("client")?.machine;
    let [program, options, kept] = executable::parts(args.bytes.get())?;
    let options = match args.overridden_options.get() {
        [] => options,
        overridden => overridden,
    };
    args.executable = load(machine, program, options, Some(kept))?;
    Ok(())
}

/// Puts a program on its devices, compiled unless the process or `kept` has its code.
fn load(
    machine: &Arc<Machine>,
    program: &[u8],
    options: &[u8],
    kept: Option<&[u8]>,
) -> Result<Handle<Loaded>, Status> {
    let said = CompileOptions::read(options)?;
    let shared = compiled(machine, &said, program, options, kept)?;
    let ids = match &said.devices[..] {
        [] => (0..shared.n_devices as i64).collect(),
        ids => ids.iter().map(|&id| id as i64).collect::<Vec<_>>(),
    };
    let devices = ids.into_iter().map(|id| machine.device(id).map(Handle::to));
    let devices = devices.collect::<Result<_, _>>()?;
    let loaded = Loaded::new(shared, machine.clone(), devices);
    Ok(Handle::new(loaded))
}

/// The code of a program: that of the process or `kept`, if they have it.
fn compiled(
    machine: &Machine,
    said: &CompileOptions,
    program: &[u8],
    options: &[u8],
    kept: Option<&[u8]>,
) -> Result<Shared, Status> {
    let job_options = job_options(machine, said)?;
    let counts = said.counts();
    let mut key = format!("{job_options:?} {counts:?}\n").into_bytes();
    key.extend_from_slice(program);
    if let Some(shared) = machine.program(&key) {
        return Ok(shared);
    }
    let make = || make(machine, said, job_options, program, options, kept);
    let shared = Arc::new(on_large_stack(make)??);
    machine.keep(key, &shared);
    Ok(shared)
}

/// Calls `work` on a thread with a large stack, and with memory of its own from earlier calls.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Status> {
    let caught = || catch_unwind(AssertUnwindSafe(work));
    let compilers = compilers().map_err(|error| {
        let message = format!("cannot start threads to compile: {error}");
        Status::new(Code::ResourceExhausted, message)
    })?;
    let outcome = compilers.install(caught);
    outcome.map_err(|panic| Status::panic(panic.as_ref()))
}

/// Inlines all functions on tensors: some of them may be about parts of these.
const DIVIDED_INLINED: &str = "inline{tensors=true}";

/// Compiles a program.
fn make(
    machine: &Machine,
    said: &CompileOptions,
    mut job_options: Options,
    program: &[u8],
    options: &[u8],
    kept: Option<&[u8]>,
) -> Result<Executable, Status> {
    let module = Module::parse_bytes("program", program);
    let mut module = module.map_err(|error| Status::invalid(error.to_string()))?;
    let context = module.ir().context().clone();
    let name = module
        .ir()
        .symbol_name(module.ir().root())
        .unwrap_or("program")
        .to_owned();
    let written = machine.settings.dump.as_ref().map(|folder| {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let stem = folder.join(format!("{number:04}-{name}"));
        (stem, module.to_string())
    });
    if let Some((stem, text)) = &written {
        dump(stem, "mlir", text);
    }
    let costs = Costs::of(module.ir());
    let counts = said.counts();
    let mut per_device = None;
    let run = |module: &mut Module, passes: &[&str]| {
        let passes = format!("builtin.module({})", passes.join(","));
        let outcome = module.run_passes(&passes);
        outcome.map_err(|error| Status::unimplemented(error.to_string()))
    };
    if counts.into_iter().product::<usize>() > 1 {
        // The program says it as well.
        platform::set_devices(module.ir_mut(), counts);
        run(
            &mut module,
            &[DIVIDED_INLINED, stablehlo_partition::PASS.name],
        )?;
        per_device = Some(module.to_string());
        run(&mut module, &[stablehlo_collectives_on_host::PASS.name])?;
    }
    let calls_host = stablehlo_call_host::applies(module.ir());
    if calls_host {
        run(&mut module, &[stablehlo_call_host::PASS.name])?;
        // The function that they call is here.
        job_options.shared_libs.extend(host::library());
    }
    let (arguments, outputs) = signature(&context, module.ir())?;
    let job = Job::new(job_options, freehold::Output::Memory).map_err(Status::invalid)?;
    let compiled = module.compile_as(&job, kept);
    let compiled = compiled.map_err(|error| Status::unimplemented(error.to_string()))?;
    if let Some((stem, _)) = &written {
        dump(stem, "lowered.mlir", &compiled.text());
    }
    let mut hasher = DefaultHasher::new();
    (machine.version.as_str(), program, options).hash(&mut hasher);
    let fingerprint = format!("{:016x}", hasher.finish());
    let program = Program {
        code: program.to_vec(),
        per_device,
        counts,
        calls_host,
    };
    Ok(Executable::new(
        name,
        program,
        options.to_vec(),
        compiled,
        arguments,
        outputs,
        costs,
        fingerprint,
    ))
}

/// Writes a file for people. That there is none is no reason to fail.
fn dump(stem: &std::path::Path, extension: &str, text: &str) {
    let mut name = stem.as_os_str().to_owned();
    name.push(format!(".{extension}"));
    if let Some(folder) = stem.parent() {
        let _ = fs::create_dir_all(folder);
    }
    let _ = fs::write(name, text);
}

/// The arguments and outputs of a module's entry.
fn signature(context: &Context, module: &Ir) -> Result<(Vec<Argument>, Vec<Output>), Status> {
    let block = module.root_block();
    let stubs: Vec<Op> = block
        .into_iter()
        .flat_map(|block| module.ops_in(block))
        .collect();
    let is_entry = |&stub: &Op| {
        let function = module.nested(stub);
        function.is_some_and(|function| function.symbol_name(function.root()) == Some(ENTRY))
    };
    let stub = stubs.into_iter().find(is_entry);
    let function = stub.and_then(|stub| module.nested(stub));
    let function = function
        .ok_or_else(|| Status::invalid(format!("the program has no function '{ENTRY}'")))?;
    let root = function.root();
    let ty = function.function_type(root).map(|ty| context.type_kind(ty));
    let Some(TypeKind::Function { inputs, results }) = ty else {
        return Err(Status::invalid(format!(
            "'{ENTRY}' has no type of functions"
        )));
    };
    let attrs = |name| {
        let attrs = function.attr(root, name);
        attrs
            .and_then(|attr| context.attr_array(attr))
            .unwrap_or_default()
    };
    let attrs_of_results = attrs(Name::RES_ATTRS);
    let kind_name = context.intern_name("mhlo.memory_kind");
    let outputs = results.iter().enumerate().map(|(index, &ty)| {
        let array = array(context, ty).map_err(|error| error.of(&format!("output #{index}")))?;
        let kind = match attrs_of_results
            .get(index)
            .map(|&attr| context.attr_kind(attr))
        {
            Some(&AttrKind::Dictionary(dict)) => context.dict_get(dict, kind_name),
            _ => None,
        };
        let kind = kind.and_then(|kind| context.attr_string(kind));
        let kind = kind.map_or(Ok(Kind::default()), |name| {
            let known = Kind::ALL.into_iter().find(|kind| kind.name() == name);
            known.ok_or_else(|| {
                Status::invalid(format!(
                    "output #{index}: there is no memory of kind '{name}'"
                ))
            })
        })?;
        Ok(Output { array, kind })
    });
    let outputs: Vec<Output> = outputs.collect::<Result<_, Status>>()?;
    let attrs = attrs(Name::ARG_ATTRS);
    let names = ["tf.aliasing_output", "jax.buffer_donor"].map(|name| context.intern_name(name));
    let mut arguments = Vec::new();
    for (index, &ty) in inputs.iter().enumerate() {
        let array = array(context, ty);
        let array = array.map_err(|error| error.of(&format!("argument #{index}")))?;
        let dict = attrs.get(index).map(|&attr| context.attr_kind(attr));
        let is_donated = match dict {
            Some(&AttrKind::Dictionary(dict)) => names
                .into_iter()
                .any(|name| context.dict_get(dict, name).is_some()),
            _ => false,
        };
        arguments.push(Argument { array, is_donated });
    }
    Ok((arguments, outputs))
}

/// The type of an argument or output.
fn array(context: &Context, ty: Type) -> Result<Array, Status> {
    let unsupported = || {
        let ty = freehold::frontend::syntax::printer::type_to_string(context, ty);
        Status::unimplemented(format!("'{ty}' is not supported"))
    };
    let TypeKind::RankedTensor { shape, element, .. } = context.type_kind(ty) else {
        return Err(unsupported());
    };
    if shape.iter().any(|&n| n < 0) {
        return Err(unsupported());
    }
    let element = Element::of_type(context, *element).ok_or_else(unsupported)?;
    Array::new(element, shape.to_vec())
}
