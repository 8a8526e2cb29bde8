//! What `sdy` says of devices and tensors: which part of each dimension a device has.

use std::sync::Arc;

use freehold_frontend::dialects::sdy;
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use rustc_hash::FxHashMap;

/// Devices in rows along named axes.
pub(super) struct Mesh {
    axes: Vec<(String, usize)>,
    /// The device at each place.
    devices: Vec<usize>,
}

/// The parts of a dimension: their number, and the one of each device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    pub(super) n: usize,
    pub(super) of: Arc<[usize]>,
}

/// What each device has of a tensor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Layout {
    /// The parts of each dimension; `None` where every device has all of it.
    pub(super) dims: Vec<Option<Parts>>,
    /// Where devices have parts to add, whatever the dimensions, which of these they have.
    pub(super) unreduced: Option<Parts>,
}

/// The meshes of a program by their names.
pub(super) struct Meshes {
    by_name: FxHashMap<String, Mesh>,
    n_devices: usize,
}

impl Meshes {
    pub(super) fn of(ir: &Ir, n_devices: usize) -> Result<Self, String> {
        let context = ir.context();
        let mut by_name = FxHashMap::default();
        for op in ir
            .root_block()
            .into_iter()
            .flat_map(|block| ir.ops_in(block))
        {
            if !ir.is(op, &sdy::MESH) {
                continue;
            }
            let name = ir.symbol_name(op).unwrap_or_default().to_owned();
            let mesh = ir.attrs(op);
            let mesh = context.dict_get(mesh, context.intern_name("mesh"));
            let mesh = mesh.and_then(|attr| Mesh::read(text_of(context, attr)?, n_devices));
            let mesh =
                mesh.ok_or_else(|| format!("the mesh '{name}' is not one of all devices"))?;
            by_name.insert(name, mesh);
        }
        Ok(Self { by_name, n_devices })
    }

    /// The layout that a sharding is, for a tensor of this rank.
    pub(super) fn layout(&self, text: &str, rank: usize) -> Result<Layout, String> {
        self.layout_along(text, rank, |_| true)
    }

    /// The same, as far as it is about certain axes.
    pub(super) fn layout_along(
        &self,
        text: &str,
        rank: usize,
        counts: impl Fn(&str) -> bool,
    ) -> Result<Layout, String> {
        let unclear = || format!("nothing is known of the sharding '{text}'");
        let mut words = Words { rest: text };
        words.skip("sharding");
        words.take("<").ok_or_else(unclear)?;
        words.take("@").ok_or_else(unclear)?;
        let name = words.until(',').ok_or_else(unclear)?;
        words.take(",").ok_or_else(unclear)?;
        words.take("[").ok_or_else(unclear)?;
        let mesh = self.by_name.get(name.trim()).ok_or_else(unclear)?;
        let mut dims = Vec::new();
        while words.take("]").is_none() {
            words.take("{").ok_or_else(unclear)?;
            let axes = words.until('}').ok_or_else(unclear)?;
            words.take("}").ok_or_else(unclear)?;
            // A priority says nothing about where parts are.
            let priority = words.rest.find([',', ']']).ok_or_else(unclear)?;
            words.rest = &words.rest[priority..];
            words.take(",");
            dims.push(self.parts(mesh, axes, &counts)?);
        }
        if dims.len() != rank {
            return Err(unclear());
        }
        let unreduced = match words.rest.split_once("unreduced=") {
            Some((_, rest)) => {
                words.rest = rest;
                words.take("{").ok_or_else(unclear)?;
                let axes = words.until('}').ok_or_else(unclear)?;
                self.parts(mesh, axes, &counts)?
            }
            None => None,
        };
        Ok(Layout { dims, unreduced })
    }

    fn parts(
        &self,
        mesh: &Mesh,
        axes: &str,
        counts: impl Fn(&str) -> bool,
    ) -> Result<Option<Parts>, String> {
        let mut n = 1;
        let mut of = vec![0; self.n_devices];
        for axis in axes.split(',').map(str::trim) {
            if axis.is_empty() || axis == "?" {
                continue;
            }
            if axis.contains("\":") {
                return Err(format!("parts of axes of meshes are not supported: {axis}"));
            }
            let axis = axis.trim_matches('"');
            if !counts(axis) {
                continue;
            }
            let at = mesh.axes.iter().position(|(name, _)| name == axis);
            let at = at.ok_or_else(|| format!("the mesh has no axis '{axis}'"))?;
            let size = mesh.axes[at].1;
            let inner: usize = mesh.axes[at + 1..].iter().map(|axis| axis.1).product();
            for (place, &device) in mesh.devices.iter().enumerate() {
                of[device] = of[device] * size + place / inner % size;
            }
            n *= size;
        }
        Ok((n > 1).then(|| Parts { n, of: of.into() }))
    }

    /// Where each device is along certain axes, in the mesh that `shardings` are about.
    pub(super) fn places(&self, shardings: &str, counts: impl Fn(&str) -> bool) -> Vec<usize> {
        let name = shardings.split('@').nth(1);
        let name = name.and_then(|rest| rest.split(',').next());
        let Some(mesh) = name.and_then(|name| self.by_name.get(name.trim())) else {
            return vec![0; self.n_devices];
        };
        let axes = mesh.axes.iter().map(|axis| format!("\"{}\"", axis.0));
        let axes: Vec<String> = axes.collect();
        let parts = self.parts(mesh, &axes.join(","), counts);
        match parts {
            Ok(Some(parts)) => parts.of.to_vec(),
            _ => vec![0; self.n_devices],
        }
    }
}

impl Mesh {
    /// Reads `mesh<["x"=2, "y"=4], device_ids=[...]>`.
    fn read(text: &str, n_devices: usize) -> Option<Self> {
        let mut words = Words { rest: text };
        words.take("mesh")?;
        words.take("<")?;
        words.take("[")?;
        let mut axes = Vec::new();
        for axis in words.until(']')?.split(',').map(str::trim) {
            if axis.is_empty() {
                continue;
            }
            let (name, size) = axis.rsplit_once('=')?;
            axes.push((name.trim_matches('"').to_owned(), size.parse().ok()?));
        }
        words.take("]")?;
        let n: usize = axes.iter().map(|axis| axis.1).product();
        let devices: Vec<usize> = match words.take(",") {
            Some(()) => {
                words.take("device_ids")?;
                words.take("=")?;
                words.take("[")?;
                let ids = words.until(']')?.split(',').map(|id| id.trim().parse());
                ids.collect::<Result<_, _>>().ok()?
            }
            None => (0..n).collect(),
        };
        // Without axes it is one device that has everything, or a way to say that all have.
        if axes.is_empty() {
            return Some(Self {
                axes,
                devices: Vec::new(),
            });
        }
        let is_whole = n == n_devices && devices.len() == n && devices.iter().all(|&id| id < n);
        is_whole.then_some(Self { axes, devices })
    }
}

/// A text that is read.
struct Words<'t> {
    rest: &'t str,
}

impl<'t> Words<'t> {
    fn take(&mut self, word: &str) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(word)?;
        Some(())
    }

    fn skip(&mut self, word: &str) {
        let _ = self.take(word);
    }

    fn until(&mut self, end: char) -> Option<&'t str> {
        let (before, _) = self.rest.split_once(end)?;
        self.rest = &self.rest[before.len()..];
        Some(before)
    }
}

/// The names in `manual_axes{"x", "y"}`.
pub(super) fn axes_of(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// The text of an attribute of `sdy`.
pub(super) fn text_of(context: &Context, attr: Attr) -> Option<&str> {
    match context.attr_kind(attr) {
        AttrKind::Dialect { dialect, body, .. } if context.name(*dialect) == "sdy" => Some(body),
        _ => None,
    }
}

/// The shardings in `sharding_per_value<[<...>, <...>]>`.
pub(super) fn per_value(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0, 0);
    // The first bracket is around all.
    let Some(inner) = text.find('[') else {
        return found;
    };
    for (at, letter) in text[inner + 1..].char_indices() {
        let at = inner + 1 + at;
        match letter {
            '<' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            '>' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    found.push(&text[start..=at]);
                }
            }
            _ => {}
        }
    }
    found
}
