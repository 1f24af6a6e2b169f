/* Spins with every signal caught. */
#include "attack.h"

int main(void)
{
    for (int i = 1; i < 65; i++)
        signal(i, SIG_IGN);
    spin(8);
    escaped("8 s of spinning");
    return 0;
}
