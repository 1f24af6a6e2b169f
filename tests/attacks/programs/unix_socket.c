/* Connects to a pathname Unix socket (Docker's and D-Bus' stand-in). */
#include "attack.h"

int main(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strncpy(a.sun_path, target("unix_stream"), sizeof a.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(fd, (void *)&a, sizeof a) == 0)
        escaped("connected");
    return 0;
}
