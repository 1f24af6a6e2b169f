/* The launcher: a server, one a worker, that starts programs behind walls and measures them.
 *
 *   launcher TIER UID SOCKET [GROUP…]    serve on that SOCK_SEQPACKET descriptor; launcher.py is its other end.
 *                                        Each GROUP is a descriptor of a cgroup.procs to join first.
 *   launcher --dump-filter MACHINE PARTS PID    print the filters, for the tests
 *
 * At T3 the process that was started only waits: its child, the *keeper*, is process 1 of a PID namespace and
 * serves. Walls that can be shared by all runs of a worker are built once (namespaces, root, /proc, the big
 * seccomp filter); a run costs one vfork, its credentials and limits, a small filter and Landlock. What a run
 * could leave behind is removed before its result is sent: kill(-1) empties the PID namespace, and /tmp is
 * thrown away unless it is provably untouched. At T2 and T1 the started process is the keeper itself.
 *
 * Built static, it stays under 1 MB resident: a program inherits its parent's size as the floor of ru_maxrss.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "filter.h"
#include "kernel.h"

#define SOCKET 3
#define MESSAGE_SIZE (160 * 1024)
#define LIST_SIZE 4096
#define RULES 96
#define MOUNTS 64
#define LOOK_NS 10000000LL      /* how often memory is looked at */
#define SHORTEST_LOOK_NS 200000LL
#define DATA_SLACK (64ULL << 20) /* binary, libraries and thread stacks, above the limit on memory */
#define ADDRESS_SPACE (64ULL << 30) /* bounds page tables, which no size shows; Java and Node reserve much */
#define THREAD_STACKS 8 /* each is as large as the main stack may grow, but only reserved: see limits.py */
#define TMP_INODES 1024
#define OPEN_FILES 64 /* a pair of sockets holds 0.4 MB in the kernel that nobody counts */
#define OPEN_FILES_COMPILER 1024
#define SECOND 1000000000LL

/* ---- the protocol: launcher.py packs and unpacks the same structures ---- */

enum kind { RUN_PROGRAM = 1, KILL_PROGRAM, ASK_ACTIVITY, READY, RESULT, ACTIVITY };
enum { MAY_FORK = 1, WRITABLE_DIRECTORY = 2, CAP_DATA = 4 };
enum reason { NOT_KILLED, FOR_CPU, FOR_WALL, FOR_IDLE, FOR_MEMORY, FOR_OUTPUT, FOR_REQUEST };

struct request { /* then strings, each ended by a NUL: directory, stdin's path or "", argv, environment, readable */
    uint32_t kind, flags, threads, reason;
    uint64_t cpu_ns, wall_ns, memory, output, stack, tmp_size;
    uint32_t argc, envc, readablec, unused;
};

struct reply {
    uint32_t kind;
    int32_t status, error;
    uint32_t reason;
    uint64_t cpu_ns, wall_ns, memory, output;
    uint32_t running, reading; /* ACTIVITY; READY: the Landlock ABI */
    char stage[64];
};

/* ---- the state of the keeper: one worker, one thread, one run at a time ---- */

struct rule { int fd; uint64_t access; };
struct made { char path[PATH_MAX]; struct timespec changed; };

static int tier;
static uid_t worker_uid; /* 0: keep our own (we are an ordinary user, or the root of a namespace with no other) */
static int landlock_abi;
static int judge_fd = -1;                     /* pidfd of who started us: its death ends everything */
static int host_ns = -1, box_ns = -1;         /* T3: the host's mounts, all read-only; the programs' root */
static int host_root = -1, proc_fd = -1;
static int cpu_count;
static char layout_key[MESSAGE_SIZE];         /* directory, flags and readable paths of the mounts as they stand */
static size_t layout_length;
static struct statfs fresh_tmp;
static struct made made[MOUNTS];              /* directories under /tmp that we made for mounts; [0] is /tmp */
static int made_count;
static char bound[MOUNTS][PATH_MAX];          /* mounts outside /tmp */
static int bound_count;
static struct rule rules[RULES];
static int rule_count, fixed_rules;
static char child_stack[64 * 1024] __attribute__((aligned(16)));
static const char *failed_stage;              /* where the sandbox itself failed; the cause is in failed_errno */
static int failed_errno;

static int fail(const char *stage)
{
    if (!failed_stage) {
        failed_stage = stage;
        failed_errno = errno;
    }
    return -1;
}

static void send_reply(struct reply *reply)
{
    if (failed_stage) {
        reply->error = failed_errno;
        snprintf(reply->stage, sizeof reply->stage, "%s", failed_stage);
        failed_stage = NULL;
    }
    if (send(SOCKET, reply, sizeof *reply, MSG_NOSIGNAL) < 0)
        _exit(0);
}

static void give_up(const char *stage)
{
    struct reply reply = {.kind = READY};
    fail(stage);
    send_reply(&reply);
    _exit(1);
}

static int64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) < 0 ? 0 : t.tv_sec * SECOND + t.tv_nsec;
}

/* Read a small file of /proc into a string. */
static bool read_text(int directory, const char *path, char *text, size_t size)
{
    int fd = openat(directory, path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    return n > 0;
}

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return done;
}

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
static int make_ruleset(const int streams[3])
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
        if (add_rule(ruleset, rules[i].fd, rules[i].access) < 0) {
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

struct run {
    struct request *request;
    const char *directory, *stdin_path;
    char **argv, **environment, **readable;
    int streams[3], ruleset;
    int64_t started_ns, overhead_ns; /* written by the child just before it becomes the program */
};

static int bind_paths(const struct run *run)
{
    bool writable = run->request->flags & WRITABLE_DIRECTORY;
    for (uint32_t i = 0; i < run->request->readablec; i++)
        if (bind_path(run->readable[i], false) < 0)
            return -1;
    return bind_path(run->directory, writable);
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

/* ---- the child, between vfork and exec: it shares our memory ---- */

static int cap(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit limit = {soft, hard};
    return setrlimit(resource, &limit);
}

/* No RLIMIT_CPU: with it the kernel keeps the CPU clock of a process by ticks of up to 10 ms, for us and for the
 * program's own clock(). A limit of 0 on core files would not hold where they are piped to a program; 1 does. */
static int set_limits(const struct request *r)
{
    struct rlimit stack;
    uint64_t data = r->flags & CAP_DATA ? r->memory + DATA_SLACK + THREAD_STACKS * r->stack : RLIM_INFINITY;
    uint64_t files = r->flags & WRITABLE_DIRECTORY ? OPEN_FILES_COMPILER : OPEN_FILES;
    uint64_t processes = r->threads + (worker_uid ? 0 : 2); /* as an ordinary user we count too */
    getrlimit(RLIMIT_STACK, &stack);
    uint64_t stack_size = r->stack ? r->stack : stack.rlim_cur;
    return cap(RLIMIT_FSIZE, r->output + 1, r->output + 1) < 0 || cap(RLIMIT_DATA, data, data) < 0 ||
           cap(RLIMIT_STACK, stack_size, stack_size) < 0 || cap(RLIMIT_AS, ADDRESS_SPACE, ADDRESS_SPACE) < 0 ||
           cap(RLIMIT_CORE, 1, 1) < 0 || cap(RLIMIT_NOFILE, files, files) < 0 || cap(RLIMIT_MEMLOCK, 0, 0) < 0 ||
           cap(RLIMIT_MSGQUEUE, 0, 0) < 0 || cap(RLIMIT_SIGPENDING, 256, 256) < 0 || cap(RLIMIT_RTPRIO, 0, 0) < 0 ||
           cap(RLIMIT_NPROC, processes, processes) < 0;
}

static int drop_capabilities(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    return (int)syscall(SYS_capset, &header, none);
}

static int become_worker(void)
{
    if (worker_uid && (setgroups(0, NULL) < 0 || setresgid(worker_uid, worker_uid, worker_uid) < 0 ||
                       setresuid(worker_uid, worker_uid, worker_uid) < 0))
        return -1;
    return drop_capabilities();
}

static int install(const struct program *program)
{
    struct sock_fprog filter = {program->length, (struct sock_filter *)program->code};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter);
}

static unsigned filter_parts(const struct request *r)
{
    return (r->flags & MAY_FORK ? 0 : FILTER_NO_FORK) | (r->flags & WRITABLE_DIRECTORY ? 0 : FILTER_SUBMISSION | FILTER_ATTRIBUTES) |
           (tier < 3 && landlock_abi < 6 ? FILTER_SIGNALS : 0) | (tier < 3 && landlock_abi < 3 ? FILTER_TRUNCATE : 0);
}

static struct program program;

static int become_program(void *argument)
{
    struct run *run = argument;
    if (setsid() < 0)
        return fail("setsid");
    for (int i = 0; i < 3; i++)
        if (dup2(run->streams[i], i) < 0)
            return fail("dup2");
    umask(022);
    if (set_limits(run->request))
        return fail("rlimits");
    if (become_worker() < 0)
        return fail("dropping privileges");
    if (chdir(run->directory) < 0)
        return fail("working directory");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (run->ruleset >= 0 && syscall(SYS_LANDLOCK_RESTRICT_SELF, run->ruleset, 0) < 0)
        return fail("Landlock");
    if (syscall(SYS_CLOSE_RANGE, 3, ~0U, 0) < 0)
        return fail("close_range");
    build_run_filter(&program, MACHINE, filter_parts(run->request), (uint32_t)getpid());
    if (install(&program) < 0)
        return fail("seccomp");
    run->overhead_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    run->started_ns = clock_ns(CLOCK_MONOTONIC);
    execve(run->argv[0], run->argv, run->environment);
    return fail("exec");
}

/* ---- the processes of a run ---- */

static pid_t tree[LIST_SIZE];
static int tree_size;

static void add_children(pid_t pid);

static void add_to_tree(pid_t pid)
{
    if (tree_size < LIST_SIZE) {
        tree[tree_size++] = pid;
        add_children(pid);
    }
}

/* Below T3: the children of each thread, all the way down. Orphans come back to us, the subreaper. */
static void add_children(pid_t pid)
{
    char path[64], text[16384];
    snprintf(path, sizeof path, "%d/task", pid);
    int task = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *threads = task < 0 ? NULL : fdopendir(task);
    for (struct dirent *thread; threads && (thread = readdir(threads));) {
        snprintf(path, sizeof path, "%.20s/children", thread->d_name);
        if (thread->d_name[0] == '.' || !read_text(task, path, text, sizeof text))
            continue;
        for (char *next = text, *end; *next; next = end + 1) {
            pid_t child = (pid_t)strtol(next, &end, 10);
            if (child <= 0 || *end == 0)
                break;
            add_to_tree(child);
        }
    }
    if (threads)
        closedir(threads);
}

/* At T3 /proc shows nothing but the run (and us). */
static void list_tree(void)
{
    tree_size = 0;
    if (tier < 3) {
        add_children(getpid());
        return;
    }
    DIR *all = fdopendir(openat(proc_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (struct dirent *entry; all && (entry = readdir(all)) && tree_size < LIST_SIZE;) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 1)
            tree[tree_size++] = pid;
    }
    if (all)
        closedir(all);
}

struct usage {
    int64_t cpu_ns;
    uint64_t memory, shared;
    int processes;
};

/* The proportional share of memory: pages that forked processes still share count once. */
static uint64_t proportional(pid_t pid, uint64_t resident)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "%d/smaps_rollup", pid);
    if (!read_text(proc_fd, path, text, sizeof text))
        return resident;
    char *pss = strstr(text, "\nPss:");
    return pss ? strtoull(pss + 5, NULL, 10) * 1024 : resident;
}

static void add_usage(pid_t pid, struct usage *usage)
{
    char path[64], text[1024];
    uint64_t resident = 0, shared = 0;
    unsigned long long reaped_user = 0, reaped_system = 0;
    usage->processes++;
    usage->cpu_ns += clock_ns(((clockid_t)~pid << 3) | 2); /* another process's CPU clock, exact */
    snprintf(path, sizeof path, "%d/stat", pid);
    if (read_text(proc_fd, path, text, sizeof text)) {
        char *after = strrchr(text, ')'); /* the name before may hold anything */
        if (after)
            sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %llu %llu", &reaped_user,
                   &reaped_system);
    }
    usage->cpu_ns += (int64_t)(reaped_user + reaped_system) * (SECOND / sysconf(_SC_CLK_TCK));
    snprintf(path, sizeof path, "%d/statm", pid);
    if (read_text(proc_fd, path, text, sizeof text))
        sscanf(text, "%*u %lu %lu", &resident, &shared);
    usage->memory += resident * (uint64_t)sysconf(_SC_PAGESIZE);
    usage->shared += shared * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Files in /tmp are memory too; what of them is mapped has been counted already. */
static uint64_t tmp_memory(uint64_t mapped)
{
    struct statfs now;
    if (tier < 3 || statfs("/tmp", &now) < 0 || now.f_bfree >= fresh_tmp.f_bfree)
        return 0;
    uint64_t used = (fresh_tmp.f_bfree - now.f_bfree) * (uint64_t)now.f_bsize;
    return used > mapped ? used - mapped : 0;
}

static struct usage look(void)
{
    struct usage usage = {0};
    list_tree();
    for (int i = 0; i < tree_size; i++)
        add_usage(tree[i], &usage);
    if (usage.processes > 1) {
        usage.memory = 0;
        for (int i = 0; i < tree_size; i++)
            usage.memory += proportional(tree[i], 0);
    }
    usage.memory += tmp_memory(usage.shared);
    return usage;
}

static uint64_t output_size(const int streams[3])
{
    struct stat out, err;
    uint64_t size = 0;
    bool has_out = fstat(streams[1], &out) == 0 && S_ISREG(out.st_mode);
    if (has_out)
        size += (uint64_t)out.st_size;
    if (fstat(streams[2], &err) == 0 && S_ISREG(err.st_mode) &&
        !(has_out && err.st_dev == out.st_dev && err.st_ino == out.st_ino))
        size += (uint64_t)err.st_size;
    return size;
}

/* How many threads run or wait for a disk, and how many wait in a read of standard input. */
static void look_at_activity(struct reply *reply)
{
    char path[PATH_MAX], text[1024];
    list_tree();
    for (int i = 0; i < tree_size; i++) {
        snprintf(path, sizeof path, "%d/task", tree[i]);
        int task = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *threads = task < 0 ? NULL : fdopendir(task);
        for (struct dirent *thread; threads && (thread = readdir(threads));) {
            snprintf(path, sizeof path, "%s/stat", thread->d_name);
            if (thread->d_name[0] == '.' || !read_text(task, path, text, sizeof text))
                continue;
            char *after = strrchr(text, ')');
            if (after && (after[2] == 'R' || after[2] == 'D'))
                reply->running++;
            snprintf(path, sizeof path, "%s/syscall", thread->d_name);
            long number = -1;
            unsigned long first = 1;
            if (read_text(task, path, text, sizeof text) && sscanf(text, "%ld 0x%lx", &number, &first) == 2 &&
                (number == SYS_read || number == SYS_readv) && first == 0)
                reply->reading++;
        }
        if (threads)
            closedir(threads);
    }
}

/* Signal all processes of the worker's user and no other: whoever has no capabilities can't reach further. */
static int kill_all_of_worker(void *unused)
{
    (void)unused;
    if (worker_uid && become_worker() == 0 && getuid() == worker_uid && geteuid() == worker_uid)
        kill(-1, SIGKILL);
    _exit(0);
}

static void kill_tree(void)
{
    if (tier == 3) {
        if (getpid() == 1) /* process 1 of our own namespace: -1 is the run, and nobody else */
            kill(-1, SIGKILL);
        return;
    }
    if (worker_uid) {
        int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
        waitpid(clone(kill_all_of_worker, child_stack + sizeof child_stack, flags, NULL), NULL, 0);
    }
    for (int round = 0; round < 2; round++) { /* stop first: a stopped process forks no more */
        list_tree();
        for (int i = 0; i < tree_size; i++)
            kill(tree[i], round ? SIGKILL : SIGSTOP);
    }
}

/* ---- one run ---- */

struct outcome {
    pid_t pid;
    int status;
    int64_t ended_ns, reaped_ns; /* CPU time of those that we have reaped */
    uint64_t memory, resident; /* the largest look at all of it; the largest process */
    enum reason reason;
};

static void count_reaped(struct outcome *outcome, pid_t pid, int status, const struct rusage *usage)
{
    uint64_t peak = (uint64_t)usage->ru_maxrss * 1024;
    outcome->reaped_ns += usage->ru_utime.tv_sec * SECOND + usage->ru_utime.tv_usec * 1000LL +
                          usage->ru_stime.tv_sec * SECOND + usage->ru_stime.tv_usec * 1000LL;
    if (peak > outcome->resident)
        outcome->resident = peak;
    if (pid == outcome->pid)
        outcome->status = status;
}

/* Reap orphans while the program runs; it itself stays, so that its number is not given to another. */
static void reap_orphans(struct outcome *outcome)
{
    struct rusage usage;
    siginfo_t info;
    int status;
    for (;;) {
        info.si_pid = 0;
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) < 0 || info.si_pid == 0 ||
            info.si_pid == outcome->pid)
            return;
        pid_t pid = wait4(info.si_pid, &status, WNOHANG | __WALL, &usage);
        if (pid <= 0)
            return;
        count_reaped(outcome, pid, status, &usage);
    }
}

/* Kill whatever is left and reap it: only then is the CPU time of the tree complete. That we have no child means
 * that nothing is left, for orphans become our children. */
static void end_all(struct outcome *outcome)
{
    struct rusage usage;
    int status, flags = __WALL | WNOHANG;
    for (;;) {
        pid_t pid = wait4(-1, &status, flags, &usage);
        if (pid < 0 && errno == ECHILD)
            return;
        if (pid > 0) {
            count_reaped(outcome, pid, status, &usage);
            continue;
        }
        kill_tree();
        if (tier == 3) /* nothing escapes kill(-1), so wait for it */
            flags = __WALL;
        else
            usleep(100);
    }
}

static void die(struct outcome *outcome)
{
    end_all(outcome);
    _exit(0);
}

static void answer_activity(const struct run *run, const struct outcome *outcome)
{
    struct reply reply = {.kind = ACTIVITY};
    struct usage usage = look();
    reply.cpu_ns = (uint64_t)(usage.cpu_ns + outcome->reaped_ns - run->overhead_ns);
    look_at_activity(&reply);
    send_reply(&reply);
}

/* A message while a program runs: kill it, or say what it does. End of file: the judge is gone. */
static void hear(const struct run *run, struct outcome *outcome)
{
    struct request message;
    ssize_t n = recv(SOCKET, &message, sizeof message, 0);
    if (n <= 0)
        die(outcome);
    if (n == sizeof message && message.kind == KILL_PROGRAM && outcome->reason == NOT_KILLED)
        outcome->reason = message.reason;
    if (n == sizeof message && message.kind == ASK_ACTIVITY)
        answer_activity(run, outcome);
}

static void hold_limits(const struct run *run, struct outcome *outcome, int64_t *next_look_ns)
{
    const struct request *r = run->request;
    reap_orphans(outcome);
    struct usage usage = look();
    int64_t cpu_ns = usage.cpu_ns + outcome->reaped_ns - run->overhead_ns;
    if (usage.memory > outcome->memory)
        outcome->memory = usage.memory;
    if (cpu_ns > (int64_t)r->cpu_ns)
        outcome->reason = FOR_CPU;
    else if (usage.memory > r->memory)
        outcome->reason = FOR_MEMORY;
    else if (output_size(run->streams) > r->output)
        outcome->reason = FOR_OUTPUT;
    else if (clock_ns(CLOCK_MONOTONIC) - run->started_ns > (int64_t)r->wall_ns)
        outcome->reason = FOR_WALL;
    int64_t wait_ns = ((int64_t)r->cpu_ns - cpu_ns) / cpu_count; /* sooner the limit cannot be reached */
    wait_ns = wait_ns > LOOK_NS ? LOOK_NS : wait_ns < SHORTEST_LOOK_NS ? SHORTEST_LOOK_NS : wait_ns;
    *next_look_ns = clock_ns(CLOCK_MONOTONIC) + wait_ns;
}

static void watch(const struct run *run, struct outcome *outcome, int program_fd)
{
    struct pollfd polled[3] = {{program_fd, POLLIN, 0}, {SOCKET, POLLIN, 0}, {judge_fd, POLLIN, 0}};
    int64_t first_ns = (int64_t)run->request->cpu_ns / cpu_count;
    int64_t next_ns = run->started_ns + (first_ns < LOOK_NS ? first_ns : LOOK_NS);
    while (outcome->reason == NOT_KILLED) {
        int64_t wait_ns = next_ns - clock_ns(CLOCK_MONOTONIC);
        struct timespec timeout = {0, wait_ns > 0 ? wait_ns : 0};
        int ready = ppoll(polled, 3, &timeout, NULL);
        if (ready > 0 && polled[0].revents)
            break;
        if (ready > 0 && polled[2].revents)
            die(outcome);
        if (ready > 0 && polled[1].revents)
            hear(run, outcome);
        if (outcome->reason == NOT_KILLED && clock_ns(CLOCK_MONOTONIC) >= next_ns) /* also when asked all the time */
            hold_limits(run, outcome, &next_ns);
    }
    outcome->ended_ns = clock_ns(CLOCK_MONOTONIC);
}

static enum reason reason_of(const struct run *run, const struct outcome *outcome)
{
    if (outcome->reason != NOT_KILLED)
        return outcome->reason;
    if (WIFSIGNALED(outcome->status) && WTERMSIG(outcome->status) == SIGXFSZ)
        return FOR_OUTPUT;
    if (WIFSIGNALED(outcome->status) && WTERMSIG(outcome->status) == SIGXCPU)
        return FOR_CPU;
    return output_size(run->streams) > run->request->output ? FOR_OUTPUT : NOT_KILLED;
}

/* Files are looked at again for their size. A pipe must be the program's alone, or its other end never sees the end. */
static void let_go_of_pipes(struct run *run)
{
    struct stat s;
    for (int i = 0; i < 3; i++)
        if (fstat(run->streams[i], &s) == 0 && !S_ISREG(s.st_mode)) {
            close(run->streams[i]);
            run->streams[i] = -1;
        }
}

static void start_and_watch(struct run *run, struct reply *reply)
{
    struct outcome outcome = {0};
    int program_fd = -1;
    int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
    outcome.pid = clone(become_program, child_stack + sizeof child_stack, flags, run, &program_fd);
    if (outcome.pid < 0) {
        fail("vfork");
        return;
    }
    let_go_of_pipes(run);
    if (!failed_stage)
        watch(run, &outcome, program_fd);
    end_all(&outcome);
    close(program_fd);
    if (run->started_ns == 0) { /* somebody killed it before it became the program */
        errno = EINTR;
        fail("start");
    }
    int64_t cpu_ns = outcome.reaped_ns - run->overhead_ns;
    uint64_t at_end = outcome.resident + tmp_memory(0);
    reply->status = outcome.status;
    reply->cpu_ns = cpu_ns > 0 ? (uint64_t)cpu_ns : 0;
    reply->wall_ns = (uint64_t)(outcome.ended_ns - run->started_ns);
    reply->memory = at_end > outcome.memory ? at_end : outcome.memory;
    reply->output = output_size(run->streams);
    reply->reason = reason_of(run, &outcome);
}

/* Take a list of strings off a request; the list ends with NULL. Returns where the next one starts. */
static char *take(char *text, const char *end, uint32_t count, char ***slot, char ***list)
{
    *list = *slot;
    for (uint32_t i = 0; i < count && text < end; i++, text += strlen(text) + 1)
        *(*slot)++ = text;
    *(*slot)++ = NULL;
    return text;
}

/* Split the strings of a request; false if it is not well formed. */
static bool parse(struct run *run, char *text, const char *end, char **slot)
{
    const struct request *r = run->request;
    char **first;
    if ((uint64_t)r->argc + r->envc + r->readablec > LIST_SIZE - 8 || r->argc == 0 || end[-1] != 0)
        return false;
    text = take(text, end, 2, &slot, &first);
    text = take(text, end, r->argc, &slot, &run->argv);
    text = take(text, end, r->envc, &slot, &run->environment);
    text = take(text, end, r->readablec, &slot, &run->readable);
    run->directory = first[0];
    run->stdin_path = first[1];
    return text == end && first[0] && first[1] && run->argv[0];
}

static void serve_run(char *message, size_t length, int streams[3])
{
    static char *slots[LIST_SIZE];
    static char key[MESSAGE_SIZE];
    struct run run = {.request = (struct request *)message, .ruleset = -1};
    struct reply reply = {.kind = RESULT};
    memcpy(run.streams, streams, sizeof run.streams);
    errno = EBADMSG;
    if (!parse(&run, message + sizeof(struct request), message + length, slots))
        fail("request");
    if (!failed_stage) {
        size_t used = (size_t)snprintf(key, sizeof key, "%u %llu %s", run.request->flags & WRITABLE_DIRECTORY,
                                       (unsigned long long)run.request->tmp_size, run.directory);
        for (uint32_t i = 0; i < run.request->readablec; i++)
            used += (size_t)snprintf(key + used, sizeof key - used, "\n%s", run.readable[i]);
        if (lay_out(&run, key, used) == 0 && reopen_stdin(&run) == 0 &&
            (tier < 2 || landlock_abi == 0 || (run.ruleset = make_ruleset(run.streams)) >= 0))
            start_and_watch(&run, &reply);
    }
    for (int i = 0; i < 3; i++)
        close(run.streams[i]);
    if (run.ruleset >= 0)
        close(run.ruleset);
    send_reply(&reply);
}

static void serve(void)
{
    static char message[MESSAGE_SIZE] __attribute__((aligned(16)));
    struct pollfd polled[2] = {{SOCKET, POLLIN, 0}, {judge_fd, POLLIN, 0}};
    for (;;) {
        union { struct cmsghdr header; char space[CMSG_SPACE(3 * sizeof(int))]; } control;
        struct iovec part = {message, sizeof message};
        struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                                .msg_controllen = sizeof control};
        if (poll(polled, 2, -1) > 0 && polled[1].revents)
            _exit(0);
        ssize_t n = recvmsg(SOCKET, &header, MSG_CMSG_CLOEXEC);
        if (n <= 0)
            _exit(0);
        struct cmsghdr *c = CMSG_FIRSTHDR(&header);
        if (n > (ssize_t)sizeof(struct request) && c && c->cmsg_len == CMSG_LEN(3 * sizeof(int)))
            serve_run(message, (size_t)n, (int *)(void *)CMSG_DATA(c));
    }
}

/* ---- starting ---- */

/* What no run needs and the keeper no more: it is inherited, so it costs a run nothing. */
static void lock_keeper(void)
{
    for (int i = 0; i <= 63; i++)
        prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
    prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                                 SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED);
    prctl(PR_SET_DUMPABLE, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        give_up("no_new_privs");
    build_worker_filter(&program, MACHINE);
    if (install(&program) < 0)
        give_up("seccomp");
}

static void prepare(void)
{
    landlock_abi = (int)syscall(SYS_LANDLOCK_CREATE_RULESET, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (landlock_abi < 0 || tier < 2)
        landlock_abi = 0;
    if (tier == 2 && landlock_abi == 0) {
        errno = ENOSYS;
        give_up("Landlock");
    }
    cpu_count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    judge_fd = (int)syscall(SYS_PIDFD_OPEN, getppid(), 0);
    write_text("/proc/self/oom_score_adj", "800"); /* when the machine is short of memory, the program dies */
    if (tier == 3) {
        enter_namespaces();
        build_root();
    } else
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (landlock_abi) {
        each_system_path(allow_system_path);
        if (tier == 3)
            allow("/proc", LANDLOCK_READ);
        else
            allow("/etc/ssl/openssl.cnf", LANDLOCK_READ); /* Node goes without it only where it is not there */
        for (int i = 0; DEVICES[i]; i++)
            allow(DEVICES[i], LANDLOCK_READ | LANDLOCK_WRITE_FILE | LANDLOCK_TRUNCATE);
    }
    fixed_rules = rule_count;
    lock_keeper();
}

static void dump(const struct program *p)
{
    for (int i = 0; i < p->length; i++)
        printf("%u %u %u %u\n", p->code[i].code, p->code[i].jt, p->code[i].jf, p->code[i].k);
    printf("\n");
}

static int dump_filters(const char *machine, unsigned parts, uint32_t own_pid)
{
    enum machine which = strcmp(machine, "aarch64") == 0 ? AARCH64 : X86_64;
    build_worker_filter(&program, which);
    dump(&program);
    build_run_filter(&program, which, parts, own_pid);
    dump(&program);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--dump-filter") == 0)
        return dump_filters(argv[2], (unsigned)atoi(argv[3]), (uint32_t)atoi(argv[4]));
    if (argc < 4) {
        fprintf(stderr, "usage: launcher TIER UID SOCKET [GROUP...]\n");
        return 2;
    }
    for (int i = 4; i < argc; i++) /* an extra: nothing is lost but the kernel's own cap when it fails */
        if (write(atoi(argv[i]), "0", 1) != 1)
            break;
    if (dup2(atoi(argv[3]), SOCKET) < 0 || syscall(SYS_CLOSE_RANGE, SOCKET + 1, ~0U, 0) < 0)
        return 2;
    struct reply ready = {.kind = READY};
    tier = atoi(argv[1]);
    worker_uid = geteuid() == 0 ? (uid_t)atoi(argv[2]) : 0;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL); /* programs inherit what is ignored or blocked */
    fcntl(SOCKET, F_SETFD, FD_CLOEXEC);
    prepare();
    ready.running = (uint32_t)landlock_abi;
    send_reply(&ready);
    serve();
}
