//! File metadata as text.

use super::Printer;
use crate::ir::asm::OpAsmPrinter as _;
use crate::ir::data::Ir;
use crate::syntax::metadata::{self, Entry, Value};

impl Printer<'_> {
    /// Writes `{-# ... #-}`: resources of dialects that were referred to, in
    /// that order, and those of other tools.
    pub(super) fn file_metadata(&mut self, ir: &Ir) {
        let entries = metadata::entries(ir);
        let used = std::mem::take(&mut self.used_resources);
        let of_dialects: Vec<Entry<'_>> = used
            .iter()
            .filter_map(|key| {
                // Of several definitions the last counts.
                let of_key = |entry: &&Entry<'_>| entry.of_dialect && *entry.key == **key;
                entries.iter().rfind(of_key).copied()
            })
            .collect();
        let external: Vec<Entry<'_>> = entries
            .iter()
            .filter(|entry| !entry.of_dialect)
            .copied()
            .collect();
        let sections = [
            ("dialect_resources", of_dialects),
            ("external_resources", external),
        ];
        let mut n_written = 0;
        for (name, entries) in sections.iter().filter(|section| !section.1.is_empty()) {
            self.text(if n_written == 0 { "\n{-#\n  " } else { ",\n  " });
            self.text(name);
            self.text(": {");
            self.resource_groups(entries);
            self.text("\n  }");
            n_written += 1;
        }
        if n_written > 0 {
            self.text("\n#-}\n");
        }
    }

    fn resource_groups(&mut self, entries: &[Entry<'_>]) {
        let mut group = "";
        for entry in entries {
            if entry.group == group {
                self.text(",\n      ");
            } else {
                self.text(if group.is_empty() {
                    "\n    "
                } else {
                    "\n    },\n    "
                });
                self.keyword_or_string(entry.group);
                self.text(": {\n      ");
                group = entry.group;
            }
            self.keyword_or_string(entry.key);
            self.text(": ");
            match entry.value {
                Value::Bytes { alignment, bytes } => {
                    let alignment = alignment.to_le_bytes().into_iter();
                    self.hex_string(alignment.chain(bytes.iter().copied()));
                }
                Value::Text(text) => self.text(text),
            }
        }
        self.text("\n    }");
    }
}
