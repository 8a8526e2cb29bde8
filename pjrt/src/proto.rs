//! The few messages of protobuf that the interface passes, read and written by hand.

use crate::status::Status;

/// A field of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Field<'a> {
    Number(u64),
    Double(f64),
    Bytes(&'a [u8]),
}

impl<'a> Field<'a> {
    /// The number, or nothing if it is another kind.
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Number(number) => number,
            _ => 0,
        }
    }

    /// The message or text, or an empty one if it is another kind.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            _ => &[],
        }
    }

    pub(crate) fn text(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn field<'a>(bytes: &mut &'a [u8]) -> Option<(u64, Field<'a>)> {
    let tag = varint(bytes)?;
    let mut take = |n: usize| {
        let (taken, rest) = bytes.split_at_checked(n)?;
        *bytes = rest;
        Some(taken)
    };
    let value = match tag & 7 {
        0 => Field::Number(varint(bytes)?),
        1 => Field::Double(f64::from_le_bytes(take(8)?.try_into().ok()?)),
        2 => {
            let n = usize::try_from(varint(bytes)?).ok()?;
            let (taken, rest) = bytes.split_at_checked(n)?;
            *bytes = rest;
            Field::Bytes(taken)
        }
        5 => Field::Double(f32::from_le_bytes(take(4)?.try_into().ok()?).into()),
        _ => return None,
    };
    Some((tag >> 3, value))
}

/// The fields of a message, in order.
///
/// # Errors
/// If the bytes are no message.
pub(crate) fn fields(mut bytes: &[u8]) -> Result<Vec<(u64, Field<'_>)>, Status> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let next = field(&mut bytes);
        found.push(next.ok_or_else(|| Status::invalid("malformed protocol buffer"))?);
    }
    Ok(found)
}

/// The numbers of a repeated field, which come one by one or packed.
pub(crate) fn numbers(value: Field<'_>, out: &mut Vec<u64>) {
    match value {
        Field::Number(number) => out.push(number),
        Field::Bytes(mut bytes) => {
            while let Some(number) = varint(&mut bytes) {
                out.push(number);
            }
        }
        Field::Double(_) => {}
    }
}

fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a number.
pub(crate) fn push_number(out: &mut Vec<u8>, field: u64, value: u64) {
    push_varint(out, field << 3);
    push_varint(out, value);
}

/// Appends a message or text.
pub(crate) fn push_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    push_varint(out, field << 3 | 2);
    push_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut message = Vec::new();
        push_number(&mut message, 1, 300);
        push_bytes(&mut message, 9, b"text");
        let read = fields(&message).unwrap();
        assert_eq!((read[0].0, read[0].1.number()), (1, 300));
        assert_eq!((read[1].0, read[1].1.bytes()), (9, &b"text"[..]));
        // The first field ends behind byte 3, so only that beginning is a message.
        for n in 1..message.len() {
            assert_eq!(fields(&message[..n]).is_ok(), n == 3, "{n} bytes");
        }
    }
}
