/* Watches the processor's counters. */
#include "attack.h"

int main(void)
{
    char attributes[128] = {1, 0, 0, 0, 112};
    if (syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0) >= 0)
        escaped("perf_event_open");
    return 0;
}
