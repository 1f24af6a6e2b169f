#include <iostream>
long deep(long n) { volatile char frame[1000]; frame[0] = (char)n; return n == 0 ? 0 : 1 + deep(n - 1) + frame[1] * 0; }
int main() { std::cout << deep(100000) << "\n"; }
