//! Legacy texts: what is accepted has a pattern that matches the keys that it writes.

use redis_keys_core::legacy::LegacyText;
use redis_keys_schema::legacy::Legacy;
use redis_keys_schema::{Attribute, Field, Item, Policy, Shape, check};

/// A field: its name, its type, a placeholder of a legacy text, and the text of a value there.
struct Placeholder(&'static str, &'static str, &'static str, &'static str);

const PLACEHOLDERS: [Placeholder; 8] = [
    Placeholder("id", "u64", "{id}", "42"),
    Placeholder("id", "u64", "{id:05}", "00042"),
    Placeholder("id", "u64", "{id:016x}", "000000000000002a"),
    Placeholder("id", "u64", "{id:X}", "2A"),
    Placeholder("name", "String", "{name}", "ada:7"),
    Placeholder("name", "String", "{name:?}", "\"ada:7\""),
    Placeholder("uuid", "Uuid", "{uuid}", "67e55044-10b1-426f-9247-bb680e5fe0c8"),
    Placeholder("ip", "Ipv6Addr", "{ip}", "::1"),
];

/// Checks the text as a legacy text, and literals from it around placeholders: `%3` is the fourth placeholder.
pub fn legacy(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    // The text is a literal of Rust without escapes.
    if text.contains(['"', '\\', '\n', '\r']) {
        return;
    }
    let all: Vec<_> = PLACEHOLDERS.iter().collect();
    check_text(text, &all);
    let (mut format, mut key) = (String::new(), String::new());
    let mut used = Vec::new();
    let mut parts = text.split('%');
    let first = parts.next().map(|literal| ("", literal));
    for (index, literal) in first.into_iter().chain(parts.filter_map(|part| part.split_at_checked(1))) {
        if let Some(placeholder) = index.parse().ok().and_then(|index: usize| PLACEHOLDERS.get(index)) {
            format.push_str(placeholder.2);
            key.push_str(placeholder.3);
            used.push(placeholder);
        }
        format.push_str(&literal.replace('{', "{{").replace('}', "}}"));
        key.push_str(literal);
    }
    if let Some(legacy) = check_text(&format, &used) {
        // What a value must not contain is refused when a key is built.
        let ends = legacy.ends();
        let is_refused = |(placeholder, end): (&&Placeholder, &&str)| !end.is_empty() && placeholder.3.contains(*end);
        if used.iter().zip(&ends).any(is_refused) {
            return;
        }
        assert!(legacy.glob().matches(key.as_bytes()), "{format:?} gives {key:?}");
        let read = LegacyText::read(&format);
        let divided = read.divide(&key, legacy.open());
        let joined = divided.map(|values| {
            let values = values.into_iter().chain([""]);
            read.literals.iter().zip(values).flat_map(|(literal, value)| [literal.as_str(), value]).collect::<String>()
        });
        assert!(joined.is_none_or(|joined| joined == key), "{format:?} divides {key:?} into other texts");
    }
}

/// Checks a declaration with this legacy text, and returns what is read of it if it is valid.
fn check_text(text: &str, used: &[&Placeholder]) -> Option<Legacy> {
    let mut fields: Vec<Field<'static>> = Vec::new();
    let mut template = "user:legacy".to_owned();
    for Placeholder(name, ty, ..) in used {
        if fields.iter().all(|field| field.name != *name) {
            fields.push(Field { name: (*name).to_owned(), ty, phantom: false, attributes: Vec::new() });
            template.extend([":{", name, "}"]);
        }
    }
    let mut read = None;
    for options in ["", ", allow(ambiguous_text, reason = \"as it is\")"] {
        let attribute = format!("{template}:string, value = String, ttl = 1h, legacy = \"{text}\"{options}");
        let item = Item {
            name: "Fuzzed".to_owned(),
            shape: Shape::Struct,
            documented: true,
            attributes: vec![Attribute::Arguments(&attribute)],
            fields: fields.clone(),
        };
        let checked = check(&item, &Policy::default());
        for diagnostic in checked.diagnostics.iter() {
            if let redis_keys_schema::Place::Attribute(range) = &diagnostic.place {
                assert!(attribute.get(range.clone()).is_some(), "{diagnostic:?} is not in {attribute:?}");
            }
        }
        let Ok(schema) = checked.declaration.schema(&item) else { continue };
        let legacy = Legacy::of_schema(&schema);
        if !checked.diagnostics.is_empty() {
            continue;
        }
        assert!(legacy.is_some(), "a valid text cannot be read: {text:?}");
        let Some(legacy) = legacy else { continue };
        let glob = legacy.glob();
        assert!(glob.overlaps(&glob), "{text:?} gives no key");
        assert!(legacy.ends().len() == legacy.fields.len() && legacy.literals.len() == legacy.fields.len() + 1);
        let _ = (glob.breadth(), LegacyText::read(text).pattern());
        read = read.or(Some(legacy));
    }
    read
}
