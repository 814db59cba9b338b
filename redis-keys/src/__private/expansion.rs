//! What the derive becomes.

/// Makes a file one that the crate is made of: cargo looks at the crate again when it is changed or removed.
#[doc(hidden)]
#[macro_export]
macro_rules! __track {
    ($path:literal) => {
        const _: &[$crate::__private::Byte] = $crate::__private::include_bytes!($path);
    };
}

/// The implementations of a key. The derive fills in what differs between keys: rustc expands these lines several
/// times faster than it takes them from a derive, and a project has many keys.
///
/// The writer has a name that no constant of the user's is likely to have, since a constant would be taken for a pattern.
/// `late` is what can be checked only where the parameters' types are known, `ends` says from the end of which
/// parameter the expiry counts, `fields` are the types of the parameters and how the key is made of them, and `by` says of a
/// parameter that it is not printed as it is.
#[doc(hidden)]
#[macro_export]
macro_rules! __key {
    (
        $(#[$allow:meta])* $summary:literal $declared:tt $name:ident
        $(generics ($($params:tt)*) ($($arguments:tt)*) ($($bounds:tt)*))?
        $(rare $rare:tt)?
        $(late ($($late:tt)*))?
        $(allowed $allowed:literal)?
        $(ends $span:ident $span_field:tt ($($span_type:tt)*) $span_name:literal)?
        fields ($($fields:tt)*) $read:ident ($($made:tt)*)
        of $trait:ident ($($types:tt)*)
        $(($before:literal $field:tt ($($type:tt)*) $place:ident $(by $form:ident $($number:literal)?)?))*
        $end:literal
    ) => {
        #[doc = $summary]
        #[automatically_derived]
        $(#[$allow])*
        impl $($($params)*)? $crate::RedisKey for $name $($($arguments)* $($bounds)*)? {
            const DECLARED: $crate::__private::Declared = $declared;
            $(const RARE: $crate::__private::Rare = $rare;)?
            $(const ALLOWED: $crate::__private::End = $allowed;)?

            $(
                const ENDS: $crate::__private::End = $span_name;

                #[inline]
                fn ends(&self) -> $crate::__private::Seconds {
                    <$($span_type)* as $crate::__private::Ends<$crate::bucket::$span>>::ends(&self.$span_field)
                }
            )?

            #[inline]
            fn write_key(&self, __key: &mut $crate::__private::KeyWriter) -> $crate::__private::End {
                $($($late)*)?
                $(<$($type)* as $crate::$(__private::$form::)?KeySegment>::$place(&self.$field, __key, $before $($(, $number)?)?);)*
                $end
            }

            type Fields = $($fields)*;

            fn from_fields($read: Self::Fields) -> Self {
                $($made)*
            }
        }

        #[automatically_derived]
        $(#[$allow])*
        impl $($($params)*)? $crate::$trait for $name $($($arguments)* $($bounds)*)? { $($types)* }
    };
}

/// The implementation of a hot key, with the number of its copies and with the place of that number among the parameters.
#[doc(hidden)]
#[macro_export]
macro_rules! __copied_key {
    (
        $(#[$allow:meta])* $summary:literal $declared:tt $name:ident
        $(generics ($($params:tt)*) ($($arguments:tt)*) ($($bounds:tt)*))?
        $(rare $rare:tt)?
        $(late ($($late:tt)*))?
        $(allowed $allowed:literal)?
        $(ends $span:ident $span_field:tt ($($span_type:tt)*) $span_name:literal)?
        of $copies:literal ($($types:tt)*)
        $(($before:literal $field:tt ($($type:tt)*) $place:ident $(by $form:ident $($number:literal)?)?))*
        copy $before_copy:literal
        $(($before_2:literal $field_2:tt ($($type_2:tt)*) $place_2:ident $(by $form_2:ident $($number_2:literal)?)?))*
        $end:literal
    ) => {
        #[doc = $summary]
        #[automatically_derived]
        $(#[$allow])*
        impl $($($params)*)? $crate::CopiedKey for $name $($($arguments)* $($bounds)*)? {
            $($types)*

            const COPIES: $crate::__private::Number = $copies;
            const DECLARED: $crate::__private::Declared = $declared;
            $(const RARE: $crate::__private::Rare = $rare;)?
            $(const ALLOWED: $crate::__private::End = $allowed;)?

            $(
                const ENDS: $crate::__private::End = $span_name;

                #[inline]
                fn ends(&self) -> $crate::__private::Seconds {
                    <$($span_type)* as $crate::__private::Ends<$crate::bucket::$span>>::ends(&self.$span_field)
                }
            )?

            #[inline]
            fn write_copy(
                &self,
                __copy: $crate::__private::Number,
                __key: &mut $crate::__private::KeyWriter,
            ) -> $crate::__private::End {
                $($($late)*)?
                $(<$($type)* as $crate::$(__private::$form::)?KeySegment>::$place(&self.$field, __key, $before $($(, $number)?)?);)*
                __key.copy($before_copy, __copy, $copies);
                $(<$($type_2)* as $crate::$(__private::$form_2::)?KeySegment>::$place_2(&self.$field_2, __key, $before_2 $($(, $number_2)?)?);)*
                $end
            }
        }
    };
}
