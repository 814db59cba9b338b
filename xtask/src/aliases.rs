//! Aliases of items, by which a search on docs.rs finds them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::run::{Failure, Outcome, root, target};

/// The most letters of a name whose length the search index of rustdoc writes as one letter in front of it.
const SHORT: usize = 16;

/// Fails if the rendered documentation is not found by an alias of the sources. Rustdoc reads the aliases of an item
/// that is exported again only at the `pub use`.
pub(crate) fn rendered() -> Outcome {
    let mut names = String::new();
    for_each_file(&target().join("doc/search.index/name"), &mut |text| names.push_str(text))?;
    let mut aliases = BTreeSet::new();
    for_each_file(&root().join("redis-keys/src"), &mut |text| aliases.extend(aliases_of(text)))?;
    let missing: Vec<_> = aliases.iter().filter(|alias| !has(&names, alias)).map(String::as_str).collect();
    if aliases.is_empty() || !missing.is_empty() {
        return Err(Failure::new(format!(
            "a search in the documentation does not find the aliases {}: write them at the `pub use` as well",
            missing.join(", ")
        )));
    }
    println!("a search in the documentation finds all {} aliases", aliases.len());
    Ok(())
}

fn for_each_file(folder: &Path, read: &mut dyn FnMut(&str)) -> Outcome {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            for_each_file(&path, read)?;
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "js") {
            read(&String::from_utf8_lossy(&fs::read(&path)?));
        }
    }
    Ok(())
}

/// The aliases in the attributes of a source: `#[doc(alias("del", "delete"))]`.
fn aliases_of(source: &str) -> impl Iterator<Item = String> + '_ {
    let lists = source.split("doc(alias(").skip(1).filter_map(|rest| rest.split(')').next());
    lists.flat_map(|list| list.split('"').skip(1).step_by(2).map(str::to_owned))
}

/// Whether the names of a search index contain one.
fn has(names: &str, name: &str) -> bool {
    let length = u8::try_from(name.len()).ok().filter(|length| usize::from(*length) <= SHORT);
    let prefix = length.map_or(String::new(), |length| char::from(b'a' + length - 1).to_string());
    names.contains(&format!("{prefix}{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_is_found_with_its_length() {
        assert!(has("cgethpipelined", "pipeline"));
        assert!(!has("ipipelinescget", "pipeline"));
        assert!(has("zrangebyscore_limit_withscores", "zrangebyscore_limit_withscores"));
    }

    #[test]
    fn finds_aliases_in_attributes() {
        let source = "#[doc(alias(\"del\", \"lrange 0 -1\"))]\n#[doc(alias(\"pipe\"))]";
        assert_eq!(aliases_of(source).collect::<Vec<_>>(), ["del", "lrange 0 -1", "pipe"]);
    }
}
