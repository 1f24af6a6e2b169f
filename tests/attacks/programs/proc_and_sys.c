/* Writes to /proc and /sys. */
#include "attack.h"

int main(void)
{
    const char *names[] = {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/self/oom_score_adj", "/proc/1/oom_score_adj", "/proc/self/uid_map", "/proc/self/setgroups", "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs", "/sys/kernel/uevent_helper", "/proc/self/attr/current"};
    for (int i = 0; i < 10; i++)
        if (i != 2 && open(names[i], O_WRONLY) >= 0)
            escaped(names[i]);
    const char *secrets[] = {"/proc/kcore", "/proc/keys", "/proc/kallsyms", "/proc/sys/kernel/random/boot_id", "/sys/class/dmi/id/product_uuid", "/etc/passwd", "/etc/shadow", "/etc/hostname", "/proc/net/tcp", "/proc/cmdline"};
    for (int i = 0; i < 10; i++)
        if (open(secrets[i], O_RDONLY) >= 0)
            escaped(secrets[i]);
    return 0;
}
