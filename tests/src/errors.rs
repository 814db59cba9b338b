//! Tables of commands that must fail.

use redis_keys::{Error, ErrorKind, SendStatus};

/// Runs the commands of each list with the method of [`Con`](crate::Con) named before it, and collects their errors:
/// `errors!(con, run: [set.sadd("x"), set.scard()], scan: [set.sscan()])`.
///
/// The text of a command is the name of its case.
#[macro_export]
macro_rules! errors {
    ($con:ident, $($method:ident: [$($command:expr),* $(,)?]),* $(,)?) => {
        $crate::Errors::default()$($(.with(stringify!($command), $con.$method($command)))*)*
    };
}

/// The errors of several commands, each with the text of its command.
#[derive(Default)]
pub struct Errors(Vec<(&'static str, Error)>);

impl Errors {
    /// Adds a result, which must be an error and must not show what the tests store: `hidden` or `secret`.
    #[track_caller]
    pub fn with<T>(mut self, command: &'static str, result: Result<T, Error>) -> Self {
        let Err(error) = result else { panic!("`{command}` does not fail") };
        let text = format!("{error}{error:?}");
        assert!(!text.contains("hidden") && !text.contains("secret"), "`{command}` shows stored text: {text}");
        self.0.push((command, error));
        self
    }

    /// Asserts the kind of each error.
    #[track_caller]
    pub fn assert_kind(&self, kind: ErrorKind) -> &Self {
        self.all(|command, error| assert_eq!(error.kind(), kind, "`{command}`: {error}"))
    }

    /// Asserts that each command was sent, or may have been, or was not: one of `sent`.
    #[track_caller]
    pub fn assert_sent(&self, sent: &[SendStatus]) -> &Self {
        self.all(|command, error| assert!(sent.contains(&error.sent()), "`{command}`: {error}"))
    }

    /// Asserts the key of each error.
    #[track_caller]
    pub fn assert_key(&self, key: &str) -> &Self {
        self.all(|command, error| assert_eq!(error.key(), Some(key), "`{command}`: {error}"))
    }

    /// Asserts a part of the message of each error.
    #[track_caller]
    pub fn assert_message(&self, text: &str) -> &Self {
        self.all(|command, error| assert!(error.to_string().contains(text), "`{command}` lacks `{text}`: {error}"))
    }

    /// Asserts the start of the message of each error.
    #[track_caller]
    pub fn assert_message_start(&self, text: &str) -> &Self {
        self.all(|command, error| assert!(error.to_string().starts_with(text), "`{command}`: {error}"))
    }

    #[track_caller]
    fn all(&self, assert: impl Fn(&str, &Error)) -> &Self {
        for (command, error) in &self.0 {
            assert(command, error);
        }
        self
    }
}
