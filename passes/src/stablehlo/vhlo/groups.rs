//! Attributes of StableHLO whose fields are attributes in VHLO.

use freehold_frontend::dialects::stablehlo::attributes::{
    ConvolutionDimensions, DimensionOrder, body_of, canonical_body, dialect_attr,
};
use freehold_frontend::dialects::vhlo::elements::{i64_elements, integers};
use freehold_frontend::dialects::vhlo::fields_of;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{FloatKind, Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;

use super::Attrs;

/// What a field is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Numbers,
    Type,
    Bool,
}

use Kind::{Bool, Number, Numbers, Type as Float};

/// An attribute with fields.
pub(super) struct Group {
    /// Its name in StableHLO.
    pub(super) name: Name,
    mnemonic: &'static str,
    /// Fields, and the names of the attributes that they are in VHLO.
    fields: &'static [(&'static str, Name, Kind)],
}

const GROUPS: &[Group] = &[
    Group {
        name: Name::DIMENSION_NUMBERS,
        mnemonic: "gather",
        fields: &[
            ("offset_dims", Name::OFFSET_DIMS, Numbers),
            ("collapsed_slice_dims", Name::COLLAPSED_SLICE_DIMS, Numbers),
            (
                "operand_batching_dims",
                Name::OPERAND_BATCHING_DIMS,
                Numbers,
            ),
            (
                "start_indices_batching_dims",
                Name::START_INDICES_BATCHING_DIMS,
                Numbers,
            ),
            ("start_index_map", Name::START_INDEX_MAP, Numbers),
            ("index_vector_dim", Name::INDEX_VECTOR_DIM, Number),
        ],
    },
    Group {
        name: Name::SCATTER_DIMENSION_NUMBERS,
        mnemonic: "scatter",
        fields: &[
            ("update_window_dims", Name::UPDATE_WINDOW_DIMS, Numbers),
            ("inserted_window_dims", Name::INSERTED_WINDOW_DIMS, Numbers),
            ("input_batching_dims", Name::INPUT_BATCHING_DIMS, Numbers),
            (
                "scatter_indices_batching_dims",
                Name::SCATTER_INDICES_BATCHING_DIMS,
                Numbers,
            ),
            (
                "scatter_dims_to_operand_dims",
                Name::SCATTER_DIMS_TO_OPERAND_DIMS,
                Numbers,
            ),
            ("index_vector_dim", Name::INDEX_VECTOR_DIM, Number),
        ],
    },
    Group {
        name: Name::DOT_DIMENSION_NUMBERS,
        mnemonic: "dot",
        fields: &[
            (
                "lhs_batching_dimensions",
                Name::LHS_BATCHING_DIMENSIONS,
                Numbers,
            ),
            (
                "rhs_batching_dimensions",
                Name::RHS_BATCHING_DIMENSIONS,
                Numbers,
            ),
            (
                "lhs_contracting_dimensions",
                Name::LHS_CONTRACTING_DIMENSIONS,
                Numbers,
            ),
            (
                "rhs_contracting_dimensions",
                Name::RHS_CONTRACTING_DIMENSIONS,
                Numbers,
            ),
        ],
    },
    Group {
        name: Name::ALGORITHM,
        mnemonic: "dot_algorithm",
        fields: &[
            ("lhs_precision_type", Name::LHS_PRECISION_TYPE, Float),
            ("rhs_precision_type", Name::RHS_PRECISION_TYPE, Float),
            ("accumulation_type", Name::ACCUMULATION_TYPE, Float),
            ("lhs_component_count", Name::LHS_COMPONENT_COUNT, Number),
            ("rhs_component_count", Name::RHS_COMPONENT_COUNT, Number),
            (
                "num_primitive_operations",
                Name::NUM_PRIMITIVE_OPERATIONS,
                Number,
            ),
            (
                "allow_imprecise_accumulation",
                Name::ALLOW_IMPRECISE_ACCUMULATION,
                Bool,
            ),
        ],
    },
    Group {
        name: Name::CHANNEL_HANDLE,
        mnemonic: "channel_handle",
        fields: &[
            ("handle", Name::CHANNEL_ID, Number),
            ("type", Name::CHANNEL_TYPE, Number),
        ],
    },
    Group {
        name: Name::DIMENSION_NUMBERS,
        mnemonic: "conv",
        fields: &[
            ("", Name::INPUT_BATCH_DIMENSION, Number),
            ("", Name::INPUT_FEATURE_DIMENSION, Number),
            ("", Name::INPUT_SPATIAL_DIMENSIONS, Numbers),
            ("", Name::KERNEL_INPUT_FEATURE_DIMENSION, Number),
            ("", Name::KERNEL_OUTPUT_FEATURE_DIMENSION, Number),
            ("", Name::KERNEL_SPATIAL_DIMENSIONS, Numbers),
            ("", Name::OUTPUT_BATCH_DIMENSION, Number),
            ("", Name::OUTPUT_FEATURE_DIMENSION, Number),
            ("", Name::OUTPUT_SPATIAL_DIMENSIONS, Numbers),
        ],
    },
];

/// The groups of an operation with these attributes: those with their first field among them.
pub(super) fn groups_of(names: &[Name]) -> impl Iterator<Item = &'static Group> {
    let is_there = move |group: &&Group| names.contains(&group.fields[0].1);
    GROUPS.iter().filter(is_there)
}

impl Group {
    /// Whether an attribute is one of its fields.
    pub(super) fn has(&self, name: Name) -> bool {
        self.fields.iter().any(|field| field.1 == name)
    }

    /// Makes the one attribute of its fields. Fields that are all types of nothing make none.
    pub(super) fn implode(&self, context: &Context, attrs: &Attrs) -> Result<Option<Attr>, String> {
        let mut numbers = Vec::new();
        let mut texts = Vec::new();
        for &(text, name, kind) in self.fields {
            let Some(&(_, attr)) = attrs.iter().find(|entry| entry.0 == name) else {
                continue;
            };
            let wrong = || format!("attribute '{}' is not of its kind", context.name(name));
            if context.attr_type(attr) == Some(Type::NONE) {
                return Ok(None);
            }
            let value = match kind {
                Number => {
                    let number = context.attr_integer(attr).ok_or_else(wrong)?;
                    numbers.push(vec![i64::try_from(number).map_err(|_| wrong())?]);
                    number.to_string()
                }
                Numbers => {
                    let list = integers(context, attr).ok_or_else(wrong)?;
                    let words: Vec<String> = list.iter().map(i64::to_string).collect();
                    numbers.push(list);
                    format!("[{}]", words.join(", "))
                }
                Float => type_to_string(context, context.attr_type(attr).ok_or_else(wrong)?),
                Bool => match context.attr_integer(attr).ok_or_else(wrong)? {
                    0 => "false".to_owned(),
                    _ => "true".to_owned(),
                },
            };
            texts.push(format!("{text} = {value}"));
        }
        if self.mnemonic == "conv" {
            let one = |i: usize| numbers.get(i).and_then(|list| list.first()).copied();
            let order = |i: usize| {
                Some(DimensionOrder {
                    first: one(i)?,
                    second: one(i + 1)?,
                    spatial: numbers.get(i + 2)?.clone(),
                })
            };
            let dimensions = || {
                Some(ConvolutionDimensions {
                    input: order(0)?,
                    kernel: order(3)?,
                    output: order(6)?,
                })
            };
            let attr = dimensions().and_then(|dimensions| dimensions.to_attr(context));
            return match attr {
                Some(attr) => Ok(Some(attr)),
                None => Err("dimension numbers do not go together".to_owned()),
            };
        }
        if self.mnemonic == "channel_handle" && texts.len() == 1 {
            texts.push("type = 0".to_owned());
        }
        let body = format!("{}<{}>", self.mnemonic, texts.join(", "));
        match canonical_body(context, &body) {
            Some(body) => Ok(Some(dialect_attr(context, &body))),
            None => Err(format!(
                "'#stablehlo.{body}' is no attribute of the dialect"
            )),
        }
    }

    /// The fields of the one attribute.
    pub(super) fn explode(&self, context: &Context, attr: Attr) -> Option<Attrs> {
        if self.mnemonic == "conv" {
            let dimensions = ConvolutionDimensions::from_attr(context, attr)?;
            let orders = [&dimensions.input, &dimensions.kernel, &dimensions.output];
            let values = orders.into_iter().flat_map(|order| {
                let n = order.spatial.len() as i64;
                [
                    context.i64_attr(order.first),
                    context.i64_attr(order.second),
                    i64_elements(context, &[n], &order.spatial),
                ]
            });
            let names = self.fields.iter().map(|field| field.1);
            return Some(names.zip(values).collect());
        }
        let body = body_of(context, attr)?.strip_prefix(self.mnemonic)?;
        let inside = body.strip_prefix('<')?.strip_suffix('>')?;
        let given: Vec<(&str, &str)> = fields_of(inside).collect();
        let value = |&(text, name, kind): &(&str, Name, Kind)| {
            let given = given
                .iter()
                .find(|field| field.0 == text)
                .map(|field| field.1);
            let value = match kind {
                Number => context.i64_attr(given.unwrap_or("0").parse().ok()?),
                Numbers => {
                    let list = given.unwrap_or("[]").strip_prefix('[')?.strip_suffix(']')?;
                    let words = list
                        .split(',')
                        .map(str::trim)
                        .filter(|word| !word.is_empty());
                    let numbers = words.map(|word| word.parse().ok());
                    let numbers: Vec<i64> = numbers.collect::<Option<_>>()?;
                    i64_elements(context, &[numbers.len() as i64], &numbers)
                }
                Float => {
                    let mut kinds = FloatKind::ALL.into_iter();
                    let kind = kinds.find(|kind| Some(kind.keyword()) == given)?;
                    context.type_attr(context.intern_type(TypeKind::Float(kind)))
                }
                Bool if given == Some("true") => Attr::TRUE,
                Bool => Attr::FALSE,
            };
            Some((name, value))
        };
        self.fields.iter().map(value).collect()
    }
}
