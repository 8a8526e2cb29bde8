//! Functions, calls and returns.

use crate::dialects::func;
use crate::dialects::func::function::{
    Attrs, attrs_at, parse_attrs, print_attrs, set_attr_array, verify_attr_array,
};
use crate::ir::asm::{Argument, Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints::{
    ANY, ANY_ATTR, DICTIONARY_ARRAY_ATTR, FLAT_SYMBOL_REF_ATTR, STRING_ATTR, TYPE_ATTR,
};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::{CallInterface, Callee};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Traits, ValueSpec};
use crate::ir::symbols::SymbolTable;
use crate::ir::types::Type;
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::attributes::{self, FASTMATH, FUNCTION_LINKAGE, I32_LIST, VISIBILITY};
use super::types::{self, LlvmType};

/// What the words in front of a name say: the attribute, the words, and the number of the first one.
type Words = (Name, &'static [&'static str], i64);

const VISIBILITIES: Words = (Name::VISIBILITY_, &["hidden", "protected"], 1);
const UNNAMED_ADDRS: Words = (
    Name::UNNAMED_ADDR,
    &["local_unnamed_addr", "unnamed_addr"],
    1,
);

/// Calling conventions; the first one is that of C.
const CCONVS: &[&str] = &[
    "ccc",
    "fastcc",
    "coldcc",
    "preserve_mostcc",
    "preserve_allcc",
    "tailcc",
    "swiftcc",
];
const TAIL_CALL_KINDS: &[&str] = &["none", "tail", "musttail", "notail"];

fn word_attr(context: &Context, mnemonic: &str, word: &str) -> Attr {
    context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("llvm"),
        body: format!("{mnemonic}<{word}>").into(),
        ty: None,
    })
}

/// The word in `#llvm.mnemonic<word>`.
fn word_of<'c>(context: &'c Context, attr: Attr, mnemonic: &str) -> Option<&'c str> {
    match context.attr_kind(attr) {
        AttrKind::Dialect { body, .. } => {
            let body = body.strip_prefix(mnemonic)?;
            body.strip_prefix('<')?.strip_suffix('>')
        }
        _ => None,
    }
}

const CCONV: AttrSpec = AttrSpec::defaulted(Name::CCONV, &ANY_ATTR, |context| {
    word_attr(context, "cconv", "ccc")
});
const TAIL_CALL_KIND: AttrSpec = AttrSpec::defaulted(Name::TAIL_CALL_KIND, &ANY_ATTR, |context| {
    word_attr(context, "tailcallkind", "none")
});
pub(super) const UNNAMED_ADDR: AttrSpec = AttrSpec::defaulted(
    Name::UNNAMED_ADDR,
    &crate::ir::constraints::I64_ATTR,
    |context| context.i64_attr(0),
);

/// `llvm.func`: a function, or the declaration of one if it has no body.
pub static FUNC: OpDef = OpDef {
    name: "llvm.func",
    traits: Traits::OWNS_ARENA
        .and(Traits::FUNCTION)
        .and(Traits::NO_DEFAULT_DIALECT)
        .and(Traits::AUTOMATIC_ALLOCATION_SCOPE),
    attributes: &[
        CCONV,
        AttrSpec::optional(Name::ARG_ATTRS, &DICTIONARY_ARRAY_ATTR),
        AttrSpec::required(Name::FUNCTION_TYPE, &TYPE_ATTR),
        FUNCTION_LINKAGE,
        AttrSpec::optional(Name::RES_ATTRS, &DICTIONARY_ARRAY_ATTR),
        AttrSpec::required(Name::SYM_NAME, &STRING_ATTR),
        AttrSpec::optional(Name::SYM_VISIBILITY, &STRING_ATTR),
        UNNAMED_ADDR,
        VISIBILITY,
    ],
    regions: (1, 1),
    parse: Some(parse_func),
    print: Some(print_func),
    verify: verify_func,
    ..OpDef::BASE
};

/// `llvm.return`
pub static RETURN: OpDef = const {
    OpDef {
        name: "llvm.return",
        traits: Traits::TERMINATOR.and(Traits::RETURN_LIKE),
        operands: &[ValueSpec::optional("arg", &ANY)],
        ..OpDef::PURE
    }
}
.with_format("attr-dict ($arg^ `:` type($arg))?");

/// `llvm.call`: of a function by name, or of the address that comes first among the operands.
pub static CALL: OpDef = OpDef {
    name: "llvm.call",
    operands: &[ValueSpec::variadic("callee_operands", &ANY)],
    results: &[ValueSpec::optional("result", &ANY)],
    attributes: &[
        CCONV,
        TAIL_CALL_KIND,
        AttrSpec::optional(Name::BRANCH_WEIGHTS, &I32_LIST),
        AttrSpec::optional(Name::CALLEE, &FLAT_SYMBOL_REF_ATTR),
        FASTMATH,
        AttrSpec::optional(Name::VAR_CALLEE_TYPE, &TYPE_ATTR),
    ],
    parse: Some(parse_call),
    print: Some(print_call),
    verify_symbols: Some(verify_callee),
    call: Some(&CallInterface {
        callee: |ir, op| match ir.attr(op, Name::CALLEE) {
            Some(callee) => Callee::Symbol(callee),
            None => Callee::Value(ir.operand(op, 0)),
        },
        arguments: |ir, op| {
            let first = usize::from(!ir.has_attr(op, Name::CALLEE));
            first..ir.operands(op).len()
        },
    }),
    ..OpDef::BASE
};

op_view! {
    /// View of [`CALL`].
    Call, CALL {}
}

impl Call {
    /// The name of the called function, if it is called by name.
    pub fn callee_name(self, ir: &Ir) -> Option<&str> {
        ir.context()
            .attr_flat_symbol(ir.attr(self.0, Name::CALLEE)?)
    }

    /// The arguments.
    pub fn arguments(self, ir: &Ir) -> &[Value] {
        let first = usize::from(!ir.has_attr(self.0, Name::CALLEE));
        &ir.operands(self.0)[first.min(ir.operands(self.0).len())..]
    }

    /// Whether the callee takes more arguments than its type says.
    pub fn is_variadic(self, ir: &Ir) -> bool {
        ir.has_attr(self.0, Name::VAR_CALLEE_TYPE)
    }
}

pub(super) const OPS: &[&OpDef] = &[&CALL, &FUNC, &RETURN];

/// What a function of type `ty` takes and returns, and whether it takes more than that.
pub fn function_parts(context: &Context, ty: Type) -> Option<(Vec<Type>, Vec<Type>, bool)> {
    let LlvmType::Function {
        result,
        inputs,
        variadic,
    } = types::of(context, ty)?
    else {
        return None;
    };
    let results = if types::is_void(context, result) {
        Vec::new()
    } else {
        vec![result]
    };
    Some((inputs, results, variadic))
}

/// Reads one of the words if it is next, as an attribute.
fn parse_opt_word(p: &mut dyn OpAsmParser<'_>, (name, words, first): Words, spec: &mut OpSpec) {
    if let Some(i) = words.iter().position(|word| p.parse_opt_keyword(word)) {
        spec.set_attr(name, p.context().i64_attr(first + i as i64));
    }
}

fn print_opt_word(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, (name, words, first): Words) {
    let number = ir
        .attr(op, name)
        .and_then(|attr| ir.context().attr_integer(attr));
    let word =
        number.and_then(|number| words.get(usize::try_from(number - i128::from(first)).ok()?));
    if let Some(word) = word {
        p.text(" ");
        p.text(word);
    }
}

/// Reads what may stand in front of the name of any symbol.
pub(super) fn parse_symbol_words(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) {
    if let Some(linkage) = attributes::parse_opt_linkage(p) {
        spec.set_attr(Name::LINKAGE, linkage);
    }
    parse_opt_word(p, VISIBILITIES, spec);
}

/// Reads `unnamed_addr`.
pub(super) fn parse_unnamed_addr(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) {
    parse_opt_word(p, UNNAMED_ADDRS, spec);
}

/// Writes visibility and `unnamed_addr`, with `between` in their midst.
pub(super) fn print_symbol_words(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, between: &str) {
    print_opt_word(p, ir, op, VISIBILITIES);
    p.text(between);
    print_opt_word(p, ir, op, UNNAMED_ADDRS);
}

fn parse_opt_cconv(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) {
    if let Some(word) = CCONVS.iter().find(|word| p.parse_opt_keyword(word)) {
        spec.set_attr(Name::CCONV, word_attr(p.context(), "cconv", word));
    }
}

/// Writes the word of an attribute, unless it is the first one.
fn print_opt_word_attr(
    p: &mut dyn OpAsmPrinter,
    ir: &Ir,
    op: Op,
    (name, mnemonic, words): (Name, &str, &[&str]),
) {
    let attr = ir.attr(op, name);
    let word = attr.and_then(|attr| word_of(ir.context(), attr, mnemonic));
    if let Some(word) = word.filter(|&word| word != words[0]) {
        p.text(" ");
        p.text(word);
    }
}

fn parse_func(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = parser.context();
    parse_symbol_words(parser, spec);
    parse_unnamed_addr(parser, spec);
    parse_opt_cconv(parser, spec);
    let name = parser.parse_symbol_name()?;
    spec.set_attr(Name::SYM_NAME, context.string_attr(&name));
    let mut arguments: Vec<Argument> = Vec::new();
    let (mut named, mut variadic) = (false, false);
    parser.parse_list(Delimiter::Paren, &mut |parser| {
        let loc = parser.loc();
        if variadic {
            return Err(parser.error(
                loc,
                "variadic arguments must be in the end of the argument list",
            ));
        }
        if parser.parse_opt_token("...") {
            variadic = true;
            return Ok(());
        }
        let argument = match parser.parse_opt_argument(true, true) {
            Some(argument) => {
                named = true;
                argument?
            }
            None => {
                let ty = parser.parse_type()?;
                let attrs = parse_attrs(parser)?;
                Argument::unnamed(ty, attrs, loc)
            }
        };
        arguments.push(argument);
        Ok(())
    })?;
    let mut result: Option<(Type, Attrs)> = None;
    if parser.parse_opt_token("->") {
        if parser.parse_opt_token("(") {
            // `-> ()` says that there is no result, as leaving it out does.
            if !parser.parse_opt_token(")") {
                let ty = parser.parse_type()?;
                result = Some((ty, parse_attrs(parser)?));
                parser.parse_token(")")?;
            }
        } else {
            result = Some((parser.parse_type()?, Vec::new()));
        }
    }
    let void = types::intern(context, &LlvmType::Void);
    let ty = LlvmType::Function {
        result: result.as_ref().map_or(void, |result| result.0),
        inputs: arguments.iter().map(|argument| argument.ty).collect(),
        variadic,
    };
    let ty = types::intern(context, &ty);
    spec.set_attr(Name::FUNCTION_TYPE, context.type_attr(ty));
    parser.parse_opt_attr_dict_with_keyword(spec)?;
    let arg_attrs = arguments.iter().map(|argument| argument.attrs.clone());
    set_attr_array(context, spec, Name::ARG_ATTRS, arg_attrs);
    let res_attrs = result.into_iter().map(|result| result.1);
    set_attr_array(context, spec, Name::RES_ATTRS, res_attrs);
    let entry: &[Argument] = if named { &arguments } else { &[] };
    if !parser.parse_opt_region(entry, spec)? {
        parser.add_empty_region(spec);
    }
    Ok(())
}

fn print_func(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let context = ir.context();
    let linkage = ir.attr(op, Name::LINKAGE);
    let linkage = linkage.and_then(|attr| attributes::linkage(context, attr));
    if let Some(word) = linkage.filter(|&word| word != "external") {
        printer.text(" ");
        printer.text(word);
    }
    print_symbol_words(printer, ir, op, "");
    print_opt_word_attr(printer, ir, op, (Name::CCONV, "cconv", CCONVS));
    printer.text(" ");
    printer.symbol_name(ir.symbol_name(op).unwrap_or_default());
    let parts = ir
        .function_type(op)
        .and_then(|ty| function_parts(context, ty));
    let (inputs, results, variadic) = parts.unwrap_or_default();
    let region = ir.region(op, 0);
    let entry = ir.entry_block(region);
    printer.text("(");
    for (i, &ty) in inputs.iter().enumerate() {
        printer.text(if i > 0 { ", " } else { "" });
        let attrs = attrs_at(ir, op, Name::ARG_ATTRS, i);
        match entry.and_then(|block| ir.block_args(block).get(i)) {
            Some(&argument) => printer.region_argument_with_attrs(ir, argument, attrs),
            None => {
                printer.ty(ty);
                print_attrs(printer, attrs);
            }
        }
    }
    if variadic {
        printer.text(if inputs.is_empty() { "..." } else { ", ..." });
    }
    printer.text(")");
    if let [result] = results[..] {
        let attrs = attrs_at(ir, op, Name::RES_ATTRS, 0);
        printer.text(" -> ");
        printer.text(if attrs.is_empty() { "" } else { "(" });
        printer.ty(result);
        print_attrs(printer, attrs);
        printer.text(if attrs.is_empty() { "" } else { ")" });
    }
    printer.opt_attr_dict_with_keyword(
        ir,
        op,
        &[
            Name::SYM_NAME,
            Name::FUNCTION_TYPE,
            Name::LINKAGE,
            Name::VISIBILITY_,
            Name::UNNAMED_ADDR,
            Name::CCONV,
            Name::ARG_ATTRS,
            Name::RES_ATTRS,
        ],
    );
    if entry.is_some() {
        printer.text(" ");
        printer.region(ir, region, false, true);
    }
}

fn verify_func(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let parts = ir
        .function_type(op)
        .and_then(|ty| function_parts(context, ty));
    let Some((inputs, results, _)) = parts else {
        return Err("requires a type of '!llvm.func'".into());
    };
    verify_attr_array(ir, op, Name::ARG_ATTRS, "argument", inputs.len())?;
    verify_attr_array(ir, op, Name::RES_ATTRS, "result", results.len().max(1))?;
    let Some(entry) = ir.entry_block(ir.region(op, 0)) else {
        return Ok(());
    };
    let arguments: Vec<Type> = (ir.block_args(entry).iter())
        .map(|&argument| ir.value_type(argument))
        .collect();
    if arguments == inputs {
        return Ok(());
    }
    Err("arguments of the entry block must be those of the function's type".into())
}

fn parse_call(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = parser.context();
    parse_opt_cconv(parser, spec);
    if let Some(word) = TAIL_CALL_KINDS
        .iter()
        .find(|word| parser.parse_opt_keyword(word))
    {
        spec.set_attr(
            Name::TAIL_CALL_KIND,
            word_attr(context, "tailcallkind", word),
        );
    }
    let mut operands = Vec::new();
    let is_direct = !parser.peek_operand();
    if is_direct {
        let callee = parser.parse_symbol_ref()?;
        spec.set_attr(Name::CALLEE, callee);
    } else {
        operands.push(parser.parse_operand()?);
    }
    operands.extend(parser.parse_operand_list(Delimiter::Paren)?);
    if parser.parse_opt_keyword("vararg") {
        parser.parse_token("(")?;
        let ty = parser.parse_type()?;
        spec.set_attr(Name::VAR_CALLEE_TYPE, context.type_attr(ty));
        parser.parse_token(")")?;
    }
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let loc = parser.loc();
    let mut types = Vec::new();
    if !is_direct {
        types.push(parser.parse_type()?);
        parser.parse_token(",")?;
    }
    let (inputs, results) = parser.parse_functional_type()?;
    types.extend(inputs);
    parser.resolve_each(&operands, &types, loc, spec)?;
    spec.results.extend(results);
    Ok(())
}

fn print_call(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let call = Call(op);
    print_opt_word_attr(printer, ir, op, (Name::CCONV, "cconv", CCONVS));
    let tail = (Name::TAIL_CALL_KIND, "tailcallkind", TAIL_CALL_KINDS);
    print_opt_word_attr(printer, ir, op, tail);
    printer.text(" ");
    let callee = ir.operands(op).first().copied();
    match call.callee_name(ir) {
        Some(name) => printer.symbol_name(name),
        None => callee.into_iter().for_each(|callee| printer.value(callee)),
    }
    printer.text("(");
    printer.values(call.arguments(ir));
    printer.text(")");
    let ty = ir.attr(op, Name::VAR_CALLEE_TYPE);
    if let Some(ty) = ty.and_then(|attr| ir.context().attr_type(attr)) {
        printer.text(" vararg(");
        printer.ty(ty);
        printer.text(")");
    }
    printer.opt_attr_dict(
        ir,
        op,
        &[
            Name::CALLEE,
            Name::CCONV,
            Name::TAIL_CALL_KIND,
            Name::VAR_CALLEE_TYPE,
        ],
    );
    printer.text(" : ");
    if call.callee_name(ir).is_none() {
        printer.types_of(ir, &ir.operands(op)[..1]);
        printer.text(", ");
    }
    let types = |values: &[Value]| -> Vec<Type> {
        values.iter().map(|&value| ir.value_type(value)).collect()
    };
    printer.functional_type(&types(call.arguments(ir)), &types(ir.results(op)));
}

fn verify_callee(ir: &Ir, op: Op, symbols: &SymbolTable) -> Result<(), OpError> {
    let context = ir.context();
    let call = Call(op);
    let Some(name) = call.callee_name(ir) else {
        let callee = ir.operands(op).first().map(|&callee| ir.value_type(callee));
        return match callee {
            Some(ty) if types::is_pointer(context, ty) => Ok(()),
            Some(ty) => Err(format!(
                "indirect call expects a pointer as callee: {}",
                type_to_string(context, ty)
            )
            .into()),
            None => Err("must have either a `callee` attribute or at least an operand".into()),
        };
    };
    let Some(symbol) = symbols.get(name) else {
        return Err(format!("'{name}' does not reference a symbol in the current scope").into());
    };
    // Calls of functions with more arguments than they declare stay as they are when others are raised.
    if std::ptr::eq(symbol.def, &func::FUNC) {
        return Ok(());
    }
    let parts = symbol
        .function_type
        .and_then(|ty| function_parts(context, ty));
    let Some((inputs, results, variadic)) = parts else {
        return Err(format!("'{name}' does not reference a valid LLVM function").into());
    };
    let arguments = call.arguments(ir);
    let fits = arguments.len() == inputs.len() || variadic && arguments.len() > inputs.len();
    if !fits {
        return Err(format!(
            "incorrect number of operands ({}) for callee (expecting: {})",
            arguments.len(),
            inputs.len()
        )
        .into());
    }
    for (i, (&argument, &expected)) in arguments.iter().zip(&inputs).enumerate() {
        let found = ir.value_type(argument);
        if found != expected {
            let [expected, found] = [expected, found].map(|ty| type_to_string(context, ty));
            return Err(
                format!("operand type mismatch for operand {i}: {found} != {expected}").into(),
            );
        }
    }
    let found: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    if found != results {
        return Err("result type mismatch with that of the callee".into());
    }
    Ok(())
}
