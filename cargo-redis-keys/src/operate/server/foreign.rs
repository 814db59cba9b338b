//! The keys of other programs on the servers, as `[foreign]` of the policy names them.

use super::glob::has_texts;
use crate::declare::catalog::Foreign;

/// A program or a library that writes its own keys.
struct System {
    /// The name in the policy.
    name: &'static str,
    /// The patterns of its keys with its default settings. `*` is any text.
    patterns: &'static str,
    /// The pattern of keys that no other program has. Without such keys, the others say little: many have a `queue:*`.
    sign: &'static str,
}

/// The systems that a policy can name, each with the public source of its patterns.
const SYSTEMS: [System; 7] = [
    // The names of `RedisConfig` in apalis-redis, behind the namespace that the program sets.
    System {
        name: "apalis",
        patterns: "*:active *:consumers *:data *:data::result *:dead *:deadjobs *:done *:failed *:inflight* \
            *:scheduled *:signal",
        sign: "*:data::result",
    },
    // https://github.com/taskforcesh/bullmq, src/classes/queue-keys.ts: the default prefix.
    System { name: "bullmq", patterns: "bull:*", sign: "bull:*" },
    // https://github.com/celery/celery, celery/backends/base.py; https://github.com/celery/kombu,
    // kombu/transport/redis.py. The default queue is called as the program.
    System {
        name: "celery",
        patterns: "celery celery-task-meta-* celery-taskset-meta-* chord-unlock-* _kombu.binding.* unacked \
            unacked_index unacked_mutex",
        sign: "_kombu.binding.*",
    },
    // https://github.com/django/django, django/core/cache/backends/base.py: the default prefix is empty, and the version 1.
    System { name: "django", patterns: ":1:*", sign: ":1:*" },
    // https://github.com/laravel/laravel, config/database.php: the name of the application is `laravel` by default.
    System {
        name: "laravel",
        patterns: "laravel_database_* laravel_cache* laravel_horizon:* laravel-database-*",
        sign: "laravel_*",
    },
    // https://github.com/sidekiq/sidekiq, lib/sidekiq/api.rb.
    System {
        name: "sidekiq",
        patterns: "queue:* queues schedule retry dead processes process_kills stat:* *:work j|*",
        sign: "stat:processed*",
    },
    // https://github.com/spring-projects/spring-session, RedisIndexedSessionRepository: the default namespace.
    System { name: "spring-session", patterns: "spring:session:*", sign: "spring:session:*" },
];

/// The keys of other programs.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForeignKeys {
    /// The patterns, each with the name under which its keys are counted.
    patterns: Vec<(String, String)>,
}

impl ForeignKeys {
    /// The keys that policies name.
    pub(crate) fn of(foreign: &Foreign) -> Self {
        // Own patterns come first, because they say more than a system's patterns.
        let mut patterns: Vec<_> = foreign.patterns.iter().map(|pattern| (pattern.clone(), pattern.clone())).collect();
        patterns.extend(Self::of_systems(&foreign.systems).patterns);
        Self { patterns }
    }

    /// The keys of these systems.
    pub(crate) fn of_systems<N: AsRef<str>>(names: &[N]) -> Self {
        let systems = SYSTEMS.iter().filter(|system| names.iter().any(|name| name.as_ref() == system.name));
        let of_system = |system: &System| {
            let name = system.name;
            system.patterns.split(' ').map(move |pattern| (pattern.to_owned(), name.to_owned()))
        };
        Self { patterns: systems.flat_map(of_system).collect() }
    }

    /// The systems to which one of these keys belongs for certain.
    pub(crate) fn systems_of<'k>(keys: &(impl Iterator<Item = &'k [u8]> + Clone)) -> Vec<&'static str> {
        let has_sign = |system: &&System| keys.clone().any(|key| matches(system.sign.as_bytes(), key));
        SYSTEMS.iter().filter(has_sign).map(|system| system.name).collect()
    }

    /// The name under which a key is counted, if it belongs to another program.
    pub(crate) fn find(&self, key: &[u8]) -> Option<&str> {
        let found = self.patterns.iter().find(|(pattern, _)| matches(pattern.as_bytes(), key));
        let found = found.map(|(_, name)| name.as_str());
        let is_sidekiq = || is_process_of_sidekiq(key) && self.patterns.iter().any(|(_, name)| name == SIDEKIQ);
        found.or_else(|| is_sidekiq().then_some(SIDEKIQ))
    }
}

const SIDEKIQ: &str = "sidekiq";

/// Whether a key is the identity of a process of Sidekiq: its host, its process id and 12 random digits, as in
/// `web-1:1:0a1b2c3d4e5f`. No text is common to them.
fn is_process_of_sidekiq(key: &[u8]) -> bool {
    let mut parts = key.rsplitn(3, |byte| *byte == b':');
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_nonce = |nonce: &[u8]| nonce.len() == 12 && nonce.iter().all(is_digit);
    let is_id = |id: &[u8]| !id.is_empty() && id.iter().all(u8::is_ascii_digit);
    parts.next().is_some_and(is_nonce)
        && parts.next().is_some_and(is_id)
        && parts.next().is_some_and(|it| !it.is_empty())
}

/// Whether a key has a pattern.
fn matches(pattern: &[u8], key: &[u8]) -> bool {
    has_texts(pattern.split(|byte| *byte == b'*'), key)
}

#[cfg(test)]
mod tests {
    use redis_keys_schema::{FOREIGN_SYSTEMS, Policy};

    use super::*;

    #[test]
    fn a_policy_can_name_each_system() {
        assert_eq!(SYSTEMS.map(|system| system.name), FOREIGN_SYSTEMS);
    }

    #[test]
    fn patterns_match_whole_keys() {
        for (pattern, key, expected) in [
            ("celery", "celery", true),
            ("celery", "celery2", false),
            ("bull:*", "bull:mails:1", true),
            ("bull:*", "a:bull:1", false),
            ("*:work", "web-12:4711:a3:work", true),
            ("*:work", "work", false),
            ("a*b*c", "abc", true),
            ("a*b*c", "axxbyybc", true),
            ("a*b*c", "acb", false),
            ("ab*ba", "aba", false),
            ("é*", "éa", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), key.as_bytes()), expected, "{pattern} {key}");
        }
    }

    #[test]
    fn keys_are_counted_under_the_name_of_their_system() {
        let text = "[foreign]\nsystems = [\"sidekiq\", \"bullmq\"]\npatterns = [\"queue:legacy:*\"]";
        let foreign = ForeignKeys::of(&Foreign::of(&[Policy::parse(text).0.into()]));
        for (key, name) in [
            ("queue:default", Some("sidekiq")),
            ("queue:legacy:1", Some("queue:legacy:*")),
            ("bull:mails:id", Some("bullmq")),
            ("celery", None),
            ("user:profile:1:hash", None),
            ("web-1:1:0a1b2c3d4e5f", Some("sidekiq")),
            ("web-1:1:0a1b2c3d4e5f:work", Some("sidekiq")),
            ("web-1:x:0a1b2c3d4e5f", None),
            ("web-1:1:0a1b2c3d4e", None),
            (":1:0a1b2c3d4e5f", None),
        ] {
            assert_eq!(foreign.find(key.as_bytes()), name, "{key}");
        }
    }
}
