//! Counters and events of layers that apply rate limits.

use crate::ErrorKind;
use crate::counters::{counters, event};
use crate::schema::Schema;

counters! {
    "limit", "decision" "The time that each decision took.";

    Allowed    allowed      "Requests that were allowed.";
    Refused    refused      "Requests that were refused." => debug "a request was refused";
    InvalidKey invalid_keys "Requests whose key has an invalid parameter." => debug "the key of a request is invalid";
    Undecided  undecided    "Requests on which the server did not decide.";
}

/// Reports the first of several error replies of the server.
pub(crate) fn server_error(kind: ErrorKind, schema: &'static Schema) {
    event!(warn, template = schema.template, ?kind, "the server replied with an error");
}

pub(crate) fn errors_ended() {
    event!(info, "the server decides again");
}

pub(crate) fn breaker_opened() {
    event!(warn, "the server does not answer: this process limits requests by itself, or refuses all");
}

pub(crate) fn breaker_closed() {
    event!(info, "the server answers again");
}
