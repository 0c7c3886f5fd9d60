//! The stable codes of refusals.

use crate::contract::words;

words! {
    /// Why a request is refused; a code never changes its meaning.
    Reason {
        /// The request is not JSON, has unknown fields, or misses some.
        InvalidRequest = "invalid_request",
        /// The intent is absent or unknown.
        InvalidIntent = "invalid_intent",
        /// There is nothing to do.
        NoOperations = "no_operations",
        /// An operation is unknown or its fields don't fit.
        InvalidOperation = "invalid_operation",
        /// A path is not a path of the store.
        InvalidPath = "invalid_path",
        /// No category owns the path.
        UnknownCategory = "unknown_category",
        /// The intent may not write to this category.
        IntentCategoryMismatch = "intent_category_mismatch",
        /// The file is generated.
        ServerManagedCategory = "server_managed_category",
        /// An archive file is never changed.
        WriteOnceViolation = "write_once_violation",
        /// The archive file exists already.
        ArchiveExists = "archive_exists",
        /// The file exists already.
        FileExists = "file_exists",
        /// There is no such section.
        SectionNotFound = "section_not_found",
        /// Several sections fit.
        SectionAmbiguous = "section_ambiguous",
        /// The id is taken.
        DuplicateSectionId = "duplicate_section_id",
        /// The text is not what the operation needs.
        InvalidMarkdown = "invalid_markdown",
        /// Other sections would change.
        ContainmentViolation = "containment_violation",
        /// The section rules of the category are not kept.
        ValidationFailed = "validation_failed",
        /// The file would be larger than its budget.
        BudgetExceeded = "budget_exceeded",
        /// The text holds a secret.
        SecretDetected = "secret_detected",
        /// The text holds personal data.
        PiiDetected = "pii_detected",
        /// The text holds characters that a person would not see.
        HiddenCharacters = "hidden_characters",
        /// A `secret-allow` region is malformed.
        AllowRegionInvalid = "allow_region_invalid",
        /// The evidence is absent or not enough.
        ProvenanceViolation = "provenance_violation",
        /// The policy forbids it.
        DeniedByPolicy = "denied_by_policy",
        /// The section is not the one that was read.
        TargetDrift = "target_drift",
        /// A person rejected this text before.
        PreviouslyRejected = "previously_rejected",
        /// Too many proposals are pending.
        QueueFull = "queue_full",
        /// No person who may approve has approved.
        ApprovalRefused = "approval_refused",
        /// What would be applied is not what was approved.
        ApprovalStale = "approval_stale",
        /// Another process writes.
        LockHeld = "lock_held",
        /// No proposal has this id.
        StagingNotFound = "staging_not_found",
        /// Several proposals fit.
        StagingAmbiguous = "staging_ambiguous",
        /// The proposal was pending for too long.
        StagingExpired = "staging_expired",
        /// The request is over a limit.
        TooLarge = "too_large",
    }
}
