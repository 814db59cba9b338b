//! A web service of axum, and requests to it over TCP.

use std::time::Duration;

use axum::Router;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Longer than any request takes on a busy machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A service that runs until this is dropped.
pub(super) struct Web {
    port: u16,
    task: JoinHandle<()>,
}

/// A response, with the names of its headers in lower case.
pub(super) struct Reply {
    pub(super) status: u16,
    headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Web {
    pub(super) async fn start(router: Router) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let task = tokio::spawn(async move { axum::serve(listener, router).await.expect("it serves") });
        Self { port, task }
    }

    /// Sends a request with a header `user`, unless that is empty.
    pub(super) async fn get(&self, path: &str, user: &str) -> Reply {
        request(self.port, path, user).await
    }

    /// Sends this many requests at the same time, and returns their statuses.
    pub(super) async fn get_many(&self, path: &'static str, user: &'static str, number: usize) -> Vec<u16> {
        let port = self.port;
        let requests: Vec<_> = (0..number).map(|_| tokio::spawn(request(port, path, user))).collect();
        let mut statuses = Vec::new();
        for request in requests {
            statuses.push(request.await.expect("a request does not panic").status);
        }
        statuses
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Sends a request, and fails if the service does not reply in time.
async fn request(port: u16, path: &str, user: &str) -> Reply {
    tokio::time::timeout(PATIENCE, exchange(port, path, user)).await.expect("the service replies in time")
}

async fn exchange(port: u16, path: &str, user: &str) -> Reply {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the service listens");
    let user = if user.is_empty() { String::new() } else { format!("user: {user}\r\n") };
    let text = format!("GET {path} HTTP/1.1\r\nhost: test\r\n{user}connection: close\r\n\r\n");
    stream.write_all(text.as_bytes()).await.expect("the service listens");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.expect("the service replies");
    let (head, body) = reply.split_once("\r\n\r\n").expect("the reply has a head");
    let (status, headers) = head.split_once("\r\n").expect("the reply has headers");
    let status = status.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status is a number");
    let headers = headers.lines().filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    Reply { status, headers, body: body.to_owned() }
}

impl Reply {
    /// The values of a header.
    pub(super) fn headers(&self, name: &str) -> Vec<&str> {
        self.headers.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Asserts the headers of a limit, of which a response without a limit has none.
    #[track_caller]
    pub(super) fn assert_limits(&self, policy: &[&str], limit: &[&str], retry_after: &[&str]) {
        assert_eq!(self.headers("ratelimit-policy"), policy);
        assert_eq!(self.headers("ratelimit"), limit);
        assert_eq!(self.headers("retry-after"), retry_after);
    }
}

/// A connection without a time limit of its own.
pub(super) async fn manager(url: &str) -> ConnectionManager {
    let config = ConnectionManagerConfig::new().set_response_timeout(None);
    let client = redis::Client::open(url).expect("the address is valid");
    client.get_connection_manager_with_config(config).await.expect("the server replies")
}
