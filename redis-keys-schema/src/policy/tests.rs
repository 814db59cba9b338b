//! What a file says, and each of its mistakes with its place and its help.

mod agreement;
mod malformed;
mod shown;
mod values;

use super::*;
use proptest::prelude::*;

fn right(text: &str) -> Policy {
    let (policy, faults) = Policy::parse(text);
    assert_eq!(faults, [], "{text}");
    policy
}

/// Asserts what is told: line and column, what is underlined, and the help.
#[track_caller]
fn tells(text: &str, expected: &[(usize, usize, &str, &str)]) {
    let (_, faults) = Policy::parse(text);
    let told = faults.iter().map(|fault| {
        let (line, column) = fault.place(text);
        (line, column, text.get(fault.range.clone()).unwrap_or("no part of the file"), fault.help.as_str())
    });
    assert_eq!(told.collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn a_file_is_read_whole() {
    let policy = right(
        "modules = ['user', 'cache', \"user.admin\"] # all of them\n\
         limits = { max_bytes = '4KB', max_len = 1_000 }\n\
         [lints]\nlong_key = 'warn'\nunusual_ttl = 'deny'\nuncompressed = 'allow'\n\
         [abbreviations]\neconomic = 'ec'\nfile.path = 'fp'\n\"of.two\" = \"o2\"\n\
         [module.cache]\nttl = '5m..30m'\ntypes = ['string', 'hash']\nowner = 'web'\n\
         [module.\"user.admin\"]\nowner = 'accounts'\n",
    );
    assert_eq!(policy.modules, Some(["user", "cache", "user.admin"].map(str::to_owned).to_vec()));
    assert_eq!((policy.limits.max_bytes, policy.limits.max_len), (Some(4096), Some(1000)));
    let levels =
        [Lint::LongKey, Lint::UnusualTtl, Lint::Uncompressed, Lint::Undocumented].map(|lint| policy.lints.of(lint));
    assert_eq!(levels, [Level::Warn, Level::Deny, Level::Allow, Level::Allow]);
    let words: Vec<_> = policy.abbreviations.iter().map(|(long, short)| format!("{long} {short}")).collect();
    assert_eq!(words, ["economic ec", "file.path fp", "of.two o2"]);
    let cache = policy.of_module("cache").cloned().unwrap_or_default();
    assert_eq!(cache.ttl.map(|window| window.to_string()).as_deref(), Some("5m..30m"));
    assert_eq!(cache.types, Some(vec![Kind::String, Kind::Hash]));
    let owner = policy.of_module("user.admin").and_then(|module| module.owner.as_deref());
    assert_eq!((cache.owner.as_deref(), owner), (Some("web"), Some("accounts")));
}

#[test]
fn nothing_says_nothing() {
    for text in ["", "\n", "# nothing\n", "\u{feff}", "[limits]\n[lints]\n", "[modules.cache]"] {
        let policy = right(text);
        assert_eq!(Policy { module: vec![], ..policy }, Policy::default(), "{text:?}");
    }
}

#[test]
fn a_module_can_be_said_of_without_a_list() {
    let policy = right("[modules.cache]\nowner = 'web'");
    assert_eq!(policy, right("[module.cache]\nowner = 'web'"));
    assert_eq!(policy.modules, None);
    tells("modules = ['a']\n[modules.a]", &[(2, 2, "modules", "write `[module.a]`")]);
}

#[test]
fn a_module_that_is_nearly_a_usual_one_is_doubted() {
    let doubts = |text: &str| {
        let told = |doubt: &PolicyFault| {
            (doubt.place(text), text.get(doubt.range.clone()).unwrap_or_default().to_owned(), doubt.help.clone())
        };
        right(text).doubts.iter().map(told).collect::<Vec<_>>()
    };
    let meant = "; or, if it is called so, add `misspelt_module = \"allow\"` to `[lints]`";
    let one = |line, column, name: &str, help: &str| vec![((line, column), name.to_owned(), format!("{help}{meant}"))];
    assert_eq!(doubts("[module.cahce]\n"), one(1, 9, "cahce", "write `[module.cache]`"));
    assert_eq!(doubts("\u{feff}[modules.sesion]\nttl = '5m..'"), one(1, 11, "sesion", "write `[modules.session]`"));
    assert_eq!(doubts("module.rate.ttl = '..1h'\n[module.raet]"), one(2, 9, "raet", "put it below `[module.rate]`"));
    assert_eq!(doubts("[module.clock]\n[module.temp]\n[module.\"cahce.user\"]"), []);
    // Of too many the first are told.
    let many = ('a'..='z').map(|c| format!("[module.s{c}ession]")).collect::<Vec<_>>().join("\n");
    assert_eq!(doubts(&many).len(), 20);
    // Where modules are listed there is nothing to guess.
    assert_eq!(doubts("modules = ['cahce']\n[module.cahce]"), []);
    assert_eq!(doubts("[module.cahce]\n[lints]\nmisspelt_module = 'allow'"), []);
    let told = |text: &str| Policy::parse(text).0.doubts.len();
    assert_eq!([told("modules = 7\n[module.cahce]"), told("[module.cahce]\nowner = 7")], [0, 1]);

    let text = "[module.cahce]\n[lints]\nmisspelt_module = 'deny'";
    let policy = right(text);
    let level = policy.lints.of(Lint::MisspeltModule);
    let told = policy.doubts.iter().map(|doubt| doubt.warning(Lint::MisspeltModule, level, "redis-keys.toml", text));
    let told: Vec<_> = told.map(|told| (told.level, told.to_string())).collect();
    let expected = "redis-keys.toml:1:9: `cahce` is nearly the name of a usual module: did you mean `cache`?\n    \
                    [module.cahce]\n            ^^^^^\nhelp: write `[module.cache]`; or, if it is called so, add \
                    `misspelt_module = \"allow\"` to `[lints]`\nlint: misspelt_module";
    assert_eq!(told, [(Level::Deny, expected.to_owned())]);
}

#[test]
fn each_mistake_has_its_place() {
    tells("[limits]\nmax_byte = 3", &[(2, 1, "max_byte", "write `max_bytes`")]);
    tells(
        "# é\n[limits]\n\"é\" = 1\nmax_len = 'x'",
        &[
            (
                3,
                1,
                "\"é\"",
                "`[limits]` has `max_bytes`, `max_len`, `max_member_bytes`, `max_key_bytes` and `longest_ttl`",
            ),
            (4, 11, "'x'", "write `max_len = 5000` or less"),
        ],
    );
    tells("\u{feff}limit = 1", &[(1, 2, "limit", "write `limits`")]);
    tells("[limits]\r\nmax_len = 0\r\n", &[(2, 11, "0", "write `5000` or less")]);
    tells("[limits]\nmax_len = 1\nmax_len = 2", &[(3, 1, "max_len", "keep one of them")]);
    tells("[limits]\n[limits]", &[(2, 2, "limits", "put the two together")]);
    let tables = "the file has `modules`, `module`, `limits`, `lints` and `abbreviations`";
    tells("[\"\"]\nmax_len = 0", &[(1, 2, "\"\"", tables)]);
    tells("[[limits]]\nmax_len = 'x'", &[(1, 1, "[[limits]]", "write `[limits]`")]);
    tells(
        "[limits]\nmax_len.of = 3\nmax_len = 4",
        &[(2, 1, "max_len", "write `max_len = 5000` or less"), (3, 1, "max_len", "keep one of them")],
    );
}

#[test]
fn what_is_no_toml_is_told_in_our_words() {
    tells("modules = [user]", &[(1, 12, "user", "write `\"user\"`")]);
    tells("modules = ['user' 'shop']", &[(1, 19, "'shop'", "write `, 'shop'`")]);
    tells("modules = [\n  'user'\n  'shop'\n]", &[(3, 3, "'shop'", "write `, 'shop'`")]);
    tells("modules = ['user'\n[lints]\nlong_kye = 3", &[(1, 11, "[", "write `]` behind its last value")]);
    tells("[lints\nlong_key = 'warn'", &[(1, 1, "[", "write `[lints]`")]);
    tells("[lints]\nlong_key: warn", &[(2, 9, ":", "write `long_key = \"warn\"`")]);
    tells("[lints]\nlong_key warn", &[(2, 1, "long_key warn", "write `long_key = \"warn\"`")]);
    tells("[lints]\nlong_key =\n", &[(2, 1, "long_key =", "write `long_key = …`")]);
    tells("[lints]\nlong_key = \"warn", &[(2, 12, "\"warn", "write `\"warn\"`")]);
    tells("[lints]\nlong_key = 'warn' long_word = 'warn'", &[(2, 19, "long_word", "write a new line before it")]);
    let lines = "write lines of `name = value`, below a line `[table]`, and `#` before a remark";
    tells("{\"modules\": []}", &[(1, 1, "{", lines)]);
}

/// Words and signs that mean something to some part of the file.
const CRUMBS: [&str; 49] = [
    "\r",
    "“",
    "//",
    "->",
    "=>",
    "\u{a0}",
    "- ",
    " ",
    "<<<<<<<",
    "modules",
    "module",
    "limits",
    "lints",
    "abbreviations",
    "max_len",
    "max_bytes",
    "long_key",
    "user",
    "cache",
    "ttl",
    "types",
    "owner",
    " = ",
    "=",
    ".",
    ",",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "\n",
    "\r\n",
    "\"",
    "'",
    "'''",
    "\"\"\"",
    "#",
    "\\",
    ":",
    "5m..30m",
    "'string'",
    "\"deny\"",
    "1000",
    "-1",
    "0x10",
    "é",
    "\u{0}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_is_told_well(text in prop_oneof![
        any::<String>(),
        prop::collection::vec(prop::sample::select(&CRUMBS[..]), 0..40).prop_map(|crumbs| crumbs.concat()),
    ]) {
        let (_, faults) = Policy::parse(&text);
        for fault in faults {
            prop_assert!(text.get(fault.range.clone()).is_some(), "{:?} is no part of {text:?}", fault.range);
            prop_assert!(!fault.help.is_empty() && !fault.message.is_empty(), "{fault:?}");
            prop_assert!(fault.told("redis-keys.toml", &text).to_string().contains('^'));
        }
    }
}
