/* SPDX-License-Identifier: MIT */
/* The allocator of device memory: first fit by address. It keeps its records on the host. A checker outside of the program may
 * read them while it stands; those of firmware lie in its RAM, with the same layout. */
#ifndef HD_HOST_RUNTIME_HEAP_H
#define HD_HOST_RUNTIME_HEAP_H

#include <stddef.h>
#include <stdint.h>

#define HEAP_ALIGNMENT 256u

enum { HEAP_USER, HEAP_RUNTIME, HEAP_IMAGE, HEAP_OWNERS };

/* Where in the host program; lives as long as it. */
typedef struct heap_site {
    const char *file; /* NULL: not known */
    uint64_t line;
} heap_site;

typedef struct heap_block {
    uint32_t address;
    uint32_t owner; /* HEAP_* */
    uint64_t bytes;
    uint64_t number;  /* of all that were allocated or entered, from 1 */
    uint64_t ordinal; /* likewise, of this owner */
    heap_site allocated;
    heap_site freed;
} heap_block;

typedef struct runtime_heap {
    uint64_t begin; /* of what can be allocated */
    uint64_t end;
    uint64_t numbered; /* allocated or entered so far */
    uint64_t ordinals[HEAP_OWNERS];
    uint64_t changes; /* so far, to any of it */
    uint32_t count;
    uint32_t capacity;
    heap_block *blocks; /* by address */
    uint32_t freed_count;
    uint32_t freed_capacity;
    heap_block *freed; /* whose addresses were not given again */
} runtime_heap;

enum { HEAP_OK, HEAP_FULL, HEAP_NO_HOST_MEMORY, HEAP_UNKNOWN, HEAP_FREED_TWICE };

/* Returns HEAP_OK, HEAP_FULL or HEAP_NO_HOST_MEMORY. bytes >= 1. */
uint32_t heap_allocate(runtime_heap *heap, uint64_t bytes, uint32_t owner, heap_site site, uint32_t *address);
/* Enters a block that lies outside begin .. end. Blocks come by ascending address. */
uint32_t heap_enter(runtime_heap *heap, uint32_t address, uint64_t bytes, uint32_t owner);
/* Returns HEAP_OK, HEAP_UNKNOWN, HEAP_FREED_TWICE or HEAP_NO_HOST_MEMORY. */
uint32_t heap_free(runtime_heap *heap, uint32_t address, heap_site site);
/* The block that holds this address, or NULL. Lent. */
const heap_block *heap_find(const runtime_heap *heap, uint32_t address);
/* Was a block of the program at this address freed, and nothing allocated there since? */
uint32_t heap_was_freed(const runtime_heap *heap, uint32_t address);
uint64_t heap_largest_gap(const runtime_heap *heap);
void heap_release(runtime_heap *heap);

#endif
