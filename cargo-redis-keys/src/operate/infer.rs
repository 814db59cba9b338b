//! Inference of templates from keys: `user:{integer}:profile` from `user:1:profile` and `user:2:profile`.
//!
//! Each key is [masked](mask): values that are recognized by their form, such as UUIDs, become marks. A row counts the
//! keys of one mask. [`fold`] finds out which of the other words are values too, when the templates are listed.
//! Therefore it does not depend on the order of the keys, or on the nodes of a cluster that had them.
//!
//! If the rows take too much memory, they are folded at once: the rows of a template become one. [Known
//! templates](known) then count new keys without a separate row. If that does not free enough, rows with few keys are
//! joined by their first segment. Each key is counted once in any case.

mod fold;
mod known;
mod mask;
mod row;
mod template;
#[cfg(test)]
mod tests;
mod thresholds;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use self::fold::Masks;
use self::known::{KnownTemplates, align};
pub(in crate::operate) use self::mask::is_separator;
use self::mask::{MARK, MaskedKey, form, is_strong, split};
use self::row::Row;
use self::template::Numbers;
pub(crate) use self::template::{Class, InferredTemplate, Part};
use crate::declare::redis_type::RedisType;
use crate::operate::server::scan::{Expiry, FirstLook};
use crate::operate::stats::ValueForms;

/// The most bytes that all rows take, about.
const MAX_WEIGHT: usize = 16 << 20;

/// The bytes that a server adds to an element at most: the node of a skip list, an entry of a table and an allocation.
const OVERHEAD: u64 = 128;

/// Learns templates from keys, in a bounded amount of memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learner {
    /// The rows by type, expiry and mask.
    rows: HashMap<Box<str>, Row>,
    /// The templates of rows that were folded, by type and expiry: a new key matches no template of another type.
    known: HashMap<Box<str>, KnownTemplates>,
    weight: usize,
}

impl Learner {
    /// Counts a key. Returns the number of keys of its mask.
    pub(crate) fn add(&mut self, look: &FirstLook<'_>) -> u64 {
        let MaskedKey { text, observed } = MaskedKey::of(&prefix(look), look.key);
        let mut keys = 1;
        if let Some(row) = self.rows.get_mut(text.as_str()) {
            self.weight += row.add(look, &observed);
            keys = row.keys;
        } else if let Some((known, template)) = self.known_template(&text) {
            let observed = align(&template, mask_of(&text), &observed);
            match self.rows.get_mut(known.as_str()) {
                Some(row) => {
                    self.weight += row.add(look, &observed);
                    keys = row.keys;
                }
                None => self.insert(known, Row::of(look, observed)),
            }
        } else {
            self.insert(text, Row::of(look, observed));
        }
        self.make_room();
        keys
    }

    /// Counts the number of elements, or of bytes of a string, of a key that was added.
    pub(crate) fn add_length(&mut self, look: &FirstLook<'_>, length: u64) {
        if let Some(row) = self.row_of(look) {
            row.lengths.add(length);
            // Some element has as much as the average, without the server's overhead for each element. Streams reserve
            // memory.
            let has_parts = !matches!(look.redis_type, RedisType::String | RedisType::Stream);
            let average = look.memory.filter(|_| has_parts).and_then(|bytes| bytes.checked_div(length)).unwrap_or(0);
            row.largest_member = row.largest_member.max(average.saturating_sub(OVERHEAD));
        }
    }

    /// Adds the size of an element of a key that was added.
    pub(crate) fn add_member(&mut self, look: &FirstLook<'_>, bytes: u64) {
        if let Some(row) = self.row_of(look) {
            row.largest_member = row.largest_member.max(bytes);
        }
    }

    /// Adds the forms of values of a key that was added.
    pub(crate) fn add_values(&mut self, look: &FirstLook<'_>, forms: ValueForms) {
        if let Some(row) = self.row_of(look) {
            row.values = row.values.and(forms);
        }
    }

    /// The row of a key that was added.
    fn row_of(&mut self, look: &FirstLook<'_>) -> Option<&mut Row> {
        let text = MaskedKey::of(&prefix(look), look.key).text;
        let text = if self.rows.contains_key(text.as_str()) {
            Some(text)
        } else {
            self.known_template(&text).map(|(text, _)| text)
        };
        text.and_then(|text| self.rows.get_mut(text.as_str()))
    }

    /// Adds another learner's keys.
    pub(crate) fn merge(&mut self, other: Self) {
        for (text, row) in other.rows {
            match self.rows.get_mut(&text) {
                Some(known) => known.merge(row),
                None => self.insert(text.into(), row),
            }
        }
        self.weigh();
        self.make_room();
    }

    /// The templates, with most memory first.
    pub(crate) fn templates(&self) -> Vec<InferredTemplate> {
        let rows = self.rows.iter().map(|(text, row)| (text.clone(), row.clone())).collect();
        let rows = folded(rows);
        let numbers = Numbers::new(rows.iter().map(|(text, row)| (mask_of(text), row)));
        let mut templates: Vec<_> = rows
            .into_iter()
            .map(|(text, row)| InferredTemplate::new(mask_of(&text), type_of(&text), row, &numbers))
            .map(|template| (template.masked(), template))
            .collect();
        templates.sort_by(|(one_text, one), (other_text, other)| {
            let order = |template: &InferredTemplate| Reverse((template.bytes, template.keys));
            let rest = |template: &InferredTemplate| (template.redis_type, template.without_expiry > 0);
            (order(one), one_text, rest(one)).cmp(&(order(other), other_text, rest(other)))
        });
        templates.into_iter().map(|(_, template)| template).collect()
    }

    fn insert(&mut self, text: String, row: Row) {
        self.weight += text.len() + row.weight();
        self.rows.insert(text.into(), row);
    }

    /// The row for a mask without a row, and its template.
    fn known_template(&self, text: &str) -> Option<(String, String)> {
        let kind = text.get(..PREFIX)?;
        let template = self.known.get(kind)?.template_of(mask_of(text))?;
        Some((format!("{kind}{template}"), template))
    }

    /// Folds the rows if they take too much memory.
    fn make_room(&mut self) {
        if self.weight < MAX_WEIGHT {
            return;
        }
        self.rows = folded(std::mem::take(&mut self.rows)).into_iter().map(|(text, row)| (text.into(), row)).collect();
        self.weigh();
        if self.weight >= MAX_WEIGHT / 2 {
            self.join_light_rows();
            self.weigh();
        }
        self.know_templates();
    }

    fn know_templates(&mut self) {
        let kinds: BTreeSet<_> = self.rows.keys().filter_map(|text| text.get(..PREFIX)).collect();
        let templates = |kind: &str| {
            let of_kind = self.rows.keys().filter(|text| text.starts_with(kind));
            KnownTemplates::new(of_kind.map(|text| mask_of(text)))
        };
        self.known = kinds.into_iter().map(|kind| (kind.into(), templates(kind))).collect();
    }

    fn weigh(&mut self) {
        self.weight = self.rows.iter().map(|(text, row)| text.len() + row.weight()).sum();
    }

    /// Joins the rows with fewest keys by their first segment, or all rows if that is too much as well.
    fn join_light_rows(&mut self) {
        for segments in [1, 0] {
            let mut rows: Vec<_> = std::mem::take(&mut self.rows).into_iter().collect();
            rows.sort_by(|(one, one_row), (other, other_row)| {
                (Reverse(one_row.keys), one).cmp(&(Reverse(other_row.keys), other))
            });
            let mut weight = 0;
            for (text, mut row) in rows {
                weight += text.len() + row.weight();
                let mut kept = text;
                if weight > MAX_WEIGHT / 4 {
                    let template = start(mask_of(&kept), segments);
                    row.observed = align(&template, mask_of(&kept), &row.observed);
                    kept = format!("{}{template}", kept.get(..PREFIX).unwrap_or_default()).into();
                }
                match self.rows.get_mut(&kept) {
                    Some(known) => known.merge(row),
                    None => drop(self.rows.insert(kept, row)),
                }
            }
            self.weigh();
            if self.weight < MAX_WEIGHT / 2 {
                break;
            }
        }
    }
}

/// The template of a single key.
pub(crate) fn template_of(key: &[u8]) -> Vec<Part> {
    let look = FirstLook { key, declaration: None, redis_type: RedisType::Other, expiry: Expiry::Never, memory: None };
    let mut learner = Learner::default();
    learner.add(&look);
    learner.templates().pop().map(|template| template.parts).unwrap_or_default()
}

/// The bytes before the mask in a row's text.
const PREFIX: usize = 2;

/// The type and whether it expires, as text.
fn prefix(look: &FirstLook<'_>) -> String {
    format!("{}{}", look.redis_type as u8, if look.expiry == Expiry::Never { 'n' } else { 'e' })
}

fn mask_of(text: &str) -> &str {
    text.get(PREFIX..).unwrap_or_default()
}

fn kind_of(text: &str) -> u8 {
    text.bytes().next().unwrap_or_default().saturating_sub(b'0')
}

fn type_of(text: &str) -> RedisType {
    RedisType::ALL.get(usize::from(kind_of(text))).copied().unwrap_or(RedisType::Other)
}

/// The first segments of a mask, with one parameter for all others.
fn start(mask: &str, segments: usize) -> String {
    let mut labels = split(mask, is_strong).skip(segments);
    let first: String = split(mask, is_strong).take(segments).collect();
    let separator =
        labels.next().and_then(|label| label.chars().next()).filter(|sign| u8::try_from(*sign).is_ok_and(is_strong));
    first.chars().chain(separator).chain([MARK, form::REST]).collect()
}

/// The rows of each template.
fn folded(rows: HashMap<Box<str>, Row>) -> BTreeMap<String, Row> {
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    let masks: Vec<_> = rows
        .iter()
        .map(|(text, row)| Masks { text: mask_of(text), kind: kind_of(text), keys: row.keys, observed: &row.observed })
        .collect();
    let templates = fold::templates(&masks);
    let mut folded = BTreeMap::<String, Row>::new();
    for ((text, mut row), template) in rows.into_iter().zip(templates) {
        row.observed = align(&template, mask_of(&text), &row.observed);
        let text = format!("{}{template}", text.get(..PREFIX).unwrap_or_default());
        match folded.get_mut(&text) {
            Some(known) => known.merge(row),
            None => drop(folded.insert(text, row)),
        }
    }
    folded
}

impl PartialEq for Learner {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows
    }
}

/// The rows, in the order of their texts.
impl Serialize for Learner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.rows.iter().collect::<BTreeMap<_, _>>())
    }
}

impl<'de> Deserialize<'de> for Learner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rows = HashMap::<Box<str>, Row>::deserialize(deserializer)?;
        let mut learner = Self { rows, known: HashMap::new(), weight: 0 };
        learner.know_templates();
        learner.weigh();
        Ok(learner)
    }
}
