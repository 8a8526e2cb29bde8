//! Other processes of this command, and of others: what they print, and how long they may take.

use std::ffi::OsString;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A process that ends with this.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a process left.
#[derive(Debug)]
pub(crate) struct Finished {
    /// How it ended; nothing if it took too long.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// This command once more; `words` are those that run it, if that is not the executable of this process.
pub(crate) fn again(words: &[OsString]) -> io::Result<Command> {
    Ok(match words.split_first() {
        Some((program, words)) => {
            let mut command = Command::new(program);
            command.args(words);
            command
        }
        None => Command::new(std::env::current_exe()?),
    })
}

/// Runs a command without input, for at most so long.
pub(crate) fn finish(mut command: Command, timeout: Duration) -> io::Result<Finished> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = KillOnDrop(command.spawn()?);
    let stdout = child.0.stdout.take().expect("the output is a pipe");
    let stderr = child.0.stderr.take().expect("the errors are a pipe");
    let (outcome, stdout, stderr) = std::thread::scope(|scope| {
        let stdout = scope.spawn(|| read_all(stdout));
        let stderr = scope.spawn(|| read_all(stderr));
        let outcome = wait(&mut child.0, timeout);
        if !matches!(outcome, Ok(Some(_))) {
            // The readers wait for the ends of its streams.
            let _ = child.0.kill();
        }
        let join =
            |reader: std::thread::ScopedJoinHandle<'_, Vec<u8>>| reader.join().unwrap_or_default();
        (outcome, join(stdout), join(stderr))
    });
    Ok(Finished {
        status: outcome?,
        stdout,
        stderr,
    })
}

/// The output of a program without the addresses of buffers that it prints with them.
pub(crate) fn without_addresses(output: &[u8]) -> Vec<u8> {
    const BEFORE: &[u8] = b"base@ = 0x";
    let mut out = Vec::with_capacity(output.len());
    let mut rest = output;
    while let Some(&first) = rest.first() {
        out.push(first);
        rest = &rest[1..];
        if first == b'x' && out.ends_with(BEFORE) {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_hexdigit());
            rest = &rest[digits.count()..];
        }
    }
    out
}

fn read_all(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What could be read is what there is.
    let _ = stream.read_to_end(&mut bytes);
    bytes
}

/// Waits for a process to end; `None` if that takes too long.
fn wait(child: &mut Child, timeout: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= timeout {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
