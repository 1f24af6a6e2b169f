"""Memory is counted where it is: of processes whose first thread has left, and once where two have the same."""

from dataclasses import replace

import pytest

from harness.sandbox.facts import MIB, KillReason, RunResult

from .conftest import LIMITS, Box, undisturbed

LIMIT = replace(LIMITS, memory_bytes=256 * MIB, wall_s=8)
HEAD = """
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static char stack[1 << 16] __attribute__((aligned(16)));
static void fill(size_t n) {
    char *p = malloc(n << 20);
    memset(p, 1, n << 20);
    __asm__("" :: "r"(p) : "memory");
}
"""
# Each child's first thread leaves, and another one takes the memory.
LEADERLESS = """
static long mib, relays;
static void *go_on(void *steps) {
    pthread_t next;
    pthread_attr_t detached;
    if (!steps) fill(mib);
    if (!relays) usleep(700000);
    if ((long)steps >= relays) _exit(0);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    while (pthread_create(&next, &detached, go_on, (char *)steps + 1));
    return 0;
}
int main(int argc, char **argv) {
    int children = atoi(argv[1]);
    mib = atoi(argv[2]), relays = atoi(argv[3]);
    for (int i = 0; i < children; i++)
        if (!fork()) {
            pthread_t thread;
            int error = pthread_create(&thread, 0, go_on, 0);
            if (error) fprintf(stderr, "pthread_create: %s", strerror(error));
            syscall(SYS_exit, 0);
        }
    while (wait(0) > 0);
}
"""
TWINS = """
static int rest(void *unused) { usleep(300000); _exit(0); }
static int take(void *mib) { fill((size_t)mib); return rest(0); }
int main(int argc, char **argv) {
    int flags = CLONE_VM | SIGCHLD;
    switch (argv[1][0]) {
    case 'v': /* vfork, again and again */
        fill(150);
        for (int i = 0; i < 3; i++)
            clone(rest, stack + sizeof stack, flags | CLONE_VFORK, 0), wait(0);
        break;
    case 's': { /* posix_spawn's child, as Java, Python and Rust make it */
        fill(150);
        for (int i = 0; i < 300; i++)
            if (vfork() == 0) execl("/bin/true", "true", (char *)0), _exit(1);
            else wait(0);
        break;
    }
    case 'h': /* twins beside a process that is none, and looks as much like one as it can */
        fill(150);
        if (!fork()) {
            char *p = malloc(150 << 20);
            memset(p, 2, 150 << 20);
            __asm__("" :: "r"(p) : "memory");
            rest(0);
        }
        clone(rest, stack + sizeof stack, flags, 0);
        usleep(300000);
        break;
    case 't': /* the twin takes it all, beside another one */
        clone(take, stack + sizeof stack, flags, (void *)280);
        if (!fork()) { fill(1); rest(0); }
        break;
    case 'l': /* two pairs of twins, whose parents have left: all that shows is their children */
        for (int i = 0; i < 2; i++)
            if (!fork()) {
                fill(150);
                clone(rest, stack + sizeof stack, flags, 0);
                syscall(SYS_exit, 0);
            }
        usleep(300000);
        break;
    case 'd': /* nobody may look into it who is not all-powerful */
        prctl(PR_SET_DUMPABLE, 0);
        for (int i = 0; i < 2; i++)
            if (!fork()) { fill(150); rest(0); }
        usleep(300000);
        break;
    }
    while (waitpid(-1, 0, __WALL) > 0);
}
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("children", "mib", "relays"), [(4, 100, 0), (1, 300, 0), (2, 200, 100_000)])
def test_memory_is_seen_though_the_first_thread_has_left(box: Box, children: int, mib: int, relays: int) -> None:
    """Relays: each further thread leaves as soon as it has started the next one."""
    program = box.compile_c(HEAD + LEADERLESS, "p", "-static")
    done = box.run(program, str(children), str(mib), str(relays), limits=LIMIT)
    assert done.facts.killed_for is KillReason.MEMORY, done


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", ["vfork", "spawn"])
def test_a_child_of_vfork_has_the_memory_of_its_parent_and_none_of_its_own(box: Box, how: str) -> None:
    program = box.compile_c(HEAD + TWINS, "p", "-static")
    expected = pytest.approx(151 * MIB, rel=0.03)
    facts = undisturbed(
        lambda: box.run(program, how, limits=LIMIT).facts, lambda facts: facts.memory_bytes == expected
    )
    assert (facts.exit_code, facts.killed_for) == (0, None)
    assert facts.memory_bytes == expected


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", ["hides beside twins", "twin", "left twins", "dumpable not"])
def test_no_memory_hides_behind_a_process_that_shares_it(box: Box, how: str) -> None:
    program = box.compile_c(HEAD + TWINS, "p", "-static")

    def is_seen(facts: RunResult) -> bool:
        return facts.killed_for is KillReason.MEMORY or facts.memory_bytes >= LIMIT.memory_bytes

    # Where other work delays one process by the time that the other holds its memory, there is never so much at once.
    facts = undisturbed(lambda: box.run(program, how[0], limits=LIMIT).facts, is_seen)
    assert is_seen(facts), facts
