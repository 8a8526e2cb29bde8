//! Child processes with input, captured output and a time limit.

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The time limit of a test's child process.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// What a finished process left behind.
#[derive(Debug)]
pub(crate) struct Finished {
    /// The exit status; 128 plus the signal's number when a signal ended it, as shells say it.
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
    /// Empty when the streams were merged.
    pub(crate) stderr: Vec<u8>,
}

/// What becomes of the error stream.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stderr {
    Separate,
    /// Interleaved with the standard output, like `2>&1`.
    Merged,
}

/// Runs `command` on `stdin`. A process that is still there after `timeout` is killed together with
/// the processes it started, and that is an error.
pub(crate) fn run(
    command: &mut Command,
    stdin: &[u8],
    stderr: Stderr,
    timeout: Duration,
) -> Result<Finished, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let deadline = Instant::now() + timeout;
    let (child, outputs) =
        spawn(command, stderr).map_err(|error| format!("cannot run {name}: {error}"))?;
    let mut child = KillOnDrop(child);
    let group = child.0.id();
    let writer = child.0.stdin.take().map(|mut pipe| {
        let stdin = stdin.to_vec();
        // A process need not read its input; a broken pipe is no error.
        thread::spawn(move || drop(pipe.write_all(&stdin)))
    });
    let (sender, receiver) = mpsc::channel();
    for (index, mut output) in outputs.into_iter().enumerate() {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut text = Vec::new();
            let result = output.read_to_end(&mut text).map(|_| text);
            // The receiver is gone after a timeout.
            let _ = sender.send((index, result));
        });
    }
    drop(sender);
    let timed_out = || {
        kill_group(group);
        Err(format!(
            "{name} was killed: it ran for more than {} s",
            timeout.as_secs()
        ))
    };
    let mut texts = [Vec::new(), Vec::new()];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left) {
            Ok((index, Ok(text))) => texts[index] = text,
            Ok((_, Err(error))) => return Err(format!("cannot read from {name}: {error}")),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => return timed_out(),
        }
    }
    // Usually the process ends when it closes its outputs, so this rarely goes around.
    let status = loop {
        match child.0.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() >= deadline => return timed_out(),
            Ok(None) => thread::sleep(Duration::from_millis(1)),
            Err(error) => return Err(format!("cannot wait for {name}: {error}")),
        }
    };
    if let Some(writer) = writer {
        // The process is gone, so the pipe is broken and the thread ends.
        let _ = writer.join();
    }
    let [stdout, stderr] = texts;
    let status = status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(Finished {
        status,
        stdout,
        stderr,
    })
}

type Outputs = Vec<Box<dyn Read + Send>>;

fn spawn(command: &mut Command, stderr: Stderr) -> io::Result<(Child, Outputs)> {
    command.stdin(Stdio::piped()).process_group(0);
    if stderr == Stderr::Merged {
        let (reader, writer) = io::pipe()?;
        let child = command.stdout(writer.try_clone()?).stderr(writer).spawn();
        // `command` keeps the writing ends; without this the reader would never see the end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        return Ok((child?, vec![Box::new(reader)]));
    }
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdout = child.stdout.take().expect("the output is piped");
    let stderr = child.stderr.take().expect("the output is piped");
    Ok((child, vec![Box::new(stdout), Box::new(stderr)]))
}

/// Leaves no process behind when `run` returns early.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // Both fail when the process has ended, which is the usual case.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Kills a process group. The standard library cannot, and `kill` is a part of every shell.
fn kill_group(group: u32) {
    let _ = Command::new("sh")
        .args(["-c", &format!("kill -KILL -{group}")])
        .status();
}
