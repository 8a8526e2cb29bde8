//! Calling compiled functions from Rust with values made at run time.
//!
//! A small trampoline, generated for the signature of the function, takes
//! parameters from an array and leaves results in another.

use std::fmt;
use std::marker::PhantomData;

use cranelift_codegen::ir::{
    AbiParam, Function as ClifFunction, InstBuilder, MemFlagsData, Signature, UserFuncName, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
use freehold_frontend::ir::types::FloatKind;
use freehold_runtime::{check, count};

use super::{Function, Jit};
use crate::isa::OptLevel;
use crate::isa::{self, Purpose, Target};
use crate::options::AllocMode;
use crate::repr::{Repr, Scalar, low_bits};

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

/// A Rust type that elements of a memref can have.
pub trait Element: Copy + sealed::Element {}

mod sealed {
    use crate::repr::Scalar;

    /// Keeps others from claiming that their types are memref elements.
    pub trait Element {
        #[doc(hidden)]
        const SCALAR: ElementScalar;
    }

    /// Hides the private type.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct ElementScalar(pub(in crate::jit) Scalar);
}

macro_rules! elements {
    ($($ty:ty = $scalar:expr;)*) => {
        $(
            impl sealed::Element for $ty {
                const SCALAR: sealed::ElementScalar = sealed::ElementScalar($scalar);
            }
            impl Element for $ty {}
        )*
    };
}

elements! {
    bool = Scalar::Int(1);
    i8 = Scalar::Int(8);
    u8 = Scalar::Int(8);
    i16 = Scalar::Int(16);
    u16 = Scalar::Int(16);
    i32 = Scalar::Int(32);
    u32 = Scalar::Int(32);
    i64 = Scalar::Int(64);
    u64 = Scalar::Int(64);
    i128 = Scalar::Int(128);
    u128 = Scalar::Int(128);
    f32 = Scalar::Float(FloatKind::F32);
    f64 = Scalar::Float(FloatKind::F64);
}

/// A memref made of a Rust slice: a descriptor that borrows the slice.
#[derive(Debug)]
pub struct Buffer<'a> {
    words: Vec<u64>,
    rank: usize,
    element: Scalar,
    data: PhantomData<&'a mut ()>,
}

impl<'a> Buffer<'a> {
    /// A row-major memref of all of `data`.
    ///
    /// # Panics
    /// If `data` is shorter than the product of the sizes.
    pub fn new<T: Element>(data: &'a mut [T], sizes: &[usize]) -> Self {
        let mut strides = vec![1; sizes.len()];
        for dim in (1..sizes.len()).rev() {
            strides[dim - 1] = strides[dim] * sizes[dim];
        }
        Self::strided(data, 0, sizes, &strides)
    }

    /// A memref of no allocation at all: its pointers are null, its sizes zero.
    pub fn null<T: Element>(rank: usize) -> Self {
        Self {
            words: vec![0; 3 + 2 * rank],
            rank,
            element: T::SCALAR.0,
            data: PhantomData,
        }
    }

    /// A memref of part of `data`; offset and strides are in elements.
    ///
    /// # Panics
    /// If an element would be outside of `data`, or there are not as many
    /// strides as sizes.
    pub fn strided<T: Element>(
        data: &'a mut [T],
        offset: usize,
        sizes: &[usize],
        strides: &[usize],
    ) -> Self {
        assert_eq!(sizes.len(), strides.len(), "one stride per size");
        let is_empty = sizes.contains(&0);
        let last = sizes
            .iter()
            .zip(strides)
            .fold(offset, |last, (&size, &stride)| {
                last + size.saturating_sub(1) * stride
            });
        assert!(
            is_empty || last < data.len(),
            "elements outside of the slice"
        );
        let address = data.as_mut_ptr().expose_provenance() as u64;
        let mut words = vec![address, address, offset as u64];
        words.extend(sizes.iter().chain(strides).map(|&n| n as u64));
        Self {
            words,
            rank: sizes.len(),
            element: T::SCALAR.0,
            data: PhantomData,
        }
    }
}

/// What is passed to a function.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// An integer of any width, or index; truncated to the width.
    Int(i128),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// A ranked memref.
    MemRef(&'a Buffer<'a>),
    /// An unranked memref.
    Unranked(&'a Buffer<'a>),
}

/// A memref that a function returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemRefResult {
    allocated: u64,
    aligned: u64,
    element: Option<Scalar>,
    /// Offset in elements.
    pub offset: i64,
    /// Sizes.
    pub sizes: Vec<i64>,
    /// Strides in elements.
    pub strides: Vec<i64>,
}

impl MemRefResult {
    /// Its elements, row-major; `None` if they are not of type `T`. The buffer
    /// must not have been freed.
    pub fn to_vec<T: Element>(&self) -> Option<Vec<T>> {
        if Some(T::SCALAR.0) != self.element {
            return None;
        }
        let n: i64 = self.sizes.iter().product();
        let mut elements = Vec::with_capacity(usize::try_from(n).ok()?);
        let base = std::ptr::with_exposed_provenance::<T>(self.aligned as usize);
        for flat in 0..n {
            let mut rest = flat;
            let mut at = self.offset;
            for (&size, &stride) in self.sizes.iter().zip(&self.strides).rev() {
                at += rest % size * stride;
                rest /= size;
            }
            // SAFETY: the function that returned the descriptor vouches for its elements.
            elements.push(unsafe { base.offset(at as isize).read() });
        }
        Some(elements)
    }

    /// The allocated pointer: what must be freed, once.
    pub fn allocated(&self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.allocated as usize)
    }

    /// Gives the buffer back to malloc.
    pub fn free(self) {
        unsafe extern "C" {
            fn free(pointer: *mut u8);
        }
        // SAFETY: the buffer was handed to the caller, and `self` is gone now.
        unsafe { free(self.allocated()) };
    }
}

/// What a function returned.
#[derive(Clone, PartialEq, Debug)]
pub enum ResultValue {
    /// An integer or index, sign-extended (`i1` is 0 or -1).
    Int(i128),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// Bits of a float of another format.
    FloatBits(u16),
    /// Real and imaginary part.
    Complex(Box<[ResultValue; 2]>),
    /// The address of a function.
    Function(u64),
    /// The bytes of the elements of a vector, in order.
    Vector(Vec<u8>),
    /// A memref, ranked or not.
    MemRef(MemRefResult),
}

impl ResultValue {
    /// The number, if it is an integer or index.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is an `f32`.
    pub fn as_f32(&self) -> Option<f32> {
        match self {
            Self::F32(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is an `f64`.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::F64(value) => Some(*value),
            _ => None,
        }
    }

    /// The memref, if it is one.
    pub fn as_memref(&self) -> Option<&MemRefResult> {
        match self {
            Self::MemRef(memref) => Some(memref),
            _ => None,
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

/// Bytes per parameter or result in the arrays: enough for any part.
const CELL: usize = 16;
type Cell = [u64; 2];

impl Jit {
    /// Whether `name` can be run as an entry point with this kind of result.
    ///
    /// # Errors
    /// If there is no such function, it has arguments, or returns something else.
    pub fn check_entry(&self, name: &str, kind: ResultKind) -> Result<(), CallError> {
        let missing = || CallError::new(format!("entry point '{name}' not found"));
        let function = self.functions.get(name).ok_or_else(missing)?;
        if function.id.is_none() {
            let message = format!("entry point '{name}' is declared but not defined");
            return Err(CallError::new(message));
        }
        if !function.inputs.is_empty() {
            let message = format!("entry point '{name}' must not have arguments");
            return Err(CallError::new(message));
        }
        let scalar = match &function.results[..] {
            [(Repr::Scalar(scalar), _)] => Some(*scalar),
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

    /// Runs a function without arguments. Buffers that it returns are freed, if anyone counts or checks.
    ///
    /// # Errors
    /// As [`Jit::check_entry`].
    pub fn run_entry(&self, name: &str, kind: ResultKind) -> Result<EntryResult, CallError> {
        self.check_entry(name, kind)?;
        let (function, address) = self.function(name)?;
        if function.results.is_empty() {
            // SAFETY: the address is that of a function of this type, checked above.
            unsafe { std::mem::transmute::<*const u8, extern "C" fn()>(address)() };
            return Ok(EntryResult::Void);
        }
        let results = self.call(name, &[])?;
        for result in results.iter().filter_map(ResultValue::as_memref) {
            match self.mode {
                AllocMode::Plain => {}
                AllocMode::Counting => count::free_result(result.allocated().addr()),
                AllocMode::Checking => check::free_result(result.allocated().addr()),
            }
        }
        let wrong = || CallError::new(format!("entry point '{name}' returned something else"));
        Ok(match (kind, results.first()) {
            (ResultKind::Void, _) => EntryResult::Void,
            (ResultKind::I32, Some(ResultValue::Int(value))) => EntryResult::I32(*value as i32),
            (ResultKind::I64, Some(ResultValue::Int(value))) => EntryResult::I64(*value as i64),
            (ResultKind::F32, Some(ResultValue::F32(value))) => EntryResult::F32(*value),
            (ResultKind::F64, Some(ResultValue::F64(value))) => EntryResult::F64(*value),
            _ => return Err(wrong()),
        })
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
        let (function, address) = self.function(name)?;
        if arguments.len() != function.inputs.len() {
            let message = format!(
                "function '{name}' has {} arguments, not {}",
                function.inputs.len(),
                arguments.len()
            );
            return Err(CallError::new(message));
        }
        let mut cells: Vec<Cell> = Vec::new();
        for (index, (argument, input)) in arguments.iter().zip(&function.inputs).enumerate() {
            push_argument(argument, input, &mut cells).ok_or_else(|| {
                let message = format!("argument #{index} of function '{name}' has another type");
                CallError::new(message)
            })?;
        }
        let n_results = function.abi.results.len() + function.abi.results_size as usize / CELL + 1;
        let mut results: Vec<Cell> = vec![[0; 2]; n_results];
        let trampoline = match function.trampoline.get() {
            Some(trampoline) => trampoline,
            None => {
                let made = Trampoline::new(function)?;
                function.trampoline.get_or_init(|| made)
            }
        };
        type Code = extern "C" fn(*const u8, *const Cell, *mut Cell);
        // SAFETY: the trampoline was generated with this type, and for the
        // signature of the function; both arrays have the size it expects.
        unsafe {
            let call = std::mem::transmute::<*const u8, Code>(trampoline.address());
            call(address, cells.as_ptr(), results.as_mut_ptr());
        }
        let bytes: Vec<u8> = results
            .as_flattened()
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        Ok(read_results(function, &bytes))
    }
}

/// Appends the parts of an argument; `None` if it is of another type.
fn push_argument(
    argument: &Argument<'_>,
    (repr, element): &(Repr, Option<Scalar>),
    cells: &mut Vec<Cell>,
) -> Option<()> {
    if let Argument::MemRef(buffer) | Argument::Unranked(buffer) = argument
        && *element != Some(buffer.element)
    {
        return None;
    }
    match (argument, repr) {
        (Argument::Int(value), Repr::Scalar(Scalar::Int(width))) => {
            let bits = *value as u128 & low_bits(*width);
            cells.push([bits as u64, (bits >> 64) as u64]);
        }
        (Argument::F32(value), Repr::Scalar(Scalar::Float(FloatKind::F32))) => {
            cells.push([u64::from(value.to_bits()), 0]);
        }
        (Argument::F64(value), Repr::Scalar(Scalar::Float(FloatKind::F64))) => {
            cells.push([value.to_bits(), 0]);
        }
        (Argument::MemRef(buffer), Repr::MemRef(layout)) if buffer.rank == layout.rank() => {
            cells.extend(buffer.words.iter().map(|&word| [word, 0]));
        }
        (Argument::Unranked(buffer), Repr::UnrankedMemRef) => {
            let descriptor = buffer.words.as_ptr().expose_provenance() as u64;
            cells.extend([[buffer.rank as u64, 0], [descriptor, 0]]);
        }
        _ => return None,
    }
    Some(())
}

/// Code that calls functions of one signature: `(function, parameters, results)`
/// loads, calls, stores.
pub(super) struct Trampoline {
    /// `None` only while dropping.
    module: Option<JITModule>,
    id: FuncId,
}

impl Trampoline {
    fn new(function: &Function) -> Result<Self, CallError> {
        let (module, id) = trampoline(function)?;
        Ok(Self {
            module: Some(module),
            id,
        })
    }

    fn address(&self) -> *const u8 {
        let module = self.module.as_ref();
        module
            .expect("the module is there until it is dropped")
            .get_finalized_function(self.id)
    }
}

impl Drop for Trampoline {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: code runs only inside of `Jit::call`, which borrows this.
            unsafe { module.free_memory() };
        }
    }
}

/// The code of a [`Trampoline`].
fn trampoline(function: &Function) -> Result<(JITModule, FuncId), CallError> {
    let failed = |error: String| CallError::new(format!("cannot make the call: {error}"));
    let isa = isa::build(&Target::host(), None, OptLevel::None, Purpose::Jit).map_err(failed)?;
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let mut signature = Signature::new(function.abi.signature.call_conv);
    signature.params = vec![AbiParam::new(types::I64); 3];
    let id = module
        .declare_function("trampoline", Linkage::Export, &signature)
        .map_err(|error| failed(error.to_string()))?;
    let mut context = module.make_context();
    context.func = ClifFunction::with_name_signature(UserFuncName::user(0, 0), signature);
    let mut builder_context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut context.func, &mut builder_context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [callee, cells, results] = [0, 1, 2].map(|i| b.block_params(entry)[i]);
    let flags = MemFlagsData::trusted();
    let mut args = Vec::new();
    let params = &function.abi.signature.params;
    if function.abi.indirect {
        args.push(results);
    }
    for (i, param) in params[args.len()..].iter().enumerate() {
        let offset = (CELL * i) as i32;
        args.push(b.ins().load(param.value_type, flags, cells, offset));
    }
    let callee_signature = b.import_signature(function.abi.signature.clone());
    let call = b.ins().call_indirect(callee_signature, callee, &args);
    let values = b.inst_results(call).to_vec();
    for (&value, part) in values.iter().zip(&function.abi.results) {
        b.ins().store(flags, value, results, part.offset as i32);
    }
    b.ins().return_(&[]);
    b.seal_all_blocks();
    b.finalize(module.target_config());
    module
        .define_function(id, &mut context)
        .map_err(|error| failed(error.to_string()))?;
    module
        .finalize_definitions()
        .map_err(|error| failed(error.to_string()))?;
    Ok((module, id))
}

/// Takes the struct of results apart.
fn read_results(function: &Function, bytes: &[u8]) -> Vec<ResultValue> {
    let mut parts = function.abi.results.iter().map(|part| {
        let at = part.offset as usize;
        &bytes[at..at + part.ty.bytes() as usize]
    });
    function
        .results
        .iter()
        .map(|(repr, element)| match repr {
            Repr::Vector(vector) => {
                let parts = parts.by_ref().take(vector.n_parts());
                ResultValue::Vector(parts.flatten().copied().collect())
            }
            Repr::Scalar(scalar) => read_scalar(*scalar, &mut || word(parts.next())),
            Repr::Complex(part) => {
                let mut next = || word(parts.next());
                let re = read_scalar(*part, &mut next);
                let im = read_scalar(*part, &mut next);
                ResultValue::Complex(Box::new([re, im]))
            }
            Repr::MemRef(layout) => {
                let n_words = 3 + 2 * layout.rank();
                let words: Vec<u64> = (0..n_words).map(|_| word(parts.next())).collect();
                ResultValue::MemRef(memref_result(*element, layout.rank(), &words))
            }
            Repr::UnrankedMemRef => {
                let mut next = || word(parts.next()) as usize;
                let (rank, descriptor) = (next(), next());
                let words = std::ptr::with_exposed_provenance::<u64>(descriptor);
                // SAFETY: the function returned a descriptor of that rank, made
                // by malloc for its caller, who is to free it.
                let words = unsafe {
                    let copy = std::slice::from_raw_parts(words, 3 + 2 * rank).to_vec();
                    MemRefResult::free(memref_result(None, 0, &[descriptor as u64, 0, 0]));
                    copy
                };
                ResultValue::MemRef(memref_result(*element, rank, &words))
            }
        })
        .collect()
}

/// The first bytes of a result as a number.
fn word(bytes: Option<&[u8]>) -> u64 {
    let bytes = bytes.unwrap_or(&[]);
    let mut word = [0; 8];
    let n = bytes.len().min(8);
    word[..n].copy_from_slice(&bytes[..n]);
    u64::from_le_bytes(word)
}

fn read_scalar(scalar: Scalar, next: &mut impl FnMut() -> u64) -> ResultValue {
    match scalar {
        Scalar::Int(width) => {
            let low = u128::from(next());
            let bits = if width > 64 {
                low | u128::from(next()) << 64
            } else {
                low
            };
            let gap = 128 - width;
            ResultValue::Int((bits << gap) as i128 >> gap)
        }
        Scalar::Float(FloatKind::F32) => ResultValue::F32(f32::from_bits(next() as u32)),
        Scalar::Float(FloatKind::F64) => ResultValue::F64(f64::from_bits(next())),
        Scalar::Float(_) => ResultValue::FloatBits(next() as u16),
        Scalar::Function => ResultValue::Function(next()),
    }
}

fn memref_result(element: Option<Scalar>, rank: usize, words: &[u64]) -> MemRefResult {
    let signed = |words: &[u64]| words.iter().map(|&word| word as i64).collect();
    MemRefResult {
        allocated: words[0],
        aligned: words[1],
        element,
        offset: words[2] as i64,
        sizes: signed(&words[3..3 + rank]),
        strides: signed(&words[3 + rank..]),
    }
}
