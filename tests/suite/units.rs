//! No unit test is left out: the crates here are compiled once, without their unit tests, and a test of each compiles the
//! modules that have some.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;

use crate::needs::trials;

/// The crates, and where their unit tests are compiled.
const CRATES: [(&str, &str); 3] = [
    ("frontend", "frontend/tests/frontend/main.rs"),
    ("interpret", "interpret/tests/unit/main.rs"),
    ("backend", "backend/tests/unit/main.rs"),
];

/// Modules inside of one that is compiled as a whole.
const NESTED: [&str; 2] = ["doubles", "trigonometric"];

pub(crate) fn tests() -> Vec<Trial> {
    trials![modules_with_unit_tests_are_compiled]
}

/// The names of the modules in `folder` that have unit tests.
fn tested(folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tested(&path, names);
        } else if fs::read_to_string(&path).unwrap().contains("#[cfg(test)]") {
            let module = match path.ends_with("mod.rs") {
                true => path.parent().unwrap(),
                false => &path,
            };
            names.push(module.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
}

fn modules_with_unit_tests_are_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (package, main) in CRATES {
        let mut names = Vec::new();
        tested(&root.join(package).join("src"), &mut names);
        assert!(names.len() > 2, "{package}: {names:?}");
        let main = fs::read_to_string(root.join(main)).unwrap();
        for name in &names {
            // By its name, or under another one as a file.
            let n_compiled = main.matches(&format!("mod {name};")).count()
                + main.matches(&format!("\"{name}.rs\"")).count()
                + usize::from(NESTED.contains(&&**name));
            let n_tested = names.iter().filter(|&other| other == name).count();
            assert!(
                n_compiled >= n_tested,
                "{package}: {name} has unit tests that nothing compiles"
            );
        }
    }
}
