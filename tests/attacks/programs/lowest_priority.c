/* Steps behind everybody else, so that it is starved and no clock counts, and computes for ever. */
#include "attack.h"

int main(void)
{
    struct sched_param none = {0};
    sched_setscheduler(0, SCHED_IDLE, &none);
    nice(19);
    spin(30);
    escaped("30 seconds");
    return 0;
}
