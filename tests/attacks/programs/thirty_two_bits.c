/* Calls the kernel through int 0x80, where other numbers count. */
#include "attack.h"

int main(void)
{
    #ifdef __x86_64__
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(359), "b"(1), "c"(1), "d"(0) : "memory"); /* socket */
    if (result >= 0)
        escaped("socket of 32 bits");
    #endif
    return 0;
}
