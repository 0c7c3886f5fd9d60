//! Reads the parameters of a query string.

use std::ops::RangeInclusive;

/// The parameters of a query string, decoded, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryParameters(pub Vec<(String, String)>);

impl QueryParameters {
    /// Returns the first filled parameter that has one of some names.
    pub(crate) fn one(&self, names: &[&str]) -> Option<&str> {
        let value = |name: &&str| {
            let mut values = self.0.iter().filter(|(key, _)| key == name);
            values.find_map(|(_, value)| Some(value.trim()).filter(|value| !value.is_empty()))
        };
        names.iter().find_map(value)
    }

    /// Returns all values of a parameter, repeated or with commas between them.
    pub(crate) fn all(&self, name: &str) -> Vec<String> {
        let of_name = self.0.iter().filter(|(key, _)| key == name || *key == format!("{name}[]"));
        let parts = of_name.flat_map(|(_, value)| value.split(','));
        parts.map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    /// Returns all values of a repeated parameter as they are.
    pub(crate) fn repeated(&self, name: &str) -> Vec<String> {
        let of_name = self.0.iter().filter(|(key, _)| key == name || *key == format!("{name}[]"));
        of_name
            .map(|(_, value)| value.trim().to_owned())
            .filter(|value| !value.is_empty())
            .collect()
    }

    pub(crate) fn flag(&self, names: &[&str]) -> Option<bool> {
        match self.one(names)?.to_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(true),
            _ => Some(false),
        }
    }

    /// Returns a whole number, moved into its bounds; the default where it cannot be read.
    pub(crate) fn whole(&self, name: &str, default: usize, bounds: RangeInclusive<usize>) -> usize {
        let number = self.one(&[name]).and_then(|text| text.parse::<i64>().ok());
        let number = number.map_or(default, |number| usize::try_from(number).unwrap_or_default());
        number.clamp(*bounds.start(), *bounds.end())
    }

    /// Returns a number from 0 to 1, moved there; none where it cannot be read.
    pub(crate) fn share(&self, name: &str) -> Option<f64> {
        let number = self.one(&[name])?.parse::<f64>().ok().filter(|number| number.is_finite())?;
        Some(number.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::QueryParameters;

    fn parameters(pairs: &[(&str, &str)]) -> QueryParameters {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        QueryParameters(pairs.iter().map(owned).collect())
    }

    #[test]
    fn values_come_repeated_and_with_commas() {
        let query = parameters(&[("tags", "a, b,"), ("tags", "c"), ("tags[]", "d")]);
        assert_eq!(query.all("tags"), ["a", "b", "c", "d"]);
    }

    #[test]
    fn a_number_is_moved_into_its_bounds() {
        let limit = |text: &str| parameters(&[("limit", text)]).whole("limit", 5, 1..=100);
        assert_eq!([limit("9999"), limit("-1"), limit("x"), limit("7")], [100, 1, 5, 7]);
    }
}
