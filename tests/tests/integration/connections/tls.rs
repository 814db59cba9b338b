//! TLS, in front of a server that may be built without it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use redis::{Client, TlsCertificates};
use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::testing::{self, Cluster, Server};
use redis_keys::{ConnectOptions, SendStatus, cluster, connect, connect_with};
use redis_keys_tests::{Con, wait_until};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::block_on;
use super::commands::{Name, run_all, run_all_blocking};

// Created with `openssl ca` for these tests: an authority and a certificate for 127.0.0.1.
const AUTHORITY: &[u8] = include_bytes!("../../../tls/authority.pem");
const CERTIFICATE: &[u8] = include_bytes!("../../../tls/certificate.pem");
const KEY: &[u8] = include_bytes!("../../../tls/key.pem");

fn acceptor() -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).expect("the certificate is valid");
    let key = PrivateKeyDer::from_pem_slice(KEY).expect("the key is valid");
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key);
    Arc::new(config.expect("the key matches the certificate")).into()
}

/// Accepts connections over TLS and forwards them to the port of a server. Returns its own port.
async fn start_proxy(server: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let port = listener.local_addr().expect("the listener has an address").port();
    let acceptor = acceptor();
    tokio::spawn(async move {
        while let Ok((client_stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let mut client_stream = acceptor.accept(client_stream).await?;
                let mut server_stream = TcpStream::connect(("127.0.0.1", server)).await?;
                copy_bidirectional(&mut client_stream, &mut server_stream).await
            });
        }
    });
    port
}

#[test]
fn commands_run_over_tls() {
    // redis-rs leaves the choice of a provider to the program.
    let _ = rustls_graviola::default_provider().install_default();
    let server = Server::start().expect("a server starts");
    let mut plain = Con::blocking(&server.url());
    let _: String = plain.raw(&["CONFIG", "SET", "requirepass", "sesame"]);
    block_on(async {
        let url = format!("rediss://:sesame@127.0.0.1:{}/", start_proxy(server.port()).await);
        let certificates = TlsCertificates { client_tls: None, root_cert: Some(AUTHORITY.to_vec()) };
        let client = Client::build_with_tls(url.as_str(), certificates).expect("the address is valid");
        let mut con = connect_with(client.clone(), ConnectOptions::new()).expect("the address is valid");
        run_all(&mut con).await.expect("every command succeeds");
        testing::assert_all_expire_async(&con, "").await;

        let _: String = plain.raw(&["FLUSHALL"]);
        let blocking = tokio::task::spawn_blocking(move || {
            let mut con = client.get_connection().expect("the server replies");
            run_all_blocking(&mut con).expect("every command succeeds");
        });
        blocking.await.expect("the thread does not panic");

        // The default authorities did not sign the certificate.
        let mut con = connect(url).expect("the address is valid");
        let error = Name { id: 1 }.get().query_async(&mut con).await.expect_err("the server is not trusted");
        assert_eq!(error.sent(), SendStatus::No, "{error}");
    });
}

#[derive(RedisKey)]
#[redis_key(tls:number:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10s))]
struct Number {
    id: u64,
}

/// The tracked connection has the certificates and the password of the other one.
#[test]
fn near_copies_are_read_over_tls() {
    let _ = rustls_graviola::default_provider().install_default();
    let server = Server::start().expect("a server starts");
    let mut plain = Con::blocking(&server.url());
    let _: String = plain.raw(&["CONFIG", "SET", "requirepass", "sesame"]);
    block_on(async {
        let url = format!("rediss://:sesame@127.0.0.1:{}/", start_proxy(server.port()).await);
        let certificates = TlsCertificates { client_tls: None, root_cert: Some(AUTHORITY.to_vec()) };
        let client = Client::build_with_tls(url.as_str(), certificates).expect("the address is valid");
        let con = connect_with(client, ConnectOptions::new()).expect("the address is valid");
        let (cache, key) = (Cache::new(con.clone()), Number { id: 1 });
        let read = async || {
            let load = async || Ok::<_, Infallible>(Some(1));
            cache.get_or_load(&key, load).await.expect("the loader does not fail")
        };
        let ends = Instant::now() + Duration::from_secs(60);
        while cache.stats().near.hits == 0 {
            assert_eq!(read().await, Some(1));
            assert!(Instant::now() < ends, "no copy is served");
        }
        let _: String = plain.raw(&["SET", &key.key().expect("the key is valid"), "2", "EX", "60"]);
        while read().await != Some(2) {
            assert!(Instant::now() < ends, "the change is not seen");
        }
    });
}

/// The nodes announce the ports of their proxies.
#[test]
fn every_node_of_a_cluster_is_reached_over_tls() {
    let _ = rustls_graviola::default_provider().install_default();
    let cluster = Cluster::start().expect("a cluster starts");
    // Before version 7, a node takes another port only when it starts.
    if Con::blocking(&cluster.urls()[0]).raw::<String>(&["INFO", "server"]).contains("redis_version:6.") {
        return;
    }
    block_on(async {
        let mut ports = Vec::new();
        for node in cluster.nodes().expect("the cluster replies") {
            let port = start_proxy(node.port()).await;
            let _: String =
                Con::blocking(&node.url()).raw(&["CONFIG", "SET", "cluster-announce-port", &port.to_string()]);
            ports.push(port);
        }
        let urls = cluster.urls();
        wait_until("every node knows the ports", || {
            urls.iter().all(|url| {
                let nodes: String = Con::blocking(url).raw(&["CLUSTER", "NODES"]);
                ports.iter().all(|port| nodes.contains(&format!(":{port}@")))
            })
        });
        let certificates = TlsCertificates { client_tls: None, root_cert: Some(AUTHORITY.to_vec()) };
        let client = Client::build_with_tls(format!("rediss://127.0.0.1:{}/", ports[0]), certificates);
        let client = client.expect("the address is valid");
        let mut con = cluster::connect_with([client], ConnectOptions::new()).expect("it is a host and a port");
        run_all(&mut con).await.expect("every command succeeds");
    });
}
