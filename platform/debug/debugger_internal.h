/* SPDX-License-Identifier: MIT */
/* Private to the debugger: its doors, and the blocks behind them. */
#ifndef HD_DEBUG_DEBUGGER_INTERNAL_H
#define HD_DEBUG_DEBUGGER_INTERNAL_H

#include "debugger.h"
#include "door.h"
#include "hd_debug.h"

enum { DOOR_FIRMWARE, DOOR_KERNELS, DOOR_COUNT };

struct debugger;

/* A block whose threads are debugged. Its groups are numbered behind those of the blocks before it at its door. */
typedef struct debugged {
    struct debugger *debugger;
    uint32_t endpoint;
    uint32_t door;
    hd_block *block;
    const hd_debug *ability;
    uint32_t first_group;
    uint32_t groups;
} debugged;

struct debugger {
    debugger_setup setup;
    hd_machine *machine;
    hd_engine *engine;
    debugged *blocks;
    uint32_t block_count;
    uint32_t is_over; /* killed */
    uint64_t focus;   /* thread of the kernels that stopped last */
    debug_door doors[DOOR_COUNT];
};

/* What a thread number means: a lane of a group of a block. */
typedef struct place_of_thread {
    const debugged *at; /* NULL: none */
    uint32_t group, lane;
} place_of_thread;

/* Threads of kernels: TARGET_ANY, and from here on HD_DEBUG_LANES_MAX numbers for each group. */
#define FIRST_LANE HD_DEBUG_LANES_MAX

/* firmware_target.c, kernel_target.c: for the door; `context` is the debugger. */
debug_target firmware_target(struct debugger *self);
debug_target kernel_target(struct debugger *self);

/* targets.c: what the two share */
const debugged *debugger_first(const struct debugger *self, uint32_t door);
uint32_t debugger_memory(const struct debugger *self, place_of_thread thread, uint64_t address, void *data,
                         uint32_t bytes, uint32_t is_write);
void debugger_command(const struct debugger *self, const char *words, char *answer, size_t bytes);

#endif
