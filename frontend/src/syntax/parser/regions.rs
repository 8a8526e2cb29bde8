//! Regions and blocks.

use super::Parser;
use crate::ir::asm::{Argument, OpAsmParser as _};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Region};
use crate::ir::op_def::{OpDef, Traits};
use crate::ir::types::Type;
use crate::syntax::lexer::TokenKind;

impl<'a> Parser<'a> {
    /// Reads `{ ... }` as the next region of the operation, with these entry
    /// arguments (empty: the region may name its own with `^bb0(...)`). A
    /// missing terminator is added if the row has an implicit one; where the
    /// row of the terminator asks for regions, it gets one empty block each.
    pub(super) fn parse_region(
        &mut self,
        arguments: &[Argument],
        spec: &mut OpSpec,
    ) -> Result<(), Failed> {
        let def = spec.def;
        // An operation with an arena of its own has its scope already.
        let isolated = def.traits.contains(Traits::ISOLATED_FROM_ABOVE)
            && !def.traits.contains(Traits::OWNS_ARENA);
        let region = if isolated {
            self.push_isolated_scope();
            let region = self.parse_braced_region(arguments);
            let scope = self.pop_isolated_scope();
            let region = region?;
            scope?;
            region
        } else {
            self.parse_braced_region(arguments)?
        };
        if let Some(terminator) = def.implicit_terminator {
            let block = match self.ir.last_block(region) {
                Some(block) => block,
                None => self.ir.append_block(region, &[]),
            };
            let terminated = self
                .ir
                .last_op(block)
                .is_some_and(|op| self.ir.has_trait(op, Traits::TERMINATOR));
            if !terminated {
                let n_regions = terminator.regions.0;
                let terminator = OpSpec::new(terminator, spec.loc).regions(n_regions);
                let op = self.ir.create_op(terminator);
                for i in 0..n_regions {
                    let region = self.ir.region(op, i);
                    self.ir.append_block(region, &[]);
                }
                self.ir.append_op(block, op);
            }
        }
        self.pending_regions.push(region);
        Ok(())
    }

    /// Reads `{ ... }` as the next region; an empty one gets a block.
    pub(super) fn parse_region_with_block(&mut self, spec: &mut OpSpec) -> Result<(), Failed> {
        self.parse_region(&[], spec)?;
        if let Some(&region) = self.pending_regions.last()
            && self.ir.entry_block(region).is_none()
        {
            self.ir.append_block(region, &[]);
        }
        Ok(())
    }

    /// Ends the region read last with `terminator`, which gets the results of the last operation,
    /// unless there is a terminator.
    pub(super) fn terminate_with_results(&mut self, terminator: &'static OpDef, spec: &OpSpec) {
        let Some(&region) = self.pending_regions.last() else {
            return;
        };
        let block = match self.ir.last_block(region) {
            Some(block) => block,
            None => self.ir.append_block(region, &[]),
        };
        let mut end = OpSpec::new(terminator, spec.loc);
        if let Some(last) = self.ir.last_op(block) {
            if self.ir.has_trait(last, Traits::TERMINATOR) {
                return;
            }
            end.operands.extend_from_slice(self.ir.results(last));
        }
        let op = self.ir.create_op(end);
        self.ir.append_op(block, op);
    }

    /// Whether the region read last has no blocks.
    pub(super) fn last_region_is_empty(&self) -> bool {
        let region = self.pending_regions.last();
        region.is_some_and(|&region| self.ir.entry_block(region).is_none())
    }

    /// Reads a region if `{` is next; otherwise adds no region.
    pub(super) fn parse_opt_region(
        &mut self,
        arguments: &[Argument],
        spec: &mut OpSpec,
    ) -> Result<bool, Failed> {
        if !self.at(TokenKind::LBrace) {
            return Ok(false);
        }
        self.parse_region(arguments, spec)?;
        Ok(true)
    }

    /// Adds an empty region (`else` left out).
    pub(super) fn add_empty_region(&mut self, _spec: &mut OpSpec) {
        let region = self.ir.create_pending_region();
        self.pending_regions.push(region);
    }

    /// Makes the region read last the first one (`scf.index_switch` writes its default last).
    pub(super) fn move_last_region_to_front(&mut self, _spec: &mut OpSpec) {
        let regions = &mut self.pending_regions[self.frame.first_region..];
        if !regions.is_empty() {
            regions.rotate_right(1);
        }
    }

    /// Adds a region with one block with these argument types and the implicit terminator
    /// (built by `build` if given), for operations whose body is not written.
    pub(super) fn add_synthesized_region(
        &mut self,
        argument_types: &[Type],
        _spec: &mut OpSpec,
        build: &mut dyn FnMut(&mut Ir, Block),
    ) {
        let region = self.ir.create_pending_region();
        let block = self.ir.append_block(region, argument_types);
        build(&mut self.ir, block);
        self.pending_regions.push(region);
    }

    /// Reads a region of an operation in generic form.
    pub(super) fn parse_generic_region(&mut self, _spec: &mut OpSpec) -> Result<(), Failed> {
        let region = self.parse_braced_region(&[])?;
        self.pending_regions.push(region);
        Ok(())
    }

    fn parse_braced_region(&mut self, arguments: &[Argument]) -> Result<Region, Failed> {
        self.expect(TokenKind::LBrace, "expected '{' to begin a region")?;
        let region = self.ir.create_pending_region();
        if arguments.is_empty() && self.take(TokenKind::RBrace) {
            return Ok(region);
        }
        let outer_block = self.block;
        // Operations in the region have frames of their own; what the parse
        // function of the owner reports afterwards is about the owner again.
        let mark = self.push_region_scope();
        let body = self.parse_region_body(region, arguments);
        let scope = self.pop_region_scope(mark);
        self.block = outer_block;
        body?;
        scope?;
        self.expect(TokenKind::RBrace, "expected '}' to end a region")?;
        Ok(region)
    }

    fn parse_region_body(&mut self, region: Region, arguments: &[Argument]) -> Result<(), Failed> {
        let entry = self.ir.append_block(region, &[]);
        if !arguments.is_empty() {
            if self.at(TokenKind::CaretId) {
                return Err(self.error_here("invalid block name in region with named arguments"));
            }
            for argument in arguments {
                let name = self.name_of(&argument.operand);
                let loc = argument.operand.loc;
                if let Some(previous) = self.reference_loc(name) {
                    return Err(self.error_with_note(
                        loc,
                        format!("region entry argument '%{name}' is already in use"),
                        previous,
                        "previously referenced here",
                    ));
                }
                let value = self.ir.append_block_arg(entry, argument.ty);
                self.ir.set_arg_loc(value, argument.loc);
                self.define(name, loc, &[value])?;
            }
        }
        if self.at(TokenKind::CaretId) {
            self.parse_labeled_block(region, Some(entry))?;
        } else {
            self.parse_block_body(entry)?;
        }
        while !self.at(TokenKind::RBrace) {
            self.parse_labeled_block(region, None)?;
        }
        Ok(())
    }

    /// Reads `^name(%arg : type, ...):` and the operations that follow.
    fn parse_labeled_block(&mut self, region: Region, entry: Option<Block>) -> Result<(), Failed> {
        let loc = self.token_loc();
        let name = self.spelling();
        self.expect(TokenKind::CaretId, "expected block name")?;
        let block = match self.define_block(&name[1..], loc, entry) {
            Ok(block) => block,
            // Reported; what follows is parsed into a block of its own.
            Err(_) => self.ir.create_detached_block(),
        };
        if entry != Some(block) {
            self.ir.move_block_to_end(block, region);
        }
        if self.parse_block_header(block).is_err() {
            self.mark_scopes_incomplete();
            self.skip_block_header();
        }
        self.parse_block_body(block)
    }

    fn parse_block_header(&mut self, block: Block) -> Result<(), Failed> {
        if self.at(TokenKind::LParen) {
            self.parse_delimited(super::Delimiter::Paren, "", &mut |p| {
                let operand = p.parse_operand()?;
                p.expect(TokenKind::Colon, "expected ':' and type for SSA operand")?;
                let ty = p.parse_type()?;
                let loc = p.parse_opt_loc()?.unwrap_or(operand.loc);
                let value = p.ir.append_block_arg(block, ty);
                p.ir.set_arg_loc(value, loc);
                let name = p.name_of(&operand);
                p.define(name, operand.loc, &[value])
            })?;
        }
        self.expect(TokenKind::Colon, "expected ':' after block name")
    }

    /// Skips the rest of the line of a block label that does not parse.
    fn skip_block_header(&mut self) {
        let line = |p: &Self| {
            let start = p.token.start as usize;
            memchr_newline(&p.text.as_bytes()[p.last_end as usize..start])
        };
        while !line(self) && !matches!(self.token.kind, TokenKind::Eof | TokenKind::RBrace) {
            self.advance();
        }
    }

    fn parse_block_body(&mut self, block: Block) -> Result<(), Failed> {
        loop {
            self.block = block;
            match self.token.kind {
                TokenKind::CaretId | TokenKind::RBrace => return Ok(()),
                // Something else was wrong before, perhaps a brace too few.
                TokenKind::Eof if self.n_errors > 0 => return Err(Failed),
                TokenKind::Eof => {
                    return Err(self.wrong_token("expected operation name in quotes"));
                }
                _ => self.parse_operation_or_skip()?,
            }
        }
    }
}

/// Whether there is a line break among `bytes`.
fn memchr_newline(bytes: &[u8]) -> bool {
    bytes.contains(&b'\n')
}
