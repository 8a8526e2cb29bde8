//! Loops that carry tensors, whose sizes may change from one iteration to the next, and collect others.

use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::builder::InsertPoint;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::entities::{Block, Value};
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::graph::Cx;
use super::node::Refused;
use super::sizes::{Dim, c};
use crate::rewrite::tensors::{self, tensor_type};

/// What an iteration makes of its number and of the carried values: the next ones, and those that are collected.
pub(super) type Step<'s, 'a> =
    &'s mut dyn FnMut(&mut Cx<'a>, Value, &[Value]) -> Result<[Vec<Value>; 2], Refused>;

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

    /// The types that loops carry, and those of what an iteration collects: found by trying.
    pub(super) fn carried_types(
        &mut self,
        state: &[Value],
        step: Step<'_, 'a>,
    ) -> Result<[Vec<Type>; 2], Refused> {
        let mut types: Vec<Type> = state.iter().map(|&value| self.ty(value)).collect();
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
                let values = step(cx, arguments[0], &arguments[1..])?;
                Ok::<_, Refused>(
                    values.map(|all| all.iter().map(|&x| cx.ty(x)).collect::<Vec<_>>()),
                )
            });
            self.b.ir.erase_op(trial);
            let [made, collected] = outcome?;
            let context = self.context();
            let joined: Option<Vec<Type>> = (types.iter().zip(&made))
                .map(|(&x, &y)| join(&context, x, y))
                .collect();
            let joined = joined
                .filter(|_| made.len() == types.len())
                .ok_or_else(differ)?;
            if joined == types {
                return Ok([types, collected]);
            }
            types = joined;
        }
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
        let [types, collected] = self.carried_types(state, step)?;
        let mut carried = Vec::new();
        for (&value, &ty) in state.iter().zip(&types) {
            carried.push(self.cast_to(value, ty));
        }
        let context = self.context();
        // What is collected has a place for all iterations, or grows where its sizes are not known before.
        let mut growing = Vec::new();
        for &ty in &collected {
            let sizes = context.shape(ty).unwrap_or_default().to_vec();
            let element = context.element_type_or_self(ty);
            let grows = sizes.contains(&DYNAMIC);
            growing.push(grows);
            let mut dims = vec![if grows { c(0) } else { count }];
            dims.extend(
                sizes
                    .iter()
                    .map(|&size| c(if size == DYNAMIC { 0 } else { size })),
            );
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
        self.inside(block, |cx| {
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
        for (i, &value) in results[n..].iter().enumerate() {
            rows.push(self.with_element(value, context.element_type_or_self(collected[i])));
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
