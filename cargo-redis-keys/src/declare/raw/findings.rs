//! Commands outside of declarations as findings.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::rc::Rc;

use super::baseline::{AcceptedPlaces, Baseline};
use super::bypassed::DeclaredTexts;
use super::commands::Effect;
use super::key_text::KeyText;
use super::raw_use::RawUse;
use crate::declare::catalog::Catalog;
use crate::declare::redis_type::RedisType;
use crate::render::{Code, File, Finding, Level, Location, one_line};

/// The findings of commands, in this order: commands that create keys without an expiry, other writes, and reads. With
/// a baseline, only commands that it lacks, which are errors.
pub(crate) fn findings(uses: &[RawUse], catalog: &Catalog, baseline: Option<&Baseline>) -> Vec<Finding> {
    let declared = DeclaredTexts::new(catalog);
    let mut files: HashMap<&str, Rc<File>> = HashMap::new();
    let mut accepted: BTreeMap<AcceptedPlaces, usize> = BTreeMap::new();
    let mut found: Vec<(&RawUse, Finding)> = Vec::new();
    let level = if baseline.is_some() { Level::Error } else { Level::Warning };
    for used in uses {
        if let Some(baseline) = baseline {
            let command = AcceptedPlaces::of(used);
            let left = accepted.entry(command.clone()).or_insert_with(|| baseline.places(&command));
            if let Some(fewer) = left.checked_sub(1) {
                *left = fewer;
                continue;
            }
        }
        let file = Rc::clone(files.entry(&used.file.shown).or_insert_with(|| used.file.copy()));
        found.push((used, finding(used, level, &declared, Location { file, range: used.range.clone() })));
    }
    found.sort_by_key(|(used, _)| (!used.creates_without_expiry(), used.effect == Effect::Read));
    found.into_iter().map(|(_, finding)| finding).collect()
}

fn finding(used: &RawUse, level: Level, declared: &DeclaredTexts<'_>, at: Location) -> Finding {
    let key = match &used.key {
        Some(key) => format!("`{}`", one_line(&key.to_string())),
        None => "an unknown key".to_owned(),
    };
    let expiry = if used.creates_without_expiry() { " without an expiry" } else { "" };
    let guess = used.guess.as_ref().map(|guess| format!(": {guess}")).unwrap_or_default();
    let message = format!("raw `{}` of {key}{expiry}{guess}", used.command);
    let bypassed = used.key.as_ref().filter(|key| KeyText::has_words(key)).and_then(|key| declared.find(key));
    let declared_type = used.redis_type.filter(|ty| used.effect == Effect::Create && *ty != RedisType::Other);
    let noun = declared_type.map_or("key", RedisType::name);
    let expires = if used.creates_without_expiry() { ", so that it expires" } else { "" };
    let help = match bypassed {
        Some(key) => format!("use `{}`, which declares this text", key.name),
        None => format!("declare the {noun}{expires}"),
    };
    let label = bypassed.map(|key| format!("bypasses `{}`", key.name));
    Finding::new(level, Code::RawUse, message, help, at).with_label(label)
}

/// The lines of a baseline that accept more than there is, as far as `is_read` says that their files were read.
pub(crate) fn unneeded(
    baseline: &Baseline,
    uses: &[RawUse],
    path: &Path,
    is_read: impl Fn(&str) -> bool,
) -> Vec<Finding> {
    let present = Baseline::of(uses);
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let file = Rc::new(File { path: path.to_string_lossy().into_owned(), text });
    let unneeded = baseline
        .commands()
        .filter(|(command, counted)| counted.places > present.places(command) && is_read(&command.file));
    let findings = unneeded.map(|(command, counted)| {
        let places = present.places(command);
        let (name, key, source) = (&command.command, one_line(&command.key), &command.file);
        let left = match places {
            0 => format!("is not in {source} any more"),
            places => format!("is in {source} {places} times, not {}", counted.places),
        };
        let message = format!("unneeded line of the baseline: `{name}` of `{key}` {left}");
        let help = "add `--write-baseline` once, so that it cannot come back";
        let at = Location { file: Rc::clone(&file), range: file.line(counted.line) };
        Finding::new(Level::Error, Code::RawUse, message, help, at)
    });
    findings.collect()
}
