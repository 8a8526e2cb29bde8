//! What generated programs may look like.

/// How control flow is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Control {
    /// Operations with regions only; every function has one block.
    Structured,
    /// Blocks and branches only. (Loops inside the helper functions stay structured.)
    Blocks,
    /// Each construct is one or the other.
    Mixed,
}

/// When a program may write to a buffer. A deallocation pass may have to copy a buffer, and then the
/// program must not be able to tell the copy from the original: whichever buffers may have become
/// one through such a place are only read from there on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Writes {
    /// Copies happen where a function returns what it does not own, and at `bufferization.clone`.
    Calls,
    /// Copies happen wherever buffers meet as well: at block arguments, region arguments and
    /// results, and selects.
    Merges,
}

/// The knobs of the generator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub(crate) control: Control,
    pub(crate) writes: Writes,
    /// How many functions at most, `@main` included.
    pub(crate) functions: usize,
    /// How many statements a function has, about.
    pub(crate) statements: usize,
    /// How deep control flow nests.
    pub(crate) depth: usize,
    /// Sizes and offsets known at run time only.
    pub(crate) dynamic: bool,
    /// Dimensions of size zero.
    pub(crate) empty: bool,
    pub(crate) views: bool,
    /// `memref.view`, which moves the aligned pointer.
    pub(crate) byte_views: bool,
    /// Casts to unranked memrefs and back.
    pub(crate) unranked: bool,
    pub(crate) clones: bool,
    pub(crate) allocas: bool,
    pub(crate) globals: bool,
    pub(crate) recursion: bool,
    pub(crate) indirect_calls: bool,
    /// `scf.parallel` and `scf.forall`.
    pub(crate) parallel: bool,
    /// `memref.alloca_scope`.
    pub(crate) scopes: bool,
    pub(crate) multiple_returns: bool,
    /// Parameters and results whose type has a static layout other than the identity.
    pub(crate) strided_signatures: bool,
    // What mlir-opt 19 rejects, from here on.
    /// Loops made of blocks.
    pub(crate) block_loops: bool,
    /// `cf.switch`.
    pub(crate) switches: bool,
    /// `scf.execute_region`, with several blocks where control flow is not structured.
    pub(crate) execute_regions: bool,
    /// Atomic updates and other operations without declared effects.
    pub(crate) atomics: bool,
    /// Blocks that nothing branches to.
    pub(crate) unreachable: bool,
    /// `memref.dealloc` that is there already.
    pub(crate) deallocs: bool,
    /// `memref.realloc`.
    pub(crate) reallocs: bool,
}

impl Shape {
    /// Structured control flow, as mlir-opt 19's passes accept it.
    pub(crate) const STRUCTURED: Self = Self {
        control: Control::Structured,
        writes: Writes::Calls,
        functions: 4,
        statements: 12,
        depth: 3,
        dynamic: true,
        empty: true,
        views: true,
        byte_views: false,
        unranked: true,
        clones: true,
        allocas: true,
        globals: true,
        recursion: true,
        indirect_calls: false,
        parallel: true,
        scopes: true,
        multiple_returns: false,
        strided_signatures: false,
        block_loops: false,
        switches: false,
        execute_regions: false,
        atomics: false,
        unreachable: false,
        deallocs: false,
        reallocs: false,
    };

    /// Blocks without loops, as mlir-opt 19's passes accept them.
    pub(crate) const BLOCKS: Self = Self {
        control: Control::Blocks,
        parallel: false,
        scopes: false,
        multiple_returns: true,
        ..Self::STRUCTURED
    };

    /// Blocks and regions in one function, which mlir-opt 19's passes accept and often get wrong.
    pub(crate) const MIXED: Self = Self {
        control: Control::Mixed,
        multiple_returns: true,
        ..Self::STRUCTURED
    };

    /// Blocks with everything that mlir-opt 19's passes reject.
    pub(crate) const ALL_BLOCKS: Self = Self {
        block_loops: true,
        switches: true,
        atomics: true,
        byte_views: true,
        unreachable: true,
        indirect_calls: true,
        strided_signatures: true,
        ..Self::BLOCKS
    };

    /// Everything, except that all buffers are freed by the compiler.
    pub(crate) const ALL: Self = Self {
        parallel: true,
        scopes: true,
        control: Control::Mixed,
        execute_regions: true,
        ..Self::ALL_BLOCKS
    };

    /// Everything, with buffers that the program frees itself.
    pub(crate) const FREEING: Self = Self {
        deallocs: true,
        reallocs: true,
        ..Self::ALL
    };

    /// The shapes with their names, which tests take turns with.
    pub(crate) const NAMED: [(&str, Self); 6] = [
        ("structured", Self::STRUCTURED),
        ("blocks", Self::BLOCKS),
        ("mixed", Self::MIXED),
        ("all-blocks", Self::ALL_BLOCKS),
        ("all", Self::ALL),
        ("freeing", Self::FREEING),
    ];

    /// The same programs without a write to buffers that have met others.
    pub(crate) fn quiet(&self) -> Self {
        Self {
            writes: Writes::Merges,
            ..self.clone()
        }
    }

    /// The same with fewer statements.
    pub(crate) fn small(&self) -> Self {
        Self {
            functions: 2,
            statements: 6,
            depth: 2,
            ..self.clone()
        }
    }
}
