//! Calls of LAPACK, as JAX writes them for its own CPU device: they become the operations and calls that it writes for
//! other devices. What a routine says of its success is that it had it: failures are NaN in the results.

use freehold_frontend::dialects::stablehlo::attributes::Transpose;
use freehold_frontend::dialects::stablehlo::{elementwise, products, regions, shapes};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};

use super::products::numbers_of;

/// Replaces all calls of routines that are known.
pub(super) fn open(ir: &mut Ir) {
    for op in ir.collect_ops(ir.root()) {
        let Some(call) = Call::of(ir, op) else {
            continue;
        };
        let values = call.translate(&mut Builder::before(ir, op));
        if let Some(values) = values {
            ir.replace_op(op, &values);
        }
    }
}

/// A call of a routine.
struct Call {
    op: Op,
    /// Its name without the letter of the element type: `potrf`.
    routine: String,
    results: Vec<Type>,
}

impl Call {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        if !ir.is(op, &regions::CUSTOM_CALL) {
            return None;
        }
        let target = ir.attr(op, Name::CALL_TARGET_NAME)?;
        let target = ir.context().attr_string(target)?;
        let routine = target.strip_prefix("lapack_")?.strip_suffix("_ffi")?;
        let routine = routine.strip_prefix(['s', 'd', 'c', 'z'])?;
        let types = ir.results(op).iter().map(|&result| ir.value_type(result));
        Some(Self {
            op,
            routine: routine.to_owned(),
            results: types.collect(),
        })
    }

    /// A letter of its configuration, a number there.
    fn letter(&self, ir: &Ir, name: &str) -> Option<char> {
        let context = ir.context();
        let config = ir.attr(self.op, context.intern_name("mhlo.backend_config"))?;
        let AttrKind::Dictionary(config) = *context.attr_kind(config) else {
            return None;
        };
        let number = context.dict_get(config, context.intern_name(name))?;
        char::from_u32(u32::try_from(context.attr_integer(number)? & 0xFF).ok()?)
    }

    /// A tensor of an integer, or of zeros of any numbers, as the result at `index`: where its sizes are known only at run
    /// time, an operand has them.
    fn splat(&self, b: &mut Builder<'_>, ty: Type, number: u8, index: usize) -> Option<Value> {
        let context = b.context();
        if !context.shape(ty)?.contains(&DYNAMIC) {
            return splat(b, ty, number);
        }
        let operands =
            b.ir.attr(self.op, context.intern_name("indices_of_shape_operands"))?;
        let operand = *numbers_of(&context, operands)?.get(index)?;
        let sizes = *b.ir.operands(self.op).get(usize::try_from(operand).ok()?)?;
        let scalar = super::build::tensor_type(&context, &[], context.element_type_or_self(ty));
        let scalar = splat(b, scalar, number)?;
        let attrs = [(Name::BROADCAST_DIMENSIONS, context.i64_array_attr(&[]))];
        let repeated = &shapes::DYNAMIC_BROADCAST_IN_DIM;
        Some(create(b, repeated, &[scalar, sizes], &[ty], &attrs)[0])
    }

    /// The values of its results, if the routine is known and its results are those that it has.
    fn translate(&self, b: &mut Builder<'_>) -> Option<Vec<Value>> {
        let operands = b.ir.operands(self.op).to_vec();
        let a = *operands.first()?;
        let types = &self.results[..];
        let flag = |holds: bool| if holds { Attr::TRUE } else { Attr::FALSE };
        match (self.routine.as_str(), types) {
            ("potrf", &[factor, info]) => {
                let is_lower = flag(self.letter(b.ir, "uplo")? == 'L');
                let attrs = [(Name::LOWER, is_lower)];
                let factor = create(b, &products::CHOLESKY, &[a], &[factor], &attrs)[0];
                Some(vec![factor, self.splat(b, info, 0, 1)?])
            }
            ("trsm", &[solution]) => {
                let transpose = match self.letter(b.ir, "trans_x")? {
                    'N' => Transpose::No,
                    'T' => Transpose::Yes,
                    _ => Transpose::Adjoint,
                };
                let attrs = [
                    (Name::LEFT_SIDE, flag(self.letter(b.ir, "side")? == 'L')),
                    (Name::LOWER, flag(self.letter(b.ir, "uplo")? == 'L')),
                    (Name::UNIT_DIAGONAL, flag(self.letter(b.ir, "diag")? == 'U')),
                    (Name::TRANSPOSE_A, transpose.to_attr(&b.context())),
                ];
                let operands = [a, *operands.get(1)?];
                Some(create(
                    b,
                    &products::TRIANGULAR_SOLVE,
                    &operands,
                    &[solution],
                    &attrs,
                ))
            }
            ("getrf", &[factors, pivots, info]) => {
                // The permutation has a number per row.
                let context = b.context();
                let shape = context.shape(factors)?;
                let rows = &shape[..shape.len().checked_sub(1)?];
                let permutation = super::build::tensor_type(&context, rows, Type::I32);
                let wanted = [factors, pivots, permutation];
                let made = call(b, "LuDecomposition", "", &[a], &wanted);
                // Its numbers begin with 1.
                let one = self.splat(b, pivots, 1, 1)?;
                let numbers = create(b, &elementwise::ADD, &[made[1], one], &[pivots], &[])[0];
                Some(vec![made[0], numbers, self.splat(b, info, 0, 2)?])
            }
            ("geqrf", &[..]) if types.len() == 2 => Some(call(b, "Qr", "", &[a], types)),
            ("orgqr" | "ungqr", &[_]) => {
                let target = "ProductOfElementaryHouseholderReflectors";
                Some(call(b, target, "", &[a, *operands.get(1)?], types))
            }
            ("syevd" | "heevd", &[vectors, numbers, info]) => {
                let config = match self.letter(b.ir, "uplo")? {
                    'L' => "1",
                    _ => "0",
                };
                // Unused vectors are not computed.
                let made = call(b, "Eigh", config, &[a], &[vectors, numbers]);
                Some(vec![made[0], made[1], self.splat(b, info, 0, 2)?])
            }
            ("gesdd" | "gesvd", &[_, numbers, left, right, info]) => {
                let has_vectors = self.letter(b.ir, "mode")? != 'N';
                let made = match has_vectors {
                    true => call(b, "Svd", "", &[a], &[numbers, left, right]),
                    false => call(b, "Svd", "", &[a], &[numbers]),
                };
                let (left, right) = match has_vectors {
                    true => (made[1], made[2]),
                    false => (self.splat(b, left, 0, 2)?, self.splat(b, right, 0, 3)?),
                };
                Some(vec![a, made[0], left, right, self.splat(b, info, 0, 4)?])
            }
            ("geev", &[.., left, right, info]) => {
                let context = b.context();
                let complex = context.element_type_or_self(left);
                let numbers = context.with_element_type(types[0], complex);
                let is_wanted = |b: &Builder<'_>, side| Some(self.letter(b.ir, side)? == 'V');
                let sides = [
                    is_wanted(b, "compute_left")?,
                    is_wanted(b, "compute_right")?,
                ];
                let (config, wanted): (_, &[Type]) = match sides {
                    [false, false] => ("", &[numbers]),
                    [true, false] => ("left", &[numbers, left]),
                    [false, true] => ("right", &[numbers, right]),
                    [true, true] => ("", &[numbers, left, right]),
                };
                let mut made = call(b, "Eig", config, &[a], wanted).into_iter();
                let numbers = made.next()?;
                let mut results = match types.len() {
                    4 => vec![numbers],
                    // Of real matrices, the parts.
                    _ => [&elementwise::REAL, &elementwise::IMAG]
                        .map(|part| create(b, part, &[numbers], &types[..1], &[])[0])
                        .to_vec(),
                };
                for (is_wanted, ty) in sides.into_iter().zip([left, right]) {
                    results.push(match is_wanted {
                        true => made.next()?,
                        false => self.splat(b, ty, 0, results.len())?,
                    });
                }
                results.push(self.splat(b, info, 0, results.len())?);
                (results.len() == types.len()).then_some(results)
            }
            _ => None,
        }
    }
}

fn create(
    b: &mut Builder<'_>,
    def: &'static OpDef,
    operands: &[Value],
    results: &[Type],
    attrs: &[(Name, Attr)],
) -> Vec<Value> {
    let mut spec = b.spec(def).operands(operands).results(results);
    for &(name, attr) in attrs {
        spec = spec.attr(name, attr);
    }
    let op = b.create(spec);
    b.ir.results(op).to_vec()
}

/// A custom call of another target.
fn call(
    b: &mut Builder<'_>,
    target: &str,
    config: &str,
    operands: &[Value],
    results: &[Type],
) -> Vec<Value> {
    let context = b.context();
    let attrs = [
        (Name::CALL_TARGET_NAME, context.string_attr(target)),
        (Name::BACKEND_CONFIG, context.string_attr(config)),
    ];
    create(b, &regions::CUSTOM_CALL, operands, results, &attrs)
}

/// A tensor of an integer, or of zeros of any numbers.
fn splat(b: &mut Builder<'_>, ty: Type, number: u8) -> Option<Value> {
    let context = b.context();
    let width = |ty: Type| match context.type_kind(ty) {
        TypeKind::Float(kind) => Some(kind.width()),
        TypeKind::Integer { width, .. } => Some(*width),
        _ => None,
    };
    if context.shape(ty)?.contains(&DYNAMIC) {
        return None;
    }
    let element = context.element_type_or_self(ty);
    let bits = match context.type_kind(element) {
        TypeKind::Complex(part) => 2 * width(*part)?,
        _ => width(element)?,
    };
    let mut bytes = vec![0; bits.div_ceil(8) as usize];
    bytes[0] = number;
    let dense = AttrKind::DenseElements(DenseElements {
        ty,
        splat: true,
        bytes: bytes.into(),
    });
    let value = context.intern_attr(dense);
    Some(
        create(
            b,
            &elementwise::CONSTANT,
            &[],
            &[ty],
            &[(Name::VALUE, value)],
        )[0],
    )
}
