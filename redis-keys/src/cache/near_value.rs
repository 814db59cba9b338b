//! Keeps values of any type in a table of copies.

use std::any::Any;
use std::mem;
use std::sync::Arc;

/// A value of any type, which all readers share.
pub(crate) type SharedValue = Arc<dyn Any + Send + Sync>;

/// The functions that keep and return copies of a value. Only the derive creates it, for a key with `near`.
///
/// They are function pointers, so that only keys with `near` need a value that is `Clone`.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "cache"), expect(dead_code, reason = "without `Cache`, there are no copies"))]
pub struct NearValue<T> {
    pub(crate) clone: fn(&T) -> T,
    pub(crate) share: fn(Arc<T>) -> SharedValue,
    pub(crate) borrow: fn(&SharedValue) -> Option<&T>,
    pub(crate) restore: fn(SharedValue) -> Option<Arc<T>>,
    /// Whether the value is small and has no `drop`: cloning it is then faster than cloning its `Arc`.
    pub(crate) is_plain: bool,
}

/// A value that threads can share: any type that is `Send` and `Sync`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept as a near copy: threads cannot share it",
    label = "not both `Send` and `Sync`",
    note = "write `Arc` in place of `Rc`, and `Mutex` in place of `Cell` and `RefCell`, or remove `near`"
)]
pub trait Shareable: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Shareable for T {}

impl<T: Clone + Shareable> NearValue<T> {
    #[allow(clippy::new_without_default, reason = "only the derive calls it")]
    pub const fn new() -> Self {
        Self {
            clone: T::clone,
            share: |value| value,
            borrow: |value| value.downcast_ref(),
            restore: |value| value.downcast().ok(),
            is_plain: !mem::needs_drop::<T>() && size_of::<T>() <= 64,
        }
    }
}
