//! POSIX extended regular expressions as LLVM's `Regex` understands them.
//!
//! FileCheck patterns need three things the `regex` crate leaves out on purpose: backreferences (a
//! variable used on the line that defines it), POSIX bracket expressions where a backslash is an
//! ordinary character (`[^\]`), and the longest instead of the first alternative. So this is a
//! backtracking matcher over a small program. It visits each (instruction, position) pair once, so
//! it is linear in pattern times text; only patterns with backreferences can backtrack further, and
//! those give up after [`STEP_LIMIT`] steps.
//!
//! Like `Regex::Newline`, `.` and negated brackets do not match a line break, and `^` and `$` match
//! at line ends. Known difference: *inside* a match that has several equally long readings, groups
//! are assigned by preference order rather than by POSIX's subexpression rule.

use std::rc::Rc;

/// Steps after which a search with backreferences is given up.
const STEP_LIMIT: usize = 4_000_000;

/// The largest program a pattern may compile to; counted repetitions are expanded into copies.
const PROGRAM_LIMIT: usize = 1 << 16;

/// The largest count in a `{n,m}` repetition, as in LLVM.
const REPEAT_LIMIT: u32 = 255;

/// A parsed expression.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Empty,
    Byte(u8),
    Set(Rc<ByteSet>),
    LineStart,
    LineEnd,
    Group(usize, Box<Node>),
    Concat(Vec<Node>),
    Alternate(Vec<Node>),
    Repeat {
        body: Box<Node>,
        min: u32,
        max: Option<u32>,
    },
    Backref(usize),
}

impl Node {
    /// An expression that matches `text` and nothing else.
    pub(crate) fn literal(text: &[u8]) -> Node {
        Node::Concat(text.iter().map(|&byte| Node::Byte(byte)).collect())
    }
}

/// A set of bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn remove(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] &= !(1 << (byte & 63));
    }

    fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] & (1 << (byte & 63)) != 0
    }

    fn negate(&mut self) {
        self.0 = self.0.map(|word| !word);
    }

    fn fold_case(&mut self) {
        for upper in b'A'..=b'Z' {
            let lower = upper.to_ascii_lowercase();
            if self.contains(upper) || self.contains(lower) {
                self.insert(upper);
                self.insert(lower);
            }
        }
    }
}

/// Parses `source`. `groups` is the number of the next capture group and is advanced past the
/// groups of `source`, so that expressions parsed one after the other can be concatenated.
pub(crate) fn parse(source: &[u8], groups: &mut usize) -> Result<Node, String> {
    let mut parser = Parser {
        rest: source,
        first_group: *groups,
        groups,
        depth: 0,
    };
    let node = parser.alternatives()?;
    debug_assert!(
        parser.rest.is_empty(),
        "alternatives() stops at the end or at ')'"
    );
    Ok(node)
}

struct Parser<'a> {
    rest: &'a [u8],
    groups: &'a mut usize,
    first_group: usize,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn eat(&mut self, text: &[u8]) -> bool {
        self.rest
            .strip_prefix(text)
            .map(|rest| self.rest = rest)
            .is_some()
    }

    /// At `*`, `+`, `?` or a `{` that begins a count; a `{` before anything else is literal.
    fn at_repetition(&self) -> bool {
        match self.rest {
            [b'*' | b'+' | b'?', ..] => true,
            [b'{', next, ..] => next.is_ascii_digit(),
            _ => false,
        }
    }

    fn alternatives(&mut self) -> Result<Node, String> {
        let mut branches = vec![self.branch()?];
        while self.eat(b"|") {
            branches.push(self.branch()?);
        }
        if self.peek() == Some(b')') && self.depth == 0 {
            return Err("parentheses not balanced".into());
        }
        Ok(if branches.len() == 1 {
            branches.remove(0)
        } else {
            Node::Alternate(branches)
        })
    }

    fn branch(&mut self) -> Result<Node, String> {
        let mut items = Vec::new();
        while let Some(byte) = self.peek() {
            if byte == b'|' || byte == b')' {
                break;
            }
            items.push(self.repeated()?);
        }
        match self.peek() {
            Some(b')') if self.depth == 0 => Err("parentheses not balanced".into()),
            _ if items.is_empty() => Err("empty (sub)expression".into()),
            _ => Ok(Node::Concat(items)),
        }
    }

    fn repeated(&mut self) -> Result<Node, String> {
        const BAD_REPETITION: &str = "repetition-operator operand invalid";
        if self.at_repetition() {
            return Err(BAD_REPETITION.into());
        }
        let atom = self.atom()?;
        if !self.at_repetition() {
            return Ok(atom);
        }
        if matches!(atom, Node::LineStart) {
            return Err(BAD_REPETITION.into());
        }
        let (min, max) = match self.next() {
            Some(b'*') => (0, None),
            Some(b'+') => (1, None),
            Some(b'?') => (0, Some(1)),
            _ => self.counts()?,
        };
        if self.at_repetition() {
            return Err(BAD_REPETITION.into());
        }
        Ok(Node::Repeat {
            body: Box::new(atom),
            min,
            max,
        })
    }

    /// The `n}`, `n,}` or `n,m}` of a counted repetition.
    fn counts(&mut self) -> Result<(u32, Option<u32>), String> {
        let min = self.count()?;
        let max = match self.peek() {
            Some(b',') => {
                self.next();
                match self.peek() {
                    Some(digit) if digit.is_ascii_digit() => Some(self.count()?),
                    _ => None,
                }
            }
            _ => Some(min),
        };
        if !self.eat(b"}") {
            let closed = self.rest.contains(&b'}');
            return Err(if closed {
                "invalid repetition count(s)".into()
            } else {
                "braces not balanced".into()
            });
        }
        if max.is_some_and(|max| max < min) {
            return Err("invalid repetition count(s)".into());
        }
        Ok((min, max))
    }

    fn count(&mut self) -> Result<u32, String> {
        let mut value = 0;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            self.next();
            value = value * 10 + u32::from(digit - b'0');
            if value > REPEAT_LIMIT {
                return Err("invalid repetition count(s)".into());
            }
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<Node, String> {
        match self.next() {
            None => Err("empty (sub)expression".into()),
            Some(b'(') => {
                let group = *self.groups;
                *self.groups += 1;
                let body = if self.peek() == Some(b')') {
                    Node::Empty
                } else {
                    self.depth += 1;
                    let body = self.alternatives()?;
                    self.depth -= 1;
                    body
                };
                if !self.eat(b")") {
                    return Err("parentheses not balanced".into());
                }
                Ok(Node::Group(group, Box::new(body)))
            }
            Some(b'^') => Ok(Node::LineStart),
            Some(b'$') => Ok(Node::LineEnd),
            Some(b'.') => {
                let mut set = ByteSet::default();
                set.negate();
                set.remove(b'\n');
                Ok(Node::Set(Rc::new(set)))
            }
            Some(b'[') => self.bracket(),
            Some(b'\\') => match self.next() {
                None => Err("trailing backslash (\\)".into()),
                Some(digit @ b'1'..=b'9') => {
                    // Upstream checks the number against this expression's own groups, but counts
                    // from the start of the whole pattern when it matches.
                    let group = usize::from(digit - b'0');
                    if group > *self.groups - self.first_group {
                        return Err("invalid backreference number".into());
                    }
                    Ok(Node::Backref(group))
                }
                Some(byte) => Ok(Node::Byte(byte)),
            },
            Some(byte) => Ok(Node::Byte(byte)),
        }
    }

    fn bracket(&mut self) -> Result<Node, String> {
        const NOT_BALANCED: &str = "brackets ([ ]) not balanced";
        let negated = self.eat(b"^");
        let mut set = ByteSet::default();
        // A leading ']' or '-' stands for itself.
        if let Some(first @ (b']' | b'-')) = self.peek() {
            self.next();
            set.insert(first);
        }
        loop {
            match self.rest {
                [] => return Err(NOT_BALANCED.into()),
                [b']', ..] => break,
                [b'-', b']', ..] => {
                    self.next();
                    set.insert(b'-');
                }
                [b'-', ..] => return Err("invalid character range".into()),
                [b'[', b':', ..] => {
                    self.rest = &self.rest[2..];
                    self.bracket_class(&mut set)?;
                }
                _ => self.bracket_range(&mut set)?,
            }
        }
        self.next();
        if negated {
            set.negate();
            set.remove(b'\n');
        }
        Ok(Node::Set(Rc::new(set)))
    }

    fn bracket_class(&mut self, set: &mut ByteSet) -> Result<(), String> {
        let length = self
            .rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let (name, rest) = self.rest.split_at(length);
        let in_class: fn(&u8) -> bool = match name {
            b"alnum" => u8::is_ascii_alphanumeric,
            b"alpha" => u8::is_ascii_alphabetic,
            b"blank" => |byte| matches!(byte, b' ' | b'\t'),
            b"cntrl" => u8::is_ascii_control,
            b"digit" => u8::is_ascii_digit,
            b"graph" => u8::is_ascii_graphic,
            b"lower" => u8::is_ascii_lowercase,
            b"print" => |byte| matches!(byte, b' '..=b'~'),
            b"punct" => u8::is_ascii_punctuation,
            b"space" => |byte| matches!(byte, b'\t'..=b'\r' | b' '),
            b"upper" => u8::is_ascii_uppercase,
            b"xdigit" => u8::is_ascii_hexdigit,
            _ => return Err("invalid character class".into()),
        };
        (0..=u8::MAX)
            .filter(in_class)
            .for_each(|byte| set.insert(byte));
        self.rest = rest;
        if self.eat(b":]") {
            Ok(())
        } else {
            Err("invalid character class".into())
        }
    }

    /// A byte or a range of bytes.
    fn bracket_range(&mut self, set: &mut ByteSet) -> Result<(), String> {
        let start = self.bracket_byte()?;
        let end = match self.rest {
            [b'-', next, ..] if *next != b']' => {
                self.next();
                self.bracket_byte()?
            }
            _ => start,
        };
        if end < start {
            return Err("invalid character range".into());
        }
        (start..=end).for_each(|byte| set.insert(byte));
        Ok(())
    }

    /// A byte, plain or as a one-byte collating element `[.x.]`.
    fn bracket_byte(&mut self) -> Result<u8, String> {
        match self.rest {
            [b'[', b'.', byte, b'.', b']', rest @ ..]
            | [b'[', b'=', byte, b'=', b']', rest @ ..] => {
                let byte = *byte;
                self.rest = rest;
                Ok(byte)
            }
            [b'[', b'.' | b'=', ..] => Err("invalid collating element".into()),
            _ => self
                .next()
                .ok_or_else(|| "brackets ([ ]) not balanced".into()),
        }
    }
}

#[derive(Debug)]
enum Inst {
    Byte(u8),
    Set(Rc<ByteSet>),
    LineStart,
    LineEnd,
    /// Try the first target, then the second.
    Split(usize, usize),
    Jump(usize),
    /// Store the position in a slot: group `g` is slots `2g` and `2g + 1`.
    Save(usize),
    Backref(usize),
    Match,
}

/// A compiled expression.
#[derive(Debug)]
pub(crate) struct Program {
    insts: Vec<Inst>,
    n_slots: usize,
    has_backref: bool,
    /// Bytes every match begins with.
    prefix: Vec<u8>,
    ignore_case: bool,
}

/// What a search found: the bounds of the match (index 0) and of the groups that took part.
pub(crate) type Groups = Vec<Option<(usize, usize)>>;

impl Program {
    /// Compiles `node`, whose groups are numbered from 1 and below `n_groups`.
    pub(crate) fn new(node: &Node, n_groups: usize, ignore_case: bool) -> Result<Self, String> {
        let mut program = Program {
            insts: Vec::new(),
            n_slots: 2 * n_groups.max(1),
            has_backref: false,
            prefix: Vec::new(),
            ignore_case,
        };
        program.compile(node)?;
        program.push(Inst::Match)?;
        for inst in &program.insts {
            match inst {
                Inst::Byte(byte) => program.prefix.push(*byte),
                Inst::Save(_) => {}
                _ => break,
            }
        }
        Ok(program)
    }

    fn push(&mut self, inst: Inst) -> Result<usize, String> {
        if self.insts.len() >= PROGRAM_LIMIT {
            return Err("regular expression too big".into());
        }
        self.insts.push(inst);
        Ok(self.insts.len() - 1)
    }

    fn compile(&mut self, node: &Node) -> Result<(), String> {
        match node {
            Node::Empty => {}
            Node::Byte(byte) if self.ignore_case && byte.is_ascii_alphabetic() => {
                let mut set = ByteSet::default();
                set.insert(*byte);
                set.fold_case();
                self.push(Inst::Set(Rc::new(set)))?;
            }
            Node::Byte(byte) => {
                self.push(Inst::Byte(*byte))?;
            }
            Node::Set(set) => {
                let mut set = Rc::clone(set);
                if self.ignore_case {
                    Rc::make_mut(&mut set).fold_case();
                }
                self.push(Inst::Set(set))?;
            }
            Node::LineStart => {
                self.push(Inst::LineStart)?;
            }
            Node::LineEnd => {
                self.push(Inst::LineEnd)?;
            }
            Node::Backref(group) => {
                self.has_backref = true;
                self.push(Inst::Backref(*group))?;
            }
            Node::Group(group, body) => {
                self.push(Inst::Save(2 * group))?;
                self.compile(body)?;
                self.push(Inst::Save(2 * group + 1))?;
            }
            Node::Concat(items) => {
                for item in items {
                    self.compile(item)?;
                }
            }
            Node::Alternate(branches) => {
                let (last, others) = branches.split_last().expect("alternatives are not empty");
                let mut jumps = Vec::new();
                for branch in others {
                    let split = self.push(Inst::Split(0, 0))?;
                    self.compile(branch)?;
                    jumps.push(self.push(Inst::Jump(0))?);
                    self.insts[split] = Inst::Split(split + 1, self.insts.len());
                }
                self.compile(last)?;
                for jump in jumps {
                    self.insts[jump] = Inst::Jump(self.insts.len());
                }
            }
            Node::Repeat { body, min, max } => {
                for _ in 0..*min {
                    self.compile(body)?;
                }
                match max {
                    None => {
                        let split = self.push(Inst::Split(0, 0))?;
                        self.compile(body)?;
                        self.push(Inst::Jump(split))?;
                        self.insts[split] = Inst::Split(split + 1, self.insts.len());
                    }
                    Some(max) => {
                        let mut splits = Vec::new();
                        for _ in *min..*max {
                            splits.push(self.push(Inst::Split(0, 0))?);
                            self.compile(body)?;
                        }
                        for split in splits {
                            self.insts[split] = Inst::Split(split + 1, self.insts.len());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The leftmost match in `text`, and the longest one there.
    pub(crate) fn find(&self, text: &[u8]) -> Result<Option<Groups>, String> {
        let mut search = Search {
            program: self,
            text,
            slots: vec![None; self.n_slots],
            jobs: Vec::new(),
            visited: Vec::new(),
            steps: 0,
        };
        let mut start = 0;
        while let Some(skipped) = self.skip_to_prefix(&text[start..]) {
            start += skipped;
            if let Some(groups) = search.match_at(start)? {
                return Ok(Some(groups));
            }
            start += 1;
            if start > text.len() {
                break;
            }
        }
        Ok(None)
    }

    /// How far a match can be from the start of `text` at least; `None` when there is none.
    fn skip_to_prefix(&self, text: &[u8]) -> Option<usize> {
        let Some(&first) = self.prefix.first() else {
            return Some(0);
        };
        let mut from = 0;
        loop {
            from += text[from..].iter().position(|&byte| byte == first)?;
            if text[from..].starts_with(&self.prefix) {
                return Some(from);
            }
            from += 1;
        }
    }
}

enum Job {
    Try { pc: usize, at: usize },
    Restore { slot: usize, value: Option<usize> },
}

struct Search<'a> {
    program: &'a Program,
    text: &'a [u8],
    slots: Vec<Option<usize>>,
    jobs: Vec<Job>,
    /// One bit per instruction and position, positions counted from the start of the match.
    visited: Vec<u64>,
    steps: usize,
}

impl Search<'_> {
    fn match_at(&mut self, start: usize) -> Result<Option<Groups>, String> {
        self.slots.fill(None);
        self.visited.clear();
        self.jobs.clear();
        self.jobs.push(Job::Try { pc: 0, at: start });
        let mut best: Option<(usize, Vec<Option<usize>>)> = None;
        while let Some(job) = self.jobs.pop() {
            match job {
                Job::Restore { slot, value } => self.slots[slot] = value,
                Job::Try { pc, at } => {
                    let Some(end) = self.run(pc, at, start)? else {
                        continue;
                    };
                    if best.as_ref().is_none_or(|(longest, _)| end > *longest) {
                        best = Some((end, self.slots.clone()));
                    }
                    // What was visited with other captures may match now, so pairs are not
                    // remembered and looking for a longer match could take forever.
                    if self.program.has_backref {
                        break;
                    }
                }
            }
        }
        Ok(best.map(|(end, mut slots)| {
            slots[0] = Some(start);
            slots[1] = Some(end);
            slots
                .chunks(2)
                .map(|pair| Some((pair[0]?, pair[1]?)))
                .collect()
        }))
    }

    /// Follows one thread until it matches (and gives the end of the match) or dies.
    fn run(&mut self, mut pc: usize, mut at: usize, start: usize) -> Result<Option<usize>, String> {
        loop {
            if self.program.has_backref {
                self.steps += 1;
                if self.steps > STEP_LIMIT {
                    return Err("gave up: the pattern needs too much backtracking".into());
                }
            } else if self.visit(pc, at - start) {
                return Ok(None);
            }
            let next_byte = self.text.get(at).copied();
            let advance = match &self.program.insts[pc] {
                Inst::Match => return Ok(Some(at)),
                Inst::Byte(byte) => (next_byte == Some(*byte)).then_some(1),
                Inst::Set(set) => next_byte.filter(|&byte| set.contains(byte)).map(|_| 1),
                Inst::LineStart => (at == 0 || self.text[at - 1] == b'\n').then_some(0),
                Inst::LineEnd => next_byte.is_none_or(|byte| byte == b'\n').then_some(0),
                Inst::Split(first, second) => {
                    self.jobs.push(Job::Try { pc: *second, at });
                    pc = *first;
                    continue;
                }
                Inst::Jump(target) => {
                    pc = *target;
                    continue;
                }
                Inst::Save(slot) => {
                    let slot = *slot;
                    self.jobs.push(Job::Restore {
                        slot,
                        value: self.slots[slot],
                    });
                    self.slots[slot] = Some(at);
                    Some(0)
                }
                Inst::Backref(group) => match (self.slots[2 * group], self.slots[2 * group + 1]) {
                    (Some(from), Some(to)) => {
                        // Case matters here even if it is ignored elsewhere, as in LLVM.
                        let captured = &self.text[from..to];
                        self.text[at..]
                            .starts_with(captured)
                            .then_some(captured.len())
                    }
                    _ => None,
                },
            };
            let Some(advance) = advance else {
                return Ok(None);
            };
            at += advance;
            pc += 1;
        }
    }

    /// Marks a pair as visited and says whether it was before.
    fn visit(&mut self, pc: usize, offset: usize) -> bool {
        let index = offset * self.program.insts.len() + pc;
        let (word, bit) = (index / 64, 1 << (index % 64));
        if word >= self.visited.len() {
            self.visited.resize(word + 1, 0);
        }
        let seen = self.visited[word] & bit != 0;
        self.visited[word] |= bit;
        seen
    }
}
