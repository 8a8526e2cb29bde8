//! Memory that a program on another thread has yet to fill.

use std::sync::{Arc, OnceLock};

use crate::event::Signal;
use crate::status::Status;
use crate::storage::Storage;

/// What a buffer holds.
#[derive(Clone)]
pub(crate) enum Content {
    There(Arc<Storage>),
    Promised(Arc<Promise>),
}

/// A result of a program that may still run.
pub(crate) struct Promise {
    /// The end of the program.
    event: Signal,
    storage: OnceLock<Arc<Storage>>,
}

impl From<Arc<Storage>> for Content {
    fn from(storage: Arc<Storage>) -> Self {
        Self::There(storage)
    }
}

impl Content {
    /// Whether no program has to end first.
    pub(crate) fn is_there(&self) -> bool {
        match self {
            Self::There(_) => true,
            Self::Promised(promise) => promise.event.is_over(),
        }
    }

    /// Forgets a promise that was kept.
    pub(crate) fn settle(&mut self) {
        if let Self::Promised(promise) = self
            && let Some(storage) = promise.storage.get()
        {
            *self = Self::There(storage.clone());
        }
    }

    /// The memory, once the program is over. The caller has the only reference if no other can exist.
    ///
    /// # Errors
    /// If the program failed.
    pub(crate) fn wait(self) -> Result<Arc<Storage>, Status> {
        match self {
            Self::There(storage) => Ok(storage),
            Self::Promised(promise) => {
                promise.event.wait()?;
                let storage = match Arc::try_unwrap(promise) {
                    Ok(promise) => promise.storage.into_inner(),
                    Err(promise) => promise.storage.get().cloned(),
                };
                storage.ok_or_else(|| Status::internal("a program has no result"))
            }
        }
    }
}

impl Promise {
    /// A result of the program whose end `event` is.
    pub(crate) fn new(event: Signal) -> Self {
        let storage = OnceLock::new();
        Self { event, storage }
    }

    pub(crate) fn event(&self) -> Signal {
        self.event.clone()
    }

    /// Keeps it. The event must happen after that.
    pub(crate) fn keep(&self, storage: Arc<Storage>) {
        // No other reference was kept, as there is one program.
        let _ = self.storage.set(storage);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;

    #[test]
    fn the_error_of_a_program_is_that_of_its_results() {
        let end = Arc::new(Event::default());
        let promise = Arc::new(Promise::new(end.clone()));
        let mut content = Content::Promised(promise);
        assert!(!content.is_there());
        end.finish(Err(Status::internal("no luck")));
        content.settle();
        assert!(content.is_there());
        let error = content.wait().err().map(|error| error.message);
        assert_eq!(error.as_deref(), Some("no luck"));
    }
}
