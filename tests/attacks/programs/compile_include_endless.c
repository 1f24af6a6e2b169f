/* Compile-time: A device without end as a header. */
#include "/dev/zero"
int main(void) { return 0; }
