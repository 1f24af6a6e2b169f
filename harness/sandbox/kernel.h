/* What the C library's headers may be too old to know. All these numbers are the same on every machine. */

#define SYS_PIDFD_SEND_SIGNAL 424
#define SYS_PIDFD_OPEN 434
#define SYS_CLOSE_RANGE 436
#define SYS_OPENAT2 437
#define SYS_OPEN_TREE 428
#define SYS_MOVE_MOUNT 429
#define SYS_MOUNT_SETATTR 442
#define SYS_LANDLOCK_CREATE_RULESET 444
#define SYS_LANDLOCK_ADD_RULE 445
#define SYS_LANDLOCK_RESTRICT_SELF 446

#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW 4
#endif
#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif
#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x1000
#endif
#ifndef AT_EMPTY_PATH
#define AT_EMPTY_PATH 0x1000
#endif
#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif
#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif
#ifndef MOVE_MOUNT_EMPTY_PATH
#define MOVE_MOUNT_EMPTY_PATH 4
#endif
#ifndef MOVE_MOUNT_F_EMPTY_PATH
#define MOVE_MOUNT_F_EMPTY_PATH 4
#endif
#ifndef MOUNT_ATTR_RDONLY
#define MOUNT_ATTR_RDONLY 1
#define MOUNT_ATTR_NOSUID 2
#define MOUNT_ATTR_NODEV 4
#endif
#ifndef RESOLVE_IN_ROOT
#define RESOLVE_IN_ROOT 0x10
#endif

struct mount_attributes { uint64_t set, clear, propagation, userns_fd; };
struct open_how { uint64_t flags, mode, resolve; };

#define KCMP_MEMORY 1 /* KCMP_VM of linux/kcmp.h */

#define LANDLOCK_CREATE_RULESET_VERSION 1
#define LANDLOCK_PATH_BENEATH 1
#define LANDLOCK_EXECUTE (1ULL << 0)
#define LANDLOCK_WRITE_FILE (1ULL << 1)
#define LANDLOCK_READ_FILE (1ULL << 2)
#define LANDLOCK_READ_DIR (1ULL << 3)
#define LANDLOCK_ALL_1 ((1ULL << 13) - 1)
#define LANDLOCK_REFER (1ULL << 13)
#define LANDLOCK_TRUNCATE (1ULL << 14)
#define LANDLOCK_IOCTL_DEV (1ULL << 15)
#define LANDLOCK_READ (LANDLOCK_READ_FILE | LANDLOCK_READ_DIR)
#define LANDLOCK_OF_FILES \
    (LANDLOCK_EXECUTE | LANDLOCK_WRITE_FILE | LANDLOCK_READ_FILE | LANDLOCK_TRUNCATE | LANDLOCK_IOCTL_DEV)
#define LANDLOCK_EVERYTHING (LANDLOCK_ALL_1 | LANDLOCK_REFER | LANDLOCK_TRUNCATE)
#define LANDLOCK_ALL_NET 3ULL
#define LANDLOCK_ALL_SCOPES 3ULL

struct landlock_ruleset { uint64_t fs, net, scoped; };
struct landlock_path_beneath { uint64_t allowed; int32_t parent_fd; } __attribute__((packed));
