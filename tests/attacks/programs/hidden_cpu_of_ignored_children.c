/* Children burn the CPU, and SIGCHLD is ignored, so nobody reaps them. */
#include "attack.h"

int main(void)
{
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < 200; i++) {
        if (fork() == 0) {
            spin(0.02);
            _exit(0);
        }
        usleep(25000);
    }
    if (number("may_fork"))
        escaped("4 s of CPU in children");
    return 0;
}
