//! The methods of tokio's `Notify` that the library uses, on a channel of the models.

use std::mem;

use crate::watch::Sender;

pub(crate) struct Notify(Sender<bool>);

impl Notify {
    pub(crate) fn new() -> Self {
        Self(Sender::new(false))
    }

    pub(crate) fn notify_one(&self) {
        self.0.send_replace(true);
    }

    pub(crate) async fn notified(&self) {
        let mut changes = self.0.subscribe();
        while !self.0.send_if_modified(mem::take) {
            _ = changes.changed().await;
        }
    }
}
