/* Sends datagrams, the DNS resolver's port included. */
#include "attack.h"

int main(void)
{
    int ports[] = {number("udp_port"), 53};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    for (int i = 0; i < 2; i++) {
        struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(ports[i]), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        if (sendto(fd, "x", 1, 0, (void *)&a, sizeof a) == 1)
            escaped("sent");
    }
    return 0;
}
