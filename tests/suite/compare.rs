//! `freehold compare` on the examples: every strategy prints the same, and the page holds a curve for
//! each.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use libtest_mimic::Trial;

use crate::needs;
use crate::needs::trials;

fn compare(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_freehold"))
        .arg("compare")
        .args(arguments)
        .output()
        .unwrap()
}

fn strategies_side_by_side() {
    let page = std::env::temp_dir().join(format!("compare-{}.html", std::process::id()));
    let html = format!("--html={}", page.display());
    let numbers = page.with_extension("json");
    let json = format!("--json={}", numbers.display());
    let output = compare(&["examples/nested_if.mlir", "--runs=1", &html, &json]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let row = |name: &str| -> Vec<String> {
        let line = stdout.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().map(String::from).collect()
    };
    let (head, none, ownership) = (row("strategy"), row("none "), row("ownership "));
    assert_eq!((&*none[1], &*ownership[1]), ("equal", "equal"), "{stdout}");
    assert_eq!(head[2], "allocations");
    // Without frees everything allocated is leaked; with them nothing is.
    assert_eq!((&*none[3], &*ownership[8]), ("0", "0"), "{stdout}");
    assert_ne!(none[8], "0", "{stdout}");
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&numbers).unwrap()).unwrap();
    fs::remove_file(&numbers).unwrap();
    for object in json.as_array().unwrap() {
        let row = row(&format!("{} ", object["strategy"].as_str().unwrap()));
        assert!(
            row.contains(&object["allocations"].to_string()),
            "{object} {row:?}"
        );
        assert_eq!(object["result"], "equal");
    }
    let html = std::fs::read_to_string(&page).unwrap();
    std::fs::remove_file(&page).unwrap();
    assert!(html.contains("ownership: peak"), "{html}");
    assert!(
        html.matches("<svg").count() >= 3 && !html.contains("src="),
        "{html}"
    );
}

/// Where allocations are merged, the page has a picture of each arena with a box per buffer and its line.
fn arenas_are_drawn() {
    let page = std::env::temp_dir().join(format!("arenas-{}.html", std::process::id()));
    let html = format!("--html={}", page.display());
    let output = compare(&["examples/mlp.mlir", "--runs=1", &html]);
    assert!(output.status.success(), "{output:?}");
    let html = fs::read_to_string(&page).unwrap();
    fs::remove_file(&page).unwrap();
    let (_, arenas) = html.split_once("<h2>Arenas</h2>").unwrap();
    let part = arenas
        .split("<h3>ownership + merge-alloc</h3>")
        .nth(1)
        .unwrap();
    let part = part.split("<h3>").next().unwrap();
    assert!(part.contains("<title>@main: "), "{part}");
    let boxes = part.matches("<title>mlp.mlir:").count();
    assert!(boxes > 2, "{boxes} boxes in {part}");
}

fn programs_that_cannot_run() {
    let output = compare(&["no-such-file.mlir"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("cannot open input file 'no-such-file.mlir'"),
        "{stderr}"
    );

    // What is wrong with a program is said once, and not by every strategy.
    let file = std::env::temp_dir().join(format!("broken-{}.mlir", std::process::id()));
    fs::write(&file, "func.func @main() { return %x : f32 }").unwrap();
    let output = compare(&[file.to_str().unwrap()]);
    fs::remove_file(&file).unwrap();
    assert_eq!((output.status.code(), output.stdout), (Some(1), Vec::new()));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.matches("error:").count(), 1, "{stderr}");

    let output = compare(&["examples/nested_if.mlir", "-e", "nothing", "--runs=1"]);
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("all: freehold run: error"), "{stdout}");
}

fn all_examples_are_equal() {
    for entry in std::fs::read_dir("examples").unwrap() {
        let file = entry.unwrap().path();
        if file.extension() != Some("mlir".as_ref()) {
            continue;
        }
        let output = compare(&[file.to_str().unwrap(), "--runs=1"]);
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}\n{stdout}",
            file.display()
        );
        assert_eq!(stdout.matches(" equal ").count(), 10, "{stdout}");
    }
}

/// Programs that print much, fail an assertion, run forever or access no memory of theirs.
fn programs_that_go_wrong() {
    let file = std::env::temp_dir().join(format!("compare-{}.mlir", std::process::id()));
    let path = file.to_str().unwrap();
    let body = |statements: &str| {
        format!(
            "func.func private @printI64(i64)
             func.func @main() {{
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %many = arith.constant 200000 : index
               %m = memref.alloc() : memref<4xi64>
               {statements}
               return
             }}"
        )
    };
    let print = "scf.for %i = %c0 to %many step %c1 {
        %v = arith.index_cast %i : index to i64
        func.call @printI64(%v) : (i64) -> ()
      }";
    // With an effect: a loop without one is removed.
    let forever = "%one = arith.constant 1 : i64
      scf.while : () -> () {
        %true = arith.constant true
        scf.condition(%true)
      } do {
        memref.store %one, %m[%c0] : memref<4xi64>
        scf.yield
      }
      %v = memref.load %m[%c0] : memref<4xi64>
      func.call @printI64(%v) : (i64) -> ()";
    for (statements, status, expected) in [
        (print, 0, " equal "),
        (
            "cf.assert %false, \"no luck\"",
            1,
            "assertion failed: no luck; exit status: 1",
        ),
        (forever, 1, "all: stopped after 1 seconds"),
        (
            "%v = memref.load %far[%c0] : memref<4xi64, strided<[1], offset: ?>>
             func.call @printI64(%v) : (i64) -> ()",
            1,
            "error: the program accessed memory that is not there",
        ),
    ] {
        let statements = format!(
            "%false = arith.constant false
             %offset = arith.muli %many, %many : index
             %far = memref.reinterpret_cast %m to offset: [%offset], sizes: [4], strides: [1]
                 : memref<4xi64> to memref<4xi64, strided<[1], offset: ?>>
             {statements}"
        );
        std::fs::write(&file, body(&statements)).unwrap();
        let timeout = if status == 0 { "60" } else { "1" };
        let output = compare(&[path, "--runs=1", "--timeout", timeout]);
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(status), "{stdout}");
        assert!(stdout.contains(expected), "{stdout}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// The pages in a real browser, at two widths and in both colour schemes: nothing is wider than the screen, and the
/// pictures lie in the target folder to be looked at.
fn pages_fit_the_screen() {
    let browser = needs::find_browser().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    fs::create_dir_all(&folder).unwrap();
    let written = |command: &[&str], flag: &str, name: &str| {
        let page = folder.join(name);
        let run = Command::new(env!("CARGO_BIN_EXE_freehold"))
            .args(command)
            .arg(format!("{flag}={}", page.display()))
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
        page
    };
    let compare = ["compare", "examples/nested_if.mlir", "--runs=1"];
    let bench = ["bench", "dealloc", "--max=2", "--samples=1"];
    let plan = ["plan", "tests/cli/inputs/gaps.csv"];
    for page in [
        written(&compare, "--html", "compare.html"),
        written(&bench, "--html", "bench.html"),
        written(&plan, "--svg", "plan.svg"),
    ] {
        let is_page = page.extension().is_some_and(|ending| ending == "html");
        if is_page {
            // The page says itself whether it is wider than the window.
            let mut text = fs::read_to_string(&page).unwrap();
            text.push_str(
                "<script>document.title = document.documentElement.scrollWidth > innerWidth ? 'too wide' : 'it fits';\
                 </script>",
            );
            fs::write(&page, text).unwrap();
        }
        for (width, scheme) in [(1200, "1"), (400, "0")] {
            let picture = page.with_extension(format!("{width}.png"));
            let _ = fs::remove_file(&picture);
            let browse = |action: &str| {
                Command::new(&browser)
                    .args(["--headless", "--no-sandbox", "--disable-gpu"])
                    .arg(format!("--window-size={width},1600"))
                    .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
                    .arg(action)
                    .arg(format!("file://{}", page.display()))
                    .output()
                    .unwrap()
            };
            browse(&format!("--screenshot={}", picture.display()));
            let shown = page.display();
            assert!(
                fs::metadata(&picture).unwrap().len() > 5_000,
                "{shown} {width}"
            );
            if is_page {
                let document = String::from_utf8(browse("--dump-dom").stdout).unwrap();
                assert!(
                    document.contains("<title>it fits</title>"),
                    "{shown} {width}"
                );
            }
        }
    }
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        strategies_side_by_side,
        arenas_are_drawn,
        programs_that_cannot_run,
        all_examples_are_equal,
        programs_that_go_wrong,
        pages_fit_the_screen needs ["browser"],
    ]
}
