//! `deallocation.retain` of up to hundreds of buffers and owners: who owns what afterwards, and that
//! everything else is freed, inline and by the runtime library, whichever way that finds pointers.

use std::fmt::Write as _;
use std::process::Command;

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::generator::rng::Rng;
use crate::support::native::{split_statistics, statistic};
use crate::support::process::{self, Stderr, TIMEOUT};

/// A retain of some of the buffers 0, 1, 2...
struct Retain {
    n_buffers: usize,
    /// The buffers that are retained, in any order and several times.
    retained: Vec<usize>,
    /// The buffers whose owners are given; `None` is null.
    owners: Vec<Option<usize>>,
}

impl Retain {
    fn random(rng: &mut Rng, n_retained: usize, n_owners: usize) -> Self {
        let n_buffers = (n_retained + n_owners).max(1);
        let mut owners: Vec<Option<usize>> = Vec::new();
        let mut unowned: Vec<usize> = (0..n_buffers).collect();
        for _ in 0..n_owners {
            let is_null = rng.below(5) == 0;
            let buffer = unowned.swap_remove(rng.below(unowned.len()));
            owners.push((!is_null).then_some(buffer));
        }
        let retained = (0..n_retained).map(|_| rng.below(n_buffers)).collect();
        Self {
            n_buffers,
            retained,
            owners,
        }
    }

    /// A program that prints for each result whether it owns the buffer, and frees those.
    fn program(&self) -> String {
        let mut text = String::from(
            "func.func private @printI64(i64)\n\
             func.func private @show(%o: !deallocation.ownership, %m: memref<1xi64>) {\n\
             %p = deallocation.get_buffer %o : !deallocation.ownership\n\
             %q = deallocation.get_buffer %m : memref<1xi64>\n\
             %c0 = arith.constant 0 : index\n\
             %same = arith.cmpi eq, %p, %q : index\n\
             %null = arith.cmpi eq, %p, %c0 : index\n\
             %owned = arith.constant 1 : i64\n\
             %wrong = arith.constant 2 : i64\n\
             %none = arith.constant 0 : i64\n\
             %x = arith.select %same, %owned, %wrong : i64\n\
             %y = arith.select %null, %none, %x : i64\n\
             call @printI64(%y) : (i64) -> ()\n\
             return\n\
             }\n\
             func.func @main() {\n\
             %null = deallocation.null\n",
        );
        let mut emit = |line: std::fmt::Arguments<'_>| {
            let _ = text.write_fmt(line);
            text.push('\n');
        };
        for buffer in 0..self.n_buffers {
            emit(format_args!("%a{buffer} = memref.alloc() : memref<1xi64>"));
            emit(format_args!(
                "%o{buffer} = deallocation.own %a{buffer} : memref<1xi64>"
            ));
        }
        let list = |items: Vec<String>| items.join(", ");
        let retained = self.retained.iter().map(|buffer| format!("%a{buffer}"));
        let owners = self.owners.iter().map(|owner| match owner {
            Some(buffer) => format!("%o{buffer}"),
            None => "%null".to_owned(),
        });
        let owner = "!deallocation.ownership".to_owned();
        let mut types = vec!["memref<1xi64>".to_owned(); self.retained.len()];
        types.extend(vec![owner.clone(); self.owners.len()]);
        let results = match self.retained.len() {
            0 => String::new(),
            n => format!("%r:{n} = "),
        };
        emit(format_args!(
            "{results}deallocation.retain({}) of({}) : ({}) -> ({})",
            list(retained.collect()),
            list(owners.collect()),
            list(types),
            list(vec![owner; self.retained.len()]),
        ));
        for (index, buffer) in self.retained.iter().enumerate() {
            emit(format_args!(
                "call @show(%r#{index}, %a{buffer}) : (!deallocation.ownership, memref<1xi64>) -> ()"
            ));
        }
        for index in 0..self.retained.len() {
            emit(format_args!("deallocation.free %r#{index}"));
        }
        for buffer in (0..self.n_buffers).filter(|&b| !self.owners.contains(&Some(b))) {
            emit(format_args!("memref.dealloc %a{buffer} : memref<1xi64>"));
        }
        emit(format_args!("return\n}}"));
        text
    }

    /// What the program prints: the first place of a buffer gets its owner.
    fn expected(&self) -> String {
        let mut text = String::new();
        for (index, &buffer) in self.retained.iter().enumerate() {
            let is_owned =
                self.owners.contains(&Some(buffer)) && !self.retained[..index].contains(&buffer);
            text.push(if is_owned { '1' } else { '0' });
        }
        text
    }

    fn test(&self) {
        let text = self.program();
        let freehold = |arguments: &[&str], stdin: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_freehold"));
            command.args(arguments);
            let finished = process::run(&mut command, stdin.as_bytes(), Stderr::Merged, TIMEOUT);
            let finished = finished.expect("freehold can be started");
            let output = String::from_utf8_lossy(&finished.stdout).into_owned();
            assert_eq!(finished.status, 0, "{output}\n{text}");
            output
        };
        let simplified = freehold(&["opt", "--hlo-deallocation-simplification", "-"], &text);
        let inlined = freehold(&["opt", "--hlo-deallocation-to-scf", "-"], &text);
        for text in [&text, &simplified, &inlined] {
            freehold(&["run", "--dealloc=none", "--check", "-"], text);
            let output = freehold(&["run", "--dealloc=none", "--stats=json", "-"], text);
            let (output, statistics) = split_statistics(&output);
            assert_eq!(output, self.expected(), "\n{text}");
            let number = |key| statistic(statistics, key).expect("it is counted");
            assert_eq!(number("allocs"), number("frees"), "\n{text}");
        }
    }
}

fn few() {
    let mut rng = Rng::new(1);
    for n_retained in 0..4 {
        for n_owners in 0..4 {
            Retain::random(&mut rng, n_retained, n_owners).test();
        }
    }
}

fn around_the_limits_between_forms() {
    let mut rng = Rng::new(2);
    for (n_retained, n_owners) in [(8, 8), (9, 8), (16, 16), (1, 65), (65, 1), (40, 3)] {
        Retain::random(&mut rng, n_retained, n_owners).test();
    }
}

fn hundreds() {
    let mut rng = Rng::new(3);
    for (n_retained, n_owners) in [(300, 300), (700, 200), (1, 500), (500, 1)] {
        Retain::random(&mut rng, n_retained, n_owners).test();
    }
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![few, around_the_limits_between_forms, hundreds,]
}
