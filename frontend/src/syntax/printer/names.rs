//! Names of values and blocks: numbers, or what rows suggest, made unique.
//!
//! As upstream does it, a region is numbered as a whole before the regions
//! inside of it, which carry its numbers on; siblings start alike. A name is
//! unique among those of its region and the regions around. In generic form
//! numbers are unique: the last sibling comes first, the others carry on.

use rustc_hash::FxHashMap;

use super::{index_of, numbers};
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Region, Value};

/// The name of one value.
#[derive(Clone, Copy)]
struct ValueName {
    /// A number, or an index into the texts of the arena with [`TEXT`] set.
    id: u32,
    /// The `#n` of a result that shares its name, or [`ALONE`].
    result: u32,
}

const TEXT: u32 = 1 << 31;
const ALONE: u32 = u32::MAX;
const UNNAMED: ValueName = ValueName {
    id: u32::MAX,
    result: ALONE,
};

/// The names of one arena and those nested in it.
#[derive(Default)]
pub(super) struct ArenaNames {
    values: Vec<ValueName>,
    blocks: Vec<u32>,
    texts: Vec<Box<str>>,
    nested: FxHashMap<Op, ArenaNames>,
}

impl ArenaNames {
    /// Names everything in `ir`. The generic form has numbers only.
    pub(super) fn of(ir: &Ir, generic: bool) -> Self {
        let mut names = Self::default();
        let mut namer = Namer {
            generic,
            ..Namer::default()
        };
        namer.name_arena(ir, &mut names);
        names
    }

    pub(super) fn take_nested(&mut self, op: Op) -> ArenaNames {
        self.nested.remove(&op).unwrap_or_default()
    }

    pub(super) fn put_nested(&mut self, op: Op, names: ArenaNames) {
        self.nested.insert(op, names);
    }

    pub(super) fn shadow(&mut self, argument: Value, value: Value) {
        if let Some(&name) = self.values.get(index_of(value))
            && let Some(slot) = self.values.get_mut(index_of(argument))
        {
            *slot = name;
        }
    }

    /// Writes `%name`, and `#n` if asked for and needed.
    pub(super) fn write_value(&self, out: &mut String, value: Value, with_number: bool) {
        let name = self.values.get(index_of(value)).copied().unwrap_or(UNNAMED);
        out.push('%');
        if name.id == UNNAMED.id {
            out.push_str("<<UNKNOWN SSA VALUE>>");
        } else if name.id & TEXT == 0 {
            numbers::push_integer(out, i64::from(name.id));
        } else {
            out.push_str(&self.texts[(name.id & !TEXT) as usize]);
        }
        if with_number && name.result != ALONE {
            out.push('#');
            numbers::push_integer(out, i64::from(name.result));
        }
    }

    /// How many results from the first of `results` on share its name.
    pub(super) fn group_size(&self, results: &[Value]) -> usize {
        let name = |value: &Value| self.values.get(index_of(*value));
        let Some(first) = results.first().and_then(name) else {
            return results.len().max(1);
        };
        if first.result == ALONE {
            return 1;
        }
        results
            .iter()
            .take_while(|value| name(value).is_some_and(|name| name.id == first.id))
            .count()
    }

    pub(super) fn block_number(&self, block: Block) -> u32 {
        self.blocks
            .get(index_of(block))
            .copied()
            .unwrap_or(u32::MAX)
    }

    /// Writes `^bb1`.
    pub(super) fn write_block(&self, out: &mut String, block: Block) {
        match self.block_number(block) {
            u32::MAX => out.push_str("<<UNKNOWN BLOCK>>"),
            number => {
                out.push_str("^bb");
                numbers::push_integer(out, i64::from(number));
            }
        }
    }
}

/// The numbers that go on in nested regions.
#[derive(Clone, Copy, Default)]
struct Counters {
    value: u32,
    argument: u32,
    conflict: u32,
}

/// Hands out names.
#[derive(Default)]
struct Namer {
    generic: bool,
    counters: Counters,
    /// Every text used so far, and whether it is taken where we are.
    taken: FxHashMap<Box<str>, bool>,
    /// Taken texts, to give back at the end of their region.
    scope: Vec<Box<str>>,
    /// Suggestions of the operation at hand.
    suggestions: Vec<(Value, String)>,
}

impl Namer {
    fn name_arena(&mut self, ir: &Ir, names: &mut ArenaNames) {
        names.values = vec![UNNAMED; ir.n_values()];
        names.blocks = vec![u32::MAX; ir.n_blocks()];
        self.name_regions_of(ir, ir.root(), names);
    }

    fn name_regions_of(&mut self, ir: &Ir, op: Op, names: &mut ArenaNames) {
        if self.generic {
            for &region in ir.regions(op).iter().rev() {
                self.name_region(ir, region, names);
            }
            return;
        }
        let counters = self.counters;
        for &region in ir.regions(op) {
            self.name_region(ir, region, names);
            self.counters = counters;
        }
    }

    /// Names values inside of an operation whose results have names.
    fn name_inside(&mut self, ir: &Ir, op: Op, names: &mut ArenaNames) {
        if let Some(nested) = ir.nested(op) {
            let mut inner = ArenaNames::default();
            self.name_arena(nested, &mut inner);
            names.nested.insert(op, inner);
        } else if !ir.regions(op).is_empty() {
            self.name_regions_of(ir, op, names);
        }
    }

    fn name_region(&mut self, ir: &Ir, region: Region, names: &mut ArenaNames) {
        let mark = self.scope.len();
        let owner = ir.region_owner(region);
        if !self.generic
            && let Some(argument_names) = ir.def(owner).argument_names
        {
            let mut suggestions = std::mem::take(&mut self.suggestions);
            argument_names(ir, owner, &mut |value, text| {
                suggestions.push((value, text.to_owned()));
            });
            for (value, text) in suggestions.drain(..) {
                // The row names the arguments of all its regions.
                if ir.value_block(value).and_then(|block| ir.region_of(block)) == Some(region) {
                    self.name_value(value, &text, names);
                }
            }
            self.suggestions = suggestions;
        }
        for (number, block) in ir.blocks_in(region).enumerate() {
            names.blocks[index_of(block)] = number as u32;
            let is_entry = number == 0;
            for &argument in ir.block_args(block) {
                if names.values[index_of(argument)].id != UNNAMED.id {
                    continue;
                }
                if is_entry {
                    let mut text = String::from("arg");
                    numbers::push_integer(&mut text, i64::from(self.counters.argument));
                    self.counters.argument += 1;
                    self.name_value(argument, &text, names);
                } else {
                    self.number_value(argument, names);
                }
            }
            for op in ir.ops_in(block) {
                self.name_results(ir, op, names);
            }
        }
        if self.generic {
            let mut block = ir.last_block(region);
            while let Some(current) = block {
                let mut op = ir.last_op(current);
                while let Some(inner) = op {
                    self.name_inside(ir, inner, names);
                    op = ir.prev_op(inner);
                }
                block = ir.prev_block(current);
            }
        } else {
            for block in ir.blocks_in(region) {
                for op in ir.ops_in(block) {
                    self.name_inside(ir, op, names);
                }
            }
        }
        for text in self.scope.drain(mark..) {
            self.taken.insert(text, false);
        }
    }

    fn name_results(&mut self, ir: &Ir, op: Op, names: &mut ArenaNames) {
        let results = ir.results(op);
        let Some(&first) = results.first() else {
            return;
        };
        if !self.generic
            && let Some(result_names) = ir.def(op).result_names
        {
            let mut suggestions = std::mem::take(&mut self.suggestions);
            result_names(ir, op, &mut |value, text| {
                suggestions.push((value, text.to_owned()));
            });
            for (value, text) in suggestions.drain(..) {
                self.name_value(value, &text, names);
            }
            self.suggestions = suggestions;
        }
        if names.values[index_of(first)].id == UNNAMED.id {
            self.number_value(first, names);
        }
        // A named result begins a group; those that follow share its name.
        let mut group = (names.values[index_of(first)].id, 0);
        for (i, &result) in results.iter().enumerate() {
            let name = names.values[index_of(result)];
            if name.id != UNNAMED.id {
                group = (name.id, i);
                let shared = results
                    .get(i + 1)
                    .is_some_and(|next| names.values[index_of(*next)].id == UNNAMED.id);
                if shared {
                    names.values[index_of(result)].result = 0;
                }
            } else {
                names.values[index_of(result)] = ValueName {
                    id: group.0,
                    result: (i - group.1) as u32,
                };
            }
        }
    }

    fn number_value(&mut self, value: Value, names: &mut ArenaNames) {
        names.values[index_of(value)] = ValueName {
            id: self.counters.value,
            result: ALONE,
        };
        self.counters.value += 1;
    }

    fn name_value(&mut self, value: Value, suggestion: &str, names: &mut ArenaNames) {
        if suggestion.is_empty() {
            self.number_value(value, names);
            return;
        }
        let mut text = sanitize(suggestion);
        if self.taken.get(text.as_str()).copied().unwrap_or(false) {
            text.push('_');
            let stem = text.len();
            loop {
                numbers::push_integer(&mut text, i64::from(self.counters.conflict));
                self.counters.conflict += 1;
                if !self.taken.get(text.as_str()).copied().unwrap_or(false) {
                    break;
                }
                text.truncate(stem);
            }
        }
        let text: Box<str> = text.into();
        self.scope.push(text.clone());
        self.taken.insert(text.clone(), true);
        names.values[index_of(value)] = ValueName {
            id: names.texts.len() as u32 | TEXT,
            result: ALONE,
        };
        names.texts.push(text);
    }
}

/// A suggestion as an identifier: no leading digits, no odd characters.
fn sanitize(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        out.push('_');
    }
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b'.' | b'-' => {
                out.push(char::from(byte));
            }
            b' ' => out.push('_'),
            _ => {
                const HEX: &[u8; 16] = b"0123456789ABCDEF";
                if byte >= 16 {
                    out.push(char::from(HEX[usize::from(byte >> 4)]));
                }
                out.push(char::from(HEX[usize::from(byte & 15)]));
            }
        }
    }
    out
}
