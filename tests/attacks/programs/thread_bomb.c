/* Starts threads until it is refused. */
#include "attack.h"

static void *work(void *p) { sleep(100); return p; }

int main(void)
{
    int made = 0;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 65536);
    for (pthread_t t; made < 5000 && pthread_create(&t, &a, work, 0) == 0; made++) { }
    dprintf(1, "%d threads\n", made);
    if (made > 1000)
        escaped("more than 1,000 threads");
    return 0;
}
