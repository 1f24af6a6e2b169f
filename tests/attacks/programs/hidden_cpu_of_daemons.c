/* Daemons burn the CPU while the program sleeps. */
#include "attack.h"

int main(void)
{
    int done[2], count = 0;
    char byte;
    if (pipe(done) < 0)
        return 1;
    for (int i = 0; i < 3; i++)
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                spin(5);
                write(done[1], "", 1);
            }
            _exit(0);
        }
    sleep(6);
    close(done[1]);
    while (read(done[0], &byte, 1) == 1)
        count++;
    if (count > 0)
        escaped("5 s in each daemon");
    return 0;
}
