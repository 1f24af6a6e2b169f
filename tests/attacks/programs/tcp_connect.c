/* Connects to a listener of this machine. */
#include "attack.h"

int main(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(number("tcp_port")), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd >= 0)
        dprintf(1, "a socket\n");
    if (connect(fd, (void *)&a, sizeof a) == 0)
        escaped("connected");
    return 0;
}
