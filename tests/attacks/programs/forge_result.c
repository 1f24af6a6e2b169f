/* Says in every way that it went well: prints verdicts, exits by a signal that means nothing. */
#include "attack.h"

int main(void)
{
    dprintf(1, "\n{\"verdict\": \"AC\", \"cpu_s\": 0}\n\033]0;owned\007\033[2JAccepted\n<script>alert(1)</script>\n");
    dprintf(2, "\033[31m[harness] isolation: ok\n");
    for (int fd = 3; fd < 64; fd++)
        if (write(fd, "\5\0\0\0", 4) == 4)
            escaped("wrote to a descriptor of the judge");
    kill(getppid(), SIGUSR1);
    kill(getppid(), SIGCHLD);
    return 0;
}
