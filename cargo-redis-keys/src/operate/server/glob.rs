//! The patterns of `SCAN` and `KEYS`, as servers read them.

/// A pattern of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob(Vec<Token>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// `*`: any number of bytes.
    Many,
    /// `?`, or `[…]`: a byte of these ranges, or with `^` a byte of no range.
    One { ranges: Vec<(u8, u8)>, is_negated: bool },
}

impl Glob {
    pub(crate) fn new(pattern: &str) -> Self {
        let mut rest = pattern.as_bytes();
        let mut tokens = Vec::new();
        while let [first, behind @ ..] = rest {
            rest = behind;
            tokens.push(match (first, behind) {
                (b'*', _) => Token::Many,
                (b'?', _) => Token::One { ranges: Vec::new(), is_negated: true },
                (b'[', _) => class(&mut rest),
                (b'\\', [escaped, behind @ ..]) => {
                    rest = behind;
                    literal(*escaped)
                }
                (byte, _) => literal(*byte),
            });
        }
        Self(tokens)
    }

    /// Whether a key has this pattern.
    pub(crate) fn matches(&self, key: &[u8]) -> bool {
        let (mut token, mut byte) = (0, 0);
        // Behind the last `*`: the token, and the byte to go on with if the rest does not match.
        let mut again: Option<(usize, usize)> = None;
        loop {
            match (self.0.get(token), key.get(byte)) {
                (None, None) => return true,
                (Some(Token::Many), _) => {
                    token += 1;
                    again = Some((token, byte));
                    continue;
                }
                (Some(Token::One { ranges, is_negated }), Some(found))
                    if ranges.iter().any(|(from, to)| (from..=to).contains(&found)) != *is_negated =>
                {
                    (token, byte) = (token + 1, byte + 1);
                    continue;
                }
                _ => {}
            }
            let Some((behind, next)) = again.filter(|(_, next)| *next < key.len()) else { return false };
            (token, byte) = (behind, next + 1);
            again = Some((token, byte));
        }
    }
}

fn literal(byte: u8) -> Token {
    Token::One { ranges: vec![(byte, byte)], is_negated: false }
}

/// Reads the text behind a `[`. A class that is not closed reaches to the end.
fn class(rest: &mut &[u8]) -> Token {
    let is_negated = rest.first() == Some(&b'^');
    if is_negated {
        *rest = rest.get(1..).unwrap_or_default();
    }
    let mut ranges = Vec::new();
    loop {
        let (range, behind) = match rest {
            [b'\\', byte, behind @ ..] => ((*byte, *byte), behind),
            [] => break,
            [b']', behind @ ..] => {
                *rest = behind;
                break;
            }
            [one, b'-', other, behind @ ..] => ((*one.min(other), *one.max(other)), behind),
            [byte, behind @ ..] => ((*byte, *byte), behind),
        };
        ranges.push(range);
        *rest = behind;
    }
    Token::One { ranges, is_negated }
}

/// Whether a key consists of these texts, with any text between them.
pub(crate) fn has_texts(texts: impl IntoIterator<Item: AsRef<[u8]>>, key: &[u8]) -> bool {
    let mut texts = texts.into_iter().peekable();
    let Some(mut rest) = texts.next().and_then(|first| key.strip_prefix(first.as_ref())) else { return false };
    if texts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(text) = texts.next() {
        if texts.peek().is_none() {
            return rest.ends_with(text.as_ref());
        }
        let behind = (0..=rest.len()).find_map(|at| rest.get(at..)?.strip_prefix(text.as_ref()));
        let Some(behind) = behind else { return false };
        rest = behind;
    }
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use fastrand::Rng;
    use redis_keys::testing::Server;

    use super::*;

    #[test]
    fn patterns_match_as_on_a_server() {
        let server = Server::start().unwrap();
        let mut con = redis::Client::open(server.url()).and_then(|client| client.get_connection()).unwrap();
        let mut rng = Rng::with_seed(7);
        let mut text = |alphabet: &[u8], most: usize| -> String {
            (0..rng.usize(1..=most)).map(|_| char::from(alphabet[rng.usize(..alphabet.len())])).collect()
        };
        let keys: Vec<String> = (0..300).map(|_| text(b"aabc:-*]\\", 6)).collect();
        for key in &keys {
            redis::cmd("SET").arg(key).arg("x").exec(&mut con).unwrap();
        }
        let mut matched = 0;
        let fixed = ["a*", "*", "a?c", "[^a]*", "[a-c]*", "[c-a]*", "\\**", "[", "[^", "[a", "[a-]", "a\\", "[\\]]*"];
        let random = (0..3_000).map(|_| text(b"aabc:-**??[[]]^\\", 8)).collect::<Vec<_>>();
        for pattern in fixed.iter().copied().chain(random.iter().map(String::as_str)) {
            let mut expected: Vec<String> = redis::cmd("KEYS").arg(pattern).query(&mut con).unwrap();
            let glob = Glob::new(pattern);
            let mut found: Vec<String> = keys.iter().filter(|key| glob.matches(key.as_bytes())).cloned().collect();
            for keys in [&mut expected, &mut found] {
                keys.sort();
                keys.dedup();
            }
            matched += expected.len();
            assert_eq!(found, expected, "{pattern}");
        }
        assert!(matched > 3_000, "{matched}");
    }
}
