//! Tells whose notes a file holds: those of the branch that is checked out, or of another one.

/// Where the notes of the branches are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchNotes {
    before: String,
    after: String,
    own: String,
}

impl BranchNotes {
    /// Reads a path such as `local/current.{branch}.md`; none where all branches share a file.
    pub(crate) fn at(path: &str, own: &str) -> Option<Self> {
        let (before, after) = path.split_once("{branch}")?;
        Some(Self { before: before.to_owned(), after: after.to_owned(), own: own.to_owned() })
    }

    /// Returns the other branch of which a file holds the notes.
    pub(crate) fn other_branch<'f>(&self, file: &'f str) -> Option<&'f str> {
        let branch = file.strip_prefix(&self.before)?.strip_suffix(&self.after)?;
        (branch != self.own && !branch.is_empty()).then_some(branch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_notes_of_another_branch_are_those_of_others() {
        let notes = BranchNotes::at("local/current.{branch}.md", "main").expect("by branch");
        assert_eq!(notes.other_branch("local/current.topic.md"), Some("topic"));
        assert_eq!(notes.other_branch("local/current.main.md"), None);
        assert_eq!(notes.other_branch("decisions/topic.md"), None);
        assert_eq!(BranchNotes::at("current.md", "main"), None);
    }
}
