//! `convert-to-signless`: types of signed and unsigned integers become signless ones.
//!
//! Before:
//! ```mlir
//! func.func @f(%x: tensor<4xui16>) -> tensor<4xui16> {
//!   %0 = builtin.unrealized_conversion_cast %x : tensor<4xui16> to tensor<4xi16>
//!   %1 = arith.addi %0, %0 : tensor<4xi16>
//!   %2 = builtin.unrealized_conversion_cast %1 : tensor<4xi16> to tensor<4xui16>
//!   return %2 : tensor<4xui16>
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: tensor<4xi16>) -> tensor<4xi16> {
//!   %1 = arith.addi %x, %x : tensor<4xi16>
//!   return %1 : tensor<4xi16>
//! }
//! ```
//!
//! Operations define how they read their operands, so only `vector.print` depends on these types: its unsigned
//! operands are cast back. Operations of front ends depend on them too, and have to be lowered before. Casts between integers of one width go, so nothing stands between a tensor and its
//! users. The attribute `freehold.declared_type` keeps the original function type for callers and headers.

use freehold_frontend::dialects::{tensor, vector};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{MemRefType, Signedness, Type, TypeKind};
use rustc_hash::FxHashMap;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-to-signless",
    summary: "turn types of signed and unsigned integers into signless ones",
    anchor: Anchor::Module,
    run: |ir, context: &mut PassContext<'_>| {
        if let Some((loc, name)) = first_that_reads_types(ir) {
            let message = format!(
                "'{name}' op reads integers as their types say: lower it before '{}'",
                PASS.name
            );
            return Err(context.diagnostics.error(loc, message));
        }
        convert(ir);
        Ok(())
    },
};

/// Dialects of front ends, whose operations divide, compare and convert as the types of their operands say.
const READ_TYPES: [&str; 4] = ["chlo", "onnx", "stablehlo", "vhlo"];

/// The first operation, here or inside, that would mean something else on signless integers.
fn first_that_reads_types(ir: &Ir) -> Option<(Loc, &str)> {
    let context = ir.context();
    let has_sign = |&value: &Value| {
        let element = context.element_type_or_self(ir.value_type(value));
        matches!(
            context.type_kind(element),
            TypeKind::Integer {
                signedness: Signedness::Unsigned | Signedness::Signed,
                ..
            }
        )
    };
    ir.walk(ir.root()).find_map(|op| {
        if let Some(nested) = ir.nested(op) {
            return first_that_reads_types(nested);
        }
        let mut values = ir.operands(op).iter().chain(ir.results(op));
        let reads_types = READ_TYPES.contains(&ir.def(op).dialect()) && values.any(has_sign);
        reads_types.then(|| (ir.loc(op), ir.op_name(op)))
    })
}

/// Converts all of an arena and of those inside of it.
fn convert(ir: &mut Ir) {
    let nested = functions::stubs(ir, |ir, op| ir.nested(op).is_some());
    functions::map_nested(ir, nested, false, convert);
    let context = ir.context().clone();
    let mut signless = Signless {
        context: &context,
        types: FxHashMap::default(),
        attrs: FxHashMap::default(),
    };
    let ops = ir.collect_ops(ir.root());
    let printed = (ops.iter().copied()).filter_map(|op| {
        let &operand = ir.operands(op).first()?;
        let ty = ir.value_type(operand);
        let is_printed =
            ir.is(op, &vector::PRINT) && is_unsigned(&context, context.element_type_or_self(ty));
        is_printed.then_some((op, ty))
    });
    let printed: Vec<(Op, Type)> = printed.collect();
    for op in ops {
        convert_op(ir, op, &mut signless);
    }
    for (op, ty) in printed {
        let mut b = Builder::before(ir, op);
        let operand = b.ir.operand(op, 0);
        let value = b.value(&builtin::UNREALIZED_CONVERSION_CAST, &[operand], ty);
        ir.set_operand(op, 0, value);
    }
}

/// Converts what an operation defines and says.
fn convert_op(ir: &mut Ir, op: Op, signless: &mut Signless<'_>) {
    let blocks: Vec<Block> = (ir.regions(op).iter())
        .flat_map(|&region| ir.blocks_in(region))
        .collect();
    let arguments = blocks.iter().flat_map(|&block| ir.block_args(block));
    let defined: Vec<Value> = ir.results(op).iter().chain(arguments).copied().collect();
    let is_cast = is_cast_of_integers(ir, op, signless);
    for value in defined {
        let ty = ir.value_type(value);
        let new = signless.ty(ty);
        if new != ty {
            ir.set_value_type(value, new);
        }
    }
    if is_cast {
        let operands = ir.operands(op).to_vec();
        ir.replace_op(op, &operands);
        return;
    }
    for (name, attr) in signless.context.dict(ir.attrs(op)).to_vec() {
        let new = signless.attr(attr);
        if new != attr && name != Name::DECLARED_TYPE {
            ir.set_attr(op, name, new);
            if name == Name::FUNCTION_TYPE {
                ir.set_attr(op, Name::DECLARED_TYPE, attr);
            }
        }
    }
}

/// Whether an operation only says that integers are read in another way. Its operand may be converted already.
fn is_cast_of_integers(ir: &Ir, op: Op, signless: &mut Signless<'_>) -> bool {
    let (&[operand], &[result]) = (ir.operands(op), ir.results(op)) else {
        return false;
    };
    let is_cast = ir.is(op, &builtin::UNREALIZED_CONVERSION_CAST) || ir.is(op, &tensor::BITCAST);
    let (from, to) = (ir.value_type(operand), ir.value_type(result));
    is_cast && signless.ty(from) == signless.ty(to)
}

fn is_unsigned(context: &Context, ty: Type) -> bool {
    matches!(
        context.type_kind(ty),
        TypeKind::Integer {
            signedness: Signedness::Unsigned,
            ..
        }
    )
}

/// What types and attributes become.
struct Signless<'a> {
    context: &'a Context,
    types: FxHashMap<Type, Type>,
    attrs: FxHashMap<Attr, Attr>,
}

impl Signless<'_> {
    fn ty(&mut self, ty: Type) -> Type {
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let new = self.converted_type(ty);
        self.types.insert(ty, new);
        new
    }

    fn converted_type(&mut self, ty: Type) -> Type {
        let context = self.context;
        let kind = match context.type_kind(ty) {
            TypeKind::Integer { width, .. } => return context.integer_type(*width),
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => TypeKind::Vector {
                shape: shape.clone(),
                scalable: scalable.clone(),
                element: self.ty(*element),
            },
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => TypeKind::RankedTensor {
                shape: shape.clone(),
                element: self.ty(*element),
                encoding: *encoding,
            },
            TypeKind::UnrankedTensor(element) => TypeKind::UnrankedTensor(self.ty(*element)),
            TypeKind::MemRef(memref) => TypeKind::MemRef(MemRefType {
                element: self.ty(memref.element),
                ..memref.clone()
            }),
            TypeKind::UnrankedMemRef { element, space } => TypeKind::UnrankedMemRef {
                element: self.ty(*element),
                space: *space,
            },
            TypeKind::Tuple(members) => {
                TypeKind::Tuple(members.iter().map(|&member| self.ty(member)).collect())
            }
            TypeKind::Function { inputs, results } => TypeKind::Function {
                inputs: inputs.iter().map(|&input| self.ty(input)).collect(),
                results: results.iter().map(|&result| self.ty(result)).collect(),
            },
            TypeKind::Index
            | TypeKind::Float(_)
            | TypeKind::None
            | TypeKind::Complex(_)
            | TypeKind::Dialect { .. }
            | TypeKind::Spelled { .. } => return ty,
        };
        context.intern_type(kind)
    }

    fn attr(&mut self, attr: Attr) -> Attr {
        if let Some(&known) = self.attrs.get(&attr) {
            return known;
        }
        let new = self.converted_attr(attr);
        self.attrs.insert(attr, new);
        new
    }

    fn converted_attr(&mut self, attr: Attr) -> Attr {
        let context = self.context;
        let kind = match context.attr_kind(attr) {
            AttrKind::Integer { ty, value } => {
                let new = self.ty(*ty);
                if new == *ty {
                    return attr;
                }
                // Signless integers are stored with their sign.
                let unused = 128 - context.integer_width(new).unwrap_or(128).clamp(1, 128);
                return context.integer_attr(new, *value << unused >> unused);
            }
            AttrKind::Type(ty) => AttrKind::Type(self.ty(*ty)),
            AttrKind::Array(attrs) => {
                AttrKind::Array(attrs.iter().map(|&attr| self.attr(attr)).collect())
            }
            AttrKind::DenseElements(dense) => {
                let ty = self.ty(dense.ty);
                if ty == dense.ty {
                    return attr;
                }
                AttrKind::DenseElements(DenseElements {
                    ty,
                    ..dense.clone()
                })
            }
            AttrKind::DenseResource { ty, key } => AttrKind::DenseResource {
                ty: self.ty(*ty),
                key: key.clone(),
            },
            _ => return attr,
        };
        context.intern_attr(kind)
    }
}
