//! The words of personal memory: requests, answers, reason codes.

mod answer;
mod diagnosis;
mod entry_decision;
mod entry_name;
mod entry_refusal;
mod entry_type;
#[cfg(feature = "mcp")]
mod forms;
mod found;
mod import_report;
mod person_present;
mod receipt;
mod screen;
mod update;
mod user_id;

pub use answer::{
    EntryChange, EntryChangeStatus, EntryList, IndexRead, IndexSize, ListedEntry, ReadEntry,
};
pub use diagnosis::{PersonalDiagnosis, PersonalFinding};
pub use entry_decision::EntryDecision;
pub use entry_name::EntryName;
pub use entry_refusal::{EntryReason, EntryRefusal};
pub use entry_type::EntryType;
#[cfg(feature = "mcp")]
pub(crate) use forms::{ReadAnswerForm, ReadForm, UpdateAnswerForm, UpdateForm};
pub use found::{FoundEntries, FoundEntry};
pub use import_report::{ExportReport, ImportRefusal, ImportReport, ImportStatus, ImportedEntry};
pub(crate) use person_present::PersonPresent;
pub use receipt::{IndexReceipt, LeftOutEntry, LeftOutReason};
pub(crate) use screen::{refuse_what_must_not_stay, what_is};
pub use update::EntryAction;
pub(crate) use update::{BODY, DESCRIPTION, EntryRequest, UpsertFields, read_wanted};
pub use user_id::UserId;
