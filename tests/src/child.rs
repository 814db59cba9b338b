//! Child processes that tests kill.

use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child as Process, ChildStdout, Command, Stdio};

/// A process of this test binary that runs one ignored test.
pub struct Child {
    process: Process,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Child {
    /// Starts the process. `test` is the full name of the test, and `arguments` are environment variables.
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

    /// Waits until the process prints a line that starts with `prefix`, and returns the rest of the line.
    pub fn wait_for_line(&mut self, prefix: &str) -> String {
        let mut lines = self.lines.by_ref().map_while(Result::ok);
        lines
            .find_map(|line| line.strip_prefix(prefix).map(str::to_owned))
            .expect("the process prints the line before it ends")
    }

    /// Returns whether the process is running.
    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().expect("the system reports the status of a child").is_none()
    }

    /// Kills the process with a signal that it cannot catch.
    pub fn kill(mut self) {
        self.process.kill().and_then(|()| self.process.wait()).expect("the process can be killed");
    }

    /// Stops the process, which does nothing until it is [continued](Self::resume).
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Continues a process that was stopped.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let script = format!("kill -{name} {}", self.process.id());
        let status = Command::new("sh").args(["-c", &script]).status().expect("the shell runs");
        assert!(status.success(), "{script}");
    }

    /// Waits until the test of the process has passed.
    pub fn finish(mut self) {
        for line in self.lines.by_ref().map_while(Result::ok) {
            println!("{line}");
        }
        let status = self.process.wait().expect("the system reports the status of a child");
        assert!(status.success(), "the test of the process failed: {status}");
    }
}

/// A process that its test leaves behind, since it has failed, may be stopped.
impl Drop for Child {
    fn drop(&mut self) {
        _ = self.process.kill().and_then(|()| self.process.wait());
    }
}
