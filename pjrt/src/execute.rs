//! Calls of compiled programs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use freehold::backend::jit::{Argument as Passed, Buffer as Descriptor, MemRefResult, ResultValue};
use freehold::threads::STACK_SIZE;

use crate::abi::{Handle, LoadedExecute};
use crate::buffer::Buffer;
use crate::client::Device;
use crate::event::{self, Event, Signal};
use crate::exchange::Run;
use crate::executable::{Array, ENTRY, Executable, Loaded, Output};
use crate::host;
use crate::promise::{Content, Promise};
use crate::status::{Code, Status};
use crate::storage::{self, Storage};
use crate::worker;

/// Nanoseconds from which on a program takes long: a switch of threads takes about 10,000.
const LONG: u64 = 500_000;

/// How many bytes of arguments may be copied for a program of unknown length. For others it is a byte per nanosecond, which
/// is a tenth of their time.
const COPIED: usize = 1 << 16;

pub(crate) fn execute(args: &mut LoadedExecute) -> Result<(), Status> {
    let loaded = args.executable.expect("program")?;
    loaded.expect_alive()?;
    let executable = &loaded.shared;
    if args.num_devices != executable.n_devices {
        let (n, expected) = (args.num_devices, executable.n_devices);
        let devices = if expected == 1 { "device" } else { "devices" };
        return Err(Status::invalid(format!(
            "the program is for {expected} {devices}, not {n}"
        )));
    }
    let (expected, n) = (executable.arguments.len(), args.num_args);
    if expected != n {
        return Err(Status::invalid(format!(
            "{} has {expected} arguments, not {n}",
            executable.name
        )));
    }
    // SAFETY: the interface promises one list per device, with all arguments, room for one list of outputs each, and
    // options or nothing.
    let (lists, options) = unsafe {
        let lists: Vec<&[Handle<Buffer>]> = (0..args.num_devices)
            .map(|device| match n {
                0 => &[][..],
                n => std::slice::from_raw_parts(*args.argument_lists.add(device), n),
            })
            .collect();
        (lists, args.options.as_ref())
    };
    let kept = options.map_or(&[][..], |options| options.non_donatable_input_indices.get());
    let results = match &lists[..] {
        [arguments] => {
            let device = device(loaded, args.execute_device)?;
            let call = Call::new(executable, arguments, kept)?;
            vec![match call.may_wait() {
                true => call.begin(device)?,
                false => call.run(device)?,
            }]
        }
        _ => run_together(loaded, &lists, kept)?,
    };
    for (device, outputs) in results.into_iter().enumerate() {
        for (index, result) in outputs.buffers.into_iter().enumerate() {
            // SAFETY: the interface promises room for all outputs.
            unsafe {
                (*args.output_lists.add(device))
                    .add(index)
                    .write(Handle::new(result))
            };
        }
        if !args.device_complete_events.is_null() {
            let end = outputs.end.map_or_else(event::ready, Handle::new);
            args.device_complete_events.put_at(device, end);
        }
    }
    Ok(())
}

/// Runs a program on several devices, each on a thread of its own.
fn run_together(
    loaded: &Loaded,
    lists: &[&[Handle<Buffer>]],
    kept: &[i64],
) -> Result<Vec<Outputs>, Status> {
    let places = Run::places(lists.len());
    let run_at = &|at: usize| {
        let work = || {
            let device = loaded.devices.get(at).copied().unwrap_or(Handle::NULL);
            Call::new(&loaded.shared, lists[at], kept)?.run(device.expect("device")?)
        };
        host::run_at(&places[at], work)
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..lists.len())
            .map(|at| {
                let thread = thread::Builder::new().name(format!("freehold:{at}"));
                let thread = thread.stack_size(STACK_SIZE);
                // Who cannot begin must not be waited for.
                let thread = thread.spawn_scoped(scope, move || run_at(at));
                thread.inspect_err(|_| places[at].leave())
            })
            .collect();
        let mut results = vec![run_at(0)];
        for other in others {
            let other = other.map_err(|error| {
                let message = format!("cannot start a thread for a device: {error}");
                Status::new(Code::ResourceExhausted, message)
            });
            results.push(other.and_then(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => Err(Status::panic(panic.as_ref())),
            }));
        }
        results.into_iter().collect()
    })
}

/// The device to run on.
fn device(loaded: &Loaded, asked: Handle<Device>) -> Result<&Device, Status> {
    match asked.get() {
        Some(device) => Ok(device),
        None => loaded
            .devices
            .first()
            .copied()
            .unwrap_or(Handle::NULL)
            .expect("device"),
    }
}

/// A program and its arguments, which fit.
struct Call {
    executable: Arc<Executable>,
    given: Vec<Content>,
}

/// What a program gives for a device.
struct Outputs {
    buffers: Vec<Buffer>,
    /// The end of the program, unless it is over.
    end: Option<Signal>,
}

impl Call {
    /// Takes the memory of arguments, away from those that are donated.
    fn new(
        executable: &Arc<Executable>,
        arguments: &[Handle<Buffer>],
        kept: &[i64],
    ) -> Result<Self, Status> {
        let mut given = Vec::with_capacity(arguments.len());
        let mut donated = Vec::new();
        for (index, (&handle, argument)) in arguments.iter().zip(&executable.arguments).enumerate()
        {
            let buffer = handle.expect("argument")?;
            let array = &argument.array;
            if buffer.element != array.element || buffer.dims != array.dims {
                let given = Array::new(buffer.element, buffer.dims.clone())?;
                return Err(Status::invalid(format!(
                    "argument #{index} of {} is {array}, not {given}",
                    executable.name
                )));
            }
            given.push(buffer.content()?);
            if argument.is_donated && !kept.contains(&(index as i64)) {
                donated.push(buffer);
            }
        }
        for &buffer in &donated {
            let is_same =
                |other: &Handle<Buffer>| other.get().is_some_and(|b| std::ptr::eq(b, buffer));
            if arguments.iter().filter(|other| is_same(other)).count() > 1 {
                return Err(Status::invalid(format!(
                    "Attempt to donate the same buffer twice in Execute(), or to donate and use it: {}",
                    executable.name
                )));
            }
        }
        // From here on nothing is left of what was donated but what the call has.
        donated.into_iter().for_each(Buffer::donate);
        let executable = executable.clone();
        Ok(Self { executable, given })
    }

    /// Whether the caller should not wait for this: it would take much longer than a switch of threads.
    fn may_wait(&self) -> bool {
        let last_run = self.executable.last_run.load(Ordering::Relaxed);
        let is_long = last_run >= LONG || !self.given.iter().all(Content::is_there);
        // Functions of the host may wait for programs that this thread calls later.
        if !is_long || self.executable.calls_host {
            return false;
        }
        let foreign = self.foreign().map(|(_, storage)| storage.bytes()).sum();
        COPIED.max(last_run as usize) >= foreign
    }

    /// The arguments in memory of callers, who may change it as soon as they have an answer.
    fn foreign(&self) -> impl Iterator<Item = (usize, &Arc<Storage>)> {
        let given = self.given.iter().enumerate();
        given.filter_map(|(index, given)| match given {
            Content::There(storage) if !storage.is_own() => Some((index, storage)),
            _ => None,
        })
    }

    /// Runs it on another thread.
    fn begin(mut self, device: &Device) -> Result<Outputs, Status> {
        let copies = self.foreign().map(|(index, storage)| {
            let copy = storage.copied(device)?;
            Ok((index, Arc::new(copy)))
        });
        for (index, copy) in copies.collect::<Result<Vec<_>, Status>>()? {
            self.given[index] = copy.into();
        }
        let end = Arc::new(Event::default());
        let promise = |_: &Output| Arc::new(Promise::new(end.clone()));
        let promises: Vec<_> = self.executable.outputs.iter().map(promise).collect();
        let contents = promises.iter().cloned().map(Content::Promised);
        let outputs = Outputs {
            buffers: buffers(&self.executable, device, contents)?,
            end: Some(end.clone()),
        };
        let (machine, id) = (device.machine()?, device.id());
        let work = move || {
            let run = || self.results(machine.device(id.into())?);
            let outcome = catch_unwind(AssertUnwindSafe(run));
            let outcome = outcome.unwrap_or_else(|panic| Err(Status::panic(panic.as_ref())));
            let outcome = outcome.map(|results| {
                for (promise, storage) in promises.into_iter().zip(results) {
                    promise.keep(storage);
                }
            });
            end.finish(outcome);
        };
        worker::run_later(id, Box::new(work))?;
        Ok(outputs)
    }

    /// Runs it.
    fn run(self, device: &Device) -> Result<Outputs, Status> {
        let executable = self.executable.clone();
        let contents = self.results(device)?.into_iter().map(Content::There);
        Ok(Outputs {
            buffers: buffers(&executable, device, contents)?,
            end: None,
        })
    }

    /// The memory of all outputs.
    fn results(self, device: &Device) -> Result<Vec<Arc<Storage>>, Status> {
        let executable = &*self.executable;
        let given = self.given.into_iter().map(Content::wait);
        let mut given = given.collect::<Result<Vec<_>, _>>()?;
        for (storage, argument) in given.iter_mut().zip(&executable.arguments) {
            // The program writes to these.
            let is_exclusive =
                |storage: &mut Arc<Storage>| Arc::get_mut(storage).is_some_and(|own| own.is_own());
            if argument.is_donated && !is_exclusive(storage) {
                *storage = Arc::new(storage.copied(device)?);
            }
        }
        let begin = Instant::now();
        let results = call(executable, &given)?;
        let nanos = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        executable.last_run.store(nanos, Ordering::Relaxed);
        let mut outputs: Vec<Arc<Storage>> = Vec::with_capacity(results.len());
        for (result, output) in results.into_iter().zip(&executable.outputs) {
            let array = &output.array;
            let ResultValue::MemRef(result) = result else {
                return Err(Status::internal("a program returned no array"));
            };
            outputs.push(match kept_argument(array, &result, &given) {
                Some(storage) => storage,
                None => Arc::new(receive(device, array, result, &outputs)?),
            });
        }
        Ok(outputs)
    }
}

/// The outputs of a program.
fn buffers(
    executable: &Executable,
    device: &Device,
    contents: impl Iterator<Item = Content>,
) -> Result<Vec<Buffer>, Status> {
    let outputs = executable.outputs.iter().zip(contents);
    outputs
        .map(|(Output { array, kind }, content)| {
            Buffer::new((device, *kind), array.element, &array.dims, content)
        })
        .collect()
}

/// Calls the code.
fn call(executable: &Executable, given: &[Arc<Storage>]) -> Result<Vec<ResultValue>, Status> {
    let function = executable.compiled.jit().get_function(ENTRY);
    let function = function.map_err(|error| Status::internal(error.to_string()))?;
    let descriptors = given
        .iter()
        .zip(&executable.arguments)
        .map(|(given, argument)| {
            let array = &argument.array;
            // SAFETY: storage is as large as its array, and kept during the call. Programs write only to donated
            // arguments, which have no other user.
            unsafe {
                Descriptor::from_raw(
                    given.pointer(),
                    array.element.ty,
                    &array.sizes,
                    &array.strides,
                    argument.is_donated,
                )
            }
        });
    let descriptors: Vec<_> = descriptors
        .collect::<Result<_, _>>()
        .map_err(|error| Status::invalid(error.to_string()))?;
    let arguments: Vec<Passed<'_>> = descriptors.iter().map(Passed::MemRef).collect();
    let outcome =
        host::run(|| catch_unwind(AssertUnwindSafe(|| function.call_sharing(&arguments))))?;
    let outcome = outcome.map_err(|panic| Status::panic(panic.as_ref()))?;
    outcome.map_err(|error| Status::internal(error.to_string()))
}

/// The memory of an argument, if all of it is a result.
fn kept_argument(
    array: &Array,
    result: &MemRefResult,
    given: &[Arc<Storage>],
) -> Option<Arc<Storage>> {
    if result.owns_memory() || array.bytes == 0 {
        return None;
    }
    let strides = strides(array, result);
    let is_same =
        |given: &&Arc<Storage>| given.pointer() == result.origin() && given.bytes() == array.bytes;
    let found = given.iter().find(is_same)?;
    let rows = storage::rows(array.element, &array.dims);
    storage::same_order(&array.dims, &strides, &rows).then(|| found.clone())
}

/// The strides of a result, in bytes.
fn strides(array: &Array, result: &MemRefResult) -> Vec<i64> {
    let size = array.element.size() as isize;
    let strides = result.strides().iter();
    strides.map(|&stride| (stride * size) as i64).collect()
}

/// The memory of a result: that of the program if it is in rows and no other result is in it.
fn receive(
    device: &Device,
    array: &Array,
    result: MemRefResult,
    taken: &[Arc<Storage>],
) -> Result<Storage, Status> {
    let element = array.element;
    let strides = strides(array, &result);
    let rows = storage::rows(element, &array.dims);
    let range = result.origin().addr()..result.origin().addr() + array.bytes;
    let is_shared = taken.iter().any(|other| {
        let start = other.pointer().addr();
        start < range.end && range.start < start + other.bytes()
    });
    if result.owns_memory() && !is_shared && storage::same_order(&array.dims, &strides, &rows) {
        return Storage::of_result(device, result, array.bytes);
    }
    let copy = Storage::allocate(device, array.bytes)?;
    let from = (result.origin().cast_const(), &strides[..]);
    // SAFETY: the program vouches for its elements, and the memory is new.
    unsafe { storage::copy(element, &array.dims, from, (copy.pointer(), &rows)) };
    Ok(copy)
}
