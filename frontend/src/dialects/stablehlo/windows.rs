//! Windows of convolutions and of reductions over windows.

use super::assembly::dense_i64;
use super::constraints::bool_array;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::OpError;
use crate::ir::types::DYNAMIC;

/// One dimension of a window.
#[derive(Clone, Copy, Debug)]
pub struct WindowDimension {
    /// The number of elements of the window.
    pub size: i64,
    /// The distance from one place to the next.
    pub stride: i64,
    /// Padding in front of the operand; negative numbers cut off.
    pub low: i64,
    /// Padding behind it.
    pub high: i64,
    /// The distance between elements of the operand, which padding fills.
    pub base_dilation: i64,
    /// The distance between elements of the window.
    pub dilation: i64,
    /// Whether the window is mirrored.
    pub is_reversed: bool,
}

impl WindowDimension {
    /// The number of places of the window in a dimension of `size` elements; `None` on overflow.
    pub fn n_places(&self, size: i64) -> Option<i64> {
        let dilated = |n: i64, by: i64| match n {
            0 => Some(0),
            _ => (n - 1).checked_mul(by)?.checked_add(1),
        };
        let base = dilated(size, self.base_dilation)?
            .checked_add(self.low)?
            .checked_add(self.high)?;
        let window = dilated(self.size, self.dilation)?;
        Some(match base <= 0 || window > base {
            true => 0,
            false => (base - window) / self.stride + 1,
        })
    }
}

/// The names of the attributes of a window.
pub struct WindowNames {
    base_dilation: Option<Name>,
    dilation: Option<Name>,
}

impl WindowNames {
    /// Those of `convolution`.
    pub const OF_CONVOLUTION: Self = Self {
        base_dilation: Some(Name::LHS_DILATION),
        dilation: Some(Name::RHS_DILATION),
    };
    /// Those of `reduce_window`.
    pub const OF_REDUCTION: Self = Self {
        base_dilation: Some(Name::BASE_DILATIONS),
        dilation: Some(Name::WINDOW_DILATIONS),
    };
    /// Those of `select_and_scatter`, whose windows have no gaps.
    pub const OF_SELECTION: Self = Self {
        base_dilation: None,
        dilation: None,
    };
}

/// The window over `sizes.len()` dimensions that the attributes of `op` describe.
///
/// # Errors
/// If an attribute has another number of entries, or a size, stride or dilation is not positive.
pub fn window(
    ir: &Ir,
    op: Op,
    sizes: &[i64],
    names: &WindowNames,
) -> Result<Vec<WindowDimension>, OpError> {
    let n = sizes.len();
    let context = ir.context();
    let list = |name: Option<Name>, text: &str| -> Result<Vec<i64>, OpError> {
        let Some(attr) = name.and_then(|name| ir.attr(op, name)) else {
            return Ok(vec![1; n]);
        };
        let list = context.attr_i64_array(attr).unwrap_or_default();
        if list.len() != n {
            return Err(format!(
                "expects {text} to have same dimension-size as size of window dimensions ({}) vs ({n})",
                list.len()
            )
            .into());
        }
        match list.iter().find(|&&value| value <= 0) {
            Some(value) => Err(format!("expects {text} to be positive but got {value}").into()),
            None => Ok(list),
        }
    };
    let strides = list(Some(Name::WINDOW_STRIDES), "window-strides")?;
    let base_dilations = list(names.base_dilation, "base-dilation factors")?;
    let dilations = list(names.dilation, "window-dilation factors")?;
    let mut padding = vec![0; 2 * n];
    if let Some(attr) = ir.attr(op, Name::PADDING) {
        let Some((numbers, shape)) = dense_i64(context, attr) else {
            return Err("expects the padding to be a list of numbers".into());
        };
        if shape != [n as i64, 2] {
            return Err("expects the padding-entries to have even number of elements".into());
        }
        padding = numbers;
    }
    let mut reversal = vec![false; n];
    if let Some(attr) = ir.attr(op, Name::WINDOW_REVERSAL) {
        reversal = bool_array(context, attr).unwrap_or_default();
        if reversal.len() != n {
            return Err("expects window-reversal to have the rank of the window".into());
        }
    }
    if let Some(size) = sizes.iter().find(|&&size| size <= 0 && size != DYNAMIC) {
        return Err(format!("expects window to have positive value, but got {size}").into());
    }
    let dimensions = (0..n).map(|dim| WindowDimension {
        size: sizes[dim],
        stride: strides[dim],
        low: padding[2 * dim],
        high: padding[2 * dim + 1],
        base_dilation: base_dilations[dim],
        dilation: dilations[dim],
        is_reversed: reversal[dim],
    });
    Ok(dimensions.collect())
}
