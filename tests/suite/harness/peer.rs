//! Child processes and the peer tools.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::peer;
use crate::support::process::{self, Stderr};

fn shell(script: &str, stdin: &str, stderr: Stderr) -> Result<process::Finished, String> {
    let mut command = Command::new("sh");
    process::run(
        command.args(["-c", script]),
        stdin.as_bytes(),
        stderr,
        Duration::from_secs(1),
    )
}

fn streams_and_status_are_captured() {
    let finished = shell("cat; echo err >&2; exit 7", "in", Stderr::Separate).unwrap();
    assert_eq!(finished.status, 7);
    assert_eq!(finished.stdout, b"in");
    assert_eq!(finished.stderr, b"err\n");
}

fn merged_streams_keep_their_order() {
    let finished = shell("echo a; echo b >&2; echo c", "", Stderr::Merged).unwrap();
    assert_eq!(finished.stdout, b"a\nb\nc\n");
}

fn a_signal_is_a_status() {
    let finished = shell("kill -SEGV $$", "", Stderr::Separate).unwrap();
    assert_eq!(finished.status, 128 + 11);
}

/// Neither a full pipe nor an input that nobody reads blocks.
fn large_input_and_output() {
    let input = "x".repeat(1 << 20);
    let finished = shell("cat", &input, Stderr::Separate).unwrap();
    assert_eq!(finished.stdout.len(), input.len());
    assert_eq!(shell("true", &input, Stderr::Separate).unwrap().status, 0);
}

/// The child of the child holds the output open and has to go as well.
fn a_hung_process_is_killed() {
    let start = Instant::now();
    let pid_file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hung-pid");
    let script = format!("sleep 50 & echo $! > {}; sleep 50", pid_file.display());
    let error = shell(&script, "", Stderr::Separate).unwrap_err();
    assert!(error.contains("killed"), "{error}");
    let pid = fs::read_to_string(&pid_file).unwrap();
    // Gone, or a zombie that nobody has waited for; the signal may take a moment.
    let is_gone = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    };
    while !is_gone() {
        assert!(start.elapsed() < Duration::from_secs(20));
        thread::sleep(Duration::from_millis(10));
    }
}

fn a_missing_program_is_an_error() {
    assert!(peer::find("no-such-program").is_none());
    assert!(peer::run(Path::new("/no-such-program"), &[], "").is_err());
}

fn generic_form_of_the_peer() {
    let custom = "// comment\nfunc.func @f(%a: i32) {\n\n  return\n}\n";
    let generic = peer::peer_generic(custom).unwrap();
    assert!(generic.contains("\"func.func\"()"), "{generic}");
    assert_eq!(peer::peer_generic(&generic).unwrap(), generic);
    let error = peer::peer_generic("func.func @f() { return 1 }").unwrap_err();
    assert!(error.contains("error:"), "{error}");
}

fn comments_are_dropped_but_not_from_strings() {
    let text = "a // b\n\n\"x // \\\" //\" // c\n  // d\n";
    assert_eq!(peer::normalize(text), "a\n\"x // \\\" //\"\n");
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        streams_and_status_are_captured,
        merged_streams_keep_their_order,
        a_signal_is_a_status,
        large_input_and_output,
        a_hung_process_is_killed,
        a_missing_program_is_an_error,
        generic_form_of_the_peer needs ["mlir-opt-19"],
        comments_are_dropped_but_not_from_strings,
    ]
}
