/* SPDX-License-Identifier: MIT */
#include "allocations.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *memory);

typedef struct fenced {
    struct fenced *next;
    void *memory;
    void *pages;
    size_t bytes;
} fenced;

static int64_t allowed = -1; /* below 0: any number */
static uint32_t has_failed, is_fenced;
static fenced *all;

void allocations_refuse(uint32_t left)
{
    allowed = left;
    has_failed = 0;
}

uint32_t allocations_allow(void)
{
    allowed = -1;
    return has_failed;
}

void allocations_fence(uint32_t is_on)
{
    is_fenced = is_on;
}

static uint32_t refuses(void)
{
    if (allowed < 0 || allowed-- > 0)
        return 0;
    has_failed = 1;
    return 1;
}

static void *fence(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), used = (bytes + page - 1) / page * page;
    uint8_t *pages = mmap(NULL, used + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fenced *made = __real_malloc(sizeof *made);
    if (pages == MAP_FAILED || !made || mprotect(pages + used, page, PROT_NONE))
        abort();
    *made = (fenced){all, pages + used - (bytes + 15) / 16 * 16, pages, used + page};
    all = made;
    return made->memory;
}

void *__wrap_malloc(size_t bytes)
{
    return refuses() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    if (refuses())
        return NULL;
    return is_fenced ? fence(count * bytes) : __real_calloc(count, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return refuses() ? NULL : __real_aligned_alloc(alignment, bytes);
}

void __wrap_free(void *memory)
{
    for (fenced **at = &all; *at; at = &(*at)->next) {
        fenced *found = *at;
        if (found->memory != memory)
            continue;
        munmap(found->pages, found->bytes);
        *at = found->next;
        __real_free(found);
        return;
    }
    __real_free(memory);
}
