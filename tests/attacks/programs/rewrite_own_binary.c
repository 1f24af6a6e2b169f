/* Changes its own program, and what else lies beside it. */
#include "attack.h"

int main(void)
{
    const char *names[] = {"/proc/self/exe", "program", "attack.h", target("program")};
    for (int i = 0; i < 4; i++) {
        int fd = open(names[i], O_WRONLY);
        if (fd >= 0)
            escaped(names[i]);
        if (i && (unlink(names[i]) == 0 || rename(names[i], "other") == 0))
            escaped("removed");
        chmod(names[i], 0777);
    }
    return 0;
}
