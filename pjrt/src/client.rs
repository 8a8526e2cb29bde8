//! The client of a process: its devices, which are all the same processor, and their memories.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use freehold::backend::jit::keep_freed_memory;

use crate::abi::{
    ClientCreate, ClientDefaultDeviceAssignment, ClientDevices, ClientLookupDevice, ClientMemories,
    ClientOnly, ClientProcessIndex, ClientText, ClientTopology, DeviceAttributes,
    DeviceDefaultMemory, DeviceGetDescription, DeviceIsAddressable, DeviceMemories,
    DeviceMemoryDescriptions, DeviceMemoryStats, DeviceNumber, DeviceText, Handle, List,
    MemoryDescription, MemoryDevices, MemoryNumber, MemoryText, Text,
};
use crate::executable::Executable;
use crate::settings::{self, Settings};
use crate::status::{Code, Status};
use crate::topology::Topology;

/// What JAX calls the platform.
pub(crate) const PLATFORM: &str = "freehold";

/// A kind of memory. All of it is that of the process; programs say which one an array is in, and see what they said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Kind {
    #[default]
    Device,
    PinnedHost,
    UnpinnedHost,
}

impl Kind {
    /// All kinds, by their numbers.
    pub(crate) const ALL: [Self; 3] = [Self::Device, Self::PinnedHost, Self::UnpinnedHost];

    /// What JAX calls it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::PinnedHost => "pinned_host",
            Self::UnpinnedHost => "unpinned_host",
        }
    }
}

/// How many programs a client keeps, so that equal ones are compiled once.
const MAX_PROGRAMS: usize = 64;

/// A client in the hands of a caller.
pub(crate) struct Client {
    pub machine: Arc<Machine>,
    topology: Topology,
}

/// The devices of a client. Everything on them keeps it alive.
pub(crate) struct Machine {
    pub settings: Settings,
    pub version: String,
    devices: Vec<Device>,
    device_handles: Vec<Handle<Device>>,
    memory_handles: Vec<Handle<Memory>>,
    programs: Mutex<VecDeque<(Vec<u8>, Arc<Executable>)>>,
}

/// A device.
pub(crate) struct Device {
    id: i32,
    machine: Weak<Machine>,
    /// One of each kind.
    memories: [Memory; Kind::ALL.len()],
    memory_handles: [Handle<Memory>; Kind::ALL.len()],
    name: String,
    text: String,
    bytes: AtomicI64,
    peak: AtomicI64,
    allocations: AtomicI64,
    largest: AtomicI64,
}

/// A memory of a device.
pub(crate) struct Memory {
    id: i32,
    pub kind: Kind,
    machine: Weak<Machine>,
    device_handle: [Handle<Device>; 1],
    name: String,
    text: String,
}

impl Machine {
    pub(crate) fn new(settings: Settings) -> Arc<Self> {
        Arc::new_cyclic(|machine| {
            let numbers = 0..i32::try_from(settings.devices).unwrap_or(1);
            let mut devices: Vec<Device> = numbers.map(|id| Device::new(id, machine)).collect();
            // The list stays as it is, so addresses hold.
            for device in &mut devices {
                device.memory_handles = device.memories.each_ref().map(Handle::to);
                let handle = [Handle::to(device)];
                for memory in &mut device.memories {
                    memory.device_handle = handle;
                }
            }
            Self {
                version: settings::version(),
                settings,
                device_handles: devices.iter().map(Handle::to).collect(),
                memory_handles: devices
                    .iter()
                    .flat_map(|device| device.memory_handles)
                    .collect(),
                devices,
                programs: Mutex::default(),
            }
        })
    }

    /// All devices.
    pub(crate) fn handles(&self) -> &[Handle<Device>] {
        &self.device_handles
    }

    /// The device with this number.
    pub(crate) fn device(&self, id: i64) -> Result<&Device, Status> {
        let index = usize::try_from(id).ok();
        index
            .and_then(|index| self.devices.get(index))
            .ok_or_else(|| {
                let n = self.devices.len();
                let message = format!("there is no device {id}: FREEHOLD_DEVICES is {n}");
                Status::new(Code::NotFound, message)
            })
    }

    /// The program that was compiled of this.
    pub(crate) fn program(&self, key: &[u8]) -> Option<Arc<Executable>> {
        let programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let found = programs.iter().find(|program| program.0 == key);
        found.map(|program| program.1.clone())
    }

    /// Keeps a program for those who compile the same.
    pub(crate) fn keep(&self, key: Vec<u8>, executable: &Arc<Executable>) {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if programs.len() == MAX_PROGRAMS {
            programs.pop_front();
        }
        programs.push_back((key, executable.clone()));
    }
}

impl Device {
    fn new(id: i32, machine: &Weak<Machine>) -> Self {
        Self {
            id,
            machine: machine.clone(),
            memories: Kind::ALL.map(|kind| Memory::new(id, kind, machine)),
            memory_handles: [Handle::NULL; Kind::ALL.len()],
            name: format!("{PLATFORM}:{id}"),
            text: format!("FreeholdDevice(id={id})"),
            bytes: AtomicI64::new(0),
            peak: AtomicI64::new(0),
            allocations: AtomicI64::new(0),
            largest: AtomicI64::new(0),
        }
    }

    pub(crate) fn id(&self) -> i32 {
        self.id
    }

    pub(crate) fn memory(&self, kind: Kind) -> &Memory {
        &self.memories[kind as usize]
    }

    /// What keeps it alive.
    pub(crate) fn machine(&self) -> Result<Arc<Machine>, Status> {
        let gone = || Status::invalid("the client of this device was destroyed");
        self.machine.upgrade().ok_or_else(gone)
    }

    /// Counts an allocation.
    pub(crate) fn allocated(&self, bytes: usize) {
        let bytes = bytes as i64;
        let now = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
        self.largest.fetch_max(bytes, Ordering::Relaxed);
        self.allocations.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a release.
    pub(crate) fn released(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes as i64, Ordering::Relaxed);
    }
}

impl Memory {
    fn new(device: i32, kind: Kind, machine: &Weak<Machine>) -> Self {
        let id = device * Kind::ALL.len() as i32 + kind as i32;
        let name = match kind {
            Kind::Device => format!("memory of {PLATFORM}:{device}"),
            _ => format!("memory of {PLATFORM}:{device} as {}", kind.name()),
        };
        Self {
            id,
            kind,
            machine: machine.clone(),
            device_handle: [Handle::NULL],
            name,
            text: format!("FreeholdMemory(id={id}, kind={})", kind.name()),
        }
    }

    /// The device that it is of.
    pub(crate) fn device<'a>(&self) -> Result<&'a Device, Status> {
        self.device_handle[0].expect("device")
    }
}

/// The device and the kind of memory that a caller names, or means by one of them, or the first ones.
pub(crate) fn place_of(
    machine: &Machine,
    device: Handle<Device>,
    memory: Handle<Memory>,
) -> Result<(&Device, Kind), Status> {
    let kind = memory.get().map(|memory| memory.kind).unwrap_or_default();
    let device = match (device.get(), memory.get()) {
        (Some(device), _) => device,
        (None, Some(memory)) => memory.device()?,
        (None, None) => machine.device(0)?,
    };
    Ok((device, kind))
}

pub(crate) fn create(args: &mut ClientCreate) -> Result<(), Status> {
    let machine = Machine::new(Settings::read(args.create_options.get())?);
    keep_freed_memory();
    args.client = Handle::new(Client {
        topology: Topology::of_client(machine.clone()),
        machine,
    });
    Ok(())
}

pub(crate) fn destroy(args: &mut ClientOnly) -> Result<(), Status> {
    if let Some(client) = args.client.take() {
        // Programs hold devices of the client, and it holds programs.
        let programs = client.machine.programs.lock();
        programs.unwrap_or_else(PoisonError::into_inner).clear();
    }
    Ok(())
}

pub(crate) fn platform_name(args: &mut ClientText) -> Result<(), Status> {
    args.text = Text::new(PLATFORM);
    Ok(())
}

pub(crate) fn platform_version(args: &mut ClientText) -> Result<(), Status> {
    args.text = Text::new(&args.client.expect("client")?.machine.version);
    Ok(())
}

pub(crate) fn process_index(args: &mut ClientProcessIndex) -> Result<(), Status> {
    args.process_index = 0;
    Ok(())
}

pub(crate) fn topology(args: &mut ClientTopology) -> Result<(), Status> {
    args.topology = Handle::to(&args.client.expect("client")?.topology);
    Ok(())
}

pub(crate) fn devices(args: &mut ClientDevices) -> Result<(), Status> {
    args.devices = List::of(args.client.expect("client")?.machine.handles());
    Ok(())
}

pub(crate) fn lookup_device(args: &mut ClientLookupDevice) -> Result<(), Status> {
    let machine = &args.client.expect("client")?.machine;
    args.device = Handle::to(machine.device(args.id.into())?);
    Ok(())
}

pub(crate) fn memories(args: &mut ClientMemories) -> Result<(), Status> {
    args.memories = List::of(&args.client.expect("client")?.machine.memory_handles);
    Ok(())
}

pub(crate) fn default_device_assignment(
    args: &mut ClientDefaultDeviceAssignment,
) -> Result<(), Status> {
    let machine = &args.client.expect("client")?.machine;
    let n = i64::from(args.num_replicas) * i64::from(args.num_partitions);
    if n > args.default_assignment_size as i64 {
        return Err(Status::invalid(format!("there is no room for {n} devices")));
    }
    for id in 0..n {
        let device = machine.device(id)?;
        args.default_assignment.put_at(id as usize, device.id);
    }
    Ok(())
}

pub(crate) fn device_id(args: &mut DeviceNumber) -> Result<(), Status> {
    args.number = args.device.expect("device")?.id;
    Ok(())
}

pub(crate) fn device_process_index(args: &mut DeviceNumber) -> Result<(), Status> {
    args.number = 0;
    Ok(())
}

pub(crate) fn device_kind(args: &mut DeviceText) -> Result<(), Status> {
    args.text = Text::new("cpu");
    Ok(())
}

pub(crate) fn device_debug_string(args: &mut DeviceText) -> Result<(), Status> {
    args.text = Text::new(&args.device.expect("device")?.name);
    Ok(())
}

pub(crate) fn device_to_string(args: &mut DeviceText) -> Result<(), Status> {
    args.text = Text::new(&args.device.expect("device")?.text);
    Ok(())
}

pub(crate) fn device_attributes(args: &mut DeviceAttributes) -> Result<(), Status> {
    args.num_attributes = 0;
    args.attributes = std::ptr::null();
    Ok(())
}

/// A device is its own description.
pub(crate) fn device_description(args: &mut DeviceGetDescription) -> Result<(), Status> {
    args.description = args.device;
    Ok(())
}

pub(crate) fn device_is_addressable(args: &mut DeviceIsAddressable) -> Result<(), Status> {
    args.is_addressable = true;
    Ok(())
}

pub(crate) fn device_memories(args: &mut DeviceMemories) -> Result<(), Status> {
    args.memories = List::of(&args.device.expect("device")?.memory_handles);
    Ok(())
}

pub(crate) fn device_default_memory(args: &mut DeviceDefaultMemory) -> Result<(), Status> {
    args.memory = args.device.expect("device")?.memory_handles[Kind::default() as usize];
    Ok(())
}

pub(crate) fn device_memory_stats(args: &mut DeviceMemoryStats) -> Result<(), Status> {
    let device = args.device.expect("device")?;
    args.bytes_in_use = device.bytes.load(Ordering::Relaxed);
    args.peak_bytes_in_use = device.peak.load(Ordering::Relaxed);
    args.num_allocs = device.allocations.load(Ordering::Relaxed);
    args.largest_alloc_size = device.largest.load(Ordering::Relaxed);
    for flag in [
        &mut args.peak_bytes_in_use_is_set,
        &mut args.num_allocs_is_set,
        &mut args.largest_alloc_size_is_set,
    ] {
        *flag = true;
    }
    for flag in [
        &mut args.bytes_limit_is_set,
        &mut args.bytes_reserved_is_set,
        &mut args.peak_bytes_reserved_is_set,
        &mut args.bytes_reservable_limit_is_set,
        &mut args.largest_free_block_bytes_is_set,
        &mut args.pool_bytes_is_set,
        &mut args.peak_pool_bytes_is_set,
    ] {
        *flag = false;
    }
    Ok(())
}

pub(crate) fn memory_id(args: &mut MemoryNumber) -> Result<(), Status> {
    args.number = args.memory.expect("memory")?.id;
    Ok(())
}

pub(crate) fn memory_kind_id(args: &mut MemoryNumber) -> Result<(), Status> {
    args.number = args.memory.expect("memory")?.kind as i32;
    Ok(())
}

pub(crate) fn memory_kind(args: &mut MemoryText) -> Result<(), Status> {
    args.text = Text::new(args.memory.expect("memory")?.kind.name());
    Ok(())
}

/// What memories a device has, where it may be the description of one. Each is its own description.
pub(crate) fn memory_descriptions(args: &mut DeviceMemoryDescriptions) -> Result<(), Status> {
    args.memories = List::of(&args.device.expect("device")?.memory_handles);
    args.default = Kind::default() as usize;
    Ok(())
}

pub(crate) fn memory_description(args: &mut MemoryDescription) -> Result<(), Status> {
    let kind = args.memory.expect("memory")?.kind;
    (args.text, args.number) = (Text::new(kind.name()), kind as i32);
    Ok(())
}

pub(crate) fn memory_debug_string(args: &mut MemoryText) -> Result<(), Status> {
    args.text = Text::new(&args.memory.expect("memory")?.name);
    Ok(())
}

pub(crate) fn memory_to_string(args: &mut MemoryText) -> Result<(), Status> {
    args.text = Text::new(&args.memory.expect("memory")?.text);
    Ok(())
}

pub(crate) fn memory_devices(args: &mut MemoryDevices) -> Result<(), Status> {
    let memory = args.memory.expect("memory")?;
    // Lists point into the memory itself, so it must not be about to go.
    let gone = || Status::invalid("the client of this memory was destroyed");
    memory.machine.upgrade().ok_or_else(gone)?;
    args.devices = List::of(&memory.device_handle);
    Ok(())
}
