//! The texts of keys.

use super::{found, in_function, read, shown};

#[test]
fn each_notation_of_a_text_is_read() {
    for (key, expected) in [
        ("\"a:b\"", "a:b"),
        ("b\"a:b\"", "a:b"),
        ("format!(\"user:{}:profile\", id)", "user:{id}:profile"),
        ("&format!(\"user:{id}:profile\")", "user:{id}:profile"),
        ("format!(\"user:{0}:{name}\", user.id, name = user.name())", "user:{user_id}:{name}"),
        ("format!(\"{{{}}}:x\", self.user.id)", "{{{user_id}}}:x"),
        ("format!(\"a:{}\", user.id.to_string().as_str())", "a:{user_id}"),
        ("format!(\"a:{}\", token.secret())", "a:{secret}"),
        ("concat!(\"a:\", \"b\")", "a:b"),
        ("\"a:\".to_owned() + &id.to_string() + \":b\"", "a:{id}:b"),
        ("format!(\"a:{}\", page % 12 + 1)", "a:{page}"),
        ("[\"a\", &id.to_string(), \"b\"].join(\":\")", "a:{id}:b"),
        ("vec![\"a\".to_string(), id.to_string()].concat()", "a{id}"),
        ("String::from(\"a\")", "a"),
        ("Key(format!(\"a:{id}\"))", "a:{id}"),
        ("{ let k = \"a\"; k }", "a"),
        ("if x { \"a:b\" } else { \"a:c\" }", "a:{…}"),
        ("match x { 1 => \"a\".to_owned(), _ => return Err(y) }", "a"),
        ("&key[..]", "{key}"),
        ("id", "{id}"),
        ("\"ключ:ä\"", "ключ:ä"),
        ("5", "5"),
        ("x.y.z()", "{z}"),
        ("unknown!(5)", "?"),
    ] {
        assert_eq!(in_function("texts", &format!("con.get({key})?;")), [format!("GET {expected}")], "{key}");
    }
}

#[test]
fn variables_are_followed() {
    for (body, expected) in [
        ("let key = format!(\"a:{id}\"); con.get(&key)", "GET a:{id}"),
        ("let key = \"a\"; let key = format!(\"{key}:b\"); con.get(key)", "GET a:b"),
        ("let key = \"a\"; { let key = \"b\"; } con.get(key)", "GET a"),
        ("let (one, two) = (\"a\", \"b\"); con.get(two)", "GET b"),
        (
            "let mut key = String::from(\"a:\"); key.push_str(id); key.push(':'); key += \"b\"; con.get(key)",
            "GET a:{id}:b",
        ),
        ("let mut key = String::new(); write!(key, \"a:{}\", id)?; con.get(key)", "GET a:{id}"),
        ("let mut keys = Vec::new(); for id in ids { keys.push(format!(\"a:{id}\")); } con.mget(keys)", "MGET a:{id}"),
        ("let mut keys = vec![]; keys.push(\"a:b\"); keys.push(\"a:c\"); con.mget(keys)", "MGET a:{…}"),
        ("let keys: Vec<_> = ids.iter().map(|id| format!(\"a:{id}\")).collect(); con.mget(&keys)", "MGET a:{id}"),
        ("for key in [format!(\"a:{id}\")] { con.get(key); }", "GET a:{id}"),
        ("if let Some(key) = Some(\"a\") { con.get(key); }", "GET a"),
        ("let key_of = |id| format!(\"a:{id}\"); con.get(key_of(5))", "GET a:{id}"),
        ("let key = key; con.get(key)", "GET {key}"),
    ] {
        assert_eq!(in_function("variables", body), [expected], "{body}");
    }
}

#[test]
fn constants_and_functions_are_followed_also_in_other_modules() {
    let keys = "pub const PREFIX: &str = \"shop\"; pub static ROOT: LazyLock<String> = LazyLock::new(|| format!(\"root\")); \
                static CONFIGURED: RwLock<String> = RwLock::new(String::new()); \
                pub fn cart(id: u64) -> String { format!(\"{PREFIX}:cart:{id}\") } \
                pub fn prefixed(text: String) -> String { let prefix = CONFIGURED.read(); format!(\"{prefix}{text}\") } \
                pub struct Keys { prefix: String } impl Keys { pub const LIST: &'static str = \"list\"; \
                pub fn of(&self, name: &str) -> Result<String, E> { if bad { return Err(E); } \
                Ok(format!(\"{}:{}:{name}\", self.prefix, Self::LIST)) } \
                pub fn list(&self) -> String { self.of(\"all\") } fn count(&self) -> u64 { 5 } }";
    let head = "mod keys; use redis::Commands; use keys::*; const OWN: &str = \"own\";";
    for (key, expected) in [
        ("OWN", "own"),
        ("keys::PREFIX", "shop"),
        ("ROOT.as_str()", "root"),
        ("keys::cart(order.id)", "shop:cart:{id}"),
        ("prefixed(format!(\"a:{}\", id))", "{prefix}a:{id}"),
        ("keys.of(\"b\")?", "{prefix}:list:b"),
        ("self.keys.of(user.name)?", "{prefix}:list:{name}"),
        ("keys.list()", "{prefix}:list:all"),
        ("Keys::LIST", "list"),
        ("keys.count()", "{count}"),
        ("CONFIGURED", "{configured}"),
    ] {
        let main = format!("{head} fn f(con: &mut redis::Connection, keys: &Keys) {{ con.get({key}); }}");
        let (uses, _) = read("modules", &[("main.rs", &main), ("keys.rs", keys)]);
        assert_eq!(uses.iter().map(shown).collect::<Vec<_>>(), [format!("GET {expected}")], "{key}");
    }
}

#[test]
fn what_callers_pass_is_followed() {
    for (text, expected) in [
        (
            "fn put(con: &mut redis::Connection, key: &str) { con.set(key, 1); } \
             fn f(con: &mut redis::Connection) { put(con, \"a\"); put(con, &format!(\"b:{id}\")); }",
            vec!["SET for ever a", "SET for ever b:{id}"],
        ),
        (
            "struct Lock { key: String } impl Lock { fn new(key: &str) -> Self { Self { key: key.to_owned() } } \
             fn take(&self, con: &mut redis::Connection) { con.set_ex(&self.key, 1, 5); } } \
             fn f() { Lock::new(\"lock:a\"); }",
            vec!["SETEX expires lock:a"],
        ),
        (
            "fn put(con: &mut redis::Connection, prefix: &str, id: u64) { con.set(format!(\"{prefix}:{id}\"), 1); } \
             fn f(con: &mut redis::Connection) { put(con, \"a\", 1); }",
            vec!["SET for ever a:1"],
        ),
        (
            "fn put(con: &mut redis::Connection, key: &str) { put(con, key); con.set(key, 1); }",
            vec!["SET for ever {key}"],
        ),
    ] {
        assert_eq!(found("callers", &format!("use redis::Commands; {text}")), expected, "{text}");
    }
}

#[test]
fn what_leads_to_itself_ends() {
    let text = "use redis::Commands; const A: &str = B; const B: &str = A; fn a() -> String { b() } fn b() -> String { a() + &a() } \
                fn f(con: &mut redis::Connection) { con.get(A); con.get(a()); }";
    assert_eq!(found("circle", text), ["GET {a}", "GET {a}"]);
}
