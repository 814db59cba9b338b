//! A server's user, in the words of `ACL SETUSER` and of an ACL file.

use std::fmt;

use serde::Serialize;

/// A user of a server.
pub(crate) struct ServerUser<'u> {
    pub(crate) name: &'u str,
    /// What the user may do without a selector.
    pub(crate) root: Selector,
    /// The selectors, or `None` for servers that know none: Redis before 7.0.
    pub(crate) selectors: Option<Vec<Selector>>,
}

/// Commands, and the keys and channels with which a user may send them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Selector {
    /// The patterns of keys.
    pub(crate) keys: Vec<String>,
    /// The patterns of channels.
    pub(crate) channels: Vec<String>,
    /// The commands in lower case, such as `get` and `cluster|slots`.
    pub(crate) commands: Vec<String>,
}

impl<'u> ServerUser<'u> {
    /// A user that may send these commands with every key. `~*` with commands that only read equals `%R~*`, which Redis
    /// 6.2 lacks.
    pub(crate) fn of_every_key(name: &'u str, commands: &str) -> Self {
        let commands = commands.split_whitespace().map(str::to_owned).collect();
        let root = Selector { keys: vec!["*".to_owned()], channels: Vec::new(), commands };
        Self { name, root, selectors: None }
    }
}

/// The name, the rules of the root, and each selector. The password is a word to replace.
impl fmt::Display for ServerUser<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, root, selectors } = self;
        write!(f, "{name} on >PASSWORD")?;
        if selectors.is_some() {
            f.write_str(" clearselectors")?;
        }
        f.write_str(" resetkeys")?;
        write_words(f, " ~", &root.keys)?;
        f.write_str(" resetchannels")?;
        write_words(f, " &", &root.channels)?;
        f.write_str(" -@all")?;
        write_words(f, " +", &root.commands)?;
        selectors.iter().flatten().try_for_each(|selector| write!(f, " {selector}"))
    }
}

/// A selector, in parentheses. It can begin with all channels, as `acl-pubsub-default` says.
impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(resetchannels")?;
        write_words(f, " ~", &self.keys)?;
        write_words(f, " &", &self.channels)?;
        write_words(f, " +", &self.commands)?;
        f.write_str(")")
    }
}

fn write_words(f: &mut fmt::Formatter<'_>, before: &str, words: &[String]) -> fmt::Result {
    words.iter().try_for_each(|word| write!(f, "{before}{word}"))
}
