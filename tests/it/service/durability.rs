//! What was answered stays, whatever happens to the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::server::{Server, command};

/// How many times the process is killed: a sample, and all under `CRASH=full`.
fn kills() -> usize {
    if std::env::var("CRASH").is_ok_and(|it| it == "full") { 50 } else { 3 }
}

const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn what_was_answered_is_there_after_a_kill_under_load() {
    let data = tempfile::tempdir().unwrap();
    let stored: Arc<Mutex<Vec<String>>> = Arc::default();
    for round in 0..kills() {
        let mut server = Server::on(data.path(), &[], &[]);
        let (killed, before) = (AtomicBool::new(false), stored.lock().unwrap().len());
        thread::scope(|scope| {
            for thread in 0..8 {
                let (server, stored, killed) = (&server, &stored, &killed);
                scope.spawn(move || {
                    for number in 0.. {
                        if killed.load(Ordering::Relaxed) {
                            return;
                        }
                        let content = format!("memory {round} {thread} {number}");
                        let answer =
                            server.post("/memory", json!({"content": content, "tags": ["load"]}));
                        if answer.status != 201 {
                            return;
                        }
                        let Some(id) = answer.body["memory_id"].as_str() else { return };
                        stored.lock().unwrap().push(id.to_owned());
                    }
                });
            }
            // On a busy machine the first answer takes its time; before it a kill would show nothing.
            let begun = Instant::now();
            while stored.lock().unwrap().len() == before && begun.elapsed() < PATIENCE {
                thread::sleep(Duration::from_millis(5));
            }
            thread::sleep(Duration::from_millis(50));
            let id = server.child.id().to_string();
            std::process::Command::new("kill").args(["-KILL", &id]).status().unwrap();
            killed.store(true, Ordering::Relaxed);
        });
        let _ = server.child.wait();
    }
    let server = Server::on(data.path(), &[], &[]);
    let stored = stored.lock().unwrap();
    assert!(stored.len() >= kills(), "{}", stored.len());
    for id in stored.iter() {
        let memory = server.get(&format!("/memory/{id}")).expect(200);
        assert_eq!(memory["memory"]["tags"], json!(["load"]));
    }
    server.wait_for_enrichment();
}

#[test]
#[cfg(unix)]
fn a_server_that_is_asked_to_end_ends_at_once_with_0() {
    let mut server = Server::start();
    server.store(json!({"content": "a"}));
    let (code, took) = server.end();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn a_second_server_on_the_same_data_says_so() {
    let server = Server::start();
    let output = command(server.data(), &[], &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("another server works on this data"), "{said}");
}

/// A limit of the file size stands for a full disk: SQLite gets no more room.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_answered_with_503_and_reads_go_on() {
    let server = Server::start();
    let id = server.store(json!({"content": "before it was full"}));
    let limit = |bytes: &str| {
        let process = server.child.id().to_string();
        let mut command = std::process::Command::new("prlimit");
        let done = command.args(["--pid", &process, &format!("--fsize={bytes}")]).status().unwrap();
        assert!(done.success());
    };
    limit("65536:unlimited");
    let mut refused = None;
    for number in 0..200 {
        let answer = server.post("/memory", json!({"content": format!("memory {number}")}));
        if answer.status != 201 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("it is full").expect(503);
    assert_eq!((&refused["status"], &refused["code"]), (&json!("error"), &json!(503)));
    assert!(refused["message"].as_str().unwrap().len() > 10, "{refused}");
    server.get(&format!("/memory/{id}")).expect(200);
    assert_eq!(server.get("/recall?query=full").expect(200)["results"][0]["id"], id.as_str());
    limit("unlimited:unlimited");
    server.store(json!({"content": "after it was full"}));
}
