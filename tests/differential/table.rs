//! How often each compiler was right, as a table in Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::compare::{Compared, Cost, Verdict};

/// How one compiler did on many programs.
#[derive(Default)]
struct Tally {
    right: u64,
    /// How many programs come out wrong, by what is wrong with them.
    wrong: BTreeMap<String, u64>,
    /// How many programs are rejected, by message.
    rejected: BTreeMap<String, u64>,
    crashes: u64,
    hangs: u64,
}

impl Tally {
    fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Right(_) => self.right += 1,
            Verdict::Wrong(what) => *self.wrong.entry(what.clone()).or_default() += 1,
            Verdict::Rejects(message) => *self.rejected.entry(message.clone()).or_default() += 1,
            Verdict::Crashes => self.crashes += 1,
            Verdict::Hangs => self.hangs += 1,
        }
    }

    fn cells(&self) -> String {
        let sum = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
        let (wrong, rejected) = (sum(&self.wrong), sum(&self.rejected));
        format!(
            "{} | {rejected} | {} | {} | {wrong}",
            self.right + wrong,
            self.crashes,
            self.hangs
        )
    }
}

/// Programs of one kind.
pub(crate) struct Row {
    pub(crate) name: String,
    programs: u64,
    ours: Tally,
    theirs: Tally,
    /// What both need for the programs that both get right: how much in all, and in how many
    /// programs ours needs less and more.
    costs: BTreeMap<&'static str, Comparison>,
}

#[derive(Default, Clone)]
struct Comparison {
    ours: u64,
    theirs: u64,
    less: u64,
    more: u64,
}

impl Row {
    /// A row about nothing yet.
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            programs: 0,
            ours: Tally::default(),
            theirs: Tally::default(),
            costs: BTreeMap::new(),
        }
    }

    /// Adds a program.
    pub(crate) fn add(&mut self, compared: &Compared) {
        self.programs += 1;
        self.ours.add(&compared.ours);
        self.theirs.add(&compared.theirs);
        if let (Verdict::Right(ours), Verdict::Right(theirs)) = (&compared.ours, &compared.theirs) {
            for ((what, ours), (_, theirs)) in ours.numbers().into_iter().zip(theirs.numbers()) {
                let cost = self.costs.entry(what).or_default();
                cost.ours += ours;
                cost.theirs += theirs;
                cost.less += u64::from(ours < theirs);
                cost.more += u64::from(ours > theirs);
            }
        }
    }
}

/// The tables of all rows.
pub(crate) fn render(rows: &[Row]) -> String {
    let mut text = String::from(
        "\n| programs | | Freehold accepts | rejects | crashes | hangs | wrong | mlir-opt accepts | rejects | crashes | hangs | wrong |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let (ours, theirs) = (row.ours.cells(), row.theirs.cells());
        let _ = writeln!(
            text,
            "| {} | {} | {ours} | {theirs} |",
            row.name, row.programs
        );
    }
    text.push_str(
        "\n| both right | Freehold | mlir-opt | less in | more in |\n|---|---|---|---|---|\n",
    );
    for (what, _) in Cost::default().numbers() {
        let mut all = Comparison::default();
        for cost in rows.iter().filter_map(|row| row.costs.get(what)) {
            all.ours += cost.ours;
            all.theirs += cost.theirs;
            all.less += cost.less;
            all.more += cost.more;
        }
        let Comparison {
            ours,
            theirs,
            less,
            more,
        } = all;
        let _ = writeln!(text, "| {what} | {ours} | {theirs} | {less} | {more} |");
    }
    type Reasons = fn(&Tally) -> &BTreeMap<String, u64>;
    let reasons: [(&str, Reasons); 2] = [
        ("wrong", |tally| &tally.wrong),
        ("rejected", |tally| &tally.rejected),
    ];
    for (title, reasons) in reasons {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (reason, count) in rows.iter().flat_map(|row| reasons(&row.theirs)) {
            *counts.entry(reason).or_default() += count;
        }
        for (reason, count) in counts {
            let _ = writeln!(text, "\n{title} by mlir-opt, {count} programs: {reason}");
        }
    }
    text
}
