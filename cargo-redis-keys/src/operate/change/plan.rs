//! The file with the keys that are to be changed.
//!
//! Its first line says which command it is for, and each other line is a key. You can remove lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::options::ChangeCommand;
use crate::Failure;
use crate::declare::catalog::from_json;
use crate::file::{Access, NewFile};
use crate::render::units::millis;
use crate::render::{from_base64, json_bytes, one_line, visible_json};

/// The file's version.
pub(super) const FORMAT: u32 = 3;

/// The first line of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    /// The file's version.
    pub(super) format: u32,
    pub(super) command: ChangeCommand,
    /// The choice of keys, such as `{"schema":"Profile"}`.
    pub(super) selected: Choice,
    /// Whether a key is removed even if it is unknown when it was used last.
    #[serde(default)]
    pub(super) without_last_use: bool,
    /// The pattern that they match.
    #[serde(rename = "match")]
    pub(super) pattern: Option<String>,
    /// The namespace before the declarations' keys.
    pub(super) namespace: Option<String>,
    /// The prefix of legacy texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) legacy_prefix: Option<String>,
    /// The number of the database.
    pub(super) database: i64,
    /// The time at which it was made, in milliseconds since 1970.
    pub(super) made_at_ms: u64,
    /// The servers that it was made of.
    pub(super) nodes: Vec<PlannedNode>,
}

/// A server that a plan was made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PlannedNode {
    pub(super) address: String,
    /// The process's id, or the id of the node in its cluster. Empty if the server refuses to say.
    pub(super) id: String,
    /// For `purge`, its count of child processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) forks: Option<Forks>,
}

/// A server's counts of its child processes. They are the same as before if there was no child in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Forks {
    /// The number of children.
    pub(super) total: u64,
    /// The time that the last fork took.
    pub(super) latest_us: u64,
    /// The number of commands, which is smaller after `CONFIG RESETSTAT`.
    pub(super) commands: u64,
    /// The time of the last save, in Unix seconds, and the size of the AOF after its last rewrite: both remain after
    /// `CONFIG RESETSTAT`.
    pub(super) saved_at: u64,
    pub(super) aof_base_bytes: u64,
}

/// A key that is to be changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PlannedKey {
    /// The address of the server that had the key.
    pub(super) node: String,
    pub(super) key: KeyBytes,
    /// The type, as `TYPE` returns it, or `other`.
    #[serde(rename = "type")]
    pub(super) redis_type: String,
    pub(super) bytes: Option<u64>,
    /// Its time to live. `None` if it never expires.
    pub(super) ttl_ms: Option<u64>,
    /// The time at which it expires by the clock of the server, in milliseconds since 1970. `None` if it never does,
    /// and for `expire`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) expires_at_ms: Option<u64>,
    /// The seconds since the last use, when the plan was made.
    #[serde(skip)]
    pub(super) idle: Option<u64>,
    /// The time of the last use, in Unix seconds. `None` if the server does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_use: Option<u64>,
    /// The digest of a short string, or the last id of a stream. `None` if the server cannot read it without a use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) digest: Option<String>,
    pub(super) declaration: Option<String>,
    /// The name that it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<String>,
    /// The time to live that it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) set_ttl_ms: Option<u64>,
    /// The end of the calendar bucket from which that counts, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) set_from_ms: Option<u64>,
    /// The delay that is added to that expiry at random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) set_jitter_ms: Option<u64>,
}

/// The help for a plan that exists.
const NEW_FILE: &str = "name another file for the plan, or add `--yes` to act on this one";

/// Writes a plan, which does not exist before it is [finished](Self::finish). Only its owner can read the keys in it.
pub(super) struct PlanWriter {
    path: PathBuf,
    file: NewFile,
}

impl PlanWriter {
    /// Creates the file, which must not exist.
    pub(super) fn create(path: &Path, header: &Header) -> Result<Self, Failure> {
        let file = NewFile::create(path, Access::Owner).map_err(NewFile::failed(path, NEW_FILE))?;
        let mut writer = Self { path: path.to_owned(), file };
        writer.add(header)?;
        Ok(writer)
    }

    /// Adds a line: a key, or first the header.
    pub(super) fn add(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        // Keys are hostile, and a reviewer may show the plan in a terminal.
        let line = serde_json::to_string(value).map(|line| visible_json(&line)).map_err(Into::into);
        line.and_then(|line| writeln!(self.file.out(), "{line}")).map_err(Failure::writing(&self.path))
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        self.file.finish().map_err(NewFile::failed(&self.path, NEW_FILE))
    }
}

/// Reads a plan line by line.
pub(super) struct PlanReader {
    path: PathBuf,
    command: ChangeCommand,
    lines: Box<dyn Iterator<Item = io::Result<String>> + Send>,
    line_number: u64,
}

impl PlanReader {
    /// Opens a plan for this command.
    pub(super) fn open(path: &Path, command: ChangeCommand) -> Result<(Header, Self), Failure> {
        let file = File::open(path).map_err(Failure::reading(path))?;
        Self::read_header(path, command, BufReader::new(file))
    }

    fn read_header(
        path: &Path,
        command: ChangeCommand,
        file: impl BufRead + Send + 'static,
    ) -> Result<(Header, Self), Failure> {
        let mut reader = Self { path: path.to_owned(), command, lines: Box::new(file.lines()), line_number: 0 };
        let line = reader.next_line()?.ok_or_else(|| reader.wrong("the file is empty"))?;
        let outdated = |format| {
            let failure = Failure::new(format!("`{}` has format {format}, expected {FORMAT}", path.display()));
            failure.help("make a plan with this version of cargo-redis-keys")
        };
        let header: Header = from_json(&line, FORMAT..=FORMAT, |why| reader.wrong(why), outdated)?;
        if header.command != command {
            return Err(Failure::new(format!(
                "`{}` is a plan for `{}`, not for `{}`",
                path.display(),
                header.command.name(),
                command.name()
            )));
        }
        Ok((header, reader))
    }

    fn next_line(&mut self) -> Result<Option<String>, Failure> {
        self.line_number += 1;
        self.lines.next().transpose().map_err(|error| self.wrong(&error.to_string()))
    }

    fn wrong(&self, why: &str) -> Failure {
        let (line, file, why) = (self.line_number, self.path.display(), one_line(why));
        Failure::new(format!("line {line} of `{file}` is not that of a plan: {why}"))
            .help("`--plan FILE` without `--yes` makes a plan")
    }

    fn read(&self, line: &str) -> Result<PlannedKey, Failure> {
        let key: PlannedKey = serde_json::from_str(line).map_err(|error| self.wrong(&error.to_string()))?;
        if self.command == ChangeCommand::Move && key.to.is_none() {
            return Err(self.wrong("expected `to`"));
        }
        // An expiry of 0 would remove the key.
        if self.command == ChangeCommand::Expire && key.set_ttl_ms.unwrap_or(0) == 0 {
            return Err(self.wrong("expected `set_ttl_ms`"));
        }
        Ok(key)
    }
}

impl Iterator for PlanReader {
    type Item = Result<PlannedKey, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.next_line().transpose()?;
        Some(line.and_then(|line| self.read(&line)))
    }
}

/// Reads a plan for each command, and what was read once more after it is written.
pub(crate) fn fuzz(plan: &[u8]) {
    for command in [ChangeCommand::Purge, ChangeCommand::Expire, ChangeCommand::Move] {
        let path = Path::new("plan");
        let Ok((header, keys)) = PlanReader::read_header(path, command, io::Cursor::new(plan.to_vec())) else {
            continue;
        };
        let keys: Vec<_> = keys.map_while(Result::ok).collect();
        let lines = keys.iter().map(serde_json::to_string);
        let lines: Result<Vec<_>, _> = [serde_json::to_string(&header)].into_iter().chain(lines).collect();
        let written = visible_json(&lines.unwrap_or_default().join("\n")).into_bytes();
        let again = PlanReader::read_header(path, command, io::Cursor::new(written));
        let again = again.map(|(header, keys)| (header, keys.collect::<Result<Vec<_>, _>>()));
        assert_eq!(again, Ok((header, Ok(keys))));
    }
}

/// The milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// The choice of keys that a command changes. A plan contains it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Choice {
    /// A declaration's keys, whatever they contain.
    Schema(String),
    /// Those that no declaration can produce.
    Unknown,
    /// These.
    Keys(NamedKeys),
    /// Those without an expiry: of a declaration, or of all.
    WithoutExpiry(Option<String>),
    /// Those under the name that is not in use: of a declaration, or of all.
    OtherName(Option<String>),
}

/// Keys that the user has named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedKeys(pub(super) Vec<KeyBytes>);

impl Choice {
    /// The choice of these keys.
    pub(crate) fn keys(keys: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self::Keys(NamedKeys(keys.into_iter().map(KeyBytes).collect()))
    }
}

/// The bytes of a key. In JSON it is text, or `{"base64":"…"}` if it is not UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyBytes(pub(super) Vec<u8>);

#[derive(Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Bytes { base64: String },
}

impl Serialize for KeyBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json_bytes(&self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KeyBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Form::deserialize(deserializer)? {
            Form::Text(text) => Ok(Self(text.into_bytes())),
            Form::Bytes { base64 } => from_base64(&base64).map(Self).ok_or_else(|| D::Error::custom("not Base64")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first line of a plan, and another one: this format never changes.
    const PURGE: &str = r#"{"format":3,"command":"purge","selected":{"schema":"Profile"},"without_last_use":false,"match":"user:*","namespace":"test","database":0,"made_at_ms":1767225600000,"nodes":[{"address":"127.0.0.1:6379","id":"0123abcd","forks":{"total":3,"latest_us":250,"commands":10,"saved_at":5,"aof_base_bytes":0}}]}"#;
    const EXPIRE: &str = r#"{"format":3,"command":"expire","selected":{"without_expiry":null},"without_last_use":false,"match":null,"namespace":null,"database":0,"made_at_ms":1767225600000,"nodes":[{"address":"a:1","id":""}]}"#;
    const MOVE: &str = r#"{"format":3,"command":"move","selected":{"other_name":"Profile"},"without_last_use":false,"match":null,"namespace":null,"legacy_prefix":"v1:","database":3,"made_at_ms":1767225600000,"nodes":[]}"#;
    const NAMED: &str = r#"{"format":3,"command":"purge","selected":{"keys":["user:1",{"base64":"/w=="}]},"without_last_use":true,"match":null,"namespace":null,"database":0,"made_at_ms":1767225600000,"nodes":[]}"#;

    const PURGED: &str = r#"{"node":"127.0.0.1:6379","key":"user:1","type":"string","bytes":72,"ttl_ms":60000,"expires_at_ms":1767225660000,"last_use":1767225500,"digest":"900150983cd24fb0","declaration":"shop::Profile"}"#;
    const EXPIRED: &str = r#"{"node":"a:1","key":{"base64":"/w=="},"type":"hash","bytes":null,"ttl_ms":null,"declaration":null,"set_ttl_ms":3600000,"set_from_ms":1767312000000,"set_jitter_ms":60000}"#;
    const MOVED: &str = r#"{"node":"a:1","key":"User:1","type":"set","bytes":64,"ttl_ms":null,"declaration":"shop::Profile","to":"user:1:set"}"#;

    /// Reads a line, which must be written again as it was.
    fn read<T: Serialize + for<'de> Deserialize<'de>>(line: &str) -> serde_json::Result<T> {
        let value = serde_json::from_str(line)?;
        assert_eq!(serde_json::to_string(&value)?, line);
        Ok(value)
    }

    #[test]
    fn plans_are_read_and_written_as_before() -> serde_json::Result<()> {
        for line in [PURGE, EXPIRE, MOVE, NAMED] {
            assert_eq!(read::<Header>(line)?.format, FORMAT);
        }
        assert_eq!(read::<Header>(NAMED)?.selected, Choice::keys([b"user:1".to_vec(), vec![0xFF]]));
        assert_eq!(read::<PlannedKey>(PURGED)?.last_use, Some(1_767_225_500));
        assert_eq!(read::<PlannedKey>(EXPIRED)?.set_ttl_ms, Some(3_600_000));
        assert_eq!(read::<PlannedKey>(MOVED)?.to.as_deref(), Some("user:1:set"));
        Ok(())
    }
}
