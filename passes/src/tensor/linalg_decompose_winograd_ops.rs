//! `linalg-decompose-winograd-ops`: the transforms of Winograd's convolution become products with constant matrices.
//!
//! Before:
//! ```mlir
//! %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%f : tensor<2x3x3x5xf32>)
//!     outs(%o : tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32>
//! ```
//! After, `G` and its transpose being constants:
//! ```mlir
//! %0 = linalg.generic {...} ins(%G, %f : ...) outs(%zero : tensor<4x3x5x2xf32>) { ... }
//! %1 = linalg.generic {...} ins(%0, %Gt : ...) outs(%zero1 : tensor<4x4x5x2xf32>) { ... }
//! ```
//!
//! Sums are those of upstream's decomposition, which is an operation of its transform dialect: first along the height,
//! then along the width, each from zero on. The result of the output transform is scaled, if the matrices are made
//! for that, and added to what its tensor has; without a scale the last sum begins there.

use freehold_frontend::dialects::linalg::winograd::{
    FILTER_TRANSFORM, Fmr, INPUT_TRANSFORM, OUTPUT_TRANSFORM,
};
use freehold_frontend::dialects::linalg::{IteratorType, interface};
use freehold_frontend::dialects::shared::const_fold::float;
use freehold_frontend::dialects::tensor::reshapes;
use freehold_frontend::dialects::{arith, linalg, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, FloatKind, Type, TypeKind};

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-decompose-winograd-ops",
    summary: "convert the transforms of Winograd's convolution to linalg.generic",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        let is_one = [&FILTER_TRANSFORM, &INPUT_TRANSFORM, &OUTPUT_TRANSFORM]
            .iter()
            .any(|def| ir.is(op, def));
        if !is_one {
            continue;
        }
        if decompose(ir, op).is_none() {
            let name = ir.def(op).name;
            let message = format!("'{name}' op cannot be decomposed: its elements are no floats");
            return Err(context.diagnostics.error(ir.loc(op), message));
        }
        context.count("operations decomposed", 1);
    }
    Ok(())
}

/// The matrices of a transform, row by row.
struct Matrices {
    /// G
    filter: &'static [f64],
    /// The transpose of B.
    input: &'static [f64],
    /// The transpose of A.
    output: &'static [f64],
    /// What results are multiplied by, along each dimension.
    scale: f64,
}

const THIRD: f64 = 1.0 / 3.0;
const SIXTH: f64 = 1.0 / 6.0;
const TWELFTH: f64 = 1.0 / 12.0;

#[rustfmt::skip]
static F_2_3: Matrices = Matrices {
    filter: &[
        -1.0, 0.0, 0.0,
        0.5, -0.5, 0.5,
        0.5, 0.5, 0.5,
        0.0, 0.0, 1.0,
    ],
    input: &[
        -1.0, 0.0, 1.0, 0.0,
        0.0, -1.0, 1.0, 0.0,
        0.0, 1.0, 1.0, 0.0,
        0.0, -1.0, 0.0, 1.0,
    ],
    output: &[
        1.0, 1.0, 1.0, 0.0,
        0.0, -1.0, 1.0, 1.0,
    ],
    scale: 1.0,
};

#[rustfmt::skip]
static F_4_3: Matrices = Matrices {
    filter: &[
        1.0, 0.0, 0.0,
        -THIRD, THIRD, -THIRD,
        -THIRD, -THIRD, -THIRD,
        TWELFTH, -SIXTH, THIRD,
        TWELFTH, SIXTH, THIRD,
        0.0, 0.0, 1.0,
    ],
    input: &[
        0.25, 0.0, -0.3125, 0.0, 0.0625, 0.0,
        0.0, 0.25, -0.25, -0.0625, 0.0625, 0.0,
        0.0, -0.25, -0.25, 0.0625, 0.0625, 0.0,
        0.0, 0.25, -0.125, -0.25, 0.125, 0.0,
        0.0, -0.25, -0.125, 0.25, 0.125, 0.0,
        0.0, 0.25, 0.0, -0.3125, 0.0, 0.0625,
    ],
    output: &[
        0.125, 0.25, 0.25, 0.125, 0.125, 0.0,
        0.0, -0.25, 0.25, -0.25, 0.25, 0.0,
        0.0, 0.25, 0.25, 0.5, 0.5, 0.0,
        0.0, -0.25, 0.25, -1.0, 1.0, 0.5,
    ],
    scale: 32.0,
};

#[rustfmt::skip]
static F_2_5: Matrices = Matrices {
    filter: &[
        1.0, 0.0, 0.0, 0.0, 0.0,
        SIXTH, -SIXTH, SIXTH, -SIXTH, SIXTH,
        -SIXTH, -SIXTH, -SIXTH, -SIXTH, -SIXTH,
        -4.0 / 15.0, 2.0 / 15.0, -1.0 / 15.0, 1.0 / 30.0, -1.0 / 60.0,
        1.0 / 60.0, 1.0 / 30.0, 1.0 / 15.0, 2.0 / 15.0, 4.0 / 15.0,
        0.0, 0.0, 0.0, 0.0, 1.0,
    ],
    input: &[
        0.125, 0.1875, -0.25, -0.1875, 0.125, 0.0,
        0.0, 0.125, 0.0625, -0.3125, 0.125, 0.0,
        0.0, -0.125, -0.3125, -0.0625, 0.125, 0.0,
        0.0, 0.25, -0.125, -0.25, 0.125, 0.0,
        0.0, -0.125, -0.25, 0.125, 0.25, 0.0,
        0.0, 0.125, 0.1875, -0.25, -0.1875, 0.125,
    ],
    output: &[
        0.5, 1.0, 1.0, 2.0, 1.0, 0.0,
        0.0, -1.0, 1.0, -1.0, 2.0, 0.5,
    ],
    scale: 16.0,
};

/// A subscript: the sum of a loop counter times a factor and perhaps another counter. Loops are named by letters.
#[derive(Clone, Copy)]
enum Subscript {
    Of(char),
    Tile { tile: char, size: i64, inner: char },
}

/// A tensor and how a nest of loops subscripts it.
type Access = (Value, Vec<Subscript>);

/// Subscripts that are counters.
fn counters(names: &str) -> Vec<Subscript> {
    names.chars().map(Subscript::Of).collect()
}

/// The function under construction.
struct Transform<'a> {
    b: Builder<'a>,
    element: Type,
    kind: FloatKind,
    fmr: Fmr,
    matrices: &'static Matrices,
    /// How often each loop runs: a number, or the size of a dimension of a tensor.
    sizes: Vec<(char, Size)>,
}

#[derive(Clone, Copy)]
enum Size {
    Known(i64),
    Of(Value, usize),
}

/// Replaces `op`; `None` if its elements are no floats.
fn decompose(ir: &mut Ir, op: Op) -> Option<()> {
    let fmr = Fmr::of(ir, op)?;
    let matrices = match (fmr.output, fmr.filter) {
        (2, 3) => &F_2_3,
        (4, 3) => &F_4_3,
        _ => &F_2_5,
    };
    let (input, output) = (ir.operand(op, 0), ir.operand(op, 1));
    let element = interface::element_type(ir, output);
    let kind = ir.context().float_kind(element)?;
    // Where the filter has one element, nothing is transformed.
    let transformed = |ir: &Ir, value, first| {
        let shape = interface::shape(ir, value);
        [
            shape.get(first) != Some(&1),
            shape.get(first + 1) != Some(&1),
        ]
    };
    let is_filter = ir.is(op, &FILTER_TRANSFORM);
    let is_input = ir.is(op, &INPUT_TRANSFORM);
    let [high, wide] = match (is_filter, is_input) {
        (true, _) => transformed(ir, input, 1),
        (_, true) => transformed(ir, output, 0),
        _ => transformed(ir, input, 0),
    };
    let mut transform = Transform {
        b: Builder::before(ir, op),
        element,
        kind,
        fmr,
        matrices,
        sizes: Vec::new(),
    };
    let result = match (is_filter, is_input) {
        (true, _) => transform.filter(input, high, wide)?,
        (_, true) => transform.input(input, output, high, wide)?,
        _ => transform.output(input, output, high, wide)?,
    };
    ir.replace_op(op, &[result]);
    Some(())
}

impl Transform<'_> {
    fn filter(&mut self, filter: Value, high: bool, wide: bool) -> Option<Value> {
        let (tile, size) = (self.fmr.input(), self.fmr.filter);
        self.sizes = vec![
            ('f', Size::Of(filter, 0)),
            ('h', Size::Of(filter, 1)),
            ('w', Size::Of(filter, 2)),
            ('c', Size::Of(filter, 3)),
            ('a', Size::Known(tile)),
            ('b', Size::Known(tile)),
        ];
        let g = self.matrices.filter;
        let mut now = (filter, counters("fhwc"));
        if high {
            let matrix = self.matrix(g, [tile, size], false)?;
            let to = "awcf";
            let value = self.product([(matrix, counters("ah")), now], to, None)?;
            now = (value, counters(to));
        }
        if wide {
            let matrix = self.matrix(g, [tile, size], true)?;
            let to = if high { "abcf" } else { "hbcf" };
            let value = self.product([now, (matrix, counters("wb"))], to, None)?;
            now = (value, counters(to));
        }
        Some(now.0)
    }

    fn input(&mut self, input: Value, output: Value, high: bool, wide: bool) -> Option<Value> {
        let tile = self.fmr.input();
        self.sizes = vec![
            ('y', Size::Of(output, 2)),
            ('x', Size::Of(output, 3)),
            ('n', Size::Of(output, 4)),
            ('c', Size::Of(output, 5)),
        ];
        let size = |is| Size::Known(if is { tile } else { 1 });
        for (name, is) in [('a', high), ('b', wide), ('i', high), ('j', wide)] {
            self.sizes.push((name, size(is)));
        }
        let place = |tile, inner, is| match is {
            true => Subscript::Tile {
                tile,
                size: self.fmr.output,
                inner,
            },
            false => Subscript::Of(tile),
        };
        let n = Subscript::Of('n');
        let c = Subscript::Of('c');
        let mut now = (
            input,
            vec![n, place('y', 'i', high), place('x', 'j', wide), c],
        );
        let bt = self.matrices.input;
        if high {
            let matrix = self.matrix(bt, [tile, tile], false)?;
            let to = if wide { "ajyxnc" } else { "abyxnc" };
            let value = self.product([(matrix, counters("ai")), now], to, None)?;
            now = (value, counters(to));
        }
        if wide {
            let matrix = self.matrix(bt, [tile, tile], true)?;
            let value = self.product([now, (matrix, counters("jb"))], "abyxnc", None)?;
            now = (value, counters("abyxnc"));
        }
        match high || wide {
            true => Some(now.0),
            false => self.copy(now, "abyxnc"),
        }
    }

    fn output(&mut self, value: Value, output: Value, high: bool, wide: bool) -> Option<Value> {
        let (tile, size) = (self.fmr.input(), self.fmr.output);
        self.sizes = vec![
            ('y', Size::Of(value, 2)),
            ('x', Size::Of(value, 3)),
            ('n', Size::Of(value, 4)),
            ('f', Size::Of(value, 5)),
        ];
        let known = |is: bool, size| Size::Known(if is { size } else { 1 });
        for (name, is, size) in [
            ('a', high, tile),
            ('b', wide, tile),
            ('p', high, size),
            ('q', wide, size),
        ] {
            self.sizes.push((name, known(is, size)));
        }
        // Results lie tile by tile at first.
        let place = |tile, inner, is| match is {
            true => Subscript::Tile { tile, size, inner },
            false => Subscript::Of(tile),
        };
        let n = Subscript::Of('n');
        let f = Subscript::Of('f');
        let there = (
            output,
            vec![n, place('y', 'p', high), place('x', 'q', wide), f],
        );
        let sides = i32::from(high) + i32::from(wide);
        let scale = self.matrices.scale.powi(sides);
        let begin = match scale == 1.0 {
            true => Some(self.copy(there.clone(), "nypxqf")?),
            false => None,
        };
        let at = self.matrices.output;
        let mut now = (value, counters("abyxnf"));
        if high {
            let matrix = self.matrix(at, [size, tile], false)?;
            let (to, begin) = match wide {
                true => ("pbyxnf", None),
                false => ("nypxqf", begin),
            };
            let value = self.product([(matrix, counters("pa")), now], to, begin)?;
            now = (value, counters(to));
        }
        if wide {
            let matrix = self.matrix(at, [size, tile], true)?;
            let value = self.product([now, (matrix, counters("bq"))], "nypxqf", begin)?;
            now = (value, counters("nypxqf"));
        }
        if !high && !wide {
            now = (self.copy(now, "nypxqf")?, counters("nypxqf"));
        }
        if scale != 1.0 || (!high && !wide) {
            let factor = self.number(scale)?;
            let init = self.empty("nypxqf")?;
            let value = self.generic(&[now, there], "nypxqf", init, |b, elements, ty| {
                let scaled = b.value(&arith::MULF, &[factor, elements[0]], ty);
                b.value(&arith::ADDF, &[scaled, elements[1]], ty)
            })?;
            now = (value, counters("nypxqf"));
        }
        let groups = [vec![0], vec![1, 2], vec![3, 4], vec![5]];
        let ty = self.b.ir.value_type(now.0);
        let context = self.b.context();
        let sizes = context.shape(ty)?;
        let merged = |group: &Vec<i64>| {
            let sizes = group.iter().map(|&dim| sizes[dim as usize]);
            sizes.fold(1, |product: i64, size| match (product, size) {
                (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
                (product, size) => product.saturating_mul(size),
            })
        };
        let shape: Vec<i64> = groups.iter().map(merged).collect();
        let ty = self.tensor_type(&shape);
        let collapsed = reshapes::collapse_shape(&mut self.b, now.0, &groups, ty);
        let wanted = self.b.ir.value_type(output);
        Some(match ty == wanted {
            true => collapsed,
            false => self.b.value(&tensor::CAST, &[collapsed], wanted),
        })
    }

    fn tensor_type(&self, shape: &[i64]) -> Type {
        self.b.context().intern_type(TypeKind::RankedTensor {
            shape: shape.into(),
            element: self.element,
            encoding: None,
        })
    }

    fn bits(&self, value: f64) -> Option<u128> {
        // Upstream has them in single precision.
        Some(float::encode(self.kind, f64::from(value as f32))?.0)
    }

    fn number(&mut self, value: f64) -> Option<Value> {
        let (ty, bits) = (self.element, self.bits(value)?);
        let attr = self.b.context().intern_attr(AttrKind::Float { ty, bits });
        Some(arith::constant_attr(&mut self.b, attr))
    }

    /// A constant matrix of this shape, or its transpose.
    fn matrix(&mut self, rows: &[f64], [n, m]: [i64; 2], transposed: bool) -> Option<Value> {
        let context = self.b.context();
        let size = usize::try_from(context.element_byte_size(self.element)?).ok()?;
        let (n, m) = (n as usize, m as usize);
        let (shape, places): (_, Vec<usize>) = match transposed {
            false => ([n, m], (0..n * m).collect()),
            true => ([m, n], (0..n * m).map(|i| i % n * m + i / n).collect()),
        };
        let mut bytes = Vec::new();
        for place in places {
            bytes.extend_from_slice(&self.bits(rows[place])?.to_le_bytes()[..size]);
        }
        let dense = DenseElements {
            ty: self.tensor_type(&shape.map(|size| size as i64)),
            splat: false,
            bytes: bytes.into(),
        };
        let attr = context.intern_attr(AttrKind::DenseElements(dense));
        Some(arith::constant_attr(&mut self.b, attr))
    }

    /// A tensor that loops subscript by their counters.
    fn empty(&mut self, names: &str) -> Option<Value> {
        let (mut shape, mut dynamic) = (Vec::new(), Vec::new());
        for name in names.chars() {
            let &(_, size) = self.sizes.iter().find(|(other, _)| *other == name)?;
            let known = match size {
                Size::Known(known) => known,
                Size::Of(value, dim) => {
                    let known = interface::shape(self.b.ir, value)[dim];
                    if known == DYNAMIC {
                        let dim = arith::constant_index(&mut self.b, dim as i64);
                        dynamic.push(self.b.value(&tensor::DIM, &[value, dim], Type::INDEX));
                    }
                    known
                }
            };
            shape.push(known);
        }
        let ty = self.tensor_type(&shape);
        Some(self.b.value(&tensor::EMPTY, &dynamic, ty))
    }

    /// The sum of products along the loops that the result does not have, from `begin` or zero on.
    fn product(&mut self, factors: [Access; 2], to: &str, begin: Option<Value>) -> Option<Value> {
        let init = match begin {
            Some(begin) => begin,
            None => {
                let (empty, zero) = (self.empty(to)?, self.number(0.0)?);
                let fill = linalg::build_named(&mut self.b, &linalg::FILL, &[zero], &[empty]);
                let fill = fill.ok()?;
                self.b.ir.result(fill, 0)
            }
        };
        self.generic(&factors, to, init, |b, elements, ty| {
            let product = b.value(&arith::MULF, &[elements[0], elements[1]], ty);
            b.value(&arith::ADDF, &[elements[2], product], ty)
        })
    }

    fn copy(&mut self, from: Access, to: &str) -> Option<Value> {
        let init = self.empty(to)?;
        self.generic(&[from], to, init, |_, elements, _| elements[0])
    }

    /// A `linalg.generic` whose outer loops are those of the result. `compute` gets the elements of inputs and of
    /// the result.
    fn generic(
        &mut self,
        inputs: &[Access],
        to: &str,
        init: Value,
        compute: impl FnOnce(&mut Builder<'_>, &[Value], Type) -> Value,
    ) -> Option<Value> {
        let mut loops: Vec<char> = to.chars().collect();
        for subscript in inputs.iter().flat_map(|(_, subscripts)| subscripts) {
            let names = match *subscript {
                Subscript::Of(name) => [name, name],
                Subscript::Tile { tile, inner, .. } => [tile, inner],
            };
            for name in names {
                if !loops.contains(&name) {
                    loops.push(name);
                }
            }
        }
        let counter = |name: char| {
            let number = loops.iter().position(|&other| other == name).unwrap_or(0);
            AffineExpr::Dim(number as u32)
        };
        let map = |subscripts: &[Subscript]| AffineMap {
            n_dims: loops.len() as u32,
            n_symbols: 0,
            results: (subscripts.iter())
                .map(|subscript| match *subscript {
                    Subscript::Of(name) => counter(name),
                    Subscript::Tile { tile, size, inner } => counter(tile)
                        .mul(AffineExpr::Constant(size))
                        .add(counter(inner)),
                })
                .collect(),
        };
        let context = self.b.context();
        let maps: Vec<_> = (inputs.iter().map(|(_, subscripts)| map(subscripts)))
            .chain([map(&counters(to))])
            .map(|map| context.affine_map_attr(map))
            .collect();
        let iterators: Vec<_> = (0..loops.len())
            .map(|i| match i < to.len() {
                true => IteratorType::Parallel.to_attr(&context),
                false => IteratorType::Reduction.to_attr(&context),
            })
            .collect();
        let values: Vec<Value> = inputs.iter().map(|&(value, _)| value).collect();
        let spec = (self.b.spec(&linalg::GENERIC))
            .operands(&values)
            .operands(&[init])
            .results(&[self.b.ir.value_type(init)])
            .attr(
                Name::OPERAND_SEGMENT_SIZES,
                context.i32_array_attr(&[values.len() as i32, 1]),
            )
            .attr(Name::INDEXING_MAPS, context.array_attr(&maps))
            .attr(Name::ITERATOR_TYPES, context.array_attr(&iterators))
            .regions(1);
        let generic = self.b.create(spec);
        let region = self.b.ir.region(generic, 0);
        let arguments = vec![self.element; values.len() + 1];
        let block = self.b.ir.append_block(region, &arguments);
        let elements = self.b.ir.block_args(block).to_vec();
        let mut body = self.b.inside(block);
        let result = compute(&mut body, &elements, self.element);
        body.op(&linalg::YIELD, &[result], &[]);
        Some(self.b.ir.result(generic, 0))
    }
}
