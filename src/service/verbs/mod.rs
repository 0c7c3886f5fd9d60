//! The verbs of the service, one a file. What they share: `session`, `service_store`, `tenant_key`, `tenant_name`, `path_id`,
//! `elapsed`, `events`, `replace_said`, `set_relation`, `store_form`,
//! `store_request`, `repeat_key` and `vector_size`. What the doors fill in: `server_settings` and
//! `mcp_settings`.

mod admin;
mod analyze;
mod backup;
mod by_tag;
mod consolidate;
mod delete;
mod elapsed;
mod enrichment;
mod entity;
mod events;
mod export;
mod former_relation;
mod get;
mod graph;
mod health;
mod history;
mod import;
mod input;
mod mcp_settings;
mod path_id;
mod recall;
mod relate;
mod related;
mod relation_ends;
mod repeat_key;
mod replace_said;
mod server_settings;
mod service_store;
mod session;
mod set_relation;
mod startup_recall;
mod stats;
mod store;
mod store_form;
mod store_request;
mod supersede;
mod tags;
mod tenant_key;
mod tenant_name;
#[cfg(test)]
mod tests;
mod tokens;
mod trash;
mod undo;
mod update;
mod vector_size;
mod work;

pub use admin::{admin_reembed, admin_sync};
pub use analyze::analyze;
pub use backup::backup;
pub use by_tag::{by_tag, delete_by_tag};
pub use consolidate::{consolidate, consolidate_status};
pub use delete::{Deletion, delete};
pub use enrichment::{enrichment_status, reprocess};
pub use entity::{entities, entity, entity_audit, merge_candidates, merge_entity};
pub use events::{EventListener, ServiceEvent};
pub use export::{ExportForm, ExportTarget, export};
pub use get::get;
pub use graph::{graph_neighbors, graph_relations, graph_snapshot, graph_stats, graph_types};
pub use health::health;
pub use history::{history, whole_history};
pub use import::import;
pub use input::read_text;
pub use mcp_settings::{McpSettings, RecallBudget, ServiceLocation};
pub use path_id::path_id;
pub use recall::recall;
pub use relate::{Associated, associate};
pub use related::related;
pub use repeat_key::IdempotencyKey;
pub use server_settings::{ServerSettings, TokenHash};
pub use service_store::{DEFAULT_TENANT, ServiceSettings, ServiceStore};
pub use session::{ServiceAnswer, ServiceSession, ServiceSessions};
pub use startup_recall::startup_recall;
pub use stats::stats;
pub use store::{store, store_batch};
pub use supersede::supersede;
pub use tags::tags;
pub use tenant_key::TenantKey;
pub use tokens::{
    NewToken, RevokedTokens, TenantTokens, TokenList, add_token, list_tokens, make_token,
    revoke_tokens,
};
pub use trash::{restore, trash};
pub use undo::undo;
pub use update::update;
pub use work::{sweep, work};
