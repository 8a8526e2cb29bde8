//! Checked entries: for a function with the C interface, one written in C in the header that takes arrays as
//! they are known at run time, and compares types, ranks, sizes and strides with those of the function.

use std::fmt::Write as _;

use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;

use super::{CValue, Header, c_string, identifier};
use crate::abi::c_interface_returns_struct;
use crate::program::Function;
use crate::repr::Repr;

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

/* Frees what a function returned. */
#define freehold_free(memref) free((memref).allocated)

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
#endif

"#;

/// The smallest alignment that memory of these elements must have, in bytes.
fn alignment(size: u64) -> u64 {
    (size & size.wrapping_neg()).clamp(1, 8)
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
                    params.push(format!("const freehold_array *a{i}"));
                    arguments.push(format!("&d{i}"));
                }
                TypeKind::UnrankedMemRef { .. } => return None,
                _ => {
                    let Repr::Scalar(scalar) = Repr::of(context, input)? else {
                        return None;
                    };
                    params.push(format!("{} a{i}", self.scalar(input, scalar)?));
                    arguments.push(format!("a{i}"));
                }
            }
        }
        let (params, arguments) = (params.join(", "), arguments.join(", "));
        let name = identifier(symbol);
        let returned = returned.unwrap_or_default();
        Some(format!(
            "\n/* {symbol} with arrays that are checked: 0, or 1 and a message of what does not fit. */\n\
             static inline int {name}_checked({params}, char *message, size_t length) {{\n\
             {body}  {returned}{callee}({arguments});\n  return 0;\n}}\n"
        ))
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
            "  if (freehold_check(a{i}, {element}, {rank}, sizes{i}, {strides}, {bytes}, found{i}, message, \
             length,\n                     {symbol}, {i}, {shown}))\n    return 1;"
        );
        let _ = writeln!(
            body,
            "  d{i}.allocated = d{i}.aligned = ({c_element} *)a{i}->data;"
        );
        let _ = writeln!(body, "  d{i}.offset = 0;");
        if rank > 0 {
            let _ = writeln!(
                body,
                "  memcpy(d{i}.sizes, a{i}->sizes, sizeof d{i}.sizes);"
            );
            let _ = writeln!(
                body,
                "  memcpy(d{i}.strides, found{i}, sizeof d{i}.strides);"
            );
        }
        Some(())
    }
}
