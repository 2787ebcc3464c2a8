/* SPDX-License-Identifier: MIT */
/* Device memory as the host program of a machine has allocated it: its own records, wherever they are. */
#ifndef DEVICE_MEMORY_H
#define DEVICE_MEMORY_H

#include "access_allocations.h"
#include "machine_internal.h"

struct runtime_heap;

typedef struct device_memory {
    uint64_t changes; /* of the heap, that are in `all` */
    hd_allocation *items;
    hd_allocations all;
    uint32_t has_read;
} device_memory;

/* While all blocks stand. Returns 1 if something has changed since the last call. */
uint32_t device_memory_read(device_memory *memory, hd_machine *machine);
void device_memory_free(device_memory *memory);
/* Are there records to read? 0: a model from elsewhere is the host. */
uint32_t device_memory_is_known(const hd_machine *machine);

#endif
