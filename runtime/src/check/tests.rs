//! Unit tests of the checker, each on an instance of its own.

use super::*;
use crate::output::capture::captured;
use core::ptr;
use std::string::String;
use std::vec::Vec;

/// The place `t.mlir:<line>:1`.
fn site(line: u32) -> &'static AllocSite {
    const fn at(line: u32) -> AllocSite {
        AllocSite {
            file: "t.mlir".as_ptr(),
            file_len: 6,
            line,
            column: 1,
        }
    }
    static SITES: [AllocSite; 10] = [
        at(0),
        at(1),
        at(2),
        at(3),
        at(4),
        at(5),
        at(6),
        at(7),
        at(8),
        at(9),
    ];
    &SITES[line as usize]
}

/// Runs `action` on a fresh checker, then the final report; returns whether there were no
/// errors, and what was printed.
fn check(action: impl FnOnce(&mut Checker)) -> (bool, String) {
    let mut clean = false;
    let text = captured(|stream| {
        let mut checker = Checker::new();
        checker.reporter.print_to(stream);
        action(&mut checker);
        clean = checker.report();
        checker.reset();
    });
    (clean, text)
}

#[track_caller]
fn expect(action: impl FnOnce(&mut Checker), expected: &str) {
    assert_eq!(check(action), (false, String::from(expected)));
}

fn poke(pointer: *mut u8, offset: isize) {
    // SAFETY: the tests write into red zones and quarantined blocks, which are mapped.
    unsafe { pointer.offset(offset).write(1) };
}

#[test]
fn clean_programs_print_nothing() {
    let (clean, text) = check(|checker| {
        for size in [0, 1, 7, 64, 1000, 5000] {
            for align in [0, 1, 16, 64, 4096] {
                let pointer = checker.alloc(size, align, site(1));
                assert_eq!(pointer.addr() % (align.max(1) as usize), 0);
                // SAFETY: the buffer has that many bytes.
                unsafe { ptr::write_bytes(pointer, 1, size as usize) };
                assert_eq!(checker.free(pointer, site(2)), Freed::Own(size));
            }
        }
        assert_eq!(checker.free(ptr::null_mut(), site(3)), Freed::Nothing);
    });
    assert!(clean);
    assert_eq!(text, "");
}

#[test]
fn leaks_come_in_order_and_those_of_one_place_together() {
    expect(
        |checker| {
            checker.alloc(64, 8, site(2));
            checker.alloc(1, 8, site(1));
            let freed = checker.alloc(100, 8, site(3));
            checker.alloc(32, 8, site(2));
            checker.free(freed, site(4));
        },
        "t.mlir:2:1: error: memory leak: 96 bytes in 2 buffers allocated here were never freed\n\
         t.mlir:1:1: error: memory leak: 1 byte allocated here were never freed\n\
         memory check: 3 errors\n",
    );
}

#[test]
fn double_free() {
    expect(
        |checker| {
            let pointer = checker.alloc(64, 8, site(1));
            checker.free(pointer, site(2));
            assert_eq!(checker.free(pointer, site(3)), Freed::Nothing);
        },
        "t.mlir:3:1: error: double free of 64 bytes\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:2:1: note: first freed here\n\
         memory check: 1 error\n",
    );
}

#[test]
fn double_free_after_the_quarantine() {
    expect(
        |checker| {
            checker.quarantine_limit = 0;
            let pointer = checker.alloc(64, 8, site(1));
            checker.free(pointer, site(2));
            checker.free(pointer, site(3));
        },
        "t.mlir:3:1: error: double free of 64 bytes\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:2:1: note: first freed here\n\
         memory check: 1 error\n",
    );
}

#[test]
fn invalid_frees() {
    expect(
        |checker| {
            let pointer = checker.alloc(64, 8, site(1));
            let mut local = 0u8;
            checker.free(pointer.wrapping_add(16), site(2));
            checker.free(pointer.wrapping_sub(4), site(3));
            checker.free(&raw mut local, site(4));
            checker.free(pointer, site(5));
            checker.free(pointer.wrapping_add(1), site(6));
        },
        "t.mlir:2:1: error: invalid free: the pointer is at offset 16 of a buffer of 64 bytes, \
         not at its start\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:3:1: error: invalid free: the pointer is at offset -4 of a buffer of 64 bytes, \
         not at its start\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:4:1: error: invalid free: the pointer was never allocated\n\
         t.mlir:6:1: error: invalid free: the pointer is at offset 1 of a buffer of 64 bytes, \
         not at its start\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:5:1: note: freed here\n\
         memory check: 4 errors\n",
    );
}

#[test]
fn overruns_are_found_at_the_free_and_at_exit() {
    expect(
        |checker| {
            let freed = checker.alloc(61, 8, site(1));
            poke(freed, 61);
            checker.free(freed, site(2));
            let before = checker.alloc(64, 64, site(3));
            poke(before, -4);
            checker.free(before, site(4));
            let live = checker.alloc(100, 8, site(5));
            poke(live, 107);
        },
        "t.mlir:1:1: error: buffer overflow: this buffer of 61 bytes was written at offset 61\n\
         t.mlir:2:1: note: found when it was freed here\n\
         t.mlir:3:1: error: buffer underflow: this buffer of 64 bytes was written at offset -4\n\
         t.mlir:4:1: note: found when it was freed here\n\
         t.mlir:5:1: error: buffer overflow: this buffer of 100 bytes was written at offset 107\n\
         t.mlir:5:1: error: memory leak: 100 bytes allocated here were never freed\n\
         memory check: 4 errors\n",
    );
}

#[test]
fn writes_after_the_free() {
    let expected = "t.mlir:1:1: error: write after free: this buffer of 64 bytes was written at \
                    offset 8 after it was freed\n\
                    t.mlir:2:1: note: freed here\n\
                    memory check: 1 error\n";
    expect(
        |checker| {
            let pointer = checker.alloc(64, 8, site(1));
            checker.free(pointer, site(2));
            poke(pointer, 8);
        },
        expected,
    );
    // The same on leaving the quarantine.
    expect(
        |checker| {
            let pointer = checker.alloc(64, 8, site(1));
            checker.free(pointer, site(2));
            poke(pointer, 8);
            checker.quarantine_limit = 10_000;
            for _ in 0..100 {
                let other = checker.alloc(1000, 8, site(3));
                checker.free(other, site(4));
            }
            assert!(checker.quarantine_bytes <= 10_000);
            assert!(checker.quarantine.len() < 10);
        },
        expected,
    );
}

#[test]
fn accesses() {
    expect(
        |checker| {
            let pointer = checker.alloc(64, 8, site(1));
            let at = pointer.addr();
            checker.access(at, at, 4, Kind::Read, site(2));
            checker.access(at, at + 60, 4, Kind::Write, site(2));
            checker.access(at, at + 64, 4, Kind::Read, site(3));
            checker.access(at, at.wrapping_sub(8), 4, Kind::Write, site(4));
            // Far outside, where the buffer must be told.
            checker.access(at, at + (1 << 40), 8, Kind::Read, site(5));
            checker.access(at + 62, at + 62, 4, Kind::Access, site(6));
            checker.free(pointer, site(7));
            checker.access(at, at + 4, 4, Kind::Read, site(8));
            let local = 0u8;
            checker.access((&raw const local).addr(), 16, 4, Kind::Read, site(9));
        },
        "t.mlir:3:1: error: out of bounds read of 4 bytes at offset 64 of a buffer of 64 bytes\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:4:1: error: out of bounds write of 4 bytes at offset -8 of a buffer of 64 bytes\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:5:1: error: out of bounds read of 8 bytes at offset 1099511627776 of a buffer of \
         64 bytes\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:6:1: error: out of bounds access of 4 bytes at offset 62 of a buffer of 64 bytes\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:8:1: error: use after free: read of 4 bytes at offset 4 of a freed buffer of 64 \
         bytes\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:7:1: note: freed here\n\
         memory check: 5 errors\n",
    );
}

#[test]
fn memory_of_callers() {
    expect(
        |checker| {
            // 16 bytes of a caller, 8 bytes behind the allocated pointer.
            checker.lend(1000, 1008, 1024);
            checker.access(1000, 1008, 4, Kind::Read, site(1));
            checker.access(1000, 1020, 4, Kind::Write, site(1));
            checker.access(1000, 1024, 4, Kind::Read, site(2));
            checker.access(1000, 1000, 4, Kind::Write, site(3));
            checker.access(1000, 1022, 4, Kind::Write, site(4));
            // The same memory, passed once more, and more of it.
            checker.lend(1000, 1000, 1028);
            checker.access(1000, 1024, 4, Kind::Read, site(5));
            checker.take_back(1000);
            checker.take_back(1000);
            checker.access(1000, 5000, 4, Kind::Read, site(6));
        },
        "t.mlir:2:1: error: out of bounds read of 4 bytes at offset 24 of a buffer of 16 bytes\n\
         note: passed by the caller\n\
         t.mlir:3:1: error: out of bounds write of 4 bytes at offset 0 of a buffer of 16 bytes\n\
         note: passed by the caller\n\
         t.mlir:4:1: error: out of bounds write of 4 bytes at offset 22 of a buffer of 16 bytes\n\
         note: passed by the caller\n\
         memory check: 3 errors\n",
    );
}

#[test]
fn repeated_errors_are_shown_once() {
    expect(
        |checker| {
            let pointer = checker.alloc(8, 8, site(1));
            for index in 0..1000 {
                let at = pointer.addr();
                checker.access(at, at + 8 + index, 1, Kind::Read, site(2));
            }
            checker.free(pointer, site(3));
        },
        "t.mlir:2:1: error: out of bounds read of 1 byte at offset 8 of a buffer of 8 bytes\n\
         t.mlir:1:1: note: allocated here\n\
         memory check: 1000 errors, 999 of them repeated and not shown\n",
    );
}

/// A malloc block that an external function could have returned.
fn foreign() -> *mut u8 {
    // SAFETY: malloc takes any size.
    unsafe { sys::malloc(40) }
}

#[test]
fn foreign_buffers_are_freed_exactly_once() {
    expect(
        |checker| {
            let (once, twice, never) = (foreign(), foreign(), foreign());
            checker.foreign_result(once, site(1));
            checker.foreign_result(twice, site(2));
            checker.foreign_result(never, site(3));
            checker.foreign_result(ptr::null_mut(), site(4));
            assert_eq!(checker.free(once, site(5)), Freed::Foreign);
            assert_eq!(checker.free(twice, site(6)), Freed::Foreign);
            assert_eq!(checker.free(twice, site(7)), Freed::Nothing);
        },
        "t.mlir:7:1: error: double free of a buffer returned by an external function\n\
         t.mlir:2:1: note: returned here\n\
         t.mlir:6:1: note: first freed here\n\
         t.mlir:3:1: error: memory leak: the buffer returned here was never freed\n\
         memory check: 2 errors\n",
    );
}

#[test]
fn foreign_results_must_be_fresh() {
    expect(
        |checker| {
            let (ours, freed, theirs) = (
                checker.alloc(64, 8, site(1)),
                checker.alloc(8, 8, site(2)),
                foreign(),
            );
            checker.free(freed, site(3));
            checker.foreign_result(ours, site(4));
            checker.foreign_result(ours.wrapping_add(8), site(5));
            checker.foreign_result(freed, site(6));
            checker.foreign_result(theirs, site(7));
            checker.foreign_result(theirs, site(8));
            checker.free(theirs, site(9));
            checker.free(ours, site(9));
        },
        "t.mlir:4:1: error: external function returned a buffer it does not own\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:5:1: error: external function returned a buffer it does not own\n\
         t.mlir:1:1: note: allocated here\n\
         t.mlir:6:1: error: external function returned a buffer it does not own\n\
         t.mlir:2:1: note: allocated here\n\
         t.mlir:3:1: note: freed here\n\
         t.mlir:8:1: error: external function returned a buffer it does not own\n\
         t.mlir:7:1: note: returned here\n\
         memory check: 4 errors\n",
    );
}

#[test]
fn memory_that_went_back_to_libc_may_return() {
    let (clean, text) = check(|checker| {
        checker.quarantine_limit = 0;
        for round in 0..3000u64 {
            let pointers: Vec<_> = (0..5)
                .map(|i| checker.alloc(round % 300 + i, 8, site(1)))
                .collect();
            let other = foreign();
            checker.foreign_result(other, site(2));
            checker.free(other, site(3));
            pointers.into_iter().for_each(|pointer| {
                checker.free(pointer, site(4));
            });
        }
        assert_eq!(checker.live.len(), 0);
        assert_eq!(checker.quarantine_bytes, 0);
    });
    assert!(clean);
    assert_eq!(text, "");
}

#[test]
fn a_million_buffers_take_little_time_each() {
    let (clean, _) = check(|checker| {
        let pointers: Vec<_> = (0..200_000)
            .map(|_| checker.alloc(16, 8, site(1)))
            .collect();
        pointers.iter().rev().step_by(2).for_each(|&pointer| {
            checker.free(pointer, site(2));
        });
        pointers.iter().step_by(2).for_each(|&pointer| {
            checker.free(pointer, site(3));
        });
    });
    assert!(clean);
}
