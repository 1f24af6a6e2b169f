/* A server that is linked into a C or C++ program: it runs the program on many inputs, each in a fork.
 *
 * `-Wl,--wrap=main` makes the start-up code call __wrap_main. Descriptor 0 is a stream socket to the harness;
 * batches.py is its other end and documents the frames, fork_server.py does the same for Python. The program is in its
 * sandbox. Its replies are never trusted: every failure that a search finds is confirmed by a plain run.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

extern char **environ;
int __real_main(int argc, char **argv, char **envp);
int __wrap_main(int argc, char **argv, char **envp);

struct hb_order { uint32_t argument_bytes, input_bytes, output_cap, cpu_ms, wall_ms; };
struct hb_reply { int32_t status; uint32_t killed; uint64_t cpu_us, memory_kib, steps; uint32_t output_bytes, error_bytes; };
enum { HB_MOMENT_MS = 2 }; /* wait so long for the end of a run only: a short run wakes the server once */
enum { HB_CPU = 1, HB_WALL = 2, HB_OUTPUT = 3, HB_SOCKET = 60, HB_STEPS = 61, HB_ERROR_CAP = 2000, HB_MOST_ARGUMENTS = 256 };
struct hb_text { char *bytes; size_t used, room; };

#ifdef HARNESS_COUNTS_STEPS
/* -fsanitize-coverage=trace-pc calls this at each basic block. */
#if defined(__clang__) && __clang_major__ >= 13
#define HB_UNCOUNTED __attribute__((no_sanitize("coverage")))
#elif !defined(__clang__) && __GNUC__ >= 12
#define HB_UNCOUNTED __attribute__((no_sanitize_coverage))
#else
#error "this compiler would count the counting"
#endif
static uint64_t hb_steps;
static int hb_pipe[2] = {-1, -1};
HB_UNCOUNTED void __sanitizer_cov_trace_pc(void);
HB_UNCOUNTED void __sanitizer_cov_trace_pc(void) { ++hb_steps; }

static void hb_tell_steps(void) {
    if (write(HB_STEPS, &hb_steps, sizeof hb_steps) < 0) return; /* the program has closed it: no steps are reported */
}

/* In a run: count from here on until it exits. A run that is killed reports no steps. */
static void hb_begin_to_count(void) {
    if (dup2(hb_pipe[1], HB_STEPS) < 0 || atexit(hb_tell_steps)) return;
    hb_steps = 0;
}

static void hb_before_run(void) {
    if (pipe2(hb_pipe, O_CLOEXEC | O_NONBLOCK)) hb_pipe[0] = hb_pipe[1] = -1;
}

static uint64_t hb_counted(void) {
    uint64_t steps = 0;
    if (read(hb_pipe[0], &steps, sizeof steps) != (ssize_t)sizeof steps) steps = 0;
    close(hb_pipe[0]);
    close(hb_pipe[1]);
    return steps;
}
#else
static void hb_begin_to_count(void) {}
static void hb_before_run(void) {}
static uint64_t hb_counted(void) { return 0; }
#endif

static int hb_read(void *into, size_t count) {
    char *at = (char *)into;
    while (count) {
        ssize_t got = read(HB_SOCKET, at, count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        at += got;
        count -= (size_t)got;
    }
    return 1;
}

static void hb_write(const void *from, size_t count) {
    const char *at = (const char *)from;
    while (count) {
        ssize_t put = write(HB_SOCKET, at, count);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) _exit(0);
        at += put;
        count -= (size_t)put;
    }
}

static char *hb_room(struct hb_text *text, size_t room) {
    if (text->room < room) {
        text->room = room * 2;
        text->bytes = (char *)realloc(text->bytes, text->room);
        if (!text->bytes) _exit(3);
    }
    return text->bytes;
}

static void hb_append(struct hb_text *text, const void *from, size_t count) {
    if (!count) return;
    memcpy(hb_room(text, text->used + count) + text->used, from, count);
    text->used += count;
}

static int64_t hb_now_us(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now)) return 0;
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Enforces the wall limit of a run. The time between two polls counts only if the run used less than a hundredth of a
 * core in it; so a run that waits for a core on a busy machine is not stopped, except after ten times the limit. */
struct hb_clock { int64_t began_us, window_us, window_cpu_us, asleep_us; };

static int64_t hb_wall_left_us(struct hb_clock *clock, int64_t limit_us, int64_t cpu_us) {
    int64_t now_us = hb_now_us(CLOCK_MONOTONIC), window_us = now_us - clock->window_us;
    if ((cpu_us - clock->window_cpu_us) * 100 < window_us) clock->asleep_us += window_us;
    clock->window_us = now_us;
    clock->window_cpu_us = cpu_us;
    int64_t awake_us = limit_us - clock->asleep_us, left_us = clock->began_us + 10 * limit_us - now_us;
    return awake_us < left_us ? awake_us : left_us;
}

/* Read what a pipe holds; return 0 at its end. Of bytes beyond the cap only one is counted, and none is kept. */
static int hb_take(int from, struct hb_text *text, size_t cap) {
    static char piece[65536];
    ssize_t got = read(from, piece, sizeof piece);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    if (got == 0) return 0;
    size_t kept = text->used < cap ? cap - text->used : 0;
    if (kept > (size_t)got) kept = (size_t)got;
    memcpy(hb_room(text, text->used + kept + 1) + text->used, piece, kept);
    text->used += kept + (kept < (size_t)got);
    return 1;
}

/* The run, in its fork. words: the folder to make and work in ("": none), then the arguments. */
static int hb_child(const struct hb_order *order, char *words, int in, int out, int err, char *name) {
    static char *arguments[HB_MOST_ARGUMENTS];
    int count = 1;
    char *at = words, *end = words + order->argument_bytes;
    setpgid(0, 0); /* not setsid, for which the kernel creates a scheduler group for each run */
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    hb_begin_to_count();
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3, HB_SOCKET, 0))
#endif
        for (int fd = 3; fd <= HB_SOCKET; fd++) close(fd);
    if (*at && (mkdir(at, 0777) || chdir(at))) _exit(3);
    arguments[0] = name;
    for (at += strlen(at) + 1; at < end && count < HB_MOST_ARGUMENTS - 1; at += strlen(at) + 1) arguments[count++] = at;
    arguments[count] = 0;
    return __real_main(count, arguments, environ);
}

/* Write the input of a run into the pipe, as far as it fits; return the number of bytes. */
static size_t hb_give(int in, const char *input, size_t count) {
    ssize_t put = write(in, input, count);
    return put > 0 ? (size_t)put : 0;
}

/* Watch a run until it ends or must be stopped. given: bytes of the input that are already in the pipe. Return whether
 * the run is over; if the sandbox does not let us kill it, the server must exit, which ends it. */
static int hb_watch(const struct hb_order *order, pid_t pid, int in, int out, int err, const char *input, size_t given,
                     struct hb_reply *reply, struct hb_text *output, struct hb_text *errors) {
    int ended = (int)syscall(SYS_pidfd_open, pid, 0), open_out = 1, open_err = 1;
    int64_t began_us = hb_now_us(CLOCK_MONOTONIC);
    struct hb_clock clock = {began_us, began_us, 0, 0};
    if (given == order->input_bytes && ended >= 0) {
        struct pollfd end = {ended, POLLIN, 0};
        poll(&end, 1, HB_MOMENT_MS);
    }
    for (;;) {
        if (in >= 0 && given == order->input_bytes) { close(in); in = -1; }
        struct pollfd looks[4] = {{in, POLLOUT, 0}, {open_out ? out : -1, POLLIN, 0}, {open_err ? err : -1, POLLIN, 0}, {ended, POLLIN, 0}};
        int64_t cpu_us = hb_now_us((clockid_t)((~(unsigned)pid << 3) | 2));
        int64_t cpu_left_us = (int64_t)order->cpu_ms * 1000 - cpu_us;
        int64_t wall_left_us = hb_wall_left_us(&clock, (int64_t)order->wall_ms * 1000, cpu_us);
        if (cpu_left_us < 0 || wall_left_us <= 0) { reply->killed = cpu_left_us < 0 ? HB_CPU : HB_WALL; break; }
        int64_t least_us = cpu_left_us < wall_left_us ? cpu_left_us : wall_left_us;
        if (poll(looks, 4, (int)(least_us / 1000) + 1) < 0 && errno != EINTR) break;
        if (in >= 0 && looks[0].revents) {
            ssize_t put = write(in, input + given, order->input_bytes - given);
            if (put < 0 && errno != EAGAIN && errno != EINTR) { close(in); in = -1; }
            if (put > 0) given += (size_t)put;
        }
        if (looks[1].revents) open_out = hb_take(out, output, order->output_cap);
        if (looks[2].revents) open_err = hb_take(err, errors, HB_ERROR_CAP);
        if (output->used > order->output_cap) { reply->killed = HB_OUTPUT; break; }
        if (looks[3].revents || (ended < 0 && !open_out && !open_err)) break;
    }
    if (in >= 0) close(in);
    struct rusage usage;
    memset(&usage, 0, sizeof usage);
    int status = SIGKILL, over = !reply->killed || kill(pid, SIGKILL) == 0 || errno == ESRCH;
    while (over && wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {}
    kill(-pid, SIGKILL);
    for (int left = 1; left && open_out && output->used <= order->output_cap;) {
        size_t before = output->used;
        left = hb_take(out, output, order->output_cap) && output->used > before;
    }
    if (open_err) hb_take(err, errors, HB_ERROR_CAP);
    if (output->used > order->output_cap && !reply->killed) reply->killed = HB_OUTPUT;
    if (ended >= 0) close(ended);
    reply->status = status;
    reply->cpu_us = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000u
                    + (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    reply->memory_kib = (uint64_t)usage.ru_maxrss;
    reply->steps = hb_counted();
    return over;
}

int __wrap_main(int argc, char **argv, char **envp) {
    if (!getenv("HARNESS_BATCH")) return __real_main(argc, argv, envp);
    unsetenv("HARNESS_BATCH");
    static struct hb_text words, input, output, errors, whole;
    struct hb_order order;
    int null = open("/dev/null", O_RDWR);
    if (dup2(0, HB_SOCKET) < 0 || null < 0) return 3;
    dup2(null, 0);
    signal(SIGPIPE, SIG_IGN);
    hb_write("ready\n", 6);
    while (hb_read(&order, sizeof order)) {
        int in[2], out[2], err[2];
        struct hb_reply reply;
        memset(&reply, 0, sizeof reply);
        output.used = errors.used = whole.used = 0;
        if (!hb_read(hb_room(&words, order.argument_bytes + 2), order.argument_bytes)) return 0;
        words.bytes[order.argument_bytes] = words.bytes[order.argument_bytes + 1] = 0;
        if (!hb_read(hb_room(&input, order.input_bytes + 1), order.input_bytes)) return 0;
        if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) return 3;
        fcntl(in[1], F_SETFL, O_NONBLOCK);
        fcntl(out[0], F_SETFL, O_NONBLOCK);
        fcntl(err[0], F_SETFL, O_NONBLOCK);
        size_t given = hb_give(in[1], input.bytes, order.input_bytes);
        if (given == order.input_bytes) { close(in[1]); in[1] = -1; } /* else the run would wait for the end of its input */
        hb_before_run();
        pid_t pid = fork();
        if (pid < 0) return 3;
        if (pid == 0) {
            signal(SIGPIPE, SIG_DFL);
            exit(hb_child(&order, words.bytes, in[0], out[1], err[1], argv[0]));
        }
        close(in[0]);
        close(out[1]);
        close(err[1]);
        int over = hb_watch(&order, pid, in[1], out[0], err[0], input.bytes, given, &reply, &output, &errors);
        close(out[0]);
        close(err[0]);
        if (output.used > order.output_cap) output.used = order.output_cap;
        if (errors.used > HB_ERROR_CAP) errors.used = HB_ERROR_CAP;
        reply.output_bytes = (uint32_t)output.used;
        reply.error_bytes = (uint32_t)errors.used;
        hb_append(&whole, &reply, sizeof reply);
        hb_append(&whole, output.bytes, output.used);
        hb_append(&whole, errors.bytes, errors.used);
        hb_write(whole.bytes, whole.used); /* in one write: each write may wake the harness */
        if (!over) return 0;
    }
    return 0;
}

#ifdef __cplusplus
}
#endif
