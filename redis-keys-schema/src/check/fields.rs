//! Placeholders and fields belong to each other, one to one.

use super::{encoding, shards};
use crate::Rule;
use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostic, Place};
use crate::item::Item;
use crate::options::{Given, Name};
use crate::suggest::{list, nearest};
use crate::template::{Placeholder, Template};

/// The name of the placeholder for a hot key's copies.
const COPY: &str = "copy";

pub(super) fn check(item: &Item<'_>, declaration: &mut Declaration, diagnostics: &mut Vec<Diagnostic>) {
    // One that can't be read counts as any.
    let number = |given: &Given<u64>| given.value.and_then(|number| u32::try_from(number).ok()).unwrap_or(2);
    let copies = declaration.options.copies.as_ref().map(number);
    let Some(template) = &mut declaration.template else { return };
    resolve(item, template, copies, diagnostics);
    shards::check(item, template, diagnostics);
    check_repeats(template, diagnostics);
    check_hash_tags(template, diagnostics);
    check_unused(item, template, diagnostics);
    check_copies(item, declaration, diagnostics);
    if let Some(template) = &mut declaration.template {
        encoding::check(item, template, diagnostics);
    }
}

/// Finds the field of each placeholder.
fn resolve(item: &Item<'_>, template: &mut Template, copies: Option<u32>, diagnostics: &mut Vec<Diagnostic>) {
    let used: Vec<String> = template.placeholders().map(|placeholder| placeholder.name.clone()).collect();
    let may_be_hot = copies.is_none() && template.kind.is_some_and(|kind| Name::Copies.fits(kind));
    for placeholder in template.placeholders_mut() {
        placeholder.field = item.fields.iter().position(|field| field.name == placeholder.name && !field.phantom);
        if let Some(number) = copies.filter(|_| placeholder.name == COPY) {
            // Of a field of that name it is told that it is in the way.
            placeholder.field = None;
            placeholder.copies = Some(number);
            continue;
        }
        if placeholder.field.is_none() {
            let as_copy = copies.and_then(|number| Some((number, copy_meant(item, placeholder, &used)?)));
            if let Some((number, diagnostic)) = as_copy {
                diagnostics.push(diagnostic);
                placeholder.copies = Some(number);
                continue;
            }
            diagnostics.extend(unknown(item, placeholder, &used, may_be_hot));
            // The field that was meant is not unused.
            let meant = meant(item, &placeholder.name);
            placeholder.field = item.fields.iter().position(|field| Some(field.name.as_str()) == meant);
        }
    }
}

/// Says which field was meant. `None` where the placeholder could not be read, which is told already.
fn unknown(item: &Item<'_>, placeholder: &Placeholder, used: &[String], may_be_hot: bool) -> Option<Diagnostic> {
    let name = &placeholder.name;
    let braces_are_empty =
        placeholder.inner == placeholder.range || placeholder.inner.len() == 1 && placeholder.hash_tag;
    if name.is_empty() && !braces_are_empty {
        return None;
    }
    let parameters = || item.fields.iter().filter(|field| !field.phantom).map(|field| field.name.as_str());
    let mut free = parameters().filter(|field| !used.iter().any(|used| used == field));
    let tag = if placeholder.hash_tag { "#" } else { "" };
    let range = placeholder.inner.clone();
    if name.is_empty() {
        let field = free.next().unwrap_or("field").to_owned();
        let message = "a placeholder names its field";
        return Some(Diagnostic::at(range, Rule::Parameters, message).help(format!("write `{{{tag}{field}}}`")));
    }
    if item.fields.iter().any(|field| field.phantom && field.name == *name) {
        let message = format!("`{name}` is a `PhantomData`, which has no value to print");
        return Some(Diagnostic::at(range, Rule::Parameters, message).help("take it out of the template"));
    }
    if let Some(meant) = meant(item, name) {
        let message = format!("there is no field `{name}`: did you mean `{meant}`?");
        return Some(Diagnostic::at(range, Rule::Parameters, message).help(format!("write `{{{tag}{meant}}}`")));
    }
    let free: Vec<_> = free.collect();
    if name == COPY && may_be_hot {
        let message = format!("there is no field `{COPY}`, and nothing says how many copies of the key there are");
        let help = match free.as_slice() {
            [] => format!("add `copies = 8`, or a field `{COPY}` to the struct"),
            [field, ..] => format!("add `copies = 8`, or write `{{{tag}{field}}}`"),
        };
        return Some(Diagnostic::at(range, Rule::Copies, message).help(help));
    }
    let diagnostic = Diagnostic::at(range, Rule::Parameters, format!("there is no field `{name}`"));
    Some(if let [field] = free.as_slice() {
        diagnostic.help(format!("write `{{{tag}{field}}}`, or add a field `{name}`"))
    } else if free.is_empty() {
        diagnostic.help(format!("add a field `{name}` to the struct"))
    } else {
        diagnostic.help(format!("the fields that the template doesn't use yet are {}", list(free, "and")))
    })
}

/// Says that the number of the copy was meant, where nothing else stands for it.
fn copy_meant(item: &Item<'_>, placeholder: &Placeholder, used: &[String]) -> Option<Diagnostic> {
    let name = &placeholder.name;
    let near = nearest(name, [COPY, "copies"]).filter(|_| !used.iter().any(|used| used == COPY));
    if name.is_empty() || near.is_none() || meant(item, name).is_some() {
        return None;
    }
    let tag = if placeholder.hash_tag { "#" } else { "" };
    let message = format!("there is no field `{name}`: did you mean `{COPY}`, the number of the copy?");
    let diagnostic = Diagnostic::at(placeholder.inner.clone(), Rule::Copies, message);
    Some(diagnostic.help(format!("write `{{{tag}{COPY}}}`")))
}

/// The field that a name was likely meant to name: one that is spelt nearly so, or that starts or ends with it.
fn meant<'i>(item: &'i Item<'_>, name: &str) -> Option<&'i str> {
    let parameters = || item.fields.iter().filter(|field| !field.phantom).map(|field| field.name.as_str());
    let part = |field: &&str| name.len() > 1 && (field.starts_with(name) || field.ends_with(name));
    nearest(name, parameters()).or_else(|| parameters().find(part))
}

/// A field stands in the template once. Only its shard may stand there beside it.
fn check_repeats(template: &Template, diagnostics: &mut Vec<Diagnostic>) {
    let placeholders: Vec<_> = template.placeholders().filter(|placeholder| !placeholder.name.is_empty()).collect();
    for (number, placeholder) in placeholders.iter().enumerate() {
        let same = |other: &&Placeholder| {
            other.name == placeholder.name && other.shards.is_some() == placeholder.shards.is_some()
        };
        if placeholders.iter().take(number).any(same) {
            let message = format!("`{}` stands in the template twice", placeholder.name);
            diagnostics
                .push(Diagnostic::at(placeholder.range.clone(), Rule::Parameters, message).help("keep one of the two"));
        }
    }
}

/// A cluster looks at the first pair of braces alone.
fn check_hash_tags(template: &Template, diagnostics: &mut Vec<Diagnostic>) {
    // Of the copy's tag it is told that the other one is in its way.
    let further = template.placeholders().filter(|placeholder| placeholder.hash_tag).skip(1);
    for placeholder in further.filter(|placeholder| placeholder.copies.is_none()) {
        let message = "a key has one hash tag: a cluster looks at the first pair of braces alone";
        diagnostics.push(
            Diagnostic::at(placeholder.range.clone(), Rule::HashTag, message)
                .help(format!("write `{{{}}}`", placeholder.name)),
        );
    }
}

/// Every field is used. Where a placeholder names no field the two are likely one, and the one message is enough.
fn check_unused(item: &Item<'_>, template: &Template, diagnostics: &mut Vec<Diagnostic>) {
    let copies = template.placeholders().any(|placeholder| placeholder.copies.is_some());
    let unresolved = |placeholder: &&Placeholder| placeholder.field.is_none() && placeholder.copies.is_none();
    let unresolved = template.placeholders().filter(unresolved).count();
    let unused = item.fields.iter().enumerate().filter(|(number, field)| {
        // In brackets of another kind it is told already.
        let in_brackets =
            || ["[", "<", "$"].iter().any(|open| template.text.contains(&format!("{open}{}", field.name)));
        let placed = || template.placeholders().any(|placeholder| placeholder.field == Some(*number));
        // Of a field that is in the way of the copies that is told.
        let in_the_way = copies && field.name == COPY;
        !field.phantom && !placed() && !in_brackets() && !in_the_way
    });
    let unused: Vec<_> = unused.collect();
    if unused.len() <= unresolved {
        return;
    }
    for (number, field) in unused {
        let message = format!("the key doesn't hold the field `{}`: two values of it would share one key", field.name);
        diagnostics.push(
            Diagnostic::new(Place::Field(number), Rule::Parameters, message)
                .help(format!("add `{{{}}}` to the template, or remove the field", field.name)),
        );
    }
}

fn check_copies(item: &Item<'_>, declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let (Some(copies), Some(template)) = (&declaration.options.copies, &declaration.template) else { return };
    if template.kind.is_some_and(|kind| !Name::Copies.fits(kind)) {
        // That is told, and nothing else of them matters.
        return;
    }
    if let Some(number) = item.fields.iter().position(|field| field.name == COPY) {
        let message = "with `copies` no field is called `copy`: `{copy}` is the number of the copy";
        diagnostics.push(Diagnostic::new(Place::Field(number), Rule::Copies, message).help("rename the field"));
    }
    for placeholder in template.placeholders().filter(|placeholder| placeholder.copies.is_some()) {
        if placeholder.shards.is_some() {
            let message = "the number of the copy is printed as it is";
            let diagnostic = Diagnostic::at(placeholder.inner.clone(), Rule::Copies, message);
            diagnostics.push(diagnostic.help("write `{copy}`"));
        }
    }
    if !template.placeholders().any(|placeholder| placeholder.copies.is_some()) {
        let message = "the template has no place for the number of the copy";
        diagnostics
            .push(Diagnostic::at(copies.name.clone(), Rule::Copies, message).help("add `{copy}` to the template"));
    }
    check_tag_of_copies(template, diagnostics);
}

/// Copies are to lie on different servers of a cluster, and one hash tag is one server.
fn check_tag_of_copies(template: &Template, diagnostics: &mut Vec<Diagnostic>) {
    let mut tags = template.placeholders().filter(|placeholder| placeholder.hash_tag);
    let Some(tag) = tags.next().filter(|tag| tag.copies.is_none()) else { return };
    let plain = Placeholder { hash_tag: false, ..tag.clone() };
    let message =
        format!("`{tag}` is the hash tag of every copy, so that one server of a cluster has to answer for all");
    let help = if tags.any(|tag| tag.copies.is_some()) {
        format!("write `{plain}`")
    } else {
        format!("write `{plain}`; if the key needs a hash tag, that is `{{#{COPY}}}`")
    };
    diagnostics.push(Diagnostic::at(tag.range.clone(), Rule::Copies, message).help(help));
}
