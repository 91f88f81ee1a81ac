// SPDX-License-Identifier: GPL-3.0-or-later
// A malloc of the program's own, preloaded: it only ever takes new memory, and cannot bear to be called while it works.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *at, *end;

static void *take(size_t alignment, size_t bytes) {
    const size_t header = 16;
    if (alignment < header)
        alignment = header;
    pthread_mutex_lock(&mutex);
    uintptr_t place = ((uintptr_t)at + header + alignment - 1) / alignment * alignment;
    if (at == NULL || place + bytes > (uintptr_t)end) {
        const size_t room = bytes + alignment + header > (size_t)64 << 20 ? bytes + alignment + header : (size_t)64 << 20;
        char *more = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (more == MAP_FAILED) {
            pthread_mutex_unlock(&mutex);
            errno = ENOMEM;
            return NULL;
        }
        end = more + room;
        place = ((uintptr_t)more + header + alignment - 1) / alignment * alignment;
    }
    at = (char *)place + bytes;
    ((size_t *)place)[-1] = bytes;
    pthread_mutex_unlock(&mutex);
    return (void *)place;
}

void *malloc(size_t bytes) { return take(16, bytes); }
void *calloc(size_t number, size_t bytes) { return take(16, number * bytes); } // new memory is zero
void free(void *memory) { (void)memory; }
void *realloc(void *memory, size_t bytes) {
    void *more = take(16, bytes);
    if (memory != NULL && more != NULL) {
        const size_t before = ((size_t *)memory)[-1];
        memcpy(more, memory, before < bytes ? before : bytes);
    }
    return more;
}
void *memalign(size_t alignment, size_t bytes);
void *memalign(size_t alignment, size_t bytes) { return take(alignment, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return take(alignment, bytes); }
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    *memory = take(alignment, bytes);
    return *memory == NULL ? ENOMEM : 0;
}
