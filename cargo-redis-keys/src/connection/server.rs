//! The address of a server, and how to reach it.

use std::fmt;
use std::time::Duration;

use redis::{
    Client, Connection, ConnectionAddr, ConnectionInfo, IntoConnectionInfo as _, ProtocolVersion, RedisConnectionInfo,
    RedisResult, TlsCertificates,
};

use crate::Failure;

/// A server that takes longer to accept a connection is tried again.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The address of a server, with user, password and certificates.
#[derive(Clone)]
pub(crate) struct Server {
    info: ConnectionInfo,
    certificates: TlsCertificates,
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

    pub(super) fn set_user(&mut self, user: &str) {
        self.change(|settings| settings.set_username(user));
    }

    pub(super) fn set_password(&mut self, password: &str) {
        self.change(|settings| settings.set_password(password));
    }

    pub(super) fn set_certificates(&mut self, certificates: TlsCertificates) {
        self.certificates = certificates;
    }

    fn change(&mut self, change: impl FnOnce(RedisConnectionInfo) -> RedisConnectionInfo) {
        self.info = self.info.clone().set_redis_settings(change(self.info.redis_settings().clone()));
    }

    /// The number of the database.
    pub(crate) fn database(&self) -> i64 {
        self.info.redis_settings().db()
    }

    /// Another node of the same cluster, which is reached in the same way.
    pub(crate) fn at(&self, host: &str, port: u16) -> Self {
        let host = host.to_owned();
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

    /// Opens a connection.
    pub(super) fn connect(&self) -> RedisResult<Connection> {
        let client = if matches!(self.info.addr(), ConnectionAddr::TcpTls { .. }) {
            // It fails if one is installed.
            let _ = rustls_graviola::default_provider().install_default();
            Client::build_with_tls(self.info.clone(), self.certificates.clone())?
        } else {
            Client::open(self.info.clone())?
        };
        client.get_connection_with_timeout(CONNECT_TIMEOUT)
    }
}

impl fmt::Display for Server {
    /// The address, without user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info.addr() {
            ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } if host.contains(':') => {
                write!(f, "[{host}]:{port}")
            }
            ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => write!(f, "{host}:{port}"),
            ConnectionAddr::Unix(path) => write!(f, "{}", path.display()),
            _ => f.write_str("unknown address"),
        }
    }
}
