//! What a call of a compiled function takes from Rust, its checks included: `cargo bench --bench calls`. The same from
//! Python is `python/tests/overhead.py`.

mod support;

use std::hint::black_box;
use std::time::Instant;

use freehold::backend::jit::{Argument, Buffer};
use freehold::{Module, Options};
use support::{row, table};

const PROGRAM: &str = "
func.func @three(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0] : tensor<4xf32>
  return %x : f32
}
func.func @sum(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %x = arith.addf %a, %b : tensor<4xf32>
  %y = arith.addf %x, %c : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @sum_of_any(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %x = arith.addf %a, %b : tensor<?xf32>
  %y = arith.addf %x, %c : tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @nothing() {
  return
}";

/// Prints the least time of a call in nine rounds.
fn time(name: &str, mut call: impl FnMut()) {
    const CALLS: u32 = 50_000;
    let round = |_| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed()
    };
    let least = (0..9).map(round).min().unwrap_or_default();
    row(&[
        name.to_owned(),
        format!("{} ns", (least / CALLS).as_nanos()),
    ]);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let jit = Module::parse(PROGRAM)?.compile(&Options::default())?;
    let data = [1f32; 4];
    table(&["call", "least time"]);
    let three = jit.get::<(&[f32], &[f32], &[f32]), f32>("three")?;
    time("three arrays", || {
        black_box(three.call((&data, &data, &data)).is_ok());
    });
    let buffer = Buffer::read_only(&data, &[4]);
    let arguments = [&buffer; 3].map(Argument::MemRef);
    time("three arrays, types known at run time", || {
        black_box(jit.call("three", &arguments).is_ok());
    });
    let sum = jit.get::<(&[f32], &[f32], &[f32]), Vec<f32>>("sum")?;
    time("three arrays, a new one as result", || {
        black_box(sum.call((&data, &data, &data)).is_ok());
    });
    // The same in turns, so that the difference is what the checks of two preconditions take.
    let unchecked = Module::parse(PROGRAM)?.compile(&Options {
        no_size_checks: true,
        ..Options::default()
    })?;
    for (name, jit) in [("checked", &jit), ("not checked", &unchecked)] {
        let sum = jit.get::<(&[f32], &[f32], &[f32]), Vec<f32>>("sum_of_any")?;
        time(&format!("the same of any size, sizes {name}"), || {
            black_box(sum.call((&data, &data, &data)).is_ok());
        });
    }
    let nothing = jit.get::<(), ()>("nothing")?;
    time("nothing", || {
        black_box(nothing.call(()).is_ok());
    });
    Ok(())
}
