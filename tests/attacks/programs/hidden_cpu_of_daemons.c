/* Daemons burn the CPU while the program sleeps. */
#include "attack.h"

int main(void)
{
    for (int i = 0; i < 3; i++)
        if (fork() == 0) {
            setsid();
            if (fork() == 0)
                spin(5);
            _exit(0);
        }
    sleep(6);
    escaped("6 s");
    return 0;
}
