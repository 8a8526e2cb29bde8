//! What the environment says: FREEHOLD_FP, FREEHOLD_FLUSH_DENORMALS, FREEHOLD_THREADS, FREEHOLD_DEVICES and FREEHOLD_DUMP;
//! and XLA_FLAGS, how many devices there are.

use std::env;
use std::path::PathBuf;

use freehold::Options;
use freehold::backend::cpu::Cpu;

use crate::abi::NamedValue;
use crate::status::Status;

/// The most devices that a process may ask for.
const MAX_DEVICES: usize = 256;

/// How a client works.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// How programs are compiled, unless they say otherwise.
    pub options: Options,
    pub devices: usize,
    /// Where programs are written to.
    pub dump: Option<PathBuf>,
}

impl Settings {
    /// What the environment says, and `given` by the caller under the names of variables in lower case, without
    /// their prefix.
    pub(crate) fn read(given: &[NamedValue]) -> Result<Self, Status> {
        let given: Vec<(String, String)> = given
            .iter()
            .map(|value| (value.name.text(), value.to_string()))
            .collect();
        let value = |name: &str| {
            let said = given.iter().find(|(given, _)| given == name);
            let said = said.map(|(_, value)| value.clone());
            said.or_else(|| env::var(format!("FREEHOLD_{}", name.to_uppercase())).ok())
        };
        let mut options = Options {
            donate: true,

            ..Options::default()
        };
        // Neither are the results of XLA the bits of a plain reading.
        let fp = value("fp").unwrap_or_else(|| "contract".to_owned());
        let threads = value("threads").unwrap_or_else(|| "1".to_owned());
        // As XLA does.
        let flush = value("flush_denormals").unwrap_or_else(|| "true".to_owned());
        let named = [("fp", fp), ("threads", threads), ("flush-denormals", flush)];
        for (name, value) in named {
            let set = options.set_named(name, &value);
            set.map_err(|error| {
                let name = name.to_uppercase().replace('-', "_");
                Status::invalid(format!("FREEHOLD_{name}: {error}"))
            })?;
        }
        let mut settings = Self {
            options,
            devices: 1,
            dump: value("dump")
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
        };
        if let Some(devices) = value("devices").or_else(devices_of_host) {
            settings.set_devices(&devices)?;
        }
        Ok(settings)
    }

    /// Sets the number of devices.
    pub(crate) fn set_devices(&mut self, number: &str) -> Result<(), Status> {
        let number = number.parse().ok();
        let number = number.filter(|n| (1..=MAX_DEVICES).contains(n));
        self.devices = number.ok_or_else(|| {
            let message = format!("FREEHOLD_DEVICES is a number from 1 to {MAX_DEVICES}");
            Status::invalid(message)
        })?;
        Ok(())
    }
}

/// The number of devices that programs ask XLA's CPU for, where they test sharding on one machine.
fn devices_of_host() -> Option<String> {
    let flags = env::var("XLA_FLAGS").ok()?;
    let mut flags = flags.split_whitespace().rev();
    let number =
        flags.find_map(|flag| flag.strip_prefix("--xla_force_host_platform_device_count="));
    number.map(str::to_owned)
}

/// What decides about code: this build and this processor. Caches of programs ask for it.
pub(crate) fn version() -> String {
    let cpu = Cpu::native().map(|cpu| format!("{cpu:?}"));
    format!(
        "freehold {} {}",
        freehold::build_id(),
        cpu.unwrap_or_default()
    )
}
