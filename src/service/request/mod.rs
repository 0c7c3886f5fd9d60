//! The words of the service: requests, answers, refusals.

mod analysis_answer;
mod association;
mod body;
mod change_kind;
mod consolidation_answer;
mod enrichment_answer;
mod entity_answer;
mod event_kind;
#[cfg(feature = "http")]
mod forms;
mod graph_answer;
mod graph_request;
mod health_answer;
mod memory;
mod memory_id;
mod memory_type;
mod new_memory;
mod overview_answer;
mod patch;
mod query;
mod recall_answer;
mod recall_request;
mod refusal;
mod relation_type;
mod saved_memory;
mod screen;
mod supersession;
mod time_window;
mod transfer_answer;
mod work_request;
mod write_answer;

pub use analysis_answer::{
    Analytics, AnalyzeAnswer, HourStatistics, LevelCounts, PatternDocument, PreferenceDocument,
    TypeStatistics,
};
pub(crate) use association::{AssociateRequest, NewRelation};
pub(crate) use body::object_of;
pub use change_kind::ChangeKind;
pub use consolidation_answer::{
    ClusterDocument, ClusterStep, ConsolidateAnswer, ConsolidateStatus, Consolidation,
    ConsolidationSteps, CreativeStep, DecayStep, DiscoveredPair, ForgetStep, IdentityStep,
    NextRuns, RelevanceLevels,
};
pub use enrichment_answer::{
    ClassificationStats, EnrichmentStats, EnrichmentStatus, ReembedAnswer, ReprocessAnswer,
    SyncAnswer,
};
pub use entity_answer::{
    EntitiesAnswer, EntityAnswer, EntityAudit, EntityDocument, EntityFinding, MergeAnswer,
    MergeCandidate, MergeCandidates, MergedEntity,
};
pub use event_kind::EventKind;
#[cfg(feature = "http")]
pub(crate) use forms::{
    AssociateForm, AssociatedForm, BatchForm, ConsolidateForm, EmbedForm, IdsForm, MergeForm,
    NewMemoryForm, PatchForm,
};
pub use graph_answer::{
    Colors, DayActivity, GraphCenter, GraphEdge, GraphMeta, GraphNeighbors, GraphNode,
    GraphRelations, GraphSnapshot, GraphStats, GraphTotals, GraphTypes, NeighborsMeta,
    SnapshotStats,
};
pub(crate) use graph_request::{NeighborsRequest, SnapshotRequest};
pub use health_answer::{
    EnrichmentHealth, ServiceHealth, StartupMemory, StartupRecall, VectorDimensions,
};
pub(crate) use memory::{DerivedMemory, Entity, Memory, SaidMemory};
pub use memory::{MemoryDocument, MemorySummary};
pub use memory_id::MemoryId;
pub use memory_type::MemoryType;
pub(crate) use new_memory::{NewMemory, refuse_in_trash, refuse_size, refuse_taken};
pub use overview_answer::{CountedTag, EnrichmentCounts, ServiceStats, TagList};
pub(crate) use patch::MemoryPatch;
pub use query::QueryParameters;
pub use recall_answer::{
    ContextPriority, EntityExpansion, ExpansionDocument, RecallAnswer, RecallResult,
    RelationDocument, ScoreFilter, StateFilter, SuppressedMemory, TagScope, TimeWindowDocument,
    VectorSearch,
};
pub(crate) use recall_request::{Expansion, RecallRequest, SaidContext};
pub use recall_request::{RecallSort, RecencyBias, StateMode};
pub use refusal::{FieldError, RefusalBody, RefusalStatus, ServiceRefusal};
pub use relation_type::RelationType;
pub(crate) use saved_memory::{SavedMemory, SavedRelation};
pub(crate) use screen::{redact_texts, refuse_what_must_not_stay};
pub use supersession::{SUPERSESSION_STRENGTH, SupersedeAnswer, Supersession};
pub use transfer_answer::{DroppedRelations, MemoryExport, MemoryImport, RefusedMemory};
pub(crate) use work_request::{ConsolidateRequest, EmbedRequest, read_ids, read_merge_into};
pub use write_answer::{
    AssociateAnswer, BatchAssociateAnswer, BatchStored, ByTag, Deleted, DeletedByTag,
    FailedAssociation, GotMemory, History, HistoryEntry, Related, RestoreAnswer, Stored,
    SucceededAssociation, TaggedMemory, Trash, TrashedMemory, UndoAnswer, Updated,
};
