//! Client and servers on cores of their own, since a round trip between two cores takes another time than one on the same.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{Outcome, program, target};
use crate::server;

/// Where to run, if this machine can choose.
pub(super) struct Cores<'a> {
    binary: &'a Path,
    /// A script that runs the server on a core of its own.
    pinned: Option<PathBuf>,
}

/// Where [`Cores::choose`]'s script finds the server: a variable needs no quoting.
const PINNED: &str = "REDIS_KEYS_PINNED_SERVER";

impl<'a> Cores<'a> {
    pub(super) fn choose(binary: &'a Path) -> Outcome<Self> {
        let mut trial = Command::new("taskset");
        if !trial.args(["-c", "1", "true"]).stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
            return Ok(Self { binary, pinned: None });
        }
        let folder = target().join("bench");
        let script = folder.join("pinned-server");
        fs::create_dir_all(&folder)?;
        fs::write(&script, format!("#!/bin/sh\nexec taskset -c 1 \"${PINNED}\" \"$@\"\n"))?;
        server::make_executable(&script)?;
        Ok(Self { binary, pinned: Some(script) })
    }

    /// A command that runs on the client's core, and its servers on the other one.
    pub(super) fn client(&self, name: impl AsRef<OsStr>) -> Command {
        let Some(script) = &self.pinned else {
            let mut command = program(name);
            command.env(server::VARIABLE, self.binary);
            return command;
        };
        let mut command = program("taskset");
        command.args(["-c", "0"]).arg(name);
        command.env(server::VARIABLE, script).env(PINNED, self.binary);
        command
    }

    /// Says how it was done.
    pub(super) fn describe(&self) -> String {
        let place = match self.pinned {
            Some(_) => "client on core 0, server on core 1",
            None => "not pinned, since there is no `taskset` or no second core",
        };
        format!("over loopback TCP, {place}, {}", server::version(self.binary).unwrap_or_default())
    }
}
