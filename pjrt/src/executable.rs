//! Compiled programs in the hands of callers, and what callers ask about them.

use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use freehold::Compiled;

use crate::abi::{
    Deleter, ExecutableGetCompiledMemoryStats, ExecutableGetCostAnalysis, ExecutableNumber,
    ExecutableOnly, ExecutableOptimizedProgram, ExecutableOutputDimensions,
    ExecutableOutputElementTypes, ExecutableOutputMemoryKinds, ExecutableSerialize, ExecutableText,
    Handle, List, LoadedDevices, LoadedGetDeviceAssignment, LoadedGetExecutable, LoadedIsDeleted,
    LoadedOnly, LoadedText, NamedValue, Text, Word, named_value,
};
use crate::client::{Device, Kind, Machine};
use crate::cost::Costs;
use crate::element::Element;
use crate::layouts::Layout;
use crate::proto;
use crate::status::Status;

/// The function of a program that runs.
pub(crate) const ENTRY: &str = "main";

/// A compiled program.
pub(crate) struct Executable {
    pub name: String,
    /// What it was compiled of, as the caller passed it, and the options.
    program: Vec<u8>,
    options: Vec<u8>,
    /// What each of several devices does.
    per_device: Option<String>,
    /// Replicas, and partitions of each.
    counts: [usize; 2],
    pub n_devices: usize,
    /// Whether it calls functions of the process, which may call programs themselves.
    pub calls_host: bool,
    /// Nanoseconds of the last run, or 0.
    pub last_run: AtomicU64,
    pub compiled: Compiled,
    pub arguments: Vec<Argument>,
    pub outputs: Vec<Output>,
    pub costs: Costs,
    fingerprint: String,
    output_lists: OutputLists,
    pub argument_layouts: Vec<Handle<Layout>>,
    pub output_layouts: Vec<Handle<Layout>>,
    cost_values: OnceLock<Vec<NamedValue>>,
}

/// A program in the hands of a caller.
pub(crate) type Shared = Arc<Executable>;

/// What a program was compiled of.
pub(crate) struct Program {
    pub code: Vec<u8>,
    pub per_device: Option<String>,
    pub counts: [usize; 2],
    pub calls_host: bool,
}

/// The type of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Array {
    pub element: Element,
    pub dims: Vec<i64>,
    /// The sizes and strides, in elements.
    pub sizes: Vec<usize>,
    pub strides: Vec<isize>,
    pub bytes: usize,
}

/// A result.
pub(crate) struct Output {
    pub array: Array,
    pub kind: Kind,
}

/// An argument.
pub(crate) struct Argument {
    pub array: Array,
    /// Whether its memory goes when the program is done with it.
    pub is_donated: bool,
}

/// What callers ask of all outputs at once.
struct OutputLists {
    elements: Vec<i32>,
    dims: Vec<i64>,
    ranks: Vec<usize>,
    kinds: Vec<KindName>,
    kind_sizes: Vec<usize>,
}

/// The address of the name of a kind of memory.
#[repr(transparent)]
struct KindName(*const c_char);

// SAFETY: it is the address of a constant.
unsafe impl Send for KindName {}
// SAFETY: the same.
unsafe impl Sync for KindName {}

/// A program on devices.
pub(crate) struct Loaded {
    pub shared: Shared,
    /// The devices that it was compiled for.
    pub devices: Vec<Handle<Device>>,
    /// Keeps the devices.
    _machine: Arc<Machine>,
    is_deleted: AtomicBool,
}

impl Array {
    pub(crate) fn new(element: Element, dims: Vec<i64>) -> Result<Self, Status> {
        let bytes = crate::storage::byte_size(element, &dims)?;
        let sizes = dims.iter().map(|&n| n as usize).collect();
        let rows = crate::storage::rows(element, &dims);
        let strides = rows
            .iter()
            .map(|stride| *stride as isize / element.size() as isize);
        Ok(Self {
            element,
            sizes,
            strides: strides.collect(),
            bytes,
            dims,
        })
    }
}

impl std::fmt::Display for Array {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let dims: Vec<_> = self.dims.iter().map(i64::to_string).collect();
        write!(
            f,
            "{}[{}]",
            self.element.name.to_lowercase(),
            dims.join(",")
        )
    }
}

impl Executable {
    #[expect(clippy::too_many_arguments, reason = "each is a field")]
    pub(crate) fn new(
        name: String,
        program: Program,
        options: Vec<u8>,
        compiled: Compiled,
        arguments: Vec<Argument>,
        outputs: Vec<Output>,
        costs: Costs,
        fingerprint: String,
    ) -> Self {
        let arrays = outputs.iter().map(|output| &output.array);
        let kinds = outputs.iter().map(|output| output.kind.name());
        let output_lists = OutputLists {
            elements: arrays.clone().map(|array| array.element.code).collect(),
            dims: (arrays.clone())
                .flat_map(|array| array.dims.iter().copied())
                .collect(),
            ranks: arrays.clone().map(|array| array.dims.len()).collect(),
            kinds: (kinds.clone())
                .map(|kind| KindName(kind.as_ptr().cast()))
                .collect(),
            kind_sizes: kinds.map(str::len).collect(),
        };
        let layout = |array: &Array| Layout::rows(array.dims.len());
        let argument_layouts = arguments.iter().map(|argument| layout(&argument.array));
        let argument_layouts = argument_layouts.collect();
        let output_layouts = arrays.map(layout).collect();
        Self {
            name,
            program: program.code,
            options,
            per_device: program.per_device,
            counts: program.counts,
            n_devices: program.counts.into_iter().product(),
            calls_host: program.calls_host,
            last_run: AtomicU64::new(0),
            compiled,
            arguments,
            outputs,
            costs,
            fingerprint,
            output_lists,
            argument_layouts,
            output_layouts,
            cost_values: OnceLock::new(),
        }
    }

    /// Program, options and code, to load it again.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        proto::push_bytes(&mut out, 1, &self.program);
        proto::push_bytes(&mut out, 2, &self.options);
        proto::push_bytes(&mut out, 3, &self.compiled.to_bytes());
        out
    }
}

/// What serialized programs begin with.
const MAGIC: &[u8] = b"freehold program 1\n";

/// The program, the options and the code in what [`Executable::to_bytes`] made.
pub(crate) fn parts(bytes: &[u8]) -> Result<[&[u8]; 3], Status> {
    let bytes = bytes.strip_prefix(MAGIC);
    let bytes = bytes.ok_or_else(|| Status::invalid("these bytes are no program of Freehold"))?;
    let mut parts: [&[u8]; 3] = [&[]; 3];
    for (number, field) in proto::fields(bytes)? {
        if let Some(part) = parts.get_mut((number as usize).wrapping_sub(1)) {
            *part = field.bytes();
        }
    }
    Ok(parts)
}

impl Loaded {
    pub(crate) fn new(shared: Shared, machine: Arc<Machine>, devices: Vec<Handle<Device>>) -> Self {
        Self {
            shared,
            devices,
            _machine: machine,
            is_deleted: AtomicBool::new(false),
        }
    }

    /// Refuses programs that were deleted.
    pub(crate) fn expect_alive(&self) -> Result<(), Status> {
        match self.is_deleted.load(Ordering::Acquire) {
            false => Ok(()),
            true => Err(Status::invalid("the program was deleted")),
        }
    }
}

pub(crate) fn destroy(args: &mut ExecutableOnly) -> Result<(), Status> {
    drop(args.executable.take());
    Ok(())
}

pub(crate) fn name(args: &mut ExecutableText) -> Result<(), Status> {
    args.text = Text::new(&args.executable.expect("program")?.name);
    Ok(())
}

pub(crate) fn replicas(args: &mut ExecutableNumber) -> Result<(), Status> {
    args.number = args.executable.expect("program")?.counts[0];
    Ok(())
}

pub(crate) fn partitions(args: &mut ExecutableNumber) -> Result<(), Status> {
    args.number = args.executable.expect("program")?.counts[1];
    Ok(())
}

pub(crate) fn output_count(args: &mut ExecutableNumber) -> Result<(), Status> {
    args.number = args.executable.expect("program")?.outputs.len();
    Ok(())
}

pub(crate) fn code_size(args: &mut ExecutableNumber) -> Result<(), Status> {
    args.number = args
        .executable
        .expect("program")?
        .compiled
        .jit()
        .total_code_size();
    Ok(())
}

pub(crate) fn fingerprint(args: &mut ExecutableText) -> Result<(), Status> {
    args.text = Text::new(&args.executable.expect("program")?.fingerprint);
    Ok(())
}

/// The program as it was passed, or what each device does: callers read no MLIR of other dialects.
pub(crate) fn optimized_program(args: &mut ExecutableOptimizedProgram) -> Result<(), Status> {
    let executable = args.executable.expect("program")?;
    // SAFETY: the interface promises a place for a program.
    let place = unsafe { args.program.as_mut() };
    let place = place.ok_or_else(|| Status::invalid("there is no place for the program"))?;
    place.format = Text::new("mlir");
    let bytes = match &executable.per_device {
        Some(text) => text.as_bytes(),
        None => &executable.program,
    };
    if !place.code.is_null() {
        if place.code_size < bytes.len() {
            return Err(Status::invalid("there is no room for the program"));
        }
        // SAFETY: the interface promises room for these bytes.
        unsafe {
            place
                .code
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
        };
    }
    place.code_size = bytes.len();
    Ok(())
}

pub(crate) fn costs(args: &mut ExecutableGetCostAnalysis) -> Result<(), Status> {
    let executable = args.executable.expect("program")?;
    let values = executable.cost_values.get_or_init(|| {
        let values = executable.costs.values().into_iter();
        let values = values.map(|(name, value)| NamedValue {
            struct_size: size_of::<NamedValue>(),
            extension_start: std::ptr::null_mut(),
            name: Text::new(name),
            kind: named_value::FLOAT,
            value: {
                let mut bytes = [0; 8];
                bytes[..4].copy_from_slice(&(value as f32).to_ne_bytes());
                Word(bytes)
            },
            value_size: 1,
        });
        values.collect()
    });
    args.num_properties = values.len();
    args.properties = values.as_ptr();
    Ok(())
}

pub(crate) fn memory_stats(args: &mut ExecutableGetCompiledMemoryStats) -> Result<(), Status> {
    let executable = args.executable.expect("program")?;
    let sum = |bytes: &mut dyn Iterator<Item = usize>| bytes.sum::<usize>() as i64;
    let arguments = &executable.arguments;
    args.generated_code_size_in_bytes = executable.compiled.jit().total_code_size() as i64;
    args.argument_size_in_bytes = sum(&mut arguments.iter().map(|argument| argument.array.bytes));
    args.output_size_in_bytes =
        sum(&mut executable.outputs.iter().map(|output| output.array.bytes));
    args.alias_size_in_bytes = executable.compiled.donated_bytes(ENTRY) as i64;
    args.temp_size_in_bytes = executable.compiled.temporary_bytes() as i64;
    args.peak_memory_in_bytes =
        args.argument_size_in_bytes + args.output_size_in_bytes + args.temp_size_in_bytes
            - args.alias_size_in_bytes;
    // All of it is memory of the device.
    args.host_generated_code_size_in_bytes = 0;
    args.host_argument_size_in_bytes = 0;
    args.host_output_size_in_bytes = 0;
    args.host_alias_size_in_bytes = 0;
    args.host_temp_size_in_bytes = 0;
    Ok(())
}

pub(crate) fn output_elements(args: &mut ExecutableOutputElementTypes) -> Result<(), Status> {
    args.types = List::of(&args.executable.expect("program")?.output_lists.elements);
    Ok(())
}

pub(crate) fn output_dimensions(args: &mut ExecutableOutputDimensions) -> Result<(), Status> {
    let lists = &args.executable.expect("program")?.output_lists;
    args.num_outputs = lists.ranks.len();
    args.dims = lists.dims.as_ptr();
    args.dim_sizes = lists.ranks.as_ptr();
    Ok(())
}

pub(crate) fn output_memory_kinds(args: &mut ExecutableOutputMemoryKinds) -> Result<(), Status> {
    let lists = &args.executable.expect("program")?.output_lists;
    args.num_outputs = lists.kinds.len();
    args.memory_kinds = lists.kinds.as_ptr().cast();
    args.memory_kind_sizes = lists.kind_sizes.as_ptr();
    Ok(())
}

/// Gives bytes back.
///
/// # Safety
/// They must be those of [`lend`], once.
unsafe extern "C" fn delete_bytes(bytes: Handle<Vec<u8>>) {
    drop(bytes.take());
}

/// Bytes that a caller gives back.
pub(crate) type Lent = (Text, Handle<Vec<u8>>, Option<Deleter<Vec<u8>>>);

/// Lends bytes to a caller.
pub(crate) fn lend(bytes: Vec<u8>) -> Lent {
    let text = Text::of(&bytes);
    (text, Handle::new(bytes), Some(delete_bytes))
}

pub(crate) fn serialize(args: &mut ExecutableSerialize) -> Result<(), Status> {
    let bytes = args.executable.expect("program")?.to_bytes();
    (args.bytes, args.kept, args.deleter) = lend(bytes);
    Ok(())
}

pub(crate) fn loaded_destroy(args: &mut LoadedOnly) -> Result<(), Status> {
    drop(args.executable.take());
    Ok(())
}

pub(crate) fn loaded_executable(args: &mut LoadedGetExecutable) -> Result<(), Status> {
    args.executable = Handle::new(args.loaded.expect("program")?.shared.clone());
    Ok(())
}

pub(crate) fn loaded_devices(args: &mut LoadedDevices) -> Result<(), Status> {
    args.devices = List::of(&args.executable.expect("program")?.devices);
    Ok(())
}

pub(crate) fn loaded_delete(args: &mut LoadedOnly) -> Result<(), Status> {
    let loaded = args.executable.expect("program")?;
    loaded.is_deleted.store(true, Ordering::Release);
    Ok(())
}

pub(crate) fn loaded_is_deleted(args: &mut LoadedIsDeleted) -> Result<(), Status> {
    let loaded = args.executable.expect("program")?;
    args.is_deleted = loaded.is_deleted.load(Ordering::Acquire);
    Ok(())
}

pub(crate) fn loaded_fingerprint(args: &mut LoadedText) -> Result<(), Status> {
    args.text = Text::new(&args.executable.expect("program")?.shared.fingerprint);
    Ok(())
}

/// The devices as a message `DeviceAssignmentProto`: for each partition those of its replicas.
pub(crate) fn device_assignment(args: &mut LoadedGetDeviceAssignment) -> Result<(), Status> {
    let loaded = args.executable.expect("program")?;
    let [replicas, partitions] = loaded.shared.counts;
    let mut message = Vec::new();
    proto::push_number(&mut message, 1, replicas as u64);
    proto::push_number(&mut message, 2, partitions as u64);
    for devices in loaded.devices.chunks(replicas) {
        let mut ids = Vec::new();
        for device in devices {
            proto::push_number(&mut ids, 1, device.expect("device")?.id() as u64);
        }
        proto::push_bytes(&mut message, 3, &ids);
    }
    (args.bytes, args.kept, args.deleter) = lend(message);
    Ok(())
}
