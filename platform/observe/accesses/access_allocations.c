/* SPDX-License-Identifier: MIT */
#include "access_allocations.h"

#include <stdio.h>

/* How many live ones begin at or before the address. */
static uint32_t upper_bound(const hd_allocations *allocations, uint64_t address)
{
    uint32_t low = 0, high = allocations->live;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (allocations->items[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t holds(const hd_allocation *allocation, uint64_t address)
{
    return address - allocation->address < allocation->bytes;
}

const hd_allocation *hd_allocations_find(const hd_allocations *allocations, uint64_t address)
{
    const uint32_t behind = upper_bound(allocations, address);
    const hd_allocation *found = behind ? &allocations->items[behind - 1] : NULL;
    return found && holds(found, address) ? found : NULL;
}

const hd_allocation *hd_allocations_find_freed(const hd_allocations *allocations, uint64_t address)
{
    const hd_allocation *found = NULL;
    for (uint32_t i = allocations->live; i < allocations->count; i++) {
        const hd_allocation *freed = &allocations->items[i];
        if (holds(freed, address) && (!found || freed->number > found->number))
            found = freed;
    }
    return found;
}

static uint64_t distance(const hd_allocation *allocation, uint64_t address)
{
    return address < allocation->address ? allocation->address - address
                                         : address - (allocation->address + allocation->bytes);
}

const hd_allocation *hd_allocations_nearest(const hd_allocations *allocations, uint64_t address)
{
    const hd_allocation *nearest = NULL;
    for (uint32_t i = 0; i < allocations->live; i++) {
        const hd_allocation *at = &allocations->items[i];
        if (at->owner != HD_ALLOCATION_RUNTIME && (!nearest || distance(at, address) < distance(nearest, address)))
            nearest = at;
    }
    return nearest;
}

void hd_allocation_name(const hd_allocation *allocation, char text[HD_ALLOCATION_NAME_BYTES])
{
    static const char *const owners[] = {[HD_ALLOCATION_PROGRAM] = "allocation",
                                         [HD_ALLOCATION_RUNTIME] = "runtime memory",
                                         [HD_ALLOCATION_KERNELS] = "kernel segment",
                                         [HD_ALLOCATION_READ_ONLY] = "kernel segment"};
    snprintf(text, HD_ALLOCATION_NAME_BYTES, "%s %llu", owners[allocation->owner],
             (unsigned long long)allocation->ordinal);
}

void hd_allocation_describe(const hd_allocation *allocation, char text[HD_ALLOCATION_TEXT_BYTES])
{
    char name[HD_ALLOCATION_NAME_BYTES];
    hd_allocation_name(allocation, name);
    snprintf(text, HD_ALLOCATION_TEXT_BYTES, "%s: %llu bytes at 0x%08llx%s%s%s%s", name,
             (unsigned long long)allocation->bytes, (unsigned long long)allocation->address,
             allocation->site[0] ? ", allocated at " : "", allocation->site, allocation->freed[0] ? ", freed at " : "",
             allocation->freed);
}
