//! `ls`: what is in the store, one line a section.

use serde::Serialize;

use super::project::Project;
use super::search::{check_category, pattern};
use super::toc::left_out_warning;
use super::unmatched::no_file;
use crate::contract::{Confidence, FileState, SectionId, Stretch};
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::{Outline, Section, SourceNote};
use crate::project::provenance::Freshness;
use crate::project::request::MemoryPath;
use crate::project::schema::{Category, read_fields};
use crate::project::store::{CitedFiles, IndexPath, sources_seen_from_here};
use crate::text::excerpt;

/// Which sections are wanted; all but the archived ones by default.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ListQuery<'a> {
    pub category: Option<&'a str>,
    /// A file, a folder, or a pattern such as `modules/*`.
    pub file: Option<&'a str>,
    /// The first time that is wanted; whole days count.
    pub since: Option<&'a str>,
    /// The last time that is wanted.
    pub until: Option<&'a str>,
    pub confidence: Option<Confidence>,
    pub freshness: Option<Freshness>,
    pub include_archived: bool,
}

/// The sections of a store.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct StoreListing {
    /// By file, in the order in which they stand there.
    pub sections: Vec<ListedSection>,
    /// Files that cannot be read, and why.
    pub warnings: Vec<String>,
    /// What to do, where nothing fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// A section of memory.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct ListedSection {
    /// The file.
    pub path: String,
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its heading.
    pub heading: String,
    /// Level of its heading, 1 to 6.
    pub level: u8,
    /// Line of its heading, from 1.
    pub line: usize,
    /// Its hash, for `if_hash`.
    pub hash: String,
    /// Its category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The confidence of its first source, or of the one that was asked for; absent if it has no sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// As `search` says it: `fresh`, `moved`, `stale`, `missing` or `unchecked`; absent if it cites no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freshness: Option<&'static str>,
    /// The newest day of its sources, else that of its field `Date`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Whether it was archived.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// Whether no operation can change it: its file is read where it is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
}

/// A section with its sources, before these are compared with the files of today.
type Unchecked = (ListedSection, Vec<SourceNote>);

pub(crate) fn ls(project: &Project, query: &ListQuery<'_>) -> Result<StoreListing> {
    check_category(project.catalog()?, query.category)?;
    let filter = ListFilter::of(project, query)?;
    let mut warnings = Vec::new();
    let mut sections = own_sections(project, &filter, &mut warnings)?;
    sections.extend(other_sections(project, &filter, &mut warnings)?);
    let hint = match &filter.files {
        Some((pattern, none)) if none.is_empty() => Some(no_file(project, pattern)?),
        Some(_) | None => None,
    };
    Ok(StoreListing { sections: filter.with_freshness(sections), warnings, hint })
}

fn own_sections(
    project: &Project,
    filter: &ListFilter<'_>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Unchecked>> {
    let reads = project.reads()?;
    warnings.extend(reads.warnings.iter().cloned());
    let mut sections = Vec::new();
    for name in project.files_to_read()? {
        let owner = project.category_of(&name)?;
        let is_known = reads.has(&name) || MemoryPath::parse(&name).is_ok();
        if !is_known || !filter.admits(&name, owner) {
            continue;
        }
        let is_record = reads.has(&name) && owner.is_some_and(|owner| owner.paths.has_records());
        match project.read(&name)? {
            FileState::Text(text) => {
                let outline = Outline::read(&text);
                let is_listed = |section: &&Section| match is_record {
                    true => section.line == outline.sections()[0].line,
                    false => !is_title(&outline, section),
                };
                let listed = outline.sections().iter().filter(is_listed);
                let category = owner.map(|owner| owner.name.clone());
                let placed = |section: &Section| {
                    let listed = ListedSection {
                        path: name.clone(),
                        category: category.clone(),
                        read_only: reads.has(&name),
                        ..filter.list(&outline, section)?
                    };
                    Some((listed, section.sources.clone()))
                };
                sections.extend(listed.filter_map(placed));
            }
            FileState::Unusable(why) => warnings.push(left_out_warning(&name, &why)),
            FileState::Absent => {}
        }
    }
    Ok(sections)
}

/// Lists the sections of other stores: none of them can be changed here.
fn other_sections(
    project: &Project,
    filter: &ListFilter<'_>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Unchecked>> {
    let (others, catalog) = (project.others()?, project.catalog()?);
    warnings.extend(others.warnings.iter().cloned());
    let mut sections = Vec::new();
    for path in others.files() {
        let owner = catalog.owner_of(&path.file);
        if !filter.admits(&IndexPath::of(&path.store, &path.file), owner) {
            continue;
        }
        let shown = others.labelled(&path);
        match others.read(&path, &project.scanner)? {
            FileState::Text(text) => {
                let outline = Outline::read(&text);
                let listed = outline.sections().iter().filter(|it| !is_title(&outline, it));
                let placed = |section: &Section| {
                    let (path, category) = (shown.clone(), owner.map(|owner| owner.name.clone()));
                    let listed = filter.list(&outline, section)?;
                    let listed = ListedSection { path, category, read_only: true, ..listed };
                    Some((listed, sources_seen_from_here(&section.sources)))
                };
                sections.extend(listed.filter_map(placed));
            }
            FileState::Unusable(why) => warnings.push(left_out_warning(&shown, &why)),
            FileState::Absent => {}
        }
    }
    Ok(sections)
}

/// Tells whether a section is only the title of its file, above other sections or with what `init` wrote below.
fn is_title(outline: &Outline<'_>, section: &Section) -> bool {
    let is_bare = || outline.body(section).trim().is_empty();
    section.heading.level == 1 && section.id.is_none() && is_bare()
}

/// A query, with what is known of its words.
struct ListFilter<'a> {
    project: &'a Project,
    query: &'a ListQuery<'a>,
    /// The pattern of files, with those that fit it.
    files: Option<(String, Vec<String>)>,
    /// The first and the last day.
    days: [Option<String>; 2],
    cited: CitedFiles<'a>,
}

impl<'a> ListFilter<'a> {
    fn of(project: &'a Project, query: &'a ListQuery<'a>) -> Result<Self> {
        let session = &project.session;
        let read = |option: &str, text: &str| {
            Stretch::read(text, session.now, &session.zone).ok_or_else(|| {
                let message = format!("`{}` is no time for `{option}`", excerpt(text));
                Error::new(ErrorKind::Usage, message).hint(Stretch::ALLOWED)
            })
        };
        let since = query.since.map(|text| read("--since", text)).transpose()?;
        let until = query.until.map(|text| read("--until", text)).transpose()?;
        let days = [since.map(|time| time.first), until.map(|time| time.last)];
        let files = match query.file.and_then(|file| pattern(project, file)) {
            None => None,
            Some(pattern) => {
                let (fitting, ..) = project.ask_index(|index| index.fitting(&pattern))?;
                Some((pattern, fitting))
            }
        };
        Ok(Self {
            project,
            query,
            files,
            days: days.map(|day| day.map(|day| session.zone.day(day))),
            cited: CitedFiles::of(&project.repository),
        })
    }

    fn admits(&self, path: &str, owner: Option<&Category>) -> bool {
        let is_named = |files: &Vec<String>| files.iter().any(|file| file == path);
        let is_wanted = |name: &str| owner.is_some_and(|owner| owner.name == name);
        // Where the archive is named it is wanted.
        let is_archive = owner.is_some_and(|owner| owner.write_once);
        let names_some = self.query.category.is_some() || self.files.is_some();
        self.files.as_ref().is_none_or(|(_, files)| is_named(files))
            && self.query.category.is_none_or(is_wanted)
            && (!is_archive || names_some || self.query.include_archived)
    }

    /// Compares the sources of all sections with the files of today; keeps the sections that fit.
    fn with_freshness(&self, sections: Vec<Unchecked>) -> Vec<ListedSection> {
        self.cited.look_ahead(sections.iter().flat_map(|(_, sources)| sources));
        let compared = sections.into_iter().map(|(section, sources)| {
            let freshness = self.cited.freshness(&sources).map(Freshness::name);
            ListedSection { freshness, ..section }
        });
        let wanted = self.query.freshness.map(Freshness::name);
        compared.filter(|section| wanted.is_none() || section.freshness == wanted).collect()
    }

    /// Lists a section, without its file, category and freshness; none if it does not fit.
    fn list(&self, outline: &Outline<'_>, section: &Section) -> Option<ListedSection> {
        let ListQuery { confidence: asked, include_archived, .. } = *self.query;
        let sources = &section.sources;
        let newest = sources.iter().map(|source| source.date.clone()).max();
        let fields = || read_fields(outline.body(section));
        let of_field = || fields().into_iter().find(|it| it.name == "Date");
        let date = newest.or_else(|| of_field().map(|it| self.project.clean(it.value)));
        let [since, until] = &self.days;
        let is_in = |limit: &Option<String>, fits: fn(&str, &str) -> bool| {
            let date = date.as_deref();
            limit.as_ref().is_none_or(|limit| date.is_some_and(|date| fits(date, limit)))
        };
        let fits = asked.is_none_or(|it| sources.iter().any(|source| source.confidence == it))
            && is_in(since, |date, since| date >= since)
            && is_in(until, |date, until| date <= until)
            && (include_archived || !section.archived);
        fits.then(|| ListedSection {
            path: String::new(),
            id: section.id.as_ref().map(SectionId::to_string),
            heading: self.project.clean(&section.heading.text),
            level: section.heading.level,
            line: section.line,
            hash: outline.hash(section).to_string(),
            category: None,
            confidence: asked.or_else(|| sources.first().map(|source| source.confidence)),
            freshness: None,
            date,
            archived: section.archived,
            read_only: false,
        })
    }
}
