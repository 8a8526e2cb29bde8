//! What a program costs, read off its text: operations on floats, and bytes that its operations read and write.

use freehold::frontend::dialects::stablehlo::attributes::{ConvolutionDimensions, DotDimensions};
use freehold::frontend::dialects::stablehlo::{elementwise, products, reductions};
use freehold::frontend::ir::data::Ir;
use freehold::frontend::ir::entities::{Op, Value};
use freehold::frontend::ir::names::Name;
use freehold::frontend::ir::op_def::OpDef;

/// Elementary functions, which callers count apart.
const TRANSCENDENTALS: &[&OpDef] = &[
    &elementwise::CBRT,
    &elementwise::COSINE,
    &elementwise::EXPONENTIAL,
    &elementwise::EXPONENTIAL_MINUS_ONE,
    &elementwise::LOG,
    &elementwise::LOG_PLUS_ONE,
    &elementwise::LOGISTIC,
    &elementwise::POWER,
    &elementwise::RSQRT,
    &elementwise::SINE,
    &elementwise::SQRT,
    &elementwise::TAN,
    &elementwise::TANH,
];

/// One operation per element of the result.
const ARITHMETIC: &[&OpDef] = &[
    &elementwise::ABS,
    &elementwise::ADD,
    &elementwise::ATAN2,
    &elementwise::CEIL,
    &elementwise::CLAMP,
    &elementwise::COMPARE,
    &elementwise::DIVIDE,
    &elementwise::FLOOR,
    &elementwise::MAXIMUM,
    &elementwise::MINIMUM,
    &elementwise::MULTIPLY,
    &elementwise::NEGATE,
    &elementwise::REMAINDER,
    &elementwise::SELECT,
    &elementwise::SIGN,
    &elementwise::SUBTRACT,
];

/// The costs of a program. Bodies of loops count once, as their trip counts are not known.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Costs {
    flops: f64,
    transcendentals: f64,
    bytes: f64,
}

impl Costs {
    /// The costs of all functions of a module.
    pub(crate) fn of(module: &Ir) -> Self {
        let mut costs = Self::default();
        let stubs = module
            .root_block()
            .into_iter()
            .flat_map(|block| module.ops_in(block));
        for function in stubs.filter_map(|stub| module.nested(stub)) {
            for op in function.collect_ops(function.root()) {
                costs.add(function, op);
            }
        }
        costs
    }

    /// Under the names that XLA has for them.
    pub(crate) fn values(self) -> Vec<(&'static str, f64)> {
        vec![
            ("flops", self.flops),
            ("transcendentals", self.transcendentals),
            ("bytes accessed", self.bytes),
        ]
    }

    fn add(&mut self, ir: &Ir, op: Op) {
        let is_one_of = |rows: &[&'static OpDef]| rows.iter().any(|row| ir.is(op, row));
        let Some(&result) = ir.results(op).first() else {
            return;
        };
        let n = count(ir, result);
        if is_one_of(TRANSCENDENTALS) {
            self.transcendentals += n;
        } else if is_one_of(ARITHMETIC) {
            self.flops += n;
        } else if is_one_of(&[&products::DOT, &products::DOT_GENERAL]) {
            self.flops += 2.0 * n * summed(ir, op);
        } else if is_one_of(&[&products::CONVOLUTION]) {
            self.flops += 2.0 * n * met(ir, op);
        } else if is_one_of(&[&reductions::REDUCE]) {
            self.flops += (count(ir, ir.operand(op, 0)) - n).max(0.0);
        } else if is_one_of(&[&elementwise::CONSTANT]) {
            return;
        }
        let values = ir.operands(op).iter().chain(ir.results(op));
        self.bytes += values.map(|&value| size(ir, value)).sum::<f64>();
    }
}

/// How many products each element of a contraction adds.
fn summed(ir: &Ir, op: Op) -> f64 {
    let context = ir.context();
    let shape = context
        .shape(ir.value_type(ir.operand(op, 0)))
        .unwrap_or_default();
    let attr = ir.attr(op, Name::DOT_DIMENSION_NUMBERS);
    match attr.and_then(|attr| DotDimensions::from_attr(context, attr)) {
        Some(dims) => {
            let sizes = dims.lhs_contracting_dimensions.iter();
            let sizes = sizes.filter_map(|&dim| shape.get(dim as usize));
            sizes.map(|&n| n as f64).product()
        }
        None => shape.last().map_or(1.0, |&n| n as f64),
    }
}

/// The elements of a kernel that each element of a convolution meets: all but those of other features.
fn met(ir: &Ir, op: Op) -> f64 {
    let context = ir.context();
    let kernel = ir.operand(op, 1);
    let shape = context.shape(ir.value_type(kernel)).unwrap_or_default();
    let attr = ir.attr(op, Name::DIMENSION_NUMBERS);
    let dims = attr.and_then(|attr| ConvolutionDimensions::from_attr(context, attr));
    let features = dims.and_then(|dims| shape.get(dims.kernel.second as usize).copied());
    count(ir, kernel) / features.unwrap_or(1).max(1) as f64
}

fn count(ir: &Ir, value: Value) -> f64 {
    let shape = ir.context().shape(ir.value_type(value));
    let sizes = shape.into_iter().flatten();
    sizes.map(|&n| n.max(1) as f64).product()
}

fn size(ir: &Ir, value: Value) -> f64 {
    let context = ir.context();
    let element = context.element_type_or_self(ir.value_type(value));
    count(ir, value) * context.element_byte_size(element).unwrap_or(0) as f64
}
