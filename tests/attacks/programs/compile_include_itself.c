/* Compile-time: A header that includes itself twice: exponential time. */
#if __INCLUDE_LEVEL__ < 180
#include __FILE__
#include __FILE__
#endif
int main(void) { return 0; }
