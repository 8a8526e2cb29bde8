//! What code refers to outside of its function: other functions, globals, the C
//! library, the runtime and constants.

use cranelift_codegen::ir::{
    self as clif, ExtFuncData, ExternalName, GlobalValueData, UserExternalName,
};
use freehold_frontend::ir::location::Loc;
use rustc_hash::FxHashMap;

use crate::abi::FunctionAbi;
use crate::external::External;
use crate::isa::Purpose;
use crate::program::{FunctionId, GlobalId, Linkage, Program};
use crate::references::{LocalData, References, namespace};

/// The references of one function, each made once.
pub(crate) struct Symbols<'a> {
    program: &'a Program<'a>,
    references: &'a mut References,
    functions: FxHashMap<FunctionId, clif::FuncRef>,
    globals: FxHashMap<GlobalId, clif::GlobalValue>,
    externals: FxHashMap<&'static str, clif::FuncRef>,
}

impl<'a> Symbols<'a> {
    /// Those of a function that refers to nothing yet.
    pub(crate) fn new(program: &'a Program<'a>, references: &'a mut References) -> Self {
        Self {
            program,
            references,
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            externals: FxHashMap::default(),
        }
    }

    /// A function of the program, to be called.
    pub(crate) fn function(&mut self, func: &mut clif::Function, id: FunctionId) -> clif::FuncRef {
        if let Some(&known) = self.functions.get(&id) {
            return known;
        }
        let near = self.is_near(self.program.functions[id].linkage);
        let reference = self.import_function(func, id, near);
        self.functions.insert(id, reference);
        reference
    }

    /// A function of the program whose address is taken.
    pub(crate) fn addressed_function(
        &mut self,
        func: &mut clif::Function,
        id: FunctionId,
    ) -> clif::FuncRef {
        let near = self.program.functions[id].linkage == Linkage::Local;
        self.import_function(func, id, near)
    }

    /// A function of the C library or the runtime.
    pub(crate) fn external(
        &mut self,
        func: &mut clif::Function,
        external: &'static External,
    ) -> clif::FuncRef {
        if let Some(&known) = self.externals.get(external.name) {
            return known;
        }
        let index = self.references.external(external);
        let abi = FunctionAbi::plain(self.program.call_conv(), external.params, external.results);
        let near = self.is_near(Linkage::Import);
        let reference = import(func, namespace::EXTERNAL, index, abi.signature, near);
        self.externals.insert(external.name, reference);
        reference
    }

    /// A global.
    pub(crate) fn global(&mut self, func: &mut clif::Function, id: GlobalId) -> clif::GlobalValue {
        if let Some(&known) = self.globals.get(&id) {
            return known;
        }
        let near = self.program.globals[id].linkage == Linkage::Local && !self.is_jit();
        let global = symbol(func, namespace::GLOBAL, id.as_u32(), near);
        self.globals.insert(id, global);
        global
    }

    /// Constant data that only this function refers to.
    pub(crate) fn local_data(
        &mut self,
        func: &mut clif::Function,
        data: LocalData,
    ) -> clif::GlobalValue {
        let index = self.references.data(data);
        symbol(func, namespace::LOCAL_DATA, index, !self.is_jit())
    }

    /// The runtime's description of `loc`, if it has a place.
    pub(crate) fn site(
        &mut self,
        func: &mut clif::Function,
        loc: Loc,
    ) -> Option<clif::GlobalValue> {
        let index = self.references.site(self.program.context, loc)?;
        Some(symbol(func, namespace::LOCAL_DATA, index, !self.is_jit()))
    }

    fn is_jit(&self) -> bool {
        self.program.purpose == Purpose::Jit
    }

    /// Whether code can be called with a short relocation.
    fn is_near(&self, linkage: Linkage) -> bool {
        // All code of the JIT is in one piece; the C library may be far. Linkers make
        // calls of imports and of preemptible functions go through the PLT.
        !self.is_jit() || linkage != Linkage::Import
    }

    fn import_function(
        &self,
        func: &mut clif::Function,
        id: FunctionId,
        near: bool,
    ) -> clif::FuncRef {
        let signature = self.program.functions[id].abi.signature.clone();
        import(func, namespace::FUNCTION, id.as_u32(), signature, near)
    }
}

fn import(
    func: &mut clif::Function,
    namespace: u32,
    index: u32,
    signature: clif::Signature,
    colocated: bool,
) -> clif::FuncRef {
    let name = func.declare_imported_user_function(UserExternalName { namespace, index });
    let signature = func.import_signature(signature);
    func.import_function(ExtFuncData {
        name: ExternalName::user(name),
        signature,
        colocated,
        patchable: false,
    })
}

fn symbol(
    func: &mut clif::Function,
    namespace: u32,
    index: u32,
    colocated: bool,
) -> clif::GlobalValue {
    let name = func.declare_imported_user_function(UserExternalName { namespace, index });
    func.create_global_value(GlobalValueData::Symbol {
        name: ExternalName::user(name),
        offset: 0.into(),
        colocated,
        tls: false,
    })
}
