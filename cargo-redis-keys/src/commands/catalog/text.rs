//! The list as a table for people.

use std::io;

use crate::catalogue::{Catalogue, Key};
use crate::output::printable;
use crate::output::table::write_table;

/// Writes the list, with styles.
pub(super) fn write(catalogue: &Catalogue, width: Option<usize>, out: &mut dyn io::Write) -> io::Result<()> {
    let rows: Vec<_> = catalogue.keys.iter().map(row).collect();
    // The last segment of a key is its type.
    write_table(out, ["KEY", "EXPIRY", "VALUE", "SIZE", "OWNER", "DECLARED"], &rows, width)
}

fn row(key: &Key) -> [String; 6] {
    let expiry = match (key.pattern.as_deref(), key.expiry_brief()) {
        (Some(pattern), expiry) => format!("{expiry} ({pattern})"),
        (None, expiry) => expiry,
    };
    let texts = [
        key.template.clone(),
        expiry,
        key.stored().unwrap_or_default(),
        key.size_brief(),
        key.owner.clone().unwrap_or_default(),
        format!("{} {}:{}", key.name, key.file, key.line),
    ];
    texts.map(|text| printable(text.as_bytes()))
}
