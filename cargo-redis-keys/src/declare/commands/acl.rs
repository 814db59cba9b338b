//! `acl`: a server's user that may do what the declarations do.

use std::io;

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::Failure;
use crate::declare::rights::{Names, Reached, Rights, Version};
use crate::declare::{Declarations, namespace, no_declarations, warn_of_unread};
use crate::outcome::Outcome;
use crate::render::{printable, visible_json};

/// The most lines about declarations that patterns of others reach.
const MAX_LINES: usize = 20;

/// Print the ACL rules for a user that may do what the declarations do
///
/// A declaration's keys get the commands of its accessors and of their scripts. The password is yours: replace
/// `PASSWORD`, or write `nopass`. A pattern's `*` matches any text, also `:`, so a pattern can match keys of other
/// declarations, which are listed on stderr.
#[derive(Args)]
pub(crate) struct AclArgs {
    /// Name of the user
    #[arg(long, value_name = "NAME", value_parser = user_name)]
    user: String,
    /// Version of the server
    #[arg(long, value_enum, default_value_t = Version::V7_4)]
    server: Version,
    /// Format of the rules
    #[arg(long, value_enum, default_value_t = Format::Command)]
    format: Format,
    /// Namespace in front of the keys
    #[arg(long, value_name = "NAME", value_parser = namespace)]
    namespace: Option<String>,
    /// Prefix that programs set for legacy texts
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    legacy_prefix: String,
    /// Leave out SCAN, which lists the names of all keys of the server
    #[arg(long)]
    without_scan: bool,
    #[command(flatten)]
    declarations: Declarations,
}

/// The form of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A command for `redis-cli`
    Command,
    /// A line of an ACL file
    File,
    /// For programs, with the declarations that patterns of others reach
    Json,
}

pub(crate) fn run(args: &AclArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let catalog = args.declarations.covering_catalog()?;
    if catalog.keys.is_empty() {
        return Err(no_declarations());
    }
    let names = Names { namespace: args.namespace.as_deref(), legacy_prefix: &args.legacy_prefix };
    let rights = Rights::of(&catalog, names, args.server, !args.without_scan)?;
    let user = rights.user(&args.user);
    match args.format {
        Format::Command => writeln!(out, "ACL SETUSER {user}")?,
        Format::File => writeln!(out, "user {user}")?,
        Format::Json => writeln!(out, "{}", visible_json(&json(args, &rights).to_string()))?,
    }
    if args.format != Format::Json {
        message!("note: replace `PASSWORD`: the rules contain no password");
        report_reached(&rights.reached);
    }
    warn_of_unread(&catalog);
    Ok(Outcome::Fine)
}

/// The rules as data, without a password.
fn json(args: &AclArgs, rights: &Rights<'_>) -> serde_json::Value {
    let server = args.server.to_possible_value().map(|value| value.get_name().to_owned());
    let Rights { root, selectors, reached } = rights;
    json!({ "user": args.user, "server": server, "root": root, "selectors": selectors, "reached": reached })
}

/// Lists the declarations to whose keys a pattern of another declaration adds commands.
fn report_reached(reached: &[Reached<'_>]) {
    let reached: Vec<_> = reached.iter().filter(|reached| !reached.adds.is_empty()).collect();
    let mut lines = reached.chunk_by(|one, other| (&one.pattern, &one.adds) == (&other.pattern, &other.adds));
    let shown: Vec<_> = lines.by_ref().take(MAX_LINES).collect();
    if !shown.is_empty() {
        message!("note: these patterns also match keys of other declarations, which get further commands:");
    }
    for line in shown {
        let names: Vec<_> = line.iter().map(|reached| printable(reached.reaches.full_name())).collect();
        let [Reached { pattern, of, adds, .. }, ..] = line else { continue };
        let of = printable(of.full_name());
        message!("  `{pattern}` of {of}: {} ({})", names.join(", "), adds.join(" "));
    }
    if lines.next().is_some() {
        message!("  and more, which `--format json` shows");
    }
}

/// Reads the name of a user, which is a word of the rules.
fn user_name(text: &str) -> Result<String, String> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || "-_.@:".contains(char);
    if !text.is_empty() && text.chars().all(is_part) {
        return Ok(text.to_owned());
    }
    Err("a user's name has letters, digits, and `-`, `_`, `.`, `@` and `:`".to_owned())
}
