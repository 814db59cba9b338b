//! How the commands of `set` keys are built and their replies read.

pub(crate) mod scan;
