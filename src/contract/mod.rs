//! The words that agents, people and the disk share: requests, answers, names, codes.

mod failure;
mod fields;
mod file_state;
mod id;
mod moment;
mod operation;
mod outcome;
mod path;
mod proposal;
mod reason;
mod refusals;
mod schemas;
mod stretch;
mod words;

pub use failure::{ErrorBody, Failure};
pub(crate) use fields::kind;
pub(crate) use fields::{Fields, LISTED_PROBLEMS, Problem, Problems};
pub use file_state::FileState;
pub(crate) use file_state::LARGEST;
pub use id::{ContentHash, SectionId};
pub(crate) use id::{ProposalId, Sha256Digest, hex};
pub use moment::Moment;
pub(crate) use moment::is_date;
pub use operation::{Action, IfExists, IfFileExists, IfMissing, Selector, Target};
pub(crate) use operation::{Operation, OperationKind};
pub(crate) use outcome::{
    AffectedSection, Applied, Change, Decided, Finding, Mode, Refusal, Routing, Staged, Violation,
};
pub use outcome::{Answer, Outcome};
pub use path::MemoryPath;
pub(crate) use path::{is_aside, path_in_store};
pub use proposal::Source;
pub(crate) use proposal::{Confidence, Intent, Owner, Request, SourceType};
pub use reason::Reason;
pub(crate) use refusals::Refusals;
pub use schemas::{request_schema, response_schema};
pub(crate) use stretch::{MONTHS, Stretch};

pub(crate) use words::words;
