/* SPDX-License-Identifier: MIT */
#include "no_memory.h"

#include <stddef.h>

/* calloc of the system, and what is called instead of it: -Wl,--wrap=calloc. */
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

static uint32_t is_armed, calls_left;

void no_memory_after(uint32_t calls)
{
    is_armed = 1;
    calls_left = calls;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    if (is_armed && calls_left-- == 0) {
        is_armed = 0;
        return NULL;
    }
    return __real_calloc(count, bytes);
}
