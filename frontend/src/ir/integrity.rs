//! A check of the invariants of [`edit`](super::edit): links, positions, use lists and successor
//! lists are recomputed and compared with the stored ones.
//!
//! A violation is a bug of the compiler. It is returned as text rather than
//! asserted, so that the driver can report it together with the program.

use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashSet;

use super::data::Ir;
use super::entities::{Block, Op, Region, Use, UsePosition, Value, ValueDef};

impl Ir {
    /// Checks the stored structure of this arena; nested ones are not entered.
    /// Time is linear in the size of the arena.
    ///
    /// # Errors
    /// With a description of the first violation.
    pub fn check_integrity(&self) -> Result<(), String> {
        let mut check = Check {
            ir: self,
            n_uses: SecondaryMap::new(),
            n_block_uses: SecondaryMap::new(),
            values: Vec::new(),
            blocks: Vec::new(),
        };
        let mut ops = vec![self.root];
        while let Some(op) = ops.pop() {
            check.op(op)?;
            for &region in self.regions(op) {
                check.region(region, op)?;
                for block in self.blocks_in(region) {
                    check.block(block, region, &mut ops)?;
                }
            }
        }
        check.totals()
    }

    /// Breaks the link of an operation to the one before, for tests of the check.
    #[doc(hidden)]
    pub fn break_link(&mut self, op: Op) {
        self.ops[op].prev = None.into();
    }

    /// Exchanges the first two uses of a value without telling their operations, for tests of the check.
    #[doc(hidden)]
    pub fn swap_uses(&mut self, value: Value) {
        self.uses[value].swap(0, 1);
    }
}

struct Check<'a> {
    ir: &'a Ir,
    /// How often each value is an operand.
    n_uses: SecondaryMap<Value, u32>,
    /// How often each block is a successor.
    n_block_uses: SecondaryMap<Block, u32>,
    values: Vec<Value>,
    blocks: Vec<Block>,
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

impl Check<'_> {
    fn op(&mut self, op: Op) -> Result<(), String> {
        let ir = self.ir;
        let data = &ir.ops[op];
        ensure(!data.erased, || {
            format!("erased {op} is part of the program")
        })?;
        let positions = data.use_positions.as_slice(&ir.use_position_pool);
        let operands = ir.operands(op);
        ensure(positions.len() == operands.len(), || {
            format!(
                "{op} has {} operands but {} use positions",
                operands.len(),
                positions.len()
            )
        })?;
        for (index, (&value, &position)) in operands.iter().zip(positions).enumerate() {
            self.operand(op, index, value, position)?;
        }
        for (index, &result) in ir.results(op).iter().enumerate() {
            ensure(
                ir.value_def(result) == ValueDef::Result(op, index as u32),
                || format!("{result} is result {index} of {op} but defined elsewhere"),
            )?;
            self.values.push(result);
        }
        for &block in ir.successors(op) {
            self.n_block_uses[block] += 1;
        }
        Ok(())
    }

    fn operand(
        &mut self,
        op: Op,
        index: usize,
        value: Value,
        position: UsePosition,
    ) -> Result<(), String> {
        let expected = Use {
            op,
            index: index as u32,
        };
        let stored = self.ir.uses(value).get(position.index());
        ensure(stored == Some(&expected), || {
            format!("the use list of {value} lacks operand {index} of {op}")
        })?;
        self.n_uses[value] += 1;
        let is_erased = match self.ir.value_def(value) {
            ValueDef::Result(def, _) => self.ir.is_erased(def),
            ValueDef::Argument(..) => false,
        };
        ensure(!is_erased, || {
            format!("operand {index} of {op} is a result of an erased operation")
        })
    }

    fn region(&self, region: Region, owner: Op) -> Result<(), String> {
        let ir = self.ir;
        ensure(ir.region_owner(region) == owner, || {
            format!("{region} does not belong to {owner}")
        })?;
        let mut previous = None;
        for block in ir.blocks_in(region) {
            ensure(ir.prev_block(block) == previous, || {
                format!("{block} has a wrong predecessor in the block list")
            })?;
            previous = Some(block);
        }
        ensure(ir.last_block(region) == previous, || {
            format!("{region} has a wrong last block")
        })
    }

    fn block(&mut self, block: Block, region: Region, ops: &mut Vec<Op>) -> Result<(), String> {
        let ir = self.ir;
        ensure(ir.region_of(block) == Some(region), || {
            format!("{block} is not in {region}")
        })?;
        for (index, &argument) in ir.block_args(block).iter().enumerate() {
            ensure(
                ir.value_def(argument) == ValueDef::Argument(block, index as u32),
                || format!("{argument} is argument {index} of {block} but defined elsewhere"),
            )?;
            self.values.push(argument);
        }
        self.blocks.push(block);
        let mut previous: Option<Op> = None;
        for op in ir.ops_in(block) {
            ensure(ir.ops[op].block.expand() == Some(block), || {
                format!("{op} does not know that it is in {block}")
            })?;
            ensure(ir.ops[op].prev.expand() == previous, || {
                format!("{op} has a wrong predecessor in the operation list")
            })?;
            ensure(
                previous.is_none_or(|previous| ir.ops[previous].order < ir.ops[op].order),
                || format!("{op} is numbered before its predecessor"),
            )?;
            previous = Some(op);
            ops.push(op);
        }
        ensure(ir.last_op(block) == previous, || {
            format!("{block} has a wrong last operation")
        })
    }

    /// Every listed use was met: nothing outside of the program uses it.
    fn totals(&self) -> Result<(), String> {
        for &value in &self.values {
            let n_listed = self.ir.uses(value).len();
            ensure(n_listed == self.n_uses[value] as usize, || {
                format!(
                    "{value} lists {n_listed} uses but has {}",
                    self.n_uses[value]
                )
            })?;
        }
        for &block in &self.blocks {
            let uses = self.ir.block_uses(block);
            let is_true = |u: &&Use| {
                !self.ir.is_erased(u.op)
                    && self.ir.successors(u.op).get(u.index as usize) == Some(&block)
            };
            let distinct: FxHashSet<&Use> = uses.iter().filter(is_true).collect();
            let n_uses = self.n_block_uses[block] as usize;
            ensure(distinct.len() == n_uses && uses.len() == n_uses, || {
                format!("{block} lists {} uses but has {n_uses}", uses.len())
            })?;
        }
        Ok(())
    }
}
