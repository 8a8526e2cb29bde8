//! Runs many `freehold` commands in few child processes.
//!
//! Native code prints to the streams of its process, may crash it and may hang, so it runs in a
//! child; a child for each of thousands of tiny programs would take longer than the programs. A test
//! binary that uses this calls [`serve_if_asked`] first in its `main`: the child is that binary.
//!
//! A command that crashes or hangs takes its child with it. What was not run yet goes on in a new
//! one.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use freehold::Io;

use super::stream::Buffer;
use super::test_dialect;

/// Set in the environment of a child.
const CHILD: &str = "FREEHOLD_BATCH_CHILD";

/// A line that begins like this ends what a command says.
const END: &[u8] = b"\x01end ";

/// The longest that one command may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A command line and its input.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// Without the program's name.
    pub(crate) arguments: Vec<String>,
    pub(crate) stdin: Arc<str>,
}

impl Job {
    /// A command whose arguments are separated by blanks, but for those in single quotes.
    pub(crate) fn new(command: &str, stdin: &Arc<str>) -> Self {
        Self {
            arguments: arguments(command),
            stdin: Arc::clone(stdin),
        }
    }
}

fn arguments(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let arguments = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(String::from).collect(),
        _ => vec![part.to_owned()],
    });
    arguments.collect()
}

/// What a command said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub(crate) end: End,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// What native code and the runtime wrote to either stream.
    pub(crate) native: String,
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Status(u8),
    /// With the exit status that a shell would report.
    Crash(i32),
    Hang,
}

/// Runs `jobs` one after the other. Results are in their order.
pub(crate) fn run(jobs: &[Job]) -> Result<Vec<Outcome>, String> {
    let mut outcomes = Vec::new();
    while outcomes.len() < jobs.len() {
        let before = outcomes.len();
        run_child(&jobs[before..], &mut outcomes)?;
        if outcomes.len() == before {
            return Err("the child process ended before it ran a command".into());
        }
    }
    Ok(outcomes)
}

/// Runs as many jobs as one child survives.
fn run_child(jobs: &[Job], outcomes: &mut Vec<Outcome>) -> Result<(), String> {
    let failed = |error: io::Error| format!("cannot run a child process: {error}");
    let (reader, writer) = io::pipe().map_err(failed)?;
    let executable = env::current_exe().map_err(failed)?;
    let mut command = Command::new(executable);
    command
        .env(CHILD, "1")
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(writer.try_clone().map_err(failed)?)
        .stderr(writer);
    let mut child = KillOnDrop(command.spawn().map_err(failed)?);
    // This end of the pipe has to go, or reading would never come to an end.
    drop(command);

    let mut stdin = child.0.stdin.take().ok_or("the child has no input")?;
    let request = encode(jobs);
    // A child that crashes does not read everything.
    thread::spawn(move || drop(stdin.write_all(&request)));
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        while let Some(message) = read_message(&mut reader) {
            let is_last = message.is_err();
            if sender.send(message).is_err() || is_last {
                break;
            }
        }
    });
    for _ in jobs {
        let crashed = |native: Vec<u8>, end| Outcome {
            end,
            stdout: String::new(),
            stderr: String::new(),
            native: text(native),
        };
        match receiver.recv_timeout(TIMEOUT) {
            Ok(Ok(outcome)) => outcomes.push(outcome),
            Ok(Err(native)) => {
                let status = child.0.wait().map_err(failed)?;
                let signal = status.signal().map(|signal| 128 + signal);
                let status = status.code().or(signal).unwrap_or(-1);
                outcomes.push(crashed(native, End::Crash(status)));
                return Ok(());
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                outcomes.push(crashed(Vec::new(), End::Hang));
                return Ok(());
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
    Ok(())
}

/// The next outcome; what was read of it if the child is gone; `None` at an orderly end.
fn read_message(reader: &mut impl BufRead) -> Option<Result<Outcome, Vec<u8>>> {
    let mut native = Vec::new();
    loop {
        let mut line = Vec::new();
        if reader.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
            return Some(Err(native));
        }
        // Native code may leave its last line open.
        let Some(at) = line.windows(END.len()).position(|window| window == END) else {
            native.extend(line);
            continue;
        };
        native.extend(&line[..at]);
        let header = String::from_utf8_lossy(&line[at + END.len()..]).into_owned();
        let numbers: Vec<usize> = header
            .split_whitespace()
            .filter_map(|n| n.parse().ok())
            .collect();
        let &[status, stdout, stderr] = numbers.as_slice() else {
            return Some(Err(native));
        };
        let mut read = |length: usize| {
            let mut bytes = vec![0; length];
            reader.read_exact(&mut bytes).ok().map(|()| text(bytes))
        };
        let (Some(stdout), Some(stderr)) = (read(stdout), read(stderr)) else {
            return Some(Err(native));
        };
        return Some(Ok(Outcome {
            end: End::Status(u8::try_from(status).unwrap_or(u8::MAX)),
            stdout,
            stderr,
            native: text(native),
        }));
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into())
}

struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // Both fail when the process has ended, which is the usual case.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

// The wire format of jobs: lines with numbers, texts after their length.

fn encode(jobs: &[Job]) -> Vec<u8> {
    let mut request = String::new();
    let mut put = |text: &str| {
        let _ = write!(request, "{}\n{text}", text.len());
    };
    for job in jobs {
        put(&job.arguments.join("\n"));
        put(&job.stdin);
    }
    request.into_bytes()
}

fn decode_text(reader: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut bytes = vec![0; line.trim().parse().ok()?];
    reader.read_exact(&mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}

/// In a child process, runs the commands and never returns. To be called before anything else.
pub(crate) fn serve_if_asked() {
    if env::var_os(CHILD).is_none() {
        return;
    }
    let mut stdin = io::stdin().lock();
    while let (Some(arguments), Some(input)) = (decode_text(&mut stdin), decode_text(&mut stdin)) {
        if serve(&arguments, input).is_err() {
            // The parent is gone.
            break;
        }
    }
    std::process::exit(0);
}

fn serve(arguments: &str, stdin: String) -> io::Result<()> {
    let (stdout, stderr) = (Buffer::default(), Buffer::default());
    let mut io = Io {
        stdout: Box::new(stdout.clone()),
        stderr: Box::new(stderr.clone()),
        ..Io::captured(stdin)
    };
    let command = ["freehold"].into_iter().chain(arguments.lines());
    let command: Vec<_> = command.map(OsString::from).collect();
    let status = test_dialect::main_with(&command, &mut io);
    drop(io);
    let (stdout, stderr) = (stdout.take(), stderr.take());
    let mut message = END.to_vec();
    message.extend(format!("{status} {} {}\n", stdout.len(), stderr.len()).bytes());
    message.extend(stdout);
    message.extend(stderr);
    let mut output = io::stdout().lock();
    output.write_all(&message)?;
    output.flush()
}
