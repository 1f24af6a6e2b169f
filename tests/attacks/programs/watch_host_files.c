/* Watches the judge's files with inotify. */
#include "attack.h"

int main(void)
{
    int fd = syscall(SYS_inotify_init1, 0);
    if (syscall(SYS_inotify_add_watch, fd, target("open_directory"), 0xfff) >= 0)
        escaped("inotify");
    return 0;
}
