//! Lowers the Freehold IR through Cranelift to machine code.
