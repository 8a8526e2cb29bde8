//! Vectors whose lanes fill no register, or several: masks of elements of one size for those of another one, what lies
//! beyond the last lane, rows that are repeated, parts that are loaded and stored. And single places of small buffers
//! that anything reads and writes.

use super::Text;

const ELEMS: [&str; 6] = ["i8", "i16", "i32", "i64", "f32", "f64"];

/// Processors that have masks of their own, and others.
const PROCESSORS: [&str; 3] = [
    "target-cpu=x86-64-v3",
    "target-cpu=x86-64-v4",
    "vector-bits=512",
];

struct Lanes {
    n: i64,
    /// The counter of the loop around.
    i: String,
    /// How many numbers were kept.
    n_kept: usize,
    /// Element types of which there are buffers.
    there: Vec<&'static str>,
    /// How many vectors were stored.
    n_stored: i64,
    /// Whether all is about masks.
    are_masks: bool,
    /// Vectors of each element type.
    vectors: Vec<(&'static str, String)>,
    masks: Vec<String>,
}

impl Text {
    /// Vectors of one size, of several element types.
    pub(super) fn mixed_lanes(&mut self) {
        let n = *self.rng.pick(&[16, 32, 64, 8, 5, 7, 12, 20, 3, 40, 16, 16]);
        self.globals += "memref.global \"private\" @x : memref<16xi64> = dense<[0, 1, -1, 2, 3, -2, 100, -100, 127, -128, 255, 32767, -32768, 2147483647, -2147483648, 65535]>\n";
        self.line("%x = memref.get_global @x : memref<16xi64>");
        let are_masks = self.rng.chance(45);
        let mut chosen: Vec<&str> = Vec::new();
        for _ in 0..self.rng.range(2, 3) {
            chosen.push(*self.rng.pick(&ELEMS));
        }
        let there: Vec<&'static str> = (ELEMS.into_iter())
            .filter(|elem| chosen.contains(elem) || ["i8", "i32", "i64"].contains(elem))
            .collect();
        // What is read, what is written beside other elements, and numbers that are kept. Nothing is compiled for that.
        for elem in &there {
            let dot = if elem.starts_with('f') { ".0" } else { "" };
            let numbers: Vec<String> = (0..2 * n + 8)
                .map(|_| {
                    format!(
                        "{}{dot}",
                        *self.rng.pick(&[0, 1, -1, 2, -3, 5, 100, -100, 127, -128])
                    )
                })
                .collect();
            let numbers = format!("dense<[{}]>", numbers.join(", "));
            for (what, room) in [("s", 2 * n + 8), ("t", 4 * n + 16), ("k", 96)] {
                let ty = format!("memref<{room}x{elem}>");
                let value = match what {
                    "s" => numbers.clone(),
                    _ => format!("dense<7{dot}>"),
                };
                self.globals +=
                    &format!("memref.global \"private\" @{what}{elem} : {ty} = {value}\n");
                self.line(format!(
                    "%{what}{elem} = memref.get_global @{what}{elem} : {ty}"
                ));
                if what != "s" {
                    self.results.push((format!("%{what}{elem}"), ty));
                }
            }
        }
        let trips = self.rng.range(1, 4) as i64;
        let (zero, end) = (self.index(0), self.number(trips, 60));
        self.for_loop(&zero, &end, |t, i| {
            let mut lanes = Lanes {
                n,
                i: i.to_owned(),
                n_kept: 0,
                there: there.clone(),
                n_stored: 0,
                are_masks,
                vectors: Vec::new(),
                masks: Vec::new(),
            };
            for elem in ELEMS.into_iter().filter(|elem| chosen.contains(elem)) {
                for _ in 0..2 {
                    let at = t.rng.range(0, 3) as i64;
                    let place = t.behind(&lanes, at);
                    let vector = t.def(format!(
                        "vector.load %s{elem}[{place}] : memref<{}x{elem}>, vector<{n}x{elem}>",
                        2 * n + 8
                    ));
                    lanes.vectors.push((elem, vector));
                }
            }
            for _ in 0..t.rng.range(4, 9) {
                t.lane_step(&mut lanes);
            }
            // The last ones, beside what may not change.
            let first = lanes.vectors.len().saturating_sub(4);
            let last_ones = lanes.vectors[first..].to_vec();
            for (elem, last) in last_ones {
                t.stored_beside(&mut lanes, elem, &last);
            }
            if let Some(mask) = lanes.masks.last().cloned()
                && t.rng.chance(60)
            {
                let to = *t.rng.pick(&["i8", "i32", "i64"]);
                let wide = t.def(format!(
                    "arith.extui {mask} : vector<{n}xi1> to vector<{n}x{to}>"
                ));
                t.stored_beside(&mut lanes, to, &wide);
            }
        });
        self.pipelines.push("lower-vectors".to_owned());
        self.words.extend(PROCESSORS);
    }

    /// So many elements behind the counter.
    fn behind(&mut self, lanes: &Lanes, by: i64) -> String {
        let by = self.index(by);
        self.def(format!("arith.addi {}, {by} : index", lanes.i))
    }

    /// Keeps a number.
    fn kept_number(&mut self, lanes: &mut Lanes, value: &str, elem: &str) {
        let (mut value, mut elem) = (value.to_owned(), elem);
        if elem == "i1" {
            value = self.def(format!("arith.extui {value} : i1 to i8"));
            elem = "i8";
        }
        lanes.n_kept += 1;
        let at = (lanes.n_kept % 20 * 4) as i64;
        let at = self.behind(lanes, at);
        self.line(format!(
            "memref.store {value}, %k{elem}[{at}] : memref<96x{elem}>"
        ));
    }

    fn stored_beside(&mut self, lanes: &mut Lanes, elem: &str, vector: &str) {
        // Behind what was stored before, so that both are seen.
        lanes.n_stored += 1;
        let (n, at) = (lanes.n, self.rng.range(0, 5) as i64);
        let at = self.behind(lanes, at + lanes.n_stored % 4 * n);
        self.line(format!(
            "vector.store {vector}, %t{elem}[{at}] : memref<{}x{elem}>, vector<{n}x{elem}>",
            4 * n + 16
        ));
    }

    fn lane_step(&mut self, lanes: &mut Lanes) {
        let n = lanes.n;
        let (elem, x) = self.rng.pick(&lanes.vectors).clone();
        let of_type: Vec<String> = (lanes.vectors.iter())
            .filter(|it| it.0 == elem)
            .map(|it| it.1.clone())
            .collect();
        let y = self.rng.pick(&of_type).clone();
        let ty = format!("vector<{n}x{elem}>");
        let is_float = elem.starts_with('f');
        let any_mask = |t: &mut Self| lanes.masks[t.rng.below(lanes.masks.len())].clone();
        let kind = match lanes.are_masks {
            true => *self.rng.pick(&[0, 3, 4, 4, 5, 5, 7, 8, 8]),
            false => self.rng.below(15),
        };
        match kind {
            0..3 => {
                let mask = match is_float {
                    true => self.def(format!("arith.cmpf olt, {x}, {y} : {ty}")),
                    false => {
                        let predicate = *self.rng.pick(&["slt", "ult", "ne", "sge", "ugt"]);
                        self.def(format!("arith.cmpi {predicate}, {x}, {y} : {ty}"))
                    }
                };
                lanes.masks.push(mask);
            }
            3 if lanes.masks.is_empty() => {
                let k = self.rng.range(0, n as usize) as i64;
                let k = self.opaque(k);
                let mask = self.def(format!("vector.create_mask {k} : vector<{n}xi1>"));
                lanes.masks.push(mask);
            }
            3 | 4 if !lanes.masks.is_empty() => {
                let (a, b) = (any_mask(self), any_mask(self));
                let mask = match self.rng.below(4) {
                    0 => {
                        let ones = self.def(format!("arith.constant dense<true> : vector<{n}xi1>"));
                        self.def(format!("arith.xori {a}, {ones} : vector<{n}xi1>"))
                    }
                    _ => {
                        let what = *self.rng.pick(&["andi", "ori", "xori"]);
                        self.def(format!("arith.{what} {a}, {b} : vector<{n}xi1>"))
                    }
                };
                lanes.masks.push(mask);
            }
            5 | 6 if !lanes.masks.is_empty() => {
                let mask = any_mask(self);
                let value = self.def(format!(
                    "arith.select {mask}, {x}, {y} : vector<{n}xi1>, {ty}"
                ));
                lanes.vectors.push((elem, value));
            }
            7 if !lanes.masks.is_empty() => {
                // All of them, any of them, how many.
                let mask = any_mask(self);
                match self.rng.below(3) {
                    0 => {
                        let kind = *self.rng.pick(&["and", "or", "xor"]);
                        let all = self.def(format!(
                            "vector.reduction <{kind}>, {mask} : vector<{n}xi1> into i1"
                        ));
                        self.kept_number(lanes, &all, "i1");
                    }
                    1 => {
                        let number = *self.rng.pick(&["i8", "i32", "i64"]);
                        let what = *self.rng.pick(&["extui", "extsi"]);
                        let wide = self.def(format!(
                            "arith.{what} {mask} : vector<{n}xi1> to vector<{n}x{number}>"
                        ));
                        let sum = self.def(format!(
                            "vector.reduction <add>, {wide} : vector<{n}x{number}> into {number}"
                        ));
                        self.kept_number(lanes, &sum, number);
                    }
                    _ => {
                        let bits = self.def(format!(
                            "vector.bitcast {mask} : vector<{n}xi1> to vector<1xi{n}>"
                        ));
                        let number = self.def(format!(
                            "vector.extract {bits}[0] : i{n} from vector<1xi{n}>"
                        ));
                        let wide = match n {
                            64 => number,
                            _ => self.def(format!("arith.extui {number} : i{n} to i64")),
                        };
                        self.kept_number(lanes, &wide, "i64");
                    }
                }
            }
            8 if !lanes.masks.is_empty() => {
                let mask = any_mask(self);
                let memory = format!("%s{elem}");
                let (at, memory_ty) = (
                    self.behind(lanes, 1),
                    format!("memref<{}x{elem}>", 2 * n + 8),
                );
                let zeros = if is_float { "0.0" } else { "0" };
                let pass = match self.rng.chance(50) {
                    true => self.def(format!("arith.constant dense<{zeros}> : {ty}")),
                    false => y.clone(),
                };
                let mask_ty = format!("vector<{n}xi1>");
                let text = match self.rng.below(4) {
                    0 | 1 => format!(
                        "vector.maskedload {memory}[{at}], {mask}, {pass} : {memory_ty}, {mask_ty}, {ty} into {ty}"
                    ),
                    2 => format!(
                        "vector.expandload {memory}[{at}], {mask}, {pass} : {memory_ty}, {mask_ty}, {ty} into {ty}"
                    ),
                    _ => {
                        let filler = self.constant(elem);
                        format!(
                            "vector.mask {mask}, {pass} {{ vector.transfer_read {memory}[{at}], {filler} {{in_bounds = [{}]}} : {memory_ty}, {ty} }} : {mask_ty} -> {ty}",
                            self.rng.chance(50)
                        )
                    }
                };
                let value = self.def(text);
                lanes.vectors.push((elem, value));
            }
            9 if !lanes.masks.is_empty() => {
                let mask = any_mask(self);
                let memory = format!("%t{elem}");
                let (at, memory_ty) = (
                    self.behind(lanes, 1),
                    format!("memref<{}x{elem}>", 4 * n + 16),
                );
                let what = *self.rng.pick(&["maskedstore", "compressstore"]);
                self.line(format!(
                    "vector.{what} {memory}[{at}], {mask}, {x} : {memory_ty}, vector<{n}xi1>, {ty}"
                ));
            }
            10 => {
                // Of lanes of another size.
                let to = *self.rng.pick(&lanes.there);
                let width = |elem: &str| elem[1..].parse::<u32>().unwrap_or(0);
                let to_ty = format!("vector<{n}x{to}>");
                let what = match (is_float, to.starts_with('f')) {
                    (false, false) if width(to) > width(elem) => {
                        *self.rng.pick(&["extsi", "extui"])
                    }
                    (false, false) if width(to) < width(elem) => "trunci",
                    (false, true) => *self.rng.pick(&["sitofp", "uitofp"]),
                    (true, true) if width(to) > width(elem) => "extf",
                    _ => return,
                };
                let value = self.def(format!("arith.{what} {x} : {ty} to {to_ty}"));
                lanes.vectors.push((to, value));
            }
            11 => {
                let kind = match is_float {
                    true => *self.rng.pick(&["maximumf", "minimumf"]),
                    false => *self.rng.pick(&["add", "maxsi", "minui", "xor", "and"]),
                };
                let value = self.def(format!("vector.reduction <{kind}>, {x} : {ty} into {elem}"));
                self.kept_number(lanes, &value, elem);
            }
            12 | 13 => self.scalars_beside(lanes),
            _ => {
                let value = self.mixed(&x, &y, &ty_of(elem, n));
                lanes.vectors.push((elem, value));
            }
        }
    }

    /// A number that goes through widths before it comes to all lanes.
    fn scalars_beside(&mut self, lanes: &mut Lanes) {
        let at = self.rng.below(13) as i64;
        let at = self.behind(lanes, at);
        let mut value = self.def(format!("memref.load %x[{at}] : memref<16xi64>"));
        let mut width = 64;
        // Narrow first, and then wider step by step, or in any order.
        let widths = match self.rng.chance(50) {
            true => (self
                .rng
                .pick(&[[8, 16, 32], [8, 16, 64], [16, 32, 64], [8, 32, 64]]))
            .to_vec(),
            false => (0..self.rng.range(2, 4))
                .map(|_| *self.rng.pick(&[8, 16, 32, 64]))
                .collect(),
        };
        for to in widths {
            let what = match to {
                _ if to > width => *self.rng.pick(&["extsi", "extui", "extsi"]),
                _ if to < width => "trunci",
                _ => continue,
            };
            value = self.def(format!("arith.{what} {value} : i{width} to i{to}"));
            width = to;
            if self.rng.chance(30) {
                let more = self.constant(&format!("i{width}"));
                value = self.mixed(&value, &more, &format!("i{width}"));
            }
        }
        let n = lanes.n;
        if self.rng.chance(40) {
            let limit = self.constant(&format!("i{width}"));
            let c = self.def(format!("arith.cmpi ult, {value}, {limit} : i{width}"));
            self.kept_number(lanes, &c, "i1");
        }
        if width == 16 && !lanes.there.contains(&"i16") {
            value = self.def(format!("arith.extui {value} : i16 to i32"));
            width = 32;
        }
        let elem = match width {
            8 => "i8",
            16 => "i16",
            32 => "i32",
            _ => "i64",
        };
        let all = self.def(format!(
            "vector.broadcast {value} : {elem} to vector<{n}x{elem}>"
        ));
        lanes.vectors.push((elem, all));
        self.kept_number(lanes, &value, elem);
    }

    /// Vectors repeated as rows, and what comes of the rows.
    pub(super) fn repeated_rows(&mut self) {
        let elem = *self.rng.pick(&["f32", "f64", "i32", "f32"]);
        let (n, rows) = (*self.rng.pick(&[1, 2, 4, 3, 8]), *self.rng.pick(&[2, 3, 4]));
        let memory = self.numbered(64, elem);
        let memory_ty = format!("memref<64x{elem}>");
        let (row_ty, all_ty) = (
            format!("vector<{n}x{elem}>"),
            format!("vector<{rows}x{n}x{elem}>"),
        );
        let target = self.numbered(64, elem);
        let trips = *self.rng.pick(&[1, 3, 4]);
        let (zero, end) = (self.index(0), self.number(trips, 50));
        self.for_loop(&zero, &end, |t, i| {
            let ty = row_ty.clone();
            let row = match t.rng.below(3) {
                0 => t.def(format!("vector.load {memory}[{i}] : {memory_ty}, {ty}")),
                1 => {
                    let filler = t.constant(elem);
                    t.def(format!("vector.transfer_read {memory}[{i}], {filler} {{in_bounds = [true]}} : {memory_ty}, {ty}"))
                }
                _ => {
                    let x = t.def(format!("vector.load {memory}[{i}] : {memory_ty}, {ty}"));
                    t.mixed(&x, &x, &ty)
                }
            };
            let mut all = t.def(format!("vector.broadcast {row} : {row_ty} to {all_ty}"));
            if t.rng.chance(60) {
                all = t.mixed(&all, &all, &all_ty);
            }
            let rows: Vec<i64> = (0..rows).collect();
            for row in rows {
                let part = t.def(format!("vector.extract {all}[{row}] : {row_ty} from {all_ty}"));
                let by = t.index(row * n + 4);
                let at = t.def(format!("arith.addi {i}, {by} : index"));
                t.line(format!("vector.store {part}, {target}[{at}] : {memory_ty}, {row_ty}"));
            }
        });
        self.results.push((target, memory_ty));
        self.pipelines.push("lower-vectors".to_owned());
    }

    /// Small buffers, some with gaps between rows, that operations of all kinds read and write at few places.
    pub(super) fn single_places(&mut self) {
        let elem = *self.rng.pick(&["i32", "i64", "f32", "i8", "i16"]);
        let (rows, columns) = (self.rng.range(2, 4) as i64, *self.rng.pick(&[4, 2, 3]));
        let mut buffers = Vec::new();
        for _ in 0..self.rng.range(2, 4) {
            let gap = *self.rng.pick(&[0, 0, 4, 1, 12]);
            let is_alloca = self.rng.chance(70);
            let layout = match gap {
                0 => String::new(),
                _ => format!(", strided<[{}, 1]>", columns + gap),
            };
            let ty = format!("memref<{rows}x{columns}x{elem}{layout}>");
            let what = if is_alloca || gap > 0 {
                "alloca"
            } else {
                "alloc"
            };
            let name = self.def(format!("memref.{what}() : {ty}"));
            let value = self.constant(elem);
            self.line(format!(
                "linalg.fill ins({value} : {elem}) outs({name} : {ty})"
            ));
            buffers.push((name, ty));
        }
        let kept = self.numbered(16, elem);
        let kept_ty = format!("memref<16x{elem}>");
        let mut n_kept = 0;
        let mut last = self.constant(elem);
        let ends = [self.index(0), self.index(rows - 1), self.index(columns - 1)];
        for _ in 0..self.rng.range(5, 10) {
            let (name, ty) = self.rng.pick(&buffers).clone();
            let at = match self.rng.below(3) {
                0 => format!("{}, {}", ends[0], ends[0]),
                1 => format!("{}, {}", ends[1], ends[2]),
                _ => format!("{}, {}", ends[0], ends[2]),
            };
            match self.rng.below(9) {
                0 | 1 => {
                    let more = self.constant(elem);
                    last = self.mixed(&last, &more, elem);
                    self.line(format!("memref.store {last}, {name}[{at}] : {ty}"));
                }
                2 if self.rng.chance(50) => {
                    // A store before a branch one way of which calls what reads it, and another one behind that.
                    let number = self.fresh();
                    let callee = format!("@f{}", &number[1..]);
                    self.function(
                        &format!("func.func private {callee}(%m: {ty}, %k: {kept_ty}) attributes {{passthrough = [\"noinline\"]}}"),
                        |t| {
                            let zero = t.index(0);
                            let x = t.def(format!("memref.load %m[{zero}, {zero}] : {ty}"));
                            t.line(format!("memref.store {x}, %k[{zero}] : {kept_ty}"));
                            t.line("return");
                        },
                    );
                    let first = format!("{}, {}", ends[0], ends[0]);
                    let more = self.constant(elem);
                    last = self.mixed(&last, &more, elem);
                    let other = self.mixed(&last, &more, elem);
                    let trips = self.rng.range(1, 3) as i64;
                    let end = self.opaque(trips);
                    let chosen = self.opaque(trips - 1);
                    let zero = ends[0].clone();
                    self.for_loop(&zero, &end, |t, i| {
                        t.line(format!("memref.store {last}, {name}[{first}] : {ty}"));
                        let c = t.def(format!("arith.cmpi eq, {i}, {chosen} : index"));
                        t.line(format!("scf.if {c} {{"));
                        t.line(format!(
                            "  func.call {callee}({name}, {kept}) : ({ty}, {kept_ty}) -> ()"
                        ));
                        t.line("}");
                        if t.rng.chance(50) {
                            t.line(format!("memref.store {other}, {name}[{first}] : {ty}"));
                        }
                    });
                    self.line(format!("memref.store {other}, {name}[{first}] : {ty}"));
                }
                2 => {
                    // A store before a branch, and what the branch does.
                    self.line(format!("memref.store {last}, {name}[{at}] : {ty}"));
                    let number = self.rng.below(9) as i64;
                    let (x, y) = (self.opaque(number), self.index(4));
                    let c = self.def(format!("arith.cmpi slt, {x}, {y} : index"));
                    self.line(format!("scf.if {c} {{"));
                    self.inside(|t| {
                        let old = t.def(format!("memref.load {name}[{at}] : {ty}"));
                        let more = t.constant(elem);
                        let value = t.mixed(&old, &more, elem);
                        t.line(format!("memref.store {value}, {name}[{at}] : {ty}"));
                    });
                    self.line("}");
                }
                3 => {
                    let kind = if elem.starts_with('f') {
                        "addf"
                    } else {
                        "addi"
                    };
                    last = self.def(format!(
                        "memref.atomic_rmw {kind} {last}, {name}[{at}] : ({elem}, {ty}) -> {elem}"
                    ));
                }
                4 => {
                    let (other, other_ty) = self.rng.pick(&buffers).clone();
                    if other != name {
                        self.line(format!("memref.copy {name}, {other} : {ty} to {other_ty}"));
                    }
                }
                5 if columns != 3 => {
                    let row = self.index(0);
                    let v = self.def(format!(
                        "vector.load {name}[{}, {row}] : {ty}, vector<{columns}x{elem}>",
                        ends[1]
                    ));
                    let twice = self.mixed(&v, &v, &format!("vector<{columns}x{elem}>"));
                    self.line(format!(
                        "vector.store {twice}, {name}[{}, {row}] : {ty}, vector<{columns}x{elem}>",
                        ends[0]
                    ));
                }
                6 => {
                    let view_ty = match ty.contains("strided") {
                        false => format!("memref<1x{columns}x{elem}, strided<[{columns}, 1]>>"),
                        true => {
                            let layout = ty.split("strided<").nth(1).unwrap_or_default();
                            format!("memref<1x{columns}x{elem}, strided<{layout}")
                        }
                    };
                    let view = self.def(format!(
                        "memref.subview {name}[0, 0] [1, {columns}] [1, 1] : {ty} to {view_ty}"
                    ));
                    self.line(format!(
                        "linalg.fill ins({last} : {elem}) outs({view} : {view_ty})"
                    ));
                }
                _ => {
                    last = self.def(format!("memref.load {name}[{at}] : {ty}"));
                    let place = self.index(n_kept % 16);
                    n_kept += 1;
                    self.line(format!("memref.store {last}, {kept}[{place}] : {kept_ty}"));
                }
            }
        }
        for (name, ty) in buffers {
            let plain = format!("memref<{rows}x{columns}x{elem}>");
            let copy = self.def(format!("memref.alloc() : {plain}"));
            self.line(format!("memref.copy {name}, {copy} : {ty} to {plain}"));
            self.results.push((copy, plain));
        }
        self.results.push((kept, kept_ty));
        self.pipelines.push("canonicalize,cse".to_owned());
    }
}

fn ty_of(elem: &str, n: i64) -> String {
    format!("vector<{n}x{elem}>")
}
