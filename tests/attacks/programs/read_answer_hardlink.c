/* Through a hard link. */
#include "attack.h"

int main(void)
{
    link(target("answer"), "/tmp/h");
    show("/tmp/h");
    link(target("answer"), "h");
    show("h");
    linkat(AT_FDCWD, target("answer"), AT_FDCWD, "/tmp/h2", AT_SYMLINK_FOLLOW);
    show("/tmp/h2");
    return 0;
}
