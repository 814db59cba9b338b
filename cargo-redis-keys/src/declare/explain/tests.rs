//! The texts are complete, and their examples are what they say.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use std::rc::Rc;

use redis_keys_schema::{Lint, Policy, Rule};
use syn::{DeriveInput, Item};

use super::*;
use crate::declare::check::{self, Subject};
use crate::declare::sources::DeclarationKind;
use crate::render::{Code, File, Finding, ValueCode};

/// The findings of the audit.
const FINDINGS_OF_THE_AUDIT: [&str; 21] = [
    "unknown_key",
    "wrong_type",
    "no_expiry",
    "long_expiry",
    "bad_name",
    "big_value",
    "big_collection",
    "big_member",
    "refused_name",
    "foreign_no_expiry",
    "left_compact_encoding",
    "too_many_keys",
    "eviction_policy",
    "mixed_use",
    "no_maxmemory",
    "lazy_expire_off",
    "hot_key",
    "cold_data",
    "no_lfu",
    "no_rebuild",
    "unneeded_formerly",
];

/// Whether the examples of an article are declarations with and without its problem.
fn is_about_declarations((topic, _): &(Topic, Article<'_>)) -> bool {
    matches!(topic, Topic::Rule | Topic::Lint)
}

fn names_of(topic: Topic) -> Vec<&'static str> {
    topic.articles().iter().map(|article| article.name).collect()
}

#[test]
fn everything_has_an_article() {
    assert_eq!(names_of(Topic::Rule), Rule::ALL.map(Rule::name));
    assert_eq!(names_of(Topic::Lint), Lint::ALL.map(Lint::name));
    assert_eq!(names_of(Topic::Finding), FINDINGS_OF_THE_AUDIT);
    assert_eq!(names_of(Topic::Value), ValueCode::ALL.map(ValueCode::name));
}

#[test]
fn articles_are_complete() {
    for (topic, article) in articles() {
        let Article { name, summary, why, wrong, right, .. } = &article;
        assert!(summary.ends_with('.') && summary.len() <= 100 && !summary.contains('\n'), "{name}: {summary}");
        assert!(matches!(why[..], [Block::Paragraph(_), ..]), "{name}: {why:?}");
        for section in [wrong, right] {
            assert!(section.iter().any(|block| matches!(block, Block::Code(..))), "{topic:?} {name}: {section:?}");
        }
        for block in article.about.iter().chain(why) {
            assert!(matches!(block, Block::Paragraph(text) if !text.contains('\n')), "{name}: {block:?}");
        }
    }
}

#[test]
fn names_are_found_in_any_notation() {
    let found = |name: &str| -> Vec<_> {
        find(name).unwrap_or_default().iter().map(|(topic, article)| (*topic, article.name)).collect()
    };
    assert_eq!(found("lower_case"), [(Topic::Rule, "lower-case")]);
    assert_eq!(found(" Missing-Jitter"), [(Topic::Lint, "missing_jitter")]);
    assert_eq!(found("overlap"), [(Topic::Rule, "one-key-each")]);
    assert_eq!(found("big_collection"), [(Topic::Lint, "big_collection"), (Topic::Finding, "big_collection")]);
    assert_eq!(find("lowercas").err(), Some(Some("lower-case")));
    assert_eq!(find("nothing at all").err(), Some(None));
    assert_eq!(find("").err(), Some(None));
}

/// The findings of an example: a policy file, Rust, or both.
fn findings(example: &[Block<'_>]) -> Vec<Finding> {
    let code = |wanted: fn(&str) -> bool| -> String {
        let texts = example.iter().filter_map(|block| match block {
            Block::Code(language, code) if wanted(language) => Some(*code),
            _ => None,
        });
        texts.collect()
    };
    let toml = code(|language| language == "toml");
    let (policy, _) = Policy::parse(&toml);
    let text = code(|language| language != "toml");
    let text = Block::shown_lines(&text).collect::<Vec<_>>().join("\n");
    let items = syn::parse_file(&text).unwrap().items;
    let count = items.len();
    let items: Vec<_> = items.into_iter().filter_map(declaration).collect();
    assert_eq!(items.len(), count, "{text}");
    let file = Rc::new(File { path: "example.rs".to_owned(), text });
    let subjects: Vec<_> = items
        .iter()
        .map(|(kind, item)| Subject {
            kind: *kind,
            item,
            file: Rc::clone(&file),
            policy: &policy,
            package: "example",
            module: "",
            krate: 0,
            is_deployed: true,
            is_silenced: false,
            condition: None,
        })
        .collect();
    let mut findings =
        check::check(&subjects, Vec::new(), &|_, field| redis_keys_schema::values_of_type(&field.ty).map(Into::into));
    findings.extend(check::findings_of_policy(toml, "redis-keys.toml"));
    findings
}

fn declaration(item: Item) -> Option<(DeclarationKind, DeriveInput)> {
    let item = match item {
        Item::Struct(item) => DeriveInput::from(item),
        Item::Enum(item) => DeriveInput::from(item),
        _ => return None,
    };
    let derives = |name: &str| {
        let mut derives = item.attrs.iter().filter(|attribute| attribute.path().is_ident("derive"));
        derives.any(|derive| matches!(&derive.meta, syn::Meta::List(list) if list.tokens.to_string().contains(name)))
    };
    let kinds = [
        ("RedisKey", DeclarationKind::Key),
        ("RedisHash", DeclarationKind::Record),
        ("KeySegment", DeclarationKind::Segment),
    ];
    let (_, kind) = kinds.into_iter().find(|(name, _)| derives(name))?;
    Some((kind, item))
}

#[test]
fn wrong_examples_are_wrong_for_that_reason() {
    for (topic, article) in articles().filter(is_about_declarations) {
        let codes: Vec<_> = findings(&article.wrong).into_iter().map(|finding| finding.code).collect();
        let expected = match topic {
            Topic::Rule => Rule::ALL.into_iter().find(|rule| rule.name() == article.name).map(Code::Rule),
            _ => Lint::from_name(article.name).map(Code::Lint),
        };
        assert_eq!(codes, Vec::from_iter(expected), "{}", article.name);
    }
}

#[test]
fn right_examples_have_no_findings() {
    for (_, article) in articles() {
        let example: Vec<_> =
            article.right.iter().filter(|block| !matches!(block, Block::Code("text", _))).copied().collect();
        let found = findings(&example);
        assert!(found.is_empty(), "{}: {found:?}", article.name);
    }
}

/// As many as there are blocks of Rust: the filter above takes none away.
#[test]
fn right_examples_are_read() {
    let rust = |block: &&Block<'_>| matches!(block, Block::Code("rust", _));
    for (topic, article) in articles().filter(is_about_declarations) {
        let is_policy = ["policy", "misspelt_module"].contains(&article.name);
        assert_eq!(article.right.iter().filter(rust).count(), usize::from(!is_policy), "{topic:?} {}", article.name);
    }
}
