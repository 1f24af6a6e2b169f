/* Removes, renames and makes files in a directory that is open to all. */
#include "attack.h"

int main(void)
{
    char path[2048];
    snprintf(path, sizeof path, "%s/new", target("open_directory"));
    if (unlink(target("open_file")) == 0 || rename(target("open_file"), path) == 0 || mkdir(path, 0777) == 0 || symlink("/", path) == 0 || mkfifo(path, 0666) == 0)
        escaped("the directory was changed");
    return 0;
}
