//! Reads what is asked of the graph of memories.

use super::query::QueryParameters;
use super::refusal::ServiceRefusal;
use crate::contract::Timestamp;
use crate::text::excerpt;

/// Memories of a snapshot where nothing is said, and where a number is sent at most.
const SHOWN: usize = 500;
const MOST: usize = 50_000;

/// Which memories a snapshot shows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SnapshotRequest {
    /// Memories at most; none for all.
    pub(crate) limit: Option<usize>,
    pub(crate) min_importance: f64,
    /// None for all.
    pub(crate) types: Vec<String>,
    /// Those that were made at this time or later.
    pub(crate) since: Option<Timestamp>,
}

impl SnapshotRequest {
    pub(crate) fn read(query: &QueryParameters) -> Result<Self, Box<ServiceRefusal>> {
        let limit = query.one(&["limit"]).and_then(|text| text.parse::<i64>().ok());
        let limit = limit.map_or(Ok(SHOWN), usize::try_from).map_err(|_| {
            let detail = format!("found {}, allowed is 0 for all, or 1 to {MOST}", limit_of(query));
            ServiceRefusal::of_field("limit", "limit must be >= 0", detail)
        })?;
        let since = query.one(&["since"]).map(|text| {
            Timestamp::parse(text).ok_or_else(|| {
                let detail = format!("found `{}`, e.g. `2026-11-20T10:00:00Z`", excerpt(text));
                ServiceRefusal::of_field("since", "Invalid ISO timestamp", detail)
            })
        });
        Ok(Self {
            limit: (limit > 0).then(|| limit.min(MOST)),
            min_importance: query.share("min_importance").unwrap_or_default(),
            types: query.all("types"),
            since: since.transpose()?,
        })
    }
}

fn limit_of(query: &QueryParameters) -> &str {
    query.one(&["limit"]).unwrap_or_default()
}

/// Which neighbors of a memory are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NeighborsRequest {
    /// How many relations are followed in a row.
    pub(crate) depth: usize,
    /// Memories with a close vector at most.
    pub(crate) close: usize,
}

impl NeighborsRequest {
    pub(crate) fn read(query: &QueryParameters) -> Self {
        let close = query.whole("semantic_limit", 5, 0..=20);
        let wants_close = query.flag(&["include_semantic"]).unwrap_or(true);
        Self { depth: query.whole("depth", 1, 1..=3), close: if wants_close { close } else { 0 } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str) -> Result<SnapshotRequest, Box<ServiceRefusal>> {
        SnapshotRequest::read(&QueryParameters(vec![(name.to_owned(), value.to_owned())]))
    }

    #[test]
    fn no_limit_is_500_and_zero_is_all() {
        for (text, expected) in
            [("", Some(500)), ("0", None), ("7", Some(7)), ("90000", Some(MOST))]
        {
            assert_eq!(read("limit", text).map(|it| it.limit), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_negative_limit_and_a_wrong_time_are_refused_by_name() {
        for (name, value) in [("limit", "-1"), ("since", "soon")] {
            let refusal = read(name, value).expect_err("it is refused");
            assert_eq!(refusal.field.as_deref(), Some(name));
        }
    }
}
