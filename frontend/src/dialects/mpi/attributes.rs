//! What a reduction computes, and the classes of errors: words that the standard has, in the order of their numbers.

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::diag::Failed;
use crate::ir::op_def::{AttrConstraint, AttrText, CustomAttrText};
use crate::ir::types::Type;

/// A predefined operation of MPI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reduction(u8);

/// The words for reductions.
const REDUCTIONS: [&str; 14] = [
    "MPI_OP_NULL",
    "MPI_MAX",
    "MPI_MIN",
    "MPI_SUM",
    "MPI_PROD",
    "MPI_LAND",
    "MPI_BAND",
    "MPI_LOR",
    "MPI_BOR",
    "MPI_LXOR",
    "MPI_BXOR",
    "MPI_MINLOC",
    "MPI_MAXLOC",
    "MPI_REPLACE",
];

impl Reduction {
    /// What the attribute of an operation says.
    pub fn from_attr(context: &Context, attr: Attr) -> Option<Self> {
        let number = context.attr_integer(attr)?;
        let is_i32 = context.attr_carried_type(attr) == Some(Type::I32);
        let number = u8::try_from(number).ok().filter(|_| is_i32)?;
        (usize::from(number) < REDUCTIONS.len()).then_some(Self(number))
    }

    /// The one that a word names.
    pub fn named(word: &str) -> Option<Self> {
        let number = REDUCTIONS.iter().position(|&known| known == word)?;
        u8::try_from(number).ok().map(Self)
    }

    /// What operations say.
    pub fn to_attr(self, context: &Context) -> Attr {
        context.integer_attr(Type::I32, self.0.into())
    }

    /// The word.
    pub fn word(self) -> &'static str {
        REDUCTIONS[usize::from(self.0)]
    }

    /// The place of the word in upstream's list.
    pub fn number(self) -> u8 {
        self.0
    }
}

pub(super) static REDUCTION: AttrConstraint = AttrConstraint {
    description: "MPI operation class",
    accepts: |context, attr| Reduction::from_attr(context, attr).is_some(),
    text: AttrText::Custom(&CustomAttrText {
        parse: |p| {
            let loc = p.loc();
            let Some(word) = p.parse_opt_any_keyword() else {
                return Ok(None);
            };
            match REDUCTIONS.iter().position(|&known| known == word) {
                Some(number) => Ok(Some(p.context().integer_attr(Type::I32, number as i128))),
                None => {
                    let message = format!(
                        "expected string or keyword containing one of the following enum values for attribute 'op' \
                         [{}]",
                        REDUCTIONS.join(", ")
                    );
                    Err(p.error(loc, message))
                }
            }
        },
        print: |p, context, attr| {
            if let Some(reduction) = Reduction::from_attr(context, attr) {
                p.text(reduction.word());
            }
        },
    }),
};

/// A class of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErrorClass(u8);

/// The words for classes of errors.
const ERROR_CLASSES: [&str; 63] = [
    "MPI_SUCCESS",
    "MPI_ERR_ACCESS",
    "MPI_ERR_AMODE",
    "MPI_ERR_ARG",
    "MPI_ERR_ASSERT",
    "MPI_ERR_BAD_FILE",
    "MPI_ERR_BASE",
    "MPI_ERR_BUFFER",
    "MPI_ERR_COMM",
    "MPI_ERR_CONVERSION",
    "MPI_ERR_COUNT",
    "MPI_ERR_DIMS",
    "MPI_ERR_DISP",
    "MPI_ERR_DUP_DATAREP",
    "MPI_ERR_ERRHANDLER",
    "MPI_ERR_FILE",
    "MPI_ERR_FILE_EXISTS",
    "MPI_ERR_FILE_IN_USE",
    "MPI_ERR_GROUP",
    "MPI_ERR_INFO",
    "MPI_ERR_INFO_KEY",
    "MPI_ERR_INFO_NOKEY",
    "MPI_ERR_INFO_VALUE",
    "MPI_ERR_IN_STATUS",
    "MPI_ERR_INTERN",
    "MPI_ERR_IO",
    "MPI_ERR_KEYVAL",
    "MPI_ERR_LOCKTYPE",
    "MPI_ERR_NAME",
    "MPI_ERR_NO_MEM",
    "MPI_ERR_NO_SPACE",
    "MPI_ERR_NO_SUCH_FILE",
    "MPI_ERR_NOT_SAME",
    "MPI_ERR_OP",
    "MPI_ERR_OTHER",
    "MPI_ERR_PENDING",
    "MPI_ERR_PORT",
    "MPI_ERR_PROC_ABORTED",
    "MPI_ERR_QUOTA",
    "MPI_ERR_RANK",
    "MPI_ERR_READ_ONLY",
    "MPI_ERR_REQUEST",
    "MPI_ERR_RMA_ATTACH",
    "MPI_ERR_RMA_CONFLICT",
    "MPI_ERR_RMA_FLAVOR",
    "MPI_ERR_RMA_RANGE",
    "MPI_ERR_RMA_SHARED",
    "MPI_ERR_RMA_SYNC",
    "MPI_ERR_ROOT",
    "MPI_ERR_SERVICE",
    "MPI_ERR_SESSION",
    "MPI_ERR_SIZE",
    "MPI_ERR_SPAWN",
    "MPI_ERR_TAG",
    "MPI_ERR_TOPOLOGY",
    "MPI_ERR_TRUNCATE",
    "MPI_ERR_TYPE",
    "MPI_ERR_UNKNOWN",
    "MPI_ERR_UNSUPPORTED_DATAREP",
    "MPI_ERR_UNSUPPORTED_OPERATION",
    "MPI_ERR_VALUE_TOO_LARGE",
    "MPI_ERR_WIN",
    "MPI_ERR_LASTCODE",
];

impl ErrorClass {
    /// What the attribute of an operation says.
    pub fn from_attr(context: &Context, attr: Attr) -> Option<Self> {
        let AttrKind::Dialect { dialect, body, .. } = context.attr_kind(attr) else {
            return None;
        };
        if context.name(*dialect) != "mpi" {
            return None;
        }
        let word = body.strip_prefix("errclass<")?.strip_suffix('>')?;
        Self::named(word)
    }

    fn named(word: &str) -> Option<Self> {
        let number = ERROR_CLASSES.iter().position(|&known| known == word)?;
        Some(Self(number as u8))
    }

    fn to_attr(self, context: &Context) -> Attr {
        context.intern_attr(AttrKind::Dialect {
            dialect: context.intern_name("mpi"),
            body: format!("errclass<{}>", self.word()).into(),
            ty: None,
        })
    }

    /// The word.
    pub fn word(self) -> &'static str {
        ERROR_CLASSES[usize::from(self.0)]
    }
}

pub(super) static ERROR_CLASS: AttrConstraint = AttrConstraint {
    description: "MPI error class name",
    accepts: |context, attr| ErrorClass::from_attr(context, attr).is_some(),
    text: AttrText::Custom(&CustomAttrText {
        parse: parse_error_class,
        print: |p: &mut dyn OpAsmPrinter, context, attr| {
            if let Some(class) = ErrorClass::from_attr(context, attr) {
                p.text("<");
                p.text(class.word());
                p.text(">");
            }
        },
    }),
};

fn parse_error_class(p: &mut dyn OpAsmParser<'_>) -> Result<Option<Attr>, Failed> {
    p.parse_token("<")?;
    let loc = p.loc();
    let word = p.parse_any_keyword()?;
    let Some(class) = ErrorClass::named(word) else {
        let message = format!(
            "expected ::mlir::mpi::MPI_ErrorClassEnum to be one of: {}",
            ERROR_CLASSES.join(", ")
        );
        return Err(p.error(loc, message));
    };
    p.parse_token(">")?;
    Ok(Some(class.to_attr(p.context())))
}

/// The body of an attribute as it is written: `errclass<WORD>`.
pub(super) fn canonical_body(_: &Context, body: &str) -> Option<String> {
    let word = body.strip_prefix("errclass<")?.strip_suffix('>')?;
    let class = ErrorClass::named(word.trim())?;
    Some(format!("errclass<{}>", class.word()))
}
