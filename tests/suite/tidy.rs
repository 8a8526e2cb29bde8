//! What no compiler or lint checks about the repository: which crate may use which, the shape of
//! source files, and that documents keep up with the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use regex::Regex;

use crate::layers::LAYERS;
use crate::needs::trials;

/// A file outside tests with more lines than this has more than one responsibility.
const MAX_LINES: usize = 1200;

/// What README promises to work after a clone.
const README_COMMANDS: [&str; 2] = ["cargo test", "cargo run -- run examples/mlp.mlir"];

/// The workspace crates that a crate may depend on.
const CRATE_DEPENDENCIES: [(&str, &[&str]); 7] = [
    ("frontend", &[]),
    ("frontend/onnx", &["frontend"]),
    ("interpret", &["frontend"]),
    ("passes", &["frontend", "planner"]),
    ("passes/planner", &[]),
    ("backend", &["frontend", "runtime"]),
    ("runtime", &[]),
];

/// Imports that [`LAYERS`] does not allow: from where, of what, and why.
const UPWARD_IMPORTS: &[(&str, &str, &str)] = &[(
    "passes/src/merge_alloc/schedule.rs",
    "passes/src/check/memory_plan.rs",
    "debug builds ask the checker about every plan",
)];

/// The analyses of who owns buffers, and what they decide.
const OWNERSHIP: &[&str] = &[
    "passes/src/analysis/aliases.rs",
    "passes/src/analysis/derived.rs",
    "passes/src/analysis/flow.rs",
    "passes/src/analysis/frees.rs",
    "passes/src/analysis/liveness",
    "passes/src/deallocation",
];

/// The operations that [`OWNERSHIP`] knows by their rows, where no interface says it, and why.
const KNOWN_TO_OWNERSHIP: &[(&str, &str)] = &[
    ("arith::XORI", "conditions that negate each other"),
    ("bufferization::DEALLOC", "frees under conditions"),
    (
        "bufferization::TO_MEMREF",
        "tensors share memory with buffers",
    ),
    (
        "bufferization::TO_TENSOR",
        "tensors share memory with buffers",
    ),
    ("cf::BR", "made where an edge is split"),
    ("func::CALL", "names the function whose signature changes"),
    ("func::FUNC", "has the signature that changes"),
    ("memref::DEALLOC", "always frees"),
    ("memref::GET_GLOBAL", "belongs to no function"),
    ("memref::REALLOC", "always frees"),
    ("memref::STORE", "stores a buffer where nobody follows it"),
    ("scf::IF", "has the condition that a flag may be"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of the repository with one of these extensions, as sorted paths relative to the root.
fn files(extensions: &[&str]) -> Vec<PathBuf> {
    fn walk(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy();
            if path.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    walk(&path, extensions, found);
                }
            } else if path
                .extension()
                .is_some_and(|e| extensions.iter().any(|&x| e == x))
            {
                found.push(path.strip_prefix(root()).unwrap().to_path_buf());
            }
        }
    }
    let mut found = Vec::new();
    walk(root(), extensions, &mut found);
    found.sort();
    found
}

/// Fails with all that `complain` says of the files.
fn check_files(extensions: &[&str], complain: impl Fn(&Path, &str) -> Option<String>) {
    let mut complaints = String::new();
    for path in files(extensions) {
        if let Some(complaint) = complain(&path, &read(&path)) {
            writeln!(complaints, "{}: {complaint}", path.display()).unwrap();
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

fn is_test(path: &Path) -> bool {
    path.components()
        .any(|component| component.as_os_str() == "tests")
}

/// `text` up to its unit tests, which stand at the end of a file.
fn without_unit_tests(text: &str) -> &str {
    ["#[cfg(test)]\nmod ", "#[cfg(test)]\npub(crate) mod "]
        .iter()
        .filter_map(|start| text.find(start))
        .min()
        .map_or(text, |at| &text[..at])
}

fn crates_depend_downwards() {
    let dependency = Regex::new(r"(?m)^freehold-(\w+)").unwrap();
    for (name, allowed) in CRATE_DEPENDENCIES {
        let manifest = read(Path::new(name).join("Cargo.toml"));
        for capture in dependency.captures_iter(&manifest) {
            assert!(
                allowed.contains(&&capture[1]),
                "{name} may not depend on {}",
                &capture[1]
            );
        }
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{name} has lints of its own"
        );
    }
}

fn unsafe_code_stays_in_its_place() {
    let allowance = Regex::new(r"(allow|expect)\(\s*unsafe_code").unwrap();
    check_files(&["rs"], |path, text| {
        let permitted = [
            "runtime",
            "pjrt",
            "python",
            "backend/src/jit.rs",
            "backend/tests/unit/main.rs",
            "src/cli/session.rs",
        ];
        let permitted = permitted.iter().any(|part| path.starts_with(part));
        (!permitted && allowance.is_match(text)).then(|| "unsafe code is not for this file".into())
    });
}

/// Unsafe functions say what their callers promise, private ones and those in macros included.
fn unsafe_functions_state_their_contract() {
    let definition = Regex::new(r#"^\s*(pub(\(\w+\))? )?unsafe (extern "C" )?fn \w"#).unwrap();
    let before = Regex::new(r#"^\s*(//|(\$\()?#\[|\)\]|reason = )"#).unwrap();
    check_files(&["rs"], |path, text| {
        let mut missing = String::new();
        let lines: Vec<&str> = text.lines().collect();
        let found = lines.iter().enumerate();
        for (at, _) in found.filter(|(_, line)| definition.is_match(line)) {
            let above = lines[..at].iter().rev();
            let mut above = above.take_while(|line| before.is_match(line));
            if !above.any(|line| line.contains("Safety") || line.contains("SAFETY")) {
                write!(missing, " line {}", at + 1).unwrap();
            }
        }
        (!missing.is_empty() && !is_test(path) && !path.ends_with("tests.rs"))
            .then(|| format!("no '# Safety' above{missing}"))
    });
}

/// Lists that say so are sorted by the constants that their lines declare, or by the names of these.
fn sorted_lists_are_sorted() {
    let row = Regex::new(r#"^    ([A-Z][A-Z0-9_]*) = "([^"]*)""#).unwrap();
    let mut n_lists = 0;
    for path in files(&["rs"]) {
        for list in read(&path).split("\n// Keep sorted").skip(1) {
            n_lists += 1;
            let key = if list.starts_with(" by name") { 2 } else { 1 };
            let end = list.find("\n}").unwrap_or(list.len());
            let names: Vec<&str> = (list[..end].lines())
                .filter_map(|line| Some(row.captures(line)?.get(key)?.as_str()))
                .collect();
            let unsorted = names.windows(2).find(|pair| pair[0] > pair[1]);
            assert!(names.len() > 1, "{}: no list", path.display());
            assert!(unsorted.is_none(), "{}: {unsorted:?}", path.display());
        }
    }
    assert_eq!(n_lists, 2);
}

fn source_files_say_what_they_hold() {
    check_files(&["rs"], |_, text| {
        (!text.starts_with("//!")).then(|| "does not begin with a //! comment".into())
    });
}

fn source_files_are_short() {
    check_files(&["rs"], |path, text| {
        let n_lines = without_unit_tests(text).lines().count();
        (n_lines > MAX_LINES && !is_test(path)).then(|| format!("has {n_lines} lines of code"))
    });
}

fn no_stray_whitespace() {
    check_files(&["rs", "mlir", "md", "toml"], |path, text| {
        let tabs_matter = path.extension().is_some_and(|e| e == "rs" || e == "mlir");
        for (index, line) in text.lines().enumerate() {
            if line.ends_with([' ', '\t']) {
                return Some(format!("trailing whitespace on line {}", index + 1));
            }
            if tabs_matter && line.contains('\t') {
                return Some(format!("tab on line {}", index + 1));
            }
        }
        (!text.is_empty() && !text.ends_with('\n')).then(|| "no newline at the end".into())
    });
}

/// A file test that only runs commands would pass whatever they print.
fn file_tests_compare_something() {
    let comparison = Regex::new(r"(?m)RUN:.*(FileCheck|diff|--verify-diagnostics)").unwrap();
    check_files(&["mlir"], |_, text| {
        let compares = !text.contains("// RUN:") || comparison.is_match(text);
        (!compares).then(|| "checks nothing that its commands print".into())
    });
}

/// Words in all of ARCHITECTURE.md, and in one paragraph of any document.
const MAX_WORDS: [usize; 2] = [4000, 120];

/// Phrases that stand for a term of the field, or hide the subject of a sentence.
const NO_PHRASES: &str = r"(?i)\b(what is|what are|of which|so many|somebody|nobody)\b";

/// The documents that people read, and the pages of the guide.
fn is_document(path: &Path) -> bool {
    let is_reference = path.starts_with("docs/reference") || path.starts_with("docs/upstream");
    let is_top = path.parent() == Some(Path::new("")) || path.starts_with("docs");
    let is_readme = path.ends_with("README.md");
    path.extension().is_some_and(|e| e == "md") && (is_top && !is_reference || is_readme)
}

/// The text of a document without code, as paragraphs; an item of a list is one, a table is none.
fn paragraphs(text: &str) -> Vec<String> {
    let (mut all, mut in_code) = (vec![String::new()], false);
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        let start = line.trim_start();
        let is_item = start.starts_with("- ")
            || start
                .split_once(". ")
                .is_some_and(|(n, _)| n.parse::<u8>().is_ok());
        if in_code || is_fence || is_item || start.is_empty() || start.starts_with(['#', '|']) {
            all.push(String::new());
        }
        if !in_code && !is_fence {
            let last = all.last_mut().expect("there is one from the start");
            *last += start;
            last.push(' ');
        }
    }
    all
}

/// Documents are short and plain: few words, short paragraphs, none of [`NO_PHRASES`].
fn documents_are_plain() {
    let phrase = Regex::new(NO_PHRASES).unwrap();
    let n_words = |text: &str| text.split_whitespace().count();
    assert!(n_words(&read("ARCHITECTURE.md")) < MAX_WORDS[0]);
    let mut complaints = String::new();
    for path in files(&["md"]).iter().filter(|path| is_document(path)) {
        for paragraph in paragraphs(&read(path)) {
            let begin: String = paragraph.chars().take(60).collect();
            if n_words(&paragraph) > MAX_WORDS[1] && !paragraph.starts_with('|') {
                writeln!(complaints, "{}: long: {begin}", path.display()).unwrap();
            }
            if let Some(found) = phrase.find(&paragraph) {
                let found = found.as_str();
                writeln!(complaints, "{}: '{found}': {begin}", path.display()).unwrap();
            }
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// ARCHITECTURE.md names files and folders that there are.
fn architecture_names_files_that_exist() {
    let name = Regex::new(r"`([\w./-]+(?:\.rs|\.md|\.mlir|/))`").unwrap();
    let known = files(&["rs", "md", "mlir"]);
    let known: Vec<String> = known
        .iter()
        .map(|path| format!("/{}", path.display()))
        .collect();
    for capture in name.captures_iter(&read("ARCHITECTURE.md")) {
        let part = format!("/{}", &capture[1]);
        let is_there =
            |path: &String| path.ends_with(&part) || part.ends_with('/') && path.contains(&part);
        assert!(known.iter().any(is_there), "no {}", &capture[1]);
    }
}

/// Comments and messages of the product name what they mean.
fn comments_are_plain() {
    let word = Regex::new(r"(?i)\b(so many|somebody|nobody)\b").unwrap();
    check_files(&["rs", "py"], |path, text| {
        let is_product = !is_test(path) && !path.starts_with("benches");
        let found = word.find(text).filter(|_| is_product)?;
        Some(format!("'{}'", found.as_str()))
    });
}

/// Cargo compiles `#[test]`s of a binary with a harness of its own away.
fn integration_tests_are_listed() {
    for folder in ["tests", "backend/tests/native"] {
        check_files(&["rs"], |path, text| {
            let is_unlisted = path.starts_with(folder) && text.contains("\n#[test]\n");
            is_unlisted.then(|| "has a #[test], which never runs: list it in tests()".into())
        });
    }
}

/// README names the commands to start with, and CI runs exactly those.
fn readme_commands_run_in_ci() {
    let readme = read("README.md");
    let ci = read(".ci/run");
    for command in README_COMMANDS {
        assert!(
            readme.lines().any(|line| line == command),
            "README.md lacks '{command}'"
        );
        let input = command.split(' ').find(|word| word.ends_with(".mlir"));
        if input.is_none_or(|input| root().join(input).exists()) {
            assert!(
                ci.lines().any(|line| line == command),
                ".ci/run lacks '{command}'"
            );
        }
    }
}

/// What the feature `cli` brings is optional, and named in `src/cli/` alone.
fn the_library_needs_no_command_line() {
    let manifest = read("Cargo.toml");
    let (_, feature) = manifest.split_once("\ncli = [").unwrap();
    let (feature, _) = feature.split_once(']').unwrap();
    let dependency = Regex::new(r#""dep:([\w-]+)""#).unwrap();
    let names: Vec<&str> = (dependency.captures_iter(feature))
        .map(|name| name.get(1).unwrap().as_str())
        .collect();
    assert!(names.contains(&"clap"));
    for name in &names {
        let line = format!("(?m)^{name} = .*optional = true");
        assert!(Regex::new(&line).unwrap().is_match(&manifest), "{name}");
    }
    let names = names.join("|").replace('-', "_");
    let mention = Regex::new(&format!(r"\b(?:{names})::")).unwrap();
    check_files(&["rs"], |path, text| {
        let is_library = path.starts_with("src")
            && !path.starts_with("src/cli")
            && path != Path::new("src/main.rs");
        (is_library && mention.is_match(text)).then(|| "is about the command line".into())
    });
}

fn dependencies_are_justified() {
    let manifest = read("Cargo.toml");
    let architecture = read("ARCHITECTURE.md");
    let table = manifest.split("[workspace.dependencies]\n").nth(1).unwrap();
    let names = table.lines().take_while(|line| !line.is_empty());
    for name in names.filter_map(|line| line.split([' ', '.', '=']).next()) {
        assert!(
            architecture.contains(&format!("`{name}`")),
            "ARCHITECTURE.md is silent on {name}"
        );
    }
}

/// The names in the `PassDef` statics of `text`.
fn pass_names(text: &str) -> Vec<String> {
    let definition = Regex::new(r#"PassDef\s*\{[^{}]*?\bname:\s*"([^"]+)""#).unwrap();
    let code = without_unit_tests(text);
    definition
        .captures_iter(code)
        .map(|capture| capture[1].to_string())
        .collect()
}

fn pass_definitions_are_found() {
    let text = r#"
        pub struct PassDef { pub name: &'static str }
        pub static PASS: PassDef = PassDef { name: "buffer-hoisting", summary: "name: x" };
        pub static OTHER: registry::PassDef = registry::PassDef {
            summary: "s",
            name: "canonicalize",
        };
    "#;
    assert_eq!(pass_names(text), ["buffer-hoisting", "canonicalize"]);
}

/// Families know nothing of each other's passes: only the registry and the pipelines name them.
fn passes_are_named_by_the_registry_and_pipelines_alone() {
    let definition = Regex::new(r"pub static (\w+): (?:PassDef|PipelineDef)\b").unwrap();
    let paths = files(&["rs"]);
    let paths = paths.iter().filter(|path| path.starts_with("passes/src"));
    let texts: Vec<_> = paths.map(|path| (path, read(path))).collect();
    let names: BTreeSet<String> = (texts.iter())
        .flat_map(|(_, text)| definition.captures_iter(text))
        .map(|capture| capture[1].to_string())
        .collect();
    assert!(names.contains("PASS"));
    let mention = names.iter().cloned().collect::<Vec<_>>().join("|");
    let mention = Regex::new(&format!(r"::(?:\{{[^}}]*\b)?(?:{mention})\b")).unwrap();
    let mut complaints = String::new();
    for (path, text) in &texts {
        let may = path.starts_with("passes/src/pipelines") || path.ends_with("registry.rs");
        for (line, code) in (1..).zip(without_unit_tests(text).lines()) {
            if !may && !code.trim_start().starts_with("//") && mention.is_match(code) {
                writeln!(complaints, "{}:{line}: names a pass", path.display()).unwrap();
            }
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// What decides about buffers asks rows and interfaces, so that operations of others are treated like ours.
fn ownership_knows_few_operations() {
    let row = Regex::new(r"&(\w+::[A-Z][A-Z_]+)\b").unwrap();
    let mut missing: BTreeSet<&str> = KNOWN_TO_OWNERSHIP.iter().map(|&(row, _)| row).collect();
    let mut complaints = String::new();
    for path in files(&["rs"]) {
        let concerns = OWNERSHIP.iter().any(|part| path.starts_with(part));
        if !concerns || path.ends_with("tests.rs") {
            continue;
        }
        let text = read(&path);
        for (line, code) in (1..).zip(without_unit_tests(&text).lines()) {
            for capture in row.captures_iter(code.split("//").next().unwrap_or("")) {
                let named = &capture[1];
                missing.remove(named);
                if !KNOWN_TO_OWNERSHIP.iter().any(|&(row, _)| row == named) {
                    writeln!(complaints, "{}:{line}: knows {named}", path.display()).unwrap();
                }
            }
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
    assert!(missing.is_empty(), "not known any more: {missing:?}");
}

/// Operations are told apart by their rows, never by their text.
fn passes_compare_no_names_of_operations() {
    let comparison =
        Regex::new(r#"op_name\([^)]*\)\s*[=!]=|[=!]=\s*"\w+\.\w+"|def\([^)]*\)\.name\s*[=!]="#)
            .unwrap();
    check_files(&["rs"], |path, text| {
        let concerns = path.starts_with("passes/src") || path.starts_with("backend/src");
        let text = without_unit_tests(text);
        (concerns && !is_test(path))
            .then(|| comparison.find(text))
            .flatten()
            .map(|found| format!("compares a name: {}", found.as_str()))
    });
}

/// What checks the results of passes shares no code with them, but how passes and options are declared.
fn checkers_share_no_code_with_passes() {
    let import = Regex::new(r"\bcrate::(\w+)").unwrap();
    check_files(&["rs"], |path, text| {
        let wrong = |name: &str| name != "check" && name != "manage";
        let mut imports = import.captures_iter(without_unit_tests(text));
        let found = imports.find(|capture| wrong(&capture[1]))?;
        (path.starts_with("passes/src/check")).then(|| format!("imports {}", &found[0]))
    });
}

/// Each pass has a test file, or a folder of them, that bears its name.
fn passes_have_tests() {
    let tests: Vec<_> = files(&["mlir"])
        .into_iter()
        .filter(|path| is_test(path))
        .collect();
    for path in files(&["rs"])
        .iter()
        .filter(|path| path.starts_with("passes/src"))
    {
        for name in pass_names(&read(path)) {
            let tested = tests.iter().any(|test| {
                test.with_extension("")
                    .components()
                    .any(|part| part.as_os_str() == name.as_str())
            });
            assert!(
                tested,
                "{}: no tests/**/{name}.mlir, no tests/**/{name}/",
                path.display()
            );
        }
    }
}

/// The modules that the code of a file names, with the lines: paths that begin with `crate`, `super` or
/// `self`, in `use` declarations and elsewhere.
fn named_modules(module: &[String], text: &str) -> Vec<(usize, Vec<String>)> {
    /// Adds `prefix` followed by each of the paths that `tree`, a part of a `use` declaration, stands for.
    fn expand(prefix: &[String], tree: &str, line: usize, found: &mut Vec<(usize, Vec<String>)>) {
        let mut path = prefix.to_vec();
        let (head, group) = match tree.find('{') {
            Some(at) => (&tree[..at], tree[at + 1..].trim_end().strip_suffix('}')),
            None => (tree, None),
        };
        let head = head.split(" as ").next().unwrap_or_default();
        path.extend(
            head.split("::")
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
        );
        let Some(group) = group else {
            found.push((line, path));
            return;
        };
        let (mut depth, mut start) = (0, 0);
        for (at, character) in group.char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&path, &group[start..at], line, found);
                    start = at + 1;
                }
                _ => {}
            }
        }
        if !group[start..].trim().is_empty() {
            expand(&path, &group[start..], line, found);
        }
    }
    let comment = Regex::new(r"(?m)//.*$").unwrap();
    let code = comment.replace_all(without_unit_tests(text), "");
    let path = Regex::new(r"\b(?:crate|super|self)\s*::[\w\s:]*(\{[^;]*?\}\s*;|\w)").unwrap();
    let mut named = Vec::new();
    for found in path.find_iter(&code) {
        let line = code[..found.start()].lines().count().max(1);
        expand(
            &[],
            found.as_str().trim_end_matches([';', ' ']),
            line,
            &mut named,
        );
    }
    for (_, path) in &mut named {
        let mut base = module.to_vec();
        let mut rest = path.as_slice();
        loop {
            match rest.first().map(String::as_str) {
                Some("crate") => base.clear(),
                Some("super") => drop(base.pop()),
                Some("self") => {}
                _ => break,
            }
            rest = &rest[1..];
        }
        base.extend_from_slice(rest);
        *path = base;
    }
    named
}

/// The place in `layers` of a file: its layer from the top, and its part.
fn place_of(layers: &[&[&str]], file: &str) -> Option<(usize, usize)> {
    let mut best = None;
    for (layer, parts) in layers.iter().enumerate() {
        for (part, paths) in parts.iter().enumerate() {
            for path in paths.split(' ') {
                let holds = file == path || path.ends_with('/') && file.starts_with(path);
                if holds && best.is_none_or(|(length, _)| length < path.len()) {
                    best = Some((path.len(), (layer, part)));
                }
            }
        }
    }
    best.map(|(_, place)| place)
}

/// Imports go down the [`LAYERS`], or are argued for.
fn imports_go_down_the_layers() {
    let mut complaints = BTreeSet::new();
    let mut argued = vec![false; UPWARD_IMPORTS.len()];
    let exported = Regex::new(r"#\[macro_export\]\s*macro_rules! (\w+)").unwrap();
    for &(folder, layers) in LAYERS {
        // The files by the paths of their modules.
        let mut modules = BTreeMap::new();
        let mut macros = BTreeSet::new();
        for path in files(&["rs"]) {
            let Ok(path) = path.strip_prefix(folder) else {
                continue;
            };
            let file = path.to_str().unwrap().to_owned();
            let names = path.with_extension("");
            let mut names: Vec<_> = names
                .iter()
                .map(|name| name.to_str().unwrap().to_owned())
                .collect();
            if names
                .last()
                .is_some_and(|name| name == "mod" || name == "lib" || name == "main")
            {
                names.pop();
            }
            let text = read(Path::new(folder).join(&file));
            macros.extend(exported.captures_iter(&text).map(|name| name[1].to_owned()));
            modules.insert(names, file);
        }
        for (module, file) in &modules {
            // The build script is no module.
            let is_script = folder == "src" && file == "build.rs";
            if file.ends_with("tests.rs") || is_test(Path::new(file)) || is_script {
                continue;
            }
            let Some(place) = place_of(layers, file) else {
                complaints.insert(format!("{folder}/{file}: is in no layer"));
                continue;
            };
            // An exported macro stands at the root, wherever it is written.
            for (line, path) in named_modules(module, &read(Path::new(folder).join(file))) {
                let target = (0..=path.len()).rev().find_map(|n| modules.get(&path[..n]));
                let Some(target) = target.filter(|&target| target != file) else {
                    continue;
                };
                if path.len() == 1 && macros.contains(&path[0]) {
                    continue;
                }
                let Some(target_place) = place_of(layers, target) else {
                    continue;
                };
                if place == target_place || place.0 < target_place.0 {
                    continue;
                }
                let (from, to) = (format!("{folder}/{file}"), format!("{folder}/{target}"));
                let reason = UPWARD_IMPORTS
                    .iter()
                    .position(|&(a, b, _)| (a, b) == (&from, &to));
                if let Some(index) = reason {
                    argued[index] = true;
                } else {
                    complaints.insert(format!("{from}:{line}: imports {to}"));
                }
            }
        }
    }
    for (&(from, to, _), argued) in UPWARD_IMPORTS.iter().zip(argued) {
        if !argued {
            complaints.insert(format!("{from} does not import {to} any more"));
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

fn imports_are_found() {
    let text = "//! crate::comment\nuse std::fmt;\nuse crate::a::{self, b::{C, D}, e};\nuse super::x::Y as Z;\n\
                fn f() { crate::g::h(1); }\n#[cfg(test)]\nmod tests { use super::t; }\n";
    let module = ["m".to_owned(), "n".to_owned()];
    let found: Vec<_> = named_modules(&module, text)
        .into_iter()
        .map(|(line, path)| format!("{line} {}", path.join("::")))
        .collect();
    assert_eq!(
        found,
        [
            "3 a::self",
            "3 a::b::C",
            "3 a::b::D",
            "3 a::e",
            "4 m::x::Y",
            "5 g::h"
        ]
    );
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        crates_depend_downwards,
        unsafe_code_stays_in_its_place,
        unsafe_functions_state_their_contract,
        sorted_lists_are_sorted,
        source_files_say_what_they_hold,
        source_files_are_short,
        no_stray_whitespace,
        comments_are_plain,
        documents_are_plain,
        file_tests_compare_something,
        architecture_names_files_that_exist,
        integration_tests_are_listed,
        readme_commands_run_in_ci,
        the_library_needs_no_command_line,
        dependencies_are_justified,
        pass_definitions_are_found,
        passes_are_named_by_the_registry_and_pipelines_alone,
        ownership_knows_few_operations,
        passes_compare_no_names_of_operations,
        checkers_share_no_code_with_passes,
        passes_have_tests,
        imports_go_down_the_layers,
        imports_are_found,
    ]
}
