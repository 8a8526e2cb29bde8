//! What passes may be told: a struct per pass, from one declaration of names, types, defaults and help.
//!
//! A pass reads fields; only here are options known by name, where text is read and printed.

use crate::manage::suggestion::closest;

/// The kind of value an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true`, `false`, `1`, `0`, or nothing (true).
    Bool,
    /// A decimal integer in this range, both ends included.
    Integer {
        /// The smallest.
        least: i64,
        /// The largest.
        most: i64,
    },
    /// Any text.
    Text,
    /// One of these words.
    Choice(&'static [Word]),
    /// Any number of texts, separated by commas.
    List,
    /// What this says.
    Other(&'static str),
}

/// A word that an option may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The word.
    pub word: &'static str,
    /// What it means, in one sentence.
    pub help: &'static str,
}

impl OptionKind {
    /// What to write instead of a value that is of another kind.
    pub fn expected(self) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::Integer {
                least,
                most: i64::MAX,
            } => format!("an integer from {least}"),
            Self::Integer { least, most } => format!("an integer from {least} to {most}"),
            Self::Text => "text".to_owned(),
            Self::Choice(_) => format!("one of {}", self.words(", ")),
            Self::List => "texts separated by commas".to_owned(),
            Self::Other(what) => what.to_owned(),
        }
    }

    /// The words that there are.
    pub fn words(self, separator: &str) -> String {
        let Self::Choice(words) = self else {
            return String::new();
        };
        let words: Vec<&str> = words.iter().map(|word| word.word).collect();
        words.join(separator)
    }
}

/// A type that options may have.
pub trait OptionValue: Sized {
    /// What texts it takes.
    const KIND: OptionKind;

    /// Reads a value; `None` if `text` is not of this kind.
    fn read(text: &str) -> Option<Self>;

    /// What [`read`](Self::read) makes this of.
    fn text(&self) -> String;
}

impl OptionValue for bool {
    const KIND: OptionKind = OptionKind::Bool;

    fn read(text: &str) -> Option<Self> {
        match text {
            "true" | "True" | "TRUE" | "1" | "" => Some(true),
            "false" | "False" | "FALSE" | "0" => Some(false),
            _ => None,
        }
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

/// The integer that `text` is, if it is of this kind.
pub(crate) fn read_integer(kind: OptionKind, text: &str) -> Option<i64> {
    let value = text.parse().ok()?;
    let is_in_range =
        matches!(kind, OptionKind::Integer { least, most } if (least..=most).contains(&value));
    is_in_range.then_some(value)
}

impl OptionValue for u64 {
    const KIND: OptionKind = OptionKind::Integer {
        least: 0,
        most: i64::MAX,
    };

    fn read(text: &str) -> Option<Self> {
        read_integer(Self::KIND, text)?.try_into().ok()
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

/// An enum of words; made by `option_words!`.
pub trait Words: OptionValue {}

/// What upstream reads as `unsigned`.
impl OptionValue for u32 {
    const KIND: OptionKind = OptionKind::Integer {
        least: 0,
        most: u32::MAX as i64,
    };

    fn read(text: &str) -> Option<Self> {
        read_integer(Self::KIND, text)?.try_into().ok()
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

/// A limit: -1 means that there is none.
impl OptionValue for Option<u64> {
    const KIND: OptionKind = OptionKind::Integer {
        least: -1,
        most: i64::MAX,
    };

    fn read(text: &str) -> Option<Self> {
        Some(read_integer(Self::KIND, text)?.try_into().ok())
    }

    fn text(&self) -> String {
        self.map_or("-1".to_owned(), |limit| limit.to_string())
    }
}

/// A word, or nothing.
impl<Word: Words> OptionValue for Option<Word> {
    const KIND: OptionKind = Word::KIND;

    fn read(text: &str) -> Option<Self> {
        match text {
            "" => Some(None),
            _ => Word::read(text).map(Some),
        }
    }

    fn text(&self) -> String {
        self.as_ref().map(Word::text).unwrap_or_default()
    }
}

impl OptionValue for Vec<String> {
    const KIND: OptionKind = OptionKind::List;

    fn read(text: &str) -> Option<Self> {
        let parts = text.split(',').filter(|part| !part.is_empty());
        Some(parts.map(str::to_owned).collect())
    }

    fn text(&self) -> String {
        self.join(",")
    }
}

impl OptionValue for String {
    const KIND: OptionKind = OptionKind::Text;

    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn text(&self) -> String {
        self.clone()
    }
}

/// One option, for help and reference pages.
#[derive(Clone, Debug)]
pub struct OptionRow {
    /// Its name as users type it.
    pub name: &'static str,
    /// Names that other versions of MLIR have for it.
    pub other_names: &'static [&'static str],
    /// What it takes.
    pub kind: OptionKind,
    /// The value if it is not given.
    pub default: String,
    /// One line for `--help`.
    pub help: String,
}

impl OptionRow {
    /// Whether users may call it so.
    pub fn has_name(&self, name: &str) -> bool {
        self.name == name || self.other_names.contains(&name)
    }
}

/// The options of a pass or of a named pipeline; made by `pass_options!`.
pub trait PassOptions: Clone + std::fmt::Debug + Default + Send + Sync + 'static {
    /// One row per option.
    fn rows() -> Vec<OptionRow>;

    /// Sets the option called `name`, which is one of the [`rows`](Self::rows); returns whether `value`
    /// is of its kind.
    fn set(&mut self, name: &str, value: &str) -> bool;

    /// All values, in the order of the rows.
    fn values(&self) -> Vec<String>;

    /// Reads an option given as `name=value`.
    ///
    /// # Errors
    /// If there is no such option or a value is not of its kind.
    fn read(given: &[(String, String)]) -> Result<Self, String> {
        let rows = Self::rows();
        let mut options = Self::default();
        for (name, value) in given {
            let Some(row) = rows.iter().find(|row| row.has_name(name)) else {
                let hint = closest(name, rows.iter().map(|row| row.name))
                    .map(|known| format!("; did you mean '{known}'?"));
                return Err(format!("no such option {name}{}", hint.unwrap_or_default()));
            };
            if !options.set(name, value) {
                return Err(format!(
                    "'{value}' value invalid for option {name}: expected {}",
                    row.kind.expected()
                ));
            }
        }
        Ok(options)
    }

    /// The options that are not as they are by default, with their values.
    fn given(&self) -> Vec<(&'static str, String)> {
        let rows = Self::rows().into_iter().zip(self.values());
        rows.filter(|(row, value)| row.default != *value)
            .map(|(row, value)| (row.name, value))
            .collect()
    }
}

/// A pass without options.
impl PassOptions for () {
    fn rows() -> Vec<OptionRow> {
        Vec::new()
    }

    fn set(&mut self, _: &str, _: &str) -> bool {
        false
    }

    fn values(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Declares options, of a pass or of others. Each has its help as a comment, the name that users type, a field, a
/// type that is an [`OptionValue`], and its default. Further names follow the first one after bars.
#[macro_export]
macro_rules! pass_options {
    (
        $(#[doc = $doc:literal])*
        $visibility:vis struct $Options:ident {
            $(
                $(#[doc = $help:literal])+
                $name:literal $(| $other:literal)* $field:ident: $Value:ty = $default:expr
            ),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        $visibility struct $Options {
            $( $(#[doc = $help])+ pub $field: $Value, )*
        }

        impl Default for $Options {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $crate::manage::options::PassOptions for $Options {
            fn rows() -> Vec<$crate::manage::options::OptionRow> {
                use $crate::manage::options::{OptionRow, OptionValue};
                let default = Self::default();
                vec![$( OptionRow {
                    name: $name,
                    other_names: &[$($other),*],
                    kind: <$Value>::KIND,
                    default: default.$field.text(),
                    help: concat!($($help),+).trim().to_owned(),
                }, )*]
            }

            fn set(&mut self, name: &str, value: &str) -> bool {
                use $crate::manage::options::OptionValue;
                match name {
                    $( $name $(| $other)* => <$Value>::read(value).map(|value| self.$field = value).is_some(), )*
                    _ => false,
                }
            }

            fn values(&self) -> Vec<String> {
                use $crate::manage::options::OptionValue;
                vec![$( self.$field.text(), )*]
            }
        }
    };
}
pub use pass_options;

/// Declares an enum whose values are words that users type.
#[macro_export]
macro_rules! option_words {
    (
        $(#[doc = $doc:literal])*
        $visibility:vis enum $Words:ident {
            $( $(#[doc = $help:literal])+ $Word:ident = $word:literal ),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility enum $Words {
            $( $(#[doc = $help])+ $Word, )*
        }

        impl $crate::manage::options::Words for $Words {}

        impl $crate::manage::options::OptionValue for $Words {
            const KIND: $crate::manage::options::OptionKind =
                $crate::manage::options::OptionKind::Choice(&[$(
                    $crate::manage::options::Word {
                        word: $word,
                        help: concat!($($help),+).trim_ascii(),
                    }
                ),*]);

            fn read(text: &str) -> Option<Self> {
                match text {
                    $( $word => Some(Self::$Word), )*
                    _ => None,
                }
            }

            fn text(&self) -> String {
                match self {
                    $( Self::$Word => $word, )*
                }
                .to_owned()
            }
        }
    };
}
pub use option_words;
