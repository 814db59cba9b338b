//! Placeholders and fields match one to one; shards, copies and encodings of parameters.

use std::ops::Range;

use crate::Rule;
use crate::attribute::{GivenOption, Grammar, KeyOption, NO_COLON, RawOption, duplicate};
use crate::declaration::Declaration;
use crate::diagnostic::{AttributeId, Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::item::{Field, Item};
use crate::limits::MAX_KEY_BYTES;
use crate::piece::Piece;
use crate::place::Place;
use crate::rust_type::{head, integer_max, is_instant, shown_type};
use crate::suggest::{list, nearest};
use crate::template::{Encoding, Placeholder, SegmentPlace, Template, nearest_field};

/// The name of the placeholder for the number of a copy.
const COPY: &str = "copy";

/// The grammar of `#[redis_key(…)]` on a field of a key.
const FIELD_GRAMMAR: Grammar = Grammar {
    attribute: "redis_key",
    options: &[
        (Encoding::Digest.name(), "digest"),
        (Encoding::Base32.name(), "base32"),
        (Encoding::Slug(None).name(), "slug"),
        (NO_COLON, "no_colon"),
    ],
    inner: &[],
    flags: &[Encoding::Digest.name(), Encoding::Base32.name(), Encoding::Slug(None).name(), NO_COLON],
    foreign: |_| None,
};

pub(super) fn check(item: &Item<'_>, declaration: &mut Declaration, diagnostics: &mut Diagnostics) {
    // A number that could not be read counts as any.
    let number = |given: &GivenOption<u64>| given.value.and_then(|number| u32::try_from(number).ok()).unwrap_or(2);
    let copies = declaration.options.copies.as_ref().map(number);
    let Ok(template) = &mut declaration.template else { return };
    resolve(item, template, copies, diagnostics);
    check_shards(item, template, diagnostics);
    check_duplicates(template, diagnostics);
    check_unused(item, template, diagnostics);
    if let Some(given) = &declaration.options.copies {
        check_copies(item, given, template, diagnostics);
    }
    let options = &declaration.options;
    let has_legacy = options.legacy.is_some() || options.formerly.is_some();
    check_encodings(item, template, has_legacy, diagnostics);
}

/// Reports the types of fields that cannot be parameters.
pub(super) fn check_types(item: &Item<'_>, diagnostics: &mut Diagnostics) {
    const FOR_BYTES: &str = "add `#[redis_key(digest)]` to the field, or `#[redis_key(base32)]` to read them back";
    let for_bytes = |index| Suggestion::from(FOR_BYTES).with(Place::WholeFieldAttribute(index, 0), "redis_key(digest)");
    for (index, field) in item.fields.iter().enumerate() {
        if !field.phantom && field.attributes.is_empty() {
            check_type(index, field, &for_bytes(index), diagnostics);
        }
    }
}

/// Reports a type that cannot be a parameter. `for_bytes` is the suggestion for a type that holds bytes.
pub(crate) fn check_type(index: usize, field: &Field<'_>, for_bytes: &Suggestion, diagnostics: &mut Diagnostics) {
    if let Some((reason, help)) = explain(field, for_bytes) {
        let message = format!("`{}` cannot be a key parameter: {reason}", shown_type(field.ty));
        diagnostics.report(Place::FieldType(index), Rule::Parameters, message, help);
    }
}

/// Returns why a type cannot be a parameter, and the suggestion.
fn explain(field: &Field<'_>, for_bytes: &Suggestion) -> Option<(&'static str, Suggestion)> {
    let Field { name, ty, .. } = field;
    // A field of a tuple struct is written without its number.
    let declared = |ty: &str| {
        let ty = shown_type(ty);
        if name.starts_with(|c: char| c.is_ascii_digit()) { format!("`{ty}`") } else { format!("`{name}: {ty}`") }
    };
    let write = |ty: &str, text: String| Suggestion::write(ty).saying(text);
    Some(match head(ty) {
        "f32" | "f64" => {
            let help = format!("scale it to an integer, as in {}", declared("u64"));
            ("floats have no canonical text", write("u64", help))
        }
        "Option" => {
            let inner = ty.split_once('<').and_then(|(_, inner)| inner.strip_suffix('>')).unwrap_or_default();
            let help = format!("write {}, and declare another key for `None`", declared(inner));
            let help = write(&shown_type(inner), help);
            let of_inner = explain(&Field { ty: inner, ..field.clone() }, for_bytes);
            let help = of_inner.into_iter().fold(help, |help, (_, inner)| help.followed_by(inner));
            ("`None` would name a different key", help)
        }
        "Vec" | "[" if ty.contains("u8") => ("bytes are not text", for_bytes.clone()),
        "Vec" | "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" => {
            let help = format!("write the type of one value, as in {}, with a key for each value", declared("u64"));
            ("it holds many values", write("u64", help))
        }
        "char" => ("most characters are not allowed in keys", write("String", format!("write {}", declared("String")))),
        "(" if ty.contains(',') => ("it holds many values", "write a field for each of them".into()),
        _ if is_instant(ty) => {
            const HOUR: &str = "redis_keys::parameter::bucket::Hour";
            let help =
                format!("write {} for a key of each hour, or another bucket: `Day`, `Month`, `Year`", declared(HOUR));
            ("each instant would have a key of its own", write(HOUR, help))
        }
        _ => return None,
    })
}

/// Finds the field of each placeholder.
fn resolve(item: &Item<'_>, template: &mut Template, copies: Option<u32>, diagnostics: &mut Diagnostics) {
    let field_named = |name: &str| item.fields.iter().position(|field| field.name == name && !field.phantom);
    let mut unresolved = false;
    for placeholder in template.placeholders_mut() {
        match copies {
            // A field of that name has a separate message.
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
    // A field that a misspelt name means is not free for another placeholder.
    let named = template.placeholders().filter(|placeholder| !placeholder.name.is_empty());
    used.extend(named.filter_map(|placeholder| suggested_field(item, &placeholder.name).map(str::to_owned)));
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
            "" => item.parameters().find(|field| !used.iter().any(|used| used == field)),
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
    let unused: Vec<&str> = item.parameters().filter(|field| !used.iter().any(|used| used == field)).collect();
    let named = |name: &str| Placeholder { name: name.to_owned(), ..placeholder.clone() }.to_string();
    let write = |name: &str| Suggestion::write(named(name)).at(placeholder.range.clone());
    let missing = || no_field(item, name);
    let (rule, message, help) = if name.is_empty() {
        let help = match unused.first() {
            Some(field) => write(field),
            None => Suggestion::remove_word().and(", or add a field to the struct").at(placeholder.range.clone()),
        };
        (Rule::Parameters, "missing field name in the placeholder".to_owned(), help)
    } else if item.fields.iter().any(|field| field.phantom && field.name == name) {
        let message = format!("`{name}` cannot be a key parameter: a `PhantomData` has no value");
        let help = Suggestion::remove_word().and(" from the template").at(placeholder.range.clone());
        (Rule::Parameters, message, help)
    } else if let Some(meant) = suggested_field(item, name) {
        (Rule::Parameters, missing(), write(meant).saying(format!("did you mean `{meant}`?")))
    } else if let Some(field) = numbered(name, &unused) {
        (Rule::Parameters, missing(), write(field))
    } else if name == COPY && may_have_copies {
        let help = match unused.as_slice() {
            [] => format!(", or a field `{COPY}` to the struct"),
            [field, ..] => format!(", or write `{}`", named(field)),
        };
        (Rule::Copies, format!("{}, and no option `copies`", missing()), Suggestion::add("copies = 8").and(&help))
    } else {
        let help = match unused.as_slice() {
            [] => format!("add a field `{name}` to the struct").into(),
            [field] => write(field).and(&format!(", or add a field `{name}`")),
            _ => {
                let help = format!("the fields that the template does not use yet are {}", list(unused, "and"));
                help.into()
            }
        };
        (Rule::Parameters, missing(), help)
    };
    Some(Diagnostic::new(placeholder.inner.clone(), rule, message, help))
}

/// The field that a number between braces means, as in `format!`.
fn numbered<'f>(name: &str, unused: &[&'f str]) -> Option<&'f str> {
    let is_number = name.parse::<usize>().is_ok();
    unused.first().copied().filter(|_| is_number)
}

/// Reports a misspelt placeholder for the number of the copy, where there is no right placeholder for it.
fn suggested_copy(item: &Item<'_>, placeholder: &Placeholder, used: &[String]) -> Option<Diagnostic> {
    let name = placeholder.name.as_str();
    if name.is_empty() || used.iter().any(|used| used == COPY) || suggested_field(item, name).is_some() {
        return None;
    }
    nearest(name, [COPY, "copies"])?;
    let help = Placeholder { name: COPY.to_owned(), shards: None, ..placeholder.clone() }.to_string();
    let help = Suggestion::write(help).at(placeholder.range.clone());
    let help = help.saying(format!("did you mean `{COPY}`, the number of the copy?"));
    Some(Diagnostic::new(placeholder.inner.clone(), Rule::Copies, no_field(item, name), help))
}

fn no_field(item: &Item<'_>, name: &str) -> String {
    format!("no field `{name}` on `{}`", item.name)
}

/// The field that a name was likely meant to name: it is spelt nearly so, or starts or ends with the name.
fn suggested_field<'i>(item: &'i Item<'_>, name: &str) -> Option<&'i str> {
    nearest_field(item.parameters(), name)
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
        let other = if template.placeholders().any(beside) {
            format!(" or less, or remove `{placeholder}` from the template")
        } else {
            format!(" or less, or `{plain}` for a key of each")
        };
        let help = Suggestion::write(largest.to_string()).and(&other);
        diagnostics.report(placeholder.divisor.clone(), Rule::Parameters, message, help);
    }
}

/// Checks that a field is in the template once, and once as a shard, and that only one placeholder is the hash tag.
fn check_duplicates(template: &Template, diagnostics: &mut Diagnostics) {
    let mut has_tag = false;
    for (index, placeholder) in template.placeholders().enumerate() {
        let is_same = |other: &Placeholder| {
            other.name == placeholder.name && other.shards.is_some() == placeholder.shards.is_some()
        };
        if !placeholder.name.is_empty() && template.placeholders().take(index).any(is_same) {
            let message = format!("duplicate placeholder `{}`", placeholder.name);
            let help = Suggestion::remove_word().saying("keep one of the two");
            diagnostics.report(placeholder.range.clone(), Rule::Parameters, message, help);
        } else if placeholder.hash_tag && has_tag && placeholder.copies.is_none() {
            // If it is the copy's, the other tag is reported.
            let message = "duplicate hash tag: a cluster uses only the first";
            let plain = Placeholder { hash_tag: false, ..placeholder.clone() };
            let help = Suggestion::write(plain.to_string());
            diagnostics.report(placeholder.range.clone(), Rule::HashTag, message, help);
        }
        has_tag |= placeholder.hash_tag;
    }
}

/// Checks that every field is used. Where a placeholder names no field, the two likely belong together, and one message
/// is enough.
fn check_unused(item: &Item<'_>, template: &Template, diagnostics: &mut Diagnostics) {
    if template.placeholders().any(|placeholder| placeholder.name.is_empty()) {
        // The fields that it uses are not known.
        return;
    }
    let has_copies = template.placeholders().any(|placeholder| placeholder.copies.is_some());
    let is_unused = |(index, field): &(usize, &Field<'_>)| {
        // A field that a suggestion names, or that is called as the number of the copy, is reported already.
        let is_used = template.placeholders().any(|placeholder| placeholder.field == Some(*index));
        let is_copy = has_copies && field.name == COPY;
        !field.phantom && !is_used && !is_copy && !template.meant.contains(&field.name)
    };
    let unused: Vec<_> = item.fields.iter().enumerate().filter(is_unused).collect();
    let is_unresolved = |placeholder: &&Placeholder| placeholder.field.is_none() && placeholder.copies.is_none();
    if unused.len() <= template.placeholders().filter(is_unresolved).count() {
        return;
    }
    for (index, Field { name, .. }) in unused {
        let message = format!("field `{name}` is not in the template: keys that differ only in it would collide");
        diagnostics.report(Place::Field(index), Rule::Parameters, message, add_placeholder(name, template));
    }
}

/// The suggestion for a field that the template does not use. A word of its name was likely meant as its placeholder.
fn add_placeholder(name: &str, template: &Template) -> Suggestion {
    let placeholder = format!("{{{name}}}");
    let texts = template.text.split([':', '.']).skip(1);
    let words = template.segments.iter().flat_map(|segment| &segment.words).skip(1);
    let Some((word, _)) = words.zip(texts).find(|(word, text)| word.literal && *text == name) else {
        let help = format!("add `{placeholder}` to the template, or remove the field");
        return template.insert(&placeholder, Suggestion::from(help));
    };
    let help = format!("write `{placeholder}` in the template, or remove the field");
    Suggestion::write(placeholder).saying(help).at(word.range.clone())
}

fn check_copies(item: &Item<'_>, given: &GivenOption<u64>, template: &Template, diagnostics: &mut Diagnostics) {
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
        diagnostics.report(
            given.name.clone(),
            Rule::Copies,
            message,
            template.insert("{copy}", "add `{copy}` to the template".into()),
        );
    }
    for placeholder in places.filter(|placeholder| placeholder.shards.is_some()) {
        let message = "the number of the copy cannot be divided into shards";
        let copy = Placeholder { shards: None, ..placeholder.clone() }.to_string();
        let help = Suggestion::write(copy).at(placeholder.range.clone());
        diagnostics.report(placeholder.inner.clone(), Rule::Copies, message, help);
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
        Suggestion::write(plain.to_string())
    } else {
        Suggestion::write(plain.to_string()).and(&format!(", and `{{#{COPY}}}` if the key needs a hash tag"))
    };
    diagnostics.report(tag.range.clone(), Rule::Copies, message, help);
}

/// Reads `#[redis_key(digest)]`, `#[redis_key(base32)]`, `#[redis_key(slug)]` and `#[redis_key(no_colon)]` of the
/// fields into their placeholders.
fn check_encodings(item: &Item<'_>, template: &mut Template, has_legacy: bool, diagnostics: &mut Diagnostics) {
    for (index, field) in item.fields.iter().enumerate() {
        let (encoding, no_colon) = read_flags(index, field, diagnostics);
        if let Some(place) = no_colon {
            for placeholder in template.placeholders_mut().filter(|placeholder| placeholder.field == Some(index)) {
                placeholder.no_colon = true;
            }
            if !has_legacy {
                let message = "`no_colon` has no effect without `legacy` or `formerly`";
                diagnostics.report(place, Rule::Declaration, message, Suggestion::remove_listed());
            }
        }
        let Some((encoding, place)) = encoding else { continue };
        let name = encoding.name();
        let report = |message, diagnostics: &mut Diagnostics| {
            let help = Suggestion::remove_option().saying("remove the attribute");
            diagnostics.report(place.clone(), Rule::Parameters, message, help);
        };
        if field.phantom {
            report(format!("`{name}` cannot apply to a `PhantomData`, which has no value"), diagnostics);
            continue;
        }
        let segments = template.segments.clone();
        for placeholder in template.placeholders_mut().filter(|placeholder| placeholder.field == Some(index)) {
            if placeholder.shards.is_some() {
                report(format!("`{name}` cannot apply to a shard, which is a number"), diagnostics);
                continue;
            }
            placeholder.encoding = Some(encoding);
            if matches!(encoding, Encoding::Slug(_)) && !placeholder.whole_segment {
                let message = "a slug can have several words: beside other words, different values would share a key";
                let help = Suggestion::from(format!("make it a whole segment: `:{placeholder}:`"));
                let help = apart(&placeholder.range, &segments).fold(help, |help, sign| help.with(sign, ":"));
                diagnostics.report(placeholder.range.clone(), Rule::OneKeyEach, message, help);
            }
        }
    }
}

/// The places of the `.` on each side of a placeholder.
fn apart<'s>(placeholder: &'s Range<usize>, segments: &'s [SegmentPlace]) -> impl Iterator<Item = Range<usize>> + 's {
    let pairs = segments.iter().flat_map(|segment| segment.words.windows(2)).filter_map(|pair| match pair {
        [one, other] => Some((&one.range, &other.range)),
        _ => None,
    });
    let beside = pairs.filter(move |(one, other)| *one == placeholder || *other == placeholder);
    beside.map(|(one, other)| one.end..other.start)
}

fn max_bytes_of_slug(value: Piece<'_>) -> Option<u32> {
    value.text.parse().ok().filter(|bytes| (1..=MAX_KEY_BYTES).contains(&(*bytes as usize)))
}

/// The encoding that the attributes of a field ask for, and `no_colon`, with their places.
fn read_flags(
    index: usize,
    field: &Field<'_>,
    diagnostics: &mut Diagnostics,
) -> (Option<(Encoding, Place)>, Option<Place>) {
    let mut given = None;
    let mut no_colon = None;
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
                    let help = Suggestion::write("slug = 60").at(option.whole.range());
                    Diagnostic::new(value.range(), Rule::Declaration, message, help)
                }
                (Some(encoding), None) | (Some(encoding @ Encoding::Slug(_)), Some(_)) => match &given {
                    Some((first, _)) if first.name() != encoding.name() => {
                        let message = format!("`{}` cannot be combined with `{}`", first.name(), encoding.name());
                        let help = Suggestion::remove_listed().saying("keep one of the two");
                        Diagnostic::new(option.name.range(), Rule::Declaration, message, help)
                    }
                    _ => duplicate(option),
                },
                (Some(encoding), Some(value)) => with_value(option, value, encoding.name()),
                (None, None) if option.name.text == NO_COLON && no_colon.is_none() => {
                    no_colon = Some(id.bytes(option.name.range()));
                    continue;
                }
                (None, None) if option.name.text == NO_COLON => duplicate(option),
                (None, Some(value)) if option.name.text == NO_COLON => {
                    no_colon.get_or_insert(id.bytes(option.name.range()));
                    with_value(option, value, NO_COLON)
                }
                (None, _) => FIELD_GRAMMAR.unknown(option, "").1,
            };
            diagnostics.push(diagnostic);
            id.relocate(diagnostics, first);
        }
    }
    (given, no_colon)
}

/// Reports a value of a flag.
fn with_value(option: RawOption<'_>, value: Piece<'_>, flag: &str) -> Diagnostic {
    let message = format!("`{flag}` cannot have a value");
    let help = Suggestion::write(flag).at(option.whole.range());
    Diagnostic::new(value.range(), Rule::Declaration, message, help)
}
