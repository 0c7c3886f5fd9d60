//! Finds for each file of a folder of notes its path in the store, or says why it has none.

use super::adopted_note::{AdoptedNote, StoredNote};
use super::given_categories;
use super::note_folder::NoteFolder;
use super::pieces::{Piece, PieceFinder, PieceText, Pieces};
use super::records::write_records;
use super::report::Adopted;
use super::target::AdoptionTarget;
use crate::contract::FileState;
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::{Outline, with_ids};
use crate::project::adopt::{
    IncomingNote, NoPath, NotePaths, ORIGINS, Origins, SHARED_THERE, Wish, WrongLine,
};
use crate::project::check::{Content, Rulebook, is_setting};
use crate::project::edit::new_file;
use crate::project::request::MemoryPath;
use crate::project::store::{Store, read_content};
use crate::project::toc::{FORMER_PATH, is_former};
use crate::text::composed;

/// Where a note goes.
struct StorePlace {
    to: String,
    /// The whole path by which it is known.
    origin: String,
    is_known: bool,
}

impl NoteFolder {
    /// Finds a path for each note and reads it. Those whose path a category has come first.
    pub(super) fn assign_paths(
        &mut self,
        target: AdoptionTarget<'_>,
        rulebook: &Rulebook,
        told: &mut Adopted,
    ) -> Result<Vec<AdoptedNote>> {
        let store = target.store;
        let origins = if self.is_store { Origins::default() } else { read_origins(store)? };
        // Of the notes beside one file nothing is read.
        if self.one_file().is_none() {
            self.gone = self.gone_notes(store, &origins, &rulebook.catalog)?;
        }
        let mut paths = NotePaths::new(&rulebook.catalog, &origins);
        let given = given_categories::read(target.categories, &self.paths, rulebook)?;
        let finder = PieceFinder { target, catalog: &rulebook.catalog, given: &given };
        let mut found = finder.find(self)?;
        self.leave_out_held(&mut found, (store, &rulebook.catalog), &origins)?;
        let Pieces { pieces, left } = found;
        told.not_understood.extend(left.iter().map(|it| rulebook.scanner.redact(it).into_owned()));
        let is_own = |piece: &Piece| piece.wish == Wish::Own && paths.is_own(&piece.from);
        let (own, others): (Vec<_>, Vec<_>) = pieces.into_iter().partition(is_own);
        let (mut notes, mut wrong) = (Vec::new(), origins.wrong_lines().to_vec());
        for piece in own.into_iter().chain(others) {
            let from = &piece.from;
            let origin = self.origin_of(from) + &piece.part;
            let note = IncomingNote { path: from, origin: &origin, wish: &piece.wish };
            let is_known = origins.path_of(&origin).is_some();
            let renaming =
                if is_known { None } else { self.renaming_of(&piece, &rulebook.catalog) };
            let path = match renaming {
                Some(why) => Err(NoPath::Renamed(why)),
                None => self.store_path_of(note, store, rulebook, &mut paths),
            };
            let to = match path {
                Ok(to) => to.to_string(),
                Err(no_path) => {
                    wrong.extend(self.tell_no_path(from, no_path, rulebook, told));
                    continue;
                }
            };
            let place = StorePlace { to, origin, is_known };
            notes.extend(self.take(piece, place, (target, rulebook), told)?);
        }
        refuse_wrong_lines(wrong, rulebook)?;
        write_records(&mut notes, target, &rulebook.catalog);
        Ok(notes)
    }

    /// Reads a note for its path; nothing where it is refused, which is told.
    fn take(
        &self,
        piece: Piece,
        StorePlace { to, origin, is_known }: StorePlace,
        (target, rulebook): (AdoptionTarget<'_>, &Rulebook),
        told: &mut Adopted,
    ) -> Result<Option<AdoptedNote>> {
        let Piece { from, part, text, lines, .. } = piece;
        // The parts of a file are refused together.
        let is_refused = told.refused_notes.last() == Some(&from) && !part.is_empty();
        let read = || self.read_note(&from, &to, rulebook, &mut told.refused);
        let Some(whole) = (!is_refused).then(read).flatten() else {
            told.refused_notes.push(from);
            return Ok(None);
        };
        let (text, record) = match text {
            PieceText::AsItIs => (whole, None),
            PieceText::Changed(text) => (text, None),
            // It is written once all paths are known.
            PieceText::Record(record) => (String::new(), Some(record)),
        };
        let is_kept = !self.is_store
            && rulebook.catalog.is_tracked(&to)
            && rulebook.scanner.scan(&origin).is_empty();
        let known = target.store.filter(|_| is_known);
        let stored = known.map(|store| StoredNote::read(store, &to)).transpose()?;
        let (stored, origin) = (stored.unwrap_or_default(), is_kept.then_some(origin));
        let cited = self.cited_prefix.as_deref().filter(|_| !self.is_store);
        let cited = cited.map(|prefix| format!("{prefix}{from}"));
        // A line break would end the comment that names the source.
        let cited = cited.filter(|path| !path.contains(char::is_control));
        Ok(Some(AdoptedNote { from, to, origin, text, record, cited, lines, is_known, stored }))
    }

    /// Reports a note without a path; returns the line of the record that gave it a wrong one.
    fn tell_no_path(
        &self,
        from: &str,
        no_path: NoPath,
        rulebook: &Rulebook,
        told: &mut Adopted,
    ) -> Option<WrongLine> {
        let name = |why: &str| rulebook.scanner.redact(&format!("{from} ({why})")).into_owned();
        match no_path {
            NoPath::Recorded(line) => return Some(line),
            NoPath::Renamed(why) => {
                told.not_understood.push(name(&why));
                told.refused_notes.push(from.to_owned());
            }
            NoPath::Because(_) if self.is_store && is_setting(from) => {}
            NoPath::Because(why) => told.not_understood.push(name(why)),
        }
        None
    }

    fn store_path_of(
        &self,
        note: IncomingNote<'_>,
        store: Option<&Store>,
        rulebook: &Rulebook,
        paths: &mut NotePaths<'_>,
    ) -> std::result::Result<MemoryPath, NoPath> {
        let from = note.path;
        if from == FORMER_PATH && self.is_generated_toc(from) {
            return Err(NoPath::Because("a table of contents, which `toc` prints"));
        }
        // What is in the store already stays where it is.
        let store = store.filter(|_| !self.is_store);
        let is_held = |to: &str| match store.map(|store| store.read_any(to)) {
            Some(Ok(FileState::Text(text))) => !self.is_as(&text, from, to, rulebook),
            Some(Ok(FileState::Absent)) | None => false,
            Some(Ok(FileState::Unusable(_)) | Err(_)) => true,
        };
        let to = paths.assign(note, is_held)?;
        match self.is_store && to.as_str() != from && from != SHARED_THERE {
            true => Err(NoPath::Because("no category of the store has it: move it to `modules/`")),
            false => Ok(to),
        }
    }

    /// Tells whether a text of the store is that of a note, or holds nothing but the title that `init` wrote.
    fn is_as(&self, text: &str, from: &str, to: &str, rulebook: &Rulebook) -> bool {
        // What was written of the file names it.
        let cited = self.cited_prefix.as_deref().map(|prefix| format!("{prefix}{from}:"));
        let names_it = |cited: &String| {
            let outline = Outline::read(text);
            let mut sources = outline.sections().iter().flat_map(|section| &section.sources);
            sources.any(|source| source.reference.starts_with(cited.as_str()))
        };
        if rulebook.catalog.id_of_record(to).is_some() && cited.as_ref().is_some_and(names_it) {
            return true;
        }
        let owner = rulebook.catalog.owner_of(to);
        if owner.is_some_and(|owner| text == new_file(&owner.title)) {
            return true;
        }
        let note = self.text_of(from).unwrap_or_default();
        text == note || {
            let title = rulebook.catalog.id_of_record(to);
            text == with_ids(&Outline::read(&note), title).0
        }
    }

    /// Tells whether a file is the table of contents of another tool, or of an earlier version.
    fn is_generated_toc(&self, path: &str) -> bool {
        let is_of_tool = self.has_settings || self.is_store;
        let is_generated = |text: String| is_former(&text) || text.contains("@generated");
        is_of_tool || self.text_of(path).is_some_and(is_generated)
    }

    pub(super) fn text_of(&self, path: &str) -> Option<String> {
        let Content::Bytes(bytes) = read_content(&self.folder, path) else { return None };
        String::from_utf8(bytes).ok()
    }

    pub(super) fn origin_of(&self, path: &str) -> String {
        let prefix = self.prefix.as_deref().unwrap_or_default();
        composed(&format!("{prefix}{path}")).into_owned()
    }
}

/// Reads which note each file of the store was adopted from.
fn read_origins(store: Option<&Store>) -> Result<Origins> {
    let Some(store) = store else { return Ok(Origins::default()) };
    match store.read_any(ORIGINS)? {
        FileState::Text(text) => Ok(Origins::read(&text)),
        FileState::Absent => Ok(Origins::default()),
        FileState::Unusable(why) => {
            let message = format!("what was adopted before is not known: `{ORIGINS}` {why}");
            let hint = "restore the file with `git restore`, then run the same command again; without the file notes would come twice";
            Err(Error::new(ErrorKind::ConfigInvalid, message).hint(hint))
        }
    }
}

/// How many wrong lines are named.
const NAMED_LINES: usize = 5;

/// Refuses a record with lines that no adoption wrote: to obey one would write where no note may be, and to skip one
/// would take a note in twice.
fn refuse_wrong_lines(mut lines: Vec<WrongLine>, rulebook: &Rulebook) -> Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    lines.sort_by_key(|it| it.line);
    let name =
        |it: &WrongLine| format!("line {} {}", it.line, rulebook.scanner.redact(&it.problem));
    let mut named: Vec<String> = lines.iter().take(NAMED_LINES).map(name).collect();
    if lines.len() > NAMED_LINES {
        named.push(format!("{} more", lines.len() - NAMED_LINES));
    }
    let message = format!("`{ORIGINS}` is not as `init` writes it: {}", named.join("; "));
    let hint = "a line may name a tracked file of a category, such as `modules/team.md`: correct or remove it, then run the same command again";
    Err(Error::new(ErrorKind::ConfigInvalid, message).hint(hint))
}
