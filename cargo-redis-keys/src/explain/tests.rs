//! The texts are complete, and their examples are what they say.

use redis_keys_schema::{Lint, Rule};

use super::*;

/// What the audit finds.
const FINDINGS_OF_THE_AUDIT: [&str; 16] = [
    "unknown_key",
    "wrong_type",
    "no_expiry",
    "long_expiry",
    "bad_name",
    "big_value",
    "big_collection",
    "big_member",
    "left_compact_encoding",
    "too_many_keys",
    "eviction_policy",
    "no_maxmemory",
    "lazy_expire_off",
    "slot_skew",
    "hot_key",
    "no_lfu",
];

fn names_of(topic: Topic) -> Vec<&'static str> {
    topic.articles().iter().map(|article| article.name).collect()
}

#[test]
fn everything_has_an_article() {
    assert_eq!(names_of(Topic::Rule), Rule::ALL.map(Rule::name));
    assert_eq!(names_of(Topic::Lint), Lint::ALL.map(Lint::name));
    assert_eq!(names_of(Topic::Finding), FINDINGS_OF_THE_AUDIT);
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

#[test]
fn right_examples_are_read() {
    let rust = |block: &&Block<'_>| matches!(block, Block::Code("rust", _));
    for (topic, article) in articles().filter(|(topic, _)| *topic != Topic::Finding) {
        let is_policy = ["policy", "misspelt_module"].contains(&article.name);
        assert_eq!(article.right.iter().filter(rust).count(), usize::from(!is_policy), "{topic:?} {}", article.name);
    }
}
