//! The tool reports what the derives report: the same messages at the same places.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, thread};

use redis_keys_schema::{Level, Place};
use redis_keys_syntax::{Input, Siblings};

use super::read_file;
use crate::declare::sources::{Declaration, DeclarationKind};

/// A message with its help, and the line, the column and the length of what is underlined.
type ReportedMessage = (String, usize, usize, Option<usize>);

/// A message, into which a part of a literal is drawn.
type Message<'m> = &'m dyn Fn(Option<(&str, Range<usize>)>) -> String;

/// The messages that the tool has for a file, and whether some of it was not read.
fn reported(root: &Path, file: &str) -> (Vec<ReportedMessage>, bool) {
    let read = read_file(root, file);
    let mut siblings = Siblings::default();
    let mut reported = Vec::new();
    for declaration in &read.declarations {
        let mut report = |input: &Input<'_>, place: &Place, message: Message<'_>| {
            let underline = input.underline(place);
            let mut tokens = underline.tokens.into_iter().map(|token| token.span().byte_range());
            let first = tokens.next().unwrap();
            let whole = first.start..tokens.last().unwrap_or(first).end;
            let message = message(underline.literal);
            check_drawing(declaration, &message, &whole, &declaration.range_of(input, place));
            let (line, column) = declaration.file.position(whole.start);
            let text = &declaration.file.text[whole];
            // The compiler draws two carets for a wide letter.
            let is_one_line_of_ascii = text.is_ascii() && !text.contains('\n');
            reported.push((message, line, column, is_one_line_of_ascii.then_some(text.len())));
        };
        let mut diagnostics = |input: &Input<'_>, diagnostics: &redis_keys_schema::Diagnostics| {
            for error in diagnostics.iter() {
                report(input, &error.place, &|literal| match literal {
                    Some((text, literal)) => error.clone().drawn(text, literal).to_string(),
                    None => error.to_string(),
                });
            }
        };
        let (input, warnings) = match declaration.kind {
            DeclarationKind::Record => {
                let read = declaration.read_record();
                diagnostics(&read.input, &read.diagnostics);
                (read.input, read.warnings)
            }
            DeclarationKind::Segment => {
                let read = declaration.read_segment();
                diagnostics(&read.input, &read.diagnostics);
                (read.input, Vec::new())
            }
            DeclarationKind::Key => {
                let mut read = declaration.read_key();
                diagnostics(&read.input, &read.diagnostics);
                let identity = declaration.identity();
                read.warnings.extend(read.sibling.as_ref().and_then(|sibling| siblings.check(sibling, identity)));
                (read.input, read.warnings)
            }
        };
        let is_reported = |level| level == Level::Deny || level == Level::Warn && !declaration.is_silenced;
        for warning in warnings.iter().filter(|warning| is_reported(warning.level)) {
            report(&input, &warning.place, &|literal| match literal {
                Some((text, literal)) => warning.clone().drawn(text, literal).to_string(),
                None => warning.to_string(),
            });
        }
    }
    (reported, !read.unread.is_empty())
}

/// The part of a literal that the tool underlines is the part that the derive draws into its message.
fn check_drawing(declaration: &Declaration, message: &str, whole: &Range<usize>, inside: &Range<usize>) {
    let Some(carets) = message.lines().nth(2).filter(|line| line.trim_start().starts_with('^')) else {
        return assert_eq!(whole, inside, "{message}");
    };
    let indent = carets.chars().filter(|sign| *sign == ' ').count() - 4;
    let text = |range: Range<usize>| declaration.file.text.get(range).unwrap().chars().count();
    assert_eq!(text(whole.start..inside.start), indent, "{message}");
    assert_eq!(text(inside.clone()).max(1), carets.chars().filter(|sign| *sign == '^').count(), "{message}");
}

/// The messages of the derives in the expected output of the compiler.
fn expected(output: &str) -> Vec<ReportedMessage> {
    let mut found = Vec::new();
    for block in format!("\n{output}").split("\n\n").flat_map(|block| block.split("\nerror: ")) {
        let block = block.trim_start_matches('\n').trim_start_matches("error: ");
        let (block, indent) = match block.strip_prefix("warning: use of deprecated macro `") {
            Some(rest) => (rest.split_once("`: ").unwrap().1, "         "),
            // Denied by an attribute of the crate.
            None => match block.strip_prefix("use of deprecated macro `") {
                Some(rest) => (rest.split_once("`: ").unwrap().1, "       "),
                None => (block, "       "),
            },
        };
        let Some((message, rest)) = block.split_once("--> ") else { continue };
        // Constants that the compiler evaluates are not checked by the derive. The policy file is checked apart, and
        // declarations are compared apart.
        let apart = [
            "error[E0080]",
            "rule: policy\n",
            "lint: misspelt_module\n",
            "a key of this declaration can be one of",
            "a key of this template can be one of",
        ];
        if apart.iter().any(|part| message.contains(part)) {
            continue;
        }
        let message: Vec<_> = message.lines().collect();
        if !message
            .iter()
            .any(|line| line.trim_start().starts_with("rule: ") || line.trim_start().starts_with("lint: "))
        {
            continue;
        }
        let unindented = message.iter().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let unindented: Vec<_> = unindented
            .map(|(index, line)| if index == 0 { line } else { line.strip_prefix(indent).unwrap() })
            .collect();
        let mut place = rest.lines().next().unwrap().rsplit(':').map(|number| number.parse::<usize>().unwrap_or(0));
        let (column, line) = (place.next().unwrap(), place.next().unwrap());
        let carets = rest.lines().skip(1).find_map(|line| {
            let after = line.trim_start().strip_prefix('|')?.trim_start();
            let carets = after.chars().take_while(|sign| *sign == '^').count();
            (carets > 0).then_some(carets)
        });
        let is_ascii = rest.lines().skip(1).take_while(|line| !line.contains('^')).all(str::is_ascii);
        let carets = carets.filter(|_| is_ascii && !rest.contains("_^"));
        found.push((unindented.join("\n"), line, column, carets));
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Returns the differences between the reports of the tool and the compiler, and the number of messages compared.
fn compare(root: &Path, case: &Path, output: &Path) -> (Vec<String>, usize) {
    let name = case.strip_prefix(root).unwrap().to_str().unwrap();
    let (mut reported, has_unread) = reported(root, name);
    let mut expected = expected(&fs::read_to_string(output).unwrap_or_default());
    reported.sort();
    reported.dedup();
    expected.sort();
    expected.dedup();
    let tool = reported.iter().filter(|one| !expected.contains(one)).map(|one| format!("{name}: the tool: {one:?}"));
    // A declaration by a macro is listed as a place that was not read.
    let missing = expected.iter().filter(|one| !has_unread && !reported.contains(one));
    let differences = tool.chain(missing.map(|one| format!("{name}: the compiler: {one:?}"))).collect();
    (differences, expected.len())
}

fn assert_same(cases: impl Iterator<Item = (Vec<String>, usize)>, at_least: usize) {
    let (differences, compared): (Vec<_>, Vec<_>) = cases.unzip();
    let (differences, compared) = (differences.concat(), compared.into_iter().sum::<usize>());
    assert!(differences.is_empty(), "{} of {compared}\n{}", differences.len(), differences.join("\n"));
    assert!(compared >= at_least, "{compared}");
}

#[test]
fn the_tool_reports_what_the_derives_report() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("ui-tests");
    let files = entries(&root.join("fail")).into_iter().flat_map(|topic| entries(&topic));
    let cases = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    // The derives do not read types that are nested as deep, and the tool does.
    let (nested, cases): (Vec<_>, Vec<_>) = cases.partition(|case| case.ends_with("item/nested.rs"));
    assert_same(cases.iter().map(|case| compare(&root, case, &case.with_extension("stderr"))), 600);
    let read = move || assert!(nested.iter().all(|case| !reported(&root, case.to_str().unwrap()).0.is_empty()));
    // It has a large stack.
    thread::Builder::new().stack_size(64 << 20).spawn(read).unwrap().join().unwrap();
}

#[test]
fn the_tool_applies_the_policy_as_the_derives_do() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("ui-tests").join("policy");
    let cases = entries(&root).into_iter().filter(|case| case.join("main.rs").exists());
    assert_same(cases.map(|case| compare(&root, &case.join("main.rs"), &case.join("expected.stderr"))), 50);
}
