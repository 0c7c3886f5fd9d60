//! Finds the last commit, and reads files from a commit or the index. An existing file that cannot be read is an error.

use super::calls::Git;
use super::output::{failure, single_line, split_nul};
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::text::visible;

impl Git {
    /// Returns the last commit; `None` on a branch without one.
    pub(crate) fn last_commit(&self) -> Result<Option<String>> {
        let verify = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
        if let Some(commit) = self.consult_line(&verify)? {
            return Ok(Some(commit));
        }
        let Some(why) = self.why_not_read() else { return Ok(None) };
        let message = format!("git cannot read the last commit ({why}) in");
        let hint = "run `git fsck` there, and mend what it names";
        Err(Error::new(ErrorKind::Git, message).at(&self.top).hint(hint))
    }

    pub(crate) fn commit_of(&self, name: &str) -> Result<Option<String>> {
        let commit = format!("{name}^{{commit}}");
        let verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
        let ended = self.call(&verify, b"")?;
        match ended.status.code() {
            Some(0) => Ok(single_line(ended.answer)),
            // A number beyond the reflog, as in `HEAD@{999}`, ends like this, without a message.
            Some(_) if ended.talk.is_empty() => Ok(None),
            Some(_) | None => Err(failure(&verify, &ended.talk)),
        }
    }

    /// Returns why the last commit cannot be read; `None` if there is none.
    fn why_not_read(&self) -> Option<String> {
        let branch = match self.consult_line(&["symbolic-ref", "--quiet", "HEAD"]) {
            Ok(Some(branch)) => branch,
            Ok(None) => return Some("the commit that `HEAD` names is missing".to_owned()),
            Err(error) => return Some(error.to_string()),
        };
        // Git may take a file without an id for a branch without a commit.
        let file = self.folder().map(|folder| folder.common.join(&branch));
        if file.is_some_and(|file| outside::exists(&file) && !file.is_dir()) {
            return Some(format!("`{}` names none", visible(&branch)));
        }
        match self.consult_line(&["rev-parse", "--verify", "--quiet", "HEAD"]) {
            Ok(None) => None,
            Ok(Some(id)) => Some(format!("`{id}` is missing")),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Returns a file of a commit, by its path from the top.
    pub(crate) fn text_in(&self, commit: &str, path: &str) -> Result<Option<String>> {
        let said = self.run(&["ls-tree", "--full-tree", "-z", commit, path], b"")?;
        // `MODE TYPE ID TAB PATH`
        let blob = split_nul(&said).find_map(|entry| {
            let (head, _) = entry.split_once('\t').filter(|(_, name)| *name == path)?;
            let mut words = head.split(' ').skip(1);
            words.next().filter(|kind| *kind == "blob").and(words.next()).map(str::to_owned)
        });
        blob.map(|id| self.text_of(&id)).transpose()
    }

    /// Returns a file of the index, by its path from the top.
    pub(crate) fn text_staged(&self, path: &str) -> Result<Option<String>> {
        self.id_staged(path)?.map(|id| self.text_of(&id)).transpose()
    }

    /// Returns the blob id of a staged file.
    pub(crate) fn id_staged(&self, path: &str) -> Result<Option<String>> {
        let said = self.run(&["ls-files", "--stage", "-z", "--", path], b"")?;
        // `MODE ID STAGE TAB PATH`
        Ok(split_nul(&said).find_map(|entry| {
            let (head, _) = entry.split_once('\t').filter(|(_, name)| *name == path)?;
            head.strip_suffix(" 0")?.split(' ').nth(1).map(str::to_owned)
        }))
    }

    /// Invalid UTF-8 becomes a text that no file of ours has.
    fn text_of(&self, id: &str) -> Result<String> {
        let said = self.run(&["cat-file", "blob", id], b"")?;
        Ok(String::from_utf8_lossy(&said).into_owned())
    }
}
