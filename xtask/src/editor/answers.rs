//! The answers of rust-analyzer, as the marks write them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, uri};
use super::marks::Mark;
use crate::run::{Failure, Outcome};

/// Asks questions about a source.
pub(super) struct Answers<'c> {
    client: &'c mut Client,
    path: &'c Path,
    lines: Vec<&'c str>,
    /// The parameter of all questions.
    document: Value,
    tokens: Vec<Token>,
}

/// A token with the type by which it is highlighted.
struct Token {
    line: u64,
    start: u64,
    end: u64,
    name: String,
}

impl<'c> Answers<'c> {
    /// Opens the source, as an editor does.
    pub(super) fn open(client: &'c mut Client, path: &'c Path, text: &'c str) -> Outcome<Self> {
        let document = json!({ "uri": uri(path) });
        let opened = json!({ "uri": uri(path), "languageId": "rust", "version": 1, "text": text });
        client.notify("textDocument/didOpen", &json!({ "textDocument": opened }))?;
        let tokens = client.request("textDocument/semanticTokens/full", &json!({ "textDocument": document }))?;
        let tokens = tokens_of(&tokens, &client.token_types);
        Ok(Self { client, path, lines: text.lines().collect(), document, tokens })
    }

    /// Returns where the answers differ from the marks.
    pub(super) fn differences(&mut self, marks: &[Mark]) -> Outcome<Vec<String>> {
        let mut wrong = self.diagnostics(marks)?;
        for mark in marks {
            let mut questions: Vec<_> = mark.expected.iter().map(|(question, _)| question.as_str()).collect();
            questions.dedup();
            for question in questions {
                if let Some(difference) = self.difference(mark, question)? {
                    let (path, line, column) = (self.path.display(), mark.line + 1, mark.start + 1);
                    wrong.push(format!("\n{path}:{line}:{column}: {question}\n{difference}"));
                }
            }
        }
        Ok(wrong)
    }

    /// Asks about a mark.
    fn difference(&mut self, mark: &Mark, question: &str) -> Outcome<Option<String>> {
        let expected = mark.answers(question);
        if let Some(name) = question.strip_prefix("rename ") {
            return Ok(different(&expected, &self.renamed(mark, name)));
        }
        Ok(match question {
            "diagnostic" => None,
            "definition" => different(&expected, &self.definitions(mark)?),
            "references" => different(&expected, &self.references(mark)?),
            "token" => different(&expected, &[self.token(mark)]),
            "hover" => {
                let hover = self.hover(mark)?;
                let missing = expected.iter().any(|text| !hover.contains(text));
                missing.then(|| differing(&expected, &hover))
            }
            "hover without" => {
                let hover = self.hover(mark)?;
                expected.iter().any(|text| hover.contains(text)).then(|| differing(&expected, &hover))
            }
            "completion" | "completion without" => {
                let labels = self.completions(mark)?;
                let listed = expected.iter().flat_map(|labels| labels.split(", "));
                let wrong =
                    listed.filter(|label| labels.iter().any(|offered| offered == label) != (question == "completion"));
                let wrong: Vec<_> = wrong.collect();
                (!wrong.is_empty()).then(|| differing(&wrong, &labels.join(", ")))
            }
            _ => return Err(Failure::new(format!("unknown question `{question}`"))),
        })
    }

    fn ask(&mut self, method: &str, mark: &Mark, more: &Value) -> Outcome<Value> {
        let mut params = json!({
            "textDocument": self.document,
            "position": { "line": mark.line, "character": mark.start },
        });
        if let (Some(params), Some(more)) = (params.as_object_mut(), more.as_object()) {
            params.extend(more.clone());
        }
        self.client.request(method, &params)
    }

    /// The lines of the definitions.
    fn definitions(&mut self, mark: &Mark) -> Outcome<Vec<String>> {
        let found = self.ask("textDocument/definition", mark, &Value::Null)?;
        let places = found.as_array().into_iter().flatten();
        sorted(places.map(|place| self.line(&place["targetUri"], &place["targetSelectionRange"])))
    }

    /// The lines of the references.
    fn references(&mut self, mark: &Mark) -> Outcome<Vec<String>> {
        let context = json!({ "context": { "includeDeclaration": true } });
        let found = self.ask("textDocument/references", mark, &context)?;
        let places = found.as_array().into_iter().flatten();
        sorted(places.map(|place| self.line(&place["uri"], &place["range"])))
    }

    /// The lines that a new name changes.
    fn renamed(&mut self, mark: &Mark, name: &str) -> Vec<String> {
        let found = match self.ask("textDocument/rename", mark, &json!({ "newName": name })) {
            Ok(found) => found,
            Err(failure) => return vec![failure.to_string()],
        };
        let edits =
            found["documentChanges"].as_array().into_iter().flatten().filter_map(|file| file["edits"].as_array());
        let mut lines = BTreeMap::<usize, Vec<&Value>>::new();
        for edit in edits.flatten() {
            lines.entry(number(&edit["range"]["start"]["line"])).or_default().push(edit);
        }
        lines.into_iter().map(|(line, edits)| self.edited(line, edits)).collect()
    }

    /// A line after edits.
    fn edited(&self, line: usize, mut edits: Vec<&Value>) -> String {
        let mut text: Vec<_> = self.lines.get(line).copied().unwrap_or_default().chars().collect();
        // The last one first, so that the places of the others stay as they are.
        edits.sort_by_key(|edit| Reverse(number(&edit["range"]["start"]["character"])));
        for edit in edits {
            let [start, end] = ["start", "end"].map(|edge| number(&edit["range"][edge]["character"]).min(text.len()));
            text.splice(start..end.max(start), edit["newText"].as_str().unwrap_or_default().chars());
        }
        text.into_iter().collect::<String>().trim().to_owned()
    }

    fn hover(&mut self, mark: &Mark) -> Outcome<String> {
        let found = self.ask("textDocument/hover", mark, &Value::Null)?;
        Ok(found["contents"]["value"].as_str().map_or_else(|| "none".to_owned(), in_one_line))
    }

    fn completions(&mut self, mark: &Mark) -> Outcome<Vec<String>> {
        let found = self.ask("textDocument/completion", mark, &Value::Null)?;
        let items = found["items"].as_array().or(found.as_array()).into_iter().flatten();
        // Without aliases: `Vec(alias list, vector)`.
        Ok(items.filter_map(|item| Some(item["label"].as_str()?.split('(').next()?.to_owned())).collect())
    }

    fn token(&self, mark: &Mark) -> String {
        let place = (mark.line as u64, mark.start as u64, mark.end as u64);
        let found = self.tokens.iter().find(|token| (token.line, token.start, token.end) == place);
        found.map_or_else(|| "none".to_owned(), |token| token.name.clone())
    }

    /// The diagnostics without a mark, and the marks without a diagnostic.
    fn diagnostics(&mut self, marks: &[Mark]) -> Outcome<Vec<String>> {
        let found = self.client.request("textDocument/diagnostic", &json!({ "textDocument": self.document }))?;
        let mut expected: Vec<_> = marks
            .iter()
            .flat_map(|mark| mark.answers("diagnostic").into_iter().map(move |text| (mark, text)))
            .collect();
        let mut wrong = Vec::new();
        for diagnostic in found["items"].as_array().into_iter().flatten() {
            let (start, end) = (&diagnostic["range"]["start"], &diagnostic["range"]["end"]);
            let [line, start, last, end] =
                [&start["line"], &start["character"], &end["line"], &end["character"]].map(number);
            let message = in_one_line(diagnostic["message"].as_str().unwrap_or_default());
            let known = expected.iter().position(|(mark, text)| {
                (mark.line, mark.start, mark.line, mark.end) == (line, start, last, end) && message.contains(text)
            });
            match known {
                Some(known) => drop(expected.remove(known)),
                None => wrong.push(format!(
                    "\n{}:{}:{}: a diagnostic without a mark, up to {}:{}\n{message}",
                    self.path.display(),
                    line + 1,
                    start + 1,
                    last + 1,
                    end + 1
                )),
            }
        }
        wrong.extend(expected.into_iter().map(|(mark, text)| {
            format!("\n{}:{}:{}: no diagnostic\n{text}", self.path.display(), mark.line + 1, mark.start + 1)
        }));
        Ok(wrong)
    }

    /// The text of a line of a file.
    fn line(&self, uri: &Value, range: &Value) -> Outcome<String> {
        let path = uri.as_str().and_then(|uri| uri.strip_prefix("file://")).unwrap_or_default();
        let at = number(&range["start"]["line"]);
        if Path::new(path) == self.path {
            return Ok(self.lines.get(at).copied().unwrap_or_default().trim().to_owned());
        }
        let text = fs::read_to_string(path)?;
        Ok(text.lines().nth(at).unwrap_or_default().trim().to_owned())
    }
}

/// Tokens are sent as five numbers each, their places as distances from the one before.
fn tokens_of(answer: &Value, names: &[String]) -> Vec<Token> {
    let numbers: Vec<_> = answer["data"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let (mut line, mut start) = (0, 0);
    let (tokens, _) = numbers.as_chunks::<5>();
    let token = |[lines, columns, length, name, _]: &[u64; 5]| {
        line += lines;
        start = if *lines == 0 { start + columns } else { *columns };
        let name = usize::try_from(*name).ok().and_then(|name| names.get(name)).cloned().unwrap_or_default();
        Token { line, start, end: start + length, name }
    };
    tokens.iter().map(token).collect()
}

fn number(value: &Value) -> usize {
    value.as_u64().and_then(|number| number.try_into().ok()).unwrap_or_default()
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn sorted(lines: impl Iterator<Item = Outcome<String>>) -> Outcome<Vec<String>> {
    let mut lines = lines.collect::<Outcome<Vec<_>>>()?;
    lines.sort();
    Ok(lines)
}

/// Whether answers are not exactly the expected ones, in any order.
fn different(expected: &[&str], found: &[String]) -> Option<String> {
    let (mut sorted_expected, mut sorted_found) = (expected.to_vec(), found.to_vec());
    sorted_expected.sort_unstable();
    sorted_found.sort_unstable();
    let is_none = expected == ["none"] && found.is_empty();
    let equal = sorted_expected.iter().copied().eq(sorted_found.iter().map(String::as_str));
    (!is_none && !equal).then(|| differing(expected, &found.join("\n          ")))
}

fn differing(expected: &[&str], found: &str) -> String {
    format!("expected: {}\nfound:    {found}", expected.join("\n          "))
}
