//! What ways of doing the same work took, turn by turn.

use super::topic::median;

/// Lines of a name and the nanoseconds that a command took in each way, of which the first is ours.
pub(super) struct Samples {
    text: String,
}

impl Samples {
    pub(super) fn new(text: String) -> Self {
        Self { text }
    }

    fn of(&self, name: &str) -> impl Iterator<Item = Vec<f64>> {
        let lines = self.text.lines().filter_map(move |line| line.strip_prefix(name)?.strip_prefix(' '));
        lines.map(|figures| figures.split(' ').filter_map(|figure| figure.parse().ok()).collect())
    }

    /// How many commands a second a way does, in the middle of all turns.
    pub(super) fn per_second(&self, name: &str, way: usize) -> String {
        let figures = self.of(name).filter_map(|turn| turn.get(way).map(|nanoseconds| 1e9 / nanoseconds));
        format!("{:.0}", median(figures.collect()))
    }

    /// How many times as fast as another way ours is: the middle of what it was in each turn, so that what slows down a whole
    /// turn does not count.
    pub(super) fn ratio(&self, name: &str, way: usize) -> f64 {
        median(self.of(name).filter_map(|turn| Some(turn.get(way)? / turn.first()?)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Samples;

    #[test]
    fn figures_of_one_name() {
        let samples = Samples::new("get 10 20 100\nget/50 1 1 1\nget 10 30 400\nget 20 50 200\n".to_owned());
        assert_eq!(samples.per_second("get", 1), (1e9_f64 / 30.0).round().to_string());
        assert!((samples.ratio("get", 1) - 2.5).abs() < 1e-9);
        assert!((samples.ratio("get", 2) - 10.0).abs() < 1e-9);
        assert!(samples.ratio("gets", 1).is_nan());
    }
}
