//! The examples of metrics and spans, as processes: each installs what a process can have once.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use redis_keys::testing::Server;
use redis_keys_tests::{Child, read_exposition, wait_until};
use tokio::runtime::Runtime;

#[allow(dead_code, reason = "`main` is not called")]
#[path = "../../../examples/dashboard.rs"]
mod dashboard;
#[allow(dead_code, reason = "`main` is not called")]
#[path = "../../../examples/traces.rs"]
mod traces;

#[test]
#[ignore = "runs in a process of its own, which a test starts"]
fn dashboard_process() {
    println!();
    Runtime::new().expect("tokio starts").block_on(dashboard::run(Duration::from_secs(20))).expect("the example works");
}

#[test]
#[ignore = "runs in a process of its own, which a test starts"]
fn traces_process() {
    let server = Server::start().expect("a server starts");
    Runtime::new().expect("tokio starts").block_on(traces::run(&server.url())).expect("the example works");
}

/// The metrics of a program under load are in the format of Prometheus, and each of them that such a program has.
#[test]
fn the_dashboard_example_serves_metrics() {
    let mut child = Child::start("examples::dashboard_process", &[]);
    let address = child.wait_for_line("metrics: http://");
    let address = address.trim_end_matches("/metrics");
    let expected: Vec<_> = redis_keys::__private::metric_families()
        .into_iter()
        .filter(|metric| DRIVERS.iter().any(|driver| metric.name.starts_with(driver)))
        .collect();
    let mut text = String::new();
    wait_until("all metrics are there", || {
        text = page(address);
        expected.iter().all(|metric| text.contains(&format!("# TYPE {} {}\n", metric.name, metric.kind.name())))
            && text.contains("rule=\"value-size\"")
    });
    check_with_promtool(&text);

    // The exporter writes an empty line after each family.
    let families = read_exposition(&text.replace("\n\n", "\n")).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for metric in &expected {
        let family = families.iter().find(|family| family.name == metric.name).expect("it is in the text");
        assert_eq!(family.help, metric.description);
        let (labels, _) = &family.samples[0];
        assert!(labels.keys().filter(|label| *label != "le").all(|label| metric.labels.contains(&label.as_str())));
    }
    let names: Vec<_> = redis_keys::__private::metric_families().iter().map(|metric| metric.name).collect();
    assert!(families.iter().all(|family| names.contains(&family.name.as_str())));
    child.finish();
}

/// The metrics that the example has: those of commands, and of the drivers that it uses.
const DRIVERS: [&str; 10] = [
    "redis_keys_commands_",
    "redis_keys_command_",
    "redis_keys_rejected_",
    "redis_keys_batch_",
    "redis_keys_sent_",
    "redis_keys_received_",
    "redis_keys_cache_",
    "redis_keys_lock_",
    "redis_keys_limit_",
    "redis_keys_jobs_",
];

/// The page of metrics, or nothing while it is not served.
fn page(address: &str) -> String {
    let mut response = String::new();
    if let Ok(mut stream) = TcpStream::connect(address) {
        _ = stream.write_all(b"GET /metrics HTTP/1.0\r\n\r\n").and_then(|()| stream.read_to_string(&mut response));
    }
    response.split_once("\r\n\r\n").map_or_else(String::new, |(_, body)| body.to_owned())
}

fn check_with_promtool(text: &str) {
    let promtool = Command::new("promtool").args(["check", "metrics"]).stdin(Stdio::piped()).spawn();
    let Ok(mut promtool) = promtool else { return println!("not checked: promtool is not on the PATH") };
    promtool.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("promtool reads it");
    assert!(promtool.wait().expect("promtool ends").success(), "{text}");
}

#[test]
fn the_traces_example_prints_spans_without_keys_and_values() {
    let mut command = Command::new(std::env::current_exe().expect("this binary has a path"));
    command.args(["--exact", "examples::traces_process", "--ignored", "--nocapture"]);
    let output = command.output().expect("this binary runs");
    let text = String::from_utf8(output.stdout).expect("the output is text");
    assert!(output.status.success(), "{text}");

    for expected in [
        "Name         : set user:name:{user_id}:string\n",
        "Name         : get user:name:{user_id}:string\n",
        "Name         : PIPELINE\n",
        "Name         : MULTI\n",
        "Kind         : Client\n",
        "db.system.name: String(Owned(\"redis\"))",
        "db.operation.name: String(Owned(\"get\"))",
        "db.collection.name: String(Owned(\"user:name:{user_id}:string\"))",
        "db.operation.batch.size: ",
        "Status       : Error",
        "error.type: String(Owned(\"WrongType\"))",
        "db.response.status_code: String(Owned(\"WRONGTYPE\"))",
    ] {
        assert!(text.contains(expected), "no {expected:?} in {text}");
    }
    assert_eq!(text.matches("Span #").count(), 6, "{text}");
    // The guide shows a failed one. Identifiers and times have digits, and differ from run to run.
    let words = |line: &str| {
        let words = line.split_whitespace().filter(|word| !word.contains(|sign: char| sign.is_ascii_digit()));
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let failed = text.split("Span #").find(|span| span.contains("WRONGTYPE")).expect("a failed span");
    let page = crate::read(crate::PAGE);
    let sample = page.split("```text\n").find(|block| block.starts_with("Name  ")).expect("a span");
    for line in sample.lines().take_while(|line| *line != "```") {
        assert!(failed.lines().any(|found| words(found) == words(line)), "not printed: {line}\n{failed}");
    }
    for hidden in ["Ada", "Lovelace", "Countess", "Mallory", "4294967311", "8589934609", "westerland"] {
        assert!(!text.contains(hidden), "{hidden} is in {text}");
    }
}
