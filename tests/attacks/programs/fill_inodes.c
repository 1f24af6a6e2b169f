/* Makes a hundred thousand empty files. */
#include "attack.h"

int main(void)
{
    char name[64];
    int made = 0;
    for (int i = 0; i < 100000; i++) {
        snprintf(name, sizeof name, "/tmp/%d", i);
        int fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd < 0)
            break;
        made++;
        close(fd);
    }
    dprintf(1, "%d\n", made);
    if (made > 5000)
        escaped("more than 5,000 files");
    return 0;
}
