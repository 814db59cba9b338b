//! Text as a parameter, and what stands in front of another parameter type.

use std::{borrow::Cow, sync::Arc};

use super::{KeySegment, SegmentWriter};

#[diagnostic::do_not_recommend]
impl KeySegment for str {
    const LONGEST: Option<usize> = None;

    #[inline]
    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.text(self);
    }
}

#[diagnostic::do_not_recommend]
impl KeySegment for String {
    const LONGEST: Option<usize> = None;

    #[inline]
    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.text(self);
    }
}

macro_rules! pointers {
    ($($pointer:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: KeySegment + ?Sized> KeySegment for $pointer {
            const LONGEST: Option<usize> = T::LONGEST;
            const DOTTED: bool = T::DOTTED;

            #[inline]
            fn write(&self, out: &mut SegmentWriter<'_>) {
                T::write(self, out);
            }
        }
    )*};
}

pointers!(&T Box<T> Arc<T>);

#[diagnostic::do_not_recommend]
impl<T: KeySegment + ToOwned + ?Sized> KeySegment for Cow<'_, T> {
    const LONGEST: Option<usize> = T::LONGEST;
    const DOTTED: bool = T::DOTTED;

    #[inline]
    fn write(&self, out: &mut SegmentWriter<'_>) {
        T::write(self, out);
    }
}
