//! Places in the source of a program, which compiled code hands over with allocations and frees.

/// A place in the source of the program: where an operation is written.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AllocSite {
    /// Name of the file; need not end with a zero byte.
    pub file: *const u8,
    /// Length of the name. Zero means that the place is unknown.
    pub file_len: u64,
    /// Line, counted from one.
    pub line: u32,
    /// Column, counted from one.
    pub column: u32,
}

// SAFETY: a site is constant data, never written through its pointer.
unsafe impl Sync for AllocSite {}
// SAFETY: as above.
unsafe impl Send for AllocSite {}
