//! Processes that tests kill.

use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child as Process, ChildStdout, Command, Stdio};

/// Another process of this test binary, which runs one test that is ignored otherwise.
pub struct Child {
    process: Process,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Child {
    /// Starts it. The test is named as the test runner names it; `arguments` are variables of its environment.
    pub fn start(test: &str, arguments: &[(&str, &str)]) -> Self {
        let mut process = Command::new(std::env::current_exe().expect("this binary has a path"))
            .args(["--exact", test, "--ignored", "--nocapture"])
            .envs(arguments.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this binary runs");
        let lines = BufReader::new(process.stdout.take().expect("the output is piped")).lines();
        Self { process, lines }
    }

    /// Waits until it prints a line that begins so, and gives the rest of that line.
    pub fn says(&mut self, beginning: &str) -> String {
        let mut lines = self.lines.by_ref().map_while(Result::ok);
        lines
            .find_map(|line| line.strip_prefix(beginning).map(str::to_owned))
            .expect("the process prints the line before it ends")
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        self.process.try_wait().expect("the system reports the status of a child").is_none()
    }

    /// Kills it with a signal that it cannot catch.
    pub fn kill(mut self) {
        self.process.kill().and_then(|()| self.process.wait()).expect("the process can be killed");
    }
}
