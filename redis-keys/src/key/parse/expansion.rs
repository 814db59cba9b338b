//! What some keys become beside their implementations, so that they can be read back.

/// The implementation of `ReadFields` for a key whose parameters' types may be less public than the key itself: then they cannot
/// be its `Fields`, and it is that itself. It asks for what they have to be in terms of a lifetime of its own, since such a
/// condition may be false: then the key can do all else.
#[doc(hidden)]
#[macro_export]
macro_rules! __read {
    (
        $(#[$allow:meta])* $name:ident
        $(generics ($($params:tt)*) ($($arguments:tt)*) ($($bounds:tt)*))?
        ($($fields:tt)*) $read:ident ($($made:tt)*)
    ) => {
        #[automatically_derived]
        $(#[$allow])*
        impl<'__k, $($($params)*)?> $crate::__private::ReadFields<'__k> for $name $($($arguments)*)?
        where
            $($($bounds)*)?
            $($fields)*: $crate::__private::ReadFields<'__k>,
        {
            fn read_fields(__key: &mut $crate::__private::KeyReader<'__k>) -> $crate::__private::Found<Self> {
                __key.fields(|$read: $($fields)*| $($made)*)
            }
        }
    };
}
