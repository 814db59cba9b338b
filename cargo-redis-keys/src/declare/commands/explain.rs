//! `explain`: explains a rule, a lint or a finding.

use std::io;

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};

use crate::Failure;
use crate::declare::explain::{self, Article, Block, Topic};
use crate::outcome::Outcome;
use crate::render::table::terminal_width;
use crate::render::{BOLD, WIDTH, wrapped};

/// Explain a rule, a lint or a finding
///
/// Says what goes wrong without it, with a wrong and a right example. Without a name, all of them are listed.
#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// Name, as in `rule:` or `lint:` of a message [default: list all]
    #[arg(value_parser = Name, hide_possible_values = true)]
    name: Option<String>,
}

/// Any text, because wrong names have a separate message. Shells complete the names that exist.
#[derive(Clone)]
struct Name;

impl TypedValueParser for Name {
    type Value = String;

    fn parse_ref(
        &self,
        _command: &clap::Command,
        _argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        Ok(value.to_string_lossy().into_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let mut names: Vec<_> = explain::names().collect();
        names.sort_unstable();
        names.dedup();
        Some(Box::new(names.into_iter().map(PossibleValue::new)))
    }
}

pub(crate) fn run(args: &ExplainArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let Some(name) = &args.name else {
        list(out)?;
        return Ok(Outcome::Fine);
    };
    let found = explain::find(name).map_err(|meant| unknown(name, meant))?;
    for (index, (topic, article)) in found.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        print(*topic, article, out)?;
    }
    Ok(Outcome::Fine)
}

fn unknown(name: &str, meant: Option<&str>) -> Failure {
    let name = crate::render::printable(name);
    let help = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "`cargo redis-keys explain` lists all names".to_owned(),
    };
    Failure::new(format!("no rule, lint or finding `{name}`")).help(help)
}

/// One line for each name.
fn list(out: &mut dyn io::Write) -> io::Result<()> {
    let width = explain::names().map(str::len).max().unwrap_or_default();
    for topic in Topic::ALL {
        let title = match topic {
            Topic::Rule => "Rules: a declaration that breaks one does not compile",
            Topic::Lint => "Lints: valid but questionable declarations",
            Topic::Finding => "Findings: what `cargo redis-keys audit` finds on a server",
            Topic::Value => "Values: what `cargo redis-keys values --check` finds in types that are stored",
        };
        writeln!(out, "{BOLD}{title}{BOLD:#}\n")?;
        for article in topic.articles() {
            writeln!(out, "  {:width$}  {}", article.name, article.summary.trim_end_matches('.'))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "`cargo redis-keys explain NAME` says more about one of them.")
}

fn print(topic: Topic, article: &Article<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#} ({})\n", article.name, topic.name())?;
    writeln!(out, "{}", paragraph(article.summary))?;
    blocks(&article.about, out)?;
    for (title, section) in [("Why", &article.why), ("Wrong", &article.wrong), ("Right", &article.right)] {
        writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
        blocks(section, out)?;
    }
    Ok(())
}

/// A paragraph in lines that are not wider than the terminal.
fn paragraph(text: &str) -> String {
    wrapped(text.split_whitespace(), terminal_width().map_or(WIDTH, |width| width.min(WIDTH)))
}

fn blocks(blocks: &[Block<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    for block in blocks {
        writeln!(out)?;
        match block {
            Block::Paragraph(text) => writeln!(out, "{}", paragraph(text))?,
            Block::Code(_, code) => {
                for line in Block::shown_lines(code) {
                    writeln!(out, "{}", format!("    {line}").trim_end())?;
                }
            }
        }
    }
    Ok(())
}
