// Constant evaluation that does not end: the compiler's time limit does.
constexpr unsigned long spin(unsigned long n) { unsigned long sum = 0; for (unsigned long i = 0; i < n; i++) sum += i ^ n; return sum; }
static_assert(spin(1ul << 62) != 1);
int main() {}
