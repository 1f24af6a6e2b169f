/* Builds the seccomp filters: one decision a system call number, found by binary search.
 *
 * Two filters stack. The worker's is installed once in the server and inherited by every run for nothing; the
 * run's holds only what the server itself must still be able to do. A filter costs by its longest path (the
 * kernel tries every number once at installation, to know which calls need no filter at all). */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "syscalls.h" /* its two bounds; the tables below */

enum machine { X86_64, AARCH64 };

#if defined(__x86_64__)
#define MACHINE X86_64
#elif defined(__aarch64__)
#define MACHINE AARCH64
#else
#error "the sandbox knows x86-64 and aarch64 only"
#endif

enum action {
    ALLOW, DENY, MISSING, UNSUPPORTED, FIRST_IS_ZERO, FIRST_TWO_ARE_ZERO, STREAM_PAIR, NO_OWNER, KNOWN_IOCTL,
    NOTHING, NO_BUFFER, NOT_CORE_FIRST, NOT_CORE_SECOND,
    MODE_SECOND, MODE_THIRD, NO_NAMESPACE, THREAD_ONLY, NOT_SIGCHLD, OWN_PROCESS, NO_TRUNCATE_SECOND,
    NO_TRUNCATE_THIRD, NO_HUGE_PAGES, NO_SHARED_MEMORY, NO_PAGE_OUT, ASK,
};

/* Which parts of the run's filter apply. */
enum {
    FILTER_NO_FORK = 1, FILTER_SUBMISSION = 2, FILTER_ATTRIBUTES = 4, FILTER_SIGNALS = 8, FILTER_TRUNCATE = 16,
    FILTER_ASK = 32,
};

#define PROGRAM_SIZE 1024

struct program {
    struct sock_filter code[PROGRAM_SIZE];
    unsigned short length;
    uint32_t own_pid;
    unsigned char action[LAST_NUMBER + 1];
};

static void emit(struct program *p, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    if (p->length < PROGRAM_SIZE)
        p->code[p->length++] = (struct sock_filter){code, yes, no, k};
}

static void emit_load(struct program *p, size_t offset) { emit(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }

/* The low half of an argument; both machines are little-endian. */
static void emit_load_argument(struct program *p, int index)
{
    emit_load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)index);
}

static void emit_errno(struct program *p, uint32_t error)
{
    emit(p, BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | error : SECCOMP_RET_ALLOW, 0, 0);
}

/* TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, TCGETS2; SECCOMP_IOCTL_NOTIF_RECV and _SEND, of
 * the server itself: no program has a listener that they would work on */
static const uint32_t KNOWN_IOCTLS[] = {0x5401, 0x540f, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451, 0x802c542a,
                                        0xc0502100, 0xc0182101};

/* If the comparison holds, end with the first result, else with the second (an errno; 0 allows). */
static void emit_choice(struct program *p, uint16_t comparison, uint32_t k, uint32_t if_true, uint32_t if_false)
{
    emit(p, BPF_JMP | comparison | BPF_K, k, 0, 1);
    emit_errno(p, if_true);
    emit_errno(p, if_false);
}

/* End with EPERM if the loaded word is k; go on otherwise. */
static void emit_refuse(struct program *p, uint32_t k)
{
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, k, 0, 1);
    emit_errno(p, EPERM);
}

static void emit_action(struct program *p, enum action action)
{
    switch (action) {
    case ALLOW: emit_errno(p, 0); break;
    case DENY: emit_errno(p, EPERM); break;
    case MISSING: emit_errno(p, ENOSYS); break;
    case UNSUPPORTED: emit_errno(p, EOPNOTSUPP); break;
    case FIRST_TWO_ARE_ZERO:
        emit_load_argument(p, 1);
        emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
        emit_errno(p, EPERM);
        emit_load_argument(p, 0);
        emit_choice(p, BPF_JEQ, 0, 0, EPERM);
        break;
    case FIRST_IS_ZERO:
        emit_load_argument(p, 0);
        emit_choice(p, BPF_JEQ, 0, 0, EPERM);
        break;
    case STREAM_PAIR: /* AF_UNIX; SOCK_STREAM or SOCK_SEQPACKET */
        emit_load_argument(p, 0);
        emit(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 1, 0);
        emit_errno(p, EPERM);
        emit_load_argument(p, 1);
        emit(p, BPF_ALU | BPF_AND | BPF_K, 0xf, 0, 0);
        emit(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 3, 0); /* over the choice, which is three instructions */
        emit_choice(p, BPF_JEQ, 5, 0, EPERM);
        emit_errno(p, 0);
        break;
    case NO_OWNER:
        emit_load_argument(p, 1);
        emit_refuse(p, 8);  /* F_SETOWN */
        emit_refuse(p, 10); /* F_SETSIG */
        emit_refuse(p, 15); /* F_SETOWN_EX */
        emit_errno(p, 0);
        break;
    case KNOWN_IOCTL:
        emit_load_argument(p, 1);
        for (size_t i = 0; i < sizeof KNOWN_IOCTLS / sizeof *KNOWN_IOCTLS; i++) {
            emit(p, BPF_JMP | BPF_JEQ | BPF_K, KNOWN_IOCTLS[i], 0, 1);
            emit_errno(p, 0);
        }
        emit_errno(p, ENOTTY);
        break;
    case ASK: /* the keeper, see signals.h */
        emit(p, BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF, 0, 0);
        break;
    case NOTHING: /* errno 0: "done" */
        emit(p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO, 0, 0);
        break;
    case NO_BUFFER: /* SO_SNDBUF: what is in a pair of sockets is memory that no size shows */
        emit_load_argument(p, 2);
        emit_choice(p, BPF_JEQ, 7, EPERM, 0);
        break;
    case NO_HUGE_PAGES: /* MAP_HUGETLB: memory that no size shows either */
        emit_load_argument(p, 3);
        emit_choice(p, BPF_JSET, 0x40000, ENOMEM, 0);
        break;
    case NO_PAGE_OUT: /* MADV_PAGEOUT: into the swap space, where it counts no more */
        emit_load_argument(p, 2);
        emit_choice(p, BPF_JEQ, 21, EINVAL, 0);
        break;
    case NO_SHARED_MEMORY: /* MAP_SHARED with MAP_ANONYMOUS */
        emit_load_argument(p, 3);
        emit(p, BPF_ALU | BPF_AND | BPF_K, 0x21, 0, 0);
        emit_choice(p, BPF_JEQ, 0x21, EPERM, 0);
        break;
    case NOT_CORE_FIRST: /* setrlimit(RLIMIT_CORE, …) */
        emit_load_argument(p, 0);
        emit_choice(p, BPF_JEQ, 4, EPERM, 0);
        break;
    case NOT_CORE_SECOND: /* prlimit(0, RLIMIT_CORE, new, …); without a new limit it only asks */
        emit_load_argument(p, 1);
        emit(p, BPF_JMP | BPF_JEQ | BPF_K, 4, 1, 0);
        emit_errno(p, 0);
        emit_load_argument(p, 2);
        emit_choice(p, BPF_JEQ, 0, 0, EPERM);
        break;
    case MODE_SECOND:
    case MODE_THIRD:
        emit_load_argument(p, action == MODE_SECOND ? 1 : 2);
        emit_choice(p, BPF_JSET, 06000, EPERM, 0);
        break;
    case NO_NAMESPACE: /* every CLONE_NEW*; CLONE_NEWTIME does not exist in clone */
        emit_load_argument(p, 0);
        emit_choice(p, BPF_JSET, 0x7e020000, EPERM, 0);
        break;
    case THREAD_ONLY:
        emit_load_argument(p, 0);
        emit_choice(p, BPF_JSET, 0x00010000, 0, EPERM);
        break;
    case NOT_SIGCHLD: /* errno 0: "done", and not done */
        emit_load_argument(p, 0);
        emit(p, BPF_JMP | BPF_JEQ | BPF_K, 17, 1, 0);
        emit_errno(p, 0);
        emit_load_argument(p, 1);
        emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
        emit(p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO, 0, 0);
        emit_errno(p, 0);
        break;
    case OWN_PROCESS:
        emit_load_argument(p, 0);
        emit_choice(p, BPF_JEQ, p->own_pid, 0, EPERM);
        break;
    case NO_TRUNCATE_SECOND:
    case NO_TRUNCATE_THIRD: /* O_TRUNC of a file opened for reading */
        emit_load_argument(p, action == NO_TRUNCATE_SECOND ? 1 : 2);
        emit(p, BPF_ALU | BPF_AND | BPF_K, 01003, 0, 0);
        emit_choice(p, BPF_JEQ, 01000, EPERM, 0);
        break;
    }
}

/* A binary search over the runs of equal actions in [low, high]; a far jump, for near ones reach 255 only. */
static void emit_search(struct program *p, int low, int high)
{
    int split = 0, distance = high - low + 1;
    for (int nr = low + 1; nr <= high; nr++) {
        int off_centre = 2 * nr > low + high ? 2 * nr - low - high : low + high - 2 * nr;
        if (p->action[nr] != p->action[nr - 1] && off_centre <= distance) {
            split = nr;
            distance = off_centre;
        }
    }
    if (split == 0) {
        emit_action(p, p->action[low]);
        return;
    }
    emit(p, BPF_JMP | BPF_JGE | BPF_K, (uint32_t)split, 0, 1);
    unsigned short jump = p->length;
    emit(p, BPF_JMP | BPF_JA, 0, 0, 0);
    emit_search(p, low, split - 1);
    p->code[jump].k = (uint32_t)(p->length - jump - 1);
    emit_search(p, split, high);
}

static void assemble(struct program *p, enum machine machine)
{
    emit_load(p, offsetof(struct seccomp_data, arch));
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, machine == X86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64, 1, 0);
    emit(p, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0); /* int 0x80 and the like */
    emit_load(p, offsetof(struct seccomp_data, nr));
    emit(p, BPF_JMP | BPF_JGE | BPF_K, LAST_NUMBER + 1, 0, 1); /* x32 has bit 30 set */
    emit_errno(p, ENOSYS);
    emit_search(p, 0, LAST_NUMBER);
}

static void set_action(struct program *p, enum machine machine, int x86_64, int aarch64, enum action action)
{
    int nr = machine == X86_64 ? x86_64 : aarch64;
    if (nr >= 0)
        p->action[nr] = (unsigned char)action;
}

static void build_worker_filter(struct program *p, enum machine machine)
{
    memset(p, 0, sizeof *p);
    for (int nr = FIRST_UNKNOWN; nr <= LAST_NUMBER; nr++)
        p->action[nr] = MISSING;
#define WORKER(name, x86_64, aarch64, what) set_action(p, machine, x86_64, aarch64, what);
#include "syscalls.h"
#undef WORKER
    assemble(p, machine);
}

static void build_run_filter(struct program *p, enum machine machine, unsigned parts, uint32_t own_pid)
{
    memset(p, 0, sizeof *p);
    p->own_pid = own_pid;
#define RUN(name, x86_64, aarch64, what) set_action(p, machine, x86_64, aarch64, what);
#define FORK(name, x86_64, aarch64, what) if (parts & FILTER_NO_FORK) RUN(name, x86_64, aarch64, what)
#define SUBMISSION(name, x86_64, aarch64, what) if (parts & FILTER_SUBMISSION) RUN(name, x86_64, aarch64, what)
#define ATTRIBUTE(name, x86_64, aarch64, what) if (parts & FILTER_ATTRIBUTES) RUN(name, x86_64, aarch64, what)
#define SIGNAL(name, x86_64, aarch64, what) if (parts & FILTER_SIGNALS) RUN(name, x86_64, aarch64, what)
#define ASKED(name, x86_64, aarch64, what) if (parts & FILTER_ASK) RUN(name, x86_64, aarch64, what)
#define TRUNCATE(name, x86_64, aarch64, what) if (parts & FILTER_TRUNCATE) RUN(name, x86_64, aarch64, what)
#include "syscalls.h"
#undef RUN
#undef FORK
#undef SUBMISSION
#undef ATTRIBUTE
#undef SIGNAL
#undef ASKED
#undef TRUNCATE
    assemble(p, machine);
}
