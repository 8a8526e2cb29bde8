//! Calling a function of a program from the command line: its arguments, its results, and how long it takes.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use freehold_backend::jit::{Argument, FunctionRef, ResultValue, ValueKind, ValueType};

use freehold_onnx::PassedSizes;

use crate::cli::io::Io;
use crate::cli::session;
use crate::cli::values::{Array, Passed, input, npy, print};

/// The heading of the flags in help.
pub(crate) const HEADING: &str = "Call";

/// The flag that says which function is called.
#[derive(clap::Args, Debug)]
pub(crate) struct EntryArgs {
    /// The function to run
    #[arg(
        help_heading = HEADING,
        short = 'e',
        long = "entry-point",
        visible_alias = "function",
        default_value = "main"
    )]
    pub(crate) entry_point: String,
}

/// Flags that say what goes into a function and what comes out.
#[derive(clap::Args, Debug)]
pub(crate) struct ValueArgs {
    /// The next argument: 2x3xf32=1,2,3,4,5,6, a number as f32=1.5, one value for all, 4xi32=random or
    /// random:SEED, or @a.npy, @a.npz (all arrays in there) or @a.npz:name. With NAME= before that, the one of
    /// this name, if the program has names
    #[arg(help_heading = HEADING, long = "input", value_name = "[NAME=]TYPE=VALUES|@FILE")]
    pub(crate) inputs: Vec<String>,
    /// Where the next result goes, @a.npy, or with all that follow @a.npz; - prints it. Results are followed
    /// by the arguments that the function may write to
    #[arg(help_heading = HEADING, long = "output", value_name = "@FILE")]
    outputs: Vec<String>,
    /// Abbreviate arrays with more elements than this
    #[arg(help_heading = HEADING, long, value_name = "N", default_value = "1000")]
    max_elements: usize,
}

/// Flags of commands that call a function.
#[derive(clap::Args, Debug)]
pub(crate) struct CallArgs {
    #[command(flatten)]
    pub(crate) values: ValueArgs,
    /// Number of calls, all with the same arguments [default: 1, with --time 10]
    #[arg(help_heading = HEADING, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    /// Print how long a call takes: the median, and the shortest and longest time; calls to warm up come
    /// first
    #[arg(help_heading = HEADING, long)]
    time: bool,
}

/// A function and its arguments.
pub(crate) struct Call<'j> {
    function: FunctionRef<'j>,
    inputs: Vec<Passed>,
}

/// What a function gave back.
pub(crate) struct Outcome {
    results: Vec<ResultValue>,
    time: Duration,
}

impl Outcome {
    /// How long the last call took.
    pub(crate) fn time(&self) -> Duration {
        self.time
    }

    /// The results.
    pub(crate) fn results(&self) -> &[ResultValue] {
        &self.results
    }

    /// Leaves the memory of results to the program.
    pub(crate) fn leak(self) {
        leak(self.results);
    }
}

fn leak(results: Vec<ResultValue>) {
    let buffers = results.into_iter().filter_map(ResultValue::into_memref);
    buffers.for_each(freehold_backend::jit::MemRefResult::leak);
}

impl ValueArgs {
    /// Whether something is to be called with arguments.
    pub(crate) fn has_inputs(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// Whether there is nothing wrong with the flags themselves.
    pub(crate) fn check(&self) -> Result<(), String> {
        for output in &self.outputs {
            let path = output.strip_prefix('@').map(Path::new);
            let ending = path.and_then(Path::extension);
            let is_known = ending.is_some_and(|ending| ending == "npy" || ending == "npz");
            if output != "-" && !is_known {
                return Err(format!(
                    "expected @FILE.npy, @FILE.npz or -, not '{output}'"
                ));
            }
            for input in self
                .inputs
                .iter()
                .filter_map(|input| Some(input.split_once('@')?.1))
            {
                session::keep_input(path, OsStr::new(&npy::file(input).0))
                    .map_err(without_label)?;
            }
        }
        Ok(())
    }

    /// The arrays that are given, in their order.
    pub(crate) fn arrays(&self) -> Result<Vec<Array>, String> {
        let mut arrays = Vec::new();
        for text in &self.inputs {
            arrays.extend(input::arrays(text)?);
        }
        Ok(arrays)
    }

    /// The sizes of the arrays that are given; nothing if it is not clear which they are.
    pub(crate) fn passed(&self) -> Option<Vec<PassedSizes>> {
        let mut passed = Vec::new();
        for text in &self.inputs {
            let (input, found) = match input::sizes(text) {
                Ok(found) => (None, found),
                Err(_) => {
                    let (name, rest) = text.split_once('=')?;
                    let found = input::sizes(rest).ok().filter(|found| found.len() == 1)?;
                    (Some(name.to_owned()), found)
                }
            };
            for sizes in found {
                let sizes = sizes.into_iter().map(|size| i64::try_from(size).ok());
                passed.push(PassedSizes {
                    input: input.clone(),
                    sizes: sizes.collect::<Option<_>>()?,
                });
            }
        }
        Some(passed)
    }

    /// Prints what came out of function `name`, or writes it to files.
    pub(crate) fn show(
        &self,
        name: &str,
        mut shown: Vec<(Title, Result<Array, String>)>,
        io: &mut Io,
    ) -> io::Result<Result<(), String>> {
        // Files have no two arrays of one name.
        for index in 1..shown.len() {
            let (before, rest) = shown.split_at_mut(index);
            let title = &mut rest[0].0;
            if before.iter().any(|(other, _)| other.key == title.key) {
                title.key = format!("{}{index}", title.key);
            }
        }
        let mut rest = shown.into_iter();
        for output in &self.outputs {
            let Some(path) = output.strip_prefix('@').map(Path::new) else {
                if let Some((title, array)) = rest.next() {
                    print_one(&title, &array, self.max_elements, io)?;
                }
                continue;
            };
            let bytes = if path.extension().is_some_and(|ending| ending == "npz") {
                let all: Result<Vec<_>, String> = rest
                    .by_ref()
                    .map(|(title, array)| Ok((title.key, array?)))
                    .collect();
                all.and_then(|all| {
                    let named: Vec<_> = all
                        .iter()
                        .map(|(name, array)| (name.clone(), array))
                        .collect();
                    npy::npz(&named)
                })
            } else {
                let missing = || format!("there is nothing for '{output}': '{name}' returns less");
                rest.next()
                    .ok_or_else(missing)
                    .and_then(|(_, array)| npy::npy(&array?))
            };
            let write = |bytes: Vec<u8>| session::write_file(path, &bytes).map_err(without_label);
            if let Err(message) = bytes.and_then(write) {
                return Ok(Err(message));
            }
        }
        for (title, array) in rest {
            print_one(&title, &array, self.max_elements, io)?;
        }
        Ok(Ok(()))
    }
}

impl CallArgs {
    /// The arguments, as `function` takes them.
    pub(crate) fn prepare<'j>(&self, function: FunctionRef<'j>) -> Result<Call<'j>, String> {
        let types = &function.signature().arguments;
        let (mut arrays, mut named) = (VecDeque::new(), Vec::new());
        for text in &self.values.inputs {
            match argument_name(text, types) {
                None => arrays.extend(
                    input::arrays(text)
                        .map_err(|message| no_input(text, types).unwrap_or(message))?,
                ),
                Some((index, rest)) => {
                    let mut found = input::arrays(rest)?;
                    match found.pop() {
                        Some(array) if found.is_empty() => named.push((index, array)),
                        _ => return Err(format!("input '{text}': expected one array")),
                    }
                }
            }
        }
        let arrays = place(arrays, named, types)?;
        if arrays.len() != types.len() {
            // Says so in the words of all callers.
            let none = vec![Argument::Int(0); arrays.len()];
            function.check(&none).map_err(|error| error.to_string())?;
        }
        let inputs = arrays
            .into_iter()
            .zip(types)
            .map(|(array, ty)| Passed::new(array, ty));
        let mut call = Call {
            function,
            inputs: inputs.collect::<Result<_, _>>()?,
        };
        call.with_arguments(|function, arguments| {
            function.check(arguments).map_err(|error| error.to_string())
        })?;
        Ok(call)
    }

    /// Calls the function as often as it is to be, and says on standard error how long that took.
    pub(crate) fn run(
        &self,
        call: &mut Call<'_>,
        keeps_memory: bool,
        io: &mut Io,
    ) -> io::Result<Result<Outcome, String>> {
        /// Calls before those whose time counts.
        const WARM_UP: u32 = 2;
        let n_calls = self.repeat.unwrap_or(if self.time { 10 } else { 1 });
        let n_warm_up = if self.time { WARM_UP } else { 0 };
        let mut times = Vec::new();
        let mut last = None;
        for index in 0..n_warm_up + n_calls {
            if let Some(Outcome { results, .. }) = last.take()
                && keeps_memory
            {
                leak(results);
            }
            match call.once() {
                Ok(outcome) => {
                    if index >= n_warm_up {
                        times.push(outcome.time);
                    }
                    last = Some(outcome);
                }
                Err(message) => return Ok(Err(message)),
            }
        }
        if self.time {
            times.sort_unstable();
            let middle = times.len() / 2;
            let median = match times.len() % 2 {
                0 => (times[middle - 1] + times[middle]) / 2,
                _ => times[middle],
            };
            let (first, last) = (times[0], times[times.len() - 1]);
            writeln!(
                io.stderr,
                "time: median {median:.3?}, {first:.3?} to {last:.3?}, {n_calls} calls after {n_warm_up}"
            )?;
        }
        Ok(last.ok_or_else(|| "nothing was called".to_owned()))
    }

    /// Prints results, and arguments that may have been written to, or writes them to files.
    pub(crate) fn show(
        &self,
        call: &Call<'_>,
        outcome: &Outcome,
        io: &mut Io,
    ) -> io::Result<Result<(), String>> {
        let mut shown = Vec::new();
        let types = &call.function.signature().results;
        for (index, (value, ty)) in outcome.results.iter().zip(types).enumerate() {
            let title = title("result", index, ty);
            shown.push((title, array_of(value, ty)));
        }
        let types = &call.function.signature().arguments;
        for (index, (passed, ty)) in call.inputs.iter().zip(types).enumerate() {
            let is_buffer = matches!(ty.kind(), ValueKind::MemRef(_) | ValueKind::Unranked(_));
            if is_buffer && !ty.is_read_only() {
                shown.push((title("argument", index, ty), passed.read_back()));
            }
        }
        self.values.show(call.function.name(), shown, io)
    }
}

/// The argument that `NAME=...` names, and what follows.
fn argument_name<'t>(text: &'t str, types: &[ValueType]) -> Option<(usize, &'t str)> {
    types.iter().enumerate().find_map(|(index, ty)| {
        let rest = text.strip_prefix(ty.name()?)?.strip_prefix('=')?;
        Some((index, rest))
    })
}

/// What to say of `NAME=...` where no argument has the name, but others have some.
fn no_input(text: &str, types: &[ValueType]) -> Option<String> {
    let (name, rest) = text.split_once('=')?;
    let names: Vec<&str> = types.iter().filter_map(ValueType::name).collect();
    // Another name, a shape or a file follows, and no value.
    let is_name = !names.is_empty() && (rest.contains('=') || rest.starts_with('@'));
    is_name.then(|| {
        format!(
            "there is no input '{name}': the inputs are {}",
            names.join(", ")
        )
    })
}

/// Arrays in the order of arguments: those with names where these are, the others where there is room.
fn place(
    mut arrays: VecDeque<Array>,
    named: Vec<(usize, Array)>,
    types: &[ValueType],
) -> Result<Vec<Array>, String> {
    if named.is_empty() {
        return Ok(arrays.into());
    }
    let mut places: Vec<Option<Array>> = types.iter().map(|_| None).collect();
    for (index, array) in named {
        if places[index].replace(array).is_some() {
            let name = types[index].name().unwrap_or_default();
            return Err(format!("input '{name}' is given twice"));
        }
    }
    let mut all = Vec::new();
    for (place, ty) in places.into_iter().zip(types) {
        match place.or_else(|| arrays.pop_front()) {
            Some(array) => all.push(array),
            None => {
                let name = ty.name().unwrap_or_default();
                return Err(format!("input '{name}' is not given"));
            }
        }
    }
    all.extend(arrays);
    Ok(all)
}

/// The message of a line to print: who prints it writes the label.
fn without_label(line: String) -> String {
    match line.strip_prefix("error: ") {
        Some(message) => message.to_owned(),
        None => line,
    }
}

/// What a result is called.
pub(crate) struct Title {
    /// For people.
    text: String,
    /// In files with several.
    key: String,
}

impl Title {
    /// That of result or argument number `index`, which has no name.
    pub(crate) fn numbered(what: &str, index: usize) -> Self {
        Self {
            text: format!("{what} #{index}"),
            key: format!("{what}{index}"),
        }
    }
}

fn title(what: &str, index: usize, ty: &ValueType) -> Title {
    let title = Title::numbered(what, index);
    match ty.name() {
        Some(name) => Title {
            text: format!("{} '{name}'", title.text),
            key: name.to_owned(),
        },
        None => title,
    }
}

fn print_one(
    title: &Title,
    array: &Result<Array, String>,
    max_elements: usize,
    io: &mut Io,
) -> io::Result<()> {
    let text = match array {
        Ok(array) => print::array(array, max_elements),
        Err(reason) => reason.clone(),
    };
    writeln!(io.stdout, "{}: {text}", title.text)
}

impl Call<'_> {
    /// Calls `each` with the function and its arguments.
    fn with_arguments<T>(
        &mut self,
        each: impl FnOnce(&FunctionRef<'_>, &[Argument<'_>]) -> Result<T, String>,
    ) -> Result<T, String> {
        let numbers: Vec<_> = self.inputs.iter().map(Passed::number).collect();
        let mut buffers = Vec::new();
        for passed in &mut self.inputs {
            buffers.push(passed.buffer()?);
        }
        let arguments: Vec<Argument<'_>> = (buffers.iter().zip(numbers))
            .filter_map(|(buffer, number)| buffer.as_ref().map(Argument::MemRef).or(number))
            .collect();
        each(&self.function, &arguments)
    }

    /// Calls the function once, with arguments as they were at first.
    fn once(&mut self) -> Result<Outcome, String> {
        for passed in &mut self.inputs {
            passed.reset()?;
        }
        self.with_arguments(|function, arguments| {
            let start = Instant::now();
            let results = function.call(arguments);
            let time = start.elapsed();
            let results = results.map_err(|error| error.to_string())?;
            Ok(Outcome { results, time })
        })
    }
}

/// A result as an array.
fn array_of(value: &ResultValue, ty: &ValueType) -> Result<Array, String> {
    if let ResultValue::MemRef(memref) = value {
        return Array::of_bytes(memref.element(), memref.sizes(), &memref.to_bytes());
    }
    let Some(element) = ty.element() else {
        return Err(format!("{ty}, which cannot be shown"));
    };
    let sizes = match ty.kind() {
        ValueKind::Vector(_, sizes) => &sizes[..],
        _ => &[],
    };
    let bits = |value: &ResultValue| match value {
        ResultValue::Int(value) => {
            *value as u128 & u128::MAX >> (128 - element.integer_width().unwrap_or(128))
        }
        ResultValue::F32(value) => value.to_bits().into(),
        ResultValue::F64(value) => value.to_bits().into(),
        ResultValue::FloatBits(value) => (*value).into(),
        _ => 0,
    };
    let bytes = match value {
        ResultValue::Vector(bytes) => bytes.clone(),
        ResultValue::Complex(parts) => {
            let width = 4 * element.byte_size();
            (bits(&parts[0]) | bits(&parts[1]) << width)
                .to_le_bytes()
                .to_vec()
        }
        value => bits(value).to_le_bytes().to_vec(),
    };
    Array::of_bytes(element, sizes, &bytes)
}
