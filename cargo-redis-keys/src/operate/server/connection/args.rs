//! Arguments: user, password and certificates of connections.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use redis::{ClientTlsConfig, TlsCertificates};

use super::server::Server;
use crate::Failure;
use crate::operate::hidden_passwords;
use crate::password::PASSWORD;

/// User, password and certificates of connections.
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
        hidden_passwords::hide(urls)?;
        let passwords = hidden_passwords::hidden();
        let password = self.password()?;
        let certificates = self.certificates()?;
        let server = |(index, url): (usize, &String)| {
            let name = if urls.len() == 1 { "the URL".to_owned() } else { format!("URL {}", index + 1) };
            let mut server = Server::parse(url, &name)?;
            if !server.is_tls()
                && let Some(option) = self.tls_option()
            {
                let message = format!("`{option}` is for TLS, but {name} connects without");
                return Err(Failure::new(message).help("write `rediss://`, or leave out the certificates"));
            }
            if let Some(user) = &self.user {
                server.change(|settings| settings.set_username(user));
            }
            let in_url = passwords.get(index).filter(|password| !password.is_empty());
            if let Some(password) = password.as_ref().or(in_url) {
                server.change(|settings| settings.set_password(password));
            }
            server.certificates = certificates.clone();
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
            let text = fs::read(file).map_err(Failure::reading(file))?;
            let text = String::from_utf8(text)
                .map_err(|_| Failure::new(format!("the password in `{}` is not UTF-8", file.display())))?;
            return Ok(Some(text.lines().next().unwrap_or_default().to_owned()));
        }
        Ok(std::env::var(PASSWORD).ok().filter(|password| !password.is_empty()))
    }

    /// An option that applies to TLS only, if there is such an option.
    fn tls_option(&self) -> Option<&'static str> {
        let options = [("--cacert", &self.cacert), ("--cert", &self.cert), ("--tls-key", &self.key)];
        options.into_iter().find(|(_, file)| file.is_some()).map(|(name, _)| name)
    }

    fn certificates(&self) -> Result<TlsCertificates, Failure> {
        let client_tls = match (&self.cert, &self.key) {
            (Some(cert), Some(key)) => {
                Some(ClientTlsConfig { client_cert: read_pem(cert, CERTIFICATE)?, client_key: read_pem(key, KEY)? })
            }
            _ => None,
        };
        let root_cert = self.cacert.as_deref().map(|file| read_pem(file, CERTIFICATE)).transpose()?;
        Ok(TlsCertificates { client_tls, root_cert })
    }
}

/// The last words of the lines before a certificate and before a private key, and their names.
const CERTIFICATE: (&str, &str) = ("CERTIFICATE-----", "certificate");
const KEY: (&str, &str) = ("PRIVATE KEY-----", "private key");

/// Reads a file that must have a certificate or a private key.
fn read_pem(file: &Path, (line, what): (&str, &str)) -> Result<Vec<u8>, Failure> {
    let text = fs::read(file).map_err(Failure::reading(file))?;
    if text.windows(line.len()).any(|part| part == line.as_bytes()) {
        return Ok(text);
    }
    let message = format!("`{}` has no {what} in PEM form", file.display());
    Err(Failure::new(message).help(format!("expected a line `-----BEGIN {line}`")))
}
