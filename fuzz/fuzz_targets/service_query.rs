//! Hostile input: see `agent_memory_fuzz::service_query`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agent_memory_fuzz::service_query(bytes));
