//! Everything that is promised, seen from outside: through the binary, and over the public engines.
#![allow(clippy::disallowed_methods, reason = "a test sets its own stage")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![allow(clippy::too_many_lines, reason = "a history is told from its beginning to its end")]

mod adopt;
mod adopt_again;
mod adopt_links;
mod adopt_memory_bank;
mod adopt_one_file;
mod adopt_records;
mod archive_links;
mod awaited;
mod blobs;
mod bounds;
mod branch_notes;
mod broken_git;
mod check_formats;
mod check_merged;
mod check_queue;
mod check_reach;
mod check_renames;
mod check_reports;
#[cfg(unix)]
mod ci_from;
mod ci_scripts;
mod cli_apply;
mod cli_approval;
mod cli_blame;
mod cli_check;
mod cli_ci;
mod cli_commit;
mod cli_commit_hooks;
mod cli_completions;
mod cli_config;
mod cli_context;
mod cli_demo;
mod cli_doctor;
mod cli_evidence;
mod cli_fmt_ids;
mod cli_git;
mod cli_help;
mod cli_hook;
mod cli_init;
mod cli_log;
mod cli_ls;
mod cli_man;
mod cli_new;
mod cli_propose;
mod cli_propose_terminal;
mod cli_reject;
mod cli_restore;
mod cli_search;
mod cli_secrets;
mod cli_show;
mod cli_status;
mod cli_sweep;
mod cli_terminal;
mod cli_toc;
mod cli_undo;
mod cli_unreviewed;
mod cli_version;
mod cli_worktrees;
mod clients;
mod compare;
mod confirm;
#[cfg(unix)]
mod conflict_markers;
mod contention;
mod contract;
mod copies;
mod corridor;
mod crash;
mod decision_claims;
mod disk;
mod display;
mod disputed_parts;
mod docs;
mod docs_commands;
mod documents;
mod drift;
mod drift_random;
mod evidence;
mod finding_the_store;
mod first_hour;
mod formats;
mod four_eyes;
mod hands;
mod hostile;
mod hostile_git;
mod ignored;
mod injections;
mod install;
mod left_behind;
mod logging;
mod longterm;
mod losses;
mod markdown;
#[cfg(feature = "mcp")]
mod mcp;
mod merging;
mod merging_records;
mod merging_rejections;
#[cfg(unix)]
mod modes;
mod monorepo;
mod moved_lines;
mod moved_lines_random;
mod namesakes;
mod near_duplicates;
mod newer_pins;
mod operation_sources;
mod order;
mod outdated;
mod owners;
mod packages;
#[cfg(unix)]
mod paths;
mod personal;
#[cfg(unix)]
mod picture;
mod power;
mod pre_commit;
mod queue;
#[cfg(unix)]
mod read_in_place;
#[cfg(unix)]
mod read_stores;
mod rebase;
mod records;
mod regressions;
mod replay;
mod requests;
mod resolving;
#[cfg(unix)]
mod review;
#[cfg(unix)]
mod review_end;
#[cfg(unix)]
mod review_split;
#[cfg(unix)]
mod review_tall;
#[cfg(unix)]
mod review_worktrees;
mod schemas;
mod secrets_everywhere;
mod secrets_forms;
mod secrets_leak;
mod secrets_shown;
mod section_paths;
mod service;
mod shapes;
mod slips;
mod sparse;
mod splitting;
mod splitting_team;
mod staged;
mod submodules;
mod superseded;
mod support;
mod tidy;
mod tidy_files;
mod tidy_words;
mod tracked;
mod tracked_merges;
mod tracked_restore;
mod typed;
mod unicode_names;
mod unprinted;
mod ways_round;
mod window;
mod yaml;
mod zones;
