//! The user as which connections under test run commands.
//!
//! `$REDIS_KEYS_TEST_USER` is a file with the line that `cargo redis-keys acl` prints. Without it, connections run
//! commands as the default user.

use std::sync::LazyLock;
use std::{env, fs};

static SET_USER: LazyLock<Option<String>> = LazyLock::new(|| {
    let file = env::var_os("REDIS_KEYS_TEST_USER")?;
    let line = fs::read_to_string(file).expect("REDIS_KEYS_TEST_USER is a file");
    Some(line.trim().replace(" >PASSWORD ", " nopass "))
});

/// Creates the user on a server, and returns the server's address with its name.
pub(crate) fn with_user(url: &str) -> String {
    let Some(line) = &*SET_USER else { return url.to_owned() };
    let mut words = line.split(' ');
    let mut cmd = redis::cmd(words.next().unwrap_or_default());
    words.for_each(|word| _ = cmd.arg(word));
    let con = redis::Client::open(without_user(url)).and_then(|client| client.get_connection());
    con.and_then(|mut con| cmd.exec(&mut con)).expect("the server accepts the user");
    url.replacen("redis://", &format!("redis://{}", login(line)), 1)
}

/// Returns the address of a server without this user: the connections that inspect it need more rights.
pub(crate) fn without_user(url: &str) -> String {
    SET_USER.as_ref().map_or_else(|| url.to_owned(), |line| url.replacen(&login(line), "", 1))
}

/// The user in an address, whose password is not read.
fn login(line: &str) -> String {
    format!("{}:any@", line.split(' ').nth(2).unwrap_or_default())
}
