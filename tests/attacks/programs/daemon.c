/* A daemon by double fork that writes to a file of the host after the run. */
#include "attack.h"

int main(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            close(0), close(1), close(2);
            for (int i = 0; i < 30; i++) {
                int fd = open(target("open_file"), O_WRONLY | O_APPEND);
                if (fd >= 0)
                    write(fd, "daemon", 6);
                usleep(100000);
            }
        }
        _exit(0);
    }
    return 0;
}
