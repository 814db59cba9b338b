//! Passwords, which other users and programs must not see.

use std::fmt::Write as _;

/// The environment variable with the password, the same as for `redis-cli`.
pub(crate) const PASSWORD: &str = "REDISCLI_AUTH";

/// The environment variable with the passwords of URLs, one in each line, encoded as in a URL.
pub(crate) const URL_PASSWORDS: &str = "REDIS_KEYS_URL_PASSWORDS";

/// The environment variables with passwords, which other programs must not inherit.
pub(crate) const SECRET_VARIABLES: [&str; 2] = [PASSWORD, URL_PASSWORDS];

/// A text without the passwords of the URLs in it, whether they are valid or not.
pub(crate) fn without_passwords(text: &str) -> String {
    let mut parts = text.split("://");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str("://");
        let end = part.find(|sign: char| sign.is_whitespace() || sign.is_control()).unwrap_or(part.len());
        let (url, rest) = part.split_at(end);
        // A password can contain characters that no URL can.
        let url = match url.rsplit_once('@') {
            Some((login, address)) => {
                let user = login.split(':').next().unwrap_or_default();
                format!("{user}:***@{address}")
            }
            None => url.to_owned(),
        };
        match url.split_once("pass=") {
            Some((before, password)) => {
                let others = password.find(['&', '\'']).map_or("", |end| password.get(end..).unwrap_or_default());
                let _ = write!(shown, "{before}pass=***{others}");
            }
            None => shown.push_str(&url),
        }
        shown.push_str(rest);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_lose_the_passwords_of_urls() {
        for (text, shown) in [
            ("unexpected 'redis://ada:se/c@ret@db:1/2' found", "unexpected 'redis://ada:***@db:1/2' found"),
            ("'\u{1b}[33mrediss://:secret@[\u{1b}[0m'", "'\u{1b}[33mrediss://:***@[\u{1b}[0m'"),
            (
                "'unix:///a?pass=secret' or 'unix:///a?pass=secret&db=1'",
                "'unix:///a?pass=***' or 'unix:///a?pass=***&db=1'",
            ),
            ("https://docs.rs/redis", "https://docs.rs/redis"),
            ("ada@db", "ada@db"),
        ] {
            assert_eq!(without_passwords(text), shown);
        }
    }
}
