//! Placeholders and fields match one to one; shards, copies and encodings of parameters.

use crate::Rule;
use crate::attribute::{Given, Grammar, KeyOption, duplicate};
use crate::declaration::Declaration;
use crate::diagnostic::{AttributeId, Diagnostic, Diagnostics, Place};
use crate::item::{Field, Item};
use crate::limits::MAX_KEY_BYTES;
use crate::piece::Piece;
use crate::rust_type::{head, integer_max, shown_type};
use crate::suggest::{list, nearest};
use crate::template::{Encoding, Placeholder, Template};

/// The name of the placeholder for the number of a copy.
const COPY: &str = "copy";

/// The grammar of `#[redis_key(…)]` on a field of a key.
const FIELD_GRAMMAR: Grammar = Grammar {
    attribute: "redis_key",
    options: &[
        (Encoding::Digest.name(), "digest"),
        (Encoding::Base32.name(), "base32"),
        (Encoding::Slug(None).name(), "slug"),
    ],
    flags: &[Encoding::Digest.name(), Encoding::Base32.name(), Encoding::Slug(None).name()],
    foreign: &[],
};

pub(super) fn check(item: &Item<'_>, declaration: &mut Declaration, diagnostics: &mut Diagnostics) {
    // A number that could not be read counts as any.
    let number = |given: &Given<u64>| given.value.and_then(|number| u32::try_from(number).ok()).unwrap_or(2);
    let copies = declaration.options.copies.as_ref().map(number);
    let Ok(template) = &mut declaration.template else { return };
    resolve(item, template, copies, diagnostics);
    check_shards(item, template, diagnostics);
    check_duplicates(template, diagnostics);
    check_unused(item, template, diagnostics);
    if let Some(given) = &declaration.options.copies {
        check_copies(item, given, template, diagnostics);
    }
    check_encodings(item, template, diagnostics);
}

/// Reports the types of fields that cannot be parameters.
pub(super) fn check_types(item: &Item<'_>, diagnostics: &mut Diagnostics) {
    const FOR_BYTES: &str = "add `#[redis_key(digest)]` to the field, or `#[redis_key(base32)]` to read them back";
    for (index, field) in item.fields.iter().enumerate() {
        if !field.phantom && field.attributes.is_empty() {
            check_type(index, field, FOR_BYTES, diagnostics);
        }
    }
}

/// Reports a type that cannot be a parameter. `for_bytes` is what to write for one that holds bytes.
pub(crate) fn check_type(index: usize, field: &Field<'_>, for_bytes: &str, diagnostics: &mut Diagnostics) {
    if let Some((reason, help)) = explain(field, for_bytes) {
        let message = format!("`{}` cannot be a key parameter: {reason}", shown_type(field.ty));
        diagnostics.report(Place::FieldType(index), Rule::Parameters, message, help);
    }
}

/// Returns why a type cannot be a parameter, and the suggestion.
fn explain(field: &Field<'_>, for_bytes: &str) -> Option<(&'static str, String)> {
    let Field { name, ty, .. } = field;
    // A field of a tuple struct is written without its number.
    let declared = |ty: &str| {
        let ty = shown_type(ty);
        if name.starts_with(|c: char| c.is_ascii_digit()) { format!("`{ty}`") } else { format!("`{name}: {ty}`") }
    };
    Some(match head(ty) {
        "f32" | "f64" => {
            ("floats have no canonical text", format!("scale it to an integer, as in {}", declared("u64")))
        }
        "Option" => {
            let inner = ty.split_once('<').and_then(|(_, inner)| inner.strip_suffix('>')).unwrap_or_default();
            let help = format!("write {}, and declare another key for `None`", declared(inner));
            ("`None` would name a different key", help)
        }
        "Vec" | "[" if ty.contains("u8") => ("bytes are not text", for_bytes.to_owned()),
        "Vec" | "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" => {
            let help = format!("write the type of one value, as in {}, with a key for each value", declared("u64"));
            ("it holds many values", help)
        }
        "char" => ("most characters are not allowed in keys", format!("write {}", declared("String"))),
        "(" if ty.contains(',') => ("it holds many values", "write a field for each of them".to_owned()),
        _ => return None,
    })
}

fn parameters<'i>(item: &'i Item<'_>) -> impl Iterator<Item = &'i str> {
    item.fields.iter().filter(|field| !field.phantom).map(|field| field.name.as_str())
}

/// Finds the field of each placeholder.
fn resolve(item: &Item<'_>, template: &mut Template, copies: Option<u32>, diagnostics: &mut Diagnostics) {
    let field_named = |name: &str| item.fields.iter().position(|field| field.name == name && !field.phantom);
    let mut unresolved = false;
    for placeholder in template.placeholders_mut() {
        match copies {
            // A field of that name has its own message.
            Some(number) if placeholder.name == COPY => placeholder.copies = Some(number),
            _ => placeholder.field = field_named(&placeholder.name),
        }
        unresolved |= placeholder.field.is_none() && placeholder.copies.is_none();
    }
    if !unresolved {
        return;
    }
    let may_have_copies = copies.is_none() && template.kind.is_ok_and(|kind| KeyOption::Copies.applies_to(kind));
    let mut used: Vec<String> = template.placeholders().map(|placeholder| placeholder.name.clone()).collect();
    for placeholder in template.placeholders_mut() {
        if placeholder.field.is_some() || placeholder.copies.is_some() {
            continue;
        }
        if let Some(number) = copies
            && let Some(diagnostic) = suggested_copy(item, placeholder, &used)
        {
            diagnostics.push(diagnostic);
            placeholder.copies = Some(number);
            continue;
        }
        if let Some(diagnostic) = unknown_field(item, placeholder, &used, may_have_copies) {
            diagnostics.push(diagnostic);
        }
        // The field that was meant is not unused.
        let meant = match placeholder.name.as_str() {
            "" => parameters(item).find(|field| !used.iter().any(|used| used == field)),
            name => suggested_field(item, name),
        };
        placeholder.field = meant.and_then(field_named);
        used.extend(meant.map(str::to_owned));
    }
}

/// Reports a placeholder that names no field. `None` where the placeholder could not be read, which is reported
/// already.
fn unknown_field(
    item: &Item<'_>,
    placeholder: &Placeholder,
    used: &[String],
    may_have_copies: bool,
) -> Option<Diagnostic> {
    let name = placeholder.name.as_str();
    let is_empty = placeholder.inner == placeholder.range || placeholder.inner.len() == 1 && placeholder.hash_tag;
    if name.is_empty() && !is_empty {
        return None;
    }
    let unused: Vec<&str> = parameters(item).filter(|field| !used.iter().any(|used| used == field)).collect();
    let braced = |name: &str| if placeholder.hash_tag { format!("`{{#{name}}}`") } else { format!("`{{{name}}}`") };
    let missing = || no_field(item, name);
    let (rule, message, help) = if name.is_empty() {
        let field = unused.first().unwrap_or(&"field");
        (Rule::Parameters, "missing field name in the placeholder".to_owned(), format!("write {}", braced(field)))
    } else if item.fields.iter().any(|field| field.phantom && field.name == name) {
        let message = format!("`{name}` cannot be a key parameter: a `PhantomData` has no value");
        (Rule::Parameters, message, "remove it from the template".to_owned())
    } else if let Some(meant) = suggested_field(item, name) {
        (Rule::Parameters, missing(), format!("did you mean `{meant}`?"))
    } else if name == COPY && may_have_copies {
        let help = match unused.as_slice() {
            [] => format!("add `copies = 8`, or a field `{COPY}` to the struct"),
            [field, ..] => format!("add `copies = 8`, or write {}", braced(field)),
        };
        (Rule::Copies, format!("{}, and no option `copies`", missing()), help)
    } else {
        let help = match unused.as_slice() {
            [] => format!("add a field `{name}` to the struct"),
            [field] => format!("write {}, or add a field `{name}`", braced(field)),
            _ => format!("the fields that the template does not use yet are {}", list(unused, "and")),
        };
        (Rule::Parameters, missing(), help)
    };
    Some(Diagnostic::new(placeholder.inner.clone(), rule, message, help))
}

/// Reports a misspelt placeholder for the number of the copy, where there is no right one.
fn suggested_copy(item: &Item<'_>, placeholder: &Placeholder, used: &[String]) -> Option<Diagnostic> {
    let name = placeholder.name.as_str();
    if name.is_empty() || used.iter().any(|used| used == COPY) || suggested_field(item, name).is_some() {
        return None;
    }
    nearest(name, [COPY, "copies"])?;
    let help = format!("did you mean `{COPY}`, the number of the copy?");
    Some(Diagnostic::new(placeholder.inner.clone(), Rule::Copies, no_field(item, name), help))
}

fn no_field(item: &Item<'_>, name: &str) -> String {
    format!("no field `{name}` on `{}`", item.name)
}

/// The field that a name was likely meant to name: one that is spelt nearly so, or that starts or ends with it.
fn suggested_field<'i>(item: &'i Item<'_>, name: &str) -> Option<&'i str> {
    let part = |field: &&str| name.len() > 1 && (field.starts_with(name) || field.ends_with(name));
    nearest(name, parameters(item)).or_else(|| parameters(item).find(part))
}

/// A shard is smaller than its number, which so must be able to be larger than the number of shards.
fn check_shards(item: &Item<'_>, template: &Template, diagnostics: &mut Diagnostics) {
    for placeholder in template.placeholders() {
        let field = placeholder.field.and_then(|index| item.fields.get(index));
        let (Some(shards), Some(Field { ty, .. })) = (placeholder.shards, field) else { continue };
        let Some(largest) = integer_max(ty).filter(|largest| u128::from(shards) > *largest) else { continue };
        let message = format!("`% {shards}` has no effect: the largest `{ty}` is {largest}");
        let plain = Placeholder { shards: None, ..placeholder.clone() };
        let beside = |other: &Placeholder| other.name == placeholder.name && other.shards.is_none();
        let help = if template.placeholders().any(beside) {
            format!("write `{largest}` or less, or remove `{placeholder}` from the template")
        } else {
            format!("write `{largest}` or less, or `{plain}` for a key of each")
        };
        diagnostics.report(placeholder.divisor.clone(), Rule::Parameters, message, help);
    }
}

/// A field is in the template once, and once as a shard; and one placeholder is the hash tag.
fn check_duplicates(template: &Template, diagnostics: &mut Diagnostics) {
    let mut has_tag = false;
    for (index, placeholder) in template.placeholders().enumerate() {
        let is_same = |other: &Placeholder| {
            other.name == placeholder.name && other.shards.is_some() == placeholder.shards.is_some()
        };
        if !placeholder.name.is_empty() && template.placeholders().take(index).any(is_same) {
            let message = format!("duplicate placeholder `{}`", placeholder.name);
            diagnostics.report(placeholder.range.clone(), Rule::Parameters, message, "keep one of the two");
        } else if placeholder.hash_tag && has_tag && placeholder.copies.is_none() {
            // If it is the copy's, the other tag is reported.
            let message = "duplicate hash tag: a cluster uses only the first";
            let help = format!("write `{{{}}}`", placeholder.name);
            diagnostics.report(placeholder.range.clone(), Rule::HashTag, message, help);
        }
        has_tag |= placeholder.hash_tag;
    }
}

/// Every field is used. Where a placeholder names no field the two likely belong together, and one message is enough.
fn check_unused(item: &Item<'_>, template: &Template, diagnostics: &mut Diagnostics) {
    if template.placeholders().any(|placeholder| placeholder.name.is_empty()) {
        // The fields that it uses are not known.
        return;
    }
    let has_copies = template.placeholders().any(|placeholder| placeholder.copies.is_some());
    let is_unused = |(index, field): &(usize, &Field<'_>)| {
        // One in other brackets, and one that is called as the number of the copy, is reported already.
        let is_used = template.placeholders().any(|placeholder| placeholder.field == Some(*index));
        let is_copy = has_copies && field.name == COPY;
        let in_brackets =
            || ["[", "<", "(", "$"].iter().any(|open| template.text.contains(&format!("{open}{}", field.name)));
        !field.phantom && !is_used && !is_copy && !in_brackets()
    };
    let unused: Vec<_> = item.fields.iter().enumerate().filter(is_unused).collect();
    let is_unresolved = |placeholder: &&Placeholder| placeholder.field.is_none() && placeholder.copies.is_none();
    // A `*` is reported, and likely meant to be a placeholder.
    let stars = template.text.split([':', '.']).filter(|word| *word == "*").count();
    if unused.len() <= template.placeholders().filter(is_unresolved).count() + stars {
        return;
    }
    for (index, Field { name, .. }) in unused {
        let message = format!("field `{name}` is not in the template: keys that differ only in it would collide");
        let help = format!("add `{{{name}}}` to the template, or remove the field");
        diagnostics.report(Place::Field(index), Rule::Parameters, message, help);
    }
}

fn check_copies(item: &Item<'_>, given: &Given<u64>, template: &Template, diagnostics: &mut Diagnostics) {
    if template.kind.is_ok_and(|kind| !KeyOption::Copies.applies_to(kind)) {
        // The wrong type is reported already, and nothing else of the copies matters.
        return;
    }
    if let Some(index) = item.fields.iter().position(|field| field.name == COPY) {
        let message = "a field cannot be called `copy` beside `copies`: `{copy}` is the number of the copy";
        diagnostics.report(Place::Field(index), Rule::Copies, message, "rename the field");
    }
    let mut places = template.placeholders().filter(|placeholder| placeholder.copies.is_some()).peekable();
    if places.peek().is_none() {
        let message = "missing `{copy}` in the template: the number of the copy";
        diagnostics.report(given.name.clone(), Rule::Copies, message, "add `{copy}` to the template");
    }
    for placeholder in places.filter(|placeholder| placeholder.shards.is_some()) {
        let message = "the number of the copy cannot be divided into shards";
        diagnostics.report(placeholder.inner.clone(), Rule::Copies, message, "write `{copy}`");
    }
    check_tag_of_copies(template, diagnostics);
}

/// Copies are meant for several servers of a cluster, and keys with one hash tag are on one server.
fn check_tag_of_copies(template: &Template, diagnostics: &mut Diagnostics) {
    let mut tags = template.placeholders().filter(|placeholder| placeholder.hash_tag);
    let Some(tag) = tags.next().filter(|tag| tag.copies.is_none()) else { return };
    let plain = Placeholder { hash_tag: false, ..tag.clone() };
    let message = format!("`{tag}` cannot be the hash tag of copies: one server would hold all of them");
    let help = if tags.any(|tag| tag.copies.is_some()) {
        format!("write `{plain}`")
    } else {
        format!("write `{plain}`, and `{{#{COPY}}}` if the key needs a hash tag")
    };
    diagnostics.report(tag.range.clone(), Rule::Copies, message, help);
}

/// Reads `#[redis_key(digest)]`, `#[redis_key(base32)]` and `#[redis_key(slug)]` of the fields into their placeholders.
fn check_encodings(item: &Item<'_>, template: &mut Template, diagnostics: &mut Diagnostics) {
    for (index, field) in item.fields.iter().enumerate() {
        let Some((encoding, place)) = read_encoding(index, field, diagnostics) else { continue };
        let name = encoding.name();
        let report = |message, diagnostics: &mut Diagnostics| {
            diagnostics.report(place.clone(), Rule::Parameters, message, "remove the attribute");
        };
        if field.phantom {
            report(format!("`{name}` cannot apply to a `PhantomData`, which has no value"), diagnostics);
            continue;
        }
        for placeholder in template.placeholders_mut().filter(|placeholder| placeholder.field == Some(index)) {
            if placeholder.shards.is_some() {
                report(format!("`{name}` cannot apply to a shard, which is a number"), diagnostics);
                continue;
            }
            placeholder.encoding = Some(encoding);
            if matches!(encoding, Encoding::Slug(_)) && !placeholder.whole_segment {
                let message = "a slug can have several words: beside other words, different values would share a key";
                let help = format!("make it a whole segment: `:{placeholder}:`");
                diagnostics.report(placeholder.range.clone(), Rule::OneKeyEach, message, help);
            }
        }
    }
}

fn max_bytes_of_slug(value: Piece<'_>) -> Option<u32> {
    value.text.parse().ok().filter(|bytes| (1..=MAX_KEY_BYTES).contains(&(*bytes as usize)))
}

/// The encoding that the attributes of a field ask for, with its place.
fn read_encoding(index: usize, field: &Field<'_>, diagnostics: &mut Diagnostics) -> Option<(Encoding, Place)> {
    let mut given = None;
    for (attribute, text) in field.attributes.iter().enumerate() {
        let id = AttributeId::Field(index, attribute);
        for option in FIELD_GRAMMAR.read(text, id, diagnostics) {
            let first = diagnostics.len();
            let encoding = Encoding::ALL.into_iter().find(|encoding| encoding.name() == option.name.text);
            let diagnostic = match (encoding, option.value) {
                (Some(encoding), None) if given.is_none() => {
                    given = Some((encoding, id.bytes(option.name.range())));
                    continue;
                }
                (Some(Encoding::Slug(_)), Some(value)) if given.is_none() => {
                    let most = max_bytes_of_slug(value);
                    given = Some((Encoding::Slug(most), id.bytes(option.name.range())));
                    if most.is_some() {
                        continue;
                    }
                    let message =
                        format!("expected a number of bytes from 1 to {MAX_KEY_BYTES}, found `{}`", value.text);
                    Diagnostic::new(value.range(), Rule::Declaration, message, "write `slug = 60`")
                }
                (Some(encoding), None) | (Some(encoding @ Encoding::Slug(_)), Some(_)) => match &given {
                    Some((first, _)) if first.name() != encoding.name() => {
                        let message = format!("`{}` cannot be combined with `{}`", first.name(), encoding.name());
                        Diagnostic::new(option.name.range(), Rule::Declaration, message, "keep one of the two")
                    }
                    _ => duplicate(option.name),
                },
                (Some(encoding), Some(value)) => {
                    let message = format!("`{}` cannot have a value", encoding.name());
                    Diagnostic::new(value.range(), Rule::Declaration, message, format!("write `{}`", encoding.name()))
                }
                (None, _) => FIELD_GRAMMAR.unknown(option, "").1,
            };
            diagnostics.push(diagnostic);
            id.relocate(diagnostics, first);
        }
    }
    given
}
