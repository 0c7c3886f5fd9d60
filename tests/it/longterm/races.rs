//! L42 and L45: many processes at one time.

use std::collections::BTreeSet;
use std::thread;

use serde_json::{Value, json};

use super::world::{World, context, shared, status};
use crate::support::Answer;

impl World {
    /// Adds shared memories up to a number.
    pub(super) fn fill(&self, count: u64) {
        let line = |id: u64| {
            let line = json!({
                "id": id, "scope": "server_wide", "owner": "s1", "lineage": 10_001, "content": format!("memory {id}"),
            });
            format!("{line}\n")
        };
        let lines: String = (1..=count).map(line).collect();
        self.prepare(&["import", "-"]).stdin(lines).run().expect_code(0);
    }
}

#[test]
fn l42_eight_processes_at_95_of_100_make_exactly_100() {
    let world = World::empty();
    world.fill(95);
    let answers: Vec<Answer> = thread::scope(|scope| {
        let create = |number: usize| {
            let content = format!("from process {number}");
            let arguments = json!({"memory_content": content, "memory_scope": "server_wide"});
            world.create(&context(), arguments)
        };
        let running: Vec<_> = (0..8).map(|number| scope.spawn(move || create(number))).collect();
        running.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let count = |wanted: &str| answers.iter().filter(|answer| status(answer) == wanted).count();
    assert_eq!((count("saved_successfully"), count("limit_exceeded")), (5, 3));
    let numbers = answers.iter().filter_map(|answer| answer.value["data"]["memory_id"].as_u64());
    assert_eq!(numbers.collect::<BTreeSet<_>>(), (96..=100).collect());
    assert_eq!(world.rows().len(), 100);
    world.run(&["log", "--verify"]).expect_code(0);
}

#[test]
fn l45_an_update_beside_a_deletion_is_one_before_the_other() {
    for _ in 0..5 {
        let world = World::new();
        let before = world.events().len();
        let (updated, deleted) = thread::scope(|scope| {
            let update = scope.spawn(|| world.update(&context(), shared(1, "other")));
            let delete = scope.spawn(|| world.update(&context(), shared(1, "")));
            (update.join().unwrap(), delete.join().unwrap())
        });
        assert_eq!(status(&deleted), "deleted_successfully");
        let told = &deleted.value["data"]["content_deleted"];
        let events: Vec<Value> =
            world.events().drain(before..).map(|event| event["event"].clone()).collect();
        match status(&updated).as_str() {
            "updated_successfully" => {
                assert_eq!(told, "other");
                assert_eq!(events, ["memory_updated", "memory_deleted"]);
            }
            "not_found" => {
                assert_eq!(told, "Meetings are on Fridays");
                assert_eq!(events, ["memory_deleted"]);
            }
            other => panic!("{other}"),
        }
        assert_eq!(world.content(1), None);
    }
}
