/* SPDX-License-Identifier: MIT */
/*
 * A sampled run: most instructions are executed without timing, and windows of a systematic sample are simulated in detail
 * (docs/sampling.md).
 */
#ifndef HD_SAMPLING_H
#define HD_SAMPLING_H

#include "hd_fast_forward.h"
#include "machine.h"
#include "sampling_results.h"
#include "tlm_machine.h"

typedef struct sampling sampling;

/* Before the machine is built: its extension goes to the blocks. */
sampling *sampling_create(const hd_sampling_setup *setup, uint64_t seed);
void sampling_destroy(sampling *s); /* NULL is allowed */
hd_tlm_extension sampling_extension(const sampling *s);
/* Once it is built and its programs are loaded. 0 and *error: it cannot be sampled, and why. */
uint32_t sampling_bind(sampling *s, hd_machine *machine, char **error);

/* When it wants to look at the machine; HD_NEVER: never, or s is NULL. */
hd_time sampling_due(const sampling *s);
/* When anything moves again, the blocks alone doing so at `next`: what it has stopped goes on after it has looked. */
hd_time sampling_next(const sampling *s, hd_time next);
/* All blocks stand at t, which was due. */
void sampling_step(sampling *s, hd_time t);
/* A kernel begins or ends; NULL is allowed. */
void sampling_kernel(sampling *s, uint32_t begins, hd_time t);
/* The run is over, at t. NULL is allowed. */
void sampling_finish(sampling *s, hd_time t);
/* NULL: the run is not sampled. */
const hd_sampling_results *sampling_results(const sampling *s);

/* ---- sampling_refusals.c: what cannot be sampled, as a text to be freed; NULL: nothing. ------------------------------- */

char *sampling_refuse_setup(const hd_machine_setup *setup);
char *sampling_refuse_machine(hd_machine *machine);
char *sampling_refuse_programs(hd_machine *machine);

/* ---- sampling_memory.c: where memory is ----------------------------------------------------------------------------- */

typedef struct sampling_memory {
    hd_fast_memory fast; /* first: what blocks are given */
    hd_engine *engine;
    const hd_address_map *map; /* NULL: there are no partitions */
    struct memory_holder {
        hd_block *block;
        const hd_holder *holder;
    } *holders;
    uint32_t holder_count;
    struct memory_front {
        hd_block *block;
        const hd_fast_forward *ability; /* NULL, or touch is: nothing is in front */
    } *fronts; /* by partition */
} sampling_memory;

void sampling_memory_init(sampling_memory *m);
/* 0: nobody holds the memory of the machine. */
uint32_t sampling_memory_bind(sampling_memory *m, hd_engine *engine, const hd_address_map *map);
void sampling_memory_free(sampling_memory *m);

#endif
