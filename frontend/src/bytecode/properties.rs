//! Native properties: the inherent attributes of an operation, one after another in the order of their names.
//!
//! Required ones are numbers of attributes, others have a flag that says whether they are there. Sizes of
//! segments come last (before version 6 they are an attribute among the others). Which attributes there are is
//! what rows say; what rows leave out, because nothing here looks at it, is in `syntax/inherent.rs`.

use crate::ir::context::Context;
use crate::ir::names::Name;
use crate::ir::op_def::{OpDef, Traits};
use crate::ir::version::MlirVersion;
use crate::syntax::inherent::{self, In};

/// How a property is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// An attribute.
    Required,
    /// An attribute, or none.
    Optional,
    /// Sizes of segments.
    Segments,
    /// A number: bits for `nsw` and `nuw` in `#llvm.overflow`.
    Overflow,
    /// A number that is `INBOUNDS` where the unit attribute `inbounds` is here.
    Wraps,
    /// A byte that says whether a unit attribute is there.
    Flag,
}

/// One property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Property {
    pub(super) name: Name,
    pub(super) encoding: Encoding,
}

use Encoding::{Flag, Optional, Overflow, Required, Wraps};

/// Properties that are stored in another way than attributes, from a version of MLIR on.
const NUMBERS: &[(&[&str], In, Encoding, &str)] = &[
    (
        &["llvm.add", "llvm.mul", "llvm.shl", "llvm.sub"],
        In::Both,
        Overflow,
        "overflowFlags",
    ),
    (&["llvm.trunc"], In::V22, Overflow, "overflowFlags"),
    (&["llvm.getelementptr"], In::V22, Wraps, "noWrapFlags"),
    (&["affine.linearize_index"], In::V22, Flag, "disjoint"),
];

/// Attributes that the newest version of an operation has: files and readers of older ones lack them.
const NEWER: &[(&str, &[&str])] = &[
    ("chlo.top_k", &["is_stable"]),
    ("stablehlo.collective_broadcast", &["has_dynamic_root"]),
    ("stablehlo.custom_call", &["result_tilings"]),
];

/// Those of an operation.
pub(super) fn newer_attributes(def: &OpDef) -> &'static [&'static str] {
    let newer = NEWER.iter().find(|(op, _)| *op == def.name);
    newer.map_or(&[], |(_, names)| names)
}

/// The properties of an operation in the order in which they are stored.
pub(super) fn properties(
    context: &Context,
    def: &OpDef,
    version: MlirVersion,
    bytecode_version: u64,
) -> Vec<Property> {
    let mut list: Vec<Property> = def
        .attributes
        .iter()
        .map(|spec| Property {
            name: spec.name,
            encoding: match spec.required {
                true => Required,
                false => Optional,
            },
        })
        .collect();
    let mut set = |name: Name, encoding: Encoding| match list
        .iter_mut()
        .find(|property| property.name == name)
    {
        Some(known) => known.encoding = encoding,
        None => list.push(Property { name, encoding }),
    };
    if version == MlirVersion::V22 {
        for &(_, theirs) in def.generic_22.inherent {
            set(theirs, Optional);
        }
    }
    for (name, is_required) in inherent::more(def, version) {
        let encoding = if is_required { Required } else { Optional };
        set(context.intern_name(name), encoding);
    }
    for (ops, range, encoding, name) in NUMBERS {
        if ops.contains(&def.name) && range.has(version) {
            set(context.intern_name(name), *encoding);
        }
    }
    list.retain(|property| !inherent::is_missing(def, context.name(property.name), version));
    let segments = [
        (
            def.has_operand_segments() || has_bundles(def, version),
            Name::OPERAND_SEGMENT_SIZES,
        ),
        (
            def.traits.contains(Traits::RESULT_SEGMENTS),
            Name::RESULT_SEGMENT_SIZES,
        ),
    ];
    for (is_there, name) in segments {
        if is_there {
            list.push(Property {
                name,
                encoding: Encoding::Segments,
            });
        }
    }
    // What is no attribute comes after those that are.
    let place = |property: &Property| match property.encoding {
        Required | Optional => 0,
        Encoding::Segments if bytecode_version < super::NATIVE_SEGMENTS => 0,
        Overflow | Wraps | Flag => 1,
        Encoding::Segments => 2,
    };
    list.sort_by_key(|property| (place(property), context.name(property.name)));
    list
}

/// Whether an operation has bundles of operands in this version of MLIR, behind its other operands. There are none
/// here.
pub(super) fn has_bundles(def: &OpDef, version: MlirVersion) -> bool {
    version == MlirVersion::V22 && def.name == "llvm.call"
}

/// The bits of `inbounds` in `noWrapFlags`.
pub(super) const INBOUNDS: u64 = 3;

/// `nsw` and `nuw` as bits of a number, by the text of the attribute.
const OVERFLOW: [(&str, u64); 2] = [("nsw", 1), ("nuw", 2)];

/// The number for `overflow<...>`.
pub(super) fn overflow_bits(body: &str) -> u64 {
    let is_word = |word: &&str| {
        body.split(|c: char| !c.is_alphanumeric())
            .any(|w| w == *word)
    };
    let bits = OVERFLOW.iter().filter(|(word, _)| is_word(word));
    bits.map(|(_, bit)| bit).sum()
}

/// `overflow<...>` for a number.
pub(super) fn overflow_body(bits: u64) -> String {
    let words = OVERFLOW.iter().filter(|(_, bit)| bits & bit != 0);
    let words: Vec<&str> = words.map(|(word, _)| *word).collect();
    match words.is_empty() {
        true => "overflow<none>".to_owned(),
        false => format!("overflow<{}>", words.join(", ")),
    }
}
