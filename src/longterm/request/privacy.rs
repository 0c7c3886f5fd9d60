//! How much a person lets the bot remember.

use serde_json::Value;

use crate::contract::words;

words! {
    /// How much a person lets the bot remember, from the least strict level to the strictest.
    PrivacyLevel {
        /// The model may create, change and read what is remembered of them.
        Minimal = "minimal",
        /// The model may only delete it; they may edit it.
        Partial = "partial",
        /// Nothing may be added or edited.
        Full = "full",
    }
}

impl PrivacyLevel {
    /// Reads a level; one that cannot be read is the strictest. An absent one is `None`.
    pub(crate) fn read(value: Option<&Value>) -> Option<Self> {
        let value = value.filter(|value| !value.is_null())?;
        Some(value.as_str().and_then(Self::parse).unwrap_or(Self::Full))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::PrivacyLevel;

    #[test]
    fn a_level_that_cannot_be_read_is_the_strictest() {
        let read = |value| PrivacyLevel::read(Some(&value));
        assert_eq!(read(json!("partial")), Some(PrivacyLevel::Partial));
        for broken in
            [json!("maybe"), json!(""), json!("Minimal"), json!(0), json!([]), json!(true)]
        {
            assert_eq!(read(broken), Some(PrivacyLevel::Full));
        }
        assert_eq!((read(json!(null)), PrivacyLevel::read(None)), (None, None));
    }
}
