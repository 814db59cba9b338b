//! An open connection, requests and replies.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

use redis::{Connection, ErrorKind, RedisError, ServerErrorKind, Value};

use super::rejected;
use super::server::Server;
use super::socket::Socket;
use crate::Failure;
use crate::operate::server::value;
use crate::password::PASSWORD;
use crate::render::printable;

/// A server that takes longer to accept a connection is tried again.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A server that does not reply for so long is tried again.
const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// A server that does not reply to the first request for so long is given up.
const FIRST_REPLY_TIMEOUT: Duration = Duration::from_secs(5);

/// An open connection, on which requests can be sent before earlier requests are answered.
pub(crate) struct Link {
    transport: Transport,
}

enum Transport {
    Tcp(Socket<TcpStream>),
    /// TLS and Unix sockets.
    Other(Connection),
}

/// The reason for which a connection cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinkError {
    /// The server cannot be reached, or does not reply: it is tried again if it has replied before.
    Unavailable(String),
    /// The server replies that it is not ready: it is tried again.
    NotReady(String),
    /// The server refuses the client.
    Refused(String),
}

impl LinkError {
    /// The reason for which the server is tried again, or the failure if it refuses the client.
    pub(crate) fn retry(self, server: &Server) -> Result<String, Failure> {
        match self {
            Self::Unavailable(why) | Self::NotReady(why) => Ok(why),
            Self::Refused(why) => Err(refused(server, &why)),
        }
    }
}

/// Requests that are sent together. It keeps its memory when it is cleared.
#[derive(Default)]
pub(crate) struct Requests {
    pub(crate) bytes: Vec<u8>,
}

impl Requests {
    /// Adds a command with its arguments.
    pub(crate) fn push(&mut self, parts: &[&[u8]]) {
        // Writing to a vector cannot fail.
        let _ = write!(self.bytes, "*{}\r\n", parts.len());
        for part in parts {
            self.part(part);
        }
    }

    /// Adds commands that end with the same key. Each is given in the form in which it is sent, up to the key.
    pub(crate) fn push_for_key(&mut self, commands: &[&[u8]], key: &[u8]) {
        let mut commands = commands.iter();
        let Some(first) = commands.next() else { return };
        self.bytes.extend_from_slice(first);
        let start = self.bytes.len();
        self.part(key);
        let key = start..self.bytes.len();
        for command in commands {
            self.bytes.extend_from_slice(command);
            self.bytes.extend_from_within(key.clone());
        }
    }

    fn part(&mut self, part: &[u8]) {
        let _ = write!(self.bytes, "${}\r\n", part.len());
        self.bytes.extend_from_slice(part);
        self.bytes.extend_from_slice(b"\r\n");
    }
}

/// The reply to a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// A value.
    Value(Value),
    /// The command is not known, or the user may not run it.
    CommandRefused,
    /// The user may not access the key.
    KeyRefused,
    /// The key is on another node.
    Moved(Redirect),
    /// Another error.
    Error(String),
}

/// The node of a key that is on another node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Redirect {
    /// Another node has its slot.
    Moved,
    /// Its slot moves to the node at this address, which has the key already.
    Ask(String, u16),
}

impl Link {
    /// Opens a connection.
    pub(crate) fn open(server: &Server) -> Result<Self, LinkError> {
        Self::open_within(server, REPLY_TIMEOUT)
    }

    /// Opens a connection to a server that may never reply, and gives it less time for that.
    pub(crate) fn open_first(server: &Server) -> Result<Self, LinkError> {
        Self::open_within(server, FIRST_REPLY_TIMEOUT)
    }

    fn open_within(server: &Server, reply: Duration) -> Result<Self, LinkError> {
        if let Some((host, port)) = server.tcp() {
            let socket = Socket::open(host, port, CONNECT_TIMEOUT, reply);
            let mut link = Self { transport: Transport::Tcp(socket.map_err(|error| lost(&error.into()))?) };
            for request in server.greeting() {
                let parts: Vec<&[u8]> = request.iter().map(String::as_bytes).collect();
                link.greet(&parts)?;
            }
            return Ok(link);
        }
        let connection = server.connect(CONNECT_TIMEOUT).map_err(|error| not_connected(&error))?;
        connection.set_read_timeout(Some(reply)).map_err(|error| not_connected(&error))?;
        connection.set_write_timeout(Some(reply)).map_err(|error| not_connected(&error))?;
        Ok(Self { transport: Transport::Other(connection) })
    }

    /// Authenticates, or selects the database.
    fn greet(&mut self, request: &[&[u8]]) -> Result<(), LinkError> {
        match self.ask(request)? {
            Reply::Value(_) => Ok(()),
            other => Err(LinkError::Refused(other.describe())),
        }
    }

    /// Sends requests without waiting for the replies.
    pub(crate) fn send(&mut self, requests: &Requests) -> Result<(), LinkError> {
        if requests.bytes.is_empty() {
            return Ok(());
        }
        let sent = match &mut self.transport {
            Transport::Tcp(socket) => socket.send(&requests.bytes).map_err(RedisError::from),
            Transport::Other(connection) => connection.send_packed_command(&requests.bytes),
        };
        sent.map_err(|error| lost(&error))
    }

    /// Receives the next reply.
    pub(crate) fn receive(&mut self) -> Result<Reply, LinkError> {
        self.receive_short(usize::MAX)
    }

    /// Receives the next reply. Without TLS, strings of more than this many bytes are skipped: `Nil` is in their place.
    pub(crate) fn receive_short(&mut self, longest: usize) -> Result<Reply, LinkError> {
        let received = match &mut self.transport {
            Transport::Tcp(socket) => socket.receive(longest),
            Transport::Other(connection) => connection.recv_response(),
        };
        match received {
            Ok(Value::ServerError(error)) => reply(&RedisError::from(error)),
            Ok(value) => Ok(Reply::Value(value)),
            Err(error) => reply(&error),
        }
    }

    /// Asks that reads on this connection are no use of the keys. Returns whether the server can do that.
    pub(crate) fn set_no_touch(&mut self) -> Result<bool, LinkError> {
        Ok(matches!(self.ask(&[b"CLIENT", b"NO-TOUCH", b"ON"])?, Reply::Value(_)))
    }

    /// Sends a request and receives its reply.
    pub(crate) fn ask(&mut self, parts: &[&[u8]]) -> Result<Reply, LinkError> {
        let mut requests = Requests::default();
        requests.push(parts);
        self.send(&requests)?;
        self.receive()
    }
}

/// Replies that say that the server is not ready are errors of the connection.
fn reply(error: &RedisError) -> Result<Reply, LinkError> {
    match error.kind() {
        ErrorKind::Server(ServerErrorKind::Moved) => return Ok(Reply::Moved(Redirect::Moved)),
        ErrorKind::Server(ServerErrorKind::Ask) => {
            return Ok(Reply::Moved(
                error.redirect_node().and_then(|(address, _)| ask(address)).unwrap_or(Redirect::Moved),
            ));
        }
        ErrorKind::Server(
            ServerErrorKind::BusyLoading
            | ServerErrorKind::TryAgain
            | ServerErrorKind::ClusterDown
            | ServerErrorKind::MasterDown,
        ) => return Err(LinkError::NotReady(message(error))),
        ErrorKind::Server(_) | ErrorKind::Extension => {}
        _ => return Err(lost(error)),
    }
    let text = message(error);
    match error.code() {
        Some("BUSY") => Err(LinkError::NotReady(text)),
        Some("NOAUTH") => Err(LinkError::Refused(text)),
        Some("NOPERM") if text.contains("to run") => Ok(Reply::CommandRefused),
        Some("NOPERM") => Ok(Reply::KeyRefused),
        _ if text.contains("unknown command") || text.contains("unknown subcommand") => Ok(Reply::CommandRefused),
        _ => Ok(Reply::Error(text)),
    }
}

/// The node that a reply names, with its host and its port. An IPv6 address contains more colons.
fn ask(address: &str) -> Option<Redirect> {
    let (host, port) = address.rsplit_once(':')?;
    Some(Redirect::Ask(host.to_owned(), port.parse().ok()?))
}

fn lost(error: &RedisError) -> LinkError {
    let text = if error.is_timeout() { "it does not reply".to_owned() } else { message(error) };
    // A certificate does not become valid within seconds.
    if rejected::is_about(&text) { LinkError::Refused(text) } else { LinkError::Unavailable(text) }
}

/// The failure for a server that refuses the client.
pub(crate) fn refused(server: &Server, why: &str) -> Failure {
    if let Some(failure) = rejected::failure(server, why) {
        return failure;
    }
    let failure = Failure::new(format!("{server} refuses the connection: {why}"));
    if ["NOAUTH", "WRONGPASS"].iter().any(|code| why.starts_with(code)) {
        return failure.help(format!(
            "set the password in `{PASSWORD}`, or use `--askpass` or `--password-file`; `--user` names another user"
        ));
    }
    failure
}

fn not_connected(error: &RedisError) -> LinkError {
    let text = message(error);
    match (error.kind(), error.code()) {
        (
            ErrorKind::AuthenticationFailed
            | ErrorKind::InvalidClientConfig
            | ErrorKind::Server(ServerErrorKind::ResponseError),
            _,
        )
        | (_, Some("NOAUTH" | "WRONGPASS" | "NOPERM")) => LinkError::Refused(text),
        _ => lost(error),
    }
}

/// An error's message, safe to print.
fn message(error: &RedisError) -> String {
    match (error.code(), error.detail()) {
        (Some(code), Some(detail)) => printable(format!("{code} {detail}")),
        _ => printable(error.to_string()),
    }
}

impl Reply {
    /// A string's bytes.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        if let Self::Value(value) = self { value::bytes(value) } else { None }
    }

    /// The reply in a few words, without its content.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Value(_) => "a value of another type".to_owned(),
            Self::CommandRefused => "the command is refused".to_owned(),
            Self::KeyRefused => "the key is refused".to_owned(),
            Self::Moved(_) => "the key is on another node".to_owned(),
            Self::Error(text) => text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_adding_make_the_same_bytes() {
        let (mut one, mut other) = (Requests::default(), Requests::default());
        one.push(&[b"TYPE", b"a\r\n\xff"]);
        one.push(&[b"MEMORY", b"USAGE", b"a\r\n\xff"]);
        other.push_for_key(&[b"*2\r\n$4\r\nTYPE\r\n", b"*3\r\n$6\r\nMEMORY\r\n$5\r\nUSAGE\r\n"], b"a\r\n\xff");
        assert_eq!(one.bytes, other.bytes);
        assert_eq!(
            one.bytes,
            b"*2\r\n$4\r\nTYPE\r\n$4\r\na\r\n\xff\r\n*3\r\n$6\r\nMEMORY\r\n$5\r\nUSAGE\r\n$4\r\na\r\n\xff\r\n"
        );
    }
}
