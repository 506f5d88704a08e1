/* A disk that is slow, lies, fills up, fails, or goes away: loaded before the C library, it stands between a program and
   the files of one folder. What it does is read from the environment at each call, so that a program may change it.

   FAULTY_FOLDER  the folder; without it every call is passed on
   FAULTY_LOG     a file that gets a line for each call: its number, name and file
   FAULTY_AT      the number of the call that fails, from 1
   FAULTY_HOW     eio, enospc, kill (before the call), half (a kill after half a write), killed (after the call)
   FAULTY_LASTS   1: every call from that one on fails
   FAULTY_DELAY   milliseconds that a sync takes
   FAULTY_SYNCED  a folder that gets what is synced: what a power cut would leave
   FAULTY_LIES    1: a sync says that it was done and does nothing */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int calls;

/* The C library's own function. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int number(const char *name) {
    const char *value = getenv(name);
    return value ? atoi(value) : 0;
}

/* The file's name within the folder, or nothing where it lies elsewhere. */
static const char *within(const char *path) {
    const char *folder = getenv("FAULTY_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    if (!length || strncmp(path, folder, length) || path[length] != '/') return NULL;
    return path + length + 1;
}

static const char *file_of(int handle, char *path) {
    char link[64];
    if (!getenv("FAULTY_FOLDER")) return NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    return within(path);
}

/* Count a call and see whether it fails: 0 where it does not, else how. */
static const char *fate(const char *name, const char *file) {
    int count = atomic_fetch_add(&calls, 1) + 1;
    const char *log = getenv("FAULTY_LOG"), *how = getenv("FAULTY_HOW");
    if (log) {
        char line[PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%d %s %s\n", count, name, file);
        int handle = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
        syscall(SYS_write, handle, line, length);
        syscall(SYS_close, handle);
    }
    int at = number("FAULTY_AT");
    if (!at || !how || count < at || (count > at && !number("FAULTY_LASTS"))) return NULL;
    if (!strcmp(how, "kill")) kill(getpid(), SIGKILL);
    return how;
}

static int is(const char *how, const char *wanted) { return how && !strcmp(how, wanted); }

/* Whether a call is not made but fails; where it is no write, a full disk is a failing one. */
static int fails(const char *how, int writes) {
    if (!is(how, "eio") && !is(how, "enospc")) return 0;
    errno = is(how, "enospc") && writes ? ENOSPC : EIO;
    return 1;
}

static void after(const char *how) {
    if (is(how, "killed") || is(how, "half")) kill(getpid(), SIGKILL);
}

static ssize_t written(const char *name, int handle, const void *from, size_t size, off64_t at) {
    char path[PATH_MAX];
    const char *file = file_of(handle, path), *how = file ? fate(name, file) : NULL;
    if (fails(how, 1)) return -1;
    if (is(how, "half")) size /= 2;
    ssize_t done = at < 0 ? syscall(SYS_write, handle, from, size) : syscall(SYS_pwrite64, handle, from, size, at);
    after(how);
    return done;
}

ssize_t write(int handle, const void *from, size_t size) { return written("write", handle, from, size, -1); }
ssize_t pwrite(int handle, const void *from, size_t size, off_t at) { return written("write", handle, from, size, at); }
ssize_t pwrite64(int handle, const void *from, size_t size, off64_t at) { return written("write", handle, from, size, at); }

static ssize_t got(int handle, void *to, size_t size, off64_t at) {
    char path[PATH_MAX];
    const char *file = file_of(handle, path), *how = file ? fate("read", file) : NULL;
    if (fails(how, 0)) return -1;
    ssize_t done = at < 0 ? syscall(SYS_read, handle, to, size) : syscall(SYS_pread64, handle, to, size, at);
    after(how);
    return done;
}

ssize_t read(int handle, void *to, size_t size) { return got(handle, to, size, -1); }
ssize_t pread(int handle, void *to, size_t size, off_t at) { return got(handle, to, size, at); }
ssize_t pread64(int handle, void *to, size_t size, off64_t at) { return got(handle, to, size, at); }

static int cut(int handle, off64_t size) {
    char path[PATH_MAX];
    const char *file = file_of(handle, path), *how = file ? fate("truncate", file) : NULL;
    if (fails(how, 1)) return -1;
    int done = (int)syscall(SYS_ftruncate, handle, size);
    after(how);
    return done;
}

int ftruncate(int handle, off_t size) { return cut(handle, size); }
int ftruncate64(int handle, off64_t size) { return cut(handle, size); }

/* Copy a file as it is now to where synced files lie, in one step. */
static void keep(int handle, const char *file) {
    char from[64], to[PATH_MAX], partial[PATH_MAX + 8], block[65536];
    struct stat there;
    const char *folder = getenv("FAULTY_SYNCED");
    if (!folder || fstat(handle, &there) || !S_ISREG(there.st_mode) || strchr(file, '/')) return;
    snprintf(from, sizeof from, "/proc/self/fd/%d", handle);
    snprintf(to, sizeof to, "%s/%s", folder, file);
    snprintf(partial, sizeof partial, "%s.part", to);
    int source = (int)syscall(SYS_openat, AT_FDCWD, from, O_RDONLY, 0);
    int target = (int)syscall(SYS_openat, AT_FDCWD, partial, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t size;
    while ((size = syscall(SYS_read, source, block, sizeof block)) > 0) syscall(SYS_write, target, block, size);
    syscall(SYS_close, source);
    syscall(SYS_close, target);
    rename(partial, to);
}

/* The folder itself is synced: what was deleted there is deleted for good. */
static void forget(const char *folder) {
    char path[2 * PATH_MAX];
    DIR *synced = opendir(folder);
    struct dirent *entry;
    while (synced && (entry = readdir(synced))) {
        snprintf(path, sizeof path, "%s/%s", getenv("FAULTY_FOLDER"), entry->d_name);
        if (entry->d_name[0] == '.' || !access(path, F_OK)) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        REAL(unlink)(path);
    }
    if (synced) closedir(synced);
}

static int synced(int handle, long call) {
    char path[PATH_MAX];
    const char *file = file_of(handle, path), *folder = getenv("FAULTY_FOLDER");
    if (!file && folder && getenv("FAULTY_SYNCED") && !number("FAULTY_LIES")) {
        if (!strcmp(path, folder)) forget(getenv("FAULTY_SYNCED"));
    }
    const char *how = file ? fate("sync", file) : NULL;
    if (fails(how, 1)) return -1;
    if (!file) return (int)syscall(call, handle);
    int delay = number("FAULTY_DELAY");
    if (delay) {
        struct timespec time = {delay / 1000, delay % 1000 * 1000000L};
        nanosleep(&time, NULL);
    }
    if (number("FAULTY_LIES")) return 0;
    /* Whether the real disk is waited for says nothing here, and takes long. */
    keep(handle, file);
    after(how);
    return 0;
}

int fsync(int handle) { return synced(handle, SYS_fsync); }
int fdatasync(int handle) { return synced(handle, SYS_fdatasync); }

int unlink(const char *path) {
    const char *file = within(path), *how = file ? fate("unlink", file) : NULL;
    if (fails(how, 0)) return -1;
    int done = REAL(unlink)(path);
    after(how);
    return done;
}

static int opened(const char *path, int flags, mode_t mode) {
    const char *file = within(path), *how = file ? fate("open", file) : NULL;
    if (fails(how, flags & O_CREAT)) return -1;
    int handle = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    after(how);
    return handle;
}

#define OPEN(name)                                       \
    int name(const char *path, int flags, ...) {         \
        va_list more;                                    \
        va_start(more, flags);                           \
        mode_t mode = va_arg(more, int);                 \
        va_end(more);                                    \
        return opened(path, flags, mode);                \
    }
OPEN(open)
OPEN(open64)
