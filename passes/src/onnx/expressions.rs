//! Formulas of tensors as text: `max(0, min(1, alpha * x + beta))`. Names are tensors or numbers; numbers have the element
//! type of the first tensor.

use freehold_frontend::dialects::chlo;
use freehold_frontend::dialects::stablehlo::attributes::ComparisonDirection;
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;

use super::graph::Cx;
use super::node::Refused;

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) enum Term {
    Tensor(Value),
    Number(f64),
}

impl From<Value> for Term {
    fn from(value: Value) -> Self {
        Self::Tensor(value)
    }
}

impl From<f64> for Term {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

/// Functions by their names in formulas.
const FUNCTIONS: &[(&str, &OpDef)] = &[
    ("abs", &sh::ABS),
    ("acos", &chlo::ACOS),
    ("acosh", &chlo::ACOSH),
    ("and", &sh::AND),
    ("asin", &chlo::ASIN),
    ("asinh", &chlo::ASINH),
    ("atan", &chlo::ATAN),
    ("atanh", &chlo::ATANH),
    ("ceil", &sh::CEIL),
    ("cos", &sh::COSINE),
    ("cosh", &chlo::COSH),
    ("erf", &chlo::ERF),
    ("exp", &sh::EXPONENTIAL),
    ("expm1", &sh::EXPONENTIAL_MINUS_ONE),
    ("floor", &sh::FLOOR),
    ("log", &sh::LOG),
    ("log1p", &sh::LOG_PLUS_ONE),
    ("logistic", &sh::LOGISTIC),
    ("max", &sh::MAXIMUM),
    ("min", &sh::MINIMUM),
    ("neg", &sh::NEGATE),
    ("not", &sh::NOT),
    ("or", &sh::OR),
    ("pow", &sh::POWER),
    ("rem", &sh::REMAINDER),
    ("round", &sh::ROUND_NEAREST_EVEN),
    ("rsqrt", &sh::RSQRT),
    ("sign", &sh::SIGN),
    ("sin", &sh::SINE),
    ("sinh", &chlo::SINH),
    ("sqrt", &sh::SQRT),
    ("tan", &sh::TAN),
    ("tanh", &sh::TANH),
    ("xor", &sh::XOR),
];

struct Parser<'t, 'c, 'a> {
    text: &'t str,
    terms: &'t [(&'t str, Term)],
    element: Type,
    cx: &'c mut Cx<'a>,
}

impl Cx<'_> {
    /// Builds what a formula says of tensors, which are broadcast.
    pub(super) fn formula(&mut self, text: &str, terms: &[(&str, Term)]) -> Result<Value, Refused> {
        let element = terms.iter().find_map(|term| match term.1 {
            Term::Tensor(value) => Some(self.element(value)),
            Term::Number(_) => None,
        });
        let mut parser = Parser {
            text,
            terms,
            element: element.unwrap_or(Type::F32),
            cx: self,
        };
        let result = parser.comparison()?;
        assert!(parser.text.trim().is_empty(), "formula '{text}'");
        Ok(parser.tensor(result))
    }
}

impl Parser<'_, '_, '_> {
    fn tensor(&mut self, term: Term) -> Value {
        match term {
            Term::Tensor(value) => value,
            Term::Number(number) => self.cx.lit(self.element, number),
        }
    }

    fn take(&mut self, token: &str) -> bool {
        self.text = self.text.trim_start();
        match self.text.strip_prefix(token) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    /// The operands, numbers with the elements of the other one.
    fn pair(&mut self, x: Term, y: Term) -> [Value; 2] {
        match (x, y) {
            (Term::Tensor(x), Term::Number(y)) => [x, self.cx.lit_like(x, y)],
            (Term::Number(x), Term::Tensor(y)) => [self.cx.lit_like(y, x), y],
            (x, y) => [self.tensor(x), self.tensor(y)],
        }
    }

    fn binary(&mut self, def: &'static OpDef, x: Term, y: Term) -> Result<Term, Refused> {
        if let (Term::Number(x), Term::Number(y)) = (x, y) {
            for (known, f) in NUMBERS {
                if std::ptr::eq(*known, def) {
                    return Ok(Term::Number(f(x, y)));
                }
            }
        }
        let operands = self.pair(x, y);
        self.cx.ew(def, &operands).map(Term::Tensor)
    }

    fn comparison(&mut self) -> Result<Term, Refused> {
        use ComparisonDirection as D;
        let x = self.sum()?;
        let all = [
            ("<=", D::Le),
            (">=", D::Ge),
            ("==", D::Eq),
            ("!=", D::Ne),
            ("<", D::Lt),
            (">", D::Gt),
        ];
        for (token, direction) in all {
            if self.take(token) {
                let y = self.sum()?;
                let [x, y] = self.pair(x, y);
                return self.cx.compare(direction, x, y).map(Term::Tensor);
            }
        }
        Ok(x)
    }

    fn sum(&mut self) -> Result<Term, Refused> {
        let mut x = self.product()?;
        loop {
            let def = if self.take("+") {
                &sh::ADD
            } else if self.take("-") {
                &sh::SUBTRACT
            } else {
                return Ok(x);
            };
            let y = self.product()?;
            x = self.binary(def, x, y)?;
        }
    }

    fn product(&mut self) -> Result<Term, Refused> {
        let mut x = self.factor()?;
        loop {
            let def = if self.take("*") {
                &sh::MULTIPLY
            } else if self.take("/") {
                &sh::DIVIDE
            } else {
                return Ok(x);
            };
            let y = self.factor()?;
            x = self.binary(def, x, y)?;
        }
    }

    fn factor(&mut self) -> Result<Term, Refused> {
        if self.take("(") {
            let inner = self.comparison()?;
            assert!(self.take(")"), "formula: ')' before '{}'", self.text);
            return Ok(inner);
        }
        if self.take("-") {
            let x = self.factor()?;
            return match x {
                Term::Number(number) => Ok(Term::Number(-number)),
                Term::Tensor(value) => self.cx.ew(&sh::NEGATE, &[value]).map(Term::Tensor),
            };
        }
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        let end = self
            .text
            .find(|letter| !is_word(letter))
            .unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            return Ok(Term::Number(word.parse().expect("a number in a formula")));
        }
        if !self.take("(") {
            let found = self.terms.iter().find(|term| term.0 == word);
            return Ok(found.expect("a name in a formula").1);
        }
        let mut operands = vec![self.comparison()?];
        while self.take(",") {
            operands.push(self.comparison()?);
        }
        assert!(self.take(")"), "formula: ')' before '{}'", self.text);
        self.call(word, &operands)
    }

    fn call(&mut self, name: &str, operands: &[Term]) -> Result<Term, Refused> {
        if let ("select", &[condition, x, y]) = (name, operands) {
            let condition = self.tensor(condition);
            let [x, y] = self.pair(x, y);
            return self.cx.select(condition, x, y).map(Term::Tensor);
        }
        let found = FUNCTIONS.iter().find(|function| function.0 == name);
        let def = found.expect("a function in a formula").1;
        match *operands {
            [x] => {
                let x = self.tensor(x);
                self.unary(def, x).map(Term::Tensor)
            }
            [x, y] => self.binary(def, x, y),
            _ => Err("a formula has a function of three operands".into()),
        }
    }

    /// A function of one operand. Those that integers have no operation for are computed in f64 and rounded towards zero.
    fn unary(&mut self, def: &'static OpDef, x: Value) -> Result<Value, Refused> {
        let ty = self.cx.element(x);
        let is_abs = std::ptr::eq(def, &sh::ABS);
        if is_abs && self.cx.is_unsigned(ty) {
            return Ok(x);
        }
        let of_integers = [&sh::ABS, &sh::NEGATE, &sh::NOT, &sh::SIGN];
        if self.cx.is_float(x) || of_integers.iter().any(|known| std::ptr::eq(*known, def)) {
            return self.cx.ew(def, &[x]);
        }
        let wide = self.cx.convert(x, Type::F64)?;
        let result = self.cx.ew(def, &[wide])?;
        self.cx.convert(result, ty)
    }
}

type OfNumbers = fn(f64, f64) -> f64;

/// A function of two numbers.
const NUMBERS: &[(&OpDef, OfNumbers)] = &[
    (&sh::ADD, |x, y| x + y),
    (&sh::SUBTRACT, |x, y| x - y),
    (&sh::MULTIPLY, |x, y| x * y),
    (&sh::DIVIDE, |x, y| x / y),
];
