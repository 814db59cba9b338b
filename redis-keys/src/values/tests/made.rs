//! Values that the tracer makes, which tests encode and decode.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::shape_of;

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Expr {
    Neg(Box<Expr>),
    Named { name: Option<String>, of: Vec<i64> },
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(tag = "type")]
enum Event {
    Opened { by: u8 },
    Closed,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Order {
    id: u64,
    at: chrono::NaiveDate,
    #[serde(default)]
    note: Option<String>,
    exprs: Vec<Expr>,
    events: BTreeMap<String, Event>,
    ratio: f32,
}

#[test]
fn random_values_are_the_same_for_a_seed_and_differ_among_seeds() {
    let orders = || -> Vec<Option<Order>> {
        let traced = shape_of::<Order>(true);
        (0..50).map(|seed| traced.random(seed)).collect()
    };
    let made = orders();
    assert_eq!(made, orders());
    let mut different: Vec<_> = made.iter().flatten().collect();
    different.dedup();
    assert!(different.len() > 45, "{different:?}");
    let has = |is: &dyn Fn(&Order) -> bool| made.iter().flatten().any(is);
    assert!(has(&|order| order.note.is_some()) && has(&|order| order.note.is_none()));
    assert!(has(&|order| order.exprs.len() > 1) && has(&|order| order.exprs.is_empty()));
    assert!(has(&|order| order.exprs.iter().any(|expr| matches!(expr, Expr::Neg(_)))));
    assert!(has(&|order| order.events.values().any(|event| *event == Event::Closed)));
    assert!(has(&|order| order.id > 1 << 40));
}

#[test]
fn the_example_is_always_the_same() {
    let example = || shape_of::<Order>(true).example::<Order>();
    assert!(example().is_some_and(|order| !order.exprs.is_empty() && !order.events.is_empty()));
    assert_eq!(example(), example());
    assert_eq!(shape_of::<Order>(true).random::<Order>(1), shape_of::<Order>(true).random(1));
}
