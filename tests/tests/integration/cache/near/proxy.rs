//! A proxy whose connections fall silent, as those of a host that is gone do.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;

use redis_keys::testing::Server;

/// A proxy in front of a server, which knows on which connections the server says what has changed.
pub(super) struct SilentProxy {
    port: u16,
    is_silent: Arc<AtomicBool>,
}

impl SilentProxy {
    pub(super) fn start(server: &Server) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let (server, is_silent) = (server.port(), Arc::<AtomicBool>::default());
        let flag = Arc::clone(&is_silent);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect((Ipv4Addr::LOCALHOST, server)).expect("the server accepts");
                serve(&client, &server, &flag);
            }
        });
        Self { port, is_silent }
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// Lets what the server sends on tracked connections be lost, or not any more.
    pub(super) fn be_silent(&self, is_silent: bool) {
        self.is_silent.store(is_silent, SeqCst);
    }
}

fn serve(client: &TcpStream, server: &TcpStream, is_silent: &Arc<AtomicBool>) {
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
}
