/* Compile-time: The assembler writes without end. */
__asm__(".rept 1000000000\n.quad 1, 2, 3, 4, 5, 6, 7, 8\n.endr");
int main(void) { return 0; }
