/* memfd_secret: memory that no look sees. */
#include "attack.h"

int main(void)
{
    if (syscall(447, 0) >= 0)
        escaped("memfd_secret");
    return 0;
}
