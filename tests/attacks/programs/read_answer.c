/* Opens the answer at its path. */
#include "attack.h"

int main(void)
{
    show(target("answer"));
    return 0;
}
