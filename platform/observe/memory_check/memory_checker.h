/* SPDX-License-Identifier: MIT */
/*
 * The checker of memory: holds the accesses of threads to global memory against the allocations of the host program.
 *
 *   Bounds         every byte lies in one live allocation of the program, or in a segment of its kernels
 *   Freed          none lies in an allocation that was freed, as long as its address has not been given again
 *   Initialised    every byte that is read has been written since it was allocated: by the host, a copy, or a store
 *
 * Scratchpad and constants need none of it: the cores refuse what is out of bounds, the scratchpad is zero when a block
 * starts. Private memory is not looked at. What it keeps is a bit per byte of the pages that were written.
 */
#ifndef HD_MEMORY_CHECKER_H
#define HD_MEMORY_CHECKER_H

#include "access_allocations.h"
#include "access_blocks.h"
#include "hd_extension.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_memory_checker hd_memory_checker;

/* Never NULL. places is copied. */
hd_memory_checker *hd_memory_checker_create(const hd_access_places *places);
void hd_memory_checker_destroy(hd_memory_checker *checker); /* NULL is allowed */

/* From now on these; borrowed until the next call. What is new since the last call has not been written. */
void hd_memory_checker_allocations(hd_memory_checker *checker, const hd_allocations *allocations);
/* LOAD, STORE, ATOMIC of the block, and WRITTEN (block NULL); others are ignored. */
void hd_memory_checker_take(hd_memory_checker *checker, const hd_access_record *record, const hd_access_block *block);
/* What has been found since the last call, several lines each. Returns how many. */
uint32_t hd_memory_checker_print(hd_memory_checker *checker, const hd_text_sink *sink);

typedef struct hd_memory_checks {
    uint64_t accesses; /* of lanes, to global memory */
    uint64_t errors;
} hd_memory_checks;
hd_memory_checks hd_memory_checker_counts(const hd_memory_checker *checker);

#ifdef __cplusplus
}
#endif

#endif
