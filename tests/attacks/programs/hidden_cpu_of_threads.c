/* Sixteen threads burn the CPU, the first one has exited. */
#include "attack.h"

static void *work(void *p)
{
    spin(8);
    escaped("8 s");
    return p;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 16; i++)
        pthread_create(&t, 0, work, 0);
    pthread_exit(0);
    return 0;
}
