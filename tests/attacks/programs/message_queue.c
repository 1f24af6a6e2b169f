/* A POSIX message queue that outlives its run. */
#include "attack.h"

int main(void)
{
    if (syscall(SYS_mq_open, "attack", O_RDWR, 0, 0) >= 0)
        escaped("found what an earlier run left");
    syscall(SYS_mq_open, "attack", O_RDWR | O_CREAT, 0666, 0);
    return 0;
}
