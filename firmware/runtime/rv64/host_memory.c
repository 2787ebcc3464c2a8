/* SPDX-License-Identifier: MIT */
/* Where malloc of the C library has its memory from: between what is linked and the end of RAM. */
#include "host_memory.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

extern char __ram_begin[], __heap_start[], __heap_end[]; /* firmware.ld */

static char *next = __heap_start, *end = __heap_end;

void host_memory_begin(uint64_t ram_bytes)
{
    if (ram_bytes)
        end = __ram_begin + ram_bytes;
}

void *sbrk(ptrdiff_t bytes)
{
    char *before = next;
    if (bytes > end - next || bytes < __heap_start - next) {
        errno = ENOMEM;
        return (void *)-1;
    }
    next += bytes;
    return before;
}
