//! `vector.print`: calls of the runtime's print functions.

use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::dialects::vector::{self, punctuation};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{FloatKind, Signedness, Type, TypeKind};

use crate::external;
use crate::lower::float::is_supported;
use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::Elements;
use crate::lower::held::Sign;
use crate::references::LocalData;
use crate::repr::{Repr, Scalar};

pub(super) static TABLE: LoweringTable = &[(&vector::PRINT, lower_print)];

fn lower_print(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    if let Some(text) = cx.ir.attr(op, Name::STRING_LITERAL)
        && let AttrKind::String(bytes) = cx.context.attr_kind(text)
    {
        let mut bytes = bytes.to_vec();
        bytes.push(0);
        let address = cx.local_data(LocalData::bytes(&bytes));
        // No newline: text stands between other things.
        cx.call_external(&external::PRINT_STRING, &[address]);
        return Ok(());
    }
    if let Some(&source) = cx.ir.operands(op).first() {
        let ty = cx.ir.value_type(source);
        let element = cx.context.element_type_or_self(ty);
        let scalar = match cx.repr(source)? {
            Repr::Vector(repr) => repr.scalar,
            Repr::Scalar(scalar) => scalar,
            _ => return Err(cx.unsupported_on(op, ty)),
        };
        let is_printable = match scalar {
            Scalar::Int(width) => width <= 64,
            Scalar::Float(kind) => is_supported(kind),
            Scalar::Function => false,
        };
        if !is_printable {
            return Err(cx.unsupported_on(op, ty));
        }
        let elements = cx.elements(source)?;
        let shape = cx.vector_shape(source)?;
        if vector::is_vector(cx.context, ty) {
            print_level(cx, element, scalar, &shape, &elements);
        } else {
            print_scalar(cx, element, scalar, elements[0]);
        }
    }
    match punctuation(cx.ir, op) {
        "newline" => cx.call_external(&external::PRINT_NEWLINE, &[]),
        "comma" => cx.call_external(&external::PRINT_COMMA, &[]),
        "open" => cx.call_external(&external::PRINT_OPEN, &[]),
        "close" => cx.call_external(&external::PRINT_CLOSE, &[]),
        _ => return Ok(()),
    };
    Ok(())
}

/// `( a, b )`, with one more level of parentheses for each dimension.
fn print_level(
    cx: &mut Lowering<'_, '_>,
    ty: Type,
    scalar: Scalar,
    shape: &[usize],
    elements: &Elements,
) {
    let n = shape.len();
    let row = shape.last().copied().unwrap_or(1);
    for (i, &element) in elements.iter().enumerate() {
        // How many dimensions begin, and end, with this element.
        let mut size = 1;
        let mut opens = usize::from(n == 0);
        let mut closes = opens;
        for &extent in shape.iter().rev() {
            size *= extent;
            opens += usize::from(i % size == 0);
            closes += usize::from((i + 1) % size == 0);
        }
        for _ in 0..opens {
            cx.call_external(&external::PRINT_OPEN, &[]);
        }
        print_scalar(cx, ty, scalar, element);
        for _ in 0..closes {
            cx.call_external(&external::PRINT_CLOSE, &[]);
        }
        if i + 1 < elements.len() {
            cx.call_external(&external::PRINT_COMMA, &[]);
        }
        debug_assert!(closes == 0 || (i + 1) % row == 0);
    }
}

fn print_scalar(cx: &mut Lowering<'_, '_>, ty: Type, scalar: Scalar, value: clif::Value) {
    // Truth values are 1 and 0, with a sign as well.
    let is_unsigned = ty == Type::INDEX
        || matches!(scalar, Scalar::Int(1))
        || matches!(
            cx.context.type_kind(ty),
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            }
        );
    match scalar {
        Scalar::Int(width) if is_unsigned => {
            let wide = cx.resize(Sign::Unsigned, width, 64, value);
            cx.call_external(&external::PRINT_U64, &[wide]);
        }
        Scalar::Int(width) => {
            let wide = cx.resize(Sign::Signed, width, 64, value);
            cx.call_external(&external::PRINT_I64, &[wide]);
        }
        Scalar::Float(FloatKind::F64) => {
            cx.call_external(&external::PRINT_F64, &[value]);
        }
        Scalar::Float(FloatKind::F16) => {
            let half = cx.bitcast(types::I16, value);
            cx.call_external(&external::PRINT_F16, &[half]);
        }
        Scalar::Float(FloatKind::BF16) => {
            let half = cx.bitcast(types::I16, value);
            cx.call_external(&external::PRINT_BF16, &[half]);
        }
        Scalar::Float(kind) => {
            let wide = cx.widen_float(kind, value);
            cx.call_external(&external::PRINT_F32, &[wide]);
        }
        Scalar::Function => {
            cx.b.ins().nop();
        }
    }
}
