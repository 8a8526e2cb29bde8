//! Numbers and memrefs as the runner libraries of MLIR print them.

/// `%g` of C.
pub(crate) fn general(value: f64) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() {
            "-nan"
        } else {
            "nan"
        }
        .to_owned();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    const DIGITS: i32 = 6;
    let scientific = format!("{value:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if !(-4..DIGITS).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(digits), exponent.abs());
    }
    trim(&format!(
        "{value:.*}",
        (DIGITS - 1 - exponent).max(0) as usize
    ))
}

/// The elements of a memref: `each` prints the one at these indices.
pub(crate) fn elements(sizes: &[i64], each: &mut dyn FnMut(&[i64]) -> String) -> String {
    let mut text = String::new();
    if sizes.is_empty() {
        text.push('[');
        text.push_str(&each(&[]));
        text.push(']');
        return text;
    }
    let mut at = Vec::new();
    dimension(sizes, &mut at, each, &mut text);
    text
}

fn dimension(
    sizes: &[i64],
    at: &mut Vec<i64>,
    each: &mut dyn FnMut(&[i64]) -> String,
    text: &mut String,
) {
    let outer = at.len();
    // Dimensions of size one only add brackets.
    while at.len() < sizes.len() && sizes[at.len()] == 1 {
        text.push('[');
        at.push(0);
    }
    let units = at.len() - outer;
    if at.len() == sizes.len() {
        text.push_str(&each(at));
    } else {
        let dim = at.len();
        text.push('[');
        for index in 0..sizes[dim] {
            if index > 0 {
                text.push_str(if dim + 1 < sizes.len() { ", \n" } else { ", " });
                text.push_str(&" ".repeat(dim + 1));
            }
            at.push(index);
            dimension(sizes, at, each, text);
            at.truncate(dim);
        }
        text.push(']');
    }
    text.push_str(&"]".repeat(units));
    at.truncate(outer);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_c() {
        for (value, text) in [
            (0.1, "0.1"),
            (1e10, "1e+10"),
            (1.0 / 3.0, "0.333333"),
            (-4.0, "-4"),
            (123_456.7, "123457"),
            (1_234_567.0, "1.23457e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (0.0, "0"),
        ] {
            assert_eq!(general(value), text);
        }
    }

    #[test]
    fn blocks_are_nested() {
        let integers = |sizes: &[i64]| {
            let mut next = 0;
            elements(sizes, &mut |_| {
                next += 1;
                (next - 1).to_string()
            })
        };
        assert_eq!(integers(&[4]), "[0,  1,  2,  3]");
        assert_eq!(integers(&[2, 3]), "[[0,   1,   2], \n [3,   4,   5]]");
        assert_eq!(integers(&[2, 1, 2]), "[[[0,    1]], \n [[2,    3]]]");
        assert_eq!(integers(&[1, 2, 2]), "[[[0,    1], \n  [2,    3]]]");
        assert_eq!(integers(&[2, 0]), "[[], \n []]");
    }
}
