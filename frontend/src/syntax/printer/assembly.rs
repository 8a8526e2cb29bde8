//! What print functions of operations use: text, values, types, attributes,
//! blocks and regions.

use super::Printer;
use super::attrs::TypeElision;
use super::{is_bare_identifier, numbers};
use crate::ir::affine::AffineMap;
use crate::ir::asm::OpAsmPrinter;
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Region, Value};
use crate::ir::names::Name;
use crate::ir::types::Type;
use crate::ir::version::MlirVersion;

impl OpAsmPrinter for Printer<'_> {
    fn mlir_version(&self) -> MlirVersion {
        let version = self.options.mlir_version;
        version.unwrap_or_else(|| self.context.version_read())
    }

    // Text.

    fn text(&mut self, text: &str) {
        if !self.collecting {
            self.out.push_str(text);
        }
    }

    fn integer(&mut self, value: i64) {
        if !self.collecting {
            numbers::push_integer(&mut self.out, value);
        }
    }

    fn newline(&mut self) {
        self.text("\n");
        self.indentation();
    }

    fn indented(&mut self, write: &mut dyn FnMut(&mut dyn OpAsmPrinter)) {
        self.indent += 2;
        write(self);
        self.indent -= 2;
    }

    fn string(&mut self, text: &str) {
        self.quoted(text.as_bytes());
    }

    fn keyword_or_string(&mut self, text: &str) {
        if is_bare_identifier(text) {
            self.text(text);
        } else {
            self.string(text);
        }
    }

    fn symbol_name(&mut self, name: &str) {
        self.text("@");
        self.keyword_or_string(name);
    }

    // Values.

    fn value(&mut self, value: Value) {
        if !self.collecting {
            self.names.write_value(&mut self.out, value, true);
        }
    }

    fn values(&mut self, values: &[Value]) {
        for (i, &value) in values.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.value(value);
        }
    }

    fn integer_list(&mut self, integers: &[i64]) {
        self.text("[");
        for (i, integer) in integers.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.text(&integer.to_string());
        }
        self.text("]");
    }

    fn shadow(&mut self, arguments: &[Value], values: &[Value]) {
        for (&argument, &value) in arguments.iter().zip(values) {
            self.names.shadow(argument, value);
        }
    }

    fn region_argument(&mut self, ir: &Ir, value: Value) {
        self.region_argument_with_attrs(ir, value, &[]);
    }

    fn region_argument_with_attrs(&mut self, ir: &Ir, value: Value, attrs: &[(Name, Attr)]) {
        self.value(value);
        self.text(": ");
        self.ty(ir.value_type(value));
        if !attrs.is_empty() {
            self.text(" ");
            self.dict(attrs);
        }
        self.argument_loc(ir.value_loc(value));
    }

    // Types and attributes.

    fn types(&mut self, types: &[Type]) {
        for (i, &ty) in types.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.ty(ty);
        }
    }

    fn types_of(&mut self, ir: &Ir, values: &[Value]) {
        for (i, &value) in values.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.ty(ir.value_type(value));
        }
    }

    fn opt_arrow_types(&mut self, types: &[Type]) {
        if types.is_empty() {
            return;
        }
        self.text(" -> ");
        self.result_types(types);
    }

    fn functional_type(&mut self, inputs: &[Type], results: &[Type]) {
        self.text("(");
        self.types(inputs);
        self.text(") -> ");
        self.result_types(results);
    }

    fn attr(&mut self, attr: Attr) {
        self.write_attr(attr, TypeElision::Never);
    }

    fn attr_without_type(&mut self, attr: Attr) {
        self.write_attr(attr, TypeElision::Must);
    }

    fn opt_attr_dict(&mut self, ir: &Ir, op: Op, except: &[Name]) {
        self.attr_dict_after("", ir.attrs(op), except);
    }

    fn opt_attr_dict_with_keyword(&mut self, ir: &Ir, op: Op, except: &[Name]) {
        self.attr_dict_after(" attributes", ir.attrs(op), except);
    }

    fn dict(&mut self, entries: &[(Name, Attr)]) {
        self.text("{");
        for (i, &(name, attr)) in entries.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.named_attr(name, attr);
        }
        self.text("}");
    }

    // Blocks and regions.

    fn successor(&mut self, block: Block) {
        if !self.collecting {
            self.names.write_block(&mut self.out, block);
        }
    }

    fn successor_with_operands(&mut self, ir: &Ir, block: Block, operands: &[Value]) {
        self.successor(block);
        if operands.is_empty() {
            return;
        }
        self.text("(");
        self.values(operands);
        self.text(" : ");
        self.types_of(ir, operands);
        self.text(")");
    }

    fn region(&mut self, ir: &Ir, region: Region, entry_args: bool, terminators: bool) {
        self.write_region(ir, region, entry_args, terminators, false);
    }

    // Operations.

    fn generic_op(&mut self, ir: &Ir, op: Op) {
        let def = ir.def(op);
        let name = match def.name_22 {
            Some(_) => def.name_in(self.mlir_version()),
            None => ir.op_name(op),
        };
        self.quoted(name.as_bytes());
        self.generic_rest(ir, op);
    }

    fn inline_op(&mut self, ir: &Ir, op: Op) {
        self.op_after_results(ir, op);
    }

    fn affine_map_of_ssa_ids(&mut self, map: &AffineMap, operands: &[Value]) {
        for (i, expr) in map.results.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.affine_expr_of_ssa_ids(expr, map.n_dims as usize, operands);
        }
    }

    fn ty(&mut self, ty: Type) {
        Printer::ty(self, ty)
    }

    fn dimension_list(&mut self, shape: &[i64]) {
        Printer::dimension_list(self, shape)
    }
}
