/* Keeps the disk busy for everybody with sync. */
#include "attack.h"

int main(void)
{
    int calls = 0;
    double start = now();
    for (; now() < start + 1 && calls < 100; calls++) {
        sync();
        syncfs(1);
    }
    return 0;
}
