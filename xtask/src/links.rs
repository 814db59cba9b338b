//! `cargo xtask links`: follows the links and pictures of the documentation, as far as they lead to this repository.
//!
//! The same text is read in two places: rustdoc renders README and guide for docs.rs, where [`rendered`] follows them,
//! and the repository shows the Markdown itself, for [`markdown`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::paths;
use crate::run::{Failure, Outcome, program, root, target};

/// The addresses of the repository's files, as pages and as they are.
const REPOSITORY: [&str; 3] = [
    "https://github.com/redis-keys/redis-keys/blob/main/",
    "https://github.com/redis-keys/redis-keys/tree/main/",
    "https://raw.githubusercontent.com/redis-keys/redis-keys/main/",
];

/// Elements that a picture contains only if Markdown has read it as text.
const MADE_BY_MARKDOWN: [&str; 4] = ["p", "code", "em", "strong"];

/// Renders the documentation, and follows all links.
pub(crate) fn check() -> Outcome {
    paths::rustdoc()?;
    rendered()?;
    markdown()
}

/// Fails if a link or a picture of the pages that rustdoc has written leads nowhere.
pub(crate) fn rendered() -> Outcome {
    let folder = target().join("doc");
    let mut pages = Vec::new();
    add_pages(&folder, &mut pages)?;
    let mut checker = Checker::default();
    for page in &pages {
        let Page { links, faults, .. } = html(&fs::read_to_string(page)?);
        let name = page.strip_prefix(&folder).unwrap_or(page).display().to_string();
        checker.faults.extend(faults.into_iter().map(|fault| format!("{name}: {fault}")));
        checker.follow(&name, page, &links);
    }
    checker.report("the pages of rustdoc")
}

/// Fails if a link or a picture of a Markdown file of the repository leads nowhere.
pub(crate) fn markdown() -> Outcome {
    let output = program("git").args(["ls-files", "-z", "*.md"]).output()?;
    if !output.status.success() {
        return Err(Failure::new("failed: git ls-files"));
    }
    let mut checker = Checker::default();
    let names = String::from_utf8_lossy(&output.stdout);
    for name in names.split_terminator('\0').filter(|name| !is_part_of_a_page(name)) {
        let path = root().join(name);
        let Page { links, faults, .. } = page_of_markdown(&fs::read_to_string(&path)?);
        checker.faults.extend(faults.into_iter().map(|fault| format!("{name}: {fault}")));
        checker.follow(name, &path, &links);
    }
    checker.report("the Markdown files")
}

/// Returns whether a file is included in other pages, which have its definitions, or is the expected output of a test.
fn is_part_of_a_page(name: &str) -> bool {
    name.contains("/src/") || name.contains("/tests/") || name.ends_with("/options.md")
}

/// Adds the pages of a folder, except sources and other pages that have no text of ours.
fn add_pages(folder: &Path, pages: &mut Vec<PathBuf>) -> Outcome {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_made_by_rustdoc =
            ["src", "static.files", "help.html", "settings.html"].iter().any(|name| path.ends_with(name));
        if is_made_by_rustdoc {
            continue;
        }
        if path.is_dir() {
            add_pages(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "html") {
            pages.push(path);
        }
    }
    pages.sort();
    Ok(())
}

/// Where a page leads to, and where others can lead to in it.
#[derive(Debug, Default)]
struct Page {
    links: BTreeSet<String>,
    anchors: BTreeSet<String>,
    faults: Vec<String>,
}

/// Follows links, and reads each page that they lead to once.
#[derive(Default)]
struct Checker {
    anchors: BTreeMap<PathBuf, BTreeSet<String>>,
    faults: Vec<String>,
    followed: usize,
}

impl Checker {
    fn follow(&mut self, name: &str, page: &Path, links: &BTreeSet<String>) {
        for link in links {
            self.followed += 1;
            if !self.leads_somewhere(page, link) {
                self.faults.push(format!("{name}: {link}"));
            }
        }
    }

    fn leads_somewhere(&mut self, page: &Path, link: &str) -> bool {
        let (address, fragment) = link.split_once('#').unwrap_or((link, ""));
        let address = address.split('?').next().unwrap_or_default();
        // Links in the documentation of other crates' traits. Rustdoc itself rejects such links of ours.
        if address.contains("::") {
            return true;
        }
        let file = if let Some(path) = REPOSITORY.iter().find_map(|start| address.strip_prefix(start)) {
            root().join(path)
        } else if address.contains("://") || address.starts_with("mailto:") {
            return true;
        } else if address.is_empty() {
            page.to_owned()
        } else {
            page.parent().unwrap_or(page).join(address)
        };
        let file = without_parents(&file);
        if !file.exists() {
            return false;
        }
        fragment.is_empty() || self.has_anchor(&file, fragment)
    }

    /// Returns whether a page has an anchor. Lines of sources are anchors of a script.
    fn has_anchor(&mut self, file: &Path, fragment: &str) -> bool {
        let anchors = self.anchors.entry(file.to_owned()).or_insert_with(|| {
            let text = fs::read_to_string(file).unwrap_or_default();
            match file.extension().and_then(|extension| extension.to_str()) {
                Some("html") => html(&text).anchors,
                Some("md") => page_of_markdown(&text).anchors,
                _ => BTreeSet::new(),
            }
        });
        anchors.contains(fragment) || fragment.starts_with(|first: char| first.is_ascii_digit())
    }

    fn report(self, what: &str) -> Outcome {
        if self.faults.is_empty() {
            println!("{} links of {what} lead somewhere", self.followed);
            return Ok(());
        }
        let faults = self.faults.join("\n");
        Err(Failure::new(format!("links, pictures or definitions of {what} that lead nowhere:\n\n{faults}")))
    }
}

/// The path without `..`, of which a server leaves nothing either.
fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            component => plain.push(component),
        }
    }
    plain
}

/// Reads a page that rustdoc has written.
fn html(text: &str) -> Page {
    let mut page = Page::default();
    // Blanket implementations have the documentation of other crates.
    let mut is_of_others = false;
    // Elements in which brackets are no links: code, and what a browser does not show.
    let mut code = 0_usize;
    let mut is_in_picture = false;
    for part in text.split('<').skip(1) {
        let (tag, shown) = part.split_once('>').unwrap_or((part, ""));
        let name = tag.split([' ', '\n', '/']).find(|name| !name.is_empty()).unwrap_or_default();
        match (name, tag.starts_with('/')) {
            ("code" | "pre" | "script" | "style", false) => code += 1,
            ("code" | "pre" | "script" | "style", true) => code = code.saturating_sub(1),
            ("svg", is_end) => is_in_picture = !is_end,
            _ => {}
        }
        if is_in_picture && MADE_BY_MARKDOWN.contains(&name) {
            page.faults.push(format!("a picture has `<{name}>`: is the line above it empty?"));
            is_in_picture = false;
        }
        let anchor = attribute(tag, "id");
        is_of_others |= anchor.as_deref() == Some("blanket-implementations");
        if name != "script" && !is_of_others {
            page.links.extend(["href", "src"].iter().filter_map(|name| attribute(tag, name)));
        }
        page.anchors.extend(anchor);
        if code == 0 && shown.contains("][") {
            page.faults.push(format!("no definition: {}", shown.trim()));
        }
    }
    page
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(rest.split('"').next()?.replace("&amp;", "&"))
}

/// Reads a Markdown file as GitHub shows it.
fn page_of_markdown(text: &str) -> Page {
    let mut page = Page::default();
    let (mut used, mut defined) = (BTreeSet::new(), BTreeSet::new());
    let mut fence = None;
    for line in text.lines() {
        let start = line.trim_start();
        let fence_of_line = ["```", "~~~"].into_iter().find(|fence| start.starts_with(fence));
        if fence_of_line.is_some() && (fence.is_none() || fence == fence_of_line) {
            fence = if fence.is_some() { None } else { fence_of_line };
            continue;
        }
        if fence.is_some() {
            continue;
        }
        if let Some(title) = line.strip_prefix('#') {
            add_anchor(title.trim_start_matches('#').trim(), &mut page.anchors);
        }
        page.anchors.extend(line.split('<').filter_map(|tag| attribute(tag, "id")));
        page.links.extend(line.split('<').flat_map(|tag| ["src", "href"].map(|name| attribute(tag, name))).flatten());
        let line = without_code(line);
        if let Some((label, address)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")) {
            defined.insert(label.to_lowercase());
            page.links.extend(address.split_whitespace().next().map(str::to_owned));
            continue;
        }
        for after in line.split("](").skip(1) {
            page.links.extend(after.split([')', ' ']).next().map(str::to_owned));
        }
        for after in line.split("][").skip(1) {
            used.extend(after.split(']').next().map(str::to_lowercase));
        }
    }
    page.faults.extend(used.difference(&defined).map(|label| format!("no definition of [{label}]")));
    page
}

/// The line without what stands in backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// Adds the anchor that GitHub gives a heading.
fn add_anchor(title: &str, anchors: &mut BTreeSet<String>) {
    let shown = title.replace('`', "");
    let kept = shown.chars().filter(|sign| sign.is_alphanumeric() || [' ', '-', '_'].contains(sign));
    let anchor: String = kept.collect::<String>().to_lowercase().replace(' ', "-");
    let numbered = (1..).map(|number| format!("{anchor}-{number}"));
    let free = std::iter::once(anchor.clone()).chain(numbered).find(|anchor| !anchors.contains(anchor));
    anchors.extend(free);
}

#[cfg(test)]
mod tests {
    use super::{html, page_of_markdown};

    #[test]
    fn links_pictures_and_anchors_of_a_page_are_found() {
        let page =
            html(r#"<h2 id="a"><a class="b" href="c.html#d">e</a></h2><img alt="f" src="g.png"><code>x][y</code>"#);
        assert_eq!(page.links.iter().map(String::as_str).collect::<Vec<_>>(), ["c.html#d", "g.png"]);
        assert!(page.anchors.contains("a"));
        assert!(page.faults.is_empty(), "{:?}", page.faults);
    }

    #[test]
    fn a_reference_without_definition_and_a_broken_picture_are_faults() {
        assert_eq!(html("<p>as [text][label] says</p>").faults, ["no definition: as [text][label] says"]);
        let broken = html("<svg><text>: <code>a</code></text></svg>").faults;
        assert_eq!(broken, ["a picture has `<code>`: is the line above it empty?"]);
        assert_eq!(page_of_markdown("a [b][c]\n").faults, ["no definition of [c]"]);
        assert!(page_of_markdown("a [b][c], `[d][e]`\n\n[c]: d.md\n").faults.is_empty());
    }

    #[test]
    fn headings_of_markdown_are_anchors_as_github_names_them() {
        let page =
            page_of_markdown("# `Cache` and *others*, two\n```text\n# no\n```\n## Twice\n## Twice\n[a](b.md#c)\n");
        assert_eq!(
            page.anchors.iter().map(String::as_str).collect::<Vec<_>>(),
            ["cache-and-others-two", "twice", "twice-1"]
        );
        assert_eq!(page.links.iter().map(String::as_str).collect::<Vec<_>>(), ["b.md#c"]);
    }
}
