//! Looking up the address of a host.

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;

use redis::io::AsyncDNSResolver;
use redis::{ErrorKind, RedisError, RedisFuture};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// The most lookups at the same time.
const MOST_LOOKUPS: usize = 16;

/// Looks up hosts as redis-rs does, but only some at the same time.
///
/// A lookup blocks a thread of the runtime until the name server replies. If the name server does not reply, this takes
/// ten seconds or more, even if the attempt to connect has ended before. With several attempts a second, lookups would
/// block hundreds of threads, which can be all threads of the runtime.
pub(super) struct Lookups {
    permits: Arc<Semaphore>,
}

impl Default for Lookups {
    fn default() -> Self {
        Self { permits: Arc::new(Semaphore::new(MOST_LOOKUPS)) }
    }
}

impl Lookups {
    /// Runs a lookup in a thread. The lookup has its permit until it ends, even if this future is dropped before.
    async fn run<T: Send + 'static>(&self, lookup: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(io::Error::other)?;
        let lookup = spawn_blocking(move || {
            let found = lookup();
            drop(permit);
            found
        });
        lookup.await.map_err(io::Error::other)?
    }
}

impl AsyncDNSResolver for Lookups {
    fn resolve<'a, 'b: 'a>(
        &'a self,
        host: &'b str,
        port: u16,
    ) -> RedisFuture<'a, Box<dyn Iterator<Item = SocketAddr> + Send + 'a>> {
        Box::pin(async move {
            let found = if let Ok(ip) = host.parse::<IpAddr>() {
                vec![SocketAddr::new(ip, port)]
            } else {
                let host = host.to_owned();
                self.run(move || Ok((host.as_str(), port).to_socket_addrs()?.collect())).await?
            };
            if found.is_empty() {
                return Err(RedisError::from((ErrorKind::Io, "the host has no address")));
            }
            Ok(Box::new(found.into_iter()) as Box<dyn Iterator<Item = SocketAddr> + Send>)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;
    use std::time::Duration;

    use tokio::sync::Mutex;
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn lookups_without_a_reply_block_few_threads() {
        let (lookups, started) = (Lookups::default(), Arc::new(AtomicUsize::new(0)));
        let name_server = Arc::new(Mutex::new(()));
        let is_silent = name_server.lock().await;
        for _ in 0..3 * MOST_LOOKUPS {
            let (started, name_server) = (Arc::clone(&started), Arc::clone(&name_server));
            let lookup = lookups.run(move || {
                started.fetch_add(1, SeqCst);
                drop(name_server.blocking_lock());
                Ok(())
            });
            assert!(timeout(Duration::from_millis(5), lookup).await.is_err());
        }
        assert_eq!(started.load(SeqCst), MOST_LOOKUPS);
        drop(is_silent);
        for host in ["127.0.0.1", "localhost"] {
            let mut found = lookups.resolve(host, 6379).await.unwrap();
            assert!(found.any(|address| address == SocketAddr::from(([127, 0, 0, 1], 6379))), "{host}");
        }
        assert_eq!(lookups.resolve("::1", 1).await.unwrap().next().unwrap().to_string(), "[::1]:1");
    }
}
