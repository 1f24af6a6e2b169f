/* Takes the contexts for asynchronous files, of which the machine has so many and no more. */
#include "attack.h"

int main(void)
{
    for (int i = 0; i < 4; i++) {
        unsigned long context = 0;
        if (syscall(SYS_io_setup, 1024, &context) == 0)
            escaped("a context");
    }
    return 0;
}
