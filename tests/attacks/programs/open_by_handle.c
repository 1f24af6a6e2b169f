/* Opens the root of the disk by a file handle. */
#include "attack.h"

int main(void)
{
    struct { unsigned bytes; int type; uint32_t ino[2]; } handle = {8, 1, {2, 0}};
    int mount_fd = open(".", O_RDONLY);
    if (syscall(SYS_open_by_handle_at, mount_fd, &handle, O_RDONLY) >= 0)
        escaped("open_by_handle_at");
    return 0;
}
