//! A declaration of a draft, with its text of today.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter, Write as _};
use std::mem;

use redis_keys_schema::{Kind, limits};

use super::join::has_separators;
use super::naming::{Names, identifier};
use super::{ConstantStart, FoundField, FoundKey, FoundPart, SourceUse};
use crate::declare::raw::{ParameterType, SetsExpiry};
use crate::declare::redis_type::RedisType;
use crate::operate::infer::Class;
use crate::render::units::{bytes, count, duration, things};
use crate::render::{is_visible, printable};

/// The characters of the widest line, without the indentation.
const WIDTH: usize = 96;

/// The most commands in the sources that a comment names.
const MOST_USES: usize = 4;

/// Expiries that people choose, in seconds.
const USUAL_SECONDS: [u64; 39] = [
    1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 600, 900, 1_200, 1_800, 2_700, 3_600, 5_400, 7_200,
    10_800, 14_400, 21_600, 28_800, 43_200, 86_400, 172_800, 259_200, 604_800, 1_209_600, 2_592_000, 5_184_000,
    7_776_000, 15_552_000, 31_536_000, 63_072_000,
];

/// A declaration of the draft.
pub(super) struct Declaration {
    pub(super) names: Names,
    pub(super) kind: Kind,
    /// The options behind the template, but for the text of today.
    pub(super) options: Vec<String>,
    pub(super) template: String,
    /// The text of today, as `format!` takes it. `None` if it is the template.
    pub(super) legacy: Option<String>,
    pub(super) fields: Vec<DeclaredField>,
    pub(super) comments: Vec<String>,
    pub(super) todos: Vec<String>,
    /// The lints and checks that it is exempt from.
    pub(super) allows: BTreeSet<&'static str>,
    /// Whether its template is in another module than its text.
    pub(super) is_moved: bool,
    /// The reason for which it cannot be declared.
    pub(super) refused: Option<String>,
}

pub(super) struct DeclaredField {
    pub(super) name: String,
    pub(super) ty: &'static str,
    /// Whether no value that was seen contains `:`.
    pub(super) is_without_colon: bool,
    pub(super) no_colon: bool,
    pub(super) found: FoundField,
}

impl Declaration {
    /// A declaration of a key. `None` if its type cannot be declared.
    pub(super) fn of(key: &FoundKey, with_examples: bool, with_numbers: bool) -> Option<Self> {
        let mut todos = Vec::new();
        let kind = kind(key, &mut todos)?;
        todos.extend(key.start.as_ref().map(start_todo));
        let names = Names::of(key, kind, with_numbers);
        let mut options = value(key, kind);
        options.extend(expiry(key, &mut todos));
        options.extend(size(key, kind, &mut todos));
        options.extend(member_size(key, kind, &mut todos));
        let mut fields = Vec::<DeclaredField>::new();
        let found =
            key.parts.iter().filter_map(|part| if let FoundPart::Field(field) = part { Some(field) } else { None });
        for (name, field) in names.fields.iter().zip(found) {
            if fields.iter().all(|known| known.name != *name) {
                fields.push(DeclaredField::of(name.clone(), field));
            }
        }
        let template = names.template(kind);
        let legacy = legacy_text(&key.parts, &names);
        let legacy = Some(legacy).filter(|legacy| *legacy != template);
        let has_text =
            key.parts.iter().any(|part| matches!(part, FoundPart::Text(text) if text.contains(char::is_alphanumeric)));
        Some(Self {
            names,
            kind,
            options,
            template,
            legacy,
            fields,
            comments: comments(key, with_examples),
            todos,
            allows: BTreeSet::new(),
            is_moved: false,
            refused: (!has_text).then(|| "no text is common to these keys".to_owned()),
        })
    }

    pub(super) fn shown_text(&self) -> String {
        printable(self.legacy.as_ref().unwrap_or(&self.template))
    }

    /// The name of the Rust module, without `r#`.
    pub(super) fn rust_module(&self) -> String {
        let module = &self.names.module;
        // `self`, `super` and `crate` are no names.
        if identifier(module).is_some() { module.clone() } else { format!("{module}_keys") }
    }

    /// Whether some values contain no `:`, which is not said yet.
    pub(super) fn can_exclude_colons(&self) -> bool {
        self.fields.iter().any(|field| field.is_without_colon && !field.no_colon)
    }

    pub(super) fn exclude_colons(&mut self) {
        self.fields.iter_mut().for_each(|field| field.no_colon = field.is_without_colon);
    }

    /// Gives it a template in another module than its text.
    pub(super) fn move_to_another_module(&mut self) {
        self.is_moved = true;
        let module = mem::replace(&mut self.names.module, "app".to_owned());
        self.names.segments.insert(0, module);
        self.template = self.names.template(self.kind);
    }

    fn has_lifetime(&self) -> bool {
        self.fields.iter().any(|field| field.ty.starts_with('&'))
    }

    /// Writes it into its module.
    pub(super) fn render(&self, out: &mut String) {
        let mut line = |text: &str| {
            let _ = writeln!(out, "{}", format!("    {text}").trim_end());
        };
        self.comments.iter().for_each(|comment| line(&format!("// {comment}")));
        self.todos.iter().for_each(|todo| line(&format!("// TODO: {todo}")));
        line("#[derive(Clone, Debug, RedisKey)]");
        let mut arguments = vec![self.template.clone()];
        let entry = format!("{}Entry", self.names.item);
        arguments.extend((self.kind == Kind::Stream).then(|| format!("value = {entry}")));
        arguments.extend(self.options.iter().cloned());
        arguments.extend(self.legacy.as_ref().map(|legacy| format!("legacy = {}", literal(legacy))));
        arguments.extend(self.allows.iter().map(|allowed| format!("allow({allowed}, reason = \"TODO\")")));
        let attribute = format!("#[redis_key({})]", arguments.join(", "));
        if attribute.chars().count() <= WIDTH {
            line(&attribute);
        } else {
            line("#[redis_key(");
            for arguments in filled(&arguments, WIDTH - 4) {
                line(&format!("    {arguments}"));
            }
            line(")]");
        }
        let lifetime = if self.has_lifetime() { "<'a>" } else { "" };
        let body = if self.fields.is_empty() { ";" } else { " {" };
        line(&format!("pub struct {}{lifetime}{body}", self.names.item));
        for field in &self.fields {
            if field.no_colon {
                line("    #[redis_key(no_colon)]");
            }
            line(&format!("    pub {}: {},", identifier(&field.name).unwrap_or_default(), field.ty));
        }
        if !self.fields.is_empty() {
            line("}");
        }
        if self.kind == Kind::Stream {
            let item = format!("pub struct {entry} {{");
            let lines = ["", "// TODO: the fields of an entry", "#[derive(Clone, Debug, RedisHash)]", &item];
            lines.into_iter().chain(["    pub data: Vec<u8>,", "}"]).for_each(line);
        }
    }
}

impl DeclaredField {
    fn of(name: String, field: &FoundField) -> Self {
        let ty = match (field.ty, &field.class) {
            (Some(ty), _) => ty.path(),
            // A value with more digits counts as the largest.
            (None, Some(Class::Integer { max: u64::MAX, .. })) => "&'a str",
            (None, Some(Class::Integer { is_negative: false, .. })) => "u64",
            (None, Some(Class::Integer { is_negative: true, padded: None, .. })) => "i64",
            // The sources have another type, if they name it.
            (None, Some(Class::Uuid)) if field.name.is_none() => ParameterType::Uuid.path(),
            _ => "&'a str",
        };
        let has_colon = field.class.as_ref().is_none_or(has_separators);
        let is_without_colon = ty.starts_with('&') && !has_colon;
        Self { name, ty, is_without_colon, no_colon: false, found: field.clone() }
    }
}

/// A key's type, by its commands where the server knows less.
fn kind(key: &FoundKey, todos: &mut Vec<String>) -> Option<Kind> {
    let uses =
        |prefixes: &[&str]| key.uses.iter().any(|used| prefixes.iter().any(|prefix| used.command.starts_with(prefix)));
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

/// The options for the stored value. The bytes stay unchanged.
fn value(key: &FoundKey, kind: Kind) -> Vec<String> {
    let counts = |commands: &[&str]| key.uses.iter().any(|used| commands.contains(&used.command));
    let can_be_integers = key.values().are_integers() || key.values().names().is_empty();
    let value = match kind {
        Kind::String if counts(&["INCR", "INCRBY", "DECR", "DECRBY"]) => "value = i64",
        // Beside a counter, a hash can have fields of text.
        Kind::Hash
            if counts(&["HINCRBY"]) && !counts(&["HSET", "HSETNX", "HMSET", "HINCRBYFLOAT"]) && can_be_integers =>
        {
            "value = i64"
        }
        Kind::Bitmap | Kind::Stream => return Vec::new(),
        Kind::HyperLogLog => "value = Vec<u8>",
        _ if key.values().are_integers() => "value = i64",
        _ if key.values().are_text() => "value = String",
        _ => "value = Vec<u8>",
    };
    let field = (kind == Kind::Hash).then_some("field = String");
    field.into_iter().chain([value]).map(str::to_owned).collect()
}

/// The expiry: the longest that was seen, rounded up.
fn expiry(key: &FoundKey, todos: &mut Vec<String>) -> Vec<String> {
    let never = ["ttl = never", "reason = \"TODO\"", "rebuild = \"TODO\""].map(str::to_owned).into();
    let (keys, without) = (key.keys(), key.without_expiry());
    if let Some(longest) = key.longest_expiry() {
        if without > 0 {
            todos.push(format!("{} of {} never expire", without, things(keys, "key")));
        }
        if longest > LONGEST_TTL_MS {
            todos.push(format!(
                "the ttl: {} are left, and {} is the longest. `ttl = never` with a reason keeps the keys for good",
                duration(longest),
                duration(LONGEST_TTL_MS),
            ));
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

/// The longest expiry of a declaration, in milliseconds.
const LONGEST_TTL_MS: u64 = limits::LONGEST_TTL.as_secs() * 1_000;

/// The shortest usual expiry that is not shorter.
fn usual_expiry(ms: u64) -> String {
    let usual = USUAL_SECONDS.into_iter().find(|seconds| seconds * 1_000 >= ms);
    duration(
        usual.map_or_else(|| (ms.div_ceil(86_400_000) * 86_400_000).min(LONGEST_TTL_MS), |seconds| seconds * 1_000),
    )
}

/// The options for limits that the keys on servers exceed.
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
            todos.push(format!(
                "the number of entries to keep: the largest has {}",
                things(longest, "entry").replace("entrys", "entries")
            ));
            return Some(format!("keep_last = ~{last}"));
        }
        let kept = match kind {
            Kind::List => ", or `keep_last = 5000`, which drops the others",
            Kind::ZSet => ", or `keep_top = 5000`, which drops the others",
            _ => "",
        };
        todos.push(format!(
            "the largest has {}: writes that exceed {} are rejected, so split it by one more field{kept}",
            things(longest, "element"),
            count(limits::MAX_MAX_LEN),
        ));
    }
    None
}

/// The option for elements that are larger than usual.
fn member_size(key: &FoundKey, kind: Kind, todos: &mut Vec<String>) -> Option<String> {
    let largest = key.largest_member();
    let has_members = matches!(kind, Kind::Hash | Kind::List | Kind::Set | Kind::ZSet | Kind::Stream);
    if !has_members || largest <= limits::DEFAULT_MAX_MEMBER_BYTES {
        return None;
    }
    if largest > limits::MAX_MAX_BYTES {
        todos.push(format!(
            "elements of about {}: writes of more than 1 MB are rejected, so give each a key of its own",
            bytes(largest)
        ));
        return Some("max_member_bytes = 1MB".to_owned());
    }
    // The largest memory on servers is about the average of a key.
    let kilobytes = (2 * largest).div_ceil(1_024).next_power_of_two().min(1_024);
    todos.push(format!("the largest element: some have about {}, and 4 KB is usual", bytes(largest)));
    Some(if kilobytes == 1_024 {
        "max_member_bytes = 1MB".to_owned()
    } else {
        format!("max_member_bytes = {kilobytes}KB")
    })
}

/// The decision that a person has to make about text that is a value in the sources.
fn start_todo(start: &ConstantStart) -> String {
    let ConstantStart { text, name } = start;
    let value = name.as_ref().map_or("a value".to_owned(), |name| format!("`{{{name}}}`"));
    format!(
        "`{text}` is {value} in the sources: remove it and what separates it, and call `namespace::set_legacy_prefix`, or \
         make it a field if it differs within a program"
    )
}

/// The facts from servers, and the commands in the sources.
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
        let values = key.values().names();
        comments.extend((!values.is_empty()).then(|| format!("values: {}", values.join(", "))));
        let example = key.seen.first().map(|seen| printable(seen.example.1.bytes()));
        comments.extend(example.filter(|_| with_examples).map(|example| format!("for example `{example}`")));
    }
    let mut uses: Vec<_> = key.uses.iter().map(SourceUse::to_string).take(MOST_USES).collect();
    match key.uses.len().saturating_sub(MOST_USES) {
        0 => {}
        more => uses.push(format!("{more} more")),
    }
    if !uses.is_empty() {
        comments.push(printable(uses.join(", ")));
    }
    comments
}

impl Display for SourceUse {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
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
        FoundPart::Field(field) => fields.next().map(|name| format!("{{{name}{}}}", zeros(field))).unwrap_or_default(),
    };
    parts.iter().map(part).collect()
}

/// The format that writes zeros in front of a number.
fn zeros(field: &FoundField) -> String {
    match (field.ty, &field.class) {
        (None, Some(Class::Integer { max, is_negative: false, padded: Some(digits) })) if *max < u64::MAX => {
            format!(":0{digits}")
        }
        _ => String::new(),
    }
}

/// A string literal.
fn literal(text: &str) -> String {
    // Control characters, and characters that change the direction of the text behind them.
    if !text.chars().all(is_visible) {
        return format!("{text:?}");
    }
    if !text.contains(['"', '\\']) {
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
