//! Does what keeps the disk busy on a thread of its own, so that something else can be done meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SendError, Sender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

/// What is done while the disk has something to do, if there is something.
pub type Meanwhile<'a> = Option<&'a mut dyn FnMut()>;

type Task = Box<dyn FnOnce() + Send>;

/// So long the thread looks for its next task before it sleeps, where the last one came as soon: somebody is making one
/// change after another, and to wake the thread takes .02 ms of the .5 ms of each, and as much until it is awake. A slow
/// machine makes a change in a whole one. It costs such a process, and no other, that much time of a processor, in turns
/// with whoever else wants it.
/// In a build for tests it is long enough for a change of which `strace` shows each call.
const AWAKE: Duration = match cfg!(debug_assertions) {
    false => Duration::from_millis(2),
    true => Duration::from_secs(2),
};

/// So long the result of a small task is looked for before whoever waits for it sleeps: to be woken takes as long as such a
/// task.
const SOON: Duration = Duration::from_micros(500);

/// Whether the thread looks for its next task, and nobody is about to give it one.
static IS_FREE: AtomicBool = AtomicBool::new(false);

/// Where it takes its tasks from. The thread stays: to start one each time takes almost as long as the disk.
static TASKS: LazyLock<Option<Sender<Task>>> = LazyLock::new(start);

/// Does what takes long and then a small rest, and something else meanwhile if there is something; returns when all is done.
pub(super) fn do_while<L, T: Send + 'static>(
    meanwhile: Meanwhile<'_>,
    long: impl FnOnce() -> L + Send + 'static,
    rest: impl FnOnce(L) -> T + Send + 'static,
) -> T {
    let Some(act) = meanwhile else { return rest(long()) };
    let Some(tasks) = TASKS.as_ref() else {
        act();
        return rest(long());
    };
    let (tell, told) = mpsc::channel::<()>();
    let task = move || {
        let outcome = long();
        drop(tell);
        rest(outcome)
    };
    let result = give(tasks, task);
    act();
    // Who waits for the disk sleeps, which also lets the system put the two threads where they are best off: on the
    // processor that the disk interrupts, the index takes a fifth longer. Woken only by the result, it would come late by
    // half of the rest.
    told.recv().expect_err("nothing is sent");
    result.wait()
}

/// Tells whether a small task could be begun now.
pub(super) fn is_free() -> bool {
    IS_FREE.load(Ordering::Relaxed)
}

/// Begins a small task if the thread looks for one; to wake it, or to wait for what it is at, would take as long as to
/// do without.
pub(super) fn begin<T: Send + 'static, F: FnOnce() -> T + Send + 'static>(
    task: impl FnOnce() -> F,
) -> Option<Awaited<T>> {
    if !IS_FREE.swap(false, Ordering::Relaxed) {
        return None;
    }
    // Asked for before, this would start the thread in every process.
    TASKS.as_ref().map(|tasks| give(tasks, task()))
}

/// Lets a small task follow another that was begun for the same change, while something else is done for it.
pub(super) fn follow<T: Send + 'static>(
    task: impl FnOnce() -> T + Send + 'static,
) -> Option<Awaited<T>> {
    TASKS.as_ref().map(|tasks| give(tasks, task))
}

/// Leaves a small task, which nobody waits for, to the thread, if it looks for one; tells whether it does.
pub(super) fn leave(task: impl FnOnce() + Send + 'static) -> bool {
    let task = move || {
        // The thread is there for the next one, whatever becomes of this.
        let _ = catch_unwind(AssertUnwindSafe(task));
    };
    IS_FREE.swap(false, Ordering::Relaxed)
        && TASKS.as_ref().is_some_and(|tasks| tasks.send(Box::new(task)).is_ok())
}

fn give<T: Send + 'static>(
    tasks: &Sender<Task>,
    task: impl FnOnce() -> T + Send + 'static,
) -> Awaited<T> {
    let (done, is_done) = mpsc::channel();
    let result = Awaited { result: Some(is_done) };
    let task = move || {
        // A task that panics does so where it is waited for, and the thread is there for the next one.
        let result = catch_unwind(AssertUnwindSafe(task));
        done.send(result).expect("whoever gives a task waits for it");
    };
    IS_FREE.store(false, Ordering::Relaxed);
    if let Err(SendError(task)) = tasks.send(Box::new(task)) {
        task();
    }
    result
}

/// The result of a task. Who has no use for it any more waits for it all the same: the lock under which it works goes
/// with them.
#[derive(Debug)]
pub(super) struct Awaited<T> {
    result: Option<Receiver<thread::Result<T>>>,
}

impl<T> Awaited<T> {
    pub(super) fn wait(mut self) -> T {
        let result = self.receive().expect("a task sends a result, whatever becomes of it");
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Returns the result, the first time.
    fn receive(&mut self) -> Option<thread::Result<T>> {
        let result = self.result.take()?;
        look(&result, Instant::now() + SOON).or_else(|| result.recv().ok())
    }
}

impl<T> Drop for Awaited<T> {
    fn drop(&mut self) {
        drop(self.receive());
    }
}

/// Starts the thread; nothing where the system gives none.
fn start() -> Option<Sender<Task>> {
    let (tasks, taken) = mpsc::channel::<Task>();
    let work = move || {
        let mut awake = Duration::ZERO;
        loop {
            let since = Instant::now();
            let Some(task) = next(&taken, awake, &IS_FREE) else { return };
            awake = if since.elapsed() < AWAKE { AWAKE } else { Duration::ZERO };
            task();
        }
    };
    thread::Builder::new().spawn(work).ok().map(|_| tasks)
}

/// Returns the next task, for which it looks so long before it sleeps; nothing where none will come.
fn next<T>(tasks: &Receiver<T>, awake: Duration, is_free: &AtomicBool) -> Option<T> {
    is_free.store(!awake.is_zero(), Ordering::Relaxed);
    let found = look(tasks, Instant::now() + awake);
    is_free.store(false, Ordering::Relaxed);
    found.or_else(|| tasks.recv().ok())
}

fn look<T>(tasks: &Receiver<T>, until: Instant) -> Option<T> {
    loop {
        match tasks.try_recv() {
            Ok(task) => return Some(task),
            // Where there is one processor, the change that brings the task needs it.
            Err(TryRecvError::Empty) if Instant::now() < until => thread::yield_now(),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn both_are_done_in_the_end() {
        for round in 1..=3 {
            let mut done = 0;
            let outcome = do_while(Some(&mut || done += round), move || round, |it| it);
            assert_eq!((outcome, done), (round, round));
        }
    }

    #[test]
    fn a_task_is_taken_by_who_looks_for_it_and_by_who_sleeps() {
        for awake in [Duration::ZERO, Duration::from_secs(60)] {
            let (tasks, taken) = mpsc::channel();
            let next = move || next(&taken, awake, &AtomicBool::new(false));
            let waiting = thread::spawn(move || [next(), next()]);
            tasks.send(1).expect("somebody waits");
            drop(tasks);
            assert_eq!(waiting.join().expect("no panic"), [Some(1), None]);
        }
    }

    /// Begins a task as soon as the thread looks for one.
    fn begin_at_last<T: Send + 'static, F: FnOnce() -> T + Send + 'static>(
        task: impl Fn() -> F,
    ) -> Awaited<T> {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            // One task right behind another keeps it awake.
            do_while(Some(&mut || ()), || (), drop);
            match begin(&task) {
                Some(begun) => return begun,
                None => assert!(Instant::now() < deadline, "it never is free"),
            }
        }
    }

    #[test]
    fn a_small_task_is_begun_while_the_thread_looks_for_one() {
        let done_by = begin_at_last(|| || thread::current().id()).wait();
        assert_ne!(done_by, thread::current().id());
    }

    #[test]
    fn who_forgets_a_small_task_waits_for_it() {
        let (is_done, done) = mpsc::channel();
        drop(begin_at_last(|| {
            let is_done = is_done.clone();
            move || {
                // Whoever did not wait would be there first.
                (0..1_000).for_each(|_| thread::yield_now());
                is_done.send(()).expect("somebody listens");
            }
        }));
        assert_eq!(done.try_recv(), Ok(()));
    }

    #[test]
    fn a_task_that_is_left_is_done_though_nobody_waits() {
        let (is_done, done) = mpsc::channel();
        let deadline = Instant::now() + Duration::from_secs(60);
        let task = |fails: bool| {
            let is_done = is_done.clone();
            move || {
                is_done.send(thread::current().id()).expect("somebody listens");
                assert!(!fails, "it fails");
            }
        };
        // One that fails takes none of those behind it along.
        let ids = [true, false].map(|fails| {
            while !leave(task(fails)) {
                assert!(Instant::now() < deadline, "it never is free");
                do_while(Some(&mut || ()), || (), drop);
            }
            done.recv().expect("it is done")
        });
        assert_eq!(ids[0], ids[1]);
        assert_ne!(ids[0], thread::current().id());
    }

    #[test]
    fn the_thread_is_free_only_while_it_looks() {
        for awake in [Duration::ZERO, Duration::from_millis(1)] {
            let (tasks, taken) = mpsc::channel();
            let is_free = AtomicBool::new(true);
            tasks.send(()).expect("somebody waits");
            assert_eq!(next(&taken, awake, &is_free), Some(()));
            assert!(!is_free.load(Ordering::SeqCst), "it is at a task");
            drop(tasks);
            assert_eq!(next(&taken, awake, &is_free), None);
            assert!(!is_free.load(Ordering::SeqCst), "it has gone");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    #[expect(clippy::disallowed_methods, reason = "the system knows who sleeps")]
    fn who_waits_for_long_sleeps() {
        let (tasks, taken) = mpsc::channel::<Task>();
        let (tell, told) = mpsc::channel();
        let waiting = thread::spawn(move || {
            let own = std::fs::read_link("/proc/thread-self").expect("a thread has a name");
            tell.send(own).expect("somebody listens");
            next(&taken, Duration::from_micros(500), &AtomicBool::new(false)).is_none()
        });
        let own = std::path::Path::new("/proc").join(told.recv().expect("it is told"));
        let sleeps = || {
            let stat = std::fs::read_to_string(own.join("stat")).expect("the thread is there");
            // The state stands behind the name, which is in brackets.
            stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('S'))
        };
        let deadline = Instant::now() + Duration::from_secs(60);
        while !sleeps() {
            assert!(Instant::now() < deadline, "it never sleeps");
            thread::yield_now();
        }
        drop(tasks);
        assert!(waiting.join().expect("no panic"), "no task came");
    }

    #[test]
    fn a_task_that_panics_does_so_where_it_is_waited_for() {
        let fail =
            || do_while(Some(&mut || ()), || -> () { resume_unwind(Box::new("lost")) }, drop);
        let panic = catch_unwind(fail).expect_err("the task did");
        assert_eq!(panic.downcast_ref(), Some(&"lost"));
        let next = do_while(Some(&mut || ()), || (), |()| thread::current().id());
        assert_ne!(next, thread::current().id(), "the thread is still there");
    }

    #[test]
    fn who_panics_waits_for_the_task() {
        let is_done = Arc::new(AtomicBool::new(false));
        let (begin, begun) = mpsc::channel::<()>();
        let tell = Arc::clone(&is_done);
        let task = move || {
            // Ends when the other side gives up.
            let _ = begun.recv();
            tell.store(true, Ordering::SeqCst);
        };
        let mut begin = Some(begin);
        let mut give_up = || {
            drop(begin.take());
            resume_unwind(Box::new("given up"));
        };
        let act = AssertUnwindSafe(|| do_while(Some(&mut give_up), task, drop));
        catch_unwind(act).expect_err("it was given up");
        assert!(is_done.load(Ordering::SeqCst));
    }
}
