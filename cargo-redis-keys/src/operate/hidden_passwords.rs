//! Passwords in the arguments and the environment of this program.
//!
//! Every user of a machine sees the arguments of all processes, but not their environment. So a command with a password
//! in a URL replaces itself with a process that has the password in its environment.

use std::env;
use std::ffi::OsString;

use percent_encoding::percent_decode_str;

use crate::Failure;
use crate::password::{PASSWORD, URL_PASSWORDS};
use crate::render::printable;

/// Hides the passwords of URLs in this process's arguments, if there are any: it restarts itself.
pub(crate) fn hide(urls: &[String]) -> Result<(), Failure> {
    let passwords: Vec<String> =
        urls.iter().map(|url| without(url).map(|(_, password)| password).unwrap_or_default()).collect();
    if passwords.iter().all(String::is_empty) {
        return Ok(());
    }
    let arguments = hidden_arguments(env::args_os(), urls);
    message!(
        "warning: the password in the URL can be seen by other users of this machine\n\
         help: set {PASSWORD}, or use --askpass or --password-file"
    );
    replace(arguments, &passwords.join("\n"))
}

/// The arguments with URLs without passwords. Text that looks like a URL in another place stays, such as the name of a
/// key.
fn hidden_arguments(arguments: impl Iterator<Item = OsString>, urls: &[String]) -> Vec<OsString> {
    let mut is_key = false;
    let hide = |argument: OsString| {
        let is_url = !is_key && urls.iter().any(|url| argument.to_str() == Some(url));
        is_key = argument == "--key";
        let url = argument.to_str().filter(|_| is_url).and_then(without);
        url.map_or(argument, |(url, _)| url.into())
    };
    arguments.map(hide).collect()
}

#[cfg(unix)]
fn replace(arguments: Vec<OsString>, passwords: &str) -> Result<(), Failure> {
    use std::os::unix::process::CommandExt as _;
    let program = env::current_exe().map_err(|error| Failure::new(format!("cannot restart: {error}")))?;
    let mut arguments = arguments.into_iter();
    let name = arguments.next().unwrap_or_default();
    let error = std::process::Command::new(program).arg0(name).args(arguments).env(URL_PASSWORDS, passwords).exec();
    Err(Failure::new(format!("cannot restart: {error}")))
}

#[cfg(not(unix))]
fn replace(_: Vec<OsString>, _: &str) -> Result<(), Failure> {
    Ok(())
}

/// The passwords that the process before this one has hidden, one for each URL.
pub(crate) fn hidden() -> Vec<String> {
    let passwords = env::var(URL_PASSWORDS).unwrap_or_default();
    passwords.split('\n').map(|password| percent_decode_str(password).decode_utf8_lossy().into_owned()).collect()
}

/// A server's URL without its password, and the password. `None` if this is no URL of a server.
pub(crate) fn without(url: &str) -> Option<(String, String)> {
    let mut parsed = redis::parse_redis_url(url)?;
    let password = parsed.password().unwrap_or_default().to_owned();
    // The password of a socket is a parameter: `unix:/run/redis.sock?pass=…`.
    let query: Option<(Vec<_>, Vec<_>)> =
        parsed.query().map(|query| query.split('&').partition(|pair| pair.starts_with("pass=")));
    let password = match query {
        Some((pass, others)) if !pass.is_empty() => {
            let password = pass.first().and_then(|pair| pair.strip_prefix("pass=")).unwrap_or_default().to_owned();
            let others = others.join("&");
            parsed.set_query((!others.is_empty()).then_some(others.as_str()));
            password
        }
        _ => password,
    };
    if password.is_empty() {
        return Some((url.to_owned(), password));
    }
    // It fails only where there is no host, and then there is no password before it.
    let _ = parsed.set_password(None);
    Some((parsed.to_string(), password))
}

/// A word as it is written in a shell, without anything that could change a terminal.
fn quoted(word: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(byte);
    match str::from_utf8(word) {
        Ok(text) if !text.is_empty() && word.iter().all(is_plain) => text.to_owned(),
        // A backslash is doubled in printable text.
        Ok(text) if printable(word).replace(r"\\", r"\") == text => format!("'{}'", text.replace('\'', r"'\''")),
        _ => format!("$'{}'", printable(word).replace('\'', r"\'")),
    }
}

/// The command as the user wrote it, without passwords.
pub(crate) fn shown_command() -> String {
    let mut words = vec!["cargo redis-keys".to_owned()];
    for word in env::args_os().skip(1).skip_while(|word| word == "redis-keys") {
        let url = word.to_str().and_then(without).map(|(url, _)| url);
        words.push(quoted(url.as_deref().map_or(word.as_encoded_bytes(), str::as_bytes)));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_loses_its_password_only() {
        for (url, rest, password) in [
            ("redis://localhost:6379/2", "redis://localhost:6379/2", ""),
            ("redis://:secret@localhost", "redis://localhost", "secret"),
            ("rediss://ada:p%40ss@db:6380/1", "rediss://ada@db:6380/1", "p%40ss"),
            ("unix:///run/redis.sock?db=1&pass=secret", "unix:///run/redis.sock?db=1", "secret"),
            ("unix:///run/redis.sock?pass=secret", "unix:///run/redis.sock", "secret"),
        ] {
            assert_eq!(without(url), Some((rest.to_owned(), password.to_owned())), "{url}");
        }
        assert_eq!(without("--json"), None);
        assert_eq!(without("https://:secret@localhost"), None);
    }

    #[test]
    fn only_urls_lose_their_passwords() {
        let arguments = [
            "x",
            "--key",
            "redis://:a@b",
            "redis://:secret@c",
            "--key",
            "redis://:secret@c",
            "--match",
            "redis://:d@e",
        ];
        let hidden = hidden_arguments(arguments.iter().map(OsString::from), &["redis://:secret@c".to_owned()]);
        let expected =
            ["x", "--key", "redis://:a@b", "redis://c", "--key", "redis://:secret@c", "--match", "redis://:d@e"];
        assert_eq!(hidden, expected);
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        for (word, shown) in [
            (&b"user:*"[..], "'user:*'"),
            (b"--plan", "--plan"),
            (b"", "''"),
            (b"it's \\", r"'it'\''s \'"),
            (b"\x1b[2J'\\", r"$'\x1b[2J\'\\'"),
            (b"\xff", r"$'\xff'"),
        ] {
            assert_eq!(quoted(word), shown);
        }
    }
}
