/* Compile-time: Waits for standard input. */
#include "/dev/stdin"
#include "/dev/tty"
int main(void) { return 0; }
