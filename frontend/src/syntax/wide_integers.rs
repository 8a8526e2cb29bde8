//! Integers of more than 128 bits: their magnitudes, from literals and to
//! decimal digits. Limbs are 64 bits, the least significant one first, and the
//! last one is not zero.

/// Longer literals count as out of range: reading and writing digits takes quadratic time.
const MAX_DIGITS: usize = 50_000;

/// What a chunk of decimal digits is at most: the largest power of ten in a limb, and its exponent.
const CHUNK: u64 = 10_u64.pow(19);
const CHUNK_DIGITS: usize = 19;

/// The magnitude that a literal without sign stands for.
pub(super) fn parse(text: &str) -> Option<Vec<u64>> {
    let (digits, radix, n_chunk) = match text.strip_prefix("0x") {
        Some(hex) => (hex, 16, 15),
        None => (text, 10, CHUNK_DIGITS),
    };
    if digits.len() > MAX_DIGITS {
        return None;
    }
    let mut limbs = Vec::new();
    let mut rest = digits;
    while !rest.is_empty() {
        let (chunk, others) = rest.split_at(n_chunk.min(rest.len()));
        rest = others;
        let factor = u64::from(radix).pow(chunk.len() as u32);
        let mut carry = u128::from(u64::from_str_radix(chunk, radix).ok()?);
        for limb in &mut limbs {
            carry += u128::from(*limb) * u128::from(factor);
            *limb = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            limbs.push(carry as u64);
        }
    }
    Some(limbs)
}

/// Number of bits up to the highest one that is set.
pub(crate) fn n_bits(limbs: &[u64]) -> u64 {
    match limbs.last() {
        Some(last) => limbs.len() as u64 * 64 - u64::from(last.leading_zeros()),
        None => 0,
    }
}

/// Whether a magnitude is a power of two.
pub(super) fn is_power_of_two(limbs: &[u64]) -> bool {
    limbs.iter().map(|limb| limb.count_ones()).sum::<u32>() == 1
}

/// `2^width - limbs`, for what has `width` bits.
pub(crate) fn complement(limbs: &[u64], width: u64) -> Vec<u64> {
    let mut carry = true;
    let mut result: Vec<u64> = limbs
        .iter()
        .map(|limb| {
            let (sum, overflows) = (!limb).overflowing_add(u64::from(carry));
            carry = overflows;
            sum
        })
        .collect();
    if let (Some(last), 1..) = (result.last_mut(), width % 64) {
        *last &= (1 << (width % 64)) - 1;
    }
    while result.last() == Some(&0) {
        result.pop();
    }
    result
}

/// Writes decimal digits.
pub(crate) fn push_decimal(out: &mut String, limbs: &[u64]) {
    let mut rest = limbs.to_vec();
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let mut remainder = 0_u128;
        for limb in rest.iter_mut().rev() {
            let value = remainder << 64 | u128::from(*limb);
            *limb = (value / u128::from(CHUNK)) as u64;
            remainder = value % u128::from(CHUNK);
        }
        chunks.push(remainder);
        while rest.last() == Some(&0) {
            rest.pop();
        }
    }
    match chunks.pop() {
        Some(first) => out.push_str(&first.to_string()),
        None => out.push('0'),
    }
    for chunk in chunks.iter().rev() {
        out.push_str(&format!("{chunk:0width$}", width = CHUNK_DIGITS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_round_trip() {
        for text in [
            "1",
            "18446744073709551616",
            "340282366920938463463374607431768211456",
            "100000000000000000000000000000000000000000000000000000000000000",
            "3618502788666131213697322783095070105623107215331596699973092056135872020481",
        ] {
            let limbs = parse(text).unwrap();
            let mut out = String::new();
            push_decimal(&mut out, &limbs);
            assert_eq!(out, text);
        }
        let limbs = parse("0x100000000000000000000000000000000").unwrap();
        assert_eq!(limbs, [0, 0, 1]);
        assert_eq!(n_bits(&limbs), 129);
        assert!(is_power_of_two(&limbs));
    }

    #[test]
    fn complements_have_the_width() {
        // 2^130 - (2^129 + 1) = 2^129 - 1
        assert_eq!(complement(&[1, 0, 2], 130), [u64::MAX, u64::MAX, 1]);
        assert_eq!(complement(&[0, 0, 2], 130), [0, 0, 2]);
    }
}
