//! Memory for code and data of the JIT: one mapping per protection, made at the
//! size that a module needs.
//!
//! Unlike Cranelift's own providers this one reports what the system refuses,
//! and keeps all code together, however it is interleaved with data.

use std::ffi::{c_int, c_void};
use std::io;

use cranelift_jit::{BranchProtection, JITMemoryKind, JITMemoryProvider};
use cranelift_module::{ModuleError, ModuleResult};

unsafe extern "C" {
    pub(super) fn mmap(
        address: *mut c_void,
        length: usize,
        protection: c_int,
        flags: c_int,
        file: c_int,
        offset: i64,
    ) -> *mut c_void;
    fn mprotect(address: *mut c_void, length: usize, protection: c_int) -> c_int;
    fn munmap(address: *mut c_void, length: usize) -> c_int;
}

pub(super) const PROT_READ: c_int = 1;
const PROT_WRITE: c_int = 2;
pub(super) const PROT_EXEC: c_int = 4;
pub(super) const MAP_PRIVATE: c_int = 2;
#[cfg(target_os = "linux")]
const MAP_ANONYMOUS: c_int = 0x20;
#[cfg(not(target_os = "linux"))]
const MAP_ANONYMOUS: c_int = 0x1000;

/// Regions begin and end on pages of any supported system.
const PAGE: usize = 1 << 16;

/// Memory with one protection, filled from the start.
struct Region {
    start: *mut u8,
    len: usize,
    used: usize,
}

impl Region {
    /// Writable memory of at least `len` bytes, all zero.
    fn new(len: usize) -> io::Result<Self> {
        let len = len
            .checked_next_multiple_of(PAGE)
            .ok_or(io::ErrorKind::OutOfMemory)?;
        if len == 0 {
            return Ok(Self {
                start: std::ptr::dangling_mut(),
                len,
                used: 0,
            });
        }
        // SAFETY: a new private mapping touches no memory that is in use.
        let start = unsafe {
            mmap(
                std::ptr::null_mut(),
                len,
                PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        // MAP_FAILED is -1.
        if start.addr() == usize::MAX {
            return Err(io::Error::last_os_error());
        }
        Ok(Self {
            start: start.cast(),
            len,
            used: 0,
        })
    }

    fn allocate(&mut self, size: usize, align: u64) -> io::Result<*mut u8> {
        let full = io::ErrorKind::OutOfMemory;
        let align = usize::try_from(align).map_err(|_| full)?;
        // The start is aligned to pages, so offsets are as good as addresses.
        let offset = self.used.checked_next_multiple_of(align).ok_or(full)?;
        let end = offset.checked_add(size).filter(|&end| end <= self.len);
        self.used = end.ok_or(full)?;
        Ok(self.start.wrapping_add(offset))
    }

    fn protect(&self, protection: c_int) -> io::Result<()> {
        if self.len == 0 {
            return Ok(());
        }
        // SAFETY: the region is a mapping of ours, and nothing in it is borrowed.
        match unsafe { mprotect(self.start.cast(), self.len, protection) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    fn unmap(&mut self) {
        if self.len > 0 {
            // SAFETY: the region is a mapping of ours, which nobody uses any more
            // by the contract of `JITMemoryProvider::free_memory`.
            unsafe { munmap(self.start.cast(), self.len) };
            self.len = 0;
            self.used = 0;
        }
    }
}

/// How many bytes of each kind a module needs, alignment included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sizes {
    /// Instructions.
    pub(super) code: usize,
    /// Constants.
    pub(super) read_only: usize,
    /// Variables.
    pub(super) writable: usize,
}

/// See the module doc.
pub(super) struct Memory {
    code: Region,
    read_only: Region,
    writable: Region,
}

// SAFETY: the regions belong to this value alone.
unsafe impl Send for Memory {}

impl Memory {
    /// Room for a module of these sizes.
    pub(super) fn new(sizes: Sizes) -> io::Result<Self> {
        let mut memory = Self {
            code: Region::new(sizes.code)?,
            read_only: Region::new(0)?,
            writable: Region::new(0)?,
        };
        // One at a time, so that what was mapped is released if the next fails.
        memory.read_only = Region::new(sizes.read_only)?;
        memory.writable = Region::new(sizes.writable)?;
        Ok(memory)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        for region in [&mut self.code, &mut self.read_only, &mut self.writable] {
            region.unmap();
        }
    }
}

impl JITMemoryProvider for Memory {
    fn allocate(&mut self, size: usize, align: u64, kind: JITMemoryKind) -> io::Result<*mut u8> {
        let region = match kind {
            JITMemoryKind::Executable => &mut self.code,
            JITMemoryKind::ReadOnly => &mut self.read_only,
            JITMemoryKind::Writable => &mut self.writable,
        };
        region.allocate(size, align)
    }

    unsafe fn free_memory(&mut self) {
        for region in [&mut self.code, &mut self.read_only, &mut self.writable] {
            region.unmap();
        }
    }

    fn finalize(&mut self, _: BranchProtection) -> ModuleResult<()> {
        let finished = self
            .code
            .protect(PROT_READ | PROT_EXEC)
            .and_then(|()| self.read_only.protect(PROT_READ));
        finished.map_err(|err| ModuleError::Allocation { err })?;
        clear_instruction_cache(self.code.start, self.code.used);
        Ok(())
    }
}

/// Makes instructions that were written as data visible to the processor.
#[cfg(not(target_arch = "aarch64"))]
fn clear_instruction_cache(_: *mut u8, _: usize) {}

/// Makes instructions that were written as data visible to the processor.
#[cfg(target_arch = "aarch64")]
fn clear_instruction_cache(start: *mut u8, len: usize) {
    unsafe extern "C" {
        fn __clear_cache(start: *mut u8, end: *mut u8);
    }
    // SAFETY: the range is memory of ours.
    unsafe { __clear_cache(start, start.wrapping_add(len)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_aligned_and_bounded() {
        let sizes = Sizes {
            writable: 10_000,
            ..Sizes::default()
        };
        let mut memory = Memory::new(sizes).unwrap();
        for align in [1, 8, 64, 4096] {
            let at = memory.allocate(3, align, JITMemoryKind::Writable).unwrap();
            assert_eq!(at.addr() % align as usize, 0);
        }
        assert!(memory.allocate(1, 1, JITMemoryKind::Executable).is_err());
        assert!(
            memory
                .allocate(1 << 30, 1, JITMemoryKind::Writable)
                .is_err()
        );
    }

    #[test]
    fn what_the_system_refuses_is_an_error() {
        let sizes = Sizes {
            writable: usize::MAX / 2,
            ..Sizes::default()
        };
        assert!(Memory::new(sizes).is_err());
    }
}
