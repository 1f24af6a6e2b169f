/* Compile-time: A binary of a gigabyte. */
char large[1 << 30] = {1};
int main(void) { return large[5]; }
