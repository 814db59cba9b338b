//! What can go wrong.

mod cause;
mod field;
mod server;
#[cfg(test)]
mod tests;
mod text;

use std::{error, fmt};

use redis_keys_core::Rule;

pub(crate) use cause::{Cause, ExpiryFault};
pub(crate) use field::FieldFault;
pub(crate) use server::{is_no_script, is_wrong_type, of_redis};

use crate::schema::Schema;

/// Why a command was refused or failed. It never holds a value, nor the text of a parameter that was refused.
///
/// ```
/// use redis_keys::{ErrorKind, Rule, Sent, prelude::*};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user}:string, value = String, ttl = 1h)]
/// struct Name<'a> { user: &'a str }
///
/// let error = Name { user: "adA" }.key().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "user:name:{user}:string (Name): parameter `user` contains an upper-case letter at byte 3: \
///      lower-case it, or add `#[redis_key(digest)]` to the field (rule lower-case); nothing was sent",
/// );
/// assert_eq!(error.kind(), ErrorKind::Parameter);
/// assert_eq!(error.rule(), Some(Rule::LowerCase));
/// assert_eq!(error.sent(), Sent::No);
/// ```
#[derive(Clone)]
pub struct Error {
    // One pointer, so that results stay small on the way that is taken nearly always.
    inner: Box<Inner>,
}

#[derive(Clone)]
struct Inner {
    schema: &'static Schema,
    key: Option<Box<str>>,
    sent: Sent,
    cause: Cause,
}

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A parameter's text breaks a rule.
    Parameter,
    /// The key would be longer than 128 bytes.
    KeyLength,
    /// A text is no key of the declaration.
    Parse,
    /// The value is larger than the declaration allows.
    ValueSize,
    /// The collection would have more elements than the declaration allows. It is unchanged.
    CollectionSize,
    /// One call asks for, or brings, more elements than one call may.
    TooMany,
    /// The value has no stored form: a float that is not finite, or a type that serde cannot write.
    Encode,
    /// What is stored is not a value of the declared form.
    Decode,
    /// An argument is none that Redis takes: a score that is no number, a place that is not on the map,
    /// a number that does not fit into its bits.
    Argument,
    /// The expiry asked for is none, or longer than the declared one, or longer than Redis can count; or the key's expiry
    /// counts from the end of a span of the calendar that is over.
    Expiry,
    /// A count would leave the range of its type, or a score would be no number. The stored one is unchanged.
    OutOfRange,
    /// Others have changed the value each time that it was to be updated, and it is theirs; or slots of a cluster have moved each
    /// time that a scan looked where they are.
    Contended,
    /// The connection cannot do what is asked of it.
    Unsupported,
    /// The keys of an atomic group have not the same hash tag.
    HashTag,
    /// The member from which a command starts is not there.
    NoMember,
    /// The key holds another Redis type than the declared one.
    WrongType,
    /// The server answered with an error.
    Server,
    /// The server answered with something that is no answer to the command.
    UnexpectedReply,
    /// The connection failed.
    Connection,
}

/// Whether a command reached the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sent {
    /// Nothing was sent, so nothing has changed.
    No,
    /// The connection failed under way: the server may have run the command or not.
    Maybe,
    /// The server has answered.
    Yes,
}

impl Error {
    #[cold]
    pub(crate) fn new(schema: &'static Schema, key: Option<Box<str>>, sent: Sent, cause: Cause) -> Self {
        Self { inner: Box::new(Inner { schema, key, sent, cause }) }
    }

    /// A refusal before anything was sent.
    #[cold]
    pub(crate) fn refused(schema: &'static Schema, key: Option<Box<str>>, cause: Cause) -> Self {
        Self::new(schema, key, Sent::No, cause)
    }

    /// The same, but that nothing was sent, or nothing that has changed anything.
    #[cfg(feature = "aio")]
    pub(crate) fn unsent(mut self) -> Self {
        self.inner.sent = Sent::No;
        self
    }

    /// Whether the node of a cluster that has the key does not serve it just now. Of one that cannot be reached others say that
    /// the key is there, and later that nobody has it.
    pub(crate) fn is_of_lost_node(&self) -> bool {
        match &self.inner.cause {
            Cause::Connection(_) => true,
            Cause::Server { refusal: Some(refusal), .. } => {
                ["CLUSTERDOWN", "LOADING", "MASTERDOWN", "MOVED"].contains(&refusal.code)
            }
            _ => false,
        }
    }

    /// The declaration of the key.
    pub fn schema(&self) -> &'static Schema {
        self.inner.schema
    }

    /// The key, unless it is the key that was refused.
    pub fn key(&self) -> Option<&str> {
        self.inner.key.as_deref()
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.inner.cause.kind()
    }

    /// Whether the command reached the server.
    pub fn sent(&self) -> Sent {
        self.inner.sent
    }

    /// The rule that was broken, if one was.
    pub fn rule(&self) -> Option<Rule> {
        self.inner.cause.rule()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { schema, key, sent, cause } = &*self.inner;
        write!(f, "{} ({}): ", key.as_deref().unwrap_or(schema.template), schema.name)?;
        text::describe(cause, schema, f)?;
        if let Some(rule) = cause.rule() {
            write!(f, " (rule {rule})")?;
        }
        f.write_str(match sent {
            // Nothing was to be sent.
            Sent::No if self.kind() == ErrorKind::Parse => "",
            Sent::No => "; nothing was sent",
            Sent::Maybe => "; the command may have been sent",
            Sent::Yes => "",
        })
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.kind())
            .field("sent", &self.sent())
            .field("text", &format_args!("{self}"))
            .finish()
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.inner.cause {
            // With a detail it can be a text that the server chose.
            Cause::Connection(source) if source.detail().is_none() => Some(source),
            _ => None,
        }
    }
}
