//! What each rule, each lint and each finding of the audit means.
//!
//! The texts are Markdown, all in one form, which [`article`] reads: the name, a summary, more about it, and the sections `Why`,
//! `Wrong` and `Right`. Wrong examples are in blocks of `text`. Right ones are Rust, and rustdoc compiles them.

mod article;
#[cfg(test)]
mod tests;

use std::iter;

use redis_keys_schema::nearest;

pub(crate) use article::{Article, Block};

/// What an article is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// A rule: a declaration that breaks it does not compile.
    Rule,
    /// A lint.
    Lint,
    /// A finding of the audit.
    Finding,
}

impl Topic {
    /// All topics.
    pub(crate) const ALL: [Self; 3] = [Self::Rule, Self::Lint, Self::Finding];

    /// In the singular.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Lint => "lint",
            Self::Finding => "finding of the audit",
        }
    }

    /// The articles, in the order of the text.
    pub(crate) fn articles(self) -> Vec<Article<'static>> {
        article::read(match self {
            Self::Rule => RULES,
            Self::Lint => LINTS,
            Self::Finding => FINDINGS,
        })
    }
}

const RULES: &str = include_str!("rules.md");
const LINTS: &str = include_str!("lints.md");
const FINDINGS: &str = include_str!("findings.md");

/// The only exception that `allow(…)` takes besides lints, and the rule that it is an exception from.
const OVERLAP: (&str, &str) = ("overlap", "one-key-each");

/// All articles.
pub(crate) fn articles() -> impl Iterator<Item = (Topic, Article<'static>)> {
    Topic::ALL.into_iter().flat_map(|topic| topic.articles().into_iter().map(move |article| (topic, article)))
}

/// All names, of which some are both a lint and a finding.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    articles().map(|(_, article)| article.name).chain(iter::once(OVERLAP.0))
}

/// The articles of a name: of a rule, of a lint, of a finding, or of a lint and a finding.
///
/// # Errors
///
/// If there is none: the name that was probably meant, if there is one.
pub(crate) fn find(name: &str) -> Result<Vec<(Topic, Article<'static>)>, Option<&'static str>> {
    let name = name.trim();
    let meant = if same(name, OVERLAP.0) { OVERLAP.1 } else { name };
    let found: Vec<_> = articles().filter(|(_, article)| same(article.name, meant)).collect();
    if found.is_empty() { Err(nearest(name, names())) } else { Ok(found) }
}

/// Whether two names are the same: rules have `-` in their names, lints and findings `_`.
fn same(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.replace('-', "_").to_lowercase();
    letters(one) == letters(other)
}

/// The right examples compile.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("rules.md")]
    struct Rules;

    #[doc = include_str!("lints.md")]
    struct Lints;

    #[doc = include_str!("findings.md")]
    struct Findings;
}
