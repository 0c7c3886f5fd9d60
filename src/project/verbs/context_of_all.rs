//! `context` of several stores, as a repository of many projects has them.

use super::context::{Task, context};
use super::project::Project;
use crate::contract::ContentHash;
use crate::error::Result;
use crate::project::pack::Pack;
use crate::secrets::shown_name;

/// Packs what helps with a task from several stores, in their order. Each gets an equal part of the budget that those
/// before it left.
///
/// Paths begin with the folder of their store.
pub fn context_of_all(projects: &[&Project], task: &Task<'_>) -> Result<Pack> {
    if let [only] = projects {
        return context(only, task);
    }
    let mut packed = Pack::default();
    let mut digests = String::new();
    packed.receipt.budget = task.budget;
    for (number, project) in projects.iter().enumerate() {
        let is_here = |path: &&String| project.repository.has(path);
        let is_anywhere = |path: &&String| projects.iter().any(|it| it.repository.has(path));
        // What no project has is told once, by the first.
        let is_asked = |path: &&String| is_here(path) || (number == 0 && !is_anywhere(path));
        let scope: Vec<String> = task.scope.iter().filter(is_asked).cloned().collect();
        let left = task.budget.saturating_sub(packed.receipt.tokens);
        let of_it = Task {
            budget: left / (projects.len() - number),
            before: if number == 0 { task.before } else { "" },
            scope: &scope,
            ..*task
        };
        let Pack { text, mut receipt } = context(project, &of_it)?;
        let root = project.root_in_git();
        let root = shown_name(&root);
        packed.text += &format!("Memory of `{root}`:\n\n{text}\n");
        let included = receipt.included.iter_mut().map(|it| &mut it.path);
        for path in included.chain(receipt.left_out.iter_mut().map(|it| &mut it.path)) {
            *path = format!("{root}/.agent-memory/{path}");
        }
        let all = &mut packed.receipt;
        all.included.append(&mut receipt.included);
        all.left_out.append(&mut receipt.left_out);
        all.tokens += receipt.tokens;
        all.bytes += receipt.bytes;
        digests += &receipt.digest;
        all.warnings.extend(receipt.warnings.into_iter().map(|said| format!("{root}: {said}")));
    }
    packed.receipt.digest = ContentHash::of(digests.as_bytes()).to_string();
    Ok(packed)
}
