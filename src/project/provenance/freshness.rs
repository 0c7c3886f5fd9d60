//! What has become of the evidence since it was cited.

/// What a look at the repository says of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// It is there; a file has a git blob id, of which the first 12 hex digits are kept.
    Present(Option<String>),
    /// It is there, and is no longer what it was when the request was made: this is the blob id of that time.
    Changed(String),
    /// It is there, but has only so many lines.
    Shorter(usize),
    /// It is not there.
    Missing,
    /// It is not of a kind that can be looked up here.
    Unchecked,
    /// It cannot be told here, and why.
    NotKnown(&'static str),
}

/// What a cited file, or its cited lines, have become since they were cited, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freshness {
    /// It is the same.
    Fresh,
    /// The cited lines are the same, and stand elsewhere in the file.
    Moved,
    /// It cannot be told here.
    Unchecked,
    /// It is another.
    Stale,
    /// It is gone.
    Missing,
}

impl Freshness {
    /// Compares the blob that was cited, if it was known, with the one of today: the whole file decides.
    pub fn of(cited: Option<&str>, today: &Evidence) -> Self {
        match (today, cited) {
            (Evidence::Missing, _) => Self::Missing,
            (Evidence::Unchecked | Evidence::NotKnown(_), _) | (_, None) => Self::Unchecked,
            (Evidence::Present(Some(blob)), Some(cited)) if blob == cited => Self::Fresh,
            (Evidence::Present(_) | Evidence::Changed(_) | Evidence::Shorter(_), Some(_)) => {
                Self::Stale
            }
        }
    }

    /// Returns the word for people and the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Moved => "moved",
            Self::Unchecked => "unchecked",
            Self::Stale => "stale",
            Self::Missing => "missing",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_since_is_stale() {
        let today = Evidence::Present(Some("aaaa".to_owned()));
        assert_eq!(Freshness::of(Some("aaaa"), &today), Freshness::Fresh);
        assert_eq!(Freshness::of(Some("bbbb"), &today), Freshness::Stale);
        assert_eq!(Freshness::of(Some("aaaa"), &Evidence::Missing), Freshness::Missing);
    }

    #[test]
    fn what_was_not_known_when_it_was_cited_is_unchecked_unless_it_is_gone() {
        let today = Evidence::Present(Some("aaaa".to_owned()));
        assert_eq!(Freshness::of(None, &today), Freshness::Unchecked);
        assert_eq!(Freshness::of(None, &Evidence::Unchecked), Freshness::Unchecked);
        assert_eq!(Freshness::of(None, &Evidence::Missing), Freshness::Missing);
    }
}
