fn main() { let mut i = 0u64; loop { i = std::hint::black_box(i + 1); } }
