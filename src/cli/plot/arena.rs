//! A picture of a plan: time to the right, memory upwards, a box per buffer.

use std::fmt::Write as _;

use freehold_passes::planner::{Instance, Plan};

use super::{Axis, STYLE, axes, escape};

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 600.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

/// Letters as wide as this many pixels fit into a box, about.
const LETTER: f64 = 7.5;
/// Boxes that are lower have no name.
const LINE: f64 = 14.0;

/// Memory for several buffers.
pub(crate) struct Arena {
    /// What stands above it.
    pub(crate) title: String,
    pub(crate) peak: u64,
    pub(crate) lower_bound: u64,
    pub(crate) slots: Vec<Slot>,
}

/// Where a buffer is, and when.
pub(crate) struct Slot {
    /// What stands on it if there is room.
    pub(crate) name: String,
    /// Its name.
    pub(crate) what: String,
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
    /// Starts and ends.
    pub(crate) live: Vec<(i64, i64)>,
}

impl Arena {
    /// A plan. `names` are what buffers are called.
    pub(crate) fn of_plan(instance: &Instance, plan: &Plan, names: &[&str]) -> Self {
        let buffers = instance.buffers();
        let occupying = (0..buffers.len()).filter(|&b| instance.occupies(b));
        let slots = occupying.map(|b| {
            let (buffer, name) = (&buffers[b], names.get(b).copied().unwrap_or_default());
            Slot {
                name: name.to_owned(),
                what: format!("buffer {name}"),
                offset: plan.offsets[b],
                bytes: buffer.size,
                live: instance.resident(b),
            }
        });
        let proof = if plan.proved() { ", proved" } else { "" };
        Self {
            title: format!(
                "peak {}, lower bound {}{proof}: {} buffers",
                plan.peak,
                plan.lower_bound,
                buffers.len()
            ),
            peak: plan.peak,
            lower_bound: plan.lower_bound,
            slots: slots.collect(),
        }
    }

    /// An SVG document.
    pub(crate) fn draw(&self) -> String {
        let live = || self.slots.iter().flat_map(|slot| &slot.live);
        let start = live().map(|span| span.0).min().unwrap_or(0);
        let end = live().map(|span| span.1).max().unwrap_or(1);
        let (right, bottom) = (WIDTH - 20.0, HEIGHT - BOTTOM);
        let x = Axis::between(
            start as f64,
            (end as f64).max(start as f64 + 1.0),
            (LEFT, right),
        );
        let y = Axis::between(0.0, (self.peak as f64).max(1.0), (bottom, TOP));
        let title = escape(&self.title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" class=\"plot wide\" \
             role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>{title}</title>\n\
             <desc>Each box is a buffer: as wide as it lives, as high as it has bytes, at its offset.</desc>\n\
             <style>{STYLE}{ARENA_STYLE}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{title}</text>\n"
        );
        svg.push_str(&axes(&x, &y, ("time", "bytes")));
        for (number, slot) in self.slots.iter().enumerate() {
            let upper = y.at((slot.offset + slot.bytes) as f64);
            let lower = y.at(slot.offset as f64);
            // Neighbours in the input get colours far apart: the golden angle.
            let hue = number as u64 * 137 % 360;
            let (name, what) = (escape(&slot.name), escape(&slot.what));
            for &(start, end) in &slot.live {
                let (left, right) = (x.at(start as f64), x.at(end as f64));
                let (width, height) = (right - left, lower - upper);
                // Writing to a string cannot fail, here and below.
                let _ = writeln!(
                    svg,
                    "<rect x=\"{left:.2}\" y=\"{upper:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
                     fill=\"hsl({hue},60%,75%)\" stroke=\"black\" stroke-width=\"0.5\"><title>{what}: \
                     {} bytes at {}, live from {start} to {end}</title></rect>",
                    slot.bytes, slot.offset
                );
                if height >= LINE && width >= LETTER * slot.name.chars().count() as f64 {
                    let _ = writeln!(
                        svg,
                        "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>",
                        (left + right) / 2.0,
                        (upper + lower) / 2.0 + 4.0
                    );
                }
            }
        }
        for (bytes, style) in [
            (self.peak, ""),
            (self.lower_bound.min(self.peak), " stroke-dasharray=\"6 4\""),
        ] {
            let at = y.at(bytes as f64);
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {at:.2}H{right}\" class=\"limit\"{style}/>"
            );
        }
        svg + "</svg>\n"
    }
}

/// Names stand on boxes, which are bright in both colour schemes; the peak is a line, the lower bound a dashed one.
const ARENA_STYLE: &str = ".wide{min-width:34rem}.plot .name{fill:#1d2737;pointer-events:none}.plot .limit{stroke:#1d2737;fill:none}\
                           @media(prefers-color-scheme:dark){.plot .limit{stroke:#e6ecf5}}";
