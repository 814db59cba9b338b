//! The settings of a file, and the place, the message and the help of each error.

use proptest::prelude::*;

use super::*;
use crate::warning::{Level, Lint};

#[track_caller]
fn valid(text: &str) -> Policy {
    let (policy, errors) = Policy::parse(text);
    assert_eq!(errors, [], "{text}");
    policy
}

/// Asserts the errors: line and column, what is underlined, and the help.
#[track_caller]
fn rejects(text: &str, expected: &[(usize, usize, &str, &str)]) {
    let (_, errors) = Policy::parse(text);
    let reported = errors.iter().map(|error| {
        let (line, column) = error.position(text);
        (line, column, text.get(error.range.clone()).unwrap_or("outside of the file"), error.suggestion.as_str())
    });
    assert_eq!(reported.collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn a_file_is_read_whole() {
    let policy = valid(
        "modules = ['user', 'cache', \"user.admin\"] # all of them\n\
         limits = { max_bytes = '4KB', max_len = 1_000 }\n\
         [lints]\nlong_key = 'warn'\nunusual_ttl = 'deny'\nuncompressed = 'allow'\n\
         [abbreviations]\neconomic = 'ec'\nfile.path = 'fp'\n\"of.two\" = \"o2\"\nuser = 'u'\n\
         [module.cache]\nttl = '5m..30m'\ntypes = ['string', 'hash']\nowner = 'web'\n\
         [module.\"user.admin\"]\nowner = 'accounts'\n",
    );
    assert_eq!(policy.modules, Some(["user", "cache", "user.admin"].map(str::to_owned).to_vec()));
    assert_eq!((policy.limits.max_bytes, policy.limits.max_len), (Some(4096), Some(1000)));
    let levels =
        [Lint::LongKey, Lint::UnusualTtl, Lint::Uncompressed, Lint::Undocumented].map(|lint| policy.lints.of(lint));
    assert_eq!(levels, [Level::Warn, Level::Deny, Level::Allow, Level::Allow]);
    let words: Vec<_> = policy.abbreviations.iter().map(|(long, short)| format!("{long} {short}")).collect();
    assert_eq!(words, ["economic ec", "file.path fp", "of.two o2", "user u"]);
    let cache = policy.of_module("cache").cloned().unwrap_or_default();
    assert_eq!(cache.ttl.map(|window| window.to_string()).as_deref(), Some("5m..30m"));
    assert_eq!(cache.types, Some(vec![Kind::String, Kind::Hash]));
    let owner = policy.of_module("user.admin").and_then(|module| module.owner.as_deref());
    assert_eq!((cache.owner.as_deref(), owner), (Some("web"), Some("accounts")));
}

#[test]
fn an_empty_file_sets_nothing() {
    for text in ["", "\n", "# nothing\n", "\u{feff}", "[limits]\n[lints]\n", "[modules.cache]"] {
        let policy = valid(text);
        assert_eq!(Policy { module: vec![], ..policy }, Policy::default(), "{text:?}");
    }
}

#[test]
fn without_a_list_modules_is_another_name_for_module() {
    let policy = valid("[modules.cache]\nowner = 'web'");
    assert_eq!(policy, valid("[module.cache]\nowner = 'web'"));
    assert_eq!(policy.modules, None);
    rejects("modules = ['a']\n[modules.a]", &[(2, 2, "modules", "write `[module.a]`")]);
    let merge = "merge the two";
    rejects("[modules.user]\nowner = 'x'\n[module.user]\nowner = 'y'", &[(3, 9, "user", merge)]);
    rejects("[module.user]\nowner = 'x'\n[modules.user]\nttl = '..1h'", &[(3, 10, "user", merge)]);
    rejects("modules.'a.b'.owner = 'x'\nmodule.'a.b'.ttl = '1d..'", &[(2, 8, "'a.b'", merge)]);
    valid("[modules.user]\nowner = 'x'\n[module.shop]\nowner = 'y'");
}

#[test]
fn each_error_has_its_place_and_help() {
    let limits = "expected `max_bytes`, `max_len`, `max_member_bytes`, `max_key_bytes` or `longest_ttl`";
    rejects("limits = 1\n[limits]", &[(1, 10, "1", "write `[limits]`"), (2, 2, "limits", "remove one of the two")]);
    rejects(
        "# é\n[limits]\n\"é\" = 1\nmax_len = 'x'",
        &[(3, 1, "\"é\"", limits), (4, 11, "'x'", "write `max_len = 5000` or less")],
    );
    let settings = "expected `modules`, `module`, `limits`, `lints`, `legacy`, `foreign` or `abbreviations`";
    let list = "write `modules = [\"user\", \"shop\"]`";
    for (text, line, column, part, help) in [
        ("[limits]\nmax_byte = 3", 2, 1, "max_byte", "did you mean `max_bytes`?"),
        ("\u{feff}limit = 1", 1, 2, "limit", "did you mean `limits`?"),
        ("[limits]\r\nmax_len = 0\r\n", 2, 11, "0", "write a number from 1 to 5000"),
        ("[limits]\nmax_len = 1\nmax_len = 2", 3, 1, "max_len", "remove one of the two"),
        ("[limits]\n[limits]", 2, 2, "limits", "merge the two"),
        ("[\"\"]\nmax_len = 0", 1, 2, "\"\"", settings),
        ("[[limits]]\nmax_len = 'x'", 1, 1, "[[limits]]", "write `[limits]`"),
        ("module = ['user', 'shop']", 1, 1, "module", list),
        ("module = 'shop'", 1, 1, "module", "write `modules = [\"shop\"]`"),
        ("module = 7", 1, 10, "7", "write `[module.cache]`"),
        ("module.user = ['x']", 1, 15, "['x']", "write `[module.user]`"),
        ("['module.user']\nowner = 'x'", 1, 2, "'module.user'", "write `[module.user]`"),
        ("modules = ['']", 1, 12, "''", "write a name such as `user`"),
        ("modules = ['user', 'user']", 1, 20, "'user'", "remove it"),
        ("[module.user]\ntypes = ['string', 'hash', 'string']", 2, 28, "'string'", "remove it"),
        ("[abbreviations]\nbar = \"\"", 2, 7, "\"\"", "remove the line"),
        ("[abbreviations]\n\"\" = \"b\"", 2, 1, "\"\"", "write a name such as `user`"),
    ] {
        rejects(text, &[(line, column, part, help)]);
    }
}

#[test]
fn declarations_with_legacy_texts_are_listed() {
    let keys = |text: &str| {
        let listed = valid(text).legacy.map(|legacy| legacy.keys);
        listed.map(|keys| {
            keys.into_iter().map(|(name, place)| (name, text.get(place).map(str::to_owned))).collect::<Vec<_>>()
        })
    };
    assert_eq!(keys(""), None);
    assert_eq!(keys("[legacy]"), Some(Vec::new()));
    assert_eq!(keys("legacy.keys = []"), Some(Vec::new()));
    let listed = [("UserProfile", "\"UserProfile\""), ("shop::Cart", "'shop::Cart'")];
    let listed = listed.map(|(name, written)| (name.to_owned(), Some(written.to_owned()))).to_vec();
    assert_eq!(keys("\u{feff}[legacy]\nkeys = [\n  \"UserProfile\",\n  'shop::Cart',\n]"), Some(listed));
    let name = "write a name such as `UserProfile`, or `user::Profile` with its module";
    for (text, line, column, part, help) in [
        ("legacy = ['Cart']", 1, 10, "['Cart']", "write `[legacy]`"),
        ("[legacy]\nkey = ['Cart']", 2, 1, "key", "did you mean `keys`?"),
        ("[legacy]\nkeys = 'Cart'", 2, 8, "'Cart'", "write `keys = [\"Cart\"]`"),
        ("[legacy]\nkeys = ['Cart', 'Cart']", 2, 17, "'Cart'", "remove it"),
        ("[legacy]\nkeys = [7]", 2, 9, "7", "write `\"UserProfile\"`"),
        ("[legacy]\nkeys = ['user.Cart']", 2, 9, "'user.Cart'", name),
        ("[legacy]\nkeys = ['::Cart']", 2, 9, "'::Cart'", name),
        ("[legacy]\nkeys = ['7']", 2, 9, "'7'", name),
    ] {
        rejects(text, &[(line, column, part, help)]);
    }
}

#[test]
fn keys_of_other_programs_are_named() {
    assert_eq!(valid("").foreign, None);
    assert_eq!(valid("[foreign]").foreign, Some(ForeignPolicy::default()));
    let policy = valid("[foreign]\nsystems = ['bullmq', \"spring-session\"]\npatterns = ['legacy:*', 'a']");
    let foreign = policy.foreign.unwrap_or_default();
    assert_eq!(
        (foreign.systems, foreign.patterns),
        (vec!["bullmq".to_owned(), "spring-session".to_owned()], vec!["legacy:*".to_owned(), "a".to_owned()],)
    );
    let systems = "expected `apalis`, `bullmq`, `celery`, `django`, `laravel`, `sidekiq` or `spring-session`";
    let pattern = "write the start of its keys and `*`, as in `legacy:*`";
    for (text, line, column, part, help) in [
        ("foreign = ['bullmq']", 1, 11, "['bullmq']", "write `[foreign]`"),
        ("[foreign]\nsystem = []", 2, 1, "system", "did you mean `systems`?"),
        ("[foreign]\nsystems = 'bullmq'", 2, 11, "'bullmq'", "write `systems = [\"bullmq\"]`"),
        ("[foreign]\nsystems = ['bulmq']", 2, 12, "'bulmq'", "did you mean `bullmq`?"),
        ("[foreign]\nsystems = ['resque']", 2, 12, "'resque'", systems),
        ("[foreign]\nsystems = [7]", 2, 12, "7", "write `\"sidekiq\"`"),
        ("[foreign]\npatterns = ['a:*', 'a:*']", 2, 20, "'a:*'", "remove it"),
        ("[foreign]\npatterns = ['é', '*']", 2, 18, "'*'", pattern),
        ("[foreign]\npatterns = ['']", 2, 13, "''", pattern),
    ] {
        rejects(text, &[(line, column, part, help)]);
    }
}

#[test]
fn limits_have_a_most() {
    for (limit, help) in [
        ("max_bytes = \"99999999999999999999MB\"", "write `\"1MB\"` or less"),
        ("max_bytes = '4mb'", "write `\"1MB\"` or less"),
        ("max_bytes = '1mb'", "write `\"1MB\"`"),
        ("max_member_bytes = '2MB'", "write `\"1MB\"` or less"),
        ("longest_ttl = '99999999999999999999d'", "write `\"3650d\"` or less"),
        ("longest_ttl = 90", "write `longest_ttl = \"90d\"`"),
        ("longest_ttl = '11y'", "write `\"3650d\"` or less"),
        ("longest_ttl = '30days'", "write `\"30d\"`"),
    ] {
        let value = limit.split(" = ").nth(1).unwrap_or_default();
        rejects(&format!("[limits]\n{limit}"), &[(2, limit.len() - value.len() + 1, value, help)]);
    }
}

#[test]
fn a_list_called_module_is_one_error() {
    rejects(
        "module = ['user']\n[module.user]\nttl = '1h'\ntypes = ['set']\n[module.shop]\nttl = '1h'\ntypes = ['set']\n",
        &[(1, 1, "module", "write `modules = [\"user\"]`")],
    );
}

#[test]
fn no_window_exceeds_the_longest_ttl() {
    for (window, instead) in
        [("2d..3d", "`\"..1d\"`"), ("1h..3d", "`\"1h..1d\"`"), ("..25h", "`\"..1d\"`"), ("2d..", "`\"1d..\"` or less")]
    {
        let help = format!("write {instead}, or a longer `longest_ttl`");
        for table in ["module", "modules"] {
            let text = format!("[limits]\nlongest_ttl = '1d'\n[{table}.user]\nttl = '{window}'\n");
            rejects(&text, &[(4, 7, &format!("'{window}'"), &help)]);
        }
    }
    for window in ["1h..1d", "..1d", "1d..", "1h.."] {
        valid(&format!("[module.user]\nttl = '{window}'\n[limits]\nlongest_ttl = '1d'"));
    }
    valid("[module.user]\nttl = '2d..3d'");
    rejects("limits.longest_ttl = '1d'\nmodule.user.ttl = '3d..2d'", &[(2, 19, "'3d..2d'", "write `\"2d..3d\"`")]);
}

#[test]
fn text_that_is_not_toml_is_rejected_at_its_place() {
    let lines = "write lines of `name = value` below a line `[table]`";
    let own_line = "start a new line, or a comment with `#`";
    for (text, line, column, part, help) in [
        ("modules = [user]", 1, 12, "user", "write `\"user\"`"),
        ("[limits]\nmax_bytes = 4KB", 2, 13, "4KB", "write `\"4KB\"`"),
        ("[module.user]\nowner = “web”\n", 2, 9, "“web”", "write `\"web\"`"),
        ("[lints]\nlong_key: warn", 2, 9, ":", "write `=`"),
        ("limits = { max_len: 1 }\n", 1, 19, ":", "write `=`"),
        ("[lints]\nlong_key warn", 2, 10, "w", "write `=`"),
        ("[lints]\nlong_key =\n", 2, 11, "", lines),
        ("[lints]\nlong_key = \"warn\nlong_word = 'warn'", 2, 12, "\"warn", "close it with `\"`"),
        ("[lints]\nlong_key = 'warn\n", 2, 12, "'warn", "close it with `'`"),
        ("[module.user]\nowner = \"\"\"web\nttl = 5m\n", 2, 9, "\"\"\"web\nttl = 5m\n", "close it with `\"`"),
        ("modules = ['user' 'shop']", 1, 19, "'", "write `,`"),
        ("modules = ['user'\n[lints]\nlong_kye = 3", 1, 11, "[", "close it with `]`"),
        ("modules = [\n  \"user\",\n\n[limits]\nmax_len = many", 1, 11, "[", "close it with `]`"),
        ("modules = [\"user\"}\n[limits]\nmax_len = 1\n", 1, 11, "[", "close it with `]`"),
        ("limits = { max_len = 1\n[lints]\n", 1, 10, "{", "close it with `}`"),
        ("[lints\nlong_key = 'warn'", 1, 1, "[lints", "close it with `]`"),
        ("[limits]\nmax_len = 1 max_bytes = 2", 2, 11, "1 max_bytes", "start a new line"),
        ("[lints]\nlong_key = 'warn' long_word = 'warn'", 2, 19, "l", own_line),
        ("[limits]\nmax_len = 100,\n", 2, 14, ",", own_line),
        ("{\"modules\": []}", 1, 1, "{", lines),
        ("modules = [\"user\"]\r[limits]\n", 1, 20, "[", "save the file with LF or CRLF line ends"),
        ("# a\u{1}\n", 1, 4, "\u{1}", lines),
        ("[limits]\nmax_len = 007\n", 2, 11, "0", lines),
        ("[]\n", 1, 2, "]", lines),
    ] {
        rejects(text, &[(line, column, part, help)]);
    }
    // One error for each line, and none for the values of other lines.
    rejects(
        "[lints]\nlong_key = warn\nlong_word = \"wran\"\n[limits\nmax_len = 1",
        &[(2, 12, "warn", "write `\"warn\"`"), (4, 1, "[limits", "close it with `]`")],
    );
}

#[test]
fn an_error_is_reported_with_its_line() {
    let text = "[limits]\n\tmax_len = \"é…\" # so many";
    let (_, errors) = Policy::parse(text);
    assert_eq!(
        errors.first().map(|error| error.report("redis-keys.toml", text)).as_deref(),
        Some(
            "redis-keys.toml:2:12: expected an integer, found a string\n    \tmax_len = \"é…\" # so many\n    \t          \
             ^^^^\nhelp: write `max_len = 5000` or less\nrule: policy"
        )
    );
}

#[test]
fn only_printable_characters_are_shown() {
    let shown = |text: &str| {
        let report = Policy::parse(text).1.first().map(|error| error.report("f", text)).unwrap_or_default();
        report.lines().skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown("[limits]\r\nmax_len = 0\r\n"), ["    max_len = 0", "              ^"]);
    assert_eq!(shown("a = 1\rb\u{1b}[31m\u{7f}\u{85}\u{200b}\n"), ["    a = 1␍b␛[31m␡\u{fffd}\u{fffd}", "          ^"]);
    // A long line is cut around the error.
    let many = "\"user\", ".repeat(100);
    let shown = shown(&format!("modules = [{many}é, {many}]"));
    let lengths: Vec<_> = shown.iter().map(|line| line.chars().count()).collect();
    assert_eq!(lengths, [126, 66]);
    let at = shown.first().map(|line| line.chars().skip(65).take(1).collect::<String>());
    assert_eq!(at.as_deref(), Some("é"));
}

#[test]
fn twenty_errors_are_reported_and_the_others_counted() {
    let file = |errors: usize| {
        let names: Vec<_> = (100..100 + errors).map(|number| format!("\"Ab{number}\"")).collect();
        format!("modules = [{}]\n", names.join(","))
    };
    let last = |text: &str| {
        let (_, errors) = Policy::parse(text);
        let last = errors.last().map(|last| (last.position(text), last.message.clone())).unwrap_or_default();
        (errors.len(), last)
    };
    assert_eq!(last(&file(20)).0, 20);
    assert_eq!(last(&file(21)), (21, ((1, 172), "1 more error from here on".to_owned())));
    assert_eq!(last(&file(3000)), (21, ((1, 172), "2980 more errors from here on".to_owned())));
    assert_eq!(last(&"x y z\n".repeat(1000)), (21, ((21, 3), "980 more errors from here on".to_owned())));
    // However large the file is and whatever it contains, the report is short.
    for line in ["x y z\n", "\"\n", "[x\n", "= \n", "a.b = 1\n", "], ", "a\r", "'A', "] {
        let text = line.repeat(64 * 1024 / line.len());
        let (_, errors) = Policy::parse(&text);
        assert!((1..=error::MAX_ERRORS + 1).contains(&errors.len()), "{line}");
        let longest = errors.iter().map(|error| error.report("f", &text).len()).max();
        assert!(longest.is_some_and(|longest| longest < 2000), "{line}");
    }
}

/// Words and signs with a meaning in some part of the file.
#[rustfmt::skip]
const FRAGMENTS: [&str; 49] = [
    "\r", "“", "//", "->", "=>", "\u{a0}", "- ", " ", "<<<<<<<", "modules", "module", "limits", "lints", "abbreviations",
    "max_len", "max_bytes", "long_key", "user", "cache", "ttl", "types", "owner", " = ", "=", ".", ",", "[", "]", "[[",
    "]]", "{", "}", "\n", "\r\n", "\"", "'", "'''", "\"\"\"", "#", "\\", ":", "5m..30m", "'string'", "\"deny\"", "1000",
    "-1", "0x10", "é", "\u{0}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_error_has_a_place_and_a_help(text in prop_oneof![
        any::<String>(),
        prop::collection::vec(prop::sample::select(&FRAGMENTS[..]), 0..40).prop_map(|fragments| fragments.concat()),
    ]) {
        let (_, errors) = Policy::parse(&text);
        for error in errors {
            prop_assert!(text.get(error.range.clone()).is_some(), "{:?} is outside of {text:?}", error.range);
            prop_assert!(!error.suggestion.is_empty() && !error.message.is_empty(), "{error:?}");
            prop_assert!(error.report("redis-keys.toml", &text).contains('^'));
        }
    }
}
