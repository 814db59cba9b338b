//! The parameters of a key, read one after the other.

use crate::{KeySegment, key::KeyReader, parameter::ParseSegment};

/// The parameters of a key that cannot be read back.
pub enum OneWay {}

/// What is true of no key.
#[diagnostic::on_unimplemented(
    message = "this key cannot be read back from its text",
    label = "a part of it does not tell what it is made of",
    note = "a digest and one of several copies are made of what they do not show; so is a shard, unless its field stands beside it, as in `{{id % 100}}:{{id}}`"
)]
pub trait ReadsBack<'k> {}

impl<'k> ReadFields<'k> for OneWay
where
    Self: ReadsBack<'k>,
{
    fn read_fields(_key: &mut KeyReader<'k>) -> Option<Self> {
        None
    }
}

/// The parameters of a key, in the order of its template.
#[diagnostic::on_unimplemented(
    message = "this key cannot be read back from its text",
    label = "not every parameter of it can",
    note = "a key of up to 26 parameters can be read back where each of them can"
)]
pub trait ReadFields<'k>: Sized {
    /// Reads them from the first to the last.
    fn read_fields(key: &mut KeyReader<'k>) -> Option<Self>;
}

macro_rules! fields {
    ($($first:ident $($rest:ident)*)?) => {
        impl<'k, $($first: KeySegment + ParseSegment<'k>, $($rest: KeySegment + ParseSegment<'k>),*)?> ReadFields<'k> for ($($first, $($rest,)*)?) {
            #[inline]
            fn read_fields(_key: &mut KeyReader<'k>) -> Option<Self> {
                Some(($(_key.read::<$first>()?, $(_key.read::<$rest>()?,)*)?))
            }
        }
        $(fields!($($rest)*);)?
    };
}

// More would not fit into a key, but for words of a letter.
fields!(A B C D E F G H I J K L M N O P Q R S T U V W X Y Z);
