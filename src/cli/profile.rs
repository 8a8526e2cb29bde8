//! What one run of a program took, as text between processes: `run --profile` writes it and
//! `compare` reads it.
//!
//! A line is `name number`, or `event nanoseconds delta` for a change of the bytes in use.

use std::fmt::Write as _;

use freehold_runtime::{count, events};

/// Numbers by name, and the log of allocations and frees.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Profile {
    numbers: Vec<(String, u64)>,
    /// Times, and bytes gained or lost.
    pub(crate) events: Vec<(u64, i64)>,
}

/// More events than this make a curve no better: of neighbours the highest point and the last stay.
const MAX_EVENTS: usize = 4000;

impl Profile {
    /// Adds a number.
    pub(crate) fn set(&mut self, name: &str, number: u64) {
        self.numbers.push((name.to_owned(), number));
    }

    /// The number of this name.
    pub(crate) fn get(&self, name: &str) -> Option<u64> {
        let mut numbers = self.numbers.iter();
        numbers.find(|(known, _)| known == name).map(|(_, n)| *n)
    }

    /// Adds what the runtime counted in this process.
    pub(crate) fn add_counted(&mut self) {
        let stats = count::stats();
        for (name, number) in [
            ("allocs", stats.allocs),
            ("frees", stats.frees),
            ("clones", stats.clones),
            ("copies", stats.copies),
            ("bytes_copied", stats.bytes_copied),
            ("peak_bytes", stats.peak_bytes),
            ("live_bytes", stats.live_bytes),
        ] {
            self.set(name, number);
        }
        let mut log = vec![events::Event::EMPTY; events::freehold_events_len() as usize];
        let n = events::read(&mut log);
        let per_point = n.div_ceil(MAX_EVENTS).max(1);
        for events in log[..n].chunks(per_point) {
            self.add_events(events.iter().map(|event| (event.nanoseconds, event.delta)));
        }
    }

    /// Adds two points for several events: where they are highest, and where they end.
    fn add_events(&mut self, events: impl Iterator<Item = (u64, i64)>) {
        let (mut level, mut end) = (0, 0);
        let mut highest = None;
        for (time, delta) in events {
            level += delta;
            end = time;
            if highest.is_none_or(|(_, top)| level > top) {
                highest = Some((time, level));
            }
        }
        if let Some((time, top)) = highest {
            self.events.push((time, top));
            if level != top {
                self.events.push((end, level - top));
            }
        }
    }

    /// As text.
    pub(crate) fn print(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        for (name, number) in &self.numbers {
            let _ = writeln!(out, "{name} {number}");
        }
        for (time, delta) in &self.events {
            let _ = writeln!(out, "event {time} {delta}");
        }
        out
    }

    /// From text. Lines that mean nothing are ignored: a program that crashed wrote half of it.
    pub(crate) fn parse(text: &str) -> Self {
        let mut profile = Self::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["event", time, delta] => {
                    if let (Ok(time), Ok(delta)) = (time.parse(), delta.parse()) {
                        profile.events.push((time, delta));
                    }
                }
                [name, number] if name != "event" => {
                    if let Ok(number) = number.parse() {
                        profile.set(name, number);
                    }
                }
                _ => {}
            }
        }
        profile
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_stay() {
        let mut profile = Profile::default();
        profile.add_events([(1, 8), (2, 32), (3, -32), (4, 4)].into_iter());
        profile.add_events([(5, -2), (6, -10)].into_iter());
        assert_eq!(profile.events, [(2, 40), (4, -28), (5, -2), (6, -10)]);
    }

    #[test]
    fn text_and_back() {
        let mut profile = Profile::default();
        profile.set("run_ns", 17);
        profile.events.push((3, -5));
        assert_eq!(Profile::parse(&profile.print()), profile);
        assert_eq!(
            Profile::parse("run_ns 17\nnonsense\nevent 3 -5\nevent 1"),
            profile
        );
    }
}
