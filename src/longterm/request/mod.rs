//! The words of long-term memories: arguments of the model, context of the host, directory, answers.

mod arguments;
mod call_context;
mod directory;
mod entry_faults;
mod failure;
mod forms;
mod json;
mod longterm_answer;
mod longterm_call;
mod memory_number;
mod memory_row;
mod notice;
mod people;
mod privacy;

pub(crate) use arguments::ArgumentFault;
pub use arguments::{CreateArguments, GivenArguments, UpdateArguments};
pub use call_context::{Actor, CallContext, Member, Participant, SaidUser, ServerKind};
pub use directory::{Directory, DirectoryKind, ServerEntry, UserEntry};
pub(crate) use entry_faults::{faults_of, unknown_field};
pub use failure::{Denial, FailedStatus, MemoryScope};
pub use forms::{
    DirectoryChange, DirectoryDocument, ForgottenMemories, Generations, LongtermImport,
    LongtermList, LongtermLog, PersonMemories, PromptMemories, PromptMemory, RefusedLine,
    RestoredMemory,
};
pub use longterm_answer::{LongtermAnswer, LongtermTool, RaisedGeneration, ToolData};
pub use longterm_call::LongtermCall;
pub use memory_number::MemoryNumber;
pub use memory_row::{MemoryLine, MemoryOwner, MemoryRow};
pub(crate) use notice::preview_of;
pub use notice::{MemoryEvent, MemoryNotice, NoticeFooter};
pub use people::People;
pub(crate) use people::has_bridge_form;
pub use privacy::PrivacyLevel;
