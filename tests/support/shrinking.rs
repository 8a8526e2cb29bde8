//! Makes a random program that fails smaller and keeps it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::generator::render;
use super::generator::shape::Shape;
use super::generator::shrink::minimize;
use super::generator::tree::grow;

/// After this time a failing program is small enough.
const TIME: Duration = Duration::from_secs(60);

/// Makes the program with this seed smaller as long as it `fails`, and writes it to a file in
/// `folder` of the target folder. Gives the file, and the text without helper functions.
pub(crate) fn shrink(
    folder: &str,
    shape_name: &str,
    seed: u64,
    shape: &Shape,
    kind: &str,
    mut fails: impl FnMut(&str) -> bool,
) -> io::Result<(PathBuf, String)> {
    let start = Instant::now();
    let small = minimize(grow(seed, shape), |text| {
        start.elapsed() <= TIME && fails(text)
    });
    let text = render(&small);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder)?;
    let words: Vec<_> = kind.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let file = folder.join(format!("{shape_name}-{seed}-{}.mlir", words.join("-")));
    fs::write(&file, &text)?;
    let small = without_helpers(&text).to_owned();
    Ok((file, small))
}

/// The functions of a program that depend on its seed; they come last.
fn without_helpers(text: &str) -> &str {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let name = line.split('@').nth(1).unwrap_or_default();
        let is_numbered =
            name.starts_with('f') && name[1..].starts_with(|c: char| c.is_ascii_digit());
        if line.starts_with("func.func") && (is_numbered || name.starts_with("main(")) {
            break;
        }
        at += line.len();
    }
    &text[at..]
}
