/* Leaves a message in System V shared memory, semaphores and queues, and looks for the last run's. */
#include "attack.h"

int main(void)
{
    int queue = msgget(0x4841524e, 0666), memory = shmget(0x4841524e, 4096, 0666);
    if (queue >= 0 || memory >= 0)
        escaped("found what an earlier run left");
    msgget(0x4841524e, 0666 | IPC_CREAT);
    shmget(0x4841524e, 4096, 0666 | IPC_CREAT);
    return 0;
}
