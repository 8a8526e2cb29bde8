//! A picture of a plan: time to the right, memory upwards, one rectangle per buffer.
//!
//! The lower bound is a dashed line, the peak a solid one; hovering over a buffer shows its numbers.

use std::fmt::Write;

use super::instance::Instance;
use super::plan::Plan;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 600.0;
const MARGIN: f64 = 40.0;

/// Draws a plan as an SVG document.
pub fn draw(instance: &Instance, plan: &Plan) -> String {
    let occupying = || (0..instance.buffers().len()).filter(|&b| instance.occupies(b));
    let buffers = instance.buffers();
    let start = occupying().map(|b| buffers[b].lower).min().unwrap_or(0);
    let end = occupying().map(|b| buffers[b].upper).max().unwrap_or(1);
    let duration = (end.abs_diff(start) as f64).max(1.0);
    let top = (plan.peak as f64).max(1.0);
    let x = |time: i64| MARGIN + WIDTH * time.abs_diff(start) as f64 / duration;
    let y = |offset: u64| MARGIN + HEIGHT * (1.0 - offset as f64 / top);

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
         font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        WIDTH + 2.0 * MARGIN,
        HEIGHT + 2.0 * MARGIN
    );
    let proof = if plan.proved() { ", proved" } else { "" };
    text(
        &mut svg,
        MARGIN - 14.0,
        &format!(
            "peak {}, lower bound {}{proof}",
            plan.peak, plan.lower_bound
        ),
    );
    text(
        &mut svg,
        MARGIN + HEIGHT + 24.0,
        &format!("time {start} to {end}, {} buffers", buffers.len()),
    );
    for b in occupying() {
        let (buffer, offset) = (&buffers[b], plan.offsets[b]);
        let (upper, lower) = (y(offset + buffer.size), y(offset));
        // Neighbours in the input get colours far apart: the golden angle.
        let hue = b as u64 * 137 % 360;
        for (start, end) in instance.resident(b) {
            let (left, right) = (x(start), x(end));
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.2}\" y=\"{upper:.2}\" width=\"{:.2}\" height=\"{:.2}\" \
                 fill=\"hsl({hue},60%,75%)\" stroke=\"black\" stroke-width=\"0.5\"><title>buffer {b}: \
                 {} bytes at {offset}, live from {} to {}</title></rect>",
                right - left,
                lower - upper,
                buffer.size,
                buffer.lower,
                buffer.upper
            );
        }
    }
    line(&mut svg, y(plan.peak), "");
    line(
        &mut svg,
        y(plan.lower_bound.min(plan.peak)),
        " stroke-dasharray=\"6 4\"",
    );
    svg.push_str("</svg>\n");
    svg
}

fn text(svg: &mut String, y: f64, text: &str) {
    let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{y}\">{text}</text>");
}

fn line(svg: &mut String, y: f64, style: &str) {
    let right = MARGIN + WIDTH;
    let _ = writeln!(
        svg,
        "<line x1=\"{MARGIN}\" x2=\"{right}\" y1=\"{y:.2}\" y2=\"{y:.2}\" stroke=\"black\"{style}/>"
    );
}
