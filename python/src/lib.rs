//! The module `freehold._freehold` of Python: compiles programs, and calls their functions on arrays of NumPy
//! without copies.

#![expect(unsafe_code, reason = "arrays of Python are memory that others lend")]

mod arguments;
mod dlpack;
mod elements;
mod results;

use std::sync::Arc;

/// What JAX looks for in this library.
pub use freehold_pjrt::GetPjrtApi;

use freehold::backend::jit::{Argument, Jit, ResultValue, Signature, ValueType, keep_freed_memory};
use freehold::passes::manage::options::OptionValue as _;
use freehold::{Job, OptionError, Options, Output, Product, Source};
use pyo3::create_exception;
use pyo3::exceptions::{PyAttributeError, PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyString, PyTuple};

create_exception!(
    _freehold,
    CompileError,
    PyException,
    "A program is wrong or cannot be compiled. `reports` is a list of dicts: severity, message, file, line, \
     column, and notes."
);

/// An error in a program, as an exception.
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
) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("message", message)?;
    entry.set_item("file", location.map(|at| at.file.as_str()))?;
    entry.set_item("line", location.map(|at| at.line))?;
    entry.set_item("column", location.map(|at| at.column))?;
    Ok(entry)
}

/// The job that keywords describe: what `options` are called is theirs to say, in `src/options.rs` of the library.
fn job(keywords: &Bound<'_, PyDict>, output: &str) -> PyResult<Job> {
    let mut options = Options::default();
    for (name, value) in keywords {
        if value.is_none() {
            continue;
        }
        let (name, value) = (name.extract::<String>()?, keyword_text(&value)?);
        options
            .set_named(&name, &value)
            .map_err(|error| match error {
                OptionError::Unknown(_) => PyTypeError::new_err(error.to_string()),
                OptionError::Invalid { .. } => PyValueError::new_err(error.to_string()),
            })?;
    }
    let output = Output::read(output)
        .ok_or_else(|| PyValueError::new_err(format!("there is no output '{output}'")))?;
    Job::new(options, output).map_err(PyValueError::new_err)
}

/// The value of a keyword as the command line has it.
fn keyword_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().to_string());
    }
    if value.is_instance_of::<PyString>() {
        return value.extract();
    }
    if let Ok(list) = value.try_iter() {
        let parts: PyResult<Vec<String>> = list.map(|part| keyword_text(&part?)).collect();
        return Ok(parts?.join(","));
    }
    value.str()?.extract()
}

/// Does a job: gives a module, or the bytes of a file.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python passes each by itself")]
fn run_job<'py>(
    py: Python<'py>,
    program: &[u8],
    name: &str,
    output: &str,
    header_name: &str,
    keywords: &Bound<'py, PyDict>,
    platforms: Vec<String>,
    folder: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let job = job(keywords, output)?.header_name(header_name);
    let (checks, counts) = (job.options().check.is_some(), job.options().stats.is_some());
    if output == "memory" && (checks || counts) {
        let message =
            "stats and check report at the end of a program: they are for files and for run";
        return Err(PyValueError::new_err(message));
    }
    let program = program.to_vec();
    let source = || {
        let source = Source::from_bytes(name, program)?;
        let source = match folder {
            Some(folder) => source.in_folder(folder),
            None => source,
        };
        Ok::<_, freehold::Error>(match platforms.is_empty() {
            true => source,
            false => source.with_platforms(platforms),
        })
    };
    let made = py.detach(|| match job.run(source()?)? {
        Product::Code(jit) => {
            keep_freed_memory();
            let jit = Arc::from(jit);
            Ok(Ok(Module { jit }))
        }
        other => other.into_bytes().map(Err),
    });
    match made.map_err(|error| compile_error(py, &error))? {
        Ok(module) => Ok(Bound::new(py, module)?.into_any()),
        Err(bytes) => Ok(PyBytes::new(py, &bytes).into_any()),
    }
}

/// The passes of a job, as `--dump-pass-pipeline` prints them.
#[pyfunction]
fn pipeline(output: &str, keywords: &Bound<'_, PyDict>) -> PyResult<String> {
    Ok(job(keywords, output)?.pipeline().to_string())
}

/// The names of all options, each with the words it may be, if it is one of some.
#[pyfunction]
fn option_words() -> Vec<(&'static str, String)> {
    let rows = Options::all().into_iter();
    rows.map(|row| (row.name, row.kind.words(","))).collect()
}

/// What a command of the command line prints: its status, standard output and standard error.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<String>, stdin: Vec<u8>) -> (u8, String, String) {
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

/// Runs the command line on the streams of this process; its exit status. `again` runs the command in a process of its own.
#[pyfunction]
fn run_process(
    py: Python<'_>,
    arguments: Vec<std::ffi::OsString>,
    again: Vec<std::ffi::OsString>,
) -> u8 {
    py.detach(|| {
        let mut io = freehold::Io::process();
        io.again = again;
        freehold::main_with(&arguments, &mut io)
    })
}

/// Keeps the output.
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

/// Arguments of compiled code, which may run without the GIL.
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
        // Ctrl-C while compiled code ran.
        py.check_signals()?;
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

    /// What the program calls arguments, and those of their dimensions that have names (`0:batch,2:width`); None for
    /// those without a name.
    #[getter]
    fn argument_names(&self) -> PyResult<Vec<Option<(String, String)>>> {
        Ok(self.signature()?.arguments.iter().map(label).collect())
    }

    /// The same of results.
    #[getter]
    fn result_names(&self) -> PyResult<Vec<Option<(String, String)>>> {
        Ok(self.signature()?.results.iter().map(label).collect())
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

fn label(ty: &ValueType) -> Option<(String, String)> {
    let name = ty.name()?;
    Some((name.to_owned(), ty.dimension_names().to_owned()))
}

#[pymodule]
fn _freehold(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("CompileError", py.get_type::<CompileError>())?;
    module.add_class::<Module>()?;
    module.add_class::<Function>()?;
    module.add_function(wrap_pyfunction!(run_job, module)?)?;
    module.add_function(wrap_pyfunction!(pipeline, module)?)?;
    module.add_function(wrap_pyfunction!(option_words, module)?)?;
    module.add_function(wrap_pyfunction!(run_command, module)?)?;
    module.add_function(wrap_pyfunction!(run_process, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
