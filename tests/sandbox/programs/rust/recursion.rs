use std::hint::black_box;
fn deep(n: u64) -> u64 { let frame = black_box([n as u8; 1000]); if n == 0 { 0 } else { 1 + deep(n - 1) + black_box(frame)[1] as u64 * 0 } }
fn main() { println!("{}", deep(50000)); }
