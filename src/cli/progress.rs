//! A line on the terminal that says how far long work is.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::io::Io;

/// The line; it goes with this value.
pub(crate) struct Progress(ProgressBar);

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(100);

impl Progress {
    /// For work of this many steps.
    pub(crate) fn steps(total: usize, io: &Io) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total as u64), target(io));
        Self(bar.with_style(style("[{bar:30}] {pos}/{len} {msg}")))
    }

    /// For work of unknown length.
    pub(crate) fn time(io: &Io) -> Self {
        let bar = ProgressBar::with_draw_target(None, target(io));
        Self(bar.with_style(style("{spinner} {elapsed} {msg}")))
    }

    /// The next step is under way.
    pub(crate) fn step(&self, what: &str) {
        self.0.set_message(what.to_owned());
        self.0.inc(1);
    }

    /// Calls `work`, and `message` again and again for what to show meanwhile.
    pub(crate) fn during<T>(
        &self,
        message: impl Fn() -> String + Send,
        work: impl FnOnce() -> T,
    ) -> T {
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // Ends when the other end is dropped.
                while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) =
                    is_done.recv_timeout(TICK)
                {
                    self.0.set_message(message());
                    self.0.tick();
                }
            });
            let outcome = work();
            drop(done);
            outcome
        })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Only people who wait at a terminal want to see it.
fn target(io: &Io) -> ProgressDrawTarget {
    match io.reporting.terminal {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
