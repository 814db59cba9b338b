//! Counters of subscribers.

use super::counters;

counters! {
    "channel";

    Received    received    "Messages that subscribers have got.";
    Undecodable undecodable "Messages that could not be decoded."
        => warn "a message cannot be decoded";
    Gap         gaps        "Times at which messages may be missing, since a connection was lost or moved."
        => info "messages may be missing";
    Dropped     dropped     "Messages that were dropped, since more waited than a subscriber keeps.";
}
