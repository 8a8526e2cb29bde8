//! Memory of buffers: who frees it, and copies between layouts.

use std::ffi::c_void;
use std::sync::Arc;

use freehold::backend::jit::MemRefResult;

use crate::client::{Device, Machine};
use crate::element::Element;
use crate::event::Signal;
use crate::status::Status;

/// What addresses of memory are multiples of.
pub(crate) const ALIGNMENT: usize = 64;

/// Memory that a buffer is in. Freed with its last user.
pub(crate) struct Storage {
    address: usize,
    bytes: usize,
    owner: Owner,
    /// Where it is counted.
    device: i64,
    machine: Arc<Machine>,
}

/// Who the memory comes from.
enum Owner {
    /// The C library.
    Allocator,
    /// A compiled function.
    Function { _result: MemRefResult },
    /// A caller that waits until it is unused.
    Host(Signal),
    /// A caller who wants to be called then.
    Lender(Lender),
}

/// What a caller wants to be called when memory is given back.
pub(crate) struct Lender {
    pub callback: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
    pub argument: *mut c_void,
}

// SAFETY: the interface says that callbacks may come from any thread.
unsafe impl Send for Lender {}
// SAFETY: the only use is when it goes.
unsafe impl Sync for Lender {}

impl Drop for Storage {
    fn drop(&mut self) {
        match &self.owner {
            // SAFETY: it comes from there, and is not in use any more.
            Owner::Allocator => unsafe { libc::free(self.pointer().cast()) },
            Owner::Function { .. } => {}
            Owner::Host(signal) => signal.finish(Ok(())),
            Owner::Lender(lender) => {
                if let Some(callback) = lender.callback {
                    // SAFETY: the caller passed function and argument for this.
                    unsafe { callback(self.pointer().cast(), lender.argument) };
                }
            }
        }
        if let Ok(device) = self.machine.device(self.device) {
            device.released(self.bytes);
        }
    }
}

impl Storage {
    fn new(device: &Device, address: usize, bytes: usize, owner: Owner) -> Result<Self, Status> {
        let machine = device.machine()?;
        device.allocated(bytes);
        Ok(Self {
            address,
            bytes,
            owner,
            device: device.id().into(),
            machine,
        })
    }

    /// New memory.
    pub(crate) fn allocate(device: &Device, bytes: usize) -> Result<Self, Status> {
        let mut pointer = std::ptr::null_mut();
        // SAFETY: there is room for the pointer, and the alignment is a power of two.
        let failed = unsafe { libc::posix_memalign(&mut pointer, ALIGNMENT, bytes.max(1)) } != 0;
        if failed || pointer.is_null() {
            return Err(Status::out_of_memory(bytes));
        }
        Self::new(device, pointer.expose_provenance(), bytes, Owner::Allocator)
    }

    /// What a compiled function returned.
    pub(crate) fn of_result(
        device: &Device,
        result: MemRefResult,
        bytes: usize,
    ) -> Result<Self, Status> {
        let address = result.origin().expose_provenance();
        Self::new(device, address, bytes, Owner::Function { _result: result })
    }

    /// Memory of a caller, until `signal`.
    pub(crate) fn of_host(
        device: &Device,
        pointer: *const c_void,
        bytes: usize,
        signal: Signal,
    ) -> Result<Self, Status> {
        Self::new(
            device,
            pointer.expose_provenance(),
            bytes,
            Owner::Host(signal),
        )
    }

    /// Memory of a caller.
    pub(crate) fn lent(
        device: &Device,
        pointer: *mut c_void,
        bytes: usize,
        lender: Lender,
    ) -> Result<Self, Status> {
        Self::new(
            device,
            pointer.expose_provenance(),
            bytes,
            Owner::Lender(lender),
        )
    }

    pub(crate) fn pointer(&self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.address)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether no caller has something to say about this memory.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self.owner, Owner::Allocator | Owner::Function { .. })
    }

    /// The same bytes in new memory.
    pub(crate) fn copied(&self, device: &Device) -> Result<Self, Status> {
        let copy = Self::allocate(device, self.bytes)?;
        if self.bytes > 0 {
            // SAFETY: both have this number of bytes, and one is new.
            unsafe {
                copy.pointer()
                    .copy_from_nonoverlapping(self.pointer(), self.bytes)
            };
        }
        Ok(copy)
    }
}

/// The bytes that an array takes.
pub(crate) fn byte_size(element: Element, dims: &[i64]) -> Result<usize, Status> {
    let mut bytes = element.size();
    for &n in dims {
        let n = usize::try_from(n)
            .map_err(|_| Status::invalid(format!("a dimension has {n} elements")))?;
        bytes = (bytes.checked_mul(n))
            .filter(|&bytes| bytes <= isize::MAX as usize)
            .ok_or_else(|| Status::out_of_memory(usize::MAX))?;
    }
    Ok(bytes)
}

/// Strides in bytes of an array whose dimensions have this order, the innermost first.
pub(crate) fn strides(
    element: Element,
    dims: &[i64],
    minor_to_major: &[i64],
) -> Result<Vec<i64>, Status> {
    let mut strides = vec![0; dims.len()];
    let mut stride = element.size() as i64;
    let mut seen = vec![false; dims.len()];
    for &dim in minor_to_major {
        let at = usize::try_from(dim).ok().filter(|&dim| dim < dims.len());
        let at = at.filter(|&dim| !std::mem::replace(&mut seen[dim], true));
        let at = at.ok_or_else(|| Status::invalid("the layout does not fit the array"))?;
        strides[at] = stride;
        stride *= dims[at].max(1);
    }
    match seen.iter().all(|&seen| seen) {
        true => Ok(strides),
        false => Err(Status::invalid("the layout does not fit the array")),
    }
}

/// Strides in bytes of rows.
pub(crate) fn rows(element: Element, dims: &[i64]) -> Vec<i64> {
    let mut strides = vec![element.size() as i64; dims.len()];
    for dim in (1..dims.len()).rev() {
        strides[dim - 1] = strides[dim] * dims[dim].max(1);
    }
    strides
}

/// Whether two arrays of a shape have their elements at the same distances.
pub(crate) fn same_order(dims: &[i64], a: &[i64], b: &[i64]) -> bool {
    let mut all = dims.iter().zip(a.iter().zip(b));
    dims.contains(&0) || all.all(|(&n, (a, b))| n == 1 || a == b)
}

/// Copies an array.
///
/// # Safety
/// All elements must be readable and writable at these strides, in bytes, and the arrays must not overlap.
pub(crate) unsafe fn copy(
    element: Element,
    dims: &[i64],
    (from, from_strides): (*const u8, &[i64]),
    (to, to_strides): (*mut u8, &[i64]),
) {
    if dims.contains(&0) {
        return;
    }
    // The innermost dimensions that lie alike are one piece.
    let mut piece = element.size();
    let mut outer = dims.len();
    while outer > 0 {
        let dim = outer - 1;
        let lies = |strides: &[i64]| dims[dim] == 1 || strides[dim] == piece as i64;
        if !lies(from_strides) || !lies(to_strides) {
            break;
        }
        piece *= dims[dim] as usize;
        outer = dim;
    }
    let mut index = vec![0i64; outer];
    let (mut at, mut put) = (0i64, 0i64);
    loop {
        let (source, target) = (
            from.wrapping_offset(at as isize),
            to.wrapping_offset(put as isize),
        );
        // SAFETY: by the caller's promise. Constant sizes become one load and one store.
        unsafe {
            match piece {
                1 => target.write(source.read()),
                4 => target
                    .cast::<[u8; 4]>()
                    .write(source.cast::<[u8; 4]>().read()),
                8 => target
                    .cast::<[u8; 8]>()
                    .write(source.cast::<[u8; 8]>().read()),
                _ => target.copy_from_nonoverlapping(source, piece),
            }
        }
        let mut dim = outer;
        loop {
            if dim == 0 {
                return;
            }
            dim -= 1;
            index[dim] += 1;
            at += from_strides[dim];
            put += to_strides[dim];
            if index[dim] < dims[dim] {
                break;
            }
            at -= from_strides[dim] * dims[dim];
            put -= to_strides[dim] * dims[dim];
            index[dim] = 0;
        }
    }
}

/// Makes bytes of integers that are smaller than a byte what compiled code expects.
///
/// # Safety
/// This number of bytes must be readable and writable.
pub(crate) unsafe fn narrow_from_host(element: Element, pointer: *mut u8, n: usize) {
    if let Some((width, _)) = element.narrow() {
        let mask = (1u8 << width) - 1;
        for at in 0..n {
            // SAFETY: by the caller's promise.
            unsafe { *pointer.add(at) &= mask };
        }
    }
}

/// Makes them what hosts expect.
///
/// # Safety
/// This number of bytes must be readable and writable.
pub(crate) unsafe fn narrow_to_host(element: Element, pointer: *mut u8, n: usize) {
    if let Some((width, true)) = element.narrow() {
        let unused = 8 - width;
        for at in 0..n {
            // SAFETY: by the caller's promise.
            unsafe {
                let byte = pointer.add(at).read();
                pointer
                    .add(at)
                    .write(((byte << unused) as i8 >> unused) as u8);
            }
        }
    }
}
