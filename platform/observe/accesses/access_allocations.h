/* SPDX-License-Identifier: MIT */
/* Device memory as the host program has allocated it. */
#ifndef HD_ACCESS_ALLOCATIONS_H
#define HD_ACCESS_ALLOCATIONS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whose an allocation is. */
#define HD_ALLOCATION_PROGRAM 0u   /* the host program's, from hd_malloc */
#define HD_ALLOCATION_RUNTIME 1u   /* queues and argument blocks: kernels have no business there */
#define HD_ALLOCATION_KERNELS 2u   /* a segment of the kernel program */
#define HD_ALLOCATION_READ_ONLY 3u /* likewise, not to be written */

#define HD_SITE_BYTES 96u

typedef struct hd_allocation {
    uint64_t address;
    uint64_t bytes;
    uint64_t number;  /* of all allocations of the run, from 1 */
    uint64_t ordinal; /* likewise, of this owner; as messages name it */
    uint32_t owner;   /* HD_ALLOCATION_* */
    uint32_t is_freed;
    char site[HD_SITE_BYTES]; /* "host.c:12", where it was allocated; "" if that is not known */
    char freed[HD_SITE_BYTES];
} hd_allocation;

/* All that there are, by address, then those that were freed and whose address was not given again. */
typedef struct hd_allocations {
    const hd_allocation *items;
    uint32_t count;
    uint32_t live;
} hd_allocations;

/* The live allocation that holds the address; NULL: none. */
const hd_allocation *hd_allocations_find(const hd_allocations *allocations, uint64_t address);
/* Of those freed the one that held it and was allocated last. */
const hd_allocation *hd_allocations_find_freed(const hd_allocations *allocations, uint64_t address);
/* The live allocation of the program or its kernels nearest to an address that none holds. */
const hd_allocation *hd_allocations_nearest(const hd_allocations *allocations, uint64_t address);

#define HD_ALLOCATION_NAME_BYTES 48u
/* "allocation 3" */
void hd_allocation_name(const hd_allocation *allocation, char text[HD_ALLOCATION_NAME_BYTES]);

#define HD_ALLOCATION_TEXT_BYTES 320u
/* "allocation 3: 4,096 bytes at 0x10002000, host.c:12" */
void hd_allocation_describe(const hd_allocation *allocation, char text[HD_ALLOCATION_TEXT_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
