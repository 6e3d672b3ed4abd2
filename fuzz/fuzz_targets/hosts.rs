#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kachi_fuzz::hosts(data));
