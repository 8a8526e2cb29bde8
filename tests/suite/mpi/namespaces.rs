//! Processes in network namespaces of their own, joined by a bridge: nothing of the machine but TCP is between them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use super::{TIMEOUT, folder};
use crate::support::process::{self, Stderr};

/// One set of namespaces at a time: they have addresses of one network.
static NETWORK: Mutex<()> = Mutex::new(());

/// Namespaces, numbered from 1, until they are dropped.
pub(super) struct Namespaces {
    n: usize,
    /// What mpirun starts its daemons with, in the place of ssh.
    agent: PathBuf,
    folder: PathBuf,
    _guard: std::sync::MutexGuard<'static, ()>,
}

/// Begins the names of interfaces and namespaces.
const NAME: &str = "fhmpi";

fn ip(words: &str) {
    let output = Command::new("ip")
        .args(words.split_whitespace())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "ip {words}: {message}");
}

impl Namespaces {
    pub(super) fn new(n: usize) -> Self {
        let guard = NETWORK
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let folder = folder("namespaces");
        let agent = folder.join("agent");
        // Each has a name of its own, or they would share memory.
        let script = format!(
            "#!/bin/sh\nhost=$1; shift\nn=${{host##*.}}\n\
             exec ip netns exec {NAME}$n unshare -u sh -c \"hostname node$n; $*\"\n"
        );
        fs::write(&agent, script).unwrap();
        fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
        let all = Self {
            n,
            agent,
            folder,
            _guard: guard,
        };
        all.remove();
        ip(&format!("link add {NAME} type bridge"));
        ip(&format!("addr add 10.91.0.254/24 dev {NAME}"));
        ip(&format!("link set {NAME} up"));
        for i in 1..=n {
            ip(&format!("netns add {NAME}{i}"));
            ip(&format!(
                "link add {NAME}v{i} type veth peer name eth0 netns {NAME}{i}"
            ));
            ip(&format!("link set {NAME}v{i} master {NAME} up"));
            ip(&format!("-n {NAME}{i} addr add 10.91.0.{i}/24 dev eth0"));
            ip(&format!("-n {NAME}{i} link set eth0 up"));
            ip(&format!("-n {NAME}{i} link set lo up"));
        }
        all
    }

    fn remove(&self) {
        for i in 1..=self.n {
            // They need not be there.
            let namespace = format!("{NAME}{i}");
            let _ = Command::new("ip")
                .args(["netns", "del", &namespace])
                .output();
        }
        let _ = Command::new("ip").args(["link", "del", NAME]).output();
    }

    /// Bytes that came out of all namespaces.
    pub(super) fn bytes(&self) -> u64 {
        let of = |i: usize| -> u64 {
            let file = format!("/sys/class/net/{NAME}v{i}/statistics/rx_bytes");
            fs::read_to_string(file).unwrap().trim().parse().unwrap()
        };
        (1..=self.n).map(of).sum()
    }

    /// What the processes print, one in each namespace, and whether all ended well.
    pub(super) fn mpirun(&self, program: &Path, arguments: &[&str]) -> (String, bool) {
        let hosts: Vec<String> = (1..=self.n).map(|i| format!("10.91.0.{i}")).collect();
        let mut command = Command::new("mpirun.openmpi");
        command
            .args(["--allow-run-as-root"])
            .args(["--host", &hosts.join(",")])
            .args(["--mca", "plm_rsh_agent"])
            .arg(&self.agent)
            .args(["--mca", "oob_tcp_if_include", "10.91.0.0/24"])
            .args(["--mca", "btl", "self,tcp"])
            .args(["--mca", "btl_tcp_if_include", "10.91.0.0/24"])
            .args(["-n", &self.n.to_string()])
            .arg(program)
            .args(arguments);
        let finished = process::run(&mut command, b"", Stderr::Merged, TIMEOUT).unwrap();
        let text = String::from_utf8_lossy(&finished.stdout).into_owned();
        (text, finished.status == 0)
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        self.remove();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
