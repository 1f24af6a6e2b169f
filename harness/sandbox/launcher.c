/* The launcher: a server, one a worker, that starts programs behind walls and measures them.
 *
 *   launcher TIER UID SOCKET LOCK [GROUP…]    serve on that SOCK_SEQPACKET descriptor; launcher.py is its other end.
 *                                             LOCK (-1: none) reserves UID as long as it is open. Each GROUP is a
 *                                             descriptor of a cgroup.procs to join first.
 *   launcher --dump-filter MACHINE PARTS PID    print the filters, for the tests
 *
 * At T3 the process that was started only waits: its child, the *keeper*, is process 1 of a PID namespace and
 * serves. Walls that can be shared by all runs of a worker are built once (namespaces, root, /proc, the big
 * seccomp filter); a run costs one vfork, its credentials and limits, a small filter and Landlock. A run leaves
 * nothing behind: before its result is sent, kill(-1) empties the PID namespace; before the next one, /tmp is
 * thrown away unless it is provably untouched. At T2 and T1 the started process is the keeper itself.
 *
 * filter.h builds the seccomp filters from syscalls.h, walls.h the other walls, measure.h looks at processes,
 * signals.h sends their signals where nothing else keeps those within the run.
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
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "filter.h"
#include "kernel.h"

#define SOCKET 3
#define LOCK 4
#define MESSAGE_SIZE (160 * 1024)
#define LIST_SIZE 4096
#define RULES 96
#define MOUNTS 64
#define LOOK_NS 10000000LL      /* how often memory is looked at */
#define WINDOW_NS 200000000LL   /* long enough that a program on a loaded machine gets its turn in each */
#define LAST_WINDOW_NS 50000000LL /* shorter ones are not looked at once more when the program has ended */
#define SHORTEST_LOOK_NS 200000LL
#define THREAD_LISTS 16         /* how often the threads of a process are listed to find one that lives */
#define LOOKS_A_COUNT 8         /* what is written in all is counted in one look of so many */
#define DATA_SLACK (64ULL << 20) /* binary, libraries and thread stacks, above the limit on memory */
#define ADDRESS_SPACE (64ULL << 30) /* bounds page tables, which no size shows; Java and Node reserve much */
#define DEFAULT_STACK (8ULL << 20) /* whatever the judge's own shell says (ulimit -s): see limits.py */
#define THREAD_STACKS 8 /* each is as large as the main stack may grow, but only reserved: see limits.py */
#define TMP_INODES 1024
#define THREADS_OF_OTHERS 1024 /* of the same user, that may start during a run */
#define OPEN_FILES 64 /* a pair of sockets holds 0.4 MB in the kernel that nobody counts */
#define OPEN_FILES_COMPILER 1024
#define SECOND 1000000000LL

/* ---- the protocol: launcher.py packs and unpacks the same structures ---- */

enum kind { RUN_PROGRAM = 1, KILL_PROGRAM, ASK_ACTIVITY, READY, RESULT, ACTIVITY };
enum { MAY_FORK = 1, WRITABLE_DIRECTORY = 2, CAP_DATA = 4, SHARED_ONCE = 8, CAP_ADDRESSES = 16, SUBMISSION_RULES = 32 };
enum reason { NOT_KILLED, FOR_CPU, FOR_WALL, FOR_IDLE, FOR_MEMORY, FOR_OUTPUT, FOR_REQUEST };

/* Then strings, each ended by a NUL: directory, working directory, stdin's path or "", argv, environment, readable. */
struct request {
    uint32_t kind, flags, threads, reason;
    uint64_t cpu_ns, wall_ns, memory, output, stack, tmp_size;
    uint32_t argc, envc, readablec, written_mib; /* in all, pipes too; 0: no cap */
};

struct reply {
    uint32_t kind;
    int32_t status, error;
    uint32_t reason;
    uint64_t cpu_ns, wall_ns, asleep_ns, starved_ns, memory, output;
    uint32_t running, reading, sleeping, unused; /* ACTIVITY; READY: the Landlock ABI */
    char stage[64];
};

/* ---- the state of the keeper: one worker, one thread, one run at a time ---- */

#define PROGRAMS_GID 61183 /* a group of the programs of all workers, and of nobody else; launcher.py has it too */

struct rule { int fd; uint64_t access; };
struct made { char path[PATH_MAX]; struct timespec changed; };

static int tier;
static uid_t worker_uid; /* 0: keep our own (we are an ordinary user, or the root of a namespace with no other) */
static int landlock_abi;
static bool counts_apart; /* the programs' processes, in a user namespace of their own */
static int judge_fd = -1;                     /* pidfd of who started us: its death ends everything */
static int host_ns = -1, box_ns = -1;         /* T3: the host's mounts, all read-only; the programs' root */
static int host_root = -1, proc_fd = -1;
static int own_io_fd = -1;                    /* what we and all that we have reaped have written */
static int cpu_count;
static char layout_key[2 * MESSAGE_SIZE];     /* directory, flags and readable paths of the mounts as they stand */
static size_t layout_length;
static struct statfs fresh_tmp;
static struct made made[MOUNTS];              /* directories under /tmp that we made for mounts; [0] is /tmp */
static int made_count;
static char bound[MOUNTS][PATH_MAX];          /* mounts outside /tmp */
static int bound_count;
static struct rule rules[RULES];
static int rule_count, fixed_rules;
static int zero_rule = -1;                    /* not for submissions: mapped, it is memory that no size shows */
static char child_stack[64 * 1024] __attribute__((aligned(16)));
static const char *failed_stage;              /* where the sandbox itself failed; the cause is in failed_errno */
static int failed_errno;

struct run {
    struct request *request;
    const char *directory, *working_directory, *stdin_path;
    char **argv, **environment, **readable;
    int streams[3], ruleset, handover; /* a socket by which the child hands over its filter's listener */
    bool talks; /* its standard output is a pipe */
    int64_t started_ns, overhead_ns; /* written by the child just before it becomes the program */
};

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

#include "walls.h"

/* ---- the child, between vfork and exec: it shares our memory ---- */

static int cap(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit limit = {soft, hard};
    return setrlimit(resource, &limit);
}

/* Who may write files has a compiler's rights, unless it is said that it is a submission all the same. */
static bool is_submission(const struct request *r)
{
    return !(r->flags & WRITABLE_DIRECTORY) || r->flags & SUBMISSION_RULES;
}

/* RLIMIT_NPROC counts all that a user runs anywhere. Programs are counted alone where they have a user id of their own,
 * or a user namespace (Linux 5.14). Elsewhere the limit only bounds a fork bomb: nobody's programs have more threads than
 * the whole machine has now, and others may start some during the run. */
static uint64_t process_limit(const struct request *r)
{
    struct rlimit now;
    char text[128];
    unsigned long long all;
    if (worker_uid || counts_apart)
        return r->threads + (worker_uid ? 0 : 2); /* in the namespace we count, too */
    getrlimit(RLIMIT_NPROC, &now);
    if (!read_text(proc_fd, "loadavg", text, sizeof text) || sscanf(text, "%*s %*s %*s %*d/%llu", &all) != 1)
        return now.rlim_max;
    all += r->threads + THREADS_OF_OTHERS;
    return all < now.rlim_max ? all : now.rlim_max;
}

/* No RLIMIT_CPU: with it the kernel keeps the CPU clock of a process by ticks of up to 10 ms, for us and for the
 * program's own clock(). A limit of 0 on core files would not hold where they are piped to a program; 1 does. */
static int set_limits(const struct request *r)
{
    struct rlimit stack;
    uint64_t data = r->flags & CAP_DATA ? r->memory + DATA_SLACK + THREAD_STACKS * r->stack : RLIM_INFINITY;
    uint64_t addresses = r->flags & CAP_ADDRESSES ? ADDRESS_SPACE : RLIM_INFINITY; /* then page tables count */
    uint64_t files = is_submission(r) ? OPEN_FILES : OPEN_FILES_COMPILER;
    uint64_t processes = process_limit(r);
    getrlimit(RLIMIT_STACK, &stack);
    uint64_t stack_size = r->stack ? r->stack : DEFAULT_STACK < stack.rlim_max ? DEFAULT_STACK : stack.rlim_max;
    return cap(RLIMIT_FSIZE, r->output + 1, r->output + 1) < 0 || cap(RLIMIT_DATA, data, data) < 0 ||
           cap(RLIMIT_STACK, stack_size, stack_size) < 0 || cap(RLIMIT_AS, addresses, addresses) < 0 ||
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

/* So that it may open /dev/stdout (of a game: /dev/stdin) again, as it may where we are an ordinary user. Who has no
 * right to give keeps it. A pipe is for both its ends, and nobody else has a way to it. */
static void give_streams(uid_t uid)
{
    struct stat s;
    for (int i = 0; uid && i < 3; i++) {
        if (fstat(i, &s) < 0)
            continue;
        if (S_ISFIFO(s.st_mode) ? fchmod(i, 0666) < 0 : i && S_ISREG(s.st_mode) && fchown(i, uid, (gid_t)-1) < 0)
            return;
    }
}

static int become_worker(void)
{
    gid_t group = PROGRAMS_GID;
    if (worker_uid && (setgroups(1, &group) < 0 || setresgid(worker_uid, worker_uid, worker_uid) < 0 ||
                       setresuid(worker_uid, worker_uid, worker_uid) < 0))
        return -1;
    return drop_capabilities();
}

static int install(const struct program *program, unsigned flags)
{
    struct sock_fprog filter = {program->length, (struct sock_filter *)program->code};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW | flags, &filter);
}

static unsigned filter_parts(const struct request *r)
{
    unsigned signals = r->flags & MAY_FORK ? FILTER_ASK : FILTER_SIGNALS;
    return (r->flags & MAY_FORK ? 0 : FILTER_NO_FORK) | (r->flags & WRITABLE_DIRECTORY ? 0 : FILTER_ATTRIBUTES) |
           (is_submission(r) ? FILTER_SUBMISSION : 0) |
           (tier < 3 && landlock_abi < 6 ? signals : 0) | (tier < 3 && landlock_abi < 3 ? FILTER_TRUNCATE : 0);
}

static struct program program;

#include "measure.h"
#include "signals.h"

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
    if (!(run->request->flags & CAP_ADDRESSES))
        personality(ADDR_NO_RANDOMIZE); /* what wants a place of its own for terabytes may find it taken else */
    give_streams(worker_uid);
    if (become_worker() < 0)
        return fail("dropping privileges");
    if (chdir(run->working_directory) < 0)
        return fail("working directory");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (run->ruleset >= 0 && !(run->request->flags & CAP_ADDRESSES))
        allow_own_process(run->ruleset);
    if (run->ruleset >= 0 && syscall(SYS_LANDLOCK_RESTRICT_SELF, run->ruleset, 0) < 0)
        return fail("Landlock");
    bool hands_over = run->handover >= 0 && dup3(run->handover, SOCKET, O_CLOEXEC) == SOCKET;
    if (syscall(SYS_CLOSE_RANGE, SOCKET + hands_over, ~0U, 0) < 0)
        return fail("close_range");
    if (install_run_filter(run->request, SOCKET) < 0)
        return fail("seccomp");
    run->overhead_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    run->started_ns = clock_ns(CLOCK_MONOTONIC);
    execve(run->argv[0], run->argv, run->environment);
    return fail("exec");
}

/* ---- one run ---- */

struct outcome {
    pid_t pid;
    int status;
    int64_t ended_ns, reaped_ns; /* CPU time of those that we have reaped */
    uint64_t memory, resident; /* the largest look at all of it; the largest process */
    int64_t window_ns, window_cpu_ns, idle_ns; /* for the wall limit, see idles_too_long */
    int64_t window_starved_ns, starved_ns, delay_ns; /* waiting for a core: in this window, in all; the last sum read */
    unsigned looks;
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
    struct usage usage = look(UINT64_MAX / 2);
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

/* A disk is not filled by files that are each small enough. */
static bool writes_too_much(const struct request *r, struct outcome *outcome)
{
    if (!r->written_mib || ++outcome->looks % LOOKS_A_COUNT != 0)
        return false;
    struct written written = written_by_run(true);
    return (written.called > written.dirtied ? written.called : written.dirtied) >> 20 > r->written_mib;
}

/* Adds what the threads of the tree as listed last have waited for a core since this was asked last. Of a thread that
 * has ended nothing is known any more, so the sum may be too small, never too large. */
static void count_starving(struct outcome *outcome)
{
    int64_t delay_ns = delay_of_tree(), more_ns = delay_ns - outcome->delay_ns;
    outcome->delay_ns = delay_ns;
    outcome->window_starved_ns += more_ns > 0 ? more_ns : 0;
    outcome->starved_ns += more_ns > 0 ? more_ns : 0;
}

/* Whether it slept in a window: it neither used nor waited for a tenth of one core. */
static bool slept(const struct outcome *outcome, int64_t window_ns, int64_t cpu_ns)
{
    return (cpu_ns - outcome->window_cpu_ns + outcome->window_starved_ns) * 10 < window_ns;
}

/* The wall limit is there against sleepers. A program that a loaded machine starves computes all the same, and the
 * CPU limit holds it: so only windows count in which it slept, and at whose end it does not wait for a core. After ten
 * times the limit only what still gets a hundredth of a core goes on. */
static bool idles_too_long(const struct run *run, struct outcome *outcome, int64_t cpu_ns)
{
    int64_t now_ns = clock_ns(CLOCK_MONOTONIC), limit_ns = (int64_t)run->request->wall_ns;
    int64_t window_ns = now_ns - outcome->window_ns;
    bool over = outcome->idle_ns + window_ns > limit_ns, complete = window_ns >= WINDOW_NS;
    if (over || complete)
        count_starving(outcome);
    bool idle = (over || complete) && slept(outcome, window_ns, cpu_ns) && !wants_a_core();
    if (idle && over)
        return true;
    if (complete) {
        outcome->idle_ns += idle ? window_ns : 0;
        outcome->window_ns = now_ns;
        outcome->window_cpu_ns = cpu_ns;
        outcome->window_starved_ns = 0;
    }
    int64_t passed_ns = now_ns - run->started_ns;
    return passed_ns > 10 * limit_ns && cpu_ns * 100 < passed_ns;
}

/* What came after the last window, once the program has ended and before it is reaped. Too dear for every short run. */
static void count_last_window(const struct run *run, struct outcome *outcome)
{
    int64_t window_ns = outcome->ended_ns - outcome->window_ns;
    if (window_ns < LAST_WINDOW_NS)
        return;
    int64_t cpu_ns = look(UINT64_MAX / 2).cpu_ns + outcome->reaped_ns - run->overhead_ns;
    count_starving(outcome);
    outcome->idle_ns += slept(outcome, window_ns, cpu_ns) ? window_ns : 0;
}

static void hold_limits(const struct run *run, struct outcome *outcome, int64_t *next_look_ns)
{
    const struct request *r = run->request;
    reap_orphans(outcome);
    struct usage usage = look(r->flags & SHARED_ONCE ? outcome->memory : r->memory);
    int64_t cpu_ns = usage.cpu_ns + outcome->reaped_ns - run->overhead_ns;
    if (usage.memory > outcome->memory)
        outcome->memory = usage.memory;
    if (cpu_ns > (int64_t)r->cpu_ns)
        outcome->reason = FOR_CPU;
    else if (usage.memory > r->memory)
        outcome->reason = FOR_MEMORY;
    else if (output_size(run->streams) > r->output || writes_too_much(r, outcome))
        outcome->reason = FOR_OUTPUT;
    else if (idles_too_long(run, outcome, cpu_ns))
        outcome->reason = FOR_WALL;
    int64_t wait_ns = ((int64_t)r->cpu_ns - cpu_ns) / cpu_count; /* sooner the limit cannot be reached */
    wait_ns = wait_ns > LOOK_NS ? LOOK_NS : wait_ns < SHORTEST_LOOK_NS ? SHORTEST_LOOK_NS : wait_ns;
    *next_look_ns = clock_ns(CLOCK_MONOTONIC) + wait_ns;
}

static void watch(const struct run *run, struct outcome *outcome, int program_fd, int listener)
{
    struct pollfd polled[4] = {
        {program_fd, POLLIN, 0}, {SOCKET, POLLIN, 0}, {judge_fd, POLLIN, 0}, {listener, POLLIN, 0}};
    int64_t first_ns = (int64_t)run->request->cpu_ns / cpu_count;
    outcome->window_ns = run->started_ns;
    int64_t next_ns = run->started_ns + (first_ns < LOOK_NS ? first_ns : LOOK_NS);
    while (outcome->reason == NOT_KILLED) {
        int64_t wait_ns = next_ns - clock_ns(CLOCK_MONOTONIC);
        struct timespec timeout = {0, wait_ns > 0 ? wait_ns : 0};
        int ready = ppoll(polled, 4, &timeout, NULL);
        if (ready > 0 && polled[0].revents)
            break;
        if (ready > 0 && polled[2].revents)
            die(outcome);
        if (ready > 0 && polled[1].revents)
            hear(run, outcome);
        if (ready > 0 && polled[3].revents & POLLIN)
            answer_signal(listener);
        if (outcome->reason == NOT_KILLED && clock_ns(CLOCK_MONOTONIC) >= next_ns) /* also when asked all the time */
            hold_limits(run, outcome, &next_ns);
    }
    outcome->ended_ns = clock_ns(CLOCK_MONOTONIC);
    count_last_window(run, outcome);
}

static enum reason reason_of(const struct run *run, const struct outcome *outcome)
{
    if (outcome->reason != NOT_KILLED)
        return outcome->reason;
    if (WIFSIGNALED(outcome->status) && WTERMSIG(outcome->status) == SIGXFSZ)
        return FOR_OUTPUT;
    /* SIGXCPU is not ours: whoever dies of it has sent it, or set the limit for it, himself. */
    return output_size(run->streams) > run->request->output ? FOR_OUTPUT : NOT_KILLED;
}

/* Files are looked at again for their size. A pipe must be the program's alone, or its other end never sees the end. */
static void let_go_of_pipes(struct run *run)
{
    struct stat s;
    for (int i = 0; i < 3; i++)
        if (fstat(run->streams[i], &s) == 0 && !S_ISREG(s.st_mode)) {
            run->talks |= i == 1 && S_ISFIFO(s.st_mode);
            close(run->streams[i]);
            run->streams[i] = -1;
        }
}

static void start_and_watch(struct run *run, struct reply *reply)
{
    struct outcome outcome = {0};
    uint64_t said = 0;
    int program_fd = -1, handover[2] = {-1, -1};
    int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
    counts_page_tables = !(run->request->flags & CAP_ADDRESSES);
    if (filter_parts(run->request) & FILTER_ASK && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, handover) < 0) {
        fail("socketpair");
        return;
    }
    run->handover = handover[1];
    outcome.pid = clone(become_program, child_stack + sizeof child_stack, flags, run, &program_fd);
    int listener = take_listener(handover[0]);
    for (int i = 0; i < 2; i++)
        if (handover[i] >= 0)
            close(handover[i]);
    if (outcome.pid < 0) {
        fail("vfork");
        return;
    }
    let_go_of_pipes(run);
    written_before = (struct written){0};
    if (run->talks || run->request->written_mib)
        add_written(own_io_fd, &written_before);
    if (!failed_stage)
        watch(run, &outcome, program_fd, listener);
    end_all(&outcome);
    if (listener >= 0)
        close(listener);
    if (run->talks)
        said = written_by_run(false).called; /* the kernel may dirty a page of its own, such as a time of access */
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
    reply->asleep_ns = (uint64_t)outcome.idle_ns;
    reply->starved_ns = (uint64_t)outcome.starved_ns;
    reply->memory = at_end > outcome.memory ? at_end : outcome.memory;
    reply->output = output_size(run->streams) + said;
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
    if ((uint64_t)r->argc + r->envc + r->readablec > LIST_SIZE - 9 || r->argc == 0 || end[-1] != 0)
        return false;
    text = take(text, end, 3, &slot, &first);
    text = take(text, end, r->argc, &slot, &run->argv);
    text = take(text, end, r->envc, &slot, &run->environment);
    text = take(text, end, r->readablec, &slot, &run->readable);
    run->directory = first[0];
    run->working_directory = first[1];
    run->stdin_path = first[2];
    return text == end && first[0] && first[1] && first[2] && run->argv[0];
}

/* What the mounts and rules of a run are made from: paths and the very files that are there now. (A file that is
 * mounted or ruled keeps its number, so the number tells a new directory of the same name.) */
static size_t describe_layout(const struct run *run, char *key, size_t size)
{
    const struct request *r = run->request;
    int used = snprintf(key, size, "%u %llu", r->flags & WRITABLE_DIRECTORY, (unsigned long long)r->tmp_size);
    for (uint32_t i = 0; i <= r->readablec; i++) {
        const char *path = i < r->readablec ? run->readable[i] : run->directory;
        struct stat s = {0};
        stat_of_host(path, &s);
        used += snprintf(key + used, size - (size_t)used, "\n%llx %llx %s", (unsigned long long)s.st_dev,
                         (unsigned long long)s.st_ino, path);
    }
    return (size_t)used;
}

static void serve_run(char *message, size_t length, int streams[3])
{
    static char *slots[LIST_SIZE];
    static char key[2 * MESSAGE_SIZE];
    struct run run = {.request = (struct request *)message, .ruleset = -1};
    struct reply reply = {.kind = RESULT};
    memcpy(run.streams, streams, sizeof run.streams);
    errno = EBADMSG;
    if (!parse(&run, message + sizeof(struct request), message + length, slots))
        fail("request");
    if (!failed_stage) {
        size_t used = describe_layout(&run, key, sizeof key);
        if (lay_out(&run, key, used) == 0 && reopen_stdin(&run) == 0 &&
            (tier < 2 || landlock_abi == 0 || (run.ruleset = make_ruleset(run.streams, is_submission(run.request))) >= 0))
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
    if (install(&program, 0) < 0)
        give_up("seccomp");
}

static bool kernel_is(int major, int minor)
{
    struct utsname name;
    int found[2] = {0, 0};
    return uname(&name) == 0 && sscanf(name.release, "%d.%d", &found[0], &found[1]) == 2 &&
           (found[0] > major || (found[0] == major && found[1] >= minor));
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
    counts_apart = tier == 3 && !worker_uid && kernel_is(5, 14);
    judge_fd = (int)syscall(SYS_PIDFD_OPEN, getppid(), 0);
    write_text("/proc/self/oom_score_adj", "800"); /* when the machine is short of memory, the program dies */
    if (tier == 3) {
        enter_namespaces();
        build_root();
    } else
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    own_io_fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC); /* later it is root's, see PR_SET_DUMPABLE */
    if (landlock_abi) {
        each_system_path(allow_system_path);
        if (tier == 3)
            allow("/proc", LANDLOCK_READ);
        else
            allow("/etc/ssl/openssl.cnf", LANDLOCK_READ); /* Node goes without it only where it is not there */
        for (int i = 0; DEVICES[i]; i++) {
            if (strcmp(DEVICES[i], "/dev/zero") == 0)
                zero_rule = rule_count;
            allow(DEVICES[i], LANDLOCK_READ | LANDLOCK_WRITE_FILE | LANDLOCK_TRUNCATE);
        }
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
    if (argc < 5) {
        fprintf(stderr, "usage: launcher TIER UID SOCKET LOCK [GROUP...]\n");
        return 2;
    }
    for (int i = 5; i < argc; i++) /* an extra: nothing is lost but the kernel's own cap when it fails */
        if (write(atoi(argv[i]), "0", 1) != 1)
            break;
    int lock = fcntl(atoi(argv[4]), F_DUPFD, LOCK); /* it may stand where the socket goes */
    if (dup2(atoi(argv[3]), SOCKET) < 0)
        return 2;
    int first_unused = dup2(lock, LOCK) < 0 ? LOCK : LOCK + 1;
    if (syscall(SYS_CLOSE_RANGE, first_unused, ~0U, 0) < 0)
        return 2;
    struct reply ready = {.kind = READY};
    tier = atoi(argv[1]);
    worker_uid = geteuid() == 0 ? (uid_t)atoi(argv[2]) : 0;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL); /* programs inherit what is ignored or blocked */
    umask(022); /* what we make in the root is for the programs' user, whatever the judge's shell says */
    fcntl(SOCKET, F_SETFD, FD_CLOEXEC);
    fcntl(LOCK, F_SETFD, FD_CLOEXEC);
    prepare();
    ready.running = (uint32_t)landlock_abi;
    send_reply(&ready);
    serve();
}
