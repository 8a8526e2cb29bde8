//! The allocator, accounting, checking and printing library of compiled programs.
//!
//! Compiled code reaches it through a C ABI, in one of three modes chosen when the program is
//! compiled. *Plain* mode needs nothing from here: buffers are malloc's. *Counting* mode
//! ([`count`], [`events`]) measures memory, *checking* mode ([`check`]) finds memory errors and
//! names the operations involved. [`retain`] is the library form of a deallocation of many
//! buffers at once, [`scratch`] lends it memory. [`parallel`] runs loops on several threads, [`tasks`] bodies that go on by themselves. [`print`],
//! [`verify`], [`memref`], [`runner`] and [`random`] offer what the runner libraries of MLIR export,
//! under the same names. [`command_line`] is that of executables. [`contract`] multiplies matrices and everything like it, [`blocks`] fills and copies memory, [`axpy`] adds
//! multiples of vectors, [`float_format`] and [`wide`] compute what Cranelift cannot.
//!
//! The crate is linked into the compiler for the JIT, which finds everything in [`SYMBOLS`], and
//! is compiled by itself into one object per target for programs that stand alone. That object
//! has no core library behind it, hence the house rules: no formatting, no slices indexed, no
//! arithmetic that can panic; loops over raw pointers instead.

#![no_std]
#![expect(unsafe_code, reason = "the runtime is memory management and a C ABI")]

#[cfg(test)]
extern crate std;

use core::ffi::c_void;

pub mod axpy;
pub mod blocks;
pub mod check;
pub mod command_line;
pub mod contract;
pub mod count;
mod decimal;
pub mod denormals;
pub mod events;
pub mod float_format;
pub mod memref;
mod output;
pub mod parallel;
pub mod print;
mod processor;
pub mod random;
pub mod retain;
pub mod runner;
pub mod scratch;
mod site;
mod sys;
mod table;
pub mod tasks;
#[cfg(test)]
mod testing;
pub mod verify;
pub mod wide;

pub use site::AllocSite;

/// An exported function.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Its name in object files.
    pub name: &'static str,
    address: *const c_void,
}

impl Symbol {
    /// Where it is in this process.
    pub fn address(&self) -> *const u8 {
        self.address.cast()
    }
}

// SAFETY: the address of a function is the same in every thread and never written through.
unsafe impl Sync for Symbol {}
// SAFETY: as above.
unsafe impl Send for Symbol {}

macro_rules! symbols {
    ($($module:ident: $($name:ident)*;)*) => {
        &[$($((stringify!($name), $module::$name as *const c_void),)*)*]
    };
}

/// The functions of all modules that do not list their own.
const FUNCTIONS: &[(&str, *const c_void)] = symbols! {
    count: freehold_count_alloc freehold_count_free freehold_count_clone freehold_count_copy
        freehold_stats_get freehold_stats_reset freehold_stats_report;
    events: freehold_events_enable freehold_events_len freehold_events_copy;
    check: freehold_check_alloc freehold_check_free freehold_check_access
        freehold_check_access_in freehold_check_lend freehold_check_take_back
        freehold_check_foreign_result freehold_check_report
        freehold_check_request_begin freehold_check_request_end
        freehold_check_set_quarantine freehold_check_reset;
    command_line: freehold_command_line;
    denormals: freehold_flush_denormals;
    retain: freehold_dealloc_helper freehold_retain;
    parallel: freehold_parallel freehold_set_threads freehold_set_pool;
    tasks: freehold_async_start freehold_async_await freehold_async_create_group freehold_async_add_to_group
        freehold_async_await_all mlirAsyncRuntimePrintCurrentThreadId;
    scratch: _mlir_ciface_freehold_take_scratch _mlir_ciface_freehold_return_scratch;
    wide: freehold_i128_divsi freehold_i128_divui freehold_i128_remsi freehold_i128_remui;
    runner: freehold_assert_failed freehold_refuse_arguments freehold_end_output rtclock nanoTime _mlir_ciface_nanoTime printFlops
        mlirAlloc mlirAlignedAlloc mlirFree mlirAlignedFree
        _mlir_ciface_stdSortI64 _mlir_ciface_stdSortF64 _mlir_ciface_stdSortF32;
    random: rtsrand rtrand rtdrand _mlir_ciface_shuffle;
    memref: memrefCopy;
    contract: freehold_contract_f32 freehold_contract_f64 freehold_contract_i32;
    axpy: freehold_axpy_f32 freehold_axpy_f64;
    blocks: freehold_fill_bytes freehold_copy_bytes;
    print: printI64 printU64 printF32 printF64 printF16 printBF16 printString printOpen
        printClose printComma printNewline;
};

const LISTS: [&[(&str, *const c_void)]; 17] = [
    FUNCTIONS,
    print::UNRANKED_FUNCTIONS,
    print::RANKED_FUNCTIONS,
    verify::FUNCTIONS,
    &float_format::F16::FUNCTIONS,
    &float_format::BF16::FUNCTIONS,
    &float_format::F4E2M1FN::FUNCTIONS,
    &float_format::F6E2M3FN::FUNCTIONS,
    &float_format::F6E3M2FN::FUNCTIONS,
    &float_format::F8E8M0FNU::FUNCTIONS,
    &float_format::F8E5M2::FUNCTIONS,
    &float_format::F8E4M3::FUNCTIONS,
    &float_format::F8E3M4::FUNCTIONS,
    &float_format::F8E4M3FN::FUNCTIONS,
    &float_format::F8E5M2FNUZ::FUNCTIONS,
    &float_format::F8E4M3FNUZ::FUNCTIONS,
    &float_format::F8E4M3B11FNUZ::FUNCTIONS,
];

const fn count_symbols() -> usize {
    let (mut total, mut list) = (0, 0);
    while list < LISTS.len() {
        total += LISTS[list].len();
        list += 1;
    }
    total
}

const fn join_lists() -> [Symbol; count_symbols()] {
    let mut symbols = [Symbol {
        name: "",
        address: core::ptr::null(),
    }; count_symbols()];
    let (mut at, mut list) = (0, 0);
    while list < LISTS.len() {
        let mut index = 0;
        while index < LISTS[list].len() {
            let (name, address) = LISTS[list][index];
            symbols[at] = Symbol { name, address };
            at += 1;
            index += 1;
        }
        list += 1;
    }
    symbols
}

/// Writes out what C's standard output holds back; whether all that was ever printed there has been written.
pub fn flush_standard_output() -> bool {
    output::is_written(sys::standard_output())
}

/// Every exported function with its name and address, for a JIT that resolves names itself.
pub static SYMBOLS: &[Symbol] = &{ join_lists() };
