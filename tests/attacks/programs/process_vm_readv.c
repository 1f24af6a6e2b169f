/* Reads the memory of every process at the address of its own stack. */
#include "attack.h"

int main(void)
{
    char there[64], here[64];
    struct iovec local = {here, sizeof here}, remote = {there, sizeof there};
    for (int pid = 1; pid < 3000; pid++)
        if (pid != getpid() && (process_vm_readv(pid, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT))
            escaped("process_vm_readv");
    return 0;
}
