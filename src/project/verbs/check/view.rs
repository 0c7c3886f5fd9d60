//! The files of one side, each checked at its depth.

use std::collections::BTreeMap;

use super::side::Side;
use crate::error::Result;
use crate::project::check::{Content, Depth, Looked, Remark, Rulebook, is_setting, look, rulebook};

pub(super) struct View {
    pub(super) rulebook: Rulebook,
    pub(super) looked: Vec<Looked>,
    pub(super) remarks: Vec<Remark>,
}

pub(super) fn view(side: &Side<'_>, depth: impl Fn(&str) -> Depth + Sync) -> Result<View> {
    let paths = side.paths();
    let settings = |path: &&str| {
        is_setting(path) || (path.starts_with("rejections/") && depth(path) != Depth::Name)
    };
    let names: Vec<&str> = paths.iter().copied().filter(settings).collect();
    let texts = side.read(&names)?;
    let files: BTreeMap<String, Content> =
        names.into_iter().map(str::to_owned).zip(texts).collect();
    let (rulebook, mut remarks) = rulebook(&files);
    let (wanted, others): (Vec<&str>, Vec<&str>) =
        paths.into_iter().partition(|path| depth(path) != Depth::Name);
    let look = |path: &str, text: &Content| look(path, text, &rulebook, depth(path));
    let mut looked = side.map(&wanted, look)?;
    for file in &mut looked {
        remarks.append(&mut file.remarks);
    }
    looked.extend(others.into_iter().map(Looked::by_name));
    Ok(View { rulebook, looked, remarks })
}
