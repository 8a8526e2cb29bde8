//! Results under policies that let floats round in other ways.
//!
//! The interpreter runs a program several times, with every result of a floating-point operation moved by as much as a
//! policy permits, at random. How far an element of a result moves says how far code may be off there: not at all where
//! everything is exact in any order. Elements that become NaN, infinite or another integer, and programs that fault, are
//! unstable, and nothing is known of them.

use freehold::frontend::ir::context::Context;
use freehold::frontend::ir::data::Ir;
use freehold::frontend::ir::types::{FloatKind, Type, TypeKind};
use freehold_interpret::float::decode;
use freehold_interpret::{Outcome, Passed, Settings, Shape};

/// How often a program is interpreted with noise.
const SAMPLES: u64 = 5;
/// Code may be off by so many times as much as the samples are.
const FACTOR: f64 = 8.0;
/// And by so many units in the last place, where anything is rounded.
const UNITS: f64 = 8.0;

/// What a program may give.
pub(super) struct Tolerance {
    samples: Vec<Vec<Shape>>,
    /// Whether a sample differs anywhere.
    is_rounded: bool,
}

impl Tolerance {
    /// None if the program is unstable.
    pub(super) fn of(
        module: &Ir,
        expected: &Outcome,
        settings: Settings,
        seed: u64,
    ) -> Option<Self> {
        let mut samples = Vec::new();
        for sample in 0..SAMPLES {
            let settings = Settings {
                noise: Some(seed ^ sample),
                ..settings
            };
            let found = freehold_interpret::run(module, "main", &[], settings, &mut Vec::new());
            if found.fault.is_some() || found.results.len() != expected.results.len() {
                return None;
            }
            samples.push(found.results);
        }
        let is_rounded = samples.iter().any(|sample| *sample != expected.results);
        Some(Self {
            samples,
            is_rounded,
        })
    }

    /// How a result differs by more than it may.
    pub(super) fn difference(
        &self,
        context: &Context,
        index: usize,
        expected: &Passed,
        found: &Passed,
    ) -> Option<String> {
        let samples: Vec<&Passed> = (self.samples.iter())
            .filter_map(|sample| match &sample[index] {
                Shape::Value(passed) => Some(passed),
                Shape::Other(_) => None,
            })
            .collect();
        // Sizes that depend on rounding.
        if samples.iter().any(|sample| sample.sizes != expected.sizes) {
            return None;
        }
        if found.sizes != expected.sizes || found.bytes.len() != expected.bytes.len() {
            return Some(format!(
                " has sizes {:?}, not {:?}",
                found.sizes, expected.sizes
            ));
        }
        let n: usize = expected.sizes.iter().map(|&size| size as usize).product();
        if n == 0 {
            return None;
        }
        let parts = match context.type_kind(expected.element) {
            TypeKind::Complex(_) => 2,
            _ => 1,
        };
        let size = expected.bytes.len() / n / parts;
        let is_undefined = |passed: &Passed, at: usize| passed.undefined.get(at) == Some(&true);
        for at in 0..n * parts {
            let is_open = |passed: &Passed| is_undefined(passed, at / parts);
            if is_open(expected) || samples.iter().any(|sample| is_open(sample)) {
                continue;
            }
            let bytes = |passed: &Passed| passed.bytes[at * size..][..size].to_vec();
            let others = samples.iter().copied().map(bytes);
            let (old, new) = (bytes(expected), bytes(found));
            if !self.is_near(context, expected.element, &old, &new, others) {
                let [old, new] = [old, new].map(|bytes| shown(context, expected.element, &bytes));
                return Some(format!(" element {at} is {new}, not near {old}"));
            }
        }
        None
    }

    fn is_near(
        &self,
        context: &Context,
        element: Type,
        old: &[u8],
        new: &[u8],
        mut samples: impl Iterator<Item = Vec<u8>>,
    ) -> bool {
        let Some(kind) = float_kind(context, element) else {
            // What becomes another one when the rest moves is not known.
            return integer(context, element, old) == integer(context, element, new)
                || samples.any(|sample| sample != old);
        };
        let number = |bytes: &[u8]| decode(kind, bits(bytes));
        let (old, new) = (number(old), number(new));
        let same = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
        if same(old, new) {
            return true;
        }
        let mut most = 0f64;
        for sample in samples.map(|bytes| number(&bytes)) {
            if !old.is_finite() || !sample.is_finite() {
                if !same(sample, old) {
                    return true;
                }
                continue;
            }
            most = most.max((sample - old).abs());
        }
        if !old.is_finite() || !self.is_rounded {
            return false;
        }
        (new - old).abs() <= FACTOR * most + UNITS * unit(kind, old)
    }
}

fn float_kind(context: &Context, ty: Type) -> Option<FloatKind> {
    match context.type_kind(ty) {
        TypeKind::Float(kind) => Some(*kind),
        TypeKind::Complex(part) => float_kind(context, *part),
        _ => None,
    }
}

fn bits(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(all)
}

/// The bits of an integer, without those that its type has not.
fn integer(context: &Context, ty: Type, bytes: &[u8]) -> u128 {
    match context.integer_width(ty) {
        Some(width) if width < 128 => bits(bytes) & ((1 << width) - 1),
        _ => bits(bytes),
    }
}

/// What is between a number and the next one.
fn unit(kind: FloatKind, value: f64) -> f64 {
    let (digits, least) = match kind {
        FloatKind::F64 => (52, f64::MIN_POSITIVE),
        FloatKind::F32 => (23, f32::MIN_POSITIVE.into()),
        FloatKind::F16 => (10, 2f64.powi(-14)),
        FloatKind::BF16 => (7, f32::MIN_POSITIVE.into()),
        // Of all smaller ones.
        _ => (2, 2f64.powi(-10)),
    };
    value.abs().max(least) * 2f64.powi(-digits)
}

fn shown(context: &Context, ty: Type, bytes: &[u8]) -> String {
    match float_kind(context, ty) {
        Some(kind) => format!("{:e}", decode(kind, bits(bytes))),
        None => format!("{:#x}", integer(context, ty, bytes)),
    }
}
