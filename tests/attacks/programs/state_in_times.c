/* Leaves a message in the times, modes and attributes of directories that stay. */
#include "attack.h"

int main(void)
{
    const char *places[] = {"/tmp", ".", "/", "/usr", "/dev/null", "/dev", "/proc", target("input")};
    struct timespec times[2] = {{123456789, 0}, {123456789, 0}};
    struct stat s;
    for (int i = 0; i < 8; i++) {
        if (stat(places[i], &s) == 0 && s.st_mtim.tv_sec == 123456789)
            escaped(places[i]);
        char x;
        if (getxattr(places[i], "user.attack", &x, 1) == 1)
            escaped("an attribute");
        utimensat(AT_FDCWD, places[i], times, 0);
        setxattr(places[i], "user.attack", "x", 1, 0);
        chmod(places[i], 0777);
    }
    return 0;
}
