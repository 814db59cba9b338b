//! The catalog: all keys of a project as data.
//!
//! Sources, compiled declarations and catalog files all become a [`Catalog`], and every command starts from one.

mod describe;
mod key_text;
mod matcher;
mod nearest;
mod stored;
mod template;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::{Deref, DerefMut, RangeInclusive};
use std::sync::Arc;

pub(crate) use describe::{duration, near_copies};
pub use key_text::{KeyText, Part, WrittenBy};
pub(crate) use matcher::legacy_of;
#[cfg(test)]
pub(crate) use matcher::tests::{declaration, parameter, up_to};
pub use matcher::{Match, Matcher, TextKind};
pub(crate) use nearest::{Difference, nearest, nearest_legacy, parameters};
use redis_keys_core::ValueSet;
use redis_keys_core::schema::{self, ParameterForm, Role, Schema};
pub use redis_keys_core::{Argument, Integer};
use redis_keys_schema::Policy;
use redis_keys_schema::legacy::Legacy;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
pub use stored::{RecordField, StoredForm};
pub(crate) use template::Template;

use crate::Failure;
use crate::render::{json_lines, one_line, units, visible_json};

/// The version of the JSON form.
pub const FORMAT: u32 = 3;

/// Its first version, which does not list the keys that a selection leaves out. The second does not name the keys of
/// other programs.
const FIRST_FORMAT: u32 = 1;

/// All keys of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catalog {
    /// The version of the JSON form.
    pub format: u32,
    /// The keys, sorted by template.
    pub keys: Vec<Key>,
    /// The places that may declare keys and could not be read.
    pub unread: Vec<UnreadPlace>,
    /// The other declarations of the workspace. `None` if they are unknown: the catalog need not cover the workspace
    /// then.
    #[serde(default)]
    pub left_out: Option<OmittedKeys>,
    /// The keys of other programs, as the policies of the workspace name them. `None` if that is unknown.
    #[serde(default)]
    pub foreign: Option<Foreign>,
}

/// The keys of other programs, as `[foreign]` of a policy names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Foreign {
    /// The names of the programs and libraries.
    pub systems: Vec<String>,
    /// The patterns of other keys, in which `*` is any text.
    pub patterns: Vec<String>,
}

impl Foreign {
    /// The keys that any of these policies names.
    pub(crate) fn of(policies: &[Arc<Policy>]) -> Self {
        let mut foreign = Self::default();
        for policy in policies.iter().filter_map(|policy| policy.foreign.as_ref()) {
            foreign.add(&policy.systems, &policy.patterns);
        }
        foreign
    }

    /// These keys, and others.
    pub(crate) fn and(mut self, other: Option<&Self>) -> Self {
        if let Some(other) = other {
            self.add(&other.systems, &other.patterns);
        }
        self
    }

    fn add(&mut self, systems: &[String], patterns: &[String]) {
        for (known, names) in [(&mut self.systems, systems), (&mut self.patterns, patterns)] {
            for name in names {
                if !known.contains(name) {
                    known.push(name.clone());
                }
            }
        }
    }
}

/// The declarations of a workspace that a selection leaves out: declarations of other packages, features, platforms and
/// targets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OmittedKeys {
    /// The keys, sorted by template.
    pub keys: Vec<Key>,
    /// The places that may declare keys and could not be read.
    pub unread: Vec<UnreadPlace>,
}

/// A place in the sources that may declare keys and could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnreadPlace {
    /// The file, relative to the workspace.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The reason why it could not be read.
    pub why: String,
}

impl UnreadPlace {
    const ERRORS: &str = "has errors";

    /// The place of a declaration with errors.
    pub(crate) fn with_errors(file: String, line: usize, name: &str) -> Self {
        Self { file, line, why: format!("the declaration of `{name}` {}", Self::ERRORS) }
    }

    /// Whether it is a declaration with errors, which a compilation does not read either.
    pub(crate) fn has_errors(&self) -> bool {
        self.why.ends_with(Self::ERRORS)
    }
}

impl Catalog {
    /// A catalog of these keys, which are sorted here.
    pub fn new(mut keys: Vec<Key>, mut unread: Vec<UnreadPlace>) -> Self {
        keys.sort_by(|one, other| one.order().cmp(&other.order()));
        unread.sort();
        Self { format: FORMAT, keys, unread, left_out: None, foreign: None }
    }

    /// The catalog with the other declarations of the workspace, given all declarations in `all`.
    pub(crate) fn covering(mut self, all: Self, read: &[UnreadPlace]) -> Self {
        // A build knows fewer modules.
        let identity = |key: &Key| {
            let texts = [&key.template, &key.name, &key.file, &key.package, &key.target];
            (texts.map(String::clone), key.line)
        };
        let known: HashSet<_> = self.keys.iter().map(identity).collect();
        let keys = all.keys.into_iter().filter(|key| !known.contains(&identity(key))).collect();
        let unread = all.unread.into_iter().filter(|place| !read.contains(place)).collect();
        self.left_out = Some(OmittedKeys { keys, unread });
        self
    }

    /// The catalog in which the keys that the selection leaves out are behind the other keys, and marked as left out.
    pub(crate) fn whole(mut self) -> Self {
        if let Some(left_out) = &mut self.left_out {
            let OmittedKeys { keys, unread } = std::mem::take(left_out);
            self.keys.extend(keys.into_iter().map(|key| Key { is_left_out: true, ..key }));
            self.unread.extend(unread);
        }
        self
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a catalog, or a catalog of a later version.
    pub fn from_json(text: &str) -> Result<Self, Failure> {
        let wrong = |why: &str| {
            let failure = Failure::new(format!("not a catalogue: {}", one_line(why)));
            failure.help("write one with `cargo redis-keys catalog --format json --out FILE`")
        };
        let outdated = |format| {
            let failure = Failure::new(format!("the catalogue has format {format}, expected {FORMAT}"));
            failure.help("update cargo-redis-keys, or write the catalogue again with this version")
        };
        let catalog: Self = from_json(text, FIRST_FORMAT..=FORMAT, wrong, outdated)?;
        Ok(Self { format: FORMAT, ..catalog })
    }

    /// Whether a declaration has two texts, so that lists show which text is in use.
    pub(crate) fn has_legacy_texts(&self) -> bool {
        self.keys.iter().any(|key| key.text_in_use().is_some())
    }

    /// The JSON form: one key in each line, so that differences are easy to read.
    pub fn to_json(&self) -> String {
        let parts = |keys: &[Key], unread: &[UnreadPlace]| {
            let keys: Vec<_> = keys.iter().filter_map(|key| serde_json::to_string(key).ok()).collect();
            let unread: Vec<_> = unread.iter().filter_map(|place| serde_json::to_string(place).ok()).collect();
            format!("\"keys\":{},\"unread\":{}", json_lines(&keys), json_lines(&unread))
        };
        let left_out = self.left_out.as_ref().map(|left_out| parts(&left_out.keys, &left_out.unread));
        let left_out = left_out.map_or("null".to_owned(), |left_out| format!("{{{left_out}}}"));
        let foreign = self.foreign.as_ref().and_then(|foreign| serde_json::to_string(foreign).ok());
        let foreign = foreign.unwrap_or_else(|| "null".to_owned());
        let selected = parts(&self.keys, &self.unread);
        let format = self.format;
        visible_json(&format!("{{\"format\":{format},{selected},\"left_out\":{left_out},\"foreign\":{foreign}}}\n"))
    }
}

/// Reads JSON with one of these formats.
pub(crate) fn from_json<T: DeserializeOwned>(
    text: &str,
    formats: RangeInclusive<u32>,
    wrong: impl Fn(&str) -> Failure,
    outdated: impl Fn(u32) -> Failure,
) -> Result<T, Failure> {
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let not_read = |error: serde_json::Error| wrong(&error.to_string());
    let Version { format } = serde_json::from_str(text).map_err(not_read)?;
    if !formats.contains(&format) {
        return Err(outdated(format));
    }
    serde_json::from_str(text).map_err(not_read)
}

/// The texts that a parameter can have in a key.
pub type Values = ValueSet<Vec<String>>;

/// A key of the catalog. It reads as its schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The schema. Its file is relative to the workspace.
    #[serde(flatten)]
    pub schema: Schema<String, Vec<Parameter>>,
    /// The length of the longest key.
    pub longest: usize,
    /// An example of a key, if the values of all parameters are known and the template is in use.
    pub example: Option<String>,
    /// The text in use, as its parts. `None` in a file of an earlier version.
    #[serde(default)]
    pub text: Option<KeyText>,
    /// The other text, if the key has a legacy text: the template, or the former text.
    #[serde(default)]
    pub other_text: Option<KeyText>,
    /// The stored form of the value or of each element, if it has one.
    #[serde(default, rename = "stored")]
    pub value_form: Option<StoredForm>,
    /// The stored form of the field names of a hash.
    #[serde(default, rename = "stored_field")]
    pub field_form: Option<StoredForm>,
    /// The fields, if the value is a record that the sources show.
    #[serde(default)]
    pub record: Option<Vec<RecordField>>,
    /// The package that declares it.
    pub package: String,
    /// The target of the package, such as `lib:shop` or `bin:worker`.
    pub target: String,
    /// The module path inside of the target, such as `keys::user`. Empty for the root, `None` if it is unknown.
    pub module: Option<String>,
    /// The `cfg` under which it is declared, if the tool cannot decide it.
    pub condition: Option<String>,
    /// The macro that declares it.
    pub made_by: Option<String>,
    /// Whether a compilation has found it in unit tests only.
    #[serde(skip)]
    pub is_test: bool,
    /// Whether the selection of packages, features and targets leaves it out.
    #[serde(skip)]
    pub is_left_out: bool,
}

/// A parameter of a key. It reads as the parameter of the schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The parameter in the schema.
    #[serde(flatten)]
    pub declared: schema::Parameter<String>,
    /// The texts that it can have, or `None` if they are unknown.
    pub values: Option<Values>,
    /// Whether a text can contain a `.`, or `None` if that is unknown.
    pub dotted: Option<bool>,
    /// The facts from the sources.
    #[serde(flatten)]
    pub facts: ParameterFacts,
}

/// Facts about a parameter that only the sources have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ParameterFacts {
    /// The argument, or `None` if the sources do not show its type.
    pub argument: Option<Argument>,
    /// The reason why the argument is unknown.
    pub why: Option<String>,
    /// Whether the type is a newtype or an enum, whose text in a legacy text is its own `Display`.
    pub own_display: bool,
    /// The doc comment of the field.
    pub docs: Option<String>,
}

impl Key {
    /// A key with these facts about its parameters. The target is empty.
    pub(crate) fn new(schema: Schema<String>, facts: impl Fn(&schema::Parameter<String>) -> ParameterFacts) -> Self {
        let template = Template::parse(&schema.template);
        let (text, other_text) = texts(&schema, template.as_ref());
        let parameters = schema.parameters.as_str().iter().enumerate().map(|(index, declared)| {
            let declared = declared.map(str::to_owned);
            let is_segment = template.as_ref().is_some_and(|template| template.is_segment(index));
            let facts = match declared.form {
                ParameterForm::Copy(copies) => {
                    ParameterFacts { argument: Some(Argument::Integer(Integer::below(copies))), ..facts(&declared) }
                }
                _ => facts(&declared),
            };
            let values = declared.form.values().map(Values::from);
            let values = values.or_else(|| facts.argument.as_ref().and_then(Argument::values));
            let dotted = if is_segment { values.as_ref().map(Values::is_dotted) } else { Some(false) };
            Parameter { declared, values, dotted, facts }
        });
        let parameters: Vec<_> = parameters.collect();
        let rendered = |text: &dyn Fn(&Values) -> Option<String>| {
            template.as_ref()?.rendered(|index| text(parameters.get(index)?.values.as_ref()?))
        };
        let example = rendered(&Values::example).filter(|_| schema.legacy.is_none());
        let literals = template.as_ref().and_then(|template| template.rendered(|_| Some(String::new())));
        let longest = parameters.iter().map(|parameter| parameter.values.as_ref().and_then(Values::longest));
        let longest = literals.zip(longest.sum::<Option<usize>>()).map(|(literals, longest)| literals.len() + longest);
        // The parameters of a legacy text are written in another way.
        let longest = longest.filter(|_| schema.legacy.is_none());
        Self {
            longest: longest.unwrap_or(usize::MAX).min(schema.max_key_bytes),
            example,
            text,
            other_text,
            value_form: None,
            field_form: None,
            record: None,
            schema: schema.map(|text| text, |_| parameters),
            package: String::new(),
            target: String::new(),
            module: None,
            condition: None,
            made_by: None,
            is_test: false,
            is_left_out: false,
        }
    }

    /// The module in the key's text, its first segment.
    pub fn business_module(&self) -> &str {
        self.template.split(':').next().unwrap_or_default()
    }

    /// Whether it is part of a library or a program, and not of a test or an example.
    pub(crate) fn is_deployed(&self) -> bool {
        !self.is_test && ["lib:", "bin:"].iter().any(|kind| self.target.starts_with(kind))
    }

    /// The milliseconds of the time to live without jitter, or `None` if the key never expires.
    pub(crate) fn ttl_ms(&self) -> Option<u64> {
        Some(self.expiry.as_ms().0).filter(|ttl| *ttl > 0)
    }

    /// The milliseconds of the jitter.
    pub(crate) fn jitter_ms(&self) -> u64 {
        self.expiry.as_ms().1
    }

    /// The milliseconds for which an expired value stays in case a load fails, zero without `stale`.
    pub(crate) fn stale_ms(&self) -> u64 {
        if let Some(Role::Cache(cache)) = self.role { cache.stale.map_or(0, units::millis) } else { 0 }
    }

    /// The name of the role: `cache`, `lock`, `limit` or `jobs`.
    pub(crate) fn role_name(&self) -> Option<&'static str> {
        self.role.map(Role::name)
    }

    /// The number of copies, if it has some.
    pub(crate) fn copies(&self) -> Option<u32> {
        self.parameters.iter().find_map(|parameter| match parameter.form {
            ParameterForm::Copy(copies) => Some(copies),
            _ => None,
        })
    }

    /// The place in the order of keys.
    fn order(&self) -> impl Ord + '_ {
        (&self.template, &self.package, &self.target, &self.module, &self.name, &self.file, self.line)
    }
}

/// The text in use of a key, and its other text.
fn texts(schema: &Schema<String>, template: Option<&Template>) -> (Option<KeyText>, Option<KeyText>) {
    let template = template.map(|template| KeyText::of_template(template, schema.parameters.as_str()));
    let legacy = Legacy::of_schema(schema).map(|legacy| KeyText::of_legacy(&legacy));
    if schema.legacy.is_some() { (legacy, template) } else { (template, legacy) }
}

impl Deref for Key {
    type Target = Schema<String, Vec<Parameter>>;

    fn deref(&self) -> &Self::Target {
        &self.schema
    }
}

impl DerefMut for Key {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.schema
    }
}

impl Deref for Parameter {
    type Target = schema::Parameter<String>;

    fn deref(&self) -> &Self::Target {
        &self.declared
    }
}
