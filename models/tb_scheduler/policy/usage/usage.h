/* SPDX-License-Identifier: MIT */
/*
 * Policies that place thread blocks by what they use of a core, private to this folder. Cores report a level per metric of each
 * block that runs; a block is placed where the sum of the levels stays within the limit, and one whose level rises beyond it may have
 * to leave. They differ in what they take a block's levels to be (usage_kind). Source: Beaumont 2019 §3.4, §3.5.
 */
#ifndef THREAD_BLOCK_POLICY_USAGE_H
#define THREAD_BLOCK_POLICY_USAGE_H

#include "thread_block_policy_units.h"

enum { USAGE_MEMORY, USAGE_FLOAT, USAGE_DEMAND, USAGE_ABORTS, USAGE_METRICS };

typedef struct usage_levels {
    uint32_t of[USAGE_METRICS];
} usage_levels;

/* Whose levels are taken for those of a block. */
enum {
    USAGE_OF_BLOCKS,  /* its own; before it runs, those of the last block with its place in the table */
    USAGE_OF_KERNELS, /* the mean of all windows of all blocks of its kernel */
    USAGE_OF_PROFILE  /* the mean of its kernel in another run */
};

typedef struct usage_kind {
    uint32_t predicts; /* USAGE_OF_*: of a block that has not started */
    uint32_t tracks;   /* of one that has */
    uint32_t preempts;
} usage_kind;

typedef struct usage_settings {
    uint32_t highest; /* level */
    uint32_t steps[USAGE_METRICS];
    uint32_t limits[USAGE_METRICS]; /* of the sum of levels on a core */
    uint64_t period_factor, period_rate, period_minimum;
    uint32_t victims;  /* places in their queue; 0: blocks stay where they are */
    uint64_t watchdog; /* a block waits for so many times the duration of its move; 0: for as long as it has to */
    uint32_t scans; /* the queue is looked through whenever a core has room, not only where something has become less */
    uint32_t entries; /* of the table; 0: there is none */
} usage_settings;

enum { USAGE_GONE, USAGE_RUNNING, USAGE_TO_STOP, USAGE_STOPPING, USAGE_SAVED, USAGE_ENTERING };

typedef struct usage_block {
    uint32_t stage; /* USAGE_GONE ... */
    uint32_t core;
    uint32_t entry;  /* in the table, if there is one */
    uint32_t kernel; /* index */
    usage_levels levels;
    uint64_t owner;        /* stream and number, not 0 */
    uint64_t launch_order; /* all differ, also from `order` */
    uint64_t order;        /* of its mark to stop, then of its leaving */
    uint64_t move_cycles;  /* to save and restore it */
    uint64_t due;          /* USAGE_SAVED: cycle from which it goes on whatever its levels */
} usage_block;

typedef struct usage_core {
    usage_levels sum;
    uint32_t resident;
    uint32_t has_eased; /* a block has ended here or become lighter, and none has left since */
} usage_core;

/* All windows of all blocks of a kernel. */
typedef struct usage_kernel {
    uint32_t module, entry_pc;
    uint64_t windows;
    uint64_t levels[USAGE_METRICS];
} usage_kernel;

/* The last levels of a block that has ended. */
typedef struct usage_former {
    uint64_t owner; /* as of usage_block; 0: there is none */
    uint32_t kernel;
    usage_levels levels;
} usage_former;

struct usage_profile;

typedef struct usage {
    usage_kind kind;
    usage_settings settings;
    uint32_t slots, cores; /* most that there can be */
    uint32_t next_core;
    uint32_t to_stop;          /* blocks USAGE_TO_STOP */
    uint32_t reserved_victims; /* blocks USAGE_TO_STOP, USAGE_STOPPING and USAGE_SAVED */
    uint64_t order;
    usage_block *blocks; /* by slot */
    uint32_t *saved;     /* slots of those that are USAGE_SAVED, in the order in which they have left */
    uint32_t saved_count;
    usage_core *core;
    usage_levels *table;
    uint64_t *owners;              /* stream and block that wrote the entry last, for statistics */
    usage_former *former;          /* by entry and kernel, for statistics */
    struct usage_profile *profile; /* NULL: there is none */
    usage_kernel *kernels;
    uint32_t kernel_count, kernel_capacity;
    uint64_t *statistics, *preemption_statistics, *table_statistics;
} usage;

/* ---- levels.c: what a block is taken to use ---------------------------------------------------------------------------- */

/* Index of the kernel; a new one has no windows. */
uint32_t usage_kernel_of(usage *u, const hd_grid *grid);
uint32_t usage_entry_of(const usage *u, const thread_block *block);
/* Of a block that has not started. */
usage_levels usage_predict(const usage *u, const thread_block *block);
/* A window of the block has ended; the cores' sums follow, and who has to leave. */
void usage_learn(usage *u, uint32_t slot, const hd_block_level *level);

/* ---- pairs.c: do blocks with a number use the same, from launch to launch? ----------------------------------------------- */

/* The last levels of the block, of policies with a table. */
void usage_pair(usage *u, const usage_block *block, const usage_levels *levels);

/* ---- profile.c: what another run has measured -------------------------------------------------------------------------- */

/* Reads the file, and looks for its kernels among the programs that are loaded. NULL: error holds a line that says what is wrong with
 * it, and where. */
struct usage_profile *usage_profile_read(const char *path, const thread_block_policy_parameters *parameters);
void usage_profile_free(struct usage_profile *profile);
/* Of blocks of the grid's kernel; of one that the profile does not know all are 0. */
usage_levels usage_profile_levels(const usage *u, const hd_grid *grid);
/* A block of the grid starts: if there is a profile and it does not know the kernel, the run ends with a fault. */
void usage_profile_check(const usage *u, const hd_grid *grid, uint64_t cycle);

/* ---- placing.c: sums of cores ------------------------------------------------------------------------------------------- */

/* Does a block with these levels stay within the limits there? A core without blocks takes any. */
uint32_t usage_fits(const usage *u, uint32_t core, const usage_levels *levels);
void usage_place(usage *u, uint32_t slot, uint32_t core);
void usage_leave(usage *u, uint32_t slot);
/* Other levels of a block that is on a core. */
void usage_change(usage *u, uint32_t slot, const usage_levels *levels);

/* ---- victims.c: blocks that have to leave, and that wait to go on ------------------------------------------------------- */

/* The levels of the block are others: if they have risen in one that is beyond a limit on its core, a block there has to leave. */
void usage_mark(usage *u, uint32_t slot, const usage_levels *before);
/* It has left its core, or has got one again. */
void usage_queue(usage *u, uint32_t slot);
void usage_unqueue(usage *u, uint32_t slot);
/* Of a block that is saved. */
uint32_t usage_may_enter(const usage *u, const usage_block *block, uint32_t core, uint64_t cycle);
/* As the functions of thread_block_policy_unit. */
uint32_t usage_choose_victim(const thread_block_policy *unit, const thread_block_demand *demand);
uint32_t usage_choose_saved(const thread_block_policy *unit, const thread_block_demand *demand);
uint64_t usage_next(const thread_block_policy *unit, const thread_block_demand *demand);

/* ---- usage.c ------------------------------------------------------------------------------------------------------------- */

/* Makes the policy of that kind; units of it have no functions of their own but this. */
thread_block_policy *usage_create(const thread_block_policy_parameters *parameters, usage_kind kind);
void usage_destroy(thread_block_policy *unit);
void usage_reset(thread_block_policy *unit);
void usage_event(thread_block_policy *unit, const thread_block_event *event);
uint32_t usage_choose_core(const thread_block_policy *unit, const thread_block *block, const thread_block_cores *cores,
                           uint64_t cycle);
/* checkpoint.c */
void usage_transfer(thread_block_policy *unit, const hd_state_stream *stream);
uint32_t usage_watch(const thread_block_policy *unit, const thread_block *block, hd_block_watch *watch);

#endif
