/* The walls: Landlock rule sets; at T3 the namespaces, the root that programs see, and what a command adds to it.
 * Part of launcher.c, which has the state of the keeper and the words for failures.
 */

/* ---- Landlock: a rule set a run, made from descriptors that are kept between runs ---- */

static uint64_t landlock_known(void)
{
    uint64_t known = LANDLOCK_ALL_1;
    if (landlock_abi >= 2)
        known |= LANDLOCK_REFER;
    if (landlock_abi >= 3)
        known |= LANDLOCK_TRUNCATE;
    if (landlock_abi >= 5)
        known |= LANDLOCK_IOCTL_DEV;
    return known;
}

/* Allow access to a file or a whole directory from now on; the descriptor is kept. */
static void allow_fd(int fd, uint64_t access)
{
    struct stat s;
    if (fd < 0 || fstat(fd, &s) < 0 || rule_count == RULES)
        return;
    if (!S_ISDIR(s.st_mode))
        access &= LANDLOCK_OF_FILES;
    rules[rule_count++] = (struct rule){fd, access & landlock_known()};
}

static void allow(const char *path, uint64_t access) { allow_fd(open(path, O_PATH | O_CLOEXEC), access); }

static void forget_rules(int from)
{
    while (rule_count > from)
        close(rules[--rule_count].fd);
}

static int add_rule(int ruleset, int fd, uint64_t access)
{
    struct landlock_path_beneath beneath = {access & landlock_known(), fd};
    return (int)syscall(SYS_LANDLOCK_ADD_RULE, ruleset, LANDLOCK_PATH_BENEATH, &beneath, 0);
}

/* Standard streams that are files may be opened again through /dev/stdin and the like, as they came. */
static int make_ruleset(const int streams[3], bool submission)
{
    struct landlock_ruleset attributes = {
        .fs = landlock_known(),
        .net = landlock_abi >= 4 ? LANDLOCK_ALL_NET : 0,
        .scoped = landlock_abi >= 6 ? LANDLOCK_ALL_SCOPES : 0,
    };
    size_t size = landlock_abi >= 6 ? 24 : landlock_abi >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_LANDLOCK_CREATE_RULESET, &attributes, size, 0);
    if (ruleset < 0)
        return fail("Landlock rule set");
    for (int i = 0; i < rule_count; i++)
        if (!(submission && i == zero_rule) && add_rule(ruleset, rules[i].fd, rules[i].access) < 0) {
            close(ruleset);
            return fail("Landlock rule");
        }
    for (int i = 0; i < 3; i++) {
        struct stat s;
        if (fstat(streams[i], &s) == 0 && S_ISREG(s.st_mode))
            add_rule(ruleset, streams[i], i ? LANDLOCK_WRITE_FILE | LANDLOCK_TRUNCATE : LANDLOCK_READ_FILE);
    }
    return ruleset;
}

/* Its own maps and environment, from which AddressSanitizer learns; called by the program's process itself. */
static void allow_own_process(int ruleset)
{
    int own = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (own >= 0) {
        add_rule(ruleset, own, LANDLOCK_READ);
        close(own);
    }
}

/* ---- what every program may see of the system ---- */

static const char *const SYSTEM[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", NULL,
};
static const char *const DEVICES[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", NULL};

/* Call with each system path: the fixed ones and the configuration of Java, which /usr/lib/jvm links to. */
static void each_system_path(void (*visit)(const char *path))
{
    for (int i = 0; SYSTEM[i]; i++)
        visit(SYSTEM[i]);
    DIR *etc = opendir("/etc");
    for (struct dirent *entry; etc && (entry = readdir(etc));) {
        char path[PATH_MAX];
        if (strncmp(entry->d_name, "java", 4) != 0)
            continue;
        snprintf(path, sizeof path, "/etc/%s", entry->d_name);
        visit(path);
    }
    if (etc)
        closedir(etc);
}

static void allow_system_path(const char *path) { allow(path, LANDLOCK_READ | LANDLOCK_EXECUTE); }

/* ---- T3: namespaces and the root ---- */

/* Make the directories above a path; with `record`, remember those that are new, to see whether they change. */
static int make_parents(const char *path, bool record)
{
    char part[PATH_MAX];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (mkdir(part, 0755) == 0) {
            if (record && made_count < MOUNTS)
                snprintf(made[made_count++].path, PATH_MAX, "%s", part);
        } else if (errno != EEXIST)
            return -1;
    }
    return 0;
}

static int make_mount_point(const char *path, bool directory, bool record)
{
    if (make_parents(path, record) < 0)
        return -1;
    if (directory)
        return mkdir(path, 0755) < 0 && errno != EEXIST ? -1 : 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    return fd < 0 ? -1 : close(fd);
}

static int attach(int tree, const char *path)
{
    return (int)syscall(SYS_MOVE_MOUNT, tree, "", AT_FDCWD, path, MOVE_MOUNT_EMPTY_PATH);
}

static int change_mount(int fd, unsigned flags, uint64_t set, uint64_t clear)
{
    struct mount_attributes attributes = {.set = set, .clear = clear};
    return (int)syscall(SYS_MOUNT_SETATTR, fd, "", AT_EMPTY_PATH | flags, &attributes, sizeof attributes);
}

/* Show a path of the host in the root that is being built under /tmp. */
static void show(const char *path)
{
    char target[PATH_MAX], link[PATH_MAX];
    struct stat s;
    if (lstat(path, &s) < 0)
        return;
    snprintf(target, sizeof target, "/tmp%s", path);
    if (S_ISLNK(s.st_mode)) {
        ssize_t n = readlink(path, link, sizeof link - 1);
        link[n > 0 ? n : 0] = 0;
        if (make_parents(target, false) < 0 || symlink(link, target) < 0)
            give_up("link in the root");
        return;
    }
    int tree = (int)syscall(SYS_OPEN_TREE, AT_FDCWD, path, OPEN_TREE_CLONE | O_CLOEXEC | AT_RECURSIVE);
    if (tree < 0)
        give_up("open_tree");
    if (S_ISCHR(s.st_mode) && change_mount(tree, 0, 0, MOUNT_ATTR_NODEV) < 0)
        give_up("mount_setattr of a device");
    if (make_mount_point(target, S_ISDIR(s.st_mode), false) < 0 || attach(tree, target) < 0)
        give_up("move_mount");
    close(tree);
}

/* The host's mounts, read-only, stay in one mount namespace; a second one gets a root of its own. */
static void build_root(void)
{
    int self;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        give_up("private mounts");
    host_root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    self = host_root;
    if (change_mount(self, AT_RECURSIVE, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0) < 0)
        give_up("mount_setattr");
    host_ns = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
    if (host_ns < 0 || unshare(CLONE_NEWNS) < 0)
        give_up("second mount namespace");
    box_ns = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
    if (mount("harness", "/tmp", "tmpfs", MS_NOSUID, "mode=0755,size=1m,nr_inodes=4096") < 0)
        give_up("root file system");
    each_system_path(show);
    for (int i = 0; DEVICES[i]; i++)
        show(DEVICES[i]);
    if (mkdir("/tmp/tmp", 0755) < 0 || mkdir("/tmp/proc", 0755) < 0 || symlink("/tmp", "/tmp/dev/shm") < 0 ||
        symlink("/proc/self/fd", "/tmp/dev/fd") < 0 || symlink("/proc/self/fd/0", "/tmp/dev/stdin") < 0 ||
        symlink("/proc/self/fd/1", "/tmp/dev/stdout") < 0 || symlink("/proc/self/fd/2", "/tmp/dev/stderr") < 0)
        give_up("directories in the root");
    if (mount("proc", "/tmp/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2,subset=pid") < 0)
        give_up("proc");
    if (chdir("/tmp") < 0 || syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0 ||
        chdir("/") < 0)
        give_up("pivot_root");
    if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) < 0)
        give_up("read-only root");
}

static void map_user(uid_t uid, gid_t gid)
{
    char line[64];
    snprintf(line, sizeof line, "%u %u 1", uid, uid);
    if (!write_text("/proc/self/setgroups", "deny") || !write_text("/proc/self/uid_map", line))
        give_up("user map");
    snprintf(line, sizeof line, "%u %u 1", gid, gid);
    if (!write_text("/proc/self/gid_map", line))
        give_up("group map");
}

/* Leave all namespaces of the host. Returns in the keeper; the caller's process waits for it and ends with it. */
static void enter_namespaces(void)
{
    uid_t uid = geteuid();
    gid_t gid = getegid();
    if (!worker_uid) {
        if (unshare(CLONE_NEWUSER) < 0)
            give_up("user namespace");
        map_user(uid, gid);
    }
    if (unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) < 0)
        give_up("namespaces");
    if (unshare(CLONE_NEWPID) < 0)
        give_up("PID namespace");
    pid_t keeper = fork();
    if (keeper < 0)
        give_up("fork");
    if (keeper > 0) {
        close(SOCKET);
        waitpid(keeper, NULL, 0);
        _exit(0);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* ---- the mounts of a command: its directory and what it may read ---- */

/* Mount a path of the host at the same place in the root. At the host's side every mount is read-only. */
static int bind_path(const char *path, bool writable)
{
    struct stat outside, inside;
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
    int found = (int)syscall(SYS_OPENAT2, host_root, path + 1, &how, sizeof how);
    if (found < 0 || fstat(found, &outside) < 0)
        return fail("a path of the command");
    if (!writable && stat(path, &inside) == 0 && inside.st_dev == outside.st_dev && inside.st_ino == outside.st_ino) {
        close(found);
        return 0; /* /usr and the like */
    }
    if (setns(host_ns, CLONE_NEWNS) < 0) /* open_tree clones mounts of the current namespace only */
        return fail("setns");
    int tree = (int)syscall(SYS_OPEN_TREE, found, "", OPEN_TREE_CLONE | O_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE);
    int error = errno;
    if (setns(box_ns, CLONE_NEWNS) < 0)
        give_up("setns");
    close(found);
    errno = error;
    if (tree < 0)
        return fail("open_tree of a path of the command");
    bool in_tmp = strncmp(path, "/tmp/", 5) == 0;
    int done = writable ? change_mount(tree, 0, 0, MOUNT_ATTR_RDONLY) : 0;
    if (done == 0)
        done = make_mount_point(path, S_ISDIR(outside.st_mode), in_tmp);
    if (done == 0)
        done = attach(tree, path);
    close(tree);
    if (done == 0 && !in_tmp && bound_count < MOUNTS)
        snprintf(bound[bound_count++], PATH_MAX, "%s", path);
    return done < 0 ? fail("mount of a path of the command") : 0;
}

static int set_root_writable(bool writable)
{
    int root = open("/", O_PATH | O_CLOEXEC);
    int done = change_mount(root, 0, writable ? 0 : MOUNT_ATTR_RDONLY, writable ? MOUNT_ATTR_RDONLY : 0);
    close(root);
    return done;
}

/* Nothing was made, removed or renamed under /tmp since it was mounted: sizes, and the times of change, which
 * no call can set. */
static bool tmp_is_untouched(void)
{
    struct statfs now;
    struct stat s;
    if (statfs("/tmp", &now) < 0 || now.f_ffree != fresh_tmp.f_ffree || now.f_bfree != fresh_tmp.f_bfree)
        return false;
    for (int i = 0; i < made_count; i++)
        if (lstat(made[i].path, &s) < 0 || s.st_ctim.tv_sec != made[i].changed.tv_sec ||
            s.st_ctim.tv_nsec != made[i].changed.tv_nsec)
            return false;
    return true;
}

static void remember_tmp(void)
{
    struct stat s;
    statfs("/tmp", &fresh_tmp);
    for (int i = 0; i < made_count; i++)
        if (lstat(made[i].path, &s) == 0)
            made[i].changed = s.st_ctim;
}

/* Unmount a path and remove it, with the directories above that are empty then. */
static void remove_mount(char *path)
{
    umount2(path, MNT_DETACH);
    if (rmdir(path) < 0 && unlink(path) < 0)
        return;
    for (char *slash; (slash = strrchr(path, '/')) > path; ) {
        *slash = 0;
        if (rmdir(path) < 0)
            return;
    }
}

static void remove_mounts(void)
{
    while (bound_count > 0)
        remove_mount(bound[--bound_count]);
    if (made_count > 0)
        umount2("/tmp", MNT_DETACH);
    made_count = 0;
    layout_length = 0;
}

static int mount_tmp(uint64_t size)
{
    char options[96];
    snprintf(options, sizeof options, "mode=1777,size=%llu,nr_inodes=%d", (unsigned long long)size, TMP_INODES);
    if (mount("tmp", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME, options) < 0)
        return fail("tmpfs");
    snprintf(made[0].path, PATH_MAX, "/tmp");
    made_count = 1;
    return 0;
}

static int bind_paths(const struct run *run)
{
    bool writable = run->request->flags & WRITABLE_DIRECTORY;
    for (uint32_t i = 0; i < run->request->readablec; i++)
        if (bind_path(run->readable[i], false) < 0)
            return -1;
    return bind_path(run->directory, writable);
}

/* The identity of a file as the host sees it. */
static void stat_of_host(const char *path, struct stat *s)
{
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
    if (tier < 3) {
        stat(path, s);
        return;
    }
    int fd = (int)syscall(SYS_OPENAT2, host_root, path + (path[0] == '/'), &how, sizeof how);
    if (fd >= 0) {
        fstat(fd, s);
        close(fd);
    }
}

/* Bring mounts and rules into the shape that the command asks for; nothing to do when the last one left it so. */
static int lay_out(const struct run *run, const char *key, size_t length)
{
    bool same = layout_length == length && memcmp(layout_key, key, length) == 0;
    if (same && (tier < 3 || tmp_is_untouched()))
        return 0;
    forget_rules(fixed_rules);
    if (tier == 3) {
        if (set_root_writable(true) < 0)
            return fail("writable root");
        remove_mounts();
        int done = mount_tmp(run->request->tmp_size) < 0 ? -1 : bind_paths(run);
        if (set_root_writable(false) < 0)
            return fail("read-only root");
        if (done < 0)
            return -1;
        remember_tmp();
        allow("/tmp", LANDLOCK_EVERYTHING);
    }
    layout_length = 0;
    allow(run->directory, run->request->flags & WRITABLE_DIRECTORY ? LANDLOCK_EVERYTHING
                                                                   : LANDLOCK_READ | LANDLOCK_EXECUTE);
    for (uint32_t i = 0; i < run->request->readablec; i++)
        allow(run->readable[i], LANDLOCK_READ | LANDLOCK_EXECUTE);
    memcpy(layout_key, key, length);
    layout_length = length;
    return 0;
}

/* Open standard input afresh through the read-only mounts: a file that was opened through the judge's mount can
 * be opened for writing again at /proc/self/fd/0. */
static int reopen_stdin(struct run *run)
{
    struct stat before, after;
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
    if (tier < 3 || fstat(run->streams[0], &before) < 0 || !S_ISREG(before.st_mode))
        return 0;
    int fd = (int)syscall(SYS_OPENAT2, host_root, run->stdin_path + (run->stdin_path[0] == '/'), &how, sizeof how);
    if (fd < 0)
        return fail("standard input");
    if (fstat(fd, &after) < 0 || before.st_dev != after.st_dev || before.st_ino != after.st_ino) {
        close(fd);
        errno = ESTALE;
        return fail("standard input");
    }
    close(run->streams[0]);
    run->streams[0] = fd;
    return 0;
}
