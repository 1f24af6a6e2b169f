fn main() { let data = std::hint::black_box(vec![1u8; 100 << 20]); println!("{}", data[12345]); }
