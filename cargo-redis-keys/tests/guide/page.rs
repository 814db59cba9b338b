//! What a reader copies from a page.

/// The line above the output of the program before it.
const PRINTED: &str = "<!-- printed -->";

/// A block of a page.
pub(crate) enum Step {
    /// Lines for the shell.
    Shell(Vec<String>),
    Program(Program),
}

/// A block of Rust.
pub(crate) struct Program {
    /// Its page and the number of its first line there.
    pub(crate) name: String,
    code: String,
    /// The lines that it prints, in any order, if the page has them below [`PRINTED`].
    printed: Option<Vec<String>>,
}

impl Step {
    /// Whether it adds redis-keys for programs, and not only for tests.
    pub(crate) fn adds_redis_keys(&self) -> bool {
        matches!(self, Self::Shell(lines) if lines.iter().any(|line| line.starts_with("cargo add redis-keys")))
    }
}

impl Program {
    /// Whether it is a test and not a program.
    pub(crate) fn is_test(&self) -> bool {
        self.contains("#[test]") || self.contains("#[tokio::test]")
    }

    /// Whether an output is what the page shows, if it shows one.
    pub(crate) fn prints(&self, output: &str) -> bool {
        let Some(shown) = &self.printed else { return true };
        let (mut shown, mut printed): (Vec<_>, Vec<_>) = (shown.iter().collect(), output.lines().collect());
        shown.sort_unstable();
        printed.sort_unstable();
        shown == printed
    }

    pub(crate) fn contains(&self, text: &str) -> bool {
        self.code.contains(text)
    }

    /// The source of the file: items and statements without a `main` are put into one, as rustdoc does.
    pub(crate) fn source(&self) -> String {
        let is_whole = self.is_test() || self.contains("fn main(");
        if is_whole { self.code.clone() } else { format!("fn main() {{ {} }}\n", self.code) }
    }
}

/// The lines for the shell and the programs of a page.
pub(crate) fn steps(page: &str, text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = text.lines().enumerate();
    let mut is_printed = false;
    while let Some((number, line)) = lines.next() {
        let Some(language) = line.trim_start().strip_prefix("```") else {
            is_printed = line == PRINTED || is_printed && line.is_empty();
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        let block = lines.by_ref().map(|(_, line)| line.get(indent..).unwrap_or_default());
        let block: Vec<_> = block.take_while(|line| !line.starts_with("```")).map(str::to_owned).collect();
        match language.split(',').next().unwrap_or_default() {
            "sh" => steps.push(Step::Shell(block)),
            "rust" => {
                let code = block.join("\n") + "\n";
                steps.push(Step::Program(Program { name: format!("{page}_{}", number + 1), code, printed: None }));
            }
            _ if is_printed => {
                let Some(Step::Program(program)) = steps.last_mut() else { panic!("{page} has no program above it") };
                program.printed = Some(block);
            }
            _ => {
                // A session, with the output of its commands.
                let commands = block.iter().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned);
                let commands: Vec<_> = commands.collect();
                if !commands.is_empty() {
                    steps.push(Step::Shell(commands));
                }
            }
        }
        is_printed = false;
    }
    steps
}
