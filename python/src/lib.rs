//! The module `freehold._freehold` of Python: compiles programs, and calls their functions on arrays of NumPy
//! without copies.

mod arguments;
mod dlpack;
mod results;

use std::str::FromStr;
use std::sync::Arc;

use freehold::backend::cpu::Cpu;
use freehold::backend::isa::Target;
use freehold::backend::jit::{Argument, Jit, ResultValue, Signature, ValueType};
use freehold::backend::{OptLevel, Options};
use freehold::passes::manage::fp_policy::FpPolicy;
use pyo3::create_exception;
use pyo3::exceptions::{PyAttributeError, PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

create_exception!(
    _freehold,
    CompileError,
    PyException,
    "A program is wrong or cannot be compiled. `reports` is a list of dicts: severity, message, file, line, \
     column, and notes."
);

/// What is wrong with a program, as an exception.
fn compile_error(py: Python<'_>, error: &freehold::Error) -> PyErr {
    let raised = CompileError::new_err(error.to_string());
    let attach = || -> PyResult<()> {
        let mut reports = Vec::new();
        for report in error.reports() {
            let entry = place(py, report.location.as_ref(), &report.message)?;
            entry.set_item("severity", report.severity.word())?;
            let notes: PyResult<Vec<_>> = (report.notes.iter())
                .map(|(location, message)| place(py, location.as_ref(), message))
                .collect();
            entry.set_item("notes", notes?)?;
            reports.push(entry);
        }
        raised.value(py).setattr("reports", reports)
    };
    match attach() {
        Ok(()) => raised,
        Err(error) => error,
    }
}

fn place<'py>(
    py: Python<'py>,
    location: Option<&freehold::Location>,
    message: &str,
) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
    let entry = pyo3::types::PyDict::new(py);
    entry.set_item("message", message)?;
    entry.set_item("file", location.map(|at| at.file.as_str()))?;
    entry.set_item("line", location.map(|at| at.line))?;
    entry.set_item("column", location.map(|at| at.column))?;
    Ok(entry)
}

fn options(
    target: Option<&str>,
    target_cpu: Option<&str>,
    target_features: &str,
    opt_level: u8,
    threads: u32,
) -> PyResult<Options> {
    let wrong = |error: String| PyValueError::new_err(error);
    let target = target.map(Target::from_str).transpose();
    let target = target.map_err(|error| wrong(error.to_string()))?;
    let mut options = Options::new(target.unwrap_or_else(Target::host));
    if target_cpu.is_some() || !target_features.is_empty() {
        let cpu = target_cpu.unwrap_or("generic");
        let cpu = Cpu::named(&options.target, cpu, target_features);
        options.cpu = Some(cpu.map_err(|error| wrong(error.to_string()))?);
    }
    options.opt_level = OptLevel::from_digit(opt_level)
        .ok_or_else(|| wrong(format!("opt_level is 0 to 3, not {opt_level}")))?;
    if !(1..=1024).contains(&threads) {
        return Err(wrong(format!("threads is 1 to 1024, not {threads}")));
    }
    options.threads = threads;
    Ok(options)
}

/// How exactly floats are computed.
fn policy(fp: &str) -> PyResult<FpPolicy> {
    match fp {
        "strict" => Ok(FpPolicy::Strict),
        "contract" => Ok(FpPolicy::Contract),
        "fast" => Ok(FpPolicy::Fast),
        other => Err(PyValueError::new_err(format!(
            "fp is strict, contract or fast, not {other}"
        ))),
    }
}

/// Compiles `text` into this process.
#[pyfunction]
#[pyo3(signature = (text, name, target_cpu, target_features, opt_level, threads, fp))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
fn compile(
    py: Python<'_>,
    text: &str,
    name: &str,
    target_cpu: Option<&str>,
    target_features: &str,
    opt_level: u8,
    threads: u32,
    fp: &str,
) -> PyResult<Module> {
    let cpu = target_cpu.or(Some("native"));
    let options = options(None, cpu, target_features, opt_level, threads)?;
    let fp = policy(fp)?;
    let compiled = py.detach(|| {
        let module = freehold::Module::parse_named(name, text)?;
        module.compile_with(&options, fp)
    });
    let jit = compiled.map_err(|error| compile_error(py, &error))?;
    Ok(Module { jit: Arc::new(jit) })
}

/// The bytes of an object file, `kind` "object", or of a static library with the runtime, "library".
#[pyfunction]
#[pyo3(signature = (text, name, kind, target, target_cpu, target_features, opt_level, fp))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
fn compile_file<'py>(
    py: Python<'py>,
    text: &str,
    name: &str,
    kind: &str,
    target: Option<&str>,
    target_cpu: Option<&str>,
    target_features: &str,
    opt_level: u8,
    fp: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = options(target, target_cpu, target_features, opt_level, 1)?;
    policy(fp)?;
    let bits = options.loop_vector_bits(false);
    let pipeline = |library: &str| {
        format!("builtin.module(native-pipeline{{library={library} fp={fp} vector-bits={bits}}})")
    };
    let compiled = py.detach(|| {
        let mut module = freehold::Module::parse_named(name, text)?;
        match kind {
            "library" => {
                module.run_passes(&pipeline("whole"))?;
                module.static_library(&options)
            }
            _ => {
                module.run_passes(&pipeline("absent"))?;
                module.object(&options)
            }
        }
    });
    let bytes = compiled.map_err(|error| compile_error(py, &error))?;
    Ok(PyBytes::new(py, &bytes))
}

/// The C header of a program.
#[pyfunction]
fn header(py: Python<'_>, text: &str, name: &str) -> PyResult<String> {
    let made = py.detach(|| {
        let mut module = freehold::Module::parse_named(name, text)?;
        module.run_passes(freehold::Module::TO_NATIVE)?;
        module.header(&Options::host(), name)
    });
    made.map_err(|error| compile_error(py, &error))
}

/// What a command of the command line prints: its status, standard output and standard error.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<String>, stdin: String) -> (u8, String, String) {
    py.detach(|| {
        let streams = [Stream::default(), Stream::default()];
        let mut io = freehold::Io::captured(stdin);
        io.stdout = Box::new(streams[0].clone());
        io.stderr = Box::new(streams[1].clone());
        let arguments: Vec<_> = arguments.into_iter().map(Into::into).collect();
        let status = freehold::main_with(&arguments, &mut io);
        let [stdout, stderr] = streams.map(|stream| stream.text());
        (status, stdout, stderr)
    })
}

/// Keeps what is written.
#[derive(Clone, Default)]
struct Stream(Arc<std::sync::Mutex<Vec<u8>>>);

impl Stream {
    fn text(&self) -> String {
        let bytes = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl std::io::Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut kept = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A compiled program; its functions are attributes.
#[pyclass(frozen, module = "freehold")]
struct Module {
    jit: Arc<Jit>,
}

#[pymethods]
impl Module {
    /// The names of all functions.
    #[getter]
    fn functions(&self) -> Vec<String> {
        self.jit
            .function_names()
            .into_iter()
            .map(str::to_owned)
            .collect()
    }

    /// The function of this name.
    fn __getitem__(&self, name: &str) -> PyResult<Function> {
        let found = self.jit.get_function(name).map(|_| ());
        found.map_err(|error| pyo3::exceptions::PyKeyError::new_err(error.to_string()))?;
        Ok(Function {
            jit: self.jit.clone(),
            name: name.to_owned(),
        })
    }

    fn __getattr__(&self, name: &str) -> PyResult<Function> {
        let found = self.jit.get_function(name).map(|_| ());
        found.map_err(|error| PyAttributeError::new_err(error.to_string()))?;
        Ok(Function {
            jit: self.jit.clone(),
            name: name.to_owned(),
        })
    }

    fn __dir__(&self) -> Vec<String> {
        let mut names = self.functions();
        names.push("functions".to_owned());
        names
    }

    fn __repr__(&self) -> String {
        format!("<freehold.Module: {}>", self.functions().join(", "))
    }
}

/// A function of a compiled program. Calls release the GIL.
#[pyclass(frozen, module = "freehold")]
struct Function {
    jit: Arc<Jit>,
    name: String,
}

/// What is passed to compiled code, which may run without the GIL.
struct Lent<'a>(&'a [Argument<'a>]);

// SAFETY: the memory of the buffers belongs to arrays that the caller holds until the call is over. Other
// threads of Python may write to them meanwhile, as they may while NumPy itself computes.
unsafe impl Send for Lent<'_> {}

impl Lent<'_> {
    fn call(
        self,
        jit: &Jit,
        name: &str,
    ) -> Result<Vec<ResultValue>, freehold::backend::jit::CallError> {
        jit.call(name, self.0)
    }
}

impl Function {
    fn signature(&self) -> PyResult<&Signature> {
        let function = self.jit.get_function(&self.name);
        let function = function.map_err(|error| PyTypeError::new_err(error.to_string()))?;
        Ok(function.signature())
    }
}

#[pymethods]
impl Function {
    #[pyo3(signature = (*arguments))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let signature = self.signature()?;
        let mut holders = Vec::with_capacity(arguments.len());
        for (index, value) in arguments.iter().enumerate() {
            let ty = signature.arguments.get(index);
            holders.push(arguments::lend(&value, ty, index, &self.name)?);
        }
        let passed: Vec<Argument<'_>> = holders.iter().map(arguments::Holder::argument).collect();
        let lent = Lent(&passed);
        let (jit, name) = (&*self.jit, &*self.name);
        let outcome = py.detach(move || lent.call(jit, name));
        let values = outcome.map_err(|error| PyTypeError::new_err(error.to_string()))?;
        results::to_python(py, values, &signature.results)
    }

    /// The name.
    #[getter]
    fn __name__(&self) -> &str {
        &self.name
    }

    /// The types of arguments, as the program has them.
    #[getter]
    fn arguments(&self) -> PyResult<Vec<String>> {
        Ok(self
            .signature()?
            .arguments
            .iter()
            .map(ValueType::to_string)
            .collect())
    }

    /// The types of results.
    #[getter]
    fn results(&self) -> PyResult<Vec<String>> {
        Ok(self
            .signature()?
            .results
            .iter()
            .map(ValueType::to_string)
            .collect())
    }

    /// For each argument whether the function may write to it.
    #[getter]
    fn writes(&self) -> PyResult<Vec<bool>> {
        Ok(self
            .signature()?
            .arguments
            .iter()
            .map(|ty| !ty.is_read_only())
            .collect())
    }

    fn __repr__(&self) -> PyResult<String> {
        let (arguments, results) = (self.arguments()?.join(", "), self.results()?.join(", "));
        Ok(format!(
            "<freehold.Function {}({arguments}) -> ({results})>",
            self.name
        ))
    }
}

#[pymodule]
fn _freehold(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("CompileError", py.get_type::<CompileError>())?;
    module.add_class::<Module>()?;
    module.add_class::<Function>()?;
    module.add_function(wrap_pyfunction!(compile, module)?)?;
    module.add_function(wrap_pyfunction!(compile_file, module)?)?;
    module.add_function(wrap_pyfunction!(header, module)?)?;
    module.add_function(wrap_pyfunction!(run_command, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
