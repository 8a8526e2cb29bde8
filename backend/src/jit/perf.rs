//! Tells Linux's `perf` what the code is that the JIT made.
//!
//! The map is a text file in which `perf report` looks addresses up. The dump
//! holds the code with its lines as well; `perf record -k mono` notes that this
//! process maps it, and `perf inject --jit` makes object files of it, which
//! `perf annotate` shows.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Code;
use crate::isa::Arch;
use crate::options::PerfOutput;
use crate::program::Program;

/// Writes what `perf` is to know about `code`.
///
/// # Errors
/// With a message if a file cannot be written.
pub(super) fn write(
    program: &Program<'_>,
    code: &[Code<'_>],
    output: PerfOutput,
) -> Result<(), String> {
    let pid = std::process::id();
    let (path, written) = match output {
        PerfOutput::Map => {
            let path = PathBuf::from(format!("/tmp/perf-{pid}.map"));
            let written = write_map(program, code, &path);
            (path, written)
        }
        PerfOutput::Dump => {
            let path = PathBuf::from(format!("jit-{pid}.dump"));
            let written = write_dump(program, code, &path);
            (path, written)
        }
    };
    written.map_err(|error| format!("cannot write '{}': {error}", path.display()))
}

/// Appends a line per function: address, size, name.
fn write_map(program: &Program<'_>, code: &[Code<'_>], path: &PathBuf) -> io::Result<()> {
    let mut text = String::new();
    for code in code {
        let name = &program.functions[code.compiled.id].link_name;
        let name = name.replace('\n', " ");
        let size = code.compiled.code.len();
        text += &format!("{:x} {size:x} {name}\n", code.address);
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(text.as_bytes())
}

/// "JiTD".
const MAGIC: u32 = 0x4a69_5444;
const VERSION: u32 = 1;
const HEADER_SIZE: u32 = 40;
/// A record of code.
const CODE_LOAD: u32 = 0;
/// A record of the lines of the code that the next record has.
const CODE_DEBUG_INFO: u32 = 2;
/// Kind, size, time.
const RECORD_HEADER_SIZE: usize = 16;

/// The dump of this process, once there is one.
static DUMP: Mutex<Option<File>> = Mutex::new(None);
/// Functions in the dump.
static N_FUNCTIONS: AtomicU64 = AtomicU64::new(0);

/// Appends the records of every function.
fn write_dump(program: &Program<'_>, code: &[Code<'_>], path: &PathBuf) -> io::Result<()> {
    let mut dump = DUMP.lock().unwrap_or_else(PoisonError::into_inner);
    let file = match &mut *dump {
        Some(file) => file,
        none => none.insert(start_dump(program.arch, path)?),
    };
    let mut bytes = Vec::new();
    for code in code {
        add_lines(program, code, &mut bytes);
        add_code(program, code, &mut bytes);
    }
    file.write_all(&bytes)
}

/// Makes the file and maps it, which is how `perf` learns of it.
fn start_dump(arch: Arch, path: &PathBuf) -> io::Result<File> {
    let mut file = OpenOptions::new()
        .create(true)
        .truncate(true)
        .read(true)
        .write(true)
        .open(path)?;
    let machine: u32 = match arch {
        Arch::X86_64 => object::elf::EM_X86_64.into(),
        Arch::AArch64 => object::elf::EM_AARCH64.into(),
    };
    let mut header = Vec::new();
    for word in [MAGIC, VERSION, HEADER_SIZE, machine, 0, std::process::id()] {
        header.extend(word.to_le_bytes());
    }
    header.extend(now().to_le_bytes());
    header.extend(0u64.to_le_bytes());
    file.write_all(&header)?;
    // SAFETY: a new private mapping touches no memory that is in use; nothing reads it.
    let marker = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            header.len(),
            libc::PROT_READ | libc::PROT_EXEC,
            libc::MAP_PRIVATE,
            file.as_raw_fd(),
            0,
        )
    };
    if marker == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(file)
}

/// Adds the record of a function's lines, if any are known.
fn add_lines(program: &Program<'_>, code: &Code<'_>, bytes: &mut Vec<u8>) {
    let lines = &code.compiled.lines;
    let Some(last) = lines.last() else {
        return;
    };
    let start = (0, program.functions[code.compiled.id].loc);
    // An entry is read up to the next one.
    let end = (code.compiled.code.len() as u32, last.loc);
    let entries = lines.iter().map(|entry| (entry.start, entry.loc));
    let mut listed = Vec::new();
    let mut count = 0u64;
    for (offset, loc) in [start].into_iter().chain(entries).chain([end]) {
        let Some(at) = program.context.resolve_loc(loc) else {
            continue;
        };
        count += 1;
        listed.extend((code.address as u64 + u64::from(offset)).to_le_bytes());
        listed.extend(at.line.to_le_bytes());
        listed.extend(at.column.to_le_bytes());
        listed.extend(at.file.bytes().filter(|&byte| byte != 0));
        listed.push(0);
    }
    if count > 0 {
        add_header(CODE_DEBUG_INFO, 16 + listed.len(), bytes);
        bytes.extend((code.address as u64).to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend(listed);
    }
}

/// Adds the record of a function's code.
fn add_code(program: &Program<'_>, code: &Code<'_>, bytes: &mut Vec<u8>) {
    let name = program.functions[code.compiled.id].link_name.as_bytes();
    let instructions = &code.compiled.code;
    add_header(CODE_LOAD, 40 + name.len() + 1 + instructions.len(), bytes);
    let pid = std::process::id();
    bytes.extend(pid.to_le_bytes());
    // Which thread made it does not matter; the main one has the number of the process.
    bytes.extend(pid.to_le_bytes());
    bytes.extend((code.address as u64).to_le_bytes());
    bytes.extend((code.address as u64).to_le_bytes());
    bytes.extend((instructions.len() as u64).to_le_bytes());
    let index = N_FUNCTIONS.fetch_add(1, Ordering::Relaxed);
    bytes.extend(index.to_le_bytes());
    bytes.extend(name);
    bytes.push(0);
    bytes.extend(instructions);
}

fn add_header(kind: u32, size: usize, bytes: &mut Vec<u8>) {
    bytes.extend(kind.to_le_bytes());
    bytes.extend(((RECORD_HEADER_SIZE + size) as u32).to_le_bytes());
    bytes.extend(now().to_le_bytes());
}

/// Nanoseconds of the clock that `perf record -k mono` uses.
fn now() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the function fills its argument.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
