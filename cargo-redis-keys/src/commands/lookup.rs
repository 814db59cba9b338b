//! `lookup`: the declaration of a key.

use std::ffi::OsString;
use std::io::{self, BufRead as _};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::Failure;
use crate::declarations::catalog::{Catalog, Difference, Key, Matcher, nearest, parameters};
use crate::declarations::{Declarations, warn_of_unread};
use crate::outcome::Outcome;
use crate::render::{base64, printable, visible_json};

/// Find the declaration of a key
///
/// For a key that no declaration can produce, it shows the nearest one and where the key differs from it: status 1.
#[derive(Args)]
pub(crate) struct LookupArgs {
    /// Keys to look up; `-` reads them from stdin, one a line
    #[arg(required = true, value_name = "KEY")]
    keys: Vec<OsString>,
    /// Namespace in front of the keys
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,
    /// Prefix that programs set for legacy texts
    #[arg(long, value_name = "TEXT")]
    legacy_prefix: Option<String>,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    declarations: Declarations,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs: a line for each key
    Json,
}

pub(crate) fn run(args: &LookupArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let lookup = Lookup::new(args)?;
    let mut outcome = Outcome::Fine;
    let mut is_first = true;
    let mut show = |key: &[u8]| -> Result<(), Failure> {
        if args.format == Format::Text && !is_first {
            writeln!(out)?;
        }
        is_first = false;
        let found = lookup.matcher.find(key);
        if found.is_none() {
            outcome = Outcome::Findings;
        }
        match args.format {
            Format::Text => lookup.write_text(key, found, out)?,
            Format::Json => writeln!(out, "{}", visible_json(&lookup.json(key, found).to_string()))?,
        }
        Ok(())
    };
    for key in &args.keys {
        if key == "-" {
            for_each_line(&mut show)?;
        } else {
            show(key.as_encoded_bytes())?;
        }
    }
    // A declaration that was not read can be that of an unknown key.
    if outcome == Outcome::Findings {
        warn_of_unread(&lookup.catalog);
    }
    Ok(outcome)
}

/// Reads the lines of stdin, without their ends. Empty lines are skipped.
fn for_each_line(action: &mut dyn FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::new(format!("cannot read stdin: {error}")))? == 0 {
            return Ok(());
        }
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !line.is_empty() {
            action(line)?;
        }
    }
}

struct Lookup<'a> {
    catalog: Catalog,
    matcher: Matcher,
    namespace: Option<&'a str>,
}

impl<'a> Lookup<'a> {
    fn new(args: &'a LookupArgs) -> Result<Self, Failure> {
        let catalog = args.declarations.catalog()?;
        let namespace = args.namespace.as_deref();
        let matcher = Matcher::new(&catalog, namespace).with_legacy_prefix(args.legacy_prefix.as_deref());
        Ok(Self { catalog, matcher, namespace })
    }

    fn key(&self, index: usize) -> Option<&Key> {
        self.catalog.keys.get(index)
    }

    fn write_text(&self, key: &[u8], found: Option<usize>, out: &mut dyn io::Write) -> io::Result<()> {
        if let Some(declaration) = found.and_then(|index| self.key(index)) {
            return self.write_found(key, declaration, out);
        }
        let (nearest, difference) = self.nearest(key);
        let error = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let bold = Style::new().bold();
        let text = |place: std::ops::Range<usize>| printable(key.get(place).unwrap_or_default());
        let (start, end) = (difference.place.start, difference.place.end.max(difference.place.start));
        let before = text(0..start);
        let wrong = text(start..end);
        writeln!(out, "{error}unknown key{error:#}{bold}: {}{bold:#}", difference.problem)?;
        writeln!(out, "  {before}{wrong}{}", text(end..key.len()))?;
        let carets = "^".repeat(wrong.chars().count().max(1));
        writeln!(out, "  {}{error}{carets}{error:#}", " ".repeat(before.chars().count()))?;
        match nearest {
            Some(nearest) => {
                writeln!(out, "  nearest: {bold}{}{bold:#}", printable(nearest.template.as_bytes()))?;
                write_place(nearest, out)
            }
            None => Ok(()),
        }
    }

    fn write_found(&self, key: &[u8], declaration: &Key, out: &mut dyn io::Write) -> io::Result<()> {
        let bold = Style::new().bold();
        let shown = |text: &str| printable(text.as_bytes());
        writeln!(out, "{bold}{}{bold:#}", printable(key))?;
        writeln!(out, "  {}", shown(&declaration.template))?;
        if let Some(purpose) = declaration.purpose() {
            writeln!(out, "  {}", shown(&purpose))?;
        }
        for (parameter, text) in declaration.parameters.iter().zip(parameters(declaration, self.namespace, key)) {
            let encoded = match parameter.decoded(text) {
                Some(decoded) => format!("{}, written as {}", printable(&decoded), printable(text)),
                None => printable(text),
            };
            writeln!(out, "  {} = {encoded} ({})", shown(&parameter.name), shown(&parameter.type_name))?;
        }
        writeln!(out, "  expiry: {}", shown(&declaration.expiry()))?;
        if let Some(owner) = &declaration.owner {
            writeln!(out, "  owner: {}", shown(owner))?;
        }
        write_place(declaration, out)
    }

    /// The nearest declaration, and where the key differs from it.
    fn nearest(&self, key: &[u8]) -> (Option<&Key>, Difference) {
        match nearest(&self.catalog, self.namespace, key) {
            Ok((index, difference)) => (self.key(index), difference),
            Err(difference) => (None, difference),
        }
    }

    fn json(&self, key: &[u8], found: Option<usize>) -> Value {
        if let Some(declaration) = found.and_then(|index| self.key(index)) {
            let parameters: Vec<_> = declaration
                .parameters
                .iter()
                .zip(parameters(declaration, self.namespace, key))
                .map(|(parameter, text)| {
                    let decoded = parameter.decoded(text);
                    json!({
                        "name": parameter.name, "type": parameter.type_name, "text": bytes(text),
                        "decoded": decoded.as_deref().map(bytes),
                    })
                })
                .collect();
            return json!({ "key": bytes(key), "declaration": place(declaration), "parameters": parameters });
        }
        let (nearest, Difference { place: range, problem }) = self.nearest(key);
        let difference = json!({ "from": range.start, "to": range.end, "problem": problem });
        json!({ "key": bytes(key), "declaration": null, "nearest": nearest.map(place), "difference": difference })
    }
}

fn write_place(declaration: &Key, out: &mut dyn io::Write) -> io::Result<()> {
    let Key { schema, package, target, .. } = declaration;
    let (file, line) = (&schema.file, schema.line);
    let shown = |text: &str| printable(text.as_bytes());
    let path = declaration.path();
    writeln!(out, "  --> {}:{line}, `{}` in {} ({})", shown(file), shown(&path), shown(package), shown(target))
}

/// The place of a declaration.
fn place(declaration: &Key) -> Value {
    let Key { schema, package, target, module, .. } = declaration;
    json!({
        "name": schema.name, "template": schema.template, "package": package, "target": target, "module": module, "file": schema.file, "line": schema.line,
    })
}

/// Bytes of a key, which need not be text.
fn bytes(bytes: &[u8]) -> Value {
    match str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => json!({ "base64": base64(bytes) }),
    }
}
