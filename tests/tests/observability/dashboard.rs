//! The dashboard, as Grafana imports it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use redis_keys_core::metric::{Metric, MetricKind};
use serde_json::{Value, json};

use crate::Metrics;
use crate::panels::{Panel, rows};

/// The width of the whole dashboard.
const WIDTH: usize = 24;

/// The height of a panel.
const HEIGHT: usize = 8;

/// The dashboard. Fails if a query has an unknown metric, or if no query has one of the metrics.
pub(crate) fn json(metrics: &Metrics) -> Value {
    let (mut panels, mut used, mut y) = (Vec::new(), BTreeSet::new(), 0);
    for row in rows(metrics) {
        panels.push(json!({
            "type": "row", "title": row.title, "id": panels.len() + 1, "collapsed": false, "panels": [],
            "gridPos": { "h": 1, "w": WIDTH, "x": 0, "y": y },
        }));
        y += 1;
        let width = if row.panels.len() % 3 != 0 && row.panels.len() % 2 == 0 { WIDTH / 2 } else { WIDTH / 3 };
        let in_line = WIDTH / width;
        for (index, panel) in row.panels.iter().enumerate() {
            let shown = metrics_of(panel, metrics);
            used.extend(shown.iter().map(|metric| metric.name));
            let place = json!({
                "h": HEIGHT, "w": width, "x": index % in_line * width, "y": y + index / in_line * HEIGHT,
            });
            panels.push(panel_json(panel, &shown, panels.len() + 1, &place));
        }
        y += row.panels.len().div_ceil(in_line) * HEIGHT;
    }
    let missing: Vec<_> = metrics.iter().map(|metric| metric.name).filter(|name| !used.contains(name)).collect();
    assert!(missing.is_empty(), "no panel has {missing:?}: add one in `panels.rs`");
    json!({
        "uid": "redis-keys", "title": "redis-keys", "tags": ["redis"], "schemaVersion": 39, "version": 1, "id": null,
        "description": "Commands, caches, locks, limits and jobs of programs with redis-keys, and what audits have found.",
        "editable": true, "graphTooltip": 1, "refresh": "30s", "timezone": "browser", "links": [],
        "time": { "from": "now-1h", "to": "now" }, "timepicker": {}, "annotations": { "list": [] },
        "templating": { "list": [source_variable(), template_variable()] },
        "panels": panels,
    })
}

fn source() -> Value {
    json!({ "type": "prometheus", "uid": "${datasource}" })
}

fn source_variable() -> Value {
    json!({
        "name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus", "regex": "",
        "refresh": 1, "hide": 0, "multi": false, "includeAll": false, "options": [],
    })
}

fn template_variable() -> Value {
    let query = "label_values({__name__=~\"redis_keys_commands_total|redis_keys_stock_keys\"}, template)";
    json!({
        "name": "template", "label": "Template", "type": "query", "datasource": source(),
        "query": { "query": query, "refId": "template" }, "regex": "", "refresh": 2, "sort": 1, "hide": 0,
        "multi": true, "includeAll": true, "allValue": ".*", "current": { "text": ["All"], "value": ["$__all"] },
        "options": [],
    })
}

fn panel_json(panel: &Panel, shown: &[&Metric], id: usize, place: &Value) -> Value {
    let targets = panel.queries.iter().enumerate().map(|(index, (query, legend))| {
        json!({
            "refId": format!("Q{}", index + 1), "datasource": source(), "editorMode": "code", "range": true,
            "expr": in_grafana(query), "legendFormat": legend,
        })
    });
    let is_number = panel.queries.iter().all(|(_, legend)| legend.is_empty());
    let mut defaults = json!({ "unit": panel.unit, "min": 0 });
    let (kind, options) = if is_number {
        ("stat", json!({ "reduceOptions": { "calcs": ["lastNotNull"] }, "colorMode": "none", "graphMode": "area" }))
    } else {
        defaults["custom"] = json!({ "fillOpacity": 10, "showPoints": "never" });
        let legend = json!({ "displayMode": "list", "placement": "bottom", "showLegend": true });
        ("timeseries", json!({ "legend": legend, "tooltip": { "mode": "multi", "sort": "desc" } }))
    };
    let descriptions: Vec<_> =
        shown.iter().map(|metric| format!("`{}`: {}", metric.name, metric.description)).collect();
    json!({
        "type": kind, "title": panel.title, "description": descriptions.join("\n\n"), "id": id, "gridPos": place,
        "datasource": source(), "fieldConfig": { "defaults": defaults, "overrides": [] }, "options": options,
        "targets": targets.collect::<Vec<_>>(),
    })
}

fn in_grafana(query: &str) -> String {
    query.replace("TEMPLATES", "template=~\"$template\"").replace("RATE", "$__rate_interval")
}

/// The metrics in the queries of a panel.
fn metrics_of<'m>(panel: &Panel, metrics: &'m Metrics) -> Vec<&'m Metric> {
    let mut found = Vec::<&Metric>::new();
    for name in panel.queries.iter().flat_map(|(query, _)| names_in(query)) {
        let metric = metrics.iter().find(|metric| series(metric).iter().any(|series| series == name));
        let metric = metric.unwrap_or_else(|| panic!("`{}` has a query of {name}, which is no metric", panel.title));
        if !found.contains(&metric) {
            found.push(metric);
        }
    }
    found
}

/// The names of metrics in a text.
pub(crate) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_');
    words.filter(|word| word.starts_with("redis_keys_"))
}

/// The names under which Prometheus has a metric.
pub(crate) fn series(metric: &Metric) -> Vec<String> {
    match metric.kind {
        MetricKind::Histogram => ["bucket", "sum", "count"].map(|part| format!("{}_{part}", metric.name)).to_vec(),
        _ => vec![metric.name.to_owned()],
    }
}

#[test]
fn prometheus_can_read_every_query() {
    let mut rules = "groups:\n  - name: dashboard\n    rules:\n".to_owned();
    for (index, (query, _)) in
        rows(&Metrics::all()).iter().flat_map(|row| &row.panels).flat_map(|p| &p.queries).enumerate()
    {
        let query = query.replace("TEMPLATES", "template=~\".*\"").replace("RATE", "1m");
        _ = writeln!(rules, "      - record: query_{index}\n        expr: '{query}'");
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dashboard_rules.yml");
    fs::write(&file, &rules).expect("the folder is writable");
    match Command::new("promtool").args(["check", "rules"]).arg(file).output() {
        Err(_) => println!("not checked: promtool is not on the PATH"),
        Ok(output) => assert!(output.status.success(), "{}\n{rules}", String::from_utf8_lossy(&output.stderr)),
    }
}
