//! The Chinese pages, compared with the English ones: headings, code, links, and the numbers in tables. The indexes of the
//! guide, compared with each other.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[derive(Default)]
struct Page {
    /// The signs of the headings, and the lines of code blocks, with their fences.
    outline: Vec<String>,
    anchors: Vec<String>,
    code: Vec<String>,
    links: Vec<String>,
    /// The sorted numbers of each table row, without its first cell, which can spell them differently.
    numbers: Vec<String>,
}

fn read(path: &Path) -> Page {
    let text = fs::read_to_string(path).unwrap();
    let definitions: BTreeMap<_, _> = text.split('\n').filter_map(definition).collect();
    let (mut page, mut is_code) = (Page::default(), false);
    for line in text.split('\n').filter(|line| definition(line).is_none()) {
        let is_fence = line.starts_with("```");
        if is_fence || is_code {
            page.outline.push(line.to_owned());
            is_code ^= is_fence;
            continue;
        }
        let title = line.trim_start_matches('#');
        if title.len() < line.len() {
            let kept = title.trim().chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
            page.anchors.push(format!("#{}", kept.collect::<String>().to_lowercase().replace(' ', "-")));
            page.outline.push(line.replace(title, ""));
        }
        page.code.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        for pair in line.split(']').collect::<Vec<_>>().windows(2) {
            let inline = pair[1].strip_prefix('(').and_then(|after| after.split(')').next());
            let by_label = || definitions.get(pair[0].rsplit('[').next()?).filter(|_| !pair[1].starts_with('['));
            page.links.extend(inline.or_else(|| by_label().copied()).map(str::to_owned));
        }
        if let Some((_, cells)) = line.strip_prefix("| ").and_then(|row| row.split_once('|')) {
            let plain = cells.replace(',', "");
            let mut numbers: Vec<_> = plain.split(|sign: char| !sign.is_ascii_digit()).collect();
            numbers.sort_unstable();
            page.numbers.push(numbers.join(" ").trim().to_owned());
        }
    }
    page.code.sort();
    page
}

fn definition(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix('[')?.split_once("]: ")
}

#[test]
fn chinese_pages_match_the_english_ones() {
    for name in ["README.md", "redis-keys/docs/guide/guideline.md"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        let (mut english, chinese) = (read(&path), read(&path.with_extension("zh-CN.md")));
        for link in &mut english.links {
            // To the same section; from the first line to the other language; and to the Chinese page if there is one.
            if let Some(index) = english.anchors.iter().position(|anchor| anchor == link) {
                link.clone_from(&chinese.anchors[index]);
            } else if link.ends_with(".zh-CN.md") {
                *link = link.replace(".zh-CN.md", ".md");
            } else if path.with_file_name(&link).with_extension("zh-CN.md").exists() {
                *link = link.replace(".md", ".zh-CN.md");
            }
        }
        let parts = |page: Page| [page.outline, page.links, page.code, page.numbers];
        for (english, chinese) in parts(english).iter().zip(&parts(chinese)) {
            let difference = chinese.iter().zip(english).find(|(chinese, english)| chinese != english);
            assert!(difference.is_none() && chinese.len() == english.len(), "{name}: {difference:?}");
        }
    }
}

/// The index of the guide, in the order that README and the index for programs follow.
#[test]
fn every_index_has_the_pages_of_the_guide_in_one_order() {
    let text = |name| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).unwrap();
    let (guide, programs, readme) = (text("redis-keys/src/guide.rs"), text("llms.txt"), text("README.md"));
    let pages: Vec<_> = guide
        .lines()
        .filter_map(|line| {
            let (title, rest) = line.strip_prefix("//! | [")?.strip_suffix(" |")?.split_once("](")?;
            let (page, about) = rest.split_once(") | ")?;
            Some((title, page, about))
        })
        .collect();
    assert!(pages.len() > 20);

    let of_programs: Vec<_> = programs.lines().filter(|line| line.contains("/guide/")).collect();
    let line = |(title, page, about): &(&str, &str, &str)| {
        format!("- [{title}](https://docs.rs/redis-keys/latest/redis_keys/guide/{page}/index.html): {about}")
    };
    assert_eq!(of_programs, pages.iter().map(line).collect::<Vec<_>>());

    let (_, index) = readme.split_once("## Where to go next").unwrap();
    let links = index.split("](redis-keys/docs/guide/").skip(1).map(|rest| rest.split(')').next().unwrap());
    let of_readme: Vec<_> = links.map(|link| link.trim_end_matches(".md").trim_end_matches("/README")).collect();
    assert_eq!(of_readme, pages.iter().map(|(_, page, _)| *page).collect::<Vec<_>>());
}
