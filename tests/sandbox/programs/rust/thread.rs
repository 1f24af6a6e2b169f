fn main() { println!("{}", std::thread::spawn(|| 42).join().unwrap()); }
