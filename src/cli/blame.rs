//! `agent-memory blame`

use super::call::{Context, Exit};
use super::columns::wrap;
use super::environment;
use super::output::{CARE, DONE, FAINT, GOOD, TITLE};
use super::render::field;
use super::show::{Sections, source};
use crate::project::verbs::{
    ApprovalClaim, BlamedSection, CommitClaim, EarlierWriter, NamedPlace, WrittenBy, blame,
};
use crate::secrets::shown_name;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A file (`conventions.md`), a section (`conventions.md#section-id`), or its id where no other section has it
    #[arg(value_name = "FILE[#SECTION]")]
    what: String,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    let output = context.output;
    let place = NamedPlace::find(project, &args.what)??;
    let blamed = blame(project, &place.file, place.section)??;
    if output.json {
        output.document(&Sections { sections: blamed });
        return Ok(DONE);
    }
    let columns = environment::columns();
    blamed.iter().for_each(|each| output.data(&text(each, columns)));
    if blamed.is_empty() {
        output.talk("the file has no sections");
    }
    Ok(DONE)
}

fn text(blamed: &BlamedSection, columns: usize) -> String {
    let id = blamed.id.as_ref().map(|id| format!("#{id}")).unwrap_or_default();
    let title = wrap(&format!("{}:{}{id}", shown_name(&blamed.path), blamed.line), columns);
    let mut text = format!("{TITLE}{title}{TITLE:#}\n");
    let mut line = |style: anstyle::Style, name: &str, value: &str| {
        text += &field(name, 8, value, style, columns);
    };
    let plain = anstyle::Style::new();
    line(plain, "heading", &blamed.heading.join(" > "));
    let (style, written) = written(blamed);
    line(style, "written", &(written.to_owned() + &by_author(blamed)));
    if let Some(id) = &blamed.proposal_id {
        line(plain, "proposal", &format!("{id}{}", from(blamed.owner.as_deref())));
    }
    for each in &blamed.sources {
        line(
            plain,
            "source",
            &format!("{}, {}, {}", source(&each.source), each.confidence, each.date),
        );
    }
    match (&blamed.approver, &blamed.applied_at) {
        (Some(approver), Some(time)) => line(plain, "approved", &approved(blamed, approver, time)),
        (None, Some(time)) => line(plain, "applied", &format!("without review, {time}")),
        (_, None) => {}
    }
    blamed.claim.iter().for_each(|claim| line(plain, "claim", &claimed(claim)));
    blamed.decided.iter().for_each(|id| line(plain, "decided", &decided(blamed, id)));
    blamed.earlier.iter().for_each(|each| line(plain, "before", &earlier(each)));
    match (committed(blamed), &blamed.commit_unknown) {
        (Some(commit), _) => line(plain, "commit", &commit),
        (None, Some(why)) => line(CARE, "commit", &format!("not known: {why}")),
        (None, None) => line(FAINT, "commit", "none yet"),
    }
    text + "\n"
}

/// Says who approved the text, or an earlier one where it was changed since.
fn approved(blamed: &BlamedSection, approver: &str, time: &str) -> String {
    match blamed.written {
        WrittenBy::EditedSince => format!("an earlier text, by {approver}, {time}"),
        WrittenBy::ByProposal | WrittenBy::Elsewhere | WrittenBy::ByHand => {
            format!("by {approver}, {time}")
        }
    }
}

fn written(blamed: &BlamedSection) -> (anstyle::Style, &'static str) {
    match blamed.written {
        WrittenBy::ByProposal if blamed.amended => {
            (GOOD, "by the proposal; the approver changed a part of it")
        }
        WrittenBy::ByProposal => (GOOD, "by the proposal, unchanged since"),
        WrittenBy::EditedSince => (CARE, "by the proposal, and changed since"),
        WrittenBy::Elsewhere => (
            CARE,
            "by a proposal that was applied elsewhere, according to the commit or to `decided/`",
        ),
        // A proposal needs no sources, and another clone has its log.
        WrittenBy::ByHand if blamed.committed || !blamed.sources.is_empty() => {
            (CARE, "by hand, or by a proposal that is not known here")
        }
        WrittenBy::ByHand => (CARE, "by hand"),
    }
}

/// Names who committed what was written by hand.
fn by_author(blamed: &BlamedSection) -> String {
    match (blamed.written, &blamed.commit) {
        (WrittenBy::ByHand, Some(commit)) if blamed.committed => {
            format!("; committed by {}", commit.author)
        }
        (WrittenBy::ByHand, None) if blamed.commit_unknown.is_none() => {
            "; in no commit yet".to_owned()
        }
        (
            WrittenBy::ByHand
            | WrittenBy::ByProposal
            | WrittenBy::EditedSince
            | WrittenBy::Elsewhere,
            _,
        ) => String::new(),
    }
}

fn from(owner: Option<&str>) -> String {
    owner.map(|owner| format!(" from {owner}")).unwrap_or_default()
}

/// Any committer can write such a message, so it is shown as a claim.
fn claimed(claim: &CommitClaim) -> String {
    let CommitClaim { commit, author, proposal_id, owner, approver } = claim;
    let approved = match approver {
        Some(approver) => format!("approved by {approver}"),
        None => "no approver".to_owned(),
    };
    let short = commit.get(..12).unwrap_or(commit);
    format!(
        "commit {short} by {author} says: {approved}; proposal {proposal_id}{}",
        from(owner.as_deref())
    )
}

/// The same goes for the files of `decided/`.
fn decided(blamed: &BlamedSection, id: &str) -> String {
    let Some(claim) = &blamed.decision_claim else {
        return format!("`decided/` records that {id} was applied");
    };
    let ApprovalClaim { owner, approver, time, digest: _ } = claim;
    let by = approver.as_ref().map(|approver| format!(" by {approver}")).unwrap_or_default();
    format!("`decided/` says: approved{by}, {time}; proposal {id}{}", from(owner.as_deref()))
}

fn earlier(writer: &EarlierWriter) -> String {
    let EarlierWriter { id, owner, approver, applied_at } = writer;
    let how = match approver {
        Some(approver) => format!("approved by {approver}"),
        None => "applied without review".to_owned(),
    };
    format!("{id}{}, {how}, {applied_at}", from(owner.as_deref()))
}

fn committed(blamed: &BlamedSection) -> Option<String> {
    let commit = blamed.commit.as_ref()?;
    let short = commit.id.get(..12).unwrap_or(&commit.id);
    let rest = if blamed.committed { "" } else { ", and changes that are not committed" };
    Some(format!("{short} {} by {}, {}{rest}", commit.subject, commit.author, commit.time))
}
