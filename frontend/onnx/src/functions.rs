//! Functions of the model, and what operators mean: sets of operators by domain.

use rustc_hash::FxHashMap;

use crate::proto::{Attribute, Function, Model, Node, OperatorSet};

/// The oldest and newest set of operators of ONNX itself that are read.
pub(crate) const OPSETS: std::ops::RangeInclusive<i64> = 1..=28;

/// What becomes opset 7 when it is read.
pub(crate) const OPSET_6: i64 = 6;

/// The domain of operators that are defined together with the format, by both of its names.
pub(crate) fn domain(name: &str) -> &str {
    match name {
        "ai.onnx" => "",
        name => name,
    }
}

/// The domain of operators for classical machine learning.
pub(crate) const ML: &str = "ai.onnx.ml";

/// Versions of sets of operators by domain.
#[derive(Clone, PartialEq, Default)]
pub(crate) struct Opsets<'a>(Vec<(&'a str, i64)>);

impl<'a> Opsets<'a> {
    /// # Errors
    /// If a domain has two versions, or one that is not read.
    pub(crate) fn new(imports: &'a [OperatorSet]) -> Result<Self, String> {
        let mut sets = Self::default();
        for import in imports {
            let (domain, version) = (domain(&import.domain), import.version);
            match sets.version(domain) {
                Some(other) if other != version => {
                    return Err(format!(
                        "operators of domain '{domain}' are of the versions {other} and {version}"
                    ));
                }
                Some(_) => continue,
                None => {}
            }
            if domain.is_empty() && !OPSETS.contains(&version) {
                let (oldest, newest) = (OPSETS.start(), OPSETS.end());
                return Err(format!(
                    "the model uses opset {version}; opsets {oldest} to {newest} are supported"
                ));
            }
            sets.0.push((domain, version));
        }
        Ok(sets)
    }

    /// The version of a domain.
    pub(crate) fn version(&self, domain: &str) -> Option<i64> {
        let found = self.0.iter().find(|(name, _)| *name == domain);
        found.map(|&(_, version)| version)
    }
}

/// A function of the model.
pub(crate) struct Callee<'a> {
    pub(crate) function: &'a Function,
    pub(crate) opsets: Opsets<'a>,
}

/// The functions of a model by domain, name and overload.
pub(crate) type Functions<'a> = FxHashMap<(&'a str, &'a str, &'a str), Callee<'a>>;

/// Collects the functions of a model.
///
/// # Errors
/// If there are two of one name.
pub(crate) fn functions(model: &Model) -> Result<Functions<'_>, String> {
    let mut functions = Functions::default();
    for function in &model.functions {
        let Function { name, overload, .. } = function;
        let key = (domain(&function.domain), name.as_str(), overload.as_str());
        let opsets = Opsets::new(&function.opset_import)
            .map_err(|error| format!("function '{name}': {error}"))?;
        let callee = Callee { function, opsets };
        if functions.insert(key, callee).is_some() {
            return Err(format!("the model has two functions '{name}'"));
        }
    }
    Ok(functions)
}

/// What attributes of a function stand for in one call.
pub(crate) type Bindings<'a> = FxHashMap<&'a str, &'a Attribute>;

/// What the attributes of a function are in a call; `outer` is what those of the function that calls are.
///
/// # Errors
/// If one without a default is missing.
pub(crate) fn bind<'a>(
    function: &'a Function,
    node: &'a Node,
    outer: Option<&Bindings<'a>>,
) -> Result<Bindings<'a>, String> {
    let mut bindings = Bindings::default();
    for attribute in &function.attribute_proto {
        bindings.insert(&attribute.name, attribute);
    }
    for attribute in &node.attribute {
        if attribute.g.is_some() || !attribute.graphs.is_empty() {
            return Err(format!(
                "attribute '{}' of a function is a graph, which is not supported",
                attribute.name
            ));
        }
        let attribute_name = attribute.name.as_str();
        if let Some(value) = resolve(attribute, outer) {
            bindings.insert(attribute_name, value);
        }
    }
    Ok(bindings)
}

/// The attribute that one stands for; nothing if it refers to one that the call leaves out.
pub(crate) fn resolve<'a>(
    attribute: &'a Attribute,
    bindings: Option<&Bindings<'a>>,
) -> Option<&'a Attribute> {
    match attribute.ref_attr_name.as_str() {
        "" => Some(attribute),
        name => bindings?.get(name).copied(),
    }
}
