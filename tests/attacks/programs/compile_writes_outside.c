/* Compile-time: The assembler's and the linker's own ways of writing files. */
#pragma GCC dependency "@answer@"
__asm__(".include \"@answer@\"");
int main(void) { return 0; }
