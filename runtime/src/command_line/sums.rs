//! Computations on arguments, in postfix notation: numbers, words of arguments (`w5`), and `+`, `*`, `/` (rounded down),
//! `^` (divided and rounded up) and `%` (the remainder of division rounded down), with spaces between them.

use super::text;

/// More values than any computation has at a time: the compiler nests them less deep.
const MAX_DEPTH: usize = 64;

/// The value of a computation; nothing if it overflows or has a divisor that is not positive.
pub(super) fn value(computation: &[u8], cells: &[[u64; 2]]) -> Option<i64> {
    let mut stack = [0i64; MAX_DEPTH];
    let mut depth = 0usize;
    let mut rest = computation;
    while !rest.is_empty() {
        let (token, more) = text::split_once(rest, b' ').unwrap_or((rest, b""));
        rest = more;
        let value = match *token {
            [op @ (b'+' | b'*' | b'/' | b'^' | b'%')] => {
                let (b, a) = (depth.checked_sub(1)?, depth.checked_sub(2)?);
                depth = a;
                let (a, b) = (*stack.get(a)?, *stack.get(b)?);
                match op {
                    b'+' => a.checked_add(b)?,
                    b'*' => a.checked_mul(b)?,
                    _ if b <= 0 => return None,
                    b'/' => a.checked_div_euclid(b)?,
                    b'%' => a.checked_rem_euclid(b)?,
                    _ => (a.checked_div_euclid(b)?)
                        .checked_add(i64::from(a.checked_rem_euclid(b)? != 0))?,
                }
            }
            [b'w', ref word @ ..] => cells.get(text::size(word)?)?[0] as i64,
            [b'-', ref digits @ ..] => (text::size(digits)? as i64).checked_neg()?,
            ref digits => text::size(digits)? as i64,
        };
        *stack.get_mut(depth)? = value;
        depth += 1;
    }
    match depth {
        1 => stack.first().copied(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn computations() {
        let cells = [[5, 0], [7, 0]];
        assert_eq!(value(b"w0", &cells), Some(5));
        assert_eq!(value(b"w0 -1 + 2 * w1 +", &cells), Some(15));
        assert_eq!(value(b"w1 2 /", &cells), Some(3));
        assert_eq!(value(b"w1 2 ^", &cells), Some(4));
        assert_eq!(value(b"w1 -1 * 2 %", &cells), Some(1));
        assert_eq!(value(b"-3", &cells), Some(-3));
        assert_eq!(value(b"w0 0 /", &cells), None);
        assert_eq!(value(b"9223372036854775807 w0 *", &cells), None);
        assert_eq!(value(b"w2", &cells), None);
        assert_eq!(value(b"+", &cells), None);
        assert_eq!(value(b"w0 w1", &cells), None);
        assert_eq!(value(b"", &cells), None);
    }

    #[test]
    fn too_deep_is_nothing() {
        let deep = b"1 ".repeat(65);
        assert_eq!(value(&deep, &[]), None);
    }
}
