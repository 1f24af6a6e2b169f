/* What every attack in C starts with: it refuses to act outside the cage, and reads what it knows about its
 * targets from standard input ("key=value" lines). It says ESCAPED when it got what it wanted. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <time.h>
#include <unistd.h>

static char targets[8192];

static void escaped(const char *what) { dprintf(1, "ESCAPED: %s\n", what); }

static const char *target(const char *key)
{
    static char value[16][1024];
    static int next;
    char *slot = value[next++ % 16], line[64];
    snprintf(line, sizeof line, "\n%s=", key);
    char *found = strstr(targets, line);
    if (!found)
        return "";
    snprintf(slot, 1024, "%s", found + strlen(line));
    slot[strcspn(slot, "\n")] = 0;
    return slot;
}

static int number(const char *key) { return atoi(target(key)); }

__attribute__((constructor)) static void guard(void)
{
    char name[64] = "";
    gethostname(name, sizeof name - 1);
    if (strcmp(name, "harness-attack") != 0) {
        dprintf(1, "REFUSED: not in the cage\n");
        _exit(99);
    }
    targets[0] = '\n';
    for (ssize_t n = 1, got; n < (ssize_t)sizeof targets - 1 && (got = read(0, targets + n, sizeof targets - 1 - n)) > 0;)
        n += got;
}

/* Print what a file holds; whether the secret is among it is seen from outside. */
static void show(const char *path)
{
    char text[4096];
    int fd = open(path, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (n > 0)
        write(1, text, n);
    if (fd >= 0)
        close(fd);
}

/* Times of attacks on the CPU are CPU time: a machine that starves them keeps them within their limits, too. */
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
static void spin(double s) { struct timespec t; do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); while (t.tv_sec + t.tv_nsec * 1e-9 < s); }
