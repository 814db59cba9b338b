//! The rules for alerts on the page, with series that each of them does and does not fire for.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A case: series with their values at intervals of a minute, and the alerts that fire after two hours.
struct Case {
    name: &'static str,
    series: &'static [(&'static str, &'static str)],
    /// The names with their labels.
    alerts: &'static [(&'static str, &'static str)],
}

const CASES: [Case; 9] = [
    Case {
        name: "calls fail",
        series: &[
            ("redis_keys_commands_total{template='t', command='get', outcome='ok'}", "0+90x120"),
            ("redis_keys_commands_total{template='t', command='get', outcome='failed'}", "0+10x120"),
        ],
        alerts: &[("RedisCallsFail", "template: t")],
    },
    Case {
        name: "calls are rejected",
        series: &[("redis_keys_rejected_total{template='t', rule='value-size'}", "0+1x120")],
        alerts: &[("RedisCallsRejected", "template: t, rule: value-size")],
    },
    Case {
        name: "half of the calls of a cache miss",
        series: &[
            ("redis_keys_cache_hits_total{template='t'}", "0+80x120"),
            ("redis_keys_cache_absent_hits_total{template='t'}", "0+20x120"),
            ("redis_keys_cache_shared_total{template='t'}", "0+20x120"),
            ("redis_keys_cache_loads_total{template='t'}", "0+90x120"),
            ("redis_keys_cache_refreshes_total{template='t'}", "0+10x120"),
        ],
        alerts: &[("RedisCacheMisses", "template: t")],
    },
    Case {
        name: "four of five calls of a cache hit, and refreshes are no misses",
        series: &[
            ("redis_keys_cache_hits_total{template='t'}", "0+60x120"),
            ("redis_keys_cache_absent_hits_total{template='t'}", "0+20x120"),
            ("redis_keys_cache_shared_total{template='t'}", "0+0x120"),
            ("redis_keys_cache_loads_total{template='t'}", "0+120x120"),
            ("redis_keys_cache_refreshes_total{template='t'}", "0+100x120"),
        ],
        alerts: &[],
    },
    Case {
        name: "a cache with little traffic misses",
        series: &[
            ("redis_keys_cache_hits_total{template='t'}", "0+0x120"),
            ("redis_keys_cache_absent_hits_total{template='t'}", "0+0x120"),
            ("redis_keys_cache_shared_total{template='t'}", "0+0x120"),
            ("redis_keys_cache_loads_total{template='t'}", "0+50x120"),
            ("redis_keys_cache_refreshes_total{template='t'}", "0+0x120"),
        ],
        alerts: &[],
    },
    Case {
        name: "fewer jobs end than are pushed, by several programs",
        series: &[
            ("redis_keys_commands_total{template='t', command='push', outcome='ok', instance='1'}", "0+50x120"),
            ("redis_keys_commands_total{template='t', command='push', outcome='ok', instance='2'}", "0+50x120"),
            ("redis_keys_jobs_done_total{template='t', instance='3'}", "0+80x120"),
            ("redis_keys_jobs_died_total{template='t', instance='3'}", "0+2x120"),
            ("redis_keys_jobs_buried_total{template='t', instance='3'}", "0+2x120"),
        ],
        alerts: &[("RedisJobsPileUp", "template: t")],
    },
    Case {
        name: "no worker runs",
        series: &[
            ("redis_keys_commands_total{template='t', command='push', outcome='ok'}", "0+10x120"),
            // It belongs to another queue.
            ("redis_keys_jobs_done_total{template='u'}", "0+80x120"),
        ],
        alerts: &[("RedisJobsPileUp", "template: t")],
    },
    Case {
        name: "as many jobs end as are pushed, and more of a queue with `push_many`",
        series: &[
            ("redis_keys_commands_total{template='t', command='push', outcome='ok'}", "0+100x120"),
            ("redis_keys_jobs_done_total{template='t'}", "0+94x120"),
            ("redis_keys_jobs_died_total{template='t'}", "0+3x120"),
            ("redis_keys_jobs_buried_total{template='t'}", "0+3x120"),
            ("redis_keys_commands_total{template='u', command='push_many', outcome='ok'}", "0+10x120"),
            ("redis_keys_jobs_done_total{template='u'}", "0+1000x120"),
            ("redis_keys_jobs_died_total{template='u'}", "0+0x120"),
            ("redis_keys_jobs_buried_total{template='u'}", "0+0x120"),
        ],
        alerts: &[],
    },
    Case {
        name: "few jobs are pushed",
        series: &[("redis_keys_commands_total{template='t', command='push', outcome='ok'}", "0+3x120")],
        alerts: &[],
    },
];

/// The names of the alerts, in the order of the page. There is an audit in each case.
const ALERTS: [&str; 5] =
    ["RedisCallsFail", "RedisCallsRejected", "RedisCacheMisses", "RedisJobsPileUp", "RedisAuditIsOld"];

#[test]
fn each_alert_fires_when_it_should() {
    let page = crate::read(crate::PAGE);
    let rules = page.split("```yaml\n").find(|block| block.starts_with("groups:")).expect("the page has the rules");
    let rules = rules.split("```").next().unwrap_or_default();
    let names: Vec<_> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert_eq!(names, ALERTS);

    let mut tests = "rule_files: [alert_rules.yml]\nevaluation_interval: 1m\ntests:\n".to_owned();
    let audit = ("redis_keys_stock_audit_timestamp_seconds", "0x120");
    for case in &CASES {
        _ = writeln!(tests, "  - name: {}\n    interval: 1m\n    input_series:", case.name);
        for (series, values) in case.series.iter().chain([&audit]) {
            _ = writeln!(tests, "      - series: \"{series}\"\n        values: {values}");
        }
        _ = writeln!(tests, "    alert_rule_test:");
        for alert in ALERTS {
            let fired = case.alerts.iter().filter(|(name, _)| *name == alert);
            let fired: Vec<_> = fired.map(|(_, labels)| format!("{{ exp_labels: {{ {labels} }} }}")).collect();
            _ = writeln!(tests, "      - {{ eval_time: 2h, alertname: {alert}, exp_alerts: [{}] }}", fired.join(", "));
        }
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (file, text) in [("alert_rules.yml", rules), ("alert_tests.yml", &tests)] {
        fs::write(folder.join(file), text).expect("the folder is writable");
    }
    match Command::new("promtool").args(["test", "rules", "alert_tests.yml"]).current_dir(folder).output() {
        Err(_) => println!("not checked: promtool is not on the PATH"),
        Ok(output) => {
            let report = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
            assert!(output.status.success(), "{}\n{tests}", report.concat());
        }
    }
}
