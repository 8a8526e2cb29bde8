//! What an executable knows of its functions at run time, for
//! [`command_line`](freehold_runtime::command_line) of the runtime, which says how a description is written.

use std::fmt::Display;

use freehold_frontend::dialects::func::preconditions::Relation;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::{DYNAMIC, FloatKind, MemRefType, Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;

use crate::abi::part_types;
use crate::preconditions::preconditions_of;
use crate::program::{Callable, Program};

/// The description of the functions that the command line can name.
pub(crate) fn describe(program: &Program<'_>) -> Vec<u8> {
    let mut description = Description(Vec::new());
    for callable in &program.callable {
        description.function(program, callable);
    }
    description.string("");
    description.0
}

struct Description(Vec<u8>);

impl Description {
    fn string(&mut self, string: impl Display) {
        // Names and types have no zero bytes: object files could not hold them, and text escapes them.
        self.0.extend(string.to_string().bytes());
        self.0.push(0);
    }

    fn function(&mut self, program: &Program<'_>, callable: &Callable<'_>) {
        let context = program.context;
        let function = &program.functions[callable.id];
        let declaration = callable.declaration;
        self.string(&callable.name);
        self.string(function.abi.results_size);

        // As in messages of the JIT, a declaration counts if it is about as many values.
        let arguments = declaration.map(|declaration| &declaration.arguments);
        let arguments = arguments.filter(|declared| declared.len() == function.inputs.len());
        self.string(function.inputs.len());
        let mut cell = 0;
        for (index, &ty) in function.inputs.iter().enumerate() {
            let declared = arguments.map(|declared| &declared[index]);
            let is_read_only = declared.is_some_and(|&(_, is_read_only)| is_read_only);
            let value = match context.as_memref(ty) {
                Some(memref) if !is_filled_by_rows(context, memref) => None,
                Some(_) if is_read_only => shape(context, ty).map(|shape| format!("r{shape}")),
                _ => value(context, ty),
            };
            self.value(context, ty, declared.map(|(text, _)| text), value, cell);
            cell += part_types(context, ty).len();
        }

        let results = declaration.map(|declaration| &declaration.results);
        let results = results.filter(|declared| declared.len() == function.results.len());
        self.string(function.results.len());
        let mut parts = function.abi.results.iter();
        for (index, &ty) in function.results.iter().enumerate() {
            let text = results.map(|declared| &declared[index]);
            let n_parts = part_types(context, ty).len();
            let offset = parts.clone().next().map_or(0, |part| part.offset);
            parts.by_ref().take(n_parts).for_each(drop);
            self.value(context, ty, text, value(context, ty), offset);
        }

        let preconditions = preconditions_of(program, function);
        self.string(preconditions.len());
        for call in &preconditions {
            let precondition = &call.precondition;
            let (left, must, right) = precondition.words();
            self.string(match precondition.relation {
                Relation::Equal => "=",
                Relation::AtLeast => ">",
            });
            self.string(call.postfix(&precondition.left));
            self.string(left);
            self.string(must);
            self.string(call.postfix(&precondition.right));
            self.string(right);
            self.string(precondition.counts.len());
            for count in &precondition.counts {
                self.string(call.postfix(count));
            }
        }
    }

    fn value(
        &mut self,
        context: &Context,
        ty: Type,
        declared: Option<&String>,
        value: Option<String>,
        place: impl Display,
    ) {
        match declared {
            Some(text) => self.string(text),
            None => self.string(type_to_string(context, ty)),
        }
        self.string(value.as_deref().unwrap_or("-"));
        self.string(place);
    }
}

/// The letter and shape of a value of this type, if executables read and show such values.
fn value(context: &Context, ty: Type) -> Option<String> {
    let letter = if context.as_memref(ty).is_some() {
        'b'
    } else {
        'n'
    };
    Some(format!("{letter}{}", shape(context, ty)?))
}

/// `2x?xf32`, or `f32` for a number.
fn shape(context: &Context, ty: Type) -> Option<String> {
    let Some(memref) = context.as_memref(ty) else {
        return is_known(context, ty).then(|| type_to_string(context, ty));
    };
    let mut shape = String::new();
    for &size in &memref.shape {
        match size {
            DYNAMIC => shape.push('?'),
            size => shape += &size.to_string(),
        }
        shape.push('x');
    }
    is_known(context, memref.element).then(|| shape + &type_to_string(context, memref.element))
}

/// Whether executables read and show numbers of this type.
fn is_known(context: &Context, ty: Type) -> bool {
    let is_known_float = |kind| {
        matches!(
            kind,
            FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64
        )
    };
    match context.type_kind(ty) {
        TypeKind::Index => true,
        TypeKind::Integer { width, .. } => *width <= 64,
        &TypeKind::Float(kind) => is_known_float(kind),
        &TypeKind::Complex(part) => match context.type_kind(part) {
            &TypeKind::Float(kind) => is_known_float(kind),
            _ => false,
        },
        _ => false,
    }
}

/// Whether elements may lie one after the other, the last dimension first, whatever the sizes are.
fn is_filled_by_rows(context: &Context, memref: &MemRefType) -> bool {
    if memref.layout.is_none() {
        return true;
    }
    let Some((strides, offset)) = context.memref_strides(memref) else {
        return false;
    };
    let outer = strides.split_last();
    outer.is_none_or(|(&last, outer)| {
        matches!(last, DYNAMIC | 1) && outer.iter().all(|&stride| stride == DYNAMIC)
    }) && matches!(offset, DYNAMIC | 0)
}
