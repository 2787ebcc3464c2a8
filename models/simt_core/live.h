/* SPDX-License-Identifier: MIT */
/*
 * Registers of a warp that hold values which may be needed yet (Beaumont 2019 §4.4.1): a bit each, set when the register is written,
 * cleared when an instruction issues behind which no path of the program needs it. Only where all threads of the warp that have not ended
 * are together: a value that is of no use here may be needed where others wait. Nor in transactions, whose attempts begin anew.
 *
 * context.dead: 'marks': of the registers that the instruction reads, as its encoding would say; 'oracle': of all registers.
 */
#ifndef SIMT_CORE_LIVE_H
#define SIMT_CORE_LIVE_H

#include <stddef.h>
#include <stdint.h>

struct simt_core;

enum { DEAD_NONE, DEAD_MARKS, DEAD_ORACLE };

/* The table of a block's program. */
typedef struct live_table {
    const uint32_t *values, *lists;
} live_table;

typedef struct live_state {
    uint64_t *registers; /* [warp]; NULL: nobody asks */
    live_table *tables;  /* [slot] */
} live_state;

/* Nonzero: it cannot be; error holds one line, or it is out of memory. */
int live_create(struct simt_core *core, char *error, size_t error_bytes);
void live_destroy(struct simt_core *core);
/* A block comes to the slot. */
void live_enter(struct simt_core *core, uint32_t slot);
/* A warp of it starts. */
void live_start(struct simt_core *core, uint32_t slot, uint32_t warp);
/* The path's instruction issues. */
void live_issue(struct simt_core *core, uint32_t path);
/* Registers of the warp that move with it. */
uint64_t live_registers(const struct simt_core *core, uint32_t warp);

#endif
