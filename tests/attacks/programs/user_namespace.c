/* Becomes root in a user namespace, by unshare, clone and clone3. */
#include "attack.h"

int main(void)
{
    struct { uint64_t flags, rest[10]; } arguments = {CLONE_NEWUSER, {0}};
    if (unshare(CLONE_NEWUSER) == 0)
        escaped("unshare");
    if (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWPID) == 0 || unshare(CLONE_NEWNET) == 0)
        escaped("unshare of another namespace");
    pid_t pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    if (pid > 0)
        escaped("clone");
    pid = syscall(435, &arguments, 88);
    if (pid == 0)
        _exit(0);
    if (pid > 0)
        escaped("clone3");
    return 0;
}
