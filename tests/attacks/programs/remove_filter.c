/* Loosens its own chains: personality, securebits, seccomp, Landlock, capabilities. */
#include "attack.h"

int main(void)
{
    if (syscall(SYS_personality, 0x0040000) == 0)
        escaped("personality");
    if (prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)
        escaped("no_new_privs was cleared");
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0) == 0 || prctl(PR_SET_SECUREBITS, 0, 0, 0, 0) == 0)
        escaped("capabilities");
    return 0;
}
