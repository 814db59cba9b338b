//! The draft of a module of declarations.
//!
//! Each declaration is written with its text of today. Then all are compared as the derives compare them. Overlapping
//! texts get `no_colon`, or `allow(overlap)` where that is not enough. A key that cannot be declared becomes a comment.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;

use redis_keys_schema::{Policy, Rule, argument_of_type};
use redis_keys_syntax::{KeyField, read_key};
use syn::ext::IdentExt as _;
use syn::{DeriveInput, Item};

use super::FoundKey;
use super::declaration::Declaration;
use super::naming::{camel_case, identifier, unique};
use super::written_keys::WrittenKeys;
use crate::declare::catalog::{Catalog, Key, Matcher, ParameterFacts, TextKind, Values, legacy_of};
use crate::declare::check::{Subject, check};
use crate::declare::sources::DeclarationKind;
use crate::operate::masking::Masking;
use crate::render::units::things;
use crate::render::{Code, File, Finding, Level, Location, SourcePlace, printable};

/// A draft.
pub(crate) struct Draft {
    /// The module, as Rust.
    pub(crate) text: String,
    /// The number of declarations, and of declarations in which a person has to decide.
    pub(crate) declared: u64,
    pub(crate) undecided: u64,
    /// The modules of the names.
    pub(crate) modules: BTreeSet<String>,
    /// The structs of keys with `legacy`.
    pub(crate) items: BTreeSet<String>,
    /// The texts that cannot be declared, each with the reason.
    pub(crate) refused: Vec<(String, String)>,
    /// The number of kinds that are left out, because words of their texts are not shown.
    pub(crate) hidden: u64,
    /// The number of sampled keys, of keys that match a declaration, and of keys that it writes.
    pub(crate) sampled: u64,
    pub(crate) matched: u64,
    pub(crate) written: u64,
}

/// Writes the draft for a project with this policy, whose lists of modules and of keys with `legacy` it will extend,
/// and tries it on a sample of the keys.
pub(crate) fn draft(found: &[FoundKey], masking: &Masking, policy: &Policy, sample: &[&[u8]]) -> Draft {
    let policy = Policy { modules: None, legacy: None, ..policy.clone() };
    let shown: Vec<_> = found.iter().filter(|key| key.shown(masking) == key.text()).collect();
    let hidden = (found.len() - shown.len()) as u64;
    let mut declarations = declarations(&shown, masking.shows_keys);
    distinguish(&mut declarations);
    let mut text = render(&declarations);
    // Each round mends the errors of the round before, and each declaration is mended five times at most.
    for _ in 0..6 {
        if !mend(&mut declarations, &text, &policy) {
            break;
        }
        distinguish(&mut declarations);
        text = render(&declarations);
    }
    let (matched, refused_keys) = try_on(&mut declarations, &text, sample);
    if refused_keys > 0 {
        text = render(&declarations);
    }
    let written = || declarations.iter().filter(|declaration| declaration.refused.is_none());
    Draft {
        text,
        declared: written().count() as u64,
        undecided: written().filter(|declaration| !declaration.todos.is_empty()).count() as u64,
        modules: written().map(|declaration| declaration.names.module.clone()).collect(),
        items: written()
            .filter(|declaration| declaration.legacy.is_some())
            .map(|declaration| declaration.names.item.clone())
            .collect(),
        refused: refused(&declarations).collect(),
        hidden,
        sampled: sample.len() as u64,
        matched,
        written: matched - refused_keys,
    }
}

/// Counts the keys that declarations match, and the matching keys that are refused when they are written. Declarations
/// that refuse some say so.
fn try_on(declarations: &mut [Declaration], text: &str, sample: &[&[u8]]) -> (u64, u64) {
    let catalog = catalog(text);
    let declared_keys = Matcher::new(&catalog, None);
    let mut matched = 0;
    // By the index of the declaration and the name of a field, the number of keys.
    let mut refused = BTreeMap::<(usize, String), u64>::new();
    for key in sample {
        let Some(found) = declared_keys.find_match(key) else { continue };
        matched += 1;
        let Some(declared) = catalog.keys.get(found.declaration) else { continue };
        let is_it = |declaration: &Declaration| declaration.template == declared.template;
        let Some(index) = declarations.iter().position(is_it) else { continue };
        let Some(legacy) = legacy_of(declared).filter(|_| found.text == TextKind::Legacy) else { continue };
        let written = declarations.get(index).and_then(|declaration| WrittenKeys::of(declared, declaration, legacy));
        if let (Some(written), Ok(key)) = (written, str::from_utf8(key))
            && let Err(field) = written.check(key)
        {
            *refused.entry((index, field)).or_default() += 1;
        }
    }
    let refused_keys = refused.values().sum();
    for ((index, field), keys) in refused {
        if let Some(declaration) = declarations.get_mut(index) {
            declaration.todos.push(format!(
                "the type of `{field}`, or `allow(ambiguous_text)`: {} can have values that are rejected when they are \
                 written",
                things(keys, "sampled key"),
            ));
        }
    }
    (matched, refused_keys)
}

/// The declarations, with numbers in names that would otherwise be the same.
fn declarations(found: &[&FoundKey], with_examples: bool) -> Vec<Declaration> {
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

/// The catalog of the draft.
fn catalog(text: &str) -> Catalog {
    let items = syn::parse_file(text).map(|file| written(&file)).unwrap_or_default();
    let policy = Policy::default();
    let key = |DraftItem { item, .. }: &DraftItem| {
        let read = read_key(item, &policy);
        let schema = read.schema(String::new(), 1).ok()?;
        let field = |name: &str| read.input.fields.iter().find(|field| field.name == name);
        Some(Key::new(schema, |parameter| {
            let argument = field(&parameter.name).and_then(|field| argument_of_type(&field.ty));
            ParameterFacts { argument, ..ParameterFacts::default() }
        }))
    };
    let keys = items.iter().filter(|item| item.kind == DeclarationKind::Key).filter_map(key);
    Catalog::new(keys.collect(), Vec::new())
}

/// The texts of a field of the draft.
fn values_of(field: &KeyField<'_>) -> Option<Values> {
    argument_of_type(&field.ty)?.values()
}

/// Gives each declaration of a module a different name and a different template.
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

/// A template without its fields' names.
fn shape(template: &str) -> String {
    let segment = |segment: &str| if segment.starts_with('{') { "{}".to_owned() } else { segment.to_owned() };
    template.split(':').map(segment).collect::<Vec<_>>().join(":")
}

/// The module, as Rust.
fn render(declarations: &[Declaration]) -> String {
    let mut modules = Vec::<(String, Vec<&Declaration>)>::new();
    for declaration in declarations.iter().filter(|declaration| declaration.refused.is_none()) {
        let module = declaration.rust_module();
        match modules.iter_mut().find(|(name, _)| *name == module) {
            Some((_, members)) => members.push(declaration),
            None => modules.push((module, vec![declaration])),
        }
    }
    let mut text = "//! The Redis keys of this project, as they are today.\n".to_owned();
    for (name, members) in modules {
        let name = identifier(&name).unwrap_or(name);
        let _ = write!(text, "\npub mod {name} {{\n    use redis_keys::prelude::*;\n");
        for member in members {
            text.push('\n');
            member.render(&mut text);
        }
        text.push_str("}\n");
    }
    for (shown, why) in refused(declarations) {
        let _ = write!(text, "\n// TODO: `{shown}` cannot be declared: {}\n", printable(&why));
    }
    text
}

/// The texts that cannot be declared, each with the reason.
fn refused(declarations: &[Declaration]) -> impl Iterator<Item = (String, String)> + '_ {
    declarations.iter().filter_map(|declaration| Some((declaration.shown_text(), declaration.refused.clone()?)))
}

/// An item of the draft.
struct DraftItem {
    module: String,
    /// The first byte of the item, with its attributes.
    start: usize,
    kind: DeclarationKind,
    item: DeriveInput,
}

impl DraftItem {
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
fn written(file: &syn::File) -> Vec<DraftItem> {
    let mut written = Vec::new();
    for item in &file.items {
        let Item::Mod(module) = item else { continue };
        for item in module.content.iter().flat_map(|(_, items)| items) {
            let Item::Struct(item) = item else { continue };
            let is_key = item.attrs.iter().any(|attribute| attribute.path().is_ident("redis_key"));
            written.push(DraftItem {
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
fn mend(declarations: &mut [Declaration], text: &str, policy: &Policy) -> bool {
    let Ok(file) = syn::parse_file(text) else { return false };
    let written = written(&file);
    let findings = findings(&written, text, policy);
    let index_at = |at: &Location| {
        let item = written.iter().rev().find(|item| item.start <= at.range.start)?;
        declarations.iter().position(|it| it.rust_module() == item.module && item.item.ident == it.names.item)
    };
    let mut places: Vec<_> = findings
        .iter()
        .filter(|finding| finding.level >= Level::Error)
        .filter_map(|finding| {
            let SourcePlace { at, other, .. } = finding.place()?;
            Some((finding, index_at(at), other.as_ref().and_then(|(at, _)| index_at(at))))
        })
        .collect();
    let has_changed = !places.is_empty();
    // One change may be enough for all findings of a declaration.
    let mut mended = BTreeSet::new();
    places.retain(|(finding, one, other)| {
        let is_alone =
            finding.code != Code::Rule(Rule::OneKeyEach) || finding.place().is_none_or(|place| place.other.is_none());
        for index in [one, other].into_iter().flatten() {
            let Some(declaration) = declarations.get_mut(*index) else { continue };
            if is_alone && mended.insert(*index) {
                mend_one(declaration, finding);
            } else if !is_alone && declaration.can_exclude_colons() {
                declaration.exclude_colons();
                mended.insert(*index);
            }
        }
        ![one, other].into_iter().flatten().any(|index| mended.contains(index))
    });
    let mut overlaps: Vec<_> = places.into_iter().filter_map(|(_, one, other)| Some([one?, other?])).collect();
    allow_overlaps(declarations, &mut overlaps);
    has_changed
}

/// Permits overlaps in as few declarations as possible: declarations that overlap with most others come first.
fn allow_overlaps(declarations: &mut [Declaration], overlaps: &mut Vec<[usize; 2]>) {
    while !overlaps.is_empty() {
        let mut times = BTreeMap::<usize, usize>::new();
        overlaps.iter().flatten().for_each(|index| *times.entry(*index).or_default() += 1);
        let Some((most, _)) = times.into_iter().max_by_key(|(index, times)| (*times, *index)) else { return };
        overlaps.retain(|pair| !pair.contains(&most));
        if let Some(declaration) = declarations.get_mut(most) {
            declaration.allows.insert("overlap");
            declaration.todos.push("its keys can be those of other declarations".to_owned());
        }
    }
}

/// Mends the errors of a single declaration.
fn mend_one(declaration: &mut Declaration, finding: &Finding) {
    if let Code::Lint(lint) = finding.code {
        // The policy denies it.
        declaration.allows.insert(lint.name());
        declaration.todos.push(finding.message.clone());
    } else if finding.code != Code::Rule(Rule::OneKeyEach) {
        declaration.refused = Some(finding.message.clone());
    } else if declaration.can_exclude_colons() {
        declaration.exclude_colons();
    } else if finding.message.contains(" can be one of the template ") && !declaration.is_moved {
        // The text can be the start of any key in its module.
        declaration.move_to_another_module();
    } else if !declaration.allows.insert("ambiguous_text") {
        declaration.refused = Some(finding.message.clone());
    } else {
        declaration.todos.push("different values can share a key".to_owned());
    }
}

/// The findings of the derives in the items of a draft.
fn findings(written: &[DraftItem], text: &str, policy: &Policy) -> Vec<Finding> {
    let source = Rc::new(File { path: "keys.rs".to_owned(), text: text.to_owned() });
    let subjects: Vec<_> = written.iter().map(|item| item.subject(&source, policy)).collect();
    check(&subjects, Vec::new(), &|_, field| values_of(field))
}

/// The messages of items that do not compile.
#[cfg(test)]
pub(super) fn errors(text: &str, policy: &Policy) -> Vec<String> {
    let Ok(file) = syn::parse_file(text) else { return vec!["it is no Rust".to_owned()] };
    let findings = findings(&written(&file), text, policy);
    findings.into_iter().filter(|finding| finding.level >= Level::Error).map(|finding| finding.message).collect()
}
