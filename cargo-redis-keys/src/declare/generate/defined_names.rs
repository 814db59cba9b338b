//! The names that a generated file defines: of keys, and of the enums that they have as parameters.

use std::collections::HashMap;

use super::builder::{Builder, Field};
use super::names::pascal;
use crate::Failure;
use crate::declare::catalog::Argument;

/// The enums that parameters have, with the texts of their variants, by name.
pub(crate) fn enums<'c>(builders: &[Builder<'c>]) -> Vec<(String, Vec<&'c str>)> {
    let mut enums: Vec<_> = builders.iter().flat_map(|builder| &builder.fields).filter_map(enum_of).collect();
    enums.sort();
    enums.dedup();
    enums
}

fn enum_of<'c>(field: &Field<'c>) -> Option<(String, Vec<&'c str>)> {
    let Argument::Names { type_name, variants } = field.argument else { return None };
    Some((pascal(type_name), variants.iter().map(|variant| variant.text.as_str()).collect()))
}

/// Checks that no two keys or enums define the same name, and that none defines a name that the file needs.
pub(super) fn check(
    builders: &[Builder<'_>],
    enums: &[(String, Vec<&str>)],
    reserved: &[&str],
    names: impl Fn(&Builder<'_>) -> Vec<String>,
) -> Result<(), Failure> {
    const NARROW: &str = "write them to two files by `--module`, the first word of a key, or rename a type";
    let keys =
        builders.iter().flat_map(|builder| names(builder).into_iter().map(|name| (name, builder.key.full_name())));
    let enums = enums.iter().map(|one| {
        let key = builders.iter().find(|builder| builder.fields.iter().filter_map(enum_of).any(|of| of == *one));
        let of = key.map(|builder| format!(" of {}", builder.key.full_name())).unwrap_or_default();
        (one.0.clone(), format!("enum {}{of}", one.0))
    });
    let mut known: HashMap<String, String> = HashMap::new();
    for (name, of) in enums.chain(keys) {
        if reserved.contains(&name.as_str()) {
            let message = format!("the generated name `{name}` of `{of}` is reserved");
            return Err(Failure::new(message).help("rename the type"));
        }
        if let Some(other) = known.insert(name.clone(), of.clone()) {
            return Err(Failure::new(format!("`{other}` and `{of}` would both be `{name}`")).help(NARROW));
        }
    }
    Ok(())
}

/// Checks that no two fields of a key have the same name in the file.
pub(super) fn check_fields(builders: &[Builder<'_>], name_of: impl Fn(&str) -> String) -> Result<(), Failure> {
    for Builder { key, fields, .. } in builders {
        let mut known: HashMap<String, &str> = HashMap::new();
        for field in fields {
            let name = name_of(field.name);
            if let Some(other) = known.insert(name.clone(), field.name) {
                let fields = format!("the fields `{other}` and `{}` of `{}`", field.name, key.full_name());
                return Err(Failure::new(format!("{fields} would both be `{name}`")).help("rename a field"));
            }
        }
    }
    Ok(())
}
