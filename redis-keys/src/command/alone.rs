//! What runs by itself, and is put into a batch all the same: so that it is told how that is written.

use std::convert::Infallible;

use super::{answers::Answers, batch::Batch, round::Round};
use crate::{Error, purge::Purge, types::copies::GetCopy};

/// A read of a hot key. The compiler tells of a type of its own in the words of the trait that it lacks.
pub struct HotRead;

/// A purge of a key.
pub struct KeyPurge;

/// What is true of no read of a hot key.
#[diagnostic::on_unimplemented(
    message = "a read of a hot key runs by itself, not in a batch",
    label = "what it sends next depends on what it finds",
    note = "in a batch read one copy, whichever it is: `.any_copy().get()` in place of `.get()`"
)]
pub trait IsOneCommand<'k> {
    fn never() -> Infallible;
}

/// What is true of no purge.
#[diagnostic::on_unimplemented(
    message = "a purge runs by itself, not in a batch",
    label = "it takes as many steps as the key is large",
    note = "in a batch write `.unlink()`, which leaves the work to another thread of the server"
)]
pub trait IsOneStep<'k> {
    fn never() -> Infallible;
}

#[doc(hidden)]
impl<'k, K> Batch for GetCopy<'k, K>
where
    HotRead: IsOneCommand<'k>,
{
    type Output = Infallible;
    type Each = Infallible;
    type Plan = Infallible;

    fn plan(self, _round: &mut Round) -> Infallible {
        HotRead::never()
    }

    fn output(plan: Infallible, _answers: &mut Answers<'_>) -> Result<Infallible, Error> {
        match plan {}
    }

    fn each(plan: Infallible, _answers: &mut Answers<'_>) -> Infallible {
        match plan {}
    }
}

#[doc(hidden)]
impl<'k> Batch for Purge
where
    KeyPurge: IsOneStep<'k>,
{
    type Output = Infallible;
    type Each = Infallible;
    type Plan = Infallible;

    fn plan(self, _round: &mut Round) -> Infallible {
        KeyPurge::never()
    }

    fn output(plan: Infallible, _answers: &mut Answers<'_>) -> Result<Infallible, Error> {
        match plan {}
    }

    fn each(plan: Infallible, _answers: &mut Answers<'_>) -> Infallible {
        match plan {}
    }
}
