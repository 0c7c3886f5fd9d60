//! Everything that is wrong with one request, told in one answer.

use super::outcome::{Answer, Refusal};
use crate::contract::Violation;

/// What is wrong with a request, in the order of the checks.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    first: Option<Box<Refusal>>,
    all: Vec<Violation>,
    /// Whether even a single violation is listed.
    listed: bool,
}

impl Refusals {
    pub(crate) fn add(&mut self, refusal: Box<Refusal>) {
        let pointer = refusal.pointer.clone().unwrap_or_default();
        self.all.push(Violation::of_field(pointer, refusal.reason.name(), refusal.message.clone()));
        self.first.get_or_insert(refusal);
    }

    /// Notes a refusal that speaks of the first of the things listed.
    pub(crate) fn add_list(&mut self, refusal: Box<Refusal>, list: Vec<Violation>) {
        self.all.extend(list);
        self.listed = true;
        self.first.get_or_insert(refusal);
    }

    /// Returns the first refusal, with all that is wrong under its `violations`; nothing if nothing is.
    pub(crate) fn answer(self) -> Answer<()> {
        match self.first {
            None => Ok(()),
            Some(first) if self.listed || self.all.len() > 1 => Err(first.listing(self.all)),
            Some(first) => Err(first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::request::Reason;

    fn refusal(message: &str) -> Box<Refusal> {
        Refusal::new(Reason::SectionNotFound, message, "look").at("/operations/0")
    }

    #[test]
    fn one_alone_stays_as_it_is() {
        let mut refusals = Refusals::default();
        refusals.add(refusal("one"));
        assert_eq!(refusals.answer(), Err(refusal("one")));
        assert_eq!(Refusals::default().answer(), Ok(()));
    }

    #[test]
    fn of_several_the_first_speaks_and_lists_all() {
        let mut refusals = Refusals::default();
        refusals.add(refusal("one"));
        refusals.add(refusal("two"));
        let answer = refusals.answer().expect_err("two things are wrong");
        assert_eq!(answer.message, "one, and 1 more under `violations`");
        let messages: Vec<&str> = answer.violations.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages, ["one", "two"]);
    }
}
