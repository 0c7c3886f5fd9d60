//! The files of one side, each checked at its depth.

use std::collections::BTreeMap;

use super::side::Side;
use crate::error::Result;
use crate::project::check::{
    CheckedFile, Content, Depth, Remark, Rulebook, check_file, is_of_rulebook, rulebook,
};

pub(super) struct View {
    pub(super) rulebook: Rulebook,
    pub(super) files: Vec<CheckedFile>,
    pub(super) remarks: Vec<Remark>,
}

pub(super) fn view(side: &Side<'_>, depth: impl Fn(&str) -> Depth + Sync) -> Result<View> {
    let paths = side.paths();
    let settings = |path: &&str| {
        is_of_rulebook(path) || (path.starts_with("rejections/") && depth(path) != Depth::Name)
    };
    let names: Vec<&str> = paths.iter().copied().filter(settings).collect();
    let texts = side.read(&names)?;
    let settings: BTreeMap<String, Content> =
        names.into_iter().map(str::to_owned).zip(texts).collect();
    let (rulebook, mut remarks) = rulebook(&settings);
    let (wanted, others): (Vec<&str>, Vec<&str>) =
        paths.into_iter().partition(|path| depth(path) != Depth::Name);
    let check = |path: &str, text: &Content| check_file(path, text, &rulebook, depth(path));
    let mut files = side.map(&wanted, check)?;
    for file in &mut files {
        remarks.append(&mut file.remarks);
    }
    files.extend(others.into_iter().map(CheckedFile::by_name));
    Ok(View { rulebook, files, remarks })
}
