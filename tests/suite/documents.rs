//! What README.md and the guide show is what happens: every command is run, and its output compared.
//!
//! A `console` block holds commands after `$ ` and what each prints, standard error included. In the output a line
//! `...` stands for any lines, and `[..]` for any part of a line. A code block after `<!-- file: NAME -->` is that
//! file. All blocks of a page run in one folder, in order; those behind `<!-- needs: TOOL TOOL -->` are left out, and
//! are another test of that page, which is ignored where a tool is missing. `UPDATE_CHECKS=1` writes what was printed into the page.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use libtest_mimic::{Failed, Trial};
use regex::Regex;

use crate::needs::{self, trials};

/// What is in the folder of every page, as in a clone.
const SHARED: [&str; 2] = ["examples", "benches"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// A folder for a page, with nothing left from an earlier run.
fn scratch(page: &Path, needs: &BTreeSet<String>) -> PathBuf {
    let name = page.strip_prefix(root()).unwrap().with_extension("");
    let needs: String = needs.iter().flat_map(|needs| ["-", needs]).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("documents{}", needs.replace(' ', "-")))
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for shared in SHARED {
        std::os::unix::fs::symlink(root().join(shared), folder.join(shared)).unwrap();
    }
    folder
}

/// What a shell prints for a command, and its exit status; `before` is that of the command before.
fn shell(command: &str, folder: &Path, before: i32) -> (String, i32) {
    let binaries = Path::new(env!("CARGO_BIN_EXE_freehold")).parent().unwrap();
    let path = env::join_paths(
        [binaries.to_owned()]
            .into_iter()
            .chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    );
    // The command after the line with the status: errors of the shell's name the line otherwise.
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("exec 2>&1; (exit {before}); {command}"))
        .current_dir(folder)
        .env("PATH", path.unwrap())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.code().unwrap_or(-1))
}

/// Whether a text is what a page shows.
fn matches(shown: &str, printed: &str) -> bool {
    let mut pattern = String::from(r"(?s)\A");
    for line in shown.lines() {
        if line.trim() == "..." {
            pattern.push_str(r"(?:[^\n]*\n)*?");
            continue;
        }
        let parts: Vec<String> = line.trim_end().split("[..]").map(regex::escape).collect();
        pattern.push_str(&parts.join(r"[^\n]*"));
        pattern.push_str(r"[ \t]*\n");
    }
    pattern.push_str(r"\z");
    let mut printed = printed.to_owned();
    if !printed.is_empty() && !printed.ends_with('\n') {
        printed.push('\n');
    }
    Regex::new(&pattern).unwrap().is_match(&printed)
}

/// A command of a block and what the page shows of its output.
struct Step {
    command: String,
    shown: String,
}

fn steps(block: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut goes_on = false;
    for line in block.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step {
                command: command.to_owned(),
                shown: String::new(),
            }),
            (None, Some(last)) if goes_on => {
                last.command.push('\n');
                last.command.push_str(line);
            }
            (None, Some(last)) => {
                last.shown.push_str(line);
                last.shown.push('\n');
            }
            (None, None) => panic!("output without a command: {line}"),
        }
        goes_on = line.ends_with('\\');
    }
    steps
}

/// What the blocks of a page need, each list once.
fn needs_of(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(page).unwrap();
    let needs = text.lines().filter_map(|line| needs_note(note(line)?));
    needs.map(str::to_owned).collect()
}

/// What stands in a line that is a comment.
fn note(line: &str) -> Option<&str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")
}

fn needs_note(note: &str) -> Option<&str> {
    note.strip_prefix("needs: ")
}

/// Runs a page, but for blocks that need more than this; gives what it should say, and what is wrong with it.
fn check(page: &Path, needs: &BTreeSet<String>) -> (String, String) {
    let text = fs::read_to_string(page).unwrap();
    let folder = scratch(page, needs);
    let name = page.strip_prefix(root()).unwrap().display().to_string();
    let (mut updated, mut wrong) = (String::new(), String::new());
    let mut file: Option<String> = None;
    let mut is_left_out = false;
    let mut status = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        updated.push_str(line);
        updated.push('\n');
        if let Some(names) = note(line).and_then(|note| note.strip_prefix("file: ")) {
            file = Some(names.to_owned());
        } else if let Some(tools) = note(line).and_then(needs_note) {
            is_left_out = !tools.split(' ').all(|tool| needs.contains(tool));
        }
        let Some(kind) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let mut block: String = block.iter().map(|line| format!("{line}\n")).collect();
        if let Some(file) = file.take() {
            fs::write(folder.join(file), &block).unwrap();
        } else if kind == "console" && !std::mem::take(&mut is_left_out) {
            let mut printed_block = String::new();
            for step in steps(&block) {
                let (printed, new_status) = shell(&step.command, &folder, status);
                status = new_status;
                let _ = writeln!(printed_block, "$ {}", step.command);
                if matches(&step.shown, &printed) {
                    printed_block.push_str(&step.shown);
                    continue;
                }
                let _ = writeln!(
                    wrong,
                    "{name}: $ {}\nshows\n{}and not\n{printed}",
                    step.command, step.shown
                );
                for line in printed.lines() {
                    let _ = writeln!(printed_block, "{}", line.trim_end());
                }
            }
            block = printed_block;
        }
        updated.push_str(&block);
        updated.push_str("```\n");
    }
    (updated, wrong)
}

fn commands_print_what_the_page_shows(page: &Path, needs: &BTreeSet<String>) -> Result<(), Failed> {
    let (updated, wrong) = check(page, needs);
    if wrong.is_empty() {
        return Ok(());
    }
    if env::var_os("UPDATE_CHECKS").is_none() {
        return Err(wrong.into());
    }
    Ok(fs::write(page, updated)?)
}

/// Tests of a page: one of what needs nothing, and one for each list of needs. Where the page is written, it is one.
fn tests_of(page: &Path) -> Vec<Trial> {
    let name = page.strip_prefix(root()).unwrap().display().to_string();
    let tools =
        |needs: &String| -> BTreeSet<String> { needs.split(' ').map(str::to_owned).collect() };
    let lists = needs_of(page);
    let mut sets = vec![BTreeSet::new()];
    match env::var_os("UPDATE_CHECKS") {
        Some(_) => sets[0] = lists.iter().flat_map(tools).collect(),
        None => sets.extend(lists.iter().map(tools)),
    }
    let trial = |needs: BTreeSet<String>| {
        let words: Vec<String> = needs.iter().cloned().collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let name = match words.is_empty() {
            true => format!("documents::{name}"),
            false => format!("documents::{name} ({})", words.join(" ")),
        };
        let page = page.to_owned();
        needs::trial(name, &words, move || {
            commands_print_what_the_page_shows(&page, &needs)
        })
    };
    sets.into_iter().map(trial).collect()
}

fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for page in pages() {
        let name = page.file_name().unwrap().to_str().unwrap();
        let is_page = page.parent() == Some(&root().join("docs")) && name != "SUMMARY.md";
        let is_listed = summary.contains(&format!("({name})"));
        assert!(
            is_listed || !is_page,
            "docs/SUMMARY.md does not list {name}"
        );
    }
}

fn links_lead_somewhere() {
    let link = Regex::new(r"\]\(([^)#]+)(?:#[^)]*)?\)").unwrap();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for captures in link.captures_iter(&text) {
            let target = &captures[1];
            // Pages of the guide lead to files outside of it by the address of the repository: in a book there are none.
            let path = ["blob", "tree"].iter().find_map(|kind| {
                target.strip_prefix(&format!(
                    "https://github.com/freehold/freehold/{kind}/main/"
                ))
            });
            let leads = match path {
                Some(path) => root().join(path).exists(),
                None => target.contains("://") || page.parent().unwrap().join(target).exists(),
            };
            assert!(leads, "{}: no {target}", page.display());
            let is_guide = page.starts_with(root().join("docs"));
            assert!(
                !(is_guide && target.starts_with("../")),
                "{}: {target}",
                page.display()
            );
        }
    }
}

/// Readers see the names of the files that commands use.
fn files_show_their_names() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            if let Some(name) = note(line).and_then(|note| note.strip_prefix("file: ")) {
                let shown = lines.get(index + 1).copied();
                assert_eq!(shown, Some(&*format!("`{name}`:")), "{}", page.display());
            }
        }
    }
}

fn outputs_are_compared() {
    assert!(matches("a\n...\nd[..]f\n", "a\nb\nc\ndef\n"));
    assert!(matches("", ""));
    assert!(!matches("a\n", "a\nb\n"));
    assert!(!matches("a.c\n", "abc\n"));
    let steps = steps("$ one \\\n  two\nout\n$ three\n");
    assert_eq!(steps.len(), 2);
    assert_eq!(
        (&*steps[0].command, &*steps[0].shown),
        ("one \\\n  two", "out\n")
    );
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    let mut tests = trials![
        every_page_is_in_the_summary,
        links_lead_somewhere,
        files_show_their_names,
        outputs_are_compared,
    ];
    tests.extend(pages().iter().flat_map(|page| tests_of(page)));
    tests
}
