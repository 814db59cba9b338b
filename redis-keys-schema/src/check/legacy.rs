//! `legacy` and `formerly`: a key's text before it was declared.

use redis_keys_core::legacy::{Format, FormatPart, format_parts};
use redis_keys_core::limits::MAX_LEGACY_KEY_BYTES;

use crate::Rule;
use crate::attribute::GivenOption;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::item::{Field, Item};
use crate::legacy::{Legacy, LegacyField};
use crate::overlap::Pattern;
use crate::piece::is_name_char;
use crate::place::Place;
use crate::rust_type::{behind_pointers, is_integer};
use crate::template::{Placeholder, Template, nearest_field};
use crate::warning::{AMBIGUOUS_TEXT, OVERLAP};

pub(super) fn check(item: &Item<'_>, declaration: &mut Declaration, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    let allow = |lint: &str| options.allow.iter().find(|allowed| allowed.value.as_deref() == Some(lint));
    let (given, in_use) = match (&options.legacy, &options.formerly) {
        (None, None) => {
            if let Some(allowed) = allow(AMBIGUOUS_TEXT) {
                let message = format!("`{AMBIGUOUS_TEXT}` has no effect without `legacy` or `formerly`");
                let help = Suggestion::remove_option().saying("remove the `allow`");
                diagnostics.report(allowed.range.clone(), Rule::Declaration, message, help);
            }
            return;
        }
        (Some(_), Some(formerly)) => {
            let message = "`formerly` cannot be combined with `legacy`: a key has one text in use";
            let help = Suggestion::remove_option()
                .saying("keep `legacy` while programs write that text, and `formerly` once they write the template");
            diagnostics.report(formerly.name.clone(), Rule::Declaration, message, help);
            return;
        }
        (Some(legacy), None) => (legacy, true),
        (None, Some(formerly)) => (formerly, false),
    };
    let option = if in_use { "legacy" } else { "formerly" };
    if options.copies.is_some() {
        let message = format!("`{option}` cannot be combined with `copies`");
        let help = Suggestion::remove_option().saying("declare a key of its own for that text");
        diagnostics.report(given.name.clone(), Rule::Copies, message, help);
        return;
    }
    let (Ok(template), Some(text)) = (&declaration.template, &given.value) else { return };
    let reported = diagnostics.len();
    let ambiguous = allow(AMBIGUOUS_TEXT).is_some();
    let mut reader = Reader { item, template, given, option, diagnostics };
    let mut legacy = Legacy {
        text: text.clone(),
        range: given.range.clone(),
        in_use,
        ambiguous,
        fields: Vec::new(),
        literals: vec![String::new()],
    };
    if reader.read(&mut legacy) {
        reader.check_missing(&legacy);
        reader.check_shards(&legacy);
        reader.check_length(&legacy);
    }
    let secret = options.value.as_ref().and_then(|given| given.value.as_ref()).filter(|form| form.is_secret());
    if let Some(form) = secret.filter(|_| ambiguous) {
        let message = "`Secret` binds a value to its key, which `allow(ambiguous_text)` does not tell from other keys";
        let help = "put text between the fields that no value contains";
        diagnostics.report(form.range.clone(), Rule::Declaration, message, help);
    }
    if diagnostics.len() > reported {
        return;
    }
    if allow(OVERLAP).is_none() {
        check_own_template(item, declaration, &legacy, diagnostics);
    }
    declaration.legacy = Some(legacy);
}

struct Reader<'r> {
    item: &'r Item<'r>,
    template: &'r Template,
    given: &'r GivenOption<String>,
    /// The option's name.
    option: &'static str,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_> {
    /// Reads the text, and returns whether it could be read as a whole.
    fn read(&mut self, legacy: &mut Legacy) -> bool {
        let start = self.given.range.start;
        for part in format_parts(&legacy.text.clone()) {
            match part {
                FormatPart::Literal(text) => {
                    legacy.literals.last_mut().into_iter().for_each(|last| last.push_str(text));
                }
                FormatPart::Stray { brace, at } => {
                    let what = if brace == '{' { "unclosed" } else { "unmatched" };
                    let help = Suggestion::write(format!("{brace}{brace}")).and(" if the brace is part of the key");
                    let place = start + at..start + at + 1;
                    self.diagnostics.report(place, Rule::Declaration, format!("{what} `{brace}`"), help);
                    return false;
                }
                FormatPart::Field { name, format, range } => {
                    let range = start + range.start..start + range.end;
                    let Some(field) = self.field(name, range.start + 1, &legacy.fields) else {
                        legacy.literals.push(String::new());
                        continue;
                    };
                    let format = self.format(field, format, range.end - 1);
                    let is_apart = legacy.literals.last().is_some_and(|last| !last.is_empty());
                    let before = legacy.fields.last().filter(|_| !is_apart && !legacy.ambiguous);
                    if let Some(before) = before {
                        let name = |index: usize| self.item.fields.get(index).map_or("", |field| &field.name);
                        let message = format!(
                            "nothing separates `{}` and `{}`: different values would share a key",
                            name(before.field),
                            name(field),
                        );
                        let help = "make both one field, or write the text between them";
                        self.diagnostics.report(before.range.start..range.end, Rule::OneKeyEach, message, help);
                    }
                    let is_it = |placeholder: &Placeholder| placeholder.field == Some(field);
                    let plain = |placeholder: &Placeholder| is_it(placeholder) && placeholder.shards.is_none();
                    let placeholders = || self.template.placeholders();
                    let parameter = placeholders().position(plain).or_else(|| placeholders().position(is_it));
                    let no_colon = placeholders().any(|placeholder| is_it(placeholder) && placeholder.no_colon);
                    let parameter = parameter.unwrap_or_default();
                    let ty = self.type_of(field).to_owned();
                    legacy.fields.push(LegacyField { field, parameter, ty, format, no_colon, range });
                    legacy.literals.push(String::new());
                }
            }
        }
        true
    }

    /// The field of a name that starts at a byte, after other fields.
    fn field(&mut self, name: &str, at: usize, earlier: &[LegacyField]) -> Option<usize> {
        let item = self.item;
        let named = |name: &str| item.fields.iter().position(|field| field.name == name && !field.phantom);
        if let Some(field) = named(name) {
            return Some(field);
        }
        let place = at..at + name.len();
        if name.is_empty() || !name.chars().all(is_name_char) {
            let last = name.rsplit(['.', '(', '&', ' ']).find_map(|word| nearest_field(item.parameters(), word));
            let is_free = |(index, _): &(usize, &Field<'_>)| !earlier.iter().any(|earlier| earlier.field == *index);
            let mut free = item.fields.iter().enumerate().filter(|(_, field)| !field.phantom).filter(is_free);
            let meant = last.or_else(|| free.next().map(|(_, field)| field.name.as_str())).unwrap_or("field");
            let (place, message) = match name {
                "" => (at - 1..at + 1, "missing field in `{}`".to_owned()),
                _ => (place, format!("expected a field, found `{name}`")),
            };
            let help = Suggestion::from(format!("write `{{{meant}}}`, and constants as text"));
            let text = if name.is_empty() { format!("{{{meant}}}") } else { meant.to_owned() };
            self.diagnostics.report(place.clone(), Rule::Parameters, message, help.with(place, text));
            return named(meant);
        }
        let near = nearest_field(item.parameters(), name);
        let help = match near {
            Some(near) => Suggestion::did_you_mean(near),
            None => Suggestion::write(format!("{{{{{name}}}}}"))
                .and(" if the braces are part of the key, and a constant as text")
                .at(at - 1..at + name.len() + 1),
        };
        let message = format!("no field `{name}` on `{}`", item.name);
        self.diagnostics.report(place, Rule::Parameters, message, help);
        near.and_then(named)
    }

    fn type_of(&self, field: usize) -> &str {
        self.item.fields.get(field).map_or("", |field| behind_pointers(field.ty))
    }

    /// The format of a field, which ends at a byte.
    fn format(&mut self, field: usize, text: &str, end: usize) -> Format {
        let ty = self.type_of(field);
        // `format!` fills text up with spaces, which it may end with itself.
        let format = Format::read(text).filter(|format| format.zeros == 0 || is_integer(ty));
        format.unwrap_or_else(|| {
            let message = format!("unsupported format `:{text}`");
            let help = "use `:?`, `:x`, `:X`, or zeros such as `:05` on integers";
            self.diagnostics.report(end - text.len() - 1..end, Rule::OneKeyEach, message, help);
            Format::DISPLAY
        })
    }

    /// Every field is in the text.
    fn check_missing(&mut self, legacy: &Legacy) {
        let is_missing = |index: &usize| !legacy.fields.iter().any(|field| field.field == *index);
        let parameters = self.item.fields.iter().enumerate().filter(|(_, field)| !field.phantom);
        let missing: Vec<_> = parameters.filter(|(index, _)| is_missing(index)).collect();
        let unknown = legacy.literals.len() - 1 - legacy.fields.len();
        if missing.len() <= unknown {
            // Names of no field likely mean these.
            return;
        }
        for (index, field) in missing {
            let (name, option) = (&field.name, self.option);
            let message = format!("field `{name}` is not in `{option}`: keys that differ only in it would collide");
            let end = self.given.range.end;
            let help = Suggestion::from(format!("add `{{{name}}}` to the text, or remove the field"));
            let help = help.with(end..end, format!(":{{{name}}}"));
            self.diagnostics.report(Place::Field(index), Rule::Parameters, message, help);
        }
    }

    /// Reports a text from which no key can be built.
    fn check_length(&mut self, legacy: &Legacy) {
        let shortest = legacy.glob().shortest();
        if shortest <= MAX_LEGACY_KEY_BYTES {
            return;
        }
        let message = format!(
            "a key of at least {shortest} bytes exceeds the limit of {MAX_LEGACY_KEY_BYTES} for a key with `{}`",
            self.option
        );
        let help = "leave this key to the code that writes it";
        self.diagnostics.report(self.given.range.clone(), Rule::KeyLength, message, help);
    }

    /// Reports fields that are in the template only as a shard: keys of several values would get one name.
    fn check_shards(&mut self, legacy: &Legacy) {
        for (index, LegacyField { field, range, .. }) in legacy.fields.iter().enumerate() {
            let is_repeated = legacy.fields.iter().take(index).any(|earlier| earlier.field == *field);
            let mut placeholders = self.template.placeholders().filter(|of| of.field == Some(*field)).peekable();
            if is_repeated || placeholders.peek().is_none() || placeholders.any(|of| of.shards.is_none()) {
                continue;
            }
            let name = self.item.fields.get(*field).map_or("", |field| &field.name);
            let message = format!("the template has only a shard of `{name}`: several keys would become one");
            let end = self.template.suffix.start;
            let help = Suggestion::from(format!("add `{{{name}}}` to the template"));
            let help = help.with(end..end, format!("{{{name}}}:"));
            self.diagnostics.report(range.clone(), Rule::OneKeyEach, message, help);
        }
    }
}

/// Checks that a key under its legacy text is not another key under its template.
fn check_own_template(item: &Item<'_>, declaration: &Declaration, legacy: &Legacy, diagnostics: &mut Diagnostics) {
    let (Ok(template), Some(pattern)) = (&declaration.template, Pattern::of(item, declaration)) else { return };
    let own = pattern.glob();
    if !legacy.glob().overlaps(&own) {
        return;
    }
    let (message, help) = if legacy.text == template.text {
        (format!("`{}` is the text of the template", legacy.option()), Suggestion::remove_option())
    } else {
        let message = format!("a key of this text can be one of the template `{}`", template.text);
        (message, legacy.suggest_apart(item, &own))
    };
    diagnostics.report(legacy.range.clone(), Rule::OneKeyEach, message, help);
}
