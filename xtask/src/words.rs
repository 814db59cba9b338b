//! `cargo xtask words`: how often the prose has some wordings, beside eight crates whose documentation is easy to read.
//!
//! It checks nothing. The figures of the models are those of tokio, axum, moka, sqlx, redis-rs, serde, jiff and cargo-deny
//! together.

use std::fs;

use crate::run::{Failure, Outcome, program, root};

/// A wording, as one of several words at each place, and how often the models have it in 1,000 words.
struct Wording {
    title: &'static str,
    words: &'static [&'static [&'static str]],
    in_models: f64,
}

const WORDINGS: [Wording; 12] = [
    Wording { title: "that of, those of", words: &[&["that", "those"], &["of"]], in_models: 0.02 },
    Wording { title: "of its own, of their own", words: &[&["of"], &["its", "their"], &["own"]], in_models: 0.01 },
    Wording {
        title: "the one of, that, which",
        words: &[&["the"], &["one", "ones"], &["of", "that", "which"]],
        in_models: 0.002,
    },
    Wording { title: "what", words: &[&["what"]], in_models: 0.58 },
    Wording { title: "of it, of them", words: &[&["of"], &["it", "them"]], in_models: 0.11 },
    Wording { title: "one", words: &[&["one"]], in_models: 2.7 },
    Wording { title: "of", words: &[&["of"]], in_models: 18.0 },
    Wording { title: "neither, nor", words: &[&["neither", "nor"]], in_models: 0.1 },
    Wording { title: "for example", words: &[&["for"], &["example"]], in_models: 0.95 },
    Wording { title: "because", words: &[&["because"]], in_models: 1.0 },
    Wording { title: "however", words: &[&["however"]], in_models: 0.6 },
    Wording { title: "you, your", words: &[&["you", "your"]], in_models: 4.8 },
];

/// Prints the table.
pub(crate) fn print() -> Outcome {
    let guide = words_of(&["README.md", "redis-keys/docs/guide/*.md"], prose_of_markdown)?;
    let rustdoc =
        words_of(&["redis-keys*/src/*.rs", "cargo-redis-keys/src/*.rs"], |file| comments(file, &["//!", "///"]))?;
    let comments = words_of(&["redis-keys*/src/*.rs", "cargo-redis-keys/src/*.rs"], |file| comments(file, &["// "]))?;
    let texts = [guide, rustdoc, comments];
    println!("| in 1,000 words | guide, README | x | rustdoc | x | comments | x | models |");
    println!("|---|---|---|---|---|---|---|---|");
    for wording in &WORDINGS {
        let cells = texts.iter().map(|text| {
            let share = wording.per_thousand(text);
            format!("{share:.2} | {:.1}", share / wording.in_models)
        });
        println!("| {} | {} | {} |", wording.title, cells.collect::<Vec<_>>().join(" | "), wording.in_models);
    }
    let counts = texts.each_ref().map(|text| text.len().to_string());
    println!("| words | {} | | {} | | {} | | |", counts[0], counts[1], counts[2]);
    Ok(())
}

impl Wording {
    #[allow(clippy::cast_precision_loss, reason = "a share needs few digits")]
    fn per_thousand(&self, text: &[String]) -> f64 {
        let fits = |window: &&[String]| window.iter().zip(self.words).all(|(word, any)| any.contains(&word.as_str()));
        let count = text.windows(self.words.len()).filter(fits).count();
        count as f64 * 1_000.0 / text.len().max(1) as f64
    }
}

/// The words of files of the repository.
fn words_of(patterns: &[&str], prose: impl Fn(&str) -> String) -> Outcome<Vec<String>> {
    let output = program("git").args(["ls-files", "-z"]).args(patterns).output()?;
    if !output.status.success() {
        return Err(Failure::new("failed: git ls-files"));
    }
    let mut words = Vec::new();
    let is_prose = |name: &&str| !name.contains("tests") && !name.ends_with(".zh-CN.md");
    for name in String::from_utf8_lossy(&output.stdout).split_terminator('\0').filter(is_prose) {
        let text = without_code(&prose(&fs::read_to_string(root().join(name))?));
        let is_word = |c: char| c.is_alphabetic() || c == '\'';
        words.extend(text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).map(str::to_lowercase));
    }
    Ok(words)
}

/// Markdown without the targets of links.
fn prose_of_markdown(file: &str) -> String {
    let is_definition = |line: &&str| !(line.starts_with('[') && line.contains("]: "));
    file.lines().filter(is_definition).collect::<Vec<_>>().join("\n")
}

/// The lines of a source file that begin with one of these marks.
fn comments(file: &str, marks: &[&str]) -> String {
    let of = |line: &'_ str| marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark)).map(str::to_owned);
    file.lines().filter_map(of).collect::<Vec<_>>().join("\n")
}

/// A text without blocks of code, code in a line, and the targets of links.
fn without_code(text: &str) -> String {
    let mut is_code = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let outside: Vec<_> = line.split('`').step_by(2).collect();
            let mut parts = outside.join(" x ");
            while let Some((before, after)) = parts.split_once("](") {
                parts = format!("{before} {}", after.split_once(')').map_or("", |(_, rest)| rest));
            }
            prose.push_str(&parts);
            prose.push('\n');
        }
    }
    prose
}
