//! SSA names: what `%x` and `^bb` stand for where they are written.
//!
//! Names of values live in an isolated scope (a function), those of blocks in
//! a region. A value may be used before its definition; such a use makes a
//! placeholder (a detached cast), which the definition replaces.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Parser;
use crate::ir::asm::UnresolvedOperand;
use crate::ir::builtin;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::location::Loc;
use crate::ir::types::Type;

/// The values one name stands for. Empty: the operation that defines it did
/// not parse, so every use is accepted.
#[derive(Debug)]
struct Definition {
    values: SmallVec<[Value; 1]>,
    loc: Loc,
}

/// A value that is used and not defined yet.
#[derive(Debug)]
struct ForwardReference {
    placeholder: Value,
    loc: Loc,
}

/// Names visible in one isolated operation.
#[derive(Default, Debug)]
pub(super) struct ValueScope<'a> {
    definitions: FxHashMap<&'a str, Definition>,
    forward: FxHashMap<(&'a str, u32), ForwardReference>,
    /// What placeholders were replaced by: an operation whose regions define
    /// its own operand is made after that.
    replaced: FxHashMap<Value, Value>,
    /// Names in the order of definition, to take back at the end of a region.
    defined: Vec<&'a str>,
    /// Something did not parse that may have defined names.
    incomplete: bool,
}

#[derive(Debug)]
struct BlockName {
    block: Block,
    loc: Loc,
    defined: bool,
}

/// Names of the blocks of one region.
#[derive(Default, Debug)]
pub(super) struct BlockScope<'a> {
    names: FxHashMap<&'a str, BlockName>,
    n_undefined: usize,
    incomplete: bool,
}

/// All scopes around the current token.
#[derive(Default, Debug)]
pub(super) struct Scopes<'a> {
    values: Vec<ValueScope<'a>>,
    blocks: Vec<BlockScope<'a>>,
}

impl<'a> Scopes<'a> {
    fn value_scope(&mut self) -> &mut ValueScope<'a> {
        self.values
            .last_mut()
            .expect("the module opens the outermost scope")
    }
}

impl<'a> Parser<'a> {
    /// The name of an operand, without `%`.
    pub(super) fn name_of(&self, operand: &UnresolvedOperand) -> &'a str {
        let start = operand.name_start as usize;
        &self.text[start..start + operand.name_len as usize]
    }

    // Scopes.

    /// Opens a scope that does not see the names around it.
    pub(super) fn push_isolated_scope(&mut self) {
        self.scopes.values.push(ValueScope::default());
    }

    /// Closes it; uses without a definition are errors.
    pub(super) fn pop_isolated_scope(&mut self) -> Result<(), Failed> {
        let scope = self
            .scopes
            .values
            .pop()
            .expect("every scope that is closed was opened");
        if scope.forward.is_empty() || scope.incomplete {
            return Ok(());
        }
        let mut undefined: Vec<Loc> = scope.forward.into_values().map(|use_| use_.loc).collect();
        undefined.sort_unstable();
        for loc in undefined {
            self.push_error(loc, "use of undeclared SSA value name".to_owned());
        }
        Err(Failed)
    }

    /// Opens the scope of a region; returns what closes it.
    pub(super) fn push_region_scope(&mut self) -> usize {
        self.scopes.blocks.push(BlockScope::default());
        self.scopes.value_scope().defined.len()
    }

    /// Closes the scope of a region; branches to missing blocks are errors.
    pub(super) fn pop_region_scope(&mut self, mark: usize) -> Result<(), Failed> {
        let scope = self.scopes.value_scope();
        for name in scope.defined.drain(mark..) {
            scope.definitions.remove(name);
        }
        let blocks = self
            .scopes
            .blocks
            .pop()
            .expect("every scope that is closed was opened");
        if blocks.n_undefined == 0 || blocks.incomplete {
            return Ok(());
        }
        let mut undefined: Vec<Loc> = blocks
            .names
            .into_values()
            .filter(|name| !name.defined)
            .map(|name| name.loc)
            .collect();
        undefined.sort_unstable();
        for loc in undefined {
            self.push_error(loc, "reference to an undefined block".to_owned());
        }
        Err(Failed)
    }

    /// Notes that skipped text may have defined names, so that missing ones
    /// are no errors.
    pub(super) fn mark_scopes_incomplete(&mut self) {
        self.scopes.value_scope().incomplete = true;
        if let Some(blocks) = self.scopes.blocks.last_mut() {
            blocks.incomplete = true;
        }
    }

    // Values.

    /// Where `name` was first seen in this scope, if it was.
    pub(super) fn reference_loc(&mut self, name: &'a str) -> Option<Loc> {
        let scope = self.scopes.value_scope();
        if let Some(definition) = scope.definitions.get(name) {
            return Some(definition.loc);
        }
        scope.forward.get(&(name, 0)).map(|use_| use_.loc)
    }

    /// Lets `name` stand for `values`.
    pub(super) fn define(
        &mut self,
        name: &'a str,
        loc: Loc,
        values: &[Value],
    ) -> Result<(), Failed> {
        let scope = self.scopes.value_scope();
        if let Some(previous) = scope.definitions.get(name) {
            let note = previous.loc;
            return Err(self.error_with_note(
                loc,
                format!("redefinition of SSA value '%{name}'"),
                note,
                "previously defined here",
            ));
        }
        let definition = Definition {
            values: values.into(),
            loc,
        };
        scope.definitions.insert(name, definition);
        scope.defined.push(name);
        if scope.forward.is_empty() {
            return Ok(());
        }
        for (index, &value) in values.iter().enumerate() {
            let key = (name, index as u32);
            let Some(use_) = self.scopes.value_scope().forward.remove(&key) else {
                continue;
            };
            let (used, defined) = (
                self.ir.value_type(use_.placeholder),
                self.ir.value_type(value),
            );
            if used != defined {
                let message = format!(
                    "definition of SSA value '%{name}#{index}' has type '{}'",
                    self.type_text(defined)
                );
                let note = format!("previously used here with type '{}'", self.type_text(used));
                return Err(self.error_with_note(loc, message, use_.loc, &note));
            }
            let cast = self.ir.defining_op(use_.placeholder);
            self.ir.replace_all_uses(use_.placeholder, value);
            let scope = self.scopes.value_scope();
            scope.replaced.insert(use_.placeholder, value);
            if let Some(cast) = cast {
                self.ir.erase_op(cast);
            }
        }
        Ok(())
    }

    /// Lets `name` stand for anything: what defines it did not parse.
    pub(super) fn define_poison(&mut self, name: &'a str, loc: Loc) {
        let scope = self.scopes.value_scope();
        if !scope.definitions.contains_key(name) {
            let values = SmallVec::new();
            scope.definitions.insert(name, Definition { values, loc });
            scope.defined.push(name);
        }
        scope.forward.retain(|key, _| key.0 != name);
    }

    /// The value `operand` stands for, which must have type `ty`.
    pub(super) fn look_up(
        &mut self,
        operand: &UnresolvedOperand,
        ty: Type,
    ) -> Result<Value, Failed> {
        let name = self.name_of(operand);
        let scope = self.scopes.value_scope();
        let (value, note) = match scope.definitions.get(name) {
            Some(definition) => match definition.values.get(operand.index as usize) {
                Some(&value) => (value, definition.loc),
                None if definition.values.is_empty() => return Ok(self.placeholder(operand, ty)),
                None => {
                    return Err(self.error_at(operand.loc, "reference to invalid result number"));
                }
            },
            None => match scope.forward.get(&(name, operand.index)) {
                Some(use_) => (use_.placeholder, use_.loc),
                None => {
                    let placeholder = self.placeholder(operand, ty);
                    let use_ = ForwardReference {
                        placeholder,
                        loc: operand.loc,
                    };
                    self.scopes
                        .value_scope()
                        .forward
                        .insert((name, operand.index), use_);
                    return Ok(placeholder);
                }
            },
        };
        let actual = self.ir.value_type(value);
        if actual == ty {
            return Ok(value);
        }
        let message = format!(
            "use of value '%{name}' expects different type than prior uses: '{}' vs '{}'",
            self.type_text(ty),
            self.type_text(actual)
        );
        Err(self.error_with_note(operand.loc, message, note, "prior use here"))
    }

    /// Puts definitions in the place of operands that were looked up before
    /// they were defined.
    pub(super) fn replace_placeholders(&mut self, operands: &mut [Value]) {
        let replaced = &self.scopes.value_scope().replaced;
        if replaced.is_empty() {
            return;
        }
        for operand in operands {
            if let Some(&value) = replaced.get(operand) {
                *operand = value;
            }
        }
    }

    fn placeholder(&mut self, operand: &UnresolvedOperand, ty: Type) -> Value {
        let spec = OpSpec::new(&builtin::UNREALIZED_CONVERSION_CAST, operand.loc).results(&[ty]);
        let cast: Op = self.ir.create_op(spec);
        self.ir.result(cast, 0)
    }

    // Blocks.

    /// The block called `name`, made now if it is not known yet.
    pub(super) fn block_named(&mut self, name: &'a str, loc: Loc) -> Block {
        let Some(scope) = self.scopes.blocks.last_mut() else {
            return self.ir.create_detached_block();
        };
        let ir = &mut self.ir;
        let n_undefined = &mut scope.n_undefined;
        scope
            .names
            .entry(name)
            .or_insert_with(|| {
                *n_undefined += 1;
                BlockName {
                    block: ir.create_detached_block(),
                    loc,
                    defined: false,
                }
            })
            .block
    }

    /// The block that `^name` at `loc` defines: `block` if given, one that was
    /// referred to before, or a new one.
    pub(super) fn define_block(
        &mut self,
        name: &'a str,
        loc: Loc,
        block: Option<Block>,
    ) -> Result<Block, Failed> {
        let ir = &mut self.ir;
        let scope = self
            .scopes
            .blocks
            .last_mut()
            .expect("blocks are parsed in regions");
        if let Some(known) = scope.names.get_mut(name) {
            if known.defined {
                return Err(self.error_at(loc, format!("redefinition of block '^{name}'")));
            }
            known.defined = true;
            known.loc = loc;
            scope.n_undefined -= 1;
            return Ok(known.block);
        }
        let block = block.unwrap_or_else(|| ir.create_detached_block());
        let defined = true;
        scope.names.insert(
            name,
            BlockName {
                block,
                loc,
                defined,
            },
        );
        Ok(block)
    }
}
