//! Devices without a client, for which programs are compiled ahead of time: `PJRT_TopologyDescription_*`.

use std::sync::Arc;

use crate::abi::{
    Handle, List, Text, TopologyAttributes, TopologyCreate, TopologyDeserialize, TopologyDevices,
    TopologyOnly, TopologySerialize, TopologyText,
};
use crate::client::{Machine, PLATFORM};
use crate::executable;
use crate::proto;
use crate::settings::Settings;
use crate::status::Status;

/// Devices as a caller sees them without a client.
pub(crate) struct Topology {
    pub machine: Arc<Machine>,
    /// Whether it goes with the client that it is of.
    is_of_client: bool,
}

impl Topology {
    pub(crate) fn of_client(machine: Arc<Machine>) -> Self {
        Self {
            machine,
            is_of_client: true,
        }
    }

    fn new(settings: Settings) -> Handle<Self> {
        Handle::new(Self {
            machine: Machine::new(settings),
            is_of_client: false,
        })
    }
}

/// What serialized topologies begin with.
const MAGIC: &[u8] = b"freehold topology 1\n";

/// Options are those of clients, so `devices` is how many there are. Names mean nothing.
pub(crate) fn create(args: &mut TopologyCreate) -> Result<(), Status> {
    let name = args.name.text();
    if !name.is_empty() {
        return Err(Status::invalid(format!(
            "there is no topology '{name}': the name is empty, and the option 'devices' says how many devices there are"
        )));
    }
    args.topology = Topology::new(Settings::read(args.create_options.get())?);
    Ok(())
}

pub(crate) fn destroy(args: &mut TopologyOnly) -> Result<(), Status> {
    if args
        .topology
        .get()
        .is_some_and(|topology| !topology.is_of_client)
    {
        drop(args.topology.take());
    }
    Ok(())
}

pub(crate) fn platform_name(args: &mut TopologyText) -> Result<(), Status> {
    args.text = Text::new(PLATFORM);
    Ok(())
}

pub(crate) fn platform_version(args: &mut TopologyText) -> Result<(), Status> {
    args.text = Text::new(&args.topology.expect("topology")?.machine.version);
    Ok(())
}

pub(crate) fn devices(args: &mut TopologyDevices) -> Result<(), Status> {
    args.devices = List::of(args.topology.expect("topology")?.machine.handles());
    Ok(())
}

pub(crate) fn attributes(args: &mut TopologyAttributes) -> Result<(), Status> {
    args.attributes = List::of(&[]);
    Ok(())
}

/// Keys of caches ask for this: it has the version as well.
pub(crate) fn serialize(args: &mut TopologySerialize) -> Result<(), Status> {
    let machine = &args.topology.expect("topology")?.machine;
    let mut bytes = MAGIC.to_vec();
    proto::push_number(&mut bytes, 1, machine.handles().len() as u64);
    proto::push_bytes(&mut bytes, 2, machine.version.as_bytes());
    (args.bytes, args.kept, args.deleter) = executable::lend(bytes);
    Ok(())
}

pub(crate) fn deserialize(args: &mut TopologyDeserialize) -> Result<(), Status> {
    let fields = args.bytes.get().strip_prefix(MAGIC).map(proto::fields);
    let fields =
        fields.ok_or_else(|| Status::invalid("these bytes are no topology of Freehold"))??;
    let mut settings = Settings::read(&[])?;
    for (number, field) in fields {
        if number == 1 {
            settings.set_devices(&field.number().to_string())?;
        }
    }
    args.topology = Topology::new(settings);
    Ok(())
}
