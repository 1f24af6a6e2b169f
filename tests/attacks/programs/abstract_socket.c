/* Connects to an abstract Unix socket of this machine. */
#include "attack.h"

int main(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    const char *name = target("abstract");
    memcpy(a.sun_path + 1, name, strlen(name));
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(fd, (void *)&a, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name)) == 0)
        escaped("connected");
    return 0;
}
