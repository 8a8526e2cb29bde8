//! Operations that put elements elsewhere: which element of which operand an element of a result is.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::vector::{
    self, Coordinates, coordinates, linear, numbers, sizes_of,
};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::DYNAMIC;

/// An element: of which value, and its number there.
pub(crate) type Source = (Value, usize);

/// What a result is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Moved {
    /// For each element, where it is from.
    Known(Vec<Source>),
    /// Where they are from turns out when the program runs, or is nowhere.
    Unknown,
}

/// Finds where the elements of a result are from: numbers of operands, and of elements of these.
type FindSources = fn(&Ir, Op, usize) -> Option<Vec<(usize, usize)>>;

/// The operations that do nothing but to move elements.
static MOVES: &[(&OpDef, FindSources)] = &[
    (&vector::BROADCAST, of_broadcast),
    (&vector::DEINTERLEAVE, |ir, op, number| {
        let n = n_elements(ir, ir.result(op, number));
        Some((0..n).map(|i| (0, 2 * i + number)).collect())
    }),
    (&vector::EXTRACT, of_extract),
    (&vector::EXTRACT_STRIDED_SLICE, of_extract_strided_slice),
    (&vector::FROM_ELEMENTS, |ir, op, _| {
        Some(
            (0..ir.operands(op).len())
                .map(|operand| (operand, 0))
                .collect(),
        )
    }),
    (&vector::INSERT, of_insert),
    (&vector::INSERT_STRIDED_SLICE, of_insert_strided_slice),
    (&vector::INTERLEAVE, |ir, op, _| {
        let n = n_elements(ir, ir.result(op, 0));
        Some((0..n).map(|i| (i % 2, i / 2)).collect())
    }),
    (&vector::SHAPE_CAST, |ir, op, _| {
        let n = n_elements(ir, ir.result(op, 0));
        Some((0..n).map(|i| (0, i)).collect())
    }),
    (&vector::SHUFFLE, of_shuffle),
    (&vector::TO_ELEMENTS, |_, _, number| Some(vec![(0, number)])),
    (&vector::TRANSPOSE, of_transpose),
];

/// Whether an operation does nothing but to move elements.
pub(crate) fn is_move(ir: &Ir, op: Op) -> bool {
    MOVES.iter().any(|&(def, _)| ir.is(op, def))
}

/// Where the elements of a result are from; `None` for operations that do more than to move elements. What is
/// [`taken_apart`] and `is_passed` allows is looked through.
pub(crate) fn moved(
    ir: &Ir,
    op: Op,
    number: usize,
    is_passed: impl Fn(Value) -> bool,
) -> Option<Moved> {
    let own = |op: Op, number: usize| {
        let (_, find) = MOVES.iter().find(|&&(def, _)| ir.is(op, def))?;
        let sources = find(ir, op, number).map(|sources| {
            let sources = sources.into_iter();
            let sources = sources.map(|(operand, i)| (ir.operand(op, operand), i));
            sources.collect::<Vec<Source>>()
        });
        Some(sources)
    };
    let Some(mut sources) = own(op, number)? else {
        return Some(Moved::Unknown);
    };
    let mut at = 0;
    while let Some(&(value, _)) = sources.get(at) {
        let inner = taken_apart(ir, value).filter(|_| is_passed(value));
        match inner.and_then(|inner| own(inner, 0).flatten()) {
            Some(inner) => {
                let all = sources[at..].iter_mut();
                for source in all.filter(|source| source.0 == value) {
                    *source = inner[source.1];
                }
            }
            None => {
                at += sources[at..]
                    .iter()
                    .take_while(|source| source.0 == value)
                    .count()
            }
        }
    }
    Some(Moved::Known(sources))
}

/// What made a vector of rows, or of the same elements in other rows: who wants some of them may take them from there.
pub(crate) fn taken_apart(ir: &Ir, value: Value) -> Option<Op> {
    let op = ir.defining_op(value)?;
    let is_known = || match () {
        () if ir.is(op, &vector::EXTRACT) => position(ir, op, 0).is_some(),
        () if ir.is(op, &vector::INSERT) => position(ir, op, 1).is_some(),
        () => ir.is(op, &vector::SHAPE_CAST),
    };
    (vector::is_vector(ir.context(), ir.value_type(value)) && is_known()).then_some(op)
}

/// The vector whose elements at even and at odd places `op` adds to each other.
pub(crate) fn deinterleaved(ir: &Ir, op: Op) -> Option<Value> {
    let [even, odd] = *ir.operands(op) else {
        return None;
    };
    let pairs = ir.defined_by(even, &vector::DEINTERLEAVE)?;
    let is_sum = ir.is(op, &arith::ADDI) && *ir.results(pairs) == [even, odd];
    is_sum.then(|| ir.operand(pairs, 0))
}

fn n_elements(ir: &Ir, value: Value) -> usize {
    sizes_of(ir, value).iter().product()
}

/// Each element of the result is that of the first operand whose number `from` gives for its coordinates.
fn of_first(ir: &Ir, op: Op, from: impl Fn(&Coordinates) -> usize) -> Vec<(usize, usize)> {
    let to = sizes_of(ir, ir.result(op, 0));
    let n = to.iter().product();
    (0..n).map(|i| (0, from(&coordinates(&to, i)))).collect()
}

/// Numbers of an attribute, none of them negative.
fn naturals(ir: &Ir, op: Op, name: Name) -> Option<Coordinates> {
    let numbers = numbers(ir, op, name).into_iter();
    numbers.map(|number| usize::try_from(number).ok()).collect()
}

fn of_broadcast(ir: &Ir, op: Op, _: usize) -> Option<Vec<(usize, usize)>> {
    let source = sizes_of(ir, ir.operand(op, 0));
    Some(of_first(ir, op, |at| {
        let own = source.iter().zip(&at[at.len() - source.len()..]);
        let own = own.map(|(&size, &c)| if size == 1 { 0 } else { c });
        linear(&source, own)
    }))
}

fn of_transpose(ir: &Ir, op: Op, _: usize) -> Option<Vec<(usize, usize)>> {
    let source = sizes_of(ir, ir.operand(op, 0));
    let permutation = naturals(ir, op, Name::PERMUTATION)?;
    Some(of_first(ir, op, |at| {
        let mut from = Coordinates::from_elem(0, source.len());
        for (&dim, &c) in permutation.iter().zip(at) {
            from[dim] = c;
        }
        linear(&source, from)
    }))
}

fn of_shuffle(ir: &Ir, op: Op, _: usize) -> Option<Vec<(usize, usize)>> {
    let source = sizes_of(ir, ir.operand(op, 0));
    let rows = naturals(ir, op, Name::MASK)?;
    let row: usize = source.iter().skip(1).product();
    let n_first: usize = source.iter().product();
    let all = rows.iter().flat_map(|&at| at * row..(at + 1) * row);
    let sources = all.map(|i| match i < n_first {
        true => (0, i),
        false => (1, i - n_first),
    });
    Some(sources.collect())
}

fn of_extract_strided_slice(ir: &Ir, op: Op, _: usize) -> Option<Vec<(usize, usize)>> {
    let source = sizes_of(ir, ir.operand(op, 0));
    let offsets = naturals(ir, op, Name::OFFSETS)?;
    Some(of_first(ir, op, |at| {
        let shifted = at.iter().enumerate();
        let shifted = shifted.map(|(dim, &c)| c + offsets.get(dim).unwrap_or(&0));
        linear(&source, shifted)
    }))
}

fn of_insert_strided_slice(ir: &Ir, op: Op, _: usize) -> Option<Vec<(usize, usize)>> {
    let [source, to] = [0, 1].map(|index| sizes_of(ir, ir.operand(op, index)));
    let offsets = naturals(ir, op, Name::OFFSETS)?;
    let n: usize = to.iter().product();
    let mut all: Vec<(usize, usize)> = (0..n).map(|i| (1, i)).collect();
    let leading = to.len() - source.len();
    for i in 0..source.iter().product() {
        let own = coordinates(&source, i);
        let at = offsets.iter().enumerate();
        let at = at.map(|(dim, &c)| c + if dim < leading { 0 } else { own[dim - leading] });
        all[linear(&to, at)] = (0, i);
    }
    Some(all)
}

fn of_extract(ir: &Ir, op: Op, _: usize) -> Option<Vec<(usize, usize)>> {
    let (first, n) = position(ir, op, 0)?;
    Some((first..first + n).map(|i| (0, i)).collect())
}

fn of_insert(ir: &Ir, op: Op, _: usize) -> Option<Vec<(usize, usize)>> {
    let (first, n_new) = position(ir, op, 1)?;
    let own = first..first + n_new;
    let from = |i| match own.contains(&i) {
        true => (0, i - first),
        false => (1, i),
    };
    Some((0..n_elements(ir, ir.operand(op, 1))).map(from).collect())
}

/// The number of the first element at a position in the vector that is operand `whole`, and how many elements there
/// are, if the position is made of known numbers in the vector. Operands behind the vector are numbers of it.
fn position(ir: &Ir, op: Op, whole: usize) -> Option<(usize, usize)> {
    let sizes = sizes_of(ir, ir.operand(op, whole));
    let mut rest = ir.operands(op)[whole + 1..].iter();
    let mut at = Coordinates::new();
    for (number, &size) in numbers(ir, op, Name::STATIC_POSITION)
        .into_iter()
        .zip(&sizes)
    {
        let known = match number {
            DYNAMIC => {
                let known = arith::as_constant_int(ir, *rest.next()?)?;
                i64::try_from(known).ok()?
            }
            known => known,
        };
        at.push(usize::try_from(known).ok().filter(|&known| known < size)?);
    }
    let n: usize = sizes[at.len()..].iter().product();
    Some((linear(&sizes, at.iter().copied()) * n, n))
}
