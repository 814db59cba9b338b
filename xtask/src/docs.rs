//! `cargo xtask docs`: the files of the documentation that are generated.
//!
//! - `redis-keys/docs/errors.svg`, a picture of the compiler's own coloured output for the mistakes in `demo/bad_keys.rs`.
//! - `redis-keys/README.md`, the README of the package: the one of the repository with relative links that start in the
//!   folder of the package, which is where GitHub and crates.io resolve them.

use std::fmt::Write as _;
use std::fs;

use crate::demo;
use crate::run::{Failure, Outcome, heading, root};

const PICTURE: &str = "redis-keys/docs/errors.svg";
const PACKAGE_README: &str = "redis-keys/README.md";

/// Writes the files.
pub(crate) fn write() -> Outcome {
    heading("Generating documentation");
    for (path, text) in generate()? {
        fs::write(root().join(path), text)?;
        println!("wrote {path}");
    }
    Ok(())
}

/// Fails if one of the files is not what [`write()`] would write.
pub(crate) fn check() -> Outcome {
    for (path, text) in generate()? {
        if fs::read_to_string(root().join(path)).ok().as_deref() != Some(&text) {
            return Err(Failure::new(format!("{path} is out of date: run `cargo xtask docs` and review the change")));
        }
    }
    Ok(())
}

fn generate() -> Outcome<[(&'static str, String); 2]> {
    let readme = fs::read_to_string(root().join("README.md"))?;
    Ok([(PICTURE, svg(&demo::compiler_output("keys")?)), (PACKAGE_README, package_readme(&readme))])
}

/// The README with its relative links rewritten for the package's folder.
fn package_readme(readme: &str) -> String {
    let mut text = String::new();
    let mut rest = readme;
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(before);
        text.push_str("](");
        rest = after;
        if let Some(inside) = after.strip_prefix("redis-keys/") {
            rest = inside;
        } else if !after.starts_with('#') && !after.starts_with("http") {
            text.push_str("../");
        }
    }
    text + rest
}

const FONT_SIZE: usize = 14;
const LINE_HEIGHT: usize = 19;
const PADDING: usize = 16;

/// Colored terminal output as a picture.
///
/// It has attributes instead of a style sheet and no empty lines, so that it can be embedded in HTML and Markdown.
fn svg(output: &str) -> String {
    let lines: Vec<Vec<Span<'_>>> = styled_lines(output.trim_end());
    let columns = lines.iter().map(|line| line.iter().map(|span| span.text.chars().count()).sum()).max().unwrap_or(0);
    // The characters of usual monospaced fonts are at most 0.602 of the font size wide.
    let width = (columns * FONT_SIZE * 602).div_ceil(1000) + 2 * PADDING;
    let height = lines.len() * LINE_HEIGHT + 2 * PADDING;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" \
         aria-label=\"Compile errors of a declaration with four mistakes\" style=\"max-width: 100%; height: auto\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#1e2227\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"{FONT_SIZE}\" fill=\"#d7dae0\">\n"
    );
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let y = PADDING + (number + 1) * LINE_HEIGHT - 5;
        let _ = write!(svg, "<text x=\"{PADDING}\" y=\"{y}\" xml:space=\"preserve\" style=\"white-space: pre\">");
        for Span { text, bold, color } in line {
            let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let weight = if *bold { " font-weight=\"bold\"" } else { "" };
            let fill = color.map(|color| format!(" fill=\"{color}\"")).unwrap_or_default();
            let _ = write!(svg, "<tspan{weight}{fill}>{text}</tspan>");
        }
        svg.push_str("</text>\n");
    }
    svg + "</g>\n</svg>\n"
}

/// Text of one style.
#[derive(Debug, PartialEq)]
struct Span<'t> {
    text: &'t str,
    bold: bool,
    color: Option<&'static str>,
}

/// Splits text with ANSI escape sequences into lines of spans.
fn styled_lines(output: &str) -> Vec<Vec<Span<'_>>> {
    let (mut bold, mut color) = (false, None);
    let mut styled = |line| {
        let mut spans = Vec::new();
        for (number, part) in str::split(line, "\x1b[").enumerate() {
            let text = match part.split_once('m').filter(|_| number > 0) {
                Some((codes, text)) => {
                    match codes {
                        "" | "0" => (bold, color) = (false, None),
                        "1" => bold = true,
                        codes => color = rgb(codes),
                    }
                    text
                }
                None => part,
            };
            if !text.is_empty() {
                spans.push(Span { text, bold, color });
            }
        }
        spans
    };
    output.lines().map(&mut styled).collect()
}

/// Returns the color of a code of rustc.
fn rgb(codes: &str) -> Option<&'static str> {
    match codes.strip_prefix("38;5;").unwrap_or(codes) {
        "91" | "31" | "9" => Some("#ff6b70"),
        "92" | "32" | "10" => Some("#98c379"),
        "93" | "33" | "11" => Some("#e5c07b"),
        "94" | "34" | "12" => Some("#61afef"),
        "96" | "36" | "14" => Some("#56b6c2"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Span, package_readme, styled_lines};

    #[test]
    fn escape_sequences_become_styled_spans() {
        let lines = styled_lines("\x1b[1m\x1b[91merror\x1b[0m: no\n\n\x1b[38;5;12m|\x1b[0m");
        let error = Span { text: "error", bold: true, color: Some("#ff6b70") };
        let rest = Span { text: ": no", bold: false, color: None };
        assert_eq!(lines, [vec![error, rest], vec![], vec![Span { text: "|", bold: false, color: Some("#61afef") }]]);
    }

    #[test]
    fn relative_links_start_in_the_folder_of_the_package() {
        let readme = "[a](redis-keys/docs/a.md), [b](LICENSE), ![c](redis-keys/c.svg), [d](https://x.y), [e](#f), f](g";
        let package = "[a](docs/a.md), [b](../LICENSE), ![c](c.svg), [d](https://x.y), [e](#f), f](../g";
        assert_eq!(package_readme(readme), package);
    }
}
