/* Children burn the CPU, and SIGCHLD is ignored, so nobody reaps them. */
#include "attack.h"

int main(void)
{
    int done[2], count = 0;
    char byte;
    signal(SIGCHLD, SIG_IGN);
    if (pipe(done) < 0)
        return 1;
    for (int i = 0; i < 200; i++) {
        if (fork() == 0) {
            spin(0.02);
            write(done[1], "", 1);
            _exit(0);
        }
        usleep(25000);
    }
    close(done[1]);
    while (read(done[0], &byte, 1) == 1)
        count++;
    if (count > 100)
        escaped("2 s of CPU in children");
    return 0;
}
