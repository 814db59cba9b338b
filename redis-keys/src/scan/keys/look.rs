//! What the primaries of a cluster say of themselves, before its keys are asked for and after.
//!
//! A key that stays can be missed in one way only: it comes to a node, with its slot, when that has been asked for what is
//! there. The node knows of it, whatever the others have heard: its slots are others then, or it says which are on their way.
//! It is enough to ask it once more behind the node that has sent them: what that did not give was on its way before. Where a
//! slot is given up half way the keys go back, so that both ends of one that is open are asked once more.

use redis::Value;

use super::to::To;
use crate::command::replies::list;

/// As often is looked where the slots are until a scan is given up.
const MOST_LOOKS: usize = 100;

/// The primaries that a scan has to ask.
#[derive(Default)]
pub(super) struct Look {
    looks: usize,
    /// How many slots are served, as the node says that names the primaries.
    named: usize,
    /// Who has not said yet what it serves.
    open: Vec<To>,
    /// Who has.
    now: Vec<(To, Claim)>,
    /// Who had before all that has been asked for.
    before: Vec<(To, Claim)>,
    forgotten: Vec<To>,
}

/// What a look comes to.
pub(super) enum Found {
    /// These have to be asked for their keys.
    Changed(Vec<To>),
    /// All have been asked, and have nothing since that they had not before.
    Same,
    /// They do not agree yet on who serves what.
    Unsettled,
}

impl Look {
    /// Begins to look: all primaries, or those that are known by the connection alone, have to say what they serve. `false` when
    /// that has been asked often enough.
    ///
    /// A connection that is none to a cluster knows the one node that it leads to.
    pub(super) fn begin(&mut self, slots: &Slots, cluster: bool) -> bool {
        self.looks += 1;
        self.named = slots.count;
        self.now.clear();
        self.open = if cluster { slots.nodes().unwrap_or_else(|| vec![To::Primaries]) } else { vec![To::Any] };
        self.looks <= MOST_LOOKS
    }

    /// Whom to ask next.
    pub(super) fn open(&self) -> Option<&To> {
        self.open.last()
    }

    /// The next has been asked.
    pub(super) fn close(&mut self) {
        self.open.pop();
    }

    pub(super) fn says(&mut self, node: To, claim: Claim) {
        self.now.push((node, claim));
    }

    /// A node was not there for all of its keys, so that it counts as one that has not been asked. `false` when that is so again.
    pub(super) fn forget(&mut self, node: &To) -> bool {
        self.before.retain(|(known, _)| known != node);
        let again = self.forgotten.contains(node);
        self.forgotten.push(node.clone());
        !again
    }

    /// Once all have said it.
    pub(super) fn end(&mut self) -> Found {
        let changed = self.now.iter().filter(|one| !self.before.contains(one));
        let changed: Vec<_> = changed.map(|(node, _)| node.clone()).collect();
        let served: usize = self.now.iter().map(|(_, claim)| claim.slots).sum();
        // Who serves no slot is not named, and yet has keys once the first is on its way there.
        let said = |id: &str| self.now.iter().any(|(_, claim)| claim.id == id);
        let mut receivers = self.now.iter().flat_map(|(_, claim)| &claim.open).filter_map(|mark| receiver(mark));
        let all_said = receivers.all(said);
        self.before = std::mem::take(&mut self.now);
        if self.looks == 1 {
            // Some of those keys are yet to go to a node that is asked before the one that has them now.
            let ends: Vec<_> = self.before.iter().flat_map(|(_, claim)| claim.ends()).map(str::to_owned).collect();
            self.before.retain(|(_, claim)| !ends.contains(&claim.id));
        }
        if !changed.is_empty() {
            Found::Changed(changed)
        } else if served == self.named && all_said {
            Found::Same
        } else {
            Found::Unsettled
        }
    }
}

/// What a node says of itself.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Claim {
    id: String,
    /// What it serves, and its epoch, which is another one when it has served something else between.
    serves: String,
    slots: usize,
    /// The slots of which keys are coming to it, and those of which keys are going away.
    open: Vec<String>,
}

impl Claim {
    /// Reads what CLUSTER NODES answers: of its lines the one on the node itself.
    ///
    /// `ID ADDRESS myself,FLAG… PRIMARY|- PING PONG EPOCH LINK FIRST-LAST… [SLOT-<-ID]… [SLOT->-ID]…`
    pub(super) fn read(nodes: &Value) -> Option<Self> {
        let text = match nodes {
            Value::BulkString(text) => std::str::from_utf8(text).ok()?,
            Value::VerbatimString { text, .. } => text,
            _ => return None,
        };
        let own =
            |line: &&str| line.split(' ').nth(2).is_some_and(|flags| flags.split(',').any(|flag| flag == "myself"));
        let mut words = text.lines().find(own)?.split(' ');
        let (id, primary, epoch) = (words.next()?, words.nth(2)?, words.nth(2)?);
        let serves = [id, primary, epoch].join(" ");
        let mut claim = Self { id: id.to_owned(), serves, slots: 0, open: Vec::new() };
        for word in words.skip(1) {
            if word.starts_with('[') {
                claim.open.push(word.to_owned());
            } else {
                claim.slots += count(word)?;
                claim.serves.push(' ');
                claim.serves.push_str(word);
            }
        }
        Some(claim)
    }

    /// Between whom its slots are open.
    fn ends(&self) -> impl Iterator<Item = &str> {
        let others = self.open.iter().filter_map(|mark| sender(mark).or_else(|| receiver(mark)));
        others.flat_map(|other| [self.id.as_str(), other])
    }
}

/// From whom a slot comes: `ID` of `[5-<-ID]`.
fn sender(mark: &str) -> Option<&str> {
    mark.split_once("-<-").map(|(_, id)| id.trim_end_matches(']'))
}

/// To whom one goes: `ID` of `[5->-ID]`.
fn receiver(mark: &str) -> Option<&str> {
    mark.split_once("->-").map(|(_, id)| id.trim_end_matches(']'))
}

/// Of `5` or `5-7`.
fn count(range: &str) -> Option<usize> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    (last.parse::<usize>().ok()? + 1).checked_sub(first.parse().ok()?)
}

/// What CLUSTER SLOTS answers.
#[derive(Default)]
pub(super) struct Slots {
    /// The primaries: host, port and more of each.
    pub(super) primaries: Vec<Value>,
    count: usize,
}

impl Slots {
    pub(super) fn read(reply: Value) -> Self {
        let mut slots = Self::default();
        for range in list(reply).unwrap_or_default() {
            // Its first slot, its last one, the primary, and replicas.
            let mut range = list(range).unwrap_or_default().into_iter();
            if let (Some(Value::Int(first)), Some(Value::Int(last)), Some(primary)) =
                (range.next(), range.next(), range.next())
            {
                slots.count += usize::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or_default();
                if !slots.primaries.contains(&primary) {
                    slots.primaries.push(primary);
                }
            }
        }
        slots
    }

    /// Where they are, if each of them says it.
    fn nodes(&self) -> Option<Vec<To>> {
        self.primaries.iter().map(To::primary).collect()
    }
}
