//! The pages of lints, which are the documentation of their modules.

use crate::warning::Lint;

/// The texts about a lint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintPage {
    /// Explains the lint, in Markdown with each paragraph in one line: a summary, more about it, and the sections
    /// `Why`, `Wrong` and `Right`, whose headings have the third level.
    pub explanation: String,
    /// The declarations that it flags, for a table.
    pub flags: String,
    /// The text to write instead, for a table.
    pub instead: String,
}

impl Lint {
    /// The texts about the lint.
    ///
    /// ```
    /// assert!(redis_keys_schema::Lint::LongKey.page().explanation.starts_with("The key can exceed 30 bytes.\n"));
    /// ```
    pub fn page(self) -> LintPage {
        read(self.source())
    }
}

/// The section with the texts for a table.
const TABLE: &str = "### In the guide\n";

/// Reads the documentation at the beginning of a module's source.
fn read(source: &str) -> LintPage {
    let mut text = String::new();
    let (mut is_code, mut continues) = (false, false);
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        let is_fence = line.starts_with("```");
        if continues && !line.is_empty() && !line.starts_with("- ") {
            // The line before ends here.
            text.pop();
            text.push(' ');
            text.push_str(line.trim_start());
        } else {
            text.push_str(if line.starts_with("# ") && !is_code { "##" } else { "" });
            text.push_str(line);
        }
        text.push('\n');
        is_code ^= is_fence;
        continues = !is_code && !is_fence && !line.is_empty();
    }
    let (explanation, table) = text.split_once(TABLE).unwrap_or((&text, ""));
    let row = |name: &str| table.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
    LintPage {
        explanation: explanation.trim_end().to_owned() + "\n",
        flags: row("- flags: "),
        instead: row("- instead: "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_lines() {
        let source = "//! One\n//! `two` #\n//!\n//! # Why\n//!\n//! Three.\n//!\n//! ```rust\n//! # hidden\n//!\n//!     four\n\
                      //! five\n//! ```\n//!\n//! # In the guide\n//!\n//! - flags: six\n//!   seven\n//! - instead: eight\n\n\
                      //! code";
        let explanation = "One `two` #\n\n### Why\n\nThree.\n\n```rust\n# hidden\n\n    four\nfive\n```\n".to_owned();
        let expected = LintPage { explanation, flags: "six seven".to_owned(), instead: "eight".to_owned() };
        assert_eq!(read(source), expected);
    }

    #[test]
    fn every_lint_has_all_texts() {
        for lint in Lint::ALL {
            let LintPage { explanation, flags, instead } = lint.page();
            for section in ["\n\n### Why\n\n", "\n\n### Wrong\n\n", "\n\n### Right\n\n"] {
                assert!(explanation.contains(section), "{lint}: {explanation}");
            }
            assert!(!flags.is_empty() && !instead.is_empty(), "{lint}");
        }
    }
}
