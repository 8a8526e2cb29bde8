//! The parts of the text of operations that declared formats have no directive
//! for, and the two operations whose whole text is out of the ordinary.

use smallvec::SmallVec;

use super::attributes::{ConvolutionDimensions, DotDimensions, Precision};
use super::constraints::bool_array;
use super::reductions::is_compact_combiner;
use super::regions::RETURN;
use crate::ir::asm::{Argument, Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind, DenseElements};
use crate::ir::builder::Builder;
use crate::ir::bytes::Bytes;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op};
use crate::ir::format::{CustomDirective, ParsedParts};
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::types::{Type, TypeKind};

/// How many operands have been read.
fn n_operands(parts: &ParsedParts) -> usize {
    let listed = parts.all_operands.as_ref();
    listed.map_or(parts.operands.len(), |(operands, _)| operands.len())
}

/// Takes the types of operands and of the result from a function type.
fn take_function_type(
    p: &mut dyn OpAsmParser<'_>,
    loc: Loc,
    inputs: &[Type],
    results: &[Type],
    parts: &mut ParsedParts,
) -> Result<(), Failed> {
    let n = n_operands(parts);
    if inputs.len() != n {
        let message = format!("{n} operands present, but expected {}", inputs.len());
        return Err(p.error(loc, message));
    }
    if results.len() != 1 {
        return Err(p.error(loc, "expected single output"));
    }
    parts.all_operand_types = Some(inputs.to_vec());
    parts.all_result_types = Some(results.to_vec());
    Ok(())
}

/// Reads a function type, or another type that `types_of` makes types of operands and of the result of.
fn parse_function_type_or(
    p: &mut dyn OpAsmParser<'_>,
    parts: &mut ParsedParts,
    operand_types_of: &dyn Fn(&Context, Type) -> Option<Vec<Type>>,
    expected: &str,
) -> Result<(), Failed> {
    let loc = p.loc();
    let ty = p.parse_type()?;
    if let TypeKind::Function { inputs, results } = p.context().type_kind(ty) {
        return take_function_type(p, loc, inputs, results, parts);
    }
    match operand_types_of(p.context(), ty) {
        Some(types) => {
            parts.all_operand_types = Some(types);
            parts.all_result_types = Some(vec![ty]);
            Ok(())
        }
        None => Err(p.error(loc, expected)),
    }
}

fn operand_types(ir: &Ir, op: Op) -> SmallVec<[Type; 4]> {
    let operands = ir.operands(op).iter();
    operands.map(|&value| ir.value_type(value)).collect()
}

fn result_types(ir: &Ir, op: Op) -> SmallVec<[Type; 4]> {
    let results = ir.results(op).iter();
    results.map(|&value| ir.value_type(value)).collect()
}

fn print_function_type(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.functional_type(&operand_types(ir, op), &result_types(ir, op));
}

/// One type where all operands and the result have it, else a function type.
pub(super) static SAME_TYPE: CustomDirective = CustomDirective {
    name: "SameType",
    attributes: &[],
    parse: |p, _, parts| {
        let n = n_operands(parts);
        parse_function_type_or(p, parts, &|_, ty| Some(vec![ty; n]), "")
    },
    print: |p, ir, op| {
        let result = ir.value_type(ir.result(op, 0));
        match operand_types(ir, op).iter().all(|&ty| ty == result) {
            true => p.ty(result),
            false => print_function_type(p, ir, op),
        }
    },
};

/// The tensor type of the parts of complex numbers.
pub(super) fn part_type(context: &Context, ty: Type) -> Option<Type> {
    match context.type_kind(context.element_type_or_self(ty)) {
        TypeKind::Complex(part) => Some(context.with_element_type(ty, *part)),
        _ => None,
    }
}

/// The type of the result of `complex` where that of the operands follows.
pub(super) static COMPLEX_TYPE: CustomDirective = CustomDirective {
    name: "ComplexType",
    attributes: &[],
    parse: |p, _, parts| {
        parse_function_type_or(
            p,
            parts,
            &|context, ty| part_type(context, ty).map(|part| vec![part; 2]),
            "expected tensor with complex element type",
        )
    },
    print: |p, ir, op| {
        let result = ir.value_type(ir.result(op, 0));
        let part = part_type(ir.context(), result);
        match operand_types(ir, op).iter().all(|&ty| Some(ty) == part) {
            true => p.ty(result),
            false => print_function_type(p, ir, op),
        }
    },
};

/// The types of the condition and of the result of `select`.
pub(super) static SELECT_TYPE: CustomDirective = CustomDirective {
    name: "SelectType",
    attributes: &[],
    parse: |p, _, parts| {
        let loc = p.loc();
        let types = p.parse_type_list()?;
        match types[..] {
            [condition, ty] => {
                parts.all_operand_types = Some(vec![condition, ty, ty]);
                parts.all_result_types = Some(vec![ty]);
                return Ok(());
            }
            [ty] => {
                if let TypeKind::Function { inputs, results } = p.context().type_kind(ty) {
                    return take_function_type(p, loc, inputs, results, parts);
                }
            }
            _ => {}
        }
        Err(p.error(loc, "expected functional type or list of two types"))
    },
    print: |p, ir, op| {
        let result = ir.value_type(ir.result(op, 0));
        let types = operand_types(ir, op);
        match types[1..].iter().all(|&ty| ty == result) {
            true => p.types(&[types[0], result]),
            false => print_function_type(p, ir, op),
        }
    },
};

/// The type of a tuple, from which those of its members follow.
pub(super) static TUPLE_TYPE: CustomDirective = CustomDirective {
    name: "TupleType",
    attributes: &[],
    parse: |p, _, parts| {
        let loc = p.loc();
        let ty = p.parse_type()?;
        let TypeKind::Tuple(members) = p.context().type_kind(ty) else {
            return Err(p.error(loc, "expected tuple type"));
        };
        parts.all_operand_types = Some(members.to_vec());
        parts.all_result_types = Some(vec![ty]);
        Ok(())
    },
    print: |p, ir, op| p.ty(ir.value_type(ir.result(op, 0))),
};

/// The types of operands, which are those of results, else a function type.
pub(super) static PAIRWISE_TYPES: CustomDirective = CustomDirective {
    name: "PairwiseTypes",
    attributes: &[],
    parse: |p, _, parts| {
        let loc = p.loc();
        let types = p.parse_type_list()?;
        if let [ty] = types[..]
            && let TypeKind::Function { inputs, results } = p.context().type_kind(ty)
        {
            return take_function_type(p, loc, inputs, results, parts);
        }
        parts.all_result_types = Some(types.clone());
        parts.all_operand_types = Some(types);
        Ok(())
    },
    print: |p, ir, op| {
        let types = operand_types(ir, op);
        match result_types(ir, op) == types {
            true => p.types(&types),
            false => print_function_type(p, ir, op),
        }
    },
};

/// Reads operands of `group`, each with a comma behind it.
fn parse_operands_with_commas(
    p: &mut dyn OpAsmParser<'_>,
    group: u8,
    parts: &mut ParsedParts,
) -> Result<(), Failed> {
    parts.locs.push((group, p.loc()));
    while let Some(operand) = p.parse_opt_operand() {
        parts.operands.push((group, operand?));
        p.parse_token(",")?;
    }
    Ok(())
}

/// All operands, each with a comma behind it.
pub(super) static OPERANDS_WITH_COMMAS: CustomDirective = CustomDirective {
    name: "OperandsWithCommas",
    attributes: &[],
    parse: |p, _, parts| parse_operands_with_commas(p, 0, parts),
    print: |p, ir, op| {
        p.values(ir.operands(op));
        p.text(",");
    },
};

/// All operands but the first, each with a comma behind it.
pub(super) static OTHERS_WITH_COMMAS: CustomDirective = CustomDirective {
    name: "OthersWithCommas",
    attributes: &[],
    parse: |p, _, parts| {
        parse_operands_with_commas(p, 1, parts)?;
        // Upstream prints the comma behind operands that there are none of, and does not read it.
        p.parse_opt_token(",");
        Ok(())
    },
    print: |p, ir, op| {
        let others = &ir.operands(op)[1..];
        if !others.is_empty() {
            p.values(others);
            p.text(",");
        }
    },
};

fn integers(ir: &Ir, op: Op, name: Name) -> Vec<i64> {
    let attr = ir.attr(op, name);
    attr.and_then(|attr| ir.context().attr_i64_array(attr))
        .unwrap_or_default()
}

/// `[0:4, 1:9:2]`: first and last positions of a slice, and its strides.
pub(super) static SLICE_RANGES: CustomDirective = CustomDirective {
    name: "SliceRanges",
    attributes: &[Name::START_INDICES, Name::LIMIT_INDICES, Name::STRIDES],
    parse: |p, spec, _| {
        let (mut starts, mut limits, mut strides) = (Vec::new(), Vec::new(), Vec::new());
        p.parse_list(Delimiter::Square, &mut |p| {
            starts.push(p.parse_integer()?);
            p.parse_token(":")?;
            limits.push(p.parse_integer()?);
            strides.push(match p.parse_opt_token(":") {
                true => p.parse_integer()?,
                false => 1,
            });
            Ok(())
        })?;
        let context = p.context();
        spec.set_attr(Name::START_INDICES, context.i64_array_attr(&starts));
        spec.set_attr(Name::LIMIT_INDICES, context.i64_array_attr(&limits));
        spec.set_attr(Name::STRIDES, context.i64_array_attr(&strides));
        Ok(())
    },
    print: |p, ir, op| {
        let starts = integers(ir, op, Name::START_INDICES);
        let limits = integers(ir, op, Name::LIMIT_INDICES);
        let strides = integers(ir, op, Name::STRIDES);
        let ranges = starts.iter().zip(&limits).zip(&strides);
        let ranges: Vec<String> = ranges
            .map(|((start, limit), stride)| match stride {
                1 => format!("{start}:{limit}"),
                _ => format!("{start}:{limit}:{stride}"),
            })
            .collect();
        p.text(&format!("[{}]", ranges.join(", ")));
    },
};

/// `e5m10`: the bits of an exponent and of a mantissa.
pub(super) static EXPONENT_MANTISSA: CustomDirective = CustomDirective {
    name: "ExponentMantissa",
    attributes: &[Name::EXPONENT_BITS, Name::MANTISSA_BITS],
    parse: |p, spec, _| {
        let loc = p.loc();
        let text = p.parse_any_keyword()?;
        let bits = text.strip_prefix('e').and_then(|text| {
            let (exponent, mantissa) = text.split_once('m')?;
            Some((exponent.parse::<i32>().ok()?, mantissa.parse::<i32>().ok()?))
        });
        let Some((exponent, mantissa)) = bits else {
            let message = format!("expected exponent mantissa in format e#m#, saw {text}");
            return Err(p.error(loc, message));
        };
        let context = p.context();
        let attr = |bits: i32| context.integer_attr(Type::I32, bits.into());
        spec.set_attr(Name::EXPONENT_BITS, attr(exponent));
        spec.set_attr(Name::MANTISSA_BITS, attr(mantissa));
        Ok(())
    },
    print: |p, ir, op| {
        let bits = |name| {
            let attr = ir.attr(op, name);
            attr.and_then(|attr| ir.context().attr_integer(attr))
                .unwrap_or_default()
        };
        let text = format!(
            "e{}m{}",
            bits(Name::EXPONENT_BITS),
            bits(Name::MANTISSA_BITS)
        );
        p.text(&text);
    },
};

/// `[0] x [1]`
fn parse_pair_of_lists(p: &mut dyn OpAsmParser<'_>) -> Result<(Vec<i64>, Vec<i64>), Failed> {
    p.parse_token("=")?;
    let lhs = p.parse_integer_list()?;
    p.parse_keyword("x")?;
    let rhs = p.parse_integer_list()?;
    Ok((lhs, rhs))
}

fn print_pair_of_lists(p: &mut dyn OpAsmPrinter, keyword: &str, lhs: &[i64], rhs: &[i64]) {
    p.text(keyword);
    p.text(" = ");
    p.integer_list(lhs);
    p.text(" x ");
    p.integer_list(rhs);
}

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`
pub(super) static DOT_DIMENSION_NUMBERS: CustomDirective = CustomDirective {
    name: "DotDimensionNumbers",
    attributes: &[Name::DOT_DIMENSION_NUMBERS],
    parse: |p, spec, _| {
        let mut dimensions = DotDimensions::default();
        if p.parse_opt_keyword("batching_dims") {
            let (lhs, rhs) = parse_pair_of_lists(p)?;
            dimensions.lhs_batching_dimensions = lhs;
            dimensions.rhs_batching_dimensions = rhs;
            p.parse_token(",")?;
        }
        p.parse_keyword("contracting_dims")?;
        let (lhs, rhs) = parse_pair_of_lists(p)?;
        dimensions.lhs_contracting_dimensions = lhs;
        dimensions.rhs_contracting_dimensions = rhs;
        let attr = dimensions.to_attr(p.context());
        spec.set_attr(Name::DOT_DIMENSION_NUMBERS, attr);
        Ok(())
    },
    print: |p, ir, op| {
        let attr = ir.attr(op, Name::DOT_DIMENSION_NUMBERS);
        let dimensions = attr
            .and_then(|attr| DotDimensions::from_attr(ir.context(), attr))
            .unwrap_or_default();
        let (lhs, rhs) = (
            &dimensions.lhs_batching_dimensions,
            &dimensions.rhs_batching_dimensions,
        );
        if !lhs.is_empty() || !rhs.is_empty() {
            print_pair_of_lists(p, "batching_dims", lhs, rhs);
            p.text(", ");
        }
        print_pair_of_lists(
            p,
            "contracting_dims",
            &dimensions.lhs_contracting_dimensions,
            &dimensions.rhs_contracting_dimensions,
        );
    },
};

/// `[DEFAULT, HIGH]`, behind `precision =`.
fn parse_precisions(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    p.parse_token("=")?;
    let mut precisions: Vec<Attr> = Vec::new();
    p.parse_list(Delimiter::Square, &mut |p| {
        let loc = p.loc();
        let keyword = p.parse_any_keyword()?;
        let mut all = Precision::ALL.iter();
        match all.find(|precision| precision.keyword() == keyword) {
            Some(precision) => precisions.push(precision.to_attr(p.context())),
            None => return Err(p.error(loc, "expected one of: DEFAULT, HIGH, HIGHEST")),
        }
        Ok(())
    })?;
    let attr = p.context().array_attr(&precisions);
    spec.set_attr(Name::PRECISION_CONFIG, attr);
    Ok(())
}

fn print_precisions(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let context = ir.context();
    let attr = ir.attr(op, Name::PRECISION_CONFIG);
    let Some(precisions) = attr.and_then(|attr| context.attr_array(attr)) else {
        return;
    };
    let keywords: Vec<&str> = precisions
        .iter()
        .filter_map(|&attr| Some(Precision::from_attr(context, attr)?.keyword()))
        .collect();
    p.text(&format!(", precision = [{}]", keywords.join(", ")));
}

/// `, precision = [DEFAULT, DEFAULT]`, or nothing.
pub(super) static PRECISION: CustomDirective = CustomDirective {
    name: "Precision",
    attributes: &[Name::PRECISION_CONFIG],
    parse: |p, spec, _| {
        if p.parse_opt_token(",") {
            p.parse_keyword("precision")?;
            parse_precisions(p, spec)?;
        }
        Ok(())
    },
    print: print_precisions,
};

/// `, precision = [DEFAULT, DEFAULT], algorithm = <...>`, each or nothing.
pub(super) static PRECISION_AND_ALGORITHM: CustomDirective = CustomDirective {
    name: "PrecisionAndAlgorithm",
    attributes: &[Name::PRECISION_CONFIG, Name::ALGORITHM],
    parse: |p, spec, _| {
        while p.parse_opt_token(",") {
            if p.parse_opt_keyword("algorithm") {
                p.parse_token("=")?;
                let attr = parse_algorithm(p)?;
                spec.set_attr(Name::ALGORITHM, attr);
                return Ok(());
            }
            p.parse_keyword("precision")?;
            parse_precisions(p, spec)?;
        }
        Ok(())
    },
    print: |p, ir, op| {
        print_precisions(p, ir, op);
        if let Some(algorithm) = ir.attr(op, Name::ALGORITHM)
            && let AttrKind::Dialect { body, .. } = ir.context().attr_kind(algorithm)
        {
            p.text(", algorithm = ");
            p.text(body.trim_start_matches("dot_algorithm"));
        }
    },
};

/// What `algorithm =` may be followed by: the keys and whether a type, a number or a word is their value.
const ALGORITHM_KEYS: [&str; 7] = [
    "lhs_precision_type",
    "rhs_precision_type",
    "accumulation_type",
    "lhs_component_count",
    "rhs_component_count",
    "num_primitive_operations",
    "allow_imprecise_accumulation",
];

fn parse_algorithm(p: &mut dyn OpAsmParser<'_>) -> Result<Attr, Failed> {
    p.parse_token("<")?;
    let mut body = String::new();
    for (i, key) in ALGORITHM_KEYS.into_iter().enumerate() {
        if i > 0 {
            p.parse_token(",")?;
            body.push_str(", ");
        }
        p.parse_keyword(key)?;
        p.parse_token("=")?;
        let value = match i {
            0..3 => {
                let ty = p.parse_type()?;
                crate::syntax::printer::type_to_string(p.context(), ty)
            }
            3..6 => p.parse_integer()?.to_string(),
            _ => p.parse_any_keyword()?.to_owned(),
        };
        body.push_str(&format!("{key} = {value}"));
    }
    p.parse_token(">")?;
    let body = format!("dot_algorithm<{body}>");
    Ok(super::attributes::dialect_attr(p.context(), &body))
}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`
pub(super) static CONVOLUTION_DIMENSION_NUMBERS: CustomDirective = CustomDirective {
    name: "ConvolutionDimensions",
    attributes: &[Name::DIMENSION_NUMBERS],
    parse: |p, spec, _| {
        let loc = p.loc();
        let mut lists: [Vec<String>; 3] = Default::default();
        for (i, list) in lists.iter_mut().enumerate() {
            match i {
                0 => {}
                1 => p.parse_keyword("x")?,
                _ => p.parse_token("->")?,
            }
            p.parse_list(Delimiter::Square, &mut |p| {
                list.push(match p.parse_opt_integer() {
                    Some(n) => n?.to_string(),
                    None => p.parse_any_keyword()?.to_owned(),
                });
                Ok(())
            })?;
        }
        let Some(dimensions) = ConvolutionDimensions::from_words(&lists) else {
            return Err(p.error(loc, "invalid dimension numbers of a convolution"));
        };
        if let Some(attr) = dimensions.to_attr(p.context()) {
            spec.set_attr(Name::DIMENSION_NUMBERS, attr);
        }
        Ok(())
    },
    print: |p, ir, op| {
        let attr = ir.attr(op, Name::DIMENSION_NUMBERS);
        let dimensions = attr.and_then(|attr| ConvolutionDimensions::from_attr(ir.context(), attr));
        if let Some(text) = dimensions.and_then(|dimensions| dimensions.text()) {
            p.text(&text);
        }
    },
};

/// The numbers of a dense attribute of `i64`, and its shape.
pub(super) fn dense_i64(context: &Context, attr: Attr) -> Option<(Vec<i64>, &[i64])> {
    let dense = context.attr_dense(attr)?;
    if context.element_type_or_self(dense.ty) != Type::I64 {
        return None;
    }
    let shape = context.shape(dense.ty)?;
    let numbers = dense.bytes.chunks_exact(8).map(|chunk| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(chunk);
        i64::from_le_bytes(bytes)
    });
    let numbers: Vec<i64> = match dense.splat {
        true => {
            let n = shape.iter().product::<i64>().max(0) as usize;
            let first = numbers.take(1).collect::<Vec<i64>>();
            first.repeat(n)
        }
        false => numbers.collect(),
    };
    Some((numbers, shape))
}

/// `dense<[[0, 1], ...]> : tensor<nx2xi64>`
pub(super) fn padding_attr(context: &Context, padding: &[(i64, i64)]) -> Attr {
    let ty = context.intern_type(TypeKind::RankedTensor {
        shape: [padding.len() as i64, 2].into(),
        element: Type::I64,
        encoding: None,
    });
    let numbers: Vec<i64> = padding
        .iter()
        .flat_map(|&(low, high)| [low, high])
        .collect();
    let splat = numbers.len() > 1 && numbers.iter().all(|&n| n == numbers[0]);
    let stored = if splat { &numbers[..1] } else { &numbers[..] };
    let bytes: Vec<u8> = stored.iter().flat_map(|n| n.to_le_bytes()).collect();
    context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat,
        bytes: Bytes::from(bytes),
    }))
}

fn bool_array_attr(context: &Context, values: &[bool]) -> Attr {
    let bytes: Vec<u8> = values.iter().map(|&value| u8::from(value)).collect();
    context.intern_attr(AttrKind::DenseArray {
        element: Type::I1,
        bytes: Bytes::from(bytes),
    })
}

const WINDOW_KEYS: [(&str, Name); 5] = [
    ("stride", Name::WINDOW_STRIDES),
    ("pad", Name::PADDING),
    ("lhs_dilate", Name::LHS_DILATION),
    ("rhs_dilate", Name::RHS_DILATION),
    ("reverse", Name::WINDOW_REVERSAL),
];

/// Reads the value behind a key of the window.
fn parse_window_value(p: &mut dyn OpAsmParser<'_>, name: Name) -> Result<Attr, Failed> {
    if name == Name::PADDING {
        let mut padding = Vec::new();
        p.parse_list(Delimiter::Square, &mut |p| {
            let loc = p.loc();
            match p.parse_integer_list()?[..] {
                [low, high] => padding.push((low, high)),
                ref other => {
                    let message = format!(
                        "Expected array with 2 elements, got {} elements instead",
                        other.len()
                    );
                    return Err(p.error(loc, message));
                }
            }
            Ok(())
        })?;
        return Ok(padding_attr(p.context(), &padding));
    }
    if name == Name::WINDOW_REVERSAL {
        let mut values = Vec::new();
        p.parse_list(Delimiter::Square, &mut |p| {
            values.push(if p.parse_opt_keyword("true") {
                true
            } else if p.parse_opt_keyword("false") {
                false
            } else {
                p.parse_integer()? != 0
            });
            Ok(())
        })?;
        return Ok(bool_array_attr(p.context(), &values));
    }
    let numbers = p.parse_integer_list()?;
    Ok(p.context().i64_array_attr(&numbers))
}

/// `stride = [1, 1], pad = [[0, 1], [0, 1]]`: strides, padding, dilations and mirrored dimensions.
pub(super) static WINDOW: CustomDirective = CustomDirective {
    name: "Window",
    attributes: &[
        Name::WINDOW_STRIDES,
        Name::PADDING,
        Name::LHS_DILATION,
        Name::RHS_DILATION,
        Name::WINDOW_REVERSAL,
    ],
    parse: |p, spec, _| {
        loop {
            let loc = p.loc();
            let Some(keyword) = p.parse_opt_any_keyword() else {
                return Ok(());
            };
            let found = WINDOW_KEYS.iter().find(|(key, _)| *key == keyword);
            let found = found.filter(|(_, name)| spec.get_attr(*name).is_none());
            let Some(&(_, name)) = found else {
                return Err(p.error(loc, format!("Unexpected keyword {keyword}")));
            };
            p.parse_token("=")?;
            let attr = parse_window_value(p, name)?;
            spec.set_attr(name, attr);
            if !p.parse_opt_token(",") {
                return Ok(());
            }
        }
    },
    print: |p, ir, op| {
        let context = ir.context();
        let mut parts: Vec<String> = Vec::new();
        for (key, name) in WINDOW_KEYS {
            let Some(attr) = ir.attr(op, name) else {
                continue;
            };
            let words: Vec<String> = if name == Name::PADDING {
                let numbers = dense_i64(context, attr).map_or(Vec::new(), |dense| dense.0);
                let pairs = numbers.chunks_exact(2);
                pairs
                    .map(|pair| format!("[{}, {}]", pair[0], pair[1]))
                    .collect()
            } else if name == Name::WINDOW_REVERSAL {
                let values = bool_array(context, attr).unwrap_or_default();
                values.iter().map(bool::to_string).collect()
            } else {
                let numbers = context.attr_i64_array(attr).unwrap_or_default();
                numbers.iter().map(i64::to_string).collect()
            };
            parts.push(format!("{key} = [{}]", words.join(", ")));
        }
        p.text(&parts.join(", "));
    },
};

/// `{attrs} dense<...> : type`; in generic form where value and result have other types.
pub(crate) fn parse_constant(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    if p.parse_opt_token("(") {
        p.parse_token(")")?;
        p.parse_opt_properties(spec)?;
        p.parse_opt_attr_dict(spec)?;
        p.parse_token(":")?;
        let (_, results) = p.parse_functional_type()?;
        spec.results.extend(results);
        return Ok(());
    }
    p.parse_opt_attr_dict(spec)?;
    let loc = p.loc();
    let value = p.parse_attr(None)?;
    let Some(ty) = p.context().attr_carried_type(value) else {
        return Err(p.error(loc, "expected elements attribute"));
    };
    spec.set_attr(Name::VALUE, value);
    spec.results.push(ty);
    Ok(())
}

/// Prints what [`parse_constant`] reads.
pub(crate) fn print_constant(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let value = ir.attr(op, Name::VALUE);
    let ty = ir.value_type(ir.result(op, 0));
    match value {
        Some(value) if ir.context().attr_carried_type(value) == Some(ty) => {
            p.opt_attr_dict(ir, op, &[Name::VALUE]);
            p.text(" ");
            p.attr(value);
        }
        _ => {
            p.text("() <{value = ");
            if let Some(value) = value {
                p.attr(value);
            }
            p.text("}>");
            p.opt_attr_dict(ir, op, &[Name::VALUE]);
            p.text(" : ");
            p.functional_type(&[], &[ty]);
        }
    }
}

/// `(%a = %init, ...) : types attributes {...} cond {...} do {...}`
pub(super) fn parse_while(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let loc = p.loc();
    let (mut arguments, operands) = p.parse_assignment_list()?;
    let types = match operands.is_empty() {
        true => Vec::new(),
        false => p.parse_colon_type_list()?,
    };
    p.resolve_each(&operands, &types, loc, spec)?;
    for (argument, &ty) in arguments.iter_mut().zip(&types) {
        argument.ty = ty;
    }
    spec.results.extend(types);
    p.parse_opt_attr_dict_with_keyword(spec)?;
    p.parse_keyword("cond")?;
    p.parse_region(&arguments, spec)?;
    p.parse_keyword("do")?;
    p.parse_region(&arguments, spec)
}

/// Prints what [`parse_while`] reads.
pub(super) fn print_while(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let (condition, body) = (ir.region(op, 0), ir.region(op, 1));
    let arguments = match ir.entry_block(body) {
        Some(block) => ir.block_args(block),
        None => &[],
    };
    if let Some(block) = ir.entry_block(condition) {
        p.shadow(ir.block_args(block), arguments);
    }
    p.text("(");
    for (i, (&argument, &operand)) in arguments.iter().zip(ir.operands(op)).enumerate() {
        p.text(if i > 0 { ", " } else { "" });
        p.value(argument);
        p.text(" = ");
        p.value(operand);
    }
    p.text(")");
    if !ir.operands(op).is_empty() {
        p.text(" : ");
        p.types(&operand_types(ir, op));
    }
    p.opt_attr_dict_with_keyword(ir, op, &[]);
    p.newline();
    p.text("cond ");
    p.region(ir, condition, false, true);
    p.text(" do ");
    p.region(ir, body, false, true);
}

/// The element of a tensor type, as a tensor of rank 0.
pub(super) fn scalar_of(context: &Context, ty: Type) -> Type {
    context.intern_type(TypeKind::RankedTensor {
        shape: Box::new([]),
        element: context.element_type_or_self(ty),
        encoding: None,
    })
}

/// `(%a init: %b), ... applies stablehlo.add across dimensions = [0] {...} : type`, or with a
/// body: `... : type reducer(%x: type, %y: type) ... {...}`.
pub(super) fn parse_reduce(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let loc = p.loc();
    let (mut operands, mut inits) = (Vec::new(), Vec::new());
    while p.parse_opt_token("(") {
        operands.push(p.parse_operand()?);
        p.parse_keyword("init")?;
        p.parse_token(":")?;
        inits.push(p.parse_operand()?);
        p.parse_token(")")?;
        if !p.parse_opt_token(",") {
            break;
        }
    }
    let n = operands.len();
    operands.append(&mut inits);
    let combiner = match p.parse_opt_keyword("applies") {
        true => Some(parse_combiner(p, loc)?),
        false => None,
    };
    p.parse_keyword("across")?;
    p.parse_keyword("dimensions")?;
    p.parse_token("=")?;
    let dimensions = p.parse_integer_list()?;
    let dimensions = p.context().i64_array_attr(&dimensions);
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let (inputs, results) = p.parse_functional_type()?;
    p.resolve_each(&operands, &inputs, loc, spec)?;
    spec.set_attr(Name::DIMENSIONS, dimensions);
    spec.results.extend(results);
    if let Some(combiner) = combiner {
        let Some(&first) = inputs.first() else {
            return Err(p.error(loc, "input types missing in reduce-op function type"));
        };
        let ty = scalar_of(p.context(), first);
        p.add_synthesized_region(&[ty, ty], spec, &mut |ir, block: Block| {
            let arguments = ir.block_args(block).to_vec();
            let mut builder = Builder::at_end(ir, block);
            builder.set_loc(loc);
            let inner = builder.spec(combiner).operands(&arguments).results(&[ty]);
            let inner = builder.create(inner);
            let result = builder.ir.result(inner, 0);
            let end = builder.spec(&RETURN).operands(&[result]);
            builder.create(end);
        });
        return Ok(());
    }
    p.parse_keyword("reducer")?;
    let mut pairs: Vec<[Argument; 2]> = Vec::new();
    for _ in 0..n {
        p.parse_token("(")?;
        let element = p.parse_argument(true, false)?;
        p.parse_token(",")?;
        let accumulator = p.parse_argument(true, false)?;
        p.parse_token(")")?;
        pairs.push([element, accumulator]);
    }
    let firsts = pairs.iter().map(|[element, _]| element.clone());
    let seconds = pairs.iter().map(|[_, accumulator]| accumulator.clone());
    let arguments: Vec<Argument> = firsts.chain(seconds).collect();
    p.parse_region(&arguments, spec)
}

/// The operation that combines two elements, where it alone is the body.
fn parse_combiner(
    p: &mut dyn OpAsmParser<'_>,
    loc: Loc,
) -> Result<&'static crate::ir::op_def::OpDef, Failed> {
    let name = p.parse_op_name()?;
    let def = p.context().op_def(p.context().name(name));
    match def.filter(|def| is_compact_combiner(def)) {
        Some(def) => Ok(def),
        None => Err(p.error(
            loc,
            "expected the inner-op to be a commutative binary-op from the stablehlo dialect, \
             with zero region, producing single result",
        )),
    }
}

/// The only operation of a reduction whose body is written by its name.
fn compact_body(ir: &Ir, op: Op) -> Option<Op> {
    let block = ir.entry_block(ir.region(op, 0))?;
    let inner = ir.first_op(block)?;
    let end = ir.last_op(block)?;
    let first = ir.value_type(*ir.operands(op).first()?);
    let ty = scalar_of(ir.context(), first);
    let is_compact = is_compact_combiner(ir.def(inner))
        && ir.next_op(inner) == Some(end)
        && ir.is(end, &RETURN)
        && ir.operands(inner) == ir.block_args(block)
        && ir.operands(end) == ir.results(inner)
        && ir.attrs(inner) == crate::ir::attrs::Dict::EMPTY
        && operand_types(ir, inner)
            .iter()
            .all(|&operand| operand == ty)
        && result_types(ir, inner)[..] == [ty];
    is_compact.then_some(inner)
}

/// Prints what [`parse_reduce`] reads.
pub(super) fn print_reduce(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let operands = ir.operands(op);
    let (inputs, inits) = operands.split_at(operands.len() / 2);
    for (i, (&input, &init)) in inputs.iter().zip(inits).enumerate() {
        p.text(if i > 0 { ", (" } else { "(" });
        p.value(input);
        p.text(" init: ");
        p.value(init);
        p.text(")");
    }
    let inner = compact_body(ir, op);
    if let Some(inner) = inner {
        p.text(" applies ");
        p.text(ir.def(inner).name);
    }
    p.text(" across dimensions = ");
    p.integer_list(&integers(ir, op, Name::DIMENSIONS));
    p.opt_attr_dict(ir, op, &[Name::DIMENSIONS]);
    p.text(" : ");
    print_function_type(p, ir, op);
    if inner.is_some() {
        return;
    }
    p.newline();
    p.text(" reducer");
    let region = ir.region(op, 0);
    if let Some(block) = ir.entry_block(region) {
        let arguments = ir.block_args(block);
        let (elements, accumulators) = arguments.split_at(arguments.len() / 2);
        for (&element, &accumulator) in elements.iter().zip(accumulators) {
            p.text("(");
            p.region_argument(ir, element);
            p.text(", ");
            p.region_argument(ir, accumulator);
            p.text(") ");
        }
    }
    p.text(" ");
    p.region(ir, region, false, true);
}
