/* Compile-time: Endless diagnostics. */
#include "/dev/urandom"
int main(void) { return 0; }
