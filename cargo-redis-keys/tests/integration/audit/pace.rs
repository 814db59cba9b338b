//! Options of the pace.

use std::time::Instant;

use super::run::{audit, fill, start};

#[test]
fn a_rate_is_kept() {
    let (server, mut con) = start();
    fill(&mut con, 2_000);
    let started = Instant::now();
    assert_eq!(audit(&[&server.url(), "--rate", "1000", "--max-latency", "1s"]).keys(), 2_000);
    assert!(started.elapsed().as_secs_f64() > 1.8);
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let url = "redis://127.0.0.1:1";
    for options in [&["--full-speed", "--rate", "5"][..], &["--share", "0"], &["--pause", "1"], &["--sample", "0"]] {
        audit(&[&[url], options].concat()).failure();
    }
}
