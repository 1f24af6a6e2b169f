/* Listens, for a partner of a later run. */
#include "attack.h"

int main(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(45454)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (void *)&a, sizeof a) == 0 && listen(fd, 1) == 0)
        escaped("listens");
    return 0;
}
