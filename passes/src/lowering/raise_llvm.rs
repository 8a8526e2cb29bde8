//! `raise-llvm`: functions in the `llvm` dialect become functions of `func`, and what they compute
//! becomes `arith`, `math`, `vector` and `cf`, as far as there is a counterpart.
//!
//! Before:
//! ```mlir
//! llvm.func @f(%x: i64, %c: i1) -> i64 {
//!   %two = llvm.mlir.constant(2 : index) : i64
//!   llvm.cond_br %c, ^bb1, ^bb2(%x : i64)
//! ^bb1:
//!   %product = llvm.mul %x, %two : i64
//!   llvm.br ^bb2(%product : i64)
//! ^bb2(%r: i64):
//!   llvm.return %r : i64
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: i64, %c: i1) -> i64 {
//!   %c2_i64 = arith.constant 2 : i64
//!   cf.cond_br %c, ^bb1, ^bb2(%x : i64)
//! ^bb1:
//!   %0 = arith.muli %x, %c2_i64 : i64
//!   cf.br ^bb2(%0 : i64)
//! ^bb2(%1: i64):
//!   return %1 : i64
//! }
//! ```
//!
//! The rest addresses memory by pointers, or has structs and arrays as values: the code generator
//! has code for that. Variables become `memref.global` of bytes (`globals`), stack memory
//! `memref.alloca` of bytes. Attributes of functions go: they help LLVM, or, like
//! `llvm.emit_c_interface`, have been acted upon.

mod globals;
mod intrinsics;
pub mod rows;

use std::sync::Arc;

use freehold_frontend::dialects::arith::{FASTMATH_FLAGS, OVERFLOW_FLAGS};
use freehold_frontend::dialects::llvm::attributes as llvm_attributes;
use freehold_frontend::dialects::{arith, func, llvm, memref, vector};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{MemRefType, Type, TypeKind};
use rustc_hash::FxHashMap;

use crate::manage::pass::{Anchor, PassDef};
use crate::rewrite::functions;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "raise-llvm",
    summary: "raise the llvm dialect to func, arith, math, vector and cf",
    anchor: Anchor::Module,
    run: |ir, context| raise_module(ir, &mut context.diagnostics),
};

/// What a symbol of the module is.
enum Symbol {
    /// A function of this type.
    Function(Type),
    /// A variable: the memref that it becomes.
    Global(Type),
}

/// The symbols that are raised, by name.
type Symbols = FxHashMap<String, Symbol>;

fn raise_module(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let stubs = functions::stubs(ir, |ir, op| ir.is(op, &llvm::FUNC));
    let block = ir.root_block().into_iter();
    let variables: Vec<Op> = block
        .flat_map(|block| ir.ops_in(block))
        .filter(|&op| ir.is(op, &llvm::GLOBAL))
        .collect();
    let mut symbols = Symbols::default();
    for op in variables {
        let (name, ty) = globals::raise(ir, op, diagnostics)?;
        symbols.insert(name, Symbol::Global(ty));
    }
    for &stub in &stubs {
        let Some(function) = ir.nested(stub) else {
            continue;
        };
        let root = function.root();
        if let (Some(name), Some((inputs, results, _))) =
            (function.symbol_name(root), signature(function))
        {
            let ty = function.context().function_type(&inputs, &results);
            symbols.insert(name.to_owned(), Symbol::Function(ty));
        }
    }
    for stub in stubs {
        if let Some(function) = ir.nested(stub)
            && let Some(raised) = raise_function(function, &symbols, diagnostics)?
        {
            let new = ir.create_nested(raised);
            ir.insert_op_before(stub, new);
            ir.erase_op(stub);
        }
    }
    // Functions of `func` hold such operations where only a part was lowered.
    for stub in functions::functions(ir) {
        if let Some(function) = ir.nested_mut(stub) {
            raise_operations(function, &symbols, diagnostics)?;
        }
    }
    Ok(())
}

/// Raises the operations of the dialect in a function.
fn raise_operations(
    ir: &mut Ir,
    symbols: &Symbols,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let root = ir.root();
    let of_llvm: Vec<Op> = ir
        .walk(root)
        .filter(|&op| ir.def(op).name.starts_with("llvm."))
        .collect();
    let context = Arc::clone(ir.context());
    for op in of_llvm {
        let mut raise = Raise {
            ir: &mut *ir,
            context: &context,
            symbols,
            diagnostics: &mut *diagnostics,
        };
        raise.op(op)?;
    }
    Ok(())
}

fn signature(function: &Ir) -> Option<(Vec<Type>, Vec<Type>, bool)> {
    let ty = function.function_type(function.root())?;
    llvm::function_parts(function.context(), ty)
}

/// The function of `func` that does what `old` does.
fn raise_function(
    old: &Ir,
    symbols: &Symbols,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Ir>, Failed> {
    let context = Arc::clone(old.context());
    let root = old.root();
    let (Some(name), Some((inputs, results, variadic))) = (old.symbol_name(root), signature(old))
    else {
        return Ok(None);
    };
    let has_body = old.root_block().is_some();
    let mut new = func::function(&context, old.loc(root), name, &inputs, &results);
    let linkage = old.attr(root, Name::LINKAGE);
    let linkage = linkage.and_then(|attr| llvm_attributes::linkage(&context, attr));
    let is_private = !has_body
        || old.is_private(root)
        || matches!(
            linkage,
            Some("internal" | "private" | "available_externally")
        );
    let new_root = new.root();
    if is_private {
        new.set_attr(
            new_root,
            Name::SYM_VISIBILITY,
            context.string_attr("private"),
        );
    }
    if variadic {
        new.set_attr(new_root, Name::VARIADIC, Attr::UNIT);
    }
    if has_body {
        let region = new.region(new_root, 0);
        let mut map = IrMap::default();
        new.import_region(old, old.region(root, 0), region, &mut map);
        raise_operations(&mut new, symbols, diagnostics)?;
    }
    Ok(Some(new))
}

/// The state of raising one operation.
struct Raise<'a> {
    ir: &'a mut Ir,
    context: &'a Context,
    symbols: &'a Symbols,
    diagnostics: &'a mut Diagnostics,
}

impl Raise<'_> {
    fn op(&mut self, op: Op) -> Result<(), Failed> {
        let def = self.ir.def(op);
        if let Some(&(_, to)) = rows::SAME.iter().find(|(from, _)| std::ptr::eq(*from, def)) {
            self.replace_by_row(op, to);
            return Ok(());
        }
        if intrinsics::raise(self, op) {
            return Ok(());
        }
        let is = |row| std::ptr::eq(def, row);
        if is(&llvm::CONSTANT) {
            self.constant(op);
        } else if is(&llvm::ICMP) {
            self.compare(op);
        } else if is(&llvm::BITCAST) || is(&llvm::ADDRSPACE_CAST) {
            self.bitcast(op);
        } else if is(&llvm::FREEZE) {
            let value = self.ir.operand(op, 0);
            self.ir.replace_op(op, &[value]);
        } else if is(&llvm::INSERT_ELEMENT) || is(&llvm::SHUFFLE_VECTOR) {
            self.vector(op);
        } else if is(&llvm::CALL) {
            return self.call(op);
        } else if is(&llvm::ADDRESS_OF) {
            return self.address_of(op);
        } else if is(&llvm::ALLOCA) {
            return self.alloca(op);
        }
        Ok(())
    }

    fn error(&mut self, op: Op, message: &str) -> Failed {
        let message = format!("'{}' op {message}", self.ir.op_name(op));
        self.diagnostics.error(self.ir.loc(op), message)
    }

    fn result_types(&self, op: Op) -> Vec<Type> {
        let results = self.ir.results(op).iter();
        results.map(|&v| self.ir.value_type(v)).collect()
    }

    /// `op` with another row, and its flags in the notation of `arith`.
    fn spec(&self, op: Op, to: &'static freehold_frontend::ir::op_def::OpDef) -> OpSpec {
        let mut spec = OpSpec::new(to, self.ir.loc(op))
            .operands(self.ir.operands(op))
            .results(&self.result_types(op))
            .successors(self.ir.successors(op));
        for &(name, attr) in self.context.dict(self.ir.attrs(op)) {
            let translated = match name {
                Name::OVERFLOW_FLAGS => {
                    OVERFLOW_FLAGS.translate(self.context, &llvm_attributes::OVERFLOW_FLAGS, attr)
                }
                Name::FASTMATH_FLAGS => {
                    FASTMATH_FLAGS.translate(self.context, &llvm_attributes::FASTMATH_FLAGS, attr)
                }
                _ => Some(attr),
            };
            let name = match name {
                Name::FASTMATH_FLAGS => Name::FASTMATH,
                name => name,
            };
            if let Some(attr) = translated.filter(|_| to.is_inherent(name)) {
                spec.set_attr(name, attr);
            }
        }
        spec
    }

    fn replace_by_row(&mut self, op: Op, to: &'static freehold_frontend::ir::op_def::OpDef) {
        let spec = self.spec(op, to);
        self.replace(op, spec);
    }

    fn replace(&mut self, op: Op, spec: OpSpec) {
        let new = self.ir.create_op(spec);
        self.ir.insert_op_before(op, new);
        let results: Vec<Value> = self.ir.results(new).to_vec();
        self.ir.replace_op(op, &results);
    }

    /// Constants of aggregates stay as they are.
    fn constant(&mut self, op: Op) {
        let ty = self.ir.value_type(self.ir.result(op, 0));
        let value = self.ir.attr(op, Name::VALUE);
        if let Some(value) = value.and_then(|value| typed(self.context, value, ty)) {
            let spec = OpSpec::new(&arith::CONSTANT, self.ir.loc(op))
                .results(&[ty])
                .attr(Name::VALUE, value);
            self.replace(op, spec);
        }
    }

    /// Pointers are compared as integers.
    fn compare(&mut self, op: Op) {
        let is_pointer = |value| llvm::types::is_pointer(self.context, self.ir.value_type(value));
        if is_pointer(self.ir.operand(op, 0)) {
            for i in 0..2 {
                let pointer = self.ir.operand(op, i);
                let mut b = Builder::before(self.ir, op);
                let number = b.value(&llvm::PTR_TO_INT, &[pointer], Type::I64);
                self.ir.set_operand(op, i, number);
            }
        }
        self.replace_by_row(op, &arith::CMPI);
    }

    fn bitcast(&mut self, op: Op) {
        let (value, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
        let [from, to] = [value, result].map(|value| self.ir.value_type(value));
        if llvm::types::is_pointer(self.context, from) && llvm::types::is_pointer(self.context, to)
        {
            let spec = OpSpec::new(&builtin::UNREALIZED_CONVERSION_CAST, self.ir.loc(op))
                .operands(&[value])
                .results(&[to]);
            return match from == to {
                true => self.ir.replace_op(op, &[value]),
                false => self.replace(op, spec),
            };
        }
        let shape = |ty| self.context.shape(ty).map(<[i64]>::len);
        let same_shape = self.context.shape(from) == self.context.shape(to);
        if same_shape {
            self.replace_by_row(op, &arith::BITCAST);
        } else if shape(from) == Some(1) && shape(to) == Some(1) {
            self.replace_by_row(op, &vector::BITCAST);
        }
    }

    fn vector(&mut self, op: Op) {
        let mut spec;
        if self.ir.is(op, &llvm::INSERT_ELEMENT) {
            let [dest, source, position] = [0, 1, 2].map(|i| self.ir.operand(op, i));
            spec = self.spec(op, &vector::INSERT_ELEMENT);
            spec.operands = [source, dest, position].into_iter().collect();
        } else {
            spec = self.spec(op, &vector::SHUFFLE);
            let mask = self.ir.attr(op, Name::MASK);
            let mask = mask.and_then(|mask| self.context.attr_i32_array(mask));
            // Of lanes that may be anything, the first one will do.
            let lanes = mask.into_iter().flatten().map(|lane| lane.max(0));
            let lanes: Vec<Attr> = lanes
                .map(|lane| self.context.i64_attr(lane.into()))
                .collect();
            spec.set_attr(Name::MASK, self.context.array_attr(&lanes));
        }
        self.replace(op, spec);
    }

    fn call(&mut self, op: Op) -> Result<(), Failed> {
        let call = llvm::Call(op);
        // Which arguments there are, the code generator must know of each call.
        if call.is_variadic(self.ir) {
            return Ok(());
        }
        let arguments = call.arguments(self.ir).to_vec();
        let results = self.result_types(op);
        let Some(name) = call.callee_name(self.ir) else {
            let inputs: Vec<Type> = arguments.iter().map(|&v| self.ir.value_type(v)).collect();
            let ty = self.context.function_type(&inputs, &results);
            let callee = self.ir.operand(op, 0);
            let mut b = Builder::before(self.ir, op);
            let callee = b.value(&builtin::UNREALIZED_CONVERSION_CAST, &[callee], ty);
            let spec = b.spec(&func::CALL_INDIRECT).operands(&[callee]);
            let spec = spec.operands(&arguments).results(&results);
            self.replace(op, spec);
            return Ok(());
        };
        let spec = OpSpec::new(&func::CALL, self.ir.loc(op))
            .attr(Name::CALLEE, self.context.symbol_ref_attr(name))
            .operands(&arguments)
            .results(&results);
        self.replace(op, spec);
        Ok(())
    }

    fn address_of(&mut self, op: Op) -> Result<(), Failed> {
        let name = llvm::symbol(self.ir, op).unwrap_or_default();
        let symbol = self.context.symbol_ref_attr(name);
        let pointer = self.ir.value_type(self.ir.result(op, 0));
        let address = match self.symbols.get(name) {
            Some(&Symbol::Function(ty)) => {
                let mut b = Builder::before(self.ir, op);
                let function = b.value_with_attr(&func::CONSTANT, &[], ty, Name::VALUE, symbol);
                b.value(&builtin::UNREALIZED_CONVERSION_CAST, &[function], pointer)
            }
            Some(&Symbol::Global(ty)) => {
                let mut b = Builder::before(self.ir, op);
                let bytes = b.value_with_attr(&memref::GET_GLOBAL, &[], ty, Name::NAME, symbol);
                address_of_bytes(&mut b, bytes, pointer)
            }
            None => {
                return Err(self.error(
                    op,
                    "refers to a symbol that is neither a function nor a variable",
                ));
            }
        };
        self.ir.replace_op(op, &[address]);
        Ok(())
    }

    fn alloca(&mut self, op: Op) -> Result<(), Failed> {
        let element = self.ir.attr(op, Name::ELEM_TYPE);
        let element = element.and_then(|attr| self.context.attr_type(attr));
        let Some(layout) = element.and_then(|ty| llvm::types::layout(self.context, ty)) else {
            return Err(self.error(op, "allocates what has no size that is known here"));
        };
        let n = self.ir.operand(op, 0);
        let alignment = self.ir.attr(op, Name::ALIGNMENT);
        let alignment = alignment.and_then(|attr| self.context.attr_integer(attr));
        let alignment = alignment.unwrap_or(0).max(i128::from(layout.alignment));
        let pointer = self.ir.value_type(self.ir.result(op, 0));
        let constant = self
            .ir
            .defining_op(n)
            .and_then(|op| self.ir.attr(op, Name::VALUE));
        let constant = constant.and_then(|attr| self.context.attr_integer(attr));
        let constant =
            constant.and_then(|n| i64::try_from(n).ok()?.checked_mul(layout.size as i64));
        let n_type = self.ir.value_type(n);
        let context = Arc::clone(self.ir.context());
        let mut b = Builder::before(self.ir, op);
        let (size, dynamic) = match constant {
            Some(bytes) if bytes >= 0 => (bytes, None),
            _ => {
                let n = if context.integer_width(n_type) == Some(64) {
                    n
                } else {
                    b.value(&arith::EXTUI, &[n], Type::I64)
                };
                let size = arith::constant_int(&mut b, Type::I64, i128::from(layout.size));
                let bytes = b.value(&arith::MULI, &[n, size], Type::I64);
                let bytes = b.value(&arith::INDEX_CAST, &[bytes], Type::INDEX);
                (freehold_frontend::ir::types::DYNAMIC, Some(bytes))
            }
        };
        let ty = context.memref_type(MemRefType::identity(&[size], Type::I8));
        let sizes = [i32::from(dynamic.is_some()), 0];
        let spec = (b.spec(&memref::ALLOCA))
            .operands(dynamic.as_slice())
            .results(&[ty])
            .attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&sizes))
            .attr(Name::ALIGNMENT, context.integer_attr(Type::I64, alignment));
        let memory = b.create(spec);
        let memory = b.ir.result(memory, 0);
        let address = address_of_bytes(&mut b, memory, pointer);
        self.ir.replace_op(op, &[address]);
        Ok(())
    }
}

/// The address of a memref as a pointer.
fn address_of_bytes(b: &mut Builder<'_>, memory: Value, pointer: Type) -> Value {
    let row = &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX;
    let address = b.value(row, &[memory], Type::INDEX);
    let address = b.value(&arith::INDEX_CAST, &[address], Type::I64);
    b.value(&llvm::INT_TO_PTR, &[address], pointer)
}

/// `value` as the value of a constant of type `ty`, if that is a number or a vector of numbers.
fn typed(context: &Context, value: Attr, ty: Type) -> Option<Attr> {
    let element = match context.type_kind(ty) {
        TypeKind::Vector { element, .. } => *element,
        TypeKind::Integer { .. } | TypeKind::Float(_) => ty,
        _ => return None,
    };
    match context.attr_kind(value) {
        AttrKind::Integer { value, .. } if element == ty => {
            context.integer_width(ty)?;
            Some(context.integer_attr(ty, *value))
        }
        // Floats of 8 bits are integers by now.
        AttrKind::Float { bits, .. } if context.integer_width(ty).is_some() => {
            Some(context.integer_attr(ty, *bits as i128))
        }
        AttrKind::Float { ty: from, .. } if *from == ty => Some(value),
        AttrKind::DenseElements(dense) if element != ty => {
            let n = |ty| context.shape(ty).map(|shape| shape.iter().product::<i64>());
            let from = context.element_type_or_self(dense.ty);
            let is_same = context.element_byte_size(from) == context.element_byte_size(element);
            (is_same && n(dense.ty) == n(ty)).then(|| {
                context.intern_attr(AttrKind::DenseElements(DenseElements {
                    ty,
                    ..dense.clone()
                }))
            })
        }
        _ => None,
    }
}
