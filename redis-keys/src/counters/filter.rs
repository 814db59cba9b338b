//! Counters of Bloom filters.

use super::counters;

counters! {
    "filter";

    Absent  absent  "Items that a filter said are not there.";
    Maybe   maybe   "Items that a filter said may be there.";
    Unbuilt unbuilt "Items of which a filter said nothing, since it was not built.";
}
