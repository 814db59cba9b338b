//! A proxy whose connections fall silent, as those of a host that is gone do, and whose address leads elsewhere later.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU16};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use redis_keys::testing::Server;

/// A proxy in front of a server, which knows on which connections the server says what has changed.
pub(super) struct SilentProxy {
    port: u16,
    is_silent: Arc<AtomicBool>,
    /// The port of the server of new connections.
    server: Arc<AtomicU16>,
    connections: Arc<Mutex<Vec<ProxyConnection>>>,
}

/// A connection of a client, and whether the server says on it what has changed.
struct ProxyConnection {
    client: TcpStream,
    is_tracked: Arc<AtomicBool>,
}

impl SilentProxy {
    pub(super) fn start(server: &Server) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let proxy = Self {
            port,
            is_silent: Arc::default(),
            server: Arc::new(AtomicU16::new(server.port())),
            connections: Arc::default(),
        };
        let (is_silent, server) = (Arc::clone(&proxy.is_silent), Arc::clone(&proxy.server));
        let connections = Arc::clone(&proxy.connections);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect((Ipv4Addr::LOCALHOST, server.load(SeqCst)));
                let is_tracked = serve(&client, &server.expect("the server accepts"), &is_silent);
                let mut connections = connections.lock().unwrap_or_else(PoisonError::into_inner);
                connections.push(ProxyConnection { client, is_tracked });
            }
        });
        proxy
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// Lets what the server sends on tracked connections be lost, or not any more.
    pub(super) fn be_silent(&self, is_silent: bool) {
        self.is_silent.store(is_silent, SeqCst);
    }

    /// Lets new connections lead to another server, and closes those on which the server does not say what has changed.
    pub(super) fn lead_to(&self, server: &Server) {
        self.server.store(server.port(), SeqCst);
        for connection in self.connections.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            if !connection.is_tracked.load(SeqCst) {
                _ = connection.client.shutdown(std::net::Shutdown::Both);
            }
        }
    }
}

/// Connects both sides. Returns whether the server says on this connection what has changed, which shows later.
fn serve(client: &TcpStream, server: &TcpStream, is_silent: &Arc<AtomicBool>) -> Arc<AtomicBool> {
    let is_tracked = Arc::<AtomicBool>::default();
    let pairs = [(client, server), (server, client)];
    for (index, (from, to)) in pairs.into_iter().enumerate() {
        let clones = from.try_clone().and_then(|from| Ok((from, to.try_clone()?)));
        let (mut from, mut to) = clones.expect("sockets can be cloned");
        let (is_silent, is_tracked) = (Arc::clone(is_silent), Arc::clone(&is_tracked));
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(length @ 1..) = from.read(&mut buffer) {
                let bytes = buffer.get(..length).unwrap_or_default();
                if index == 0 && bytes.windows(8).any(|word| word == b"TRACKING") {
                    is_tracked.store(true, SeqCst);
                }
                let is_lost = index == 1 && is_tracked.load(SeqCst) && is_silent.load(SeqCst);
                if !is_lost && to.write_all(bytes).is_err() {
                    break;
                }
            }
            // A side that is closed closes the other one.
            _ = to.shutdown(std::net::Shutdown::Both);
        });
    }
    is_tracked
}
