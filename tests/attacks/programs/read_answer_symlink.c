/* Through a symbolic link in every place that may be writable. */
#include "attack.h"

int main(void)
{
    const char *places[] = {"/tmp/l", "l", "/dev/shm/l", "/var/tmp/l"};
    for (int i = 0; i < 4; i++) {
        symlink(target("answer"), places[i]);
        show(places[i]);
    }
    return 0;
}
