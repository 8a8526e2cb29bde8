//! Shapes that folds and canonicalization look for, beside those that look almost like them: sums with promises that hold,
//! halves of products, remainders that are divided, comparisons in loops, blocks and branches that are alike, places that
//! something inside of a region may write.

use super::Text;

impl Text {
    /// Some of them.
    pub(super) fn near_folds(&mut self) {
        self.globals += "memref.global \"private\" @x : memref<16xi64> = dense<[0, 1, -1, 2, 3, -2, 100, -100, 127, -128, 255, 32767, -32768, 2147483647, -2147483648, 65535]>\n";
        self.line("%x = memref.get_global @x : memref<16xi64>");
        const KINDS: [fn(&mut Text); 9] = [
            Text::promised_sums,
            Text::high_half,
            Text::divided_remainders,
            Text::compared_again,
            Text::nested_branches,
            Text::alike_blocks,
            Text::region_between,
            Text::known_switch,
            Text::sunk_and_hoisted,
        ];
        for _ in 0..self.rng.range(1, 3) {
            let kind = *self.rng.pick(&KINDS);
            kind(self);
        }
        const PASSES: [&str; 5] = [
            "canonicalize",
            "sccp,canonicalize",
            "cse",
            "canonicalize,cse",
            "affine-simplify-structures",
        ];
        for _ in 0..2 {
            let chosen = *self.rng.pick(&PASSES);
            self.pipelines.push(chosen.to_owned());
        }
        self.pipelines
            .push("convert-scf-to-cf,canonicalize,sccp".to_owned());
    }

    /// A number that nobody knows while compiling, of those that types end with.
    fn any_number(&mut self, width: u32) -> (String, i64) {
        const NUMBERS: [i64; 16] = [
            0,
            1,
            -1,
            2,
            3,
            -2,
            100,
            -100,
            127,
            -128,
            255,
            32767,
            -32768,
            2147483647,
            -2147483648,
            65535,
        ];
        let at = self.rng.below(16);
        let place = self.index(at as i64);
        let loaded = self.def(format!("memref.load %x[{place}] : memref<16xi64>"));
        let number = NUMBERS[at];
        if width == 64 {
            return (loaded, number);
        }
        let value = self.def(format!("arith.trunci {loaded} : i64 to i{width}"));
        (value, number << (64 - width) >> (64 - width))
    }

    fn truth(&mut self) -> String {
        let number = self.rng.below(9) as i64;
        let (x, y) = (self.opaque(number), self.index(4));
        let predicate = *self.rng.pick(&["slt", "sge", "eq"]);
        self.def(format!("arith.cmpi {predicate}, {x}, {y} : index"))
    }

    /// Sums and differences with constants one behind the other, with promises that hold.
    fn promised_sums(&mut self) {
        let width = *self.rng.pick(&[8, 16, 32, 64]);
        let (mut value, mut number) = self.any_number(width);
        let (least, most) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
        let all = 1i128 << width;
        for _ in 0..self.rng.range(2, 3) {
            let constant = match self.rng.below(4) {
                0 => *self.rng.pick(&[least, most, least + 1]),
                1 => -(self.rng.range(1, 100) as i128),
                2 => (most / 2 + 1) * if self.rng.chance(50) { 1 } else { -1 },
                _ => self.rng.range(1, 120) as i128,
            } as i64;
            let ty = format!("i{width}");
            let by = self.def(format!("arith.constant {constant} : {ty}"));
            let (what, operands, sign) = match self.rng.below(4) {
                0 => ("subi", format!("{value}, {by}"), [1, -1]),
                1 => ("subi", format!("{by}, {value}"), [-1, 1]),
                2 => ("addi", format!("{by}, {value}"), [1, 1]),
                _ => ("addi", format!("{value}, {by}"), [1, 1]),
            };
            let [a, b] = [i128::from(number) * sign[0], i128::from(constant) * sign[1]];
            let natural = |n: i64| i128::from(n).rem_euclid(all);
            let exact = a + b;
            let unsigned = natural(number) * sign[0] + natural(constant) * sign[1];
            let mut promises = Vec::new();
            if (least..=most).contains(&exact) && self.rng.chance(85) {
                promises.push("nsw");
            }
            if (0..all).contains(&unsigned) && self.rng.chance(85) {
                promises.push("nuw");
            }
            let flags = match promises.is_empty() {
                true => String::new(),
                false => format!(" overflow<{}>", promises.join(", ")),
            };
            value = self.def(format!("arith.{what} {operands}{flags} : {ty}"));
            let wrapped = exact.rem_euclid(all);
            number = if wrapped > most {
                wrapped - all
            } else {
                wrapped
            } as i64;
        }
        self.results.push((value, format!("i{width}")));
    }

    /// A part of a product of numbers that were made wider, but perhaps not wide enough.
    fn high_half(&mut self) {
        let narrow = *self.rng.pick(&[8, 16, 32]);
        let wide = match self.rng.below(3) {
            0 => narrow * 2,
            1 => narrow + self.rng.range(1, narrow as usize) as u32,
            _ => (narrow * 2 + self.rng.below(9) as u32).min(64),
        };
        let ext = *self.rng.pick(&["extsi", "extui"]);
        let [x, y] = [(); 2].map(|()| {
            let x = self.any_number(narrow).0;
            self.def(format!("arith.{ext} {x} : i{narrow} to i{wide}"))
        });
        let product = self.def(format!("arith.muli {x}, {y} : i{wide}"));
        let distance = match self.rng.chance(75) {
            true => narrow.min(wide - 1),
            false => self.rng.below(wide as usize) as u32,
        };
        let by = self.def(format!("arith.constant {distance} : i{wide}"));
        let shift = *self.rng.pick(&["shrui", "shrui", "shrsi"]);
        let shifted = self.def(format!("arith.{shift} {product}, {by} : i{wide}"));
        let high = self.def(format!("arith.trunci {shifted} : i{wide} to i{narrow}"));
        self.results.push((high, format!("i{narrow}")));
    }

    /// Remainders of a counter that are divided by numbers about as large, or have others added.
    fn divided_remainders(&mut self) {
        let b = self.rng.range(2, 6) as i64;
        let c = (b + self.rng.range(0, 2) as i64 - 1).max(1);
        let d = self.rng.range(0, 2) as i64 - 1;
        let inner = match self.rng.below(3) {
            0 => format!("d0 mod {b}"),
            1 => format!("(d0 + {}) mod {b}", self.rng.below(4)),
            _ => format!("(d0 * {}) mod {b}", self.rng.range(2, 3)),
        };
        let outer = match self.rng.below(5) {
            0 | 1 => format!("({inner}) floordiv {c}"),
            2 => format!("({inner}) ceildiv {c}"),
            3 => format!("({inner} + {d}) mod {c}"),
            _ => format!("({inner} + {d} + {c}) floordiv {c}"),
        };
        let ty = "memref<12xindex>";
        let kept = self.def(format!("memref.alloc() : {ty}"));
        let is_affine = self.rng.chance(60);
        let (zero, end) = (self.index(0), self.index(12));
        let body = |t: &mut Self, i: &str| {
            let value = match t.rng.chance(25) {
                true => t.def(format!(
                    "affine.min affine_map<(d0) -> ({outer}, {c})>({i})"
                )),
                false => t.def(format!("affine.apply affine_map<(d0) -> ({outer})>({i})")),
            };
            t.line(format!("memref.store {value}, {kept}[{i}] : {ty}"));
        };
        match is_affine {
            true => {
                let number = self.fresh();
                let i = format!("%i{}", &number[1..]);
                self.line(format!("affine.for {i} = 0 to 12 {{"));
                self.inside(|t| body(t, &i));
                self.line("}");
            }
            false => self.for_loop(&zero, &end, body),
        }
        self.results.push((kept.clone(), ty.to_owned()));
    }

    /// A loop that compares what its condition compared, or something else.
    fn compared_again(&mut self) {
        const PREDICATES: [&str; 6] = ["slt", "sle", "ne", "sgt", "ult", "eq"];
        let end = self.rng.range(1, 5) as i64;
        let (zero, one) = (self.index(0), self.index(1));
        let n = self.opaque(end);
        let other = self.rng.range(0, 5) as i64;
        let m = self.number(other, 60);
        let kept = self.def("memref.alloc() : memref<8xindex>");
        let eight = self.index(8);
        self.for_loop(&zero, &eight, |t, i| {
            t.line(format!("memref.store {i}, {kept}[{i}] : memref<8xindex>"));
        });
        let [result, x, y, z] = [(); 4].map(|()| {
            let name = self.fresh();
            format!("%w{}", &name[1..])
        });
        let first = *self.rng.pick(&["slt", "ult", "slt", "ne"]);
        self.line(format!("{result}:2 = scf.while ({x} = {zero}, {z} = {one}) : (index, index) -> (index, index) {{"));
        self.inside(|t| {
            let sides = match t.rng.chance(70) || first == "ne" {
                true => format!("{first}, {x}, {n}"),
                false => format!("{}, {n}, {x}", if first == "slt" { "sgt" } else { "ugt" }),
            };
            let c = t.def(format!("arith.cmpi {sides} : index"));
            t.line(format!("scf.condition({c}) {x}, {z} : index, index"));
        });
        self.line("} do {");
        let w = format!("{y}b");
        self.line(format!("^bb0({y}: index, {w}: index):"));
        self.inside(|t| {
            let against = match t.rng.below(3) {
                0 => n.clone(),
                1 => m.clone(),
                _ => w.clone(),
            };
            let again = match t.rng.below(3) {
                0 => *t.rng.pick(&PREDICATES),
                1 => *t.rng.pick(&["sge", "uge", "eq"]),
                _ => first,
            };
            let sides = match t.rng.chance(70) {
                true => format!("{again}, {y}, {against}"),
                false => format!("{again}, {against}, {y}"),
            };
            let c = t.def(format!("arith.cmpi {sides} : index"));
            let number = t.def(format!("arith.index_castui {c} : i1 to index"));
            t.line(format!(
                "memref.store {number}, {kept}[{y}] : memref<8xindex>"
            ));
            let next = t.def(format!("arith.addi {y}, {one} : index"));
            let sum = t.def(format!("arith.addi {w}, {number} : index"));
            t.line(format!("scf.yield {next}, {sum} : index, index"));
        });
        self.line("}");
        self.results.push((kept, "memref<8xindex>".to_owned()));
        self.results
            .push((format!("{result}#1"), "index".to_owned()));
    }

    /// A branch in a branch, with values of few on all ways out.
    fn nested_branches(&mut self) {
        let values: Vec<String> = (0..3).map(|_| self.any_number(32).0).collect();
        let n = self.rng.range(1, 2);
        let types = vec!["i32"; n].join(", ");
        let (a, b) = (self.truth(), self.truth());
        let any = |t: &mut Self| {
            let names: Vec<String> = (0..n).map(|_| t.rng.pick(&values).clone()).collect();
            names.join(", ")
        };
        let [outer, inner] = [(); 2].map(|()| {
            let name = self.fresh();
            format!("%w{}", &name[1..])
        });
        let with_store = self.rng.chance(30);
        let kept = with_store.then(|| self.numbered(4, "i32"));
        self.line(format!("{outer}:{n} = scf.if {a} -> ({types}) {{"));
        self.inside(|t| {
            t.line(format!("{inner}:{n} = scf.if {b} -> ({types}) {{"));
            t.inside(|t| {
                if let Some(kept) = &kept {
                    let zero = t.index(0);
                    t.line(format!(
                        "memref.store {}, {kept}[{zero}] : memref<4xi32>",
                        values[0]
                    ));
                }
                let yielded = any(t);
                t.line(format!("scf.yield {yielded} : {types}"));
            });
            t.line("} else {");
            let yielded = any(t);
            t.line(format!("  scf.yield {yielded} : {types}"));
            t.line("}");
            let mut yielded: Vec<String> = (0..n).map(|at| format!("{inner}#{at}")).collect();
            if n > 1 && t.rng.chance(30) {
                yielded[0] = t.rng.pick(&values).clone();
            }
            t.line(format!("scf.yield {} : {types}", yielded.join(", ")));
        });
        self.line("} else {");
        let yielded = any(self);
        self.line(format!("  scf.yield {yielded} : {types}"));
        self.line("}");
        for at in 0..n {
            self.results
                .push((format!("{outer}#{at}"), "i32".to_owned()));
        }
        if let Some(kept) = kept {
            self.results.push((kept, "memref<4xi32>".to_owned()));
        }
    }

    /// Blocks with the same operations on the same operands, or on others, or with other attributes.
    fn alike_blocks(&mut self) {
        let ty = "memref<4xi32>";
        let kept = self.numbered(4, "i32");
        let [x, y] = [(); 2].map(|()| self.any_number(32).0);
        let c = self.truth();
        let places = [self.index(0), self.index(1)];
        let n_blocks = self.rng.range(2, 3);
        let number = self.fresh();
        let label = |at: usize| format!("^b{}_{at}", &number[1..]);
        let kind = self.rng.below(4);
        self.line("scf.execute_region {");
        self.inside(|t| {
            match n_blocks {
                2 => t.line(format!("cf.cond_br {c}, {}, {}", label(0), label(1))),
                _ => {
                    let flag = t.def(format!("arith.extui {c} : i1 to i32"));
                    t.line(format!(
                        "cf.switch {flag} : i32, [default: {}, 0: {}, 7: {}]",
                        label(0),
                        label(1),
                        label(2)
                    ));
                }
            }
            for at in 0..n_blocks {
                t.line(format!("{}:", label(at)));
                t.inside(|t| {
                    let pair = if t.rng.chance(75) { [&x, &y] } else { [&y, &x] };
                    let value = match kind {
                        0 => {
                            let predicate = *t.rng.pick(&["slt", "sgt", "eq", "ult"]);
                            let c = t.def(format!(
                                "arith.cmpi {predicate}, {}, {} : i32",
                                pair[0], pair[1]
                            ));
                            t.def(format!("arith.extui {c} : i1 to i32"))
                        }
                        1 => {
                            let i = t.def(format!("arith.index_cast {} : i32 to index", pair[0]));
                            let by = t.rng.range(1, 3);
                            let sum = t.def(format!(
                                "affine.apply affine_map<()[s0] -> (s0 + {by})>()[{i}]"
                            ));
                            t.def(format!("arith.index_cast {sum} : index to i32"))
                        }
                        2 => {
                            let v = t.def(format!(
                                "vector.from_elements {}, {} : vector<2xi32>",
                                pair[0], pair[1]
                            ));
                            let at = t.rng.below(2);
                            t.def(format!("vector.extract {v}[{at}] : i32 from vector<2xi32>"))
                        }
                        _ => {
                            let name = *t.rng.pick(&["addi", "addi", "subi"]);
                            t.def(format!("arith.{name} {}, {} : i32", pair[0], pair[1]))
                        }
                    };
                    let place = if t.rng.chance(80) {
                        &places[0]
                    } else {
                        &places[1]
                    };
                    t.line(format!("memref.store {value}, {kept}[{place}] : {ty}"));
                    t.line(format!("cf.br {}", label(9)));
                });
            }
            t.line(format!("{}:", label(9)));
            t.line("scf.yield");
        });
        self.line("}");
        self.results.push((kept, ty.to_owned()));
    }

    /// Loads of one place around a region that may write it, at any depth.
    fn region_between(&mut self) {
        let ty = "memref<4xi32>";
        let kept = self.numbered(4, "i32");
        let mut place = self.index(1);
        if self.rng.chance(30) {
            place = self.opaque(1);
        }
        let load = |t: &mut Self| t.def(format!("memref.load {kept}[{place}] : {ty}"));
        let first = load(self);
        let value = self.any_number(32).0;
        let writes = self.rng.chance(80);
        let depth = self.rng.range(1, 3);
        self.regions(depth, &mut |t| {
            let other = load(t);
            let sum = t.def(format!("arith.addi {other}, {value} : i32"));
            let place = if writes { place.clone() } else { t.index(0) };
            t.line(format!("memref.store {sum}, {kept}[{place}] : {ty}"));
        });
        let last = load(self);
        self.results.push((first, "i32".to_owned()));
        self.results.push((last, "i32".to_owned()));
        self.results.push((kept.clone(), ty.to_owned()));
    }

    /// Regions in each other.
    fn regions(&mut self, depth: usize, write: &mut dyn FnMut(&mut Self)) {
        if depth == 0 {
            return write(self);
        }
        match self.rng.below(3) {
            0 => {
                let c = self.truth();
                self.line(format!("scf.if {c} {{"));
                self.inside(|t| t.regions(depth - 1, write));
                self.line("}");
            }
            1 => {
                let (zero, n) = (self.index(0), self.rng.range(1, 2) as i64);
                let end = self.number(n, 50);
                self.for_loop(&zero, &end, |t, _| t.regions(depth - 1, write));
            }
            _ => {
                self.line("scf.execute_region {");
                self.inside(|t| {
                    t.regions(depth - 1, write);
                    t.line("scf.yield");
                });
                self.line("}");
            }
        }
    }

    /// Switches on what a pass finds out, by numbers of both signs.
    fn known_switch(&mut self) {
        let width = *self.rng.pick(&[8, 16, 32, 64, 3, 1]);
        let most = (1i128 << (width - 1)) - 1;
        let edges = [-1, -2, -most - 1, most, 0, 1];
        let flag = *self.rng.pick(&edges[2..]);
        let mut cases: Vec<i128> = edges.to_vec();
        let first = self.rng.below(edges.len());
        cases.rotate_left(first);
        cases.truncate(self.rng.range(2, 4));
        if width == 1 {
            // Truth.
            cases = vec![*self.rng.pick(&[1, -1])];
        }
        let ty = format!("i{width}");
        let value = match self.rng.below(3) {
            0 | 1 if width == 1 => {
                let [a, b] = [(); 2].map(|()| {
                    let number = self.rng.below(2) as i64;
                    self.index(number)
                });
                self.def(format!("arith.cmpi eq, {a}, {b} : index"))
            }
            0 => self.def(format!("arith.constant {flag} : {ty}")),
            1 => {
                // Known to who follows it through an argument.
                let (a, b) = (flag / 2, flag - flag / 2);
                let a = self.def(format!("arith.constant {a} : {ty}"));
                let b = self.def(format!("arith.constant {b} : {ty}"));
                self.def(format!("arith.addi {a}, {b} : {ty}"))
            }
            _ => self.any_number(width).0,
        };
        let number = self.fresh();
        let label = |at: usize| format!("^b{}_{at}", &number[1..]);
        let result = format!("%w{}", &number[1..]);
        self.line(format!("{result} = scf.execute_region -> i32 {{"));
        self.inside(|t| {
            let argument = format!("{result}a");
            t.line(format!("cf.br {}({value} : {ty})", label(7)));
            t.line(format!("{}({argument}: {ty}):", label(7)));
            let list: Vec<String> = (cases.iter().enumerate())
                .map(|(at, case)| format!("{case}: {}", label(at)))
                .collect();
            t.line(format!(
                "cf.switch {argument} : {ty}, [default: {}, {}]",
                label(8),
                list.join(", ")
            ));
            let end = format!("{result}e");
            for at in (0..cases.len()).chain([8]) {
                t.line(format!("{}:", label(at)));
                let c = t.def(format!("arith.constant {} : i32", at * 10));
                t.line(format!("cf.br {}({c} : i32)", label(9)));
            }
            t.line(format!("{}({end}: i32):", label(9)));
            t.line(format!("scf.yield {end} : i32"));
        });
        self.line("}");
        self.results.push((result, "i32".to_owned()));
    }

    /// A load that only one branch uses, and a store of the same place between.
    fn sunk_and_hoisted(&mut self) {
        let ty = "memref<4xi32>";
        let kept = self.numbered(4, "i32");
        let place = self.index(2);
        let loaded = self.def(format!("memref.load {kept}[{place}] : {ty}"));
        let value = self.any_number(32).0;
        self.line(format!("memref.store {value}, {kept}[{place}] : {ty}"));
        let c = self.truth();
        let number = self.fresh();
        let result = format!("%w{}", &number[1..]);
        self.line(format!("{result} = scf.if {c} -> (i32) {{"));
        self.line(format!("  scf.yield {loaded} : i32"));
        self.line("} else {");
        self.line(format!("  scf.yield {value} : i32"));
        self.line("}");
        self.results.push((result, "i32".to_owned()));
        self.results.push((kept, ty.to_owned()));
    }
}
