//! Reports of drivers to `metrics` and `tracing`, in tests.

#![allow(clippy::unwrap_used, reason = "a test cannot continue when it fails")]

mod recorder;
mod subscriber;

pub(crate) use self::recorder::Recorder;
pub(crate) use self::subscriber::Subscriber;

/// Reports that go to a recorder and a subscriber for this thread, in which the runtime of the test also runs.
macro_rules! observed {
    ($recorder:ident, $subscriber:ident) => {
        let ($recorder, $subscriber) = (crate::observe::Recorder::default(), crate::observe::Subscriber::default());
        // With a single subscriber, tracing asks that of the thread which comes first to a span or an event: perhaps
        // one of another test, which has none. So there is always another one.
        _ = tracing::subscriber::set_global_default(tracing::subscriber::NoSubscriber::default());
        let _recorder = metrics::set_default_local_recorder(&$recorder);
        let _subscriber = tracing::subscriber::set_default($subscriber.clone());
    };
}

pub(crate) use observed;
