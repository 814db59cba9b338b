//! `explain` and `completions`.

use snapbox::{assert_data_eq, str};

use crate::command::run;

#[test]
fn a_rule_is_explained() {
    assert_data_eq!(
        run(&["explain", "lower-case"]).fine(),
        str![[r#"
lower-case (rule)

A key is lower case.

`.` separates the words of a segment where other languages use an upper-case letter: `basic.info`,
not `basicInfo`. Text in a parameter is checked when the key is built, before anything is sent.

Why

Redis compares bytes: `user:basicInfo:42:string` and `user:basicinfo:42:string` are two keys. One
program updates the first key; another program reads the second and shows an hour-old value.

Wrong

    #[derive(RedisKey)]
    #[redis_key(user:basicInfo:{user_id}:string, value = String, ttl = 1h)]
    struct BasicInfo {
        user_id: u64,
    }

Right

    #[derive(RedisKey)]
    #[redis_key(user:basic.info:{user_id}:string, value = String, ttl = 1h)]
    struct BasicInfo {
        user_id: u64,
    }

"#]]
    );
}

#[test]
fn a_lint_and_a_finding_can_have_one_name() {
    assert_data_eq!(
        run(&["explain", "big_collection"]).fine(),
        str![[r#"
big_collection (lint)

The collection can have more than 1000 elements, or the stream more than 5000.

Only a declared size is flagged: without one, at most 5000 elements are written.

Why

A collection lives on one server as a whole. One of thousands of elements is slow to read, to move
to another server and to delete, and while that happens the server blocks all other clients.

Wrong

    #[derive(RedisKey)]
    #[redis_key(user:follows:{user_id}:set, value = u64, ttl = 30d, max_len = 5000)]
    struct Follows {
        user_id: u64,
    }

Right

    #[derive(RedisKey)]
    #[redis_key(user:follows:{user_id}:{other_id % 16}:set, value = u64, ttl = 30d, max_len = 1000)]
    struct Follows {
        user_id: u64,
        other_id: u64,
    }

big_collection (finding of the audit)

The collection has more elements than its declaration allows.

The limit is `max_len`, `keep_last` or `keep_top`, or 5000 by default and for unknown keys.

Why

Deleting a million elements takes the server about 0.2 seconds, and reading them takes longer; it
blocks all clients for that time. The same happens when the key expires, unless
`lazyfree-lazy-expire` is on, and when a cluster moves the key to another server.

Wrong

    RPUSH user:visited:42:list …

Right

Limit the collection, or split it. `cargo redis-keys purge --stepwise` deletes large keys step by
step.

    #[derive(RedisKey)]
    #[redis_key(user:visited:{user_id}:list, value = u64, ttl = 30d, keep_last = 100)]
    struct Visited {
        user_id: u64,
    }

"#]]
    );
}

#[test]
fn without_a_name_all_are_listed() {
    assert_data_eq!(
        run(&["explain"]).fine(),
        str![[r#"
Rules: a declaration that breaks one does not compile

  declaration            A declaration is one template and options, each at most once
  policy                 The policy file is valid TOML, and contains only settings that exist
  modules                Modules, and the types of their keys, are listed in the policy file
  first-letter           A key starts with a letter, `a` to `z`
  lower-case             A key is lower case
  alphabet               A key contains only `a` to `z`, `0` to `9`, `.` and `:`
  separators             `:` separates the segments of a key, and `.` the words of a segment
  empty-word             No segment and no word of a key is empty
  shape                  A key has at least three segments: the module, what is stored, and the type
  type-suffix            A key ends with the type of its value
  key-length             A key has at most 128 bytes, for all values of its parameters
  hash-tag               A key has at most one hash tag, which is declared as `{#name}`
  parameters             Each placeholder is a field of the struct, and each field is in the template
  one-key-each           Different declarations, and different values of a parameter, produce different keys
  stored-form            The declaration says what a key stores, and how
  expiry                 Every key has an expiry: `ttl = 1h`
  long-lived             A key that never expires has a reason: `ttl = never, reason = "…"`
  jitter                 The jitter is a duration or a share of the ttl, and no longer than the ttl
  renewal                Writes, reads, or reads that find little time left can restart the expiry
  value-size             A string has at most 10KB, and an element of a collection 4KB
  collection-size        A collection has at most 5000 elements
  copies                 A hot string can be stored under 2 to 1000 keys, its copies
  rate-limit             A rate limit is a number in a period: `limit(100 / 1m)`
  jobs                   A job is tried 1 to 60 times, and all of its tries take at most the ttl
  bloom-filter           A Bloom filter declares its number of items and its share of false positives
  record                 A record is a struct with named fields, of which at least one is mandatory

Lints: valid but questionable declarations

  misused_module         The type or the value of the key is unusual for its module
  misspelt_module        A table of the policy file is for a module whose name is probably a typo
  unusual_ttl            The expiry is outside the usual range of the module
  missing_jitter         Cached keys without jitter expire at the same time
  big_collection         The collection can have more than 1000 elements, or the stream more than 5000
  uncompressed           Values above 10KB of text, or of an object, are stored without compression
  hot_slot               The hash tag is a calendar bucket: all keys of the current day or hour are in one slot
  plain_secret           A secret is stored as plain text, or is part of a key
  sliding_ttl            A collection is renewed for as long as it is used, and nothing else removes its elements
  no_rebuild             A key that never expires does not say how it is restored
  long_word              The project abbreviates this word
  sibling_fields         Several string keys are fields of one object, and could be one hash
  unneeded_allow         The declaration opts out of a lint that does not fire
  long_key               The key can exceed 30 bytes
  undocumented           The key has no doc comment

Findings: what `cargo redis-keys audit` finds on a server

  unknown_key            No declaration can produce the key
  wrong_type             The type of the key on the server is not the declared one
  no_expiry              The key never expires, though no declaration says `ttl = never`
  long_expiry            The key lives longer than its declaration allows
  bad_name               The key breaks the rules for names, whatever wrote it
  big_value              The string is larger than its declaration allows
  big_collection         The collection has more elements than its declaration allows
  big_member             An element of the collection is larger than its declaration allows
  refused_name           The key has the legacy text of its declaration, and its template refuses the values
  foreign_no_expiry      Keys of another program that `[foreign]` of the policy names never expire
  left_compact_encoding  The collection is not stored in the compact encoding
  too_many_keys          The server has more than 10 million keys
  eviction_policy        The server's eviction policy does not fit its keys
  mixed_use              The server is used for several purposes: by several owners, or as a cache and for what must stay
  no_maxmemory           The server has no memory limit
  lazy_expire_off        Expired keys are freed by the thread that executes commands
  hot_key                The key is read or written far more often than others
  cold_data              Most of the memory of a declaration's keys has not been used for 30 days
  no_lfu                 The server does not count how often keys are used
  no_rebuild             The keys never expire, and no `rebuild` of their declaration says how they are restored
  unneeded_formerly      No key has the former text of the declaration any more

Values: what `cargo redis-keys values --check` finds in types that are stored

  misread_value          Stored values would be read as something else
  changed_value          The shape of values has changed: other releases read them differently, or not at all
  different_values       Two declarations of one template store values that the other cannot read
  unknown_value          The shape of the values is not known, so changes of it are not found
  unlisted_value         The file of the values' shapes is out of date
  gone_value             A key is not declared any more, but its values can still be stored

`cargo redis-keys explain NAME` says more about one of them.

"#]]
    );
}

#[test]
fn unknown_names_are_corrected() {
    assert_data_eq!(
        run(&["explain", "missing-jiter"]).failure(),
        str![[r#"
error: no rule, lint or finding `missing-jiter`
help: did you mean `missing_jitter`?

"#]]
    );
    let hostile = run(&["explain", "\x1b[2J"]).failure();
    assert!(hostile.starts_with("error: no rule, lint or finding `\\x1b[2J`\n"), "{hostile}");
}

#[test]
fn shells_complete_commands_and_names() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let completions = run(&["completions", shell]).fine();
        for word in ["explain", "completions", "missing_jitter"] {
            // The other shells complete no values.
            let is_value = word.contains('_') && !["bash", "zsh"].contains(&shell);
            assert!(is_value || completions.contains(word), "{shell}: {word}");
        }
    }
    assert_data_eq!(
        run(&["completions", "tcsh"]).failure(),
        str![[r#"
error: invalid value 'tcsh' for '<SHELL>'
  [possible values: bash, elvish, fish, powershell, zsh]

  tip: a similar value exists: 'zsh'

For more information, try '--help'.

"#]]
    );
}
