/* Compile-time: A constant that takes for ever. */
constexpr long f(long n) { long s = 0; for (long i = 0; i < n; i++) s += i; return s; }
constexpr long g(int n) { return n == 0 ? f(30000000) : g(n - 1) + f(30000000); }
static_assert(g(100) != 1, "");
int main() { }
