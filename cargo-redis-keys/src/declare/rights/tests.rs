use super::*;
use crate::declare::catalog::{OmittedKeys, Values, declaration, parameter, up_to};

/// A declaration of this name. The parameters are numbers, but for `text`.
fn key(name: &str, template: &str, ttl_ms: u64) -> Key {
    let names = template.split(['{', '}']).skip(1).step_by(2).map(|name| name.trim_start_matches('#'));
    let values = |name| if name == "text" { Some(Values::Any) } else { up_to(u128::from(u64::MAX)) };
    let mut key = declaration(template, names.map(|name| parameter(name, values(name))).collect());
    name.clone_into(&mut key.name);
    key.expiry = redis_keys_core::schema::Expiry::from_ms(ttl_ms, 0);
    key
}

fn catalog(keys: Vec<Key>, left_out: Vec<Key>) -> Catalog {
    Catalog { left_out: Some(OmittedKeys { keys: left_out, unread: Vec::new() }), ..Catalog::new(keys, Vec::new()) }
}

/// The patterns of a declaration.
fn patterns(key: &Key, namespace: Option<&str>, legacy_prefix: &str) -> Vec<String> {
    let declared = Declared::new(key, Names { namespace, legacy_prefix });
    declared.iter().flat_map(super::declared::Declared::patterns).map(str::to_owned).collect()
}

/// The part of the rules that follows from the declarations.
fn rules_of(keys: Vec<Key>, version: Version) -> String {
    let rules = rules(&catalog(keys, Vec::new()), "shop", version).unwrap_or_default();
    let without_keys = rights::WITHOUT_KEYS.split(' ').map(|command| format!("+{}", command.to_lowercase()));
    let without_keys: Vec<_> = without_keys.collect();
    rules.split(' ').filter(|rule| !without_keys.iter().any(|known| known == rule)).collect::<Vec<_>>().join(" ")
}

#[test]
fn parameters_are_any_text() {
    for (template, pattern) in [
        ("user:name:{id}:string", "user:name:*:string"),
        ("cart:{#id}:v.{text}.x:{id % 16}:list", "cart:{*}:v.*.x:*:list"),
        ("app:settings:string", "app:settings:string"),
        ("order:changes:{id}:channel", "order:changes:*:channel"),
    ] {
        assert_eq!(patterns(&key("Name", template, 1), None, "eu/"), [pattern]);
        assert_eq!(patterns(&key("Name", template, 1), Some("shop"), ""), [format!("shop:{pattern}")]);
    }
}

#[test]
fn legacy_texts_are_words_of_a_rule() {
    for (text, pattern) in [
        ("User:{id}:Name", "User:*:Name"),
        ("{{{id:05}}}[{id}]", r"{*}\[*\]"),
        ("a*b?c^d\\{id}", r"a\*b\?c\^d\\*"),
        ("my user ({id})\t\"é\u{2028}", "my?user??*???é???"),
    ] {
        for in_use in [true, false] {
            let mut key = key("Name", "user:name:{id}:string", 1);
            *(if in_use { &mut key.legacy } else { &mut key.formerly }) = Some(text.to_owned());
            let expected = ["shop:user:name:*:string".to_owned(), format!(r"e\*/{pattern}")];
            assert_eq!(patterns(&key, Some("shop"), "e*/"), expected);
        }
    }
}

#[test]
fn declarations_with_the_same_commands_share_a_selector() {
    let keys = vec![
        key("Sum", "cart:sum:{id}:hyperloglog", 1),
        key("Seen", "user:seen:{id}:hyperloglog", 0),
        key("Tags", "user:tags:{id}:set", 1),
        key("Changes", "order:changes:{id}:channel", 0),
    ];
    assert_eq!(
        rules_of(keys, Version::V7_0),
        "shop on >PASSWORD clearselectors resetkeys ~cart:sum:*:hyperloglog ~user:seen:*:hyperloglog ~user:tags:*:set \
         resetchannels -@all +del +eval +evalsha +exists +pexpire +pttl +type +unlink \
         (resetchannels ~cart:sum:*:hyperloglog ~user:seen:*:hyperloglog +pfadd +pfcount +pfmerge) \
         (resetchannels &order:changes:*:channel +publish +spublish +ssubscribe +subscribe) \
         (resetchannels ~user:seen:*:hyperloglog +persist) \
         (resetchannels ~user:tags:*:set +sadd +scard +sismember +smismember +spop +srandmember +srem +sscan)"
    );
}

/// A server refuses other patterns beside `*`.
#[test]
fn a_pattern_of_all_keys_stands_alone() {
    let mut page = key("Page", "page:text:{id}:string", 60_000);
    page.legacy = Some("{id}".to_owned());
    let other = key("Other", "other:text:{id}:string", 60_000);
    for version in [Version::V6_2, Version::V7_4] {
        let rules = rules_of(vec![page.clone(), other.clone()], version);
        assert!(rules.contains("resetkeys ~* resetchannels"), "{rules}");
        assert!(!rules.contains(":string"), "{rules}");
    }
}

#[test]
fn without_selectors_each_pattern_has_all_commands() {
    let keys = vec![
        key("Seen", "user:seen:{id}:hyperloglog", 0),
        key("Changes", "order:changes:{id}:channel", 0),
        key("Name", "user:name:{id}:hash", 1),
    ];
    assert_eq!(
        rules_of(keys, Version::V6_2),
        "shop on >PASSWORD resetkeys ~user:name:*:hash ~user:seen:*:hyperloglog resetchannels &order:changes:*:channel \
         -@all +del +eval +evalsha +exists +hdel +hexists +hget +hincrby +hlen +hmget +hscan +hset +hsetnx +persist \
         +pexpire +pfadd +pfcount +pfmerge +pttl +publish +subscribe +type +unlink"
    );
}

#[test]
fn new_commands_need_new_servers() {
    let keys = || vec![key("Name", "user:name:{id}:hash", 1), key("Changes", "order:changes:{id}:channel", 0)];
    for (version, has) in [
        (Version::V6_2, [false, true, false]),
        (Version::V7_0, [true, false, false]),
        (Version::V7_2, [true, true, false]),
        (Version::V7_4, [true, true, true]),
    ] {
        let rules = rules(&catalog(keys(), Vec::new()), "shop", version).unwrap_or_default();
        assert_eq!(
            ["+ssubscribe", "+client|setinfo", "+hpexpire"].map(|rule| rules.contains(rule)),
            has,
            "{version:?}"
        );
    }
}

/// Lines of a pattern, its declaration, another declaration, and the commands that the pattern adds to its keys.
fn reached(keys: Vec<Key>, left_out: Vec<Key>) -> Vec<String> {
    reached_on(Version::V7_4, keys, left_out)
}

fn reached_on(version: Version, keys: Vec<Key>, left_out: Vec<Key>) -> Vec<String> {
    let catalog = catalog(keys, left_out);
    let rights = Rights::of(&catalog, Names::default(), version, true);
    let reached = rights.into_iter().flat_map(|rights| {
        let line = |reached: &Reached<'_>| {
            let Reached { pattern, of, reaches, adds } = reached;
            format!("{pattern} of {} reaches {}: {}", of.name, reaches.name, adds.join(" "))
        };
        rights.reached.iter().map(line).collect::<Vec<_>>()
    });
    reached.collect()
}

#[test]
fn patterns_reach_keys_of_others() {
    let any = || key("Any", "user:{text}:hyperloglog", 1);
    let seen = || key("Seen", "user:seen:{id}:hyperloglog", 0);
    assert_eq!(reached(vec![any(), seen()], vec![]), ["user:*:hyperloglog of Any reaches Seen: "]);
    assert_eq!(reached(vec![any()], vec![seen()]).len(), 1);
    // A declaration that is also selected, in another target.
    assert_eq!(reached(vec![any()], vec![any()]), Vec::<String>::new());
    let test = Key { target: "test:all".to_owned(), ..seen() };
    assert_eq!(reached(vec![any()], vec![test]), Vec::<String>::new());
    // A number contains no `:`, and the type differs.
    assert_eq!(reached(vec![seen()], vec![any()]), Vec::<String>::new());
    assert_eq!(reached(vec![any(), key("Name", "user:name:{id}:string", 1)], vec![]), Vec::<String>::new());

    let mut wide = key("Wide", "app:tags:{id}:set", 1);
    wide.legacy = Some("user:{id}".to_owned());
    let found = reached(vec![wide, key("Name", "user:name:{id}:string", 1)], vec![]);
    let adds = "rename sadd scard sismember smismember spop srandmember srem sscan";
    assert_eq!(found.first(), Some(&format!("user:* of Wide reaches Name: {adds}")));
}

#[test]
fn channels_are_no_keys() {
    let mut key = key("Name", "user:name:{id}:string", 1);
    key.legacy = Some("{id}".to_owned());
    let channel = self::key("Changes", "order:changes:{id}:channel", 0);
    assert_eq!(reached(vec![key, channel], vec![]), Vec::<String>::new());
}

#[test]
fn without_selectors_a_pattern_adds_the_commands_of_all() {
    let keys = || vec![key("Any", "user:{text}:hyperloglog", 1), key("Seen", "user:seen:{id}:hyperloglog", 0)];
    let other = || key("Name", "app:name:{id}:set", 1);
    let found = reached_on(Version::V6_2, [keys(), vec![other()]].concat(), vec![]);
    let adds = "sadd scard sismember smismember spop srandmember srem sscan";
    assert_eq!(found, [format!("user:*:hyperloglog of Any reaches Seen: {adds}")]);
}
