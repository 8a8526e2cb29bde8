//! Bodies of dialect types and attributes. They are kept as text; where it is
//! a list of keywords, spacing and order become those that upstream prints, so
//! that equal attributes are equal data.

use std::borrow::Cow;

use crate::ir::context::Context;

/// Dialects of upstream. Their types and attributes are accepted as text even
/// where their operations are unknown here.
const UPSTREAM: [&str; 47] = [
    "acc",
    "affine",
    "amdgpu",
    "amx",
    "arith",
    "arm_neon",
    "arm_sme",
    "arm_sve",
    "async",
    "bufferization",
    "builtin",
    "cf",
    "complex",
    "dlti",
    "emitc",
    "func",
    "gpu",
    "index",
    "irdl",
    "linalg",
    "llvm",
    "math",
    "memref",
    "mesh",
    "ml_program",
    "mpi",
    "nvgpu",
    "nvvm",
    "omp",
    "pdl",
    "pdl_interp",
    "polynomial",
    "ptr",
    "quant",
    "rocdl",
    "scf",
    "sdy",
    "shape",
    "sparse_tensor",
    "spirv",
    "tensor",
    "tosa",
    "transform",
    "ub",
    "vector",
    "x86vector",
    "xegpu",
];

/// Whether text of this dialect is accepted without further ado.
pub(super) fn is_known_dialect(context: &Context, dialect: &str) -> bool {
    context.dialect(dialect).is_some()
        || UPSTREAM.contains(&dialect)
        || context.ignores_dialect(dialect)
}

/// Flags in the order they print.
const FASTMATH: [&str; 7] = ["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"];
const OVERFLOW: [&str; 2] = ["nsw", "nuw"];

/// The body of `dialect.body` or `dialect<body>` as it is stored.
pub(super) fn dialect_body<'t>(context: &Context, dialect: &str, body: &'t str) -> Cow<'t, str> {
    if !is_known_dialect(context, dialect) {
        return Cow::Borrowed(body);
    }
    let Some((mnemonic, words)) = keyword_list(body) else {
        return Cow::Borrowed(body);
    };
    let text = match (dialect, mnemonic) {
        ("arith", "fastmath") => flags(&words, &FASTMATH, "fast", ","),
        ("arith", "overflow") => flags(&words, &OVERFLOW, "", ", "),
        _ => None,
    };
    let text = text.unwrap_or_else(|| words.join(", "));
    Cow::Owned(format!("{mnemonic}<{text}>"))
}

/// Splits `mnemonic<word, word>` if it is just that.
fn keyword_list(body: &str) -> Option<(&str, Vec<&str>)> {
    let (mnemonic, rest) = body.split_once('<')?;
    let list = rest.trim_end().strip_suffix('>')?;
    let is_word = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let words: Vec<&str> = list.split(',').map(str::trim).collect();
    let mnemonic = mnemonic.trim();
    (is_word(mnemonic) && words.iter().all(|word| is_word(word))).then_some((mnemonic, words))
}

/// Flags in their order; `all` stands for every one.
fn flags(words: &[&str], order: &[&str], all: &str, separator: &str) -> Option<String> {
    let mut set = vec![false; order.len()];
    for &word in words {
        if word == all {
            set.fill(true);
        } else if word != "none" {
            *set.get_mut(order.iter().position(|&flag| flag == word)?)? = true;
        }
    }
    if !all.is_empty() && set.iter().all(|&flag| flag) {
        return Some(all.to_owned());
    }
    let words: Vec<&str> = order
        .iter()
        .zip(&set)
        .filter_map(|(&flag, &set)| set.then_some(flag))
        .collect();
    if words.is_empty() {
        return Some("none".to_owned());
    }
    Some(words.join(separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_flags() {
        assert_eq!(
            flags(&["contract", "nnan"], &FASTMATH, "fast", ",").as_deref(),
            Some("nnan,contract")
        );
        assert_eq!(
            flags(&["fast"], &FASTMATH, "fast", ",").as_deref(),
            Some("fast")
        );
        assert_eq!(
            flags(&["none"], &OVERFLOW, "", ", ").as_deref(),
            Some("none")
        );
        assert_eq!(flags(&["what"], &OVERFLOW, "", ", "), None);
        assert_eq!(keyword_list("kind< add >"), Some(("kind", vec!["add"])));
    }
}
