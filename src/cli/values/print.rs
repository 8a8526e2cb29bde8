//! Arrays as text for people, in the notation of `--input`.

use std::fmt::Write as _;

use freehold_backend::jit::ElementType;
use freehold_frontend::dialects::shared::const_fold::float;
use freehold_frontend::ir::types::{FloatKind, Signedness};

use super::{Array, Stored};

/// How many numbers at each end of a dimension are shown of arrays that are not shown in full.
const EDGE: usize = 3;

/// The shape of an array and its elements; of more than `max_elements`, those at the edges.
pub(crate) fn array(array: &Array, max_elements: usize) -> String {
    let mut text = array.shape();
    let n: usize = array.sizes.iter().product();
    let elements = Elements {
        array,
        is_cut: n > max_elements,
    };
    let rank = array.sizes.len();
    text.push_str(if rank <= 1 || n == 0 { " = " } else { "\n" });
    if n == 0 {
        text.push_str("[]");
    } else {
        elements.print(0, 0, &mut text);
    }
    text
}

struct Elements<'a> {
    array: &'a Array,
    is_cut: bool,
}

impl Elements<'_> {
    /// Prints the part from element `at` on that `dim` and those inside of it run through.
    fn print(&self, dim: usize, at: usize, text: &mut String) {
        let sizes = &self.array.sizes;
        let Some(&size) = sizes.get(dim) else {
            element(self.array, at, text);
            return;
        };
        let inner: usize = sizes[dim + 1..].iter().product();
        let is_last = dim + 1 == sizes.len();
        // Blocks are apart by as many empty lines as dimensions are inside of them, less one.
        let separator = match is_last {
            true => ", ".to_owned(),
            false => {
                let lines = "\n".repeat(sizes.len() - dim - 1);
                format!(",{lines}{}", " ".repeat(dim + 1))
            }
        };
        text.push('[');
        let mut index = 0;
        while index < size {
            if index > 0 {
                text.push_str(&separator);
            }
            if self.is_cut && index == EDGE && size > 2 * EDGE {
                text.push_str("...");
                index = size - EDGE;
                continue;
            }
            self.print(dim + 1, at + index * inner, text);
            index += 1;
        }
        text.push(']');
    }
}

fn element(array: &Array, at: usize, text: &mut String) {
    let size = array.stored.byte_size();
    let mut bytes = [0; 16];
    bytes[..size].copy_from_slice(&array.elements.bytes()[at * size..][..size]);
    let bits = u128::from_le_bytes(bytes);
    let _ = match array.stored {
        Stored::Raw(_) => write!(text, "{bits:#x}"),
        Stored::Element(ElementType::Int { width: 1, .. }) => write!(text, "{}", bits & 1 != 0),
        Stored::Element(ElementType::Int {
            signedness: Signedness::Unsigned,
            ..
        }) => {
            write!(text, "{bits}")
        }
        Stored::Element(element @ (ElementType::Int { .. } | ElementType::Index)) => {
            let gap = 128 - element.integer_width().unwrap_or(128);
            write!(text, "{}", (bits << gap) as i128 >> gap)
        }
        Stored::Element(ElementType::Float(kind)) => write!(text, "{}", float(kind, bits)),
        Stored::Element(ElementType::Complex(kind)) => {
            let part = bits & (u128::MAX >> (128 - kind.width()));
            let (re, im) = (float(kind, part), float(kind, bits >> kind.width()));
            write!(text, "({re}, {im})")
        }
    };
}

/// The shortest number that is read as the same one.
fn float(kind: FloatKind, bits: u128) -> String {
    let value = float::decode(kind, bits).unwrap_or(f64::NAN);
    let nearest = |text: String| {
        let read = text.parse().ok().and_then(|read| float::encode(kind, read));
        read.is_some_and(|(read, _)| read == bits).then_some(text)
    };
    let short = match kind {
        FloatKind::F64 => Some(format!("{value:?}")),
        FloatKind::F32 => Some(format!("{:?}", value as f32)),
        _ if !value.is_finite() => None,
        _ => (0..8).find_map(|digits| {
            let rounded: f64 = format!("{value:.digits$e}").parse().ok()?;
            nearest(format!("{rounded:?}"))
        }),
    };
    short.unwrap_or_else(|| format!("{value:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::values::input;

    fn check(text: &str, max_elements: usize, expected: &str) {
        let read = input::arrays(text).unwrap().pop().unwrap();
        assert_eq!(array(&read, max_elements), expected);
    }

    #[test]
    fn blocks_are_apart() {
        let expected = "2x2x2xi8\n[[[1, 1],\n  [1, 1]],\n\n [[1, 1],\n  [1, 1]]]";
        check("2x2x2xi8=1", 100, expected);
    }

    #[test]
    fn of_many_elements_the_edges_are_shown() {
        check(
            "10xi8=0,1,2,3,4,5,6,7,8,9",
            9,
            "10xi8 = [0, 1, 2, ..., 7, 8, 9]",
        );
        let expected = "8x2xi8\n[[1, 1],\n [1, 1],\n [1, 1],\n ...,\n [1, 1],\n [1, 1],\n [1, 1]]";
        check("8x2xi8=1", 9, expected);
    }
}
