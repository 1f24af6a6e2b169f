/* Holds locks and leases on the test's input, so that the judge waits for them. */
#include "attack.h"
#include <sys/file.h>

static void flock_it(int fd)
{
    struct flock lock = {.l_type = F_WRLCK};
    flock(fd, LOCK_EX | LOCK_NB);
    fcntl(fd, F_SETLK, &lock);
    fcntl(fd, F_SETLEASE, F_WRLCK);
    fcntl(fd, F_SETLEASE, F_RDLCK);
}

int main(void)
{
    flock_it(0);
    flock_it(1);
    sleep(100);
    return 0;
}
