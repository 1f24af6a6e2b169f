/* Compile-time: Templates that never end. */
template <int N, int M> struct S { static const long v = S<N - 1, M * 2>::v + S<N - 1, M * 2 + 1>::v; };
template <int M> struct S<0, M> { static const long v = 1; };
int main() { return S<40, 0>::v; }
