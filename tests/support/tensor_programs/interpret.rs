//! What a program shows, computed on values.

use std::collections::BTreeMap;

use super::{At, Body, MAX_SHOWN, Op, Part, Program, Ty, Var};

/// Statements that a program may execute.
const MAX_STEPS: usize = 50_000;

/// A program does too much.
struct TooMuch;

struct Machine<'a> {
    program: &'a Program,
    tensors: BTreeMap<usize, Vec<i32>>,
    counters: BTreeMap<usize, usize>,
    function: usize,
    /// How often the function may still call itself.
    depth: usize,
    steps: usize,
    shown: Vec<i32>,
}

/// What `program` shows; `None` if that is too much.
pub(crate) fn interpret(program: &Program) -> Option<Vec<i32>> {
    let mut machine = Machine {
        program,
        tensors: BTreeMap::default(),
        counters: BTreeMap::default(),
        function: 0,
        depth: 0,
        steps: 0,
        shown: Vec::new(),
    };
    let last = program.functions.len() - 1;
    let result = machine.call(last, Vec::new(), 0);
    (result.is_ok() && machine.shown.len() < MAX_SHOWN).then_some(machine.shown)
}

/// All positions in a tensor of these sizes, in order.
pub(super) fn positions(sizes: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let n: usize = sizes.iter().product();
    (0..n).map(move |mut at| {
        let mut position = vec![0; sizes.len()];
        for (index, &size) in position.iter_mut().zip(sizes).rev() {
            *index = at % size;
            at /= size;
        }
        position
    })
}

/// Where the element at `position` is.
fn place(sizes: &[usize], position: &[usize]) -> usize {
    let dims = sizes.iter().zip(position);
    dims.fold(0, |place, (&size, &index)| place * size + index)
}

impl Machine<'_> {
    fn at(&self, at: At) -> usize {
        match at {
            At::Constant(n) => n,
            At::Known(at) => self.program.known[at],
            At::Counter(id) => self.counters[&id],
        }
    }

    fn all_at(&self, ats: &[At]) -> Vec<usize> {
        ats.iter().map(|&at| self.at(at)).collect()
    }

    fn get(&self, var: &Var) -> Vec<i32> {
        self.tensors[&var.id].clone()
    }

    fn call(
        &mut self,
        function: usize,
        arguments: Vec<Vec<i32>>,
        depth: usize,
    ) -> Result<Vec<Vec<i32>>, TooMuch> {
        let program = self.program;
        let outer = (
            std::mem::take(&mut self.tensors),
            std::mem::take(&mut self.counters),
            self.function,
            self.depth,
        );
        (self.function, self.depth) = (function, depth);
        let results = self.run(&program.functions[function].body, arguments);
        (self.tensors, self.counters, self.function, self.depth) = outer;
        results
    }

    fn run(&mut self, body: &Body, arguments: Vec<Vec<i32>>) -> Result<Vec<Vec<i32>>, TooMuch> {
        let parameters = body.carried.iter().map(|var| var.id);
        self.tensors.extend(parameters.zip(arguments));
        for (results, op) in &body.statements {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(TooMuch);
            }
            let values = self.compute(results, op)?;
            for (result, value) in results.iter().zip(values) {
                assert_eq!(result.ty.n_elements(), value.len(), "{op:?}");
                self.tensors.insert(result.id, value);
            }
        }
        Ok(body.yields.iter().map(|var| self.get(var)).collect())
    }

    /// Where the elements of a slice are in the whole, in order.
    fn places(&self, whole: &Ty, part: &Part) -> Vec<usize> {
        let offsets = self.all_at(&part.offsets);
        positions(&part.sizes)
            .map(|position| {
                let dims = position.iter().zip(&part.strides).zip(&offsets);
                let position: Vec<usize> = dims
                    .map(|((&index, &stride), &offset)| offset + index * stride)
                    .collect();
                place(&whole.sizes, &position)
            })
            .collect()
    }

    fn compute(&mut self, results: &[Var], op: &Op) -> Result<Vec<Vec<i32>>, TooMuch> {
        let value = match op {
            Op::Splat(n) | Op::FillEmpty(n) | Op::Fill(n, _) => {
                vec![*n; results[0].ty.n_elements()]
            }
            Op::Constant(elements) | Op::FromElements(elements) => elements.clone(),
            Op::Generate(n) => positions(&results[0].ty.sizes)
                .map(|position| position.iter().fold(0, |sum, &i| sum * 10 + i as i32) + n)
                .collect(),
            Op::Cast(a)
            | Op::Copy(a)
            | Op::Clone(a)
            | Op::Collapse(a, _)
            | Op::Expand(a, _)
            | Op::Reshape(a)
            | Op::Materialize(a, _) => self.get(a),
            Op::Slice(a, part) => {
                let value = self.get(a);
                let places = self.places(&a.ty, part);
                places.into_iter().map(|place| value[place]).collect()
            }
            Op::InsertSlice(a, b, part) => {
                let mut value = self.get(b);
                for (place, element) in self.places(&b.ty, part).into_iter().zip(self.get(a)) {
                    value[place] = element;
                }
                value
            }
            Op::Insert(n, a, position) => self.changed(a, *n, position),
            Op::Buffer { source, change, .. } | Op::OtherSign { source, change, .. } => {
                match change {
                    Some((n, position)) => self.changed(source, *n, position),
                    None => self.get(source),
                }
            }
            Op::Add(a, b, _) => {
                let (a, b) = (self.get(a), self.get(b));
                a.iter().zip(b).map(|(a, b)| a.wrapping_add(b)).collect()
            }
            Op::Pad(n, a, low, _) => {
                let (value, low) = (self.get(a), self.all_at(low));
                let element = |position: Vec<usize>| {
                    let dims = position.iter().zip(&low).zip(&a.ty.sizes);
                    let inner = dims.map(|((&index, &low), &size)| {
                        index.checked_sub(low).filter(|&index| index < size)
                    });
                    let inner: Option<Vec<usize>> = inner.collect();
                    inner.map_or(*n, |inner| value[place(&a.ty.sizes, &inner)])
                };
                positions(&results[0].ty.sizes).map(element).collect()
            }
            Op::Concat(dim, parts) => {
                let element = |mut position: Vec<usize>| {
                    for part in parts {
                        if position[*dim] < part.ty.sizes[*dim] {
                            return self.tensors[&part.id][place(&part.ty.sizes, &position)];
                        }
                        position[*dim] -= part.ty.sizes[*dim];
                    }
                    unreachable!("the parts are as long as the whole")
                };
                positions(&results[0].ty.sizes).map(element).collect()
            }
            Op::Gather(a, rows) => {
                let value = self.get(a);
                let n: usize = a.ty.sizes[1..].iter().product();
                let rows = rows.iter().flat_map(|row| &value[row * n..(row + 1) * n]);
                rows.copied().collect()
            }
            Op::Transfer {
                from,
                to,
                n,
                n_written,
            } => {
                let source = self.get(&from.0);
                let start = place(&from.0.ty.sizes, &self.all_at(&from.1));
                let mut value = self.get(&to.0);
                let target = place(&to.0.ty.sizes, &self.all_at(&to.1));
                let n = n_written.unwrap_or(*n);
                value[target..target + n].copy_from_slice(&source[start..start + n]);
                value
            }
            Op::Select(condition, a, b) => self.get(match self.at(*condition) % 2 {
                1 => a,
                _ => b,
            }),
            Op::Call(function, arguments, depth) => {
                let arguments = arguments.iter().map(|var| self.get(var)).collect();
                return self.call(*function, arguments, *depth);
            }
            Op::Recurse(arguments, others) => {
                let vars = if self.depth > 0 { arguments } else { others };
                let values = vars.iter().map(|var| self.get(var)).collect();
                return match self.depth.checked_sub(1) {
                    Some(depth) => self.call(self.function, values, depth),
                    None => Ok(values),
                };
            }
            Op::If(condition, bodies) => {
                let body = &bodies[usize::from(self.at(*condition) % 2 != 1)];
                return self.run(body, Vec::new());
            }
            Op::For(id, trips, inits, body) | Op::Blocks(id, trips, inits, body) => {
                let mut carried: Vec<Vec<i32>> = inits.iter().map(|var| self.get(var)).collect();
                for i in 0..*trips {
                    self.counters.insert(*id, i);
                    carried = self.run(body, carried)?;
                }
                return Ok(carried);
            }
            Op::Show(var) => {
                let value = self.get(var);
                self.shown.extend(value);
                if self.shown.len() >= MAX_SHOWN {
                    return Err(TooMuch);
                }
                return Ok(Vec::new());
            }
            Op::ShowSize(var, dim) => {
                self.shown.push(var.ty.sizes[*dim] as i32);
                return Ok(Vec::new());
            }
            Op::ShowRank(var) => {
                self.shown.push(var.ty.rank() as i32);
                return Ok(Vec::new());
            }
        };
        Ok(vec![value])
    }

    /// `var` with `n` at this position.
    fn changed(&self, var: &Var, n: i32, position: &[At]) -> Vec<i32> {
        let mut value = self.get(var);
        value[place(&var.ty.sizes, &self.all_at(position))] = n;
        value
    }
}
