//! The allocator, accounting, checking and printing library of compiled programs.
