//! Writes the memories of a tenant as a backup.

use super::export::ViewExport;
use super::session::ServiceSession;
use crate::error::Result;
use crate::service::backup::archive_of;

/// Returns an archive of the tenant's memories, as they are at one time; answers `GET /backup`.
pub fn backup(session: &ServiceSession) -> Result<Vec<u8>> {
    let (memories, relations) = session.read(|view| {
        let export = ViewExport::of(view)?;
        Ok((export.memories()?, export.all_relations()?))
    })?;
    archive_of(&memories, &relations, session.now)
}
