//! The draft of a module of declarations.
//!
//! Each declaration is written with its text of today. Then all are compared as the derives compare them, and what
//! overlaps gets `no_colon`, or `allow(overlap)` where that is not enough. What cannot be declared becomes a comment.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;

use redis_keys_schema::{Kind, Policy, Rule, limits, values_of_type};
use redis_keys_syntax::{KeyField, read_key};
use syn::ext::IdentExt as _;
use syn::{DeriveInput, Item};

use super::join::has_separators;
use super::naming::{Names, camel_case, identifier, unique};
use super::{FoundField, FoundKey, FoundPart, SourceUse};
use crate::check::{Subject, check};
use crate::declarations::catalog::{Catalog, Key, Matcher, Values};
use crate::declarations::sources::DeclarationKind;
use crate::infer::Class;
use crate::raw::SetsExpiry;
use crate::render::units::{bytes, duration, things};
use crate::render::{Code, File, Finding, Level, printable};
use crate::server::redis_type::RedisType;

/// The characters of the widest line, without the indentation.
const WIDTH: usize = 96;

/// The most commands in the sources that a comment names.
const MOST_USES: usize = 4;

/// Expiries that people choose, in seconds.
const USUAL_SECONDS: [u64; 39] = [
    1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 600, 900, 1_200, 1_800, 2_700, 3_600, 5_400, 7_200, 10_800,
    14_400, 21_600, 28_800, 43_200, 86_400, 172_800, 259_200, 604_800, 1_209_600, 2_592_000, 5_184_000, 7_776_000,
    15_552_000, 31_536_000, 63_072_000,
];

/// A draft.
pub(crate) struct Draft {
    /// The module, as Rust.
    pub(crate) text: String,
    /// The number of declarations, and of those in which a person has to decide.
    pub(crate) declared: u64,
    pub(crate) undecided: u64,
    /// The modules of the names.
    pub(crate) modules: BTreeSet<String>,
    /// The texts that cannot be declared, each with the reason.
    pub(crate) refused: Vec<(String, String)>,
}

/// A declaration of the draft.
struct Declaration {
    names: Names,
    kind: Kind,
    /// The options behind the template, but for the text of today.
    options: Vec<String>,
    template: String,
    /// The text of today, as `format!` takes it. `None` if it is the template.
    legacy: Option<String>,
    fields: Vec<DeclaredField>,
    comments: Vec<String>,
    todos: Vec<String>,
    allows_overlap: bool,
    /// The reason for which it cannot be declared.
    refused: Option<String>,
}

struct DeclaredField {
    name: String,
    ty: &'static str,
    /// Whether no value that was seen contains `:`.
    is_without_colon: bool,
    no_colon: bool,
}

/// Writes the draft.
pub(crate) fn draft(found: &[FoundKey], with_examples: bool) -> Draft {
    let mut declarations = declarations(found, with_examples);
    distinguish(&mut declarations);
    let mut text = render(&declarations);
    // Each round mends what the round before has shown, and each declaration is mended three times at most.
    for _ in 0..4 {
        if !mend(&mut declarations, &text) {
            break;
        }
        text = render(&declarations);
    }
    let written = || declarations.iter().filter(|declaration| declaration.refused.is_none());
    Draft {
        text,
        declared: written().count() as u64,
        undecided: written().filter(|declaration| !declaration.todos.is_empty()).count() as u64,
        modules: written().map(|declaration| declaration.names.module.clone()).collect(),
        refused: declarations
            .iter()
            .filter_map(|declaration| Some((declaration.shown_text(), declaration.refused.clone()?)))
            .collect(),
    }
}

/// The declarations, with numbers in the names of those that have the same name without.
fn declarations(found: &[FoundKey], with_examples: bool) -> Vec<Declaration> {
    let of = |key, with_numbers| Some((key, Declaration::of(key, with_examples, with_numbers)?));
    let declarations: Vec<_> = found.iter().filter_map(|key| of(key, false)).collect();
    let mut times = BTreeMap::<String, u32>::new();
    for (_, declaration) in &declarations {
        *times.entry(shape(&declaration.template)).or_default() += 1;
    }
    let is_unique = |declaration: &Declaration| times.get(&shape(&declaration.template)) == Some(&1);
    let named = declarations.into_iter().filter_map(|(key, declaration)| {
        if is_unique(&declaration) { Some(declaration) } else { Declaration::of(key, with_examples, true) }
    });
    named.collect()
}

impl Draft {
    /// The number of these keys, and of those that a declaration of the draft can produce.
    pub(crate) fn cover<'k>(&self, keys: impl Iterator<Item = &'k [u8]>) -> (u64, u64) {
        let matcher = Matcher::new(&catalog(&self.text), None);
        keys.fold((0, 0), |(tried, covered), key| (tried + 1, covered + u64::from(matcher.find(key).is_some())))
    }
}

/// The catalog of the draft.
fn catalog(text: &str) -> Catalog {
    let items = syn::parse_file(text).map(|file| written(&file)).unwrap_or_default();
    let policy = Policy::default();
    let key = |Written { item, .. }: &Written| {
        let read = read_key(item, &policy);
        let schema = read.schema(String::new(), 1).ok()?;
        let values = |name: &str| values_of(read.input.fields.iter().find(|field| field.name == name)?);
        Some(Key::new(schema, |parameter| values(&parameter.name)))
    };
    let keys = items.iter().filter(|item| item.kind == DeclarationKind::Key).filter_map(key);
    Catalog::new(keys.collect(), Vec::new())
}

/// The texts of a field of the draft.
fn values_of(field: &KeyField<'_>) -> Option<Values> {
    Some(values_of_type(&field.ty)?.map(|_| Vec::new()))
}

impl Declaration {
    /// A declaration of a key. `None` if its type cannot be declared.
    fn of(key: &FoundKey, with_examples: bool, with_numbers: bool) -> Option<Self> {
        let mut todos = Vec::new();
        let kind = kind(key, &mut todos)?;
        let names = Names::of(key, kind, with_numbers);
        let mut options = value(key, kind, &names);
        options.extend(expiry(key, &mut todos));
        options.extend(size(key, kind, &mut todos));
        let mut fields = Vec::<DeclaredField>::new();
        let found = key.parts.iter().filter_map(|part| if let FoundPart::Field(field) = part { Some(field) } else { None });
        for (name, field) in names.fields.iter().zip(found) {
            if fields.iter().all(|known| known.name != *name) {
                fields.push(DeclaredField::of(name.clone(), field));
            }
        }
        let template = names.template(kind);
        let legacy = legacy_text(&key.parts, &names);
        let legacy = Some(legacy).filter(|legacy| *legacy != template);
        let has_text = key.parts.iter().any(|part| matches!(part, FoundPart::Text(text) if text.contains(char::is_alphanumeric)));
        Some(Self {
            names,
            kind,
            options,
            template,
            legacy,
            fields,
            comments: comments(key, with_examples),
            todos,
            allows_overlap: false,
            refused: (!has_text).then(|| "no text is common to these keys".to_owned()),
        })
    }

    fn shown_text(&self) -> String {
        printable(self.legacy.as_ref().unwrap_or(&self.template).as_bytes())
    }

    /// The name of the Rust module, without `r#`.
    fn rust_module(&self) -> String {
        let module = &self.names.module;
        // `self`, `super` and `crate` are no names.
        if identifier(module).is_some() { module.clone() } else { format!("{module}_keys") }
    }

    fn has_lifetime(&self) -> bool {
        self.fields.iter().any(|field| field.ty.starts_with('&'))
    }

    /// Mends what a comparison with the others has found. Returns whether anything was changed.
    fn mend(&mut self, finding: &Finding) -> bool {
        if finding.level < Level::Error || self.refused.is_some() {
            return false;
        }
        if finding.code != Code::Rule(Rule::OneKeyEach) {
            self.refused = Some(finding.message.clone());
            return true;
        }
        let open = self.fields.iter_mut().filter(|field| field.is_without_colon && !field.no_colon);
        if open.map(|field| field.no_colon = true).count() > 0 {
            return true;
        }
        if self.allows_overlap {
            return false;
        }
        self.allows_overlap = true;
        self.todos.push("its keys can be those of another declaration".to_owned());
        true
    }

    fn render(&self, out: &mut String) {
        let mut line = |text: &str| {
            let _ = writeln!(out, "    {text}");
        };
        for comment in &self.comments {
            line(&format!("// {comment}"));
        }
        if let Some(why) = &self.refused {
            line(&format!("// TODO: `{}` cannot be declared: {}", self.shown_text(), printable(why.as_bytes())));
            return;
        }
        for todo in &self.todos {
            line(&format!("// TODO: {todo}"));
        }
        line("#[derive(Clone, Debug, RedisKey)]");
        let mut arguments = vec![self.template.clone()];
        arguments.extend(self.options.iter().cloned());
        arguments.extend(self.legacy.as_ref().map(|legacy| format!("legacy = {}", literal(legacy))));
        if self.allows_overlap {
            arguments.push("allow(overlap, reason = \"TODO\")".to_owned());
        }
        let attribute = format!("#[redis_key({})]", arguments.join(", "));
        if attribute.chars().count() <= WIDTH {
            line(&attribute);
        } else {
            line("#[redis_key(");
            filled(&arguments, WIDTH - 4).iter().for_each(|arguments| line(&format!("    {arguments}")));
            line(")]");
        }
        let lifetime = if self.has_lifetime() { "<'a>" } else { "" };
        if self.fields.is_empty() {
            line(&format!("pub struct {} {{}}", self.names.item));
            return;
        }
        line(&format!("pub struct {}{lifetime} {{", self.names.item));
        for field in &self.fields {
            if field.no_colon {
                line("    #[redis_key(no_colon)]");
            }
            line(&format!("    pub {}: {},", identifier(&field.name).unwrap_or_default(), field.ty));
        }
        line("}");
    }
}

impl DeclaredField {
    fn of(name: String, field: &FoundField) -> Self {
        let ty = match field.class {
            Some(Class::Integer { is_negative: false, padded: None, .. }) => "u64",
            Some(Class::Integer { is_negative: true, padded: None, .. }) => "i64",
            _ => "&'a str",
        };
        let has_colon = field.class.as_ref().is_none_or(has_separators);
        Self { name, ty, is_without_colon: ty.starts_with('&') && !has_colon, no_colon: false }
    }
}

/// The type of a key, by its commands where the server knows less.
fn kind(key: &FoundKey, todos: &mut Vec<String>) -> Option<Kind> {
    let uses = |prefixes: &[&str]| {
        key.uses.iter().any(|used| prefixes.iter().any(|prefix| used.command.starts_with(prefix)))
    };
    let kind = match key.redis_type {
        Some(RedisType::String) | None if uses(&["SETBIT", "GETBIT", "BITFIELD", "BITCOUNT", "BITPOS"]) => Kind::Bitmap,
        Some(RedisType::String) | None if uses(&["PFADD", "PFCOUNT", "PFMERGE"]) => Kind::HyperLogLog,
        Some(RedisType::ZSet) | None if uses(&["GEO"]) => Kind::Geo,
        Some(RedisType::String) => Kind::String,
        Some(RedisType::Hash) => Kind::Hash,
        Some(RedisType::List) => Kind::List,
        Some(RedisType::Set) => Kind::Set,
        Some(RedisType::ZSet) => Kind::ZSet,
        Some(RedisType::Stream) => Kind::Stream,
        Some(RedisType::Other) => return None,
        None => {
            todos.push("the type of the key".to_owned());
            Kind::String
        }
    };
    Some(kind)
}

/// The options for what is stored. The bytes stay as they are.
fn value(key: &FoundKey, kind: Kind, names: &Names) -> Vec<String> {
    let counts = |commands: &[&str]| key.uses.iter().any(|used| commands.contains(&used.command));
    let value = match kind {
        Kind::String if counts(&["INCR", "INCRBY", "DECR", "DECRBY"]) => "value = i64",
        Kind::Hash if counts(&["HINCRBY"]) => "value = i64",
        Kind::Bitmap => return Vec::new(),
        Kind::Stream => return vec![format!("value = {}", entry_name(names))],
        _ => "value = Vec<u8>",
    };
    let field = (kind == Kind::Hash).then_some("field = String");
    field.into_iter().chain([value]).map(str::to_owned).collect()
}

/// The record of a stream's entries.
fn entry_name(names: &Names) -> String {
    format!("{}Entry", names.item)
}

/// The expiry: the longest that was seen, rounded up.
fn expiry(key: &FoundKey, todos: &mut Vec<String>) -> Vec<String> {
    let never = vec!["ttl = never".to_owned(), "reason = \"TODO\"".to_owned()];
    let (keys, without) = (key.keys(), key.without_expiry());
    if let Some(longest) = key.longest_expiry() {
        if without > 0 {
            todos.push(format!("{} of {} never expire", without, things(keys, "key")));
        }
        return vec![format!("ttl = {}", usual_expiry(longest))];
    }
    if without > 0 {
        todos.push("a ttl: these keys never expire".to_owned());
        return never;
    }
    if key.uses.iter().any(|used| used.creates == Some(SetsExpiry::No)) {
        todos.push("a ttl: it is written without an expiry".to_owned());
        return never;
    }
    todos.push("the ttl".to_owned());
    vec!["ttl = 1d".to_owned()]
}

/// The shortest usual expiry that is not shorter.
fn usual_expiry(ms: u64) -> String {
    let usual = USUAL_SECONDS.into_iter().find(|seconds| seconds * 1_000 >= ms);
    duration(usual.map_or_else(|| ms.div_ceil(86_400_000).min(3_650) * 86_400_000, |seconds| seconds * 1_000))
}

/// The options for limits that what was seen exceeds.
fn size(key: &FoundKey, kind: Kind, todos: &mut Vec<String>) -> Option<String> {
    let longest = key.longest()?;
    if matches!(kind, Kind::String | Kind::Bitmap) {
        if longest > limits::MAX_MAX_BYTES {
            todos.push(format!("the largest value has {}: writes of more than 1 MB are rejected", bytes(longest)));
            return Some("max_bytes = 1MB".to_owned());
        }
        let kilobytes = longest.div_ceil(1_024).next_power_of_two().min(1_024);
        return (longest > limits::DEFAULT_MAX_BYTES).then(|| format!("max_bytes = {kilobytes}KB"));
    }
    if longest > limits::MAX_MAX_LEN && kind != Kind::HyperLogLog {
        if kind == Kind::Stream {
            let last = longest.next_power_of_two().min(limits::MAX_STREAM_KEEP_LAST);
            todos.push(format!("the number of entries to keep: the largest has {}", things(longest, "entry").replace("entrys", "entries")));
            return Some(format!("keep_last = ~{last}"));
        }
        todos.push(format!(
            "the largest has {}: writes that exceed {} are rejected, so split it first",
            things(longest, "element"),
            limits::MAX_MAX_LEN
        ));
    }
    None
}

/// What was seen, and the commands in the sources.
fn comments(key: &FoundKey, with_examples: bool) -> Vec<String> {
    let mut comments = Vec::new();
    if key.keys() > 0 {
        let mut figures = things(key.keys(), "key");
        if key.bytes() > 0 {
            let _ = write!(figures, ", {}", bytes(key.bytes()));
        }
        if let Some(largest) = key.largest().filter(|_| key.keys() > 1) {
            let _ = write!(figures, ", the largest {}", bytes(largest));
        }
        match (key.longest_expiry(), key.without_expiry()) {
            (Some(longest), _) => {
                let _ = write!(figures, ", at most {} left", duration(longest));
            }
            (None, 1..) => figures.push_str(", no expiry"),
            (None, 0) => {}
        }
        comments.push(figures);
        let example = key.seen.first().map(|seen| printable(seen.example.bytes()));
        comments.extend(example.filter(|_| with_examples).map(|example| format!("for example `{example}`")));
    }
    let mut uses: Vec<_> = key.uses.iter().map(SourceUse::to_string).take(MOST_USES).collect();
    match key.uses.len().saturating_sub(MOST_USES) {
        0 => {}
        more => uses.push(format!("{more} more")),
    }
    if !uses.is_empty() {
        comments.push(printable(uses.join(", ").as_bytes()));
    }
    comments
}

impl std::fmt::Display for SourceUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { place, command, creates } = self;
        let expiry = if *creates == Some(SetsExpiry::No) { " without an expiry" } else { "" };
        write!(f, "{command} in {place}{expiry}")
    }
}

/// The text of today, as `format!` takes it.
fn legacy_text(parts: &[FoundPart], names: &Names) -> String {
    let mut fields = names.fields.iter();
    let part = |part: &FoundPart| match part {
        FoundPart::Text(text) => text.replace('{', "{{").replace('}', "}}"),
        FoundPart::Field(_) => fields.next().map(|name| format!("{{{name}}}")).unwrap_or_default(),
    };
    parts.iter().map(part).collect()
}

/// A string literal.
fn literal(text: &str) -> String {
    if !text.contains(['"', '\\']) && !text.chars().any(char::is_control) {
        return format!("\"{text}\"");
    }
    let mut hashes = "#".to_owned();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// Lines of arguments, each with a comma, as long as the width allows.
fn filled(arguments: &[String], width: usize) -> Vec<String> {
    let mut lines = Vec::<String>::new();
    for argument in arguments {
        match lines.last_mut() {
            Some(line) if line.chars().count() + argument.chars().count() + 2 <= width => {
                let _ = write!(line, " {argument},");
            }
            _ => lines.push(format!("{argument},")),
        }
    }
    lines
}

/// Gives each declaration of a module a name and a template of its own.
fn distinguish(declarations: &mut [Declaration]) {
    let mut items = BTreeMap::<String, Vec<String>>::new();
    let mut templates = BTreeSet::new();
    for Declaration { names, kind, template, todos, .. } in declarations {
        let taken = items.entry(names.module.clone()).or_default();
        if taken.contains(&names.item) {
            // `StatsByDay` beside `Stats`.
            let by = names.fields.last().map(|field| format!("{}By{}", names.item, camel_case(field.split('_'))));
            let typed = format!("{}{}", names.item, camel_case([kind.name()]));
            names.item = unique(by.filter(|by| !taken.contains(by)).unwrap_or(typed), taken);
        }
        taken.push(names.item.clone());
        if templates.insert(shape(template)) {
            continue;
        }
        todos.push("its name: another declaration has the words of this one".to_owned());
        let last = names.segments.pop().unwrap_or_else(|| names.module.clone());
        for number in 2.. {
            names.segments.push(format!("{last}{number}"));
            *template = names.template(*kind);
            if templates.insert(shape(template)) {
                break;
            }
            names.segments.pop();
        }
    }
}

/// A template without the names of its fields.
fn shape(template: &str) -> String {
    let segment = |segment: &str| if segment.starts_with('{') { "{}".to_owned() } else { segment.to_owned() };
    template.split(':').map(segment).collect::<Vec<_>>().join(":")
}

/// The module, as Rust.
fn render(declarations: &[Declaration]) -> String {
    let mut modules = Vec::<(&str, Vec<&Declaration>)>::new();
    for declaration in declarations {
        let module = declaration.names.module.as_str();
        match modules.iter_mut().find(|(name, _)| *name == module) {
            Some((_, members)) => members.push(declaration),
            None => modules.push((module, vec![declaration])),
        }
    }
    let mut text = "//! The Redis keys of this project, as they are today.\n".to_owned();
    for (_, members) in modules {
        let name = members.first().map(|member| member.rust_module()).unwrap_or_default();
        let _ = write!(text, "\npub mod {} {{\n", identifier(&name).unwrap_or(name));
        if members.iter().any(|member| member.refused.is_none()) {
            text.push_str("    use redis_keys::prelude::*;\n");
        }
        for member in members {
            text.push('\n');
            member.render(&mut text);
            if member.kind == Kind::Stream && member.refused.is_none() {
                let _ = write!(
                    text,
                    "\n    // TODO: the fields of an entry\n    #[derive(Clone, Debug, RedisHash)]\n    pub struct {} {{\n        \
                     pub data: Vec<u8>,\n    }}\n",
                    entry_name(&member.names)
                );
            }
        }
        text.push_str("}\n");
    }
    text
}

/// An item of the draft.
struct Written {
    module: String,
    /// The first byte, that of its attributes.
    start: usize,
    kind: DeclarationKind,
    item: DeriveInput,
}

impl Written {
    fn subject<'s>(&'s self, source: &Rc<File>, policy: &'s Policy) -> Subject<'s> {
        Subject {
            kind: self.kind,
            item: &self.item,
            file: Rc::clone(source),
            policy,
            package: "",
            module: &self.module,
            krate: 0,
            is_deployed: true,
            is_silenced: false,
            condition: None,
        }
    }
}

/// The items of the draft, in their order.
fn written(file: &syn::File) -> Vec<Written> {
    let mut written = Vec::new();
    for item in &file.items {
        let Item::Mod(module) = item else { continue };
        for item in module.content.iter().flat_map(|(_, items)| items) {
            let Item::Struct(item) = item else { continue };
            let is_key = item.attrs.iter().any(|attribute| attribute.path().is_ident("redis_key"));
            written.push(Written {
                module: module.ident.unraw().to_string(),
                start: item.attrs.first().map_or(0, |first| first.pound_token.span.byte_range().start),
                kind: if is_key { DeclarationKind::Key } else { DeclarationKind::Record },
                item: item.clone().into(),
            });
        }
    }
    written
}

/// Checks the draft as the derives do, and mends its declarations. Returns whether any was changed.
fn mend(declarations: &mut [Declaration], text: &str) -> bool {
    let Ok(file) = syn::parse_file(text) else { return false };
    let written = written(&file);
    let source = Rc::new(File { path: "keys.rs".to_owned(), text: text.to_owned() });
    let policy = Policy::default();
    let subjects: Vec<_> = written.iter().map(|item| item.subject(&source, &policy)).collect();
    let mut changed = false;
    for finding in check(&subjects, Vec::new(), &|_, field| values_of(field)) {
        let places = [Some(&finding.at), finding.other.as_ref().map(|(at, _)| at)];
        for at in places.into_iter().flatten() {
            let Some(item) = written.iter().rev().find(|item| item.start <= at.range.start) else { continue };
            let is_it = |declaration: &&mut Declaration| {
                declaration.rust_module() == item.module && item.item.ident == declaration.names.item
            };
            if let Some(declaration) = declarations.iter_mut().find(is_it) {
                changed |= declaration.mend(&finding);
            }
        }
    }
    changed
}
