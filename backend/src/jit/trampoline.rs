//! Code that takes parameters from an array, calls a function, and leaves its results in another array.

use cranelift_codegen::ir::{
    AbiParam, Function as ClifFunction, InstBuilder, Signature, UserFuncName, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

use super::CodeMemory;
use super::call::CallError;
use crate::abi::{self, FunctionAbi};
use crate::isa::{self, OptLevel, Purpose, Target};

/// A parameter or result: enough for any part.
pub(super) type Cell = [u64; abi::CELL as usize / 8];

/// Code that calls functions of one signature: `(function, parameters, results)`
/// loads, calls, stores.
pub(super) struct Trampoline {
    address: usize,
    /// Holds the code at that address.
    _code: CodeMemory,
}

impl Trampoline {
    /// For functions that are called like this.
    pub(super) fn new(abi: &FunctionAbi) -> Result<Self, CallError> {
        let (module, id) = trampoline(abi)?;
        Ok(Self {
            address: module.get_finalized_function(id).expose_provenance(),
            _code: CodeMemory(Some(module)),
        })
    }

    /// Calls the function at `function`.
    ///
    /// # Safety
    /// The function must have the convention that this was made for, `parameters` a cell for each of its
    /// parameters of the right type, and `results` space for its struct of results.
    pub(super) unsafe fn call(
        &self,
        function: *const u8,
        parameters: &[Cell],
        results: &mut [Cell],
    ) {
        type Code = extern "C" fn(*const u8, *const Cell, *mut Cell);
        let code = std::ptr::with_exposed_provenance::<u8>(self.address);
        // SAFETY: the code was generated with this type; the rest is the caller's promise.
        unsafe {
            let call = std::mem::transmute::<*const u8, Code>(code);
            call(function, parameters.as_ptr(), results.as_mut_ptr());
        }
    }
}

/// The code of a [`Trampoline`].
fn trampoline(abi: &FunctionAbi) -> Result<(JITModule, FuncId), CallError> {
    let failed = |error: String| CallError::new(format!("cannot make the call: {error}"));
    let isa = isa::build(&Target::host(), None, OptLevel::None, Purpose::Jit).map_err(failed)?;
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let mut signature = Signature::new(abi.signature.call_conv);
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
    abi::call_in_memory(&mut b, abi, cells, results, |b, args| {
        let signature = b.import_signature(abi.signature.clone());
        b.ins().call_indirect(signature, callee, args)
    });
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
