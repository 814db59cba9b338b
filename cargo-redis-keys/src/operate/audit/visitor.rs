//! The visitor with which an audit counts the keys of each node.

use std::sync::Arc;

use super::tally::Tally;
use crate::Failure;
use crate::operate::server::facts::Facts;
use crate::operate::server::scan::{FirstLook, Probes, SecondLook, Visitor};
use crate::operate::server::schemas::Schemas;

/// Counts the keys of each node in a [`Tally`].
pub(super) struct AuditVisitor {
    pub(super) schemas: Arc<Schemas>,
}

impl Visitor for AuditVisitor {
    type Counts = Tally;

    const WITHOUT_RESUME: Option<&'static str> =
        Some("with `--resume FILE`, the audit can be interrupted and go on later");

    const IS_USEFUL_IN_PART: bool = true;

    fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    fn probes(&self, facts: &Facts) -> Probes {
        let is_lfu = facts.maxmemory_policy.as_ref().map(|policy| policy.ends_with("lfu"));
        Probes {
            memory: true,
            length: true,
            encoding: true,
            frequency: is_lfu == Some(true),
            idle_time: is_lfu == Some(false),
            members: true,
            hyperloglog: true,
            hot_keys: facts.has_hot_keys(),
            ..Probes::default()
        }
    }

    fn counts(&self, facts: &Facts) -> Tally {
        Tally::new(facts)
    }

    fn first_look(&self, tally: &mut Tally, look: &FirstLook<'_>) -> bool {
        tally.first_look(&self.schemas, look)
    }

    fn second_look(
        &self,
        tally: &mut Tally,
        _node: &str,
        look: &FirstLook<'_>,
        second: &SecondLook,
    ) -> Result<(), Failure> {
        tally.second_look(&self.schemas, look, second);
        Ok(())
    }
}
