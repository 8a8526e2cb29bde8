//! What a program says that was run with `--check` or `--stats=json`.

/// The lines about memory errors, and the others.
pub(crate) fn split_errors(native: &str) -> (Vec<String>, String) {
    let mut errors = Vec::new();
    let mut output = String::new();
    for line in native.split_inclusive('\n') {
        if line.contains("error: ") || line.contains("note: ") {
            errors.push(line.trim_end().to_string());
        } else if !line.starts_with("memory check: ") {
            output.push_str(line);
        }
    }
    (errors, output)
}

/// `double free` of `file:1:2: error: double free of ...`
fn error_kind(line: &str) -> Option<&str> {
    let message = line.split("error: ").nth(1)?;
    Some(message.split([':', ',']).next().unwrap_or(message))
}

/// The kinds of errors there are in `lines`, each once.
pub(crate) fn error_kinds<S: AsRef<str>>(lines: &[S]) -> String {
    let mut kinds: Vec<_> = lines
        .iter()
        .filter_map(|line| error_kind(line.as_ref()))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.join(", ")
}

/// What the program printed, and the JSON object after it.
pub(crate) fn split_statistics(native: &str) -> (&str, &str) {
    native.split_at(native.rfind("{\"allocs\"").unwrap_or(native.len()))
}

/// By how many bytes the peak of a program with this many allocations may rise where the peak never does: buffers count as
/// multiples of the alignments that they ask for, as `aligned_alloc` takes them. Those of tensors ask for 64.
pub(crate) fn rounding(text: &str, allocations: u64) -> u64 {
    let alignments = text.split("alignment = ").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        rest[..end].parse::<u64>().ok()
    });
    let of_tensors = if text.contains("tensor<") { 64 } else { 1 };
    let most = alignments.fold(of_tensors, u64::max);
    allocations.saturating_mul(most - 1)
}

/// A number in a flat JSON object.
pub(crate) fn statistic(json: &str, key: &str) -> Option<u64> {
    let rest = json.split(&format!("\"{key}\": ")).nth(1)?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}
