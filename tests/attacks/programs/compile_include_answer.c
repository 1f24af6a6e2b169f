/* Compile-time: The answer in a diagnostic. */
#include "@answer@"
int main(void) { return 0; }
