//! The attributes `freehold.*` of the definition of an operation: what they mean, and whether they contradict each other
//! or the constraints. `docs/dialects.md` describes them for users.

use super::constraints::{Kinds, kinds};
use super::operation::Operation;
use super::{Reader, entries, leak, strings};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::declared::{
    CFunction, CallArgument, Control, ControlEdge, DeclaredCallee, Owner, Place,
};
use crate::ir::diag::Failed;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::Op;
use crate::ir::interfaces::RegionPoint;
use crate::ir::op_def::{Count, Traits};

/// Words for effects.
const EFFECTS: &[(&str, EffectKind, Resource)] = &[
    ("read", EffectKind::Read, Resource::Default),
    ("write", EffectKind::Write, Resource::Default),
    ("allocate", EffectKind::Allocate, Resource::Default),
    (
        "allocate_on_stack",
        EffectKind::Allocate,
        Resource::AutomaticAllocationScope,
    ),
    ("free", EffectKind::Free, Resource::Default),
];

/// Words for traits.
const TRAITS: &[(&str, Traits)] = &[
    ("allocation_scope", Traits::AUTOMATIC_ALLOCATION_SCOPE),
    ("commutative", Traits::COMMUTATIVE),
    (
        "function",
        Traits::OWNS_ARENA
            .and(Traits::FUNCTION)
            .and(Traits::AUTOMATIC_ALLOCATION_SCOPE),
    ),
    ("isolated", Traits::ISOLATED_FROM_ABOVE),
    ("no_terminator", Traits::NO_TERMINATOR),
    ("parallel", Traits::PARALLEL),
    ("recursive_effects", Traits::RECURSIVE_EFFECTS),
    ("single_block", Traits::SINGLE_BLOCK),
    ("speculatable", Traits::SPECULATABLE),
    ("terminator", Traits::TERMINATOR),
];

/// All names of attributes.
const NAMES: &[&str] = &[
    "aliases",
    "branches",
    "c_arguments",
    "c_function",
    "call",
    "completion",
    "control",
    "copy",
    "destination",
    "effects",
    "keeps",
    "ownership",
    "same",
    "traits",
    "views",
    "yields",
];

/// The parts of attributes that depend on each other.
#[derive(Default)]
struct Lists {
    aliases: Option<Vec<(usize, usize)>>,
    arguments: Option<Vec<CallArgument>>,
    symbol: Option<String>,
}

impl Reader<'_> {
    /// Reads the attributes of `op` into `operation`.
    pub(super) fn meaning(&mut self, op: Op, operation: &mut Operation) -> Result<(), Failed> {
        let mut lists = Lists::default();
        self.for_each_attribute(op, |this, name, attr| {
            this.attribute(op, operation, &mut lists, name, attr)
        })?;
        operation.declared.keeps = lists.aliases.take();
        operation.declared.function = lists.symbol.map(|symbol| CFunction {
            symbol,
            arguments: lists.arguments.unwrap_or_else(|| {
                let all = 0..operation.operands.len();
                all.map(CallArgument::Operand).collect()
            }),
        });
        self.consistent(op, operation)
    }

    fn attribute(
        &mut self,
        op: Op,
        operation: &mut Operation,
        lists: &mut Lists,
        name: &str,
        attr: Attr,
    ) -> Result<(), Failed> {
        let context = std::sync::Arc::clone(self.ir.context());
        let text = || context.attr_string(attr).map(str::to_owned);
        match name {
            "effects" => self.effects(op, operation, attr),
            "traits" => {
                for word in self.words(op, name, attr)? {
                    let known = TRAITS.iter().find(|(known, _)| *known == word);
                    let Some((_, traits)) = known else {
                        let known: Vec<&str> = TRAITS.iter().map(|row| row.0).collect();
                        let known = known.join(", ");
                        let message = format!("has no trait '{word}': known are {known}");
                        return Err(self.error(op, message));
                    };
                    operation.traits = operation.traits.and(*traits);
                }
                Ok(())
            }
            "aliases" | "keeps" => {
                let pairs = self.pairs(op, operation, name, attr)?;
                lists.aliases.get_or_insert_default().extend(pairs);
                Ok(())
            }
            "same" => {
                operation.declared.same = self.pairs(op, operation, name, attr)?;
                let pairs = operation.declared.same.iter().copied();
                lists.aliases.get_or_insert_default().extend(pairs);
                Ok(())
            }
            "views" => {
                let pairs = self.pairs(op, operation, name, attr)?;
                let is_single = |values: &[(String, Count)], group: usize| {
                    values
                        .get(group)
                        .is_some_and(|(_, count)| *count == Count::One)
                };
                match pairs[..] {
                    [(result, operand)]
                        if operation.results.len() == 1
                            && is_single(&operation.results, result)
                            && is_single(&operation.operands, operand) =>
                    {
                        operation.declared.view = Some(operand);
                        lists.aliases.get_or_insert_default().extend(pairs);
                        Ok(())
                    }
                    _ => Err(self.error(
                        op,
                        "is no view: 'freehold.views' names the only result and one operand; \
                         'freehold.aliases' is for others",
                    )),
                }
            }
            "destination" => {
                operation.declared.destination = self.pairs(op, operation, name, attr)?;
                Ok(())
            }
            "completion" => {
                let group = text().and_then(|text| operation.operand(&text));
                operation.declared.completion = group;
                match group {
                    Some(_) => Ok(()),
                    None => {
                        Err(self.error(op, "needs the name of an operand in 'freehold.completion'"))
                    }
                }
            }
            "ownership" => self.ownership(op, operation, attr),
            "control" => self.control(op, operation, attr),
            "yields" => {
                let is_all = attr == Attr::UNIT;
                let group = text().and_then(|text| operation.operand(&text));
                if !is_all && group.is_none() {
                    let message = "needs the name of an operand in 'freehold.yields', or no value \
                                   for all operands";
                    return Err(self.error(op, message));
                }
                operation.declared.yields = Some(group);
                let traits = Traits::TERMINATOR.and(Traits::RETURN_LIKE);
                operation.traits = operation.traits.and(traits);
                Ok(())
            }
            "branches" => {
                for word in self.words(op, name, attr)? {
                    let group = match &*word {
                        "" => None,
                        word => Some(self.operand(op, operation, name, word)?),
                    };
                    operation.declared.branches.push(group);
                }
                operation.traits = operation.traits.and(Traits::TERMINATOR);
                Ok(())
            }
            "call" => self.call(op, operation, attr),
            "copy" => {
                let (from, to) = (
                    self.entry(op, name, attr, "from")?,
                    self.entry(op, name, attr, "to")?,
                );
                let from = self.operand(op, operation, name, &from)?;
                let to = self.operand(op, operation, name, &to)?;
                operation.declared.copy = Some((from, to));
                Ok(())
            }
            "c_function" => match text() {
                Some(symbol) if !symbol.is_empty() => {
                    lists.symbol = Some(symbol);
                    Ok(())
                }
                _ => Err(self.error(op, "needs the name of a function in 'freehold.c_function'")),
            },
            "c_arguments" => {
                lists.arguments = Some(self.arguments(op, operation, attr)?);
                Ok(())
            }
            _ => {
                let known = NAMES.join(", ");
                let message = format!("has no attribute 'freehold.{name}': known are {known}");
                Err(self.error(op, message))
            }
        }
    }

    fn words(&mut self, op: Op, name: &str, attr: Attr) -> Result<Vec<String>, Failed> {
        strings(self.ir.context(), attr).ok_or_else(|| {
            self.error(
                op,
                format!("needs a string, or a list of them, in 'freehold.{name}'"),
            )
        })
    }

    fn dictionary(
        &mut self,
        op: Op,
        name: &str,
        attr: Attr,
    ) -> Result<Vec<(String, Attr)>, Failed> {
        entries(self.ir.context(), attr)
            .ok_or_else(|| self.error(op, format!("needs a dictionary in 'freehold.{name}'")))
    }

    fn entry(&mut self, op: Op, name: &str, attr: Attr, key: &str) -> Result<String, Failed> {
        let entries = self.dictionary(op, name, attr)?;
        let found = entries.into_iter().find(|(known, _)| known == key);
        let text = found.and_then(|(_, attr)| self.ir.context().attr_string(attr));
        match text {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.error(op, format!("needs a string '{key}' in 'freehold.{name}'"))),
        }
    }

    fn operand(
        &mut self,
        op: Op,
        operation: &Operation,
        name: &str,
        word: &str,
    ) -> Result<usize, Failed> {
        operation.operand(word).ok_or_else(|| {
            self.error(
                op,
                format!("has no operand '{word}', which 'freehold.{name}' names"),
            )
        })
    }

    fn result(
        &mut self,
        op: Op,
        operation: &Operation,
        name: &str,
        word: &str,
    ) -> Result<usize, Failed> {
        operation.result(word).ok_or_else(|| {
            self.error(
                op,
                format!("has no result '{word}', which 'freehold.{name}' names"),
            )
        })
    }

    /// `{result = "operand", other = ["a", "b"]}`
    fn pairs(
        &mut self,
        op: Op,
        operation: &Operation,
        name: &str,
        attr: Attr,
    ) -> Result<Vec<(usize, usize)>, Failed> {
        let mut pairs = Vec::new();
        for (key, value) in self.dictionary(op, name, attr)? {
            let result = self.result(op, operation, name, &key)?;
            for word in self.words(op, name, value)? {
                pairs.push((result, self.operand(op, operation, name, &word)?));
            }
        }
        Ok(pairs)
    }

    fn effects(&mut self, op: Op, operation: &mut Operation, attr: Attr) -> Result<(), Failed> {
        let mut effects = Vec::new();
        for (key, value) in self.dictionary(op, "effects", attr)? {
            let place = match (operation.operand(&key), operation.result(&key)) {
                _ if key == "*" => Place::Elsewhere,
                (Some(group), _) => Place::Operand(group),
                (_, Some(group)) => Place::Result(group),
                _ => {
                    let message = format!(
                        "has no operand or result '{key}', which 'freehold.effects' names; \"*\" \
                         is memory that is none of them"
                    );
                    return Err(self.error(op, message));
                }
            };
            for word in self.words(op, "effects", value)? {
                let Some(&(_, kind, resource)) = EFFECTS.iter().find(|row| row.0 == word) else {
                    let known: Vec<&str> = EFFECTS.iter().map(|row| row.0).collect();
                    let known = known.join(", ");
                    let message = format!("has no effect '{word}': known are {known}");
                    return Err(self.error(op, message));
                };
                match (kind, place) {
                    (EffectKind::Allocate, Place::Operand(_)) => {
                        let message = format!("cannot allocate '{key}': that is an operand");
                        return Err(self.error(op, message));
                    }
                    (EffectKind::Free, Place::Result(_)) => {
                        let message = format!("cannot free '{key}': that is a result");
                        return Err(self.error(op, message));
                    }
                    _ => effects.push((place, kind, resource)),
                }
            }
        }
        operation.declared.effects = Some(effects);
        Ok(())
    }

    fn ownership(&mut self, op: Op, operation: &mut Operation, attr: Attr) -> Result<(), Failed> {
        for (key, value) in self.dictionary(op, "ownership", attr)? {
            let result = self.result(op, operation, "ownership", &key)?;
            let word = self.ir.context().attr_string(value).unwrap_or_default();
            let owner = match (word, word.strip_prefix("if ")) {
                ("always", _) => Owner::Always,
                ("never", _) => Owner::Never,
                (_, Some(flag)) => {
                    let flag = flag.trim().to_owned();
                    Owner::If(self.result(op, operation, "ownership", &flag)?)
                }
                _ => {
                    let message = format!(
                        "needs \"always\", \"never\" or \"if RESULT\" for '{key}' in \
                         'freehold.ownership'"
                    );
                    return Err(self.error(op, message));
                }
            };
            operation.declared.ownership.push((result, owner));
        }
        Ok(())
    }

    /// `["parent(inits) -> body[1..]", "body -> body", "body -> parent"]`
    fn control(&mut self, op: Op, operation: &mut Operation, attr: Attr) -> Result<(), Failed> {
        let mut control = Control {
            edges: Vec::new(),
            own_inputs: Vec::new(),
        };
        for word in self.words(op, "control", attr)? {
            let Some((from, to)) = word.split_once("->") else {
                let message = format!("needs 'FROM -> TO' in 'freehold.control', not '{word}'");
                return Err(self.error(op, message));
            };
            let (from, handed) = match from.trim().split_once('(') {
                Some((from, handed)) => match handed.strip_suffix(')') {
                    Some(handed) => (from.trim(), Some(handed)),
                    None => {
                        let message = format!("lacks a ')' in '{word}' of 'freehold.control'");
                        return Err(self.error(op, message));
                    }
                },
                None => (from.trim(), None),
            };
            let (to, first) = match to.trim().split_once('[') {
                Some((to, first)) => (to.trim(), first.strip_suffix("..]")),
                None => (to.trim(), Some("0")),
            };
            let Some(first) = first.and_then(|first| first.trim().parse::<usize>().ok()) else {
                let message = format!("needs 'TO[N..]' in 'freehold.control', not '{word}'");
                return Err(self.error(op, message));
            };
            let mut point = |name: &str| match (name, operation.region(name)) {
                ("parent", _) => Ok(RegionPoint::Parent),
                (_, Some(region)) => Ok(RegionPoint::Region(region)),
                _ => {
                    let message = format!("has no region '{name}', which 'freehold.control' names");
                    Err(self.error(op, message))
                }
            };
            let (from, to) = (point(from)?, point(to)?);
            let (group, forwards) = match (from, handed) {
                (RegionPoint::Parent, None | Some("")) => (None, false),
                (RegionPoint::Parent, Some(name)) => {
                    let group = self.operand(op, operation, "control", name.trim())?;
                    (Some(group), true)
                }
                (RegionPoint::Region(_), None) => (None, true),
                (RegionPoint::Region(_), Some("")) => (None, false),
                (RegionPoint::Region(_), Some(_)) => {
                    let message = format!(
                        "names values in '{word}': what a region hands on is said by the \
                         'freehold.yields' of its terminator"
                    );
                    return Err(self.error(op, message));
                }
            };
            let mut known = control.own_inputs.iter();
            match known.find(|(point, _)| *point == to) {
                Some(&(_, before)) if before != first && forwards => {
                    let message = format!("hands values to different places of '{word}'");
                    return Err(self.error(op, message));
                }
                Some(_) => {}
                None if forwards => control.own_inputs.push((to, first)),
                None => {}
            }
            let edge = ControlEdge {
                from,
                to,
                forwards,
                group,
            };
            if control.edges.iter().any(|e| e.from == from && e.to == to) {
                return Err(self.error(op, format!("says twice where '{word}' goes")));
            }
            control.edges.push(edge);
        }
        operation.declared.control = Some(control);
        Ok(())
    }

    /// `{callee = "attribute or operand", arguments = "operands"}`
    fn call(&mut self, op: Op, operation: &mut Operation, attr: Attr) -> Result<(), Failed> {
        let callee = self.entry(op, "call", attr, "callee")?;
        let has_arguments = self
            .dictionary(op, "call", attr)?
            .iter()
            .any(|(key, _)| key == "arguments");
        let arguments = match has_arguments {
            true => {
                let arguments = self.entry(op, "call", attr, "arguments")?;
                Some(self.operand(op, operation, "call", &arguments)?)
            }
            false => None,
        };
        let mut attributes = operation.declared.attributes.iter();
        let callee = match operation.operand(&callee) {
            Some(group) => DeclaredCallee::Operand(group),
            None if attributes.any(|(name, _)| *name == callee) => {
                DeclaredCallee::Attribute(leak(&callee))
            }
            None => {
                let message =
                    format!("has no attribute or operand '{callee}', which 'freehold.call' names");
                return Err(self.error(op, message));
            }
        };
        operation.declared.call = Some((callee, arguments));
        Ok(())
    }

    /// `["operand", "attribute", 3 : i32]`
    fn arguments(
        &mut self,
        op: Op,
        operation: &Operation,
        attr: Attr,
    ) -> Result<Vec<CallArgument>, Failed> {
        let context = std::sync::Arc::clone(self.ir.context());
        let Some(list) = context.attr_array(attr) else {
            return Err(self.error(op, "needs a list in 'freehold.c_arguments'"));
        };
        let mut arguments = Vec::new();
        for &attr in list {
            let argument = match context.attr_kind(attr) {
                AttrKind::Integer { .. } | AttrKind::Float { .. } => {
                    CallArgument::Constant(self.number(attr))
                }
                _ => {
                    let Some(name) = context.attr_string(attr) else {
                        let message = "needs names and numbers in 'freehold.c_arguments'";
                        return Err(self.error(op, message));
                    };
                    match operation.operand(name) {
                        Some(group) => CallArgument::Operand(group),
                        // Not all attributes that an operation may have are among those of IRDL.
                        None => CallArgument::Attribute(leak(name)),
                    }
                }
            };
            arguments.push(argument);
        }
        Ok(arguments)
    }

    /// Refuses what contradicts itself.
    fn consistent(&mut self, op: Op, operation: &mut Operation) -> Result<(), Failed> {
        let declared = &operation.declared;
        let constraints = &declared.constraints;
        let operand_kinds =
            |cx: &Self, group: usize| kinds(cx, constraints, declared.operands[group]);
        let result_kinds =
            |cx: &Self, group: usize| kinds(cx, constraints, declared.results[group]);
        let operand_name = |group: usize| &operation.operands[group].0;
        let result_name = |group: usize| &operation.results[group].0;
        for &(place, _, _) in declared.effects.iter().flatten() {
            let (kinds, name) = match place {
                Place::Operand(group) => (operand_kinds(self, group), operand_name(group)),
                Place::Result(group) => (result_kinds(self, group), result_name(group)),
                Place::Elsewhere => continue,
            };
            if kinds == Kinds::NUMBER {
                let message = format!("has an effect on '{name}', which can only be a number");
                return Err(self.error(op, message));
            }
        }
        let allocates = |group: usize| {
            let mut effects = declared.effects.iter().flatten();
            effects.any(|e| e.0 == Place::Result(group) && e.1 == EffectKind::Allocate)
        };
        for &(result, operand) in declared.keeps.iter().flatten() {
            let is_buffer = result_kinds(self, result) == Kinds::BUFFER;
            if is_buffer && !operand_kinds(self, operand).meets(kinds_that_hold_buffers()) {
                let message = format!(
                    "declares '{}' an alias of '{}', which is never a buffer",
                    result_name(result),
                    operand_name(operand)
                );
                return Err(self.error(op, message));
            }
            if allocates(result) {
                let message = format!(
                    "both allocates '{}' and declares it an alias of '{}'",
                    result_name(result),
                    operand_name(operand)
                );
                return Err(self.error(op, message));
            }
        }
        let frees = |group: usize| {
            let mut effects = declared.effects.iter().flatten();
            effects.any(|e| e.0 == Place::Operand(group) && e.1 == EffectKind::Free)
        };
        let aliases = declared.keeps.iter().flatten();
        let views = declared.view.map(|operand| (0, operand));
        for (result, operand) in aliases.copied().chain(views) {
            if frees(operand) && result_kinds(self, result) == Kinds::BUFFER {
                let message = format!(
                    "frees '{}' and declares '{}' an alias of it",
                    operand_name(operand),
                    result_name(result)
                );
                return Err(self.error(op, message));
            }
        }
        for &group in declared.branches.iter().flatten() {
            let name = operand_name(group);
            let n_uses = declared
                .branches
                .iter()
                .filter(|&&other| other == Some(group));
            let message = if n_uses.count() > 1 {
                format!("hands '{name}' to more than one successor")
            } else if operation.operands[group].1 != Count::Variadic {
                format!(
                    "hands '{name}' to a successor, which takes any number: it has to be variadic"
                )
            } else {
                continue;
            };
            return Err(self.error(op, message));
        }
        for &(result, operand) in &declared.same {
            let kinds = result_kinds(self, result);
            let is_same_count = operation.results[result].1 == operation.operands[operand].1;
            if !kinds.meets(operand_kinds(self, operand)) || !is_same_count {
                let message = format!(
                    "declares '{}' to be '{}', but they have other types or numbers",
                    result_name(result),
                    operand_name(operand)
                );
                return Err(self.error(op, message));
            }
        }
        if let Some(operand) = declared.view {
            let buffers = Kinds::BUFFER;
            let may_be = |kinds: Kinds| kinds.meets(buffers) || kinds.meets(Kinds::TENSOR);
            if !may_be(operand_kinds(self, operand)) || !may_be(result_kinds(self, 0)) {
                let message = format!(
                    "declares '{}' a view of '{}', but not both can be buffers",
                    result_name(0),
                    operand_name(operand)
                );
                return Err(self.error(op, message));
            }
        }
        for &(result, operand) in &declared.destination {
            let is_tensor = result_kinds(self, result).meets(Kinds::TENSOR);
            let takes = operand_kinds(self, operand);
            if !is_tensor || !(takes.meets(Kinds::TENSOR) || takes.meets(Kinds::BUFFER)) {
                let message = format!(
                    "declares '{}' the destination of '{}', but not both can be tensors",
                    operand_name(operand),
                    result_name(result)
                );
                return Err(self.error(op, message));
            }
        }
        for &(result, owner) in &declared.ownership {
            let name = result_name(result);
            let message = match owner {
                Owner::Always if !allocates(result) => format!(
                    "declares '{name}' always owned, but 'freehold.effects' does not allocate it"
                ),
                Owner::Never | Owner::If(_) if allocates(result) => format!(
                    "allocates '{name}', so that the function owns it, but 'freehold.ownership' \
                     says something else"
                ),
                Owner::If(flag) if !result_kinds(self, flag).meets(Kinds::NUMBER) => format!(
                    "needs an i1 to tell who owns '{name}', but '{}' is never one",
                    result_name(flag)
                ),
                Owner::If(_) if declared.effects.is_none() => format!(
                    "tells who owns '{name}' but not its effects: 'freehold.effects' is missing"
                ),
                _ => continue,
            };
            return Err(self.error(op, message));
        }
        if declared.control.is_some()
            && let Some(result) = (0..operation.results.len()).find(|&group| allocates(group))
        {
            let message = format!(
                "allocates '{}', but the results of an operation with 'freehold.control' come from \
                 its regions",
                result_name(result)
            );
            return Err(self.error(op, message));
        }
        if let Some(control) = &declared.control
            && !operation.results.is_empty()
            && control
                .edges
                .iter()
                .all(|edge| edge.to != RegionPoint::Parent)
        {
            let message = format!(
                "has a result '{}', but 'freehold.control' says nothing of what goes to the parent",
                result_name(0)
            );
            return Err(self.error(op, message));
        }
        if declared.control.is_some() && declared.regions.is_empty() {
            return Err(self.error(op, "has 'freehold.control' and no regions"));
        }
        if declared.yields.is_some() && !declared.branches.is_empty() {
            let message = "cannot both hand values to the operation around and branch";
            return Err(self.error(op, message));
        }
        if declared.call.is_some() && declared.effects.is_some() {
            let message = "has effects and is a call: those of a call are its callee's";
            return Err(self.error(op, message));
        }
        let is_function = operation.traits.contains(Traits::OWNS_ARENA);
        if is_function && !(operation.operands.is_empty() && operation.results.is_empty()) {
            return Err(self.error(op, "is a function, which has no operands and results"));
        }
        if declared.function.is_some() && !declared.regions.is_empty() {
            return Err(self.error(op, "has regions, which no C function can stand for"));
        }
        let (is_single, is_copy) = (
            |group: usize| operation.operands[group].1 == Count::One,
            declared.copy,
        );
        let has = |group: usize, kind: EffectKind| {
            let mut effects = declared.effects.iter().flatten();
            effects.any(|effect| effect.0 == Place::Operand(group) && effect.1 == kind)
        };
        if let Some((from, to)) = is_copy
            && !(is_single(from)
                && is_single(to)
                && has(from, EffectKind::Read)
                && has(to, EffectKind::Write))
        {
            return Err(self.error(
                op,
                "is no copy: that reads one operand and writes another, as 'freehold.effects' says",
            ));
        }
        Ok(())
    }
}

/// Kinds of values that may be buffers, or stand for some.
fn kinds_that_hold_buffers() -> Kinds {
    Kinds::BUFFER.with(Kinds::OTHER).with(Kinds::TENSOR)
}
