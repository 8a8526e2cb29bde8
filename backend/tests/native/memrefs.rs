//! Buffers and views: each `@main` counts what is not as expected.

use libtest_mimic::Trial;

use crate::common::{Machine, Module, everywhere, host_options};
use crate::needs::trials;
use freehold_backend::jit::{Argument, Buffer};

/// A program made of `body`, in which `%bad` counts failed `check`s: lines of
/// the form `check %actual, <number> : <type>`.
fn program(declarations: &str, body: &str) -> Module {
    let mut text = String::new();
    let mut n = 0;
    for line in body.lines() {
        match line.trim().strip_prefix("check ") {
            None => text.push_str(line),
            Some(check) => {
                let (actual, rest) = check.split_once(", ").unwrap();
                let (expected, ty) = rest.split_once(" : ").unwrap();
                let compare = if ty.starts_with('f') {
                    format!("arith.cmpf une, {actual}, %expected{n}")
                } else {
                    format!("arith.cmpi ne, {actual}, %expected{n}")
                };
                text.push_str(&format!(
                    "%expected{n} = arith.constant {expected} : {ty}
                     %differs{n} = {compare} : {ty}
                     %differs32_{n} = arith.extui %differs{n} : i1 to i32
                     %number{n} = arith.constant {} : i32
                     %failed{n} = arith.muli %differs32_{n}, %number{n} : i32
                     func.call @bad(%failed{n}) : (i32) -> ()",
                    n + 1
                ));
                n += 1;
            }
        }
        text.push('\n');
    }
    // The number of the first failed check is the result.
    Module::parse(&format!(
        "memref.global \"private\" @first_bad : memref<i32> = dense<0>
         func.func private @bad(%n: i32) {{
           %g = memref.get_global @first_bad : memref<i32>
           %zero = arith.constant 0 : i32
           %old = memref.load %g[] : memref<i32>
           %none = arith.cmpi eq, %old, %zero : i32
           %new = arith.select %none, %n, %old : i32
           memref.store %new, %g[] : memref<i32>
           return
         }}
         {declarations}
         func.func @main() -> i32 {{
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c2 = arith.constant 2 : index
           %c3 = arith.constant 3 : index
           %c4 = arith.constant 4 : index
           {text}
           %g = memref.get_global @first_bad : memref<i32>
           %result = memref.load %g[] : memref<i32>
           return %result : i32
         }}"
    ))
}

/// `@fill(%m)` stores 0, 1, 2, ... row-major into a strided matrix.
const FILL: &str = "
    func.func private @fill(%m: memref<?x?xi32, strided<[?, ?], offset: ?>>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %rows = memref.dim %m, %c0 : memref<?x?xi32, strided<[?, ?], offset: ?>>
      %cols = memref.dim %m, %c1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
      cf.br ^rows(%c0 : index)
    ^rows(%i: index):
      %more_rows = arith.cmpi slt, %i, %rows : index
      cf.cond_br %more_rows, ^cols(%c0 : index), ^done
    ^cols(%j: index):
      %more_cols = arith.cmpi slt, %j, %cols : index
      cf.cond_br %more_cols, ^body, ^next
    ^body:
      %row = arith.muli %i, %cols : index
      %n = arith.addi %row, %j : index
      %v = arith.index_cast %n : index to i32
      memref.store %v, %m[%i, %j] : memref<?x?xi32, strided<[?, ?], offset: ?>>
      %j1 = arith.addi %j, %c1 : index
      cf.br ^cols(%j1 : index)
    ^next:
      %i1 = arith.addi %i, %c1 : index
      cf.br ^rows(%i1 : index)
    ^done:
      return
    }";

fn loads_and_stores(machine: Machine) {
    program(
        "",
        "%m = memref.alloc() : memref<3x4xf64>
         %v = arith.constant 2.5 : f64
         memref.store %v, %m[%c2, %c3] : memref<3x4xf64>
         %a = memref.load %m[%c2, %c3] : memref<3x4xf64>
         check %a, 2.5 : f64
         memref.dealloc %m : memref<3x4xf64>
         %z = memref.alloca() : memref<i7>
         %n = arith.constant -3 : i7
         memref.store %n, %z[] : memref<i7>
         %b = memref.load %z[] : memref<i7>
         check %b, -3 : i7
         %w = memref.alloc(%c4) : memref<?xi128>
         %big = arith.constant 170141183460469231731687303715884105727 : i128
         memref.store %big, %w[%c3] : memref<?xi128>
         %c = memref.load %w[%c3] : memref<?xi128>
         check %c, 170141183460469231731687303715884105727 : i128
         memref.dealloc %w : memref<?xi128>
         %i = memref.alloc() : memref<2xindex>
         memref.store %c4, %i[%c1] : memref<2xindex>
         %d = memref.load %i[%c1] : memref<2xindex>
         check %d, 4 : index
         memref.dealloc %i : memref<2xindex>
         %t = arith.constant true
         %p = memref.alloc() : memref<2xi1>
         memref.store %t, %p[%c1] : memref<2xi1>
         %e = memref.load %p[%c1] : memref<2xi1>
         check %e, 1 : i1
         memref.dealloc %p : memref<2xi1>",
    )
    .expect_zero(machine, "loads");
}

fn alignment_and_layouts(machine: Machine) {
    program(
        FILL,
        "%m = memref.alloc() {alignment = 256} : memref<5xi8>
         %p = memref.extract_aligned_pointer_as_index %m : memref<5xi8> -> index
         %mask = arith.constant 255 : index
         %r = arith.andi %p, %mask : index
         check %r, 0 : index
         memref.dealloc %m : memref<5xi8>
         %s = memref.alloca(%c3) {alignment = 64} : memref<?xi32>
         %q = memref.extract_aligned_pointer_as_index %s : memref<?xi32> -> index
         %mask2 = arith.constant 63 : index
         %r2 = arith.andi %q, %mask2 : index
         check %r2, 0 : index
         %l = memref.alloc() : memref<2x3xi32, strided<[7, 2], offset: 5>>
         %c = memref.cast %l : memref<2x3xi32, strided<[7, 2], offset: 5>> to memref<?x?xi32, strided<[?, ?], offset: ?>>
         func.call @fill(%c) : (memref<?x?xi32, strided<[?, ?], offset: ?>>) -> ()
         %v = memref.load %l[%c1, %c2] : memref<2x3xi32, strided<[7, 2], offset: 5>>
         check %v, 5 : i32
         memref.dealloc %l : memref<2x3xi32, strided<[7, 2], offset: 5>>
         %t = memref.alloc() : memref<3x2xi32, affine_map<(d0, d1) -> (d1, d0)>>
         %k = arith.constant 9 : i32
         memref.store %k, %t[%c2, %c1] : memref<3x2xi32, affine_map<(d0, d1) -> (d1, d0)>>
         %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %t : memref<3x2xi32, affine_map<(d0, d1) -> (d1, d0)>> -> memref<i32>, index, index, index, index, index
         check %strides#0, 1 : index
         check %strides#1, 3 : index
         memref.dealloc %t : memref<3x2xi32, affine_map<(d0, d1) -> (d1, d0)>>",
    )
    .expect_zero(machine, "layouts");
}

fn views(machine: Machine) {
    program(
        FILL,
        "%m = memref.alloc() : memref<4x6xi32>
         %any = memref.cast %m : memref<4x6xi32> to memref<?x?xi32, strided<[?, ?], offset: ?>>
         func.call @fill(%any) : (memref<?x?xi32, strided<[?, ?], offset: ?>>) -> ()
         %sub = memref.subview %m[1, %c2][2, 2][%c2, 1] : memref<4x6xi32> to memref<2x2xi32, strided<[?, 1], offset: ?>>
         %a = memref.load %sub[%c1, %c1] : memref<2x2xi32, strided<[?, 1], offset: ?>>
         check %a, 21 : i32
         %row = memref.subview %m[2, 0][1, 6][1, 1] : memref<4x6xi32> to memref<6xi32, strided<[1], offset: 12>>
         %b = memref.load %row[%c4] : memref<6xi32, strided<[1], offset: 12>>
         check %b, 16 : i32
         %subsub = memref.subview %sub[%c1, 0][1, 2][1, 1] : memref<2x2xi32, strided<[?, 1], offset: ?>> to memref<2xi32, strided<[1], offset: ?>>
         %c = memref.load %subsub[%c1] : memref<2xi32, strided<[1], offset: ?>>
         check %c, 21 : i32
         %t = memref.transpose %m (i, j) -> (j, i) : memref<4x6xi32> to memref<6x4xi32, strided<[1, 6]>>
         %d = memref.load %t[%c4, %c3] : memref<6x4xi32, strided<[1, 6]>>
         check %d, 22 : i32
         %e3 = memref.expand_shape %m [[0], [1, 2]] output_shape [4, 2, 3] : memref<4x6xi32> into memref<4x2x3xi32>
         %e = memref.load %e3[%c3, %c1, %c2] : memref<4x2x3xi32>
         check %e, 23 : i32
         %flat = memref.collapse_shape %m [[0, 1]] : memref<4x6xi32> into memref<24xi32>
         %c17 = arith.constant 17 : index
         %f = memref.load %flat[%c17] : memref<24xi32>
         check %f, 17 : i32
         %re = memref.reinterpret_cast %m to offset: [%c1], sizes: [3], strides: [%c4] : memref<4x6xi32> to memref<3xi32, strided<[?], offset: ?>>
         %g1 = memref.load %re[%c2] : memref<3xi32, strided<[?], offset: ?>>
         check %g1, 9 : i32
         %shape = memref.alloca() : memref<3xi64>
         %two = arith.constant 2 : i64
         %six = arith.constant 6 : i64
         memref.store %two, %shape[%c0] : memref<3xi64>
         memref.store %two, %shape[%c1] : memref<3xi64>
         memref.store %six, %shape[%c2] : memref<3xi64>
         %r = memref.reshape %m(%shape) : (memref<4x6xi32>, memref<3xi64>) -> memref<?x2x?xi32>
         %h = memref.load %r[%c1, %c1, %c1] : memref<?x2x?xi32>
         check %h, 19 : i32
         %dim = memref.dim %r, %c2 : memref<?x2x?xi32>
         check %dim, 6 : index
         memref.dealloc %m : memref<4x6xi32>",
    )
    .expect_zero(machine, "views");
}

fn byte_views(machine: Machine) {
    program(
        "",
        "%bytes = memref.alloc() : memref<64xi8>
         %n = arith.constant 2 : index
         %shift = arith.constant 8 : index
         %v = memref.view %bytes[%shift][%n] : memref<64xi8> to memref<?x4xf32>
         %x = arith.constant 1.5 : f32
         memref.store %x, %v[%c1, %c2] : memref<?x4xf32>
         %w = memref.view %bytes[%c0][] : memref<64xi8> to memref<16xi32>
         %at = arith.constant 8 : index
         %bits = memref.load %w[%at] : memref<16xi32>
         check %bits, 0x3fc00000 : i32
         %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
         %p = memref.extract_aligned_pointer_as_index %base : memref<f32> -> index
         %q = memref.extract_aligned_pointer_as_index %bytes : memref<64xi8> -> index
         %d = arith.subi %p, %q : index
         check %d, 8 : index
         %owner = deallocation.get_buffer %v : memref<?x4xf32>
         %buffer = deallocation.get_buffer %bytes : memref<64xi8>
         %same = arith.subi %owner, %buffer : index
         check %same, 0 : index
         memref.dealloc %bytes : memref<64xi8>",
    )
    .expect_zero(machine, "byte-views");
}

fn unranked(machine: Machine) {
    program(
        "func.func private @third(%u: memref<*xi32>) -> i32 {
           %c3 = arith.constant 3 : index
           %m = memref.cast %u : memref<*xi32> to memref<?xi32>
           %r = memref.load %m[%c3] : memref<?xi32>
           return %r : i32
         }
         func.func private @forget(%m: memref<?xi32>) -> memref<*xi32> {
           %u = memref.cast %m : memref<?xi32> to memref<*xi32>
           return %u : memref<*xi32>
         }",
        "%m = memref.alloc(%c4) : memref<?xi32>
         %v = arith.constant 77 : i32
         memref.store %v, %m[%c3] : memref<?xi32>
         %u = func.call @forget(%m) : (memref<?xi32>) -> memref<*xi32>
         %r = func.call @third(%u) : (memref<*xi32>) -> i32
         check %r, 77 : i32
         %rank = memref.rank %u : memref<*xi32>
         check %rank, 1 : index
         %dim = memref.dim %u, %c0 : memref<*xi32>
         check %dim, 4 : index
         %shape = memref.alloca() : memref<2xindex>
         memref.store %c2, %shape[%c0] : memref<2xindex>
         memref.store %c2, %shape[%c1] : memref<2xindex>
         %n = memref.cast %shape : memref<2xindex> to memref<?xindex>
         %w = memref.reshape %u(%n) : (memref<*xi32>, memref<?xindex>) -> memref<*xi32>
         %rank2 = memref.rank %w : memref<*xi32>
         check %rank2, 2 : index
         %square = memref.cast %w : memref<*xi32> to memref<2x2xi32>
         %s = memref.load %square[%c1, %c1] : memref<2x2xi32>
         check %s, 77 : i32
         %copy = memref.alloc() : memref<2x2xi32>
         memref.copy %w, %copy : memref<*xi32> to memref<2x2xi32>
         %t = memref.load %copy[%c1, %c1] : memref<2x2xi32>
         check %t, 77 : i32
         memref.dealloc %u : memref<*xi32>
         memref.dealloc %copy : memref<2x2xi32>",
    )
    .expect_zero(machine, "unranked");
}

/// Descriptors in stack slots must not be overwritten while a loop carries them.
fn carried_stack_memory(machine: Machine) {
    program(
        "func.func private @carry(%n: index) -> i32 {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %zero = arith.constant 0 : i32
           %first = memref.alloca() : memref<1xi32>
           memref.store %zero, %first[%c0] : memref<1xi32>
           %u0 = memref.cast %first : memref<1xi32> to memref<*xi32>
           cf.br ^loop(%c0, %first, %u0 : index, memref<1xi32>, memref<*xi32>)
         ^loop(%i: index, %prev: memref<1xi32>, %prev_u: memref<*xi32>):
           %more = arith.cmpi slt, %i, %n : index
           cf.cond_br %more, ^body, ^done
         ^body:
           %next = memref.alloca() : memref<1xi32>
           %value = arith.index_cast %i : index to i32
           memref.store %value, %next[%c0] : memref<1xi32>
           %next_u = memref.cast %next : memref<1xi32> to memref<*xi32>
           %old = memref.cast %prev_u : memref<*xi32> to memref<1xi32>
           %a = memref.load %old[%c0] : memref<1xi32>
           %b = memref.load %prev[%c0] : memref<1xi32>
           %ab = arith.addi %a, %b : i32
           %sum = arith.addi %ab, %value : i32
           memref.store %sum, %next[%c0] : memref<1xi32>
           %i1 = arith.addi %i, %c1 : index
           cf.br ^loop(%i1, %next, %next_u : index, memref<1xi32>, memref<*xi32>)
         ^done:
           %r = memref.load %prev[%c0] : memref<1xi32>
           return %r : i32
         }",
        // s(0) = 0, s(i+1) = 2 s(i) + i
        "%r = func.call @carry(%c4) : (index) -> i32
         check %r, 11 : i32
         %big = arith.constant 1000000 : index
         %large = memref.alloca(%big) : memref<?xi64>
         %last = arith.subi %big, %c1 : index
         %v = arith.constant 5 : i64
         memref.store %v, %large[%last] : memref<?xi64>
         %l = memref.load %large[%last] : memref<?xi64>
         check %l, 5 : i64
         %s = memref.alloca_scope -> (i64) {
           %inner = memref.alloca(%c3) : memref<?xi64>
           memref.store %v, %inner[%c2] : memref<?xi64>
           %x = memref.load %inner[%c2] : memref<?xi64>
           memref.alloca_scope.return %x : i64
         }
         check %s, 5 : i64",
    )
    .expect_zero(machine, "carried");
}

fn copies(machine: Machine) {
    program(
        FILL,
        "%m = memref.alloc() : memref<4x6xi32>
         %any = memref.cast %m : memref<4x6xi32> to memref<?x?xi32, strided<[?, ?], offset: ?>>
         func.call @fill(%any) : (memref<?x?xi32, strided<[?, ?], offset: ?>>) -> ()
         %whole = memref.alloc() : memref<4x6xi32>
         memref.copy %m, %whole : memref<4x6xi32> to memref<4x6xi32>
         %a = memref.load %whole[%c3, %c4] : memref<4x6xi32>
         check %a, 22 : i32
         %t = memref.transpose %m (i, j) -> (j, i) : memref<4x6xi32> to memref<6x4xi32, strided<[1, 6]>>
         %flipped = memref.alloc() : memref<6x4xi32>
         memref.copy %t, %flipped : memref<6x4xi32, strided<[1, 6]>> to memref<6x4xi32>
         %b = memref.load %flipped[%c4, %c3] : memref<6x4xi32>
         check %b, 22 : i32
         %part = memref.subview %m[1, 1][2, 3][1, 1] : memref<4x6xi32> to memref<2x3xi32, strided<[6, 1], offset: 7>>
         %small = memref.alloc(%c2, %c3) : memref<?x?xi32>
         %wide = memref.cast %part : memref<2x3xi32, strided<[6, 1], offset: 7>> to memref<?x?xi32, strided<[?, 1], offset: ?>>
         memref.copy %wide, %small : memref<?x?xi32, strided<[?, 1], offset: ?>> to memref<?x?xi32>
         %c = memref.load %small[%c1, %c2] : memref<?x?xi32>
         check %c, 15 : i32
         %none = memref.alloc(%c0, %c3) : memref<?x?xi32>
         %none2 = memref.alloc(%c0, %c3) : memref<?x?xi32>
         memref.copy %none, %none2 : memref<?x?xi32> to memref<?x?xi32>
         %s0 = memref.alloc() : memref<i64>
         %s1 = memref.alloc() : memref<i64>
         %v = arith.constant 9 : i64
         memref.store %v, %s0[] : memref<i64>
         memref.copy %s0, %s1 : memref<i64> to memref<i64>
         %d = memref.load %s1[] : memref<i64>
         check %d, 9 : i64",
    )
    .expect_zero(machine, "copies");
}

fn globals(machine: Machine) {
    program(
        "memref.global constant @table : memref<2x3xi16> = dense<[[1, -2, 3], [4, 5, -6]]>
         memref.global \"private\" @state : memref<4xf32> = uninitialized
         memref.global @ones : memref<100xi1> = dense<true>
         memref.global \"private\" constant @odd : memref<3xi24> = dense<[-1, 7, -8]>
         memref.global @aligned : memref<3xi8> = dense<1> {alignment = 1024}",
        "%t = memref.get_global @table : memref<2x3xi16>
         %a = memref.load %t[%c1, %c2] : memref<2x3xi16>
         check %a, -6 : i16
         %s = memref.get_global @state : memref<4xf32>
         %x = arith.constant 0.25 : f32
         memref.store %x, %s[%c3] : memref<4xf32>
         %s2 = memref.get_global @state : memref<4xf32>
         %b = memref.load %s2[%c3] : memref<4xf32>
         check %b, 0.25 : f32
         %o = memref.get_global @ones : memref<100xi1>
         %c99 = arith.constant 99 : index
         %c = memref.load %o[%c99] : memref<100xi1>
         check %c, 1 : i1
         %odd = memref.get_global @odd : memref<3xi24>
         %d = memref.load %odd[%c2] : memref<3xi24>
         check %d, -8 : i24
         %al = memref.get_global @aligned : memref<3xi8>
         %p = memref.extract_aligned_pointer_as_index %al : memref<3xi8> -> index
         %mask = arith.constant 1023 : index
         %r = arith.andi %p, %mask : index
         check %r, 0 : index",
    )
    .expect_zero(machine, "globals");
}

fn memrefs_of_memrefs(machine: Machine) {
    program(
        "",
        "%outer = memref.alloc() : memref<2xmemref<?xi32>>
         %inner = memref.alloc(%c4) : memref<?xi32>
         %v = arith.constant 3 : i32
         memref.store %v, %inner[%c2] : memref<?xi32>
         memref.store %inner, %outer[%c1] : memref<2xmemref<?xi32>>
         %back = memref.load %outer[%c1] : memref<2xmemref<?xi32>>
         %a = memref.load %back[%c2] : memref<?xi32>
         check %a, 3 : i32
         %n = memref.dim %back, %c0 : memref<?xi32>
         check %n, 4 : index
         memref.dealloc %back : memref<?xi32>
         memref.dealloc %outer : memref<2xmemref<?xi32>>",
    )
    .expect_zero(machine, "nested");
}

fn atomics(machine: Machine) {
    let mut body = String::from(
        "%i = memref.alloc() : memref<2xi32>
         %n = memref.alloc() : memref<2xi7>
         %f = memref.alloc() : memref<2xf32>
         %h = memref.alloc() : memref<2xf16>\n",
    );
    // Kind, old value, operand, new value.
    let integers = [
        ("addi", 40, 50, 90),
        ("muli", 5, -3, -15),
        ("andi", 12, 10, 8),
        ("ori", 12, 3, 15),
        ("assign", 1, 2, 2),
        ("maxs", -5, 3, 3),
        ("mins", -5, 3, -5),
        ("maxu", -5, 3, -5),
        ("minu", -5, 3, 3),
    ];
    let floats = [
        ("addf", "1.5", "2.0", "3.5"),
        ("mulf", "1.5", "2.0", "3.0"),
        ("maximumf", "1.5", "2.0", "2.0"),
        ("minimumf", "1.5", "2.0", "1.5"),
        ("maxnumf", "1.5", "-2.0", "1.5"),
        ("minnumf", "1.5", "-2.0", "-2.0"),
        ("assign", "1.5", "-2.0", "-2.0"),
    ];
    let mut n = 0;
    let mut case = |memref: &str, ty: &str, kind: &str, old: &str, operand: &str, new: &str| {
        body.push_str(&format!(
            "%old{n} = arith.constant {old} : {ty}
             memref.store %old{n}, {memref}[%c1] : memref<2x{ty}>
             %operand{n} = arith.constant {operand} : {ty}
             %got{n} = memref.atomic_rmw {kind} %operand{n}, {memref}[%c1] : ({ty}, memref<2x{ty}>) -> {ty}
             check %got{n}, {old} : {ty}
             %new{n} = memref.load {memref}[%c1] : memref<2x{ty}>
             check %new{n}, {new} : {ty}\n"
        ));
        n += 1;
    };
    for (kind, old, operand, new) in integers {
        for (memref, ty) in [("%i", "i32"), ("%n", "i7")] {
            // 90 does not fit in i7.
            let new = if ty == "i7" && new == 90 { -38 } else { new };
            let number = |n: i32| n.to_string();
            case(
                memref,
                ty,
                kind,
                &number(old),
                &number(operand),
                &number(new),
            );
        }
    }
    for (kind, old, operand, new) in floats {
        case("%f", "f32", kind, old, operand, new);
        case("%h", "f16", kind, old, operand, new);
    }
    body.push_str(
        "%start = arith.constant 20 : i32
         memref.store %start, %i[%c0] : memref<2xi32>
         %seen = memref.generic_atomic_rmw %i[%c0] : memref<2xi32> {
         ^bb0(%current: i32):
           %double = arith.addi %current, %current : i32
           memref.atomic_yield %double : i32
         }
         check %seen, 20 : i32
         %doubled = memref.load %i[%c0] : memref<2xi32>
         check %doubled, 40 : i32",
    );
    program("", &body).expect_zero(machine, "atomics");
}

fn poison_and_casts(machine: Machine) {
    program(
        "",
        "%p = ub.poison : i32
         %m = ub.poison : memref<?xf32>
         %n = ub.poison : memref<*xf32>
         %q = ub.poison : complex<f32>
         %u = builtin.unrealized_conversion_cast %c3 : index to i64
         check %u, 3 : i64
         %null = deallocation.null
         deallocation.free %null
         %a = memref.alloc() : memref<2xi8>
         %own = deallocation.own %a : memref<2xi8>
         deallocation.free %own",
    )
    .expect_zero(machine, "poison");
}

fn rust_passes_and_receives_memrefs() {
    let module = Module::parse(
        "func.func @double(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %u: memref<*xi16>)
             -> (memref<2x3xf32>, i16, memref<*xi16>) {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %r = memref.alloc() : memref<2x3xf32>
           %s = memref.cast %m : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<2x3xf32, strided<[?, ?], offset: ?>>
           memref.copy %s, %r : memref<2x3xf32, strided<[?, ?], offset: ?>> to memref<2x3xf32>
           %x = memref.load %r[%c1, %c1] : memref<2x3xf32>
           %y = arith.addf %x, %x : f32
           memref.store %y, %m[%c0, %c0] : memref<?x?xf32, strided<[?, ?], offset: ?>>
           %v = memref.cast %u : memref<*xi16> to memref<4xi16>
           %e = memref.load %v[%c1] : memref<4xi16>
           return %r, %e, %u : memref<2x3xf32>, i16, memref<*xi16>
         }",
    );
    for options in host_options() {
        let jit = module.jit(&options);
        // A 2x3 matrix stored by columns, after one number.
        let mut data = [0.0f32, 1.0, 4.0, 2.0, 5.0, 3.0, 6.0];
        let mut numbers = [7i16, -8, 9, 10];
        {
            let matrix = Buffer::strided(&mut data, 1, &[2, 3], &[1, 2]);
            let numbers = Buffer::new(&mut numbers, &[4]);
            let arguments = [Argument::MemRef(&matrix), Argument::MemRef(&numbers)];
            let results = jit.call("double", &arguments).unwrap();
            let memref = results[0].as_memref().unwrap();
            let elements = memref.to_vec::<f32>().unwrap();
            assert_eq!(elements, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
            assert_eq!(results[1].as_int(), Some(-8));
            let same = results[2].as_memref().unwrap();
            assert_eq!(same.to_vec::<i16>().unwrap(), [7, -8, 9, 10]);
            assert!(jit.call("double", &arguments[..1]).is_err());
            let swapped = jit.call("double", &[arguments[1], arguments[0]]);
            assert_eq!(
                swapped.unwrap_err().to_string(),
                "argument #0 of function 'double' is memref<?x?xf32, strided<[?, ?], offset: ?>>, not 4xi16"
            );
        }
        assert_eq!(data[1], 10.0);
    }
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    [
        trials![rust_passes_and_receives_memrefs,],
        everywhere![
            loads_and_stores,
            alignment_and_layouts,
            views,
            byte_views,
            unranked,
            carried_stack_memory,
            copies,
            globals,
            memrefs_of_memrefs,
            atomics,
            poison_and_casts,
        ],
    ]
    .into_iter()
    .flatten()
    .collect()
}
