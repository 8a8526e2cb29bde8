//! Line charts and pages of HTML that need no other file.

use std::fmt::Write as _;

pub(crate) mod arena;

/// A line of a chart.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    /// Whether the value stays until the next point.
    pub(crate) steps: bool,
}

/// A chart of several lines.
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) x_label: &'static str,
    pub(crate) y_label: &'static str,
    /// Both axes are logarithmic, instead of beginning at zero.
    pub(crate) logarithmic: bool,
    /// The axes go at least as far: charts side by side have the same ones.
    pub(crate) reach: (f64, f64),
    pub(crate) series: Vec<Series>,
}

/// Colours that are told apart by people who see few.
const COLOURS: [&str; 10] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7b4fb5", "#8c564b",
    "#7f7f7f", "#bcbd22",
];

/// As large as letters stay readable where a narrow screen shrinks it.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 48.0;

/// One axis: where numbers go, in pixels.
struct Axis {
    from: f64,
    to: f64,
    logarithmic: bool,
    pixels: (f64, f64),
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, logarithmic: bool, pixels: (f64, f64)) -> Self {
        let (mut from, mut to) = (f64::INFINITY, 0.0f64);
        for value in values {
            // No logarithmic axis begins at zero.
            from = if value > 0.0 { from.min(value) } else { from };
            to = to.max(value);
        }
        if logarithmic {
            from = if from.is_finite() && from > 0.0 {
                from
            } else {
                1.0
            };
            from = from.max(1e-6).log2().floor();
            to = to.max(1e-6).log2().ceil().max(from + 1.0);
        } else {
            from = 0.0;
            to = if to > 0.0 { to } else { 1.0 };
        }
        Self {
            from,
            to,
            logarithmic,
            pixels,
        }
    }

    /// For numbers in a range.
    fn between(from: f64, to: f64, pixels: (f64, f64)) -> Self {
        Self {
            from,
            to,
            logarithmic: false,
            pixels,
        }
    }

    fn at(&self, value: f64) -> f64 {
        let value = if self.logarithmic {
            value.max(1e-6).log2()
        } else {
            value
        };
        let share = (value - self.from) / (self.to - self.from);
        self.pixels.0 + share * (self.pixels.1 - self.pixels.0)
    }

    fn ticks(&self) -> Vec<f64> {
        if self.logarithmic {
            let step = ((self.to - self.from) / 8.0).ceil().max(1.0) as usize;
            let exponents = (self.from as i32..=self.to as i32).step_by(step);
            return exponents
                .map(|exponent| f64::from(exponent).exp2())
                .collect();
        }
        let rough = (self.to - self.from) / 5.0;
        let magnitude = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * magnitude)
            .find(|&step| step >= rough)
            .unwrap_or(rough);
        let ticks = (self.from / step).ceil() as i64..=(self.to / step).floor() as i64;
        ticks.map(|tick| tick as f64 * step).collect()
    }
}

/// A number in as few characters as tell it well.
pub(crate) fn short(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        v if v >= 1e9 => (value / 1e9, "G"),
        v if v >= 1e6 => (value / 1e6, "M"),
        v if v >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let digits = match scaled.abs() {
        v if v == v.trunc() || v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    format!("{scaled:.digits$}{unit}")
}

/// Text for HTML and SVG.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

impl Chart {
    /// The chart for a page. Its title and the names of its lines are text of the page, which breaks where a screen ends.
    pub(crate) fn html(&self) -> String {
        let mut out = format!(
            "<figure><figcaption>{}</figcaption>\n{}",
            escape(&self.title),
            self.picture(&self.lines(), HEIGHT)
        );
        if self.series.len() > 1 {
            out.push_str("<ul class=\"legend\">\n");
            for (i, series) in self.series.iter().enumerate() {
                // Writing to a string cannot fail, here and below.
                let _ = writeln!(
                    out,
                    "<li><span style=\"background:{}\"></span>{}</li>",
                    COLOURS[i % COLOURS.len()],
                    escape(&series.name)
                );
            }
            out.push_str("</ul>\n");
        }
        out + "</figure>\n"
    }

    /// The chart as one `<svg>` element, with its title and the names of its lines.
    pub(crate) fn svg(&self) -> String {
        const LINE: f64 = 18.0;
        let mut out = format!(
            "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n<text x=\"{LEFT}\" y=\"16\">{}</text>\n\
             <g transform=\"translate(0 {LINE})\">\n{}</g>\n",
            escape(&self.title),
            self.lines()
        );
        let mut y = HEIGHT + LINE;
        for (i, series) in self.series.iter().enumerate() {
            y += LINE;
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {0}h18\" stroke=\"{1}\" stroke-width=\"3\"/><text x=\"{2}\" y=\"{y}\">{3}</text>",
                y - 4.0,
                COLOURS[i % COLOURS.len()],
                LEFT + 26.0,
                escape(&series.name)
            );
        }
        self.picture(&out, y + LINE)
    }

    /// An `<svg>` element around `content`.
    fn picture(&self, content: &str, height: f64) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" class=\"plot\" role=\"img\" \
             font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
             {content}</svg>\n",
            escape(&self.title)
        )
    }

    /// The lines and axes.
    fn lines(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = Axis::new(
            points().map(|p| p.0).chain([self.reach.0]),
            self.logarithmic,
            (LEFT, WIDTH - RIGHT),
        );
        let y = Axis::new(
            points().map(|p| p.1).chain([self.reach.1]),
            self.logarithmic,
            (HEIGHT - BOTTOM, TOP),
        );
        let mut out = String::new();
        out.push_str(&axes(&x, &y, (self.x_label, self.y_label)));
        for (i, series) in self.series.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let mut path = String::new();
            for &(px, py) in &series.points {
                let (px, py) = (x.at(px), y.at(py));
                let _ = match (path.is_empty(), series.steps) {
                    (true, _) => write!(path, "M{px:.1} {py:.1}"),
                    (false, true) => write!(path, "H{px:.1}V{py:.1}"),
                    (false, false) => write!(path, "L{px:.1} {py:.1}"),
                };
            }
            // What a single line encloses is easier to see as an area.
            if let ([_], true, Some(last)) = (&self.series[..], series.steps, series.points.last())
            {
                let (end, bottom) = (x.at(last.0), y.at(0.0));
                let _ = writeln!(
                    out,
                    "<path d=\"{path}H{end:.1}V{bottom:.1}H{LEFT}Z\" fill=\"{colour}\" fill-opacity=\"0.25\"/>"
                );
            }
            let _ = writeln!(
                out,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>"
            );
        }
        out
    }
}

/// Grid, numbers and names of two axes, around what lies between them.
fn axes(x: &Axis, y: &Axis, (x_label, y_label): (&str, &str)) -> String {
    let ((left, right), (bottom, top)) = (x.pixels, y.pixels);
    let mut out = String::new();
    for tick in x.ticks() {
        let _ = writeln!(
            out,
            "<path d=\"M{0:.1} {top}V{bottom}\" class=\"grid\"/>\
             <text x=\"{0:.1}\" y=\"{1}\" text-anchor=\"middle\">{2}</text>",
            x.at(tick),
            bottom + 16.0,
            short(tick)
        );
    }
    for tick in y.ticks() {
        let _ = writeln!(
            out,
            "<path d=\"M{left} {0:.1}H{right}\" class=\"grid\"/>\
             <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3}</text>",
            y.at(tick),
            left - 6.0,
            y.at(tick) + 4.0,
            short(tick)
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
         <text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        (left + right) / 2.0,
        bottom + 38.0,
        escape(x_label),
        (top + bottom) / 2.0,
        escape(y_label)
    );
    out
}

/// Plots in both colour schemes; they may be as wide as there is room.
const STYLE: &str = ".plot{width:100%;height:auto}.plot text{fill:#1d2737}.plot .paper{fill:#fff}\
                     .plot .grid{stroke:#dde1e8}@media(prefers-color-scheme:dark){.plot text{fill:#e6ecf5}\
                     .plot .paper{fill:#161b24}.plot .grid{stroke:#39424f}}";

/// Pages in both colour schemes. Charts stand side by side where there is room. On narrow screens the rows of a table
/// become lists, each cell with the head of its column.
const PAGE_STYLE: &str = "body{font-family:system-ui,sans-serif;margin:0 auto;padding:1rem;max-width:80rem;\
                          line-height:1.5;background:#fff;color:#1d2737}.table,.arena{overflow-x:auto}\
                          .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(22rem,100%),1fr));\
                          gap:1.5rem}figure{margin:0}figcaption{font-weight:600}\
                          .legend{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1rem}\
                          .legend span{display:inline-block;width:1.2em;height:.3em;margin-right:.4em;\
                          vertical-align:middle}table{border-collapse:collapse;font-size:.85rem}\
                          td,th{padding:.25em .5em;text-align:right;border-bottom:1px solid #dde1e8;\
                          vertical-align:bottom}td:first-child,th:first-child{text-align:left}\
                          td{white-space:nowrap;font-variant-numeric:tabular-nums}\
                          @media(max-width:40rem){thead{display:none}tr{display:block;margin-bottom:1rem;\
                          border-top:2px solid #8894a5}td,td:first-child{display:flex;justify-content:space-between;\
                          gap:1rem;white-space:normal;text-align:right}td:first-child{font-weight:600}\
                          td::before{content:attr(data-head);font-weight:400;text-align:left}}\
                          @media(prefers-color-scheme:dark){body{background:#161b24;color:#e6ecf5}\
                          td,th{border-color:#39424f}a{color:#7db4ee}}";

/// A page around `body`.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<style>{PAGE_STYLE}</style></head>\n\
         <body><main><h1>{0}</h1>\n{body}</main></body></html>\n",
        escape(title)
    )
}

/// A table whose first row is its head, for people who read HTML.
pub(crate) fn html_table(rows: &[Vec<String>]) -> String {
    let mut out = String::from("<div class=\"table\" role=\"region\" tabindex=\"0\">\n<table>\n");
    let (head, body) = rows.split_first().unzip();
    let head = head.map_or(&[][..], Vec::as_slice);
    out.push_str("<thead><tr>");
    for cell in head {
        let _ = write!(out, "<th>{}</th>", escape(cell));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in body.unwrap_or_default() {
        out.push_str("<tr>");
        for (i, cell) in row.iter().enumerate() {
            let head = head.get(i).map(|head| escape(head)).unwrap_or_default();
            let _ = write!(out, "<td data-head=\"{head}\">{}</td>", escape(cell));
        }
        out.push_str("</tr>\n");
    }
    out + "</tbody>\n</table>\n</div>\n"
}

/// The same for a terminal: the first column to the left, the others to the right.
pub(crate) fn text_table(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let _ = match i {
                0 => write!(line, "{cell:<width$}"),
                _ => write!(line, "  {cell:>width$}"),
            };
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_hold_every_series() {
        let series = |name: &str, points: &[(f64, f64)], steps| Series {
            name: name.into(),
            points: points.to_vec(),
            steps,
        };
        for logarithmic in [false, true] {
            let chart = Chart {
                title: "a < b".into(),
                x_label: "n",
                y_label: "ns",
                logarithmic,
                reach: (0.0, 0.0),
                series: vec![
                    series("one", &[(1.0, 2.0), (4096.0, 8.5)], false),
                    series("two", &[(0.0, 0.0), (5.0, 3.0)], true),
                    series("none", &[], false),
                ],
            };
            let html = chart.html();
            assert!(html.contains("a &lt; b") && html.contains("</span>two<"));
            assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
            let svg = chart.svg();
            assert!(svg.contains("a &lt; b") && svg.contains(">two<"));
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        }
    }

    #[test]
    fn numbers_are_short() {
        let numbers = [0.0, 3.0, 2.345, 23.45, 234.5, 9999.0, 12_345.0, 4.2e6, 1e9];
        let texts = [
            "0", "3", "2.35", "23.4", "234", "9999", "12.3k", "4.20M", "1G",
        ];
        assert_eq!(numbers.map(short)[..2], texts[..2]);
        assert_eq!(numbers.map(short)[5..], texts[5..]);
    }

    #[test]
    fn tables_line_up() {
        let rows = [["a", "bc"], ["def", "g"]].map(|row| row.map(String::from).to_vec());
        assert_eq!(text_table(&rows), "a    bc\ndef   g\n");
        assert!(html_table(&rows).contains("<td data-head=\"bc\">g</td></tr>"));
    }
}
