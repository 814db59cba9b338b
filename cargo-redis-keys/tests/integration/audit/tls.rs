//! TLS, in front of a server that may be built without it.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use redis_keys::testing::Server;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::copy_bidirectional;
use tokio_rustls::TlsAcceptor;

use super::run::{audit, fill, start};

// Created with `openssl` for these tests: an authority, and a certificate for 127.0.0.1.
const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/tls/authority.pem");
const CERTIFICATE: &[u8] = include_bytes!("../../../../tests/tls/certificate.pem");
const KEY: &[u8] = include_bytes!("../../../../tests/tls/key.pem");

// The same for clients.
const CLIENT_AUTHORITY: &[u8] = include_bytes!("../../tls/client-authority.pem");
const CLIENT_CERTIFICATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls/client.pem");
const CLIENT_KEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls/client-key.pem");

fn acceptor(asks_for_certificate: bool) -> TlsAcceptor {
    let _ = rustls_graviola::default_provider().install_default();
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
    let builder = if asks_for_certificate {
        let mut authorities = RootCertStore::empty();
        authorities.add(CertificateDer::from_pem_slice(CLIENT_AUTHORITY).unwrap()).unwrap();
        let verifier = WebPkiClientVerifier::builder(Arc::new(authorities)).build().unwrap();
        ServerConfig::builder().with_client_cert_verifier(verifier)
    } else {
        ServerConfig::builder().with_no_client_auth()
    };
    Arc::new(builder.with_single_cert(vec![certificate], key).unwrap()).into()
}

/// Accepts connections over TLS and forwards them to a server, until the process ends. Returns its URL.
fn start_proxy(server: &Server, asks_for_certificate: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("rediss://127.0.0.1:{}/", listener.local_addr().unwrap().port());
    let (acceptor, port) = (acceptor(asks_for_certificate), server.port());
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let tokio = |stream: TcpStream| {
            stream.set_nonblocking(true).unwrap();
            tokio::net::TcpStream::from_std(stream)
        };
        runtime.block_on(async {
            listener.set_nonblocking(true).unwrap();
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            while let Ok((client, _)) = listener.accept().await {
                let (acceptor, server) = (acceptor.clone(), tokio(TcpStream::connect(("127.0.0.1", port)).unwrap()));
                tokio::spawn(
                    async move { copy_bidirectional(&mut acceptor.accept(client).await?, &mut server?).await },
                );
            }
        });
    });
    url
}

#[test]
fn an_own_authority_is_trusted() {
    let (server, mut con) = start();
    fill(&mut con, 3_000);
    let url = start_proxy(&server, false);
    assert_eq!(audit(&[&url, "--full-speed", "--cacert", AUTHORITY]).keys(), 3_000);
    assert_eq!(audit(&[&url, "--max-latency", "1s", "--cacert", AUTHORITY]).keys(), 3_000);
    // The authorities of the system did not sign the certificate.
    let unknown = audit(&[&url]);
    assert!(unknown.failure().contains("is rejected: no authority that is trusted here has signed it"), "{unknown:?}");
    assert!(unknown.stderr.contains("help: name its authority with `--cacert FILE`"), "{unknown:?}");
    let plain_url = url.replace("rediss://", "redis://");
    let plain = audit(&[&plain_url]);
    assert!(plain.failure().contains("with TLS, write `rediss://`"), "{plain:?}");
    // A server without TLS would get the password in plain text.
    let certificate = ["--cert", CLIENT_CERTIFICATE, "--tls-key", CLIENT_KEY];
    for options in [&["--cacert", AUTHORITY][..], &certificate] {
        let plain = audit(&[&[server.url().as_str()], options].concat());
        let message = format!("`{}` is for TLS, but the URL connects without", options[0]);
        assert!(plain.failure().contains(&message) && plain.stderr.contains("help: write `rediss://`"), "{plain:?}");
    }
}

#[test]
fn a_client_has_a_certificate() {
    let (server, mut con) = start();
    fill(&mut con, 3_000);
    let url = start_proxy(&server, true);
    let options = [url.as_str(), "--full-speed", "--cacert", AUTHORITY];
    let certificate = ["--cert", CLIENT_CERTIFICATE, "--key", CLIENT_KEY];
    assert_eq!(audit(&[&options[..], &certificate].concat()).keys(), 3_000);
    let without = audit(&options);
    assert!(without.failure().contains("asks for the certificate of a client"), "{without:?}");
    assert!(without.stderr.contains("help: name it with `--cert FILE --tls-key FILE`"), "{without:?}");
    // The authority of the server did not sign it.
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/tls/");
    let [other, key] = ["certificate.pem", "key.pem"].map(|file| format!("{other}{file}"));
    let refused = audit(&[&options[..], &["--cert", &other, "--tls-key", &key]].concat());
    assert!(refused.failure().contains("rejects the certificate of `--cert`: "), "{refused:?}");
    let mixed = audit(&[&options[..], &["--cert", &other, "--tls-key", CLIENT_KEY]].concat());
    assert!(mixed.failure().contains("`--tls-key` is not the private key of the certificate"), "{mixed:?}");
    let swapped = audit(&[&options[..], &["--cert", CLIENT_KEY, "--tls-key", CLIENT_CERTIFICATE]].concat());
    assert!(swapped.failure().contains(&format!("`{CLIENT_KEY}` has no certificate in PEM form")), "{swapped:?}");
    assert!(!without.stderr.contains("BEGIN"), "{without:?}");
    assert!(audit(&[&options[..], &certificate[..2]].concat()).failure().contains("--tls-key"));
}
