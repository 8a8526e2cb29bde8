//! Truth values as numbers of the size of what they were compared of: registers of vectors hold such.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;
use freehold_frontend::target::Element;

/// How many operations one after the other are looked at to find out what was compared: bounds compile time.
const MAX_STEPS: u32 = 6;

/// The type of integers that a truth value is to become; bytes, if it is not known of which comparison it is made.
pub(crate) fn integer_for(ir: &Ir, value: Value) -> Type {
    let element = compared(ir, value, ir.capped(MAX_STEPS));
    ir.context().integer_type(element.map_or(8, Element::bits))
}

/// What the first comparison compares that a truth value is made of.
fn compared(ir: &Ir, value: Value, steps: u32) -> Option<Element> {
    let steps = steps.checked_sub(1)?;
    let &first = ir.operands(ir.defining_op(value)?).first()?;
    match ir.value_type(first) {
        Type::I1 => compared(ir, first, steps),
        ty => Element::of(ir.context(), ty).filter(|_| ty != Type::INDEX),
    }
}
