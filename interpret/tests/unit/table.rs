//! The table of operations and the lists of those that are not interpreted.

use freehold_frontend::dialects;

use freehold_interpret::missing::{DECLARATIONS, DIALECTS, OPERATIONS};
use freehold_interpret::table::is_interpreted;

/// Every row is in the table, or in one list of those that are not.
#[test]
fn every_row_is_known() {
    let mut complaints = Vec::new();
    for row in dialects::ALL.iter().flat_map(|dialect| dialect.ops) {
        let lists = [
            is_interpreted(row),
            DIALECTS.contains(&row.dialect()),
            DECLARATIONS.contains(&row.name),
            OPERATIONS.contains(&row.name),
        ];
        let n = lists.into_iter().filter(|&is_in| is_in).count();
        if n == 0 || lists[0] && n > 1 && !lists[1] {
            complaints.push(row.name);
        }
    }
    let known = |name: &&&str| {
        let mut rows = dialects::ALL.iter().flat_map(|dialect| dialect.ops);
        !rows.any(|row| row.name == **name)
    };
    complaints.extend(OPERATIONS.iter().chain(DECLARATIONS).filter(known));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(OPERATIONS.is_sorted());
}
