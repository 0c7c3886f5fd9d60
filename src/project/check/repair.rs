//! Names for each finding the command that repairs it, or why a person has to.

use serde::Serialize;

use super::rule::Rule;
use crate::text::in_shell;

/// How a finding goes away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// A command that repairs it, for a shell in the folder of the check; one of git works in each folder.
    Command(String),
    /// Why a person repairs it, and what they do.
    ByHand(String),
}

/// What was found of a rule, where its repair depends on that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum RepairCase {
    #[default]
    Usual,
    /// The file is there, with another text that a person may want.
    TextChanged,
    /// Another file has the text of the cited one that is gone.
    SameTextElsewhere,
    /// Branches decided differently; the files are relative to the store.
    Disputed {
        /// What does not fit the text as it is; none where that is not clear.
        settled_by: Option<Vec<String>>,
        /// What says that it was rejected.
        against: Vec<String>,
        /// What says that it was applied.
        in_favour: Vec<String>,
    },
}

/// The file of a finding, and its section.
pub(super) struct RepairPlace<'a> {
    /// Relative to the store.
    pub(super) path: &'a str,
    /// Relative to the top of the repository.
    pub(super) from_top: &'a str,
    /// The id of the section, or its heading.
    pub(super) section: Option<&'a str>,
    /// Of a record of the archive: the blob that was written; of a cited file: its reference.
    pub(super) subject: &'a str,
    pub(super) case: &'a RepairCase,
    /// The root of the store from the working directory; empty where commands find it without.
    pub(super) root: &'a str,
}

impl RepairPlace<'_> {
    fn section(&self) -> String {
        let name = format!("{}#{}", self.path, self.section.unwrap_or_default());
        in_shell(&name).into_owned()
    }

    /// Writes a command of ours, with the root where the store is not that of the working directory.
    fn ours(&self, words: &str) -> String {
        match self.root {
            "" => format!("agent-memory {words}"),
            root => format!("agent-memory --root {} {words}", in_shell(root)),
        }
    }
}

impl Repair {
    #[expect(clippy::too_many_lines, reason = "a table has a row for each rule")]
    pub(super) fn of(rule: Rule, place: &RepairPlace<'_>) -> Self {
        let (file, from_top) = (in_shell(place.path), in_git(place.from_top));
        let command = |text: String| Self::Command(text);
        let ours = |words: String| Self::Command(place.ours(&words));
        let by_hand = |text: &str| Self::ByHand(text.to_owned());
        match rule {
            Rule::IdMissing => ours(format!("fmt-ids {file}")),
            Rule::ConflictMarker if place.path.ends_with(".md") => ours(format!("resolve {file}")),
            Rule::ConflictMarker => by_hand("keep one side whole: the file is no Markdown"),
            Rule::ArchiveChanged => {
                let restore = format!(
                    "git restore --source=\"$(git log --diff-filter=A --find-object={blob} --format=%H -1 -- {from_top})\" -- {from_top}",
                    blob = place.subject
                );
                match place.case {
                    RepairCase::TextChanged => Self::ByHand(format!(
                        "to keep the change, put the record back (copy this file to where it was), or write it into a new entry; then, and to drop the change: `{restore}`"
                    )),
                    RepairCase::Usual
                    | RepairCase::SameTextElsewhere
                    | RepairCase::Disputed { .. } => command(restore),
                }
            }
            Rule::ProposalExpired => ours("sweep".to_owned()),
            Rule::ProposalInapplicable => {
                ours(format!("rebase {}", in_shell(proposal_of(place.path))))
            }
            Rule::IndexOutdated => ours("doctor --upgrade".to_owned()),
            Rule::LogTorn => ours("doctor --fix".to_owned()),
            Rule::LogBroken => ours("doctor --adopt-state".to_owned()),
            Rule::IgnoredTracked => command(format!("git rm --cached -- {from_top}")),
            Rule::DecisionDisputed => dispute(place),
            Rule::SectionMalformed => by_hand("correct the line: what it should say is not known"),
            Rule::IdDuplicate => by_hand("remove one of the two, or give the newer one another id"),
            Rule::Schema => {
                by_hand("correct the section, or the schema if the rule is the mistake")
            }
            Rule::Secret => by_hand("revoke the secret, then take it out of the file"),
            Rule::HiddenCharacter => {
                by_hand("write the line again: which text was meant is not known")
            }
            Rule::PromptInjection => by_hand(
                "take it out; where a note is about such text, put it into quotation marks or code",
            ),
            Rule::Containment => by_hand("close the fence or the comment where it should end"),
            // No command: a machine that ran it would cite a file called `FILE`.
            Rule::ProvenanceMissing => Self::ByHand(format!(
                "name what it rests on: `{}`",
                place.ours(&format!("cite {} FILE:LINES", place.section()))
            )),
            Rule::ProvenanceGone if *place.case != RepairCase::SameTextElsewhere => {
                let was = in_shell(place.subject);
                let cite = format!("cite {} FILE:LINES --was {was}", place.section());
                Self::ByHand(format!(
                    "name where it stands now: `{}`; or archive the section, where it no longer holds",
                    place.ours(&cite)
                ))
            }
            // It shows what changed, and asks.
            Rule::ProvenanceGone | Rule::ProvenanceStale | Rule::ProvenanceMoved => {
                ours(format!("confirm {}", place.section()))
            }
            Rule::Budget => by_hand("archive what no longer holds, or divide it"),
            Rule::Config => by_hand("correct the file: the message names what cannot be used"),
            Rule::SettingWithoutEffect => by_hand(
                "take the setting out, or change the stricter one: which was meant is not known",
            ),
            Rule::ReadLock => {
                by_hand("a person runs `agent-memory read sync`, and commits `read.lock`")
            }
            Rule::TrackedIgnored => by_hand("change the line that makes git ignore these files"),
            Rule::LinkBroken => {
                by_hand("name the section that was meant: `agent-memory search` finds it")
            }
            Rule::StoreGone => by_hand(
                "bring it back with `git restore`; a store that is given up needs `--allow store-gone`",
            ),
            Rule::FileUnreadable => by_hand("save it as UTF-8 text, or move it out of the store"),
            Rule::FileUnowned => {
                by_hand("move it where a schema has its files: which one is for a person")
            }
        }
    }

    /// Changes the words, which may name files.
    pub(super) fn map(self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Command(command) => Self::Command(change(&command)),
            Self::ByHand(why) => Self::ByHand(change(&why)),
        }
    }

    /// Writes it as one line.
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Command(command) => format!("repair: `{command}`"),
            Self::ByHand(why) => format!("by hand: {why}"),
        }
    }
}

/// Takes out the decision that the files do not hold; a person does where that is not clear.
fn dispute(place: &RepairPlace<'_>) -> Repair {
    let RepairCase::Disputed { settled_by, against, in_favour } = place.case else {
        let both = "decide it together, and take out of `decided/` what does not hold";
        return Repair::ByHand(both.to_owned());
    };
    let store = place.from_top.strip_suffix(place.path).unwrap_or_default();
    let remove = |files: &[String]| {
        let files = files.iter().map(|file| in_git(&format!("{store}{file}")));
        format!("git rm --ignore-unmatch -- {}", files.collect::<Vec<_>>().join(" "))
    };
    match settled_by {
        Some(files) => Repair::Command(remove(files)),
        None => Repair::ByHand(format!(
            "whether its text is in the files is not clear: to keep it, `{}`; else take it out, and `{}`",
            remove(against),
            remove(in_favour)
        )),
    }
}

/// Returns the id in `staging/<id>/proposal.json`.
fn proposal_of(path: &str) -> &str {
    path.split('/').nth(1).unwrap_or(path)
}

/// Names a file for git from the top: in another folder `--ignore-unmatch` would pass over it without a word.
fn in_git(from_top: &str) -> String {
    in_shell(&pathspec(from_top)).into_owned()
}

/// Writes the name of a file so that git reads it as no pattern.
fn pathspec(from_top: &str) -> String {
    let mut text = ":/".to_owned();
    for letter in from_top.chars() {
        if "*?[\\".contains(letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rule: Rule, path: &str) -> Repair {
        Repair::of(
            rule,
            &RepairPlace {
                path,
                from_top: &format!(".agent-memory/{path}"),
                root: "",
                section: Some("a-b"),
                subject: "",
                case: &RepairCase::Usual,
            },
        )
    }

    #[test]
    fn each_rule_names_a_command_or_says_what_a_person_does() {
        for rule in Rule::ALL {
            match of(*rule, "modules/a b.md") {
                Repair::Command(command) => {
                    let is_known =
                        ["agent-memory ", "git "].iter().any(|it| command.starts_with(it));
                    assert!(is_known && !command.contains(" b.md "), "{rule}: {command}");
                    let is_template = |word: &str| {
                        word.len() > 1 && word.bytes().all(|it| it.is_ascii_uppercase())
                    };
                    let mut words = command.split([' ', ':']);
                    assert!(!words.any(is_template), "{rule}: {command}");
                }
                Repair::ByHand(why) => {
                    assert!(why.len() > 20 && !why.ends_with('.'), "{rule}: {why}")
                }
            }
        }
    }

    #[test]
    fn a_name_of_a_file_is_no_command() {
        let repair = of(Rule::IdMissing, "modules/$(x) 'y'.md");
        assert_eq!(repair.line(), r"repair: `agent-memory fmt-ids 'modules/$(x) '\''y'\''.md'`");
        let repair = of(Rule::IdMissing, "pitfalls.md");
        assert_eq!(repair.line(), "repair: `agent-memory fmt-ids pitfalls.md`");
    }

    #[test]
    fn a_name_of_a_file_is_no_pattern_of_git() {
        let repair = of(Rule::IgnoredTracked, "state/a*[b].md");
        let expected = r"repair: `git rm --cached -- ':/.agent-memory/state/a\*\[b].md'`";
        assert_eq!(repair.line(), expected);
    }

    #[test]
    fn a_dispute_is_settled_for_the_text_that_is_there() {
        let path = "decided/20261120-a.rejected";
        let line = |is_in: Option<bool>| {
            let against = vec![path.to_owned(), "rejections/20261120-a.0123abcd.toml".to_owned()];
            let in_favour = vec!["decided/20261120-a.applied".to_owned()];
            let settled_by =
                is_in.map(|is_in| if is_in { against.clone() } else { in_favour.clone() });
            let case = &RepairCase::Disputed { settled_by, against, in_favour };
            let from_top = &format!("my store/{path}");
            let place = RepairPlace { path, from_top, root: "", section: None, subject: "", case };
            Repair::of(Rule::DecisionDisputed, &place).line()
        };
        let rm = "git rm --ignore-unmatch --";
        let keep = format!(
            "`{rm} ':/my store/decided/20261120-a.rejected' ':/my store/rejections/20261120-a.0123abcd.toml'`"
        );
        let drop = format!("`{rm} ':/my store/decided/20261120-a.applied'`");
        assert_eq!(line(Some(true)), format!("repair: {keep}"));
        assert_eq!(line(Some(false)), format!("repair: {drop}"));
        assert!(line(None).contains(&format!("to keep it, {keep}; else take it out, and {drop}")));
    }
}
