//! complex, as far as results are exact or one rounding per part.

use freehold_frontend::dialects::complex;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::types::FloatKind;

use super::arith::{self, constant};
use crate::elementwise::map;
use crate::float;
use crate::machine::{Frame, Machine, Res, unsupported};
use crate::table::Rows;
use crate::value::{Kind, mask};

pub(crate) const ROWS: Rows = &[
    (&complex::CONSTANT, constant),
    (&complex::CREATE, |m, f, op| {
        let width = m.kind(f.operand_type(op, 0))?.width();
        map(m, f, op, |n| Ok(n[0] | n[1] << width))
    }),
    (&complex::RE, |m, f, op| {
        let width = parts(m, f, op)?.width();
        map(m, f, op, |n| Ok(n[0] & mask(width)))
    }),
    (&complex::IM, |m, f, op| {
        let width = parts(m, f, op)?.width();
        map(m, f, op, |n| Ok(n[0] >> width))
    }),
    (&complex::ADD, |m, f, op| both(m, f, op, arith::add)),
    (&complex::SUB, |m, f, op| both(m, f, op, arith::sub)),
    (&complex::NEG, |m, f, op| {
        let kind = parts(m, f, op)?;
        map(m, f, op, |n| {
            let [re, im] = split(kind, n[0]);
            Ok(join(kind, float::negate(kind, re), float::negate(kind, im)))
        })
    }),
    (&complex::CONJ, |m, f, op| {
        let kind = parts(m, f, op)?;
        map(m, f, op, |n| {
            let [re, im] = split(kind, n[0]);
            Ok(join(kind, re, float::negate(kind, im)))
        })
    }),
    (&complex::MUL, |m, f, op| {
        let kind = parts(m, f, op)?;
        map(m, f, op, |n| {
            let ([a, b], [c, d]) = (split(kind, n[0]), split(kind, n[1]));
            let re = arith::sub(kind, arith::mul(kind, a, c), arith::mul(kind, b, d));
            let im = arith::add(kind, arith::mul(kind, a, d), arith::mul(kind, b, c));
            Ok(join(kind, re, im))
        })
    }),
    (&complex::EQ, |m, f, op| equal(m, f, op, true)),
    (&complex::NEQ, |m, f, op| equal(m, f, op, false)),
    (&complex::BITCAST, |_, f, op| {
        let value = f.operand(op, 0).clone();
        f.set(op, 0, value);
        Ok(())
    }),
];

/// The format of the parts of the first operand.
fn parts(m: &Machine<'_>, f: &Frame<'_>, op: Op) -> Res<FloatKind> {
    match m.kind(f.operand_type(op, 0))? {
        Kind::Complex(kind) => Ok(kind),
        _ => unsupported("a complex number is expected"),
    }
}

fn split(kind: FloatKind, bits: u128) -> [u128; 2] {
    [bits & mask(kind.width()), bits >> kind.width()]
}

fn join(kind: FloatKind, re: u128, im: u128) -> u128 {
    re | im << kind.width()
}

fn both(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, each: arith::FloatOp) -> Res {
    let kind = parts(m, f, op)?;
    map(m, f, op, |n| {
        let ([a, b], [c, d]) = (split(kind, n[0]), split(kind, n[1]));
        Ok(join(kind, each(kind, a, c), each(kind, b, d)))
    })
}

fn equal(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, is_equal: bool) -> Res {
    let kind = parts(m, f, op)?;
    map(m, f, op, |n| {
        let ([a, b], [c, d]) = (split(kind, n[0]), split(kind, n[1]));
        let same = |x, y| float::decode(kind, x) == float::decode(kind, y);
        Ok(((same(a, c) && same(b, d)) == is_equal).into())
    })
}
