//! Enumerations and records, which are text: `comparison_direction EQ` here is `#vhlo<comparison_direction_v1 EQ>`,
//! and `output_operand_alias<operandIndex = 0>` is `#vhlo.output_operand_alias_v1<operandIndex = 0>`.

use crate::dialects::stablehlo::attributes::{body_of, dialect_attr};
use crate::ir::attrs::Attr;
use crate::ir::context::Context;
use crate::ir::types::DYNAMIC;

use super::tables::{ENUMERATIONS, Enumeration, FieldKind, PLAIN_TYPES, RECORDS, Record};

/// The value of a field.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Integer(i64),
    Integers(Vec<i64>),
    Float(f64),
    /// An attribute in the words of StableHLO and builtin.
    Text(String),
    /// Nothing.
    Missing,
}

/// The parts of a list between commas, where these are in no brackets.
pub(super) fn split_list(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut in_string, mut is_escaped) = (0_i32, 0, false, false);
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        if in_string {
            in_string = c != '"' || is_escaped;
            is_escaped = c == '\\' && !is_escaped;
        } else {
            match c {
                '"' => in_string = true,
                '<' | '[' | '(' | '{' => depth += 1,
                '>' if last == '-' => {}
                '>' | ']' | ')' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(text[start..at].trim());
                    start = at + 1;
                }
                _ => {}
            }
        }
        last = c;
    }
    let rest = text[start..].trim();
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

/// Mnemonic and inside of `mnemonic<inside>` or `mnemonic inside`.
fn split_body(body: &str) -> (&str, &str) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = body.find(|c| !is_part(c)).unwrap_or(body.len());
    let (mnemonic, rest) = body.split_at(end);
    let rest = rest.trim();
    let inside = rest
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    (mnemonic, inside.unwrap_or(rest).trim())
}

/// Names and values of `name = value, name = value`.
pub fn fields_of(inside: &str) -> impl Iterator<Item = (&str, &str)> {
    let entries = split_list(inside).into_iter();
    entries.filter_map(|entry| {
        let (name, value) = entry.split_once('=')?;
        Some((name.trim(), value.trim()))
    })
}

fn enumeration_in(body: &str) -> Option<(&'static Enumeration, usize)> {
    let (mnemonic, word) = split_body(body);
    let row = ENUMERATIONS.iter().find(|row| row.of == mnemonic)?;
    let number = row.words.iter().position(|known| *known == word)?;
    Some((row, number))
}

/// The enumeration that an attribute is of, and which of its words it is.
pub(super) fn enumeration_of(
    context: &Context,
    attr: Attr,
) -> Option<(&'static Enumeration, usize)> {
    enumeration_in(body_of(context, attr)?)
}

/// The number of a word of an enumeration of StableHLO.
pub fn enumeration_number(context: &Context, attr: Attr) -> Option<u64> {
    let (row, number) = enumeration_of(context, attr)?;
    Some(row.first + number as u64)
}

/// The attribute with this number, of the enumeration that StableHLO calls `of`.
pub fn enumeration_word(context: &Context, of: &str, number: u64) -> Option<Attr> {
    let row = ENUMERATIONS.iter().find(|row| row.of == of)?;
    let index = usize::try_from(number.checked_sub(row.first)?).ok()?;
    let word = row.words.get(index)?;
    Some(enumeration_attr(context, row, word))
}

/// Whether an attribute says of the accuracy of a function that it is any.
pub fn is_default_accuracy(context: &Context, attr: Attr) -> bool {
    let Some((row, values)) = record_of(context, attr) else {
        return false;
    };
    let is_default = |value: &Value| match value {
        Value::Integer(number) => *number == 0,
        Value::Float(number) => *number == 0.0,
        Value::Text(text) => text.contains("DEFAULT"),
        Value::Integers(_) | Value::Missing => true,
    };
    row.of == "result_accuracy" && values.iter().all(is_default)
}

/// The attribute of StableHLO for a word.
pub(super) fn enumeration_attr(context: &Context, row: &Enumeration, word: &str) -> Attr {
    match row.of {
        "result_accuracy_mode" => dialect_attr(context, &format!("result_accuracy_mode<{word}>")),
        of => dialect_attr(context, &format!("{of} {word}")),
    }
}

fn record_in(body: &str) -> Option<(&'static Record, Vec<Value>)> {
    let (mnemonic, inside) = split_body(body);
    let integers = |text: &str| {
        let sizes = split_list(text).into_iter();
        let sizes = sizes.map(|size| match size {
            "?" => Some(DYNAMIC),
            size => size.parse().ok(),
        });
        sizes.collect::<Option<Vec<i64>>>()
    };
    if mnemonic == "bounds" {
        let row = RECORDS.iter().find(|row| row.of == "type_extensions")?;
        return Some((row, vec![Value::Integers(integers(inside)?)]));
    }
    let row = RECORDS.iter().find(|row| row.of == mnemonic)?;
    let mut values: Vec<Value> = (row.fields.iter())
        .map(|(_, kind)| match kind {
            FieldKind::Integer => Value::Integer(0),
            FieldKind::Integers => Value::Integers(Vec::new()),
            FieldKind::Float => Value::Float(0.0),
            _ => Value::Missing,
        })
        .collect();
    for (name, text) in fields_of(inside) {
        let at =
            (row.fields.iter()).position(|field| field.0 == name || own_name(field.0) == name)?;
        values[at] = match row.fields[at].1 {
            FieldKind::Integer => Value::Integer(text.parse().ok()?),
            FieldKind::Integers => {
                let list = text.strip_prefix('[')?.strip_suffix(']')?;
                Value::Integers(integers(list)?)
            }
            FieldKind::Float => Value::Float(text.parse().ok()?),
            _ => Value::Text(text.to_owned()),
        };
    }
    Some((row, values))
}

/// What StableHLO calls a field: `operandIndex` is `operand_index` there.
fn own_name(name: &str) -> String {
    let mut own = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            own.push('_');
        }
        own.push(c.to_ascii_lowercase());
    }
    own
}

/// The record that an attribute is, and the values of its fields.
pub(super) fn record_of(context: &Context, attr: Attr) -> Option<(&'static Record, Vec<Value>)> {
    record_in(body_of(context, attr)?)
}

/// The attribute of StableHLO with these fields.
pub(super) fn record_attr(context: &Context, row: &Record, fields: &[(&str, Value)]) -> Attr {
    let mut texts = Vec::new();
    for &(name, kind) in row.fields {
        let value = fields.iter().find(|field| field.0 == name);
        let text = match value.map(|field| &field.1) {
            None | Some(Value::Missing) => continue,
            // What is not said of an accuracy is zero.
            Some(Value::Float(0.0) | Value::Integer(0)) if row.of == "result_accuracy" => continue,
            Some(Value::Integer(number)) => number.to_string(),
            Some(Value::Integers(numbers)) => {
                let numbers = integers_text(numbers);
                if row.of == "type_extensions" {
                    return dialect_attr(context, &format!("bounds<{numbers}>"));
                }
                format!("[{numbers}]")
            }
            Some(Value::Float(number)) => float_text(*number),
            Some(Value::Text(text)) if kind == FieldKind::SubAxis => sub_axis(text),
            // A mesh by its name is a symbol.
            Some(Value::Text(text)) if name == "mesh" && text.starts_with('"') => {
                format!("@{}", text.trim_matches('"'))
            }
            Some(Value::Text(text)) => text.clone(),
        };
        texts.push(format!("{} = {text}", own_name(name)));
    }
    dialect_attr(context, &format!("{}<{}>", row.of, texts.join(", ")))
}

fn integers_text(numbers: &[i64]) -> String {
    let numbers: Vec<String> = (numbers.iter())
        .map(|&number| match number {
            DYNAMIC => "?".to_owned(),
            number => number.to_string(),
        })
        .collect();
    numbers.join(", ")
}

/// `1.000000e-05`, with as many digits as it takes.
pub(super) fn float_text(number: f64) -> String {
    let mut text = format!("{number:.6e}");
    if text.parse() != Ok(number) {
        text = format!("{number:e}");
    }
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    let digits = match digits.contains('.') {
        true => digits.to_owned(),
        false => format!("{digits}.0"),
    };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// `#stablehlo.sub_axis_info<pre_size = 1, size = 2>` as it stands in others: `(1)2`.
fn sub_axis(text: &str) -> String {
    let (_, inside) = split_body(text.trim_start_matches("#stablehlo."));
    let of = |wanted: &str| {
        let mut fields = fields_of(inside);
        let field = fields.find(|(name, _)| *name == wanted);
        field.map_or("0", |(_, value)| value).to_owned()
    };
    format!("({}){}", of("pre_size"), of("size"))
}

/// The attribute that `(1)2` stands for.
pub(super) fn sub_axis_text(text: &str) -> String {
    let sizes = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let (pre_size, size) = sizes.unwrap_or(("0", "0"));
    format!(
        "#stablehlo.sub_axis_info<pre_size = {}, size = {}>",
        pre_size.trim(),
        size.trim()
    )
}

/// An enumeration or a record of StableHLO in the words of VHLO.
pub(super) fn spelled_body(body: &str) -> String {
    if let Some((row, number)) = enumeration_in(body) {
        return format!("#vhlo<{} {}>", row.mnemonic, row.words[number]);
    }
    let Some((row, values)) = record_in(body) else {
        return format!("#stablehlo.{body}");
    };
    let fields = row.fields.iter().zip(&values);
    let fields = fields.filter_map(|((name, kind), value)| {
        let text = match value {
            Value::Integer(number) => number.to_string(),
            Value::Integers(numbers) => format!("[{}]", integers_text(numbers)),
            Value::Float(number) => float_text(*number),
            Value::Text(text) if *kind == FieldKind::SubAxis => spelled_text(&sub_axis_text(text)),
            Value::Text(text) => spelled_text(text),
            Value::Missing => return None,
        };
        Some(format!("{name} = {text}"))
    });
    let fields: Vec<String> = fields.collect();
    format!("#vhlo.{}<{}>", row.mnemonic, fields.join(", "))
}

/// The text of an attribute in the words of VHLO.
fn spelled_text(text: &str) -> String {
    if let Some(body) = text.strip_prefix("#stablehlo.") {
        return spelled_body(body);
    }
    if let Some(name) = text.strip_prefix('@') {
        return format!("#vhlo.string_v1<\"{}\">", name.trim_matches('"'));
    }
    let list = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    if let Some(list) = list {
        let elements: Vec<String> = split_list(list).into_iter().map(spelled_text).collect();
        return format!("#vhlo.array_v1<[{}]>", elements.join(", "));
    }
    match text.starts_with('"') {
        true => format!("#vhlo.string_v1<{text}>"),
        false if text.starts_with("dense") => format!("#vhlo.tensor_v1<{text}>"),
        false => text.to_owned(),
    }
}

/// The text of tensor types in the words of VHLO.
pub(super) fn spelled_types(list: &str) -> String {
    let types = split_list(list).into_iter().map(|ty| {
        let Some(inside) = ty
            .strip_prefix("tensor<")
            .and_then(|ty| ty.strip_suffix('>'))
        else {
            return ty.to_owned();
        };
        let (sizes, element) = match inside.rfind('x') {
            // `f8E4M3FNxf32` is none: names of types have no x but in `complex` and `index`.
            Some(at)
                if inside[..at]
                    .bytes()
                    .all(|b| b.is_ascii_digit() || b"?x".contains(&b)) =>
            {
                inside.split_at(at + 1)
            }
            _ => ("", inside),
        };
        match PLAIN_TYPES.iter().find(|row| row.of == element) {
            Some(row) => format!("!vhlo.tensor_v1<{sizes}!vhlo.{}>", row.mnemonic),
            None => ty.to_owned(),
        }
    });
    let types: Vec<String> = types.collect();
    types.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_records() {
        for (body, expected) in [
            ("comparison_type NOTYPE", "#vhlo<comparison_type_v1 NOTYPE>"),
            (
                "bounds<16, ?>",
                "#vhlo.type_extensions_v1<bounds = [16, ?]>",
            ),
            (
                "result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>",
                "#vhlo.result_accuracy_v1<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 0, \
                 mode = #vhlo<result_accuracy_mode_v1 DEFAULT>>",
            ),
            (
                "axis_ref<name = \"x\", sub_axis_info = (1)2>",
                "#vhlo.axis_ref_v1<name = #vhlo.string_v1<\"x\">, sub_axis_info = \
                 #vhlo.sub_axis_info_v1<pre_size = 1, size = 2>>",
            ),
        ] {
            assert_eq!(spelled_body(body), expected);
        }
        assert_eq!(float_text(1e-5), "1.000000e-05");
        assert_eq!(
            split_list("a<b, c>, \"d, \\\", e\", (f) -> g"),
            ["a<b, c>", "\"d, \\\", e\"", "(f) -> g"]
        );
    }
}
