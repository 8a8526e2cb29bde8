//! Functions with their types in Rust, checked once.

use std::fmt;
use std::marker::PhantomData;

use super::Jit;
use super::buffer::{Buffer, Element};
use super::call::{Argument, CallError, Frame, FunctionRef};
use super::result::{MemRefResult, ResultValue};
use super::types::{ElementType, ValueKind, ValueType};

/// A Rust type that can be passed to compiled functions.
pub trait Parameter: sealed::Parameter {}

/// A Rust type for what compiled functions return: `()`, one type, or a tuple of several.
pub trait Results: sealed::Results {}

/// Tuples of [`Parameter`]s.
pub trait Parameters: sealed::Parameters {}

/// What the traits do, which only this crate may say.
mod sealed {
    use super::{CallError, Frame, ResultValue, ValueType};

    pub trait Parameter {
        /// The type, borrowed for as long as the call.
        type Value<'a>;
        fn fits(ty: &ValueType) -> bool;
        fn push(value: Self::Value<'_>, frame: &mut Frame<'_>) -> Result<(), CallError>;
    }

    pub trait Parameters {
        type Values<'a>;
        fn fit(types: &[ValueType]) -> bool;
        fn push(values: Self::Values<'_>, frame: &mut Frame<'_>) -> Result<(), CallError>;
    }

    pub trait Results: Sized {
        const COUNT: usize;
        fn fit(types: &[ValueType]) -> bool;
        fn take(results: &mut dyn Iterator<Item = ResultValue>) -> Option<Self>;
    }
}

/// A function that takes `P`, a tuple, and returns `R`.
///
/// ```
/// # use freehold_backend::jit::{Jit, CallError};
/// # fn f(jit: &Jit) -> Result<(), CallError> {
/// let scale = jit.get::<(&[f32], f32), Vec<f32>>("scale")?;
/// let twice = scale.call((&[1.0, 2.0], 2.0))?;
/// # Ok(())
/// # }
/// ```
pub struct TypedFunction<'j, P, R> {
    function: FunctionRef<'j>,
    types: PhantomData<fn(P) -> R>,
}

impl<P, R> Clone for TypedFunction<'_, P, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, R> Copy for TypedFunction<'_, P, R> {}

impl<P, R> fmt::Debug for TypedFunction<'_, P, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.function.fmt(f)
    }
}

impl Jit {
    /// The function of this name as one that takes and returns these types. Sizes and strides are checked at
    /// each call, everything else here.
    ///
    /// # Errors
    /// If there is none, or its types are others.
    pub fn get<P: Parameters, R: Results>(
        &self,
        name: &str,
    ) -> Result<TypedFunction<'_, P, R>, CallError> {
        let function = self.get_function(name)?;
        let signature = function.signature();
        if !P::fit(&signature.arguments) || !R::fit(&signature.results) {
            let list = |types: &[ValueType]| {
                let types: Vec<_> = types.iter().map(ValueType::to_string).collect();
                types.join(", ")
            };
            return Err(CallError::new(format!(
                "function '{name}' is ({}) -> ({}), not {} -> {}",
                list(&signature.arguments),
                list(&signature.results),
                std::any::type_name::<P>(),
                std::any::type_name::<R>()
            )));
        }
        Ok(TypedFunction {
            function,
            types: PhantomData,
        })
    }
}

impl<P: Parameters, R: Results> TypedFunction<'_, P, R> {
    /// Calls the function.
    ///
    /// # Errors
    /// If sizes or strides do not fit; nothing runs then.
    pub fn call(&self, arguments: P::Values<'_>) -> Result<R, CallError> {
        let mut frame = self.function.frame();
        P::push(arguments, &mut frame)?;
        let mut results = frame.run()?.into_iter();
        R::take(&mut results).ok_or_else(|| {
            let name = self.function.name();
            CallError::new(format!(
                "function '{name}' returned an invalid value of its type"
            ))
        })
    }
}

macro_rules! parameters {
    ($($name:ident),*) => {
        impl<$($name: Parameter),*> sealed::Parameters for ($($name,)*) {
            type Values<'a> = ($($name::Value<'a>,)*);
            fn fit(types: &[ValueType]) -> bool {
                let mut types = types.iter();
                $(types.next().is_some_and($name::fits) &&)* types.next().is_none()
            }
            #[expect(non_snake_case, reason = "named as their types")]
            #[allow(unused_variables, reason = "there may be none")]
            fn push(values: Self::Values<'_>, frame: &mut Frame<'_>) -> Result<(), CallError> {
                let ($($name,)*) = values;
                $($name::push($name, frame)?;)*
                Ok(())
            }
        }
        impl<$($name: Parameter),*> Parameters for ($($name,)*) {}
    };
}

impl sealed::Parameters for () {
    type Values<'a> = ();
    fn fit(types: &[ValueType]) -> bool {
        types.is_empty()
    }
    fn push((): (), _: &mut Frame<'_>) -> Result<(), CallError> {
        Ok(())
    }
}
impl Parameters for () {}
parameters!(A);
parameters!(A, B);
parameters!(A, B, C);
parameters!(A, B, C, D);
parameters!(A, B, C, D, E);
parameters!(A, B, C, D, E, F);
parameters!(A, B, C, D, E, F, G);
parameters!(A, B, C, D, E, F, G, H);

/// Whether a buffer of this rank may be passed. Shared values must not change.
fn buffer_fits(ty: &ValueType, element: ElementType, rank: Option<usize>, is_shared: bool) -> bool {
    let right_rank = match ty.kind() {
        ValueKind::MemRef(memref) => rank.is_none_or(|rank| memref.rank() == rank),
        ValueKind::Unranked(_) => true,
        _ => false,
    };
    let accepts = |declared: ElementType| declared.accepts(element);
    right_rank && ty.element().is_some_and(accepts) && (!is_shared || ty.is_read_only())
}

/// Whether a result is a buffer of these elements and this rank.
fn result_fits(ty: &ValueType, element: ElementType, rank: Option<usize>) -> bool {
    buffer_fits(ty, element, rank, false)
}

macro_rules! numbers {
    ($($(#[$attr:meta])* $ty:ty = $argument:expr, $read:expr;)*) => {
        $(
            $(#[$attr])*
            impl sealed::Parameter for $ty {
                type Value<'a> = Self;
                fn fits(ty: &ValueType) -> bool {
                    matches!(ty.kind(), ValueKind::Scalar(declared) if declared.accepts(<$ty>::TYPE))
                }
                fn push(value: Self, frame: &mut Frame<'_>) -> Result<(), CallError> {
                    let argument: fn($ty) -> Argument<'static> = $argument;
                    frame.push(&argument(value))
                }
            }
            $(#[$attr])*
            impl Parameter for $ty {}
            $(#[$attr])*
            impl sealed::Results for $ty {
                const COUNT: usize = 1;
                fn fit(types: &[ValueType]) -> bool {
                    matches!(types, [ty] if <Self as sealed::Parameter>::fits(ty))
                }
                fn take(results: &mut dyn Iterator<Item = ResultValue>) -> Option<Self> {
                    let read: fn(ResultValue) -> Option<$ty> = $read;
                    read(results.next()?)
                }
            }
            $(#[$attr])*
            impl Results for $ty {}
        )*
    };
}

/// Integers are truncated to their width.
macro_rules! integers {
    ($($ty:ty)*) => {
        numbers! { $($ty = |value| Argument::Int(value as i128), |value| Some(value.as_int()? as $ty);)* }
    };
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize i128 u128);
numbers! {
    bool = |value| Argument::Int(value.into()), |value| Some(value.as_int()? != 0);
    f32 = Argument::F32, |value| value.as_f32();
    f64 = Argument::F64, |value| value.as_f64();
}
#[cfg(feature = "half")]
numbers! {
    half::f16 = |value| Argument::Float(freehold_frontend::ir::types::FloatKind::F16, value.to_bits().into()),
        half_bits;
    half::bf16 = |value| Argument::Float(freehold_frontend::ir::types::FloatKind::BF16, value.to_bits().into()),
        half_bits;
}

#[cfg(feature = "half")]
fn half_bits<T: HalfBits>(value: ResultValue) -> Option<T> {
    match value {
        ResultValue::FloatBits(bits) => Some(T::of(bits)),
        _ => None,
    }
}

/// Floats of 16 bits.
#[cfg(feature = "half")]
trait HalfBits {
    fn of(bits: u16) -> Self;
}

#[cfg(feature = "half")]
impl HalfBits for half::f16 {
    fn of(bits: u16) -> Self {
        Self::from_bits(bits)
    }
}

#[cfg(feature = "half")]
impl HalfBits for half::bf16 {
    fn of(bits: u16) -> Self {
        Self::from_bits(bits)
    }
}

impl<T: Element> sealed::Parameter for &[T] {
    type Value<'a> = &'a [T];
    fn fits(ty: &ValueType) -> bool {
        buffer_fits(ty, T::TYPE, Some(1), true)
    }
    fn push(value: &[T], frame: &mut Frame<'_>) -> Result<(), CallError> {
        frame.push(&Argument::MemRef(&Buffer::read_only(value, &[value.len()])))
    }
}
impl<T: Element> Parameter for &[T] {}

impl<T: Element> sealed::Parameter for &mut [T] {
    type Value<'a> = &'a mut [T];
    fn fits(ty: &ValueType) -> bool {
        buffer_fits(ty, T::TYPE, Some(1), false)
    }
    fn push(value: &mut [T], frame: &mut Frame<'_>) -> Result<(), CallError> {
        let sizes = [value.len()];
        frame.push(&Argument::MemRef(&Buffer::new(value, &sizes)))
    }
}
impl<T: Element> Parameter for &mut [T] {}

/// Its type is only known at the call.
impl sealed::Parameter for &Buffer<'_> {
    type Value<'a> = &'a Buffer<'a>;
    fn fits(ty: &ValueType) -> bool {
        matches!(ty.kind(), ValueKind::MemRef(_) | ValueKind::Unranked(_))
    }
    fn push(value: &Buffer<'_>, frame: &mut Frame<'_>) -> Result<(), CallError> {
        frame.push(&Argument::MemRef(value))
    }
}
impl Parameter for &Buffer<'_> {}

impl sealed::Results for () {
    const COUNT: usize = 0;
    fn fit(types: &[ValueType]) -> bool {
        types.is_empty()
    }
    fn take(_: &mut dyn Iterator<Item = ResultValue>) -> Option<Self> {
        Some(())
    }
}
impl Results for () {}

impl sealed::Results for MemRefResult {
    const COUNT: usize = 1;
    fn fit(types: &[ValueType]) -> bool {
        matches!(types, [ty] if matches!(ty.kind(), ValueKind::MemRef(_) | ValueKind::Unranked(_)))
    }
    fn take(results: &mut dyn Iterator<Item = ResultValue>) -> Option<Self> {
        results.next()?.into_memref()
    }
}
impl Results for MemRefResult {}

impl<T: Element> sealed::Results for Vec<T> {
    const COUNT: usize = 1;
    fn fit(types: &[ValueType]) -> bool {
        matches!(types, [ty] if result_fits(ty, T::TYPE, Some(1)))
    }
    fn take(results: &mut dyn Iterator<Item = ResultValue>) -> Option<Self> {
        let memref = results.next()?.into_memref()?;
        (memref.sizes().len() == 1).then(|| memref.to_vec())?
    }
}
impl<T: Element> Results for Vec<T> {}

macro_rules! results {
    ($($name:ident),*) => {
        impl<$($name: Results),*> sealed::Results for ($($name,)*) {
            const COUNT: usize = 0 $(+ $name::COUNT)*;
            fn fit(types: &[ValueType]) -> bool {
                let mut rest = types;
                types.len() == Self::COUNT $(&& {
                    let (these, others) = rest.split_at($name::COUNT);
                    rest = others;
                    $name::fit(these)
                })* && rest.is_empty()
            }
            fn take(results: &mut dyn Iterator<Item = ResultValue>) -> Option<Self> {
                Some(($($name::take(results)?,)*))
            }
        }
        impl<$($name: Results),*> Results for ($($name,)*) {}
    };
}

results!(A, B);
results!(A, B, C);
results!(A, B, C, D);

/// Arrays of the crate `ndarray`.
#[cfg(feature = "ndarray")]
mod arrays {
    use ndarray::{Array, ArrayView, ArrayViewMut, Dimension};

    use super::*;

    fn rank<D: Dimension>() -> Option<usize> {
        D::NDIM
    }

    fn push_view<T: Element, D: Dimension>(
        origin: *mut T,
        view: &ArrayView<'_, T, D>,
        is_writable: bool,
        frame: &mut Frame<'_>,
    ) -> Result<(), CallError> {
        // SAFETY: an array vouches for its elements, and is borrowed, mutably if it is writable, by the caller.
        let buffer = unsafe {
            Buffer::from_raw(
                origin.cast(),
                T::TYPE,
                view.shape(),
                view.strides(),
                is_writable,
            )
        };
        let buffer = buffer.map_err(|error| CallError::new(error.to_string()))?;
        frame.push(&Argument::MemRef(&buffer))
    }

    impl<T: Element, D: Dimension + 'static> sealed::Parameter for &Array<T, D> {
        type Value<'a> = &'a Array<T, D>;
        fn fits(ty: &ValueType) -> bool {
            buffer_fits(ty, T::TYPE, rank::<D>(), true)
        }
        fn push(value: &Array<T, D>, frame: &mut Frame<'_>) -> Result<(), CallError> {
            push_view(value.as_ptr().cast_mut(), &value.view(), false, frame)
        }
    }
    impl<T: Element, D: Dimension + 'static> Parameter for &Array<T, D> {}

    impl<T: Element, D: Dimension + 'static> sealed::Parameter for &mut Array<T, D> {
        type Value<'a> = &'a mut Array<T, D>;
        fn fits(ty: &ValueType) -> bool {
            buffer_fits(ty, T::TYPE, rank::<D>(), false)
        }
        fn push(value: &mut Array<T, D>, frame: &mut Frame<'_>) -> Result<(), CallError> {
            let origin = value.as_mut_ptr();
            push_view(origin, &value.view(), true, frame)
        }
    }
    impl<T: Element, D: Dimension + 'static> Parameter for &mut Array<T, D> {}

    impl<T: Element, D: Dimension + 'static> sealed::Parameter for ArrayView<'_, T, D> {
        type Value<'a> = ArrayView<'a, T, D>;
        fn fits(ty: &ValueType) -> bool {
            buffer_fits(ty, T::TYPE, rank::<D>(), true)
        }
        fn push(value: ArrayView<'_, T, D>, frame: &mut Frame<'_>) -> Result<(), CallError> {
            push_view(value.as_ptr().cast_mut(), &value, false, frame)
        }
    }
    impl<T: Element, D: Dimension + 'static> Parameter for ArrayView<'_, T, D> {}

    impl<T: Element, D: Dimension + 'static> sealed::Parameter for ArrayViewMut<'_, T, D> {
        type Value<'a> = ArrayViewMut<'a, T, D>;
        fn fits(ty: &ValueType) -> bool {
            buffer_fits(ty, T::TYPE, rank::<D>(), false)
        }
        fn push(mut value: ArrayViewMut<'_, T, D>, frame: &mut Frame<'_>) -> Result<(), CallError> {
            let origin = value.as_mut_ptr();
            push_view(origin, &value.view(), true, frame)
        }
    }
    impl<T: Element, D: Dimension + 'static> Parameter for ArrayViewMut<'_, T, D> {}

    impl<T: Element, D: Dimension> sealed::Results for Array<T, D> {
        const COUNT: usize = 1;
        fn fit(types: &[ValueType]) -> bool {
            matches!(types, [ty] if result_fits(ty, T::TYPE, rank::<D>()))
        }
        fn take(results: &mut dyn Iterator<Item = ResultValue>) -> Option<Self> {
            let memref = results.next()?.into_memref()?;
            let array = Array::from_shape_vec(memref.sizes(), memref.to_vec()?).ok()?;
            array.into_dimensionality().ok()
        }
    }
    impl<T: Element, D: Dimension> Results for Array<T, D> {}
}
