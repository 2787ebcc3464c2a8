/* SPDX-License-Identifier: MIT */
/*
 * Cores, a vendor of commit IDs, two crossbars, and for each partition a commit unit, an L2 slice and a memory: the blocks of Kilo TM
 * as in a machine, run by seed. Cores are scripted, or what a test brings.
 */
#ifndef KILO_MACHINE_H
#define KILO_MACHINE_H

#include "engine.h"
#include "kilo_check.h"
#include "kilo_oracle.h"
#include "kit.h"
#include "scripted_kilo.h"

typedef char kilo_settings[40][48]; /* of a class, as netlists write them; "" at the end */

#define KILO_BASE UINT64_C(0x10000000) /* of the words that transactions access */

struct shape;
/* Who runs transactions: blocks that have these ports. */
typedef struct kilo_cores {
    const hd_block_class *block_class;
    uint32_t request, reply, take, taken;
    /* Statistics of theirs that say how many messages of units they have waited for: verdicts, and that all has been written. NULL: none. */
    const char *kind, *verdicts, *committed;
    void *context; /* of the functions */
    /* Before they are added; may be NULL. */
    void (*provide)(void *context, hd_engine *engine);
    /* The machine has been put together: `first` and those behind it are the cores. May be NULL. */
    void (*attach)(void *context, hd_engine *engine, uint32_t first, const struct shape *shape, hd_clock clock);
    void (*begin)(void *context); /* a run; may be NULL */
    /* What they tell of a commit, which the checker hears too; may be NULL. */
    void (*note)(void *context, const hd_transaction *transaction);
    /* After a run: what they have committed, for the oracle, and for the checker if it has not been told. */
    void (*gather)(void *context, hd_engine *engine, uint32_t first, const struct shape *shape, kilo_oracle *oracle,
                   kilo_check *check);
} kilo_cores;

typedef struct shape {
    const kilo_cores *by; /* NULL: scripted cores */
    uint32_t cores, partitions;
    kilo_settings core, unit, slice, vendor;
    uint32_t link;  /* latency of the links around the slice, in cycles */
    uint32_t delay; /* of all but the first partition: so many cycles more to and from its commit unit */
    uint32_t late;  /* packets are late by up to so many cycles, by chance; seeded with late_seed, not 0 */
    uint64_t late_seed;
    uint32_t words, stride;
    uint32_t is_cfg_a;  /* clocks: 1300 / 650 MHz; else 1400 / 700 MHz */
    uint32_t is_silent; /* readers have to be given a place: values differ */
    uint32_t is_mixed;  /* there are also accesses outside of transactions */
} shape;

typedef struct kilo_machine kilo_machine;
kilo_machine *kilo_machine_create(const shape *shape);
void kilo_machine_destroy(kilo_machine *machine);

/* One schedule. 1, or 0 and what went wrong. */
uint32_t kilo_machine_run(kilo_machine *machine, uint64_t seed, char *wrong, uint32_t bytes);
/* The same in steps: resets it; runs until `limit`, 1 if that is the end; a word of memory. */
void kilo_machine_begin(kilo_machine *machine, uint64_t seed);
uint32_t kilo_machine_step(kilo_machine *machine, hd_time limit);
uint32_t kilo_machine_word(kilo_machine *machine, uint32_t word);
/* A statistic of the last schedule, over all blocks that have it. */
uint64_t kilo_machine_statistic(kilo_machine *machine, const char *kind, const char *name);
/* The engine calls blocks in random order from here on, and so on; results must not change. */
void kilo_machine_disturb(kilo_machine *machine, uint64_t seed);
uint64_t kilo_machine_end(const kilo_machine *machine); /* of the last schedule, in ps */

#endif
