//! Buffers: arrays on a device, in rows.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::abi::{
    BufferCopyRawToHost, BufferCopyToDevice, BufferCopyToMemory, BufferDevice, BufferDimensions,
    BufferDynamicDimensions, BufferElementType, BufferFlag, BufferGetMemoryLayout, BufferMemory,
    BufferNumber, BufferOnly, BufferPointer, BufferReadyEvent, BufferToHostBuffer,
    ClientBufferFromHostBuffer, ClientCreateUninitializedBuffer, ClientCreateViewOfDeviceBuffer,
    Handle, List, MemoryLayout, TiledLayout, host_buffer, layout,
};
use crate::client::{Device, Kind, Machine, place_of};
use crate::element::Element;
use crate::event::{self, Event};
use crate::promise::Content;
use crate::status::Status;
use crate::storage::{self, Lender, Storage};

/// What host memory must be aligned to, so that buffers can be where it is.
const HOST_ALIGNMENT: usize = 16;

/// An array on a device.
pub(crate) struct Buffer {
    machine: Arc<Machine>,
    device: i64,
    kind: Kind,
    pub element: Element,
    pub dims: Vec<i64>,
    /// The order of dimensions, the innermost first, for callers who ask.
    order: Vec<i64>,
    state: Mutex<State>,
}

/// The memory of a buffer.
struct State {
    /// `None` if it was deleted or donated.
    content: Option<Content>,
    /// The memory as others use it by its address.
    lent: Vec<Arc<Storage>>,
}

impl Buffer {
    pub(crate) fn new(
        (device, kind): (&Device, Kind),
        element: Element,
        dims: &[i64],
        content: Content,
    ) -> Result<Self, Status> {
        Ok(Self {
            machine: device.machine()?,
            device: device.id().into(),
            kind,
            element,
            dims: dims.to_vec(),
            order: (0..dims.len() as i64).rev().collect(),
            state: Mutex::new(State {
                content: Some(content),
                lent: Vec::new(),
            }),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The device that it is on.
    pub(crate) fn device(&self) -> Result<&Device, Status> {
        self.machine.device(self.device)
    }

    /// Its memory, or the promise of it.
    ///
    /// # Errors
    /// If it was deleted or donated.
    pub(crate) fn content(&self) -> Result<Content, Status> {
        let gone = || Status::invalid("buffer has been deleted or donated");
        let mut state = self.state();
        let content = state.content.as_mut().ok_or_else(gone)?;
        content.settle();
        Ok(content.clone())
    }

    /// Its memory, once the program that computes it is over.
    ///
    /// # Errors
    /// If it was deleted or donated, or the program failed.
    fn storage(&self) -> Result<Arc<Storage>, Status> {
        self.content()?.wait()
    }

    /// Takes its memory away.
    pub(crate) fn donate(&self) {
        drop(self.state().content.take());
    }

    fn copy_to(&self, place: (&Device, Kind)) -> Result<Handle<Self>, Status> {
        let copy = self.storage()?.copied(place.0)?;
        let copy = Self::new(place, self.element, &self.dims, Arc::new(copy).into())?;
        Ok(Handle::new(copy))
    }
}

/// The strides in bytes that a layout means.
///
/// # Safety
/// The pointer must be null or point to a layout.
unsafe fn layout_strides(
    wanted: *const MemoryLayout,
    element: Element,
    dims: &[i64],
) -> Result<Vec<i64>, Status> {
    // SAFETY: by the caller's promise.
    let Some(wanted) = (unsafe { wanted.as_ref() }) else {
        return Ok(storage::rows(element, dims));
    };
    match wanted.kind {
        layout::TILED if wanted.tiled.num_tiles > 0 => Err(Status::unimplemented(
            "layouts with tiles are not supported",
        )),
        layout::TILED => storage::strides(element, dims, wanted.tiled.minor_to_major.get()),
        layout::STRIDES => match wanted.tiled.minor_to_major.get() {
            strides if strides.len() == dims.len() => Ok(strides.to_vec()),
            _ => Err(Status::invalid("the layout does not fit the array")),
        },
        other => Err(Status::invalid(format!(
            "there is no layout of kind {other}"
        ))),
    }
}

/// Refuses all layouts on devices but rows.
///
/// # Safety
/// The pointer must be null or point to a layout.
unsafe fn expect_rows(
    wanted: *const MemoryLayout,
    element: Element,
    dims: &[i64],
) -> Result<(), Status> {
    // SAFETY: by the caller's promise.
    let strides = unsafe { layout_strides(wanted, element, dims)? };
    match storage::same_order(dims, &strides, &storage::rows(element, dims)) {
        true => Ok(()),
        false => Err(Status::unimplemented(format!(
            "arrays on devices are in rows: strides of {strides:?} bytes are not supported"
        ))),
    }
}

/// A buffer for the caller.
fn hand_out(
    place: (&Device, Kind),
    element: Element,
    dims: &[i64],
    storage: Storage,
) -> Result<Handle<Buffer>, Status> {
    let content = Arc::new(storage).into();
    Ok(Handle::new(Buffer::new(place, element, dims, content)?))
}

pub(crate) fn from_host(args: &mut ClientBufferFromHostBuffer) -> Result<(), Status> {
    let machine = &args.client.expect("client")?.machine;
    let place = place_of(machine, args.device, args.memory)?;
    let element = Element::of_code(args.element)?;
    let dims = args.dims.get();
    // SAFETY: the interface promises a layout or nothing.
    unsafe { expect_rows(args.device_layout, element, dims)? };
    let rows = storage::rows(element, dims);
    let strides = match args.byte_strides.get() {
        [] => rows.clone(),
        strides if strides.len() == dims.len() => strides.to_vec(),
        _ => return Err(Status::invalid("there is not one stride per dimension")),
    };
    let bytes = storage::byte_size(element, dims)?;
    if args.data.is_null() && bytes > 0 {
        return Err(Status::invalid("the data are null"));
    }
    let stays = matches!(
        args.host_buffer_semantics,
        host_buffer::ZERO_COPY | host_buffer::MUTABLE_ZERO_COPY
    );
    let is_usable = args.data.addr().is_multiple_of(HOST_ALIGNMENT)
        && storage::same_order(dims, &strides, &rows)
        && element.narrow().is_none()
        && bytes > 0;
    let (storage, done) = match stays && is_usable {
        true => {
            let done = Arc::new(Event::default());
            let storage = Storage::of_host(place.0, args.data, bytes, done.clone())?;
            (storage, Handle::new(done))
        }
        false => {
            let storage = Storage::allocate(place.0, bytes)?;
            let (from, to) = (args.data.cast::<u8>(), storage.pointer());
            // SAFETY: the interface promises the elements at these strides, and the memory is new.
            unsafe {
                storage::copy(element, dims, (from, &strides), (to, &rows));
                storage::narrow_from_host(element, to, bytes);
            }
            (storage, event::ready())
        }
    };
    args.buffer = hand_out(place, element, dims, storage)?;
    args.done_with_host_buffer = done;
    Ok(())
}

pub(crate) fn uninitialized(args: &mut ClientCreateUninitializedBuffer) -> Result<(), Status> {
    let machine = &args.client.expect("client")?.machine;
    let place = place_of(machine, args.device, args.memory)?;
    let element = Element::of_code(args.element)?;
    let dims = args.dims.get();
    // SAFETY: the interface promises a layout or nothing.
    unsafe { expect_rows(args.layout, element, dims)? };
    let bytes = storage::byte_size(element, dims)?;
    let storage = Storage::allocate(place.0, bytes)?;
    // SAFETY: there are `bytes` bytes. Compiled code relies on elements being values.
    unsafe { storage.pointer().write_bytes(0, bytes) };
    args.buffer = hand_out(place, element, dims, storage)?;
    Ok(())
}

pub(crate) fn view(args: &mut ClientCreateViewOfDeviceBuffer) -> Result<(), Status> {
    let machine = &args.client.expect("client")?.machine;
    let place = place_of(machine, args.device, args.memory)?;
    let element = Element::of_code(args.element)?;
    let dims = args.dims.get();
    // SAFETY: the interface promises a layout or nothing.
    unsafe { expect_rows(args.layout, element, dims)? };
    let bytes = storage::byte_size(element, dims)?;
    let pointer = args.device_buffer_ptr;
    let alignment = element.ty.alignment();
    if bytes > 0 && (pointer.is_null() || !pointer.addr().is_multiple_of(alignment)) {
        return Err(Status::invalid(format!(
            "the address {:#x} of a view is no multiple of {alignment}",
            pointer.addr()
        )));
    }
    let lender = Lender {
        callback: args.on_delete_callback,
        argument: args.on_delete_callback_arg,
    };
    let storage = Storage::lent(place.0, pointer, bytes, lender)?;
    args.buffer = hand_out(place, element, dims, storage)?;
    Ok(())
}

pub(crate) fn destroy(args: &mut BufferOnly) -> Result<(), Status> {
    drop(args.buffer.take());
    Ok(())
}

pub(crate) fn element_type(args: &mut BufferElementType) -> Result<(), Status> {
    args.element = args.buffer.expect("buffer")?.element.code;
    Ok(())
}

pub(crate) fn dimensions(args: &mut BufferDimensions) -> Result<(), Status> {
    args.dims = List::of(&args.buffer.expect("buffer")?.dims);
    Ok(())
}

pub(crate) fn dynamic_dimensions(args: &mut BufferDynamicDimensions) -> Result<(), Status> {
    args.dims = List::of(&[]);
    Ok(())
}

pub(crate) fn memory_layout(args: &mut BufferGetMemoryLayout) -> Result<(), Status> {
    let buffer = args.buffer.expect("buffer")?;
    args.layout = MemoryLayout {
        struct_size: size_of::<MemoryLayout>(),
        extension_start: std::ptr::null_mut(),
        tiled: TiledLayout {
            struct_size: size_of::<TiledLayout>(),
            extension_start: std::ptr::null_mut(),
            minor_to_major: List::of(&buffer.order),
            tile_dims: std::ptr::null(),
            tile_dim_sizes: std::ptr::null(),
            num_tiles: 0,
        },
        kind: layout::TILED,
    };
    Ok(())
}

pub(crate) fn byte_size(args: &mut BufferNumber) -> Result<(), Status> {
    let buffer = args.buffer.expect("buffer")?;
    buffer.content()?;
    args.number = storage::byte_size(buffer.element, &buffer.dims)?;
    Ok(())
}

pub(crate) fn device(args: &mut BufferDevice) -> Result<(), Status> {
    args.device = Handle::to(args.buffer.expect("buffer")?.device()?);
    Ok(())
}

pub(crate) fn memory(args: &mut BufferMemory) -> Result<(), Status> {
    let buffer = args.buffer.expect("buffer")?;
    args.memory = Handle::to(buffer.device()?.memory(buffer.kind));
    Ok(())
}

pub(crate) fn delete(args: &mut BufferOnly) -> Result<(), Status> {
    args.buffer.expect("buffer")?.donate();
    Ok(())
}

pub(crate) fn is_deleted(args: &mut BufferFlag) -> Result<(), Status> {
    args.flag = args.buffer.expect("buffer")?.state().content.is_none();
    Ok(())
}

/// Whether hosts may look at the memory where it is.
pub(crate) fn is_on_cpu(args: &mut BufferFlag) -> Result<(), Status> {
    args.flag = args.buffer.expect("buffer")?.element.narrow().is_none();
    Ok(())
}

pub(crate) fn copy_to_device(args: &mut BufferCopyToDevice) -> Result<(), Status> {
    let device = args.device.expect("device")?;
    args.copy = (args.buffer.expect("buffer")?).copy_to((device, Kind::default()))?;
    Ok(())
}

pub(crate) fn copy_to_memory(args: &mut BufferCopyToMemory) -> Result<(), Status> {
    let memory = args.memory.expect("memory")?;
    let place = (memory.device()?, memory.kind);
    args.copy = args.buffer.expect("buffer")?.copy_to(place)?;
    Ok(())
}

pub(crate) fn to_host(args: &mut BufferToHostBuffer) -> Result<(), Status> {
    let buffer = args.buffer.expect("buffer")?;
    let (element, dims) = (buffer.element, &buffer.dims[..]);
    let storage = buffer.storage()?;
    if args.dst.is_null() {
        args.dst_size = storage.bytes();
        return Ok(());
    }
    if args.dst_size < storage.bytes() {
        let (room, bytes) = (args.dst_size, storage.bytes());
        return Err(Status::invalid(format!(
            "there is room for {room} bytes, and the array has {bytes}"
        )));
    }
    // SAFETY: the interface promises a layout or nothing.
    let strides = unsafe { layout_strides(args.host_layout, element, dims)? };
    let (from, to) = (storage.pointer().cast_const(), args.dst.cast::<u8>());
    // SAFETY: the interface promises room for the elements, which was asked for.
    unsafe {
        storage::copy(
            element,
            dims,
            (from, &storage::rows(element, dims)),
            (to, &strides),
        );
        storage::narrow_to_host(element, to, storage.bytes());
    }
    args.event = event::ready();
    Ok(())
}

pub(crate) fn copy_raw_to_host(args: &mut BufferCopyRawToHost) -> Result<(), Status> {
    let storage = args.buffer.expect("buffer")?.storage()?;
    let range = usize::try_from(args.offset)
        .ok()
        .zip(usize::try_from(args.transfer_size).ok());
    let range = range.filter(|&(offset, n)| {
        offset
            .checked_add(n)
            .is_some_and(|end| end <= storage.bytes())
    });
    let Some((offset, n)) = range else {
        return Err(Status::invalid("the bytes are outside of the array"));
    };
    // SAFETY: the bytes are within the array, and the interface promises room for them.
    unsafe {
        let from = storage.pointer().add(offset);
        args.dst.cast::<u8>().copy_from_nonoverlapping(from, n);
    }
    args.event = event::ready();
    Ok(())
}

pub(crate) fn ready_event(args: &mut BufferReadyEvent) -> Result<(), Status> {
    args.event = match args.buffer.expect("buffer")?.content() {
        Ok(Content::Promised(promise)) => Handle::new(promise.event()),
        _ => event::ready(),
    };
    Ok(())
}

pub(crate) fn pointer(args: &mut BufferPointer) -> Result<(), Status> {
    let storage = args.buffer.expect("buffer")?.storage()?;
    args.pointer = storage.pointer().expose_provenance();
    Ok(())
}

pub(crate) fn lend(args: &mut BufferOnly) -> Result<(), Status> {
    let buffer = args.buffer.expect("buffer")?;
    let storage = buffer.storage()?;
    buffer.state().lent.push(storage);
    Ok(())
}

pub(crate) fn give_back(args: &mut BufferOnly) -> Result<(), Status> {
    let lent = args.buffer.expect("buffer")?.state().lent.pop();
    match lent {
        Some(_) => Ok(()),
        None => Err(Status::invalid("this buffer has no other user")),
    }
}
