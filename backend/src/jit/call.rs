//! Calling compiled functions with values made at run time, checked against the types of the function.

use std::fmt;

use freehold_frontend::ir::types::FloatKind;
use freehold_runtime::check;
use smallvec::SmallVec;

use super::buffer::{Buffer, Misfit};
use super::result::{Owner, Receiver, ResultValue};
use super::trampoline::{Cell, Trampoline};
use super::types::{ElementType, Passed, Signature, ValueKind, ValueType};
use super::{Function, Jit};
use crate::options::AllocMode;
use crate::preconditions::CallPrecondition;
use crate::program::no_entry_point;
use crate::repr::{Scalar, low_bits};

/// Why a function could not be called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallError {
    message: String,
}

impl CallError {
    pub(super) fn new(message: String) -> Self {
        Self { message }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CallError {}

/// Arguments of a function.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// An integer of any width, or index; truncated to the width.
    Int(i128),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// A float of this kind, as its bits.
    Float(FloatKind, u64),
    /// A complex number of two floats of this kind, as their bits.
    Complex(FloatKind, [u64; 2]),
    /// A memref, a tensor, or the elements of a vector.
    MemRef(&'a Buffer<'a>),
}

impl fmt::Display for Argument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(_) => f.write_str("an integer"),
            Self::F32(_) => f.write_str("f32"),
            Self::F64(_) => f.write_str("f64"),
            Self::Float(kind, _) => ElementType::Float(*kind).fmt(f),
            Self::Complex(kind, _) => ElementType::Complex(*kind).fmt(f),
            Self::MemRef(buffer) => buffer.fmt(f),
        }
    }
}

/// What an entry point returns, as `--entry-point-result` names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultKind {
    /// Whatever it returns is ignored.
    Void,
    /// An `i32`.
    I32,
    /// An `i64` or index.
    I64,
    /// An `f32`.
    F32,
    /// An `f64`.
    F64,
}

impl ResultKind {
    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "void" => Some(Self::Void),
            "i32" => Some(Self::I32),
            "i64" => Some(Self::I64),
            "f32" => Some(Self::F32),
            "f64" => Some(Self::F64),
            _ => None,
        }
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

/// What an entry point returned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EntryResult {
    /// Nothing that was asked for.
    Void,
    /// An `i32`.
    I32(i32),
    /// An `i64` or index.
    I64(i64),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
}

impl EntryResult {
    /// What these results are as one of this kind.
    pub fn of(kind: ResultKind, results: &[ResultValue]) -> Self {
        match (kind, results.first()) {
            (ResultKind::I32, Some(ResultValue::Int(value))) => Self::I32(*value as i32),
            (ResultKind::I64, Some(ResultValue::Int(value))) => Self::I64(*value as i64),
            (ResultKind::F32, Some(ResultValue::F32(value))) => Self::F32(*value),
            (ResultKind::F64, Some(ResultValue::F64(value))) => Self::F64(*value),
            _ => Self::Void,
        }
    }
}

impl Jit {
    /// Whether `name` can be run as an entry point with this kind of result.
    ///
    /// # Errors
    /// If there is no such function, it has arguments, or returns something else.
    pub fn check_entry(&self, name: &str, kind: ResultKind) -> Result<(), CallError> {
        let function = self.functions.get(name);
        let function = function
            .filter(|function| function.is_of_program)
            .ok_or_else(|| self.no_entry_point(name))?;
        if function.address.is_none() {
            let message = format!("entry point '{name}' is declared but not defined");
            return Err(CallError::new(message));
        }
        if !function.inputs.is_empty() {
            let message = format!("entry point '{name}' must not have arguments");
            return Err(CallError::new(message));
        }
        let scalar = match &function.results[..] {
            [Passed::Scalar(scalar)] => Some(*scalar),
            _ => None,
        };
        let expected = match kind {
            ResultKind::Void => return Ok(()),
            ResultKind::I32 => Scalar::Int(32),
            ResultKind::I64 => Scalar::Int(64),
            ResultKind::F32 => Scalar::Float(FloatKind::F32),
            ResultKind::F64 => Scalar::Float(FloatKind::F64),
        };
        if scalar != Some(expected) {
            let message = format!("entry point '{name}' does not return one {}", kind.name());
            return Err(CallError::new(message));
        }
        Ok(())
    }

    /// The error if there is no function `name` to begin with.
    pub fn no_entry_point(&self, name: &str) -> CallError {
        let callable = self.functions.values().filter(|function| {
            function.address.is_some() && function.is_of_program && !function.is_private
        });
        let names = callable.map(|function| function.name.as_str()).collect();
        CallError::new(no_entry_point(name, names))
    }

    /// Runs a function without arguments. Buffers that it returns are freed, if anyone counts or checks.
    ///
    /// # Errors
    /// As [`Jit::check_entry`].
    pub fn run_entry(&self, name: &str, kind: ResultKind) -> Result<EntryResult, CallError> {
        self.check_entry(name, kind)?;
        let results = self.call(name, &[])?;
        let outcome = EntryResult::of(kind, &results);
        if self.mode == AllocMode::Plain {
            let buffers = results.into_iter().filter_map(ResultValue::into_memref);
            buffers.for_each(super::MemRefResult::leak);
        }
        Ok(outcome)
    }

    /// Calls a function.
    ///
    /// # Errors
    /// If there is no such function or the arguments do not fit its type.
    pub fn call(
        &self,
        name: &str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<ResultValue>, CallError> {
        self.get_function(name)?.call(arguments)
    }

    /// The function of this name.
    ///
    /// # Errors
    /// If there is none, or it is only declared.
    pub fn get_function(&self, name: &str) -> Result<FunctionRef<'_>, CallError> {
        let (function, address) = self.function(name)?;
        if !function.is_of_program {
            let message = format!("'{name}' is no function of the program");
            return Err(CallError::new(message));
        }
        let trampoline = match function.trampoline.get() {
            Some(trampoline) => trampoline,
            None => {
                let made = Trampoline::new(&function.abi)?;
                function.trampoline.get_or_init(|| made)
            }
        };
        Ok(FunctionRef {
            jit: self,
            function,
            address,
            trampoline,
        })
    }
}

/// A function of a [`Jit`].
#[derive(Clone, Copy)]
pub struct FunctionRef<'j> {
    jit: &'j Jit,
    function: &'j Function,
    address: *const u8,
    trampoline: &'j Trampoline,
}

// SAFETY: the address is that of code, which stays as it is as long as `jit` is there.
unsafe impl Send for FunctionRef<'_> {}
// SAFETY: the same.
unsafe impl Sync for FunctionRef<'_> {}

impl fmt::Debug for FunctionRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FunctionRef({})", self.function.name)
    }
}

impl<'j> FunctionRef<'j> {
    /// The name.
    pub fn name(&self) -> &'j str {
        &self.function.name
    }

    /// The types of arguments and results.
    pub fn signature(&self) -> &'j Signature {
        &self.function.signature
    }

    /// Calls the function.
    ///
    /// # Errors
    /// If the arguments do not fit its type; nothing runs then.
    pub fn call(&self, arguments: &[Argument<'_>]) -> Result<Vec<ResultValue>, CallError> {
        self.call_as(arguments, false)
    }

    /// Calls the function. Results in memory of the arguments stay there, for callers who know whose that is
    /// ([`MemRefResult::owns_memory`](super::MemRefResult::owns_memory)); [`Self::call`] copies them.
    ///
    /// # Errors
    /// As [`Self::call`].
    pub fn call_sharing(&self, arguments: &[Argument<'_>]) -> Result<Vec<ResultValue>, CallError> {
        self.call_as(arguments, true)
    }

    fn call_as(
        &self,
        arguments: &[Argument<'_>],
        shares: bool,
    ) -> Result<Vec<ResultValue>, CallError> {
        self.check_count(arguments.len())?;
        let mut frame = self.frame();
        frame.shares = shares;
        for argument in arguments {
            frame.push(argument)?;
        }
        frame.run()
    }

    /// Whether arguments could be passed, without a call.
    ///
    /// # Errors
    /// If they do not fit the type of the function.
    pub fn check(&self, arguments: &[Argument<'_>]) -> Result<(), CallError> {
        self.check_count(arguments.len())?;
        let mut frame = self.frame();
        for argument in arguments {
            frame.push(argument)?;
        }
        frame.check()
    }

    fn check_count(&self, n_arguments: usize) -> Result<(), CallError> {
        let Function {
            name, signature, ..
        } = self.function;
        let n = signature.arguments.len();
        if n == n_arguments {
            return Ok(());
        }
        let types: Vec<_> = signature
            .arguments
            .iter()
            .map(ValueType::to_string)
            .collect();
        let list = match types.join(", ") {
            list if list.is_empty() => list,
            list => format!(" ({list})"),
        };
        let plural = if n == 1 { "" } else { "s" };
        Err(CallError::new(format!(
            "function '{name}' has {n} argument{plural}{list}, not {n_arguments}"
        )))
    }

    /// A call without arguments so far.
    pub(super) fn frame(&self) -> Frame<'j> {
        Frame {
            callee: *self,
            cells: SmallVec::new(),
            descriptors: Vec::new(),
            memory: SmallVec::new(),
            lent: SmallVec::new(),
            n_arguments: 0,
            shares: false,
        }
    }
}

/// A call in the making.
pub struct Frame<'j> {
    callee: FunctionRef<'j>,
    cells: SmallVec<[Cell; 32]>,
    /// What unranked arguments point to.
    descriptors: Vec<Box<[u64]>>,
    /// Where the memory of buffers is.
    memory: SmallVec<[(usize, usize); 4]>,
    /// The same for the checker, each behind its allocated pointer.
    lent: SmallVec<[(usize, usize, usize); 1]>,
    n_arguments: usize,
    /// Whether results may stay in memory of arguments.
    shares: bool,
}

/// Words of a descriptor as cells.
struct Words<'c>(&'c mut SmallVec<[Cell; 32]>);

impl Extend<u64> for Words<'_> {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, words: I) {
        self.0.extend(words.into_iter().map(|word| [word, 0]));
    }
}

impl Frame<'_> {
    /// Adds the next argument; the function must have one left.
    pub fn push(&mut self, argument: &Argument<'_>) -> Result<(), CallError> {
        let index = self.n_arguments;
        self.n_arguments += 1;
        let function = self.callee.function;
        let ty = &function.signature.arguments[index];
        self.push_as(argument, function.inputs[index], ty)
            .map_err(|misfit| {
                let name = &function.name;
                let is = format!("argument #{index} of function '{name}' is {ty}");
                CallError::new(match misfit {
                    Misfit::Type => format!("{is}, not {argument}"),
                    Misfit::Layout => {
                        let order = match ty.kind() {
                            ValueKind::MemRef(memref) if memref.is_row_major => {
                                " in row-major order"
                            }
                            _ => "",
                        };
                        format!("{is}{order}, not {argument}")
                    }
                    Misfit::ReadOnly => {
                        format!("{is} and may be written to, but {argument} is read-only")
                    }
                    Misfit::Overlap => {
                        format!(
                            "{is} and may be written to, but elements of {argument} share memory"
                        )
                    }
                })
            })
    }

    fn push_as(
        &mut self,
        argument: &Argument<'_>,
        passed: Passed,
        ty: &ValueType,
    ) -> Result<(), Misfit> {
        let cells = &mut self.cells;
        if let Argument::MemRef(buffer) = argument {
            let (low, high) = buffer.range();
            self.memory.push((low, high));
            if self.callee.jit.mode == AllocMode::Checking {
                self.lent.push((buffer.base(), low, high));
            }
        }
        match (argument, passed, ty.kind()) {
            (Argument::Int(value), Passed::Scalar(Scalar::Int(width)), _) => {
                let bits = *value as u128 & low_bits(width);
                cells.push([bits as u64, (bits >> 64) as u64]);
            }
            (Argument::F32(value), Passed::Scalar(Scalar::Float(FloatKind::F32)), _) => {
                cells.push([u64::from(value.to_bits()), 0]);
            }
            (Argument::F64(value), Passed::Scalar(Scalar::Float(FloatKind::F64)), _) => {
                cells.push([value.to_bits(), 0]);
            }
            (Argument::Float(kind, bits), Passed::Scalar(Scalar::Float(declared)), _)
                if *kind == declared =>
            {
                cells.push([*bits, 0]);
            }
            (Argument::Complex(kind, parts), Passed::Complex(Scalar::Float(declared)), _)
                if *kind == declared =>
            {
                cells.extend(parts.map(|part| [part, 0]));
            }
            (Argument::MemRef(buffer), Passed::MemRef(_), ValueKind::MemRef(memref)) => {
                buffer.describe(memref, ty.is_read_only, &mut Words(cells))?;
            }
            (Argument::MemRef(buffer), Passed::Unranked, ValueKind::Unranked(element)) => {
                if !element.accepts(buffer.element()) {
                    return Err(Misfit::Type);
                }
                let mut words = Vec::new();
                buffer.describe(&buffer.unranked_kind(), ty.is_read_only, &mut words)?;
                let descriptor = words.into_boxed_slice();
                let address = descriptor.as_ptr().expose_provenance() as u64;
                cells.extend([[buffer.sizes().len() as u64, 0], [address, 0]]);
                self.descriptors.push(descriptor);
            }
            _ => return Err(Misfit::Type),
        }
        Ok(())
    }

    /// Whether the sizes of the arguments, which are all there, fit each other.
    fn check(&self) -> Result<(), CallError> {
        let function = self.callee.function;
        let word = |at: usize| self.cells.get(at).map_or(0, |cell| cell[0] as i64);
        let violation = |precondition: &CallPrecondition| precondition.violation(word);
        match function.preconditions.iter().find_map(violation) {
            Some(violation) => Err(CallError::new(format!(
                "function '{}' cannot take such arguments: {violation}",
                function.name
            ))),
            None => Ok(()),
        }
    }

    /// Calls the function, when all arguments are there.
    pub fn run(self) -> Result<Vec<ResultValue>, CallError> {
        self.check()?;
        let FunctionRef {
            jit,
            function,
            address,
            trampoline,
        } = self.callee;
        debug_assert_eq!(self.n_arguments, function.inputs.len());
        let n_cells =
            function.abi.results.len() + function.abi.results_size as usize / size_of::<Cell>() + 1;
        let mut cells: SmallVec<[Cell; 16]> = SmallVec::from_elem([0; 2], n_cells);
        for &(allocated, low, high) in &self.lent {
            check::lend(allocated, low, high);
        }
        // SAFETY: the trampoline was made for this function, every argument was checked to be of its type when
        // its cells were made, and there is a cell for each part of the results and room for all together.
        unsafe { trampoline.call(address, &self.cells, &mut cells) };
        for &(allocated, ..) in &self.lent {
            check::take_back(allocated);
        }
        let bytes: SmallVec<[u8; 256]> = (cells.as_flattened().iter())
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let owner = |address: usize| {
            let holds =
                |&(low, high): &(usize, usize)| low <= address && address < high || address == low;
            match address {
                0 => Owner::Function,
                _ if self.memory.iter().any(holds) && self.shares => Owner::Caller,
                _ if self.memory.iter().any(holds) || jit.globals.iter().any(holds) => Owner::Other,
                _ => Owner::Function,
            }
        };
        let mut parts = function.abi.results.iter().map(|part| {
            let at = part.offset as usize;
            &bytes[at..at + part.ty.bytes() as usize]
        });
        let mut receiver = Receiver::new(jit.mode, &owner);
        let results = function.results.iter().zip(&function.signature.results);
        Ok(results
            .map(|(&passed, ty)| receiver.receive(passed, ty, &mut parts))
            .collect())
    }
}
