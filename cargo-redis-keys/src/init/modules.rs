//! The modules of a catalogue, and what their keys have in common.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use redis_keys_schema::Window;

use crate::catalogue::{Catalogue, Key};

/// The name of the module whose `ttl` applies to the locks of all modules.
const LOCK: &str = "lock";

/// A module, and what its keys have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Module {
    pub(super) name: String,
    keys: usize,
    types: BTreeSet<String>,
    owners: BTreeSet<Option<String>>,
    /// The shortest and the longest expiry. `None` is no expiry at all.
    ttls: Vec<Option<u64>>,
}

/// The modules, sorted by name.
pub(super) fn of(catalogue: &Catalogue) -> Vec<Module> {
    let mut modules: BTreeMap<&str, Module> = BTreeMap::new();
    for key in &catalogue.keys {
        let module = modules.entry(key.business_module()).or_default();
        module.keys += 1;
        module.types.insert(key.kind.clone());
        module.owners.insert(key.owner.clone());
        let is_lock = key.pattern.as_deref() == Some(LOCK);
        if has_usual_expiry(key) && !is_lock {
            module.ttls.push(key.ttl_ms);
        }
    }
    let locks = catalogue.keys.iter().filter(|key| key.pattern.as_deref() == Some(LOCK));
    if let Some(module) = modules.get_mut(LOCK) {
        module.ttls.extend(locks.map(|key| key.ttl_ms));
    }
    modules.into_iter().map(|(name, module)| Module { name: name.to_owned(), ..module }).collect()
}

/// Whether the range of the module's expiry applies to a key: one that expires with a bucket lives longer than its ttl.
fn has_usual_expiry(key: &Key) -> bool {
    key.ttl_from_end_of.is_none()
}

impl Module {
    /// The table of the module, as a comment.
    pub(super) fn table(&self) -> String {
        // TOML reads a `.` without quotes as a nested table.
        let name = if self.name.contains('.') { format!("\"{}\"", self.name) } else { self.name.clone() };
        let keys = if self.keys == 1 { "1 key".to_owned() } else { format!("{} keys", self.keys) };
        let types: Vec<_> = self.types.iter().map(|kind| format!("\"{kind}\"")).collect();
        let mut text = format!("# [module.{name}]   # {keys}\n");
        if let Some(range) = self.range() {
            let _ = writeln!(text, "# ttl = \"{range}\"");
        }
        let _ = writeln!(text, "# types = [{}]", types.join(", "));
        text + &format!("# owner = {}\n", self.owner())
    }

    /// The range of the expiry, if there is one.
    fn range(&self) -> Option<Window> {
        let known = || self.ttls.iter().flatten().copied().map(Duration::from_millis);
        let longest = if self.ttls.contains(&None) { None } else { known().max() };
        Some(Window { min: Some(known().min()?), max: longest })
    }

    /// The owner that all keys have, in quotes, or an example.
    fn owner(&self) -> String {
        let mut owners = self.owners.iter().flatten();
        let owner = owners.next().filter(|_| self.owners.len() == 1).map_or("web team", String::as_str);
        // As in JSON: a basic string of TOML has the same escapes.
        serde_json::Value::from(owner).to_string().replace('\u{7f}', "\\u007f")
    }
}
