//! The caps of `verify-ownership`: what is given up is neither proved nor an error.

use libtest_mimic::Failed;

use super::buffers;
use crate::support::in_process::freehold;

/// A test per kind of program.
pub(super) fn add_tests(family: &mut crate::Family) {
    family.test("states of verify-ownership, right program", || states(true));
    family.test("states of verify-ownership, wrong program", || {
        states(false)
    });
    family.test("states of verify-ownership, many iter_args", wide);
}

/// Any number of states: a right program is proved or unknown, a wrong one is wrong or unknown, and
/// from some number on there is an answer.
fn states(is_right: bool) -> Result<(), Failed> {
    let right = freehold(
        &["opt", "-", "--buffer-deallocation-pipeline"],
        buffers::exchanged(3),
    )
    .stdout;
    let text = match is_right {
        true => right,
        // One dealloc less.
        false => {
            let mut lines: Vec<&str> = right.lines().collect();
            let last = lines
                .iter()
                .rposition(|line| line.contains("memref.dealloc"));
            lines.remove(last.ok_or("nothing is freed")?);
            lines.join("\n")
        }
    };
    let mut answers = Vec::new();
    for max_states in [
        0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, 1023, 20_000,
    ] {
        let option = format!("--verify-ownership=max-states={max_states}");
        let found = freehold(&["opt", "-", &option], text.clone());
        let is_unknown = found.stderr.contains("could not prove");
        let is_wrong = found.status != 0;
        if is_wrong == is_right && (is_right || !is_unknown) {
            return Err(format!("{max_states} states: {}", found.stderr).into());
        }
        answers.push(!is_unknown);
    }
    match answers.last() {
        Some(true) => Ok(()),
        _ => Err("there is never an answer".into()),
    }
}

/// However many buffers a loop carries, there is an answer, the same each time, and no false alarm; up to 16
/// it is a proof.
fn wide() -> Result<(), Failed> {
    for n in [2, 3, 4, 5, 6, 8, 16, 32, 64] {
        for pass in [
            "--ownership-based-buffer-deallocation",
            "--buffer-deallocation-pipeline",
        ] {
            let program = freehold(&["opt", "-", pass], buffers::exchanged(n)).stdout;
            let check = |option| freehold(&["opt", "-", option], program.clone());
            let strict = check("--verify-ownership=strict=true");
            let mut errors = (strict.stderr.lines()).filter(|line| line.contains("error: "));
            let said = |line: &str| line.split("error: ").nth(1).map(str::to_owned);
            if let Some(line) = errors.find(|line| !line.contains("could not prove")) {
                return Err(format!("{pass}, {n}: {:?}", said(line)).into());
            }
            // Larger programs take seconds, and what is not strict is what `states` tries.
            if n > 16 {
                continue;
            }
            let found = check("--verify-ownership");
            if found.status != 0 {
                return Err(format!("{pass}, {n}: {}", found.stderr).into());
            }
            if strict.status != 0 {
                return Err(format!("{pass}, {n}: {}", strict.stderr).into());
            }
            if strict.stderr != check("--verify-ownership=strict=true").stderr {
                return Err(format!("{pass}, {n}: another answer").into());
            }
        }
    }
    Ok(())
}
