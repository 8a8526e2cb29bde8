//! Inputs that grow: the same program in any size, to see how the time for it grows.
//!
//! Each kind has one thing of which there is more and more; [`Kind`] says what. The text of a size is
//! always the same.

use std::fmt::Write as _;

/// What there is more and more of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Small functions with a choice, a loop and a diamond of blocks each.
    Many,
    /// Buffers of one function that are chosen between and all live to its end.
    Wide,
    /// Diamonds of blocks in a row that hand a buffer on.
    Deep,
    /// Layers that each read the buffer of the one before and write a new one.
    Chain,
    /// Buffers and blocks: all buffers live through all blocks.
    Line,
    /// Diamonds of blocks in a row, without any buffer.
    Diamonds,
    /// Buffers in one block.
    Block,
    /// Buffers and diamonds of blocks: all buffers live through all diamonds.
    Through,
    /// Buffers and loops of one block, all of them in a loop made of blocks: all
    /// buffers live through all loops.
    Loops,
    /// Loops around each other, with a buffer per level.
    Nest,
    /// Loops over two buffers of one function, each with a factor of its own and a call behind it.
    Sweeps,
    /// The same with two loops around each other whose ranges are constants.
    Tiles,
}

impl Kind {
    pub(crate) const ALL: [Self; 12] = [
        Self::Many,
        Self::Wide,
        Self::Deep,
        Self::Chain,
        Self::Line,
        Self::Diamonds,
        Self::Block,
        Self::Through,
        Self::Loops,
        Self::Nest,
        Self::Sweeps,
        Self::Tiles,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Many => "many",
            Self::Wide => "wide",
            Self::Deep => "deep",
            Self::Chain => "chain",
            Self::Line => "line",
            Self::Diamonds => "diamonds",
            Self::Block => "block",
            Self::Through => "through",
            Self::Loops => "loops",
            Self::Nest => "nest",
            Self::Sweeps => "sweeps",
            Self::Tiles => "tiles",
        }
    }

    /// The kind with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The program of size `n`.
    pub(crate) fn text(self, n: usize) -> String {
        let mut text = String::new();
        match self {
            Self::Many => many(&mut text, n),
            Self::Wide => wide(&mut text, n),
            Self::Deep => deep(&mut text, n),
            Self::Chain => chain(&mut text, n),
            Self::Line => line(&mut text, n),
            Self::Diamonds => diamonds(&mut text, n),
            Self::Block => block(&mut text, n),
            Self::Through => through(&mut text, n),
            Self::Loops => loops(&mut text, n),
            Self::Nest => nest(&mut text, n),
            Self::Sweeps => sweeps(&mut text, n),
            Self::Tiles => tiles(&mut text, n),
        }
        text
    }
}

/// Writes lines; a string cannot fail to take them.
macro_rules! emit {
    ($text:expr, $($arguments:tt)*) => {
        let _ = writeln!($text, $($arguments)*);
    };
}

const USE: &str = "func.func private @use(memref<?xf32>)";

fn many(text: &mut String, n: usize) {
    emit!(text, "{USE}");
    for k in 0..n {
        emit!(
            text,
            "
func.func @f{k}(%flag: i1, %size: index, %other: memref<?xf32>, %value: f32) -> memref<?xf32> {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = memref.alloc(%size) : memref<?xf32>
  %second = memref.alloc(%size) : memref<?xf32>
  %chosen = scf.if %flag -> (memref<?xf32>) {{
    scf.yield %first : memref<?xf32>
  }} else {{
    %third = memref.alloc(%size) : memref<?xf32>
    memref.copy %second, %third : memref<?xf32> to memref<?xf32>
    scf.yield %third : memref<?xf32>
  }}
  %last = scf.for %i = %zero to %size step %one iter_args(%before = %chosen) -> (memref<?xf32>) {{
    %next = memref.alloc(%size) : memref<?xf32>
    memref.store %value, %next[%i] : memref<?xf32>
    scf.yield %next : memref<?xf32>
  }}
  cf.cond_br %flag, ^bb1(%last : memref<?xf32>), ^bb2(%other : memref<?xf32>)
^bb1(%used: memref<?xf32>):
  func.call @use(%used) : (memref<?xf32>) -> ()
  cf.br ^bb3(%used : memref<?xf32>)
^bb2(%passed: memref<?xf32>):
  cf.br ^bb3(%passed : memref<?xf32>)
^bb3(%result: memref<?xf32>):
  return %result : memref<?xf32>
}}"
        );
    }
}

fn wide(text: &mut String, n: usize) {
    emit!(text, "{USE}\nfunc.func @wide(%flag: i1, %size: index) {{");
    for k in 0..n {
        emit!(
            text,
            "  %a{k} = memref.alloc(%size) : memref<?xf32>
  %b{k} = scf.if %flag -> (memref<?xf32>) {{
    scf.yield %a{k} : memref<?xf32>
  }} else {{
    %c{k} = memref.alloc(%size) : memref<?xf32>
    scf.yield %c{k} : memref<?xf32>
  }}"
        );
    }
    for k in 0..n {
        emit!(text, "  func.call @use(%b{k}) : (memref<?xf32>) -> ()");
    }
    emit!(text, "  return\n}}");
}

fn deep(text: &mut String, n: usize) {
    emit!(
        text,
        "{USE}
func.func @deep(%flag: i1, %size: index) {{
  %start = memref.alloc(%size) : memref<?xf32>
  cf.br ^head0(%start : memref<?xf32>)"
    );
    for k in 0..n {
        let next = k + 1;
        emit!(
            text,
            "^head{k}(%p{k}: memref<?xf32>):
  cf.cond_br %flag, ^new{k}, ^old{k}
^new{k}:
  %a{k} = memref.alloc(%size) : memref<?xf32>
  cf.br ^head{next}(%a{k} : memref<?xf32>)
^old{k}:
  func.call @use(%p{k}) : (memref<?xf32>) -> ()
  cf.br ^head{next}(%p{k} : memref<?xf32>)"
        );
    }
    emit!(
        text,
        "^head{n}(%end: memref<?xf32>):
  func.call @use(%end) : (memref<?xf32>) -> ()
  return
}}"
    );
}

fn chain(text: &mut String, n: usize) {
    emit!(
        text,
        "func.func @chain(%input: memref<64xf32>) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %size = arith.constant 64 : index"
    );
    let mut from = "%input".to_string();
    for k in 0..n {
        emit!(
            text,
            "  %a{k} = memref.alloc() : memref<64xf32>
  scf.for %i = %zero to %size step %one {{
    %x = memref.load {from}[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a{k}[%i] : memref<64xf32>
  }}"
        );
        from = format!("%a{k}");
    }
    emit!(
        text,
        "  memref.copy {from}, %input : memref<64xf32> to memref<64xf32>
  return
}}"
    );
}

fn line(text: &mut String, n: usize) {
    emit!(text, "{USE}\nfunc.func @line(%size: index) {{");
    for k in 0..n {
        emit!(text, "  %a{k} = memref.alloc(%size) : memref<?xf32>");
    }
    for k in 0..n {
        emit!(text, "  cf.br ^bb{k}\n^bb{k}:");
        emit!(text, "  %x{k} = arith.constant {k} : index");
    }
    for k in 0..n {
        emit!(text, "  func.call @use(%a{k}) : (memref<?xf32>) -> ()");
    }
    emit!(text, "  return\n}}");
}

/// From `^head0` through `n` branches on `%flag` to the label `^head{n}`, which is not written.
fn blocks_of_diamonds(text: &mut String, n: usize) {
    for k in 0..n {
        let next = k + 1;
        emit!(
            text,
            "^head{k}:
  cf.cond_br %flag, ^then{k}, ^else{k}
^then{k}:
  func.call @step() : () -> ()
  cf.br ^head{next}
^else{k}:
  cf.br ^head{next}"
        );
    }
}

fn diamonds(text: &mut String, n: usize) {
    emit!(text, "func.func private @step()");
    emit!(text, "func.func @diamonds(%flag: i1) {{\n  cf.br ^head0");
    blocks_of_diamonds(text, n);
    emit!(text, "^head{n}:\n  return\n}}");
}

fn through(text: &mut String, n: usize) {
    emit!(text, "{USE}\nfunc.func private @step()");
    emit!(text, "func.func @through(%flag: i1, %size: index) {{");
    for k in 0..n {
        emit!(text, "  %a{k} = memref.alloc(%size) : memref<?xf32>");
    }
    emit!(text, "  cf.br ^head0");
    blocks_of_diamonds(text, n);
    emit!(text, "^head{n}:");
    for k in 0..n {
        emit!(text, "  func.call @use(%a{k}) : (memref<?xf32>) -> ()");
    }
    emit!(text, "  return\n}}");
}

fn loops(text: &mut String, n: usize) {
    emit!(text, "{USE}\nfunc.func private @step()");
    emit!(text, "func.func @loops(%flag: i1, %size: index) {{");
    emit!(text, "  cf.br ^around\n^around:");
    for k in 0..n {
        emit!(text, "  %a{k} = memref.alloc(%size) : memref<?xf32>");
    }
    emit!(text, "  cf.br ^loop0");
    for k in 0..n {
        let next = k + 1;
        emit!(
            text,
            "^loop{k}:
  func.call @step() : () -> ()
  cf.cond_br %flag, ^loop{k}, ^loop{next}"
        );
    }
    emit!(text, "^loop{n}:");
    for k in 0..n {
        emit!(text, "  func.call @use(%a{k}) : (memref<?xf32>) -> ()");
    }
    emit!(
        text,
        "  cf.cond_br %flag, ^around, ^end\n^end:\n  return\n}}"
    );
}

fn block(text: &mut String, n: usize) {
    emit!(text, "{USE}\nfunc.func @block(%size: index) {{");
    for k in 0..n {
        emit!(
            text,
            "  %a{k} = memref.alloc(%size) : memref<?xf32>
  func.call @use(%a{k}) : (memref<?xf32>) -> ()"
        );
    }
    emit!(text, "  return\n}}");
}

fn nest(text: &mut String, n: usize) {
    emit!(
        text,
        "{USE}
func.func @nest(%size: index, %start: memref<?xf32>) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index"
    );
    let mut from = "%start".to_string();
    for k in 0..n {
        emit!(
            text,
            "scf.for %i{k} = %zero to %size step %one {{
  %a{k} = memref.alloc(%size) : memref<?xf32>
  memref.copy {from}, %a{k} : memref<?xf32> to memref<?xf32>"
        );
        from = format!("%a{k}");
    }
    emit!(text, "  func.call @use({from}) : (memref<?xf32>) -> ()");
    for _ in 0..n {
        emit!(text, "}}");
    }
    emit!(text, "  return\n}}");
}

fn sweeps(text: &mut String, n: usize) {
    emit!(
        text,
        "{USE}
func.func @sweeps(%from: memref<?xf32>, %to: memref<?xf32>, %size: index) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index"
    );
    for i in 0..n {
        emit!(
            text,
            "  %factor{i} = arith.constant {i}.5 : f32
  scf.for %i = %zero to %size step %one {{
    %x = memref.load %from[%i] : memref<?xf32>
    %y = arith.mulf %x, %factor{i} : f32
    %z = math.sqrt %y : f32
    memref.store %z, %to[%i] : memref<?xf32>
  }}
  func.call @use(%from) : (memref<?xf32>) -> ()"
        );
    }
    emit!(text, "  return\n}}");
}

fn tiles(text: &mut String, n: usize) {
    emit!(
        text,
        "func.func private @step()
func.func @tiles(%from: memref<64x64xf32>, %to: memref<64x64xf32>) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %size = arith.constant 64 : index"
    );
    for i in 0..n {
        emit!(
            text,
            "  %factor{i} = arith.constant {i}.5 : f32
  scf.for %i = %zero to %size step %one {{
    scf.for %j = %zero to %size step %one {{
      %x = memref.load %from[%i, %j] : memref<64x64xf32>
      %y = arith.mulf %x, %factor{i} : f32
      memref.store %y, %to[%j, %i] : memref<64x64xf32>
    }}
  }}
  func.call @step() : () -> ()"
        );
    }
    emit!(text, "  return\n}}");
}
