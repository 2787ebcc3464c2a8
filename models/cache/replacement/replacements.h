/* SPDX-License-Identifier: MIT */
/* Every replacement policy, in the order of the choices of parameters that name one. */
#ifndef CACHE_REPLACEMENTS_H
#define CACHE_REPLACEMENTS_H

/* clang-format off */
#define REPLACEMENTS(FIRST, NEXT) \
    FIRST(lru)   /* the line that was not used for longest */ \
    NEXT(fifo)   /* the line that came first, whatever its uses */ \
    NEXT(plru)   /* a binary tree per set whose nodes point away from the latest use */ \
    NEXT(random) /* any, from a stream that starts anew when the cache is reset or aligned */ \
    /* the end */
/* clang-format on */

/* "lru|fifo|..." */
#define REPLACEMENT_FIRST_CHOICE(name) #name
#define REPLACEMENT_NEXT_CHOICE(name) "|" #name
#define REPLACEMENT_CHOICES REPLACEMENTS(REPLACEMENT_FIRST_CHOICE, REPLACEMENT_NEXT_CHOICE)

/* &replacement_lru, &replacement_fifo, ... */
#define REPLACEMENT_POINTER(name) &replacement_##name,
#define REPLACEMENT_POINTERS REPLACEMENTS(REPLACEMENT_POINTER, REPLACEMENT_POINTER)

#endif
