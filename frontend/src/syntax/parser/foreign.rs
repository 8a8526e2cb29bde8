//! Operations of dialects that are not compiled: what makes programs in other
//! dialects of them, and those that the user says are to be left out.

use super::Parser;
use crate::ir::diag::Failed;
use crate::ir::location::Loc;
use crate::syntax::lexer::{TokenKind, unescape};

/// Dialects of whole programs, and what turns such a program into one that can be compiled.
const CONVERTERS: &[(&[&str], &str)] = &[
    (
        &["tosa"],
        "`mlir-opt --tosa-to-linalg-pipeline` makes linalg of it",
    ),
    (
        &["mhlo"],
        "`iree-opt --iree-stablehlo-input-transformation-pipeline` makes linalg of it",
    ),
    (
        &["torch", "torch_c", "onnx"],
        "`iree-opt --pass-pipeline='builtin.module(torch-onnx-to-torch-backend-pipeline,torch-to-iree)'` \
         makes linalg of it",
    ),
    (
        &["gpu", "nvgpu", "nvvm", "amdgpu", "rocdl", "spirv", "xegpu"],
        "programs for graphics processors are not compiled",
    ),
    (
        &["transform"],
        "`--ignore-dialect=transform` leaves such scripts out",
    ),
    (
        &["emitc"],
        "compile it with the tools it was made for, or begin with what it was made of",
    ),
    (
        &["shape"],
        "`mlir-opt --remove-shape-constraints --shape-to-shape-lowering --convert-shape-to-std` \
         makes arith and tensor of it",
    ),
];

/// What to do about a program in a dialect that is not compiled, if that is known.
pub(crate) fn advice(dialect: &str) -> Option<&'static str> {
    CONVERTERS
        .iter()
        .find(|(dialects, _)| dialects.contains(&dialect))
        .map(|&(_, advice)| advice)
}

impl Parser<'_> {
    /// Says what to do about a dialect that is not compiled, once for all its operations.
    pub(super) fn refuse_dialect(
        &mut self,
        dialect: &str,
        loc: Loc,
        message: &str,
        advice: &str,
    ) -> Failed {
        if self
            .refused_dialects
            .iter()
            .any(|refused| refused == dialect)
        {
            return Failed;
        }
        self.refused_dialects.push(dialect.to_owned());
        self.error_at(loc, format!("{message}: {advice}"))
    }

    /// Skips an operation without results of a dialect that is to be ignored, if one is next.
    pub(super) fn skip_ignored_operation(&mut self) -> bool {
        let name = match self.token.kind {
            TokenKind::BareId => self.spelling().to_owned(),
            TokenKind::String => String::from_utf8_lossy(&unescape(self.spelling())).into_owned(),
            _ => return false,
        };
        let Some((dialect, _)) = name.split_once('.') else {
            return false;
        };
        if !self.context.ignores_dialect(dialect) {
            return false;
        }
        self.skipping = true;
        self.skip_whole_operation();
        self.skipping = false;
        true
    }

    /// Skips an operation that may go over several lines, in whatever syntax.
    fn skip_whole_operation(&mut self) {
        let (start, braces) = (self.token.start, self.brace_depth);
        let mut open = 0;
        loop {
            match self.token.kind {
                TokenKind::LParen | TokenKind::LSquare => open += 1,
                TokenKind::RParen | TokenKind::RSquare => open -= 1,
                _ => {}
            }
            // Nothing ends with these.
            let goes_on = matches!(
                self.token.kind,
                TokenKind::Comma | TokenKind::Colon | TokenKind::Arrow | TokenKind::Equal
            );
            self.advance();
            let is_over = self.token.kind == TokenKind::Eof
                || (open <= 0
                    && !goes_on
                    && self.is_start_of_operation(start, braces)
                    && !self.is_keyword());
            if is_over {
                return;
            }
        }
    }

    /// Whether the next word is no operation.
    fn is_keyword(&self) -> bool {
        if !self.at(TokenKind::BareId) {
            return false;
        }
        let word = self.spelling();
        let in_default_dialect = format!("{}.{word}", self.default_dialect);
        !word.contains('.')
            && word != "module"
            && self.context.op_def(&in_default_dialect).is_none()
    }
}
