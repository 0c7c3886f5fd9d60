//! The tables of the service.

use crate::database::Migrations;

/// The steps to the present tables. Words are in a table of each tenant, `words_<number>`, so that what one stores
/// changes no score of another.
pub(crate) const MIGRATIONS: Migrations = &[FIRST];

const FIRST: &str = "
CREATE TABLE tenants(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created INTEGER NOT NULL,
  memories INTEGER NOT NULL DEFAULT 0, log_number INTEGER NOT NULL, log_hash TEXT NOT NULL);
CREATE TABLE tokens(
  hash BLOB PRIMARY KEY, tenant INTEGER NOT NULL REFERENCES tenants(id),
  created INTEGER NOT NULL, revoked INTEGER) WITHOUT ROWID;

-- What was said. A deleted memory stays until it is swept or forgotten.
CREATE TABLE memories(
  row INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL REFERENCES tenants(id), id TEXT NOT NULL,
  content TEXT NOT NULL, type TEXT NOT NULL, confidence REAL NOT NULL, importance REAL NOT NULL,
  tags TEXT NOT NULL, metadata TEXT NOT NULL, timestamp INTEGER NOT NULL, updated INTEGER NOT NULL,
  accessed INTEGER NOT NULL, valid INTEGER, invalid INTEGER, conversation INTEGER, deleted INTEGER,
  UNIQUE(tenant, id));
CREATE INDEX memories_by_time ON memories(tenant, timestamp) WHERE deleted IS NULL;
CREATE INDEX memories_by_importance ON memories(tenant, importance DESC, timestamp DESC, id) WHERE deleted IS NULL;
CREATE INDEX memories_of_conversation ON memories(tenant, conversation, timestamp, row)
  WHERE deleted IS NULL AND conversation IS NOT NULL;
CREATE INDEX deleted_memories ON memories(tenant, deleted) WHERE deleted IS NOT NULL;
CREATE TABLE tags(
  tenant INTEGER NOT NULL, tag TEXT NOT NULL, row INTEGER NOT NULL, whole INTEGER NOT NULL,
  PRIMARY KEY(tenant, tag, row)) WITHOUT ROWID;
CREATE TABLE relations(
  tenant INTEGER NOT NULL, source INTEGER NOT NULL, type TEXT NOT NULL, target INTEGER NOT NULL,
  strength REAL NOT NULL, properties TEXT NOT NULL, updated INTEGER NOT NULL,
  PRIMARY KEY(source, type, target)) WITHOUT ROWID;
CREATE INDEX relations_to ON relations(target);
CREATE TABLE vectors(
  row INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, whole BLOB NOT NULL, coarse BLOB NOT NULL, scale REAL NOT NULL);
CREATE INDEX vectors_of_tenant ON vectors(tenant);
CREATE TABLE accesses(row INTEGER PRIMARY KEY, at INTEGER NOT NULL);

-- Who changed what. The log has hashes alone; former values can be erased.
CREATE TABLE log(tenant INTEGER NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, line TEXT NOT NULL,
  PRIMARY KEY(tenant, number)) WITHOUT ROWID;
CREATE INDEX log_of_memory ON log(tenant, id, number);
CREATE TABLE former(tenant INTEGER NOT NULL, number INTEGER NOT NULL, row INTEGER NOT NULL, other INTEGER, value TEXT NOT NULL,
  PRIMARY KEY(tenant, number)) WITHOUT ROWID;
CREATE INDEX former_of_memory ON former(row);
CREATE INDEX former_of_other ON former(other) WHERE other IS NOT NULL;
CREATE TABLE repeats(tenant INTEGER NOT NULL, key BLOB NOT NULL, body BLOB NOT NULL, ids TEXT NOT NULL,
  at INTEGER NOT NULL, PRIMARY KEY(tenant, key)) WITHOUT ROWID;
CREATE INDEX repeats_by_age ON repeats(at);

-- What is derived from it, and can be rebuilt.
CREATE TABLE derived(row INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, summary TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE entities(
  tenant INTEGER NOT NULL, category TEXT NOT NULL, slug TEXT NOT NULL, row INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY(tenant, category, slug, row)) WITHOUT ROWID;
CREATE INDEX entities_of_memory ON entities(row);
CREATE TABLE derived_relations(
  tenant INTEGER NOT NULL, source INTEGER NOT NULL, type TEXT NOT NULL, target INTEGER NOT NULL,
  strength REAL NOT NULL, properties TEXT NOT NULL, updated INTEGER NOT NULL,
  PRIMARY KEY(source, type, target)) WITHOUT ROWID;
CREATE INDEX derived_relations_to ON derived_relations(target);

-- What people decided about entities.
CREATE TABLE entity_merges(
  tenant INTEGER NOT NULL, category TEXT NOT NULL, alias TEXT NOT NULL, slug TEXT NOT NULL,
  PRIMARY KEY(tenant, category, alias)) WITHOUT ROWID;

-- What is to be done.
CREATE TABLE jobs(
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, row INTEGER NOT NULL, kind TEXT NOT NULL,
  attempts INTEGER NOT NULL, due INTEGER NOT NULL, problem TEXT, UNIQUE(row, kind));
CREATE INDEX jobs_by_time ON jobs(due) WHERE attempts < 5;
";

/// Returns the statements that make a table of words, and one that counts them. Words are cut and stemmed before they are
/// written, so the tokenizer only splits them at blanks.
pub(super) fn table_of_words(name: &str) -> String {
    format!(
        "CREATE VIRTUAL TABLE {name} USING fts5(words, content='', contentless_delete=1,
          tokenize='unicode61 remove_diacritics 0 categories ''L* N* Co Mn Mc''');
        CREATE VIRTUAL TABLE {name}_counts USING fts5vocab({name}, row);"
    )
}
