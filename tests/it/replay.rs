//! A queue as the field has seen it: 357 proposals in eight days, of which a tenth came twice and a fifth
//! cannot be applied once others have. A yes to everything leaves what somebody has to look at, and says why.

use std::collections::BTreeMap;
use std::time::Duration;

use agent_memory::project::pipeline::Approval;
use agent_memory::project::request::Outcome;
use agent_memory::project::verbs::{
    ApplyOptions, Left, Project, Session, Way, apply_all, propose, status,
};
use serde_json::{Value, json};

use crate::support::Sandbox;

/// How many came in, and how far apart.
const CAME: usize = 357;
const APART: Duration = Duration::from_secs(8 * 86_400 / CAME as u64);

/// Sections that are there before.
const SECTIONS: usize = 400;

/// What a proposal is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Something about what no other is about.
    Own,
    /// The same once more.
    Again,
    /// Something about the section of an earlier one, from somebody else.
    Rival,
    /// Something about the section of an earlier one, from the same agent.
    Later,
}

fn kind(number: usize) -> Kind {
    match number % 10 {
        3 => Kind::Again,
        6 => Kind::Rival,
        9 => Kind::Later,
        _ => Kind::Own,
    }
}

/// The one whose section a proposal is about: itself, or one of its own some way before.
fn subject(number: usize) -> usize {
    match kind(number) {
        Kind::Own => number,
        Kind::Again => number - 2,
        Kind::Rival => number - 5,
        Kind::Later => number - 7,
    }
}

fn owner(number: usize) -> String {
    let number = if kind(number) == Kind::Rival { number } else { subject(number) };
    format!("agent-{}", number % 2 + 2 * usize::from(kind(number) == Kind::Rival))
}

/// A removal, a new text, or a new section: whichever the subject begins with, others replace its text.
fn request(number: usize) -> Value {
    if kind(number) == Kind::Again {
        return request(subject(number));
    }
    let about = subject(number);
    let (path, section) = (format!("modules/m{}.md", about % 8), format!("part-{about}"));
    let text = format!("What proposal {number} says about part {about}.");
    let operation = match (about % 3, kind(number)) {
        (0, Kind::Own) => {
            json!({ "operation": "remove_section", "reason": text, "section_id": section })
        }
        (1, _) => {
            json!({ "operation": "append_section", "heading": format!("New part {about}"), "content": text })
        }
        _ => {
            json!({ "operation": "replace_section_content", "section_id": section, "content": text })
        }
    };
    let mut request = json!({
        "intent": "refresh_module", "owner": owner(number),
        "sources": [{ "type": "user", "ref": "ada" }], "operations": [operation],
    });
    request["operations"][0]["path"] = path.into();
    request
}

fn at(sandbox: &Sandbox, number: usize) -> Project {
    let session = sandbox.session();
    let now = session.now.plus(APART * u32::try_from(number).unwrap());
    Project::open(&Session { now, ..session }).unwrap()
}

fn with_modules() -> Sandbox {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for part in 0..SECTIONS {
        let text =
            files.entry(format!("modules/m{}.md", part % 8)).or_insert("# Module\n".to_owned());
        *text += &format!("\n## Part {part}\n<!-- @id: part-{part} -->\n\nAs it was.\n");
    }
    let sandbox = Sandbox::new();
    files.iter().for_each(|(path, text)| sandbox.write(path, text));
    sandbox.write("config.toml", "[staging]\nmax_open = 400\nttl_days = 30\n");
    sandbox
}

/// Lands everything; returns what landed, what was refused and what was left, each in order.
fn yes_to_everything(project: &Project) -> (Vec<String>, Vec<String>, Vec<Left>) {
    let (mut landed, mut refused) = (Vec::new(), Vec::new());
    let approval = Approval::by("Ada".to_owned());
    let options = ApplyOptions::default();
    let way = Way::here(&approval, &options);
    let left = apply_all(project, &way, |id, answer| match answer.unwrap().0 {
        Outcome::Applied(_) => landed.push(id.to_string()),
        Outcome::Rejected(_) | Outcome::Staged(_) => refused.push(id.to_string()),
    });
    (landed, refused, left.unwrap())
}

#[test]
fn a_long_queue_shrinks_to_what_somebody_has_to_look_at() {
    let sandbox = with_modules();
    let mut ids: Vec<String> = Vec::new();
    for number in 0..CAME {
        let outcome = propose(&at(&sandbox, number), request(number).to_string().into_bytes());
        let Outcome::Staged(staged) = outcome.unwrap() else { panic!("{number} does not wait") };
        ids.push(staged.staging_id.unwrap().to_string());
    }
    let of_kind = |wanted: &[Kind]| -> Vec<usize> {
        (0..CAME).filter(|number| wanted.contains(&kind(*number))).collect()
    };
    let named = |numbers: &[usize]| numbers.iter().map(|n| ids[*n].clone()).collect::<Vec<_>>();
    for again in of_kind(&[Kind::Again]) {
        assert_eq!(ids[again], ids[subject(again)], "{again} waits twice");
    }
    // Who says something later about the same section means that; of two who differ, the first is heard.
    let superseded: Vec<usize> = of_kind(&[Kind::Later]).into_iter().map(subject).collect();
    let rivals = of_kind(&[Kind::Rival]);
    let mut landing = of_kind(&[Kind::Own, Kind::Later]);
    landing.retain(|number| !superseded.contains(number));

    let project = at(&sandbox, CAME);
    let waiting = status(&project).unwrap().pending;
    assert_eq!(waiting.len(), CAME - of_kind(&[Kind::Again]).len());
    assert!(waiting.iter().all(|each| each.readiness.can_apply), "nothing has landed yet");
    let marked: Vec<String> = waiting
        .iter()
        .filter(|each| each.superseded_by.is_some())
        .map(|each| each.id.clone())
        .collect();
    assert_eq!(marked, named(&superseded));

    let (landed, refused, left) = yes_to_everything(&project);
    assert_eq!(landed, named(&landing));
    assert_eq!(refused, named(&rivals));
    let left: Vec<String> = left.iter().map(|each| each.id.to_string()).collect();
    assert_eq!(left, named(&superseded));
    let memory: String =
        (0..8).map(|number| sandbox.file(&format!("modules/m{number}.md"))).collect();
    for number in of_kind(&[Kind::Own, Kind::Rival, Kind::Later]) {
        let said = memory.contains(&format!("What proposal {number} says"));
        let is_removal = kind(number) == Kind::Own && subject(number).is_multiple_of(3);
        assert_eq!(said, landing.contains(&number) && !is_removal, "{number}");
    }

    let everything = || (sandbox.tree(), sandbox.bytes("state/log.jsonl"));
    let before = everything();
    let waiting = status(&project).unwrap().pending;
    assert_eq!(waiting.len(), rivals.len() + superseded.len());
    assert!(waiting.iter().all(|each| each.readiness.message.is_some()), "each says why");
    let (landed, refused, left) = yes_to_everything(&project);
    // What replaces the others was applied, and goes on to replace them.
    let expected = (0, rivals.len(), superseded.len());
    assert_eq!((landed.len(), refused.len(), left.len()), expected);
    assert_eq!(everything(), before, "what cannot be applied is asked, and no more");
}
