//! A line on the terminal that says how far long work is.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::io::Io;

/// The line; it goes with this value.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Work that takes less has no line.
    patience: Duration,
}

/// How long people wait without asking what for.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(100);

impl Progress {
    /// For work of this many steps.
    pub(crate) fn steps(total: usize, io: &Io) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total as u64), target(io));
        Self {
            bar: bar.with_style(style("[{bar:30}] {pos}/{len} {msg}")),
            patience: TICK,
        }
    }

    /// For work of unknown length.
    pub(crate) fn time(io: &Io) -> Self {
        Self::with_target(target(io), TICK)
    }

    /// For work that may take longer than people like to wait.
    pub(crate) fn of_long_work(io: &Io) -> Self {
        Self::with_target(target(io), PATIENCE)
    }

    fn with_target(target: ProgressDrawTarget, patience: Duration) -> Self {
        let bar = ProgressBar::with_draw_target(None, target);
        Self {
            bar: bar.with_style(style("{spinner} {elapsed} {msg}")),
            patience,
        }
    }

    /// The next step is under way.
    pub(crate) fn step(&self, what: &str) {
        self.bar.set_message(what.to_owned());
        self.bar.inc(1);
    }

    /// Calls `work`, and `message` again and again for what to show meanwhile.
    pub(crate) fn during<T>(
        &self,
        message: impl Fn() -> String + Send,
        work: impl FnOnce() -> T,
    ) -> T {
        if self.bar.is_hidden() {
            return work();
        }
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut wait = self.patience;
                // Ends when the other end is dropped.
                while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) =
                    is_done.recv_timeout(wait)
                {
                    wait = TICK;
                    self.bar.set_message(message());
                    self.bar.tick();
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
        self.bar.finish_and_clear();
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

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// A terminal that remembers what was written.
    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<String>>);

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_long_work_has_a_line() {
        let shown = |work: Duration| {
            let terminal = Terminal::default();
            let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
            let patience = Duration::from_millis(200);
            let progress = Progress::with_target(target, patience);
            progress.during(|| "cse".into(), || std::thread::sleep(work));
            drop(progress);
            terminal.0.lock().unwrap().clone()
        };
        assert!(!shown(Duration::from_millis(1)).contains("cse"));
        assert!(shown(Duration::from_millis(600)).contains("cse"));
    }
}
