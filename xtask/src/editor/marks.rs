//! Marks in a source: `^^^^` in a comment below a line, under the part that rust-analyzer is asked about; then a
//! comment for each thing that it must answer.
//!
//! ```text
//! #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
//! //                     ^^^^^^^
//! // definition: user_id: u64,
//! // hover: user_id: u64
//! struct Name {
//!     user_id: u64,
//! }
//! ```
//!
//! | comment | meaning |
//! |---|---|
//! | `definition: LINE` | the line of the definition; one comment for each target, or `definition: none` |
//! | `references: LINE` | the line of a reference, the definition among them; one comment for each |
//! | `rename NAME: LINE` | a line that the new name changes, as it is then; one comment for each |
//! | `hover: TEXT` | a part of the text; `hover: none` |
//! | `hover without: TEXT` | the text lacks this |
//! | `completion: LABEL` | an item that is offered in front of the marked part; several are separated by `, ` |
//! | `completion without: LABEL` | an item that is not offered |
//! | `token: TYPE` | the type of the token, by which it is highlighted, or `token: none` |
//! | `diagnostic: TEXT` | a part of the message of an error or warning that underlines the marked part; each needs a mark |

/// A part of a line, and what is expected of it. Lines and columns are counted from 0, columns in characters.
#[derive(Debug, PartialEq)]
pub(super) struct Mark {
    pub(super) line: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The question and the answer.
    pub(super) expected: Vec<(String, String)>,
}

impl Mark {
    /// The expected answers to a question.
    pub(super) fn answers<'m>(&'m self, question: &'m str) -> Vec<&'m str> {
        let answers = self.expected.iter().filter(|(asked, _)| asked == question);
        answers.map(|(_, answer)| answer.as_str()).collect()
    }
}

/// The marks of a source, or what is wrong with one of them.
pub(super) fn read(source: &str) -> Result<Vec<Mark>, String> {
    let lines: Vec<_> = source.lines().collect();
    let mut marks = Vec::new();
    let mut line = 0;
    for (index, text) in lines.iter().enumerate() {
        let Some(comment) = text.trim_start().strip_prefix("//") else {
            line = index;
            continue;
        };
        if !comment.contains('^') || comment.contains(|c| c != '^' && c != ' ') {
            continue;
        }
        let start = text.chars().take_while(|c| *c != '^').count();
        let end = text.trim_end().chars().count();
        let answers =
            lines[index + 1..].iter().map_while(|line| line.trim_start().strip_prefix("// ")?.split_once(": "));
        let expected: Vec<_> = answers.map(|(asked, answer)| (asked.to_owned(), answer.to_owned())).collect();
        if expected.is_empty() || comment.trim().contains(' ') {
            return Err(format!(
                "line {}: a mark has one run of `^`, and comments such as `// hover: TEXT`",
                index + 1
            ));
        }
        marks.push(Mark { line, start, end, expected });
    }
    Ok(marks)
}

#[cfg(test)]
mod tests {
    use super::{Mark, read};

    #[test]
    fn marks_are_parsed() {
        let source = "one é three\n//    ^^^^^\n// hover: three\n//  ^\n// token: none\n// hover: é: 5\nfour\n";
        let mark = |start, end, expected: &[(&str, &str)]| {
            let expected = expected.iter().map(|(asked, answer)| ((*asked).to_owned(), (*answer).to_owned())).collect();
            Mark { line: 0, start, end, expected }
        };
        let expected = vec![mark(6, 11, &[("hover", "three")]), mark(4, 5, &[("token", "none"), ("hover", "é: 5")])];
        assert_eq!(read(source), Ok(expected));
    }

    #[test]
    fn a_mark_without_an_answer_is_an_error() {
        assert!(read("one two\n// ^^^\n").is_err());
        assert!(read("one two\n//^ ^^^\n// token: none\n").is_err());
    }
}
