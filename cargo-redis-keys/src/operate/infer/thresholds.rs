//! The thresholds of the inference, each with the measurement that chose it.
//!
//! The figures are the percentages of right templates and of keys in right templates that are found with half of a
//! threshold and with twice as much, on average over all lists of formats but the one held out, with 600, 2,500 and
//! 10,000 keys each. As the thresholds are: 94.40 / 96.42. The test `thresholds_halved_and_doubled`, which is ignored by
//! default, measures them again.

macro_rules! thresholds {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => {
        $($(#[$doc])* pub(super) fn $name() -> u64 {
            #[cfg(test)]
            return super::tests::moved::value(stringify!($name), $value);
            #[cfg(not(test))]
            $value
        })*

        /// All thresholds and their values.
        #[cfg(test)]
        pub(super) const ALL: &[(&str, u64)] = &[$((stringify!($name), $value)),*];
    };
}

thresholds! {
    /// The words that are values if more than their number says so: several values around them, the same several types,
    /// codes, or many shapes at the level of modules. Half: 92.02 / 94.88, double: 90.05 / 92.35.
    several_words = 3;
    /// The number of words with few keys each from which on they are a parameter. Half: 93.43 / 96.34, double: 91.19 /
    /// 93.67. With half, 93.4 % instead of 98.4 % of the templates of the validation are right with 10,000 keys.
    many_rare_words = 6;
    /// The most keys for each shape that half of such words have. Half: 94.29 / 96.30, double: 94.40 / 96.42.
    rare_word_keys = 2;
    /// The number of words with more keys each from which on they are a parameter. Half: 94.40 / 96.42, double: 94.06 /
    /// 96.02.
    many_frequent_words = 40;
    /// At the level of modules there are this many times as many. Half: 94.26 / 96.19, double: 94.40 / 96.42. With
    /// half, the test `members_belong_to_their_family` fails.
    modules = 4;
    /// The percentage of keys of a module from which on the words behind it are modules. Half: 94.40 / 96.42, double:
    /// 94.40 / 96.42. No list has only one module; `wiki:lock:{integer}` alone on a server needs it.
    main_module = 80;
    /// The most keys of a word that is compared by blurred shapes, and the number of words of a parameter to which rare
    /// words are added. Half: 94.34 / 96.36, double: 94.07 / 96.06.
    many_words = 10;
    /// The number of kinds of keys that are alike and that a program has at most. Half: 94.48 / 96.51, double: 94.40 /
    /// 96.42. Half changes nothing with 100,000 keys. Without the rule, 95.8 % instead of 98.6 % of the templates of
    /// programs are right then, since names of pods are not found.
    many_kinds = 32;
    /// The number of shapes from which on two words are a parameter. Half: 60.16 / 63.83, double: 93.53 / 95.63.
    many_shapes = 3;
    /// The percentage of the following text, or of words, that two labels have in common if they are alike. Half: 94.48
    /// / 96.28, double: 68.30 / 74.37. Half finds no more templates.
    alike = 60;
    /// The percentage of words that have a shape of a parameter. Half: 94.40 / 96.42, double: 94.40 / 96.42.
    support_part = 20;
    /// The percentage of the shapes of a parameter with which a word can have others. Half: 94.40 / 96.42, double:
    /// 94.09 / 96.20.
    all_supports = 80;
    /// The percentage of its own shapes that such a word shares. Half: 94.40 / 96.42, double: 94.09 / 96.20.
    own_shapes = 30;
    /// Labels of several words that are fewer than this are not split. Half: 94.44 / 96.45, double: 93.06 / 95.26. With
    /// half, 95.1 % instead of 96.7 % of the templates of the validation are right with 100,000 keys.
    few_labels = 6;
    /// The percentage of labels that a template without a word covers. Half: 94.40 / 96.39, double: 93.91 / 95.69.
    covers_all = 90;
    /// The percentage of the changed labels that templates of words explain. Half: 94.40 / 96.42, double: 87.15 /
    /// 89.72.
    explained = 70;
    /// The percentage of keys that a special case, a member of a family or the start of a path has at most. Half: 94.25
    /// / 96.42, double: 94.40 / 96.42.
    rare = 5;
    /// The number of keys from which on a random value shows the labels that belong to it. Half: 94.81 / 96.58, double:
    /// 93.91 / 96.24. Half changes nothing with 10,000 keys and more of a program. It is not used, so that no
    /// coincidence joins labels.
    random_keys = 5;
    /// The bytes of a text from which on it can be a random value. Half: 94.40 / 96.42, double: 93.43 / 96.32.
    shortest_random = 10;
    /// The digits that the number of a machine has at most. Half: 94.26 / 96.31, double: 94.40 / 96.42.
    machine_digits = 3;
    /// The number of levels from which on texts are a path. Half: 92.89 / 95.62, double: 93.25 / 94.75.
    path_levels = 3;
    /// The number of keys from which on a version or a domain that is always the same is text, and the number of keys
    /// of each word of a choice. Half: 94.75 / 96.78, double: 93.61 / 95.58. Half changes nothing with 10,000 keys and
    /// more of a program. It is not used, because a user can have four keys.
    constant_keys = 8;
    /// The same for a port, and for the value with which all keys begin: an id of the installation. Half: 94.63 /
    /// 96.67, double: 94.20 / 96.24. Half is not used, since a user can have so many keys.
    number_keys = 32;
    /// The number of letters in front of random values that are text. Half: 94.40 / 96.42, double: 94.25 / 95.69.
    prefix_letters = 4;
}

/// Whether a part is at least `percent` of a whole.
pub(super) fn is_share(part: usize, whole: usize, percent: u64) -> bool {
    part as u64 * 100 >= whole as u64 * percent
}

/// Whether a part is at most `percent` of a whole.
pub(super) fn is_rare(part: u64, whole: u64, percent: u64) -> bool {
    part.saturating_mul(100) <= whole.saturating_mul(percent)
}
