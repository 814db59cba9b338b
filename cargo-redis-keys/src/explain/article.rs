//! Articles, and the form of Markdown that they are written in.

/// What a rule, a lint or a finding means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Article<'t> {
    /// Its name.
    pub(crate) name: &'t str,
    /// What it is, in one sentence or two.
    pub(crate) summary: &'t str,
    /// More about it.
    pub(crate) about: Vec<Block<'t>>,
    /// What happens without it.
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

/// Reads the articles of a text. What comes before the first one is for readers of the file.
pub(super) fn read(text: &'static str) -> Vec<Article<'static>> {
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
    let mut article = Article { name, summary, about, why: Vec::new(), wrong: Vec::new(), right: Vec::new() };
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
    for (number, part) in text.split("```").enumerate() {
        if number % 2 == 0 {
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
    /// The lines of code that a reader needs: without those that rustdoc hides.
    pub(crate) fn shown_lines(code: &str) -> impl Iterator<Item = &str> {
        code.lines().filter(|line| !line.starts_with("# "))
    }
}
