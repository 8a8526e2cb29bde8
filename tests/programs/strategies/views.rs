//! Views of views whose sizes, offsets and strides are constants, values or in the type, whichever way
//! round: what folds see of them must be what they are. Each view prints its sizes, its layout and an
//! element.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut maker = Maker {
        rng: Rng::new(seed),
        text: String::new(),
        n_names: 0,
    };
    let mut views = vec![maker.allocate()];
    for _ in 0..maker.rng.range(4, 14) {
        let view = views[maker.rng.below(views.len())].clone();
        let view = maker.view(&view);
        maker.show(&view);
        views.push(view);
    }
    let arguments: Vec<String> = (0..=MAX).map(|n| format!("%n{n}: index")).collect();
    let constants: Vec<String> = (0..=MAX).map(|n| format!("%k{n}")).collect();
    let mut main = String::new();
    for n in 0..=MAX {
        let _ = writeln!(main, "  %k{n} = arith.constant {n} : index");
    }
    let types = vec!["index"; MAX as usize + 1].join(", ");
    format!(
        "{PRELUDE}func.func private @views({}) attributes {{passthrough = [\"noinline\"]}} {{\n{}  \
         return\n}}\nfunc.func @main() {{\n{main}  call @views({}) : ({types}) -> ()\n  return\n}}\n",
        arguments.join(", "),
        maker.text,
        constants.join(", "),
    )
}

/// The largest number that is also at hand as an argument.
const MAX: i64 = 60;

const PRELUDE: &str = r#"func.func private @printI64(i64)
func.func private @printNewline()
func.func private @print(%x: index) {
  %y = arith.index_cast %x : index to i64
  call @printI64(%y) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
"#;

/// A number and whether the type says so.
#[derive(Clone, Copy)]
struct Extent {
    number: i64,
    is_static: bool,
}

impl Extent {
    fn text(self) -> String {
        match self.is_static {
            true => self.number.to_string(),
            false => "?".to_owned(),
        }
    }
}

#[derive(Clone)]
struct View {
    name: String,
    sizes: Vec<Extent>,
    strides: Vec<Extent>,
    offset: Extent,
    /// Without a layout in the type.
    is_identity: bool,
}

impl View {
    fn ty(&self) -> String {
        let sizes: String = self
            .sizes
            .iter()
            .map(|s| format!("{}x", s.text()))
            .collect();
        if self.is_identity {
            return format!("memref<{sizes}i64>");
        }
        let strides: Vec<String> = self.strides.iter().map(|s| s.text()).collect();
        let offset = match (self.offset.is_static, self.offset.number) {
            (true, 0) => String::new(),
            _ => format!(", offset: {}", self.offset.text()),
        };
        format!(
            "memref<{sizes}i64, strided<[{}]{offset}>>",
            strides.join(", ")
        )
    }
}

struct Maker {
    rng: Rng,
    text: String,
    n_names: usize,
}

impl Maker {
    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    /// A number as a value, and one that folds may see or not.
    fn value(&mut self, number: i64) -> String {
        if (0..=MAX).contains(&number) && self.rng.chance(50) {
            return format!("%n{number}");
        }
        let name = self.name();
        self.line(&format!("{name} = arith.constant {number} : index"));
        name
    }

    /// A number as an attribute or a value: the text, and whether the type knows it.
    fn extent(&mut self, number: i64) -> (String, Extent) {
        let is_static = self.rng.chance(40);
        let text = match is_static {
            true => number.to_string(),
            false => self.value(number),
        };
        (text, Extent { number, is_static })
    }

    /// Numbered elements.
    fn allocate(&mut self) -> View {
        let rank = self.rng.range(1, 3);
        let mut sizes = Vec::new();
        let mut operands = Vec::new();
        for _ in 0..rank {
            let number = self.rng.range(2, 5) as i64;
            let is_static = self.rng.chance(50);
            if !is_static {
                let value = self.value(number);
                operands.push(value);
            }
            sizes.push(Extent { number, is_static });
        }
        let mut stride = Extent {
            number: 1,
            is_static: true,
        };
        let mut strides = Vec::new();
        for size in sizes.iter().rev() {
            strides.insert(0, stride);
            stride = Extent {
                number: stride.number * size.number,
                is_static: stride.is_static && size.is_static,
            };
        }
        let view = View {
            name: self.name(),
            sizes,
            strides,
            offset: Extent {
                number: 0,
                is_static: true,
            },
            is_identity: true,
        };
        let (name, ty) = (view.name.clone(), view.ty());
        self.line(&format!(
            "{name} = memref.alloc({}) : {ty}",
            operands.join(", ")
        ));
        let indices: Vec<String> = (0..rank).map(|i| format!("%i{i}")).collect();
        for (index, size) in indices.iter().zip(&view.sizes) {
            self.line(&format!(
                "scf.for {index} = %n0 to %n{} step %n1 {{",
                size.number
            ));
        }
        let mut sum = "%n7".to_owned();
        for (index, stride) in indices.iter().zip(&view.strides) {
            let (product, next) = (self.name(), self.name());
            self.line(&format!(
                "{product} = arith.muli {index}, %n{} : index",
                stride.number
            ));
            self.line(&format!("{next} = arith.addi {sum}, {product} : index"));
            sum = next;
        }
        let number = self.name();
        self.line(&format!("{number} = arith.index_cast {sum} : index to i64"));
        self.line(&format!(
            "memref.store {number}, {name}[{}] : {ty}",
            indices.join(", ")
        ));
        for _ in 0..rank {
            self.line("}");
        }
        view
    }

    fn view(&mut self, source: &View) -> View {
        match self.rng.below(8) {
            0..=2 => self.subview(source),
            3 | 4 => self.cast(source),
            5 => self.transpose(source),
            _ => self.reinterpret(source),
        }
    }

    fn subview(&mut self, source: &View) -> View {
        let mut texts: [Vec<String>; 3] = Default::default();
        let (mut sizes, mut strides) = (Vec::new(), Vec::new());
        let mut offset = source.offset;
        for (size, stride) in source.sizes.iter().zip(&source.strides) {
            let first = self.rng.below(size.number as usize) as i64;
            let step = self.rng.range(1, 2) as i64;
            let most = (size.number - first + step - 1) / step;
            let count = self.rng.range(1, most as usize) as i64;
            let [(first_text, first), (count_text, count), (step_text, step)] =
                [first, count, step].map(|number| self.extent(number));
            texts[0].push(first_text);
            texts[1].push(count_text);
            texts[2].push(step_text);
            offset = Extent {
                number: offset.number + first.number * stride.number,
                is_static: offset.is_static
                    && (first.is_static && (stride.is_static || first.number == 0)
                        || stride.is_static && stride.number == 0),
            };
            strides.push(Extent {
                number: stride.number * step.number,
                is_static: stride.is_static && step.is_static,
            });
            sizes.push(count);
        }
        let result = View {
            name: self.name(),
            sizes,
            strides,
            offset,
            is_identity: false,
        };
        let [offsets, sizes, strides] = texts.map(|texts| texts.join(", "));
        self.line(&format!(
            "{} = memref.subview {}[{offsets}] [{sizes}] [{strides}] : {} to {}",
            result.name,
            source.name,
            source.ty(),
            result.ty()
        ));
        result
    }

    /// The type may know more or less afterwards.
    fn cast(&mut self, source: &View) -> View {
        let mut again = |extent: &Extent| Extent {
            is_static: self.rng.chance(50),
            ..*extent
        };
        let sizes = source.sizes.iter().map(&mut again).collect();
        let strides = source.strides.iter().map(&mut again).collect();
        let offset = again(&source.offset);
        let result = View {
            name: self.name(),
            sizes,
            strides,
            offset,
            is_identity: false,
        };
        self.line(&format!(
            "{} = memref.cast {} : {} to {}",
            result.name,
            source.name,
            source.ty(),
            result.ty()
        ));
        result
    }

    fn transpose(&mut self, source: &View) -> View {
        let rank = source.sizes.len();
        let mut order: Vec<usize> = (0..rank).collect();
        for i in (1..rank).rev() {
            order.swap(i, self.rng.below(i + 1));
        }
        let result = View {
            name: self.name(),
            sizes: order.iter().map(|&i| source.sizes[i]).collect(),
            strides: order.iter().map(|&i| source.strides[i]).collect(),
            offset: source.offset,
            is_identity: false,
        };
        let dims: Vec<String> = (0..rank).map(|i| format!("d{i}")).collect();
        let results: Vec<String> = order.iter().map(|i| format!("d{i}")).collect();
        self.line(&format!(
            "{} = memref.transpose {} ({}) -> ({}) : {} to {}",
            result.name,
            source.name,
            dims.join(", "),
            results.join(", "),
            source.ty(),
            result.ty()
        ));
        result
    }

    /// Part of the same elements, as the first dimension or in the same shape.
    fn reinterpret(&mut self, source: &View) -> View {
        let keeps_shape = self.rng.chance(60);
        let rank = if keeps_shape { source.sizes.len() } else { 1 };
        let mut extents = |extents: &[Extent]| -> (Vec<String>, Vec<Extent>) {
            let extents = extents.iter().take(rank);
            extents.map(|extent| self.extent(extent.number)).unzip()
        };
        let (size_texts, sizes) = extents(&source.sizes);
        let (stride_texts, strides) = extents(&source.strides);
        let (offset_text, offset) = self.extent(source.offset.number);
        let result = View {
            name: self.name(),
            sizes,
            strides,
            offset,
            is_identity: false,
        };
        self.line(&format!(
            "{} = memref.reinterpret_cast {} to offset: [{offset_text}], sizes: [{}], strides: [{}] : \
             {} to {}",
            result.name,
            source.name,
            size_texts.join(", "),
            stride_texts.join(", "),
            source.ty(),
            result.ty()
        ));
        result
    }

    fn print(&mut self, value: &str) {
        self.line(&format!("func.call @print({value}) : (index) -> ()"));
    }

    fn show(&mut self, view: &View) {
        let rank = view.sizes.len();
        let ty = view.ty();
        let mut last = Vec::new();
        for (dimension, size) in view.sizes.iter().enumerate() {
            let (number, dim) = (self.value(dimension as i64), self.name());
            self.line(&format!(
                "{dim} = memref.dim {}, {number} : {ty}",
                view.name
            ));
            self.print(&dim);
            let index = self.rng.below(size.number as usize) as i64;
            last.push(self.value(index));
        }
        let (x, n) = (self.name(), self.name());
        self.line(&format!(
            "{x} = memref.load {}[{}] : {ty}",
            view.name,
            last.join(", ")
        ));
        self.line(&format!("{n} = arith.index_cast {x} : i64 to index"));
        self.print(&n);
        if self.rng.chance(60) {
            let [base, offset, sizes, strides] = [(); 4].map(|()| self.name());
            let indices = vec!["index"; 2 * rank + 1].join(", ");
            self.line(&format!(
                "{base}, {offset}, {sizes}:{rank}, {strides}:{rank} = memref.extract_strided_metadata \
                 {} : {ty} -> memref<i64>, {indices}",
                view.name
            ));
            self.print(&offset);
            for i in 0..rank {
                self.print(&format!("{sizes}#{i}"));
                self.print(&format!("{strides}#{i}"));
            }
        }
    }
}
