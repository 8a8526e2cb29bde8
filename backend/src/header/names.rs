//! Names, strings and comments in C.

use std::fmt::Write as _;

/// `name` with what C does not allow in names replaced.
pub(super) fn identifier(name: &str) -> String {
    let mut text: String = (name.chars())
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) || text.is_empty() {
        text.insert(0, '_');
    }
    text
}

/// `text` as a string literal.
pub(super) fn c_string(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                literal.push('\\');
                literal.push(byte.into());
            }
            b' '..=b'~' => literal.push(byte.into()),
            // Three digits, so that what follows cannot be taken for another one.
            _ => {
                let _ = write!(literal, "\\{byte:03o}");
            }
        }
    }
    literal.push('"');
    literal
}

/// `text` for the inside of a comment.
pub(super) fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_symbol_has_a_name_in_c() {
        assert_eq!(identifier("a.b-c"), "a_b_c");
        assert_eq!(identifier("1st"), "_1st");
        assert_eq!(identifier(""), "_");
        assert_eq!(c_string("a\"\\\n1é"), "\"a\\\"\\\\\\0121\\303\\251\"");
        assert_eq!(comment("memref<*xf32>*/"), "memref<*xf32>* /");
    }
}
