//! A server's address, and how to reach it.

use std::fmt;
use std::time::Duration;

use redis::{
    Client, Connection, ConnectionAddr, ConnectionInfo, IntoConnectionInfo as _, ProtocolVersion, RedisConnectionInfo,
    RedisResult, TlsCertificates,
};
use redis_keys_core::slot::known_host;

use crate::Failure;
use crate::render::printable;

/// The address of a server, with user, password and certificates.
#[derive(Clone)]
pub(crate) struct Server {
    info: ConnectionInfo,
    pub(super) certificates: TlsCertificates,
}

impl Server {
    /// Reads a URL. Errors do not contain it, since it may have a password: `name` stands for it.
    pub(super) fn parse(url: &str, name: &str) -> Result<Self, Failure> {
        const HELP: &str = "write `redis://HOST:PORT`, `rediss://HOST:PORT` for TLS, or `unix:///PATH`";
        let parsed = redis::parse_redis_url(url)
            .ok_or_else(|| Failure::new(format!("{name} is not the address of a server")).help(HELP))?;
        let info = parsed.into_connection_info().map_err(|error| {
            let why = error.detail().map_or_else(|| error.to_string(), str::to_owned);
            Failure::new(format!("{name} is not the address of a server: {why}")).help(HELP)
        })?;
        let redis = info.redis_settings().clone().set_skip_set_lib_name().set_protocol(ProtocolVersion::RESP2);
        let certificates = TlsCertificates { client_tls: None, root_cert: None };
        Ok(Self { info: info.set_redis_settings(redis), certificates })
    }

    pub(super) fn change(&mut self, change: impl FnOnce(RedisConnectionInfo) -> RedisConnectionInfo) {
        self.info = self.info.clone().set_redis_settings(change(self.info.redis_settings().clone()));
    }

    /// The number of the database.
    pub(crate) fn database(&self) -> i64 {
        self.info.redis_settings().db()
    }

    /// Another node of the same cluster, which is reached in the same way. This node has named it, and does not know
    /// each host: such a node is on the same machine.
    pub(crate) fn at(&self, host: &str, port: u16) -> Self {
        let host = known_host(host).unwrap_or(self.host()).to_owned();
        let address = match self.info.addr() {
            ConnectionAddr::TcpTls { insecure, .. } => {
                ConnectionAddr::TcpTls { host, port, insecure: *insecure, tls_params: None }
            }
            _ => ConnectionAddr::Tcp(host, port),
        };
        Self { info: self.info.clone().set_addr(address), certificates: self.certificates.clone() }
    }

    /// The name or address of the machine.
    pub(crate) fn host(&self) -> &str {
        match self.info.addr() {
            ConnectionAddr::Tcp(host, _) | ConnectionAddr::TcpTls { host, .. } => host,
            _ => "localhost",
        }
    }

    /// Whether it is reached with TLS.
    pub(crate) fn is_tls(&self) -> bool {
        matches!(self.info.addr(), ConnectionAddr::TcpTls { .. })
    }

    /// The host and the port, if it is reached by TCP without TLS.
    pub(super) fn tcp(&self) -> Option<(&str, u16)> {
        if let ConnectionAddr::Tcp(host, port) = self.info.addr() { Some((host, *port)) } else { None }
    }

    /// The requests that come first on a connection.
    pub(super) fn greeting(&self) -> Vec<Vec<String>> {
        let (settings, mut greeting) = (self.info.redis_settings(), Vec::new());
        if let Some(password) = settings.password() {
            let user = settings.username().into_iter();
            greeting.push(["AUTH"].into_iter().chain(user).chain([password]).map(str::to_owned).collect());
        }
        if settings.db() != 0 {
            greeting.push(vec!["SELECT".to_owned(), settings.db().to_string()]);
        }
        greeting
    }

    /// Opens a connection with redis-rs.
    pub(super) fn connect(&self, timeout: Duration) -> RedisResult<Connection> {
        let client = if matches!(self.info.addr(), ConnectionAddr::TcpTls { .. }) {
            // It fails if a provider is installed.
            let _ = rustls_graviola::default_provider().install_default();
            Client::build_with_tls(self.info.clone(), self.certificates.clone())?
        } else {
            Client::open(self.info.clone())?
        };
        client.get_connection_with_timeout(timeout)
    }
}

impl fmt::Display for Server {
    /// The address, without user and password, safe to print.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info.addr() {
            // A node of a cluster can name hosts.
            ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => {
                let shown = printable(host);
                if host.contains(':') { write!(f, "[{shown}]:{port}") } else { write!(f, "{shown}:{port}") }
            }
            ConnectionAddr::Unix(path) => f.write_str(&printable(path.as_os_str().as_encoded_bytes())),
            _ => f.write_str("unknown address"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_a_node_names_cannot_change_a_terminal() {
        let server = Server::parse("redis://ada:secret@localhost", "the URL").unwrap();
        assert_eq!(server.to_string(), "localhost:6379");
        assert_eq!(server.at("a\x1b[2J\nb", 1).to_string(), "a\\x1b[2J\\nb:1");
        assert_eq!(server.at("::1", 1).to_string(), "[::1]:1");
        assert_eq!(server.at("0.0.0.0", 1).to_string(), "localhost:1");
    }
}
