/* The system calls that the filters name, with their numbers on both machines (-1: does not exist there).
 * tests/sandbox/test_sandbox_filter.py holds both columns against the kernel's own headers.
 * Everything that is not named here is allowed, except numbers from FIRST_UNKNOWN on: a call that is younger
 * than this table does not exist for a submission.
 *
 *   WORKER(name, x86-64, aarch64, action)  refused from the start of the server on: it needs none of them itself
 *   RUN(…)         refused in the submission, used by the server
 *   FORK(…)        where a program may not fork
 *   SUBMISSION(…)  not for compilers and judge programs
 *   ATTRIBUTE(…)   where the directory is read-only: what neither Landlock nor a read-only mount keeps from the owner
 *                  of a file that is open already (standard output, made unreadable for the judge)
 *   SIGNAL(…)      without a PID namespace and below Landlock ABI 6, where a program may not fork
 *   ASKED(…)       there, where it may: the keeper sends the signal, to processes of the run only
 *   TRUNCATE(…)    below T3 and Landlock ABI 3
 */

#define FIRST_UNKNOWN 463 /* setxattrat; mseal is the last one allowed */
#define LAST_NUMBER 511

#ifdef WORKER
/* Other processes: their memory, registers, descriptors. */
WORKER(ptrace, 101, 117, DENY)
WORKER(process_vm_readv, 310, 270, DENY)
WORKER(process_vm_writev, 311, 271, DENY)
WORKER(process_madvise, 440, 440, DENY)
WORKER(process_mrelease, 448, 448, DENY)
WORKER(pidfd_getfd, 438, 438, DENY)
WORKER(migrate_pages, 256, 238, DENY)
WORKER(move_pages, 279, 239, DENY)
WORKER(prlimit64, 302, 261, FIRST_IS_ZERO)
WORKER(sched_setparam, 142, 118, FIRST_IS_ZERO)
WORKER(sched_setscheduler, 144, 119, FIRST_IS_ZERO)
WORKER(sched_setattr, 314, 274, FIRST_IS_ZERO)
WORKER(sched_setaffinity, 203, 122, FIRST_IS_ZERO)
WORKER(setpriority, 141, 140, FIRST_TWO_ARE_ZERO)
WORKER(ioprio_set, 251, 30, DENY)
/* Things that outlive a run, or are shared between users. */
WORKER(keyctl, 250, 219, DENY)
WORKER(add_key, 248, 217, DENY)
WORKER(request_key, 249, 218, DENY)
WORKER(shmget, 29, 194, DENY)
WORKER(shmat, 30, 196, DENY)
WORKER(shmctl, 31, 195, DENY)
WORKER(semget, 64, 190, DENY)
WORKER(semop, 65, 193, DENY)
WORKER(semtimedop, 220, 192, DENY)
WORKER(semctl, 66, 191, DENY)
WORKER(msgget, 68, 186, DENY)
WORKER(msgsnd, 69, 189, DENY)
WORKER(msgrcv, 70, 188, DENY)
WORKER(msgctl, 71, 187, DENY)
WORKER(mq_open, 240, 180, DENY)
WORKER(mq_unlink, 241, 181, DENY)
/* Memory that neither RLIMIT_DATA nor the resident size shows, and disk beyond RLIMIT_FSIZE
 * (fallocate with FALLOC_FL_KEEP_SIZE reserves blocks past it). */
WORKER(memfd_create, 319, 279, DENY)
WORKER(memfd_secret, 447, 447, MISSING)
WORKER(fallocate, 285, 47, UNSUPPORTED)
WORKER(mmap, 9, 222, NO_HUGE_PAGES)
WORKER(madvise, 28, 233, NO_PAGE_OUT)
/* 4 KB in a pipe keep the 2 MB of a large page, of which no process knows any more. */
WORKER(vmsplice, 278, 75, DENY)
/* Asynchronous files: so many for the whole machine, and one program could take them all. */
WORKER(io_setup, 206, 0, MISSING)
/* Wide doors into the kernel that no contest program needs. */
WORKER(io_uring_setup, 425, 425, MISSING)
WORKER(io_uring_enter, 426, 426, MISSING)
WORKER(io_uring_register, 427, 427, MISSING)
WORKER(bpf, 321, 280, DENY)
WORKER(userfaultfd, 323, 282, DENY)
WORKER(perf_event_open, 298, 241, DENY)
WORKER(fanotify_init, 300, 262, DENY)
WORKER(name_to_handle_at, 303, 264, DENY)
WORKER(open_by_handle_at, 304, 265, DENY)
WORKER(personality, 135, 92, FIRST_IS_ZERO)
WORKER(modify_ldt, 154, -1, DENY)
WORKER(iopl, 172, -1, DENY)
WORKER(ioperm, 173, -1, DENY)
WORKER(uselib, 134, -1, DENY)
WORKER(ustat, 136, -1, DENY)
WORKER(sysfs, 139, -1, DENY)
WORKER(quotactl, 179, 60, DENY)
WORKER(quotactl_fd, 443, 443, DENY)
WORKER(acct, 163, 89, DENY)
WORKER(swapon, 167, 224, DENY)
WORKER(swapoff, 168, 225, DENY)
WORKER(reboot, 169, 142, DENY)
WORKER(syslog, 103, 116, DENY)
WORKER(vhangup, 153, 58, DENY)
WORKER(init_module, 175, 105, DENY)
WORKER(finit_module, 313, 273, DENY)
WORKER(delete_module, 176, 106, DENY)
WORKER(kexec_load, 246, 104, DENY)
WORKER(kexec_file_load, 320, 294, DENY)
WORKER(lookup_dcookie, 212, 18, DENY)
WORKER(mknod, 133, -1, DENY)
WORKER(mknodat, 259, 33, DENY)
WORKER(setxattr, 188, 5, DENY)
WORKER(lsetxattr, 189, 6, DENY)
WORKER(fsetxattr, 190, 7, DENY)
/* The network. socketpair stays for Java, Node and Python, but not its datagrams: sendto() and connect() of
 * such a pair reach any pathname socket of the machine. */
WORKER(socket, 41, 198, DENY)
WORKER(socketpair, 53, 199, STREAM_PAIR)
WORKER(setsockopt, 54, 208, NO_BUFFER)
WORKER(connect, 42, 203, DENY)
WORKER(bind, 49, 200, DENY)
WORKER(listen, 50, 201, DENY)
WORKER(accept, 43, 202, DENY)
WORKER(accept4, 288, 242, DENY)
/* F_SETOWN with F_SETSIG makes the kernel send any signal to any process of the same user. The ioctls that are
 * left are the harmless ones of pipes and terminals: TIOCSTI types, FS_IOC_RESVSP reserves disk. */
WORKER(fcntl, 72, 25, NO_OWNER)
WORKER(ioctl, 16, 29, KNOWN_IOCTL)
/* Makes everybody wait for the disk. */
WORKER(sync, 162, 81, NOTHING)
WORKER(syncfs, 306, 267, NOTHING)
/* setuid bits: standard output is a file of the judge's. */
WORKER(chmod, 90, -1, MODE_SECOND)
WORKER(fchmod, 91, 52, MODE_SECOND)
WORKER(fchmodat, 268, 53, MODE_THIRD)
WORKER(fchmodat2, 452, 452, MODE_THIRD)
/* New namespaces by clone; clone3 hides its flags behind a pointer, and glibc falls back to clone. */
WORKER(clone, 56, 220, NO_NAMESPACE)
WORKER(clone3, 435, 435, MISSING)
#endif

#ifdef RUN
RUN(mount, 165, 40, DENY)
/* The server asks by it who has the same memory. */
RUN(kcmp, 312, 272, DENY)
RUN(pidfd_send_signal, 424, 424, DENY)
/* A listener of its own would answer in place of ours, see signals.h. */
RUN(seccomp, 317, 277, MISSING)
/* A core dump is refused by a limit of 1, and by no other where the kernel pipes it to a program. */
RUN(setrlimit, 160, 164, NOT_CORE_FIRST)
RUN(prlimit64, 302, 261, NOT_CORE_SECOND)
RUN(umount2, 166, 39, DENY)
RUN(pivot_root, 155, 41, DENY)
RUN(chroot, 161, 51, DENY)
RUN(setns, 308, 268, DENY)
RUN(unshare, 272, 97, DENY)
RUN(open_tree, 428, 428, DENY)
RUN(move_mount, 429, 429, DENY)
RUN(fsopen, 430, 430, DENY)
RUN(fsconfig, 431, 431, DENY)
RUN(fsmount, 432, 432, DENY)
RUN(fspick, 433, 433, DENY)
RUN(mount_setattr, 442, 442, DENY)
RUN(statmount, 457, 457, DENY)
RUN(listmount, 458, 458, DENY)
RUN(openat2, 437, 437, MISSING)
RUN(landlock_create_ruleset, 444, 444, MISSING)
RUN(landlock_add_rule, 445, 445, MISSING)
RUN(landlock_restrict_self, 446, 446, MISSING)
#endif

#ifdef FORK
FORK(clone, 56, 220, THREAD_ONLY)
FORK(fork, 57, -1, DENY)
FORK(vfork, 58, -1, DENY)
#endif

#ifdef SUBMISSION
/* A process that ignores SIGCHLD has its children reaped unseen: their CPU time is lost to every wait4. So the
 * disposition stays the default one, and the call says that it went well (Node checks). */
SUBMISSION(rt_sigaction, 13, 134, NOT_SIGCHLD)
/* Shared memory without a file stays when it is put aside (MADV_DONTNEED), and no size shows it then. */
SUBMISSION(mmap, 9, 222, NO_SHARED_MEMORY)
#endif

#ifdef ATTRIBUTE
ATTRIBUTE(chmod, 90, -1, DENY)
ATTRIBUTE(fchmod, 91, 52, DENY)
ATTRIBUTE(fchmodat, 268, 53, DENY)
ATTRIBUTE(fchmodat2, 452, 452, DENY)
ATTRIBUTE(chown, 92, -1, DENY)
ATTRIBUTE(fchown, 93, 55, DENY)
ATTRIBUTE(lchown, 94, -1, DENY)
ATTRIBUTE(fchownat, 260, 54, DENY)
ATTRIBUTE(utime, 132, -1, DENY)
ATTRIBUTE(utimes, 235, -1, DENY)
ATTRIBUTE(futimesat, 261, -1, DENY)
ATTRIBUTE(utimensat, 280, 88, DENY)
ATTRIBUTE(removexattr, 197, 14, DENY)
ATTRIBUTE(lremovexattr, 198, 15, DENY)
ATTRIBUTE(fremovexattr, 199, 16, DENY)
ATTRIBUTE(inotify_add_watch, 254, 27, DENY)
#endif

#ifdef SIGNAL
SIGNAL(kill, 62, 129, OWN_PROCESS)
SIGNAL(tgkill, 234, 131, OWN_PROCESS)
SIGNAL(tkill, 200, 130, DENY)
SIGNAL(rt_sigqueueinfo, 129, 138, OWN_PROCESS)
SIGNAL(rt_tgsigqueueinfo, 297, 240, OWN_PROCESS)
#endif

#ifdef ASKED
ASKED(kill, 62, 129, ASK)
ASKED(tgkill, 234, 131, ASK)
ASKED(tkill, 200, 130, ASK)
ASKED(rt_sigqueueinfo, 129, 138, OWN_PROCESS)
ASKED(rt_tgsigqueueinfo, 297, 240, OWN_PROCESS)
#endif

#ifdef TRUNCATE
TRUNCATE(truncate, 76, 45, DENY)
TRUNCATE(open, 2, -1, NO_TRUNCATE_SECOND)
TRUNCATE(openat, 257, 56, NO_TRUNCATE_THIRD)
#endif
