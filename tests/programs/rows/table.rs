//! The rows that operations are made of, and the attributes that they may have.
//!
//! An operation of a row is tried: operand types that its constraints take, result types and attributes are drawn, and
//! the verifier says whether that is an operation. What it refuses is drawn again.

use std::sync::Arc;

use freehold::frontend::dialects;
use freehold::frontend::ir::attrs::Attr;
use freehold::frontend::ir::builtin;
use freehold::frontend::ir::context::Context;
use freehold::frontend::ir::data::Ir;
use freehold::frontend::ir::diag::Diagnostics;
use freehold::frontend::ir::edit::OpSpec;
use freehold::frontend::ir::location::Loc;
use freehold::frontend::ir::names::Name;
use freehold::frontend::ir::op_def::{AttrSpec, Count, OpDef, Traits, UNREGISTERED, ValueSpec};
use freehold::frontend::ir::types::Type;
use freehold::frontend::syntax::parser::parse_source;
use freehold::frontend::verify::verify;
use freehold_interpret::table::is_interpreted;

use super::build::Gen;
use super::types::{Elem, Ty};

/// Dialects whose operations are made from their rows alone.
const DIALECTS: &[&str] = &[
    "arith", "complex", "index", "math", "tensor", "ub", "vector",
];

/// Why a row is left out whose machine code and interpreter call other functions.
pub(super) const C_LIBRARY: &str = "its bits are those of the C library";

/// Rows of these dialects that are made otherwise, or not at all, and why.
pub(super) const NOT_FROM_ROWS: &[(&str, &str)] = &[
    ("arith.bitcast", "the bits of NaN are nobody's"),
    ("complex.bitcast", "the bits of NaN are nobody's"),
    ("math.fpowi", "its error is not bounded"),
    ("math.acosh", C_LIBRARY),
    ("math.asinh", C_LIBRARY),
    ("math.atanh", C_LIBRARY),
    ("math.erfc", C_LIBRARY),
    ("tensor.bitcast", "the bits of NaN are nobody's"),
    (
        "tensor.collapse_shape",
        "written by hand, as its sizes have to fit",
    ),
    (
        "tensor.empty",
        "written by hand, as its elements are not defined",
    ),
    (
        "tensor.expand_shape",
        "written by hand, as its sizes have to fit",
    ),
    (
        "tensor.extract_slice",
        "written by hand, as it has to be within bounds",
    ),
    (
        "tensor.gather",
        "written by hand, as it has to be within bounds",
    ),
    (
        "tensor.insert_slice",
        "written by hand, as it has to be within bounds",
    ),
    ("tensor.reshape", "its sizes have to fit"),
    (
        "tensor.scatter",
        "written by hand, as it has to be within bounds",
    ),
    ("tensor.splat", "written by hand, as its sizes have to fit"),
    ("vector.bitcast", "the bits of NaN are nobody's"),
    ("vector.print", "prints to the stream of the process"),
    ("vector.type_cast", "written by hand, as it is about memory"),
    ("vector.vscale", "nothing is scalable"),
    ("ub.unreachable", "is never reached"),
];

/// Rows, and what may stand in their attributes.
pub(super) struct Table {
    pub(super) context: Arc<Context>,
    pub(super) rows: Vec<&'static OpDef>,
    attributes: Vec<(Attr, String)>,
}

impl Table {
    pub(super) fn new() -> Self {
        let context = Arc::new(dialects::context().allow_unregistered_dialects(true));
        let is_made = |row: &&'static OpDef| {
            let takes_buffers = row.operands.iter().any(|spec| {
                let buffer = Ty::MemRef(super::types::Mem::new(Vec::new(), Elem::Int(32)));
                let number = Ty::Scalar(Elem::Index).intern(&context);
                let accepts = spec.constraint.accepts;
                accepts(&context, buffer.intern(&context)) && !accepts(&context, number)
            });
            DIALECTS.contains(&row.dialect())
                && is_interpreted(row)
                && row.regions == (0, 0)
                && !row.traits.contains(Traits::TERMINATOR)
                && !row.results.is_empty()
                && !takes_buffers
                && NOT_FROM_ROWS.iter().all(|(name, _)| *name != row.name)
        };
        let rows = dialects::ALL
            .iter()
            .flat_map(|dialect| dialect.ops.iter().copied())
            .filter(is_made)
            .collect();
        let attributes = attributes(&context);
        Self {
            context,
            rows,
            attributes,
        }
    }
}

/// Attributes of all kinds.
fn attributes(context: &Arc<Context>) -> Vec<(Attr, String)> {
    let mut texts: Vec<String> = vec!["true".into(), "false".into(), "unit".into()];
    for number in 0..16 {
        texts.push(format!("{number} : i64"));
        if number < 6 {
            texts.push(format!("{number} : i32"));
            texts.push(format!("{number} : index"));
        }
    }
    let lists: &[&[i64]] = &[
        &[],
        &[0],
        &[1],
        &[2],
        &[3],
        &[0, 1],
        &[1, 0],
        &[1, 1],
        &[2, 1],
        &[0, 2],
        &[1, 2],
        &[2, 2],
        &[0, 0],
        &[4],
        &[0, 1, 2],
        &[2, 1, 0],
        &[1, 2, 0],
        &[2, 0, 1],
        &[0, 2, 1],
        &[1, 0, 2],
        &[1, 1, 1],
        &[3, 2, 1, 0],
        &[0, 4, 1, 5],
        &[3, 1, 2, 0],
        &[0, 3],
        &[2, 3],
        &[1, 3],
        &[2, 4],
        &[7, 6, 5, 4, 3, 2, 1, 0],
        &[0, 2, 4, 6],
        &[5, 5, 0, 3],
    ];
    for list in lists {
        let numbers: Vec<String> = list.iter().map(i64::to_string).collect();
        let numbers = numbers.join(", ");
        texts.push(if list.is_empty() {
            "array<i64>".into()
        } else {
            format!("array<i64: {numbers}>")
        });
        texts.push(format!("[{numbers}]"));
        texts.push(if list.is_empty() {
            "array<i32>".into()
        } else {
            format!("array<i32: {numbers}>")
        });
    }
    for kind in [
        "add", "mul", "minui", "minsi", "minnumf", "maxui", "maxsi", "maxnumf", "and", "or", "xor",
        "minimumf", "maximumf",
    ] {
        texts.push(format!("#vector.kind<{kind}>"));
    }
    for text in [
        "#arith.overflow<none>",
        "#arith.overflow<none>",
        "#arith.overflow<nsw>",
        "#arith.fastmath<none>",
        "#ub.poison",
    ] {
        texts.push(text.into());
    }
    for name in [
        "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
    ] {
        texts.push(format!("#index<cmp_predicate {name}>"));
    }
    let mut all = Vec::new();
    for text in texts {
        let program = format!("\"test.x\"() {{a = {text}}} : () -> ()");
        let mut diagnostics = Diagnostics::new();
        let Ok(source) = context.add_source("attribute", &*program, 1) else {
            continue;
        };
        let Ok(module) = parse_source(context, &source, &mut diagnostics) else {
            continue;
        };
        let Some(block) = module.root_block() else {
            continue;
        };
        let Some(op) = module.ops_in(block).next() else {
            continue;
        };
        let name = context.intern_name("a");
        if let Some(attr) = module.attr(op, name) {
            all.push((attr, text));
        }
    }
    all
}

/// An operation that the verifier accepts.
struct Made {
    operands: Vec<Ty>,
    /// How many stand in each group.
    groups: Vec<usize>,
    results: Vec<Ty>,
    attributes: Vec<(Name, Attr, String)>,
}

impl Gen<'_> {
    /// An operation made of a row.
    pub(super) fn row_operation(&mut self) {
        for _ in 0..4 {
            let row = *self.rng.pick(&self.table.rows.clone());
            if self.operation_of(row) {
                return;
            }
        }
    }

    /// The same on numbers alone.
    pub(super) fn scalar_operation(&mut self) {
        for _ in 0..6 {
            let row = *self.rng.pick(&self.table.rows.clone());
            if ["arith", "math", "index", "complex"].contains(&row.dialect())
                && self.operation_on(row, true)
            {
                return;
            }
        }
    }

    pub(super) fn operation_of(&mut self, row: &'static OpDef) -> bool {
        let scalars = self.rng.chance(40);
        self.operation_on(row, scalars)
    }

    fn operation_on(&mut self, row: &'static OpDef, scalars: bool) -> bool {
        let types = self.types(scalars);
        for _ in 0..24 {
            if let Some(made) = self.try_row(row, &types) {
                self.write_made(row, &made);
                return true;
            }
        }
        false
    }

    /// Types that operations may be of.
    fn types(&mut self, scalars: bool) -> Vec<Ty> {
        let mut elems = self.palette.elems.clone();
        elems.extend([Elem::Int(1), Elem::Index, Elem::Int(32)]);
        let extra = *self.rng.pick(&[
            Elem::Int(64),
            Elem::Float(freehold::frontend::ir::types::FloatKind::F64),
            Elem::Float(freehold::frontend::ir::types::FloatKind::F32),
            Elem::Float(freehold::frontend::ir::types::FloatKind::F16),
            Elem::Int(8),
            Elem::Complex(freehold::frontend::ir::types::FloatKind::F64),
        ]);
        elems.push(extra);
        let mut types: Vec<Ty> = elems.iter().map(|&elem| Ty::Scalar(elem)).collect();
        if scalars {
            return types;
        }
        let [a, b] = [self.vector_size(), self.vector_size()];
        let mut shapes = vec![
            vec![a],
            vec![b],
            vec![a, b],
            vec![b, a],
            vec![2, a],
            vec![a * 2],
            vec![a * b],
            vec![a, 1],
        ];
        if a * b * 2 <= 64 {
            shapes.push(vec![2, a, b]);
            shapes.push(vec![a, b, 2]);
        }
        shapes.push(Vec::new());
        shapes.retain(|shape| shape.iter().product::<i64>() <= 64);
        for &elem in &elems {
            if !matches!(elem, Elem::Complex(_)) {
                types.extend(shapes.iter().map(|shape| Ty::Vector(shape.clone(), elem)));
            }
        }
        // Tensors that are there.
        let tensors: Vec<Ty> = (self.values.iter())
            .filter(|value| matches!(value.ty, Ty::Tensor(..)))
            .map(|value| value.ty.clone())
            .collect();
        for tensor in tensors.into_iter().rev().take(3) {
            types.extend(elems.iter().map(|&elem| tensor.with_elem(elem)));
        }
        types
    }

    /// Types for a group of values.
    fn draw(&mut self, spec: &ValueSpec, base: Option<&Ty>, types: &[Ty]) -> Option<Vec<Ty>> {
        let n = match spec.count {
            Count::One => 1,
            Count::Optional => self.rng.below(2),
            Count::Variadic => self.rng.below(4),
        };
        if n == 0 {
            return Some(Vec::new());
        }
        let context = &self.table.context.clone();
        let accepts = |ty: &Ty| (spec.constraint.accepts)(context, ty.intern(context));
        let mut wanted: Option<Ty> = None;
        if let Some(base) = base {
            let candidates = [
                base.clone(),
                base.clone(),
                base.clone(),
                Ty::Scalar(base.elem()),
                base.with_elem(Elem::Int(1)),
                base.with_elem(self.elem()),
            ];
            wanted = Some(self.rng.pick(&candidates).clone());
        }
        let ty = match wanted.filter(|ty| accepts(ty)) {
            Some(ty) if self.rng.chance(75) => ty,
            _ => {
                let fit: Vec<&Ty> = types.iter().filter(|ty| accepts(ty)).collect();
                if fit.is_empty() {
                    return None;
                }
                (*self.rng.pick(&fit)).clone()
            }
        };
        Some(vec![ty; n])
    }

    /// Draws an operation; nothing if it is not valid.
    fn try_row(&mut self, row: &'static OpDef, types: &[Ty]) -> Option<Made> {
        let context = Arc::clone(&self.table.context);
        let (mut operands, mut groups) = (Vec::new(), Vec::new());
        let mut base: Option<Ty> = None;
        for spec in row.operands {
            let drawn = self.draw(spec, base.as_ref(), types)?;
            base = base.or_else(|| drawn.first().cloned());
            groups.push(drawn.len());
            operands.extend(drawn);
        }
        let mut results = Vec::new();
        for spec in row.results {
            results.extend(self.draw(spec, base.as_ref(), types)?);
        }
        // A tensor of sizes that are poison is nothing to compare.
        if row.name == "ub.poison" && matches!(results.first(), Some(Ty::Tensor(..))) {
            return None;
        }
        // The verifier knows only sizes that types say.
        let sizes = |ty: &Ty| match ty {
            Ty::Tensor(dims, _) => Some(dims.iter().map(|dim| dim.size).collect::<Vec<_>>()),
            _ => None,
        };
        let mut tensors = operands.iter().chain(&results).filter_map(sizes);
        let first = tensors.next();
        if row.traits.contains(Traits::ELEMENTWISE) && !tensors.all(|other| Some(other) == first) {
            return None;
        }
        let mut attributes = Vec::new();
        for spec in row.attributes {
            if let Some((attr, text)) = self.attribute(row, spec, &results)? {
                attributes.push((spec.name, attr, text));
            }
        }
        let made = Made {
            operands,
            groups,
            results,
            attributes,
        };
        is_valid(&context, row, &made).then_some(made)
    }

    /// An attribute that a row takes: none if it may be missing.
    #[expect(
        clippy::option_option,
        reason = "there may be no attribute to choose, and none that is chosen"
    )]
    fn attribute(
        &mut self,
        row: &OpDef,
        spec: &AttrSpec,
        results: &[Ty],
    ) -> Option<Option<(Attr, String)>> {
        if !spec.required && self.rng.chance(85) {
            return Some(None);
        }
        let context = Arc::clone(&self.table.context);
        if row.traits.contains(Traits::CONSTANT_LIKE) && context.name(spec.name) == "value" {
            return self.constant_attribute(results);
        }
        let fit: Vec<(Attr, String)> = (self.table.attributes.iter())
            .filter(|(attr, _)| (spec.constraint.accepts)(&context, *attr))
            .cloned()
            .collect();
        match fit.is_empty() {
            true if !spec.required => Some(None),
            true => None,
            false => Some(Some(self.rng.pick(&fit).clone())),
        }
    }

    #[expect(clippy::option_option, reason = "as for other attributes")]
    fn constant_attribute(&mut self, results: &[Ty]) -> Option<Option<(Attr, String)>> {
        let ty = results.first()?;
        let text = match ty {
            Ty::Scalar(Elem::Complex(_)) => return None,
            Ty::Scalar(elem @ Elem::Int(1)) => self.literal(*elem),
            Ty::Scalar(elem) => format!("{} : {}", self.literal(*elem), ty.text()),
            Ty::Vector(shape, elem) => format!("{} : {}", self.dense(shape, *elem), ty.text()),
            _ => return None,
        };
        let context = &self.table.context;
        let program = format!("\"test.x\"() {{a = {text}}} : () -> ()");
        let mut diagnostics = Diagnostics::new();
        let source = context.add_source("attribute", &*program, 1).ok()?;
        let module = parse_source(context, &source, &mut diagnostics).ok()?;
        let op = module.ops_in(module.root_block()?).next()?;
        let attr = module.attr(op, context.intern_name("a"))?;
        Some(Some((attr, text)))
    }

    fn write_made(&mut self, row: &'static OpDef, made: &Made) {
        let mut names = Vec::new();
        for (at, ty) in made.operands.iter().enumerate() {
            let name = self.value_of(ty);
            names.push(self.guarded(row, at, name, ty));
        }
        let mut attributes: Vec<String> = (made.attributes.iter())
            .map(|(name, _, text)| match text == "unit" {
                true => self.table.context.name(*name).to_owned(),
                false => format!("{} = {text}", self.table.context.name(*name)),
            })
            .collect();
        if row.has_operand_segments() {
            let sizes: Vec<String> = made.groups.iter().map(usize::to_string).collect();
            attributes.push(format!(
                "operandSegmentSizes = array<i32: {}>",
                sizes.join(", ")
            ));
        }
        let attributes = match attributes.is_empty() {
            true => String::new(),
            false => format!(" <{{{}}}>", attributes.join(", ")),
        };
        let list = |types: &[Ty]| types.iter().map(Ty::text).collect::<Vec<_>>().join(", ");
        let name = self.fresh();
        let n = made.results.len();
        let head = match n {
            0 => String::new(),
            1 => format!("{name} = "),
            _ => format!("{name}:{n} = "),
        };
        self.line(format!(
            "{head}\"{}\"({}){attributes} : ({}) -> ({})",
            row.name,
            names.join(", "),
            list(&made.operands),
            list(&made.results)
        ));
        for (at, ty) in made.results.iter().enumerate() {
            let name = if n == 1 {
                name.clone()
            } else {
                format!("{name}#{at}")
            };
            let value = self.value(name, ty.clone());
            self.values.push(value);
        }
    }

    /// An operand that keeps the operation defined.
    fn guarded(&mut self, row: &OpDef, at: usize, name: String, ty: &Ty) -> String {
        let elem = ty.elem();
        let text = ty.text();
        let short = row.name.split_once('.').map_or("", |(_, name)| name);
        let is_signed = !short.contains('u') || short.ends_with('s');
        if at == 0
            && elem == Elem::Int(1)
            && is_signed
            && ["div", "rem"].iter().any(|part| short.contains(part))
        {
            return self.splat(ty, "0");
        }
        if row.name == "math.ipowi" && at == 1 {
            let Elem::Int(8..) = elem else {
                return self.splat(ty, "0");
            };
            let four = self.splat(ty, "4");
            return self
                .define(ty.clone(), format!("arith.remui {name}, {four} : {text}"))
                .name;
        }
        let divides = ["div", "rem"].iter().any(|part| short.contains(part)) && !elem.is_float();
        if at == 1 && divides && matches!(elem, Elem::Int(_) | Elem::Index) {
            let one = self.splat(ty, "1");
            let odd = self
                .define(ty.clone(), format!("arith.ori {name}, {one} : {text}"))
                .name;
            if !is_signed || elem == Elem::Int(1) {
                return odd;
            }
            // Never -1.
            let shift = self.splat(ty, "1");
            let half = self
                .define(ty.clone(), format!("arith.shrui {odd}, {shift} : {text}"))
                .name;
            let one = self.splat(ty, "1");
            return self
                .define(ty.clone(), format!("arith.ori {half}, {one} : {text}"))
                .name;
        }
        if at == 1
            && short.starts_with("sh")
            && short.len() <= 5
            && !elem.is_float()
            && self.rng.chance(95)
        {
            let width = self.splat(ty, &elem.width().min(127).to_string());
            if let Elem::Int(width) = elem
                && width < 8
            {
                return self.splat(ty, "0");
            }
            return self
                .define(ty.clone(), format!("arith.remui {name}, {width} : {text}"))
                .name;
        }
        if (short == "fptosi" || short == "fptoui") && self.rng.chance(90) {
            let flag = ty.with_elem(Elem::Int(1));
            let (low, high) = match row.results.is_empty() || short == "fptoui" {
                true => ("0.0", "1.0"),
                false => ("-1.0", "1.0"),
            };
            let _ = flag;
            let (low, high) = (self.splat(ty, low), self.splat(ty, high));
            let least = self
                .define(ty.clone(), format!("arith.maxnumf {name}, {low} : {text}"))
                .name;
            return self
                .define(
                    ty.clone(),
                    format!("arith.minnumf {least}, {high} : {text}"),
                )
                .name;
        }
        if row.name == "math.copysign" && at == 1 {
            // The sign of NaN is nobody's.
            let one = self.splat(ty, "1.0");
            return self
                .define(ty.clone(), format!("arith.maxnumf {name}, {one} : {text}"))
                .name;
        }
        let is_place = row.operands.get(1).is_some_and(|spec| {
            matches!(
                spec.name,
                "indices" | "position" | "dynamic_position" | "index"
            ) && elem == Elem::Index
                && at > 0
        }) || row.name == "vector.insert" && at > 1
            || row.name == "vector.insertelement" && at == 2
            || row.name == "vector.extractelement" && at == 1;
        if is_place && elem == Elem::Index {
            return self.index(0).name;
        }
        if row.name == "vector.extractelement" && at == 1
            || row.name == "vector.insertelement" && at == 2
        {
            return self.splat(ty, "0");
        }
        name
    }

    /// A number, or a vector or tensor of it.
    fn splat(&mut self, ty: &Ty, number: &str) -> String {
        let elem = ty.elem();
        let text = match ty {
            Ty::Scalar(Elem::Int(1)) => format!("arith.constant {}", number != "0"),
            Ty::Scalar(_) => format!("arith.constant {number} : {}", ty.text()),
            Ty::Tensor(dims, _) if dims.iter().any(|dim| dim.is_open) => {
                let scalar = self.splat(&Ty::Scalar(elem), number);
                let open: Vec<String> = dims
                    .iter()
                    .filter(|dim| dim.is_open)
                    .map(|&dim| self.size_value(dim).name)
                    .collect();
                format!("tensor.splat {scalar}[{}] : {}", open.join(", "), ty.text())
            }
            _ if elem == Elem::Int(1) => {
                format!("arith.constant dense<{}> : {}", number != "0", ty.text())
            }
            _ => format!("arith.constant dense<{number}> : {}", ty.text()),
        };
        self.define(ty.clone(), text).name
    }
}

/// Whether the verifier accepts an operation.
fn is_valid(context: &Arc<Context>, row: &'static OpDef, made: &Made) -> bool {
    let mut ir = Ir::new(
        Arc::clone(context),
        OpSpec::new(&builtin::MODULE, Loc::UNKNOWN).regions(1),
    );
    let region = ir.regions(ir.root())[0];
    let block = ir.append_block(region, &[]);
    let types: Vec<Type> = made.operands.iter().map(|ty| ty.intern(context)).collect();
    let mut spec = OpSpec::new(&UNREGISTERED, Loc::UNKNOWN).results(&types);
    spec.unregistered_name = context.intern_name("test.values");
    let source = ir.create_op(spec);
    ir.append_op(block, source);
    let values = ir.results(source).to_vec();
    let results: Vec<Type> = made.results.iter().map(|ty| ty.intern(context)).collect();
    let mut spec = OpSpec::new(row, Loc::UNKNOWN)
        .operands(&values)
        .results(&results);
    for (name, attr, _) in &made.attributes {
        spec.set_attr(*name, *attr);
    }
    if row.has_operand_segments() {
        let sizes: Vec<i32> = made
            .groups
            .iter()
            .map(|&n| i32::try_from(n).unwrap_or(0))
            .collect();
        spec.set_attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&sizes));
    }
    let op = ir.create_op(spec);
    ir.append_op(block, op);
    verify(&ir, &mut Diagnostics::new()).is_ok()
}
