//! Job queues: `jobs(…)` with `lease` and `tries`.

use std::time::Duration;

use redis_keys_core::schema::{JobOptions, Role};

use super::*;

fn jobs(checked: &CheckedDeclaration) -> Option<JobOptions> {
    match checked.declaration.role() {
        Some(Role::Jobs(jobs)) => Some(jobs),
        _ => None,
    }
}

/// Asserts what is reported for the options of a job queue. Those of its role follow the others.
#[track_caller]
fn queue_reports(options: &str, expected: &[ExpectedMessage<'_>]) {
    let is_of_role = |option: &&str| option.starts_with("lease") || option.starts_with("tries");
    let (inside, outside): (Vec<_>, Vec<_>) = options.split(", ").partition(is_of_role);
    let (outside, inside) = (outside.join(", "), inside.join(", "));
    let attribute = format!("queue:mail:{{id}}:zset, value = Json<Mail>, {outside}, jobs({inside})");
    reports(&["id"], &attribute, expected);
}

#[test]
fn the_role_makes_a_queue() {
    let read = |value: &str, options: &str| {
        let attribute = format!("queue:mail:{{id}}:zset, value = {value}, {options}");
        let checked = checked(&["id"], &attribute);
        assert_eq!(*checked.diagnostics, [], "{attribute}");
        jobs(&checked).map(|jobs| (jobs.lease.as_millis(), jobs.tries))
    };
    assert_eq!(read("Json<Mail>", "ttl = 7d, jobs"), Some((60_000, 5)));
    assert_eq!(read("String", "jobs(), ttl = 5m"), Some((60_000, 5)));
    assert_eq!(read("\"Zstd<Json<Mail>>\"", "ttl = 7d, jobs(lease = 1s, tries = 1)"), Some((1000, 1)));
    assert_eq!(read("my::Mail", "ttl = 60h, jobs(lease = 1h, tries = 60)"), Some((3_600_000, 60)));
    for more in ["max_len = 1000", "max_member_bytes = 1KB", "jitter = 1h", "owner = \"web\""] {
        assert!(read("Vec<u8>", &format!("ttl = 7d, jobs, {more}")).is_some(), "{more}");
    }
    // A user's own types.
    for own in ["Job", "my::Job<Mail>", "Jobs<Mail>", "Json<Job<Mail>>", "job"] {
        assert_eq!(read(own, "ttl = 7d"), None, "{own}");
    }
}

#[test]
fn a_queue_of_jobs_is_a_zset() {
    for kind in ["list", "string", "set", "stream"] {
        for role in ["jobs", "jobs(lease = 1m, tries = 5)"] {
            let attribute = format!("queue:mail:{{id}}:{kind}, value = Mail, ttl = 7d, {role}");
            let help = "end the template with `:zset`, or remove `jobs`";
            reports(&["id"], &attribute, &[("jobs", Rule::Jobs, help)]);
        }
    }
    let checked = checked(&["id"], "queue:mail:{id}:list, value = Mail, ttl = 7d, jobs");
    assert_eq!(checked.diagnostics[0].message, "a list cannot be a queue of jobs, which is a zset");
}

#[test]
fn a_queue_is_no_value() {
    for (options, help) in [
        ("value = Job<Json<Mail>>, ttl = 7d", "write `value = Json<Mail>, jobs`"),
        ("value = job<Mail>, ttl = 7d", "write `value = Mail, jobs`"),
        ("value = Job(Mail), ttl = 7d", "write `value = Mail, jobs`"),
        ("value = Job<>, ttl = 7d", "write `value = Json<Mail>, jobs`"),
        (
            "value = Job<Json<Mail>>, lease = 1m, tries = 5, ttl = 7d",
            "write `value = Json<Mail>, jobs(lease = 1m, tries = 5)`",
        ),
    ] {
        let help = format!("{help}, or `self::Job` for a type of your own");
        let word = if options.contains("job<") { "job" } else { "Job" };
        reports(&["id"], &format!("queue:mail:{{id}}:zset, {options}"), &[(word, Rule::StoredForm, &help)]);
    }
    let help = "write `value = Mail, jobs(tries = 2)` and end the template with `:zset`, or `self::Job` for a type of your own";
    let list = "queue:mail:{id}:list, value = Job<Mail>, ttl = 7d, tries = 2";
    reports(&["id"], list, &[("Job", Rule::StoredForm, help)]);
    // The role is there already.
    let help = "write `jobs`, or `self::Job` for a type of your own";
    let both = "queue:mail:{id}:zset, value = Job<Mail>, ttl = 7d, jobs";
    reports(&["id"], both, &[("Job", Rule::StoredForm, help)]);
}

#[test]
fn a_job_has_a_stored_form() {
    for (value, underlined, help) in [
        ("json<Mail>", "json", "write `Json`"),
        ("Option<u64>", "Option<u64>", "write `u64`: reading returns `None` for what is missing"),
        ("&str", "&str", "write `String`"),
        ("Vec<String>", "Vec<String>", "write `String`"),
        ("(f64, String)", "(f64, String)", "write `String`"),
    ] {
        let attribute = format!("queue:mail:{{id}}:zset, value = {value}, ttl = 7d, jobs(lease = 1m, tries = 5)");
        reports(&["id"], &attribute, &[(underlined, Rule::StoredForm, help)]);
    }
    let help = "add `value = Json<Mail>`, or another type of job";
    reports(&["id"], "queue:mail:{id}:zset, ttl = 7d, jobs", &[("zset", Rule::StoredForm, help)]);
}

#[test]
fn a_lease_is_between_1s_and_1h() {
    let report = |lease: &str, rule, help: &str| {
        queue_reports(&format!("ttl = 30d, lease = {lease}"), &[(lease, rule, help)]);
        let suggested = help.split('`').nth(1).unwrap_or_default();
        queue_reports(&format!("ttl = 30d, lease = {suggested}"), &[]);
    };
    report("999ms", Rule::Jobs, "write `1s` or more");
    report("61m", Rule::Jobs, "write `1h` or less: the job of a worker that dies waits that long");
    report("60", Rule::Expiry, "write `60s`");
    report("0s", Rule::Expiry, "write `10s`");
    queue_reports("ttl = 7d, lease", &[("lease", Rule::Declaration, "write `lease = 10s`")]);
}

#[test]
fn a_job_is_tried_1_to_60_times() {
    for (tries, help) in [("0", "5"), ("61", "60"), ("many", "5"), ("-1", "5"), ("5.5", "5"), ("1000", "60")] {
        queue_reports(&format!("ttl = 7d, tries = {tries}"), &[(tries, Rule::Jobs, &format!("write `{help}`"))]);
    }
    queue_reports("ttl = 7d, tries", &[("tries", Rule::Declaration, "write `tries = 5`")]);
}

#[test]
fn a_job_lives_until_its_last_try() {
    let report = |options: &str, underlined: &str, help: &str| {
        queue_reports(options, &[(underlined, Rule::Jobs, help)]);
        let suggested = help.split('`').nth(1).unwrap_or_default();
        queue_reports(&options.replace(underlined, suggested), &[]);
    };
    report("ttl = 7m, lease = 2m", "2m", "write `1m24s` or less, or `ttl = 10m`");
    report("ttl = 8m, lease = 5m, tries = 2", "5m", "write `4m` or less, or `ttl = 10m`");
    report("ttl = 30m, tries = 40", "40", "write `30` or less, or `ttl = 40m`");
    report("ttl = 1m", "1m", "write `5m` or more");
    // No lease is that short.
    report("ttl = 4s, lease = 2s, tries = 12", "12", "write `2` or less, or `ttl = 24s`");
    report("ttl = 3s, lease = 10s", "3s", "write `50s` or more");
    queue_reports("ttl = 5m", &[]);
    let checked = checked(&["id"], "queue:mail:{id}:zset, value = String, jobs(lease = 2m, tries = 5), ttl = 7m");
    let message = "5 tries of `2m` take 10m, which exceeds the ttl of `7m`";
    assert_eq!(checked.diagnostics[0].message, message);
    assert_eq!(jobs(&checked).map(|jobs| jobs.lease), Some(Duration::from_secs(120)));
}

#[test]
fn a_queue_needs_no_renewal() {
    for (option, name, rule) in [
        ("renew = write", "renew", Rule::Renewal),
        ("ttl_from_end_of = month", "ttl_from_end_of", Rule::Expiry),
        ("keep_top = 100", "keep_top", Rule::CollectionSize),
        ("copies = 8", "copies", Rule::Copies),
        ("null_ttl = 5m", "null_ttl", Rule::Expiry),
        ("refresh = 80%", "refresh", Rule::Expiry),
        ("near = 10s", "near", Rule::Expiry),
        ("stale = 1h", "stale", Rule::Expiry),
        ("burst = 5", "burst", Rule::RateLimit),
        ("field = u8", "field", Rule::StoredForm),
        ("max_bytes = 1KB", "max_bytes", Rule::ValueSize),
    ] {
        let help = match name {
            "max_bytes" => "write `max_member_bytes`, or remove it",
            "copies" => "remove it, and divide a large key into shards or buckets, as in `{id % 8}`",
            _ => "remove it",
        };
        queue_reports(&format!("ttl = 7d, {option}"), &[(name, rule, help)]);
    }
    queue_reports("ttl = 7d, keep_top = 100, max_len = 100", &[("keep_top", Rule::CollectionSize, "remove it")]);
    for reason in ["", ", reason = \"x\""] {
        queue_reports(&format!("ttl = never{reason}"), &[("never", Rule::LongLived, "write `7d`")]);
    }
}

#[test]
fn options_of_the_role_stand_in_its_parentheses() {
    let zset = |options: &str, name: &str, rule, help: &str| {
        reports(&["id"], &format!("queue:mail:{{id}}:zset, value = Mail, ttl = 1h, {options}"), &[(name, rule, help)]);
    };
    zset("tries = 5", "tries", Rule::Jobs, "write `jobs(tries = 5)`");
    zset("lease = 1m, tries = 5", "lease", Rule::Expiry, "write `jobs(lease = 1m, tries = 5)`");
    zset("lease = 1m", "lease", Rule::Expiry, "write `jobs(lease = 1m)`");
    zset("jobs, lease = 1m", "lease", Rule::Expiry, "write `jobs(lease = 1m)`");
    zset("jobs(tries = 5), lease = 1m", "lease", Rule::Expiry, "write `jobs(tries = 5, lease = 1m)`");
    zset("jobs(ttl = 7d)", "ttl", Rule::Expiry, "remove it");
    zset("jobs(refresh = 80%)", "refresh", Rule::Expiry, "remove it");
    zset("jobs(near = 10s)", "near", Rule::Expiry, "remove it");
    for kind in ["string", "list"] {
        let attribute = format!("queue:mail:{{id}}:{kind}, value = u64, ttl = 1h, tries = 5");
        let help = "write `jobs(tries = 5)` and end the template with `:zset`";
        reports(&["id"], &attribute, &[("tries", Rule::Jobs, help)]);
    }
}

#[test]
fn other_names_of_queues_are_translated() {
    for (written, inside, outside) in [
        ("visibility_timeout = 30", "write `lease = 30s`", "write `jobs(lease = 30s)`"),
        ("ack_wait = \"1 min\"", "write `lease = 1m`", "write `jobs(lease = 1m)`"),
        ("max_attempts = 3", "write `tries = 3`", "write `jobs(tries = 3)`"),
        ("retries", "write `tries = 5`", "write `jobs(tries = 5)`"),
    ] {
        let name = written.split(' ').next().unwrap_or_default();
        let queue = |role: &str| format!("queue:mail:{{id}}:zset, value = Mail, ttl = 7d, {role}");
        reports(&["id"], &queue(&format!("jobs({written})")), &[(name, Rule::Declaration, inside)]);
        reports(&["id"], &queue(written), &[(name, Rule::Declaration, outside)]);
    }
    let queue = "queue:mail:{id}:zset, value = Mail, ttl = 7d, job_queue";
    reports(&["id"], queue, &[("job_queue", Rule::Declaration, "write `jobs`")]);
}
