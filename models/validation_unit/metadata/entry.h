/* SPDX-License-Identifier: MIT */
#ifndef VALIDATION_UNIT_ENTRY_H
#define VALIDATION_UNIT_ENTRY_H

#include <stdint.h>

#include "hd_getm.h"

#define NO_GRANULE UINT64_MAX

/* Metadata of a granule (Ren & Lis 2018 Table I). */
typedef struct metadata_entry {
    uint64_t granule;     /* address / granule size; NO_GRANULE = free slot */
    uint64_t written;     /* 1 + timestamp of the latest transaction that has reserved it, committed or not */
    uint64_t read;        /* timestamp of the latest transaction that has read it, committed or not */
    uint64_t reserved;    /* approved stores not yet released; not 0 = reserved for its owner */
    uint32_t owner_warp;  /* of the reservation */
    uint32_t owner_epoch; /* the warp's attempt */
    uint32_t pins;        /* accesses in progress and waiters, for which the entry must not move */
    /* The warps, for traces and for tie_break last_reader; lost with the entry. HD_GETM_NOBODY: not known. */
    uint32_t writer;
    uint32_t reader;
    uint32_t writer_pc; /* of the store that reserved it */
    uint32_t reader_pc; /* of the latest load */
} metadata_entry;

static inline metadata_entry metadata_new_entry(uint64_t granule, uint64_t written, uint64_t read)
{
    return (metadata_entry){
        .granule = granule, .written = written, .read = read, .writer = HD_GETM_NOBODY, .reader = HD_GETM_NOBODY};
}

#endif
