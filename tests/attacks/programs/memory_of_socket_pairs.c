/* Memory in the buffers of socket pairs. */
#include "attack.h"

int main(void)
{
    static char block[1 << 18];
    long got = 0;
    for (int i = 0; i < 2000; i++) {
        int ends[2], size = 1 << 28;
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
            break;
        for (int j = 0; j < 2; j++) {
            setsockopt(ends[j], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
            fcntl(ends[j], F_SETFL, O_NONBLOCK);
            for (ssize_t n; (n = write(ends[j], block, sizeof block)) > 0;)
                got += n >> 10;
        }
    }
    dprintf(1, "%ld KiB\n", got);
    if (got >> 10 > number("memory_mib"))
        escaped("the memory limit in socket buffers");
    return 0;
}
