//! LPOP and RPOP.

use super::End;
use crate::{Command, ListKey, access::native, list_key::Output, replies};

pub(crate) fn one<K: ListKey>(key: &K, end: End) -> Command<Option<Output<K>>> {
    native(key, name(end), (0, 0), |_| Ok(()), replies::element::<K::Value>)
}

fn name(end: End) -> &'static str {
    match end {
        End::Left => "LPOP",
        End::Right => "RPOP",
    }
}
