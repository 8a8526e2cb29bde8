//! Quantized types: `!quant.uniform<i8:f32, 0.5:3>` and `!vhlo.quant_v1<!vhlo.i8_v1:!vhlo.f32_v1, 0.5:3, -128:127, 1>`.

use std::sync::Arc;

use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::AttrKind;
use crate::ir::context::Context;
use crate::ir::diag::Failed;
use crate::ir::types::{Type, TypeKind};
use crate::syntax::printer::type_to_string;

use super::super::quant::scale_to_string;
use super::records::split_list;
use super::spelling::{parse_inner, print_inner};

/// The flag of signed storage.
const SIGNED: u64 = 1;

/// What a quantized type says.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantized {
    /// Whether stored integers have a sign.
    pub(super) flags: u64,
    /// The width of stored integers.
    pub width: u32,
    /// The text of the type that it stands for.
    pub expressed: String,
    /// The dimension along which scales differ.
    pub axis: Option<u64>,
    /// Scales and zero points.
    pub scales: Vec<(f64, i64)>,
    /// The least number that is stored.
    pub min: i64,
    /// The greatest one.
    pub max: i64,
}

/// The least and the largest number of this width.
fn bounds(width: u32, is_signed: bool) -> (i64, i64) {
    let all = u32::min(width, 63);
    match is_signed {
        true => (-(1 << (all - 1)), (1 << (all - 1)) - 1),
        false => (0, (1 << all) - 1),
    }
}

impl Quantized {
    /// What a type says, if it is quantized.
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
            return None;
        };
        (context.name(*dialect) == "quant").then_some(())?;
        Self::read(body.strip_prefix("uniform<")?.strip_suffix('>')?)
    }

    /// Whether stored integers have a sign.
    pub fn is_signed(&self) -> bool {
        self.flags & SIGNED != 0
    }

    fn read(inside: &str) -> Option<Self> {
        let parts = split_list(inside);
        let [types, scales @ ..] = &parts[..] else {
            return None;
        };
        let (storage, rest) = match types.find('<') {
            Some(at) => {
                let end = types.find('>')?;
                (&types[..at], &types[end + 1..])
            }
            None => types.split_at(types.find(':')?),
        };
        let is_signed = storage.starts_with(['i', 's']);
        let width: u32 = storage.trim_start_matches(['i', 's', 'u']).parse().ok()?;
        (1..=32).contains(&width).then_some(())?;
        let (mut min, mut max) = bounds(width, is_signed);
        if let (Some(at), Some(end)) = (types.find('<'), types.find('>')) {
            let (low, high) = types.get(at + 1..end)?.split_once(':')?;
            (min, max) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        }
        let mut words = rest.strip_prefix(':')?.split(':');
        let expressed = words.next()?.trim().to_owned();
        let axis = match words.next() {
            Some(axis) => Some(axis.trim().parse().ok()?),
            None => None,
        };
        let list = scales.join(", ");
        let list = list.trim().trim_start_matches('{').trim_end_matches('}');
        let scales = split_list(list).into_iter().map(|scale| {
            let (scale, zero) = scale.split_once(':').unwrap_or((scale, "0"));
            Some((scale.trim().parse().ok()?, zero.trim().parse().ok()?))
        });
        let scales: Vec<(f64, i64)> = scales.collect::<Option<_>>()?;
        let flags = if is_signed { SIGNED } else { 0 };
        (!scales.is_empty()).then_some(Self {
            flags,
            width,
            expressed,
            axis,
            scales,
            min,
            max,
        })
    }

    /// The type.
    pub(super) fn to_type(&self, context: &Context) -> Type {
        let is_signed = self.flags & SIGNED != 0;
        let letter = if is_signed { 'i' } else { 'u' };
        let mut text = format!("uniform<{letter}{}", self.width);
        if (self.min, self.max) != bounds(self.width, is_signed) {
            text.push_str(&format!("<{}:{}>", self.min, self.max));
        }
        text.push_str(&format!(":{}", self.expressed));
        let scales = self.scales.iter();
        let scales: Vec<String> = scales
            .map(|&(scale, zero)| scale_to_string(scale, zero))
            .collect();
        match self.axis {
            Some(axis) => text.push_str(&format!(":{axis}, {{{}}}>", scales.join(","))),
            None => text.push_str(&format!(", {}>", scales.join(","))),
        }
        context.intern_type(TypeKind::Dialect {
            dialect: context.intern_name("quant"),
            body: text.into(),
        })
    }

    /// The types of stored integers and of the numbers that they stand for.
    pub(super) fn types(&self, context: &Arc<Context>) -> (Type, Type) {
        let expressed = super::type_of_text(context, &self.expressed);
        (context.integer_type(self.width), expressed)
    }

    /// Reads what stands between the brackets of a VHLO type.
    pub(super) fn parse(p: &mut dyn OpAsmParser<'_>, per_axis: bool) -> Result<Type, Failed> {
        let loc = p.loc();
        let storage = parse_inner(p)?;
        p.parse_token(":")?;
        let expressed = parse_inner(p)?;
        p.parse_token(",")?;
        let (mut axis, mut scales) = (None, Vec::new());
        if per_axis {
            axis = Some(p.parse_integer()?.unsigned_abs());
            p.parse_token(",")?;
            let mut numbers = Vec::new();
            p.parse_list(Delimiter::Square, &mut |p| {
                numbers.push(parse_float(p)?);
                Ok(())
            })?;
            p.parse_token(",")?;
            let zeros = p.parse_integer_list()?;
            scales.extend(numbers.into_iter().zip(zeros));
        } else {
            let scale = parse_float(p)?;
            p.parse_token(":")?;
            scales.push((scale, p.parse_integer()?));
        }
        p.parse_token(",")?;
        let min = p.parse_integer()?;
        p.parse_token(":")?;
        let max = p.parse_integer()?;
        p.parse_token(",")?;
        let flags = p.parse_integer()?.unsigned_abs();
        let context = p.context();
        let Some(width) = context.integer_width(storage) else {
            return Err(p.report(loc, "expected an integer type".to_owned()));
        };
        let quantized = Self {
            flags,
            width,
            expressed: type_to_string(context, expressed),
            axis,
            scales,
            min,
            max,
        };
        Ok(quantized.to_type(context))
    }

    /// Writes a VHLO type up to the last bracket.
    pub(super) fn print(&self, p: &mut dyn OpAsmPrinter, context: &Context) {
        p.text(match self.axis {
            Some(_) => "!vhlo.quant_per_axis_v1<",
            None => "!vhlo.quant_v1<",
        });
        print_inner(p, context, context.integer_type(self.width));
        p.text(":!vhlo.");
        p.text(&self.expressed);
        p.text("_v1, ");
        let mut text = String::new();
        match (self.axis, self.scales.first()) {
            (Some(axis), _) => {
                let scales: Vec<String> = (self.scales.iter())
                    .map(|scale| super::records::float_text(scale.0))
                    .collect();
                let zeros: Vec<String> = self.scales.iter().map(|s| s.1.to_string()).collect();
                text.push_str(&format!(
                    "{axis}, [{}], [{}]",
                    scales.join(", "),
                    zeros.join(", ")
                ));
            }
            (None, Some((scale, zero))) => {
                text.push_str(&format!("{}:{zero}", super::records::float_text(*scale)));
            }
            (None, None) => {}
        }
        text.push_str(&format!(", {}:{}, {}", self.min, self.max, self.flags));
        p.text(&text);
    }
}

fn parse_float(p: &mut dyn OpAsmParser<'_>) -> Result<f64, Failed> {
    let value = p.parse_attr(Some(Type::F64))?;
    match p.context().attr_kind(value) {
        AttrKind::Float { bits, .. } => Ok(f64::from_bits(*bits as u64)),
        _ => Ok(0.0),
    }
}
