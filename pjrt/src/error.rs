//! Errors in the hands of callers.

use crate::abi::{ErrorDestroy, ErrorGetCode, ErrorMessage, Handle, Text};
use crate::status::Status;

pub(crate) fn destroy(args: &mut ErrorDestroy) {
    drop(args.error.take());
}

pub(crate) fn message(args: &mut ErrorMessage) {
    args.message = Text::new(args.error.get().map_or("", |error| &error.message));
}

pub(crate) fn code(args: &mut ErrorGetCode) -> Result<(), Status> {
    args.code = args.error.expect("error")?.code as i32;
    Ok(())
}

/// An error in the hands of a caller.
pub(crate) fn hand_over(result: Result<(), Status>) -> Handle<Status> {
    match result {
        Ok(()) => Handle::NULL,
        Err(status) => Handle::new(status),
    }
}
