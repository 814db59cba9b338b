//! Passwords in URLs, which must not be seen.
//!
//! Every user of a machine sees the arguments of all processes, but not their environment. So a command with a password in a
//! URL replaces itself with one that has the password in its environment.

use std::env;
use std::ffi::OsString;

use crate::Failure;

/// The environment variable with the password, the same as that of `redis-cli`.
pub(super) const PASSWORD: &str = "REDISCLI_AUTH";

/// The environment variable with the passwords of URLs, one in each line, encoded as in a URL.
const URL_PASSWORDS: &str = "REDIS_KEYS_URL_PASSWORDS";

/// Hides the passwords in the arguments of this process, if there are any: it starts anew.
pub(super) fn hide() -> Result<(), Failure> {
    let (mut passwords, mut found) = (Vec::new(), false);
    let hide = |argument: OsString| match argument.to_str().and_then(without) {
        Some((url, password)) => {
            found |= !password.is_empty();
            passwords.push(password);
            url.into()
        }
        None => argument,
    };
    let arguments: Vec<OsString> = env::args_os().map(hide).collect();
    if !found {
        return Ok(());
    }
    anstream::eprintln!(
        "warning: the password in the URL can be seen by other users of this machine\n\
         help: set {PASSWORD}, or use --askpass or --password-file"
    );
    replace(arguments, &passwords.join("\n"))
}

#[cfg(unix)]
fn replace(arguments: Vec<OsString>, passwords: &str) -> Result<(), Failure> {
    use std::os::unix::process::CommandExt as _;
    let program = env::current_exe().map_err(|error| Failure::new(format!("cannot start anew: {error}")))?;
    let mut arguments = arguments.into_iter();
    let name = arguments.next().unwrap_or_default();
    let error = std::process::Command::new(program).arg0(name).args(arguments).env(URL_PASSWORDS, passwords).exec();
    Err(Failure::new(format!("cannot start anew: {error}")))
}

#[cfg(not(unix))]
fn replace(_: Vec<OsString>, _: &str) -> Result<(), Failure> {
    Ok(())
}

/// The passwords that the process before this one has hidden, one for each URL.
pub(super) fn hidden() -> Vec<String> {
    let passwords = env::var(URL_PASSWORDS).unwrap_or_default();
    passwords.split('\n').map(decoded).collect()
}

/// A server's URL without its password, and the password. `None` if this is no URL of a server.
pub(super) fn without(url: &str) -> Option<(String, String)> {
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

/// Decodes `%41`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, others)) = rest.split_first() {
        let code = (first == b'%').then(|| others.get(..2)).flatten();
        let code =
            code.and_then(|code| std::str::from_utf8(code).ok()).and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = others.get(if code.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    String::from_utf8_lossy(&bytes).into_owned()
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
    fn passwords_are_decoded() {
        assert_eq!(decoded("p%40ss%zz%4"), "p@ss%zz%4");
    }
}
