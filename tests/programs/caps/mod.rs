//! Programs at the caps of the analyses.
//!
//! Wherever an analysis looks at a bounded number of things (uses, origins, operations, rounds), giving
//! up must be on the safe side. Each row of [`CAPS`] makes programs of any size around such a number, and
//! runs them just below, at and above it: they must print what they print without optimizations and
//! without deallocation, leak nothing and misuse nothing. `tests/README.md` has the list of all caps.

mod buffers;
mod loops;
mod lost_writes;
mod states;
mod tensors;

use std::sync::Arc;

use libtest_mimic::Failed;

use crate::support::batch::{self, End, Job, Outcome};
use crate::support::native::split_errors;

/// A bounded number, and programs around it.
struct Cap {
    name: &'static str,
    /// Sizes below, at and above the cap.
    sizes: &'static [usize],
    program: fn(usize) -> String,
    /// Commands, each after the passes that go before it, if any.
    commands: &'static [(&'static str, &'static str)],
}

/// What every program is compared with.
const REFERENCE: &str = "run -O0 --dealloc=none -";

const OPTIMIZED: &[(&str, &str)] = &[
    ("", "run -O2 --dealloc=none -"),
    ("", "run -O2 --check -"),
    ("", "run -O2 --merge-alloc --dealloc=hlo --check -"),
];

const OWNERSHIP: &[(&str, &str)] = &[
    ("", "run --check=accesses -"),
    ("", "run -O0 --dealloc-lowering=generic --check -"),
    (
        "--buffer-deallocation-pipeline",
        "run --dealloc=none --check -",
    ),
    (
        "--buffer-deallocation-pipeline=private-function-dynamic-ownership=true",
        "run --dealloc=none --check -",
    ),
];

const TENSORS: &[(&str, &str)] = &[
    ("", "run -O0 --check -"),
    ("", "run -O2 --check=accesses -"),
];

const HLO: &[(&str, &str)] = &[
    ("", "run -O0 --dealloc=hlo --check -"),
    ("", "run -O2 --dealloc=hlo --check=accesses -"),
];

const COPIES: &[(&str, &str)] = &[
    ("", "run -O0 --dealloc=clone --check -"),
    ("", "run -O0 --dealloc=copy --check -"),
    ("", "run -O2 --dealloc=copy --check -"),
];

const MERGED: &[(&str, &str)] = &[
    ("", "run -O0 --merge-alloc --check -"),
    ("", "run -O0 --merge-alloc=always --check -"),
    ("", "run -O2 --merge-alloc --dealloc=hlo --check -"),
];

const CAPS: &[Cap] = &[
    Cap {
        name: "origins that buffer-deallocation-simplification follows",
        sizes: &[16, 31, 32, 33, 41, 42, 43, 44],
        program: buffers::exchanged,
        commands: OWNERSHIP,
    },
    Cap {
        name: "rounds in which ownership is decided anew",
        sizes: &[2, 3, 4, 5, 6, 7],
        program: buffers::lent_in_turn,
        commands: OWNERSHIP,
    },
    Cap {
        name: "flags beside a phi that are tried as its ownership",
        sizes: &[14, 15, 16, 17],
        program: buffers::flagged,
        commands: OWNERSHIP,
    },
    Cap {
        name: "rounds in which such flags are looked for",
        sizes: &[7, 8, 9, 10],
        program: buffers::flags_in_turn,
        commands: OWNERSHIP,
    },
    Cap {
        name: "comparisons of deallocs that are lowered in place",
        sizes: &[5, 6, 7, 8],
        program: buffers::exchanged,
        commands: OWNERSHIP,
    },
    Cap {
        name: "rounds until recursive functions may return anything",
        sizes: &[6, 7, 8, 9, 10],
        program: buffers::recursive,
        commands: HLO,
    },
    Cap {
        name: "buffers that may travel with an owner",
        sizes: &[15, 16, 17, 18],
        program: buffers::exchanged,
        commands: HLO,
    },
    Cap {
        name: "freed buffers that a new one may take over",
        sizes: &[15, 16, 17, 18],
        program: buffers::one_after_the_other,
        commands: HLO,
    },
    Cap {
        name: "operations between a copy and what it is for",
        sizes: &[250, 253, 254, 255, 256, 257],
        program: buffers::copied_far_away,
        commands: COPIES,
    },
    Cap {
        name: "uses of a buffer that is copied",
        sizes: &[60, 61, 62, 63, 64, 65],
        program: buffers::copied_and_used,
        commands: COPIES,
    },
    Cap {
        name: "uses of a clone whose address is looked for",
        sizes: &[1, 60, 61, 62, 63, 64, 65],
        program: buffers::known_by_address,
        commands: &[("--canonicalize", "run -O0 --dealloc=none --check -")],
    },
    Cap {
        name: "uses of a tensor that is written in place",
        sizes: &[1021, 1022, 1023, 1024, 1025],
        program: buffers::tensor_with_uses,
        commands: TENSORS,
    },
    Cap {
        name: "blocks behind a tensor that is written in place",
        sizes: &[169, 170, 171, 172],
        program: buffers::tensor_before_blocks,
        commands: TENSORS,
    },
    Cap {
        name: "operations of tensors that become one",
        sizes: &[998, 999, 1000, 1001],
        program: tensors::chain,
        commands: TENSORS,
    },
    Cap {
        name: "operands of an operation that several became",
        sizes: &[29, 30, 31, 32, 33],
        program: tensors::sum,
        commands: TENSORS,
    },
    Cap {
        name: "slices of one tensor that an operation reads",
        sizes: &[31, 32, 33, 125, 126, 127, 128, 129],
        program: tensors::sum_of_slices,
        commands: TENSORS,
    },
    Cap {
        name: "rows that a reduction reads",
        sizes: &[15, 16, 17, 33, 34],
        program: tensors::reduced_rows,
        commands: TENSORS,
    },
    Cap {
        name: "uses of a row that is kept",
        sizes: &[61, 62, 63, 64, 65],
        program: tensors::kept_row,
        commands: TENSORS,
    },
    Cap {
        name: "buffers that a loop carries in turns",
        sizes: &[2, 14, 15, 16, 17],
        program: buffers::rotated,
        commands: OPTIMIZED,
    },
    Cap {
        name: "iterations with panels",
        sizes: &[254, 255, 256, 257],
        program: buffers::panels,
        commands: MERGED,
    },
    Cap {
        name: "operations that compute a size",
        sizes: &[62, 63, 64, 65, 66],
        program: buffers::panel_of_long_formula,
        commands: MERGED,
    },
    Cap {
        name: "operations behind a loop up to the peak",
        sizes: &[2040, 4090, 4096, 4100],
        program: buffers::peak_far_away,
        commands: MERGED,
    },
    Cap {
        name: "views of allocations that merge-alloc follows",
        sizes: &[120, 140, 150, 160],
        program: buffers::exchanged,
        commands: MERGED,
    },
    Cap {
        name: "factors of a size",
        sizes: &[15, 16, 17],
        program: buffers::sized_by_product,
        commands: MERGED,
    },
    Cap {
        name: "kinds of sizes",
        sizes: &[15, 16, 17],
        program: buffers::sized_differently,
        commands: MERGED,
    },
    Cap {
        name: "allocations that one may share with",
        sizes: &[31, 32, 33],
        program: buffers::one_after_the_other,
        commands: MERGED,
    },
    Cap {
        name: "blocks until memory of others is known",
        sizes: &[7, 8, 9],
        program: buffers::nested_cycles,
        commands: MERGED,
    },
    Cap {
        name: "allocations with an alias region of their own",
        sizes: &[999, 1000, 1001],
        program: buffers::many,
        commands: &[("", "run -O2 --check -")],
    },
    Cap {
        name: "uses of an allocation with an alias region of its own",
        sizes: &[997, 998, 999, 1000, 1001],
        program: buffers::used_often,
        commands: &[("", "run -O2 --check -")],
    },
    Cap {
        name: "constants added to an address",
        sizes: &[3, 4, 5],
        program: loops::sums_in_subscripts,
        commands: OPTIMIZED,
    },
    Cap {
        name: "depth of computed subscripts",
        sizes: &[5, 6, 7],
        program: loops::sums_in_subscripts,
        commands: OPTIMIZED,
    },
    Cap {
        name: "buffers that fused loops compare",
        sizes: &[6, 7, 8, 9, 10],
        program: loops::over_buffers,
        commands: OPTIMIZED,
    },
    Cap {
        name: "pairs of buffers that are compared",
        sizes: &[11, 12, 13, 14],
        program: loops::over_buffers,
        commands: OPTIMIZED,
    },
    Cap {
        name: "operations of short loops",
        sizes: &[10, 14, 15, 16, 17, 18],
        program: loops::with_operations,
        commands: OPTIMIZED,
    },
    Cap {
        name: "operations of copied loops",
        sizes: &[28, 29, 30, 31, 32, 60, 61, 62, 63, 64],
        program: loops::with_operations,
        commands: OPTIMIZED,
    },
    Cap {
        name: "operations of loops",
        sizes: &[124, 125, 126, 127, 128, 253, 254, 255, 256],
        program: loops::with_operations,
        commands: OPTIMIZED,
    },
    Cap {
        name: "iterations of unrolled loops",
        sizes: &[7, 8, 9, 15, 16, 17],
        program: loops::of_length,
        commands: OPTIMIZED,
    },
    Cap {
        name: "slices of a parallel reduction",
        sizes: &[255, 256, 257, 513],
        program: loops::reduction,
        commands: &[
            ("", "run -O2 --check -"),
            ("", "run -O2 --threads=2 --check -"),
        ],
    },
    Cap {
        name: "places whose loads are moved out of a loop",
        sizes: &[15, 16, 17],
        program: loops::fixed_places,
        commands: OPTIMIZED,
    },
    Cap {
        name: "places whose stores are forwarded",
        sizes: &[31, 32, 33],
        program: loops::stored_places,
        commands: OPTIMIZED,
    },
    Cap {
        name: "uses of a buffer that nobody reads",
        sizes: &[254, 255, 256, 257],
        program: loops::unread,
        commands: OPTIMIZED,
    },
    Cap {
        name: "operations of blocks that are merged",
        sizes: &[30, 31, 32, 33],
        program: loops::equal_blocks,
        commands: OPTIMIZED,
    },
];

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("caps");
    for cap in CAPS {
        family.test(cap.name, move || test(cap));
    }
    lost_writes::add_tests(&mut family);
    states::add_tests(&mut family);
    family
}

fn test(cap: &Cap) -> Result<(), Failed> {
    for &size in cap.sizes {
        let text: Arc<str> = (cap.program)(size).into();
        let prepared: Vec<Job> = [REFERENCE.to_owned()]
            .into_iter()
            .chain(
                cap.commands
                    .iter()
                    .map(|(passes, _)| format!("opt {passes} -")),
            )
            .map(|command| Job::new(&command, &text))
            .collect();
        let prepared = batch::run(&prepared)?;
        let (reference, prepared) = prepared.split_first().ok_or("no reference")?;
        expect_success(cap, size, REFERENCE, reference)?;
        if reference.native.is_empty() {
            return Err(format!("{}, {size}: prints nothing", cap.name).into());
        }
        let jobs: Vec<Job> = (cap.commands.iter().zip(prepared))
            .map(|((passes, command), outcome)| match passes.is_empty() {
                true => Job::new(command, &text),
                false => Job::new(command, &outcome.stdout.as_str().into()),
            })
            .collect();
        for (((passes, command), prepared), outcome) in
            cap.commands.iter().zip(prepared).zip(batch::run(&jobs)?)
        {
            expect_success(cap, size, passes, prepared)?;
            let is_leak = |error: &String| {
                command.contains("--dealloc=none")
                    && passes.is_empty()
                    && error.contains("memory leak")
            };
            let (mut errors, output) = split_errors(&outcome.native);
            errors.retain(|error| !is_leak(error));
            if let Some(error) = errors.first() {
                return Err(format!("{}, {size}, {command}: {error}", cap.name).into());
            }
            expect_success(cap, size, command, &outcome)?;
            if output != reference.native {
                let message = format!("prints {output}\nand not {}", reference.native);
                return Err(format!("{}, {size}, {command}: {message}", cap.name).into());
            }
        }
    }
    Ok(())
}

fn expect_success(cap: &Cap, size: usize, command: &str, outcome: &Outcome) -> Result<(), Failed> {
    if outcome.end == End::Status(0) {
        return Ok(());
    }
    Err(format!(
        "{}, {size}, {command}: {:?} {}{}",
        cap.name, outcome.end, outcome.stderr, outcome.native
    )
    .into())
}
