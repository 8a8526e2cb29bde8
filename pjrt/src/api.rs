//! The table of functions that callers get.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::abi::{Arguments, Function, Handle, List, PluginAttributes, PluginInitialize, VERSION};
use crate::error::hand_over;
use crate::status::Status;
use crate::{buffer, client, compile, error, event, executable, execute, layouts, topology};

macro_rules! entry {
    ($name:ident) => {{
        // SAFETY: callers pass the structure of this function.
        unsafe extern "C" fn entry(_: *mut c_void) -> *mut c_void {
            refuse(stringify!($name))
        }
        entry as Function
    }};
    ($name:ident void $function:path) => {{
        // SAFETY: callers pass the structure of this function.
        unsafe extern "C" fn entry(args: *mut c_void) -> *mut c_void {
            // These cannot fail, and what they return is not looked at.
            enter(stringify!($name), args, |args| {
                $function(args);
                Ok(())
            });
            std::ptr::null_mut()
        }
        entry as Function
    }};
    ($name:ident $function:path) => {{
        // SAFETY: callers pass the structure of this function.
        unsafe extern "C" fn entry(args: *mut c_void) -> *mut c_void {
            enter(stringify!($name), args, $function)
        }
        entry as Function
    }};
}

/// The table: sizes, the version, and functions in the order of the interface.
#[repr(C)]
#[derive(Debug)]
pub struct Api {
    struct_size: usize,
    extension_start: *const c_void,
    version: Version,
    functions: [Function; FUNCTIONS.len()],
}

#[repr(C)]
#[derive(Debug)]
struct Version {
    struct_size: usize,
    extension_start: *const c_void,
    major: c_int,
    minor: c_int,
}

// SAFETY: its pointers are null, functions, or that of a constant.
unsafe impl Sync for Api {}

/// An extension of the interface: its kind, the next one, and functions.
#[repr(C)]
struct Extension<const N: usize> {
    struct_size: usize,
    kind: c_int,
    next: *const c_void,
    functions: [Function; N],
}

// SAFETY: its pointers are null, or functions.
unsafe impl<const N: usize> Sync for Extension<N> {}

/// The extension about the memories of devices without a client.
static MEMORIES: Extension<2> = Extension {
    struct_size: size_of::<Extension<2>>(),
    kind: 6,
    next: std::ptr::null(),
    functions: [
        entry!(DeviceDescription_MemoryDescriptions client::memory_descriptions),
        entry!(MemoryDescription_Kind client::memory_description),
    ],
};

/// The extension about layouts.
static LAYOUTS: Extension<7> = Extension {
    struct_size: size_of::<Extension<7>>(),
    kind: 4,
    next: (&raw const MEMORIES).cast(),
    functions: [
        entry!(Layouts_MemoryLayout_Destroy layouts::destroy),
        entry!(Layouts_MemoryLayout_Serialize layouts::serialize),
        entry!(Layouts_PJRT_Client_GetDefaultLayout layouts::of_client),
        entry!(Layouts_PJRT_Buffer_MemoryLayout layouts::of_buffer),
        entry!(Layouts_PJRT_Topology_GetDefaultLayout layouts::of_topology),
        entry!(Layouts_PJRT_Executable_GetOutputLayouts layouts::of_outputs),
        entry!(Layouts_PJRT_Executable_GetParameterLayouts layouts::of_arguments),
    ],
};

/// What [`GetPjrtApi`](crate::GetPjrtApi) returns.
pub(crate) static API: Api = Api {
    struct_size: size_of::<Api>(),
    extension_start: (&raw const LAYOUTS).cast(),
    version: Version {
        struct_size: size_of::<Version>(),
        extension_start: std::ptr::null(),
        major: VERSION.0,
        minor: VERSION.1,
    },
    functions: FUNCTIONS,
};

/// The oldest version of the interface whose callers are served, that of the crate `pjrt`.
const OLDEST: (c_int, c_int) = (0, 54);

/// How many bytes the structures of that version have less at their end, at most. Fields missing there are optional, and
/// zero.
const MOST_MISSING: usize = 16;

/// A structure with one field, which no version lacks.
const SMALLEST: usize = 24;

/// Calls a function of this library with what a caller passed. Panics become errors.
fn enter<A: Arguments>(
    name: &str,
    args: *mut c_void,
    function: fn(&mut A) -> Result<(), Status>,
) -> *mut c_void {
    let outcome = match args.is_null() {
        true => Err(Status::invalid(format!(
            "PJRT_{name}: there are no arguments"
        ))),
        // SAFETY: every structure of arguments begins with its size.
        false => match unsafe { args.cast::<usize>().read() } {
            size if size
                < A::SIZE
                    .saturating_sub(MOST_MISSING)
                    .max(A::SIZE.min(SMALLEST)) =>
            {
                Err(Status::invalid(format!(
                    "PJRT_{name}: arguments of {size} bytes are of a version of the interface before {}.{}",
                    OLDEST.0, OLDEST.1
                )))
            }
            size if size < A::SIZE => {
                let mut whole = MaybeUninit::<A>::zeroed();
                // SAFETY: the caller has this number of bytes, and there is room for more. All of them are initialized then, and
                // valid: callers may write any bytes.
                let whole = unsafe {
                    args.cast::<u8>()
                        .copy_to_nonoverlapping(whole.as_mut_ptr().cast(), size);
                    whole.assume_init_mut()
                };
                let outcome = call(function, whole);
                // SAFETY: the same.
                unsafe {
                    std::ptr::from_ref(whole)
                        .cast::<u8>()
                        .copy_to_nonoverlapping(args.cast(), size)
                };
                outcome
            }
            _ => {
                // SAFETY: the structure has all fields that are known here.
                let args = unsafe { &mut *args.cast::<A>() };
                call(function, args)
            }
        },
    };
    let handle: Handle<Status> = hand_over(outcome);
    handle.address()
}

fn call<A>(function: fn(&mut A) -> Result<(), Status>, args: &mut A) -> Result<(), Status> {
    let outcome = catch_unwind(AssertUnwindSafe(|| function(args)));
    outcome.unwrap_or_else(|panic| Err(Status::panic(panic.as_ref())))
}

/// A function that is not there.
fn refuse(name: &str) -> *mut c_void {
    let message = format!("PJRT_{name} is not implemented by Freehold");
    hand_over(Err(Status::unimplemented(message))).address()
}

macro_rules! functions {
    ($($name:ident $(($($function:tt)+))?;)*) => {
        const FUNCTIONS: [Function; [$(stringify!($name)),*].len()] = [
            $(functions!(@ $name $($($function)+)?)),*
        ];
    };
    (@ $name:ident) => { entry!($name) };
    (@ $name:ident void $function:path) => { entry!($name void $function) };
    (@ $name:ident $function:path) => { entry!($name $function) };
}

functions! {
    Error_Destroy(void error::destroy);
    Error_Message(void error::message);
    Error_GetCode(error::code);
    Plugin_Initialize(initialize);
    Plugin_Attributes(attributes);
    Event_Destroy(event::destroy);
    Event_IsReady(event::is_ready);
    Event_Error(event::error);
    Event_Await(event::wait);
    Event_OnReady(event::on_ready);
    Client_Create(client::create);
    Client_Destroy(client::destroy);
    Client_PlatformName(client::platform_name);
    Client_ProcessIndex(client::process_index);
    Client_PlatformVersion(client::platform_version);
    Client_Devices(client::devices);
    Client_AddressableDevices(client::devices);
    Client_LookupDevice(client::lookup_device);
    Client_LookupAddressableDevice(client::lookup_device);
    Client_AddressableMemories(client::memories);
    Client_Compile(compile::compile);
    Client_DefaultDeviceAssignment(client::default_device_assignment);
    Client_BufferFromHostBuffer(buffer::from_host);
    DeviceDescription_Id(client::device_id);
    DeviceDescription_ProcessIndex(client::device_process_index);
    DeviceDescription_Attributes(client::device_attributes);
    DeviceDescription_Kind(client::device_kind);
    DeviceDescription_DebugString(client::device_debug_string);
    DeviceDescription_ToString(client::device_to_string);
    Device_GetDescription(client::device_description);
    Device_IsAddressable(client::device_is_addressable);
    Device_LocalHardwareId(client::device_id);
    Device_AddressableMemories(client::device_memories);
    Device_DefaultMemory(client::device_default_memory);
    Device_MemoryStats(client::device_memory_stats);
    Memory_Id(client::memory_id);
    Memory_Kind(client::memory_kind);
    Memory_DebugString(client::memory_debug_string);
    Memory_ToString(client::memory_to_string);
    Memory_AddressableByDevices(client::memory_devices);
    Executable_Destroy(executable::destroy);
    Executable_Name(executable::name);
    Executable_NumReplicas(executable::replicas);
    Executable_NumPartitions(executable::partitions);
    Executable_NumOutputs(executable::output_count);
    Executable_SizeOfGeneratedCodeInBytes(executable::code_size);
    Executable_GetCostAnalysis(executable::costs);
    Executable_OutputMemoryKinds(executable::output_memory_kinds);
    Executable_OptimizedProgram(executable::optimized_program);
    Executable_Serialize(executable::serialize);
    LoadedExecutable_Destroy(executable::loaded_destroy);
    LoadedExecutable_GetExecutable(executable::loaded_executable);
    LoadedExecutable_AddressableDevices(executable::loaded_devices);
    LoadedExecutable_Delete(executable::loaded_delete);
    LoadedExecutable_IsDeleted(executable::loaded_is_deleted);
    LoadedExecutable_Execute(execute::execute);
    Executable_DeserializeAndLoad(compile::deserialize);
    LoadedExecutable_Fingerprint(executable::loaded_fingerprint);
    Buffer_Destroy(buffer::destroy);
    Buffer_ElementType(buffer::element_type);
    Buffer_Dimensions(buffer::dimensions);
    Buffer_UnpaddedDimensions(buffer::dimensions);
    Buffer_DynamicDimensionIndices(buffer::dynamic_dimensions);
    Buffer_GetMemoryLayout(buffer::memory_layout);
    Buffer_OnDeviceSizeInBytes(buffer::byte_size);
    Buffer_Device(buffer::device);
    Buffer_Memory(buffer::memory);
    Buffer_Delete(buffer::delete);
    Buffer_IsDeleted(buffer::is_deleted);
    Buffer_CopyToDevice(buffer::copy_to_device);
    Buffer_ToHostBuffer(buffer::to_host);
    Buffer_IsOnCpu(buffer::is_on_cpu);
    Buffer_ReadyEvent(buffer::ready_event);
    Buffer_UnsafePointer(buffer::pointer);
    Buffer_IncreaseExternalReferenceCount(buffer::lend);
    Buffer_DecreaseExternalReferenceCount(buffer::give_back);
    Buffer_OpaqueDeviceMemoryDataPointer(buffer::pointer);
    CopyToDeviceStream_Destroy;
    CopyToDeviceStream_AddChunk;
    CopyToDeviceStream_TotalBytes;
    CopyToDeviceStream_GranuleSize;
    CopyToDeviceStream_CurrentBytes;
    TopologyDescription_Create(topology::create);
    TopologyDescription_Destroy(topology::destroy);
    TopologyDescription_PlatformName(topology::platform_name);
    TopologyDescription_PlatformVersion(topology::platform_version);
    TopologyDescription_GetDeviceDescriptions(topology::devices);
    TopologyDescription_Serialize(topology::serialize);
    TopologyDescription_Attributes(topology::attributes);
    Compile(compile::compile_ahead);
    Executable_OutputElementTypes(executable::output_elements);
    Executable_OutputDimensions(executable::output_dimensions);
    Buffer_CopyToMemory(buffer::copy_to_memory);
    Client_CreateViewOfDeviceBuffer(buffer::view);
    Executable_Fingerprint(executable::fingerprint);
    Client_TopologyDescription(client::topology);
    Executable_GetCompiledMemoryStats(executable::memory_stats);
    Memory_Kind_Id(client::memory_kind_id);
    ExecuteContext_Create;
    ExecuteContext_Destroy;
    Buffer_CopyRawToHost(buffer::copy_raw_to_host);
    AsyncHostToDeviceTransferManager_Destroy;
    AsyncHostToDeviceTransferManager_TransferData;
    Client_CreateBuffersForAsyncHostToDevice;
    AsyncHostToDeviceTransferManager_RetrieveBuffer;
    AsyncHostToDeviceTransferManager_Device;
    AsyncHostToDeviceTransferManager_BufferCount;
    AsyncHostToDeviceTransferManager_BufferSize;
    AsyncHostToDeviceTransferManager_SetBufferError;
    AsyncHostToDeviceTransferManager_AddMetadata;
    Client_DmaMap;
    Client_DmaUnmap;
    Client_CreateUninitializedBuffer(buffer::uninitialized);
    Client_UpdateGlobalProcessInfo;
    TopologyDescription_Deserialize(topology::deserialize);
    Client_CreateAliasBuffer;
    Client_FulfillAliasBuffer;
    LoadedExecutable_GetDeviceAssignment(executable::device_assignment);
}

fn initialize(_: &mut PluginInitialize) -> Result<(), Status> {
    Ok(())
}

fn attributes(args: &mut PluginAttributes) -> Result<(), Status> {
    args.attributes = List::of(&[]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::EventOnly;

    #[test]
    fn shorter_arguments_of_older_callers_are_written_as_far_as_they_go() {
        // One word less than there are here, with something else behind.
        let mut words = [size_of::<[usize; 3]>(), 0, 0, 7];
        assert_eq!(PluginAttributes::SIZE, size_of_val(&words));
        let error = enter(
            "Plugin_Attributes",
            words.as_mut_ptr().cast(),
            |args: &mut PluginAttributes| {
                assert_eq!(args.attributes.get().len(), 0);
                attributes(args)
            },
        );
        assert!(error.is_null());
        assert_ne!(words[2], 0);
        assert_eq!(words[3], 7);
    }

    #[test]
    fn arguments_that_are_too_short_are_refused() {
        let mut words = [size_of::<[usize; 2]>(), 0, 0];
        let function = |_: &mut EventOnly| panic!("it must not be called");
        let error = enter("Event_Await", words.as_mut_ptr().cast(), function);
        assert!(!error.is_null());
        let mut destroy = [size_of::<[usize; 3]>(), 0, error.expose_provenance()];
        // SAFETY: these are the arguments of this function.
        unsafe { FUNCTIONS[0](destroy.as_mut_ptr().cast()) };
    }
}
