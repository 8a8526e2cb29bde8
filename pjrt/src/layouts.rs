//! Layouts in the hands of callers, by the extension of the interface that is about them. All arrays are in rows.
//!
//! Without it, JAX makes HLO of each program to see in which order dimensions of its results are, and takes that of a
//! transposition for another one.

use std::sync::{Mutex, PoisonError};

use crate::abi::{
    Handle, LayoutOfBuffer, LayoutOfClient, LayoutOfTopology, LayoutOnly, LayoutSerialize,
    LayoutsOfExecutable, Text,
};
use crate::status::Status;

/// A layout.
pub(crate) struct Layout {
    /// In the words of HLO: dimensions, the innermost first.
    text: String,
}

impl Layout {
    /// Rows of this rank. They stay, one for each rank that is asked for.
    pub(crate) fn rows(rank: usize) -> Handle<Self> {
        static BY_RANK: Mutex<Vec<&'static Layout>> = Mutex::new(Vec::new());
        let mut by_rank = BY_RANK.lock().unwrap_or_else(PoisonError::into_inner);
        for rank in by_rank.len()..=rank {
            let dims: Vec<_> = (0..rank).rev().map(|dim| dim.to_string()).collect();
            let text = format!("{{{}}}", dims.join(","));
            by_rank.push(Box::leak(Box::new(Self { text })));
        }
        Handle::to(by_rank[rank])
    }
}

/// Layouts stay.
pub(crate) fn destroy(_: &mut LayoutOnly) -> Result<(), Status> {
    Ok(())
}

/// Text that a layout has does not go either.
///
/// # Safety
/// Nothing is done.
unsafe extern "C" fn keep(_: Handle<Layout>) {}

pub(crate) fn serialize(args: &mut LayoutSerialize) -> Result<(), Status> {
    args.text = Text::new(&args.layout.expect("layout")?.text);
    args.kept = args.layout;
    args.deleter = Some(keep);
    Ok(())
}

pub(crate) fn of_client(args: &mut LayoutOfClient) -> Result<(), Status> {
    args.layout = Layout::rows(args.dims.get().len());
    Ok(())
}

pub(crate) fn of_buffer(args: &mut LayoutOfBuffer) -> Result<(), Status> {
    args.layout = Layout::rows(args.buffer.expect("buffer")?.dims.len());
    Ok(())
}

pub(crate) fn of_topology(args: &mut LayoutOfTopology) -> Result<(), Status> {
    args.layout = Layout::rows(args.dims.get().len());
    Ok(())
}

pub(crate) fn of_outputs(args: &mut LayoutsOfExecutable) -> Result<(), Status> {
    let layouts = &args.executable.expect("program")?.output_layouts;
    (args.number, args.layouts) = (layouts.len(), layouts.as_ptr());
    Ok(())
}

pub(crate) fn of_arguments(args: &mut LayoutsOfExecutable) -> Result<(), Status> {
    let layouts = &args.executable.expect("program")?.argument_layouts;
    (args.number, args.layouts) = (layouts.len(), layouts.as_ptr());
    Ok(())
}
