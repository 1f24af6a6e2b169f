/* Climbs from the working directory and from descriptors. */
#include "attack.h"

int main(void)
{
    char path[2048] = "";
    for (int i = 0; i < 12; i++) {
        strcat(path, "../");
        char whole[4096];
        snprintf(whole, sizeof whole, "%sanswers/1.ans", path);
        show(whole);
        snprintf(whole, sizeof whole, "%s%s", path, target("answer"));
        show(whole);
    }
    return 0;
}
