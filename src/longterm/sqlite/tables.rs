//! The tables of long-term memories.

use crate::database::Migrations;

/// The steps to the present tables.
pub(crate) const MIGRATIONS: Migrations = &[FIRST];

const FIRST: &str = "
CREATE TABLE tenants(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created INTEGER NOT NULL,
  -- The last number of a memory. No number is ever used again.
  last_memory INTEGER NOT NULL DEFAULT 0,
  log_number INTEGER NOT NULL, log_hash TEXT NOT NULL);

-- What is remembered. One sequence of numbers for both scopes.
CREATE TABLE memories(
  tenant INTEGER NOT NULL REFERENCES tenants(id), number INTEGER NOT NULL,
  scope TEXT NOT NULL, owner TEXT NOT NULL, lineage INTEGER NOT NULL, content TEXT NOT NULL, tags TEXT NOT NULL,
  taught_by TEXT, created INTEGER NOT NULL, updated INTEGER NOT NULL, revision INTEGER NOT NULL,
  PRIMARY KEY(tenant, number)) WITHOUT ROWID;
CREATE INDEX memories_of ON memories(tenant, scope, owner, lineage, number);

-- What was deleted, until it is swept.
CREATE TABLE trash(
  tenant INTEGER NOT NULL REFERENCES tenants(id), number INTEGER NOT NULL,
  scope TEXT NOT NULL, owner TEXT NOT NULL, lineage INTEGER NOT NULL, content TEXT NOT NULL, tags TEXT NOT NULL,
  taught_by TEXT, created INTEGER NOT NULL, updated INTEGER NOT NULL, revision INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  PRIMARY KEY(tenant, number)) WITHOUT ROWID;
CREATE INDEX trash_by_age ON trash(tenant, deleted);
CREATE INDEX trash_of ON trash(tenant, scope, owner);
-- The numbers of those of which nothing is left: no import may use them again.
CREATE TABLE erased(
  tenant INTEGER NOT NULL REFERENCES tenants(id), number INTEGER NOT NULL,
  PRIMARY KEY(tenant, number)) WITHOUT ROWID;

-- What is known of people and servers, as JSON.
CREATE TABLE directory(
  tenant INTEGER NOT NULL REFERENCES tenants(id), kind TEXT NOT NULL, id TEXT NOT NULL, entry TEXT NOT NULL,
  PRIMARY KEY(tenant, kind, id)) WITHOUT ROWID;

-- What each change has: the raised generation and a line, neither of which has any text of a memory.
CREATE TABLE generations(
  tenant INTEGER NOT NULL REFERENCES tenants(id), key TEXT NOT NULL, generation INTEGER NOT NULL,
  PRIMARY KEY(tenant, key)) WITHOUT ROWID;
CREATE TABLE log(
  tenant INTEGER NOT NULL REFERENCES tenants(id), number INTEGER NOT NULL, id TEXT NOT NULL, line TEXT NOT NULL,
  PRIMARY KEY(tenant, number)) WITHOUT ROWID;
";
