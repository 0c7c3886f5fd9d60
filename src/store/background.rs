//! Waits for the disk on a thread of its own, so that something else can be done meanwhile.

use std::fs::File;
use std::io;
use std::sync::LazyLock;
use std::sync::mpsc::{self, Sender};
use std::thread;

/// What is done while the disk is waited for, if there is something.
pub type Meanwhile<'a> = Option<&'a mut dyn FnMut()>;

/// A file, and who waits for it.
type Task = (File, Sender<io::Result<()>>);

/// Makes durable what was written to a file, and does something else meanwhile; returns when both are done.
pub(super) fn sync_while(act: &mut dyn FnMut(), file: &File) -> io::Result<()> {
    // The thread stays: to start one each time takes almost as long as the disk.
    static TASKS: LazyLock<Option<Sender<Task>>> = LazyLock::new(start);
    let (done, is_done) = mpsc::channel();
    let task = file.try_clone().ok().map(|file| (file, done));
    let is_taken = TASKS.as_ref().zip(task).is_some_and(|(tasks, task)| tasks.send(task).is_ok());
    act();
    match is_taken.then(|| is_done.recv()) {
        Some(Ok(synced)) => synced,
        Some(Err(_)) | None => file.sync_data(),
    }
}

/// Starts the thread; nothing where the system gives none.
fn start() -> Option<Sender<Task>> {
    let (tasks, taken) = mpsc::channel::<Task>();
    let sync = move || {
        for (file, done) in taken {
            // Nobody waits any more who met an end of their own meanwhile.
            let _ = done.send(file.sync_data());
        }
    };
    thread::Builder::new().spawn(sync).ok().map(|_| tasks)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn both_are_done_in_the_end() {
        let mut file = tempfile::tempfile().expect("a file");
        for round in 1..=3 {
            file.write_all(b"text").expect("there is room");
            let mut done = 0;
            sync_while(&mut || done += round, &file).expect("it is durable");
            assert_eq!(done, round);
        }
    }
}
