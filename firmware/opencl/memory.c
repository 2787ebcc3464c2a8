/* SPDX-License-Identifier: MIT */
/* What compilers call to copy and set structs, where it is too long to be written out. */
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

static void copy_upwards(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = from[i];
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    copy_upwards(to, from, bytes);
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    char *target = to;
    const char *source = from;
    if (target < source)
        copy_upwards(target, source, bytes);
    else
        while (bytes--)
            target[bytes] = source[bytes];
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    char *target = to;
    for (size_t i = 0; i < bytes; i++)
        target[i] = (char)value;
    return to;
}
