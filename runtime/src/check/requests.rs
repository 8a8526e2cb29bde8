//! Transfers that go on by themselves, between the operation that starts one and the wait for it.

use super::Checker;
use super::report::Kind;
use crate::site::AllocSite;

/// A transfer that was not waited for.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// What the program has instead of the handle.
    token: u64,
    /// The handle that MPI gave out.
    handle: u64,
    /// The first byte, and the one behind the last if there are no gaps.
    low: usize,
    high: usize,
    /// Whether the buffer is written.
    is_written: bool,
}

/// The number of transfers watched at a time; further ones are not.
const MOST: usize = 1024;

/// The transfers that go on.
pub(super) struct Requests {
    held: [Option<Held>; MOST],
    /// All entries behind this one are empty.
    n_used: usize,
    last_token: u64,
}

impl Requests {
    pub(super) const fn new() -> Self {
        Self {
            held: [None; MOST],
            n_used: 0,
            last_token: 0,
        }
    }

    fn all(&self) -> impl Iterator<Item = Held> + '_ {
        self.held.iter().take(self.n_used).flatten().copied()
    }

    /// A transfer that accesses some of these bytes, by an access that it does not allow.
    pub(super) fn conflict(&self, address: usize, size: u64, kind: Kind) -> bool {
        let end = address.saturating_add(size as usize);
        let is_read = matches!(kind, Kind::Read);
        self.all()
            .any(|held| held.low < end && address < held.high && (held.is_written || !is_read))
    }

    /// Whether a transfer goes on with something in these bytes.
    pub(super) fn is_held(&self, low: usize, high: usize) -> bool {
        let inside = |held: &Held| low <= held.low && held.low < high;
        self.all().any(|held| inside(&held))
    }
}

impl Checker {
    /// A transfer begins; the token that stands for it.
    pub(super) fn begin_request(
        &mut self,
        handle: u64,
        low: usize,
        high: usize,
        is_written: bool,
    ) -> u64 {
        let requests = &mut self.requests;
        requests.last_token += 1;
        let token = requests.last_token;
        let free = requests.held.iter().position(Option::is_none);
        // Without a place it could not be found again.
        let Some(place) = free else {
            crate::output::fail("more transfers at a time than can be checked");
        };
        if let Some(entry) = requests.held.get_mut(place) {
            *entry = Some(Held {
                token,
                handle,
                low,
                high,
                is_written,
            });
        }
        if requests.n_used <= place {
            requests.n_used = place + 1;
        }
        token
    }

    /// The program waits for a transfer; its handle, if it has not waited before.
    pub(super) fn end_request(&mut self, token: u64) -> Option<u64> {
        let requests = &mut self.requests;
        let is_it = |held: &Option<Held>| held.is_some_and(|held| held.token == token);
        let place = requests.held.iter().take(requests.n_used).position(is_it)?;
        let held = requests.held.get_mut(place)?.take()?;
        if place + 1 == requests.n_used {
            requests.n_used = place;
        }
        Some(held.handle)
    }

    /// Reports transfers that were not waited for.
    pub(super) fn report_requests(&mut self) {
        for place in 0..self.requests.n_used {
            if let Some(&Some(held)) = self.requests.held.get(place) {
                let id = self.blocks.containing(held.low);
                let block = (id != super::NONE).then(|| self.blocks.get(id));
                self.reporter.lost_request(block.as_ref(), held.is_written);
            }
        }
    }

    /// Reports an access to the buffer of a transfer.
    pub(super) fn check_requests(
        &mut self,
        address: usize,
        size: u64,
        kind: Kind,
        site: *const AllocSite,
    ) {
        if self.requests.n_used > 0 && self.requests.conflict(address, size, kind) {
            let id = self.blocks.containing(address);
            let block = (id != super::NONE).then(|| self.blocks.get(id));
            self.reporter.held_access(block.as_ref(), kind, size, site);
        }
    }
}
