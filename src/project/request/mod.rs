//! The words of a request to a project: operations, evidence, answers, codes.

mod operation;
mod other_path;
mod outcome;
mod path;
mod proposal;
mod proposal_id;
mod reason;
mod refusals;
mod schemas;
mod source;

pub use operation::{Action, IfExists, IfFileExists, IfMissing, Selector, Target};
pub(crate) use operation::{Operation, OperationKind};
pub(crate) use other_path::OtherPath;
pub use other_path::StoreName;
pub(crate) use outcome::{
    AffectedSection, Applied, Change, Decided, Mode, Refusal, Routing, Staged, operation_at,
};
pub use outcome::{Answer, Outcome};
pub use path::MemoryPath;
pub(crate) use path::{is_reserved, path_in_store};
pub(crate) use proposal::{Intent, Owner, Request};
pub(crate) use proposal_id::ProposalId;
pub use reason::Reason;
pub(crate) use refusals::Refusals;
pub use schemas::{request_schema, response_schema};
pub use source::Source;
