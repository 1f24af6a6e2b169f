/* Forced into the launcher (cc -include): Landlock answers as on a kernel with ABI EMULATED_ABI, 0: without it.
 * A seccomp filter could not do that: it can make a call fail, but not return a number. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long emulated_refusal(int error)
{
    errno = error;
    return -1;
}

/* What each ABI added: the size of the attributes, the rights on files; see landlock(7). */
static long emulated_create_ruleset(const void *attributes, size_t size, unsigned flags)
{
    size_t known_size = EMULATED_ABI >= 6 ? 24 : EMULATED_ABI >= 4 ? 16 : 8;
    uint64_t files = (1ULL << (EMULATED_ABI >= 5 ? 16 : EMULATED_ABI >= 3 ? 15 : EMULATED_ABI >= 2 ? 14 : 13)) - 1;
    uint64_t given[3] = {0};
    if (EMULATED_ABI == 0)
        return emulated_refusal(ENOSYS);
    if (flags == 1 && !attributes && size == 0)
        return EMULATED_ABI;
    if (flags || size < 8)
        return emulated_refusal(EINVAL);
    memcpy(given, attributes, size < sizeof given ? size : sizeof given);
    if (size > sizeof given || (known_size < 16 && given[1]) || (known_size < 24 && given[2]))
        return emulated_refusal(E2BIG);
    if (given[0] & ~files)
        return emulated_refusal(EINVAL);
    return syscall(444, attributes, size, flags);
}

static long emulated_syscall(long number, ...)
{
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == 444)
        return emulated_create_ruleset((const void *)a[0], (size_t)a[1], (unsigned)a[2]);
    if (number == 445 && EMULATED_ABI == 0)
        return emulated_refusal(ENOSYS);
    if (number == 446 && (EMULATED_ABI == 0 || (EMULATED_ABI < 7 && (unsigned)a[1])))
        return emulated_refusal(EMULATED_ABI == 0 ? ENOSYS : EINVAL);
    return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#define syscall emulated_syscall
