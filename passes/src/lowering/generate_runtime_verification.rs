//! `generate-runtime-verification`: accesses and views of buffers check when they run that they are inside.
//!
//! Before:
//! ```mlir
//! %v = memref.load %m[%i] : memref<?xf32>
//! ```
//! After:
//! ```mlir
//! %n = memref.dim %m, %c0 : memref<?xf32>
//! %low = arith.cmpi sge, %i, %c0 : index
//! %high = arith.cmpi slt, %i, %n : index
//! %inside = arith.andi %low, %high : i1
//! cf.assert %inside, "ERROR: Runtime op verification failed..."
//! %v = memref.load %m[%i] : memref<?xf32>
//! ```
//!
//! Checked are `memref.load` and `store`, `subview`, `cast` to sizes that are known, and `expand_shape` into a known size.
//! Checks that certainly hold are left out. `freehold run --check=accesses` checks every access without this pass.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::{self, MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::{arith, cf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::location::LocKind;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};
use freehold_frontend::syntax::printer::{PrintOptions, print_op};

use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// what messages of failed checks show: the place (0), or also the operation (1)
        "verbose-level" verbose_level: u64 = 1,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "generate-runtime-verification",
    summary: "check when the program runs that accesses and views lie inside of buffers",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut n_checks = 0;
    for op in ir.collect_ops(ir.root()) {
        let shows_op = context.options.verbose_level > 0;
        n_checks += u64::from(verify(ir, op, shows_op).is_some());
    }
    context.count("checks added", n_checks);
    Ok(())
}

/// Adds the checks of an operation.
fn verify(ir: &mut Ir, op: Op, shows_op: bool) -> Option<()> {
    if let Some((buffer, indices)) = memref::access::accessed_element(ir, op) {
        let indices: Vec<MixedIndex> = indices.iter().map(|&index| index.into()).collect();
        let mut checks = Checks::new(ir, op, shows_op);
        for (dim, index) in indices.into_iter().enumerate() {
            let size = checks.size(buffer, dim);
            checks.is_inside(index, size);
        }
        return checks.assert("out-of-bounds access");
    }
    if ir.is(op, &memref::SUBVIEW) {
        let lists = OffsetSizeStride::of(ir, op)?;
        let source = ir.operand(op, 0);
        let mut checks = Checks::new(ir, op, shows_op);
        for dim in 0..lists.sizes.len() {
            checks.slice(&lists, dim, source);
        }
        return checks.assert("subview is out-of-bounds of the base memref");
    }
    if ir.is(op, &memref::CAST) {
        let source = ir.operand(op, 0);
        let shape = |value| {
            ir.context()
                .shape(ir.value_type(value))
                .map(<[i64]>::to_vec)
        };
        let (from, to) = (shape(source)?, shape(ir.result(op, 0))?);
        let mut found = None;
        for (dim, (&from, &to)) in from.iter().zip(&to).enumerate() {
            if from == DYNAMIC && to != DYNAMIC {
                let mut checks = Checks::new(ir, op, shows_op);
                let size = checks.size(source, dim);
                checks.compare(CmpIPredicate::Eq, size, MixedIndex::Constant(to));
                found = checks
                    .assert(&format!("size mismatch of dim {dim}"))
                    .or(found);
            }
        }
        return found;
    }
    if ir.is(op, &memref::EXPAND_SHAPE) {
        let view = memref::ExpandShape(op);
        let source = view.source(ir);
        let shape = ir
            .context()
            .shape(ir.value_type(ir.result(op, 0)))?
            .to_vec();
        let mut checks = Checks::new(ir, op, shows_op);
        for (dim, group) in view.reassociation(checks.b.ir).into_iter().enumerate() {
            let known = group
                .iter()
                .filter_map(|&at| shape.get(usize::try_from(at).ok()?));
            let known = known.filter(|&&size| size != DYNAMIC);
            let product: i64 = known.fold(1, |product, &size| product.saturating_mul(size));
            if product > 1 {
                let size = checks.size(source, dim);
                checks.divides(product, size);
            }
        }
        return checks.assert("static result dims in reassoc group do not divide src dim evenly");
    }
    None
}

/// Conditions of an operation, built before it.
struct Checks<'a> {
    b: Builder<'a>,
    op: Op,
    conditions: Vec<Value>,
    fails: bool,
    /// Whether messages have the operation.
    shows_op: bool,
}

impl<'a> Checks<'a> {
    fn new(ir: &'a mut Ir, op: Op, shows_op: bool) -> Self {
        Self {
            b: Builder::before(ir, op),
            op,
            conditions: Vec::new(),
            fails: false,
            shows_op,
        }
    }

    fn size(&mut self, buffer: Value, dim: usize) -> MixedIndex {
        let shape = self.b.ir.context().shape(self.b.ir.value_type(buffer));
        match shape.and_then(|shape| shape.get(dim)) {
            Some(&size) if size != DYNAMIC => MixedIndex::Constant(size),
            _ => {
                let dim = arith::constant_index(&mut self.b, dim as i64);
                MixedIndex::Value(memref::build::dim(&mut self.b, buffer, dim))
            }
        }
    }

    fn compare(&mut self, predicate: CmpIPredicate, left: MixedIndex, right: MixedIndex) {
        if let (Some(a), Some(b)) = (left.constant(self.b.ir), right.constant(self.b.ir)) {
            let [x, y] = [a, b].map(i128::from);
            self.fails |= !predicate.holds((x, y), (x as u128, y as u128));
            return;
        }
        let (left, right) = (
            left.materialize(&mut self.b),
            right.materialize(&mut self.b),
        );
        self.conditions
            .push(arith::compare(&mut self.b, predicate, left, right));
    }

    fn is_inside(&mut self, index: MixedIndex, size: MixedIndex) {
        self.compare(CmpIPredicate::Sge, index, MixedIndex::Constant(0));
        self.compare(CmpIPredicate::Slt, index, size);
    }

    /// A slice of no element lies anywhere; the first and the last one of another are inside.
    fn slice(&mut self, lists: &OffsetSizeStride, dim: usize, source: Value) {
        let extent = self.size(source, dim);
        let size = lists.sizes[dim];
        let n_before = self.conditions.len();
        let failed_before = std::mem::take(&mut self.fails);
        if size.constant(self.b.ir) != Some(0) {
            self.is_inside(lists.offsets[dim], extent);
            let last = self.last(lists, dim);
            self.is_inside(last, extent);
        }
        if size.constant(self.b.ir).is_none() {
            if std::mem::take(&mut self.fails) {
                let never = arith::constant_bool(&mut self.b, false);
                self.conditions.push(never);
            }
            let own = self.conditions.split_off(n_before);
            let b = &mut self.b;
            let all = own
                .into_iter()
                .reduce(|all, one| b.value(&arith::ANDI, &[all, one], Type::I1));
            if let Some(all) = all {
                let size = size.materialize(b);
                let zero = arith::constant_index(b, 0);
                let is_empty = arith::compare(b, CmpIPredicate::Eq, size, zero);
                let either = b.value(&arith::ORI, &[is_empty, all], Type::I1);
                self.conditions.push(either);
            }
        }
        self.fails |= failed_before;
    }

    /// The index of the last element of a slice: offset + (size - 1) * stride.
    fn last(&mut self, lists: &OffsetSizeStride, dim: usize) -> MixedIndex {
        let (offset, size, stride) = (lists.offsets[dim], lists.sizes[dim], lists.strides[dim]);
        let numbers = [offset, size, stride].map(|index| index.constant(self.b.ir));
        if let [Some(offset), Some(size), Some(stride)] = numbers {
            let last = (size - 1).saturating_mul(stride).saturating_add(offset);
            return MixedIndex::Constant(last);
        }
        let [offset, size, stride] =
            [offset, size, stride].map(|index| index.materialize(&mut self.b));
        let one = arith::constant_index(&mut self.b, 1);
        let n = self.b.value(&arith::SUBI, &[size, one], Type::INDEX);
        let span = self.b.value(&arith::MULI, &[n, stride], Type::INDEX);
        MixedIndex::Value(self.b.value(&arith::ADDI, &[offset, span], Type::INDEX))
    }

    fn divides(&mut self, number: i64, size: MixedIndex) {
        if let Some(size) = size.constant(self.b.ir) {
            self.fails |= size % number != 0;
            return;
        }
        let size = size.materialize(&mut self.b);
        let number = arith::constant_index(&mut self.b, number);
        let rest = self.b.value(&arith::REMSI, &[size, number], Type::INDEX);
        self.compare(CmpIPredicate::Eq, rest.into(), MixedIndex::Constant(0));
    }

    /// Adds the assertion; none if everything certainly holds.
    fn assert(mut self, problem: &str) -> Option<()> {
        let b = &mut self.b;
        if self.fails {
            let never = arith::constant_bool(b, false);
            self.conditions.push(never);
        }
        let all = self
            .conditions
            .into_iter()
            .reduce(|all, one| b.value(&arith::ANDI, &[all, one], Type::I1))?;
        let options = PrintOptions {
            generic: true,
            local_scope: true,
            ..PrintOptions::default()
        };
        let text = print_op(b.ir, self.op, options);
        // Without the names of the results, which are those of this moment.
        let text = &text[text.find('"').unwrap_or(0)..];
        let text = match self.shows_op {
            true => format!("{}\n", text.trim_end()),
            false => String::new(),
        };
        let place = place(b.ir, self.op);
        let message = format!(
            "ERROR: Runtime op verification failed\n{text}^ {problem}\nLocation: loc({place})"
        );
        let message = b.ir.context().string_attr(&message);
        let spec = b
            .spec(&cf::ASSERT)
            .operands(&[all])
            .attr(Name::MSG, message);
        b.create(spec);
        Some(())
    }
}

/// Where an operation stands.
fn place(ir: &Ir, op: Op) -> String {
    let context = ir.context();
    if let Some((source, offset)) = context.source_of(ir.loc(op)) {
        let (line, column) = source.line_column(offset);
        return format!("\"{}\":{line}:{column}", source.name);
    }
    match context.loc_kind(ir.loc(op)) {
        Some(LocKind::File { file, line, column }) => format!("\"{file}\":{line}:{column}"),
        _ => "unknown".to_owned(),
    }
}
