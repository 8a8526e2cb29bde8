//! Calling a function of a program: arguments go in, results come out.

use std::io::Write;
use std::rc::Rc;

use freehold_frontend::dialects::llvm;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};

use crate::float::n_open;
use crate::machine::{Fault, FaultKind, Limits, Machine, Res, Symbol};
use crate::memory::{Origin, State};
use crate::noise;
use crate::value::{Kind, MemRef, Scalar, Value, dense_strides, for_each, n_elements};

/// A value that goes in or comes out: a number, or an array of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Passed {
    /// The type of the elements.
    pub element: Type,
    /// Sizes; none for a number.
    pub sizes: Vec<i64>,
    /// The elements, row-major, as they lie in memory.
    pub bytes: Vec<u8>,
    /// Which elements are not defined; empty if all are.
    pub undefined: Vec<bool>,
}

/// A value that does not come out: of a type that has no form outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A number or an array.
    Value(Passed),
    /// Something else; its type.
    Other(Type),
}

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How much the program may do.
    pub limits: Limits,
    /// Moves results of floating-point operations by as much as policies other than `strict` permit, at random: the
    /// seed.
    pub noise: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits {
                steps: 1 << 40,
                bytes: 4 << 30,
                stack: 256 << 20,
            },
            noise: None,
        }
    }
}

/// Memory that was never freed.
#[derive(Clone, Debug, PartialEq)]
pub struct Leak {
    /// Where it was allocated.
    pub loc: Loc,
    /// Its size.
    pub bytes: u64,
}

/// What a program did with memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Operations.
    pub steps: u64,
    /// Allocations on the heap.
    pub allocations: u64,
    /// Frees.
    pub frees: u64,
    /// The most bytes on the heap at the same time.
    pub peak: u64,
    /// How often an operation might have given another result as well: of zeros of both signs, `arith.maxnumf` and
    /// `minnumf` give either, and NaN becomes either zero in formats that have none.
    pub open: u64,
}

/// What a call gave.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The results.
    pub results: Vec<Shape>,
    /// The arguments as the function left them.
    pub arguments: Vec<Shape>,
    /// What stopped the program.
    pub fault: Option<Fault>,
    /// Why an element of a result is not defined, if one is not.
    pub undefined_result: Option<Fault>,
    /// Memory that is never freed, results aside.
    pub leaks: Vec<Leak>,
    /// Counts.
    pub stats: Stats,
}

/// The types of a function's arguments and results; none if there is no such function.
pub fn function_types(module: &Ir, name: &str) -> Option<(Vec<Type>, Vec<Type>)> {
    let table = SymbolTable::of(module);
    let symbol = table.get(name)?;
    let ty = module.function_type(symbol.op)?;
    match module.context().type_kind(ty) {
        TypeKind::Function { inputs, results } => Some((inputs.to_vec(), results.to_vec())),
        _ => None,
    }
}

/// Calls function `name` of `module`; what it prints goes to `output`.
pub fn run(
    module: &Ir,
    name: &str,
    inputs: &[Passed],
    settings: Settings,
    output: &mut (dyn Write + Send),
) -> Outcome {
    let work = || on_this_thread(module, name, inputs, settings, output);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(settings.limits.stack)
            .spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Outcome {
                fault: Some(*Fault::new(
                    FaultKind::Limit,
                    format!("cannot start the interpreter: {error}"),
                )),
                ..Outcome::default()
            },
        }
    })
}

fn on_this_thread(
    module: &Ir,
    name: &str,
    inputs: &[Passed],
    settings: Settings,
    output: &mut (dyn Write + Send),
) -> Outcome {
    noise::start(settings.noise);
    let mut machine = Machine::new(module, settings.limits, output);
    let mut outcome = Outcome::default();
    if let Err(fault) = call(&mut machine, module, name, inputs, &mut outcome) {
        outcome.fault = Some(*fault);
    }
    outcome.stats = Stats {
        steps: machine.steps,
        allocations: machine.memory.n_allocations,
        frees: machine.memory.n_frees,
        peak: machine.memory.peak,
        open: n_open(),
    };
    outcome
}

fn call(
    m: &mut Machine<'_>,
    module: &Ir,
    name: &str,
    inputs: &[Passed],
    outcome: &mut Outcome,
) -> Res {
    let wrong = |message: String| Err(Fault::new(FaultKind::Unsupported, message));
    let Some(&Symbol::Function(_)) = m.symbols.get(name) else {
        return wrong(format!("there is no function '{name}'"));
    };
    let types = function_types(module, name);
    let Some((argument_types, result_types)) = types else {
        return wrong(format!("'{name}' is no function that is interpreted"));
    };
    if m.function(name).is_none() {
        return wrong(format!("'{name}' has no body"));
    }
    if argument_types.len() != inputs.len() {
        return wrong(format!(
            "'{name}' takes {} arguments, not {}",
            argument_types.len(),
            inputs.len()
        ));
    }
    let mut arguments = Vec::new();
    for (input, &ty) in inputs.iter().zip(&argument_types) {
        arguments.push(enter(m, input, ty)?);
    }
    for start in llvm::initializers(module, &llvm::GLOBAL_CTORS) {
        m.call(start.function, &[], module.loc(start.op))?;
    }
    let results = m.call(name, &arguments, Loc::UNKNOWN)?;
    for (index, (value, &ty)) in results.iter().zip(&result_types).enumerate() {
        let (shape, fault) = leave(m, value, ty, &format!("result #{index}"))?;
        outcome.results.push(shape);
        if outcome.undefined_result.is_none() {
            outcome.undefined_result = fault;
        }
    }
    for (value, &ty) in arguments.iter().zip(&argument_types) {
        let (shape, _) = leave(m, value, ty, "an argument")?;
        outcome.arguments.push(shape);
    }
    for end in llvm::initializers(module, &llvm::GLOBAL_DTORS).iter().rev() {
        m.call(end.function, &[], module.loc(end.op))?;
    }
    outcome.leaks = leaks(m, &results);
    Ok(())
}

/// Makes an argument of what goes in.
fn enter(m: &mut Machine<'_>, input: &Passed, ty: Type) -> Res<Value> {
    let kind = m.kind(input.element)?;
    let size = kind.byte_size();
    let scalars: Vec<Scalar> = input
        .bytes
        .chunks_exact(size)
        .map(|bytes| Scalar::Bits(kind.from_bytes(bytes)))
        .collect();
    let wrong = || {
        let ty = freehold_frontend::syntax::printer::type_to_string(m.context, ty);
        let message = format!("an argument of sizes {:?} does not fit '{ty}'", input.sizes);
        Err(Fault::new(FaultKind::Unsupported, message))
    };
    if scalars.len() != n_elements(&input.sizes) {
        return wrong();
    }
    let fits = |shape: &[i64]| {
        let same = |(&declared, &size): (&i64, &i64)| declared == DYNAMIC || declared == size;
        shape.len() == input.sizes.len() && shape.iter().zip(&input.sizes).all(same)
    };
    match m.context.type_kind(ty) {
        TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. } => {
            if !fits(shape) {
                return wrong();
            }
            Ok(Value::array(input.sizes.clone(), scalars))
        }
        TypeKind::UnrankedTensor(_) => Ok(Value::array(input.sizes.clone(), scalars)),
        TypeKind::MemRef(declared) => {
            if !fits(&declared.shape) {
                return wrong();
            }
            let layout = m.context.memref_strides(declared);
            let layout = layout.map(|(strides, offset)| {
                let dense = dense_strides(&input.sizes, &strides);
                (dense, if offset == DYNAMIC { 0 } else { offset })
            });
            let element = declared.element;
            memory(m, input, layout, element, &scalars)
        }
        &TypeKind::UnrankedMemRef { element, .. } => memory(m, input, None, element, &scalars),
        _ => match scalars[..] {
            [scalar] if input.sizes.is_empty() => Ok(Value::Scalar(scalar)),
            _ => wrong(),
        },
    }
}

fn memory(
    m: &mut Machine<'_>,
    input: &Passed,
    layout: Option<(Vec<i64>, i64)>,
    element: Type,
    scalars: &[Scalar],
) -> Res<Value> {
    let origin = (64, Origin::Argument);
    let memref = m.allocate_memref(input.sizes.clone(), layout, element, origin, Loc::UNKNOWN)?;
    // What lies between the elements is there too.
    if let Some(number) = m.memory.find(memref.allocated) {
        m.memory.allocations[number].states.fill(State::Defined);
    }
    let values: Vec<Value> = scalars
        .iter()
        .map(|&scalar| Value::Scalar(scalar))
        .collect();
    m.store_all(&memref, element, &values, Loc::UNKNOWN)?;
    Ok(Value::MemRef(Rc::new(memref)))
}

/// What a value looks like outside, and why an element is not defined.
fn leave(m: &mut Machine<'_>, value: &Value, ty: Type, what: &str) -> Res<(Shape, Option<Fault>)> {
    let (sizes, scalars) = match value {
        // A buffer that is unusable.
        Value::Scalar(scalar) if m.context.is_memref(ty) => {
            m.defined(*scalar, what)?;
            return Ok((Shape::Other(ty), None));
        }
        Value::Scalar(scalar) => (Vec::new(), vec![*scalar]),
        Value::Array(array) => (array.shape.clone(), array.elements.clone()),
        Value::MemRef(memref) => {
            let element = m.context.element_of(ty);
            let Ok(kind) = m.kind(element) else {
                return Ok((Shape::Other(ty), None));
            };
            let scalars = read(m, memref, element, kind)?;
            match scalars {
                Some(scalars) => (memref.sizes.clone(), scalars),
                None => return Ok((Shape::Other(ty), None)),
            }
        }
        _ => return Ok((Shape::Other(ty), None)),
    };
    let element = m.context.element_type_or_self(ty);
    let Ok(kind) = m.kind(element) else {
        return Ok((Shape::Other(ty), None));
    };
    let mut bytes = Vec::with_capacity(scalars.len() * kind.byte_size());
    let mut undefined = Vec::new();
    let mut fault = None;
    for (index, &scalar) in scalars.iter().enumerate() {
        bytes.extend(kind.to_bytes(scalar.bits().unwrap_or(0)));
        if scalar.bits().is_some() {
            continue;
        }
        if undefined.is_empty() {
            undefined = vec![false; scalars.len()];
            let what = match sizes.is_empty() {
                true => what.to_owned(),
                false => format!("element {:?} of {what}", place(&sizes, index)),
            };
            fault = m.defined(scalar, &what).err().map(|fault| *fault);
        }
        undefined[index] = true;
    }
    let passed = Passed {
        element,
        sizes,
        bytes,
        undefined,
    };
    Ok((Shape::Value(passed), fault))
}

fn read(m: &mut Machine<'_>, memref: &MemRef, ty: Type, _: Kind) -> Res<Option<Vec<Scalar>>> {
    let size = m.element_size(ty)?;
    let mut scalars = Vec::new();
    for_each(&memref.sizes, |at| {
        let address = crate::access::address_of(memref, at, size);
        if let Value::Scalar(scalar) = m.load(ty, address, Loc::UNKNOWN)? {
            scalars.push(scalar);
        }
        Ok(())
    })?;
    Ok((scalars.len() == n_elements(&memref.sizes)).then_some(scalars))
}

/// The indices of element number `index`.
fn place(sizes: &[i64], index: usize) -> Vec<i64> {
    let mut rest = index as i64;
    let mut at = vec![0; sizes.len()];
    for dim in (0..sizes.len()).rev() {
        at[dim] = rest % sizes[dim];
        rest /= sizes[dim];
    }
    at
}

/// Memory of the heap that is still there and that no result has.
fn leaks(m: &Machine<'_>, results: &[Value]) -> Vec<Leak> {
    let mut kept = vec![false; m.memory.allocations.len()];
    for value in results {
        if let Value::MemRef(memref) = value
            && let Some(number) = m.memory.find(memref.allocated)
        {
            kept[number] = true;
        }
    }
    let live = m.memory.allocations.iter().zip(kept);
    live.filter(|(allocation, kept)| {
        allocation.origin == Origin::Heap && allocation.freed.is_none() && !kept
    })
    .map(|(allocation, _)| Leak {
        loc: allocation.loc,
        bytes: allocation.size,
    })
    .collect()
}
