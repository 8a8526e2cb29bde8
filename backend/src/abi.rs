//! The calling convention of compiled functions: that of MLIR's lowering to LLVM,
//! so that our objects link with objects made by LLVM and with C.
//!
//! **Arguments.** A ranked memref is passed as its expanded descriptor: allocated
//! pointer, aligned pointer, offset, all sizes, all strides. An unranked memref is
//! its rank and a pointer to a ranked descriptor. `index` is `i64`, `f16` and
//! `bf16` go in float registers, a complex number is two floats.
//!
//! **Results.** All results together form one struct. If its members fit in the
//! result registers they are returned there: on x86-64 three integer registers
//! (`rax`, `rdx`, `rcx`) and two float registers, on AArch64 eight of each kind.
//! Otherwise the caller passes the address of the struct as a hidden first
//! argument (`rdi`, `x8`). LLVM differs in one case: on x86-64 it returns a third
//! and fourth float in x87 registers, which Cranelift cannot do; the hidden
//! pointer takes their place, so functions with more than two float results
//! cannot be called across the two compilers on x86-64.
//!
//! **C interface.** For a function `f` with the attribute `llvm.emit_c_interface`,
//! `_mlir_ciface_f` takes pointers to descriptors instead of descriptors. A result
//! that is a struct (several results, a memref, a complex number) is returned
//! through a pointer that comes first.
//!
//! **Bare pointers.** A function with the attribute `llvm.bareptr` takes the aligned pointer in place of a descriptor.
//! The types of its memrefs say the rest.

use cranelift_codegen::ir::{
    self as clif, AbiParam, ArgumentPurpose, InstBuilder, MemFlagsData, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::{FloatKind, Type};
use smallvec::SmallVec;

use crate::isa::Arch;
use crate::repr::{Repr, Scalar};

/// Bytes between arguments in memory: any of them fits.
pub(crate) const CELL: u32 = 16;

/// CLIF numbers the parameters of a block in 16 bits.
pub(crate) const MAX_PARAMS: usize = 60_000;

/// What precedes the name of a function in the name of its C interface.
pub const C_INTERFACE_PREFIX: &str = "_mlir_ciface_";

/// One member of the struct of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ResultPart {
    /// Its type in the calling convention.
    pub(crate) ty: clif::Type,
    /// Its offset in the struct.
    pub(crate) offset: u32,
}

/// How one function is called.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FunctionAbi {
    /// What Cranelift needs to know.
    pub(crate) signature: clif::Signature,
    /// The struct of results.
    pub(crate) results: Vec<ResultPart>,
    /// Bytes of the struct of results.
    pub(crate) results_size: u32,
    /// Whether the struct of results is passed by hidden pointer.
    pub(crate) indirect: bool,
}

/// How many results of each kind go in registers.
fn result_registers(arch: Arch) -> (usize, usize) {
    match arch {
        Arch::X86_64 => (3, 2),
        Arch::AArch64 => (8, 8),
    }
}

/// The type that a scalar has at calls: its own, but `f16` and `bf16` travel in
/// float registers.
pub(crate) fn abi_type(scalar: Scalar) -> clif::Type {
    match scalar {
        Scalar::Float(FloatKind::F16 | FloatKind::BF16) => types::F16,
        _ => scalar.clif(),
    }
}

/// Calls `each` with the parts that values of `ty` are passed in; `None` if the
/// type is not supported.
fn for_each_part(
    context: &Context,
    ty: Type,
    mut each: impl FnMut(clif::Type, Option<Scalar>),
) -> Option<()> {
    for leaf in Repr::of(context, ty)?.leaves() {
        match leaf {
            Repr::Scalar(scalar) => each(abi_type(*scalar), Some(*scalar)),
            Repr::Complex(part) => {
                each(abi_type(*part), Some(*part));
                each(abi_type(*part), Some(*part));
            }
            Repr::MemRef(layout) => (0..3 + 2 * layout.rank()).for_each(|_| each(types::I64, None)),
            Repr::Vector(vector) => {
                (0..vector.n_parts()).for_each(|_| each(vector.part_type(), None));
            }
            Repr::UnrankedMemRef => (0..2).for_each(|_| each(types::I64, None)),
            Repr::Aggregate(_) => {}
        }
    }
    Some(())
}

/// A parameter of this scalar type. A `bool` is extended to 32 bits, as C wants it.
fn param(ty: clif::Type, scalar: Option<Scalar>) -> AbiParam {
    match scalar {
        Some(Scalar::Int(1)) => AbiParam::new(ty).uext(),
        _ => AbiParam::new(ty),
    }
}

/// Appends the parameters of these types, with one pointer for a memref; the first type that is not supported otherwise.
fn push_with_pointers(
    context: &Context,
    inputs: &[Type],
    params: &mut Vec<AbiParam>,
) -> Result<(), Type> {
    for &ty in inputs {
        if context.is_memref(ty) {
            params.push(AbiParam::new(types::I64));
        } else {
            for_each_part(context, ty, |part, scalar| params.push(param(part, scalar)))
                .ok_or(ty)?;
        }
    }
    Ok(())
}

impl FunctionAbi {
    /// The convention for these arguments and results; the first type that is
    /// not supported otherwise.
    pub(crate) fn new(
        context: &Context,
        arch: Arch,
        call_conv: CallConv,
        inputs: &[Type],
        results: &[Type],
    ) -> Result<Self, Type> {
        let mut params = Vec::new();
        for &ty in inputs {
            for_each_part(context, ty, |part, scalar| params.push(param(part, scalar)))
                .ok_or(ty)?;
        }
        Self::with_params(context, arch, call_conv, params, results)
    }

    /// The convention of the C interface: memrefs are pointers to descriptors.
    pub(crate) fn c_interface(
        context: &Context,
        arch: Arch,
        call_conv: CallConv,
        inputs: &[Type],
        results: &[Type],
    ) -> Result<Self, Type> {
        let returns_struct = c_interface_returns_struct(context, results);
        let mut params = Vec::new();
        if returns_struct {
            params.push(AbiParam::new(types::I64));
        }
        push_with_pointers(context, inputs, &mut params)?;
        let results = if returns_struct { &[] } else { results };
        Self::with_params(context, arch, call_conv, params, results)
    }

    /// The convention with bare pointers. No result is a memref.
    pub(crate) fn bare(
        context: &Context,
        arch: Arch,
        call_conv: CallConv,
        inputs: &[Type],
        results: &[Type],
    ) -> Result<Self, Type> {
        let mut params = Vec::new();
        push_with_pointers(context, inputs, &mut params)?;
        Self::with_params(context, arch, call_conv, params, results)
    }

    fn with_params(
        context: &Context,
        arch: Arch,
        call_conv: CallConv,
        mut params: Vec<AbiParam>,
        results: &[Type],
    ) -> Result<Self, Type> {
        let mut returns = Vec::new();
        let mut offset = 0u32;
        for &ty in results {
            let add = |part: clif::Type, scalar| {
                offset = offset.next_multiple_of(part.bytes());
                if part == types::I128 {
                    // In two registers, or in memory as two halves.
                    for half in 0..2 {
                        returns.push((types::I64, None, offset + 8 * half));
                    }
                } else {
                    returns.push((part, scalar, offset));
                }
                offset += part.bytes();
            };
            for_each_part(context, ty, add).ok_or(ty)?;
        }
        let is_float = |ty: clif::Type| ty.is_float() || ty.is_vector();
        let n_floats = returns.iter().filter(|part| is_float(part.0)).count();
        let n_ints = returns.len() - n_floats;
        let (max_ints, max_floats) = result_registers(arch);
        let indirect = n_ints > max_ints || n_floats > max_floats;
        let mut signature = clif::Signature::new(call_conv);
        if indirect {
            let pointer = AbiParam::special(types::I64, ArgumentPurpose::StructReturn);
            params.insert(0, pointer);
        } else {
            signature.returns = returns
                .iter()
                .map(|&(ty, scalar, _)| param(ty, scalar))
                .collect();
        }
        signature.params = params;
        Ok(Self {
            signature,
            results: returns
                .iter()
                .map(|&(ty, _, offset)| ResultPart { ty, offset })
                .collect(),
            results_size: offset.next_multiple_of(8),
            indirect,
        })
    }

    /// The convention of a function of the C library or the runtime.
    pub(crate) fn plain(call_conv: CallConv, params: &[clif::Type], result: &[clif::Type]) -> Self {
        let mut signature = clif::Signature::new(call_conv);
        // Compilers of C and Rust rely on the upper bits of a narrow argument. Those of the runtime are unsigned.
        let param = |&ty: &clif::Type| match ty {
            types::I8 | types::I16 => AbiParam::new(ty).uext(),
            _ => AbiParam::new(ty),
        };
        signature.params = params.iter().map(param).collect();
        signature.returns = result.iter().map(param).collect();
        Self {
            signature,
            results: result
                .iter()
                .map(|&ty| ResultPart { ty, offset: 0 })
                .collect(),
            results_size: 0,
            indirect: false,
        }
    }
}

/// Registers for integers on x86-64, and the bytes of each in the area where a variadic function saves them.
pub(crate) const VARIADIC_INTS: (usize, i32) = (6, 8);
/// The same for floats.
pub(crate) const VARIADIC_FLOATS: (usize, i32) = (8, 16);
/// How many registers of each kind the named arguments of a variadic function take.
pub(crate) fn named_registers(signature: &clif::Signature) -> (usize, usize) {
    let params = signature.params.iter();
    let n_floats = params.filter(|param| param.value_type.is_float()).count();
    let n_ints = signature.params.len() - n_floats;
    (n_ints.min(VARIADIC_INTS.0), n_floats.min(VARIADIC_FLOATS.0))
}

/// Whether a variadic function may have named arguments of these types: each takes a register or eight bytes of the stack.
pub(crate) fn can_be_variadic(signature: &clif::Signature) -> bool {
    let mut params = signature.params.iter();
    params.all(|param| {
        let ty = param.value_type;
        ty.is_float() && ty.bytes() <= 8 || ty.is_int() && ty.bytes() <= 8
    })
}

/// The signature of the code of a variadic function on x86-64: see `lower/varargs.rs`.
pub(crate) fn with_all_registers(mut signature: clif::Signature) -> clif::Signature {
    let (n_ints, n_floats) = named_registers(&signature);
    let params = &mut signature.params;
    params.extend((n_ints..VARIADIC_INTS.0).map(|_| AbiParam::new(types::I64)));
    params.extend((n_floats..VARIADIC_FLOATS.0).map(|_| AbiParam::new(types::F64)));
    params.push(AbiParam::special(
        types::I64,
        ArgumentPurpose::StructArgument(8),
    ));
    signature
}

/// Calls a function with arguments from the cells at `cells`, and leaves the struct of its results at `results`.
/// `call` makes the call itself.
pub(crate) fn call_in_memory(
    b: &mut FunctionBuilder<'_>,
    abi: &FunctionAbi,
    cells: clif::Value,
    results: clif::Value,
    call: impl FnOnce(&mut FunctionBuilder<'_>, &[clif::Value]) -> clif::Inst,
) {
    let flags = MemFlagsData::trusted();
    let mut args = Vec::new();
    if abi.indirect {
        args.push(results);
    }
    let params = &abi.signature.params[args.len()..];
    for (i, param) in params.iter().enumerate() {
        let offset = CELL as i32 * i as i32;
        args.push(b.ins().load(param.value_type, flags, cells, offset));
    }
    let call = call(b, &args);
    let values = b.inst_results(call).to_vec();
    for (&value, part) in values.iter().zip(&abi.results) {
        b.ins().store(flags, value, results, part.offset as i32);
    }
}

/// Whether the C interface of a function with these results returns them
/// through a pointer.
pub(crate) fn c_interface_returns_struct(context: &Context, results: &[Type]) -> bool {
    match results {
        [] => false,
        [result] => !matches!(Repr::of(context, *result), Some(Repr::Scalar(_))),
        _ => true,
    }
}

/// The types of the parts that values of `ty` are passed in; none if the type is
/// not supported.
pub(crate) fn part_types(context: &Context, ty: Type) -> SmallVec<[clif::Type; 8]> {
    let mut parts = SmallVec::new();
    // Without a value there is nothing to do for an unsupported type.
    let _ = for_each_part(context, ty, |part, _| parts.push(part));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use freehold_frontend::ir::types::{MemRefType, TypeKind};

    fn abi(arch: Arch, results: &[Type]) -> FunctionAbi {
        let context = freehold_frontend::dialects::context();
        FunctionAbi::new(&context, arch, CallConv::SystemV, &[], results).unwrap()
    }

    /// What `llc-19` does with structs of these members.
    #[test]
    fn results_go_where_llvm_puts_them() {
        use Arch::{AArch64, X86_64};
        let i64 = Type::I64;
        assert!(!abi(X86_64, &[i64; 3]).indirect);
        assert!(abi(X86_64, &[i64; 4]).indirect);
        assert!(!abi(AArch64, &[i64; 8]).indirect);
        assert!(abi(AArch64, &[i64; 9]).indirect);
        assert!(!abi(X86_64, &[i64, Type::F32, i64, Type::F64, i64]).indirect);
        assert!(!abi(AArch64, &[Type::F64; 8]).indirect);
        assert!(abi(AArch64, &[Type::F64; 9]).indirect);
    }

    #[test]
    fn wide_integers_are_returned_in_halves() {
        let context = freehold_frontend::dialects::context();
        let i128 = context.integer_type(128);
        let abi =
            FunctionAbi::new(&context, Arch::X86_64, CallConv::SystemV, &[], &[i128]).unwrap();
        assert_eq!(abi.signature.returns.len(), 2);
        let results = [i128, Type::I64, i128];
        let abi =
            FunctionAbi::new(&context, Arch::X86_64, CallConv::SystemV, &[], &results).unwrap();
        let offsets: Vec<u32> = abi.results.iter().map(|part| part.offset).collect();
        assert_eq!(offsets, [0, 8, 16, 32, 40]);
        assert_eq!(&part_types(&context, i128)[..], &[types::I128]);
        assert!(abi.indirect);
    }

    #[test]
    fn structs_are_laid_out_as_in_c() {
        let offsets: Vec<u32> = abi(Arch::X86_64, &[Type::I1, Type::I16, Type::F64, Type::F32])
            .results
            .iter()
            .map(|part| part.offset)
            .collect();
        assert_eq!(offsets, [0, 2, 8, 16]);
    }

    #[test]
    fn memrefs_are_expanded() {
        let context = freehold_frontend::dialects::context();
        let memref = context.memref_type(MemRefType::identity(&[2, 3], Type::F32));
        let unranked = context.intern_type(TypeKind::UnrankedMemRef {
            element: Type::F32,
            space: None,
        });
        let inputs = [memref, Type::I1, unranked];
        let make = |c_interface: bool| {
            let new = if c_interface {
                FunctionAbi::c_interface
            } else {
                FunctionAbi::new
            };
            new(
                &context,
                Arch::X86_64,
                CallConv::SystemV,
                &inputs,
                &[memref],
            )
            .unwrap()
        };
        assert_eq!(make(false).signature.params.len(), 1 + 7 + 1 + 2);
        assert_eq!(make(true).signature.params.len(), 1 + 1 + 1 + 1);
        assert!(make(false).indirect && !make(true).indirect);
    }

    #[test]
    fn unsupported_types_are_named() {
        let context = freehold_frontend::dialects::context();
        let i256 = context.integer_type(256);
        let refused = FunctionAbi::new(
            &context,
            Arch::X86_64,
            CallConv::SystemV,
            &[Type::I1, i256],
            &[],
        );
        assert_eq!(refused.err(), Some(i256));
    }
}
