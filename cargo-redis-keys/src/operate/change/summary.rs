//! The summaries of a plan and of its execution.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::named_keys::{LookResult, NO_DECLARATION};
use super::options::ChangeCommand;
use super::results::{Count, Results};
use super::selection::{Exclusion, Exclusions};
use super::selector::SelectedKeys;
use crate::Failure;
use crate::declare::redis_type::RedisType;
use crate::operate::audit::tally::Counts;
use crate::operate::hidden_passwords::shown_command;
use crate::operate::infer::InferredTemplate;
use crate::operate::masking::Masking;
use crate::operate::server::schemas::Schemas;
use crate::render::table::terminal_width;
use crate::render::units::{bytes, count, shortened, things};
use crate::render::{BOLD, printable, visible_json};

/// The fewest characters of a name that is shortened.
const NARROWEST: usize = 16;

/// The most keys that stay and are shown to people.
const EXAMPLES: usize = 5;

/// A plan's keys.
#[derive(Debug, Default, Serialize)]
pub(super) struct PlanSummary {
    keys: u64,
    bytes: u64,
    without_expiry: u64,
    /// By declaration, or by pattern for keys without a declaration.
    by: Vec<SummaryRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<SummaryRow>,
    /// The number of keys that are to be removed, and of whose values only the size is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared_by_size: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_checked: Vec<String>,
    /// The text in place of the declaration of keys that have none.
    #[serde(skip)]
    without_declaration: &'static str,
}

#[derive(Debug, Default, Serialize)]
struct SummaryRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    declaration: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    redis_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Cow<'static, str>>,
    keys: u64,
    bytes: u64,
    without_expiry: u64,
}

impl PlanSummary {
    /// The keys that a scan has selected.
    pub(super) fn of_scan(
        selected: &SelectedKeys,
        schemas: &Schemas,
        families: Vec<InferredTemplate>,
        masking: &Masking,
        mut not_checked: Vec<String>,
    ) -> Self {
        let tally = &selected.tally;
        let declared = schemas.catalog.keys.iter().enumerate().filter_map(|(index, key)| {
            let Counts { keys, bytes, without_expiry, .. } = *tally.declared(index)?;
            let (declaration, pattern) = (Some(key.full_name()), Some(key.template.clone()));
            // Keys of other types are left out.
            let redis_type = Some(RedisType::of(Some(key.kind)).name().to_owned());
            Some(SummaryRow { declaration, pattern, redis_type, reason: None, keys, bytes, without_expiry })
        });
        let unknown = families.into_iter().map(|template| {
            let pattern = Some(printable(masking.family(&template)));
            let (keys, bytes, without_expiry) = (template.keys, template.bytes, template.without_expiry);
            let redis_type = Some(template.redis_type.name().to_owned());
            SummaryRow { declaration: None, pattern, redis_type, reason: None, keys, bytes, without_expiry }
        });
        let by: Vec<_> = declared.chain(unknown).filter(|counted| counted.keys > 0).collect();
        if selected.without_last_use > 0 {
            not_checked.push(not_checked_last_use(selected.without_last_use));
        }
        if selected.ambiguous > 0 {
            not_checked.push(format!("declaration of {}: another one can produce them too", keys(selected.ambiguous)));
        }
        if selected.without_memory > 0 {
            not_checked.push(format!("memory of {}: `MEMORY USAGE` is refused", keys(selected.without_memory)));
        }
        let mut left_out = left_out(&selected.exclusions);
        left_out.extend(selected.unnamed.iter().map(|((declaration, why), keys)| SummaryRow {
            declaration: Some(declaration.clone()),
            reason: Some(why.clone().into()),
            keys: *keys,
            ..SummaryRow::default()
        }));
        let (all, bytes) = tally.total();
        let without_expiry = by.iter().map(|counted| counted.without_expiry).sum();
        let compared_by_size = Some(selected.without_digest).filter(|keys| *keys > 0);
        let without_declaration = NO_DECLARATION;
        Self { keys: all, bytes, without_expiry, by, left_out, compared_by_size, not_checked, without_declaration }
    }

    /// Keys that the user has named.
    pub(super) fn of_keys(found: &LookResult, exclusions: &Exclusions, not_checked: Vec<String>) -> Self {
        let mut by: BTreeMap<(&str, &str), SummaryRow> = BTreeMap::new();
        let without_digest = found.keys.iter().filter(|key| key.digest.is_none()).count() as u64;
        let mut counted = Self {
            left_out: left_out(exclusions),
            compared_by_size: Some(without_digest).filter(|keys| *keys > 0),
            not_checked,
            without_declaration: found.without_declaration,
            ..Self::default()
        };
        for key in &found.keys {
            let (bytes, without_expiry) = (key.bytes.unwrap_or(0), u64::from(key.ttl_ms.is_none()));
            let declaration = key.declaration.as_deref();
            let one = by.entry((declaration.unwrap_or_default(), &key.redis_type)).or_default();
            one.declaration = declaration.map(str::to_owned);
            one.redis_type = Some(key.redis_type.clone());
            (one.keys, one.bytes) = (one.keys + 1, one.bytes.saturating_add(bytes));
            one.without_expiry += without_expiry;
            counted.keys += 1;
            counted.bytes = counted.bytes.saturating_add(bytes);
            counted.without_expiry += without_expiry;
        }
        let unknown = found.keys.iter().filter(|key| key.last_use.is_none()).count() as u64;
        counted.not_checked.extend((unknown > 0).then(|| not_checked_last_use(unknown)));
        counted.by = by.into_values().collect();
        counted
    }
}

fn left_out(exclusions: &Exclusions) -> Vec<SummaryRow> {
    let row = |(exclusion, keys): (&Exclusion, &u64)| SummaryRow {
        reason: Some(exclusion.reason().into()),
        keys: *keys,
        ..SummaryRow::default()
    };
    exclusions.iter().map(row).collect()
}

fn not_checked_last_use(count: u64) -> String {
    format!("last use of {}: the server keeps no idle times, or refuses `OBJECT IDLETIME`", keys(count))
}

fn keys(count: u64) -> String {
    things(count, "key")
}

/// Reports a plan's content.
pub(super) fn planned(
    command: ChangeCommand,
    counted: &PlanSummary,
    plan: Option<&Path>,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if json {
        #[derive(Serialize)]
        struct PlanDocument<'a> {
            format: u32,
            command: ChangeCommand,
            plan: Option<String>,
            #[serde(flatten)]
            counted: &'a PlanSummary,
        }
        let plan = plan.map(|path| path.display().to_string());
        return write_json(&PlanDocument { format: 1, command, plan, counted }, out);
    }
    let would = command.pick("would be removed", "would get an expiry", "would be moved");
    writeln!(out, "{BOLD}{} {would}, {}{BOLD:#}", keys(counted.keys), bytes(counted.bytes))?;
    let rows = counted.by.iter().map(|one| {
        let name = match (&one.declaration, &one.pattern) {
            (Some(_), Some(template)) => printable(template),
            (Some(name), None) => printable(name),
            (None, Some(pattern)) => pattern.clone(),
            (None, None) => counted.without_declaration.to_owned(),
        };
        (one.keys, one.bytes, one.redis_type.clone().zip(Some(one.without_expiry)), name)
    });
    table(rows.collect(), out)?;
    for left in &counted.left_out {
        let reason = left.reason.as_deref().unwrap_or_default();
        match &left.declaration {
            Some(name) => {
                let [name, reason] = [name, reason].map(printable);
                writeln!(out, "left out: {} of `{name}`: {reason}", keys(left.keys))?;
            }
            None => writeln!(out, "left out: {} {reason}", keys(left.keys))?,
        }
    }
    if let Some(without_digest) = counted.compared_by_size {
        writeln!(out, "compared by size alone: the values of {}", keys(without_digest))?;
    }
    for what in &counted.not_checked {
        writeln!(out, "not checked: {what}")?;
    }
    if counted.keys > 0 {
        match plan {
            Some(path) => message!(
                "nothing is changed yet\nhelp: read `{0}`, then run `cargo redis-keys {1} URL --plan {0} --yes`",
                path.display(),
                command.name()
            ),
            None => message!(
                "nothing is changed yet\nhelp: add `--plan FILE` to `{}`, which lists the keys",
                shown_command()
            ),
        }
    }
    Ok(())
}

/// Reports the changes.
pub(super) fn acted(command: ChangeCommand, results: &Results, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    if json {
        #[derive(Serialize)]
        struct ResultsDocument<'a> {
            format: u32,
            command: ChangeCommand,
            #[serde(flatten)]
            results: &'a Results,
        }
        return write_json(&ResultsDocument { format: 1, command, results }, out);
    }
    let did = command.pick("removed", "given an expiry", "moved");
    writeln!(out, "{BOLD}{} {did}, {} when planned{BOLD:#}", keys(results.done), bytes(results.bytes))?;
    let row = |(name, one): (&String, &Count)| {
        let name = if name.is_empty() { results.without_declaration.to_owned() } else { printable(name) };
        (one.keys, one.bytes, None, name)
    };
    table(results.declarations.iter().map(row).collect(), out)?;
    let lines = [
        (results.gone, "gone already"),
        (results.already, command.pick("", "with the expiry of an earlier run", "moved already")),
        (results.begun, "removed in part: a new plan lists what is left"),
        (results.changed_since, "changed since the plan was made, and left as is"),
        (results.uncertain, "left as is, since a use may not have been noted: see `--without-last-use`"),
        (results.not_selected, "that a new plan would not contain, and left as is"),
        (results.refused, "refused by the server"),
    ];
    for (number, what) in lines.into_iter().filter(|(number, _)| *number > 0) {
        writeln!(out, "{} {what}", keys(number))?;
    }
    for stay in results.stay.iter().take(EXAMPLES) {
        writeln!(out, "  {}: {}", printable(&stay.key.0), printable(&stay.why))?;
    }
    let rest = results.stay_count().saturating_sub(EXAMPLES as u64);
    if rest > 0 {
        writeln!(out, "  and {} more", count(rest))?;
    }
    if results.last_use_unknown > 0 {
        writeln!(out, "not checked: {}", not_checked_last_use(results.last_use_unknown))?;
    }
    for what in &results.not_checked {
        writeln!(out, "not checked: {what}")?;
    }
    Ok(())
}

/// Keys, memory, for a plan the type and the keys without an expiry, and a name.
type Row = (u64, u64, Option<(String, u64)>, String);

fn table(rows: Vec<Row>, out: &mut dyn Write) -> Result<(), Failure> {
    if rows.is_empty() {
        return Ok(());
    }
    let is_plan = rows.iter().any(|(_, _, planned, _)| planned.is_some());
    let columns = |redis_type: &str, without_expiry: &str| {
        if is_plan { format!("  {without_expiry:>9}  {redis_type:>6}") } else { String::new() }
    };
    let head = format!("{:>9}  {:>8}{}  ", "keys", "memory", columns("type", "no expiry"));
    let width = terminal_width().unwrap_or(usize::MAX).saturating_sub(head.len()).max(NARROWEST);
    writeln!(out, "\n{head}declaration")?;
    for (keys, memory, planned, name) in rows {
        let (redis_type, without_expiry) = planned.unwrap_or_default();
        let columns = columns(&redis_type, &count(without_expiry));
        writeln!(out, "{:>9}  {:>8}{columns}  {name}", count(keys), bytes(memory), name = shortened(&name, width))?;
    }
    writeln!(out)?;
    Ok(())
}

fn write_json(value: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::new(format!("cannot write JSON: {error}")))?;
    writeln!(out, "{}", visible_json(&text))?;
    Ok(())
}
