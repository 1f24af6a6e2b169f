/* Forks until it is refused; 2,000 at most. */
#include "attack.h"

int main(void)
{
    int made = 0;
    for (; made < 2000; made++) {
        pid_t pid = fork();
        if (pid < 0)
            break;
        if (pid == 0) {
            sleep(20);
            _exit(0);
        }
    }
    dprintf(1, "%d children\n", made);
    if (made > 200)
        escaped("more children than any limit allows");
    return 0;
}
