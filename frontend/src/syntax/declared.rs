//! What a file of declarations asks of operations, types and attributes of its dialects, checked in the words of
//! upstream's `--irdl-file`.

use std::sync::Arc;

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::declared::{
    Constraint, ConstraintId, Constraints, Declared, DeclaredKind, Owner, Place,
};
use crate::ir::effects::EffectKind;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{Count, DialectDef, OpError, ValueSpec};
use crate::ir::types::{Type, TypeKind};
use crate::syntax::parser::parse_attr_text;
use crate::syntax::printer::{attr_to_string, type_to_string};

/// The body of a type or attribute of a declared dialect as it is written, or why there is no such one. None if the
/// dialect is open and does not declare it.
pub(crate) fn canonical_body(
    context: &Arc<Context>,
    dialect: &DialectDef,
    is_type: bool,
    body: &str,
) -> Option<Result<String, String>> {
    let declared = dialect.declared?;
    let name = mnemonic(body);
    let kind = declared
        .kinds
        .iter()
        .find(|kind| kind.is_type == is_type && kind.name == name);
    match kind {
        Some(kind) => Some(checked_body(context, kind, body)),
        None if dialect.is_open => None,
        None => {
            let (sigil, what) = if is_type {
                ('!', "type")
            } else {
                ('#', "attribute")
            };
            let namespace = dialect.namespace;
            Some(Err(format!(
                "'{sigil}{namespace}.{body}' is no {what} of the dialect: to declare it, write \
                 'irdl.{what} @{name}' in 'irdl.dialect @{namespace}'"
            )))
        }
    }
}

/// The name that a body begins with.
fn mnemonic(body: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-');
    let end = body.find(|c| !is_part(c)).unwrap_or(body.len());
    &body[..end]
}

/// The parameters behind the name that a body begins with.
fn parameters(context: &Arc<Context>, body: &str) -> Result<Vec<Attr>, String> {
    let rest = body[mnemonic(body).len()..].trim();
    if rest.is_empty() {
        return Ok(Vec::new());
    }
    let inside = rest
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    let inside = inside.ok_or_else(|| format!("expected '<', but got '{rest}'"))?;
    let list = parse_attr_text(context, &format!("[{inside}]"))?;
    Ok(context.attr_array(list).unwrap_or_default().to_vec())
}

fn checked_body(context: &Arc<Context>, kind: &DeclaredKind, body: &str) -> Result<String, String> {
    let parameters = parameters(context, body)?;
    if parameters.len() != kind.parameters.len() {
        return Err(format!(
            "expected {} {} arguments, but had {}",
            kind.parameters.len(),
            if kind.is_type { "type" } else { "attribute" },
            parameters.len()
        ));
    }
    let mut matcher = Matcher::new(context, &kind.constraints);
    for (&constraint, &parameter) in kind.parameters.iter().zip(&parameters) {
        matcher.check(constraint, parameter)?;
    }
    if parameters.is_empty() {
        return Ok(kind.name.to_owned());
    }
    let parameters: Vec<String> = parameters
        .iter()
        .map(|&parameter| attr_to_string(context, parameter))
        .collect();
    Ok(format!("{}<{}>", kind.name, parameters.join(", ")))
}

/// The type that a declared type stands for when it is compiled.
pub fn representation(context: &Context, ty: Type) -> Option<Type> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return None;
    };
    let declared = context.dialect(context.name(*dialect))?.declared?;
    let name = mnemonic(body);
    let kind = declared
        .kinds
        .iter()
        .find(|kind| kind.is_type && kind.name == name)?;
    context.attr_type(context.declared_attr(kind.represented?))
}

/// Upstream's name of the kind of a type.
pub(crate) fn base_of_type(context: &Context, ty: Type) -> String {
    let name = match context.type_kind(ty) {
        TypeKind::MemRef(_) => "memref",
        TypeKind::UnrankedMemRef { .. } => "unranked_memref",
        TypeKind::RankedTensor { .. } => "tensor",
        TypeKind::UnrankedTensor(_) => "unranked_tensor",
        TypeKind::Vector { .. } => "vector",
        TypeKind::Integer { .. } => "integer",
        TypeKind::Index => "index",
        TypeKind::Complex(_) => "complex",
        TypeKind::Function { .. } => "function",
        TypeKind::Tuple(_) => "tuple",
        TypeKind::None => "none",
        TypeKind::Float(kind) => kind.keyword(),
        TypeKind::Dialect { dialect, body } => {
            return format!("{}.{}", context.name(*dialect), mnemonic(body));
        }
        _ => return type_to_string(context, ty),
    };
    format!("builtin.{name}")
}

/// Upstream's name of the kind of an attribute.
fn base_of_attr(context: &Context, attr: Attr) -> String {
    let name = match context.attr_kind(attr) {
        AttrKind::Unit => "unit",
        AttrKind::Integer { .. } | AttrKind::WideInteger { .. } => "integer",
        AttrKind::Float { .. } => "float",
        AttrKind::String(_) | AttrKind::TypedString(..) => "string",
        AttrKind::Array(_) => "array",
        AttrKind::Dictionary(_) => "dictionary",
        AttrKind::SymbolRef { .. } => "symbol_ref",
        AttrKind::Type(_) => "type",
        AttrKind::DenseArray { .. } => "dense_array",
        AttrKind::DenseElements(_) => "dense_typed_elements",
        AttrKind::AffineMap(_) => "affine_map",
        AttrKind::IntegerSet(_) => "integer_set",
        AttrKind::Dialect { dialect, body, .. } => {
            return format!("{}.{}", context.name(*dialect), mnemonic(body));
        }
        _ => "attribute",
    };
    format!("builtin.{name}")
}

/// Kinds of builtin types that a declaration may name.
pub(crate) const BUILTIN_TYPES: &[&str] = &[
    "bf16",
    "complex",
    "f16",
    "f32",
    "f64",
    "function",
    "index",
    "integer",
    "memref",
    "none",
    "tensor",
    "tuple",
    "unranked_memref",
    "unranked_tensor",
    "vector",
];

/// Kinds of builtin attributes that a declaration may name.
pub(crate) const BUILTIN_ATTRS: &[&str] = &[
    "affine_map",
    "array",
    "dense_array",
    "dense_typed_elements",
    "dictionary",
    "float",
    "integer",
    "integer_set",
    "string",
    "symbol_ref",
    "type",
    "unit",
];

/// What has been found out about the variables of a definition.
struct Matcher<'a> {
    context: &'a Arc<Context>,
    constraints: &'a Constraints,
    assigned: Vec<Option<Attr>>,
}

impl<'a> Matcher<'a> {
    fn new(context: &'a Arc<Context>, constraints: &'a Constraints) -> Self {
        Self {
            context,
            constraints,
            assigned: vec![None; constraints.len()],
        }
    }

    fn text(&self, attr: Attr) -> String {
        attr_to_string(self.context, attr)
    }

    fn check_value(&mut self, ir: &Ir, id: ConstraintId, value: Value) -> Result<(), String> {
        self.check(id, self.context.type_attr(ir.value_type(value)))
    }

    fn check(&mut self, id: ConstraintId, attr: Attr) -> Result<(), String> {
        if let Some(before) = self.assigned[id] {
            return match before == attr {
                true => Ok(()),
                false => Err(self.other_than(before, attr)),
            };
        }
        if let Constraint::Each(constraint) = &self.constraints[id] {
            return self.check_once(constraint, attr);
        }
        self.check_once(&self.constraints[id], attr)?;
        self.assigned[id] = Some(attr);
        Ok(())
    }

    /// Checks a constraint that is no variable.
    fn check_once(&mut self, constraint: &'a Constraint, attr: Attr) -> Result<(), String> {
        match constraint {
            Constraint::Any => {}
            Constraint::Each(constraint) => self.check_once(constraint, attr)?,
            Constraint::Is(number) => {
                let expected = self.context.declared_attr(*number);
                if expected != attr {
                    return Err(self.other_than(expected, attr));
                }
            }
            Constraint::AnyOf(choices) => {
                let is_one = choices.iter().any(|&choice| {
                    let before = self.assigned.clone();
                    let is_one = self.check(choice, attr).is_ok();
                    if !is_one {
                        self.assigned = before;
                    }
                    is_one
                });
                if !is_one {
                    return Err(format!(
                        "'{}' does not satisfy the constraint",
                        self.text(attr)
                    ));
                }
            }
            Constraint::AllOf(all) => {
                for &one in all {
                    self.check(one, attr)?;
                }
            }
            Constraint::Base {
                is_type,
                name,
                parameters,
            } => self.check_base(*is_type, name, parameters.as_deref(), attr)?,
        }
        Ok(())
    }

    fn other_than(&self, expected: Attr, attr: Attr) -> String {
        format!(
            "expected '{}' but got '{}'",
            self.text(expected),
            self.text(attr)
        )
    }

    fn check_base(
        &mut self,
        is_type: bool,
        name: &str,
        wanted: Option<&[ConstraintId]>,
        attr: Attr,
    ) -> Result<(), String> {
        let context = self.context;
        let ty = context.attr_type(attr);
        let (base, body) = match (ty, is_type) {
            (Some(ty), true) => (base_of_type(context, ty), type_to_string(context, ty)),
            (None, false) => (base_of_attr(context, attr), self.text(attr)),
            _ => (String::new(), self.text(attr)),
        };
        if base != name {
            let (what, got) = match is_type {
                true => ("type", self.text(attr)),
                false => ("attribute", base),
            };
            return Err(format!("expected base {what} '{name}' but got '{got}'"));
        }
        let Some(wanted) = wanted else {
            return Ok(());
        };
        let body = match (ty.map(|ty| context.type_kind(ty)), context.attr_kind(attr)) {
            (Some(TypeKind::Dialect { body, .. }), _) => body.to_string(),
            (_, AttrKind::Dialect { body, .. }) => body.to_string(),
            _ => body,
        };
        let given = parameters(context, &body)?;
        if given.len() != wanted.len() {
            return Err(format!(
                "attribute '{name}' expects {} parameters but got {}",
                given.len(),
                wanted.len()
            ));
        }
        for (&wanted, given) in wanted.iter().zip(given) {
            self.check(wanted, given)?;
        }
        Ok(())
    }
}

/// Checks a declared operation: counts, constraints, and that the facts about its values fit them.
pub(crate) fn check(ir: &Ir, op: Op, declared: &'static Declared) -> Result<(), OpError> {
    let context = ir.context();
    let def = ir.def(op);
    for (name, _) in &declared.attributes {
        if !ir.has_attr(op, context.intern_name(name)) {
            return Err(format!("attribute \"{name}\" is expected but not provided").into());
        }
    }
    let n_operands = ir.operands(op).len();
    check_groups(
        ir,
        op,
        def.operands,
        n_operands,
        Name::OPERAND_SEGMENT_SIZES,
        "operand",
    )?;
    let n_results = ir.results(op).len();
    check_groups(
        ir,
        op,
        def.results,
        n_results,
        Name::RESULT_SEGMENT_SIZES,
        "result",
    )?;
    let n_regions = ir.regions(op).len();
    if n_regions != def.regions.0 {
        return Err(format!(
            "unexpected number of regions: expected {} but got {n_regions}",
            def.regions.0
        )
        .into());
    }
    let n_successors = ir.successors(op).len();
    if n_successors != def.successors.0 {
        return Err(format!(
            "requires {} successors but found {n_successors}",
            def.successors.0
        )
        .into());
    }
    let mut matcher = Matcher::new(context, &declared.constraints);
    for (group, &constraint) in declared.operands.iter().enumerate() {
        for &value in ir.operand_group(op, group) {
            matcher
                .check_value(ir, constraint, value)
                .map_err(OpError::bare)?;
        }
    }
    for (group, &constraint) in declared.results.iter().enumerate() {
        for &value in ir.result_group(op, group) {
            matcher
                .check_value(ir, constraint, value)
                .map_err(OpError::bare)?;
        }
    }
    for &(name, constraint) in &declared.attributes {
        if let Some(attr) = ir.attr(op, context.intern_name(name)) {
            matcher.check(constraint, attr).map_err(OpError::bare)?;
        }
    }
    check_regions(ir, op, declared, &mut matcher)?;
    check_meaning(ir, op, declared)
}

fn check_groups(
    ir: &Ir,
    op: Op,
    specs: &[ValueSpec],
    n_values: usize,
    segments: Name,
    what: &str,
) -> Result<(), OpError> {
    let context = ir.context();
    let count_of = |count| specs.iter().filter(|spec| spec.count == count).count();
    let (n_single, n_optional) = (count_of(Count::One), count_of(Count::Optional));
    let n_variadic = count_of(Count::Variadic);
    if n_optional + n_variadic > 1 {
        let name = context.name(segments);
        let Some(attr) = ir.attr(op, segments) else {
            let message = format!("'{name}' attribute is expected but not provided");
            return Err(OpError::bare(message));
        };
        let Some(sizes) = context.attr_i32_array(attr) else {
            let message = format!("'{name}' attribute is expected to be a dense i32 array");
            return Err(OpError::bare(message));
        };
        let sizes: Vec<i32> = sizes.collect();
        if sizes.len() != specs.len() {
            return Err(OpError::bare(format!(
                "'{name}' attribute for specifying {what} segments must have {} elements, but got {}",
                specs.len(),
                sizes.len()
            )));
        }
        for (index, (spec, &size)) in specs.iter().zip(&sizes).enumerate() {
            let expected = match spec.count {
                Count::One if size != 1 => "equal to 1",
                Count::Optional if !(0..=1).contains(&size) => "equal to 0 or 1",
                Count::Variadic if size < 0 => "non-negative",
                _ => continue,
            };
            let message = format!("element {index} in '{name}' attribute must be {expected}");
            return Err(OpError::bare(message));
        }
        if sizes.iter().map(|&size| size as usize).sum::<usize>() != n_values {
            return Err(OpError::bare(format!(
                "sum of elements in '{name}' attribute must be equal to the number of {what}s"
            )));
        }
        return Ok(());
    }
    let expected = match (n_optional, n_variadic) {
        (0, 0) if n_values != n_single => format!("exactly {n_single}"),
        (_, 0 | 1) if n_values < n_single => format!("at least {n_single}"),
        (1, 0) if n_values > n_single + 1 => format!("at most {}", n_single + 1),
        _ => return Ok(()),
    };
    let message = format!("op expects {expected} {what}s, but got {n_values}");
    Err(OpError::bare(message))
}

fn check_regions(
    ir: &Ir,
    op: Op,
    declared: &Declared,
    matcher: &mut Matcher<'_>,
) -> Result<(), OpError> {
    for (index, (rule, &region)) in declared.regions.iter().zip(ir.regions(op)).enumerate() {
        let entry = ir.entry_block(region);
        let arguments = entry.map_or(&[][..], |block| ir.block_args(block));
        if let Some(expected) = &rule.arguments {
            if arguments.len() != expected.len() {
                return Err(OpError::bare(format!(
                    "expected region {index} to have {} arguments but got {}",
                    expected.len(),
                    arguments.len()
                )));
            }
            for (&constraint, &argument) in expected.iter().zip(arguments) {
                matcher
                    .check_value(ir, constraint, argument)
                    .map_err(OpError::bare)?;
            }
        }
        let n_blocks = ir.blocks_in(region).count();
        if rule.n_blocks.is_some_and(|expected| expected != n_blocks) {
            return Err(OpError::bare(format!(
                "expected region {index} to have {} block(s) but got {n_blocks}",
                rule.n_blocks.unwrap_or(0)
            )));
        }
    }
    Ok(())
}

/// Whether the facts about memory can be true of these types.
fn check_meaning(ir: &Ir, op: Op, declared: &'static Declared) -> Result<(), OpError> {
    let context = ir.context();
    let def = ir.def(op);
    let contradiction = |message: String| Err(at_declaration(ir, op, message));
    let type_text = |value: Value| type_to_string(context, ir.value_type(value));
    for &(place, kind, _) in declared.effects.iter().flatten() {
        let (values, spec) = match place {
            Place::Operand(group) => (ir.operand_group(op, group), &def.operands[group]),
            Place::Result(group) => (ir.result_group(op, group), &def.results[group]),
            Place::Elsewhere => continue,
        };
        let what = match kind {
            EffectKind::Allocate => "allocate",
            EffectKind::Free => "free",
            EffectKind::Read | EffectKind::Write => continue,
        };
        let number = values
            .iter()
            .find(|&&v| is_number(context, ir.value_type(v)));
        if let Some(&number) = number {
            return contradiction(format!(
                "is declared to {what} '{}', but that is of type '{}'",
                spec.name,
                type_text(number)
            ));
        }
    }
    for &(result, operand) in &declared.same {
        let (results, operands) = (ir.result_group(op, result), ir.operand_group(op, operand));
        let types = |values: &[Value]| -> Vec<Type> {
            values.iter().map(|&value| ir.value_type(value)).collect()
        };
        if types(results) != types(operands) {
            return contradiction(format!(
                "declares '{}' to be '{}', but their types are different",
                def.results[result].name, def.operands[operand].name
            ));
        }
    }
    if let Some(group) = declared.view {
        let source = ir.operand_group(op, group).first();
        let result = ir.results(op).first();
        // Tensors become buffers later.
        let fits = source.zip(result).is_some_and(|(&source, &result)| {
            ir.is_memref(source) == ir.is_memref(result)
                && !is_number(context, ir.value_type(source))
        });
        if !fits {
            return contradiction(format!(
                "declares its result a view of '{}', but not both are buffers",
                def.operands[group].name
            ));
        }
    }
    for &(_, owner) in &declared.ownership {
        if let Owner::If(flags) = owner
            && let Some(&flag) =
                (ir.result_group(op, flags).iter()).find(|&&flag| ir.value_type(flag) != Type::I1)
        {
            return contradiction(format!(
                "declares '{}' to tell who owns a buffer, but that is of type '{}' and not 'i1'",
                def.results[flags].name,
                type_text(flag)
            ));
        }
    }
    Ok(())
}

/// An error of a declaration, at its place, that shows at `op`.
pub(crate) fn at_declaration(ir: &Ir, op: Op, message: String) -> OpError {
    match ir.def(op).declared {
        Some(declared) => {
            let message = format!("'{}' op {message}", ir.op_name(op));
            OpError::bare(message)
                .at(ir.context().declared_loc(declared.index))
                .note(ir.loc(op), "see the operation")
        }
        None => message.into(),
    }
}

/// Whether values of this type are never memory or something that stands for it.
pub(crate) fn is_number(context: &Context, ty: Type) -> bool {
    matches!(
        context.type_kind(ty),
        TypeKind::Integer { .. }
            | TypeKind::Index
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Vector { .. }
            | TypeKind::None
    )
}

/// The lines that declare an unknown operation. They say nothing that might be wrong.
pub(crate) fn lines_for(name: &str, n_operands: usize, n_results: usize) -> String {
    let (dialect, mnemonic) = name.split_once('.').unwrap_or((name, ""));
    let values = |what: &str, letter: char, n: usize| {
        let names: Vec<String> = (0..n).map(|i| format!("{letter}{i}: %any")).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!(" irdl.{what}({})", names.join(", ")),
        }
    };
    let any = match n_operands + n_results {
        0 => "",
        _ => " %any = irdl.any {freehold.each}",
    };
    format!(
        "irdl.dialect @{dialect} {{ irdl.operation @{mnemonic} {{{any}{}{} }} }}, with \
         'attributes {{freehold.effects = ...}}' behind its name for what it does to memory",
        values("operands", 'o', n_operands),
        values("results", 'r', n_results),
    )
}
