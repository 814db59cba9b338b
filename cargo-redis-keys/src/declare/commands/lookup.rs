//! `lookup`: the declaration of a key.

use std::ffi::OsString;
use std::io;

use clap::{Args, ValueEnum};
use redis_keys_core::legacy::LegacyText;
use serde_json::{Value, json};

use crate::Failure;
use crate::declare::catalog::{
    Catalog, Difference, Key, Match, Matcher, Parameter, TextKind, legacy_of, nearest, nearest_legacy, parameters,
};
use crate::declare::{Declarations, for_each_line, namespace, warn_of_unread};
use crate::outcome::Outcome;
use crate::render::{BOLD, Level, json_bytes, printable, visible_json};

/// Find the declaration of a key
///
/// For a key that no declaration can produce, it shows the nearest one and where the key differs from it: status 1.
#[derive(Args)]
pub(crate) struct LookupArgs {
    /// Keys to look up; `-` reads them from stdin, one a line
    #[arg(required = true, value_name = "KEY")]
    keys: Vec<OsString>,
    /// Namespace in front of the keys
    #[arg(long, value_name = "NAME", value_parser = namespace)]
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
        let found = lookup.matcher.find_match(key);
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
            let failed = |error| Failure::new(format!("cannot read stdin: {error}"));
            for_each_line(io::stdin().lock(), u64::MAX, failed, &mut show)?;
        } else {
            show(key.as_encoded_bytes())?;
        }
    }
    // A declaration that was not read can be the declaration of an unknown key.
    if outcome == Outcome::Findings {
        warn_of_unread(&lookup.catalog);
    }
    Ok(outcome)
}

struct Lookup<'a> {
    catalog: Catalog,
    matcher: Matcher,
    namespace: Option<&'a str>,
    legacy_prefix: &'a str,
}

impl<'a> Lookup<'a> {
    fn new(args: &'a LookupArgs) -> Result<Self, Failure> {
        let catalog = args.declarations.catalog()?;
        let namespace = args.namespace.as_deref();
        let matcher = Matcher::new(&catalog, namespace).with_legacy_prefix(args.legacy_prefix.as_deref());
        Ok(Self { catalog, matcher, namespace, legacy_prefix: args.legacy_prefix.as_deref().unwrap_or_default() })
    }

    fn key(&self, index: usize) -> Option<&Key> {
        self.catalog.keys.get(index)
    }

    fn write_text(&self, key: &[u8], found: Option<Match>, out: &mut dyn io::Write) -> io::Result<()> {
        if let Some((found, declaration)) = found.and_then(|found| Some((found, self.key(found.declaration)?))) {
            return self.write_found(key, found, declaration, out);
        }
        let (nearest, difference) = self.nearest(key);
        let error = Level::Error.style();
        let text = |place: std::ops::Range<usize>| printable(key.get(place).unwrap_or_default());
        let (start, end) = (difference.place.start, difference.place.end.max(difference.place.start));
        let before = text(0..start);
        let wrong = text(start..end);
        writeln!(out, "{error}unknown key{error:#}{BOLD}: {}{BOLD:#}", difference.problem)?;
        writeln!(out, "  {before}{wrong}{}", text(end..key.len()))?;
        let carets = "^".repeat(wrong.chars().count().max(1));
        writeln!(out, "  {}{error}{carets}{error:#}", " ".repeat(before.chars().count()))?;
        match nearest {
            Some(nearest) => {
                let text = nearest.legacy.as_ref().unwrap_or(&nearest.template);
                writeln!(out, "  nearest: {BOLD}{}{BOLD:#}", printable(text))?;
                write_place(nearest, out)
            }
            None => Ok(()),
        }
    }

    fn write_found(&self, key: &[u8], found: Match, declaration: &Key, out: &mut dyn io::Write) -> io::Result<()> {
        writeln!(out, "{BOLD}{}{BOLD:#}", printable(key))?;
        write_texts(found, declaration, out)?;
        if let Some(purpose) = declaration.purpose() {
            writeln!(out, "  {}", printable(&purpose))?;
        }
        for (parameter, text) in self.parameters(key, found, declaration) {
            let encoded = match decoded(found, parameter, text) {
                Some(decoded) => format!("{}, written as {}", printable(&decoded), printable(text)),
                None => printable(text),
            };
            writeln!(out, "  {} = {encoded} ({})", printable(&parameter.name), printable(&parameter.type_name))?;
        }
        writeln!(out, "  expiry: {}", printable(declaration.expiry()))?;
        if let Some(owner) = &declaration.owner {
            writeln!(out, "  owner: {}", printable(owner))?;
        }
        write_place(declaration, out)
    }

    /// The parameters of a key with their texts.
    fn parameters<'k>(&self, key: &'k [u8], found: Match, declaration: &'k Key) -> Vec<(&'k Parameter, &'k [u8])> {
        match found.text {
            TextKind::Template => {
                declaration.parameters.iter().zip(parameters(declaration, self.namespace, key)).collect()
            }
            TextKind::Legacy => self.legacy_parameters(key, found, declaration).unwrap_or_default(),
        }
    }

    /// The parameters of a key with a legacy text. `None` if the text is ambiguous.
    fn legacy_parameters<'k>(
        &self,
        key: &'k [u8],
        found: Match,
        declaration: &'k Key,
    ) -> Option<Vec<(&'k Parameter, &'k [u8])>> {
        let legacy = legacy_of(declaration).filter(|_| !found.is_ambiguous)?;
        let key = key.strip_prefix(self.legacy_prefix.as_bytes())?;
        let texts = LegacyText::read(&legacy.text).divide(str::from_utf8(key).ok()?, legacy.open())?;
        let texts = legacy.fields.iter().zip(texts);
        texts.map(|(field, text)| Some((declaration.parameters.get(field.parameter)?, text.as_bytes()))).collect()
    }

    /// The nearest declaration, and where the key differs from it.
    fn nearest(&self, key: &[u8]) -> (Option<&Key>, Difference) {
        let of_today = nearest_legacy(&self.catalog, self.legacy_prefix, key).map(Ok);
        match of_today.unwrap_or_else(|| nearest(&self.catalog, self.namespace, key)) {
            Ok((index, difference)) => (self.key(index), difference),
            Err(difference) => (None, difference),
        }
    }

    fn json(&self, key: &[u8], found: Option<Match>) -> Value {
        if let Some((found, declaration)) = found.and_then(|found| Some((found, self.key(found.declaration)?))) {
            let parameters: Vec<_> = self
                .parameters(key, found, declaration)
                .into_iter()
                .map(|(parameter, text)| {
                    let decoded = decoded(found, parameter, text);
                    json!({
                        "name": parameter.name, "type": parameter.type_name, "text": json_bytes(text),
                        "decoded": decoded.as_deref().map(json_bytes),
                    })
                })
                .collect();
            let text = if found.text == TextKind::Legacy { "legacy" } else { "template" };
            return json!({
                "key": json_bytes(key), "declaration": place(declaration), "text": text, "in_use": found.is_in_use, "parameters": parameters,
            });
        }
        let (nearest, Difference { place: range, problem }) = self.nearest(key);
        let difference = json!({ "from": range.start, "to": range.end, "problem": problem });
        json!({ "key": json_bytes(key), "declaration": null, "nearest": nearest.map(place), "difference": difference })
    }
}

/// Writes the text of a declaration that a key has, and the other text if there is another.
fn write_texts(found: Match, declaration: &Key, out: &mut dyn io::Write) -> io::Result<()> {
    let template = &declaration.template;
    let (legacy, legacy_use, template_use) = match (&declaration.legacy, &declaration.formerly) {
        (Some(legacy), _) => (legacy, "text in use", "template, which is not in use yet"),
        (None, Some(formerly)) => (formerly, "former text", "text in use"),
        (None, None) => return writeln!(out, "  {}", printable(template)),
    };
    let mut texts = [(template, template_use), (legacy, legacy_use)];
    if found.text == TextKind::Legacy {
        texts.reverse();
    }
    let [(text, its_use), (other, other_use)] = texts;
    writeln!(out, "  {} ({its_use})", printable(text))?;
    writeln!(out, "  other text: {} ({other_use})", printable(other))
}

/// Decodes a text of a parameter, if it is encoded in a way that can be undone. A legacy text encodes nothing.
fn decoded(found: Match, parameter: &Parameter, text: &[u8]) -> Option<Vec<u8>> {
    if found.text == TextKind::Legacy { None } else { parameter.decoded(text) }
}

fn write_place(declaration: &Key, out: &mut dyn io::Write) -> io::Result<()> {
    let Key { schema, package, target, .. } = declaration;
    let (file, line) = (&schema.file, schema.line);
    let path = declaration.path();
    writeln!(
        out,
        "  --> {}:{line}, `{}` in {} ({})",
        printable(file),
        printable(&path),
        printable(package),
        printable(target)
    )
}

/// The place of a declaration.
fn place(declaration: &Key) -> Value {
    let Key { schema, package, target, module, .. } = declaration;
    json!({
        "name": schema.name, "template": schema.template, "legacy": schema.legacy, "formerly": schema.formerly, "package": package, "target": target, "module": module, "file": schema.file, "line": schema.line,
    })
}
