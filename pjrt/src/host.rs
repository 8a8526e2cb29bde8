//! What compiled programs call in this process: functions of the program that uses this library, which it knows by number.
//!
//! Whoever wants to be called passes one function to [`freehold_set_callback`]. It gets the number that stands in a custom
//! call of `freehold.host`, and the addresses of operands and results.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use freehold::passes::stablehlo::stablehlo_call_host::ONCE;
use freehold::passes::stablehlo::stablehlo_collectives_on_host::{EXCHANGE, OWN_NUMBER};

use crate::exchange::{self, Place};
use crate::status::Status;

/// A number, the addresses of operands and results, and whether nothing is to be done but to write zeros to the results.
type Callback = unsafe extern "C" fn(i64, *const *mut c_void, i32);

/// The address of the function, or 0.
static CALLBACK: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Which of several devices this thread is.
    static PLACE: RefCell<Option<Arc<Place>>> = const { RefCell::new(None) };
    /// Why the program that runs on this thread has failed.
    static FAILURE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Sets the function that programs call.
///
/// # Safety
/// It must be one as long as programs run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_set_callback(callback: Option<Callback>) {
    let address = callback.map_or(0, |callback| callback as usize);
    CALLBACK.store(address, Ordering::Release);
}

/// Says, in a callback, that the program has failed. The rest of it runs without further callbacks.
///
/// # Safety
/// `message` must be text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_fail(message: *const c_char) {
    // SAFETY: by the caller's promise.
    let message = unsafe { CStr::from_ptr(message) };
    fail(message.to_string_lossy().into_owned());
}

fn fail(message: String) {
    FAILURE.with_borrow_mut(|failure| {
        failure.get_or_insert(message);
    });
}

/// What compiled code calls.
///
/// # Safety
/// `words` must be what the custom call of this number has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_host_call(number: i64, words: *const *mut c_void) {
    if number < 0 {
        let place = PLACE.with_borrow(Option::clone);
        // SAFETY: by the caller's promise, these are the words of this function.
        let outcome = unsafe { collective(place.as_deref(), number, words) };
        return outcome.unwrap_or_else(fail);
    }
    let address = CALLBACK.load(Ordering::Acquire);
    if address == 0 {
        return fail("the program calls functions of the process that made it".to_owned());
    }
    let is_another = number & ONCE != 0
        && PLACE.with_borrow(|place| place.as_ref().is_some_and(|place| place.number != 0));
    let is_over = is_another || FAILURE.with_borrow(Option::is_some);
    // SAFETY: only functions are stored there.
    let callback = unsafe { std::mem::transmute::<usize, Callback>(address) };
    // SAFETY: by the caller's promise.
    unsafe { callback(number & !ONCE, words, is_over.into()) };
}

/// What several devices do together.
///
/// # Safety
/// `words` must be what the custom call of this number has.
unsafe fn collective(
    place: Option<&Place>,
    number: i64,
    words: *const *mut c_void,
) -> Result<(), String> {
    let place = place.ok_or("the program runs on several devices together")?;
    // SAFETY: by the caller's promise.
    unsafe {
        match number {
            EXCHANGE => {
                let [from, table, to] = words.cast::<[*mut u8; 3]>().read();
                exchange::exchange(place, from, table.cast(), to)
            }
            OWN_NUMBER => {
                words.cast::<*mut u32>().read().write(place.number as u32);
                Ok(())
            }
            _ => Err(format!("there is no function {number} of the host")),
        }
    }
}

/// Calls a program as one of several devices.
pub(crate) fn run_at<T>(place: &Arc<Place>, program: impl FnOnce() -> T) -> T {
    let around = PLACE.replace(Some(place.clone()));
    let outcome = program();
    place.leave();
    PLACE.set(around);
    outcome
}

/// Calls a program, whose callbacks may fail and may run programs themselves.
pub(crate) fn run<T>(program: impl FnOnce() -> T) -> Result<T, Status> {
    let around = FAILURE.take();
    let outcome = program();
    match FAILURE.replace(around) {
        Some(message) => Err(Status::internal(message)),
        None => Ok(outcome),
    }
}

/// The library that this function is in.
pub(crate) fn library() -> Option<String> {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    let here = library as *const c_void;
    // SAFETY: there is room for the outcome.
    let found = unsafe { libc::dladdr(here, info.as_mut_ptr()) } != 0;
    // SAFETY: zeros are a valid value, and the name is text if it is there.
    let name = unsafe { info.assume_init() }.dli_fname;
    // SAFETY: as above.
    let name = (found && !name.is_null()).then(|| unsafe { CStr::from_ptr(name) });
    name.map(|name| name.to_string_lossy().into_owned())
}
