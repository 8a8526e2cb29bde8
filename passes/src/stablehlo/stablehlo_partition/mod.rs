//! `stablehlo-partition`: of a program for several devices, what each of them does.
//!
//! Before:
//! ```mlir
//! module attributes {mhlo.num_partitions = 2 : i32} {
//!   "sdy.mesh"() {mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"} : () -> ()
//!   func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
//!     %0 = stablehlo.negate %x : tensor<4xf32>
//!     return %0 : tensor<4xf32>
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.negate %x : tensor<2xf32>
//!   %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, ...} : (tensor<2xf32>) -> tensor<4xf32>
//!   return %1 : tensor<4xf32>
//! }
//! ```
//!
//! Arguments and results of the entry point have the parts that their shardings say, unless `whole-arguments` leaves
//! them whole on every device. What `sdy.manual_computation` has
//! is done as it stands, by every device along the axes that are not its own. Operations on single elements are done on parts if all operands have the same. All others are
//! done on whole tensors, by every device: their operands are gathered first. That is right for every program, and not
//! what makes it fast: for that, programs say by themselves what each device does.

mod shardings;

use std::sync::Arc;

use freehold_frontend::dialects::stablehlo::{
    communication, elementwise, is_token, regions, shapes,
};
use freehold_frontend::dialects::{func, sdy};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements, Dict};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Signedness, Type, TypeKind};
use rustc_hash::FxHashMap;

use self::shardings::{Layout, Meshes, Parts, axes_of, per_value, text_of};
use super::build::{element, shape, tensor_type};
use super::collectives::{among_devices, among_partitions, constant, reshape, zeros};
use super::stablehlo_call_host::{ONCE, is_host_call};
use super::{platform, scalar};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::Signature;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// arguments and results of the entry point stay whole: each device cuts its parts, and gathers results
        "whole-arguments" whole_arguments: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "stablehlo-partition",
    summary: "turn a program for several devices into what each of them does",
    anchor: Anchor::Module,
    run,
};

/// Attributes of the module in which XLA and JAX look for the parts of arguments and results.
const OF_ARGUMENTS: &str = "mhlo.spmd_parameters_shardings";
const OF_RESULTS: &str = "mhlo.spmd_output_sharding";

/// The attribute of arguments, results and operations that says which parts of them a device has.
const SHARDING: &str = "sdy.sharding";

/// Why a program cannot be divided, and where.
type Refused = (Loc, String);

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let [replicas, partitions] = platform::device_counts(ir);
    if partitions < 2 || replicas > 1 {
        return Ok(());
    }
    if partitions > platform::MAX_DEVICES {
        let message = "these are too many devices";
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    }
    let outcome = divide(ir, partitions, context.options.whole_arguments);
    let outcome = outcome.map_err(|(loc, message)| report(&mut context.diagnostics, loc, message));
    let meshes = (ir.root_block().into_iter())
        .flat_map(|block| ir.ops_in(block))
        .filter(|&op| ir.is(op, &sdy::MESH));
    for mesh in meshes.collect::<Vec<_>>() {
        ir.erase_op(mesh);
    }
    outcome
}

fn report(diagnostics: &mut Diagnostics, loc: Loc, message: String) -> Failed {
    diagnostics.error(loc, message)
}

fn divide(ir: &mut Ir, n_devices: usize, whole: bool) -> Result<(), Refused> {
    let loc = ir.loc(ir.root());
    let meshes = Meshes::of(ir, n_devices).map_err(|message| (loc, message))?;
    for stub in functions::functions(ir) {
        let is_entry = !ir.is_private(stub);
        let mut function = ir.take_nested(stub);
        let outcome = match is_entry {
            true => divide_entry(&mut function, &meshes, n_devices, whole).map(Some),
            false => expect_whole(&function).map(|()| None),
        };
        ir.put_nested(stub, function);
        if let Some((arguments, results)) = outcome? {
            let context = Arc::clone(ir.context());
            let root = ir.root();
            let all: Vec<_> = arguments
                .iter()
                .map(|text| context.string_attr(text))
                .collect();
            ir.set_attr(
                root,
                context.intern_name(OF_ARGUMENTS),
                context.array_attr(&all),
            );
            let all = match &results[..] {
                [] => "{replicated}".to_owned(),
                [one] => one.clone(),
                all => format!("{{{}}}", all.join(", ")),
            };
            ir.set_attr(
                root,
                context.intern_name(OF_RESULTS),
                context.string_attr(&all),
            );
        }
    }
    Ok(())
}

/// Other functions than the entry point are about whole tensors.
fn expect_whole(function: &Ir) -> Result<(), Refused> {
    let about_parts = [
        &sdy::MANUAL_COMPUTATION,
        &sdy::SHARDING_CONSTRAINT,
        &sdy::RESHARD,
    ];
    let found = function
        .walk(function.root())
        .find(|&op| about_parts.iter().any(|def| function.is(op, def)));
    match found {
        Some(op) => {
            let name = function.op_name(op);
            let message = format!("'{name}' op in a function that is not inlined is not supported");
            Err((function.loc(op), message))
        }
        None => Ok(()),
    }
}

/// The parts of arguments and results in the words of HLO.
type Described = (Vec<String>, Vec<String>);

fn divide_entry(
    ir: &mut Ir,
    meshes: &Meshes,
    n_devices: usize,
    whole: bool,
) -> Result<Described, Refused> {
    let root = ir.root();
    let loc = ir.loc(root);
    let Some((mut signature, block)) = Signature::of(ir, root).zip(ir.root_block()) else {
        return Ok((Vec::new(), Vec::new()));
    };
    let context = Arc::clone(ir.context());
    let mut divider = Divider {
        meshes,
        n_devices,
        context: Arc::clone(&context),
        parts: FxHashMap::default(),
        whole: FxHashMap::default(),
        inside: None,
    };
    let mut described = Vec::new();
    let arguments = ir.block_args(block).to_vec();
    for (input, &argument) in signature.inputs.iter_mut().zip(&arguments) {
        let said = divider.said(input.1, input.0);
        let layout = match said.map_err(|message| (loc, message))? {
            _ if whole => None,
            Some(layout) => Some(layout),
            None => divider
                .wanted(ir, argument)
                .map_err(|message| (loc, message))?,
        };
        let layout = layout.unwrap_or_default();
        described.push(describe(&layout, n_devices));
        if is_divided(&layout) {
            let ty = local_type(&context, input.0, &layout).map_err(|message| (loc, message))?;
            input.0 = ty;
            ir.set_value_type(argument, ty);
            divider.parts.insert(argument, (argument, layout));
        }
    }
    divider.block(ir, block)?;
    let Some(end) = ir.last_op(block).filter(|&end| ir.is(end, &func::RETURN)) else {
        return Err((loc, "the entry point has several blocks".to_owned()));
    };
    let mut results = Vec::new();
    for (at, result) in signature.results.iter_mut().enumerate() {
        let Some(&value) = ir.operands(end).get(at) else {
            return Err((loc, "the entry point returns too little".to_owned()));
        };
        let said = divider
            .said(result.1, result.0)
            .map_err(|message| (loc, message))?;
        let layout = match said {
            _ if whole => Layout::default(),
            Some(layout) => layout,
            None => divider
                .parts
                .get(&value)
                .map(|part| part.1.clone())
                .unwrap_or_default(),
        };
        let value = divider.as_parts(ir, end, value, &layout)?;
        result.0 = ir.value_type(value);
        ir.set_operand(end, at, value);
        results.push(describe(&layout, n_devices));
    }
    // The meshes go.
    let name = context.intern_name(SHARDING);
    for (_, attrs) in signature.inputs.iter_mut().chain(&mut signature.results) {
        *attrs = context.dict_with(*attrs, name, None);
    }
    signature.store(ir, root);
    for op in ir.collect_ops(root) {
        ir.remove_attr(op, name);
    }
    Ok((described, results))
}

/// Whether a device has less than all.
fn is_divided(layout: &Layout) -> bool {
    layout
        .dims
        .iter()
        .chain([&layout.unreduced])
        .any(Option::is_some)
}

/// The type of what one device has.
fn local_type(context: &Context, ty: Type, layout: &Layout) -> Result<Type, String> {
    let mut sizes = context.shape(ty).unwrap_or_default().to_vec();
    for (size, parts) in sizes.iter_mut().zip(&layout.dims) {
        let n = parts.as_ref().map_or(1, |parts| parts.n as i64);
        if *size < 0 || *size % n != 0 {
            return Err(format!("a dimension of {size} has no {n} equal parts"));
        }
        *size /= n;
    }
    Ok(tensor_type(
        context,
        &sizes,
        context.element_type_or_self(ty),
    ))
}

/// A layout in the words of HLO.
fn describe(layout: &Layout, n_devices: usize) -> String {
    if !is_divided(layout) {
        return "{replicated}".to_owned();
    }
    // Devices in the order of their parts; those with the same parts are one behind the other.
    let all = || layout.dims.iter().chain([&layout.unreduced]);
    let sizes: Vec<usize> = all()
        .map(|parts| parts.as_ref().map_or(1, |parts| parts.n))
        .collect();
    let mut devices: Vec<usize> = (0..n_devices).collect();
    let place = |device: usize| {
        let parts = all().map(|parts| parts.as_ref().map_or(0, |parts| parts.of[device]));
        parts
            .zip(&sizes)
            .fold(0, |place, (part, size)| place * size + part)
    };
    devices.sort_by_key(|&device| place(device));
    let n_copies = n_devices / sizes.iter().product::<usize>();
    let list = |numbers: &[usize]| {
        numbers
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join(",")
    };
    let devices = list(&devices);
    match (&layout.unreduced, n_copies) {
        (None, 1) => format!(
            "{{devices=[{}]{devices}}}",
            list(&sizes[..layout.dims.len()])
        ),
        (None, n) => format!(
            "{{devices=[{},{n}]{devices} last_tile_dim_replicate}}",
            list(&sizes[..layout.dims.len()])
        ),
        (Some(_), 1) => format!(
            "{{devices=[{}]{devices} last_tile_dims={{unreduced}}}}",
            list(&sizes)
        ),
        (Some(_), n) => format!(
            "{{devices=[{},{n}]{devices} last_tile_dims={{unreduced, replicated}}}}",
            list(&sizes)
        ),
    }
}

/// The number of several that is that of this device.
fn own_of(b: &mut Builder<'_>, numbers: &[i64]) -> Value {
    let context = b.context();
    let number = context.intern_type(TypeKind::Integer {
        width: 32,
        signedness: Signedness::Unsigned,
    });
    let own = b.value(
        &communication::PARTITION_ID,
        &[],
        tensor_type(&context, &[], number),
    );
    // Both are indices, whatever their types.
    let own = b.value(
        &elementwise::CONVERT,
        &[own],
        tensor_type(&context, &[], Type::I64),
    );
    let all = constant(b, &[numbers.len() as i64], numbers);
    let one = tensor_type(&context, &[1], Type::I64);
    let sizes = context.i64_array_attr(&[1]);
    let number = b.value_with_attr(
        &shapes::DYNAMIC_SLICE,
        &[all, own],
        one,
        Name::SLICE_SIZES,
        sizes,
    );
    reshape(b, number, &[])
}

/// The state while a function is divided.
struct Divider<'m> {
    meshes: &'m Meshes,
    n_devices: usize,
    context: Arc<Context>,
    /// The part that each device has of a tensor that is divided, and how it is.
    parts: FxHashMap<Value, (Value, Layout)>,
    /// Tensors that were gathered, by the block that they were gathered in.
    whole: FxHashMap<(Value, Block), Value>,
    /// In a computation that each device does by itself, its place along the axes of that: others have other data. Along
    /// the rest of the axes all have the same.
    inside: Option<Vec<usize>>,
}

impl Divider<'_> {
    /// What the attributes of an argument or result say.
    fn said(&self, attrs: Dict, ty: Type) -> Result<Option<Layout>, String> {
        let context = &self.context;
        if context
            .dict_get(attrs, context.intern_name("mhlo.sharding"))
            .is_some()
        {
            return Err("shardings of GSPMD ('mhlo.sharding') are not supported".to_owned());
        }
        let attr = context.dict_get(attrs, context.intern_name(SHARDING));
        let Some(text) = attr.and_then(|attr| text_of(context, attr)) else {
            return Ok(None);
        };
        let rank = context.shape(ty).map_or(0, <[i64]>::len);
        self.meshes.layout(text, rank).map(Some)
    }

    /// What the first user of an argument wants that says so.
    fn wanted(&self, ir: &Ir, argument: Value) -> Result<Option<Layout>, String> {
        let rank = shape(ir, argument).len();
        let uses = ir.uses(argument).iter();
        let mut users = uses.filter(|used| ir.is(used.op, &sdy::MANUAL_COMPUTATION));
        let Some(used) = users.next() else {
            return Ok(None);
        };
        let attr = ir
            .attr(used.op, Name::IN_SHARDINGS)
            .and_then(|attr| text_of(&self.context, attr));
        let all = attr.map(per_value).unwrap_or_default();
        let text = all.get(used.index as usize).copied();
        let axes =
            (ir.attr(used.op, Name::MANUAL_AXES)).and_then(|attr| text_of(&self.context, attr));
        let axes = axes_of(axes.unwrap_or_default());
        let layout = |text| (self.meshes).layout_along(text, rank, |axis| axes.contains(&axis));
        let mut layout = text.map(layout).transpose()?;
        // Callers have no parts to add unless they say so.
        if let Some(layout) = &mut layout {
            layout.unreduced = None;
        }
        Ok(layout)
    }

    fn block(&mut self, ir: &mut Ir, block: Block) -> Result<(), Refused> {
        let mut next = ir.first_op(block);
        while let Some(op) = next {
            next = ir.next_op(op);
            if ir.is(op, &sdy::MANUAL_COMPUTATION) {
                self.manual(ir, op)?;
            } else if ir.is(op, &sdy::SHARDING_CONSTRAINT) || ir.is(op, &sdy::RESHARD) {
                self.constraint(ir, op)?;
            } else if !ir.is(op, &func::RETURN) && !self.on_parts(ir, op)? {
                self.on_whole(ir, op)?;
            }
        }
        Ok(())
    }

    /// What each device does by itself stands where it is called.
    fn manual(&mut self, ir: &mut Ir, op: Op) -> Result<(), Refused> {
        let loc = ir.loc(op);
        let refuse = |message: String| {
            (
                loc,
                format!("'sdy.manual_computation' op is not lowered: {message}"),
            )
        };
        let context = Arc::clone(&self.context);
        let text = |ir: &Ir, name: Name| {
            let attr = ir
                .attr(op, name)
                .and_then(|attr| text_of(&context, attr).map(str::to_owned));
            attr.unwrap_or_default()
        };
        let (inputs, outputs) = (text(ir, Name::IN_SHARDINGS), text(ir, Name::OUT_SHARDINGS));
        let axes = text(ir, Name::MANUAL_AXES);
        let axes = axes_of(&axes);
        let counts = |axis: &str| axes.contains(&axis);
        let places = (self.meshes).places(&format!("{inputs}{outputs}"), counts);
        let body = ir
            .regions(op)
            .first()
            .and_then(|&region| ir.single_block(region));
        let end = body
            .and_then(|body| ir.terminator(body))
            .filter(|&end| ir.is(end, &sdy::RETURN));
        let (Some(body), Some(end)) = (body, end) else {
            return Err(refuse("it has no body of one block".to_owned()));
        };
        let (inputs, outputs) = (per_value(&inputs), per_value(&outputs));
        let operands = ir.operands(op).to_vec();
        let arguments = ir.block_args(body).to_vec();
        let yielded = ir.operands(end).to_vec();
        let results = ir.results(op).to_vec();
        if inputs.len() != operands.len()
            || arguments.len() != operands.len()
            || outputs.len() != results.len()
            || yielded.len() != results.len()
        {
            return Err(refuse("it lacks shardings".to_owned()));
        }
        let mut locals = Vec::new();
        for ((&operand, &argument), text) in operands.iter().zip(&arguments).zip(inputs) {
            let rank = shape(ir, operand).len();
            let layout = self.meshes.layout_along(text, rank, counts);
            let layout = layout.map_err(refuse)?;
            let value = self.as_parts(ir, op, operand, &layout)?;
            if ir.value_type(value) != ir.value_type(argument) {
                return Err(refuse(
                    "an argument is not the part that its sharding says".to_owned(),
                ));
            }
            // Inside, it is all that there is.
            locals.push(match self.parts.contains_key(&value) {
                true => {
                    let ty = ir.value_type(value);
                    Builder::before(ir, op).value(&regions::OPTIMIZATION_BARRIER, &[value], ty)
                }
                false => value,
            });
        }
        for (argument, value) in arguments.into_iter().zip(locals) {
            ir.replace_all_uses(argument, value);
        }
        let around = self.inside.clone();
        let n = 1 + places.iter().max().copied().unwrap_or_default();
        self.inside = Some(match &around {
            Some(around) => around
                .iter()
                .zip(&places)
                .map(|(place, own)| place * n + own)
                .collect(),
            None => places,
        });
        let outcome = self.block(ir, body);
        self.inside = around;
        outcome?;
        let yielded = ir.operands(end).to_vec();
        ir.erase_op(end);
        ir.move_block_contents_before(body, op);
        for ((&result, value), text) in results.iter().zip(yielded).zip(outputs) {
            let rank = shape(ir, result).len();
            let layout = self.meshes.layout_along(text, rank, counts);
            let layout = layout.map_err(refuse)?;
            if local_type(&context, ir.value_type(result), &layout) != Ok(ir.value_type(value)) {
                return Err(refuse(
                    "a result is not the part that its sharding says".to_owned(),
                ));
            }
            self.replace(ir, result, value, layout);
        }
        ir.erase_op(op);
        Ok(())
    }

    /// Lets `value`, a part as `layout` says, stand for `result`.
    fn replace(&mut self, ir: &mut Ir, result: Value, value: Value, layout: Layout) {
        if !is_divided(&layout) {
            ir.replace_all_uses(result, value);
            return;
        }
        // Users ask for whole tensors or parts, so that they must see which one it is.
        let Some(definer) = ir.defining_op(result) else {
            return;
        };
        let ty = ir.value_type(value);
        let mut b = Builder::before(ir, definer);
        let barrier = b.value(&regions::OPTIMIZATION_BARRIER, &[value], ty);
        ir.replace_all_uses(result, barrier);
        self.parts.insert(barrier, (barrier, layout));
    }

    fn constraint(&mut self, ir: &mut Ir, op: Op) -> Result<(), Refused> {
        let loc = ir.loc(op);
        let (operand, result) = (ir.operand(op, 0), ir.result(op, 0));
        let text = ir
            .attr(op, Name::SHARDING)
            .and_then(|attr| text_of(&self.context, attr).map(str::to_owned));
        let rank = shape(ir, result).len();
        // Parts would have to be gathered, where not all devices may come.
        let layout = match self.inside {
            Some(_) => Layout::default(),
            None => (self.meshes)
                .layout(&text.unwrap_or_default(), rank)
                .map_err(|message| (loc, message))?,
        };
        let value = self.as_parts(ir, op, operand, &layout)?;
        self.replace(ir, result, value, layout);
        ir.erase_op(op);
        Ok(())
    }

    /// Does an operation on single elements on parts. Returns no if it is none, or its operands have different parts.
    fn on_parts(&mut self, ir: &mut Ir, op: Op) -> Result<bool, Refused> {
        let operands = ir.operands(op).to_vec();
        let [result] = *ir.results(op) else {
            return Ok(false);
        };
        let is_elementwise =
            scalar::rows().any(|def| ir.is(op, def)) || ir.is(op, &elementwise::CONVERT);
        if !is_elementwise {
            return Ok(false);
        }
        let known = operands
            .iter()
            .filter_map(|operand| self.parts.get(operand));
        let layouts: Vec<Layout> = known.map(|part| part.1.clone()).collect();
        let Some(layout) = layouts.first().cloned() else {
            return Ok(false);
        };
        // Of parts to add, only sums are sums of what is computed of parts.
        let is_sum = [
            &elementwise::ADD,
            &elementwise::SUBTRACT,
            &elementwise::NEGATE,
        ];
        if layout.unreduced.is_some() && !is_sum.iter().any(|def| ir.is(op, def)) {
            return Ok(false);
        }
        let is_same = layouts.iter().all(|other| *other == layout);
        let shape_of_result = shape(ir, result);
        let fits = operands.iter().all(|operand| {
            self.parts.contains_key(operand) || shape(ir, *operand) == shape_of_result
        });
        let (true, true, Ok(ty)) = (
            is_same,
            fits,
            local_type(&self.context, ir.value_type(result), &layout),
        ) else {
            return Ok(false);
        };
        for (at, operand) in operands.into_iter().enumerate() {
            let value = self.as_parts(ir, op, operand, &layout)?;
            ir.set_operand(op, at, value);
        }
        ir.set_value_type(result, ty);
        self.parts.insert(result, (result, layout));
        Ok(true)
    }

    /// Does an operation and its regions on whole tensors.
    fn on_whole(&mut self, ir: &mut Ir, op: Op) -> Result<(), Refused> {
        for at in 0..ir.operands(op).len() {
            let operand = ir.operand(op, at);
            if self.parts.contains_key(&operand) {
                let value = self.gathered(ir, op, operand)?;
                ir.set_operand(op, at, value);
            }
        }
        if is_host_call(ir, op) && self.inside.is_none() {
            return self.once(ir, op);
        }
        for region in ir.regions(op).to_vec() {
            for block in ir.blocks_in(region).collect::<Vec<_>>() {
                self.block(ir, block)?;
            }
        }
        Ok(())
    }

    /// Lets the first device call the host, and all have the results.
    fn once(&mut self, ir: &mut Ir, op: Op) -> Result<(), Refused> {
        let context = Arc::clone(&self.context);
        let number = ir.attr(op, Name::BACKEND_CONFIG);
        let number = number.and_then(|attr| context.attr_string(attr)?.parse::<i64>().ok());
        let refused = || (ir.loc(op), "its 'backend_config' is no number".to_owned());
        let number = number.ok_or_else(refused)? | ONCE;
        ir.set_attr(
            op,
            Name::BACKEND_CONFIG,
            context.string_attr(&number.to_string()),
        );
        let devices: Vec<usize> = (0..self.n_devices).collect();
        let group = self.groups(&devices, self.n_devices);
        for result in ir.results(op).to_vec() {
            let ty = ir.value_type(result);
            if is_token(&context, ty) {
                continue;
            }
            let mut b = Builder::after(ir, op);
            let spec = b.spec(&communication::COLLECTIVE_BROADCAST).results(&[ty]);
            let spec = spec.operands(&[result]).attr(Name::REPLICA_GROUPS, group);
            let spec = among_partitions(&context, spec);
            let broadcast = b.create(spec);
            let everywhere = ir.result(broadcast, 0);
            ir.replace_uses_if(result, everywhere, |_, used| used.op != broadcast);
        }
        Ok(())
    }

    /// Groups of `n_each` devices as an attribute.
    fn groups(&self, devices: &[usize], n_each: usize) -> Attr {
        let numbers = devices
            .iter()
            .flat_map(|&device| (device as i64).to_le_bytes());
        let numbers: Vec<u8> = numbers.collect();
        let shape = [(devices.len() / n_each) as i64, n_each as i64];
        self.context
            .intern_attr(AttrKind::DenseElements(DenseElements {
                ty: tensor_type(&self.context, &shape, Type::I64),
                splat: false,
                bytes: numbers.into(),
            }))
    }

    /// A tensor as the parts that a layout says, for a user.
    fn as_parts(
        &mut self,
        ir: &mut Ir,
        user: Op,
        value: Value,
        layout: &Layout,
    ) -> Result<Value, Refused> {
        let known = self.parts.get(&value).cloned();
        let (mut part, own) = known.unwrap_or_else(|| {
            let dims = vec![None; layout.dims.len()];
            let unreduced = None;
            (value, Layout { dims, unreduced })
        });
        if own == *layout || !is_divided(&own) && !is_divided(layout) {
            return Ok(part);
        }
        let is_new = own.unreduced != layout.unreduced;
        if own.dims != layout.dims {
            let whole = self.gathered(ir, user, value)?;
            part = match layout.dims.iter().any(Option::is_some) {
                true => self.cut(ir, user, whole, &layout.dims)?,
                false => whole,
            };
        } else if let Some(unreduced) = own.unreduced.as_ref().filter(|_| is_new) {
            part = self.added(ir, user, part, &own, unreduced);
        }
        match &layout.unreduced {
            Some(unreduced) if is_new || own.dims != layout.dims => {
                self.first_of(ir, user, part, unreduced)
            }
            _ => Ok(part),
        }
    }

    /// The part of a whole tensor that this device has.
    fn cut(
        &mut self,
        ir: &mut Ir,
        user: Op,
        value: Value,
        dims: &[Option<Parts>],
    ) -> Result<Value, Refused> {
        let loc = ir.loc(user);
        let layout = Layout {
            dims: dims.to_vec(),
            unreduced: None,
        };
        let ty = local_type(&self.context, ir.value_type(value), &layout)
            .map_err(|message| (loc, message))?;
        let sizes = self.context.shape(ty).unwrap_or_default().to_vec();
        let context = Arc::clone(&self.context);
        let mut b = Builder::before(ir, user);
        let mut operands = vec![value];
        for (parts, &size) in dims.iter().zip(&sizes) {
            let starts: Vec<i64> = match parts {
                Some(Parts { of, .. }) => of.iter().map(|&part| part as i64 * size).collect(),
                None => vec![0; self.n_devices],
            };
            operands.push(own_of(&mut b, &starts));
        }
        let sizes = context.i64_array_attr(&sizes);
        Ok(b.value_with_attr(
            &shapes::DYNAMIC_SLICE,
            &operands,
            ty,
            Name::SLICE_SIZES,
            sizes,
        ))
    }

    /// A whole tensor as one of several to add: the first device has it, and all others zeros.
    fn first_of(
        &mut self,
        ir: &mut Ir,
        user: Op,
        value: Value,
        unreduced: &Parts,
    ) -> Result<Value, Refused> {
        let loc = ir.loc(user);
        let context = Arc::clone(&self.context);
        let (sizes, ty) = (shape(ir, value), ir.value_type(value));
        let mut b = Builder::before(ir, user);
        let is_other = unreduced.of.iter().map(|&part| i64::from(part > 0));
        let is_other = own_of(&mut b, &is_other.collect::<Vec<_>>());
        let is_other = b.value(
            &elementwise::CONVERT,
            &[is_other],
            tensor_type(&context, &[], Type::I1),
        );
        let zeros = zeros(&mut b, &sizes, context.element_type_or_self(ty));
        let zeros = zeros.map_err(|refused| (loc, refused.0))?;
        Ok(b.value(&elementwise::SELECT, &[is_other, zeros, value], ty))
    }

    /// The sum of what devices have.
    fn added(
        &mut self,
        ir: &mut Ir,
        user: Op,
        part: Value,
        layout: &Layout,
        unreduced: &Parts,
    ) -> Value {
        let context = Arc::clone(&self.context);
        let groups = self.groups_along(&layout.dims, None, unreduced);
        let groups = self.groups(&groups, unreduced.n);
        let mut b = Builder::before(ir, user);
        let ty = b.ir.value_type(part);
        let spec = b
            .spec(&communication::ALL_REDUCE)
            .operands(&[part])
            .results(&[ty])
            .attr(Name::REPLICA_GROUPS, groups)
            .regions(1);
        let op = b.create(among_devices(&context, spec));
        let region = b.ir.region(op, 0);
        let scalar = tensor_type(&context, &[], context.element_type_or_self(ty));
        let block = b.ir.append_block(region, &[scalar, scalar]);
        let arguments = b.ir.block_args(block).to_vec();
        let mut inner = Builder::at_end(b.ir, block);
        let sum = inner.value(&elementwise::ADD, &arguments, scalar);
        let end = inner.spec(&regions::RETURN).operands(&[sum]);
        inner.create(end);
        ir.result(op, 0)
    }

    /// All of a tensor that is divided.
    fn gathered(&mut self, ir: &mut Ir, user: Op, value: Value) -> Result<Value, Refused> {
        let Some((part, layout)) = self.parts.get(&value).cloned() else {
            return Ok(value);
        };
        let block = ir.block_of(user);
        if let Some(&whole) = block.and_then(|block| self.whole.get(&(value, block))) {
            return Ok(whole);
        }
        let context = Arc::clone(&self.context);
        let mut whole = match &layout.unreduced {
            Some(unreduced) => self.added(ir, user, part, &layout, unreduced),
            None => part,
        };
        let mut b = Builder::before(ir, user);
        for (dim, parts) in layout.dims.iter().enumerate() {
            let Some(parts) = parts else { continue };
            let groups = self.groups_along(&layout.dims, Some(dim), parts);
            let mut sizes = shape(b.ir, whole);
            sizes[dim] *= parts.n as i64;
            let ty = tensor_type(&context, &sizes, element(b.ir, whole));
            let groups = self.groups(&groups, parts.n);
            let spec = b
                .spec(&communication::ALL_GATHER)
                .operands(&[whole])
                .results(&[ty])
                .attr(Name::ALL_GATHER_DIM, context.i64_attr(dim as i64))
                .attr(Name::REPLICA_GROUPS, groups);
            let op = b.create(among_devices(&context, spec));
            whole = b.ir.result(op, 0);
        }
        if let Some(block) = block {
            self.whole.insert((value, block), whole);
        }
        Ok(whole)
    }

    /// Groups of devices that have all parts of a dimension, or all parts to add, one each, in order, and the same parts of
    /// all other dimensions.
    fn groups_along(
        &self,
        dims: &[Option<Parts>],
        dim: Option<usize>,
        parts: &Parts,
    ) -> Vec<usize> {
        let others = |device: usize| -> Vec<usize> {
            let inside = self.inside.iter().map(|places| places[device]);
            let others = dims.iter().enumerate().filter(|&(at, _)| Some(at) != dim);
            let others =
                others.map(|(_, parts)| parts.as_ref().map_or(0, |parts| parts.of[device]));
            inside.chain(others).collect()
        };
        let mut by_part: Vec<(Vec<usize>, usize, usize)> = (0..self.n_devices)
            .map(|device| (others(device), parts.of[device], device))
            .collect();
        by_part.sort();
        let mut groups = Vec::new();
        // Devices with the same parts of the other dimensions, those with one part behind those with the one before.
        for class in by_part.chunk_by(|a, b| a.0 == b.0) {
            let n_each = class.len() / parts.n;
            for copy in 0..n_each {
                groups.extend((0..parts.n).map(|part| class[part * n_each + copy].2));
            }
        }
        groups
    }
}
