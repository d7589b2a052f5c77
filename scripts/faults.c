/* An LD_PRELOAD library that refuses more than PHUTBASE_THREADS threads at a time, if set, and
   injects disk faults below the directory PHUTBASE_DISK:

     PHUTBASE_FAULT=sync      flushing fails (EIO)
     PHUTBASE_FAULT=full      writing fails (ENOSPC) after PHUTBASE_ROOM bytes [default: 0]
     PHUTBASE_FAULT=readonly  creating, writing, renaming and removing files fails (EROFS)

   cc -shared -fPIC -o faults.so faults.c -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int fault(const char *kind) {
    const char *set = getenv("PHUTBASE_FAULT");
    return set && !strcmp(set, kind);
}

static int inside(const char *path) {
    const char *disk = getenv("PHUTBASE_DISK");
    return disk && path && !strncmp(path, disk, strlen(disk));
}

static int inside_fd(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return inside(path);
}

static int fail(int error) {
    errno = error;
    return -1;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

/* Number of the wanted bytes that can be written. */
static long room = -1;
static size_t granted(int fd, size_t wanted) {
    if (!fault("full") || !inside_fd(fd)) return wanted;
    if (room < 0) room = getenv("PHUTBASE_ROOM") ? atol(getenv("PHUTBASE_ROOM")) : 0;
    size_t given = wanted < (size_t)room ? wanted : (size_t)room;
    room -= given;
    return given;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    size_t given = granted(fd, size);
    return size && !given ? fail(ENOSPC) : REAL(ssize_t, write, int, const void *, size_t)(fd, bytes, given);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    size_t given = granted(fd, size);
    return size && !given ? fail(ENOSPC)
                          : REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(fd, bytes, given, at);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (!fault("full") || !inside_fd(fd)) return REAL(ssize_t, writev, int, const struct iovec *, int)(fd, parts, count);
    for (int i = 0; i < count; i++)
        if (parts[i].iov_len) return write(fd, parts[i].iov_base, parts[i].iov_len);
    return 0;
}

int fsync(int fd) {
    return fault("sync") && inside_fd(fd) ? fail(EIO) : REAL(int, fsync, int)(fd);
}

int fdatasync(int fd) {
    return fault("sync") && inside_fd(fd) ? fail(EIO) : REAL(int, fdatasync, int)(fd);
}

static int refused(const char *path, int flags) {
    return fault("readonly") && inside(path) && (flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC));
}

#define OPEN(name)                                                                  \
    int name(const char *path, int flags, ...) {                                    \
        va_list more;                                                               \
        va_start(more, flags);                                                      \
        mode_t mode = va_arg(more, mode_t);                                         \
        va_end(more);                                                               \
        if (refused(path, flags)) return fail(EROFS);                               \
        return REAL(int, name, const char *, int, ...)(path, flags, mode);          \
    }
OPEN(open)
OPEN(open64)

int rename(const char *from, const char *to) {
    return fault("readonly") && inside(to) ? fail(EROFS) : REAL(int, rename, const char *, const char *)(from, to);
}

int unlink(const char *path) {
    return fault("readonly") && inside(path) ? fail(EROFS) : REAL(int, unlink, const char *)(path);
}

static int alive;
struct start { void *(*work)(void *); void *with; };

static void *run(void *given) {
    struct start start = *(struct start *)given;
    free(given);
    void *result = start.work(start.with);
    __sync_fetch_and_sub(&alive, 1);
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *with) {
    const char *most = getenv("PHUTBASE_THREADS");
    if (__sync_fetch_and_add(&alive, 1) >= (most ? atoi(most) : 1 << 20)) {
        __sync_fetch_and_sub(&alive, 1);
        return EAGAIN;
    }
    struct start *start = malloc(sizeof *start);
    *start = (struct start){work, with};
    return REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)(
        thread, attributes, run, start);
}
