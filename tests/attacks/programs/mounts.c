/* Mounts, in the old and the new way, and changes its root. */
#include "attack.h"

int main(void)
{
    if (mount("none", "/tmp", "tmpfs", 0, 0) == 0 || mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0) == 0 || mount("/proc", "/tmp", 0, MS_BIND, 0) == 0)
        escaped("mount");
    if (umount2("/tmp", MNT_DETACH) == 0 || umount2("/proc", MNT_DETACH) == 0)
        escaped("umount");
    if (chroot(".") == 0 || syscall(SYS_pivot_root, ".", ".") == 0)
        escaped("root");
    if (syscall(428, AT_FDCWD, "/", 1) >= 0 || syscall(430, "tmpfs", 0) >= 0)
        escaped("open_tree or fsopen");
    return 0;
}
