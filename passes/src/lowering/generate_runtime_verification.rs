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
//! Checked are loads, stores and atomic accesses, slices, alignments, casts to what is known of sizes and layouts, `copy`, `dim`, and
//! `expand_shape`, of buffers and of tensors, and the sizes of operands of linalg. Checks that certainly
//! hold are left out. `freehold run --check=accesses` checks every access without this pass.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::{self, MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::{arith, cf, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineOp};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::location::LocKind;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type};
use freehold_frontend::ir::version::MlirVersion;
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
    let is = |def| ir.is(op, def);
    if let Some((buffer, indices)) = accessed(ir, op) {
        let mut checks = Checks::new(ir, op, shows_op);
        for (dim, index) in indices.into_iter().enumerate() {
            let size = checks.size(buffer, dim);
            checks.is_inside(index.into(), size);
        }
        return checks.assert("out-of-bounds access");
    }
    for (def, name) in [
        (&memref::SUBVIEW, "subview"),
        (&tensor::EXTRACT_SLICE, "extract_slice"),
    ] {
        if ir.is(op, def) {
            return slice(ir, op, shows_op, name);
        }
    }
    if is(&memref::ASSUME_ALIGNMENT) {
        let alignment = ir.attr(op, Name::ALIGNMENT)?;
        let alignment = i64::try_from(ir.context().attr_integer(alignment)?).ok()?;
        let buffer = ir.operand(op, 0);
        let mut checks = Checks::new(ir, op, shows_op);
        let def = &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX;
        let pointer = checks.b.value(def, &[buffer], Type::INDEX);
        checks.divides(alignment, pointer.into());
        return checks.assert(&format!("memref is not aligned to {alignment}"));
    }
    if is(&memref::DIM) || is(&tensor::DIM) {
        let (source, index) = (ir.operand(op, 0), ir.operand(op, 1));
        let mut checks = Checks::new(ir, op, shows_op);
        let rank = checks.rank(source);
        checks.is_inside(index.into(), rank);
        return checks.assert("index is out of bounds");
    }
    if is(&memref::COPY) {
        let (source, target) = (ir.operand(op, 0), ir.operand(op, 1));
        let n = ir.context().shape(ir.value_type(source))?.len();
        ir.context().shape(ir.value_type(target))?;
        return last((0..n).map(|dim| {
            let mut checks = Checks::new(ir, op, shows_op);
            let sizes = [source, target].map(|buffer| checks.size(buffer, dim));
            checks.compare(CmpIPredicate::Eq, sizes[0], sizes[1]);
            checks.assert(&format!(
                "size of {dim}-th source/target dim does not match"
            ))
        }));
    }
    if is(&memref::CAST) || is(&tensor::CAST) {
        return cast(ir, op, shows_op);
    }
    if is(&memref::EXPAND_SHAPE) {
        let view = memref::ExpandShape(op);
        let source = view.source(ir);
        let shape = view.mixed_output_shape(ir);
        let mut checks = Checks::new(ir, op, shows_op);
        for (dim, group) in view.reassociation(checks.b.ir).into_iter().enumerate() {
            let sizes = group
                .iter()
                .filter_map(|&at| shape.get(usize::try_from(at).ok()?));
            let size = checks.size(source, dim);
            let product = checks.product(sizes.copied());
            checks.compare(CmpIPredicate::Eq, product, size);
        }
        return checks.assert("product of output dims in reassoc group does not equal input dim");
    }
    if interface::is_structured(ir, op) {
        return structured(ir, op, shows_op);
    }
    None
}

/// The element that an operation reads or writes.
fn accessed(ir: &Ir, op: Op) -> Option<(Value, Vec<Value>)> {
    if let Some((buffer, indices)) = memref::access::accessed_element(ir, op) {
        return Some((buffer, indices.to_vec()));
    }
    let first = [
        (&memref::GENERIC_ATOMIC_RMW, 0),
        (&memref::ATOMIC_RMW, 1),
        (&tensor::EXTRACT, 0),
        (&tensor::INSERT, 1),
    ];
    let (_, at) = first.into_iter().find(|(def, _)| ir.is(op, def))?;
    Some((ir.operand(op, at), ir.operands(op)[at + 1..].to_vec()))
}

/// A slice of no element lies anywhere; the first and the last one of another are inside.
fn slice(ir: &mut Ir, op: Op, shows_op: bool, name: &str) -> Option<()> {
    let lists = OffsetSizeStride::of(ir, op)?;
    let source = ir.operand(op, 0);
    let mut found = None;
    for (dim, &size) in lists.sizes.iter().enumerate() {
        if size.constant(ir) == Some(0) {
            continue;
        }
        let mut checks = Checks::new(ir, op, shows_op);
        let extent = checks.size(source, dim);
        if size.constant(checks.b.ir).is_none() {
            checks.compare(CmpIPredicate::Eq, size, MixedIndex::Constant(0));
        }
        let empty = checks.any();
        checks.unless = empty;
        checks.is_inside(lists.offsets[dim], extent);
        let problem = format!("offset {dim} is out-of-bounds");
        found = checks.assert(&problem).or(found);
        let mut checks = Checks::new(ir, op, shows_op);
        checks.unless = empty;
        let last = checks.last(&lists, dim);
        checks.is_inside(last, extent);
        let problem = format!("{name} runs out-of-bounds along dimension {dim}");
        found = checks.assert(&problem).or(found);
    }
    found
}

/// The last one that is there; all are made.
fn last(all: impl Iterator<Item = Option<()>>) -> Option<()> {
    all.fold(None, |found, one| one.or(found))
}

/// What the type of the result says of rank, sizes and layout is so.
fn cast(ir: &mut Ir, op: Op, shows_op: bool) -> Option<()> {
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    let context = ir.context().clone();
    let [from, to] = [source, result].map(|value| ir.value_type(value));
    let sizes = context.shape(to)?.to_vec();
    let known = context.shape(from).map(<[i64]>::to_vec);
    let mut found = None;
    if known.is_none() {
        let mut checks = Checks::new(ir, op, shows_op);
        let rank = checks.rank(source);
        let wanted = MixedIndex::Constant(sizes.len() as i64);
        checks.compare(CmpIPredicate::Eq, rank, wanted);
        found = checks.assert("rank mismatch");
    }
    let is_new = |dim: usize, old: &Option<Vec<i64>>, size: i64| {
        size != DYNAMIC && old.as_ref().is_none_or(|old| old[dim] == DYNAMIC)
    };
    for (dim, &size) in sizes.iter().enumerate() {
        if is_new(dim, &known, size) {
            let mut checks = Checks::new(ir, op, shows_op);
            let old = checks.size(source, dim);
            checks.compare(CmpIPredicate::Eq, old, MixedIndex::Constant(size));
            let problem = format!("size mismatch of dim {dim}");
            found = checks.assert(&problem).or(found);
        }
    }
    let Some(memref) = context.as_memref(to) else {
        return found;
    };
    let (strides, offset) = context.memref_strides(memref)?;
    let old = context
        .as_memref(from)
        .map(|old| context.memref_strides(old));
    let (old_strides, old_offset) = match old {
        Some(old) => old.map(|(strides, offset)| (Some(strides), offset))?,
        None => (None, DYNAMIC),
    };
    let checks_offset = offset != DYNAMIC && old_offset == DYNAMIC;
    let dims: Vec<usize> = (0..sizes.len())
        .filter(|&dim| is_new(dim, &old_strides, strides[dim]))
        .collect();
    if !checks_offset && dims.is_empty() {
        return found;
    }
    let mut b = Builder::before(ir, op);
    let any = vec![DYNAMIC; sizes.len()];
    let any =
        memref::types::strided_memref(&context, &any, memref.element, DYNAMIC, &any, memref.space);
    let any = context.memref_type(any);
    let any = b.value(&memref::CAST, &[source], any);
    let metadata = memref::build::extract_strided_metadata(&mut b, any);
    let own_offset = metadata.offset(ir);
    let own_strides = metadata.strides(ir).to_vec();
    let facts = (checks_offset.then(|| (own_offset, offset, "offset mismatch".to_owned())))
        .into_iter()
        .chain(dims.into_iter().map(|dim| {
            let problem = format!("stride mismatch of dim {dim}");
            (own_strides[dim], strides[dim], problem)
        }));
    for (own, wanted, problem) in facts {
        let mut checks = Checks::new(ir, op, shows_op);
        checks.compare(CmpIPredicate::Eq, own.into(), MixedIndex::Constant(wanted));
        found = checks.assert(&problem).or(found);
    }
    found
}

/// Operands have the sizes that loops have, or what subscripts reach; nothing is required where a loop does not run.
fn structured(ir: &mut Ir, op: Op, shows_op: bool) -> Option<()> {
    let operands = ir.operands(op).to_vec();
    let is_dynamic = |&&operand: &&Value| interface::shape(ir, operand).contains(&DYNAMIC);
    operands.iter().find(is_dynamic)?;
    let maps = interface::indexing_maps(ir, op);
    let loops = interface::loop_sizes(ir, op);
    let loops = loops.into_iter().collect::<Option<Vec<(Value, usize)>>>()?;
    let mut checks = Checks::new(ir, op, shows_op);
    let counts: Vec<MixedIndex> = (loops.iter())
        .map(|&(operand, dim)| checks.size(operand, dim))
        .collect();
    let zero = MixedIndex::Constant(0);
    if counts.contains(&zero) {
        return None;
    }
    for &count in counts
        .iter()
        .filter(|count| matches!(count, MixedIndex::Value(_)))
    {
        checks.compare(CmpIPredicate::Sle, count, zero);
    }
    let empty = checks.any();
    let last_counters: Vec<MixedIndex> = (counts.iter())
        .map(|&count| checks.sum(count, MixedIndex::Constant(-1)))
        .collect();
    let first_counters = vec![zero; counts.len()];
    let mut found = None;
    for (at, (&operand, map)) in operands.iter().zip(&maps).enumerate() {
        for (dim, subscript) in map.results.iter().enumerate() {
            let place = format!("dimension #{dim} of input/output operand #{at}");
            let mut checks = Checks::new(ir, op, shows_op);
            checks.unless = empty;
            let size = checks.size(operand, dim);
            let misfit = format!("{place} is incompatible with inferred dimension size");
            if let AffineExpr::Dim(counter) = subscript {
                if loops[*counter as usize] != (operand, dim) {
                    checks.compare(CmpIPredicate::Eq, counts[*counter as usize], size);
                }
                found = checks.assert(&misfit).or(found);
                continue;
            }
            let ends = [&first_counters, &last_counters].map(|at| checks.value(subscript, at));
            let [Some(first), Some(last)] = ends else {
                continue;
            };
            for end in [first, last] {
                checks.compare(CmpIPredicate::Sge, end, zero);
            }
            let problem = format!("unexpected negative result on {place}");
            found = checks.assert(&problem).or(found);
            let mut checks = Checks::new(ir, op, shows_op);
            checks.unless = empty;
            for end in [first, last] {
                checks.compare(CmpIPredicate::Slt, end, size);
            }
            found = checks.assert(&misfit).or(found);
        }
    }
    found
}

/// Conditions of an operation, built before it.
struct Checks<'a> {
    b: Builder<'a>,
    op: Op,
    conditions: Vec<Value>,
    fails: bool,
    /// If this is true, they need not hold.
    unless: Option<Value>,
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
            unless: None,
            shows_op,
        }
    }

    fn size(&mut self, buffer: Value, dim: usize) -> MixedIndex {
        let shape = self.b.ir.context().shape(self.b.ir.value_type(buffer));
        match shape.and_then(|shape| shape.get(dim)) {
            Some(&size) if size != DYNAMIC => MixedIndex::Constant(size),
            _ => {
                let dim = arith::constant_index(&mut self.b, dim as i64);
                let size = match self.b.ir.is_memref(buffer) {
                    true => memref::build::dim(&mut self.b, buffer, dim),
                    false => self.b.value(&tensor::DIM, &[buffer, dim], Type::INDEX),
                };
                MixedIndex::Value(size)
            }
        }
    }

    fn rank(&mut self, buffer: Value) -> MixedIndex {
        let shape = self.b.ir.context().shape(self.b.ir.value_type(buffer));
        match (shape, self.b.ir.is_memref(buffer)) {
            (Some(shape), _) => MixedIndex::Constant(shape.len() as i64),
            (None, true) => self.b.value(&memref::RANK, &[buffer], Type::INDEX).into(),
            (None, false) => self.b.value(&tensor::RANK, &[buffer], Type::INDEX).into(),
        }
    }

    fn sum(&mut self, left: MixedIndex, right: MixedIndex) -> MixedIndex {
        self.compute(&arith::ADDI, i64::checked_add, left, right)
    }

    fn product(&mut self, factors: impl Iterator<Item = MixedIndex>) -> MixedIndex {
        factors.fold(MixedIndex::Constant(1), |product, factor| {
            match product == MixedIndex::Constant(1) {
                true => factor,
                false => self.compute(&arith::MULI, i64::checked_mul, product, factor),
            }
        })
    }

    fn compute(
        &mut self,
        def: &'static OpDef,
        fold: fn(i64, i64) -> Option<i64>,
        left: MixedIndex,
        right: MixedIndex,
    ) -> MixedIndex {
        if let (Some(a), Some(b)) = (left.constant(self.b.ir), right.constant(self.b.ir))
            && let Some(folded) = fold(a, b)
        {
            return MixedIndex::Constant(folded);
        }
        let [left, right] = [left, right].map(|index| index.materialize(&mut self.b));
        self.b.value(def, &[left, right], Type::INDEX).into()
    }

    /// A subscript of these counters, if it is a sum of multiples.
    fn value(&mut self, expr: &AffineExpr, counters: &[MixedIndex]) -> Option<MixedIndex> {
        Some(match expr {
            AffineExpr::Dim(at) => *counters.get(*at as usize)?,
            AffineExpr::Constant(number) => MixedIndex::Constant(*number),
            AffineExpr::Symbol(_) => return None,
            AffineExpr::Binary(op, sides) => {
                let [left, right] = [&sides.0, &sides.1].map(|side| self.value(side, counters));
                match op {
                    AffineOp::Add => self.sum(left?, right?),
                    AffineOp::Mul => self.compute(&arith::MULI, i64::checked_mul, left?, right?),
                    _ => return None,
                }
            }
        })
    }

    /// Whether any of the conditions holds; nothing if there are none.
    fn any(&mut self) -> Option<Value> {
        let conditions = std::mem::take(&mut self.conditions).into_iter();
        conditions.reduce(|any, one| self.b.value(&arith::ORI, &[any, one], Type::I1))
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
        let all = match self.unless {
            Some(unless) => b.value(&arith::ORI, &[unless, all], Type::I1),
            None => all,
        };
        let options = PrintOptions {
            skip_regions: true,
            local_scope: true,
            mlir_version: Some(MlirVersion::V22),
            ..PrintOptions::default()
        };
        let mut text = print_op(b.ir, self.op, options);
        // In MLIR 22 it has a result.
        if b.ir.is(self.op, &memref::ASSUME_ALIGNMENT) {
            text.insert_str(0, "%assume_align = ");
        }
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
