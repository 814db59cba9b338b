//! `cargo xtask docs`: the files of the documentation that are generated.
//!
//! - `redis-keys/docs/errors.svg`, a picture of the compiler's own coloured output for the mistakes in
//!   `demo/bad_keys.rs`.
//! - the figures in `README.md`, from the tables of the guide's page on performance.
//! - `redis-keys/README.md`, the README of the package: the one of the repository with relative links that start in the
//!   folder of the package, which is where GitHub and crates.io resolve them.
//! - `redis-keys/public-paths.txt`, the list of its public items: see `paths.rs`.
//! - the options of `#[redis_key(…)]`, from the table in `redis-keys-schema`: a copy for the derive's documentation,
//!   the table of the guide, and the documentation that an editor shows.
//! - the table of lints in `redis-keys/docs/guide/policy.md`, from the documentation of their modules in
//!   `redis-keys-schema`.
//! - the tables of `redis-keys/docs/guide/guideline.md`: see `guideline.rs`.
//! - the pages of `redis-keys/docs/guide/commands`, the tables of `metrics.md` and `dashboards/redis-keys.json`, which tests
//!   write, and compare otherwise: `commands_page` and `observability` in `tests/tests`.

use std::fmt::Write as _;
use std::fs;

use redis_keys_schema::{Level, Lint, LintPage, OptionText, RoleName, option_texts};

use crate::run::{Failure, Outcome, cargo, heading, root, run};
use crate::test::TESTS;
use crate::{demo, guideline, paths};

const PICTURE: &str = "redis-keys/docs/errors.svg";
const README: &str = "README.md";
const PERFORMANCE: &str = "redis-keys/docs/guide/performance.md";
const PACKAGE_README: &str = "redis-keys/README.md";
const DERIVE: &str = "redis-keys-macros/docs/options.md";
const GUIDE: &str = "redis-keys/docs/guide/declaration.md";
const EDITOR: &str = "redis-keys/src/__private/editor.rs";
const POLICY: &str = "redis-keys/docs/guide/policy.md";
const GUIDELINE: &str = "redis-keys/docs/guide/guideline.md";

/// The tests that write files.
const GENERATING: [&str; 2] = ["commands_page", "observability"];

/// Writes the files.
pub(crate) fn write() -> Outcome {
    heading("Generating documentation");
    for (path, text) in generate()? {
        fs::write(root().join(path), text)?;
        println!("wrote {path}");
    }
    heading("Listing the public paths");
    paths::rustdoc()?;
    paths::write()?;
    heading("Generating what tests compare");
    // With the packages and features of all tests, so that nothing is built again.
    let tests = GENERATING.iter().flat_map(|name| ["--test", name]);
    run(cargo().args(TESTS).args(tests).arg("is_up_to_date").env("UPDATE_DOCS", "1"))
}

/// Fails if one of the files, apart from the list of public items and from what tests compare, is not what [`write()`]
/// would write.
pub(crate) fn check() -> Outcome {
    for (path, text) in generate()? {
        if fs::read_to_string(root().join(path)).ok().as_deref() != Some(&text) {
            return Err(Failure::new(format!("{path} is out of date: run `cargo xtask docs` and review the change")));
        }
    }
    Ok(())
}

fn generate() -> Outcome<[(&'static str, String); 8]> {
    let options = options_table();
    let readme = with_table(&read(README)?, "figures", &figures(&read(PERFORMANCE)?)?)?;
    Ok([
        (PICTURE, svg(&demo::compiler_output("keys")?)),
        (PACKAGE_README, package_readme(&readme)),
        (README, readme),
        (DERIVE, options.clone()),
        (GUIDE, with_table(&read(GUIDE)?, "options", &options)?),
        (EDITOR, with_docs(&read(EDITOR)?, &option_texts())),
        (POLICY, with_table(&read(POLICY)?, "lints", &lints_table())?),
        (GUIDELINE, guideline_page()?),
    ])
}

fn read(path: &str) -> std::io::Result<String> {
    fs::read_to_string(root().join(path))
}

/// The page of the guide with the tables of the rules.
fn guideline_page() -> Outcome<String> {
    let explanations = |topic| read(&format!("cargo-redis-keys/src/declare/explain/{topic}.md"));
    let explanations = guideline::Explanations { rules: explanations("rules")?, findings: explanations("findings")? };
    let [rules, sources] = guideline::tables(&read("xtask/src/guideline.md")?, &explanations)?;
    with_table(&with_table(&read(GUIDELINE)?, "rules", &rules)?, "sources", &sources)
}

/// The page with this table between the markers of this name.
fn with_table(page: &str, name: &str, table: &str) -> Outcome<String> {
    let markers = [format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->")];
    let around =
        page.split_once(&markers[0]).and_then(|(before, rest)| Some((before, rest.split_once(&markers[1])?.1)));
    let (before, after) = around.ok_or_else(|| Failure::new(format!("a page has no place for the {name}")))?;
    Ok(format!("{before}{}{table}{}{after}", markers[0], markers[1]))
}

/// The options of a key as a table, each role followed by the options in its parentheses.
fn options_table() -> String {
    let mut table = "| option | meaning |\n|---|---|\n".to_owned();
    for text in option_texts() {
        let _ = writeln!(table, "| {} | {} |", shown(&text), text.meaning);
    }
    table
}

/// The lints as a table.
fn lints_table() -> String {
    let mut table = "| lint | flags | instead |\n|---|---|---|\n".to_owned();
    for lint in Lint::ALL {
        let LintPage { flags, instead, .. } = lint.page();
        let off = if lint.default_level() == Level::Allow { "off by default: " } else { "" };
        let _ = writeln!(table, "| `{lint}` | {off}{flags} | {instead} |");
    }
    table
}

/// How an option is written, within its role.
fn shown(text: &OptionText) -> String {
    let inside = text.forms.trim_matches('`');
    match text.role {
        None => text.forms.to_owned(),
        Some(role @ RoleName::Jobs) => format!("`{}({inside})`", role.name()),
        Some(role) => format!("`{}(…, {inside})`", role.name()),
    }
}

/// The structs that stand for the options of a key and of its roles.
const STRUCTS: [(&str, Option<RoleName>); 5] = [
    ("KeyOptions", None),
    ("CacheOptions", Some(RoleName::Cache)),
    ("LimitOptions", Some(RoleName::Limit)),
    ("JobsOptions", Some(RoleName::Jobs)),
    ("BloomOptions", Some(RoleName::Bloom)),
];

/// The code with the meaning of each option above the field of that name in the struct of its role.
fn with_docs(code: &str, texts: &[OptionText]) -> String {
    let (mut text, mut role) = (String::new(), None);
    for line in code.lines() {
        let opened = line.strip_prefix("pub struct ").and_then(|line| line.strip_suffix(" {"));
        match opened {
            Some(opened) => role = STRUCTS.iter().find(|(name, _)| *name == opened).map(|(_, role)| *role),
            None if line == "}" => role = None,
            None => {}
        }
        let field = line.strip_prefix("    pub ").and_then(|field| field.split(':').next());
        let meaning = field.zip(role).map(|(field, role)| meaning(field, role, texts)).unwrap_or_default();
        if !meaning.is_empty() {
            // It replaces the comment that is there.
            let comment = text.lines().rev().take_while(|line| line.starts_with("    ///"));
            let documented: usize = comment.map(|line| line.len() + 1).sum();
            text.truncate(text.len() - documented);
            text.push_str(&wrapped(&meaning));
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The meaning of an option, as a sentence without links. That of an option that its role needs is the role's.
fn meaning(option: &str, role: Option<RoleName>, texts: &[OptionText]) -> String {
    let own = texts.iter().find(|text| text.name == option && text.role == role);
    let of_role = || texts.iter().find(|text| text.role.is_none() && role.is_some_and(|role| role.name() == text.name));
    let Some(text) = own.or_else(of_role) else { return String::new() };
    let sentence = format!("{}: {}.", shown(text), text.meaning);
    // The bracket of a link follows a space, that of an attribute does not.
    sentence.replace(" [", " ").replace("][stored_forms]", "").replace("][policy]", "")
}

/// A doc comment of a field, in lines of 120 characters.
fn wrapped(text: &str) -> String {
    let mut comment = String::new();
    let start = || "    ///".to_owned();
    let mut line = start();
    for word in text.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > 120 {
            comment += &(line + "\n");
            line = start();
        }
        line = line + " " + word;
    }
    comment + &line + "\n"
}

/// The rows of the README's figures: their text there, the first cell of the row in the page on performance, and of
/// that row the cell of redis-keys and the cell beside which it is put.
const FIGURES: [(&str, &str, [usize; 2]); 4] = [
    ("GET on a multiplexed connection, 64 tasks", "GET, multiplexed, 64 tasks", [1, 2]),
    ("building a GET: instructions (allocations)", "a GET, built", [1, 3]),
    ("1,000 GETs in a batch on a cluster of three primaries, beside 50 in flight", "1,000 GETs", [1, 3]),
    (
        "`cargo check` of one key without and with a policy file, beside `#[derive(Serialize)]`",
        "`cargo check` of a key beyond its struct, in a crate of 2,000, without and with a policy file",
        [1, 2],
    ),
];

/// The README's figures as the page on performance has them.
fn figures(page: &str) -> Outcome<String> {
    let mut table = "| | redis-keys | redis-rs and `format!` by hand |\n|---|---|---|\n".to_owned();
    for (text, row, cells) in FIGURES {
        let row = page.lines().find_map(|line| line.strip_prefix("| ")?.strip_prefix(row)?.strip_prefix(" |"));
        let row = row.ok_or_else(|| Failure::new(format!("{PERFORMANCE} has no row for “{text}”")))?;
        let [own, other] = cells.map(|cell| row.split('|').nth(cell - 1).unwrap_or_default().trim());
        let _ = writeln!(table, "| {text} | {own} | {other} |");
    }
    Ok(table)
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
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let y = PADDING + (index + 1) * LINE_HEIGHT - 5;
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
        for (index, part) in str::split(line, "\x1b[").enumerate() {
            let text = match part.split_once('m').filter(|_| index > 0) {
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
    use redis_keys_schema::{OptionText, RoleName};

    use super::{
        FIGURES, GUIDELINE, POLICY, Span, figures, guideline_page, lints_table, package_readme, read, styled_lines,
        with_docs, with_table,
    };

    #[test]
    fn the_guideline_page_has_the_tables_of_its_source() -> Result<(), String> {
        let page = read(GUIDELINE).map_err(|error| error.to_string())?;
        assert!(page == guideline_page().map_err(|failure| failure.to_string())?, "run `cargo xtask docs`");
        Ok(())
    }

    #[test]
    fn the_policy_page_has_the_table_of_lints() -> Result<(), String> {
        let page = read(POLICY).map_err(|error| error.to_string())?;
        let generated = with_table(&page, "lints", &lints_table()).map_err(|failure| failure.to_string())?;
        assert!(page == generated, "run `cargo xtask docs`");
        Ok(())
    }

    #[test]
    fn escape_sequences_become_styled_spans() {
        let lines = styled_lines("\x1b[1m\x1b[91merror\x1b[0m: no\n\n\x1b[38;5;12m|\x1b[0m");
        let error = Span { text: "error", bold: true, color: Some("#ff6b70") };
        let rest = Span { text: ": no", bold: false, color: None };
        assert_eq!(lines, [vec![error, rest], vec![], vec![Span { text: "|", bold: false, color: Some("#61afef") }]]);
    }

    #[test]
    fn fields_are_documented_as_the_options_of_their_role() {
        let text = |name, role, forms, meaning| OptionText { name, role, forms, meaning };
        let texts = [
            text("ttl", None, "`ttl = 1h`, `ttl = 2h`", "the [form][policy]; so"),
            text("cache", None, "`cache(null_ttl = 5m)`", "caches"),
            text("lease", Some(RoleName::Cache), "`lease = 10s`", "waits"),
        ];
        let code = "pub struct KeyOptions {\n    /// Old.\n    /// Text.\n    pub ttl: Time,\n    /// Kept.\n    pub ttl_: Time,\n}\n\
                    pub struct CacheOptions {\n    pub lease: Time,\n    pub null_ttl: Time,\n}\n\
                    pub struct Other {\n    pub ttl: Time,\n}\n";
        let new = "pub struct KeyOptions {\n    /// `ttl = 1h`, `ttl = 2h`: the form; so.\n    pub ttl: Time,\n    /// Kept.\n    pub ttl_: Time,\n}\n\
                   pub struct CacheOptions {\n    /// `cache(…, lease = 10s)`: waits.\n    pub lease: Time,\n    \
                   /// `cache(null_ttl = 5m)`: caches.\n    pub null_ttl: Time,\n}\n\
                   pub struct Other {\n    pub ttl: Time,\n}\n";
        assert_eq!(with_docs(code, &texts), new);
        assert_eq!(with_docs(new, &texts), new);
    }

    #[test]
    fn figures_are_those_of_the_page() {
        let row = |first: &str| format!("| {first} | a | b | c |\n");
        let page: String = FIGURES.iter().map(|(_, first, _)| row(first)).collect();
        let table = figures(&page).unwrap_or_default();
        assert!(table.contains("| building a GET: instructions (allocations) | a | c |\n"), "{table}");
        assert!(figures("").is_err());
    }

    #[test]
    fn relative_links_start_in_the_folder_of_the_package() {
        let readme = "[a](redis-keys/docs/a.md), [b](LICENSE), ![c](redis-keys/c.svg), [d](https://x.y), [e](#f), f](g";
        let package = "[a](docs/a.md), [b](../LICENSE), ![c](c.svg), [d](https://x.y), [e](#f), f](../g";
        assert_eq!(package_readme(readme), package);
    }
}
