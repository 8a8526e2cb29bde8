//! The memory of a program: allocations that never share an address, with the state of each byte.
//!
//! An address is the number of its allocation times 2^36, plus where it lies in there. So no address is used
//! twice, an address out of bounds of one allocation is in no other, and each address is aligned to what was asked
//! for and to nothing more.

use freehold_frontend::ir::location::Loc;
use rustc_hash::FxHashMap;

use crate::tasks::Tasks;

/// Bits of an address below the number of the allocation.
const OFFSET_BITS: u32 = 36;

/// Who may free an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The program, once.
    Heap,
    /// None: it ends with its scope.
    Stack,
    /// None: a variable of the module.
    Global,
    /// None: an argument of the function that was called.
    Argument,
}

/// The state of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Defined,
    Uninit,
    Poison,
}

/// One allocation.
#[derive(Debug)]
pub(crate) struct Allocation {
    /// Where it was made.
    pub(crate) loc: Loc,
    pub(crate) origin: Origin,
    /// Where it was freed.
    pub(crate) freed: Option<Loc>,
    /// Number of bytes; kept after the bytes are gone.
    pub(crate) size: u64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) states: Vec<State>,
    /// The address of the first byte.
    pub(crate) base: u64,
    pub(crate) is_constant: bool,
}

/// Why memory cannot be accessed.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    pub(crate) message: String,
    pub(crate) notes: Vec<(Loc, String)>,
}

impl Wrong {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            notes: Vec::new(),
        }
    }

    fn note(mut self, loc: Loc, message: impl Into<String>) -> Self {
        self.notes.push((loc, message.into()));
        self
    }
}

/// Accesses of the iterations of one parallel loop: the iteration that is at work, and who accessed what.
#[derive(Debug, Default)]
pub(crate) struct Iterations {
    pub(crate) current: u64,
    /// Per byte: the last writer, the last reader and another reader, each with its place.
    accesses: FxHashMap<u64, Accesses>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Accesses {
    writer: Option<(u64, Loc, bool)>,
    reader: Option<(u64, Loc)>,
    other_reader: Option<(u64, Loc)>,
}

/// How memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
    /// Read and written at once.
    Atomic,
}

/// All memory.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) allocations: Vec<Allocation>,
    /// Bytes of live allocations.
    pub(crate) live: u64,
    /// Those of the heap.
    pub(crate) heap: u64,
    /// The most that there were on the heap.
    pub(crate) peak: u64,
    pub(crate) n_allocations: u64,
    pub(crate) n_frees: u64,
    /// More live bytes than this are too many.
    pub(crate) limit: u64,
    /// Parallel loops that are running, outermost first.
    pub(crate) loops: Vec<Iterations>,
    /// Bodies of `async.execute`.
    pub(crate) tasks: Tasks,
}

impl Memory {
    /// Makes an allocation of undefined bytes; none if that is more than the limit.
    pub(crate) fn allocate(
        &mut self,
        size: u64,
        alignment: u64,
        origin: Origin,
        loc: Loc,
    ) -> Option<u64> {
        let live = self.live.checked_add(size)?;
        let number = self.allocations.len() as u64 + 1;
        if live > self.limit || number >= 1 << (63 - OFFSET_BITS) || size >= 1 << (OFFSET_BITS - 1)
        {
            return None;
        }
        let base = number << OFFSET_BITS | alignment.clamp(1, 1 << 20);
        self.live = live;
        if origin == Origin::Heap {
            self.n_allocations += 1;
            self.heap += size;
            self.peak = self.peak.max(self.heap);
        }
        self.allocations.push(Allocation {
            loc,
            origin,
            freed: None,
            size,
            bytes: vec![0xcd; size as usize],
            states: vec![State::Uninit; size as usize],
            base,
            is_constant: false,
        });
        Some(base)
    }

    /// The number of the allocation that an address belongs to.
    pub(crate) fn find(&self, address: u64) -> Option<usize> {
        let number = (address >> OFFSET_BITS).checked_sub(1)? as usize;
        (number < self.allocations.len()).then_some(number)
    }

    /// An address as people read it.
    pub(crate) fn describe(&self, address: u64) -> String {
        match self.find(address) {
            Some(number) => {
                let allocation = &self.allocations[number];
                let at = address.wrapping_sub(allocation.base) as i64;
                format!("byte {at} of {} bytes", allocation.size)
            }
            None if address == 0 => "null".to_owned(),
            None => format!("{address:#x}, which is no memory of the program"),
        }
    }

    /// The allocation around `size` bytes at `address`, and where in there they are.
    pub(crate) fn check(&self, address: u64, size: u64) -> Result<(usize, usize), Wrong> {
        let Some(number) = self.find(address) else {
            return Err(Wrong::new(format!(
                "access of {size} bytes at {}",
                self.describe(address)
            )));
        };
        let allocation = &self.allocations[number];
        let at = address.wrapping_sub(allocation.base);
        if let Some(freed) = allocation.freed {
            let (what, how) = match allocation.origin {
                Origin::Stack => (
                    "use of stack memory after its scope",
                    "its scope ended here",
                ),
                _ => ("use after free", "freed here"),
            };
            return Err(Wrong::new(format!("{what}: {}", self.describe(address)))
                .note(allocation.loc, "allocated here")
                .note(freed, how));
        }
        if at > allocation.size || allocation.size - at < size {
            return Err(Wrong::new(format!(
                "access out of bounds: {size} bytes at {}",
                self.describe(address)
            ))
            .note(allocation.loc, "allocated here"));
        }
        Ok((number, at as usize))
    }

    /// Checks an access and tells the parallel loops of it.
    pub(crate) fn access(
        &mut self,
        address: u64,
        size: u64,
        access: Access,
        loc: Loc,
    ) -> Result<(usize, usize), Wrong> {
        let place = self.check(address, size)?;
        if access != Access::Read && self.allocations[place.0].is_constant {
            return Err(Wrong::new("write to a constant")
                .note(self.allocations[place.0].loc, "declared here"));
        }
        self.record(address, size, access, loc)?;
        if self.loops.is_empty() {
            return Ok(place);
        }
        for iterations in &mut self.loops {
            for byte in address..address + size {
                if let Err((other, what)) = iterations.record(byte, access, loc) {
                    return Err(Wrong::new(format!(
                        "race between iterations of a parallel loop: {size} bytes at {}",
                        self.describe(address)
                    ))
                    .note(other, format!("another iteration {what} here")));
                }
            }
        }
        Ok(place)
    }

    /// Tells bodies of `async.execute` of an access.
    fn record(&mut self, address: u64, size: u64, access: Access, loc: Loc) -> Result<(), Wrong> {
        (self.tasks.record(address, size, access, loc)).map_err(|(other, what)| {
            Wrong::new(format!(
                "race with a body of async.execute: {size} bytes at {}",
                self.describe(address)
            ))
            .note(other, format!("the body {what} here"))
        })
    }

    /// Frees an allocation that begins at `address`.
    pub(crate) fn free(&mut self, address: u64, loc: Loc) -> Result<(), Wrong> {
        let Some(number) = self.find(address) else {
            return Err(Wrong::new(format!("free of {}", self.describe(address))));
        };
        let allocation = &self.allocations[number];
        if let Some(freed) = allocation.freed {
            return Err(Wrong::new("double free")
                .note(allocation.loc, "allocated here")
                .note(freed, "freed here before"));
        }
        let what = match allocation.origin {
            Origin::Heap => None,
            Origin::Stack => Some("memory of the stack"),
            Origin::Global => Some("a global"),
            Origin::Argument => Some("memory that the caller of the program owns"),
        };
        if let Some(what) = what {
            return Err(Wrong::new(format!("free of {what}")).note(allocation.loc, "made here"));
        }
        if allocation.base != address {
            return Err(Wrong::new(format!(
                "free of a part of an allocation: {}",
                self.describe(address)
            ))
            .note(allocation.loc, "allocated here"));
        }
        // Whoever uses it must have ended.
        let size = allocation.size;
        self.record(address, size, Access::Write, loc)?;
        self.n_frees += 1;
        self.end(number, loc);
        Ok(())
    }

    /// Ends the life of an allocation.
    pub(crate) fn end(&mut self, number: usize, loc: Loc) {
        let allocation = &mut self.allocations[number];
        if allocation.freed.is_none() {
            allocation.freed = Some(loc);
            allocation.bytes = Vec::new();
            allocation.states = Vec::new();
            self.live -= allocation.size;
            if allocation.origin == Origin::Heap {
                self.heap -= allocation.size;
            }
        }
    }
}

impl Iterations {
    /// Notes an access of a byte; an error names where another iteration accessed it, and how.
    fn record(&mut self, byte: u64, access: Access, loc: Loc) -> Result<(), (Loc, &'static str)> {
        let current = self.current;
        let entry = self.accesses.entry(byte).or_default();
        let is_atomic = access == Access::Atomic;
        if let Some((writer, place, was_atomic)) = entry.writer
            && writer != current
            && !(is_atomic && was_atomic)
        {
            return Err((place, "writes"));
        }
        match access {
            Access::Read => match entry.reader {
                None => entry.reader = Some((current, loc)),
                Some((reader, _)) if reader == current => {}
                Some(_) => entry.other_reader = Some((current, loc)),
            },
            Access::Write | Access::Atomic => {
                for (reader, place) in [entry.reader, entry.other_reader].into_iter().flatten() {
                    if reader != current {
                        return Err((place, "reads"));
                    }
                }
                let plain = entry
                    .writer
                    .is_some_and(|(writer, _, was_atomic)| writer == current && !was_atomic);
                entry.writer = Some((current, loc, is_atomic && !plain));
            }
        }
        Ok(())
    }
}
