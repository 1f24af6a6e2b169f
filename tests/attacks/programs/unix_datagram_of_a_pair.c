/* socketpair of datagrams, then sendto and sendmsg to the path of a socket. */
#include "attack.h"

int main(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strncpy(a.sun_path, target("unix_datagram"), sizeof a.sun_path - 1);
    for (int type = 1; type <= 5; type++) {
        int pair[2];
        if (socketpair(AF_UNIX, type, 0, pair) < 0)
            continue;
        struct iovec part = {"x", 1};
        struct msghdr message = {.msg_name = &a, .msg_namelen = sizeof a, .msg_iov = &part, .msg_iovlen = 1};
        if (sendto(pair[0], "x", 1, MSG_NOSIGNAL, (void *)&a, sizeof a) == 1 && type == SOCK_DGRAM)
            escaped("sendto");
        if (sendmsg(pair[0], &message, MSG_NOSIGNAL) == 1 && type == SOCK_DGRAM)
            escaped("sendmsg");
        if (connect(pair[0], (void *)&a, sizeof a) == 0)
            escaped("connect");
    }
    return 0;
}
