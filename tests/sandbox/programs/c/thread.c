#include <pthread.h>
#include <stdio.h>
static void *work(void *p) { *(int *)p = 42; return 0; }
int main(void) { int x = 0; pthread_t t; if (pthread_create(&t, 0, work, &x)) return 1; pthread_join(t, 0); printf("%d\n", x); return 0; }
