/* Loaded by LD_PRELOAD: adds the seconds in the file CLOCK_SHIFT, a long, to the wall clock; other clocks go on. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long *shift;

__attribute__((constructor)) static void find_shift(void) {
    const char *path = getenv("CLOCK_SHIFT");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *place = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
    if (place != MAP_FAILED) shift = place;
    if (file >= 0) close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int status = syscall(SYS_clock_gettime, clock, now);
    if (!status && shift && (clock == 0 || clock == 5)) now->tv_sec += *shift; /* CLOCK_REALTIME, and its coarse twin */
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    now->tv_sec = time(NULL), now->tv_usec = 0;
    return zone != NULL;
}

time_t time(time_t *now) {
    struct timespec exact;
    clock_gettime(0, &exact);
    return now ? (*now = exact.tv_sec) : exact.tv_sec;
}
