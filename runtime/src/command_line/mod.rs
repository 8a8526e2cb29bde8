//! The command line of executables: calls a function of the program with arrays and numbers from text or files, and
//! prints or writes what it returns, as `freehold run` does and in the same words.
//!
//! An executable brings a description of the functions that it can call, and one function that calls the one of a
//! given number with arguments and results in memory. A description is a sequence of strings, each with a zero byte
//! behind it. An empty one is the end. Of each function there are
//!
//! - its name,
//! - the number of bytes that its results take,
//! - the number of its arguments,
//! - three strings for each argument: its type as users know it; a letter and the shape, `b2x?xf32`; and the number
//!   of the cell that it begins with,
//! - the number of its results and three strings for each, where the last is the offset of its first byte,
//! - the number of its preconditions, and strings for each: `=` or `>` (at least), the left side as a computation and
//!   in words, what it must be, the right side in the same two ways, and the number of counts with their computations.
//!   Nothing is required if a count is not positive. `sums` says what a computation is.
//!
//! The letter says what a value is: `n` a number, `b` a buffer, `r` a buffer that is only read, `-` something that
//! is not read or shown here. A cell has 16 bytes, and holds a number or a word of a descriptor.
//!
//! The memory that arguments are in is no memory of the program: it comes from `sys::map_zeroed`, and goes when the
//! process ends. So no report on allocations knows of it.

mod array;
mod element;
mod float;
mod npy;
mod sums;
mod text;

use core::ffi::{c_char, c_int};

use crate::memref::View;
use crate::output::{self, Output};
use crate::{check, count, sys};
use array::{Array, Stored, quoted, room};
use element::{Element, Named};

/// Exit status if a call is wrong.
const FAILURE: c_int = 1;
/// Exit status if the command line is.
const USAGE: c_int = 2;

/// The elements shown of arrays unless the command line says otherwise.
const MAX_ELEMENTS: usize = 1000;

/// Who keeps the books of allocations.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Books {
    /// No accounts.
    None = 0,
    /// [`count`]
    Counting = 1,
    /// [`check`]
    Checking = 2,
}

/// Calls the function of this number: `(function, cells of arguments, bytes of results)`.
type Dispatch = unsafe extern "C" fn(u64, *const [u64; 2], *mut u8);

/// Who complains, and about what.
#[derive(Clone, Copy)]
struct Report<'a> {
    program: &'a [u8],
    /// The input that is being read.
    input: Option<&'a [u8]>,
}

impl Report<'_> {
    /// Ends the process with a message.
    fn fail(self, message: impl FnOnce(&mut Output)) -> ! {
        self.end(FAILURE, message)
    }

    #[cold]
    fn end(self, status: c_int, message: impl FnOnce(&mut Output)) -> ! {
        let mut out = Output::stderr();
        out.slice(self.program);
        out.text(": error: ");
        if let Some(input) = self.input {
            out.text("input '");
            write_shortened(&mut out, input);
            out.text("': ");
        }
        message(&mut out);
        out.byte(b'\n');
        out.finish();
        // SAFETY: nothing of the program is running.
        unsafe { sys::exit(status) }
    }
}

/// Writes the first 60 characters of values, or the whole name of a file.
fn write_shortened(out: &mut Output, text: &[u8]) {
    let is_start = |byte: &u8| byte & 0xc0 != 0x80;
    let mut starts = (0..text.len()).filter(|&at| text.get(at).is_some_and(is_start));
    let is_file = text.starts_with(b"@");
    match starts.nth(60).and_then(|end| text.get(..end)) {
        Some(start) if !is_file => {
            out.slice(start);
            out.text("...");
        }
        _ => out.slice(text),
    }
}

/// One word of the command line, or two.
enum Flag<'a> {
    Function(&'a [u8]),
    Input(&'a [u8]),
    Output(&'a [u8]),
    MaxElements(usize),
    Help,
}

/// The words of the command line that are left.
#[derive(Clone, Copy)]
struct Words {
    next: *const *const c_char,
    left: c_int,
}

impl Words {
    fn next<'a>(&mut self) -> Option<&'a [u8]> {
        if self.left <= 0 {
            return None;
        }
        // SAFETY: this many words are left, which live as long as the process.
        unsafe {
            let word = text::of_c(*self.next);
            self.next = self.next.add(1);
            self.left -= 1;
            Some(word)
        }
    }

    /// The next flag. Invalid text ends the process.
    fn flag<'a>(&mut self, report: Report<'_>) -> Option<Flag<'a>> {
        let word: &[u8] = self.next()?;
        if word == b"--help" || word == b"-h" {
            return Some(Flag::Help);
        }
        let (name, value) = match text::split_once(word, b'=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let is_known = matches!(
            name,
            b"--function" | b"--entry-point" | b"-e" | b"--input" | b"--output" | b"--max-elements"
        );
        if !is_known {
            report.end(USAGE, |out| {
                out.text("unexpected argument ");
                quoted(out, word);
                out.text(": expected --function, --input, --output, --max-elements or --help");
                if matches!(name, b"--time" | b"--repeat") {
                    out.text("; 'freehold run' measures time");
                }
            });
        }
        let Some(value) = value.or_else(|| self.next()) else {
            report.end(USAGE, |out| {
                out.text("a value is required for ");
                quoted(out, name);
            })
        };
        Some(match name {
            b"--input" => Flag::Input(value),
            b"--output" => match value {
                b"-" => Flag::Output(value),
                [b'@', path @ ..] if path.ends_with(b".npy") => Flag::Output(value),
                _ => report.end(USAGE, |out| {
                    out.text("expected @FILE.npy or -, not ");
                    quoted(out, value);
                    if value.ends_with(b".npz") {
                        out.text(": only 'freehold run' writes .npz");
                    }
                }),
            },
            b"--max-elements" => Flag::MaxElements(text::size(value).unwrap_or_else(|| {
                report.end(USAGE, |out| {
                    out.text("invalid value ");
                    quoted(out, value);
                    out.text(" for '--max-elements'");
                })
            })),
            _ => Flag::Function(value),
        })
    }
}

/// The strings of a description from one of them on.
#[derive(Clone, Copy)]
struct Strings(*const c_char);

impl Strings {
    fn next<'a>(&mut self) -> &'a [u8] {
        // SAFETY: the compiler has written a description, and its end is not passed.
        unsafe {
            let string = text::of_c(self.0);
            self.0 = self.0.add(string.len() + 1);
            string
        }
    }

    fn number(&mut self) -> usize {
        text::size(self.next()).unwrap_or(0)
    }

    /// A list of values.
    fn values(&mut self) -> Values {
        let n = self.number();
        let values = Values {
            strings: *self,
            left: n,
        };
        (0..3 * n).for_each(|_| {
            self.next();
        });
        values
    }

    /// A list of preconditions.
    fn preconditions(&mut self) -> Preconditions {
        let mut list = Preconditions {
            left: self.number(),
            strings: *self,
        };
        let first = list;
        list.by_ref().for_each(drop);
        *self = list.strings;
        first
    }
}

/// What the sizes of arguments must be to each other.
#[derive(Clone, Copy)]
struct Preconditions {
    strings: Strings,
    left: usize,
}

impl Iterator for Preconditions {
    type Item = Precondition;

    fn next(&mut self) -> Option<Precondition> {
        self.left = self.left.checked_sub(1)?;
        let relation = self.strings.next();
        let left = [self.strings.next(), self.strings.next()];
        let must = self.strings.next();
        let right = [self.strings.next(), self.strings.next()];
        let n_counts = self.strings.number();
        let counts = self.strings;
        (0..n_counts).for_each(|_| {
            self.strings.next();
        });
        Some(Precondition {
            is_equal: relation == b"=",
            left,
            must,
            right,
            counts,
            n_counts,
        })
    }
}

/// A relation between two sides, each a computation and its words.
struct Precondition {
    is_equal: bool,
    left: [&'static [u8]; 2],
    must: &'static [u8],
    right: [&'static [u8]; 2],
    counts: Strings,
    n_counts: usize,
}

impl Precondition {
    /// Whether it holds for arguments in these cells.
    fn holds(&self, cells: &[[u64; 2]]) -> bool {
        let mut counts = self.counts;
        let is_void = (0..self.n_counts)
            .any(|_| sums::value(counts.next(), cells).is_some_and(|count| count <= 0));
        let sides = [self.left, self.right].map(|[sum, _]| sums::value(sum, cells));
        is_void
            || match sides {
                [Some(left), Some(right)] if self.is_equal => left == right,
                [Some(left), Some(right)] => left >= right,
                _ => false,
            }
    }

    /// Says what does not hold.
    fn write(&self, out: &mut Output, cells: &[[u64; 2]]) {
        write_side(out, self.left, " is ", cells);
        out.text(" and must ");
        out.slice(self.must);
        out.byte(b' ');
        write_side(out, self.right, ", which is ", cells);
    }
}

/// A side in words, and its value unless it is a number.
fn write_side(out: &mut Output, side: [&[u8]; 2], between: &str, cells: &[[u64; 2]]) {
    let [sum, words] = side;
    out.slice(words);
    if sum != words {
        out.text(between);
        match sums::value(sum, cells) {
            Some(value) => out.signed(value),
            None => out.text("too large"),
        }
    }
}

/// Types of arguments or results.
#[derive(Clone, Copy)]
struct Values {
    strings: Strings,
    left: usize,
}

impl Iterator for Values {
    type Item = Value<'static>;

    fn next(&mut self) -> Option<Value<'static>> {
        self.left = self.left.checked_sub(1)?;
        let ty = self.strings.next();
        let (&letter, shape) = self.strings.next().split_first()?;
        let place = self.strings.number();
        Some(Value {
            ty,
            letter,
            shape,
            place,
        })
    }
}

/// An argument or a result.
#[derive(Clone, Copy)]
struct Value<'a> {
    /// Its type, as users know it.
    ty: &'a [u8],
    letter: u8,
    shape: &'a [u8],
    /// Where it is among the arguments or results.
    place: usize,
}

impl Value<'_> {
    /// How many dimensions, and the type of the number or of the elements.
    fn parts(&self) -> (usize, Option<Element>) {
        let (mut rest, mut rank) = (self.shape, 0);
        while (text::starts_with_digit(rest) || rest.first() == Some(&b'?'))
            && let Some((_, more)) = text::split_once(rest, b'x')
        {
            rest = more;
            rank += 1;
        }
        let element = match Element::from_name(rest) {
            Named::Element(element) => Some(element),
            _ => None,
        };
        (rank, element)
    }
}

/// A function that can be called.
struct Function {
    number: u64,
    name: &'static [u8],
    results_size: usize,
    arguments: Values,
    results: Values,
    preconditions: Preconditions,
}

/// The functions of a description.
struct Functions {
    strings: Strings,
    next: u64,
}

impl Iterator for Functions {
    type Item = Function;

    fn next(&mut self) -> Option<Function> {
        let name: &'static [u8] = self.strings.next();
        if name.is_empty() {
            return None;
        }
        let number = self.next;
        self.next += 1;
        Some(Function {
            number,
            name,
            results_size: self.strings.number(),
            arguments: self.strings.values(),
            results: self.strings.values(),
            preconditions: self.strings.preconditions(),
        })
    }
}

fn write_types(out: &mut Output, types: Values) {
    let mut is_first = true;
    for value in types {
        if !is_first {
            out.text(", ");
        }
        out.slice(value.ty);
        is_first = false;
    }
}

/// Writes the names of all functions in order, or of the first of them.
fn write_names(out: &mut Output, functions: impl Fn() -> Functions) {
    const MOST: usize = 20;
    let n = functions().count();
    if n == 0 {
        out.text(": there are no functions");
        return;
    }
    let mut last: &[u8] = b"";
    for index in 0..n.min(MOST) {
        let later = functions().map(|function| function.name);
        let Some(next) = later.filter(|&name| name > last).min() else {
            break;
        };
        out.text(if index == 0 { "; functions: " } else { ", " });
        quoted(out, next);
        last = next;
    }
    if n > MOST {
        out.text(" and ");
        out.unsigned((n - MOST) as u64);
        out.text(" more");
    }
}

/// Prints what the command line may say.
fn help(program: &[u8], functions: Functions) {
    let mut out = Output::stdout();
    out.text("Usage: ");
    out.slice(program);
    out.text(
        " [--function=NAME] [--input=TYPE=VALUES|@FILE.npy]... [--output=@FILE.npy|-]... [--max-elements=N]\n\nFunctions:\n",
    );
    for function in functions {
        out.text("  ");
        out.slice(function.name);
        out.byte(b'(');
        write_types(&mut out, function.arguments);
        out.byte(b')');
        if function.results.left > 0 {
            out.text(" -> ");
            write_types(&mut out, function.results);
        }
        out.byte(b'\n');
    }
}

/// Does what the command line of an executable says. Returns the exit status, or -1 if it says nothing and the first
/// function takes no arguments: then that is what the executable is to run.
///
/// # Safety
/// `count` and `words` are those of C's `main`, `description` is one, and `dispatch` calls its functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_command_line(
    count: c_int,
    words: *const *const c_char,
    description: *const c_char,
    dispatch: Dispatch,
    books: Books,
) -> c_int {
    let mut flags = Words {
        next: words,
        left: count,
    };
    let program: &[u8] = flags.next().unwrap_or(b"program");
    let report = Report {
        program,
        input: None,
    };
    let functions = || Functions {
        strings: Strings(description),
        next: 0,
    };
    let (mut wanted, mut max_elements, mut n_inputs) = (None, MAX_ELEMENTS, 0);
    let mut rest = flags;
    while let Some(flag) = rest.flag(report) {
        match flag {
            Flag::Function(name) => wanted = Some(name),
            Flag::MaxElements(max) => max_elements = max,
            Flag::Input(_) => n_inputs += 1,
            Flag::Output(_) => {}
            Flag::Help => {
                help(program, functions());
                return 0;
            }
        }
    }
    let found = functions().find(|function| wanted.is_none_or(|name| name == function.name));
    let Some(function) = found else {
        report.fail(|out| {
            out.text("entry point ");
            quoted(out, wanted.unwrap_or(b"main"));
            out.text(" not found");
            write_names(out, functions);
        })
    };
    if flags.left <= 0 && function.arguments.left == 0 {
        return -1;
    }
    let is_foreign = |value: &Value<'_>| value.letter == b'-';
    if let Some(value) = function.arguments.chain(function.results).find(is_foreign) {
        report.fail(|out| {
            out.text("function ");
            quoted(out, function.name);
            out.text(" has an argument or result of type ");
            out.slice(value.ty);
            out.text(": 'freehold run' calls it, executables do not");
        });
    }
    keep_inputs(flags, report);
    // SAFETY: by the caller's promise.
    unsafe {
        let mut call = Call {
            function,
            report,
            inputs: read_inputs(flags, n_inputs, report),
        };
        let cells = call.arguments();
        let results = room::<u64>(call.function.results_size / 8 + 1, report);
        let mut preconditions = call.function.preconditions;
        if let Some(violated) = preconditions.find(|precondition| !precondition.holds(cells)) {
            report.fail(|out| {
                out.text("function ");
                quoted(out, call.function.name);
                out.text(" cannot take such arguments: ");
                violated.write(out, cells);
            });
        }
        if books == Books::Checking {
            call.lend();
        }
        dispatch(
            call.function.number,
            cells.as_ptr(),
            results.as_mut_ptr().cast(),
        );
        call.show(results.as_ptr().cast(), flags, max_elements);
        call.free_results(results.as_ptr().cast(), books);
    }
    output::flush(sys::standard_output());
    0
}

/// Refuses to write a result over an input.
fn keep_inputs(flags: Words, report: Report<'_>) {
    let mut outputs = flags;
    while let Some(flag) = outputs.flag(report) {
        let Flag::Output([b'@', output @ ..]) = flag else {
            continue;
        };
        let mut inputs = flags;
        while let Some(flag) = inputs.flag(report) {
            if let Flag::Input([b'@', input @ ..]) = flag
                && is_one_file(output, input)
            {
                report.end(USAGE, |out| {
                    out.text("output file ");
                    quoted(out, output);
                    out.text(" is the input file");
                });
            }
        }
    }
}

/// Whether two ends of words of the command line name the same file.
fn is_one_file(one: &[u8], other: &[u8]) -> bool {
    // SAFETY: words end with a zero byte; what comes back is a string that is ours to free, or null if there is no
    // such file.
    unsafe {
        let [one, other] =
            [one, other].map(|path| sys::realpath(path.as_ptr().cast(), core::ptr::null_mut()));
        let is_one = !one.is_null() && !other.is_null() && text::of_c(one) == text::of_c(other);
        sys::free(one.cast());
        sys::free(other.cast());
        is_one
    }
}

/// Reads all inputs.
///
/// # Safety
/// There are this many.
unsafe fn read_inputs<'m>(
    flags: Words,
    n_inputs: usize,
    report: Report<'_>,
) -> &'m mut [Array<'m>] {
    // Not written as zeros: an array has a reference.
    let arrays = room::<core::mem::MaybeUninit<Array<'m>>>(n_inputs, report);
    let mut rest = flags;
    let mut places = arrays.iter_mut();
    while let Some(flag) = rest.flag(report) {
        let Flag::Input(input) = flag else { continue };
        let report = Report {
            input: Some(input),
            ..report
        };
        // SAFETY: words of a command line end with a zero byte.
        let array = unsafe {
            match input {
                [b'@', path @ ..] => {
                    let mut names = (0..path.len()).map(|at| text::from(path, at));
                    if path.ends_with(b".npz") || names.any(|name| name.starts_with(b".npz:")) {
                        report.fail(|out| out.text("only 'freehold run' reads .npz"));
                    }
                    npy::read(path, report)
                }
                literal => Array::literal(literal, report),
            }
        };
        if let Some(place) = places.next() {
            place.write(array);
        }
    }
    // SAFETY: each of them was written.
    unsafe { core::slice::from_raw_parts_mut(arrays.as_mut_ptr().cast(), n_inputs) }
}

/// A call of a function.
struct Call<'m> {
    function: Function,
    report: Report<'m>,
    inputs: &'m mut [Array<'m>],
}

impl<'m> Call<'m> {
    /// The cells of the arguments, which must fit the types of the function.
    fn arguments(&mut self) -> &'m [[u64; 2]] {
        let Function {
            name, arguments, ..
        } = self.function;
        let report = self.report;
        let n = arguments.left;
        if n != self.inputs.len() {
            report.fail(|out| {
                out.text("function ");
                quoted(out, name);
                out.text(" has ");
                out.unsigned(n as u64);
                out.text(if n == 1 { " argument" } else { " arguments" });
                if n > 0 {
                    out.text(" (");
                    write_types(out, arguments);
                    out.byte(b')');
                }
                out.text(", not ");
                out.unsigned(self.inputs.len() as u64);
            });
        }
        for (array, value) in self.inputs.iter_mut().zip(arguments) {
            if let Some(declared) = value.parts().1 {
                array.read_as(declared, report);
            }
        }
        for array in self.inputs.iter() {
            if let Stored::Raw(_) = array.stored {
                report.fail(|out| {
                    array.write_shape(out);
                    out.text(" has elements of no known type");
                });
            }
        }
        let n_cells = |value: Value<'_>| match value.letter {
            b'n' => 2,
            _ => 3 + 2 * value.parts().0,
        };
        let cells = room::<[u64; 2]>(arguments.map(n_cells).sum(), report);
        for (index, (array, value)) in self.inputs.iter().zip(arguments).enumerate() {
            if !array.fits(value.shape) {
                report.fail(|out| {
                    out.text("argument #");
                    out.unsigned(index as u64);
                    out.text(" of function ");
                    quoted(out, name);
                    out.text(" is ");
                    out.slice(value.ty);
                    out.text(", not ");
                    array.write_shape(out);
                });
            }
            let mut places = cells.iter_mut().skip(value.place);
            let mut push = |low: u64, high: u64| {
                if let Some(place) = places.next() {
                    *place = [low, high];
                }
            };
            if value.letter == b'n' {
                // SAFETY: a number has one element.
                let bits = unsafe { array.get(0) };
                match array.stored {
                    Stored::Element(Element::Complex(part)) => {
                        let width = 8 * part.byte_size();
                        push((bits & ((1 << width) - 1)) as u64, 0);
                        push((bits >> width) as u64, 0);
                    }
                    _ => push(bits as u64, 0),
                }
                continue;
            }
            let data = array.data.expose_provenance() as u64;
            push(data, 0);
            push(data, 0);
            push(0, 0);
            array.sizes.iter().for_each(|&size| push(size as u64, 0));
            let mut rest = array.sizes;
            while let [_, inner @ ..] = rest {
                let stride = inner
                    .iter()
                    .fold(1u64, |n, &size| n.wrapping_mul(size.max(1) as u64));
                push(stride, 0);
                rest = inner;
            }
        }
        cells
    }

    /// Tells the checker of the memory of the arguments, which stays until the process ends.
    fn lend(&self) {
        for (array, value) in self.inputs.iter().zip(self.function.arguments) {
            if let Stored::Element(element) = array.stored
                && value.letter != b'n'
            {
                let at = array.data.expose_provenance();
                let n_bytes = array.n_elements() * Stored::Element(element).byte_size();
                check::lend(at, at, at + n_bytes);
            }
        }
    }

    /// Prints or writes results, and arguments that may have been written to.
    ///
    /// # Safety
    /// The function has left its results at `results`; words end with a zero byte.
    unsafe fn show(&self, results: *const u8, flags: Words, max_elements: usize) {
        let mut outputs = flags;
        // SAFETY: by the caller's promise.
        unsafe {
            for (index, value) in self.function.results.enumerate() {
                if let Some(array) = self.result(value, results) {
                    self.show_one("result", index, &array, &mut outputs, max_elements);
                }
            }
            let written = |value: &Value<'_>| value.letter == b'b';
            for (index, value) in self.function.arguments.enumerate() {
                if let Some(array) = self.inputs.get(index).filter(|_| written(&value)) {
                    self.show_one("argument", index, array, &mut outputs, max_elements);
                }
            }
            if let Some(output) = self
                .next_output(&mut outputs)
                .filter(|output| *output != b"-")
            {
                self.report.fail(|out| {
                    out.text("there is nothing for ");
                    quoted(out, output);
                    out.text(": ");
                    quoted(out, self.function.name);
                    out.text(" returns less");
                });
            }
        }
    }

    /// Where the next result is to go.
    fn next_output<'a>(&self, flags: &mut Words) -> Option<&'a [u8]> {
        loop {
            if let Flag::Output(output) = flags.flag(self.report)? {
                return Some(output);
            }
        }
    }

    /// # Safety
    /// As for [`Call::show`].
    unsafe fn show_one(
        &self,
        what: &str,
        index: usize,
        array: &Array<'_>,
        outputs: &mut Words,
        max_elements: usize,
    ) {
        // SAFETY: by the caller's promise.
        unsafe {
            if let Some([b'@', path @ ..]) = self.next_output(outputs) {
                npy::write(path, array, self.report);
                return;
            }
            let mut out = Output::stdout();
            out.text(what);
            out.text(" #");
            out.unsigned(index as u64);
            out.text(": ");
            array.write(&mut out, max_elements);
            out.byte(b'\n');
        }
    }

    /// A result, by rows.
    ///
    /// # Safety
    /// As for [`Call::show`].
    unsafe fn result(&self, value: Value<'_>, results: *const u8) -> Option<Array<'m>> {
        let (rank, element) = value.parts();
        let stored = Stored::Element(element?);
        // SAFETY: by the caller's promise the value is there, with as many elements as its descriptor says.
        unsafe {
            let at = results.add(value.place);
            if value.letter == b'n' {
                let array = Array::zeroed(stored, &[], self.report);
                core::ptr::copy_nonoverlapping(at, array.data, stored.byte_size());
                return Some(array);
            }
            let view = View::ranked(rank as i64, at);
            let sizes = room::<usize>(rank, self.report);
            for (dim, size) in sizes.iter_mut().enumerate() {
                *size = usize::try_from(view.size(dim as i64)).unwrap_or(0);
            }
            let array = Array::zeroed(stored, sizes, self.report);
            let n = array.n_elements();
            for index in 0..n {
                let (mut rest, mut inner, mut from) = (index, n, view.offset);
                for (dim, &size) in array.sizes.iter().enumerate() {
                    inner = inner.checked_div(size).unwrap_or(1);
                    let here = rest.checked_div(inner).unwrap_or(0);
                    rest = rest.checked_rem(inner).unwrap_or(0);
                    from = from.wrapping_add(view.stride(dim as i64).wrapping_mul(here as i64));
                }
                let size = stored.byte_size();
                let element = view.element(from, size as i64);
                core::ptr::copy_nonoverlapping(element, array.data.add(index * size), size);
            }
            Some(array)
        }
    }

    /// Frees the memory of results, if it is on the books. Without books the end of the process does.
    ///
    /// # Safety
    /// As for [`Call::show`].
    unsafe fn free_results(&self, results: *const u8, books: Books) {
        for value in self.function.results.filter(|value| value.letter != b'n') {
            // SAFETY: by the caller's promise a descriptor is there, which begins with the allocated pointer.
            let allocated = unsafe { results.add(value.place).cast::<usize>().read_unaligned() };
            match books {
                Books::None => {}
                Books::Counting => count::free_result(allocated),
                Books::Checking => check::free_result(allocated),
            }
        }
    }
}
