//! Values of attributes that StableHLO and older versions of VHLO leave out.

use freehold_frontend::dialects::stablehlo::attributes::dialect_attr;
use freehold_frontend::dialects::vhlo::elements::{bool_elements, i64_elements, integers};
use freehold_frontend::dialects::vhlo::is_default_accuracy;
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use super::Attrs;

/// The value of an attribute that is left out, if it may be. How many numbers some lists have depends on the other
/// attributes.
pub(super) fn default_of(context: &Context, name: Name, others: &Attrs) -> Option<Attr> {
    let find = |wanted: Name| {
        others
            .iter()
            .find(|entry| entry.0 == wanted)
            .map(|entry| entry.1)
    };
    let n_dimensions = || {
        let list =
            find(Name::WINDOW_DIMENSIONS).or_else(|| find(Name::INPUT_SPATIAL_DIMENSIONS))?;
        let is_array = context.attr_i64_array(list);
        Some(is_array.or_else(|| integers(context, list))?.len())
    };
    let none = |context: &Context| i64_elements(context, &[0], &[]);
    Some(match name {
        Name::SYM_VISIBILITY | Name::INFEED_CONFIG | Name::OUTFEED_CONFIG => {
            context.string_attr("")
        }
        Name::ARG_ATTRS
        | Name::RES_ATTRS
        | Name::CALLED_COMPUTATIONS
        | Name::OPERAND_LAYOUTS
        | Name::RESULT_LAYOUTS
        | Name::OUTPUT_OPERAND_ALIASES
        | Name::RESULT_TILINGS
        | Name::LAYOUT => context.array_attr(&[]),
        Name::USE_GLOBAL_DEVICE_IDS
        | Name::HAS_DYNAMIC_ROOT
        | Name::LOWER
        | Name::HAS_SIDE_EFFECT
        | Name::INDICES_ARE_SORTED
        | Name::UNIQUE_INDICES
        | Name::IS_HOST_TRANSFER
        | Name::IS_STABLE => Attr::FALSE,
        Name::CHANNEL_ID | Name::VERSION => context.i64_attr(0),
        Name::DIMENSION => context.i64_attr(-1),
        Name::COMPARE_TYPE => dialect_attr(context, "comparison_type NOTYPE"),
        Name::API_VERSION => dialect_attr(context, "custom_call_api_version API_VERSION_ORIGINAL"),
        Name::COMPOSITE_ATTRIBUTES => empty_dictionary(context),
        // The typed interface has a dictionary.
        Name::BACKEND_CONFIG => match find(Name::API_VERSION) {
            Some(version) if context.attr_integer(version) == Some(4) => empty_dictionary(context),
            _ => context.string_attr(""),
        },
        Name::RESULT_ACCURACY => dialect_attr(
            context,
            "result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>",
        ),
        Name::PRECISION_CONFIG => {
            let default = dialect_attr(context, "precision DEFAULT");
            context.array_attr(&[default; 2])
        }
        Name::KNOWN_EXPANDING_DIMENSIONS
        | Name::KNOWN_NONEXPANDING_DIMENSIONS
        | Name::SOURCE_TARGET_PAIRS
        | Name::OPERAND_BATCHING_DIMS
        | Name::START_INDICES_BATCHING_DIMS
        | Name::INPUT_BATCHING_DIMS
        | Name::SCATTER_INDICES_BATCHING_DIMS => none(context),
        Name::LHS_PRECISION_TYPE
        | Name::RHS_PRECISION_TYPE
        | Name::ACCUMULATION_TYPE
        | Name::LHS_COMPONENT_COUNT
        | Name::RHS_COMPONENT_COUNT
        | Name::NUM_PRIMITIVE_OPERATIONS
        | Name::ALLOW_IMPRECISE_ACCUMULATION => context.type_attr(Type::NONE),
        Name::WINDOW_STRIDES
        | Name::LHS_DILATION
        | Name::RHS_DILATION
        | Name::BASE_DILATIONS
        | Name::WINDOW_DILATIONS => {
            let n = n_dimensions()?;
            i64_elements(context, &[n as i64], &vec![1; n])
        }
        Name::WINDOW_REVERSAL => bool_elements(context, &vec![false; n_dimensions()?]),
        Name::PADDING => {
            let n = n_dimensions()?;
            i64_elements(context, &[n as i64, 2], &vec![0; 2 * n])
        }
        _ => return None,
    })
}

fn empty_dictionary(context: &Context) -> Attr {
    let dict = context.intern_dict(Vec::new());
    context.intern_attr(AttrKind::Dictionary(dict))
}

/// Whether an attribute has the value that it has when it is left out.
pub(super) fn is_default(context: &Context, name: Name, attr: Attr, others: &Attrs) -> bool {
    match (name, context.attr_kind(attr)) {
        (Name::PRECISION_CONFIG, AttrKind::Array(elements)) => {
            let default = dialect_attr(context, "precision DEFAULT");
            elements.iter().all(|&element| element == default)
        }
        (Name::BACKEND_CONFIG, AttrKind::Dictionary(dict)) => context.dict(*dict).is_empty(),
        (Name::VERSION, AttrKind::Integer { value, .. }) => *value == 0,
        (Name::RESULT_ACCURACY, _) => is_default_accuracy(context, attr),
        // Layouts of operands and of results go together.
        (Name::OPERAND_LAYOUTS | Name::RESULT_LAYOUTS, _) => {
            let is_layout =
                |name: Name| [Name::OPERAND_LAYOUTS, Name::RESULT_LAYOUTS].contains(&name);
            let mut layouts = others.iter().filter(|entry| is_layout(entry.0));
            layouts.all(|entry| context.attr_array(entry.1).is_some_and(<[Attr]>::is_empty))
        }
        (Name::SOURCE_TARGET_PAIRS, AttrKind::DenseElements(elements)) => context
            .shape(elements.ty)
            .is_some_and(|shape| shape.contains(&0)),
        _ => default_of(context, name, others) == Some(attr),
    }
}
