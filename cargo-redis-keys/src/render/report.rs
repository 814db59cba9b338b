//! Reports for people: sections with tables, made once, and printed in each form.

use super::finding::Finding;
use super::key_text::KeyText;
use super::level::Level;
use super::units::{bytes, count, shortened};

/// The most characters of a key in a table.
pub(crate) const KEY_WIDTH: usize = 120;

/// A report's content, whatever the form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub(crate) title: String,
    /// The lines below the title.
    pub(crate) lead: Vec<Text>,
    /// The text in the search field of a page.
    pub(crate) search: &'static str,
    pub(crate) sections: Vec<Section>,
    /// The last lines in a terminal.
    pub(crate) end: Vec<Text>,
}

/// A part of a report.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// The heading. The only table of a report has none.
    pub(crate) title: String,
    /// A line below the heading. A terminal shows it if there are no rows.
    pub(crate) lead: Option<Text>,
    pub(crate) body: Body,
    /// Whether a terminal shows it, with as much as fits a screen.
    pub(crate) is_brief: bool,
}

/// A section's content.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Table(Table),
    Findings {
        findings: Vec<Finding>,
        most: Most,
    },
    List {
        items: Vec<Text>,
        most: Most,
    },
    /// Summaries, each of which opens.
    Explanations(Vec<(Text, Text)>),
}

/// The most rows that are shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    /// In a terminal.
    pub(crate) brief: usize,
    pub(crate) full: usize,
}

/// Rows below the names of columns. The first column has the key or another subject of the rows.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The table's content, if no heading says so.
    pub(crate) caption: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Cell>>,
    pub(crate) most: Most,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    /// Whether a terminal shows it.
    pub(crate) is_brief: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    pub(crate) text: Text,
    /// The number by which rows are sorted, if it shows a number. All cells of a column have a number, or none has.
    pub(crate) number: Option<u64>,
    /// The content that opens on a page: paragraphs, and facts with a label.
    pub(crate) details: Vec<(Option<&'static str>, Text)>,
}

/// Text with its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) Vec<Span>);

/// A part of a text. Nothing in it can change a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// Words.
    Text(String),
    /// Code.
    Code(String),
    /// Text that matters less.
    Dim(String),
    /// A level's name.
    Level(Level),
    /// The end of a line.
    End,
}

impl Section {
    /// A section that all forms show.
    pub(crate) fn new(title: impl Into<String>, body: Body) -> Self {
        Self { title: title.into(), lead: None, body, is_brief: true }
    }

    /// A section that a terminal leaves out.
    pub(crate) fn full(title: impl Into<String>, body: Body) -> Self {
        Self { is_brief: false, ..Self::new(title, body) }
    }

    /// Adds a line below the heading.
    #[must_use]
    pub(crate) fn with_lead(self, lead: Text) -> Self {
        Self { lead: Some(lead), ..self }
    }
}

impl Most {
    /// No limit.
    pub(crate) const ALL: Self = Self { brief: usize::MAX, full: usize::MAX };
}

impl Table {
    /// A table with these columns. Columns that start with `+` are for pages only.
    pub(crate) fn new(columns: &[&'static str], most: Most, rows: impl IntoIterator<Item = Vec<Cell>>) -> Self {
        let column = |name: &&'static str| match name.strip_prefix('+') {
            Some(name) => Column { name, is_brief: false },
            None => Column { name, is_brief: true },
        };
        let (columns, rows) = (columns.iter().map(column).collect(), rows.into_iter().collect());
        Self { caption: String::new(), columns, rows, most }
    }

    /// An audit's findings.
    pub(crate) fn of_findings(findings: &[Finding], most: Most) -> Self {
        let columns = ["finding", "level", "where", "keys", "memory", "details and examples"];
        Self::new(&columns, most, findings.iter().map(finding_row))
    }
}

fn finding_row(finding: &Finding) -> Vec<Cell> {
    let figures = Some(&finding.figures).filter(|_| finding.id().is_some_and(super::FindingId::is_about_keys));
    let mut details = Text::prose(&finding.message);
    for example in finding.figures.examples.iter().take(3) {
        if !details.0.is_empty() {
            details.0.push(Span::End);
        }
        let measure = finding.id().map(|id| id.measure(example.weight)).unwrap_or_default();
        details.0.push(Span::Code(shortened(&example.key.shown(), KEY_WIDTH)));
        details.0.extend([Span::Text(" ".to_owned()), Span::Dim(measure)]);
    }
    vec![
        Cell::code(finding.code.name()),
        Cell::from(Text(vec![Span::Level(finding.level)])),
        Cell::key(finding.subject.shown()),
        Cell::number(figures.map(|figures| figures.count), count),
        Cell::number(figures.map(|figures| figures.bytes), bytes),
        Cell::from(details),
    ]
}

impl Cell {
    /// Plain text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::from(Text::from(text.into()))
    }

    /// Code.
    pub(crate) fn code(text: impl Into<String>) -> Self {
        Self::from(Text(vec![Span::Code(text.into())]))
    }

    /// The text of a key or a template.
    pub(crate) fn key(text: &str) -> Self {
        Self::code(shortened(&super::printable(text), KEY_WIDTH))
    }

    /// A key, as it is kept.
    pub(crate) fn key_text(key: &KeyText) -> Self {
        Self::code(shortened(&key.shown(), KEY_WIDTH))
    }

    /// A formatted number, or an empty cell if the number is unknown.
    pub(crate) fn number(number: Option<u64>, shown: impl Fn(u64) -> String) -> Self {
        Self::sorted(number.unwrap_or(0), number.map(shown).unwrap_or_default())
    }

    /// Text that is sorted by a number.
    pub(crate) fn count(number: u64) -> Self {
        Self::sorted(number, count(number))
    }

    pub(crate) fn bytes(number: u64) -> Self {
        Self::sorted(number, bytes(number))
    }

    pub(crate) fn sorted(number: u64, shown: impl Into<String>) -> Self {
        Self { number: Some(number), ..Self::text(shown) }
    }
}

impl From<Text> for Cell {
    fn from(text: Text) -> Self {
        Self { text, ..Self::default() }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(if text.is_empty() { Vec::new() } else { vec![Span::Text(text)] })
    }
}

impl Text {
    /// Text that can have anything in it, with code between backticks.
    pub(crate) fn prose(text: &str) -> Self {
        let text = super::printable(text);
        let pieces = text.split('`').enumerate().filter(|(_, piece)| !piece.is_empty());
        let span = |(index, piece): (usize, &str)| {
            if index % 2 == 1 { Span::Code(piece.to_owned()) } else { Span::Text(piece.to_owned()) }
        };
        Self(pieces.map(span).collect())
    }

    /// The text without its parts.
    pub(crate) fn plain(&self) -> String {
        let plain = |span: &Span| match span {
            Span::Text(text) | Span::Code(text) | Span::Dim(text) => text.clone(),
            Span::Level(level) => level.name().to_owned(),
            Span::End => "; ".to_owned(),
        };
        self.0.iter().map(plain).collect()
    }
}
