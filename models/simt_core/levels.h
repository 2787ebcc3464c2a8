/* SPDX-License-Identifier: MIT */
/* What thread blocks ask of the core, counted and told for those that the scheduler watches (hd_message.h: block.watch). */
#ifndef SIMT_CORE_LEVELS_H
#define SIMT_CORE_LEVELS_H

#include "hd_block.h"
#include "hd_message.h"
#include "hd_state.h"

#define LEVELS_BLOCKS_MAX 64u /* of a core */

typedef struct simt_core simt_core;

typedef struct watched_block {
    hd_block_watch watch;
    hd_block_level window;  /* so far */
    hd_block_level report;  /* waits for a credit, if its bit is set in `owed` */
    uint64_t begun;         /* edge */
    uint32_t refused_warps; /* with a memory instruction that was ready and found no room at edge `settled` */
    uint32_t reserved;
} watched_block;

/* Sets have a bit each, by slot. */
typedef struct level_counts {
    uint64_t watched;
    uint64_t refused;  /* those with a memory instruction that was ready and found no room at edge `settled` */
    uint64_t owed;     /* those whose report waits for a credit */
    uint64_t settled;  /* edge up to which refused cycles are in the windows */
    uint64_t next;     /* edge at which a window ends, UINT64_MAX if there is none */
    uint64_t demanded; /* those whose attempts are counted */
    uint32_t awaits_credit;
    uint32_t message_watch, message_level;
    watched_block *blocks; /* by slot; NULL: context.levels is none */
} level_counts;

/* Nonzero: out of memory. */
int levels_create(simt_core *core);
void levels_destroy(simt_core *core);
void levels_reset(simt_core *core);
void levels_transfer(level_counts *levels, const hd_state_stream *stream);
/* Has come on dispatch. */
void levels_watch(simt_core *core, const hd_packet *packet);
/* The block in the slot is watched. */
void levels_begin(simt_core *core, uint32_t slot, const hd_block_watch *watch);
/* Of a path whose block is watched: its instruction issues. */
void levels_count_issue(simt_core *core, uint32_t slot, uint32_t is_float, uint32_t is_memory);
/* Attempts of so many lanes of a warp have ended. */
void levels_count_attempts(simt_core *core, uint32_t warp, uint32_t committed, uint32_t aborted);
/* While a block is watched, of each edge with work: before and after everything else. */
void levels_begin_edge(simt_core *core);
void levels_end_edge(simt_core *core);
/* The block ends, if its last report has been sent, which takes a credit. Returns 0 if it waits for that. */
uint32_t levels_end(simt_core *core, uint32_t slot);
/* The block is gone. */
void levels_drop(simt_core *core, uint32_t slot);

#endif
