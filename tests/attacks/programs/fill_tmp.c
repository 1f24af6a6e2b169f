/* Fills /tmp with files of the largest size. */
#include "attack.h"

int main(void)
{
    static char block[1 << 20], name[64];
    long written = 0;
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "/tmp/f%d", i);
        int fd = open(name, O_WRONLY | O_CREAT, 0600);
        for (ssize_t n; fd >= 0 && (n = write(fd, block, sizeof block)) > 0;)
            written += n;
        close(fd);
    }
    dprintf(1, "%ld MB\n", written >> 20);
    if (written > 100 << 20)
        escaped("more than 100 MB in /tmp");
    return 0;
}
