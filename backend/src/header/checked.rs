//! Checked entries: for a function with the C interface, one written in C in the header that takes arrays as
//! they are known at run time, and compares types, ranks, sizes and strides with those of the function.

use std::fmt::Write as _;

use freehold_frontend::dialects::func::preconditions::Relation;
use freehold_frontend::ir::affine::{AffineExpr, AffineOp};
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;

use super::{CValue, Header, c_string, identifier};
use crate::abi::c_interface_returns_struct;
use crate::preconditions::preconditions_of;
use crate::program::{Body, Function};
use crate::repr::Repr;

/// Follows [`PRELUDE`] where results come from malloc.
pub(super) const FREE: &str = "/* Frees what a function returned. */
#define freehold_free(memref) free((memref).allocated)

";

/// What every header with checked entries begins with.
pub(super) const PRELUDE: &str = r#"#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FREEHOLD_ARRAY_DEFINED
#define FREEHOLD_ARRAY_DEFINED
/* An array: elements of a type ("f32", "i64"), the number of its dimensions, their sizes, and the distances
   between neighbours along each, in elements. Without strides, rows lie one after the other. */
typedef struct {
  void *data;
  const char *type;
  int64_t rank;
  const int64_t *sizes;
  const int64_t *strides;
} freehold_array;

/* Any size or stride. */
#define FREEHOLD_ANY INT64_MIN

static inline int freehold_refuse(char *message, size_t length, const char *function, int index,
                                  const char *type, const freehold_array *array, const char *why) {
  char shape[96] = "nothing";
  size_t n = 0;
  int64_t i;
  if (!message || !length)
    return 1;
  if (array && array->type && array->rank >= 0 && (array->sizes || !array->rank)) {
    for (i = 0; i < array->rank && n < sizeof shape - 24; i++)
      n += (size_t)snprintf(shape + n, sizeof shape - n, "%lldx", (long long)array->sizes[i]);
    snprintf(shape + n, sizeof shape - n, "%s", array->type);
  }
  snprintf(message, length, "argument #%d of function '%s' is %s, not %s%s", index, function, type, shape, why);
  return 1;
}

/* Compares an array with a memref type; gives its strides. */
static inline int freehold_check(const freehold_array *array, const char *element, int64_t rank,
                                 const int64_t *sizes, const int64_t *strides, size_t bytes,
                                 int64_t *found, char *message, size_t length, const char *function,
                                 int index, const char *type) {
  int64_t i, n = 1, row = 1;
  if (!array || !array->type || strcmp(array->type, element) || array->rank != rank || (rank && !array->sizes))
    return freehold_refuse(message, length, function, index, type, array, "");
  for (i = rank - 1; i >= 0; i--) {
    int64_t size = array->sizes[i];
    if (size < 0 || (sizes[i] != FREEHOLD_ANY && sizes[i] != size))
      return freehold_refuse(message, length, function, index, type, array, "");
    int64_t wanted = strides ? strides[i] : row;
    found[i] = array->strides ? array->strides[i] : row;
    if (size > 1 && wanted != FREEHOLD_ANY && wanted != found[i])
      return freehold_refuse(message, length, function, index, type, array, " with such strides");
    if (size && row > INT64_MAX / 16 / size)
      return freehold_refuse(message, length, function, index, type, array, ", which is too large");
    row *= size ? size : 1;
    n *= size;
  }
  if (n && (!array->data || (uintptr_t)array->data % bytes))
    return freehold_refuse(message, length, function, index, type, array,
                           array->data ? " at such an address" : " without memory");
  return 0;
}

/* Arithmetic on sizes, which ends at the largest and the smallest number. */
static inline int64_t freehold_add(int64_t a, int64_t b) {
  if (b > 0)
    return a > INT64_MAX - b ? INT64_MAX : a + b;
  return a < INT64_MIN - b ? INT64_MIN : a + b;
}

static inline int64_t freehold_mul(int64_t a, int64_t b) {
  int64_t limit = (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
  if (!a || !b)
    return 0;
  if (a == INT64_MIN || b == INT64_MIN)
    return limit;
  return (a < 0 ? -a : a) > INT64_MAX / (b < 0 ? -b : b) ? limit : a * b;
}

static inline int64_t freehold_floordiv(int64_t a, int64_t b) {
  if (b <= 0 || a == INT64_MIN)
    return INT64_MAX;
  return a / b - (a % b < 0);
}

/* Compares two sides of a precondition. */
static inline int freehold_require(int64_t left, int exactly, int64_t right, char *message, size_t length,
                                   const char *function, const char *left_words, const char *must,
                                   const char *right_words, int is_number) {
  int n;
  if (left < INT64_MAX && right < INT64_MAX && right > INT64_MIN && (exactly ? left == right : left >= right))
    return 0;
  if (!message || !length)
    return 1;
  n = snprintf(message, length, "function '%s' cannot take such arguments: %s is %lld and must %s %s", function,
               left_words, (long long)left, must, right_words);
  if (!is_number && n >= 0 && (size_t)n < length)
    snprintf(message + n, length - (size_t)n, ", which is %lld", (long long)right);
  return 1;
}
#endif

"#;

/// The smallest alignment that memory of these elements must have, in bytes.
fn alignment(size: u64) -> u64 {
    (size & size.wrapping_neg()).clamp(1, 8)
}

/// An expression in C, of these symbols.
fn c_expression(expr: &AffineExpr, names: &[String]) -> String {
    match expr {
        AffineExpr::Dim(_) => "0".to_owned(),
        AffineExpr::Symbol(symbol) => names[*symbol as usize].clone(),
        AffineExpr::Constant(i64::MIN) => "INT64_MIN".to_owned(),
        AffineExpr::Constant(number) => number.to_string(),
        AffineExpr::Binary(op, sides) => {
            let (a, b) = (c_expression(&sides.0, names), c_expression(&sides.1, names));
            match op {
                AffineOp::Add => format!("freehold_add({a}, {b})"),
                AffineOp::Mul => format!("freehold_mul({a}, {b})"),
                AffineOp::FloorDiv => format!("freehold_floordiv({a}, {b})"),
                AffineOp::CeilDiv => {
                    format!("freehold_floordiv(freehold_add({a}, freehold_add({b}, -1)), {b})")
                }
                AffineOp::Mod => format!(
                    "freehold_add({a}, freehold_mul(freehold_mul(freehold_floordiv({a}, {b}), {b}), -1))"
                ),
            }
        }
    }
}

impl Header<'_> {
    /// The checked entry of a function with the C interface that C calls `callee`, if it takes arrays of
    /// elements that have a name there.
    pub(super) fn checked_entry(&mut self, function: &Function<'_>, callee: &str) {
        if let Some(text) = self.checked_entry_text(function, callee) {
            self.checked.push_str(&text);
        }
    }

    fn checked_entry_text(&mut self, function: &Function<'_>, callee: &str) -> Option<String> {
        let context = self.context;
        let symbol = function
            .link_name
            .strip_prefix(crate::abi::C_INTERFACE_PREFIX)?;
        let takes_arrays = function
            .inputs
            .iter()
            .any(|&ty| context.as_memref(ty).is_some());
        let mut types = function.inputs.iter().chain(function.results);
        // Not all compilers have a type for it.
        if !takes_arrays || types.any(|&ty| ty == Type::F16) {
            return None;
        }
        let (mut params, mut arguments, mut body) = (Vec::new(), Vec::new(), String::new());
        let mut returned = None;
        if c_interface_returns_struct(context, function.results) {
            // Declared with the function itself.
            let result = match function.results {
                [result] => self.value(*result)?.name().to_owned(),
                _ => format!("{callee}_results"),
            };
            params.push(format!("{result} *result"));
            arguments.push("result".to_owned());
        } else if let [result] = function.results {
            let Some(CValue::Scalar(scalar)) = self.value(*result) else {
                return None;
            };
            params.push(format!("{scalar} *result"));
            returned = Some("*result = ");
        }
        for (i, &input) in function.inputs.iter().enumerate() {
            match context.type_kind(input) {
                TypeKind::MemRef(_) => {
                    self.checked_argument(symbol, i, input, &mut body)?;
                    params.push(format!(
                        "const freehold_array *{}",
                        self.labels.arguments[i]
                    ));
                    arguments.push(format!("&d{i}"));
                }
                TypeKind::UnrankedMemRef { .. } => return None,
                _ => {
                    let Repr::Scalar(scalar) = Repr::of(context, input)? else {
                        return None;
                    };
                    let name = self.labels.arguments[i].clone();
                    params.push(format!("{} {name}", self.scalar(input, scalar)?));
                    arguments.push(name);
                }
            }
        }
        self.check_preconditions(symbol, function, &mut body);
        let (params, arguments) = (params.join(", "), arguments.join(", "));
        let name = identifier(symbol);
        let returned = returned.unwrap_or_default();
        Some(format!(
            "\n/* {symbol} with arrays that are checked: 0, or 1 and a message of what does not fit. */\n\
             static inline int {name}_checked({params}, char *message, size_t length) {{\n\
             {body}  {returned}{callee}({arguments});\n  return 0;\n}}\n"
        ))
    }

    /// Checks what sizes must be to each other.
    fn check_preconditions(&self, symbol: &str, function: &Function<'_>, body: &mut String) {
        let Body::CInterface(callee) = function.body else {
            return;
        };
        let symbol = c_string(symbol);
        for call in preconditions_of(self.program, &self.program.functions[callee]) {
            let precondition = &call.precondition;
            let (left, must, right) = precondition.words();
            let names: Vec<String> = (precondition.symbols.iter())
                .map(|known| {
                    let name = &self.labels.arguments[known.argument];
                    match known.dim {
                        Some(dim) => format!("{name}->sizes[{dim}]"),
                        None => format!("(int64_t){name}"),
                    }
                })
                .collect();
            let mut condition = String::new();
            for count in &precondition.counts {
                let _ = write!(condition, "{} > 0 && ", c_expression(count, &names));
            }
            let _ = writeln!(
                body,
                "  if ({condition}freehold_require({}, {}, {}, message, length, {symbol},\n                       {}, \
                 \"{must}\", {}, {}))\n    return 1;",
                c_expression(&precondition.left, &names),
                i32::from(precondition.relation == Relation::Equal),
                c_expression(&precondition.right, &names),
                c_string(&left),
                c_string(&right),
                i32::from(precondition.right.as_constant().is_some()),
            );
        }
    }

    /// Checks argument `i` and makes its descriptor.
    fn checked_argument(
        &mut self,
        symbol: &str,
        i: usize,
        ty: Type,
        body: &mut String,
    ) -> Option<()> {
        let context = self.context;
        let memref = context.as_memref(ty)?;
        let (strides, offset) = context.memref_strides(memref)?;
        let c_element = self.element(memref.element)?;
        if !matches!(offset, 0 | DYNAMIC) {
            return None;
        }
        let descriptor = self.descriptor(ty)?;
        let name = self.labels.arguments[i].clone();
        let rank = memref.rank();
        let number = |&n: &i64| match n {
            DYNAMIC => "FREEHOLD_ANY".to_owned(),
            n => n.to_string(),
        };
        let list = |numbers: &[i64]| match numbers {
            [] => "0".to_owned(),
            _ => numbers.iter().map(number).collect::<Vec<_>>().join(", "),
        };
        // A plain layout says that rows lie one after the other, whatever the sizes are.
        let strides = match memref.layout {
            None => "0".to_owned(),
            Some(_) => {
                let _ = writeln!(
                    body,
                    "  static const int64_t strides{i}[] = {{{}}};",
                    list(&strides)
                );
                format!("strides{i}")
            }
        };
        let bytes = alignment(context.element_byte_size(memref.element)?);
        let element = c_string(&type_to_string(context, memref.element));
        let (shown, symbol) = (c_string(&type_to_string(context, ty)), c_string(symbol));
        let _ = writeln!(
            body,
            "  static const int64_t sizes{i}[] = {{{}}};",
            list(&memref.shape)
        );
        let _ = writeln!(
            body,
            "  {descriptor} d{i};\n  int64_t found{i}[{}] = {{0}};",
            rank.max(1)
        );
        let _ = writeln!(
            body,
            "  if (freehold_check({name}, {element}, {rank}, sizes{i}, {strides}, {bytes}, found{i}, message, \
             length,\n                     {symbol}, {i}, {shown}))\n    return 1;"
        );
        let _ = writeln!(
            body,
            "  d{i}.allocated = d{i}.aligned = ({c_element} *){name}->data;"
        );
        let _ = writeln!(body, "  d{i}.offset = 0;");
        if rank > 0 {
            let _ = writeln!(
                body,
                "  memcpy(d{i}.sizes, {name}->sizes, sizeof d{i}.sizes);"
            );
            let _ = writeln!(
                body,
                "  memcpy(d{i}.strides, found{i}, sizeof d{i}.strides);"
            );
        }
        Some(())
    }
}
