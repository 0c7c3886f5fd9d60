//! What a file of `decided/` says of a decision: who decided, when, and what was written.
//!
//! Anyone who commits can write such a file, so it is told as a claim and proves nothing. Its name holds a part of its
//! hash: no two branches write different bytes under one name, so no merge can conflict.

use serde::Serialize;
use serde_json::Value;

use crate::contract::{ContentHash, Fields, Moment, Problems, SectionId};
use crate::project::request::{AffectedSection, Change, MemoryPath, ProposalId};
use crate::text::{find_hidden, read_json};

/// Bytes of such a file at most.
pub(crate) const LARGEST_CLAIM: usize = 256 * 1024;

/// Hex digits of the hash in its name.
const DIGITS: usize = 16;

/// Characters of a name at most.
const NAME: usize = 200;

/// What was decided, as a claim says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClaimedDecision {
    /// All of it, or a part.
    Applied,
    Rejected,
}

/// A decision, as a file of `decided/` says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct DecisionClaim {
    pub(crate) proposal: ProposalId,
    pub(crate) decision: ClaimedDecision,
    pub(crate) time: Moment,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) approver: Option<String>,
    /// The digest of what was applied, as `show` prints it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<ContentHash>,
    /// SHA-256 of `proposal.json`.
    pub(crate) request: ContentHash,
    /// The applied operations, numbered from 1, if a person chose only some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) operations: Vec<usize>,
    /// What was written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sections: Vec<AffectedSection>,
}

impl DecisionClaim {
    /// Returns the name and the text of its file; none where that could not be read back, as of a name with hidden
    /// characters.
    pub(crate) fn file(&self) -> Option<(String, String)> {
        let text = serde_json::to_string_pretty(self).expect("a claim is plain data") + "\n";
        let name = format!("{}.{}.json", self.proposal, digits_of(&text));
        Self::read(&name, text.as_bytes()).is_ok().then_some((name, text))
    }

    /// Reads the name of a file in `decided/`; none for a file of another kind.
    pub(crate) fn named(name: &str) -> Option<ProposalId> {
        let (id, digits) = name.strip_suffix(".json")?.split_once('.')?;
        let is_hash = digits.len() == DIGITS && ContentHash::parse(digits).is_some();
        ProposalId::parse(id).filter(|_| is_hash)
    }

    /// Reads such a file, or says why it is not what was written.
    pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Self, String> {
        let fault = |why: &str| Err(why.to_owned());
        if bytes.len() > LARGEST_CLAIM {
            return fault("it is too large");
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return fault("it is not UTF-8") };
        // Git may write other line ends.
        let text = text.replace("\r\n", "\n");
        if !name.ends_with(&format!(".{}.json", digits_of(&text))) {
            return fault("its bytes do not fit its name");
        }
        let claim = Self::parse(&text)?;
        match Self::named(name).as_ref() == Some(&claim.proposal) {
            true => Ok(claim),
            false => fault("its name is that of another proposal"),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let value = read_json(text).map_err(|error| error.to_string())?;
        let problems = Problems::default();
        // A newer version may say more, so unknown fields are no fault.
        let read = Fields::of(&value, "", &problems).and_then(|mut fields| Self::of(&mut fields));
        match (read, problems.take().into_iter().next()) {
            (Some(claim), None) => Ok(claim),
            (_, Some(problem)) => Err(problem.message),
            (None, None) => Err("a field is missing or has a wrong value".to_owned()),
        }
    }

    fn of(fields: &mut Fields<'_>) -> Option<Self> {
        let decision = |word: &str| match word {
            "applied" => Some(ClaimedDecision::Applied),
            "rejected" => Some(ClaimedDecision::Rejected),
            _ => None,
        };
        let hash = |text: &str| ContentHash::parse(text).filter(|hash| hash.as_str().len() == 64);
        let numbers = fields.list("operations").unwrap_or_default().iter();
        let sections = fields.list("sections").unwrap_or_default().iter();
        Some(Self {
            proposal: fields.required_text("proposal").and_then(ProposalId::parse)?,
            decision: fields.word("decision", decision, &["applied", "rejected"])?,
            time: fields.required_text("time").and_then(Moment::parse)?,
            owner: person(fields.text("owner"))?,
            approver: person(fields.text("approver"))?,
            digest: fields.text("digest").map_or(Some(None), |text| hash(text).map(Some))?,
            request: fields.required_text("request").and_then(hash)?,
            operations: numbers.map(operation).collect::<Option<_>>()?,
            sections: sections.map(section).collect::<Option<_>>()?,
        })
    }
}

fn digits_of(text: &str) -> String {
    ContentHash::of(text.as_bytes()).as_str()[..DIGITS].to_owned()
}

/// Reads the name of a person or an agent, which may be absent; `None` for what is no name.
fn person(name: Option<&str>) -> Option<Option<String>> {
    let Some(name) = name else { return Some(None) };
    let is_name = !name.trim().is_empty()
        && name.chars().count() <= NAME
        && !name.contains(['\n', '\t'])
        && find_hidden(name).is_none();
    is_name.then(|| Some(name.to_owned()))
}

fn operation(number: &Value) -> Option<usize> {
    usize::try_from(number.as_u64()?).ok().filter(|number| *number > 0)
}

fn section(value: &Value) -> Option<AffectedSection> {
    let text = |name: &str| value[name].as_str();
    let id = text("section_id").map_or(Some(None), |id| SectionId::parse(id).map(Some))?;
    let hash = text("hash").map_or(Some(None), |hash| ContentHash::parse(hash).map(Some))?;
    Some(AffectedSection {
        file: MemoryPath::parse(text("file")?).ok()?.to_string(),
        section_id: id,
        change: Change::parse(text("change")?)?,
        hash: hash.map(|hash| hash.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "20261120-100000-x-abcd";

    fn claim() -> DecisionClaim {
        DecisionClaim {
            proposal: ProposalId::parse(ID).expect("an id"),
            decision: ClaimedDecision::Applied,
            time: Moment::parse("2026-11-20T10:00:00Z").expect("a time"),
            owner: Some("claude".to_owned()),
            approver: Some("Ada".to_owned()),
            digest: Some(ContentHash::of(b"a change")),
            request: ContentHash::of(b"a request"),
            operations: vec![1, 3],
            sections: vec![AffectedSection {
                file: "conventions.md".to_owned(),
                section_id: SectionId::parse("paths"),
                change: Change::Added,
                hash: Some(ContentHash::of(b"a section").to_string()),
            }],
        }
    }

    /// Changes the text of a claim, gives it the name that its bytes have, and reads it.
    fn read_as(from: &str, to: &str) -> Result<DecisionClaim, String> {
        let (_, text) = claim().file().expect("a file");
        assert!(text.contains(from), "{from}");
        let text = text.replace(from, to);
        DecisionClaim::read(&format!("{ID}.{}.json", digits_of(&text)), text.as_bytes())
    }

    #[test]
    fn a_claim_is_read_back_as_it_was_written() {
        let (name, text) = claim().file().expect("a file");
        assert_eq!(DecisionClaim::named(&name), ProposalId::parse(ID));
        assert_eq!(DecisionClaim::read(&name, text.as_bytes()), Ok(claim()));
        let on_windows = text.replace('\n', "\r\n");
        assert_eq!(DecisionClaim::read(&name, on_windows.as_bytes()), Ok(claim()));
        assert_eq!(read_as("\"time\"", "\"seen\": [1],\n  \"time\""), Ok(claim()));
    }

    #[test]
    fn only_a_name_with_a_hash_is_that_of_a_claim() {
        for name in
            ["json", "applied", "0123456789abcdef.toml", "0123.json", "0123456789ABCDEF.json"]
        {
            assert_eq!(DecisionClaim::named(&format!("{ID}.{name}")), None, "{name}");
        }
        assert_eq!(DecisionClaim::named("x.0123456789abcdef.json"), None);
    }

    #[test]
    fn other_bytes_do_not_fit_the_name() {
        let (name, text) = claim().file().expect("a file");
        let edited = text.replace("Ada", "Eve");
        let fault = DecisionClaim::read(&name, edited.as_bytes()).expect_err("a fault");
        assert_eq!(fault, "its bytes do not fit its name");
        let large = vec![b' '; LARGEST_CLAIM + 1];
        assert!(DecisionClaim::read(&name, &large).is_err());
        assert!(DecisionClaim::read(&name, b"\xff").is_err());
    }

    #[test]
    fn what_no_version_would_write_is_not_read() {
        let long = format!("\"{}\"", "x".repeat(10_000));
        for (from, to) in [
            (ID, "20261120-100000-y-abcd"),
            ("\"applied\"", "\"stolen\""),
            ("\"Ada\"", "\"A\\u001b[2Jda\""),
            ("\"Ada\"", "\"A\\u202eda\""),
            ("\"Ada\"", "\"Ada\\nEve\""),
            ("\"Ada\"", "7"),
            ("\"Ada\"", &long),
            ("2026-11-20T", "some day "),
            ("conventions.md", "../../etc/passwd"),
            ("\"paths\"", "\"Not an id\""),
            ("3\n", "0\n"),
            ("\n}", "\n"),
        ] {
            assert!(read_as(from, to).is_err(), "{from}: {to}");
        }
    }

    #[test]
    fn what_could_not_be_read_back_is_not_written() {
        let hidden = DecisionClaim { owner: Some("a\u{202e}b".to_owned()), ..claim() };
        assert_eq!(hidden.file(), None);
    }
}
