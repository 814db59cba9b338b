//! How long copies are served without a sign of life.

use crate::cache::near::era::Eras;

const SECOND: u64 = 1_000_000_000;

#[test]
fn an_era_lives_for_two_seconds_after_what_was_answered_had_been_sent() {
    let eras = Eras::new(1);
    let era = eras.current();
    assert!(era.is_alive(2 * SECOND));
    assert!(!era.is_alive(2 * SECOND + 1));
    era.answered(5 * SECOND);
    assert!(era.is_alive(7 * SECOND - 1));
    // An answer to what was sent earlier arrives late.
    era.answered(3 * SECOND);
    assert!(era.is_alive(7 * SECOND - 1) && !era.is_alive(7 * SECOND));
}

#[test]
fn an_era_that_is_over_stays_over() {
    let eras = Eras::new(1);
    let first = eras.current();
    eras.begin_another();
    first.answered(SECOND);
    assert!(!first.is_alive(1));
    let second = eras.current();
    assert!(second.is_alive(SECOND), "it goes on with the time of the first");
    eras.lose();
    second.answered(SECOND);
    eras.current().answered(SECOND);
    assert!(!second.is_alive(1) && !eras.current().is_alive(1));
    eras.begin_another();
    eras.current().answered(SECOND);
    assert!(!eras.current().is_alive(1), "a flush that arrives late opens nothing");
}

#[test]
fn a_sign_of_life_is_needed_after_a_copy_was_served_or_a_read_was_not_answered() {
    let eras = Eras::new(1);
    assert!(!eras.take_need());
    eras.current().note_use();
    assert!(eras.take_need() && !eras.take_need());
    eras.suspect(SECOND);
    assert!(eras.take_need() && eras.take_need());
    assert!(!eras.is_usable(SECOND) && !eras.is_lost());
    eras.trust();
    assert!(eras.is_usable(SECOND) && !eras.take_need());
    eras.suspect(SECOND);
    eras.suspect(4 * SECOND);
    assert!(!eras.is_usable(6 * SECOND) && eras.is_lost(), "its runtime may stand still");
}
