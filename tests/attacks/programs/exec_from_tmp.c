/* Runs a program that it wrote itself, with the dynamic linker too. */
#include "attack.h"

int main(void)
{
    char block[65536];
    int from = open("/proc/self/exe", O_RDONLY), to = open("/tmp/copy", O_WRONLY | O_CREAT, 0755);
    for (ssize_t n; (n = read(from, block, sizeof block)) > 0;)
        write(to, block, n);
    close(to);
    execl("/tmp/copy", "/tmp/copy", (char *)0);
    if (errno != EACCES && errno != ENOENT && errno != EPERM)
        escaped("exec");
    return 0;
}
