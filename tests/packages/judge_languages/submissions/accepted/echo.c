#include <stdio.h>
int main(void) { int n; if (scanf("%d", &n) == 1) printf("%d\n", n); return 0; }
