//! `init`: writes a policy file for the keys that are there, or tells coding agents how keys are declared.
//!
//! Only the list of modules is in force. All other settings are comments, with their defaults, or with values that the
//! keys of the project already fulfil.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use clap::Args;
use redis_keys_core::schema::Role;
use redis_keys_schema::{FOREIGN_SYSTEMS, Kind, Level, Lint, POLICY_FILE, Window, limits};

use crate::Failure;
use crate::declare::catalog::{Catalog, Key};
use crate::declare::explain::{Article, Topic};
use crate::declare::sources::Project;
use crate::declare::{Selection, catalog_of, if_exists};
use crate::file::{Access, NewFile};
use crate::outcome::Outcome;

/// Write a policy file, redis-keys.toml
///
/// It lists the modules of the keys that the project declares, and has all other settings as comments. A file that
/// exists is not changed.
///
/// With `--agents`, it adds a section to AGENTS.md instead.
#[derive(Args)]
pub(crate) struct InitArgs {
    /// Write to stdout, even if there is a file
    #[arg(long)]
    stdout: bool,
    /// Tell coding agents in AGENTS.md how keys are declared and checked
    #[arg(long)]
    agents: bool,
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
}

pub(crate) fn run(args: &InitArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    // Tests and examples do not compile either if their modules are missing.
    let selection = Selection {
        manifest_path: args.manifest_path.clone(),
        all_features: true,
        tests: true,
        examples: true,
        ..Selection::default()
    };
    if args.agents {
        return tell_agents(args, &selection, out);
    }
    let policy = policy_text(&catalog_of(&selection)?);
    if args.stdout {
        out.write_all(policy.as_bytes())?;
        return Ok(Outcome::Fine);
    }
    let project = Project::load(&selection)?;
    let path = project.root.join(POLICY_FILE);
    let help = "edit it, or write a new one to stdout with `--stdout`";
    NewFile::write(&path, policy.as_bytes(), Access::Usual, help)?;
    message!("wrote `{}`", path.display());
    // Cargo tracks the files that existed at the last build.
    message!("note: cargo does not notice a new policy file: touch the sources once, or run `cargo clean`");
    message!("{VALUES}");
    if let Some(client) = project.packages.iter().find_map(|package| package.redis_client()) {
        message!("{}", next_steps(client));
    }
    Ok(Outcome::Fine)
}

/// Adds the section to AGENTS.md, unless it is there.
fn tell_agents(args: &InitArgs, selection: &Selection, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    const SECTION: &str = include_str!("init/agents.md");
    if args.stdout {
        out.write_all(SECTION.as_bytes())?;
        return Ok(Outcome::Fine);
    }
    let path = Project::load(selection)?.root.join("AGENTS.md");
    let before = if_exists(&path, fs::read_to_string(&path))?.unwrap_or_default();
    if before.contains(SECTION.lines().next().unwrap_or_default()) {
        message!("note: `{}` has the section already", path.display());
        return Ok(Outcome::Fine);
    }
    let gap = if before.is_empty() { "" } else { "\n" };
    fs::write(&path, format!("{before}{gap}{SECTION}")).map_err(Failure::writing(&path))?;
    message!("wrote `{}`", path.display());
    Ok(Outcome::Fine)
}

/// The step that CI needs a committed file for.
const VALUES: &str = "\
note: CI can reject changes of types whose stored values other releases cannot read. Write their shapes once, commit the \
file, and compare with it in CI:
  cargo redis-keys values --accept
  cargo redis-keys values --check";

/// The next steps in a project that sends commands by itself.
fn next_steps(client: &str) -> String {
    format!(
        "note: the project uses `{client}`. To let CI reject new commands outside of declarations, write a baseline of \
         those that are there, and check against it:\n  \
         cargo redis-keys check --raw --baseline redis-raw.jsonl --write-baseline\n  \
         cargo redis-keys check --raw --baseline redis-raw.jsonl\n\
         note: if other programs use the same servers, name them in `[foreign]` of `{POLICY_FILE}`"
    )
}

/// The text of a policy file with which the declared keys remain valid.
fn policy_text(catalog: &Catalog) -> String {
    let modules = modules(catalog);
    let legacy = catalog.keys.iter().filter(|key| key.legacy.is_some());
    let legacy: BTreeSet<_> = legacy.map(|key| format!("\"{}\"", key.name)).collect();
    let mut text = include_str!("init/policy.toml")
        .replace("{modules}", &list(&modules, catalog.unread.len()))
        .replace("{lints}", &lints())
        .replace("{legacy}", &legacy.into_iter().collect::<Vec<_>>().join(", "))
        .replace("{systems}", &FOREIGN_SYSTEMS.map(|system| format!("\"{system}\"")).join(", "));
    if !modules.is_empty() {
        text.push_str(MODULES);
    }
    for module in &modules {
        text.push('\n');
        text.push_str(&module.table());
    }
    text
}

/// `modules`. It is a comment if there may be modules that were not read.
fn list(modules: &[Module], unread: usize) -> String {
    let names: Vec<_> = modules.iter().map(|module| format!("\"{}\"", module.name)).collect();
    if names.is_empty() {
        return "# modules = [\"user\", \"shop\"]".to_owned();
    }
    let places = if unread == 1 { "1 place makes".to_owned() } else { format!("{unread} places make") };
    let note = format!("# {places} keys that were not read: add their modules.\n# ");
    format!("{}modules = [{}]", if unread > 0 { note.as_str() } else { "" }, names.join(", "))
}

/// `[lints]`, with a comment for each.
fn lints() -> String {
    let line = |article: &Article<'_>| {
        let level = match Lint::from_name(article.name).map(Lint::default_level) {
            Some(Level::Allow) => "allow",
            Some(Level::Deny) => "deny",
            Some(Level::Warn) | None => "warn",
        };
        let setting = format!("{} = \"{level}\"", article.name);
        format!("# {setting:26} # {}", article.summary.trim_end_matches('.'))
    };
    Topic::Lint.articles().iter().map(line).collect::<Vec<_>>().join("\n")
}

const MODULES: &str = "
# The modules: how long their keys live, the types that they can have, and who owns them. The values are those of the keys that
# are there.
";

/// The numbers of the text above are the limits of the rules.
const _: () = assert!(
    limits::MAX_MAX_BYTES == 1024 * 1024
        && limits::DEFAULT_MAX_BYTES == 10 * 1024
        && limits::MAX_MAX_LEN == 5000
        && limits::DEFAULT_MAX_MEMBER_BYTES == 4 * 1024
        && limits::MAX_KEY_BYTES == 128
        && limits::LONGEST_TTL.as_secs() == 3650 * 24 * 60 * 60
);

/// The name of the module whose `ttl` applies to the locks of all modules.
const LOCK: &str = "lock";

/// A module of keys, and their common properties.
#[derive(Clone, Debug, Default)]
struct Module {
    name: String,
    keys: usize,
    types: BTreeSet<&'static str>,
    owners: BTreeSet<Option<String>>,
    /// The shortest and the longest expiry. `None` is no expiry at all.
    ttls: Vec<Option<u64>>,
}

/// The modules, sorted by name.
fn modules(catalog: &Catalog) -> Vec<Module> {
    let mut modules: BTreeMap<&str, Module> = BTreeMap::new();
    for key in &catalog.keys {
        let module = modules.entry(key.business_module()).or_default();
        module.keys += 1;
        module.types.insert(key.kind.name());
        module.owners.insert(key.owner.clone());
        // A key that expires with a bucket lives longer than its ttl, and a channel has no ttl.
        let has_usual_expiry = key.ttl_from_end_of.is_none() && key.kind != Kind::Channel;
        if has_usual_expiry && key.role != Some(Role::Lock) {
            module.ttls.push(key.ttl_ms());
        }
    }
    let locks = catalog.keys.iter().filter(|key| key.role == Some(Role::Lock));
    if let Some(module) = modules.get_mut(LOCK) {
        module.ttls.extend(locks.map(Key::ttl_ms));
    }
    modules.into_iter().map(|(name, module)| Module { name: name.to_owned(), ..module }).collect()
}

impl Module {
    /// The table of the module, as a comment.
    fn table(&self) -> String {
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
