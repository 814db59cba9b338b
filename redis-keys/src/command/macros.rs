//! Macros that implement [`Batch`](super::Batch) for types other than [`Command`](super::Command).

/// Gives a builder, which becomes a command by `into`, the methods of a command and its place in batches.
macro_rules! runnable {
    ([$($params:tt)*] $builder:ty => $result:ty) => {
        impl<$($params)*> $builder {
            /// Runs the command, as [`Command::query`](crate::Command::query).
            ///
            /// # Errors
            ///
            /// As [`Command::query`](crate::Command::query).
            pub fn query<__C>(self, con: &mut __C) -> Result<$result, crate::Error>
            where
                __C: $crate::SyncConnection + ?Sized,
            {
                crate::Command::from(self).query(con)
            }

            /// Runs the command, as [`Command::query_async`](crate::Command::query_async).
            ///
            /// # Errors
            ///
            /// As [`Command::query`](crate::Command::query).
            #[cfg(feature = "aio")]
            #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
            pub async fn query_async<__C>(self, con: &mut __C) -> Result<$result, crate::Error>
            where
                __C: $crate::AsyncConnection + ?Sized,
            {
                crate::Command::from(self).query_async(con).await
            }

            /// The bytes that would be sent first, as [`Command::packed`](crate::Command::packed).
            ///
            /// # Errors
            ///
            /// As [`Command::packed`](crate::Command::packed).
            pub fn packed(self) -> Result<Vec<u8>, crate::Error> {
                crate::Command::from(self).packed()
            }
        }

        impl<$($params)*> crate::Batch for $builder {
            type Output = $result;
            type Each = Result<$result, crate::Error>;
            type Plan = crate::command::Pending<$result>;

            fn plan(self, submission: &mut crate::command::Submission) -> Self::Plan {
                crate::command::Pending::new(self.into(), submission)
            }

            fn output(
                plan: Self::Plan,
                responses: &mut crate::command::Responses<'_>,
            ) -> Result<$result, crate::Error> {
                plan.read(responses)
            }

            fn each(plan: Self::Plan, responses: &mut crate::command::Responses<'_>) -> Self::Each {
                plan.read(responses)
            }
        }
    };
}

/// The items of an implementation of `Batch` that never applies.
///
/// It is for types that are rejected in batches with a message of their own: they implement `Batch` where a marker implements a
/// trait that nothing implements, and the compiler reports that trait.
macro_rules! not_batchable {
    ($marker:ident) => {
        type Output = std::convert::Infallible;
        type Each = std::convert::Infallible;
        type Plan = std::convert::Infallible;

        fn plan(self, _submission: &mut crate::command::Submission) -> Self::Plan {
            $marker::never()
        }

        fn output(
            plan: Self::Plan,
            _responses: &mut crate::command::Responses<'_>,
        ) -> Result<Self::Output, crate::Error> {
            match plan {}
        }

        fn each(plan: Self::Plan, _responses: &mut crate::command::Responses<'_>) -> Self::Each {
            match plan {}
        }
    };
}

pub(crate) use not_batchable;
pub(crate) use runnable;
