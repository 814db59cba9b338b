//! What a command is told about connections.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use redis::{ClientTlsConfig, TlsCertificates};

use super::password::{self, PASSWORD};
use super::server::Server;
use crate::Failure;
use crate::output::printable;

/// What a command is told about connections.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Connection")]
pub(crate) struct ConnectionArgs {
    /// User name; `REDISCLI_AUTH` in the environment has the password
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// Ask for the password on the terminal
    #[arg(long, conflicts_with = "password_file")]
    askpass: bool,
    /// Read the password from the first line of a file
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Certificate of the server's authority (PEM)
    #[arg(long, value_name = "FILE")]
    cacert: Option<PathBuf>,
    /// Certificate of the client (PEM)
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,
    /// Private key of the client (PEM)
    #[arg(long = "tls-key", visible_alias = "key", value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
}

impl ConnectionArgs {
    /// The servers that the URLs name, with user, password and certificates.
    pub(crate) fn servers(&self, urls: &[String]) -> Result<Vec<Server>, Failure> {
        password::hide(urls)?;
        let passwords = password::hidden();
        let password = self.password()?;
        let certificates = self.certificates()?;
        let server = |(index, url): (usize, &String)| {
            let name = if urls.len() == 1 { "the URL".to_owned() } else { format!("URL {}", index + 1) };
            let mut server = Server::parse(url, &name)?;
            if let Some(user) = &self.user {
                server.set_user(user);
            }
            match (&password, passwords.get(index)) {
                (Some(password), _) => server.set_password(password),
                (None, Some(password)) if !password.is_empty() => server.set_password(password),
                (None, _) => {}
            }
            server.set_certificates(certificates.clone());
            Ok(server)
        };
        urls.iter().enumerate().map(server).collect()
    }

    /// The password that is not in a URL.
    fn password(&self) -> Result<Option<String>, Failure> {
        if self.askpass {
            let message = |error| Failure::new(format!("cannot ask for the password: {error}"));
            return rpassword::prompt_password("password: ").map(Some).map_err(message);
        }
        if let Some(file) = &self.password_file {
            let text = read(file)?;
            let text = String::from_utf8(text)
                .map_err(|_| Failure::new(format!("the password in `{}` is not UTF-8", file.display())))?;
            return Ok(Some(text.lines().next().unwrap_or_default().to_owned()));
        }
        Ok(std::env::var(PASSWORD).ok().filter(|password| !password.is_empty()))
    }

    fn certificates(&self) -> Result<TlsCertificates, Failure> {
        let client_tls = match (&self.cert, &self.key) {
            (Some(cert), Some(key)) => Some(ClientTlsConfig { client_cert: read(cert)?, client_key: read(key)? }),
            _ => None,
        };
        let root_cert = self.cacert.as_deref().map(read).transpose()?;
        Ok(TlsCertificates { client_tls, root_cert })
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|error| Failure::new(format!("cannot read `{}`: {error}", file.display())))
}

/// A word as it is written in a shell, without anything that could change a terminal.
fn quoted(word: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(byte);
    match str::from_utf8(word) {
        Ok(text) if !text.is_empty() && word.iter().all(is_plain) => text.to_owned(),
        // A backslash is doubled in what is printable.
        Ok(text) if printable(word).replace(r"\\", r"\") == text => format!("'{}'", text.replace('\'', r"'\''")),
        _ => format!("$'{}'", printable(word).replace('\'', r"\'")),
    }
}

/// The command as the user wrote it, without passwords.
pub(crate) fn shown_command() -> String {
    let mut words = vec!["cargo redis-keys".to_owned()];
    for word in std::env::args_os().skip(1).skip_while(|word| word == "redis-keys") {
        let url = word.to_str().and_then(password::without).map(|(url, _)| url);
        words.push(quoted(url.as_deref().map_or(word.as_encoded_bytes(), str::as_bytes)));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

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
