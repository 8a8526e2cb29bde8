//! Runs a StableHLO program on a PJRT plugin, as `pjrt.c` does in C: `cargo run -- PLUGIN PROGRAM [NUMBER...]`.
//!
//! The program is text, bytecode or an artifact of `jax.export`. Its function `@main` takes one vector of f32, the numbers,
//! and returns tensors, which are printed.

use std::env;
use std::error::Error;
use std::fs;

use pjrt::{Client, HostBuffer, LoadedExecutable, Program, ProgramFormat};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(plugin), Some(program)) = (arguments.next(), arguments.next()) else {
        return Err("usage: pjrt-client PLUGIN PROGRAM [NUMBER...]".into());
    };
    let numbers = arguments.map(|number| number.parse::<f32>());
    let numbers: Vec<f32> = numbers.collect::<Result<_, _>>()?;

    let api = pjrt::plugin(&plugin).load()?;
    let client = Client::builder(&api).build()?;
    eprintln!("{}, {}", client.platform_name(), client.platform_version());

    let program = Program::new(ProgramFormat::MLIR, fs::read(program)?);
    let program = LoadedExecutable::builder(&client, &program).build()?;
    let n = numbers.len() as i64;
    let host = HostBuffer::builder().data(numbers).dims(vec![n]).build();
    let argument = host.copy_to_sync(&client)?;
    for result in &program.execution(argument).run_sync()?[0] {
        match result.copy_to_host_sync()? {
            HostBuffer::F32(elements) => println!("{:?}", elements.data()),
            other => println!("{other:?}"),
        }
    }
    Ok(())
}
