//! Does what keeps the disk busy on a thread of its own, so that something else can be done meanwhile.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;
use std::sync::mpsc::{self, Receiver, SendError, Sender};
use std::thread;

/// What is done while the disk has something to do, if there is something.
pub type Meanwhile<'a> = Option<&'a mut dyn FnMut()>;

type Task = Box<dyn FnOnce() + Send>;

/// Does a task with a file, and something else meanwhile if there is something; returns when both are done.
pub(super) fn do_while<T: Send + 'static>(
    meanwhile: Meanwhile<'_>,
    file: &File,
    task: impl FnOnce(&File) -> T + Send + 'static,
) -> T {
    // The thread stays: to start one each time takes almost as long as the disk.
    static TASKS: LazyLock<Option<Sender<Task>>> = LazyLock::new(start);
    let Some(act) = meanwhile else { return task(file) };
    let Some((tasks, own)) = TASKS.as_ref().zip(file.try_clone().ok()) else {
        act();
        return task(file);
    };
    let (done, is_done) = mpsc::channel();
    let result = Awaited(is_done);
    let task = move || {
        // A task that panics does so where it is waited for, and the thread is there for the next one.
        let result = catch_unwind(AssertUnwindSafe(|| task(&own)));
        done.send(result).expect("whoever gives a task waits for it");
    };
    let sent = tasks.send(Box::new(task));
    act();
    if let Err(SendError(task)) = sent {
        task();
    }
    result.wait().unwrap_or_else(|panic| resume_unwind(panic))
}

/// The result of a task. Who panics meanwhile waits for it all the same: the lock under which it writes goes with them.
struct Awaited<T>(Receiver<thread::Result<T>>);

impl<T> Awaited<T> {
    fn wait(&self) -> thread::Result<T> {
        self.0.recv().expect("a task sends a result, whatever becomes of it")
    }
}

impl<T> Drop for Awaited<T> {
    fn drop(&mut self) {
        // Whoever has the result already meets the end of the channel.
        let _ = self.0.recv();
    }
}

/// Starts the thread; nothing where the system gives none.
fn start() -> Option<Sender<Task>> {
    let (tasks, taken) = mpsc::channel::<Task>();
    let work = move || taken.into_iter().for_each(|task| task());
    thread::Builder::new().spawn(work).ok().map(|_| tasks)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn both_are_done_in_the_end() {
        let file = tempfile::tempfile().expect("a file");
        for round in 1..=3 {
            let mut done = 0;
            let task = move |file: &File| file.sync_data().map(|()| round);
            let outcome = do_while(Some(&mut || done += round), &file, task);
            assert_eq!((outcome.expect("it is durable"), done), (round, round));
        }
    }

    #[test]
    fn a_task_that_panics_does_so_where_it_is_waited_for() {
        let file = tempfile::tempfile().expect("a file");
        let fail = || {
            do_while(Some(&mut || ()), &file, |_: &File| -> () { resume_unwind(Box::new("lost")) })
        };
        let panic = catch_unwind(fail).expect_err("the task did");
        assert_eq!(panic.downcast_ref(), Some(&"lost"));
        let next = do_while(Some(&mut || ()), &file, |_: &File| thread::current().id());
        assert_ne!(next, thread::current().id(), "the thread is still there");
    }

    #[test]
    fn who_panics_waits_for_the_task() {
        let file = tempfile::tempfile().expect("a file");
        let is_done = Arc::new(AtomicBool::new(false));
        let (begin, begun) = mpsc::channel::<()>();
        let tell = Arc::clone(&is_done);
        let task = move |_: &File| {
            // Ends when the other side gives up.
            let _ = begun.recv();
            tell.store(true, Ordering::SeqCst);
        };
        let mut begin = Some(begin);
        let mut give_up = || {
            drop(begin.take());
            resume_unwind(Box::new("given up"));
        };
        let act = AssertUnwindSafe(|| do_while(Some(&mut give_up), &file, task));
        catch_unwind(act).expect_err("it was given up");
        assert!(is_done.load(Ordering::SeqCst));
    }
}
