//! The words that agents, people and the disk share: requests, answers, names, codes.

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

pub(crate) use fields::kind;
pub use fields::{Fields, LISTED_PROBLEMS, Problem, Problems};
pub use file_state::{FileState, LARGEST};
pub use id::{ContentHash, ProposalId, SectionId, Sha256Digest, hex};
pub use moment::{Moment, is_date};
pub use operation::{
    Action, IfExists, IfFileExists, IfMissing, Operation, OperationKind, Selector, Target,
};
pub use outcome::{
    AffectedSection, Answer, Applied, Change, Decided, Finding, Mode, Outcome, Refusal, Routing,
    Staged, Violation,
};
pub use path::{MemoryPath, PathProblem, is_aside, path_in_store};
pub use proposal::{Confidence, Intent, Owner, Request, Source, SourceType};
pub use reason::Reason;
pub use refusals::Refusals;
pub use schemas::{request_schema, response_schema};
pub use stretch::{MONTHS, Stretch};

pub(crate) use words::words;
