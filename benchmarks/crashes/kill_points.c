/* Loaded by LD_PRELOAD into every process of a campaign. It names points in the life of its processes:
 *
 *     start COMMAND      a git or stage begins       rename PROGRAM PATH    a file gets its final name
 *     end COMMAND        it exits by itself          write PROGRAM PATH     bytes go to a file below CRASH_ROOT
 *
 * Numbers, hashes and temporary names are replaced, so that a point has the same name in every run. The first process
 * that meets a point for the first time strikes: SIGKILL for the campaign's process and for itself, or, with
 * CRASH_ACTION=full, ENOSPC for this write and for all later ones of the run. With CRASH_ACTION=list, or
 * list-full for writes, nothing strikes: the points are written down. Each start of a stage is a line of the file `stages`.
 *
 *     CRASH_ROOT     only files below it count           CRASH_STATE    folder of marks: `seen/`, `events`, `stages`, `full`, `pid`
 *     CRASH_AT       texts, one a line: points that contain one of them strike, after `=` the point of that very name;
 *                    empty: every point
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char program[64], command[512];
static const char *root, *state;
static int is_full_mode, is_list_mode, is_ready, is_named;
static __thread int inside;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static int (*real_rename)(const char *, const char *);
static int (*real_renameat)(int, const char *, int, const char *);
static int (*real_renameat2)(int, const char *, int, const char *, unsigned);
static void (*real_exit)(int);

static int is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/* Replace what differs from run to run: hexadecimal words of 8 and more, numbers but those of versions, tmp names. */
static void normalise(const char *from, char *to, size_t size) {
    size_t used = 0;
    while (*from && used + 2 < size) {
        size_t run = 0, digits = 0;
        while (is_hex(from[run])) digits += from[run] <= '9', run++;
        if ((run >= 8 && digits) || (run == 2 && from[2] == '/' && from[-1] == '/')) {
            to[used++] = '#', from += run;
        } else if (!strncmp(from, "tmp", 3) && from[-1] == '/') {
            to[used++] = '#';
            while (*from && *from != '/') from++;
        } else if (*from >= '0' && *from <= '9' && from[-1] != 'v' && !(from[-1] >= '0' && from[-1] <= '9' && to[used - 1] != '#')) {
            to[used++] = '#';
            while (*from >= '0' && *from <= '9') from++;
        } else {
            to[used++] = *from++;
        }
    }
    to[used] = 0;
}

static void path_of(const char *name, char *out) { snprintf(out, PATH_MAX, "%s/%s", state, name); }

static int is_wanted(const char *event) {
    const char *at = getenv("CRASH_AT");
    if (!at || !*at) return 1;
    while (*at) {
        size_t length = strcspn(at, "\n");
        char text[PATH_MAX];
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        if (*text == '=' ? !strcmp(event, text + 1) : length && strstr(event, text)) return 1;
        at += length + (at[length] == '\n');
    }
    return 0;
}

static int is_first(const char *event) {
    uint64_t hash = 1469598103934665603ull;
    for (const char *c = event; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211ull;
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "seen/%016llx", (unsigned long long)hash);
    path_of(name, path);
    int mark = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (mark < 0) return 0;
    real_write(mark, event, strlen(event));
    close(mark);
    return 1;
}

static void note(const char *file, const char *event) {
    char path[PATH_MAX], line[PATH_MAX + 600];
    path_of(file, path);
    int log = open(path, O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0644);
    int length = snprintf(line, sizeof line, "%s\n", event);
    if (log >= 0) real_write(log, line, length), close(log);
}

static void strike(void) {
    char path[PATH_MAX], text[32] = "";
    if (is_list_mode) return;
    if (is_full_mode) {
        path_of("full", path);
        close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
        return;
    }
    path_of("pid", path);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, text, sizeof text - 1) > 0) kill(atoi(text), SIGKILL);
    kill(getpid(), SIGKILL);
}

static void meet(const char *kind, const char *what) {
    if (!is_ready || inside) return;
    inside = 1;
    char raw[PATH_MAX + 600], event[PATH_MAX + 600];
    int kept = errno;
    snprintf(raw, sizeof raw, "%s %s", kind, what);
    normalise(raw, event, sizeof event);
    if (is_wanted(event) && is_first(event)) note("events", event), strike();
    errno = kept;
    inside = 0;
}

static int below_root(const char *path) { return root && !strncmp(path, root, strlen(root)); }

static void meet_path(const char *kind, const char *path) {
    char text[PATH_MAX + 80];
    snprintf(text, sizeof text, "%s %s", program, path + strlen(root));
    meet(kind, text);
}

/* Return whether a write may go on; the disk of a run that once was full stays full. */
static int may_write(int descriptor) {
    if (!is_ready || inside || !is_full_mode) return 1;
    char link[64], path[PATH_MAX], full[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 1;
    path[length] = 0;
    if (!below_root(path) || strstr(path, "prefect")) return 1;
    path_of("full", full);
    if (access(full, F_OK)) meet_path("write", path);
    if (access(full, F_OK)) return 1;
    errno = ENOSPC;
    return 0;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    return may_write(descriptor) ? real_write(descriptor, bytes, count) : -1;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    return may_write(descriptor) ? real_pwrite(descriptor, bytes, count, offset) : -1;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    return may_write(descriptor) ? real_writev(descriptor, parts, count) : -1;
}

static void before_rename(int folder, const char *path) {
    char whole[PATH_MAX], base[PATH_MAX], link[64];
    if (!is_ready || inside || is_full_mode || !path) return;
    if (*path != '/') {
        ssize_t length = -1;
        if (folder == AT_FDCWD) {
            if (getcwd(base, sizeof base)) length = strlen(base);
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            length = readlink(link, base, sizeof base - 1);
        }
        if (length <= 0) return;
        snprintf(whole, sizeof whole, "%.*s/%s", (int)length, base, path);
        path = whole;
    }
    if (below_root(path) && !strstr(path, "prefect")) meet_path("rename", path);
}

int rename(const char *from, const char *to) {
    before_rename(AT_FDCWD, to);
    return real_rename(from, to);
}

int renameat(int folder, const char *from, int target, const char *to) {
    before_rename(target, to);
    return real_renameat(folder, from, target, to);
}

int renameat2(int folder, const char *from, int target, const char *to, unsigned flags) {
    before_rename(target, to);
    return real_renameat2(folder, from, target, to, flags);
}

static void at_end(void) {
    if (!is_full_mode && is_named) meet("end", command);
}

void _exit(int status) {
    at_end();
    real_exit(status);
    __builtin_unreachable();
}

/* Name the process as a person would: `git commit`, `tasks train v001`, `cli.main campaign run`. */
static void read_command(void) {
    char line[4096], *words[64];
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC), count = 0;
    ssize_t length = file < 0 ? 0 : read(file, line, sizeof line - 1);
    close(file);
    line[length > 0 ? length : 0] = 0;
    for (char *at = line; at < line + length && count < 64; at += strlen(at) + 1) words[count++] = at;
    if (!count) return;
    const char *name = strrchr(words[0], '/') ? strrchr(words[0], '/') + 1 : words[0];
    snprintf(program, sizeof program, "%s", name);
    size_t used = snprintf(command, sizeof command, "%s", name);
    for (int index = 1, kept = 0; index < count && kept < 3; index++) {
        is_named |= strstr(words[index], "warm_client.py") != NULL; /* it ends as its stage ends */
        if (words[index][0] == '-' || strchr(words[index], '=') || strchr(words[index], '/')) continue;
        used += snprintf(command + used, sizeof command - used, " %s", words[index]), kept++;
        if (used >= sizeof command - 1) break;
    }
}

__attribute__((constructor)) static void begin(void) {
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_writev = dlsym(RTLD_NEXT, "writev");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_renameat = dlsym(RTLD_NEXT, "renameat");
    real_renameat2 = dlsym(RTLD_NEXT, "renameat2");
    real_exit = dlsym(RTLD_NEXT, "_exit");
    root = getenv("CRASH_ROOT");
    state = getenv("CRASH_STATE");
    const char *action = getenv("CRASH_ACTION");
    is_full_mode = action && strstr(action, "full");
    is_list_mode = action && strstr(action, "list");
    read_command();
    is_ready = root && state;
    is_named = is_named || !strcmp(program, "git") || strstr(command, " tasks");
    atexit(at_end);
    if (is_ready && is_named && strcmp(program, "git") && !strstr(command, "tasks.running")) note("stages", command);
    if (!is_full_mode && is_named) meet("start", command);
}
