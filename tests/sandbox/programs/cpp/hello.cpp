#include <cstdio>
int main(void) { puts("hello"); return 0; }
