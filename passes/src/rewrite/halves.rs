//! Arithmetic on integers of twice a target's width, by pairs of halves: `vector<2xiN>`, the lower half first, in place of
//! `i2N`. A vector of such integers has the pairs along one more dimension.

use freehold_frontend::dialects::arith::{self, CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::shared::const_fold::{self, float};
use freehold_frontend::dialects::vector;
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;

/// The type of pairs of halves in place of `ty`.
pub(crate) fn pair_type(context: &Context, ty: Type, bits: u32) -> Type {
    let mut shape = context.shape(ty).unwrap_or_default().to_vec();
    shape.push(2);
    vector::vector_type(context, &shape, context.integer_type(bits))
}

/// `ty` of another element; with one more dimension of one if it is a vector, as halves are parts of pairs.
fn lane_type(context: &Context, ty: Type, element: Type) -> Type {
    let Some(shape) = context.shape(ty) else {
        return element;
    };
    let mut shape = shape.to_vec();
    shape.push(1);
    vector::vector_type(context, &shape, element)
}

/// How wide the halves are.
#[derive(Clone, Copy)]
pub(crate) struct Halves {
    /// Bits of a half.
    pub(crate) bits: u32,
}

/// The two halves of a value.
#[derive(Clone, Copy)]
struct Pair {
    low: Value,
    high: Value,
}

const EMULATED: &[&OpDef] = &[
    &arith::ADDI,
    &arith::ANDI,
    &arith::CMPI,
    &arith::CONSTANT,
    &arith::EXTSI,
    &arith::EXTUI,
    &arith::FPTOSI,
    &arith::FPTOUI,
    &arith::INDEX_CAST,
    &arith::INDEX_CASTUI,
    &arith::MAXSI,
    &arith::MAXUI,
    &arith::MINSI,
    &arith::MINUI,
    &arith::MULI,
    &arith::ORI,
    &arith::SELECT,
    &arith::SHLI,
    &arith::SHRSI,
    &arith::SHRUI,
    &arith::SITOFP,
    &arith::SUBI,
    &arith::TRUNCI,
    &arith::UITOFP,
    &arith::XORI,
];

impl Halves {
    /// Whether there is code for an operation.
    pub(crate) fn can_emulate(self, ir: &Ir, op: Op) -> Result<(), String> {
        if !EMULATED.iter().any(|def| ir.is(op, def)) {
            return Err("no halves are known for it".to_owned());
        }
        let context = ir.context();
        if ir.is(op, &arith::CONSTANT) {
            let attr = ir.attr(op, Name::VALUE).map(|attr| context.attr_kind(attr));
            return match attr {
                Some(AttrKind::Integer { .. } | AttrKind::DenseElements(_)) => Ok(()),
                _ => Err("its value is not written out".to_owned()),
            };
        }
        let values = ir.operands(op).iter().chain(ir.results(op));
        let mut elements = values.map(|&value| context.element_type_or_self(ir.value_type(value)));
        let Some(kind) = elements.find_map(|ty| context.float_kind(ty)) else {
            return Ok(());
        };
        let radix = float::encode(kind, self.radix());
        let is_infinite =
            radix.is_some_and(|(bits, _)| float::decode(kind, bits) == Some(f64::INFINITY));
        let is_exact = |value| float::encode(kind, value).is_some_and(|(_, is_exact)| is_exact);
        let rounds = ir.is(op, &arith::SITOFP) || ir.is(op, &arith::UITOFP);
        let is_right = match rounds {
            true => is_infinite || self.bits <= 53 && is_exact(self.radix() - 1.0),
            false => is_infinite || is_exact(self.radix()),
        };
        match is_right {
            true => Ok(()),
            false => Err("the halves would be rounded, and their sum once more".to_owned()),
        }
    }

    /// 2 to the number of bits.
    fn radix(self) -> f64 {
        2f64.powi(self.bits as i32)
    }

    /// Makes the operation's results from pairs, or pairs as its results. The types of operands are those before any
    /// operation was emulated.
    pub(crate) fn emulate(self, ir: &mut Ir, op: Op, types: &[Type]) -> Vec<Value> {
        let def = ir.def(op);
        let result = ir.value_type(ir.result(op, 0));
        let operands = ir.operands(op).to_vec();
        let predicate = CmpIPredicate::of(ir, op).unwrap_or(CmpIPredicate::Eq);
        let value = ir.attr(op, Name::VALUE);
        let mut code = Code {
            b: Builder::before(ir, op),
            bits: self.bits,
        };
        let is = |other: &'static OpDef| std::ptr::eq(def, other);
        let (a, rest) = match operands.split_first() {
            Some((&a, rest)) => (a, rest),
            None => {
                let attr = value.expect("constants have values");
                return vec![code.constant(attr, result)];
            }
        };
        let from = types[0];
        let made = if is(&arith::ADDI) {
            code.add(a, rest[0], result)
        } else if is(&arith::SUBI) {
            code.subtract(a, rest[0], result)
        } else if is(&arith::MULI) {
            code.multiply(a, rest[0], result)
        } else if is(&arith::ANDI) || is(&arith::ORI) || is(&arith::XORI) {
            code.bitwise(def, a, rest[0], result)
        } else if is(&arith::CMPI) {
            let lanes = code.compare(predicate, a, rest[0], from);
            code.without_lane(lanes, result)
        } else if is(&arith::SELECT) {
            let condition = code.with_lane(a, types[0]);
            code.select(condition, rest[0], rest[1], result)
        } else if is(&arith::MAXSI) || is(&arith::MAXUI) || is(&arith::MINSI) || is(&arith::MINUI) {
            let predicate = match () {
                () if is(&arith::MAXSI) => CmpIPredicate::Sgt,
                () if is(&arith::MAXUI) => CmpIPredicate::Ugt,
                () if is(&arith::MINSI) => CmpIPredicate::Slt,
                () => CmpIPredicate::Ult,
            };
            let lanes = code.compare(predicate, a, rest[0], result);
            code.select(lanes, a, rest[0], result)
        } else if is(&arith::SHLI) {
            code.shift_left(a, rest[0], result)
        } else if is(&arith::SHRUI) {
            code.shift_right(a, rest[0], result)
        } else if is(&arith::SHRSI) {
            code.shift_right_signed(a, rest[0], result)
        } else if is(&arith::EXTSI) || is(&arith::EXTUI) {
            code.extend(def, a, from, result)
        } else if is(&arith::TRUNCI) {
            let low = code.half(a, from, 0);
            let element = code.b.context().element_type_or_self(result);
            let low = code.convert(&arith::TRUNCI, low, element, result);
            code.without_lane(low, result)
        } else if is(&arith::INDEX_CAST) || is(&arith::INDEX_CASTUI) {
            match code.b.context().element_type_or_self(result) == Type::INDEX {
                true => code.truncated_to_index(def, a, from, result),
                false => code.extended_index(def, a, from, result),
            }
        } else if is(&arith::UITOFP) {
            let lanes = code.unsigned_float(a, from, result);
            code.without_lane(lanes, result)
        } else if is(&arith::SITOFP) {
            code.signed_float(a, from, result)
        } else if is(&arith::FPTOUI) {
            let float = code.with_lane(a, from);
            code.truncate_float(float, from, result)
        } else {
            code.truncate_float_signed(a, from, result)
        };
        vec![made]
    }
}

/// Where code is made.
struct Code<'a> {
    b: Builder<'a>,
    bits: u32,
}

impl Code<'_> {
    fn half_type(&self) -> Type {
        self.b.context().integer_type(self.bits)
    }

    /// The type of one half of integers of type `ty`.
    fn lane(&self, ty: Type) -> Type {
        lane_type(&self.b.context(), ty, self.half_type())
    }

    fn lane_of(&self, ty: Type, element: Type) -> Type {
        lane_type(&self.b.context(), ty, element)
    }

    fn op(&mut self, def: &'static OpDef, operands: &[Value]) -> Value {
        let ty = self
            .b
            .ir
            .value_type(*operands.last().expect("there are operands"));
        self.b.value(def, operands, ty)
    }

    /// A number of type `ty` in all places.
    fn splat(&mut self, ty: Type, bits: u128) -> Value {
        let attr = const_fold::splat_attr(&self.b.context(), ty, bits)
            .expect("the type has numbers and a known size");
        arith::constant_attr(&mut self.b, attr)
    }

    fn integers(&self, numbers: &[i64]) -> Attr {
        let context = self.b.context();
        let attrs: Vec<Attr> = numbers.iter().map(|&n| context.i64_attr(n)).collect();
        context.array_attr(&attrs)
    }

    /// The offsets of half `index` in pairs for `ty`, the sizes of all halves like it, and strides; `None` of a scalar.
    fn slice(&self, ty: Type, index: i64) -> Option<[Attr; 3]> {
        let context = self.b.context();
        let mut sizes = context.shape(ty)?.to_vec();
        let mut offsets = vec![0; sizes.len()];
        offsets.push(index);
        sizes.push(1);
        let strides = vec![1; sizes.len()];
        Some([offsets, sizes, strides].map(|numbers| self.integers(&numbers)))
    }

    /// One half of `pair`, which stands for a value of type `ty`.
    fn half(&mut self, pair: Value, ty: Type, index: i64) -> Value {
        let lane = self.lane(ty);
        let Some([offsets, sizes, strides]) = self.slice(ty, index) else {
            let at = self.b.context().i64_array_attr(&[index]);
            let name = Name::STATIC_POSITION;
            return self
                .b
                .value_with_attr(&vector::EXTRACT, &[pair], lane, name, at);
        };
        let spec = self
            .b
            .spec(&vector::EXTRACT_STRIDED_SLICE)
            .operands(&[pair]);
        let spec = spec.results(&[lane]).attr(Name::OFFSETS, offsets);
        let spec = spec.attr(Name::SIZES, sizes).attr(Name::STRIDES, strides);
        let op = self.b.create(spec);
        self.b.ir.result(op, 0)
    }

    fn halves(&mut self, pair: Value, ty: Type) -> Pair {
        Pair {
            low: self.half(pair, ty, 0),
            high: self.half(pair, ty, 1),
        }
    }

    /// The pair of these halves in place of a value of type `ty`, with zeros where there is no half.
    fn pair(&mut self, halves: &[Value], ty: Type) -> Value {
        let pair = pair_type(&self.b.context(), ty, self.bits);
        let mut whole = self.splat(pair, 0);
        for (&half, index) in halves.iter().zip(0..) {
            whole = match self.slice(ty, index) {
                None => {
                    let at = self.b.context().i64_array_attr(&[index]);
                    let name = Name::STATIC_POSITION;
                    self.b
                        .value_with_attr(&vector::INSERT, &[half, whole], pair, name, at)
                }
                Some([offsets, _, strides]) => {
                    let spec = self.b.spec(&vector::INSERT_STRIDED_SLICE);
                    let spec = spec.operands(&[half, whole]).results(&[pair]);
                    let spec = spec
                        .attr(Name::OFFSETS, offsets)
                        .attr(Name::STRIDES, strides);
                    let op = self.b.create(spec);
                    self.b.ir.result(op, 0)
                }
            };
        }
        whole
    }

    /// A vector of type `ty` with one more dimension of one.
    fn with_lane(&mut self, value: Value, ty: Type) -> Value {
        let context = self.b.context();
        let element = context.element_type_or_self(ty);
        match ty == element {
            true => value,
            false => {
                let lane = self.lane_of(ty, element);
                self.b.value(&vector::SHAPE_CAST, &[value], lane)
            }
        }
    }

    /// The reverse.
    fn without_lane(&mut self, value: Value, ty: Type) -> Value {
        match self.b.context().shape(ty) {
            None => value,
            Some(_) => self.b.value(&vector::SHAPE_CAST, &[value], ty),
        }
    }

    /// A conversion of a half or a like value to another element type; nothing if it has it. `like` says the shape.
    fn convert(&mut self, def: &'static OpDef, value: Value, element: Type, like: Type) -> Value {
        let lane = self.lane_of(like, element);
        match self.b.ir.value_type(value) == lane {
            true => value,
            false => self.b.value(def, &[value], lane),
        }
    }

    fn constant(&mut self, attr: Attr, ty: Type) -> Value {
        let context = self.b.context();
        let pair = pair_type(&context, ty, self.bits);
        let size = self.bits as usize / 4;
        let bytes = match context.attr_kind(attr) {
            AttrKind::Integer { value, .. } => value.to_le_bytes()[..size].to_vec(),
            AttrKind::DenseElements(elements) if elements.splat => {
                let n: i64 = context.shape(ty).unwrap_or_default().iter().product();
                elements.bytes.repeat(n as usize)
            }
            AttrKind::DenseElements(elements) => elements.bytes.to_vec(),
            _ => unreachable!("asked before"),
        };
        let half = size / 2;
        let splat = bytes.len() > half && bytes.chunks(half).all(|part| *part == bytes[..half]);
        let bytes = if splat { &bytes[..half] } else { &bytes[..] };
        let attr = context.intern_attr(AttrKind::DenseElements(DenseElements {
            ty: pair,
            splat,
            bytes: bytes.into(),
        }));
        arith::constant_attr(&mut self.b, attr)
    }

    /// A comparison of halves or the like: `i1` or lanes of it.
    fn compare_lanes(&mut self, predicate: CmpIPredicate, a: Value, b: Value) -> Value {
        let context = self.b.context();
        let ty = context.with_element_type(self.b.ir.value_type(a), Type::I1);
        let predicate = predicate.to_attr(&context);
        (self.b).value_with_attr(&arith::CMPI, &[a, b], ty, Name::PREDICATE, predicate)
    }

    /// Two results of an operation on halves.
    fn extended(&mut self, def: &'static OpDef, a: Value, b: Value, second: Type) -> [Value; 2] {
        let ty = self.b.ir.value_type(a);
        let op = self.b.op(def, &[a, b], &[ty, second]);
        [self.b.ir.result(op, 0), self.b.ir.result(op, 1)]
    }

    fn add(&mut self, a: Value, b: Value, ty: Type) -> Value {
        let lane = self.lane(ty);
        let (a, b) = (self.halves(a, ty), self.halves(b, ty));
        let carries = self.b.context().with_element_type(lane, Type::I1);
        let [low, carry] = self.extended(&arith::ADDUI_EXTENDED, a.low, b.low, carries);
        let carry = self.b.value(&arith::EXTUI, &[carry], lane);
        let high = self.op(&arith::ADDI, &[carry, a.high]);
        let high = self.op(&arith::ADDI, &[high, b.high]);
        self.pair(&[low, high], ty)
    }

    fn subtract(&mut self, a: Value, b: Value, ty: Type) -> Value {
        let lane = self.lane(ty);
        let (a, b) = (self.halves(a, ty), self.halves(b, ty));
        let low = self.op(&arith::SUBI, &[a.low, b.low]);
        let borrow = self.compare_lanes(CmpIPredicate::Ult, a.low, b.low);
        let borrow = self.b.value(&arith::EXTUI, &[borrow], lane);
        let high = self.op(&arith::SUBI, &[a.high, borrow]);
        let high = self.op(&arith::SUBI, &[high, b.high]);
        self.pair(&[low, high], ty)
    }

    fn multiply(&mut self, a: Value, b: Value, ty: Type) -> Value {
        let lane = self.lane(ty);
        let (a, b) = (self.halves(a, ty), self.halves(b, ty));
        let [low, high] = self.extended(&arith::MULUI_EXTENDED, a.low, b.low, lane);
        let left = self.op(&arith::MULI, &[a.low, b.high]);
        let right = self.op(&arith::MULI, &[a.high, b.low]);
        let high = self.op(&arith::ADDI, &[high, left]);
        let high = self.op(&arith::ADDI, &[high, right]);
        self.pair(&[low, high], ty)
    }

    fn bitwise(&mut self, def: &'static OpDef, a: Value, b: Value, ty: Type) -> Value {
        let (a, b) = (self.halves(a, ty), self.halves(b, ty));
        let low = self.op(def, &[a.low, b.low]);
        let high = self.op(def, &[a.high, b.high]);
        self.pair(&[low, high], ty)
    }

    /// Lanes of the comparison of two values of type `ty`.
    fn compare(&mut self, predicate: CmpIPredicate, a: Value, b: Value, ty: Type) -> Value {
        let (a, b) = (self.halves(a, ty), self.halves(b, ty));
        let of_low = match predicate {
            CmpIPredicate::Slt => CmpIPredicate::Ult,
            CmpIPredicate::Sle => CmpIPredicate::Ule,
            CmpIPredicate::Sgt => CmpIPredicate::Ugt,
            CmpIPredicate::Sge => CmpIPredicate::Uge,
            other => other,
        };
        let low = self.compare_lanes(of_low, a.low, b.low);
        let high = self.compare_lanes(predicate, a.high, b.high);
        match predicate {
            CmpIPredicate::Eq => self.op(&arith::ANDI, &[low, high]),
            CmpIPredicate::Ne => self.op(&arith::ORI, &[low, high]),
            _ => {
                let is_even = self.compare_lanes(CmpIPredicate::Eq, a.high, b.high);
                self.op(&arith::SELECT, &[is_even, low, high])
            }
        }
    }

    /// One of two values, by lanes of `i1` or one `i1`.
    fn select(&mut self, condition: Value, a: Value, b: Value, ty: Type) -> Value {
        let (a, b) = (self.halves(a, ty), self.halves(b, ty));
        let low = self.op(&arith::SELECT, &[condition, a.low, b.low]);
        let high = self.op(&arith::SELECT, &[condition, a.high, b.high]);
        self.pair(&[low, high], ty)
    }

    fn shift_left(&mut self, a: Value, by: Value, ty: Type) -> Value {
        let lane = self.lane(ty);
        let a = self.halves(a, ty);
        let by = self.half(by, ty, 0);
        let zero = self.splat(lane, 0);
        let width = self.splat(lane, self.bits.into());
        let is_far = self.compare_lanes(CmpIPredicate::Uge, by, width);
        let low = self.op(&arith::SHLI, &[a.low, by]);
        let low = self.op(&arith::SELECT, &[is_far, zero, low]);
        let carried = self.carried(&arith::SHRUI, a.low, by, is_far, lane);
        let beyond = self.op(&arith::SUBI, &[by, width]);
        let moved = self.op(&arith::SHLI, &[a.low, beyond]);
        let high = self.op(&arith::SHLI, &[a.high, by]);
        let high = self.op(&arith::SELECT, &[is_far, zero, high]);
        let from_low = self.op(&arith::SELECT, &[is_far, moved, carried]);
        let high = self.op(&arith::ORI, &[from_low, high]);
        self.pair(&[low, high], ty)
    }

    /// What a shift of less than a half moves from one half to the other, shifted in two steps: one step would be as wide
    /// as the half where nothing is moved, and is undefined. Upstream's code does that.
    fn carried(
        &mut self,
        def: &'static OpDef,
        half: Value,
        by: Value,
        is_far: Value,
        lane: Type,
    ) -> Value {
        let one = self.splat(lane, 1);
        let last = self.splat(lane, (self.bits - 1).into());
        let capped = self.op(&arith::SELECT, &[is_far, last, by]);
        let rest = self.op(&arith::SUBI, &[last, capped]);
        let moved = self.op(def, &[half, one]);
        self.op(def, &[moved, rest])
    }

    fn shift_right(&mut self, a: Value, by: Value, ty: Type) -> Value {
        let lane = self.lane(ty);
        let a = self.halves(a, ty);
        let by = self.half(by, ty, 0);
        let zero = self.splat(lane, 0);
        let width = self.splat(lane, self.bits.into());
        let is_far = self.compare_lanes(CmpIPredicate::Uge, by, width);
        let low = self.op(&arith::SHRUI, &[a.low, by]);
        let low = self.op(&arith::SELECT, &[is_far, zero, low]);
        let high = self.op(&arith::SHRUI, &[a.high, by]);
        let high = self.op(&arith::SELECT, &[is_far, zero, high]);
        let carried = self.carried(&arith::SHLI, a.high, by, is_far, lane);
        let beyond = self.op(&arith::SUBI, &[by, width]);
        let moved = self.op(&arith::SHRUI, &[a.high, beyond]);
        let from_high = self.op(&arith::SELECT, &[is_far, moved, carried]);
        let low = self.op(&arith::ORI, &[low, from_high]);
        self.pair(&[low, high], ty)
    }

    /// The logical shift, with copies of the sign moved into the place that it leaves.
    fn shift_right_signed(&mut self, a: Value, by: Value, ty: Type) -> Value {
        let lane = self.lane(ty);
        let a_high = self.half(a, ty, 1);
        let amount = self.half(by, ty, 0);
        let zero = self.splat(lane, 0);
        let is_negative = self.compare_lanes(CmpIPredicate::Slt, a_high, zero);
        let sign = self.b.value(&arith::EXTSI, &[is_negative], lane);
        let signs = self.sign_extended(sign, ty);
        let all = self.splat(lane, (2 * self.bits).into());
        let left = self.op(&arith::SUBI, &[all, amount]);
        let left = self.pair(&[left], ty);
        let signs = self.shift_left(signs, left, ty);
        let shifted = self.shift_right(a, by, ty);
        let signed = self.bitwise(&arith::ORI, shifted, signs, ty);
        let is_none = self.compare_lanes(CmpIPredicate::Eq, amount, zero);
        self.select(is_none, a, signed, ty)
    }

    /// A half with the half that its sign is.
    fn sign_extended(&mut self, low: Value, ty: Type) -> Value {
        let lane = self.lane(ty);
        let zero = self.splat(lane, 0);
        let is_negative = self.compare_lanes(CmpIPredicate::Slt, low, zero);
        let high = self.b.value(&arith::EXTSI, &[is_negative], lane);
        self.pair(&[low, high], ty)
    }

    fn extend(&mut self, def: &'static OpDef, value: Value, from: Type, ty: Type) -> Value {
        let value = self.with_lane(value, from);
        let half = self.half_type();
        let low = self.convert(def, value, half, ty);
        match std::ptr::eq(def, &arith::EXTSI) {
            true => self.sign_extended(low, ty),
            false => self.pair(&[low], ty),
        }
    }

    fn extended_index(&mut self, def: &'static OpDef, value: Value, from: Type, ty: Type) -> Value {
        let half = self.half_type();
        let value = self.with_lane(value, from);
        let low = self.convert(def, value, half, ty);
        if self.bits < 64 {
            let indices = self.b.ir.value_type(value);
            let width = self.splat(indices, self.bits.into());
            let rest = self.op(&arith::SHRUI, &[value, width]);
            let high = self.convert(def, rest, half, ty);
            return self.pair(&[low, high], ty);
        }
        match std::ptr::eq(def, &arith::INDEX_CAST) {
            true => self.sign_extended(low, ty),
            false => self.pair(&[low], ty),
        }
    }

    fn truncated_to_index(
        &mut self,
        def: &'static OpDef,
        value: Value,
        from: Type,
        ty: Type,
    ) -> Value {
        let index = if self.bits < 64 {
            let halves = self.halves(value, from);
            let low = self.convert(&arith::INDEX_CASTUI, halves.low, Type::INDEX, ty);
            let high = self.convert(def, halves.high, Type::INDEX, ty);
            let indices = self.b.ir.value_type(low);
            let width = self.splat(indices, self.bits.into());
            let high = self.op(&arith::SHLI, &[high, width]);
            self.op(&arith::ORI, &[high, low])
        } else {
            let low = self.half(value, from, 0);
            self.convert(def, low, Type::INDEX, ty)
        };
        self.without_lane(index, ty)
    }

    /// Lanes of floats, from integers without a sign.
    fn unsigned_float(&mut self, value: Value, from: Type, ty: Type) -> Value {
        let element = self.b.context().element_type_or_self(ty);
        let halves = self.halves(value, from);
        let lane = self.lane(from);
        let zero = self.splat(lane, 0);
        let is_short = self.compare_lanes(CmpIPredicate::Eq, halves.high, zero);
        let low = self.convert(&arith::UITOFP, halves.low, element, ty);
        let high = self.convert(&arith::UITOFP, halves.high, element, ty);
        let radix = self.radix(ty);
        let high = self.op(&arith::MULF, &[high, radix]);
        let sum = self.op(&arith::ADDF, &[low, high]);
        self.op(&arith::SELECT, &[is_short, low, sum])
    }

    fn signed_float(&mut self, value: Value, from: Type, ty: Type) -> Value {
        let pair = pair_type(&self.b.context(), from, self.bits);
        let zero = self.splat(pair, 0);
        let is_negative = self.compare(CmpIPredicate::Slt, value, zero, from);
        let negated = self.subtract(zero, value, from);
        let magnitude = self.select(is_negative, negated, value, from);
        let float = self.unsigned_float(magnitude, from, ty);
        let negative = self.op(&arith::NEGF, &[float]);
        let float = self.op(&arith::SELECT, &[is_negative, negative, float]);
        self.without_lane(float, ty)
    }

    /// 2 to the width of a half in lanes of floats.
    fn radix(&mut self, ty: Type) -> Value {
        let context = self.b.context();
        let element = context.element_type_or_self(ty);
        let kind = context.float_kind(element).expect("it is a float");
        let radix = Halves { bits: self.bits }.radix();
        let (bits, _) = float::encode(kind, radix).expect("the format has numbers");
        let lane = self.lane_of(ty, element);
        self.splat(lane, bits)
    }

    /// The pair that lanes of floats are without their fractions.
    fn truncate_float(&mut self, float: Value, from: Type, ty: Type) -> Value {
        let half = self.half_type();
        let radix = self.radix(from);
        let high = self.op(&arith::DIVF, &[float, radix]);
        let high = self.convert(&arith::FPTOUI, high, half, ty);
        let low = self.op(&arith::REMF, &[float, radix]);
        let low = self.convert(&arith::FPTOUI, low, half, ty);
        self.pair(&[low, high], ty)
    }

    fn truncate_float_signed(&mut self, float: Value, from: Type, ty: Type) -> Value {
        let float = self.with_lane(float, from);
        let floats = self.b.ir.value_type(float);
        let zero = self.splat(floats, 0);
        let pair = pair_type(&self.b.context(), ty, self.bits);
        let zeros = self.splat(pair, 0);
        let context = self.b.context();
        let flags = context.with_element_type(floats, Type::I1);
        let predicate = CmpFPredicate::Olt.to_attr(&context);
        let is_negative = self.b.value_with_attr(
            &arith::CMPF,
            &[float, zero],
            flags,
            Name::PREDICATE,
            predicate,
        );
        let negative = self.op(&arith::NEGF, &[float]);
        let magnitude = self.op(&arith::SELECT, &[is_negative, negative, float]);
        let magnitude = self.truncate_float(magnitude, from, ty);
        let negated = self.subtract(zeros, magnitude, ty);
        self.select(is_negative, negated, magnitude, ty)
    }
}
