#include <stdio.h>
/* 100 MB of stack */
static long deep(long n) { volatile char frame[1000]; frame[0] = (char)n; return n == 0 ? 0 : 1 + deep(n - 1) + frame[1] * 0; }
int main(void) { printf("%ld\n", deep(100000)); return 0; }
