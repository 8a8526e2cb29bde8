//! How often each compiler was right and what the strategies cost, as tables in Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::FOLDERS;
use super::compare::{Compared, Cost, Strategy, Verdict};

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

/// Programs of one kind with one strategy.
pub(crate) struct Row {
    strategy: &'static Strategy,
    pub(crate) name: String,
    ours: Tally,
    theirs: Tally,
    /// What both need for the programs that both get right: how much in all, and in how many
    /// programs ours needs less and more.
    costs: BTreeMap<&'static str, Comparison>,
    /// What ours needs for each program that it gets right.
    each: Vec<Option<Cost>>,
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
    pub(crate) fn new(strategy: &'static Strategy, name: &str) -> Self {
        Self {
            strategy,
            name: name.to_owned(),
            ours: Tally::default(),
            theirs: Tally::default(),
            costs: BTreeMap::new(),
            each: Vec::new(),
        }
    }

    /// Adds a program.
    pub(crate) fn add(&mut self, compared: &Compared) {
        self.ours.add(&compared.ours);
        self.each.push(match compared.ours {
            Verdict::Right(cost) => Some(cost),
            _ => None,
        });
        let Some(theirs) = &compared.theirs else {
            return;
        };
        self.theirs.add(theirs);
        if let (Verdict::Right(ours), Verdict::Right(theirs)) = (&compared.ours, theirs) {
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

/// The tables of all rows, which are sorted by their names.
pub(crate) fn render(rows: &[Row]) -> String {
    let mut text = String::new();
    for strategy in &Strategy::ALL {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.strategy == strategy).collect();
        if !rows.is_empty() {
            let _ = writeln!(text, "\n{}:\n", strategy.name);
            render_verdicts(&mut text, &rows);
            if strategy.has_peer() {
                render_comparison(&mut text, &rows);
            }
        }
    }
    render_costs(&mut text, rows);
    text
}

/// How often each compiler was right.
fn render_verdicts(text: &mut String, rows: &[&Row]) {
    let has_peer = rows.iter().any(|row| row.strategy.has_peer());
    let compilers = if has_peer { 2 } else { 1 };
    text.push_str("| programs | |");
    for compiler in &["Freehold", "mlir-opt"][..compilers] {
        let _ = write!(
            text,
            " {compiler} accepts | rejects | crashes | hangs | wrong |"
        );
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---|".repeat(5 * compilers));
    text.push('\n');
    for row in rows {
        let _ = write!(text, "| {} | {} |", row.name, row.each.len());
        for tally in &[&row.ours, &row.theirs][..compilers] {
            let _ = write!(text, " {} |", tally.cells());
        }
        text.push('\n');
    }
}

/// What programs need that both get right, and what mlir-opt does not get right.
fn render_comparison(text: &mut String, rows: &[&Row]) {
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
    text.push('\n');
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
            let _ = writeln!(text, "- {title} by mlir-opt, {count} programs: {reason}");
        }
    }
}

/// What each strategy needs for the programs that all of them get right, whatever their shape.
fn render_costs(text: &mut String, rows: &[Row]) {
    text.push_str("\n| programs | | strategy |");
    for (what, _) in Cost::default().numbers() {
        let _ = write!(text, " {what} |");
    }
    text.push_str("\n|---|---|---|");
    text.push_str(&"---|".repeat(Cost::default().numbers().len()));
    text.push('\n');
    let is_random = |row: &Row| FOLDERS.iter().all(|(name, _)| *name != row.name);
    let groups = rows.chunk_by(|a, b| a.name == b.name || is_random(a) && is_random(b));
    for group in groups {
        let is_right_in_all = |row: &Row, program: usize| {
            let mut same = group.iter().filter(|other| other.name == row.name);
            same.all(|row| row.each[program].is_some())
        };
        for strategy in &Strategy::ALL {
            let rows = group.iter().filter(|row| row.strategy == strategy);
            let costs: Vec<Cost> = rows
                .flat_map(|row| {
                    let programs = (0..row.each.len()).filter(|&p| is_right_in_all(row, p));
                    programs.filter_map(|program| row.each[program])
                })
                .collect();
            if costs.is_empty() {
                continue;
            }
            let name = match is_random(&group[0]) {
                true => "random",
                false => &group[0].name,
            };
            let _ = write!(text, "| {name} | {} | {} |", costs.len(), strategy.name);
            for index in 0..Cost::default().numbers().len() {
                let sum: u64 = costs.iter().map(|cost| cost.numbers()[index].1).sum();
                let _ = write!(text, " {sum} |");
            }
            text.push('\n');
        }
    }
}
