//! The layouts of the public C interface, version 0.81: what functions take, and the table of them.
//!
//! Every structure begins with its size, so that later versions can append fields: callers that know more fields than
//! this one are served, and those that know fewer are refused by name.

use std::ffi::{c_char, c_int, c_void};
use std::fmt;

use crate::status::Status;

/// The version of the interface that is implemented.
pub(crate) const VERSION: (c_int, c_int) = (0, 81);

/// A structure of arguments.
///
/// # Safety
/// The first field must be the size as `usize`, and any bytes that callers write there must be valid values.
pub(crate) unsafe trait Arguments {
    /// Bytes up to the end of the last field.
    const SIZE: usize;
}

/// A value of this library in the hands of a caller, or null.
#[repr(transparent)]
pub(crate) struct Handle<T>(*mut T);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

// SAFETY: it is a reference as far as threads are concerned.
unsafe impl<T: Sync> Send for Handle<T> {}
// SAFETY: the same.
unsafe impl<T: Sync> Sync for Handle<T> {}

impl<T> Handle<T> {
    /// No value.
    pub(crate) const NULL: Self = Self(std::ptr::null_mut());

    /// Hands a value over.
    pub(crate) fn new(value: T) -> Self {
        Self(Box::into_raw(Box::new(value)))
    }

    /// Shows a value that stays where it is.
    pub(crate) fn to(value: &T) -> Self {
        Self(std::ptr::from_ref(value).cast_mut())
    }

    /// Where it is.
    pub(crate) fn address(self) -> *mut c_void {
        self.0.cast()
    }

    /// The value, if there is one.
    pub(crate) fn get<'a>(self) -> Option<&'a T> {
        // SAFETY: the interface promises that pointers of this type come from here and are not used after they were
        // destroyed.
        unsafe { self.0.as_ref() }
    }

    /// The value.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn expect<'a>(self, what: &str) -> Result<&'a T, Status> {
        self.get()
            .ok_or_else(|| Status::invalid(format!("there is no {what}: the pointer is null")))
    }

    /// Takes the value back.
    pub(crate) fn take(self) -> Option<Box<T>> {
        // SAFETY: the interface promises that what is destroyed came from here and is destroyed once.
        (!self.0.is_null()).then(|| unsafe { Box::from_raw(self.0) })
    }
}

/// A pointer and a number of elements.
#[repr(C)]
pub(crate) struct List<T> {
    pointer: *const T,
    len: usize,
}

impl<T> List<T> {
    /// These elements, which stay where they are as long as the interface says.
    pub(crate) fn of(elements: &[T]) -> Self {
        Self {
            pointer: elements.as_ptr(),
            len: elements.len(),
        }
    }

    /// The elements that a caller passes.
    pub(crate) fn get(&self) -> &[T] {
        match self.pointer.is_null() {
            true => &[],
            // SAFETY: the interface promises that many elements, for the time of the call.
            false => unsafe { std::slice::from_raw_parts(self.pointer, self.len) },
        }
    }
}

/// Bytes of text.
pub(crate) type Text = List<u8>;

impl Text {
    /// This text, which stays where it is as long as the interface says.
    pub(crate) fn new(text: &str) -> Self {
        Self::of(text.as_bytes())
    }

    /// The text that a caller passes.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(self.get()).into_owned()
    }
}

/// A place where a caller wants something, or null.
#[repr(transparent)]
pub(crate) struct Place<T>(*mut T);

impl<T> Place<T> {
    /// Whether the caller wants nothing.
    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// Puts element `index` of several there.
    pub(crate) fn put_at(&self, index: usize, value: T) {
        if !self.0.is_null() {
            // SAFETY: the interface promises room for as many values as the caller says.
            unsafe { self.0.add(index).write(value) };
        }
    }
}

/// A function that gives back what was lent in a result.
pub(crate) type Deleter<T> = unsafe extern "C" fn(Handle<T>);

/// What happens to the memory of the host that a buffer is made of.
pub(crate) mod host_buffer {
    /// It stays as long as the buffer.
    pub(crate) const ZERO_COPY: i32 = 2;
    /// The same, and the buffer may be written to.
    pub(crate) const MUTABLE_ZERO_COPY: i32 = 3;
}

/// The kinds of values with names.
pub(crate) mod named_value {
    pub(crate) const STRING: i32 = 0;
    pub(crate) const INT64: i32 = 1;
    pub(crate) const FLOAT: i32 = 3;
    pub(crate) const BOOL: i32 = 4;
}

/// Eight bytes of any kind.
#[repr(C, align(8))]
pub(crate) struct Word(pub [u8; 8]);

/// A value with a name.
#[repr(C)]
pub(crate) struct NamedValue {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    pub name: Text,
    pub kind: i32,
    /// A pointer, an integer, or a float in the first bytes.
    pub value: Word,
    pub value_size: usize,
}

// SAFETY: those that are kept are made here, and point to constants.
unsafe impl Send for NamedValue {}
// SAFETY: the same.
unsafe impl Sync for NamedValue {}

/// A program and the name of its format.
#[repr(C)]
pub(crate) struct Program {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    /// Written by this library where the caller asks for a program.
    pub code: *mut u8,
    pub code_size: usize,
    pub format: Text,
}

/// Tiles, or null lists: rows.
#[repr(C)]
pub(crate) struct TiledLayout {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    pub minor_to_major: List<i64>,
    pub tile_dims: *const i64,
    pub tile_dim_sizes: *const usize,
    pub num_tiles: usize,
}

/// A layout. The other kind than tiles, strides in bytes, has its list where tiles have `minor_to_major`.
#[repr(C)]
pub(crate) struct MemoryLayout {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    pub tiled: TiledLayout,
    pub kind: i32,
}

/// The kinds of [`MemoryLayout`].
pub(crate) mod layout {
    pub(crate) const TILED: i32 = 0;
    pub(crate) const STRIDES: i32 = 1;
}

/// How to execute.
#[repr(C)]
pub(crate) struct ExecuteOptions {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    pub send_callbacks: *const c_void,
    pub recv_callbacks: *const c_void,
    pub num_send_ops: usize,
    pub num_recv_ops: usize,
    pub launch_id: c_int,
    pub non_donatable_input_indices: List<i64>,
}

/// What a caller wants to know when an event is over.
pub(crate) type OnReady = unsafe extern "C" fn(Handle<Status>, *mut c_void);

/// A function of the table, whatever it takes.
pub(crate) type Function = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

macro_rules! arguments {
    ($($name:ident { $($field:ident: $ty:ty),* $(,)? })*) => { $(
        #[repr(C)]
        pub(crate) struct $name {
            pub struct_size: usize,
            pub extension_start: *mut c_void,
            $(pub $field: $ty,)*
        }

        // SAFETY: the size comes first. Flags are only written here, or are C's `bool`, which holds 0 or 1.
        unsafe impl Arguments for $name {
            const SIZE: usize = {
                let ends = [2 * size_of::<usize>(), $(
                    std::mem::offset_of!($name, $field) + size_of::<$ty>()
                ),*];
                ends[ends.len() - 1]
            };
        }
    )* };
}

use crate::buffer::Buffer;
use crate::client::{Client, Device, Memory};
use crate::event::Signal;
use crate::executable::{Loaded, Shared};
use crate::layouts::Layout;
use crate::topology::Topology;

arguments! {
    ErrorDestroy { error: Handle<Status> }
    ErrorMessage { error: Handle<Status>, message: Text }
    ErrorGetCode { error: Handle<Status>, code: i32 }
    PluginInitialize {}
    PluginAttributes { attributes: List<NamedValue> }
    EventOnly { event: Handle<Signal> }
    EventIsReady { event: Handle<Signal>, is_ready: bool }
    EventOnReady { event: Handle<Signal>, callback: OnReady, user_arg: *mut c_void }
    ClientCreate {
        create_options: List<NamedValue>,
        kv_get_callback: *const c_void,
        kv_get_user_arg: *const c_void,
        kv_put_callback: *const c_void,
        kv_put_user_arg: *const c_void,
        client: Handle<Client>,
    }
    ClientOnly { client: Handle<Client> }
    ClientText { client: Handle<Client>, text: Text }
    ClientProcessIndex { client: Handle<Client>, process_index: c_int }
    ClientTopology { client: Handle<Client>, topology: Handle<Topology> }
    ClientDevices { client: Handle<Client>, devices: List<Handle<Device>> }
    ClientLookupDevice { client: Handle<Client>, id: c_int, device: Handle<Device> }
    ClientMemories { client: Handle<Client>, memories: List<Handle<Memory>> }
    ClientCompile {
        client: Handle<Client>,
        program: *const Program,
        compile_options: Text,
        executable: Handle<Loaded>,
    }
    ClientDefaultDeviceAssignment {
        client: Handle<Client>,
        num_replicas: c_int,
        num_partitions: c_int,
        default_assignment_size: usize,
        default_assignment: Place<c_int>,
    }
    ClientBufferFromHostBuffer {
        client: Handle<Client>,
        data: *const c_void,
        element: i32,
        dims: List<i64>,
        byte_strides: List<i64>,
        host_buffer_semantics: i32,
        device: Handle<Device>,
        memory: Handle<Memory>,
        device_layout: *const MemoryLayout,
        done_with_host_buffer: Handle<Signal>,
        buffer: Handle<Buffer>,
    }
    ClientCreateUninitializedBuffer {
        client: Handle<Client>,
        dims: List<i64>,
        element: i32,
        layout: *const MemoryLayout,
        device: Handle<Device>,
        memory: Handle<Memory>,
        buffer: Handle<Buffer>,
    }
    ClientCreateViewOfDeviceBuffer {
        client: Handle<Client>,
        device_buffer_ptr: *mut c_void,
        dims: List<i64>,
        element: i32,
        layout: *const MemoryLayout,
        device: Handle<Device>,
        on_delete_callback: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
        on_delete_callback_arg: *mut c_void,
        stream: isize,
        buffer: Handle<Buffer>,
        memory: Handle<Memory>,
    }
    DeviceNumber { device: Handle<Device>, number: c_int }
    DeviceText { device: Handle<Device>, text: Text }
    DeviceAttributes { device: Handle<Device>, num_attributes: usize, attributes: *const NamedValue }
    DeviceGetDescription { device: Handle<Device>, description: Handle<Device> }
    DeviceIsAddressable { device: Handle<Device>, is_addressable: bool }
    DeviceMemories { device: Handle<Device>, memories: List<Handle<Memory>> }
    DeviceDefaultMemory { device: Handle<Device>, memory: Handle<Memory> }
    DeviceMemoryStats {
        device: Handle<Device>,
        bytes_in_use: i64,
        peak_bytes_in_use: i64,
        peak_bytes_in_use_is_set: bool,
        num_allocs: i64,
        num_allocs_is_set: bool,
        largest_alloc_size: i64,
        largest_alloc_size_is_set: bool,
        bytes_limit: i64,
        bytes_limit_is_set: bool,
        bytes_reserved: i64,
        bytes_reserved_is_set: bool,
        peak_bytes_reserved: i64,
        peak_bytes_reserved_is_set: bool,
        bytes_reservable_limit: i64,
        bytes_reservable_limit_is_set: bool,
        largest_free_block_bytes: i64,
        largest_free_block_bytes_is_set: bool,
        pool_bytes: i64,
        pool_bytes_is_set: bool,
        peak_pool_bytes: i64,
        peak_pool_bytes_is_set: bool,
    }
    MemoryNumber { memory: Handle<Memory>, number: c_int }
    MemoryText { memory: Handle<Memory>, text: Text }
    MemoryDevices { memory: Handle<Memory>, devices: List<Handle<Device>> }
    ExecutableOnly { executable: Handle<Shared> }
    ExecutableText { executable: Handle<Shared>, text: Text }
    ExecutableNumber { executable: Handle<Shared>, number: usize }
    ExecutableOptimizedProgram { executable: Handle<Shared>, program: *mut Program }
    ExecutableGetCostAnalysis {
        executable: Handle<Shared>,
        num_properties: usize,
        properties: *const NamedValue,
    }
    ExecutableGetCompiledMemoryStats {
        executable: Handle<Shared>,
        generated_code_size_in_bytes: i64,
        argument_size_in_bytes: i64,
        output_size_in_bytes: i64,
        alias_size_in_bytes: i64,
        temp_size_in_bytes: i64,
        host_generated_code_size_in_bytes: i64,
        host_argument_size_in_bytes: i64,
        host_output_size_in_bytes: i64,
        host_alias_size_in_bytes: i64,
        host_temp_size_in_bytes: i64,
        peak_memory_in_bytes: i64,
    }
    ExecutableOutputElementTypes { executable: Handle<Shared>, types: List<i32> }
    ExecutableOutputDimensions {
        executable: Handle<Shared>,
        num_outputs: usize,
        dims: *const i64,
        dim_sizes: *const usize,
    }
    ExecutableOutputMemoryKinds {
        executable: Handle<Shared>,
        num_outputs: usize,
        memory_kinds: *const *const c_char,
        memory_kind_sizes: *const usize,
    }
    ExecutableSerialize {
        executable: Handle<Shared>,
        bytes: Text,
        kept: Handle<Vec<u8>>,
        deleter: Option<Deleter<Vec<u8>>>,
    }
    ExecutableDeserializeAndLoad {
        client: Handle<Client>,
        bytes: Text,
        executable: Handle<Loaded>,
        overridden_options: Text,
    }
    LoadedOnly { executable: Handle<Loaded> }
    LoadedText { executable: Handle<Loaded>, text: Text }
    LoadedGetExecutable { loaded: Handle<Loaded>, executable: Handle<Shared> }
    LoadedDevices { executable: Handle<Loaded>, devices: List<Handle<Device>> }
    LoadedIsDeleted { executable: Handle<Loaded>, is_deleted: bool }
    LoadedGetDeviceAssignment {
        executable: Handle<Loaded>,
        bytes: Text,
        kept: Handle<Vec<u8>>,
        deleter: Option<Deleter<Vec<u8>>>,
    }
    LoadedExecute {
        executable: Handle<Loaded>,
        options: *const ExecuteOptions,
        argument_lists: *const *const Handle<Buffer>,
        num_devices: usize,
        num_args: usize,
        output_lists: *const *mut Handle<Buffer>,
        device_complete_events: Place<Handle<Signal>>,
        execute_device: Handle<Device>,
    }
    BufferOnly { buffer: Handle<Buffer> }
    BufferElementType { buffer: Handle<Buffer>, element: i32 }
    BufferDimensions { buffer: Handle<Buffer>, dims: List<i64> }
    BufferDynamicDimensions { buffer: Handle<Buffer>, dims: List<usize> }
    BufferGetMemoryLayout { buffer: Handle<Buffer>, layout: MemoryLayout }
    BufferToHostBuffer {
        buffer: Handle<Buffer>,
        host_layout: *const MemoryLayout,
        dst: *mut c_void,
        dst_size: usize,
        event: Handle<Signal>,
    }
    BufferCopyRawToHost {
        buffer: Handle<Buffer>,
        dst: *mut c_void,
        offset: i64,
        transfer_size: i64,
        event: Handle<Signal>,
    }
    BufferNumber { buffer: Handle<Buffer>, number: usize }
    BufferFlag { buffer: Handle<Buffer>, flag: bool }
    BufferCopyToDevice { buffer: Handle<Buffer>, device: Handle<Device>, copy: Handle<Buffer> }
    BufferCopyToMemory { buffer: Handle<Buffer>, memory: Handle<Memory>, copy: Handle<Buffer> }
    BufferDevice { buffer: Handle<Buffer>, device: Handle<Device> }
    BufferMemory { buffer: Handle<Buffer>, memory: Handle<Memory> }
    BufferReadyEvent { buffer: Handle<Buffer>, event: Handle<Signal> }
    BufferPointer { buffer: Handle<Buffer>, pointer: usize }
    LayoutOnly { layout: Handle<Layout> }
    LayoutSerialize {
        layout: Handle<Layout>,
        text: Text,
        kept: Handle<Layout>,
        deleter: Option<Deleter<Layout>>,
    }
    LayoutOfClient { client: Handle<Client>, element: i32, dims: List<i64>, layout: Handle<Layout> }
    LayoutOfBuffer { buffer: Handle<Buffer>, layout: Handle<Layout> }
    LayoutOfTopology {
        topology: Handle<Topology>,
        element: i32,
        dims: List<i64>,
        layout: Handle<Layout>,
    }
    LayoutsOfExecutable {
        executable: Handle<Shared>,
        number: usize,
        layouts: *const Handle<Layout>,
    }
    DeviceMemoryDescriptions {
        device: Handle<Device>,
        memories: List<Handle<Memory>>,
        default: usize,
    }
    MemoryDescription { memory: Handle<Memory>, text: Text, number: c_int }
    TopologyCreate {
        name: Text,
        create_options: List<NamedValue>,
        topology: Handle<Topology>,
    }
    TopologySerialize {
        topology: Handle<Topology>,
        bytes: Text,
        kept: Handle<Vec<u8>>,
        deleter: Option<Deleter<Vec<u8>>>,
    }
    TopologyDeserialize { bytes: Text, topology: Handle<Topology> }
    Compile {
        topology: Handle<Topology>,
        program: *const Program,
        compile_options: Text,
        client: Handle<Client>,
        executable: Handle<Shared>,
    }
    TopologyOnly { topology: Handle<Topology> }
    TopologyText { topology: Handle<Topology>, text: Text }
    TopologyDevices { topology: Handle<Topology>, devices: List<Handle<Device>> }
    TopologyAttributes { topology: Handle<Topology>, attributes: List<NamedValue> }
}

impl fmt::Display for NamedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            named_value::STRING => {
                let pointer = usize::from_ne_bytes(self.value.0);
                let text = Text {
                    pointer: std::ptr::with_exposed_provenance(pointer),
                    len: self.value_size,
                };
                f.write_str(&text.text())
            }
            named_value::INT64 => i64::from_ne_bytes(self.value.0).fmt(f),
            named_value::FLOAT => {
                let [a, b, c, d, ..] = self.value.0;
                f32::from_ne_bytes([a, b, c, d]).fmt(f)
            }
            named_value::BOOL => (self.value.0[0] != 0).fmt(f),
            _ => f.write_str("a list"),
        }
    }
}
