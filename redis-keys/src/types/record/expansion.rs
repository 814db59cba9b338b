//! What `#[derive(RedisHash)]` becomes.

/// The implementation of a record, and the constants of its fields. As for keys, the derive fills in what differs.
#[doc(hidden)]
#[macro_export]
macro_rules! __record {
    (
        $(#[$allow:meta])* $name:ident
        $(generics ($($params:tt)*) ($($arguments:tt)*) ($($bounds:tt)*))?
        $(phantom $phantom:ident)*
        $([
            $number:literal $field:ident $read:ident $write:ident
            ($($form:tt)*) $trait:ident $(<($($type:tt)*)>)?
            ($($declared:tt)*)
            ($($visibility:tt)*) $constant:ident $docs:literal ($($constant_type:tt)*)
        ])*
    ) => {
        #[automatically_derived]
        $(#[$allow])*
        impl $($($params)*)? $crate::RedisHash for $name $($($arguments)* $($bounds)*)? {
            const FIELDS: &'static [$crate::record::RecordField] = &[$($crate::record::RecordField::$($declared)*),*];

            fn write_record(&self, __fields: &mut $crate::__private::RecordWriter<'_>) {
                $(<$($form)* as $crate::__private::$trait $(<$($type)*>)?>::$write(&self.$field, __fields);)*
            }

            fn read_record(__fields: &mut $crate::__private::RecordReader) -> $crate::__private::Read<Self> {
                ::core::result::Result::Ok(Self {
                    $($phantom: ::core::marker::PhantomData,)*
                    $($field: <$($form)* as $crate::__private::$trait $(<$($type)*>)?>::$read(__fields)?,)*
                })
            }
        }

        #[allow(dead_code)]
        $(#[$allow])*
        impl $($($params)*)? $name $($($arguments)* $($bounds)*)? {
            $(
                #[doc = $docs]
                $($visibility)* const $constant: $crate::record::Field<Self, $($constant_type)*> =
                    $crate::record::Field::at($number);
            )*
        }
    };
}
