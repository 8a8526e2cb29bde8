//! The sections of a file.

/// What fills the space before aligned data.
pub(super) const PADDING: u8 = 0xcb;

/// The sections of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Section {
    String,
    Dialect,
    AttrType,
    AttrTypeOffset,
    Ir,
    Resource,
    ResourceOffset,
    DialectVersions,
    Properties,
}

impl Section {
    pub(super) const ALL: [(Self, &'static str); 9] = [
        (Self::String, "String (0)"),
        (Self::Dialect, "Dialect (1)"),
        (Self::AttrType, "AttrType (2)"),
        (Self::AttrTypeOffset, "AttrTypeOffset (3)"),
        (Self::Ir, "IR (4)"),
        (Self::Resource, "Resource (5)"),
        (Self::ResourceOffset, "ResourceOffset (6)"),
        (Self::DialectVersions, "DialectVersions (7)"),
        (Self::Properties, "Properties (8)"),
    ];
}
