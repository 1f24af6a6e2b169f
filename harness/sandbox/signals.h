/* Signals of programs that may fork, where neither a PID namespace nor Landlock keeps them within their run. Their
 * filter hands kill, tgkill and tkill to us (SECCOMP_RET_USER_NOTIF), and we send them to processes of the run only.
 * To everybody else they see what they would see at T3: nobody is there. Part of launcher.c.
 */

/* In the child: install the run's filter; `handover` is the socket to the keeper. Where there can be no listener (a
 * container's own filter has one), a process may signal itself only. */
static int install_run_filter(const struct request *r, int handover)
{
    unsigned parts = filter_parts(r);
    build_run_filter(&program, MACHINE, parts, (uint32_t)getpid());
    if (!(parts & FILTER_ASK))
        return install(&program, 0);
    int listener = install(&program, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (listener < 0) {
        build_run_filter(&program, MACHINE, (parts & ~FILTER_ASK) | FILTER_SIGNALS, (uint32_t)getpid());
        return install(&program, 0);
    }
    union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control = {
        .header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct iovec part = {"", 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.header), &listener, sizeof listener);
    sendmsg(handover, &message, MSG_NOSIGNAL | MSG_DONTWAIT); /* if this fails, its signals are answered with ENOSYS */
    return 0;
}

/* In the keeper: the listener of the run that was started, or -1. */
static int take_listener(int handover)
{
    if (handover < 0)
        return -1;
    union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control;
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    int listener = -1;
    if (recvmsg(handover, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
        return -1;
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    if (c && c->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(&listener, CMSG_DATA(c), sizeof listener);
    return listener;
}

/* The number after a label of /proc/ID/status, which also knows threads; -1 where there is none. */
static pid_t status_number(pid_t id, const char *label)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "%d/status", id);
    char *line = read_text(proc_fd, path, text, sizeof text) ? strstr(text, label) : NULL;
    return line ? (pid_t)strtol(line + strlen(label), NULL, 10) : -1;
}

static pid_t group_of(pid_t pid)
{
    char path[64], text[1024];
    pid_t group = -1;
    snprintf(path, sizeof path, "%d/stat", pid);
    char *after = read_text(proc_fd, path, text, sizeof text) ? strrchr(text, ')') : NULL;
    if (after)
        sscanf(after + 1, " %*c %*d %d", &group);
    return group;
}

static bool in_tree(pid_t pid)
{
    list_tree();
    for (int i = 0; i < tree_size; i++)
        if (tree[i] == pid)
            return true;
    return false;
}

/* Send to one process if it is of the run. It is opened before it is looked for: a number that was given to somebody
 * else in between is then not theirs. Returns 0 or an errno. */
static int send_signal(pid_t pid, int number)
{
    int target = (int)syscall(SYS_PIDFD_OPEN, pid, 0), error = ESRCH;
    if (target < 0)
        return ESRCH;
    if (in_tree(pid))
        error = syscall(SYS_PIDFD_SEND_SIGNAL, target, number, NULL, 0) < 0 ? errno : 0;
    close(target);
    return error;
}

/* kill(target, number) with a negative target: a process group, or (-1) all of the run, never the caller itself. */
static int send_to_many(pid_t caller, pid_t target, int number)
{
    static pid_t chosen[LIST_SIZE];
    int count = 0, answer = ESRCH;
    list_tree();
    for (int i = 0; i < tree_size; i++)
        if (tree[i] != caller && (target == -1 || group_of(tree[i]) == -target))
            chosen[count++] = tree[i];
    for (int i = 0; i < count; i++) {
        int error = send_signal(chosen[i], number);
        if (answer != 0)
            answer = error;
    }
    return answer;
}

/* Whether the kernel itself may do what is asked, for it can reach nothing but the caller's own process, or its own
 * process group, which lies within the session that the run began. */
static bool stays_at_home(const struct seccomp_notif *asked, pid_t caller)
{
    pid_t target = (pid_t)asked->data.args[0];
    if (asked->data.nr == SYS_tkill)
        return target == (pid_t)asked->pid;
    return target == caller || (asked->data.nr == SYS_kill && target == 0);
}

static void answer_signal(int listener)
{
    struct seccomp_notif asked = {0};
    struct seccomp_notif_resp answer = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0)
        return; /* the caller has been killed */
    pid_t caller = status_number((pid_t)asked.pid, "\nTgid:"), target = (pid_t)asked.data.args[0];
    int number = (int)asked.data.args[1], error = EPERM;
    bool own_group = false;
    answer.id = asked.id;
    if (stays_at_home(&asked, caller))
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else {
        if (asked.data.nr == SYS_kill) {
            own_group = target < -1 && group_of(caller) == -target;
            error = target > 0 ? send_signal(target, number) : send_to_many(caller, target, number);
        }
        answer.error = own_group ? 0 : -error;
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    if (own_group) /* after the answer: a signal would interrupt the call, which then begins again */
        send_signal(caller, number);
}
