//! Errors as callers see them: a code and a message.

use std::any::Any;
use std::fmt;

/// What kind of error it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    InvalidArgument = 3,
    NotFound = 5,
    ResourceExhausted = 8,
    Unimplemented = 12,
    Internal = 13,
}

/// An error.
#[derive(Clone, Debug)]
pub(crate) struct Status {
    pub code: Code,
    pub message: String,
}

impl Status {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, message)
    }

    pub(crate) fn unimplemented(message: impl Into<String>) -> Self {
        Self::new(Code::Unimplemented, message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(Code::Internal, message)
    }

    /// The same, and what it is about.
    pub(crate) fn of(self, what: &str) -> Self {
        let message = format!("{what}: {}", self.message);
        Self { message, ..self }
    }

    /// There is no memory for this number of bytes.
    pub(crate) fn out_of_memory(bytes: usize) -> Self {
        Self::new(
            Code::ResourceExhausted,
            format!("out of memory: cannot allocate {bytes} bytes"),
        )
    }

    /// A panic of the compiler, which is a bug in it.
    pub(crate) fn panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Self::internal(format!(
            "bug in freehold {}: {}",
            env!("CARGO_PKG_VERSION"),
            text.unwrap_or("a panic without a message")
        ))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
