//! Rejected certificates in plain words.
//!
//! The library for TLS reports them as text: a sentence, or the name of one of its values.

use super::server::Server;
use crate::Failure;
use crate::render::units::duration;

/// The text before the cause for which the certificate of a server is rejected.
const OF_SERVER: &str = "invalid peer certificate: ";

/// The text before the message with which a server ends the connection.
const BY_SERVER: &str = "received fatal alert: ";

/// The causes for which the certificate of a server is rejected, each with the text of the library, the same in plain
/// words, and the remedy.
const CAUSES: [(&str, &str, &str); 7] = [
    ("UnknownIssuer", "no authority that is trusted here has signed it", "name its authority with `--cacert FILE`"),
    (
        "CaUsedAsEndEntity",
        "it is the certificate of an authority, with `CA:TRUE`",
        "let this authority sign a certificate for the server",
    ),
    ("UnsupportedCertVersion", "it has version 1, which names no host", "make one with a `subjectAltName`"),
    ("BadEncoding", "it is damaged", "make a new one"),
    ("BadSignature", "its signature is wrong", "make a new one, or name its authority with `--cacert FILE`"),
    (
        "certificate is not valid for any names",
        "it names no host",
        "make one with the host of the URL in its `subjectAltName`",
    ),
    ("key usage for server", "it is not one for servers", "make one with `serverAuth` in its `extendedKeyUsage`"),
];

/// The failure for an error of TLS if it is about a certificate: the server's, or the client's.
pub(super) fn failure(server: &Server, error: &str) -> Option<Failure> {
    if let Some((_, cause)) = error.split_once(OF_SERVER) {
        let (why, help) = of_server(server, cause);
        return Some(Failure::new(format!("the certificate of {server} is rejected: {why}")).help(help));
    }
    if error.contains("KeyMismatch") {
        let failure = Failure::new("`--tls-key` is not the private key of the certificate of `--cert`");
        return Some(failure.help("name the two files that belong together"));
    }
    let (_, alert) = error.split_once(BY_SERVER)?;
    let why = match alert {
        "CertificateRequired" => {
            let message = format!("{server} asks for the certificate of a client");
            return Some(Failure::new(message).help("name it with `--cert FILE --tls-key FILE`"));
        }
        "UnknownCA" => "it does not know its authority",
        "CertificateExpired" => "it has expired, or is not valid yet",
        "CertificateRevoked" => "it is revoked",
        "BadCertificate" | "CertificateUnknown" | "UnsupportedCertificate" => "it gives no reason",
        _ => return None,
    };
    let message = format!("{server} rejects the certificate of `--cert`: {why}");
    Some(Failure::new(message).help("name one that an authority of the server has signed"))
}

/// Whether an error of TLS is about a certificate.
pub(super) fn is_about(error: &str) -> bool {
    error.contains(OF_SERVER)
        || error.split_once(BY_SERVER).is_some_and(|(_, alert)| alert.contains("Certificate") || alert == "UnknownCA")
}

/// The reason for which the certificate of a server is rejected, and the remedy.
fn of_server(server: &Server, cause: &str) -> (String, String) {
    if let Some((_, why, help)) = CAUSES.iter().find(|(text, ..)| cause.contains(text)) {
        return ((*why).to_owned(), (*help).to_owned());
    }
    if let Some((_, names)) = cause.split_once("certificate is only valid for ") {
        let names = ["DnsName(\"", "IpAddress(", "\")", ")"]
            .iter()
            .fold(names.to_owned(), |names, part| names.replace(part, ""));
        let help = format!("connect to that, or make one with {} in its `subjectAltName`", server.host());
        return (format!("it is for {names}, not for {}", server.host()), help);
    }
    let seconds = |end: &str| {
        let (before, _) = cause.split_once(end)?;
        before.rsplit_once('(')?.1.parse::<u64>().ok().map(|seconds| duration(seconds.saturating_mul(1_000)))
    };
    if let Some(since) = seconds(" seconds ago") {
        return (format!("it expired {since} ago"), "renew it, or correct the clock of this machine".to_owned());
    }
    if let Some(until) = seconds(" seconds in future") {
        return (format!("it is valid only in {until}"), "correct the clocks, or make a new one".to_owned());
    }
    // The names of types around the cause.
    let cause = cause.split_once("Other(OtherError(").map_or(cause, |(_, cause)| cause.trim_end_matches(')'));
    (cause.to_owned(), "make one that TLS 1.2 and 1.3 accept".to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_rejected_in_plain_words() {
        let server = Server::parse("rediss://10.0.0.5", "the URL").unwrap();
        for (error, expected) in [
            (
                "invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))",
                "the certificate of 10.0.0.5:6379 is rejected: it is the certificate of an authority, with `CA:TRUE`\n\
                 help: let this authority sign a certificate for the server",
            ),
            (
                "invalid peer certificate: certificate not valid for name \"10.0.0.5\"; certificate is only valid for \
                 DnsName(\"a.example\") or IpAddress(10.0.0.6)",
                "the certificate of 10.0.0.5:6379 is rejected: it is for a.example or 10.0.0.6, not for 10.0.0.5\n\
                 help: connect to that, or make one with 10.0.0.5 in its `subjectAltName`",
            ),
            (
                "invalid peer certificate: certificate not valid for name \"10.0.0.5\"; certificate is not valid for any \
                 names (according to its subjectAltName extension)",
                "the certificate of 10.0.0.5:6379 is rejected: it names no host\n\
                 help: make one with the host of the URL in its `subjectAltName`",
            ),
            (
                "invalid peer certificate: certificate expired: verification time 1795678495 (UNIX), but certificate is \
                 not valid after 1609459200 (186219295 seconds ago)",
                "the certificate of 10.0.0.5:6379 is rejected: it expired 2155d7h ago\n\
                 help: renew it, or correct the clock of this machine",
            ),
            (
                "invalid peer certificate: certificate not valid yet: verification time 1 (UNIX), but certificate is not \
                 valid before 90001 (90000 seconds in future)",
                "the certificate of 10.0.0.5:6379 is rejected: it is valid only in 1d1h\n\
                 help: correct the clocks, or make a new one",
            ),
            (
                "invalid peer certificate: Other(OtherError(PathLenConstraintViolated))",
                "the certificate of 10.0.0.5:6379 is rejected: PathLenConstraintViolated\n\
                 help: make one that TLS 1.2 and 1.3 accept",
            ),
            (
                "received fatal alert: CertificateRequired",
                "10.0.0.5:6379 asks for the certificate of a client\nhelp: name it with `--cert FILE --tls-key FILE`",
            ),
            (
                "received fatal alert: UnknownCA",
                "10.0.0.5:6379 rejects the certificate of `--cert`: it does not know its authority\n\
                 help: name one that an authority of the server has signed",
            ),
        ] {
            assert_eq!(failure(&server, error).unwrap().to_string(), expected);
            assert!(is_about(error), "{error}");
        }
        for error in ["received fatal alert: ProtocolVersion", "it does not reply", "ERR no certificate"] {
            assert!(failure(&server, error).is_none() && !is_about(error), "{error}");
        }
    }
}
