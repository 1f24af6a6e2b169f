/* Leaves a file wherever it can, and looks for the last run's. */
#include "attack.h"

int main(void)
{
    const char *places[] = {"/tmp/state", "state", "/dev/shm/state", "/var/tmp/state", "/run/state", "/dev/state", "/state", "/proc/state"};
    for (int i = 0; i < 8; i++)
        if (access(places[i], F_OK) == 0)
            escaped(places[i]);
    for (int i = 0; i < 8; i++)
        close(open(places[i], O_WRONLY | O_CREAT, 0666));
    return 0;
}
