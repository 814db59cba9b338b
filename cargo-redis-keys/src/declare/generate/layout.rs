//! Calls in generated code: in one line if it is short enough, or with a line for each argument.

/// The longest line, if its texts allow it.
const WIDTH: usize = 120;

/// The call of a function.
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Vec<Expression>,
}

/// An argument.
#[derive(Clone)]
pub(super) enum Expression {
    /// Code that stays in one line.
    Code(String),
    /// Elements between brackets.
    List { open: String, elements: Vec<String>, close: &'static str },
}

impl Expression {
    pub(super) fn code(code: impl Into<String>) -> Self {
        Self::Code(code.into())
    }

    /// A list in square brackets.
    pub(super) fn list(elements: Vec<String>) -> Self {
        Self::List { open: "[".to_owned(), elements, close: "]" }
    }

    fn line(&self) -> String {
        match self {
            Self::Code(code) => code.clone(),
            Self::List { open, elements, close } if elements.is_empty() => {
                format!("{}{}", open.trim_end(), close.trim_start())
            }
            Self::List { open, elements, close } => format!("{open}{}{close}", elements.join(", ")),
        }
    }

    fn lines(&self, indent: usize, step: usize) -> String {
        let (space, inner) = (" ".repeat(indent), " ".repeat(indent + step));
        let line = self.line();
        match self {
            Self::List { open, elements, close } if line.len() + indent + 1 > WIDTH => {
                let elements: Vec<_> = elements.iter().map(|element| format!("{inner}{element},\n")).collect();
                format!("{space}{}\n{}{space}{}", open.trim_end(), elements.concat(), close.trim_start())
            }
            _ => format!("{space}{line}"),
        }
    }
}

impl Call {
    /// The statement that returns the result, at an indentation, which grows by `step`. `end` ends a statement.
    pub(super) fn returned(&self, indent: usize, step: usize, end: &str) -> String {
        let space = " ".repeat(indent);
        let arguments: Vec<_> = self.arguments.iter().map(Expression::line).collect();
        let line = format!("{space}return {}({}){end}", self.name, arguments.join(", "));
        if line.len() <= WIDTH {
            return line;
        }
        let arguments: Vec<_> =
            self.arguments.iter().map(|argument| format!("{},\n", argument.lines(indent + step, step))).collect();
        format!("{space}return {}(\n{}{space}){end}", self.name, arguments.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_call_has_lines() {
        let call = |text: &str| Call {
            name: "f".to_owned(),
            arguments: vec![
                Expression::code("1"),
                Expression::list(vec![text.to_owned()]),
                Expression::List { open: "() => ({ ".to_owned(), elements: vec!["a".to_owned()], close: " })" },
            ],
        };
        assert_eq!(call("2").returned(2, 2, ";"), "  return f(1, [2], () => ({ a }));");
        let long = "x".repeat(WIDTH);
        let lines = format!("  return f(\n    1,\n    [\n      {long},\n    ],\n    () => ({{ a }}),\n  );");
        assert_eq!(call(&long).returned(2, 2, ";"), lines);
    }
}
