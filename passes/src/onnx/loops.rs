//! Loops that carry tensors, whose sizes may change from one iteration to the next, and collect others.

use std::iter;

use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::builder::InsertPoint;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::graph::Cx;
use super::node::Refused;
use super::sizes::{Dim, c};
use crate::rewrite::tensors::{self, tensor_type};

/// What an iteration makes of its number and of the carried values: the next ones, and those that are collected.
pub(super) type Step<'s, 'a> =
    &'s mut dyn FnMut(&mut Cx<'a>, Value, &[Value]) -> Result<[Vec<Value>; 2], Refused>;

/// What a loop carries and collects.
pub(super) struct Carried {
    pub(super) types: Vec<Type>,
    /// Sizes of carried values that no iteration changes.
    pub(super) dims: Vec<Option<Vec<Dim>>>,
    /// The types of what an iteration collects, and the sizes where they are known before the loop.
    pub(super) collected: Vec<(Type, Option<Vec<Dim>>)>,
}

/// The type of which both are, sizes that differ unknown; none if they differ in more.
pub(super) fn join(context: &Context, x: Type, y: Type) -> Option<Type> {
    if x == y {
        return Some(x);
    }
    let element = context.element_type_or_self(x);
    let (p, q) = (context.shape(x)?, context.shape(y)?);
    if p.len() != q.len() || context.element_type_or_self(y) != element {
        return None;
    }
    let sizes: Vec<i64> = (p.iter().zip(q))
        .map(|(&x, &y)| if x == y { x } else { DYNAMIC })
        .collect();
    Some(tensor_type(context, &sizes, element))
}

pub(super) fn differ() -> Refused {
    "what it carries changes its rank or its elements".into()
}

impl<'a> Cx<'a> {
    /// Does something at the end of a block; what becomes known there is forgotten.
    pub(super) fn inside<T>(&mut self, block: Block, work: impl FnOnce(&mut Self) -> T) -> T {
        let point = self.b.insert_point();
        let scope = self.scope.clone();
        self.b.set_insert_point(InsertPoint::End(block));
        let result = work(self);
        self.scope = scope;
        self.b.set_insert_point(point);
        result
    }

    pub(super) fn ty(&self, value: Value) -> Type {
        self.b.ir.value_type(value)
    }

    pub(super) fn cast_to(&mut self, value: Value, ty: Type) -> Value {
        tensors::cast(&mut self.b, value, ty)
    }

    /// What loops carry and collect: found by trying.
    pub(super) fn carried_types(
        &mut self,
        state: &[Value],
        step: Step<'_, 'a>,
    ) -> Result<Carried, Refused> {
        let mut types: Vec<Type> = state.iter().map(|&value| self.ty(value)).collect();
        // That no iteration changes sizes is assumed until one does.
        let mut dims: Vec<Option<Vec<Dim>>> =
            state.iter().map(|&value| Some(self.dims(value))).collect();
        loop {
            let mut arguments = vec![Type::INDEX];
            arguments.extend(&types);
            // A region to try in, of an operation that goes away again.
            let zero = arith::constant_index(&mut self.b, 0);
            let trial = scf::build_for(&mut self.b, zero, zero, zero, &[]);
            let region = self.b.ir.region(trial, 0);
            let block = self.b.ir.append_block(region, &arguments);
            let arguments = self.b.ir.block_args(block).to_vec();
            let outcome = self.inside(block, |cx| {
                cx.know_dims(&arguments[1..], &dims);
                let [made, collected] = step(cx, arguments[0], &arguments[1..])?;
                let made: Vec<_> = made.iter().map(|&x| (cx.ty(x), cx.dims(x))).collect();
                let mut rows = Vec::new();
                for &row in &collected {
                    let dims = cx.dims(row);
                    rows.push((cx.ty(row), cx.outer(dims, trial)));
                }
                Ok::<_, Refused>((made, rows))
            });
            self.b.ir.erase_op(trial);
            let (made, collected) = match outcome {
                Err(_) if dims.iter().any(Option::is_some) => {
                    dims.fill(None);
                    continue;
                }
                outcome => outcome?,
            };
            let context = self.context();
            let joined: Option<Vec<Type>> = (types.iter().zip(&made))
                .map(|(&x, &(y, _))| join(&context, x, y))
                .collect();
            let joined = joined
                .filter(|_| made.len() == types.len())
                .ok_or_else(differ)?;
            let mut changed = joined != types;
            for (known, (_, made)) in dims.iter_mut().zip(&made) {
                if known.as_ref().is_some_and(|known| known != made) {
                    *known = None;
                    changed = true;
                }
            }
            if !changed {
                return Ok(Carried {
                    types,
                    dims,
                    collected,
                });
            }
            types = joined;
        }
    }

    /// Remembers the sizes of values, of those that have known ones.
    pub(super) fn know_dims(&mut self, values: &[Value], dims: &[Option<Vec<Dim>>]) {
        for (&value, dims) in values.iter().zip(dims) {
            if let Some(dims) = dims {
                self.sized(value, dims);
            }
        }
    }

    /// The sizes, if none is computed in an operation.
    fn outer(&self, dims: Vec<Dim>, op: Op) -> Option<Vec<Dim>> {
        let ir = &self.b.ir;
        let is_inner = |dim: &Dim| match *dim {
            Dim::Constant(_) => false,
            Dim::Value(value) => {
                let at = match ir.defining_op(value) {
                    Some(at) => Some(at),
                    None => (ir.value_block(value)).and_then(|block| ir.block_parent_op(block)),
                };
                at.is_some_and(|at| ir.is_ancestor(op, at))
            }
        };
        (!dims.iter().any(is_inner)).then_some(dims)
    }

    /// A loop of `count` iterations. Returns the carried values at the end, and the collected ones along a new first
    /// dimension, in order or backwards.
    pub(super) fn counted_loop(
        &mut self,
        count: Dim,
        state: &[Value],
        backwards: &[bool],
        step: Step<'_, 'a>,
    ) -> Result<[Vec<Value>; 2], Refused> {
        let Carried {
            types,
            dims: known,
            collected,
        } = self.carried_types(state, step)?;
        let mut carried = Vec::new();
        for (&value, &ty) in state.iter().zip(&types) {
            carried.push(self.cast_to(value, ty));
        }
        let context = self.context();
        // What is collected has a place for all iterations, or grows where its sizes are not known before.
        let mut growing = Vec::new();
        for (ty, dims) in &collected {
            let element = context.element_type_or_self(*ty);
            let sizes = context.shape(*ty).unwrap_or_default().to_vec();
            growing.push(dims.is_none());
            let open = || sizes.iter().map(|&n| c(if n == DYNAMIC { 0 } else { n }));
            let (grows, row) = match dims {
                Some(dims) => (false, dims.clone()),
                None => (true, open().collect()),
            };
            let mut dims = vec![if grows { c(0) } else { count }];
            dims.extend(row);
            let all = self.empty(&dims, element);
            carried.push(match grows {
                true => {
                    let mut open = vec![DYNAMIC];
                    open.extend(&sizes);
                    let signless = tensors::element(self.b.ir, all);
                    let ty = tensor_type(&context, &open, signless);
                    self.cast_to(all, ty)
                }
                false => all,
            });
        }
        let (zero, one, count) = (self.v(c(0)), self.v(c(1)), self.v(count));
        let op = scf::build_for(&mut self.b, zero, count, one, &carried);
        let view = scf::For(op);
        let block = view.body(self.b.ir);
        if let Some(end) = self.b.ir.last_op(block) {
            self.b.ir.erase_op(end);
        }
        let number = view.induction_variable(self.b.ir);
        let arguments = view.iter_args(self.b.ir).to_vec();
        let (n, loc) = (state.len(), self.b.loc());
        let n_iterations = Dim::from(count);
        self.inside(block, |cx| {
            cx.know_dims(&arguments, &known);
            let [mut values, made] = step(cx, number, &arguments[..n])?;
            cx.b.set_loc(loc);
            for (value, &ty) in values.iter_mut().zip(&types) {
                *value = cx.cast_to(*value, ty);
            }
            for (i, &value) in made.iter().enumerate() {
                let all = arguments[n + i];
                let back = backwards.get(i).copied().unwrap_or(false);
                values.push(match growing[i] {
                    true => cx.grown(all, value, back)?,
                    false => {
                        let at = match back {
                            true => {
                                let last = cx.sub(count.into(), c(1));
                                cx.sub(last, number.into())
                            }
                            false => number.into(),
                        };
                        cx.put_row(value, all, at)?
                    }
                });
            }
            scf::build_yield(&mut cx.b, &values);
            Ok::<_, Refused>(())
        })?;
        let results = self.b.ir.results(op).to_vec();
        let mut rows = Vec::new();
        self.know_dims(&results, &known);
        for (&value, (ty, dims)) in results[n..].iter().zip(&collected) {
            if let Some(dims) = dims {
                let dims: Vec<Dim> = iter::once(n_iterations)
                    .chain(dims.iter().copied())
                    .collect();
                self.sized(value, &dims);
            }
            rows.push(self.with_element(value, context.element_type_or_self(*ty)));
        }
        Ok([results[..n].to_vec(), rows])
    }

    /// `all` with a row at a place.
    pub(super) fn put_row(&mut self, row: Value, all: Value, at: Dim) -> Result<Value, Refused> {
        let row = self.unsqueeze(row, &[0])?;
        let row = self.signless(row);
        let rank = self.rank(row);
        let mut offsets = vec![c(0); rank];
        offsets[0] = at;
        Ok(self.insert(row, all, &offsets, &vec![1; rank]))
    }

    /// `all` with one more row, at its end or at its beginning.
    pub(super) fn grown(&mut self, all: Value, row: Value, first: bool) -> Result<Value, Refused> {
        let row = self.unsqueeze(row, &[0])?;
        let row = self.signless(row);
        let rank = self.rank(row);
        let ty = self.ty(all);
        let before = self.dim(all, 0);
        let mut dims = self.dims(row);
        dims[0] = self.add(before, c(1));
        let element = self.element(row);
        let out = self.empty(&dims, element);
        let (mut old, mut new) = (vec![c(0); rank], vec![c(0); rank]);
        match first {
            true => old[0] = c(1),
            false => new[0] = before,
        }
        let out = self.insert(all, out, &old, &vec![1; rank]);
        let out = self.insert(row, out, &new, &vec![1; rank]);
        Ok(self.cast_to(out, ty))
    }
}
