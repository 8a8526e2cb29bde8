//! Memory for code and data of the JIT: one mapping per protection, made at the
//! size that a module needs.
//!
//! Unlike Cranelift's own providers this one reports what the system refuses,
//! and keeps all code together, however it is interleaved with data.

use std::io;

use cranelift_jit::{BranchProtection, JITMemoryKind, JITMemoryProvider};
use cranelift_module::{ModuleError, ModuleResult};
use region::{Allocation, Protection};

/// A page: offsets behind it are aligned like addresses.
const FRONT_BYTES: usize = 4096;

/// Memory with one protection, filled from the start.
struct Region {
    /// Whole pages; nothing for zero bytes.
    pages: Option<Allocation>,
    used: usize,
}

impl Region {
    /// Writable memory of at least `len` bytes, all zero.
    fn new(len: usize) -> io::Result<Self> {
        let pages = match len {
            0 => None,
            _ => Some(region::alloc(len, Protection::READ_WRITE).map_err(system_error)?),
        };
        Ok(Self { pages, used: 0 })
    }

    /// [`Region::new`] for data, with a page in front. A program that only prints which of its checks failed goes on, and may
    /// read before the first element of a constant.
    fn of_data(len: usize) -> io::Result<Self> {
        match len {
            0 => Self::new(0),
            _ => {
                let mut region = Self::new(len.saturating_add(FRONT_BYTES))?;
                region.used = FRONT_BYTES;
                Ok(region)
            }
        }
    }

    fn start(&mut self) -> *mut u8 {
        let pages = self.pages.as_mut();
        pages.map_or(std::ptr::dangling_mut(), Allocation::as_mut_ptr)
    }

    fn len(&self) -> usize {
        self.pages.as_ref().map_or(0, Allocation::len)
    }

    fn allocate(&mut self, size: usize, align: u64) -> io::Result<*mut u8> {
        let full = io::ErrorKind::OutOfMemory;
        let align = usize::try_from(align).map_err(|_| full)?;
        // The start is aligned to pages, so offsets are as good as addresses.
        let offset = self.used.checked_next_multiple_of(align).ok_or(full)?;
        let end = offset.checked_add(size).filter(|&end| end <= self.len());
        self.used = end.ok_or(full)?;
        Ok(self.start().wrapping_add(offset))
    }

    fn protect(&self, protection: Protection) -> io::Result<()> {
        let Some(pages) = &self.pages else {
            return Ok(());
        };
        // SAFETY: the pages are ours alone, and nothing in them is borrowed.
        unsafe { region::protect::<u8>(pages.as_ptr(), pages.len(), protection) }
            .map_err(system_error)
    }

    /// It has no user left, by the contract of `JITMemoryProvider::free_memory`.
    fn unmap(&mut self) {
        self.pages = None;
        self.used = 0;
    }
}

fn system_error(error: region::Error) -> io::Error {
    match error {
        region::Error::SystemCall(error) => error,
        other => io::Error::other(other),
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
        memory.read_only = Region::of_data(sizes.read_only)?;
        memory.writable = Region::of_data(sizes.writable)?;
        Ok(memory)
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

    // SAFETY: the caller promises that no code of this memory runs any more.
    unsafe fn free_memory(&mut self) {
        for region in [&mut self.code, &mut self.read_only, &mut self.writable] {
            region.unmap();
        }
    }

    fn finalize(&mut self, _: BranchProtection) -> ModuleResult<()> {
        let finished = self
            .code
            .protect(Protection::READ_EXECUTE)
            .and_then(|()| self.read_only.protect(Protection::READ));
        finished.map_err(|err| ModuleError::Allocation { err })?;
        clear_instruction_cache(self.code.start(), self.code.used);
        Ok(())
    }
}

/// Writes to memory that may be protected against that, and still is afterwards.
///
/// # Safety
/// The bytes at `to` are part of an allocation without other users.
pub(super) unsafe fn fill(to: *mut u8, bytes: &[u8]) -> io::Result<()> {
    // SAFETY: others on these pages may write there for a while, too, and do not.
    let _guard = unsafe { region::protect_with_handle(to, bytes.len(), Protection::READ_WRITE) }
        .map_err(system_error)?;
    // SAFETY: by the contract.
    unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(())
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
