//! What a command that is still being put together has in common with one that is ready.

/// Gives a builder, which becomes a command by `into`, the methods of a command, and its place in batches.
macro_rules! runnable {
    ([$($params:tt)*] $builder:ty => $result:ty) => {
        impl<$($params)*> $builder {
            /// As [`Command::query`](crate::Command::query).
            ///
            /// # Errors
            ///
            /// As [`Command::query`](crate::Command::query).
            pub fn query<__C>(self, con: &mut __C) -> Result<$result, crate::Error>
            where
                __C: redis::ConnectionLike + ?Sized,
            {
                crate::Command::from(self).query(con)
            }

            /// As [`Command::query_async`](crate::Command::query_async).
            ///
            /// # Errors
            ///
            /// As [`Command::query`](crate::Command::query).
            #[cfg(feature = "aio")]
            #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
            pub async fn query_async<__C>(self, con: &mut __C) -> Result<$result, crate::Error>
            where
                __C: redis::aio::ConnectionLike + ?Sized,
            {
                crate::Command::from(self).query_async(con).await
            }

            /// As [`Command::packed`](crate::Command::packed).
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
            type Plan = crate::command::Part<$result>;

            fn plan(self, round: &mut crate::command::Round) -> Self::Plan {
                crate::command::Part::new(self.into(), round)
            }

            fn output(
                plan: Self::Plan,
                answers: &mut crate::command::Answers<'_>,
            ) -> Result<$result, crate::Error> {
                plan.result(answers)
            }

            fn each(plan: Self::Plan, answers: &mut crate::command::Answers<'_>) -> Self::Each {
                plan.result(answers)
            }
        }
    };
}

pub(crate) use runnable;
