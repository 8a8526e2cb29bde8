//! Pipelines as text, and what options may be.

use freehold_passes::manage::options::OptionKind;
use freehold_passes::registry::{PASSES, PIPELINES, parse};

/// What `opt` does by the name of a strategy, `run` does between making buffers of tensors and lowering.
#[test]
fn strategies_are_pipelines() {
    let text = |pipeline: &str| {
        let pipeline = parse(&format!("builtin.module({pipeline})")).unwrap();
        let text = pipeline.to_string();
        let text = text.strip_prefix("builtin.module(").unwrap();
        text.strip_suffix(")").unwrap().to_owned()
    };
    for (dealloc, pipeline) in [
        (
            "ownership",
            "buffer-deallocation-pipeline{borrowed-results=true}",
        ),
        (
            "hlo",
            "hlo-deallocation-pipeline{keep-public-signatures=true}",
        ),
        ("clone", "legacy-deallocation-pipeline"),
        ("copy", "legacy-deallocation-pipeline{introduce=copy}"),
        ("none", "expand-realloc"),
    ] {
        let whole = text(&format!(
            "native-pipeline{{dealloc={dealloc} optimize=false}}"
        ));
        let (_, rest) = whole.split_once("one-shot-bufferize{").unwrap();
        let (_, rest) = rest.split_once("},").unwrap();
        let rest = rest.strip_prefix("carry-request-buffers,").unwrap_or(rest);
        let rest = rest.strip_prefix("keep-request-buffers,").unwrap_or(rest);
        let rest = rest
            .strip_prefix("return-buffers-once{results=false},")
            .unwrap_or(rest);
        // What is an error or made one buffer before anything is deallocated.
        // That of hlo does it itself.
        let made_one = rest.strip_prefix("return-buffers-once,");
        let rest = match made_one.filter(|_| dealloc != "hlo") {
            Some(rest) => rest.split_once(',').unwrap().1,
            None => rest,
        };
        // Strategies that copy leave functions with requests to ownership.
        let of_requests = "expand-realloc{emit-deallocs=false keep-freed=true},\
             ownership-based-buffer-deallocation{only-requests=true},";
        let rest = rest.strip_prefix(of_requests).unwrap_or(rest);
        let rest = rest
            .replace("{skip-requests=true}", "")
            .replace(" skip-requests=true", "");
        let lowering = rest.strip_prefix(&text(pipeline));
        let lowering = lowering.unwrap_or_else(|| panic!("{dealloc}: {rest}"));
        // The program's own deallocs.
        let lowering = lowering
            .strip_prefix(",bufferization-lower-deallocations")
            .unwrap_or(lowering);
        // What the file of declarations and requests are of use for up to here.
        let lowering = lowering
            .strip_prefix(",verify-requests,convert-declared-to-calls")
            .unwrap_or(lowering);
        let lowers = lowering.starts_with(",convert-bufferization-to-memref,");
        assert!(lowers, "{dealloc}: {lowering}");
    }
}

#[test]
fn round_trips() {
    for text in [
        "builtin.module()",
        "builtin.module(canonicalize)",
        "builtin.module(func.func(cse,canonicalize{max-iterations=3}),symbol-dce)",
    ] {
        assert_eq!(parse(text).map(|p| p.to_string()).as_deref(), Ok(text));
    }
}

#[test]
fn numbers_are_in_range() {
    let passes = PASSES.iter().map(|pass| (pass.name(), pass.options()));
    let pipelines = PIPELINES.iter().map(|def| (def.name(), def.options()));
    for (name, options) in passes.chain(pipelines) {
        for option in options {
            let OptionKind::Integer { least, most } = option.kind else {
                continue;
            };
            let parse = |value: i128| {
                parse(&format!(
                    "builtin.module({name}{{{}={value}}})",
                    option.name
                ))
            };
            let (least, most) = (i128::from(least), i128::from(most));
            for value in [least - 1, most + 1, i128::MAX] {
                let error = parse(value).map(|p| p.to_string()).unwrap_err();
                let start = format!(
                    "<Pass-Options-Parser>: '{value}' value invalid for option {}: expected an integer from {least}",
                    option.name
                );
                assert!(error.starts_with(&start), "{error}");
            }
            let default = option.default.parse().expect("a default is an integer");
            for value in [least, most, default] {
                assert!(parse(value).is_ok(), "{name}: {value}");
            }
        }
    }
}

/// Defaults are not printed.
#[test]
fn defaults_can_be_given() {
    for pass in PASSES {
        for option in pass.options() {
            let (name, option, default) = (pass.name(), option.name, option.default);
            let text = format!("builtin.module({name}{{{option}={default}}})");
            let printed = parse(&text).map(|pipeline| pipeline.to_string());
            assert_eq!(printed, Ok(format!("builtin.module({name})")));
        }
    }
}

#[test]
fn rejects_what_cannot_run() {
    for (text, message) in [
        ("cse", "wrapped with the anchor"),
        (
            "builtin.module(nope)",
            "'nope' does not refer to a registered pass",
        ),
        ("builtin.module(cse", "expected ',' or ')'"),
        ("builtin.module(cse{x=1})", "no such option x"),
        (
            "builtin.module(canonicalize{max-iteration=1})",
            "no such option max-iteration; did you mean 'max-iterations'?",
        ),
        (
            "builtin.module(func.func(symbol-dce))",
            "did you intend to nest",
        ),
        (
            "builtin.module(canonicalize{max-iterations=a})",
            "expected an integer from -1",
        ),
        ("builtin.module(cse) x", "expected end"),
    ] {
        let error = parse(text).map(|p| p.to_string()).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
    let deep = format!("builtin.module({}", "any(".repeat(100_000));
    assert!(parse(&deep).is_err());
}
