/* Finds the processes of a run, measures and kills them. Part of launcher.c. */

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

static bool counts_page_tables; /* of this run, which may reserve as much address space as it likes */

struct usage {
    int64_t cpu_ns;
    uint64_t memory, shared, page_tables;
    int processes;
};

/* Resident and shared memory, in bytes, as this thread shows it; false where it has left, or its process is gone. */
static bool read_memory_of_thread(pid_t thread, uint64_t *resident, uint64_t *shared)
{
    char path[64], text[256];
    *resident = *shared = 0;
    snprintf(path, sizeof path, "%d/statm", thread);
    if (read_text(proc_fd, path, text, sizeof text))
        sscanf(text, "%*u %lu %lu", resident, shared);
    *resident *= (uint64_t)sysconf(_SC_PAGESIZE);
    *shared *= (uint64_t)sysconf(_SC_PAGESIZE);
    return *resident > 0;
}

/* Try the threads of a process but the first, until one shows memory; its number, 0 if none does, -1 if none is there. */
static pid_t try_other_threads(pid_t pid, uint64_t *resident, uint64_t *shared)
{
    char path[64];
    pid_t found = -1;
    snprintf(path, sizeof path, "%d/task", pid);
    int task = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *threads = task < 0 ? NULL : fdopendir(task);
    for (struct dirent *entry; found <= 0 && threads && (entry = readdir(threads));) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread > 0 && thread != pid)
            found = read_memory_of_thread(thread, resident, shared) ? thread : 0;
    }
    if (threads)
        closedir(threads);
    return found;
}

/* Resident and shared memory of a process, in bytes; 0 where it is gone. A process whose first thread has left shows no
 * memory under its own number, so another thread is read, and the list anew where all listed ones have left meanwhile.
 * Returns the thread that shows the memory. */
static pid_t read_memory(pid_t pid, uint64_t *resident, uint64_t *shared)
{
    if (read_memory_of_thread(pid, resident, shared))
        return pid;
    pid_t found = 0;
    for (int round = 0; found == 0 && round < THREAD_LISTS; round++)
        found = try_other_threads(pid, resident, shared);
    return found > 0 ? found : pid;
}

struct errand {
    void (*run)(void *argument);
    void *argument;
};

static int run_as_worker(void *given)
{
    struct errand *errand = given;
    if (become_worker() == 0 && getuid() == worker_uid && geteuid() == worker_uid)
        errand->run(errand->argument);
    _exit(0);
}

/* Done as the user of the programs, in a child that shares our memory; not at all where none can be had. A user may look
 * into the processes that are his; root may not where it lacks CAP_SYS_PTRACE, as in most containers. */
static void as_worker(void (*run)(void *argument), void *argument)
{
    struct errand errand = {run, argument};
    if (!worker_uid) {
        run(argument);
        return;
    }
    pid_t child = clone(run_as_worker, child_stack + sizeof child_stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &errand);
    if (child > 0)
        waitpid(child, NULL, 0);
}

#define UNKNOWN UINT64_MAX

static pid_t shown_by[LIST_SIZE]; /* for each process of the tree a thread that shows its memory */
static int same_as[LIST_SIZE];    /* the first process of the tree that has the same memory */
static uint64_t shares[LIST_SIZE];

/* Whether two processes have one memory: a child of vfork before it becomes a program, or of clone(CLONE_VM). Who has
 * left has none, and shares it with all others that have: what shows memory afterwards had not left. */
static bool share_memory(pid_t one, pid_t other)
{
    uint64_t resident, shared;
    return syscall(SYS_kcmp, one, other, KCMP_MEMORY, 0, 0) == 0 && read_memory_of_thread(one, &resident, &shared);
}

static void find_twins(void)
{
    for (int i = 0; i < tree_size; i++)
        for (int j = 0; j < i && same_as[i] == i; j++)
            if (same_as[j] == j && share_memory(shown_by[j], shown_by[i]))
                same_as[i] = j;
}

/* The proportional shares of memory: pages that forked processes still share count once. First who shares all of it:
 * one that becomes a program meanwhile shows less then, never the same twice. */
static void find_shares(void *unused)
{
    char path[64], text[1024];
    (void)unused;
    find_twins();
    for (int i = 0; i < tree_size; i++) {
        snprintf(path, sizeof path, "%d/smaps_rollup", shown_by[i]);
        char *pss = read_text(proc_fd, path, text, sizeof text) ? strstr(text, "\nPss:") : NULL;
        if (pss)
            shares[i] = strtoull(pss + 5, NULL, 10) * 1024;
    }
}

/* What does not let itself be looked into (PR_SET_DUMPABLE) counts in full, and nobody knows what it shares. */
static uint64_t proportional_of_tree(void)
{
    uint64_t sum = 0, unused, shared;
    for (int i = 0; i < tree_size; i++) {
        shown_by[i] = read_memory(tree[i], &unused, &shared);
        same_as[i] = i;
        shares[i] = UNKNOWN;
    }
    as_worker(find_shares, NULL);
    for (int i = 0; i < tree_size; i++) {
        if (shares[i] == UNKNOWN)
            read_memory(tree[i], &shares[i], &shared);
        uint64_t own = shares[i], *first = &shares[same_as[i]];
        shares[i] = 0;
        sum += own > *first ? own - *first : 0;
        *first = own > *first ? own : *first;
    }
    return sum;
}

static uint64_t page_tables(pid_t pid)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "%d/status", pid);
    char *size = read_text(proc_fd, path, text, sizeof text) ? strstr(text, "\nVmPTE:") : NULL;
    return size ? strtoull(size + 7, NULL, 10) * 1024 : 0;
}

static void add_usage(pid_t pid, struct usage *usage)
{
    char path[64], text[1024];
    uint64_t resident, shared;
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
    read_memory(pid, &resident, &shared);
    usage->memory += resident;
    usage->shared += shared;
    if (counts_page_tables)
        usage->page_tables += page_tables(pid);
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

/* What the tree uses now. The shares of several processes are dear to find, so they are looked for only where the
 * memory may be above what is known already; and twice, for one that forks between two of them counts double. */
static struct usage look(uint64_t known)
{
    struct usage usage = {0};
    list_tree();
    for (int i = 0; i < tree_size; i++)
        add_usage(tree[i], &usage);
    if (usage.processes > 1 && usage.memory > known + known / 128) {
        uint64_t first = proportional_of_tree();
        list_tree();
        uint64_t second = proportional_of_tree();
        usage.memory = first < second ? first : second;
    } else if (usage.processes > 1 && usage.memory > known)
        usage.memory = known;
    usage.memory += usage.page_tables + tmp_memory(usage.shared);
    return usage;
}

/* What was written, to files and pipes: by calls, and in pages of files, mapped ones too. */
struct written { uint64_t called, dirtied; };

static struct written written_before; /* by us and those that we had reaped before this run */

/* Adds what the process of this file of /proc has written, with the children that it has reaped. */
static void add_written(int fd, struct written *sum)
{
    char text[512];
    ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    char *calls = strstr(text, "wchar: "), *pages = strstr(text, "\nwrite_bytes: ");
    sum->called += calls ? strtoull(calls + 7, NULL, 10) : 0;
    sum->dirtied += pages ? strtoull(pages + 14, NULL, 10) : 0;
}

static void add_written_of_tree(void *sum)
{
    char path[64];
    for (int i = 0; i < tree_size; i++) {
        snprintf(path, sizeof path, "%d/io", tree[i]);
        int fd = openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
        add_written(fd, sum);
        if (fd >= 0)
            close(fd);
    }
}

/* What the run has written so far: its processes, and those that we have reaped. */
static struct written written_by_run(bool alive)
{
    struct written sum = {0};
    add_written(own_io_fd, &sum);
    sum.called -= written_before.called;
    sum.dirtied -= written_before.dirtied;
    if (alive) {
        list_tree();
        as_worker(add_written_of_tree, &sum);
    }
    return sum;
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

/* Calls `see` with the folder of each thread of the tree as listed last and the thread's state. */
static void for_each_thread(void (*see)(int task, const char *thread, char state, void *sum), void *sum)
{
    char path[PATH_MAX], text[1024];
    for (int i = 0; i < tree_size; i++) {
        snprintf(path, sizeof path, "%d/task", tree[i]);
        int task = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *threads = task < 0 ? NULL : fdopendir(task);
        for (struct dirent *thread; threads && (thread = readdir(threads));) {
            snprintf(path, sizeof path, "%s/stat", thread->d_name);
            if (thread->d_name[0] == '.' || !read_text(task, path, text, sizeof text))
                continue;
            char *after = strrchr(text, ')');
            see(task, thread->d_name, after ? after[2] : '?', sum);
        }
        if (threads)
            closedir(threads);
    }
}

static void add_activity(int task, const char *thread, char state, void *sum)
{
    struct reply *reply = sum;
    char path[PATH_MAX], text[1024];
    if (state == 'R' || state == 'D')
        reply->running++;
    snprintf(path, sizeof path, "%s/syscall", thread);
    long number = -1;
    unsigned long first = 1;
    if (!read_text(task, path, text, sizeof text) || sscanf(text, "%ld 0x%lx", &number, &first) != 2)
        return;
    if ((number == SYS_read || number == SYS_readv) && first == 0)
        reply->reading++;
    else if (number == SYS_nanosleep || number == SYS_clock_nanosleep)
        reply->sleeping++;
}

static void find_activity(void *reply)
{
    for_each_thread(add_activity, reply);
}

/* How many threads run or wait for a disk, how many wait in a read of standard input, how many for a time to pass. */
static void look_at_activity(struct reply *reply)
{
    list_tree();
    as_worker(find_activity, reply);
}

static void add_runnable(int task, const char *thread, char state, void *sum)
{
    (void)task, (void)thread;
    *(int *)sum += state == 'R';
}

/* Whether a thread of the tree as listed last computes, or would if it got a core. */
static bool wants_a_core(void)
{
    int runnable = 0;
    for_each_thread(add_runnable, &runnable);
    return runnable > 0;
}

static void add_delay(int task, const char *thread, char state, void *sum)
{
    char path[PATH_MAX], text[256];
    int64_t delay_ns = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/schedstat", thread);
    if (read_text(task, path, text, sizeof text) && sscanf(text, "%*u %ld", &delay_ns) == 1)
        *(int64_t *)sum += delay_ns;
}

/* How long the threads of the tree as listed last have waited for a core; 0 where the kernel does not count it. */
static int64_t delay_of_tree(void)
{
    int64_t sum = 0;
    for_each_thread(add_delay, &sum);
    return sum;
}

/* All processes of the worker's user and no other: whoever has no capabilities can't reach further. */
static void kill_all(void *unused)
{
    (void)unused;
    kill(-1, SIGKILL);
}

static void kill_tree(void)
{
    if (tier == 3) {
        if (getpid() == 1) /* process 1 of our own namespace: -1 is the run, and nobody else */
            kill(-1, SIGKILL);
        return;
    }
    if (worker_uid)
        as_worker(kill_all, NULL);
    for (int round = 0; round < 2; round++) { /* stop first: a stopped process forks no more */
        list_tree();
        for (int i = 0; i < tree_size; i++)
            kill(tree[i], round ? SIGKILL : SIGSTOP);
    }
}
