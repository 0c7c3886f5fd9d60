//! What `/stream` tells.

use crate::contract::words;

words! {
    /// What happened.
    EventKind {
        /// Memories were stored or restored.
        MemoryStore = "memory.store",
        /// Memories were recalled.
        MemoryRecall = "memory.recall",
        /// Memories were changed.
        MemoryUpdate = "memory.update",
        /// Memories were deleted.
        MemoryDelete = "memory.delete",
        /// Memories were related.
        MemoryAssociate = "memory.associate",
        /// The enrichment of memories begins.
        EnrichmentStart = "enrichment.start",
        /// Memories are enriched.
        EnrichmentComplete = "enrichment.complete",
        /// Memories could not be enriched this time.
        EnrichmentFailed = "enrichment.failed",
        /// Memories were consolidated.
        ConsolidationRun = "consolidation.run",
    }
}
