//! Reading operations: blocks, regions and values by their numbers.
//!
//! Values are numbered in the order in which they are defined, those of a region after those around it, and
//! anew in isolated operations. A value that is used before it is defined is a placeholder (a detached cast)
//! until then.

use std::ops::Range;
use std::sync::Arc;

use super::cursor::{Cursor, check_index};
use super::properties::{Encoding, INBOUNDS, has_bundles, newer_attributes, overflow_body};
use super::reader::{Reader, ResolvedName};
use super::{
    ELIDED_LOCATIONS, LAZY_REGIONS, NATIVE_PROPERTIES, NATIVE_SEGMENTS, Section, USE_ORDERS, parts,
};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::builtin;
use crate::ir::bytecode_interface::Result;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Region, Value};
use crate::ir::names::Name;
use crate::ir::op_def::Traits;
use crate::ir::types::Type;
use crate::syntax::generic;

/// Reads all operations into a module.
pub(super) fn read<'a>(reader: &mut Reader<'a>, mut cursor: Cursor<'a>) -> Result<Ir> {
    let ir = builtin::module(reader.context, reader.loc);
    let block = ir.root_block().expect("a new module has a block");
    let most = reader.bytes.len();
    let mut body = Body {
        reader,
        ir: Box::new(ir),
        scope: Scope::default(),
        n_values_left: most,
        n_blocks_left: most,
        n_regions_left: most,
    };
    body.scope.starts.push((0, 0));
    body.block(block, &[block], &mut cursor)?;
    if body.scope.n_forward > 0 {
        return Err(UNRESOLVED.into());
    }
    Ok(*body.ir)
}

const UNRESOLVED: &str = "not all forward unresolved forward operand references";

/// What a number of a value stands for.
#[derive(Clone, Copy)]
enum Slot {
    Empty,
    /// Used, and not defined yet.
    Forward(Value),
    Defined(Value),
}

/// The values that may be used.
#[derive(Default)]
struct Scope {
    /// The number of the first one.
    base: usize,
    slots: Vec<Slot>,
    /// For each region around: the next number to define, and how many there are.
    starts: Vec<(usize, usize)>,
    n_forward: usize,
    /// Numbers that stand for a value which another number defines.
    aliases: Vec<usize>,
}

/// Operations that are being read.
struct Body<'r, 'a> {
    reader: &'r mut Reader<'a>,
    /// The arena at hand.
    ir: Box<Ir>,
    scope: Scope,
    /// Each takes a byte of the file at least: there are not more than that.
    n_values_left: usize,
    n_blocks_left: usize,
    n_regions_left: usize,
}

/// Takes the next `n`.
fn claim(left: &mut usize, n: usize) -> Result<()> {
    match left.checked_sub(n) {
        Some(rest) => {
            *left = rest;
            Ok(())
        }
        None => Err(format!("attempting to parse {n} bytes when only {left} remain").into()),
    }
}

impl<'a> Body<'_, 'a> {
    // Regions and blocks.

    fn region(&mut self, region: Region, cursor: &mut Cursor<'a>) -> Result<()> {
        let n_blocks = cursor.count()?;
        if n_blocks == 0 {
            return Ok(());
        }
        let n_values = cursor.count()?;
        claim(&mut self.n_blocks_left, n_blocks)?;
        claim(&mut self.n_values_left, n_values)?;
        let blocks: Vec<Block> = (0..n_blocks)
            .map(|_| self.ir.append_block(region, &[]))
            .collect();
        let first = self.scope.slots.len();
        self.scope.starts.push((first, n_values));
        self.scope.slots.resize(first + n_values, Slot::Empty);
        for &block in &blocks {
            self.block(block, &blocks, cursor)?;
        }
        let values = self.scope.slots.drain(first..);
        if values
            .into_iter()
            .any(|slot| matches!(slot, Slot::Forward(_)))
        {
            return Err(UNRESOLVED.into());
        }
        self.scope.aliases.retain(|&slot| slot < first);
        self.scope.starts.pop();
        self.n_values_left += n_values;
        Ok(())
    }

    fn block(&mut self, block: Block, blocks: &[Block], cursor: &mut Cursor<'a>) -> Result<()> {
        let (n_ops, has_arguments) = cursor.flagged()?;
        if has_arguments {
            let n = cursor.count()?;
            for _ in 0..n {
                self.block_argument(block, cursor)?;
            }
            let arguments = self.ir.block_args(block).to_vec();
            self.define(&arguments)?;
            if self.reader.version >= USE_ORDERS && cursor.byte()? != 0 {
                read_use_orders(arguments.len(), cursor)?;
            }
        }
        for _ in 0..n_ops {
            self.operation(block, blocks, cursor)?;
        }
        Ok(())
    }

    fn block_argument(&mut self, block: Block, cursor: &mut Cursor<'a>) -> Result<()> {
        let (ty, has_loc) = match self.reader.version >= ELIDED_LOCATIONS {
            true => cursor.flagged()?,
            false => (cursor.number()?, true),
        };
        let ty = self.reader.type_at(ty)?;
        let argument = self.ir.append_block_arg(block, ty);
        if has_loc {
            let loc = self.reader.location(cursor)?;
            self.ir.set_arg_loc(argument, loc);
        }
        Ok(())
    }

    // Operations.

    fn operation(&mut self, block: Block, blocks: &[Block], cursor: &mut Cursor<'a>) -> Result<()> {
        let name = self.reader.op_name(cursor)?;
        let def = name.def;
        let mask = cursor.byte()?;
        let has = |part: u8| mask & part != 0;
        let mut spec = OpSpec::new(def, self.reader.location(cursor)?);
        spec.unregistered_name = name.name;
        let context = Arc::clone(self.reader.context);
        if has(parts::ATTRIBUTES) {
            let attr = self.reader.attr(cursor)?;
            let AttrKind::Dictionary(dict) = context.attr_kind(attr) else {
                return Err("expected attribute of type: mlir::DictionaryAttr".into());
            };
            spec.attrs = context.dict(*dict).to_vec();
        }
        if has(parts::PROPERTIES) {
            if self.reader.version < NATIVE_PROPERTIES {
                let version = self.reader.version;
                let message = format!(
                    "Unexpected missing `wasRegistered` opname flag at bytecode version \
                     {version} with properties."
                );
                return Err(message.into());
            }
            let n = self.reader.properties.len();
            let index = cursor.number()?;
            let Ok(index) = check_index(index, n, "properties") else {
                let name = match def.is_unregistered() {
                    true => context.name(name.name),
                    false => def.name,
                };
                return Err(format!("Properties idx out-of-bound for {name}").into());
            };
            let range = self.reader.properties[index].clone();
            self.properties(&mut spec, &name, range)?;
        }
        if has(parts::RESULTS) {
            for _ in 0..cursor.count()? {
                spec.results.push(self.reader.ty(cursor)?);
            }
        }
        if has(parts::OPERANDS) {
            for _ in 0..cursor.count()? {
                let operand = self.operand(cursor)?;
                spec.operands.push(operand);
            }
        }
        if has(parts::SUCCESSORS) {
            for _ in 0..cursor.count()? {
                let successor = cursor.index(blocks.len(), "successor")?;
                spec.successors.push(blocks[successor]);
            }
            if !def.is_unregistered() && !def.traits.contains(Traits::TERMINATOR) {
                return Err("successors in non-terminator".into());
            }
        }
        let n_results = spec.results.len();
        if has(parts::USE_ORDERS) && self.reader.version >= USE_ORDERS {
            read_use_orders(n_results, cursor)?;
        }
        let (n_regions, is_isolated) = match has(parts::REGIONS) {
            true => cursor.flagged()?,
            false => (0, false),
        };
        let n_regions = cursor.check_count(n_regions)?;
        claim(&mut self.n_regions_left, n_regions)?;
        generic::from_22(&context, &mut spec);
        if let Some(normalize) = def.normalize {
            normalize(&context, &mut spec);
        }
        generic::drop_defaults(&context, &mut spec);
        spec.n_regions = n_regions;
        if def.traits.contains(Traits::OWNS_ARENA) {
            return self.arena(block, spec, is_isolated, cursor);
        }
        let is_ignored = def.is_unregistered() && {
            let name = context.name(name.name);
            n_results == 0 && context.ignores_dialect(name.split('.').next().unwrap_or_default())
        };
        let op = self.ir.create_op(spec);
        self.ir.append_op(block, op);
        if self.scope.starts.last().is_some_and(|start| start.1 > 0) && n_results > 0 {
            let results = match self.ir.results(op) {
                [] => self.ir.operands(op).to_vec(),
                results => results.to_vec(),
            };
            self.define(&results)?;
        }
        if n_regions > 0 {
            let outer = is_isolated.then(|| std::mem::take(&mut self.scope));
            self.regions(op, is_isolated, cursor)?;
            if let Some(outer) = outer {
                self.scope = outer;
            }
        }
        if is_ignored {
            self.ir.erase_op(op);
        }
        Ok(())
    }

    fn regions(&mut self, op: Op, is_isolated: bool, cursor: &mut Cursor<'a>) -> Result<()> {
        self.reader.enter()?;
        let section = match is_isolated && self.reader.version >= LAZY_REGIONS {
            true => Some(cursor.section()?),
            false => None,
        };
        let bytes: &'a [u8] = self.reader.bytes;
        let mut own = match section {
            Some((Section::Ir, range)) => Some(Cursor::new(bytes, range)),
            Some(_) => return Err("expected IR section for region".into()),
            None => None,
        };
        for i in 0..self.ir.regions(op).len() {
            let region = self.ir.region(op, i);
            self.region(region, own.as_mut().unwrap_or(cursor))?;
        }
        self.reader.leave();
        Ok(())
    }

    /// Reads the regions of an operation that owns an arena.
    fn arena(
        &mut self,
        block: Block,
        spec: OpSpec,
        is_isolated: bool,
        cursor: &mut Cursor<'a>,
    ) -> Result<()> {
        let problem = if !spec.operands.is_empty() {
            "requires zero operands"
        } else if !spec.results.is_empty() {
            "requires zero results"
        } else if !spec.successors.is_empty() {
            "requires 0 successors"
        } else {
            ""
        };
        if !problem.is_empty() {
            return Err(format!("'{}' op {problem}", spec.def.name).into());
        }
        // Values around it cannot be used, though their numbers may be taken.
        let scope = Scope {
            base: match is_isolated {
                true => 0,
                false => self.scope.base + self.scope.slots.len(),
            },
            ..Scope::default()
        };
        let outer_scope = std::mem::replace(&mut self.scope, scope);
        let inner = Box::new(Ir::new(Arc::clone(self.reader.context), spec));
        let outer = std::mem::replace(&mut self.ir, inner);
        let root = self.ir.root();
        if !self.ir.regions(root).is_empty() {
            self.regions(root, is_isolated, cursor)?;
        }
        let inner = std::mem::replace(&mut self.ir, outer);
        self.scope = outer_scope;
        let op = self.ir.create_nested(*inner);
        self.ir.append_op(block, op);
        Ok(())
    }

    // Properties.

    fn properties(
        &mut self,
        spec: &mut OpSpec,
        name: &ResolvedName,
        range: Range<usize>,
    ) -> Result<()> {
        let context = Arc::clone(self.reader.context);
        let bytes: &'a [u8] = self.reader.bytes;
        let mut cursor = Cursor::new(bytes, range);
        let cursor = &mut cursor;
        if !name.was_registered {
            let attr = self.reader.attr(cursor)?;
            match context.attr_kind(attr) {
                AttrKind::Dictionary(dict) if !spec.def.is_unregistered() => {
                    for &(key, attr) in context.dict(*dict) {
                        generic::set_property(&context, spec, key, attr);
                    }
                }
                _ => spec.attrs.push((Name::EMPTY, attr)),
            }
            return Ok(());
        }
        if spec.def.is_unregistered() {
            let name = context.name(name.name);
            if context.ignores_dialect(name.split('.').next().unwrap_or_default()) {
                return Ok(());
            }
            let namespace = name.split('.').next().unwrap_or_default();
            let message = match context.dialect(namespace) {
                Some(row) if !row.is_open => format!(
                    "unregistered operation '{name}' found in dialect ('{namespace}') that does \
                     not allow unknown operations"
                ),
                _ => format!("has properties but missing BytecodeOpInterface for '{name}'"),
            };
            return Err(message.into());
        }
        // Older versions of a dialect have fewer properties of these operations.
        let lacks = |cursor: &Cursor<'_>| {
            let newer = newer_attributes(spec.def);
            (!newer.is_empty()).then_some(newer).filter(|_| {
                let mut probe = cursor.clone();
                let mut n = 0;
                while !probe.is_empty() && probe.number().is_ok() {
                    n += 1;
                }
                n < name.properties.len()
            })
        };
        let missing = lacks(cursor).unwrap_or_default();
        for property in &*name.properties {
            if missing.contains(&context.name(property.name)) {
                continue;
            }
            let attr = match property.encoding {
                Encoding::Required => Some(self.reader.attr(cursor)?),
                Encoding::Optional => self.reader.optional_attr(cursor)?,
                Encoding::Segments => {
                    let sizes = self.segments(spec, property.name, cursor)?;
                    (!has_bundles(spec.def, self.reader.mlir)).then_some(sizes)
                }
                Encoding::Wraps => {
                    if cursor.number()? & INBOUNDS == INBOUNDS {
                        spec.set_attr(Name::INBOUNDS, Attr::UNIT);
                    }
                    None
                }
                Encoding::Flag => (cursor.byte()? != 0).then_some(Attr::UNIT),
                Encoding::Overflow => match cursor.number()? {
                    0 => None,
                    bits => Some(context.intern_attr(AttrKind::Dialect {
                        dialect: context.intern_name("llvm"),
                        body: overflow_body(bits).into(),
                        ty: None,
                    })),
                },
            };
            if let Some(attr) = attr {
                generic::set_property(&context, spec, property.name, attr);
            }
        }
        // Newer versions may have more, which says nothing if it is missing.
        while !cursor.is_empty() {
            if cursor.number()? != 0 {
                let name = spec.def.name;
                return Err(format!("unexpected trailing bytes in properties of '{name}'").into());
            }
        }
        Ok(())
    }

    /// Sizes of segments: an attribute, or those that are not zero.
    fn segments(&mut self, spec: &OpSpec, name: Name, cursor: &mut Cursor<'a>) -> Result<Attr> {
        if self.reader.version < NATIVE_SEGMENTS {
            return self.reader.attr(cursor);
        }
        let values = match name == Name::OPERAND_SEGMENT_SIZES {
            true => spec.def.operands,
            false => spec.def.results,
        };
        let n_groups = match has_bundles(spec.def, self.reader.mlir) {
            true => 2,
            false => values.len(),
        };
        let mut sizes = vec![0_i32; n_groups];
        let size = |size: u64| i32::try_from(size).map_err(|_| "size of a segment is too large");
        let (n, is_sparse) = cursor.flagged()?;
        if !is_sparse {
            if n > sizes.len() as u64 {
                let message = format!(
                    "trying to read an array of {n} but only {} storage available.",
                    sizes.len()
                );
                return Err(message.into());
            }
            for place in sizes.iter_mut().take(n as usize) {
                *place = size(cursor.number()?)?;
            }
        } else if n > 0 {
            let index_bits = cursor.number()?;
            if index_bits > 8 {
                return Err("reading sparse array with indexing above 8 bits".into());
            }
            for _ in 0..n {
                let pair = cursor.number()?;
                let index = (pair & ((1 << index_bits) - 1)) as usize;
                let Some(place) = sizes.get_mut(index) else {
                    let message = format!(
                        "reading a sparse array found index {index} but only {} storage \
                         available.",
                        n_groups
                    );
                    return Err(message.into());
                };
                *place = size(pair >> index_bits)?;
            }
        }
        Ok(self.reader.context.i32_array_attr(&sizes))
    }

    // Values.

    fn operand(&mut self, cursor: &mut Cursor<'a>) -> Result<Value> {
        let number = cursor.number()?;
        let index = number.wrapping_sub(self.scope.base as u64);
        let Ok(index) = check_index(index, self.scope.slots.len(), "value") else {
            return Err(format!("invalid value index: {number}").into());
        };
        match self.scope.slots[index] {
            Slot::Defined(value) | Slot::Forward(value) => Ok(value),
            Slot::Empty => {
                let spec = OpSpec::new(&builtin::UNREALIZED_CONVERSION_CAST, self.reader.loc);
                let cast = self.ir.create_op(spec.results(&[Type::NONE]));
                let value = self.ir.result(cast, 0);
                self.scope.slots[index] = Slot::Forward(value);
                self.scope.n_forward += 1;
                Ok(value)
            }
        }
    }

    /// Gives the next numbers of the region at hand to values.
    fn define(&mut self, values: &[Value]) -> Result<()> {
        let scope = &mut self.scope;
        let Some((next, _)) = scope.starts.last_mut() else {
            return Ok(());
        };
        let (first, end) = (*next, *next + values.len());
        if end > scope.slots.len() {
            let base = scope.base;
            let message = format!(
                "value index range was outside of the expected range for the parent region, got \
                 [{}, {}), but the maximum index was {}",
                base + first,
                base + end,
                (base + scope.slots.len()) as i64 - 1
            );
            return Err(message.into());
        }
        *next = end;
        for (index, &value) in (first..).zip(values) {
            let old = std::mem::replace(&mut scope.slots[index], Slot::Defined(value));
            if let Slot::Forward(placeholder) = old {
                scope.n_forward -= 1;
                if placeholder == value {
                    return Err("value is defined by itself".into());
                }
                for &alias in &scope.aliases {
                    if let Slot::Defined(other) = &mut scope.slots[alias]
                        && *other == placeholder
                    {
                        *other = value;
                    }
                }
                self.ir.replace_all_uses(placeholder, value);
                if let Some(cast) = self.ir.defining_op(placeholder) {
                    self.ir.erase_op(cast);
                }
            }
            if self.ir.value_block(value).is_none() {
                // What an operation gives back that is not defined yet.
                scope.aliases.push(index);
            }
        }
        Ok(())
    }
}

/// Reads over the orders of uses of `n` values.
fn read_use_orders(n: usize, cursor: &mut Cursor<'_>) -> Result<()> {
    let n_orders = match n > 1 {
        true => cursor.count()?,
        false => 1,
    };
    for _ in 0..n_orders {
        if n > 1 {
            cursor.index(n, "value")?;
        }
        let (n_indices, _) = cursor.flagged()?;
        for _ in 0..cursor.check_count(n_indices)? {
            cursor.number()?;
        }
    }
    Ok(())
}
