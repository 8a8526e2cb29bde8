//! An operator to be lowered: its operands as they were lowered, and its attributes.

use freehold_frontend::dialects::onnx;
use freehold_frontend::dialects::shared::const_fold::float;
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Region, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{Type, TypeKind};
use std::cell::Cell;
use std::sync::Arc;

/// Why an operator has no lowering.
#[derive(Debug)]
pub(super) struct Refused(pub(super) String);

impl From<&str> for Refused {
    fn from(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}

impl From<String> for Refused {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}

/// A value per result.
pub(super) type Lowered = Result<Vec<Value>, Refused>;

/// An operator.
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) def: &'static OpDef,
    /// The operands; none for those that are absent.
    pub(super) operands: Vec<Option<Value>>,
    /// Which results are read.
    pub(super) wanted: Vec<bool>,
    /// The element types that the model gives results.
    pub(super) elements: Vec<Option<Type>>,
    pub(super) opset: i64,
    attributes: Vec<(String, Attr)>,
    context: Arc<Context>,
    /// Which operands were asked for, the last ones together.
    read: Cell<u64>,
}

impl Node {
    pub(super) fn new(ir: &Ir, op: Op, operands: Vec<Option<Value>>, opset: i64) -> Self {
        let context = Arc::clone(ir.context());
        let attributes = context.dict(ir.attrs(op)).iter();
        let attributes = attributes.map(|&(name, attr)| (context.name(name).to_owned(), attr));
        let results = ir.results(op);
        let is_wanted = |&value: &Value| {
            !matches!(context.type_kind(ir.value_type(value)), TypeKind::None)
                && !ir.has_no_uses(value)
        };
        let element = |&value: &Value| match context.type_kind(ir.value_type(value)) {
            TypeKind::RankedTensor { element, .. } | TypeKind::UnrankedTensor(element) => {
                Some(*element)
            }
            _ => None,
        };
        Self {
            op,
            def: ir.def(op),
            operands,
            wanted: results.iter().map(is_wanted).collect(),
            elements: results.iter().map(element).collect(),
            opset,
            attributes: attributes.collect(),
            context: Arc::clone(&context),
            read: Cell::new(0),
        }
    }

    /// An operand that is there and was never asked for.
    pub(super) fn unread(&self) -> Option<usize> {
        let mask = |i: usize| 1 << i.min(63);
        let mut all = self.operands.iter().enumerate();
        all.find(|(i, operand)| operand.is_some() && self.read.get() & mask(*i) == 0)
            .map(|(i, _)| i)
    }

    /// An operand that must be there.
    pub(super) fn x(&self, index: usize) -> Result<Value, Refused> {
        self.opt(index)
            .ok_or_else(|| Refused(format!("operand #{index} is absent")))
    }

    pub(super) fn opt(&self, index: usize) -> Option<Value> {
        self.read.set(self.read.get() | 1 << index.min(63));
        self.operands.get(index).copied().flatten()
    }

    /// The operands that are there.
    pub(super) fn all(&self) -> Vec<Value> {
        self.read.set(u64::MAX);
        self.operands.iter().copied().flatten().collect()
    }

    pub(super) fn is_wanted(&self, index: usize) -> bool {
        self.wanted.get(index).copied().unwrap_or(false)
    }

    pub(super) fn attr(&self, name: &str) -> Option<&AttrKind> {
        let found = self.attributes.iter().find(|attr| attr.0 == name);
        found.map(|&(_, attr)| self.context.attr_kind(attr))
    }

    pub(super) fn raw(&self, name: &str) -> Option<Attr> {
        let found = self.attributes.iter().find(|attr| attr.0 == name);
        found.map(|attr| attr.1)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.attr(name).is_some()
    }

    pub(super) fn opt_int(&self, name: &str) -> Option<i64> {
        match self.attr(name)? {
            AttrKind::Integer { value, .. } => i64::try_from(*value).ok(),
            _ => None,
        }
    }

    pub(super) fn int(&self, name: &str, default: i64) -> i64 {
        self.opt_int(name).unwrap_or(default)
    }

    /// Whether an integer is not zero.
    pub(super) fn flag(&self, name: &str, default: bool) -> bool {
        self.int(name, i64::from(default)) != 0
    }

    pub(super) fn ints(&self, name: &str) -> Option<Vec<i64>> {
        let AttrKind::Array(all) = self.attr(name)? else {
            return None;
        };
        all.iter()
            .map(|&attr| i64::try_from(self.context.attr_integer(attr)?).ok())
            .collect()
    }

    fn float_of(&self, kind: &AttrKind) -> Option<f64> {
        match kind {
            AttrKind::Float { ty, bits } => float::decode(self.context.float_kind(*ty)?, *bits),
            AttrKind::Integer { value, .. } => Some(*value as f64),
            _ => None,
        }
    }

    pub(super) fn opt_float(&self, name: &str) -> Option<f64> {
        self.float_of(self.attr(name)?)
    }

    pub(super) fn float(&self, name: &str, default: f64) -> f64 {
        self.opt_float(name).unwrap_or(default)
    }

    pub(super) fn floats(&self, name: &str) -> Option<Vec<f64>> {
        let AttrKind::Array(all) = self.attr(name)? else {
            return None;
        };
        all.iter()
            .map(|&attr| self.float_of(self.context.attr_kind(attr)))
            .collect()
    }

    pub(super) fn opt_text(&self, name: &str) -> Option<String> {
        match self.attr(name)? {
            AttrKind::String(text) => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        }
    }

    pub(super) fn text(&self, name: &str, default: &str) -> String {
        self.opt_text(name).unwrap_or_else(|| default.to_owned())
    }

    pub(super) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let AttrKind::Array(all) = self.attr(name)? else {
            return None;
        };
        all.iter()
            .map(|&attr| self.context.attr_string(attr).map(str::to_owned))
            .collect()
    }

    /// An element type, or its number in the format.
    pub(super) fn ty(&self, name: &str) -> Option<Type> {
        match self.attr(name)? {
            AttrKind::Type(ty) => Some(*ty),
            AttrKind::Integer { value, .. } => {
                onnx::element_type(&self.context, i64::try_from(*value).ok()?)
            }
            AttrKind::String(text) => {
                let text = std::str::from_utf8(text).ok()?;
                let codes = [
                    "UNDEFINED",
                    "FLOAT",
                    "UINT8",
                    "INT8",
                    "UINT16",
                    "INT16",
                    "INT32",
                    "INT64",
                    "STRING",
                    "BOOL",
                    "FLOAT16",
                    "DOUBLE",
                    "UINT32",
                    "UINT64",
                    "COMPLEX64",
                    "COMPLEX128",
                ];
                let code = codes.iter().position(|&name| name == text)?;
                onnx::element_type(&self.context, code as i64)
            }
            _ => None,
        }
    }

    pub(super) fn region(&self, ir: &Ir, index: usize) -> Region {
        ir.region(self.op, index)
    }
}

/// A dimension counted from the end if it is negative.
pub(super) fn axis(axis: i64, rank: usize) -> Result<usize, Refused> {
    let rank = rank as i64;
    let positive = if axis < 0 { axis + rank } else { axis };
    match (0..rank).contains(&positive) {
        true => Ok(positive as usize),
        false => Err(Refused(format!(
            "axis {axis} is out of range for rank {rank}"
        ))),
    }
}

/// [`axis`] for each of several.
pub(super) fn axes(all: &[i64], rank: usize) -> Result<Vec<usize>, Refused> {
    all.iter().map(|&one| axis(one, rank)).collect()
}
