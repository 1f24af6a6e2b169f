/* Writes 200 MB into every place that may be writable. */
#include "attack.h"

int main(void)
{
    static char block[1 << 20];
    const char *places[] = {"big", "/var/tmp/big", "/dev/big", "/run/big", "/big", target("open_directory"), target("open_file")};
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 7; i++) {
        int fd = open(places[i], O_WRONLY | O_CREAT, 0600);
        for (int n = 0; fd >= 0 && n < 200 && write(fd, block, sizeof block) > 0; n++) { }
        if (fd >= 0 && i < 5) /* the others lie under /tmp, which may be a private one: seen from outside */
            escaped(places[i]);
    }
    return 0;
}
