/* SPDX-License-Identifier: MIT */
/* Memory of a native program as others find it on the host bus: each piece has an address while a copy uses it. */
#ifndef HD_HOST_SHARED_MEMORY_H
#define HD_HOST_SHARED_MEMORY_H

#include <stdint.h>

typedef struct shared_piece {
    uint64_t address; /* on the host bus */
    uint64_t bytes;
    uint8_t *memory;
} shared_piece;

typedef struct shared_memory {
    uint32_t count;
    uint32_t capacity;
    uint64_t next; /* bytes of the window given since it was empty */
    shared_piece *pieces;
} shared_memory;

/* Addresses depend on the order of the calls alone. Returns 0: the window is full; or there is no memory, *no_memory. */
uint64_t shared_memory_add(shared_memory *shared, void *memory, uint64_t bytes, uint32_t *no_memory);
void shared_memory_remove(shared_memory *shared, uint64_t address);
/* NULL: these bytes are not all in one piece. */
uint8_t *shared_memory_find(const shared_memory *shared, uint64_t address, uint64_t bytes);
void shared_memory_release(shared_memory *shared);

#endif
