//! From StableHLO and CHLO to linalg, tensor, scf, arith and math. Nothing behind these passes knows
//! where a program came from.

use crate::rewrite::{formula, scalars as emit, tensors as build};

mod batch_norm;
mod body;
pub mod chlo_legalize_to_stablehlo;
mod collectives;
mod control;
pub mod drop_shardings;
mod elements;
mod factorizations;
mod functions;
mod indexing;
mod lapack;
mod loops;
mod moves;
mod padding;
pub mod platform;
mod products;
mod quantized;
mod ragged;
mod random;
mod reductions;
mod requirements;
mod scalar;
mod searches;
mod sorting;
mod special;
pub mod stablehlo_call_host;
pub mod stablehlo_canonicalize;
pub mod stablehlo_collectives_on_host;
pub mod stablehlo_collectives_to_mpi;
pub mod stablehlo_drop_bounds;
pub mod stablehlo_legalize_called_computations;
pub mod stablehlo_legalize_quant_to_math;
pub mod stablehlo_legalize_to_linalg;
pub mod stablehlo_partition;
pub mod stablehlo_select_masked_products;
mod transforms;
pub mod vhlo;
