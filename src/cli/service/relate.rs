//! `agent-memory service relate`

use serde_json::{Map, Value};

use super::fields::number;
use super::print::{refuse, told};
use crate::cli::output::{GOOD, Output};
use crate::error::Result;
use crate::service::request::AssociateAnswer;
use crate::service::verbs::{self, Associated, ServiceSession};

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Id of the memory that the relation begins at
    from: String,
    /// Id of the memory that it leads to
    to: String,
    /// How they are related: RELATES_TO, LEADS_TO, OCCURRED_BEFORE, PREFERS_OVER, EXEMPLIFIES, CONTRADICTS,
    /// REINFORCES, INVALIDATED_BY, EVOLVED_INTO, DERIVED_FROM or PART_OF
    #[arg(long = "type", value_name = "TYPE", default_value = "RELATES_TO")]
    kind: String,
    /// How strong the relation is, 0 to 1
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    strength: Option<f64>,
    /// A property that the type may have, such as `reason=TEXT`; may be given more than once
    #[arg(long = "property", value_name = "NAME=VALUE", value_parser = property)]
    properties: Vec<(String, Value)>,
}

pub(super) fn run(args: &Args, session: &ServiceSession, output: Output) -> Result<u8> {
    let mut body: Map<String, Value> = args.properties.iter().cloned().collect();
    let fields = [("memory1_id", &args.from), ("memory2_id", &args.to), ("type", &args.kind)];
    body.extend(fields.map(|(name, value)| (name.to_owned(), value.as_str().into())));
    body.extend(args.strength.map(|strength| ("strength".to_owned(), strength.into())));
    let answer = verbs::associate(session, Value::Object(body))?;
    match answer {
        Ok(Associated::One(one)) => told(output, Ok(Ok(one)), |one| print(args, one, output)),
        Ok(Associated::Batch(batch)) => told(output, Ok(Ok(batch)), |batch| {
            output.data(&format!("{}\n", batch.summary));
        }),
        Err(refusal) => Ok(refuse(output, &refusal)),
    }
}

fn print(args: &Args, answer: &AssociateAnswer, output: Output) {
    let AssociateAnswer { relation_type, strength, .. } = answer;
    let (from, to) = (&args.from, &args.to);
    output
        .data(&format!("{GOOD}related{GOOD:#} {from} {relation_type} {to}, strength {strength}\n"));
    output.warn_each(&answer.warnings);
}

/// Reads `name=value`; only what is a number by its name is read as one.
fn property(text: &str) -> std::result::Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| "allowed is `name=value`".to_owned())?;
    let is_number = ["confidence", "observations"].contains(&name);
    let number = is_number.then(|| serde_json::from_str(value).ok()).flatten();
    Ok((name.to_owned(), number.unwrap_or_else(|| value.into())))
}
