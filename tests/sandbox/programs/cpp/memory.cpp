#include <cstdio>
#include <cstdlib>
#include <cstring>
int main(void) { char *p = (char *)malloc(100 << 20); memset(p, 1, 100 << 20); __asm__ volatile("" :: "r"(p) : "memory"); printf("%d\n", p[12345]); return 0; }
