/* Compile-time: The answer by way of another process's root. */
#include "/proc/@judge@/root@answer@"
#include "/proc/1/root@answer@"
int main(void) { return 0; }
