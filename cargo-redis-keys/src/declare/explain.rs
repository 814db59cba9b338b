//! Explanations of all rules, lints and findings of the audit.
//!
//! The texts are Markdown, all in one form: the name, a summary, more about it, and the sections `Why`, `Wrong` and
//! `Right`. The texts of lints are the documentation of the lints' modules in `redis-keys-schema`. The report of an
//! audit shows the first paragraphs of the findings. Wrong examples are in blocks of `text`. Right examples are Rust,
//! and rustdoc compiles them.

#[cfg(test)]
mod tests;

use std::iter;
use std::sync::LazyLock;

use redis_keys_schema::{Lint, nearest};

use crate::render::Code;

/// The subject of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// A rule: a declaration that breaks it does not compile.
    Rule,
    /// A lint.
    Lint,
    /// A finding of the audit.
    Finding,
    /// A finding about stored values.
    Value,
}

impl Topic {
    /// All topics.
    pub(crate) const ALL: [Self; 4] = [Self::Rule, Self::Lint, Self::Finding, Self::Value];

    /// In the singular.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Lint => "lint",
            Self::Finding => "finding of the audit",
            Self::Value => "finding about stored values",
        }
    }

    /// The articles, in the order of the text.
    pub(crate) fn articles(self) -> Vec<Article<'static>> {
        read(match self {
            Self::Rule => RULES,
            Self::Lint => &LINTS,
            Self::Finding => FINDINGS,
            Self::Value => VALUES,
        })
    }
}

const RULES: &str = include_str!("explain/rules.md");
const FINDINGS: &str = include_str!("explain/findings.md");
const VALUES: &str = include_str!("explain/values.md");

/// The pages of the lints.
static LINTS: LazyLock<String> =
    LazyLock::new(|| Lint::ALL.map(|lint| format!("\n## {lint}\n\n{}", lint.page().explanation)).concat());

/// The only exception that `allow(…)` takes besides lints, and the rule that it is an exception from.
const OVERLAP: (&str, &str) = ("overlap", "one-key-each");

/// All articles.
pub(crate) fn articles() -> impl Iterator<Item = (Topic, Article<'static>)> {
    Topic::ALL.into_iter().flat_map(|topic| topic.articles().into_iter().map(move |article| (topic, article)))
}

/// All names, some of which are both a lint and a finding.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    articles().map(|(_, article)| article.name).chain(iter::once(OVERLAP.0))
}

/// The articles of a name: of a rule, of a lint, of a finding, or of a lint and a finding.
///
/// # Errors
///
/// If there is none, returns the name that was probably meant, if there is such a name.
pub(crate) fn find(name: &str) -> Result<Vec<(Topic, Article<'static>)>, Option<&'static str>> {
    let name = name.trim();
    let meant = if same(name, OVERLAP.0) { OVERLAP.1 } else { name };
    let found: Vec<_> = articles().filter(|(_, article)| same(article.name, meant)).collect();
    if found.is_empty() { Err(nearest(name, names())) } else { Ok(found) }
}

/// A code's summary, if there is an article.
pub(crate) fn summary(code: Code) -> Option<&'static str> {
    let of_code = match code {
        Code::Audit(_) => Topic::Finding,
        Code::Value(_) => Topic::Value,
        Code::Lint(_) => Topic::Lint,
        Code::Rule(_) | Code::Unread | Code::RawUse => Topic::Rule,
    };
    let mut articles = find(code.name()).ok()?.into_iter();
    articles.find(|(topic, _)| *topic == of_code).map(|(_, article)| article.summary)
}

/// The texts of a finding in the report of an audit: its meaning, its consequences, and the remedy.
pub(crate) fn in_report(name: &str) -> [&'static str; 3] {
    let article = Topic::Finding.articles().into_iter().find(|article| article.name == name).unwrap_or_default();
    let first = |blocks: &[Block<'static>]| match blocks.first() {
        Some(Block::Paragraph(text)) => *text,
        _ => "",
    };
    [article.summary, first(&article.why), first(&article.right)]
}

/// Whether two names are the same: rules have `-` in their names, lints and findings `_`.
fn same(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.replace('-', "_").to_lowercase();
    letters(one) == letters(other)
}

/// The explanation of a rule, a lint or a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Article<'t> {
    pub(crate) name: &'t str,
    /// The meaning, in one sentence or two.
    pub(crate) summary: &'t str,
    /// More about it.
    pub(crate) about: Vec<Block<'t>>,
    /// The consequences without it.
    pub(crate) why: Vec<Block<'t>>,
    /// A wrong example.
    pub(crate) wrong: Vec<Block<'t>>,
    /// A right example.
    pub(crate) right: Vec<Block<'t>>,
}

/// A part of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block<'t> {
    /// A paragraph in one line.
    Paragraph(&'t str),
    /// Code, with the language of its block.
    Code(&'t str, &'t str),
}

/// Reads the articles of a text. Text before the first article is for readers of the file.
fn read(text: &'static str) -> Vec<Article<'static>> {
    text.split("\n## ").skip(1).map(article).collect()
}

fn article(text: &'static str) -> Article<'static> {
    let (name, text) = text.split_once('\n').unwrap_or((text, ""));
    let mut sections = text.split("\n### ");
    let mut about = blocks(sections.next().unwrap_or_default());
    let summary = match about.first() {
        Some(Block::Paragraph(summary)) => summary,
        _ => "",
    };
    about.drain(..1.min(about.len()));
    let mut article = Article { name, summary, about, ..Article::default() };
    for section in sections {
        let (title, text) = section.split_once('\n').unwrap_or((section, ""));
        match title {
            "Why" => article.why = blocks(text),
            "Wrong" => article.wrong = blocks(text),
            "Right" => article.right = blocks(text),
            _ => article.about.extend(blocks(text)),
        }
    }
    article
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    // Every other part is in a fence.
    for (index, part) in text.split("```").enumerate() {
        if index % 2 == 0 {
            let paragraphs = part.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
            blocks.extend(paragraphs.map(Block::Paragraph));
        } else {
            let (language, code) = part.split_once('\n').unwrap_or(("", part));
            blocks.push(Block::Code(language, code.trim_end()));
        }
    }
    blocks
}

impl Block<'_> {
    /// The lines of code that a reader needs: without the lines that rustdoc hides.
    pub(crate) fn shown_lines(code: &str) -> impl Iterator<Item = &str> {
        code.lines().filter(|line| !line.starts_with("# "))
    }
}

/// The right examples compile. Examples of lints are examples of their modules.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("explain/rules.md")]
    struct Rules;

    #[doc = include_str!("explain/findings.md")]
    struct Findings;
}
