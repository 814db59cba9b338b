//! `acl`.

use serde_json::Value;
use snapbox::{assert_data_eq, str};

use crate::catalog::{EVERY_FIELD, HOSTILE, with_legacy_texts};
use crate::command::{Ran, run};

fn acl(catalog: &str, arguments: &[&str]) -> Ran {
    run(&[&["acl", "--catalog", catalog, "--user", "shop"], arguments].concat())
}

/// The rules of a user, each in a line.
#[track_caller]
fn rules(ran: &Ran) -> String {
    assert_eq!(ran.status, Some(0), "{ran:?}");
    ran.stdout.replace(" (", "\n  (")
}

#[test]
fn declarations_become_rules() {
    let ran = acl(EVERY_FIELD, &[]);
    assert_data_eq!(
        rules(&ran),
        str![[r#"
ACL SETUSER shop on >PASSWORD clearselectors resetkeys ~cache:card:*:string ~cache:hot:*:*:string ~cart:{*}:items:list ~config:rates:*:hash ~counter:signs:*:*:bitmap ~game:best:*:zset ~lock:nightly:*:string ~log:events:*:stream ~queue:mails:*:*:zset ~rate:requests:*:string resetchannels -@all +asking +client|setinfo +client|tracking +cluster|nodes +cluster|slots +dbsize +del +eval +evalsha +exec +exists +multi +pexpire +ping +pttl +scan +select +time +type +unlink
  (resetchannels ~cache:card:*:string +get +getrange +mget +set +setrange)
  (resetchannels ~cache:hot:*:*:string +append +get +getdel +getex +getrange +incrby +incrbyfloat +mget +psetex +set +strlen)
  (resetchannels ~cart:{*}:items:list +blmove +blpop +brpop +lindex +llen +lmove +lpop +lpos +lpush +lrange +lrem +lset +ltrim +rpop +rpush)
  (resetchannels ~config:rates:*:hash +hdel +hexists +hget +hincrby +hincrbyfloat +hlen +hmget +hpersist +hpexpire +hpttl +hrandfield +hscan +hset +hsetnx +hstrlen +persist)
  (resetchannels ~counter:signs:*:*:bitmap +bitcount +bitfield +bitfield_ro +bitpos +getbit +setbit)
  (resetchannels ~game:best:*:zset +bzpopmax +bzpopmin +zadd +zcard +zcount +zmscore +zpopmax +zpopmin +zrandmember +zrange +zrangebyscore +zrank +zrem +zremrangebyrank +zremrangebyscore +zrevrange +zrevrangebyscore +zrevrank +zscan +zscore)
  (resetchannels ~lock:nightly:*:string +get +getrange +set)
  (resetchannels ~log:events:*:stream +xack +xadd +xautoclaim +xdel +xgroup|create +xgroup|delconsumer +xgroup|destroy +xgroup|setid +xinfo|consumers +xlen +xpending +xrange +xread +xreadgroup +xrevrange +xtrim)
  (resetchannels ~queue:mails:*:*:zset +zadd +zcard +zcount +zmscore +zrangebyscore +zrem +zremrangebyrank +zscore)
  (resetchannels ~rate:requests:*:string +get +set)

"#]]
    );
    assert_data_eq!(
        ran.stderr.clone(),
        str![[r#"
note: replace `PASSWORD`: the rules contain no password
2 places make keys that the sources do not show (--built reads them)
  shop/src/macros.rs:9: the macro `make` declares keys
  shop/src/macros.rs:12: the macro `make` declares keys

"#]]
    );
    let file = acl(EVERY_FIELD, &["--format", "file"]);
    assert_eq!(file.stdout.strip_prefix("user "), ran.stdout.strip_prefix("ACL SETUSER "));
}

#[test]
fn without_selectors_all_is_in_the_root() {
    let ran = acl(EVERY_FIELD, &["--server", "6.2", "--without-scan", "--namespace", "eu"]);
    assert_data_eq!(
        rules(&ran),
        str![[r#"
ACL SETUSER shop on >PASSWORD resetkeys ~eu:cache:card:*:string ~eu:cache:hot:*:*:string ~eu:cart:{*}:items:list ~eu:config:rates:*:hash ~eu:counter:signs:*:*:bitmap ~eu:game:best:*:zset ~eu:lock:nightly:*:string ~eu:log:events:*:stream ~eu:queue:mails:*:*:zset ~eu:rate:requests:*:string resetchannels -@all +append +asking +bitcount +bitfield +bitfield_ro +bitpos +blmove +blpop +brpop +bzpopmax +bzpopmin +client|setinfo +client|tracking +cluster|nodes +cluster|slots +del +eval +evalsha +exec +exists +get +getbit +getdel +getex +getrange +hdel +hexists +hget +hincrby +hincrbyfloat +hlen +hmget +hrandfield +hscan +hset +hsetnx +hstrlen +incrby +incrbyfloat +lindex +llen +lmove +lpop +lpos +lpush +lrange +lrem +lset +ltrim +mget +multi +persist +pexpire +ping +psetex +pttl +rpop +rpush +select +set +setbit +setrange +strlen +time +type +unlink +xack +xadd +xautoclaim +xdel +xgroup|create +xgroup|delconsumer +xgroup|destroy +xgroup|setid +xinfo|consumers +xlen +xpending +xrange +xread +xreadgroup +xrevrange +xtrim +zadd +zcard +zcount +zmscore +zpopmax +zpopmin +zrandmember +zrange +zrangebyscore +zrank +zrem +zremrangebyrank +zremrangebyscore +zrevrange +zrevrangebyscore +zrevrank +zscan +zscore

"#]]
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "the expected JSON")]
fn json_has_the_same_rules_without_a_password() {
    let file = with_legacy_texts("acl.json");
    let ran = acl(file.path(), &["--format", "json", "--legacy-prefix", "app/"]);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_data_eq!(
        serde_json::to_string_pretty(&json).unwrap(),
        str![[r#"
{
  "reached": [],
  "root": {
    "channels": [],
    "commands": [
      "asking",
      "client|setinfo",
      "client|tracking",
      "cluster|nodes",
      "cluster|slots",
      "dbsize",
      "del",
      "eval",
      "evalsha",
      "exec",
      "exists",
      "multi",
      "pexpire",
      "ping",
      "pttl",
      "scan",
      "select",
      "time",
      "type",
      "unlink"
    ],
    "keys": [
      "app/Card:*",
      "app/cart|*",
      "cache:card:*:string",
      "cache:hot:*:*:string",
      "cart:{*}:items:list"
    ]
  },
  "selectors": [
    {
      "channels": [],
      "commands": [
        "get",
        "getrange",
        "mget",
        "set",
        "setrange"
      ],
      "keys": [
        "app/Card:*",
        "cache:card:*:string"
      ]
    },
    {
      "channels": [],
      "commands": [
        "rename"
      ],
      "keys": [
        "app/Card:*",
        "app/cart|*",
        "cache:card:*:string",
        "cart:{*}:items:list"
      ]
    },
    {
      "channels": [],
      "commands": [
        "append",
        "get",
        "getdel",
        "getex",
        "getrange",
        "incrby",
        "incrbyfloat",
        "mget",
        "psetex",
        "set",
        "strlen"
      ],
      "keys": [
        "cache:hot:*:*:string"
      ]
    },
    {
      "channels": [],
      "commands": [
        "blmove",
        "blpop",
        "brpop",
        "lindex",
        "llen",
        "lmove",
        "lpop",
        "lpos",
        "lpush",
        "lrange",
        "lrem",
        "lset",
        "ltrim",
        "rpop",
        "rpush"
      ],
      "keys": [
        "app/cart|*",
        "cart:{*}:items:list"
      ]
    }
  ],
  "server": "7.4",
  "user": "shop"
}
"#]]
    );
}

#[test]
fn later_servers_have_the_rules_of_the_last_known() {
    for server in ["8.2", "9.1"] {
        assert_eq!(acl(EVERY_FIELD, &["--server", server]).stdout, acl(EVERY_FIELD, &[]).stdout, "{server}");
    }
}

#[test]
fn mistakes_are_reported() {
    for (arguments, message) in [
        (&["acl", "--catalog", EVERY_FIELD][..], "--user <NAME>"),
        (&["acl", "--catalog", EVERY_FIELD, "--user", "a b"], "a user's name has letters, digits"),
        (&["acl", "--catalog", EVERY_FIELD, "--user", "a", "--server", "5"], "possible values: 6.2, 7.0, 7.2, 7.4"),
        (&["acl", "--catalog", "no.json", "--user", "a"], "cannot read `no.json`"),
    ] {
        let failure = run(arguments).failure();
        assert!(failure.contains(message), "{failure}");
    }
}

#[test]
fn rules_have_no_characters_of_hostile_texts() {
    let ran = acl(HOSTILE, &[]);
    for text in [&ran.stdout, &ran.stderr] {
        assert!(
            text.chars().all(|char| char == '\n' || char.is_ascii_graphic() || char == ' ' || char.is_alphanumeric())
        );
    }
}
