//! Operations that are declared in a file instead of by rows of Rust: what the file says, and the functions of the row
//! that look it up.
//!
//! A declared operation has an [`OpDef`] like any other. Its functions are those here: they find the [`Declared`] of the
//! row at hand and answer as it says. So passes ask what they ask of built-in operations. Rows live as long as the
//! process and belong to no context; types and attributes that a file mentions are in the table of the context that
//! read it ([`Context::declared_attr`](super::context::Context::declared_attr)).

use std::ops::Range;

use smallvec::SmallVec;

use super::attrs::{Attr, AttrKind};
use super::data::Ir;
use super::effects::{EffectKind, Effects, Resource};
use super::entities::{Op, Value};
use super::interfaces::{
    BranchInterface, CallInterface, Callee, CopyInterface, OwnershipInterface,
    RegionBranchInterface, RegionPoint, RegionTerminatorInterface, Request,
};
use super::location::Loc;
use super::names::Name;
use super::op_def::{Count, OpDef, Traits, ValueSpec};

/// Number of a constraint in [`Constraints`].
pub type ConstraintId = usize;

/// A constraint on an attribute or a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// Anything.
    Any,
    /// What has this number in the table of the context.
    Is(usize),
    /// One of these.
    AnyOf(Vec<ConstraintId>),
    /// All of these.
    AllOf(Vec<ConstraintId>),
    /// Any type or attribute of this kind: `builtin.memref`, `cmath.complex`.
    Base {
        /// Whether it is a type.
        is_type: bool,
        /// Dialect and name.
        name: String,
        /// What the parameters must be, if that is said.
        parameters: Option<Vec<ConstraintId>>,
    },
    /// The same for each value on its own: it is no variable.
    Each(Box<Constraint>),
}

/// The constraints of a definition. Each is a variable as well, as in upstream: one that is used twice, or by a variadic group,
/// must be the same everywhere, unless it is [`Constraint::Each`].
pub type Constraints = Vec<Constraint>;

/// What a region must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionRule {
    /// Its name.
    pub name: String,
    /// What its arguments must be, if that is said.
    pub arguments: Option<Vec<ConstraintId>>,
    /// The number of its blocks, if that is said.
    pub n_blocks: Option<usize>,
}

/// What an effect is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// An operand group.
    Operand(usize),
    /// A result group.
    Result(usize),
    /// Memory that is no operand or result.
    Elsewhere,
}

/// Who frees the buffers of a result group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The function, as effects say.
    Always,
    /// Others.
    Never,
    /// The function if this result group, an `i1`, is true.
    If(usize),
}

/// A way that control may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ControlEdge {
    /// From where.
    pub from: RegionPoint,
    /// To where.
    pub to: RegionPoint,
    /// Whether values are handed on.
    pub forwards: bool,
    /// The operand group that is handed on, from [`RegionPoint::Parent`].
    pub group: Option<usize>,
}

/// What becomes of control in regions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// The ways.
    pub edges: Vec<ControlEdge>,
    /// Leading arguments or results that the operation itself gives, where there are any.
    pub own_inputs: Vec<(RegionPoint, usize)>,
}

/// What an operation calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredCallee {
    /// The symbol in this attribute.
    Attribute(&'static str),
    /// This operand group.
    Operand(usize),
}

/// An argument of a function that stands for an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallArgument {
    /// An operand group.
    Operand(usize),
    /// A number in an attribute.
    Attribute(&'static str),
    /// The number in the context's table.
    Constant(usize),
}

/// The C function that stands for an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CFunction {
    /// Its name; `{x}` in it is the string in attribute `x`.
    pub symbol: String,
    /// Its arguments.
    pub arguments: Vec<CallArgument>,
}

/// What a file says of an operation.
#[derive(PartialEq, Eq, Debug)]
pub struct Declared {
    /// Its number in the context's table of places.
    pub index: usize,
    /// The constraints.
    pub constraints: Constraints,
    /// That of each operand group.
    pub operands: Vec<ConstraintId>,
    /// That of each result group.
    pub results: Vec<ConstraintId>,
    /// Attributes that must be there.
    pub attributes: Vec<(&'static str, ConstraintId)>,
    /// Regions.
    pub regions: Vec<RegionRule>,
    /// Effects on memory; none where nothing is said.
    pub effects: Option<Vec<(Place, EffectKind, Resource)>>,
    /// Result groups, and operand groups that they may be or stand for; all if nothing is said.
    pub keeps: Option<Vec<(usize, usize)>>,
    /// Result groups that are the values of an operand group.
    pub same: Vec<(usize, usize)>,
    /// The operand group whose memory the only result is a view of.
    pub view: Option<usize>,
    /// The operand that others wait for.
    pub completion: Option<usize>,
    /// Who owns result groups.
    pub ownership: Vec<(usize, Owner)>,
    /// Result groups of tensors, and the operand group that each is written to.
    pub destination: Vec<(usize, usize)>,
    /// What becomes of control in regions.
    pub control: Option<Control>,
    /// The operand group that a terminator hands to the operation around; all operands if none.
    pub yields: Option<Option<usize>>,
    /// The operand group for each successor.
    pub branches: Vec<Option<usize>>,
    /// The callee, and the operand group of arguments.
    pub call: Option<(DeclaredCallee, Option<usize>)>,
    /// Operand groups that it copies from and to.
    pub copy: Option<(usize, usize)>,
    /// The C function that stands for it.
    pub function: Option<CFunction>,
}

/// What a file says of a dialect, its types and attributes.
#[derive(PartialEq, Eq, Debug)]
pub struct DeclaredDialect {
    /// Types and attributes.
    pub kinds: Vec<DeclaredKind>,
}

/// What a file says of a type or an attribute.
#[derive(PartialEq, Eq, Debug)]
pub struct DeclaredKind {
    /// Its name.
    pub name: &'static str,
    /// Whether it is a type.
    pub is_type: bool,
    /// The constraints.
    pub constraints: Constraints,
    /// Those of its parameters.
    pub parameters: Vec<ConstraintId>,
    /// The number in the context's table of the type that stands for it when it is compiled.
    pub represented: Option<usize>,
}

/// What a context knows of the file that it read: what its text mentions, and where things stand.
#[derive(Default, Debug)]
pub struct DeclaredTable {
    /// Types and attributes.
    pub attrs: Vec<Attr>,
    /// Where operations are declared.
    pub locs: Vec<Loc>,
}

fn declared(ir: &Ir, op: Op) -> &'static Declared {
    (ir.def(op).declared).expect("rows with these functions are declared")
}

impl Declared {
    /// Whether an operation may get one more operand in `group`, an `i1` that no rule forbids.
    fn takes_more(&self, specs: &[ValueSpec], constraints: &[ConstraintId], group: usize) -> bool {
        specs[group].count == Count::Variadic
            && self.constraints[constraints[group]] == Constraint::Each(Box::new(Constraint::Any))
    }
}

impl Ir {
    /// The results of group `group` of the row of `op`, as indices.
    pub fn result_group_range(&self, op: Op, group: usize) -> Range<usize> {
        let (specs, n_results) = (self.def(op).results, self.results(op).len());
        let n_single = specs.iter().filter(|spec| spec.count == Count::One).count();
        let n_groups = (specs.len() - n_single).max(1);
        let share = n_results.saturating_sub(n_single) / n_groups;
        let segments = self.has_trait(op, Traits::RESULT_SEGMENTS);
        let segments = segments
            .then(|| self.attr(op, Name::RESULT_SEGMENT_SIZES))
            .flatten()
            .and_then(|attr| self.context().attr_i32_array(attr));
        let mut segments = segments.map(|sizes| sizes.collect::<SmallVec<[i32; 4]>>().into_iter());
        let mut size = |spec: &ValueSpec| match &mut segments {
            Some(sizes) => sizes.next().map_or(0, |size| size.max(0) as usize),
            None if spec.count == Count::One => 1,
            None => share,
        };
        let sizes: SmallVec<[usize; 4]> = specs.iter().take(group + 1).map(&mut size).collect();
        let start = sizes.iter().take(group).sum::<usize>().min(n_results);
        let end = start + sizes.get(group).copied().unwrap_or(0);
        start..end.min(n_results)
    }

    /// The results of group `group` of the row of `op`.
    pub fn result_group(&self, op: Op, group: usize) -> &[Value] {
        &self.results(op)[self.result_group_range(op, group)]
    }

    /// Whether it is unknown what `op` does with its regions and what it hands out: `op` is unregistered, or
    /// declared without that.
    pub fn is_opaque(&self, op: Op) -> bool {
        let def = self.def(op);
        def.is_unregistered()
            || def.traits.contains(Traits::RUNS_LATER)
            || def.declared.is_some()
                && def.region_branch.is_none()
                && !self.regions(op).is_empty()
                && !def.traits.contains(Traits::OWNS_ARENA)
    }

    /// The result group that `value`, a result of `op`, is in.
    fn group_of_result(&self, op: Op, value: Value) -> Option<usize> {
        let n_groups = self.def(op).results.len();
        (0..n_groups).find(|&group| self.result_group(op, group).contains(&value))
    }

    /// The operand group that operand `index` of `op` is in.
    fn group_of_operand(&self, op: Op, index: usize) -> Option<usize> {
        let n_groups = self.def(op).operands.len();
        (0..n_groups).find(|&group| self.operand_group_range(op, group).contains(&index))
    }
}

/// [`OpDef::effects`].
pub fn effects(ir: &Ir, op: Op, out: &mut Effects) {
    for &(place, kind, resource) in declared(ir, op).effects.iter().flatten() {
        let values = match place {
            Place::Operand(group) => ir.operand_group(op, group),
            Place::Result(group) => ir.result_group(op, group),
            Place::Elsewhere => {
                out.add(kind, None, resource);
                continue;
            }
        };
        for &value in values.iter().filter(|&&value| may_have_memory(ir, value)) {
            out.add(kind, Some(value), resource);
        }
    }
}

/// Whether effects on `value` may be on memory: numbers have none.
fn may_have_memory(ir: &Ir, value: Value) -> bool {
    use super::types::TypeKind;
    matches!(
        ir.context().type_kind(ir.value_type(value)),
        TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } | TypeKind::Dialect { .. }
    )
}

/// [`OpDef::view_source`].
pub fn view_source(ir: &Ir, op: Op) -> Value {
    let group = declared(ir, op).view.expect("the row is that of a view");
    ir.operand_group(op, group)[0]
}

/// [`OpDef::keeps_operand`].
pub fn keeps_operand(ir: &Ir, op: Op, result: Value, index: usize) -> bool {
    let Some(keeps) = &declared(ir, op).keeps else {
        return true;
    };
    let (Some(result), Some(operand)) = (
        ir.group_of_result(op, result),
        ir.group_of_operand(op, index),
    ) else {
        return true;
    };
    keeps.contains(&(result, operand))
}

/// [`OpDef::request`].
pub fn request(ir: &Ir, op: Op) -> Option<Request> {
    let group = declared(ir, op).completion?;
    ir.operand_group(op, group)
        .first()
        .copied()
        .map(Request::Tagged)
}

/// [`OpDef::ownership`].
pub static OWNERSHIP: OwnershipInterface = OwnershipInterface {
    is_dynamic: |ir, op, result| owner_flag(ir, op, result).is_some(),
    materialize: |builder, op, result| {
        owner_flag(builder.ir, op, result).expect("the result has a dynamic owner")
    },
};

fn owner_flag(ir: &Ir, op: Op, result: Value) -> Option<Value> {
    let group = ir.group_of_result(op, result)?;
    let owners = &declared(ir, op).ownership;
    let &(_, Owner::If(flags)) = owners.iter().find(|(g, _)| *g == group)? else {
        return None;
    };
    let at = ir
        .result_group(op, group)
        .iter()
        .position(|&v| v == result)?;
    let flags = ir.result_group(op, flags);
    // One flag may stand for the whole group.
    flags.get(at).or(flags.first()).copied()
}

/// [`OpDef::branch`].
pub static BRANCH: BranchInterface = BranchInterface {
    successor_operands,
    all_successor_operands: |ir, op| {
        let n_successors = ir.successors(op).len();
        (0..n_successors)
            .map(|index| successor_operands(ir, op, index))
            .collect()
    },
    successor_of_operand: |ir, op, index| {
        (0..ir.successors(op).len()).find_map(|successor| {
            let range = successor_operands(ir, op, successor);
            range
                .contains(&index)
                .then(|| (successor, index - range.start))
        })
    },
    append_successor_operands: |ir, op, index, values| {
        if let Some(group) = declared(ir, op).branches[index] {
            ir.append_to_operand_group(op, group, values);
        }
    },
    remove_successor_operand: |ir, op, index, argument| {
        if let Some(group) = declared(ir, op).branches[index] {
            let mut operands = ir.operand_group(op, group).to_vec();
            operands.remove(argument);
            ir.set_operand_group(op, group, &operands);
        }
    },
};

fn successor_operands(ir: &Ir, op: Op, index: usize) -> Range<usize> {
    match declared(ir, op).branches.get(index) {
        Some(&Some(group)) => ir.operand_group_range(op, group),
        _ => 0..0,
    }
}

/// Most operand groups that may be handed to regions.
pub const MAX_FORWARDED_GROUP: usize = 8;

/// [`OpDef::region_branch`] of operations that hand this operand group to their regions.
pub static REGION_BRANCHES: [RegionBranchInterface; MAX_FORWARDED_GROUP] = [
    region_branch(0),
    region_branch(1),
    region_branch(2),
    region_branch(3),
    region_branch(4),
    region_branch(5),
    region_branch(6),
    region_branch(7),
];

/// The same of others.
pub static REGION_BRANCH: RegionBranchInterface = RegionBranchInterface {
    forwarded_group: None,
    ..region_branch(0)
};

const fn region_branch(group: usize) -> RegionBranchInterface {
    RegionBranchInterface {
        successors: |ir, op, from, out| {
            // Control goes through a region without blocks, as where there is no else.
            let mut pending: SmallVec<[RegionPoint; 4]> = SmallVec::from_slice(&[from]);
            let mut passed: SmallVec<[RegionPoint; 4]> = SmallVec::new();
            while let Some(from) = pending.pop() {
                for edge in control(ir, op)
                    .edges
                    .iter()
                    .filter(|edge| edge.from == from)
                {
                    let is_empty = matches!(edge.to, RegionPoint::Region(index)
                        if ir.entry_block(ir.region(op, index)).is_none());
                    match is_empty {
                        true if passed.contains(&edge.to) => {}
                        true => {
                            passed.push(edge.to);
                            pending.push(edge.to);
                        }
                        false if out.contains(&edge.to) => {}
                        false => out.push(edge.to),
                    }
                }
            }
        },
        entry_operands: |ir, op, to| {
            let is_wanted = |edge: &&ControlEdge| edge.from == RegionPoint::Parent && edge.to == to;
            let edge = control(ir, op).edges.iter().find(is_wanted);
            match edge.and_then(|edge| edge.group) {
                Some(group) => ir.operand_group_range(op, group),
                None => 0..0,
            }
        },
        successor_inputs: |ir, op, to| {
            let n_inputs = match to {
                RegionPoint::Parent => ir.results(op).len(),
                RegionPoint::Region(index) => {
                    let entry = ir.entry_block(ir.region(op, index));
                    entry.map_or(0, |block| ir.block_args(block).len())
                }
            };
            let control = control(ir, op);
            if !control.edges.iter().any(|e| e.to == to && e.forwards) {
                return n_inputs..n_inputs;
            }
            control.own_inputs_of(to).min(n_inputs)..n_inputs
        },
        forwarded_group: Some(group),
        is_repetitive: |ir, op, index| control(ir, op).repeats(index),
    }
}

fn control(ir: &Ir, op: Op) -> &'static Control {
    (declared(ir, op).control.as_ref()).expect("the row is that of an operation with control flow")
}

impl Control {
    /// The leading arguments or results there that the operation itself gives.
    pub fn own_inputs_of(&self, to: RegionPoint) -> usize {
        let found = self.own_inputs.iter().find(|(point, _)| *point == to);
        found.map_or(0, |(_, n)| *n)
    }

    /// Whether region `index` can be entered again from its end.
    fn repeats(&self, index: usize) -> bool {
        let mut reached: Vec<RegionPoint> = Vec::new();
        let mut pending = vec![RegionPoint::Region(index)];
        while let Some(from) = pending.pop() {
            for edge in self.edges.iter().filter(|edge| edge.from == from) {
                if edge.to != RegionPoint::Parent && !reached.contains(&edge.to) {
                    reached.push(edge.to);
                    pending.push(edge.to);
                }
            }
        }
        reached.contains(&RegionPoint::Region(index))
    }
}

/// [`OpDef::region_terminator`].
pub static REGION_TERMINATOR: RegionTerminatorInterface = RegionTerminatorInterface {
    operands: |ir, op, to| {
        let around = ir.parent_op(op).filter(|&parent| parent != ir.root());
        if let Some(parent) = around
            && let Some(Declared { control, .. }) = ir.def(parent).declared
            && let Some(control) = control
            && let Some(region) = ir.parent_region(op)
            && let Some(index) = ir.regions(parent).iter().position(|&r| r == region)
        {
            let from = RegionPoint::Region(index);
            let mut edges = control.edges.iter();
            if edges.any(|edge| edge.from == from && edge.to == to && !edge.forwards) {
                return 0..0;
            }
        }
        match declared(ir, op).yields.flatten() {
            Some(group) => ir.operand_group_range(op, group),
            None => 0..ir.operands(op).len(),
        }
    },
};

/// [`OpDef::call`].
pub static CALL: CallInterface = CallInterface {
    callee: |ir, op| {
        let context = ir.context();
        match declared(ir, op).call {
            Some((DeclaredCallee::Operand(group), _)) => {
                Callee::Value(ir.operand_group(op, group)[0])
            }
            Some((DeclaredCallee::Attribute(name), _)) => {
                let attr = ir.attr(op, context.intern_name(name));
                // An operation without it is invalid.
                Callee::Symbol(attr.unwrap_or_else(|| context.symbol_ref_attr("")))
            }
            None => unreachable!("the row is that of a call"),
        }
    },
    arguments: |ir, op| match declared(ir, op).call {
        Some((_, Some(group))) => ir.operand_group_range(op, group),
        _ => 0..0,
    },
};

/// [`OpDef::copy`].
pub static COPY: CopyInterface = CopyInterface {
    source: |ir, op| copied(ir, op).0,
    target: |ir, op| copied(ir, op).1,
};

fn copied(ir: &Ir, op: Op) -> (Value, Value) {
    let (from, to) = declared(ir, op).copy.expect("the row is that of a copy");
    (ir.operand_group(op, from)[0], ir.operand_group(op, to)[0])
}

impl OpDef {
    /// The row with the functions that `declared` needs.
    #[must_use]
    pub fn with_declared(self, declared: &'static Declared) -> Self {
        let control = declared.control.as_ref();
        // Only where one more value fits in may the group get one.
        let forwarded = control.and_then(|control| {
            let mut groups = control.edges.iter().filter_map(|edge| edge.group);
            let group = groups.next()?;
            let is_open = groups.all(|other| other == group)
                && group < MAX_FORWARDED_GROUP
                && declared.takes_more(self.operands, &declared.operands, group);
            is_open.then_some(group)
        });
        Self {
            effects: declared.effects.as_ref().map(|_| effects as _),
            view_source: declared.view.map(|_| view_source as _),
            keeps_operand,
            request: declared.completion.map(|_| request as _),
            ownership: (declared.ownership.iter())
                .any(|(_, owner)| matches!(owner, Owner::If(_)))
                .then_some(&OWNERSHIP),
            branch: (!declared.branches.is_empty()).then_some(&BRANCH),
            region_branch: control.map(|_| match forwarded {
                Some(group) => &REGION_BRANCHES[group],
                None => &REGION_BRANCH,
            }),
            region_terminator: declared.yields.map(|_| &REGION_TERMINATOR),
            call: declared.call.map(|_| &CALL),
            copy: declared.copy.map(|_| &COPY),
            declared: Some(declared),
            ..self
        }
    }

    /// Whether operations of this row, declared or not, may get one more result, operand or argument that is an `i1`
    /// where control flow hands values on.
    pub fn has_room_for_flags(&self) -> bool {
        let Some(declared) = self.declared else {
            return true;
        };
        let last_result_is_open = match self.results.len().checked_sub(1) {
            // The sizes of several groups would change with it.
            _ if self.traits.contains(Traits::RESULT_SEGMENTS) => false,
            Some(last) => declared.takes_more(self.results, &declared.results, last),
            None => false,
        };
        let branches_are_open = declared.branches.iter().all(|group| {
            group.is_some_and(|g| declared.takes_more(self.operands, &declared.operands, g))
        });
        let yields_are_open = match declared.yields {
            None => true,
            _ if self.has_operand_segments() => false,
            Some(None) => match self.operands.len().checked_sub(1) {
                Some(last) => declared.takes_more(self.operands, &declared.operands, last),
                None => false,
            },
            Some(Some(group)) => declared.takes_more(self.operands, &declared.operands, group),
        };
        let regions_are_open = declared.control.as_ref().is_none_or(|control| {
            let hands_to_results = |e: &ControlEdge| e.to == RegionPoint::Parent && e.forwards;
            let takes_operands = control.edges.iter().any(|edge| edge.group.is_some());
            let has_rules = declared.regions.iter().any(|rule| rule.arguments.is_some());
            (last_result_is_open || !control.edges.iter().any(hands_to_results))
                && (!takes_operands
                    || self
                        .region_branch
                        .is_some_and(|i| i.forwarded_group.is_some()))
                && !has_rules
        });
        branches_are_open && yields_are_open && regions_are_open
    }
}

/// The string of attribute `name` of `op`: that of a string or symbol, or the letters and digits of something of a
/// dialect, with `_` between.
pub fn string_attribute(ir: &Ir, op: Op, name: &str) -> Option<String> {
    let context = ir.context();
    let attr = ir.attr(op, context.intern_name(name))?;
    match context.attr_kind(attr) {
        AttrKind::SymbolRef { root, nested } if nested.is_empty() => Some(root.to_string()),
        AttrKind::Dialect { body, .. } => {
            let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            Some(body.chars().map(plain).collect())
        }
        _ => context.attr_string(attr).map(str::to_owned),
    }
}
