fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!("{}", 2 * line.trim().parse::<i64>().unwrap());
}
