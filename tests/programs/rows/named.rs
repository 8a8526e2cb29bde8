//! Structured operations by their names: what their operands are, in loops.

use freehold::frontend::ir::types::FloatKind;

use super::build::{Gen, Value};
use super::types::{Dim, Elem, Ty};

/// Names, and the dimensions of inputs and output: a loop, or `P.h` for a window of `h` at each of `P` places.
const WINDOWS: &[(&str, &str, &str, &str)] = &[
    ("conv_1d", "P.h", "h", "P"),
    ("conv_2d", "P.h Q.w", "h w", "P Q"),
    ("conv_3d", "P.h Q.w R.d", "h w d", "P Q R"),
    ("conv_1d_nwc_wcf", "N P.h C", "h C F", "N P F"),
    ("conv_1d_ncw_fcw", "N C P.h", "F C h", "N F P"),
    ("conv_2d_nhwc_hwcf", "N P.h Q.w C", "h w C F", "N P Q F"),
    ("conv_2d_nhwc_hwcf_q", "N P.h Q.w C", "h w C F", "N P Q F"),
    ("conv_2d_nhwc_fhwc", "N P.h Q.w C", "F h w C", "N P Q F"),
    ("conv_2d_nhwc_fhwc_q", "N P.h Q.w C", "F h w C", "N P Q F"),
    ("conv_2d_nchw_fchw", "N C P.h Q.w", "F C h w", "N F P Q"),
    ("conv_2d_nchw_fchw_q", "N C P.h Q.w", "F C h w", "N F P Q"),
    (
        "conv_2d_ngchw_fgchw",
        "N G C P.h Q.w",
        "F G C h w",
        "N G F P Q",
    ),
    (
        "conv_2d_ngchw_gfchw",
        "N G C P.h Q.w",
        "G F C h w",
        "N G F P Q",
    ),
    (
        "conv_2d_ngchw_gfchw_q",
        "N G C P.h Q.w",
        "G F C h w",
        "N G F P Q",
    ),
    (
        "conv_2d_nhwgc_gfhwc",
        "N P.h Q.w G C",
        "G F h w C",
        "N P Q G F",
    ),
    (
        "conv_2d_nhwgc_gfhwc_q",
        "N P.h Q.w G C",
        "G F h w C",
        "N P Q G F",
    ),
    (
        "conv_3d_ndhwc_dhwcf",
        "N P.h Q.w R.d C",
        "h w d C F",
        "N P Q R F",
    ),
    (
        "conv_3d_ndhwc_dhwcf_q",
        "N P.h Q.w R.d C",
        "h w d C F",
        "N P Q R F",
    ),
    (
        "conv_3d_ncdhw_fcdhw",
        "N C P.h Q.w R.d",
        "F C h w d",
        "N F P Q R",
    ),
    ("depthwise_conv_1d_nwc_wc", "N P.h C", "h C", "N P C"),
    ("depthwise_conv_1d_ncw_cw", "N C P.h", "C h", "N C P"),
    ("depthwise_conv_1d_nwc_wcm", "N P.h C", "h C F", "N P C F"),
    (
        "depthwise_conv_2d_nhwc_hwc",
        "N P.h Q.w C",
        "h w C",
        "N P Q C",
    ),
    (
        "depthwise_conv_2d_nhwc_hwc_q",
        "N P.h Q.w C",
        "h w C",
        "N P Q C",
    ),
    (
        "depthwise_conv_2d_nchw_chw",
        "N C P.h Q.w",
        "C h w",
        "N C P Q",
    ),
    (
        "depthwise_conv_2d_nhwc_hwcm",
        "N P.h Q.w C",
        "h w C F",
        "N P Q C F",
    ),
    (
        "depthwise_conv_2d_nhwc_hwcm_q",
        "N P.h Q.w C",
        "h w C F",
        "N P Q C F",
    ),
    (
        "depthwise_conv_3d_ndhwc_dhwc",
        "N P.h Q.w R.d C",
        "h w d C",
        "N P Q R C",
    ),
    (
        "depthwise_conv_3d_ncdhw_cdhw",
        "N C P.h Q.w R.d",
        "C h w d",
        "N C P Q R",
    ),
    (
        "depthwise_conv_3d_ndhwc_dhwcm",
        "N P.h Q.w R.d C",
        "h w d C F",
        "N P Q R C F",
    ),
    ("pooling_nhwc_sum", "N P.h Q.w C", "h w", "N P Q C"),
    ("pooling_nhwc_max", "N P.h Q.w C", "h w", "N P Q C"),
    ("pooling_nhwc_min", "N P.h Q.w C", "h w", "N P Q C"),
    ("pooling_nhwc_max_unsigned", "N P.h Q.w C", "h w", "N P Q C"),
    ("pooling_nhwc_min_unsigned", "N P.h Q.w C", "h w", "N P Q C"),
    ("pooling_nchw_sum", "N C P.h Q.w", "h w", "N C P Q"),
    ("pooling_nchw_max", "N C P.h Q.w", "h w", "N C P Q"),
    ("pooling_nwc_sum", "N P.h C", "h", "N P C"),
    ("pooling_nwc_max", "N P.h C", "h", "N P C"),
    ("pooling_nwc_min", "N P.h C", "h", "N P C"),
    ("pooling_nwc_max_unsigned", "N P.h C", "h", "N P C"),
    ("pooling_nwc_min_unsigned", "N P.h C", "h", "N P C"),
    ("pooling_ncw_sum", "N C P.h", "h", "N C P"),
    ("pooling_ncw_max", "N C P.h", "h", "N C P"),
    ("pooling_ndhwc_sum", "N P.h Q.w R.d C", "h w d", "N P Q R C"),
    ("pooling_ndhwc_max", "N P.h Q.w R.d C", "h w d", "N P Q R C"),
    ("pooling_ndhwc_min", "N P.h Q.w R.d C", "h w d", "N P Q R C"),
];

/// The same without windows.
const PRODUCTS: &[(&str, &str, &str, &str)] = &[
    ("matmul", "M K", "K N", "M N"),
    ("matmul_transpose_a", "K M", "K N", "M N"),
    ("matmul_transpose_b", "M K", "N K", "M N"),
    ("batch_matmul", "B M K", "B K N", "B M N"),
    ("batch_matmul_transpose_a", "B K M", "B K N", "B M N"),
    ("batch_matmul_transpose_b", "B M K", "B N K", "B M N"),
    ("batch_reduce_matmul", "B M K", "B K N", "M N"),
    ("batch_matvec", "B M K", "B K", "B M"),
    ("batch_vecmat", "B K", "B K N", "B N"),
    ("matvec", "M K", "K", "M"),
    ("vecmat", "K", "K N", "N"),
    ("dot", "K", "K", ""),
    ("mmt4d", "M K P Q", "N K R Q", "M N P R"),
    ("batch_mmt4d", "B M K P Q", "B N K R Q", "B M N P R"),
    ("quantized_matmul", "M K", "K N", "M N"),
    ("quantized_batch_matmul", "B M K", "B K N", "B M N"),
    ("add", "M N", "M N", "M N"),
    ("sub", "M N", "M N", "M N"),
    ("mul", "M N K", "M N K", "M N K"),
    ("max", "M N", "M N", "M N"),
    ("min", "M N", "M N", "M N"),
    ("div", "M N", "M N", "M N"),
];

/// One input, of the shape of the output: of floats.
const UNARY: &[&str] = &[
    "abs",
    "ceil",
    "exp",
    "floor",
    "log",
    "negf",
    "reciprocal",
    "round",
    "rsqrt",
    "sqrt",
    "square",
    "tanh",
    "erf",
];

/// All names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let binary = WINDOWS.iter().chain(PRODUCTS).map(|row| row.0);
    binary.chain(UNARY.iter().copied())
}

impl Gen<'_> {
    /// An operation of linalg by its name.
    pub(super) fn contraction(&mut self, on_tensors: bool) {
        match self.rng.below(10) {
            0 | 1 => self.unary(on_tensors),
            2..5 => self.by_name(WINDOWS, on_tensors),
            _ => self.by_name(PRODUCTS, on_tensors),
        }
    }

    fn plain_elem(&mut self) -> Elem {
        match self.elem() {
            Elem::Int(1) | Elem::Index | Elem::Complex(_) => Elem::Float(FloatKind::F32),
            elem => elem,
        }
    }

    fn unary(&mut self, on_tensors: bool) {
        let name = *self.rng.pick(UNARY);
        let elem = match self.plain_elem() {
            elem @ Elem::Float(_) => elem,
            _ => Elem::Float(FloatKind::F64),
        };
        let rank = self.rng.range(1, 3);
        let dims = self.some_dims(rank, 20);
        let input = self.operand(dims.clone(), elem, on_tensors);
        let out = self.destination(dims, elem, on_tensors, std::slice::from_ref(&input));
        let outs = [out];
        let (head, results) = self.structured_results(&outs, on_tensors);
        let tail = if on_tensors {
            format!(" -> {}", outs[0].ty.text())
        } else {
            String::new()
        };
        self.line(format!(
            "{head}linalg.{name} {}{tail}",
            Self::ins_outs(&[input], &outs)
        ));
        self.values.extend(results);
    }

    /// A factor of a product: sometimes one that was transposed for it.
    fn factor(&mut self, dims: Vec<Dim>, elem: Elem, on_tensors: bool) -> Value {
        if !on_tensors || dims.len() < 2 || self.rng.chance(75) {
            return self.operand(dims, elem, on_tensors);
        }
        let order = self.permutation(dims.len());
        let mut source_dims = dims.clone();
        for (to, &from) in order.iter().enumerate() {
            source_dims[from] = dims[to];
        }
        let source = self.operand(source_dims.clone(), elem, true);
        let fixed = Ty::Tensor(source_dims, elem);
        let ty = Ty::Tensor(dims.clone(), elem);
        if source.ty != fixed {
            return self.operand(dims, elem, true);
        }
        let text = ty.text();
        let open = self.open_sizes(&dims);
        let empty = self.fresh();
        self.line(format!("{empty} = tensor.empty{open} : {text}"));
        let numbers: Vec<String> = order.iter().map(usize::to_string).collect();
        let line = format!(
            "linalg.transpose ins({}:{}) outs({empty}:{text}) permutation = [{}]",
            source.name,
            fixed.text(),
            numbers.join(", ")
        );
        self.define(ty, line)
    }

    fn by_name(&mut self, table: &[(&str, &str, &str, &str)], on_tensors: bool) {
        let &(name, a, b, c) = self.rng.pick(table);
        let is_quantized = name.ends_with("_q") || name.starts_with("quantized");
        let mut elem = self.plain_elem();
        if name == "div" && !elem.is_float() || name.ends_with("unsigned") && elem.is_float() {
            elem = if name == "div" {
                Elem::Float(FloatKind::F32)
            } else {
                Elem::Int(16)
            };
        }
        let n_windows = a.matches('.').count();
        let is_large = self.repeats == 1 && self.rng.chance(if n_windows > 0 { 10 } else { 30 });
        let is_product = n_windows == 0 && a != c;
        if is_large && elem.width() > 64 {
            elem = Elem::Float(FloatKind::F64);
        }
        let (elem, sum) = match elem {
            _ if is_quantized => (Elem::Int(8), Elem::Int(32)),
            // Factors that are widened.
            Elem::Int(8 | 16) if is_product && self.rng.chance(50) => (elem, Elem::Int(32)),
            Elem::Float(FloatKind::F16 | FloatKind::BF16) if is_product && self.rng.chance(50) => {
                (elem, Elem::Float(FloatKind::F32))
            }
            elem => (elem, elem),
        };
        let (stride, dilation) = match n_windows > 0 && name.contains("_n") {
            true => (self.rng.range(1, 2) as i64, self.rng.range(1, 2) as i64),
            false => (1, 1),
        };
        let mut sizes: Vec<(char, i64)> = Vec::new();
        let most = if n_windows > 0 { 5 } else { 17 };
        let mut loop_size = |g: &mut Self, letter: char| -> i64 {
            if let Some((_, size)) = sizes.iter().find(|(known, _)| *known == letter) {
                return *size;
            }
            let size = match letter {
                'h' | 'w' | 'd' => g.rng.range(1, 3) as i64,
                'B' | 'G' => g.rng.range(1, 3) as i64,
                // A sum of any length: kernels have tiles of it, and something left over.
                'K' if is_large && n_windows == 0 && g.rng.chance(50) => g.rng.range(1, 300) as i64,
                _ if is_large && n_windows == 0 => g.kernel_size(),
                _ if is_large => g.rng.range(3, 9) as i64,
                _ => g.size().clamp(1, most),
            };
            sizes.push((letter, size));
            size
        };
        let open = *self.rng.pick(&[0, 0, 50]);
        let mut dims = |g: &mut Self, text: &str| -> Vec<Dim> {
            let mut dims = Vec::new();
            for word in text.split_whitespace() {
                let mut letters = word.chars().filter(|letter| *letter != '.');
                let first = letters.next().unwrap_or('M');
                let mut size = loop_size(g, first);
                if let Some(window) = letters.next() {
                    size = (size - 1) * stride + (loop_size(g, window) - 1) * dilation + 1;
                }
                dims.push(Dim {
                    size,
                    is_open: size <= 60 && g.rng.chance(open),
                });
            }
            dims
        };
        let (a, b, c) = (dims(self, a), dims(self, b), dims(self, c));
        let work: i64 = sizes.iter().map(|(_, size)| size).product();
        if work > if is_large { 90_000 } else { 20_000 } || work * self.repeats > 90_000 {
            return;
        }
        let mut ins = vec![
            self.factor(a, elem, on_tensors),
            self.factor(b, elem, on_tensors),
        ];
        let out = self.destination(c, sum, on_tensors, &ins);
        if is_quantized {
            for _ in 0..2 {
                let ty = Ty::Scalar(Elem::Int(32));
                let zero = self.constant(&ty);
                ins.push(zero);
            }
        }
        let outs = [out];
        let (head, results) = self.structured_results(&outs, on_tensors);
        let attrs = match n_windows {
            n if n > 0 && name.contains("_n") => format!(
                "{{dilations = dense<{dilation}> : tensor<{n}xi64>, strides = dense<{stride}> : tensor<{n}xi64>}} "
            ),
            _ => String::new(),
        };
        let tail = if on_tensors {
            format!(" -> {}", outs[0].ty.text())
        } else {
            String::new()
        };
        self.line(format!(
            "{head}linalg.{name} {attrs}{}{tail}",
            Self::ins_outs(&ins, &outs)
        ));
        self.values.extend(results);
    }
}
