/* A child that is its own parent's sibling (CLONE_PARENT), left behind. */
#include "attack.h"

int main(void)
{
    if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0) {
        setsid();
        sleep(20);
        _exit(0);
    }
    if (syscall(SYS_clone, CLONE_PARENT, 0, 0, 0, 0) == 0) {
        sleep(20);
        _exit(0);
    }
    return 0;
}
