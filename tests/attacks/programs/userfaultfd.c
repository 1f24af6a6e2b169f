/* Handles its page faults (a tool of kernel exploits). */
#include "attack.h"

int main(void)
{
    if (syscall(SYS_userfaultfd, 0) >= 0 || syscall(SYS_userfaultfd, 1) >= 0)
        escaped("userfaultfd");
    return 0;
}
