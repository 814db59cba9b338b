//! `adopt`: drafts of declarations for keys that exist.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use redis_keys_schema::Policy;

use crate::Failure;
use crate::adopt::census::{Census, CensusVisitor};
use crate::adopt::draft::{Draft, draft};
use crate::adopt::join::join;
use crate::adopt::naming::{identifier, words};
use crate::adopt::{FoundKey, report};
use crate::declare::catalog::{Catalog, Foreign, Matcher};
use crate::declare::raw::{self, DeclaredTexts, RawUse, SourcePart};
use crate::declare::redis_type::RedisType;
use crate::declare::{Declarations, for_each_line, namespace, place_lines, sources, warn_of_unread};
use crate::file::{Access, NewFile};
use crate::operate::infer::InferredTemplate;
use crate::operate::masking::{FEW_KEYS, Masking};
use crate::operate::server::connection::ConnectionArgs;
use crate::operate::server::foreign::ForeignKeys;
use crate::operate::server::scan::{Expiry, FirstLook, ScanArgs, scan};
use crate::operate::server::schemas::Schemas;
use crate::outcome::Outcome;
use crate::render::printable;
use crate::render::table::terminal_width;
use crate::render::units::{count, percent, things};

/// The most bytes of a name in a list.
const LONGEST_NAME: u64 = 1 << 20;

/// The most texts that a message lists.
const MOST_LISTED: usize = 10;

/// The help for a draft that exists.
const NEW_FILE: &str = "write the draft to a new file";

/// Draft declarations for keys that exist, read-only
///
/// It finds out how the keys on a server are built, and which commands of the sources use them. Keys that are declared
/// already are left out. `--out` writes a module that compiles, in which each key keeps its text of today.
#[derive(Args)]
pub(crate) struct AdoptArgs {
    /// `redis://HOST:PORT/DB`, `rediss://…` or `unix:///PATH`; of a cluster, one node
    #[arg(value_name = "URL")]
    urls: Vec<String>,
    /// Read names of keys from this file, one a line; `-` is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "urls", help_heading = "Keys")]
    keys: Option<PathBuf>,
    /// Namespace of the declared keys
    #[arg(long, value_name = "NAME", value_parser = namespace, help_heading = "Keys")]
    namespace: Option<String>,
    /// Prefix that programs set for legacy texts
    #[arg(long, value_name = "TEXT", help_heading = "Keys")]
    legacy_prefix: Option<String>,
    /// Write the draft to this file, which must not exist
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Format of the list
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Read some values, to name their form
    #[arg(long, help_heading = "Keys", conflicts_with = "keys")]
    values: bool,
    /// Show real keys, which can contain tokens and names
    #[arg(long)]
    show_keys: bool,
    #[command(flatten)]
    scan: ScanArgs,
    #[command(flatten)]
    connection: ConnectionArgs,
    #[command(flatten)]
    declarations: Declarations,
}

/// The form of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// For programs
    Json,
    /// A page that can be sorted and searched
    Html,
}

/// The commands and declarations in sources.
struct InSources {
    catalog: Catalog,
    uses: Vec<RawUse>,
    /// The folders and the policies of the packages.
    policies: Vec<(PathBuf, Arc<Policy>)>,
}

pub(crate) fn run(args: &AdoptArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    // First, since it may restart the program to hide passwords.
    let servers = if args.urls.is_empty() { Vec::new() } else { args.connection.servers(&args.urls)? };
    let has_project = args.declarations.are_anywhere();
    if servers.is_empty() && args.keys.is_none() && !has_project {
        let help = "name a server, or a list with `--keys FILE`, or go to the folder of a project";
        return Err(Failure::new("there are neither keys nor sources to read").help(help));
    }
    if let Some(file) = args.out.as_deref().filter(|file| file.exists()) {
        return Err(NewFile::failed(file, NEW_FILE)(io::ErrorKind::AlreadyExists.into()));
    }
    let in_sources = if has_project { read_sources(&args.declarations)? } else { InSources::none() };
    let census = match &args.keys {
        Some(file) => read_list(file, &in_sources.catalog)?,
        None if servers.is_empty() => Census::default(),
        None => read_servers(&servers, args, &Arc::new(in_sources.census(args)))?,
    };
    let mut seen = census.learner.templates();
    let masking = masking(args, &in_sources, &seen);
    if args.keys.is_some() {
        // A list does not say whether they expire.
        for template in &mut seen {
            template.without_expiry = 0;
        }
    }
    let found = join(seen, &in_sources.uses, &DeclaredTexts::new(&in_sources.catalog));
    summarize(&found, &census);
    // A draft that cannot be written is no reason to lose what was learned.
    let mut written = Ok(());
    if let Some(file) = &args.out {
        let policy = policy_of(file, &in_sources.policies);
        let (foreign, own) = without_systems(&found);
        let sample: Vec<_> = census.kept.whole().filter(|key| foreign.find(key).is_none()).collect();
        let draft = draft(&own, &masking, &policy, &sample);
        written = NewFile::write(file, draft.text.as_bytes(), Access::to_keys(args.show_keys), NEW_FILE);
        if written.is_ok() {
            explain(&draft, file, &policy);
        }
    }
    let width = terminal_width();
    match args.format {
        Format::Table => report::write(&found, &masking, width, out)?,
        Format::Json => out.write_all(report::to_json(&found, &masking).as_bytes())?,
        Format::Html => out.write_all(report::to_html(&found, &masking).as_bytes())?,
    }
    written?;
    Ok(Outcome::Fine)
}

/// Shows keys with the words that the sources, the declarations and the arguments contain.
fn masking(args: &AdoptArgs, in_sources: &InSources, seen: &[InferredTemplate]) -> Masking {
    let arguments = [&args.scan.pattern, &args.namespace, &args.legacy_prefix];
    let mut masking = Masking::new(args.show_keys, &in_sources.catalog, seen).with_arguments(arguments);
    let texts = in_sources.uses.iter().filter_map(|used| used.key.as_ref()).flat_map(|key| &key.0);
    texts.for_each(|part| {
        if let SourcePart::Text(text) = part {
            masking.publish(text);
        }
    });
    masking
}

impl InSources {
    fn none() -> Self {
        Self { catalog: Catalog::new(Vec::new(), Vec::new()), uses: Vec::new(), policies: Vec::new() }
    }

    /// The scan for keys that are not declared here.
    fn census(&self, args: &AdoptArgs) -> CensusVisitor {
        let policies: Vec<_> = self.policies.iter().map(|(_, policy)| Arc::clone(policy)).collect();
        let schemas = Schemas::new(self.catalog.clone(), args.namespace.as_deref());
        let schemas = schemas.with_legacy_prefix(args.legacy_prefix.as_deref());
        let foreign = Foreign::of(&policies).and(self.catalog.foreign.as_ref());
        CensusVisitor { schemas: schemas.with_foreign(ForeignKeys::of(&foreign)), with_values: args.values }
    }
}

/// Reads the declarations of a project, and the commands in its sources.
fn read_sources(declarations: &Declarations) -> Result<InSources, Failure> {
    let Some(selection) = declarations.sources() else {
        return Ok(InSources { catalog: declarations.catalog()?, ..InSources::none() });
    };
    let (sources, code) = sources::read_with_code(selection)?;
    let catalog = sources.catalog();
    warn_of_unread(&catalog);
    if !code.unparsable.is_empty() {
        let files = things(code.unparsable.len() as u64, "file");
        let places: Vec<_> = code.unparsable.iter().collect();
        message!("note: {files} cannot be read\n{}", place_lines(&places, MOST_LISTED));
    }
    let uses = raw::uses(&code);
    let commands = things(uses.len() as u64, "command");
    message!("read {commands} on Redis outside of declarations");
    let selected = sources.project.packages.iter().filter(|package| package.is_selected);
    let policies = selected.map(|package| (package.folder.clone(), Arc::clone(&package.policy.policy)));
    Ok(InSources { catalog, uses, policies: policies.collect() })
}

/// The policy of the package that is to have this file.
fn policy_of(file: &Path, policies: &[(PathBuf, Arc<Policy>)]) -> Arc<Policy> {
    let file = std::path::absolute(file).unwrap_or_default();
    let inner = policies.iter().filter(|(folder, _)| file.starts_with(folder));
    let found = inner.max_by_key(|(folder, _)| folder.as_os_str().len()).or(policies.first());
    found.map(|(_, policy)| Arc::clone(policy)).unwrap_or_default()
}

/// Learns the keys of servers.
fn read_servers(
    servers: &[crate::operate::server::connection::Server],
    args: &AdoptArgs,
    visitor: &Arc<CensusVisitor>,
) -> Result<Census, Failure> {
    let scanned = scan(servers, &args.scan, visitor)?;
    if let Some(failure) = scanned.failure.filter(|_| !scanned.is_interrupted) {
        return Err(failure);
    }
    let mut census = Census::default();
    let mut all = 0_u64;
    for node in scanned.nodes {
        all = all.saturating_add(node.facts.keys);
        // Encodings are nothing that a draft needs.
        for why in node.facts.not_checked.iter().filter(|why| !why.starts_with("compact encodings")) {
            message!("note: {}: {}", node.facts.address, printable(why));
        }
        census.merge(node.counts);
    }
    let seen = census.declared + census.undeclared;
    if scanned.is_interrupted || args.scan.sample.is_some() {
        // The rule of three: a kind without a key among those that were read has fewer keys than this, with a probability
        // of 95 %.
        let unseen = all.saturating_mul(3).checked_div(seen.max(1)).unwrap_or(0);
        let read = format!("{} of about {} were read ({})", count(seen), things(all, "key"), percent(seen, all));
        message!("note: {read}; kinds of fewer than {} may be missing", things(unseen, "key"));
    }
    if let Some(file) = args.scan.resume.as_ref().filter(|_| !scanned.is_interrupted) {
        let _ = fs::remove_file(file);
    }
    Ok(census)
}

/// Learns the names of a list.
fn read_list(file: &Path, catalog: &Catalog) -> Result<Census, Failure> {
    let matcher = Matcher::new(catalog, None);
    let input: Box<dyn io::Read> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(fs::File::open(file).map_err(Failure::reading(file))?)
    };
    let mut census = Census::default();
    let failed = |error| Failure::reading(file)(error);
    for_each_line(io::BufReader::new(input), LONGEST_NAME, failed, |key| {
        if matcher.find(key).is_some() {
            census.declared += 1;
        } else {
            let (redis_type, expiry) = (RedisType::Other, Expiry::Never);
            census.add(&FirstLook { key, declaration: None, redis_type, expiry, memory: None });
        }
        Ok(())
    })?;
    Ok(census)
}

/// Reports the numbers of keys on stderr.
fn summarize(found: &[FoundKey], census: &Census) {
    let kinds = things(found.len() as u64, "kind");
    let undeclared = things(census.undeclared, "key");
    let declared = match census.declared {
        0 => String::new(),
        declared => {
            format!("; {} {} a declaration", things(declared, "key"), if declared == 1 { "has" } else { "have" })
        }
    };
    message!("found {kinds} of keys in {undeclared} without a declaration{declared}");
    for (program, keys) in &census.foreign {
        message!("note: {} of `{}` left out: see `[foreign]` of the policy", things(*keys, "key"), printable(program));
    }
}

/// Leaves out the keys of systems that the policy could name, if no source uses them, and reports them.
fn without_systems(found: &[FoundKey]) -> (ForeignKeys, Vec<FoundKey>) {
    let examples = found.iter().flat_map(|key| &key.seen).map(|seen| seen.example.1.bytes());
    let systems = ForeignKeys::systems_of(&examples);
    let foreign = ForeignKeys::of_systems(&systems);
    let system_of = |key: &FoundKey| foreign.find(key.seen.first()?.example.1.bytes()).filter(|_| key.uses.is_empty());
    let (left_out, own): (Vec<_>, Vec<_>) = found.iter().cloned().partition(|key| system_of(key).is_some());
    for system in &systems {
        let keys = left_out.iter().filter(|key| system_of(key) == Some(system)).map(FoundKey::keys).sum();
        if keys > 0 {
            message!("note: {} of {system} left out of the draft", things(keys, "key"));
        }
    }
    if !left_out.is_empty() {
        let names = systems.iter().map(|system| format!("{system:?}")).collect::<Vec<_>>().join(", ");
        message!("help: write into redis-keys.toml below `[foreign]`, systems = [{names}]");
    }
    (foreign, own)
}

/// Reports the draft, the keys that it leaves out, and the next steps.
fn explain(draft: &Draft, file: &Path, policy: &Policy) {
    let declared = things(draft.declared, "declaration");
    let undecided = match draft.undecided {
        0 => String::new(),
        1 => ", 1 of them with a `TODO`".to_owned(),
        undecided => format!(", {} of them with a `TODO`", count(undecided)),
    };
    message!("wrote {declared} to `{}`{undecided}", file.display());
    if !draft.refused.is_empty() {
        message!("note: {} cannot be declared", things(draft.refused.len() as u64, "kind"));
        for (text, why) in draft.refused.iter().take(MOST_LISTED) {
            message!("  {text}: {}", printable(why));
        }
    }
    if draft.hidden > 0 {
        let kinds = things(draft.hidden, "kind");
        let few = format!("{kinds} of fewer than {FEW_KEYS} keys left out: words of their names can be secrets");
        message!("note: {few}\nhelp: `--show-keys` drafts them as well");
    }
    let &Draft { sampled, matched, written, .. } = draft;
    if sampled > 0 {
        message!("{} of {} are keys of the draft", percent(written, sampled), things(sampled, "sampled key"));
    }
    if matched > written {
        let refused = things(matched - written, "more sampled key");
        message!("note: {refused} can have values that the draft rejects when they are written: see its `TODO`s");
    }
    help_with_list("modules", policy.modules.clone(), &draft.modules);
    let legacy = policy.legacy.as_ref();
    let legacy = legacy.map(|legacy| legacy.keys.iter().map(|(name, _)| name.clone()).collect());
    help_with_list("below `[legacy]`, keys", legacy, &draft.items);
    if draft.text.contains("uuid::Uuid") {
        message!("help: the draft needs `cargo add uuid` and `cargo add redis-keys --features uuid`");
    }
    message!("help: add `{}` to the file of the module above it", module_item(file));
}

/// The item that makes a file a module. A name that is no identifier is changed to an identifier.
fn module_item(file: &Path) -> String {
    // The file `keys/mod.rs` is the module `keys`.
    let folder = file.parent().and_then(Path::file_name).filter(|_| file.ends_with("mod.rs"));
    let stem = folder.or(file.file_stem()).unwrap_or_default().to_string_lossy();
    let is_source = file.extension().is_some_and(|extension| extension == "rs");
    if let Some(name) = identifier(&stem).filter(|_| is_source) {
        return format!("mod {name};");
    }
    let words = words(&stem).join("_");
    let name = identifier(&words).unwrap_or_else(|| format!("keys_{words}"));
    let file = file.file_name().unwrap_or_default().to_string_lossy();
    format!("#[path = {file:?}] mod {name};")
}

/// Reports the line of the policy with the names that its list lacks, if there is a list.
fn help_with_list(name: &str, list: Option<Vec<String>>, needed: &BTreeSet<String>) {
    let Some(list) = list else { return };
    let missing: Vec<_> = needed.iter().filter(|name| !list.contains(name)).collect();
    if !missing.is_empty() {
        let all = list.iter().chain(missing).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        message!("help: write into redis-keys.toml {name} = [{all}]");
    }
}
