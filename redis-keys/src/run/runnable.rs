//! Running builders, which become a command.

/// Gives a builder, which becomes a command by `into`, the methods of a command and its place in batches.
macro_rules! runnable {
    ([$($params:tt)*] $builder:ty => $result:ty) => {
        impl<$($params)*> $builder {
            /// Runs the command, as [`Command::query`](crate::Command::query).
            ///
            /// # Errors
            ///
            /// Returns the errors of [`Command::query`](crate::Command::query).
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
            /// Returns the errors of [`Command::query`](crate::Command::query).
            #[cfg(feature = "aio")]
            #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
            pub async fn query_async<__C>(self, con: &mut __C) -> Result<$result, crate::Error>
            where
                __C: $crate::AsyncConnection + ?Sized,
            {
                crate::Command::from(self).query_async(con).await
            }

            /// Runs the command, as [`Command::run`](crate::Command::run).
            ///
            /// # Errors
            ///
            /// Returns the errors of [`Command::query`](crate::Command::query).
            #[cfg(feature = "aio")]
            #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
            pub async fn run<__C>(self, con: &__C) -> Result<$result, crate::Error>
            where
                __C: $crate::SharedConnection,
            {
                crate::Command::from(self).run(con).await
            }

            /// The bytes that would be sent first, as [`Command::packed`](crate::Command::packed).
            ///
            /// # Errors
            ///
            /// Returns the errors of [`Command::packed`](crate::Command::packed).
            pub fn packed(self) -> Result<Vec<u8>, crate::Error> {
                crate::Command::from(self).packed()
            }
        }

        crate::command::answers::not_a_future!(AwaitedCommand: [$($params)*] $builder => Result<$result, crate::Error>);

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

/// Implements `Debug` for a builder: it shows the key, and nothing that could be a value.
macro_rules! debug_key {
    ([$($params:tt)*] $builder:ty, $name:literal, |$value:ident| $key:expr) => {
        impl<$($params)*> std::fmt::Debug for $builder {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let $value = self;
                f.debug_struct($name).field("key", &$key).finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use debug_key;
pub(crate) use runnable;
