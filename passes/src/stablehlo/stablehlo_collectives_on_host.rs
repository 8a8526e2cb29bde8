//! `stablehlo-collectives-on-host`: devices that are threads of one process exchange parts of tensors by calls of
//! `freehold.host`.
//!
//! Before, in a program for two devices:
//! ```mlir
//! %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
//!   : (tensor<3xf32>) -> tensor<6xf32>
//! ```
//! After:
//! ```mlir
//! %table = stablehlo.constant dense<[0, 2, 12, 24, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1]> : tensor<16xi64>
//! %1 = stablehlo.custom_call @freehold.host(%x, %table) {backend_config = "-1", has_side_effect = true}
//!   : (tensor<3xf32>, tensor<16xi64>) -> tensor<2x3xf32>
//! %0 = stablehlo.reshape %1 : (tensor<2x3xf32>) -> tensor<6xf32>
//! ```
//!
//! All collectives are one exchange of blocks of bytes, with arithmetic on each device. The table has the number of the
//! exchange, the entries per device, the bytes of a block and of the result; then for each device its entries: the
//! device that a block comes from (-1: no entry), which of its blocks, and which block of the result. What has no entry
//! is zero. Groups add up in their own order, so all members have the same bits.

use std::cell::Cell;

use freehold_frontend::dialects::stablehlo::regions;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Signedness, TypeKind};

use super::build::{element, tensor_type};
use super::collectives::{self, Devices, Exchange, Transport, constant, element_bytes};
use super::platform;
use super::stablehlo_call_host::TARGET;
use super::stablehlo_legalize_to_linalg::Unsupported;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "stablehlo-collectives-on-host",
    summary: "turn collectives into exchanges between threads of the process",
    anchor: Anchor::Module,
    run,
};

/// The number of the host's function that exchanges blocks.
pub const EXCHANGE: i64 = -1;
/// The number of the one that writes which device this is.
pub const OWN_NUMBER: i64 = -2;

/// Threads of one process.
struct Threads {
    /// How many exchanges there are so far.
    n_exchanges: Cell<i64>,
}

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let [replicas, partitions] = platform::device_counts(ir);
    let threads = Threads {
        n_exchanges: Cell::new(0),
    };
    let devices = Devices {
        replicas,
        partitions,
        transport: &threads,
    };
    if devices.n() < 2 {
        return Ok(());
    }
    let refused = match replicas > 1 && partitions > 1 {
        true => Some("programs with several replicas of several partitions are not supported"),
        false => (devices.n() > platform::MAX_DEVICES).then_some("these are too many devices"),
    };
    if let Some(message) = refused {
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    }
    for stub in functions::functions(ir) {
        let mut function = ir.take_nested(stub);
        let outcome = collectives::lower(&mut function, &devices, &mut context.diagnostics);
        ir.put_nested(stub, function);
        outcome?;
    }
    platform::set_devices(ir, [1, 1]);
    Ok(())
}

impl Transport for Threads {
    fn exchange(&self, b: &mut Builder<'_>, exchange: &Exchange) -> Result<Value, Unsupported> {
        let context = b.context();
        let &Exchange {
            value,
            ref result,
            n_blocks,
            ref entries,
        } = exchange;
        let ty = tensor_type(&context, result, element(b.ir, value));
        let n_elements = result.iter().product::<i64>() as usize;
        let bytes = n_elements * element_bytes(b, element(b.ir, value))?;
        let n_entries = entries.iter().map(Vec::len).max().unwrap_or(0);
        let number = self.n_exchanges.get();
        self.n_exchanges.set(number + 1);
        let mut table = vec![
            number,
            n_entries as i64,
            (bytes / n_blocks.max(1)) as i64,
            bytes as i64,
        ];
        for own in entries {
            let mut own: Vec<[i64; 3]> = (own.iter())
                .map(|entry| [entry.from, entry.source, entry.target].map(|n| n as i64))
                .collect();
            own.resize(n_entries, [-1, 0, 0]);
            table.extend(own.as_flattened());
        }
        let table = constant(b, &[table.len() as i64], &table);
        let spec = b
            .spec(&regions::CUSTOM_CALL)
            .operands(&[value, table])
            .results(&[ty]);
        Ok(host_call(b, spec, EXCHANGE))
    }

    fn own_number(&self, b: &mut Builder<'_>) -> Value {
        let context = b.context();
        let number = context.intern_type(TypeKind::Integer {
            width: 32,
            signedness: Signedness::Unsigned,
        });
        let spec = b.spec(&regions::CUSTOM_CALL);
        let spec = spec.results(&[tensor_type(&context, &[], number)]);
        host_call(b, spec, OWN_NUMBER)
    }
}

fn host_call(b: &mut Builder<'_>, spec: freehold_frontend::ir::edit::OpSpec, number: i64) -> Value {
    let context = b.context();
    let spec = spec
        .attr(Name::CALL_TARGET_NAME, context.string_attr(TARGET))
        .attr(
            Name::BACKEND_CONFIG,
            context.string_attr(&number.to_string()),
        )
        .attr(Name::HAS_SIDE_EFFECT, Attr::TRUE);
    let op = b.create(spec);
    b.ir.result(op, 0)
}
