#include <stdio.h>
int main(void) { long long n; if (scanf("%lld", &n) != 1) return 1; printf("%lld\n", 2 * n); return 0; }
