//! Graphs: their nodes become operations, in an order in which they can be computed; graphs inside of nodes become
//! regions.

use std::collections::BTreeMap;
use std::sync::Arc;

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::location::{Loc, LocKind};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::UNREGISTERED;
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::attributes::{attribute, constant, is_graph, signed};
use crate::external::Files;
use crate::functions::{
    self, Bindings, Callee, Functions, ML, OPSET_6, Opsets, bind, domain, resolve,
};
use crate::order::order;
use crate::proto::{Function, Graph, Model, Node, TypeValue, ValueInfo};
use crate::source::Source;
use crate::tensors::Tensors;
use crate::types::{PassedSizes, Types, unknown};
use crate::upgrade::{Upgrade, is_unchanged, upgrade};

/// The versions of the format that are read.
const IR_VERSIONS: std::ops::RangeInclusive<i64> = 3..=14;

/// Operators of onnxruntime that exporters write in the domain of ONNX.
const OF_ONNXRUNTIME: &[&str] = &["SimplifiedLayerNormalization"];

/// How deep functions may call each other.
const MAX_CALLS: usize = 100;

/// How many nodes functions may become in all calls together.
const MAX_INLINED: usize = 1 << 20;

/// An error in a model: the location of a node, and the message.
struct Invalid(Loc, String);

type Result<T> = std::result::Result<T, Invalid>;

/// A model that is being read.
pub(crate) struct Reader<'a> {
    context: &'a Arc<Context>,
    model: &'a Model,
    file: Loc,
    functions: Functions<'a>,
    types: Types<'a>,
    /// Arrays that are going to be passed.
    passed: &'a [PassedSizes],
    tensors: Tensors<'a>,
    /// The function that is made.
    ir: Ir,
    /// How many nodes came of functions.
    n_inlined: usize,
    /// The operators that are not known, with their counts.
    unsupported: BTreeMap<String, usize>,
}

/// What names stand for.
struct Scope<'s, 'a> {
    values: FxHashMap<&'a str, Value>,
    parent: Option<&'s Scope<'s, 'a>>,
    /// What stands for an operand that is left out.
    none: Option<Value>,
}

/// The state that all nodes of a function share.
struct Frame<'f, 'a> {
    opsets: &'f Opsets<'a>,
    /// What the attributes of the function stand for.
    bindings: Option<&'f Bindings<'a>>,
    /// The functions that called each other up to here.
    calls: &'f [*const Function],
    is_main: bool,
}

impl<'a> Scope<'_, 'a> {
    fn get(&self, name: &str) -> Option<Value> {
        let own = self.values.get(name).copied();
        own.or_else(|| self.parent.and_then(|parent| parent.get(name)))
    }

    fn none(&self) -> Option<Value> {
        self.none
            .or_else(|| self.parent.and_then(|parent| parent.none()))
    }
}

/// What messages call a node.
fn title(node: &Node) -> String {
    match node.name.as_str() {
        "" => match node.output.iter().find(|name| !name.is_empty()) {
            Some(output) => format!("node that makes '{output}' ({})", node.op_type),
            None => format!("node ({})", node.op_type),
        },
        name => format!("node '{name}' ({})", node.op_type),
    }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        context: &'a Arc<Context>,
        source: &Source<'a>,
        model: &'a Model,
        file: Loc,
    ) -> Self {
        Self {
            context,
            model,
            file,
            functions: Functions::default(),
            types: Types {
                context,
                dims: source.sizes.dims.clone(),
                passed: Default::default(),
                symbols: Default::default(),
            },
            tensors: Tensors {
                context,
                files: Files::new(source.folder.clone(), source.open),
                n_bytes: source.bytes.len(),
            },
            ir: func::function(context, file, "main", &[], &[]),
            n_inlined: 0,
            passed: &source.sizes.passed,
            unsupported: BTreeMap::new(),
        }
    }

    /// Reads the model into a module.
    pub(crate) fn read(mut self, diagnostics: &mut Diagnostics) -> std::result::Result<Ir, Failed> {
        match self.read_model() {
            Ok(module) => Ok(module),
            Err(Invalid(loc, message)) => Err(diagnostics.error(loc, message)),
        }
    }

    fn invalid<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Invalid(self.file, message.into()))
    }

    fn read_model(&mut self) -> Result<Ir> {
        let model = self.model;
        let version = model.ir_version;
        if !IR_VERSIONS.contains(&version) {
            let (oldest, newest) = (IR_VERSIONS.start(), IR_VERSIONS.end());
            return self.invalid(format!(
                "the model is of IR version {version}; versions {oldest} to {newest} are supported"
            ));
        }
        let Some(graph) = &model.graph else {
            return self.invalid("the model has no graph");
        };
        let opsets = Opsets::new(&model.opset_import).or_else(|message| self.invalid(message))?;
        self.functions = functions::functions(model).or_else(|message| self.invalid(message))?;
        self.read_main(graph, &opsets)?;
        if let Some((name, _)) =
            (self.types.dims.iter()).find(|(name, _)| !self.types.symbols.contains(name))
        {
            let name = name.clone();
            let inputs = graph.input.iter().map(|input| input.name.as_str());
            let symbols = self.types.symbols.iter().map(String::as_str);
            let [symbols, inputs] = [symbols.collect::<Vec<_>>(), inputs.collect()];
            return self.invalid(format!(
                "the model has no dimension or input '{name}': its dimensions are [{}], its inputs [{}]",
                symbols.join(", "),
                inputs.join(", "),
            ));
        }
        if !self.unsupported.is_empty() {
            let operators: Vec<String> = (self.unsupported.iter())
                .map(|(name, n)| format!("{name} ({n})"))
                .collect();
            let operators = operators.join(", ");
            return self.invalid(format!("operators that are not supported: {operators}"));
        }
        let context = self.context;
        let mut module = builtin::module(context, self.file);
        let root = module.root();
        for (domain, name) in [("", "onnx.opset"), (ML, "onnx.ml_opset")] {
            if let Some(version) = opsets.version(domain) {
                let is_upgraded = domain.is_empty() && version <= OPSET_6;
                let version = if is_upgraded { OPSET_6 + 1 } else { version };
                let name = context.intern_name(name);
                module.set_attr(root, name, context.i64_attr(version));
            }
        }
        let body = module.root_block().expect("a module has a block");
        let empty = func::function(context, self.file, "main", &[], &[]);
        let function = std::mem::replace(&mut self.ir, empty);
        let stub = module.create_nested(function);
        module.append_op(body, stub);
        Ok(module)
    }

    fn read_main(&mut self, graph: &'a Graph, opsets: &Opsets<'a>) -> Result<()> {
        let region = self.ir.region(self.ir.root(), 0);
        let block = self.ir.append_block(region, &[]);
        let mut scope = Scope {
            values: FxHashMap::default(),
            parent: None,
            none: None,
        };
        let tensors = graph.initializer.iter().map(|tensor| tensor.name.as_str());
        let sparse = graph.sparse_initializer.iter();
        let sparse = sparse.filter_map(|sparse| Some(sparse.values.as_ref()?.name.as_str()));
        let initialized: FxHashSet<&str> = tensors.chain(sparse).collect();
        for input in &graph.input {
            if let Some(ty) = &input.ty {
                self.types.name_sizes(&input.name, ty);
            }
        }
        let mut arg_attrs = Vec::new();
        // Before version 4 all initializers are inputs; later those that callers may replace.
        let is_passed = |input: &&ValueInfo| !initialized.contains(input.name.as_str());
        let inputs = graph.input.iter().filter(is_passed);
        if let Err(message) = self.types.pass(inputs.clone(), self.passed) {
            return self.invalid(message);
        }
        for input in inputs {
            let Some(ty) = self.value_type(input, "input")? else {
                return self.invalid(format!("input '{}' has no type", input.name));
            };
            // An optional input is one that is given.
            let ty = match input.ty.as_ref().and_then(|ty| ty.value.as_ref()) {
                Some(TypeValue::Optional(of)) => match &of.elem_type {
                    Some(of) => (self.types.of(of)).or_else(|message| self.invalid(message))?,
                    None => ty,
                },
                _ => ty,
            };
            let ty = match self.types.sized(&input.name, ty) {
                Ok(ty) => ty,
                Err(message) => return self.invalid(format!("input '{}': {message}", input.name)),
            };
            let value = self.ir.append_block_arg(block, ty);
            if scope.values.insert(&input.name, value).is_some() {
                return self.invalid(format!("input '{}' is declared twice", input.name));
            }
            arg_attrs.push(self.interface(input, ty));
        }
        let frame = Frame {
            opsets,
            bindings: None,
            calls: &[],
            is_main: true,
        };
        let results = self.read_graph(graph, &mut scope, block, &frame)?;
        let inputs: Vec<Type> = self.value_types(self.ir.block_args(block));
        let outputs = self.value_types(&results);
        let context = self.context;
        let ret = OpSpec::new(&func::RETURN, self.file).operands(&results);
        self.append(block, ret);
        let ty = context.type_attr(context.function_type(&inputs, &outputs));
        let root = self.ir.root();
        self.ir.set_attr(root, Name::FUNCTION_TYPE, ty);
        let res_attrs = graph.output.iter().zip(&outputs);
        let res_attrs: Vec<Attr> = (res_attrs)
            .map(|(output, &ty)| self.interface(output, ty))
            .collect();
        for (name, attrs) in [(Name::ARG_ATTRS, arg_attrs), (Name::RES_ATTRS, res_attrs)] {
            if !attrs.is_empty() {
                self.ir.set_attr(root, name, context.array_attr(&attrs));
            }
        }
        Ok(())
    }

    fn value_types(&self, values: &[Value]) -> Vec<Type> {
        let types = values.iter().map(|&value| self.ir.value_type(value));
        types.collect()
    }

    /// What callers are told of an input or output: its name, and those of its dimensions.
    fn interface(&self, value: &ValueInfo, known: Type) -> Attr {
        let context = self.context;
        let mut attrs = vec![(
            context.intern_name("onnx.name"),
            context.string_attr(&value.name),
        )];
        if let Some(ty) = &value.ty {
            let dims = self.types.dim_params(ty, known);
            if !dims.is_empty() {
                let dims = context.string_attr(&dims);
                attrs.push((context.intern_name("onnx.dim_params"), dims));
            }
        }
        context.intern_attr(AttrKind::Dictionary(context.intern_dict(attrs)))
    }

    fn value_type(&mut self, info: &ValueInfo, what: &str) -> Result<Option<Type>> {
        let Some(ty) = &info.ty else {
            return Ok(None);
        };
        match self.types.of(ty) {
            Ok(ty) => Ok(Some(ty)),
            Err(message) => self.invalid(format!("{what} '{}': {message}", info.name)),
        }
    }

    fn append(&mut self, block: Block, spec: OpSpec) -> Op {
        let op = self.ir.create_op(spec);
        self.ir.append_op(block, op);
        op
    }

    /// An operation of the dialect; one that it has not is kept by its name.
    fn spec(&self, name: &str, loc: Loc) -> OpSpec {
        match self.context.op_def(name) {
            Some(def) => OpSpec::new(def, loc),
            None => OpSpec {
                unregistered_name: self.context.intern_name(name),
                ..OpSpec::new(&UNREGISTERED, loc)
            },
        }
    }

    /// Makes operations of a graph at the end of a block, in which its inputs are known; returns its outputs.
    fn read_graph(
        &mut self,
        graph: &'a Graph,
        scope: &mut Scope<'_, 'a>,
        block: Block,
        frame: &Frame<'_, 'a>,
    ) -> Result<Vec<Value>> {
        for tensor in &graph.initializer {
            let name = tensor.name.as_str();
            match self.tensors.dense(tensor) {
                Ok(value) => self.initialize(name, value, scope, block)?,
                Err(message) => return self.invalid(format!("initializer '{name}': {message}")),
            }
        }
        for sparse in &graph.sparse_initializer {
            let name = sparse.values.as_ref().map_or("", |values| &values.name);
            match self.tensors.of_sparse(sparse) {
                Ok(value) => self.initialize(name, value, scope, block)?,
                Err(message) => return self.invalid(format!("initializer '{name}': {message}")),
            }
        }
        let mut types = FxHashMap::default();
        for info in graph.value_info.iter().chain(&graph.output) {
            if let Some(ty) = self.value_type(info, "value")?
                && ty != unknown(self.context)
            {
                types.insert(info.name.as_str(), ty);
            }
        }
        self.read_nodes(&graph.node, &types, scope, block, frame)?;
        let outputs = graph.output.iter();
        outputs
            .map(|output| match scope.get(&output.name) {
                Some(value) => Ok(value),
                None => self.invalid(format!("output '{}' is not computed", output.name)),
            })
            .collect()
    }

    fn initialize(
        &mut self,
        name: &'a str,
        value: Attr,
        scope: &mut Scope<'_, 'a>,
        block: Block,
    ) -> Result<()> {
        let loc = self
            .context
            .intern_loc(LocKind::Name(name.into(), self.file));
        let value = self.constant(value, loc, block);
        match scope.values.insert(name, value) {
            None => Ok(()),
            Some(_) => self.invalid(format!("initializer '{name}' is defined twice")),
        }
    }

    fn constant(&mut self, value: Attr, loc: Loc, block: Block) -> Value {
        let ty = self.context.attr_carried_type(value);
        let ty = ty.unwrap_or_else(|| unknown(self.context));
        let name = self.context.intern_name("value");
        let spec = self
            .spec("onnx.Constant", loc)
            .results(&[ty])
            .attr(name, value);
        let op = self.append(block, spec);
        self.ir.result(op, 0)
    }

    /// Makes operations of nodes, in an order in which they can be computed.
    fn read_nodes(
        &mut self,
        nodes: &'a [Node],
        types: &FxHashMap<&str, Type>,
        scope: &mut Scope<'_, 'a>,
        block: Block,
        frame: &Frame<'_, 'a>,
    ) -> Result<()> {
        let mut makers: FxHashMap<&str, usize> = FxHashMap::default();
        for (i, node) in nodes.iter().enumerate() {
            for output in node.output.iter().filter(|name| !name.is_empty()) {
                let is_new = !scope.values.contains_key(output.as_str());
                if makers.insert(output, i).is_some() || !is_new {
                    let title = title(node);
                    return self.invalid(format!("{title}: '{output}' is defined twice"));
                }
            }
        }
        let order = match order(nodes, &makers) {
            Ok(order) => order,
            Err(circle) => {
                let titles: Vec<String> =
                    circle.iter().take(8).map(|&i| title(&nodes[i])).collect();
                let more = if circle.len() > 8 { ", ..." } else { "" };
                let titles = titles.join(", ");
                return self.invalid(format!("the graph has a circle: {titles}{more}"));
            }
        };
        for i in order {
            self.read_node(&nodes[i], types, scope, block, frame)?;
        }
        Ok(())
    }

    /// Where a node is: its name, its operator and the file.
    fn node_loc(&self, node: &Node) -> Loc {
        let named = |name: &str, inner| self.context.intern_loc(LocKind::Name(name.into(), inner));
        let name = match node.name.as_str() {
            "" => node.output.first().map_or("", String::as_str),
            name => name,
        };
        match name {
            "" => self.file,
            name => named(name, named(&node.op_type, self.file)),
        }
    }

    fn none(&mut self, scope: &mut Scope<'_, 'a>, block: Block) -> Value {
        if let Some(none) = scope.none() {
            return none;
        }
        let value = self.context.intern_name("value");
        let spec = self.spec("onnx.NoValue", self.file);
        let spec = spec.results(&[Type::NONE]).attr(value, Attr::UNIT);
        let op = self.append(block, spec);
        let none = self.ir.result(op, 0);
        scope.none = Some(none);
        none
    }

    fn read_node(
        &mut self,
        node: &'a Node,
        types: &FxHashMap<&str, Type>,
        scope: &mut Scope<'_, 'a>,
        block: Block,
        frame: &Frame<'_, 'a>,
    ) -> Result<()> {
        let loc = self.node_loc(node);
        let invalid = |message: String| Invalid(loc, format!("{}: {message}", title(node)));
        let mut operands = Vec::with_capacity(node.input.len());
        for input in &node.input {
            operands.push(match input.as_str() {
                "" => self.none(scope, block),
                name => match scope.get(name) {
                    Some(value) => value,
                    None => return Err(invalid(format!("input '{name}' is not defined"))),
                },
            });
        }
        let known = |name: &String| types.get(name.as_str()).copied();
        let domain = domain(&node.domain);
        let key = (domain, node.op_type.as_str(), node.overload.as_str());
        if self.functions.contains_key(&key) {
            let outputs: Vec<Option<Type>> = node.output.iter().map(known).collect();
            let results = self.inline(node, &key, &operands, &outputs, block, frame)?;
            for (name, value) in node.output.iter().zip(results) {
                if !name.is_empty() {
                    scope.values.insert(name, value);
                }
            }
            return Ok(());
        }
        let Some(version) = frame.opsets.version(domain) else {
            let message =
                format!("the model does not say which version of domain '{domain}' it uses");
            return Err(invalid(message));
        };
        let mut without = Vec::new();
        let mut version = version;
        if domain.is_empty() && version <= OPSET_6 {
            if version < OPSET_6 && !is_unchanged(node) {
                return Err(invalid(format!(
                    "this operator of opset {version} is not supported: opsets from {OPSET_6} on are"
                )));
            }
            version = OPSET_6 + 1;
            let types = self.value_types(&operands);
            let Upgrade {
                without: gone,
                axes,
            } = upgrade(node, &types, self.context).map_err(invalid)?;
            without = gone;
            if !axes.is_empty() {
                operands[1] = self.unsqueeze(operands[1], &axes, loc, block);
            }
        }
        let is_constant = domain.is_empty() && node.op_type == "Constant";
        let mut attrs: Vec<(Name, Attr)> = Vec::new();
        let mut graphs: Vec<(&str, &'a Graph)> = Vec::new();
        for given in &node.attribute {
            let name = given.name.as_str();
            if without.contains(&name) {
                continue;
            }
            // A reference to an attribute that the call leaves out is left out.
            let Some(value) = resolve(given, frame.bindings) else {
                continue;
            };
            if is_graph(value) {
                graphs.extend(value.g.iter().map(|graph| (name, &**graph)));
                graphs.extend(value.graphs.iter().map(|graph| (name, graph)));
                continue;
            }
            let (name, attr) = if is_constant {
                ("value", constant(value, name, &mut self.tensors))
            } else {
                let is_onnx = domain.is_empty();
                let (types, tensors) = (&mut self.types, &mut self.tensors);
                (name, attribute(value, name, is_onnx, types, tensors))
            };
            let attr =
                attr.map_err(|error| invalid(format!("attribute '{}': {error}", given.name)))?;
            let name = self.context.intern_name(name);
            if attrs.iter().any(|&(other, _)| other == name) {
                return Err(invalid(format!(
                    "attribute '{}' is given twice",
                    given.name
                )));
            }
            attrs.push((name, attr));
        }
        // The branch that is taken comes first, however they are stored.
        graphs.sort_by_key(|&(name, _)| name == "else_branch");
        if is_constant {
            let (&[(_, value)], [output]) = (&attrs[..], &node.output[..]) else {
                return Err(invalid("a constant has one value".into()));
            };
            let value = self.constant(value, loc, block);
            scope.values.insert(output, value);
            return Ok(());
        }
        let context = self.context;
        let string =
            |name: &str, value: &str| (context.intern_name(name), context.string_attr(value));
        if !node.name.is_empty() {
            attrs.push(string("onnx_node_name", &node.name));
        }
        let mut op_name = format!("onnx.{}", node.op_type);
        // What is no operation of the dialect is one of another domain.
        let is_known_domain = domain.is_empty() && !OF_ONNXRUNTIME.contains(&&*node.op_type)
            || domain == ML && context.op_def(&op_name).is_some();
        if !is_known_domain {
            op_name = "onnx.Custom".to_owned();
        }
        if !is_known_domain {
            if !graphs.is_empty() {
                let names: Vec<Attr> = (graphs.iter())
                    .map(|&(name, _)| self.context.string_attr(name))
                    .collect();
                let names = self.context.array_attr(&names);
                attrs.push((self.context.intern_name("graph_names"), names));
            }
            attrs.push(string("function_name", &node.op_type));
            attrs.push(string("domain_name", domain));
        }
        if !frame.is_main && domain.is_empty() {
            attrs.push((context.intern_name("onnx.opset"), signed(context, version)));
        }
        let mut spec = self.spec(&op_name, loc);
        if spec.def.is_unregistered() && context.dialect("onnx").is_some() {
            let name = match domain {
                "" => node.op_type.clone(),
                domain => format!("{domain}.{}", node.op_type),
            };
            *self.unsupported.entry(name).or_default() += 1;
        }
        let outputs = node.output.iter().map(|name| match name.as_str() {
            "" => Type::NONE,
            _ => known(name).unwrap_or_else(|| unknown(context)),
        });
        let outputs: Vec<Type> = outputs.collect();
        spec = spec
            .operands(&operands)
            .results(&outputs)
            .regions(graphs.len());
        for (name, attr) in attrs {
            spec.set_attr(name, attr);
        }
        let op = self.append(block, spec);
        for (i, (_, graph)) in graphs.into_iter().enumerate() {
            self.read_region(graph, op, i, scope, frame)?;
        }
        for (i, name) in node.output.iter().enumerate() {
            if !name.is_empty() {
                scope.values.insert(name, self.ir.result(op, i));
            }
        }
        Ok(())
    }

    /// A value with further dimensions of size one.
    fn unsqueeze(&mut self, value: Value, axes: &[i64], loc: Loc, block: Block) -> Value {
        let context = self.context;
        let list: Vec<Attr> = axes.iter().map(|&axis| context.i64_attr(axis)).collect();
        let spec = self.spec("onnx.Unsqueeze", loc);
        let spec = spec.operands(&[value]).results(&[unknown(context)]);
        let spec = spec.attr(context.intern_name("axes"), context.array_attr(&list));
        let op = self.append(block, spec);
        self.ir.result(op, 0)
    }

    /// Reads a graph that belongs to a node.
    fn read_region(
        &mut self,
        graph: &'a Graph,
        op: Op,
        index: usize,
        parent: &Scope<'_, 'a>,
        frame: &Frame<'_, 'a>,
    ) -> Result<()> {
        let region = self.ir.region(op, index);
        let block = self.ir.append_block(region, &[]);
        let mut scope = Scope {
            values: FxHashMap::default(),
            parent: Some(parent),
            none: None,
        };
        let named = graph.initializer.iter().map(|tensor| tensor.name.as_str());
        let initialized: FxHashSet<&str> = named.collect();
        for input in &graph.input {
            if initialized.contains(input.name.as_str()) {
                continue;
            }
            let ty = self.value_type(input, "input")?;
            let ty = ty.unwrap_or_else(|| unknown(self.context));
            let value = self.ir.append_block_arg(block, ty);
            if scope.values.insert(&input.name, value).is_some() {
                return self.invalid(format!("input '{}' is declared twice", input.name));
            }
        }
        let results = self.read_graph(graph, &mut scope, block, frame)?;
        let loc = self.ir.loc(op);
        let spec = self.spec("onnx.Yield", loc).operands(&results);
        self.append(block, spec);
        Ok(())
    }

    /// Puts the nodes of a function in the place of a node that calls it.
    fn inline(
        &mut self,
        node: &'a Node,
        key: &(&str, &str, &str),
        operands: &[Value],
        outputs: &[Option<Type>],
        block: Block,
        frame: &Frame<'_, 'a>,
    ) -> Result<Vec<Value>> {
        let loc = self.node_loc(node);
        let invalid = |message: String| Invalid(loc, format!("{}: {message}", title(node)));
        let Callee { function, opsets } = &self.functions[key];
        let (function, opsets): (&'a Function, _) = (function, opsets.clone());
        let name = &function.name;
        if frame.calls.contains(&std::ptr::from_ref(function)) {
            return Err(invalid(format!("function '{name}' calls itself")));
        }
        if frame.calls.len() >= MAX_CALLS {
            return Err(invalid(format!(
                "functions call each other {MAX_CALLS} deep"
            )));
        }
        self.n_inlined += function.node.len() + 1;
        if self.n_inlined > MAX_INLINED {
            return Err(invalid(format!(
                "functions become more than {MAX_INLINED} nodes"
            )));
        }
        if operands.len() > function.input.len() || outputs.len() > function.output.len() {
            return Err(invalid(format!(
                "function '{name}' has fewer inputs or outputs"
            )));
        }
        let bindings = bind(function, node, frame.bindings).map_err(invalid)?;
        let mut scope = Scope {
            values: FxHashMap::default(),
            parent: None,
            none: None,
        };
        for (i, input) in function.input.iter().enumerate() {
            let value = match operands.get(i) {
                Some(&value) => value,
                None => self.none(&mut scope, block),
            };
            if scope.values.insert(input, value).is_some() {
                return Err(invalid(format!(
                    "function '{name}' has input '{input}' twice"
                )));
            }
        }
        let mut types = FxHashMap::default();
        for info in &function.value_info {
            if let Some(ty) = self.value_type(info, "value")? {
                types.insert(info.name.as_str(), ty);
            }
        }
        for (output, ty) in function.output.iter().zip(outputs) {
            if let Some(ty) = ty {
                types.insert(output, *ty);
            }
        }
        let mut calls = frame.calls.to_vec();
        calls.push(function);
        let inner = Frame {
            opsets: &opsets,
            bindings: Some(&bindings),
            calls: &calls,
            is_main: false,
        };
        self.read_nodes(&function.node, &types, &mut scope, block, &inner)?;
        let results = function.output.iter().take(outputs.len());
        results
            .map(|output| match scope.get(output) {
                Some(value) => Ok(value),
                None => Err(invalid(format!(
                    "function '{name}' does not compute '{output}'"
                ))),
            })
            .collect()
    }
}
