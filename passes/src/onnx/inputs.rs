//! Arguments of a model: dimensions of one name are one size.

use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::DYNAMIC;
use rustc_hash::FxHashMap;

use super::graph::Cx;
use super::sizes::Dim;
use crate::rewrite::tensors::{self, shape};

/// Notes the sizes of arguments, those with one name (`onnx.dim_params`) as one value.
pub(super) fn note_sizes(cx: &mut Cx<'_>) {
    let Some(block) = cx.b.ir.root_block() else {
        return;
    };
    let context = cx.context();
    let arguments = cx.b.ir.block_args(block).to_vec();
    let attrs = cx.b.ir.attr(cx.b.ir.root(), Name::ARG_ATTRS);
    let attrs = attrs
        .and_then(|attr| context.attr_array(attr))
        .unwrap_or_default();
    let name = context.intern_name("onnx.dim_params");
    let mut sizes: FxHashMap<String, Dim> = FxHashMap::default();
    for (i, &argument) in arguments.iter().enumerate() {
        if context.shape(cx.b.ir.value_type(argument)).is_none() {
            continue;
        }
        let text = attrs
            .get(i)
            .and_then(|&attr| match context.attr_kind(attr) {
                AttrKind::Dictionary(dict) => context.attr_string(context.dict_get(*dict, name)?),
                _ => None,
            });
        let mut names: FxHashMap<usize, &str> = FxHashMap::default();
        for part in text.unwrap_or_default().split(',') {
            if let Some((dim, name)) = part.split_once(':')
                && let Ok(dim) = dim.trim().parse()
            {
                names.insert(dim, name.trim());
            }
        }
        let mut dims = Vec::new();
        for (dim, &size) in shape(cx.b.ir, argument).iter().enumerate() {
            if size != DYNAMIC {
                dims.push(Dim::Constant(size));
                continue;
            }
            let known = names.get(&dim).and_then(|&name| sizes.get(name)).copied();
            let size = match known {
                Some(size) => size,
                None => {
                    let size = Dim::Value(tensors::size(&mut cx.b, argument, dim));
                    if let Some(&name) = names.get(&dim) {
                        sizes.insert(name.to_owned(), size);
                    }
                    size
                }
            };
            dims.push(size);
        }
        cx.scope.dims.insert(argument, dims);
    }
}
