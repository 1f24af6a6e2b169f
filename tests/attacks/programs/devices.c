/* Opens and makes devices. */
#include "attack.h"

int main(void)
{
    const char *names[] = {"/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/tty", "/dev/ptmx", "/dev/fuse", "/dev/kvm", "/dev/net/tun", "/dev/console", "/dev/tty0"};
    for (int i = 0; i < 11; i++)
        if (open(names[i], O_RDONLY) >= 0 || open(names[i], O_RDWR) >= 0)
            escaped(names[i]);
    if (mknod("/tmp/disk", S_IFBLK | 0666, 254 << 8) == 0 || mknod("/tmp/null", S_IFCHR | 0666, 259) == 0)
        escaped("mknod");
    return 0;
}
