//! Types of values: what ONNX numbers, as types of the IR.

use std::collections::{BTreeMap, BTreeSet};

use freehold_frontend::dialects::onnx::element_type;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;

use crate::proto;

/// The size of a dimension that the model only names, or all sizes of an input.
pub type Dim = (String, Vec<i64>);

/// An array that is going to be passed.
#[derive(Clone, Debug)]
pub struct PassedSizes {
    /// The input that it is for. Those without a name are for the other inputs, in their order.
    pub input: Option<String>,
    /// Its sizes.
    pub sizes: Vec<i64>,
}

/// Sizes that are known though the model does not say them.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// Of dimensions and inputs. It is an error if one is not there, or cannot have them.
    pub dims: Vec<Dim>,
    /// Of arrays that the function is called with.
    pub passed: Vec<PassedSizes>,
}

/// Turns types of the model into types of the IR.
pub(crate) struct Types<'a> {
    pub(crate) context: &'a Context,
    pub(crate) dims: Vec<Dim>,
    /// Sizes of inputs as they are passed, by name. They say nothing of values inside of the model.
    pub(crate) passed: BTreeMap<String, Vec<i64>>,
    /// The names of dimensions in the model.
    pub(crate) symbols: BTreeSet<String>,
}

/// Names of element types by number, which stop where no more are known.
pub(crate) const NAMES: [&str; 29] = [
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
    "BFLOAT16",
    "FLOAT8E4M3FN",
    "FLOAT8E4M3FNUZ",
    "FLOAT8E5M2",
    "FLOAT8E5M2FNUZ",
    "UINT4",
    "INT4",
    "FLOAT4E2M1",
    "FLOAT8E8M0",
    "UINT2",
    "INT2",
    "FLOAT6E2M3",
    "FLOAT6E3M2",
];

/// The number of the type of strings.
pub(crate) const STRING: i32 = 8;

/// The type of a value of which the model says nothing.
pub(crate) fn unknown(context: &Context) -> Type {
    dialect_type(context, "Unknown".to_owned())
}

fn dialect_type(context: &Context, body: String) -> Type {
    let dialect = context.intern_name("onnx");
    let body = body.into();
    context.intern_type(TypeKind::Dialect { dialect, body })
}

/// The type of elements with this number.
///
/// # Errors
/// If there is none in the IR.
pub(crate) fn element(context: &Context, number: i32) -> Result<Type, String> {
    element_type(context, number.into()).ok_or_else(|| {
        let name = usize::try_from(number).ok().and_then(|i| NAMES.get(i));
        match name {
            Some(name) => format!("elements of type {name} are not supported"),
            None => format!("there is no element type with the number {number}"),
        }
    })
}

impl Types<'_> {
    /// The type of a value.
    ///
    /// # Errors
    /// If it has none in the IR.
    pub(crate) fn of(&mut self, ty: &proto::Type) -> Result<Type, String> {
        let context = self.context;
        match &ty.value {
            None => Ok(unknown(context)),
            Some(proto::TypeValue::Tensor(tensor)) => self.tensor(tensor),
            Some(proto::TypeValue::Sequence(of)) => self.wrapped("Seq", of),
            Some(proto::TypeValue::Optional(of)) => self.wrapped("Opt", of),
            Some(proto::TypeValue::Map(map)) => {
                let key = type_to_string(context, element(context, map.key_type)?);
                let value = match &map.value_type {
                    Some(value) => self.of(value)?,
                    None => unknown(context),
                };
                let value = type_to_string(context, value);
                Ok(dialect_type(context, format!("Map<{key}, {value}>")))
            }
            Some(proto::TypeValue::SparseTensor(_)) => {
                Err("sparse tensors are not supported".into())
            }
            Some(proto::TypeValue::Opaque(_)) => Err("opaque types are not supported".into()),
        }
    }

    fn wrapped(&mut self, word: &str, of: &proto::ElementType) -> Result<Type, String> {
        let element = match &of.elem_type {
            Some(element) => self.of(element)?,
            None => unknown(self.context),
        };
        let element = type_to_string(self.context, element);
        Ok(dialect_type(self.context, format!("{word}<{element}>")))
    }

    fn tensor(&mut self, tensor: &proto::TensorType) -> Result<Type, String> {
        let context = self.context;
        if tensor.elem_type == 0 {
            return Ok(unknown(context));
        }
        let element = element(context, tensor.elem_type)?;
        let Some(shape) = &tensor.shape else {
            return Ok(context.intern_type(TypeKind::UnrankedTensor(element)));
        };
        let shape = shape.dim.iter().map(|dim| self.size(dim)).collect();
        Ok(context.intern_type(TypeKind::RankedTensor {
            shape,
            element,
            encoding: None,
        }))
    }

    fn size(&mut self, dim: &proto::Dimension) -> i64 {
        match (&dim.value, symbol(dim)) {
            (Some(proto::DimensionValue::Size(size)), _) if *size >= 0 => *size,
            (_, Some(symbol)) => {
                self.symbols.insert(symbol.to_owned());
                self.size_of(symbol).unwrap_or(DYNAMIC)
            }
            _ => DYNAMIC,
        }
    }

    /// Gives inputs the sizes of the arrays that are passed for them.
    ///
    /// # Errors
    /// If dimensions of one name have different sizes.
    pub(crate) fn pass<'m>(
        &mut self,
        inputs: impl Iterator<Item = &'m proto::ValueInfo>,
        passed: &[PassedSizes],
    ) -> Result<(), String> {
        let mut unnamed = passed.iter().filter(|passed| passed.input.is_none());
        let mut known: BTreeMap<&str, i64> = BTreeMap::new();
        for input in inputs {
            let is_for = |passed: &&PassedSizes| passed.input.as_ref() == Some(&input.name);
            let named = passed.iter().find(is_for);
            let Some(PassedSizes { sizes, .. }) = named.or_else(|| unnamed.next()) else {
                continue;
            };
            for (dim, &size) in dims(input.ty.as_deref()).zip(sizes) {
                if let Some(symbol) = symbol(dim)
                    && *known.entry(symbol).or_insert(size) != size
                {
                    return Err(format!("'{symbol}' has more than one size"));
                }
            }
            self.passed.insert(input.name.clone(), sizes.clone());
        }
        Ok(())
    }

    /// Gives the names of dimensions of an input the sizes that the input was given.
    pub(crate) fn name_sizes(&mut self, input: &str, ty: &proto::Type) {
        let Some((_, sizes)) = self.dims.iter().rfind(|(name, _)| name == input) else {
            return;
        };
        let dims = dims(Some(ty));
        let fits = |(dim, &size): (&proto::Dimension, &i64)| match dim.value {
            Some(proto::DimensionValue::Size(known)) => known < 0 || known == size,
            _ => true,
        };
        if dims.clone().count() != sizes.len() || !dims.clone().zip(sizes).all(fits) {
            return;
        }
        let named = dims
            .zip(sizes.clone())
            .filter_map(|(dim, size)| Some((symbol(dim)?.to_owned(), vec![size])));
        let named: Vec<Dim> = named.collect();
        // What was said of a name itself counts more.
        drop(self.dims.splice(0..0, named));
    }

    /// The size that a name was given.
    fn size_of(&self, symbol: &str) -> Option<i64> {
        let mut given = self.dims.iter().rev();
        given.find_map(|(name, sizes)| match sizes[..] {
            [size] if name == symbol => Some(size),
            _ => None,
        })
    }

    /// The type of an input, with the sizes that it was given.
    ///
    /// # Errors
    /// If it cannot have them.
    pub(crate) fn sized(&mut self, input: &str, ty: Type) -> Result<Type, String> {
        let given = self.dims.iter().rfind(|(name, _)| name == input);
        let given = given.map(|(_, sizes)| sizes);
        let Some(sizes) = given.or_else(|| self.passed.get(input)) else {
            return Ok(ty);
        };
        let context = self.context;
        let fits = |known: &[i64]| {
            let fits = |(&known, size): (&i64, &i64)| known == DYNAMIC || known == *size;
            known.len() == sizes.len() && known.iter().zip(sizes).all(fits)
        };
        let element = match context.type_kind(ty) {
            TypeKind::UnrankedTensor(element) => *element,
            TypeKind::RankedTensor { shape, element, .. } if fits(shape) => *element,
            // The name may be that of a dimension as well.
            _ if self.symbols.contains(input) => return Ok(ty),
            _ => {
                let (sizes, ty) = (words(sizes), type_to_string(context, ty));
                return Err(format!("the sizes {sizes} do not fit '{ty}'"));
            }
        };
        self.symbols.insert(input.to_owned());
        Ok(context.intern_type(TypeKind::RankedTensor {
            shape: sizes[..].into(),
            element,
            encoding: None,
        }))
    }

    /// The dimensions of a tensor that have names and no size: `0:batch,2:width`. In the IR it has the type `known`.
    pub(crate) fn dim_params(&self, ty: &proto::Type, known: Type) -> String {
        let shape = self.context.shape(known).unwrap_or_default();
        let named = dims(Some(ty)).enumerate().filter_map(|(i, dim)| {
            let symbol = symbol(dim).filter(|symbol| !symbol.is_empty())?;
            let is_known =
                shape.get(i).is_some_and(|&size| size != DYNAMIC) || self.size_of(symbol).is_some();
            (!is_known).then(|| format!("{i}:{symbol}"))
        });
        named.collect::<Vec<_>>().join(",")
    }
}

/// The dimensions of a tensor.
fn dims(ty: Option<&proto::Type>) -> impl Iterator<Item = &proto::Dimension> + Clone {
    let shape = ty.and_then(|ty| match &ty.value {
        Some(proto::TypeValue::Tensor(tensor)) => tensor.shape.as_ref(),
        _ => None,
    });
    shape.into_iter().flat_map(|shape| &shape.dim)
}

/// The name of a dimension. Some exporters write `?` for every size that they do not know.
fn symbol(dim: &proto::Dimension) -> Option<&str> {
    match &dim.value {
        Some(proto::DimensionValue::Symbol(symbol)) if symbol != "?" => Some(symbol),
        _ => None,
    }
}

/// Sizes as they are given: `1x512`.
fn words(sizes: &[i64]) -> String {
    let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
    sizes.join("x")
}
