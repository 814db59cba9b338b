//! Scripts by hand.

use redis::{Connection, Pipeline};

/// A script by its SHA-1.
pub(crate) struct Script {
    sha1: String,
}

impl Script {
    /// Lets the server know a script, as a program does when it starts.
    pub(crate) fn load(con: &mut Connection, text: &str) -> Self {
        let sha1 = redis::cmd("SCRIPT").arg("LOAD").arg(text).query(con).expect("the server answers");
        Self { sha1 }
    }

    /// One that no server knows.
    pub(crate) fn unsent() -> Self {
        Self { sha1: "0".repeat(40) }
    }

    pub(crate) fn call<'p>(&self, pipe: &'p mut Pipeline, key: String) -> &'p mut Pipeline {
        pipe.cmd("EVALSHA").arg(&self.sha1).arg(1).arg(key)
    }
}
